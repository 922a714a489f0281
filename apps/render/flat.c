// Glyphs by stb_truetype, packed into one texture; panels with rounded corners; one draw call for all.
#include "apps/render/flat.h"

#include "apps/render/context.h"
#include "scene/message.h"

#include <epoxy/gl.h>
#include <math.h>
#include <stb_truetype.h>
#include <stdio.h>
#include <string.h>

#ifndef RENDER_FONT
#define RENDER_FONT "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
#endif

#define LARGEST_FONT    (32 << 20) // bytes; a larger file is no font
#define LARGEST_TEXTURE 4096

struct flat_glyph {
    stbtt_packedchar packed;
};

// The characters that are there: Latin, Greek, punctuation, super- and subscripts, arrows, mathematics.
static const struct {
    int first, count;
} ranges[] = {{0x20, 95},   {0xa0, 96},   {0x100, 128}, {0x370, 144}, {0x2010, 24},
              {0x2070, 32}, {0x2100, 80}, {0x2190, 16}, {0x2200, 112}};
enum { RANGE_COUNT = sizeof ranges / sizeof *ranges };

static int glyph_count(void)
{
    int count = 0;
    for (int i = 0; i < RANGE_COUNT; ++i) {
        count += ranges[i].count;
    }
    return count;
}

// --- font --------------------------------------------------------------------------------------------------

static unsigned char *read_font(void)
{
    FILE *file = fopen(RENDER_FONT, "rb");
    if (file == NULL) {
        return NULL;
    }
    unsigned char *bytes = NULL;
    long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (size > 0 && size < LARGEST_FONT && fseek(file, 0, SEEK_SET) == 0) {
        bytes = malloc((size_t)size);
        if (bytes != NULL && fread(bytes, 1, (size_t)size, file) != (size_t)size) {
            free(bytes);
            bytes = NULL;
        }
    }
    fclose(file);
    return bytes;
}

// Packs all glyphs into a square of this size; false if they do not fit.
static bool pack_glyphs(const unsigned char *font, float height, unsigned char *texels, int size,
                        struct flat_glyph *glyphs)
{
    stbtt_pack_range wanted[RANGE_COUNT];
    stbtt_packedchar *packed = &glyphs->packed;
    for (int i = 0; i < RANGE_COUNT; ++i) {
        wanted[i] = (stbtt_pack_range){.font_size = height,
                                       .first_unicode_codepoint_in_range = ranges[i].first,
                                       .num_chars = ranges[i].count,
                                       .chardata_for_range = packed};
        packed += ranges[i].count;
    }
    stbtt_pack_context context;
    if (!stbtt_PackBegin(&context, texels, size, size, 0, 1, NULL)) {
        return false;
    }
    stbtt_PackSetOversampling(&context, 2, 1);
    bool fit = stbtt_PackFontRanges(&context, font, 0, wanted, RANGE_COUNT) != 0;
    stbtt_PackEnd(&context);
    return fit;
}

static void upload_texture(flat_layer *layer, const unsigned char *texels)
{
    glGenTextures(1, &layer->texture);
    glBindTexture(GL_TEXTURE_2D, layer->texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, layer->texture_size, layer->texture_size, 0, GL_RED,
                 GL_UNSIGNED_BYTE, texels);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
}

// The smallest texture the glyphs fit in. Without memory there is no text, as without a font.
static void load_font(flat_layer *layer, float height)
{
    unsigned char *font = read_font();
    stbtt_fontinfo info;
    if (font == NULL || stbtt_GetNumberOfFonts(font) < 1 || !stbtt_InitFont(&info, font, 0)) {
        free(font);
        return;
    }
    int ascent = 0, descent = 0, gap = 0;
    stbtt_GetFontVMetrics(&info, &ascent, &descent, &gap);
    layer->glyphs = calloc((size_t)glyph_count(), sizeof *layer->glyphs);
    bool fit = false;
    for (int size = 512; layer->glyphs != NULL && size <= LARGEST_TEXTURE && !fit; size *= 2) {
        unsigned char *texels = malloc((size_t)size * (size_t)size);
        fit = texels != NULL && pack_glyphs(font, height, texels, size, layer->glyphs);
        if (fit) {
            layer->texture_size = size;
            upload_texture(layer, texels);
            layer->text_height = height;
            layer->ascent = stbtt_ScaleForPixelHeight(&info, height) * (float)ascent;
        }
        free(texels);
    }
    free(font);
}

bool flat_create(flat_layer *layer, int picture_height)
{
    const GLsizei stride = sizeof(flat_vertex);
    memset(layer, 0, sizeof *layer);
    glGenVertexArrays(1, &layer->vertex_array);
    glGenBuffers(1, &layer->vertex_buffer);
    glBindVertexArray(layer->vertex_array);
    glBindBuffer(GL_ARRAY_BUFFER, layer->vertex_buffer);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, stride, (const void *)offsetof(flat_vertex, position));
    glVertexAttribPointer(1, 2, GL_FLOAT, GL_FALSE, stride, (const void *)offsetof(flat_vertex, inside));
    glVertexAttribPointer(2, 3, GL_FLOAT, GL_FALSE, stride, (const void *)offsetof(flat_vertex, panel));
    glVertexAttribPointer(3, 4, GL_UNSIGNED_BYTE, GL_TRUE, stride,
                          (const void *)offsetof(flat_vertex, color));
    for (GLuint i = 0; i < 4; ++i) {
        glEnableVertexAttribArray(i);
    }
    load_font(layer, sn_clamp(roundf(0.026f * (float)picture_height), 11.0f, 128.0f));
    return context_check("making the glyphs of labels");
}

