// What JSON documents are made of once they are read. A document's values lie side by side in few blocks of
// memory, so that files of 100,000 bodies are read, walked and let go fast. Writing is Jansson's.
#ifndef SN_SCENE_VALUE_H
#define SN_SCENE_VALUE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum sn_value_type {
    SN_VALUE_NULL,
    SN_VALUE_FALSE,
    SN_VALUE_TRUE,
    SN_VALUE_INTEGER,
    SN_VALUE_REAL,
    SN_VALUE_TEXT,
    SN_VALUE_LIST,
    SN_VALUE_OBJECT
} sn_value_type;

typedef struct sn_value {
    sn_value_type type;
    int count; // members of a list or an object
    union {
        int64_t integer;
        double real;
        const char *text; // UTF-8, a zero behind it
        struct sn_value *items;
        struct sn_member *members; // as they stand in the text; no key twice
    };
} sn_value;

typedef struct sn_member {
    const char *key;
    sn_value value;
} sn_member;

// --- looking -----------------------------------------------------------------------------------------------
//
// All take null for a value that is not there, which is of no type.

static inline bool sn_value_is(const sn_value *value, sn_value_type type)
{
    return value != NULL && value->type == type;
}

static inline bool sn_value_is_number(const sn_value *value)
{
    return sn_value_is(value, SN_VALUE_INTEGER) || sn_value_is(value, SN_VALUE_REAL);
}

// 0 for what is none.
static inline double sn_value_number(const sn_value *value)
{
    return sn_value_is(value, SN_VALUE_REAL)      ? value->real
           : sn_value_is(value, SN_VALUE_INTEGER) ? (double)value->integer
                                                  : 0.0;
}

// Null for what is none.
static inline const char *sn_value_text(const sn_value *value)
{
    return sn_value_is(value, SN_VALUE_TEXT) ? value->text : NULL;
}

// Members of a list; 0 for everything else.
static inline int sn_value_count(const sn_value *value)
{
    return sn_value_is(value, SN_VALUE_LIST) ? value->count : 0;
}

// Null beyond the last, and for what is no list.
static inline const sn_value *sn_value_at(const sn_value *list, int index)
{
    return index >= 0 && index < sn_value_count(list) ? &list->items[index] : NULL;
}

// Null if there is no such key, and for what is no object.
const sn_value *sn_value_get(const sn_value *object, const char *key);

// The same value as Jansson has it; null without memory.
json_t *sn_value_to_json(const sn_value *value);

// --- making ------------------------------------------------------------------------------------------------

// The memory of values, let go all at once. All zeros: empty.
typedef struct sn_value_store {
    struct sn_value_block *block;
} sn_value_store;

// Room for `size` bytes, good for values; null without memory.
void *sn_value_store_take(sn_value_store *store, size_t size);
void sn_value_store_release(sn_value_store *store);

typedef enum sn_parsed { SN_PARSED, SN_PARSED_NO_JSON, SN_PARSED_NO_MEMORY } sn_parsed;

// Reads a text with a zero behind its end. What is JSON is what Jansson takes for it, duplicate keys refused:
// it is to be asked what is wrong with a text.
sn_parsed sn_value_parse(sn_value_store *store, const char *text, size_t size, sn_value **root);

// Gives an object a member, in place of the one with that key if there is one; returns it as it is now, null
// without memory. What is in the object may move.
sn_value *sn_value_set(sn_value_store *store, sn_value *object, const char *key, sn_value value);

#endif
