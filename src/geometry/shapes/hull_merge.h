// From the triangles of a hull to its polygon faces. Knows nothing of how the triangles were found.
#ifndef SN_GEOMETRY_SHAPES_HULL_MERGE_H
#define SN_GEOMETRY_SHAPES_HULL_MERGE_H

#include "geometry/shapes/hull_build.h"

// The faces of a skin: triangles of one number make one flat polygon.
typedef struct sn_hull_faces {
    int count;
    int face_of[SN_MAX_HULL_TRIANGLES];
} sn_hull_faces;

// Joins neighbouring triangles while their vertices stay within ±tolerance (grid units) of a common plane and
// their outline stays one simple loop. `points` are the skin's vertices, at most
// SN_MAX_HULL_VERTICES.
void sn_hull_merge(const sn_grid_point *points, const sn_hull_skin *skin, double tolerance,
                   sn_hull_faces *faces);

// Unmarks vertices that are no corners, because fewer than three faces meet there or one turns inwards, and
// which lie within `tolerance` of the hull of those that stay marked; so not always all at once. Returns how
// many are marked. Or else returns −1: the merge has swallowed the rim of something thinner than its
// tolerance, and a finer one is called for.
int sn_hull_corners(const sn_grid_point *points, int vertex_count, const sn_hull_skin *skin,
                    const sn_hull_faces *faces, double tolerance, bool is_corner[SN_MAX_HULL_VERTICES]);

#endif
