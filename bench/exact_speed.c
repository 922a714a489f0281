// What exact anchors cost: the checkerboard of Gissler 2006 next to the paper's own times (Pentium 4, 3.4
// GHz), and next to the same anchors as rows.
#include "bench/shared/exact_board.h"
#include "cases.h"
#include "measure.h"
#include "soft_cases.h"

#include <stdio.h>

enum { RUNS = 4 };

static exact_board_def paper_board(int columns)
{
    return (exact_board_def){
        .columns = columns, .exact = true, .sub_steps = 1, .integrator = SN_INTEGRATOR_VERLET};
}

static int steps_for(int columns, const bench_options *options)
{
    int steps = 16000 / columns;
    return options->quick ? steps / 8 + 1 : steps;
}

static void fail(bench_report *report, bench_row *row, sn_status status)
{
    bench_row_fail(row, NULL, status);
    bench_report_add(report, row);
}

// --- counts ------------------------------------------------------------------------------------------------

static void report_counts(bench_report *report, const char *name)
{
    static const struct {
        int columns, cubes, tetrahedra, constraints;
    } paper[] = {{40, 790, 3950, 3124}, {150, 2990, 14950, 11924}, {500, 9990, 49950, 39924}};
    bench_row row = {.name = name,
                     .what = "cubes, tetrahedra, constraints, of which held exactly",
                     .bar = "the paper's: 790, 3950, 3124; 2990, 14950, 11924; 9990, 49950, 39924",
                     .today = ""};
    bool equal = true;
    int written = 0;
    for (int i = 0; i < 3; ++i) {
        exact_board_def def = paper_board(paper[i].columns);
        exact_board board;
        sn_status status = exact_board_open(&board, &def);
        status = status ? status : sn_world_step(board.world, BOARD_STEP);
        if (status != SN_OK) {
            exact_board_close(&board);
            fail(report, &row, status);
            return;
        }
        sn_statistics statistics = sn_world_statistics(board.world);
        int tetrahedra = sn_mesh_tetrahedron_count(sn_deformable_mesh(board.world, board.cubes));
        int constraints = board.pair_count + board.nail_count;
        equal = equal && board.cube_count == paper[i].cubes && tetrahedra == paper[i].tetrahedra &&
                constraints == paper[i].constraints && statistics.anchor_count == constraints &&
                statistics.exact_count == constraints;
        written +=
            snprintf(row.measured + written, sizeof row.measured - (size_t)written, "%s%d, %d, %d, %d",
                     i > 0 ? "; " : "", board.cube_count, tetrahedra, constraints, statistics.exact_count);
        exact_board_close(&board);
    }
    bench_row_judge(&row, equal);
    bench_report_add(report, &row);
}

// --- times -------------------------------------------------------------------------------------------------

static void report_step(bench_report *report, const char *name, int columns, const exact_cost *cost,
                        double bar_ms, const char *bar, const char *today)
{
    bench_row row = {.name = name, .bar = bar, .today = today};
    snprintf(row.what, sizeof row.what,
             "n = %d: whole step (forces and scheme, constraints, moving), best of %d", columns, RUNS);
    snprintf(row.measured, sizeof row.measured,
             "%.3f ms (%.3f, %.3f, %.3f); %.3f where Bullet takes %.1f for S1a", cost->step, cost->models,
             cost->constraints, cost->moving, soft_bar_ms(cost->step), SOFT_BAR_BULLET_MS);
    bench_row_value(&row, "step_ms", cost->step);
    bench_row_value(&row, "forces_ms", cost->models);
    bench_row_value(&row, "constraints_ms", cost->constraints);
    bench_row_value(&row, "moving_ms", cost->moving);
    bench_row_judge(&row, soft_bar_ms(cost->step) <= bar_ms);
    bench_report_add(report, &row);
}

static void report_constraints(bench_report *report, const char *name, int columns, const exact_cost *cost)
{
    bench_row row = {.name = name, .bar = "25,000 in 1 ms", .today = "paper: 25,000 in 50 ms"};
    int count = exact_board_constraints(columns);
    double on_bar_machine = soft_bar_ms(cost->constraints);
    snprintf(row.what, sizeof row.what, "n = %d: %d constraints", columns, count);
    snprintf(row.measured, sizeof row.measured, "%.3f ms (%.0f a ms); %.3f where Bullet takes %.1f for S1a",
             cost->constraints, count / cost->constraints, on_bar_machine, SOFT_BAR_BULLET_MS);
    bench_row_value(&row, "constraints_ms", cost->constraints);
    bench_row_judge(&row, on_bar_machine <= 1.0);
    bench_report_add(report, &row);
    bench_row points = {
        .name = name, .bar = ">= 50,000 points a ms", .today = "paper: about 1000 points a ms"};
    snprintf(points.what, sizeof points.what, "n = %d: points that are part of constraints", columns);
    snprintf(points.measured, sizeof points.measured,
             "%.0f points a ms; %.0f where Bullet takes %.1f for S1a",
             exact_board_points(columns) / cost->constraints, exact_board_points(columns) / on_bar_machine,
             SOFT_BAR_BULLET_MS);
    bench_row_value(&points, "points_per_ms", exact_board_points(columns) / cost->constraints);
    bench_row_judge(&points, exact_board_points(columns) / on_bar_machine >= 50000.0);
    bench_report_add(report, &points);
}

