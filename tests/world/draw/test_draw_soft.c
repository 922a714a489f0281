// How deformables, what they touch, and anchors are drawn.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/drawing.h"
#include "support/soft_kit.h"

static void draw_it(sn_world *world, sn_draw draw)
{
    assert_ok(sn_world_draw(world, &draw));
}

static void test_edges_and_faces_are_where_the_nodes_are(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_deformable cloth = soft_cloth(world, 2, sn_v(0.0f, 1.0f, 0.0f)); // 9 nodes, 16 edges, 8 triangles
    run_steps(world, 10);
    const sn_mesh *mesh = sn_deformable_mesh(world, cloth);
    sn_draw draw = outlines();
    draw.solid = true;
    draw_it(world, draw);
    assert_int_equal(paper.lines, sn_mesh_edge_count(mesh));
    assert_int_equal(paper.triangles, sn_mesh_triangle_count(mesh));
    for (int i = 0; i < sn_mesh_edge_count(mesh); ++i) {
        const uint32_t *ends = sn_mesh_edges(mesh) + 2 * i;
        assert_true(has_line(soft_node(world, cloth, (int)ends[0]), soft_node(world, cloth, (int)ends[1])));
    }
    for (int k = 0; k < 3; ++k) {
        assert_true(
            same_vec3(paper.triangle[5][k], soft_node(world, cloth, (int)sn_mesh_triangles(mesh)[15 + k])));
    }
    draw_it(world, pencils());
    assert_int_equal(paper.lines + paper.triangles + paper.points, 0); // nothing was asked for
    sn_world_destroy(world);
}

static void test_strands_are_capsules_where_there_are_some(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_deformable rope = soft_rope(world, 3, sn_v(0.0f, 0.0f, 0.0f));
    sn_draw draw = outlines();
    draw.capsule = on_capsule;
    draw_it(world, draw);
    assert_int_equal(paper.capsules, 3);
    assert_int_equal(paper.lines, 0);
    assert_float_equal(paper.radius[0], 0.5f * sn_deformable_definition(world, rope).thickness, 1.0e-7f);
    assert_true(same_vec3(paper.capsule[1][0], soft_node(world, rope, 1)));
    draw_it(world, outlines());
    assert_int_equal(paper.lines, 3);
    sn_world_destroy(world);
}

static void test_fixed_and_frozen_nodes_stand_out(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_deformable rope = soft_rope(world, 4, sn_v(0.0f, 0.0f, 0.0f));
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    assert_ok(sn_node_fix(world, rope, 0, true));
    assert_ok(sn_deformable_edit(world, rope, &nodes, &velocities));
    velocities[3].velocity.y = NAN;
    draw_it(world, outlines()); // before the step has seen it
    assert_int_equal(paper.points, 1);
    run_steps(world, 1);
    draw_it(world, outlines());
    assert_int_equal(paper.points, 2);
    assert_vec3_near(paper.point[0], soft_node(world, rope, 0), 0.0f);
    assert_vec3_near(paper.point[1], soft_node(world, rope, 3), 0.0f);
    assert_true(memcmp(&paper.point_color[0], &paper.point_color[1], sizeof(sn_color)) != 0);
    sn_world_destroy(world);
}

static void test_nodes_that_are_nowhere_are_not_drawn(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_deformable cloth = soft_cloth(world, 2, sn_v(0.0f, 0.0f, 0.0f));
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    assert_ok(sn_deformable_edit(world, cloth, &nodes, &velocities));
    nodes[4].position.x = NAN;
    nodes[8].position.z = INFINITY;
    sn_draw draw = outlines();
    draw.solid = draw.bounds = draw.mass_centers = draw.names = draw.islands = draw.contacts = true;
    draw_it(world, draw); // on_line looks whether all is finite
    for (int i = 0; i < paper.triangles; ++i) {
        for (int k = 0; k < 3; ++k) {
            assert_true(sn_vec3_is_finite(paper.triangle[i][k]));
        }
    }
    sn_world_destroy(world);
}

static void test_bounds_names_and_mass_centres(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_mesh *mesh;
    assert_ok(sn_mesh_box(sn_v(1.0f, 2.0f, 3.0f), 1, 1, 1, &mesh));
    sn_deformable_def def = soft_def(mesh, sn_v(5.0f, 0.0f, 0.0f));
    def.name = "cake";
    (void)soft_add(world, &def);
    sn_mesh_destroy(mesh);
    sn_draw draw = pencils();
    draw.bounds = draw.names = draw.mass_centers = true;
    draw_it(world, draw);
    assert_int_equal(paper.lines, 12);
    assert_true(has_line(sn_v(4.5f, -1.0f, -1.5f), sn_v(5.5f, -1.0f, -1.5f)));
    assert_int_equal(paper.texts, 1);
    assert_string_equal(paper.text[0], "cake");
    assert_int_equal(paper.points, 1);
    assert_vec3_near(paper.point[0], sn_v(5.0f, 0.0f, 0.0f), 1.0e-5f);
    sn_world_destroy(world);
}

