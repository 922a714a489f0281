// The memory of values, and what is done with them once they are read.
#include "scene/value.h"

#include <limits.h>
#include <string.h>

// --- memory ------------------------------------------------------------------------------------------------

typedef struct sn_value_block {
    struct sn_value_block *before;
    size_t used, capacity;
    max_align_t bytes[];
} sn_value_block;

enum { FIRST_BLOCK = 1 << 12, LARGEST_BLOCK = 1 << 20, ALIGNMENT = 8 };

// Blocks come from where Jansson's values come from.
static sn_value_block *add_block(sn_value_store *store, size_t least)
{
    json_malloc_t allocate;
    json_get_alloc_funcs(&allocate, NULL);
    size_t capacity = store->block == NULL                     ? FIRST_BLOCK
                      : store->block->capacity < LARGEST_BLOCK ? 2 * store->block->capacity
                                                               : LARGEST_BLOCK;
    capacity = capacity < least ? least : capacity;
    sn_value_block *block = allocate(sizeof *block + capacity);
    if (block != NULL) {
        *block = (sn_value_block){store->block, 0, capacity};
        store->block = block;
    }
    return block;
}

void *sn_value_store_take(sn_value_store *store, size_t size)
{
    if (size > SIZE_MAX / 2) {
        return NULL;
    }
    sn_value_block *block = store->block;
    size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (block == NULL || size > block->capacity - block->used) {
        block = add_block(store, size);
    }
    if (block == NULL) {
        return NULL;
    }
    void *taken = (char *)block->bytes + block->used;
    block->used += size;
    return taken;
}

void sn_value_store_release(sn_value_store *store)
{
    json_free_t release;
    json_get_alloc_funcs(NULL, &release);
    while (store->block != NULL) {
        sn_value_block *before = store->block->before;
        release(store->block);
        store->block = before;
    }
}

// --- members -----------------------------------------------------------------------------------------------

static sn_member *find_member(const sn_value *object, const char *key)
{
    int count = sn_value_is(object, SN_VALUE_OBJECT) ? object->count : 0;
    for (int i = 0; i < count; ++i) {
        // Most keys differ in their first letter, which is cheaper to look at.
        if (object->members[i].key[0] == key[0] && strcmp(object->members[i].key, key) == 0) {
            return &object->members[i];
        }
    }
    return NULL;
}

const sn_value *sn_value_get(const sn_value *object, const char *key)
{
    const sn_member *member = find_member(object, key);
    return member != NULL ? &member->value : NULL;
}

static sn_member *add_member(sn_value_store *store, sn_value *object, const char *key)
{
    size_t count = (size_t)object->count, length = strlen(key);
    sn_member *members = count < INT_MAX ? sn_value_store_take(store, (count + 1) * sizeof *members) : NULL;
    char *copy = sn_value_store_take(store, length + 1);
    if (members == NULL || copy == NULL) {
        return NULL;
    }
    if (count > 0) {
        memcpy(members, object->members, count * sizeof *members);
    }
    members[count].key = memcpy(copy, key, length + 1);
    object->members = members;
    return &members[object->count++];
}

sn_value *sn_value_set(sn_value_store *store, sn_value *object, const char *key, sn_value value)
{
    sn_member *member = find_member(object, key);
    member = member != NULL ? member : add_member(store, object, key);
    if (member == NULL) {
        return NULL;
    }
    member->value = value;
    return &member->value;
}

// --- as Jansson has them -----------------------------------------------------------------------------------

static json_t *list_to_json(const sn_value *value)
{
    json_t *list = json_array();
    for (int i = 0; i < value->count && list != NULL; ++i) {
        if (json_array_append_new(list, sn_value_to_json(&value->items[i])) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static json_t *object_to_json(const sn_value *value)
{
    json_t *object = json_object();
    for (int i = 0; i < value->count && object != NULL; ++i) {
        const sn_member *member = &value->members[i];
        if (json_object_set_new(object, member->key, sn_value_to_json(&member->value)) != 0) {
            json_decref(object);
            return NULL;
        }
    }
    return object;
}

json_t *sn_value_to_json(const sn_value *value)
{
    switch (value->type) {
    case SN_VALUE_NULL:
        return json_null();
    case SN_VALUE_FALSE:
        return json_false();
    case SN_VALUE_TRUE:
        return json_true();
    case SN_VALUE_INTEGER:
        return json_integer(value->integer);
    case SN_VALUE_REAL:
        return json_real(value->real);
    case SN_VALUE_TEXT:
        return json_string(value->text);
    case SN_VALUE_LIST:
        return list_to_json(value);
    case SN_VALUE_OBJECT:
        return object_to_json(value);
    }
    return NULL;
}
