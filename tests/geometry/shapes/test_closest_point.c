// The closest point of a surface: closest of all, followed without leaps, stopped by rims.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "geometry/shapes/closest_point.h"
#include "support/memory.h"
#include "support/near.h"
#include "support/random.h"

#include <stdlib.h>
#include <string.h>

enum { MISSING = 70 }; // the triangle that makes the small hole

typedef struct ground {
    sn_mesh *mesh;
    sn_closest_surface surface;
    sn_node_state *nodes;
} ground;

static ground make_ground(sn_mesh *mesh)
{
    ground ground = {.mesh = mesh};
    assert_true(sn_closest_surface_make(&ground.surface, mesh));
    ground.nodes = calloc((size_t)mesh->node_count, sizeof *ground.nodes);
    assert_non_null(ground.nodes);
    for (int i = 0; i < mesh->node_count; ++i) {
        ground.nodes[i] = (sn_node_state){mesh->nodes[i], 1.0f};
    }
    return ground;
}

static void free_ground(ground *ground)
{
    free(ground->nodes);
    sn_closest_surface_release(&ground->surface);
    sn_mesh_destroy(ground->mesh);
}

static ground make_sheet(float width, float height, int columns, int rows)
{
    sn_mesh *mesh;
    assert_int_equal(sn_mesh_grid(width, height, columns, rows, SN_GRID_ALTERNATING, &mesh), SN_OK);
    return make_ground(mesh);
}

static ground make_strand(float length, int edges)
{
    sn_mesh *mesh;
    assert_int_equal(sn_mesh_line(length, edges, &mesh), SN_OK);
    return make_ground(mesh);
}

static sn_vec3 place_of(const ground *ground, const sn_closest_point *closest)
{
    return sn_closest_point_place(&ground->surface, ground->nodes, closest);
}

static void assert_sound(const ground *ground, const sn_closest_point *closest)
{
    assert_true(closest->piece >= 0 && closest->piece < ground->surface.piece_count);
    assert_near(closest->weights[0] + closest->weights[1] + closest->weights[2], 1.0f, 2.0e-7f);
    for (int i = 0; i < 3; ++i) {
        assert_true(closest->weights[i] >= 0.0f);
    }
}

// --- surfaces ----------------------------------------------------------------------------------------------

static void test_pieces_are_triangles_or_else_edges(void **state)
{
    (void)state;
    ground sheet = make_sheet(1.0f, 1.0f, 3, 2), strand = make_strand(1.0f, 5);
    assert_int_equal(sheet.surface.corner_count, 3);
    assert_int_equal(sheet.surface.piece_count, 12);
    assert_int_equal(strand.surface.corner_count, 2);
    assert_int_equal(strand.surface.piece_count, 5);
    sn_mesh *mesh;
    assert_int_equal(sn_mesh_box(sn_v(1.0f, 1.0f, 1.0f), 2, 2, 2, &mesh), SN_OK);
    ground block = make_ground(mesh);
    assert_int_equal(block.surface.piece_count, sn_mesh_triangle_count(mesh));
    free_ground(&sheet);
    free_ground(&strand);
    free_ground(&block);
}

static void test_pieces_around_a_node_are_those_that_have_it(void **state)
{
    (void)state;
    ground sheet = make_sheet(1.0f, 1.0f, 4, 3);
    const sn_closest_surface *surface = &sheet.surface;
    int sum = 0;
    for (int node = 0; node < surface->node_count; ++node) {
        for (int i = surface->pieces_begin[node]; i < surface->pieces_begin[node + 1]; ++i, ++sum) {
            const uint32_t *corners = surface->corners + 3 * surface->pieces_of[i];
            assert_true(corners[0] == (uint32_t)node || corners[1] == (uint32_t)node ||
                        corners[2] == (uint32_t)node);
            assert_true(i == surface->pieces_begin[node] ||
                        surface->pieces_of[i] > surface->pieces_of[i - 1]);
        }
    }
    assert_int_equal(sum, 3 * surface->piece_count);
    free_ground(&sheet);
}

// --- finding and following ---------------------------------------------------------------------------------

