// Joints in a step: held rows solved as one, single rows within the freedom that these leave, both bodies,
// eight joints side by side, colours, and what the rest of the world gets to know.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "solver/rows/softness.h"
#include "support/joint_rig.h"
#include "support/manifold_check.h"
#include "support/memory.h"

static const float h = 1.0f / 720.0f;
static const sn_vec3 zero = {0.0f, 0.0f, 0.0f};

// Two dynamic bodies, of 2 and 3 kg, at the origin, and a constraint.
static joint_rig *bench_make(int body_a, int body_b)
{
    joint_rig *rig = joint_rig_make(0, 2, h);
    rig_set_ball(&rig->rig, 1, 2.0f, 1.0f);
    rig_set_ball(&rig->rig, 2, 3.0f, 1.0f);
    (void)joint_rig_add(rig, body_a, body_b);
    return rig;
}

static joint_rig *random_bench(test_random *random)
{
    joint_rig *rig = bench_make(1, 2);
    rig_set_random(&rig->rig, 1, random);
    rig_set_random(&rig->rig, 2, random);
    return rig;
}

static const sn_joint_group *only_group(const joint_rig *rig)
{
    assert_int_equal(rig->joints.group_count, 1);
    return &rig->joints.groups[0];
}

// --- warm start ----------------------------------------------------------------------------------

static void test_warm_starting_applies_the_kept_impulse(void **state)
{
    (void)state;
    joint_rig *rig = bench_make(1, 2);
    (void)joint_rig_row(rig, 0, SN_ROW_EQUAL, 0.0f);
    rig_set_velocity(&rig->rig, 1, sn_v(3.0f, 0.0f, 1.0f), zero);
    rig_set_velocity(&rig->rig, 2, sn_v(-2.0f, 0.0f, 0.0f), zero);
    rig->impulses[0][0] = 6.0f;
    joint_rig_begin(rig);
    assert_vec3_near(rig_linear(&rig->rig, 1), sn_v(0.0f, 0.0f, 1.0f), 1e-6);
    assert_vec3_near(rig_linear(&rig->rig, 2), zero, 1e-6);
    joint_rig_free(rig);
}

static void test_a_staggered_step_keeps_the_part_of_hard_impulses_it_is_told(void **state)
{
    (void)state;
    joint_rig *rig = bench_make(0, 1);
    (void)joint_rig_row(rig, 0, SN_ROW_EQUAL, 0.0f);
    rig->rig.solver.settings.type = SN_SOLVER_STAGGERED;
    rig->rig.solver.settings.staggered = (sn_staggered){.correction = 0.1f, .warm_start = 0.5f};
    rig->rig.solver.settings.laws = sn_laws_of(&rig->rig.solver.settings);
    rig_set_velocity(&rig->rig, 1, sn_v(-3.0f, 0.0f, 0.0f), zero);
    rig->impulses[0][0] = 6.0f;
    joint_rig_begin(rig);
    assert_near(rig_linear(&rig->rig, 1).x, -1.5f, 1e-6);
    joint_rig_free(rig);
}

// --- held rows -----------------------------------------------------------------------------------

// One relaxing visit brings all rows to rest at once, coupled as they are; one with bias brings all of them
// the same part of the way.
static void test_held_rows_are_solved_exactly_in_one_visit_within_1e_4(void **state)
{
    (void)state;
    test_random random = {1};
    sn_softness soft = sn_softness_make(0.25f, 2.0f, h);
    for (int round = 0; round < 100; ++round) {
        joint_rig *rig = random_bench(&random);
        sn_vec3 arm_a = test_random_vec3(&random, 1.0f);
        joint_rig_ball(rig, 0, arm_a, test_random_vec3(&random, 1.0f));
        for (int i = 0; i < round % 4; ++i) {
            (void)joint_rig_turn(rig, 0, SN_ROW_EQUAL, 0.01f, rig_axis(i));
        }
        joint_rig_begin(rig);
        int count = rig->given[0].count;
        assert_int_equal(only_group(rig)->hard_count, count);
        double before[6];
        for (int i = 0; i < count; ++i) {
            before[i] = joint_rig_speed(rig, 0, i) + (double)joint_rig_held(rig, i)->bias.lane[0];
        }
        joint_rig_solve(rig);
        for (int i = 0; i < count; ++i) {
            double left = joint_rig_speed(rig, 0, i) + (double)joint_rig_held(rig, i)->bias.lane[0];
            assert_near((float)left, (float)(before[i] * (double)soft.impulse_scale), 1e-4);
        }
        joint_rig_relax(rig);
        for (int i = 0; i < count; ++i) {
            assert_near((float)joint_rig_speed(rig, 0, i), 0.0f, 1e-4);
        }
        joint_rig_free(rig);
    }
}

