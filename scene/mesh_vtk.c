// VTK's legacy files as text (VTK User's Guide, "Simple Legacy Formats"): unstructured grids and polygonal
// data, with cells in one list of numbers up to version 4.2 and as offsets and connectivity since 5.0.
//
// What the cells are (CELL_TYPES) is told after the cells, so sections are bookmarked on the first reading
// and read side by side on the second. Data of points and cells is passed over.
#include "scene/mesh_formats.h"
#include "scene/mesh_write.h"

#include <string.h>

// Types of cells that a mesh has a place for.
enum {
    VERTEX = 1,
    LINE = 3,
    POLY_LINE = 4,
    TRIANGLE = 5,
    STRIP = 6,
    POLYGON = 7,
    QUAD = 9,
    TETRAHEDRON = 10
};

// Cells: where their sizes and their nodes are to be read.
typedef struct cell_section {
    sn_text_reader offsets; // since 5.0
    sn_text_reader numbers; // nodes, each cell's after its size before 5.0
    bool has_offsets;
    int64_t cell_count;
    int64_t left;   // of the numbers
    int64_t offset; // of the latest cell
    int type;       // of all the cells; 0: see CELL_TYPES
} cell_section;

enum { SECTION_COUNT = 5 };

static const struct section_kind {
    const char *keyword;
    bool grid; // of an unstructured grid; else of polygonal data
    int type;
} section_kinds[SECTION_COUNT] = {{"CELLS", true, 0},
                                  {"VERTICES", false, VERTEX},
                                  {"LINES", false, POLY_LINE},
                                  {"POLYGONS", false, POLYGON},
                                  {"TRIANGLE_STRIPS", false, STRIP}};

typedef struct vtk_reader {
    sn_text_reader *text;
    sn_mesh_builder *mesh;
    bool grid; // UNSTRUCTURED_GRID; else POLYDATA
    bool has_points, has_types, has_section[SECTION_COUNT];
    cell_section sections[SECTION_COUNT];
    sn_text_reader types;
    int64_t type_count;
    int64_t passed_over; // cells that a mesh has no place for
} vtk_reader;

// --- the head ----------------------------------------------------------------------------------------------

static sn_status read_version(sn_text_reader *reader)
{
    static const char *const words[] = {"#", "vtk", "DataFile", "Version"};
    sn_status status = SN_OK;
    for (int i = 0; i < 4 && status == SN_OK; ++i) {
        status = sn_text_expect(reader, words[i]);
    }
    sn_word word;
    float version;
    status = status ? status : sn_text_read_word(reader, "version", &word);
    if (status == SN_OK && !(sn_word_float(word, &version) && version >= 1.0f && version <= 5.1f)) {
        status = sn_text_fail(reader, "version is %s, expected 1.0 to 5.1", sn_word_quote(word).text);
    }
    return status;
}

static sn_status read_head(vtk_reader *vtk)
{
    sn_text_reader *text = vtk->text;
    sn_word word;
    sn_status status = read_version(text);
    status = status ? status : sn_text_end_line(text);
    if (status == SN_OK && sn_text_next_line(text)) {
        sn_text_next_line(text); // the title
    }
    status = status ? status : sn_text_expect(text, "ASCII");
    status = status ? status : sn_text_expect(text, "DATASET");
    status = status ? status : sn_text_read_word(text, "a kind of dataset", &word);
    if (status != SN_OK) {
        return status;
    }
    vtk->grid = sn_word_is_any_case(word, "UNSTRUCTURED_GRID");
    return vtk->grid || sn_word_is_any_case(word, "POLYDATA")
               ? SN_OK
               : sn_text_fail(text, "dataset is %s, expected UNSTRUCTURED_GRID or POLYDATA",
                              sn_word_quote(word).text);
}

// --- first reading: points, and where everything else is ---------------------------------------------------

static sn_status read_points(vtk_reader *vtk)
{
    if (vtk->has_points) {
        return sn_text_fail(vtk->text, "POINTS again, expected them once");
    }
    vtk->has_points = true;
    int count;
    sn_word type;
    sn_status status = sn_text_read_count(vtk->text, "points", SN_MAX_MESH_COUNT, sizeof "0 0 0", &count);
    status = status ? status : sn_text_read_word(vtk->text, "a type of numbers", &type);
    for (int i = 0; i < count && status == SN_OK; ++i) {
        sn_vec3 position;
        status = sn_mesh_read_position(vtk->text, &position);
        status = status ? status : sn_mesh_add_node(vtk->mesh, vtk->text, position);
    }
    return status;
}

