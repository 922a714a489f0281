// Vezzaro 2015, figures 5 and 6 and what its text says of time: solving against rows, shares of the stages,
// and how many rows are solved within a step of 20 ms. Tested by tests/apps/test_figures_slow.c.
#include "apps/figures/figure.h"
#include "apps/figures/items.h"
#include "apps/figures/vezzaro.h"
#include "bench/shared/numbers.h"
#include "scene/message.h"

#include <math.h>
#include <stdio.h>

enum { MOST_SIZES = 8 };

// --- a cloth of any size on a ball -------------------------------------------------------------------------

// The same cells whatever their number; the ball grows with the cloth.
static bool open_cloth(figure_job *job, figure_run *run, int cells, const char *settings, int threads)
{
    char text[2048];
    double size = 0.04 * cells;
    snprintf(
        text, sizeof text,
        "{\"sinew\": 1, \"step\": 0.02, \"bodies\": [{\"name\": \"ball\", \"type\": \"static\", \"shape\": "
        "{\"type\": \"sphere\", \"radius\": %.6f}}], \"deformables\": [{\"name\": \"cloth\", \"position\": "
        "[0, "
        "%.6f, 0], \"rotation\": {\"axis\": [1, 0, 0], \"angle\": -90}, \"mass\": %.6f, \"mesh\": {\"type\": "
        "\"grid\", \"width\": %.6f, \"height\": %.6f, \"columns\": %d, \"rows\": %d}, \"inextensible\": "
        "{\"side\": \"both\"}, \"bending\": {\"type\": \"dihedral\", \"stiffness\": 1e-4}}]}",
        0.25 * size, 0.25 * size + 0.02, 0.2 * size * size, size, size, cells, cells);
    return figure_run_parse(job, run, text, "cloth of any size", settings, threads);
}

// --- figures 5 and 6 ---------------------------------------------------------------------------------------

typedef struct row_times {
    double rows[MOST_SIZES], solve[MOST_SIZES];
    int count;
} row_times;

enum { RUNS = 3, MOST_STEPS = 32 };

// Median rows and median time of solving while the cloth lands [ms]; the fastest of several runs, as what
// else the machine does counts too.
static bool time_cloth(figure_job *job, int cells, const char *settings, row_times *times)
{
    double best = INFINITY, rows = 0.0;
    for (int k = 0; k < RUNS; ++k) {
        figure_run run;
        double steps[MOST_STEPS], counts[MOST_STEPS];
        int count = 0;
        bool fine = open_cloth(job, &run, cells, settings, 1) && figure_run_until(&run, 0.2);
        while (fine && sn_world_time(run.world) < 0.59 && count < MOST_STEPS) {
            double before = run.solve_total;
            fine = figure_run_step(&run);
            counts[count] = figure_rows(&run);
            steps[count++] = run.solve_total - before;
        }
        best = fmin(best, bench_median(steps, count));
        rows = bench_median(counts, count);
        figure_run_close(&run);
        if (!fine) {
            return false;
        }
    }
    times->rows[times->count] = rows;
    times->solve[times->count++] = best;
    return true;
}

static bool note_line(figure_job *job, const char *name, const row_times *times, double *fit)
{
    bench_line line = bench_line_fit(times->rows, times->solve, times->count);
    for (int i = 0; i < times->count; ++i) {
        fit[i] = line.at_zero + line.slope * times->rows[i];
    }
    return figure_note(job, (figure_value){line.r2, "", "a straight line", FIGURE_AT_LEAST, 0.98},
                       "%s: R² of a straight line from %.0f to %.0f rows", name, times->rows[0],
                       times->rows[times->count - 1]) &&
           figure_note(job, (figure_value){.ours = 1e6 * line.slope, .unit = "ns"},
                       "%s: time for one more row", name);
}

static bool figure_5_6(figure_job *job)
{
    static const int cells[MOST_SIZES] = {14, 20, 30, 40, 50, 60, 75, 90};
    static const char *const names[2] = {"staggered, 2 + 2 sweeps", "velocity solver"};
    static const char *const settings[2] = {VEZZARO_SETTINGS, "world.sleep=false"};
    int count = job->quick ? 4 : MOST_SIZES;
    row_times times[2] = {{.count = 0}, {.count = 0}};
    figure_curve curves[4];
    double fits[2][MOST_SIZES];
    for (int s = 0; s < 2; ++s) {
        for (int i = 0; i < count; ++i) {
            if (!time_cloth(job, cells[i], settings[s], &times[s])) {
                return false;
            }
        }
        if (!note_line(job, names[s], &times[s], fits[s])) {
            return false;
        }
        curves[2 * s] = (figure_curve){names[s], times[s].rows, times[s].solve, count, true};
        curves[2 * s + 1] = (figure_curve){"line", times[s].rows, fits[s], count, false};
    }
    return figure_plot(job, "vezzaro-5", "Time of solving a step against its rows, cloths on a ball",
                       (figure_axes){"rows", "ms", false, false}, curves, 4);
}

