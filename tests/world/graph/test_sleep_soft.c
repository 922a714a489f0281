// Deformables fall asleep with their islands and wake with them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/soft_kit.h"
#include "world/core/world.h"

// A cube of tetrahedra that collides, above y = 0 by the gap.
static sn_deformable add_cube(sn_world *world, float x, float gap)
{
    sn_mesh *mesh;
    assert_ok(sn_mesh_box(sn_v(0.4f, 0.4f, 0.4f), 2, 2, 2, &mesh));
    sn_deformable_def def = soft_def(mesh, sn_v(x, 0.205f + gap, 0.0f));
    def.collide = true;
    def.model = sn_model_corotational(1.0e5f, 0.3f);
    def.model.damping = 0.02f;
    sn_deformable cube = soft_add(world, &def);
    sn_mesh_destroy(mesh);
    return cube;
}

// A rope with heavy damping that hangs from the world at (x, 2).
static sn_deformable hang_rope(sn_world *world, float x)
{
    sn_mesh *mesh;
    assert_ok(sn_mesh_line(1.0f, 4, &mesh));
    sn_deformable_def def = soft_def(mesh, sn_v(x, 1.5f, 0.0f));
    def.pose.rotation = sn_quat_axis_angle(sn_v(0.0f, 0.0f, 1.0f), -0.5f * SN_PI);
    def.density = 1.0f;
    def.inextensible.on = true;
    def.linear_damping = 10.0f;
    sn_deformable rope = soft_add(world, &def);
    sn_mesh_destroy(mesh);
    assert_ok(sn_node_fix(world, rope, 0, true));
    return rope;
}

static bool sleeps(const sn_world *world, sn_deformable deformable)
{
    return !sn_deformable_is_awake(world, deformable);
}

// Steps until it sleeps, `most` at most.
static void run_to_sleep(sn_world *world, sn_deformable deformable, int most)
{
    for (int i = 0; i < most && !sleeps(world, deformable); ++i) {
        run_steps(world, 1);
    }
    assert_true(sleeps(world, deformable));
}

// --- falling asleep ----------------------------------------------------------------------------------------

static void test_a_deformable_at_rest_falls_asleep_and_is_reported(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable rope = hang_rope(world, 0.0f);
    int asleep = 0, step = 0;
    for (; step < 300 && asleep == 0; ++step) {
        run_steps(world, 1);
        sn_events events = sn_world_events(world);
        for (int k = 0; k < events.deformable_sleep_count; ++k) {
            assert_true(same_deformable(events.deformable_sleeps[k].deformable, rope));
            assert_true(events.deformable_sleeps[k].asleep);
            ++asleep;
        }
    }
    assert_int_equal(asleep, 1);
    assert_true(step >= 30); // half a second
    assert_true(sleeps(world, rope));
    assert_int_equal(sn_world_statistics(world).awake_deformable_count, 0);
    for (int i = 0; i < 5; ++i) {
        assert_true(sn_length(sn_deformable_velocities(world, rope)[i].velocity) == 0.0f);
    }
    uint64_t steps = sn_world_step_count(world);
    sn_vec3 end = soft_node(world, rope, 4);
    run_steps(world, 60);
    assert_true(sn_world_step_count(world) == steps + 60 && same_vec3(soft_node(world, rope, 4), end));
    assert_int_equal(sn_world_events(world).deformable_move_count, 0);
    sn_world_destroy(world);
}

static void test_those_that_may_not_sleep_stay_awake_with_their_island(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_mesh *mesh;
    assert_ok(sn_mesh_line(1.0f, 1, &mesh));
    sn_deformable_def def = soft_def(mesh, sn_v(0.0f, 0.0f, 0.0f));
    def.density = 1.0f;
    def.gravity_scale = 0.0f;
    def.allow_sleep = false;
    sn_deformable restless = soft_add(world, &def);
    def.allow_sleep = true;
    sn_deformable tied = soft_add(world, &def), loose = soft_add(world, &def);
    (void)soft_tie(world, sn_point_node(restless, 0), sn_point_node(tied, 0));
    run_steps(world, 120);
    assert_true(!sleeps(world, restless) && !sleeps(world, tied) && sleeps(world, loose));
    sn_mesh_destroy(mesh);
    sn_world_destroy(world);
}

