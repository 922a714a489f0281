// Chains of bodies that hard hinges with parallel axes join, open, closed, free or held: mechanisms of a
// plane. Out of that plane such a chain moves as one rigid body. Rows that know two bodies each pass this on
// one neighbour a sweep, so that long chains twist and sag; here it is met in every sweep, by the whole chain
// at once (hinge chains, Müller et al. 2017; methods E.4, the version with blocks for each body, which keeps
// momenta).
//
// With n the normal of the plane and r_k the place of body k from the chain's centre, the speeds n·v_k and
// the tilting ω_k⊥ become those of one motion V + (Ω×r_k)·n and Ω, where V and Ω ⊥ n are what the momenta of
// the chain along n and about the axes across it give. This is the projection on the motions that hinges
// allow, in the metric of masses: it adds no energy. Of a chain that is held, V and Ω are those of what holds
// it.
#ifndef SN_SOLVER_ROWS_HINGE_PLANES_H
#define SN_SOLVER_ROWS_HINGE_PLANES_H

#include "solver/rows/joints.h"

// Chains of fewer dynamic bodies are left to their rows.
#define SN_LEAST_CHAIN 3

// A body of a chain.
typedef struct sn_plane_member {
    int body;
    sn_vec3 axis; // that is parallel to the normal, in the body's frame
    float offset; // of its mass centre from the plane, along the normal [m]
    // Where bodies are now, in the plane's axes across the normal.
    float mass, place[2];
    float tilt_mass[3];    // the inverse of (I⁻¹)⊥: xx xy yy
    float height, tilt[2]; // how far it is off, as the bias [m/s, rad/s]
    // The tree of hinges in which it was found, for the forces that hinges report.
    int hinge, parent; // towards the root: a constraint, −1 for none, and a member, −1 if that holds
    bool is_b;         // it is the hinge's b
    sn_vec3 impulse, rotation; // linear and angular ones that it got in this step
} sn_plane_member;

typedef struct sn_hinge_plane {
    int first, count; // members
    int holder;       // kinematic body or 0, which hold the plane; −1 of a free chain
    sn_vec3 holder_axis;
    float holder_offset;
    // Where bodies are now.
    sn_vec3 normal, across[2], center;
    double work;      // of the holder, until somebody asks [J]
    double masses[6]; // of a free chain: the matrix of its momenta by V and Ω, xx yx yy zx zy zz
} sn_hinge_plane;

typedef struct sn_hinge_planes {
    sn_hinge_plane *planes;
    sn_plane_member *members;
    int count, member_count;
} sn_hinge_planes;

// hinge_chains.c: finds the chains among a set of constraints. False without memory.
bool sn_hinge_planes_find(sn_joints *joints, sn_hinge_planes *planes);
// Where bodies are now.
void sn_hinge_planes_refresh(const sn_joints *joints);

// Velocities by body, and what rounding has cut off them (null: nothing is kept).
typedef struct sn_body_motions {
    sn_solver_velocity *velocities, *residues;
} sn_body_motions;

// Projects motions of bodies; `use_bias` also brings bodies back to their places in the plane by the end of
// the sub-step.
void sn_hinge_planes_project(const sn_joints *joints, const sn_body_motions *motions, bool use_bias);
// Adds what planes did in the step to the forces of hinges, as if these had passed it on: along the tree, so
// that hinges that close loops have no part in it.
void sn_hinge_planes_share(const sn_joints *joints);

#endif