// --- shares of the stages ----------------------------------------------------------------------------------

static bool stages(figure_job *job)
{
    static const char *const names[2] = {"staggered", "velocity"};
    static const char *const settings[2] = {VEZZARO_JELLIES, "world.sleep=false"};
    for (int i = 0; i < 2; ++i) {
        figure_run run;
        bool fine = figure_run_open(job, &run, "jelly_chocolate_dish.json", settings[i], 1) &&
                    figure_run_until(&run, job->quick ? 0.6 : 3.0);
        double whole = run.wall_total / 100.0;
        fine =
            fine &&
            figure_note(job,
                        (figure_value){
                            .ours = (run.model_total + run.move_total) / whole, .unit = "%", .paper = "43"},
                        "%s solver: forces and positions", names[i]) &&
            figure_note(job, (figure_value){.ours = run.collide_total / whole, .unit = "%", .paper = "32"},
                        "%s solver: collision", names[i]) &&
            figure_note(job, (figure_value){.ours = run.solve_total / whole, .unit = "%", .paper = "24"},
                        "%s solver: rows", names[i]);
        figure_run_close(&run);
        if (!fine) {
            return false;
        }
    }
    return true;
}

// --- how many in real time ---------------------------------------------------------------------------------

typedef struct limit_case {
    const char *words, *settings;
    int threads;
} limit_case;

// Mean time of a step while the cloth lands [ms]: of the processor with one thread, else by the clock.
static bool time_landing(figure_job *job, const limit_case *limit, int cells, double *time, int *rows)
{
    figure_run run;
    bool fine = open_cloth(job, &run, cells, limit->settings, limit->threads) && figure_run_until(&run, 0.14);
    if (fine) {
        figure_run_reset(&run);
        fine = figure_run_until(&run, 0.3);
        *time = (limit->threads == 1 ? run.cpu_total : run.wall_total) / run.steps;
        *rows = figure_rows(&run);
    }
    figure_run_close(&run);
    return fine;
}

// Cells a side between 40, which fit, and 400, which do not; halved by ratio.
static bool bisect(figure_job *job, const limit_case *limit, int *rows)
{
    double lower = 40.0, upper = 400.0, nearest = job->quick ? 1.6 : 1.03, time;
    int here;
    if (!time_landing(job, limit, (int)lower, &time, &here)) {
        return false;
    }
    *rows = time <= 20.0 ? here : 0;
    while (*rows > 0 && upper / lower > nearest) {
        double middle = sqrt(lower * upper);
        if (!time_landing(job, limit, (int)middle, &time, &here)) {
            return false;
        }
        *(time <= 20.0 ? &lower : &upper) = middle;
        *rows = time <= 20.0 ? here : *rows;
    }
    return true;
}

static bool limits(figure_job *job)
{
    static const limit_case cases[] = {{"staggered, 2 + 2 sweeps, 1 thread", VEZZARO_SETTINGS, 1},
                                       {"staggered, 2 + 2 sweeps, 2 threads", VEZZARO_SETTINGS, 2},
                                       {"velocity solver, 1 thread", "world.sleep=false", 1},
                                       {"velocity solver, 2 threads", "world.sleep=false", 2}};
    for (int i = 0; i < 4; ++i) {
        int rows;
        if (!bisect(job, &cases[i], &rows) ||
            !figure_note(job, (figure_value){rows, "rows", "30000", FIGURE_AT_LEAST, 30000.0},
                         "%s: most rows that are solved in 20 ms, collision included", cases[i].words)) {
            return false;
        }
    }
    return true;
}

#define PAPER "Vezzaro 2015"

const figure_item figure_vezzaro_speed[] = {{"vezzaro-5-6", PAPER,
                                             "Figures 5 and 6: solving time against rows",
                                             "Cloths of more and more nodes land on a ball. The time of "
                                             "solving grows with the rows along a straight line, as in the "
                                             "paper.",
                                             figure_5_6},
                                            {"vezzaro-stages", PAPER, "Shares of the stages",
                                             "Where the time of a step of the jellies goes. Models that are "
                                             "rows of the solver count as rows here, which the "
                                             "paper's forces do not.",
                                             stages},
                                            {"vezzaro-limit", PAPER, "Rows in real time",
                                             "By bisection over the size of a cloth that lands on a ball: "
                                             "the most rows of edges, bending, contact and friction "
                                             "that fit into steps of 20 ms, everything included.",
                                             limits},
                                            {0}};