static void test_nothing_sleeps_where_sleep_is_off(void **state)
{
    (void)state;
    sn_world *world = soft_restless_world();
    sn_deformable rope = hang_rope(world, 0.0f);
    run_steps(world, 200);
    assert_false(sleeps(world, rope));
    sn_world_destroy(world);
}

// --- islands -----------------------------------------------------------------------------------------------

static void test_anchored_bodies_and_deformables_sleep_and_wake_as_one(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable rope = hang_rope(world, 0.0f), other = hang_rope(world, 5.0f);
    sn_rigid ball = add_ball_at(world, 0.05f, 0.0f, 0.95f, 0.0f);
    assert_ok(sn_rigid_damping_set(world, ball, 10.0f, 10.0f));
    (void)soft_tie(world, sn_point_node(rope, 4), sn_point_on_rigid(world, ball, sn_v(0.0f, 1.0f, 0.0f)));
    run_to_sleep(world, rope, 400);
    assert_false(sn_rigid_is_awake(world, ball));
    run_to_sleep(world, other, 400);
    assert_ok(sn_rigid_impulse_add(world, ball, sn_v(0.1f, 0.0f, 0.0f)));
    assert_false(sleeps(world, rope));
    assert_true(sleeps(world, other));
    run_steps(world, 1);
    sn_events events = sn_world_events(world);
    assert_int_equal(events.deformable_sleep_count, 1);
    assert_false(events.deformable_sleeps[0].asleep);
    assert_int_equal(events.sleep_count, 1);
    run_to_sleep(world, rope, 600);
    assert_false(sn_rigid_is_awake(world, ball));
    sn_world_destroy(world);
}

static void test_what_rests_on_each_other_sleeps_and_wakes_as_one(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    add_floor(world);
    sn_deformable cube = add_cube(world, 0.0f, 0.01f), far = add_cube(world, 5.0f, 0.01f);
    sn_rigid box = add_box_at(world, 0.1f, 0.0f, 0.56f, 0.0f);
    run_to_sleep(world, cube, 600);
    run_to_sleep(world, far, 600);
    assert_false(sn_rigid_is_awake(world, box));
    assert_true(sn_rigid_center(world, box).y > 0.45f);
    sn_vec3 place = sn_rigid_center(world, box);
    assert_ok(sn_rigid_impulse_add(world, box, sn_v(0.0f, 0.5f, 0.0f)));
    assert_true(!sleeps(world, cube) && sleeps(world, far));
    run_to_sleep(world, cube, 600);
    assert_true(sn_distance_between(sn_rigid_center(world, box), place) < 0.02f); // still on it
    assert_ok(sn_deformable_remove(world, cube));
    assert_true(sn_rigid_is_awake(world, box)); // what held it is gone
    run_steps(world, 60);
    assert_true(sn_rigid_center(world, box).y < 0.2f);
    sn_world_destroy(world);
}

static void test_contacts_of_sleepers_are_set_aside_until_one_wakes(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    add_floor(world);
    sn_deformable cubes[2] = {add_cube(world, 0.0f, 0.01f), add_cube(world, 2.0f, 0.01f)};
    run_to_sleep(world, cubes[0], 600);
    run_to_sleep(world, cubes[1], 600);
    run_steps(world, 2);
    const sn_soft_detector *soft = &world->soft;
    int count = soft->contacts.count;
    assert_true(count > 0 && soft->asleep_count == count && soft->is_idle);
    // One goes on: the other's contacts stay aside, and nobody is told that it has left the floor.
    assert_ok(sn_deformable_awake_set(world, cubes[0], true));
    assert_int_equal(soft->asleep_count, 0);
    for (int i = 0; i < 5; ++i) {
        run_steps(world, 1);
        assert_int_equal(sn_world_events(world).deformable_end_count, 0);
        assert_int_equal(soft->contacts.count, count);
        assert_true(soft->asleep_count > 0 && soft->asleep_count < count && !soft->is_idle);
    }
    // What goes takes its contacts along, asleep or not.
    assert_ok(sn_deformable_remove(world, cubes[1]));
    run_steps(world, 1);
    assert_int_equal(soft->contacts.count, count - count / 2);
    sn_world_destroy(world);
}