// Whatever numbers blocks have: a joint's hard rows are one system, springs are solved in it too.
static void test_hard_rows_and_springs_are_held_and_all_others_single(void **state)
{
    (void)state;
    const struct {
        int change; // what is done to the second row of the joint
        int hard, held, single;
    } cases[] = {{0, 3, 3, 0}, {1, 2, 2, 1}, {2, 2, 2, 1}, {3, 2, 3, 0}, {4, 2, 2, 1}};
    for (int i = 0; i < 5; ++i) {
        joint_rig *rig = bench_make(1, 2);
        joint_rig_ball(rig, 0, sn_v(0.1f, 0.2f, 0.3f), sn_v(0.3f, 0.1f, 0.2f));
        sn_row *row = &rig->given[0].rows[1];
        row->upper = cases[i].change == 1 ? 100.0f : row->upper;
        row->type = cases[i].change == 2 ? SN_ROW_SPEED : row->type;
        row->compliance = cases[i].change == 3 ? 1.0e-3f : row->compliance;
        row->type = cases[i].change == 4 ? SN_ROW_ABOVE : row->type;
        joint_rig_begin(rig);
        const sn_joint_group *group = only_group(rig);
        assert_int_equal(group->hard_count, cases[i].hard);
        assert_int_equal(group->held_count, cases[i].held);
        assert_int_equal(group->single_count, cases[i].single);
        // Springs come last.
        assert_int_equal(group->held[cases[i].held - 1].row, cases[i].change == 3 ? 1 : 2);
        joint_rig_free(rig);
    }
}

// Hard rows x and z, and a spring along y, which their arms couple: velocities afterwards meet J·u + bias = 0
// of hard rows, J·u + bias + γΛ = 0 of the spring, at once.
static void test_springs_and_hard_rows_are_one_system_within_1e_4(void **state)
{
    (void)state;
    test_random random = {3};
    const float compliances[] = {1.0e-7f, 1.0e-4f, 1.0e-2f, 1.0f};
    for (int round = 0; round < 100; ++round) {
        joint_rig *rig = random_bench(&random);
        sn_vec3 arm_a = test_random_vec3(&random, 1.0f);
        joint_rig_ball(rig, 0, arm_a, test_random_vec3(&random, 1.0f));
        sn_row *spring = &rig->given[0].rows[1];
        spring->compliance = compliances[round % 4];
        spring->damping = round % 8 < 4 ? 0.0f : 5.0f;
        joint_rig_begin(rig);
        joint_rig_solve(rig);
        for (int i = 0; i < 3; ++i) {
            const sn_held_row *row = joint_rig_held(rig, i);
            int source = only_group(rig)->held[i].row;
            float left = (float)joint_rig_speed(rig, 0, source) + row->bias.lane[0] +
                         row->gamma.lane[0] * row->impulse.lane[0];
            assert_true((row->gamma.lane[0] > 0.0f) == (source == 1));
            assert_near(left, 0.0f, 1e-4);
        }
        joint_rig_free(rig);
    }
}

