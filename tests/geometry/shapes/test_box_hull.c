// Boxes and triangles as polyhedra: their constant topology fits the vertices and planes they are given.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry/shapes/hull.h"
#include "support/random.h"

static void assert_topology_is_closed(sn_polyhedron p, int shortest_face)
{
    int total = 0;
    for (int e = 0; e < p.half_edge_count; ++e) {
        const sn_half_edge *edge = &p.half_edges[e], *next = &p.half_edges[edge->next];
        assert_int_equal(next->origin, p.half_edges[e ^ 1].origin);
        assert_int_equal(next->face, edge->face);
        assert_int_not_equal(edge->face, p.half_edges[e ^ 1].face);
    }
    for (int face = 0; face < p.face_count; ++face) {
        int first = p.face_edges[face], e = first, length = 0;
        do {
            assert_int_equal(p.half_edges[e].face, face);
            e = p.half_edges[e].next;
            ++length;
        } while (e != first && length < 100);
        assert_int_equal(length, shortest_face);
        total += length;
    }
    assert_int_equal(total, p.half_edge_count);
    assert_int_equal(p.vertex_count - p.half_edge_count / 2 + p.face_count, 2);
}

// Corners of a face lie on its plane and go round counter-clockwise; all others are on or below it.
static void assert_faces_fit(sn_polyhedron p)
{
    for (int face = 0; face < p.face_count; ++face) {
        sn_face_plane plane = p.planes[face];
        int e = p.face_edges[face];
        for (int i = 0; i < 4; ++i, e = p.half_edges[e].next) {
            sn_vec3 a = p.vertices[p.half_edges[e].origin], b = p.vertices[p.half_edges[e ^ 1].origin];
            sn_vec3 c = p.vertices[p.half_edges[p.half_edges[e].next ^ 1].origin];
            assert_float_equal(sn_dot(plane.normal, a), plane.offset, 1.0e-6f);
            assert_true(sn_dot(sn_cross(sn_sub(b, a), sn_sub(c, b)), plane.normal) > 0.0f);
        }
        for (int i = 0; i < p.vertex_count; ++i) {
            assert_true(sn_dot(plane.normal, p.vertices[i]) <= plane.offset + 1.0e-6f);
        }
    }
}

static void test_box_is_a_closed_polyhedron_in_the_promised_order(void **state)
{
    (void)state;
    sn_box_hull storage;
    sn_vec3 half = {1.0f, 2.0f, 3.0f};
    sn_box_hull_make(&storage, half);
    sn_polyhedron p = sn_box_hull_view(&storage);
    assert_int_equal(p.vertex_count, 8);
    assert_int_equal(p.face_count, 6);
    assert_int_equal(p.half_edge_count, 24);
    assert_topology_is_closed(p, 4);
    assert_faces_fit(p);
    for (int i = 0; i < 8; ++i) {
        sn_vec3 expected = {i & 1 ? 1.0f : -1.0f, i & 2 ? 2.0f : -2.0f, i & 4 ? 3.0f : -3.0f};
        assert_memory_equal(&p.vertices[i], &expected, sizeof expected);
    }
    const sn_vec3 normals[6] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}};
    for (int face = 0; face < 6; ++face) {
        assert_float_equal(sn_dot(p.planes[face].normal, normals[face]), 1.0f, 0.0f);
        assert_float_equal(p.planes[face].offset, sn_dot(sn_abs3(normals[face]), half), 0.0f);
    }
}

static void test_triangle_is_a_closed_polyhedron_of_two_faces(void **state)
{
    (void)state;
    test_random random = {4};
    for (int i = 0; i < 200; ++i) {
        sn_triangle_hull storage;
        sn_vec3 a = test_random_vec3(&random, 1), b = test_random_vec3(&random, 1);
        sn_vec3 c = test_random_vec3(&random, 1);
        sn_triangle_hull_make(&storage, a, b, c);
        sn_polyhedron p = sn_triangle_hull_view(&storage);
        assert_topology_is_closed(p, 3);
        assert_faces_fit(p);
        sn_vec3 normal = sn_normalize(sn_cross(sn_sub(b, a), sn_sub(c, a)));
        assert_float_equal(sn_dot(normal, p.planes[0].normal), 1.0f, 1.0e-5f);
        assert_float_equal(sn_dot(p.planes[0].normal, p.planes[1].normal), -1.0f, 1.0e-6f);
        for (int k = 0; k < 3; ++k) {
            assert_int_equal(p.half_edges[2 * k].origin, k);
            assert_int_equal(p.half_edges[2 * k].face, 0);
            assert_int_equal(p.half_edges[2 * k + 1].origin, (k + 1) % 3);
        }
    }
}

static void test_triangle_without_area_still_has_a_unit_normal(void **state)
{
    (void)state;
    const sn_vec3 corners[4][3] = {
        {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}},
        {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}},
        {{5, 5, 5}, {5, 5, 5}, {5, 5, 6}},
        {{0, 0, 0}, {1e-12f, 0, 0}, {0, 1e-12f, 0}},
    };
    for (int i = 0; i < 4; ++i) {
        sn_triangle_hull storage;
        sn_triangle_hull_make(&storage, corners[i][0], corners[i][1], corners[i][2]);
        assert_float_equal(sn_length(storage.planes[0].normal), 1.0f, 1.0e-6f);
        for (int k = 0; k < 3; ++k) {
            assert_float_equal(sn_dot(storage.planes[0].normal, corners[i][k]), storage.planes[0].offset,
                               1.0e-6f);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_box_is_a_closed_polyhedron_in_the_promised_order),
        cmocka_unit_test(test_triangle_is_a_closed_polyhedron_of_two_faces),
        cmocka_unit_test(test_triangle_without_area_still_has_a_unit_normal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
