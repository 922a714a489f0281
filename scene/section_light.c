// Section "light": where the main light of pictures comes from, how strong it is, its colour.
#include "scene/reader.h"

typedef struct light_entry {
    sn_vec3 direction;
    float strength;
    uint32_t color;
} light_entry;

static void defaults(void *target)
{
    *(light_entry *)target = (light_entry){.strength = 1.0f, .color = 0xffffff};
}

static const sn_field fields[] = {
    SN_ROW("direction", VECTOR, light_entry, direction,
           "towards the light; default over the left shoulder of one who looks at the scene from the front"),
    SN_ROW("strength", NUMBER, light_entry, strength, "against the usual one",
           .range = SN_BETWEEN(0.0, 10.0)),
    SN_ROW("color", COLOR, light_entry, color, "of the light, against the usual one")};
static const sn_object object = {.name = "light",
                                 .text = "The light of pictures that throws shadows.",
                                 .size = sizeof(light_entry),
                                 .defaults = defaults,
                                 .fields = fields,
                                 .field_count = SN_COUNT(fields)};
static const sn_object *const objects[] = {&object};
static const sn_family family = {"light", "The light of pictures that throws shadows.", objects, 1};

static bool read(sn_reader *reader, const sn_scope *scope, const sn_node *node)
{
    (void)scope;
    light_entry entry;
    if (!sn_object_read(node, &object, &entry)) {
        return false;
    }
    bool given = sn_node_get(node, "direction").value != NULL;
    if (given && !(sn_length(entry.direction) > 0.0f)) {
        return sn_node_fail_key(node, "direction", "has no length, expected a direction");
    }
    reader->scene->light = (sn_light){entry.direction, entry.strength, entry.color};
    return true;
}

static json_t *write(sn_writer *writer)
{
    const sn_light *light = &writer->scene->light;
    if (!(sn_length(light->direction) > 0.0f) && light->strength == 1.0f && light->color == 0xffffff) {
        return NULL;
    }
    light_entry entry = {light->direction, light->strength, light->color};
    return sn_object_write(&object, &entry);
}

const sn_section sn_section_light = {.name = "light",
                                     .text = "the light of pictures",
                                     .pass = SN_PASS_VIEWS,
                                     .single = true,
                                     .family = &family,
                                     .read = read,
                                     .write = write};
