// The wide kernels of joints: two builds of the same source, the same bits; balls, hinges, fixed joints and
// ropes that they evaluate themselves.
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "constraint/kind.h"
#include "support/joint_rig.h"
#include "support/memory.h"
#include <math.h>

static const float h = 1.0f / 720.0f;

enum { BODIES = 60, JOINTS = 150, NODES = 100 };

static void set_nodes(joint_rig *rig, test_random *random)
{
    joint_rig_nodes(rig, NODES - 1);
    for (int i = 1; i < NODES; ++i) {
        sn_node_state *node = &rig->nodes.states.data[i];
        node->position = test_random_vec3(random, 1.0f);
        node->inverse_mass = i % 7 == 0 ? 0.0f : test_random_float(random, 0.1f, 10.0f);
        rig->nodes.velocities.data[i].velocity = test_random_vec3(random, 2.0f);
    }
}

// A sum of nodes, or a frame.
static void random_node_end(sn_solver_end *end, test_random *random)
{
    end->node_count = 1 + (int)(test_random_u32(random) % 4);
    end->has_frame = end->node_count == 3 && test_random_u32(random) % 2u == 0u;
    int first = 1 + (int)(test_random_u32(random) % (NODES - 5));
    for (int k = 0; k < end->node_count; ++k) {
        end->nodes[k] = first + k;
        end->weights[k] = 1.0f / (float)end->node_count;
    }
}

// Two different bodies, the second one dynamic: the world hands on no others.
static void random_bodies(test_random *random, int *a, int *b)
{
    *b = 3 + (int)(test_random_u32(random) % (BODIES - 3));
    *a = (int)(test_random_u32(random) % (BODIES - 1));
    *a += *a >= *b ? 1 : 0;
}

static joint_rig *make_crowd(uint64_t seed, bool with_nodes)
{
    test_random random = {seed};
    joint_rig *rig = joint_rig_make(2, BODIES - 3, h);
    for (int i = 3; i < BODIES; ++i) {
        rig_set_random(&rig->rig, i, &random);
    }
    if (with_nodes) {
        set_nodes(rig, &random);
    }
    for (int i = 0; i < JOINTS; ++i) {
        int a, b;
        random_bodies(&random, &a, &b);
        int joint = joint_rig_random(rig, a, b, &random);
        for (int k = 0; with_nodes && k < 2; ++k) {
            if (test_random_u32(&random) % 2u == 0u) {
                random_node_end(&rig->inputs[joint].ends[k], &random);
            }
        }
    }
    return rig;
}

static joint_rig *run_crowd(uint64_t seed, bool with_nodes, const sn_joint_kernels *kernels)
{
    joint_rig *rig = make_crowd(seed, with_nodes);
    assert_true(sn_joints_begin(&rig->joints));
    rig->joints.kernels = kernels;
    sn_joints_refresh(&rig->joints, true);
    sn_joints_warm_start(&rig->joints);
    joint_rig_sub_steps(rig);
    sn_joints_store(&rig->joints);
    return rig;
}

static void check_same_bits(const joint_rig *one, const joint_rig *two)
{
    const sn_solver *a = &one->rig.solver, *b = &two->rig.solver;
    assert_memory_equal(a->velocities, b->velocities, BODIES * sizeof *a->velocities);
    assert_memory_equal(a->residues, b->residues, BODIES * sizeof *a->residues);
    assert_memory_equal(one->impulses, two->impulses, sizeof one->impulses);
    assert_memory_equal(one->force, two->force, sizeof one->force);
    assert_memory_equal(one->torque, two->torque, sizeof one->torque);
    if (one->nodes.velocities.count > 0) {
        assert_memory_equal(one->nodes.velocities.data, two->nodes.velocities.data,
                            NODES * sizeof *one->nodes.velocities.data);
    }
}

static const sn_joint_kernels *wide_kernels(void)
{
    unsetenv("SINEW_NO_AVX2");
    const sn_joint_kernels *fast = sn_joint_kernels_pick();
    setenv("SINEW_NO_AVX2", "1", 1);
    const sn_joint_kernels *base = sn_joint_kernels_pick();
    unsetenv("SINEW_NO_AVX2");
    assert_ptr_equal(base, &sn_joint_kernels_base);
    return fast;
}

