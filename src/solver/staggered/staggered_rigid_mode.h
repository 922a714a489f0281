// A deformable as one body, for contacts and anchors of the staggered schedule. Two sweeps carry a push two
// nodes far: pushed at its lowest nodes alone, a jelly of ten layers is crushed before the topmost hear of
// the floor. So they reckon with what elements, given enough sweeps, make of a push P:
//
//   W P = (1 − θ) M⁻¹ P + θ R M⁻¹ P
//
// where R takes of a field of velocities the rigid one that has its momentum and angular momentum, and θ
// says how firmly nodes are held together (sn_node_range). Both terms are symmetric and positive, and have
// the momenta of P; so has W. One that pushes a node by (1 − θ) of its inverse mass and the whole by θ
// of its own finds the right impulse at once, however many layers are above.
#ifndef SN_SOLVER_STAGGERED_STAGGERED_RIGID_MODE_H
#define SN_SOLVER_STAGGERED_STAGGERED_RIGID_MODE_H

#include "matter/rigid.h"
#include "solver/nodes/node_solver.h"

typedef struct sn_rigid_mode {
    int first, count; // nodes
    float held;       // θ
    sn_vec3 center;
    float inverse_mass;
    sn_sym3 inverse_inertia; // zero about axes that nodes in a line lie on
    // The motion it was pushed into and has not yet handed out to its nodes, θ included.
    sn_vec3 linear, angular;
} sn_rigid_mode;

// Where a contact pushes a whole: Σ α over its nodes, and Σ α r, r from the mass centre. A contact of a
// deformable with itself has a weight of zero.
typedef struct sn_rigid_mode_point {
    float weight;
    sn_vec3 arm;
} sn_rigid_mode_point;

// Of a range of nodes where they are now. Not held together, or held by fixed nodes, it is none: θ is 0.
sn_rigid_mode sn_rigid_mode_of(const sn_node_range *range, const sn_node_state *nodes);

// dᵀ W e at a point, without the nodes' own part.
float sn_rigid_mode_response(const sn_rigid_mode *rigid_mode, const sn_rigid_mode_point *point, sn_vec3 d,
                             sn_vec3 e);
void sn_rigid_mode_push(sn_rigid_mode *rigid_mode, const sn_rigid_mode_point *point, sn_vec3 impulse);
// What it adds to the velocity of a point of contact.
sn_vec3 sn_rigid_mode_velocity(const sn_rigid_mode *rigid_mode, const sn_rigid_mode_point *point);
// Adds its motion to the velocities of all its nodes, and stands.
void sn_rigid_mode_hand_out(sn_rigid_mode *rigid_mode, const sn_element_pass *pass);

// All of a step's, for rows to share.
typedef struct sn_rigid_modes {
    sn_rigid_mode *items; // by range
    int count;
    int *of; // range by the world's number of a node
} sn_rigid_modes;

// Whether some deformable has a rigid mode.
bool sn_has_rigid_modes(const sn_node_solver *solver);
// Makes them, if there are any, the shared motion of the nodes. A deformable some of whose nodes are held
// exactly has none. False without memory.
bool sn_rigid_modes_begin(sn_node_solver *solver);
// Adds their motions to the velocities of all nodes.
void sn_rigid_modes_hand_out(sn_rigid_modes *rigid_modes, const sn_element_pass *pass);

#endif
