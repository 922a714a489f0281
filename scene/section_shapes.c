// Section "shapes": shapes with a name, for others to share; and adding shapes to bodies.
#include "scene/shape_entry.h"
#include "scene/suggest.h"

// Those who share a shape say for themselves where it is and what it is made of.
static bool is_geometry_alone(const sn_node *node)
{
    const char *const others[] = {"position",       "rotation",      "material",        "density",
                                  "friction",       "restitution",   "color",           "rolling_resistance",
                                  "category",       "collides_with", "group",           "hit_events",
                                  "contact_events", "sensor",        "surface_velocity"};
    for (int i = 0; i < SN_COUNT(others); ++i) {
        if (json_object_get(node->value, others[i]) != NULL) {
            return sn_node_fail_key(node, others[i],
                                    "is not part of a named shape, expected where the shape is used");
        }
    }
    return true;
}

static bool read_named(sn_reader *reader, const sn_scope *scope, const sn_node *node)
{
    (void)scope;
    sn_shape_entry entry;
    if (sn_family_read(node, &sn_family_shape, &entry) == NULL || !is_geometry_alone(node)) {
        sn_reader_name_failed(reader, &reader->shape_names, NULL, node);
        return false;
    }
    if (entry.name == NULL || entry.name[0] == '\0') {
        return sn_node_fail_key(node, "name", "is missing: what others call the shape");
    }
    int index = sn_names_find(&reader->shape_names, entry.name);
    if (index != -1) {
        return (index >= 0 && reader->shape_nodes.items[index].value == node->value) ||
               sn_node_fail_key(node, "name", "shape \"%s\" exists already, expected another name",
                                entry.name);
    }
    sn_node kept;
    if (!sn_reader_keep(reader, node, &kept)) {
        return false;
    }
    return (sn_names_add(&reader->shape_names, entry.name, reader->shape_nodes.count) &&
            SN_LIST_PUSH(&reader->shape_nodes, kept)) ||
           sn_reader_no_memory(reader);
}

// --- adding ------------------------------------------------------------------------------------------------

static bool apply_material(sn_reader *reader, const sn_node *node, sn_shape_entry *entry)
{
    if (entry->material == NULL) {
        return true;
    }
    int index = 0;
    if (sn_reader_find(reader, &reader->material_names, node, "material", "material", entry->material,
                       &index) != SN_LOOKUP_FOUND) {
        return false;
    }
    const sn_material *material = &reader->materials.items[index];
    entry->density = entry->has_density ? entry->density : material->density;
    entry->friction = entry->has_friction ? entry->friction : material->friction;
    entry->restitution = entry->has_restitution ? entry->restitution : material->restitution;
    entry->rolling_resistance =
        entry->has_rolling_resistance ? entry->rolling_resistance : material->rolling_resistance;
    return true;
}

static bool fail_category(const sn_scene *scene, const sn_node *node, const char *name)
{
    const char *names[64] = {"default"};
    for (int i = 0; i < scene->categories.count; ++i) {
        names[i + 1] = scene->categories.items[i];
    }
    const char *meant = sn_suggest(name, names, scene->categories.count + 1);
    if (meant != NULL) {
        return sn_node_fail(node, "no category is called \"%s\", did you mean \"%s\"?", name, meant);
    }
    return sn_node_fail(
        node, "no category is called \"%s\", expected \"default\" or one of the section `categories`", name);
}

static bool category_bit(const sn_reader *reader, const sn_node *node, uint64_t *bits)
{
    const char *name = NULL;
    if (!sn_node_text_value(node, &name)) {
        return false;
    }
    int bit = sn_scene_category(reader->scene, name);
    if (bit < 0) {
        return fail_category(reader->scene, node, name);
    }
    *bits |= (uint64_t)1 << bit;
    return true;
}

bool sn_reader_bits(const sn_reader *reader, const sn_node *node, uint64_t *bits)
{
    if (node->value == NULL) {
        return true;
    }
    *bits = 0;
    if (!json_is_array(node->value)) {
        return category_bit(reader, node, bits);
    }
    bool good = true;
    for (int i = 0; i < sn_node_count(node); ++i) {
        sn_node member = sn_node_at(node, i);
        good = category_bit(reader, &member, bits) && good;
    }
    return good;
}

