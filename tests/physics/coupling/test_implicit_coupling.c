// Implicit finite elements against the rest of the world (methods B.2): contacts and anchors push a body, not
// free nodes, however stiff it is for the sub-step. One sub-step of 20 ms against many.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/soft_kit.h"

#include <math.h>

static const float step = 0.02f, mass = 6.4f;

static sn_world *world_with(sn_vec3 gravity, int sub_steps)
{
    sn_world_def def = sn_world_def_default();
    def.gravity = gravity;
    def.sub_steps = sub_steps;
    def.sleep = false;
    sn_world *world = NULL;
    assert_ok(sn_world_create(&def, &world));
    return world;
}

// A cube of 0.4 m in 3 × 3 × 3 cells. At 3·10⁴ Pa and 20 ms, h² k/m is 16.
static sn_deformable add_cube(sn_world *world, sn_vec3 position, float young, sn_vec3 velocity)
{
    sn_mesh *mesh = NULL;
    assert_ok(sn_mesh_box(sn_v(0.4f, 0.4f, 0.4f), 3, 3, 3, &mesh));
    sn_deformable_def def = soft_def(mesh, position);
    def.collide = true;
    def.mass = mass;
    def.linear_velocity = velocity;
    def.model = sn_model_corotational(young, 0.3f);
    def.model.type = SN_MODEL_COROTATIONAL_IMPLICIT;
    sn_deformable cube = soft_add(world, &def);
    sn_mesh_destroy(mesh);
    return cube;
}

static double push_of_contacts(const sn_world *world, sn_deformable cube)
{
    sn_soft_contact contacts[256];
    int count = sn_deformable_contacts(world, cube, contacts, 256);
    double sum = 0.0;
    for (int i = 0; i < count && i < 256; ++i) {
        sum += (double)(contacts[i].normal_impulse * contacts[i].normal.y + contacts[i].friction_impulse.y);
    }
    return sum;
}

// --- contacts ----------------------------------------------------------------------------------------------

// What the floor gives a cube that falls at 1 m/s in the step it is hit, and until it has left.
static void hit(float young, int sub_steps, double *at_once, double *in_all)
{
    sn_world *world = world_with(sn_v(0.0f, 0.0f, 0.0f), sub_steps);
    add_floor(world);
    sn_deformable cube = add_cube(world, sn_v(0.0f, 0.2051f, 0.0f), young, sn_v(0.0f, -1.0f, 0.0f));
    *at_once = *in_all = 0.0;
    for (int i = 0; i < 20; ++i) {
        assert_ok(sn_world_step(world, step));
        double push = push_of_contacts(world, cube);
        *at_once = i == 0 ? push : *at_once;
        *in_all += push;
    }
    // What it got is what it has.
    assert_float_equal(sn_world_energy(world).momentum[1], *in_all - (double)mass, 1.0e-4);
    sn_world_destroy(world);
}

// Free nodes take a sixth of it at once: those of the lowest layer alone.
static void test_a_stiff_cube_is_stopped_by_all_of_its_momentum(void **state)
{
    (void)state;
    double at_once, in_all;
    hit(3.0e6f, 1, &at_once, &in_all);
    assert_true(at_once > 0.88 * (double)mass);
    assert_true(in_all > 0.99 * (double)mass && in_all < 1.12 * (double)mass);
    hit(3.0e5f, 4, &at_once, &in_all);
    assert_float_equal(at_once, 1.07 * (double)mass, 0.04 * (double)mass);
}

static void test_a_soft_cube_is_pushed_as_hard_by_few_sub_steps_as_by_many(void **state)
{
    (void)state;
    double few, many, in_all;
    hit(3.0e3f, 1, &few, &in_all);
    hit(3.0e3f, 64, &many, &in_all);
    assert_float_equal(few, many, 0.04 * many);
    hit(3.0e4f, 8, &few, &in_all); // h² k/m = 0.25
    hit(3.0e4f, 64, &many, &in_all);
    assert_float_equal(few, many, 0.05 * many);
}

// What the floor gives a cube with a box on it in the first step, while a rope far away is held by an anchor.
static double first_push(bool exact)
{
    sn_world *world = world_with(sn_v(0.0f, -9.81f, 0.0f), 4);
    add_floor(world);
    sn_deformable cube = add_cube(world, sn_v(0.0f, 0.2051f, 0.0f), 3.0e5f, sn_v(0.0f, -1.0f, 0.0f));
    (void)soft_slab(world, sn_v(0.0f, 0.47f, 0.0f), 5.0f);
    sn_deformable rope = soft_rope(world, 4, sn_v(20.0f, 5.0f, 0.0f));
    sn_anchor_def hold = sn_anchor_def_default();
    hold.a = sn_point_world(soft_node(world, rope, 0));
    hold.b = sn_point_node(rope, 0);
    hold.exact = exact;
    assert_ok(sn_anchor_add(world, &hold, NULL));
    assert_ok(sn_world_step(world, step));
    double push = push_of_contacts(world, cube);
    sn_world_destroy(world);
    return push;
}

static void test_an_exact_anchor_elsewhere_changes_nothing(void **state)
{
    (void)state;
    double expected = first_push(false);
    assert_true(expected > 1.0);
    assert_true(first_push(true) == expected);
}

