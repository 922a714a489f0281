// What bounds of nodes do to the bodies that hold them. A bound takes the end that is held as if it had
// infinite mass (bound_block.h). Where a body holds it that can be pushed, and weighs much more than all the
// nodes, that is a good guess, and the body gets what nodes got from it after every sweep: nothing is lost.
#ifndef SN_SOLVER_NODES_BOUND_REACTIONS_H
#define SN_SOLVER_NODES_BOUND_REACTIONS_H

#include "solver/nodes/node_solver.h"

// A node, by the world's number, that a body holds, by the solver's.
typedef struct sn_bound_holder {
    int node, body;
} sn_bound_holder;

// The bounds of a deformable that bodies hold, and those that do.
typedef struct sn_bound_reaction {
    sn_element_group *bounds;
    const sn_bound_holder *holders;
    int holder_count;
    sn_vec3 *fresh;  // by node of its own: impulses that its body did not get yet; zeros between sweeps [N s]
    sn_vec3 *pulled; // and all of the step
} sn_bound_reaction;

typedef struct sn_bound_reactions {
    struct sn_solver *solver;
    sn_bound_reaction *data;
    int count;
} sn_bound_reactions;

// A stage that comes after those of all other coupling rows, and after bounds were swept.
sn_coupling_stage sn_bound_reactions_stage(sn_bound_reactions *reactions);

#endif
