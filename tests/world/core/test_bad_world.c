// Bad input to what is asked of a whole world: settings, steps, assembly, queries, snapshots, drawing.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "world/core/bad_scene.h"

// --- settings ------------------------------------------------------------------------------------

#define SETTING(field) offsetof(sn_world_def, field)

static const bad_field bad_settings[] = {
    {SETTING(gravity.x), NAN, SN_ERROR_NOT_FINITE, "world: gravity is (nan"},
    {SETTING(gravity.y), -INFINITY, SN_ERROR_NOT_FINITE, "gravity"},
    {SETTING(gravity.z), 1.0e10f, SN_ERROR_RANGE, "gravity is (0, -9.81, 1e+10)"},
    {SETTING(wind.x), NAN, SN_ERROR_NOT_FINITE, "world: wind is (nan"},
    {SETTING(wind.y), 2.0e3f, SN_ERROR_RANGE, "wind is (0, 2000, 0)"},
    {SETTING(contact_stiffness), 0.0f, SN_ERROR_RANGE, "contact_stiffness is 0"},
    {SETTING(contact_stiffness), -0.1f, SN_ERROR_RANGE, "contact_stiffness is -0.1"},
    {SETTING(contact_stiffness), 0.26f, SN_ERROR_RANGE, "<= 0.25"},
    {SETTING(contact_stiffness), NAN, SN_ERROR_NOT_FINITE, "contact_stiffness"},
    {SETTING(contact_damping), -1.0f, SN_ERROR_RANGE, "contact_damping is -1"},
    {SETTING(contact_damping), 101.0f, SN_ERROR_RANGE, "contact_damping is 101"},
    {SETTING(constraint_stiffness), 0.0f, SN_ERROR_RANGE, "constraint_stiffness"},
    {SETTING(constraint_stiffness), 0.6f, SN_ERROR_RANGE, "constraint_stiffness"},
    {SETTING(constraint_damping), INFINITY, SN_ERROR_NOT_FINITE, "constraint_damping is inf"},
    {SETTING(push_speed), 0.0f, SN_ERROR_RANGE, "push_speed is 0"},
    {SETTING(push_speed), -3.0f, SN_ERROR_RANGE, "push_speed is -3"},
    {SETTING(restitution_threshold), -1.0f, SN_ERROR_RANGE, "restitution_threshold"},
    {SETTING(hit_threshold), NAN, SN_ERROR_NOT_FINITE, "hit_threshold"},
    {SETTING(speculative_margin), 0.0f, SN_ERROR_RANGE, "speculative_margin is 0"},
    {SETTING(speculative_margin), 2.0f, SN_ERROR_RANGE, "<= 1"},
    {SETTING(sleep_speed), -0.05f, SN_ERROR_RANGE, "sleep_speed"},
    {SETTING(sleep_time), -0.5f, SN_ERROR_RANGE, "sleep_time"},
    {SETTING(sleep_time), NAN, SN_ERROR_NOT_FINITE, "sleep_time"},
    {SETTING(staggered.correction), 0.0f, SN_ERROR_RANGE, "staggered.correction is 0"},
    {SETTING(staggered.correction), 1.1f, SN_ERROR_RANGE, "staggered.correction is 1.1"},
    {SETTING(staggered.correction), NAN, SN_ERROR_NOT_FINITE, "staggered.correction"},
    {SETTING(staggered.warm_start), -0.1f, SN_ERROR_RANGE, "staggered.warm_start is -0.1"},
    {SETTING(staggered.warm_start), 1.5f, SN_ERROR_RANGE, "<= 1"},
};

static const struct {
    int sub_steps, threads;
    const char *part;
} bad_counts[] = {
    {-1, 1, "sub_steps is -1"},        {257, 1, "sub_steps is 257"}, {INT32_MIN, 1, "sub_steps"},
    {INT32_MAX, 1, "expected >= 0"},   {0, 0, "threads is 0"},       {0, -1, "threads is -1"},
    {0, 65, "expected >= 1 and <= 64"}};

