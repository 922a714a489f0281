// Which constraints are one joint, and which of their rows it has: as many hard ones as are independent, and
// all others. Whatever is left out is implied by what is held.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/joint_rig.h"
#include "support/manifold_check.h"
#include "support/memory.h"

static const float h = 1.0f / 720.0f;
static const sn_vec3 zero = {0.0f, 0.0f, 0.0f};

static joint_rig *random_rig(test_random *random, int bodies)
{
    joint_rig *rig = joint_rig_make(0, bodies, h);
    for (int i = 1; i <= bodies; ++i) {
        rig_set_random(&rig->rig, i, random);
    }
    return rig;
}

static int add_ball(joint_rig *rig, int a, int b, sn_vec3 place)
{
    int i = joint_rig_add(rig, a, b);
    joint_rig_ball_at(rig, i, place);
    return i;
}

static int add_hinge(joint_rig *rig, int a, int b, sn_vec3 place, sn_vec3 axis)
{
    int i = add_ball(rig, a, b, place);
    sn_vec3 across = sn_perpendicular(axis);
    (void)joint_rig_turn(rig, i, SN_ROW_EQUAL, 0.0f, across);
    (void)joint_rig_turn(rig, i, SN_ROW_EQUAL, 0.0f, sn_cross(axis, across));
    return i;
}

static int add_weld(joint_rig *rig, int a, int b, sn_vec3 place)
{
    int i = add_ball(rig, a, b, place);
    for (int k = 0; k < 3; ++k) {
        (void)joint_rig_turn(rig, i, SN_ROW_EQUAL, 0.0f, rig_axis(k));
    }
    return i;
}

// All rows of all constraints come to rest by one visit, those that were left out too.
static void check_all_rows_are_met(joint_rig *rig, double tolerance)
{
    joint_rig_begin(rig);
    joint_rig_relax(rig);
    for (int i = 0; i < rig->joints.count; ++i) {
        for (int k = 0; k < rig->given[i].count; ++k) {
            assert_near((float)joint_rig_speed(rig, i, k), 0.0f, tolerance);
        }
    }
}

static void check_one_group(const joint_rig *rig, int hard)
{
    assert_int_equal(rig->joints.group_count, 1);
    const sn_joint_group *group = &rig->joints.groups[0];
    assert_int_equal(group->member_count, rig->joints.count);
    assert_int_equal(group->hard_count, hard);
    assert_int_equal(group->held_count, hard);
}

// --- independent rows ----------------------------------------------------------------------------

static void test_four_balls_a_seam_are_six_rows(void **state)
{
    (void)state;
    test_random random = {1};
    for (int round = 0; round < 50; ++round) {
        joint_rig *rig = random_rig(&random, 2);
        sn_vec3 middle = test_random_vec3(&random, 1.0f), x = test_random_direction(&random);
        sn_vec3 y = sn_perpendicular(x);
        for (int k = 0; k < 4; ++k) {
            sn_vec3 place = sn_add_scaled(middle, k % 2 == 0 ? 0.5f : -0.5f, x);
            (void)add_ball(rig, 1, 2, sn_add_scaled(place, k < 2 ? 0.3f : -0.3f, y));
        }
        check_all_rows_are_met(rig, 1e-4);
        check_one_group(rig, 6);
        joint_rig_free(rig);
    }
}

static void test_two_balls_are_five_rows(void **state)
{
    (void)state;
    test_random random = {2};
    for (int round = 0; round < 50; ++round) {
        joint_rig *rig = random_rig(&random, 2);
        (void)add_ball(rig, 1, 2, test_random_vec3(&random, 1.0f));
        (void)add_ball(rig, 1, 2, test_random_vec3(&random, 1.0f));
        check_all_rows_are_met(rig, 1e-4);
        check_one_group(rig, 5);
        joint_rig_free(rig);
    }
}

// A hundredth of the bodies' size apart they still hold the rotation.
static void test_two_balls_close_together_are_five_rows(void **state)
{
    (void)state;
    joint_rig *rig = joint_rig_make(0, 2, h);
    rig_set_ball(&rig->rig, 1, 2.0f, 1.0f);
    rig_set_ball(&rig->rig, 2, 2.0f, 1.0f);
    (void)add_ball(rig, 1, 2, zero);
    (void)add_ball(rig, 1, 2, sn_v(0.01f, 0.0f, 0.0f));
    joint_rig_begin(rig);
    check_one_group(rig, 5);
    joint_rig_free(rig);
}

