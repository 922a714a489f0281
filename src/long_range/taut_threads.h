// Bounds of nodes to threads that are taut between held nodes. Cloth that is held at its corners can give way
// neither at its rim, whose threads are as long as the corners are apart, nor, by that, within. Which threads
// are taut follows from where nodes are at rest; a bound is longer by what its thread gives way, so that it
// holds wherever the held nodes are (sn_between).
#ifndef SN_LONG_RANGE_TAUT_THREADS_H
#define SN_LONG_RANGE_TAUT_THREADS_H

#include "long_range/sheet_bounds.h"
#include "long_range/threads.h"

// Adds the bounds of nodes whose own thread is taut between two that are held or on taut threads, to places
// on these. `places` and `held` as for sn_sheet_bounds_find. False without memory.
bool sn_taut_threads_find(const sn_threads *threads, const sn_vec3 *places, int node_count, const int *held,
                          int held_count, sn_bound_list *bounds);

#endif
