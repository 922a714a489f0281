// Which exact anchors are held exactly: sets merge, nails win, what is left over is rows, and says so.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/exact_kit.h"
#include "world/exact/exact_plan.h"

#define assert_hold(world, anchor, hold) assert_int_equal(sn_anchor_hold_now((world), (anchor)), (hold))

static sn_world *world;
static sn_deformable rope;

static int setup(void **state)
{
    (void)test_memory_setup(state);
    world = soft_restless_world();
    rope = soft_rope(world, 40, sn_v(0.0f, 0.0f, 0.0f));
    return 0;
}

static int teardown(void **state)
{
    sn_world_destroy(world);
    return test_memory_teardown(state);
}

static sn_anchor nail_at(int node, sn_vec3 place)
{
    return exact_tie(world, sn_point_world(place), sn_point_node(rope, node));
}

static sn_anchor join(int a, int b)
{
    return exact_tie(world, sn_point_node(rope, a), sn_point_node(rope, b));
}

static sn_anchor ride(sn_rigid body, int node)
{
    return exact_tie(world, sn_point_rigid(body, sn_v(0.1f, 0.0f, 0.0f)), sn_point_node(rope, node));
}

static const sn_exact_plan *plan(void)
{
    assert_true(sn_world_plan_exact(world));
    return world->exact;
}

// --- sets --------------------------------------------------------------------------------------------------

static void test_anchors_between_nodes_merge_into_one_set(void **state)
{
    (void)state;
    (void)join(1, 5);
    (void)join(9, 3);
    (void)join(5, 9);
    assert_int_equal(plan()->sets.count, 1);
    assert_int_equal(plan()->sets.data[0].count, 4);
    assert_int_equal(plan()->exact_count, 3);
}

// The root first, every other one after its parent, and every node once.
static void test_members_come_after_their_parents(void **state)
{
    (void)state;
    sn_anchor anchors[5] = {join(4, 5), join(7, 6), join(5, 6), join(6, 8), join(9, 4)};
    const sn_exact_member *members = plan()->members.data;
    assert_int_equal(plan()->members.count, 6);
    assert_int_equal(members[0].parent, -1);
    for (int i = 1; i < 6; ++i) {
        assert_in_range(members[i].parent, 0, i - 1);
        bool found = false;
        for (int k = 0; k < 5; ++k) {
            const sn_constraint_common *def =
                &world->constraints.data[anchors[k].index - 1].definition.common;
            int first = world->deformables.data[rope.index - 1].first_node;
            int near = first + (members[i].end >= 0 ? def->b : def->a).nodes[0];
            int far = first + (members[i].end >= 0 ? def->a : def->b).nodes[0];
            if ((members[i].end >= 0 ? members[i].end : SN_EXACT_A(members[i].end)) ==
                (int)anchors[k].index - 1) {
                assert_int_equal(members[i].node, near);
                assert_int_equal(members[members[i].parent].node, far);
                found = true;
            }
        }
        assert_true(found);
    }
}

static void test_a_carried_set_begins_where_it_is_carried(void **state)
{
    (void)state;
    (void)join(4, 5);
    (void)join(5, 6);
    sn_anchor nail = nail_at(6, sn_v(1.0f, 2.0f, 3.0f));
    int first = world->deformables.data[rope.index - 1].first_node;
    assert_int_equal(plan()->members.data[0].node, first + 6);
    assert_int_equal(plan()->sets.data[0].attachment, 0);
    assert_int_equal(plan()->attachments.data[0].end, nail.index - 1); // the node is its b
}

static void test_the_same_nodes_may_be_held_together_twice(void **state)
{
    (void)state;
    sn_anchor anchors[3] = {join(1, 2), join(1, 2), join(2, 1)};
    for (int i = 0; i < 3; ++i) {
        assert_hold(world, anchors[i], SN_ANCHOR_EXACT);
    }
    assert_int_equal(plan()->sets.count, 1);
}

