// Distances of convex cores: against formulas, against brute force in double, against libccd, and in
// degenerate cases: touching, parallel, coincident, flat.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collision/narrow/gjk.h"
#include "support/convex_oracle.h"
#include "support/near.h"
#include "support/random_convex.h"
#include <ccd/ccd.h>

static sn_convex box(sn_convex_storage *storage, float x, float y, float z)
{
    return sn_convex_box(storage, (sn_box){{x, y, z}});
}

// --- formulas ----------------------------------------------------------------------------------------------

static void test_two_points_are_as_far_apart_as_they_are(void **state)
{
    (void)state;
    sn_convex_storage s, r;
    sn_convex a = sn_convex_sphere(&s, (sn_sphere){{1.0f, 2.0f, 3.0f}, 0.5f});
    sn_convex b = sn_convex_sphere(&r, (sn_sphere){{0.0f, 0.0f, 0.0f}, 0.25f});
    sn_gjk_result result = sn_gjk_distance(&a, &b, at(4.0f, 6.0f, 3.0f));
    assert_near(result.distance, 5.0f, 1.0e-6f);
    assert_near3(result.normal, sn_v(0.6f, 0.8f, 0.0f), 1.0e-6f);
    assert_near3(result.point_a, sn_v(1.0f, 2.0f, 3.0f), 0.0f);
    assert_near3(result.point_b, sn_v(4.0f, 6.0f, 3.0f), 0.0f);
    assert_int_equal(result.simplex_count, 1);
}

static void test_crossed_segments_are_nearest_at_inner_points(void **state)
{
    (void)state;
    sn_convex_storage s, r;
    sn_convex a = sn_convex_capsule(&s, (sn_capsule){{-1.0f, 0.0f, 0.0f}, {3.0f, 0.0f, 0.0f}, 0.1f});
    sn_convex b = sn_convex_capsule(&r, (sn_capsule){{0.0f, 0.0f, -2.0f}, {0.0f, 0.0f, 1.0f}, 0.1f});
    sn_gjk_result result = sn_gjk_distance(&a, &b, at(0.5f, 0.75f, 0.25f));
    assert_near(result.distance, 0.75f, 1.0e-6f);
    assert_near3(result.normal, sn_v(0.0f, 1.0f, 0.0f), 1.0e-6f);
    assert_near3(result.point_a, sn_v(0.5f, 0.0f, 0.0f), 1.0e-6f);
    assert_near3(result.point_b, sn_v(0.5f, 0.75f, 0.0f), 1.0e-6f);
}

static void test_boxes_are_measured_between_faces_edges_and_corners(void **state)
{
    (void)state;
    sn_convex_storage s, r;
    sn_convex a = box(&s, 1.0f, 1.0f, 1.0f), b = box(&r, 0.5f, 0.5f, 0.5f);
    sn_gjk_result face = sn_gjk_distance(&a, &b, at(0.1f, 2.0f, -0.2f));
    assert_near(face.distance, 0.5f, 1.0e-6f);
    assert_near3(face.normal, sn_v(0.0f, 1.0f, 0.0f), 1.0e-6f);
    sn_gjk_result edge = sn_gjk_distance(&a, &b, at(1.8f, 1.9f, 0.1f));
    assert_near(edge.distance, 0.5f, 1.0e-6f);
    assert_near3(edge.normal, sn_v(0.6f, 0.8f, 0.0f), 1.0e-6f);
    sn_gjk_result corner = sn_gjk_distance(&a, &b, at(1.7f, -1.8f, 2.1f));
    assert_near(corner.distance, sqrtf(0.04f + 0.09f + 0.36f), 1.0e-6f);
    assert_near3(corner.point_a, sn_v(1.0f, -1.0f, 1.0f), 0.0f);
    assert_int_equal(corner.simplex_count, 1);
    assert_int_equal(corner.index_a[0], 5);
    assert_int_equal(corner.index_b[0], 2);
}

static void test_box_turned_on_its_corner_stands_above_the_face(void **state)
{
    (void)state;
    sn_convex_storage s, r;
    sn_convex a = box(&s, 5.0f, 1.0f, 5.0f), b = box(&r, 0.5f, 0.5f, 0.5f);
    sn_vec3 corner = sn_scale(sn_v(1.0f, 1.0f, 1.0f), sqrtf(1.0f / 3.0f));
    sn_pose pose = {{0.3f, 2.0f, 0.4f}, sn_quat_between(corner, sn_v(0.0f, -1.0f, 0.0f))};
    sn_gjk_result result = sn_gjk_distance(&a, &b, pose);
    assert_near(result.distance, 1.0f - 0.5f * sqrtf(3.0f), 1.0e-6f);
    assert_near3(result.normal, sn_v(0.0f, 1.0f, 0.0f), 1.0e-6f);
    assert_near3(result.point_b, sn_v(0.3f, 2.0f - 0.5f * sqrtf(3.0f), 0.4f), 1.0e-6f);
}

