// What constraints with ends of nodes need besides end.h: see joint_nodes.c.
#ifndef SN_SOLVER_ROWS_JOINT_NODES_H
#define SN_SOLVER_ROWS_JOINT_NODES_H

#include "solver/rows/joints.h"

// What a unit impulse along each axis does at most to the velocity of an end along it.
sn_vec3 sn_joint_node_response(const sn_joint_pass *pass, const sn_node_end *end);

// The stage of constraints that touch nodes, for a node solver's list.
sn_coupling_stage sn_joints_coupling_stage(sn_joints *joints);

#endif