static void test_a_node_held_to_itself_makes_no_set(void **state)
{
    (void)state;
    assert_hold(world, join(3, 3), SN_ANCHOR_EXACT);
    assert_int_equal(plan()->sets.count, 0);
}

static void test_a_point_with_all_its_weight_on_a_node_is_that_node(void **state)
{
    (void)state;
    sn_point corner = sn_point_nodes(rope, (int[]){7, 8}, (float[]){0.0f, 1.0f}, 2);
    assert_hold(world, exact_tie(world, corner, sn_point_node(rope, 20)), SN_ANCHOR_EXACT);
    assert_int_equal(plan()->links.count, 0);
    assert_int_equal(plan()->sets.count, 1);
}

static void test_a_hundred_thousand_anchors_are_one_set(void **state)
{
    (void)state;
    sn_mesh *mesh = NULL;
    assert_ok(sn_mesh_line(100.0f, 100000, &mesh));
    sn_deformable_def def = soft_def(mesh, sn_v(0.0f, 0.0f, 0.0f));
    def.density = 1.0f;
    sn_deformable line = soft_add(world, &def);
    sn_mesh_destroy(mesh);
    for (int i = 0; i < 100000; ++i) {
        (void)exact_tie(world, sn_point_node(line, i), sn_point_node(line, i + 1));
    }
    assert_int_equal(plan()->sets.count, 1);
    assert_int_equal(plan()->sets.data[0].count, 100001);
    assert_int_equal(plan()->exact_count, 100000);
}

// --- nails and bodies --------------------------------------------------------------------------------------

static void test_the_first_nail_of_a_node_wins(void **state)
{
    (void)state;
    sn_anchor first = nail_at(0, sn_v(0.0f, 1.0f, 0.0f)), second = nail_at(0, sn_v(0.0f, 2.0f, 0.0f));
    assert_hold(world, first, SN_ANCHOR_EXACT);
    assert_hold(world, second, SN_ANCHOR_ROWS_INSTEAD);
    assert_ok(sn_anchor_remove(world, first));
    assert_hold(world, second, SN_ANCHOR_EXACT);
}

static void test_nails_win_over_bodies_that_came_first(void **state)
{
    (void)state;
    sn_rigid box = add_box_at(world, 0.1f, 0.0f, 0.0f, 0.0f);
    sn_anchor body = ride(box, 3), nail = nail_at(3, sn_v(0.0f, 0.0f, 0.0f));
    assert_hold(world, nail, SN_ANCHOR_EXACT);
    assert_hold(world, body, SN_ANCHOR_ROWS_INSTEAD);
}

static void test_nails_win_over_anchors_between_nodes(void **state)
{
    (void)state;
    sn_anchor between = join(3, 4), a = nail_at(3, sn_v(0.0f, 0.0f, 0.0f)),
              b = nail_at(4, sn_v(1.0f, 0.0f, 0.0f));
    assert_hold(world, a, SN_ANCHOR_EXACT);
    assert_hold(world, b, SN_ANCHOR_EXACT);
    assert_hold(world, between, SN_ANCHOR_ROWS_INSTEAD);
    assert_int_equal(plan()->instead_count, 1);
}

static void test_a_body_that_stands_is_a_nail(void **state)
{
    (void)state;
    sn_rigid box = add_box_at(world, 0.1f, 0.0f, 0.0f, 0.0f),
             wall = add_box_at(world, 0.1f, 1.0f, 0.0f, 0.0f);
    sn_anchor loose = ride(box, 3), firm = ride(wall, 3);
    assert_hold(world, loose, SN_ANCHOR_EXACT);
    assert_hold(world, firm, SN_ANCHOR_ROWS_INSTEAD);
    assert_ok(sn_rigid_type_set(world, wall, SN_STATIC));
    assert_hold(world, firm, SN_ANCHOR_EXACT);
    assert_hold(world, loose, SN_ANCHOR_ROWS_INSTEAD);
    assert_ok(sn_rigid_type_set(world, wall, SN_DYNAMIC));
    assert_hold(world, loose, SN_ANCHOR_EXACT);
}

