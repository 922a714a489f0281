#include "solver/coloring.h"

#include <string.h>

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
    int color = 0;
    while (color < SN_COLORS && (taken >> color & 1u)) {
        ++color;
    }
    if (color < SN_COLORS) {
        uint32_t bit = 1u << color;
        palette->used[body_a] |= moves_a ? bit : 0u;
        palette->used[body_b] |= moves_b ? bit : 0u;
    }
    return color;
}

// Stable counting sort of items by bucket. `begin` has one more entry than there are buckets.
static void sort_by_bucket(const uint8_t *bucket, int count, int bucket_count, int *order, int *begin)
{
    memset(begin, 0, (size_t)(bucket_count + 1) * sizeof *begin);
    for (int i = 0; i < count; ++i) {
        ++begin[bucket[i] + 1];
    }
    for (int b = 0; b < bucket_count; ++b) {
        begin[b + 1] += begin[b];
    }
    int next[(SN_COLORS + 1) * WEIGHTS];
    memcpy(next, begin, (size_t)bucket_count * sizeof *next);
    for (int i = 0; i < count; ++i) {
        order[next[bucket[i]]++] = i;
    }
}

bool sn_coloring_make(const sn_solver *solver, sn_coloring *coloring)
{
    int contacts = solver->contact_count, constraints = solver->constraint_count;
    palette palette = {sn_arena_take_zero(solver->arena, (size_t)solver->body_count, sizeof(uint32_t)),
                       solver->dynamic_begin};
    uint8_t *constraint_bucket = sn_arena_take(solver->arena, (size_t)constraints, 1);
    uint8_t *contact_bucket = sn_arena_take(solver->arena, (size_t)contacts, 1);
    coloring->constraint_order = sn_arena_take(solver->arena, (size_t)constraints, sizeof(int));
    coloring->contact_order = sn_arena_take(solver->arena, (size_t)contacts, sizeof(int));
    if (!palette.used || !constraint_bucket || !contact_bucket || !coloring->constraint_order ||
        !coloring->contact_order) {
        return false;
    }
    int highest = -1;
    for (int i = 0; i < constraints; ++i) {
        int color = pick_color(&palette, solver->constraints[i].body_a, solver->constraints[i].body_b);
        highest = color < SN_OVERFLOW && color > highest ? color : highest;
        constraint_bucket[i] = (uint8_t)color;
    }
    for (int i = 0; i < contacts; ++i) {
        int color = pick_color(&palette, solver->contacts[i].body_a, solver->contacts[i].body_b);
        highest = color < SN_OVERFLOW && color > highest ? color : highest;
        contact_bucket[i] = (uint8_t)(color * WEIGHTS + WEIGHTS - solver->contacts[i].patch->count);
    }
    coloring->color_count = highest + 1;
    int begin[(SN_COLORS + 1) * WEIGHTS + 1];
    sort_by_bucket(constraint_bucket, constraints, SN_COLORS + 1, coloring->constraint_order,
                   coloring->constraint_begin);
    sort_by_bucket(contact_bucket, contacts, (SN_COLORS + 1) * WEIGHTS, coloring->contact_order, begin);
    for (int c = 0; c <= SN_COLORS + 1; ++c) {
        coloring->contact_begin[c] = begin[c * WEIGHTS];
    }
    return true;
}
