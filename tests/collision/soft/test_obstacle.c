// Distances of points from obstacles, and their corners and edges.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collision/soft/obstacle.h"
#include "support/memory.h"
#include "support/random.h"

#include <float.h>
#include <math.h>

static const sn_pose pose = {{0.1f, -0.2f, 0.3f}, {0.1825742f, 0.3651484f, 0.5477226f, 0.7302967f}};

static sn_obstacle of(sn_convex convex)
{
    return (sn_obstacle){.convex = convex, .pose = pose, .size = 0.1f, .center = pose.position};
}

// Moving back by the distance along the normal leads to the surface, from outside and from inside.
static void check_distance(const sn_obstacle *obstacle, sn_vec3 point)
{
    sn_vec3 normal, again;
    float distance = sn_obstacle_distance(obstacle, point, NULL, 0.01f, &normal);
    assert_true(sn_abs(sn_length(normal) - 1.0f) < 1.0e-4f);
    sn_vec3 closest = sn_add_scaled(point, -distance, normal);
    assert_true(sn_abs(sn_obstacle_distance(obstacle, closest, NULL, 0.01f, &again)) < 2.0e-5f);
    // Halfway to the surface it is still outside.
    sn_vec3 outside = sn_add_scaled(point, 0.5f * sn_max(distance, 0.0f), sn_neg(normal));
    assert_true(distance < 0.0f || sn_obstacle_distance(obstacle, outside, NULL, 0.01f, &again) > -1.0e-5f);
}

static void test_distances_lead_to_the_surface(void **state)
{
    (void)state;
    test_random random = {31};
    sn_convex_storage storage[3];
    sn_hull *hull = NULL;
    assert_int_equal(sn_hull_cylinder(0.4f, 0.3f, 0.2f, 7, &hull), SN_OK);
    sn_obstacle obstacles[4] = {
        of(sn_convex_sphere(&storage[0], (sn_sphere){{0.1f, 0.0f, 0.0f}, 0.2f})),
        of(sn_convex_capsule(&storage[1], (sn_capsule){{-0.2f, 0.0f, 0.0f}, {0.2f, 0.1f, 0.0f}, 0.1f})),
        of(sn_convex_box(&storage[2], (sn_box){{0.1f, 0.2f, 0.3f}})), of(sn_convex_hull(hull))};
    for (int k = 0; k < 4; ++k) {
        for (int i = 0; i < 2000; ++i) {
            check_distance(&obstacles[k], sn_add(pose.position, test_random_vec3(&random, 0.6f)));
        }
    }
    sn_hull_destroy(hull);
}

static void test_a_plane(void **state)
{
    (void)state;
    sn_obstacle plane = {.kind = SN_OBSTACLE_PLANE, .plane = {{0.0f, 1.0f, 0.0f}, 0.5f}};
    sn_vec3 normal;
    assert_true(sn_abs(sn_obstacle_distance(&plane, sn_v(3.0f, 0.25f, 1.0f), NULL, 0.01f, &normal) + 0.25f) <
                1.0e-6f);
    assert_true(normal.y == 1.0f);
    assert_int_equal(sn_obstacle_corner_count(&plane), 0);
    assert_int_equal(sn_obstacle_edge_count(&plane), 0);
}

// Inside, the normal of the last step is kept rather than one that is a little closer.
static void test_a_direction_is_kept(void **state)
{
    (void)state;
    sn_convex_storage storage;
    sn_obstacle box = {.convex = sn_convex_box(&storage, (sn_box){{1.0f, 1.0f, 1.0f}}),
                       .pose = {{0.0f, 0.0f, 0.0f}, sn_quat_identity}};
    sn_vec3 before = {0.0f, 1.0f, 0.0f}, normal, point = {0.995f, 0.99f, 0.0f};
    (void)sn_obstacle_distance(&box, point, NULL, 0.01f, &normal);
    assert_true(normal.x == 1.0f);
    float distance = sn_obstacle_distance(&box, point, &before, 0.01f, &normal);
    assert_true(normal.y == 1.0f && sn_abs(distance + 0.01f) < 1.0e-6f);
    point.y = 0.9f;
    (void)sn_obstacle_distance(&box, point, &before, 0.01f, &normal);
    assert_true(normal.x == 1.0f);
}

