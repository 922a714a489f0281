// Shared by the files of debug drawing: a pencil that calls the user's callbacks and skips missing ones.
#ifndef SN_WORLD_DRAW_DRAW_H
#define SN_WORLD_DRAW_DRAW_H

#include "sinew/draw.h"
#include "world/core/world.h"

// Of contact normals. [m]
#define SN_NORMAL_LENGTH 0.1f
// Lines of a full circle; divisible by four.
#define SN_CIRCLE_LINES 24

// Colours by what is drawn.
typedef enum sn_pen {
    SN_PEN_STATIC = 0x9e9e9e,
    SN_PEN_KINEMATIC = 0x4a90d9,
    SN_PEN_AWAKE = 0xf5a623,
    SN_PEN_ASLEEP = 0x6b5536,
    SN_PEN_FROZEN = 0xe02020,
    SN_PEN_BOUNDS = 0x7a7ad0,
    SN_PEN_AXIS_X = 0xff4040,
    SN_PEN_AXIS_Y = 0x40ff40,
    SN_PEN_AXIS_Z = 0x4060ff,
    SN_PEN_LINK = 0x808040,
    SN_PEN_JOINT = 0xd0d040,
    SN_PEN_EXACT = 0x40d0d0,   // points of anchors held exactly
    SN_PEN_INSTEAD = 0xe07030, // held by rows although asked to be exact
    SN_PEN_OFF = 0x505050,     // of anchors that do not hold now
    SN_PEN_LIMIT = 0xd06090,
    SN_PEN_TOUCHING = 0xff3030,
    SN_PEN_NEAR = 0x308030,
    SN_PEN_FORCE = 0xff30ff,
    SN_PEN_MASS_CENTER = 0xffffff,
    SN_PEN_TEXT = 0xe0e0e0,
    SN_PEN_SLACK = 0x405060, // bounds that carry nothing
    SN_PEN_TAUT = 0x30c0ff,
    SN_PEN_UNION = 0xb060ff,
    SN_PEN_SUPPORTED = 0x40e080,
} sn_pen;

typedef struct sn_pencil {
    const sn_world *world;
    const sn_draw *draw;
    sn_color color;
    sn_vec3 circle[SN_CIRCLE_LINES + 1]; // cosine and sine in x and y; the last point is the first again
    // By body, then by deformable: the lowest number of its island; null if not asked for.
    const int *islands;
} sn_pencil;

// --- draw.c --------------------------------------------------------------------------------------

void sn_pencil_line(const sn_pencil *pencil, sn_vec3 a, sn_vec3 b);
void sn_pencil_point(const sn_pencil *pencil, sn_vec3 position, float size_pixels);
// The twelve edges of a box.
void sn_pencil_box(const sn_pencil *pencil, sn_bounds bounds);
void sn_pencil_triangle(const sn_pencil *pencil, sn_vec3 a, sn_vec3 b, sn_vec3 c);
void sn_pencil_text(const sn_pencil *pencil, sn_vec3 position, const char *text);
// `lines` pieces of the circle center + cos · u + sin · v, from its start at u.
void sn_pencil_arc(const sn_pencil *pencil, sn_vec3 center, sn_vec3 u, sn_vec3 v, int lines);

// --- draw_shapes.c -------------------------------------------------------------------------------

// Outline, triangles or both, as the user wants, in the pencil's colour.
void sn_draw_shape(const sn_pencil *pencil, const sn_shape_data *shape, sn_pose pose);

// --- draw_links.c --------------------------------------------------------------------------------

// A line with a head; nothing if it has no length.
void sn_draw_arrow(const sn_pencil *pencil, sn_vec3 from, sn_vec3 along);
void sn_draw_constraint(sn_pencil *pencil, int index);
// Points and normals, forces, as the user wants.
void sn_draw_contact(sn_pencil *pencil, const sn_contact_data *contact);

// --- draw_soft.c ---------------------------------------------------------------------------------

void sn_draw_deformable(sn_pencil *pencil, int index);
// Point and normal, force, as the user wants.
void sn_draw_soft_contact(sn_pencil *pencil, const sn_soft_contact_data *contact);

// --- draw_loads.c --------------------------------------------------------------------------------

// Bounds, unions and what is supported.
void sn_draw_loads(sn_pencil *pencil);

// --- draw_islands.c ------------------------------------------------------------------------------

// The lowest number of everything's island: by body, then by deformable. Null without memory. To be released
// with its size.
int *sn_draw_find_islands(const sn_world *world, size_t *bytes);
// A colour that neighbouring islands seldom share; darker when asleep.
sn_color sn_draw_island_color(int island, bool asleep);

#endif
