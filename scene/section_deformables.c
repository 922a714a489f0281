// Section "deformables": cloth, ropes, jelly.
#include "scene/deformable_mesh.h"

#include <math.h>
#include <string.h>

// In the order of sn_model_type, sn_matching, sn_limit_side and sn_bending_type.
static const char *const model_names[] = {"none",
                                          "springs",
                                          "spring_forces",
                                          "corotational",
                                          "corotational_explicit",
                                          "corotational_implicit",
                                          "neo_hookean",
                                          "position_based",
                                          "shape_matching",
                                          "energy"};
static const char *const matching_names[] = {"rigid", "linear", "quadratic"};
static const char *const side_names[] = {"both", "stretch", "compression"};
static const char *const bending_names[] = {"none", "diagonal", "dihedral", "isometric"};

typedef struct region_entry {
    sn_vec3 lower, upper;
} region_entry;

typedef struct deformable_entry {
    sn_deformable_def def;
    int model, matching, side, bending;
    bool has_color, has_mass, has_density;
    uint32_t color;
    const char *label;
    sn_node mesh, fixed, category, collides_with, repeat, positions, velocities;
    int group;
} deformable_entry;

static void defaults(void *target)
{
    deformable_entry *entry = target;
    entry->def = sn_deformable_def_default();
    entry->def.model.damping = 0.01f;
    entry->def.model.young = 1e5f;
    entry->def.model.poisson = 0.3f;
}

#define ROW(NAME, TYPE, MEMBER, ...) SN_ROW(NAME, TYPE, deformable_entry, MEMBER, __VA_ARGS__)
#define FLAG_OF(MEMBER)              SN_FLAG_AT(deformable_entry, MEMBER)

static const sn_field model_fields[] = {
    ROW("type", CHOICE, model, "the paradigm", .required = true, .choices = model_names,
        .choice_count = SN_COUNT(model_names)),
    ROW("young", NUMBER, def.model.young, "elements: Young's modulus", .unit = "Pa", .range = SN_ABOVE_ZERO),
    ROW("poisson", NUMBER, def.model.poisson, "elements: Poisson's ratio", .range = SN_BETWEEN(0.0, 0.499)),
    ROW("stiffness", NUMBER, def.model.stiffness,
        "springs: force by length; position-based and shape matching: share of the way in 1/60 s, 0 to 1",
        .unit = "N/m", .range = SN_NOT_NEGATIVE),
    ROW("damping", NUMBER, def.model.damping,
        "springs: N s/m; elements: Rayleigh's b; shape matching: 0 to 1", .unit = "s",
        .range = SN_NOT_NEGATIVE),
    ROW("area_stiffness", NUMBER, def.model.area_stiffness, "energies", .unit = "N m",
        .range = SN_NOT_NEGATIVE),
    ROW("volume_stiffness", NUMBER, def.model.volume_stiffness, "energies; position-based: 0 to 1",
        .unit = "N m", .range = SN_NOT_NEGATIVE),
    ROW("matching", CHOICE, matching, "how shape matching may deform the rest shape",
        .choices = matching_names, .choice_count = SN_COUNT(matching_names)),
    ROW("share", NUMBER, def.model.matching_share, "how much of the linear or quadratic fit is taken",
        .range = SN_BETWEEN(0.0, 1.0)),
    ROW("cluster_rings", INTEGER, def.model.cluster_rings,
        "shape matching: clusters of so many rings; 0: one whole", .range = SN_BETWEEN(0, 16))};
static const sn_object model_object = {.name = "model",
                                       .text = "What gives the deformable its shape.",
                                       .size = sizeof(deformable_entry),
                                       .fields = model_fields,
                                       .field_count = SN_COUNT(model_fields)};

static const sn_field inextensible_fields[] = {
    ROW("side", CHOICE, side, "which way lengths are held", .choices = side_names,
        .choice_count = SN_COUNT(side_names)),
    ROW("compliance", NUMBER, def.inextensible.compliance, "0 is hard", .unit = "m/N",
        .range = SN_NOT_NEGATIVE),
    ROW("damping", NUMBER, def.inextensible.damping, "with compliance", .unit = "N s/m",
        .range = SN_NOT_NEGATIVE),
    ROW("max_force", NUMBER, def.inextensible.max_force, "default infinite", .unit = "N",
        .range = SN_ABOVE_ZERO)};
