// Linear probing with backward-shift deletion, which needs no tombstones.
#include "collision/broad/pair_map.h"

static uint32_t slot_of(const sn_pair_map *map, uint64_t key)
{
    uint64_t mixed = (key ^ (key >> 31)) * 0x9e3779b97f4a7c15u;
    return (uint32_t)(mixed >> 32) & (uint32_t)(map->slots.count - 1);
}

int sn_pair_map_find(const sn_pair_map *map, uint64_t key)
{
    if (map->used == 0) {
        return -1;
    }
    uint32_t mask = (uint32_t)(map->slots.count - 1);
    for (uint32_t i = slot_of(map, key);; i = (i + 1) & mask) {
        const sn_pair_entry *entry = &map->slots.data[i];
        if (entry->key == key) {
            return entry->value;
        }
        if (entry->key == 0) {
            return -1;
        }
    }
}

static void place(sn_pair_map *map, uint64_t key, int value)
{
    uint32_t mask = (uint32_t)(map->slots.count - 1);
    uint32_t i = slot_of(map, key);
    while (map->slots.data[i].key != 0) {
        i = (i + 1) & mask;
    }
    map->slots.data[i] = (sn_pair_entry){.key = key, .value = value};
    ++map->used;
}

bool sn_pair_map_reserve(sn_pair_map *map, int extra)
{
    int size = map->slots.count > 0 ? map->slots.count : 64;
    if (extra > (1 << 28) - map->used) {
        return false;
    }
    while (2 * (map->used + extra) > size) {
        size *= 2;
    }
    if (size == map->slots.count) {
        return true;
    }
    sn_pair_map grown = {.used = 0};
    if (!sn_array_resize(&grown.slots, size)) {
        return false;
    }
    for (int i = 0; i < map->slots.count; ++i) {
        if (map->slots.data[i].key != 0) {
            place(&grown, map->slots.data[i].key, map->slots.data[i].value);
        }
    }
    sn_pair_map_release(map);
    *map = grown;
    return true;
}

void sn_pair_map_add(sn_pair_map *map, uint64_t key, int value)
{
    place(map, key, value);
}

void sn_pair_map_remove(sn_pair_map *map, uint64_t key)
{
    if (map->used == 0) {
        return;
    }
    uint32_t mask = (uint32_t)(map->slots.count - 1);
    uint32_t hole = slot_of(map, key);
    while (map->slots.data[hole].key != key) {
        if (map->slots.data[hole].key == 0) {
            return;
        }
        hole = (hole + 1) & mask;
    }
    // Move up later entries whose home lies at or before the hole, until an empty slot ends the run.
    for (uint32_t i = (hole + 1) & mask; map->slots.data[i].key != 0; i = (i + 1) & mask) {
        uint32_t home = slot_of(map, map->slots.data[i].key);
        if (((i - home) & mask) >= ((i - hole) & mask)) {
            map->slots.data[hole] = map->slots.data[i];
            hole = i;
        }
    }
    map->slots.data[hole].key = 0;
    --map->used;
}

void sn_pair_map_release(sn_pair_map *map)
{
    sn_array_release(&map->slots);
    map->used = 0;
}