static void compare(bool with_nodes)
{
    const sn_joint_kernels *fast = wide_kernels();
    if (fast == &sn_joint_kernels_base) {
        print_message("no AVX2 here: nothing to compare\n");
        skip();
    }
    for (uint64_t seed = 1; seed <= 40; ++seed) {
        joint_rig *before = make_crowd(seed, with_nodes);
        joint_rig *one = run_crowd(seed, with_nodes, &sn_joint_kernels_base);
        joint_rig *two = run_crowd(seed, with_nodes, fast);
        check_same_bits(one, two);
        // Something happened.
        assert_true(memcmp(one->rig.solver.velocities, before->rig.solver.velocities,
                           BODIES * sizeof(sn_solver_velocity)) != 0);
        joint_rig_free(before);
        joint_rig_free(one);
        joint_rig_free(two);
    }
}

static void test_wide_kernels_have_the_same_bits_between_bodies(void **state)
{
    (void)state;
    compare(false);
}

static void test_wide_kernels_have_the_same_bits_with_nodes(void **state)
{
    (void)state;
    compare(true);
}

// --- balls, hinges and fixed joints, which the kernels evaluate themselves ------------------------

typedef struct held_kind {
    sn_joint_form form;
    int (*rows)(const sn_row_input *input, const void *data, sn_row *rows);
    float tolerance;
} held_kind;

// Angles of frames that are turned far against each other have gradients of length 4.
static const held_kind held_kinds[] = {{SN_JOINT_POINT, sn_ball_rows, 5e-6f},
                                       {SN_JOINT_HINGE, sn_hinge_rows, 2e-5f},
                                       {SN_JOINT_FIXED, sn_fixed_rows, 2e-5f}};

enum { HELD_KINDS = sizeof held_kinds / sizeof held_kinds[0] };

typedef union held_def {
    sn_constraint_common common;
    sn_ball_def ball;
    sn_hinge_def hinge;
    sn_fixed_def fixed;
} held_def;

// Some are elastic.
static held_def random_def(const held_kind *kind, int number)
{
    held_def def;
    memset(&def, 0, sizeof def);
    if (kind->form == SN_JOINT_POINT) {
        def.ball = sn_ball_def_default();
    } else if (kind->form == SN_JOINT_HINGE) {
        def.hinge = sn_hinge_def_default();
    } else {
        def.fixed = sn_fixed_def_default();
    }
    def.common.compliance = def.common.angular_compliance = number % 3 == 0 ? 1.0e-4f : 0.0f;
    def.common.damping = 2.0f;
    def.common.angular_damping = 0.5f;
    return def;
}

// Joints of one kind between bodies, with the world and with kinematic bodies; some ends nearly agree.
static joint_rig *make_held(uint64_t seed, const held_kind *kind, held_def *defs)
{
    test_random random = {seed};
    joint_rig *rig = joint_rig_make(2, BODIES - 3, h);
    for (int i = 1; i < BODIES; ++i) {
        rig_set_random(&rig->rig, i, &random);
    }
    for (int i = 1; i < 3; ++i) { // kinematic
        rig->rig.solver.bodies[i].inverse_mass = sn_v(0.0f, 0.0f, 0.0f);
        rig->rig.solver.inertias[i] = (sn_solver_inertia){0};
    }
    for (int i = 0; i < JOINTS; ++i) {
        int a, b;
        random_bodies(&random, &a, &b);
        int joint = joint_rig_add(rig, a, b);
        defs[i] = random_def(kind, i);
        rig->inputs[joint].evaluate = kind->rows;
        rig->inputs[joint].data = &defs[i];
        sn_solver_end *ends = rig->inputs[joint].ends;
        for (int k = 0; k < 2; ++k) {
            ends[k].local = test_random_vec3(&random, 1.0f);
            ends[k].fixed = test_random_vec3(&random, 1.0f);
            ends[k].rotation = test_random_rotation(&random);
        }
        if (i % 2 == 0) { // agree but for a small rotation, or for none
            sn_quat of_a = a > 0 ? rig->rig.solver.bodies[a].rotation : sn_quat_identity;
            sn_quat of_b = rig->rig.solver.bodies[b].rotation;
            sn_quat off = sn_quat_axis_angle(test_random_vec3(&random, 1.0f),
                                             i % 4 == 0 ? test_random_float(&random, 0.0f, 0.1f) : 0.0f);
            sn_quat wanted = sn_quat_multiply(sn_quat_multiply(of_a, ends[0].rotation), off);
            ends[1].rotation = sn_quat_multiply(sn_quat_conjugate(of_b), wanted);
        }
    }
    return rig;
}

// What is not dynamic does not turn; its part may be anything.
static void check_gradients(const sn_joint_block *block, int lane, const sn_lanes *a, const float *b,
                            float tolerance)
{
    for (int k = 0; k < SN_GRADIENT; ++k) {
        int body = k < SN_LINEAR_B ? block->body_a[lane] : block->body_b[lane];
        assert_true(body == 0 || sn_abs(a[k].lane[lane] - b[k]) <= tolerance);
    }
}

