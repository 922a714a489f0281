// Kinematic bodies go where they are told, exactly, push and carry what they meet, and are pushed by nothing.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/random.h"
#include "support/world_kit.h"

static sn_rigid platform_at(sn_world *world, sn_vec3 half, float x, float y, float z)
{
    return physics_platform(world, default_material(), half, physics_at(x, y, z));
}

// --- where it goes -------------------------------------------------------------------------------

static void test_a_target_is_reached_to_the_bit_in_one_step_of_any_length(void **state)
{
    (void)state;
    test_random random = {1};
    sn_world *world = kit_world();
    sn_rigid body = platform_at(world, sn_v(0.5f, 0.1f, 0.3f), 0.0f, 0.0f, 0.0f);
    sn_shape_def aside = default_material();
    aside.offset.position = sn_v(1.0f, 2.0f, 3.0f);
    assert_ok(sn_sphere_add(world, body, &aside, (sn_sphere){{0.0f, 0.0f, 0.0f}, 0.5f}, NULL));
    for (int i = 0; i < 200; ++i) {
        sn_pose target = {test_random_vec3(&random, 5.0f), sn_quat_identity};
        target.rotation = sn_quat_normalize(test_random_rotation(&random));
        assert_ok(sn_rigid_target_set(world, body, target));
        // Entries are normalised once more on the way in.
        target.rotation = sn_quat_normalize(target.rotation);
        assert_ok(sn_world_step(world, test_random_float(&random, 0.001f, 0.1f)));
        assert_true(same_vec3(sn_rigid_position(world, body), target.position));
        assert_true(same_quat(sn_rigid_rotation(world, body), target.rotation));
        assert_true(same_vec3(sn_rigid_linear_velocity(world, body), sn_v(0.0f, 0.0f, 0.0f)));
    }
    sn_world_destroy(world);
}

static void test_after_its_target_it_stands_still_until_told_again(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_rigid body = platform_at(world, sn_v(1.0f, 0.1f, 1.0f), 0.0f, 0.0f, 0.0f);
    assert_ok(sn_rigid_target_set(world, body, physics_at(0.5f, 0.0f, 0.0f)));
    run_steps(world, 1);
    assert_false(sn_rigid_is_awake(world, body));
    run_steps(world, 10);
    assert_true(same_vec3(sn_rigid_position(world, body), sn_v(0.5f, 0.0f, 0.0f)));
    sn_world_destroy(world);
}

static void test_by_velocity_it_moves_and_turns_at_that_rate_within_1e_4(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_rigid body = platform_at(world, sn_v(1.0f, 0.1f, 1.0f), 0.0f, 0.0f, 0.0f);
    assert_ok(sn_rigid_linear_velocity_set(world, body, sn_v(1.0f, -2.0f, 0.5f)));
    assert_ok(sn_rigid_angular_velocity_set(world, body, sn_v(0.0f, 1.5f, 0.0f)));
    run_steps(world, 60);
    assert_vec3_near(sn_rigid_position(world, body), sn_v(1.0f, -2.0f, 0.5f), 1e-4);
    sn_vec3 x = sn_rotate(sn_rigid_rotation(world, body), sn_v(1.0f, 0.0f, 0.0f));
    assert_vec3_near(x, sn_v(sn_cos(1.5f), 0.0f, -sn_sin(1.5f)), 1e-4);
    assert_true(same_vec3(sn_rigid_linear_velocity(world, body), sn_v(1.0f, -2.0f, 0.5f)));
    sn_world_destroy(world);
}

static void test_nothing_pushes_it(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_rigid body = platform_at(world, sn_v(2.0f, 0.1f, 2.0f), 0.0f, 0.0f, 0.0f);
    sn_shape_def heavy = default_material();
    heavy.density = 1.0e6f;
    sn_rigid anvil = physics_box(world, heavy, sn_v(0.5f, 0.5f, 0.5f), physics_at(0.5f, 3.0f, 0.0f));
    assert_ok(sn_rigid_linear_velocity_set(world, anvil, sn_v(5.0f, -10.0f, 0.0f)));
    assert_ok(sn_rigid_linear_velocity_set(world, body, sn_v(0.0f, 0.5f, 0.0f)));
    run_steps(world, 60);
    assert_vec3_near(sn_rigid_position(world, body), sn_v(0.0f, 0.5f, 0.0f), 1e-5);
    assert_true(same_quat(sn_rigid_rotation(world, body), sn_quat_identity));
    // Gravity neither.
    assert_true(same_vec3(sn_rigid_linear_velocity(world, body), sn_v(0.0f, 0.5f, 0.0f)));
    sn_world_destroy(world);
}

