// What joints report they hold: weights, torques of beams, components on an incline, centripetal force; and
// motors that give what they may and no more.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/joint_kinds.h"

static const float mass = 10.0f, arm = 1.5f;
static const sn_vec3 inertia = {0.5f, 0.7f, 0.9f};
static const sn_vec3 up = {0.0f, 1.0f, 0.0f}, along_z = {0.0f, 0.0f, 1.0f};

// A joint of any kind between the ground and the body at `point`. Sliders slide across gravity, along z.
static sn_constraint hold(sn_world *world, joint_kind kind, sn_rigid body, sn_vec3 point)
{
    joint_def def = joint_def_default(kind);
    joint_place(world, &def, body, point, sn_add(point, up));
    if (kind == DISTANCE) {
        def.distance.lower = def.distance.upper = 1.0f;
    }
    return joint_add(world, &def);
}

static void test_a_hanging_mass_pulls_with_m_g_within_1_per_mille(void **state)
{
    (void)state;
    for (joint_kind kind = BALL; kind < JOINT_KINDS; ++kind) {
        for (int s = 0; s < PHYSICS_STEPS; ++s) {
            sn_world *world = physics_world();
            sn_rigid body = physics_lump(world, mass, inertia, physics_at(0, -arm, 0));
            sn_constraint joint = hold(world, kind, body, sn_v(0.0f, kind == DISTANCE ? -arm : 0.0f, 0.0f));
            physics_run(world, physics_steps[s], 2.0f);
            sn_vec3 expected = sn_scale(up, (float)physics_weight(world, body));
            check_vector(sn_constraint_force(world, joint), expected, 1e-3, "%s, step %d: force",
                         joint_names[kind], s);
            check_below((double)sn_length(sn_constraint_torque(world, joint)), 1e-3 * (double)expected.y,
                        "  torque");
            check_below((double)sn_length(sn_rigid_linear_velocity(world, body)), 1e-4, "  speed");
            sn_world_destroy(world);
        }
    }
}

// A beam that sticks out sideways by `arm`: the joint lifts m g and turns with m g arm.
static void check_beam(sn_world *world, sn_rigid beam, sn_constraint joint, float step, const char *name)
{
    physics_run(world, step, 2.0f);
    float weight = (float)physics_weight(world, beam);
    check_vector(sn_constraint_force(world, joint), sn_scale(up, weight), 1e-3, "%s: force", name);
    check_vector(sn_constraint_torque(world, joint), sn_scale(along_z, weight * arm), 1e-3, "%s: torque",
                 name);
    check_near((double)sn_rigid_center(world, beam).y, 0.0, 2e-3, "%s: height of the beam", name);
}

static void test_a_cantilever_turns_its_joint_with_m_g_l_within_1_per_mille(void **state)
{
    (void)state;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        for (joint_kind kind = SLIDER; kind <= FIXED; ++kind) {
            sn_world *world = physics_world();
            sn_rigid beam = physics_lump(world, mass, inertia, physics_at(arm, 0, 0));
            sn_constraint joint = hold(world, kind, beam, sn_v(0.0f, 0.0f, 0.0f));
            check_beam(world, beam, joint, physics_steps[s], joint_names[kind]);
            sn_world_destroy(world);
        }
    }
}

// Motor, stop or stiff spring of the hinge hold the beam.
static void test_a_beam_on_a_hinge_is_held_with_m_g_l_within_1_per_mille(void **state)
{
    (void)state;
    static const char *const names[] = {"motor", "stop", "spring"};
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        for (int held_by = 0; held_by < 3; ++held_by) {
            sn_world *world = physics_world();
            sn_rigid beam = physics_lump(world, mass, inertia, physics_at(arm, 0, 0));
            sn_hinge_def def = sn_hinge_def_default();
            def.motor = held_by == 0;
            def.limit = held_by == 1;
            def.lower = 0.0f;
            def.upper = 1.0f;
            def.spring_stiffness = held_by == 2 ? 1.0e6f : 0.0f;
            def.spring_damping = held_by == 2 ? 1.0e4f : 0.0f;
            sn_constraint joint = {0};
            must(sn_constraint_place(world, &def.common, sn_world_ground(world), beam, sn_v(0, 0, 0),
                                     along_z));
            must(sn_hinge_add(world, &def, &joint));
            check_beam(world, beam, joint, physics_steps[s], names[held_by]);
            sn_world_destroy(world);
        }
    }
}

