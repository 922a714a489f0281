// Rows of constraints in the velocity solver: each force law against its closed form, blocks solved as one,
// and what the rest of the world gets to know.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "solver/rows.h"
#include "solver/soft.h"
#include "support/manifold_check.h"
#include "support/memory.h"
#include "support/solver_rig.h"
#include <string.h>

static const float h = 1.0f / 720.0f;

// --- a constraint whose rows are given -----------------------------------------------------------

typedef struct given {
    int count;
    sn_row rows[SN_MAX_ROWS];
} given;

static int give(const sn_row_input *input, const void *data, sn_row *rows)
{
    (void)input;
    const given *source = data;
    int count = source->count < 0 ? 0 : (source->count > SN_MAX_ROWS ? SN_MAX_ROWS : source->count);
    memcpy(rows, source->rows, (size_t)count * sizeof *rows);
    return source->count;
}

// Two bodies and a constraint between them. Body 1 is dynamic, body 2 too.
typedef struct bench {
    solver_rig rig;
    given given;
    sn_constraint_common common;
    float impulses[SN_MAX_ROWS];
    sn_vec3 force, torque;
    sn_constraint_input input;
    sn_constraint_rows rows;
} bench;

static void bench_make(bench *b, int body_a, int body_b)
{
    memset(b, 0, sizeof *b);
    solver_rig_make(&b->rig, 0, 2, 0, 1, h);
    rig_set_ball(&b->rig, 1, 2.0f, 1.0f);
    rig_set_ball(&b->rig, 2, 3.0f, 1.0f);
    b->common.a.rotation = b->common.b.rotation = sn_quat_identity;
    b->input = (sn_constraint_input){.evaluate = give,
                                     .data = &b->given,
                                     .common = &b->common,
                                     .body_a = body_a,
                                     .body_b = body_b,
                                     .fixed_a = sn_pose_identity,
                                     .fixed_b = sn_pose_identity,
                                     .impulses = b->impulses,
                                     .force = &b->force,
                                     .torque = &b->torque};
}

static void bench_free(bench *b)
{
    solver_rig_free(&b->rig);
}

// A row along x between the mass centres: dC/dt = v_b.x − v_a.x.
static sn_row *add_row(bench *b, sn_row_type type, float value)
{
    sn_row *row = &b->given.rows[b->given.count++];
    *row = (sn_row){.type = type, .value = value, .lower = -INFINITY, .upper = INFINITY};
    row->lower = type == SN_ROW_ABOVE ? 0.0f : -INFINITY;
    row->linear[0] = sn_v(-1.0f, 0.0f, 0.0f);
    row->linear[1] = sn_v(1.0f, 0.0f, 0.0f);
    row->block = b->given.count;
    return row;
}

static void warm_start(bench *b)
{
    for (int i = 0; i < SN_MAX_ROWS; ++i) {
        b->rows.rows[i].impulse = b->impulses[i];
    }
    sn_rows_refresh(&b->rig.solver, &b->input, &b->rows, true);
    sn_rows_warm_start(&b->rig.solver, &b->input, &b->rows);
}

static void solve(bench *b, bool relax)
{
    sn_rows_solve(&b->rig.solver, &b->input, &b->rows, relax, false);
}

// --- one row -------------------------------------------------------------------------------------

// ΔΛ = −(v + bias)/(κ + γ), with the softness of hard constraints.
static void test_a_hard_row_moves_towards_zero_by_its_soft_law_within_1e_5(void **state)
{
    (void)state;
    bench b;
    bench_make(&b, 0, 1);
    (void)add_row(&b, SN_ROW_EQUAL, 0.01f);
    rig_set_velocity(&b.rig, 1, sn_v(0.5f, 0.0f, 0.0f), sn_v(0.0f, 0.0f, 0.0f));
    warm_start(&b);
    solve(&b, false);
    sn_softness soft = sn_softness_make(0.25f, 2.0f, h);
    double kappa = 0.5, gamma = kappa * (double)soft.inverse_a2;
    double impulse = -(0.5 + (double)soft.bias_rate * 0.01) / (kappa + gamma);
    assert_near(b.rows.rows[0].impulse, (float)impulse, 1e-5 * fabs(impulse));
    assert_near(rig_linear(&b.rig, 1).x, (float)(0.5 + 0.5 * impulse), 1e-5);
    bench_free(&b);
}

