// Felt masses: the inverse masses that rows use. An impulse on a node moves more than the node where an exact
// attachment holds it (exact.h) or where an implicit model answers (node_response.h). These set the felt mass
// of their nodes once a step; a node belongs to one of them at most. The nodes' own inverse masses are never
// written.
//
// Rows read positions and felt inverse masses together, one record a node, through pass.felt. If no felt mass
// is set, these records are the nodes' own states; otherwise a copy, whose positions are updated when nodes
// have moved.
//
// A row then changes velocities by P w_felt instead of P w. Whoever set the mass corrects that: it stores
// velocities before rows run and turns their changes back into impulses afterwards.
#ifndef SN_SOLVER_NODES_NODE_FELT_H
#define SN_SOLVER_NODES_NODE_FELT_H

#include "solver/nodes/node_solver.h"

// Felt masses become the nodes' own.
void sn_felt_begin(sn_node_solver *solver);
// False without memory.
bool sn_felt_set(sn_node_solver *solver, int node, float inverse_mass);
// Whether the felt mass of a node has been set.
static inline bool sn_felt_is_set(const sn_node_solver *solver, int node)
{
    return solver->pass.felt[node].inverse_mass != solver->pass.nodes[node].inverse_mass;
}
// Updates the positions of the records.
void sn_felt_follow(sn_node_solver *solver);

#endif