static void test_two_balls_in_one_place_are_three_rows(void **state)
{
    (void)state;
    test_random random = {3};
    joint_rig *rig = random_rig(&random, 2);
    sn_vec3 place = test_random_vec3(&random, 1.0f);
    (void)add_ball(rig, 1, 2, place);
    (void)add_ball(rig, 1, 2, place);
    check_all_rows_are_met(rig, 1e-4);
    check_one_group(rig, 3);
    joint_rig_free(rig);
}

static void test_two_hinges_on_one_axis_are_five_rows(void **state)
{
    (void)state;
    test_random random = {4};
    for (int round = 0; round < 50; ++round) {
        joint_rig *rig = random_rig(&random, 2);
        sn_vec3 axis = test_random_direction(&random), place = test_random_vec3(&random, 1.0f);
        (void)add_hinge(rig, 1, 2, place, axis);
        (void)add_hinge(rig, 1, 2, sn_add_scaled(place, 0.7f, axis), axis);
        check_all_rows_are_met(rig, 1e-4);
        check_one_group(rig, 5);
        joint_rig_free(rig);
    }
}

static void test_two_welds_are_six_rows(void **state)
{
    (void)state;
    test_random random = {5};
    for (int round = 0; round < 50; ++round) {
        joint_rig *rig = random_rig(&random, 2);
        (void)add_weld(rig, 1, 2, test_random_vec3(&random, 1.0f));
        (void)add_weld(rig, 1, 2, test_random_vec3(&random, 1.0f));
        check_all_rows_are_met(rig, 1e-4);
        check_one_group(rig, 6);
        joint_rig_free(rig);
    }
}

// Against the world, too; all that is static is one place.
static void test_balls_to_the_world_are_one_joint(void **state)
{
    (void)state;
    test_random random = {6};
    joint_rig *rig = random_rig(&random, 1);
    for (int k = 0; k < 3; ++k) {
        (void)add_ball(rig, k == 1 ? 1 : 0, k == 1 ? 0 : 1, test_random_vec3(&random, 1.0f));
    }
    check_all_rows_are_met(rig, 1e-4);
    check_one_group(rig, 6);
    joint_rig_free(rig);
}

// --- members -------------------------------------------------------------------------------------

static void test_a_single_constraint_is_left_as_it_is(void **state)
{
    (void)state;
    joint_rig *rig = joint_rig_make(0, 2, h);
    rig_set_ball(&rig->rig, 1, 2.0f, 1.0f);
    rig_set_ball(&rig->rig, 2, 3.0f, 1.0f);
    int i = add_ball(rig, 1, 2, sn_v(0.1f, 0.0f, 0.0f));
    (void)joint_rig_row(rig, i, SN_ROW_EQUAL, 0.0f); // says what the first one says
    joint_rig_begin(rig);
    check_one_group(rig, 4);
    for (int k = 0; k < 4; ++k) {
        assert_int_equal(rig->joints.groups[0].held[k].member, 0);
        assert_int_equal(rig->joints.groups[0].held[k].row, k);
    }
    assert_false(rig->joints.members[0].is_turned);
    joint_rig_free(rig);
}

// a–b and b–a together, in any order, are the same as a–b twice.
static void test_constraints_the_other_way_round_are_turned(void **state)
{
    (void)state;
    sn_solver_velocity results[4][2];
    for (int order = 0; order < 4; ++order) {
        test_random random = {7};
        joint_rig *rig = random_rig(&random, 2);
        for (int k = 0; k < 2; ++k) {
            bool turned = (order >> k & 1) != 0;
            (void)add_ball(rig, turned ? 2 : 1, turned ? 1 : 2, test_random_vec3(&random, 1.0f));
        }
        check_all_rows_are_met(rig, 1e-4);
        check_one_group(rig, 5);
        assert_false(rig->joints.members[0].is_turned);
        assert_int_equal(rig->joints.members[1].is_turned, order == 1 || order == 2);
        memcpy(results[order], &rig->rig.solver.velocities[1], sizeof results[order]);
        joint_rig_free(rig);
    }
    for (int order = 1; order < 4; ++order) {
        for (int i = 0; i < 2; ++i) {
            assert_vec3_near(rig_take(results[order][i].linear), rig_take(results[0][i].linear), 1e-5);
            assert_vec3_near(rig_take(results[order][i].angular), rig_take(results[0][i].angular), 1e-5);
        }
    }
}

