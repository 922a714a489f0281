// Levels: bounds along the threads of a sheet or strand that is free, or whose load is far from what holds it
// (hierarchies, Müller et al. 2017; methods E.2 and J.2). A sweep carries an impulse past one edge, so a
// sheet of short edges feels late what stops it, and stretches meanwhile. Bounds between nodes that are
// farther apart along a thread carry it as far as the edges of a coarser sheet would: first those of the
// coarsest such sheet, then of ones finer by two; by four where every node is held by a bound.
//
// A thread is a chain of edges that go on straight where the sheet is at rest. Its length between two nodes
// bounds their distance whatever the shape.
#ifndef SN_LONG_RANGE_LEVELS_H
#define SN_LONG_RANGE_LEVELS_H

#include "long_range/sheet_bounds.h"

// Threads of more edges than this get levels; the coarsest has no more bounds than that along a thread.
#define SN_LEVEL_EDGES 50

// Adds the bounds of all levels; `places` are where nodes are at rest, `is_held`: all of it is bound to what
// is held in place. False without memory.
bool sn_levels_find(const sn_distance_graph *graph, const sn_vec3 *places, bool is_held,
                    sn_bound_list *bounds);

#endif