// The same with a node at the other end.
static void test_springs_and_hard_rows_of_nodes_are_one_system_within_1e_4(void **state)
{
    (void)state;
    test_random random = {5};
    for (int round = 0; round < 50; ++round) {
        joint_rig *rig = random_bench(&random);
        joint_rig_nodes(rig, 1);
        rig->nodes.states.data[1].inverse_mass = test_random_float(&random, 0.1f, 10.0f);
        rig->nodes.velocities.data[1].velocity = test_random_vec3(&random, 2.0f);
        sn_vec3 arm = test_random_vec3(&random, 1.0f);
        joint_rig_ball(rig, 0, arm, zero);
        rig->inputs[0].ends[1] =
            (sn_solver_end){.node_count = 1, .nodes = {1}, .weights = {1.0f}, .rotation = sn_quat_identity};
        rig->given[0].rows[1].compliance = 1.0e-4f;
        joint_rig_begin(rig);
        joint_rig_solve(rig);
        sn_vec3 turned = sn_cross(rig_angular(&rig->rig, 1), arm);
        sn_vec3 relative =
            sn_sub(rig->nodes.velocities.data[1].velocity, sn_add(rig_linear(&rig->rig, 1), turned));
        for (int i = 0; i < 3; ++i) {
            const sn_held_row *row = joint_rig_held(rig, i);
            float speed = sn_dot(relative, rig_axis(only_group(rig)->held[i].row));
            assert_near(speed + row->bias.lane[0] + row->gamma.lane[0] * row->impulse.lane[0], 0.0f, 1e-4);
        }
        joint_rig_free(rig);
    }
}

// Twelve equal rows: six are held, of which one carries the load; the others have nothing left to do.
static void test_redundant_rows_do_not_upset_a_joint(void **state)
{
    (void)state;
    joint_rig *rig = bench_make(0, 1);
    for (int i = 0; i < SN_MAX_ROWS; ++i) {
        (void)joint_rig_row(rig, 0, SN_ROW_EQUAL, 0.0f);
    }
    rig_set_velocity(&rig->rig, 1, sn_v(1.0f, 0.0f, 0.0f), zero);
    joint_rig_begin(rig);
    joint_rig_relax(rig);
    assert_near(rig_linear(&rig->rig, 1).x, 0.0f, 1e-6);
    for (int i = 0; i < 20; ++i) {
        joint_rig_solve(rig);
        joint_rig_relax(rig);
    }
    sn_joints_store(&rig->joints);
    assert_near(rig_linear(&rig->rig, 1).x, 0.0f, 1e-6);
    float sum = 0.0f;
    for (int i = 0; i < SN_MAX_ROWS; ++i) {
        assert_true(sn_abs(rig->impulses[0][i]) <= 2.001f);
        sum += rig->impulses[0][i];
    }
    assert_near(sum, -2.0f, 1e-5);
    joint_rig_free(rig);
}

// As much as it may, in the direction it would without a limit.
static void test_held_rows_together_pull_no_harder_than_their_largest_force(void **state)
{
    (void)state;
    const float most = 360.0f;
    joint_rig *rig = bench_make(0, 1);
    joint_rig_ball(rig, 0, zero, zero);
    for (int i = 0; i < 3; ++i) {
        rig->given[0].rows[i].value = 0.0f;
    }
    rig->inputs[0].max_force = most;
    rig_set_velocity(&rig->rig, 1, sn_v(6.0f, 8.0f, 0.0f), zero);
    joint_rig_begin(rig);
    for (int i = 0; i < 5; ++i) {
        joint_rig_solve(rig);
        joint_rig_relax(rig);
    }
    sn_joints_finish_sub_step(&rig->joints);
    sn_joints_store(&rig->joints);
    assert_vec3_near(rig->force[0], sn_v(-0.6f * most, -0.8f * most, 0.0f), 1e-5f * most);
    // 360 N for 1/720 s on 2 kg.
    assert_vec3_near(rig_linear(&rig->rig, 1), sn_v(5.85f, 7.8f, 0.0f), 1e-5);
    joint_rig_free(rig);
}

