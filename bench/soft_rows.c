// Solve time against constraint count (Vezzaro 2015, figures 5 and 6): cloths of 2,000 to a million edges
// that do not stretch, nothing else. Whole steps, and sweeps of the kernel alone, scalar and wide. Looks
// inside the library: a sweep is not a thing users can ask for.
#define _POSIX_C_SOURCE 200112L // setenv

#include "bench/shared/row_cloth.h"
#include "cases.h"
#include "measure.h"
#include "soft_cases.h"
#include "world/core/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_SIZES = 6 };
static const int cell_counts[MAX_SIZES] = {26, 50, 100, 200, 400, 577};

typedef struct row_times {
    int rows;
    double step;  ///< [ms]
    double row;   ///< time per row and sub-step of a whole step [ns]
    double sweep; ///< time per row of one sweep of the kernel [ns]
} row_times;

// The world's rows as its last step left them; velocities change and are never used again.
static double time_sweeps(sn_world *world, sn_deformable cloth, int rows)
{
    sn_element_group *group = &sn_world_deformable(world, cloth)->groups.data[0];
    float h = 0.02f / 16.0f;
    sn_element_pass pass = {.nodes = world->nodes.states.data,
                            .felt = world->nodes.states.data,
                            .velocities = world->nodes.velocities.data,
                            .h = h,
                            .inverse_h = 1.0f / h,
                            .hard = sn_softness_make(0.25f, 2.0f, h)};
    int sweeps = 4000000 / rows + 4;
    double start = bench_cpu_clock();
    for (int i = 0; i < sweeps; ++i) {
        for (int color = 0; color <= SN_ELEMENT_COLORS; ++color) {
            int begin = group->color_begin[color], end = group->color_begin[color + 1];
            if (end > begin) {
                group->kind->solve(&pass, group->blocks, begin, end);
            }
        }
    }
    return 1.0e6 * (bench_cpu_clock() - start) / (double)sweeps / rows;
}

static sn_status time_cloth(int cells, row_times *times)
{
    sn_world *world = NULL;
    sn_deformable cloth = {0};
    sn_world_def settings = bench_settings(1);
    sn_status status = bench_row_cloth(cells, &settings, &world, &cloth);
    if (status == SN_OK) {
        status = sn_world_step(world, SOFT_STEP); // the first one takes memory
    }
    times->rows = sn_world_statistics(world).element_count;
    int steps = times->rows > 0 ? 200000 / times->rows + 2 : 0;
    double start = bench_cpu_clock();
    for (int i = 0; i < steps && status == SN_OK; ++i) {
        status = sn_world_step(world, SOFT_STEP);
    }
    if (status == SN_OK) {
        times->step = (bench_cpu_clock() - start) / steps;
        times->row = 1.0e6 * times->step / times->rows / sn_world_statistics(world).sub_steps;
        times->sweep = time_sweeps(world, cloth, times->rows);
    }
    sn_world_destroy(world);
    return status;
}

static void report_linear(bench_report *report, const char *name, const char *width, const row_times *times,
                          int count)
{
    bench_row row = {
        .name = name, .bar = "linear to 10^6 rows (R^2 > 0.98)", .today = "paper: linear to 20,000 rows"};
    double rows[MAX_SIZES], steps[MAX_SIZES];
    for (int i = 0; i < count; ++i) {
        rows[i] = times[i].rows;
        steps[i] = times[i].step;
    }
    double r2 = bench_straightness(rows, steps, count);
    snprintf(row.what, sizeof row.what, "edges that do not stretch: step time, and per row and sub-step, %s",
             width);
    int written = 0;
    for (int i = 0; i < count; ++i) {
        written += snprintf(row.measured + written, sizeof row.measured - (size_t)written,
                            "%d: %.2f ms (%.1f ns), ", times[i].rows, times[i].step, times[i].row);
        if (written >= (int)sizeof row.measured) {
            break;
        }
        bench_row_value(&row, "rows", times[i].rows);
        bench_row_value(&row, "step_ms", times[i].step);
    }
    if (written < (int)sizeof row.measured) {
        snprintf(row.measured + written, sizeof row.measured - (size_t)written, "R^2 %.4f", r2);
    }
    bench_row_value(&row, "r2", r2);
    bench_row_judge(&row, r2 > 0.98);
    bench_report_add(report, &row);
}

static void report_sweep(bench_report *report, const char *name, const char *width, bool has_bar,
                         const row_times *times, int count)
{
    bench_row row = {.name = name,
                     .bar = has_bar ? "<= 12 ns" : "",
                     .today = "Jolt 16 ns, Bullet 12 ns, PBD 61 ns; our prototype 9.3 scalar, 2.5 to 5 wide"};
    double slowest = 0.0;
    int written = 0;
    snprintf(row.what, sizeof row.what, "time per two-node row and sweep, %s", width);
    for (int i = 0; i < count; ++i) {
        slowest = fmax(slowest, times[i].sweep);
        written += snprintf(row.measured + written, sizeof row.measured - (size_t)written, "%s%d: %.1f ns",
                            i > 0 ? ", " : "", times[i].rows, times[i].sweep);
        bench_row_value(&row, "rows", times[i].rows);
        bench_row_value(&row, "ns", times[i].sweep);
    }
    bench_row_judge(&row, slowest <= 12.0);
    row.verdict = has_bar ? row.verdict : BENCH_INFO;
    bench_report_add(report, &row);
}

static void run_width(bench_report *report, const char *name, const char *width, bool wide, int count)
{
    row_times times[MAX_SIZES] = {{0}};
    sn_status status = SN_OK;
    for (int i = 0; i < count && status == SN_OK; ++i) {
        status = time_cloth(cell_counts[i], &times[i]);
    }
    if (status == SN_OK) {
        report_linear(report, name, width, times, count);
        report_sweep(report, name, width, !wide, times, count);
    } else {
        bench_row row = {.name = name, .bar = "", .today = ""};
        bench_row_fail(&row, NULL, status);
        bench_report_add(report, &row);
    }
}

// Kernels are chosen when a deformable is made.
void bench_rows(bench_report *report, const char *name, const bench_options *options)
{
    int count = options->quick ? 3 : MAX_SIZES;
    run_width(report, name, "AVX2", true, count);
    setenv("SINEW_NO_AVX2", "1", 1);
    run_width(report, name, "without AVX2", false, count);
    unsetenv("SINEW_NO_AVX2");
}
