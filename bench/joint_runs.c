// Scenes that are hard on joints: whether energy is gained, bodies freeze, and structures come to rest. The
// bars are those of the tests in tests/physics; here all figures are seen side by side.
#include "cases.h"
#include "measure.h"
#include "support/joint_scenes.h"

#include <stdio.h>

/// What is asked of the scenes of a group.
typedef struct group_bar {
    const char *text;
    double gain; ///< by which energy may exceed what there was and what motors put in
} group_bar;

static const group_bar bars[JOINT_GROUPS] = {
    [JOINTS_REDUNDANT] = {"energy <= 1.0001 x, 0 frozen", 1.0e-4},
    [JOINTS_FAST] = {"energy <= 1.01 x, 0 frozen", 0.01},
    [JOINTS_COMPLIANT] = {"energy <= 1.01 x, 0 frozen", 0.01},
    [JOINTS_CROWDED] = {"energy <= 1.0001 x, 0 frozen", 1.0e-4},
};

// Everything that hangs together redundantly must come to rest, bridges without damping too.
static bool should_rest(const joint_scene *scene)
{
    return scene->rests || scene->group == JOINTS_REDUNDANT;
}

static bool is_met(const joint_scene *scene, const joint_result *result)
{
    return result->frozen_count == 0 && result->energy_factor <= 1.0 + bars[scene->group].gain &&
           (!should_rest(scene) || result->rest_speed <= JOINT_REST_SPEED);
}

static void fill_row(bench_row *row, const joint_scene *scene, const joint_result *result)
{
    row->bar =
        should_rest(scene) ? "energy <= 1.0001 x, 0 frozen, < 5 cm/s after 10 s" : bars[scene->group].text;
    row->verdict = is_met(scene, result) ? BENCH_PASS : BENCH_MISS;
    snprintf(row->measured, sizeof row->measured,
             "energy %.5g x, %d frozen, at most %.3g m/s, after 10 s %.3g m/s, joints off by %.2g at most",
             result->energy_factor, result->frozen_count, result->peak_speed, result->rest_speed,
             result->peak_error);
    bench_row_value(row, "energy_factor", result->energy_factor);
    bench_row_value(row, "frozen", result->frozen_count);
    bench_row_value(row, "peak_speed_m_s", result->peak_speed);
    bench_row_value(row, "rest_speed_m_s", result->rest_speed);
    bench_row_value(row, "final_speed_m_s", result->final_speed);
    bench_row_value(row, "peak_error", result->peak_error);
    bench_row_value(row, "drift_m", result->drift);
}

static void report_scene(bench_report *report, const char *name, const joint_scene *scene, bool quick)
{
    bench_row row = {.name = name, .bar = "", .today = ""};
    joint_run run = {.seconds = quick && !should_rest(scene) ? 0.25f * scene->seconds : 0.0f};
    joint_result result;
    snprintf(row.what, sizeof row.what, "%s", scene->about);
    sn_status status = joint_scene_measure(scene, &run, &result);
    if (status == SN_OK) {
        fill_row(&row, scene, &result);
    } else {
        bench_row_fail(&row, NULL, status);
    }
    bench_report_add(report, &row);
}

static void report_group(bench_report *report, const char *name, joint_group group, bool quick)
{
    for (int i = 0; i < joint_scene_count; ++i) {
        const joint_scene *scene = &joint_scenes[i];
        bool is_long = scene->count == 99;
        if (scene->group == group && !(quick && is_long)) {
            report_scene(report, name, scene, quick);
        }
    }
}

void bench_joints_redundant(bench_report *report, const char *name, const bench_options *options)
{
    report_group(report, name, JOINTS_REDUNDANT, options->quick);
}

void bench_joints_fast(bench_report *report, const char *name, const bench_options *options)
{
    report_group(report, name, JOINTS_FAST, options->quick);
}

void bench_joints_compliant(bench_report *report, const char *name, const bench_options *options)
{
    report_group(report, name, JOINTS_COMPLIANT, options->quick);
}

// --- crowds ------------------------------------------------------------------------------------------------

static void report_heap(bench_report *report, const char *name)
{
    bench_row row = {.name = name,
                     .what = "200 boxes of 20 cm in one place",
                     .bar = "part at 5 m/s at most",
                     .today = "Jolt 5 m/s"};
    joint_result result;
    sn_status status = joint_scene_measure(joint_scene_find("heap"), &(joint_run){.seconds = 3.0f}, &result);
    if (status == SN_OK) {
        snprintf(row.measured, sizeof row.measured, "%.1f m/s, %d frozen", result.peak_speed,
                 result.frozen_count);
        bench_row_value(&row, "peak_speed_m_s", result.peak_speed);
        row.verdict = result.peak_speed <= 5.0 && result.frozen_count == 0 ? BENCH_PASS : BENCH_MISS;
    } else {
        bench_row_fail(&row, NULL, status);
    }
    bench_report_add(report, &row);
}

static void report_dice(bench_report *report, const char *name)
{
    bench_row row = {.name = name,
                     .what = "stack of 10 dice of 1 cm, 20 s",
                     .bar = "drift <= 1 mm, < 5 cm/s after 10 s",
                     .today = ""};
    joint_result result;
    sn_status status = joint_scene_measure(joint_scene_find("dice"), &(joint_run){0}, &result);
    if (status == SN_OK) {
        bool is_met = result.drift <= 0.001 && result.rest_speed <= JOINT_REST_SPEED;
        snprintf(row.measured, sizeof row.measured, "drift %.2f mm, %.2f cm/s", 1.0e3 * result.drift,
                 100.0 * result.rest_speed);
        bench_row_value(&row, "drift_m", result.drift);
        bench_row_value(&row, "rest_speed_m_s", result.rest_speed);
        row.verdict = is_met ? BENCH_PASS : BENCH_MISS;
    } else {
        bench_row_fail(&row, NULL, status);
    }
    bench_report_add(report, &row);
}

void bench_joints_crowded(bench_report *report, const char *name, const bench_options *options)
{
    report_scene(report, name, joint_scene_find("grid_15"), options->quick);
    report_heap(report, name);
    report_dice(report, name);
}
