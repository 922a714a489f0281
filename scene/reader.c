// The driver: passes, parts, repetitions. Knows no section but by its description.
#include "scene/reader.h"

#include "scene/copies.h"
#include "scene/message.h"

#include <stdio.h>
#include <string.h>

#define MAX_ASSEMBLY_SWEEPS 10000

// Entries and shapes of one pass, copies included: a million bodies with a shape each.
#ifndef SN_MAX_ENTRIES
#define SN_MAX_ENTRIES 2000000
#endif

static const float default_assemble_tolerance = 1e-4f;

bool sn_reader_no_memory(sn_reader *reader)
{
    reader->mistakes.no_memory = true;
    return false;
}

bool sn_reader_keep(sn_reader *reader, const sn_node *node, sn_node *kept)
{
    int depth = 1;
    for (const sn_node *n = node; n->parent != NULL; n = n->parent) {
        ++depth;
    }
    sn_node *chain = malloc((size_t)depth * sizeof *chain);
    if (chain == NULL || !SN_LIST_PUSH(&reader->kept_nodes, chain)) {
        free(chain);
        return sn_reader_no_memory(reader);
    }
    for (int i = 0; i < depth; ++i) {
        chain[i] = *node;
        chain[i].parent = i + 1 < depth ? &chain[i + 1] : NULL;
        node = node->parent;
    }
    *kept = chain[0];
    return true;
}

bool sn_reader_count(sn_reader *reader, const sn_node *entry)
{
    if (++reader->entry_count <= SN_MAX_ENTRIES) {
        return true;
    }
    reader->mistakes.hopeless = true;
    return sn_node_fail(entry, "is one of more than %d things, copies included, which is the most",
                        SN_MAX_ENTRIES);
}

bool sn_reader_world_failed(sn_reader *reader, const sn_node *entry)
{
    return sn_node_fail(entry, "%s", sn_world_error(reader->scene->world));
}

// --- what files and parts hold -----------------------------------------------------------------------------

typedef struct part_entry {
    const char *name, *include, *schema;
    sn_vec3 position;
    sn_quat rotation;
    int version;
    bool has_version;
    sn_node section;
} part_entry;

static void part_defaults(void *target)
{
    ((part_entry *)target)->rotation = sn_quat_identity;
}

static const sn_field part_fields[] = {
    SN_ROW("name", TEXT, part_entry, name, "put before the names inside, with a dot"),
    SN_ROW("position", VECTOR, part_entry, position, "where the part's frame is", .unit = "m"),
    SN_ROW("rotation", ROTATION, part_entry, rotation, "how the part's frame is turned"),
    SN_ROW("include", TEXT, part_entry, include,
           "a file that holds a part, relative to this one; what stands here comes on top"),
    SN_ROW("sinew", INTEGER, part_entry, version, "in included files: version of the format, 1",
           .range = SN_BETWEEN(1, 1), .flag = SN_FLAG_AT(part_entry, has_version)),
    SN_ROW("$schema", TEXT, part_entry, schema, "in included files: where the JSON Schema is, for editors")};

static const sn_object part_object = {.name = "part",
                                      .text = "Things that belong together, placed as one. Holds `bodies`, "
                                              "`joints`, `parts`, … of its own, and `repeat`.",
                                      .size = sizeof(part_entry),
                                      .defaults = part_defaults,
                                      .fields = part_fields,
                                      .field_count = SN_COUNT(part_fields)};
static const sn_object *const part_objects[] = {&part_object};
const sn_family sn_family_parts = {"part", "A group of things, placed as one.", part_objects, 1};

typedef struct root_entry {
    int version;
    const char *schema, *title, *description;
    float step, duration;
    sn_node section;
} root_entry;

static void root_defaults(void *target)
{
    root_entry *root = target;
    root->step = 1.0f / 60.0f;
    root->duration = 10.0f;
}

