// Collision exclusions of deformables. A hard anchor holds a node closer to something else than surfaces with
// a thickness may come, so contact and anchor would work against each other in every step. Contacts are
// therefore excluded between what an anchor holds together:
//
//   - the nodes at one end of an anchor and the body or the nodes at its other end;
//   - nodes around them that the body covers (world/constraints/anchor_surroundings.c);
//   - nodes that exact anchors make one point, and its parent body;
//   - whatever slides along a surface, and all of that surface.
//
// Everything around them collides as before.
#ifndef SN_COLLISION_SOFT_SOFT_EXCLUSIONS_H
#define SN_COLLISION_SOFT_SOFT_EXCLUSIONS_H

#include "collision/soft/soft_contact.h"

// One end of an anchor at one of its nodes.
typedef struct sn_soft_exclusion {
    int anchor, end; // nodes at both ends of the same anchor do not collide
    int node;        // the world's number
    int next;        // exclusion of the same node, −1 after the last
    int set;         // nodes that exact anchors make one point, −1 for none; the same for all of a node
    int parent;      // the parent body of that point, −1 for none
    int body;        // at the other end of the anchor, −1 for none
    int slides_on;   // the deformable along which the other end slides, −1 for none
} sn_soft_exclusion;

// A body that slides along the surface of a deformable.
typedef struct sn_soft_sliding_body {
    int body, deformable;
} sn_soft_sliding_body;

typedef struct sn_soft_exclusions {
    const sn_soft_exclusion *list;
    const int *first; // by node: its first exclusion plus one, 0 for none
    int node_count;   // of `first`; later nodes have none
    const sn_soft_sliding_body *sliding_bodies;
    int sliding_body_count;
} sn_soft_exclusions;

#endif
