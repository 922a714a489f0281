// What joints cost: a large grid of balls beside the tower and beside a small grid, and chains of each kind.
// CPU time of whole steps on one thread, medians.
#include "cases.h"
#include "measure.h"
#include "support/joint_scenes.h"

#include <stdio.h>

enum { MAX_TIMES = 400 };

static const float joint_step = 1.0f / 60.0f;

/// A world and the times of the steps it has taken while being watched.
typedef struct timed_world {
    sn_world *world;
    int joints, time_count;
    double times[MAX_TIMES]; ///< [ms]
} timed_world;

typedef sn_status (*build_function)(sn_world *world, int count);

// Its contacts are solved in every step: supported bricks would cost next to nothing.
static sn_status build_tower(sn_world *world, int unused)
{
    (void)unused;
    sn_world_def def = sn_world_settings(world);
    def.long_range.support = false;
    sn_status status = sn_world_settings_set(world, &def);
    return status == SN_OK ? test_scene_find("tower")->build(world) : status;
}

static sn_status build_grid(sn_world *world, int side)
{
    return joint_build_grid(world, side, (joint_scale){1.0f, 1.0f});
}

static sn_status open_timed(timed_world *timed, build_function build, int count)
{
    sn_world_def def = bench_settings(1);
    sn_status status = sn_world_create(&def, &timed->world);
    if (status == SN_OK) {
        status = build(timed->world, count);
    }
    timed->joints = timed->world != NULL ? sn_world_constraints(timed->world, NULL, 0) : 0;
    return status;
}

static sn_status step_timed(timed_world *timed, int steps, bool is_watched)
{
    sn_status status = SN_OK;
    for (int i = 0; i < steps && status == SN_OK; ++i) {
        double start = bench_cpu_clock();
        status = sn_world_step(timed->world, joint_step);
        if (is_watched && timed->time_count < MAX_TIMES) {
            timed->times[timed->time_count] = bench_cpu_clock() - start;
            timed->time_count += 1;
        }
    }
    return status;
}

/// Median time of a step [ms], and that for each joint and sub-step [ns].
static double step_time(timed_world *timed)
{
    return bench_median(timed->times, timed->time_count);
}

static double joint_time(timed_world *timed)
{
    int sub_steps = sn_world_statistics(timed->world).sub_steps;
    return 1.0e6 * step_time(timed) / ((double)timed->joints * sub_steps);
}

// --- grids -------------------------------------------------------------------------------------------------

enum { TOWER, SMALL_GRID, LARGE_GRID, TIMED_WORLDS };

// The three take turns, so that whatever else the machine does hits all alike.
static sn_status time_grids(timed_world timed[TIMED_WORLDS], int turns, int *failed)
{
    static const build_function builds[TIMED_WORLDS] = {build_tower, build_grid, build_grid};
    static const int counts[TIMED_WORLDS] = {0, 15, 100};
    static const int warm_up[TIMED_WORLDS] = {30, 5, 5}, slice[TIMED_WORLDS] = {4, 2, 1};
    sn_status status = SN_OK;
    for (int i = 0; i < TIMED_WORLDS && status == SN_OK; ++i) {
        *failed = i;
        status = open_timed(&timed[i], builds[i], counts[i]);
        if (status == SN_OK) {
            status = step_timed(&timed[i], warm_up[i], false);
        }
    }
    for (int turn = 0; turn < turns && status == SN_OK; ++turn) {
        for (int i = 0; i < TIMED_WORLDS && status == SN_OK; ++i) {
            *failed = i;
            status = step_timed(&timed[i], slice[i], true);
        }
    }
    return status;
}