// --- degenerate --------------------------------------------------------------------------------------------

static void assert_overlap(const sn_convex *a, const sn_convex *b, sn_pose pose)
{
    sn_gjk_result result = sn_gjk_distance(a, b, pose);
    assert_int_equal(result.simplex_count, 4);
    assert_near(result.distance, 0.0f, 0.0f);
    assert_near3(result.normal, sn_v(0.0f, 0.0f, 0.0f), 0.0f);
    for (int i = 0; i < 3; ++i) {
        assert_in_range(result.index_a[i], 0, a->point_count - 1);
        assert_in_range(result.index_b[i], 0, b->point_count - 1);
    }
}

static void test_coincident_cores_overlap(void **state)
{
    (void)state;
    sn_convex_storage s[6];
    sn_convex shapes[] = {
        sn_convex_sphere(&s[0], (sn_sphere){{0.0f, 0.0f, 0.0f}, 1.0f}),
        sn_convex_capsule(&s[1], (sn_capsule){{-1.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, 1.0f}),
        sn_convex_triangle(&s[2], sn_v(-1.0f, -1.0f, 0.0f), sn_v(1.0f, -1.0f, 0.0f), sn_v(0.0f, 1.0f, 0.0f)),
        box(&s[3], 1.0f, 1.0f, 1.0f),
        box(&s[4], 100.0f, 1.0e-3f, 100.0f),
        box(&s[5], 1.0e-2f, 1.0e-2f, 1.0e-2f),
    };
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) {
            assert_overlap(&shapes[i], &shapes[j], sn_pose_identity);
        }
    }
}

static void test_parallel_faces_keep_an_exact_normal_down_to_a_micrometre(void **state)
{
    (void)state;
    sn_convex_storage s, r;
    sn_convex a = box(&s, 1.0f, 1.0f, 1.0f), b = box(&r, 0.7f, 1.0f, 0.7f);
    for (float gap = 0.1f; gap > 2.0e-6f; gap *= 0.5f) {
        sn_gjk_result result = sn_gjk_distance(&a, &b, at(0.2f, 2.0f + gap, -0.1f));
        assert_near(result.distance, gap, 2.0e-7f);
        assert_near3(result.normal, sn_v(0.0f, 1.0f, 0.0f), 1.0e-6f);
    }
}

static void test_touching_cores_are_at_distance_zero_within_rounding(void **state)
{
    (void)state;
    sn_convex_storage s, r, q;
    sn_convex a = box(&s, 1.0f, 1.0f, 1.0f), b = box(&r, 0.5f, 0.5f, 0.5f);
    sn_convex point = sn_convex_sphere(&q, (sn_sphere){{0.0f, 0.0f, 0.0f}, 1.0f});
    assert_near(sn_gjk_distance(&a, &b, at(0.0f, 1.5f, 0.0f)).distance, 0.0f, 1.0e-6f);
    assert_near(sn_gjk_distance(&a, &b, at(1.5f, 1.5f, 0.0f)).distance, 0.0f, 1.0e-6f);
    assert_near(sn_gjk_distance(&a, &b, at(1.5f, 1.5f, -1.5f)).distance, 0.0f, 1.0e-6f);
    assert_near(sn_gjk_distance(&a, &point, at(1.0f, 0.3f, -0.2f)).distance, 0.0f, 1.0e-6f);
    assert_near(sn_gjk_distance(&a, &point, at(1.0f, 1.0f, 1.0f)).distance, 0.0f, 1.0e-6f);
}

static void test_segment_and_triangle_without_extent_behave_like_points(void **state)
{
    (void)state;
    sn_vec3 p = {0.1f, 0.2f, 0.3f};
    sn_convex_storage s[3];
    sn_convex flat[] = {
        sn_convex_sphere(&s[0], (sn_sphere){p, 0.0f}),
        sn_convex_capsule(&s[1], (sn_capsule){p, p, 0.0f}),
        sn_convex_triangle(&s[2], p, p, p),
    };
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            sn_gjk_result result = sn_gjk_distance(&flat[i], &flat[j], at(0.0f, 2.0f, 0.0f));
            assert_near(result.distance, 2.0f, 1.0e-6f);
            assert_near3(result.normal, sn_v(0.0f, 1.0f, 0.0f), 1.0e-6f);
        }
    }
}

