// Sorts of numbers, all with a result that depends on nothing but the numbers: by keys, of rows (the corners
// of edges, triangles, tetrahedra), of 64-bit words. Knows nothing of what they stand for.
#ifndef SN_BASE_TUPLE_SORT_H
#define SN_BASE_TUPLE_SORT_H

#include "sinew/base.h"

// Sorts items by their keys, all below key_count: those of equal keys stay in the order they have in `items`
// (null: 0, 1, …). keys[item · stride] is the key of an item. `begin` (key_count + 1) gets the place in
// `sorted` where the items of each key begin. Linear time.
void sn_counting_sort(const int *keys, int stride, int key_count, const int *items, int count, int *sorted,
                      int *begin);

// Sorts words in ascending order, in place and without memory.
void sn_sort_words(uint64_t *words, int count);

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
