// Hard rows add no kinetic energy to what joints hold together: warm starts that would are scaled, others are
// left alone; what a sub-step added all the same is taken back.
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

// A chain of balls through random places; impulses of up to `size` N s.
static joint_rig *random_chain(test_random *random, int bodies, float size)
{
    joint_rig *rig = joint_rig_make(0, bodies, h);
    for (int i = 1; i <= bodies; ++i) {
        rig_set_random(&rig->rig, i, random);
    }
    for (int i = 1; i < bodies; ++i) {
        int joint = joint_rig_add(rig, i, i + 1);
        joint_rig_ball_at(rig, joint, test_random_vec3(random, 1.0f));
        for (int k = 0; k < 3; ++k) {
            rig->impulses[joint][k] = test_random_float(random, -size, size);
        }
    }
    return rig;
}

// What the kept impulses would do to the energy, applied in full.
static double gain_of(const joint_rig *rig)
{
    sn_solver_velocity change[32] = {0};
    for (int i = 0; i < rig->joints.count; ++i) {
        for (int k = 0; k < rig->given[i].count; ++k) {
            const sn_row *row = &rig->given[i].rows[k];
            for (int e = 0; e < 2; ++e) {
                int body = rig->inputs[i].ends[e].body;
                float impulse = rig->impulses[i][k];
                rig_put(change[body].linear,
                        sn_add_scaled(rig_take(change[body].linear), impulse, row->linear[e]));
                rig_put(change[body].angular,
                        sn_add_scaled(rig_take(change[body].angular), impulse, row->angular[e]));
            }
        }
    }
    double gain = 0.0;
    const sn_solver *solver = &rig->rig.solver;
    for (int i = solver->dynamic_begin; i < solver->body_count; ++i) {
        sn_vec3 p = rig_take(change[i].linear), l = rig_take(change[i].angular);
        sn_vec3 v = sn_mul(solver->bodies[i].inverse_mass, p);
        sn_vec3 w = sn_sym3_apply(sn_solver_inertia_matrix(&solver->inertias[i]), l);
        gain += (double)sn_dot(p, sn_add_scaled(rig_linear(&rig->rig, i), 0.5f, v));
        gain += (double)sn_dot(l, sn_add_scaled(rig_angular(&rig->rig, i), 0.5f, w));
    }
    return gain;
}

static float kept_part(const joint_rig *rig)
{
    return joint_rig_held(rig, 0)->impulse.lane[0] / rig->impulses[rig->joints.members[0].input][0];
}

// The part that is taken leaves the energy as it was, or nothing is.
static void test_a_warm_start_that_would_add_energy_is_scaled_to_add_none_within_1e_5(void **state)
{
    (void)state;
    test_random random = {1};
    int partly = 0, nothing = 0;
    for (int round = 0; round < 200; ++round) {
        joint_rig *rig = random_chain(&random, 2 + round % 6, 3.0f);
        double before = joint_rig_momenta(rig).energy, gain = gain_of(rig);
        joint_rig_begin(rig);
        double after = joint_rig_momenta(rig).energy;
        float part = kept_part(rig);
        if (gain > 0.1) {
            assert_true(part < 1.0f && part >= 0.0f);
            assert_near((float)(after - before), 0.0f, 1e-5 * before);
            partly += part > 0.0f ? 1 : 0;
            nothing += part == 0.0f ? 1 : 0;
        } else if (gain < -0.1) {
            assert_near((float)(after - before), (float)gain, 1e-5 * before);
        }
        assert_true(after <= before * (1.0 + 1e-5) + 1e-3);
        joint_rig_free(rig);
    }
    assert_true(partly > 10 && nothing > 10);
}

// All impulses of an island by one factor: momenta are kept.
static void test_scaling_keeps_momenta_within_1e_6(void **state)
{
    (void)state;
    test_random random = {2};
    for (int round = 0; round < 50; ++round) {
        joint_rig *rig = random_chain(&random, 4, 10.0f);
        test_momenta before = joint_rig_momenta(rig);
        joint_rig_begin(rig);
        test_momenta after = joint_rig_momenta(rig);
        for (int k = 0; k < 3; ++k) {
            assert_near((float)after.linear[k], (float)before.linear[k], 1e-6 * 30.0);
            assert_near((float)after.angular[k], (float)before.angular[k], 1e-6 * 60.0);
        }
        joint_rig_free(rig);
    }
}