// Evaluated by the kernel, then by the kind's function; with `time` only gradients.
static int check_held_block(joint_rig *rig, const sn_joint_kernels *kernels, const held_kind *kind, int b,
                            float time)
{
    sn_joint_block *block = &rig->joints.pass.blocks[b];
    sn_held_row wide[SN_HELD_ROWS], *rows = &rig->joints.pass.held[block->first_held];
    if (block->form != kind->form) {
        return 0;
    }
    (time == 0.0f ? kernels->evaluate : kernels->evaluate_before)(&rig->joints.pass, b, b + 1);
    memcpy(wide, rows, (size_t)block->held_count * sizeof *rows);
    // The kind's function tells whole gradients: as of a block of any form, in a place of their own.
    sn_joint_pass *pass = &rig->joints.pass, placed_pass = *pass;
    sn_joint_block placed = *block;
    sn_lanes whole[SN_HELD_ROWS * SN_GRADIENT] = {0};
    pass->gradients = whole;
    block->form = SN_JOINT_ANY;
    block->first_gradient = 0;
    sn_joint_evaluate_block(&rig->joints, block, time, time != 0.0f);
    for (int i = 0; i < block->held_count; ++i) {
        for (int lane = 0; lane < SN_LANES && block->group[lane] >= 0; ++lane) {
            float gradient[SN_GRADIENT];
            sn_joint_take_gradient(&placed_pass, &placed, i, lane, gradient);
            check_gradients(block, lane, &whole[i * SN_GRADIENT], gradient, kind->tolerance);
            float rate = rows[i].rate.lane[lane];
            assert_float_equal(rows[i].bias.lane[lane], wide[i].bias.lane[lane], kind->tolerance * rate);
            assert_float_equal(rows[i].rate.lane[lane], wide[i].rate.lane[lane], 0.0f);
            assert_float_equal(rows[i].gamma.lane[lane], wide[i].gamma.lane[lane], 0.0f);
        }
    }
    pass->gradients = placed_pass.gradients;
    block->form = placed.form;
    block->first_gradient = placed.first_gradient;
    return 1;
}

// The rows of a kernel's own evaluation are those of the kind's function.
static void check_held(const sn_joint_kernels *kernels, const held_kind *kind)
{
    static held_def defs[JOINTS];
    joint_rig *rig = make_held(7, kind, defs);
    assert_true(sn_joints_begin(&rig->joints));
    rig->joints.kernels = kernels;
    sn_joints_refresh(&rig->joints, true);
    int blocks = 0;
    for (int b = 0; b < rig->joints.block_count; ++b) {
        blocks += check_held_block(rig, kernels, kind, b, 0.0f);
        blocks += check_held_block(rig, kernels, kind, b, -h);
    }
    assert_true(blocks > 10);
    joint_rig_free(rig);
}

static void test_kernels_evaluate_joints_as_their_kinds_do(void **state)
{
    (void)state;
    for (int i = 0; i < HELD_KINDS; ++i) {
        check_held(&sn_joint_kernels_base, &held_kinds[i]);
        check_held(wide_kernels(), &held_kinds[i]);
    }
}

static void check_bits_of(const held_kind *kind)
{
    static held_def defs[JOINTS];
    joint_rig *rigs[2];
    for (int i = 0; i < 2; ++i) {
        rigs[i] = make_held(8, kind, defs);
        assert_true(sn_joints_begin(&rigs[i]->joints));
        rigs[i]->joints.kernels = i == 0 ? &sn_joint_kernels_base : wide_kernels();
        sn_joints_refresh(&rigs[i]->joints, true);
        joint_rig_sub_steps(rigs[i]);
        sn_joints_store(&rigs[i]->joints);
    }
    check_same_bits(rigs[0], rigs[1]);
    joint_rig_free(rigs[0]);
    joint_rig_free(rigs[1]);
}

static void test_wide_kernels_have_the_same_bits_of_every_kind(void **state)
{
    (void)state;
    for (int i = 0; i < HELD_KINDS; ++i) {
        check_bits_of(&held_kinds[i]);
    }
}