// --- single rows ---------------------------------------------------------------------------------

// A hinge's motor on long arms: it turns the bodies as the joint lets them, and needs one visit for that.
static void test_a_motor_moves_bodies_only_as_the_joint_lets_them_within_1e_5(void **state)
{
    (void)state;
    test_random random = {4};
    for (int round = 0; round < 50; ++round) {
        joint_rig *rig = random_bench(&random);
        rig_set_velocity(&rig->rig, 1, zero, zero);
        rig_set_velocity(&rig->rig, 2, zero, zero);
        joint_rig_ball(rig, 0, sn_v(1.0f, 0.3f, 0.0f), sn_v(-1.0f, 0.2f, 0.1f));
        (void)joint_rig_turn(rig, 0, SN_ROW_EQUAL, 0.0f, rig_axis(1));
        (void)joint_rig_turn(rig, 0, SN_ROW_EQUAL, 0.0f, rig_axis(2));
        for (int i = 0; i < 5; ++i) {
            rig->given[0].rows[i].value = 0.0f;
        }
        joint_rig_turn(rig, 0, SN_ROW_SPEED, 0.0f, rig_axis(0))->target_speed = 2.0f;
        joint_rig_begin(rig);
        joint_rig_solve(rig);
        for (int i = 0; i < 6; ++i) {
            assert_near((float)joint_rig_speed(rig, 0, i), i == 5 ? 2.0f : 0.0f, 1e-5);
        }
        joint_rig_free(rig);
    }
}

// A motor against a lock can do nothing, and nothing unbounded either.
static void test_a_motor_along_a_held_row_does_nothing(void **state)
{
    (void)state;
    joint_rig *rig = bench_make(1, 2);
    joint_rig_ball(rig, 0, sn_v(0.5f, 0.1f, 0.0f), sn_v(-0.5f, 0.0f, 0.0f));
    for (int i = 0; i < 3; ++i) {
        (void)joint_rig_turn(rig, 0, SN_ROW_EQUAL, 0.0f, rig_axis(i));
    }
    for (int i = 0; i < 3; ++i) {
        rig->given[0].rows[i].value = 0.0f;
    }
    joint_rig_turn(rig, 0, SN_ROW_SPEED, 0.0f, sn_v(0.6f, 0.0f, 0.8f))->target_speed = 100.0f;
    joint_rig_begin(rig);
    for (int i = 0; i < 10; ++i) {
        joint_rig_solve(rig);
    }
    assert_vec3_near(rig_angular(&rig->rig, 1), zero, 1e-6);
    assert_vec3_near(rig_angular(&rig->rig, 2), zero, 1e-6);
    assert_true(sn_is_finite(joint_rig_single(rig, 0)->impulse.lane[0]));
    joint_rig_free(rig);
}

// Whoever comes last has its way.
static void test_single_rows_are_visited_in_their_order(void **state)
{
    (void)state;
    joint_rig *rig = bench_make(0, 1);
    for (int i = 0; i < 2; ++i) {
        joint_rig_row(rig, 0, SN_ROW_SPEED, 0.0f)->target_speed = (float)(i + 1);
    }
    joint_rig_begin(rig);
    for (int i = 0; i < 3; ++i) {
        joint_rig_solve(rig);
        assert_near(rig_linear(&rig->rig, 1).x, 2.0f, 1e-6);
    }
    joint_rig_free(rig);
}

// --- both bodies ---------------------------------------------------------------------------------

static void test_balanced_rows_keep_linear_and_angular_momentum_within_1e_6(void **state)
{
    (void)state;
    test_random random = {2};
    for (int round = 0; round < 50; ++round) {
        joint_rig *rig = random_bench(&random);
        joint_rig_ball_at(rig, 0, test_random_vec3(&random, 2.0f));
        (void)joint_rig_turn(rig, 0, SN_ROW_SPEED, 0.0f, test_random_direction(&random));
        test_momenta before = joint_rig_momenta(rig);
        joint_rig_begin(rig);
        joint_rig_solve(rig);
        joint_rig_relax(rig);
        test_momenta after = joint_rig_momenta(rig);
        for (int k = 0; k < 3; ++k) {
            assert_near((float)after.linear[k], (float)before.linear[k], 1e-6 * 30.0);
            assert_near((float)after.angular[k], (float)before.angular[k], 1e-6 * 30.0);
        }
        joint_rig_free(rig);
    }
}

