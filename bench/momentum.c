// Does a free cluster of jointed bodies keep its momenta? A figure of accuracy with a bar, run as the
// stability cases are.
#include "cases.h"

#include "support/cluster.h"
#include "support/scenes.h"

#include <stdio.h>

void bench_momentum(bench_report *report, const char *name, const bench_options *options)
{
    int steps = options->quick ? 250 : 1000;
    bench_row row = {.name = name, .bar = "both <= 1e-5", .today = "-"};
    momentum_drift worst =
        cluster_momentum_drift(sn_v(0.0f, 0.0f, 0.0f), sn_v(0.3f, 2.0f, 0.5f), TEST_SCENE_STEP, steps);
    snprintf(row.what, sizeof row.what, "free spinning cluster, 8 bodies, all joints, %d steps", steps);
    snprintf(row.measured, sizeof row.measured, "momentum %.1e, angular momentum %.1e", worst.linear,
             worst.angular);
    bench_row_value(&row, "linear", worst.linear);
    bench_row_value(&row, "angular", worst.angular);
    row.verdict = worst.linear <= 1e-5 && worst.angular <= 1e-5 ? BENCH_PASS : BENCH_MISS;
    bench_report_add(report, &row);
}
