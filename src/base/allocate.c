// The process's allocator and its two counters. The only state of the library that outlives every world:
// which functions to call, how often they were called, how many bytes they still hold.
#include "allocate.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define ALIGNMENT_BYTES 64

static void *default_allocate(size_t size, void *user)
{
    (void)user;
    // No object can be larger, and rounding up cannot overflow below.
    if (size > PTRDIFF_MAX) {
        return NULL;
    }
    // aligned_alloc wants a multiple of the alignment.
    size_t rounded = (size + ALIGNMENT_BYTES - 1) & ~(size_t)(ALIGNMENT_BYTES - 1);
    return aligned_alloc(ALIGNMENT_BYTES, rounded);
}

static void default_release(void *memory, size_t size, void *user)
{
    (void)size;
    (void)user;
    free(memory);
}

static const sn_allocator default_allocator = {default_allocate, default_release, NULL};
static sn_allocator current_allocator = {default_allocate, default_release, NULL};
static _Atomic uint64_t allocation_count;
static _Atomic uint64_t allocated_bytes;

void sn_allocator_set(const sn_allocator *allocator)
{
    bool complete = allocator && allocator->allocate && allocator->release;
    current_allocator = complete ? *allocator : default_allocator;
}

uint64_t sn_allocation_count(void)
{
    return atomic_load_explicit(&allocation_count, memory_order_relaxed);
}

uint64_t sn_allocated_bytes(void)
{
    return atomic_load_explicit(&allocated_bytes, memory_order_relaxed);
}

void *sn_allocate(size_t size)
{
    if (size == 0) {
        return NULL;
    }
    void *memory = current_allocator.allocate(size, current_allocator.user);
    if (memory) {
        atomic_fetch_add_explicit(&allocation_count, 1, memory_order_relaxed);
        atomic_fetch_add_explicit(&allocated_bytes, size, memory_order_relaxed);
    }
    return memory;
}

void *sn_allocate_zero(size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / size) {
        return NULL;
    }
    void *memory = sn_allocate(count * size);
    if (memory) {
        memset(memory, 0, count * size);
    }
    return memory;
}

void sn_release(void *memory, size_t size)
{
    if (memory) {
        current_allocator.release(memory, size, current_allocator.user);
        atomic_fetch_sub_explicit(&allocated_bytes, size, memory_order_relaxed);
    }
}
