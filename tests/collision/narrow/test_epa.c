// Penetration depth: against formulas, against every separating axis in double, and by its definition: moving
// b by the depth along the normal just separates the two.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collision/narrow/gjk.h"
#include "support/convex_oracle.h"
#include "support/near.h"
#include "support/random_convex.h"

// --- formulas ----------------------------------------------------------------------------------------------

static void test_point_in_box_leaves_by_the_nearest_face(void **state)
{
    (void)state;
    sn_convex_storage s, r;
    sn_convex box = sn_convex_box(&s, (sn_box){{1.0f, 2.0f, 3.0f}});
    sn_convex point = sn_convex_sphere(&r, (sn_sphere){{0.0f, 0.0f, 0.0f}, 0.1f});
    sn_depth_result out = sn_penetration_depth(&box, &point, at(0.3f, -1.75f, 0.5f));
    assert_near(out.depth, 0.25f, 1.0e-6f);
    assert_near3(out.normal, sn_v(0.0f, -1.0f, 0.0f), 0.0f);
    assert_near3(out.point_b, sn_v(0.3f, -1.75f, 0.5f), 0.0f);
    assert_near3(out.point_a, sn_v(0.3f, -2.0f, 0.5f), 1.0e-6f);
    sn_depth_result in = sn_penetration_depth(&point, &box, at(-0.3f, 1.75f, -0.5f));
    assert_near(in.depth, 0.25f, 1.0e-6f);
    assert_near3(in.normal, sn_v(0.0f, 1.0f, 0.0f), 0.0f);
    assert_near3(in.point_a, sn_v(0.0f, 0.0f, 0.0f), 0.0f);
    assert_near3(in.point_b, sn_v(0.0f, -0.25f, 0.0f), 1.0e-6f);
}

static void test_segment_through_a_box_edge_leaves_across_the_edge(void **state)
{
    (void)state;
    sn_convex_storage s, r;
    sn_convex box = sn_convex_box(&s, (sn_box){{1.0f, 1.0f, 1.0f}});
    sn_vec3 along = {1.0f, -1.0f, 0.0f};
    sn_convex segment = sn_convex_capsule(&r, (sn_capsule){sn_neg(along), along, 0.1f});
    sn_depth_result out = sn_penetration_depth(&box, &segment, at(0.9f, 0.9f, 0.2f));
    assert_near(out.depth, 0.1f * sqrtf(2.0f), 1.0e-6f);
    assert_near3(out.normal, sn_v(sqrtf(0.5f), sqrtf(0.5f), 0.0f), 1.0e-6f);
    assert_near3(out.point_a, sn_v(1.0f, 1.0f, 0.2f), 1.0e-5f);
    assert_near3(out.point_b, sn_v(0.9f, 0.9f, 0.2f), 1.0e-5f);
}

static void test_boxes_crossing_at_edges_part_along_the_cross_product(void **state)
{
    (void)state;
    sn_convex_storage s, r;
    sn_convex a = sn_convex_box(&s, (sn_box){{1.0f, 1.0f, 1.0f}});
    sn_convex b = sn_convex_box(&r, (sn_box){{1.0f, 1.0f, 1.0f}});
    // a's edge along z at x = y = 1 against b's edge along its own x, turned to the direction (1, −1, 0).
    float half = 0.5f, root = sqrtf(0.5f);
    sn_mat3 columns = {{root, -root, 0.0f}, {half, half, -root}, {half, half, root}};
    sn_vec3 normal = {root, root, 0.0f};
    sn_pose pose = {sn_scale(normal, 2.0f * sqrtf(2.0f) - 0.1f), sn_quat_from_mat3(columns)};
    sn_depth_result out = sn_penetration_depth(&a, &b, pose);
    assert_near(out.depth, 0.1f, 1.0e-6f);
    assert_near3(out.normal, normal, 1.0e-6f);
    assert_near3(out.point_a, sn_v(1.0f, 1.0f, 0.0f), 1.0e-5f);
    assert_near3(out.point_b, sn_v(1.0f - 0.1f * root, 1.0f - 0.1f * root, 0.0f), 1.0e-5f);
}

