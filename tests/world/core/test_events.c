// Events: what a step reports, when, and once only; what happens between steps is reported by the next one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/world_kit.h"

static int count_touches(const sn_touch_event *events, int count, sn_shape a, sn_shape b)
{
    int found = 0;
    for (int i = 0; i < count; ++i) {
        bool forwards = same_shape(events[i].a, a) && same_shape(events[i].b, b);
        bool backwards = same_shape(events[i].a, b) && same_shape(events[i].b, a);
        found += forwards || backwards;
    }
    return found;
}

static int begun(const sn_world *world, sn_shape a, sn_shape b)
{
    sn_events events = sn_world_events(world);
    return count_touches(events.begin, events.begin_count, a, b);
}

static int ended(const sn_world *world, sn_shape a, sn_shape b)
{
    sn_events events = sn_world_events(world);
    return count_touches(events.end, events.end_count, a, b);
}

static sn_shape floor_shape(const sn_world *world)
{
    return first_shape(world, sn_world_ground(world));
}

// --- touching ------------------------------------------------------------------------------------

// A ball that bounces ever lower: begin and end alternate, the first begin when it first meets the floor.
static void test_begin_and_end_alternate_and_come_when_the_ball_meets_and_leaves_the_floor(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_shape_def material = physics_material(0.5f, 0.7f);
    physics_floor(world, material);
    sn_rigid ball = physics_sphere(world, material, 0.5f, physics_at(0.0f, 2.0f, 0.0f));
    sn_shape shape = first_shape(world, ball), ground = floor_shape(world);
    int touching = 0, begins = 0, ends = 0, first = -1;
    for (int i = 0; i < 240; ++i) {
        run_steps(world, 1);
        int began = begun(world, shape, ground), ceased = ended(world, shape, ground);
        assert_in_range(began + ceased, 0, 1);
        touching += began - ceased;
        begins += began;
        ends += ceased;
        assert_in_range(touching, 0, 1);
        first = first < 0 && began ? i : first;
        // High up it touches nothing.
        if (sn_rigid_position(world, ball).y > 0.6f) {
            assert_int_equal(touching, 0);
        }
    }
    assert_int_equal(touching, 1);
    assert_int_equal(begins, ends + 1);
    assert_true(begins >= 3);
    // 1.5 m of free fall take 0.553 s: 33 steps.
    assert_in_range(first, 32, 34);
    sn_world_destroy(world);
}

static void test_resting_contacts_begin_once(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    add_floor(world);
    sn_rigid lower = add_box_at(world, 0.5f, 0.0f, 0.5f, 0.0f);
    sn_rigid upper = add_box_at(world, 0.5f, 0.0f, 1.5f, 0.0f);
    int begins = 0, ends = 0;
    for (int i = 0; i < 100; ++i) {
        run_steps(world, 1);
        begins += sn_world_events(world).begin_count;
        ends += sn_world_events(world).end_count;
    }
    assert_int_equal(begins, 2);
    assert_int_equal(ends, 0);
    // They sleep by now and still touch: waking them reports nothing new.
    assert_false(sn_rigid_is_awake(world, upper));
    assert_ok(sn_rigid_awake_set(world, lower, true));
    run_steps(world, 2);
    assert_int_equal(sn_world_events(world).begin_count + sn_world_events(world).end_count, 0);
    sn_world_destroy(world);
}

static void test_shapes_without_contact_events_report_no_touch(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    add_floor(world);
    sn_shape_def silent = default_material();
    silent.contact_events = false;
    sn_rigid box = physics_box(world, silent, sn_v(0.5f, 0.5f, 0.5f), physics_at(0.0f, 0.5f, 0.0f));
    for (int i = 0; i < 5; ++i) {
        run_steps(world, 1);
        assert_int_equal(sn_world_events(world).begin_count, 0);
    }
    assert_ok(sn_rigid_remove(world, box));
    run_steps(world, 1);
    assert_int_equal(sn_world_events(world).end_count, 0);
    sn_world_destroy(world);
}

// --- between steps -------------------------------------------------------------------------------

typedef enum {
    REMOVE_BODY,
    REMOVE_SHAPE,
    MOVE_AWAY,
    FILTER_OUT,
    JOIN,
    MAKE_STATIC,
    DISPLACEMENTS
} displacement;

