// One end of a constraint as the solver sees it: a point, with the frame it carries, of a rigid body, of a
// weighted sum of one to four nodes, of a frame that three nodes span, or of nothing that moves.
//
// To rows every end is a body: it has a centre that impulses move without turning it, an inverse mass, an
// inverse inertia and a velocity. For a sum of nodes p = Σ αₖ xₖ the inverse mass is Σ αₖ² wₖ and there is no
// rotation. For a frame of three nodes the angular velocity is a linear function of theirs, ω = Σ Gₖ vₖ, with
// Σ Gₖ = 0; its centre is their mass centre, because a force there changes all three velocities alike and so
// turns nothing: rows need no term that couples the two. The point of such an end is fixed in the frame,
// where its weights put it while the triangle has its rest shape: so its velocity is that of the centre and
// the frame's rotation alone, and forces of rows are gradients of what they hold.
#ifndef SN_SOLVER_ROWS_END_H
#define SN_SOLVER_ROWS_END_H

#include "matter/nodes.h"
#include "matter/rigid.h"

typedef struct sn_solver_end {
    int node_count; // 0: a body or a fixed place
    int nodes[4];   // the world's numbers
    float weights[4];
    int body;         // solver number; 0 for what does not move
    sn_vec3 local;    // of a body: the point in its frame, from its mass centre
    sn_vec3 fixed;    // where the point is if nothing moves it
    sn_quat rotation; // of the frame at the point, in the body, in the frame of the nodes or in the world
    bool has_frame;   // of nodes: the first three span a frame
    sn_vec3 rest[3];  // of a frame: its triangle at rest, anywhere
} sn_solver_end;

// Nodes of an end while rows act on it, made by sn_end_of_nodes.
typedef struct sn_node_end {
    int count, nodes[4];
    float weights[4];   // αₖ: of the centre
    float inverse_mass; // Σ αₖ² wₖ
    bool has_frame;     // the rest is of a frame only
    sn_mat3 turns[3];   // Gₖ
    sn_sym3 inverse_inertia;
} sn_node_end;

// Where an end is.
typedef struct sn_end_place {
    sn_vec3 center;
    sn_quat body_rotation; // of the body, or of the frame of nodes
    sn_pose frame;         // at the point
    sn_vec3 arm;           // from the centre to the point
} sn_end_place;

// The orientation of a frame of three nodes: x from the first to the second, z normal to the triangle. Where
// the nodes are on a line, or coincide, the axes that this leaves open are any that are perpendicular.
sn_quat sn_node_frame(const sn_vec3 corners[3]);
// Where an end of nodes is with the nodes moved on by `time` at their velocities, and how it answers impulses
// with the inverse masses of `states`.
sn_end_place sn_end_of_nodes(const sn_solver_end *end, const sn_node_state *states,
                             const sn_node_velocity *velocities, float time, sn_node_end *nodes);
// Velocities of the centre and of the frame.
void sn_node_end_velocity(const sn_node_end *end, const sn_node_velocity *velocities, sn_vec3 *linear,
                          sn_vec3 *angular);
// Adds an impulse at the centre and an angular impulse.
void sn_node_end_push(const sn_node_end *end, const sn_node_state *states, sn_node_velocity *velocities,
                      sn_vec3 impulse, sn_vec3 angular_impulse);

#endif