static void test_a_set_is_carried_by_one_body(void **state)
{
    (void)state;
    sn_rigid a = add_box_at(world, 0.1f, 0.0f, 0.0f, 0.0f), b = add_box_at(world, 0.1f, 1.0f, 0.0f, 0.0f);
    sn_anchor first = ride(a, 3), second = ride(b, 4), other = ride(b, 30);
    assert_hold(world, second, SN_ANCHOR_EXACT);
    (void)join(3, 4);
    assert_hold(world, first, SN_ANCHOR_EXACT);
    assert_hold(world, second, SN_ANCHOR_ROWS_INSTEAD);
    assert_hold(world, other, SN_ANCHOR_EXACT);
}

static void test_fixed_nodes_hold_their_sets(void **state)
{
    (void)state;
    assert_ok(sn_node_fix(world, rope, 3, true));
    sn_anchor nail = nail_at(3, sn_v(0.0f, 0.0f, 0.0f)), between = join(3, 4);
    assert_hold(world, nail, SN_ANCHOR_ROWS_INSTEAD);
    assert_hold(world, between, SN_ANCHOR_EXACT);
    assert_ok(sn_node_fix(world, rope, 4, true));
    assert_hold(world, between, SN_ANCHOR_ROWS_INSTEAD);
    assert_ok(sn_node_fix(world, rope, 3, false));
    assert_hold(world, nail, SN_ANCHOR_EXACT);
}

static void test_nodes_fixed_by_writing_are_noticed(void **state)
{
    (void)state;
    sn_anchor nail = nail_at(3, sn_v(0.0f, 0.0f, 0.0f));
    assert_hold(world, nail, SN_ANCHOR_EXACT);
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    assert_ok(sn_deformable_edit(world, rope, &nodes, &velocities));
    nodes[3].inverse_mass = 0.0f;
    assert_hold(world, nail, SN_ANCHOR_ROWS_INSTEAD);
    assert_ok(sn_deformable_edit(world, rope, &nodes, &velocities));
    nodes[3].inverse_mass = 1.0f;
    assert_hold(world, nail, SN_ANCHOR_EXACT);
}

static void test_two_bodies_are_held_by_rows(void **state)
{
    (void)state;
    sn_rigid a = add_box_at(world, 0.1f, 0.0f, 0.0f, 0.0f), b = add_box_at(world, 0.1f, 1.0f, 0.0f, 0.0f);
    sn_point on_a = sn_point_rigid(a, sn_v(0.1f, 0.0f, 0.0f)),
             on_b = sn_point_rigid(b, sn_v(0.0f, 0.0f, 0.0f));
    assert_hold(world, exact_tie(world, on_a, on_b), SN_ANCHOR_ROWS_INSTEAD);
    assert_hold(world, exact_tie(world, on_a, sn_point_world(sn_v(0.0f, 0.0f, 0.0f))),
                SN_ANCHOR_ROWS_INSTEAD);
}

// --- links -------------------------------------------------------------------------------------------------

static sn_point middle_of(int node)
{
    return sn_point_nodes(rope, (int[]){node, node + 1}, (float[]){0.5f, 0.5f}, 2);
}

static void test_weighted_sums_are_sums(void **state)
{
    (void)state;
    sn_anchor link = exact_tie(world, middle_of(3), middle_of(20));
    assert_hold(world, link, SN_ANCHOR_EXACT);
    assert_int_equal(plan()->sums.count, 1);
    assert_int_equal(plan()->links.count + plan()->sets.count, 0);
}

