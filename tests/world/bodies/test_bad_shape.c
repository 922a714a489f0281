// Bad input to shapes: sizes, materials, geometry that a body may not have, and changes while running.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "world/core/bad_scene.h"

// --- primitives ----------------------------------------------------------------------------------

static void test_spheres_need_a_finite_place_and_a_positive_radius(void **state)
{
    static const struct {
        sn_sphere sphere;
        sn_status expected;
        const char *part;
    } rows[] = {
        {{{0, 0, 0}, 0.0f}, SN_ERROR_RANGE, "radius is 0"},
        {{{0, 0, 0}, -1.0f}, SN_ERROR_RANGE, "radius is -1"},
        {{{0, 0, 0}, 1.0e-6f}, SN_ERROR_RANGE, "radius is 1e-06, expected >= 1e-05"},
        {{{0, 0, 0}, 1.0e10f}, SN_ERROR_RANGE, "radius is 1e+10"},
        {{{0, 0, 0}, NAN}, SN_ERROR_NOT_FINITE, "radius is nan"},
        {{{0, 0, 0}, INFINITY}, SN_ERROR_NOT_FINITE, "radius is inf"},
        {{{NAN, 0, 0}, 1.0f}, SN_ERROR_NOT_FINITE, "center is (nan, 0, 0)"},
        {{{0, 1.0e10f, 0}, 1.0f}, SN_ERROR_RANGE, "center is (0, 1e+10, 0)"},
    };
    bad_scene *s = *state;
    for (size_t i = 0; i < bad_count(rows); ++i) {
        refuse_answer(s, &s->shape, rows[i].expected, rows[i].part,
                      sn_sphere_add(s->world, s->ball, NULL, rows[i].sphere, &s->shape));
        refuse(s, rows[i].expected, rows[i].part,
               sn_shape_sphere_set(s->world, s->ball_sphere, rows[i].sphere));
    }
    refuse(s, SN_ERROR_RANGE, "sphere of rigid 'ball': radius",
           sn_sphere_add(s->world, s->ball, NULL, (sn_sphere){{0, 0, 0}, 0}, NULL));
}

static void test_capsules_need_two_ends_and_a_radius(void **state)
{
    static const struct {
        sn_capsule capsule;
        sn_status expected;
        const char *part;
    } rows[] = {
        {{{0, 0, 0}, {0, 0, 0}, 1.0f}, SN_ERROR_RANGE, "distance from a to b is 0"},
        {{{0, 0, 0}, {1.0e-5f, 0, 0}, 1.0f}, SN_ERROR_RANGE, "expected >= 0.0001"},
        {{{0, 0, 0}, {1, 0, 0}, 0.0f}, SN_ERROR_RANGE, "radius is 0"},
        {{{0, 0, 0}, {1, 0, 0}, -0.5f}, SN_ERROR_RANGE, "radius is -0.5"},
        {{{0, 0, 0}, {1, 0, 0}, NAN}, SN_ERROR_NOT_FINITE, "radius"},
        {{{NAN, 0, 0}, {1, 0, 0}, 1.0f}, SN_ERROR_NOT_FINITE, "a is (nan"},
        {{{0, 0, 0}, {0, -INFINITY, 0}, 1.0f}, SN_ERROR_NOT_FINITE, "b is (0, -inf"},
        {{{0, 0, 0}, {0, 0, 1.0e10f}, 1.0f}, SN_ERROR_RANGE, "b is (0, 0, 1e+10)"},
    };
    bad_scene *s = *state;
    for (size_t i = 0; i < bad_count(rows); ++i) {
        refuse_answer(s, &s->shape, rows[i].expected, rows[i].part,
                      sn_capsule_add(s->world, s->rod, NULL, rows[i].capsule, &s->shape));
        refuse(s, rows[i].expected, rows[i].part,
               sn_shape_capsule_set(s->world, s->rod_capsule, rows[i].capsule));
    }
}

