// Sleep: islands rest and wake together, whatever holds them together; what sleeps costs nothing; what loses
// its support wakes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/world_kit.h"
#include "world/core/world.h"

static void make_stack(sn_world *world, float x, sn_rigid boxes[3])
{
    for (int i = 0; i < 3; ++i) {
        boxes[i] = add_box_at(world, 0.5f, x, 0.5f + (float)i, 0.0f);
    }
}

// On a floor.
static sn_world *world_with_stack(sn_rigid stack[3])
{
    sn_world *world = kit_world();
    add_floor(world);
    make_stack(world, 0.0f, stack);
    return world;
}

static int awake_among(const sn_world *world, const sn_rigid *bodies, int count)
{
    int awake = 0;
    for (int i = 0; i < count; ++i) {
        awake += sn_rigid_is_awake(world, bodies[i]);
    }
    return awake;
}

// Steps until the body sleeps; fails after `limit`.
static int steps_to_sleep(sn_world *world, sn_rigid body, int limit)
{
    int steps = 0;
    while (sn_rigid_is_awake(world, body)) {
        assert_true(steps++ < limit);
        run_steps(world, 1);
    }
    return steps;
}

// --- islands -------------------------------------------------------------------------------------

static void test_a_stack_sleeps_and_wakes_as_one_and_leaves_others_alone(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    add_floor(world);
    sn_rigid left[3], right[3];
    make_stack(world, -3.0f, left);
    make_stack(world, 3.0f, right);
    run_steps(world, 3);
    assert_int_equal(sn_world_statistics(world).island_count, 2);
    // Never some of a stack.
    while (awake_among(world, left, 3) + awake_among(world, right, 3) > 0) {
        assert_true(sn_world_step_count(world) < 200);
        run_steps(world, 1);
        assert_int_equal(awake_among(world, left, 3) % 3, 0);
        assert_int_equal(awake_among(world, right, 3) % 3, 0);
    }
    assert_ok(sn_rigid_awake_set(world, left[2], true));
    assert_int_equal(awake_among(world, left, 3), 3);
    run_steps(world, 5);
    assert_int_equal(awake_among(world, right, 3), 0);
    assert_int_equal(sn_world_statistics(world).island_count, 1);
    sn_world_destroy(world);
}

// A stack that has lain awake for ten seconds, and may sleep then.
static void test_falling_asleep_for_the_first_time_needs_no_memory(void **state)
{
    (void)state;
    sn_rigid stack[3];
    sn_world *world = world_with_stack(stack);
    sn_world_def def = sn_world_settings(world);
    def.sleep = false;
    assert_int_equal(sn_world_settings_set(world, &def), SN_OK);
    run_steps(world, 600);
    def.sleep = true;
    assert_int_equal(sn_world_settings_set(world, &def), SN_OK);
    uint64_t before = sn_world_statistics(world).allocations;
    (void)steps_to_sleep(world, stack[0], 120);
    assert_int_equal(sn_world_statistics(world).allocations, before);
    sn_world_destroy(world);
}

static void test_one_that_may_not_sleep_keeps_its_island_awake(void **state)
{
    (void)state;
    sn_rigid stack[3];
    sn_world *world = world_with_stack(stack);
    assert_ok(sn_rigid_allow_sleep_set(world, stack[1], false));
    run_steps(world, 180);
    assert_int_equal(awake_among(world, stack, 3), 3);
    assert_ok(sn_rigid_allow_sleep_set(world, stack[1], true));
    (void)steps_to_sleep(world, stack[0], 60);
    assert_int_equal(awake_among(world, stack, 3), 0);
    // Forbidding it again wakes all.
    assert_ok(sn_rigid_allow_sleep_set(world, stack[2], false));
    assert_int_equal(awake_among(world, stack, 3), 3);
    sn_world_destroy(world);
}

