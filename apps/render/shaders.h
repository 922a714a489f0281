// The programs that run for every vertex and pixel, and the numbers they share.
#ifndef SINEW_RENDER_SHADERS_H
#define SINEW_RENDER_SHADERS_H

#include "apps/render/view.h"

typedef enum shader_kind {
    SHADER_SHADOW,       // bodies, depth only, as the key light sees them
    SHADER_SURFACE,      // bodies: colour, normal and depth
    SHADER_BOX,          // the same of boxes, with rounded edges
    SHADER_SKIN,         // the same of deformables
    SHADER_GROUND_DEPTH, // planes: normal and depth
    SHADER_OCCLUSION,    // how much of the sky the surroundings of a pixel hide
    SHADER_SMOOTH,       // that, smoothed
    SHADER_SOLID,        // bodies, lit
    SHADER_GROUND,       // planes, lit
    SHADER_OPEN_GROUND,  // the same where nothing is near
    SHADER_FAR_SIDE,     // the far side of deformables that let light through
    SHADER_CLEAR,        // their near side, lit
    SHADER_BACKDROP,     // what is behind everything
    SHADER_LINE,         // lines and points of constant width in pixels
    SHADER_FLAT,         // text and panels
    SHADER_COUNT
} shader_kind;

// Slots of vertex attributes.
enum {
    ATTRIBUTE_CORNER,
    ATTRIBUTE_NORMAL,
    ATTRIBUTE_ROW_0, // of the matrix that places an instance; two more rows follow
    ATTRIBUTE_ROW_1,
    ATTRIBUTE_ROW_2,
    ATTRIBUTE_SIZE, // extent and radius
    ATTRIBUTE_COLOR,
    ATTRIBUTE_MATERIAL, // of skins
    ATTRIBUTE_GRAIN     // of skins: where in the weave
};

// Slots of textures.
enum {
    TEXTURE_SHADOW,
    TEXTURE_SHADOW_DEPTH,
    TEXTURE_COLOR,
    TEXTURE_NORMAL,
    TEXTURE_DEPTH,
    TEXTURE_OCCLUSION,
    TEXTURE_GLYPHS
};

// What all programs see: the GLSL block `frame`, std140. Places are relative to the eye.
typedef struct shader_frame {
    render_matrix clip;      // from world to clip space
    float right[4];          // of the view; w: slope of its right edge
    float up[4];             // of the view; w: slope of its upper edge
    float forward[4];        // of the view; w: its largest depth [m]
    float size[4];           // width and height [pixels], and one over them
    float zenith[4];         // up in the world; w: how far from a place others can occlude it [m]
    float key[4];            // towards the light; w: how far off surfaces shadows are looked up [m]
    float light[4];          // the key light's red, green, blue
    float shadow_rows[3][4]; // from world to shadow map, 0…1
    float shadow_sizes[4];   // texel [m], depth of the map [m], 1 / texels, least depth of a gap (part of it)
} shader_frame;

typedef struct shader_set {
    unsigned programs[SHADER_COUNT];
    unsigned frame_buffer; // holds the block `frame`
} shader_set;

// False: sn_scene_error() holds the compiler's log. An OpenGL context must be current.
bool shaders_create(shader_set *shaders);
void shaders_destroy(shader_set *shaders);
// Puts the numbers where the programs find them.
void shaders_set_frame(const shader_set *shaders, const shader_frame *frame);

#endif
