// The lattice: size, numbering, neighbours.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry/meshing/lattice.h"
#include "support/memory.h"

static const sn_bounds unit_bounds = {{1.0f, 2.0f, 3.0f}, {2.0f, 4.0f, 6.0f}};

static void test_lattice_covers_the_bounds_with_a_margin_and_is_centred(void **state)
{
    (void)state;
    sn_lattice lattice;
    assert_true(sn_lattice_make(&lattice, unit_bounds, 0.5f));
    assert_int_equal(lattice.width, 2 + 2 * SN_LATTICE_MARGIN + 1);
    assert_int_equal(lattice.height, 4 + 2 * SN_LATTICE_MARGIN + 1);
    assert_int_equal(lattice.depth, 6 + 2 * SN_LATTICE_MARGIN + 1);
    assert_int_equal(lattice.node_count, 2 * lattice.width * lattice.height * lattice.depth);
    assert_float_equal(sn_lattice_count_nodes(unit_bounds, 0.5f), lattice.node_count, 0.0);
    sn_vec3 lower = sn_lattice_from_world(&lattice, unit_bounds.lower);
    sn_vec3 upper = sn_lattice_from_world(&lattice, unit_bounds.upper);
    assert_float_equal(lower.x, 2.0f * SN_LATTICE_MARGIN, 1.0e-5f);
    assert_float_equal(upper.z, 2.0f * (float)(lattice.depth - 1 - SN_LATTICE_MARGIN), 1.0e-5f);
    sn_vec3 back = sn_lattice_to_world(&lattice, lower);
    assert_float_equal(sn_distance_between(back, unit_bounds.lower), 0.0f, 1.0e-6f);
    sn_lattice_release(&lattice);
}

static void test_a_hair_more_than_a_cube_gets_no_further_cube(void **state)
{
    (void)state;
    sn_bounds bounds = {{0.0f, 0.0f, 0.0f}, {0.3f, 0.3001f, 0.32f}}; // 0.3f / 0.1f is above 3
    sn_lattice lattice;
    assert_true(sn_lattice_make(&lattice, bounds, 0.1f));
    assert_int_equal(lattice.width, 3 + 2 * SN_LATTICE_MARGIN + 1);
    assert_int_equal(lattice.height, 4 + 2 * SN_LATTICE_MARGIN + 1);
    assert_int_equal(lattice.depth, 4 + 2 * SN_LATTICE_MARGIN + 1);
    sn_lattice_release(&lattice);
}

static void test_places_and_numbers_agree(void **state)
{
    (void)state;
    sn_lattice lattice;
    assert_true(sn_lattice_make(&lattice, unit_bounds, 0.5f));
    for (int node = 0; node < lattice.node_count; ++node) {
        sn_lattice_place place = sn_lattice_place_of(&lattice, node);
        assert_int_equal(sn_lattice_node(&lattice, place), node);
        sn_vec3 p = sn_lattice_position(&lattice, node);
        assert_float_equal(p.y, (float)(2 * place.y + place.is_center), 0.0f);
    }
    sn_lattice_release(&lattice);
}

static void test_every_node_has_six_long_and_eight_short_edges(void **state)
{
    (void)state;
    sn_lattice lattice;
    assert_true(sn_lattice_make(&lattice, unit_bounds, 0.5f));
    for (int is_center = 0; is_center < 2; ++is_center) {
        int node = sn_lattice_node(&lattice, (sn_lattice_place){3, 4, 5, is_center});
        const int *neighbors = lattice.neighbors[is_center];
        int long_count = 0, short_count = 0;
        for (int k = 0; k < SN_LATTICE_NEIGHBORS; ++k) {
            assert_true(k == 0 || neighbors[k] > neighbors[k - 1]);
            int next = node + neighbors[k];
            float distance =
                sn_distance_between(sn_lattice_position(&lattice, node), sn_lattice_position(&lattice, next));
            if (sn_lattice_is_long(node, next)) {
                assert_float_equal(distance, 2.0f, 0.0f);
                long_count++;
            } else {
                assert_float_equal(distance, sqrtf(3.0f), 1.0e-6f);
                short_count++;
            }
        }
        assert_int_equal(long_count, 6);
        assert_int_equal(short_count, 8);
    }
    sn_lattice_release(&lattice);
}

static void test_too_many_nodes_are_counted_but_not_made(void **state)
{
    (void)state;
    sn_lattice lattice;
    assert_true(sn_lattice_count_nodes(unit_bounds, 1.0e-5f) > 1.0e16);
    assert_false(sn_lattice_make(&lattice, unit_bounds, 1.0e-5f));
    sn_lattice_release(&lattice);
    for (int allowed = 0; allowed < 2; ++allowed) {
        test_memory_allow(allowed);
        assert_false(sn_lattice_make(&lattice, unit_bounds, 0.5f));
        test_memory_allow_all();
        sn_lattice_release(&lattice);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_lattice_covers_the_bounds_with_a_margin_and_is_centred),
        test_with_memory(test_a_hair_more_than_a_cube_gets_no_further_cube),
        test_with_memory(test_places_and_numbers_agree),
        test_with_memory(test_every_node_has_six_long_and_eight_short_edges),
        test_with_memory(test_too_many_nodes_are_counted_but_not_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
