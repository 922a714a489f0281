// The bump allocator of arena.h. What does not fit into the main block gets a block of its own, and the next
// reset makes the main block large enough for both.
#include "arena.h"
#include "allocate.h"
#include <string.h>

#define ALIGNMENT_BYTES 64

static _Alignas(ALIGNMENT_BYTES) const unsigned char nothing[ALIGNMENT_BYTES];

static void release_overflow(sn_arena *arena)
{
    for (int i = 0; i < arena->overflow.count; ++i) {
        sn_release(arena->overflow.data[i].memory, arena->overflow.data[i].size);
    }
    arena->overflow.count = 0;
}

// Twice what was needed: steps whose islands fall into more classes of sub-steps need more, and a scene that
// grows slowly does not overflow every step. Without memory the old block stays, and overflow blocks go on
// filling the gap.
static void grow(sn_arena *arena)
{
    size_t slack = arena->needed;
    size_t capacity = slack > SIZE_MAX - arena->needed ? arena->needed : arena->needed + slack;
    unsigned char *memory = sn_allocate(capacity);
    if (memory) {
        sn_release(arena->memory, arena->capacity);
        arena->memory = memory;
        arena->capacity = capacity;
    }
}

void sn_arena_reset(sn_arena *arena)
{
    if (arena->overflow.count > 0) {
        release_overflow(arena);
        grow(arena);
    }
    arena->used = 0;
    arena->needed = 0;
}

static void *take_overflow(sn_arena *arena, size_t bytes)
{
    if (!sn_array_reserve(&arena->overflow, arena->overflow.count + 1)) {
        return NULL;
    }
    void *memory = sn_allocate(bytes);
    if (memory) {
        arena->overflow.data[arena->overflow.count++] = (sn_arena_overflow){memory, bytes};
    }
    return memory;
}

void *sn_arena_take(sn_arena *arena, size_t count, size_t size)
{
    if (count == 0 || size == 0) {
        return (void *)nothing;
    }
    if (count > (SIZE_MAX - (ALIGNMENT_BYTES - 1)) / size) {
        return NULL;
    }
    size_t bytes = (count * size + ALIGNMENT_BYTES - 1) & ~(size_t)(ALIGNMENT_BYTES - 1);
    void *memory;
    if (bytes <= arena->capacity - arena->used) {
        memory = arena->memory + arena->used;
        arena->used += bytes;
    } else {
        memory = take_overflow(arena, bytes);
    }
    if (memory) {
        arena->needed += bytes;
    }
    return memory;
}

void *sn_arena_take_zero(sn_arena *arena, size_t count, size_t size)
{
    void *memory = sn_arena_take(arena, count, size);
    if (memory && count > 0 && size > 0) {
        memset(memory, 0, count * size);
    }
    return memory;
}

void sn_arena_release(sn_arena *arena)
{
    release_overflow(arena);
    sn_array_release(&arena->overflow);
    sn_release(arena->memory, arena->capacity);
    *arena = (sn_arena){0};
}
