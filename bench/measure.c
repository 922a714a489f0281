// Clocks, medians, and the world settings all cases share.
#define _POSIX_C_SOURCE 199309L

#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double read_clock(clockid_t id)
{
    struct timespec now = {0};
    clock_gettime(id, &now);
    return 1.0e3 * (double)now.tv_sec + 1.0e-6 * (double)now.tv_nsec;
}

double bench_wall_clock(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

double bench_cpu_clock(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *values, int count)
{
    if (count == 0) {
        return 0.0;
    }
    qsort(values, (size_t)count, sizeof *values, compare_numbers);
    return 0.5 * (values[(count - 1) / 2] + values[count / 2]);
}

double bench_straightness(const double *x, const double *y, int count)
{
    double xy = 0.0, xx = 0.0, mean = 0.0, around_line = 0.0, around_mean = 0.0;
    for (int i = 0; i < count; ++i) {
        xy += x[i] * y[i];
        xx += x[i] * x[i];
        mean += y[i] / count;
    }
    for (int i = 0; i < count; ++i) {
        double off = y[i] - xy / xx * x[i];
        around_line += off * off;
        around_mean += (y[i] - mean) * (y[i] - mean);
    }
    return 1.0 - around_line / around_mean;
}

sn_world_def bench_settings(int threads)
{
    sn_world_def def = sn_world_def_default();
    def.sleep = false;
    def.threads = threads;
    return def;
}

void bench_row_fail(bench_row *row, const sn_world *world, sn_status status)
{
    row->verdict = BENCH_FAILED;
    snprintf(row->measured, sizeof row->measured, "%s: %.100s", sn_status_text(status),
             world != NULL ? sn_world_error(world) : sn_last_error());
}

sn_status bench_time_steps(test_scene_run *run, int steps, double (*clock)(void), double *times)
{
    for (int i = 0; i < steps; ++i) {
        double start = clock();
        sn_status status = test_scene_step(run, 1);
        times[i] = clock() - start;
        if (status != SN_OK) {
            return status;
        }
    }
    return SN_OK;
}
