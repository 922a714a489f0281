// What constraints with ends of nodes need besides end.h: see joint_nodes.c.
#ifndef SN_SOLVER_ROWS_JOINT_NODES_H
#define SN_SOLVER_ROWS_JOINT_NODES_H

#include "solver/rows/joints.h"
#include "solver/staggered/staggered_rigid_mode.h"

// The deformable as one body, if the schedule has such, and where the end is on it; null for none.
sn_rigid_mode *sn_joint_rigid_mode(const sn_joint_pass *pass, const sn_node_end *end,
                                   sn_rigid_mode_point *point);
// What a unit impulse along each axis does at most to the velocity of an end along it.
sn_vec3 sn_joint_node_response(const sn_joint_pass *pass, const sn_node_end *end);

// The stage of constraints that touch nodes, for a node solver's list.
sn_coupling_stage sn_joints_coupling_stage(sn_joints *joints);

#endif
