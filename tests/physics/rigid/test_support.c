// What stands on its contacts stands for ever; what does not, falls; what is disturbed is released at once.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/physics.h"

#include <stdlib.h>

#define STEP (1.0f / 60.0f)

static sn_world *world_make(void)
{
    sn_world_def def = sn_world_def_default();
    def.sleep = false;
    sn_world *world;
    must(sn_world_create(&def, &world));
    return world;
}

static sn_rigid box(sn_world *world, float x, float y, float width, float height)
{
    return physics_box(world, physics_material(0.5f, 0.0f), sn_v(0.5f * width, 0.5f * height, 0.4f),
                       physics_at(x, y, 0));
}

static sn_world *on_floor(void)
{
    sn_world *world = world_make();
    physics_floor(world, physics_material(0.5f, 0.0f));
    return world;
}

static int supported(const sn_world *world)
{
    return sn_world_statistics(world).supported_count;
}

static float height(const sn_world *world, sn_rigid rigid)
{
    return sn_rigid_position(world, rigid).y;
}

static void check_all_supported(const sn_world *world, int count, const char *what)
{
    check_near((double)supported(world), (double)count, 0.1, "%s: bodies supported", what);
}

// --- what stands -------------------------------------------------------------------------------------

static sn_world *stack_of(int count, sn_rigid *boxes)
{
    sn_world *world = on_floor();
    for (int i = 0; i < count; ++i) {
        boxes[i] = box(world, 0.0f, 0.5f + (float)i, 1.0f, 1.0f);
    }
    return world;
}

static void test_a_stack_does_not_move_by_a_bit_once_it_stands(void **state)
{
    (void)state;
    sn_rigid boxes[10];
    sn_world *world = stack_of(10, boxes);
    physics_run(world, STEP, 1.0f);
    check_all_supported(world, 10, "stack");
    sn_vec3 before = sn_rigid_position(world, boxes[9]);
    physics_run(world, STEP, 20.0f);
    sn_vec3 after = sn_rigid_position(world, boxes[9]);
    check_true(before.x == after.x && before.y == after.y && before.z == after.z, "it is where it was");
    sn_world_destroy(world);
}

static void test_forces_stay_those_of_rest(void **state)
{
    (void)state;
    sn_rigid boxes[3];
    sn_world *world = stack_of(3, boxes);
    physics_run(world, STEP, 2.0f);
    for (int i = 0; i < 3; ++i) {
        check_relative((double)sn_rigid_contact_force(world, boxes[i]).y, physics_weight(world, boxes[i]),
                       0.01, "force on box %d [N]", i);
    }
    sn_world_destroy(world);
}

static void test_a_bridge_on_two_pillars_with_a_load_is_supported(void **state)
{
    (void)state;
    sn_world *world = on_floor();
    box(world, -1.0f, 0.5f, 0.4f, 1.0f);
    box(world, 1.0f, 0.5f, 0.4f, 1.0f);
    box(world, 0.0f, 1.1f, 2.4f, 0.2f);
    box(world, 0.0f, 1.4f, 0.4f, 0.4f);
    physics_run(world, STEP, 2.0f);
    check_all_supported(world, 4, "bridge");
    sn_world_destroy(world);
}

static void test_a_box_on_a_slope_that_friction_holds_is_supported(void **state)
{
    (void)state;
    sn_world *world = world_make();
    physics_slope(world, physics_material(0.5f, 0.0f), 0.35f);
    sn_rigid rigid = physics_box(world, physics_material(0.5f, 0.0f), sn_v(0.5f, 0.25f, 0.5f),
                                 physics_on_slope(0.35f, 0.25f));
    physics_run(world, STEP, 3.0f);
    check_all_supported(world, 1, "slope");
    check_below((double)sn_length(sn_rigid_linear_velocity(world, rigid)), 1.0e-9, "speed [m/s]");
    sn_world_destroy(world);
}

