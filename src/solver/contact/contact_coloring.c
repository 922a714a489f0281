// Colouring contacts, and sorting them by colour and number of points.
#include "solver/contact/contact_coloring.h"
#include "base/tuple_sort.h"

// Points of a patch decide its place within a colour, so that blocks of eight hold patches of equal size: 4,
// 3, 2, 1.
#define WEIGHTS SN_MANIFOLD_POINTS

// The lowest colour that is free at the bodies that move.
static int pick_color(uint64_t *masks, int dynamic_begin, const sn_contact_input *contact)
{
    uint64_t *members[2];
    int count = 0, bodies[2] = {contact->body_a, contact->body_b};
    for (int i = 0; i < 2; ++i) {
        if (bodies[i] >= dynamic_begin) {
            members[count++] = &masks[bodies[i]];
        }
    }
    return sn_color_take(members, count, SN_COLORS);
}

bool sn_coloring_make(const sn_solver *solver, sn_coloring *coloring)
{
    int contacts = solver->contact_count;
    uint64_t *masks = sn_arena_take_zero(solver->arena, (size_t)solver->body_count, sizeof *masks);
    int *bucket = sn_arena_take(solver->arena, (size_t)contacts, sizeof *bucket);
    coloring->contact_order = sn_arena_take(solver->arena, (size_t)contacts, sizeof(int));
    if (!masks || !bucket || !coloring->contact_order) {
        return false;
    }
    int highest = -1;
    for (int i = 0; i < contacts; ++i) {
        int color = pick_color(masks, solver->dynamic_begin, &solver->contacts[i]);
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
