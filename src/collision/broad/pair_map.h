// A hash map from pairs of small numbers to an int: which two shapes already have a contact. Open addressing
// with linear probing; iteration order is never used, so results cannot depend on it.
#ifndef SN_COLLISION_BROAD_PAIR_MAP_H
#define SN_COLLISION_BROAD_PAIR_MAP_H

#include "base/array.h"

typedef struct sn_pair_entry {
    uint64_t key; // 0 is empty
    int value;
} sn_pair_entry;

typedef struct sn_pair_map {
    SN_ARRAY(sn_pair_entry) slots; // count = capacity used, a power of two
    int used;
} sn_pair_map;

static inline uint64_t sn_pair_key(int a, int b)
{
    uint32_t low = (uint32_t)(a < b ? a : b), high = (uint32_t)(a < b ? b : a);
    return ((uint64_t)low << 32 | high) + 1;
}

// The value, or −1.
int sn_pair_map_find(const sn_pair_map *map, uint64_t key);
// Room for `extra` more pairs; false without memory.
bool sn_pair_map_reserve(sn_pair_map *map, int extra);
// The key must be absent and room reserved.
void sn_pair_map_add(sn_pair_map *map, uint64_t key, int value);
void sn_pair_map_remove(sn_pair_map *map, uint64_t key);
void sn_pair_map_release(sn_pair_map *map);

#endif
