// The driver: passes, parts, repetitions. Knows no section but by its description.
#include "scene/reader.h"

#include "scene/message.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_INCLUDE_DEPTH   16
#define MAX_COPIES          1000000
#define MAX_REPEATS         4
#define MAX_ASSEMBLY_SWEEPS 10000

static const float default_assemble_tolerance = 1e-4f;

bool sn_reader_no_memory(sn_reader *reader)
{
    reader->mistakes.no_memory = true;
    return false;
}

bool sn_reader_keep(sn_reader *reader, const sn_node *node, sn_node *kept)
{
    int depth = 0;
    for (const sn_node *n = node; n != NULL; n = n->parent) {
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

bool sn_reader_world_failed(sn_reader *reader, const sn_node *entry)
{
    return sn_node_fail(entry, "%s", sn_world_error(reader->scene->world));
}

// --- repetitions -------------------------------------------------------------------------------------------

typedef struct repeat_entry {
    int count;
    sn_vec3 offset, about;
    sn_quat rotation;
    bool closed;
} repeat_entry;

static void repeat_defaults(void *target)
{
    ((repeat_entry *)target)->rotation = sn_quat_identity;
}

static const sn_field repeat_fields[] = {
    SN_ROW("count", INTEGER, repeat_entry, count, "how many copies", .required = true,
           .range = SN_BETWEEN(1, MAX_COPIES)),
    SN_ROW("offset", VECTOR, repeat_entry, offset, "each copy is moved by this from the one before",
           .unit = "m"),
    SN_ROW("rotation", ROTATION, repeat_entry, rotation, "each copy is turned by this from the one before"),
    SN_ROW("about", VECTOR, repeat_entry, about, "the point it is turned about", .unit = "m"),
    SN_ROW("closed", FLAG, repeat_entry, closed,
           "a ring: the copy before the first is the last, for names that begin with \"previous.\"")};

static const sn_object repeat_object = {.name = "repeat",
                                        .text = "Copies of an entry: copy k is turned k times, then moved k "
                                                "times. Copies are named name[0], name[1], …",
                                        .size = sizeof(repeat_entry),
                                        .defaults = repeat_defaults,
                                        .fields = repeat_fields,
                                        .field_count = SN_COUNT(repeat_fields)};
static const sn_object *const repeat_objects[] = {&repeat_object};
const sn_family sn_family_repeat = {"repeat", "How an entry is copied.", repeat_objects, 1};

// The rotation k times over, without the rounding of k products.
static sn_quat rotation_power(sn_quat q, int k)
{
    double x = q.x, y = q.y, z = q.z, w = q.w, sine = sqrt(x * x + y * y + z * z);
    if (sine < 1e-12) {
        return sn_quat_identity;
    }
    double half = atan2(sine, w) * (double)k, s = sin(half) / sine;
    return sn_quat_normalize((sn_quat){(float)(x * s), (float)(y * s), (float)(z * s), (float)cos(half)});
}

static sn_pose copy_pose(const repeat_entry *repeat, int k)
{
    sn_quat rotation = rotation_power(repeat->rotation, k);
    sn_vec3 turned = sn_add(repeat->about, sn_rotate(rotation, sn_neg(repeat->about)));
    return (sn_pose){sn_add_scaled(turned, (float)k, repeat->offset), rotation};
}

// "repeat" of an entry: one object or a list of them, the last counting fastest. Returns their number, −1
// after a complaint.
static int read_repeats(const sn_node *entry, repeat_entry repeats[MAX_REPEATS])
{
    sn_node node = sn_node_get(entry, "repeat");
    if (node.value == NULL) {
        return 0;
    }
    if (!json_is_array(node.value)) {
        return sn_object_read(&node, &repeat_object, &repeats[0]) ? 1 : -1;
    }
    int count = sn_node_count(&node);
    if (count < 1 || count > MAX_REPEATS) {
        sn_node_fail(&node, "%d repetitions are not allowed, expected 1 to %d", count, MAX_REPEATS);
        return -1;
    }
    double copies = 1.0;
    for (int i = 0; i < count; ++i) {
        sn_node member = sn_node_at(&node, i);
        if (!sn_object_read(&member, &repeat_object, &repeats[i])) {
            return -1;
        }
        copies *= repeats[i].count;
    }
    if (copies > MAX_COPIES) {
        sn_node_fail(&node, "%.0f copies are not allowed, expected at most %d", copies, MAX_COPIES);
        return -1;
    }
    return count;
}

// One copy of an entry: its pose in the scope around it, and how it and the copy before it are numbered. An
// entry that is not repeated is its only copy.
typedef struct copy_of_entry {
    sn_pose pose;
    bool repeated, has_previous;
    char suffix[SN_SUFFIX], previous_suffix[SN_SUFFIX];
} copy_of_entry;

typedef void (*visit_function)(sn_reader *reader, const sn_scope *scope, const copy_of_entry *copy,
                               const sn_node *entry, const void *context);

static void write_suffix(const int *index, int count, char suffix[SN_SUFFIX])
{
    size_t used = 0;
    for (int i = 0; i < count && used < SN_SUFFIX; ++i) {
        used += (size_t)snprintf(suffix + used, SN_SUFFIX - used, "[%d]", index[i]);
    }
}

static copy_of_entry make_copy(const repeat_entry *repeats, const int *index, int count)
{
    copy_of_entry copy = {.pose = sn_pose_identity, .repeated = true};
    for (int i = 0; i < count; ++i) {
        copy.pose = sn_pose_multiply(copy.pose, copy_pose(&repeats[i], index[i]));
    }
    const repeat_entry *last = &repeats[count - 1];
    int before[MAX_REPEATS];
    memcpy(before, index, sizeof before);
    before[count - 1] = index[count - 1] > 0 ? index[count - 1] - 1 : last->count - 1;
    copy.has_previous = index[count - 1] > 0 || (last->closed && last->count > 1);
    write_suffix(index, count, copy.suffix);
    write_suffix(before, count, copy.previous_suffix);
    return copy;
}

// Calls `visit` once for each copy of an entry.
static void visit_copies(sn_reader *reader, const sn_scope *scope, const sn_node *entry, visit_function visit,
                         const void *context)
{
    repeat_entry repeats[MAX_REPEATS];
    int count = read_repeats(entry, repeats);
    if (count == 0) {
        copy_of_entry only = {.pose = sn_pose_identity};
        visit(reader, scope, &only, entry, context);
    }
    int index[MAX_REPEATS] = {0};
    int limit = reader->mistakes.count + SN_SCENE_MAX_ERRORS;
    while (count > 0 && reader->mistakes.count < limit && !reader->mistakes.no_memory) {
        copy_of_entry copy = make_copy(repeats, index, count);
        visit(reader, scope, &copy, entry, context);
        int digit = count - 1;
        while (digit >= 0 && ++index[digit] == repeats[digit].count) {
            index[digit--] = 0;
        }
        if (digit < 0) {
            break;
        }
    }
}

// --- parts -------------------------------------------------------------------------------------------------

typedef struct part_entry {
    const char *name, *include;
    sn_vec3 position;
    sn_quat rotation;
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
           "a file that holds a part, relative to this one; what stands here comes on top")};

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
    part_entry part;
} root_entry;