// A chain that hangs: gravity has given every link g h, the impulses take it back.
static void test_what_hangs_at_rest_is_not_touched(void **state)
{
    (void)state;
    enum { LINKS = 10 };
    const float gravity = 10.0f;
    joint_rig *rig = joint_rig_make(0, LINKS, h);
    for (int i = 1; i <= LINKS; ++i) {
        rig_set_ball(&rig->rig, i, 1.0f, 0.1f);
        rig->rig.solver.bodies[i].center = sn_v(0.0f, -(float)i, 0.0f);
        rig_set_velocity(&rig->rig, i, sn_v(0.0f, -gravity * h, 0.0f), zero);
        int joint = joint_rig_add(rig, i - 1, i);
        joint_rig_ball_at(rig, joint, sn_v(0.0f, 0.5f - (float)i, 0.0f));
        rig->impulses[joint][1] = (float)(LINKS + 1 - i) * gravity * h;
    }
    joint_rig_begin(rig);
    sn_joints_store(&rig->joints);
    for (int i = 1; i <= LINKS; ++i) {
        assert_true(rig->impulses[i - 1][1] == (float)(LINKS + 1 - i) * gravity * h);
        assert_near(rig_linear(&rig->rig, i).y, 0.0f, 1e-6);
    }
    joint_rig_free(rig);
}

// Two pairs: one brakes, one would be driven. What happens to one does not matter to the other.
static void test_islands_are_independent(void **state)
{
    (void)state;
    joint_rig *rig = joint_rig_make(1, 4, h);
    for (int i = 2; i <= 5; ++i) {
        rig_set_ball(&rig->rig, i, 2.0f, 1.0f);
    }
    for (int k = 0; k < 2; ++k) {
        int joint = joint_rig_add(rig, 2 + 2 * k, 3 + 2 * k);
        (void)joint_rig_row(rig, joint, SN_ROW_EQUAL, 0.0f);
        rig->impulses[joint][0] = 2.0f;
    }
    // What cannot move does not join islands: all are held by the world and by a kinematic body.
    for (int i = 2; i <= 5; ++i) {
        (void)joint_rig_row(rig, joint_rig_add(rig, i % 2, i), SN_ROW_SPEED, 0.0f);
        rig->given[rig->joints.count - 1].rows[0].lower = rig->given[rig->joints.count - 1].rows[0].upper =
            0.0f;
    }
    rig_set_velocity(&rig->rig, 2, sn_v(5.0f, 0.0f, 0.0f), zero);
    joint_rig_begin(rig);
    // The first one has work to do, the second would start from rest.
    assert_near(rig_linear(&rig->rig, 2).x, 4.0f, 1e-6);
    assert_near(rig_linear(&rig->rig, 3).x, 1.0f, 1e-6);
    assert_true(rig_linear(&rig->rig, 4).x == 0.0f && rig_linear(&rig->rig, 5).x == 0.0f);
    sn_joints_store(&rig->joints);
    assert_true(rig->impulses[0][0] == 2.0f && rig->impulses[1][0] == 0.0f);
    joint_rig_free(rig);
}

// Its impulses share a factor.
static void test_what_joints_connect_is_one_island(void **state)
{
    (void)state;
    joint_rig *rig = joint_rig_make(0, 3, h);
    for (int i = 1; i <= 3; ++i) {
        rig_set_ball(&rig->rig, i, 2.0f, 1.0f);
    }
    for (int k = 0; k < 2; ++k) {
        int joint = joint_rig_add(rig, 1 + k, 2 + k);
        (void)joint_rig_row(rig, joint, SN_ROW_EQUAL, 0.0f);
        rig->impulses[joint][0] = 2.0f;
    }
    rig_set_velocity(&rig->rig, 1, sn_v(0.5f, 0.0f, 0.0f), zero);
    double before = joint_rig_momenta(rig).energy;
    joint_rig_begin(rig);
    // s a + ½ s² b = 0 with a = −2 · 0.5 and b = 2 · 2²/2: s = ½, of impulses of 2.
    assert_near((float)joint_rig_momenta(rig).energy, (float)before, 1e-6);
    sn_joints_store(&rig->joints);
    assert_near(rig->impulses[0][0], 1.0f, 1e-6);
    assert_near(rig->impulses[1][0], 1.0f, 1e-6);
    joint_rig_free(rig);
}

