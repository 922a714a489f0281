// Half-spaces and triangles: sides, normals, and floors whose seams have no effect.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/convex_shape.h"
#include "support/manifold_check.h"
#include "support/random_convex.h"

#define MARGIN    0.02f
#define ALL_EDGES 7u
#define NO_EDGES  0u

static const sn_vec3 x_axis = {1.0f, 0.0f, 0.0f}, y_axis = {0.0f, 1.0f, 0.0f}, z_axis = {0.0f, 0.0f, 1.0f};

// --- planes ------------------------------------------------------------------------------------------------

static sn_manifold on_ground(const shape *s, sn_pose pose)
{
    sn_manifold manifold;
    sn_collide_plane((sn_plane){y_axis, 0.0f}, &s->convex, pose, MARGIN, &manifold);
    assert_sane(&manifold, MARGIN);
    return manifold;
}

static void test_sphere_on_plane_touches_in_one_point(void **state)
{
    (void)state;
    shape sphere;
    make_sphere(&sphere, 0.5f);
    sn_manifold m = on_ground(&sphere, pose_at(2.0f, 0.49f, 3.0f));
    assert_int_equal(m.count, 1);
    assert_vec3_near(m.normal, y_axis, 0.0);
    assert_vec3_near(m.points[0].position, sn_v(2.0f, -0.005f, 3.0f), 1e-6);
    assert_near(m.points[0].separation, -0.01f, 1e-6);
    assert_int_equal(on_ground(&sphere, pose_at(0.0f, 0.521f, 0.0f)).count, 0);
}

static void test_capsule_on_plane_touches_with_one_or_both_ends(void **state)
{
    (void)state;
    shape capsule;
    make_capsule(&capsule, 1.0f, 0.25f);
    sn_manifold m = on_ground(&capsule, pose_at(0.0f, 0.24f, 0.0f));
    assert_int_equal(m.count, 2);
    assert_near(sn_distance_between(m.points[0].position, m.points[1].position), 1.0f, 1e-5);
    m = on_ground(&capsule, pose_turned(0.0f, 0.74f, 0.0f, z_axis, 0.5f * SN_PI));
    assert_int_equal(m.count, 1);
    assert_near(m.points[0].separation, -0.01f, 1e-6);
}

static void test_box_on_plane_touches_with_face_edge_or_corner(void **state)
{
    (void)state;
    shape box;
    make_box(&box, 0.5f, 0.5f, 0.5f);
    assert_int_equal(on_ground(&box, pose_at(0.0f, 0.495f, 0.0f)).count, 4);
    float edge = 0.5f * sqrtf(2.0f), corner = 0.5f * sqrtf(3.0f);
    sn_manifold m = on_ground(&box, pose_turned(0.0f, edge - 0.005f, 0.0f, x_axis, 0.25f * SN_PI));
    assert_int_equal(m.count, 2);
    sn_quat corner_down = sn_quat_between(sn_normalize(sn_v(1.0f, 1.0f, 1.0f)), sn_neg(y_axis));
    m = on_ground(&box, (sn_pose){{0.0f, corner - 0.005f, 0.0f}, corner_down});
    assert_int_equal(m.count, 1);
    assert_near(m.points[0].separation, -0.005f, 1e-5);
}

static void test_many_vertices_on_plane_are_reduced_to_four(void **state)
{
    (void)state;
    sn_hull *hull = NULL;
    assert_int_equal(sn_hull_cylinder(1.0f, 0.5f, 0.5f, 64, &hull), SN_OK);
    shape cylinder;
    cylinder.convex = sn_convex_hull(hull);
    sn_manifold m = on_ground(&cylinder, pose_at(0.0f, 0.495f, 0.0f));
    assert_int_equal(m.count, 4);
    assert_near(lowest_separation(&m), -0.005f, 1e-5);
    sn_hull_destroy(hull);
}