// --- what it carries -----------------------------------------------------------------------------

// Up and down by 1 m in 4 s: at most 2.5 m/s², so the box stays on.
static void test_a_lift_carries_a_box_within_5_mm(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_rigid lift = platform_at(world, sn_v(2.0f, 0.1f, 2.0f), 0.0f, -0.1f, 0.0f);
    sn_rigid box = add_box_at(world, 0.5f, 0.3f, 0.5f, 0.2f);
    run_steps(world, 60);
    for (int i = 1; i <= 480; ++i) {
        float height = 0.5f - 0.5f * sn_cos(2.0f * SN_PI * (float)i / 240.0f);
        assert_ok(sn_rigid_target_set(world, lift, physics_at(0.0f, height - 0.1f, 0.0f)));
        run_steps(world, 1);
        assert_near(sn_rigid_position(world, box).y, height + 0.5f, 5e-3);
    }
    assert_near(sn_rigid_position(world, box).x, 0.3f, 1e-3);
    assert_near(sn_rigid_position(world, box).z, 0.2f, 1e-3);
    sn_world_destroy(world);
}

// A tray that starts gently takes the box along; one pulled away faster than friction holds does not.
static void test_a_tray_carries_by_friction_or_slips_away(void **state)
{
    (void)state;
    const float accelerations[] = {2.0f, 20.0f}; // µ g = 4.9
    for (int k = 0; k < 2; ++k) {
        sn_world *world = kit_world();
        sn_rigid tray = platform_at(world, sn_v(5.0f, 0.1f, 2.0f), 0.0f, -0.1f, 0.0f);
        sn_rigid box = add_box_at(world, 0.2f, 0.0f, 0.2f, 0.0f);
        run_steps(world, 30);
        float time = 0.0f;
        for (int i = 1; i <= 30; ++i) {
            time = (float)i * frame;
            float way = 0.5f * accelerations[k] * time * time;
            assert_ok(sn_rigid_target_set(world, tray, physics_at(way, -0.1f, 0.0f)));
            run_steps(world, 1);
        }
        float held = sn_min(accelerations[k], 0.5f * 9.81f);
        assert_near(sn_rigid_linear_velocity(world, box).x, held * time, 0.03 * (double)(held * time));
        assert_near(sn_rigid_position(world, box).x, 0.5f * held * time * time, 0.02);
        sn_world_destroy(world);
    }
}

static void test_a_turntable_carries_a_box_round_within_1_percent(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_rigid table = platform_at(world, sn_v(2.0f, 0.1f, 2.0f), 0.0f, -0.1f, 0.0f);
    sn_rigid box = add_box_at(world, 0.2f, 1.0f, 0.2f, 0.0f);
    assert_ok(sn_rigid_angular_velocity_set(world, table, sn_v(0.0f, 1.0f, 0.0f)));
    run_steps(world, 120);
    sn_vec3 place = sn_rigid_position(world, box);
    assert_near(sqrtf(place.x * place.x + place.z * place.z), 1.0f, 0.01);
    // One radian a second, less what it lagged behind until friction had brought it to 1 m/s: v²/(2 µ g).
    assert_near(sn_rigid_angular_velocity(world, box).y, 1.0f, 0.01);
    assert_near(sn_atan2(-place.z, place.x), 2.0f - 1.0f / 9.81f, 0.01);
    sn_world_destroy(world);
}

// --- what it pushes ------------------------------------------------------------------------------

typedef struct push_result {
    float deepest; // of the ball inside the wall, on the way
    float speed;   // of the ball at the end
    float lead;    // of the ball before the wall at the end
} push_result;

// A wall driven at `speed` against a resting ball without friction or gravity.
static push_result push_ball(float speed, bool by_target)
{
    sn_world *world = kit_world();
    assert_ok(sn_world_gravity_set(world, sn_v(0.0f, 0.0f, 0.0f)));
    sn_rigid wall = platform_at(world, sn_v(0.1f, 2.0f, 2.0f), -0.5f, 0.0f, 0.0f);
    sn_rigid ball = add_ball_at(world, 0.25f, 0.0f, 0.0f, 0.0f);
    push_result result = {0};
    if (!by_target) {
        assert_ok(sn_rigid_linear_velocity_set(world, wall, sn_v(speed, 0.0f, 0.0f)));
    }
    for (int i = 1; i <= 30; ++i) {
        if (by_target) {
            assert_ok(sn_rigid_target_set(world, wall, physics_at(-0.5f + speed * frame * (float)i, 0, 0)));
        }
        run_steps(world, 1);
        float wall_face = sn_rigid_position(world, wall).x + 0.1f;
        result.lead = sn_rigid_position(world, ball).x - 0.25f - wall_face;
        result.deepest = sn_max(result.deepest, -result.lead);
    }
    result.speed = sn_rigid_linear_velocity(world, ball).x;
    sn_world_destroy(world);
    return result;
}