static const sn_object inextensible_object = {.name = "inextensible",
                                              .text = "Edges that keep their length.",
                                              .size = sizeof(deformable_entry),
                                              .fields = inextensible_fields,
                                              .field_count = SN_COUNT(inextensible_fields)};

static const sn_field bending_fields[] = {
    ROW("type", CHOICE, bending, "how bending is resisted", .required = true, .choices = bending_names,
        .choice_count = SN_COUNT(bending_names)),
    ROW("stiffness", NUMBER, def.bending.stiffness, "flexural rigidity; 0 with diagonal or dihedral: hard",
        .unit = "N m", .range = SN_NOT_NEGATIVE),
    ROW("damping", NUMBER, def.bending.damping, "by which the stiffness is multiplied", .unit = "s",
        .range = SN_NOT_NEGATIVE),
    ROW("max_impulse", NUMBER, def.bending.max_impulse, "of hard ones; default infinite",
        .range = SN_ABOVE_ZERO)};
static const sn_object bending_object = {.name = "bending",
                                         .text = "Resistance to bending.",
                                         .size = sizeof(deformable_entry),
                                         .fields = bending_fields,
                                         .field_count = SN_COUNT(bending_fields)};

static const sn_field enclosure_fields[] = {
    ROW("preserve", FLAG, def.enclosure.preserve, "the enclosed volume stays"),
    ROW("scale", NUMBER, def.enclosure.scale, "what the rest volume is multiplied with",
        .range = SN_ABOVE_ZERO),
    ROW("compliance", NUMBER, def.enclosure.compliance, "0 is hard", .unit = "m³/Pa",
        .range = SN_NOT_NEGATIVE),
    ROW("pressure", NUMBER, def.enclosure.pressure, "constant over-pressure instead", .unit = "Pa")};
static const sn_object enclosure_object = {.name = "enclosure",
                                           .text = "The volume a closed surface encloses.",
                                           .size = sizeof(deformable_entry),
                                           .fields = enclosure_fields,
                                           .field_count = SN_COUNT(enclosure_fields)};

static const sn_field region_fields[] = {
    SN_ROW("lower", VECTOR, region_entry, lower, "lowest corner, in the mesh's frame", .unit = "m",
           .required = true),
    SN_ROW("upper", VECTOR, region_entry, upper, "highest corner", .unit = "m", .required = true)};
static const sn_object region_object = {.name = "region",
                                        .text = "A box in the mesh's frame.",
                                        .size = sizeof(region_entry),
                                        .fields = region_fields,
                                        .field_count = SN_COUNT(region_fields)};
static const sn_object *const region_objects[] = {&region_object};
const sn_family sn_family_region = {"region", "A box in the mesh's frame.", region_objects, 1};

static const char *const category_schema =
    "{\"anyOf\": [{\"type\": \"string\"}, {\"type\": \"array\", \"items\": {\"type\": \"string\"}}]}";
static const char *const points_schema = "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/vector\"}}";