static void test_what_is_hit_wakes_with_its_island(void **state)
{
    (void)state;
    sn_rigid stack[3];
    sn_world *world = world_with_stack(stack);
    (void)steps_to_sleep(world, stack[0], 200);
    sn_rigid ball = add_ball_at(world, 0.2f, -3.0f, 1.5f, 0.0f);
    assert_ok(sn_rigid_linear_velocity_set(world, ball, sn_v(10.0f, 0.0f, 0.0f)));
    int steps = 0;
    while (awake_among(world, stack, 3) == 0) {
        assert_true(sn_rigid_position(world, ball).x < -0.69f);
        assert_true(steps++ < 30);
        run_steps(world, 1);
    }
    assert_int_equal(awake_among(world, stack, 3), 3);
    run_steps(world, 10);
    assert_true(sn_rigid_position(world, stack[1]).x > 1e-3f);
    sn_world_destroy(world);
}

// A ball rolls against one box; the box touches another with a sleeping island of its own.
static void test_waking_spreads_from_island_to_island_by_touch(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    add_floor(world);
    sn_rigid first = add_box_at(world, 0.5f, 0.0f, 0.5f, 0.0f);
    (void)steps_to_sleep(world, first, 200);
    // Put beside it when it sleeps already, and asleep too.
    sn_rigid second = add_box_at(world, 0.5f, 1.005f, 0.5f, 0.0f);
    assert_ok(sn_rigid_awake_set(world, second, false));
    assert_false(sn_rigid_is_awake(world, first));
    run_steps(world, 2);
    assert_ok(sn_rigid_awake_set(world, first, true));
    run_steps(world, 2);
    assert_true(sn_rigid_is_awake(world, second));
    sn_world_destroy(world);
}

// --- joints --------------------------------------------------------------------------------------

static sn_constraint add_rope(sn_world *world, sn_rigid a, sn_rigid b, sn_vec3 at_a, sn_vec3 at_b)
{
    sn_distance_def def = sn_distance_def_default();
    assert_ok(sn_constraint_place_points(world, &def.common, a, b, at_a, at_b));
    def.upper = sn_distance_between(at_a, at_b) + 5.0f; // slack: it never pulls
    sn_constraint rope;
    assert_ok(sn_distance_add(world, &def, &rope));
    return rope;
}

static void test_bodies_on_a_joint_are_one_island_however_far_apart(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    add_floor(world);
    sn_rigid boxes[2] = {add_box_at(world, 0.5f, -5.0f, 0.5f, 0.0f),
                         add_box_at(world, 0.5f, 5.0f, 0.5f, 0.0f)};
    sn_constraint rope = add_rope(world, boxes[0], boxes[1], sn_v(-5.0f, 0.5f, 0.0f), sn_v(5.0f, 0.5f, 0.0f));
    assert_ok(sn_rigid_allow_sleep_set(world, boxes[1], false));
    run_steps(world, 120);
    assert_int_equal(awake_among(world, boxes, 2), 2);
    assert_ok(sn_rigid_allow_sleep_set(world, boxes[1], true));
    (void)steps_to_sleep(world, boxes[1], 100);
    assert_int_equal(awake_among(world, boxes, 2), 0);
    assert_ok(sn_rigid_awake_set(world, boxes[0], true));
    assert_int_equal(awake_among(world, boxes, 2), 2);
    (void)steps_to_sleep(world, boxes[1], 100);
    // Without the rope they have nothing to do with each other any more.
    assert_ok(sn_constraint_remove(world, rope));
    assert_int_equal(awake_among(world, boxes, 2), 2);
    (void)steps_to_sleep(world, boxes[0], 100);
    assert_ok(sn_rigid_awake_set(world, boxes[0], true));
    run_steps(world, 3);
    assert_false(sn_rigid_is_awake(world, boxes[1]));
    sn_world_destroy(world);
}

static void test_the_ground_does_not_join_what_hangs_on_it(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_rigid balls[2];
    for (int i = 0; i < 2; ++i) {
        float x = 3.0f * (float)i;
        balls[i] = add_ball_at(world, 0.3f, x, 0.0f, 0.0f);
        sn_ball_def def = sn_ball_def_default();
        assert_ok(sn_constraint_place(world, &def.common, sn_world_ground(world), balls[i],
                                      sn_v(x, 1.0f, 0.0f), sn_v(1.0f, 0.0f, 0.0f)));
        assert_ok(sn_ball_add(world, &def, NULL));
    }
    (void)steps_to_sleep(world, balls[0], 100);
    (void)steps_to_sleep(world, balls[1], 100);
    assert_ok(sn_rigid_impulse_add(world, balls[0], sn_v(0.0f, 0.0f, 20.0f)));
    run_steps(world, 10);
    assert_int_equal(awake_among(world, balls, 2), 1);
    sn_world_destroy(world);
}