static void test_nothing_of_a_crumpled_sheet_is_nearer_than_what_is_found(void **state)
{
    (void)state;
    ground sheet = make_sheet(1.0f, 1.0f, 6, 6);
    test_random random = {1};
    for (int i = 0; i < sheet.mesh->node_count; ++i) {
        sheet.nodes[i].position = sn_add(sheet.nodes[i].position, test_random_vec3(&random, 0.1f));
    }
    for (int round = 0; round < 200; ++round) {
        sn_vec3 point = test_random_vec3(&random, 0.7f);
        sn_closest_point closest = sn_closest_point_find(&sheet.surface, sheet.nodes, point);
        assert_sound(&sheet, &closest);
        float distance = sn_distance_between(point, place_of(&sheet, &closest));
        for (int i = 0; i < sheet.surface.piece_count; ++i) {
            float s = test_random_float(&random, 0.0f, 1.0f), t = test_random_float(&random, 0.0f, 1.0f);
            sn_closest_point other = {i, {1.0f - s, s * (1.0f - t), s * t}};
            assert_true(distance <= sn_distance_between(point, place_of(&sheet, &other)) + 1.0e-6f);
        }
    }
    free_ground(&sheet);
}

static void test_on_a_flat_sheet_following_finds_the_nearest_from_anywhere(void **state)
{
    (void)state;
    ground sheet = make_sheet(1.0f, 1.0f, 8, 8);
    test_random random = {2};
    for (int round = 0; round < 500; ++round) {
        sn_vec3 point = test_random_vec3(&random, 0.6f);
        point.z *= 0.01f;
        sn_closest_point closest = {(int)(test_random_u32(&random) % (uint32_t)sheet.surface.piece_count),
                                    {0.3f, 0.3f, 0.4f}};
        float distance = sn_closest_point_follow(&sheet.surface, sheet.nodes, point, &closest);
        assert_sound(&sheet, &closest);
        sn_closest_point best = sn_closest_point_find(&sheet.surface, sheet.nodes, point);
        assert_near3(place_of(&sheet, &closest), place_of(&sheet, &best), 1.0e-6f);
        assert_near(distance, sn_distance_between(point, place_of(&sheet, &closest)), 1.0e-6f);
    }
    free_ground(&sheet);
}

static void test_a_closest_point_goes_all_along_a_strand_and_stops_at_its_ends(void **state)
{
    (void)state;
    ground strand = make_strand(2.0f, 100);
    sn_closest_point closest = {0, {0.5f, 0.5f, 0.0f}};
    (void)sn_closest_point_follow(&strand.surface, strand.nodes, sn_v(0.707f, 0.1f, 0.0f), &closest);
    assert_near3(place_of(&strand, &closest), sn_v(0.707f, 0.0f, 0.0f), 1.0e-6f);
    assert_false(sn_closest_point_is_on_rim(&strand.surface, &closest));
    float distance = sn_closest_point_follow(&strand.surface, strand.nodes, sn_v(1.5f, 0.0f, 0.0f), &closest);
    assert_near3(place_of(&strand, &closest), sn_v(1.0f, 0.0f, 0.0f), 1.0e-6f);
    assert_near(distance, 0.5f, 1.0e-6f);
    assert_true(sn_closest_point_is_on_rim(&strand.surface, &closest));
    (void)sn_closest_point_follow(&strand.surface, strand.nodes, strand.nodes[50].position, &closest);
    assert_false(sn_closest_point_is_on_rim(&strand.surface, &closest));
    free_ground(&strand);
}

static void test_a_closest_point_from_nowhere_is_found(void **state)
{
    (void)state;
    ground sheet = make_sheet(1.0f, 1.0f, 8, 8);
    sn_closest_point closest = {.piece = -1};
    float distance = sn_closest_point_follow(&sheet.surface, sheet.nodes, sn_v(0.21f, 0.13f, 0.5f), &closest);
    assert_near3(place_of(&sheet, &closest), sn_v(0.21f, 0.13f, 0.0f), 1.0e-6f);
    assert_near(distance, 0.5f, 1.0e-6f);
    free_ground(&sheet);
}