static void refuse_settings(bad_scene *s, const sn_world_def *def, sn_status expected, const char *part)
{
    sn_world *made;
    refuse_answer(s, &made, expected, part, sn_world_create(def, &made));
    refuse(s, expected, part, sn_world_settings_set(s->world, def));
}

static void test_settings_out_of_range_make_no_world_and_change_none(void **state)
{
    bad_scene *s = *state;
    for (size_t i = 0; i < bad_count(bad_settings); ++i) {
        sn_world_def def = sn_world_def_default();
        bad_spoil(&def, &bad_settings[i]);
        refuse_settings(s, &def, bad_settings[i].expected, bad_settings[i].part);
    }
    for (size_t i = 0; i < bad_count(bad_counts); ++i) {
        sn_world_def def = sn_world_def_default();
        def.sub_steps = bad_counts[i].sub_steps;
        def.threads = bad_counts[i].threads;
        refuse_settings(s, &def, SN_ERROR_RANGE, bad_counts[i].part);
    }
}

static void test_solvers_that_do_not_exist_or_never_iterate_are_refused(void **state)
{
    bad_scene *s = *state;
    static const int bad_iterations[] = {INT32_MIN, -1, 0, 1001, INT32_MAX};
    for (size_t i = 0; i < bad_count(bad_iterations); ++i) {
        sn_world_def rigid = sn_world_def_default(), nodes = sn_world_def_default();
        rigid.staggered.rigid_iterations = nodes.staggered.node_iterations = bad_iterations[i];
        refuse_settings(s, &rigid, SN_ERROR_RANGE, "staggered.rigid_iterations");
        refuse_settings(s, &nodes, SN_ERROR_RANGE, "staggered.node_iterations");
    }
    sn_world_def def = sn_world_def_default();
    def.solver = (sn_solver_type)3;
    refuse_settings(s, &def, SN_ERROR_RANGE, "world: solver is 3");
}

static void test_settings_must_come_from_their_default_function(void **state)
{
    bad_scene *s = *state;
    sn_world_def zeros = {0}, def = sn_world_def_default();
    refuse_settings(s, &zeros, SN_ERROR_DEFINITION, "sn_world_def_default");
    refuse_settings(s, NULL, SN_ERROR_NULL, "definition is null");
    refuse(s, SN_ERROR_NULL, "world is null", sn_world_create(&def, NULL));
}

static void test_wind_must_be_finite_and_slower_than_a_kilometre_a_second(void **state)
{
    bad_scene *s = *state;
    refuse(s, SN_ERROR_NOT_FINITE, "wind is (0, nan, 0)", sn_world_wind_set(s->world, sn_v(0, NAN, 0)));
    refuse(s, SN_ERROR_RANGE, "wind is (1001, 0, 0)", sn_world_wind_set(s->world, sn_v(1001.0f, 0, 0)));
    refuse(s, SN_ERROR_NULL, "world is null", sn_world_wind_set(NULL, sn_v(0, 0, 0)));
}

static void test_gravity_must_be_finite_and_bearable(void **state)
{
    bad_scene *s = *state;
    refuse(s, SN_ERROR_NOT_FINITE, "gravity is (0, nan, 0)", sn_world_gravity_set(s->world, sn_v(0, NAN, 0)));
    refuse(s, SN_ERROR_NOT_FINITE, "gravity", sn_world_gravity_set(s->world, sn_v(INFINITY, 0, 0)));
    refuse(s, SN_ERROR_RANGE, "1e+10", sn_world_gravity_set(s->world, sn_v(0, 0, -1.0e10f)));
    refuse(s, SN_ERROR_NULL, "world is null", sn_world_gravity_set(NULL, sn_v(0, 0, 0)));
}

// --- steps and assembly --------------------------------------------------------------------------

