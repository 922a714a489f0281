// Skins of deformables: closed, facing outwards, as thick as they are told, sharp where the rest shape is.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sinew_scene/scene.h"
#include "sinew_scene/skin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof *(array)))

// --- what skins are asked ----------------------------------------------------------------------------------

static sn_node_state *rest_nodes(const sn_mesh *mesh)
{
    int count = sn_mesh_node_count(mesh);
    sn_node_state *nodes = malloc((size_t)count * sizeof *nodes);
    assert_non_null(nodes);
    for (int i = 0; i < count; ++i) {
        nodes[i] = (sn_node_state){sn_mesh_nodes(mesh)[i], 1.0f};
    }
    return nodes;
}

// The skin of a mesh at rest.
static sn_skin skin_at_rest(const sn_mesh *mesh, float thickness, bool solid)
{
    sn_skin skin;
    assert_int_equal(sn_skin_create(mesh, thickness, solid, &skin), SN_OK);
    sn_node_state *nodes = rest_nodes(mesh);
    sn_skin_update(&skin, nodes, sn_v(0.0f, 0.0f, 0.0f));
    free(nodes);
    return skin;
}

static double signed_volume(const sn_skin *skin)
{
    double sum = 0.0;
    for (int i = 0; i < skin->triangle_count; ++i) {
        const uint32_t *corners = skin->indices + 3 * (size_t)i;
        sn_vec3 a = skin->positions[corners[0]], b = skin->positions[corners[1]],
                c = skin->positions[corners[2]];
        sum += (double)sn_dot(a, sn_cross(b, c)) / 6.0;
    }
    return sum;
}

typedef struct side {
    uint32_t from, to;
} side;

static int compare_sides(const void *left, const void *right)
{
    return memcmp(left, right, sizeof(side));
}

// Every side that has a length is run the other way by another triangle.
static void expect_watertight(const sn_skin *skin)
{
    int count = 0;
    side *sides = malloc((size_t)skin->triangle_count * 3 * sizeof *sides);
    assert_non_null(sides);
    for (int i = 0; i < 3 * skin->triangle_count; ++i) {
        side s = {skin->indices[i], skin->indices[i % 3 == 2 ? i - 2 : i + 1]};
        assert_true(s.from < (uint32_t)skin->vertex_count);
        if (s.from != s.to && sn_distance_between(skin->positions[s.from], skin->positions[s.to]) > 1e-9f) {
            sides[count++] = s;
        }
    }
    qsort(sides, (size_t)count, sizeof *sides, compare_sides);
    for (int i = 0; i < count; ++i) {
        side reverse = {sides[i].to, sides[i].from};
        assert_non_null(bsearch(&reverse, sides, (size_t)count, sizeof *sides, compare_sides));
    }
    free(sides);
}

static void expect_unit_normals(const sn_skin *skin)
{
    for (int i = 0; i < skin->vertex_count; ++i) {
        assert_float_equal(sn_length(skin->normals[i]), 1.0f, 1e-5f);
    }
}

static void make_all(sn_mesh **meshes)
{
    assert_int_equal(sn_mesh_box(sn_v(1.0f, 0.5f, 0.7f), 3, 2, 2, &meshes[0]), SN_OK);
    assert_int_equal(sn_mesh_sphere(0.5f, 3, &meshes[1]), SN_OK);
    assert_int_equal(sn_mesh_cylinder(0.4f, 1.0f, 3, 4, &meshes[2]), SN_OK);
    assert_int_equal(sn_mesh_grid(2.0f, 1.0f, 8, 4, SN_GRID_ALTERNATING, &meshes[3]), SN_OK);
    assert_int_equal(sn_mesh_disc(0.5f, 4, &meshes[4]), SN_OK);
    assert_int_equal(sn_mesh_tube(0.5f, 1.0f, 12, 3, &meshes[5]), SN_OK);
    assert_int_equal(sn_mesh_sphere_surface(0.5f, 3, &meshes[6]), SN_OK);
    assert_int_equal(sn_mesh_line(2.0f, 9, &meshes[7]), SN_OK);
    assert_int_equal(sn_mesh_strip(2.0f, 0.1f, 9, &meshes[8]), SN_OK);
    assert_int_equal(sn_mesh_box_surface(sn_v(1.0f, 1.0f, 1.0f), 2, 2, 2, &meshes[9]), SN_OK);
}