static void test_tilted_plane_measures_along_its_normal(void **state)
{
    (void)state;
    test_random random = {19};
    for (int i = 0; i < 2000; ++i) {
        test_convex solid;
        test_convex_make(&solid, &random, (test_convex_kind)(i % TEST_CONVEX_KINDS), 1.0f);
        sn_plane plane = {test_random_direction(&random), test_random_float(&random, -0.5f, 0.5f)};
        sn_pose pose = {test_random_vec3(&random, 0.5f), test_random_rotation(&random)};
        float lowest = INFINITY;
        for (int k = 0; k < solid.convex.point_count; ++k) {
            sn_vec3 point = sn_pose_apply(pose, solid.convex.points[k]);
            lowest = sn_min(lowest, sn_dot(plane.normal, point) - plane.offset);
        }
        sn_manifold m;
        sn_collide_plane(plane, &solid.convex, pose, MARGIN, &m);
        assert_sane(&m, MARGIN);
        if (lowest < MARGIN - 1e-5f) {
            assert_near(lowest_separation(&m), lowest, 3e-4);
        } else if (lowest > MARGIN + 1e-5f) {
            assert_int_equal(m.count, 0);
        }
        test_convex_free(&solid);
    }
}

// --- one triangle ------------------------------------------------------------------------------------------

// In the ground plane, with its normal up; edge 0 is at z = 1.
static const sn_vec3 triangle[3] = {{-1.0f, 0.0f, 1.0f}, {1.0f, 0.0f, 1.0f}, {0.0f, 0.0f, -1.0f}};

static sn_manifold on_triangle(const shape *s, sn_pose pose, uint8_t active_edges, bool double_sided)
{
    sn_manifold manifold;
    sn_collide_triangle(triangle, active_edges, double_sided, &s->convex, pose, MARGIN, &manifold);
    assert_sane(&manifold, MARGIN);
    return manifold;
}

static void test_shapes_over_a_triangle_are_pushed_along_its_normal(void **state)
{
    (void)state;
    shape sphere, capsule, box;
    make_sphere(&sphere, 0.25f);
    make_capsule(&capsule, 0.4f, 0.25f);
    make_box(&box, 0.2f, 0.25f, 0.2f);
    const shape *shapes[] = {&sphere, &capsule, &box};
    const int counts[] = {1, 2, 4};
    for (int i = 0; i < 3; ++i) {
        for (int side = 0; side < 2; ++side) {
            float gap = side == 0 ? -0.01f : 0.01f;
            sn_manifold m = on_triangle(shapes[i], pose_at(0.0f, 0.25f + gap, 0.3f), NO_EDGES, false);
            assert_int_equal(m.count, counts[i]);
            assert_vec3_near(m.normal, y_axis, 1e-6);
            assert_near(lowest_separation(&m), gap, 1e-5);
            assert_near(highest_separation(&m), gap, 1e-5);
        }
    }
}

static void test_shapes_behind_a_one_sided_triangle_are_ignored(void **state)
{
    (void)state;
    shape sphere, capsule, box;
    make_sphere(&sphere, 0.25f);
    make_capsule(&capsule, 0.4f, 0.25f);
    make_box(&box, 0.2f, 0.25f, 0.2f);
    const shape *shapes[] = {&sphere, &capsule, &box};
    for (int i = 0; i < 3; ++i) {
        sn_pose behind = pose_at(0.0f, -0.01f, 0.0f);
        assert_int_equal(on_triangle(shapes[i], behind, ALL_EDGES, false).count, 0);
    }
}

static void test_shapes_behind_a_double_sided_triangle_are_pushed_back(void **state)
{
    (void)state;
    shape sphere, capsule, box;
    make_sphere(&sphere, 0.25f);
    make_capsule(&capsule, 0.4f, 0.25f);
    make_box(&box, 0.2f, 0.25f, 0.2f);
    const shape *shapes[] = {&sphere, &capsule, &box};
    for (int i = 0; i < 3; ++i) {
        sn_manifold m = on_triangle(shapes[i], pose_at(0.0f, -0.24f, 0.3f), NO_EDGES, true);
        assert_true(m.count > 0);
        assert_vec3_near(m.normal, sn_neg(y_axis), 1e-6);
        assert_near(lowest_separation(&m), -0.01f, 1e-5);
    }
}