static void test_stacked_boxes_have_deepest_points_on_both_faces(void **state)
{
    (void)state;
    sn_convex_storage s, r;
    sn_convex a = sn_convex_box(&s, (sn_box){{1.0f, 1.0f, 1.0f}});
    sn_convex b = sn_convex_box(&r, (sn_box){{0.5f, 0.5f, 3.0f}});
    sn_depth_result out = sn_penetration_depth(&a, &b, at(0.2f, 1.49f, 1.0f));
    assert_near(out.depth, 0.01f, 1.0e-6f);
    assert_near3(out.normal, sn_v(0.0f, 1.0f, 0.0f), 1.0e-6f);
    assert_near(out.point_a.y, 1.0f, 1.0e-6f);
    assert_near(out.point_b.y, 0.99f, 1.0e-6f);
    assert_near3(sn_sub(out.point_a, out.point_b), sn_v(0.0f, 0.01f, 0.0f), 1.0e-6f);
    assert_true(out.point_b.x > -0.301f && out.point_b.x < 0.701f);
    assert_true(out.point_b.z > -1.001f && out.point_b.z < 1.001f);
}

// --- flat and coincident -----------------------------------------------------------------------------------

static void assert_valid(const sn_depth_result *result, float depth)
{
    assert_near(sn_length(result->normal), 1.0f, 1.0e-5f);
    assert_near(result->depth, depth, 1.0e-6f);
    assert_true(sn_vec3_is_finite(result->point_a) && sn_vec3_is_finite(result->point_b));
}

static void test_coincident_points_and_segments_have_a_normal_and_no_depth(void **state)
{
    (void)state;
    sn_vec3 o = {0.0f, 0.0f, 0.0f}, x = {1.0f, 0.0f, 0.0f}, y = {0.0f, 1.0f, 0.0f};
    sn_convex_storage s[5];
    sn_convex cores[] = {
        sn_convex_sphere(&s[0], (sn_sphere){o, 1.0f}),
        sn_convex_capsule(&s[1], (sn_capsule){sn_neg(x), x, 1.0f}),
        sn_convex_capsule(&s[2], (sn_capsule){sn_neg(y), y, 1.0f}),
        sn_convex_capsule(&s[3], (sn_capsule){o, o, 1.0f}),
        sn_convex_triangle(&s[4], sn_neg(x), x, y),
    };
    for (int i = 0; i < 5; ++i) {
        for (int j = 0; j < 4; ++j) {
            sn_depth_result result = sn_penetration_depth(&cores[i], &cores[j], sn_pose_identity);
            assert_valid(&result, 0.0f);
            result = sn_penetration_depth(&cores[j], &cores[i], sn_pose_identity);
            assert_valid(&result, 0.0f);
        }
    }
    sn_depth_result same = sn_penetration_depth(&cores[4], &cores[4], sn_pose_identity);
    assert_valid(&same, 0.0f);
    assert_near(sn_abs(same.normal.z), 1.0f, 1.0e-6f);
}

static void test_box_in_itself_leaves_along_its_thinnest_axis(void **state)
{
    (void)state;
    sn_convex_storage s;
    sn_convex a = sn_convex_box(&s, (sn_box){{1.0f, 0.25f, 3.0f}});
    sn_depth_result out = sn_penetration_depth(&a, &a, sn_pose_identity);
    assert_near(out.depth, 0.5f, 1.0e-6f);
    assert_near(sn_abs(out.normal.y), 1.0f, 1.0e-6f);
}

static void test_triangles_without_area_give_a_valid_normal(void **state)
{
    (void)state;
    sn_vec3 p = {0.1f, 0.0f, 0.0f}, q = {0.4f, 0.1f, 0.0f};
    sn_convex_storage s[4];
    sn_convex line = sn_convex_triangle(&s[0], p, q, sn_lerp(p, q, 0.5f));
    sn_convex dot = sn_convex_triangle(&s[1], p, p, p);
    sn_convex box = sn_convex_box(&s[2], (sn_box){{1.0f, 1.0f, 1.0f}});
    const sn_convex *all[] = {&line, &dot, &box};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            sn_depth_result result = sn_penetration_depth(all[i], all[j], sn_pose_identity);
            assert_near(sn_length(result.normal), 1.0f, 1.0e-5f);
            assert_true(result.depth >= 0.0f && result.depth <= 2.001f);
        }
    }
}

// --- many pairs --------------------------------------------------------------------------------------------

static void assert_on_surface(const oracle_shape *shape, sn_vec3 point, double tolerance)
{
    oracle_shape dot = {.vertex_count = 1, .triangle_count = 1};
    dot.vertices[0] = oracle_v(point);
    assert_true(oracle_surface_distance(&dot, shape) < tolerance);
}