static void root_defaults(void *target)
{
    root_entry *root = target;
    root->step = 1.0f / 60.0f;
    root->duration = 10.0f;
    part_defaults(&root->part);
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

// A table of an object's own fields and the sections that may stand beside them.
#define MAX_MEMBERS 48

typedef struct members {
    sn_field fields[MAX_MEMBERS];
    sn_object object;
} members;

static void add_member(members *m, const char *name)
{
    m->fields[m->object.field_count++] =
        (sn_field){.name = name, .type = SN_FIELD_NODE, .offset = 0, .text = ""};
}

// Reads the fields of `object` in `node`, which holds sections too; those of parts only if `is_part`.
static bool read_members(const sn_node *node, const sn_object *object, bool is_part, void *target)
{
    members m = {.object = *object};
    memcpy(m.fields, object->fields, (size_t)object->field_count * sizeof m.fields[0]);
    // Section nodes land behind the struct itself.
    size_t behind = (object->size + sizeof(void *) - 1) / sizeof(void *) * sizeof(void *);
    char *room = malloc(behind + sizeof(sn_node));
    if (room == NULL) {
        node->mistakes->no_memory = true;
        return false;
    }
    add_member(&m, "parts");
    if (is_part) {
        add_member(&m, "repeat");
        add_member(&m, "sinew"); // included files may say their version
    }
    for (int i = 0; i < sn_section_count; ++i) {
        if (sn_sections[i]->in_parts || !is_part) {
            add_member(&m, sn_sections[i]->name);
        }
    }
    for (int i = object->field_count; i < m.object.field_count; ++i) {
        m.fields[i].offset = behind;
    }
    m.object.fields = m.fields;
    bool good = sn_object_read(node, &m.object, room);
    memcpy(target, room, object->size);
    free(room);
    return good;
}

static void read_sections(sn_reader *reader, const sn_scope *scope, const sn_node *node, sn_pass pass,
                          bool is_part);

static const sn_document *open_include(sn_reader *reader, const sn_node *part, const char *name)
{
    char *path = sn_path_beside(part->document->path, name);
    for (int i = 0; path != NULL && i < reader->documents.count; ++i) {
        if (strcmp(reader->documents.items[i]->path, path) == 0) {
            free(path);
            return reader->documents.items[i];
        }
    }
    size_t size = 0;
    char *text = path != NULL ? sn_file_read(path, &size) : NULL;
    sn_document *document = calloc(1, sizeof *document);
    sn_status status = SN_ERROR_FILE;
    if (text != NULL && document != NULL) {
        status = sn_document_parse(text, size, path, document);
    }
    free(text);
    free(path);
    if (status != SN_OK || !SN_LIST_PUSH(&reader->documents, document)) {
        free(document);
        sn_node_fail_key(part, "include", "\"%s\" cannot be included: %s", name, sn_scene_error());
        return NULL;
    }
    return document;
}

static void read_part(sn_reader *reader, const sn_scope *outer, const copy_of_entry *copy,
                      const sn_node *node, const void *context);

static void read_include(sn_reader *reader, const sn_scope *scope, const sn_node *node, const char *name,
                         sn_pass pass)
{
    if (reader->include_depth >= MAX_INCLUDE_DEPTH) {
        sn_node_fail_key(node, "include", "\"%s\" is included more than %d deep; does it include itself?",
                         name, MAX_INCLUDE_DEPTH);
        return;
    }
    const sn_document *document = open_include(reader, node, name);
    if (document == NULL) {
        return;
    }
    ++reader->include_depth;
    sn_node root = sn_node_root(document, &reader->mistakes);
    visit_copies(reader, scope, &root, read_part, &pass);
    --reader->include_depth;
}

// The frame and the prefix inside a copy of a part.
static bool enter_part(const sn_scope *outer, const copy_of_entry *copy, const sn_node *node,
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

static void read_part(sn_reader *reader, const sn_scope *outer, const copy_of_entry *copy,
                      const sn_node *node, const void *context)
{
    const sn_pass *pass = context;
    part_entry part;
    sn_scope inner;
    if (!read_members(node, &part_object, true, &part) || !enter_part(outer, copy, node, &part, &inner)) {
        return;
    }
    if (part.include != NULL) {
        read_include(reader, &inner, node, part.include, *pass);
    }
    read_sections(reader, &inner, node, *pass, true);
}

// --- sections ----------------------------------------------------------------------------------------------

static void read_copy(sn_reader *reader, const sn_scope *scope, const copy_of_entry *copy,
                      const sn_node *entry, const void *context)
{
    const sn_section *section = context;
    sn_scope here = *scope;
    here.pose = sn_pose_multiply(scope->pose, copy->pose);
    memcpy(here.suffix, copy->suffix, sizeof here.suffix);
    section->read(reader, &here, entry);
}

static void read_section(sn_reader *reader, const sn_scope *scope, const sn_node *node,
                         const sn_section *section)
{
    if (section->single) {
        section->read(reader, scope, node);
        return;
    }
    if (!json_is_array(node->value)) {
        char value[SN_NODE_TEXT];
        sn_node_fail(node, "%s is not allowed, expected a list […]: %s", sn_node_text(node, value),
                     section->text);
        return;
    }
    int count = sn_node_count(node);
    for (int i = 0; i < count && !reader->mistakes.no_memory; ++i) {
        sn_node entry = sn_node_at(node, i);
        if (section->repeats && json_object_get(entry.value, "repeat") != NULL) {
            visit_copies(reader, scope, &entry, read_copy, section);
        } else {
            section->read(reader, scope, &entry);
        }
    }
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
    if (parts.value == NULL) {
        return;
    }
    if (!json_is_array(parts.value)) {
        char value[SN_NODE_TEXT];
        sn_node_fail(&parts, "%s is not allowed, expected a list of parts […]", sn_node_text(&parts, value));
        return;
    }
    for (int i = 0; i < sn_node_count(&parts); ++i) {
        sn_node entry = sn_node_at(&parts, i);
        visit_copies(reader, scope, &entry, read_part, &pass);
    }
}

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

static bool read_root(sn_reader *reader, const sn_node *root)
{
    root_entry entry;
    bool good = read_members(root, &sn_object_scene, false, &entry);
    return keep_head(reader, &entry) && good;
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
    return true;
}

bool sn_reader_read(sn_reader *reader)
{
    reader->world_def = sn_world_def_default();
    reader->assemble_tolerance = default_assemble_tolerance;
    sn_node root = sn_node_root(reader->documents.items[0], &reader->mistakes);
    bool has_root = read_root(reader, &root);
    if (!json_is_object(root.value)) {
        return false;
    }
    sn_scope scope = {.pose = sn_pose_identity};
    read_sections(reader, &scope, &root, SN_PASS_SETTINGS, false);
    if (!make_world(reader, &root)) {
        return false;
    }
    for (sn_pass pass = SN_PASS_MATTER; pass < SN_PASS_COUNT; ++pass) {
        int before = reader->mistakes.count;
        read_sections(reader, &scope, &root, pass, false);
        // Mistakes in what things are made of would only come again in what refers to them.
        if (reader->mistakes.count > before) {
            return false;
        }
    }
    return has_root && reader->mistakes.count == 0 && !reader->mistakes.no_memory &&
           settle_world(reader, &root);
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
    SN_LIST_FREE(&reader->joints);
    SN_LIST_FREE(&reader->materials);
    SN_LIST_FREE(&reader->material_values);
    SN_LIST_FREE(&reader->shape_nodes);
    sn_names_release(&reader->body_names);
    sn_names_release(&reader->joint_names);
    sn_names_release(&reader->material_names);
    sn_names_release(&reader->shape_names);
    free(reader->geometry_slots);
}
