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

static json_t *parse_value(const char *text)
{
    json_error_t error;
    json_t *value = json_loads(text, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, &error);
    return value != NULL ? value : json_string(text);
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
static bool has_place(const json_t *value, const step *step, const char *setting)
{
    if (step->is_index && step->index >= json_array_size(value)) {
        sn_scene_fail(SN_ERROR_FORMAT, "--set %s: member [%zu] does not exist, the list has %zu", setting,
                      step->index, json_array_size(value));
        return false;
    }
    if (!step->is_index && !json_is_object(value)) {
        sn_scene_fail(SN_ERROR_FORMAT, "--set %s: what \"%s\" should be in is no object", setting, step->key);
        return false;
    }
    return true;
}

static sn_status put(json_t *owner, const step *step, json_t *value, const char *setting)
{
    int failed = step->is_index ? json_array_set_new(owner, step->index, value)
                                : json_object_set_new(owner, step->key, value);
    return failed == 0 ? SN_OK : malformed(setting, "it is not UTF-8 text");
}

// The member a step leads to, made if it is missing; null with a message.
static json_t *enter(json_t *owner, const step *step, const char *setting)
{
    if (step->is_index) {
        return json_array_get(owner, step->index);
    }
    json_t *member = json_object_get(owner, step->key);
    if (member == NULL) {
        member = json_object();
        member = put(owner, step, member, setting) == SN_OK ? member : NULL;
    }
    return member;
}

sn_status sn_setting_apply(sn_document *document, const char *setting)
{
    const char *equals = strchr(setting, '='), *at = setting;
    if (equals == NULL || equals == setting) {
        return malformed(setting, "it has no path and value");
    }
    json_t *value = document->root;
    step step;
    bool is_first = true;
    while (read_step(&at, equals, is_first, &step)) {
        if (!has_place(value, &step, setting)) {
            return SN_ERROR_FORMAT;
        }
        if (at == equals) {
            return put(value, &step, parse_value(equals + 1), setting);
        }
        value = enter(value, &step, setting);
        if (value == NULL) {
            return SN_ERROR_FORMAT;
        }
        is_first = false;
    }
    return malformed(setting, "the path makes no sense");
}
