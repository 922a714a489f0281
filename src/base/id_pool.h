// Indices that are handed out and taken back, with a generation each, so that a stale id is noticed. Freed
// indices are reused last in, first out: the order is part of the world's state and of its snapshot.
#ifndef SN_BASE_ID_POOL_H
#define SN_BASE_ID_POOL_H

#include "array.h"

typedef struct sn_id_pool {
    SN_ARRAY(uint16_t) generation; // by index; odd while in use, even while free
    SN_ARRAY(int) free_list;       // a stack
    int used;
} sn_id_pool;

// A fresh index, or −1 without memory. Never allocates if sn_id_pool_reserve made room.
int sn_id_pool_take(sn_id_pool *pool);
// Makes the next take certain to succeed; false without memory.
bool sn_id_pool_reserve(sn_id_pool *pool);
void sn_id_pool_give_back(sn_id_pool *pool, int index);
// Whether `index` is in use with that generation. Any int is safe to ask.
bool sn_id_pool_holds(const sn_id_pool *pool, int index, uint16_t generation);
// Whether `index` is in use at all.
bool sn_id_pool_in_use(const sn_id_pool *pool, int index);
void sn_id_pool_release(sn_id_pool *pool);

#endif
