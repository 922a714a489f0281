// Pieces of a mesh: each is a mesh at a place, and may be repeated.
#include "scene/mesh_pieces.h"

#include "scene/copies.h"
#include "scene/deformable_mesh.h"

#include <string.h>

#define MOST_NODES 16777216

typedef struct piece_entry {
    sn_node mesh, repeat;
    sn_vec3 position;
    sn_quat rotation;
} piece_entry;

static void defaults(void *target)
{
    ((piece_entry *)target)->rotation = sn_quat_identity;
}

#define ROW(NAME, TYPE, MEMBER, ...) SN_ROW(NAME, TYPE, piece_entry, MEMBER, __VA_ARGS__)

static const sn_field fields[] = {
    ROW("mesh", NODE, mesh, "what it is made of; not of pieces itself", .family = &sn_family_mesh,
        .required = true),
    ROW("position", VECTOR, position, "where it is", .unit = "m"),
    ROW("rotation", ROTATION, rotation, "how it is turned"),
    ROW("repeat", NODE, repeat, "copies", .family = &sn_family_repeat, .list = true, .or_one = true)};
static const sn_object object = {.name = "piece",
                                 .text = "A piece of a mesh.",
                                 .size = sizeof(piece_entry),
                                 .defaults = defaults,
                                 .fields = fields,
                                 .field_count = SN_COUNT(fields)};
static const sn_object *const objects[] = {&object};
const sn_family sn_family_pieces = {"piece", "A piece of a mesh.", objects, 1};

typedef struct lists {
    SN_LIST(sn_vec3) nodes;
    SN_LIST(uint32_t) edges;
    SN_LIST(uint32_t) triangles;
    SN_LIST(uint32_t) tetrahedra;
} lists;

static void lists_free(lists *lists)
{
    SN_LIST_FREE(&lists->nodes);
    SN_LIST_FREE(&lists->edges);
    SN_LIST_FREE(&lists->triangles);
    SN_LIST_FREE(&lists->tetrahedra);
}

// What is visited for each copy of a piece.
typedef struct piece {
    const sn_mesh *mesh;
    sn_pose pose;
    lists *lists;
} piece;

// Appends node numbers; the list has room for them.
static void append(const uint32_t *numbers, int count, uint32_t first, uint32_t *items, int *used)
{
    for (int i = 0; i < count; ++i) {
        items[(*used)++] = numbers[i] + first;
    }
}

// A mesh that has tetrahedra has triangles only as their boundary.
static void add_copy(sn_reader *reader, const sn_scope *scope, const sn_copy *copy, const sn_node *entry,
                     const void *context)
{
    (void)scope;
    const piece *piece = context;
    const sn_mesh *mesh = piece->mesh;
    lists *out = piece->lists;
    int nodes = sn_mesh_node_count(mesh), first = out->nodes.count;
    int edges = 2 * sn_mesh_edge_count(mesh), tetrahedra = 4 * sn_mesh_tetrahedron_count(mesh);
    int triangles = tetrahedra == 0 ? 3 * sn_mesh_triangle_count(mesh) : 0;
    // With so many nodes there are at most eight times as many elements, so that counts stay within an int.
    if (nodes > MOST_NODES - first) {
        sn_node_fail(entry, "makes more than %d nodes, which is the most", MOST_NODES);
        reader->mistakes.hopeless = true;
        return;
    }
    if (!SN_LIST_RESERVE(&out->nodes, first + nodes) ||
        !SN_LIST_RESERVE(&out->edges, out->edges.count + edges) ||
        !SN_LIST_RESERVE(&out->triangles, out->triangles.count + triangles) ||
        !SN_LIST_RESERVE(&out->tetrahedra, out->tetrahedra.count + tetrahedra)) {
        sn_reader_no_memory(reader);
        return;
    }
    sn_pose pose = sn_pose_multiply(copy->pose, piece->pose);
    for (int i = 0; i < nodes; ++i) {
        out->nodes.items[out->nodes.count++] = sn_pose_apply(pose, sn_mesh_nodes(mesh)[i]);
    }
    append(sn_mesh_edges(mesh), edges, (uint32_t)first, out->edges.items, &out->edges.count);
    append(sn_mesh_triangles(mesh), triangles, (uint32_t)first, out->triangles.items, &out->triangles.count);
    append(sn_mesh_tetrahedra(mesh), tetrahedra, (uint32_t)first, out->tetrahedra.items,
           &out->tetrahedra.count);
}

static bool is_of_pieces(const sn_node *mesh)
{
    const char *type = json_string_value(json_object_get(mesh->value, "type"));
    return type != NULL && strcmp(type, "pieces") == 0;
}

static bool add_piece(sn_reader *reader, const sn_node *node, lists *lists)
{
    piece_entry entry;
    sn_mesh *mesh = NULL;
    if (!sn_object_read(node, &object, &entry)) {
        return false;
    }
    if (is_of_pieces(&entry.mesh)) {
        return sn_node_fail(&entry.mesh, "is made of pieces itself, expected another type of mesh");
    }
    if (!sn_reader_mesh(reader, &entry.mesh, &mesh)) {
        return false;
    }
    sn_scope scope = {.pose = sn_pose_identity};
    piece piece = {mesh, {entry.position, entry.rotation}, lists};
    int said = reader->mistakes.said;
    sn_reader_visit_copies(reader, &scope, node, add_copy, &piece);
    return reader->mistakes.said == said && !reader->mistakes.no_memory;
}

bool sn_reader_pieces(sn_reader *reader, const sn_node *list, sn_mesh **mesh)
{
    int count = sn_node_count(list);
    if (count == 0) {
        char value[SN_NODE_TEXT];
        return sn_node_fail(list, "%s is not allowed, expected a list of one or more pieces",
                            sn_node_text(list, value));
    }
    lists lists = {0};
    bool good = true;
    for (int i = 0; i < count && good; ++i) {
        sn_node member = sn_node_at(list, i);
        good = add_piece(reader, &member, &lists);
    }
    sn_mesh_def def = sn_mesh_def_default();
    def.nodes = lists.nodes.items;
    def.node_count = lists.nodes.count;
    def.edges = lists.edges.items;
    def.edge_count = lists.edges.count / 2;
    def.tetrahedra = lists.tetrahedra.items;
    def.tetrahedron_count = lists.tetrahedra.count / 4;
    def.triangles = def.tetrahedron_count == 0 ? lists.triangles.items : NULL;
    def.triangle_count = def.tetrahedron_count == 0 ? lists.triangles.count / 3 : 0;
    good = good && (sn_mesh_create(&def, mesh) == SN_OK || sn_node_fail(list, "%s", sn_last_error()));
    lists_free(&lists);
    return good;
}
