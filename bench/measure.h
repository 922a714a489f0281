// Clocks, medians, and the world settings all cases share.
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "report.h"
#include "support/scenes.h"

/// Wall-clock time, and CPU time of all threads of this process. [ms]
double bench_wall_clock(void);
double bench_cpu_clock(void);

/// Sorts the values. 0 for none.
double bench_median(double *values, int count);

/// R²: how much of the variation of y a straight line through the origin explains.
double bench_straightness(const double *x, const double *y, int count);

/// Default settings with sleep off.
sn_world_def bench_settings(int threads);

/// Turns a row into the report of an error.
void bench_row_fail(bench_row *row, const sn_world *world, sn_status status);

/// Steps a run `steps` times and writes what each took by `clock` to `times`. [ms]
sn_status bench_time_steps(test_scene_run *run, int steps, double (*clock)(void), double *times);

#endif
