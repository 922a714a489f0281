/// \file
/// Debug drawing through callbacks: the world says what to draw, the user's renderer draws.
#ifndef SINEW_DRAW_H
#define SINEW_DRAW_H

#include "base.h"
#include "math.h"
#include "shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/// 0xRRGGBB.
typedef uint32_t sn_color;

typedef struct sn_draw {
    /// Callbacks; null ones are skipped. Everything is in world coordinates.
    void (*line)(sn_vec3 a, sn_vec3 b, sn_color color, void *user);
    void (*point)(sn_vec3 position, float size_pixels, sn_color color, void *user);
    void (*triangle)(sn_vec3 a, sn_vec3 b, sn_vec3 c, sn_color color, void *user);
    /// A whole sphere or capsule (a = b for a sphere); without it, they are drawn by lines.
    void (*capsule)(sn_vec3 a, sn_vec3 b, float radius, sn_color color, void *user);
    void (*text)(sn_vec3 position, const char *text, sn_color color, void *user);
    void *user;
    bool shapes;      ///< outlines of shapes and edges of deformables, colour by state (awake, asleep, …)
    bool solid;       ///< triangles of shapes and deformables as well
    bool bounds;      ///< boxes of shapes and deformables
    bool constraints; ///< frames and links; points of anchors, colour by how they are held, and what they
                      ///< slide on
    bool contacts;    ///< points and normals
    bool contact_forces; ///< arrows, force_scale metres per newton
    bool mass_centers;
    bool islands;    ///< colour by island instead of by state
    bool long_range; ///< what carries loads: bounds, taut ones bright; members of unions, joined to the
                     ///< first; a point in what is supported
    bool names;
    float force_scale; ///< default 0.001 m/N
} sn_draw;

/// All callbacks null, shapes and constraints on.
SN_API sn_draw sn_draw_default(void);
/// Draws the world as it is now. The callbacks must neither change nor query it (SN_ERROR_LOCKED).
/// SN_ERROR_NULL, SN_ERROR_NOT_FINITE or SN_ERROR_RANGE (force_scale below 0 or above 1e6), SN_ERROR_LOCKED,
/// SN_ERROR_MEMORY (islands only).
SN_API sn_status sn_world_draw(const sn_world *world, const sn_draw *draw);

#ifdef __cplusplus
}
#endif
#endif
