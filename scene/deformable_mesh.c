// Meshes of deformables: ready-made ones by their sizes, files, nodes and elements written out, or pieces.
#include "scene/deformable_mesh.h"

#include "scene/mesh_formats.h"
#include "scene/mesh_pieces.h"
#include "scene/selection.h"
#include "scene/shape_entry.h"

#include <math.h>

static const char *const pattern_names[] = {"alternating", "forward", "backward", "crossed"};

typedef struct mesh_entry {
    float width, height, length, radius;
    int columns, rows, cells, rings, layers, sides;
    sn_vec3 size;
    int pattern;
    bool surface;
    const char *file;
    float scale, cell;
    sn_node resolution, nodes, edges, triangles, tetrahedra, pieces;
} mesh_entry;

static void defaults(void *target)
{
    mesh_entry *entry = target;
    entry->columns = entry->rows = 20;
    entry->cells = 20;
    entry->rings = entry->layers = 4;
    entry->sides = 16;
    entry->scale = 1.0f;
}

#define ROW(NAME, TYPE, MEMBER, ...) SN_ROW(NAME, TYPE, mesh_entry, MEMBER, __VA_ARGS__)
#define LENGTH                       .unit = "m", .range = SN_ABOVE_ZERO, .required = true
#define COUNT                        .range = SN_BETWEEN(1, 4096)
#define SURFACE_ROW                  ROW("surface", FLAG, surface, "its surface only")

static const sn_field grid_fields[] = {
    ROW("width", NUMBER, width, "along x", LENGTH), ROW("height", NUMBER, height, "along y", LENGTH),
    ROW("columns", INTEGER, columns, "cells along x", COUNT),
    ROW("rows", INTEGER, rows, "cells along y", COUNT),
    ROW("pattern", CHOICE, pattern, "how cells are cut", .choices = pattern_names,
        .choice_count = SN_COUNT(pattern_names))};
static const sn_field strip_fields[] = {ROW("length", NUMBER, length, "along x", LENGTH),
                                        ROW("width", NUMBER, width, "along y", LENGTH),
                                        ROW("cells", INTEGER, cells, "cells along x", COUNT)};
static const sn_field line_fields[] = {ROW("length", NUMBER, length, "along x", LENGTH),
                                       ROW("cells", INTEGER, cells, "edges", COUNT)};
static const sn_field disc_fields[] = {ROW("radius", NUMBER, radius, "radius", LENGTH),
                                       ROW("rings", INTEGER, rings, "rings about the middle", COUNT)};
static const sn_field tube_fields[] = {
    ROW("radius", NUMBER, radius, "radius", LENGTH), ROW("height", NUMBER, height, "along y", LENGTH),
    ROW("sides", INTEGER, sides, "cells around", .range = SN_BETWEEN(3, 4096)),
    ROW("rows", INTEGER, rows, "cells along y", COUNT)};
static const sn_field box_fields[] = {
    ROW("size", VECTOR, size, "whole edge lengths", .unit = "m", .range = SN_ABOVE_ZERO, .required = true),
    ROW("cells", NODE, resolution, "cells along x, y and z", .form = "three whole numbers", .required = true,
        .schema =
            "{\"type\": \"array\", \"items\": {\"type\": \"integer\", \"minimum\": 1}, \"minItems\": 3, "
            "\"maxItems\": 3}"),
    SURFACE_ROW};
static const sn_field cylinder_fields[] = {
    ROW("radius", NUMBER, radius, "radius", LENGTH), ROW("height", NUMBER, height, "along y", LENGTH),
    ROW("rings", INTEGER, rings, "rings about the axis", COUNT),
    ROW("layers", INTEGER, layers, "layers along y", COUNT), SURFACE_ROW};
static const sn_field sphere_fields[] = {ROW("radius", NUMBER, radius, "radius", LENGTH),
                                         ROW("rings", INTEGER, rings, "shells about the middle", COUNT),
                                         SURFACE_ROW};
static const sn_field file_fields[] = {
    ROW("file", TEXT, file, "a mesh file, relative to this one", .required = true),
    ROW("scale", NUMBER, scale, "what its nodes are multiplied with", .range = SN_ABOVE_ZERO),
    ROW("cell", NUMBER, cell, "a closed surface is filled with tetrahedra of about this size", .unit = "m",
        .range = SN_ABOVE_ZERO)};

