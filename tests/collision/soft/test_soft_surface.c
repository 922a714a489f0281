// The surface by which a deformable collides: what is built once, what is fitted in every step, and meshes
// without area.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/memory.h"
#include "support/soft_view_rig.h"

static soft_view_rig rig;

static void test_every_node_and_edge_has_one_face_that_stands_for_it(void **state)
{
    (void)state;
    sn_mesh *meshes[3] = {view_grid(1.0f, 7), NULL, NULL};
    assert_int_equal(sn_mesh_box(sn_v(1.0f, 1.0f, 1.0f), 3, 2, 2, &meshes[1]), SN_OK);
    assert_int_equal(sn_mesh_line(1.0f, 9, &meshes[2]), SN_OK);
    for (int m = 0; m < 3; ++m) {
        static int nodes[VIEW_RIG_NODES], edges[4096];
        memset(nodes, 0, sizeof nodes);
        memset(edges, 0, sizeof edges);
        view_rig_make(&rig, meshes[m], false);
        for (int i = 0; i < rig.surface.face_count; ++i) {
            for (uint32_t k = 0; k < 3; ++k) {
                uint8_t owned = rig.surface.owned.data[i];
                nodes[rig.surface.faces.data[3 * i + (int)k]] += owned >> k & 1;
                edges[rig.surface.face_edges.data[3 * i + (int)k]] += owned >> (k + 3) & 1;
            }
        }
        for (int i = 0; i < 3 * rig.surface.face_count; ++i) {
            assert_int_equal(nodes[rig.surface.faces.data[i]], 1);
            assert_int_equal(edges[rig.surface.face_edges.data[i]], 1);
        }
        view_rig_free(&rig);
    }
}

static void test_the_rim_is_where_a_sheet_ends(void **state)
{
    (void)state;
    view_rig_make(&rig, view_grid(1.0f, 4), false);
    for (int i = 0; i < 25; ++i) {
        bool at_rim = i % 5 == 0 || i % 5 == 4 || i / 5 == 0 || i / 5 == 4;
        assert_int_equal(rig.surface.rim.data[i], at_rim);
    }
    view_rig_free(&rig);
    sn_mesh *closed = NULL;
    assert_int_equal(sn_mesh_sphere_surface(1.0f, 2, &closed), SN_OK);
    view_rig_make(&rig, closed, false);
    for (int i = 0; i < closed->node_count; ++i) {
        assert_int_equal(rig.surface.rim.data[i], 0);
    }
    view_rig_free(&rig);
}

static void test_boxes_hold_where_nodes_are_and_go(void **state)
{
    (void)state;
    test_random random = {11};
    view_rig_make(&rig, view_grid(1.0f, 6), false);
    for (int i = 0; i < 49; ++i) {
        rig.nodes[i].position = sn_add(rig.nodes[i].position, test_random_vec3(&random, 0.1f));
        rig.displacements[i] = test_random_vec3(&random, 0.3f);
    }
    view_rig_fit(&rig);
    sn_bounds all = sn_soft_surface_bounds(&rig.surface);
    for (int i = 0; i < 49; ++i) {
        sn_vec3 then = sn_add(rig.nodes[i].position, rig.displacements[i]);
        assert_true(sn_bounds_overlap(all, (sn_bounds){rig.nodes[i].position, rig.nodes[i].position}));
        assert_true(sn_bounds_overlap(all, (sn_bounds){then, then}));
    }
    view_rig_free(&rig);
}

// A cube of 1 m that moves along x.
static sn_soft_box moving_box(float now, float then)
{
    return (sn_soft_box){{{now}, {then}}, {{now + 1.0f, 1.0f, 1.0f}, {then + 1.0f, 1.0f, 1.0f}}};
}

// Boxes that move together stay apart, however fast; boxes that meet on the way do not.
static void test_boxes_of_two_times_overlap_where_parts_meet(void **state)
{
    (void)state;
    sn_soft_box a = moving_box(0.0f, 2.0f), b = moving_box(2.0f, 4.0f), c = moving_box(2.0f, 0.0f);
    sn_soft_box d = moving_box(4.0f, 4.0f);
    assert_false(sn_soft_boxes_overlap(&a, &b));
    assert_true(sn_soft_boxes_overlap(&a, &c));
    assert_true(sn_soft_boxes_overlap(&b, &d));
    assert_false(sn_soft_boxes_overlap(&a, &d));
}

static void test_faces_without_area_and_non_finite_nodes(void **state)
{
    (void)state;
    view_rig_make(&rig, view_grid(1.0f, 4), true);
    rig.nodes[6].position = rig.nodes[7].position = rig.nodes[8].position = rig.nodes[12].position;
    rig.displacements[0] = sn_v(NAN, 0.0f, 0.0f);
    rig.nodes[24].position = sn_v(NAN, INFINITY, 0.0f);
    view_rig_fit(&rig);
    sn_bounds all = sn_soft_surface_bounds(&rig.surface);
    assert_true(sn_vec3_is_finite(all.lower) && sn_vec3_is_finite(all.upper));
    for (int i = 0; i < rig.surface.face_count; ++i) {
        float length = sn_length(rig.surface.normals.data[i]);
        assert_true(length == 0.0f || sn_abs(length - 1.0f) < 1.0e-5f);
    }
    view_rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_every_node_and_edge_has_one_face_that_stands_for_it),
        test_with_memory(test_the_rim_is_where_a_sheet_ends),
        test_with_memory(test_boxes_hold_where_nodes_are_and_go),
        test_with_memory(test_boxes_of_two_times_overlap_where_parts_meet),
        test_with_memory(test_faces_without_area_and_non_finite_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
