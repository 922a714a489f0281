// How many constraints of each kind a millisecond is enough for, next to the paper's figures (Gissler 2006,
// section 5).
#include "bench/shared/kind_speed.h"
#include "cases.h"
#include "measure.h"
#include "soft_cases.h"

#include <stdio.h>

static const char *const today[BENCH_KIND_COUNT] = {
    "paper: 1000", "paper: 500", "paper: 1", "paper: 333, by its points", "paper: 250", "paper: 200"};
static const char *const bars[BENCH_KIND_COUNT] = {">= 50,000", ">= 25,000", ">= 50",
                                                   ">= 16,650", ">= 12,500", ">= 10,000"};

void bench_exact_kinds(bench_report *report, const char *name, const bench_options *options)
{
    (void)options;
    for (int i = 0; i < BENCH_KIND_COUNT; ++i) {
        const bench_kind *kind = &bench_kinds[i];
        bench_row row = {.name = name, .bar = bars[i], .today = today[i]};
        double time;
        sn_status status = bench_kind_time(kind, &time);
        snprintf(row.what, sizeof row.what, "%s, %d of them: so many a ms, best of %d", kind->words,
                 kind->count, BENCH_KIND_RUNS);
        if (status == SN_OK) {
            snprintf(row.measured, sizeof row.measured, "%.0f (%.0f points)", kind->count / time,
                     kind->count * kind->points / time);
            bench_row_value(&row, "per_ms", kind->count / time);
            bench_row_value(&row, "points_per_ms", kind->count * kind->points / time);
            bench_row_judge(&row, kind->count / time >= 50.0 * kind->paper);
        } else {
            bench_row_fail(&row, NULL, status);
        }
        bench_report_add(report, &row);
    }
}
