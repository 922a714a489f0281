// A deformable that exists and gets another definition: what was remembered of the old one is kept where it
// still means something, and forgotten where it does not. That rows and models come out as if made at once is
// test_deformables_change.c's.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/soft_kit.h"
#include "world/core/world.h"
#include <math.h>

#define MODEL(what, ...)                                                                                     \
    {                                                                                                        \
        .type = SN_MODEL_##what, __VA_ARGS__                                                                 \
    }

// --- at rest -----------------------------------------------------------------------------------------------

// A beam that is held at one end, after a while. `first` is its model for the first half of it.
static sn_world *settled_beam(const sn_model *first, const sn_model *second)
{
    sn_mesh *mesh = NULL;
    assert_ok(sn_mesh_box(sn_v(0.6f, 0.2f, 0.2f), 4, 1, 1, &mesh));
    sn_world *world = soft_restless_world();
    sn_deformable_def def = soft_def(mesh, sn_v(0.0f, 0.0f, 0.0f));
    def.density = 200.0f;
    def.linear_damping = 10.0f;
    def.model = *first;
    sn_deformable beam = soft_add(world, &def);
    for (int i = 0; i < sn_deformable_node_count(world, beam); ++i) {
        if (sn_deformable_nodes(world, beam)[i].position.x < -0.29f) {
            assert_ok(sn_node_fix(world, beam, i, true));
        }
    }
    run_steps(world, 240);
    if (second->young > 0.0f) {
        assert_ok(sn_deformable_young_set(world, beam, second->young));
        assert_ok(sn_deformable_poisson_set(world, beam, second->poisson));
    } else {
        assert_ok(sn_deformable_stiffness_set(world, beam, second->stiffness));
    }
    run_steps(world, 240);
    sn_mesh_destroy(mesh);
    return world;
}

static float farthest_apart(const sn_world *world, const sn_world *other)
{
    sn_deformable here, there;
    assert_int_equal(sn_world_deformables(world, &here, 1), 1);
    assert_int_equal(sn_world_deformables(other, &there, 1), 1);
    float farthest = 0.0f;
    for (int i = 0; i < sn_deformable_node_count(world, here); ++i) {
        sn_vec3 a = sn_deformable_nodes(world, here)[i].position;
        farthest = sn_max(farthest, sn_distance_between(a, sn_deformable_nodes(other, there)[i].position));
    }
    return farthest;
}

static void test_a_beam_at_rest_takes_the_shape_of_its_new_material(void **state)
{
    (void)state;
    const sn_model soft[] = {MODEL(SPRINGS, .stiffness = 2.0e3f, .damping = 20.0f),
                             MODEL(SPRING_FORCES, .stiffness = 2.0e3f, .damping = 20.0f),
                             MODEL(COROTATIONAL, .young = 1.0e5f, .poisson = 0.4f, .damping = 0.01f),
                             MODEL(COROTATIONAL_EXPLICIT, .young = 1.0e5f, .poisson = 0.4f, .damping = 0.01f),
                             MODEL(COROTATIONAL_IMPLICIT, .young = 1.0e5f, .poisson = 0.4f, .damping = 0.01f),
                             MODEL(NEO_HOOKEAN, .young = 1.0e5f, .poisson = 0.4f, .damping = 0.01f),
                             MODEL(ENERGY, .stiffness = 60.0f, .damping = 0.3f)};
    for (size_t i = 0; i < sizeof soft / sizeof *soft; ++i) {
        sn_model stiff = soft[i];
        stiff.stiffness *= 4.0f;
        stiff.young *= 4.0f;
        stiff.poisson *= 0.5f;
        sn_world *defined = settled_beam(&stiff, &stiff), *changed = settled_beam(&soft[i], &stiff);
        sn_world *unchanged = settled_beam(&soft[i], &soft[i]);
        float apart = farthest_apart(defined, changed), moved = farthest_apart(changed, unchanged);
        assert_true(apart < 1.0e-6f); // 4e-8 m
        assert_true(moved > 0.02f);
        sn_world_destroy(defined);
        sn_world_destroy(changed);
        sn_world_destroy(unchanged);
    }
}

// --- what is remembered ------------------------------------------------------------------------------------

enum { LAYER_NODES = 25, LAYER_TRIANGLES = 32 };

