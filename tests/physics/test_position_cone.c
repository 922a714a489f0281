// Contacts in Jacobi's methods of the position solver: all at once, by projection on the friction cone with
// De Saxcé's correction (src/solver/jacobi.c), against Coulomb's law. Soft blocks slide in
// test_position_solver.c.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/position_rig.h"

static const sn_position_method methods[] = {SN_POSITION_JACOBI, SN_POSITION_JACOBI_ACCELERATED};
enum { METHODS = 2 };

static const float friction = 0.5f, border = 0.4636476f; // atan 0.5

static void test_boxes_stick_below_the_angle_of_friction_and_slide_above(void **state)
{
    (void)state;
    for (int m = 0; m < METHODS; ++m) {
        double way, speed, lift;
        slope_slide(methods[m], 0.995f * border, friction, &way, &speed, &lift);
        check_below(fabs(way), 1.0e-3, "%s: way in a second, half a percent below it", net_names[methods[m]]);
        slope_slide(methods[m], 1.005f * border, friction, &way, &speed, &lift);
        check_above(way, 2.0e-3, "%s: way in a second, half a percent above it", net_names[methods[m]]);
    }
}

// A projection on the cone alone would lift the box off at µ times the speed of sliding.
static void test_boxes_slide_by_coulombs_law_and_stay_down(void **state)
{
    (void)state;
    for (int m = 0; m < METHODS; ++m) {
        for (float angle = 0.55f; angle < 1.2f; angle += 0.3f) {
            double way, speed, lift;
            slope_slide(methods[m], angle, friction, &way, &speed, &lift);
            double expected = 9.81 * (sin((double)angle) - (double)friction * cos((double)angle));
            check_relative(speed, expected, 0.005, "%s: acceleration at %g rad", net_names[methods[m]],
                           (double)angle);
            check_below(lift, 1.0e-4, "%s: lift-off at %g rad", net_names[methods[m]], (double)angle);
        }
    }
}

// A heap of boxes: what stands presses on the ground with its weight.
static void test_what_stands_rests_on_its_weight(void **state)
{
    (void)state;
    sn_world_def def = position_def(8, 20);
    def.position.method = SN_POSITION_JACOBI_ACCELERATED;
    sn_world *world = position_world(&def);
    sn_shape_def material = physics_material(0.6f, 0.0f);
    physics_floor(world, material);
    double force = 0.0, weight = 0.0, fastest = 0.0;
    enum { SIDE = 4, COUNT = SIDE * SIDE * 6 };
    sn_rigid boxes[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        sn_vec3 place = sn_v(0.23f * (float)(i % SIDE), 0.12f + 0.22f * (float)(i / SIDE / SIDE),
                             0.23f * (float)(i / SIDE % SIDE) + 0.01f * (float)(i % 3));
        boxes[i] = physics_box(world, material, sn_v(0.1f, 0.1f, 0.1f), (sn_pose){place, sn_quat_identity});
    }
    physics_run(world, 1.0f / 60.0f, 3.0f);
    for (int i = 0; i < COUNT; ++i) {
        force += (double)sn_rigid_contact_force(world, boxes[i]).y;
        weight += physics_weight(world, boxes[i]);
        fastest = fmax(fastest, (double)sn_length(sn_rigid_linear_velocity(world, boxes[i])));
    }
    check_relative(force, weight, 0.01, "force of the ground");
    check_below(fastest, 5.0e-3, "speed [m/s]");
    sn_world_destroy(world);
}

// Since the start: momenta of a free system are kept, the angular one by a lever's measure, and no more than
// a part of the kinetic energy is left.
static void check_free_motion(const sn_world *world, const sn_energy *start, double lever, double most_left,
                              const char *method)
{
    sn_energy end = sn_world_energy(world);
    double scale = sqrt(2.0 * start->kinetic * start->mass);
    check_below(free_change(end.momentum, start->momentum) / scale, 1.0e-5, "%s: momentum", method);
    check_below(free_change(end.angular_momentum, start->angular_momentum) / (lever * scale), 1.0e-4,
                "%s: angular momentum", method);
    check_below(end.kinetic, most_left * start->kinetic, "%s: energy", method);
}