// --- waking ------------------------------------------------------------------------------------------------

static void test_a_body_that_lands_on_a_sleeper_wakes_it(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    add_floor(world);
    sn_deformable cube = add_cube(world, 0.0f, 0.01f);
    run_to_sleep(world, cube, 600);
    sn_rigid box = add_box_at(world, 0.1f, 0.0f, 1.2f, 0.0f);
    run_steps(world, 10);
    assert_true(sleeps(world, cube)); // it is far away still
    bool woke = false;
    for (int i = 0; i < 60; ++i) {
        run_steps(world, 1);
        woke = woke || !sleeps(world, cube);
    }
    assert_true(woke);
    assert_true(sn_rigid_center(world, box).y > 0.4f);
    sn_world_destroy(world);
}

static void test_a_deformable_that_lands_on_a_sleeper_wakes_it(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    add_floor(world);
    sn_deformable cube = add_cube(world, 0.0f, 0.01f);
    sn_rigid box = add_box_at(world, 0.2f, 3.0f, 0.2f, 0.0f);
    run_to_sleep(world, cube, 600);
    assert_false(sn_rigid_is_awake(world, box));
    (void)add_cube(world, 0.05f, 0.9f);
    (void)add_cube(world, 3.0f, 0.9f);
    bool cube_woke = false, box_woke = false;
    for (int i = 0; i < 60; ++i) {
        run_steps(world, 1);
        cube_woke = cube_woke || !sleeps(world, cube);
        box_woke = box_woke || sn_rigid_is_awake(world, box);
    }
    assert_true(cube_woke && box_woke);
    sn_world_destroy(world);
}

typedef void (*disturbance)(sn_world *world, sn_deformable rope);

static void by_edit(sn_world *world, sn_deformable rope)
{
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    assert_ok(sn_deformable_edit(world, rope, &nodes, &velocities));
}
static void by_fixing(sn_world *world, sn_deformable rope)
{
    assert_ok(sn_node_fix(world, rope, 2, true));
}
static void by_letting_go(sn_world *world, sn_deformable rope)
{
    assert_ok(sn_node_fix(world, rope, 0, false));
}
static void by_target(sn_world *world, sn_deformable rope)
{
    assert_ok(sn_node_target_set(world, rope, 0, sn_v(0.0f, 2.1f, 0.0f)));
}
static void by_force(sn_world *world, sn_deformable rope)
{
    assert_ok(sn_node_force_add(world, rope, 3, sn_v(1.0f, 0.0f, 0.0f)));
}
static void by_anchor(sn_world *world, sn_deformable rope)
{
    (void)soft_tie(world, sn_point_world(sn_v(0.1f, 1.0f, 0.0f)), sn_point_node(rope, 4));
}
static void by_gravity(sn_world *world, sn_deformable rope)
{
    (void)rope;
    assert_ok(sn_world_gravity_set(world, sn_v(1.0f, 0.0f, 0.0f)));
}
static void by_settings(sn_world *world, sn_deformable rope)
{
    (void)rope;
    sn_world_def def = sn_world_settings(world);
    def.sub_steps = 20;
    assert_ok(sn_world_settings_set(world, &def));
}
static void by_request(sn_world *world, sn_deformable rope)
{
    assert_ok(sn_deformable_awake_set(world, rope, true));
}

static void test_whatever_users_do_to_a_sleeper_wakes_it(void **state)
{
    (void)state;
    const disturbance disturbances[] = {by_edit,   by_fixing,  by_letting_go, by_target, by_force,
                                        by_anchor, by_gravity, by_settings,   by_request};
    for (size_t i = 0; i < sizeof disturbances / sizeof *disturbances; ++i) {
        sn_world *world = kit_world();
        sn_deformable rope = hang_rope(world, 0.0f);
        run_to_sleep(world, rope, 300);
        disturbances[i](world, rope);
        assert_false(sleeps(world, rope));
        run_steps(world, 1);
        assert_false(sleeps(world, rope));
        sn_world_destroy(world);
    }
}

