// Indices with generations. A generation starts at 1 (in use), and each give-back and each take adds one, so
// it is odd exactly while the index is in use. After 65535 it would come round and make old ids valid again;
// an index that far is retired instead: it stays at generation 0, which no id carries, and is never reused.
#include "id_pool.h"

bool sn_id_pool_reserve(sn_id_pool *pool)
{
    if (pool->free_list.count > 0) {
        return true;
    }
    // The free list can hold every index there is, so that giving back never needs memory.
    int count = pool->generation.count + 1;
    return sn_array_reserve(&pool->generation, count) && sn_array_reserve(&pool->free_list, count);
}

int sn_id_pool_take(sn_id_pool *pool)
{
    if (!sn_id_pool_reserve(pool)) {
        return -1;
    }
    int index;
    if (pool->free_list.count > 0) {
        index = pool->free_list.data[--pool->free_list.count];
    } else {
        index = pool->generation.count++;
        pool->generation.data[index] = 0;
    }
    ++pool->generation.data[index];
    ++pool->used;
    return index;
}

void sn_id_pool_give_back(sn_id_pool *pool, int index)
{
    if (!sn_id_pool_in_use(pool, index)) {
        return;
    }
    uint16_t generation = ++pool->generation.data[index];
    --pool->used;
    if (generation != 0) {
        // Cannot fail: room was made when the index was new.
        (void)sn_array_push(&pool->free_list, index);
    }
}

bool sn_id_pool_in_use(const sn_id_pool *pool, int index)
{
    return index >= 0 && index < pool->generation.count && (pool->generation.data[index] & 1u);
}

bool sn_id_pool_holds(const sn_id_pool *pool, int index, uint16_t generation)
{
    return sn_id_pool_in_use(pool, index) && pool->generation.data[index] == generation;
}

void sn_id_pool_release(sn_id_pool *pool)
{
    sn_array_release(&pool->generation);
    sn_array_release(&pool->free_list);
    pool->used = 0;
}