static void part(sn_world *world, sn_rigid box, displacement how)
{
    sn_shape shape = first_shape(world, box);
    sn_fixed_def weld = sn_fixed_def_default();
    switch (how) {
    case REMOVE_BODY:
        assert_ok(sn_rigid_remove(world, box));
        break;
    case REMOVE_SHAPE:
        assert_ok(sn_shape_remove(world, shape));
        break;
    case MOVE_AWAY:
        assert_ok(sn_rigid_pose_set(world, box, physics_at(0.0f, 50.0f, 0.0f)));
        break;
    case FILTER_OUT:
        assert_ok(sn_shape_filter_set(world, shape, (sn_filter){1, 0, 0}));
        break;
    case JOIN:
        assert_ok(sn_constraint_place(world, &weld.common, sn_world_ground(world), box,
                                      sn_v(0.0f, 0.0f, 0.0f), sn_v(1.0f, 0.0f, 0.0f)));
        assert_ok(sn_fixed_add(world, &weld, NULL));
        break;
    default:
        assert_ok(sn_rigid_type_set(world, box, SN_STATIC));
        break;
    }
}

// Whatever parts two shapes between steps, awake or asleep: the next step says so, once, and names them by
// the ids they had.
static void test_contacts_that_end_between_steps_are_reported_by_the_next_one(void **state)
{
    (void)state;
    for (int how = 0; how < DISPLACEMENTS; ++how) {
        for (int asleep = 0; asleep < 2; ++asleep) {
            sn_world *world = kit_world();
            add_floor(world);
            sn_rigid box = add_box_at(world, 0.5f, 0.0f, 0.5f, 0.0f);
            sn_shape shape = first_shape(world, box), ground = floor_shape(world);
            run_steps(world, asleep ? 60 : 3);
            assert_int_equal(sn_rigid_is_awake(world, box), !asleep);
            part(world, box, (displacement)how);
            // Not yet: these are still the events of the last step.
            assert_int_equal(ended(world, shape, ground), 0);
            run_steps(world, 1);
            assert_int_equal(ended(world, shape, ground), 1);
            assert_int_equal(sn_world_events(world).end_count, 1);
            assert_int_equal(sn_shape_is_valid(world, shape), how != REMOVE_BODY && how != REMOVE_SHAPE);
            run_steps(world, 1);
            assert_int_equal(sn_world_events(world).end_count, 0);
            sn_world_destroy(world);
        }
    }
}

static void test_events_of_a_step_stay_until_the_next_one(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    add_floor(world);
    sn_rigid box = add_box_at(world, 0.5f, 0.0f, 0.5f, 0.0f);
    run_steps(world, 1);
    sn_events before = sn_world_events(world);
    assert_int_equal(before.begin_count, 1);
    assert_ok(sn_rigid_remove(world, box));
    sn_events after = sn_world_events(world);
    assert_int_equal(after.begin_count, 1);
    assert_int_equal(after.end_count, 0);
    assert_int_equal(after.move_count, before.move_count);
    sn_world_destroy(world);
}

// --- hits ----------------------------------------------------------------------------------------

// Both orders of adding, so that the ball is now the first and now the second of the pair.
static void test_a_hit_tells_speed_place_and_normal(void **state)
{
    (void)state;
    for (int order = 0; order < 2; ++order) {
        sn_world *world = kit_world();
        assert_ok(sn_world_gravity_set(world, sn_v(0.0f, 0.0f, 0.0f)));
        sn_rigid_def def = sn_rigid_def_default();
        def.type = SN_STATIC;
        sn_rigid wall, ball = {0};
        if (order == 0) {
            ball = add_ball_at(world, 0.25f, -1.0f, 0.2f, 0.1f);
        }
        assert_ok(sn_rigid_add(world, &def, &wall));
        sn_shape_def material = default_material();
        material.hit_events = true;
        sn_box box = {{0.5f, 5.0f, 5.0f}};
        material.offset.position.x = 0.5f;
        assert_ok(sn_box_add(world, wall, &material, box, NULL));
        if (order == 1) {
            ball = add_ball_at(world, 0.25f, -1.0f, 0.2f, 0.1f);
        }
        assert_ok(sn_rigid_linear_velocity_set(world, ball, sn_v(4.0f, 0.0f, 0.0f)));
        int hits = 0;
        for (int i = 0; i < 30; ++i) {
            run_steps(world, 1);
            sn_events events = sn_world_events(world);
            hits += events.hit_count;
            for (int k = 0; k < events.hit_count; ++k) {
                const sn_hit_event *hit = &events.hits[k];
                bool ball_first = same_shape(hit->a, first_shape(world, ball));
                assert_true(ball_first || same_shape(hit->b, first_shape(world, ball)));
                assert_near(hit->speed, 4.0f, 1e-3);
                assert_vec3_near(hit->normal, sn_v(ball_first ? 1.0f : -1.0f, 0.0f, 0.0f), 1e-4);
                // Within half of what the ball covers in a step.
                assert_vec3_near(hit->position, sn_v(0.0f, 0.2f, 0.1f), 0.5 * 4.0 / 60.0);
            }
        }
        assert_int_equal(hits, 1);
        sn_world_destroy(world);
    }
}