static void test_boxes_need_three_extents(void **state)
{
    static const struct {
        sn_box box;
        sn_status expected;
        const char *part;
    } rows[] = {
        {{{0, 1, 1}}, SN_ERROR_RANGE, "half_extents.x is 0"},
        {{{1, -1, 1}}, SN_ERROR_RANGE, "half_extents.y is -1"},
        {{{1, 1, 1.0e10f}}, SN_ERROR_RANGE, "half_extents.z is 1e+10"},
        {{{NAN, 1, 1}}, SN_ERROR_NOT_FINITE, "half_extents.x is nan"},
        {{{1, INFINITY, 1}}, SN_ERROR_NOT_FINITE, "half_extents.y is inf"},
        {{{1, 1, -INFINITY}}, SN_ERROR_NOT_FINITE, "half_extents.z is -inf"},
    };
    bad_scene *s = *state;
    for (size_t i = 0; i < bad_count(rows); ++i) {
        refuse_answer(s, &s->shape, rows[i].expected, rows[i].part,
                      sn_box_add(s->world, s->crate, NULL, rows[i].box, &s->shape));
        refuse(s, rows[i].expected, rows[i].part, sn_shape_box_set(s->world, s->crate_box, rows[i].box));
    }
}

static void test_planes_need_a_direction_and_a_static_body(void **state)
{
    bad_scene *s = *state;
    sn_world *w = s->world;
    sn_shape *out = &s->shape;
    const sn_plane floor = {{0, 1, 0}, 0}, none = {{0, 0, 0}, 0}, nan = {{0, NAN, 0}, 0};
    const sn_plane far = {{0, 1, 0}, 1.0e10f}, nowhere = {{0, 1, 0}, NAN};
    refuse_answer(s, out, SN_ERROR_ROTATION, "normal is (0, 0, 0)",
                  sn_plane_add(w, s->wall, NULL, none, out));
    refuse_answer(s, out, SN_ERROR_NOT_FINITE, "normal", sn_plane_add(w, s->wall, NULL, nan, out));
    refuse_answer(s, out, SN_ERROR_RANGE, "offset is 1e+10", sn_plane_add(w, s->wall, NULL, far, out));
    refuse_answer(s, out, SN_ERROR_NOT_FINITE, "offset", sn_plane_add(w, s->wall, NULL, nowhere, out));
    refuse_answer(s, out, SN_ERROR_KIND, "plane of rigid 'crate'",
                  sn_plane_add(w, s->crate, NULL, floor, out));
    refuse_answer(s, out, SN_ERROR_KIND, "expected SN_STATIC", sn_plane_add(w, s->lift, NULL, floor, out));
}

static void test_shared_geometry_must_be_there_and_suit_the_body(void **state)
{
    bad_scene *s = *state;
    sn_world *w = s->world;
    sn_shape *out = &s->shape;
    sn_surface *surface = bad_make_surface();
    refuse_answer(s, out, SN_ERROR_KIND, "surface of rigid 'crate'",
                  sn_surface_add(w, s->crate, NULL, surface, out));
    refuse_answer(s, out, SN_ERROR_NULL, "geometry is null", sn_surface_add(w, s->wall, NULL, NULL, out));
    refuse_answer(s, out, SN_ERROR_NULL, "hull of rigid 'crate': geometry is null",
                  sn_hull_add(w, s->crate, NULL, NULL, out));
    refuse_answer(s, out, SN_ERROR_NULL, "geometry is null", sn_compound_add(w, s->crate, NULL, NULL, out));
    sn_surface_destroy(surface);
}

// --- definitions ---------------------------------------------------------------------------------

#define FIELD(field) offsetof(sn_shape_def, field)

