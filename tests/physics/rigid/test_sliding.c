// Coulomb's friction: how far a box slides, what sticks on a slope and what slides down it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/physics.h"

static const sn_vec3 slab = {0.5f, 0.15f, 0.5f};

static float degrees(float angle)
{
    return angle * SN_PI / 180.0f;
}

// Directions between the axes too: friction is a cone, not a pyramid.
static void test_stops_after_v_squared_over_2_mu_g_within_half_a_percent(void **state)
{
    (void)state;
    static const struct {
        float friction, speed, direction;
    } rows[] = {{0.2f, 3.0f, 0.0f},  {0.2f, 10.0f, 45.0f}, {0.5f, 5.0f, 0.0f},
                {0.5f, 5.0f, 30.0f}, {0.5f, 10.0f, 90.0f}, {0.8f, 10.0f, 20.0f}};
    for (int i = 0; i < (int)(sizeof rows / sizeof *rows); ++i) {
        double errors[PHYSICS_STEPS];
        for (int s = 0; s < PHYSICS_STEPS; ++s) {
            sn_world *world = physics_world();
            sn_shape_def material = physics_material(rows[i].friction, 0.0f);
            physics_floor(world, material);
            sn_rigid box = physics_box(world, material, slab, physics_at(0, slab.y, 0));
            float direction = degrees(rows[i].direction);
            sn_vec3 way = sn_v(sn_cos(direction), 0.0f, sn_sin(direction));
            must(sn_rigid_linear_velocity_set(world, box, sn_scale(way, rows[i].speed)));
            double deceleration = (double)rows[i].friction * physics_gravity, v = (double)rows[i].speed;
            physics_run(world, physics_steps[s], (float)(v / deceleration) + 1.0f);
            double distance = (double)sn_dot(sn_rigid_position(world, box), way);
            double expected = v * v / (2.0 * deceleration);
            check_relative(distance, expected, 0.005, "µ %g, v %g at %g°: way", (double)rows[i].friction, v,
                           (double)rows[i].direction);
            check_below((double)sn_length(sn_rigid_linear_velocity(world, box)), 1e-4, "  speed at the end");
            sn_vec3 aside = sn_sub(sn_rigid_position(world, box), sn_scale(way, (float)distance));
            check_below((double)sn_length(sn_v(aside.x, 0.0f, aside.z)), 1e-3 * expected, "  sideways");
            errors[s] = (distance - expected) / expected;
            sn_world_destroy(world);
        }
        check_converges(errors, 1e-3, "  way");
    }
}

// Friction points against the slip whatever the body's shape: a long box thrown across its axes goes
// straight.
static void test_a_long_box_slides_straight_within_half_a_percent_of_its_way(void **state)
{
    (void)state;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world();
        sn_shape_def material = physics_material(0.3f, 0.0f);
        physics_floor(world, material);
        sn_rigid box = physics_box(world, material, sn_v(0.9f, 0.15f, 0.3f), physics_at(0, 0.15f, 0));
        must(sn_rigid_linear_velocity_set(world, box, sn_v(6.0f, 0.0f, 4.0f)));
        physics_run(world, physics_steps[s], 4.0f);
        float way = 52.0f / (2.0f * 0.3f * (float)physics_gravity);
        sn_vec3 expected = sn_scale(sn_normalize(sn_v(6.0f, 0.0f, 4.0f)), way);
        sn_vec3 position = sn_rigid_position(world, box);
        check_vector(sn_v(position.x, 0.0f, position.z), expected, 0.005, "step %d: way", s);
        sn_world_destroy(world);
    }
}

static void test_while_sliding_the_box_slows_by_mu_g_within_1_per_mille(void **state)
{
    (void)state;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world();
        sn_shape_def material = physics_material(0.4f, 0.0f);
        physics_floor(world, material);
        sn_rigid box = physics_box(world, material, slab, physics_at(0, slab.y, 0));
        must(sn_rigid_linear_velocity_set(world, box, sn_v(10.0f, 0.0f, 0.0f)));
        physics_run(world, physics_steps[s], 0.5f);
        float before = sn_rigid_linear_velocity(world, box).x;
        physics_run(world, physics_steps[s], 1.0f);
        double slowed = (double)(before - sn_rigid_linear_velocity(world, box).x);
        check_relative(slowed, 0.4 * physics_gravity, 1e-3, "speed lost in a second");
        sn_world_destroy(world);
    }
}