// Backward Euler of m ẍ = −k x − d ẋ: v' = (v − h k x/m)/(1 + h d/m + h² k/m), in one solve.
static void test_an_elastic_row_is_an_implicit_spring_within_1e_5(void **state)
{
    (void)state;
    const double stiffnesses[] = {1.0, 1.0e3, 1.0e6, 1.0e9}, dampings[] = {0.0, 10.0, 1.0e4};
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 3; ++j) {
            double k = stiffnesses[i], d = dampings[j], m = 2.0, x = 0.03, v = 1.5, dt = (double)h;
            bench b;
            bench_make(&b, 0, 1);
            sn_row *row = add_row(&b, SN_ROW_EQUAL, (float)x);
            row->compliance = (float)(1.0 / k);
            row->damping = (float)d;
            rig_set_velocity(&b.rig, 1, sn_v((float)v, 0.0f, 0.0f), sn_v(0.0f, 0.0f, 0.0f));
            warm_start(&b);
            solve(&b, false);
            double expected = (v - dt * k * x / m) / (1.0 + dt * d / m + dt * dt * k / m);
            assert_near(rig_linear(&b.rig, 1).x, (float)expected, 1e-5 * fmax(1.0, fabs(expected)));
            // Solved already: more sweeps change nothing, and relaxing leaves it alone.
            solve(&b, false);
            assert_near(rig_linear(&b.rig, 1).x, (float)expected, 2e-5 * fmax(1.0, fabs(expected)));
            float kept = rig_linear(&b.rig, 1).x;
            solve(&b, true);
            assert_true(rig_linear(&b.rig, 1).x == kept);
            bench_free(&b);
        }
    }
}

// A body on a rod about the origin.
static int give_rod(const sn_row_input *input, const void *data, sn_row *rows)
{
    (void)data;
    rows[0].type = SN_ROW_EQUAL;
    rows[0].linear[1] = sn_normalize(input->center[1]);
    return 1;
}

// Speed v on a circle of radius 1 turns inwards by v²h a sub-step: a chord leaves a point of the circle
// inwards by half of that, and arrives outwards by as much.
static void test_a_row_that_turns_goes_from_chord_to_chord_within_1_per_mille(void **state)
{
    (void)state;
    bench b;
    bench_make(&b, 0, 1);
    b.input.evaluate = give_rod;
    const float speed = 5.0f;
    b.rig.solver.bodies[1].center = sn_v(1.0f, 0.0f, 0.0f);
    rig_set_velocity(&b.rig, 1, sn_v(0.0f, speed, 0.0f), sn_v(0.0f, 0.0f, 0.0f));
    warm_start(&b);
    float outwards = 0.5f * speed * speed * h;
    solve(&b, false);
    sn_softness soft = sn_softness_make(0.25f, 2.0f, h);
    assert_near(rig_linear(&b.rig, 1).x, -outwards * soft.mass_scale, 1e-3 * (double)outwards);
    for (int i = 0; i < 10; ++i) {
        solve(&b, true);
    }
    assert_near(rig_linear(&b.rig, 1).x, outwards, 1e-3 * (double)outwards);
    assert_near(rig_linear(&b.rig, 1).y, speed, 1e-5);
    bench_free(&b);
}

static void test_warm_starting_applies_the_kept_impulse(void **state)
{
    (void)state;
    bench b;
    bench_make(&b, 1, 2);
    (void)add_row(&b, SN_ROW_EQUAL, 0.0f);
    b.impulses[0] = 6.0f;
    warm_start(&b);
    assert_vec3_near(rig_linear(&b.rig, 1), sn_v(-3.0f, 0.0f, 0.0f), 1e-6);
    assert_vec3_near(rig_linear(&b.rig, 2), sn_v(2.0f, 0.0f, 0.0f), 1e-6);
    bench_free(&b);
}