enum { MESH_COUNT = 10 };

// --- surfaces ----------------------------------------------------------------------------------------------

static void test_solid_skins_are_closed_and_face_outwards(void **state)
{
    (void)state;
    sn_mesh *meshes[MESH_COUNT];
    make_all(meshes);
    for (int i = 0; i < MESH_COUNT; ++i) {
        sn_skin skin = skin_at_rest(meshes[i], 0.02f, true);
        assert_true(skin.closed);
        expect_watertight(&skin);
        expect_unit_normals(&skin);
        assert_true(signed_volume(&skin) > (double)sn_mesh_volume(meshes[i]));
        sn_skin_release(&skin);
        sn_mesh_destroy(meshes[i]);
    }
}

static void test_a_sheet_has_the_volume_of_its_thickness(void **state)
{
    (void)state;
    sn_mesh *mesh;
    assert_int_equal(sn_mesh_grid(2.0f, 1.0f, 8, 4, SN_GRID_ALTERNATING, &mesh), SN_OK);
    sn_skin skin = skin_at_rest(mesh, 0.1f, true);
    // The slab, and a rim whose section is a triangle 0.1 m high and 0.05 m deep, cut off at the corners.
    assert_float_equal(signed_volume(&skin), 0.2 + 6.0 * 0.0025, 0.002);
    int sides[3] = {0, 0, 0};
    for (int i = 0; i < skin.vertex_count; ++i) {
        ++sides[skin.sources[i].side];
        float z = skin.sources[i].side == SN_SKIN_FRONT  ? 0.05f
                  : skin.sources[i].side == SN_SKIN_BACK ? -0.05f
                                                         : 0.0f;
        assert_float_equal(skin.positions[i].z, z, 1e-6f);
        assert_float_equal(skin.normals[i].z, 20.0f * z, 1e-5f);
    }
    assert_int_equal(sides[SN_SKIN_FRONT], 45);
    assert_int_equal(sides[SN_SKIN_BACK], 45);
    assert_int_equal(sides[SN_SKIN_RIM], 24);
    sn_skin_release(&skin);
    sn_mesh_destroy(mesh);
}

static void test_a_thin_skin_goes_through_the_nodes(void **state)
{
    (void)state;
    sn_mesh *mesh;
    assert_int_equal(sn_mesh_grid(2.0f, 1.0f, 8, 4, SN_GRID_ALTERNATING, &mesh), SN_OK);
    sn_skin skin = skin_at_rest(mesh, 0.1f, false);
    assert_false(skin.closed);
    assert_int_equal(skin.vertex_count, 45);
    assert_int_equal(skin.triangle_count, 64);
    for (int i = 0; i < skin.vertex_count; ++i) {
        assert_float_equal(sn_distance_between(skin.positions[i], sn_mesh_nodes(mesh)[skin.sources[i].from]),
                           0.0f, 0.0f);
    }
    sn_skin_release(&skin);
    sn_mesh_destroy(mesh);
}

static float largest_component(sn_vec3 v)
{
    return sn_max(sn_abs(v.x), sn_max(sn_abs(v.y), sn_abs(v.z)));
}

static void test_faces_of_a_box_are_flat_and_its_edges_round(void **state)
{
    (void)state;
    sn_mesh *mesh;
    assert_int_equal(sn_mesh_box(sn_v(1.0f, 1.0f, 1.0f), 2, 2, 2, &mesh), SN_OK);
    sn_skin skin = skin_at_rest(mesh, 0.1f, true);
    // Nine vertices on each of six faces, and one for each of eight corners.
    assert_int_equal(skin.vertex_count, 6 * 9 + 8);
    for (int i = 0; i < 6 * 9; ++i) {
        assert_float_equal(largest_component(skin.normals[i]), 1.0f, 1e-5f);
        assert_float_equal(largest_component(skin.positions[i]), 0.55f, 1e-5f);
    }
    for (int i = 6 * 9; i < skin.vertex_count; ++i) {
        assert_float_equal(largest_component(skin.normals[i]), 0.57735f, 1e-4f);
    }
    sn_skin_release(&skin);
    sn_mesh_destroy(mesh);
}

