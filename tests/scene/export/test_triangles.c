// Triangles of shapes: closed, facing outwards, as large as the shape says, and smooth where it is.
#include "sinew_scene/scene.h"
#include "sinew_scene/triangles.h"

#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static sn_world *world_create(void)
{
    sn_world_def def = sn_world_def_default();
    sn_world *world = NULL;
    assert_int_equal(sn_world_create(&def, &world), SN_OK);
    return world;
}

static sn_triangles triangles_of(const sn_world *world, sn_shape shape, int detail)
{
    sn_triangles t;
    assert_int_equal(sn_shape_triangles(world, shape, detail, 10.0f, &t), SN_OK);
    assert_true(t.vertex_count > 0 && t.triangle_count > 0);
    for (int i = 0; i < 3 * t.triangle_count; ++i) {
        assert_true(t.indices[i] < (uint32_t)t.vertex_count);
    }
    return t;
}

// --- measures ----------------------------------------------------------------------------------------------

static double volume(const sn_triangles *t)
{
    double sum = 0.0;
    for (int i = 0; i < t->triangle_count; ++i) {
        sn_vec3 a = t->positions[t->indices[3 * i]], b = t->positions[t->indices[3 * i + 1]];
        sn_vec3 c = t->positions[t->indices[3 * i + 2]];
        sum += (double)sn_dot(a, sn_cross(b, c)) / 6.0;
    }
    return sum;
}

// The first vertex at the place of each.
static uint32_t *weld(const sn_triangles *t)
{
    uint32_t *first = malloc((size_t)t->vertex_count * sizeof *first);
    assert_non_null(first);
    for (int i = 0; i < t->vertex_count; ++i) {
        first[i] = (uint32_t)i;
        for (int j = 0; j < i && first[i] == (uint32_t)i; ++j) {
            if (sn_distance_between(t->positions[i], t->positions[j]) < 1e-6f) {
                first[i] = first[j];
            }
        }
    }
    return first;
}

// Every edge has one triangle on each side, running opposite ways.
static void assert_closed(const sn_triangles *t)
{
    uint32_t *first = weld(t);
    int edges = 3 * t->triangle_count;
    for (int i = 0; i < edges; ++i) {
        uint32_t from = first[t->indices[i]], to = first[t->indices[i % 3 == 2 ? i - 2 : i + 1]];
        assert_int_not_equal(from, to);
        int same = 0, opposite = 0;
        for (int j = 0; j < edges; ++j) {
            uint32_t start = first[t->indices[j]], end = first[t->indices[j % 3 == 2 ? j - 2 : j + 1]];
            same += start == from && end == to;
            opposite += start == to && end == from;
        }
        assert_int_equal(same, 1);
        assert_int_equal(opposite, 1);
    }
    free(first);
}

// Unit length, and on the side of their triangles that these are counter-clockwise from.
static void assert_normals_outward(const sn_triangles *t)
{
    for (int i = 0; i < t->vertex_count; ++i) {
        assert_float_equal(sn_length(t->normals[i]), 1.0f, 1e-5f);
    }
    for (int i = 0; i < t->triangle_count; ++i) {
        const uint32_t *v = t->indices + 3 * i;
        sn_vec3 face = sn_cross(sn_sub(t->positions[v[1]], t->positions[v[0]]),
                                sn_sub(t->positions[v[2]], t->positions[v[0]]));
        for (int k = 0; k < 3; ++k) {
            assert_true(sn_dot(sn_normalize(face), t->normals[v[k]]) > 0.85f);
        }
    }
}

static void assert_solid(const sn_triangles *t, double expected_volume, double tolerance)
{
    assert_closed(t);
    assert_normals_outward(t);
    assert_float_equal(volume(t) / expected_volume, 1.0, tolerance);
}

// --- solids ------------------------------------------------------------------------------------------------

