// What the cases with deformables share.
#include "soft_cases.h"

#include "measure.h"
#include "soft_measure.h"
#include "soft_scenes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void bench_row_judge(bench_row *row, bool passes)
{
    row->verdict = passes ? BENCH_PASS : BENCH_MISS;
}

void bench_row_cost(bench_row *row, soft_cost ours, soft_cost bullet, double most)
{
    double on_bar_machine = soft_bar_ms(ours.mean);
    int written =
        snprintf(row->measured, sizeof row->measured, "%.2f (worst step %.1f)", ours.mean, ours.worst);
    if (bullet.mean > 0.0) {
        snprintf(row->measured + written, sizeof row->measured - (size_t)written,
                 "; Bullet in the same run %.2f: %.2f times as long; %.2f where Bullet takes %.1f for S1a",
                 bullet.mean, ours.mean / bullet.mean, on_bar_machine, SOFT_BAR_BULLET_MS);
    }
    bench_row_value(row, "ms20", ours.mean);
    bench_row_value(row, "worst_ms", ours.worst);
    bench_row_value(row, "bar_ms20", on_bar_machine);
    bench_row_value(row, "bullet_ms20", bullet.mean);
    row->verdict = most > 0.0 ? on_bar_machine <= most ? BENCH_PASS : BENCH_MISS : BENCH_INFO;
}

// --- costs -------------------------------------------------------------------------------------------------

// In Bullet without settings.
static bool open_run(soft_run *run, const soft_scene *scene, const sn_world_def *settings)
{
    return settings == NULL ? soft_run_open_bullet(run, scene, SOFT_BULLET_SLICES, SOFT_BULLET_ITERATIONS)
                            : soft_run_open(run, scene, settings) == SN_OK;
}

soft_cost soft_cost_with(const soft_scene *scene, const sn_world_def *settings, int steps, int runs)
{
    static soft_run run;
    static double best[SOFT_COST_STEPS];
    soft_cost cost = {0};
    steps = steps < SOFT_COST_STEPS ? steps : SOFT_COST_STEPS;
    bool done = true;
    for (int k = 0; k < runs && done; ++k) {
        done = open_run(&run, scene, settings);
        for (int i = 0; i < steps && done; ++i) {
            done = soft_run_step(&run) == SN_OK;
            best[i] = k == 0 ? run.last_time : fmin(best[i], run.last_time);
        }
        soft_run_close(&run);
    }
    for (int i = 0; i < steps && done; ++i) {
        cost.mean += best[i] / steps;
        cost.worst = fmax(cost.worst, best[i]);
    }
    return cost;
}

soft_cost soft_cost_of(const soft_scene *scene, int steps, int runs)
{
    sn_world_def settings = bench_settings(1);
    return soft_cost_with(scene, &settings, steps, runs);
}

soft_cost soft_cost_in_bullet(const soft_scene *scene, int steps, int runs)
{
    return soft_cost_with(scene, NULL, steps, runs);
}

double soft_bar_ms(double milliseconds)
{
    static soft_scene scene;
    static double slower = 0.0; // than the machine of the bars
    if (slower == 0.0) {
        bool built = soft_scene_cloth(&scene, false) == SN_OK;
        soft_cost bullet =
            built ? soft_cost_in_bullet(&scene, SOFT_COST_STEPS, SOFT_COST_RUNS) : (soft_cost){0};
        slower = bullet.mean > 0.0 ? bullet.mean / SOFT_BAR_BULLET_MS : 1.0;
        soft_scene_release(&scene);
    }
    return milliseconds / slower;
}

// --- reports -----------------------------------------------------------------------------------------------

void soft_report_failure(bench_report *report, const char *name, const char *words, const soft_run *run,
                         sn_status status)
{
    bench_row row = {.name = name, .bar = "", .today = ""};
    snprintf(row.what, sizeof row.what, "%s", words);
    bench_row_fail(&row, run->world, status);
    bench_report_add(report, &row);
}

void soft_run_show(const soft_run *run, const char *name)
{
    const char *folder = getenv("SINEW_BENCH_SHOW");
    char path[1024];
    if (folder != NULL && snprintf(path, sizeof path, "%s/%s.obj", folder, name) < (int)sizeof path) {
        if (!soft_write_obj(run, path)) {
            fprintf(stderr, "cannot write %s\n", path);
        }
    }
}
