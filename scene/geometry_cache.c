// Geometry made once for each value of a document, so that the thousand copies of a shape share it.
#include "scene/reader.h"

static int slot_of(const sn_reader *reader, const json_t *value)
{
    int mask = reader->geometry_slot_count - 1;
    uint64_t hash = (uint64_t)(uintptr_t)value * 0x9e3779b97f4a7c15u;
    int slot = (int)((hash >> 33) & (uint64_t)mask);
    while (reader->geometry_slots[slot] != 0 &&
           reader->geometries.items[reader->geometry_slots[slot] - 1].value != value) {
        slot = (slot + 1) & mask;
    }
    return slot;
}

bool sn_reader_geometry_find(const sn_reader *reader, const json_t *value, sn_geometry *geometry)
{
    int index = reader->geometry_slot_count > 0 ? reader->geometry_slots[slot_of(reader, value)] : 0;
    if (index > 0) {
        *geometry = reader->geometries.items[index - 1].geometry;
    }
    return index > 0;
}

static bool make_room(sn_reader *reader)
{
    if (2 * (reader->geometries.count + 1) <= reader->geometry_slot_count) {
        return true;
    }
    int wanted = reader->geometry_slot_count > 0 ? reader->geometry_slot_count * 2 : 64;
    int *slots = calloc((size_t)wanted, sizeof *slots);
    if (slots == NULL) {
        return false;
    }
    free(reader->geometry_slots);
    reader->geometry_slots = slots;
    reader->geometry_slot_count = wanted;
    for (int i = 0; i < reader->geometries.count; ++i) {
        slots[slot_of(reader, reader->geometries.items[i].value)] = i + 1;
    }
    return true;
}

bool sn_reader_geometry_add(sn_reader *reader, const json_t *value, sn_geometry geometry)
{
    sn_made_geometry made = {value, geometry};
    if (!make_room(reader) || !SN_LIST_PUSH(&reader->geometries, made)) {
        return sn_reader_no_memory(reader);
    }
    reader->geometry_slots[slot_of(reader, value)] = reader->geometries.count;
    return true;
}