static void test_a_non_finite_point_moves_no_closest_point(void **state)
{
    (void)state;
    ground sheet = make_sheet(1.0f, 1.0f, 2, 2), strand = make_strand(1.0f, 2);
    sn_closest_point on_sheet = {3, {0.2f, 0.3f, 0.5f}}, on_strand = {1, {0.25f, 0.75f, 0.0f}};
    sn_closest_point before = on_sheet, strand_before = on_strand;
    float bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; ++i) {
        sn_vec3 point = {bad[i], 0.0f, 0.0f};
        (void)sn_closest_point_follow(&sheet.surface, sheet.nodes, point, &on_sheet);
        (void)sn_closest_point_follow(&strand.surface, strand.nodes, point, &on_strand);
        assert_memory_equal(&on_sheet, &before, sizeof before);
        assert_memory_equal(&on_strand, &strand_before, sizeof before);
        assert_int_equal(sn_closest_point_find(&sheet.surface, sheet.nodes, point).piece, -1);
    }
    free_ground(&sheet);
    free_ground(&strand);
}

// --- rims and holes ----------------------------------------------------------------------------------------

static void test_rims_of_sheets_stop_a_closest_point_and_closed_surfaces_have_none(void **state)
{
    (void)state;
    ground sheet = make_sheet(1.0f, 1.0f, 4, 4);
    sn_closest_point closest = {.piece = -1};
    (void)sn_closest_point_follow(&sheet.surface, sheet.nodes, sn_v(0.8f, 0.1f, 0.0f), &closest);
    assert_near3(place_of(&sheet, &closest), sn_v(0.5f, 0.1f, 0.0f), 1.0e-6f);
    assert_true(sn_closest_point_is_on_rim(&sheet.surface, &closest));
    (void)sn_closest_point_follow(&sheet.surface, sheet.nodes, sn_v(0.8f, 0.9f, 0.0f), &closest);
    assert_near3(place_of(&sheet, &closest), sn_v(0.5f, 0.5f, 0.0f), 1.0e-6f);
    assert_true(sn_closest_point_is_on_rim(&sheet.surface, &closest));
    (void)sn_closest_point_follow(&sheet.surface, sheet.nodes, sn_v(0.0f, 0.0f, 0.1f), &closest);
    assert_false(sn_closest_point_is_on_rim(&sheet.surface, &closest)); // on the node in the middle
    sn_mesh *mesh;
    assert_int_equal(sn_mesh_box_surface(sn_v(1.0f, 1.0f, 1.0f), 2, 2, 2, &mesh), SN_OK);
    ground box = make_ground(mesh);
    closest.piece = -1;
    (void)sn_closest_point_follow(&box.surface, box.nodes, sn_v(1.0f, 1.0f, 1.0f), &closest);
    assert_near3(place_of(&box, &closest), sn_v(0.5f, 0.5f, 0.5f), 1.0e-6f);
    assert_false(sn_closest_point_is_on_rim(&box.surface, &closest));
    free_ground(&sheet);
    free_ground(&box);
}

// A sheet of 8 × 8 cells without the 4 × 4 in its middle, or without one triangle.
static ground make_holed(bool wide)
{
    ground sheet = make_sheet(1.0f, 1.0f, 8, 8);
    uint32_t *triangles = calloc((size_t)sheet.surface.piece_count, 3 * sizeof *triangles);
    assert_non_null(triangles);
    int count = 0;
    for (int i = 0; i < sheet.surface.piece_count; ++i) {
        const uint32_t *corners = sheet.surface.corners + 3 * i;
        sn_closest_point middle = {i, {1.0f / 3.0f, 1.0f / 3.0f, 1.0f / 3.0f}};
        sn_vec3 size = sn_abs3(place_of(&sheet, &middle));
        if (wide ? sn_max(size.x, size.y) > 0.25f : i != MISSING) {
            memcpy(triangles + 3 * count++, corners, 3 * sizeof *corners);
        }
    }
    sn_mesh *mesh = sn_mesh_allocate(sheet.mesh->node_count, 0, count, 0);
    assert_non_null(mesh);
    memcpy(mesh->nodes, sheet.mesh->nodes, (size_t)mesh->node_count * sizeof *mesh->nodes);
    memcpy(mesh->triangles, triangles, (size_t)count * 3 * sizeof *triangles);
    free(triangles);
    free_ground(&sheet);
    return make_ground(mesh);
}

