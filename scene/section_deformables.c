// Section "deformables": cloth, ropes, jelly.
#include "scene/deformable_mesh.h"
#include "scene/edge_options.h"
#include "scene/selection.h"
#include "scene/settle.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// In the order of sn_model_type, sn_integrator, sn_matching, sn_limit_side and sn_bending_type.
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
static const char *const integrator_names[] = {"euler_cromer", "explicit_euler", "midpoint",
                                               "heun",         "verlet",         "implicit_euler"};
static const char *const matching_names[] = {"rigid", "linear", "quadratic"};
static const char *const side_names[] = {"both", "stretch", "compression"};
static const char *const bending_names[] = {"none", "diagonal", "dihedral", "isometric"};

const char *sn_scene_model_name(sn_model_type type)
{
    return (unsigned)type < SN_COUNT(model_names) ? model_names[type] : "";
}

const char *sn_scene_integrator_name(sn_integrator integrator)
{
    return (unsigned)integrator < SN_COUNT(integrator_names) ? integrator_names[integrator] : "";
}

typedef struct deformable_entry {
    sn_deformable_def def;
    int model, integrator, matching, side, bending;
    bool has_color, has_mass, has_thickness, awake;
    float opacity;
    uint32_t color;
    const char *label;
    sn_node mesh, fixed, category, collides_with, repeat, positions, velocities, node_masses, edges;
    int group;
} deformable_entry;

static void defaults(void *target)
{
    deformable_entry *entry = target;
    entry->def = sn_deformable_def_default();
    entry->awake = true;
    entry->opacity = 1.0f;
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
        .range = SN_ABOVE_ZERO),
    ROW("shear_stiffness", NUMBER, def.inextensible.shear_stiffness,
        "of the diagonals of a sheet's cells, which then are springs; 0: held as the others", .unit = "N/m",
        .range = SN_NOT_NEGATIVE),
    ROW("shear_damping", NUMBER, def.inextensible.shear_damping, "of these springs", .unit = "N s/m",
        .range = SN_NOT_NEGATIVE)};
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

static const char *const category_schema =
    "{\"anyOf\": [{\"type\": \"string\"}, {\"type\": \"array\", \"items\": {\"type\": \"string\"}}]}";
static const char *const points_schema = "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/vector\"}}";

static const char *const masses_schema = "{\"anyOf\": [{\"type\": \"number\", \"exclusiveMinimum\": 0}, "
                                         "{\"type\": \"array\", \"items\": {\"type\": "
                                         "\"number\", \"minimum\": 0}}]}";

