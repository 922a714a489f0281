// Loads that travel through cloth, ropes and jelly at default settings: how far rows stretch, whether all
// comes to rest, how many sub-steps it takes, and what it costs against the same scene without long range.
#include "cases.h"
#include "measure.h"
#include "soft_cases.h"
#include "soft_measure.h"
#include "soft_scenes.h"

#include <math.h>
#include <stdio.h>

/// What is asked of a scene; 0 where nothing is.
typedef struct load_bars {
    double stretch; ///< largest of threads at the end
    double peak;    ///< and at any time
    double speed;   ///< fastest node or solid at the end [m/s]
} load_bars;

typedef struct load_case {
    const char *words;
    int nodes; ///< along a side
    float mass, size;
    double seconds;
    load_bars bars;
} load_case;

typedef sn_status load_builder(soft_scene *scene, const load_case *load);

typedef struct load_result {
    soft_stretch end;
    double peak, rms, fastest;
    int lost, frozen, sub_steps;
    double time; ///< CPU time of a step [ms]
} load_result;

// --- scenes ------------------------------------------------------------------------------------------------

enum { LIGHT_STEPS = 60 }; ///< for comparing costs

static soft_body *last_body(soft_scene *scene)
{
    return &scene->bodies[scene->body_count - 1];
}

static void pin(soft_body *body, int node)
{
    body->pins[body->pin_count++] = node;
}

static void pin_corners(soft_body *cloth, int nodes, int count)
{
    const int corners[] = {nodes * (nodes - 1), nodes * nodes - 1, 0, nodes - 1};
    for (int i = 0; i < count; ++i) {
        pin(cloth, corners[i]);
    }
}

static void pin_rim(soft_body *cloth, int nodes)
{
    for (int i = 0; i + 1 < nodes; ++i) {
        pin(cloth, i);
        pin(cloth, (i + 1) * nodes - 1);
        pin(cloth, nodes * nodes - 1 - i);
        pin(cloth, (i + 1) * nodes);
    }
}

// Held at two corners, hanging or level.
static sn_status lay_hung(soft_scene *scene, const load_case *load)
{
    *scene = (soft_scene){.floor = false};
    sn_status status = soft_scene_add_fine_cloth(scene, load->nodes - 1, 2.0f, 0.8f, 0.0f);
    if (status == SN_OK) {
        last_body(scene)->def.pose.rotation = sn_quat_identity;
        pin_corners(last_body(scene), load->nodes, 2);
    }
    return status;
}

static sn_status lay_level(soft_scene *scene, const load_case *load)
{
    sn_status status = lay_hung(scene, load);
    if (status == SN_OK) {
        last_body(scene)->def.pose.rotation = sn_quat_axis_angle(sn_v(1.0f, 0.0f, 0.0f), -0.5f * SN_PI);
    }
    return status;
}

static sn_status lay_on_ball(soft_scene *scene, const load_case *load)
{
    *scene = (soft_scene){.floor = false};
    soft_scene_solid(scene, SOFT_SPHERE, sn_v(load->size, load->size, load->size), 0.0f,
                     sn_v(0.0f, load->size, 0.0f));
    sn_status status =
        soft_scene_add_fine_cloth(scene, load->nodes - 1, 2.0f, 0.8f, 2.0f * load->size + 0.05f);
    if (status == SN_OK) {
        last_body(scene)->def.self_collide = true;
    }
    return status;
}

static sn_status lay_ball_on(soft_scene *scene, const load_case *load, bool rim)
{
    const float radius = 0.15f;
    *scene = (soft_scene){.floor = false};
    soft_scene_solid(scene, SOFT_SPHERE, sn_v(radius, radius, radius), load->mass,
                     sn_v(0.0f, radius + 0.05f, 0.0f));
    sn_status status = soft_scene_add_fine_cloth(scene, load->nodes - 1, 2.0f, 0.8f, 0.0f);
    if (status == SN_OK && rim) {
        pin_rim(last_body(scene), load->nodes);
    } else if (status == SN_OK) {
        pin_corners(last_body(scene), load->nodes, 4);
    }
    return status;
}

static sn_status lay_ball_on_rim(soft_scene *scene, const load_case *load)
{
    return lay_ball_on(scene, load, true);
}

static sn_status lay_ball_on_corners(soft_scene *scene, const load_case *load)
{
    return lay_ball_on(scene, load, false);
}