static void test_a_restored_world_goes_on_bit_for_bit(void **state)
{
    (void)state;
    sn_rigid boxes[5];
    sn_world *world = stack_of(5, boxes);
    physics_run(world, STEP, 1.0f);
    size_t size;
    must(sn_world_save(world, NULL, 0, &size));
    void *bytes = malloc(size);
    must(sn_world_save(world, bytes, size, &size));
    uint64_t hashes[2];
    for (int i = 0; i < 2; ++i) {
        must(sn_rigid_impulse_add(world, boxes[4], sn_v(2000.0f, 0.0f, 0.0f)));
        physics_run(world, STEP, 1.0f);
        hashes[i] = sn_world_hash(world);
        must(sn_world_restore(world, bytes, size));
    }
    check_true(hashes[0] == hashes[1], "both runs end alike");
    check_all_supported(world, 0, "restored");
    physics_run(world, STEP, STEP);
    check_all_supported(world, 5, "one step later");
    free(bytes);
    sn_world_destroy(world);
}

// --- no false support --------------------------------------------------------------------------------

typedef struct scene {
    sn_world *world;
    sn_rigid watched;
} scene;

static scene box_that_overhangs_by_more_than_half(void)
{
    scene s = {on_floor(), {0}};
    box(s.world, 0.0f, 0.5f, 1.0f, 1.0f);
    s.watched = box(s.world, 0.53f, 1.1f, 1.0f, 0.2f);
    return s;
}

static scene beam_beside_its_pillar(void)
{
    scene s = {on_floor(), {0}};
    box(s.world, 0.0f, 0.5f, 0.4f, 1.0f);
    s.watched = box(s.world, 0.25f, 1.1f, 2.4f, 0.2f);
    return s;
}

static scene t_beam_with_a_load_on_one_arm(void)
{
    scene s = {on_floor(), {0}};
    box(s.world, 0.0f, 0.5f, 0.4f, 1.0f);
    box(s.world, 0.0f, 1.1f, 2.8f, 0.2f);
    s.watched = box(s.world, 1.2f, 1.4f, 0.4f, 0.4f);
    return s;
}

static scene t_beam_with_unequal_loads(void)
{
    scene s = {on_floor(), {0}};
    box(s.world, 0.0f, 0.5f, 0.4f, 1.0f);
    box(s.world, 0.0f, 1.1f, 2.8f, 0.2f);
    box(s.world, -1.2f, 1.4f, 0.4f, 0.4f);
    s.watched = box(s.world, 1.1f, 1.7f, 0.6f, 1.0f);
    return s;
}

static scene steps_that_lean_out_too_far(void)
{
    scene s = {on_floor(), {0}};
    for (int i = 0; i < 5; ++i) {
        s.watched = box(s.world, 0.3f * (float)i, 0.25f + 0.5f * (float)i, 1.0f, 0.5f);
    }
    return s;
}

static scene block_on_its_edge(void)
{
    scene s = {on_floor(), {0}};
    sn_pose pose = physics_at(0, 1.06f, 0);
    pose.rotation = sn_quat_axis_angle(sn_v(0, 0, 1), 0.52f); // its mass centre is past its edge at 0.46
    s.watched = physics_box(s.world, physics_material(0.5f, 0.0f), sn_v(0.5f, 1.0f, 0.4f), pose);
    return s;
}

static scene plank_against_a_smooth_wall(void)
{
    scene s = {world_make(), {0}};
    sn_shape_def smooth = physics_material(0.0f, 0.0f);
    physics_floor(s.world, smooth);
    must(sn_plane_add(s.world, sn_world_ground(s.world), &smooth, (sn_plane){{1, 0, 0}, 0}, NULL));
    sn_pose pose = physics_at(0.42f, 0.93f, 0);
    pose.rotation = sn_quat_axis_angle(sn_v(0, 0, 1), 0.4f);
    s.watched = physics_box(s.world, smooth, sn_v(0.05f, 1.0f, 0.4f), pose);
    return s;
}

