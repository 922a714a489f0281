// Points on axes: a bead on a wire, a body or the nodes of a rope. Gravity along the wire, stops, motor,
// spring; momenta of a wire and a bead that are both free.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/physics.h"

#include <math.h>

static const float mass = 2.0f;
static const double pi = 3.14159265358979;
static const sn_vec3 inertia = {0.1f, 0.2f, 0.3f};

typedef enum bead { BODY, ROPE, BEADS } bead;
static const char *const bead_names[] = {"body", "rope"};

// Beads that all slide along the same wire: a body, or both ends of a rope that lies along it.
typedef struct wire {
    sn_world *world;
    sn_rigid body;
    sn_deformable rope;
    int count;
    sn_constraint joints[2];
} wire;

// Down the wire, which falls by `slope` along x.
static sn_pose wire_frame(float slope)
{
    return (sn_pose){sn_v(0.0f, 0.0f, 0.0f), sn_quat_axis_angle(sn_v(0.0f, 0.0f, 1.0f), -slope)};
}

static void add_rope(wire *w, sn_pose frame)
{
    sn_mesh *mesh = NULL;
    must(sn_mesh_line(0.2f, 1, &mesh));
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.pose = frame;
    def.mass = mass;
    def.collide = false;
    def.inextensible.on = true;
    must(sn_deformable_add(w->world, &def, &w->rope));
    sn_mesh_destroy(mesh);
}

// `def` is shared by all beads but for its ends.
static wire wire_make(sn_world *world, bead bead, float slope, sn_axis_def def)
{
    wire w = {.world = world, .count = bead == BODY ? 1 : 2};
    sn_pose frame = wire_frame(slope);
    if (bead == BODY) {
        w.body = physics_lump(world, mass, inertia, physics_at(0.0f, 0.0f, 0.0f));
    } else {
        add_rope(&w, frame);
    }
    for (int i = 0; i < w.count; ++i) {
        // The travel of each bead begins at 0.
        sn_pose begin = frame;
        begin.position = sn_pose_apply(frame, sn_v(bead == BODY ? 0.0f : 0.2f * (float)i - 0.1f, 0.0f, 0.0f));
        def.common.a = sn_point_world_frame(begin);
        def.common.b =
            bead == BODY ? sn_point_rigid(w.body, sn_v(0.0f, 0.0f, 0.0f)) : sn_point_node(w.rope, i);
        must(sn_axis_add(world, &def, &w.joints[i]));
    }
    return w;
}

static sn_vec3 velocity_of(const wire *w)
{
    return w->count == 1 ? sn_rigid_linear_velocity(w->world, w->body)
                         : sn_deformable_measure_now(w->world, w->rope).velocity;
}

static void test_a_bead_slides_with_g_sin_30_within_1_per_mille(void **state)
{
    (void)state;
    const float slope = (float)(pi / 6.0);
    for (int k = 0; k < BEADS * PHYSICS_STEPS; ++k) {
        bead bead = (enum bead)(k / PHYSICS_STEPS);
        float step = physics_steps[k % PHYSICS_STEPS];
        wire w = wire_make(physics_world(), bead, slope, sn_axis_def_default());
        physics_run(w.world, step, 2.0f);
        double time = sn_world_time(w.world), expected = 0.5 * physics_gravity * time;
        double along = (double)sn_dot(velocity_of(&w), sn_rotate(wire_frame(slope).rotation, sn_v(1, 0, 0)));
        double travel = (double)sn_constraint_coordinate(w.world, w.joints[0]);
        // Euler's steps are half a sub-step ahead.
        double ahead = 0.5 * expected * physics_sub_step(w.world, step);
        check_relative(along, expected, 1e-3, "speed of a %s at step %g", bead_names[bead], (double)step);
        check_relative(travel - ahead, 0.5 * expected * time, 1e-3, "  its travel");
        check_below((double)sn_constraint_error(w.world, w.joints[0]), 1e-4, "  how far it is off the wire");
        double weight = (double)mass * physics_gravity * cos((double)slope) / w.count;
        check_relative((double)sn_length(sn_constraint_force(w.world, w.joints[0])), weight, 1e-3,
                       "  force of the wire");
        sn_world_destroy(w.world);
    }
}

static void test_stops_hold_a_bead_within_a_millimetre(void **state)
{
    (void)state;
    for (int k = 0; k < BEADS * PHYSICS_STEPS; ++k) {
        bead bead = (enum bead)(k / PHYSICS_STEPS);
        sn_axis_def def = sn_axis_def_default();
        def.limit = true;
        def.lower = -0.3f;
        def.upper = 0.5f;
        wire w = wire_make(physics_world(), bead, 0.5f, def);
        physics_run(w.world, physics_steps[k % PHYSICS_STEPS], 3.0f);
        check_near((double)sn_constraint_coordinate(w.world, w.joints[0]), 0.5, 1e-3, "upper stop, %s",
                   bead_names[bead]);
        sn_world_destroy(w.world);
        w = wire_make(physics_world(), bead, -0.5f, def);
        physics_run(w.world, physics_steps[k % PHYSICS_STEPS], 3.0f);
        check_near((double)sn_constraint_coordinate(w.world, w.joints[0]), -0.3, 1e-3, "  lower stop");
        check_below((double)sn_length(velocity_of(&w)), 1e-3, "  speed there");
        sn_world_destroy(w.world);
    }
}

