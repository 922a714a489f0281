// Sorts of numbers, all with a result that depends on nothing but the numbers: by keys, of rows (the corners
// of edges, triangles, tetrahedra), of items in place. Knows nothing of what they stand for.
#ifndef SN_BASE_TUPLE_SORT_H
#define SN_BASE_TUPLE_SORT_H

#include "sinew/base.h"

// Sorts items by their keys, all below key_count: those of equal keys stay in the order they have in `items`
// (null: 0, 1, …). keys[item · stride] is the key of an item. `begin` (key_count + 1) gets the place in
// `sorted` where the items of each key begin. Linear time.
void sn_counting_sort(const int *keys, int stride, int key_count, const int *items, int count, int *sorted,
                      int *begin);

// Negative if a comes before b, positive if after, 0 for equal ones, which must be interchangeable.
typedef int sn_compare_function(const void *a, const void *b);
// Sorts items of that size in ascending order, in place and without memory.
void sn_sort_in_place(void *items, int count, size_t size, sn_compare_function *compare);

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
