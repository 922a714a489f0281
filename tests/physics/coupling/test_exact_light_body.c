// A light body on a long arm, held exactly by a node much heavier than itself and dropped on a floor. The
// contact stops the body alone before the body and its node share what it did: moved by that, it would turn
// by radians within a sub-step, and explode. It never gains energy.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/exact_kit.h"

static const float half = 0.05f;

// Kinetic energy and that of gravity [J].
static double energy_of(const sn_world *world, sn_deformable soft, sn_rigid body, float mass)
{
    const sn_node_state *nodes = sn_deformable_nodes(world, soft);
    const sn_node_velocity *velocities = sn_deformable_velocities(world, soft);
    double sum = 0.0;
    for (int i = 0; i < sn_deformable_node_count(world, soft); ++i) {
        double speed2 = (double)sn_length_squared(velocities[i].velocity);
        sum += (0.5 * speed2 + 9.81 * (double)nodes[i].position.y) / (double)nodes[i].inverse_mass;
    }
    double inertia = (double)(mass * half * half) * 2.0 / 3.0;
    double speed2 = (double)sn_length_squared(sn_rigid_linear_velocity(world, body));
    double spin2 = (double)sn_length_squared(sn_rigid_angular_velocity(world, body));
    return sum + (double)mass * (0.5 * speed2 + 9.81 * (double)sn_rigid_position(world, body).y) +
           0.5 * inertia * spin2;
}

// A cube of 10 kg and 64 nodes.
static sn_deformable add_jelly(sn_world *world)
{
    sn_mesh *mesh = NULL;
    assert_ok(sn_mesh_box(sn_v(0.4f, 0.4f, 0.4f), 3, 3, 3, &mesh));
    sn_deformable_def def = soft_def(mesh, sn_v(0.0f, 1.0f, 0.0f));
    def.collide = true;
    def.mass = 10.0f;
    def.model = sn_model_corotational(1.0e4f, 0.4f);
    def.model.damping = 0.02f;
    sn_deformable jelly = soft_add(world, &def);
    sn_mesh_destroy(mesh);
    return jelly;
}

// A box below node 0 of a jelly, for four seconds.
static void drop(float arm, float mass)
{
    sn_world *world = soft_restless_world();
    assert_ok(sn_plane_add(world, sn_world_ground(world), NULL, (sn_plane){{0, 1, 0}, 0}, NULL));
    sn_deformable jelly = add_jelly(world);
    sn_rigid_def def = sn_rigid_def_default();
    def.position = sn_sub(soft_node(world, jelly, 0), sn_v(0.0f, arm, 0.0f));
    sn_shape_def shape = sn_shape_def_default();
    shape.density = mass / (8.0f * half * half * half);
    sn_rigid body;
    assert_ok(sn_rigid_add(world, &def, &body));
    assert_ok(sn_box_add(world, body, &shape, (sn_box){{half, half, half}}, NULL));
    (void)exact_tie(world, sn_point_rigid(body, sn_v(0.0f, arm, 0.0f)), sn_point_node(jelly, 0));
    double start = energy_of(world, jelly, body, mass), highest = start;
    for (int i = 0; i < 240; ++i) {
        assert_ok(sn_world_step(world, 1.0f / 60.0f));
        double energy = energy_of(world, jelly, body, mass);
        highest = energy > highest ? energy : highest;
    }
    if (highest > 1.0001 * start) {
        fail_msg("arm %g m, %g kg: %g J became %g J", (double)arm, (double)mass, start, highest);
    }
    sn_world_destroy(world);
}

static void test_a_light_body_on_a_long_arm_gains_no_energy_on_the_floor(void **state)
{
    (void)state;
    const float arms[] = {0.3f, 0.6f, 0.7f}, masses[] = {0.1f, 0.01f, 0.001f};
    for (int i = 0; i < 9; ++i) {
        drop(arms[i / 3], masses[i % 3]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_light_body_on_a_long_arm_gains_no_energy_on_the_floor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
