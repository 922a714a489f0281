#include "solver/contact/contact_coloring.h"
#include "base/tuple_sort.h"

// Points of a patch decide its place within a colour, so that blocks of eight hold patches of equal size: 4,
// 3, 2, 1.
#define WEIGHTS SN_MANIFOLD_POINTS

typedef struct palette {
    uint32_t *used; // by body: bit c is set when something of colour c touches it
    int dynamic_begin;
} palette;

static int pick_color(palette *palette, int body_a, int body_b)
{
    bool moves_a = body_a >= palette->dynamic_begin, moves_b = body_b >= palette->dynamic_begin;
    uint32_t taken = (moves_a ? palette->used[body_a] : 0u) | (moves_b ? palette->used[body_b] : 0u);
    int color = sn_first_free_color(taken);
    if (color < SN_COLORS) {
        uint32_t bit = 1u << color;
        palette->used[body_a] |= moves_a ? bit : 0u;
        palette->used[body_b] |= moves_b ? bit : 0u;
    }
    return color;
}

bool sn_coloring_make(const sn_solver *solver, sn_coloring *coloring)
{
    int contacts = solver->contact_count;
    palette palette = {sn_arena_take_zero(solver->arena, (size_t)solver->body_count, sizeof(uint32_t)),
                       solver->dynamic_begin};
    int *bucket = sn_arena_take(solver->arena, (size_t)contacts, sizeof *bucket);
    coloring->contact_order = sn_arena_take(solver->arena, (size_t)contacts, sizeof(int));
    if (!palette.used || !bucket || !coloring->contact_order) {
        return false;
    }
    int highest = -1;
    for (int i = 0; i < contacts; ++i) {
        int color = pick_color(&palette, solver->contacts[i].body_a, solver->contacts[i].body_b);
        highest = color < SN_OVERFLOW && color > highest ? color : highest;
        bucket[i] = color * WEIGHTS + WEIGHTS - solver->contacts[i].patch->count;
    }
    coloring->color_count = highest + 1;
    int begin[(SN_COLORS + 1) * WEIGHTS + 1];
    sn_counting_sort(bucket, 1, (SN_COLORS + 1) * WEIGHTS, NULL, contacts, coloring->contact_order, begin);
    for (int c = 0; c <= SN_COLORS + 1; ++c) {
        coloring->contact_begin[c] = begin[c * WEIGHTS];
    }
    return true;
}
