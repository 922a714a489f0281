// Constraints of any kind by one set of functions: what they give is what the functions of the kinds give,
// and bad input is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "world/core/bad_scene.h"

static const sn_constraint_kind no_kinds[] = {SN_CONSTRAINT_KIND_COUNT, (sn_constraint_kind)-1,
                                              (sn_constraint_kind)1000};

static void assert_same_fields(sn_constraint_kind kind, const sn_definition *a, const sn_definition *b)
{
    const size_t sizes[] = {[SN_CONSTRAINT_FIELD_BOOL] = sizeof(bool),
                            [SN_CONSTRAINT_FIELD_FLOAT] = sizeof(float),
                            [SN_CONSTRAINT_FIELD_VEC3] = sizeof(sn_vec3),
                            [SN_CONSTRAINT_FIELD_QUAT] = sizeof(sn_quat)};
    const sn_constraint_field *fields;
    int count = sn_constraint_kind_fields(kind, &fields);
    for (int i = 0; i < count; ++i) {
        assert_memory_equal((const char *)a + fields[i].offset, (const char *)b + fields[i].offset,
                            sizes[fields[i].type]);
    }
}

static void test_definitions_of_every_kind_go_in_and_out_alike(void **state)
{
    bad_scene *s = *state;
    for (int k = 0; k < SN_CONSTRAINT_KIND_COUNT; ++k) {
        sn_constraint_kind kind = (sn_constraint_kind)k;
        sn_definition def = {.common = {0}}, got = {.common = {0}};
        sn_constraint made = {0};
        assert_int_equal(sn_constraint_def_default(kind, &def), SN_OK);
        assert_int_equal(def.common.cookie, sn_kinds[k]->cookie);
        if (kind == SN_CUSTOM) {
            continue;
        }
        def.common.a = sn_point_rigid(s->crate, sn_v(0.0f, 1.0f, 0.0f));
        def.common.b = sn_point_rigid(s->ball, sn_v(0.0f, 0.0f, 2.0f));
        def.common.compliance = 0.5f;
        assert_int_equal(sn_constraint_add(s->world, kind, &def, &made), SN_OK);
        assert_int_equal(sn_constraint_get_kind(s->world, made), kind);
        assert_int_equal(sn_constraint_def_get(s->world, made, &got), SN_OK);
        assert_true(got.common.compliance == 0.5f && got.common.a.position.y == 1.0f);
        assert_same_fields(kind, &got, &def);
        def.common.compliance = 0.25f;
        assert_int_equal(sn_constraint_def_set(s->world, made, &def), SN_OK);
        assert_int_equal(sn_constraint_def_get(s->world, made, &got), SN_OK);
        assert_true(got.common.compliance == 0.25f);
        assert_int_equal(sn_constraint_remove(s->world, made), SN_OK);
    }
}

static void test_custom_kinds_are_added_but_neither_got_nor_set(void **state)
{
    bad_scene *s = *state;
    const float height = 2.0f;
    sn_custom_def def = sn_custom_def_default(), got = def;
    sn_constraint made = {0};
    def.kind_name = "height";
    def.data = &height;
    def.common.b = sn_point_rigid(s->ball, sn_v(0.0f, 0.0f, 0.0f));
    assert_int_equal(sn_constraint_add(s->world, SN_CUSTOM, &def, &made), SN_OK);
    bad_scene_settled(s);
    refuse(s, SN_ERROR_KIND, "expected a kind of the library", sn_constraint_def_get(s->world, made, &got));
    refuse(s, SN_ERROR_KIND, "expected a kind of the library", sn_constraint_def_set(s->world, made, &def));
}

static void test_what_is_no_kind_has_nothing_and_is_refused(void **state)
{
    bad_scene *s = *state;
    sn_definition def = {.ball = sn_ball_def_default()};
    for (int i = 0; i < 3; ++i) {
        const sn_constraint_field *fields = &sn_kind_axis.fields[0];
        assert_int_equal(sn_constraint_kind_fields(no_kinds[i], &fields), 0);
        assert_null(fields);
        assert_string_equal(sn_constraint_kind_text(no_kinds[i]), "");
        assert_int_equal(sn_constraint_kind_size(no_kinds[i]), 0);
        assert_false(sn_constraint_needs_frame(no_kinds[i], &def, 0));
        assert_int_equal(sn_constraint_def_default(no_kinds[i], &def), SN_ERROR_KIND);
        refuse(s, SN_ERROR_KIND, "expected one of sn_constraint_kind",
               sn_constraint_add(s->world, no_kinds[i], &def, NULL));
    }
    assert_true(sn_constraint_kind_fields(SN_HINGE, NULL) > 0);
}

static void test_nulls_and_other_kinds_are_refused(void **state)
{
    bad_scene *s = *state;
    sn_definition def = {.ball = sn_ball_def_default()};
    sn_constraint hinge = s->joints[SN_HINGE], ball = s->joints[SN_BALL];
    assert_int_equal(sn_constraint_def_default(SN_BALL, NULL), SN_ERROR_NULL);
    assert_int_equal(sn_constraint_def_get(NULL, hinge, &def), SN_ERROR_NULL);
    refuse(s, SN_ERROR_NULL, "definition is null", sn_constraint_def_get(s->world, hinge, NULL));
    refuse(s, SN_ERROR_NULL, "definition is null", sn_constraint_def_set(s->world, hinge, NULL));
    refuse(s, SN_ERROR_NULL, "definition is null", sn_constraint_add(s->world, SN_AXIS, NULL, NULL));
    refuse(s, SN_ERROR_DEFINITION, "default function", sn_constraint_def_set(s->world, hinge, &def));
    refuse(s, SN_ERROR_DEFINITION, "default function", sn_constraint_add(s->world, SN_AXIS, &def, NULL));
    refuse(s, SN_ERROR_ID, "id", sn_constraint_def_get(s->world, (sn_constraint){0}, &def));
    refuse(s, SN_ERROR_ID, "id", sn_constraint_def_set(s->world, (sn_constraint){0}, &def));
    answers_nothing(s, "has no angle, travel or length", sn_constraint_coordinate(s->world, ball) == 0.0f);
    assert_true(sn_constraint_coordinate(s->world, hinge) == sn_hinge_angle(s->world, hinge));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        bad_test(test_definitions_of_every_kind_go_in_and_out_alike),
        bad_test(test_custom_kinds_are_added_but_neither_got_nor_set),
        bad_test(test_what_is_no_kind_has_nothing_and_is_refused),
        bad_test(test_nulls_and_other_kinds_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
