// Stands in for tools.c, exact_files.c and long_bodies.c where the tools are not built.
#include "cases.h"

static void absent(bench_report *report, const char *name)
{
    bench_row row = {
        .name = name, .what = "the tools are not built", .bar = "", .today = "", .verdict = BENCH_ABSENT};
    bench_report_add(report, &row);
}

void bench_load(bench_report *report, const char *name, const bench_options *options)
{
    (void)options;
    absent(report, name);
}

void bench_exact_scenes(bench_report *report, const char *name, const bench_options *options)
{
    (void)options;
    absent(report, name);
}

void bench_command(bench_report *report, const char *name, const bench_options *options)
{
    (void)options;
    absent(report, name);
}

void bench_render(bench_report *report, const char *name, const bench_options *options)
{
    (void)options;
    absent(report, name);
}

void bench_long_bodies(bench_report *report, const char *name, const bench_options *options)
{
    (void)options;
    absent(report, name);
}
