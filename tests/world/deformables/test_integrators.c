// Integrators in a world: what definitions may ask for, threads, snapshots, nodes that are edited, fixed and
// led, explosions.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/soft_kit.h"
#include <stdlib.h>
#include <string.h>

enum { FORCE_MODELS = 4 };

static const sn_model force_models[FORCE_MODELS] = {
    {.type = SN_MODEL_NONE},
    {.type = SN_MODEL_SPRING_FORCES, .stiffness = 1000.0f, .damping = 5.0f},
    {.type = SN_MODEL_COROTATIONAL_EXPLICIT, .young = 2.0e4f, .poisson = 0.3f, .damping = 0.005f},
    {.type = SN_MODEL_ENERGY,
     .stiffness = 20.0f,
     .area_stiffness = 5.0f,
     .volume_stiffness = 5.0f,
     .damping = 0.1f},
};

// A block of 0.2 m and 8 kg.
static sn_deformable_def block_def(sn_model model, sn_integrator integrator, sn_vec3 position)
{
    sn_mesh *mesh = NULL;
    assert_ok(sn_mesh_box(sn_v(0.2f, 0.2f, 0.2f), 2, 2, 2, &mesh));
    sn_deformable_def def = soft_def(mesh, position);
    def.model = model;
    def.integrator = integrator;
    def.collide = true;
    return def;
}

static sn_deformable add_block(sn_world *world, sn_model model, sn_integrator integrator, sn_vec3 position)
{
    sn_deformable_def def = block_def(model, integrator, position);
    sn_deformable block = soft_add(world, &def);
    sn_mesh_destroy((sn_mesh *)def.mesh);
    return block;
}

// --- definitions -------------------------------------------------------------------------------------------

static void test_integrators_out_of_the_list_are_refused(void **state)
{
    (void)state;
    const int wrong[] = {-1, SN_INTEGRATOR_COUNT, 1000000};
    sn_world *world = soft_restless_world();
    uint64_t before = sn_world_hash(world);
    for (int i = 0; i < 3; ++i) {
        sn_deformable_def def = block_def(force_models[1], (sn_integrator)wrong[i], sn_v(0.0f, 0.0f, 0.0f));
        assert_int_equal(sn_deformable_add(world, &def, NULL), SN_ERROR_RANGE);
        assert_non_null(strstr(sn_world_error(world), "integrator"));
        sn_mesh_destroy((sn_mesh *)def.mesh);
    }
    assert_int_equal(sn_world_hash(world), before);
    sn_world_destroy(world);
}

static void test_models_that_are_no_forces_take_the_default_alone(void **state)
{
    (void)state;
    const sn_model models[] = {sn_model_springs(100.0f, 1.0f),
                               sn_model_corotational(1.0e4f, 0.3f),
                               sn_model_neo_hookean(1.0e4f, 0.3f),
                               sn_model_position_based(0.5f, 0.5f),
                               sn_model_shape_matching(0.5f, SN_MATCH_RIGID, 0.0f),
                               {.type = SN_MODEL_COROTATIONAL_IMPLICIT, .young = 1.0e4f, .poisson = 0.3f}};
    sn_world *world = soft_restless_world();
    for (size_t i = 0; i < sizeof models / sizeof *models; ++i) {
        for (int k = 0; k < SN_INTEGRATOR_COUNT; ++k) {
            sn_deformable_def def = block_def(models[i], (sn_integrator)k, sn_v(0.0f, 0.0f, 0.0f));
            assert_int_equal(sn_deformable_add(world, &def, NULL), k == 0 ? SN_OK : SN_ERROR_KIND);
            sn_mesh_destroy((sn_mesh *)def.mesh);
        }
    }
    sn_world_destroy(world);
}

static void test_the_definition_tells_the_integrator(void **state)
{
    (void)state;
    sn_world *world = soft_restless_world();
    for (int k = 0; k < SN_INTEGRATOR_COUNT; ++k) {
        sn_deformable block = add_block(world, force_models[k % FORCE_MODELS], (sn_integrator)k,
                                        sn_v(0.5f * (float)k, 0.0f, 0.0f));
        assert_int_equal(sn_deformable_definition(world, block).integrator, k);
    }
    sn_world_destroy(world);
}

// --- bit for bit -------------------------------------------------------------------------------------------

// Every model by every integrator, on a floor, one of each hung up; all touch others.
static sn_world *full_world(int threads)
{
    sn_world_def settings = sn_world_def_default();
    settings.threads = threads;
    sn_world *world = NULL;
    assert_ok(sn_world_create(&settings, &world));
    add_floor(world);
    for (int m = 0; m < FORCE_MODELS; ++m) {
        for (int k = 0; k < SN_INTEGRATOR_COUNT; ++k) {
            sn_vec3 place = sn_v(0.19f * (float)k, 0.15f + 0.2f * (float)m, 0.02f * (float)(k + m));
            sn_deformable block = add_block(world, force_models[m], (sn_integrator)k, place);
            if (m == FORCE_MODELS - 1) {
                soft_tie(world, sn_point_node(block, 0), sn_point_world(soft_node(world, block, 0)));
            }
        }
    }
    return world;
}

