// Cut points and warping: on the surface, one for each edge between signs, none left too near.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry/meshing/lattice_cut.h"
#include "geometry/meshing/lattice_sign.h"
#include "geometry/meshing/lattice_stencil.h"
#include "support/lattice_rig.h"
#include "support/memory.h"

static void find_all(lattice_rig *rig, sn_lattice_cuts *cuts, bool closed)
{
    *cuts = (sn_lattice_cuts){0};
    sn_lattice_find_signs(&rig->lattice, &rig->winding, closed);
    assert_true(sn_lattice_find_cuts(&rig->lattice, &rig->winding, cuts));
}

static void test_cut_points_lie_on_the_surface(void **state)
{
    (void)state;
    lattice_rig rig;
    sn_lattice_cuts cuts;
    lattice_rig_begin(&rig, make_sphere_shape(1.0f, 40), 0.2f);
    find_all(&rig, &cuts, true);
    assert_true(cuts.list.count > 1000);
    for (int i = 0; i < cuts.list.count; ++i) {
        sn_vec3 p =
            sn_lattice_to_world(&rig.lattice, sn_lattice_cut_position(&rig.lattice, &cuts.list.data[i]));
        assert_float_equal(sn_length(p), 1.0f, 4.0e-4f); // the sphere's triangles are that far inside it
    }
    sn_array_release(&cuts.list);
    lattice_rig_end(&rig);
}

static void test_every_edge_between_signs_has_its_cut_point(void **state)
{
    (void)state;
    lattice_rig rig;
    sn_lattice_cuts cuts;
    lattice_rig_begin(&rig, make_bumpy_shape(10), 0.2f);
    find_all(&rig, &cuts, true);
    int expected = 0;
    for (int node = 0; node < rig.lattice.node_count; ++node) {
        for (int k = 0; k < SN_LATTICE_NEIGHBORS; ++k) {
            int next = node + rig.lattice.neighbors[node % 2][k];
            if (next <= node || next >= rig.lattice.node_count ||
                rig.lattice.sign[node] == rig.lattice.sign[next]) {
                continue;
            }
            expected++;
            const sn_lattice_cut *cut = sn_lattice_cut_between(&cuts, next, node);
            assert_int_equal(cut->low, node);
            assert_int_equal(cut->high, next);
            assert_true(cut->fraction >= 0.0f && cut->fraction <= 1.0f);
        }
    }
    assert_int_equal(cuts.list.count, expected);
    sn_array_release(&cuts.list);
    lattice_rig_end(&rig);
}

static void test_where_bodies_overlap_only_their_outer_side_cuts(void **state)
{
    (void)state;
    triangle_shape right = make_sphere_shape(1.0f, 20);
    place_shape(&right, 1.0f, (sn_pose){{0.9f, 0.0f, 0.0f}, sn_quat_identity});
    lattice_rig rig;
    sn_lattice_cuts cuts;
    lattice_rig_begin(&rig, join_shapes(make_sphere_shape(1.0f, 20), right), 0.15f);
    find_all(&rig, &cuts, true);
    for (int i = 0; i < cuts.list.count; ++i) {
        sn_vec3 p =
            sn_lattice_to_world(&rig.lattice, sn_lattice_cut_position(&rig.lattice, &cuts.list.data[i]));
        float left = sn_length(p), other = sn_distance_between(p, sn_v(0.9f, 0.0f, 0.0f));
        assert_float_equal(sn_min(left, other), 1.0f, 3.0e-3f);
    }
    sn_array_release(&cuts.list);
    lattice_rig_end(&rig);
}

static void test_holes_are_cut_where_the_number_passes_a_half(void **state)
{
    (void)state;
    triangle_shape open = make_sphere_shape(1.0f, 12);
    open.triangle_count -= 40;
    lattice_rig rig;
    sn_lattice_cuts cuts;
    lattice_rig_begin(&rig, open, 0.1f);
    find_all(&rig, &cuts, false);
    int through_the_hole = 0;
    for (int i = 0; i < cuts.list.count; ++i) {
        sn_vec3 p = sn_lattice_cut_position(&rig.lattice, &cuts.list.data[i]);
        sn_vec3 world = sn_lattice_to_world(&rig.lattice, p);
        if (sn_length(world) < 0.98f) {
            assert_float_equal(sn_abs(sn_winding_number(&rig.winding, p)), 0.5f, 0.02f);
            through_the_hole++;
        }
    }
    assert_true(through_the_hole > 5);
    sn_array_release(&cuts.list);
    lattice_rig_end(&rig);
}

static void test_after_warping_no_cut_point_is_too_near_a_node(void **state)
{
    (void)state;
    lattice_rig rig;
    sn_lattice_cuts cuts;
    lattice_rig_begin(&rig, make_bumpy_shape(16), 0.15f);
    find_all(&rig, &cuts, true);
    sn_lattice_warp(&rig.lattice, &cuts);
    int live = 0, moved = 0;
    for (int i = 0; i < cuts.list.count; ++i) {
        const sn_lattice_cut *cut = &cuts.list.data[i];
        if (rig.lattice.sign[cut->low] != 0 && rig.lattice.sign[cut->high] != 0) {
            float least = sn_lattice_is_long(cut->low, cut->high) ? SN_WARP_LONG : SN_WARP_SHORT;
            assert_true(cut->fraction >= least && 1.0f - cut->fraction >= least);
            live++;
        }
    }
    for (int node = 0; node < rig.lattice.node_count; ++node) {
        if (rig.lattice.sign[node] != 0) {
            assert_int_equal(rig.lattice.number[node], -1);
            continue;
        }
        // Moved along one of its own edges, by less than the fraction.
        const sn_lattice_cut *cut = &cuts.list.data[-2 - rig.lattice.number[node]];
        assert_true(cut->low == node || cut->high == node);
        float fraction = cut->low == node ? cut->fraction : 1.0f - cut->fraction;
        assert_true(fraction < (sn_lattice_is_long(cut->low, cut->high) ? SN_WARP_LONG : SN_WARP_SHORT));
        moved++;
    }
    assert_true(live > 100 && moved > 100);
    sn_array_release(&cuts.list);
    lattice_rig_end(&rig);
}

static void test_without_memory_there_are_no_cut_points(void **state)
{
    (void)state;
    lattice_rig rig;
    sn_lattice_cuts cuts = {0};
    lattice_rig_begin(&rig, make_sphere_shape(1.0f, 4), 0.5f);
    sn_lattice_find_signs(&rig.lattice, &rig.winding, true);
    for (int allowed = 0; allowed < 3; ++allowed) {
        test_memory_allow(allowed);
        assert_false(sn_lattice_find_cuts(&rig.lattice, &rig.winding, &cuts));
        test_memory_allow_all();
        sn_array_release(&cuts.list);
    }
    lattice_rig_end(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_cut_points_lie_on_the_surface),
        test_with_memory(test_every_edge_between_signs_has_its_cut_point),
        test_with_memory(test_where_bodies_overlap_only_their_outer_side_cuts),
        test_with_memory(test_holes_are_cut_where_the_number_passes_a_half),
        test_with_memory(test_after_warping_no_cut_point_is_too_near_a_node),
        test_with_memory(test_without_memory_there_are_no_cut_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