static void report_error(bench_report *report, const char *name, int columns, const exact_cost *cost)
{
    bench_row row = {.name = name, .bar = "<= 1e-6 of the largest coordinate", .today = ""};
    snprintf(row.what, sizeof row.what, "n = %d: largest error after any step", columns);
    snprintf(row.measured, sizeof row.measured, "%.1e m, %.1e of %.1f m", cost->worst_error,
             cost->worst_error / cost->size, cost->size);
    bench_row_value(&row, "error_m", cost->worst_error);
    bench_row_judge(&row, cost->worst_error <= 1e-6 * cost->size);
    bench_report_add(report, &row);
}

void bench_exact_board(bench_report *report, const char *name, const bench_options *options)
{
    // The first with more than 25,000 constraints is n = 314.
    static const int columns[] = {40, 150, 314};
    exact_cost costs[3];
    report_counts(report, name);
    for (int i = 0; i < 3; ++i) {
        exact_board_def def = paper_board(columns[i]);
        sn_status status = exact_board_cost(&def, steps_for(columns[i], options), RUNS, &costs[i]);
        if (status != SN_OK) {
            bench_row row = {.name = name, .bar = "", .today = ""};
            fail(report, &row, status);
            return;
        }
    }
    report_step(
        report, name, 40, &costs[0], 12.0, "<= the paper's 12 ms",
        "paper: 12 ms (3.42, 5.38, 3.2); Jolt 0.66 ms with errors of 17 %, Bullet 1.7 ms with 1.8 %, for "
        "20 ms of motion");
    report_step(
        report, name, 150, &costs[1], 2.0, "<= 2 ms",
        "paper: 46.15 ms; Jolt 2.5 ms with errors of 17 %, Bullet 14 ms with 1.8 %, for 20 ms of motion");
    report_constraints(report, name, 314, &costs[2]);
    for (int i = 0; i < 3; ++i) {
        report_error(report, name, columns[i], &costs[i]);
    }
}

void bench_exact_linear(bench_report *report, const char *name, const bench_options *options)
{
    enum { SIZES = 7 };
    static const int columns[SIZES] = {40, 80, 150, 230, 314, 400, 500};
    double counts[SIZES], constraints[SIZES], steps[SIZES];
    int size_count = options->quick ? 4 : SIZES, written = 0;
    bench_row row = {
        .name = name, .bar = "both linear (R^2 > 0.98)", .today = "paper, figure 2: linear to 39,924"};
    snprintf(row.what, sizeof row.what,
             "time of constraints, and of whole steps, against their number, best of %d", RUNS);
    for (int i = 0; i < size_count; ++i) {
        exact_board_def def = paper_board(columns[i]);
        exact_cost cost;
        sn_status status = exact_board_cost(&def, steps_for(columns[i], options), RUNS, &cost);
        if (status != SN_OK) {
            fail(report, &row, status);
            return;
        }
        counts[i] = exact_board_constraints(columns[i]);
        constraints[i] = cost.constraints;
        steps[i] = cost.step;
        written += snprintf(row.measured + written, sizeof row.measured - (size_t)written,
                            "%.0f: %.3f, %.2f ms; ", counts[i], constraints[i], steps[i]);
    }
    double r2 = bench_straightness(counts, constraints, size_count);
    double step_r2 = bench_straightness(counts, steps, size_count);
    snprintf(row.measured + written, sizeof row.measured - (size_t)written, "R^2 %.4f, %.4f", r2, step_r2);
    bench_row_value(&row, "constraints_r2", r2);
    bench_row_value(&row, "step_r2", step_r2);
    bench_row_judge(&row, r2 > 0.98 && step_r2 > 0.98);
    bench_report_add(report, &row);
}

// --- against rows ------------------------------------------------------------------------------------------

static sn_status compare(int columns, int sub_steps, const bench_options *options, exact_cost costs[2])
{
    sn_status status = SN_OK;
    for (int i = 0; i < 2 && status == SN_OK; ++i) {
        exact_board_def def = paper_board(columns);
        def.exact = i == 0;
        def.sub_steps = sub_steps;
        int steps = steps_for(columns, options) / (sub_steps > 1 ? 4 : 1) + 1;
        status = exact_board_cost(&def, steps, RUNS, &costs[i]);
    }
    return status;
}

void bench_exact_rows(bench_report *report, const char *name, const bench_options *options)
{
    static const struct {
        int columns, sub_steps;
    } runs[] = {{40, 1}, {40, 16}, {150, 1}, {150, 16}};
    for (int i = 0; i < 4; ++i) {
        exact_cost costs[2];
        bench_row row = {.name = name, .bar = "exact ones are met better, in less time", .today = ""};
        snprintf(row.what, sizeof row.what,
                 "n = %d, %d sub-step%s: exact anchors, and the same as rows: error, step", runs[i].columns,
                 runs[i].sub_steps, runs[i].sub_steps == 1 ? "" : "s");
        sn_status status = compare(runs[i].columns, runs[i].sub_steps, options, costs);
        if (status != SN_OK) {
            fail(report, &row, status);
            return;
        }
        snprintf(row.measured, sizeof row.measured, "exact %.1e m, %.3f ms; rows %.1e m, %.3f ms",
                 costs[0].worst_error, costs[0].step, costs[1].worst_error, costs[1].step);
        bench_row_value(&row, "exact_error_m", costs[0].worst_error);
        bench_row_value(&row, "exact_ms", costs[0].step);
        bench_row_value(&row, "rows_error_m", costs[1].worst_error);
        bench_row_value(&row, "rows_ms", costs[1].step);
        bench_row_judge(&row, costs[0].worst_error < costs[1].worst_error && costs[0].step < costs[1].step);
        bench_report_add(report, &row);
    }
}