static void test_links_with_nodes_of_their_own_are_sums(void **state)
{
    (void)state;
    assert_hold(world, exact_tie(world, middle_of(3), sn_point_node(rope, 20)), SN_ANCHOR_EXACT);
    assert_hold(world, exact_tie(world, sn_point_node(rope, 25), middle_of(30)), SN_ANCHOR_EXACT);
    assert_int_equal(plan()->links.count, 0);
    assert_int_equal(plan()->sums.count, 2);
    assert_int_equal(plan()->sums.data[0].count, 3);
    assert_float_equal(plan()->terms.data[0].weight, 1.0f, 0.0f);  // b is one node,
    assert_float_equal(plan()->terms.data[3].weight, -1.0f, 0.0f); // and a
    run_steps(world, 5);
    assert_true(sn_world_statistics(world).exact_error < 1e-6f);
}

// With each other, with themselves, or with a set.
static void test_links_that_share_nodes_are_no_sums(void **state)
{
    (void)state;
    assert_hold(world, exact_tie(world, middle_of(3), sn_point_node(rope, 20)), SN_ANCHOR_EXACT);
    assert_int_equal(plan()->sums.count, 1);
    assert_hold(world, exact_tie(world, middle_of(4), sn_point_node(rope, 25)), SN_ANCHOR_EXACT);
    assert_int_equal(plan()->sums.count, 0);
    assert_hold(world, exact_tie(world, middle_of(10), sn_point_node(rope, 10)), SN_ANCHOR_EXACT);
    assert_hold(world, exact_tie(world, middle_of(14), sn_point_node(rope, 16)), SN_ANCHOR_EXACT);
    assert_int_equal(plan()->links.count, 3);
    assert_int_equal(plan()->sums.count, 1);
    assert_hold(world, join(16, 30), SN_ANCHOR_EXACT);
    assert_int_equal(plan()->sums.count, 0);
    assert_int_equal(plan()->sets.count, 1);
}

// Nor those that something may come sliding to.
static void test_links_on_a_surface_that_others_slide_along_are_no_sums(void **state)
{
    (void)state;
    sn_deformable bead = soft_rope(world, 1, sn_v(0.0f, 1.0f, 0.0f));
    assert_hold(world, exact_tie(world, middle_of(3), sn_point_node(rope, 20)), SN_ANCHOR_EXACT);
    assert_int_equal(plan()->sums.count, 1);
    sn_anchor ring = exact_tie(world, sn_point_node(bead, 0), sn_point_surface(rope));
    assert_int_equal(plan()->sums.count, 0);
    assert_ok(sn_anchor_active_set(world, ring, false));
    assert_int_equal(plan()->sums.count, 1);
}

// Nine links in a row, each with a node of the last.
static void test_the_ninth_link_of_a_system_is_rows(void **state)
{
    (void)state;
    sn_anchor links[9];
    for (int i = 0; i < 9; ++i) {
        links[i] = exact_tie(world, middle_of(i), sn_point_world(sn_v(0.0f, 0.0f, 0.0f)));
    }
    for (int i = 0; i < 9; ++i) {
        assert_hold(world, links[i], i < 8 ? SN_ANCHOR_EXACT : SN_ANCHOR_ROWS_INSTEAD);
    }
    assert_ok(sn_anchor_remove(world, links[4])); // which leaves four and four
    assert_hold(world, links[8], SN_ANCHOR_EXACT);
}

static void test_two_systems_are_not_joined_beyond_eight(void **state)
{
    (void)state;
    for (int i = 0; i < 4; ++i) {
        (void)exact_tie(world, middle_of(i), sn_point_world(sn_v(0.0f, 0.0f, 0.0f)));
        (void)exact_tie(world, middle_of(20 + i), sn_point_world(sn_v(0.0f, 0.0f, 0.0f)));
    }
    sn_point across = sn_point_nodes(rope, (int[]){0, 20}, (float[]){0.5f, 0.5f}, 2);
    assert_hold(world, exact_tie(world, across, sn_point_node(rope, 39)), SN_ANCHOR_ROWS_INSTEAD);
    assert_int_equal(plan()->links.count, 8);
}