static scene box_on_a_slope_steeper_than_friction(void)
{
    scene s = {world_make(), {0}};
    physics_slope(s.world, physics_material(0.5f, 0.0f), 0.49f);
    s.watched = physics_box(s.world, physics_material(0.5f, 0.0f), sn_v(0.5f, 0.25f, 0.5f),
                            physics_on_slope(0.49f, 0.25f));
    return s;
}

static scene ball_on_a_gentle_slope(void)
{
    scene s = {world_make(), {0}};
    physics_slope(s.world, physics_material(0.5f, 0.0f), 0.05f);
    s.watched = physics_sphere(s.world, physics_material(0.5f, 0.0f), 0.5f, physics_on_slope(0.05f, 0.5f));
    return s;
}

static scene tower_on_what_slides(void)
{
    scene s = {world_make(), {0}};
    physics_slope(s.world, physics_material(0.3f, 0.0f), 0.4f);
    for (int i = 0; i < 3; ++i) {
        sn_shape_def material = physics_material(i == 0 ? 0.3f : 0.9f, 0.0f);
        s.watched = physics_box(s.world, material, sn_v(0.5f, 0.15f, 0.5f),
                                physics_on_slope(0.4f, 0.15f + 0.3f * (float)i));
    }
    return s;
}

static scene ball_on_a_ball(void)
{
    scene s = {on_floor(), {0}};
    physics_sphere(s.world, physics_material(0.5f, 0.0f), 0.5f, physics_at(0, 0.5f, 0));
    s.watched = physics_sphere(s.world, physics_material(0.5f, 0.0f), 0.5f, physics_at(0.05f, 1.4985f, 0));
    return s;
}

static scene column_on_a_ball(void)
{
    scene s = {on_floor(), {0}};
    physics_sphere(s.world, physics_material(0.5f, 0.0f), 0.5f, physics_at(0, 0.5f, 0));
    s.watched = box(s.world, 0.02f, 1.5f, 1.0f, 1.0f);
    return s;
}

static void test_what_must_fall_falls(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        scene (*make)(void);
    } cases[] = {
        {"box that overhangs by more than half", box_that_overhangs_by_more_than_half},
        {"beam beside its pillar", beam_beside_its_pillar},
        {"T-beam with a load on one arm", t_beam_with_a_load_on_one_arm},
        {"T-beam with unequal loads", t_beam_with_unequal_loads},
        {"steps that lean out too far", steps_that_lean_out_too_far},
        {"block on its edge", block_on_its_edge},
        {"plank against a smooth wall", plank_against_a_smooth_wall},
        {"box on a slope steeper than friction", box_on_a_slope_steeper_than_friction},
        {"ball on a gentle slope", ball_on_a_gentle_slope},
        {"tower on what slides", tower_on_what_slides},
        {"ball on a ball", ball_on_a_ball},
        {"column on a ball", column_on_a_ball},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        scene s = cases[i].make();
        sn_vec3 before = sn_rigid_position(s.world, s.watched);
        physics_run(s.world, STEP, 4.0f);
        check_above((double)sn_distance_between(before, sn_rigid_position(s.world, s.watched)), 0.15,
                    "%s: way [m]", cases[i].name);
        sn_world_destroy(s.world);
    }
}

// --- release -----------------------------------------------------------------------------------------

