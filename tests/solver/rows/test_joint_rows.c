// Rows of constraints in the velocity solver: each force law against its closed form.
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

static sn_row *add_row(joint_rig *rig, sn_row_type type, float value)
{
    return joint_rig_row(rig, 0, type, value);
}

static void set_speed(joint_rig *rig, int body, float speed)
{
    rig_set_velocity(&rig->rig, body, sn_v(speed, 0.0f, 0.0f), zero);
}

static float speed_of(const joint_rig *rig, int body)
{
    return rig_linear(&rig->rig, body).x;
}

// --- held rows -----------------------------------------------------------------------------------

// ΔΛ = −(v + bias)/(κ + γ), with the softness of hard constraints.
static void test_a_hard_row_moves_towards_zero_by_its_soft_law_within_1e_5(void **state)
{
    (void)state;
    joint_rig *rig = bench_make(0, 1);
    (void)add_row(rig, SN_ROW_EQUAL, 0.01f);
    set_speed(rig, 1, 0.5f);
    joint_rig_begin(rig);
    joint_rig_solve(rig);
    sn_softness soft = sn_softness_make(0.25f, 2.0f, h);
    double kappa = 0.5, gamma = kappa * (double)soft.inverse_a2;
    double impulse = -(0.5 + (double)soft.bias_rate * 0.01) / (kappa + gamma);
    assert_near(joint_rig_held(rig, 0)->impulse.lane[0], (float)impulse, 1e-5 * fabs(impulse));
    assert_near(speed_of(rig, 1), (float)(0.5 + 0.5 * impulse), 1e-5);
    joint_rig_free(rig);
}

// Backward Euler of m ẍ = −k x − d ẋ: v' = (v − h k x/m)/(1 + h d/m + h² k/m), in one solve.
static void test_an_elastic_row_is_an_implicit_spring_within_1e_5(void **state)
{
    (void)state;
    const double stiffnesses[] = {1.0, 1.0e3, 1.0e6, 1.0e9}, dampings[] = {0.0, 10.0, 1.0e4};
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 3; ++j) {
            double k = stiffnesses[i], d = dampings[j], m = 2.0, x = 0.03, v = 1.5, dt = (double)h;
            joint_rig *rig = bench_make(0, 1);
            sn_row *row = add_row(rig, SN_ROW_EQUAL, (float)x);
            row->compliance = (float)(1.0 / k);
            row->damping = (float)d;
            set_speed(rig, 1, (float)v);
            joint_rig_begin(rig);
            joint_rig_solve(rig);
            double expected = (v - dt * k * x / m) / (1.0 + dt * d / m + dt * dt * k / m);
            double tolerance = 1e-5 * fmax(1.0, fabs(expected));
            assert_near(speed_of(rig, 1), (float)expected, tolerance);
            // Solved already: more sweeps change nothing, and relaxing leaves it alone.
            joint_rig_solve(rig);
            assert_near(speed_of(rig, 1), (float)expected, 2.0 * tolerance);
            float kept = speed_of(rig, 1);
            joint_rig_relax(rig);
            assert_true(speed_of(rig, 1) == kept);
            joint_rig_free(rig);
        }
    }
}

// A spring and a damper at once, with the last sub-step's impulse: the result is the same as without one.
static void test_a_spring_does_not_care_where_its_impulse_starts(void **state)
{
    (void)state;
    float speeds[2];
    for (int i = 0; i < 2; ++i) {
        joint_rig *rig = bench_make(1, 2);
        sn_row *row = add_row(rig, SN_ROW_EQUAL, -0.05f);
        row->compliance = 1.0e-4f;
        row->damping = 20.0f;
        set_speed(rig, 2, 1.0f);
        rig->impulses[0][0] = i == 0 ? 0.0f : 0.7f;
        joint_rig_begin(rig);
        joint_rig_solve(rig);
        speeds[i] = speed_of(rig, 2);
        joint_rig_free(rig);
    }
    assert_near(speeds[0], speeds[1], 1e-6);
}

