// Bad input to constraints: what all kinds share, what each has of its own, and kinds from outside.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "world/core/bad_scene.h"

// --- one way to call every kind ------------------------------------------------------------------

static sn_definition default_of(bad_scene *s, sn_constraint_kind kind)
{
    static const float height = 1.0f;
    sn_definition def = sn_definition_default(sn_kinds[kind]);
    if (kind == SN_CUSTOM) {
        def.custom.kind_name = "height";
        def.custom.data = &height;
    }
    def.common.a = sn_point_rigid(s->crate, sn_v(0.0f, 0.0f, 0.0f));
    def.common.b = sn_point_rigid(s->ball, sn_v(0.0f, 0.0f, 0.0f));
    def.common.name = "latch";
    return def;
}

// `def` is the kind's definition, or null.
static sn_status add(bad_scene *s, sn_constraint_kind kind, const void *def)
{
    return sn_constraint_add(s->world, kind, def, &s->constraint);
}

// Replaces the scene's own constraint of that kind, which must not be custom.
static sn_status set(bad_scene *s, sn_constraint_kind kind, const void *def)
{
    return sn_constraint_def_set(s->world, s->joints[kind], def);
}

static void refuse_added(bad_scene *s, sn_constraint_kind kind, const sn_definition *def, sn_status expected,
                         const char *part)
{
    refuse_answer(s, &s->constraint, expected, part, add(s, kind, def));
}

static void refuse_both(bad_scene *s, sn_constraint_kind kind, const sn_definition *def, sn_status expected,
                        const char *part)
{
    refuse_added(s, kind, def, expected, part);
    if (kind != SN_CUSTOM) {
        refuse(s, expected, part, set(s, kind, def));
    }
}

static void refuse_fields(bad_scene *s, sn_constraint_kind kind, const bad_field *rows, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        sn_definition def = default_of(s, kind);
        bad_spoil(&def, &rows[i]);
        refuse_both(s, kind, &def, rows[i].expected, rows[i].part);
    }
}

// --- what all kinds share ------------------------------------------------------------------------

#define COMMON(field) offsetof(sn_constraint_common, field)

static const bad_field bad_common[] = {
    {COMMON(compliance), -1.0f, SN_ERROR_RANGE, "'latch': compliance is -1, expected >= 0"},
    {COMMON(compliance), NAN, SN_ERROR_NOT_FINITE, "compliance"},
    {COMMON(angular_compliance), INFINITY, SN_ERROR_NOT_FINITE, "angular_compliance is inf"},
    {COMMON(angular_compliance), -1.0e-9f, SN_ERROR_RANGE, "angular_compliance"},
    {COMMON(damping), -0.5f, SN_ERROR_RANGE, "damping is -0.5"},
    {COMMON(angular_damping), NAN, SN_ERROR_NOT_FINITE, "angular_damping"},
    {COMMON(break_force), 0.0f, SN_ERROR_RANGE, "break_force is 0, expected > 0"},
    {COMMON(break_force), -10.0f, SN_ERROR_RANGE, "break_force is -10"},
    {COMMON(break_force), NAN, SN_ERROR_NOT_FINITE, "break_force is nan"},
    {COMMON(break_torque), -INFINITY, SN_ERROR_RANGE, "break_torque is -inf"},
    {COMMON(a.position.x), NAN, SN_ERROR_NOT_FINITE, "a.position"},
    {COMMON(a.rotation.w), 0.5f, SN_ERROR_ROTATION, "a.rotation is (0, 0, 0, 0.5)"},
    {COMMON(max_force), 0.0f, SN_ERROR_RANGE, "max_force is 0, expected > 0"},
    {COMMON(active_from), -1.0f, SN_ERROR_RANGE, "active_from is -1, expected 0 or later"},
    {COMMON(active_until), NAN, SN_ERROR_NOT_FINITE, "active_until is nan"},
    {COMMON(sliding_friction), -1.0f, SN_ERROR_RANGE, "sliding_friction is -1"},
    {COMMON(b.position.y), 1.0e10f, SN_ERROR_RANGE, "b.position is (0, 1e+10, 0)"},
    {COMMON(b.rotation.x), 1.0f, SN_ERROR_ROTATION, "b.rotation"},
    {COMMON(b.rotation.z), NAN, SN_ERROR_NOT_FINITE, "b.rotation"},
};