static const sn_field root_fields[] = {
    SN_ROW("sinew", INTEGER, root_entry, version, "version of the format: 1", .required = true,
           .range = SN_BETWEEN(1, 1)),
    SN_ROW("$schema", TEXT, root_entry, schema, "where the JSON Schema is, for editors"),
    SN_ROW("title", TEXT, root_entry, title, "a few words"),
    SN_ROW("description", TEXT, root_entry, description, "what the scene shows"),
    SN_ROW("step", NUMBER, root_entry, step, "length of a step", .unit = "s", .range = SN_BETWEEN(1e-6, 1.0)),
    SN_ROW("duration", NUMBER, root_entry, duration, "how long the scene is meant to run", .unit = "s",
           .range = SN_BETWEEN(0.0, 1e6))};

const sn_object sn_object_scene = {.name = "scene",
                                   .text = "A scene file.",
                                   .size = sizeof(root_entry),
                                   .defaults = root_defaults,
                                   .fields = root_fields,
                                   .field_count = SN_COUNT(root_fields)};

// The fields of an object and the sections that may stand beside them, which all land in the same spare node:
// they are looked for again by name, pass by pass.
static void make_members(const sn_object *object, bool is_part, size_t section_offset, sn_members *members)
{
    members->object = *object;
    members->object.fields = members->fields;
    memcpy(members->fields, object->fields, (size_t)object->field_count * sizeof members->fields[0]);
    const char *names[SN_MAX_MEMBERS] = {"parts"};
    int count = 1;
    if (is_part) {
        names[count++] = sn_family_repeat.name;
    }
    for (int i = 0; i < sn_section_count; ++i) {
        if (sn_sections[i]->in_parts || !is_part) {
            names[count++] = sn_sections[i]->name;
        }
    }
    for (int i = 0; i < count; ++i) {
        members->fields[members->object.field_count++] =
            (sn_field){.name = names[i], .type = SN_FIELD_NODE, .offset = section_offset, .text = ""};
    }
}

static void read_sections(sn_reader *reader, const sn_scope *scope, const sn_node *node, sn_pass pass,
                          bool is_part);

// --- included files ----------------------------------------------------------------------------------------

static const sn_document *find_document(const sn_reader *reader, const char *path)
{
    for (int i = 0; i < reader->documents.count; ++i) {
        if (strcmp(reader->documents.items[i]->path, path) == 0) {
            return reader->documents.items[i];
        }
    }
    return NULL;
}

// Reads a file that is met for the first time; null with a message.
static const sn_document *read_document(sn_reader *reader, const char *path)
{
    size_t size = 0;
    char *text = NULL;
    if (sn_source_read(reader->documents.items[0]->sources, path, SN_MAX_FILE_SIZE, &text, &size) != SN_OK) {
        return NULL;
    }
    sn_document *document = calloc(1, sizeof *document);
    bool has_room = document != NULL && SN_LIST_RESERVE(&reader->documents, reader->documents.count + 1);
    if (has_room && sn_document_parse(text, size, path, document) == SN_OK) {
        document->sources = reader->documents.items[0]->sources;
        reader->documents.items[reader->documents.count++] = document;
    } else {
        free(document);
        document = NULL;
        reader->mistakes.no_memory = reader->mistakes.no_memory || !has_room;
    }
    free(text);
    return document;
}

static const sn_document *open_include(sn_reader *reader, const sn_node *part, const char *name)
{
    char *path = sn_path_beside(part->document->path, name);
    if (path == NULL) {
        sn_reader_no_memory(reader);
        return NULL;
    }
    const sn_document *document = find_document(reader, path);
    if (document == NULL) {
        document = read_document(reader, path);
    }
    free(path);
    if (document == NULL) {
        sn_node_fail_key(part, "include", "\"%s\" cannot be included: %s", name, sn_scene_error());
    }
    return document;
}

static bool is_being_read(const sn_reader *reader, const sn_document *document)
{
    bool found = document == reader->documents.items[0];
    for (int i = 0; i < reader->include_depth; ++i) {
        found = found || reader->including[i] == document;
    }
    return found;
}

static sn_visit_copy read_part;