// A list of numbers with a heading like OFFSETS vtktypeint64: bookmarked and passed over.
static sn_status bookmark_array(vtk_reader *vtk, const char *heading, int64_t count, sn_text_reader *mark)
{
    sn_word type;
    sn_status status = sn_text_expect(vtk->text, heading);
    status = status ? status : sn_text_read_word(vtk->text, "a type of numbers", &type);
    *mark = *vtk->text;
    return status ? status : sn_text_skip_words(vtk->text, "a number", count);
}

static sn_status bookmark_offsets(vtk_reader *vtk, cell_section *section, int64_t offset_count)
{
    section->has_offsets = true;
    section->cell_count = offset_count > 0 ? offset_count - 1 : 0;
    sn_status status = bookmark_array(vtk, "OFFSETS", offset_count, &section->offsets);
    status = status ? status : bookmark_array(vtk, "CONNECTIVITY", section->left, &section->numbers);
    if (status == SN_OK && offset_count > 0) {
        status = sn_text_read_integer(&section->offsets, "first offset", 0, 0, &section->offset);
    }
    return status;
}

static sn_status bookmark_cells(vtk_reader *vtk, int kind)
{
    if (vtk->has_section[kind] || vtk->grid != section_kinds[kind].grid) {
        return sn_text_fail(vtk->text, "%s %s", section_kinds[kind].keyword,
                            vtk->has_section[kind] ? "again, expected it once"
                                                   : "belongs to another kind of dataset, expected its own");
    }
    vtk->has_section[kind] = true;
    int count, total;
    sn_status status = sn_text_read_count(vtk->text, "cells", INT32_MAX, 2, &count);
    status = status ? status : sn_text_read_count(vtk->text, "numbers", INT32_MAX, 2, &total);
    if (status != SN_OK) {
        return status;
    }
    cell_section *section = &vtk->sections[kind];
    *section = (cell_section){.cell_count = count, .left = total, .type = section_kinds[kind].type};
    section->numbers = *vtk->text;
    sn_text_reader ahead = *vtk->text;
    sn_word word;
    if (sn_text_next(&ahead, &word) && sn_word_is_any_case(word, "OFFSETS")) {
        return bookmark_offsets(vtk, section, count);
    }
    return sn_text_skip_words(vtk->text, "a number of the cells", total);
}

static sn_status bookmark_types(vtk_reader *vtk)
{
    if (vtk->has_types || !vtk->grid) {
        return sn_text_fail(vtk->text, "CELL_TYPES %s",
                            vtk->has_types ? "again, expected them once" : "of POLYDATA, expected none");
    }
    vtk->has_types = true;
    int count;
    sn_status status = sn_text_read_count(vtk->text, "cell types", INT32_MAX, 2, &count);
    vtk->types = *vtk->text;
    vtk->type_count = count;
    return status ? status : sn_text_skip_words(vtk->text, "a cell type", count);
}

// One array of a FIELD. Texts are one to a line, and may be empty.
static sn_status skip_field_array(sn_text_reader *text)
{
    sn_word word;
    int components, count;
    sn_status status = sn_text_read_word(text, "the name of an array", &word);
    status = status ? status : sn_text_read_count(text, "components", INT32_MAX, 1, &components);
    status = status ? status : sn_text_read_count(text, "values", INT32_MAX, 1, &count);
    status = status ? status : sn_text_read_word(text, "a type of numbers", &word);
    if (status != SN_OK) {
        return status;
    }
    int64_t total = (int64_t)components * count;
    if (!sn_word_is_any_case(word, "string")) {
        return sn_text_skip_words(text, "a value of the array", total);
    }
    for (int64_t i = 0; i <= total; ++i) {
        if (!sn_text_next_line(text)) {
            return sn_text_fail(text, "the file ends, expected the texts of the array");
        }
    }
    return SN_OK;
}

static sn_status skip_field(sn_text_reader *text)
{
    sn_word name;
    int arrays = 0;
    sn_status status = sn_text_read_word(text, "the name of a field", &name);
    status = status ? status : sn_text_read_count(text, "arrays", INT32_MAX, 8, &arrays);
    for (int i = 0; i < arrays && status == SN_OK; ++i) {
        status = skip_field_array(text);
    }
    return status;
}

// Up to an empty line.
static void skip_metadata(sn_text_reader *text)
{
    text->by_lines = true;
    sn_word word;
    while (sn_text_next_line(text) && sn_text_next(text, &word)) {
    }
    text->by_lines = false;
}