static void test_steps_last_a_millionth_of_a_second_to_one_second(void **state)
{
    static const struct {
        float duration;
        sn_status expected;
        const char *part;
    } rows[] = {{0.0f, SN_ERROR_RANGE, "duration is 0"},
                {-0.0f, SN_ERROR_RANGE, "duration is -0"},
                {-1.0f / 60.0f, SN_ERROR_RANGE, "duration is -0.0166667"},
                {NAN, SN_ERROR_NOT_FINITE, "duration is nan"},
                {INFINITY, SN_ERROR_NOT_FINITE, "duration is inf"},
                {-INFINITY, SN_ERROR_NOT_FINITE, "duration is -inf"},
                {1.001f, SN_ERROR_RANGE, "expected >= 1e-06 and <= 1"},
                {1.0e10f, SN_ERROR_RANGE, "duration is 1e+10"},
                {1.0e-7f, SN_ERROR_RANGE, "duration is 1e-07"},
                {1.0e-45f, SN_ERROR_RANGE, "duration"}};
    bad_scene *s = *state;
    for (size_t i = 0; i < bad_count(rows); ++i) {
        refuse(s, rows[i].expected, rows[i].part, sn_world_step(s->world, rows[i].duration));
    }
    refuse(s, SN_ERROR_NULL, "sn_world_step: world is null", sn_world_step(NULL, BAD_STEP));
    assert_int_equal(sn_world_step(s->world, 1.0f), SN_OK);
    assert_int_equal(sn_world_step(s->world, 1.0e-6f), SN_OK);
}

static void test_assembly_needs_a_tolerance_and_iterations(void **state)
{
    bad_scene *s = *state;
    sn_world *w = s->world;
    sn_assembly report;
    refuse_answer(s, &report, SN_ERROR_RANGE, "tolerance is 0", sn_world_assemble(w, 0.0f, 10, &report));
    refuse_answer(s, &report, SN_ERROR_RANGE, "tolerance is -1", sn_world_assemble(w, -1.0f, 10, &report));
    refuse_answer(s, &report, SN_ERROR_NOT_FINITE, "tolerance", sn_world_assemble(w, NAN, 10, &report));
    refuse_answer(s, &report, SN_ERROR_NOT_FINITE, "tolerance", sn_world_assemble(w, INFINITY, 10, &report));
    refuse_answer(s, &report, SN_ERROR_RANGE, "max_iterations is 0", sn_world_assemble(w, 1.0f, 0, &report));
    refuse_answer(s, &report, SN_ERROR_RANGE, "max_iterations", sn_world_assemble(w, 1.0f, -1, &report));
    refuse_answer(s, &report, SN_ERROR_RANGE, "100001", sn_world_assemble(w, 1.0f, 100001, &report));
    refuse(s, SN_ERROR_NULL, "world is null", sn_world_assemble(NULL, 1.0f, 1, NULL));
}

// --- no world at all -----------------------------------------------------------------------------

