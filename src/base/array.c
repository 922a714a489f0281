// Growth of SN_ARRAY. Works on bytes; the macros of array.h put the types back.
#include "array.h"
#include "allocate.h"
#include <limits.h>
#include <string.h>

#define LARGEST_COUNT     (INT_MAX / 2)
#define SMALLEST_CAPACITY 8

// Half as much again, so that pushing one by one stays cheap and freed blocks can be reused by later ones.
static int grown_capacity(int capacity, int wanted)
{
    int grown = capacity < LARGEST_COUNT / 3 * 2 ? capacity + capacity / 2 : LARGEST_COUNT;
    grown = grown < SMALLEST_CAPACITY ? SMALLEST_CAPACITY : grown;
    return grown < wanted ? wanted : grown;
}

bool sn_array_reserve_bytes(void **data, int *capacity, int wanted, size_t element_size)
{
    if (wanted < 0 || wanted > LARGEST_COUNT) {
        return false;
    }
    if (wanted <= *capacity) {
        return true;
    }
    size_t grown = (size_t)grown_capacity(*capacity, wanted);
    char *memory = grown <= SIZE_MAX / element_size ? sn_allocate(grown * element_size) : NULL;
    if (!memory) {
        return false;
    }
    // The caller's pointer is not a void * but a pointer to its own type: copied as bytes, it may be read
    // as either.
    void *old;
    memcpy(&old, data, sizeof old);
    size_t old_size = (size_t)*capacity * element_size;
    if (old) {
        memcpy(memory, old, old_size);
        sn_release(old, old_size);
    }
    memset(memory + old_size, 0, grown * element_size - old_size);
    memcpy(data, &memory, sizeof memory);
    *capacity = (int)grown;
    return true;
}

void sn_array_release_bytes(void **data, int *capacity, size_t element_size)
{
    void *memory;
    memcpy(&memory, data, sizeof memory);
    sn_release(memory, (size_t)*capacity * element_size);
    memory = NULL;
    memcpy(data, &memory, sizeof memory);
    *capacity = 0;
}