static void read_include(sn_reader *reader, const sn_scope *scope, const sn_node *node, const char *name,
                         sn_pass pass)
{
    const sn_document *document = open_include(reader, node, name);
    if (document != NULL && is_being_read(reader, document)) {
        sn_node_fail_key(node, "include", "\"%s\" includes itself", name);
        document = NULL;
    }
    if (document == NULL) {
        reader->names_are_missing = true;
        return;
    }
    reader->including[reader->include_depth++] = document;
    sn_node root = sn_node_root(document, &reader->mistakes);
    sn_reader_visit_copies(reader, scope, &root, read_part, &pass);
    --reader->include_depth;
}

// --- parts -------------------------------------------------------------------------------------------------

// The frame and the prefix inside a copy of a part.
static bool enter_part(const sn_scope *outer, const sn_copy *copy, const sn_node *node,
                       const part_entry *part, sn_scope *inner)
{
    sn_pose in_outer = sn_pose_multiply(copy->pose, (sn_pose){part->position, part->rotation});
    *inner = (sn_scope){.parent = outer,
                        .pose = sn_pose_multiply(outer->pose, in_outer),
                        .repeated = copy->repeated,
                        .has_previous = copy->has_previous};
    const char *name = part->name != NULL ? part->name : "";
    const char *dot = part->name != NULL || copy->repeated ? "." : "";
    int length =
        snprintf(inner->prefix, sizeof inner->prefix, "%s%s%s%s", outer->prefix, name, copy->suffix, dot);
    int previous_length = snprintf(inner->previous, sizeof inner->previous, "%s%s%s%s", outer->prefix, name,
                                   copy->previous_suffix, dot);
    if (length > SN_MAX_NAME || previous_length > SN_MAX_NAME) {
        return sn_node_fail_key(node, "name", "\"%s%s%s%s\" is too long, expected at most %d bytes",
                                outer->prefix, name, copy->suffix, dot, SN_MAX_NAME);
    }
    return true;
}

static void read_part(sn_reader *reader, const sn_scope *outer, const sn_copy *copy, const sn_node *node,
                      const void *context)
{
    const sn_pass *pass = context;
    part_entry part;
    sn_scope inner;
    if (!sn_reader_count(reader, node)) {
        return;
    }
    if (reader->part_depth >= SN_MAX_PART_DEPTH) {
        sn_node_fail(node, "is more than %d parts and files deep, which is the most", SN_MAX_PART_DEPTH);
        reader->mistakes.hopeless = true;
        return;
    }
    if (!sn_object_read(node, &reader->part_members.object, &part) ||
        !enter_part(outer, copy, node, &part, &inner)) {
        reader->names_are_missing = true;
        return;
    }
    ++reader->part_depth;
    if (part.include != NULL) {
        read_include(reader, &inner, node, part.include, *pass);
    }
    read_sections(reader, &inner, node, *pass, true);
    --reader->part_depth;
}

// --- sections ----------------------------------------------------------------------------------------------

static void read_copy(sn_reader *reader, const sn_scope *scope, const sn_copy *copy, const sn_node *entry,
                      const void *context)
{
    const sn_section *section = context;
    if (!sn_reader_count(reader, entry)) {
        return;
    }
    sn_scope here = *scope;
    here.pose = sn_pose_multiply(scope->pose, copy->pose);
    memcpy(here.suffix, copy->suffix, sizeof here.suffix);
    section->read(reader, &here, entry);
}

static bool is_list(sn_reader *reader, const sn_node *node, const char *of_what)
{
    if (json_is_array(node->value)) {
        return true;
    }
    char value[SN_NODE_TEXT];
    reader->names_are_missing = true;
    return sn_node_fail(node, "%s is not allowed, expected a list […]: %s", sn_node_text(node, value),
                        of_what);
}

static void read_section(sn_reader *reader, const sn_scope *scope, const sn_node *node,
                         const sn_section *section)
{
    if (section->single) {
        section->read(reader, scope, node);
        return;
    }
    if (!is_list(reader, node, section->text)) {
        return;
    }
    int count = sn_node_count(node);
    for (int i = 0; i < count && !sn_mistakes_are_enough(&reader->mistakes); ++i) {
        sn_node entry = sn_node_at(node, i);
        if (section->repeats && json_object_get(entry.value, sn_family_repeat.name) != NULL) {
            sn_reader_visit_copies(reader, scope, &entry, read_copy, section);
        } else if (sn_reader_count(reader, &entry)) {
            section->read(reader, scope, &entry);
        }
    }
}

