// Reading objects by their tables.
#include "scene/fields.h"

#include "scene/suggest.h"

#include <stdio.h>
#include <string.h>

const sn_field *sn_object_field(const sn_object *object, const char *name)
{
    for (; object != NULL; object = object->base) {
        for (int i = 0; i < object->field_count; ++i) {
            // Most names differ in their first letter, which is cheaper to look at.
            if (object->fields[i].name[0] == name[0] && strcmp(object->fields[i].name, name) == 0) {
                return &object->fields[i];
            }
        }
    }
    return NULL;
}

void sn_object_defaults(const sn_object *object, void *target)
{
    memset(target, 0, object->size);
    for (const sn_object *o = object; o != NULL; o = o->base) {
        if (o->initial != NULL) {
            memcpy(target, o->initial, object->size);
            return;
        }
        if (o->defaults != NULL) {
            o->defaults(target);
            return;
        }
    }
}

static bool read_angle(const sn_node *node, const sn_field *field, float *out)
{
    if (!sn_node_number(node, field->range, field->unit, out)) {
        return false;
    }
    *out = (float)(json_number_value(node->value) * SN_DEGREE);
    return true;
}

static bool read_angles(const sn_node *node, const sn_field *field, float out[2])
{
    if (!sn_node_interval(node, field->range, field->unit, out)) {
        return false;
    }
    for (int i = 0; i < 2; ++i) {
        out[i] = (float)(json_number_value(json_array_get(node->value, (size_t)i)) * SN_DEGREE);
    }
    return true;
}

static bool read_preset(const sn_node *node, const sn_field *field, void *place)
{
    int choice;
    if (!sn_node_choice(node, field->choices, field->choice_count, &choice)) {
        return false;
    }
    field->choose(place, choice);
    return true;
}

static bool read_fields(const sn_node *node, const sn_object *object, void *target);

bool sn_field_read(const sn_node *node, const sn_field *field, void *target)
{
    void *place = (char *)target + field->offset;
    switch (field->type) {
    case SN_FIELD_FLAG:
        return sn_node_flag(node, place);
    case SN_FIELD_INTEGER:
        return sn_node_integer(node, field->range, place);
    case SN_FIELD_NUMBER:
        return sn_node_number(node, field->range, field->unit, place);
    case SN_FIELD_ANGLE:
        return read_angle(node, field, place);
    case SN_FIELD_TEXT:
        return sn_node_text_value(node, place);
    case SN_FIELD_CHOICE:
        return sn_node_choice(node, field->choices, field->choice_count, place);
    case SN_FIELD_VECTOR:
        return sn_node_vector(node, field->range, field->unit, place);
    case SN_FIELD_ROTATION:
        return sn_node_rotation(node, place);
    case SN_FIELD_COLOR:
        return sn_node_color(node, place);
    case SN_FIELD_INTERVAL:
        return sn_node_interval(node, field->range, field->unit, place);
    case SN_FIELD_ANGLE_INTERVAL:
        return read_angles(node, field, place);
    case SN_FIELD_OBJECT:
        return field->choose != NULL && json_is_string(node->value) ? read_preset(node, field, place)
                                                                    : read_fields(node, field->object, place);
    case SN_FIELD_NODE:
        *(sn_node *)place = *node;
        return true;
    }
    return false;
}

// Any object may have one.
static const char comment_key[] = "comment";

// Names of an object's fields, for suggestions. Tables are small.
#define MAX_FIELDS 64

static int collect_names(const sn_object *object, const char *names[MAX_FIELDS])
{
    int count = 0;
    if (object->tagged) {
        names[count++] = "type";
    }
    for (; object != NULL; object = object->base) {
        for (int i = 0; i < object->field_count && count < MAX_FIELDS - 1; ++i) {
            names[count++] = object->fields[i].name;
        }
    }
    names[count++] = comment_key;
    return count;
}

static bool fail_unknown(const sn_node *node, const sn_object *object, const char *key)
{
    const char *names[MAX_FIELDS];
    int count = collect_names(object, names);
    const char *meant = sn_suggest(key, names, count);
    if (meant != NULL) {
        return sn_node_fail_key(node, key, "unknown key \"%s\", did you mean \"%s\"?", key, meant);
    }
    char list[768] = "";
    size_t used = 0;
    for (int i = 0; i < count - 1 && used < sizeof list; ++i) { // comments go without saying
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    return sn_node_fail_key(node, key, "unknown key \"%s\", expected one of: %s", key, list);
}

// Whether an unknown key was taken for a misspelling of this one.
static bool is_misspelt(const sn_node *node, const sn_object *object, const char *name)
{
    const char *names[MAX_FIELDS];
    int count = collect_names(object, names);
    const char *key;
    json_t *value;
    json_object_foreach(node->value, key, value)
    {
        const char *meant = sn_object_field(object, key) == NULL ? sn_suggest(key, names, count) : NULL;
        if (meant != NULL && strcmp(meant, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool check_required(const sn_node *node, const sn_object *object)
{
    bool complete = true;
    for (const sn_object *o = object; o != NULL; o = o->base) {
        for (int i = 0; i < o->field_count; ++i) {
            const sn_field *field = &o->fields[i];
            if (!field->required || json_object_get(node->value, field->name) != NULL) {
                continue;
            }
            complete = false;
            if (!is_misspelt(node, object, field->name)) {
                sn_node_fail_key(node, field->name, "is missing: %s", field->text);
            }
        }
    }
    return complete;
}

static bool fail_no_object(const sn_node *node, const char *what)
{
    char value[SN_NODE_TEXT];
    return sn_node_fail(node, "%s is not allowed, expected an object {…}: %s", sn_node_text(node, value),
                        what);
}

static bool read_fields(const sn_node *node, const sn_object *object, void *target)
{
    if (!json_is_object(node->value)) {
        return fail_no_object(node, object->text);
    }
    bool good = true;
    const char *key;
    json_t *value;
    json_object_foreach(node->value, key, value)
    {
        const sn_field *field = sn_object_field(object, key);
        bool is_known = strcmp(key, comment_key) == 0 || (object->tagged && strcmp(key, "type") == 0);
        if (field == NULL && !is_known) {
            good = fail_unknown(node, object, key);
        } else if (field != NULL) {
            sn_node child = {node, field->name, 0, value, node->document, node->mistakes};
            good = sn_field_read(&child, field, target) && good;
            if (field->flag != 0) {
                *((bool *)target + field->flag - 1) = true;
            }
        }
    }
    return check_required(node, object) && good;
}

bool sn_object_read(const sn_node *node, const sn_object *object, void *target)
{
    sn_object_defaults(object, target);
    return read_fields(node, object, target);
}

// The object of a family that "type" names; null after a complaint.
static const sn_object *choose_object(const sn_node *node, const sn_family *family)
{
    const char *names[MAX_FIELDS];
    for (int i = 0; i < family->count; ++i) {
        names[i] = family->objects[i]->name;
    }
    sn_node tag = sn_node_get(node, "type");
    int chosen = 0;
    if (tag.value == NULL) {
        sn_node_fail_key(node, "type", "is missing: which kind of %s this is", family->name);
        return NULL;
    }
    return sn_node_choice(&tag, names, family->count, &chosen) ? family->objects[chosen] : NULL;
}

const sn_object *sn_family_read(const sn_node *node, const sn_family *family, void *target)
{
    const sn_object *object = family->objects[0];
    if (!json_is_object(node->value)) {
        fail_no_object(node, family->text);
        return NULL;
    }
    if (family->count > 1) {
        object = choose_object(node, family);
    }
    return object != NULL && sn_object_read(node, object, target) ? object : NULL;
}
