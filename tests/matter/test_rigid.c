// A single rigid body: symmetric matrices against full ones, locked axes, and free rotation.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "matter/rigid.h"
#include "support/manifold_check.h"
#include "support/random.h"

// --- symmetric matrices --------------------------------------------------------------------------

static sn_mat3 full(sn_sym3 m)
{
    sn_mat3 r = {{m.xx, m.xy, m.xz}, {m.xy, m.yy, m.yz}, {m.xz, m.yz, m.zz}};
    return r;
}

static void assert_mat3_near(sn_mat3 actual, sn_mat3 expected, float tolerance)
{
    assert_vec3_near(actual.x, expected.x, tolerance);
    assert_vec3_near(actual.y, expected.y, tolerance);
    assert_vec3_near(actual.z, expected.z, tolerance);
}

// Principal moments within `ratio` of each other, turned at random: an inertia.
static sn_sym3 random_inertia(test_random *random, float ratio)
{
    float x = test_random_float(random, 1.0f, ratio);
    float y = test_random_float(random, 1.0f, ratio);
    float z = test_random_float(random, 1.0f, ratio);
    sn_mat3 r = sn_mat3_from_quat(test_random_rotation(random));
    sn_mat3 turned = sn_mat3_multiply(sn_mat3_multiply(r, sn_mat3_diagonal(x, y, z)), sn_mat3_transpose(r));
    return sn_sym3_from(turned);
}

static void test_a_symmetric_matrix_applies_like_the_full_one_to_the_bit(void **state)
{
    (void)state;
    test_random random = {1};
    for (int i = 0; i < 1000; ++i) {
        sn_sym3 m = random_inertia(&random, 10.0f);
        sn_vec3 v = test_random_vec3(&random, 3.0f);
        assert_vec3_near(sn_sym3_apply(m, v), sn_mat3_apply(full(m), v), 0.0);
    }
}

