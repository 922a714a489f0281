// Settings of the command line. Each walks down the document, key by key.
#include "scene/settings.h"

#include "scene/message.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MAX_KEY 128

static sn_status malformed(const char *setting, const char *problem)
{
    return sn_scene_fail(
        SN_ERROR_FORMAT,
        "--set %s: %s, expected path=value as in world.sub_steps=20 or bodies[3].position=[0,1,0]", setting,
        problem);
}

static sn_status fail_memory(const char *setting)
{
    return sn_scene_fail(SN_ERROR_MEMORY, "--set %s: no memory for it", setting);
}

static bool is_utf8(const char *text)
{
    json_t *checked = json_string(text);
    json_decref(checked);
    return checked != NULL;
}

// What is no JSON is text as it stands.
static sn_status read_value(sn_value_store *store, const char *text, const char *setting, sn_value *value)
{
    sn_value *read;
    size_t length = strlen(text);
    sn_parsed parsed = sn_value_parse(store, text, length, &read);
    if (parsed == SN_PARSED) {
        *value = *read;
        return SN_OK;
    }
    if (!is_utf8(text)) {
        return malformed(setting, "it is not UTF-8 text");
    }
    char *copy = parsed == SN_PARSED_NO_MEMORY ? NULL : sn_value_store_take(store, length + 1);
    if (copy == NULL) {
        return fail_memory(setting);
    }
    *value = (sn_value){.type = SN_VALUE_TEXT, .text = memcpy(copy, text, length + 1)};
    return SN_OK;
}

typedef struct step {
    bool is_index;
    char key[MAX_KEY];
    size_t index;
} step;

// Reads one step of the path and moves `*at` behind it; false if it makes no sense.
static bool read_step(const char **at, const char *end, bool is_first, step *step)
{
    const char *c = *at;
    step->is_index = *c == '[';
    if (step->is_index) {
        char *stop;
        ++c;
        if (!isdigit((unsigned char)*c)) {
            return false;
        }
        step->index = strtoul(c, &stop, 10);
        *at = stop + 1;
        return *stop == ']' && !is_first && stop < end;
    }
    if (!is_first) {
        if (*c != '.') {
            return false;
        }
        ++c;
    }
    size_t length = 0;
    while (c + length < end && strchr(".[]", c[length]) == NULL) {
        ++length;
    }
    if (length == 0 || length >= MAX_KEY) {
        return false;
    }
    memcpy(step->key, c, length);
    step->key[length] = '\0';
    *at = c + length;
    return true;
}

// Whether a step can be taken from a value: lists have just the members they have, objects any.
static bool has_place(const sn_value *value, const step *step, const char *setting)
{
    size_t count = (size_t)sn_value_count(value);
    if (step->is_index && step->index >= count) {
        sn_scene_fail(SN_ERROR_FORMAT, "--set %s: member [%zu] does not exist, the list has %zu", setting,
                      step->index, count);
        return false;
    }
    if (!step->is_index && !sn_value_is(value, SN_VALUE_OBJECT)) {
        sn_scene_fail(SN_ERROR_FORMAT, "--set %s: what \"%s\" should be in is no object", setting, step->key);
        return false;
    }
    return true;
}

// The member a step leads to, an empty object if it was missing.
static sn_status enter(sn_value_store *store, sn_value *owner, const step *step, const char *setting,
                       sn_value **member)
{
    if (step->is_index) {
        *member = &owner->items[step->index];
        return SN_OK;
    }
    const sn_value *there = sn_value_get(owner, step->key);
    if (there == NULL && !is_utf8(step->key)) {
        return malformed(setting, "it is not UTF-8 text");
    }
    *member =
        sn_value_set(store, owner, step->key, there != NULL ? *there : (sn_value){.type = SN_VALUE_OBJECT});
    return *member != NULL ? SN_OK : fail_memory(setting);
}

sn_status sn_setting_apply(sn_document *document, const char *setting)
{
    const char *equals = strchr(setting, '='), *at = setting;
    if (equals == NULL || equals == setting) {
        return malformed(setting, "it has no path and value");
    }
    sn_value *place = document->root;
    step step;
    for (bool is_first = true; read_step(&at, equals, is_first, &step); is_first = false) {
        if (!has_place(place, &step, setting)) {
            return SN_ERROR_FORMAT;
        }
        sn_status status = enter(&document->values, place, &step, setting, &place);
        if (status != SN_OK) {
            return status;
        }
        if (at == equals) {
            return read_value(&document->values, equals + 1, setting, place);
        }
    }
    return malformed(setting, "the path makes no sense");
}
