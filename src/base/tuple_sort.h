// Sorting rows of numbers: the corners of edges, triangles, tetrahedra. Knows nothing of meshes.
#ifndef SN_BASE_TUPLE_SORT_H
#define SN_BASE_TUPLE_SORT_H

#include "sinew/base.h"

// Fills `order` (count) with the numbers of the rows (width numbers each, all below value_count) in ascending
// order, first column first; equal rows by their number. Linear time. False without memory.
bool sn_tuple_sort(const uint32_t *rows, int width, int count, int value_count, int *order);

// Sorts the few numbers of one row in place; true if that took an odd number of swaps.
bool sn_tuple_order(uint32_t *row, int width);

static inline bool sn_tuple_equal(const uint32_t *a, const uint32_t *b, int width)
{
    bool equal = true;
    for (int i = 0; i < width; ++i) {
        equal = equal && a[i] == b[i];
    }
    return equal;
}

#endif
