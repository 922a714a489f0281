// Deformables on each other: does any get through another, and do contacts carry the weight? And a jelly tied
// to rods, spinning freely: does it keep its momenta?
#include "cases.h"
#include "measure.h"
#include "soft_cases.h"
#include "soft_measure.h"
#include "soft_scenes.h"

#include <math.h>
#include <stdio.h>

enum { STEPS = 500, SECOND = 50, FREE_STEPS = 1000 };

typedef struct stack_result {
    int crossings; ///< between neighbours, and with themselves, at the end
    double force;  ///< of contacts with solids, mean of the last second, against the weight
    double speed;  ///< largest root mean square at the end [m/s]
    double mean_time;
} stack_result;

static int count_crossings(const soft_run *run)
{
    int count = 0;
    for (int i = 0; i < run->scene->body_count; ++i) {
        count += soft_crossings(&run->clouds[i], &run->clouds[i]);
        if (i > 0) {
            count += soft_crossings(&run->clouds[i], &run->clouds[i - 1]);
            count += soft_crossings(&run->clouds[i - 1], &run->clouds[i]);
        }
    }
    return count;
}

static sn_status run_stack(soft_run *run, int steps, stack_result *result)
{
    *result = (stack_result){0};
    double weight = 0.0;
    for (int i = 0; i < run->scene->body_count; ++i) {
        weight += 9.81 * (double)run->scene->bodies[i].def.mass;
    }
    for (int i = 0; i < steps; ++i) {
        sn_status status = soft_run_step(run);
        if (status != SN_OK) {
            return status;
        }
        if (i >= steps - SECOND) {
            result->force += (double)soft_contact_force(run).y / weight / SECOND;
        }
    }
    result->crossings = count_crossings(run);
    for (int i = 0; i < run->scene->body_count; ++i) {
        result->speed = fmax(result->speed, soft_rms_speed(&run->clouds[i]));
    }
    result->mean_time = soft_run_mean_time(run);
    return SN_OK;
}

static void run_case(bench_report *report, const char *name, const char *words,
                     sn_status (*build)(soft_scene *scene), int steps)
{
    static soft_scene scene;
    static soft_run run;
    bench_row row = {
        .name = name, .bar = "none passes another; contact forces = weight to 1 %", .today = "-"};
    sn_world_def settings = bench_settings(1);
    stack_result r = {0};
    sn_status status = build(&scene);
    if (status == SN_OK) {
        status = soft_run_open(&run, &scene, &settings);
    }
    if (status == SN_OK) {
        status = run_stack(&run, steps, &r);
        soft_run_show(&run, name);
    }
    snprintf(row.what, sizeof row.what, "%s, %.0f s", words, (double)SOFT_STEP * steps);
    if (status == SN_OK) {
        snprintf(row.measured, sizeof row.measured,
                 "%d crossings; forces %.4f of the weight; moving at %.2f mm/s; %.2f ms per 20 ms",
                 r.crossings, r.force, 1.0e3 * r.speed, r.mean_time);
        bench_row_value(&row, "crossings", r.crossings);
        bench_row_value(&row, "force", r.force);
        bench_row_value(&row, "rms", r.speed);
        bench_row_value(&row, "ms20", r.mean_time);
        bench_row_judge(&row, r.crossings == 0 && fabs(r.force - 1.0) <= 0.01);
    } else {
        bench_row_fail(&row, run.world, status);
    }
    bench_report_add(report, &row);
    soft_run_close(&run);
    soft_scene_release(&scene);
}

void bench_jelly_stack(bench_report *report, const char *name, const bench_options *options)
{
    run_case(report, name, "ten stacked jellies", soft_scene_stack, options->quick ? 100 : STEPS);
}

void bench_sheets(bench_report *report, const char *name, const bench_options *options)
{
    run_case(report, name, "two sheets on a table", soft_scene_sheets, options->quick ? 100 : STEPS);
}

// --- free --------------------------------------------------------------------------------------------------

static double length_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static double change_of(const double now[3], const double before[3])
{
    const double change[3] = {now[0] - before[0], now[1] - before[1], now[2] - before[2]};
    return length_of(change);
}

// The sum of all momenta without regard to direction: what a change is to be measured against, since the
// momentum of what only spins is zero.
static double moving_mass(const soft_run *run)
{
    double sum = 0.0;
    for (int i = 0; i < run->clouds[0].count; ++i) {
        sum += (double)run->clouds[0].masses[i] * (double)sn_length(run->clouds[0].velocities[i]);
    }
    for (int i = 0; i < run->scene->solid_count; ++i) {
        sum += (double)run->scene->solids[i].mass * (double)sn_length(run->solids[i].velocity);
    }
    return sum;
}

void bench_glued(bench_report *report, const char *name, const bench_options *options)
{
    static soft_scene scene;
    static soft_run run;
    int steps = options->quick ? 250 : FREE_STEPS;
    bench_row row = {.name = name, .bar = "both <= 1e-5", .today = "-"};
    sn_world_def settings = bench_settings(1);
    double linear = 0.0, angular = 0.0;
    sn_status status = soft_scene_glued(&scene);
    if (status == SN_OK) {
        status = soft_run_open(&run, &scene, &settings);
    }
    sn_energy start = sn_world_energy(run.world);
    double size = status == SN_OK ? moving_mass(&run) : 1.0;
    for (int i = 0; i < steps && status == SN_OK; ++i) {
        status = soft_run_step(&run);
        sn_energy now = sn_world_energy(run.world);
        linear = fmax(linear, change_of(now.momentum, start.momentum) / size);
        angular = fmax(angular, change_of(now.angular_momentum, start.angular_momentum) /
                                    length_of(start.angular_momentum));
    }
    snprintf(row.what, sizeof row.what, "jelly tied to two rods, spinning freely, %d steps", steps);
    if (status == SN_OK) {
        snprintf(row.measured, sizeof row.measured,
                 "momentum %.1e, angular momentum %.1e; ties within %.2g mm", linear, angular,
                 1.0e3 * soft_tie_error(&run));
        bench_row_value(&row, "linear", linear);
        bench_row_value(&row, "angular", angular);
        bench_row_value(&row, "tie_error_m", soft_tie_error(&run));
        bench_row_judge(&row, linear <= 1e-5 && angular <= 1e-5);
    } else {
        bench_row_fail(&row, run.world, status);
    }
    bench_report_add(report, &row);
    soft_run_close(&run);
    soft_scene_release(&scene);
}