static const sn_field fields[] = {
    ROW("name", TEXT, def.name, "what anchors, labels and probes call it"),
    ROW("mesh", NODE, mesh, "what it is made of", .family = &sn_family_mesh, .required = true),
    ROW("position", VECTOR, def.pose.position, "of the mesh's frame", .unit = "m"),
    ROW("rotation", ROTATION, def.pose.rotation, "of the mesh's frame"),
    ROW("scale", NUMBER, def.scale, "of the mesh", .range = SN_ABOVE_ZERO),
    ROW("linear_velocity", VECTOR, def.linear_velocity, "of the whole", .unit = "m/s"),
    ROW("angular_velocity", VECTOR, def.angular_velocity, "about the mesh's origin", .unit = "rad/s"),
    ROW("density", NUMBER, def.density, "volumes kg/m³, sheets kg/m², strands kg/m", .range = SN_ABOVE_ZERO),
    ROW("mass", NUMBER, def.mass, "of the whole, instead of the density", .unit = "kg",
        .range = SN_ABOVE_ZERO, .flag = FLAG_OF(has_mass)),
    {.name = "model",
     .type = SN_FIELD_OBJECT,
     .text = "what gives it its shape; default none",
     .object = &model_object},
    {.name = "inextensible",
     .type = SN_FIELD_OBJECT,
     .text = "edges keep their length",
     .object = &inextensible_object,
     .flag = FLAG_OF(def.inextensible.on)},
    {.name = "bending", .type = SN_FIELD_OBJECT, .text = "resistance to bending", .object = &bending_object},
    {.name = "enclosure", .type = SN_FIELD_OBJECT, .text = "of closed surfaces", .object = &enclosure_object},
    ROW("fixed", NODE, fixed, "nodes inside any of these boxes do not move", .family = &sn_family_region,
        .list = true, .or_one = true),
    ROW("thickness", NUMBER, def.thickness, "of the surface", .unit = "m", .range = SN_ABOVE_ZERO),
    ROW("friction", NUMBER, def.friction, "Coulomb's coefficient", .range = SN_BETWEEN(0.0, 100.0)),
    ROW("restitution", NUMBER, def.restitution, "share of the speed that comes back",
        .range = SN_BETWEEN(0.0, 1.0)),
    ROW("category", NODE, category, "what it is, for filters; default \"default\"",
        .form = "a name of `categories`, or a list of them", .schema = category_schema),
    ROW("collides_with", NODE, collides_with, "what it touches; default everything",
        .form = "a name of `categories`, or a list of them", .schema = category_schema),
    ROW("group", INTEGER, group, "things of the same group always (above 0) or never (below 0) touch"),
    ROW("collide", FLAG, def.collide, "with shapes and other deformables"),
    ROW("self_collide", FLAG, def.self_collide, "with itself"),
    ROW("linear_damping", NUMBER, def.linear_damping, "decay of velocities", .unit = "1/s",
        .range = SN_BETWEEN(0.0, 1000.0)),
    ROW("gravity_scale", NUMBER, def.gravity_scale, "how strongly gravity acts",
        .range = SN_BETWEEN(-1000.0, 1000.0)),
    ROW("allow_sleep", FLAG, def.allow_sleep, "it may fall asleep"),
    ROW("color", COLOR, color, "of its surface", .flag = FLAG_OF(has_color)),
    ROW("positions", NODE, positions, "of all nodes in the world, instead of the rest shape",
        .form = "a list of [x, y, z]", .unit = "m", .schema = points_schema),
    ROW("velocities", NODE, velocities, "of all nodes in the world", .form = "a list of [x, y, z]",
        .unit = "m/s", .schema = points_schema),
    ROW("repeat", NODE, repeat, "copies", .family = &sn_family_repeat, .list = true, .or_one = true)};

static const sn_object object = {.name = "deformable",
                                 .text = "A deformable body.",
                                 .size = sizeof(deformable_entry),
                                 .defaults = defaults,
                                 .fields = fields,
                                 .field_count = SN_COUNT(fields)};
static const sn_object *const objects[] = {&object};
static const sn_family family = {"deformable", "A deformable body.", objects, 1};

// --- reading -----------------------------------------------------------------------------------------------

static void place(const sn_scope *scope, sn_deformable_def *def)
{
    def->pose = sn_pose_multiply(scope->pose, def->pose);
    def->linear_velocity = sn_rotate(scope->pose.rotation, def->linear_velocity);
    def->angular_velocity = sn_rotate(scope->pose.rotation, def->angular_velocity);
}

static bool fix_region(sn_reader *reader, const sn_node *node, const sn_mesh *mesh, float scale,
                       sn_deformable deformable)
{
    region_entry region;
    if (!sn_object_read(node, &region_object, &region)) {
        return false;
    }
    int count = 0;
    for (int i = 0; i < sn_mesh_node_count(mesh); ++i) {
        sn_vec3 p = sn_scale(sn_mesh_nodes(mesh)[i], scale);
        bool inside = p.x >= region.lower.x && p.x <= region.upper.x && p.y >= region.lower.y &&
                      p.y <= region.upper.y && p.z >= region.lower.z && p.z <= region.upper.z;
        if (inside && sn_node_fix(reader->scene->world, deformable, i, true) != SN_OK) {
            return sn_reader_world_failed(reader, node);
        }
        count += inside ? 1 : 0;
    }
    return count > 0 || sn_node_fail(node, "no node is in this box, expected one or more");
}

