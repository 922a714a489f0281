// Convex hulls against qhull, on many kinds of point sets, and the invariants every hull must keep.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "geometry/hull.h"
#include "support/random.h"
#include <float.h>
#include <libqhull_r/qhull_ra.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_POINTS 1024

// --- point sets --------------------------------------------------------------------------------------------

typedef struct point_set {
    sn_vec3 points[MAX_POINTS];
    int count;
} point_set;

static void add(point_set *set, sn_vec3 p)
{
    if (set->count < MAX_POINTS) {
        set->points[set->count++] = p;
    }
}

static void make_ball(point_set *set, test_random *random)
{
    int count = 4 + (int)(test_random_u32(random) % 150);
    while (set->count < count) {
        sn_vec3 p = test_random_vec3(random, 1.0f);
        if (sn_length(p) < 1.0f) {
            add(set, p);
        }
    }
}

static void make_sphere(point_set *set, test_random *random)
{
    int count = 4 + (int)(test_random_u32(random) % 120);
    while (set->count < count) {
        add(set, test_random_direction(random));
    }
}

// A cuboid's corners and many points on its faces and edges, turned: all but the corners are no vertices.
static void make_box(point_set *set, test_random *random)
{
    sn_vec3 half = {test_random_float(random, 0.2f, 1.0f), test_random_float(random, 0.2f, 1.0f),
                    test_random_float(random, 0.2f, 1.0f)};
    sn_quat turn = test_random_u32(random) % 2 ? test_random_rotation(random) : sn_quat_identity;
    for (int i = 0; i < 8; ++i) {
        add(set, sn_rotate(turn, sn_mul(half, sn_v(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1))));
    }
    for (int i = 0; i < 200; ++i) {
        sn_vec3 p = test_random_vec3(random, 1.0f);
        switch (test_random_u32(random) % 6) {
        case 0:
            p.x = 1.0f;
            break;
        case 1:
            p.x = -1.0f;
            break;
        case 2:
            p.y = 1.0f;
            break;
        case 3:
            p.y = p.z = -1.0f;
            break;
        case 4:
            p.z = p.x = 1.0f;
            break;
        default:
            p.z = -1.0f;
        }
        add(set, sn_rotate(turn, sn_mul(half, p)));
    }
}

static void make_grid(point_set *set, test_random *random)
{
    int n = 2 + (int)(test_random_u32(random) % 6);
    sn_quat turn = test_random_u32(random) % 2 ? test_random_rotation(random) : sn_quat_identity;
    for (int i = 0; i < n * n * n; ++i) {
        sn_vec3 p = sn_v((float)(i % n), (float)(i / n % n), (float)(i / n / n));
        add(set, sn_rotate(turn, sn_scale(p, 0.37f)));
    }
}

static void make_clusters(point_set *set, test_random *random)
{
    float radius = powf(10.0f, test_random_float(random, -6.0f, -1.0f));
    for (int i = 0; i < 10; ++i) {
        sn_vec3 center = test_random_vec3(random, 1.0f);
        for (int j = 0; j < 12; ++j) {
            add(set, sn_add(center, test_random_vec3(random, radius)));
        }
    }
}

static void make_flat(point_set *set, test_random *random)
{
    sn_quat turn = test_random_rotation(random);
    float thickness = powf(10.0f, test_random_float(random, -2.0f, 0.0f));
    for (int i = 0; i < 100; ++i) {
        sn_vec3 p = test_random_vec3(random, 1.0f);
        p.z *= thickness;
        add(set, sn_rotate(turn, p));
    }
}

static void make_thin(point_set *set, test_random *random)
{
    sn_quat turn = test_random_rotation(random);
    float thickness = powf(10.0f, test_random_float(random, -2.0f, 0.0f));
    for (int i = 0; i < 60; ++i) {
        sn_vec3 p = test_random_vec3(random, 1.0f);
        p.y *= thickness;
        p.z *= thickness;
        add(set, sn_rotate(turn, p));
    }
}

static void make_offset(point_set *set, test_random *random)
{
    sn_vec3 offset = test_random_vec3(random, 100.0f);
    make_sphere(set, random);
    for (int i = 0; i < set->count; ++i) {
        set->points[i] = sn_add(set->points[i], offset);
    }
}

// Prisms and drums with many sides: large coplanar caps and nearly parallel neighbours.
static void make_drum(point_set *set, test_random *random)
{
    int sides = 3 + (int)(test_random_u32(random) % 60);
    float top = test_random_u32(random) % 3 ? test_random_float(random, 0.1f, 1.0f) : 0.0f;
    sn_quat turn = test_random_rotation(random);
    for (int i = 0; i < sides; ++i) {
        float angle = 2.0f * SN_PI * (float)i / (float)sides;
        add(set, sn_rotate(turn, sn_v(cosf(angle), -0.5f, sinf(angle))));
        add(set, sn_rotate(turn, sn_v(top * cosf(angle), 0.5f, top * sinf(angle))));
    }
}

// A smooth ball among whose points are copies, each a rounding step or so away.
static void make_copies(point_set *set, test_random *random)
{
    make_sphere(set, random);
    int count = set->count;
    for (int i = 0; i < 3 * count; ++i) {
        sn_vec3 p = set->points[i % count];
        add(set, sn_add(p, test_random_vec3(random, 2.0e-7f)));
    }
}

