// What the tools around the library cost: loading a large scene, running from the command line instead of
// from C, drawing.
#include "cases.h"

#include "apps/command.h"
#include "apps/render/renderer.h"
#include "measure.h"
#include "sinew_scene/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void fail(bench_row *row)
{
    row->verdict = BENCH_FAILED;
    snprintf(row->measured, sizeof row->measured, "%.200s", sn_scene_error());
}

// --- loading -----------------------------------------------------------------------------------------------

// A scene of so many bodies, each written out: name, position, shape, colour.
static char *write_scene(int count)
{
    size_t capacity = (size_t)count * 200 + 200, used = 0;
    char *text = malloc(capacity);
    if (text == NULL) {
        return NULL;
    }
    used += (size_t)snprintf(
        text, capacity,
        "{\"sinew\": 1, \"bodies\": [{\"name\": \"ground\", \"shape\": {\"type\": \"plane\"}}");
    for (int i = 0; i < count; ++i) {
        used += (size_t)snprintf(
            text + used, capacity - used,
            ",\n{\"name\": \"b%d\", \"position\": [%g, %g, %g], \"shape\": {\"type\": \"box\", "
            "\"size\": [0.3, 0.3, 0.3], \"density\": 500}, \"color\": \"#aabbcc\"}",
            i, 0.5 * (i % 100), 0.2 + 0.5 * (i / 10000), 0.5 * (i / 100 % 100));
    }
    snprintf(text + used, capacity - used, "]}");
    return text;
}

void bench_load(bench_report *report, const char *name, const bench_options *options)
{
    int count = options->quick ? 10000 : 100000;
    bench_row row = {.name = name, .bar = "< 1 s", .today = "-"};
    snprintf(row.what, sizeof row.what, "a scene file of %d bodies, CPU time to load, best of 3", count);
    char *text = write_scene(count);
    double best = 1e30;
    for (int i = 0; text != NULL && i < 3; ++i) {
        sn_scene *scene = NULL;
        double start = bench_cpu_clock();
        if (sn_scene_parse(text, strlen(text), "bench.json", NULL, &scene) != SN_OK) {
            fail(&row);
            break;
        }
        double time = bench_cpu_clock() - start;
        best = time < best ? time : best;
        sn_scene_destroy(scene);
    }
    free(text);
    if (row.verdict != BENCH_FAILED) {
        snprintf(row.measured, sizeof row.measured, "%.2f s", best / 1000.0);
        bench_row_value(&row, "load_ms", best);
        row.verdict = best < 1000.0 * count / 100000 ? BENCH_PASS : BENCH_MISS;
    }
    bench_report_add(report, &row);
}

// --- running -----------------------------------------------------------------------------------------------

#define SCENE           SOURCE_FOLDER "/scenes/wrecking_ball.json"
#define THOUSAND_BODIES SOURCE_FOLDER "/scenes/tower.json"

// The same loop written in C.
static int run_in_c(int steps)
{
    sn_scene *scene = NULL;
    if (sn_scene_load(SCENE, NULL, &scene) != SN_OK) {
        return 1;
    }
    for (int i = 0; i < steps; ++i) {
        if (sn_world_step(sn_scene_world(scene), sn_scene_step_length(scene)) != SN_OK) {
            return 1;
        }
    }
    sn_scene_destroy(scene);
    return 0;
}

// CPU milliseconds of a child that runs the command, or the loop; negative if it failed. Both are in this
// program: where the linker puts the solver makes a difference of two per cent.
static double time_child(bool command, int steps)
{
    struct rusage before, after;
    getrusage(RUSAGE_CHILDREN, &before);
    fflush(NULL); // what is waiting to be printed must not be printed by the child as well
    pid_t child = fork();
    if (child == 0) {
        char scene[] = SCENE, number[16];
        snprintf(number, sizeof number, "%d", steps);
        if (command && freopen("/dev/null", "w", stdout) != NULL) {
            char *arguments[] = {"sinew", "run", scene, "--steps", number, "--json", NULL};
            _exit(command_main(6, arguments));
        }
        _exit(command ? 127 : run_in_c(steps));
    }
    int status = 1;
    if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0) {
        return -1.0;
    }
    getrusage(RUSAGE_CHILDREN, &after);
    double seconds = (double)(after.ru_utime.tv_sec - before.ru_utime.tv_sec) +
                     (double)(after.ru_stime.tv_sec - before.ru_stime.tv_sec);
    double rest = (double)(after.ru_utime.tv_usec - before.ru_utime.tv_usec) +
                  (double)(after.ru_stime.tv_usec - before.ru_stime.tv_usec);
    return 1000.0 * seconds + rest / 1000.0;
}