static void test_a_sphere_is_smooth_all_over(void **state)
{
    (void)state;
    sn_mesh *mesh;
    assert_int_equal(sn_mesh_sphere(0.5f, 6, &mesh), SN_OK);
    sn_skin skin = skin_at_rest(mesh, 0.1f, true);
    assert_int_equal(skin.vertex_count, 10 * 36 + 2);
    for (int i = 0; i < skin.vertex_count; ++i) {
        assert_float_equal(sn_length(skin.positions[i]), 0.55f, 1e-4f);
        assert_true(sn_dot(sn_normalize(skin.positions[i]), skin.normals[i]) > 0.998f);
    }
    sn_skin_release(&skin);
    sn_mesh_destroy(mesh);
}

static void test_a_skin_follows_its_nodes_and_is_relative_to_the_origin(void **state)
{
    (void)state;
    sn_mesh *mesh;
    assert_int_equal(sn_mesh_grid(1.0f, 1.0f, 4, 4, SN_GRID_FORWARD, &mesh), SN_OK);
    sn_skin skin = skin_at_rest(mesh, 0.02f, true);
    sn_node_state *nodes = rest_nodes(mesh);
    // Turned to face +x, moved, and seen from nearby.
    sn_quat turn = sn_quat_axis_angle(sn_v(0.0f, 1.0f, 0.0f), 0.5f * SN_PI);
    for (int i = 0; i < sn_mesh_node_count(mesh); ++i) {
        nodes[i].position = sn_add(sn_rotate(turn, nodes[i].position), sn_v(5.0f, 0.0f, 0.0f));
    }
    sn_skin_update(&skin, nodes, sn_v(4.0f, 0.0f, 0.0f));
    for (int i = 0; i < skin.vertex_count; ++i) {
        if (skin.sources[i].side != SN_SKIN_RIM) {
            float way = skin.sources[i].side == SN_SKIN_FRONT ? 1.0f : -1.0f;
            assert_float_equal(skin.positions[i].x, 1.0f + 0.01f * way, 1e-5f);
            assert_float_equal(skin.normals[i].x, way, 1e-5f);
        }
    }
    free(nodes);
    sn_skin_release(&skin);
    sn_mesh_destroy(mesh);
}

static void test_triangles_that_meet_three_at_an_edge_have_a_skin(void **state)
{
    (void)state;
    // A book of three pages.
    const sn_vec3 nodes[5] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {-1, 0, 0.2f}, {0, 0, 1}};
    const uint32_t triangles[9] = {0, 2, 1, 0, 1, 3, 0, 4, 1};
    sn_mesh_def def = sn_mesh_def_default();
    def.nodes = nodes;
    def.node_count = 5;
    def.triangles = triangles;
    def.triangle_count = 3;
    sn_mesh *mesh;
    assert_int_equal(sn_mesh_create(&def, &mesh), SN_OK);
    sn_skin skin = skin_at_rest(mesh, 0.02f, true);
    assert_int_equal(skin.triangle_count, 2 * 3 + 4 * 6);
    expect_unit_normals(&skin);
    sn_skin_release(&skin);
    sn_mesh_destroy(mesh);
}

static void test_collapsed_and_nonsensical_nodes_do_no_harm(void **state)
{
    (void)state;
    sn_mesh *meshes[MESH_COUNT];
    make_all(meshes);
    for (int i = 0; i < MESH_COUNT; ++i) {
        sn_skin skin = skin_at_rest(meshes[i], 0.02f, true);
        sn_node_state *nodes = rest_nodes(meshes[i]);
        for (int k = 0; k < sn_mesh_node_count(meshes[i]); ++k) {
            nodes[k].position = sn_v(1.0f, 2.0f, 3.0f);
        }
        sn_skin_update(&skin, nodes, sn_v(0.0f, 0.0f, 0.0f));
        for (int k = 0; k < skin.vertex_count; ++k) {
            assert_true(sn_vec3_is_finite(skin.positions[k]) && sn_vec3_is_finite(skin.normals[k]));
        }
        nodes[0].position.x = NAN;
        sn_skin_update(&skin, nodes, sn_v(0.0f, 0.0f, 0.0f));
        free(nodes);
        sn_skin_release(&skin);
        sn_mesh_destroy(meshes[i]);
    }
}

