// Where the time goes, how many steps a second, and what a second thread buys. Figures without bars.
#include "cases.h"
#include "measure.h"

#include <stdio.h>

enum { MAX_STEPS = 600 };

// --- profile -----------------------------------------------------------------------------------------------

static void add_profile(sn_profile *sum, sn_profile step, float weight)
{
    sum->step += weight * step.step;
    sum->collide += weight * step.collide;
    sum->pairs += weight * step.pairs;
    sum->narrow += weight * step.narrow;
    sum->islands += weight * step.islands;
    sum->prepare += weight * step.prepare;
    sum->solve += weight * step.solve;
    sum->integrate += weight * step.integrate;
    sum->relax += weight * step.relax;
    sum->restitution += weight * step.restitution;
    sum->finish += weight * step.finish;
    sum->sweep += weight * step.sweep;
}

static void fill_profile_row(bench_row *row, const sn_profile *mean)
{
    const struct {
        const char *name, *key;
        float value;
    } stages[] = {
        {"step", "step_ms", mean->step},          {"collide", "collide_ms", mean->collide},
        {"(pairs", "pairs_ms", mean->pairs},      {"narrow)", "narrow_ms", mean->narrow},
        {"islands", "islands_ms", mean->islands}, {"prepare", "prepare_ms", mean->prepare},
        {"solve", "solve_ms", mean->solve},       {"integrate", "integrate_ms", mean->integrate},
        {"relax", "relax_ms", mean->relax},       {"restitution", "restitution_ms", mean->restitution},
        {"finish", "finish_ms", mean->finish},    {"sweep", "sweep_ms", mean->sweep}};
    int written = 0;
    for (int i = 0; i < (int)(sizeof stages / sizeof stages[0]) && written < BENCH_TEXT; ++i) {
        written += snprintf(row->measured + written, (size_t)(BENCH_TEXT - written), "%s%s %.3f",
                            i > 0 ? ", " : "", stages[i].name, (double)stages[i].value);
        bench_row_value(row, stages[i].key, (double)stages[i].value);
    }
}

void bench_profile(bench_report *report, const char *name, const bench_options *options)
{
    bench_row row = {.name = name, .bar = "", .today = "", .verdict = BENCH_INFO};
    int steps = options->quick ? 60 : 300;
    sn_world_def def = bench_settings(1);
    test_scene_run run;
    sn_status status = test_scene_open(test_scene_find("tower"), &def, &run);
    sn_profile mean = {0};
    for (int i = 0; i < steps && status == SN_OK; ++i) {
        status = test_scene_step(&run, 1);
        add_profile(&mean, sn_world_profile(run.world), 1.0f / (float)steps);
    }
    if (status == SN_OK) {
        sn_statistics statistics = sn_world_statistics(run.world);
        snprintf(
            row.what, sizeof row.what,
            "tower: ms per step by stage, mean of %d steps; %d contacts, %d points, %d colours, %d sub-steps",
            steps, statistics.contact_count, statistics.contact_point_count, statistics.color_count,
            statistics.sub_steps);
        fill_profile_row(&row, &mean);
    } else {
        bench_row_fail(&row, run.world, status);
    }
    bench_report_add(report, &row);
    test_scene_close(&run);
}

// --- throughput --------------------------------------------------------------------------------------------

static void report_throughput(bench_report *report, const char *name, const char *scene_name, int steps)
{
    bench_row row = {.name = name, .bar = "", .today = "", .verdict = BENCH_INFO};
    const test_scene *scene = test_scene_find(scene_name);
    sn_world_def def = bench_settings(1);
    double times[MAX_STEPS];
    test_scene_run run;
    snprintf(row.what, sizeof row.what, "%s: %s, %d steps, 1 thread", scene_name, scene->about, steps);
    sn_status status = test_scene_open(scene, &def, &run);
    if (status == SN_OK) {
        status = bench_time_steps(&run, steps, bench_cpu_clock, times);
    }
    if (status == SN_OK) {
        double sum = 0.0;
        for (int i = 0; i < steps; ++i) {
            sum += times[i];
        }
        double steps_per_second = 1.0e3 * (double)steps / sum;
        snprintf(row.measured, sizeof row.measured,
                 "%.0f steps per second of CPU time (mean %.3f ms, median %.3f ms)", steps_per_second,
                 sum / steps, bench_median(times, steps));
        bench_row_value(&row, "steps_per_second", steps_per_second);
        bench_row_value(&row, "mean_ms", sum / steps);
        bench_row_value(&row, "median_ms", bench_median(times, steps));
    } else {
        bench_row_fail(&row, run.world, status);
    }
    bench_report_add(report, &row);
    test_scene_close(&run);
}

void bench_throughput(bench_report *report, const char *name, const bench_options *options)
{
    int steps = options->quick ? 120 : MAX_STEPS;
    report_throughput(report, name, "rain", steps);
    report_throughput(report, name, "pyramid", steps);
}

// --- threads -----------------------------------------------------------------------------------------------

// The two worlds take turns in slices, so that whatever else the machine does hits both alike.
static sn_status time_two(test_scene_run runs[2], int steps, double times[2][MAX_STEPS])
{
    enum { SLICE = 20 };
    for (int done = 0; done + SLICE <= steps; done += SLICE) {
        for (int i = 0; i < 2; ++i) {
            sn_status status = bench_time_steps(&runs[i], SLICE, bench_wall_clock, times[i] + done);
            if (status != SN_OK) {
                return status;
            }
        }
    }
    return SN_OK;
}

static void report_scaling(bench_report *report, const char *name, const char *scene_name, int steps)
{
    bench_row row = {.name = name, .bar = "", .today = "", .verdict = BENCH_INFO};
    static double times[2][MAX_STEPS];
    test_scene_run runs[2] = {{0}};
    sn_status status = SN_OK;
    snprintf(row.what, sizeof row.what, "%s: 2 threads against 1, %d steps", scene_name, steps);
    for (int i = 0; i < 2 && status == SN_OK; ++i) {
        sn_world_def def = bench_settings(i + 1);
        status = test_scene_open(test_scene_find(scene_name), &def, &runs[i]);
    }
    if (status == SN_OK) {
        status = time_two(runs, steps, times);
    }
    if (status == SN_OK) {
        double one = bench_median(times[0], steps), two = bench_median(times[1], steps);
        snprintf(row.measured, sizeof row.measured, "%.2f times as fast (median %.3f -> %.3f ms wall clock)",
                 one / two, one, two);
        bench_row_value(&row, "speedup", one / two);
        bench_row_value(&row, "one_thread_ms", one);
        bench_row_value(&row, "two_threads_ms", two);
    } else {
        bench_row_fail(&row, NULL, status);
    }
    bench_report_add(report, &row);
    test_scene_close(&runs[0]);
    test_scene_close(&runs[1]);
}

void bench_scaling(bench_report *report, const char *name, const bench_options *options)
{
    int steps = options->quick ? 60 : 300;
    report_scaling(report, name, "tower", steps);
    report_scaling(report, name, "rain", 2 * steps);
}