// Two square sheets of 1 m, one 0.3 m above the other and upside down, as if folded.
static sn_mesh *two_layers(void)
{
    sn_mesh *grid = NULL, *mesh = NULL;
    assert_ok(sn_mesh_grid(1.0f, 1.0f, 4, 4, SN_GRID_FORWARD, &grid));
    assert_int_equal(sn_mesh_node_count(grid), LAYER_NODES);
    assert_int_equal(sn_mesh_triangle_count(grid), LAYER_TRIANGLES);
    sn_vec3 nodes[2 * LAYER_NODES];
    uint32_t triangles[6 * LAYER_TRIANGLES];
    for (int i = 0; i < 2 * LAYER_NODES; ++i) {
        nodes[i] = sn_mesh_nodes(grid)[i % LAYER_NODES];
        nodes[i].z += i < LAYER_NODES ? 0.0f : 0.3f;
    }
    for (int i = 0; i < 6 * LAYER_TRIANGLES; ++i) {
        bool is_lower = i < 3 * LAYER_TRIANGLES;
        int corner = is_lower ? i : 6 * LAYER_TRIANGLES - 1 - i; // turned over
        triangles[i] = sn_mesh_triangles(grid)[corner] + (is_lower ? 0 : LAYER_NODES);
    }
    sn_mesh_def def = sn_mesh_def_default();
    def.nodes = nodes;
    def.node_count = 2 * LAYER_NODES;
    def.triangles = triangles;
    def.triangle_count = 2 * LAYER_TRIANGLES;
    assert_ok(sn_mesh_create(&def, &mesh));
    sn_mesh_destroy(grid);
    return mesh;
}

// Which faces are near each other is remembered from step to step: not for another thickness.
static void test_layers_that_become_thick_touch_at_once(void **state)
{
    (void)state;
    sn_world *world = soft_restless_world();
    sn_mesh *mesh = two_layers();
    sn_deformable_def def = soft_def(mesh, sn_v(0.0f, 0.0f, 0.0f));
    def.gravity_scale = 0.0f;
    def.model = sn_model_springs(100.0f, 1.0f);
    def.self_collide = true;
    sn_deformable layers = soft_add(world, &def);
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    assert_ok(sn_deformable_edit(world, layers, &nodes, &velocities));
    for (int i = LAYER_NODES; i < 2 * LAYER_NODES; ++i) {
        nodes[i].position.z -= 0.24f; // 6 cm are left
    }
    run_steps(world, 3);
    assert_int_equal(sn_deformable_contacts(world, layers, NULL, 0), 0);
    assert_ok(sn_deformable_thickness_set(world, layers, 0.1f));
    run_steps(world, 1);
    assert_true(sn_deformable_contacts(world, layers, NULL, 0) >= LAYER_NODES);
    sn_world_destroy(world);
    sn_mesh_destroy(mesh);
}

// Verlet remembers forces of where the nodes are, but not those of another stiffness: the sub-steps after the
// change are those of springs that were that stiff, and were set going from there.
static void test_forces_remembered_are_not_those_of_another_stiffness(void **state)
{
    (void)state;
    sn_mesh *mesh = NULL;
    assert_ok(sn_mesh_line(1.0f, 12, &mesh));
    sn_world *changed = soft_restless_world(), *defined = soft_restless_world();
    sn_deformable_def def = soft_def(mesh, sn_v(0.0f, 0.0f, 0.0f));
    def.mass = 0.5f;
    def.model = (sn_model){.type = SN_MODEL_SPRING_FORCES, .stiffness = 50.0f};
    def.integrator = SN_INTEGRATOR_VERLET;
    sn_deformable rope = soft_add(changed, &def);
    assert_ok(sn_node_fix(changed, rope, 0, true));
    run_steps(changed, 10);
    assert_ok(sn_deformable_stiffness_set(changed, rope, 5000.0f));
    def.model.stiffness = 5000.0f;
    sn_deformable other = soft_add(defined, &def);
    assert_ok(sn_node_fix(defined, other, 0, true));
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    assert_ok(sn_deformable_edit(defined, other, &nodes, &velocities));
    for (int i = 0; i < sn_deformable_node_count(changed, rope); ++i) {
        nodes[i] = sn_deformable_nodes(changed, rope)[i];
        velocities[i] = sn_deformable_velocities(changed, rope)[i];
    }
    run_steps(changed, 1);
    run_steps(defined, 1);
    assert_true(farthest_apart(changed, defined) < 1.0e-6f);
    sn_world_destroy(changed);
    sn_world_destroy(defined);
    sn_mesh_destroy(mesh);
}

