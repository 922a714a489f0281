// Jellies of every model, flattened into a plane, a line or a point, turned into their mirror image, or with
// all nodes thrown together at random, return to their rest shape: 100 of 100, within a thousandth of their
// size.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/model_rig.h"
#include "support/physics.h"
#include "support/random.h"

// Of scrambled ones, and of all that are flat or mirrored together.
enum { SEEDS = 100, CELLS = 2 };

static const float size = 0.2f, patience = 6.0f, frame = 1.0f / 60.0f;

typedef enum ruin { PLANE, LINE, POINT, MIRROR, SCRAMBLED, RUINS } ruin;

static const char *const ruin_names[RUINS] = {"a plane", "a line", "a point", "its mirror image",
                                              "scrambled"};

static sn_vec3 ruined(ruin ruin, sn_vec3 x, sn_vec3 direction, test_random *random)
{
    float along = sn_dot(x, direction);
    switch (ruin) {
    case PLANE:
        return sn_add_scaled(x, -along, direction);
    case LINE:
        return sn_scale(direction, along);
    case POINT:
        return sn_v(0.0f, 0.0f, 0.0f);
    case MIRROR:
        return sn_add_scaled(x, -2.0f * along, direction);
    default:
        return test_random_vec3(random, 0.5f * size);
    }
}

// Every other seed is not quite exact, as states of bodies hardly ever are.
static void ruin_nodes(sn_world *world, sn_deformable jelly, ruin ruin, int seed)
{
    test_random random = {(uint64_t)seed * 7919u + 12345u};
    sn_vec3 direction = test_random_direction(&random);
    sn_node_state *nodes = NULL;
    sn_node_velocity *velocities = NULL;
    must(sn_deformable_edit(world, jelly, &nodes, &velocities));
    for (int i = 0; i < sn_deformable_node_count(world, jelly); ++i) {
        nodes[i].position = ruined(ruin, nodes[i].position, direction, &random);
        sn_vec3 inexact = test_random_vec3(&random, 1.0e-6f);
        nodes[i].position = seed % 2 == 0 ? nodes[i].position : sn_add(nodes[i].position, inexact);
    }
}

// How far it is from its rest shape in the end, and whether it stood still as a whole.
static float recover(sn_model model, ruin ruin, int seed)
{
    sn_world *world = physics_world_without_gravity();
    sn_mesh *mesh = jelly_mesh(CELLS);
    sn_deformable_def def = sn_deformable_def_default();
    sn_deformable jelly = {0};
    def.mesh = mesh;
    def.model = model;
    def.collide = false;
    must(sn_deformable_add(world, &def, &jelly));
    ruin_nodes(world, jelly, ruin, seed);
    float error = 1.0f;
    for (int i = 0; i < (int)(patience / frame) && !(error < 0.5e-3f * size); ++i) {
        must(sn_world_step(world, frame));
        if (i % 15 == 14) {
            error = rest_error(mesh, sn_deformable_nodes(world, jelly));
        }
    }
    sn_vec3 drift = sn_deformable_measure_now(world, jelly).velocity;
    error = sn_length(drift) < 1.0e-4f && sn_deformable_frozen_count(world, jelly) == 0 ? error : 1.0f;
    sn_mesh_destroy(mesh);
    sn_world_destroy(world);
    return error;
}

static void check_recovery(const char *name, sn_model model)
{
    for (int r = 0; r < RUINS; ++r) {
        int good = 0, seeds = r == SCRAMBLED ? SEEDS : SEEDS / 4;
        float worst = 0.0f;
        for (int seed = 0; seed < seeds; ++seed) {
            float error = recover(model, (ruin)r, seed);
            good += error < 1.0e-3f * size ? 1 : 0;
            worst = sn_max(worst, error);
        }
        check_near((double)good, (double)seeds, 0.0, "%s from %s: returned", name, ruin_names[r]);
        check_below((double)(worst / size), 1.0e-3, "%s from %s: worst distance, in sizes", name,
                    ruin_names[r]);
    }
}

static sn_model elements(sn_model_type type, float young, float poisson)
{
    sn_model model = sn_model_corotational(young, poisson);
    model.type = type;
    model.damping = 0.01f;
    return model;
}

static void test_rows_of_corotational_elements_recover(void **state)
{
    (void)state;
    check_recovery("corotational rows", elements(SN_MODEL_COROTATIONAL, 1.0e4f, 0.3f));
    check_recovery("corotational rows, nu 0.49", elements(SN_MODEL_COROTATIONAL, 1.0e5f, 0.49f));
}

static void test_explicit_elements_recover(void **state)
{
    (void)state;
    check_recovery("explicit elements", elements(SN_MODEL_COROTATIONAL_EXPLICIT, 1.0e5f, 0.3f));
}

static void test_implicit_elements_recover(void **state)
{
    (void)state;
    check_recovery("implicit elements", elements(SN_MODEL_COROTATIONAL_IMPLICIT, 1.0e5f, 0.45f));
}

static void test_neo_hookean_elements_recover(void **state)
{
    (void)state;
    check_recovery("neo-Hookean rows", elements(SN_MODEL_NEO_HOOKEAN, 1.0e4f, 0.3f));
    check_recovery("neo-Hookean rows, nu 0.49", elements(SN_MODEL_NEO_HOOKEAN, 1.0e5f, 0.49f));
}

static void test_position_based_jellies_recover(void **state)
{
    (void)state;
    sn_model model = sn_model_position_based(0.5f, 0.5f);
    model.damping = 0.1f;
    check_recovery("position-based", model);
    check_recovery("position-based, hard", sn_model_position_based(1.0f, 1.0f));
}

static void test_matched_shapes_recover(void **state)
{
    (void)state;
    sn_model clusters = sn_model_shape_matching(0.8f, SN_MATCH_RIGID, 0.0f);
    clusters.cluster_rings = 1;
    clusters.damping = 0.1f;
    check_recovery("linear matching", sn_model_shape_matching(0.5f, SN_MATCH_LINEAR, 0.5f));
    check_recovery("quadratic matching", sn_model_shape_matching(0.5f, SN_MATCH_QUADRATIC, 0.5f));
    check_recovery("matching in clusters", clusters);
}

static void test_energies_recover(void **state)
{
    (void)state;
    sn_model model = {
        .type = SN_MODEL_ENERGY, .stiffness = 20.0f, .volume_stiffness = 20.0f, .damping = 0.2f};
    check_recovery("energies", model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_rows_of_corotational_elements_recover),
        physics_test(test_explicit_elements_recover),
        physics_test(test_implicit_elements_recover),
        physics_test(test_neo_hookean_elements_recover),
        physics_test(test_position_based_jellies_recover),
        physics_test(test_matched_shapes_recover),
        physics_test(test_energies_recover),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