// --- what it costs -------------------------------------------------------------------------------

static void test_what_sleeps_costs_nothing(void **state)
{
    (void)state;
    sn_rigid stack[3];
    sn_world *world = world_with_stack(stack);
    (void)add_rope(world, stack[0], stack[2], sn_v(0.0f, 0.5f, 0.0f), sn_v(0.0f, 2.5f, 0.0f));
    (void)steps_to_sleep(world, stack[0], 200);
    sn_pose before[3];
    for (int i = 0; i < 3; ++i) {
        before[i] = sn_rigid_pose(world, stack[i]);
        assert_true(same_vec3(sn_rigid_linear_velocity(world, stack[i]), sn_v(0.0f, 0.0f, 0.0f)));
        assert_true(same_vec3(sn_rigid_angular_velocity(world, stack[i]), sn_v(0.0f, 0.0f, 0.0f)));
    }
    for (int i = 0; i < 100; ++i) {
        run_steps(world, 1);
        sn_statistics statistics = sn_world_statistics(world);
        assert_int_equal(statistics.awake_count, 0);
        assert_int_equal(statistics.contact_count, 0);
        assert_int_equal(statistics.contact_point_count, 0);
        assert_int_equal(statistics.island_count, 0);
        assert_int_equal(statistics.color_count, 0);
        assert_true(statistics.pair_count >= 3); // they still know each other
        assert_int_equal(world->active_contacts.count, 0);
        assert_int_equal(world->active_constraints.count, 0);
        assert_int_equal(world->pending_shapes.count, 0);
        sn_events events = sn_world_events(world);
        assert_int_equal(events.move_count + events.begin_count + events.end_count, 0);
    }
    for (int i = 0; i < 3; ++i) {
        assert_true(same_pose(before[i], sn_rigid_pose(world, stack[i])));
    }
    sn_world_destroy(world);
}

// The last forces are still there to be asked for.
static void test_a_sleeping_box_still_weighs_on_the_floor_within_1_percent(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    add_floor(world);
    sn_rigid box = add_box_at(world, 0.5f, 0.0f, 0.5f, 0.0f);
    (void)steps_to_sleep(world, box, 200);
    run_steps(world, 10);
    assert_near(sn_rigid_contact_force(world, box).y, 9810.0f, 98.1);
    sn_world_destroy(world);
}

// --- support -------------------------------------------------------------------------------------

typedef enum {
    REMOVE_BODY,
    REMOVE_SHAPE,
    MOVE_BODY,
    FILTER_SHAPE,
    CHANGE_TYPE,
    SHRINK,
    TAKE_FRICTION,
    SUPPORT_WAYS
} support_way;

static void take_support(sn_world *world, sn_rigid support, support_way how)
{
    sn_shape shape = first_shape(world, support);
    switch (how) {
    case REMOVE_BODY:
        assert_ok(sn_rigid_remove(world, support));
        break;
    case REMOVE_SHAPE:
        assert_ok(sn_shape_remove(world, shape));
        break;
    case MOVE_BODY:
        assert_ok(sn_rigid_pose_set(world, support, physics_at(30.0f, 0.0f, 0.0f)));
        break;
    case FILTER_SHAPE:
        assert_ok(sn_shape_filter_set(world, shape, (sn_filter){2, 2, 0}));
        break;
    case CHANGE_TYPE:
        assert_ok(sn_rigid_type_set(world, support, SN_DYNAMIC));
        break;
    case SHRINK:
        assert_ok(sn_shape_box_set(world, shape, (sn_box){{2.0f, 0.1f, 2.0f}}));
        break;
    default:
        assert_ok(sn_shape_friction_set(world, shape, 0.0f));
        break;
    }
}

