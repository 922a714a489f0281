// Greedy colouring: items that share a moving body get different colours. A body remembers the colours around
// it in one word, so an item costs two loads and a count of trailing ones.
#ifndef SN_SOLVER_COLORING_H
#define SN_SOLVER_COLORING_H

#include "solver/solver.h"

// Colours 0 … 30; the last one stands for items that found none and are solved one after the other.
#define SN_COLORS   31
#define SN_OVERFLOW SN_COLORS

typedef struct sn_coloring {
    // Item numbers sorted by colour; colour c occupies [begin[c], begin[c + 1]). Items of one colour keep
    // their order, grouped by `weight`.
    int *constraint_order, *contact_order;
    int constraint_begin[SN_COLORS + 2], contact_begin[SN_COLORS + 2];
    int color_count; // colours in use, overflow not counted
} sn_coloring;

// Colours constraints first, then contacts, in input order. False without memory.
bool sn_coloring_make(const sn_solver *solver, sn_coloring *coloring);

#endif