static void test_common_fields_are_checked_for_every_kind(void **state)
{
    bad_scene *s = *state;
    for (int kind = 0; kind < SN_CONSTRAINT_KIND_COUNT; ++kind) {
        refuse_fields(s, (sn_constraint_kind)kind, bad_common, bad_count(bad_common));
    }
}

static void test_definitions_must_come_from_the_kinds_own_default_function(void **state)
{
    bad_scene *s = *state;
    for (int kind = 0; kind < SN_CONSTRAINT_KIND_COUNT; ++kind) {
        sn_definition def = default_of(s, (sn_constraint_kind)kind);
        const char *name = sn_constraint_kind_name((sn_constraint_kind)kind);
        def.common.cookie = default_of(s, kind == SN_BALL ? SN_HINGE : SN_BALL).common.cookie;
        refuse_both(s, (sn_constraint_kind)kind, &def, SN_ERROR_DEFINITION, name);
        memset(&def, 0, sizeof def);
        refuse_both(s, (sn_constraint_kind)kind, &def, SN_ERROR_DEFINITION, "does not come from its default");
        // Not even looked at: pointers that lead nowhere.
        memset(&def, 0xa5, sizeof def);
        refuse_both(s, (sn_constraint_kind)kind, &def, SN_ERROR_DEFINITION, name);
        refuse_both(s, (sn_constraint_kind)kind, NULL, SN_ERROR_NULL, "definition is null");
    }
}

static void test_names_have_at_most_sixty_three_bytes(void **state)
{
    bad_scene *s = *state;
    for (int kind = 0; kind < SN_CONSTRAINT_KIND_COUNT; ++kind) {
        sn_definition def = default_of(s, (sn_constraint_kind)kind);
        def.common.name = "a name of sixty-four bytes, which is one more than there may be!";
        refuse_both(s, (sn_constraint_kind)kind, &def, SN_ERROR_NAME, "expected at most 63 bytes");
    }
}

static void test_constraints_join_two_bodies_of_which_one_moves(void **state)
{
    bad_scene *s = *state;
    sn_rigid ground = sn_world_ground(s->world);
    const struct {
        sn_rigid a, b;
        sn_status expected;
        const char *part;
    } rows[] = {
        {s->crate, s->crate, SN_ERROR_SAME_BODY, "'latch': a and b are both rigid 'crate'"},
        {ground, ground, SN_ERROR_SAME_BODY, "both rigid 'ground'"},
        {s->wall, ground, SN_ERROR_IMMOVABLE, "neither rigid 'wall' nor rigid 'ground' can move"},
        {s->wall, s->lift, SN_ERROR_IMMOVABLE, "nor rigid 'lift' can move, expected one dynamic"},
        {s->lift, ground, SN_ERROR_IMMOVABLE, "neither rigid 'lift'"},
        {s->no_rigid[BAD_ZERO], s->crate, SN_ERROR_ID, "zero"},
        {s->crate, s->no_rigid[BAD_ZERO], SN_ERROR_ID, "zero"},
        {s->no_rigid[BAD_STALE], s->crate, SN_ERROR_ID, "stale"},
        {s->crate, s->no_rigid[BAD_STALE], SN_ERROR_ID, "stale"},
        {s->no_rigid[BAD_FOREIGN], s->crate, SN_ERROR_ID, "of another world"},
        {s->crate, s->no_rigid[BAD_FOREIGN], SN_ERROR_ID, "of another world"},
        {s->crate, s->no_rigid[BAD_BEYOND], SN_ERROR_ID, "expected one that exists"},
    };
    for (int kind = 0; kind < SN_CONSTRAINT_KIND_COUNT; ++kind) {
        for (size_t i = 0; i < bad_count(rows); ++i) {
            sn_definition def = default_of(s, (sn_constraint_kind)kind);
            def.common.a = sn_point_rigid(rows[i].a, sn_v(0.0f, 0.0f, 0.0f));
            def.common.b = sn_point_rigid(rows[i].b, sn_v(0.0f, 0.0f, 0.0f));
            refuse_added(s, (sn_constraint_kind)kind, &def, rows[i].expected, rows[i].part);
        }
    }
}

