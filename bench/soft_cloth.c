// S1: a cloth falls on a ball, fixed or rolling. How far it stretches, whether anything gets through
// anything, whether it comes to rest, and what it costs; then the same in Bullet.
#include "cases.h"
#include "measure.h"
#include "soft_cases.h"
#include "soft_measure.h"
#include "soft_scenes.h"

#include <math.h>
#include <stdio.h>

// The figures are those after 6 s; whether it comes to rest at all is seen after 15 s.
enum { STEPS = 300, REST_STEPS = 750, SECOND = 50 };
// Falling cloth is chaotic: runs that differ by a millionth of gravity show what is luck.
enum { OTHERS = 5 };

typedef struct cloth_result {
    soft_stretch end;
    double impact;            ///< largest stretch at any time
    double depth;             ///< deepest in the ball or the floor at any time [m]
    double last_second, rest; ///< root mean square speeds, of the sixth and the fifteenth second [m/s]
    int crossings;            ///< at the end
    double sink, lift, roll;  ///< of the ball: largest at any time; how far it is at the end [m]
} cloth_result;

static void note_step(cloth_result *result, const soft_run *run)
{
    const soft_cloud *cloth = &run->clouds[0];
    const soft_solid *ball = &run->scene->solids[0];
    sn_vec3 now = run->solids[0].position;
    result->impact = fmax(result->impact, soft_thread_stretch_of(cloth).longest);
    result->depth = fmax(result->depth, soft_depth_in_ball(cloth, now, (double)ball->size.x));
    if (run->scene->floor) {
        result->depth = fmax(result->depth, soft_depth_below_floor(cloth));
    }
    result->sink = fmax(result->sink, (double)(ball->position.y - now.y));
    result->lift = fmax(result->lift, (double)(now.y - ball->position.y));
}

static void note_end(cloth_result *result, const soft_run *run)
{
    const soft_cloud *cloth = &run->clouds[0];
    result->end = soft_thread_stretch_of(cloth);
    result->crossings = soft_crossings(cloth, cloth);
    result->roll = hypot((double)run->solids[0].position.x, (double)run->solids[0].position.z);
}

static sn_status run_cloth(soft_run *run, int steps, int rest_steps, cloth_result *result)
{
    *result = (cloth_result){.depth = -INFINITY};
    double sum = 0.0;
    for (int i = 0; i < rest_steps; ++i) {
        sn_status status = soft_run_step(run);
        if (status != SN_OK) {
            return status;
        }
        double speed = soft_rms_speed(&run->clouds[0]);
        sum = i % SECOND == 0 ? 0.0 : sum;
        sum += speed * speed / SECOND;
        if (i < steps) {
            note_step(result, run);
            result->last_second = sqrt(sum);
        }
        if (i == steps - 1) {
            note_end(result, run);
        }
        result->rest = sqrt(sum);
    }
    return SN_OK;
}

// --- rows --------------------------------------------------------------------------------------------------

static void report_stretch(bench_report *report, const char *name, const char *scene, const cloth_result *r)
{
    bench_row row = {.name = name,
                     .bar = "<= 3 % max, <= 0.4 % mean, <= 12 % at impact",
                     .today = "hand-tuned: Jolt 5.9, 0.39 %; Bullet 8.9, 1.0 %; PBD 5.3, 0.5 %"};
    snprintf(row.what, sizeof row.what, "%s: stretch of threads after 6 s", scene);
    snprintf(row.measured, sizeof row.measured, "%.2f %% max, %.3f %% mean, %.1f %% at impact",
             100.0 * r->end.longest, 100.0 * r->end.mean, 100.0 * r->impact);
    bench_row_value(&row, "stretch_max", r->end.longest);
    bench_row_value(&row, "stretch_mean", r->end.mean);
    bench_row_value(&row, "stretch_impact", r->impact);
    bench_row_value(&row, "compression_max", r->end.shortest);
    bench_row_judge(&row, r->end.longest <= 0.03 && r->end.mean <= 0.004 && r->impact <= 0.12);
    bench_report_add(report, &row);
}