// Depth within 1e-4 of the least over all axes (edge pairs must beat faces by that much to be chosen), and
// enough to separate the pair, to 2e-6 of the size.
static void check_depth(const test_convex *a, const test_convex *b, sn_pose pose, double size)
{
    static oracle_shape oracle_a, oracle_b;
    oracle_make(&oracle_a, &a->convex, sn_pose_identity);
    oracle_make(&oracle_b, &b->convex, pose);
    sn_depth_result result = sn_penetration_depth(&a->convex, &b->convex, pose);
    double least = fmax(oracle_depth(&oracle_a, &oracle_b), 0.0);
    double depth = (double)result.depth, tolerance = 2.0e-6 * size;
    assert_true(depth <= 1.00011 * least + tolerance);
    assert_true(depth >= oracle_overlap(&oracle_a, &oracle_b, oracle_v(result.normal)) - tolerance);
    assert_near(sn_length(result.normal), 1.0f, 1.0e-5f);

    sn_pose moved = {sn_add_scaled(pose.position, result.depth, result.normal), pose.rotation};
    sn_gjk_result parted = sn_gjk_distance(&a->convex, &b->convex, moved);
    assert_true((double)parted.distance <= 1.0e-4 * size);

    sn_vec3 span = sn_sub(result.point_a, result.point_b);
    assert_true((double)sn_distance_between(span, sn_scale(result.normal, result.depth)) < 1.0e-4 * size);
    // A point core is its own deepest point, inside; all other deepest points are on the surface.
    if (a->convex.point_count > 1) {
        assert_on_surface(&oracle_a, result.point_a, 1.0e-4 * size);
    }
    if (b->convex.point_count > 1) {
        assert_on_surface(&oracle_b, result.point_b, 1.0e-4 * size);
    }
}

static void test_ten_thousand_overlaps_agree_with_all_axes_in_double(void **state)
{
    (void)state;
    test_random random = {3};
    static test_convex a, b;
    int tested = 0;
    while (tested < 10000) {
        float size = test_random_power(&random, -2.0f, 3.0f), ratio = test_random_power(&random, -1.0f, 1.0f);
        test_convex_make(&a, &random, (test_convex_kind)(test_random_u32(&random) % TEST_CONVEX_KINDS), size);
        test_convex_make(&b, &random, (test_convex_kind)(test_random_u32(&random) % TEST_CONVEX_KINDS),
                         size * ratio);
        float spread = 0.5f * size * sn_max(ratio, 1.0f) * test_random_float(&random, 0.0f, 1.0f);
        sn_pose pose = {test_random_vec3(&random, spread), test_random_rotation(&random)};
        if (sn_gjk_distance(&a.convex, &b.convex, pose).simplex_count == 4) {
            check_depth(&a, &b, pose, (double)(size * sn_max(ratio, 1.0f)));
            ++tested;
        }
        test_convex_free(&a);
        test_convex_free(&b);
    }
}

static void test_large_hulls_lose_no_axis_to_the_pruning_of_edges(void **state)
{
    (void)state;
    test_random random = {4};
    static test_convex a, b;
    for (int i = 0; i < 8; ++i) {
        sn_vec3 points[128];
        test_convex *shapes[] = {&a, &b};
        for (int k = 0; k < 2; ++k) {
            for (int j = 0; j < 128; ++j) {
                points[j] = test_random_direction(&random);
            }
            assert_int_equal(sn_hull_create(points, 128, 0, &shapes[k]->hull), SN_OK);
            shapes[k]->convex = sn_convex_hull(shapes[k]->hull);
        }
        sn_vec3 offset = sn_scale(test_random_direction(&random), test_random_float(&random, 0.0f, 1.9f));
        check_depth(&a, &b, (sn_pose){offset, test_random_rotation(&random)}, 2.0);
        test_convex_free(&a);
        test_convex_free(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_point_in_box_leaves_by_the_nearest_face),
        cmocka_unit_test(test_segment_through_a_box_edge_leaves_across_the_edge),
        cmocka_unit_test(test_boxes_crossing_at_edges_part_along_the_cross_product),
        cmocka_unit_test(test_stacked_boxes_have_deepest_points_on_both_faces),
        cmocka_unit_test(test_coincident_points_and_segments_have_a_normal_and_no_depth),
        cmocka_unit_test(test_box_in_itself_leaves_along_its_thinnest_axis),
        cmocka_unit_test(test_triangles_without_area_give_a_valid_normal),
        cmocka_unit_test(test_ten_thousand_overlaps_agree_with_all_axes_in_double),
        cmocka_unit_test(test_large_hulls_lose_no_axis_to_the_pruning_of_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
