// Convex hulls against qhull, on many kinds of point sets, and the invariants every hull must keep.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry/shapes/hull.h"
#include "support/memory.h"
#include "support/point_sets.h"
#include <libqhull_r/qhull_ra.h>
#include <string.h>

// --- oracle ------------------------------------------------------------------------------------------------

static double qhull_volume(const point_set *set)
{
    coordT coordinates[3 * POINT_SET_CAPACITY];
    for (int i = 0; i < set->count; ++i) {
        coordinates[3 * i] = set->points[i].x;
        coordinates[3 * i + 1] = set->points[i].y;
        coordinates[3 * i + 2] = set->points[i].z;
    }
    qhT state;
    memset(&state, 0, sizeof state);
    qh_zero(&state, stderr);
    char command[] = "qhull FA";
    int failure = qh_new_qhull(&state, 3, set->count, coordinates, False, command, NULL, stderr);
    assert_int_equal(failure, 0);
    double volume = state.totvol;
    qh_freeqhull(&state, !qh_ALL);
    int long_count, long_bytes;
    qh_memfreeshort(&state, &long_count, &long_bytes);
    return volume;
}

// --- invariants --------------------------------------------------------------------------------------------

static double height(sn_vec3 normal, sn_vec3 p)
{
    return (double)normal.x * p.x + (double)normal.y * p.y + (double)normal.z * p.z;
}

static double largest_coordinate(const sn_vec3 *points, int count)
{
    double largest = 0.0;
    for (int i = 0; i < count; ++i) {
        sn_vec3 p = sn_abs3(points[i]);
        largest = fmax(largest, (double)sn_max(p.x, sn_max(p.y, p.z)));
    }
    return largest;
}

static double support(const sn_vec3 *points, int count, sn_vec3 direction)
{
    double highest = -INFINITY;
    for (int i = 0; i < count; ++i) {
        highest = fmax(highest, height(direction, points[i]));
    }
    return highest;
}

// How far points stick out of the hull: over its planes, and in many directions beyond its farthest vertex.
// In units of the largest coordinate.
static double worst_outside(const sn_hull *hull, const sn_vec3 *points, int count)
{
    double worst = -INFINITY;
    for (int face = 0; face < hull->polyhedron.face_count; ++face) {
        sn_face_plane plane = hull->planes[face];
        worst = fmax(worst, support(points, count, plane.normal) - plane.offset);
    }
    test_random random = {7};
    for (int i = 0; i < 100; ++i) {
        sn_vec3 direction = test_random_direction(&random);
        double own = support(hull->vertices, hull->polyhedron.vertex_count, direction);
        worst = fmax(worst, support(points, count, direction) - own);
    }
    return worst / largest_coordinate(points, count);
}

static void assert_half_edges_are_linked(const sn_polyhedron *p)
{
    assert_int_equal(p->half_edge_count % 2, 0);
    for (int e = 0; e < p->half_edge_count; ++e) {
        const sn_half_edge *edge = &p->half_edges[e], *twin = &p->half_edges[e ^ 1];
        const sn_half_edge *next = &p->half_edges[edge->next];
        assert_true(edge->origin < p->vertex_count);
        assert_true(edge->face < p->face_count);
        assert_int_equal(next->origin, twin->origin);
        assert_int_equal(next->face, edge->face);
        assert_int_not_equal(edge->face, twin->face);
        assert_int_not_equal(edge->origin, twin->origin);
    }
}

static void assert_faces_are_loops(const sn_polyhedron *p)
{
    int total = 0;
    for (int face = 0; face < p->face_count; ++face) {
        int first = p->face_edges[face], e = first, length = 0;
        do {
            assert_int_equal(p->half_edges[e].face, face);
            e = p->half_edges[e].next;
            assert_true(++length <= p->half_edge_count);
        } while (e != first);
        assert_true(length >= 3);
        total += length;
    }
    assert_int_equal(total, p->half_edge_count);
}

