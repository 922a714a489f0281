// Compliant joints: what they carry, times their compliance, is how far they give.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/joint_kinds.h"

static const float mass = 5.0f, arm = 0.8f;
static const float compliance = 2.0e-4f, angular_compliance = 1.0e-3f;
static const sn_vec3 inertia = {0.4f, 0.4f, 0.4f};
static const sn_vec3 along_z = {0.0f, 0.0f, 1.0f}, origin = {0.0f, 0.0f, 0.0f};

static void soften(sn_constraint_common *common)
{
    common->compliance = compliance;
    common->damping = 500.0f;
    common->angular_compliance = angular_compliance;
    common->angular_damping = 100.0f;
}

static sn_constraint hold_softly(sn_world *world, joint_kind kind, sn_rigid body)
{
    joint_def def = joint_def_default(kind);
    sn_vec3 place = kind == DISTANCE ? sn_rigid_center(world, body) : origin;
    joint_place(world, &def, body, place, sn_v(0.0f, 1.0f, 0.0f));
    soften(joint_common(&def));
    if (kind == DISTANCE) {
        def.distance.lower = def.distance.upper = 1.0f;
    }
    return joint_add(world, &def);
}

static void test_sags_by_load_times_compliance_within_1_percent(void **state)
{
    (void)state;
    for (joint_kind kind = BALL; kind < JOINT_KINDS; ++kind) {
        for (int s = 0; s < PHYSICS_STEPS; ++s) {
            sn_world *world = physics_world();
            sn_rigid body = physics_lump(world, mass, inertia, physics_at(0, 0, 0));
            hold_softly(world, kind, body);
            physics_run(world, physics_steps[s], 3.0f);
            check_relative(-(double)sn_rigid_center(world, body).y,
                           physics_weight(world, body) * (double)compliance, 0.01, "%s, step %d: sag",
                           joint_names[kind], s);
            check_below((double)sn_length(sn_rigid_linear_velocity(world, body)), 1e-5, "  speed");
            sn_world_destroy(world);
        }
    }
}

// A beam sticking out of a fixed joint or a slider turns by its torque times the angular compliance.
static void test_bends_by_torque_times_angular_compliance_within_1_percent(void **state)
{
    (void)state;
    for (joint_kind kind = SLIDER; kind <= FIXED; ++kind) {
        for (int s = 0; s < PHYSICS_STEPS; ++s) {
            sn_world *world = physics_world();
            sn_rigid beam = physics_lump(world, mass, inertia, physics_at(arm, 0, 0));
            hold_softly(world, kind, beam);
            physics_run(world, physics_steps[s], 3.0f);
            double angle = -physics_angle_about_z(world, beam);
            double torque = physics_weight(world, beam) * (double)arm * cos(angle);
            check_relative(angle, torque * (double)angular_compliance, 0.01, "%s, step %d: angle",
                           joint_names[kind], s);
            sn_world_destroy(world);
        }
    }
}

// Sideways to a hinge's axis it is the axis that gives.
static void test_a_compliant_hinge_leans_by_torque_times_angular_compliance_within_1_percent(void **state)
{
    (void)state;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world();
        sn_rigid beam = physics_lump(world, mass, inertia, physics_at(0, 0, arm));
        hold_softly(world, HINGE, beam);
        physics_run(world, physics_steps[s], 3.0f);
        sn_vec3 axis = sn_rotate(sn_rigid_rotation(world, beam), along_z);
        double angle = -asin((double)axis.y);
        double torque = physics_weight(world, beam) * (double)arm * cos(angle);
        check_relative(angle, torque * (double)angular_compliance, 0.01, "step %d: lean of the axis", s);
        sn_world_destroy(world);
    }
}

// Without compliance nothing gives: a ton hangs within a tenth of a millimetre.
static void test_a_hard_joint_does_not_sag_by_a_tenth_of_a_millimetre(void **state)
{
    (void)state;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world();
        sn_rigid body = physics_lump(world, 1000.0f, sn_v(80.0f, 80.0f, 80.0f), physics_at(0, 0, 0));
        sn_fixed_def def = sn_fixed_def_default();
        must(sn_constraint_place(world, &def.common, sn_world_ground(world), body, origin, along_z));
        must(sn_fixed_add(world, &def, NULL));
        physics_run(world, physics_steps[s], 2.0f);
        check_below(fabs((double)sn_rigid_center(world, body).y), 1e-4, "sag, step %d", s);
        sn_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_sags_by_load_times_compliance_within_1_percent),
        physics_test(test_bends_by_torque_times_angular_compliance_within_1_percent),
        physics_test(test_a_compliant_hinge_leans_by_torque_times_angular_compliance_within_1_percent),
        physics_test(test_a_hard_joint_does_not_sag_by_a_tenth_of_a_millimetre),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
