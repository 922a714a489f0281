// Sets of small non-negative integers, one bit each.
#ifndef SN_BASE_BIT_SET_H
#define SN_BASE_BIT_SET_H

#include "array.h"

typedef struct sn_bit_set {
    SN_ARRAY(uint64_t) words;
} sn_bit_set;

// Room for members 0 … size−1, all cleared; false without memory.
bool sn_bit_set_clear(sn_bit_set *set, int size);
void sn_bit_set_release(sn_bit_set *set);

static inline bool sn_bit_set_has(const sn_bit_set *set, int i)
{
    return (set->words.data[i >> 6] >> (i & 63)) & 1u;
}
static inline void sn_bit_set_add(sn_bit_set *set, int i)
{
    set->words.data[i >> 6] |= (uint64_t)1 << (i & 63);
}
static inline void sn_bit_set_remove(sn_bit_set *set, int i)
{
    set->words.data[i >> 6] &= ~((uint64_t)1 << (i & 63));
}

#endif
