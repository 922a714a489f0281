// Clocks, medians, straight lines, and the settings that all measurements share: those of the benchmarks and
// those of `sinew figures`.
#ifndef BENCH_SHARED_NUMBERS_H
#define BENCH_SHARED_NUMBERS_H

#include "sinew/sinew.h"

/// Wall-clock time, and CPU time of all threads of this process. [ms]
double bench_wall_clock(void);
double bench_cpu_clock(void);

/// Sorts the values. 0 for none.
double bench_median(double *values, int count);

/// R²: how much of the variation of y a straight line through the origin explains.
double bench_straightness(const double *x, const double *y, int count);

/// The straight line that fits best.
typedef struct bench_line {
    double slope, at_zero;
    double r2; ///< how much of the variation of y it explains
} bench_line;

bench_line bench_line_fit(const double *x, const double *y, int count);

/// Default settings with sleep off.
sn_world_def bench_settings(int threads);

#endif
