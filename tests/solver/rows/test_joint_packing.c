// Joints in colours and lanes: no two of one colour share a moving body or node, none is lost, and a joint's
// bits do not depend on who is beside it or on how many threads there are.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/joint_rig.h"
#include "support/manifold_check.h"
#include "support/memory.h"

static const float h = 1.0f / 720.0f;

enum { BODIES = 200, NODES = 100 };

// --- what must hold of every packing -------------------------------------------------------------

static void mark(bool *marked, int i)
{
    assert_false(marked[i]);
    marked[i] = true;
}

static void mark_end(const joint_rig *rig, const sn_solver_end *end, bool *bodies, bool *nodes)
{
    for (int k = 0; k < end->node_count; ++k) {
        mark(nodes, end->nodes[k]);
    }
    if (end->node_count == 0 && end->body >= rig->rig.solver.dynamic_begin) {
        mark(bodies, end->body);
    }
}

// Marks the ends and members of a block's joints.
static void mark_block(const joint_rig *rig, const sn_joint_block *block, bool *seen, bool *bodies,
                       bool *nodes)
{
    bool ended = false;
    for (int lane = 0; lane < SN_LANES; ++lane) {
        ended = ended || block->group[lane] < 0;
        assert_true((block->group[lane] < 0) == ended); // padding comes last
        if (ended) {
            continue;
        }
        const sn_joint_group *group = &rig->joints.groups[block->group[lane]];
        assert_true(group->held_count <= block->held_count && group->single_count <= block->single_count);
        for (int m = 0; m < group->member_count; ++m) {
            mark(seen, rig->joints.members[group->first_member + m].input);
        }
        const sn_constraint_input *input = &rig->inputs[rig->joints.members[group->first_member].input];
        mark_end(rig, &input->ends[0], bodies, nodes);
        mark_end(rig, &input->ends[1], bodies, nodes);
    }
}

static void check_packing(const joint_rig *rig)
{
    const sn_joints *joints = &rig->joints;
    bool seen[RIG_CONSTRAINTS] = {false};
    assert_int_equal(joints->block_begin[0], 0);
    assert_int_equal(joints->block_begin[SN_COLORS + 1], joints->block_count);
    for (int c = 0; c <= SN_COLORS; ++c) {
        bool bodies[BODIES] = {false}, nodes[NODES] = {false};
        int first = joints->block_begin[c], last = joints->block_begin[c + 1];
        // Greedy colouring leaves no gaps.
        assert_true(c == SN_OVERFLOW || (last > first) == (c < joints->color_count));
        for (int b = first; b < last; ++b) {
            if (c == SN_OVERFLOW) {
                memset(bodies, 0, sizeof bodies);
                memset(nodes, 0, sizeof nodes);
                assert_int_equal(joints->pass.blocks[b].group[1], -1); // one joint a block
            }
            mark_block(rig, &joints->pass.blocks[b], seen, bodies, nodes);
        }
    }
    for (int i = 0; i < joints->count; ++i) {
        assert_true(seen[i]);
    }
}

// --- graphs --------------------------------------------------------------------------------------

static int other_body(test_random *random, int body)
{
    int other = (int)(test_random_u32(random) % BODIES);
    return other != body ? other : (other + 1) % BODIES;
}

static void begin(joint_rig *rig)
{
    assert_true(sn_joints_begin(&rig->joints));
}

// From sparse to crowded, with few and many bodies that do not move.
static void test_random_graphs_are_coloured_without_conflicts(void **state)
{
    (void)state;
    test_random random = {1};
    const int kinematic[] = {0, 1, 50, BODIES - 2};
    for (int round = 0; round < 40; ++round) {
        joint_rig *rig = joint_rig_make(kinematic[round % 4], BODIES - 1 - kinematic[round % 4], h);
        int count = 1 + (int)(test_random_u32(&random) % RIG_CONSTRAINTS);
        for (int i = 0; i < count; ++i) {
            // Some bodies are in everyone's way.
            int a = (int)(test_random_u32(&random) % (i % 3 == 0 ? 5 : BODIES));
            (void)joint_rig_add(rig, a, other_body(&random, a));
            for (uint32_t k = test_random_u32(&random) % 8; k > 0; --k) {
                (void)joint_rig_row(rig, i, k % 3 == 0 ? SN_ROW_SPEED : SN_ROW_EQUAL, 0.0f);
            }
        }
        begin(rig);
        check_packing(rig);
        joint_rig_free(rig);
    }
}

