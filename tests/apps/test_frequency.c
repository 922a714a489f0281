// Frequencies that are known, and what they are for: just below the limit of Verlet a cube swings on, just
// above it explodes.
#include "apps/frequency.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static sn_world *make_world(void)
{
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    def.gravity = sn_v(0.0f, 0.0f, 0.0f);
    def.sub_steps = 1;
    def.sleep = false;
    assert_int_equal(sn_world_create(&def, &world), SN_OK);
    return world;
}

static sn_deformable add(sn_world *world, sn_mesh *mesh, sn_model model, float node_mass)
{
    float masses[64];
    for (int i = 0; i < 64; ++i) {
        masses[i] = node_mass;
    }
    sn_deformable_def def = sn_deformable_def_default();
    sn_deformable deformable;
    def.mesh = mesh;
    def.node_masses = masses;
    def.model = model;
    def.integrator = SN_INTEGRATOR_VERLET;
    assert_true(sn_mesh_node_count(mesh) <= 64);
    assert_int_equal(sn_deformable_add(world, &def, &deformable), SN_OK);
    sn_mesh_destroy(mesh);
    return deformable;
}

// Two masses on a spring: ω² = 2k/m. A long chain: nearly 4k/m.
static void test_springs_swing_as_known(void **state)
{
    (void)state;
    sn_world *world = make_world();
    sn_mesh *mesh;
    sn_model model = {.type = SN_MODEL_SPRING_FORCES, .stiffness = 50.0f};
    assert_int_equal(sn_mesh_line(1.0f, 1, &mesh), SN_OK);
    assert_float_equal(frequency_highest(world, add(world, mesh, model, 2.0f)), sqrt(50.0), 1e-3);
    assert_int_equal(sn_mesh_line(1.0f, 40, &mesh), SN_OK);
    assert_float_equal(frequency_highest(world, add(world, mesh, model, 2.0f)), 10.0, 0.2);
    // Energies have k/ℓ² for k.
    model.type = SN_MODEL_ENERGY;
    assert_int_equal(sn_mesh_line(0.5f, 1, &mesh), SN_OK);
    assert_float_equal(frequency_highest(world, add(world, mesh, model, 2.0f)), sqrt(200.0), 1e-3);
    sn_world_destroy(world);
}

static void test_models_made_of_rows_have_none(void **state)
{
    (void)state;
    sn_world *world = make_world();
    sn_mesh *mesh;
    sn_deformable_def def = sn_deformable_def_default();
    sn_deformable deformable;
    assert_int_equal(sn_mesh_box(sn_v(1.0f, 1.0f, 1.0f), 1, 1, 1, &mesh), SN_OK);
    def.mesh = mesh;
    def.model = sn_model_corotational(1e4f, 0.3f);
    assert_int_equal(sn_deformable_add(world, &def, &deformable), SN_OK);
    sn_mesh_destroy(mesh);
    assert_true(frequency_highest(world, deformable) == 0.0);
    sn_world_destroy(world);
}

// Stretched a little; whether it stays within a metre for two thousand steps.
static bool swings_on(sn_model model, double phase)
{
    sn_world *world = make_world();
    sn_mesh *mesh;
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    assert_int_equal(sn_mesh_box(sn_v(0.1f, 0.1f, 0.1f), 2, 2, 2, &mesh), SN_OK);
    sn_deformable cube = add(world, mesh, model, 0.01f);
    float step = (float)(phase / frequency_highest(world, cube));
    assert_int_equal(sn_deformable_edit(world, cube, &nodes, &velocities), SN_OK);
    for (int i = 0; i < sn_deformable_node_count(world, cube); ++i) {
        nodes[i].position.x *= 1.0f + 1e-3f * (float)(i % 3);
    }
    for (int i = 0; i < 2000; ++i) {
        assert_int_equal(sn_world_step(world, step), SN_OK);
    }
    sn_bounds bounds = sn_deformable_measure_now(world, cube).bounds;
    bool is_whole = sn_length(bounds.lower) < 1.0f && sn_length(bounds.upper) < 1.0f;
    sn_world_destroy(world);
    return is_whole;
}

// Where a step is too long for Verlet, the model takes implicit steps instead.
static void test_nothing_explodes_beyond_the_step_that_the_frequency_allows(void **state)
{
    (void)state;
    const sn_model models[] = {
        {.type = SN_MODEL_SPRING_FORCES, .stiffness = 500.0f},
        {.type = SN_MODEL_ENERGY, .stiffness = 10.0f, .volume_stiffness = 20.0f},
        {.type = SN_MODEL_COROTATIONAL_EXPLICIT, .young = 2e4f, .poisson = 0.3f},
    };
    for (int i = 0; i < 3; ++i) {
        assert_true(swings_on(models[i], 1.8));
        assert_true(swings_on(models[i], 2.2));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_springs_swing_as_known),
        cmocka_unit_test(test_models_made_of_rows_have_none),
        cmocka_unit_test(test_nothing_explodes_beyond_the_step_that_the_frequency_allows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