// Static and kinematic tables; the box on the table, and the one on top of it, wake at once and fall.
static void test_what_loses_its_support_wakes_and_falls(void **state)
{
    (void)state;
    const sn_rigid_type types[] = {SN_STATIC, SN_KINEMATIC};
    for (int t = 0; t < 2; ++t) {
        for (int how = 0; how < SUPPORT_WAYS; ++how) {
            sn_world *world = kit_world();
            sn_rigid_def def = sn_rigid_def_default();
            def.type = types[t];
            sn_rigid table, boxes[2];
            assert_ok(sn_rigid_add(world, &def, &table));
            assert_ok(sn_box_add(world, table, NULL, (sn_box){{2.0f, 0.5f, 2.0f}}, NULL));
            boxes[0] = add_box_at(world, 0.5f, 0.0f, 1.0f, 0.0f);
            boxes[1] = add_box_at(world, 0.5f, 0.0f, 2.0f, 0.0f);
            (void)steps_to_sleep(world, boxes[0], 200);
            take_support(world, table, (support_way)how);
            assert_int_equal(awake_among(world, boxes, 2), 2);
            run_steps(world, 20);
            float expected = how == TAKE_FRICTION ? 1.0f : (how == CHANGE_TYPE ? 0.5f : 0.65f);
            if (how == TAKE_FRICTION) {
                assert_near(sn_rigid_position(world, boxes[0]).y, expected, 0.01);
            } else {
                assert_true(sn_rigid_position(world, boxes[0]).y < expected);
            }
            sn_world_destroy(world);
        }
    }
}

static void test_a_lamp_whose_joint_is_removed_wakes_and_falls(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_rigid lamp = add_ball_at(world, 0.3f, 0.0f, 0.0f, 0.0f);
    sn_ball_def def = sn_ball_def_default();
    assert_ok(sn_constraint_place(world, &def.common, sn_world_ground(world), lamp, sn_v(0.0f, 1.0f, 0.0f),
                                  sn_v(1.0f, 0.0f, 0.0f)));
    sn_constraint joint;
    assert_ok(sn_ball_add(world, &def, &joint));
    (void)steps_to_sleep(world, lamp, 100);
    assert_ok(sn_constraint_remove(world, joint));
    assert_true(sn_rigid_is_awake(world, lamp));
    run_steps(world, 20);
    assert_true(sn_rigid_position(world, lamp).y < -0.4f);
    sn_world_destroy(world);
}

// --- moving supports ------------------------------------------------------------------------------

// A platform slower than the sleep speed still moves: what stands on it must ride along awake.
static void test_a_slow_platform_keeps_its_load_awake_and_a_stopped_one_lets_it_sleep(void **state)
{
    (void)state;
    for (int by_target = 0; by_target < 2; ++by_target) {
        sn_world *world = kit_world();
        sn_rigid lift = physics_platform(world, default_material(), sn_v(2.0f, 0.1f, 2.0f),
                                         physics_at(0.0f, -0.1f, 0.0f));
        sn_rigid boxes[2] = {add_box_at(world, 0.5f, 0.0f, 0.5f, 0.0f),
                             add_box_at(world, 0.5f, 0.0f, 1.5f, 0.0f)};
        for (int i = 1; i <= 120; ++i) {
            if (by_target) {
                assert_ok(sn_rigid_target_set(world, lift, physics_at(0.01f * frame * (float)i, -0.1f, 0)));
            } else if (i == 1) {
                assert_ok(sn_rigid_linear_velocity_set(world, lift, sn_v(0.01f, 0.0f, 0.0f)));
            }
            run_steps(world, 1);
            assert_int_equal(awake_among(world, boxes, 2), 2);
        }
        assert_near(sn_rigid_position(world, boxes[0]).x, 0.02f, 1e-3);
        assert_ok(sn_rigid_linear_velocity_set(world, lift, sn_v(0.0f, 0.0f, 0.0f)));
        (void)steps_to_sleep(world, boxes[0], 100);
        assert_false(sn_rigid_is_awake(world, lift));
        // Off again: they wake at the first step.
        assert_ok(sn_rigid_target_set(world, lift, physics_at(0.03f, -0.1f, 0.0f)));
        run_steps(world, 1);
        assert_int_equal(awake_among(world, boxes, 2), 2);
        sn_world_destroy(world);
    }
}

