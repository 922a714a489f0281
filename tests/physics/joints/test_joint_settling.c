// What hangs on joints comes to rest where rigid joints would hold it, whatever the sub-steps, and begins
// there if it was added at rest.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/physics.h"

#include <math.h>

#define STEP (1.0f / 60.0f)

static sn_world *world_of(bool settles, int sub_steps)
{
    sn_world_def def = sn_world_def_default();
    def.sleep = false;
    def.sub_steps = sub_steps;
    def.long_range = sn_long_range_off();
    def.long_range.settle = settles;
    sn_world *world = NULL;
    must(sn_world_create(&def, &world));
    return world;
}

static sn_rigid add_rod(sn_world *world, sn_vec3 from, sn_vec3 to, float mass)
{
    sn_vec3 along = sn_sub(to, from);
    sn_pose pose = {sn_lerp(from, to, 0.5f),
                    sn_quat_axis_angle(sn_v(0.0f, 0.0f, 1.0f), atan2f(along.y, along.x))};
    float moment = mass * sn_length_squared(along) / 12.0f;
    sn_rigid rod = physics_lump(world, mass, sn_v(0.1f * moment, moment, moment), pose);
    must(sn_rigid_damping_set(world, rod, 0.5f, 0.5f));
    return rod;
}

static sn_constraint add_ball(sn_world *world, sn_rigid a, sn_rigid b, sn_vec3 point)
{
    sn_ball_def ball = sn_ball_def_default();
    sn_constraint constraint;
    must(sn_constraint_place(world, &ball.common, a, b, point, sn_v(1.0f, 0.0f, 0.0f)));
    must(sn_ball_add(world, &ball, &constraint));
    return constraint;
}

// --- a bridge of rods --------------------------------------------------------------------------------------

enum { RODS = 40 };

// A chain of rods of length l and weight w hangs with the horizontal force H: the rod between its joints i
// and i + 1 carries the mean of their vertical forces, tan θ = w (n/2 − i − ½)/H. H follows from the span.
static float slope_of(int i, float pull)
{
    return ((float)i + 0.5f - 0.5f * (float)RODS) / pull;
}

static float span_of(float pull)
{
    float sum = 0.0f;
    for (int i = 0; i < RODS; ++i) {
        sum += 1.0f / sqrtf(1.0f + slope_of(i, pull) * slope_of(i, pull));
    }
    return sum;
}

static float pull_for(float span)
{
    float low = 0.01f, high = 1.0e4f;
    for (int i = 0; i < 60; ++i) {
        float middle = sqrtf(low * high);
        *(span_of(middle) < span ? &low : &high) = middle;
    }
    return low;
}

typedef struct bridge_case {
    bool settles;
    int sub_steps;
    float length, mass; // of a rod
    int balls;          // that join two of them, side by side
    float speed;        // downwards, with which rods begin
    float seconds;
} bridge_case;

static const bridge_case usual = {true, 14, 0.2f, 1.0f, 1, 0.0f, 20.0f};

static void join(sn_world *world, sn_rigid a, sn_rigid b, sn_vec3 at, int balls)
{
    for (int i = 0; i < balls; ++i) {
        add_ball(world, a, b, sn_add(at, sn_v(0.0f, 0.0f, 0.1f * ((float)i - 0.5f * (float)(balls - 1)))));
    }
}

// The height of the middle of a bridge in the end, by the height where it should hang. It begins there.
static double height_of_middle(bridge_case bridge)
{
    sn_world *world = world_of(bridge.settles, bridge.sub_steps);
    float pull = pull_for(0.97f * (float)RODS);
    sn_vec3 at = {0.0f, 0.0f, 0.0f};
    sn_rigid before = sn_world_ground(world), middle = before;
    for (int i = 0; i < RODS; ++i) {
        float slope = slope_of(i, pull), part = bridge.length / sqrtf(1.0f + slope * slope);
        sn_vec3 next = sn_add(at, sn_v(part, part * slope, 0.0f));
        sn_rigid rod = add_rod(world, at, next, bridge.mass);
        must(sn_rigid_linear_velocity_set(world, rod, sn_v(0.0f, -bridge.speed, 0.0f)));
        join(world, before, rod, at, bridge.balls);
        middle = i == RODS / 2 ? rod : middle;
        before = rod;
        at = next;
    }
    join(world, sn_world_ground(world), before, at, bridge.balls);
    double ideal = (double)sn_rigid_center(world, middle).y;
    physics_run(world, STEP, bridge.seconds);
    double height = (double)sn_rigid_center(world, middle).y / ideal;
    sn_world_destroy(world);
    return height;
}

