// Triangles of primitives: closed, facing outwards, of the right size and with the right normals.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "apps/render/primitives.h"
#include "support/random.h"

#include <stdlib.h>

static sn_vec3 place(const solid_mesh *mesh, int index, sn_vec3 extent, float radius)
{
    const solid_vertex *vertex = &mesh->vertices[mesh->indices[index]];
    return sn_add_scaled(sn_mul(extent, vertex->corner), radius, vertex->normal);
}

// The volume by the divergence theorem. A hole or a triangle turned inwards would show in it, as it is taken
// about a point outside.
static double volume(const solid_mesh *mesh, sn_vec3 extent, float radius)
{
    const sn_vec3 outside = {7.0f, -5.0f, 3.0f};
    double sum = 0.0;
    for (int i = 0; i < mesh->index_count; i += 3) {
        sn_vec3 a = sn_sub(place(mesh, i, extent, radius), outside);
        sn_vec3 b = sn_sub(place(mesh, i + 1, extent, radius), outside);
        sn_vec3 c = sn_sub(place(mesh, i + 2, extent, radius), outside);
        sum += (double)sn_dot(a, sn_cross(b, c)) / 6.0;
    }
    return sum;
}

// Of all triangles, against the normals of their vertices; triangles drawn to a point have none.
static void check_facing(const solid_mesh *mesh, sn_vec3 extent, float radius)
{
    for (int i = 0; i < mesh->index_count; i += 3) {
        sn_vec3 a = place(mesh, i, extent, radius), b = place(mesh, i + 1, extent, radius);
        sn_vec3 c = place(mesh, i + 2, extent, radius);
        sn_vec3 normal = sn_cross(sn_sub(b, a), sn_sub(c, a));
        for (int k = 0; k < 3; ++k) {
            sn_vec3 smooth = mesh->vertices[mesh->indices[i + k]].normal;
            assert_float_equal(sn_length(smooth), 1.0f, 1e-5f);
            assert_true(sn_dot(smooth, normal) >= 0.0f);
        }
    }
}

static void test_balls_approach_the_sphere(void **state)
{
    (void)state;
    for (int rings = 1; rings <= 32; rings *= 2) {
        solid_mesh mesh;
        assert_true(solid_mesh_ball(rings, &mesh));
        assert_int_equal(mesh.index_count, 3 * 8 * rings * rings);
        check_facing(&mesh, sn_v(1, 1, 1), 1.0f);
        double exact = 4.0 / 3.0 * 3.14159265358979, found = volume(&mesh, sn_v(1, 1, 1), 1.0f);
        // The error falls with the square of the fineness.
        assert_true(found < exact && found > exact * (1.0 - 1.6 / (rings * rings)));
        solid_mesh_release(&mesh);
    }
}

static void test_capsules_have_the_volume_of_ball_and_tube(void **state)
{
    (void)state;
    solid_mesh mesh;
    assert_true(solid_mesh_capsule(32, &mesh));
    check_facing(&mesh, sn_v(0, 2, 0), 0.5f);
    double exact = 3.14159265358979 * 0.25 * 4.0 + 4.0 / 3.0 * 3.14159265358979 * 0.125;
    assert_float_equal(volume(&mesh, sn_v(0, 2, 0), 0.5f), exact, 2e-3 * exact);
    solid_mesh_release(&mesh);
}

static void test_boxes_are_closed(void **state)
{
    (void)state;
    solid_mesh mesh;
    assert_true(solid_mesh_box(&mesh));
    assert_int_equal(mesh.index_count, 3 * 12);
    check_facing(&mesh, sn_v(1, 2, 3), 0.0f);
    assert_float_equal(volume(&mesh, sn_v(1, 2, 3), 0.0f), 48.0, 1e-4);
    solid_mesh_release(&mesh);
}

