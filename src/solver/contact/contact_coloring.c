// Colouring contacts, and sorting them by colour and number of points.
#include "solver/contact/contact_coloring.h"
#include "base/tuple_sort.h"

// What is alike is side by side within a colour: patches that pressed in the last step, of 4, 3, 2 and 1
// points, then those that did not, for a block in which nothing presses costs little.
#define SIZES   SN_MANIFOLD_POINTS
#define WEIGHTS (2 * SIZES)

static bool presses(const sn_patch *patch)
{
    bool any = false;
    for (int i = 0; i < patch->count; ++i) {
        any |= patch->points[i].normal_impulse > 0.0f;
    }
    return any;
}

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
        const sn_patch *patch = solver->contacts[i].patch;
        bucket[i] = color * WEIGHTS + SIZES - patch->count;
        bucket[i] += color != SN_OVERFLOW && !presses(patch) ? SIZES : 0; // its order decides
    }
    coloring->color_count = highest + 1;
    int begin[(SN_COLORS + 1) * WEIGHTS + 1];
    sn_counting_sort(bucket, 1, (SN_COLORS + 1) * WEIGHTS, NULL, contacts, coloring->contact_order, begin);
    for (int c = 0; c <= SN_COLORS + 1; ++c) {
        coloring->contact_begin[c] = begin[c * WEIGHTS];
    }
    return true;
}