// Springs, stops and motors may put energy in; they do their work in full.
static void test_springs_stops_and_motors_are_not_scaled(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; ++kind) {
        joint_rig *rig = joint_rig_make(0, 1, h);
        rig_set_ball(&rig->rig, 1, 2.0f, 1.0f);
        int joint = joint_rig_add(rig, 0, 1);
        sn_row *row = joint_rig_row(
            rig, joint, kind == 0 ? SN_ROW_EQUAL : (kind == 1 ? SN_ROW_ABOVE : SN_ROW_SPEED), 0.0f);
        row->compliance = kind == 0 ? 1.0e-3f : 0.0f;
        row->value = kind == 0 ? -3.0f * row->compliance / h : 0.0f; // stretched for just this impulse
        rig->impulses[joint][0] = 3.0f;
        joint_rig_begin(rig);
        assert_near(rig_linear(&rig->rig, 1).x, 1.5f, 1e-6);
        joint_rig_free(rig);
    }
}

// What damping gave in the last sub-step is not given again.
static void test_a_spring_begins_with_no_more_than_the_force_of_its_stretch(void **state)
{
    (void)state;
    const float stretched[] = {0.0f, 1.0f, -2.0f}, expected[] = {0.0f, 0.5f, 0.0f};
    for (int k = 0; k < 3; ++k) {
        joint_rig *rig = joint_rig_make(0, 1, h);
        rig_set_ball(&rig->rig, 1, 2.0f, 1.0f);
        int joint = joint_rig_add(rig, 0, 1);
        sn_row *row = joint_rig_row(rig, joint, SN_ROW_EQUAL, -stretched[k] * 1.0e-3f / h);
        row->compliance = 1.0e-3f;
        row->damping = 100.0f;
        rig->impulses[joint][0] = 3.0f;
        joint_rig_begin(rig);
        assert_near(rig_linear(&rig->rig, 1).x, expected[k], 1e-6);
        joint_rig_free(rig);
    }
}

// Of one joint hard rows are scaled, its spring is not.
static void test_of_a_joint_with_a_spring_hard_rows_alone_are_scaled(void **state)
{
    (void)state;
    joint_rig *rig = joint_rig_make(0, 1, h);
    rig_set_ball(&rig->rig, 1, 2.0f, 1.0f);
    int joint = joint_rig_add(rig, 0, 1);
    for (int k = 0; k < 2; ++k) {
        joint_rig_row(rig, joint, SN_ROW_EQUAL, 0.0f)->linear[1] = rig_axis(k);
        rig->impulses[joint][k] = 3.0f;
    }
    rig->given[joint].rows[1].compliance = 1.0e-3f;
    rig->given[joint].rows[1].value = -3.0e-3f / h;
    joint_rig_begin(rig);
    assert_vec3_near(rig_linear(&rig->rig, 1), sn_v(0.0f, 1.5f, 0.0f), 1e-6);
    sn_joints_store(&rig->joints);
    assert_near(rig->impulses[joint][0], 0.0f, 1e-6);
    assert_near(rig->impulses[joint][1], 3.0f, 1e-6);
    joint_rig_free(rig);
}

// --- taking back ---------------------------------------------------------------------------------

