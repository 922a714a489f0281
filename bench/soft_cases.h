// What the cases with deformables share: how Bullet is run, how rows are judged.
#ifndef BENCH_SOFT_CASES_H
#define BENCH_SOFT_CASES_H

#include "report.h"
#include "soft_run.h"

/// Bullet's settings: small steps, found by hand to be the cheapest that hold.
enum { SOFT_BULLET_SLICES = 4, SOFT_BULLET_ITERATIONS = 5 };
#define SOFT_BULLET_WORDS "steps of 5 ms x 5 iterations"

/// What a scene costs. Runs do the same to the bit, so each step counts with the best of several runs: what
/// else the machine did then is left out.
typedef struct soft_cost {
    double mean, worst; ///< of steps [ms]
} soft_cost;

enum { SOFT_COST_RUNS = 3, SOFT_COST_STEPS = 300 };

/// In Sinew with default settings, and in Bullet (zeros if it is not installed). Failures cost nothing: the
/// run that measures anything else tells of them.
soft_cost soft_cost_of(const soft_scene *scene, int steps, int runs);
soft_cost soft_cost_in_bullet(const soft_scene *scene, int steps, int runs);
/// In Sinew with any settings; in Bullet if they are null.
soft_cost soft_cost_with(const soft_scene *scene, const sn_world_def *settings, int steps, int runs);

/// Milliseconds of this machine as those of the one on which bars of milliseconds were set: there Bullet took
/// SOFT_BAR_BULLET_MS for a step of S1a, here what it takes in this run. As they are if it is not installed.
#define SOFT_BAR_BULLET_MS 6.6
double soft_bar_ms(double milliseconds);

void bench_row_judge(bench_row *row, bool passes);

/// Writes what a step costs here, in Bullet, and on the machine of the bars; judged if `most` is positive.
void bench_row_cost(bench_row *row, soft_cost ours, soft_cost bullet, double most);

/// A row that tells what went wrong.
void soft_report_failure(bench_report *report, const char *name, const char *words, const soft_run *run,
                         sn_status status);

/// Writes the run as <name>.obj into the folder that the environment variable SINEW_BENCH_SHOW names, if any:
/// figures should be looked at before they are believed.
void soft_run_show(const soft_run *run, const char *name);

#endif
