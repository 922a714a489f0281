// The ten mixed scenes (support/mixed_scenes.h) by both solvers: whether they come to the same rest, what an
// iteration costs beside a velocity sub-step, and what equal errors cost.
#include "cases.h"
#include "measure.h"
#include "support/mixed_scenes.h"
#include "support/physics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const float position_step = 1.0f / 60.0f;

// --- agreement ---------------------------------------------------------------------------------------------

static void agree(bench_report *report, const char *name, const mixed_scene *scene, int sub_steps)
{
    bench_row row = {.name = name, .bar = "<= 2 % at 8 sub-steps or more", .today = "-"};
    sn_world_def velocity = bench_settings(1), position = bench_position_settings(sub_steps, 4);
    velocity.sub_steps = sub_steps;
    mixed_value by_velocity[MIXED_VALUES], by_position[MIXED_VALUES];
    mixed_run(scene, &velocity, position_step, by_velocity);
    mixed_run(scene, &position, position_step, by_position);
    int which;
    double worst = mixed_difference(by_position, by_velocity, &which);
    snprintf(row.what, sizeof row.what, "%s, %d sub-steps", scene->name, sub_steps);
    snprintf(row.measured, sizeof row.measured, "%.2f %% (%s: %.5g by positions, %.5g by velocities)",
             100.0 * worst, by_position[which].name, by_position[which].value, by_velocity[which].value);
    bench_row_value(&row, "largest_difference", worst);
    row.verdict = worst <= 0.02 ? BENCH_PASS : BENCH_MISS;
    bench_report_add(report, &row);
}

void bench_position_agree(bench_report *report, const char *name, const bench_options *options)
{
    for (int i = 0; i < MIXED_SCENES; ++i) {
        for (int sub_steps = 8; sub_steps <= (options->quick ? 8 : 16); sub_steps *= 2) {
            agree(report, name, &mixed_scenes[i], sub_steps);
        }
    }
}

// --- cost --------------------------------------------------------------------------------------------------

// Both solvers, each with half the sub-steps or iterations and with all of them.
enum { HALF_VELOCITY, WHOLE_VELOCITY, HALF_POSITION, WHOLE_POSITION, COSTS };

// A scene that has come to rest, in the same way for all.
static sn_world *at_rest(const mixed_scene *scene, const sn_world_def *settings)
{
    mixed_things things;
    sn_world_def before = bench_settings(1);
    before.long_range = sn_long_range_off();
    sn_world *world = mixed_open(scene, &before, &things);
    physics_run(world, position_step, scene->seconds);
    must(sn_world_settings_set(world, settings));
    physics_run(world, position_step, 0.1f);
    return world;
}

// CPU times of a step, the least of so many [ms]. Steps take turns: machines change their speed.
static void times_of_step(const mixed_scene *scene, int steps, double least[COSTS])
{
    sn_world *worlds[COSTS];
    for (int k = 0; k < COSTS; ++k) {
        bool is_half = k == HALF_VELOCITY || k == HALF_POSITION;
        sn_world_def settings = bench_settings(1);
        settings.sub_steps = is_half ? 64 : 128; // in longer ones, stiff elements are swept twice
        settings = k < HALF_POSITION ? settings : bench_position_settings(8, is_half ? 8 : 16);
        settings.long_range = sn_long_range_off();
        worlds[k] = at_rest(scene, &settings);
        least[k] = INFINITY;
    }
    for (int i = 0; i < steps * COSTS; ++i) {
        double start = bench_cpu_clock();
        must(sn_world_step(worlds[i % COSTS], position_step));
        least[i % COSTS] = fmin(least[i % COSTS], bench_cpu_clock() - start);
    }
    for (int k = 0; k < COSTS; ++k) {
        sn_world_destroy(worlds[k]);
    }
}

void bench_position_cost(bench_report *report, const char *name, const bench_options *options)
{
    for (int i = 0; i < MIXED_SCENES; ++i) {
        double least[COSTS];
        times_of_step(&mixed_scenes[i], options->quick ? 10 : 60, least);
        double sub_step = (least[WHOLE_VELOCITY] - least[HALF_VELOCITY]) / 64.0;
        double iteration = (least[WHOLE_POSITION] - least[HALF_POSITION]) / 64.0;
        bench_row row = {.name = name, .bar = "<= 1.0 x", .today = "-"};
        snprintf(row.what, sizeof row.what, "an iteration by a velocity sub-step: %s", mixed_scenes[i].name);
        snprintf(row.measured, sizeof row.measured, "%.2f x (%.1f and %.1f us)", iteration / sub_step,
                 1.0e3 * iteration, 1.0e3 * sub_step);
        bench_row_value(&row, "ratio", iteration / sub_step);
        row.verdict = iteration <= sub_step ? BENCH_PASS : BENCH_MISS;
        bench_report_add(report, &row);
    }
}

