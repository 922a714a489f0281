// Energy that a joint has made is taken back by friction between its two ends: exactly the debt, and no
// momentum.
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

// Two bodies anyhow, or one and the world, and a ball between them, ready to be solved.
static joint_rig *random_pair(test_random *random, int kinematic)
{
    joint_rig *rig = joint_rig_make(kinematic, 2, h);
    int a = kinematic + 1, b = kinematic + 2;
    rig_set_random(&rig->rig, a, random);
    rig_set_random(&rig->rig, b, random);
    int joint = joint_rig_add(rig, a, b);
    joint_rig_ball_at(rig, joint, test_random_vec3(random, 1.0f));
    joint_rig_begin(rig);
    return rig;
}

static sn_joint_block *block_of(const joint_rig *rig)
{
    return &rig->joints.pass.blocks[0];
}

static void take_back(joint_rig *rig, float amount)
{
    sn_joint_take_back(&rig->joints.pass, block_of(rig), 0, amount);
}

static void check_momenta(const test_momenta *before, const test_momenta *after, double tolerance)
{
    for (int k = 0; k < 3; ++k) {
        assert_near((float)after->linear[k], (float)before->linear[k], tolerance);
        assert_near((float)after->angular[k], (float)before->angular[k], tolerance);
    }
}

static void test_exactly_what_is_asked_for_is_taken_and_momenta_are_kept(void **state)
{
    (void)state;
    test_random random = {1};
    const float amounts[] = {1.0e-3f, 0.1f, 1.0f};
    int short_of = 0;
    for (int round = 0; round < 150; ++round) {
        joint_rig *rig = random_pair(&random, 0);
        test_momenta before = joint_rig_momenta(rig);
        take_back(rig, amounts[round % 3]);
        test_momenta after = joint_rig_momenta(rig);
        check_momenta(&before, &after, 1e-6 * 40.0); // of tens of kg m/s
        double taken = before.energy - after.energy;
        bool all = fabs(taken - (double)amounts[round % 3]) <= 1e-6 * before.energy;
        assert_true(all || taken < (double)amounts[round % 3]);
        short_of += all ? 0 : 1;
        joint_rig_free(rig);
    }
    // There is less than 1 J of relative motion in few.
    assert_true(short_of < 5);
}

// More than the relative motion has: the two then move as one.
static void test_no_more_is_taken_than_the_relative_motion_has(void **state)
{
    (void)state;
    test_random random = {2};
    for (int round = 0; round < 50; ++round) {
        joint_rig *rig = random_pair(&random, 0);
        test_momenta before = joint_rig_momenta(rig);
        take_back(rig, 1.0e4f);
        test_momenta after = joint_rig_momenta(rig);
        check_momenta(&before, &after, 1e-6 * 60.0);
        assert_vec3_near(rig_angular(&rig->rig, 1), rig_angular(&rig->rig, 2), 1e-4);
        for (int k = 0; k < 3; ++k) {
            assert_near((float)joint_rig_speed(rig, 0, k), 0.0f, 1e-4);
        }
        assert_true(after.energy < before.energy);
        joint_rig_free(rig);
    }
}

// Against the world, or a body that is moved: it alone changes, and that is not written.
static void test_against_what_cannot_move_the_body_alone_is_braked(void **state)
{
    (void)state;
    test_random random = {3};
    for (int kinematic = 0; kinematic < 2; ++kinematic) {
        for (int order = 0; order < 2; ++order) {
            joint_rig *rig = joint_rig_make(kinematic, 1, h);
            int body = kinematic + 1;
            rig_set_random(&rig->rig, body, &random);
            int joint = joint_rig_add(rig, order == 0 ? kinematic : body, order == 0 ? body : kinematic);
            joint_rig_ball_at(rig, joint, test_random_vec3(&random, 1.0f));
            joint_rig_begin(rig);
            double before = joint_rig_momenta(rig).energy;
            take_back(rig, 0.25f);
            assert_near((float)(before - joint_rig_momenta(rig).energy), 0.25f, 1e-6 * before);
            assert_vec3_near(rig_linear(&rig->rig, kinematic), zero, 0.0f);
            joint_rig_free(rig);
        }
    }
}