// Whole gradients instead of axes, in room of their own.
static void use_whole_gradients(sn_joints *joints)
{
    static sn_lanes room[JOINTS * SN_HELD_ROWS * SN_GRADIENT];
    int used = 0;
    for (int b = 0; b < joints->block_count; ++b) {
        sn_joint_block *block = &joints->pass.blocks[b];
        block->form = SN_JOINT_ANY;
        block->first_gradient = used;
        used += block->held_count * SN_GRADIENT;
    }
    assert_in_range(used, 1, sizeof room / sizeof *room);
    joints->pass.gradients = room;
}

// With impulses of a step before, whole gradients instead of axes and arms if asked for.
static joint_rig *solve_held_once(const held_kind *kind, held_def *defs, bool by_gradients)
{
    test_random random = {12};
    joint_rig *rig = make_held(11, kind, defs);
    for (int i = 0; i < JOINTS; ++i) {
        for (int k = 0; k < 3; ++k) {
            rig->inputs[i].impulses[k] = test_random_float(&random, -3.0f, 3.0f);
        }
    }
    assert_true(sn_joints_begin(&rig->joints));
    if (by_gradients) {
        use_whole_gradients(&rig->joints);
    }
    sn_joints_refresh(&rig->joints, true);
    sn_joints_warm_start(&rig->joints);
    sn_joints_sweep(&rig->joints, true, false);
    sn_joints_sweep(&rig->joints, false, false);
    sn_joints_finish_sub_step(&rig->joints);
    sn_joints_store(&rig->joints);
    return rig;
}

static void check_near(sn_vec3 a, sn_vec3 b, float part)
{
    assert_true(sn_length(sn_sub(a, b)) <= part * (1.0f + sn_length(a)));
}

static void test_joints_that_hold_points_are_solved_as_by_whole_gradients(void **state)
{
    (void)state;
    static held_def defs[2][JOINTS];
    for (int i = 0; i < HELD_KINDS; ++i) {
        joint_rig *one = solve_held_once(&held_kinds[i], defs[0], false);
        joint_rig *two = solve_held_once(&held_kinds[i], defs[1], true);
        for (int body = 3; body < BODIES; ++body) {
            const sn_solver_velocity *a = &one->rig.solver.velocities[body];
            const sn_solver_velocity *b = &two->rig.solver.velocities[body];
            check_near(sn_take3(a->linear), sn_take3(b->linear), 2.0e-3f);
            check_near(sn_take3(a->angular), sn_take3(b->angular), 2.0e-3f);
        }
        for (int joint = 0; joint < JOINTS; ++joint) {
            check_near(one->force[joint], two->force[joint], 2.0e-3f);
        }
        joint_rig_free(one);
        joint_rig_free(two);
    }
}

// Hinges with stops, and joints of which only some rows are springs, are evaluated by their kind's function.
static void test_joints_with_stops_or_mixed_rows_are_of_no_form(void **state)
{
    (void)state;
    static held_def defs[JOINTS];
    joint_rig *rig = make_held(9, &held_kinds[1], defs);
    for (int i = 0; i < JOINTS; ++i) {
        defs[i].hinge.limit = i % 2 == 0;
        defs[i].common.compliance = 0.0f;
        defs[i].common.angular_compliance = i % 2 == 0 ? 0.0f : 1.0e-4f;
    }
    assert_true(sn_joints_begin(&rig->joints));
    for (int b = 0; b < rig->joints.block_count; ++b) {
        assert_int_equal(rig->joints.pass.blocks[b].form, SN_JOINT_ANY);
    }
    joint_rig_free(rig);
}

// --- ropes, likewise -----------------------------------------------------------------------------

// Some slack, some overrun, some with both ends in one place.
static joint_rig *make_ropes(uint64_t seed, sn_distance_def *defs)
{
    test_random random = {seed};
    joint_rig *rig = joint_rig_make(2, BODIES - 3, h);
    for (int i = 1; i < BODIES; ++i) {
        rig_set_random(&rig->rig, i, &random);
    }
    for (int i = 0; i < JOINTS; ++i) {
        int a, b;
        random_bodies(&random, &a, &b);
        defs[i] = sn_distance_def_default();
        defs[i].upper = test_random_float(&random, 0.01f, 3.0f);
        int joint = joint_rig_random(rig, a, b, &random);
        sn_constraint_input *input = &rig->inputs[joint];
        input->evaluate = sn_distance_rows;
        input->data = &defs[i];
        input->max_force = INFINITY;
        memset(input->impulses, 0, SN_MAX_ROWS * sizeof *input->impulses);
    }
    return rig;
}

