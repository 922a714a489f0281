// TetGen's files (TetGen manual, chapter 5): .node, .ele and, if it is there, .face. Nodes are counted from 0
// or from 1, as the first of them says. Attributes and boundary markers are passed over.
#include "scene/mesh_formats.h"
#include "scene/mesh_write.h"
#include "scene/message.h"

#include <errno.h>
#include <float.h>
#include <string.h>
#include <unistd.h>

// The shortest rows there are; the closing zero stands for the end of the line.
static const size_t least_node_bytes = sizeof "1 0 0 0";
static const size_t least_element_bytes = sizeof "1 1 2 3 4";
static const size_t least_face_bytes = sizeof "1 1 2 3";

// To the next line that says something; false if none does.
static bool find_row(sn_text_reader *reader)
{
    sn_word word;
    do {
        sn_text_reader ahead = *reader;
        if (sn_text_next(&ahead, &word)) {
            return true;
        }
    } while (sn_text_next_line(reader));
    return false;
}

static sn_status need_row(sn_text_reader *reader, const char *what)
{
    return find_row(reader) ? SN_OK : sn_text_fail(reader, "the file ends, expected %s", what);
}

// The first row: how many rows follow.
static sn_status read_head(sn_text_reader *reader, const char *things, size_t least_bytes, int *count)
{
    reader->comment = '#';
    reader->by_lines = true;
    *count = 0;
    sn_status status = need_row(reader, "a count");
    return status ? status : sn_text_read_count(reader, things, SN_MAX_MESH_COUNT, least_bytes, count);
}

// Another number of the first row, or 0 if the row has ended.
static sn_status read_optional(sn_text_reader *reader, const char *what, int64_t upper, int64_t *value)
{
    sn_text_reader ahead = *reader;
    sn_word word;
    *value = 0;
    return sn_text_next(&ahead, &word) ? sn_text_read_integer(reader, what, 0, upper, value) : SN_OK;
}

// Values of no use here, and nothing behind them.
static sn_status end_row(sn_text_reader *reader, int64_t attributes, int64_t markers)
{
    sn_status status = SN_OK;
    for (int64_t i = 0; i < attributes && status == SN_OK; ++i) {
        float ignored;
        status = sn_text_read_float(reader, "attribute", -FLT_MAX, FLT_MAX, &ignored);
    }
    for (int64_t i = 0; i < markers && status == SN_OK; ++i) {
        int64_t ignored;
        status = sn_text_read_integer(reader, "boundary marker", INT32_MIN, INT32_MAX, &ignored);
    }
    return status ? status : sn_text_end_line(reader);
}

static sn_status end_file(sn_text_reader *reader)
{
    sn_word word;
    if (!find_row(reader) || !sn_text_next(reader, &word)) {
        return SN_OK;
    }
    return sn_text_fail(reader, "%s after the last row, expected the end of the file",
                        sn_word_quote(word).text);
}

// Rows are numbered one after the other.
static sn_status read_number(sn_text_reader *reader, const char *what, int64_t expected)
{
    int64_t number;
    sn_status status = need_row(reader, what);
    return status ? status : sn_text_read_integer(reader, what, expected, expected, &number);
}

// The first node's number, 0 or 1, without passing over it.
static sn_status peek_first_number(const sn_text_reader *reader, int64_t *number)
{
    sn_text_reader ahead = *reader;
    sn_status status = need_row(&ahead, "a node");
    return status ? status : sn_text_read_integer(&ahead, "number of the first node", 0, 1, number);
}