// All fall together, none a step later than those below.
static void test_a_stack_whose_support_is_removed_falls_at_once(void **state)
{
    (void)state;
    sn_world *world = world_make();
    sn_rigid_def def = sn_rigid_def_default();
    def.type = SN_STATIC;
    sn_rigid table, boxes[6];
    must(sn_rigid_add(world, &def, &table));
    must(sn_box_add(world, table, NULL, (sn_box){{2.0f, 0.5f, 2.0f}}, NULL));
    for (int i = 0; i < 6; ++i) {
        boxes[i] = box(world, 0.0f, 1.0f + (float)i, 1.0f, 1.0f);
    }
    physics_run(world, STEP, 1.0f);
    check_all_supported(world, 6, "before");
    must(sn_rigid_remove(world, table));
    physics_run(world, STEP, 0.5f);
    for (int i = 0; i < 6; ++i) {
        check_near((double)height(world, boxes[i]), 1.0 + i - 0.5 * 9.81 * 0.25, 0.02, "height of box %d [m]",
                   i);
    }
    sn_world_destroy(world);
}

static void test_a_lift_carries_what_stands_on_it(void **state)
{
    (void)state;
    const float speeds[] = {1.0e-3f, 0.5f};
    for (int k = 0; k < 2; ++k) {
        sn_world *world = world_make();
        sn_rigid lift =
            physics_platform(world, physics_material(0.5f, 0.0f), sn_v(2, 0.5f, 2), physics_at(0, -0.5f, 0));
        sn_rigid lower = box(world, 0.0f, 0.5f, 1.0f, 1.0f), upper = box(world, 0.0f, 1.5f, 1.0f, 1.0f);
        physics_run(world, STEP, 1.0f);
        check_all_supported(world, 2, "standing lift");
        must(sn_rigid_linear_velocity_set(world, lift, sn_v(0, speeds[k], 0)));
        physics_run(world, STEP, 1.0f);
        check_near((double)height(world, lower), 0.5 + (double)speeds[k], 1.0e-3,
                   "height of the lower box [m]");
        check_near((double)height(world, upper), 1.5 + (double)speeds[k], 1.0e-3,
                   "height of the upper box [m]");
        sn_world_destroy(world);
    }
}

static void test_momentum_of_a_hit_is_shared_at_once(void **state)
{
    (void)state;
    double moved[2];
    for (int support = 0; support < 2; ++support) {
        sn_world_def def = sn_world_def_default();
        def.sleep = false;
        def.long_range.support = support == 1;
        sn_world *world;
        must(sn_world_create(&def, &world));
        physics_floor(world, physics_material(0.5f, 0.0f));
        sn_rigid boxes[6];
        for (int i = 0; i < 6; ++i) {
            boxes[i] = box(world, 0.0f, 0.5f + (float)i, 1.0f, 1.0f);
        }
        physics_run(world, STEP, 1.0f);
        sn_rigid ball = physics_sphere(world, physics_material(0.5f, 0.0f), 0.4f, physics_at(-1.5f, 4.5f, 0));
        must(sn_rigid_linear_velocity_set(world, ball, sn_v(30.0f, 1.0f, 0)));
        physics_run(world, STEP, 0.25f);
        moved[support] = (double)sn_rigid_position(world, boxes[4]).x;
        sn_world_destroy(world);
    }
    check_above(moved[1], 0.1, "way of the box that was hit [m]");
    check_relative(moved[1], moved[0], 0.02, "the same as without support [m]");
}

static void test_a_load_that_is_added_to_an_arm_tips_it(void **state)
{
    (void)state;
    sn_world *world = on_floor();
    box(world, 0.0f, 0.5f, 0.4f, 1.0f);
    box(world, 0.0f, 1.1f, 2.8f, 0.2f);
    physics_run(world, STEP, 1.0f);
    check_all_supported(world, 2, "T-beam");
    sn_rigid load = box(world, 1.2f, 1.4f, 0.4f, 0.4f);
    physics_run(world, STEP, 2.0f);
    check_below((double)height(world, load), 1.0, "height of the load [m]");
    sn_world_destroy(world);
}