static sn_status lay_trampoline(soft_scene *scene, const load_case *load)
{
    return soft_scene_trampoline(scene, 0.15f, load->mass, 0.0f);
}

// Hanging; `mass` is that of its end, in nodes.
static sn_status lay_rope(soft_scene *scene, const load_case *load)
{
    const float node_mass = 0.01f, length = 2.0f;
    *scene = (soft_scene){.floor = false};
    sn_mesh *mesh = NULL;
    sn_status status = sn_mesh_line(length, load->nodes - 1, &mesh);
    if (status == SN_OK) {
        soft_body *rope =
            soft_scene_body(scene, mesh, sn_v(0.0f, 0.0f, 0.0f), node_mass * (float)load->nodes);
        rope->def.pose.rotation = sn_quat_axis_angle(sn_v(0.0f, 0.0f, 1.0f), -0.5f * SN_PI);
        rope->def.inextensible.on = true;
        rope->def.collide = false;
        pin(rope, 0);
        if (load->mass > 0.0f) {
            sn_vec3 end = sn_pose_apply(rope->def.pose, sn_mesh_nodes(mesh)[load->nodes - 1]);
            soft_scene_solid(scene, SOFT_LUMP, sn_v(0.1f, 0.1f, 0.1f), load->mass * node_mass, end);
            scene->ties[scene->tie_count++] = (soft_tie){0, load->nodes - 1, 0};
        }
    }
    return status;
}

// --- runs --------------------------------------------------------------------------------------------------

static double fastest_of(const soft_run *run)
{
    double fastest = 0.0;
    for (int i = 0; i < run->clouds[0].count; ++i) {
        fastest = fmax(fastest, (double)sn_length(run->clouds[0].velocities[i]));
    }
    for (int i = 0; i < run->scene->solid_count; ++i) {
        fastest = fmax(fastest, (double)sn_length(run->solids[i].velocity));
    }
    return fastest;
}

// Below the lowest node of the cloth.
static int lost_of(const soft_run *run)
{
    float lowest = 0.0f;
    int lost = 0;
    for (int i = 0; i < run->clouds[0].count; ++i) {
        lowest = sn_min(lowest, run->clouds[0].positions[i].y);
    }
    for (int i = 0; i < run->scene->solid_count; ++i) {
        bool counts = run->scene->solids[i].shape == SOFT_SPHERE && run->scene->solids[i].mass > 0.0f;
        lost += counts && run->solids[i].position.y < lowest - 0.02f ? 1 : 0;
    }
    return lost;
}

static soft_stretch stretch_of(const soft_run *run)
{
    return soft_thread_stretch_of(&run->clouds[0]);
}

static sn_status run_load(soft_run *run, int steps, load_result *result)
{
    *result = (load_result){0};
    for (int i = 0; i < steps; ++i) {
        sn_status status = soft_run_step(run);
        if (status != SN_OK) {
            return status;
        }
        int sub_steps = sn_world_statistics(run->world).sub_steps;
        result->sub_steps = sub_steps > result->sub_steps ? sub_steps : result->sub_steps;
        result->end = stretch_of(run);
        result->peak = fmax(result->peak, result->end.longest);
    }
    sn_statistics statistics = sn_world_statistics(run->world);
    result->frozen = statistics.frozen_count + statistics.frozen_node_count;
    result->lost = lost_of(run);
    result->rms = soft_rms_speed(&run->clouds[0]);
    result->fastest = fastest_of(run);
    result->time = soft_run_mean_time(run);
    return SN_OK;
}

static double time_without(const soft_scene *scene, int steps)
{
    static soft_run run;
    sn_world_def settings = bench_settings(1);
    settings.long_range = sn_long_range_off();
    load_result result = {0};
    sn_status status = soft_run_open(&run, scene, &settings);
    if (status == SN_OK) {
        status = run_load(&run, steps, &result);
    }
    soft_run_close(&run);
    return status == SN_OK ? result.time : 0.0;
}

