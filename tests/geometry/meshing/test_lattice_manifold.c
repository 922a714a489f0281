// Boundaries made manifold: what touches at nodes or edges is set apart, what cannot be is dropped.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry/meshing/lattice_manifold.h"
#include "support/memory.h"
#include "support/mesh_quality.h"
#include "support/random.h"
#include <stdlib.h>
#include <string.h>

// Tetrahedra of the cells of a block of unit cells that `cells` marks with #, in the order x, y, z. All
// nodes of the block are there, used or not.
static sn_mesh_parts make_parts(int nx, int ny, int nz, const char *cells)
{
    sn_mesh *mesh = NULL;
    sn_mesh_parts parts = {0};
    assert_int_equal(sn_mesh_box(sn_v((float)nx, (float)ny, (float)nz), nx, ny, nz, &mesh), SN_OK);
    for (int i = 0; i < sn_mesh_node_count(mesh); ++i) {
        assert_true(sn_array_push(&parts.nodes, sn_mesh_nodes(mesh)[i]));
    }
    for (int i = 0; i < sn_mesh_tetrahedron_count(mesh); ++i) {
        for (int k = 0; k < 4 && cells[i / 5] == '#'; ++k) {
            assert_true(sn_array_push(&parts.tetrahedra, sn_mesh_tetrahedra(mesh)[4 * i + k]));
        }
    }
    sn_mesh_destroy(mesh);
    return parts;
}

static bool repair_all(sn_mesh_parts *parts)
{
    uint8_t *suspects = malloc((size_t)parts->nodes.count);
    assert_non_null(suspects);
    memset(suspects, 1, (size_t)parts->nodes.count);
    bool done = sn_lattice_make_manifold(parts, suspects);
    free(suspects);
    return done;
}

// Repairs and returns the mesh, which must be manifold. Releases the parts.
static sn_mesh *repaired(sn_mesh_parts *parts)
{
    sn_mesh *mesh = NULL;
    assert_true(repair_all(parts));
    assert_int_equal(sn_mesh_parts_create(parts, &mesh), SN_OK);
    assert_true(sn_mesh_is_closed(mesh));
    assert_true(sn_mesh_is_manifold(mesh));
    assert_true(test_least_volume(mesh) > 0.0);
    sn_mesh_parts_release(parts);
    return mesh;
}

static void test_sound_blocks_stay_as_they_are(void **state)
{
    (void)state;
    sn_mesh_parts parts = make_parts(3, 2, 2, "############");
    sn_mesh *mesh = repaired(&parts);
    assert_int_equal(sn_mesh_node_count(mesh), 36);
    assert_int_equal(sn_mesh_tetrahedron_count(mesh), 60);
    sn_mesh_destroy(mesh);
}

static void test_cells_that_touch_at_a_node_are_set_apart(void **state)
{
    (void)state;
    sn_mesh_parts parts = make_parts(2, 2, 2, "#......#");
    sn_mesh *mesh = repaired(&parts);
    assert_int_equal(sn_mesh_node_count(mesh), 16);
    assert_int_equal(sn_mesh_tetrahedron_count(mesh), 10);
    assert_int_equal(test_euler_characteristic(mesh), 2);
    sn_mesh_destroy(mesh);
}

static void test_cells_that_touch_along_an_edge_are_set_apart(void **state)
{
    (void)state;
    sn_mesh_parts parts = make_parts(2, 2, 1, "#..#");
    sn_mesh *mesh = repaired(&parts);
    assert_int_equal(sn_mesh_node_count(mesh), 16);
    assert_int_equal(sn_mesh_tetrahedron_count(mesh), 10);
    sn_mesh_destroy(mesh);
}

static void test_touching_edges_open_at_the_end_that_can(void **state)
{
    (void)state;
    // Two cells that touch along an edge, held together by the layer above.
    sn_mesh_parts parts = make_parts(2, 2, 2, "#..#####");
    sn_mesh *mesh = repaired(&parts);
    assert_int_equal(sn_mesh_node_count(mesh), 9 + 9 + 7 + 1);
    assert_int_equal(sn_mesh_tetrahedron_count(mesh), 30);
    assert_int_equal(test_euler_characteristic(mesh), 1);
    sn_mesh_destroy(mesh);
}