static void test_threads_do_not_change_a_bit(void **state)
{
    (void)state;
    uint64_t hashes[3];
    for (int i = 0; i < 3; ++i) {
        sn_world *world = full_world(1 << i);
        run_steps(world, 15);
        hashes[i] = sn_world_hash(world);
        sn_world_destroy(world);
    }
    assert_int_equal(hashes[0], hashes[1]);
    assert_int_equal(hashes[0], hashes[2]);
}

static void test_a_restored_world_goes_on_bit_for_bit(void **state)
{
    (void)state;
    sn_world *world = full_world(1), *other = kit_world();
    run_steps(world, 12);
    size_t size = 0;
    assert_ok(sn_world_save(world, NULL, 0, &size));
    void *bytes = malloc(size);
    assert_non_null(bytes);
    assert_ok(sn_world_save(world, bytes, size, &size));
    assert_ok(sn_world_restore(other, bytes, size));
    assert_int_equal(sn_world_hash(world), sn_world_hash(other));
    for (int i = 0; i < 12; ++i) {
        run_steps(world, 1);
        run_steps(other, 1);
        assert_int_equal(sn_world_hash(world), sn_world_hash(other));
    }
    free(bytes);
    sn_world_destroy(world);
    sn_world_destroy(other);
}

// What Verlet remembers is of places that are no more: as if it had never been there.
static void test_edited_nodes_go_on_as_if_fresh(void **state)
{
    (void)state;
    for (int m = 1; m < FORCE_MODELS; m += 2) {
        sn_vec3 ends[2];
        for (int run = 0; run < 2; ++run) {
            sn_world *world = soft_restless_world();
            sn_deformable block =
                add_block(world, force_models[m], SN_INTEGRATOR_VERLET, sn_v(0.0f, 0.0f, 0.0f));
            if (run == 1) {
                run_steps(world, 5);
            }
            const sn_mesh *mesh = sn_deformable_mesh(world, block);
            sn_node_state *nodes;
            sn_node_velocity *velocities;
            assert_ok(sn_deformable_edit(world, block, &nodes, &velocities));
            for (int i = 0; i < sn_deformable_node_count(world, block); ++i) {
                nodes[i].position = sn_scale(sn_mesh_nodes(mesh)[i], 1.1f);
                velocities[i].velocity = sn_v(0.0f, 0.0f, 0.0f);
            }
            run_steps(world, 5);
            ends[run] = soft_node(world, block, 4);
            sn_world_destroy(world);
        }
        assert_true(sn_distance_between(ends[0], ends[1]) < 1.0e-6f);
    }
}

// --- nodes -------------------------------------------------------------------------------------------------

static void test_led_nodes_arrive_and_pull_the_rest_along(void **state)
{
    (void)state;
    for (int k = 0; k < SN_INTEGRATOR_COUNT; ++k) {
        sn_world *world = soft_restless_world();
        sn_deformable block = add_block(world, force_models[1], (sn_integrator)k, sn_v(0.0f, 1.0f, 0.0f));
        sn_vec3 place = soft_node(world, block, 0);
        assert_ok(sn_node_fix(world, block, 0, true));
        for (int i = 0; i < 120; ++i) {
            place.x += 0.005f;
            assert_ok(sn_node_target_set(world, block, 0, place));
            run_steps(world, 1);
            sn_vec3 now = soft_node(world, block, 0);
            assert_true(now.x == place.x && now.y == place.y && now.z == place.z);
        }
        assert_true(sn_deformable_measure_now(world, block).center.x > 0.4f);
        assert_int_equal(sn_deformable_frozen_count(world, block), 0);
        sn_world_destroy(world);
    }
}

static void test_forces_of_the_user_act_for_one_step(void **state)
{
    (void)state;
    for (int k = 0; k < SN_INTEGRATOR_COUNT; ++k) {
        sn_world *world = soft_restless_world();
        sn_deformable_def def = block_def(force_models[0], (sn_integrator)k, sn_v(0.0f, 0.0f, 0.0f));
        def.mass = 27.0f;
        def.gravity_scale = 0.0f;
        sn_deformable block = soft_add(world, &def);
        sn_mesh_destroy((sn_mesh *)def.mesh);
        float mass = 1.0f / sn_deformable_nodes(world, block)[5].inverse_mass;
        assert_ok(sn_node_force_add(world, block, 5, sn_v(0.0f, 60.0f * mass, 0.0f)));
        run_steps(world, 3);
        assert_near(sn_deformable_velocities(world, block)[5].velocity.y, 1.0f, 1.0e-5f);
        assert_true(sn_deformable_velocities(world, block)[6].velocity.y == 0.0f);
        sn_world_destroy(world);
    }
}