static const bad_field bad_fields[] = {
    {FIELD(density), -1.0f, SN_ERROR_RANGE, "box of rigid 'crate': density is -1"},
    {FIELD(density), NAN, SN_ERROR_NOT_FINITE, "density is nan"},
    {FIELD(density), INFINITY, SN_ERROR_NOT_FINITE, "density is inf"},
    {FIELD(density), 1.0e10f, SN_ERROR_RANGE, "density is 1e+10"},
    {FIELD(density), 1.0e-20f, SN_ERROR_RANGE, "mass of a shape is 8e-20"},
    {FIELD(friction), -0.5f, SN_ERROR_RANGE, "friction is -0.5"},
    {FIELD(friction), 101.0f, SN_ERROR_RANGE, "friction is 101"},
    {FIELD(friction), NAN, SN_ERROR_NOT_FINITE, "friction is nan"},
    {FIELD(friction), INFINITY, SN_ERROR_NOT_FINITE, "friction is inf"},
    {FIELD(restitution), -0.1f, SN_ERROR_RANGE, "restitution is -0.1"},
    {FIELD(restitution), 1.1f, SN_ERROR_RANGE, "restitution is 1.1"},
    {FIELD(restitution), NAN, SN_ERROR_NOT_FINITE, "restitution is nan"},
    {FIELD(rolling_resistance), -1.0f, SN_ERROR_RANGE, "rolling_resistance is -1"},
    {FIELD(rolling_resistance), NAN, SN_ERROR_NOT_FINITE, "rolling_resistance"},
    {FIELD(surface_velocity.y), 1.0e6f, SN_ERROR_RANGE, "surface_velocity"},
    {FIELD(surface_velocity.z), NAN, SN_ERROR_NOT_FINITE, "surface_velocity"},
    {FIELD(offset.position.x), NAN, SN_ERROR_NOT_FINITE, "offset.position is (nan"},
    {FIELD(offset.position.y), 1.0e10f, SN_ERROR_RANGE, "offset.position is (0, 1e+10, 0)"},
    {FIELD(offset.rotation.w), 0.0f, SN_ERROR_ROTATION, "offset.rotation is (0, 0, 0, 0)"},
    {FIELD(offset.rotation.y), 0.1f, SN_ERROR_ROTATION, "expected length 1"},
    {FIELD(offset.rotation.z), NAN, SN_ERROR_NOT_FINITE, "offset.rotation"},
};

static void test_definitions_with_bad_numbers_make_no_shape(void **state)
{
    bad_scene *s = *state;
    const sn_box box = {{1, 1, 1}};
    for (size_t i = 0; i < bad_count(bad_fields); ++i) {
        sn_shape_def def = sn_shape_def_default();
        bad_spoil(&def, &bad_fields[i]);
        refuse_answer(s, &s->shape, bad_fields[i].expected, bad_fields[i].part,
                      sn_box_add(s->world, s->crate, &def, box, &s->shape));
    }
    sn_shape_def zeros = {0};
    refuse_answer(s, &s->shape, SN_ERROR_DEFINITION, "sn_shape_def_default",
                  sn_box_add(s->world, s->crate, &zeros, box, &s->shape));
}

static void test_no_dynamic_body_outweighs_what_floats_can_push(void **state)
{
    bad_scene *s = *state;
    sn_world *w = s->world;
    const sn_box hill = {{1.0e4f, 1.0e4f, 1.0e4f}}, mote = {{1.0e-5f, 1.0e-5f, 1.0e-5f}};
    const sn_sphere moon = {{0, 0, 0}, 1.0e6f};
    sn_shape_def def = sn_shape_def_default();
    def.density = 1.0e9f;
    refuse_answer(s, &s->shape, SN_ERROR_RANGE, "mass of the body would be 8e+15",
                  sn_box_add(w, s->crate, NULL, hill, &s->shape));
    refuse_answer(s, &s->shape, SN_ERROR_RANGE, "expected <= 1e+15",
                  sn_sphere_add(w, s->crate, &def, moon, &s->shape));
    refuse(s, SN_ERROR_RANGE, "mass of the body", sn_shape_box_set(w, s->crate_box, hill));
    refuse(s, SN_ERROR_RANGE, "mass of the body", sn_shape_sphere_set(w, s->ball_sphere, moon));
    refuse(s, SN_ERROR_RANGE, "mass of a shape", sn_shape_density_set(w, s->crate_box, 1.0e-30f));
    def.density = 1.0f;
    refuse_answer(s, &s->shape, SN_ERROR_RANGE, "expected 0 or >= 1e-12",
                  sn_box_add(w, s->crate, &def, mote, &s->shape));
    assert_int_equal(sn_sphere_add(w, sn_world_ground(w), NULL, moon, NULL), SN_OK);
}

