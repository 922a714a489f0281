// Who may touch whom: categories and masks, groups, joints; from the start and changed while running.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/world_kit.h"

static const uint64_t all = UINT64_MAX;

static sn_world *weightless_world(void)
{
    sn_world *world = kit_world();
    assert_ok(sn_world_gravity_set(world, sn_v(0.0f, 0.0f, 0.0f)));
    return world;
}

static sn_rigid filtered_ball(sn_world *world, sn_filter filter, float x)
{
    sn_shape_def def = default_material();
    def.filter = filter;
    return physics_sphere(world, def, 0.5f, physics_at(x, 0.0f, 0.0f));
}

// Two balls shot at each other: do they meet, or pass through?
static bool meet(sn_filter a, sn_filter b)
{
    sn_world *world = weightless_world();
    sn_rigid left = filtered_ball(world, a, -1.0f), right = filtered_ball(world, b, 1.0f);
    assert_ok(sn_rigid_linear_velocity_set(world, left, sn_v(3.0f, 0.0f, 0.0f)));
    assert_ok(sn_rigid_linear_velocity_set(world, right, sn_v(-3.0f, 0.0f, 0.0f)));
    run_steps(world, 60);
    bool passed = sn_rigid_position(world, left).x > 1.0f;
    bool stopped = sn_rigid_position(world, left).x < 0.0f;
    assert_true(passed != stopped);
    sn_world_destroy(world);
    return stopped;
}

static void test_categories_and_masks_must_agree_on_both_sides(void **state)
{
    (void)state;
    assert_true(meet((sn_filter){1, all, 0}, (sn_filter){1, all, 0}));
    assert_true(meet((sn_filter){1, 2, 0}, (sn_filter){2, 1, 0}));
    assert_false(meet((sn_filter){1, 2, 0}, (sn_filter){2, 2, 0}));
    assert_false(meet((sn_filter){1, 1, 0}, (sn_filter){2, 1, 0}));
    assert_false(meet((sn_filter){0, all, 0}, (sn_filter){1, all, 0}));
    assert_false(meet((sn_filter){1, 0, 0}, (sn_filter){1, all, 0}));
    assert_true(meet((sn_filter){1ull << 63, 1ull << 63, 0}, (sn_filter){1ull << 63, 1ull << 63, 0}));
}

static void test_groups_overrule_masks(void **state)
{
    (void)state;
    assert_false(meet((sn_filter){1, all, -5}, (sn_filter){1, all, -5}));
    assert_true(meet((sn_filter){1, all, -5}, (sn_filter){1, all, -6}));
    assert_true(meet((sn_filter){1, all, -5}, (sn_filter){1, all, 5}));
    // Masks that see nothing, and not each other.
    assert_true(meet((sn_filter){1, 0, 5}, (sn_filter){1, 0, 5}));
    assert_true(meet((sn_filter){2, 4, INT32_MAX}, (sn_filter){8, 16, INT32_MAX}));
    // Categories that nobody looks for.
    assert_true(meet((sn_filter){0, all, 5}, (sn_filter){0, all, 5}));
    assert_false(meet((sn_filter){1, 0, 5}, (sn_filter){1, all, 6}));
}

// A bullet is swept by the same rules.
static void test_sweeps_obey_filters_and_groups(void **state)
{
    (void)state;
    const struct {
        sn_filter wall, shot;
        bool stops;
    } rows[] = {{{1, all, 0}, {1, all, 0}, true},
                {{1, 2, 0}, {1, all, 0}, false},
                {{1, 0, 7}, {1, 0, 7}, true},
                {{1, all, -7}, {1, all, -7}, false}};
    for (int i = 0; i < 4; ++i) {
        sn_world *world = weightless_world();
        sn_shape_def def = default_material();
        def.filter = rows[i].wall;
        assert_ok(sn_box_add(world, sn_world_ground(world), &def, (sn_box){{0.005f, 5.0f, 5.0f}}, NULL));
        def.filter = rows[i].shot;
        sn_rigid ball = physics_sphere(world, def, 0.1f, physics_at(-5.0f, 0.0f, 0.0f));
        assert_ok(sn_rigid_linear_velocity_set(world, ball, sn_v(300.0f, 0.0f, 0.0f)));
        run_steps(world, 5);
        assert_int_equal(sn_rigid_position(world, ball).x < 0.0f, rows[i].stops);
        sn_world_destroy(world);
    }
}

static void test_shapes_of_one_body_never_touch_each_other(void **state)
{
    (void)state;
    sn_world *world = weightless_world();
    sn_rigid ball = add_ball_at(world, 0.5f, 0.0f, 0.0f, 0.0f);
    sn_shape_def aside = default_material();
    aside.offset.position.x = 0.3f;
    assert_ok(sn_sphere_add(world, ball, &aside, (sn_sphere){{0.0f, 0.0f, 0.0f}, 0.5f}, NULL));
    run_steps(world, 10);
    assert_int_equal(sn_world_statistics(world).pair_count, 0);
    sn_world_destroy(world);
}

