// Gmsh .msh files as text, versions 2.2 and 4.1 (Gmsh reference manual, "MSH file format"): lines, triangles,
// quadrangles and tetrahedra of first order. Other elements and sections are passed over; 4.1 is written.
#include "scene/mesh_formats.h"
#include "scene/mesh_tags.h"
#include "scene/mesh_write.h"
#include "scene/message.h"

#include <float.h>
#include <string.h>

enum { LINE = 1, TRIANGLE = 2, QUADRANGLE = 3, TETRAHEDRON = 4, POINT = 15 };

// Of all types together.
#define MOST_ELEMENTS (4 * SN_MAX_MESH_COUNT)

// The shortest things there are; the closing zero stands for the blank after them.
static const size_t least_node_bytes = sizeof "1 0 0 0";
static const size_t least_element_bytes = sizeof "1 1";
static const size_t least_block_bytes = sizeof "0 1 0 0";

typedef struct gmsh_reader {
    sn_text_reader *text;
    sn_mesh_builder *mesh;
    sn_mesh_tags tags;
    int major; // version 2 or 4; 0: not known yet
    bool has_nodes, has_elements;
    int64_t passed_over; // elements of types that a mesh has no place for
} gmsh_reader;

// How many nodes an element of this type has; 0 for types there are not.
static int node_count_of(int64_t type)
{
    static const unsigned char counts[] = {0, 2,  3,  4,  4, 8,  6,  5,  3,  6,  9, 10, 27, 18, 14, 1,
                                           8, 20, 15, 13, 9, 10, 12, 15, 15, 21, 4, 5,  6,  20, 35, 56};
    if (type == 92 || type == 93) {
        return type == 92 ? 64 : 125;
    }
    return type >= 0 && type < (int64_t)sizeof counts ? counts[type] : 0;
}

// --- nodes -------------------------------------------------------------------------------------------------

static sn_status read_tag(gmsh_reader *gmsh)
{
    int64_t number = 0;
    sn_status status = sn_text_read_integer(gmsh->text, "node tag", 0, INT64_MAX, &number);
    if (status == SN_OK && !sn_mesh_tags_add(&gmsh->tags, number)) {
        status = sn_scene_fail(SN_ERROR_MEMORY, "%s: no memory for more than %d nodes", gmsh->text->path,
                               gmsh->tags.list.count);
    }
    return status;
}

static sn_status read_position(gmsh_reader *gmsh)
{
    sn_vec3 position;
    sn_status status = sn_mesh_read_position(gmsh->text, &position);
    return status ? status : sn_mesh_add_node(gmsh->mesh, gmsh->text, position);
}

static sn_status read_nodes_2(gmsh_reader *gmsh)
{
    int count;
    sn_status status = sn_text_read_count(gmsh->text, "nodes", SN_MAX_MESH_COUNT, least_node_bytes, &count);
    for (int i = 0; i < count && status == SN_OK; ++i) {
        status = read_tag(gmsh);
        status = status ? status : read_position(gmsh);
    }
    return status;
}

// What nodes and elements of version 4 begin with: how many blocks, how many things in them.
static sn_status read_totals(gmsh_reader *gmsh, const char *things, int most, size_t least_bytes, int *blocks,
                             int *total)
{
    *total = 0;
    sn_status status = sn_text_read_count(gmsh->text, "blocks", INT32_MAX, least_block_bytes, blocks);
    status = status ? status : sn_text_read_count(gmsh->text, things, most, least_bytes, total);
    int64_t ignored;
    status = status ? status : sn_text_read_integer(gmsh->text, "lowest tag", 0, INT64_MAX, &ignored);
    return status ? status : sn_text_read_integer(gmsh->text, "highest tag", 0, INT64_MAX, &ignored);
}

// The head of a block of version 4.
typedef struct gmsh_block {
    int64_t dimension; // of the geometry it lies on
    int64_t kind;      // type of the elements; of nodes, whether parametric coordinates follow theirs
    int64_t count;
} gmsh_block;

