// Surfaces: welding, triangles without area, edges that stick out, refusals, ownership.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry/shapes/surface.h"
#include "support/memory.h"
#include "support/random.h"
#include <string.h>

static sn_surface *make_surface(const sn_vec3 *vertices, int vertex_count, const uint32_t *triangles,
                                int triangle_count, bool double_sided)
{
    sn_surface *surface = NULL;
    assert_int_equal(
        sn_surface_create(vertices, vertex_count, triangles, triangle_count, double_sided, &surface), SN_OK);
    return surface;
}

// The active bit of the edge between two points of a surface, of each triangle that has it: 0, 1, or −1 if no
// triangle has the edge or they disagree.
static int edge_is_active(const sn_surface *surface, sn_vec3 a, sn_vec3 b)
{
    int found = -1;
    for (int i = 0; i < 3 * surface->triangle_count; ++i) {
        sn_vec3 from = surface->vertices[surface->triangles[i]];
        sn_vec3 to = surface->vertices[surface->triangles[i % 3 == 2 ? i - 2 : i + 1]];
        bool same = sn_distance_between(from, a) + sn_distance_between(to, b) < 1.0e-6f;
        bool reversed = sn_distance_between(from, b) + sn_distance_between(to, a) < 1.0e-6f;
        int bit = surface->active_edges[i / 3] >> (i % 3) & 1;
        if (same || reversed) {
            if (found >= 0 && found != bit) {
                return -1;
            }
            found = bit;
        }
    }
    return found;
}

static int count_active(const sn_surface *surface)
{
    int count = 0;
    for (int i = 0; i < 3 * surface->triangle_count; ++i) {
        count += surface->active_edges[i / 3] >> (i % 3) & 1;
    }
    return count;
}

// --- edges -------------------------------------------------------------------------------------------------

#define SIDE 8

// Height of a floor of SIDE × SIDE squares in the xz plane, two triangles each, none sharing a vertex.
static sn_surface *make_floor(float (*height)(float x), bool double_sided)
{
    sn_vec3 vertices[6 * SIDE * SIDE];
    uint32_t triangles[6 * SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; ++i) {
        float x = (float)(i % SIDE), z = (float)(i / SIDE);
        const sn_vec3 corners[6] = {{x, 0, z},     {x, 0, z + 1}, {x + 1, 0, z},
                                    {x + 1, 0, z}, {x, 0, z + 1}, {x + 1, 0, z + 1}};
        for (int k = 0; k < 6; ++k) {
            vertices[6 * i + k] = sn_v(corners[k].x, height(corners[k].x), corners[k].z);
            triangles[6 * i + k] = (uint32_t)(6 * i + k);
        }
    }
    return make_surface(vertices, 6 * SIDE * SIDE, triangles, 2 * SIDE * SIDE, double_sided);
}

static float flat(float x)
{
    return 0.0f * x;
}
static float barely_bent(float x) // half a degree at x = 4
{
    return x > 4.0f ? -0.0087f * (x - 4.0f) : 0.0f;
}
static float ridge(float x) // two degrees at x = 4
{
    return x > 4.0f ? -0.035f * (x - 4.0f) : 0.0f;
}
static float valley(float x)
{
    return x > 4.0f ? 0.5f * (x - 4.0f) : 0.0f;
}

static void test_split_grid_is_welded_and_only_its_rim_is_active(void **state)
{
    (void)state;
    sn_surface *surface = make_floor(flat, false);
    assert_int_equal(surface->vertex_count, (SIDE + 1) * (SIDE + 1));
    assert_int_equal(surface->triangle_count, 2 * SIDE * SIDE);
    assert_int_equal(count_active(surface), 4 * SIDE);
    assert_int_equal(edge_is_active(surface, sn_v(0, 0, 0), sn_v(1, 0, 0)), 1);
    assert_int_equal(edge_is_active(surface, sn_v(3, 0, 3), sn_v(4, 0, 3)), 0);
    sn_surface_destroy(surface);
    surface = make_floor(flat, true);
    assert_int_equal(count_active(surface), 4 * SIDE);
    sn_surface_destroy(surface);
}

