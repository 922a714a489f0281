// S3: a strip over a free wheel carries two bodies much heavier than its nodes. Does the wheel turn as theory
// says, does the strip keep its length, do the ends hold? And how stretch falls with the number of sub-steps.
#include "cases.h"
#include "measure.h"
#include "soft_cases.h"
#include "soft_measure.h"
#include "soft_scenes.h"

#include <math.h>
#include <stdio.h>

enum { STEPS = 30, RATIOS = 3 };
static const float ratios[RATIOS] = {10.0f, 100.0f, 1000.0f};

typedef struct rope_result {
    double spin;             ///< after 0.6 s, against theory
    double stretch, longest; ///< then, and at any time
    double tie_error;        ///< of ends, at any time [m]
    double depth;            ///< in the wheel, at any time [m]
    double mean_time;
} rope_result;

static sn_status run_rope(soft_run *run, rope_result *result)
{
    const soft_solid *wheel = &run->scene->solids[0];
    *result = (rope_result){.depth = -INFINITY};
    for (int i = 0; i < STEPS; ++i) {
        sn_status status = soft_run_step(run);
        if (status != SN_OK) {
            return status;
        }
        const soft_cloud *rope = &run->clouds[0];
        result->stretch = soft_stretch_of(rope).longest;
        result->longest = fmax(result->longest, result->stretch);
        result->tie_error = fmax(result->tie_error, soft_tie_error(run));
        result->depth =
            fmax(result->depth, soft_depth_in_wheel(rope, run->solids[0].position, (double)wheel->size.x));
    }
    double theory = soft_rope_spin(run->scene, (double)SOFT_STEP * STEPS);
    result->spin = -(double)run->solids[0].spin.z / theory; // the heavy side is that of positive x
    result->mean_time = soft_run_mean_time(run);
    return SN_OK;
}

// `sub_steps` 0: the world's choice.
static sn_status measure_rope(float ratio, int sub_steps, rope_result *result)
{
    static soft_scene scene;
    static soft_run run;
    sn_world_def settings = bench_settings(1);
    settings.sub_steps = sub_steps;
    sn_status status = soft_scene_rope(&scene, ratio);
    if (status == SN_OK) {
        status = soft_run_open(&run, &scene, &settings);
    }
    if (status == SN_OK) {
        status = run_rope(&run, result);
        soft_run_show(&run, "rope");
    }
    soft_run_close(&run);
    soft_scene_release(&scene);
    return status;
}

static bool measure_bullet(float ratio, rope_result *result)
{
    static soft_scene scene;
    static soft_run run;
    bool done = soft_scene_rope(&scene, ratio) == SN_OK &&
                soft_run_open_bullet(&run, &scene, SOFT_BULLET_SLICES, SOFT_BULLET_ITERATIONS) &&
                run_rope(&run, result) == SN_OK;
    soft_run_close(&run);
    soft_scene_release(&scene);
    return done;
}

// --- rows --------------------------------------------------------------------------------------------------

static void fill_row(bench_row *row, const rope_result *r)
{
    snprintf(
        row->measured, sizeof row->measured,
        "turns at %.3f of theory; stretch %.2f %% (at worst %.2f %%); ends within %.2f mm; %s the wheel by "
        "%.1f mm",
        r->spin, 100.0 * r->stretch, 100.0 * r->longest, 1.0e3 * r->tie_error,
        r->depth > 0.0 ? "in" : "clear of", 1.0e3 * fabs(r->depth));
    bench_row_value(row, "spin", r->spin);
    bench_row_value(row, "stretch", r->stretch);
    bench_row_value(row, "stretch_worst", r->longest);
    bench_row_value(row, "tie_error_m", r->tie_error);
    bench_row_value(row, "depth_m", r->depth);
    bench_row_value(row, "ms20", r->mean_time);
}