// Limits and bending are rows, which act on the mean velocities of a scheme.
static void test_rows_hold_free_nodes_together(void **state)
{
    (void)state;
    for (int k = 0; k < SN_INTEGRATOR_COUNT; ++k) {
        sn_world *world = soft_restless_world();
        sn_mesh *mesh = NULL;
        assert_ok(sn_mesh_line(1.0f, 10, &mesh));
        sn_deformable_def def = soft_def(mesh, sn_v(0.0f, 0.0f, 0.0f));
        def.mass = 0.5f;
        def.inextensible.on = true;
        def.integrator = (sn_integrator)k;
        def.linear_damping = 1.0f;
        sn_deformable rope = soft_add(world, &def);
        sn_mesh_destroy(mesh);
        assert_ok(sn_node_fix(world, rope, 0, true));
        run_steps(world, 600);
        assert_true(sn_deformable_measure_now(world, rope).largest_stretch < 1.0e-3f);
        sn_vec3 end = soft_node(world, rope, 10), start = soft_node(world, rope, 0);
        assert_near(start.y - end.y, 1.0f, 2.0e-3f);
        sn_world_destroy(world);
    }
}

static void test_blocks_at_rest_fall_asleep(void **state)
{
    (void)state;
    for (int k = 0; k < SN_INTEGRATOR_COUNT; ++k) {
        sn_world *world = kit_world();
        add_floor(world);
        sn_deformable block = add_block(world, force_models[2], (sn_integrator)k, sn_v(0.0f, 0.11f, 0.0f));
        run_steps(world, 300);
        assert_false(sn_deformable_is_awake(world, block));
        sn_world_destroy(world);
    }
}

static void test_the_staggered_solver_completes_steps_too(void **state)
{
    (void)state;
    for (int k = 0; k < SN_INTEGRATOR_COUNT; ++k) {
        sn_world_def settings = sn_world_def_default();
        settings.solver = SN_SOLVER_STAGGERED;
        settings.sleep = false;
        sn_world *world = NULL;
        assert_ok(sn_world_create(&settings, &world));
        sn_deformable block = add_block(world, force_models[0], (sn_integrator)k, sn_v(0.0f, 0.0f, 0.0f));
        run_steps(world, 60);
        assert_near(sn_deformable_velocities(world, block)[3].velocity.y, -9.81f, 1.0e-3f);
        sn_world_destroy(world);
    }
}

// --- what they do not bear ---------------------------------------------------------------------------------

// A million times too stiff: what is left are numbers, and the rest of the world goes on.
static void test_explosions_stay_finite(void **state)
{
    (void)state;
    for (int m = 1; m < FORCE_MODELS; ++m) {
        for (int k = 1; k < SN_INTEGRATOR_COUNT; ++k) {
            sn_world *world = soft_restless_world();
            sn_model model = force_models[m];
            model.stiffness *= 1.0e6f;
            model.young *= 1.0e6f;
            sn_rigid ball = add_ball_at(world, 0.1f, 50.0f, 0.0f, 0.0f);
            sn_deformable_def def = block_def(model, (sn_integrator)k, sn_v(0.0f, 0.0f, 0.0f));
            def.collide = false; // nodes fly about
            sn_deformable block = soft_add(world, &def);
            sn_mesh_destroy((sn_mesh *)def.mesh);
            sn_node_state *nodes;
            sn_node_velocity *velocities;
            assert_ok(sn_deformable_edit(world, block, &nodes, &velocities));
            nodes[3].position.x += 0.01f;
            run_steps(world, 30);
            for (int i = 0; i < sn_deformable_node_count(world, block); ++i) {
                assert_true(sn_vec3_is_finite(soft_node(world, block, i)));
                assert_true(sn_vec3_is_finite(sn_deformable_velocities(world, block)[i].velocity));
            }
            if (k == SN_INTEGRATOR_IMPLICIT_EULER) {
                assert_int_equal(sn_deformable_frozen_count(world, block), 0);
            }
            assert_near(sn_rigid_linear_velocity(world, ball).y, -4.905f, 1.0e-3f);
            sn_world_destroy(world);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_integrators_out_of_the_list_are_refused),
        test_with_memory(test_models_that_are_no_forces_take_the_default_alone),
        test_with_memory(test_the_definition_tells_the_integrator),
        test_with_memory(test_threads_do_not_change_a_bit),
        test_with_memory(test_a_restored_world_goes_on_bit_for_bit),
        test_with_memory(test_edited_nodes_go_on_as_if_fresh),
        test_with_memory(test_led_nodes_arrive_and_pull_the_rest_along),
        test_with_memory(test_forces_of_the_user_act_for_one_step),
        test_with_memory(test_rows_hold_free_nodes_together),
        test_with_memory(test_blocks_at_rest_fall_asleep),
        test_with_memory(test_the_staggered_solver_completes_steps_too),
        test_with_memory(test_explosions_stay_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