static sn_status read_block(gmsh_reader *gmsh, const char *kind, int64_t highest_kind, int left,
                            gmsh_block *block)
{
    *block = (gmsh_block){0};
    int64_t entity;
    sn_status status = sn_text_read_integer(gmsh->text, "dimension", 0, 3, &block->dimension);
    status = status ? status : sn_text_read_integer(gmsh->text, "entity tag", INT32_MIN, INT32_MAX, &entity);
    status = status ? status : sn_text_read_integer(gmsh->text, kind, 0, highest_kind, &block->kind);
    status = status ? status : sn_text_read_integer(gmsh->text, "size of the block", 0, left, &block->count);
    block->count = status ? 0 : block->count;
    return status;
}

static sn_status read_node_block(gmsh_reader *gmsh, int *left)
{
    gmsh_block block;
    sn_status status = read_block(gmsh, "parametric flag", 1, *left, &block);
    for (int64_t i = 0; i < block.count && status == SN_OK; ++i) {
        status = read_tag(gmsh);
    }
    for (int64_t i = 0; i < block.count && status == SN_OK; ++i) {
        status = read_position(gmsh);
        for (int64_t k = 0; k < block.kind * block.dimension && status == SN_OK; ++k) {
            float ignored;
            status = sn_text_read_float(gmsh->text, "parametric coordinate", -FLT_MAX, FLT_MAX, &ignored);
        }
    }
    *left -= (int)block.count;
    return status;
}

static sn_status read_nodes_4(gmsh_reader *gmsh)
{
    int blocks, left;
    sn_status status = read_totals(gmsh, "nodes", SN_MAX_MESH_COUNT, least_node_bytes, &blocks, &left);
    for (int i = 0; i < blocks && status == SN_OK; ++i) {
        status = read_node_block(gmsh, &left);
    }
    if (status == SN_OK && left != 0) {
        status = sn_text_fail(gmsh->text, "the blocks lack %d nodes, expected as many as announced", left);
    }
    return status;
}

static sn_status read_nodes(gmsh_reader *gmsh)
{
    if (gmsh->has_nodes) {
        return sn_text_fail(gmsh->text, "$Nodes again, expected one section of nodes");
    }
    gmsh->has_nodes = true;
    sn_status status = gmsh->major == 2 ? read_nodes_2(gmsh) : read_nodes_4(gmsh);
    status = status ? status : sn_text_expect(gmsh->text, "$EndNodes");
    int64_t number;
    if (status == SN_OK && !sn_mesh_tags_sort(&gmsh->tags, &number)) {
        status =
            sn_text_fail(gmsh->text, "node tag %lld is there twice, expected each once", (long long)number);
    }
    return status;
}

// --- elements ----------------------------------------------------------------------------------------------

static sn_status read_corner(gmsh_reader *gmsh, uint32_t *node)
{
    int64_t number = 0;
    sn_status status = sn_text_read_integer(gmsh->text, "node tag", INT64_MIN, INT64_MAX, &number);
    if (status == SN_OK && !sn_mesh_tags_find(&gmsh->tags, number, node)) {
        status = sn_text_fail(gmsh->text, "node %lld does not exist, expected one of the %d of $Nodes",
                              (long long)number, gmsh->tags.list.count);
    }
    return status;
}

static sn_status add_element(gmsh_reader *gmsh, int64_t type, const uint32_t nodes[4])
{
    if (type == LINE) {
        return sn_mesh_add_edge(gmsh->mesh, gmsh->text, nodes[0], nodes[1]);
    }
    if (type == TETRAHEDRON) {
        return sn_mesh_add_tetrahedron(gmsh->mesh, gmsh->text, nodes);
    }
    sn_mesh_fan fan = {0};
    sn_status status = SN_OK;
    for (int i = 0; i < node_count_of(type) && status == SN_OK; ++i) {
        status = sn_mesh_fan_add(gmsh->mesh, gmsh->text, &fan, nodes[i]);
    }
    return status;
}

// The nodes of an element.
static sn_status read_element(gmsh_reader *gmsh, int64_t type)
{
    int count = node_count_of(type);
    bool kept = type >= LINE && type <= TETRAHEDRON;
    uint32_t nodes[4] = {0};
    sn_status status = SN_OK;
    for (int i = 0; i < count && status == SN_OK; ++i) {
        uint32_t node = 0;
        status = read_corner(gmsh, &node);
        nodes[i < 4 ? i : 3] = node;
    }
    if (status == SN_OK && !kept) {
        gmsh->passed_over += type != POINT;
        return SN_OK;
    }
    return status ? status : add_element(gmsh, type, nodes);
}