// --- time at equal error -----------------------------------------------------------------------------------

enum { MOST_PLACES = 512 };

// Where everything is half a second after a scene began.
static int places_of(const mixed_scene *scene, const sn_world_def *settings, sn_vec3 places[MOST_PLACES],
                     double *time)
{
    mixed_things things;
    sn_world *world = mixed_open(scene, settings, &things);
    double start = bench_cpu_clock();
    int count = 0;
    physics_run(world, position_step, 0.5f);
    *time = (bench_cpu_clock() - start) / 30.0;
    for (int i = 0; i < MIXED_RIGIDS; ++i) {
        if (things.rigids[i].index != 0) {
            places[count++] = sn_rigid_position(world, things.rigids[i]);
        }
    }
    for (int i = 0; things.soft.index != 0 && i < sn_deformable_node_count(world, things.soft); ++i) {
        places[count++] = sn_deformable_nodes(world, things.soft)[i].position;
    }
    sn_world_destroy(world);
    return count;
}

static double distance_of(const sn_vec3 *a, const sn_vec3 *b, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i) {
        sum += (double)sn_length_squared(sn_sub(a[i], b[i])) / count;
    }
    return sqrt(sum);
}

typedef struct race {
    int sub_steps, iterations; ///< 0 iterations: the velocity solver
    double time, error;        ///< [ms] a step, [m]
} race;

static sn_world_def settings_of(int sub_steps, int iterations)
{
    sn_world_def def = iterations > 0 ? bench_position_settings(sub_steps, iterations) : bench_settings(1);
    def.sub_steps = sub_steps;
    def.long_range.sub_steps = false;
    return def;
}

#define RACE_ERROR 0.003 // [m]

// The fastest of some settings that is no farther than that from the reference.
static race race_of(const mixed_scene *scene, const sn_vec3 *reference, bool by_position)
{
    static const int sub_steps[] = {1, 2, 4, 8, 16, 32, 64}, iterations[] = {1, 2, 4, 10};
    static sn_vec3 places[MOST_PLACES];
    race best = {.time = INFINITY};
    for (int s = 0; s < 7; ++s) {
        for (int k = 0; k < (by_position ? 4 : 1); ++k) {
            race one = {sub_steps[s], by_position ? iterations[k] : 0, 0.0, 0.0};
            sn_world_def def = settings_of(one.sub_steps, one.iterations);
            int count = places_of(scene, &def, places, &one.time);
            one.error = distance_of(places, reference, count);
            best = one.error <= RACE_ERROR && one.time < best.time ? one : best;
        }
    }
    return best;
}

// "0.019 ms (2)", "0.08 ms (16 x 1)" or "none".
static void tell_race(char *text, size_t size, const race *race)
{
    if (race->sub_steps == 0) {
        snprintf(text, size, "none up to 64 sub-steps");
    } else if (race->iterations == 0) {
        snprintf(text, size, "%.3f ms (%d)", race->time, race->sub_steps);
    } else {
        snprintf(text, size, "%.3f ms (%d x %d)", race->time, race->sub_steps, race->iterations);
    }
}

// The reference is what both solvers come to in many sub-steps; how far they are apart then is told.
void bench_position_time(bench_report *report, const char *name, const bench_options *options)
{
    static sn_vec3 reference[MOST_PLACES], other[MOST_PLACES];
    for (int i = 0; i < (options->quick ? 2 : MIXED_SCENES); ++i) {
        double unused;
        sn_world_def velocity = settings_of(256, 0), position = settings_of(256, 4);
        int count = places_of(&mixed_scenes[i], &velocity, reference, &unused);
        places_of(&mixed_scenes[i], &position, other, &unused);
        double apart = distance_of(reference, other, count);
        race by_velocity = race_of(&mixed_scenes[i], reference, false);
        race by_position = race_of(&mixed_scenes[i], reference, true);
        bench_row row = {.name = name, .bar = "", .today = "-", .verdict = BENCH_INFO};
        snprintf(row.what, sizeof row.what, "%s: places after 0.5 s to %g mm", mixed_scenes[i].name,
                 1.0e3 * RACE_ERROR);
        char texts[2][64];
        tell_race(texts[0], sizeof texts[0], &by_velocity);
        tell_race(texts[1], sizeof texts[1], &by_position);
        snprintf(row.measured, sizeof row.measured, "velocity %s, position %s; references %.2f mm apart",
                 texts[0], texts[1], 1.0e3 * apart);
        bench_row_value(&row, "velocity_ms", by_velocity.time);
        bench_row_value(&row, "position_ms", by_position.time);
        bench_report_add(report, &row);
    }
}
