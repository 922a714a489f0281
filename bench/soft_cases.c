// What the cases with deformables share.
#include "soft_cases.h"

#include "measure.h"
#include "soft_measure.h"

#include <stdio.h>
#include <stdlib.h>

void bench_row_judge(bench_row *row, bool passes)
{
    row->verdict = passes ? BENCH_PASS : BENCH_MISS;
}

void bench_row_time(bench_row *row, double mean, double worst, double bullet)
{
    bench_row_value(row, "ms20", mean);
    bench_row_value(row, "worst_ms", worst);
    if (bullet > 0.0) {
        snprintf(row->measured, sizeof row->measured,
                 "%.2f (worst step %.1f); Bullet in the same run %.2f: %.2f times as long", mean, worst,
                 bullet, mean / bullet);
        bench_row_value(row, "bullet_ms20", bullet);
        bench_row_value(row, "ratio", mean / bullet);
    } else {
        snprintf(row->measured, sizeof row->measured, "%.2f (worst step %.1f)", mean, worst);
    }
}

void soft_report_failure(bench_report *report, const char *name, const char *words, const soft_run *run,
                         sn_status status)
{
    bench_row row = {.name = name, .bar = "", .today = ""};
    snprintf(row.what, sizeof row.what, "%s", words);
    bench_row_fail(&row, run->world, status);
    bench_report_add(report, &row);
}

void soft_run_show(const soft_run *run, const char *name)
{
    const char *folder = getenv("SINEW_BENCH_SHOW");
    char path[1024];
    if (folder != NULL && snprintf(path, sizeof path, "%s/%s.obj", folder, name) < (int)sizeof path) {
        if (!soft_write_obj(run, path)) {
            fprintf(stderr, "cannot write %s\n", path);
        }
    }
}
