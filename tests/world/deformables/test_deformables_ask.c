// Nodes that users change: edits, fixing, targets, forces.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/soft_kit.h"

static void test_edited_nodes_are_where_they_were_put(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable rope = soft_rope(world, 4, sn_v(0.0f, 0.0f, 0.0f));
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    assert_ok(sn_deformable_edit(world, rope, &nodes, &velocities));
    for (int i = 0; i < 5; ++i) {
        nodes[i].position = sn_add(nodes[i].position, sn_v(0.0f, 2.0f, 0.0f));
        velocities[i].velocity = sn_v(0.0f, 0.0f, 3.0f);
    }
    assert_true(soft_node(world, rope, 0).y == 2.0f);
    assert_true(sn_deformable_measure_now(world, rope).velocity.z == 3.0f);
    run_steps(world, 60);
    assert_float_equal(sn_deformable_measure_now(world, rope).center.z, 3.0f, 1.0e-3f);
    sn_world_destroy(world);
}

static void test_inverse_masses_written_by_mistake_are_put_right(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable rope = soft_rope(world, 4, sn_v(0.0f, 0.0f, 0.0f));
    float right = sn_deformable_nodes(world, rope)[2].inverse_mass;
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    assert_ok(sn_deformable_edit(world, rope, &nodes, &velocities));
    nodes[1].inverse_mass = NAN;
    nodes[2].inverse_mass = 1.0e30f;
    nodes[3].inverse_mass = -5.0f;
    run_steps(world, 1);
    assert_true(sn_deformable_nodes(world, rope)[2].inverse_mass == right);
    assert_true(sn_deformable_nodes(world, rope)[1].inverse_mass == 0.0f); // neither free nor sure: fixed
    assert_true(sn_deformable_nodes(world, rope)[3].inverse_mass == 0.0f);
    assert_int_equal(sn_world_statistics(world).frozen_node_count, 0);
    sn_world_destroy(world);
}

static void test_fixed_nodes_hold_and_fall_when_let_go(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable cloth = soft_cloth(world, 4, sn_v(0.0f, 0.0f, 0.0f));
    sn_vec3 left = soft_node(world, cloth, 20), right = soft_node(world, cloth, 24);
    assert_ok(sn_node_fix(world, cloth, 20, true));
    assert_ok(sn_node_fix(world, cloth, 24, true));
    run_steps(world, 60);
    assert_true(same_vec3(soft_node(world, cloth, 20), left) &&
                same_vec3(soft_node(world, cloth, 24), right));
    assert_true(soft_node(world, cloth, 2).y > -0.6f);
    assert_ok(sn_node_fix(world, cloth, 20, false));
    assert_ok(sn_node_fix(world, cloth, 24, false));
    assert_true(sn_deformable_nodes(world, cloth)[20].inverse_mass > 0.0f);
    run_steps(world, 60);
    assert_true(soft_node(world, cloth, 20).y < left.y - 3.0f);
    sn_world_destroy(world);
}

static void test_a_fixed_node_goes_evenly_to_its_target_and_stays(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable rope = soft_rope(world, 4, sn_v(0.0f, 0.0f, 0.0f));
    assert_ok(sn_node_fix(world, rope, 0, true));
    sn_vec3 target = sn_add(soft_node(world, rope, 0), sn_v(0.1f, 0.2f, -0.3f));
    assert_ok(sn_node_target_set(world, rope, 0, target));
    run_steps(world, 1);
    assert_true(same_vec3(soft_node(world, rope, 0), target));
    run_steps(world, 5);
    assert_true(same_vec3(soft_node(world, rope, 0), target));
    assert_true(same_vec3(sn_deformable_velocities(world, rope)[0].velocity, sn_v(0.0f, 0.0f, 0.0f)));
    sn_world_destroy(world);
}

// Half a metre to the side in a step: the neighbours are drawn along.
static void test_a_led_node_leads_the_others(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    assert_ok(sn_world_gravity_set(world, sn_v(0.0f, 0.0f, 0.0f)));
    sn_deformable rope = soft_rope(world, 8, sn_v(0.0f, 0.0f, 0.0f));
    assert_ok(sn_node_fix(world, rope, 8, true));
    for (int i = 0; i < 60; ++i) {
        sn_vec3 place = soft_node(world, rope, 8);
        assert_ok(sn_node_target_set(world, rope, 8, sn_add(place, sn_v(2.0f / 60.0f, 0.0f, 0.0f))));
        run_steps(world, 1);
    }
    assert_float_equal(soft_node(world, rope, 8).x, 2.5f, 1.0e-4f);
    assert_float_equal(soft_node(world, rope, 0).x, 1.5f, 0.02f);
    sn_world_destroy(world);
}

static void test_a_force_acts_during_one_step(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    assert_ok(sn_world_gravity_set(world, sn_v(0.0f, 0.0f, 0.0f)));
    sn_deformable jelly = soft_jelly(world, 1, sn_v(0.0f, 0.0f, 0.0f), 1.0e4f);
    float mass = sn_deformable_measure_now(world, jelly).mass;
    for (int i = 0; i < 8; ++i) {
        assert_ok(sn_node_force_add(world, jelly, i, sn_v(0.0f, 10.0f, 0.0f)));
        assert_ok(sn_node_force_add(world, jelly, i, sn_v(0.0f, 5.0f, 0.0f)));
    }
    run_steps(world, 1);
    assert_float_equal(sn_deformable_measure_now(world, jelly).velocity.y, 120.0f * frame / mass, 1.0e-6f);
    run_steps(world, 10);
    assert_float_equal(sn_deformable_measure_now(world, jelly).velocity.y, 120.0f * frame / mass, 1.0e-6f);
    sn_world_destroy(world);
}

static void test_linear_damping_and_gravity_scale_are_obeyed(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_mesh *mesh;
    assert_ok(sn_mesh_line(1.0f, 1, &mesh));
    sn_deformable_def def = soft_def(mesh, sn_v(0.0f, 0.0f, 0.0f));
    def.density = 1.0f;
    def.gravity_scale = -0.5f;
    sn_deformable riser = soft_add(world, &def);
    def.gravity_scale = 1.0f;
    def.linear_damping = 10.0f;
    sn_deformable sinker = soft_add(world, &def);
    run_steps(world, 120);
    assert_float_equal(sn_deformable_measure_now(world, riser).velocity.y, 0.5f * 9.81f * 2.0f, 1.0e-3f);
    assert_float_equal(sn_deformable_measure_now(world, sinker).velocity.y, -0.981f, 1.0e-3f);
    sn_mesh_destroy(mesh);
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_edited_nodes_are_where_they_were_put),
        test_with_memory(test_inverse_masses_written_by_mistake_are_put_right),
        test_with_memory(test_fixed_nodes_hold_and_fall_when_let_go),
        test_with_memory(test_a_fixed_node_goes_evenly_to_its_target_and_stays),
        test_with_memory(test_a_led_node_leads_the_others),
        test_with_memory(test_a_force_acts_during_one_step),
        test_with_memory(test_linear_damping_and_gravity_scale_are_obeyed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