static void test_relaxing_removes_the_speed_of_a_hard_row_without_its_bias(void **state)
{
    (void)state;
    bench b;
    bench_make(&b, 1, 2);
    (void)add_row(&b, SN_ROW_EQUAL, 5.0f);
    rig_set_velocity(&b.rig, 2, sn_v(4.0f, 1.0f, -2.0f), sn_v(0.0f, 0.0f, 0.0f));
    warm_start(&b);
    for (int i = 0; i < 10; ++i) {
        solve(&b, true);
    }
    float common = 4.0f * 3.0f / 5.0f;
    assert_vec3_near(rig_linear(&b.rig, 1), sn_v(common, 0.0f, 0.0f), 1e-5);
    assert_vec3_near(rig_linear(&b.rig, 2), sn_v(common, 1.0f, -2.0f), 1e-5);
    bench_free(&b);
}

static void test_a_speed_row_reaches_its_target_or_its_strength(void **state)
{
    (void)state;
    const struct {
        float strength, target, expected;
    } rows[] = {{INFINITY, 3.0f, 3.0f},
                {1.0e6f, -2.0f, -2.0f},
                {720.0f, 3.0f, 0.5f}, // 720 N for 1/720 s on 2 kg
                {720.0f, -3.0f, -0.5f},
                {0.0f, 3.0f, 0.0f}};
    for (int i = 0; i < 5; ++i) {
        bench b;
        bench_make(&b, 0, 1);
        sn_row *row = add_row(&b, SN_ROW_SPEED, 123.0f); // its value is ignored
        row->target_speed = rows[i].target;
        row->lower = -rows[i].strength;
        row->upper = rows[i].strength;
        warm_start(&b);
        solve(&b, false);
        assert_near(rig_linear(&b.rig, 1).x, rows[i].expected, 1e-5);
        solve(&b, true);
        assert_near(rig_linear(&b.rig, 1).x, rows[i].expected, 1e-5);
        bench_free(&b);
    }
}

static void test_an_open_limit_lets_come_as_close_as_touching_and_never_pulls(void **state)
{
    (void)state;
    const float gap = 0.001f, closing = -gap / h;
    const struct {
        float before, after;
    } rows[] = {{5.0f, 5.0f}, {0.0f, 0.0f}, {0.9f * closing, 0.9f * closing}, {10.0f * closing, closing}};
    for (int i = 0; i < 4; ++i) {
        for (int relax = 0; relax < 2; ++relax) {
            bench b;
            bench_make(&b, 0, 1);
            (void)add_row(&b, SN_ROW_ABOVE, gap);
            rig_set_velocity(&b.rig, 1, sn_v(rows[i].before, 0.0f, 0.0f), sn_v(0.0f, 0.0f, 0.0f));
            warm_start(&b);
            solve(&b, relax);
            assert_near(rig_linear(&b.rig, 1).x, rows[i].after, 1e-5);
            assert_true(b.rows.rows[0].impulse >= 0.0f);
            bench_free(&b);
        }
    }
}

// Pushed out by at most push_speed, softly.
static void test_a_violated_limit_pushes_no_faster_than_told_within_1e_5(void **state)
{
    (void)state;
    bench b;
    bench_make(&b, 0, 1);
    (void)add_row(&b, SN_ROW_ABOVE, -1.0f);
    warm_start(&b);
    solve(&b, false);
    sn_softness soft = sn_softness_make(0.25f, 2.0f, h);
    assert_near(rig_linear(&b.rig, 1).x, 3.0f * soft.mass_scale, 1e-5);
    for (int i = 0; i < 50; ++i) {
        solve(&b, false);
        assert_true(rig_linear(&b.rig, 1).x <= 3.0f + 1e-5f);
    }
    bench_free(&b);
}

// --- blocks --------------------------------------------------------------------------------------

// Rows of a joint at arms from the two mass centres, along the axes.
static void add_point_rows(bench *b, sn_vec3 arm_a, sn_vec3 arm_b, int block)
{
    const sn_vec3 axes[3] = {{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}};
    for (int i = 0; i < 3; ++i) {
        sn_row *row = add_row(b, SN_ROW_EQUAL, 0.01f * (float)(i + 1));
        row->linear[0] = sn_neg(axes[i]);
        row->linear[1] = axes[i];
        row->angular[0] = sn_neg(sn_cross(arm_a, axes[i]));
        row->angular[1] = sn_cross(arm_b, axes[i]);
        row->block = block;
    }
}