// Centre just above the face, most of the body below: the normal is up, however deep.
static void test_one_sided_triangle_never_pushes_backwards(void **state)
{
    (void)state;
    shape box;
    make_box(&box, 0.1f, 0.4f, 0.1f);
    sn_manifold m = on_triangle(&box, pose_at(0.0f, 0.01f, 0.3f), NO_EDGES, false);
    assert_true(m.count > 0);
    assert_vec3_near(m.normal, y_axis, 1e-6);
    assert_near(lowest_separation(&m), -0.39f, 1e-4);

    // A cone on its tip, for which the shortest direction out is down.
    sn_hull *hull = NULL;
    assert_int_equal(sn_hull_cylinder(1.0f, 1.0f, 0.0f, 16, &hull), SN_OK);
    shape cone;
    cone.convex = sn_convex_hull(hull);
    sn_pose tip_down = pose_turned(0.0f, 0.0f, 0.3f, x_axis, SN_PI);
    tip_down.position.y = 0.02f - sn_rotate(tip_down.rotation, hull->polyhedron.center).y;
    m = on_triangle(&cone, tip_down, ALL_EDGES, false);
    assert_true(m.count > 0);
    assert_true(m.normal.y > 0.0f);
    sn_hull_destroy(hull);
}

static void test_sphere_beside_an_active_edge_is_pushed_sideways(void **state)
{
    (void)state;
    shape sphere;
    make_sphere(&sphere, 0.5f);
    float diagonal = 0.49f / sqrtf(2.0f);
    sn_pose pose = pose_at(0.0f, diagonal, 1.0f + diagonal);
    sn_manifold m = on_triangle(&sphere, pose, 1u, false);
    assert_int_equal(m.count, 1);
    assert_vec3_near(m.normal, sn_normalize(sn_v(0.0f, 1.0f, 1.0f)), 1e-5);
    assert_near(m.points[0].separation, -0.01f, 1e-5);
    // Only the edge it leans over counts.
    assert_int_equal(on_triangle(&sphere, pose, 6u, false).count, 0);
}

static void test_sphere_beside_a_corner_goes_by_the_edge_it_leans_over(void **state)
{
    (void)state;
    shape sphere;
    make_sphere(&sphere, 0.5f);
    // Beyond corner 1, leaning most over edge 0 (z) or edge 1 (x).
    sn_pose over_0 = pose_at(1.05f, 0.3f, 1.3f), over_1 = pose_at(1.3f, 0.3f, 1.05f);
    assert_int_equal(on_triangle(&sphere, over_0, 1u, false).count, 1);
    assert_int_equal(on_triangle(&sphere, over_0, 2u, false).count, 0);
    assert_int_equal(on_triangle(&sphere, over_1, 1u, false).count, 0);
    assert_int_equal(on_triangle(&sphere, over_1, 2u, false).count, 1);
    assert_int_equal(on_triangle(&sphere, over_0, 4u, false).count, 0);
}

static void test_turned_over_triangle_keeps_its_edges(void **state)
{
    (void)state;
    shape sphere;
    make_sphere(&sphere, 0.5f);
    float diagonal = 0.49f / sqrtf(2.0f);
    sn_pose pose = pose_at(0.0f, -diagonal, 1.0f + diagonal);
    assert_int_equal(on_triangle(&sphere, pose, 1u, true).count, 1);
    assert_int_equal(on_triangle(&sphere, pose, 2u, true).count, 0);
    assert_int_equal(on_triangle(&sphere, pose, 4u, true).count, 0);
}

static void test_box_beside_an_active_edge_is_pushed_sideways(void **state)
{
    (void)state;
    shape box;
    make_box(&box, 0.2f, 0.5f, 0.2f);
    sn_pose pose = pose_at(0.0f, 0.1f, 1.195f);
    sn_manifold m = on_triangle(&box, pose, ALL_EDGES, false);
    assert_true(m.count > 0);
    assert_vec3_near(m.normal, z_axis, 1e-4);
    assert_near(lowest_separation(&m), -0.005f, 1e-4);
}