// Two joints of three bodies at different velocities, and one of another two, with these balances.
static joint_rig *make_owing(const float balances[3])
{
    joint_rig *rig = joint_rig_make(0, 5, h);
    for (int i = 1; i <= 5; ++i) {
        rig_set_ball(&rig->rig, i, 2.0f, 1.0f);
    }
    for (int k = 0; k < 3; ++k) {
        int joint = joint_rig_add(rig, k < 2 ? 1 + k : 4, k < 2 ? 2 + k : 5);
        (void)joint_rig_row(rig, joint, SN_ROW_EQUAL, 0.0f);
    }
    joint_rig_begin(rig);
    for (int i = 1; i <= 5; ++i) {
        rig_set_velocity(&rig->rig, i, sn_v(0.0f, (float)(i % 2) * 4.0f, 0.0f), zero);
    }
    for (int b = 0; b < rig->joints.block_count; ++b) {
        sn_joint_block *block = &rig->joints.pass.blocks[b];
        for (int lane = 0; lane < SN_LANES && block->group[lane] >= 0; ++lane) {
            block->balance.lane[lane] = balances[rig->joints.members[block->group[lane]].input];
        }
    }
    return rig;
}

// What an island's joints gave in sum is taken, from those that gave.
static void test_what_a_sub_step_added_is_taken_back_by_islands_within_1e_5(void **state)
{
    (void)state;
    const struct {
        float balances[3];
        double taken;
    } cases[] = {{{0.0f, 0.0f, 0.0f}, 0.0},    {{1.0f, 0.0f, 0.0f}, 1.0},  {{1.0f, 2.0f, 0.0f}, 3.0},
                 {{2.0f, -1.0f, 0.0f}, 1.0},   {{1.0f, -2.0f, 0.0f}, 0.0}, {{1.0f, -2.0f, 1.5f}, 1.5},
                 {{-1.0f, -1.0f, -1.0f}, 0.0}, {{NAN, 1.0f, 1.0f}, 1.0},   {{INFINITY, 0.0f, 0.0f}, 0.0},
                 {{1.0f, 0.0f, INFINITY}, 1.0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        joint_rig *rig = make_owing(cases[i].balances);
        test_momenta before = joint_rig_momenta(rig);
        sn_joints_finish_sub_step(&rig->joints);
        test_momenta after = joint_rig_momenta(rig);
        assert_near((float)(before.energy - after.energy), (float)cases[i].taken, 1e-5);
        for (int k = 0; k < 3; ++k) {
            assert_near((float)after.linear[k], (float)before.linear[k], 1e-5);
            assert_near((float)after.angular[k], (float)before.angular[k], 1e-5);
        }
        joint_rig_free(rig);
    }
}

// More than the motion holds is owed; then no joint gives, and bodies move again.
static void test_what_is_still_owed_is_taken_in_the_next_sub_step(void **state)
{
    (void)state;
    joint_rig *rig = make_owing((const float[]){1.0e3f, 0.0f, 0.0f});
    sn_joints_finish_sub_step(&rig->joints);
    for (int b = 0; b < rig->joints.block_count; ++b) {
        for (int lane = 0; lane < SN_LANES; ++lane) {
            rig->joints.pass.blocks[b].balance.lane[lane] = 0.0f;
        }
    }
    for (int i = 1; i <= 5; ++i) {
        rig_set_velocity(&rig->rig, i, sn_v(0.0f, (float)(i % 2) * 4.0f, 0.0f), zero);
    }
    test_momenta before = joint_rig_momenta(rig);
    sn_joints_finish_sub_step(&rig->joints);
    test_momenta after = joint_rig_momenta(rig);
    assert_true(after.energy < 0.9 * before.energy);
    for (int k = 0; k < 3; ++k) {
        assert_near((float)after.linear[k], (float)before.linear[k], 1e-5);
        assert_near((float)after.angular[k], (float)before.angular[k], 1e-5);
    }
    joint_rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_a_warm_start_that_would_add_energy_is_scaled_to_add_none_within_1e_5),
        test_with_memory(test_scaling_keeps_momenta_within_1e_6),
        test_with_memory(test_what_hangs_at_rest_is_not_touched),
        test_with_memory(test_islands_are_independent),
        test_with_memory(test_what_joints_connect_is_one_island),
        test_with_memory(test_springs_stops_and_motors_are_not_scaled),
        test_with_memory(test_a_spring_begins_with_no_more_than_the_force_of_its_stretch),
        test_with_memory(test_of_a_joint_with_a_spring_hard_rows_alone_are_scaled),
        test_with_memory(test_what_a_sub_step_added_is_taken_back_by_islands_within_1e_5),
        test_with_memory(test_what_is_still_owed_is_taken_in_the_next_sub_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