static void test_a_closest_point_does_not_cross_a_hole(void **state)
{
    (void)state;
    ground sheet = make_holed(true);
    sn_closest_point closest = {.piece = -1};
    (void)sn_closest_point_follow(&sheet.surface, sheet.nodes, sn_v(-0.4f, 0.03f, 0.0f), &closest);
    for (float x = -0.4f; x < 0.24f; x += 0.01f) {
        (void)sn_closest_point_follow(&sheet.surface, sheet.nodes, sn_v(x, 0.03f, 0.0f), &closest);
        assert_near3(place_of(&sheet, &closest), sn_v(sn_min(x, -0.25f), 0.03f, 0.0f), 1.0e-6f);
        assert_true(x < -0.24f || sn_closest_point_is_on_rim(&sheet.surface, &closest));
    }
    free_ground(&sheet);
}

// Nor a single missing triangle, whose neighbours have corners in common: from the middle of a leg towards
// the longest side, which soon is nearer.
static void test_a_closest_point_does_not_cross_a_missing_triangle(void **state)
{
    (void)state;
    ground whole = make_sheet(1.0f, 1.0f, 8, 8), sheet = make_holed(false);
    const uint32_t *corners = whole.surface.corners + 3 * MISSING;
    sn_vec3 places[3];
    int right = 0;
    for (int i = 0; i < 3; ++i) {
        places[i] = whole.nodes[corners[i]].position;
    }
    for (int i = 0; i < 3; ++i) {
        sn_vec3 u = sn_sub(places[(i + 1) % 3], places[i]), v = sn_sub(places[(i + 2) % 3], places[i]);
        right = sn_abs(sn_dot(u, v)) < 1.0e-6f ? i : right;
    }
    sn_vec3 middle = sn_lerp(places[right], places[(right + 1) % 3], 0.5f);
    sn_vec3 inward = sn_sub(places[(right + 2) % 3], places[right]);
    sn_closest_point closest = {.piece = -1};
    for (float t = -0.3f; t < 0.45f; t += 0.01f) {
        (void)sn_closest_point_follow(&sheet.surface, sheet.nodes, sn_add_scaled(middle, t, inward),
                                      &closest);
        assert_near3(place_of(&sheet, &closest), sn_add_scaled(middle, sn_min(t, 0.0f), inward), 1.0e-6f);
    }
    free_ground(&sheet);
    free_ground(&whole);
}

static void test_making_a_surface_without_memory_fails_and_leaks_nothing(void **state)
{
    (void)state;
    sn_mesh *mesh;
    assert_int_equal(sn_mesh_grid(1.0f, 1.0f, 3, 3, SN_GRID_FORWARD, &mesh), SN_OK);
    for (int i = 0; i < 3; ++i) {
        sn_closest_surface surface;
        test_memory_allow(i);
        assert_false(sn_closest_surface_make(&surface, mesh));
        test_memory_allow_all();
    }
    sn_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces_are_triangles_or_else_edges),
        cmocka_unit_test(test_pieces_around_a_node_are_those_that_have_it),
        cmocka_unit_test(test_nothing_of_a_crumpled_sheet_is_nearer_than_what_is_found),
        cmocka_unit_test(test_on_a_flat_sheet_following_finds_the_nearest_from_anywhere),
        cmocka_unit_test(test_a_closest_point_goes_all_along_a_strand_and_stops_at_its_ends),
        cmocka_unit_test(test_a_closest_point_from_nowhere_is_found),
        cmocka_unit_test(test_a_non_finite_point_moves_no_closest_point),
        cmocka_unit_test(test_rims_of_sheets_stop_a_closest_point_and_closed_surfaces_have_none),
        cmocka_unit_test(test_a_closest_point_does_not_cross_a_hole),
        cmocka_unit_test(test_a_closest_point_does_not_cross_a_missing_triangle),
        test_with_memory(test_making_a_surface_without_memory_fails_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
