// The cases of the benchmark, by topic. Each adds its rows to the report; `name` is the case's own.
#ifndef BENCH_CASES_H
#define BENCH_CASES_H

#include "report.h"

typedef struct bench_options {
    bool quick; ///< shorter runs, fewer repetitions: to see that it works, not to quote
} bench_options;

// stability.c
void bench_box_stack(bench_report *report, const char *name, const bench_options *options);
void bench_heavy_stack(bench_report *report, const char *name, const bench_options *options);
void bench_tower(bench_report *report, const char *name, const bench_options *options);
// long_range_stacks.c
void bench_long_range_stacks(bench_report *report, const char *name, const bench_options *options);
// shots.c
void bench_shots(bench_report *report, const char *name, const bench_options *options);
// momentum.c
void bench_momentum(bench_report *report, const char *name, const bench_options *options);
// against_bullet.c
void bench_tower_speed(bench_report *report, const char *name, const bench_options *options);
// hashes.c
void bench_hashes(bench_report *report, const char *name, const bench_options *options);
// speed.c
void bench_profile(bench_report *report, const char *name, const bench_options *options);
void bench_throughput(bench_report *report, const char *name, const bench_options *options);
void bench_scaling(bench_report *report, const char *name, const bench_options *options);
// tools.c
void bench_load(bench_report *report, const char *name, const bench_options *options);
void bench_command(bench_report *report, const char *name, const bench_options *options);
void bench_render(bench_report *report, const char *name, const bench_options *options);
// soft_cloth.c
void bench_cloth_fixed(bench_report *report, const char *name, const bench_options *options);
void bench_cloth_rolling(bench_report *report, const char *name, const bench_options *options);
// soft_jelly.c
void bench_jellies(bench_report *report, const char *name, const bench_options *options);
void bench_jellies_thrown(bench_report *report, const char *name, const bench_options *options);
void bench_jellies_paper(bench_report *report, const char *name, const bench_options *options);
// soft_rope.c
void bench_rope(bench_report *report, const char *name, const bench_options *options);
void bench_rope_curve(bench_report *report, const char *name, const bench_options *options);
// soft_trampoline.c
void bench_trampoline(bench_report *report, const char *name, const bench_options *options);
// soft_stacks.c
void bench_jelly_stack(bench_report *report, const char *name, const bench_options *options);
void bench_sheets(bench_report *report, const char *name, const bench_options *options);
void bench_glued(bench_report *report, const char *name, const bench_options *options);
// long_range_soft.c
void bench_long_hung(bench_report *report, const char *name, const bench_options *options);
void bench_long_level(bench_report *report, const char *name, const bench_options *options);
void bench_long_drape(bench_report *report, const char *name, const bench_options *options);
void bench_long_rim(bench_report *report, const char *name, const bench_options *options);
void bench_long_corners(bench_report *report, const char *name, const bench_options *options);
void bench_long_trampoline(bench_report *report, const char *name, const bench_options *options);
void bench_long_rope(bench_report *report, const char *name, const bench_options *options);
void bench_long_wheel(bench_report *report, const char *name, const bench_options *options);
void bench_long_jelly(bench_report *report, const char *name, const bench_options *options);
// long_range_beside.c
void bench_long_beside(bench_report *report, const char *name, const bench_options *options);
// long_bodies.c
void bench_long_bodies(bench_report *report, const char *name, const bench_options *options);
// soft_touch.c
void bench_touch_cloth(bench_report *report, const char *name, const bench_options *options);
void bench_touch_thrown(bench_report *report, const char *name, const bench_options *options);
void bench_touch_sheets(bench_report *report, const char *name, const bench_options *options);
void bench_touch_towels(bench_report *report, const char *name, const bench_options *options);
void bench_touch_jellies(bench_report *report, const char *name, const bench_options *options);
void bench_touch_meshes(bench_report *report, const char *name, const bench_options *options);
void bench_touch_solids(bench_report *report, const char *name, const bench_options *options);
// exact_speed.c
void bench_exact_board(bench_report *report, const char *name, const bench_options *options);
void bench_exact_linear(bench_report *report, const char *name, const bench_options *options);
void bench_exact_rows(bench_report *report, const char *name, const bench_options *options);
// exact_kinds.c
void bench_exact_kinds(bench_report *report, const char *name, const bench_options *options);
// exact_errors.c
void bench_exact_errors(bench_report *report, const char *name, const bench_options *options);
void bench_exact_momentum(bench_report *report, const char *name, const bench_options *options);
// exact_files.c
void bench_exact_scenes(bench_report *report, const char *name, const bench_options *options);
// integrators.c
void bench_integrators(bench_report *report, const char *name, const bench_options *options);
// soft_rows.c
void bench_rows(bench_report *report, const char *name, const bench_options *options);
// joints.c
void bench_joints_grid(bench_report *report, const char *name, const bench_options *options);
void bench_joints_kinds(bench_report *report, const char *name, const bench_options *options);
// joint_runs.c
void bench_joints_redundant(bench_report *report, const char *name, const bench_options *options);
void bench_joints_fast(bench_report *report, const char *name, const bench_options *options);
void bench_joints_compliant(bench_report *report, const char *name, const bench_options *options);
void bench_joints_crowded(bench_report *report, const char *name, const bench_options *options);
// position_accuracy.c
void bench_position_cantilever(bench_report *report, const char *name, const bench_options *options);
void bench_position_stiffness(bench_report *report, const char *name, const bench_options *options);
void bench_position_residuals(bench_report *report, const char *name, const bench_options *options);
// position_motion.c
void bench_position_slope(bench_report *report, const char *name, const bench_options *options);
void bench_position_newmark(bench_report *report, const char *name, const bench_options *options);
void bench_position_momentum(bench_report *report, const char *name, const bench_options *options);
// position_piles.c
void bench_position_pile(bench_report *report, const char *name, const bench_options *options);
void bench_position_hostile(bench_report *report, const char *name, const bench_options *options);
// position_scenes.c
void bench_position_agree(bench_report *report, const char *name, const bench_options *options);
void bench_position_cost(bench_report *report, const char *name, const bench_options *options);
void bench_position_time(bench_report *report, const char *name, const bench_options *options);

#endif
