// Coincident points made one. Knows nothing of triangles.
#ifndef SN_GEOMETRY_MESH_WELD_H
#define SN_GEOMETRY_MESH_WELD_H

#include "sinew/math.h"

// Goes through the points in order; one that lies within `tolerance` (in every coordinate) of one kept before
// is welded to it, else it is kept. `kept_as` gets the number among the kept, which are moved to the front of
// `points`. Points with kept_as < 0 on entry are left out. Returns how many are kept, −1 without memory.
// Coordinates divided by the tolerance must stay below 1e9.
int sn_weld(sn_vec3 *points, int count, float tolerance, int *kept_as);

#endif