static void test_box_just_past_an_inactive_edge_is_not_touched(void **state)
{
    (void)state;
    shape box;
    make_box(&box, 0.2f, 0.5f, 0.2f);
    assert_int_equal(on_triangle(&box, pose_at(0.0f, 0.1f, 1.21f), NO_EDGES, false).count, 0);
    assert_int_equal(on_triangle(&box, pose_at(0.0f, 0.505f, 1.21f), NO_EDGES, false).count, 0);
}

static void test_degenerate_triangles_are_harmless(void **state)
{
    (void)state;
    const sn_vec3 line[3] = {{-1, 0, 0}, {0, 0, 0}, {1, 0, 0}}, point[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    test_random random = {44};
    for (int i = 0; i < 500; ++i) {
        test_convex solid;
        test_convex_make(&solid, &random, (test_convex_kind)(i % TEST_CONVEX_KINDS), 1.0f);
        sn_pose pose = {test_random_vec3(&random, 0.5f), test_random_rotation(&random)};
        sn_manifold m;
        sn_collide_triangle(line, ALL_EDGES, true, &solid.convex, pose, MARGIN, &m);
        assert_sane(&m, MARGIN);
        sn_collide_triangle(point, ALL_EDGES, true, &solid.convex, pose, MARGIN, &m);
        assert_sane(&m, MARGIN);
        test_convex_free(&solid);
    }
}

// --- floors of many triangles ------------------------------------------------------------------------------

// A grid of 2 N² triangles over |x|, |z| ≤ 1; only the rim is active. With `fold` the ground falls off on
// both sides of x = 0 by that slope.
typedef struct floor_sum {
    int contacts;
    float lowest;
} floor_sum;

static sn_vec3 floor_point(int i, int k, int n, float fold)
{
    float x = -1.0f + 2.0f * (float)i / (float)n, z = -1.0f + 2.0f * (float)k / (float)n;
    return sn_v(x, -fold * sn_abs(x), z);
}

static void add_triangle(floor_sum *sum, const sn_vec3 corners[3], uint8_t active, const sn_convex *convex,
                         sn_pose pose)
{
    sn_manifold m;
    sn_collide_triangle(corners, active, false, convex, pose, MARGIN, &m);
    assert_sane(&m, MARGIN);
    if (m.count > 0) {
        sn_vec3 edge_0 = sn_sub(corners[1], corners[0]), edge_1 = sn_sub(corners[2], corners[0]);
        assert_vec3_near(m.normal, sn_normalize(sn_cross(edge_0, edge_1)), 1e-6);
        sum->contacts += m.count;
        sum->lowest = sn_min(sum->lowest, lowest_separation(&m));
    }
}

// All contacts must have the normal of their face.
static floor_sum collide_floor(int n, float fold, const sn_convex *convex, sn_pose pose)
{
    floor_sum sum = {0, INFINITY};
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < n; ++k) {
            sn_vec3 p00 = floor_point(i, k, n, fold), p10 = floor_point(i + 1, k, n, fold);
            sn_vec3 p01 = floor_point(i, k + 1, n, fold), p11 = floor_point(i + 1, k + 1, n, fold);
            const sn_vec3 one[3] = {p00, p01, p11}, two[3] = {p00, p11, p10};
            uint8_t rim_one = (uint8_t)((i == 0 ? 1u : 0u) | (k == n - 1 ? 2u : 0u));
            uint8_t rim_two = (uint8_t)((i == n - 1 ? 2u : 0u) | (k == 0 ? 4u : 0u));
            add_triangle(&sum, one, rim_one, convex, pose);
            add_triangle(&sum, two, rim_two, convex, pose);
        }
    }
    return sum;
}

