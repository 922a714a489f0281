// What the cases with deformables share: how Bullet is run, how rows are judged.
#ifndef BENCH_SOFT_CASES_H
#define BENCH_SOFT_CASES_H

#include "report.h"
#include "soft_run.h"

/// Bullet's settings: small steps, found by hand to be the cheapest that hold.
enum { SOFT_BULLET_SLICES = 4, SOFT_BULLET_ITERATIONS = 5 };
#define SOFT_BULLET_WORDS "steps of 5 ms x 5 iterations"

void bench_row_judge(bench_row *row, bool passes);

/// Mean and worst time of steps, ours and Bullet's (0: absent) [ms].
void bench_row_time(bench_row *row, double mean, double worst, double bullet);

/// A row that tells what went wrong.
void soft_report_failure(bench_report *report, const char *name, const char *words, const soft_run *run,
                         sn_status status);

/// Writes the run as <name>.obj into the folder that the environment variable SINEW_BENCH_SHOW names, if any:
/// figures should be looked at before they are believed.
void soft_run_show(const soft_run *run, const char *name);

#endif
