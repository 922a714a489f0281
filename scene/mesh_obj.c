// Wavefront OBJ: positions, polygons and lines. Texture coordinates, normals, groups and materials are passed
// over; free-form surfaces are refused.
#include "scene/mesh_formats.h"
#include "scene/mesh_write.h"

#include <string.h>

typedef struct obj_reader {
    sn_text_reader *text;
    sn_mesh_builder *mesh;
    // Vertices may come after the faces that name them, so the largest index is checked in the end.
    int64_t largest_index;
    size_t largest_line;
} obj_reader;

// "3", "3/1", "3//2", "3/1/2": the index before the first slash, whole numbers or nothing after each.
static bool split_corner(sn_word word, int64_t *index)
{
    size_t start = 0;
    for (int part = 0; start <= word.size; ++part) {
        const char *slash = memchr(word.text + start, '/', word.size - start);
        size_t end = slash == NULL ? word.size : (size_t)(slash - word.text);
        sn_word number = {word.text + start, end - start};
        int64_t ignored;
        bool empty = number.size == 0 && part > 0;
        if (part > 2 || (!empty && !sn_word_integer(number, part == 0 ? index : &ignored))) {
            return false;
        }
        start = end + 1;
    }
    return true;
}

// A vertex by its number from 1, or counted back from the latest one as −1, −2, …
static sn_status resolve_corner(obj_reader *obj, sn_word word, uint32_t *node)
{
    int64_t index;
    if (!split_corner(word, &index)) {
        return sn_text_fail(obj->text, "vertex index %s, expected it like 1, 1/2, 1//3 or 1/2/3",
                            sn_word_quote(word).text);
    }
    int64_t count = obj->mesh->nodes.count;
    if (index == 0 || index < -count) {
        return sn_mesh_no_such_node(obj->text, "vertex index", index, index < 0 ? -count : 1,
                                    index < 0 ? -1 : count);
    }
    int64_t number = index > 0 ? index : count + index + 1;
    if (number > SN_MAX_MESH_COUNT) {
        return sn_mesh_no_such_node(obj->text, "vertex index", index, 1, SN_MAX_MESH_COUNT);
    }
    if (number > obj->largest_index) {
        obj->largest_index = number;
        obj->largest_line = obj->text->line;
    }
    *node = (uint32_t)(number - 1);
    return SN_OK;
}

// x y z, and what some programs add: a weight or a colour.
static sn_status read_vertex(obj_reader *obj)
{
    sn_vec3 position;
    sn_status status = sn_mesh_read_position(obj->text, &position);
    sn_word word;
    for (int extra = 0; status == SN_OK && extra < 4 && sn_text_next(obj->text, &word); ++extra) {
        float ignored;
        if (!sn_word_float(word, &ignored)) {
            status = sn_text_fail(obj->text, "%s after the coordinates, expected a weight or a colour",
                                  sn_word_quote(word).text);
        }
    }
    return status ? status : sn_mesh_add_node(obj->mesh, obj->text, position);
}

static sn_status read_face(obj_reader *obj)
{
    sn_mesh_fan fan = {0};
    sn_status status = SN_OK;
    sn_word word;
    while (status == SN_OK && sn_text_next(obj->text, &word)) {
        uint32_t node = 0;
        status = resolve_corner(obj, word, &node);
        status = status ? status : sn_mesh_fan_add(obj->mesh, obj->text, &fan, node);
    }
    if (status == SN_OK && fan.corners < 3) {
        status = sn_text_fail(obj->text, "a face of %d vertices, expected 3 or more", (int)fan.corners);
    }
    return status;
}

static sn_status read_line(obj_reader *obj)
{
    uint32_t previous = 0;
    int count = 0;
    sn_status status = SN_OK;
    sn_word word;
    while (status == SN_OK && sn_text_next(obj->text, &word)) {
        uint32_t node = 0;
        status = resolve_corner(obj, word, &node);
        if (status == SN_OK && count > 0) {
            status = sn_mesh_add_edge(obj->mesh, obj->text, previous, node);
        }
        previous = node;
        count = 1 + (count > 0);
    }
    if (status == SN_OK && count < 2) {
        status = sn_text_fail(obj->text, "a line of %d vertices, expected 2 or more", count);
    }
    return status;
}

static bool is_passed_over(sn_word keyword)
{
    static const char *const keywords[] = {"vn",       "vt",     "vp",     "o",     "g",     "s",
                                           "usemtl",   "mtllib", "p",      "mg",    "bevel", "c_interp",
                                           "d_interp", "lod",    "maplib", "usemap"};
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; ++i) {
        if (sn_word_is(keyword, keywords[i])) {
            return true;
        }
    }
    return false;
}

static sn_status read_statement(obj_reader *obj, sn_word keyword)
{
    sn_status status = SN_OK;
    if (sn_word_is(keyword, "v")) {
        status = read_vertex(obj);
    } else if (sn_word_is(keyword, "f")) {
        status = read_face(obj);
    } else if (sn_word_is(keyword, "l")) {
        status = read_line(obj);
    } else if (is_passed_over(keyword)) {
        return SN_OK;
    } else {
        return sn_text_fail(obj->text, "%s begins no known line, expected v, f, l, vn, vt, o, g, s, usemtl …",
                            sn_word_quote(keyword).text);
    }
    return status ? status : sn_text_end_line(obj->text);
}

sn_status sn_obj_parse(sn_text_reader *reader, sn_mesh_builder *mesh)
{
    reader->comment = '#';
    reader->by_lines = true;
    reader->continued = true;
    obj_reader obj = {.text = reader, .mesh = mesh};
    do {
        sn_word keyword;
        sn_status status = sn_text_next(reader, &keyword) ? read_statement(&obj, keyword) : SN_OK;
        if (status != SN_OK) {
            return status;
        }
    } while (sn_text_next_line(reader));
    if (obj.largest_index > mesh->nodes.count) {
        reader->line = obj.largest_line;
        return sn_mesh_no_such_node(reader, "vertex index", obj.largest_index, 1, mesh->nodes.count);
    }
    return SN_OK;
}

sn_status sn_obj_write(const char *path, const sn_mesh_data *data)
{
    sn_output output;
    sn_status status = sn_output_open(&output, path);
    if (status != SN_OK) {
        return status;
    }
    for (int i = 0; i < data->node_count; ++i) {
        sn_output_text(&output, "v ");
        sn_mesh_write_position(&output, data->nodes[i]);
    }
    for (int i = 0; i < data->edge_count; ++i) {
        sn_output_text(&output, "l");
        sn_mesh_write_indices(&output, data->edges + 2 * (size_t)i, 2, 1);
    }
    for (int i = 0; i < data->triangle_count; ++i) {
        sn_output_text(&output, "f");
        sn_mesh_write_indices(&output, data->triangles + 3 * (size_t)i, 3, 1);
    }
    return sn_output_close(&output);
}