static void test_an_edge_held_at_both_ends_loses_its_smaller_fan(void **state)
{
    (void)state;
    // The same between two full layers: the edge cannot be opened.
    sn_mesh_parts parts = make_parts(2, 2, 3, "#####..#####");
    sn_mesh *mesh = repaired(&parts);
    assert_in_range(sn_mesh_tetrahedron_count(mesh), 45, 49);
    sn_mesh_destroy(mesh);
}

static void test_a_node_the_outside_touches_from_both_sides_is_dropped(void **state)
{
    (void)state;
    sn_mesh_parts parts = make_parts(2, 2, 2, ".######.");
    sn_mesh *mesh = repaired(&parts);
    assert_in_range(sn_mesh_tetrahedron_count(mesh), 1, 29);
    sn_mesh_destroy(mesh);
}

static void test_random_heaps_of_cells_become_manifold(void **state)
{
    (void)state;
    test_random random = {11};
    for (int trial = 0; trial < 40; ++trial) {
        char cells[5 * 5 * 5];
        int count = 0;
        for (int i = 0; i < 125; ++i) {
            bool full = test_random_float(&random, 0.0f, 1.0f) < 0.2f + 0.015f * (float)trial;
            cells[i] = full ? '#' : '.';
            count += full;
        }
        sn_mesh_parts parts = make_parts(5, 5, 5, cells);
        sn_mesh *mesh = repaired(&parts);
        assert_true(sn_mesh_tetrahedron_count(mesh) > 5 * count / 2);
        sn_mesh_destroy(mesh);
    }
}

static void test_nodes_that_nothing_uses_go_and_nothing_may_be_left(void **state)
{
    (void)state;
    sn_mesh_parts parts = make_parts(2, 1, 1, "#.");
    assert_true(repair_all(&parts));
    assert_int_equal(parts.nodes.count, 8);
    sn_mesh_parts_release(&parts);
    parts = make_parts(1, 1, 1, ".");
    assert_true(repair_all(&parts));
    assert_int_equal(parts.nodes.count, 0);
    sn_mesh_parts_release(&parts);
    assert_true(sn_lattice_make_manifold(&parts, NULL));
}

static void test_only_suspects_are_looked_at(void **state)
{
    (void)state;
    sn_mesh_parts parts = make_parts(2, 2, 2, "#......#");
    uint8_t suspects[27] = {0};
    assert_true(sn_lattice_make_manifold(&parts, suspects));
    assert_int_equal(parts.nodes.count, 15);
    sn_mesh_parts_release(&parts);
    parts = make_parts(2, 2, 2, "#......#");
    suspects[13] = 1; // the middle
    assert_true(sn_lattice_make_manifold(&parts, suspects));
    assert_int_equal(parts.nodes.count, 16);
    sn_mesh_parts_release(&parts);
}

static void test_without_memory_repairs_fail_cleanly(void **state)
{
    (void)state;
    bool done = false;
    int failures = 0;
    for (int allowed = 0; !done && allowed < 100; ++allowed) {
        sn_mesh_parts parts = make_parts(2, 2, 2, "#......#");
        test_memory_allow(allowed);
        done = repair_all(&parts);
        test_memory_allow_all();
        failures += !done;
        sn_mesh_parts_release(&parts);
    }
    assert_true(done);
    assert_true(failures >= 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_sound_blocks_stay_as_they_are),
        test_with_memory(test_cells_that_touch_at_a_node_are_set_apart),
        test_with_memory(test_cells_that_touch_along_an_edge_are_set_apart),
        test_with_memory(test_touching_edges_open_at_the_end_that_can),
        test_with_memory(test_an_edge_held_at_both_ends_loses_its_smaller_fan),
        test_with_memory(test_a_node_the_outside_touches_from_both_sides_is_dropped),
        test_with_memory(test_random_heaps_of_cells_become_manifold),
        test_with_memory(test_nodes_that_nothing_uses_go_and_nothing_may_be_left),
        test_with_memory(test_only_suspects_are_looked_at),
        test_with_memory(test_without_memory_repairs_fail_cleanly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