static void test_sphere_is_closed_round_and_as_large_as_its_radius_says(void **state)
{
    (void)state;
    sn_world *world = world_create();
    sn_shape shape;
    sn_sphere sphere = {{0.5f, -1.0f, 2.0f}, 0.7f};
    assert_int_equal(sn_sphere_add(world, sn_world_ground(world), NULL, sphere, &shape), SN_OK);
    double exact = 4.0 / 3.0 * (double)SN_PI * 0.343;
    for (int detail = 8; detail <= 32; detail += 12) {
        sn_triangles t = triangles_of(world, shape, detail);
        // Inscribed, with chords of 2π/n both ways round, it lacks about 16/n² of the ball's volume.
        assert_solid(&t, exact, 17.0 / (detail * detail));
        for (int i = 0; i < t.vertex_count; ++i) {
            sn_vec3 arm = sn_sub(t.positions[i], sphere.center);
            assert_float_equal(sn_length(arm), 0.7f, 1e-6f);
            assert_true(sn_dot(sn_normalize(arm), t.normals[i]) > 0.9999f);
        }
        sn_triangles_release(&t);
    }
    sn_world_destroy(world);
}

static void test_capsule_along_any_axis_is_closed_and_has_its_volume(void **state)
{
    (void)state;
    sn_world *world = world_create();
    test_random random = {7};
    for (int round = 0; round < 8; ++round) {
        sn_capsule capsule = {test_random_vec3(&random, 1.0f), test_random_vec3(&random, 1.0f), 0.3f};
        sn_shape shape;
        assert_int_equal(sn_capsule_add(world, sn_world_ground(world), NULL, capsule, &shape), SN_OK);
        double length = (double)sn_distance_between(capsule.a, capsule.b), r = 0.3;
        double exact = (double)SN_PI * r * r * (length + 4.0 / 3.0 * r);
        sn_triangles t = triangles_of(world, shape, 24);
        assert_solid(&t, exact, 0.025);
        sn_triangles_release(&t);
    }
    sn_world_destroy(world);
}

static void test_box_has_24_vertices_and_exact_volume(void **state)
{
    (void)state;
    sn_world *world = world_create();
    sn_shape shape;
    sn_box box = {{0.5f, 1.0f, 0.25f}};
    assert_int_equal(sn_box_add(world, sn_world_ground(world), NULL, box, &shape), SN_OK);
    sn_triangles t = triangles_of(world, shape, 8);
    assert_int_equal(t.vertex_count, 24);
    assert_int_equal(t.triangle_count, 12);
    assert_solid(&t, 1.0, 1e-6);
    for (int i = 0; i < 24; ++i) {
        assert_true(sn_dot(t.normals[i], sn_mul(t.positions[i], sn_v(2.0f, 1.0f, 4.0f))) == 1.0f);
    }
    sn_triangles_release(&t);
    sn_world_destroy(world);
}

static void test_hull_has_flat_faces_and_the_volume_of_its_mass(void **state)
{
    (void)state;
    sn_world *world = world_create();
    sn_vec3 points[40];
    test_random random = {3};
    for (int i = 0; i < 40; ++i) {
        points[i] = test_random_vec3(&random, 1.0f);
    }
    sn_hull *hulls[2];
    assert_int_equal(sn_hull_create(points, 40, 0, &hulls[0]), SN_OK);
    assert_int_equal(sn_hull_cylinder(1.0f, 0.5f, 0.5f, 24, &hulls[1]), SN_OK);
    for (int i = 0; i < 2; ++i) {
        sn_shape shape;
        assert_int_equal(sn_hull_add(world, sn_world_ground(world), NULL, hulls[i], &shape), SN_OK);
        sn_solid solid = {.type = SN_HULL, .pose = sn_pose_identity, .hull = hulls[i]};
        sn_mass mass;
        assert_int_equal(sn_solid_mass(&solid, 1.0f, &mass), SN_OK);
        sn_triangles t = triangles_of(world, shape, 8);
        assert_solid(&t, (double)mass.mass, 1e-4);
        for (int k = 0; k < t.triangle_count; ++k) {
            const uint32_t *v = t.indices + 3 * k;
            assert_memory_equal(&t.normals[v[0]], &t.normals[v[1]], sizeof(sn_vec3));
            assert_memory_equal(&t.normals[v[0]], &t.normals[v[2]], sizeof(sn_vec3));
        }
        sn_triangles_release(&t);
        sn_hull_destroy(hulls[i]);
    }
    sn_world_destroy(world);
}