static sn_status read_section(vtk_reader *vtk, sn_word keyword)
{
    for (int i = 0; i < SECTION_COUNT; ++i) {
        if (sn_word_is_any_case(keyword, section_kinds[i].keyword)) {
            return bookmark_cells(vtk, i);
        }
    }
    if (sn_word_is_any_case(keyword, "POINTS")) {
        return read_points(vtk);
    }
    if (sn_word_is_any_case(keyword, "CELL_TYPES")) {
        return bookmark_types(vtk);
    }
    if (sn_word_is_any_case(keyword, "FIELD")) {
        return skip_field(vtk->text);
    }
    if (sn_word_is_any_case(keyword, "METADATA")) {
        skip_metadata(vtk->text);
        return SN_OK;
    }
    return sn_text_fail(vtk->text, "%s, expected POINTS, CELLS, CELL_TYPES, LINES, POLYGONS …",
                        sn_word_quote(keyword).text);
}

static sn_status read_sections(vtk_reader *vtk)
{
    sn_status status = SN_OK;
    sn_word keyword;
    while (status == SN_OK && sn_text_next(vtk->text, &keyword)) {
        // Data comes last.
        if (sn_word_is_any_case(keyword, "POINT_DATA") || sn_word_is_any_case(keyword, "CELL_DATA")) {
            return SN_OK;
        }
        status = read_section(vtk, keyword);
    }
    return status;
}

// --- second reading: cells ---------------------------------------------------------------------------------

static sn_status read_cell_size(cell_section *section, int64_t *size)
{
    *size = 0;
    if (!section->has_offsets) {
        section->left -= 1;
        sn_status status = sn_text_read_integer(&section->numbers, "size of the cell", 0,
                                                section->left > 0 ? section->left : 0, size);
        section->left -= *size;
        return status;
    }
    int64_t offset;
    sn_status status = sn_text_read_integer(&section->offsets, "offset", section->offset,
                                            section->offset + section->left, &offset);
    if (status == SN_OK) {
        *size = offset - section->offset;
        section->left -= *size;
        section->offset = offset;
    }
    return status;
}

// The smallest and the largest number of nodes a cell of this type has; the largest is 0 for types that are
// passed over.
static void sizes_of(int64_t type, int64_t *least, int64_t *most)
{
    static const struct {
        int type, least, most;
    } sizes[] = {{LINE, 2, 2},          {POLY_LINE, 2, INT32_MAX}, {TRIANGLE, 3, 3},
                 {STRIP, 3, INT32_MAX}, {POLYGON, 3, INT32_MAX},   {QUAD, 4, 4},
                 {TETRAHEDRON, 4, 4}};
    *least = 0;
    *most = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        if (sizes[i].type == type) {
            *least = sizes[i].least;
            *most = sizes[i].most;
        }
    }
}

// Every other triangle of a strip goes round the other way.
static sn_status add_strip_triangle(vtk_reader *vtk, const sn_text_reader *where, int64_t number,
                                    const uint32_t latest[4])
{
    bool odd = number % 2 == 1;
    return sn_mesh_add_triangle(vtk->mesh, where, latest[odd ? 2 : 1], latest[odd ? 1 : 2], latest[3]);
}

// Node after node; `latest` holds the last four of them.
static sn_status read_cell(vtk_reader *vtk, sn_text_reader *numbers, int64_t type, int64_t size)
{
    uint32_t latest[4] = {0};
    sn_mesh_fan fan = {0};
    sn_status status = SN_OK;
    for (int64_t i = 0; i < size && status == SN_OK; ++i) {
        memmove(latest, latest + 1, 3 * sizeof *latest);
        status = sn_mesh_read_node(numbers, vtk->mesh, &latest[3]);
        if (status != SN_OK) {
            break;
        }
        if (type == TRIANGLE || type == POLYGON || type == QUAD) {
            status = sn_mesh_fan_add(vtk->mesh, numbers, &fan, latest[3]);
        } else if ((type == LINE || type == POLY_LINE) && i >= 1) {
            status = sn_mesh_add_edge(vtk->mesh, numbers, latest[2], latest[3]);
        } else if (type == STRIP && i >= 2) {
            status = add_strip_triangle(vtk, numbers, i - 2, latest);
        } else if (type == TETRAHEDRON && i == 3) {
            status = sn_mesh_add_tetrahedron(vtk->mesh, numbers, latest);
        }
    }
    return status;
}