static void test_sleepers_and_islands_have_colours_of_their_own(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_deformable ropes[3];
    for (int i = 0; i < 3; ++i) {
        ropes[i] = soft_rope(world, 1, sn_v(0.0f, 2.0f * (float)i, 0.0f));
    }
    draw_it(world, outlines());
    sn_color awake = paper.line[0].color;
    assert_ok(sn_deformable_awake_set(world, ropes[1], false));
    draw_it(world, outlines());
    assert_int_equal(memcmp(&paper.line[0].color, &awake, sizeof awake), 0);
    assert_int_not_equal(memcmp(&paper.line[1].color, &awake, sizeof awake), 0);
    assert_ok(sn_deformable_awake_set(world, ropes[1], true));
    (void)soft_tie(world, sn_point_node(ropes[0], 1), sn_point_node(ropes[2], 0));
    sn_draw draw = outlines();
    draw.islands = true;
    draw_it(world, draw);
    assert_int_equal(memcmp(&paper.line[0].color, &paper.line[2].color, sizeof awake), 0); // tied: one island
    assert_int_not_equal(memcmp(&paper.line[0].color, &paper.line[1].color, sizeof awake), 0);
    sn_world_destroy(world);
}

static void test_anchors_show_their_points_and_what_is_between(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_deformable rope = soft_rope(world, 2, sn_v(0.0f, 0.0f, 0.0f));
    (void)soft_tie(world, sn_point_world(sn_v(0.5f, 1.0f, 0.0f)), sn_point_node(rope, 2));
    sn_draw draw = pencils();
    draw.constraints = true;
    draw_it(world, draw);
    assert_int_equal(paper.points, 2);
    assert_int_equal(paper.lines, 1);
    assert_true(has_line(sn_v(0.5f, 1.0f, 0.0f), sn_v(0.5f, 0.0f, 0.0f)));
    sn_world_destroy(world);
}

// Colours of its points by how an anchor is held.
static void test_anchors_show_how_they_are_held(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_deformable rope = soft_rope(world, 2, sn_v(0.0f, 0.0f, 0.0f));
    sn_point node = sn_point_node(rope, 2);
    sn_anchor_def def = sn_anchor_def_default();
    def.b = node;
    assert_ok(sn_anchor_add(world, &def, NULL)); // rows
    def.exact = true;
    assert_ok(sn_anchor_add(world, &def, NULL)); // exact
    assert_ok(sn_anchor_add(world, &def, NULL)); // rows instead
    def.active = false;
    assert_ok(sn_anchor_add(world, &def, NULL)); // off
    sn_draw draw = pencils();
    draw.constraints = true;
    draw_it(world, draw);
    assert_int_equal(paper.points, 8);
    for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < i; ++k) {
            assert_int_not_equal(paper.point_color[2 * i], paper.point_color[2 * k]);
        }
        assert_int_equal(paper.point_color[2 * i], paper.point_color[2 * i + 1]);
    }
    sn_world_destroy(world);
}

static void test_what_slides_shows_the_piece_it_is_on(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_deformable rope = soft_rope(world, 2, sn_v(0.0f, 0.0f, 0.0f));
    sn_anchor_def def = sn_anchor_def_default();
    def.a = sn_point_world(sn_v(0.2f, 1.0f, 0.0f));
    def.b = sn_point_surface(rope);
    def.exact = true;
    assert_ok(sn_anchor_add(world, &def, NULL));
    sn_draw draw = pencils();
    draw.constraints = true;
    draw_it(world, draw);
    assert_int_equal(paper.lines, 2);
    assert_true(has_line(sn_v(0.2f, 1.0f, 0.0f), sn_v(0.2f, 0.0f, 0.0f)));
    assert_true(has_line(sn_v(0.5f, 0.0f, 0.0f), sn_v(0.0f, 0.0f, 0.0f)));
    sn_world_destroy(world);
}

static void test_contacts_show_points_normals_and_forces(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    add_floor(world);
    sn_mesh *mesh;
    assert_ok(sn_mesh_box(sn_v(0.4f, 0.4f, 0.4f), 1, 1, 1, &mesh));
    sn_deformable_def def = soft_def(mesh, sn_v(0.0f, 0.205f, 0.0f));
    def.collide = true;
    def.model = sn_model_corotational(1.0e6f, 0.3f);
    def.allow_sleep = false;
    sn_deformable cube = soft_add(world, &def);
    sn_mesh_destroy(mesh);
    run_steps(world, 120);
    assert_int_equal(sn_deformable_contacts(world, cube, NULL, 0), 4);
    sn_draw draw = pencils();
    draw.contacts = true;
    draw_it(world, draw);
    assert_int_equal(paper.points, 4);
    assert_int_equal(paper.lines, 4);
    for (int i = 0; i < 4; ++i) {
        assert_true(paper.line[i].b.y > paper.line[i].a.y); // normals lead out of the floor
    }
    draw = pencils();
    draw.contact_forces = true;
    draw.force_scale = 1.0e-3f;
    draw_it(world, draw);
    float sum = 0.0f; // of the shafts: the weight, 64 kg, in mm/N
    for (int i = 0; i < paper.lines; ++i) {
        float length = paper.line[i].b.y - paper.line[i].a.y;
        sum += length > 0.05f ? length : 0.0f;
    }
    assert_float_equal(sum, 0.064f * 9.81f, 0.02f * 0.628f);
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_edges_and_faces_are_where_the_nodes_are),
        test_with_memory(test_strands_are_capsules_where_there_are_some),
        test_with_memory(test_fixed_and_frozen_nodes_stand_out),
        test_with_memory(test_nodes_that_are_nowhere_are_not_drawn),
        test_with_memory(test_bounds_names_and_mass_centres),
        test_with_memory(test_sleepers_and_islands_have_colours_of_their_own),
        test_with_memory(test_anchors_show_their_points_and_what_is_between),
        test_with_memory(test_anchors_show_how_they_are_held),
        test_with_memory(test_what_slides_shows_the_piece_it_is_on),
        test_with_memory(test_contacts_show_points_normals_and_forces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