static const sn_field fields[] = {
    ROW("name", TEXT, def.name, "what anchors, cameras, labels and probes call it"),
    ROW("mesh", NODE, mesh, "what it is made of", .family = &sn_family_mesh, .required = true),
    ROW("position", VECTOR, def.pose.position, "of the mesh's frame", .unit = "m"),
    ROW("rotation", ROTATION, def.pose.rotation, "of the mesh's frame"),
    ROW("scale", NUMBER, def.scale, "of the mesh", .range = SN_ABOVE_ZERO),
    ROW("linear_velocity", VECTOR, def.linear_velocity, "of the whole", .unit = "m/s"),
    ROW("angular_velocity", VECTOR, def.angular_velocity, "about the mesh's origin", .unit = "rad/s"),
    ROW("density", NUMBER, def.density, "volumes kg/m³, sheets kg/m², strands kg/m", .range = SN_ABOVE_ZERO),
    ROW("mass", NUMBER, def.mass, "of the whole, instead of the density", .unit = "kg",
        .range = SN_ABOVE_ZERO, .flag = FLAG_OF(has_mass)),
    ROW("node_masses", NODE, node_masses, "of each node, instead of both; 0 for one that never moves",
        .form = "a list of numbers, or one for all", .unit = "kg", .schema = masses_schema),
    {.name = "model",
     .type = SN_FIELD_OBJECT,
     .text = "what gives it its shape; default none",
     .object = &model_object},
    ROW("integrator", CHOICE, integrator,
        "how it goes through time, if its model is made of forces: energy, spring_forces, "
        "corotational_explicit",
        .choices = integrator_names, .choice_count = SN_COUNT(integrator_names)),
    {.name = "inextensible",
     .type = SN_FIELD_OBJECT,
     .text = "edges keep their length",
     .object = &inextensible_object,
     .flag = FLAG_OF(def.inextensible.on)},
    ROW("edges", NODE, edges, "edges held in a way of their own", .family = &sn_family_edges, .list = true,
        .or_one = true),
    {.name = "bending", .type = SN_FIELD_OBJECT, .text = "resistance to bending", .object = &bending_object},
    {.name = "enclosure", .type = SN_FIELD_OBJECT, .text = "of closed surfaces", .object = &enclosure_object},
    ROW("fixed", NODE, fixed, "nodes that do not move", .family = &sn_family_selection, .list = true,
        .or_one = true),
    ROW("thickness", NUMBER, def.thickness,
        "of the surface; default 0.01, but no more than a third of an edge", .unit = "m",
        .range = SN_ABOVE_ZERO, .flag = FLAG_OF(has_thickness)),
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
    ROW("drag", NUMBER, def.drag, "coefficient of the air's push along the wind",
        .range = SN_BETWEEN(0.0, 1000.0)),
    ROW("lift", NUMBER, def.lift, "coefficient of the air's push across the wind, on triangles",
        .range = SN_BETWEEN(0.0, 1000.0)),
    ROW("allow_sleep", FLAG, def.allow_sleep, "it may fall asleep"),
    ROW("awake", FLAG, awake, "it begins awake"),
    ROW("color", COLOR, color, "of its surface", .flag = FLAG_OF(has_color)),
    ROW("opacity", NUMBER, opacity, "how much of what lies behind it hides in pictures",
        .range = SN_BETWEEN(0.05, 1.0)),
    ROW("positions", NODE, positions, "of all nodes in the frame around it, instead of the rest shape",
        .form = "a list of [x, y, z]", .unit = "m", .schema = points_schema),
    ROW("velocities", NODE, velocities, "of all nodes", .form = "a list of [x, y, z]", .unit = "m/s",
        .schema = points_schema),
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

static bool fix_nodes(sn_reader *reader, const sn_node *node, const sn_mesh *mesh, float scale,
                      sn_deformable deformable)
{
    sn_node_list chosen = {0};
    bool good = node->value == NULL || sn_reader_select(node, mesh, scale, &chosen);
    for (int i = 0; i < chosen.count && good; ++i) {
        good = sn_node_fix(reader->scene->world, deformable, chosen.items[i], true) == SN_OK ||
               sn_reader_world_failed(reader, node);
    }
    SN_LIST_FREE(&chosen);
    return good;
}

static bool has_one_for_each(const sn_node *node, int count)
{
    if (!json_is_array(node->value)) {
        char value[SN_NODE_TEXT];
        return sn_node_fail(node, "%s is not allowed, expected a list, one for each of %d nodes",
                            sn_node_text(node, value), count);
    }
    return sn_node_count(node) == count ||
           sn_node_fail(node, "a list of %d is not allowed, expected %d, one for each node",
                        sn_node_count(node), count);
}

// Positions or velocities written out, seen from the frame around the deformable.
static bool put_vectors(const sn_node *node, int count, sn_pose frame, sn_vec3 *first, size_t stride)
{
    if (node->value == NULL) {
        return true;
    }
    if (!has_one_for_each(node, count)) {
        return false;
    }
    for (int i = 0; i < count; ++i) {
        sn_node member = sn_node_at(node, i);
        sn_vec3 v;
        if (!sn_node_vector(&member, (sn_range)SN_BETWEEN(-1e6, 1e6), NULL, &v)) {
            return false;
        }
        *(sn_vec3 *)(void *)((char *)first + stride * (size_t)i) = sn_pose_apply(frame, v);
    }
    return true;
}

static bool put_state(sn_reader *reader, const sn_scope *scope, const sn_node *node,
                      const deformable_entry *entry, sn_deformable deformable)
{
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    if (sn_deformable_edit(reader->scene->world, deformable, &nodes, &velocities) != SN_OK) {
        return sn_reader_world_failed(reader, node);
    }
    int count = sn_deformable_node_count(reader->scene->world, deformable);
    sn_pose turned = {.rotation = scope->pose.rotation};
    return put_vectors(&entry->positions, count, scope->pose, &nodes[0].position, sizeof nodes[0]) &&
           put_vectors(&entry->velocities, count, turned, &velocities[0].velocity, sizeof velocities[0]);
}

// To be freed; null if there are none, or after a complaint.
static float *read_masses(const sn_node *node, int count, bool *good)
{
    bool is_one = json_is_number(node->value);
    *good = node->value == NULL || is_one || has_one_for_each(node, count);
    float *masses = *good && node->value != NULL ? malloc((size_t)count * sizeof *masses) : NULL;
    if (*good && node->value != NULL && masses == NULL) {
        node->mistakes->no_memory = true;
        *good = false;
    }
    for (int i = 0; masses != NULL && i < count && *good; ++i) {
        sn_node member = is_one ? *node : sn_node_at(node, i);
        *good = sn_node_number(&member, is_one ? (sn_range)SN_ABOVE_ZERO : (sn_range)SN_NOT_NEGATIVE, "kg",
                               &masses[i]);
    }
    return masses;
}

static void choose(deformable_entry *entry)
{
    entry->def.model.type = (sn_model_type)entry->model;
    entry->def.integrator = (sn_integrator)entry->integrator;
    entry->def.model.matching = (sn_matching)entry->matching;
    entry->def.inextensible.side = (sn_limit_side)entry->side;
    entry->def.bending.type = (sn_bending_type)entry->bending;
    entry->def.filter.group = entry->group;
}

// Says what the world said, "deformable: model.stiffness is 2, expected …" or "deformable 'jelly': integrator
// is …", at the value it is about.
static bool fail_in_world(sn_reader *reader, const sn_node *node)
{
    char path[64], rest[512];
    const char *message = sn_world_error(reader->scene->world);
    const char *name_end = strncmp(message, "deformable '", 12) == 0 ? strstr(message, "': ") : NULL;
    const char *about = name_end != NULL ? name_end + 3 : message;
    if (sscanf(about, name_end != NULL ? "%63[a-z_.] %511[^\n]" : "deformable: %63[a-z_.] %511[^\n]", path,
               rest) != 2) {
        return sn_reader_world_failed(reader, node);
    }
    char *dot = strchr(path, '.');
    const char *key = dot != NULL ? dot + 1 : path;
    if (dot != NULL) {
        *dot = '\0';
    }
    sn_node inner = sn_node_get(node, path);
    bool is_known = dot != NULL ? inner.value != NULL : sn_object_field(&object, key) != NULL;
    if (!is_known) {
        return sn_reader_world_failed(reader, node);
    }
    const sn_node *parent = dot != NULL ? &inner : node;
    sn_node value = sn_node_get(parent, key);
    return value.value != NULL ? sn_node_fail(&value, "%s", rest) : sn_node_fail_key(parent, key, "%s", rest);
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
    bool good;
    sn_edge_option_list options = {0};
    float *masses = read_masses(&entry->node_masses, sn_mesh_node_count(mesh), &good);
    good = good && sn_reader_edge_options(&entry->edges, mesh, entry->def.scale, &options);
    entry->def.edge_options = options.items;
    entry->def.edge_option_count = options.count;
    entry->def.mesh = mesh;
    entry->def.node_masses = masses;
    entry->def.name = name[0] != '\0' ? name : NULL;
    good = good && (sn_deformable_add(reader->scene->world, &entry->def, deformable) == SN_OK ||
                    fail_in_world(reader, node));
    free(masses);
    SN_LIST_FREE(&options);
    good = good && fix_nodes(reader, &entry->fixed, mesh, entry->def.scale, *deformable) &&
           put_state(reader, scope, node, entry, *deformable);
    bool is_kept =
        !good ||
        ((!entry->has_color || sn_scene_paint_deformable(reader->scene, *deformable, entry->color)) &&
         (entry->opacity == 1.0f || sn_scene_set_opacity(reader->scene, *deformable, entry->opacity)) &&
         (entry->awake || SN_LIST_PUSH(&reader->soft_sleepers, *deformable)));
    return is_kept ? good : sn_reader_no_memory(reader);
}

static bool read(sn_reader *reader, const sn_scope *scope, const sn_node *node)
{
    deformable_entry entry;
    char name[SN_MAX_NAME + 1] = "";
    sn_deformable deformable = {0};
    bool good = sn_object_read(node, &object, &entry) &&
                (entry.def.name == NULL || sn_scope_name(scope, node, entry.def.name, name));
    if (good && name[0] != '\0' && !sn_reader_name_is_free(reader, node, name)) {
        return false;
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

static json_t *write_vectors(sn_writer *writer, const sn_vec3 *first, size_t stride, int count)
{
    json_t *list = json_array();
    for (int i = 0; i < count; ++i) {
        const char *place = (const char *)first + stride * (size_t)i;
        sn_writer_append(writer, list, sn_json_vector(*(const sn_vec3 *)(const void *)place));
    }
    return list;
}

static void write_fixed(sn_writer *writer, const sn_node_state *nodes, int count, json_t *out)
{
    int *fixed = malloc(((size_t)count + 1) * sizeof *fixed), fixed_count = 0;
    writer->no_memory = fixed == NULL || writer->no_memory;
    for (int i = 0; i < count && fixed != NULL; ++i) {
        if (nodes[i].inverse_mass <= 0.0f) {
            fixed[fixed_count++] = i;
        }
    }
    if (fixed_count > 0) {
        sn_writer_set(writer, out, "fixed", sn_writer_selection(fixed, fixed_count));
    }
    free(fixed);
}

// Masses, if they are others than the definition gives. Nobody but a world knows which it gives: a spare one
// is asked. Those of fixed nodes are hidden; they count as never moving then.
static void write_masses(sn_writer *writer, const sn_deformable_def *def, const sn_node_state *nodes,
                         int count, json_t *out)
{
    sn_world *spare = sn_writer_spare(writer);
    sn_deformable_def trial = *def;
    sn_deformable copy;
    if (spare == NULL || sn_deformable_add(spare, &trial, &copy) != SN_OK) {
        writer->no_memory = true;
        return;
    }
    const sn_node_state *plain = sn_deformable_nodes(spare, copy);
    json_t *list = json_array();
    bool differs = false;
    for (int i = 0; i < count; ++i) {
        float inverse = nodes[i].inverse_mass;
        differs = differs || (inverse > 0.0f && inverse != plain[i].inverse_mass);
        sn_writer_append(writer, list, sn_json_number(inverse > 0.0f ? 1.0f / inverse : 0.0f));
    }
    if (differs) {
        sn_writer_set(writer, out, "node_masses", json_incref(list));
    }
    json_decref(list);
    sn_deformable_remove(spare, copy);
}

static void fill_entry(const sn_writer *writer, sn_deformable deformable, deformable_entry *entry)
{
    sn_object_defaults(&object, entry);
    sn_model usual = entry->def.model;
    entry->def = sn_deformable_definition(writer->scene->world, deformable);
    if (entry->def.model.young == 0.0f) { // a model without elements, whose numbers are zero
        entry->def.model.young = usual.young;
        entry->def.model.poisson = usual.poisson;
    }
    entry->def.name = sn_writer_deformable_name(writer, deformable);
    entry->def.pose.rotation = sn_settled_rotation(entry->def.pose.rotation);
    entry->def.linear_velocity = entry->def.angular_velocity = sn_v(0.0f, 0.0f, 0.0f);
    entry->model = (int)entry->def.model.type;
    entry->integrator = (int)entry->def.integrator;
    entry->matching = (int)entry->def.model.matching;
    entry->side = (int)entry->def.inextensible.side;
    entry->bending = (int)entry->def.bending.type;
    entry->group = entry->def.filter.group;
    entry->has_mass = entry->def.mass > 0.0f;
    entry->has_thickness = true;
    entry->awake = sn_deformable_is_awake(writer->scene->world, deformable);
    entry->has_color = sn_scene_painted_deformable(writer->scene, deformable, &entry->color);
    entry->opacity = sn_scene_deformable_opacity(writer->scene, deformable);
}

static json_t *write_deformable(sn_writer *writer, sn_deformable deformable)
{
    const sn_world *world = writer->scene->world;
    deformable_entry entry;
    fill_entry(writer, deformable, &entry);
    json_t *out = sn_object_write(&object, &entry);
    const sn_node_state *nodes = sn_deformable_nodes(world, deformable);
    const sn_node_velocity *velocities = sn_deformable_velocities(world, deformable);
    int count = sn_deformable_node_count(world, deformable);
    sn_writer_filter(writer, entry.def.filter, out);
    write_fixed(writer, nodes, count, out);
    write_masses(writer, &entry.def, nodes, count, out);
    json_t *edges = sn_writer_edge_options(writer, &entry.def, sn_deformable_mesh(world, deformable));
    if (edges != NULL) {
        sn_writer_set(writer, out, "edges", edges);
    }
    sn_writer_set(writer, out, "mesh", sn_writer_mesh(sn_deformable_mesh(world, deformable)));
    sn_writer_set(writer, out, "positions",
                  write_vectors(writer, &nodes[0].position, sizeof nodes[0], count));
    sn_writer_set(writer, out, "velocities",
                  write_vectors(writer, &velocities[0].velocity, sizeof velocities[0], count));
    return out;
}

static json_t *write(sn_writer *writer)
{
    int count = 0;
    sn_deformable *deformables = sn_writer_deformables(writer, &count);
    json_t *list = json_array();
    for (int i = 0; i < count; ++i) {
        sn_writer_append(writer, list, write_deformable(writer, deformables[i]));
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