static bool is_pair(const sn_constraint_input *a, const sn_constraint_input *b)
{
    return (a->ends[0].body == b->ends[0].body && a->ends[1].body == b->ends[1].body) ||
           (a->ends[0].body == b->ends[1].body && a->ends[1].body == b->ends[0].body);
}

// Few bodies, so that most pairs have several constraints; all of a pair are one group.
static void test_groups_never_mix_pairs_and_never_part_them(void **state)
{
    (void)state;
    test_random random = {8};
    for (int round = 0; round < 20; ++round) {
        joint_rig *rig = joint_rig_make(2, 9, h);
        for (int i = 0; i < 100; ++i) {
            int a = (int)(test_random_u32(&random) % 12), b = (int)(test_random_u32(&random) % 12);
            (void)joint_rig_add(rig, a, a != b ? b : (b + 1) % 12);
            (void)joint_rig_row(rig, i, SN_ROW_EQUAL, 0.0f);
        }
        assert_true(sn_joints_begin(&rig->joints));
        int members = 0;
        for (int g = 0; g < rig->joints.group_count; ++g) {
            const sn_joint_group *group = &rig->joints.groups[g];
            const sn_joint_member *member = &rig->joints.members[group->first_member];
            const sn_constraint_input *first = &rig->inputs[member->input];
            assert_int_equal(group->first_member, members);
            members += group->member_count;
            for (int m = 0; m < group->member_count; ++m) {
                assert_true(is_pair(first, &rig->inputs[member[m].input]));
            }
            for (int m = members; m < rig->joints.count; ++m) {
                assert_false(is_pair(first, &rig->inputs[rig->joints.members[m].input]));
            }
        }
        assert_int_equal(members, rig->joints.count);
        joint_rig_free(rig);
    }
}

static void test_constraints_of_limited_force_stay_alone(void **state)
{
    (void)state;
    test_random random = {9};
    joint_rig *rig = random_rig(&random, 2);
    for (int k = 0; k < 3; ++k) {
        int i = add_ball(rig, 1, 2, test_random_vec3(&random, 1.0f));
        rig->inputs[i].max_force = k == 1 ? 100.0f : INFINITY;
    }
    joint_rig_begin(rig);
    for (int g = 0; g < rig->joints.group_count; ++g) {
        const sn_joint_group *group = &rig->joints.groups[g];
        for (int m = 0; m < group->member_count; ++m) {
            bool limited = rig->joints.members[group->first_member + m].input == 1;
            assert_true(!limited || group->member_count == 1);
        }
    }
    joint_rig_free(rig);
}

static void test_constraints_that_touch_nodes_stay_alone(void **state)
{
    (void)state;
    joint_rig *rig = joint_rig_make(0, 1, h);
    rig_set_ball(&rig->rig, 1, 2.0f, 1.0f);
    joint_rig_nodes(rig, 2);
    for (int i = 0; i < 3; ++i) {
        (void)joint_rig_add(rig, 1, 0);
        rig->inputs[i].ends[1].node_count = 1;
        rig->inputs[i].ends[1].nodes[0] = 1;
        rig->inputs[i].ends[1].weights[0] = 1.0f;
        (void)joint_rig_row(rig, i, SN_ROW_EQUAL, 0.0f);
    }
    assert_true(sn_joints_begin(&rig->joints));
    assert_int_equal(rig->joints.group_count, 3);
    joint_rig_free(rig);
}

// --- rows that are not hard ----------------------------------------------------------------------

static int count_rows(const joint_rig *rig, int member_of_interest, bool single)
{
    const sn_joint_group *group = &rig->joints.groups[0];
    int count = 0;
    for (int i = 0; i < (single ? group->single_count : group->held_count); ++i) {
        int member = single ? group->singles[i].member : group->held[i].member;
        count += member == member_of_interest ? 1 : 0;
    }
    return count;
}

static void test_stops_motors_and_limited_rows_stay_single(void **state)
{
    (void)state;
    test_random random = {10};
    joint_rig *rig = random_rig(&random, 2);
    sn_vec3 axis = test_random_direction(&random), place = test_random_vec3(&random, 1.0f);
    for (int k = 0; k < 2; ++k) {
        int i = add_hinge(rig, 1, 2, place, axis);
        joint_rig_turn(rig, i, SN_ROW_SPEED, 0.0f, axis)->target_speed = 1.0f;
        (void)joint_rig_turn(rig, i, SN_ROW_ABOVE, 0.1f, axis);
        joint_rig_turn(rig, i, SN_ROW_EQUAL, 0.0f, axis)->upper = 10.0f;
    }
    joint_rig_begin(rig);
    check_one_group(rig, 5);
    assert_int_equal(rig->joints.groups[0].single_count, 6);
    assert_int_equal(count_rows(rig, 0, true), 3);
    assert_int_equal(count_rows(rig, 1, true), 3);
    joint_rig_free(rig);
}