static void assert_vertices_have_three_edges(const sn_polyhedron *p)
{
    int edges_from[SN_MAX_HULL_VERTICES] = {0};
    for (int e = 0; e < p->half_edge_count; ++e) {
        edges_from[p->half_edges[e].origin]++;
    }
    for (int i = 0; i < p->vertex_count; ++i) {
        assert_true(edges_from[i] >= 3);
    }
}

// Corners are on the plane, and each is on the inner side of each edge's line.
static void assert_face_is_flat_and_convex(const sn_polyhedron *p, int face, double tolerance)
{
    sn_face_plane plane = p->planes[face];
    assert_float_equal(sn_length(plane.normal), 1.0f, 1.0e-6f);
    int first = p->face_edges[face], e = first;
    do {
        sn_vec3 a = p->vertices[p->half_edges[e].origin];
        sn_vec3 edge = sn_normalize(sn_sub(p->vertices[p->half_edges[e ^ 1].origin], a));
        sn_vec3 inward = sn_cross(plane.normal, edge);
        assert_true(fabs(height(plane.normal, a) - plane.offset) <= tolerance);
        for (int f = p->half_edges[e].next; f != e; f = p->half_edges[f].next) {
            sn_vec3 corner = p->vertices[p->half_edges[f].origin];
            assert_true(height(inward, sn_sub(corner, a)) >= -tolerance);
        }
        e = p->half_edges[e].next;
    } while (e != first);
}

static void assert_hull_is_valid(const sn_hull *hull)
{
    const sn_polyhedron *p = &hull->polyhedron;
    double tolerance = 3.0e-6 * largest_coordinate(p->vertices, p->vertex_count);
    assert_true(p->vertex_count >= 4 && p->vertex_count <= SN_MAX_HULL_VERTICES);
    assert_int_equal(p->vertex_count - p->half_edge_count / 2 + p->face_count, 2);
    assert_half_edges_are_linked(p);
    assert_faces_are_loops(p);
    assert_vertices_have_three_edges(p);
    for (int face = 0; face < p->face_count; ++face) {
        sn_face_plane plane = p->planes[face];
        assert_face_is_flat_and_convex(p, face, tolerance);
        assert_true(plane.offset - height(plane.normal, p->center) >= 0.999999 * hull->inner_radius);
    }
    assert_true(worst_outside(hull, p->vertices, p->vertex_count) < 1.0e-7);
    assert_true(hull->inner_radius > 0.0f);
    assert_true(hull->unit_mass.mass > 0.0f);
}

// But for the last bits, which the grid takes from coordinates much smaller than the largest.
static void assert_vertices_are_points(const sn_hull *hull, const point_set *set)
{
    float size = sn_distance_between(hull->bounds.lower, hull->bounds.upper);
    for (int i = 0; i < hull->polyhedron.vertex_count; ++i) {
        float nearest = INFINITY;
        for (int j = 0; j < set->count; ++j) {
            nearest = sn_min(nearest, sn_distance_between(hull->vertices[i], set->points[j]));
        }
        assert_true(nearest <= 1.5e-8f * size);
    }
}

static void make_set(point_set *set, point_set_maker maker, uint64_t seed, float scale)
{
    test_random random = {seed};
    set->count = 0;
    maker(set, &random);
    for (int i = 0; i < set->count; ++i) {
        set->points[i] = sn_scale(set->points[i], scale);
    }
}

static sn_hull *make_hull(const sn_vec3 *points, int count, int max_vertices)
{
    sn_hull *hull = NULL;
    assert_int_equal(sn_hull_create(points, count, max_vertices, &hull), SN_OK);
    return hull;
}

// --- many sets ---------------------------------------------------------------------------------------------