static void test_bodies_that_cannot_move_make_no_pairs_with_each_other(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    add_floor(world);
    sn_rigid one = physics_platform(world, default_material(), sn_v(1, 1, 1), physics_at(0.0f, 0.0f, 0.0f));
    sn_rigid two = physics_platform(world, default_material(), sn_v(1, 1, 1), physics_at(0.5f, 0.0f, 0.0f));
    assert_ok(sn_rigid_linear_velocity_set(world, one, sn_v(0.1f, 0.0f, 0.0f)));
    assert_ok(sn_rigid_linear_velocity_set(world, two, sn_v(-0.1f, 0.0f, 0.0f)));
    run_steps(world, 30);
    assert_int_equal(sn_world_statistics(world).pair_count, 0);
    sn_world_destroy(world);
}

// --- while running -------------------------------------------------------------------------------

static void test_a_box_whose_filter_changes_falls_through_the_floor_and_may_be_caught_again(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    add_floor(world);
    assert_ok(sn_box_add(world, sn_world_ground(world),
                         &(sn_shape_def){.cookie = default_material().cookie,
                                         .offset = physics_at(0.0f, -10.0f, 0.0f),
                                         .friction = 0.5f,
                                         .filter = {4, all, 0}},
                         (sn_box){{5.0f, 0.5f, 5.0f}}, NULL));
    sn_rigid box = add_box_at(world, 0.5f, 0.0f, 0.5f, 0.0f);
    sn_shape shape = first_shape(world, box);
    run_steps(world, 60);
    assert_near(sn_rigid_position(world, box).y, 0.5f, 0.01);
    assert_ok(sn_shape_filter_set(world, shape, (sn_filter){1, 4, 0}));
    // Past the floor, which is a half-space, to the slab that it may touch.
    run_steps(world, 180);
    assert_near(sn_rigid_position(world, box).y, -9.0f, 0.01);
    sn_filter kept = sn_shape_definition(world, shape).filter;
    assert_true(kept.category == 1 && kept.mask == 4 && kept.group == 0);
    // Now it is deep inside the half-space and may touch it: it is lifted out.
    assert_ok(sn_shape_filter_set(world, shape, (sn_filter){1, all, 0}));
    run_steps(world, 600);
    assert_near(sn_rigid_position(world, box).y, 0.5f, 0.01);
    sn_world_destroy(world);
}

static void test_the_filter_of_the_other_side_changes_just_as_well(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    add_floor(world);
    sn_rigid box = add_box_at(world, 0.5f, 0.0f, 0.5f, 0.0f);
    run_steps(world, 90);
    assert_false(sn_rigid_is_awake(world, box));
    sn_shape floor = first_shape(world, sn_world_ground(world));
    assert_ok(sn_shape_filter_set(world, floor, (sn_filter){1, 2, 0}));
    run_steps(world, 20);
    assert_true(sn_rigid_position(world, box).y < 0.1f);
    assert_ok(sn_shape_filter_set(world, floor, (sn_filter){1, all, 0}));
    run_steps(world, 120);
    assert_near(sn_rigid_position(world, box).y, 0.5f, 0.01);
    sn_world_destroy(world);
}

// --- joints --------------------------------------------------------------------------------------

// A ball joined to a block it overlaps, by a rope too long to matter.
typedef struct tied {
    sn_world *world;
    sn_rigid block, ball;
    sn_constraint rope;
    sn_distance_def def;
} tied;

static tied make_tied(bool collide)
{
    tied t = {.world = weightless_world()};
    t.block = add_box_at(t.world, 0.5f, 0.0f, 0.0f, 0.0f);
    t.ball = add_ball_at(t.world, 0.5f, 0.9f, 0.0f, 0.0f);
    t.def = sn_distance_def_default();
    assert_ok(sn_constraint_place_points(t.world, &t.def.common, t.block, t.ball, sn_v(0.0f, 0.0f, 0.0f),
                                         sn_v(0.9f, 0.0f, 0.0f)));
    t.def.upper = 100.0f;
    t.def.common.collide_connected = collide;
    assert_ok(sn_distance_add(t.world, &t.def, &t.rope));
    return t;
}

static float gap(const tied *t)
{
    return sn_distance_between(sn_rigid_position(t->world, t->block), sn_rigid_position(t->world, t->ball));
}

static void test_joined_bodies_touch_only_if_they_may(void **state)
{
    (void)state;
    for (int collide = 0; collide < 2; ++collide) {
        tied t = make_tied(collide);
        run_steps(t.world, 60);
        assert_near(gap(&t), collide ? 1.0f : 0.9f, collide ? 5e-3 : 1e-6);
        assert_int_equal(sn_world_statistics(t.world).pair_count, collide);
        sn_world_destroy(t.world);
    }
}

