// The staggered schedule: what a step of it does to single rows, and that it goes on the same way however
// many threads there are and wherever it is interrupted.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sinew/sinew.h"
#include "support/soft_kit.h"

#include <math.h>
#include <stdlib.h>

static const float step = 0.02f; // the paper's

static sn_world_def paper_settings(void)
{
    sn_world_def def = sn_world_def_default();
    def.solver = SN_SOLVER_STAGGERED;
    def.sleep = false;
    return def;
}

static sn_world *world_with(const sn_world_def *def)
{
    sn_world *world = NULL;
    assert_ok(sn_world_create(def, &world));
    return world;
}

static sn_world *weightless(void)
{
    sn_world_def def = paper_settings();
    def.gravity = sn_v(0.0f, 0.0f, 0.0f);
    return world_with(&def);
}

// One edge of 1 m between two nodes of 0.1 kg, stretched to `length`.
static sn_deformable add_edge(sn_world *world, sn_limit_side side, float length)
{
    sn_mesh *mesh = NULL;
    sn_deformable edge;
    assert_ok(sn_mesh_line(1.0f, 1, &mesh));
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.mass = 0.2f;
    def.inextensible.on = true;
    def.inextensible.side = side;
    assert_ok(sn_deformable_add(world, &def, &edge));
    sn_mesh_destroy(mesh);
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    assert_ok(sn_deformable_edit(world, edge, &nodes, &velocities));
    nodes[0].position = sn_v(-0.5f * length, 0.0f, 0.0f);
    nodes[1].position = sn_v(0.5f * length, 0.0f, 0.0f);
    return edge;
}

static double length_of(const sn_world *world, sn_deformable edge)
{
    const sn_node_state *nodes = sn_deformable_nodes(world, edge);
    return (double)sn_length(sn_sub(nodes[1].position, nodes[0].position));
}

// --- rows ------------------------------------------------------------------------------------------------

static void test_a_stretched_edge_loses_a_tenth_of_its_error_a_step(void **state)
{
    (void)state;
    sn_world *world = weightless();
    sn_deformable edge = add_edge(world, SN_HOLD_BOTH, 1.2f);
    double error = 0.2;
    for (int i = 0; i < 40; ++i) {
        assert_ok(sn_world_step(world, step));
        error *= 0.9;
        assert_float_equal(length_of(world, edge) - 1.0, error, 2.0e-6);
    }
    sn_world_destroy(world);
}

static void test_the_correction_is_the_part_of_an_error_a_step_takes_away(void **state)
{
    (void)state;
    static const float corrections[] = {0.02f, 0.3f, 1.0f};
    for (int k = 0; k < 3; ++k) {
        sn_world_def def = paper_settings();
        def.gravity = sn_v(0.0f, 0.0f, 0.0f);
        def.staggered.correction = corrections[k];
        sn_world *world = world_with(&def);
        sn_deformable edge = add_edge(world, SN_HOLD_BOTH, 0.7f);
        double error = -0.3;
        for (int i = 0; i < 5; ++i) {
            assert_ok(sn_world_step(world, step));
            error *= 1.0 - (double)corrections[k];
            assert_float_equal(length_of(world, edge) - 1.0, error, 2.0e-6);
        }
        sn_world_destroy(world);
    }
}

static void test_an_edge_held_against_stretch_lets_itself_be_compressed(void **state)
{
    (void)state;
    sn_world *world = weightless();
    sn_deformable edge = add_edge(world, SN_HOLD_STRETCH, 0.8f);
    for (int i = 0; i < 20; ++i) {
        assert_ok(sn_world_step(world, step));
    }
    assert_float_equal(length_of(world, edge), 0.8, 1.0e-6);
    sn_world_destroy(world);
}