static void test_relaxing_removes_the_speed_of_a_hard_row_without_its_bias(void **state)
{
    (void)state;
    joint_rig *rig = bench_make(1, 2);
    (void)add_row(rig, SN_ROW_EQUAL, 5.0f);
    rig_set_velocity(&rig->rig, 2, sn_v(4.0f, 1.0f, -2.0f), zero);
    joint_rig_begin(rig);
    joint_rig_relax(rig);
    float common = 4.0f * 3.0f / 5.0f;
    assert_vec3_near(rig_linear(&rig->rig, 1), sn_v(common, 0.0f, 0.0f), 1e-6);
    assert_vec3_near(rig_linear(&rig->rig, 2), sn_v(common, 1.0f, -2.0f), 1e-6);
    joint_rig_free(rig);
}

// --- chords --------------------------------------------------------------------------------------

// A body on a rod about the origin.
static int give_rod(const sn_row_input *input, const void *data, sn_row *rows)
{
    (void)data;
    rows[0].type = SN_ROW_EQUAL;
    rows[0].linear[1] = sn_normalize(input->center[1]);
    return 1;
}

// On a circle of radius 1 about the origin, at the given speed.
static joint_rig *make_circle(float speed)
{
    joint_rig *rig = bench_make(0, 1);
    rig->inputs[0].evaluate = give_rod;
    rig->rig.solver.bodies[1].center = sn_v(1.0f, 0.0f, 0.0f);
    rig_set_velocity(&rig->rig, 1, sn_v(0.0f, speed, 0.0f), zero);
    return rig;
}

// Speed v on a circle of radius 1 turns inwards by v²h a sub-step: a chord leaves a point of the circle
// inwards by half of that, and arrives outwards by as much.
static void test_a_row_that_turns_goes_from_chord_to_chord_within_1_per_mille(void **state)
{
    (void)state;
    const float speed = 5.0f, outwards = 0.5f * speed * speed * h;
    joint_rig *rig = make_circle(speed);
    joint_rig_begin(rig);
    joint_rig_solve(rig);
    sn_softness soft = sn_softness_make(0.25f, 2.0f, h);
    assert_near(speed_of(rig, 1), -outwards * soft.mass_scale, 1e-3 * (double)outwards);
    // What comes in outwards, as after a straight sub-step, leaves as the chord arrives.
    rig_set_velocity(&rig->rig, 1, sn_v(2.0f * outwards, speed, 0.0f), zero);
    joint_rig_relax(rig);
    assert_near(speed_of(rig, 1), outwards, 1e-3 * (double)outwards);
    assert_near(rig_linear(&rig->rig, 1).y, speed, 1e-5);
    joint_rig_free(rig);
}

// A chord's speed needs energy: with none along the row there is none to aim at.
static void test_relaxing_never_adds_energy(void **state)
{
    (void)state;
    const float approaches[] = {0.0f, 0.01f, -0.01f, 0.5f, -0.5f};
    for (int i = 0; i < 5; ++i) {
        joint_rig *rig = make_circle(40.0f);
        joint_rig_begin(rig);
        rig_set_velocity(&rig->rig, 1, sn_v(approaches[i], 40.0f, 0.0f), zero);
        double before = joint_rig_momenta(rig).energy;
        joint_rig_relax(rig);
        assert_true(joint_rig_momenta(rig).energy <= before * (1.0 + 1e-6));
        assert_true(sn_abs(speed_of(rig, 1)) <= sn_abs(approaches[i]) + 1e-5f);
        joint_rig_free(rig);
    }
}

static void test_a_staggered_step_has_no_chords(void **state)
{
    (void)state;
    joint_rig *rig = make_circle(5.0f);
    rig->rig.solver.settings.type = SN_SOLVER_STAGGERED;
    rig->rig.solver.settings.staggered = (sn_staggered){.correction = 0.1f, .warm_start = 0.9f};
    rig->rig.solver.settings.laws = sn_laws_of(&rig->rig.solver.settings);
    joint_rig_begin(rig);
    joint_rig_solve(rig);
    assert_near(speed_of(rig, 1), 0.0f, 1e-6);
    joint_rig_free(rig);
}

// --- frames of nodes -----------------------------------------------------------------------------

