// Steps that are too long, too short or non-finite, and states no one would build: deformables turned inside
// out, flat, without volume, on surfaces that fold back on themselves. Nothing bursts, nothing hangs.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/random.h"
#include "support/scenes.h"
#include "support/soft_kit.h"

static const char *const scenes[] = {"hanging_cloth", "jelly_and_rods", "cloth_on_spheres", "folding_cloth",
                                     "jelly_stack",   "models",         "cushions",         "ropes"};
enum { SCENES = sizeof scenes / sizeof *scenes };

static test_scene_run open_scene(const char *name)
{
    sn_world_def def = sn_world_def_default();
    test_scene_run run;
    assert_ok(test_scene_open(test_scene_find(name), &def, &run));
    return run;
}

// --- durations ---------------------------------------------------------------------------------------------

static void test_bad_durations_change_nothing(void **state)
{
    (void)state;
    const struct {
        float duration;
        sn_status expected;
    } rows[] = {{0.0f, SN_ERROR_RANGE},     {-0.0f, SN_ERROR_RANGE},         {-1.0f / 60.0f, SN_ERROR_RANGE},
                {NAN, SN_ERROR_NOT_FINITE}, {INFINITY, SN_ERROR_NOT_FINITE}, {1.001f, SN_ERROR_RANGE},
                {1.0e-7f, SN_ERROR_RANGE}};
    for (int i = 0; i < SCENES; ++i) {
        test_scene_run run = open_scene(scenes[i]);
        assert_ok(test_scene_step(&run, 10));
        uint64_t hash = sn_world_hash(run.world);
        for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
            assert_int_equal(sn_world_step(run.world, rows[k].duration), rows[k].expected);
            assert_int_equal(sn_world_hash(run.world), hash);
        }
        test_scene_close(&run);
    }
}

static int frozen_after(const char *name, float duration, int steps)
{
    test_scene_run run = open_scene(name);
    for (int k = 0; k < steps; ++k) {
        assert_ok(sn_world_step(run.world, duration));
        assert_true(sn_world_hash(run.world) != 0);
    }
    int frozen = sn_world_statistics(run.world).frozen_node_count;
    test_scene_close(&run);
    return frozen;
}

// Contacts are looked for once a step: in a second, stacks fall into each other, and may freeze when that
// cannot be undone. Six times the usual duration does no harm at all.
static void test_long_and_short_steps_do_no_harm(void **state)
{
    (void)state;
    for (int i = 0; i < SCENES; ++i) {
        (void)frozen_after(scenes[i], 1.0f, 4);
        int frozen = frozen_after(scenes[i], 0.1f, 20) + frozen_after(scenes[i], 1.0e-6f, 10);
        if (frozen != 0) {
            fail_msg("%s: %d nodes are frozen", scenes[i], frozen);
        }
    }
}

// --- states ------------------------------------------------------------------------------------------------

typedef sn_vec3 (*spoiling)(sn_vec3 place, test_random *random);

static sn_vec3 flattened(sn_vec3 p, test_random *random)
{
    (void)random;
    return sn_v(p.x, 0.0f, p.z);
}
static sn_vec3 mirrored(sn_vec3 p, test_random *random)
{
    (void)random;
    return sn_v(-p.x, p.y, p.z);
}
static sn_vec3 in_one_place(sn_vec3 p, test_random *random)
{
    (void)p;
    (void)random;
    return sn_v(0.1f, 0.2f, 0.3f);
}
static sn_vec3 on_a_line(sn_vec3 p, test_random *random)
{
    (void)random;
    return sn_v(p.x, 0.0f, 0.0f);
}
static sn_vec3 scrambled(sn_vec3 p, test_random *random)
{
    return sn_add(p, test_random_vec3(random, 0.3f));
}

static const sn_model models[] = {
    {.type = SN_MODEL_SPRINGS, .stiffness = 3.0e3f, .damping = 3.0f},
    {.type = SN_MODEL_SPRING_FORCES, .stiffness = 3.0e3f, .damping = 3.0f},
    {.type = SN_MODEL_COROTATIONAL, .young = 5.0e4f, .poisson = 0.4f, .damping = 0.01f},
    {.type = SN_MODEL_COROTATIONAL_EXPLICIT, .young = 1.0e4f, .poisson = 0.3f, .damping = 0.01f},
    {.type = SN_MODEL_COROTATIONAL_IMPLICIT, .young = 5.0e4f, .poisson = 0.3f, .damping = 0.01f},
    {.type = SN_MODEL_NEO_HOOKEAN, .young = 5.0e4f, .poisson = 0.4f, .damping = 0.01f},
    {.type = SN_MODEL_POSITION_BASED, .stiffness = 0.8f, .volume_stiffness = 0.8f},
    {.type = SN_MODEL_SHAPE_MATCHING, .stiffness = 0.8f, .matching = SN_MATCH_QUADRATIC},
    {.type = SN_MODEL_ENERGY, .stiffness = 1.0e3f, .area_stiffness = 10.0f, .volume_stiffness = 10.0f},
};
enum { MODELS = sizeof models / sizeof *models };

