// Changing a running world: bodies, shapes and types come, go and change while things touch, hang and sleep.
// After each change the world must be sound (a snapshot of it can be restored, whose checks look at every
// list) and must go on sensibly.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "world/core/bad_scene.h"
#include <stdlib.h>
#include <string.h>

static void run(sn_world *world, int steps)
{
    for (int i = 0; i < steps; ++i) {
        assert_int_equal(sn_world_step(world, BAD_STEP), SN_OK);
    }
}

// All bodies have finite poses and velocities, and none is frozen.
static void require_finite(const sn_world *world)
{
    sn_rigid bodies[64];
    int count = sn_world_rigids(world, bodies, 64);
    assert_in_range(count, 0, 64);
    for (int i = 0; i < count; ++i) {
        sn_pose pose = sn_rigid_pose(world, bodies[i]);
        assert_true(sn_vec3_is_finite(pose.position) && sn_quat_is_finite(pose.rotation));
        assert_true(sn_vec3_is_finite(sn_rigid_linear_velocity(world, bodies[i])));
        assert_true(sn_vec3_is_finite(sn_rigid_angular_velocity(world, bodies[i])));
        assert_false(sn_rigid_is_frozen(world, bodies[i]));
    }
}

static void require_sound(const sn_world *world)
{
    size_t size = 0;
    assert_int_equal(sn_world_save(world, NULL, 0, &size), SN_OK);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(sn_world_save(world, bytes, size, &size), SN_OK);
    sn_world_def def = sn_world_def_default();
    sn_world *copy;
    assert_int_equal(sn_world_create(&def, &copy), SN_OK);
    assert_int_equal(sn_custom_register(copy, "height", bad_height_rows, sizeof(float)), SN_OK);
    sn_status status = sn_world_restore(copy, bytes, size);
    if (status != SN_OK) {
        print_error("%s\n", sn_world_error(copy));
    }
    assert_int_equal(status, SN_OK);
    assert_true(sn_world_hash(copy) == sn_world_hash(world));
    sn_world_destroy(copy);
    free(bytes);
    require_finite(world);
}

static float height_of(const bad_scene *s, sn_rigid rigid)
{
    return sn_rigid_position(s->world, rigid).y;
}

// A rope between two bodies of the scene.
static sn_constraint tie(bad_scene *s, sn_rigid a, sn_rigid b)
{
    sn_distance_def def = sn_distance_def_default();
    sn_constraint rope;
    assert_int_equal(sn_constraint_place_points(s->world, &def.common, a, b, sn_rigid_position(s->world, a),
                                                sn_rigid_position(s->world, b)),
                     SN_OK);
    def.upper = 10.0f;
    assert_int_equal(sn_distance_add(s->world, &def, &rope), SN_OK);
    return rope;
}

// --- listing -------------------------------------------------------------------------------------

static void test_a_world_lists_each_contact_once_and_its_two_bodies_list_it_each(void **state)
{
    bad_scene *s = *state;
    sn_world *w = s->world;
    run(w, 180);
    assert_false(sn_rigid_is_awake(w, s->crate));
    sn_contact all[64];
    sn_rigid bodies[64] = {sn_world_ground(w)};
    int count = sn_world_contacts(w, all, 64), body_count = 1 + sn_world_rigids(w, bodies + 1, 63),
        listed = 0;
    assert_in_range(count, 3, 64);
    for (int i = 0; i < body_count; ++i) {
        listed += sn_rigid_contacts(w, bodies[i], NULL, 0);
    }
    assert_int_equal(listed, 2 * count);
    for (int i = 0; i < count; ++i) {
        sn_contact of_body[64];
        int own = sn_rigid_contacts(w, sn_shape_rigid(w, all[i].a), of_body, 64), same = 0;
        for (int k = 0; k < own; ++k) {
            same += memcmp(&of_body[k], &all[i], sizeof all[i]) == 0 ? 1 : 0;
        }
        assert_int_equal(same, 1);
    }
}

// --- removing ------------------------------------------------------------------------------------