static int hits_of_a_drop(float height, bool wanted, float threshold)
{
    sn_world *world = kit_world();
    sn_world_def settings = sn_world_settings(world);
    settings.hit_threshold = threshold;
    assert_ok(sn_world_settings_set(world, &settings));
    add_floor(world);
    sn_shape_def material = default_material();
    material.hit_events = wanted;
    (void)physics_sphere(world, material, 0.5f, physics_at(0.0f, 0.5f + height, 0.0f));
    int hits = 0;
    for (int i = 0; i < 60; ++i) {
        run_steps(world, 1);
        hits += sn_world_events(world).hit_count;
    }
    sn_world_destroy(world);
    return hits;
}

// 0.2 m of fall make 1.98 m/s.
static void test_slow_and_unwanted_hits_are_not_reported(void **state)
{
    (void)state;
    assert_int_equal(hits_of_a_drop(0.2f, true, 1.9f), 1);
    assert_int_equal(hits_of_a_drop(0.2f, true, 2.1f), 0);
    assert_int_equal(hits_of_a_drop(0.2f, false, 1.0f), 0);
    assert_int_equal(hits_of_a_drop(0.0f, true, 1.0f), 0);
}

// --- breaking ------------------------------------------------------------------------------------

static void test_a_joint_breaks_once_is_gone_and_is_told_with_its_force(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    int token;
    sn_rigid ball = physics_lump(world, 10.0f, physics_ball_inertia(10.0f, 0.2f), physics_at(0, 0, 0));
    sn_ball_def def = sn_ball_def_default();
    assert_ok(sn_constraint_place(world, &def.common, sn_world_ground(world), ball, sn_v(0.0f, 0.0f, 0.0f),
                                  sn_v(1.0f, 0.0f, 0.0f)));
    def.common.break_force = 150.0f;
    def.common.user = &token;
    sn_constraint joint;
    assert_ok(sn_ball_add(world, &def, &joint));
    for (int i = 0; i < 30; ++i) {
        run_steps(world, 1);
        assert_int_equal(sn_world_events(world).break_count, 0);
    }
    // Its weight is 98 N; 100 N more are too much.
    assert_ok(sn_rigid_force_add(world, ball, sn_v(0.0f, -100.0f, 0.0f)));
    run_steps(world, 1);
    sn_events events = sn_world_events(world);
    assert_int_equal(events.break_count, 1);
    assert_true(same_constraint(events.breaks[0].constraint, joint));
    assert_ptr_equal(events.breaks[0].user, &token);
    assert_near(events.breaks[0].force, 198.1f, 0.02 * 198.1);
    assert_near(events.breaks[0].torque, 0.0f, 0.1);
    assert_false(sn_constraint_is_valid(world, joint));
    assert_int_equal(sn_world_statistics(world).constraint_count, 0);
    run_steps(world, 1);
    assert_int_equal(sn_world_events(world).break_count, 0);
    assert_true(sn_rigid_linear_velocity(world, ball).y < -0.1f);
    sn_world_destroy(world);
}

// Many joints that break in one step are all reported, and what remains holds.
static void test_all_joints_that_break_in_one_step_are_reported(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_constraint joints[12];
    for (int i = 0; i < 12; ++i) {
        sn_rigid ball = physics_lump(world, 10.0f, physics_ball_inertia(10.0f, 0.2f),
                                     physics_at(2.0f * (float)i, 0.0f, 0.0f));
        sn_ball_def def = sn_ball_def_default();
        assert_ok(sn_constraint_place(world, &def.common, sn_world_ground(world), ball,
                                      sn_v(2.0f * (float)i, 0.0f, 0.0f), sn_v(1.0f, 0.0f, 0.0f)));
        def.common.break_force = i % 3 == 0 ? INFINITY : 50.0f;
        assert_ok(sn_ball_add(world, &def, &joints[i]));
    }
    bool broken[12] = {false};
    for (int i = 0; i < 20; ++i) {
        run_steps(world, 1);
        sn_events events = sn_world_events(world);
        for (int k = 0; k < events.break_count; ++k) {
            for (int j = 0; j < 12; ++j) {
                if (same_constraint(events.breaks[k].constraint, joints[j])) {
                    assert_false(broken[j]);
                    broken[j] = true;
                }
            }
        }
    }
    for (int j = 0; j < 12; ++j) {
        assert_int_equal(broken[j], j % 3 != 0);
        assert_int_equal(sn_constraint_is_valid(world, joints[j]), j % 3 == 0);
    }
    sn_world_destroy(world);
}

// --- sleep and motion ----------------------------------------------------------------------------

static int sleep_events_of(const sn_world *world, sn_rigid rigid, bool asleep)
{
    sn_events events = sn_world_events(world);
    int count = 0;
    for (int i = 0; i < events.sleep_count; ++i) {
        count += same_rigid(events.sleeps[i].rigid, rigid) && events.sleeps[i].asleep == asleep;
    }
    return count;
}