static void test_a_chain_needs_two_colours_and_few_blocks(void **state)
{
    (void)state;
    joint_rig *rig = joint_rig_make(0, BODIES - 1, h);
    for (int i = 1; i + 1 < BODIES; ++i) {
        (void)joint_rig_add(rig, i, i + 1);
    }
    begin(rig);
    check_packing(rig);
    assert_int_equal(rig->joints.color_count, 2);
    assert_int_equal(rig->joints.block_count, 2 * ((99 + SN_LANES - 1) / SN_LANES));
    joint_rig_free(rig);
}

static void test_joints_with_what_cannot_move_need_one_colour(void **state)
{
    (void)state;
    joint_rig *rig = joint_rig_make(2, BODIES - 3, h);
    for (int i = 3; i < BODIES; ++i) {
        (void)joint_rig_add(rig, i % 3, i);
    }
    begin(rig);
    check_packing(rig);
    assert_int_equal(rig->joints.color_count, 1);
    joint_rig_free(rig);
}

static void test_a_body_with_forty_partners_overflows_after_31(void **state)
{
    (void)state;
    joint_rig *rig = joint_rig_make(0, BODIES - 1, h);
    for (int i = 0; i < 40; ++i) {
        (void)joint_rig_add(rig, 1, 2 + i);
    }
    (void)joint_rig_add(rig, 100, 101);
    begin(rig);
    check_packing(rig);
    assert_int_equal(rig->joints.color_count, SN_COLORS);
    assert_int_equal(rig->joints.overflow_count, 9);
    joint_rig_free(rig);
}

// Joints between bodies and nodes, some of which belong to several joints.
static void test_joints_that_share_a_node_have_different_colours(void **state)
{
    (void)state;
    test_random random = {2};
    joint_rig *rig = joint_rig_make(0, BODIES - 1, h);
    joint_rig_nodes(rig, NODES - 1);
    for (int i = 0; i < 150; ++i) {
        (void)joint_rig_add(rig, 0, 1 + (int)(test_random_u32(&random) % (BODIES - 1)));
        sn_solver_end *end = &rig->inputs[i].ends[0];
        end->node_count = 1 + i % 4;
        int first = 1 + (int)(test_random_u32(&random) % (NODES - 5));
        for (int k = 0; k < end->node_count; ++k) {
            end->nodes[k] = first + k;
            end->weights[k] = 1.0f / (float)end->node_count;
        }
        (void)joint_rig_row(rig, i, SN_ROW_EQUAL, 0.0f);
    }
    begin(rig);
    check_packing(rig);
    assert_int_equal(rig->joints.group_count, 150);
    joint_rig_free(rig);
}

static void test_no_joints_are_fine(void **state)
{
    (void)state;
    joint_rig *rig = joint_rig_make(0, 1, h);
    joint_rig_begin(rig);
    joint_rig_solve(rig);
    joint_rig_relax(rig);
    sn_joints_finish_sub_step(&rig->joints);
    sn_joints_store(&rig->joints);
    assert_int_equal(rig->joints.block_count, 0);
    assert_int_equal(rig->joints.color_count, 0);
    joint_rig_free(rig);
}

// --- lanes ---------------------------------------------------------------------------------------

