// Eight contacts of deformables side by side, laid out for the wide kernels. Padding lanes refer to node 0,
// the dummy, and to body 0, have no mass, are far apart and compute zeros.
#ifndef SN_SOLVER_CONTACT_SOFT_CONTACT_BLOCK_H
#define SN_SOLVER_CONTACT_SOFT_CONTACT_BLOCK_H

#include "collision/soft/soft_contact.h"
#include "solver/elements/element.h"
#include "solver/solver.h"

// A separation that no motion closes. [m]
#define SN_SOFT_FAR 1.0e6f

// Least speed that other contacts may add to the approach of a lane, as a part of the speed at which
// penetration is undone.
#define SN_SOFT_WAKE_PART 0.05f

// What the lanes of a block touch besides nodes.
typedef enum sn_soft_partner {
    SN_PARTNER_NONE,   // nothing that moves
    SN_PARTNER_OWN,    // each its own body
    SN_PARTNER_SHARED, // all the same dynamic body
    SN_PARTNER_HEAVY   // the same, which weighs much more than all nodes of the batch
} sn_soft_partner;

// What sweeps read comes first, side by side.
typedef struct sn_soft_block {
    _Alignas(64) int32_t node[SN_SOFT_NODES][SN_LANES];
    sn_lanes weight[SN_SOFT_NODES];
    sn_lanes push[SN_SOFT_NODES]; // weight × inverse mass: what an impulse of 1 does to the node
    sn_lanes normal[3], tangent[3], bitangent[3];
    sn_lanes normal_mass, tangent_mass; // 1/κ
    sn_lanes separation;                // now
    sn_lanes bias_rate;                 // part of a penetration that is removed in a second
    sn_lanes friction;
    sn_lanes now; // the separation in the present iteration of the position solver
    sn_lanes normal_impulse, tangent_impulse[2];
    sn_lanes total_normal, total_tangent[2];
    sn_lanes borne;  // normal impulses that pass through the nodes: friction bears them, too
    sn_lanes arm[3]; // from the mass centre, with a body only
    int width;       // most nodes of any lane; of all if it follows
    sn_soft_partner partner;
    int batch;    // of a heavy body: blocks of one number follow each other and are solved at once
    bool follows; // a ball: see sn_soft_contact_data
    bool has_restitution;
    bool has_borne;
    bool has_surface_velocity;
    int32_t body[SN_LANES];  // solver numbers
    int32_t input[SN_LANES]; // number of the contact, −1 for padding
    sn_lanes restitution;
    sn_lanes start_separation;
    sn_lanes start_point[3];      // weighted sum of the nodes when the step began
    sn_lanes approach;            // normal velocity before this sub-step's solve
    sn_lanes peak;                // largest normal impulse of this sub-step, if anything may bounce
    sn_lanes surface_velocity[3]; // of the other side, beyond that of its body
    // If it follows.
    sn_lanes ball[3], reach;
    sn_lanes axis[3];      // what is along it does not count; zero for a ball
    sn_lanes side, out[3]; // of the surface: which one the ball is on, and its normal at an edge or node
    // With a body only.
    sn_lanes start_arm[3];    // from the mass centre
    sn_lanes goes;            // 1: impulses act where the nodes are; 0: at the arm of the step's beginning
    sn_lanes start_offset[3]; // of the ball, from there
    sn_lanes node_kappa;      // the nodes' part of κ
    sn_lanes sharing;         // lanes that share the body, each with that part of it
    sn_lanes inverse_mass[3];
    sn_lanes inverse_inertia[6]; // xx yy zz xy xz yz
    // While contacts are solved all at once (jacobi.c): what nodes and the body are split into. 0 for lanes
    // that do not act.
    sn_lanes parts, body_parts;
} sn_soft_block;

typedef struct sn_soft_pass {
    const sn_element_pass *nodes;
    sn_solver_velocity *velocities, *residues; // of bodies
    const sn_solver_shift *shifts;
    const sn_solver_inertia *inertias;
    int dynamic_begin;
    sn_soft_block *blocks;
    uint8_t *rests;   // by block: left out of this sub-step, as all lanes are apart and without impulse
    float *fastest;   // by block: at which its lanes approach or are pushed out [m/s]
    float wake_speed; // speed that other contacts may add to the approach of lanes [m/s]
    float push_speed, restitution_threshold;
    bool use_bias; // solve; else relax
    bool is_first; // refreshing when the step begins
} sn_soft_pass;

// The kernels, over blocks [begin, end).
typedef void (*sn_soft_kernel)(const sn_soft_pass *pass, int begin, int end);
typedef struct sn_soft_kernels {
    sn_soft_kernel measure, warm_start, solve, project, refresh, finish;
} sn_soft_kernels;

SN_DECLARE_KERNELS(sn_soft_kernels, sn_soft_kernels);

// What passes through a node: from a lane to a lane, counted over all blocks.
typedef struct sn_soft_load {
    int32_t from, to;
    float weight;
} sn_soft_load;

// How contacts are packed. A unit is a run of blocks that one thread solves in order; units of one colour are
// independent of each other.
typedef struct sn_soft_packing {
    sn_soft_pass pass;
    const sn_soft_kernels *kernels;
    int block_count, color_count;
    int *unit_begin;  // by unit, its first block; one more at the end
    int *color_begin; // by colour, its first unit; one more at the end
    sn_soft_load *loads;
    int load_count;
    const sn_solver *rigid;
} sn_soft_packing;

#endif