static void test_frames_are_placed_at_points_and_along_directions(void **state)
{
    bad_scene *s = *state;
    const sn_world *w = s->world;
    const sn_vec3 up = {0, 1, 0}, nan = {NAN, 0, 0}, far = {0, 0, 1.0e10f}, none = {0, 0, 0};
    const sn_rigid a = s->crate, b = s->ball;
    sn_constraint_common common = sn_ball_def_default().common;
    const sn_constraint_common before = common;
    refuse(s, SN_ERROR_NOT_FINITE, "point", sn_constraint_place(w, &common, a, b, nan, up));
    refuse(s, SN_ERROR_RANGE, "point is (0, 0, 1e+10)", sn_constraint_place(w, &common, a, b, far, up));
    refuse(s, SN_ERROR_ROTATION, "axis is (0, 0, 0)", sn_constraint_place(w, &common, a, b, up, none));
    refuse(s, SN_ERROR_NOT_FINITE, "axis", sn_constraint_place(w, &common, a, b, up, nan));
    refuse(s, SN_ERROR_NULL, "common is null", sn_constraint_place(w, NULL, a, b, up, up));
    refuse(s, SN_ERROR_NULL, "world is null", sn_constraint_place(NULL, &common, a, b, up, up));
    refuse(s, SN_ERROR_NOT_FINITE, "point_a", sn_constraint_place_points(w, &common, a, b, nan, up));
    refuse(s, SN_ERROR_RANGE, "point_b", sn_constraint_place_points(w, &common, a, b, up, far));
    refuse(s, SN_ERROR_NULL, "common", sn_constraint_place_points(w, NULL, a, b, up, up));
    refuse(s, SN_ERROR_NULL, "world", sn_constraint_place_points(NULL, &common, a, b, up, up));
    for (int i = 0; i < BAD_IDS; ++i) {
        refuse(s, SN_ERROR_ID, "rigid id", sn_constraint_place(w, &common, s->no_rigid[i], b, up, up));
        refuse(s, SN_ERROR_ID, "rigid id", sn_constraint_place(w, &common, a, s->no_rigid[i], up, up));
        refuse(s, SN_ERROR_ID, "rigid id", sn_constraint_place_points(w, &common, s->no_rigid[i], b, up, up));
    }
    assert_memory_equal(&common, &before, sizeof common);
}

// --- what each kind has of its own ---------------------------------------------------------------

#define BALL(field)     offsetof(sn_ball_def, field)
#define HINGE(field)    offsetof(sn_hinge_def, field)
#define SLIDER(field)   offsetof(sn_slider_def, field)
#define DISTANCE(field) offsetof(sn_distance_def, field)

static const bad_field bad_ball[] = {
    {BALL(cone_angle), -0.1f, SN_ERROR_RANGE, "ball 'latch': cone_angle is -0.1"},
    {BALL(cone_angle), 3.2f, SN_ERROR_RANGE, "cone_angle is 3.2"},
    {BALL(cone_angle), NAN, SN_ERROR_NOT_FINITE, "cone_angle"},
    {BALL(twist_lower), -4.0f, SN_ERROR_RANGE, "twist_lower is -4"},
    {BALL(twist_upper), 4.0f, SN_ERROR_RANGE, "twist_upper is 4"},
    {BALL(twist_upper), -3.141593f, SN_ERROR_RANGE, "twist_"},
    {BALL(twist_lower), NAN, SN_ERROR_NOT_FINITE, "twist_lower"},
};

