// Rigid-mode correction (substructuring) for contacts and anchors of the staggered solver. Two sweeps carry
// an impulse only two nodes far: a jelly of ten layers, pushed at its lowest nodes, would be crushed before
// the topmost layers are slowed. So rows use what elements would make of an impulse P, given enough sweeps:
//
//   W P = (1 − θ) M⁻¹ P + θ R M⁻¹ P
//
// R projects a field of velocities onto the rigid motion with the same momentum and angular momentum; θ is
// the rigid share of the deformable (sn_node_range). Both terms are symmetric, positive and conserve the
// momenta of P; so does W. A row that moves a node by (1 − θ) of its inverse mass and the rigid mode by θ of
// its own finds the right impulse in one sweep, however many layers there are.
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
    // Its motion that has not been added to its nodes yet, θ included.
    sn_vec3 linear, angular;
} sn_rigid_mode;

// Where a contact acts on a rigid mode: Σ α over its nodes, and Σ α r, r from the mass centre. A contact of a
// deformable with itself has a weight of zero.
typedef struct sn_rigid_mode_point {
    float weight;
    sn_vec3 arm;
} sn_rigid_mode_point;

// Of a range of nodes where they are now; without one (θ = 0) if the range has no rigid share or fixed nodes.
sn_rigid_mode sn_rigid_mode_of(const sn_node_range *range, const sn_node_state *nodes);

// dᵀ W e at a point, without the nodes' own part.
float sn_rigid_mode_response(const sn_rigid_mode *rigid_mode, const sn_rigid_mode_point *point, sn_vec3 d,
                             sn_vec3 e);
void sn_rigid_mode_push(sn_rigid_mode *rigid_mode, const sn_rigid_mode_point *point, sn_vec3 impulse);
// Its part of the velocity of a contact point.
sn_vec3 sn_rigid_mode_velocity(const sn_rigid_mode *rigid_mode, const sn_rigid_mode_point *point);
// Adds its motion to the velocities of all its nodes and sets it to zero.
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
