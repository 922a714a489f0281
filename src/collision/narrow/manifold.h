// Contact manifolds of two convex shapes: a normal and up to four points with features that persist from step
// to step. In the frame of shape a; knows nothing of bodies, impulses or time.
#ifndef SN_COLLISION_NARROW_MANIFOLD_H
#define SN_COLLISION_NARROW_MANIFOLD_H

#include "geometry/shapes/convex.h"
#include "geometry/shapes/surface.h"

#define SN_MANIFOLD_POINTS 4

typedef struct sn_manifold_point {
    sn_vec3 position; // half-way between the two surfaces, in the frame of a
    float separation; // along the normal; negative when penetrating
    uint32_t feature; // the features in contact: stable while they are
} sn_manifold_point;

typedef struct sn_manifold {
    sn_vec3 normal; // unit, from a to b, in the frame of a
    int count;      // 0 when farther apart than the margin
    sn_manifold_point points[SN_MANIFOLD_POINTS];
} sn_manifold;

// Any two convex shapes; points with separation ≤ margin. Full patches for face contacts of polyhedra and
// capsules lying on them; one point otherwise.
void sn_collide_convex(const sn_convex *a, const sn_convex *b, sn_pose b_in_a, float margin,
                       sn_manifold *manifold);

// A half-space (plane normal · p ≤ offset, in a's frame) against a convex.
void sn_collide_plane(sn_plane plane, const sn_convex *b, sn_pose b_in_a, float margin,
                      sn_manifold *manifold);

// One triangle of a surface (in a's frame) against a convex. `active_edges` as in sn_surface: a contact at an
// inactive edge or its corners points along the face normal. One-sided triangles ignore what is behind them
// (a core centre behind the face).
void sn_collide_triangle(const sn_vec3 corners[3], uint8_t active_edges, bool double_sided,
                         const sn_convex *b, sn_pose b_in_a, float margin, sn_manifold *manifold);

// Keeps the four points (of `count` ≤ 256) that best span the patch: the deepest, the farthest from it, and
// those of largest area on both sides. Deterministic; compacts in place and returns the new count (≤ 4).
int sn_manifold_reduce(sn_manifold_point *points, int count, sn_vec3 normal);

#endif