// It begins with a jolt, so that nothing is known of what joints carry.
static void test_a_bridge_of_rods_hangs_where_rigid_joints_hold_it(void **state)
{
    (void)state;
    bridge_case bridge = usual;
    bridge.speed = 0.05f;
    for (bridge.sub_steps = 8; bridge.sub_steps <= 32; bridge.sub_steps *= 2) {
        check_relative(height_of_middle(bridge), 1.0, 0.01, "%d sub-steps: sag", bridge.sub_steps);
    }
    bridge.sub_steps = 14;
    bridge.length = 2.0f;
    check_relative(height_of_middle(bridge), 1.0, 0.01, "ten times as long: sag");
    bridge.length = 0.2f;
    bridge.mass = 100.0f;
    check_relative(height_of_middle(bridge), 1.0, 0.01, "a hundred times as heavy: sag");
    bridge.mass = 1.0f;
    bridge.settles = false;
    bridge.sub_steps = 8;
    assert_true(height_of_middle(bridge) > 1.03); // or there was nothing to settle
}

// --- cold start --------------------------------------------------------------------------------------------

static void test_a_bridge_added_at_rest_stays_where_it_is(void **state)
{
    (void)state;
    bridge_case bridge = usual;
    bridge.seconds = 1.0f;
    for (bridge.sub_steps = 4; bridge.sub_steps <= 16; bridge.sub_steps *= 2) {
        check_relative(height_of_middle(bridge), 1.0, 0.003, "%d sub-steps: sag", bridge.sub_steps);
    }
    bridge.sub_steps = 14;
    bridge.balls = 3;
    check_relative(height_of_middle(bridge), 1.0, 0.003, "three balls a seam: sag");
    bridge.balls = 1;
    bridge.length = 2.0f;
    bridge.mass = 0.01f;
    check_relative(height_of_middle(bridge), 1.0, 0.003, "ten times as long, a hundredth of the mass: sag");
    bridge = usual;
    bridge.seconds = 1.0f;
    bridge.settles = false;
    assert_true(height_of_middle(bridge) > 1.01); // or joints would not have yielded
}

// Thirty rods hang straight down. Their damping takes a thousandth of what joints carry.
static void test_joints_carry_what_hangs_on_them_in_the_first_step(void **state)
{
    (void)state;
    enum { COUNT = 30 };
    sn_world *world = world_of(true, 0);
    sn_rigid before = sn_world_ground(world);
    sn_constraint balls[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        sn_vec3 from = sn_v(0.0f, -0.3f * (float)i, 0.0f), to = sn_v(0.0f, -0.3f * (float)(i + 1), 0.0f);
        sn_rigid rod = add_rod(world, from, to, 1.0f);
        balls[i] = add_ball(world, before, rod, from);
        before = rod;
    }
    must(sn_world_step(world, STEP));
    for (int i = 0; i < COUNT; ++i) {
        check_relative((double)sn_constraint_force(world, balls[i]).y, 9.81 * (double)(COUNT - i), 2e-3,
                       "force of joint %d", i);
    }
    sn_world_destroy(world);
}

