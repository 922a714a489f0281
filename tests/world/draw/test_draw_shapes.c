// How shapes are drawn: counts and places of lines and triangles.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/drawing.h"
#include "support/query_scene.h"

// Every line and triangle corner lies on shape 0, and triangles look outwards from `inner`.
static void assert_drawn_on_surface(const sn_world *world, float tolerance, sn_vec3 inner)
{
    for (int i = 0; i < paper.lines; ++i) {
        assert_true(fabs(oracle_distance(world, 0, vec3d_from(paper.line[i].a))) < tolerance);
        assert_true(fabs(oracle_distance(world, 0, vec3d_from(paper.line[i].b))) < tolerance);
    }
    for (int i = 0; i < paper.triangles; ++i) {
        const sn_vec3 *t = paper.triangle[i];
        sn_vec3 normal = sn_cross(sn_sub(t[1], t[0]), sn_sub(t[2], t[0]));
        assert_true(sn_dot(normal, sn_sub(t[0], inner)) > 0.0f);
        for (int k = 0; k < 3; ++k) {
            assert_true(fabs(oracle_distance(world, 0, vec3d_from(t[k]))) < tolerance);
        }
    }
}

static void test_a_box_has_twelve_edges_and_twelve_triangles(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_rigid rigid = body_at(world, SN_DYNAMIC, sn_v(1.0f, 2.0f, 3.0f), NULL);
    sn_box_add(world, rigid, NULL, (sn_box){{0.5f, 1.0f, 2.0f}}, NULL);
    sn_draw draw = outlines();
    draw.solid = true;
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    assert_int_equal(paper.lines, 12);
    assert_int_equal(paper.triangles, 12);
    sn_pose pose = sn_rigid_pose(world, rigid);
    for (int i = 0; i < 8; ++i) {
        sn_vec3 corner = sn_v(i & 1 ? 0.5f : -0.5f, i & 2 ? 1.0f : -1.0f, i & 4 ? 2.0f : -2.0f);
        sn_vec3 along_x = sn_v(-corner.x, corner.y, corner.z);
        assert_true(has_line(sn_pose_apply(pose, corner), sn_pose_apply(pose, along_x)));
    }
    assert_drawn_on_surface(world, 1.0e-5f, pose.position);
    sn_world_destroy(world);
}

static void test_a_sphere_has_three_circles(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_rigid rigid = body_at(world, SN_DYNAMIC, sn_v(1.0f, 2.0f, 3.0f), NULL);
    sn_sphere_add(world, rigid, NULL, (sn_sphere){{0.1f, 0.2f, 0.3f}, 0.5f}, NULL);
    sn_draw draw = outlines();
    draw.solid = true;
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    sn_vec3 center = sn_pose_apply(sn_rigid_pose(world, rigid), sn_v(0.1f, 0.2f, 0.3f));
    assert_int_equal(paper.lines, 3 * CIRCLE);
    assert_int_equal(paper.triangles, CIRCLE * (CIRCLE - 2));
    assert_drawn_on_surface(world, 1.0e-5f, center);
    for (int i = 0; i < 3; ++i) { // closed, in a plane through the centre
        const drawn_line *circle = &paper.line[i * CIRCLE];
        sn_vec3 axis = sn_cross(sn_sub(circle[0].a, center), sn_sub(circle[CIRCLE / 4].a, center));
        assert_vec3_near(circle[0].a, circle[CIRCLE - 1].b, 1.0e-6f);
        for (int k = 0; k < CIRCLE; ++k) {
            assert_true(sn_abs(sn_dot(axis, sn_sub(circle[k].a, center))) < 1.0e-6f);
        }
    }
    sn_world_destroy(world);
}

static void test_a_capsule_has_circles_caps_and_sides(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_rigid rigid = body_at(world, SN_DYNAMIC, sn_v(1.0f, 2.0f, 3.0f), NULL);
    sn_capsule_add(world, rigid, NULL, (sn_capsule){{-1, 0, 0.5f}, {1, 0.5f, 0}, 0.5f}, NULL);
    sn_draw draw = outlines();
    draw.solid = true;
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    assert_int_equal(paper.lines, 2 * (CIRCLE + 2 * CIRCLE / 2) + 4);
    assert_int_equal(paper.triangles, CIRCLE * CIRCLE);
    assert_drawn_on_surface(world, 1.0e-5f, sn_rigid_center(world, rigid));
    sn_world_destroy(world);
}

static void test_the_capsule_callback_takes_round_shapes_whole(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_rigid rigid = body_at(world, SN_KINEMATIC, sn_v(1.0f, 2.0f, 3.0f), NULL);
    sn_sphere_add(world, rigid, NULL, (sn_sphere){{0.1f, 0.2f, 0.3f}, 0.5f}, NULL);
    sn_capsule_add(world, rigid, NULL, (sn_capsule){{-1, 0, 0}, {1, 0, 0}, 0.25f}, NULL);
    sn_box_add(world, rigid, NULL, (sn_box){{1, 1, 1}}, NULL);
    sn_draw draw = outlines();
    draw.capsule = on_capsule;
    draw.solid = true;
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    sn_pose pose = sn_rigid_pose(world, rigid);
    assert_int_equal(paper.capsules, 2);
    assert_int_equal(paper.lines, 12);
    assert_int_equal(paper.triangles, 12);
    assert_memory_equal(&paper.capsule[0][0], &paper.capsule[0][1], sizeof(sn_vec3));
    assert_vec3_near(paper.capsule[0][0], sn_pose_apply(pose, sn_v(0.1f, 0.2f, 0.3f)), 1.0e-6f);
    assert_vec3_near(paper.capsule[1][0], sn_pose_apply(pose, sn_v(-1, 0, 0)), 1.0e-6f);
    assert_vec3_near(paper.capsule[1][1], sn_pose_apply(pose, sn_v(1, 0, 0)), 1.0e-6f);
    assert_true(paper.radius[0] == 0.5f && paper.radius[1] == 0.25f);
    assert_int_equal(paper.capsule_color, 0x4a90d9);
    draw = pencils();
    draw.capsule = on_capsule;
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    assert_int_equal(paper.capsules, 0);
    sn_world_destroy(world);
}

