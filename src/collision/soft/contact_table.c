// Contacts found by their keys.
#include "collision/soft/contact_table.h"

#include <string.h>

// Of words put together from the fields: these have just been written one by one, and reading them back as
// larger words would stall.
static uint32_t hash_key(const sn_soft_key *key)
{
    uint64_t words[3] = {
        (uint64_t)key->feature << 32 | key->deformable, (uint64_t)key->part << 32 | key->other,
        (uint64_t)key->other_generation << 48 | (uint64_t)key->generation << 32 | key->piece};
    uint64_t hash = 0x9e3779b97f4a7c15u;
    for (int i = 0; i < 3; ++i) {
        hash = (hash ^ words[i]) * 0xff51afd7ed558ccdu;
        hash ^= hash >> 32;
    }
    return (uint32_t)hash;
}

bool sn_contact_table_make(sn_contact_table *table, sn_arena *arena, const sn_soft_contact_data *contacts,
                           int count)
{
    uint32_t size = 16;
    while (size < 2 * (uint32_t)count) {
        size *= 2;
    }
    *table = (sn_contact_table){contacts, sn_arena_take(arena, size, sizeof *table->slots), size - 1};
    if (table->slots != NULL) {
        memset(table->slots, 0xff, size * sizeof *table->slots);
    }
    return table->slots != NULL;
}

// The slot that has the key, or the empty one where it belongs.
static sn_contact_slot *slot_of(const sn_contact_table *table, const sn_soft_key *key, uint32_t hash)
{
    uint32_t at = hash & table->mask;
    sn_contact_slot *slot = &table->slots[at];
    while (slot->contact >= 0 &&
           (slot->hash != hash || memcmp(&table->contacts[slot->contact].key, key, sizeof *key) != 0)) {
        at = (at + 1) & table->mask;
        slot = &table->slots[at];
    }
    return slot;
}

bool sn_contact_table_add(sn_contact_table *table, int contact)
{
    const sn_soft_key *key = &table->contacts[contact].key;
    uint32_t hash = hash_key(key);
    sn_contact_slot *slot = slot_of(table, key, hash);
    bool is_new = slot->contact < 0;
    *slot = is_new ? (sn_contact_slot){contact, hash} : *slot;
    return is_new;
}

const sn_soft_contact_data *sn_contact_table_find(const sn_contact_table *table, const sn_soft_key *key)
{
    int contact = slot_of(table, key, hash_key(key))->contact;
    return contact >= 0 ? &table->contacts[contact] : NULL;
}
