// Sections "materials" and "categories": what shapes refer to by name.
#include "scene/reader.h"

#include <math.h>
#include <string.h>

#define MAX_CATEGORIES 63 // bit 0 is "default"

// --- materials ---------------------------------------------------------------------------------------------

typedef struct material_entry {
    const char *name;
    sn_material material;
} material_entry;

static void defaults(void *target)
{
    material_entry *entry = target;
    sn_shape_def def = sn_shape_def_default();
    entry->material.density = def.density;
    entry->material.friction = def.friction;
    entry->material.restitution = def.restitution;
    entry->material.rolling_resistance = def.rolling_resistance;
}

static const sn_field fields[] = {
    SN_ROW("name", TEXT, material_entry, name, "what shapes call it", .required = true),
    SN_ROW("density", NUMBER, material_entry, material.density, "mass by volume", .unit = "kg/m³",
           .range = SN_BETWEEN(0.0, 1e9)),
    SN_ROW("friction", NUMBER, material_entry, material.friction,
           "Coulomb's coefficient; a pair has the root of the product", .range = SN_BETWEEN(0.0, 100.0)),
    SN_ROW("restitution", NUMBER, material_entry, material.restitution,
           "share of the speed that comes back; a pair has the larger", .range = SN_BETWEEN(0.0, 1.0)),
    SN_ROW("rolling_resistance", NUMBER, material_entry, material.rolling_resistance,
           "lever of the torque against rolling; a pair has the larger", .unit = "m",
           .range = SN_NOT_NEGATIVE),
    SN_ROW("color", COLOR, material_entry, material.color, "of shapes that have none of their own",
           .flag = SN_FLAG_AT(material_entry, material.has_color))};

static const sn_object object = {.name = "material",
                                 .text = "A material.",
                                 .size = sizeof(material_entry),
                                 .defaults = defaults,
                                 .fields = fields,
                                 .field_count = SN_COUNT(fields)};
static const sn_object *const objects[] = {&object};
static const sn_family family = {"material", "What shapes are made of.", objects, 1};

// The entry was read before: its file is included, or its part copied, more than once.
static bool is_known(const sn_reader *reader, int index, const sn_node *node)
{
    return index >= 0 && reader->material_values.items[index] == node->value;
}

static bool read_material(sn_reader *reader, const sn_scope *scope, const sn_node *node)
{
    (void)scope;
    material_entry entry;
    if (!sn_object_read(node, &object, &entry)) {
        sn_reader_name_failed(reader, &reader->material_names, NULL, node);
        return false;
    }
    int index = sn_names_find(&reader->material_names, entry.name);
    if (index != -1) {
        return is_known(reader, index, node) ||
               sn_node_fail_key(node, "name", "material \"%s\" exists already, expected another name",
                                entry.name);
    }
    if (entry.name[0] == '\0') {
        return sn_node_fail_key(node, "name", "\"\" is not allowed, expected a name");
    }
    return (sn_names_add(&reader->material_names, entry.name, reader->materials.count) &&
            SN_LIST_PUSH(&reader->material_values, node->value) &&
            SN_LIST_PUSH(&reader->materials, entry.material)) ||
           sn_reader_no_memory(reader);
}

// Shapes are saved with their own values, so materials are not written.
static json_t *write_nothing(sn_writer *writer)
{
    (void)writer;
    return NULL;
}

const sn_section sn_section_materials = {.name = "materials",
                                         .text = "materials that shapes name",
                                         .pass = SN_PASS_SETTINGS,
                                         .in_parts = true,
                                         .family = &family,
                                         .read = read_material,
                                         .write = write_nothing};

// --- categories --------------------------------------------------------------------------------------------

static bool read_category(sn_reader *reader, const sn_scope *scope, const sn_node *node)
{
    (void)scope;
    sn_scene *scene = reader->scene;
    const char *name = NULL;
    if (!sn_node_text_value(node, &name)) {
        return false;
    }
    if (name[0] == '\0' || sn_scene_category(scene, name) >= 0) {
        return sn_node_fail(node, "\"%s\" is not allowed, expected a name that is not in use", name);
    }
    if (scene->categories.count >= MAX_CATEGORIES) {
        return sn_node_fail(node, "category %d is not allowed, expected at most %d",
                            scene->categories.count + 1, MAX_CATEGORIES);
    }
    char *copy = strdup(name);
    if (copy == NULL || !SN_LIST_PUSH(&scene->categories, copy)) {
        free(copy);
        return sn_reader_no_memory(reader);
    }
    return true;
}

static json_t *write_categories(sn_writer *writer)
{
    json_t *list = json_array();
    for (int bit = 1; bit <= writer->category_count; ++bit) {
        char made_up[SN_MAX_NAME + 1];
        sn_writer_append(writer, list, json_string(sn_writer_category(writer, bit, made_up)));
    }
    return list;
}

const sn_section sn_section_categories = {.name = "categories",
                                          .text =
                                              "names of up to 63 kinds of shapes, for deciding what collides",
                                          .pass = SN_PASS_SETTINGS,
                                          .form = "a name",
                                          .read = read_category,
                                          .write = write_categories};