static void test_no_world_is_no_crash(void **state)
{
    bad_scene *s = *state;
    sn_rigid_def def = sn_rigid_def_default();
    sn_ball_def ball = sn_ball_def_default();
    size_t size;
    sn_world_destroy(NULL);
    refuse_answer(s, &s->rigid, SN_ERROR_NULL, "sn_rigid_add: world is null",
                  sn_rigid_add(NULL, &def, &s->rigid));
    refuse_answer(s, &s->shape, SN_ERROR_NULL, "sphere: world is null",
                  sn_sphere_add(NULL, s->crate, NULL, (sn_sphere){{0, 0, 0}, 1}, &s->shape));
    refuse_answer(s, &s->constraint, SN_ERROR_NULL, "ball: world is null",
                  sn_ball_add(NULL, &ball, &s->constraint));
    refuse(s, SN_ERROR_NULL, "world is null", sn_rigid_remove(NULL, s->crate));
    refuse(s, SN_ERROR_NULL, "world is null", sn_shape_remove(NULL, s->crate_box));
    refuse(s, SN_ERROR_NULL, "world is null", sn_constraint_remove(NULL, s->joints[0]));
    answers_nothing(s, "world is null", sn_ball_definition(NULL, s->joints[0]).common.cookie == 0);
    answers_nothing(s, "world is null", sn_shape_box(NULL, s->crate_box).half_extents.x == 0.0f);
    refuse(s, SN_ERROR_NULL, "world is null", sn_world_save(NULL, NULL, 0, &size));
    refuse(s, SN_ERROR_NULL, "world is null", sn_world_restore(NULL, &size, sizeof size));
    assert_int_equal(sn_world_ground(NULL).index, 0);
    assert_int_equal(sn_world_statistics(NULL).rigid_count, 0);
    assert_int_equal(sn_world_events(NULL).move_count, 0);
    assert_int_equal(sn_world_rigids(NULL, &s->rigid, 1), 0);
    assert_int_equal(sn_world_constraints(NULL, &s->constraint, 1), 0);
    assert_int_equal(sn_world_step_count(NULL), 0);
    assert_true(sn_world_time(NULL) == 0.0 && sn_world_energy(NULL).mass == 0.0);
    assert_int_equal(sn_world_sub_steps(NULL), 0);
    assert_int_equal(sn_world_hash(NULL), 0);
    assert_false(sn_rigid_is_valid(NULL, s->crate) || sn_shape_is_valid(NULL, s->crate_box));
    assert_false(sn_constraint_is_valid(NULL, s->joints[0]));
    assert_non_null(sn_world_error(NULL));
}

// --- queries, snapshots, drawing -----------------------------------------------------------------

static bool stop(const sn_hit *hit, void *user)
{
    (void)hit;
    (void)user;
    return false;
}

static void test_queries_check_what_they_are_asked(void **state)
{
    bad_scene *s = *state;
    const sn_world *w = s->world;
    sn_query_filter all = sn_query_filter_default();
    sn_vec3 up = {0, 1, 0}, nan = {NAN, 0, 0}, far = {0, 1.0e10f, 0}, none = {0, 0, 0};
    sn_solid plane = {.type = SN_PLANE, .pose = sn_pose_identity}, ball = {.pose = sn_pose_identity};
    sn_solid turned = {.pose = {{0, 0, 0}, {0, 0, 0, 2}}, .sphere = {{0, 0, 0}, 1}};
    sn_bounds nowhere = {{NAN, 0, 0}, {1, 1, 1}};
    sn_closest closest;
    sn_hit hit;
    int count;
    refuse(s, SN_ERROR_NOT_FINITE, "origin is (nan", sn_world_ray(w, nan, up, all, &hit));
    refuse(s, SN_ERROR_RANGE, "origin is (0, 1e+10, 0)", sn_world_ray(w, far, up, all, &hit));
    refuse(s, SN_ERROR_NOT_FINITE, "translation", sn_world_ray(w, up, nan, all, &hit));
    refuse(s, SN_ERROR_RANGE, "length of translation is 0", sn_world_ray(w, up, none, all, &hit));
    refuse(s, SN_ERROR_RANGE, "translation is (0, 1e+10, 0)", sn_world_ray(w, up, far, all, &hit));
    refuse(s, SN_ERROR_NULL, "hit is null", sn_world_ray(w, up, up, all, NULL));
    refuse(s, SN_ERROR_NULL, "world is null", sn_world_ray(NULL, up, up, all, &hit));
    refuse(s, SN_ERROR_NULL, "function is null", sn_world_ray_all(s->world, up, up, all, NULL, NULL));
    refuse(s, SN_ERROR_RANGE, "translation", sn_world_ray_all(s->world, up, none, all, stop, NULL));
    refuse(s, SN_ERROR_NULL, "solid is null", sn_world_sweep(w, NULL, up, all, &hit));
    refuse(s, SN_ERROR_KIND, "type is 4", sn_world_sweep(w, &plane, up, all, &hit));
    refuse(s, SN_ERROR_RANGE, "radius is 0", sn_world_sweep(w, &ball, up, all, &hit));
    refuse(s, SN_ERROR_ROTATION, "of length 2", sn_world_sweep(w, &turned, up, all, &hit));
    refuse(s, SN_ERROR_NULL, "count is null", sn_world_overlap(w, &ball, all, NULL, 0, NULL));
    refuse(s, SN_ERROR_RANGE, "radius", sn_world_overlap(w, &ball, all, NULL, 0, &count));
    refuse(s, SN_ERROR_NOT_FINITE, "nan", sn_world_overlap_bounds(w, nowhere, all, NULL, 0, &count));
    refuse(s, SN_ERROR_RANGE, "reach is 0", sn_world_closest(w, up, 0.0f, all, &closest));
    refuse(s, SN_ERROR_NOT_FINITE, "reach is nan", sn_world_closest(w, up, NAN, all, &closest));
    refuse(s, SN_ERROR_NULL, "closest is null", sn_world_closest(w, up, 1.0f, all, NULL));
}

