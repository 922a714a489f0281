// Threads of nets of edges, and the bounds of every second, fourth, … node along them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "long_range/levels.h"
#include "support/memory.h"

enum { LONG = 4 * SN_LEVEL_EDGES, MOST_NODES = 1 << 12, MOST_EDGES = 1 << 13 };

typedef struct net {
    sn_vec3 places[MOST_NODES];
    sn_distance_edge edges[MOST_EDGES];
    int node_count, edge_count;
    sn_bound_list bounds;
} net;

static net net_of_test;

static int add_node(net *net, float x, float y)
{
    net->places[net->node_count] = sn_v(x, y, 0.0f);
    return net->node_count++;
}

static void add_edge(net *net, int a, int b)
{
    net->edges[net->edge_count++] =
        (sn_distance_edge){{(uint32_t)a, (uint32_t)b}, sn_distance_between(net->places[a], net->places[b])};
}

static void find_where(net *net, bool is_held)
{
    sn_arena arena = {0};
    sn_distance_graph graph;
    assert_true(
        sn_distance_graph_make(&graph, &arena, net->node_count, net->edges, net->edge_count, NULL, 0));
    assert_true(sn_levels_find(&graph, net->places, is_held, &net->bounds));
    sn_arena_release(&arena);
}

static void find(net *net)
{
    find_where(net, false);
}

static net *start(void)
{
    net_of_test.node_count = net_of_test.edge_count = 0;
    return &net_of_test;
}

static void finish(net *net)
{
    sn_array_release(&net->bounds);
}

// Edges in the order of a shuffle, so that threads do not begin where they were made.
static void add_line(net *net, int edge_count)
{
    for (int i = 0; i <= edge_count; ++i) {
        (void)add_node(net, 0.1f * (float)i, 0.0f);
    }
    for (int i = 0; i < edge_count; ++i) {
        int k = (i * 7) % edge_count;
        add_edge(net, k, k + 1);
    }
}

static void test_a_short_thread_has_no_levels(void **state)
{
    (void)state;
    net *net = start();
    add_line(net, SN_LEVEL_EDGES);
    find(net);
    assert_int_equal(net->bounds.count, 0);
    finish(net);
}

static void test_a_long_thread_has_bounds_of_every_second_and_fourth_node(void **state)
{
    (void)state;
    net *net = start();
    add_line(net, LONG - 1); // no multiple of 7
    find(net);
    int by_stride[5] = {0};
    for (int i = 0; i < net->bounds.count; ++i) {
        const sn_bound *bound = &net->bounds.data[i];
        int stride = bound->other > bound->node ? bound->other - bound->node : bound->node - bound->other;
        assert_true(stride == 2 || stride == 4);
        assert_float_equal(bound->length, 0.1f * (float)stride, 1.0e-4f);
        assert_false(bound->is_held);
        ++by_stride[stride];
    }
    assert_int_equal(by_stride[2], LONG / 2 - 1);
    assert_int_equal(by_stride[4], LONG / 4 - 1);
    finish(net);
}

// Held, each level has four times the bounds of the one above it.
static void check_held(int edge_count, int coarsest, int finest)
{
    net *net = start();
    add_line(net, edge_count);
    find_where(net, true);
    int by_stride[SN_LEVEL_EDGES] = {0};
    for (int i = 0; i < net->bounds.count; ++i) {
        const sn_bound *bound = &net->bounds.data[i];
        int stride = bound->other > bound->node ? bound->other - bound->node : bound->node - bound->other;
        assert_true(stride == coarsest || stride == finest);
        ++by_stride[stride];
    }
    assert_int_equal(by_stride[coarsest], edge_count / coarsest);
    assert_int_equal(by_stride[finest], edge_count / finest);
    finish(net);
}

static void test_a_thread_that_is_held_has_every_second_level_from_the_coarsest_on(void **state)
{
    (void)state;
    check_held(SN_LEVEL_EDGES + 2, 2, 2);
    check_held(LONG - 1, 4, 4);
    check_held(2 * LONG - 3, 8, 2);
    check_held(4 * LONG - 3, 16, 4);
}

