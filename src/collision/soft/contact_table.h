// Contacts of deformables found by their keys: a hash table with open addressing, in the arena.
#ifndef SN_COLLISION_SOFT_CONTACT_TABLE_H
#define SN_COLLISION_SOFT_CONTACT_TABLE_H

#include "base/arena.h"
#include "collision/soft/soft_contact.h"

// With the key's hash, so that most other contacts need not be read.
typedef struct sn_contact_slot {
    int contact; // index, −1 if empty
    uint32_t hash;
} sn_contact_slot;

typedef struct sn_contact_table {
    const sn_soft_contact_data *contacts; // borrowed
    sn_contact_slot *slots;
    uint32_t mask;
} sn_contact_table;

// An empty table with room for `count` of the contacts. False without memory.
bool sn_contact_table_make(sn_contact_table *table, sn_arena *arena, const sn_soft_contact_data *contacts,
                           int count);
// Adds a contact by its index. False if there is one with the same key already, which stays.
bool sn_contact_table_add(sn_contact_table *table, int contact);
// Null if there is none.
const sn_soft_contact_data *sn_contact_table_find(const sn_contact_table *table, const sn_soft_key *key);

#endif