static sn_status check_type(const gmsh_reader *gmsh, int64_t type)
{
    return node_count_of(type) > 0
               ? SN_OK
               : sn_text_fail(gmsh->text, "element type %lld is not known, expected 1 to 31, 92 or 93",
                              (long long)type);
}

static sn_status read_elements_2(gmsh_reader *gmsh)
{
    int count;
    sn_status status = sn_text_read_count(gmsh->text, "elements", MOST_ELEMENTS, least_element_bytes, &count);
    for (int i = 0; i < count && status == SN_OK; ++i) {
        int64_t ignored, type = 0, tags = 0;
        status = sn_text_read_integer(gmsh->text, "element tag", 0, INT64_MAX, &ignored);
        status = status ? status : sn_text_read_integer(gmsh->text, "element type", 0, INT32_MAX, &type);
        status = status ? status : check_type(gmsh, type);
        status = status ? status : sn_text_read_integer(gmsh->text, "number of tags", 0, INT32_MAX, &tags);
        for (int64_t k = 0; k < tags && status == SN_OK; ++k) {
            status = sn_text_read_integer(gmsh->text, "tag", INT64_MIN, INT64_MAX, &ignored);
        }
        status = status ? status : read_element(gmsh, type);
    }
    return status;
}

static sn_status read_element_block(gmsh_reader *gmsh, int *left)
{
    gmsh_block block;
    sn_status status = read_block(gmsh, "element type", INT32_MAX, *left, &block);
    status = status ? status : check_type(gmsh, block.kind);
    for (int64_t i = 0; i < block.count && status == SN_OK; ++i) {
        int64_t ignored;
        status = sn_text_read_integer(gmsh->text, "element tag", 0, INT64_MAX, &ignored);
        status = status ? status : read_element(gmsh, block.kind);
    }
    *left -= (int)block.count;
    return status;
}

static sn_status read_elements_4(gmsh_reader *gmsh)
{
    int blocks, left;
    sn_status status = read_totals(gmsh, "elements", MOST_ELEMENTS, least_element_bytes, &blocks, &left);
    for (int i = 0; i < blocks && status == SN_OK; ++i) {
        status = read_element_block(gmsh, &left);
    }
    if (status == SN_OK && left != 0) {
        status = sn_text_fail(gmsh->text, "the blocks lack %d elements, expected as many as announced", left);
    }
    return status;
}

static sn_status read_elements(gmsh_reader *gmsh)
{
    if (gmsh->has_elements || !gmsh->has_nodes) {
        return sn_text_fail(gmsh->text, "$Elements %s, expected one section of elements after that of nodes",
                            gmsh->has_elements ? "again" : "before $Nodes");
    }
    gmsh->has_elements = true;
    sn_status status = gmsh->major == 2 ? read_elements_2(gmsh) : read_elements_4(gmsh);
    return status ? status : sn_text_expect(gmsh->text, "$EndElements");
}

// --- sections ----------------------------------------------------------------------------------------------

static sn_status read_format(gmsh_reader *gmsh)
{
    sn_word version;
    sn_status status = sn_text_read_word(gmsh->text, "version", &version);
    float number = 0.0f;
    if (status == SN_OK && !sn_word_float(version, &number)) {
        number = 0.0f;
    }
    gmsh->major = number >= 2.0f && number < 3.0f ? 2 : number == 4.1f ? 4 : 0;
    if (status == SN_OK && gmsh->major == 0) {
        status = sn_text_fail(gmsh->text, "version is %s, expected 2.2 or 4.1", sn_word_quote(version).text);
    }
    int64_t type = 0, ignored;
    status = status ? status : sn_text_read_integer(gmsh->text, "file type", 0, 1, &type);
    if (status == SN_OK && type == 1) {
        status = sn_text_fail(gmsh->text, "file type is 1 (binary), expected 0 (text)");
    }
    status = status ? status : sn_text_read_integer(gmsh->text, "data size", 1, 16, &ignored);
    return status ? status : sn_text_expect(gmsh->text, "$EndMeshFormat");
}