// Eight joints in a block, of different shapes, against each of them alone.
static void test_a_joint_has_the_same_bits_alone_and_beside_others(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < 30; ++round) {
        test_random random = {10 + round};
        joint_rig *all = joint_rig_make(0, 16, h);
        for (int i = 0; i < 8; ++i) {
            rig_set_random(&all->rig, 2 * i + 1, &random);
            rig_set_random(&all->rig, 2 * i + 2, &random);
            (void)joint_rig_random(all, 2 * i + 1, 2 * i + 2, &random);
        }
        joint_rig *alone[8];
        for (int i = 0; i < 8; ++i) {
            alone[i] = joint_rig_make(0, 2, h);
            for (int k = 1; k <= 2; ++k) {
                alone[i]->rig.solver.bodies[k] = all->rig.solver.bodies[2 * i + k];
                alone[i]->rig.solver.inertias[k] = all->rig.solver.inertias[2 * i + k];
                alone[i]->rig.solver.velocities[k] = all->rig.solver.velocities[2 * i + k];
            }
            (void)joint_rig_add(alone[i], 1, 2);
            alone[i]->given[0] = all->given[i];
            alone[i]->inputs[0].max_force = all->inputs[i].max_force;
            memcpy(alone[i]->impulses[0], all->impulses[i], sizeof all->impulses[i]);
        }
        joint_rig_run(all);
        assert_int_equal(all->joints.block_count, 1);
        for (int i = 0; i < 8; ++i) {
            joint_rig_run(alone[i]);
            assert_memory_equal(&alone[i]->rig.solver.velocities[1], &all->rig.solver.velocities[2 * i + 1],
                                2 * sizeof(sn_solver_velocity));
            assert_memory_equal(alone[i]->impulses[0], all->impulses[i], sizeof all->impulses[i]);
            assert_memory_equal(&alone[i]->force[0], &all->force[i], sizeof all->force[i]);
            assert_memory_equal(&alone[i]->torque[0], &all->torque[i], sizeof all->torque[i]);
            joint_rig_free(alone[i]);
        }
        joint_rig_free(all);
    }
}

static joint_rig *run_crowd(int threads)
{
    test_random random = {99};
    joint_rig *rig = joint_rig_make(5, BODIES - 6, h);
    for (int i = 6; i < BODIES; ++i) {
        rig_set_random(&rig->rig, i, &random);
    }
    for (int i = 0; i < RIG_CONSTRAINTS; ++i) {
        // One of them is dynamic: the world hands on no others.
        int a = 6 + (int)(test_random_u32(&random) % (BODIES - 6));
        int b = other_body(&random, a);
        (void)joint_rig_random(rig, a, b, &random);
    }
    sn_tasks_destroy(rig->rig.solver.tasks);
    rig->rig.solver.tasks = sn_tasks_create(threads, NULL);
    assert_non_null(rig->rig.solver.tasks);
    joint_rig_run(rig);
    return rig;
}

static void test_bits_do_not_depend_on_the_number_of_threads(void **state)
{
    (void)state;
    joint_rig *one = run_crowd(1);
    for (int threads = 2; threads <= 4; threads += 2) {
        joint_rig *many = run_crowd(threads);
        assert_memory_equal(one->rig.solver.velocities, many->rig.solver.velocities,
                            BODIES * sizeof(sn_solver_velocity));
        assert_memory_equal(one->impulses, many->impulses, sizeof one->impulses);
        joint_rig_free(many);
    }
    joint_rig_free(one);
}

static void test_without_memory_it_says_so_and_moves_nothing(void **state)
{
    (void)state;
    for (int allowed = 0;; ++allowed) {
        joint_rig *rig = joint_rig_make(0, BODIES - 1, h);
        for (int i = 1; i + 1 < BODIES; ++i) {
            (void)joint_rig_add(rig, i, i + 1);
            (void)joint_rig_row(rig, i - 1, SN_ROW_EQUAL, 0.0f);
            rig->impulses[i - 1][0] = 1.0f;
        }
        test_memory_allow(allowed);
        bool made = sn_joints_begin(&rig->joints);
        test_memory_allow_all();
        for (int i = 1; i + 1 < BODIES; ++i) {
            assert_true(rig->impulses[i - 1][0] == 1.0f);
            assert_true(rig_linear(&rig->rig, i).x == 0.0f);
        }
        joint_rig_free(rig);
        if (made) {
            assert_true(allowed > 5);
            break;
        }
        assert_true(allowed < 100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_random_graphs_are_coloured_without_conflicts),
        test_with_memory(test_a_chain_needs_two_colours_and_few_blocks),
        test_with_memory(test_joints_with_what_cannot_move_need_one_colour),
        test_with_memory(test_a_body_with_forty_partners_overflows_after_31),
        test_with_memory(test_joints_that_share_a_node_have_different_colours),
        test_with_memory(test_no_joints_are_fine),
        test_with_memory(test_a_joint_has_the_same_bits_alone_and_beside_others),
        test_with_memory(test_bits_do_not_depend_on_the_number_of_threads),
        test_with_memory(test_without_memory_it_says_so_and_moves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