sn_status sn_tetgen_parse_nodes(sn_text_reader *reader, sn_mesh_builder *mesh)
{
    int count;
    int64_t dimension = 3, attributes = 0, markers = 0;
    sn_status status = read_head(reader, "nodes", least_node_bytes, &count);
    status = status ? status : sn_text_read_integer(reader, "dimension", 3, 3, &dimension);
    status = status ? status : read_optional(reader, "number of attributes", 1000, &attributes);
    status = status ? status : read_optional(reader, "number of boundary markers", 1, &markers);
    status = status ? status : sn_text_end_line(reader);
    status = status ? status : peek_first_number(reader, &mesh->first_number);
    for (int i = 0; i < count && status == SN_OK; ++i) {
        sn_vec3 position;
        status = read_number(reader, "number of the node", mesh->first_number + i);
        status = status ? status : sn_mesh_read_position(reader, &position);
        status = status ? status : end_row(reader, attributes, markers);
        status = status ? status : sn_mesh_add_node(mesh, reader, position);
    }
    return status ? status : end_file(reader);
}

// A tetrahedron's corners; of second order, the nodes on its edges follow them.
static sn_status read_tetrahedron(sn_text_reader *reader, sn_mesh_builder *mesh, int64_t node_count,
                                  int64_t attributes)
{
    uint32_t nodes[4] = {0};
    sn_status status = SN_OK;
    for (int64_t i = 0; i < node_count && status == SN_OK; ++i) {
        uint32_t node;
        status = sn_mesh_read_node(reader, mesh, &node);
        if (i < 4) {
            nodes[i] = node;
        }
    }
    status = status ? status : end_row(reader, attributes, 0);
    return status ? status : sn_mesh_add_tetrahedron(mesh, reader, nodes);
}

sn_status sn_tetgen_parse_elements(sn_text_reader *reader, sn_mesh_builder *mesh)
{
    int count;
    int64_t node_count = 0, attributes = 0;
    sn_status status = read_head(reader, "tetrahedra", least_element_bytes, &count);
    status = status ? status
                    : sn_text_read_integer(reader, "number of nodes of a tetrahedron", 4, 10, &node_count);
    if (status == SN_OK && node_count != 4 && node_count != 10) {
        status =
            sn_text_fail(reader, "number of nodes of a tetrahedron is %d, expected 4 or 10", (int)node_count);
    }
    status = status ? status : read_optional(reader, "number of attributes", 1000, &attributes);
    status = status ? status : sn_text_end_line(reader);
    for (int i = 0; i < count && status == SN_OK; ++i) {
        status = read_number(reader, "number of the tetrahedron", mesh->first_number + i);
        status = status ? status : read_tetrahedron(reader, mesh, node_count, attributes);
    }
    return status ? status : end_file(reader);
}

// Behind the corners TetGen may put nodes of second order, the marker and the neighbours: whole numbers.
static sn_status read_triangle(sn_text_reader *reader, sn_mesh_builder *mesh)
{
    uint32_t nodes[3] = {0};
    sn_status status = SN_OK;
    for (int i = 0; i < 3 && status == SN_OK; ++i) {
        status = sn_mesh_read_node(reader, mesh, &nodes[i]);
    }
    sn_word word;
    while (status == SN_OK && sn_text_next(reader, &word)) {
        int64_t ignored;
        if (!sn_word_integer(word, &ignored)) {
            status =
                sn_text_fail(reader, "%s after the nodes, expected a whole number or the end of the line",
                             sn_word_quote(word).text);
        }
    }
    return status ? status : sn_mesh_add_triangle(mesh, reader, nodes[0], nodes[1], nodes[2]);
}

sn_status sn_tetgen_parse_faces(sn_text_reader *reader, sn_mesh_builder *mesh)
{
    int count;
    int64_t markers = 0;
    sn_status status = read_head(reader, "faces", least_face_bytes, &count);
    status = status ? status : read_optional(reader, "number of boundary markers", 1, &markers);
    status = status ? status : sn_text_end_line(reader);
    for (int i = 0; i < count && status == SN_OK; ++i) {
        status = read_number(reader, "number of the face", mesh->first_number + i);
        status = status ? status : read_triangle(reader, mesh);
    }
    return status ? status : end_file(reader);
}

// --- the files beside each other ---------------------------------------------------------------------------