static void
test_a_slider_on_an_incline_holds_m_g_cos_across_and_m_g_sin_along_within_1_per_mille(void **state)
{
    (void)state;
    const float angle = 0.6f;
    sn_vec3 downhill = physics_downhill(angle), normal = sn_v(sn_sin(angle), sn_cos(angle), 0.0f);
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        for (int held = 0; held < 2; ++held) {
            sn_world *world = physics_world();
            sn_rigid body = physics_lump(world, mass, inertia, physics_at(0, 0, 0));
            sn_slider_def def = sn_slider_def_default();
            def.limit = held != 0;
            def.lower = -1.0f;
            def.upper = 0.0f;
            sn_constraint joint = {0};
            must(sn_constraint_place(world, &def.common, sn_world_ground(world), body, sn_v(0, 0, 0),
                                     downhill));
            must(sn_slider_add(world, &def, &joint));
            physics_run(world, physics_steps[s], 1.0f);
            sn_vec3 force = sn_constraint_force(world, joint);
            double weight = physics_weight(world, body), sine = (double)sn_sin(angle);
            check_relative((double)sn_dot(force, normal), weight * (double)sn_cos(angle), 1e-3, "across");
            check_near((double)sn_dot(force, downhill), held ? -weight * sine : 0.0, 1e-3 * weight, "along");
            double speed = (double)sn_dot(sn_rigid_linear_velocity(world, body), downhill);
            check_near(speed, held ? 0.0 : physics_gravity * sine, 1e-3, "speed after 1 s");
            sn_world_destroy(world);
        }
    }
}

static void test_a_spinning_mass_is_held_by_m_omega_squared_r_within_half_a_percent(void **state)
{
    (void)state;
    const float spin = 10.0f;
    static const joint_kind kinds[] = {BALL, HINGE, DISTANCE};
    for (int i = 0; i < 3; ++i) {
        double errors[PHYSICS_STEPS];
        for (int s = 0; s < PHYSICS_STEPS; ++s) {
            sn_world *world = physics_world_without_gravity();
            joint_kind kind = kinds[i];
            float radius = kind == DISTANCE ? 1.0f : arm;
            sn_rigid body = physics_lump(world, mass, inertia, physics_at(0, -radius, 0));
            sn_constraint joint =
                hold(world, kind, body, sn_v(0.0f, kind == DISTANCE ? -radius : 0.0f, 0.0f));
            must(sn_rigid_linear_velocity_set(world, body, sn_v(spin * radius, 0.0f, 0.0f)));
            must(sn_rigid_angular_velocity_set(world, body, sn_v(0.0f, 0.0f, spin)));
            physics_run(world, physics_steps[s], 1.0f);
            // The body may have slowed a little; the force belongs to the speed it has. Averaging over a step
            // shortens a vector that turns by sin(x)/x.
            double speed = (double)sn_length(sn_rigid_linear_velocity(world, body)), r = (double)radius;
            double half_turn = 0.5 * speed / r * (double)physics_steps[s];
            double expected = (double)mass * speed * speed / r * sin(half_turn) / half_turn;
            double force = (double)sn_length(sn_constraint_force(world, joint));
            check_relative(force, expected, 0.005, "%s, step %d: force", joint_names[kind], s);
            check_relative(speed, (double)spin * r, 0.02, "  speed");
            errors[s] = speed - (double)spin * r;
            sn_world_destroy(world);
        }
        check_converges(errors, 1e-3, "  speed");
    }
}

static void
test_a_motor_turns_a_flywheel_by_torque_over_inertia_within_1_per_mille_then_holds_its_speed(void **state)
{
    (void)state;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world();
        sn_rigid wheel = physics_lump(world, mass, inertia, physics_at(0, 0, 0));
        sn_hinge_def def = sn_hinge_def_default();
        def.motor = true;
        def.motor_speed = 8.0f;
        def.motor_torque = 3.6f;
        sn_constraint joint = {0};
        must(sn_constraint_place(world, &def.common, sn_world_ground(world), wheel, sn_v(0, 0, 0), along_z));
        must(sn_hinge_add(world, &def, &joint));
        physics_run(world, physics_steps[s], 1.0f);
        check_relative((double)sn_rigid_angular_velocity(world, wheel).z, 3.6 / 0.9, 1e-3, "spin after 1 s");
        check_relative((double)sn_constraint_torque(world, joint).z, 3.6, 1e-3, "torque");
        physics_run(world, physics_steps[s], 2.0f);
        check_relative((double)sn_rigid_angular_velocity(world, wheel).z, 8.0, 1e-4, "spin after 3 s");
        check_near((double)sn_constraint_torque(world, joint).z, 0.0, 1e-3, "torque at full speed");
        sn_world_destroy(world);
    }
}

