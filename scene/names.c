// Hashing names (FNV-1a), open addressing, at most half full.
#include "scene/names.h"

#include "scene/suggest.h"

#include <string.h>

static uint32_t hash_name(const char *name)
{
    uint32_t hash = 2166136261u;
    for (; *name != '\0'; ++name) {
        hash = (hash ^ (unsigned char)*name) * 16777619u;
    }
    return hash;
}

// The slot that holds the name, or the empty one where it would go.
static int slot_of(const sn_names *names, const char *name)
{
    int mask = names->slot_count - 1;
    int slot = (int)(hash_name(name) & (uint32_t)mask);
    while (names->slots[slot] != 0 && strcmp(names->names.items[names->slots[slot] - 1], name) != 0) {
        slot = (slot + 1) & mask;
    }
    return slot;
}

static bool make_room(sn_names *names)
{
    if (2 * (names->names.count + 1) <= names->slot_count) {
        return true;
    }
    int wanted = names->slot_count > 0 ? names->slot_count * 2 : 64;
    int *slots = calloc((size_t)wanted, sizeof *slots);
    if (slots == NULL) {
        return false;
    }
    free(names->slots);
    names->slots = slots;
    names->slot_count = wanted;
    for (int i = 0; i < names->names.count; ++i) {
        slots[slot_of(names, names->names.items[i])] = i + 1;
    }
    return true;
}

// Names by the thousand, in few blocks.
typedef struct sn_name_block {
    struct sn_name_block *before;
    size_t used, capacity;
    char text[];
} sn_name_block;

#define BLOCK_SIZE 16384

static char *copy_name(sn_names *names, const char *name)
{
    size_t size = strlen(name) + 1;
    if (names->block == NULL || size > names->block->capacity - names->block->used) {
        size_t capacity = size > BLOCK_SIZE ? size : BLOCK_SIZE;
        sn_name_block *block = malloc(sizeof *block + capacity);
        if (block == NULL) {
            return NULL;
        }
        *block = (sn_name_block){names->block, 0, capacity};
        names->block = block;
    }
    char *copy = memcpy(names->block->text + names->block->used, name, size);
    names->block->used += size;
    return copy;
}

bool sn_names_add(sn_names *names, const char *name, int value)
{
    char *copy = copy_name(names, name);
    if (copy == NULL || !make_room(names) || !SN_LIST_RESERVE(&names->values, names->values.count + 1) ||
        !SN_LIST_PUSH(&names->names, copy)) {
        return false;
    }
    names->values.items[names->values.count++] = value;
    names->slots[slot_of(names, name)] = names->names.count;
    return true;
}

int sn_names_find(const sn_names *names, const char *name)
{
    if (names->slot_count == 0) {
        return -1;
    }
    int index = names->slots[slot_of(names, name)];
    return index > 0 ? names->values.items[index - 1] : -1;
}

const char *sn_names_suggest(const sn_names *names, const char *misspelt)
{
    return sn_suggest(misspelt, (const char *const *)names->names.items, names->names.count);
}

void sn_names_release(sn_names *names)
{
    while (names->block != NULL) {
        sn_name_block *before = names->block->before;
        free(names->block);
        names->block = before;
    }
    SN_LIST_FREE(&names->names);
    SN_LIST_FREE(&names->values);
    free(names->slots);
    names->slots = NULL;
    names->slot_count = 0;
}