static void test_collinear_triangle_is_as_far_as_its_segment(void **state)
{
    (void)state;
    sn_convex_storage s, r;
    sn_convex line =
        sn_convex_triangle(&s, sn_v(-1.0f, 0.0f, 0.0f), sn_v(0.25f, 0.0f, 0.0f), sn_v(1.0f, 0.0f, 0.0f));
    sn_convex b = box(&r, 0.5f, 0.5f, 0.5f);
    assert_near(sn_gjk_distance(&line, &b, at(0.3f, 0.75f, 0.0f)).distance, 0.25f, 1.0e-6f);
    assert_near(sn_gjk_distance(&line, &b, at(1.9f, 0.8f, 0.0f)).distance, 0.5f, 1.0e-6f);
    assert_overlap(&line, &b, at(0.3f, 0.25f, 0.1f));
}

static void test_numbers_that_are_none_end_the_search(void **state)
{
    (void)state;
    float bad[] = {NAN, INFINITY, -INFINITY, 1.0e30f, 1.0e-30f};
    sn_convex_storage s, r;
    sn_convex a = box(&s, 1.0f, 1.0f, 1.0f);
    for (int i = 0; i < 5; ++i) {
        sn_convex b = sn_convex_capsule(&r, (sn_capsule){{bad[i], 0.0f, 0.0f}, {0.0f, bad[i], 1.0f}, 1.0f});
        assert_in_range(sn_gjk_distance(&a, &b, at(0.0f, bad[i], 2.0f)).iterations, 1, 32);
        assert_in_range(sn_gjk_distance(&b, &a, at(bad[i], bad[i], bad[i])).iterations, 1, 32);
    }
}

// --- many pairs --------------------------------------------------------------------------------------------

typedef struct pair {
    test_convex a, b;
    oracle_shape oracle_a, oracle_b;
    double size; // of both together, with their distance from the origin of a's frame
} pair;

static void pair_make(pair *p, test_random *random, bool polyhedra)
{
    int kinds = polyhedra ? TEST_CONVEX_KINDS - TEST_BOX : TEST_CONVEX_KINDS;
    int first = polyhedra ? TEST_BOX : 0;
    float size = test_random_power(random, -2.0f, 3.0f), ratio = test_random_power(random, -1.0f, 1.0f);
    test_convex_kind kind_a = (test_convex_kind)(first + (int)(test_random_u32(random) % (uint32_t)kinds));
    test_convex_kind kind_b = (test_convex_kind)(first + (int)(test_random_u32(random) % (uint32_t)kinds));
    test_convex_make(&p->a, random, kind_a, size);
    test_convex_make(&p->b, random, kind_b, size * ratio);
    p->size = (double)(size * sn_max(ratio, 1.0f));
}

static void pair_free(pair *p)
{
    test_convex_free(&p->a);
    test_convex_free(&p->b);
}

// Places b anywhere from deep inside a to a few sizes away; half the time at a chosen small gap instead.
static sn_pose pair_place(pair *p, test_random *random)
{
    float reach = (float)p->size;
    float spread = reach * test_random_float(random, 0.0f, 1.5f);
    sn_pose pose = {test_random_vec3(random, spread), test_random_rotation(random)};
    if (test_random_u32(random) & 1) {
        sn_gjk_result far = sn_gjk_distance(&p->a.convex, &p->b.convex, pose);
        float gap = reach * test_random_power(random, -6.0f, -1.0f);
        pose.position = sn_add_scaled(pose.position, gap - far.distance, far.normal);
    }
    oracle_make(&p->oracle_a, &p->a.convex, sn_pose_identity);
    oracle_make(&p->oracle_b, &p->b.convex, pose);
    return pose;
}

static bool has_volume(const pair *p)
{
    return p->a.convex.is_polyhedron || p->b.convex.is_polyhedron;
}

static void assert_points_fit(const pair *p, const sn_gjk_result *result, double tolerance)
{
    oracle_vec3 a = oracle_v(result->point_a), b = oracle_v(result->point_b);
    oracle_shape point = {.vertex_count = 1};
    point.triangle_count = 1;
    point.vertices[0] = a;
    assert_true(oracle_surface_distance(&point, &p->oracle_a) < tolerance);
    point.vertices[0] = b;
    assert_true(oracle_surface_distance(&point, &p->oracle_b) < tolerance);
    double between = oracle_length(oracle_sub(b, a));
    assert_true(fabs(between - (double)result->distance) < tolerance);
}