static sn_obstacle triangle(bool double_sided, uint8_t active_edges)
{
    return (sn_obstacle){.kind = SN_OBSTACLE_TRIANGLE,
                         .plane = {{0.0f, 0.0f, 1.0f}, 0.0f},
                         .corners = {{0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}},
                         .bends = {{-1.0f, 0.0f}, {-1.0f, 0.0f}, {-1.0f, 0.0f}},
                         .corner_cosines = {-1.0f, -1.0f, -1.0f},
                         .active_edges = active_edges,
                         .owned = 0x3f,
                         .double_sided = double_sided};
}

static void test_a_triangle_has_a_front_a_back_and_edges_that_stick_out(void **state)
{
    (void)state;
    sn_obstacle one = triangle(false, 1), two = triangle(true, 7);
    sn_vec3 normal, front = {0.2f, 0.2f, 0.1f}, back = {0.2f, 0.2f, -0.005f}, deep = {0.2f, 0.2f, -0.1f};
    assert_true(sn_abs(sn_obstacle_distance(&one, front, NULL, 0.01f, &normal) - 0.1f) < 1.0e-6f);
    assert_true(sn_abs(sn_obstacle_distance(&one, back, NULL, 0.01f, &normal) + 0.005f) < 1.0e-6f);
    assert_true(normal.z == 1.0f);
    assert_true(isinf(sn_obstacle_distance(&one, deep, NULL, 0.01f, &normal)));
    assert_true(sn_abs(sn_obstacle_distance(&two, deep, NULL, 0.01f, &normal) - 0.1f) < 1.0e-6f);
    assert_true(normal.z == -1.0f);
    // Beside edge 0, which sticks out, and beside edge 2, which does not.
    sn_vec3 beside = {0.5f, -0.03f, 0.04f}, left = {-0.03f, 0.5f, 0.04f};
    assert_true(sn_abs(sn_obstacle_distance(&one, beside, NULL, 0.01f, &normal) - 0.05f) < 1.0e-6f);
    assert_true(isinf(sn_obstacle_distance(&one, left, NULL, 0.01f, &normal)));
}

// Over an edge that is bent by θ a wedge of that angle belongs to the edge; beyond it the neighbour tells.
static void test_an_edge_tells_of_what_is_closest_to_it(void **state)
{
    (void)state;
    sn_obstacle one = triangle(false, 1), other = one;
    float angle = 0.5f;
    one.bends[0] = (sn_bend){sn_cos(angle), sn_sin(angle)};
    other = one;
    other.owned = 0x3e; // another triangle has the edge before
    for (int i = 0; i < 20; ++i) {
        float lean = 0.05f * ((float)i + 0.5f) - 0.25f; // from the normal towards the neighbour
        sn_vec3 normal, p = {0.5f, -0.01f * sn_sin(lean), 0.01f * sn_cos(lean)};
        float distance = sn_obstacle_distance(&one, p, NULL, 0.01f, &normal);
        if (lean < 0.0f) {
            assert_true(sn_abs(distance - p.z) < 1.0e-6f && normal.z == 1.0f);
        } else if (lean < angle) {
            assert_true(sn_abs(distance - 0.01f) < 1.0e-6f && sn_abs(normal.z - sn_cos(lean)) < 1.0e-4f);
            assert_true(isinf(sn_obstacle_distance(&other, p, NULL, 0.01f, &normal)));
        } else {
            assert_true(isinf(distance));
        }
    }
}

// A corner belongs to what leans from the normal no more than normals around it do.
static void test_a_corner_tells_of_what_is_closest_to_it(void **state)
{
    (void)state;
    sn_obstacle one = triangle(false, 1);
    sn_vec3 normal, steep = {-0.001f, -0.001f, 0.01f}, slanted = {-0.01f, -0.01f, 0.01f};
    one.corner_cosines[0] = 0.9f;
    assert_true(sn_abs(sn_obstacle_distance(&one, steep, NULL, 0.01f, &normal) - sn_length(steep)) < 1.0e-6f);
    assert_true(isinf(sn_obstacle_distance(&one, slanted, NULL, 0.01f, &normal)));
}

