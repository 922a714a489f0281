// Deformables against each other and against themselves: nodes against faces, edges against edges, with the
// thickness of both sheets between them and a memory of sides.
#ifndef SN_COLLISION_SOFT_SOFT_FEATURE_PAIRS_H
#define SN_COLLISION_SOFT_SOFT_FEATURE_PAIRS_H

#include "collision/soft/soft_view.h"

// Called with two features that may meet: a node and a face of the other, or two edges. False stops.
typedef bool (*sn_soft_pair_function)(void *context, uint32_t feature_a, uint32_t feature_b);

// Nodes of a against faces of b, and, if `edges`, edges of a against edges of b, that may come nearer than
// thickness and margin within the step. Flat edges are left out: nodes and faces are enough for them. Both
// surfaces have been looked at and their boxes fitted. False if stopped.
bool sn_soft_surface_pairs(const sn_soft_view *a, const sn_soft_view *b, bool edges,
                           sn_soft_pair_function function, void *context);
// The same of one surface with itself, which sn_verlet_list_update was called for in this step. Features that
// share a node are left out. Parts of it that are neighbours at rest and face the same way cannot meet and
// are passed over (Volino and Magnenat-Thalmann 1994).
bool sn_soft_surface_self_pairs(const sn_soft_view *view, sn_soft_pair_function function, void *context);

// Adds the pairs of one surface with itself to its list of those that are near. Its boxes are those of where
// the nodes are, of faces grown by their slack; faces within an angle of that cosine look the same way.
// False without memory.
bool sn_soft_surface_list_pairs(sn_soft_surface *surface, float aligned, float growth);

// Node of a against face of b; edge of a against edge of b. The normal leads from b to a; weights of b are
// negative. As in soft_shape.h otherwise.
bool sn_soft_node_meets_face(const sn_soft_view *a, uint32_t node, const sn_soft_view *b, uint32_t face,
                             const sn_soft_contact_data *previous, sn_soft_contact_data *contact);
bool sn_soft_edges_meet(const sn_soft_view *a, uint32_t edge_a, const sn_soft_view *b, uint32_t edge_b,
                        const sn_soft_contact_data *previous, sn_soft_contact_data *contact);

#endif