static void test_bodies_that_are_not_dynamic_are_never_written(void **state)
{
    (void)state;
    joint_rig *rig = joint_rig_make(1, 1, h);
    rig_set_ball(&rig->rig, 2, 3.0f, 1.0f);
    (void)joint_rig_add(rig, 1, 2);
    rig_set_velocity(&rig->rig, 1, sn_v(-0.0f, 2.0f, 0.0f), sn_v(0.0f, -0.0f, 1.0f));
    sn_solver_velocity before = rig->rig.solver.velocities[1];
    joint_rig_ball(rig, 0, sn_v(0.0f, 1.0f, 0.0f), sn_v(0.0f, -1.0f, 0.0f));
    joint_rig_turn(rig, 0, SN_ROW_SPEED, 0.0f, rig_axis(1))->target_speed = 4.0f;
    joint_rig_begin(rig);
    joint_rig_solve(rig);
    assert_memory_equal(&before, &rig->rig.solver.velocities[1], sizeof before);
    assert_true(sn_length(rig_linear(&rig->rig, 2)) > 0.1f);
    joint_rig_free(rig);
}

// --- reports -------------------------------------------------------------------------------------

// Force on b, and torque about frame b's origin, 0.5 m above its mass centre.
static void test_force_and_torque_are_those_on_b_about_its_frame_within_1e_4(void **state)
{
    (void)state;
    joint_rig *rig = bench_make(1, 2);
    rig->inputs[0].ends[1].local = sn_v(0.0f, 0.5f, 0.0f);
    // A pull along x at the mass centre is a pull along x at the frame and a torque about z there.
    (void)joint_rig_row(rig, 0, SN_ROW_EQUAL, 0.0f);
    (void)joint_rig_turn(rig, 0, SN_ROW_EQUAL, 0.0f, rig_axis(1));
    rig->impulses[0][0] = 2.0f;
    rig->impulses[0][1] = 5.0f;
    // The impulses brake.
    rig_set_velocity(&rig->rig, 2, sn_v(-50.0f, 0.0f, 0.0f), sn_v(0.0f, -50.0f, 0.0f));
    joint_rig_begin(rig);
    sn_joints_finish_sub_step(&rig->joints); // two sub-steps, in which nothing more happened
    sn_joints_finish_sub_step(&rig->joints);
    sn_joints_store(&rig->joints);
    assert_vec3_near(rig->force[0], sn_v(4.0f / h, 0.0f, 0.0f), 1e-4 * 4.0f / h);
    // (0 − 0.5 y) × 4 x = 2 z.
    assert_vec3_near(rig->torque[0], sn_v(0.0f, 10.0f / h, 2.0f / h), 1e-4 * 10.0f / h);
    assert_true(rig->impulses[0][0] == 2.0f && rig->impulses[0][1] == 5.0f && rig->impulses[0][2] == 0.0f);
    joint_rig_free(rig);
}