static void check_rope_laws(const sn_single_row *a, const sn_single_row *b, int lane)
{
    float tolerance = 5e-6f * a->rate.lane[lane];
    assert_float_equal(a->bias.lane[lane], b->bias.lane[lane], tolerance);
    assert_float_equal(a->relax_bias.lane[lane], b->relax_bias.lane[lane], tolerance);
    const sn_lanes *equal[][2] = {{&a->rate, &b->rate},
                                  {&a->kept, &b->kept},
                                  {&a->gamma, &b->gamma},
                                  {&a->relaxes, &b->relaxes},
                                  {&a->is_stop, &b->is_stop},
                                  {&a->lower, &b->lower},
                                  {&a->upper, &b->upper},
                                  {&a->is_open, &b->is_open},
                                  {&a->mass_scale, &b->mass_scale},
                                  {&a->impulse_scale, &b->impulse_scale}};
    for (size_t i = 0; i < sizeof equal / sizeof equal[0]; ++i) {
        assert_true(equal[i][0]->lane[lane] == equal[i][1]->lane[lane]);
    }
}

// Within a step, after bodies have moved, and at its beginning.
static void check_ropes(const sn_joint_kernels *kernels, bool first)
{
    static sn_distance_def defs[JOINTS];
    joint_rig *rig = make_ropes(9, defs);
    assert_true(sn_joints_begin(&rig->joints));
    rig->joints.kernels = kernels;
    sn_joints_refresh(&rig->joints, true);
    rig->joints.first = rig->joints.pass.is_anew = first;
    int blocks = 0, open = 0, closed = 0;
    for (int b = 0; b < rig->joints.block_count; ++b) {
        sn_joint_block *block = &rig->joints.pass.blocks[b];
        if (block->form != SN_JOINT_ROPE) {
            continue;
        }
        sn_single_row *row = &rig->joints.pass.singles[block->first_single], before = *row;
        // Those that were open are closed, and the other way round.
        for (int lane = 0; lane < SN_LANES; ++lane) {
            before.is_open.lane[lane] = 1.0f - before.is_open.lane[lane];
        }
        *row = before;
        kernels->evaluate(&rig->joints.pass, b, b + 1);
        sn_single_row wide = *row;
        *row = before;
        sn_joint_evaluate_block(&rig->joints, block, 0.0f, false);
        ++blocks;
        for (int lane = 0; lane < SN_LANES && block->group[lane] >= 0; ++lane) {
            float gradient[SN_GRADIENT];
            for (int k = 0; k < SN_GRADIENT; ++k) {
                gradient[k] = wide.gradient[k].lane[lane];
            }
            check_gradients(block, lane, row->gradient, gradient, 1e-5f);
            check_rope_laws(row, &wide, lane);
            open += row->is_open.lane[lane] != 0.0f ? 1 : 0;
            closed += row->is_open.lane[lane] != 0.0f ? 0 : 1;
        }
    }
    assert_true(blocks > 5 && open > 10 && closed > 10);
    joint_rig_free(rig);
}

static void test_kernels_evaluate_ropes_as_their_kind_does_within_1e_5(void **state)
{
    (void)state;
    for (int first = 0; first < 2; ++first) {
        check_ropes(&sn_joint_kernels_base, first == 1);
        check_ropes(wide_kernels(), first == 1);
    }
}

static void test_wide_kernels_have_the_same_bits_of_ropes(void **state)
{
    (void)state;
    static sn_distance_def defs[JOINTS];
    joint_rig *rigs[2];
    for (int i = 0; i < 2; ++i) {
        rigs[i] = make_ropes(10, defs);
        assert_true(sn_joints_begin(&rigs[i]->joints));
        rigs[i]->joints.kernels = i == 0 ? &sn_joint_kernels_base : wide_kernels();
        sn_joints_refresh(&rigs[i]->joints, true);
        joint_rig_sub_steps(rigs[i]);
        sn_joints_store(&rigs[i]->joints);
    }
    check_same_bits(rigs[0], rigs[1]);
    joint_rig_free(rigs[0]);
    joint_rig_free(rigs[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_wide_kernels_have_the_same_bits_between_bodies),
        test_with_memory(test_wide_kernels_have_the_same_bits_with_nodes),
        test_with_memory(test_kernels_evaluate_joints_as_their_kinds_do),
        test_with_memory(test_wide_kernels_have_the_same_bits_of_every_kind),
        test_with_memory(test_joints_that_hold_points_are_solved_as_by_whole_gradients),
        test_with_memory(test_joints_with_stops_or_mixed_rows_are_of_no_form),
        test_with_memory(test_kernels_evaluate_ropes_as_their_kind_does_within_1e_5),
        test_with_memory(test_wide_kernels_have_the_same_bits_of_ropes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