static const bad_field bad_hinge[] = {
    {HINGE(lower), -4.0f, SN_ERROR_RANGE, "hinge 'latch': lower is -4"},
    {HINGE(upper), 4.0f, SN_ERROR_RANGE, "upper is 4"},
    {HINGE(lower), NAN, SN_ERROR_NOT_FINITE, "lower is nan"},
    {HINGE(upper), INFINITY, SN_ERROR_NOT_FINITE, "upper is inf"},
    {HINGE(motor_speed), 2.0e4f, SN_ERROR_RANGE, "motor_speed is 20000"},
    {HINGE(motor_speed), NAN, SN_ERROR_NOT_FINITE, "motor_speed"},
    {HINGE(motor_torque), -1.0f, SN_ERROR_RANGE, "motor_torque is -1"},
    {HINGE(motor_torque), NAN, SN_ERROR_NOT_FINITE, "motor_torque"},
    {HINGE(spring_stiffness), -1.0f, SN_ERROR_RANGE, "spring_stiffness is -1"},
    {HINGE(spring_stiffness), INFINITY, SN_ERROR_NOT_FINITE, "spring_stiffness"},
    {HINGE(spring_damping), -1.0f, SN_ERROR_RANGE, "spring_damping is -1"},
    {HINGE(spring_angle), 3.2f, SN_ERROR_RANGE, "spring_angle is 3.2"},
};

static const bad_field bad_slider[] = {
    {SLIDER(lower), 1.0e10f, SN_ERROR_RANGE, "slider 'latch': lower is 1e+10"},
    {SLIDER(lower), INFINITY, SN_ERROR_NOT_FINITE, "lower is inf"},
    {SLIDER(upper), -INFINITY, SN_ERROR_NOT_FINITE, "upper is -inf"},
    {SLIDER(upper), NAN, SN_ERROR_NOT_FINITE, "upper is nan"},
    {SLIDER(motor_speed), 1.0e10f, SN_ERROR_RANGE, "motor_speed is 1e+10"},
    {SLIDER(motor_force), -1.0f, SN_ERROR_RANGE, "motor_force is -1"},
    {SLIDER(spring_stiffness), NAN, SN_ERROR_NOT_FINITE, "spring_stiffness"},
    {SLIDER(spring_damping), -1.0f, SN_ERROR_RANGE, "spring_damping"},
    {SLIDER(spring_travel), 1.0e10f, SN_ERROR_RANGE, "spring_travel"},
};

static const bad_field bad_distance[] = {
    {DISTANCE(lower), -1.0f, SN_ERROR_RANGE, "distance 'latch': lower is -1"},
    {DISTANCE(lower), INFINITY, SN_ERROR_NOT_FINITE, "lower is inf"},
    {DISTANCE(upper), -1.0f, SN_ERROR_RANGE, "upper is -1"},
    {DISTANCE(upper), NAN, SN_ERROR_NOT_FINITE, "upper is nan"},
    {DISTANCE(upper), 1.0e10f, SN_ERROR_RANGE, "upper is 1e+10"},
    {DISTANCE(spring_stiffness), -1.0f, SN_ERROR_RANGE, "spring_stiffness"},
    {DISTANCE(spring_damping), NAN, SN_ERROR_NOT_FINITE, "spring_damping"},
    {DISTANCE(spring_length), -0.1f, SN_ERROR_RANGE, "spring_length is -0.1"},
};

static void test_each_kind_checks_its_own_fields(void **state)
{
    bad_scene *s = *state;
    refuse_fields(s, SN_BALL, bad_ball, bad_count(bad_ball));
    refuse_fields(s, SN_HINGE, bad_hinge, bad_count(bad_hinge));
    refuse_fields(s, SN_SLIDER, bad_slider, bad_count(bad_slider));
    refuse_fields(s, SN_DISTANCE, bad_distance, bad_count(bad_distance));
}