static void test_taking_one_of_two_balanced_loads_tips_the_beam(void **state)
{
    (void)state;
    sn_world *world = on_floor();
    box(world, 0.0f, 0.5f, 0.4f, 1.0f);
    box(world, 0.0f, 1.1f, 2.8f, 0.2f);
    sn_rigid left = box(world, -1.2f, 1.4f, 0.4f, 0.4f), right = box(world, 1.2f, 1.4f, 0.4f, 0.4f);
    physics_run(world, STEP, 1.0f);
    check_all_supported(world, 4, "balanced beam");
    must(sn_rigid_remove(world, left));
    physics_run(world, STEP, 2.0f);
    check_below((double)height(world, right), 1.0, "height of the load that is left [m]");
    sn_world_destroy(world);
}

// Its weight stays the same, only the place changes.
static void test_a_ball_that_rolls_along_an_arm_tips_it(void **state)
{
    (void)state;
    sn_world *world = on_floor();
    box(world, 0.0f, 0.5f, 0.4f, 1.0f);
    box(world, 0.0f, 1.1f, 3.6f, 0.2f);
    sn_rigid ball = physics_sphere(world, physics_material(0.5f, 0.0f), 0.25f, physics_at(0, 1.45f, 0));
    physics_run(world, STEP, 1.0f);
    check_all_supported(world, 3, "beam with a ball");
    must(sn_rigid_linear_velocity_set(world, ball, sn_v(0.4f, 0, 0)));
    must(sn_rigid_angular_velocity_set(world, ball, sn_v(0, 0, -1.6f)));
    physics_run(world, STEP, 5.0f);
    check_below((double)height(world, ball), 0.9, "height of the ball [m]");
    sn_world_destroy(world);
}

static void test_gravity_impulses_and_forces_release(void **state)
{
    (void)state;
    for (int k = 0; k < 3; ++k) {
        sn_rigid boxes[2];
        sn_world *world = stack_of(2, boxes);
        physics_run(world, STEP, 1.0f);
        check_all_supported(world, 2, "before");
        if (k == 0) {
            must(sn_world_gravity_set(world, sn_v(9.81f, -9.81f, 0)));
        } else if (k == 1) {
            must(sn_rigid_impulse_add(world, boxes[1], sn_v(2000.0f, 0, 0)));
        } else {
            must(sn_rigid_force_add(world, boxes[1], sn_v(2.0e6f, 0, 0)));
        }
        physics_run(world, STEP, 0.5f);
        check_above((double)sn_rigid_position(world, boxes[1]).x, 0.1, "way of the upper box in case %d [m]",
                    k);
        sn_world_destroy(world);
    }
}

static void test_without_the_setting_nothing_is_supported(void **state)
{
    (void)state;
    sn_rigid boxes[3];
    sn_world *world = stack_of(3, boxes);
    physics_run(world, STEP, 1.0f);
    check_all_supported(world, 3, "with");
    sn_world_def def = sn_world_settings(world);
    def.long_range.support = false;
    must(sn_world_settings_set(world, &def));
    physics_run(world, STEP, 1.0f);
    check_all_supported(world, 0, "without");
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_a_stack_does_not_move_by_a_bit_once_it_stands),
        physics_test(test_forces_stay_those_of_rest),
        physics_test(test_a_bridge_on_two_pillars_with_a_load_is_supported),
        physics_test(test_a_box_on_a_slope_that_friction_holds_is_supported),
        physics_test(test_a_restored_world_goes_on_bit_for_bit),
        physics_test(test_what_must_fall_falls),
        physics_test(test_a_stack_whose_support_is_removed_falls_at_once),
        physics_test(test_a_lift_carries_what_stands_on_it),
        physics_test(test_momentum_of_a_hit_is_shared_at_once),
        physics_test(test_a_load_that_is_added_to_an_arm_tips_it),
        physics_test(test_taking_one_of_two_balanced_loads_tips_the_beam),
        physics_test(test_a_ball_that_rolls_along_an_arm_tips_it),
        physics_test(test_gravity_impulses_and_forces_release),
        physics_test(test_without_the_setting_nothing_is_supported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
