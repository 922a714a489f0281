/// \file
/// Points of anything, the ends of constraints: a place in the world, a point of a rigid body, or a weighted
/// sum of up to four nodes of a deformable (a node, an edge, a face, a tetrahedron). So soft–soft,
/// soft–rigid, soft–world and rigid–rigid need no kinds of constraints of their own.
///
/// Kinds of constraints that hold an orientation (hinge, slider, fixed, ball with limits, a motor or a
/// spring) need ends that have one: a place in the world, a body, or a frame of three nodes.
#ifndef SINEW_POINT_H
#define SINEW_POINT_H

#include "base.h"
#include "math.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sn_point_type {
    SN_POINT_WORLD,
    SN_POINT_RIGID,
    SN_POINT_NODES,
    SN_POINT_SURFACE ///< slides along a deformable's surface; at one end of exact ball constraints only
} sn_point_type;

/// A point that moves with what it belongs to. Make one with the functions below.
typedef struct sn_point {
    sn_point_type type;
    sn_vec3 position; ///< in the world, or in the body's frame [m]
    sn_quat rotation; ///< of the frame it carries: in the world, in the body's frame, or in the frame of the
                      ///< nodes; a zero quaternion stands for identity
    sn_rigid rigid;
    sn_deformable deformable;
    int node_count;   ///< 1…4
    int nodes[4];     ///< of the deformable
    float weights[4]; ///< ≥ 0, their sum is one within 1e-4
    bool has_frame;   ///< of three nodes: they make a frame, see sn_point_frame
} sn_point;

/// A fixed place.
SN_API sn_point sn_point_world(sn_vec3 position);
/// A fixed place and orientation.
SN_API sn_point sn_point_world_frame(sn_pose pose);
/// A point of a body, in its frame.
SN_API sn_point sn_point_rigid(sn_rigid rigid, sn_vec3 local);
/// A point of a body and an orientation there, in the body's frame.
SN_API sn_point sn_point_rigid_frame(sn_rigid rigid, sn_pose local);
/// The point of a body that is at a place in the world now. A zero id if the body does not exist.
SN_API sn_point sn_point_on_rigid(const sn_world *world, sn_rigid rigid, sn_vec3 position);
/// A node.
SN_API sn_point sn_point_node(sn_deformable deformable, int node);
/// A weighted sum of up to four nodes; what is wrong with them is told when the point is used.
SN_API sn_point sn_point_nodes(sn_deformable deformable, const int *nodes, const float *weights, int count);
/// The frame of three different nodes: its origin is their mean (unless `weights` are changed), x leads from
/// the first to the second, z is normal to the triangle, on the side from which it is seen counter-clockwise.
/// The origin is fixed in the frame, as a point of a body would be: where the mean is while the triangle has
/// its rest shape. It moves with the nodes' mass centre, or with those that are fixed, and turns with the
/// frame.
SN_API sn_point sn_point_frame(sn_deformable deformable, const int nodes[3]);
/// The point of a deformable nearest to a place in the world now: inside a tetrahedron, on a triangle or on
/// an edge. No nodes if the deformable does not exist.
SN_API sn_point sn_point_on_deformable(const sn_world *world, sn_deformable deformable, sn_vec3 position);
/// Wherever the surface of a deformable (its triangles, or the edges of a strand) is nearest to the other end
/// of an exact ball constraint: it slides along, and stops at rims and ends. `nodes` and `weights` tell where
/// it is now; as given they are ignored.
SN_API sn_point sn_point_surface(sn_deformable deformable);
/// Where a point is now. SN_ERROR_ID, SN_ERROR_RANGE, SN_ERROR_NULL.
SN_API sn_status sn_point_place(const sn_world *world, const sn_point *point, sn_vec3 *position);
/// Where a point is now and how the frame it carries is turned: not at all for nodes without a frame. Errors
/// as for sn_point_place.
SN_API sn_status sn_point_pose(const sn_world *world, const sn_point *point, sn_pose *pose);

#ifdef __cplusplus
}
#endif
#endif