static void test_falling_asleep_and_waking_are_reported_once_each(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    add_floor(world);
    sn_rigid box = add_box_at(world, 0.5f, 0.0f, 0.5f, 0.0f);
    int slept = 0;
    for (int i = 0; i < 120; ++i) {
        bool was_awake = sn_rigid_is_awake(world, box);
        run_steps(world, 1);
        int now = sleep_events_of(world, box, true);
        assert_int_equal(now, was_awake && !sn_rigid_is_awake(world, box));
        assert_int_equal(sleep_events_of(world, box, false), 0);
        slept += now;
    }
    assert_int_equal(slept, 1);
    assert_ok(sn_rigid_impulse_add(world, box, sn_v(0.0f, 1000.0f, 0.0f)));
    assert_int_equal(sleep_events_of(world, box, false), 0);
    run_steps(world, 1);
    assert_int_equal(sleep_events_of(world, box, false), 1);
    run_steps(world, 1);
    assert_int_equal(sn_world_events(world).sleep_count, 0);
    sn_world_destroy(world);
}

static void test_sleep_by_hand_is_reported_by_the_next_step(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    add_floor(world);
    sn_rigid lower = add_box_at(world, 0.5f, 0.0f, 0.5f, 0.0f);
    sn_rigid upper = add_box_at(world, 0.5f, 0.0f, 1.5f, 0.0f);
    run_steps(world, 2);
    assert_ok(sn_rigid_awake_set(world, upper, false));
    run_steps(world, 1);
    assert_int_equal(sleep_events_of(world, lower, true), 1);
    assert_int_equal(sleep_events_of(world, upper, true), 1);
    assert_int_equal(sn_world_events(world).move_count, 0);
    sn_world_destroy(world);
}

static const sn_move_event *move_of(const sn_world *world, sn_rigid rigid)
{
    sn_events events = sn_world_events(world);
    const sn_move_event *found = NULL;
    for (int i = 0; i < events.move_count; ++i) {
        if (same_rigid(events.moves[i].rigid, rigid)) {
            assert_null(found); // once a step
            found = &events.moves[i];
        }
    }
    return found;
}

static void test_moves_tell_the_pose_of_all_that_moved_and_of_nothing_else(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    int token;
    sn_rigid ball = add_ball_at(world, 0.5f, 0.0f, 5.0f, 0.0f);
    assert_ok(sn_rigid_user_set(world, ball, &token));
    sn_rigid still =
        physics_platform(world, default_material(), sn_v(1, 1, 1), physics_at(10.0f, 0.0f, 0.0f));
    sn_rigid lift = physics_platform(world, default_material(), sn_v(1, 1, 1), physics_at(20.0f, 0.0f, 0.0f));
    sn_rigid_def def = sn_rigid_def_default();
    def.type = SN_STATIC;
    sn_rigid rock;
    assert_ok(sn_rigid_add(world, &def, &rock));
    for (int i = 1; i <= 5; ++i) {
        assert_ok(sn_rigid_target_set(world, lift, physics_at(20.0f, 0.1f * (float)i, 0.0f)));
        run_steps(world, 1);
        const sn_move_event *of_ball = move_of(world, ball), *of_lift = move_of(world, lift);
        assert_non_null(of_ball);
        assert_non_null(of_lift);
        assert_true(same_pose(of_ball->pose, sn_rigid_pose(world, ball)));
        assert_true(same_pose(of_lift->pose, sn_rigid_pose(world, lift)));
        assert_ptr_equal(of_ball->user, &token);
        assert_null(move_of(world, still));
        assert_null(move_of(world, rock));
        assert_null(move_of(world, sn_world_ground(world)));
    }
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_begin_and_end_alternate_and_come_when_the_ball_meets_and_leaves_the_floor),
        test_with_memory(test_resting_contacts_begin_once),
        test_with_memory(test_shapes_without_contact_events_report_no_touch),
        test_with_memory(test_contacts_that_end_between_steps_are_reported_by_the_next_one),
        test_with_memory(test_events_of_a_step_stay_until_the_next_one),
        test_with_memory(test_a_hit_tells_speed_place_and_normal),
        test_with_memory(test_slow_and_unwanted_hits_are_not_reported),
        test_with_memory(test_a_joint_breaks_once_is_gone_and_is_told_with_its_force),
        test_with_memory(test_all_joints_that_break_in_one_step_are_reported),
        test_with_memory(test_falling_asleep_and_waking_are_reported_once_each),
        test_with_memory(test_sleep_by_hand_is_reported_by_the_next_step),
        test_with_memory(test_moves_tell_the_pose_of_all_that_moved_and_of_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