// Tolerance, also for what the normal separates: 5e-6 of the size of the pair, some fifty roundings of the
// largest coordinate.
static void test_ten_thousand_pairs_agree_with_brute_force_in_double(void **state)
{
    (void)state;
    test_random random = {1};
    static pair p;
    int overlapping = 0, most_iterations = 0;
    double worst = 0.0;
    for (int i = 0; i < 10000; ++i) {
        pair_make(&p, &random, false);
        sn_pose pose = pair_place(&p, &random);
        sn_gjk_result result = sn_gjk_distance(&p.a.convex, &p.b.convex, pose);
        double tolerance = 5.0e-6 * p.size;
        bool overlap = has_volume(&p) && oracle_depth(&p.oracle_a, &p.oracle_b) >= 0.0;
        double distance = overlap ? 0.0 : oracle_surface_distance(&p.oracle_a, &p.oracle_b);
        double error = fabs((double)result.distance - distance);
        worst = fmax(worst, error / p.size);
        if (error > tolerance) {
            fail_msg("pair %d: distance %g is not %g, size %g", i, (double)result.distance, distance, p.size);
        }
        if (result.distance > 0.0f) {
            assert_points_fit(&p, &result, tolerance);
            double gap = -oracle_overlap(&p.oracle_a, &p.oracle_b, oracle_v(result.normal));
            assert_true(gap > distance - tolerance);
        }
        overlapping += overlap;
        most_iterations = result.iterations > most_iterations ? result.iterations : most_iterations;
        pair_free(&p);
    }
    assert_in_range(overlapping, 500, 9000);
    assert_in_range(most_iterations, 5, 31);
    print_message("worst error %.2g of the size, at most %d iterations, %d overlaps\n", worst,
                  most_iterations, overlapping);
}

// libccd has absolute tolerances made for shapes about 1 across.
typedef struct ccd_shape {
    const oracle_shape *shape;
    double scale;
} ccd_shape;

static void ccd_support(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *point)
{
    const oracle_shape *shape = ((const ccd_shape *)object)->shape;
    double scale = ((const ccd_shape *)object)->scale;
    int best = 0;
    double best_height = -(double)INFINITY;
    for (int i = 0; i < shape->vertex_count; ++i) {
        oracle_vec3 v = shape->vertices[i];
        double height = v.x * direction->v[0] + v.y * direction->v[1] + v.z * direction->v[2];
        if (height > best_height) {
            best_height = height;
            best = i;
        }
    }
    oracle_vec3 v = shape->vertices[best];
    ccdVec3Set(point, scale * v.x, scale * v.y, scale * v.z);
}

static void test_ten_thousand_pairs_of_polyhedra_overlap_when_libccd_says_so(void **state)
{
    (void)state;
    test_random random = {2};
    static pair p;
    int overlapping = 0, undecided = 0;
    for (int i = 0; i < 10000; ++i) {
        pair_make(&p, &random, true);
        sn_pose pose = pair_place(&p, &random);
        ccd_t ccd;
        CCD_INIT(&ccd);
        ccd.support1 = ccd_support;
        ccd.support2 = ccd_support;
        ccd.max_iterations = 1000;
        ccd_shape a = {&p.oracle_a, 1.0 / p.size}, b = {&p.oracle_b, 1.0 / p.size};
        bool expected = ccdGJKIntersect(&a, &b, &ccd) != 0;
        sn_gjk_result result = sn_gjk_distance(&p.a.convex, &p.b.convex, pose);
        double depth = oracle_depth(&p.oracle_a, &p.oracle_b);
        // Pairs that just touch may count as either.
        if (fabs(depth) < 1.0e-5 * p.size) {
            ++undecided;
        } else {
            assert_int_equal(result.simplex_count == 4, depth > 0.0);
            assert_int_equal(result.simplex_count == 4, expected);
        }
        overlapping += expected;
        pair_free(&p);
    }
    assert_in_range(overlapping, 500, 9500);
    assert_in_range(undecided, 0, 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_points_are_as_far_apart_as_they_are),
        cmocka_unit_test(test_crossed_segments_are_nearest_at_inner_points),
        cmocka_unit_test(test_boxes_are_measured_between_faces_edges_and_corners),
        cmocka_unit_test(test_box_turned_on_its_corner_stands_above_the_face),
        cmocka_unit_test(test_coincident_cores_overlap),
        cmocka_unit_test(test_parallel_faces_keep_an_exact_normal_down_to_a_micrometre),
        cmocka_unit_test(test_touching_cores_are_at_distance_zero_within_rounding),
        cmocka_unit_test(test_segment_and_triangle_without_extent_behave_like_points),
        cmocka_unit_test(test_collinear_triangle_is_as_far_as_its_segment),
        cmocka_unit_test(test_numbers_that_are_none_end_the_search),
        cmocka_unit_test(test_ten_thousand_pairs_agree_with_brute_force_in_double),
        cmocka_unit_test(test_ten_thousand_pairs_of_polyhedra_overlap_when_libccd_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
