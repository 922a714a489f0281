/// \file
/// Questions about where shapes and deformables are: rays, sweeps, overlaps, closest points. They never
/// change the world and see it as it was after the last step and the changes since.
///
/// Of deformables, rays, sweeps, closest points and picking see the surface where its nodes are now, without
/// its thickness: triangles from both sides, and of strands their edges, as thick as they are.
#ifndef SINEW_QUERY_H
#define SINEW_QUERY_H

#include "anchor.h"
#include "base.h"
#include "math.h"
#include "shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Which shapes and deformables a query sees: category and mask as in sn_filter.
typedef struct sn_query_filter {
    uint64_t category, mask;
} sn_query_filter;

/// Sees everything: category and mask all ones.
SN_API sn_query_filter sn_query_filter_default(void);

typedef struct sn_hit {
    sn_shape shape; ///< null id if no shape was hit
    sn_rigid rigid;
    sn_vec3 point;  ///< on the shape or deformable [m]
    sn_vec3 normal; ///< of the shape there, outwards; against the ray if its origin lies inside, and
                    ///< always so of a deformable
    float fraction; ///< of the translation, 0…1
    int part;       ///< triangle of a surface or part of a compound, else 0
    sn_deformable deformable; ///< null id if no deformable was hit
    int face;                 ///< triangle of the deformable's mesh; of a strand, edge
    float weights[3];         ///< of the nodes of that face for the point: ≥ 0, their sum is one
} sn_hit;

/// Called for every hit in no particular order; return false to stop. It must neither change the world nor
/// query it (SN_ERROR_LOCKED).
typedef bool (*sn_hit_function)(const sn_hit *hit, void *user);

/// Nearest hit of the segment origin … origin + translation. `*hit` with a null shape and a null deformable
/// means none. Of shapes hit at the same fraction it is the one with the lowest index; shapes go
/// before deformables. Surfaces are hit from the front
/// only unless double-sided. SN_ERROR_NULL, SN_ERROR_NOT_FINITE, SN_ERROR_RANGE (|translation| = 0 or beyond
/// SN_MAX_COORDINATE), SN_ERROR_LOCKED.
SN_API sn_status sn_world_ray(const sn_world *world, sn_vec3 origin, sn_vec3 translation,
                              sn_query_filter filter, sn_hit *hit);
/// The nearest hit of each shape and each deformable.
SN_API sn_status sn_world_ray_all(sn_world *world, sn_vec3 origin, sn_vec3 translation,
                                  sn_query_filter filter, sn_hit_function function, void *user);

/// First hit of a solid moving by `translation` without turning. Fraction 0, with the normal of the shortest
/// way out, if it starts overlapping; what merely touches at the start may slide along or leave. Errors as
/// above, and SN_ERROR_ROTATION or SN_ERROR_KIND for a bad solid.
SN_API sn_status sn_world_sweep(const sn_world *world, const sn_solid *solid, sn_vec3 translation,
                                sn_query_filter filter, sn_hit *hit);

/// Shapes that overlap the solid (of surfaces, the triangles): up to `capacity` ids in `out`, in index order,
/// and how many there are in `*count`. `out` may be null if `capacity` is 0. SN_ERROR_NULL,
/// SN_ERROR_NOT_FINITE, SN_ERROR_RANGE, SN_ERROR_ROTATION, SN_ERROR_KIND, SN_ERROR_LOCKED.
SN_API sn_status sn_world_overlap(const sn_world *world, const sn_solid *solid, sn_query_filter filter,
                                  sn_shape *out, int capacity, int *count);
/// Shapes whose bounds overlap the box (those of a plane are everywhere).
SN_API sn_status sn_world_overlap_bounds(const sn_world *world, sn_bounds bounds, sn_query_filter filter,
                                         sn_shape *out, int capacity, int *count);

/// Deformables that overlap the solid: their tetrahedra, triangles or, of strands, edges, as thick as they
/// are. Up to `capacity` ids in `out`, in index order, and how many there are in `*count`. Errors as of
/// sn_world_overlap.
SN_API sn_status sn_world_overlap_deformables(const sn_world *world, const sn_solid *solid,
                                              sn_query_filter filter, sn_deformable *out, int capacity,
                                              int *count);
/// Deformables whose bounds, those of their nodes, overlap the box. Errors as of sn_world_overlap_bounds.
SN_API sn_status sn_world_overlap_deformable_bounds(const sn_world *world, sn_bounds bounds,
                                                    sn_query_filter filter, sn_deformable *out, int capacity,
                                                    int *count);

typedef struct sn_closest {
    sn_shape shape; ///< null id if no shape is nearest
    sn_rigid rigid;
    sn_vec3 point;            ///< on the shape or deformable
    sn_vec3 normal;           ///< from there to the asked point; outwards if that lies inside
    float distance;           ///< negative inside; the asked point is point + distance · normal
    sn_deformable deformable; ///< null id if no deformable is nearest
    int face;                 ///< of the deformable, and weights of its nodes, as in sn_hit
    float weights[3];
} sn_closest;

/// The point of any shape or deformable nearest to `point`, no farther than `reach` (> 0, finite); inside
/// several shapes, the one of the deepest. Surfaces and deformables have no inside. SN_ERROR_NULL,
/// SN_ERROR_NOT_FINITE, SN_ERROR_RANGE, SN_ERROR_LOCKED.
SN_API sn_status sn_world_closest(const sn_world *world, sn_vec3 point, float reach, sn_query_filter filter,
                                  sn_closest *closest);

/// Picks up whatever the segment hits first: `*point` is a point of it, to be dragged by a compliant anchor
/// whose other end is a place in the world. `hit` may be null. If nothing is hit, `*point` is the end of the
/// segment, a place in the world, and the ids in `*hit` are null. Errors as of sn_world_ray.
///
/// Dragging with a mouse: pick when the button goes down; sn_anchor_add between sn_point_world(hit.point) and
/// the picked point, with some compliance and damping and a max_force of a few times the weight; at every
/// move sn_anchor_point_set with the place under the mouse; sn_anchor_remove when the button goes up.
SN_API sn_status sn_world_pick(const sn_world *world, sn_vec3 origin, sn_vec3 translation,
                               sn_query_filter filter, sn_point *point, sn_hit *hit);

#ifdef __cplusplus
}
#endif
#endif