static void test_anchors_that_move_or_go_wake_what_they_held(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable rope = hang_rope(world, 0.0f);
    sn_anchor anchor = soft_tie(world, sn_point_world(sn_v(0.0f, 1.0f, 0.0f)), sn_point_node(rope, 4));
    run_to_sleep(world, rope, 300);
    sn_point place = sn_point_world(sn_v(0.05f, 1.0f, 0.0f));
    assert_ok(sn_anchor_point_set(world, anchor, 0, &place));
    assert_false(sleeps(world, rope));
    run_to_sleep(world, rope, 300);
    assert_ok(sn_anchor_remove(world, anchor));
    assert_false(sleeps(world, rope));
    sn_world_destroy(world);
}

static void test_a_moving_support_keeps_and_makes_awake(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable rope = hang_rope(world, 0.0f);
    sn_rigid_def def = sn_rigid_def_default();
    def.type = SN_KINEMATIC;
    def.position = sn_v(0.0f, 0.5f, 0.0f);
    sn_rigid lift;
    assert_ok(sn_rigid_add(world, &def, &lift));
    sn_anchor_def tie = sn_anchor_def_default();
    tie.a = sn_point_rigid(lift, sn_v(0.0f, 0.5f, 0.0f));
    tie.b = sn_point_node(rope, 4);
    tie.compliance = 0.1f;
    assert_ok(sn_anchor_add(world, &tie, NULL));
    run_to_sleep(world, rope, 300); // it stands still
    assert_ok(sn_rigid_linear_velocity_set(world, lift, sn_v(0.001f, 0.0f, 0.0f)));
    run_steps(world, 200); // slow as it is
    assert_false(sleeps(world, rope));
    assert_ok(sn_rigid_linear_velocity_set(world, lift, sn_v(0.0f, 0.0f, 0.0f)));
    run_to_sleep(world, rope, 300);
    sn_world_destroy(world);
}

static void test_sleep_by_request_takes_the_island_along(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable rope = hang_rope(world, 0.0f), other = hang_rope(world, 3.0f);
    sn_rigid ball = add_ball_at(world, 0.05f, 0.0f, 0.95f, 0.0f);
    (void)soft_tie(world, sn_point_node(rope, 4), sn_point_on_rigid(world, ball, sn_v(0.0f, 1.0f, 0.0f)));
    assert_ok(sn_deformable_awake_set(world, rope, false));
    assert_true(sleeps(world, rope) && !sleeps(world, other) && !sn_rigid_is_awake(world, ball));
    assert_ok(sn_rigid_awake_set(world, ball, true));
    assert_false(sleeps(world, rope));
    assert_ok(sn_rigid_awake_set(world, ball, false));
    assert_true(sleeps(world, rope));
    sn_world_destroy(world);
}

// Impulses are remembered: what hangs does not sag when it wakes.
static void test_waking_is_smooth(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable rope = hang_rope(world, 0.0f);
    run_to_sleep(world, rope, 300);
    sn_vec3 end = soft_node(world, rope, 4);
    assert_ok(sn_deformable_awake_set(world, rope, true));
    for (int i = 0; i < 20; ++i) {
        run_steps(world, 1);
        assert_true(sn_distance_between(soft_node(world, rope, 4), end) < 2.0e-4f);
    }
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_a_deformable_at_rest_falls_asleep_and_is_reported),
        test_with_memory(test_those_that_may_not_sleep_stay_awake_with_their_island),
        test_with_memory(test_nothing_sleeps_where_sleep_is_off),
        test_with_memory(test_anchored_bodies_and_deformables_sleep_and_wake_as_one),
        test_with_memory(test_what_rests_on_each_other_sleeps_and_wakes_as_one),
        test_with_memory(test_contacts_of_sleepers_are_set_aside_until_one_wakes),
        test_with_memory(test_a_body_that_lands_on_a_sleeper_wakes_it),
        test_with_memory(test_a_deformable_that_lands_on_a_sleeper_wakes_it),
        test_with_memory(test_whatever_users_do_to_a_sleeper_wakes_it),
        test_with_memory(test_anchors_that_move_or_go_wake_what_they_held),
        test_with_memory(test_a_moving_support_keeps_and_makes_awake),
        test_with_memory(test_sleep_by_request_takes_the_island_along),
        test_with_memory(test_waking_is_smooth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
