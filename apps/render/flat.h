// Text and panels in pixels, over everything.
#ifndef SINEW_RENDER_FLAT_H
#define SINEW_RENDER_FLAT_H

#include "apps/render/shaders.h"
#include "scene/list.h"

typedef struct flat_vertex {
    float position[2]; // from the upper left corner [pixels]
    float inside[2];   // of a panel: from its middle [pixels]; of a glyph: place in the texture
    float panel[3];    // half width, half height, corner radius [pixels]; radius −1 for glyphs
    uint8_t color[4];
} flat_vertex;

typedef struct flat_layer {
    unsigned vertex_array, vertex_buffer, texture;
    float text_height;         // line height [pixels]; 0 without a font, when text is left out
    float ascent;              // from the top of a line to its base [pixels]
    int texture_size;          // [texels]
    struct flat_glyph *glyphs; // where each is in the texture
    SN_LIST(flat_vertex) vertices;
} flat_layer;

// Red, green, blue and how opaque, 0xRRGGBBAA.
typedef uint32_t flat_color;

// For a picture of this height; a missing font is no failure. False: sn_scene_error().
bool flat_create(flat_layer *layer, int picture_height);
void flat_destroy(flat_layer *layer);

// How wide a text is [pixels]. Text is UTF-8; what the font lacks becomes a box.
float flat_text_width(const flat_layer *layer, const char *text);
// Adds a line of text whose upper left corner is at (x, y); false without memory (sn_scene_error()).
bool flat_add_text(flat_layer *layer, float x, float y, const char *text, flat_color color);
// Adds a panel with rounded corners.
bool flat_add_panel(flat_layer *layer, float x, float y, float width, float height, float radius,
                    flat_color color);
// Draws what was added since the last time.
void flat_draw(flat_layer *layer, const shader_set *shaders);

#endif
