// Blocks of contacts: what the fast path is given of a patch is what the patch's rows, as of any other kind,
// would give it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "constraint/kind.h"
#include "solver/contact/contact_block.h"
#include "support/memory.h"
#include "support/solver_rig.h"

static const float h = 1.0f / 720.0f;

static sn_patch random_patch(const solver_rig *rig, test_random *random, int points)
{
    sn_patch patch = {.normal = test_random_direction(random), .count = points};
    for (int i = 0; i < points; ++i) {
        sn_vec3 at = test_random_vec3(random, 1.0f);
        patch.points[i].arm_a = sn_sub(at, rig->solver.bodies[1].center);
        patch.points[i].arm_b = sn_sub(at, rig->solver.bodies[2].center);
        patch.points[i].separation = test_random_float(random, -0.01f, 0.01f);
        patch.points[i].normal_impulse = test_random_float(random, 0.0f, 2.0f);
    }
    return patch;
}

// Rows of the patch at the bodies' poses, mass centres at their origins.
static int rows_of(const solver_rig *rig, const sn_patch *patch, sn_row *rows)
{
    const sn_vec3 zero = {0.0f, 0.0f, 0.0f};
    const sn_solver_body *bodies = rig->solver.bodies;
    sn_pose a = {bodies[1].center, bodies[1].rotation}, b = {bodies[2].center, bodies[2].rotation};
    sn_contact_def contact = sn_contact_def_of(patch, a, zero, b, zero);
    contact.rolling_resistance = 1.0f;
    sn_row_input input = sn_row_input_make(a, zero, b, zero, &contact.common);
    sn_rows_clear(rows, SN_MAX_ROWS);
    return sn_contact_rows(&input, &contact, rows);
}

// u · W v over both bodies, in double.
static double coupling(const solver_rig *rig, const sn_row *u, const sn_row *v)
{
    double sum = 0.0;
    for (int k = 0; k < 2; ++k) {
        sn_vec3 linear = sn_mul(rig->solver.bodies[1 + k].inverse_mass, v->linear[k]);
        sn_sym3 inverse_inertia = sn_solver_inertia_matrix(&rig->solver.inertias[1 + k]);
        sum += (double)sn_dot(u->linear[k], linear) +
               (double)sn_dot(u->angular[k], sn_sym3_apply(inverse_inertia, v->angular[k]));
    }
    return sum;
}

static void expect_relative(float actual, double expected, double fraction)
{
    if (fabs((double)actual - expected) > fraction * fabs(expected)) {
        fail_msg("%g, expected %g", (double)actual, expected);
    }
}

static void expect_masses_of_rows(const solver_rig *rig, const sn_patch *patch, const sn_contact_block *block,
                                  const sn_contact_lane_point *points)
{
    sn_row rows[SN_MAX_ROWS];
    assert_int_equal(rows_of(rig, patch, rows), patch->count + 6);
    for (int i = 0; i < patch->count; ++i) {
        expect_relative(points[i].normal_mass.lane[0], 1.0 / coupling(rig, &rows[i], &rows[i]), 1e-5);
        assert_true(fabsf(points[i].start_separation.lane[0] - rows[i].value) < 4e-6f);
    }
    const sn_row *along = &rows[patch->count], *across = along + 1, *twist = along + 2, *rolling = along + 3;
    double k11 = coupling(rig, along, along), k12 = coupling(rig, along, across);
    double k22 = coupling(rig, across, across), determinant = k11 * k22 - k12 * k12;
    expect_relative(block->tangent_mass[0].lane[0], k22 / determinant, 1e-4);
    expect_relative(block->tangent_mass[2].lane[0], k11 / determinant, 1e-4);
    assert_true(fabs((double)block->tangent_mass[1].lane[0] + k12 / determinant) < 1e-4 * k11 / determinant);
    expect_relative(block->twist_mass.lane[0], 1.0 / coupling(rig, twist, twist), 1e-5);
    // The rolling mass inverts the inertias' sum; the rows have that sum in the frame's axes.
    double trace = 0.0;
    sn_sym3 mass = {block->rolling_mass[0].lane[0], block->rolling_mass[1].lane[0],
                    block->rolling_mass[2].lane[0], block->rolling_mass[3].lane[0],
                    block->rolling_mass[4].lane[0], block->rolling_mass[5].lane[0]};
    sn_sym3 sum = sn_sym3_inverse(mass);
    for (int i = 0; i < 3; ++i) {
        trace += coupling(rig, &rolling[i], &rolling[i]);
    }
    expect_relative(sum.xx + sum.yy + sum.zz, trace, 1e-4);
}