// A tenth too little torque and the beam sinks, a tenth too much and it rises.
static void test_a_motor_lifts_a_beam_only_with_more_than_m_g_l(void **state)
{
    (void)state;
    for (int strong = 0; strong < 2; ++strong) {
        sn_world *world = physics_world();
        sn_rigid beam = physics_lump(world, mass, inertia, physics_at(arm, 0, 0));
        double load = physics_weight(world, beam) * (double)arm, share = strong ? 1.1 : 0.9;
        sn_hinge_def def = sn_hinge_def_default();
        def.motor = true;
        def.motor_speed = 5.0f;
        def.motor_torque = (float)(share * load);
        must(sn_constraint_place(world, &def.common, sn_world_ground(world), beam, sn_v(0, 0, 0), along_z));
        must(sn_hinge_add(world, &def, NULL));
        physics_run(world, physics_steps[1], 0.2f);
        double moment = (double)inertia.z + (double)(mass * arm * arm);
        double angle = atan2((double)sn_rigid_center(world, beam).y, (double)sn_rigid_center(world, beam).x);
        check_relative(angle, 0.5 * (share - 1.0) * load / moment * 0.04, 0.02, "angle after 0.2 s with %g",
                       share);
        sn_world_destroy(world);
    }
}

static void test_a_slider_motor_pushes_with_its_force_within_1_per_mille(void **state)
{
    (void)state;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world();
        sn_rigid body = physics_lump(world, mass, inertia, physics_at(0, 0, 0));
        sn_slider_def def = sn_slider_def_default();
        def.motor = true;
        def.motor_speed = 3.0f;
        def.motor_force = 20.0f;
        sn_constraint joint = {0};
        must(sn_constraint_place(world, &def.common, sn_world_ground(world), body, sn_v(0, 0, 0), along_z));
        must(sn_slider_add(world, &def, &joint));
        physics_run(world, physics_steps[s], 1.0f);
        check_relative((double)sn_rigid_linear_velocity(world, body).z, 2.0, 1e-3, "speed after 1 s");
        check_relative((double)sn_constraint_force(world, joint).z, 20.0, 1e-3, "force");
        physics_run(world, physics_steps[s], 1.0f);
        check_relative((double)sn_rigid_linear_velocity(world, body).z, 3.0, 1e-4, "speed after 2 s");
        check_relative((double)sn_slider_travel(world, joint), 3.0 * 2.0 - 0.5 * 3.0 * 1.5, 2e-3, "travel");
        sn_world_destroy(world);
    }
}

// A chain of three: each joint holds all that hangs below it.
static void test_every_joint_of_a_hanging_chain_holds_what_hangs_below_within_1_per_mille(void **state)
{
    (void)state;
    enum { LINKS = 3 };
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world();
        sn_rigid upper = sn_world_ground(world);
        sn_constraint joints[LINKS];
        for (int i = 0; i < LINKS; ++i) {
            sn_rigid link = physics_lump(world, mass, inertia, physics_at(0, -0.5f - (float)i, 0));
            sn_ball_def def = sn_ball_def_default();
            must(sn_constraint_place(world, &def.common, upper, link, sn_v(0, -(float)i, 0), along_z));
            must(sn_ball_add(world, &def, &joints[i]));
            upper = link;
        }
        physics_run(world, physics_steps[s], 2.0f);
        for (int i = 0; i < LINKS; ++i) {
            double expected = (double)(LINKS - i) * (double)mass * physics_gravity;
            check_vector(sn_constraint_force(world, joints[i]), sn_scale(up, (float)expected), 1e-3,
                         "joint %d", i);
        }
        sn_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_a_hanging_mass_pulls_with_m_g_within_1_per_mille),
        physics_test(test_a_cantilever_turns_its_joint_with_m_g_l_within_1_per_mille),
        physics_test(test_a_beam_on_a_hinge_is_held_with_m_g_l_within_1_per_mille),
        physics_test(test_a_slider_on_an_incline_holds_m_g_cos_across_and_m_g_sin_along_within_1_per_mille),
        physics_test(test_a_spinning_mass_is_held_by_m_omega_squared_r_within_half_a_percent),
        physics_test(
            test_a_motor_turns_a_flywheel_by_torque_over_inertia_within_1_per_mille_then_holds_its_speed),
        physics_test(test_a_motor_lifts_a_beam_only_with_more_than_m_g_l),
        physics_test(test_a_slider_motor_pushes_with_its_force_within_1_per_mille),
        physics_test(test_every_joint_of_a_hanging_chain_holds_what_hangs_below_within_1_per_mille),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