// At 5 m/s the wall covers 8 cm a step, at 10 m/s 17 cm: contacts must be made before it is there.
static void test_a_wall_driven_by_targets_pushes_as_one_driven_by_velocity(void **state)
{
    (void)state;
    const float speeds[] = {1.0f, 5.0f, 10.0f};
    for (int i = 0; i < 3; ++i) {
        push_result by_velocity = push_ball(speeds[i], false), by_target = push_ball(speeds[i], true);
        assert_true(by_velocity.deepest < 0.005f);
        assert_true(by_target.deepest < 0.005f);
        assert_near(by_velocity.speed, speeds[i], 0.02 * (double)speeds[i]);
        assert_near(by_target.speed, by_velocity.speed, 0.02 * (double)speeds[i]);
    }
}

static void test_a_body_turned_by_targets_strikes_with_its_rim(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    assert_ok(sn_world_gravity_set(world, sn_v(0.0f, 0.0f, 0.0f)));
    sn_rigid bat = platform_at(world, sn_v(1.0f, 0.1f, 0.1f), 0.0f, 0.0f, 0.0f);
    sn_rigid ball = add_ball_at(world, 0.2f, 0.9f, 0.5f, 0.0f);
    for (int i = 1; i <= 20; ++i) {
        sn_quat turn = sn_quat_axis_angle(sn_v(0.0f, 0.0f, 1.0f), 6.0f * frame * (float)i);
        assert_ok(sn_rigid_target_set(world, bat, (sn_pose){{0.0f, 0.0f, 0.0f}, turn}));
        run_steps(world, 1);
    }
    // The rim moves at up to 6 m/s; the ball leaves with what it had where it was struck.
    float speed = sn_length(sn_rigid_linear_velocity(world, ball));
    assert_in_range((int)(100.0f * speed), 400, 650);
    sn_world_destroy(world);
}

// --- the rest ------------------------------------------------------------------------------------

static void test_only_kinematic_bodies_take_targets(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_rigid box = add_box_at(world, 0.5f, 0.0f, 0.0f, 0.0f);
    assert_int_equal(sn_rigid_target_set(world, box, sn_pose_identity), SN_ERROR_KIND);
    assert_int_equal(sn_rigid_target_set(world, sn_world_ground(world), sn_pose_identity), SN_ERROR_KIND);
    sn_world_destroy(world);
}

// Turned kinematic in mid-air it stops; turned dynamic again it falls.
static void test_a_body_may_become_kinematic_and_dynamic_again(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_rigid box = add_box_at(world, 0.5f, 0.0f, 10.0f, 0.0f);
    run_steps(world, 10);
    assert_ok(sn_rigid_type_set(world, box, SN_KINEMATIC));
    sn_vec3 place = sn_rigid_position(world, box);
    run_steps(world, 30);
    assert_true(same_vec3(place, sn_rigid_position(world, box)));
    assert_ok(sn_rigid_target_set(world, box, physics_at(3.0f, 10.0f, 0.0f)));
    run_steps(world, 1);
    assert_true(same_vec3(sn_rigid_position(world, box), sn_v(3.0f, 10.0f, 0.0f)));
    assert_ok(sn_rigid_type_set(world, box, SN_DYNAMIC));
    assert_near(sn_rigid_mass(world, box).mass, 1000.0f, 0.1);
    run_steps(world, 60);
    assert_near(sn_rigid_position(world, box).y, 10.0f - 0.5f * 9.81f, 0.05);
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_a_target_is_reached_to_the_bit_in_one_step_of_any_length),
        test_with_memory(test_after_its_target_it_stands_still_until_told_again),
        test_with_memory(test_by_velocity_it_moves_and_turns_at_that_rate_within_1e_4),
        test_with_memory(test_nothing_pushes_it),
        test_with_memory(test_a_lift_carries_a_box_within_5_mm),
        test_with_memory(test_a_tray_carries_by_friction_or_slips_away),
        test_with_memory(test_a_turntable_carries_a_box_round_within_1_percent),
        test_with_memory(test_a_wall_driven_by_targets_pushes_as_one_driven_by_velocity),
        test_with_memory(test_a_body_turned_by_targets_strikes_with_its_rim),
        test_with_memory(test_only_kinematic_bodies_take_targets),
        test_with_memory(test_a_body_may_become_kinematic_and_dynamic_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
