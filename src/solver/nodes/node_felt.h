// What nodes weigh for rows. A row that pushes a node pushes more than that where the node is held exactly
// (exact.h) or is part of a body that answers as one (node_response.h): these say so here, once a step, and a
// node belongs to one of them at most. Inverse masses of the nodes' own state are never written.
//
// Rows read places and felt inverse masses together, one record a node, through pass.felt. Where no node
// feels heavier than it is, these records are the nodes' own states; else a copy, whose places follow when
// nodes have moved.
//
// Rows then change velocities by P w_felt instead of P w, which those who set the mass put right around them:
// they remember velocities before and turn changes back into impulses after.
#ifndef SN_SOLVER_NODES_NODE_FELT_H
#define SN_SOLVER_NODES_NODE_FELT_H

#include "solver/nodes/node_solver.h"

// Every node feels as heavy as it is.
void sn_felt_begin(sn_node_solver *solver);
// False without memory.
bool sn_felt_set(sn_node_solver *solver, int node, float inverse_mass);
// Whether somebody has set what it weighs.
static inline bool sn_felt_is_set(const sn_node_solver *solver, int node)
{
    return solver->pass.felt[node].inverse_mass != solver->pass.nodes[node].inverse_mass;
}
// Places of the records become those of the nodes.
void sn_felt_follow(sn_node_solver *solver);

#endif