// Turned back by at most a fiftieth of a radian a sub-step; places and springs have no such limit.
static void test_a_frame_of_nodes_is_turned_back_by_a_fiftieth_of_a_radian_at_most(void **state)
{
    (void)state;
    const struct {
        float value, compliance;
        bool turns, has_frame, is_limited;
    } cases[] = {{2.0f, 0.0f, true, true, true},     {-2.0f, 0.0f, true, true, true},
                 {0.05f, 0.0f, true, true, false},   {2.0f, 0.0f, false, true, false},
                 {2.0f, 1.0e-2f, true, true, false}, {2.0f, 0.0f, true, false, false}};
    sn_softness soft = sn_softness_make(0.25f, 2.0f, h);
    for (int i = 0; i < 6; ++i) {
        joint_rig *rig = bench_make(0, 1);
        sn_row *row = add_row(rig, SN_ROW_EQUAL, cases[i].value);
        row->compliance = cases[i].compliance;
        if (cases[i].turns) {
            row->linear[0] = row->linear[1] = zero;
            row->angular[1] = sn_v(0.0f, 0.0f, 1.0f);
        }
        if (cases[i].has_frame) {
            joint_rig_nodes(rig, 3);
            rig->inputs[0].ends[1] = (sn_solver_end){.node_count = 3,
                                                     .nodes = {1, 2, 3},
                                                     .weights = {0.25f, 0.25f, 0.5f},
                                                     .rotation = sn_quat_identity,
                                                     .has_frame = true};
            for (int k = 1; k <= 3; ++k) {
                rig->nodes.states.data[k] =
                    (sn_node_state){.position = sn_v(k == 2, k == 3, 0.0f), .inverse_mass = 1.0f};
            }
        }
        joint_rig_begin(rig);
        float bias = joint_rig_held(rig, 0)->bias.lane[0];
        float unlimited = cases[i].compliance > 0.0f ? cases[i].value / h : soft.bias_rate * cases[i].value;
        float limited = (cases[i].value > 0.0f ? 0.02f : -0.02f) / h;
        assert_near(bias, cases[i].is_limited ? limited : unlimited, 1e-5 * (double)sn_abs(unlimited));
        joint_rig_free(rig);
    }
}

// --- single rows ---------------------------------------------------------------------------------

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
        joint_rig *rig = bench_make(0, 1);
        sn_row *row = add_row(rig, SN_ROW_SPEED, 123.0f); // its value is ignored
        row->target_speed = rows[i].target;
        row->lower = -rows[i].strength;
        row->upper = rows[i].strength;
        joint_rig_begin(rig);
        joint_rig_solve(rig);
        assert_near(speed_of(rig, 1), rows[i].expected, 1e-5);
        joint_rig_relax(rig);
        assert_near(speed_of(rig, 1), rows[i].expected, 1e-5);
        joint_rig_free(rig);
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
            joint_rig *rig = bench_make(0, 1);
            (void)add_row(rig, SN_ROW_ABOVE, gap);
            set_speed(rig, 1, rows[i].before);
            joint_rig_begin(rig);
            sn_joints_sweep(&rig->joints, relax == 0, false);
            assert_near(speed_of(rig, 1), rows[i].after, 1e-5);
            assert_true(joint_rig_single(rig, 0)->impulse.lane[0] >= 0.0f);
            joint_rig_free(rig);
        }
    }
}

// A stop that a sub-step began without touching hits once: the blow is not given again.
static void test_the_blow_of_a_stop_run_into_is_not_kept(void **state)
{
    (void)state;
    joint_rig *rig = bench_make(0, 1);
    sn_row *row = add_row(rig, SN_ROW_ABOVE, 0.001f);
    set_speed(rig, 1, -10.0f);
    joint_rig_begin(rig);
    joint_rig_solve(rig);
    assert_true(joint_rig_single(rig, 0)->impulse.lane[0] > 1.0f);
    row->value = 0.0f; // where it is now
    sn_joints_refresh(&rig->joints, false);
    joint_rig_relax(rig);
    assert_true(joint_rig_single(rig, 0)->impulse.lane[0] == 0.0f);
    // Pressed against it from now on, it keeps what holds.
    set_speed(rig, 1, -1.0f);
    sn_joints_refresh(&rig->joints, false);
    joint_rig_relax(rig);
    assert_near(joint_rig_single(rig, 0)->impulse.lane[0], 2.0f, 1e-5);
    joint_rig_free(rig);
}

// Pushed out by at most push_speed, softly.
static void test_a_violated_limit_pushes_no_faster_than_told_within_1e_5(void **state)
{
    (void)state;
    joint_rig *rig = bench_make(0, 1);
    (void)add_row(rig, SN_ROW_ABOVE, -1.0f);
    joint_rig_begin(rig);
    joint_rig_solve(rig);
    sn_softness soft = sn_softness_make(0.25f, 2.0f, h);
    assert_near(speed_of(rig, 1), 3.0f * soft.mass_scale, 1e-5);
    for (int i = 0; i < 50; ++i) {
        joint_rig_solve(rig);
        assert_true(speed_of(rig, 1) <= 3.0f + 1e-5f);
    }
    joint_rig_free(rig);
}

