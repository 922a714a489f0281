// Two cubes of jelly on the ends of a rod that is light for all the nodes it holds: they tumble without
// gaining energy, and the rod stays where it is held.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sinew/sinew.h"

#include <math.h>

static const float edge = 0.4f, rod_half = 0.4f, apart = 0.5f;

static sn_deformable add_cube(sn_world *world, const sn_mesh *mesh, float young, float x)
{
    sn_deformable_def def = sn_deformable_def_default();
    sn_deformable cube;
    def.mesh = mesh;
    def.density = 60.0f;
    def.pose.position = sn_v(x, 0.0f, 0.0f);
    def.model = sn_model_corotational(young, 0.4f);
    assert_int_equal(sn_deformable_add(world, &def, &cube), SN_OK);
    return cube;
}

static sn_rigid add_rod(sn_world *world, float density)
{
    sn_rigid_def def = sn_rigid_def_default();
    sn_shape_def untouched = sn_shape_def_default();
    sn_rigid rod;
    sn_capsule capsule = {sn_v(-rod_half, 0.0f, 0.0f), sn_v(rod_half, 0.0f, 0.0f), 0.04f};
    untouched.filter.mask = 0;
    untouched.density = density;
    assert_int_equal(sn_rigid_add(world, &def, &rod), SN_OK);
    assert_int_equal(sn_capsule_add(world, rod, &untouched, capsule, NULL), SN_OK);
    return rod;
}

// Every node near the rod's end, two layers deep. Returns how many there are.
static int hold(sn_world *world, sn_deformable cube, sn_rigid rod)
{
    int count = 0;
    const sn_node_state *nodes = sn_deformable_nodes(world, cube);
    for (int i = 0; i < sn_deformable_node_count(world, cube); ++i) {
        sn_vec3 p = nodes[i].position;
        if (sn_abs(p.x) < rod_half + 0.01f && sn_abs(p.y) < 0.11f && sn_abs(p.z) < 0.11f) {
            sn_anchor_def def = sn_anchor_def_default();
            def.a = sn_point_node(cube, i);
            def.b = sn_point_on_rigid(world, rod, p);
            assert_int_equal(sn_anchor_add(world, &def, NULL), SN_OK);
            ++count;
        }
    }
    return count;
}

// Sets one cube spinning about the rod and the other the other way.
static void spin(sn_world *world, sn_deformable cube, float speed)
{
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    assert_int_equal(sn_deformable_edit(world, cube, &nodes, &velocities), SN_OK);
    for (int i = 0; i < sn_deformable_node_count(world, cube); ++i) {
        velocities[i].velocity = sn_cross(sn_v(speed, 0.5f * speed, 2.0f), nodes[i].position);
    }
}

static double largest_error(const sn_world *world)
{
    sn_anchor anchors[64];
    int count = sn_world_anchors(world, anchors, 64);
    double largest = 0.0;
    for (int i = 0; i < count; ++i) {
        largest = fmax(largest, (double)sn_anchor_error(world, anchors[i]));
    }
    return largest;
}

static void check_tumbling(float rod_density, float young, double final_error)
{
    sn_world_def world_def = sn_world_def_default();
    sn_world *world;
    sn_mesh *mesh;
    world_def.gravity = sn_v(0.0f, 0.0f, 0.0f);
    assert_int_equal(sn_world_create(&world_def, &world), SN_OK);
    assert_int_equal(sn_mesh_box(sn_v(edge, edge, edge), 4, 4, 4, &mesh), SN_OK);
    sn_deformable cubes[2] = {add_cube(world, mesh, young, -apart), add_cube(world, mesh, young, apart)};
    sn_mesh_destroy(mesh);
    sn_rigid rod = add_rod(world, rod_density);
    assert_int_equal(hold(world, cubes[0], rod) + hold(world, cubes[1], rod), 36);
    spin(world, cubes[0], 6.0f);
    spin(world, cubes[1], -6.0f);
    double start = sn_world_energy(world).kinetic;
    for (int step = 0; step < 240; ++step) {
        assert_int_equal(sn_world_step(world, 1.0f / 60.0f), SN_OK);
        assert_true(sn_world_energy(world).kinetic < start);
        assert_true(largest_error(world) < 0.05);
    }
    assert_int_equal(sn_world_statistics(world).frozen_count, 0);
    assert_true(largest_error(world) < final_error);
    sn_world_destroy(world);
}

// The cubes have 3.8 kg each, of which 0.55 kg are held; the rod has 0.45 kg, then a tenth of it.
static void test_many_anchors_on_a_light_rod_gain_no_energy(void **state)
{
    (void)state;
    check_tumbling(100.0f, 8.0e3f, 0.0005);
    check_tumbling(100.0f, 8.0e5f, 0.0005);
    check_tumbling(10.0f, 8.0e5f, 0.001);
}

// A rod as heavy as what hangs on it is held within a tenth of a millimetre.
static void test_many_anchors_on_a_heavy_rod_hold_it_fast(void **state)
{
    (void)state;
    check_tumbling(1000.0f, 8.0e3f, 1.0e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many_anchors_on_a_light_rod_gain_no_energy),
        cmocka_unit_test(test_many_anchors_on_a_heavy_rod_hold_it_fast),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