static void test_with_a_body_go_its_shapes_contacts_and_joints_and_its_neighbors_wake(void **state)
{
    bad_scene *s = *state;
    sn_world *w = s->world;
    sn_constraint rope = tie(s, s->crate, s->rod);
    run(w, 180);
    assert_false(sn_rigid_is_awake(w, s->crate) || sn_rigid_is_awake(w, s->ball) ||
                 sn_rigid_is_awake(w, s->rod));
    sn_statistics before = sn_world_statistics(w);

    assert_int_equal(sn_rigid_remove(w, s->crate), SN_OK);

    sn_statistics after = sn_world_statistics(w);
    assert_int_equal(after.rigid_count, before.rigid_count - 1);
    assert_int_equal(after.shape_count, before.shape_count - 1);
    assert_int_equal(after.constraint_count, before.constraint_count - 1);
    assert_int_equal(after.pair_count, before.pair_count - 3); // with floor, wall and ball
    assert_false(sn_rigid_is_valid(w, s->crate) || sn_shape_is_valid(w, s->crate_box));
    assert_false(sn_constraint_is_valid(w, rope));
    assert_int_equal(sn_rigid_constraints(w, s->rod, NULL, 0), 0);
    assert_int_equal(sn_rigid_contacts(w, s->ball, NULL, 0), 0);
    assert_true(sn_rigid_is_awake(w, s->ball) && sn_rigid_is_awake(w, s->rod));
    require_sound(w);
    run(w, 1);
    sn_events events = sn_world_events(w);
    assert_int_equal(events.end_count, 2);
    for (int i = 0; i < 2; ++i) {
        assert_true(events.end[i].a.index == s->crate_box.index ||
                    events.end[i].b.index == s->crate_box.index);
    }
    run(w, 120);
    assert_true(sn_abs(height_of(s, s->ball) - 0.3f) < 0.005f);
    require_sound(w);
}

static void test_what_was_removed_cannot_be_removed_again(void **state)
{
    bad_scene *s = *state;
    sn_world *w = s->world;
    sn_constraint rope = tie(s, s->crate, s->rod);
    assert_int_equal(sn_constraint_remove(w, rope), SN_OK);
    s->hash = sn_world_hash(w);
    refuse(s, SN_ERROR_ID, "constraint id", sn_constraint_remove(w, rope));
    assert_int_equal(sn_shape_remove(w, s->ball_sphere), SN_OK);
    s->hash = sn_world_hash(w);
    refuse(s, SN_ERROR_ID, "shape id", sn_shape_remove(w, s->ball_sphere));
    assert_int_equal(sn_rigid_remove(w, s->crate), SN_OK);
    s->hash = sn_world_hash(w);
    refuse(s, SN_ERROR_ID, "rigid id", sn_rigid_remove(w, s->crate));
    refuse(s, SN_ERROR_ID, "shape id", sn_shape_remove(w, s->crate_box));
    sn_rigid heir = bad_add_body(w, "heir", SN_DYNAMIC, sn_v(0, 5, 0));
    assert_int_equal(heir.index, s->crate.index);
    s->hash = sn_world_hash(w);
    refuse(s, SN_ERROR_ID, "stale", sn_rigid_remove(w, s->crate));
    assert_true(sn_rigid_is_valid(w, heir));
}

static void test_a_body_whose_shape_goes_falls_through_the_floor(void **state)
{
    bad_scene *s = *state;
    run(s->world, 120);
    assert_false(sn_rigid_is_awake(s->world, s->ball));
    assert_int_equal(sn_shape_remove(s->world, s->crate_box), SN_OK);
    assert_true(sn_rigid_is_awake(s->world, s->crate) && sn_rigid_is_awake(s->world, s->ball));
    assert_true(sn_rigid_mass(s->world, s->crate).mass == 1.0f); // as one without shapes weighs
    require_sound(s->world);
    run(s->world, 120);
    assert_true(height_of(s, s->crate) < -5.0f);
    assert_true(sn_abs(height_of(s, s->ball) - 0.3f) < 0.005f);
}