void bench_command(bench_report *report, const char *name, const bench_options *options)
{
    int steps = options->quick ? 60 : 300, turns = options->quick ? 2 : 7;
    bench_row row = {.name = name, .bar = "< 2 % more", .today = "-"};
    snprintf(row.what, sizeof row.what,
             "sinew run, a ball into a tower of 800 bricks, %d steps, against the same loop in C, best of %d",
             steps, turns);
    double best[2] = {1e30, 1e30};
    for (int i = 0; i < 2 * turns; ++i) {
        double time = time_child(i % 2 == 0, steps);
        if (time < 0.0) {
            row.verdict = BENCH_FAILED;
            snprintf(row.measured, sizeof row.measured, "%s could not be run",
                     i % 2 == 0 ? "apps/sinew" : "the loop");
            bench_report_add(report, &row);
            return;
        }
        best[i % 2] = time < best[i % 2] ? time : best[i % 2];
    }
    double more = 100.0 * (best[0] / best[1] - 1.0);
    snprintf(row.measured, sizeof row.measured, "%+.2f %% (%.0f against %.0f ms)", more, best[0], best[1]);
    bench_row_value(&row, "more_percent", more);
    row.verdict = more < 2.0 ? BENCH_PASS : BENCH_MISS;
    bench_report_add(report, &row);
}

// --- drawing -----------------------------------------------------------------------------------------------

// Four jellies of all shapes and a cloth of 51 × 51 nodes.
static const char soft_scene[] =
    "{\"sinew\": 1, \"bodies\": [{\"type\": \"static\", \"shape\": {\"type\": \"plane\"}}], \"deformables\": "
    "["
    "{\"mesh\": {\"type\": \"box\", \"size\": [0.5, 0.5, 0.5], \"cells\": [6, 6, 6]}, \"position\": [-0.6, "
    "0.3, 0]},"
    "{\"mesh\": {\"type\": \"sphere\", \"radius\": 0.3, \"rings\": 6}, \"position\": [0.1, 0.4, 0]},"
    "{\"mesh\": {\"type\": \"cylinder\", \"radius\": 0.25, \"height\": 0.5}, \"position\": [0.8, 0.3, 0]},"
    "{\"mesh\": {\"type\": \"box\", \"size\": [0.4, 0.3, 0.4], \"cells\": [5, 4, 5]}, \"position\": [0, 0.2, "
    "0.8]},"
    "{\"mesh\": {\"type\": \"grid\", \"width\": 2, \"height\": 2, \"columns\": 50, \"rows\": 50}, "
    "\"position\": "
    "[0, 1.2, 0], \"rotation\": {\"axis\": [1, 0, 0], \"angle\": -70}}],"
    "\"cameras\": [{\"eye\": [1.6, 1.6, 3.2], \"target\": [0.05, 0.5, 0]}]}";

// How fast one scene is drawn.
static void time_pictures(bench_report *report, const char *name, const char *what, bool soft, int frames)
{
    bench_row row = {.name = name, .bar = ">= 10 frames/s", .today = "-"};
    render_options settings = render_options_default();
    sn_scene *scene = NULL;
    sn_camera camera;
    renderer *drawer = renderer_create(&settings);
    uint8_t *pixels = malloc((size_t)settings.width * (size_t)settings.height * 3);
    bool good = drawer != NULL && pixels != NULL &&
                (soft ? sn_scene_parse(soft_scene, strlen(soft_scene), "bench.json", NULL, &scene)
                      : sn_scene_load(THOUSAND_BODIES, NULL, &scene)) == SN_OK &&
                sn_scene_camera(scene, NULL, &camera) == SN_OK &&
                renderer_draw(drawer, scene, &camera, pixels);
    double start = bench_wall_clock(), cpu_start = bench_cpu_clock();
    for (int i = 0; good && i < frames; ++i) {
        good = renderer_draw(drawer, scene, &camera, pixels);
    }
    double rate = 1000.0 * frames / (bench_wall_clock() - start);
    double cpu_time =
        (bench_cpu_clock() - cpu_start) / frames; // of all threads, which other programs disturb less
    snprintf(row.what, sizeof row.what, "%s at %d x %d, %s", what, settings.width, settings.height,
             drawer != NULL ? renderer_description(drawer) : "no OpenGL");
    if (good) {
        snprintf(row.measured, sizeof row.measured, "%.1f frames/s, %.0f ms CPU", rate, cpu_time);
        bench_row_value(&row, "frames_per_second", rate);
        bench_row_value(&row, "cpu_milliseconds", cpu_time);
        row.verdict = rate >= 10.0 ? BENCH_PASS : BENCH_MISS;
    } else {
        fail(&row);
    }
    bench_report_add(report, &row);
    free(pixels);
    sn_scene_destroy(scene);
    renderer_destroy(drawer);
}

void bench_render(bench_report *report, const char *name, const bench_options *options)
{
    int frames = options->quick ? 5 : 30;
    time_pictures(report, name, "1000 bodies", false, frames);
    time_pictures(report, name, "4 jellies and a cloth of 2601 nodes", true, frames);
}
