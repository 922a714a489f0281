// Greedy colouring: rows that share nothing that moves get one colour. Tested by tests/base/test_coloring.c.
#ifndef SN_BASE_COLORING_H
#define SN_BASE_COLORING_H

#include <stdint.h>

// Gives an item the lowest colour, below `color_count` (at most 64), of which none of its members has an item
// yet; `color_count` if there is none. A member's mask has a bit for each colour of its items.
static inline int sn_color_take(uint64_t *const *masks, int member_count, int color_count)
{
    uint64_t taken = 0;
    for (int i = 0; i < member_count; ++i) {
        taken |= *masks[i];
    }
    int color = 0;
    while (color < color_count && (taken >> color & 1u) != 0) {
        ++color;
    }
    for (int i = 0; color < color_count && i < member_count; ++i) {
        *masks[i] |= (uint64_t)1 << color;
    }
    return color;
}

#endif
