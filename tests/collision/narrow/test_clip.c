// Polygons and segments clipped by the sides of a square: the remaining part, and the features of its
// corners.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collision/narrow/clip.h"
#include "support/manifold_check.h"
#include "support/random.h"

// Side planes of the square |x|, |z| ≤ 1 with edge numbers 10 (−x), 11 (+x), 12 (−z), 13 (+z).
static const sn_clip_side square_sides[4] = {
    {{-1.0f, 0.0f, 0.0f}, 1.0f, 10},
    {{1.0f, 0.0f, 0.0f}, 1.0f, 11},
    {{0.0f, 0.0f, -1.0f}, 1.0f, 12},
    {{0.0f, 0.0f, 1.0f}, 1.0f, 13},
};

static void make_quad(sn_clip_polygon *polygon, float x0, float z0, float x1, float z1)
{
    const float x[4] = {x0, x0, x1, x1}, z[4] = {z0, z1, z1, z0};
    polygon->count = 4;
    for (int i = 0; i < 4; ++i) {
        polygon->corners[i] = (sn_clip_corner){{x[i], 0.5f, z[i]}, sn_feature_vertex(i), (uint32_t)i};
    }
}

static float polygon_area(const sn_clip_polygon *polygon)
{
    float area = 0.0f;
    for (int i = 2; i < polygon->count; ++i) {
        sn_vec3 one = sn_sub(polygon->corners[i - 1].position, polygon->corners[0].position);
        sn_vec3 two = sn_sub(polygon->corners[i].position, polygon->corners[0].position);
        area += 0.5f * sn_cross(one, two).y;
    }
    return area;
}

static void test_polygon_inside_is_untouched(void **state)
{
    (void)state;
    sn_clip_polygon polygon, scratch;
    make_quad(&polygon, -0.5f, -0.5f, 0.5f, 0.5f);
    const sn_clip_polygon *left = sn_clip(&polygon, &scratch, square_sides, 4);
    assert_int_equal(left->count, 4);
    for (int i = 0; i < 4; ++i) {
        assert_int_equal(left->corners[i].feature, sn_feature_vertex(i));
    }
}

static void test_polygon_outside_vanishes(void **state)
{
    (void)state;
    sn_clip_polygon polygon, scratch;
    make_quad(&polygon, 1.5f, -0.5f, 2.5f, 0.5f);
    assert_int_equal(sn_clip(&polygon, &scratch, square_sides, 4)->count, 0);
}

static void test_polygon_across_a_side_is_cut_there(void **state)
{
    (void)state;
    sn_clip_polygon polygon, scratch;
    make_quad(&polygon, 0.0f, -0.5f, 2.0f, 0.5f);
    const sn_clip_polygon *left = sn_clip(&polygon, &scratch, square_sides, 4);
    assert_int_equal(left->count, 4);
    assert_near(polygon_area(left), 1.0f, 1e-6);
    int crossings = 0;
    for (int i = 0; i < 4; ++i) {
        if (left->corners[i].feature >= SN_FEATURE_CROSSING) {
            assert_near(left->corners[i].position.x, 1.0f, 1e-6);
            assert_int_equal(left->corners[i].feature & 0x1ffu, 11);
            ++crossings;
        }
    }
    assert_int_equal(crossings, 2);
}

static void test_polygon_over_everything_becomes_the_square(void **state)
{
    (void)state;
    sn_clip_polygon polygon, scratch;
    make_quad(&polygon, -3.0f, -3.0f, 3.0f, 3.0f);
    const sn_clip_polygon *left = sn_clip(&polygon, &scratch, square_sides, 4);
    assert_int_equal(left->count, 4);
    assert_near(polygon_area(left), 4.0f, 1e-5);
    for (int i = 0; i < 4; ++i) {
        assert_int_equal(left->corners[i].feature & SN_FEATURE_EDGES, SN_FEATURE_CORNER);
    }
}