static bool concerns_parts(sn_pass pass)
{
    for (int i = 0; i < sn_section_count; ++i) {
        if (sn_sections[i]->pass == pass && sn_sections[i]->in_parts) {
            return true;
        }
    }
    return false;
}

static void read_sections(sn_reader *reader, const sn_scope *scope, const sn_node *node, sn_pass pass,
                          bool is_part)
{
    for (int i = 0; i < sn_section_count; ++i) {
        const sn_section *section = sn_sections[i];
        sn_node child = sn_node_get(node, section->name);
        if (section->pass == pass && child.value != NULL && (section->in_parts || !is_part)) {
            read_section(reader, scope, &child, section);
        }
    }
    sn_node parts = sn_node_get(node, "parts");
    if (parts.value == NULL || !concerns_parts(pass) || !is_list(reader, &parts, sn_family_parts.text)) {
        return;
    }
    int count = sn_node_count(&parts);
    for (int i = 0; i < count && !sn_mistakes_are_enough(&reader->mistakes); ++i) {
        sn_node entry = sn_node_at(&parts, i);
        sn_reader_visit_copies(reader, scope, &entry, read_part, &pass);
    }
}

// --- the file ----------------------------------------------------------------------------------------------

static bool copy_text(sn_reader *reader, const char *text, char **out)
{
    *out = text != NULL ? strdup(text) : NULL;
    return text == NULL || *out != NULL || sn_reader_no_memory(reader);
}

static bool keep_head(sn_reader *reader, const root_entry *entry)
{
    sn_scene *scene = reader->scene;
    scene->step_length = entry->step;
    scene->duration = entry->duration;
    return copy_text(reader, entry->title, &scene->title) &&
           copy_text(reader, entry->description, &scene->description);
}

static void read_root(sn_reader *reader, const sn_node *root)
{
    root_entry entry;
    sn_object_read(root, &reader->scene_members.object, &entry);
    keep_head(reader, &entry);
}

bool sn_reader_read_views(sn_reader *reader, const sn_node *root)
{
    sn_scope scope = {.pose = sn_pose_identity};
    root_entry entry;
    sn_object_defaults(&sn_object_scene, &entry);
    // A state's root holds more than scenes do, so its head is read member by member.
    for (int i = 0; i < SN_COUNT(root_fields); ++i) {
        const sn_field *field = &root_fields[i];
        sn_node node = sn_node_get(root, field->name);
        if (node.value != NULL && !sn_field_read(&node, field, &entry)) {
            return false;
        }
    }
    sn_node categories = sn_node_get(root, sn_section_categories.name);
    if (categories.value != NULL) {
        read_section(reader, &scope, &categories, &sn_section_categories);
    }
    read_sections(reader, &scope, root, SN_PASS_VIEWS, false);
    return keep_head(reader, &entry);
}

json_t *sn_reader_write_head(const sn_scene *scene)
{
    root_entry entry;
    sn_object_defaults(&sn_object_scene, &entry);
    entry.version = 1;
    entry.title = scene->title;
    entry.description = scene->description;
    entry.step = scene->step_length;
    entry.duration = scene->duration;
    return sn_object_write(&sn_object_scene, &entry);
}

static bool make_world(sn_reader *reader, const sn_node *root)
{
    if (reader->threads > 0) {
        reader->world_def.threads = reader->threads;
    }
    if (sn_world_create(&reader->world_def, &reader->scene->world) != SN_OK) {
        sn_node world = sn_node_get(root, "world");
        return sn_node_fail(world.value != NULL ? &world : root, "%s", sn_last_error());
    }
    reader->scene->owns_world = true;
    sn_rigid ground = sn_world_ground(reader->scene->world);
    return (sn_names_add(&reader->body_names, "ground", 0) && SN_LIST_PUSH(&reader->bodies, ground)) ||
           sn_reader_no_memory(reader);
}