// Two boxes that meet askew and rub in free space.
static void test_contacts_at_once_keep_momentum(void **state)
{
    (void)state;
    for (int m = 0; m < METHODS; ++m) {
        sn_world_def def = position_def(4, 8);
        def.position.method = methods[m];
        def.gravity = sn_v(0.0f, 0.0f, 0.0f);
        sn_world *world = position_world(&def);
        sn_shape_def material = physics_material(0.5f, 0.0f);
        sn_pose left = {sn_v(-0.3f, 0.0f, 0.0f), sn_quat_axis_angle(sn_v(0.0f, 0.0f, 1.0f), 0.3f)};
        sn_rigid a = physics_box(world, material, sn_v(0.2f, 0.1f, 0.15f), left);
        physics_box(world, material, sn_v(0.1f, 0.1f, 0.1f),
                    (sn_pose){sn_v(0.2f, 0.05f, 0.02f), sn_quat_identity});
        must(sn_rigid_linear_velocity_set(world, a, sn_v(2.0f, 0.3f, 0.0f)));
        sn_energy start = sn_world_energy(world);
        physics_run(world, 1.0f / 60.0f, 1.0f);
        check_free_motion(world, &start, 0.2, 1.0, net_names[methods[m]]);
        sn_world_destroy(world);
    }
}

static sn_deformable soft_block(sn_world *world, sn_vec3 place, float friction_of_it)
{
    sn_mesh *mesh = NULL;
    must(sn_mesh_box(sn_v(0.6f, 0.2f, 0.6f), 6, 2, 6, &mesh));
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.model = sn_model_corotational(5.0e4f, 0.3f);
    def.friction = friction_of_it;
    def.pose.position = place;
    sn_deformable block;
    must(sn_deformable_add(world, &def, &block));
    sn_mesh_destroy(mesh);
    return block;
}

static sn_rigid ball_at(sn_world *world, sn_vec3 place)
{
    sn_rigid ball;
    sn_rigid_def def = sn_rigid_def_default();
    def.position = place;
    must(sn_rigid_add(world, &def, &ball));
    sn_shape_def material = physics_material(0.5f, 0.0f);
    must(sn_sphere_add(world, ball, &material, (sn_sphere){.radius = 0.15f}, NULL));
    return ball;
}

// Many contacts of a ball with a soft block, and of that with the ground.
static void test_a_ball_on_a_soft_block_rests_on_its_weight(void **state)
{
    (void)state;
    for (int m = 0; m < METHODS; ++m) {
        sn_world_def def = position_def(8, 20);
        def.position.method = methods[m];
        sn_world *world = position_world(&def);
        physics_floor(world, physics_material(0.5f, 0.0f));
        soft_block(world, sn_v(0.0f, 0.11f, 0.0f), 0.5f);
        sn_rigid ball = ball_at(world, sn_v(0.0f, 0.4f, 0.0f));
        physics_run(world, 1.0f / 60.0f, 4.0f);
        check_relative((double)sn_rigid_contact_force(world, ball).y, physics_weight(world, ball), 0.01,
                       "%s: force of the block", net_names[methods[m]]);
        check_below((double)sn_length(sn_rigid_linear_velocity(world, ball)), 5.0e-3, "%s: speed [m/s]",
                    net_names[methods[m]]);
        sn_world_destroy(world);
    }
}

// A ball that meets a soft block askew, and rubs, in free space.
static void test_contacts_of_nodes_at_once_keep_momentum(void **state)
{
    (void)state;
    for (int m = 0; m < METHODS; ++m) {
        sn_world_def def = position_def(4, 8);
        def.position.method = methods[m];
        def.gravity = sn_v(0.0f, 0.0f, 0.0f);
        sn_world *world = position_world(&def);
        soft_block(world, sn_v(0.0f, 0.0f, 0.0f), 0.5f);
        sn_rigid ball = ball_at(world, sn_v(-0.3f, 0.4f, 0.05f));
        must(sn_rigid_linear_velocity_set(world, ball, sn_v(1.0f, -2.0f, 0.0f)));
        sn_energy start = sn_world_energy(world);
        physics_run(world, 1.0f / 60.0f, 0.5f);
        check_free_motion(world, &start, 0.3, 0.95, net_names[methods[m]]);
        sn_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_boxes_stick_below_the_angle_of_friction_and_slide_above),
        physics_test(test_boxes_slide_by_coulombs_law_and_stay_down),
        physics_test(test_what_stands_rests_on_its_weight),
        physics_test(test_contacts_at_once_keep_momentum),
        physics_test(test_a_ball_on_a_soft_block_rests_on_its_weight),
        physics_test(test_contacts_of_nodes_at_once_keep_momentum)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