static void test_ridges_over_a_degree_are_active_and_valleys_are_not(void **state)
{
    (void)state;
    sn_surface *surface = make_floor(barely_bent, false);
    assert_int_equal(edge_is_active(surface, sn_v(4, 0, 3), sn_v(4, 0, 4)), 0);
    sn_surface_destroy(surface);
    surface = make_floor(ridge, false);
    assert_int_equal(edge_is_active(surface, sn_v(4, 0, 3), sn_v(4, 0, 4)), 1);
    assert_int_equal(count_active(surface), 4 * SIDE + 2 * SIDE);
    sn_surface_destroy(surface);
    surface = make_floor(valley, false);
    assert_int_equal(edge_is_active(surface, sn_v(4, 0, 3), sn_v(4, 0, 4)), 0);
    assert_int_equal(count_active(surface), 4 * SIDE);
    sn_surface_destroy(surface);
    surface = make_floor(valley, true);
    assert_int_equal(edge_is_active(surface, sn_v(4, 0, 3), sn_v(4, 0, 4)), 1);
    assert_int_equal(count_active(surface), 4 * SIDE + 2 * SIDE);
    sn_surface_destroy(surface);
}

static const uint32_t box_triangles[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                           2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};

static void make_box(sn_vec3 vertices[8])
{
    for (int i = 0; i < 8; ++i) {
        vertices[i] = sn_v(i & 1 ? 1.0f : -1.0f, i & 2 ? 1.0f : -1.0f, i & 4 ? 1.0f : -1.0f);
    }
}

static void test_edges_of_a_cube_are_active_its_diagonals_and_those_of_a_room_not(void **state)
{
    (void)state;
    sn_vec3 vertices[8];
    uint32_t room[36];
    make_box(vertices);
    sn_surface *surface = make_surface(vertices, 8, box_triangles, 12, false);
    assert_int_equal(count_active(surface), 24);
    assert_int_equal(edge_is_active(surface, sn_v(-1, -1, -1), sn_v(1, -1, -1)), 1);
    assert_int_equal(edge_is_active(surface, sn_v(-1, -1, -1), sn_v(-1, 1, 1)), 0);
    sn_surface_destroy(surface);
    for (int i = 0; i < 36; ++i) {
        room[i] = box_triangles[i / 3 * 3 + 2 - i % 3];
    }
    surface = make_surface(vertices, 8, room, 12, false);
    assert_int_equal(count_active(surface), 0);
    sn_surface_destroy(surface);
}

static void test_sharp_and_folded_edges_are_active(void **state)
{
    (void)state;
    // A blade whose sides meet at a degree, and a sheet folded back on itself.
    const sn_vec3 vertices[5] = {{0, 0, 0}, {0, 0, 1}, {1, 0.005f, 0}, {1, -0.005f, 0}, {1, 0.005f, 0.5f}};
    const uint32_t blade[6] = {0, 1, 2, 1, 0, 3}, fold[6] = {0, 1, 2, 1, 0, 4};
    sn_surface *surface = make_surface(vertices, 5, blade, 2, false);
    assert_int_equal(edge_is_active(surface, vertices[0], vertices[1]), 1);
    sn_surface_destroy(surface);
    surface = make_surface(vertices, 5, fold, 2, false);
    assert_int_equal(edge_is_active(surface, vertices[0], vertices[1]), 1);
    sn_surface_destroy(surface);
}

static void test_edges_of_three_triangles_are_active(void **state)
{
    (void)state;
    const sn_vec3 vertices[5] = {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}};
    const uint32_t triangles[9] = {0, 1, 2, 1, 0, 3, 0, 1, 4};
    sn_surface *surface = make_surface(vertices, 5, triangles, 3, false);
    assert_int_equal(count_active(surface), 9);
    sn_surface_destroy(surface);
}

// --- welding -----------------------------------------------------------------------------------------------