// --- changes while running -----------------------------------------------------------------------

typedef sn_status (*material_function)(sn_world *world, sn_shape shape, float value);

static void test_materials_change_within_their_ranges_only(void **state)
{
    static const struct {
        material_function call;
        const char *part;
        float too_much;
    } rows[] = {{sn_shape_friction_set, "of rigid 'crate': friction", 101.0f},
                {sn_shape_restitution_set, "of rigid 'crate': restitution", 1.01f},
                {sn_shape_rolling_resistance_set, "of rigid 'crate': rolling_resistance", 1.0e10f},
                {sn_shape_density_set, "of rigid 'crate': density", 1.0e10f}};
    bad_scene *s = *state;
    for (size_t i = 0; i < bad_count(rows); ++i) {
        const char *part = rows[i].part;
        material_function call = rows[i].call;
        refuse_named(s, part, SN_ERROR_RANGE, part, call(s->world, s->crate_box, -0.5f));
        refuse_named(s, part, SN_ERROR_RANGE, part, call(s->world, s->crate_box, rows[i].too_much));
        refuse_named(s, part, SN_ERROR_NOT_FINITE, part, call(s->world, s->crate_box, NAN));
        refuse_named(s, part, SN_ERROR_NOT_FINITE, part, call(s->world, s->crate_box, INFINITY));
    }
}

static void test_geometry_is_replaced_and_read_by_its_own_type_only(void **state)
{
    bad_scene *s = *state;
    sn_world *w = s->world;
    sn_sphere sphere = {{0, 0, 0}, 1};
    sn_capsule capsule = {{0, 0, 0}, {1, 0, 0}, 1};
    sn_box box = {{1, 1, 1}};
    refuse(s, SN_ERROR_KIND, "of rigid 'crate' is of type 2", sn_shape_sphere_set(w, s->crate_box, sphere));
    refuse(s, SN_ERROR_KIND, "expected 1", sn_shape_capsule_set(w, s->ball_sphere, capsule));
    refuse(s, SN_ERROR_KIND, "of rigid 'wall'", sn_shape_box_set(w, s->wall_plane, box));
    answers_nothing(s, "expected 0", sn_shape_sphere(w, s->crate_box).radius == 0.0f);
    answers_nothing(s, "expected 1", sn_shape_capsule(w, s->crate_box).radius == 0.0f);
    answers_nothing(s, "expected 2", sn_shape_box(w, s->ball_sphere).half_extents.x == 0.0f);
    answers_nothing(s, "expected 3", sn_shape_hull(w, s->crate_box) == NULL);
    answers_nothing(s, "expected 4", sn_shape_plane(w, s->crate_box).normal.x == 0.0f);
    answers_nothing(s, "expected 5", sn_shape_surface(w, s->crate_box) == NULL);
    answers_nothing(s, "expected 6", sn_shape_compound(w, s->crate_box) == NULL);
}

static void test_rows_were_many(void **state)
{
    (void)state;
    assert_true(bad_row_count >= 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        bad_test(test_spheres_need_a_finite_place_and_a_positive_radius),
        bad_test(test_capsules_need_two_ends_and_a_radius),
        bad_test(test_boxes_need_three_extents),
        bad_test(test_planes_need_a_direction_and_a_static_body),
        bad_test(test_shared_geometry_must_be_there_and_suit_the_body),
        bad_test(test_definitions_with_bad_numbers_make_no_shape),
        bad_test(test_no_dynamic_body_outweighs_what_floats_can_push),
        bad_test(test_materials_change_within_their_ranges_only),
        bad_test(test_geometry_is_replaced_and_read_by_its_own_type_only),
        cmocka_unit_test(test_rows_were_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
