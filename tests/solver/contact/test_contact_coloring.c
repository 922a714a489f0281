// Colouring of contacts: no two of one colour share a moving body; nothing is lost; order is kept.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "solver/contact/contact_coloring.h"
#include "support/memory.h"
#include "support/random.h"
#include <stdlib.h>
#include <string.h>

enum { BODIES = 300, ITEMS = 2000 };

typedef struct graph {
    sn_arena arena;
    sn_solver solver;
    sn_patch patches[ITEMS];
    sn_coloring coloring;
} graph;

// Heap-allocated: patches are large.
static graph *graph_make(int body_count, int dynamic_begin)
{
    graph *g = calloc(1, sizeof *g);
    assert_non_null(g);
    g->solver.arena = &g->arena;
    g->solver.body_count = body_count;
    g->solver.dynamic_begin = dynamic_begin;
    g->solver.contacts = calloc(ITEMS, sizeof *g->solver.contacts);
    assert_non_null(g->solver.contacts);
    return g;
}

static void graph_free(graph *g)
{
    sn_arena_release(&g->arena);
    free(g->solver.contacts);
    free(g);
}

static void add_contact(graph *g, int a, int b, int points)
{
    int i = g->solver.contact_count++;
    assert_true(i < ITEMS);
    g->patches[i].count = points;
    g->solver.contacts[i] = (sn_contact_input){.patch = &g->patches[i], .body_a = a, .body_b = b};
}

static void color(graph *g)
{
    assert_true(sn_coloring_make(&g->solver, &g->coloring));
}

// --- what must hold of every colouring -----------------------------------------------------------

// Marks the moving bodies of an item; none may have been marked before.
static void mark_bodies(const graph *g, bool *marked, int a, int b)
{
    const int bodies[2] = {a, b};
    for (int k = 0; k < 2; ++k) {
        if (bodies[k] >= g->solver.dynamic_begin) {
            assert_false(marked[bodies[k]]);
            marked[bodies[k]] = true;
        }
    }
}

static void check_no_shared_bodies(const graph *g)
{
    const sn_coloring *c = &g->coloring;
    for (int i = 0; i < SN_COLORS; ++i) {
        bool marked[BODIES] = {false};
        for (int k = c->contact_begin[i]; k < c->contact_begin[i + 1]; ++k) {
            const sn_contact_input *item = &g->solver.contacts[c->contact_order[k]];
            mark_bodies(g, marked, item->body_a, item->body_b);
        }
    }
}

static void check_everything_once(const int *order, const int *begin, int count)
{
    bool seen[ITEMS] = {false};
    assert_int_equal(begin[0], 0);
    assert_int_equal(begin[SN_COLORS + 1], count);
    for (int c = 0; c <= SN_COLORS; ++c) {
        assert_true(begin[c] <= begin[c + 1]);
    }
    for (int i = 0; i < count; ++i) {
        assert_in_range(order[i], 0, count - 1);
        assert_false(seen[order[i]]);
        seen[order[i]] = true;
    }
}

static bool presses(const sn_patch *patch)
{
    bool any = false;
    for (int i = 0; i < patch->count; ++i) {
        any |= patch->points[i].normal_impulse > 0.0f;
    }
    return any;
}

// Within a colour what pressed comes first, then by falling number of points, then in input order. The
// overflow is solved in order, which impulses do not change.
static void check_order(const graph *g)
{
    const sn_coloring *c = &g->coloring;
    for (int i = 0; i <= SN_COLORS; ++i) {
        for (int k = c->contact_begin[i] + 1; k < c->contact_begin[i + 1]; ++k) {
            int before = c->contact_order[k - 1], now = c->contact_order[k];
            int points_before = g->patches[before].count, points = g->patches[now].count;
            bool was = i < SN_COLORS && presses(&g->patches[before]), is = presses(&g->patches[now]);
            is = is && i < SN_COLORS;
            assert_true(was || !is);
            assert_true(was != is || points_before > points || (points_before == points && before < now));
        }
    }
}

static void check_color_count(const graph *g)
{
    const sn_coloring *c = &g->coloring;
    for (int i = 0; i < SN_COLORS; ++i) {
        bool used = c->contact_begin[i + 1] > c->contact_begin[i];
        // Greedy colouring leaves no gaps.
        assert_int_equal(used, i < c->color_count);
    }
}

static void check_coloring(const graph *g)
{
    check_everything_once(g->coloring.contact_order, g->coloring.contact_begin, g->solver.contact_count);
    check_no_shared_bodies(g);
    check_order(g);
    check_color_count(g);
}

// --- graphs --------------------------------------------------------------------------------------