// Float32 rounding times a few in volume: a hundred times less than the 1e-4 that would still do.
static void test_plain_sets_have_the_volume_and_hold_the_points_of_qhull(void **state)
{
    (void)state;
    static const float scales[] = {1.0f, 1.0e-3f, 30.0f, 1.0e3f, 1.0e5f};
    static point_set set;
    for (int kind = 0; kind < PLAIN_SET_COUNT; ++kind) {
        for (int i = 0; i < 40; ++i) {
            float scale = plain_sets[kind] == make_offset ? 1.0f : scales[i % 5];
            make_set(&set, plain_sets[kind], 1000 * (uint64_t)kind + (uint64_t)i, scale);
            sn_hull *hull = make_hull(set.points, set.count, 0);
            assert_true(hull->polyhedron.vertex_count < SN_MAX_HULL_VERTICES);
            assert_hull_is_valid(hull);
            assert_vertices_are_points(hull, &set);
            assert_true(fabs(hull->unit_mass.mass / qhull_volume(&set) - 1.0) < 2.0e-6);
            assert_true(worst_outside(hull, set.points, set.count) < 3.0e-6);
            sn_hull_destroy(hull);
        }
    }
}

// A hull or a refusal, but never an invalid hull, nor one that misses what it was given.
static void test_hostile_sets_give_valid_hulls_or_none(void **state)
{
    (void)state;
    static const float scales[] = {1.0f, 1.0e-3f, 10.0f, 1.0e3f, 1.0e5f};
    static point_set set;
    int refused = 0;
    for (int kind = 0; kind < HOSTILE_SET_COUNT; ++kind) {
        for (int i = 0; i < 40; ++i) {
            float scale = hostile_sets[kind] == make_far_away ? 1.0f : scales[i % 5];
            make_set(&set, hostile_sets[kind], 1000 * (uint64_t)kind + (uint64_t)i, scale);
            sn_hull *hull = NULL;
            sn_status status = sn_hull_create(set.points, set.count, 0, &hull);
            if (status) {
                assert_int_equal(status, SN_ERROR_GEOMETRY);
                assert_null(strstr(sn_last_error(), "no valid polyhedron"));
                refused++;
                continue;
            }
            assert_hull_is_valid(hull);
            if (hull->polyhedron.vertex_count < SN_MAX_HULL_VERTICES / 2) {
                assert_true(worst_outside(hull, set.points, set.count) < 5.0e-6);
            }
            sn_hull_destroy(hull);
        }
    }
    assert_true(refused < 40); // sheets and needles too thin, spheres too far away
}

static void test_fewer_vertices_give_a_coarser_valid_hull_inside(void **state)
{
    (void)state;
    static point_set set;
    test_random random = {3};
    for (set.count = 0; set.count < 900; ++set.count) {
        set.points[set.count] = test_random_direction(&random);
    }
    double whole = qhull_volume(&set), last = 0.0;
    static const int limits[] = {4, 5, 8, 16, 32, 64, 128};
    for (int i = 0; i < 7; ++i) {
        sn_hull *hull = make_hull(set.points, set.count, limits[i]);
        assert_hull_is_valid(hull);
        assert_true(hull->polyhedron.vertex_count <= limits[i]);
        assert_true(hull->unit_mass.mass > last && hull->unit_mass.mass <= whole * 1.000001);
        last = hull->unit_mass.mass;
        sn_hull_destroy(hull);
    }
    assert_true(last > 0.9 * whole);
}

static void test_the_farthest_points_come_first(void **state)
{
    (void)state;
    sn_vec3 points[40];
    for (int i = 0; i < 32; ++i) { // small bumps on the faces of a cube
        sn_vec3 p = {1.01f, 0.3f * (float)(i % 2), 0.2f * (float)(i / 4 % 4)};
        points[i] = i % 4 < 2 ? p : sn_v(-p.z, -p.x, -p.y);
    }
    for (int i = 0; i < 8; ++i) {
        points[32 + i] = sn_v(i & 1 ? 1.0f : -1.0f, i & 2 ? 1.0f : -1.0f, i & 4 ? 1.0f : -1.0f);
    }
    sn_hull *hull = make_hull(points, 40, 8);
    assert_int_equal(sn_hull_vertex_count(hull), 8);
    assert_int_equal(sn_hull_face_count(hull), 6);
    for (int i = 0; i < 8; ++i) {
        assert_memory_equal(&hull->vertices[i], &points[32 + i], sizeof(sn_vec3));
    }
    sn_hull_destroy(hull);
}

