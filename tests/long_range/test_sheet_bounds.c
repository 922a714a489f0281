// Bounds of sheets never pull on a shape that the sheet can take: folded, twisted and sheared at random.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "long_range/sheet_bounds.h"
#include "support/memory.h"

#include <math.h>

enum { SIDE = 13, NODES = SIDE * SIDE, THREADS = 2 * SIDE * (SIDE - 1), CELLS = (SIDE - 1) * (SIDE - 1) };
enum { EDGES = THREADS + CELLS, TRIANGLES = 2 * CELLS, SAMPLES = 10000 };

typedef struct sheet {
    sn_vec3 places[NODES];
    sn_distance_edge edges[EDGES];
    uint32_t triangles[3 * TRIANGLES];
} sheet;

static float random_part(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (float)(*seed >> 8) / 16777216.0f;
}

static sn_vec3 random_direction(uint32_t *seed)
{
    for (;;) {
        sn_vec3 v = {2.0f * random_part(seed) - 1.0f, 2.0f * random_part(seed) - 1.0f,
                     2.0f * random_part(seed) - 1.0f};
        float length = sn_length(v);
        if (length > 0.1f && length <= 1.0f) {
            return sn_scale(v, 1.0f / length);
        }
    }
}

static sn_distance_edge edge_between(const sheet *sheet, int a, int b)
{
    return (sn_distance_edge){{(uint32_t)a, (uint32_t)b},
                              sn_distance_between(sheet->places[a], sheet->places[b])};
}

// Threads first, then diagonals.
static void make_sheet(sheet *sheet)
{
    int edge = 0, diagonal = THREADS, corner = 0;
    for (int i = 0; i < NODES; ++i) {
        sheet->places[i] = sn_v((float)(i % SIDE), (float)(i / SIDE), 0.0f);
    }
    for (int i = 0; i < NODES; ++i) {
        bool right = i % SIDE + 1 < SIDE, up = i / SIDE + 1 < SIDE;
        if (right) {
            sheet->edges[edge++] = edge_between(sheet, i, i + 1);
        }
        if (up) {
            sheet->edges[edge++] = edge_between(sheet, i, i + SIDE);
        }
        if (right && up) {
            const int corners[6] = {i, i + 1, i + SIDE + 1, i, i + SIDE + 1, i + SIDE};
            sheet->edges[diagonal++] = edge_between(sheet, i, i + SIDE + 1);
            for (int k = 0; k < 6; ++k) {
                sheet->triangles[corner++] = (uint32_t)corners[k];
            }
        }
    }
}

static int choose_held(uint32_t *seed, int held[NODES])
{
    int count = 0, one_in = 2 + (int)(random_part(seed) * 100.0f);
    for (int i = 0; i < NODES; ++i) {
        if ((int)(random_part(seed) * (float)one_in) == 0) {
            held[count++] = i;
        }
    }
    return count;
}

// A(u) + B(v), both of steps of length 1 in any direction: every thread keeps its length, diagonals do not.
static void shear_and_fold(uint32_t *seed, sn_vec3 places[NODES])
{
    sn_vec3 along[2][SIDE] = {{{0}}};
    for (int k = 0; k < 2; ++k) {
        sn_vec3 direction = random_direction(seed);
        for (int i = 1; i < SIDE; ++i) {
            direction = random_part(seed) < 0.3f ? random_direction(seed) : direction;
            along[k][i] = sn_add(along[k][i - 1], direction);
        }
    }
    for (int i = 0; i < NODES; ++i) {
        places[i] = sn_add(along[0][i % SIDE], along[1][i / SIDE]);
    }
}

// Rolled and folded about lines along one thread: all lengths are kept, diagonals too.
static void roll(uint32_t *seed, sn_vec3 places[NODES])
{
    sn_vec3 curve[SIDE] = {{0}};
    float angle = 0.0f;
    for (int i = 1; i < SIDE; ++i) {
        angle += (random_part(seed) - 0.5f) * (random_part(seed) < 0.2f ? 6.0f : 0.5f);
        curve[i] = sn_add(curve[i - 1], sn_v(sn_cos(angle), 0.0f, sn_sin(angle)));
    }
    for (int i = 0; i < NODES; ++i) {
        places[i] = sn_add(curve[i % SIDE], sn_v(0.0f, (float)(i / SIDE), 0.0f));
    }
}