static void report_load(bench_report *report, const char *name, const load_case *load, const load_result *r,
                        double time_off, double time_on)
{
    char bar[BENCH_TEXT] = "0 lost, 0 frozen";
    size_t used = 16;
    if (load->bars.stretch > 0.0) {
        used += (size_t)snprintf(bar + used, sizeof bar - used, ", <= %g %%", 100.0 * load->bars.stretch);
    }
    if (load->bars.peak > 0.0) {
        used += (size_t)snprintf(bar + used, sizeof bar - used, ", peak <= %g %%", 100.0 * load->bars.peak);
    }
    if (load->bars.speed > 0.0) {
        snprintf(bar + used, sizeof bar - used, ", <= %g mm/s", 1.0e3 * load->bars.speed);
    }
    bench_row row = {.name = name, .bar = bar, .today = "-"};
    snprintf(row.what, sizeof row.what, "%s, after %g s", load->words, load->seconds);
    snprintf(
        row.measured, sizeof row.measured,
        "stretch %.2f %% max, %.3f %% mean, %.1f %% peak; %.1f mm/s RMS, %.1f fastest; %d lost, %d frozen; "
        "%d sub-steps; %.2f ms; %.2f x without",
        100.0 * r->end.longest, 100.0 * r->end.mean, 100.0 * r->peak, 1.0e3 * r->rms, 1.0e3 * r->fastest,
        r->lost, r->frozen, r->sub_steps, r->time, time_off > 0.0 ? time_on / time_off : 0.0);
    bench_row_value(&row, "stretch_max", r->end.longest);
    bench_row_value(&row, "stretch_mean", r->end.mean);
    bench_row_value(&row, "stretch_peak", r->peak);
    bench_row_value(&row, "rms", r->rms);
    bench_row_value(&row, "fastest", r->fastest);
    bench_row_value(&row, "lost", r->lost);
    bench_row_value(&row, "frozen", r->frozen);
    bench_row_value(&row, "sub_steps", r->sub_steps);
    bench_row_value(&row, "ms", r->time);
    bench_row_value(&row, "times_without", time_off > 0.0 ? time_on / time_off : 0.0);
    bench_row_judge(&row, r->lost + r->frozen == 0 &&
                              (load->bars.stretch == 0.0 || r->end.longest <= load->bars.stretch) &&
                              (load->bars.peak == 0.0 || r->peak <= load->bars.peak) &&
                              (load->bars.speed == 0.0 || r->fastest <= load->bars.speed));
    bench_report_add(report, &row);
}

static void run_case(bench_report *report, const char *name, load_builder *build, const load_case *load,
                     const bench_options *options)
{
    static soft_scene scene;
    static soft_run run;
    int steps = (int)lround(load->seconds / (double)SOFT_STEP * (options->quick ? 0.2 : 1.0));
    int light = steps < LIGHT_STEPS ? steps : LIGHT_STEPS;
    sn_world_def settings = bench_settings(1);
    load_result result = {0}, short_run = {0};
    sn_status status = build(&scene, load);
    if (status == SN_OK) {
        status = soft_run_open(&run, &scene, &settings);
    }
    if (status == SN_OK) {
        status = run_load(&run, steps, &result);
        soft_run_show(&run, name);
    }
    if (status != SN_OK) {
        soft_report_failure(report, name, load->words, &run, status);
    }
    soft_run_close(&run);
    if (status == SN_OK) {
        double off = time_without(&scene, light);
        if (soft_run_open(&run, &scene, &settings) == SN_OK) {
            (void)run_load(&run, light, &short_run);
        }
        soft_run_close(&run);
        report_load(report, name, load, &result, off, short_run.time);
    }
    soft_scene_release(&scene);
}

#define RUN_ALL(list, build)                                                                                 \
    for (size_t i = 0; i < sizeof(list) / sizeof *(list); ++i) {                                             \
        run_case(report, name, build, &(list)[i], options);                                                  \
    }

// --- cases -------------------------------------------------------------------------------------------------

void bench_long_hung(bench_report *report, const char *name, const bench_options *options)
{
    static const load_case loads[] = {
        {"cloth hung by two corners, 51 x 51", 51, 0.0f, 0.0f, 10.0, {.stretch = 0.01, .speed = 0.01}},
        {"101 x 101", 101, 0.0f, 0.0f, 10.0, {.stretch = 0.02, .speed = 0.01}},
        {"201 x 201", 201, 0.0f, 0.0f, 10.0, {.stretch = 0.04, .speed = 0.01}}};
    RUN_ALL(loads, lay_hung)
}

void bench_long_level(bench_report *report, const char *name, const bench_options *options)
{
    static const load_case loads[] = {
        {"cloth held at two corners, let go level, 51 x 51", 51, 0.0f, 0.0f, 4.0, {.peak = 0.15}},
        {"101 x 101", 101, 0.0f, 0.0f, 4.0, {.peak = 0.25}}};
    RUN_ALL(loads, lay_level)
}

