// Memory for the patches of all contacts of a world. A list has a piece for 1, 2, 4, … or SN_MAX_PATCHES
// patches and gets the next larger piece when it needs more; pieces that are given back are reused.
//
// Pieces are made by halving pieces of SN_MAX_PATCHES and are not joined again. Memory is bounded all the
// same: a piece is split only when all smaller ones are in use, so of each size there are never many more
// than were in use at once. Blocks grow with the pool, so that a warm world has memory for a contact that
// needs more than ever before. Not thread-safe.
#ifndef SN_COLLISION_NARROW_PATCH_POOL_H
#define SN_COLLISION_NARROW_PATCH_POOL_H

#include "base/array.h"
#include "collision/narrow/patch.h"

// Pieces of 2^0 … 2^6 patches.
#define SN_PATCH_SIZES 7

typedef struct sn_patch_block {
    sn_patch *patches;
    size_t count; // a multiple of SN_MAX_PATCHES
} sn_patch_block;

typedef struct sn_patch_pool {
    SN_ARRAY(sn_patch_block) blocks; // what was allocated; never moves
    sn_patch *free[SN_PATCH_SIZES];  // by size, linked through their own memory
    size_t patch_count;              // in all blocks
} sn_patch_pool;

// Room for at least `wanted` patches (≤ SN_MAX_PATCHES); the list keeps those it has. False, with nothing
// changed, without memory.
bool sn_patch_pool_grow(sn_patch_pool *pool, sn_patch_list *list, int wanted);
// Takes the memory of a list, which is empty then.
void sn_patch_pool_give_back(sn_patch_pool *pool, sn_patch_list *list);
// Releases everything; lists with memory of this pool must not be used any more.
void sn_patch_pool_release(sn_patch_pool *pool);

#endif