static void test_compound_has_all_its_parts_where_they_are(void **state)
{
    (void)state;
    sn_world *world = world_create();
    sn_pose right = {{3.0f, 0.0f, 0.0f}, sn_quat_axis_angle(sn_v(0.0f, 0.0f, 1.0f), 0.5f * SN_PI)};
    sn_solid parts[2] = {{.type = SN_BOX, .pose = right, .box = {{1.0f, 0.5f, 0.5f}}},
                         {.type = SN_SPHERE, .pose = sn_pose_identity, .sphere = {{0.0f, 0.0f, 0.0f}, 1.0f}}};
    sn_compound *compound;
    sn_shape shape;
    assert_int_equal(sn_compound_create(parts, 2, &compound), SN_OK);
    assert_int_equal(sn_compound_add(world, sn_world_ground(world), NULL, compound, &shape), SN_OK);
    sn_compound_destroy(compound);
    sn_triangles t = triangles_of(world, shape, 32);
    assert_solid(&t, 2.0 + 4.0 / 3.0 * (double)SN_PI, 0.015);
    float highest = 0.0f, farthest = 0.0f;
    for (int i = 0; i < 24; ++i) {
        highest = sn_max(highest, t.positions[i].y);
        farthest = sn_max(farthest, t.positions[i].x);
    }
    assert_float_equal(highest, 1.0f, 1e-5f);
    assert_float_equal(farthest, 3.5f, 1e-5f);
    sn_triangles_release(&t);
    sn_world_destroy(world);
}

static void test_offset_of_the_shape_moves_and_turns_its_triangles(void **state)
{
    (void)state;
    sn_world *world = world_create();
    sn_shape_def def = sn_shape_def_default();
    def.offset = (sn_pose){{10.0f, 20.0f, 30.0f}, sn_quat_axis_angle(sn_v(0.0f, 0.0f, 1.0f), 0.5f * SN_PI)};
    sn_shape shape;
    sn_box box = {{3.0f, 2.0f, 1.0f}};
    assert_int_equal(sn_box_add(world, sn_world_ground(world), &def, box, &shape), SN_OK);
    sn_triangles t = triangles_of(world, shape, 8);
    sn_bounds bounds = {t.positions[0], t.positions[0]};
    for (int i = 0; i < t.vertex_count; ++i) {
        bounds = sn_bounds_union(bounds, (sn_bounds){t.positions[i], t.positions[i]});
    }
    assert_true(sn_distance_between(bounds.lower, sn_v(8.0f, 17.0f, 29.0f)) < 1e-4f);
    assert_true(sn_distance_between(bounds.upper, sn_v(12.0f, 23.0f, 31.0f)) < 1e-4f);
    assert_normals_outward(&t);
    sn_triangles_release(&t);
    sn_world_destroy(world);
}

static void test_plane_is_a_square_around_the_point_nearest_the_origin(void **state)
{
    (void)state;
    sn_world *world = world_create();
    sn_shape_def def = sn_shape_def_default();
    def.offset.position = sn_v(5.0f, 1.0f, -4.0f);
    sn_plane plane = {sn_v(0.0f, 2.0f, 0.0f), 0.5f};
    sn_shape shape;
    assert_int_equal(sn_plane_add(world, sn_world_ground(world), &def, plane, &shape), SN_OK);
    sn_triangles t = triangles_of(world, shape, 8);
    assert_int_equal(t.vertex_count, 4);
    assert_int_equal(t.triangle_count, 2);
    for (int i = 0; i < 4; ++i) {
        assert_float_equal(sn_abs(t.positions[i].x), 5.0f, 1e-5f);
        assert_float_equal(t.positions[i].y, 1.5f, 1e-5f);
        assert_float_equal(sn_abs(t.positions[i].z), 5.0f, 1e-5f);
        assert_float_equal(t.normals[i].y, 1.0f, 1e-6f);
    }
    assert_normals_outward(&t);
    sn_triangles_release(&t);
    sn_world_destroy(world);
}