// --- known shapes ------------------------------------------------------------------------------------------

static void test_cube_with_inner_face_and_edge_points_has_six_squares(void **state)
{
    (void)state;
    sn_vec3 points[125];
    for (int i = 0; i < 125; ++i) {
        points[i] = sn_v((float)(i % 5), (float)(i / 5 % 5), (float)(i / 25));
    }
    sn_hull *hull = make_hull(points, 125, 0);
    assert_hull_is_valid(hull);
    assert_int_equal(sn_hull_vertex_count(hull), 8);
    assert_int_equal(sn_hull_face_count(hull), 6);
    for (int face = 0; face < 6; ++face) {
        int corners[4];
        assert_int_equal(sn_hull_face(hull, face, corners, 4), 4);
        sn_vec3 a = hull->vertices[corners[0]], b = hull->vertices[corners[1]],
                c = hull->vertices[corners[2]];
        sn_vec3 normal = sn_normalize(sn_cross(sn_sub(b, a), sn_sub(c, b)));
        assert_float_equal(sn_dot(normal, hull->planes[face].normal), 1.0f, 1.0e-6f);
        assert_true(sn_dot(normal, sn_sub(a, sn_v(2.0f, 2.0f, 2.0f))) > 1.99f);
    }
    assert_float_equal(hull->unit_mass.mass, 64.0f, 1.0e-4f);
    assert_float_equal(hull->inner_radius, 2.0f, 1.0e-6f);
    assert_float_equal(hull->polyhedron.center.y, 2.0f, 1.0e-6f);
    assert_float_equal(hull->bounds.lower.x, 0.0f, 0.0f);
    assert_float_equal(hull->bounds.upper.z, 4.0f, 0.0f);
    sn_hull_destroy(hull);
}

static void test_cylinder_has_two_caps_and_its_sides(void **state)
{
    (void)state;
    for (int sides = 3; sides <= 64; ++sides) {
        sn_hull *hull = NULL;
        assert_int_equal(sn_hull_cylinder(2.0f, 0.5f, 0.3f, sides, &hull), SN_OK);
        assert_hull_is_valid(hull);
        assert_int_equal(sn_hull_vertex_count(hull), 2 * sides);
        assert_int_equal(sn_hull_face_count(hull), sides + 2);
        assert_float_equal(hull->bounds.lower.y, -1.0f, 0.0f);
        assert_float_equal(hull->bounds.upper.y, 1.0f, 0.0f);
        sn_hull_destroy(hull);
    }
}

static void test_cone_comes_to_a_point(void **state)
{
    (void)state;
    sn_hull *hull = NULL;
    assert_int_equal(sn_hull_cylinder(3.0f, 1.0f, 0.0f, 12, &hull), SN_OK);
    assert_hull_is_valid(hull);
    assert_int_equal(sn_hull_vertex_count(hull), 13);
    assert_int_equal(sn_hull_face_count(hull), 13);
    // A regular twelve-sided pyramid: base area 3, volume base × height / 3, centre a quarter up.
    assert_float_equal(hull->unit_mass.mass, 3.0f, 1.0e-5f);
    assert_float_equal(hull->unit_mass.center.y, -0.75f, 1.0e-6f);
    sn_hull_destroy(hull);
}

