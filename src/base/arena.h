// Memory that lives for one step: a bump allocator that falls back to the heap when it is full and grows to
// the step's need at the next reset, so that a warm step allocates nothing.
#ifndef SN_BASE_ARENA_H
#define SN_BASE_ARENA_H

#include "array.h"

typedef struct sn_arena_overflow {
    void *memory;
    size_t size;
} sn_arena_overflow;

typedef struct sn_arena {
    unsigned char *memory;
    size_t capacity;
    size_t used;
    size_t needed; // bytes asked for since the last reset, overflow included
    SN_ARRAY(sn_arena_overflow) overflow;
} sn_arena;

// Forgets everything handed out; releases overflow blocks and, if there were any, grows the main block.
void sn_arena_reset(sn_arena *arena);
// 64-byte aligned, uninitialised; null without memory or on overflow of count × size. Zero bytes give a valid
// pointer to nothing.
void *sn_arena_take(sn_arena *arena, size_t count, size_t size);
// The same, zero-filled.
void *sn_arena_take_zero(sn_arena *arena, size_t count, size_t size);
void sn_arena_release(sn_arena *arena);

#endif