static void test_links_that_contradict_each_other_are_rows(void **state)
{
    (void)state;
    sn_anchor first = exact_tie(world, middle_of(3), sn_point_world(sn_v(0.0f, 0.0f, 0.0f)));
    sn_anchor same = exact_tie(world, middle_of(3), sn_point_world(sn_v(0.0f, 1.0f, 0.0f)));
    sn_point other = sn_point_nodes(rope, (int[]){3, 4}, (float[]){0.1f, 0.9f}, 2);
    sn_anchor second = exact_tie(world, other, sn_point_world(sn_v(0.0f, 0.0f, 0.0f)));
    sn_point third = sn_point_nodes(rope, (int[]){3, 4}, (float[]){0.9f, 0.1f}, 2);
    sn_anchor beyond = exact_tie(world, third, sn_point_world(sn_v(0.0f, 0.0f, 0.0f)));
    assert_hold(world, first, SN_ANCHOR_EXACT);
    assert_hold(world, same, SN_ANCHOR_ROWS_INSTEAD);
    assert_hold(world, second, SN_ANCHOR_EXACT); // two nodes, two sums
    assert_hold(world, beyond, SN_ANCHOR_ROWS_INSTEAD);
}

static void test_a_sum_held_to_itself_is_rows(void **state)
{
    (void)state;
    assert_hold(world, exact_tie(world, middle_of(3), middle_of(3)), SN_ANCHOR_ROWS_INSTEAD);
}

static void test_what_stands_joins_no_links(void **state)
{
    (void)state;
    sn_rigid wall = add_box_at(world, 0.1f, 0.0f, 0.0f, 0.0f);
    assert_ok(sn_rigid_type_set(world, wall, SN_STATIC));
    assert_ok(sn_node_fix(world, rope, 0, true));
    for (int i = 0; i < 12; ++i) {
        sn_point sum = sn_point_nodes(rope, (int[]){0, 2 * i + 1, 2 * i + 2}, (float[]){0.2f, 0.4f, 0.4f}, 3);
        sn_anchor link = exact_tie(world, sum, sn_point_rigid(wall, sn_v(0.0f, 0.0f, 0.0f)));
        assert_hold(world, link, SN_ANCHOR_EXACT);
    }
}

static void test_links_that_can_move_nothing_are_rows(void **state)
{
    (void)state;
    assert_ok(sn_node_fix(world, rope, 3, true));
    (void)nail_at(4, sn_v(0.0f, 0.0f, 0.0f));
    assert_hold(world, exact_tie(world, middle_of(3), sn_point_world(sn_v(0.0f, 0.0f, 0.0f))),
                SN_ANCHOR_ROWS_INSTEAD);
}

static void test_links_on_bodies_that_carry_are_rows(void **state)
{
    (void)state;
    sn_rigid box = add_box_at(world, 0.1f, 0.0f, 0.0f, 0.0f);
    sn_anchor carries = ride(box, 9);
    sn_anchor on_body = exact_tie(world, middle_of(3), sn_point_rigid(box, sn_v(0.0f, 0.0f, 0.0f)));
    sn_anchor on_attached = exact_tie(world, middle_of(9), sn_point_node(rope, 20));
    assert_hold(world, on_body, SN_ANCHOR_ROWS_INSTEAD);
    assert_hold(world, on_attached, SN_ANCHOR_ROWS_INSTEAD);
    assert_ok(sn_anchor_remove(world, carries));
    assert_hold(world, on_body, SN_ANCHOR_EXACT);
    assert_hold(world, on_attached, SN_ANCHOR_EXACT);
}