// The path with another ending, in capitals if its own is; to be freed with `free`, null without memory.
static char *sibling(const char *path, const char *ending)
{
    size_t stem = (size_t)(strrchr(path, '.') - path);
    bool capitals = path[stem + 1] >= 'A' && path[stem + 1] <= 'Z';
    size_t length = strlen(ending);
    char *name = malloc(stem + length + 1);
    if (name == NULL) {
        sn_scene_fail(SN_ERROR_MEMORY, "%s: no memory for its name", path);
        return NULL;
    }
    memcpy(name, path, stem);
    for (size_t i = 0; i <= length; ++i) {
        bool letter = ending[i] >= 'a' && ending[i] <= 'z';
        name[stem + i] = (char)(capitals && letter ? ending[i] - 'a' + 'A' : ending[i]);
    }
    return name;
}

static bool is_missing(const char *path)
{
    return access(path, F_OK) != 0 && errno == ENOENT;
}

typedef sn_status parse_function(sn_text_reader *reader, sn_mesh_builder *mesh);

static sn_status read_sibling(const char *path, const char *ending, bool optional, parse_function *parse,
                              sn_mesh_builder *mesh)
{
    char *name = sibling(path, ending);
    if (name == NULL) {
        return SN_ERROR_MEMORY;
    }
    char *text = NULL;
    size_t size;
    sn_status status = SN_OK;
    if (!optional || !is_missing(name)) {
        status = sn_source_read(mesh->sources, name, SN_MAX_TEXT_BYTES, &text, &size);
    }
    if (text != NULL) {
        sn_text_reader reader = sn_text_begin(text, size, name);
        status = parse(&reader, mesh);
    }
    free(text);
    free(name);
    return status;
}

sn_status sn_tetgen_read(const char *path, sn_mesh_builder *mesh)
{
    sn_status status = read_sibling(path, ".node", false, sn_tetgen_parse_nodes, mesh);
    status = status ? status : read_sibling(path, ".ele", false, sn_tetgen_parse_elements, mesh);
    return status ? status : read_sibling(path, ".face", true, sn_tetgen_parse_faces, mesh);
}

static void write_nodes(sn_output *output, const sn_mesh_data *data)
{
    sn_output_text(output, "%d 3 0 0\n", data->node_count);
    for (int i = 0; i < data->node_count; ++i) {
        sn_output_text(output, "%d ", i + 1);
        sn_mesh_write_position(output, data->nodes[i]);
    }
}

static void write_rows(sn_output *output, const uint32_t *indices, int count, int corners)
{
    for (int i = 0; i < count; ++i) {
        sn_output_text(output, "%d", i + 1);
        sn_mesh_write_indices(output, indices + (size_t)i * (size_t)corners, corners, 1);
    }
}

static void write_elements(sn_output *output, const sn_mesh_data *data)
{
    sn_output_text(output, "%d 4 0\n", data->tetrahedron_count);
    write_rows(output, data->tetrahedra, data->tetrahedron_count, 4);
}

static void write_faces(sn_output *output, const sn_mesh_data *data)
{
    sn_output_text(output, "%d 0\n", data->triangle_count);
    write_rows(output, data->triangles, data->triangle_count, 3);
}

static sn_status write_sibling(const char *path, const char *ending,
                               void (*write)(sn_output *output, const sn_mesh_data *data),
                               const sn_mesh_data *data)
{
    char *name = sibling(path, ending);
    if (name == NULL) {
        return SN_ERROR_MEMORY;
    }
    sn_output output;
    sn_status status = sn_output_open(&output, name);
    if (status == SN_OK) {
        write(&output, data);
        status = sn_output_close(&output);
    }
    free(name);
    return status;
}

// All three, even without faces: those of another mesh may lie there.
sn_status sn_tetgen_write(const char *path, const sn_mesh_data *data)
{
    sn_status status = write_sibling(path, ".node", write_nodes, data);
    status = status ? status : write_sibling(path, ".ele", write_elements, data);
    return status ? status : write_sibling(path, ".face", write_faces, data);
}
