// Edges held in different ways: diagonals that give way, and single edges with options of their own.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/soft_kit.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static sn_world *weightless(void)
{
    sn_world *world = soft_restless_world();
    assert_ok(sn_world_gravity_set(world, sn_v(0.0f, 0.0f, 0.0f)));
    return world;
}

// One cell of 1 m whose diagonal joins nodes 0 and 3, pulled at 3 away from 0, for long enough to rest.
static sn_world *pulled_cell(float shear_stiffness, float force, sn_deformable *cell)
{
    sn_world *world = weightless();
    sn_mesh *mesh = NULL;
    assert_ok(sn_mesh_grid(1.0f, 1.0f, 1, 1, SN_GRID_FORWARD, &mesh));
    sn_deformable_def def = soft_def(mesh, sn_v(0.0f, 0.0f, 0.0f));
    def.mass = 0.4f;
    def.inextensible.on = true;
    def.inextensible.shear_stiffness = shear_stiffness;
    def.inextensible.shear_damping = 2.0f;
    def.linear_damping = 1.0f;
    *cell = soft_add(world, &def);
    assert_ok(sn_node_fix(world, *cell, 0, true));
    for (int i = 0; i < 600; ++i) {
        sn_vec3 along = sn_normalize(sn_sub(soft_node(world, *cell, 3), soft_node(world, *cell, 0)));
        assert_ok(sn_node_force_add(world, *cell, 3, sn_scale(along, force)));
        assert_ok(sn_world_step(world, 1.0f / 60.0f));
    }
    sn_mesh_destroy(mesh);
    return world;
}

static float diagonal_of(const sn_world *world, sn_deformable cell)
{
    return sn_length(sn_sub(soft_node(world, cell, 3), soft_node(world, cell, 0)));
}

static void test_a_diagonal_gives_way_like_its_spring_and_sides_do_not(void **state)
{
    (void)state;
    sn_deformable cell;
    sn_world *world = pulled_cell(50.0f, 10.0f, &cell);
    assert_float_equal(diagonal_of(world, cell), sqrtf(2.0f) + 10.0f / 50.0f, 1.0e-3f);
    sn_deformable_measure measure = sn_deformable_measure_now(world, cell);
    assert_true(measure.largest_stretch < 1.0e-3f);
    sn_world_destroy(world);
}

static void test_without_shear_stiffness_a_diagonal_is_held_as_sides_are(void **state)
{
    (void)state;
    sn_deformable cell;
    sn_world *world = pulled_cell(0.0f, 10.0f, &cell);
    assert_float_equal(diagonal_of(world, cell), sqrtf(2.0f), 1.0e-3f);
    sn_world_destroy(world);
}

// A strand of three edges along x, its first node fixed, the last pulled by ± 2 N.
static sn_world *pulled_strand(const sn_edge_option *options, int count, float force, sn_deformable *strand)
{
    sn_world *world = weightless();
    sn_mesh *mesh = NULL;
    assert_ok(sn_mesh_line(3.0f, 3, &mesh));
    sn_deformable_def def = soft_def(mesh, sn_v(0.0f, 0.0f, 0.0f));
    def.mass = 0.4f;
    def.inextensible.on = true;
    def.linear_damping = 5.0f;
    def.edge_options = options;
    def.edge_option_count = count;
    *strand = soft_add(world, &def);
    assert_ok(sn_node_fix(world, *strand, 0, true));
    for (int i = 0; i < 300; ++i) {
        assert_ok(sn_node_force_add(world, *strand, 3, sn_v(force, 0.0f, 0.0f)));
        assert_ok(sn_world_step(world, 1.0f / 60.0f));
    }
    sn_mesh_destroy(mesh);
    return world;
}

static float length_of(const sn_world *world, sn_deformable strand, int edge)
{
    return sn_length(sn_sub(soft_node(world, strand, edge + 1), soft_node(world, strand, edge)));
}

static void test_one_edge_of_a_strand_is_a_spring(void **state)
{
    (void)state;
    sn_deformable strand;
    sn_edge_option option = {.edge = 1, .compliance = 0.1f, .damping = 1.0f, .max_force = INFINITY};
    sn_world *world = pulled_strand(&option, 1, 2.0f, &strand);
    assert_float_equal(length_of(world, strand, 0), 1.0f, 2.0e-3f);
    assert_float_equal(length_of(world, strand, 1), 1.0f + 0.2f, 2.0e-3f);
    assert_float_equal(length_of(world, strand, 2), 1.0f, 2.0e-3f);
    sn_world_destroy(world);
}

static void test_one_edge_is_held_against_compression_only(void **state)
{
    (void)state;
    sn_deformable strand;
    sn_edge_option option = {.edge = 1, .side = SN_HOLD_COMPRESSION, .max_force = INFINITY};
    sn_world *world = pulled_strand(&option, 1, 2.0f, &strand);
    assert_true(length_of(world, strand, 1) > 1.5f);
    assert_float_equal(length_of(world, strand, 2), 1.0f, 2.0e-3f);
    sn_world_destroy(world);
}

