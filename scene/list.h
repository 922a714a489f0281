// Growing arrays of the scene library: `items`, `count`, `capacity` side by side in whatever struct owns
// them.
#ifndef SN_SCENE_LIST_H
#define SN_SCENE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define SN_LIST(type)                                                                                        \
    struct {                                                                                                 \
        type *items;                                                                                         \
        int count, capacity;                                                                                 \
    }

// Room for `needed` items of `size` bytes; false without memory, the list being as before then.
static inline bool sn_list_grow(void **items, int *capacity, int needed, size_t size)
{
    if (needed <= *capacity) {
        return true;
    }
    int wanted = *capacity < 1 << 29 ? *capacity * 2 : needed;
    wanted = wanted < needed ? needed : wanted;
    wanted = wanted < 16 ? 16 : wanted;
    if ((size_t)wanted > SIZE_MAX / size) {
        return false;
    }
    void *grown = realloc(*items, (size_t)wanted * size);
    if (grown == NULL) {
        return false;
    }
    *items = grown;
    *capacity = wanted;
    return true;
}

// Room for `needed` items in all.
#define SN_LIST_RESERVE(list, needed)                                                                        \
    sn_list_grow((void **)&(list)->items, &(list)->capacity, (needed), sizeof *(list)->items)

// Appends a value; false without memory.
#define SN_LIST_PUSH(list, value)                                                                            \
    (SN_LIST_RESERVE((list), (list)->count + 1) && ((list)->items[(list)->count++] = (value), true))

#define SN_LIST_FREE(list) (free((list)->items), (list)->items = NULL, (list)->count = (list)->capacity = 0)

#endif