static void test_sphere_rolls_over_a_flat_floor_without_feeling_seams(void **state)
{
    (void)state;
    shape sphere;
    make_sphere(&sphere, 0.1f);
    test_random random = {55};
    for (int n = 1; n <= 9; n += 4) {
        for (int i = 0; i < 500; ++i) {
            float x = test_random_float(&random, -0.8f, 0.8f), z = test_random_float(&random, -0.8f, 0.8f);
            // Every third time exactly over seams and corners.
            x = i % 3 == 0 ? -1.0f + 2.0f * (float)(1 + i % n) / (float)(n + 1) : x;
            z = i % 3 == 0 ? x : z;
            float gap = test_random_float(&random, -0.05f, 0.015f);
            floor_sum sum = collide_floor(n, 0.0f, &sphere.convex, pose_at(x, 0.1f + gap, z));
            assert_true(sum.contacts > 0);
            assert_near(sum.lowest, gap, 1e-5);
        }
    }
}

static float lowest_height(const sn_convex *convex, sn_pose pose)
{
    float lowest = INFINITY;
    for (int i = 0; i < convex->point_count; ++i) {
        lowest = sn_min(lowest, sn_pose_apply(pose, convex->points[i]).y);
    }
    return lowest - convex->radius;
}

static float half_width(const sn_convex *convex)
{
    float widest = 0.0f;
    for (int i = 0; i < convex->point_count; ++i) {
        for (int k = 0; k < i; ++k) {
            widest = sn_max(widest, sn_distance_between(convex->points[i], convex->points[k]));
        }
    }
    return 0.5f * widest + convex->radius;
}

// Boxes, capsules and hulls of all sizes against triangles of all sizes, lying, rocking or falling, with the
// lowest point just above the floor or a little in it.
static void test_everything_slides_over_a_flat_floor_without_feeling_seams(void **state)
{
    (void)state;
    test_random random = {56};
    const test_convex_kind kinds[] = {TEST_SEGMENT, TEST_BOX, TEST_HULL};
    for (int i = 0; i < 3000; ++i) {
        test_convex solid;
        float size = test_random_float(&random, 0.1f, 0.8f);
        test_convex_make(&solid, &random, kinds[i % 3], size);
        solid.convex.radius = i % 3 == 0 ? 0.1f : 0.0f;
        sn_quat yaw = sn_quat_axis_angle(y_axis, test_random_float(&random, -SN_PI, SN_PI));
        float rock = i % 2 == 0 ? test_random_float(&random, 0.0f, 0.02f) : test_random_float(&random, 0, 1);
        sn_quat tilt = sn_quat_axis_angle(test_random_direction(&random), rock);
        sn_pose pose = {
            {test_random_float(&random, -0.3f, 0.3f), 0.0f, test_random_float(&random, -0.3f, 0.3f)},
            sn_quat_multiply(tilt, yaw)};
        float gap = test_random_float(&random, -0.04f * half_width(&solid.convex), 0.015f);
        pose.position.y = gap - lowest_height(&solid.convex, pose);
        floor_sum sum = collide_floor(1 + i % 8, 0.0f, &solid.convex, pose);
        assert_true(sum.contacts > 0);
        assert_near(sum.lowest, gap, 1e-3f * size);
        test_convex_free(&solid);
    }
}

// A ridge too flat to be active: there is a gap between the regions over the faces, but the sphere does not
// sink into it.
static void test_sphere_does_not_sink_into_an_inactive_ridge(void **state)
{
    (void)state;
    shape sphere;
    make_sphere(&sphere, 0.5f);
    float slope = 0.0087f; // half a degree on each side
    for (int i = -100; i <= 100; ++i) {
        float x = 2e-4f * (float)i;
        floor_sum sum = collide_floor(2, slope, &sphere.convex, pose_at(x, 0.49f, 0.1f));
        assert_true(sum.contacts > 0);
        assert_near(sum.lowest, -0.01f, 3e-4);
    }
}