static void add_sizes(void *context, sn_lanes *lanes, const sn_element_memory *memory)
{
    double *sum = context;
    for (int i = 0; !memory->is_place && i < SN_LANES; ++i) {
        *sum += fabs((double)lanes->lane[i]);
    }
}

// Of all impulses its rows remember, but those of bounds: edges that stretch have none.
static double sum_of_impulses(const sn_world *world, sn_deformable deformable)
{
    const sn_deformable_data *data = sn_world_deformable(world, deformable);
    double sum = 0.0;
    for (int g = 0; g < data->groups.count; ++g) {
        if (g != data->group_of[SN_ROWS_BOUNDS]) {
            sn_element_group_visit(&data->groups.data[g], add_sizes, &sum);
        }
    }
    return sum;
}

// Compliant edges, and diagonals that shear.
static sn_inextensible hold(float shear_stiffness)
{
    sn_inextensible hold = sn_inextensible_default();
    hold.on = true;
    hold.compliance = 1.0e-5f;
    hold.shear_stiffness = shear_stiffness;
    return hold;
}

static void test_rows_keep_their_impulses_even_if_they_are_made_anew(void **state)
{
    (void)state;
    sn_world *world = soft_restless_world();
    sn_deformable cloth = soft_cloth(world, 5, sn_v(0.0f, 0.0f, 0.0f));
    sn_bending bending = sn_bending_default();
    bending.type = SN_BENDING_ISOMETRIC;
    bending.stiffness = 1.0e-3f;
    assert_ok(sn_node_fix(world, cloth, 30, true));
    assert_ok(sn_node_fix(world, cloth, 35, true));
    run_steps(world, 60);
    double before = sum_of_impulses(world, cloth);
    assert_true(before > 0.001);
    assert_ok(sn_deformable_inextensible_set(world, cloth, hold(0.0f)));
    assert_true(sum_of_impulses(world, cloth) == before);
    assert_ok(sn_deformable_inextensible_set(world, cloth, hold(50.0f)));
    assert_true(sum_of_impulses(world, cloth) == before);
    assert_ok(sn_deformable_drag_set(world, cloth, 1.0f));
    assert_ok(sn_deformable_bending_set(world, cloth, bending));
    assert_true(sum_of_impulses(world, cloth) == before);
    sn_world_destroy(world);
}

// What kept a volume under load has no say any more once there is a pressure only.
static void test_a_volume_that_is_kept_no_more_goes_back_to_its_own(void **state)
{
    (void)state;
    sn_world *world = soft_restless_world();
    sn_mesh *mesh = NULL;
    assert_ok(sn_mesh_sphere_surface(0.3f, 2, &mesh));
    sn_deformable_def def = soft_def(mesh, sn_v(0.0f, 0.0f, 0.0f));
    def.mass = 0.5f;
    def.gravity_scale = 0.0f;
    def.linear_damping = 10.0f;
    def.model = sn_model_springs(200.0f, 1.0f);
    def.enclosure = (sn_enclosure){true, 1.5f, 0.0f, 0.0f};
    sn_deformable ball = soft_add(world, &def);
    float rest = sn_mesh_volume(mesh);
    run_steps(world, 120);
    assert_near(sn_deformable_measure_now(world, ball).volume / rest, 1.5, 0.01);
    assert_ok(sn_deformable_enclosure_set(world, ball, (sn_enclosure){false, 1.0f, 0.0f, 1.0e-9f}));
    run_steps(world, 240);
    assert_near(sn_deformable_measure_now(world, ball).volume / rest, 1.0, 1.0e-4);
    sn_world_destroy(world);
    sn_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_a_beam_at_rest_takes_the_shape_of_its_new_material),
        test_with_memory(test_layers_that_become_thick_touch_at_once),
        test_with_memory(test_forces_remembered_are_not_those_of_another_stiffness),
        test_with_memory(test_rows_keep_their_impulses_even_if_they_are_made_anew),
        test_with_memory(test_a_volume_that_is_kept_no_more_goes_back_to_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