// Every corner of the result is inside, and the features differ, however polygon and square overlap.
static void test_random_polygons_are_inside_and_have_unique_features(void **state)
{
    (void)state;
    test_random random = {21};
    for (int trial = 0; trial < 5000; ++trial) {
        sn_clip_polygon polygon, scratch;
        make_quad(&polygon, -1.0f, -1.0f, 1.0f, 1.0f);
        sn_quat turn = sn_quat_axis_angle(sn_v(0.0f, 1.0f, 0.0f), test_random_float(&random, 0.0f, 6.3f));
        sn_vec3 shift = test_random_vec3(&random, 1.5f);
        for (int i = 0; i < 4; ++i) {
            polygon.corners[i].position = sn_add(sn_rotate(turn, polygon.corners[i].position), shift);
        }
        const sn_clip_polygon *left = sn_clip(&polygon, &scratch, square_sides, 4);
        assert_in_range(left->count, 0, 8);
        for (int i = 0; i < left->count; ++i) {
            sn_vec3 p = left->corners[i].position;
            assert_true(sn_abs(p.x) <= 1.00001f && sn_abs(p.z) <= 1.00001f);
            for (int k = 0; k < i; ++k) {
                assert_true(left->corners[i].feature != left->corners[k].feature);
            }
        }
    }
}

static void test_sides_of_a_box_face_stand_on_its_edges(void **state)
{
    (void)state;
    sn_box_hull storage;
    sn_box_hull_make(&storage, sn_v(1.0f, 2.0f, 3.0f));
    sn_polyhedron box = sn_box_hull_view(&storage);
    for (int face = 0; face < 6; ++face) {
        sn_clip_side sides[SN_MAX_HULL_VERTICES];
        assert_int_equal(sn_clip_sides(&box, face, 0.25f, sides), 4);
        for (int k = 0; k < 4; ++k) {
            assert_near(sn_dot(sides[k].normal, box.planes[face].normal), 0.0f, 1e-6);
            float half = sn_dot(sn_abs3(sides[k].normal), sn_v(1.0f, 2.0f, 3.0f));
            assert_near(sides[k].offset, half + 0.25f, 1e-6);
        }
    }
}

static void test_segment_is_cut_at_both_ends(void **state)
{
    (void)state;
    sn_clip_segment segment = {{{-3.0f, 0.0f, 0.5f}, {3.0f, 6.0f, 0.5f}}, {0, 1}};
    assert_true(sn_clip_segment_cut(&segment, square_sides, 4));
    assert_vec3_near(segment.ends[0], sn_v(-1.0f, 2.0f, 0.5f), 1e-6);
    assert_vec3_near(segment.ends[1], sn_v(1.0f, 4.0f, 0.5f), 1e-6);
    assert_int_equal(segment.features[0] & 0x1ffu, 10);
    assert_int_equal(segment.features[1] & 0x1ffu, 11);
}

static void test_segment_beside_the_face_vanishes(void **state)
{
    (void)state;
    sn_clip_segment beside = {{{-3.0f, 0.0f, 1.5f}, {3.0f, 0.0f, 1.5f}}, {0, 1}};
    assert_false(sn_clip_segment_cut(&beside, square_sides, 4));
    sn_clip_segment past_corner = {{{0.5f, 0.0f, 3.0f}, {3.0f, 0.0f, 0.5f}}, {0, 1}};
    assert_false(sn_clip_segment_cut(&past_corner, square_sides, 4));
}

static void test_segment_inside_keeps_its_ends(void **state)
{
    (void)state;
    sn_clip_segment segment = {{{-0.5f, 0.0f, 0.5f}, {0.5f, 0.0f, 0.5f}}, {0, 1}};
    assert_true(sn_clip_segment_cut(&segment, square_sides, 4));
    assert_int_equal(segment.features[0], 0);
    assert_int_equal(segment.features[1], 1);
    assert_near(segment.ends[1].x, 0.5f, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_polygon_inside_is_untouched),
        cmocka_unit_test(test_polygon_outside_vanishes),
        cmocka_unit_test(test_polygon_across_a_side_is_cut_there),
        cmocka_unit_test(test_polygon_over_everything_becomes_the_square),
        cmocka_unit_test(test_random_polygons_are_inside_and_have_unique_features),
        cmocka_unit_test(test_sides_of_a_box_face_stand_on_its_edges),
        cmocka_unit_test(test_segment_is_cut_at_both_ends),
        cmocka_unit_test(test_segment_beside_the_face_vanishes),
        cmocka_unit_test(test_segment_inside_keeps_its_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
