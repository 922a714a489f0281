/// \file
/// Triangles of shapes, for drawing and for export.
#ifndef SINEW_SCENE_TRIANGLES_H
#define SINEW_SCENE_TRIANGLES_H

#include "sinew/sinew.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Triangles with a normal at each vertex: sharp edges have their vertices twice.
typedef struct sn_triangles {
    sn_vec3 *positions, *normals; ///< vertex_count each
    uint32_t *indices;            ///< 3 for each triangle, counter-clockwise from outside
    int vertex_count, triangle_count;
} sn_triangles;

/// The surface of a shape in the frame of its body. `detail` (8…256) is the number of segments around a round
/// shape; a plane becomes a square of `plane_size` [m] (more than 0, at most 1e7; looked at for planes only)
/// around the point nearest the body's origin. Boxes and hulls have flat faces; surfaces are smooth where
/// their triangles meet at less than 30°. SN_ERROR_NULL, SN_ERROR_ID, SN_ERROR_RANGE, SN_ERROR_MEMORY. On
/// failure `*triangles` is empty. Message in sn_scene_error().
SN_API sn_status sn_shape_triangles(const sn_world *world, sn_shape shape, int detail, float plane_size,
                                    sn_triangles *triangles);
/// Frees the arrays and empties the struct. Null is fine.
SN_API void sn_triangles_release(sn_triangles *triangles);

#ifdef __cplusplus
}
#endif
#endif