static sn_status read_cells(vtk_reader *vtk, cell_section *section)
{
    sn_status status = SN_OK;
    for (int64_t i = 0; i < section->cell_count && status == SN_OK; ++i) {
        int64_t type = section->type, size, least, most;
        if (type == 0) {
            status = sn_text_read_integer(&vtk->types, "cell type", 0, 255, &type);
        }
        status = status ? status : read_cell_size(section, &size);
        sizes_of(type, &least, &most);
        if (status == SN_OK && most > 0 && (size < least || size > most)) {
            return sn_text_fail(&section->numbers, "a cell of type %d with %lld nodes, expected %lld%s",
                                (int)type, (long long)size, (long long)least, most > least ? " or more" : "");
        }
        vtk->passed_over += most == 0 && type > 2;
        status = status ? status : read_cell(vtk, &section->numbers, type, size);
    }
    if (status == SN_OK && section->left != 0) {
        status = sn_text_fail(&section->numbers, "the cells leave %lld numbers over, expected none",
                              (long long)section->left);
    }
    return status;
}

static sn_status read_all_cells(vtk_reader *vtk)
{
    if (vtk->grid && vtk->sections[0].cell_count != vtk->type_count) {
        return sn_text_fail(vtk->text, "%lld cells and %lld cell types, expected as many of both",
                            (long long)vtk->sections[0].cell_count, (long long)vtk->type_count);
    }
    sn_status status = SN_OK;
    for (int i = 0; i < SECTION_COUNT && status == SN_OK; ++i) {
        status = read_cells(vtk, &vtk->sections[i]);
    }
    const sn_mesh_builder *mesh = vtk->mesh;
    bool found = mesh->edges.count > 0 || mesh->triangles.count > 0 || mesh->tetrahedra.count > 0;
    if (status == SN_OK && vtk->passed_over > 0 && !found) {
        status = sn_text_fail(vtk->text,
                              "none of the %lld cells can be used, expected lines (3, 4), "
                              "polygons (5, 6, 7, 9) or tetrahedra (10)",
                              (long long)vtk->passed_over);
    }
    return status;
}

sn_status sn_vtk_parse(sn_text_reader *reader, sn_mesh_builder *mesh)
{
    vtk_reader vtk = {.text = reader, .mesh = mesh};
    sn_status status = read_head(&vtk);
    status = status ? status : read_sections(&vtk);
    return status ? status : read_all_cells(&vtk);
}

// --- writing -----------------------------------------------------------------------------------------------

static void write_cells(sn_output *output, const uint32_t *indices, int count, int corners)
{
    for (int i = 0; i < count; ++i) {
        sn_output_text(output, "%d", corners);
        sn_mesh_write_indices(output, indices + (size_t)i * (size_t)corners, corners, 0);
    }
}

static void write_types(sn_output *output, int type, int count)
{
    for (int i = 0; i < count; ++i) {
        sn_output_text(output, "%d\n", type);
    }
}

sn_status sn_vtk_write(const char *path, const sn_mesh_data *data)
{
    sn_output output;
    sn_status status = sn_output_open(&output, path);
    if (status != SN_OK) {
        return status;
    }
    sn_output_text(&output, "# vtk DataFile Version 3.0\nmesh\nASCII\nDATASET UNSTRUCTURED_GRID\n");
    sn_output_text(&output, "POINTS %d float\n", data->node_count);
    for (int i = 0; i < data->node_count; ++i) {
        sn_mesh_write_position(&output, data->nodes[i]);
    }
    int64_t count = (int64_t)data->edge_count + data->triangle_count + data->tetrahedron_count;
    int64_t numbers = (int64_t)data->edge_count * 3 + (int64_t)data->triangle_count * 4 +
                      (int64_t)data->tetrahedron_count * 5;
    sn_output_text(&output, "CELLS %lld %lld\n", (long long)count, (long long)numbers);
    write_cells(&output, data->edges, data->edge_count, 2);
    write_cells(&output, data->triangles, data->triangle_count, 3);
    write_cells(&output, data->tetrahedra, data->tetrahedron_count, 4);
    sn_output_text(&output, "CELL_TYPES %lld\n", (long long)count);
    write_types(&output, LINE, data->edge_count);
    write_types(&output, TRIANGLE, data->triangle_count);
    write_types(&output, TETRAHEDRON, data->tetrahedron_count);
    return sn_output_close(&output);
}
