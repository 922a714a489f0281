// Ranges of nodes: where they go, what becomes of gaps, and that nothing is lost without memory.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "matter/nodes.h"
#include "support/memory.h"
#include "support/random.h"
#include <string.h>

static void test_the_first_range_begins_behind_the_dummy(void **state)
{
    (void)state;
    sn_nodes nodes = {0};
    assert_int_equal(sn_nodes_take(&nodes, 3), 1);
    assert_int_equal(sn_nodes_take(&nodes, 5), 4);
    assert_int_equal(nodes.states.count, 9);
    assert_int_equal(nodes.frozen.count, 9);
    sn_nodes_release(&nodes);
}

static void test_gaps_are_filled_first(void **state)
{
    (void)state;
    sn_nodes nodes = {0};
    int a = sn_nodes_take(&nodes, 4), b = sn_nodes_take(&nodes, 6), c = sn_nodes_take(&nodes, 2);
    sn_nodes_give_back(&nodes, b, 6);
    assert_int_equal(sn_nodes_take(&nodes, 7), c + 2); // too long for the gap
    assert_int_equal(sn_nodes_take(&nodes, 4), b);
    assert_int_equal(sn_nodes_take(&nodes, 2), b + 4);
    assert_int_equal(nodes.gaps.count, 0);
    sn_nodes_give_back(&nodes, a, 4);
    assert_int_equal(sn_nodes_take(&nodes, 1), a);
    sn_nodes_release(&nodes);
}

static void test_neighbouring_gaps_become_one_and_the_end_moves_back(void **state)
{
    (void)state;
    sn_nodes nodes = {0};
    int first[5];
    for (int i = 0; i < 5; ++i) {
        first[i] = sn_nodes_take(&nodes, 3);
    }
    sn_nodes_give_back(&nodes, first[1], 3);
    sn_nodes_give_back(&nodes, first[3], 3);
    assert_int_equal(nodes.gaps.count, 2);
    sn_nodes_give_back(&nodes, first[2], 3);
    assert_int_equal(nodes.gaps.count, 1);
    assert_int_equal(nodes.gaps.data[0].first, first[1]);
    assert_int_equal(nodes.gaps.data[0].count, 9);
    sn_nodes_give_back(&nodes, first[4], 3);
    assert_int_equal(nodes.gaps.count, 0);
    assert_int_equal(nodes.states.count, first[1]);
    sn_nodes_give_back(&nodes, first[0], 3);
    assert_int_equal(nodes.states.count, 1);
    assert_int_equal(nodes.range_count, 0);
    sn_nodes_release(&nodes);
}

// Against a plain map of who owns which node.
static void test_ranges_never_overlap(void **state)
{
    (void)state;
    enum { RANGES = 40, NODES = 4000 };
    static int owner[NODES];
    memset(owner, 0, sizeof owner);
    sn_nodes nodes = {0};
    int first[RANGES] = {0}, count[RANGES] = {0};
    test_random random = {5};
    for (int turn = 0; turn < 4000; ++turn) {
        int r = (int)(test_random_u32(&random) % RANGES);
        if (count[r] > 0) {
            for (int i = first[r]; i < first[r] + count[r]; ++i) {
                assert_int_equal(owner[i], r + 1);
                assert_true(nodes.masses.data[i] == (float)(r + 1));
                owner[i] = 0;
            }
            sn_nodes_give_back(&nodes, first[r], count[r]);
            count[r] = 0;
            continue;
        }
        count[r] = 1 + (int)(test_random_u32(&random) % 60);
        first[r] = sn_nodes_take(&nodes, count[r]);
        assert_true(first[r] >= 1 && first[r] + count[r] <= NODES);
        for (int i = first[r]; i < first[r] + count[r]; ++i) {
            assert_int_equal(owner[i], 0);
            assert_true(nodes.masses.data[i] == 0.0f && nodes.states.data[i].position.x == 0.0f);
            owner[i] = r + 1;
            nodes.masses.data[i] = (float)(r + 1);
            nodes.states.data[i].position.x = 1.0f;
        }
    }
    sn_nodes_release(&nodes);
}

static void test_without_memory_nothing_is_taken(void **state)
{
    (void)state;
    sn_nodes nodes = {0};
    assert_int_equal(sn_nodes_take(&nodes, 10), 1);
    for (int allowed = 0; allowed < 8; ++allowed) {
        test_memory_allow(allowed);
        int first = sn_nodes_take(&nodes, 1000 << allowed);
        test_memory_allow_all();
        assert_true(first == -1 || allowed == 7);
        if (first < 0) {
            assert_int_equal(nodes.states.count, 11);
            assert_int_equal(nodes.frozen.count, 11);
            assert_int_equal(nodes.range_count, 1);
        }
    }
    assert_int_equal(sn_nodes_take(&nodes, INT32_MAX), -1);
    sn_nodes_release(&nodes);
}

static void test_giving_back_needs_no_memory(void **state)
{
    (void)state;
    sn_nodes nodes = {0};
    int first[64];
    for (int i = 0; i < 64; ++i) {
        first[i] = sn_nodes_take(&nodes, 1);
    }
    test_memory_allow(0);
    for (int i = 0; i < 64; i += 2) {
        sn_nodes_give_back(&nodes, first[i], 1);
    }
    assert_int_equal(nodes.gaps.count, 32);
    test_memory_allow_all();
    sn_nodes_release(&nodes);
}

static void test_nodes_that_are_nowhere_are_not_sound(void **state)
{
    (void)state;
    sn_nodes nodes = {0};
    int node = sn_nodes_take(&nodes, 1);
    assert_true(sn_node_is_sound(&nodes, node));
    const float bad[] = {NAN, INFINITY, -INFINITY, 2.0e9f, -3.0e38f};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        nodes.states.data[node].position.y = bad[i];
        assert_false(sn_node_is_sound(&nodes, node));
        nodes.states.data[node].position.y = 1.0e6f;
        nodes.velocities.data[node].velocity.z = bad[i];
        assert_false(sn_node_is_sound(&nodes, node));
        nodes.velocities.data[node].velocity.z = -1.0e5f;
        assert_true(sn_node_is_sound(&nodes, node));
    }
    sn_nodes_release(&nodes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_the_first_range_begins_behind_the_dummy),
        test_with_memory(test_gaps_are_filled_first),
        test_with_memory(test_neighbouring_gaps_become_one_and_the_end_moves_back),
        test_with_memory(test_ranges_never_overlap),
        test_with_memory(test_without_memory_nothing_is_taken),
        test_with_memory(test_giving_back_needs_no_memory),
        test_with_memory(test_nodes_that_are_nowhere_are_not_sound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
