// Edges of triangles find their partners.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry/mesh/edge_pairs.h"
#include "support/memory.h"
#include "support/random.h"

static const uint32_t tetrahedron[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};

static void test_every_edge_of_a_closed_mesh_has_a_twin_the_other_way(void **state)
{
    (void)state;
    int twins[12];
    assert_true(sn_edge_pairs(tetrahedron, 4, 4, twins));
    for (int i = 0; i < 12; ++i) {
        int next = i % 3 == 2 ? i - 2 : i + 1, twin_next = twins[i] % 3 == 2 ? twins[i] - 2 : twins[i] + 1;
        assert_true(twins[i] >= 0);
        assert_int_equal(twins[twins[i]], i);
        assert_int_equal(tetrahedron[i], tetrahedron[twin_next]);
        assert_int_equal(tetrahedron[next], tetrahedron[twins[i]]);
    }
}

static void test_lonely_edges_are_open(void **state)
{
    (void)state;
    int twins[9];
    assert_true(sn_edge_pairs(tetrahedron, 3, 4, twins));
    int open = 0;
    for (int i = 0; i < 9; ++i) {
        open += twins[i] == SN_EDGE_OPEN;
    }
    assert_int_equal(open, 3);
}

static void test_edges_of_three_triangles_or_of_one_direction_are_crowded(void **state)
{
    (void)state;
    const uint32_t fan[9] = {0, 1, 2, 1, 0, 3, 0, 1, 4}, same_way[6] = {0, 1, 2, 0, 1, 3};
    int twins[9];
    assert_true(sn_edge_pairs(fan, 3, 5, twins));
    assert_int_equal(twins[0], SN_EDGE_CROWDED);
    assert_int_equal(twins[3], SN_EDGE_CROWDED);
    assert_int_equal(twins[6], SN_EDGE_CROWDED);
    assert_int_equal(twins[1], SN_EDGE_OPEN);
    assert_true(sn_edge_pairs(same_way, 2, 4, twins));
    assert_int_equal(twins[0], SN_EDGE_CROWDED);
    assert_int_equal(twins[3], SN_EDGE_CROWDED);
}

static void test_random_triangles_agree_with_brute_force(void **state)
{
    (void)state;
    test_random random = {3};
    for (int round = 0; round < 200; ++round) {
        uint32_t triangles[90];
        int twins[90];
        for (int i = 0; i < 90; ++i) {
            triangles[i] = test_random_u32(&random) % 9;
        }
        assert_true(sn_edge_pairs(triangles, 30, 9, twins));
        for (int i = 0; i < 90; ++i) {
            uint32_t from = triangles[i], to = triangles[i % 3 == 2 ? i - 2 : i + 1];
            int count = 0, other = -1;
            bool opposite = false;
            for (int j = 0; j < 90; ++j) {
                uint32_t f = triangles[j], t = triangles[j % 3 == 2 ? j - 2 : j + 1];
                bool same = f == from && t == to, reversed = f == to && t == from;
                if (j != i && (same || reversed)) {
                    count++;
                    other = j;
                    opposite = f != from;
                }
            }
            int expected = count == 0 ? SN_EDGE_OPEN : (count == 1 && opposite ? other : SN_EDGE_CROWDED);
            assert_int_equal(twins[i], expected);
        }
    }
}

static void test_without_memory_it_says_so(void **state)
{
    (void)state;
    int twins[12];
    for (int allowed = 0; allowed < 3; ++allowed) {
        test_memory_allow(allowed);
        assert_false(sn_edge_pairs(tetrahedron, 4, 4, twins));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_every_edge_of_a_closed_mesh_has_a_twin_the_other_way),
        test_with_memory(test_lonely_edges_are_open),
        test_with_memory(test_edges_of_three_triangles_or_of_one_direction_are_crowded),
        test_with_memory(test_random_triangles_agree_with_brute_force),
        test_with_memory(test_without_memory_it_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
