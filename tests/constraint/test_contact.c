// Contact as a kind: rows of a patch where it was made and after the bodies have moved, limits of friction,
// and what the check refuses. Gradients and momentum are the gauntlet's.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "constraint/gradient.h"
#include "constraint/kind.h"
#include "support/constraint_pair.h"
#include "support/manifold_check.h"
#include <string.h>

static const sn_vec3 centers[2] = {{0.1f, 0.2f, -0.3f}, {-0.2f, 0.0f, 0.1f}}; // of mass, local

// Places are up to 10 m apart, where float32 resolves a micrometre: gaps come out within 1e-5.
// Two bodies somewhere, and a patch with points within half a metre of some place between them.
typedef struct touch {
    sn_pose body[2];
    sn_patch patch;
} touch;

static touch random_touch(test_random *random, int points)
{
    touch t = {{test_random_pose(random, 3.0f), test_random_pose(random, 3.0f)}, {.count = points}};
    sn_vec3 middle = test_random_vec3(random, 3.0f);
    t.patch.normal = test_random_direction(random);
    for (int i = 0; i < points; ++i) {
        sn_vec3 at = sn_add(middle, test_random_vec3(random, 0.5f));
        sn_patch_point *point = &t.patch.points[i];
        point->arm_a = sn_sub(at, sn_pose_apply(t.body[0], centers[0]));
        point->arm_b = sn_sub(at, sn_pose_apply(t.body[1], centers[1]));
        point->separation = test_random_float(random, -0.01f, 0.01f);
    }
    return t;
}

static sn_contact_def def_of(const touch *t)
{
    return sn_contact_def_of(&t->patch, t->body[0], centers[0], t->body[1], centers[1]);
}

static int rows_of(const sn_contact_def *contact, const sn_pose body[2], sn_row *rows)
{
    sn_row_input input = sn_row_input_make(body[0], centers[0], body[1], centers[1], &contact->common);
    sn_rows_clear(rows, SN_MAX_ROWS);
    return sn_contact_rows(&input, contact, rows);
}

static void expect_gradient(const sn_row *row, const sn_coordinate *expected)
{
    for (int k = 0; k < 2; ++k) {
        assert_vec3_near(row->linear[k], expected->linear[k], 2e-6);
        assert_vec3_near(row->angular[k], expected->angular[k], 1e-5);
    }
}

static void test_where_it_was_made_a_contact_has_the_separations_and_arms_of_its_patch(void **state)
{
    (void)state;
    test_random random = {41};
    for (int n = 0; n < 400; ++n) {
        touch t = random_touch(&random, 1 + n % SN_MANIFOLD_POINTS);
        sn_contact_def contact = def_of(&t);
        sn_row rows[SN_MAX_ROWS];
        assert_int_equal(rows_of(&contact, t.body, rows), t.patch.count + 3);
        for (int i = 0; i < t.patch.count; ++i) {
            const sn_patch_point *point = &t.patch.points[i];
            sn_coordinate gap = sn_gradient_along(t.patch.normal, point->arm_a, point->arm_b);
            assert_int_equal(rows[i].type, SN_ROW_ABOVE);
            assert_true(rows[i].lower == 0.0f && rows[i].upper == INFINITY && rows[i].compliance == 0.0f);
            assert_near(rows[i].value, point->separation, 1e-5);
            expect_gradient(&rows[i], &gap);
        }
    }
}

static void test_friction_acts_at_the_centre_of_pressure_along_the_surface_and_about_the_normal(void **state)
{
    (void)state;
    test_random random = {42};
    for (int n = 0; n < 400; ++n) {
        touch t = random_touch(&random, 1 + n % SN_MANIFOLD_POINTS);
        for (int i = 0; i < t.patch.count; ++i) {
            t.patch.points[i].normal_impulse = n % 2 ? 1.0f + (float)i : 0.0f;
        }
        sn_vec3 arm_a, arm_b;
        sn_patch_friction_center(&t.patch, &arm_a, &arm_b);
        sn_contact_def contact = def_of(&t);
        contact.friction = 5.0f;
        contact.twist_friction = 2.0f;
        contact.rolling_resistance = 1.0f;
        sn_row rows[SN_MAX_ROWS];
        assert_int_equal(rows_of(&contact, t.body, rows), t.patch.count + 6);
        const sn_row *slide = &rows[t.patch.count];
        sn_vec3 tangent = sn_perpendicular(t.patch.normal), across = sn_cross(t.patch.normal, tangent);
        const sn_coordinate expected[3] = {sn_gradient_along(tangent, arm_a, arm_b),
                                           sn_gradient_along(across, arm_a, arm_b),
                                           sn_gradient_about(t.patch.normal)};
        const float limits[3] = {5.0f, 5.0f, 2.0f};
        for (int i = 0; i < 3; ++i) {
            assert_int_equal(slide[i].type, SN_ROW_SPEED);
            assert_true(slide[i].lower == -limits[i] && slide[i].upper == limits[i]);
            assert_true(slide[i].target_speed == 0.0f);
            expect_gradient(&slide[i], &expected[i]);
        }
        for (int i = 3; i < 6; ++i) {
            assert_int_equal(slide[i].type, SN_ROW_SPEED);
            assert_true(slide[i].lower == -1.0f && slide[i].upper == 1.0f);
            assert_near(sn_length(slide[i].angular[1]), 1.0f, 1e-5);
            assert_near(sn_length(slide[i].linear[1]), 0.0f, 0.0);
        }
    }
}