static void test_a_slow_support_keeps_what_hangs_on_it_by_a_joint_awake(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_rigid crane = physics_platform(world, default_material(), sn_v(0.2f, 0.2f, 0.2f), physics_at(0, 5, 0));
    sn_rigid load = add_ball_at(world, 0.3f, 0.0f, 3.0f, 0.0f);
    sn_ball_def def = sn_ball_def_default();
    assert_ok(
        sn_constraint_place(world, &def.common, crane, load, sn_v(0.0f, 5.0f, 0.0f), sn_v(1.0f, 0.0f, 0.0f)));
    assert_ok(sn_ball_add(world, &def, NULL));
    assert_ok(sn_rigid_linear_velocity_set(world, crane, sn_v(0.0f, 0.01f, 0.0f)));
    for (int i = 0; i < 120; ++i) {
        run_steps(world, 1);
        assert_true(sn_rigid_is_awake(world, load));
    }
    assert_near(sn_rigid_position(world, load).y, 3.02f, 2e-3);
    assert_ok(sn_rigid_linear_velocity_set(world, crane, sn_v(0.0f, 0.0f, 0.0f)));
    (void)steps_to_sleep(world, load, 100);
    assert_ok(sn_rigid_linear_velocity_set(world, crane, sn_v(0.0f, 0.5f, 0.0f)));
    run_steps(world, 10);
    assert_true(sn_rigid_is_awake(world, load));
    assert_near(sn_rigid_linear_velocity(world, load).y, 0.5f, 0.05);
    sn_world_destroy(world);
}

// Pushing leaves no velocity behind, but what is being pushed out of the floor is on its way.
static void test_what_is_being_pushed_out_of_the_floor_sleeps_only_when_it_is_out(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_world_def settings = sn_world_settings(world);
    settings.push_speed = 0.2f;
    assert_ok(sn_world_settings_set(world, &settings));
    add_floor(world);
    sn_rigid box = add_box_at(world, 0.5f, 0.0f, 0.1f, 0.0f);
    assert_true(steps_to_sleep(world, box, 240) > 120);
    assert_near(sn_rigid_position(world, box).y, 0.5f, 0.01);
    sn_world_destroy(world);
}

// --- by hand -------------------------------------------------------------------------------------

static void test_put_to_sleep_by_hand_an_island_hangs_in_the_air_until_woken(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_rigid boxes[2] = {add_box_at(world, 0.5f, 0.0f, 5.0f, 0.0f),
                         add_box_at(world, 0.5f, 0.0f, 6.0f, 0.0f)};
    run_steps(world, 1);
    assert_ok(sn_rigid_awake_set(world, boxes[0], false));
    assert_int_equal(awake_among(world, boxes, 2), 0);
    sn_vec3 place = sn_rigid_position(world, boxes[1]);
    run_steps(world, 30);
    assert_true(same_vec3(place, sn_rigid_position(world, boxes[1])));
    assert_ok(sn_rigid_awake_set(world, boxes[1], true));
    assert_int_equal(awake_among(world, boxes, 2), 2);
    run_steps(world, 30);
    assert_true(sn_rigid_position(world, boxes[0]).y < 4.0f);
    sn_world_destroy(world);
}

static void test_everything_that_moves_a_body_wakes_it(void **state)
{
    (void)state;
    const sn_vec3 up = {0.0f, 1.0f, 0.0f};
    for (int how = 0; how < 12; ++how) {
        sn_world *world = kit_world();
        add_floor(world);
        sn_rigid box = add_box_at(world, 0.5f, 0.0f, 0.5f, 0.0f);
        (void)steps_to_sleep(world, box, 200);
        sn_mass mass = sn_rigid_mass(world, box);
        sn_status status[] = {how == 0 ? sn_rigid_force_add(world, box, up) : SN_OK,
                              how == 1 ? sn_rigid_force_add_at(world, box, up, up) : SN_OK,
                              how == 2 ? sn_rigid_torque_add(world, box, up) : SN_OK,
                              how == 3 ? sn_rigid_impulse_add(world, box, up) : SN_OK,
                              how == 4 ? sn_rigid_impulse_add_at(world, box, up, up) : SN_OK,
                              how == 5 ? sn_rigid_angular_impulse_add(world, box, up) : SN_OK,
                              how == 6 ? sn_rigid_linear_velocity_set(world, box, up) : SN_OK,
                              how == 7 ? sn_rigid_angular_velocity_set(world, box, up) : SN_OK,
                              how == 8 ? sn_rigid_gravity_scale_set(world, box, -1.0f) : SN_OK,
                              how == 9 ? sn_rigid_mass_set(world, box, &mass) : SN_OK,
                              how == 10 ? sn_rigid_locks_set(world, box, SN_LOCK_X) : SN_OK,
                              how == 11 ? sn_rigid_pose_set(world, box, physics_at(0, 1, 0)) : SN_OK};
        assert_ok(status[how]);
        assert_true(sn_rigid_is_awake(world, box));
        sn_world_destroy(world);
    }
}

