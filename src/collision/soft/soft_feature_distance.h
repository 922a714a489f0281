// How far features of surfaces are apart: nodes and faces, edges and edges, whole faces. Cheap questions that
// most pairs fail, and distances for Verlet lists. Tested by tests/collision/soft/test_verlet_list.c.
#ifndef SN_COLLISION_SOFT_SOFT_FEATURE_DISTANCE_H
#define SN_COLLISION_SOFT_SOFT_FEATURE_DISTANCE_H

#include "collision/soft/soft_view.h"

// Whether a node may come close enough to the plane of a face within the step, and two edges to each other.
bool sn_soft_may_meet_face(const sn_soft_view *a, uint32_t node, const sn_soft_view *b, uint32_t face);
bool sn_soft_may_meet_edge(const sn_soft_view *a, const uint32_t *nodes_a, const sn_soft_view *b,
                           const uint32_t *nodes_b);

// Whether two edges may be within `reach` of each other: the balls around them and their lines are.
bool sn_soft_are_edges_close(const sn_node_state *nodes, const uint32_t *edge, const sn_node_state *others,
                             const uint32_t *other, float reach);
// Between two edges: where their lines are closest, if that is on both, or at an end.
float sn_soft_edge_distance(const sn_node_state *nodes, const uint32_t *edge, const sn_node_state *others,
                            const uint32_t *other);
// Two triangles are no closer than this: how far they are apart along the line between their middles, or
// along their normals; negative or zero if they overlap along all.
float sn_soft_face_gap(const sn_vec3 a[3], const sn_vec3 b[3]);

#endif