static void test_the_symmetric_part_of_any_matrix_is_taken(void **state)
{
    (void)state;
    test_random random = {2};
    for (int i = 0; i < 1000; ++i) {
        sn_mat3 m = {test_random_vec3(&random, 1.0f), {0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
        m.y = test_random_vec3(&random, 1.0f);
        m.z = test_random_vec3(&random, 1.0f);
        sn_mat3 part = sn_mat3_scale(sn_mat3_add(m, sn_mat3_transpose(m)), 0.5f);
        assert_mat3_near(full(sn_sym3_from(m)), part, 1e-7f);
    }
}

static void test_turning_is_r_m_r_transposed_within_1e_6(void **state)
{
    (void)state;
    test_random random = {3};
    for (int i = 0; i < 1000; ++i) {
        sn_sym3 m = random_inertia(&random, 2.0f);
        sn_quat q = test_random_rotation(&random);
        sn_vec3 v = test_random_direction(&random);
        sn_vec3 expected = sn_rotate(q, sn_mat3_apply(full(m), sn_rotate_inverse(q, v)));
        assert_vec3_near(sn_sym3_apply(sn_sym3_turned(m, q), v), expected, 2e-6);
    }
}

// Pebbles (1e-12 kg m²) and planets of inertia alike.
static void test_the_inverse_undoes_the_matrix_within_1e_4_at_any_scale(void **state)
{
    (void)state;
    test_random random = {4};
    const float scales[] = {1.0e-15f, 1.0e-6f, 1.0f, 1.0e6f, 1.0e18f};
    for (int i = 0; i < 5000; ++i) {
        float scale = scales[i % 5];
        sn_sym3 m = random_inertia(&random, 50.0f);
        m = (sn_sym3){m.xx * scale, m.yy * scale, m.zz * scale, m.xy * scale, m.xz * scale, m.yz * scale};
        sn_mat3 product = sn_mat3_multiply(full(m), full(sn_sym3_inverse(m)));
        assert_mat3_near(product, sn_mat3_diagonal(1.0f, 1.0f, 1.0f), 1e-4f);
    }
}

static void test_a_singular_matrix_has_zeros_for_an_inverse(void **state)
{
    (void)state;
    const sn_sym3 singular[] = {{0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f},
                                {1.0f, 1.0f, 0.0f, 0.0f, 0.0f, 0.0f},
                                {1.0f, 1.0f, 1.0f, 1.0f, 0.0f, 0.0f},
                                {4.0f, 1.0f, 3.0f, 2.0f, 0.0f, 0.0f}};
    for (int i = 0; i < 4; ++i) {
        assert_mat3_near(full(sn_sym3_inverse(singular[i])), sn_mat3_diagonal(0.0f, 0.0f, 0.0f), 0.0f);
    }
}

// --- locks ---------------------------------------------------------------------------------------

// The response to a unit torque, by solving I ω = τ + r over the free axes in double, r the torques of the
// locks.
static void solve_with_locks(sn_mat3 inertia, uint32_t locks, int axis, double omega[3])
{
    double m[3][4] = {{inertia.x.x, inertia.y.x, inertia.z.x, axis == 0},
                      {inertia.x.y, inertia.y.y, inertia.z.y, axis == 1},
                      {inertia.x.z, inertia.y.z, inertia.z.z, axis == 2}};
    for (int i = 0; i < 3; ++i) {
        if (locks >> (3 + i) & 1u) {
            for (int k = 0; k < 4; ++k) {
                m[i][k] = k == i ? 1.0 : 0.0; // ω_i = 0
            }
        }
    }
    for (int i = 0; i < 3; ++i) {
        for (int row = 0; row < 3; ++row) {
            double factor = row == i ? 0.0 : m[row][i] / m[i][i];
            for (int k = 0; k < 4; ++k) {
                m[row][k] -= factor * m[i][k];
            }
        }
    }
    for (int i = 0; i < 3; ++i) {
        omega[i] = m[i][3] / m[i][i];
    }
}

static void test_locked_axes_do_not_turn_and_free_ones_do_as_if_held_there_within_1e_5(void **state)
{
    (void)state;
    test_random random = {5};
    for (int i = 0; i < 800; ++i) {
        uint32_t locks = (uint32_t)(i % 8) << 3;
        sn_sym3 inertia = random_inertia(&random, 5.0f);
        sn_quat q = test_random_rotation(&random);
        sn_mat3 response = full(sn_inverse_inertia(inertia, q, locks));
        const sn_vec3 columns[3] = {response.x, response.y, response.z};
        for (int axis = 0; axis < 3; ++axis) {
            double omega[3];
            solve_with_locks(full(sn_sym3_turned(inertia, q)), locks, axis, omega);
            assert_vec3_near(columns[axis], sn_v((float)omega[0], (float)omega[1], (float)omega[2]), 1e-5);
        }
    }
}

static sn_body unit_body(sn_rigid_type type)
{
    sn_body body = {.type = type,
                    .rotation = sn_quat_identity,
                    .mass = 4.0f,
                    .inertia = sn_mat3_diagonal(2.0f, 4.0f, 5.0f)};
    return body;
}

static void test_a_dynamic_body_responds_by_its_inverse_mass_on_free_axes(void **state)
{
    (void)state;
    for (uint32_t locks = 0; locks < 64; ++locks) {
        sn_body body = unit_body(SN_DYNAMIC);
        body.locks = locks;
        sn_response r = sn_body_response(&body);
        assert_true(r.inverse_mass.x == (locks & SN_LOCK_X ? 0.0f : 0.25f));
        assert_true(r.inverse_mass.y == (locks & SN_LOCK_Y ? 0.0f : 0.25f));
        assert_true(r.inverse_mass.z == (locks & SN_LOCK_Z ? 0.0f : 0.25f));
        assert_near(r.inverse_inertia.xx, locks & SN_LOCK_ROTATION_X ? 0.0f : 0.5f, 1e-7);
        assert_near(r.inverse_inertia.yy, locks & SN_LOCK_ROTATION_Y ? 0.0f : 0.25f, 1e-7);
        assert_near(r.inverse_inertia.zz, locks & SN_LOCK_ROTATION_Z ? 0.0f : 0.2f, 1e-7);
    }
}

static void test_static_kinematic_and_frozen_bodies_do_not_respond(void **state)
{
    (void)state;
    sn_body bodies[3] = {unit_body(SN_STATIC), unit_body(SN_KINEMATIC), unit_body(SN_DYNAMIC)};
    bodies[2].frozen = true;
    for (int i = 0; i < 3; ++i) {
        sn_response r = sn_body_response(&bodies[i]);
        assert_vec3_near(r.inverse_mass, sn_v(0.0f, 0.0f, 0.0f), 0.0);
        assert_mat3_near(full(r.inverse_inertia), sn_mat3_diagonal(0.0f, 0.0f, 0.0f), 0.0f);
    }
}

static void test_a_placed_body_has_its_origin_there_within_1e_6(void **state)
{
    (void)state;
    test_random random = {6};
    for (int i = 0; i < 200; ++i) {
        sn_body body = unit_body(SN_DYNAMIC);
        body.local_center = test_random_vec3(&random, 1.0f);
        sn_pose pose = {test_random_vec3(&random, 2.0f), sn_quat_identity};
        pose.rotation = test_random_rotation(&random);
        sn_body_place(&body, pose);
        assert_vec3_near(sn_body_pose(&body).position, pose.position, 1e-6);
        assert_vec3_near(body.center, sn_pose_apply(pose, body.local_center), 1e-6);
    }
}

// --- rotation ------------------------------------------------------------------------------------

// Against the exponential map, over the switch between the two formulas.
static void test_turning_a_quaternion_is_exact_within_1e_6_for_any_angle(void **state)
{
    (void)state;
    test_random random = {7};
    for (int i = 0; i < 2000; ++i) {
        sn_quat q = test_random_rotation(&random);
        sn_vec3 axis = test_random_direction(&random);
        float angle = i % 2 == 0 ? test_random_float(&random, 0.0f, 0.25f) : test_random_float(&random, 0, 3);
        sn_quat turned = sn_quat_turned(q, sn_scale(axis, angle));
        sn_vec3 v = test_random_direction(&random);
        sn_vec3 expected = sn_rotate(sn_quat_axis_angle(axis, angle), sn_rotate(q, v));
        assert_vec3_near(sn_rotate(turned, v), expected, 1e-6);
        float length = turned.x * turned.x + turned.y * turned.y + turned.z * turned.z + turned.w * turned.w;
        assert_near(length, 1.0f, 5e-7);
    }
}

typedef struct spin_measure {
    double energy, momentum[3], size;
} spin_measure;

static spin_measure measure(sn_sym3 inertia, sn_quat q, sn_vec3 omega)
{
    sn_vec3 l = sn_sym3_apply(sn_sym3_turned(inertia, q), omega);
    spin_measure m = {
        0.5 * ((double)l.x * omega.x + (double)l.y * omega.y + (double)l.z * omega.z), {l.x, l.y, l.z}, 0.0};
    m.size =
        sqrt(m.momentum[0] * m.momentum[0] + m.momentum[1] * m.momentum[1] + m.momentum[2] * m.momentum[2]);
    return m;
}

static sn_spin free_spin(sn_sym3 inertia, uint32_t locks)
{
    sn_body body = unit_body(SN_DYNAMIC);
    body.inertia = full(inertia);
    body.locks = locks;
    return sn_body_spin(&body);
}

// Sub-steps as at 60 Hz, 100 s of them, spinning once or twice a second about any axis.
static void
test_free_rotation_keeps_angular_momentum_and_energy_within_1e_4_over_72000_sub_steps(void **state)
{
    (void)state;
    test_random random = {8};
    for (int round = 0; round < 6; ++round) {
        sn_sym3 inertia = random_inertia(&random, 4.0f);
        sn_quat q = test_random_rotation(&random);
        sn_vec3 omega = sn_scale(test_random_direction(&random), 10.0f);
        sn_spin spin = free_spin(inertia, 0);
        spin_measure before = measure(inertia, q, omega);
        sn_sym3 inverse;
        sn_vec3 residue = {0.0f, 0.0f, 0.0f};
        for (int i = 0; i < 72000; ++i) {
            sn_rotate_freely(&spin, 1.0f / 720.0f, &q, &omega, &residue, &inverse);
        }
        spin_measure after = measure(inertia, q, omega);
        assert_near((float)(after.size / before.size), 1.0f, 1e-4);
        assert_near((float)(after.energy / before.energy), 1.0f, 1e-4);
        for (int k = 0; k < 3; ++k) {
            assert_near((float)(after.momentum[k] / before.size), (float)(before.momentum[k] / before.size),
                        1e-4);
        }
    }
}

static void test_a_ball_turns_at_a_constant_rate_within_1e_5(void **state)
{
    (void)state;
    sn_sym3 inertia = {3.0f, 3.0f, 3.0f, 0.0f, 0.0f, 0.0f};
    sn_spin spin = free_spin(inertia, 0);
    sn_quat q = sn_quat_identity;
    sn_vec3 omega = {1.0f, -2.0f, 2.0f};
    sn_sym3 inverse;
    sn_vec3 residue = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < 720; ++i) {
        sn_rotate_freely(&spin, 1.0f / 720.0f, &q, &omega, &residue, &inverse);
    }
    assert_vec3_near(omega, sn_v(1.0f, -2.0f, 2.0f), 1e-5);
    sn_quat expected = sn_quat_axis_angle(sn_v(1.0f / 3.0f, -2.0f / 3.0f, 2.0f / 3.0f), 3.0f);
    assert_vec3_near(sn_rotate(q, sn_v(1, 0, 0)), sn_rotate(expected, sn_v(1, 0, 0)), 2e-5);
    assert_vec3_near(sn_rotate(q, sn_v(0, 1, 0)), sn_rotate(expected, sn_v(0, 1, 0)), 2e-5);
}

static void test_what_it_hands_back_is_the_inverse_inertia_at_the_new_rotation(void **state)
{
    (void)state;
    test_random random = {9};
    for (int i = 0; i < 160; ++i) {
        uint32_t locks = (uint32_t)(i % 8) << 3;
        sn_sym3 inertia = random_inertia(&random, 4.0f);
        sn_quat q = test_random_rotation(&random);
        sn_vec3 omega = test_random_vec3(&random, 20.0f);
        omega.x = locks & SN_LOCK_ROTATION_X ? 0.0f : omega.x;
        omega.y = locks & SN_LOCK_ROTATION_Y ? 0.0f : omega.y;
        omega.z = locks & SN_LOCK_ROTATION_Z ? 0.0f : omega.z;
        sn_spin spin = free_spin(inertia, locks);
        sn_sym3 inverse;
        sn_vec3 residue = {0.0f, 0.0f, 0.0f};
        sn_rotate_freely(&spin, 0.01f, &q, &omega, &residue, &inverse);
        assert_mat3_near(full(inverse), full(sn_inverse_inertia(inertia, q, locks)), 1e-5f);
        assert_true(!(locks & SN_LOCK_ROTATION_X) || omega.x == 0.0f);
        assert_true(!(locks & SN_LOCK_ROTATION_Y) || omega.y == 0.0f);
        assert_true(!(locks & SN_LOCK_ROTATION_Z) || omega.z == 0.0f);
    }
}

// Held to one axis the body is a wheel: it keeps what it has about that axis.
static void test_a_body_locked_to_one_axis_keeps_turning_about_it(void **state)
{
    (void)state;
    test_random random = {10};
    sn_sym3 inertia = random_inertia(&random, 4.0f);
    sn_quat q = test_random_rotation(&random), start = q;
    sn_vec3 omega = {0.0f, 2.0f, 0.0f};
    sn_sym3 inverse;
    sn_vec3 residue = {0.0f, 0.0f, 0.0f};
    sn_spin spin = free_spin(inertia, SN_LOCK_ROTATION_X | SN_LOCK_ROTATION_Z);
    for (int i = 0; i < 720; ++i) {
        sn_rotate_freely(&spin, 1.0f / 720.0f, &q, &omega, &residue, &inverse);
    }
    assert_vec3_near(omega, sn_v(0.0f, 2.0f, 0.0f), 1e-4);
    sn_quat expected = sn_quat_multiply(sn_quat_axis_angle(sn_v(0.0f, 1.0f, 0.0f), 2.0f), start);
    assert_vec3_near(sn_rotate(q, sn_v(1, 0, 0)), sn_rotate(expected, sn_v(1, 0, 0)), 1e-4);
}

// --- turning at once -------------------------------------------------------------------------------

static sn_vec3 momentum_of(sn_sym3 inertia, sn_quat q, sn_vec3 omega)
{
    return sn_sym3_apply(sn_sym3_turned(inertia, q), omega);
}

static void test_a_body_turned_at_once_keeps_its_angular_momentum_within_1e_6(void **state)
{
    (void)state;
    test_random random = {15};
    for (int i = 0; i < 100; ++i) {
        sn_sym3 inertia = random_inertia(&random, 10.0f);
        sn_spin spin = free_spin(inertia, 0);
        sn_quat q = test_random_rotation(&random), target = test_random_rotation(&random);
        sn_vec3 omega = test_random_vec3(&random, 5.0f), residue = sn_v(0.0f, 0.0f, 0.0f);
        sn_vec3 impulse = test_random_vec3(&random, 20.0f);
        sn_vec3 expected = sn_add(momentum_of(inertia, q, omega), impulse);
        sn_sym3 inverse;
        sn_rotate_to(&spin, target, impulse, &q, &omega, &residue, &inverse);
        assert_vec3_near(momentum_of(inertia, q, omega), expected, 1e-6 * (double)sn_length(expected) + 2e-5);
        assert_mat3_near(full(inverse), full(sn_inverse_inertia(inertia, target, 0)), 1e-6);
        assert_float_equal(sn_dot(sn_v(q.x, q.y, q.z), sn_v(target.x, target.y, target.z)) + q.w * target.w,
                           1.0f, 1e-6f);
    }
}

static void test_an_angular_impulse_on_a_locked_body_turns_it_about_its_free_axis_alone(void **state)
{
    (void)state;
    sn_sym3 inertia = {1.0f, 2.0f, 3.0f, 0.0f, 0.0f, 0.0f}, inverse;
    sn_spin spin = free_spin(inertia, SN_LOCK_ROTATION_X | SN_LOCK_ROTATION_Z);
    sn_quat q = sn_quat_identity;
    sn_vec3 omega = sn_v(0.0f, 1.0f, 0.0f), residue = sn_v(0.0f, 0.0f, 0.0f);
    sn_rotate_to(&spin, q, sn_v(5.0f, 4.0f, 3.0f), &q, &omega, &residue, &inverse);
    assert_vec3_near(omega, sn_v(0.0f, 3.0f, 0.0f), 1e-6);
    assert_float_equal(inverse.xx, 0.0f, 0.0f);
    assert_float_equal(inverse.yy, 0.5f, 1e-7f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_symmetric_matrix_applies_like_the_full_one_to_the_bit),
        cmocka_unit_test(test_the_symmetric_part_of_any_matrix_is_taken),
        cmocka_unit_test(test_turning_is_r_m_r_transposed_within_1e_6),
        cmocka_unit_test(test_the_inverse_undoes_the_matrix_within_1e_4_at_any_scale),
        cmocka_unit_test(test_a_singular_matrix_has_zeros_for_an_inverse),
        cmocka_unit_test(test_locked_axes_do_not_turn_and_free_ones_do_as_if_held_there_within_1e_5),
        cmocka_unit_test(test_a_dynamic_body_responds_by_its_inverse_mass_on_free_axes),
        cmocka_unit_test(test_static_kinematic_and_frozen_bodies_do_not_respond),
        cmocka_unit_test(test_a_placed_body_has_its_origin_there_within_1e_6),
        cmocka_unit_test(test_turning_a_quaternion_is_exact_within_1e_6_for_any_angle),
        cmocka_unit_test(
            test_free_rotation_keeps_angular_momentum_and_energy_within_1e_4_over_72000_sub_steps),
        cmocka_unit_test(test_a_ball_turns_at_a_constant_rate_within_1e_5),
        cmocka_unit_test(test_what_it_hands_back_is_the_inverse_inertia_at_the_new_rotation),
        cmocka_unit_test(test_a_body_locked_to_one_axis_keeps_turning_about_it),
        cmocka_unit_test(test_a_body_turned_at_once_keeps_its_angular_momentum_within_1e_6),
        cmocka_unit_test(test_an_angular_impulse_on_a_locked_body_turns_it_about_its_free_axis_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