static void test_order_of_the_points_does_not_change_the_shape(void **state)
{
    (void)state;
    static point_set set;
    test_random random = {11};
    make_set(&set, make_box, 5, 1.0f);
    for (int round = 0; round < 20; ++round) {
        for (int i = set.count - 1; i > 0; --i) {
            int j = (int)(test_random_u32(&random) % (uint32_t)(i + 1));
            sn_vec3 swapped = set.points[i];
            set.points[i] = set.points[j];
            set.points[j] = swapped;
        }
        sn_hull *hull = make_hull(set.points, set.count, 0);
        assert_int_equal(sn_hull_vertex_count(hull), 8);
        assert_int_equal(sn_hull_face_count(hull), 6);
        sn_hull_destroy(hull);
    }
}

// --- refusals ----------------------------------------------------------------------------------------------

static void assert_refused(const sn_vec3 *points, int count, int max_vertices, sn_status expected,
                           const char *message)
{
    sn_hull *hull = NULL;
    assert_int_equal(sn_hull_create(points, count, max_vertices, &hull), expected);
    assert_null(hull);
    assert_non_null(strstr(sn_last_error(), message));
}

static void test_points_without_a_volume_are_refused(void **state)
{
    (void)state;
    test_random random = {1};
    for (int round = 0; round < 50; ++round) {
        sn_vec3 same[50], line[50], plane[50];
        sn_vec3 a = test_random_vec3(&random, 10.0f), u = test_random_direction(&random);
        sn_vec3 v = sn_perpendicular(u);
        for (int i = 0; i < 50; ++i) {
            float s = test_random_float(&random, -5.0f, 5.0f), t = test_random_float(&random, -5.0f, 5.0f);
            same[i] = a;
            line[i] = sn_add_scaled(a, s, u);
            plane[i] = sn_add_scaled(line[i], t, v);
        }
        assert_refused(same, 50, 0, SN_ERROR_GEOMETRY, "hull: the 50 points coincide");
        assert_refused(line, 50, 0, SN_ERROR_GEOMETRY, "hull: the 50 points lie on a line");
        assert_refused(plane, 50, 0, SN_ERROR_GEOMETRY, "hull: the 50 points lie on a plane");
    }
}