// A slab on a cube on the floor: where it comes to rest, and what the floor bears.
static double height_of_slab(float young, int sub_steps)
{
    sn_world *world = world_with(sn_v(0.0f, -9.81f, 0.0f), sub_steps);
    add_floor(world);
    sn_deformable cube = add_cube(world, sn_v(0.0f, 0.2051f, 0.0f), young, sn_v(0.0f, 0.0f, 0.0f));
    sn_rigid slab = soft_slab(world, sn_v(0.0f, 0.47f, 0.0f), 5.0f);
    for (int i = 0; i < 250; ++i) {
        assert_ok(sn_world_step(world, step));
    }
    // The slab pushes it down, the floor up: together they carry the cube alone.
    double weight = 9.81 * (double)mass;
    assert_float_equal(push_of_contacts(world, cube) / (double)step, weight, 0.005 * weight);
    double height = (double)sn_rigid_position(world, slab).y;
    sn_world_destroy(world);
    return height;
}

// With free nodes, 12 cm deeper in one sub-step at 3·10⁴ Pa.
static void test_a_cube_under_load_is_as_high_in_one_sub_step_as_in_eight(void **state)
{
    (void)state;
    static const float moduli[] = {3.0e3f, 3.0e4f, 3.0e5f};
    for (int i = 0; i < 3; ++i) {
        assert_float_equal(height_of_slab(moduli[i], 1), height_of_slab(moduli[i], 8), 0.002);
    }
}

// --- anchors -----------------------------------------------------------------------------------------------

static double length_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

// Glued to a slab by nine anchors, thrown and spinning.
static void test_a_free_coupled_system_keeps_both_momenta(void **state)
{
    (void)state;
    for (int sub_steps = 1; sub_steps <= 8; sub_steps += 7) {
        sn_world *world = world_with(sn_v(0.0f, 0.0f, 0.0f), sub_steps);
        sn_deformable cube = add_cube(world, sn_v(0.0f, 0.3f, 0.0f), 3.0e5f, sn_v(0.0f, 0.0f, 0.0f));
        sn_rigid slab = soft_slab(world, sn_v(0.0f, 0.0f, 0.0f), 2.0f);
        sn_node_state *nodes;
        sn_node_velocity *velocities;
        assert_ok(sn_deformable_edit(world, cube, &nodes, &velocities));
        for (int i = 0; i < sn_deformable_node_count(world, cube); ++i) {
            velocities[i].velocity =
                sn_add(sn_v(0.5f, 0.0f, 0.0f), sn_cross(sn_v(0.3f, 1.0f, 0.5f), nodes[i].position));
            if (nodes[i].position.y < 0.11f) {
                (void)soft_tie(world, sn_point_node(cube, i),
                               sn_point_on_rigid(world, slab, nodes[i].position));
            }
        }
        sn_energy before = sn_world_energy(world);
        for (int i = 0; i < 200; ++i) {
            assert_ok(sn_world_step(world, step));
        }
        sn_energy after = sn_world_energy(world);
        double linear = length_of(before.momentum), angular = length_of(before.angular_momentum);
        for (int k = 0; k < 3; ++k) {
            assert_float_equal(after.momentum[k], before.momentum[k], 2.0e-6 * linear);
            assert_float_equal(after.angular_momentum[k], before.angular_momentum[k], 1.0e-5 * angular);
        }
        assert_true(after.kinetic <= before.kinetic);
        sn_world_destroy(world);
    }
}

// A hard pull at once on all of a stiff body: a slab of ten times the cube's mass, hung below it by anchors,
// while the cube's upper side is held.
static void test_a_heavy_slab_hangs_from_a_stiff_cube(void **state)
{
    (void)state;
    sn_world *world = world_with(sn_v(0.0f, -9.81f, 0.0f), 4);
    sn_deformable cube = add_cube(world, sn_v(0.0f, 0.0f, 0.0f), 3.0e6f, sn_v(0.0f, 0.0f, 0.0f));
    sn_rigid slab = soft_slab(world, sn_v(0.0f, -0.27f, 0.0f), 64.0f);
    const sn_node_state *nodes = sn_deformable_nodes(world, cube);
    for (int i = 0; i < sn_deformable_node_count(world, cube); ++i) {
        if (nodes[i].position.y > 0.19f) {
            assert_ok(sn_node_fix(world, cube, i, true));
        } else if (nodes[i].position.y < -0.19f) {
            (void)soft_tie(world, sn_point_node(cube, i), sn_point_on_rigid(world, slab, nodes[i].position));
        }
    }
    for (int i = 0; i < 200; ++i) {
        assert_ok(sn_world_step(world, step));
    }
    // F L/(E A) is 0.5 mm, a coarse mesh held at one end is stiffer.
    double sunk = -0.27 - (double)sn_rigid_position(world, slab).y;
    assert_true(sunk > 0.0002 && sunk < 0.003);
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_stiff_cube_is_stopped_by_all_of_its_momentum),
        cmocka_unit_test(test_a_soft_cube_is_pushed_as_hard_by_few_sub_steps_as_by_many),
        cmocka_unit_test(test_an_exact_anchor_elsewhere_changes_nothing),
        cmocka_unit_test(test_a_cube_under_load_is_as_high_in_one_sub_step_as_in_eight),
        cmocka_unit_test(test_a_free_coupled_system_keeps_both_momenta),
        cmocka_unit_test(test_a_heavy_slab_hangs_from_a_stiff_cube),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