static void test_vertices_a_rounding_step_apart_are_one_and_farther_ones_are_not(void **state)
{
    (void)state;
    const uint32_t triangles[6] = {0, 1, 2, 5, 4, 3};
    sn_vec3 vertices[6] = {{1000, 0, 0}, {1000, 0, 1}, {1001, 0, 0}, {1000, 0, 0}, {1000, 0, 1}, {999, 0, 0}};
    vertices[3].x = 1000.0002f;
    sn_surface *surface = make_surface(vertices, 6, triangles, 2, false);
    assert_int_equal(surface->vertex_count, 4);
    assert_int_equal(count_active(surface), 4);
    sn_surface_destroy(surface);
    vertices[3].x = 1000.002f;
    surface = make_surface(vertices, 6, triangles, 2, false);
    assert_int_equal(surface->vertex_count, 5);
    assert_int_equal(count_active(surface), 6);
    sn_surface_destroy(surface);
}

static void test_triangles_without_area_and_vertices_without_triangle_go(void **state)
{
    (void)state;
    const sn_vec3 vertices[7] = {{0, 0, 0}, {1, 0, 0},     {0, 1, 0},       {50, 50, 50},
                                 {2, 0, 0}, {1e-8f, 0, 0}, {0.5f, 1e-8f, 0}};
    const uint32_t triangles[15] = {0, 1, 4, 0, 0, 1, 0, 1, 2, 5, 0, 2, 0, 1, 6};
    sn_surface *surface = make_surface(vertices, 7, triangles, 5, false);
    assert_int_equal(sn_surface_triangle_count(surface), 1);
    sn_vec3 corners[3];
    sn_surface_triangle(surface, 0, corners);
    assert_memory_equal(&corners[0], &vertices[0], sizeof(sn_vec3));
    assert_memory_equal(&corners[1], &vertices[1], sizeof(sn_vec3));
    assert_memory_equal(&corners[2], &vertices[2], sizeof(sn_vec3));
    assert_true(surface->bounds.upper.x <= 1.0f);
    sn_surface_destroy(surface);
}

static void test_small_and_large_surfaces_keep_their_triangles(void **state)
{
    (void)state;
    static const float scales[] = {1.0e-4f, 1.0e-2f, 1.0f, 1.0e3f, 9.0e5f};
    for (int i = 0; i < 5; ++i) {
        sn_vec3 vertices[8];
        make_box(vertices);
        for (int k = 0; k < 8; ++k) {
            vertices[k] = sn_scale(vertices[k], scales[i]);
        }
        sn_surface *surface = make_surface(vertices, 8, box_triangles, 12, false);
        assert_int_equal(sn_surface_triangle_count(surface), 12);
        assert_int_equal(count_active(surface), 24);
        sn_surface_destroy(surface);
    }
}

// --- refusals and ownership --------------------------------------------------------------------------------

