// Greedy colouring: items that share something that moves get different colours. What is shared remembers the
// colours around it in one word, so an item costs a few loads and a count of trailing ones.
#ifndef SN_SOLVER_CONTACT_CONTACT_COLORING_H
#define SN_SOLVER_CONTACT_CONTACT_COLORING_H

#include "solver/solver.h"

// Colours 0 … 30; the last one stands for items that found none and are solved one after the other.
#define SN_COLORS   31
#define SN_OVERFLOW SN_COLORS

typedef struct sn_coloring {
    // Numbers of contacts sorted by colour; colour c occupies [begin[c], begin[c + 1]). Those of one colour
    // are grouped by their number of points, and keep their order within.
    int *contact_order;
    int contact_begin[SN_COLORS + 2];
    int color_count; // colours in use, overflow not counted
} sn_coloring;

// Colours the contacts in input order. False without memory.
bool sn_coloring_make(const sn_solver *solver, sn_coloring *coloring);

// The first colour that is not marked; SN_OVERFLOW if all are.
static inline int sn_first_free_color(uint32_t taken)
{
    int color = 0;
    while (color < SN_COLORS && (taken >> color & 1u)) {
        ++color;
    }
    return color;
}

#endif