static void test_snapshots_need_room_and_true_bytes(void **state)
{
    bad_scene *s = *state;
    static unsigned char bytes[65536];
    size_t size = 0, small = 0;
    refuse(s, SN_ERROR_NULL, "size is null", sn_world_save(s->world, bytes, sizeof bytes, NULL));
    refuse(s, SN_ERROR_BUFFER, "capacity is 16 bytes", sn_world_save(s->world, bytes, 16, &small));
    assert_int_equal(sn_world_save(s->world, bytes, sizeof bytes, &size), SN_OK);
    refuse(s, SN_ERROR_NULL, "buffer is null", sn_world_restore(s->world, NULL, size));
    refuse(s, SN_ERROR_FORMAT, "byte", sn_world_restore(s->world, bytes, 0));
    refuse(s, SN_ERROR_FORMAT, "byte", sn_world_restore(s->world, bytes, size - 1));
    bytes[size / 2] ^= 1u;
    refuse(s, SN_ERROR_FORMAT, "checksum", sn_world_restore(s->world, bytes, size));
    bytes[8] ^= 1u;
    refuse(s, SN_ERROR_VERSION, "version", sn_world_restore(s->world, bytes, size));
    bytes[0] ^= 1u;
    refuse(s, SN_ERROR_FORMAT, "does not begin", sn_world_restore(s->world, bytes, size));
}

static void test_drawing_needs_a_drawer(void **state)
{
    bad_scene *s = *state;
    sn_draw draw = sn_draw_default();
    draw.force_scale = NAN;
    refuse(s, SN_ERROR_NULL, "draw is null", sn_world_draw(s->world, NULL));
    refuse(s, SN_ERROR_NULL, "world is null", sn_world_draw(NULL, &draw));
    refuse(s, SN_ERROR_NOT_FINITE, "force_scale", sn_world_draw(s->world, &draw));
}

static void test_rows_were_many(void **state)
{
    (void)state;
    assert_true(bad_row_count >= 110);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        bad_test(test_settings_out_of_range_make_no_world_and_change_none),
        bad_test(test_solvers_that_do_not_exist_or_never_iterate_are_refused),
        bad_test(test_settings_must_come_from_their_default_function),
        bad_test(test_gravity_must_be_finite_and_bearable),
        bad_test(test_wind_must_be_finite_and_slower_than_a_kilometre_a_second),
        bad_test(test_steps_last_a_millionth_of_a_second_to_one_second),
        bad_test(test_assembly_needs_a_tolerance_and_iterations),
        bad_test(test_no_world_is_no_crash),
        bad_test(test_queries_check_what_they_are_asked),
        bad_test(test_snapshots_need_room_and_true_bytes),
        bad_test(test_drawing_needs_a_drawer),
        cmocka_unit_test(test_rows_were_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