void flat_destroy(flat_layer *layer)
{
    glDeleteVertexArrays(1, &layer->vertex_array);
    glDeleteBuffers(1, &layer->vertex_buffer);
    glDeleteTextures(1, &layer->texture);
    free(layer->glyphs);
    SN_LIST_FREE(&layer->vertices);
    memset(layer, 0, sizeof *layer);
}

// --- text --------------------------------------------------------------------------------------------------

// The next character of UTF-8 text; bytes that are none count as one box each.
static int next_character(const char **text)
{
    const unsigned char *bytes = (const unsigned char *)*text;
    int more = bytes[0] >= 0xf0 ? 3 : bytes[0] >= 0xe0 ? 2 : bytes[0] >= 0xc0 ? 1 : 0;
    int character = more == 3   ? bytes[0] & 7
                    : more == 2 ? bytes[0] & 15
                    : more == 1 ? bytes[0] & 31
                                : bytes[0];
    for (int i = 1; i <= more; ++i) {
        if ((bytes[i] & 0xc0) != 0x80) {
            *text += 1;
            return -1;
        }
        character = character << 6 | (bytes[i] & 63);
    }
    *text += 1 + more;
    return character;
}

// Characters that the font has no glyph for are drawn as its question mark.
static const stbtt_packedchar *find_glyph(const flat_layer *layer, int character)
{
    int start = 0, unknown = '?' - ranges[0].first;
    for (int i = 0; i < RANGE_COUNT; ++i) {
        if (character >= ranges[i].first && character < ranges[i].first + ranges[i].count) {
            return &layer->glyphs[start + character - ranges[i].first].packed;
        }
        start += ranges[i].count;
    }
    return &layer->glyphs[unknown].packed;
}

float flat_text_width(const flat_layer *layer, const char *text)
{
    float width = 0.0f;
    while (layer->text_height > 0.0f && *text != '\0') {
        width += find_glyph(layer, next_character(&text))->xadvance;
    }
    return width;
}

// A rectangle as two triangles; corners of `from` and `to` go with those of `inside_from` and `inside_to`.
static bool add_rectangle(flat_layer *layer, const float from[2], const float to[2],
                          const float inside_from[2], const float inside_to[2], const float panel[3],
                          flat_color color)
{
    static const int corners[6] = {0, 1, 2, 2, 1, 3};
    for (int i = 0; i < 6; ++i) {
        int x = corners[i] & 1, y = corners[i] >> 1;
        flat_vertex vertex = {
            .position = {x ? to[0] : from[0], y ? to[1] : from[1]},
            .inside = {x ? inside_to[0] : inside_from[0], y ? inside_to[1] : inside_from[1]},
            .panel = {panel[0], panel[1], panel[2]},
            .color = {(uint8_t)(color >> 24), (uint8_t)(color >> 16), (uint8_t)(color >> 8), (uint8_t)color}};
        if (!SN_LIST_PUSH(&layer->vertices, vertex)) {
            sn_scene_fail(SN_ERROR_MEMORY, "no memory for the labels of the picture");
            return false;
        }
    }
    return true;
}

bool flat_add_text(flat_layer *layer, float x, float y, const char *text, flat_color color)
{
    static const float no_panel[3] = {0.0f, 0.0f, -1.0f};
    float base = roundf(y + layer->ascent), scale = 1.0f / (float)layer->texture_size;
    while (layer->text_height > 0.0f && *text != '\0') {
        const stbtt_packedchar *glyph = find_glyph(layer, next_character(&text));
        float from[2] = {x + glyph->xoff, base + glyph->yoff};
        float to[2] = {x + glyph->xoff2, base + glyph->yoff2};
        float inside_from[2] = {scale * glyph->x0, scale * glyph->y0};
        float inside_to[2] = {scale * glyph->x1, scale * glyph->y1};
        if (!add_rectangle(layer, from, to, inside_from, inside_to, no_panel, color)) {
            return false;
        }
        x += glyph->xadvance;
    }
    return true;
}

bool flat_add_panel(flat_layer *layer, float x, float y, float width, float height, float radius,
                    flat_color color)
{
    float half[3] = {0.5f * width, 0.5f * height, radius};
    // A pixel more on each side leaves room for soft edges.
    float from[2] = {x - 1.0f, y - 1.0f}, to[2] = {x + width + 1.0f, y + height + 1.0f};
    float inside_from[2] = {-half[0] - 1.0f, -half[1] - 1.0f},
          inside_to[2] = {half[0] + 1.0f, half[1] + 1.0f};
    return add_rectangle(layer, from, to, inside_from, inside_to, half, color);
}

void flat_draw(flat_layer *layer, const shader_set *shaders)
{
    if (layer->vertices.count == 0) {
        return;
    }
    glBindVertexArray(layer->vertex_array);
    glBindBuffer(GL_ARRAY_BUFFER, layer->vertex_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)layer->vertices.count * sizeof(flat_vertex)),
                 layer->vertices.items, GL_STREAM_DRAW);
    glActiveTexture(GL_TEXTURE0 + TEXTURE_GLYPHS);
    glBindTexture(GL_TEXTURE_2D, layer->texture);
    glUseProgram(shaders->programs[SHADER_FLAT]);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glDrawArrays(GL_TRIANGLES, 0, layer->vertices.count);
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
    layer->vertices.count = 0;
}
