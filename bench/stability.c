// Does what should stand, stand? Sink and drift are those at the end of the run, as in the figures known of
// the others. The worst moment (bodies start without load and dip when their contacts first take it) is
// printed beside; a body that was fallen at any time counts as fallen.
#include "cases.h"
#include "measure.h"

#include <stdio.h>

typedef struct stability {
    test_drift end, worst;
} stability;

static void keep_worst(test_drift *worst, test_drift now)
{
    worst->sink = sn_max(worst->sink, now.sink);
    worst->lateral = sn_max(worst->lateral, now.lateral);
    worst->distance = sn_max(worst->distance, now.distance);
    worst->fallen = now.fallen > worst->fallen ? now.fallen : worst->fallen;
}

static void note_values(bench_row *row, const stability *result, int steps)
{
    bench_row_value(row, "sink_m", (double)result->end.sink);
    bench_row_value(row, "lateral_m", (double)result->end.lateral);
    bench_row_value(row, "distance_m", (double)result->end.distance);
    bench_row_value(row, "worst_sink_m", (double)result->worst.sink);
    bench_row_value(row, "worst_lateral_m", (double)result->worst.lateral);
    bench_row_value(row, "worst_distance_m", (double)result->worst.distance);
    bench_row_value(row, "fallen", result->worst.fallen);
    bench_row_value(row, "steps", steps);
}

// False, with the row filled, if the library reported an error.
static bool run_scene(bench_row *row, const test_scene *scene, int steps, stability *result)
{
    sn_world_def def = bench_settings(1);
    test_scene_run run;
    sn_status status = test_scene_open(scene, &def, &run);
    for (int i = 0; i < steps && status == SN_OK; ++i) {
        status = test_scene_step(&run, 1);
        result->end = test_scene_drift(&run);
        keep_worst(&result->worst, result->end);
    }
    if (status == SN_OK) {
        note_values(row, result, steps);
    } else {
        bench_row_fail(row, run.world, status);
    }
    test_scene_close(&run);
    return status == SN_OK;
}

static int steps_of(const test_scene *scene, const bench_options *options)
{
    return options->quick ? scene->steps / 4 : scene->steps;
}

static void run_stack(bench_report *report, bench_row *row, const char *words, float max_sink,
                      float max_drift, const bench_options *options)
{
    const test_scene *scene = test_scene_find(row->name);
    int steps = steps_of(scene, options);
    stability result = {0};
    snprintf(row->what, sizeof row->what, "%s, %d s", words, steps / 60);
    if (run_scene(row, scene, steps, &result)) {
        snprintf(row->measured, sizeof row->measured,
                 "%s, sink %.2f cm, drift %.2f mm (at worst %.2f cm, %.2f mm)",
                 result.worst.fallen == 0 ? "stands" : "falls", 100.0 * (double)result.end.sink,
                 1000.0 * (double)result.end.lateral, 100.0 * (double)result.worst.sink,
                 1000.0 * (double)result.worst.lateral);
        bool pass =
            result.worst.fallen == 0 && result.end.sink <= max_sink && result.end.lateral <= max_drift;
        row->verdict = pass ? BENCH_PASS : BENCH_MISS;
    }
    bench_report_add(report, row);
}

void bench_box_stack(bench_report *report, const char *name, const bench_options *options)
{
    bench_row row = {.name = name,
                     .bar = "stands, sink <= 1 cm, drift <= 5 mm",
                     .today = "Box3D stands, top sinks 10.6 cm; Jolt and Bullet fall"};
    run_stack(report, &row, "20 boxes stacked", 0.01f, 0.005f, options);
}

// No bar for drift here: anything short of falling will do.
void bench_heavy_stack(bench_report *report, const char *name, const bench_options *options)
{
    bench_row row = {.name = name,
                     .bar = "stands, sink <= 3 cm",
                     .today = "Box3D crushed by 50 cm (3.1 cm at 16 stiff sub-steps); Jolt, Bullet fall"};
    run_stack(report, &row, "10 boxes, the top one 100 x heavier", 0.03f, 1.0f, options);
}

// Drift is meant in any direction, sinking included.
void bench_tower(bench_report *report, const char *name, const bench_options *options)
{
    bench_row row = {.name = name,
                     .bar = "0 fallen, drift <= 2 cm",
                     .today = "Box3D 0 fallen, drift 7.8 cm; Jolt 11 cm; Bullet collapses"};
    const test_scene *scene = test_scene_find("tower");
    int steps = steps_of(scene, options);
    stability result = {0};
    snprintf(row.what, sizeof row.what, "round tower of %d bricks, %.1f s", TEST_TOWER_BRICKS,
             (double)steps / 60.0);
    if (run_scene(&row, scene, steps, &result)) {
        snprintf(row.measured, sizeof row.measured,
                 "%d fallen, drift %.2f cm (sink %.2f, lateral %.2f; at worst %.2f)", result.worst.fallen,
                 100.0 * (double)result.end.distance, 100.0 * (double)result.end.sink,
                 100.0 * (double)result.end.lateral, 100.0 * (double)result.worst.distance);
        row.verdict = result.worst.fallen == 0 && result.end.distance <= 0.02f ? BENCH_PASS : BENCH_MISS;
    }
    bench_report_add(report, &row);
}