static double row_speed(const bench *b, int i)
{
    const sn_row *row = &b->given.rows[i];
    double speed = 0.0;
    const int body[2] = {b->input.body_a, b->input.body_b};
    for (int k = 0; k < 2; ++k) {
        speed += (double)sn_dot(row->linear[k], rig_linear(&b->rig, body[k])) +
                 (double)sn_dot(row->angular[k], rig_angular(&b->rig, body[k]));
    }
    return speed;
}

// One relaxing visit brings all rows to rest at once, coupled as they are; one with bias brings all of them
// the same part of the way.
static void test_a_block_is_solved_exactly_in_one_visit_within_1e_4(void **state)
{
    (void)state;
    test_random random = {1};
    sn_softness soft = sn_softness_make(0.25f, 2.0f, h);
    for (int round = 0; round < 100; ++round) {
        bench b;
        bench_make(&b, 1, 2);
        rig_set_random(&b.rig, 1, &random);
        rig_set_random(&b.rig, 2, &random);
        sn_vec3 arm_a = test_random_vec3(&random, 1.0f);
        add_point_rows(&b, arm_a, test_random_vec3(&random, 1.0f), 0);
        warm_start(&b);
        assert_int_equal(b.rows.block_count, 1);
        double before[3];
        for (int i = 0; i < 3; ++i) {
            before[i] = row_speed(&b, i) + (double)b.rows.rows[i].law.bias;
        }
        solve(&b, false);
        for (int i = 0; i < 3; ++i) {
            double left = row_speed(&b, i) + (double)b.rows.rows[i].law.bias;
            assert_near((float)left, (float)(before[i] * (double)soft.impulse_scale), 1e-4);
        }
        solve(&b, true);
        for (int i = 0; i < 3; ++i) {
            assert_near((float)row_speed(&b, i), 0.0f, 1e-4);
        }
        bench_free(&b);
    }
}

static void test_blocks_join_adjacent_unlimited_equal_rows_of_one_number_only(void **state)
{
    (void)state;
    const struct {
        int change; // what is done to the second row of the joint
        int blocks;
    } cases[] = {{0, 1}, {1, 3}, {2, 3}, {3, 3}, {4, 3}};
    for (int i = 0; i < 5; ++i) {
        bench b;
        bench_make(&b, 1, 2);
        add_point_rows(&b, sn_v(0.1f, 0.2f, 0.3f), sn_v(0.3f, 0.1f, 0.2f), 7);
        sn_row *row = &b.given.rows[1];
        row->block = cases[i].change == 1 ? 8 : row->block;
        row->upper = cases[i].change == 2 ? 100.0f : row->upper;
        row->type = cases[i].change == 3 ? SN_ROW_SPEED : row->type;
        row->compliance = cases[i].change == 4 ? 1.0e-3f : row->compliance;
        warm_start(&b);
        assert_int_equal(b.rows.block_count, cases[i].blocks);
        bench_free(&b);
    }
}

// Twelve equal rows: two blocks of six, of which one row carries the load.
static void test_redundant_rows_do_not_upset_a_block(void **state)
{
    (void)state;
    bench b;
    bench_make(&b, 0, 1);
    for (int i = 0; i < SN_MAX_ROWS; ++i) {
        add_row(&b, SN_ROW_EQUAL, 0.0f)->block = 0;
    }
    rig_set_velocity(&b.rig, 1, sn_v(1.0f, 0.0f, 0.0f), sn_v(0.0f, 0.0f, 0.0f));
    warm_start(&b);
    assert_int_equal(b.rows.block_count, 2);
    for (int i = 0; i < 20; ++i) {
        solve(&b, true);
    }
    assert_near(rig_linear(&b.rig, 1).x, 0.0f, 1e-5);
    for (int i = 0; i < SN_MAX_ROWS; ++i) {
        assert_true(sn_is_finite(b.rows.rows[i].impulse));
        assert_true(sn_abs(b.rows.rows[i].impulse) <= 2.001f);
    }
    bench_free(&b);
}

