// Bad input to shared geometry and mass properties: points that make no hull, triangles that make no surface,
// parts that make no compound, meshes that enclose nothing.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "world/core/bad_scene.h"

// --- hulls ---------------------------------------------------------------------------------------

// Up to eight points.
typedef struct point_row {
    int count, max_vertices;
    sn_status expected;
    const char *part;
    sn_vec3 points[8];
} point_row;

static const point_row bad_hulls[] = {
    {0, 0, SN_ERROR_GEOMETRY, "count is 0", {{0, 0, 0}}},
    {-1, 0, SN_ERROR_GEOMETRY, "count is -1", {{0, 0, 0}}},
    {INT32_MIN, 0, SN_ERROR_GEOMETRY, "count", {{0, 0, 0}}},
    {INT32_MAX, 0, SN_ERROR_RANGE, "expected <= 16777216", {{0, 0, 0}}},
    {1, 0, SN_ERROR_GEOMETRY, "count is 1", {{0, 0, 0}}},
    {2, 0, SN_ERROR_GEOMETRY, "count is 2, expected >= 4", {{0, 0, 0}, {1, 1, 1}}},
    {3, 0, SN_ERROR_GEOMETRY, "count is 3", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}},
    {4, 0, SN_ERROR_GEOMETRY, "", {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}}},
    {4, 0, SN_ERROR_GEOMETRY, "", {{0, 0, 0}, {0, 0, 0}, {1, 1, 1}, {1, 1, 1}}},
    {5, 0, SN_ERROR_GEOMETRY, "line", {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}, {9, 9, 9}}},
    {4, 0, SN_ERROR_GEOMETRY, "plane", {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}},
    {4, 0, SN_ERROR_GEOMETRY, "plane", {{0, 0, 5}, {1, 0, 5}, {1, 1, 5.0000005f}, {0, 1, 5}}},
    {5, 0, SN_ERROR_GEOMETRY, "plane", {{0, 0, 0}, {1, 0, 1}, {0, 1, 1}, {1, 1, 2}, {2, 2, 4}}},
    {4, 0, SN_ERROR_GEOMETRY, "", {{0, 0, 0}, {1e-7f, 0, 0}, {0, 1e-7f, 0}, {0, 0, 1e-7f}}},
    {4, 0, SN_ERROR_NOT_FINITE, "point 2 is (nan", {{0, 0, 0}, {1, 0, 0}, {NAN, 1, 0}, {0, 0, 1}}},
    {4,
     0,
     SN_ERROR_NOT_FINITE,
     "point 3 is (0, 0, inf)",
     {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, INFINITY}}},
    {4, 0, SN_ERROR_RANGE, "point 1 is (1e+10", {{0, 0, 0}, {1.0e10f, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    {4, 3, SN_ERROR_RANGE, "max_vertices is 3", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    {4, -4, SN_ERROR_RANGE, "max_vertices is -4", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    {4, 129, SN_ERROR_RANGE, "<= 128", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
};

static void test_points_without_a_volume_make_no_hull(void **state)
{
    bad_scene *s = *state;
    sn_hull *hull = NULL;
    for (size_t i = 0; i < bad_count(bad_hulls); ++i) {
        const point_row *row = &bad_hulls[i];
        refuse(s, row->expected, row->part,
               sn_hull_create(row->points, row->count, row->max_vertices, &hull));
        assert_null(hull);
    }
    const sn_vec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    refuse(s, SN_ERROR_NULL, "points is null", sn_hull_create(NULL, 4, 0, &hull));
    refuse(s, SN_ERROR_NULL, "hull is null", sn_hull_create(corners, 4, 0, NULL));
}

static void test_cylinders_need_height_radius_and_sides(void **state)
{
    bad_scene *s = *state;
    sn_hull *hull = NULL;
    refuse(s, SN_ERROR_RANGE, "height is 0", sn_hull_cylinder(0.0f, 1.0f, 1.0f, 8, &hull));
    refuse(s, SN_ERROR_RANGE, "height is -1", sn_hull_cylinder(-1.0f, 1.0f, 1.0f, 8, &hull));
    refuse(s, SN_ERROR_NOT_FINITE, "height", sn_hull_cylinder(NAN, 1.0f, 1.0f, 8, &hull));
    refuse(s, SN_ERROR_RANGE, "bottom_radius is 0", sn_hull_cylinder(1.0f, 0.0f, 1.0f, 8, &hull));
    refuse(s, SN_ERROR_RANGE, "top_radius is -1", sn_hull_cylinder(1.0f, 1.0f, -1.0f, 8, &hull));
    refuse(s, SN_ERROR_NOT_FINITE, "top_radius", sn_hull_cylinder(1.0f, 1.0f, INFINITY, 8, &hull));
    refuse(s, SN_ERROR_RANGE, "sides is 2", sn_hull_cylinder(1.0f, 1.0f, 1.0f, 2, &hull));
    refuse(s, SN_ERROR_RANGE, "sides is 65", sn_hull_cylinder(1.0f, 1.0f, 1.0f, 65, &hull));
    refuse(s, SN_ERROR_NULL, "hull is null", sn_hull_cylinder(1.0f, 1.0f, 1.0f, 8, NULL));
    assert_null(hull);
    sn_hull_destroy(NULL);
    assert_int_equal(sn_hull_vertex_count(NULL) + sn_hull_face_count(NULL), 0);
    assert_int_equal(sn_hull_face(NULL, 0, NULL, 0), 0);
}

// --- surfaces ------------------------------------------------------------------------------------

static const sn_vec3 square[4] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
static const uint32_t halves[6] = {0, 1, 2, 0, 2, 3};

static void test_triangles_without_vertices_or_area_make_no_surface(void **state)
{
    bad_scene *s = *state;
    sn_surface *made = NULL;
    const sn_vec3 nan[3] = {{0, 0, 0}, {0, NAN, 0}, {1, 0, 0}},
                  far[3] = {{0, 0, 0}, {1, 0, 0}, {0, 0, -1.0e10f}};
    const sn_vec3 line[4] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}},
                  point[3] = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
    const uint32_t one[3] = {0, 1, 2}, beyond[3] = {0, 1, 4}, huge[3] = {0, UINT32_MAX, 2},
                   same[3] = {1, 1, 2};
    refuse(s, SN_ERROR_NULL, "vertices is null", sn_surface_create(NULL, 4, halves, 2, false, &made));
    refuse(s, SN_ERROR_NULL, "triangles is null", sn_surface_create(square, 4, NULL, 2, false, &made));
    refuse(s, SN_ERROR_NULL, "surface is null", sn_surface_create(square, 4, halves, 2, false, NULL));
    refuse(s, SN_ERROR_RANGE, "vertex_count is 0", sn_surface_create(square, 0, halves, 2, false, &made));
    refuse(s, SN_ERROR_RANGE, "triangle_count is 0", sn_surface_create(square, 4, halves, 0, false, &made));
    refuse(s, SN_ERROR_RANGE, "triangle_count is -2", sn_surface_create(square, 4, halves, -2, false, &made));
    refuse(s, SN_ERROR_RANGE, "<= 16777216", sn_surface_create(square, 4, halves, INT32_MAX, false, &made));
    refuse(s, SN_ERROR_RANGE, "corner 2 of triangle 0 is vertex 4, expected < 4",
           sn_surface_create(square, 4, beyond, 1, false, &made));
    refuse(s, SN_ERROR_RANGE, "vertex 4294967295", sn_surface_create(square, 4, huge, 1, false, &made));
    refuse(s, SN_ERROR_NOT_FINITE, "vertex 1 is (0, nan, 0)",
           sn_surface_create(nan, 3, one, 1, false, &made));
    refuse(s, SN_ERROR_RANGE, "vertex 2 is", sn_surface_create(far, 3, one, 1, false, &made));
    refuse(s, SN_ERROR_GEOMETRY, "has an area", sn_surface_create(square, 4, same, 1, false, &made));
    refuse(s, SN_ERROR_GEOMETRY, "none of the 2", sn_surface_create(line, 4, halves, 2, true, &made));
    refuse(s, SN_ERROR_GEOMETRY, "has an area", sn_surface_create(point, 3, one, 1, false, &made));
    assert_null(made);
    sn_surface_destroy(NULL);
}

static void test_of_good_and_flat_triangles_the_good_are_kept(void **state)
{
    (void)state;
    const uint32_t mixed[9] = {0, 1, 2, 1, 1, 3, 0, 2, 3};
    sn_surface *surface = NULL;
    assert_int_equal(sn_surface_create(square, 4, mixed, 3, false, &surface), SN_OK);
    assert_int_equal(sn_surface_triangle_count(surface), 2);
    sn_surface_destroy(surface);
}

// --- compounds and solids ------------------------------------------------------------------------

static const sn_solid good_ball = {
    .type = SN_SPHERE, .pose = {{0, 0, 0}, {0, 0, 0, 1}}, .sphere = {{0, 0, 0}, 1}};

static void test_compounds_are_of_one_to_4096_convex_parts(void **state)
{
    bad_scene *s = *state;
    sn_compound *made = NULL;
    sn_solid parts[2] = {good_ball, good_ball};
    refuse(s, SN_ERROR_NULL, "null", sn_compound_create(NULL, 1, &made));
    refuse(s, SN_ERROR_NULL, "null", sn_compound_create(parts, 1, NULL));
    refuse(s, SN_ERROR_RANGE, "count is 0", sn_compound_create(parts, 0, &made));
    refuse(s, SN_ERROR_RANGE, "count is -1", sn_compound_create(parts, -1, &made));
    refuse(s, SN_ERROR_RANGE, "4097", sn_compound_create(parts, 4097, &made));
    parts[1].sphere.radius = -1.0f;
    refuse(s, SN_ERROR_RANGE, "part 1 of compound: radius is -1", sn_compound_create(parts, 2, &made));
    parts[1].type = SN_COMPOUND;
    refuse(s, SN_ERROR_KIND, "type is 6", sn_compound_create(parts, 2, &made));
    parts[1].type = SN_HULL;
    parts[1].hull = NULL;
    refuse(s, SN_ERROR_NULL, "hull is null", sn_compound_create(parts, 2, &made));
    parts[1] = good_ball;
    parts[1].pose.rotation = (sn_quat){1, 1, 0, 0};
    refuse(s, SN_ERROR_ROTATION, "pose.rotation", sn_compound_create(parts, 2, &made));
    parts[1].pose = (sn_pose){{INFINITY, 0, 0}, {0, 0, 0, 1}};
    refuse(s, SN_ERROR_NOT_FINITE, "pose.position", sn_compound_create(parts, 2, &made));
    assert_null(made);
    sn_compound_destroy(NULL);
}

static void test_masses_need_a_solid_and_a_density(void **state)
{
    bad_scene *s = *state;
    sn_mass mass;
    sn_solid flat = {.type = SN_BOX, .pose = sn_pose_identity, .box = {{1, 0, 1}}};
    refuse(s, SN_ERROR_NULL, "solid is null", sn_solid_mass(NULL, 1.0f, &mass));
    refuse(s, SN_ERROR_NULL, "mass is null", sn_solid_mass(&good_ball, 1.0f, NULL));
    refuse(s, SN_ERROR_RANGE, "density is -1", sn_solid_mass(&good_ball, -1.0f, &mass));
    refuse(s, SN_ERROR_NOT_FINITE, "density", sn_solid_mass(&good_ball, NAN, &mass));
    refuse(s, SN_ERROR_NOT_FINITE, "density", sn_solid_mass(&good_ball, INFINITY, &mass));
    refuse(s, SN_ERROR_RANGE, "half_extents.y", sn_solid_mass(&flat, 1.0f, &mass));
}

// --- closed meshes -------------------------------------------------------------------------------

static const sn_vec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const uint32_t outwards[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

static void test_meshes_must_be_closed_and_turned_outwards(void **state)
{
    bad_scene *s = *state;
    sn_mass mass;
    const uint32_t one_turned[12] = {0, 1, 2, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    const uint32_t inwards[12] = {0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2};
    const uint32_t thrice[15] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3, 0, 1, 3};
    const uint32_t beyond[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 4};
    const sn_vec3 flat[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}},
                  nan[4] = {{0, 0, 0}, {1, NAN, 0}, {0, 1, 0}, {0, 0, 1}};
    const sn_vec3 same[4] = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
    refuse(s, SN_ERROR_GEOMETRY, "has none", sn_mesh_mass(corners, 4, outwards, 3, 1.0f, &mass));
    refuse(s, SN_ERROR_GEOMETRY, "edge from vertex", sn_mesh_mass(corners, 4, one_turned, 4, 1.0f, &mass));
    refuse(s, SN_ERROR_GEOMETRY, "several", sn_mesh_mass(corners, 4, thrice, 5, 1.0f, &mass));
    refuse(s, SN_ERROR_GEOMETRY, "volume is -0.166667", sn_mesh_mass(corners, 4, inwards, 4, 1.0f, &mass));
    refuse(s, SN_ERROR_GEOMETRY, "volume is", sn_mesh_mass(flat, 4, outwards, 4, 1.0f, &mass));
    refuse(s, SN_ERROR_GEOMETRY, "volume is 0", sn_mesh_mass(same, 4, outwards, 4, 1.0f, &mass));
    refuse(s, SN_ERROR_RANGE, "vertex 4, expected < 4", sn_mesh_mass(corners, 4, beyond, 4, 1.0f, &mass));
    refuse(s, SN_ERROR_NOT_FINITE, "vertex 1 is", sn_mesh_mass(nan, 4, outwards, 4, 1.0f, &mass));
    refuse(s, SN_ERROR_RANGE, "triangle_count", sn_mesh_mass(corners, 4, outwards, 0, 1.0f, &mass));
    refuse(s, SN_ERROR_NULL, "vertices is null", sn_mesh_mass(NULL, 4, outwards, 4, 1.0f, &mass));
    refuse(s, SN_ERROR_NULL, "triangles is null", sn_mesh_mass(corners, 4, NULL, 4, 1.0f, &mass));
    refuse(s, SN_ERROR_NULL, "mass is null", sn_mesh_mass(corners, 4, outwards, 4, 1.0f, NULL));
    refuse(s, SN_ERROR_RANGE, "density is -1", sn_mesh_mass(corners, 4, outwards, 4, -1.0f, &mass));
}

static void test_rows_were_many(void **state)
{
    (void)state;
    assert_true(bad_row_count >= 70);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        bad_test(test_points_without_a_volume_make_no_hull),
        bad_test(test_cylinders_need_height_radius_and_sides),
        bad_test(test_triangles_without_vertices_or_area_make_no_surface),
        bad_test(test_of_good_and_flat_triangles_the_good_are_kept),
        bad_test(test_compounds_are_of_one_to_4096_convex_parts),
        bad_test(test_masses_need_a_solid_and_a_density),
        bad_test(test_meshes_must_be_closed_and_turned_outwards),
        cmocka_unit_test(test_rows_were_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