static bool fix_nodes(sn_reader *reader, const sn_node *node, const sn_mesh *mesh, float scale,
                      sn_deformable deformable)
{
    if (node->value == NULL) {
        return true;
    }
    if (!json_is_array(node->value)) {
        return fix_region(reader, node, mesh, scale, deformable);
    }
    bool good = true;
    for (int i = 0; i < sn_node_count(node); ++i) {
        sn_node member = sn_node_at(node, i);
        good = fix_region(reader, &member, mesh, scale, deformable) && good;
    }
    return good;
}

// Positions or velocities written out, one for each node.
static bool put_vectors(const sn_node *node, int count, sn_vec3 *first, size_t stride)
{
    if (node->value == NULL) {
        return true;
    }
    if (sn_node_count(node) != count) {
        return sn_node_fail(node, "%d entries are not allowed, expected %d, one for each node",
                            sn_node_count(node), count);
    }
    for (int i = 0; i < count; ++i) {
        sn_node member = sn_node_at(node, i);
        if (!sn_node_vector(&member, (sn_range)SN_BETWEEN(-1e6, 1e6), NULL,
                            (sn_vec3 *)(void *)((char *)first + stride * (size_t)i))) {
            return false;
        }
    }
    return true;
}

static bool put_state(sn_reader *reader, const sn_node *node, const deformable_entry *entry,
                      sn_deformable deformable)
{
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    if (sn_deformable_edit(reader->scene->world, deformable, &nodes, &velocities) != SN_OK) {
        return sn_reader_world_failed(reader, node);
    }
    int count = sn_deformable_node_count(reader->scene->world, deformable);
    return put_vectors(&entry->positions, count, &nodes[0].position, sizeof nodes[0]) &&
           put_vectors(&entry->velocities, count, &velocities[0].velocity, sizeof velocities[0]);
}

static void choose(deformable_entry *entry)
{
    entry->def.model.type = (sn_model_type)entry->model;
    entry->def.model.matching = (sn_matching)entry->matching;
    entry->def.inextensible.side = (sn_limit_side)entry->side;
    entry->def.bending.type = (sn_bending_type)entry->bending;
    entry->def.filter.group = entry->group;
}

static bool add(sn_reader *reader, const sn_scope *scope, const sn_node *node, deformable_entry *entry,
                const char *name, sn_deformable *deformable)
{
    sn_mesh *mesh = NULL;
    if (!sn_reader_bits(reader, &entry->category, &entry->def.filter.category) ||
        !sn_reader_bits(reader, &entry->collides_with, &entry->def.filter.mask) ||
        !sn_reader_mesh(reader, &entry->mesh, &mesh)) {
        return false;
    }
    choose(entry);
    place(scope, &entry->def);
    entry->def.mesh = mesh;
    entry->def.name = name[0] != '\0' ? name : NULL;
    bool good = sn_deformable_add(reader->scene->world, &entry->def, deformable) == SN_OK ||
                sn_reader_world_failed(reader, node);
    good = good && fix_nodes(reader, &entry->fixed, mesh, entry->def.scale, *deformable) &&
           put_state(reader, node, entry, *deformable);
    sn_mesh_destroy(mesh);
    if (good && entry->has_color && !sn_scene_paint_deformable(reader->scene, *deformable, entry->color)) {
        return sn_reader_no_memory(reader);
    }
    return good;
}