static void assert_none_violated(const sn_bound_list *bounds, const sn_vec3 *places)
{
    for (int i = 0; i < bounds->count; ++i) {
        const sn_bound *bound = &bounds->data[i];
        assert_true(sn_distance_between(places[bound->node], places[bound->other]) <=
                    bound->length * 1.00001f);
    }
}

static void check_shapes(int edge_count, int triangle_count, void (*shape)(uint32_t *, sn_vec3 *))
{
    static sheet sheet;
    uint32_t seed = 1;
    int checked = 0;
    make_sheet(&sheet);
    for (int round = 0; round < 100; ++round) {
        int held[NODES];
        int held_count = choose_held(&seed, held);
        sn_arena arena = {0};
        sn_distance_graph graph;
        sn_bound_list bounds = {0};
        assert_true(sn_distance_graph_make(&graph, &arena, NODES, sheet.edges, edge_count, sheet.triangles,
                                           triangle_count));
        assert_true(sn_sheet_bounds_find(&graph, sheet.places, held, held_count, &bounds));
        for (int k = 0; k < SAMPLES / 100; ++k) {
            sn_vec3 places[NODES];
            shape(&seed, places);
            assert_none_violated(&bounds, places);
            checked += bounds.count > 0 ? 1 : 0;
        }
        sn_array_release(&bounds);
        sn_arena_release(&arena);
    }
    assert_true(checked > SAMPLES / 2);
}

static void test_no_shape_of_woven_cloth_violates_a_bound(void **state)
{
    (void)state;
    check_shapes(THREADS, 0, shear_and_fold);
}

static void test_no_shape_of_a_sheet_that_does_not_shear_violates_a_bound(void **state)
{
    (void)state;
    check_shapes(EDGES, TRIANGLES, roll);
}

// Held at its rim, a node is bound straight along both of its threads, to all four sides.
static void test_a_node_within_a_rim_is_bound_to_all_sides(void **state)
{
    (void)state;
    static sheet sheet;
    int held[NODES], held_count = 0, middle = NODES / 2, count = 0;
    make_sheet(&sheet);
    for (int i = 0; i < NODES; ++i) {
        int x = i % SIDE, y = i / SIDE;
        if (x == 0 || y == 0 || x == SIDE - 1 || y == SIDE - 1) {
            held[held_count++] = i;
        }
    }
    sn_arena arena = {0};
    sn_distance_graph graph;
    sn_bound_list bounds = {0};
    assert_true(sn_distance_graph_make(&graph, &arena, NODES, sheet.edges, THREADS, sheet.triangles, 0));
    assert_true(sn_sheet_bounds_find(&graph, sheet.places, held, held_count, &bounds));
    for (int i = 0; i < bounds.count; ++i) {
        if (bounds.data[i].node == middle) {
            assert_float_equal(bounds.data[i].length, (float)(SIDE / 2), 1.0e-5f);
            ++count;
        }
    }
    assert_int_equal(count, 4);
    sn_array_release(&bounds);
    sn_arena_release(&arena);
}

static void test_what_nothing_holds_has_no_bounds(void **state)
{
    (void)state;
    static sheet sheet;
    int none = 0;
    make_sheet(&sheet);
    sn_arena arena = {0};
    sn_distance_graph graph;
    sn_bound_list bounds = {0};
    assert_true(sn_distance_graph_make(&graph, &arena, NODES, sheet.edges, THREADS, sheet.triangles, 0));
    assert_true(sn_sheet_bounds_find(&graph, sheet.places, &none, 0, &bounds));
    assert_int_equal(bounds.count, 0);
    sn_array_release(&bounds);
    sn_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_no_shape_of_woven_cloth_violates_a_bound),
        test_with_memory(test_no_shape_of_a_sheet_that_does_not_shear_violates_a_bound),
        test_with_memory(test_a_node_within_a_rim_is_bound_to_all_sides),
        test_with_memory(test_what_nothing_holds_has_no_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
