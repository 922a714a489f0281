// Nodes, faces and edges of a deformable against obstacles: where contacts are made, where their normals
// point, and which side of a sheet is kept.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/memory.h"
#include "support/soft_view_rig.h"

static soft_view_rig rig; // a sheet of 1 m in the plane z = 0, 4 × 4 cells

static sn_obstacle box_at(sn_convex_storage *storage, sn_vec3 center, sn_quat turn, float half)
{
    return (sn_obstacle){.convex = sn_convex_box(storage, (sn_box){{half, half, half}}),
                         .pose = {center, turn},
                         .size = half,
                         .center = center};
}

static bool near(sn_vec3 a, sn_vec3 b)
{
    return sn_distance_between(a, b) < 1.0e-5f;
}

static void test_a_node_leaves_by_the_obstacles_normal(void **state)
{
    (void)state;
    sn_convex_storage storage;
    view_rig_make(&rig, view_grid(1.0f, 4), false);
    sn_obstacle ball = view_ball(&storage, sn_v(0.0f, 0.0f, -0.1f), 0.09f, sn_v(0.0f, 0.0f, 0.0f));
    sn_soft_contact_data contact = {0};
    assert_true(sn_soft_node_meets(&rig.view, 12, &ball, NULL, &contact));
    assert_true(near(contact.normal, sn_v(0.0f, 0.0f, 1.0f)) && near(contact.point, sn_v(0.0f, 0.0f, 0.0f)));
    assert_true(sn_abs(contact.separation - 0.005f) < 1.0e-6f);
    assert_int_equal(contact.nodes[0], 112);
    // Another node is too far away.
    assert_false(sn_soft_node_meets(&rig.view, 0, &ball, NULL, &contact));
    // It approaches: fast enough to arrive in this step, or not.
    rig.displacements[0] = sn_sub(sn_v(0.0f, 0.0f, -0.1f), rig.nodes[0].position);
    assert_true(sn_soft_node_meets(&rig.view, 0, &ball, NULL, &contact));
    view_rig_free(&rig);
}