static void test_what_slept_on_a_static_body_wakes_when_that_goes(void **state)
{
    bad_scene *s = *state;
    sn_world *w = s->world;
    sn_rigid shelf = bad_add_body(w, "shelf", SN_STATIC, sn_v(0.0f, 3.0f, 8.0f));
    sn_rigid vase = bad_add_body(w, "vase", SN_DYNAMIC, sn_v(0.0f, 3.2f, 8.0f));
    assert_int_equal(sn_box_add(w, shelf, NULL, (sn_box){{1.0f, 0.1f, 1.0f}}, NULL), SN_OK);
    assert_int_equal(sn_box_add(w, vase, NULL, (sn_box){{0.1f, 0.1f, 0.1f}}, NULL), SN_OK);
    run(w, 120);
    assert_false(sn_rigid_is_awake(w, vase));
    assert_int_equal(sn_rigid_remove(w, shelf), SN_OK);
    assert_true(sn_rigid_is_awake(w, vase));
    run(w, 120);
    assert_true(sn_abs(height_of(s, vase) - 0.1f) < 0.005f);
}

static void test_everything_can_be_removed_in_any_order(void **state)
{
    bad_scene *s = *state;
    sn_rigid bodies[32];
    for (int round = 0; sn_world_rigids(s->world, bodies, 32) > 0; ++round) {
        int count = sn_world_rigids(s->world, bodies, 32);
        assert_int_equal(sn_rigid_remove(s->world, bodies[(7 * round + 3) % count]), SN_OK);
        run(s->world, 2);
        require_sound(s->world);
    }
    assert_int_equal(sn_world_statistics(s->world).constraint_count, 0);
    assert_int_equal(sn_world_statistics(s->world).pair_count, 0);
}

// --- shapes --------------------------------------------------------------------------------------

static void test_geometry_changes_under_contact(void **state)
{
    bad_scene *s = *state;
    sn_world *w = s->world;
    static const float sizes[] = {0.6f, 0.1f, 0.4f};
    assert_int_equal(sn_rigid_pose_set(w, s->ball, scene_at(0.0f, 0.3f, 4.0f)), SN_OK);
    run(w, 1);
    for (int i = 0; i < 3; ++i) {
        float size = sizes[i];
        sn_capsule capsule = {{-size, 0, 0}, {size, 0, 0}, size};
        assert_int_equal(sn_shape_box_set(w, s->crate_box, (sn_box){{1.0f, size, 1.0f}}), SN_OK);
        assert_int_equal(sn_shape_sphere_set(w, s->ball_sphere, (sn_sphere){{0, 0, 0}, size}), SN_OK);
        assert_int_equal(sn_shape_capsule_set(w, s->rod_capsule, capsule), SN_OK);
        require_sound(w);
        run(w, 180);
        require_sound(w);
        assert_true(sn_abs(height_of(s, s->crate) - size) < 0.01f);
        assert_true(sn_abs(height_of(s, s->ball) - size) < 0.01f);
        assert_true(sn_abs(height_of(s, s->rod) - size) < 0.01f);
    }
}

static void test_a_filter_change_ends_a_contact_and_another_renews_it(void **state)
{
    bad_scene *s = *state;
    sn_world *w = s->world;
    run(w, 120);
    assert_false(sn_rigid_is_awake(w, s->crate));
    assert_int_equal(sn_shape_filter_set(w, s->ball_sphere, (sn_filter){1, 0, 0}), SN_OK);
    require_sound(w);
    run(w, 20);
    assert_true(height_of(s, s->ball) < 0.9f); // into the crate
    assert_int_equal(sn_shape_filter_set(w, s->ball_sphere, (sn_filter){1, UINT64_MAX, 0}), SN_OK);
    assert_int_equal(sn_rigid_pose_set(w, s->ball, scene_at(0.0f, 1.5f, 0.0f)), SN_OK);
    assert_int_equal(sn_rigid_linear_velocity_set(w, s->ball, sn_v(0, 0, 0)), SN_OK);
    run(w, 120);
    require_sound(w);
    assert_true(sn_abs(height_of(s, s->ball) - 1.3f) < 0.01f);
}