// Passes over a section of which nothing is needed.
static sn_status skip_section(gmsh_reader *gmsh, sn_word head)
{
    sn_word word;
    while (sn_text_next(gmsh->text, &word)) {
        if (word.size == head.size + 3 && memcmp(word.text, "$End", 4) == 0 &&
            memcmp(word.text + 4, head.text + 1, head.size - 1) == 0) {
            return SN_OK;
        }
    }
    return sn_text_fail(gmsh->text, "the file ends within %s, expected its end", sn_word_quote(head).text);
}

static sn_status read_section(gmsh_reader *gmsh, sn_word head)
{
    if (head.text[0] != '$') {
        return sn_text_fail(gmsh->text, "%s, expected a section like $Nodes", sn_word_quote(head).text);
    }
    if (sn_word_is(head, "$MeshFormat")) {
        return read_format(gmsh);
    }
    bool nodes = sn_word_is(head, "$Nodes");
    bool elements = sn_word_is(head, "$Elements");
    if ((nodes || elements) && gmsh->major == 0) {
        return sn_text_fail(gmsh->text, "%s, expected $MeshFormat before it", sn_word_quote(head).text);
    }
    return nodes ? read_nodes(gmsh) : elements ? read_elements(gmsh) : skip_section(gmsh, head);
}

static bool has_elements(const sn_mesh_builder *mesh)
{
    return mesh->edges.count > 0 || mesh->triangles.count > 0 || mesh->tetrahedra.count > 0;
}

sn_status sn_gmsh_parse(sn_text_reader *reader, sn_mesh_builder *mesh)
{
    gmsh_reader gmsh = {.text = reader, .mesh = mesh};
    sn_status status = SN_OK;
    sn_word head;
    while (status == SN_OK && sn_text_next(reader, &head)) {
        status = read_section(&gmsh, head);
    }
    if (status == SN_OK && gmsh.passed_over > 0 && !has_elements(mesh)) {
        status = sn_text_fail(reader,
                              "none of the %lld elements can be used, expected lines (1), "
                              "triangles (2), quadrangles (3) or tetrahedra (4)",
                              (long long)gmsh.passed_over);
    }
    sn_mesh_tags_release(&gmsh.tags);
    return status;
}

// --- writing -----------------------------------------------------------------------------------------------

static void write_nodes(sn_output *output, const sn_mesh_data *data)
{
    int dimension = data->tetrahedron_count > 0 ? 3 : data->triangle_count > 0 ? 2 : data->edge_count > 0;
    int count = data->node_count;
    sn_output_text(output, "$Nodes\n1 %d 1 %d\n%d 1 0 %d\n", count, count, dimension, count);
    for (int i = 0; i < count; ++i) {
        sn_output_text(output, "%d\n", i + 1);
    }
    for (int i = 0; i < count; ++i) {
        sn_mesh_write_position(output, data->nodes[i]);
    }
    sn_output_text(output, "$EndNodes\n");
}

static void write_block(sn_output *output, int dimension, int type, const uint32_t *indices, int count,
                        int *tag)
{
    if (count == 0) {
        return;
    }
    sn_output_text(output, "%d 1 %d %d\n", dimension, type, count);
    for (int i = 0; i < count; ++i) {
        sn_output_text(output, "%d", ++*tag);
        int corners = dimension + 1;
        sn_mesh_write_indices(output, indices + (size_t)i * (size_t)corners, corners, 1);
    }
}

sn_status sn_gmsh_write(const char *path, const sn_mesh_data *data)
{
    sn_output output;
    sn_status status = sn_output_open(&output, path);
    if (status != SN_OK) {
        return status;
    }
    sn_output_text(&output, "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n");
    write_nodes(&output, data);
    int blocks = (data->edge_count > 0) + (data->triangle_count > 0) + (data->tetrahedron_count > 0);
    int total = data->edge_count + data->triangle_count + data->tetrahedron_count;
    int tag = 0;
    sn_output_text(&output, "$Elements\n%d %d %d %d\n", blocks, total, total > 0, total);
    write_block(&output, 1, LINE, data->edges, data->edge_count, &tag);
    write_block(&output, 2, TRIANGLE, data->triangles, data->triangle_count, &tag);
    write_block(&output, 3, TETRAHEDRON, data->tetrahedra, data->tetrahedron_count, &tag);
    sn_output_text(&output, "$EndElements\n");
    return sn_output_close(&output);
}
