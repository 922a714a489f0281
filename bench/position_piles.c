// Piles under the position solver, and ten scenes that are as hostile as any: long steps, stiff springs,
// large mass ratios, for 10,000 steps.
#include "cases.h"
#include "measure.h"
#include "support/hostile_scenes.h"
#include "support/physics.h"
#include "support/random.h"

#include <math.h>
#include <stdio.h>

// --- a pile ------------------------------------------------------------------------------------------------

enum { PILE_SIDE = 10, PILE_COUNT = PILE_SIDE * PILE_SIDE * PILE_SIDE, PILE_CONTACTS = 64 };

// A thousand boxes of 0.2 m, dropped one layer after the other, each a little off its place and turned.
static void build_pile(sn_world *world, sn_rigid boxes[PILE_COUNT])
{
    test_random random = {11};
    physics_floor(world, sn_shape_def_default());
    for (int i = 0; i < PILE_COUNT; ++i) {
        sn_vec3 place =
            sn_v(0.23f * (float)(i % PILE_SIDE), 0.15f + 0.25f * (float)(i / PILE_SIDE / PILE_SIDE),
                 0.23f * (float)(i / PILE_SIDE % PILE_SIDE));
        sn_pose pose = {sn_add(place, test_random_vec3(&random, 0.01f)),
                        sn_quat_axis_angle(sn_v(0.0f, 1.0f, 0.0f), 0.02f * (float)(i % 7))};
        boxes[i] = physics_box(world, sn_shape_def_default(), sn_v(0.1f, 0.1f, 0.1f), pose);
    }
}

typedef struct pile_state {
    double ground, weight, depth, speed; // [N], [N], [m], root of mean square [m/s]
} pile_state;

// Forces between boxes cancel in the sum over all of them.
static pile_state look_at_pile(const sn_world *world, const sn_rigid boxes[PILE_COUNT])
{
    static sn_contact contacts[PILE_CONTACTS];
    pile_state now = {0};
    for (int i = 0; i < PILE_COUNT; ++i) {
        int count = sn_rigid_contacts(world, boxes[i], contacts, PILE_CONTACTS);
        now.weight += physics_weight(world, boxes[i]);
        now.ground += (double)sn_rigid_contact_force(world, boxes[i]).y;
        now.speed += (double)sn_length_squared(sn_rigid_linear_velocity(world, boxes[i])) / PILE_COUNT;
        for (int c = 0; c < count && c < PILE_CONTACTS; ++c) {
            for (int p = 0; p < contacts[c].count; ++p) {
                now.depth = fmax(now.depth, -(double)contacts[c].points[p].separation);
            }
        }
    }
    now.speed = sqrt(now.speed);
    return now;
}

static void add_pile(bench_report *report, const char *name, const bench_options *options,
                     sn_position_method method, int iterations)
{
    static sn_rigid boxes[PILE_COUNT];
    const float step = 1.0f / 60.0f;
    sn_world_def def = bench_position_settings(0, iterations);
    def.position.method = method;
    sn_world *world = NULL;
    must(sn_world_create(&def, &world));
    build_pile(world, boxes);
    double start = bench_cpu_clock();
    physics_run(world, step, options->quick ? 3.0f : 10.0f);
    pile_state now = look_at_pile(world, boxes);
    bench_row row = {.name = name, .bar = "weight +- 1 %; <= 1 mm; < 5 mm/s", .today = "-"};
    snprintf(row.what, sizeof row.what, "1000 boxes of 0.2 m dropped on the ground, after %g s, %s",
             options->quick ? 3.0 : 10.0,
             method == SN_POSITION_GAUSS_SEIDEL ? "one contact after the other" : "all at once, accelerated");
    snprintf(row.measured, sizeof row.measured,
             "forces of the ground %+.2f %% off the weight, depth %.2f mm, RMS %.2f mm/s; %.1f ms a step",
             100.0 * (now.ground / now.weight - 1.0), 1.0e3 * now.depth, 1.0e3 * now.speed,
             (bench_cpu_clock() - start) / (options->quick ? 180.0 : 600.0));
    bench_row_value(&row, "force_ratio", now.ground / now.weight);
    bench_row_value(&row, "depth_m", now.depth);
    bench_row_value(&row, "rms_m_s", now.speed);
    bool is_good = fabs(now.ground / now.weight - 1.0) <= 0.01 && now.depth <= 1.0e-3 && now.speed < 5.0e-3;
    row.verdict = is_good ? BENCH_PASS : BENCH_MISS;
    bench_report_add(report, &row);
    sn_world_destroy(world);
}

// Where contacts are solved one after the other and, by the accelerated method, on their cones all at once.
void bench_position_pile(bench_report *report, const char *name, const bench_options *options)
{
    add_pile(report, name, options, SN_POSITION_GAUSS_SEIDEL, 4);
    add_pile(report, name, options, SN_POSITION_JACOBI_ACCELERATED, 20);
}

// --- hostile scenes ----------------------------------------------------------------------------------------

void bench_position_hostile(bench_report *report, const char *name, const bench_options *options)
{
    int steps = options->quick ? 500 : 10000;
    for (int i = 0; i < HOSTILE_SCENES; ++i) {
        hostile_result result = hostile_run(&hostile_scenes[i], steps);
        bench_row row = {
            .name = name, .bar = "no explosion, nothing non-finite, nothing frozen", .today = "-"};
        snprintf(row.what, sizeof row.what, "%s; %d steps of 1/30 s", hostile_scenes[i].name, steps);
        snprintf(row.measured, sizeof row.measured, "at most %.3g m away and %.3g m/s fast, %d frozen",
                 result.farthest, result.fastest, result.frozen);
        bench_row_value(&row, "fastest_m_s", result.fastest);
        bench_row_value(&row, "frozen", result.frozen);
        row.verdict = hostile_is_sane(&result) ? BENCH_PASS : BENCH_MISS;
        bench_report_add(report, &row);
    }
}
