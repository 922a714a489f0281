// Colours of contacts between rigid bodies: contacts that share a body that moves get different ones, so that
// contacts of one colour can be solved at the same time.
#ifndef SN_SOLVER_CONTACT_CONTACT_COLORING_H
#define SN_SOLVER_CONTACT_CONTACT_COLORING_H

#include "base/coloring.h"
#include "solver/solver.h"

// Colours 0 … 30; the last one stands for contacts that found none and are solved one after the other.
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

#endif