static void test_a_motor_drives_a_bead_uphill_at_its_speed(void **state)
{
    (void)state;
    for (int k = 0; k < BEADS * PHYSICS_STEPS; ++k) {
        bead bead = (enum bead)(k / PHYSICS_STEPS);
        sn_axis_def def = sn_axis_def_default();
        def.motor = true;
        def.motor_speed = -1.5f;
        wire w = wire_make(physics_world(), bead, 0.5f, def);
        physics_run(w.world, physics_steps[k % PHYSICS_STEPS], 2.0f);
        check_relative((double)sn_length(velocity_of(&w)), 1.5, 1e-3, "speed of a %s", bead_names[bead]);
        check_relative((double)sn_constraint_coordinate(w.world, w.joints[0]), -1.5 * 2.0, 5e-3,
                       "  its travel");
        sn_world_destroy(w.world);
    }
}

// Too weak to hold it: what is missing accelerates.
static void test_a_weak_motor_gives_its_largest_force(void **state)
{
    (void)state;
    sn_axis_def def = sn_axis_def_default();
    def.motor = true;
    def.motor_force = 4.0f;
    wire w = wire_make(physics_world(), BODY, (float)(pi / 6.0), def);
    physics_run(w.world, physics_steps[0], 1.0f);
    double expected = 0.5 * physics_gravity - 4.0 / (double)mass;
    check_relative((double)sn_length(velocity_of(&w)), expected, 1e-3, "speed against a weak motor");
    sn_world_destroy(w.world);
}

static void test_a_spring_swings_a_bead_with_its_frequency_within_5_per_mille(void **state)
{
    (void)state;
    const float step = physics_steps[1];
    for (int k = 0; k < BEADS; ++k) {
        sn_axis_def def = sn_axis_def_default();
        double omega = 5.0;
        // The ends of a rope have half its mass each.
        def.spring_stiffness = (float)((double)mass * omega * omega) / (k == BODY ? 1.0f : 2.0f);
        def.spring_travel = 0.1f;
        wire w = wire_make(physics_world_without_gravity(), (bead)k, 0.3f, def);
        physics_crossings crossings = {0};
        while (crossings.count < 6 && sn_world_time(w.world) < 60.0) {
            physics_run(w.world, step, step);
            double travel = (double)sn_constraint_coordinate(w.world, w.joints[0]);
            physics_look(&crossings, sn_world_time(w.world), travel - 0.1);
        }
        check_relative(physics_period(&crossings), 2.0 * pi / omega, 5e-3, "period of a %s", bead_names[k]);
        sn_world_destroy(w.world);
    }
}

static double largest_difference(const double *a, const double *b)
{
    return fmax(fabs(a[0] - b[0]), fmax(fabs(a[1] - b[1]), fabs(a[2] - b[2])));
}

// A spinning wire throws its bead outwards; nothing outside acts on the two.
static void test_wire_and_bead_keep_their_momenta_to_1e_5(void **state)
{
    (void)state;
    for (int k = 0; k < BEADS; ++k) {
        sn_world *world = physics_world_without_gravity();
        sn_rigid wire_body = physics_lump(world, 3.0f, sn_v(0.5f, 0.6f, 0.7f), physics_at(0.0f, 0.0f, 0.0f));
        struct wire bead = {.world = world, .count = k == BODY ? 1 : 2};
        sn_pose place = physics_at(0.3f, 0.0f, 0.0f);
        if (k == BODY) {
            bead.body = physics_lump(world, mass, inertia, place);
        } else {
            add_rope(&bead, place);
        }
        sn_axis_def def = sn_axis_def_default();
        def.common.a = sn_point_rigid(wire_body, sn_v(0.0f, 0.0f, 0.0f));
        def.common.b =
            k == BODY ? sn_point_rigid(bead.body, sn_v(0.0f, 0.0f, 0.0f)) : sn_point_node(bead.rope, 0);
        def.limit = true;
        def.lower = -1.0f;
        def.upper = 1.0f;
        must(sn_axis_add(world, &def, &bead.joints[0]));
        must(sn_rigid_angular_velocity_set(world, wire_body, sn_v(0.2f, 0.5f, 2.0f)));
        sn_energy before = sn_world_energy(world);
        physics_run(world, physics_steps[0], 3.0f);
        sn_energy after = sn_world_energy(world);
        check_below(largest_difference(before.momentum, after.momentum), 1e-5 * 3.0, "momentum, %s",
                    bead_names[k]);
        check_below(largest_difference(before.angular_momentum, after.angular_momentum), 1e-5 * 3.0,
                    "  angular momentum");
        check_below(after.kinetic, before.kinetic * 1.001, "  energy");
        check_below((double)sn_constraint_error(world, bead.joints[0]), 2e-3, "  error");
        sn_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_a_bead_slides_with_g_sin_30_within_1_per_mille),
        physics_test(test_stops_hold_a_bead_within_a_millimetre),
        physics_test(test_a_motor_drives_a_bead_uphill_at_its_speed),
        physics_test(test_a_weak_motor_gives_its_largest_force),
        physics_test(test_a_spring_swings_a_bead_with_its_frequency_within_5_per_mille),
        physics_test(test_wire_and_bead_keep_their_momenta_to_1e_5),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