static void test_casts_hit_where_they_arrive(void **state)
{
    (void)state;
    sn_convex_storage storage;
    sn_obstacle ball = {.convex = sn_convex_sphere(&storage, (sn_sphere){{0.0f, 0.0f, 0.0f}, 0.5f}),
                        .pose = {{0.0f, 0.0f, 0.0f}, sn_quat_identity}};
    sn_vec3 normal;
    float distance;
    assert_true(
        sn_obstacle_cast(&ball, sn_v(2.0f, 0.0f, 0.0f), sn_v(-3.0f, 0.0f, 0.0f), 0.1f, &normal, &distance));
    assert_true(sn_abs(normal.x - 1.0f) < 1.0e-5f && sn_abs(distance - 1.4f) < 1.0e-5f);
    assert_false(
        sn_obstacle_cast(&ball, sn_v(2.0f, 0.0f, 0.0f), sn_v(-1.0f, 0.0f, 0.0f), 0.1f, &normal, &distance));
    assert_false(
        sn_obstacle_cast(&ball, sn_v(2.0f, 1.0f, 0.0f), sn_v(-3.0f, 0.0f, 0.0f), 0.1f, &normal, &distance));
    sn_obstacle face = triangle(true, 7);
    assert_true(
        sn_obstacle_cast(&face, sn_v(0.2f, 0.2f, -1.0f), sn_v(0.0f, 0.0f, 2.0f), 0.1f, &normal, &distance));
    assert_true(normal.z == -1.0f && sn_abs(distance - 0.9f) < 1.0e-5f);
}

// Displacements of obstacles that turn are those of their points, to first order.
static void test_displacements(void **state)
{
    (void)state;
    sn_obstacle turning = {
        .center = {1.0f, 0.0f, 0.0f}, .displacement = {0.0f, 0.1f, 0.0f}, .turn = {0.0f, 0.0f, 0.2f}};
    sn_vec3 displacement = sn_obstacle_displacement(&turning, sn_v(2.0f, 0.0f, 0.0f));
    assert_true(sn_distance_between(displacement, sn_v(0.0f, 0.3f, 0.0f)) < 1.0e-6f);
}

static void test_corners_and_edges_allow_their_cones(void **state)
{
    (void)state;
    sn_convex_storage storage;
    sn_obstacle box = {.convex = sn_convex_box(&storage, (sn_box){{1.0f, 1.0f, 1.0f}}),
                       .pose = {{0.0f, 0.0f, 0.0f}, sn_quat_identity}};
    assert_int_equal(sn_obstacle_corner_count(&box), 8);
    assert_int_equal(sn_obstacle_edge_count(&box), 12);
    for (int i = 0; i < 8; ++i) {
        sn_vec3 out = sn_normalize(sn_obstacle_corner(&box, i));
        assert_true(sn_obstacle_corner_allows(&box, i, out));
        assert_false(sn_obstacle_corner_allows(&box, i, sn_neg(out)));
        assert_true(sn_obstacle_corner_sharpness(&box, i, 0.1f) > 0.03f);
    }
    for (int i = 0; i < 12; ++i) {
        sn_vec3 ends[2];
        sn_obstacle_edge(&box, i, ends);
        assert_true(sn_abs(sn_distance_between(ends[0], ends[1]) - 2.0f) < 1.0e-6f);
        sn_vec3 out = sn_normalize(sn_add(ends[0], ends[1]));
        assert_true(sn_obstacle_edge_allows(&box, i, out));
        assert_false(sn_obstacle_edge_allows(&box, i, sn_neg(out)));
    }
    // A large ball pokes into a small cell by next to nothing.
    sn_convex_storage ball_storage;
    sn_obstacle ball = {.convex = sn_convex_sphere(&ball_storage, (sn_sphere){{0.0f, 0.0f, 0.0f}, 0.5f}),
                        .pose = {{0.0f, 0.0f, 0.0f}, sn_quat_identity}};
    assert_true(sn_abs(sn_obstacle_corner_sharpness(&ball, 0, 0.04f) - 0.0004f) < 1.0e-6f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_distances_lead_to_the_surface),
        test_with_memory(test_a_plane),
        test_with_memory(test_a_direction_is_kept),
        test_with_memory(test_a_triangle_has_a_front_a_back_and_edges_that_stick_out),
        test_with_memory(test_an_edge_tells_of_what_is_closest_to_it),
        test_with_memory(test_a_corner_tells_of_what_is_closest_to_it),
        test_with_memory(test_casts_hit_where_they_arrive),
        test_with_memory(test_displacements),
        test_with_memory(test_corners_and_edges_allow_their_cones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