// --- strands -----------------------------------------------------------------------------------------------

static void test_a_strand_is_a_tube_of_its_thickness_with_round_ends(void **state)
{
    (void)state;
    sn_mesh *mesh;
    assert_int_equal(sn_mesh_line(2.0f, 10, &mesh), SN_OK);
    sn_skin skin = skin_at_rest(mesh, 0.1f, true);
    // A decagon's section, and two half balls; those are polyhedra as well.
    double section = 5.0 * 0.05 * 0.05 * sin(2.0 * 3.14159265 / 10.0);
    double balls = 4.0 / 3.0 * 3.14159265 * 0.05 * 0.05 * 0.05;
    assert_float_equal(signed_volume(&skin), 2.0 * section + 0.85 * balls, 0.1 * balls);
    for (int i = 0; i < skin.vertex_count; ++i) {
        sn_vec3 p = skin.positions[i];
        float beyond = sn_max(sn_abs(p.x) - 1.0f, 0.0f);
        assert_float_equal(sqrtf(p.y * p.y + p.z * p.z + beyond * beyond), 0.05f, 1e-5f);
    }
    sn_skin_release(&skin);
    sn_mesh_destroy(mesh);
}

static void test_the_tube_of_a_bent_strand_goes_through_its_nodes(void **state)
{
    (void)state;
    sn_mesh *mesh;
    assert_int_equal(sn_mesh_line(2.0f, 10, &mesh), SN_OK);
    sn_skin skin = skin_at_rest(mesh, 0.02f, true);
    sn_node_state *nodes = rest_nodes(mesh);
    for (int i = 0; i < 11; ++i) {
        float angle = 0.4f * (float)i;
        nodes[i].position = sn_v(sn_cos(angle), sn_sin(angle), 0.1f * (float)i);
    }
    sn_skin_update(&skin, nodes, sn_v(0.0f, 0.0f, 0.0f));
    int found = 0;
    for (int i = 0; i < skin.vertex_count; ++i) {
        const sn_skin_source *source = &skin.sources[i];
        sn_vec3 chord = sn_lerp(nodes[source->from].position, nodes[source->to].position, source->share);
        float distance = sn_distance_between(skin.positions[i], chord);
        // The curve bulges over the chord by 1 − cos 0.2 at most.
        assert_true(distance < 0.01f + 0.021f);
        if (source->share == 0.0f && sn_abs(distance - 0.01f) < 1e-5f) {
            ++found;
        }
    }
    assert_true(found >= 10 * 10);
    expect_watertight(&skin);
    free(nodes);
    sn_skin_release(&skin);
    sn_mesh_destroy(mesh);
}

static void test_forks_and_rings_are_covered_edge_by_edge(void **state)
{
    (void)state;
    // A ring of four, and a fork of three branches at node 4.
    const sn_vec3 nodes[8] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                              {3, 0, 0}, {4, 0, 0}, {3, 1, 0}, {3, 0, 1}};
    const uint32_t edges[14] = {0, 1, 1, 2, 2, 3, 3, 0, 4, 5, 4, 6, 4, 7};
    sn_mesh_def def = sn_mesh_def_default();
    def.nodes = nodes;
    def.node_count = 8;
    def.edges = edges;
    def.edge_count = 7;
    sn_mesh *mesh;
    assert_int_equal(sn_mesh_create(&def, &mesh), SN_OK);
    sn_skin skin = skin_at_rest(mesh, 0.1f, true);
    bool covered[8][8] = {{false}};
    for (int i = 0; i < skin.vertex_count; ++i) {
        covered[skin.sources[i].from][skin.sources[i].to] = true;
        covered[skin.sources[i].to][skin.sources[i].from] = true;
    }
    for (int i = 0; i < 7; ++i) {
        assert_true(covered[edges[2 * i]][edges[2 * i + 1]]);
    }
    // About the sum of the lengths times the section: the ring is rounder than the square.
    assert_float_equal(signed_volume(&skin), 7.0 * 0.00735, 0.25 * 7.0 * 0.00735);
    sn_skin_release(&skin);
    sn_mesh_destroy(mesh);
}