// A joint that may carry half of what hangs on it lets it fall with half of gravity.
static void test_a_joint_of_limited_force_does_not_begin_with_more(void **state)
{
    (void)state;
    sn_world *world = world_of(true, 0);
    sn_rigid rod = add_rod(world, sn_v(0.0f, 0.0f, 0.0f), sn_v(0.0f, -1.0f, 0.0f), 1.0f);
    must(sn_rigid_damping_set(world, rod, 0.0f, 0.0f));
    sn_ball_def ball = sn_ball_def_default();
    must(sn_constraint_place(world, &ball.common, sn_world_ground(world), rod, sn_v(0.0f, 0.0f, 0.0f),
                             sn_v(1.0f, 0.0f, 0.0f)));
    ball.common.max_force = 0.5f * 9.81f;
    must(sn_ball_add(world, &ball, NULL));
    must(sn_world_step(world, STEP));
    check_relative((double)sn_rigid_linear_velocity(world, rod).y, -0.5 * 9.81 * (double)STEP, 0.01,
                   "velocity");
    sn_world_destroy(world);
}

// --- what must not follow ----------------------------------------------------------------------------------

// Two rods between points that are too far apart: no impulse closes that. The harder rows pull, the slower
// references follow: by the cube root of time, not by its exponential.
static void test_what_cannot_be_met_pulls_with_a_bounded_force(void **state)
{
    (void)state;
    double forces[2];
    for (int settles = 0; settles < 2; ++settles) {
        sn_world *world = world_of(settles != 0, 14);
        const sn_vec3 left = {0.0f, 0.0f, 0.0f}, middle = {1.0f, 0.0f, 0.0f}, right = {2.0f, 0.0f, 0.0f};
        sn_rigid rods[2] = {add_rod(world, left, middle, 1.0f), add_rod(world, middle, right, 1.0f)};
        add_ball(world, rods[0], rods[1], middle);
        add_ball(world, sn_world_ground(world), rods[0], left);
        sn_ball_def ball = sn_ball_def_default();
        ball.common.a = sn_point_rigid(rods[1], sn_v(0.5f, 0.0f, 0.0f));
        ball.common.b = sn_point_world(sn_v(2.0005f, 0.0f, 0.0f));
        sn_constraint constraint;
        must(sn_ball_add(world, &ball, &constraint));
        physics_run(world, STEP, 60.0f);
        forces[settles] = (double)sn_length(sn_constraint_force(world, constraint));
        sn_world_destroy(world);
    }
    check_below(forces[1] / forces[0], 10.0, "force that settles, by that which does not");
}

// What swings keeps its energy: references neither pump it up nor brake it.
static void test_a_chain_that_swings_keeps_its_energy(void **state)
{
    (void)state;
    sn_world *world = world_of(true, 14);
    sn_rigid before = sn_world_ground(world);
    for (int i = 0; i < 5; ++i) {
        sn_vec3 from = sn_v(0.3f * (float)i, 0.0f, 0.0f), to = sn_v(0.3f * (float)(i + 1), 0.0f, 0.0f);
        sn_rigid rod = add_rod(world, from, to, 1.0f);
        must(sn_rigid_damping_set(world, rod, 0.0f, 0.0f));
        add_ball(world, before, rod, from);
        before = rod;
    }
    double start = sn_world_energy(world).potential, most = start;
    for (int i = 0; i < 1200; ++i) {
        must(sn_world_step(world, STEP));
        sn_energy now = sn_world_energy(world);
        most = fmax(most, now.kinetic + now.potential);
    }
    double depth = 5.0 * 9.81 * 0.75; // down to hanging straight
    check_below((most - start) / depth, 0.01, "energy gained, by that of the fall");
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {physics_test(test_a_bridge_of_rods_hangs_where_rigid_joints_hold_it),
                                       physics_test(test_a_bridge_added_at_rest_stays_where_it_is),
                                       physics_test(test_joints_carry_what_hangs_on_them_in_the_first_step),
                                       physics_test(test_a_joint_of_limited_force_does_not_begin_with_more),
                                       physics_test(test_what_cannot_be_met_pulls_with_a_bounded_force),
                                       physics_test(test_a_chain_that_swings_keeps_its_energy)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