// Two constraints of one pair, the second the other way round: each has its own part, on its own b.
static void test_merged_constraints_report_each_its_part_within_1e_4(void **state)
{
    (void)state;
    joint_rig *rig = bench_make(1, 2);
    (void)joint_rig_row(rig, 0, SN_ROW_EQUAL, 0.0f);
    int other = joint_rig_add(rig, 2, 1);
    sn_row *row = joint_rig_row(rig, other, SN_ROW_EQUAL, 0.0f); // v₁.z − v₂.z, at a height of 0.5 m of b
    row->linear[0] = sn_v(0.0f, 0.0f, -1.0f);
    row->linear[1] = sn_v(0.0f, 0.0f, 1.0f);
    rig->inputs[other].ends[1].local = sn_v(0.0f, 0.5f, 0.0f);
    rig->impulses[0][0] = 2.0f;
    rig->impulses[other][0] = 3.0f;
    rig_set_velocity(&rig->rig, 2, sn_v(-50.0f, 0.0f, 50.0f), zero);
    joint_rig_begin(rig);
    assert_int_equal(only_group(rig)->member_count, 2);
    sn_joints_finish_sub_step(&rig->joints);
    sn_joints_finish_sub_step(&rig->joints);
    sn_joints_store(&rig->joints);
    assert_vec3_near(rig->force[0], sn_v(4.0f / h, 0.0f, 0.0f), 1e-4 * 4.0f / h);
    assert_vec3_near(rig->torque[0], zero, 1e-4 / h);
    assert_vec3_near(rig->force[other], sn_v(0.0f, 0.0f, 6.0f / h), 1e-4 * 6.0f / h);
    // −0.5 y × 6 z = −3 x.
    assert_vec3_near(rig->torque[other], sn_v(-3.0f / h, 0.0f, 0.0f), 1e-4 * 6.0f / h);
    assert_true(rig->impulses[0][0] == 2.0f && rig->impulses[other][0] == 3.0f);
    joint_rig_free(rig);
}

static void test_any_number_of_rows_a_function_returns_is_survived(void **state)
{
    (void)state;
    const int counts[] = {-5, 0, 1, SN_MAX_ROWS, SN_MAX_ROWS + 1, 1000000};
    const int expected[] = {0, 0, 1, SN_MAX_ROWS, SN_MAX_ROWS, SN_MAX_ROWS};
    for (int i = 0; i < 6; ++i) {
        joint_rig *rig = bench_make(0, 1);
        for (int k = 0; k < SN_MAX_ROWS; ++k) {
            (void)joint_rig_row(rig, 0, SN_ROW_EQUAL, 0.0f);
        }
        rig->given[0].count = counts[i];
        rig->impulses[0][SN_MAX_ROWS - 1] = 3.0f;
        joint_rig_begin(rig);
        joint_rig_solve(rig);
        const sn_joint_group *group = only_group(rig);
        assert_int_equal(group->held_count + group->single_count, expected[i]);
        sn_joints_store(&rig->joints);
        // Rows that are gone leave no impulse behind.
        for (int k = expected[i]; k < SN_MAX_ROWS; ++k) {
            assert_true(rig->impulses[0][k] == 0.0f);
        }
        joint_rig_free(rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_warm_starting_applies_the_kept_impulse),
        test_with_memory(test_a_staggered_step_keeps_the_part_of_hard_impulses_it_is_told),
        test_with_memory(test_held_rows_are_solved_exactly_in_one_visit_within_1e_4),
        test_with_memory(test_hard_rows_and_springs_are_held_and_all_others_single),
        test_with_memory(test_springs_and_hard_rows_are_one_system_within_1e_4),
        test_with_memory(test_springs_and_hard_rows_of_nodes_are_one_system_within_1e_4),
        test_with_memory(test_redundant_rows_do_not_upset_a_joint),
        test_with_memory(test_held_rows_together_pull_no_harder_than_their_largest_force),
        test_with_memory(test_a_motor_moves_bodies_only_as_the_joint_lets_them_within_1e_5),
        test_with_memory(test_a_motor_along_a_held_row_does_nothing),
        test_with_memory(test_single_rows_are_visited_in_their_order),
        test_with_memory(test_balanced_rows_keep_linear_and_angular_momentum_within_1e_6),
        test_with_memory(test_bodies_that_are_not_dynamic_are_never_written),
        test_with_memory(test_force_and_torque_are_those_on_b_about_its_frame_within_1e_4),
        test_with_memory(test_merged_constraints_report_each_its_part_within_1e_4),
        test_with_memory(test_any_number_of_rows_a_function_returns_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