static bool read(sn_reader *reader, const sn_scope *scope, const sn_node *node)
{
    deformable_entry entry;
    char name[SN_MAX_NAME + 1] = "";
    sn_deformable deformable = {0};
    bool good = sn_object_read(node, &object, &entry) &&
                (entry.def.name == NULL || sn_scope_name(scope, node, entry.def.name, name));
    if (good && name[0] != '\0' && sn_names_find(&reader->deformable_names, name) != -1) {
        return sn_node_fail_key(node, "name", "deformable \"%s\" exists already, expected another name",
                                name);
    }
    if (!good || !add(reader, scope, node, &entry, name, &deformable)) {
        sn_reader_name_failed(reader, &reader->deformable_names, scope, node);
        return false;
    }
    return name[0] == '\0' ||
           (sn_names_add(&reader->deformable_names, name, reader->deformables.count) &&
            SN_LIST_PUSH(&reader->deformables, deformable)) ||
           sn_reader_no_memory(reader);
}

// --- writing -----------------------------------------------------------------------------------------------

static json_t *write_vectors(const sn_vec3 *first, size_t stride, int count)
{
    json_t *list = json_array();
    for (int i = 0; i < count; ++i) {
        json_array_append_new(
            list, sn_json_vector(*(const sn_vec3 *)(const void *)((const char *)first + stride * (size_t)i)));
    }
    return list;
}

// Fixed nodes as boxes around each: regions of one point.
static json_t *write_fixed(const sn_node_state *nodes, const sn_mesh *mesh, float scale, int count)
{
    json_t *list = json_array();
    for (int i = 0; i < count; ++i) {
        if (nodes[i].inverse_mass <= 0.0f) {
            json_t *corner = sn_json_vector(sn_scale(sn_mesh_nodes(mesh)[i], scale));
            json_array_append_new(list, json_pack("{sOso}", "lower", corner, "upper", corner));
        }
    }
    if (json_array_size(list) == 0) {
        json_decref(list);
        return NULL;
    }
    return list;
}

static json_t *write_deformable(const sn_writer *writer, sn_deformable deformable)
{
    const sn_world *world = writer->scene->world;
    deformable_entry entry;
    sn_object_defaults(&object, &entry);
    entry.def = sn_deformable_definition(world, deformable);
    entry.def.linear_velocity = entry.def.angular_velocity = sn_v(0.0f, 0.0f, 0.0f);
    entry.model = (int)entry.def.model.type;
    entry.matching = (int)entry.def.model.matching;
    entry.side = (int)entry.def.inextensible.side;
    entry.bending = (int)entry.def.bending.type;
    entry.group = entry.def.filter.group;
    entry.has_mass = entry.def.mass > 0.0f;
    entry.has_color = sn_scene_painted_deformable(writer->scene, deformable, &entry.color);
    json_t *out = sn_object_write(&object, &entry);
    const sn_mesh *mesh = sn_deformable_mesh(world, deformable);
    const sn_node_state *nodes = sn_deformable_nodes(world, deformable);
    const sn_node_velocity *velocities = sn_deformable_velocities(world, deformable);
    int count = sn_deformable_node_count(world, deformable);
    json_t *fixed = write_fixed(nodes, mesh, entry.def.scale, count);
    if (fixed != NULL) {
        json_object_set_new(out, "fixed", fixed);
    }
    json_object_set_new(out, "mesh", sn_writer_mesh(mesh));
    json_object_set_new(out, "positions", write_vectors(&nodes[0].position, sizeof nodes[0], count));
    json_object_set_new(out, "velocities",
                        write_vectors(&velocities[0].velocity, sizeof velocities[0], count));
    return out;
}

static json_t *write(sn_writer *writer)
{
    const sn_world *world = writer->scene->world;
    int count = sn_world_deformables(world, NULL, 0);
    sn_deformable *deformables = malloc(((size_t)count + 1) * sizeof *deformables);
    json_t *list = count > 0 ? json_array() : NULL;
    if (deformables == NULL || list == NULL) {
        free(deformables);
        return list;
    }
    sn_world_deformables(world, deformables, count);
    for (int i = 0; i < count; ++i) {
        json_array_append_new(list, write_deformable(writer, deformables[i]));
    }
    free(deformables);
    return list;
}

const sn_section sn_section_deformables = {.name = "deformables",
                                           .text = "deformable bodies",
                                           .pass = SN_PASS_MATTER,
                                           .in_parts = true,
                                           .repeats = true,
                                           .family = &family,
                                           .read = read,
                                           .write = write};
