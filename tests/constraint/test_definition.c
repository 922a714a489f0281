// What tables of fields say: where the fields are, what is allowed in them, what they are at first.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/constraint_pair.h"

#include <string.h>

static size_t size_of(sn_constraint_field_type type)
{
    const size_t sizes[] = {[SN_CONSTRAINT_FIELD_BOOL] = sizeof(bool),
                            [SN_CONSTRAINT_FIELD_FLOAT] = sizeof(float),
                            [SN_CONSTRAINT_FIELD_VEC3] = sizeof(sn_vec3),
                            [SN_CONSTRAINT_FIELD_QUAT] = sizeof(sn_quat)};
    return sizes[type];
}

// Whoever forgets a field loses it in snapshots: between two fields there is never room for another float.
static void test_tables_cover_their_definitions_in_order(void **state)
{
    (void)state;
    for (int k = 0; k < SN_CONSTRAINT_KIND_COUNT; ++k) {
        const sn_constraint_field *fields;
        int count = sn_constraint_kind_fields((sn_constraint_kind)k, &fields);
        size_t end = sizeof(sn_constraint_common);
        assert_true(count <= SN_MAX_CONSTRAINT_FIELDS);
        for (int i = 0; i < count; ++i) {
            assert_true(fields[i].offset >= end && fields[i].offset - end < sizeof(float));
            assert_true(fields[i].text[0] != '\0' && fields[i].lower <= fields[i].upper);
            assert_true(!fields[i].ordered ||
                        (i + 1 < count && fields[i + 1].offset == fields[i].offset + sizeof(float)));
            end = fields[i].offset + size_of(fields[i].type);
        }
        if (k != SN_CUSTOM) { // whose data are the user's
            assert_true(sn_constraint_kind_size((sn_constraint_kind)k) - end < sizeof(void *));
        }
    }
}

static void *member(sn_definition *definition, const sn_constraint_field *field)
{
    return (char *)definition + field->offset;
}

static void refuse(sn_constraint_kind kind, const sn_constraint_field *field, const void *value, size_t size,
                   sn_status status)
{
    sn_definition definition = sn_definition_default(sn_kinds[kind]);
    sn_error error = {{0}};
    memcpy(member(&definition, field), value, size);
    assert_int_equal(sn_definition_check(sn_kinds[kind], &definition, &error, "it"), status);
    assert_non_null(strstr(error.text, field->name));
}

// Of every kind, every number: not a number, infinities that are not allowed, values beyond the range.
static void test_every_field_refuses_what_its_row_forbids(void **state)
{
    (void)state;
    for (int k = 0; k < SN_CONSTRAINT_KIND_COUNT; ++k) {
        const sn_constraint_field *fields;
        int count = sn_constraint_kind_fields((sn_constraint_kind)k, &fields);
        for (int i = 0; i < count; ++i) {
            const sn_constraint_field *field = &fields[i];
            const float beyond[5] = {NAN, INFINITY, -INFINITY, 1.01f * field->lower - 0.01f,
                                     1.01f * field->upper + 0.01f};
            for (int j = 0; j < 5; ++j) {
                float value = beyond[j];
                sn_vec3 vector = {0.0f, value, 0.0f};
                sn_quat rotation = {value, 0.0f, 0.0f, 0.0f};
                sn_status wrong = sn_is_finite(value) ? SN_ERROR_RANGE : SN_ERROR_NOT_FINITE;
                if (field->type == SN_CONSTRAINT_FIELD_VEC3) {
                    refuse((sn_constraint_kind)k, field, &vector, sizeof vector, wrong);
                } else if (field->type == SN_CONSTRAINT_FIELD_QUAT) {
                    refuse((sn_constraint_kind)k, field, &rotation, sizeof rotation,
                           j < 3 ? SN_ERROR_NOT_FINITE : SN_ERROR_ROTATION);
                } else if (field->type == SN_CONSTRAINT_FIELD_FLOAT && value != field->infinite) {
                    refuse((sn_constraint_kind)k, field, &value, sizeof value, wrong);
                }
            }
        }
    }
}

static void test_limits_in_wrong_order_name_both_fields(void **state)
{
    (void)state;
    sn_error error = {{0}};
    sn_definition d = {.hinge = sn_hinge_def_default()};
    d.hinge.lower = d.hinge.upper = 1.0f;
    assert_int_equal(sn_definition_check(&sn_kind_hinge, &d, &error, "it"), SN_OK);
    d.hinge.lower = 2.0f;
    assert_int_equal(sn_definition_check(&sn_kind_hinge, &d, &error, "hinge 'door'"), SN_ERROR_RANGE);
    assert_string_equal(error.text, "hinge 'door': lower is 2, expected <= upper (1)");
}

static void test_messages_tell_object_field_value_and_range(void **state)
{
    (void)state;
    sn_error error = {{0}};
    sn_definition d = {.axis = sn_axis_def_default()};
    d.axis.spring_stiffness = -3.0f;
    assert_int_equal(sn_definition_check(&sn_kind_axis, &d, &error, "axis 'wire'"), SN_ERROR_RANGE);
    assert_string_equal(error.text, "axis 'wire': spring_stiffness is -3, expected >= 0");
    d = (sn_definition){.axis = sn_axis_def_default()};
    d.axis.motor_speed = 2.0e5f;
    assert_int_equal(sn_definition_check(&sn_kind_axis, &d, &error, "axis 'wire'"), SN_ERROR_RANGE);
    assert_string_equal(error.text, "axis 'wire': motor_speed is 200000, expected >= -100000 and <= 100000");
}

static void test_rotations_become_exactly_of_unit_length_and_zero_ones_identity(void **state)
{
    (void)state;
    sn_error error = {{0}};
    sn_definition d = {.ball = sn_ball_def_default()};
    d.ball.spring_rotation = (sn_quat){0.0f, 0.0f, 0.0f, 0.0f};
    assert_int_equal(sn_definition_check(&sn_kind_ball, &d, &error, "it"), SN_OK);
    assert_true(d.ball.spring_rotation.w == 1.0f);
    d.ball.spring_rotation = (sn_quat){0.0f, 0.0f, 0.0f, 1.0005f};
    assert_int_equal(sn_definition_check(&sn_kind_ball, &d, &error, "it"), SN_OK);
    assert_true(d.ball.spring_rotation.w == 1.0f);
}

static void test_orientations_are_needed_where_the_kind_says(void **state)
{
    (void)state;
    sn_axis_def axis = sn_axis_def_default();
    sn_ball_def ball = sn_ball_def_default();
    assert_true(sn_constraint_needs_frame(SN_AXIS, &axis, 0));
    assert_false(sn_constraint_needs_frame(SN_AXIS, &axis, 1));
    assert_false(sn_constraint_needs_frame(SN_BALL, &ball, 0));
    ball.motor = true;
    assert_true(sn_constraint_needs_frame(SN_BALL, &ball, 0));
    assert_true(sn_constraint_needs_frame(SN_BALL, &ball, 1));
    assert_false(sn_constraint_needs_frame(SN_BALL, &ball, 2));
    assert_false(sn_constraint_needs_frame(SN_BALL, NULL, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables_cover_their_definitions_in_order),
        cmocka_unit_test(test_every_field_refuses_what_its_row_forbids),
        cmocka_unit_test(test_limits_in_wrong_order_name_both_fields),
        cmocka_unit_test(test_messages_tell_object_field_value_and_range),
        cmocka_unit_test(test_rotations_become_exactly_of_unit_length_and_zero_ones_identity),
        cmocka_unit_test(test_orientations_are_needed_where_the_kind_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
