// Scenes of Gissler 2006 from files: the robot on two ropes (figure 3) and the net that becomes a bridge
// (figure 4). Steps here are of 1/60 s with many sub-steps, contacts included; a sub-step is what the paper
// calls a step, so times are given by sub-step.
#include "apps/figures/sub_step_cost.h"
#include "cases.h"
#include "measure.h"
#include "sinew_scene/scene.h"
#include "soft_cases.h"

#include <stdio.h>

typedef struct file_part {
    const char *path, *words;
    double begin, end; ///< the time that is measured [s]
    double paper;      ///< milliseconds of a step
    const char *today;
} file_part;

static const file_part parts[] = {
    {SOURCE_FOLDER "/scenes/rope_robot.json", "robot on two ropes", 0.5, 1.5, 3.52,
     "paper: 3.52 ms (0.81, 1.54, 1.17) for 1339 tetrahedra, 16 constraints"},
    {SOURCE_FOLDER "/scenes/net_bridge.json", "net with a chest in it", 1.0, 2.0, 4.89,
     "paper: 4.89 ms (2.16, 1.6, 1.13) for 2760 tetrahedra, 1584 constraints"},
    {SOURCE_FOLDER "/scenes/net_bridge.json", "the net as a bridge", 8.0, 9.0, 5.67,
     "paper: 5.67 ms (2.16, 2.38, 1.13) for 2760 tetrahedra, 1320 constraints"},
};

static void report_part(bench_report *report, const char *name, const file_part *part)
{
    bench_row row = {
        .name = name, .bar = "less than the paper's; error <= 1e-5 m; none by rows", .today = part->today};
    sn_scene *scene = NULL;
    sub_step_cost cost;
    snprintf(row.what, sizeof row.what,
             "%s, %.0f to %.0f s: a sub-step (forces, rows and contacts; exact anchors; moving), median",
             part->words, part->begin, part->end);
    if (sn_scene_load(part->path, NULL, &scene) != SN_OK) {
        row.verdict = BENCH_FAILED;
        snprintf(row.measured, sizeof row.measured, "%.200s", sn_scene_error());
        bench_report_add(report, &row);
        return;
    }
    sn_status status = sub_step_cost_measure(scene, part->begin, part->end, &cost);
    if (status == SN_OK) {
        snprintf(row.measured, sizeof row.measured,
                 "%.2f ms (%.2f, %.3f, %.3f); %d exact anchors, %d by rows, error at most %.0e m", cost.step,
                 cost.forces, cost.exact, cost.moving, cost.exact_count, cost.rows_count, cost.error);
        bench_row_value(&row, "sub_step_ms", cost.step);
        bench_row_value(&row, "exact_ms", cost.exact);
        bench_row_value(&row, "error_m", cost.error);
        bench_row_judge(&row, cost.step < part->paper && cost.error <= 1e-5 && cost.rows_count == 0);
    } else {
        bench_row_fail(&row, sn_scene_world(scene), status);
    }
    bench_report_add(report, &row);
    sn_scene_destroy(scene);
}

void bench_exact_scenes(bench_report *report, const char *name, const bench_options *options)
{
    int count = options->quick ? 2 : (int)(sizeof parts / sizeof *parts);
    for (int i = 0; i < count; ++i) {
        file_part part = parts[i];
        part.begin = options->quick ? 0.1 : part.begin;
        part.end = options->quick ? 0.3 : part.end;
        report_part(report, name, &part);
    }
}