static void test_density_and_friction_change_under_contact(void **state)
{
    bad_scene *s = *state;
    sn_world *w = s->world;
    assert_int_equal(sn_rigid_remove(w, s->ball), SN_OK);
    assert_int_equal(sn_shape_density_set(w, s->crate_box, 250.0f), SN_OK);
    run(w, 60);
    assert_true(sn_abs(sn_rigid_contact_force(w, s->crate).y / (250.0f * 9.81f) - 1.0f) < 0.001f);
    // Leaning gravity: friction of 0.5 holds, none does not.
    assert_int_equal(sn_world_gravity_set(w, sn_v(3.0f, -9.81f, 0.0f)), SN_OK);
    run(w, 60);
    assert_true(sn_abs(sn_rigid_position(w, s->crate).x) < 0.01f);
    assert_int_equal(sn_shape_friction_set(w, s->crate_box, 0.0f), SN_OK);
    run(w, 30);
    assert_true(sn_rigid_linear_velocity(w, s->crate).x > 1.4f);
    require_sound(w);
}

// --- types ---------------------------------------------------------------------------------------

static void test_types_change_under_contact_and_on_joints(void **state)
{
    bad_scene *s = *state;
    sn_world *w = s->world;
    static const sn_rigid_type types[] = {SN_STATIC, SN_DYNAMIC,   SN_KINEMATIC,
                                          SN_STATIC, SN_KINEMATIC, SN_DYNAMIC};
    (void)tie(s, s->crate, s->rod);
    for (int i = 0; i < 6; ++i) {
        assert_int_equal(sn_rigid_type_set(w, s->crate, types[i]), SN_OK);
        assert_int_equal(sn_rigid_type_set(w, s->hung[SN_HINGE], types[i]), SN_OK);
        require_sound(w);
        run(w, i % 2 == 0 ? 120 : 3); // asleep and awake
        require_sound(w);
        assert_true(sn_abs(height_of(s, s->crate) - 0.5f) < 0.01f);
        assert_true(sn_abs(height_of(s, s->ball) - 1.3f) < 0.01f);
        assert_true(sn_abs(height_of(s, s->hung[SN_HINGE]) - 5.0f) < 0.01f);
    }
}

// A constraint outlives the moment when neither of its bodies can move.
static void test_a_joint_between_bodies_made_static_waits(void **state)
{
    bad_scene *s = *state;
    sn_world *w = s->world;
    sn_constraint rope = tie(s, s->crate, s->rod);
    assert_int_equal(sn_rigid_type_set(w, s->crate, SN_STATIC), SN_OK);
    assert_int_equal(sn_rigid_type_set(w, s->rod, SN_KINEMATIC), SN_OK);
    run(w, 10);
    assert_true(sn_constraint_is_valid(w, rope));
    assert_true(sn_length(sn_constraint_force(w, rope)) < 1.0e-6f);
    require_sound(w);
    assert_int_equal(sn_constraint_remove(w, rope), SN_OK);
    require_sound(w);
}

// --- at the edge of what is allowed --------------------------------------------------------------

static void test_bodies_put_into_each_other_and_into_the_floor_come_out(void **state)
{
    bad_scene *s = *state;
    sn_world *w = s->world;
    assert_int_equal(sn_rigid_pose_set(w, s->ball, scene_at(0.0f, 0.5f, 0.0f)), SN_OK);
    assert_int_equal(sn_rigid_pose_set(w, s->crate, scene_at(0.0f, 0.5f, 0.0f)), SN_OK);
    assert_int_equal(sn_rigid_pose_set(w, s->rod, scene_at(0.0f, -1.0f, 0.0f)), SN_OK);
    run(w, 300);
    require_sound(w);
    assert_true(height_of(s, s->rod) > 0.15f && height_of(s, s->ball) > 0.25f &&
                height_of(s, s->crate) > 0.45f);
}

