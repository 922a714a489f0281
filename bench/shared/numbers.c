// Clocks, medians, straight lines, and the settings that all measurements share.
#define _POSIX_C_SOURCE 199309L

#include "bench/shared/numbers.h"

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

bench_line bench_line_fit(const double *x, const double *y, int count)
{
    double mx = 0.0, my = 0.0, xx = 0.0, xy = 0.0, yy = 0.0;
    for (int i = 0; i < count; ++i) {
        mx += x[i] / count;
        my += y[i] / count;
    }
    for (int i = 0; i < count; ++i) {
        xx += (x[i] - mx) * (x[i] - mx);
        xy += (x[i] - mx) * (y[i] - my);
        yy += (y[i] - my) * (y[i] - my);
    }
    return (bench_line){xy / xx, my - xy / xx * mx, xy * xy / (xx * yy)};
}

sn_world_def bench_settings(int threads)
{
    sn_world_def def = sn_world_def_default();
    def.sleep = false;
    def.threads = threads;
    return def;
}
