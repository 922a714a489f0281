// Clocks, medians and settings (shared/numbers.h), how cases fail, and times of many steps.
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "bench/shared/numbers.h"
#include "report.h"
#include "support/scenes.h"

/// Default settings with sleep off, on one thread, by the position solver.
sn_world_def bench_position_settings(int sub_steps, int iterations);

/// Turns a row into the report of an error.
void bench_row_fail(bench_row *row, const sn_world *world, sn_status status);

/// Steps a run `steps` times and writes what each took by `clock` to `times`. [ms]
sn_status bench_time_steps(test_scene_run *run, int steps, double (*clock)(void), double *times);

#endif