static void test_limits_are_in_order(void **state)
{
    bad_scene *s = *state;
    sn_definition def = default_of(s, SN_BALL);
    def.ball.twist_lower = 0.5f;
    def.ball.twist_upper = -0.5f;
    refuse_both(s, SN_BALL, &def, SN_ERROR_RANGE, "twist_lower is 0.5, expected <= twist_upper (-0.5)");
    def = default_of(s, SN_HINGE);
    def.hinge.lower = 1.0f;
    def.hinge.upper = 0.9f;
    refuse_both(s, SN_HINGE, &def, SN_ERROR_RANGE, "lower is 1, expected <= upper (0.9)");
    def = default_of(s, SN_SLIDER);
    def.slider.lower = 1.0f;
    def.slider.upper = -1.0f;
    refuse_both(s, SN_SLIDER, &def, SN_ERROR_RANGE, "lower is 1, expected <= upper (-1)");
    def = default_of(s, SN_DISTANCE);
    def.distance.lower = 2.0f;
    def.distance.upper = 1.0f;
    refuse_both(s, SN_DISTANCE, &def, SN_ERROR_RANGE, "lower is 2, expected <= upper (1)");
}

static void test_motors_are_for_hinges_and_sliders(void **state)
{
    bad_scene *s = *state;
    sn_world *w = s->world;
    const sn_constraint hinge = s->joints[SN_HINGE], slider = s->joints[SN_SLIDER];
    refuse(s, SN_ERROR_KIND, "is no hinge", sn_hinge_motor_set(w, s->joints[SN_BALL], true, 1.0f, 1.0f));
    refuse(s, SN_ERROR_KIND, "'door' is no slider", sn_slider_motor_set(w, hinge, true, 1.0f, 1.0f));
    refuse(s, SN_ERROR_NOT_FINITE, "'door': motor_speed", sn_hinge_motor_set(w, hinge, true, NAN, 1.0f));
    refuse(s, SN_ERROR_RANGE, "motor_torque is -2", sn_hinge_motor_set(w, hinge, true, 1.0f, -2.0f));
    refuse(s, SN_ERROR_RANGE, "motor_speed", sn_slider_motor_set(w, slider, true, 1.0e10f, 1.0f));
    refuse(s, SN_ERROR_NOT_FINITE, "motor_force", sn_slider_motor_set(w, slider, true, 1.0f, NAN));
    refuse(s, SN_ERROR_NULL, "world is null", sn_hinge_motor_set(NULL, hinge, true, 1.0f, 1.0f));
}

static void test_definitions_are_read_and_replaced_by_their_own_kind_only(void **state)
{
    bad_scene *s = *state;
    sn_world *w = s->world;
    const sn_constraint *own = s->joints, hinge = own[SN_HINGE], fixed = own[SN_FIXED];
    sn_ball_def ball_def = sn_ball_def_default();
    sn_hinge_def hinge_def = sn_hinge_def_default();
    sn_slider_def slider_def = sn_slider_def_default();
    sn_fixed_def fixed_def = sn_fixed_def_default();
    sn_distance_def distance_def = sn_distance_def_default();
    answers_nothing(s, "hinge 'door' is no ball", sn_ball_definition(w, hinge).common.cookie == 0);
    refuse(s, SN_ERROR_KIND, "hinge 'door' is no ball", sn_ball_set(w, hinge, &ball_def));
    answers_nothing(s, "is no hinge", sn_hinge_definition(w, fixed).common.cookie == 0);
    refuse(s, SN_ERROR_KIND, "is no hinge", sn_hinge_set(w, fixed, &hinge_def));
    answers_nothing(s, "is no slider", sn_slider_definition(w, hinge).common.cookie == 0);
    refuse(s, SN_ERROR_KIND, "is no slider", sn_slider_set(w, hinge, &slider_def));
    answers_nothing(s, "is no fixed", sn_fixed_definition(w, hinge).common.cookie == 0);
    refuse(s, SN_ERROR_KIND, "is no fixed", sn_fixed_set(w, hinge, &fixed_def));
    answers_nothing(s, "is no distance", sn_distance_definition(w, hinge).common.cookie == 0);
    refuse(s, SN_ERROR_KIND, "is no distance", sn_distance_set(w, hinge, &distance_def));
}