static const char *const tuples_schema = "{\"type\": \"array\", \"items\": {\"type\": \"array\", \"items\": "
                                         "{\"type\": \"integer\", \"minimum\": 0}}}";
static const sn_field lists_fields[] = {
    ROW("nodes", NODE, nodes, "rest positions", .form = "a list of [x, y, z]", .unit = "m", .required = true,
        .schema = "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/vector\"}}"),
    ROW("edges", NODE, edges, "of a strand", .form = "a list of [i, j]", .schema = tuples_schema),
    ROW("triangles", NODE, triangles, "of a sheet", .form = "a list of [i, j, k]", .schema = tuples_schema),
    ROW("tetrahedra", NODE, tetrahedra, "of a volume", .form = "a list of [i, j, k, l]",
        .schema = tuples_schema)};
static const sn_field pieces_fields[] = {ROW("pieces", NODE, pieces,
                                             "meshes that do not hang together, each at its place",
                                             .family = &sn_family_pieces, .list = true, .required = true)};

#define MESH(IDENTIFIER, TEXT)                                                                               \
    static const sn_object IDENTIFIER##_object = {.name = #IDENTIFIER,                                       \
                                                  .text = (TEXT),                                            \
                                                  .size = sizeof(mesh_entry),                                \
                                                  .defaults = defaults,                                      \
                                                  .tagged = true,                                            \
                                                  .base = &common,                                           \
                                                  .fields = IDENTIFIER##_fields,                             \
                                                  .field_count = SN_COUNT(IDENTIFIER##_fields)}

static const sn_object common = {
    .name = "mesh", .text = "A mesh.", .size = sizeof(mesh_entry), .defaults = defaults, .field_count = 0};

MESH(grid, "A rectangular sheet in the xy plane.");
MESH(strip, "A ribbon along x, one cell wide.");
MESH(line, "A strand along x.");
MESH(disc, "A round sheet in the xy plane.");
MESH(tube, "A cylinder without ends, along y.");
MESH(box, "A block of tetrahedra.");
MESH(cylinder, "A solid cylinder of tetrahedra, along y.");
MESH(sphere, "A ball of tetrahedra.");
MESH(file, "A mesh file: tetrahedra if it has any, else a sheet, or a surface to be filled.");
MESH(lists, "Nodes and elements written out.");
MESH(pieces, "Many separate pieces in one deformable, for anchors to join.");

static const sn_object *const objects[] = {&grid_object, &strip_object, &line_object,     &disc_object,
                                           &tube_object, &box_object,   &cylinder_object, &sphere_object,
                                           &file_object, &lists_object, &pieces_object};
const sn_family sn_family_mesh = {"mesh", "What a deformable is made of.", objects, SN_COUNT(objects)};

// --- making ------------------------------------------------------------------------------------------------

static bool read_cells(const sn_node *node, int cells[3])
{
    if (sn_node_count(node) != 3) {
        char value[SN_NODE_TEXT];
        return sn_node_fail(node, "%s is not allowed, expected three whole numbers",
                            sn_node_text(node, value));
    }
    for (int i = 0; i < 3; ++i) {
        sn_node member = sn_node_at(node, i);
        if (!sn_node_integer(&member, (sn_range)SN_BETWEEN(1, 4096), &cells[i])) {
            return false;
        }
    }
    return true;
}

static bool made(const sn_node *node, sn_status status)
{
    return status == SN_OK || sn_node_fail(node, "%s", sn_last_error());
}

static bool make_from_data(const sn_node *node, const mesh_entry *entry, const sn_mesh_data *data,
                           sn_mesh **mesh)
{
    if (entry->cell > 0.0f) {
        return made(node, sn_mesh_fill(data->nodes, data->node_count, data->triangles, data->triangle_count,
                                       entry->cell, mesh));
    }
    sn_mesh_def def = sn_mesh_def_default();
    def.nodes = data->nodes;
    def.node_count = data->node_count;
    if (data->tetrahedron_count > 0) {
        def.tetrahedra = data->tetrahedra;
        def.tetrahedron_count = data->tetrahedron_count;
    } else {
        def.triangles = data->triangles;
        def.triangle_count = data->triangle_count;
    }
    def.edges = data->edges;
    def.edge_count = data->edge_count;
    return made(node, sn_mesh_create(&def, mesh));
}

static bool make_from_file(const sn_node *node, const mesh_entry *entry, sn_mesh **mesh)
{
    sn_mesh_data data = {0};
    char *path = sn_path_beside(node->document->path, entry->file);
    if (path == NULL) {
        node->mistakes->no_memory = true;
        return false;
    }
    bool good = sn_mesh_source_read(node->document->sources, path, &data) == SN_OK ||
                sn_node_fail_key(node, "file", "\"%s\" cannot be used: %s", entry->file, sn_scene_error());
    for (int i = 0; i < data.node_count; ++i) {
        data.nodes[i] = sn_scale(data.nodes[i], entry->scale);
    }
    good = good && make_from_data(node, entry, &data, mesh);
    sn_mesh_data_release(&data);
    free(path);
    return good;
}

// A list of tuples of node numbers.
static bool read_tuples(const sn_node *node, int width, int node_count, uint32_t **out, int *count)
{
    *count = sn_node_count(node);
    if (node->value != NULL && !json_is_array(node->value)) {
        char value[SN_NODE_TEXT];
        return sn_node_fail(node, "%s is not allowed, expected a list of lists of %d node numbers",
                            sn_node_text(node, value), width);
    }
    if (*count == 0) {
        return true;
    }
    *out = malloc((size_t)*count * (size_t)width * sizeof **out);
    if (*out == NULL) {
        node->mistakes->no_memory = true;
        return false;
    }
    for (int i = 0; i < *count; ++i) {
        sn_node tuple = sn_node_at(node, i);
        if (sn_node_count(&tuple) != width) {
            char value[SN_NODE_TEXT];
            return sn_node_fail(&tuple, "%s is not allowed, expected %d node numbers",
                                sn_node_text(&tuple, value), width);
        }
        for (int k = 0; k < width; ++k) {
            sn_node member = sn_node_at(&tuple, k);
            int index = 0;
            if (!sn_reader_node_number(&member, node_count, &index)) {
                return false;
            }
            (*out)[i * width + k] = (uint32_t)index;
        }
    }
    return true;
}

static bool make_from_lists(const sn_node *node, const mesh_entry *entry, sn_mesh **mesh)
{
    sn_mesh_data data = {0};
    bool good =
        sn_node_points(&entry->nodes, &data.nodes, &data.node_count) &&
        read_tuples(&entry->edges, 2, data.node_count, &data.edges, &data.edge_count) &&
        read_tuples(&entry->triangles, 3, data.node_count, &data.triangles, &data.triangle_count) &&
        read_tuples(&entry->tetrahedra, 4, data.node_count, &data.tetrahedra, &data.tetrahedron_count) &&
        make_from_data(node, entry, &data, mesh);
    sn_mesh_data_release(&data);
    return good;
}

static bool make_ready_made(const sn_node *node, const sn_object *object, const mesh_entry *e, sn_mesh **mesh)
{
    int cells[3] = {0};
    if (object == &grid_object) {
        return made(
            node, sn_mesh_grid(e->width, e->height, e->columns, e->rows, (sn_grid_pattern)e->pattern, mesh));
    }
    if (object == &strip_object) {
        return made(node, sn_mesh_strip(e->length, e->width, e->cells, mesh));
    }
    if (object == &line_object) {
        return made(node, sn_mesh_line(e->length, e->cells, mesh));
    }
    if (object == &disc_object) {
        return made(node, sn_mesh_disc(e->radius, e->rings, mesh));
    }
    if (object == &tube_object) {
        return made(node, sn_mesh_tube(e->radius, e->height, e->sides, e->rows, mesh));
    }
    if (object == &cylinder_object) {
        return made(node, e->surface
                              ? sn_mesh_cylinder_surface(e->radius, e->height, e->rings, e->layers, mesh)
                              : sn_mesh_cylinder(e->radius, e->height, e->rings, e->layers, mesh));
    }
    if (object == &sphere_object) {
        return made(node, e->surface ? sn_mesh_sphere_surface(e->radius, e->rings, mesh)
                                     : sn_mesh_sphere(e->radius, e->rings, mesh));
    }
    return read_cells(&e->resolution, cells) &&
           made(node, e->surface ? sn_mesh_box_surface(e->size, cells[0], cells[1], cells[2], mesh)
                                 : sn_mesh_box(e->size, cells[0], cells[1], cells[2], mesh));
}

static bool make(sn_reader *reader, const sn_node *node, sn_mesh **mesh)
{
    mesh_entry entry;
    const sn_object *object = sn_family_read(node, &sn_family_mesh, &entry);
    if (object == NULL) {
        return false;
    }
    if (object == &file_object) {
        return make_from_file(node, &entry, mesh);
    }
    if (object == &pieces_object) {
        return sn_reader_pieces(reader, &entry.pieces, mesh);
    }
    return object == &lists_object ? make_from_lists(node, &entry, mesh)
                                   : make_ready_made(node, object, &entry, mesh);
}

// Copies come one after the other, so that a look at the last few is enough.
#define LOOK_BACK 32

bool sn_reader_mesh(sn_reader *reader, const sn_node *node, sn_mesh **mesh)
{
    int count = reader->meshes.count;
    for (int i = count - 1; i >= 0 && i >= count - LOOK_BACK; --i) {
        if (reader->meshes.items[i].value == node->value) {
            *mesh = reader->meshes.items[i].mesh;
            return true;
        }
    }
    *mesh = NULL;
    if (!make(reader, node, mesh)) {
        return false;
    }
    sn_made_mesh made = {node->value, *mesh};
    if (!SN_LIST_PUSH(&reader->meshes, made)) {
        sn_mesh_destroy(*mesh);
        return sn_reader_no_memory(reader);
    }
    return true;
}

// --- writing -----------------------------------------------------------------------------------------------

static json_t *tuples(const uint32_t *indices, int width, int count)
{
    json_t *list = json_array();
    for (int i = 0; i < count; ++i) {
        json_t *tuple = json_array();
        for (int k = 0; k < width; ++k) {
            json_array_append_new(tuple,
                                  json_integer((json_int_t)indices[(size_t)i * (size_t)width + (size_t)k]));
        }
        json_array_append_new(list, tuple);
    }
    return list;
}

// Whether a mesh has edges that none of its elements has.
static bool has_own_edges(const sn_mesh *mesh)
{
    sn_mesh_def def = sn_mesh_def_default();
    sn_mesh *plain = NULL;
    def.nodes = sn_mesh_nodes(mesh);
    def.node_count = sn_mesh_node_count(mesh);
    def.tetrahedra = sn_mesh_tetrahedra(mesh);
    def.tetrahedron_count = sn_mesh_tetrahedron_count(mesh);
    def.triangles = def.tetrahedron_count == 0 ? sn_mesh_triangles(mesh) : NULL;
    def.triangle_count = def.tetrahedron_count == 0 ? sn_mesh_triangle_count(mesh) : 0;
    sn_mesh_create(&def, &plain);
    bool has = sn_mesh_edge_count(plain) < sn_mesh_edge_count(mesh);
    sn_mesh_destroy(plain);
    return has;
}

json_t *sn_writer_mesh(const sn_mesh *mesh)
{
    json_t *out = json_pack("{ss}", "type", "lists"), *nodes = json_array();
    for (int i = 0; i < sn_mesh_node_count(mesh); ++i) {
        json_array_append_new(nodes, sn_json_vector(sn_mesh_nodes(mesh)[i]));
    }
    json_object_set_new(out, "nodes", nodes);
    if (sn_mesh_tetrahedron_count(mesh) > 0) {
        json_object_set_new(out, "tetrahedra",
                            tuples(sn_mesh_tetrahedra(mesh), 4, sn_mesh_tetrahedron_count(mesh)));
    } else if (sn_mesh_triangle_count(mesh) > 0) {
        json_object_set_new(out, "triangles",
                            tuples(sn_mesh_triangles(mesh), 3, sn_mesh_triangle_count(mesh)));
    }
    if (has_own_edges(mesh)) {
        json_object_set_new(out, "edges", tuples(sn_mesh_edges(mesh), 2, sn_mesh_edge_count(mesh)));
    }
    return out;
}