// What is done when everything is there: assembly, then sleep.
static bool settle_world(sn_reader *reader, const sn_node *root)
{
    sn_world *world = reader->scene->world;
    sn_assembly report;
    if (reader->assemble &&
        sn_world_assemble(world, reader->assemble_tolerance, MAX_ASSEMBLY_SWEEPS, &report) != SN_OK) {
        sn_node settings = sn_node_get(root, "world");
        return sn_node_fail_key(&settings, "assemble", "%s", sn_world_error(world));
    }
    for (int i = 0; i < reader->sleepers.count; ++i) {
        sn_rigid_awake_set(world, reader->sleepers.items[i], false);
    }
    for (int i = 0; i < reader->soft_sleepers.count; ++i) {
        sn_deformable_awake_set(world, reader->soft_sleepers.items[i], false);
    }
    return true;
}

static bool is_good(const sn_reader *reader)
{
    return reader->mistakes.count == 0 && !reader->mistakes.no_memory;
}

bool sn_reader_read(sn_reader *reader)
{
    reader->world_def = sn_world_def_default();
    reader->assemble_tolerance = default_assemble_tolerance;
    make_members(&sn_object_scene, false, offsetof(root_entry, section), &reader->scene_members);
    make_members(&part_object, true, offsetof(part_entry, section), &reader->part_members);
    sn_node root = sn_node_root(reader->documents.items[0], &reader->mistakes);
    read_root(reader, &root);
    if (!json_is_object(root.value)) {
        return false;
    }
    sn_scope scope = {.pose = sn_pose_identity};
    for (sn_pass pass = SN_PASS_SETTINGS; pass < SN_PASS_COUNT; ++pass) {
        if (pass == SN_PASS_MATTER && !make_world(reader, &root)) {
            return false;
        }
        if (!sn_mistakes_are_enough(&reader->mistakes)) {
            reader->entry_count = 0;
            read_sections(reader, &scope, &root, pass, false);
        }
    }
    return is_good(reader) && settle_world(reader, &root);
}

void sn_reader_release(sn_reader *reader)
{
    for (int i = 0; i < reader->geometries.count; ++i) {
        sn_geometry *geometry = &reader->geometries.items[i].geometry;
        switch (geometry->type) {
        case SN_HULL:
            sn_hull_destroy(geometry->hull);
            break;
        case SN_SURFACE:
            sn_surface_destroy(geometry->surface);
            break;
        case SN_COMPOUND:
            sn_compound_destroy(geometry->compound);
            break;
        default:
            break;
        }
    }
    for (int i = 0; i < reader->varied.count; ++i) {
        json_decref(reader->varied.items[i]);
    }
    SN_LIST_FREE(&reader->varied);
    for (int i = 0; i < reader->kept_nodes.count; ++i) {
        free(reader->kept_nodes.items[i]);
    }
    for (int i = 0; i < reader->documents.count; ++i) {
        sn_document_release(reader->documents.items[i]);
        free(reader->documents.items[i]);
    }
    SN_LIST_FREE(&reader->geometries);
    SN_LIST_FREE(&reader->kept_nodes);
    SN_LIST_FREE(&reader->documents);
    SN_LIST_FREE(&reader->bodies);
    SN_LIST_FREE(&reader->sleepers);
    for (int i = 0; i < reader->meshes.count; ++i) {
        sn_mesh_destroy(reader->meshes.items[i].mesh);
    }
    SN_LIST_FREE(&reader->meshes);
    SN_LIST_FREE(&reader->deformables);
    SN_LIST_FREE(&reader->soft_sleepers);
    sn_names_release(&reader->deformable_names);
    SN_LIST_FREE(&reader->joints);
    SN_LIST_FREE(&reader->materials);
    SN_LIST_FREE(&reader->material_values);
    SN_LIST_FREE(&reader->shape_nodes);
    sn_names_release(&reader->body_names);
    sn_names_release(&reader->joint_names);
    sn_names_release(&reader->anchor_names);
    sn_names_release(&reader->material_names);
    sn_names_release(&reader->shape_names);
    free(reader->geometry_slots);
}
