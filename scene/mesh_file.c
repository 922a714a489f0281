// Mesh files by the endings of their names.
#include "sinew_scene/mesh_file.h"

#include "scene/mesh_boundary.h"
#include "scene/mesh_formats.h"
#include "scene/message.h"

#include <math.h>
#include <string.h>

#define OWN_ENDINGS ".obj .stl .msh .node .ele .vtk"

enum { SURFACE = SN_MESH_TRIANGLES, SOLID = SN_MESH_TRIANGLES | SN_MESH_TETRAHEDRA };

static const sn_mesh_format formats[] = {
    {".obj", SN_MESH_NODES | SN_MESH_EDGES | SURFACE, sn_obj_parse, NULL, sn_obj_write},
    {".stl", SURFACE, sn_stl_parse, NULL, sn_stl_write},
    {".msh", SN_MESH_NODES | SN_MESH_EDGES | SOLID, sn_gmsh_parse, NULL, sn_gmsh_write},
    {".node", SN_MESH_NODES | SOLID, sn_tetgen_parse_nodes, sn_tetgen_read, sn_tetgen_write},
    {".ele", SN_MESH_NODES | SOLID, sn_tetgen_parse_elements, sn_tetgen_read, sn_tetgen_write},
    {".vtk", SN_MESH_NODES | SN_MESH_EDGES | SOLID, sn_vtk_parse, NULL, sn_vtk_write},
};

const char *sn_mesh_file_endings(bool writing)
{
#ifdef SN_HAS_ASSIMP
    if (!writing) {
        return OWN_ENDINGS " .ply .off .gltf .glb .dae .fbx .3ds .x3d .3mf";
    }
#endif
    (void)writing;
    return OWN_ENDINGS;
}

void sn_mesh_data_release(sn_mesh_data *data)
{
    if (data != NULL) {
        free(data->nodes);
        free(data->edges);
        free(data->triangles);
        free(data->tetrahedra);
        *data = (sn_mesh_data){0};
    }
}

// The ending with its dot, or "".
static const char *ending_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash == NULL ? path : slash, '.');
    return dot == NULL ? "" : dot;
}

static const sn_mesh_format *find_format(const char *path)
{
    const char *ending = ending_of(path);
    sn_word word = {ending, strlen(ending)};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i) {
        if (sn_word_is_any_case(word, formats[i].ending)) {
            return &formats[i];
        }
    }
    return NULL;
}

static sn_status unknown_ending(const char *path, bool writing)
{
    return sn_scene_fail(SN_ERROR_NAME, "%s: ending is \"%.40s\", expected one of %s", path, ending_of(path),
                         sn_mesh_file_endings(writing));
}

// --- reading -----------------------------------------------------------------------------------------------

static sn_status parse(const sn_mesh_format *format, const char *text, size_t size, const char *path,
                       sn_mesh_builder *mesh)
{
    sn_text_reader reader = sn_text_begin(text, size, path);
    sn_status status = format->parse(&reader, mesh);
    if (status == SN_OK && mesh->nodes.count == 0) {
        status = sn_text_fail(&reader, "the file ends without any nodes, expected some");
    }
    return status;
}

static sn_status load(const sn_mesh_format *format, const char *path, sn_mesh_builder *mesh)
{
    char *text;
    size_t size;
    sn_status status = sn_source_read(mesh->sources, path, SN_MAX_TEXT_BYTES, &text, &size);
    status = status ? status : parse(format, text, size, path, mesh);
    free(text);
    return status;
}

static sn_status finish(sn_status status, sn_mesh_builder *mesh, sn_mesh_data *data)
{
    status = status ? status : sn_mesh_finish(mesh, data);
    sn_mesh_builder_release(mesh);
    return status;
}

sn_status sn_mesh_parse(const char *text, size_t size, const char *path, sn_mesh_data *data)
{
    *data = (sn_mesh_data){0};
    const sn_mesh_format *format = find_format(path);
    if (format == NULL) {
        return unknown_ending(path, false);
    }
    sn_mesh_builder mesh = {0};
    return finish(parse(format, text, size, path, &mesh), &mesh, data);
}

sn_status sn_mesh_file_read(const char *path, sn_mesh_data *data)
{
    return sn_mesh_source_read(NULL, path, data);
}

sn_status sn_mesh_source_read(sn_sources *sources, const char *path, sn_mesh_data *data)
{
    if (data == NULL) {
        return sn_scene_fail(SN_ERROR_NULL, "sn_mesh_file_read: data is null, expected a place for the mesh");
    }
    *data = (sn_mesh_data){0};
    if (path == NULL) {
        return sn_scene_fail(SN_ERROR_NULL, "sn_mesh_file_read: path is null, expected the name of a file");
    }
    const sn_mesh_format *format = find_format(path);
    if (format == NULL && !sn_assimp_knows(ending_of(path))) {
        return unknown_ending(path, false);
    }
    sn_mesh_builder mesh = {.sources = sources};
    sn_status status = format == NULL         ? sn_assimp_read(path, &mesh)
                       : format->read != NULL ? format->read(path, &mesh)
                                              : load(format, path, &mesh);
    if (status == SN_OK && mesh.nodes.count == 0) {
        status = sn_scene_fail(SN_ERROR_FORMAT, "%s: holds no nodes, expected some", path);
    }
    return finish(status, &mesh, data);
}