static void report_contact(bench_report *report, const char *name, const char *scene, const cloth_result *r)
{
    bench_row row = {.name = name,
                     .bar = "0; at most 10 self-crossings",
                     .today = "crossings: Jolt 12 (rolling 812), Bullet 0 (2305), PBD 0 (659)"};
    snprintf(row.what, sizeof row.what, "%s: deepest penetration of faces, self-crossings", scene);
    snprintf(row.measured, sizeof row.measured, "%.1f mm (faces come within %.1f mm), %d crossings",
             1.0e3 * fmax(r->depth, 0.0), 1.0e3 * fmax(-r->depth, 0.0), r->crossings);
    bench_row_value(&row, "depth_m", r->depth);
    bench_row_value(&row, "crossings", r->crossings);
    bench_row_judge(&row, r->depth <= 0.0 && r->crossings <= 10);
    bench_report_add(report, &row);
}

static void report_rest(bench_report *report, const char *name, const char *scene, const cloth_result *r)
{
    bench_row row = {.name = name,
                     .bar = "<= 10 mm/s, < 1 mm/s",
                     .today = "last second: Jolt 13, Bullet 90, PBD 150 mm/s"};
    snprintf(row.what, sizeof row.what, "%s: RMS speed in the sixth and the fifteenth second", scene);
    snprintf(row.measured, sizeof row.measured, "%.2f mm/s, %.2f mm/s", 1.0e3 * r->last_second,
             1.0e3 * r->rest);
    bench_row_value(&row, "rms_6s", r->last_second);
    bench_row_value(&row, "rms_15s", r->rest);
    bench_row_judge(&row, r->last_second <= 0.010 && r->rest < 0.001);
    bench_report_add(report, &row);
}

static void report_cost(bench_report *report, const char *name, const char *words, const soft_scene *scene,
                        const bench_options *options)
{
    int steps = options->quick ? 60 : SOFT_COST_STEPS, runs = options->quick ? 1 : SOFT_COST_RUNS;
    soft_cost ours = soft_cost_of(scene, steps, runs), bullet = soft_cost_in_bullet(scene, steps, runs);
    bench_row row = {.name = name, .bar = "<= 5", .today = "hand-tuned: Bullet 6.6, Jolt 9.8, PBD 26"};
    snprintf(row.what, sizeof row.what, "%s: CPU ms per 20 ms, best of %d", words, runs);
    bench_row_cost(&row, ours, bullet, 5.0);
    bench_report_add(report, &row);
}

static void report_ball(bench_report *report, const char *name, const char *scene, const cloth_result *r)
{
    bench_row row = {.name = name, .bar = "neither sinks nor is thrown (1 cm)", .today = "-"};
    snprintf(row.what, sizeof row.what, "%s: how far the ball sinks, rises, has rolled", scene);
    snprintf(row.measured, sizeof row.measured, "%.2f mm, %.2f mm, %.1f cm", 1.0e3 * r->sink, 1.0e3 * r->lift,
             100.0 * r->roll);
    bench_row_value(&row, "sink_m", r->sink);
    bench_row_value(&row, "lift_m", r->lift);
    bench_row_value(&row, "roll_m", r->roll);
    bench_row_judge(&row, r->sink <= 0.01 && r->lift <= 0.01);
    bench_report_add(report, &row);
}