static int other_body(test_random *random, int body)
{
    int other = (int)(test_random_u32(random) % BODIES);
    return other != body ? other : (other + 1) % BODIES;
}

// From sparse to crowded, with few and many bodies that do not move.
static void test_random_graphs_are_coloured_without_conflicts(void **state)
{
    (void)state;
    test_random random = {1};
    const int begins[] = {1, 2, 50, BODIES};
    for (int round = 0; round < 60; ++round) {
        graph *g = graph_make(BODIES, begins[round % 4]);
        int contacts = (int)(test_random_u32(&random) % (round < 40 ? 800 : ITEMS));
        for (int i = 0; i < contacts; ++i) {
            // Some bodies are in everyone's way.
            int a = (int)(test_random_u32(&random) % (i % 3 == 0 ? 20 : BODIES));
            add_contact(g, a, other_body(&random, a), 1 + (int)(test_random_u32(&random) % 4));
            g->patches[i].points[0].normal_impulse = (float)(test_random_u32(&random) % 2);
        }
        color(g);
        check_coloring(g);
        graph_free(g);
    }
}

static void test_what_touches_only_unmoving_bodies_needs_one_colour(void **state)
{
    (void)state;
    graph *g = graph_make(BODIES, 3);
    for (int i = 3; i < BODIES; ++i) {
        add_contact(g, i % 3, i, 4);
    }
    color(g);
    check_coloring(g);
    assert_int_equal(g->coloring.color_count, 1);
    graph_free(g);
}

static void test_a_body_with_a_hundred_partners_overflows_after_31(void **state)
{
    (void)state;
    graph *g = graph_make(BODIES, 1);
    for (int i = 0; i < 100; ++i) {
        add_contact(g, 2 + i, 1, 1 + i % 4);
    }
    color(g);
    check_coloring(g);
    const sn_coloring *c = &g->coloring;
    assert_int_equal(c->color_count, SN_COLORS);
    // First come, first served: one each.
    assert_int_equal(c->contact_begin[SN_OVERFLOW], SN_COLORS);
    for (int i = 0; i < SN_COLORS; ++i) {
        assert_int_equal(c->contact_order[i], i);
    }
    // What does not touch the crowded body still finds a colour.
    add_contact(g, 200, 201, 4);
    sn_arena_reset(&g->arena);
    color(g);
    check_coloring(g);
    assert_int_equal(g->coloring.contact_begin[SN_OVERFLOW], SN_COLORS + 1);
    graph_free(g);
}

static void test_a_chain_needs_two_colours(void **state)
{
    (void)state;
    graph *g = graph_make(BODIES, 1);
    for (int i = 1; i + 1 < BODIES; ++i) {
        add_contact(g, i, i + 1, 4);
    }
    color(g);
    check_coloring(g);
    assert_int_equal(g->coloring.color_count, 2);
    graph_free(g);
}

static void test_nothing_to_colour_is_fine(void **state)
{
    (void)state;
    graph *g = graph_make(1, 1);
    color(g);
    check_coloring(g);
    assert_int_equal(g->coloring.color_count, 0);
    graph_free(g);
}

static void test_the_same_input_gives_the_same_order(void **state)
{
    (void)state;
    test_random random = {2};
    graph *g = graph_make(BODIES, 5);
    for (int i = 0; i < 1500; ++i) {
        int a = (int)(test_random_u32(&random) % BODIES);
        add_contact(g, a, other_body(&random, a), 1 + i % 4);
    }
    color(g);
    int first[ITEMS];
    memcpy(first, g->coloring.contact_order, 1500 * sizeof *first);
    sn_arena_reset(&g->arena);
    color(g);
    assert_memory_equal(first, g->coloring.contact_order, 1500 * sizeof *first);
    graph_free(g);
}

static void test_without_memory_it_says_so(void **state)
{
    (void)state;
    for (int allowed = 0;; ++allowed) {
        graph *g = graph_make(BODIES, 1);
        for (int i = 1; i + 1 < BODIES; ++i) {
            add_contact(g, i, i + 1, 2);
        }
        test_memory_allow(allowed);
        bool made = sn_coloring_make(&g->solver, &g->coloring);
        test_memory_allow_all();
        graph_free(g);
        if (made) {
            assert_true(allowed > 0);
            break;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_random_graphs_are_coloured_without_conflicts),
        test_with_memory(test_what_touches_only_unmoving_bodies_needs_one_colour),
        test_with_memory(test_a_body_with_a_hundred_partners_overflows_after_31),
        test_with_memory(test_a_chain_needs_two_colours),
        test_with_memory(test_nothing_to_colour_is_fine),
        test_with_memory(test_the_same_input_gives_the_same_order),
        test_with_memory(test_without_memory_it_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
