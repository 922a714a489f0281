// Loops over the nodes of a range, four at a time: forces change velocities, velocities change positions.
#ifndef SN_SOLVER_NODES_NODE_MOTION_H
#define SN_SOLVER_NODES_NODE_MOTION_H

#include "solver/nodes/node_solver.h"

// Arrays of the nodes of a range.
typedef struct sn_node_run {
    sn_node_state *states;
    sn_node_velocity *velocities;
    const sn_vec3 *forces; // of the user [N]
    const sn_vec3 *starts; // where nodes were when the step began
    sn_vec3 *moved;        // since then
} sn_node_run;

// The share of a multirate force, gravity, the user's forces and damping of nodes that are free to move,
// during h.
void sn_node_run_push(sn_node_run run, const sn_node_range *range, float h, int begin, int end);

// The share alone.
void sn_node_run_share(sn_node_run run, const sn_node_range *range, int begin, int end);

// Moves nodes by h times their velocities. Positions are start + moved, which rounds once a step instead of
// once a sub-step.
void sn_node_run_move(sn_node_run run, float h, int begin, int end);

#endif