// Springs that fit are solved with the hard rows, others by themselves; none is dropped.
static void test_springs_come_after_hard_rows_and_spill_into_single_ones(void **state)
{
    (void)state;
    test_random random = {11};
    joint_rig *rig = random_rig(&random, 2);
    (void)add_ball(rig, 1, 2, test_random_vec3(&random, 1.0f));
    for (int k = 0; k < 5; ++k) {
        int i = joint_rig_add(rig, 1, 2);
        joint_rig_turn(rig, i, SN_ROW_EQUAL, 0.1f, test_random_direction(&random))->compliance = 1e-2f;
    }
    joint_rig_begin(rig);
    const sn_joint_group *group = &rig->joints.groups[0];
    assert_int_equal(group->hard_count, 3);
    assert_int_equal(group->held_count, 6);
    assert_int_equal(group->single_count, 2);
    for (int i = 0; i < 6; ++i) {
        assert_true((group->held[i].member == 0) == (i < 3));
    }
    joint_rig_free(rig);
}

// --- many ----------------------------------------------------------------------------------------

static int rows_of_all(const joint_rig *rig, bool single)
{
    int sum = 0;
    for (int g = 0; g < rig->joints.group_count; ++g) {
        const sn_joint_group *group = &rig->joints.groups[g];
        sum += single ? group->single_count : group->hard_count;
    }
    return sum;
}

// However many constraints two bodies have, every stop is there.
static void test_no_stop_is_lost_among_many(void **state)
{
    (void)state;
    test_random random = {12};
    for (int rows = 1; rows <= SN_MAX_ROWS; ++rows) {
        joint_rig *rig = random_rig(&random, 2);
        for (int i = 0; i < 40; ++i) {
            (void)joint_rig_add(rig, 1, 2);
            for (int k = 0; k < rows; ++k) {
                (void)joint_rig_row(rig, i, SN_ROW_ABOVE, 0.0f);
            }
        }
        joint_rig_begin(rig);
        assert_int_equal(rows_of_all(rig, true), 40 * rows);
        joint_rig_free(rig);
    }
}

// Sixteen balls in one place, or ten of twelve rows that say the same, and then a weld: it holds.
static void test_no_hard_row_that_says_something_new_is_lost_among_many(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; ++kind) {
        test_random random = {13};
        joint_rig *rig = random_rig(&random, 2);
        sn_vec3 place = test_random_vec3(&random, 1.0f);
        for (int i = 0; i < (kind == 0 ? 15 : 10); ++i) {
            int ball = add_ball(rig, 1, 2, place);
            for (int k = 3; kind == 1 && k < SN_MAX_ROWS; ++k) {
                rig->given[ball].rows[rig->given[ball].count++] = rig->given[ball].rows[k % 3];
            }
        }
        int weld = add_weld(rig, 1, 2, place);
        joint_rig_begin(rig);
        for (int i = 0; i < 30; ++i) {
            joint_rig_relax(rig);
        }
        for (int k = 0; k < 6; ++k) {
            assert_near((float)joint_rig_speed(rig, weld, k), 0.0f, 1e-4);
        }
        joint_rig_free(rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_four_balls_a_seam_are_six_rows),
        test_with_memory(test_two_balls_are_five_rows),
        test_with_memory(test_two_balls_close_together_are_five_rows),
        test_with_memory(test_two_balls_in_one_place_are_three_rows),
        test_with_memory(test_two_hinges_on_one_axis_are_five_rows),
        test_with_memory(test_two_welds_are_six_rows),
        test_with_memory(test_balls_to_the_world_are_one_joint),
        test_with_memory(test_a_single_constraint_is_left_as_it_is),
        test_with_memory(test_constraints_the_other_way_round_are_turned),
        test_with_memory(test_groups_never_mix_pairs_and_never_part_them),
        test_with_memory(test_constraints_of_limited_force_stay_alone),
        test_with_memory(test_constraints_that_touch_nodes_stay_alone),
        test_with_memory(test_stops_motors_and_limited_rows_stay_single),
        test_with_memory(test_springs_come_after_hard_rows_and_spill_into_single_ones),
        test_with_memory(test_no_stop_is_lost_among_many),
        test_with_memory(test_no_hard_row_that_says_something_new_is_lost_among_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