// --- writing -----------------------------------------------------------------------------------------------

static sn_status check_indices(const char *path, const char *what, const uint32_t *indices, int count,
                               int corners, int node_count)
{
    if (count < 0 || count > SN_MAX_MESH_COUNT || (count > 0 && indices == NULL)) {
        return sn_scene_fail(SN_ERROR_GEOMETRY, "%s: %d %s%s, expected 0 to %d and their nodes", path, count,
                             what, indices == NULL ? " at null" : "", SN_MAX_MESH_COUNT);
    }
    for (size_t i = 0; i < (size_t)count * (size_t)corners; ++i) {
        if (indices[i] >= (uint32_t)node_count) {
            return sn_scene_fail(SN_ERROR_GEOMETRY, "%s: node %u of %s does not exist, expected 0 to %d",
                                 path, indices[i], what, node_count - 1);
        }
    }
    return SN_OK;
}

static sn_status check_nodes(const char *path, const sn_mesh_data *data)
{
    if (data->node_count < 1 || data->node_count > SN_MAX_MESH_COUNT || data->nodes == NULL) {
        return sn_scene_fail(SN_ERROR_GEOMETRY, "%s: %d nodes%s, expected 1 to %d", path, data->node_count,
                             data->nodes == NULL ? " at null" : "", SN_MAX_MESH_COUNT);
    }
    for (int i = 0; i < data->node_count; ++i) {
        sn_vec3 p = data->nodes[i];
        if (!(fabsf(p.x) <= SN_MAX_COORDINATE && fabsf(p.y) <= SN_MAX_COORDINATE &&
              fabsf(p.z) <= SN_MAX_COORDINATE)) {
            return sn_scene_fail(SN_ERROR_GEOMETRY, "%s: node %d is at %.9g %.9g %.9g, expected %.9g to %.9g",
                                 path, i, (double)p.x, (double)p.y, (double)p.z, -(double)SN_MAX_COORDINATE,
                                 (double)SN_MAX_COORDINATE);
        }
    }
    return SN_OK;
}

static sn_status check_mesh(const char *path, const sn_mesh_data *data)
{
    int nodes = data->node_count;
    sn_status status = check_nodes(path, data);
    status = status ? status : check_indices(path, "edges", data->edges, data->edge_count, 2, nodes);
    status =
        status ? status : check_indices(path, "triangles", data->triangles, data->triangle_count, 3, nodes);
    return status ? status
                  : check_indices(path, "tetrahedra", data->tetrahedra, data->tetrahedron_count, 4, nodes);
}

static int contents_of(const sn_mesh_data *data)
{
    int contents = (data->edge_count > 0 ? SN_MESH_EDGES : 0) |
                   (data->triangle_count > 0 ? SN_MESH_TRIANGLES : 0) |
                   (data->tetrahedron_count > 0 ? SN_MESH_TETRAHEDRA : 0);
    return contents != 0 ? contents : SN_MESH_NODES;
}

// Writes a checked mesh; if the format holds surfaces only, the boundary of tetrahedra without triangles.
static sn_status write_checked(const sn_mesh_format *format, const char *path, const sn_mesh_data *data)
{
    sn_mesh_data written = *data;
    uint32_t *boundary = NULL;
    sn_status status = SN_OK;
    if ((format->holds & SN_MESH_TETRAHEDRA) == 0 && data->triangle_count == 0) {
        status = sn_mesh_boundary(data->tetrahedra, data->tetrahedron_count, data->node_count, &boundary,
                                  &written.triangle_count);
        written.triangles = boundary;
    }
    if (status == SN_OK && (contents_of(&written) & format->holds) == 0) {
        status = sn_scene_fail(
            SN_ERROR_GEOMETRY,
            "%s: has %d edges, %d triangles, %d tetrahedra, expected some that %s files hold", path,
            data->edge_count, data->triangle_count, data->tetrahedron_count, format->ending);
    }
    status = status ? status : format->write(path, &written);
    free(boundary);
    return status;
}

sn_status sn_mesh_file_write(const char *path, const sn_mesh_data *data)
{
    if (path == NULL || data == NULL) {
        return sn_scene_fail(SN_ERROR_NULL, "sn_mesh_file_write: %s is null, expected a mesh and its file",
                             path == NULL ? "path" : "data");
    }
    const sn_mesh_format *format = find_format(path);
    if (format == NULL) {
        return unknown_ending(path, true);
    }
    sn_status status = check_mesh(path, data);
    return status ? status : write_checked(format, path, data);
}