static void test_the_farthest_and_fastest_that_is_allowed_stays_finite(void **state)
{
    bad_scene *s = *state;
    sn_world *w = s->world;
    assert_int_equal(sn_rigid_pose_set(w, s->ball, scene_at(1.0e6f, -1.0e6f, 1.0e6f)), SN_OK);
    assert_int_equal(sn_rigid_linear_velocity_set(w, s->ball, sn_v(1.0e5f, -1.0e5f, 1.0e5f)), SN_OK);
    assert_int_equal(sn_rigid_linear_velocity_set(w, s->crate, sn_v(0, -1.0e5f, 0)), SN_OK);
    assert_int_equal(sn_rigid_angular_velocity_set(w, s->crate, sn_v(1.0e4f, 1.0e4f, -1.0e4f)), SN_OK);
    assert_int_equal(sn_rigid_target_set(w, s->lift, scene_at(-1.0e6f, 1.0e6f, 0.0f)), SN_OK);
    assert_int_equal(sn_rigid_linear_velocity_set(w, s->hung[SN_SLIDER], sn_v(1.0e5f, 1.0e5f, 0)), SN_OK);
    assert_int_equal(sn_rigid_angular_velocity_set(w, s->hung[SN_HINGE], sn_v(1.0e4f, 0, 1.0e4f)), SN_OK);
    for (int i = 0; i < 30; ++i) {
        assert_int_equal(sn_world_step(w, i % 3 == 0 ? 1.0f : BAD_STEP), SN_OK);
        require_finite(w);
    }
    assert_true(height_of(s, s->crate) > -1.0f); // did not pass the floor
}

static void test_a_body_with_all_axes_locked_bears_joints_and_contacts(void **state)
{
    bad_scene *s = *state;
    sn_world *w = s->world;
    assert_int_equal(sn_rigid_locks_set(w, s->crate, 63), SN_OK);
    assert_int_equal(sn_rigid_locks_set(w, s->hung[SN_FIXED], 63), SN_OK);
    sn_pose before = sn_rigid_pose(w, s->crate);
    (void)tie(s, s->crate, s->rod);
    assert_int_equal(sn_rigid_force_add(w, s->crate, sn_v(1.0e6f, 1.0e6f, 0)), SN_OK);
    run(w, 60);
    sn_pose after = sn_rigid_pose(w, s->crate);
    assert_memory_equal(&before, &after, sizeof before);
    require_sound(w);
}

static void test_a_milligram_lands_on_a_million_tonnes(void **state)
{
    bad_scene *s = *state;
    sn_world *w = s->world;
    sn_rigid mote = bad_add_body(w, "mote", SN_DYNAMIC, sn_v(0.0f, 2.0f, 6.0f));
    sn_rigid hill = bad_add_body(w, "hill", SN_DYNAMIC, sn_v(0.0f, 1.0f, 6.0f));
    sn_shape_def heavy = sn_shape_def_default();
    heavy.density = 1.0e9f;
    assert_int_equal(sn_sphere_add(w, mote, NULL, (sn_sphere){{0, 0, 0}, 1.0e-3f}, NULL), SN_OK);
    assert_int_equal(sn_box_add(w, hill, &heavy, (sn_box){{0.9f, 0.9f, 0.9f}}, NULL), SN_OK);
    run(w, 120);
    require_sound(w);
    assert_true(sn_abs(height_of(s, mote) - 1.801f) < 0.01f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        bad_test(test_a_world_lists_each_contact_once_and_its_two_bodies_list_it_each),
        bad_test(test_with_a_body_go_its_shapes_contacts_and_joints_and_its_neighbors_wake),
        bad_test(test_what_was_removed_cannot_be_removed_again),
        bad_test(test_a_body_whose_shape_goes_falls_through_the_floor),
        bad_test(test_what_slept_on_a_static_body_wakes_when_that_goes),
        bad_test(test_everything_can_be_removed_in_any_order),
        bad_test(test_geometry_changes_under_contact),
        bad_test(test_a_filter_change_ends_a_contact_and_another_renews_it),
        bad_test(test_density_and_friction_change_under_contact),
        bad_test(test_types_change_under_contact_and_on_joints),
        bad_test(test_a_joint_between_bodies_made_static_waits),
        bad_test(test_bodies_put_into_each_other_and_into_the_floor_come_out),
        bad_test(test_the_farthest_and_fastest_that_is_allowed_stays_finite),
        bad_test(test_a_body_with_all_axes_locked_bears_joints_and_contacts),
        bad_test(test_a_milligram_lands_on_a_million_tonnes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