static void test_bad_arguments_are_refused(void **state)
{
    (void)state;
    sn_vec3 v[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {2, 0, 0}};
    uint32_t t[6] = {0, 1, 2, 0, 1, 3};
    sn_surface *surface = NULL;
    assert_int_equal(sn_surface_create(NULL, 4, t, 2, false, &surface), SN_ERROR_NULL);
    assert_int_equal(sn_surface_create(v, 4, NULL, 2, false, &surface), SN_ERROR_NULL);
    assert_int_equal(sn_surface_create(v, 4, t, 2, false, NULL), SN_ERROR_NULL);
    assert_int_equal(sn_surface_create(v, 0, t, 2, false, &surface), SN_ERROR_RANGE);
    assert_int_equal(sn_surface_create(v, 4, t, 0, false, &surface), SN_ERROR_RANGE);
    assert_int_equal(sn_surface_create(v, 4, t, -3, false, &surface), SN_ERROR_RANGE);
    assert_int_equal(sn_surface_create(v, 3, t, 2, false, &surface), SN_ERROR_RANGE);
    assert_string_equal(sn_last_error(), "surface: corner 2 of triangle 1 is vertex 3, expected < 3");
    assert_int_equal(sn_surface_create(v, 4, t + 3, 1, false, &surface), SN_ERROR_GEOMETRY);
    assert_string_equal(sn_last_error(), "surface: none of the 1 triangles has an area");
    v[3].x = 1.0e7f;
    assert_int_equal(sn_surface_create(v, 4, t, 1, false, &surface), SN_ERROR_RANGE);
    v[3].x = NAN;
    assert_int_equal(sn_surface_create(v, 4, t, 1, false, &surface), SN_ERROR_NOT_FINITE);
    sn_vec3 origin[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    assert_int_equal(sn_surface_create(origin, 3, t, 1, false, &surface), SN_ERROR_GEOMETRY);
    assert_null(surface);
}

static void test_looking_past_the_end_is_harmless(void **state)
{
    (void)state;
    sn_vec3 vertices[8], corners[3] = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
    make_box(vertices);
    sn_surface *surface = make_surface(vertices, 8, box_triangles, 12, false);
    sn_surface_triangle(surface, 12, corners);
    assert_float_equal(corners[2].x, 0.0f, 0.0f);
    sn_surface_triangle(surface, -1, corners);
    sn_surface_triangle(NULL, 0, corners);
    sn_surface_triangle(surface, 0, NULL);
    assert_int_equal(sn_surface_triangle_count(NULL), 0);
    sn_surface_retain(surface);
    sn_surface_destroy(surface);
    assert_int_equal(sn_surface_triangle_count(surface), 12);
    sn_surface_destroy(surface);
    sn_surface_destroy(NULL);
}

static void test_without_memory_there_is_no_surface_and_no_leak(void **state)
{
    (void)state;
    sn_vec3 vertices[8];
    make_box(vertices);
    sn_surface *surface = NULL;
    uint64_t before = sn_allocated_bytes();
    int failures = 0;
    for (int allowed = 0; !surface && allowed < 100; ++allowed) {
        test_memory_allow(allowed);
        sn_status status = sn_surface_create(vertices, 8, box_triangles, 12, false, &surface);
        test_memory_allow_all();
        if (status) {
            failures++;
            assert_int_equal(status, SN_ERROR_MEMORY);
            assert_int_equal(sn_allocated_bytes(), before);
        }
    }
    assert_true(failures >= 8);
    sn_surface_destroy(surface);
}

// Every edge and every corner of a cube is told by one triangle; its edges bend by 90°, its diagonals not.
static void test_edges_and_corners_of_a_cube_have_one_owner_each(void **state)
{
    (void)state;
    sn_vec3 vertices[8];
    for (int i = 0; i < 8; ++i) {
        vertices[i] = sn_v((float)(i & 1), (float)(i >> 1 & 1), (float)(i >> 2 & 1));
    }
    sn_surface *surface = NULL;
    assert_int_equal(sn_surface_create(vertices, 8, box_triangles, 12, false, &surface), SN_OK);
    int edges = 0, corners = 0, bent = 0;
    for (int i = 0; i < 36; ++i) {
        sn_bend bend = surface->bends[i];
        bool is_bent = sn_abs(bend.cosine) < 1.0e-6f && sn_abs(bend.sine - 1.0f) < 1.0e-6f;
        assert_true(is_bent || (sn_abs(bend.cosine - 1.0f) < 1.0e-6f && sn_abs(bend.sine) < 1.0e-6f));
        bent += is_bent;
        edges += surface->owned[i / 3] >> (i % 3) & 1;
        bool owns = (surface->owned[i / 3] >> (3 + i % 3) & 1) != 0;
        corners += owns;
        assert_true(!owns || sn_abs(surface->corner_cosines[i]) < 1.0e-6f);
    }
    assert_true(bent == 24 && edges == 18 && corners == 8);
    sn_surface_destroy(surface);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_split_grid_is_welded_and_only_its_rim_is_active),
        test_with_memory(test_ridges_over_a_degree_are_active_and_valleys_are_not),
        test_with_memory(test_edges_of_a_cube_are_active_its_diagonals_and_those_of_a_room_not),
        test_with_memory(test_sharp_and_folded_edges_are_active),
        test_with_memory(test_edges_of_three_triangles_are_active),
        test_with_memory(test_vertices_a_rounding_step_apart_are_one_and_farther_ones_are_not),
        test_with_memory(test_triangles_without_area_and_vertices_without_triangle_go),
        test_with_memory(test_small_and_large_surfaces_keep_their_triangles),
        test_with_memory(test_bad_arguments_are_refused),
        test_with_memory(test_looking_past_the_end_is_harmless),
        test_with_memory(test_without_memory_there_is_no_surface_and_no_leak),
        test_with_memory(test_edges_and_corners_of_a_cube_have_one_owner_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