static void test_an_anchor_closes_by_a_tenth_a_step_and_keeps_momentum(void **state)
{
    (void)state;
    sn_world *world = weightless();
    sn_deformable edge = add_edge(world, SN_HOLD_BOTH, 1.0f);
    sn_rigid body;
    sn_rigid_def rigid_def = sn_rigid_def_default();
    rigid_def.position = sn_v(0.5f, 0.3f, 0.0f);
    assert_ok(sn_rigid_add(world, &rigid_def, &body));
    sn_shape_def shape = sn_shape_def_default();
    shape.filter.mask = 0;
    assert_ok(sn_sphere_add(world, body, &shape, (sn_sphere){{0.0f, 0.0f, 0.0f}, 0.05f}, NULL));
    sn_anchor_def def = sn_anchor_def_default();
    def.a = sn_point_node(edge, 1);
    def.b = sn_point_rigid(body, sn_v(0.0f, 0.0f, 0.0f));
    sn_anchor anchor;
    assert_ok(sn_anchor_add(world, &def, &anchor));
    double error = 0.3;
    for (int i = 0; i < 30; ++i) {
        assert_ok(sn_world_step(world, step));
        error *= 0.9;
        assert_float_equal((double)sn_anchor_error(world, anchor), error, 0.02 * 0.3);
    }
    sn_energy energy = sn_world_energy(world);
    for (int k = 0; k < 3; ++k) {
        assert_float_equal(energy.momentum[k], 0.0, 1.0e-6);
    }
    sn_world_destroy(world);
}

// --- the schedule ----------------------------------------------------------------------------------------

// The largest stretch of a rope of ten edges that hangs straight down, which is along x, after two seconds.
static double stretch_of_rope(int iterations)
{
    sn_world_def def = paper_settings();
    def.staggered.rigid_iterations = 1;
    def.staggered.node_iterations = iterations;
    def.gravity = sn_v(9.81f, 0.0f, 0.0f);
    sn_world *world = world_with(&def);
    sn_deformable rope = soft_rope(world, 10, sn_v(0.0f, 0.0f, 0.0f));
    assert_ok(sn_node_fix(world, rope, 0, true));
    for (int i = 0; i < 100; ++i) {
        assert_ok(sn_world_step(world, step));
    }
    double stretch = (double)sn_deformable_measure_now(world, rope).largest_stretch;
    sn_world_destroy(world);
    return stretch;
}

static void test_more_iterations_hold_better(void **state)
{
    (void)state;
    double coarse = stretch_of_rope(2), fine = stretch_of_rope(16), finest = stretch_of_rope(64);
    assert_true(fine < 0.5 * coarse);
    assert_true(finest < 0.5 * fine);
    assert_true(coarse < 1.0 && finest < 0.02);
}

static void test_a_step_is_one_step_whatever_sub_steps_say(void **state)
{
    (void)state;
    sn_world_def def = paper_settings();
    def.sub_steps = 9;
    sn_world *world = world_with(&def);
    assert_int_equal(sn_world_sub_steps(world), 1);
    assert_ok(sn_world_step(world, step));
    assert_int_equal(sn_world_statistics(world).sub_steps, 1);
    sn_world_destroy(world);
}

// --- going on the same way -------------------------------------------------------------------------------

// A jelly of 0.4 m and 6.4 kg, and a sheet of 1 m and 0.2 kg, that collide.
static void add_jelly_and_sheet(sn_world *world)
{
    sn_mesh *cube = NULL, *grid = NULL;
    assert_ok(sn_mesh_box(sn_v(0.4f, 0.4f, 0.4f), 3, 3, 3, &cube));
    assert_ok(sn_mesh_grid(1.0f, 1.0f, 12, 12, SN_GRID_ALTERNATING, &grid));
    sn_deformable_def jelly = soft_def(cube, sn_v(0.0f, 0.3f, 0.0f));
    jelly.collide = true;
    jelly.density = 100.0f;
    jelly.model = sn_model_corotational(2.0e4f, 0.4f);
    sn_deformable_def sheet = soft_def(grid, sn_v(0.0f, 0.7f, 0.0f));
    sheet.collide = true;
    sheet.pose.rotation = sn_quat_exponential(sn_v(1.4f, 0.0f, 0.0f));
    sheet.mass = 0.2f;
    sheet.inextensible.on = true;
    (void)soft_add(world, &jelly);
    (void)soft_add(world, &sheet);
    sn_mesh_destroy(cube);
    sn_mesh_destroy(grid);
}