void bench_long_drape(bench_report *report, const char *name, const bench_options *options)
{
    static const load_case loads[] = {{"S1a, 51 x 51, r = 0.25 m", 51, 0.0f, 0.25f, 6.0, {.stretch = 0.03}},
                                      {"S1a, 51 x 51, r = 0.1 m", 51, 0.0f, 0.1f, 6.0, {.stretch = 0.04}},
                                      {"S1a, 101 x 101", 101, 0.0f, 0.5f, 6.0, {.stretch = 0.03}},
                                      {"S1a, 201 x 201", 201, 0.0f, 0.5f, 6.0, {.stretch = 0.08}}};
    RUN_ALL(loads, lay_on_ball)
}

void bench_long_rim(bench_report *report, const char *name, const bench_options *options)
{
    static const load_case loads[] = {
        {"cloth held at its rim, ball of 1 kg", 51, 1.0f, 0.0f, 5.0, {.stretch = 0.02, .speed = 0.01}},
        {"10 kg", 51, 10.0f, 0.0f, 5.0, {.stretch = 0.02, .speed = 0.01}},
        {"100 kg", 51, 100.0f, 0.0f, 5.0, {.stretch = 0.02, .speed = 0.01}}};
    RUN_ALL(loads, lay_ball_on_rim)
}

void bench_long_corners(bench_report *report, const char *name, const bench_options *options)
{
    static const load_case loads[] = {
        {"cloth held at four corners, ball of 1 kg", 51, 1.0f, 0.0f, 5.0, {.stretch = 0.05, .speed = 0.01}},
        {"10 kg", 51, 10.0f, 0.0f, 5.0, {.stretch = 0.1, .speed = 0.01}},
        {"100 kg", 51, 100.0f, 0.0f, 5.0, {.stretch = 0.2, .speed = 0.01}}};
    RUN_ALL(loads, lay_ball_on_corners)
}

void bench_long_trampoline(bench_report *report, const char *name, const bench_options *options)
{
    static const load_case loads[] = {
        {"S5, balls of 0.1 kg", 51, 0.1f, 0.0f, 10.0, {.stretch = 0.1, .speed = 0.05}},
        {"1 kg", 51, 1.0f, 0.0f, 10.0, {.stretch = 0.2, .speed = 0.05}},
        {"10 kg", 51, 10.0f, 0.0f, 10.0, {.stretch = 0.4, .speed = 0.05}}};
    RUN_ALL(loads, lay_trampoline)
}

void bench_long_rope(bench_report *report, const char *name, const bench_options *options)
{
    static const load_case loads[] = {
        {"rope of 50 nodes, end of 0 nodes", 50, 0.0f, 0.0f, 5.0, {.stretch = 0.01, .speed = 0.01}},
        {"100", 50, 100.0f, 0.0f, 5.0, {.stretch = 0.01, .speed = 0.01}},
        {"10,000", 50, 10000.0f, 0.0f, 5.0, {.stretch = 0.01, .speed = 0.01}},
        {"rope of 200 nodes, end of 0 nodes", 200, 0.0f, 0.0f, 5.0, {.stretch = 0.01, .speed = 0.01}},
        {"100", 200, 100.0f, 0.0f, 5.0, {.stretch = 0.01, .speed = 0.01}},
        {"10,000", 200, 10000.0f, 0.0f, 5.0, {.stretch = 0.01, .speed = 0.01}}};
    RUN_ALL(loads, lay_rope)
}

// --- a rope over a wheel -----------------------------------------------------------------------------------

static void run_wheel(bench_report *report, const char *name, float ratio)
{
    static soft_scene scene;
    static soft_run run;
    const double time = 0.6;
    sn_world_def settings = bench_settings(1);
    sn_status status = soft_scene_rope(&scene, ratio);
    if (status == SN_OK) {
        status = soft_run_open(&run, &scene, &settings);
    }
    int sub_steps = 0;
    double peak = 0.0;
    for (int i = 0; i < (int)lround(time / (double)SOFT_STEP) && status == SN_OK; ++i) {
        status = soft_run_step(&run);
        int now = sn_world_statistics(run.world).sub_steps;
        sub_steps = now > sub_steps ? now : sub_steps;
        peak = fmax(peak, soft_stretch_of(&run.clouds[0]).longest);
    }
    bench_row row = {.name = name, .bar = "within 2 %", .today = "all cut or stuck at 1000 : 1"};
    snprintf(row.what, sizeof row.what, "S3, bodies of %g and %g nodes: turning rate over the ideal one",
             (double)ratio, 1.5 * (double)ratio);
    if (status == SN_OK) {
        double part = fabs((double)run.solids[0].spin.z) / soft_rope_spin(&scene, time);
        snprintf(row.measured, sizeof row.measured, "%.4f; stretch %.1f %% peak; %d sub-steps; %.2f ms", part,
                 100.0 * peak, sub_steps, soft_run_mean_time(&run));
        bench_row_value(&row, "part", part);
        bench_row_value(&row, "stretch_peak", peak);
        bench_row_value(&row, "sub_steps", sub_steps);
        bench_row_judge(&row, fabs(part - 1.0) <= 0.02);
        bench_report_add(report, &row);
    } else {
        soft_report_failure(report, name, row.what, &run, status);
    }
    soft_run_close(&run);
    soft_scene_release(&scene);
}