// --- surfaces ----------------------------------------------------------------------------------------------

static sn_shape add_surface_of(sn_world *world, const sn_triangles *t)
{
    sn_surface *surface;
    sn_shape shape;
    assert_int_equal(
        sn_surface_create(t->positions, t->vertex_count, t->indices, t->triangle_count, false, &surface),
        SN_OK);
    assert_int_equal(sn_surface_add(world, sn_world_ground(world), NULL, surface, &shape), SN_OK);
    sn_surface_destroy(surface);
    return shape;
}

static void test_surface_that_bends_little_is_smooth(void **state)
{
    (void)state;
    sn_world *world = world_create();
    sn_shape sphere;
    assert_int_equal(
        sn_sphere_add(world, sn_world_ground(world), NULL, (sn_sphere){{0.0f, 0.0f, 0.0f}, 1.0f}, &sphere),
        SN_OK);
    sn_triangles ball = triangles_of(world, sphere, 32);
    sn_triangles t = triangles_of(world, add_surface_of(world, &ball), 8);
    assert_int_equal(t.triangle_count, ball.triangle_count);
    assert_int_equal(t.vertex_count, ball.vertex_count);
    assert_solid(&t, 4.0 / 3.0 * (double)SN_PI, 0.02);
    for (int i = 0; i < t.vertex_count; ++i) {
        assert_true(sn_dot(sn_normalize(t.positions[i]), t.normals[i]) > 0.999f);
    }
    sn_triangles_release(&t);
    sn_triangles_release(&ball);
    sn_world_destroy(world);
}

static void test_sharp_edges_of_a_surface_stay_sharp(void **state)
{
    (void)state;
    sn_world *world = world_create();
    sn_shape box;
    assert_int_equal(sn_box_add(world, sn_world_ground(world), NULL, (sn_box){{1.0f, 1.0f, 1.0f}}, &box),
                     SN_OK);
    sn_triangles cube = triangles_of(world, box, 8);
    sn_triangles t = triangles_of(world, add_surface_of(world, &cube), 8);
    assert_int_equal(t.vertex_count, 24);
    assert_solid(&t, 8.0, 1e-6);
    for (int i = 0; i < t.vertex_count; ++i) {
        sn_vec3 n = sn_abs3(t.normals[i]);
        assert_float_equal(sn_max(n.x, sn_max(n.y, n.z)), 1.0f, 1e-6f);
    }
    sn_triangles_release(&t);
    sn_triangles_release(&cube);
    sn_world_destroy(world);
}

static void test_vertex_of_very_many_triangles_keeps_their_normals(void **state)
{
    (void)state;
    enum { SIDES = 400 };
    sn_vec3 vertices[SIDES + 1] = {{0.0f, 0.1f, 0.0f}};
    uint32_t triangles[3 * SIDES];
    for (uint32_t i = 0; i < SIDES; ++i) {
        float angle = (float)i * (2.0f * SN_PI / (float)SIDES);
        vertices[i + 1] = sn_v(sn_cos(angle), 0.0f, -sn_sin(angle));
        triangles[3 * i] = 0;
        triangles[3 * i + 1] = i + 1;
        triangles[3 * i + 2] = (i + 1) % SIDES + 1;
    }
    sn_world *world = world_create();
    sn_triangles fan = {vertices, NULL, triangles, SIDES + 1, SIDES};
    sn_triangles t = triangles_of(world, add_surface_of(world, &fan), 8);
    assert_int_equal(t.triangle_count, SIDES);
    assert_int_equal(t.vertex_count, 2 * SIDES);
    assert_normals_outward(&t);
    sn_triangles_release(&t);
    sn_world_destroy(world);
}