// Beside a round obstacle, and as fast as that, a node leaves the plane that touches it there.
static void test_what_slides_along_round_obstacles_follows_them(void **state)
{
    (void)state;
    sn_convex_storage storage;
    view_rig_make(&rig, view_grid(1.0f, 4), false);
    sn_obstacle capsule = {
        .convex = sn_convex_capsule(&storage, (sn_capsule){{0.0f, -1.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, 0.09f}),
        .pose = {{0.0f, 0.0f, -0.1f}, {0.0f, 0.0f, 0.0f, 1.0f}},
        .size = 0.09f,
        .center = {0.0f, 0.0f, -0.1f}};
    const struct {
        sn_vec3 displacement;
        bool follows;
    } cases[] = {{{0.0f, 0.0f, 0.0f}, false},
                 {{0.01f, 0.0f, 0.0f}, true},
                 {{0.0f, 0.01f, 0.0f}, false}, // along the axis
                 {{0.0f, 0.0f, -0.01f}, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        sn_soft_contact_data contact = {0};
        rig.displacements[12] = cases[i].displacement;
        assert_true(sn_soft_node_meets(&rig.view, 12, &capsule, NULL, &contact));
        assert_int_equal(contact.follows, cases[i].follows);
        if (contact.follows) {
            assert_true(near(contact.ball, sn_v(0.0f, 0.0f, -0.1f)));
            assert_true(near(contact.axis, sn_v(0.0f, 1.0f, 0.0f)));
        }
    }
    view_rig_free(&rig);
}

// The corner of a cube that stands on its tip pokes into the middle of a face.
static void test_a_corner_pokes_into_a_face(void **state)
{
    (void)state;
    sn_convex_storage storage;
    view_rig_make(&rig, view_grid(1.0f, 4), false);
    sn_quat tip = sn_quat_multiply(sn_quat_axis_angle(sn_v(0.0f, 1.0f, 0.0f), -0.6154797f),
                                   sn_quat_axis_angle(sn_v(1.0f, 0.0f, 0.0f), 0.25f * SN_PI));
    sn_obstacle box = box_at(&storage, sn_v(0.0f, 0.0f, 0.0f), tip, 0.1f);
    int top = 0;
    for (int i = 1; i < sn_obstacle_corner_count(&box); ++i) {
        top = sn_obstacle_corner(&box, i).z > sn_obstacle_corner(&box, top).z ? i : top;
    }
    // Its tip 3 mm under the sheet, in the middle of face 0.
    const uint32_t *n = rig.surface.faces.data;
    sn_vec3 middle =
        sn_scale(sn_add(sn_add(rig.nodes[n[0]].position, rig.nodes[n[1]].position), rig.nodes[n[2]].position),
                 1.0f / 3.0f);
    sn_vec3 tip_at = sn_obstacle_corner(&box, top);
    box.pose.position = box.center = sn_add(sn_sub(middle, tip_at), sn_v(0.0f, 0.0f, -0.003f));
    sn_soft_contact_data contact = {0};
    assert_true(sn_soft_face_meets_corner(&rig.view, 0, &box, top, NULL, &contact));
    assert_true(near(contact.normal, sn_v(0.0f, 0.0f, 1.0f)));
    assert_true(sn_abs(contact.separation + 0.002f) < 1.0e-5f);
    for (int k = 0; k < 3; ++k) {
        assert_true(sn_abs(contact.weights[k] - 1.0f / 3.0f) < 1.0e-4f);
    }
    // Pushed through the sheet it is still on the side that it came from.
    sn_soft_contact_data before = contact;
    box.pose.position.z += 0.006f;
    assert_true(sn_soft_face_meets_corner(&rig.view, 0, &box, top, &before, &contact));
    assert_true(near(contact.normal, sn_v(0.0f, 0.0f, 1.0f)) && contact.separation < -0.007f);
    // A corner at the back of the box makes no contact with the sheet.
    int bottom = 0;
    for (int i = 1; i < sn_obstacle_corner_count(&box); ++i) {
        bottom = sn_obstacle_corner(&box, i).z < sn_obstacle_corner(&box, bottom).z ? i : bottom;
    }
    box.pose.position.z += middle.z - sn_obstacle_corner(&box, bottom).z;
    assert_false(sn_soft_face_meets_corner(&rig.view, 0, &box, bottom, &before, &contact));
    view_rig_free(&rig);
}

static void test_edges_cross(void **state)
{
    (void)state;
    sn_convex_storage storage;
    view_rig_make(&rig, view_grid(1.0f, 4), false);
    sn_quat ridge = sn_quat_axis_angle(sn_v(1.0f, 0.0f, 0.0f), 0.25f * SN_PI);
    sn_obstacle box = box_at(&storage, sn_v(0.1f, 0.05f, -0.1f * sqrtf(2.0f)), ridge, 0.1f);
    int met = 0;
    for (int e = 0; e < rig.mesh->edge_count; ++e) {
        for (int i = 0; i < sn_obstacle_edge_count(&box); ++i) {
            sn_soft_contact_data contact = {0};
            if (sn_soft_edge_meets_edge(&rig.view, (uint32_t)e, &box, i, NULL, &contact)) {
                assert_true(near(contact.normal, sn_v(0.0f, 0.0f, 1.0f)));
                assert_true(sn_abs(contact.separation + 0.005f) < 1.0e-4f);
                assert_true(contact.weights[0] > 0.0f && contact.weights[1] > 0.0f);
                ++met;
            }
        }
    }
    assert_true(met >= 1);
    view_rig_free(&rig);
}

// Sheets crumpled until faces have no area and nodes coincide, against any obstacle: contacts are finite, or
// there is none.
static void test_crumpled_sheets_make_sound_contacts(void **state)
{
    (void)state;
    test_random random = {23};
    for (int round = 0; round < 200; ++round) {
        sn_convex_storage storage;
        view_rig_make(&rig, view_grid(1.0f, 3), false);
        float grid = round % 3 == 0 ? 0.0f : 0.1f;
        for (int i = 0; i < 16; ++i) {
            sn_vec3 p = test_random_vec3(&random, 0.15f);
            rig.nodes[i].position = grid > 0.0f && round % 2 == 0
                                        ? sn_v(grid * floorf(p.x / grid), grid * floorf(p.y / grid), 0.0f)
                                        : sn_scale(p, grid > 0.0f ? 1.0f : 0.0f);
            rig.displacements[i] = test_random_vec3(&random, 0.1f);
        }
        view_rig_fit(&rig);
        sn_vec3 place = test_random_vec3(&random, 0.1f);
        sn_obstacle ball = view_ball(&storage, place, 0.05f, test_random_vec3(&random, 0.1f));
        sn_convex_storage box_storage;
        sn_obstacle box = box_at(&box_storage, place, sn_quat_identity, 0.05f);
        for (uint32_t kind = 0; kind < 3; ++kind) {
            for (uint32_t i = 0; i < 16; ++i) {
                sn_soft_contact_data contact = {0};
                uint32_t feature = sn_soft_feature_name((sn_soft_feature)kind, i);
                if (sn_soft_meets_ball(&rig.view, feature, &ball, 0, NULL, &contact)) {
                    assert_true(sn_soft_contact_is_sound(&contact));
                    assert_true(sn_abs(sn_length(contact.normal) - 1.0f) < 1.0e-3f ||
                                sn_length(contact.normal) < 1.0e-3f);
                }
                contact = (sn_soft_contact_data){0};
                bool met = kind == 0 ? sn_soft_node_meets(&rig.view, i, &box, NULL, &contact)
                           : kind == 1
                               ? sn_soft_edge_meets_edge(&rig.view, i, &box, (int)i % 12, NULL, &contact)
                               : sn_soft_face_meets_corner(&rig.view, i, &box, (int)i % 8, NULL, &contact);
                assert_true(!met || sn_soft_contact_is_sound(&contact));
            }
        }
        view_rig_free(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_a_node_leaves_by_the_obstacles_normal),
        test_with_memory(test_what_slides_along_round_obstacles_follows_them),
        test_with_memory(test_a_corner_pokes_into_a_face),
        test_with_memory(test_edges_cross),
        test_with_memory(test_crumpled_sheets_make_sound_contacts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