// A locked axis has no inverse mass: what moves along it is not there to be taken.
static void test_locked_axes_stay_locked(void **state)
{
    (void)state;
    joint_rig *rig = joint_rig_make(0, 1, h);
    rig_set_ball(&rig->rig, 1, 2.0f, 1.0f);
    rig->rig.solver.bodies[1].inverse_mass.y = 0.0f;
    rig->rig.solver.bodies[1].center = sn_v(1.0f, 0.0f, 0.0f);
    int joint = joint_rig_add(rig, 0, 1);
    joint_rig_ball_at(rig, joint, sn_v(0.5f, 0.5f, 0.0f));
    rig_set_velocity(&rig->rig, 1, sn_v(3.0f, 0.0f, 1.0f), sn_v(0.0f, 0.0f, 2.0f));
    joint_rig_begin(rig);
    double before = joint_rig_momenta(rig).energy;
    take_back(rig, 0.5f);
    assert_true(rig_linear(&rig->rig, 1).y == 0.0f);
    assert_near((float)(before - joint_rig_momenta(rig).energy), 0.5f, 1e-5);
    joint_rig_free(rig);
}

// A body on a rod of 5 cm about the origin.
static int give_rod(const sn_row_input *input, const void *data, sn_row *rows)
{
    (void)data;
    rows[0].type = SN_ROW_EQUAL;
    rows[0].value = sn_length(input->center[1]) - 0.05f;
    rows[0].linear[1] = sn_normalize(input->center[1]);
    return 1;
}

static void move(joint_rig *rig, int body)
{
    sn_solver_body *target = &rig->rig.solver.bodies[body];
    target->center = sn_add_scaled(target->center, h, rig_linear(&rig->rig, body));
}

// Round within a few sub-steps, or even within one, gradients mean little by the end of a sub-step. What is
// stretched may not become faster.
static void test_what_is_whirled_too_fast_for_the_sub_steps_gains_no_energy(void **state)
{
    (void)state;
    test_random random = {5};
    for (int round = 0; round < 50; ++round) {
        joint_rig *rig = joint_rig_make(0, 1, h);
        rig_set_ball(&rig->rig, 1, 1.0f, 0.01f);
        rig->inputs[joint_rig_add(rig, 0, 1)].evaluate = give_rod;
        rig->rig.solver.bodies[1].center = sn_v(0.05f, 0.0f, 0.0f);
        float speed = test_random_float(&random, 10.0f, 200.0f); // 0.3 to 6 rad a sub-step
        rig_set_velocity(&rig->rig, 1, sn_v(0.0f, speed, 0.0f), zero);
        double before = joint_rig_momenta(rig).energy;
        assert_true(sn_joints_begin(&rig->joints));
        sn_joints_refresh(&rig->joints, true);
        for (int i = 0; i < 300; ++i) {
            sn_joints_warm_start(&rig->joints);
            joint_rig_solve(rig);
            move(rig, 1);
            sn_joints_refresh(&rig->joints, false);
            joint_rig_relax(rig);
            sn_joints_finish_sub_step(&rig->joints);
            assert_true(joint_rig_momenta(rig).energy <= before * (1.0 + 1e-3));
        }
        joint_rig_free(rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_exactly_what_is_asked_for_is_taken_and_momenta_are_kept),
        test_with_memory(test_no_more_is_taken_than_the_relative_motion_has),
        test_with_memory(test_against_what_cannot_move_the_body_alone_is_braked),
        test_with_memory(test_locked_axes_stay_locked),
        test_with_memory(test_what_is_whirled_too_fast_for_the_sub_steps_gains_no_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