sn_status sn_geometry_add(sn_world *world, sn_rigid rigid, const sn_shape_def *def,
                          const sn_geometry *geometry, sn_shape *shape)
{
    switch (geometry->type) {
    case SN_SPHERE:
        return sn_sphere_add(world, rigid, def, geometry->sphere, shape);
    case SN_CAPSULE:
        return sn_capsule_add(world, rigid, def, geometry->capsule, shape);
    case SN_BOX:
        return sn_box_add(world, rigid, def, geometry->box, shape);
    case SN_PLANE:
        return sn_plane_add(world, rigid, def, geometry->plane, shape);
    case SN_HULL:
        return sn_hull_add(world, rigid, def, geometry->hull, shape);
    case SN_SURFACE:
        return sn_surface_add(world, rigid, def, geometry->surface, shape);
    case SN_COMPOUND:
        return sn_compound_add(world, rigid, def, geometry->compound, shape);
    }
    return SN_ERROR_KIND;
}

// What the world would say in the words of its own API.
static bool is_allowed(const sn_reader *reader, const sn_node *node, sn_rigid rigid, sn_shape_type shape)
{
    sn_rigid_type type = sn_rigid_get_type(reader->scene->world, rigid);
    if (shape == SN_PLANE && type != SN_STATIC) {
        return sn_node_fail_key(node, "type", "a plane cannot move, expected a static body");
    }
    if (shape == SN_SURFACE && type == SN_DYNAMIC) {
        return sn_node_fail_key(node, "type", "a mesh has no mass, expected a static or kinematic body");
    }
    return true;
}

// Its own, its body's, its material's, none.
static bool choose_color(const sn_reader *reader, const sn_shape_entry *entry, const uint32_t *body_color,
                         uint32_t *color)
{
    int material = entry->material != NULL ? sn_names_find(&reader->material_names, entry->material) : -1;
    if (entry->has_color) {
        *color = entry->color;
    } else if (body_color != NULL) {
        *color = *body_color;
    } else if (material >= 0 && reader->materials.items[material].has_color) {
        *color = reader->materials.items[material].color;
    } else {
        return false;
    }
    return true;
}

bool sn_reader_add_shape(sn_reader *reader, const sn_node *node, sn_rigid rigid, const uint32_t *body_color)
{
    sn_shape_entry entry;
    sn_geometry geometry;
    if (!sn_reader_count(reader, node)) {
        return false;
    }
    const sn_object *object = sn_family_read(node, &sn_family_shape, &entry);
    if (object == NULL) {
        return false;
    }
    sn_shape_def def = sn_shape_def_default();
    bool good = sn_reader_geometry(reader, node, object, &entry, &geometry);
    good = apply_material(reader, node, &entry) && good;
    good = sn_reader_bits(reader, &entry.category, &def.filter.category) && good;
    good = sn_reader_bits(reader, &entry.collides_with, &def.filter.mask) && good;
    if (!good || !is_allowed(reader, node, rigid, geometry.type)) {
        return false;
    }
    def.offset = (sn_pose){entry.position, entry.rotation};
    def.density = entry.density;
    def.friction = entry.friction;
    def.restitution = entry.restitution;
    def.rolling_resistance = entry.rolling_resistance;
    def.filter.group = entry.group;
    def.hit_events = entry.hit_events;
    def.contact_events = entry.contact_events;
    def.sensor = entry.sensor;
    def.surface_velocity = entry.surface_velocity;
    sn_shape shape;
    if (sn_geometry_add(reader->scene->world, rigid, &def, &geometry, &shape) != SN_OK) {
        return sn_reader_world_failed(reader, node);
    }
    uint32_t color;
    return !choose_color(reader, &entry, body_color, &color) || sn_scene_paint(reader->scene, shape, color) ||
           sn_reader_no_memory(reader);
}

const sn_section sn_section_shapes = {.name = "shapes",
                                      .text = "named shapes, for others to share",
                                      .pass = SN_PASS_SETTINGS,
                                      .in_parts = true,
                                      .family = &sn_family_shape,
                                      .read = read_named,
                                      .write = sn_writer_shared_shapes};