// An elastic stop that is reached is a spring that only pushes: the closed form of one, or nothing.
static void test_an_elastic_limit_is_a_spring_that_only_pushes_within_1e_5(void **state)
{
    (void)state;
    const double k = 1.0e4, m = 2.0, x = -0.01, dt = (double)h;
    const double speeds[] = {0.0, -3.0, 3.0};
    for (int i = 0; i < 3; ++i) {
        joint_rig *rig = bench_make(0, 1);
        add_row(rig, SN_ROW_ABOVE, (float)x)->compliance = (float)(1.0 / k);
        set_speed(rig, 1, (float)speeds[i]);
        joint_rig_begin(rig);
        joint_rig_solve(rig);
        double expected = (speeds[i] - dt * k * x / m) / (1.0 + dt * dt * k / m);
        assert_near(speed_of(rig, 1), (float)fmax(expected, speeds[i]), 1e-5);
        joint_rig_relax(rig);
        assert_near(speed_of(rig, 1), (float)fmax(expected, speeds[i]), 1e-5);
        joint_rig_free(rig);
    }
}

static void test_a_hard_row_of_limited_force_pulls_no_harder(void **state)
{
    (void)state;
    joint_rig *rig = bench_make(0, 1);
    sn_row *row = add_row(rig, SN_ROW_EQUAL, 0.0f);
    row->lower = -720.0f;
    row->upper = 1440.0f;
    set_speed(rig, 1, 10.0f);
    joint_rig_begin(rig);
    for (int i = 0; i < 5; ++i) {
        joint_rig_solve(rig);
        joint_rig_relax(rig);
    }
    assert_near(speed_of(rig, 1), 9.5f, 1e-5); // 1 N s on 2 kg
    assert_near(joint_rig_single(rig, 0)->impulse.lane[0], -1.0f, 1e-6);
    joint_rig_free(rig);
}

static void test_kept_impulses_beyond_new_limits_are_cut(void **state)
{
    (void)state;
    const float kept[] = {50.0f, -50.0f}, expected[] = {2.0f, -1.0f};
    for (int i = 0; i < 2; ++i) {
        joint_rig *rig = bench_make(0, 1);
        sn_row *row = add_row(rig, SN_ROW_EQUAL, 0.0f);
        row->lower = -720.0f;
        row->upper = 1440.0f;
        rig->impulses[0][0] = kept[i];
        joint_rig_begin(rig);
        assert_near(joint_rig_single(rig, 0)->impulse.lane[0], expected[i], 1e-6);
        assert_near(speed_of(rig, 1), 0.5f * expected[i], 1e-6);
        joint_rig_free(rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_a_hard_row_moves_towards_zero_by_its_soft_law_within_1e_5),
        test_with_memory(test_an_elastic_row_is_an_implicit_spring_within_1e_5),
        test_with_memory(test_a_spring_does_not_care_where_its_impulse_starts),
        test_with_memory(test_relaxing_removes_the_speed_of_a_hard_row_without_its_bias),
        test_with_memory(test_a_row_that_turns_goes_from_chord_to_chord_within_1_per_mille),
        test_with_memory(test_relaxing_never_adds_energy),
        test_with_memory(test_a_staggered_step_has_no_chords),
        test_with_memory(test_a_frame_of_nodes_is_turned_back_by_a_fiftieth_of_a_radian_at_most),
        test_with_memory(test_a_speed_row_reaches_its_target_or_its_strength),
        test_with_memory(test_an_open_limit_lets_come_as_close_as_touching_and_never_pulls),
        test_with_memory(test_the_blow_of_a_stop_run_into_is_not_kept),
        test_with_memory(test_a_violated_limit_pushes_no_faster_than_told_within_1e_5),
        test_with_memory(test_an_elastic_limit_is_a_spring_that_only_pushes_within_1e_5),
        test_with_memory(test_a_hard_row_of_limited_force_pulls_no_harder),
        test_with_memory(test_kept_impulses_beyond_new_limits_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
