// The pool of patch_pool.h: lists of free pieces by size, cut in halves as needed.
#include "collision/narrow/patch_pool.h"
#include "base/allocate.h"

#include <string.h>

_Static_assert(1 << (SN_PATCH_SIZES - 1) == SN_MAX_PATCHES, "the largest piece holds the largest list");
_Static_assert(sizeof(sn_patch) >= sizeof(sn_patch *), "a free piece holds the link to the next");

static void push_piece(sn_patch_pool *pool, int size, sn_patch *piece)
{
    memcpy((void *)piece, &pool->free[size], sizeof(sn_patch *));
    pool->free[size] = piece;
}

static sn_patch *pop_piece(sn_patch_pool *pool, int size)
{
    sn_patch *piece = pool->free[size];
    memcpy(&pool->free[size], (const void *)piece, sizeof(sn_patch *));
    return piece;
}

// Half as much again as there is, in pieces of the largest size.
static bool add_block(sn_patch_pool *pool)
{
    size_t pieces = pool->patch_count / (2 * SN_MAX_PATCHES) + 1;
    sn_patch_block block = {.count = pieces * SN_MAX_PATCHES};
    if (!sn_array_reserve(&pool->blocks, pool->blocks.count + 1)) {
        return false;
    }
    block.patches = sn_allocate_zero(block.count, sizeof *block.patches);
    if (block.patches == NULL) {
        return false;
    }
    pool->blocks.data[pool->blocks.count++] = block;
    pool->patch_count += block.count;
    while (pieces-- > 0) { // backwards, so that the first is handed out first
        push_piece(pool, SN_PATCH_SIZES - 1, block.patches + pieces * SN_MAX_PATCHES);
    }
    return true;
}

// The smallest free piece that is large enough, cut down to size.
static sn_patch *take_piece(sn_patch_pool *pool, int size)
{
    int from = size;
    while (from < SN_PATCH_SIZES && pool->free[from] == NULL) {
        ++from;
    }
    if (from == SN_PATCH_SIZES) {
        if (!add_block(pool)) {
            return NULL;
        }
        from = SN_PATCH_SIZES - 1;
    }
    sn_patch *piece = pop_piece(pool, from);
    while (from > size) {
        --from;
        push_piece(pool, from, piece + ((size_t)1 << from));
    }
    return piece;
}

static int size_for(int count)
{
    int size = 0;
    while (1 << size < count) {
        ++size;
    }
    return size;
}

bool sn_patch_pool_grow(sn_patch_pool *pool, sn_patch_list *list, int wanted)
{
    if (wanted <= list->capacity) {
        return true;
    }
    int size = size_for(wanted);
    sn_patch *piece = take_piece(pool, size);
    if (piece == NULL) {
        return false;
    }
    sn_patch_list grown = {piece, list->count, 1 << size};
    if (list->count > 0) {
        memcpy(piece, list->data, (size_t)list->count * sizeof *piece);
    }
    sn_patch_pool_give_back(pool, list);
    *list = grown;
    return true;
}

void sn_patch_pool_give_back(sn_patch_pool *pool, sn_patch_list *list)
{
    if (list->capacity > 0) {
        push_piece(pool, size_for(list->capacity), list->data);
    }
    *list = (sn_patch_list){0};
}

void sn_patch_pool_release(sn_patch_pool *pool)
{
    for (int i = 0; i < pool->blocks.count; ++i) {
        sn_release(pool->blocks.data[i].patches, pool->blocks.data[i].count * sizeof(sn_patch));
    }
    sn_array_release(&pool->blocks);
    *pool = (sn_patch_pool){0};
}