static void report_ratio(bench_report *report, const char *name, int index)
{
    static const double stretch_bars[RATIOS] = {0.01, 0.02, 0.15};
    static const char *const bars[RATIOS] = {"within 3 %, <= 1 %, ends <= 1 mm, never in the wheel",
                                             "within 3 %, <= 2 %, ends <= 1 mm, never in the wheel",
                                             "within 3 %, <= 15 %, ends <= 1 mm, never in the wheel"};
    static const char *const todays[RATIOS] = {
        "Bullet 0.99, 0.8 %; PBD 0.99, 0.5 %; MuJoCo 0.95, 2 %",
        "Bullet 1.03, 3.8 %; PBD 0.96, 1.5 %; MuJoCo 1.13, 14 %",
        "none holds: Bullet 0.79, 40 %; PBD -0.02, 8 %; MuJoCo 0.33, 109 %"};
    bench_row row = {.name = name, .bar = bars[index], .today = todays[index]};
    rope_result r = {0};
    snprintf(row.what, sizeof row.what, "rope over a wheel (S3), ends %.0f and %.0f x a node, after 0.6 s",
             (double)ratios[index], 1.5 * (double)ratios[index]);
    sn_status status = measure_rope(ratios[index], 0, &r);
    if (status == SN_OK) {
        fill_row(&row, &r);
        bench_row_judge(&row, fabs(r.spin - 1.0) <= 0.03 && r.stretch <= stretch_bars[index] &&
                                  r.tie_error <= 0.001 && r.depth <= 0.0);
    } else {
        bench_row_fail(&row, NULL, status);
    }
    bench_report_add(report, &row);
}

static void report_bullet(bench_report *report, const char *name, int index)
{
    bench_row row = {.name = name, .bar = "", .today = "", .verdict = BENCH_INFO};
    rope_result r = {0};
    snprintf(row.what, sizeof row.what, "rope over a wheel, %.0f x: Bullet, same run, " SOFT_BULLET_WORDS,
             (double)ratios[index]);
    if (measure_bullet(ratios[index], &r)) {
        fill_row(&row, &r);
        bench_report_add(report, &row);
    }
}

void bench_rope(bench_report *report, const char *name, const bench_options *options)
{
    (void)options;
    for (int i = 0; i < RATIOS; ++i) {
        report_ratio(report, name, i);
    }
    for (int i = 0; i < RATIOS; ++i) {
        report_bullet(report, name, i);
    }
}

// The slope of log stretch against log sub-steps is expected to be −2.
void bench_rope_curve(bench_report *report, const char *name, const bench_options *options)
{
    static const int sub_steps[] = {8, 16, 32, 64, 128, 256};
    int count = options->quick ? 3 : (int)(sizeof sub_steps / sizeof sub_steps[0]);
    bench_row row = {.name = name,
                     .bar = "<= 3 % at some number; falls as 1/n^2",
                     .today = "none holds 1000 : 1 on real anchors"};
    double smallest = INFINITY, first = 0.0, last = 0.0;
    int written = 0;
    sn_status status = SN_OK;
    for (int i = 0; i < count && status == SN_OK; ++i) {
        rope_result r = {0};
        status = measure_rope(1000.0f, sub_steps[i], &r);
        first = i == 0 ? r.stretch : first;
        last = r.stretch;
        smallest = fmin(smallest, r.stretch);
        written += snprintf(row.measured + written, sizeof row.measured - (size_t)written, "%d: %.2f %%, ",
                            sub_steps[i], 100.0 * r.stretch);
    }
    double order = log(first / last) / log((double)sub_steps[count - 1] / sub_steps[0]);
    snprintf(row.what, sizeof row.what, "rope over a wheel, 1000 x: stretch against sub-steps");
    if (status == SN_OK) {
        snprintf(row.measured + written, sizeof row.measured - (size_t)written, "order %.2f", order);
        bench_row_value(&row, "order", order);
        bench_row_value(&row, "smallest", smallest);
        bench_row_judge(&row, smallest <= 0.03);
    } else {
        bench_row_fail(&row, NULL, status);
    }
    bench_report_add(report, &row);
}