static void test_hulls_are_closed_and_look_as_sharp_as_they_are(void **state)
{
    (void)state;
    solid_mesh mesh;
    sn_hull *cylinder;
    assert_int_equal(sn_hull_cylinder(2.0f, 1.0f, 1.0f, 24, &cylinder), SN_OK);
    assert_true(
        solid_mesh_hulls(&(sn_solid){.type = SN_HULL, .pose = sn_pose_identity, .hull = cylinder}, 1, &mesh));
    check_facing(&mesh, sn_v(1, 1, 1), 0.0f);
    assert_float_equal(volume(&mesh, sn_v(1, 1, 1), 0.0f), 24.0 * sin(2.0 * 3.14159265 / 24.0), 1e-4);
    for (int i = 0; i < mesh.vertex_count; ++i) {
        // The side is smooth: its normals point away from the axis. Top and bottom are flat.
        sn_vec3 corner = mesh.vertices[i].corner, normal = mesh.vertices[i].normal;
        sn_vec3 outwards = sn_normalize(sn_v(corner.x, 0.0f, corner.z));
        bool side = sn_dot(outwards, normal) > 0.9999f, cap = sn_abs(normal.y) > 0.9999f;
        assert_true(side || cap);
    }
    solid_mesh_release(&mesh);
    sn_hull_destroy(cylinder);

    sn_hull *cube;
    sn_vec3 corners[8];
    for (int i = 0; i < 8; ++i) {
        corners[i] = sn_v(i & 1 ? 1.0f : -1.0f, i & 2 ? 1.0f : -1.0f, i & 4 ? 1.0f : -1.0f);
    }
    assert_int_equal(sn_hull_create(corners, 8, 0, &cube), SN_OK);
    assert_true(
        solid_mesh_hulls(&(sn_solid){.type = SN_HULL, .pose = sn_pose_identity, .hull = cube}, 1, &mesh));
    assert_int_equal(mesh.vertex_count, 24);
    assert_float_equal(volume(&mesh, sn_v(1, 1, 1), 0.0f), 8.0, 1e-5);
    for (int i = 0; i < 24; ++i) {
        sn_vec3 normal = sn_abs3(mesh.vertices[i].normal);
        assert_float_equal(sn_max(normal.x, sn_max(normal.y, normal.z)), 1.0f, 1e-6f);
    }
    solid_mesh_release(&mesh);
    sn_hull_destroy(cube);
}

static void test_hulls_side_by_side_look_like_one(void **state)
{
    (void)state;
    // Two wedges of a ring, 15 degrees each, that share an edge at z = 0.
    sn_hull *hulls[2];
    sn_solid solids[2];
    for (int i = 0; i < 2; ++i) {
        float turn = i == 0 ? -0.2617994f : 0.2617994f;
        sn_vec3 points[8];
        for (int k = 0; k < 8; ++k) {
            float radius = k & 1 ? 1.0f : 0.8f, height = k & 2 ? 0.1f : -0.1f, angle = k & 4 ? turn : 0.0f;
            points[k] = sn_v(radius * sn_cos(angle), height, radius * sn_sin(angle));
        }
        assert_int_equal(sn_hull_create(points, 8, 0, &hulls[i]), SN_OK);
        solids[i] = (sn_solid){.type = SN_HULL, .pose = sn_pose_identity, .hull = hulls[i]};
    }
    solid_mesh mesh;
    assert_true(solid_mesh_hulls(solids, 2, &mesh));
    int outer = 0;
    for (int i = 0; i < mesh.vertex_count; ++i) {
        sn_vec3 corner = mesh.vertices[i].corner, normal = mesh.vertices[i].normal;
        if (corner.x > 0.9999f && normal.x > 0.5f) {
            assert_float_equal(normal.x, 1.0f, 1e-4f); // the mean of both
            ++outer;
        }
    }
    assert_int_equal(outer, 4);
    solid_mesh_release(&mesh);
    sn_hull_destroy(hulls[0]);
    sn_hull_destroy(hulls[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_balls_approach_the_sphere),
        cmocka_unit_test(test_capsules_have_the_volume_of_ball_and_tube),
        cmocka_unit_test(test_boxes_are_closed),
        cmocka_unit_test(test_hulls_side_by_side_look_like_one),
        cmocka_unit_test(test_hulls_are_closed_and_look_as_sharp_as_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