void bench_long_wheel(bench_report *report, const char *name, const bench_options *options)
{
    (void)options;
    run_wheel(report, name, 100.0f);
    run_wheel(report, name, 1000.0f);
    run_wheel(report, name, 10000.0f);
}

// --- jelly -------------------------------------------------------------------------------------------------

// A cube of 1 kg and no transverse contraction between plates: it is shorter by F/(E A).
static void run_jelly(bench_report *report, const char *name, float young, float load,
                      const bench_options *options)
{
    static soft_scene scene;
    static soft_run run;
    const float side = 0.4f, gap = 0.005f;
    enum { CELLS = 4 };
    int steps = options->quick ? 50 : 250;
    scene = (soft_scene){.floor = true, .floor_friction = 0.5f};
    sn_world_def settings = bench_settings(1);
    sn_mesh *mesh = NULL;
    sn_status status = sn_mesh_box(sn_v(side, side, side), CELLS, CELLS, CELLS, &mesh);
    if (status == SN_OK) {
        soft_body *jelly = soft_scene_body(&scene, mesh, sn_v(0.0f, gap + 0.5f * side, 0.0f), 1.0f);
        jelly->def.model = sn_model_corotational(young, 0.0f);
        jelly->def.model.damping = 0.01f;
        soft_scene_solid(&scene, SOFT_BOX, sn_v(0.3f, 0.05f, 0.3f), load,
                         sn_v(0.0f, side + 2.0f * gap + 0.05f, 0.0f));
        status = soft_run_open(&run, &scene, &settings);
    }
    int sub_steps = 0;
    for (int i = 0; i < steps && status == SN_OK; ++i) {
        status = soft_run_step(&run);
        int now = sn_world_statistics(run.world).sub_steps;
        sub_steps = now > sub_steps ? now : sub_steps;
    }
    bench_row row = {.name = name, .bar = "within 5 %", .today = "-"};
    snprintf(row.what, sizeof row.what, "jelly of 1 kg, E = %g Pa, under %g kg: strain over theory",
             (double)young, (double)load);
    if (status == SN_OK) {
        double weight = 9.81 * ((double)load + 0.5);
        double theory = weight / ((double)young * (double)side * (double)side);
        double lowest = 1.0e9, highest = -1.0e9;
        for (int i = 0; i < run.clouds[0].count; ++i) {
            lowest = fmin(lowest, (double)run.clouds[0].positions[i].y);
            highest = fmax(highest, (double)run.clouds[0].positions[i].y);
        }
        double part = (1.0 - (highest - lowest) / (double)side) / theory;
        snprintf(row.measured, sizeof row.measured,
                 "%.3f of %.2f %%; %.1f mm/s RMS, body %.1f; %d sub-steps; %.2f ms", part, 100.0 * theory,
                 1.0e3 * soft_rms_speed(&run.clouds[0]), 1.0e3 * (double)sn_length(run.solids[0].velocity),
                 sub_steps, soft_run_mean_time(&run));
        bench_row_value(&row, "part", part);
        bench_row_value(&row, "sub_steps", sub_steps);
        bench_row_judge(&row, fabs(part - 1.0) <= 0.05);
        bench_report_add(report, &row);
    } else {
        soft_report_failure(report, name, row.what, &run, status);
    }
    soft_run_close(&run);
    soft_scene_release(&scene);
}

void bench_long_jelly(bench_report *report, const char *name, const bench_options *options)
{
    run_jelly(report, name, 1.0e5f, 100.0f, options);
    run_jelly(report, name, 1.0e6f, 1000.0f, options);
}
