// Disjoint sets of the numbers 0 … count − 1 (union–find). parents[i] is a number of the same set that is
// closer to its root; a root is its own parent. To begin, parents[i] = i and, where sizes are kept, sizes[i]
// = 1. Tested by tests/base/test_union_find.c.
#ifndef SN_BASE_UNION_FIND_H
#define SN_BASE_UNION_FIND_H

#include <stddef.h>

// The root of an item's set. Halves the path on its way.
static inline int sn_union_find_root(int *parents, int item)
{
    while (parents[item] != item) {
        parents[item] = parents[parents[item]];
        item = parents[item];
    }
    return item;
}

// Makes one set of those of a and b. With sizes (by root), the root of the larger set remains, or the lower
// one of two equally large sets. Without (null), the lower root remains, whatever the order of joining.
static inline void sn_union_find_join(int *parents, int *sizes, int a, int b)
{
    a = sn_union_find_root(parents, a);
    b = sn_union_find_root(parents, b);
    if (a == b) {
        return;
    }
    int lower = a < b ? a : b, higher = a < b ? b : a;
    int root = sizes != NULL && sizes[higher] > sizes[lower] ? higher : lower;
    parents[root == lower ? higher : lower] = root;
    if (sizes != NULL) {
        sizes[root] = sizes[lower] + sizes[higher];
    }
}

#endif