static void test_backwards_visits_the_blocks_in_the_other_order(void **state)
{
    (void)state;
    float last[2];
    for (int backwards = 0; backwards < 2; ++backwards) {
        bench b;
        bench_make(&b, 0, 1);
        for (int i = 0; i < 2; ++i) {
            sn_row *motor = add_row(&b, SN_ROW_SPEED, 0.0f);
            motor->target_speed = (float)(i + 1);
        }
        warm_start(&b);
        sn_rows_solve(&b.rig.solver, &b.input, &b.rows, false, backwards);
        last[backwards] = rig_linear(&b.rig, 1).x;
        bench_free(&b);
    }
    // Whoever comes last has its way.
    assert_near(last[0], 2.0f, 1e-6);
    assert_near(last[1], 1.0f, 1e-6);
}

// --- both bodies ---------------------------------------------------------------------------------

static void test_balanced_rows_keep_linear_and_angular_momentum_within_1e_5(void **state)
{
    (void)state;
    test_random random = {2};
    for (int round = 0; round < 50; ++round) {
        bench b;
        bench_make(&b, 1, 2);
        rig_set_random(&b.rig, 1, &random);
        rig_set_random(&b.rig, 2, &random);
        const sn_solver_body *bodies = b.rig.solver.bodies;
        sn_vec3 point = test_random_vec3(&random, 2.0f), linear[2], angular[2];
        add_point_rows(&b, sn_sub(point, bodies[1].center), sn_sub(point, bodies[2].center), 0);
        for (int when = 0; when < 2; ++when) {
            linear[when] = angular[when] = sn_v(0.0f, 0.0f, 0.0f);
            for (int i = 1; i <= 2; ++i) {
                sn_vec3 p = sn_scale(rig_linear(&b.rig, i), 1.0f / bodies[i].inverse_mass.x);
                sn_sym3 inertia = rig_inertia(&b.rig, i);
                linear[when] = sn_add(linear[when], p);
                angular[when] = sn_add(angular[when], sn_cross(bodies[i].center, p));
                angular[when] = sn_add(angular[when], sn_sym3_apply(inertia, rig_angular(&b.rig, i)));
            }
            warm_start(&b);
            solve(&b, false);
            solve(&b, true);
        }
        assert_vec3_near(linear[0], linear[1], 2e-5);
        assert_vec3_near(angular[0], angular[1], 5e-5);
        bench_free(&b);
    }
}

static void test_bodies_that_are_not_dynamic_are_never_written(void **state)
{
    (void)state;
    bench b;
    memset(&b, 0, sizeof b);
    bench_make(&b, 1, 2);
    b.rig.solver.dynamic_begin = 2; // body 1 becomes kinematic
    b.rig.solver.bodies[1].inverse_mass = sn_v(0.0f, 0.0f, 0.0f);
    memset(&b.rig.solver.inertias[1], 0, sizeof b.rig.solver.inertias[1]);
    rig_set_velocity(&b.rig, 1, sn_v(-0.0f, 2.0f, 0.0f), sn_v(0.0f, -0.0f, 1.0f));
    sn_solver_velocity before = b.rig.solver.velocities[1];
    add_point_rows(&b, sn_v(0.0f, 1.0f, 0.0f), sn_v(0.0f, -1.0f, 0.0f), 0);
    warm_start(&b);
    solve(&b, false);
    assert_memory_equal(&before, &b.rig.solver.velocities[1], sizeof before);
    assert_true(sn_length(rig_linear(&b.rig, 2)) > 0.1f);
    bench_free(&b);
}

// --- reports -------------------------------------------------------------------------------------

