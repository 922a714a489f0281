// The rigid motion within a motion of nodes: the one that has its momentum and its angular momentum. Models
// whose arithmetic keeps those only nearly (goals fitted to predicted places, solutions of an iteration) take
// the rigid part out of what they change; damping spares it. Sums are in double: they are differences of
// products over any number of nodes.
#ifndef SN_MODEL_GOALS_RIGID_PART_H
#define SN_MODEL_GOALS_RIGID_PART_H

#include "matter/nodes.h"

// A node at x moves with linear + angular × (x − nodes[0].position − center).
typedef struct sn_rigid_part {
    sn_vec3 center; // of mass, as seen from the first node [m]
    sn_vec3 linear, angular;
} sn_rigid_part;

// The rigid part of `field`, the velocities (or changes of them) of `count` nodes. Fixed nodes have none.
sn_rigid_part sn_rigid_part_of(const sn_node_state *nodes, int count, const sn_vec3 *field);
sn_vec3 sn_rigid_part_at(const sn_rigid_part *part, const sn_node_state *nodes, int node);

// Makes `change` one that inner forces could make: without net momentum. If a node is fixed, what holds it
// may have given some: then nothing is done.
void sn_rigid_part_remove(const sn_node_state *nodes, int count, sn_vec3 *change);

#endif