static void test_ramps_are_links_until_they_are_over(void **state)
{
    (void)state;
    sn_anchor_def def = exact_def(sn_point_node(rope, 3), sn_point_node(rope, 30));
    def.ramp_steps = 3;
    sn_anchor ramp = exact_add(world, &def);
    for (int i = 0; i < 3; ++i) {
        assert_hold(world, ramp, SN_ANCHOR_EXACT);
        assert_int_equal(plan()->links.count, 1);
        run_steps(world, 1);
    }
    assert_hold(world, ramp, SN_ANCHOR_EXACT);
    assert_int_equal(plan()->links.count, 0);
    assert_int_equal(plan()->sets.count, 1);
}

// --- when it is decided anew -------------------------------------------------------------------------------

static void test_moving_a_nail_decides_nothing_anew(void **state)
{
    (void)state;
    sn_anchor nail = nail_at(3, sn_v(0.0f, 0.0f, 0.0f));
    run_steps(world, 1);
    assert_true(sn_world_plan_is_fresh(world));
    sn_point there = sn_point_world(sn_v(0.1f, 0.0f, 0.0f));
    assert_ok(sn_anchor_point_set(world, nail, 0, &there));
    assert_true(sn_world_plan_is_fresh(world));
    assert_float_equal(plan()->attachments.data[0].displacement.x, 0.1f, 0.0f);
    there = sn_point_node(rope, 5);
    assert_ok(sn_anchor_point_set(world, nail, 1, &there));
    assert_false(sn_world_plan_is_fresh(world));
}

static void test_lists_hold_what_steps_need(void **state)
{
    (void)state;
    sn_rigid box = add_box_at(world, 0.1f, 0.0f, 0.0f, 0.0f);
    sn_anchor_def def = exact_def(sn_point_rigid(box, sn_v(0.0f, 0.0f, 0.0f)), sn_point_node(rope, 3));
    def.break_force = 100.0f;
    (void)exact_add(world, &def);
    (void)join(4, 5);
    (void)join(6, 7);
    (void)soft_tie(world, sn_point_node(rope, 9), sn_point_node(rope, 10));
    assert_int_equal(plan()->hangers.count, 1);
    assert_int_equal(plan()->exclusions.count,
                     7 + 3); // ends, and the nodes before node 3, which the box covers
}

int main(void)
{
#define planned(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
    const struct CMUnitTest tests[] = {
        planned(test_anchors_between_nodes_merge_into_one_set),
        planned(test_members_come_after_their_parents),
        planned(test_a_carried_set_begins_where_it_is_carried),
        planned(test_the_same_nodes_may_be_held_together_twice),
        planned(test_a_node_held_to_itself_makes_no_set),
        planned(test_a_point_with_all_its_weight_on_a_node_is_that_node),
        planned(test_a_hundred_thousand_anchors_are_one_set),
        planned(test_the_first_nail_of_a_node_wins),
        planned(test_nails_win_over_bodies_that_came_first),
        planned(test_nails_win_over_anchors_between_nodes),
        planned(test_a_body_that_stands_is_a_nail),
        planned(test_a_set_is_carried_by_one_body),
        planned(test_fixed_nodes_hold_their_sets),
        planned(test_nodes_fixed_by_writing_are_noticed),
        planned(test_two_bodies_are_held_by_rows),
        planned(test_weighted_sums_are_sums),
        planned(test_links_with_nodes_of_their_own_are_sums),
        planned(test_links_on_a_surface_that_others_slide_along_are_no_sums),
        planned(test_links_that_share_nodes_are_no_sums),
        planned(test_the_ninth_link_of_a_system_is_rows),
        planned(test_two_systems_are_not_joined_beyond_eight),
        planned(test_links_that_contradict_each_other_are_rows),
        planned(test_a_sum_held_to_itself_is_rows),
        planned(test_what_stands_joins_no_links),
        planned(test_links_that_can_move_nothing_are_rows),
        planned(test_links_on_bodies_that_carry_are_rows),
        planned(test_ramps_are_links_until_they_are_over),
        planned(test_moving_a_nail_decides_nothing_anew),
        planned(test_lists_hold_what_steps_need),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
