// A flat floor made of triangles is a floor: nothing catches on the edges inside it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/physics.h"

static const float half_size = 12.0f;

typedef struct journey {
    sn_vec3 position, velocity, spin;
    double lowest, highest; // of the centre on the way
} journey;

typedef sn_rigid (*maker)(sn_world *world, sn_shape_def material, sn_vec3 start);

static sn_rigid make_slab(sn_world *world, sn_shape_def material, sn_vec3 start)
{
    return physics_box(world, material, sn_v(0.5f, 0.15f, 0.4f), physics_at(start.x, 0.15f, start.z));
}

static sn_rigid make_puck(sn_world *world, sn_shape_def material, sn_vec3 start)
{
    return physics_cylinder(world, material, 0.4f, 0.2f, physics_at(start.x, 0.1f, start.z));
}

static sn_rigid make_ball(sn_world *world, sn_shape_def material, sn_vec3 start)
{
    return physics_sphere(world, material, 0.3f, physics_at(start.x, 0.3f, start.z));
}

// Across the direction of travel, which is near x.
static sn_rigid make_roller(sn_world *world, sn_shape_def material, sn_vec3 start)
{
    return physics_capsule(world, material, 0.4f, 0.25f, physics_at(start.x, 0.25f, start.z));
}

// cells = 0 is the plane.
static journey travel(maker make, float friction, int cells, sn_vec3 velocity, sn_vec3 spin, float step,
                      float seconds)
{
    sn_world *world = physics_world();
    sn_shape_def material = physics_material(friction, 0.0f);
    if (cells > 0) {
        physics_triangle_floor(world, material, half_size, cells);
    } else {
        physics_floor(world, material);
    }
    sn_rigid body = make(world, material, sn_v(-8.03f, 0.0f, -3.07f));
    must(sn_rigid_linear_velocity_set(world, body, velocity));
    must(sn_rigid_angular_velocity_set(world, body, spin));
    double start = (double)sn_rigid_position(world, body).y;
    journey result = {.lowest = start, .highest = start};
    while (sn_world_time(world) < (double)seconds) {
        physics_run(world, step, step);
        double height = (double)sn_rigid_position(world, body).y;
        result.lowest = fmin(result.lowest, height);
        result.highest = fmax(result.highest, height);
    }
    result.position = sn_rigid_position(world, body);
    result.velocity = sn_rigid_linear_velocity(world, body);
    result.spin = sn_rigid_angular_velocity(world, body);
    sn_world_destroy(world);
    return result;
}

// Grids from coarser to finer than the body.
static const int grids[] = {5, 24, 80};

static void check_sliding(maker make, double tolerance, const char *name)
{
    const sn_vec3 velocity = {8.0f, 0.0f, 1.7f}, none = {0.0f, 0.0f, 0.0f};
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        journey plane = travel(make, 0.3f, 0, velocity, none, physics_steps[s], 1.5f);
        journey plane_end = travel(make, 0.3f, 0, velocity, none, physics_steps[s], 4.0f);
        for (int i = 0; i < 3; ++i) {
            journey triangles = travel(make, 0.3f, grids[i], velocity, none, physics_steps[s], 1.5f);
            journey end = travel(make, 0.3f, grids[i], velocity, none, physics_steps[s], 4.0f);
            sn_vec3 lost = sn_sub(velocity, triangles.velocity),
                    lost_plane = sn_sub(velocity, plane.velocity);
            check_vector(lost, lost_plane, tolerance, "%s, %d cells, step %d: speed lost in 1.5 s", name,
                         grids[i], s);
            sn_vec3 way = sn_sub(end.position, sn_v(-8.03f, 0.0f, -3.07f));
            sn_vec3 way_plane = sn_sub(plane_end.position, sn_v(-8.03f, 0.0f, -3.07f));
            check_vector(way, way_plane, tolerance, "  way until rest");
            check_below(end.highest - end.lowest, 2e-3, "  hopping");
            check_below((double)sn_length(triangles.spin), 0.05, "  turning");
        }
    }
}

static void test_a_box_slides_over_triangles_as_over_a_plane_within_1_percent(void **state)
{
    (void)state;
    check_sliding(make_slab, 0.01, "slab");
}

// Its contact points are fewer than its corners and not the same on triangles, which turns it a little.
static void test_a_cylinder_slides_over_triangles_as_over_a_plane_within_2_percent(void **state)
{
    (void)state;
    check_sliding(make_puck, 0.02, "puck");
}

static void check_rolling(maker make, float radius, sn_vec3 velocity, const char *name)
{
    // ω = n × v / r for rolling.
    sn_vec3 spin = sn_scale(sn_cross(sn_v(0.0f, 1.0f, 0.0f), velocity), 1.0f / radius);
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        for (int i = 0; i < 3; ++i) {
            journey end = travel(make, 0.6f, grids[i], velocity, spin, physics_steps[s], 3.0f);
            sn_vec3 way = sn_sub(end.position, sn_v(-8.03f, radius, -3.07f));
            check_vector(sn_v(way.x, 0.0f, way.z), sn_scale(velocity, 3.0f), 0.01,
                         "%s, %d cells, step %d: way in 3 s", name, grids[i], s);
            check_vector(end.velocity, velocity, 0.01, "  velocity");
            check_below(end.highest - end.lowest, 2e-3, "  hopping");
        }
    }
}

static void test_a_sphere_rolls_straight_over_inner_edges_within_1_percent(void **state)
{
    (void)state;
    check_rolling(make_ball, 0.3f, sn_v(4.0f, 0.0f, 0.9f), "ball");
}

static void test_a_capsule_rolls_straight_over_inner_edges_within_1_percent(void **state)
{
    (void)state;
    check_rolling(make_roller, 0.25f, sn_v(4.0f, 0.0f, 0.0f), "roller");
}

// Without friction nothing slows at all.
static void test_a_frictionless_box_keeps_its_speed_over_triangles_within_1_per_mille(void **state)
{
    (void)state;
    const sn_vec3 velocity = {5.0f, 0.0f, 1.0f}, none = {0.0f, 0.0f, 0.0f};
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        for (int i = 0; i < 3; ++i) {
            journey end = travel(make_slab, 0.0f, grids[i], velocity, none, physics_steps[s], 3.0f);
            check_vector(end.velocity, velocity, 1e-3, "%d cells, step %d: velocity after 3 s", grids[i], s);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_a_box_slides_over_triangles_as_over_a_plane_within_1_percent),
        physics_test(test_a_cylinder_slides_over_triangles_as_over_a_plane_within_2_percent),
        physics_test(test_a_sphere_rolls_straight_over_inner_edges_within_1_percent),
        physics_test(test_a_capsule_rolls_straight_over_inner_edges_within_1_percent),
        physics_test(test_a_frictionless_box_keeps_its_speed_over_triangles_within_1_per_mille),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