// --- kinds of the user's own ---------------------------------------------------------------------

static void test_kinds_need_a_new_name_a_function_and_little_data(void **state)
{
    bad_scene *s = *state;
    sn_world *w = s->world;
    sn_row_function rows = bad_height_rows;
    refuse(s, SN_ERROR_NULL, "function is null", sn_custom_register(w, "gear", NULL, 0));
    refuse(s, SN_ERROR_NULL, "name is null", sn_custom_register(w, NULL, rows, 0));
    refuse(s, SN_ERROR_NULL, "world is null", sn_custom_register(NULL, "gear", rows, 0));
    refuse(s, SN_ERROR_NAME, "'' is empty", sn_custom_register(w, "", rows, 0));
    refuse(s, SN_ERROR_NAME, "'height' is already registered", sn_custom_register(w, "height", rows, 4));
    const char *too_long = "a name of sixty-four bytes, which is one more than there may be!";
    refuse(s, SN_ERROR_NAME, "63 bytes", sn_custom_register(w, too_long, rows, 0));
    refuse(s, SN_ERROR_RANGE, "data_size is -1", sn_custom_register(w, "gear", rows, -1));
    refuse(s, SN_ERROR_RANGE, "data_size is 129, expected 0 to 128",
           sn_custom_register(w, "gear", rows, 129));
    for (int i = 1; i < SN_MAX_CUSTOM_KINDS; ++i) {
        const char name[2] = {(char)(i + 32), '\0'};
        assert_int_equal(sn_custom_register(w, name, rows, 0), SN_OK);
    }
    refuse(s, SN_ERROR_CAPACITY, "64 are registered already", sn_custom_register(w, "gear", rows, 0));
}

static void test_custom_constraints_need_a_registered_name_and_data(void **state)
{
    bad_scene *s = *state;
    sn_definition def = default_of(s, SN_CUSTOM);
    def.custom.kind_name = "gear";
    refuse_added(s, SN_CUSTOM, &def, SN_ERROR_NAME, "kind_name is 'gear', expected one registered");
    def.custom.kind_name = "";
    refuse_added(s, SN_CUSTOM, &def, SN_ERROR_NAME, "kind_name is ''");
    def.custom.kind_name = NULL;
    refuse_added(s, SN_CUSTOM, &def, SN_ERROR_NULL, "kind_name is null");
    def = default_of(s, SN_CUSTOM);
    def.custom.data = NULL;
    refuse_added(s, SN_CUSTOM, &def, SN_ERROR_NULL, "kind 'height': data is null, expected 4 bytes");
    const float height = 1.0f;
    refuse(s, SN_ERROR_NULL, "data is null", sn_custom_data_set(s->world, s->joints[SN_CUSTOM], NULL));
    refuse(s, SN_ERROR_KIND, "is no custom", sn_custom_data_set(s->world, s->joints[SN_BALL], &height));
}

static void test_rows_were_many(void **state)
{
    (void)state;
    assert_true(bad_row_count >= 400);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        bad_test(test_common_fields_are_checked_for_every_kind),
        bad_test(test_definitions_must_come_from_the_kinds_own_default_function),
        bad_test(test_names_have_at_most_sixty_three_bytes),
        bad_test(test_constraints_join_two_bodies_of_which_one_moves),
        bad_test(test_frames_are_placed_at_points_and_along_directions),
        bad_test(test_each_kind_checks_its_own_fields),
        bad_test(test_limits_are_in_order),
        bad_test(test_motors_are_for_hinges_and_sliders),
        bad_test(test_definitions_are_read_and_replaced_by_their_own_kind_only),
        bad_test(test_kinds_need_a_new_name_a_function_and_little_data),
        bad_test(test_custom_constraints_need_a_registered_name_and_data),
        cmocka_unit_test(test_rows_were_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