// The top of a ledge that ends at x = 1: triangles along the edge may push sideways, those that only have a
// corner there may do nothing, but none may push up a shape that comes from the side.
static void test_box_against_a_ledge_is_not_thrown_up(void **state)
{
    (void)state;
    shape box;
    make_box(&box, 0.5f, 0.5f, 0.5f);
    int contacts = 0;
    for (int i = 0; i < 200; ++i) {
        float below = 0.1f + 0.002f * (float)i, turn = 1e-3f * (float)(i % 17);
        sn_pose pose = pose_turned(1.495f, 0.5f - below, -0.5f + 0.005f * (float)i, y_axis, turn);
        for (int k = 0; k < 4; ++k) {
            sn_vec3 p00 = floor_point(3, k, 4, 0.0f), p10 = floor_point(4, k, 4, 0.0f);
            sn_vec3 p01 = floor_point(3, k + 1, 4, 0.0f), p11 = floor_point(4, k + 1, 4, 0.0f);
            const sn_vec3 corner_only[3] = {p00, p01, p11}, along_rim[3] = {p00, p11, p10};
            sn_manifold m;
            sn_collide_triangle(corner_only, 0u, false, &box.convex, pose, MARGIN, &m);
            assert_int_equal(m.count, 0);
            sn_collide_triangle(along_rim, 2u, false, &box.convex, pose, MARGIN, &m);
            assert_sane(&m, MARGIN);
            assert_true(m.count == 0 || m.normal.x > 0.99f);
            contacts += m.count;
        }
    }
    assert_true(contacts > 200);
}

// A floor and a wall that meet at an inactive edge: each pushes along its own face only.
static void test_box_in_a_corner_is_pushed_by_floor_and_wall(void **state)
{
    (void)state;
    const sn_vec3 ground[3] = {{-1, 0, 0}, {-1, 0, 2}, {3, 0, 0}},
                  wall[3] = {{-1, 0, 0}, {3, 0, 0}, {-1, 2, 0}};
    shape box;
    make_box(&box, 0.3f, 0.3f, 0.3f);
    for (int i = 0; i < 20; ++i) {
        sn_pose pose = pose_turned(0.0f, 0.296f, 0.297f, y_axis, 1e-4f * (float)i);
        sn_manifold m;
        // Inactive where they meet: edge 2 of the ground, edge 0 of the wall.
        sn_collide_triangle(ground, 3u, false, &box.convex, pose, MARGIN, &m);
        assert_true(m.count > 0);
        assert_vec3_near(m.normal, y_axis, 1e-6);
        sn_collide_triangle(wall, 6u, false, &box.convex, pose, MARGIN, &m);
        assert_true(m.count > 0);
        assert_vec3_near(m.normal, z_axis, 1e-6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sphere_on_plane_touches_in_one_point),
        cmocka_unit_test(test_capsule_on_plane_touches_with_one_or_both_ends),
        cmocka_unit_test(test_box_on_plane_touches_with_face_edge_or_corner),
        cmocka_unit_test(test_many_vertices_on_plane_are_reduced_to_four),
        cmocka_unit_test(test_tilted_plane_measures_along_its_normal),
        cmocka_unit_test(test_shapes_over_a_triangle_are_pushed_along_its_normal),
        cmocka_unit_test(test_shapes_behind_a_one_sided_triangle_are_ignored),
        cmocka_unit_test(test_shapes_behind_a_double_sided_triangle_are_pushed_back),
        cmocka_unit_test(test_one_sided_triangle_never_pushes_backwards),
        cmocka_unit_test(test_sphere_beside_an_active_edge_is_pushed_sideways),
        cmocka_unit_test(test_sphere_beside_a_corner_goes_by_the_edge_it_leans_over),
        cmocka_unit_test(test_turned_over_triangle_keeps_its_edges),
        cmocka_unit_test(test_box_beside_an_active_edge_is_pushed_sideways),
        cmocka_unit_test(test_box_just_past_an_inactive_edge_is_not_touched),
        cmocka_unit_test(test_degenerate_triangles_are_harmless),
        cmocka_unit_test(test_sphere_rolls_over_a_flat_floor_without_feeling_seams),
        cmocka_unit_test(test_everything_slides_over_a_flat_floor_without_feeling_seams),
        cmocka_unit_test(test_sphere_does_not_sink_into_an_inactive_ridge),
        cmocka_unit_test(test_box_against_a_ledge_is_not_thrown_up),
        cmocka_unit_test(test_box_in_a_corner_is_pushed_by_floor_and_wall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
