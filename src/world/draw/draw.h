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
    SN_PEN_STATIC,
    SN_PEN_KINEMATIC,
    SN_PEN_AWAKE,
    SN_PEN_ASLEEP,
    SN_PEN_FROZEN,
    SN_PEN_BOUNDS,
    SN_PEN_AXIS_X,
    SN_PEN_AXIS_Y,
    SN_PEN_AXIS_Z,
    SN_PEN_LINK,
    SN_PEN_JOINT,
    SN_PEN_EXACT,   // points of anchors held exactly
    SN_PEN_INSTEAD, // held by rows although asked to be exact
    SN_PEN_OFF,     // of anchors that do not hold now
    SN_PEN_LIMIT,
    SN_PEN_TOUCHING,
    SN_PEN_NEAR,
    SN_PEN_FORCE,
    SN_PEN_MASS_CENTER,
    SN_PEN_TEXT,
    SN_PEN_SLACK, // bounds that carry nothing
    SN_PEN_TAUT,
    SN_PEN_UNION,
    SN_PEN_SUPPORTED,
    SN_PEN_COUNT
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

void sn_pencil_take(sn_pencil *pencil, sn_pen pen);
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
