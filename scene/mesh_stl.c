// STL, as text and as bytes: triangles that share nothing, so that equal corners are joined on reading.
// Normals are passed over, as many programs write nonsense there; what is written is binary.
#include "scene/mesh_formats.h"
#include "scene/mesh_weld.h"
#include "scene/mesh_write.h"

#include <math.h>
#include <string.h>

#define HEADER_BYTES   80
#define TRIANGLE_BYTES 50

// --- text --------------------------------------------------------------------------------------------------

static sn_status read_facet(sn_text_reader *reader, sn_mesh_builder *mesh, sn_mesh_weld *weld)
{
    sn_status status = sn_text_expect(reader, "normal");
    status = status ? status : sn_text_skip_words(reader, "a component of the normal", 3);
    status = status ? status : sn_text_expect(reader, "outer");
    status = status ? status : sn_text_expect(reader, "loop");
    uint32_t nodes[3] = {0};
    for (int i = 0; i < 3 && status == SN_OK; ++i) {
        sn_vec3 position;
        status = sn_text_expect(reader, "vertex");
        status = status ? status : sn_mesh_read_position(reader, &position);
        status = status ? status : sn_mesh_weld_node(weld, mesh, reader, position, &nodes[i]);
    }
    status = status ? status : sn_text_expect(reader, "endloop");
    status = status ? status : sn_text_expect(reader, "endfacet");
    return status ? status : sn_mesh_add_triangle(mesh, reader, nodes[0], nodes[1], nodes[2]);
}

// Facets up to the end of the solid, whose name is whatever follows on its first and last lines.
static sn_status read_solid(sn_text_reader *reader, sn_mesh_builder *mesh, sn_mesh_weld *weld)
{
    sn_text_next_line(reader);
    for (;;) {
        sn_word word;
        sn_status status = sn_text_read_word(reader, "facet or endsolid", &word);
        if (status == SN_OK && sn_word_is_any_case(word, "endsolid")) {
            sn_text_next_line(reader);
            return SN_OK;
        }
        if (status == SN_OK && !sn_word_is_any_case(word, "facet")) {
            status = sn_text_fail(reader, "%s, expected facet or endsolid", sn_word_quote(word).text);
        }
        status = status ? status : read_facet(reader, mesh, weld);
        if (status != SN_OK) {
            return status;
        }
    }
}

static sn_status parse_text(sn_text_reader *reader, sn_mesh_builder *mesh, sn_mesh_weld *weld)
{
    sn_status status = SN_OK;
    sn_word word;
    while (status == SN_OK && sn_text_next(reader, &word)) {
        status = sn_word_is_any_case(word, "solid")
                     ? read_solid(reader, mesh, weld)
                     : sn_text_fail(reader, "%s, expected solid", sn_word_quote(word).text);
    }
    return status;
}

// --- bytes, little-endian ----------------------------------------------------------------------------------

