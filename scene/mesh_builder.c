// Nodes and elements as they come out of a file.
#include "scene/mesh_builder.h"

#include "scene/mesh_boundary.h"
#include "scene/message.h"

static sn_status refuse_more(const sn_text_reader *reader, const char *things, int count)
{
    return count >= SN_MAX_MESH_COUNT
               ? sn_text_fail(reader, "more than %d %s, expected fewer", SN_MAX_MESH_COUNT, things)
               : sn_scene_fail(SN_ERROR_MEMORY, "%s: no memory for more than %d %s", reader->path, count,
                               things);
}

sn_status sn_mesh_add_node(sn_mesh_builder *mesh, const sn_text_reader *reader, sn_vec3 position)
{
    bool added = mesh->nodes.count < SN_MAX_MESH_COUNT && SN_LIST_PUSH(&mesh->nodes, position);
    return added ? SN_OK : refuse_more(reader, "nodes", mesh->nodes.count);
}

sn_status sn_mesh_add_edge(sn_mesh_builder *mesh, const sn_text_reader *reader, uint32_t a, uint32_t b)
{
    sn_mesh_edge edge = {{a, b}};
    bool added = mesh->edges.count < SN_MAX_MESH_COUNT && SN_LIST_PUSH(&mesh->edges, edge);
    return added ? SN_OK : refuse_more(reader, "edges", mesh->edges.count);
}

sn_status sn_mesh_add_triangle(sn_mesh_builder *mesh, const sn_text_reader *reader, uint32_t a, uint32_t b,
                               uint32_t c)
{
    sn_mesh_triangle triangle = {{a, b, c}};
    bool added = mesh->triangles.count < SN_MAX_MESH_COUNT && SN_LIST_PUSH(&mesh->triangles, triangle);
    return added ? SN_OK : refuse_more(reader, "triangles", mesh->triangles.count);
}

// Six times the volume. Differences of floats and their products are nearly exact in double, so the sign is
// right for all but the flattest.
static double signed_volume(const sn_vec3 *nodes, const uint32_t t[4])
{
    double edges[3][3];
    sn_vec3 a = nodes[t[0]];
    for (int i = 0; i < 3; ++i) {
        sn_vec3 b = nodes[t[i + 1]];
        edges[i][0] = (double)b.x - (double)a.x;
        edges[i][1] = (double)b.y - (double)a.y;
        edges[i][2] = (double)b.z - (double)a.z;
    }
    return (edges[0][1] * edges[1][2] - edges[0][2] * edges[1][1]) * edges[2][0] +
           (edges[0][2] * edges[1][0] - edges[0][0] * edges[1][2]) * edges[2][1] +
           (edges[0][0] * edges[1][1] - edges[0][1] * edges[1][0]) * edges[2][2];
}

sn_status sn_mesh_add_tetrahedron(sn_mesh_builder *mesh, const sn_text_reader *reader,
                                  const uint32_t nodes[4])
{
    double volume = signed_volume(mesh->nodes.items, nodes);
    if (volume == 0.0) {
        return sn_text_fail(reader, "tetrahedron %d of the file is flat, expected one with a volume",
                            mesh->tetrahedra.count + 1);
    }
    bool turned = volume < 0.0;
    sn_mesh_tetrahedron tetrahedron = {{nodes[0], nodes[turned ? 2 : 1], nodes[turned ? 1 : 2], nodes[3]}};
    bool added = mesh->tetrahedra.count < SN_MAX_MESH_COUNT && SN_LIST_PUSH(&mesh->tetrahedra, tetrahedron);
    return added ? SN_OK : refuse_more(reader, "tetrahedra", mesh->tetrahedra.count);
}

sn_status sn_mesh_fan_add(sn_mesh_builder *mesh, const sn_text_reader *reader, sn_mesh_fan *fan,
                          uint32_t node)
{
    sn_status status = SN_OK;
    if (fan->corners == 0) {
        fan->first = node;
    } else if (fan->corners >= 2) {
        status = sn_mesh_add_triangle(mesh, reader, fan->first, fan->previous, node);
    }
    fan->previous = node;
    ++fan->corners;
    return status;
}

sn_status sn_mesh_read_position(sn_text_reader *reader, sn_vec3 *position)
{
    static const float most = SN_MAX_COORDINATE;
    sn_status status = sn_text_read_float(reader, "x coordinate", -most, most, &position->x);
    status = status ? status : sn_text_read_float(reader, "y coordinate", -most, most, &position->y);
    return status ? status : sn_text_read_float(reader, "z coordinate", -most, most, &position->z);
}

sn_status sn_mesh_no_such_node(const sn_text_reader *reader, const char *what, int64_t number, int64_t first,
                               int64_t last)
{
    if (last < first) {
        return sn_text_fail(reader, "%s %lld does not exist, expected nodes before it", what,
                            (long long)number);
    }
    return sn_text_fail(reader, "%s %lld does not exist, expected %lld to %lld", what, (long long)number,
                        (long long)first, (long long)last);
}

sn_status sn_mesh_read_node(sn_text_reader *reader, const sn_mesh_builder *mesh, uint32_t *node)
{
    int64_t number = 0;
    sn_status status = sn_text_read_integer(reader, "node", INT64_MIN, INT64_MAX, &number);
    int64_t last = mesh->first_number + mesh->nodes.count - 1;
    if (status == SN_OK && (number < mesh->first_number || number > last)) {
        status = sn_mesh_no_such_node(reader, "node", number, mesh->first_number, last);
    }
    *node = status == SN_OK ? (uint32_t)(number - mesh->first_number) : 0;
    return status;
}

// The array of a list cut to its length; null if it is empty.
#define TAKE_ITEMS(list) take_items((list)->items, (list)->count, sizeof *(list)->items)

static void *take_items(void *items, int count, size_t size)
{
    if (count == 0) {
        free(items);
        return NULL;
    }
    void *cut = realloc(items, (size_t)count * size);
    return cut != NULL ? cut : items;
}

sn_status sn_mesh_finish(sn_mesh_builder *mesh, sn_mesh_data *data)
{
    // Structs of indices and nothing else are indices side by side.
    sn_status status =
        sn_mesh_turn_outward((const uint32_t *)mesh->tetrahedra.items, mesh->tetrahedra.count,
                             mesh->nodes.count, (uint32_t *)mesh->triangles.items, mesh->triangles.count);
    if (status != SN_OK) {
        return status;
    }
    *data = (sn_mesh_data){
        .nodes = TAKE_ITEMS(&mesh->nodes),
        .node_count = mesh->nodes.count,
        .edges = TAKE_ITEMS(&mesh->edges),
        .edge_count = mesh->edges.count,
        .triangles = TAKE_ITEMS(&mesh->triangles),
        .triangle_count = mesh->triangles.count,
        .tetrahedra = TAKE_ITEMS(&mesh->tetrahedra),
        .tetrahedron_count = mesh->tetrahedra.count,
    };
    *mesh = (sn_mesh_builder){0};
    return SN_OK;
}

void sn_mesh_builder_release(sn_mesh_builder *mesh)
{
    SN_LIST_FREE(&mesh->nodes);
    SN_LIST_FREE(&mesh->edges);
    SN_LIST_FREE(&mesh->triangles);
    SN_LIST_FREE(&mesh->tetrahedra);
}