// `awake = false` in the definition: shapes are added to it as it sleeps, and it stays so until touched.
static void test_a_body_made_asleep_stays_so_with_its_shapes(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    add_floor(world);
    sn_rigid boxes[3];
    for (int i = 0; i < 3; ++i) {
        sn_rigid_def def = sn_rigid_def_default();
        def.awake = false;
        def.position = sn_v(0.0f, 0.5f + (float)i, 0.0f);
        assert_ok(sn_rigid_add(world, &def, &boxes[i]));
        assert_ok(sn_box_add(world, boxes[i], NULL, (sn_box){{0.5f, 0.5f, 0.5f}}, NULL));
        assert_ok(sn_sphere_add(world, boxes[i], NULL, (sn_sphere){{0.0f, 0.0f, 0.0f}, 0.1f}, NULL));
    }
    run_steps(world, 5);
    assert_int_equal(awake_among(world, boxes, 3), 0);
    // Without the lowest the others must fall, though they were never awake together.
    assert_ok(sn_rigid_remove(world, boxes[0]));
    run_steps(world, 15);
    assert_int_equal(awake_among(world, &boxes[1], 2), 2);
    assert_true(sn_rigid_position(world, boxes[1]).y < 1.3f);
    sn_world_destroy(world);
}

static void test_a_shape_added_to_a_sleeper_that_stands_somewhere_wakes_it(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    add_floor(world);
    sn_rigid box = add_box_at(world, 0.5f, 0.0f, 0.5f, 0.0f);
    (void)steps_to_sleep(world, box, 200);
    sn_shape_def beside = default_material();
    beside.offset.position.x = 1.5f; // it will tip over
    assert_ok(sn_box_add(world, box, &beside, (sn_box){{0.5f, 0.5f, 0.5f}}, NULL));
    assert_true(sn_rigid_is_awake(world, box));
    sn_world_destroy(world);
}

// --- settings ------------------------------------------------------------------------------------

static int steps_with(float sleep_time, float sleep_speed)
{
    sn_world_def def = sn_world_def_default();
    def.gravity = sn_v(0.0f, 0.0f, 0.0f);
    def.sleep_time = sleep_time;
    def.sleep_speed = sleep_speed;
    sn_world *world;
    assert_ok(sn_world_create(&def, &world));
    sn_rigid ball = add_ball_at(world, 0.5f, 0.0f, 0.0f, 0.0f);
    assert_ok(sn_rigid_linear_velocity_set(world, ball, sn_v(0.03f, 0.0f, 0.0f)));
    assert_ok(sn_rigid_damping_set(world, ball, 1e-6f, 0.0f)); // without, it would drift on and never rest
    int steps = 0;
    while (sn_rigid_is_awake(world, ball) && steps < 100) {
        run_steps(world, 1);
        ++steps;
    }
    sn_world_destroy(world);
    return steps;
}