static void test_threads_of_a_grid_are_its_rows_and_columns(void **state)
{
    (void)state;
    enum { COLUMNS = SN_LEVEL_EDGES + 10, ROWS = 30 };
    net *net = start();
    for (int i = 0; i < COLUMNS * ROWS; ++i) {
        (void)add_node(net, (float)(i % COLUMNS), (float)(i / COLUMNS));
    }
    for (int i = 0; i < COLUMNS * ROWS; ++i) {
        if (i % COLUMNS + 1 < COLUMNS) {
            add_edge(net, i, i + 1);
        }
        if (i / COLUMNS + 1 < ROWS) {
            add_edge(net, i, i + COLUMNS);
        }
    }
    find(net);
    assert_int_equal(net->bounds.count, ROWS * ((COLUMNS - 1) / 2)); // columns are short
    for (int i = 0; i < net->bounds.count; ++i) {
        const sn_bound *bound = &net->bounds.data[i];
        assert_int_equal(bound->node / COLUMNS, bound->other / COLUMNS);
        assert_float_equal(bound->length, 2.0f, 1.0e-5f);
    }
    finish(net);
}

static void test_a_ring_is_a_thread(void **state)
{
    (void)state;
    net *net = start();
    for (int i = 0; i < LONG; ++i) {
        float angle = 2.0f * SN_PI * (float)i / (float)LONG;
        (void)add_node(net, sn_cos(angle), sn_sin(angle));
    }
    for (int i = 0; i < LONG; ++i) {
        add_edge(net, i, (i + 1) % LONG);
    }
    find(net);
    assert_int_equal(net->bounds.count, LONG / 2 + LONG / 4);
    finish(net);
}

static void test_threads_end_at_corners_and_where_many_edges_meet(void **state)
{
    (void)state;
    enum { ARMS = 40, ARM = SN_LEVEL_EDGES };
    net *net = start();
    int hub = add_node(net, 0.0f, 0.0f);
    for (int arm = 0; arm < ARMS; ++arm) {
        float angle = 2.0f * SN_PI * (float)arm / (float)ARMS;
        for (int i = 1, last = hub; i <= ARM; ++i) {
            int node = add_node(net, (float)i * sn_cos(angle), (float)i * sn_sin(angle));
            add_edge(net, last, node);
            last = node;
        }
    }
    find(net);
    assert_int_equal(net->bounds.count, 0); // arms opposite each other would be one thread, twice as long
    finish(net);
    net = start();
    for (int i = 0; i <= 2 * ARM; ++i) {
        (void)add_node(net, (float)(i < ARM ? i : ARM), (float)(i < ARM ? 0 : i - ARM));
    }
    for (int i = 0; i < 2 * ARM; ++i) {
        add_edge(net, i, i + 1);
    }
    find(net);
    assert_int_equal(net->bounds.count, 0);
    finish(net);
}

static void test_edges_without_length_end_threads(void **state)
{
    (void)state;
    net *net = start();
    for (int i = 0; i < LONG; ++i) {
        (void)add_node(net, 0.0f, 0.0f);
    }
    for (int i = 0; i + 1 < LONG; ++i) {
        add_edge(net, i, i + 1);
    }
    find(net);
    assert_int_equal(net->bounds.count, 0);
    finish(net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_a_short_thread_has_no_levels),
        test_with_memory(test_a_long_thread_has_bounds_of_every_second_and_fourth_node),
        test_with_memory(test_a_thread_that_is_held_has_every_second_level_from_the_coarsest_on),
        test_with_memory(test_threads_of_a_grid_are_its_rows_and_columns),
        test_with_memory(test_a_ring_is_a_thread),
        test_with_memory(test_threads_end_at_corners_and_where_many_edges_meet),
        test_with_memory(test_edges_without_length_end_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