static void report_grid_step(bench_report *report, const char *name, timed_world timed[TIMED_WORLDS])
{
    bench_row row = {.name = name, .bar = "<= 10 x the tower's", .today = ""};
    double grid = step_time(&timed[LARGE_GRID]), tower = step_time(&timed[TOWER]);
    snprintf(row.what, sizeof row.what, "step of a grid of 100 x 100 bodies, %d balls, and of the tower",
             timed[LARGE_GRID].joints);
    snprintf(row.measured, sizeof row.measured, "%.1f x (%.1f ms and %.2f ms)", grid / tower, grid, tower);
    bench_row_value(&row, "multiple", grid / tower);
    bench_row_value(&row, "grid_ms", grid);
    bench_row_value(&row, "tower_ms", tower);
    row.verdict = grid <= 10.0 * tower ? BENCH_PASS : BENCH_MISS;
    bench_report_add(report, &row);
}

static void report_grid_joint(bench_report *report, const char *name, timed_world timed[TIMED_WORLDS])
{
    bench_row row = {.name = name, .bar = "<= 1.3 x", .today = ""};
    double many = joint_time(&timed[LARGE_GRID]), few = joint_time(&timed[SMALL_GRID]);
    snprintf(row.what, sizeof row.what, "a joint and sub-step, of %d joints and of %d",
             timed[LARGE_GRID].joints, timed[SMALL_GRID].joints);
    snprintf(row.measured, sizeof row.measured, "%.2f x (%.0f ns and %.0f ns)", many / few, many, few);
    bench_row_value(&row, "multiple", many / few);
    bench_row_value(&row, "many_ns", many);
    bench_row_value(&row, "few_ns", few);
    row.verdict = many <= 1.3 * few ? BENCH_PASS : BENCH_MISS;
    bench_report_add(report, &row);
}

void bench_joints_grid(bench_report *report, const char *name, const bench_options *options)
{
    static timed_world timed[TIMED_WORLDS];
    for (int i = 0; i < TIMED_WORLDS; ++i) {
        timed[i] = (timed_world){0};
    }
    int failed = 0;
    sn_status status = time_grids(timed, options->quick ? 5 : 25, &failed);
    if (status == SN_OK) {
        report_grid_step(report, name, timed);
        report_grid_joint(report, name, timed);
    } else {
        bench_row row = {.name = name, .what = "grids of balls", .bar = "", .today = ""};
        bench_row_fail(&row, timed[failed].world, status);
        bench_report_add(report, &row);
    }
    for (int i = 0; i < TIMED_WORLDS; ++i) {
        sn_world_destroy(timed[i].world);
    }
}

// --- kinds -------------------------------------------------------------------------------------------------

static void report_kind(bench_report *report, const char *name, sn_constraint_kind kind, int steps)
{
    enum { LINKS = 1000 };
    static timed_world timed;
    timed = (timed_world){0};
    bench_row row = {.name = name, .bar = "", .today = "", .verdict = BENCH_INFO};
    snprintf(row.what, sizeof row.what, "chain of %d links, %s", LINKS, sn_constraint_kind_name(kind));
    sn_world_def def = bench_settings(1);
    sn_status status = sn_world_create(&def, &timed.world);
    if (status == SN_OK) {
        status = joint_build_kind_chain(timed.world, kind, LINKS);
        timed.joints = LINKS;
    }
    if (status == SN_OK) {
        status = step_timed(&timed, 5, false);
    }
    if (status == SN_OK) {
        status = step_timed(&timed, steps, true);
    }
    if (status == SN_OK) {
        snprintf(row.measured, sizeof row.measured, "%.0f ns a joint and sub-step (step %.2f ms)",
                 joint_time(&timed), step_time(&timed));
        bench_row_value(&row, "joint_ns", joint_time(&timed));
        bench_row_value(&row, "step_ms", step_time(&timed));
    } else {
        bench_row_fail(&row, timed.world, status);
    }
    bench_report_add(report, &row);
    sn_world_destroy(timed.world);
}

void bench_joints_kinds(bench_report *report, const char *name, const bench_options *options)
{
    static const sn_constraint_kind kinds[] = {SN_BALL, SN_HINGE, SN_FIXED, SN_DISTANCE, SN_SLIDER};
    for (int i = 0; i < (int)(sizeof kinds / sizeof kinds[0]); ++i) {
        report_kind(report, name, kinds[i], options->quick ? 10 : 60);
    }
}