static uint32_t word_at(const char *bytes)
{
    const unsigned char *b = (const unsigned char *)bytes;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static sn_status take_float(sn_text_reader *reader, float *value)
{
    uint32_t bits = word_at(reader->at);
    memcpy(value, &bits, sizeof *value);
    if (!(fabsf(*value) <= SN_MAX_COORDINATE)) {
        return sn_text_fail(reader, "coordinate is %.9g, expected a number from %.9g to %.9g", (double)*value,
                            -(double)SN_MAX_COORDINATE, (double)SN_MAX_COORDINATE);
    }
    reader->at += 4;
    return SN_OK;
}

static sn_status take_triangle(sn_text_reader *reader, sn_mesh_builder *mesh, sn_mesh_weld *weld)
{
    const char *next = reader->at + TRIANGLE_BYTES;
    reader->at += 3 * 4; // the normal
    uint32_t nodes[3] = {0};
    sn_status status = SN_OK;
    for (int i = 0; i < 3 && status == SN_OK; ++i) {
        sn_vec3 position;
        status = take_float(reader, &position.x);
        status = status ? status : take_float(reader, &position.y);
        status = status ? status : take_float(reader, &position.z);
        status = status ? status : sn_mesh_weld_node(weld, mesh, reader, position, &nodes[i]);
    }
    status = status ? status : sn_mesh_add_triangle(mesh, reader, nodes[0], nodes[1], nodes[2]);
    if (status == SN_OK) {
        reader->at = next;
    }
    return status;
}

static uint64_t bytes_of(uint32_t triangle_count)
{
    return HEADER_BYTES + 4 + (uint64_t)triangle_count * TRIANGLE_BYTES;
}

static sn_status parse_bytes(sn_text_reader *reader, sn_mesh_builder *mesh, sn_mesh_weld *weld)
{
    uint64_t size = (uint64_t)(reader->end - reader->start);
    reader->line = 0;
    reader->at = reader->start;
    if (size < HEADER_BYTES + 4) {
        return sn_text_fail(reader,
                            "the file has %llu bytes, expected the word solid or a header of %d bytes",
                            (unsigned long long)size, HEADER_BYTES + 4);
    }
    reader->at += HEADER_BYTES;
    uint32_t count = word_at(reader->at);
    if (count > SN_MAX_MESH_COUNT) {
        return sn_text_fail(reader, "number of triangles is %u, expected 0 to %d", count, SN_MAX_MESH_COUNT);
    }
    if (bytes_of(count) != size) {
        return sn_text_fail(reader, "the file has %llu bytes, expected %llu for its %u triangles",
                            (unsigned long long)size, (unsigned long long)bytes_of(count), count);
    }
    reader->at += 4;
    sn_status status = SN_OK;
    for (uint32_t i = 0; i < count && status == SN_OK; ++i) {
        status = take_triangle(reader, mesh, weld);
    }
    return status;
}

// Binary files are told by their length, since their header may say "solid" too.
static bool is_text(const sn_text_reader *reader)
{
    uint64_t size = (uint64_t)(reader->end - reader->start);
    if (size >= HEADER_BYTES + 4 && bytes_of(word_at(reader->start + HEADER_BYTES)) == size) {
        return false;
    }
    size_t sample = size < 512 ? (size_t)size : 512;
    sn_text_reader ahead = *reader;
    sn_word word;
    return memchr(reader->start, '\0', sample) == NULL && sn_text_next(&ahead, &word) &&
           sn_word_is_any_case(word, "solid");
}

sn_status sn_stl_parse(sn_text_reader *reader, sn_mesh_builder *mesh)
{
    sn_mesh_weld weld = {0};
    sn_status status = is_text(reader) ? parse_text(reader, mesh, &weld) : parse_bytes(reader, mesh, &weld);
    sn_mesh_weld_release(&weld);
    return status;
}

// --- writing -----------------------------------------------------------------------------------------------

sn_status sn_stl_write(const char *path, const sn_mesh_data *data)
{
    sn_output output;
    sn_status status = sn_output_open(&output, path);
    if (status != SN_OK) {
        return status;
    }
    static const char header[HEADER_BYTES] = "binary STL written by sinew";
    sn_output_bytes(&output, header, sizeof header);
    sn_output_u32(&output, (uint32_t)data->triangle_count);
    for (int i = 0; i < data->triangle_count; ++i) {
        const uint32_t *triangle = data->triangles + 3 * (size_t)i;
        sn_vec3 a = data->nodes[triangle[0]];
        sn_vec3 b = data->nodes[triangle[1]];
        sn_vec3 c = data->nodes[triangle[2]];
        sn_output_vec3(&output, sn_normalize(sn_cross(sn_sub(b, a), sn_sub(c, a))));
        sn_output_vec3(&output, a);
        sn_output_vec3(&output, b);
        sn_output_vec3(&output, c);
        sn_output_u16(&output, 0);
    }
    return sn_output_close(&output);
}