// Force on b, and torque about frame b's origin, 0.5 m above its mass centre.
static void test_force_and_torque_are_those_on_b_about_its_frame_within_1e_4(void **state)
{
    (void)state;
    bench b;
    bench_make(&b, 1, 2);
    b.common.b.position = sn_v(0.0f, 0.5f, 0.0f);
    // A pull along x at the mass centre is a pull along x at the frame and a torque about −z … +z.
    (void)add_row(&b, SN_ROW_EQUAL, 0.0f);
    sn_row *turn = add_row(&b, SN_ROW_EQUAL, 0.0f);
    turn->linear[0] = turn->linear[1] = sn_v(0.0f, 0.0f, 0.0f);
    turn->angular[0] = sn_v(0.0f, -1.0f, 0.0f);
    turn->angular[1] = sn_v(0.0f, 1.0f, 0.0f);
    b.impulses[0] = 2.0f;
    b.impulses[1] = 5.0f;
    warm_start(&b);
    sn_rows_accumulate(&b.rows);
    sn_rows_accumulate(&b.rows);
    sn_rows_store(&b.rig.solver, &b.input, &b.rows);
    assert_vec3_near(b.force, sn_v(4.0f / h, 0.0f, 0.0f), 1e-4 * 4.0f / h);
    // (0 − 0.5 y) × 4 x = 2 z.
    assert_vec3_near(b.torque, sn_v(0.0f, 10.0f / h, 2.0f / h), 1e-4 * 10.0f / h);
    assert_true(b.impulses[0] == 2.0f && b.impulses[1] == 5.0f && b.impulses[2] == 0.0f);
    bench_free(&b);
}

static void test_any_number_of_rows_a_function_returns_is_survived(void **state)
{
    (void)state;
    const int counts[] = {-5, 0, 1, SN_MAX_ROWS, SN_MAX_ROWS + 1, 1000000};
    const int expected[] = {0, 0, 1, SN_MAX_ROWS, SN_MAX_ROWS, SN_MAX_ROWS};
    for (int i = 0; i < 6; ++i) {
        bench b;
        bench_make(&b, 0, 1);
        for (int k = 0; k < SN_MAX_ROWS; ++k) {
            (void)add_row(&b, SN_ROW_EQUAL, 0.0f);
        }
        b.given.count = counts[i];
        b.impulses[SN_MAX_ROWS - 1] = 3.0f;
        warm_start(&b);
        solve(&b, false);
        assert_int_equal(b.rows.row_count, expected[i]);
        sn_rows_store(&b.rig.solver, &b.input, &b.rows);
        // Rows that are gone leave no impulse behind.
        for (int k = expected[i]; k < SN_MAX_ROWS; ++k) {
            assert_true(b.impulses[k] == 0.0f);
        }
        bench_free(&b);
    }
}

static void test_kept_impulses_beyond_new_limits_are_cut(void **state)
{
    (void)state;
    bench b;
    bench_make(&b, 0, 1);
    sn_row *row = add_row(&b, SN_ROW_EQUAL, 0.0f);
    row->lower = -720.0f;
    row->upper = 1440.0f;
    b.impulses[0] = 50.0f;
    warm_start(&b);
    assert_near(b.rows.rows[0].impulse, 2.0f, 1e-6);
    b.impulses[0] = -50.0f;
    warm_start(&b);
    assert_near(b.rows.rows[0].impulse, -1.0f, 1e-6);
    bench_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_a_hard_row_moves_towards_zero_by_its_soft_law_within_1e_5),
        test_with_memory(test_an_elastic_row_is_an_implicit_spring_within_1e_5),
        test_with_memory(test_a_row_that_turns_goes_from_chord_to_chord_within_1_per_mille),
        test_with_memory(test_warm_starting_applies_the_kept_impulse),
        test_with_memory(test_relaxing_removes_the_speed_of_a_hard_row_without_its_bias),
        test_with_memory(test_a_speed_row_reaches_its_target_or_its_strength),
        test_with_memory(test_an_open_limit_lets_come_as_close_as_touching_and_never_pulls),
        test_with_memory(test_a_violated_limit_pushes_no_faster_than_told_within_1e_5),
        test_with_memory(test_a_block_is_solved_exactly_in_one_visit_within_1e_4),
        test_with_memory(test_blocks_join_adjacent_unlimited_equal_rows_of_one_number_only),
        test_with_memory(test_redundant_rows_do_not_upset_a_block),
        test_with_memory(test_backwards_visits_the_blocks_in_the_other_order),
        test_with_memory(test_balanced_rows_keep_linear_and_angular_momentum_within_1e_5),
        test_with_memory(test_bodies_that_are_not_dynamic_are_never_written),
        test_with_memory(test_force_and_torque_are_those_on_b_about_its_frame_within_1e_4),
        test_with_memory(test_any_number_of_rows_a_function_returns_is_survived),
        test_with_memory(test_kept_impulses_beyond_new_limits_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