static sn_world *busy_world(int threads, bool dummy_nodes)
{
    sn_world_def def = paper_settings();
    def.threads = threads;
    def.staggered.dummy_nodes = dummy_nodes;
    sn_world *world = world_with(&def);
    sn_shape_def material = sn_shape_def_default();
    assert_int_equal(sn_plane_add(world, sn_world_ground(world), &material,
                                  (sn_plane){.normal = sn_v(0.0f, 1.0f, 0.0f)}, NULL),
                     SN_OK);
    add_jelly_and_sheet(world);
    sn_rigid_def ball = sn_rigid_def_default();
    ball.position = sn_v(0.1f, 1.5f, 0.1f);
    sn_rigid id;
    assert_ok(sn_rigid_add(world, &ball, &id));
    assert_ok(sn_sphere_add(world, id, &material, (sn_sphere){{0.0f, 0.0f, 0.0f}, 0.1f}, NULL));
    return world;
}

static uint64_t hash_after(sn_world *world, int steps)
{
    for (int i = 0; i < steps; ++i) {
        assert_ok(sn_world_step(world, step));
    }
    return sn_world_hash(world);
}

static void test_any_number_of_threads_gives_the_same_bits(void **state)
{
    (void)state;
    for (int dummies = 0; dummies < 2; ++dummies) {
        uint64_t expected = 0;
        for (int threads = 1; threads <= 4; threads *= 2) {
            sn_world *world = busy_world(threads, dummies != 0);
            uint64_t hash = hash_after(world, 60);
            expected = threads == 1 ? hash : expected;
            assert_true(hash == expected);
            sn_world_destroy(world);
        }
    }
}

static void test_a_restored_world_goes_on_bit_for_bit(void **state)
{
    (void)state;
    sn_world *world = busy_world(1, false);
    (void)hash_after(world, 30);
    size_t size = 0;
    assert_ok(sn_world_save(world, NULL, 0, &size));
    void *bytes = malloc(size);
    assert_non_null(bytes);
    assert_ok(sn_world_save(world, bytes, size, &size));
    sn_world_def def = sn_world_def_default();
    sn_world *copy = world_with(&def);
    assert_ok(sn_world_restore(copy, bytes, size));
    assert_int_equal(sn_world_settings(copy).solver, SN_SOLVER_STAGGERED);
    assert_true(hash_after(copy, 30) == hash_after(world, 30));
    free(bytes);
    sn_world_destroy(copy);
    sn_world_destroy(world);
}

static void test_warm_steps_allocate_nothing(void **state)
{
    (void)state;
    for (int dummies = 0; dummies < 2; ++dummies) {
        sn_world *world = busy_world(1, dummies != 0);
        (void)hash_after(world, 400); // until every list has been as long as it gets
        uint64_t before = sn_world_statistics(world).allocations;
        (void)hash_after(world, 20);
        assert_true(sn_world_statistics(world).allocations == before);
        sn_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_stretched_edge_loses_a_tenth_of_its_error_a_step),
        cmocka_unit_test(test_the_correction_is_the_part_of_an_error_a_step_takes_away),
        cmocka_unit_test(test_an_edge_held_against_stretch_lets_itself_be_compressed),
        cmocka_unit_test(test_an_anchor_closes_by_a_tenth_a_step_and_keeps_momentum),
        cmocka_unit_test(test_more_iterations_hold_better),
        cmocka_unit_test(test_a_step_is_one_step_whatever_sub_steps_say),
        cmocka_unit_test(test_any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(test_a_restored_world_goes_on_bit_for_bit),
        cmocka_unit_test(test_warm_steps_allocate_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