static void report_bullet(bench_report *report, const char *name, const char *scene, const cloth_result *r)
{
    bench_row row = {.name = name, .bar = "", .today = "", .verdict = BENCH_INFO};
    snprintf(row.what, sizeof row.what, "%s: Bullet, same run, " SOFT_BULLET_WORDS, scene);
    snprintf(
        row.measured, sizeof row.measured,
        "stretch %.1f %% max, %.2f %% mean, %.0f %% at impact; penetration %.0f mm; %d crossings; %.0f mm/s",
        100.0 * r->end.longest, 100.0 * r->end.mean, 100.0 * r->impact, 1.0e3 * fmax(r->depth, 0.0),
        r->crossings, 1.0e3 * r->last_second);
    bench_row_value(&row, "bullet_stretch_max", r->end.longest);
    bench_row_value(&row, "bullet_stretch_mean", r->end.mean);
    bench_row_value(&row, "bullet_stretch_impact", r->impact);
    bench_row_value(&row, "bullet_depth_m", r->depth);
    bench_row_value(&row, "bullet_crossings", r->crossings);
    bench_row_value(&row, "bullet_rms_6s", r->last_second);
    bench_report_add(report, &row);
}

static void report_others(bench_report *report, const char *name, const char *words, const soft_scene *scene)
{
    static soft_run run;
    int good = 0, crossings = 0;
    double longest = 0.0;
    for (int k = 1; k <= OTHERS; ++k) {
        sn_world_def settings = bench_settings(1);
        settings.gravity = sn_scale(settings.gravity, 1.0f + 1.0e-6f * (float)k);
        cloth_result result = {0};
        if (soft_run_open(&run, scene, &settings) == SN_OK &&
            run_cloth(&run, STEPS, STEPS, &result) == SN_OK) {
            good += result.end.longest <= 0.03 && result.impact <= 0.12 && result.crossings <= 10 ? 1 : 0;
            crossings = result.crossings > crossings ? result.crossings : crossings;
            longest = fmax(longest, result.end.longest);
        }
        soft_run_close(&run);
    }
    bench_row row = {.name = name, .bar = "", .today = "", .verdict = BENCH_INFO};
    snprintf(row.what, sizeof row.what, "%s: %d more runs, gravity changed by millionths", words, OTHERS);
    snprintf(row.measured, sizeof row.measured,
             "%d within the bars of stretch and crossings; at worst %d crossings, %.1f %% stretch", good,
             crossings, 100.0 * longest);
    bench_row_value(&row, "others_good", good);
    bench_row_value(&row, "others_crossings", crossings);
    bench_row_value(&row, "others_stretch", longest);
    bench_report_add(report, &row);
}

static void run_case(bench_report *report, const char *name, bool rolling, const bench_options *options)
{
    int steps = options->quick ? 100 : STEPS;
    const char *words = rolling ? "cloth on a rolling ball (S1b)" : "cloth on a fixed ball (S1a)";
    static soft_scene scene;
    static soft_run run;
    cloth_result ours = {0}, bullet = {0};
    sn_world_def settings = bench_settings(1);
    sn_status status = soft_scene_cloth(&scene, rolling);
    if (status == SN_OK) {
        status = soft_run_open(&run, &scene, &settings);
    }
    if (status == SN_OK) {
        status = run_cloth(&run, steps, options->quick ? steps : REST_STEPS, &ours);
        soft_run_show(&run, name);
    }
    if (status != SN_OK) {
        soft_report_failure(report, name, words, &run, status);
    } else {
        soft_run_close(&run);
        bool has_bullet = soft_run_open_bullet(&run, &scene, SOFT_BULLET_SLICES, SOFT_BULLET_ITERATIONS) &&
                          run_cloth(&run, steps, steps, &bullet) == SN_OK;
        report_stretch(report, name, words, &ours);
        report_contact(report, name, words, &ours);
        report_rest(report, name, words, &ours);
        if (rolling) {
            report_ball(report, name, words, &ours);
        }
        if (!options->quick) {
            report_others(report, name, words, &scene);
        }
        report_cost(report, name, words, &scene, options);
        if (has_bullet) {
            report_bullet(report, name, words, &bullet);
        }
    }
    soft_run_close(&run);
    soft_scene_release(&scene);
}

void bench_cloth_fixed(bench_report *report, const char *name, const bench_options *options)
{
    run_case(report, name, false, options);
}

void bench_cloth_rolling(bench_report *report, const char *name, const bench_options *options)
{
    run_case(report, name, true, options);
}