static void test_removing_the_joint_makes_them_touch_again(void **state)
{
    (void)state;
    tied t = make_tied(false);
    run_steps(t.world, 60);
    assert_near(gap(&t), 0.9f, 1e-6);
    assert_ok(sn_constraint_remove(t.world, t.rope));
    run_steps(t.world, 60);
    assert_near(gap(&t), 1.0f, 5e-3);
    sn_world_destroy(t.world);
}

static void test_changing_the_flag_of_a_joint_takes_effect_both_ways(void **state)
{
    (void)state;
    tied t = make_tied(false);
    run_steps(t.world, 10);
    t.def.common.collide_connected = true;
    assert_ok(sn_distance_set(t.world, t.rope, &t.def));
    run_steps(t.world, 60);
    assert_near(gap(&t), 1.0f, 5e-3);
    t.def.common.collide_connected = false;
    assert_ok(sn_distance_set(t.world, t.rope, &t.def));
    run_steps(t.world, 1);
    assert_int_equal(sn_world_statistics(t.world).pair_count, 0);
    sn_world_destroy(t.world);
}

// Two joints between the same bodies: as long as one of them forbids it, they do not touch.
static void test_one_of_two_joints_is_enough_to_forbid(void **state)
{
    (void)state;
    tied t = make_tied(false);
    sn_distance_def second = t.def;
    second.common.collide_connected = true;
    sn_constraint other;
    assert_ok(sn_distance_add(t.world, &second, &other));
    run_steps(t.world, 30);
    assert_near(gap(&t), 0.9f, 1e-6);
    assert_ok(sn_constraint_remove(t.world, other));
    run_steps(t.world, 30);
    assert_near(gap(&t), 0.9f, 1e-6);
    assert_ok(sn_constraint_remove(t.world, t.rope));
    run_steps(t.world, 60);
    assert_near(gap(&t), 1.0f, 5e-3);
    sn_world_destroy(t.world);
}

static void test_a_broken_joint_lets_them_touch_again(void **state)
{
    (void)state;
    tied t = make_tied(false);
    t.def.upper = 1.5f;
    t.def.common.break_force = 10.0f;
    assert_ok(sn_distance_set(t.world, t.rope, &t.def));
    assert_ok(sn_rigid_linear_velocity_set(t.world, t.ball, sn_v(5.0f, 0.0f, 0.0f)));
    run_steps(t.world, 20);
    assert_false(sn_constraint_is_valid(t.world, t.rope));
    // Sent back it bounces off the block.
    assert_ok(sn_rigid_pose_set(t.world, t.block, physics_at(0.0f, 0.0f, 0.0f)));
    assert_ok(sn_rigid_pose_set(t.world, t.ball, physics_at(2.0f, 0.0f, 0.0f)));
    assert_ok(sn_rigid_linear_velocity_set(t.world, t.block, sn_v(0.0f, 0.0f, 0.0f)));
    assert_ok(sn_rigid_linear_velocity_set(t.world, t.ball, sn_v(-3.0f, 0.0f, 0.0f)));
    run_steps(t.world, 60);
    assert_true(gap(&t) > 0.99f);
    sn_world_destroy(t.world);
}

static void test_a_joint_made_while_they_touch_ends_the_contact(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    add_floor(world);
    sn_rigid box = add_box_at(world, 0.5f, 0.0f, 0.5f, 0.0f);
    run_steps(world, 10);
    assert_int_equal(sn_rigid_contacts(world, box, NULL, 0), 1);
    sn_slider_def rail = sn_slider_def_default();
    assert_ok(sn_constraint_place(world, &rail.common, sn_world_ground(world), box, sn_v(0.0f, 0.5f, 0.0f),
                                  sn_v(0.0f, 1.0f, 0.0f)));
    sn_constraint slider;
    assert_ok(sn_slider_add(world, &rail, &slider));
    assert_int_equal(sn_rigid_contacts(world, box, NULL, 0), 0);
    run_steps(world, 30);
    assert_true(sn_rigid_position(world, box).y < 0.0f);
    assert_ok(sn_constraint_remove(world, slider));
    run_steps(world, 200);
    assert_near(sn_rigid_position(world, box).y, 0.5f, 0.01);
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_categories_and_masks_must_agree_on_both_sides),
        test_with_memory(test_groups_overrule_masks),
        test_with_memory(test_sweeps_obey_filters_and_groups),
        test_with_memory(test_shapes_of_one_body_never_touch_each_other),
        test_with_memory(test_bodies_that_cannot_move_make_no_pairs_with_each_other),
        test_with_memory(test_a_box_whose_filter_changes_falls_through_the_floor_and_may_be_caught_again),
        test_with_memory(test_the_filter_of_the_other_side_changes_just_as_well),
        test_with_memory(test_joined_bodies_touch_only_if_they_may),
        test_with_memory(test_removing_the_joint_makes_them_touch_again),
        test_with_memory(test_changing_the_flag_of_a_joint_takes_effect_both_ways),
        test_with_memory(test_one_of_two_joints_is_enough_to_forbid),
        test_with_memory(test_a_broken_joint_lets_them_touch_again),
        test_with_memory(test_a_joint_made_while_they_touch_ends_the_contact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
