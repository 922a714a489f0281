// Balls smaller than the cells of a sheet: which features they may touch, and on which side they stay.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/memory.h"
#include "support/soft_view_rig.h"

static soft_view_rig rig; // a sheet of 1 m in the plane z = 0, 4 × 4 cells

static const sn_vec3 nowhere = {0.0f, 0.0f, 0.0f};

// Contacts of all features of one kind with a ball; the last one made.
static int count(sn_soft_feature kind, const sn_obstacle *ball, sn_soft_contact_data *last)
{
    int numbers[] = {rig.mesh->node_count, rig.mesh->edge_count, rig.surface.face_count}, met = 0;
    for (int i = 0; i < numbers[kind]; ++i) {
        sn_soft_contact_data contact = {0};
        if (sn_soft_meets_ball(&rig.view, sn_soft_feature_name(kind, (uint32_t)i), ball, 0, NULL, &contact)) {
            *last = contact;
            ++met;
        }
    }
    return met;
}

static sn_vec3 middle_of_face_0(void)
{
    const uint32_t *n = rig.surface.faces.data;
    sn_vec3 sum =
        sn_add(sn_add(rig.nodes[n[0]].position, rig.nodes[n[1]].position), rig.nodes[n[2]].position);
    return sn_scale(sum, 1.0f / 3.0f);
}

static void test_a_ball_over_a_face_meets_that_face_only(void **state)
{
    (void)state;
    sn_convex_storage storage;
    sn_soft_contact_data contact;
    view_rig_make(&rig, view_grid(1.0f, 4), false);
    view_rig_fit(&rig);
    for (float side = -1.0f; side <= 1.0f; side += 2.0f) {
        sn_vec3 place = sn_add(middle_of_face_0(), sn_v(0.0f, 0.0f, 0.03f * side));
        sn_obstacle ball = view_ball(&storage, place, 0.02f, nowhere);
        assert_int_equal(count(SN_SOFT_FACE, &ball, &contact), 1);
        assert_true(contact.side == side && contact.follows);
        assert_true(sn_abs(contact.normal.z + side) < 1.0e-5f);
        assert_true(sn_abs(contact.separation - 0.005f) < 1.0e-5f);
        assert_int_equal(count(SN_SOFT_EDGE, &ball, &contact), 0);
        assert_int_equal(count(SN_SOFT_NODE, &ball, &contact), 0);
    }
    view_rig_free(&rig);
}

// All features that it may reach within the step are found.
static void test_a_moving_ball_meets_the_features_in_its_path(void **state)
{
    (void)state;
    sn_convex_storage storage;
    sn_soft_contact_data contact;
    view_rig_make(&rig, view_grid(1.0f, 4), false);
    view_rig_fit(&rig);
    sn_vec3 place = sn_add(middle_of_face_0(), sn_v(0.0f, 0.0f, 0.03f));
    sn_obstacle slow = view_ball(&storage, place, 0.02f, nowhere);
    sn_obstacle fast = view_ball(&storage, place, 0.02f, sn_v(0.6f, 0.0f, -0.02f));
    assert_true(count(SN_SOFT_FACE, &fast, &contact) > count(SN_SOFT_FACE, &slow, &contact) + 2);
    // A fast ball from far away meets the features in its path, on the side it comes from.
    sn_obstacle bullet =
        view_ball(&storage, sn_add(place, sn_v(0.0f, 0.0f, 0.5f)), 0.02f, sn_v(0.0f, 0.0f, -2.0f));
    assert_true(count(SN_SOFT_FACE, &bullet, &contact) >= 1);
    assert_true(contact.side == 1.0f && contact.normal.z < 0.0f);
    view_rig_free(&rig);
}

static void test_a_deep_ball_stays_on_its_previous_side(void **state)
{
    (void)state;
    sn_convex_storage storage;
    view_rig_make(&rig, view_grid(1.0f, 4), false);
    view_rig_fit(&rig);
    sn_vec3 place = sn_add(middle_of_face_0(), sn_v(0.0f, 0.0f, -0.01f));
    sn_obstacle ball = view_ball(&storage, place, 0.02f, nowhere);
    uint32_t face = sn_soft_feature_name(SN_SOFT_FACE, 0);
    sn_soft_contact_data before = {.side = 1.0f}, contact = {0};
    assert_true(sn_soft_meets_ball(&rig.view, face, &ball, 0, &before, &contact));
    assert_true(contact.side == 1.0f && sn_abs(contact.normal.z + 1.0f) < 1.0e-5f);
    assert_true(sn_abs(contact.separation + 0.035f) < 1.0e-5f);
    // Without a previous contact the side of the other contacts counts; without these, the present one.
    contact = (sn_soft_contact_data){0};
    rig.view.side = 1.0f;
    assert_true(sn_soft_meets_ball(&rig.view, face, &ball, 0, NULL, &contact) && contact.side == 1.0f);
    contact = (sn_soft_contact_data){0};
    rig.view.side = 0.0f;
    assert_true(sn_soft_meets_ball(&rig.view, face, &ball, 0, NULL, &contact) && contact.side == -1.0f);
    view_rig_free(&rig);
}

// A roof: from above its ridge is convex, from below it is a valley, where faces suffice.
static void test_edges_count_where_they_stand_out(void **state)
{
    (void)state;
    sn_convex_storage storage;
    sn_soft_contact_data contact;
    view_rig_make(&rig, view_grid(1.0f, 4), false);
    for (int i = 0; i < rig.mesh->node_count; ++i) {
        rig.nodes[i].position.z = -sn_abs(rig.nodes[i].position.x);
    }
    view_rig_fit(&rig);
    sn_obstacle above = view_ball(&storage, sn_v(0.0f, 0.1f, 0.03f), 0.02f, nowhere);
    assert_int_equal(count(SN_SOFT_EDGE, &above, &contact), 1);
    assert_true(sn_abs(contact.normal.z + 1.0f) < 1.0e-5f);
    sn_convex_storage other;
    sn_obstacle below = view_ball(&other, sn_v(0.0f, 0.1f, -0.045f), 0.02f, nowhere);
    assert_int_equal(count(SN_SOFT_EDGE, &below, &contact), 0);
    assert_true(count(SN_SOFT_FACE, &below, &contact) >= 2);
    view_rig_free(&rig);
}

// It may go around the boundary of a sheet: no side is kept there.
static void test_the_rim_has_no_sides(void **state)
{
    (void)state;
    sn_convex_storage storage;
    view_rig_make(&rig, view_grid(1.0f, 4), false);
    view_rig_fit(&rig);
    sn_obstacle ball = view_ball(&storage, sn_v(0.5f, 0.5f, -0.01f), 0.02f, nowhere);
    sn_soft_contact_data before = {.side = 1.0f}, contact = {0};
    assert_true(
        sn_soft_meets_ball(&rig.view, sn_soft_feature_name(SN_SOFT_NODE, 24), &ball, 0, &before, &contact));
    assert_true(contact.separation > -0.025f && contact.normal.z > 0.9f);
    assert_true(sn_length(contact.out) == 0.0f);
    view_rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_a_ball_over_a_face_meets_that_face_only),
        test_with_memory(test_a_moving_ball_meets_the_features_in_its_path),
        test_with_memory(test_a_deep_ball_stays_on_its_previous_side),
        test_with_memory(test_edges_count_where_they_stand_out),
        test_with_memory(test_the_rim_has_no_sides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