static void test_the_centre_of_pressure_is_the_mean_of_the_points_by_their_impulses(void **state)
{
    (void)state;
    sn_patch patch = {.count = 2};
    patch.points[0].arm_a = sn_v(1.0f, 0.0f, 0.0f);
    patch.points[1].arm_a = sn_v(3.0f, 0.0f, 0.0f);
    patch.points[0].arm_b = sn_v(0.0f, 1.0f, 0.0f);
    patch.points[1].arm_b = sn_v(2.0f, 1.0f, 0.0f);
    sn_vec3 arm_a, arm_b;
    sn_patch_friction_center(&patch, &arm_a, &arm_b);
    assert_vec3_near(arm_a, sn_v(2.0f, 0.0f, 0.0f), 0.0);
    assert_vec3_near(arm_b, sn_v(1.0f, 1.0f, 0.0f), 0.0);
    patch.points[0].normal_impulse = 1.0f;
    patch.points[1].normal_impulse = 3.0f;
    sn_patch_friction_center(&patch, &arm_a, &arm_b);
    assert_vec3_near(arm_a, sn_v(2.5f, 0.0f, 0.0f), 1e-6);
    assert_vec3_near(arm_b, sn_v(1.5f, 1.0f, 0.0f), 1e-6);
}

// b moves away by 3 mm along the normal and slides by half a metre: the gaps grow by the first alone.
static void test_gaps_grow_by_the_motion_along_the_normal(void **state)
{
    (void)state;
    test_random random = {43};
    for (int n = 0; n < 200; ++n) {
        touch t = random_touch(&random, SN_MANIFOLD_POINTS);
        sn_contact_def contact = def_of(&t);
        sn_vec3 tangent = sn_perpendicular(t.patch.normal);
        sn_vec3 way = sn_add_scaled(sn_scale(t.patch.normal, 0.003f), 0.5f, tangent);
        t.body[1].position = sn_add(t.body[1].position, way);
        sn_row rows[SN_MAX_ROWS];
        rows_of(&contact, t.body, rows);
        for (int i = 0; i < SN_MANIFOLD_POINTS; ++i) {
            assert_near(rows[i].value, t.patch.points[i].separation + 0.003f, 1e-5);
        }
        assert_near(rows[SN_MANIFOLD_POINTS].value, 0.5f, 1e-5);
    }
}

static void test_overlap_is_the_error(void **state)
{
    (void)state;
    test_random random = {44};
    touch t = random_touch(&random, 3);
    const float separations[3] = {0.02f, -0.004f, -0.001f};
    for (int i = 0; i < 3; ++i) {
        t.patch.points[i].separation = separations[i];
    }
    sn_contact_def contact = def_of(&t);
    sn_row rows[SN_MAX_ROWS];
    int count = rows_of(&contact, t.body, rows);
    assert_near(sn_rows_error(rows, count), 0.004f, 1e-5);
}

static void refuse(sn_contact_def contact, sn_status status, const char *message)
{
    sn_error error = {{0}};
    sn_definition definition = {.contact = contact};
    assert_int_equal(sn_definition_check(&sn_kind_contact, &definition, &error, "contact"), status);
    assert_non_null(strstr(error.text, message));
}

static void test_bad_numbers_are_refused(void **state)
{
    (void)state;
    test_random random = {45};
    touch t = random_touch(&random, 2);
    const sn_contact_def sound = def_of(&t);
    refuse(sound, SN_OK, "");
    sn_contact_def bad = sound;
    bad.point_count = 0;
    refuse(bad, SN_ERROR_RANGE, "point_count");
    bad.point_count = SN_MANIFOLD_POINTS + 1;
    refuse(bad, SN_ERROR_RANGE, "point_count");
    bad = sound;
    bad.points[1].place.y = NAN;
    refuse(bad, SN_ERROR_NOT_FINITE, "place");
    bad = sound;
    bad.points[1].separation = INFINITY;
    refuse(bad, SN_ERROR_NOT_FINITE, "separation");
    bad = sound;
    bad.friction = -1.0f;
    refuse(bad, SN_ERROR_RANGE, "friction");
    bad = sound;
    bad.twist_friction = NAN;
    refuse(bad, SN_ERROR_NOT_FINITE, "twist_friction");
    bad = sound;
    bad.rolling_resistance = -0.1f;
    refuse(bad, SN_ERROR_RANGE, "rolling_resistance");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_where_it_was_made_a_contact_has_the_separations_and_arms_of_its_patch),
        cmocka_unit_test(test_friction_acts_at_the_centre_of_pressure_along_the_surface_and_about_the_normal),
        cmocka_unit_test(test_the_centre_of_pressure_is_the_mean_of_the_points_by_their_impulses),
        cmocka_unit_test(test_gaps_grow_by_the_motion_along_the_normal),
        cmocka_unit_test(test_overlap_is_the_error),
        cmocka_unit_test(test_bad_numbers_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