static void test_hulls_and_compounds_draw_every_edge_and_face(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_hull *prism;
    assert_int_equal(sn_hull_cylinder(1.0f, 0.5f, 0.5f, 6, &prism), SN_OK);
    sn_solid parts[2] = {{.type = SN_HULL, .pose = sn_pose_identity, .hull = prism},
                         {.type = SN_BOX, .pose = {{3, 0, 0}, sn_quat_identity}, .box = {{1, 1, 1}}}};
    sn_compound *compound;
    assert_int_equal(sn_compound_create(parts, 2, &compound), SN_OK);
    sn_rigid rigid = body_at(world, SN_DYNAMIC, sn_v(1, 2, 3), NULL);
    sn_shape shape;
    sn_hull_add(world, rigid, NULL, prism, &shape);
    sn_draw draw = outlines();
    draw.solid = true;
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    assert_int_equal(paper.lines, 18);
    assert_int_equal(paper.triangles, 4 + 4 + 12);
    assert_drawn_on_surface(world, 1.0e-5f, sn_rigid_center(world, rigid));
    sn_shape_remove(world, shape);
    sn_compound_add(world, rigid, NULL, compound, NULL);
    draw = outlines();
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    assert_int_equal(paper.lines, 18 + 12);
    assert_drawn_on_surface(world, 1.0e-5f, sn_v(0, 0, 0));
    sn_world_destroy(world);
    sn_hull_destroy(prism);
    sn_compound_destroy(compound);
}

static void test_a_plane_is_a_grid_where_it_is_nearest(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_rigid rigid = body_at(world, SN_STATIC, sn_v(5.0f, 6.0f, 7.0f), NULL);
    sn_plane_add(world, rigid, NULL, (sn_plane){{1.0f, 2.0f, 3.0f}, 4.0f}, NULL);
    sn_draw draw = outlines();
    draw.solid = draw.bounds = true;
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    assert_int_equal(paper.lines, 2 * 11 + 1); // and no box, which would be endless
    assert_int_equal(paper.triangles, 2);
    drawn_line normal = paper.line[--paper.lines];
    sn_vec3 up = sn_sub(normal.b, normal.a);
    assert_true(sn_abs(sn_length(up) - 1.0f) < 1.0e-5f);
    assert_true(sn_length(sn_cross(normal.a, up)) < 1.0e-4f); // nearest to the origin
    assert_drawn_on_surface(world, 1.0e-4f, sn_sub(normal.a, up));
    sn_world_destroy(world);
}

static void test_a_surface_draws_every_edge_flat_ones_once(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    // A 3 × 3 grid of flat squares, numbered so that open edges run both up and down.
    sn_vec3 corners[16];
    uint32_t triangles[54];
    int count = 0;
    for (int i = 0; i < 16; ++i) {
        corners[i] = sn_v((float)(i % 4), 0.0f, (float)(i / 4));
    }
    for (uint32_t i = 0; i < 11; ++i) {
        if (i % 4 < 3) {
            const uint32_t two[6] = {i, i + 4, i + 1, i + 1, i + 4, i + 5};
            memcpy(triangles + count, two, sizeof two);
            count += 6;
        }
    }
    sn_surface *sheet;
    assert_int_equal(sn_surface_create(corners, 16, triangles, count / 3, false, &sheet), SN_OK);
    sn_surface_add(world, sn_world_ground(world), NULL, sheet, NULL);
    sn_draw draw = outlines();
    draw.solid = true;
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    assert_int_equal(paper.triangles, 18);
    assert_int_equal(paper.lines, 12 + 12 + 9);
    for (int i = 0; i < 16; ++i) {
        assert_true(i % 4 == 3 || has_line(corners[i], corners[i + 1]));
        assert_true(i / 4 == 3 || has_line(corners[i], corners[i + 4]));
        assert_true(i % 4 == 3 || i / 4 == 3 || has_line(corners[i + 1], corners[i + 4]));
    }
    assert_drawn_on_surface(world, 1.0e-6f, sn_v(1.0f, -1.0f, 1.0f));
    sn_world_destroy(world);
    sn_surface_destroy(sheet);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_box_has_twelve_edges_and_twelve_triangles),
        cmocka_unit_test(test_a_sphere_has_three_circles),
        cmocka_unit_test(test_a_capsule_has_circles_caps_and_sides),
        cmocka_unit_test(test_the_capsule_callback_takes_round_shapes_whole),
        cmocka_unit_test(test_hulls_and_compounds_draw_every_edge_and_face),
        cmocka_unit_test(test_a_plane_is_a_grid_where_it_is_nearest),
        cmocka_unit_test(test_a_surface_draws_every_edge_flat_ones_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