// --- bad input ---------------------------------------------------------------------------------------------

static void test_bad_input_is_refused_and_leaves_nothing(void **state)
{
    (void)state;
    sn_world *world = world_create();
    sn_shape plane, removed;
    sn_rigid ground = sn_world_ground(world);
    assert_int_equal(sn_plane_add(world, ground, NULL, (sn_plane){{0.0f, 1.0f, 0.0f}, 0.0f}, &plane), SN_OK);
    assert_int_equal(sn_sphere_add(world, ground, NULL, (sn_sphere){{0.0f, 0.0f, 0.0f}, 1.0f}, &removed),
                     SN_OK);
    assert_int_equal(sn_shape_remove(world, removed), SN_OK);
    const struct {
        const sn_world *world;
        sn_shape shape;
        int detail;
        float plane_size;
        sn_status status;
    } cases[] = {
        {NULL, plane, 16, 10.0f, SN_ERROR_ID},      {world, {0, 0, 0}, 16, 10.0f, SN_ERROR_ID},
        {world, removed, 16, 10.0f, SN_ERROR_ID},   {world, plane, 7, 10.0f, SN_ERROR_RANGE},
        {world, plane, 257, 10.0f, SN_ERROR_RANGE}, {world, plane, INT32_MIN, 10.0f, SN_ERROR_RANGE},
        {world, plane, 16, 0.0f, SN_ERROR_RANGE},   {world, plane, 16, -1.0f, SN_ERROR_RANGE},
        {world, plane, 16, NAN, SN_ERROR_RANGE},    {world, plane, 16, INFINITY, SN_ERROR_RANGE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        sn_triangles t;
        memset(&t, 0x55, sizeof t);
        assert_int_equal(
            sn_shape_triangles(cases[i].world, cases[i].shape, cases[i].detail, cases[i].plane_size, &t),
            cases[i].status);
        assert_true(t.positions == NULL && t.normals == NULL && t.indices == NULL);
        assert_true(t.vertex_count == 0 && t.triangle_count == 0);
        assert_true(strlen(sn_scene_error()) > 0);
    }
    assert_int_equal(sn_shape_triangles(world, plane, 16, 1.0f, NULL), SN_ERROR_NULL);
    sn_triangles_release(NULL);
    sn_world_destroy(world);
}

static void test_asking_leaves_no_error_in_the_world(void **state)
{
    (void)state;
    sn_world *world = world_create();
    sn_shape plane;
    assert_int_equal(
        sn_plane_add(world, sn_world_ground(world), NULL, (sn_plane){{0.0f, 1.0f, 0.0f}, 0.0f}, &plane),
        SN_OK);
    sn_triangles t = triangles_of(world, plane, 256);
    assert_string_equal(sn_world_error(world), "");
    sn_triangles_release(&t);
    assert_null(t.positions);
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sphere_is_closed_round_and_as_large_as_its_radius_says),
        cmocka_unit_test(test_capsule_along_any_axis_is_closed_and_has_its_volume),
        cmocka_unit_test(test_box_has_24_vertices_and_exact_volume),
        cmocka_unit_test(test_hull_has_flat_faces_and_the_volume_of_its_mass),
        cmocka_unit_test(test_compound_has_all_its_parts_where_they_are),
        cmocka_unit_test(test_offset_of_the_shape_moves_and_turns_its_triangles),
        cmocka_unit_test(test_plane_is_a_square_around_the_point_nearest_the_origin),
        cmocka_unit_test(test_surface_that_bends_little_is_smooth),
        cmocka_unit_test(test_sharp_edges_of_a_surface_stay_sharp),
        cmocka_unit_test(test_vertex_of_very_many_triangles_keeps_their_normals),
        cmocka_unit_test(test_bad_input_is_refused_and_leaves_nothing),
        cmocka_unit_test(test_asking_leaves_no_error_in_the_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