static void test_an_edge_gives_way_to_more_than_its_force(void **state)
{
    (void)state;
    for (int weaker = 0; weaker < 2; ++weaker) {
        sn_deformable strand;
        sn_edge_option option = {.edge = 0, .max_force = weaker ? 1.0f : 3.0f};
        sn_world *world = pulled_strand(&option, 1, 2.0f, &strand);
        assert_int_equal(length_of(world, strand, 0) > 1.1f, weaker);
        sn_world_destroy(world);
    }
}

static void test_of_two_options_for_an_edge_the_last_counts(void **state)
{
    (void)state;
    sn_deformable strand;
    sn_edge_option options[] = {{.edge = 1, .side = SN_HOLD_COMPRESSION, .max_force = INFINITY},
                                {.edge = 1, .side = SN_HOLD_BOTH, .max_force = INFINITY}};
    sn_world *world = pulled_strand(options, 2, 2.0f, &strand);
    assert_float_equal(length_of(world, strand, 1), 1.0f, 2.0e-3f);
    sn_deformable_def def = sn_deformable_definition(world, strand);
    assert_int_equal(def.edge_option_count, 2);
    assert_ptr_not_equal(def.edge_options, options);
    assert_memory_equal(def.edge_options, options, sizeof options);
    sn_world_destroy(world);
}

static void test_a_restored_world_holds_its_edges_the_same_way(void **state)
{
    (void)state;
    sn_deformable strand;
    sn_edge_option option = {.edge = 1, .compliance = 0.1f, .damping = 1.0f, .max_force = INFINITY};
    sn_world *world = pulled_strand(&option, 1, 2.0f, &strand);
    size_t size = 0;
    assert_ok(sn_world_save(world, NULL, 0, &size));
    void *bytes = malloc(size);
    assert_ok(sn_world_save(world, bytes, size, &size));
    uint64_t hashes[2];
    for (int run = 0; run < 2; ++run) {
        for (int i = 0; i < 30; ++i) {
            assert_ok(sn_world_step(world, 1.0f / 60.0f));
        }
        hashes[run] = sn_world_hash(world);
        assert_ok(sn_world_restore(world, bytes, size));
    }
    assert_true(hashes[0] == hashes[1]);
    free(bytes);
    sn_world_destroy(world);
}

static void refuse(sn_edge_option option, int count, bool null, sn_status expected, const char *part)
{
    sn_world *world = weightless();
    sn_mesh *mesh = NULL;
    assert_ok(sn_mesh_line(3.0f, 3, &mesh));
    sn_deformable_def def = soft_def(mesh, sn_v(0.0f, 0.0f, 0.0f));
    def.density = 0.1f;
    def.edge_options = null ? NULL : &option;
    def.edge_option_count = count;
    uint64_t before = sn_world_hash(world);
    assert_int_equal(sn_deformable_add(world, &def, NULL), expected);
    assert_non_null(strstr(sn_world_error(world), part));
    assert_true(sn_world_hash(world) == before);
    sn_mesh_destroy(mesh);
    sn_world_destroy(world);
}

static void test_bad_options_are_refused(void **state)
{
    (void)state;
    sn_edge_option good = {.edge = 1, .max_force = 1.0f}, bad = good;
    refuse(good, -1, false, SN_ERROR_RANGE, "edge_option_count is -1");
    refuse(good, 1, true, SN_ERROR_NULL, "edge_options is null");
    bad.edge = 3;
    refuse(bad, 1, false, SN_ERROR_RANGE, "edge_options[].edge is 3, expected 0 to 2");
    bad.edge = -1;
    refuse(bad, 1, false, SN_ERROR_RANGE, "edge_options[].edge is -1");
    bad = good, bad.side = (sn_limit_side)7;
    refuse(bad, 1, false, SN_ERROR_RANGE, "edge_options[].side is 7");
    bad = good, bad.compliance = -1.0f;
    refuse(bad, 1, false, SN_ERROR_RANGE, "edge_options[].compliance is -1");
    bad = good, bad.damping = NAN;
    refuse(bad, 1, false, SN_ERROR_NOT_FINITE, "edge_options[].damping is nan");
    bad = good, bad.max_force = 0.0f;
    refuse(bad, 1, false, SN_ERROR_RANGE, "edge_options[].max_force is 0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_diagonal_gives_way_like_its_spring_and_sides_do_not),
        cmocka_unit_test(test_without_shear_stiffness_a_diagonal_is_held_as_sides_are),
        cmocka_unit_test(test_one_edge_of_a_strand_is_a_spring),
        cmocka_unit_test(test_one_edge_is_held_against_compression_only),
        cmocka_unit_test(test_an_edge_gives_way_to_more_than_its_force),
        cmocka_unit_test(test_of_two_options_for_an_edge_the_last_counts),
        cmocka_unit_test(test_a_restored_world_holds_its_edges_the_same_way),
        cmocka_unit_test(test_bad_options_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