// Points on few planes and lines only, at small integers: exact coincidences of every kind.
static void make_integers(point_set *set, test_random *random)
{
    for (int i = 0; i < 60; ++i) {
        float x = (float)(test_random_u32(random) % 4), y = (float)(test_random_u32(random) % 4);
        add(set, sn_v(x, y, (float)(test_random_u32(random) % 4)));
    }
}

typedef void (*set_maker)(point_set *set, test_random *random);
static const set_maker makers[] = {make_ball, make_sphere, make_box,  make_grid,   make_clusters, make_flat,
                                   make_thin, make_offset, make_drum, make_copies, make_integers};
#define MAKER_COUNT ((int)(sizeof makers / sizeof *makers))

// --- oracle ------------------------------------------------------------------------------------------------

static double qhull_volume(const point_set *set, int *vertex_count)
{
    coordT coordinates[3 * MAX_POINTS];
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
    *vertex_count = state.num_vertices;
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
        largest = fmax(largest, fmax(p.x, fmax(p.y, p.z)));
    }
    return largest;
}

// How far the farthest point is outside the hull, in units of the largest coordinate.
static double worst_outside(const sn_hull *hull, const sn_vec3 *points, int count)
{
    double worst = -INFINITY;
    for (int face = 0; face < hull->polyhedron.face_count; ++face) {
        sn_face_plane plane = hull->planes[face];
        for (int i = 0; i < count; ++i) {
            worst = fmax(worst, height(plane.normal, points[i]) - plane.offset);
        }
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

// Outline convex: each corner is on the inner side of each edge's line, within the tolerance.
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
        int f = first;
        do {
            sn_vec3 corner = p->vertices[p->half_edges[f].origin];
            assert_true(height(inward, sn_sub(corner, a)) >= -tolerance);
            f = p->half_edges[f].next;
        } while (f != first);
        e = p->half_edges[e].next;
    } while (e != first);
}

static void assert_hull_is_valid(const sn_hull *hull)
{
    const sn_polyhedron *p = &hull->polyhedron;
    double tolerance = 4.0e-6 * largest_coordinate(p->vertices, p->vertex_count);
    assert_true(p->vertex_count >= 4 && p->vertex_count <= SN_MAX_HULL_VERTICES);
    assert_int_equal(p->vertex_count - p->half_edge_count / 2 + p->face_count, 2);
    assert_half_edges_are_linked(p);
    assert_faces_are_loops(p);
    for (int face = 0; face < p->face_count; ++face) {
        assert_face_is_flat_and_convex(p, face, tolerance);
        assert_true(height(p->planes[face].normal, p->center) < p->planes[face].offset);
    }
    assert_true(worst_outside(hull, p->vertices, p->vertex_count) < 1.0e-6);
    assert_true(hull->inner_radius > 0.0f);
    assert_true(hull->unit_mass.mass > 0.0f);
}

static void assert_vertices_are_points(const sn_hull *hull, const point_set *set)
{
    for (int i = 0; i < hull->polyhedron.vertex_count; ++i) {
        bool found = false;
        for (int j = 0; j < set->count; ++j) {
            found |= memcmp(&hull->vertices[i], &set->points[j], sizeof(sn_vec3)) == 0;
        }
        assert_true(found);
    }
}

static sn_hull *make_hull(const point_set *set)
{
    sn_hull *hull = NULL;
    sn_status status = sn_hull_create(set->points, set->count, 0, &hull);
    assert_int_equal(status, SN_OK);
    return hull;
}

// --- tests -------------------------------------------------------------------------------------------------

#ifdef REPORT
static double worst_volume[16], worst_point[16];
static int skipped;
#endif

static void check_against_qhull(int maker, uint64_t seed, float scale)
{
    static point_set set;
    test_random random = {seed};
    set.count = 0;
    makers[maker](&set, &random);
    for (int i = 0; i < set.count; ++i) {
        set.points[i] = sn_scale(set.points[i], scale);
    }
    int vertex_count;
    double volume = qhull_volume(&set, &vertex_count);
    sn_hull *hull = make_hull(&set);
    assert_hull_is_valid(hull);
    assert_vertices_are_points(hull, &set);
    double error = fabs(hull->unit_mass.mass / volume - 1.0);
    double outside = worst_outside(hull, set.points, set.count);
#ifdef REPORT
    worst_volume[maker] = fmax(worst_volume[maker], error);
    worst_point[maker] = fmax(worst_point[maker], outside);
#endif
    if (hull->polyhedron.vertex_count < SN_MAX_HULL_VERTICES) {
        assert_true(error < 1.0e-4);
        assert_true(outside < 4.0e-6);
    }
#ifdef REPORT
    else
        skipped++;
#endif
    sn_hull_destroy(hull);
}

static void test_hull_has_the_volume_and_holds_the_points_of_qhull(void **state)
{
    (void)state;
    static const float scales[] = {1.0f, 1.0e-3f, 30.0f, 1.0e3f};
    for (int maker = 0; maker < MAKER_COUNT; ++maker) {
        for (int i = 0; i < 60; ++i) {
            check_against_qhull(maker, (uint64_t)(1000 * maker + i), scales[i % 4]);
        }
    }
#ifdef REPORT
    for (int i = 0; i < MAKER_COUNT; ++i)
        printf("maker %d volume %g outside %g\n", i, worst_volume[i], worst_point[i]);
    printf("skipped %d\n", skipped);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hull_has_the_volume_and_holds_the_points_of_qhull),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