// Without weight, what drifts slowly keeps its momentum, alone or with what is joined to it; what stands
// still sleeps.
static void test_what_drifts_without_weight_does_not_sleep(void **state)
{
    (void)state;
    sn_world_def def = sn_world_def_default();
    def.gravity = sn_v(0.0f, 0.0f, 0.0f);
    sn_world *world;
    assert_ok(sn_world_create(&def, &world));
    sn_rigid still = add_ball_at(world, 0.5f, 0.0f, 5.0f, 0.0f);
    sn_rigid balls[3];
    for (int i = 0; i < 3; ++i) {
        balls[i] = add_ball_at(world, 0.5f, 1.5f * (float)i, 0.0f, 0.0f);
        assert_ok(sn_rigid_linear_velocity_set(world, balls[i], sn_v(0.0f, 0.0f, 0.01f)));
    }
    sn_distance_def rod = sn_distance_def_default();
    assert_ok(sn_constraint_place_points(world, &rod.common, balls[0], balls[1], sn_v(0.0f, 0.0f, 0.0f),
                                         sn_v(1.5f, 0.0f, 0.0f)));
    rod.lower = rod.upper = 1.5f;
    assert_ok(sn_distance_add(world, &rod, NULL));
    double before = sn_world_energy(world).momentum[2];
    run_steps(world, 300);
    assert_false(sn_rigid_is_awake(world, still));
    for (int i = 0; i < 3; ++i) {
        assert_true(sn_rigid_is_awake(world, balls[i]));
    }
    assert_true(fabs(sn_world_energy(world).momentum[2] - before) < 1e-4 * before);
    sn_world_destroy(world);
}

static void test_sleep_time_and_sleep_speed_decide_when(void **state)
{
    (void)state;
    assert_in_range(steps_with(0.5f, 0.05f), 30, 31);
    assert_in_range(steps_with(1.0f, 0.05f), 60, 61);
    assert_int_equal(steps_with(0.0f, 0.05f), 1);
    assert_int_equal(steps_with(0.5f, 0.02f), 100);
    assert_int_equal(steps_with(0.5f, 0.0f), 100);
}

static void test_with_sleep_off_nothing_sleeps_and_islands_are_still_counted(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    add_floor(world);
    sn_rigid left[3], right[3];
    make_stack(world, -3.0f, left);
    make_stack(world, 3.0f, right);
    sn_world_def settings = sn_world_settings(world);
    settings.sleep = false;
    assert_ok(sn_world_settings_set(world, &settings));
    run_steps(world, 120);
    assert_int_equal(awake_among(world, left, 3), 3);
    assert_int_equal(sn_world_statistics(world).island_count, 2);
    settings.sleep = true;
    assert_ok(sn_world_settings_set(world, &settings));
    (void)steps_to_sleep(world, left[0], 100);
    (void)steps_to_sleep(world, right[0], 100);
    settings.sleep = false;
    assert_ok(sn_world_settings_set(world, &settings));
    assert_int_equal(awake_among(world, left, 3), 3);
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_a_stack_sleeps_and_wakes_as_one_and_leaves_others_alone),
        test_with_memory(test_falling_asleep_for_the_first_time_needs_no_memory),
        test_with_memory(test_one_that_may_not_sleep_keeps_its_island_awake),
        test_with_memory(test_what_is_hit_wakes_with_its_island),
        test_with_memory(test_waking_spreads_from_island_to_island_by_touch),
        test_with_memory(test_bodies_on_a_joint_are_one_island_however_far_apart),
        test_with_memory(test_the_ground_does_not_join_what_hangs_on_it),
        test_with_memory(test_what_sleeps_costs_nothing),
        test_with_memory(test_a_sleeping_box_still_weighs_on_the_floor_within_1_percent),
        test_with_memory(test_what_loses_its_support_wakes_and_falls),
        test_with_memory(test_a_lamp_whose_joint_is_removed_wakes_and_falls),
        test_with_memory(test_a_slow_platform_keeps_its_load_awake_and_a_stopped_one_lets_it_sleep),
        test_with_memory(test_a_slow_support_keeps_what_hangs_on_it_by_a_joint_awake),
        test_with_memory(test_what_is_being_pushed_out_of_the_floor_sleeps_only_when_it_is_out),
        test_with_memory(test_put_to_sleep_by_hand_an_island_hangs_in_the_air_until_woken),
        test_with_memory(test_everything_that_moves_a_body_wakes_it),
        test_with_memory(test_a_body_made_asleep_stays_so_with_its_shapes),
        test_with_memory(test_a_shape_added_to_a_sleeper_that_stands_somewhere_wakes_it),
        test_with_memory(test_what_drifts_without_weight_does_not_sleep),
        test_with_memory(test_sleep_time_and_sleep_speed_decide_when),
        test_with_memory(test_with_sleep_off_nothing_sleeps_and_islands_are_still_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