static void test_a_block_has_the_effective_masses_of_the_patch_as_rows(void **state)
{
    (void)state;
    test_random random = {61};
    for (int n = 0; n < 200; ++n) {
        solver_rig rig;
        solver_rig_make(&rig, 0, 2, 1, 0, h);
        rig_set_random(&rig, 1, &random);
        rig_set_random(&rig, 2, &random);
        sn_patch patch = random_patch(&rig, &random, 1 + n % SN_MANIFOLD_POINTS);
        rig.solver.contact_count = 1;
        rig.solver.contacts[0] = (sn_contact_input){
            .patch = &patch, .body_a = 1, .body_b = 2, .rolling_resistance = 0.1f, .kept = 1.0f};
        sn_contact_block block = {.point_count = patch.count};
        for (int lane = 1; lane < SN_LANES; ++lane) {
            block.input[lane] = -1;
        }
        sn_contact_lane_point points[SN_MANIFOLD_POINTS] = {0};
        sn_contact_packing packing = {&block, points, 1, SN_MANIFOLD_POINTS};
        sn_contact_block_fill(&rig.solver, &packing, 0);
        expect_masses_of_rows(&rig, &patch, &block, points);
        // The kernels find the same again once a body has turned far.
        rig.solver.shifts[1].turned[0] = 0.2f;
        sn_contact_pass pass = {.velocities = rig.solver.velocities,
                                .shifts = rig.solver.shifts,
                                .inertias = rig.solver.inertias,
                                .dynamic_begin = rig.solver.dynamic_begin,
                                .blocks = &block,
                                .points = points,
                                .h = h,
                                .inverse_h = 1.0f / h};
        for (int i = 0; i < patch.count; ++i) {
            points[i].normal_mass.lane[0] = 0.0f;
        }
        const sn_contact_kernels *kernels = n % 2 == 0 ? &sn_contact_kernels_base : sn_contact_kernels_pick();
        kernels->measure(&pass, 0, 1);
        kernels->warm_start(&pass, 0, 1);
        expect_masses_of_rows(&rig, &patch, &block, points);
        solver_rig_free(&rig);
    }
}

static void test_a_block_begins_with_the_part_of_the_impulses_that_its_input_says(void **state)
{
    (void)state;
    test_random random = {62};
    solver_rig rig;
    solver_rig_make(&rig, 0, 2, 1, 0, h);
    rig_set_random(&rig, 1, &random);
    rig_set_random(&rig, 2, &random);
    sn_patch patch = random_patch(&rig, &random, 2);
    patch.points[1].normal_impulse = 3.0f;
    patch.twist_impulse = 0.5f;
    rig.solver.contact_count = 1;
    rig.solver.contacts[0] = (sn_contact_input){.patch = &patch, .body_a = 1, .body_b = 2, .kept = 0.25f};
    sn_contact_block block = {.point_count = patch.count, .input = {0, -1, -1, -1, -1, -1, -1, -1}};
    sn_contact_lane_point points[SN_MANIFOLD_POINTS] = {0};
    sn_contact_packing packing = {&block, points, 1, SN_MANIFOLD_POINTS};
    sn_contact_block_fill(&rig.solver, &packing, 0);
    expect_relative(points[1].normal_impulse.lane[0], 0.75f, 1e-6);
    expect_relative(block.twist_impulse.lane[0], 0.125f, 1e-6);
    solver_rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_a_block_has_the_effective_masses_of_the_patch_as_rows),
        test_with_memory(test_a_block_begins_with_the_part_of_the_impulses_that_its_input_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