static void test_long_strands_are_drawn_with_less_detail(void **state)
{
    (void)state;
    const int edges[3] = {1000, 50000, 300000};
    int before = 1 << 30;
    for (int i = 0; i < 3; ++i) {
        sn_mesh *mesh;
        assert_int_equal(sn_mesh_line(1000.0f, edges[i], &mesh), SN_OK);
        sn_skin skin = skin_at_rest(mesh, 0.1f, true);
        int per_edge = skin.vertex_count / edges[i];
        assert_true(per_edge < before && per_edge >= 5);
        before = per_edge;
        sn_skin_release(&skin);
        sn_mesh_destroy(mesh);
    }
}

// --- ropes -------------------------------------------------------------------------------------------------

static void test_a_long_thin_solid_is_a_round_rope(void **state)
{
    (void)state;
    sn_mesh *mesh;
    assert_int_equal(sn_mesh_box(sn_v(2.0f, 0.06f, 0.06f), 40, 1, 1, &mesh), SN_OK);
    sn_skin skin = skin_at_rest(mesh, 0.02f, true);
    assert_float_equal(skin.radius, 0.04f, 1e-6f);
    for (int i = 0; i < skin.vertex_count; ++i) {
        sn_vec3 p = skin.positions[i];
        float beyond = sn_max(sn_abs(p.x) - 1.0f, 0.0f);
        assert_float_equal(sqrtf(p.y * p.y + p.z * p.z + beyond * beyond), 0.04f, 1e-5f);
    }
    expect_watertight(&skin);
    sn_skin_release(&skin);
    sn_mesh_destroy(mesh);
}

static void test_what_is_less_than_twenty_times_as_long_as_wide_is_no_rope(void **state)
{
    (void)state;
    sn_mesh *mesh;
    assert_int_equal(sn_mesh_box(sn_v(1.1f, 0.06f, 0.06f), 20, 1, 1, &mesh), SN_OK);
    sn_skin skin = skin_at_rest(mesh, 0.02f, true);
    assert_true(skin.radius == 0.0f);
    sn_skin_release(&skin);
    sn_mesh_destroy(mesh);
}

// --- bad input ---------------------------------------------------------------------------------------------

static void test_bad_input_is_refused(void **state)
{
    (void)state;
    sn_mesh *mesh;
    assert_int_equal(sn_mesh_line(2.0f, 10, &mesh), SN_OK);
    sn_skin skin;
    const float bad[] = {0.0f, -1.0f, INFINITY, NAN};
    for (int i = 0; i < COUNT_OF(bad); ++i) {
        assert_int_equal(sn_skin_create(mesh, bad[i], true, &skin), SN_ERROR_RANGE);
        assert_non_null(strstr(sn_scene_error(), "thickness"));
        assert_int_equal(skin.vertex_count, 0);
    }
    assert_int_equal(sn_skin_create(NULL, 0.1f, true, &skin), SN_ERROR_NULL);
    assert_int_equal(sn_skin_create(mesh, 0.1f, true, NULL), SN_ERROR_NULL);
    sn_skin_release(NULL);
    sn_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solid_skins_are_closed_and_face_outwards),
        cmocka_unit_test(test_a_sheet_has_the_volume_of_its_thickness),
        cmocka_unit_test(test_a_thin_skin_goes_through_the_nodes),
        cmocka_unit_test(test_faces_of_a_box_are_flat_and_its_edges_round),
        cmocka_unit_test(test_a_sphere_is_smooth_all_over),
        cmocka_unit_test(test_a_skin_follows_its_nodes_and_is_relative_to_the_origin),
        cmocka_unit_test(test_triangles_that_meet_three_at_an_edge_have_a_skin),
        cmocka_unit_test(test_collapsed_and_nonsensical_nodes_do_no_harm),
        cmocka_unit_test(test_a_strand_is_a_tube_of_its_thickness_with_round_ends),
        cmocka_unit_test(test_the_tube_of_a_bent_strand_goes_through_its_nodes),
        cmocka_unit_test(test_forks_and_rings_are_covered_edge_by_edge),
        cmocka_unit_test(test_long_strands_are_drawn_with_less_detail),
        cmocka_unit_test(test_a_long_thin_solid_is_a_round_rope),
        cmocka_unit_test(test_what_is_less_than_twenty_times_as_long_as_wide_is_no_rope),
        cmocka_unit_test(test_bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