static void test_sticks_on_a_slope_below_the_angle_of_friction_within_1_mm_in_5_s(void **state)
{
    (void)state;
    const float angles[] = {10.0f, 20.0f, 30.0f};
    for (int i = 0; i < 3; ++i) {
        for (int s = 0; s < PHYSICS_STEPS; ++s) {
            sn_world *world = physics_world();
            float angle = degrees(angles[i]);
            sn_shape_def material = physics_material(1.05f * sn_sin(angle) / sn_cos(angle), 0.0f);
            physics_slope(world, material, angle);
            sn_rigid box = physics_box(world, material, slab, physics_on_slope(angle, slab.y));
            sn_vec3 start = sn_rigid_position(world, box);
            physics_run(world, physics_steps[s], 5.0f);
            sn_vec3 moved = sn_sub(sn_rigid_position(world, box), start);
            check_below((double)sn_length(moved), 1e-3, "%g°, friction 5 %% above the tangent: creep",
                        (double)angles[i]);
            sn_world_destroy(world);
        }
    }
}

static void test_slides_down_a_slope_at_g_sin_minus_mu_cos_within_1_percent(void **state)
{
    (void)state;
    static const struct {
        float angle, friction;
    } rows[] = {{10.0f, 0.1f}, {20.0f, 0.2f}, {30.0f, 0.0f}, {30.0f, 0.5f}, {40.0f, 0.5f}};
    for (int i = 0; i < (int)(sizeof rows / sizeof *rows); ++i) {
        for (int s = 0; s < PHYSICS_STEPS; ++s) {
            sn_world *world = physics_world();
            float angle = degrees(rows[i].angle);
            sn_shape_def material = physics_material(rows[i].friction, 0.0f);
            physics_slope(world, material, angle);
            sn_rigid box = physics_box(world, material, slab, physics_on_slope(angle, slab.y));
            sn_vec3 start = sn_rigid_position(world, box), downhill = physics_downhill(angle);
            physics_run(world, physics_steps[s], 2.0f);
            double sine = (double)sn_sin(angle), cosine = (double)sn_cos(angle);
            double expected = physics_gravity * (sine - (double)rows[i].friction * cosine);
            double speed = (double)sn_dot(sn_rigid_linear_velocity(world, box), downhill);
            double way = (double)sn_dot(sn_sub(sn_rigid_position(world, box), start), downhill);
            check_relative(speed / 2.0, expected, 0.01, "%g°, µ %g: acceleration", (double)rows[i].angle,
                           (double)rows[i].friction);
            check_relative(way / 2.0, expected, 0.01, "  from the way");
            sn_world_destroy(world);
        }
    }
}

static void test_a_pair_has_the_geometric_mean_of_its_frictions_within_half_a_percent(void **state)
{
    (void)state;
    sn_world *world = physics_world();
    physics_floor(world, physics_material(0.9f, 0.0f));
    sn_rigid box = physics_box(world, physics_material(0.4f, 0.0f), slab, physics_at(0, slab.y, 0));
    must(sn_rigid_linear_velocity_set(world, box, sn_v(10.0f, 0.0f, 0.0f)));
    physics_run(world, physics_steps[0], 4.0f);
    check_relative((double)sn_rigid_position(world, box).x, 100.0 / (2.0 * 0.6 * physics_gravity), 0.005,
                   "way with frictions 0.9 and 0.4");
    sn_world_destroy(world);
}

// A push below µ m g moves nothing, one above accelerates by the rest.
static void test_a_push_must_overcome_mu_m_g(void **state)
{
    (void)state;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        for (int i = 0; i < 2; ++i) {
            sn_world *world = physics_world();
            sn_shape_def material = physics_material(0.5f, 0.0f);
            physics_floor(world, material);
            sn_rigid box = physics_box(world, material, slab, physics_at(0, slab.y, 0));
            double share = i == 0 ? 0.95 : 1.2, limit = 0.5 * physics_weight(world, box);
            while (sn_world_time(world) < 2.0 - 1e-4) {
                must(sn_rigid_force_add(world, box, sn_v((float)(share * limit), 0.0f, 0.0f)));
                physics_run(world, physics_steps[s], physics_steps[s]);
            }
            double x = (double)sn_rigid_position(world, box).x;
            if (i == 0) {
                check_below(fabs(x), 1e-3, "way in 2 s with 95 %% of the force that starts it");
            } else {
                check_relative(x, 0.5 * 0.2 * 0.5 * physics_gravity * 4.0, 0.01, "way in 2 s with 120 %%");
            }
            sn_world_destroy(world);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_stops_after_v_squared_over_2_mu_g_within_half_a_percent),
        physics_test(test_a_long_box_slides_straight_within_half_a_percent_of_its_way),
        physics_test(test_while_sliding_the_box_slows_by_mu_g_within_1_per_mille),
        physics_test(test_sticks_on_a_slope_below_the_angle_of_friction_within_1_mm_in_5_s),
        physics_test(test_slides_down_a_slope_at_g_sin_minus_mu_cos_within_1_percent),
        physics_test(test_a_pair_has_the_geometric_mean_of_its_frictions_within_half_a_percent),
        physics_test(test_a_push_must_overcome_mu_m_g),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