// A cube of the model, spoilt, between a floor and a box; and a sheet that is spoilt in the same way.
static void check_spoilt(const sn_model *model, spoiling spoil)
{
    sn_world *world = kit_world();
    add_floor(world);
    sn_mesh *cube, *sheet;
    assert_ok(sn_mesh_box(sn_v(0.4f, 0.4f, 0.4f), 2, 2, 2, &cube));
    assert_ok(sn_mesh_grid(0.5f, 0.5f, 4, 4, SN_GRID_CROSSED, &sheet));
    sn_deformable things[2];
    for (int i = 0; i < 2; ++i) {
        sn_deformable_def def = soft_def(i == 0 ? cube : sheet, sn_v(0.0f, 0.5f, 5.0f * (float)i));
        def.collide = def.self_collide = true;
        def.density = i == 0 ? 100.0f : 1.0f;
        def.model = i == 0 ? *model : sn_model_none();
        def.inextensible.on = i == 1;
        def.bending.type = i == 1 ? SN_BENDING_DIHEDRAL : SN_BENDING_NONE;
        def.bending.stiffness = 1.0e-3f;
        things[i] = soft_add(world, &def);
        sn_node_state *nodes;
        sn_node_velocity *velocities;
        test_random random = {3};
        assert_ok(sn_deformable_edit(world, things[i], &nodes, &velocities));
        for (int k = 0; k < sn_deformable_node_count(world, things[i]); ++k) {
            sn_vec3 from_middle = sn_sub(nodes[k].position, def.pose.position);
            nodes[k].position = sn_add(def.pose.position, spoil(from_middle, &random));
        }
    }
    (void)add_box_at(world, 0.2f, 0.0f, 0.9f, 0.0f);
    run_steps(world, 60);
    for (int i = 0; i < 2; ++i) {
        if (sn_deformable_frozen_count(world, things[i]) != 0) {
            fail_msg("model %d, thing %d: frozen", (int)model->type, i);
        }
        sn_deformable_measure now = sn_deformable_measure_now(world, things[i]);
        assert_true(sn_length(now.velocity) < 100.0f && sn_length(now.center) < 100.0f);
    }
    sn_mesh_destroy(cube);
    sn_mesh_destroy(sheet);
    sn_world_destroy(world);
}

static void test_flat_inverted_and_scrambled_states_do_no_harm(void **state)
{
    (void)state;
    const spoiling spoilings[] = {flattened, mirrored, in_one_place, on_a_line, scrambled};
    for (int m = 0; m < MODELS; ++m) {
        for (int i = 0; i < 5; ++i) {
            check_spoilt(&models[m], spoilings[i]);
        }
    }
}

// Three leaves at one edge, a leaf joined by a corner only, and a strip with a half twist.
static void test_surfaces_that_are_no_manifolds_fall_and_come_to_rest(void **state)
{
    (void)state;
    const sn_vec3 places[] = {{0, 0, 0},       {0, 0, 0.3f},         {0.3f, 0, 0},       {-0.3f, 0, 0},
                              {0, 0.3f, 0.1f}, {-0.2f, 0.2f, -0.3f}, {0.2f, 0.1f, -0.3f}};
    const uint32_t leaves[] = {0, 1, 2, 0, 1, 3, 0, 1, 4, 0, 5, 6};
    sn_mesh_def def = sn_mesh_def_default();
    def.nodes = places;
    def.node_count = 7;
    def.triangles = leaves;
    def.triangle_count = 4;
    sn_mesh *mesh;
    assert_ok(sn_mesh_create(&def, &mesh));
    assert_false(sn_mesh_is_manifold(mesh) || sn_mesh_is_closed(mesh));
    const sn_bending_type bendings[] = {SN_BENDING_NONE, SN_BENDING_DIAGONAL, SN_BENDING_DIHEDRAL,
                                        SN_BENDING_ISOMETRIC};
    for (int i = 0; i < 4; ++i) {
        sn_world *world = kit_world();
        add_floor(world);
        sn_deformable_def book = soft_def(mesh, sn_v(0.0f, 0.5f, 0.0f));
        book.collide = book.self_collide = true;
        book.mass = 0.3f;
        book.inextensible.on = true;
        book.bending.type = bendings[i];
        book.bending.stiffness = 1.0e-3f;
        sn_deformable thing = soft_add(world, &book);
        run_steps(world, 240);
        assert_int_equal(sn_deformable_frozen_count(world, thing), 0);
        sn_deformable_measure now = sn_deformable_measure_now(world, thing);
        assert_true(now.bounds.lower.y > -0.01f && now.bounds.upper.y < 0.5f);
        assert_true(now.largest_stretch < 0.05f);
        sn_world_destroy(world);
    }
    sn_mesh_destroy(mesh);
}

static void test_open_surfaces_cannot_enclose(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_mesh *mesh;
    assert_ok(sn_mesh_grid(1.0f, 1.0f, 1, 1, SN_GRID_FORWARD, &mesh));
    sn_deformable_def def = soft_def(mesh, sn_v(0.0f, 0.0f, 0.0f));
    uint64_t hash = sn_world_hash(world);
    def.enclosure.preserve = true;
    assert_int_equal(sn_deformable_add(world, &def, NULL), SN_ERROR_KIND);
    def.enclosure.preserve = false;
    def.enclosure.pressure = 100.0f;
    assert_int_equal(sn_deformable_add(world, &def, NULL), SN_ERROR_KIND);
    assert_int_equal(sn_world_hash(world), hash);
    sn_mesh_destroy(mesh);
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_bad_durations_change_nothing),
        test_with_memory(test_long_and_short_steps_do_no_harm),
        test_with_memory(test_flat_inverted_and_scrambled_states_do_no_harm),
        test_with_memory(test_surfaces_that_are_no_manifolds_fall_and_come_to_rest),
        test_with_memory(test_open_surfaces_cannot_enclose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