static void test_bad_arguments_are_refused_and_named(void **state)
{
    (void)state;
    sn_vec3 p[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    sn_hull *hull = NULL;
    assert_int_equal(sn_hull_create(NULL, 4, 0, &hull), SN_ERROR_NULL);
    assert_int_equal(sn_hull_create(p, 4, 0, NULL), SN_ERROR_NULL);
    assert_refused(p, 3, 0, SN_ERROR_GEOMETRY, "hull: count is 3, expected >= 4");
    assert_refused(p, -1, 0, SN_ERROR_GEOMETRY, "count is -1");
    assert_refused(p, INT32_MAX, 0, SN_ERROR_RANGE, "count is 2147483647");
    assert_refused(p, 4, 3, SN_ERROR_RANGE, "hull: max_vertices is 3, expected 0 or >= 4 and <= 128");
    assert_refused(p, 4, 129, SN_ERROR_RANGE, "max_vertices is 129");
    p[3].x = NAN;
    assert_refused(p, 5, 0, SN_ERROR_NOT_FINITE, "hull: point 3 is (nan, 0, 1), expected finite coordinates");
    p[3].x = INFINITY;
    assert_refused(p, 5, 0, SN_ERROR_NOT_FINITE, "point 3 is (inf, 0, 1)");
    p[3].x = -1.1e6f;
    assert_refused(p, 5, 0, SN_ERROR_RANGE,
                   "point 3 is (-1.1e+06, 0, 1), expected coordinates within +-1e+06");
}

static void test_bad_cylinders_are_refused(void **state)
{
    (void)state;
    sn_hull *hull = NULL;
    assert_int_equal(sn_hull_cylinder(1, 1, 1, 2, &hull), SN_ERROR_RANGE);
    assert_int_equal(sn_hull_cylinder(1, 1, 1, 65, &hull), SN_ERROR_RANGE);
    assert_int_equal(sn_hull_cylinder(0, 1, 1, 8, &hull), SN_ERROR_RANGE);
    assert_int_equal(sn_hull_cylinder(1, 0, 1, 8, &hull), SN_ERROR_RANGE);
    assert_int_equal(sn_hull_cylinder(1, 1, -1, 8, &hull), SN_ERROR_RANGE);
    assert_int_equal(sn_hull_cylinder(1, NAN, 1, 8, &hull), SN_ERROR_NOT_FINITE);
    assert_int_equal(sn_hull_cylinder(1, 1, 1, 8, NULL), SN_ERROR_NULL);
    assert_null(hull);
}

static void test_looking_past_the_end_is_harmless(void **state)
{
    (void)state;
    sn_vec3 p[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    sn_hull *hull = make_hull(p, 4, 0);
    int corners[3] = {-1, -1, -1};
    assert_int_equal(sn_hull_face(hull, -1, corners, 3), 0);
    assert_int_equal(sn_hull_face(hull, 4, corners, 3), 0);
    assert_int_equal(sn_hull_face(hull, 0, NULL, 0), 3);
    assert_int_equal(sn_hull_face(hull, 0, corners, 2), 3);
    assert_true(corners[1] >= 0);
    assert_int_equal(corners[2], -1);
    assert_int_equal(sn_hull_vertex_count(NULL), 0);
    assert_int_equal(sn_hull_face_count(NULL), 0);
    assert_null(sn_hull_vertices(NULL));
    assert_ptr_equal(sn_hull_vertices(hull), hull->vertices);
    sn_hull_destroy(hull);
    sn_hull_destroy(NULL);
}

// --- ownership ---------------------------------------------------------------------------------------------

static void test_a_retained_hull_outlives_its_maker(void **state)
{
    (void)state;
    sn_vec3 p[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    uint64_t before = sn_allocated_bytes();
    sn_hull *hull = make_hull(p, 4, 0);
    sn_hull_retain(hull);
    sn_hull_destroy(hull);
    assert_int_equal(sn_hull_vertex_count(hull), 4);
    sn_hull_destroy(hull);
    assert_int_equal(sn_allocated_bytes(), before);
}

static void test_without_memory_there_is_no_hull_and_no_leak(void **state)
{
    (void)state;
    static point_set set;
    make_set(&set, make_box, 2, 1.0f);
    uint64_t before = sn_allocated_bytes();
    sn_hull *hull = NULL;
    int failures = 0;
    for (int allowed = 0; !hull && allowed < 100; ++allowed) {
        test_memory_allow(allowed);
        sn_status status = sn_hull_create(set.points, set.count, 0, &hull);
        test_memory_allow_all();
        if (status) {
            failures++;
            assert_int_equal(status, SN_ERROR_MEMORY);
            assert_int_equal(sn_allocated_bytes(), before);
        }
    }
    assert_true(failures >= 5);
    assert_non_null(hull);
    sn_hull_destroy(hull);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_sets_have_the_volume_and_hold_the_points_of_qhull),
        test_with_memory(test_hostile_sets_give_valid_hulls_or_none),
        test_with_memory(test_fewer_vertices_give_a_coarser_valid_hull_inside),
        test_with_memory(test_the_farthest_points_come_first),
        test_with_memory(test_cube_with_inner_face_and_edge_points_has_six_squares),
        test_with_memory(test_cylinder_has_two_caps_and_its_sides),
        test_with_memory(test_cone_comes_to_a_point),
        test_with_memory(test_order_of_the_points_does_not_change_the_shape),
        test_with_memory(test_points_without_a_volume_are_refused),
        test_with_memory(test_bad_arguments_are_refused_and_named),
        test_with_memory(test_bad_cylinders_are_refused),
        test_with_memory(test_looking_past_the_end_is_harmless),
        test_with_memory(test_a_retained_hull_outlives_its_maker),
        test_with_memory(test_without_memory_there_is_no_hull_and_no_leak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
