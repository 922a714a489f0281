// Eight contact patches side by side, laid out for the wide kernels: structure of arrays, one lane a patch.
// Padding lanes point at body 0 and have no mass, so they compute zeros.
#ifndef SN_SOLVER_CONTACT_CONTACT_BLOCK_H
#define SN_SOLVER_CONTACT_CONTACT_BLOCK_H

#include "base/processor.h"
#include "base/simd.h"
#include "solver/solver.h"

// Separation of points that a lane does not have, while others of its block do: they get a mass when bodies
// turn. [m]
#define SN_FAR_APART 1.0e6f

// One point of each of the eight patches.
typedef struct sn_contact_lane_point {
    sn_lanes start_turn_a[3], start_turn_b[3]; // arms × normal and
    sn_lanes start_separation;                 // separation when the step began
    sn_lanes turn_a[3], turn_b[3];             // of arms to the point where the two bodies meet now
    sn_lanes spin_a[3], spin_b[3];             // what an impulse of 1 gives to the bodies' spins
    sn_lanes normal_mass;                      // 1/κ
    sn_lanes lever;                            // distance from the friction centre, along the surface
    sn_lanes normal_impulse;
    sn_lanes now;       // separation in the present iteration of the position solver
    sn_lanes begun;     // the same taken back to where the sub-step began (ahead in sn_contact_pass)
    sn_lanes before;    // what it was there
    sn_lanes reference; // Λ_ref: what softness does not pull the impulse away from [N s]
    sn_lanes approach;  // normal velocity before this sub-step's solve
    sn_lanes peak;      // largest normal impulse of this sub-step
    sn_lanes total_normal;
    sn_lanes fastest; // fastest approach that met an impulse
} sn_contact_lane_point;

typedef struct sn_contact_block {
    int32_t body_a[SN_LANES], body_b[SN_LANES];
    int32_t input[SN_LANES]; // number of the contact input, −1 for padding
    union {
        sn_lanes scalars; // not by lane: see sn_repeat_scalars
        struct {
            int point_count; // most points of any lane
            int first_point; // in the solver's array of lane points
            bool has_rolling, has_restitution, has_surface_velocity;
            bool has_turned; // a body turned so far in this step that masses are found anew
            bool is_deep;    // a patch overlaps so far that positions are pushed apart
        };
    };
    sn_lanes normal[3], tangent[3];
    sn_lanes inverse_mass_a[3], inverse_mass_b[3];
    sn_lanes inverse_inertia_a[6], inverse_inertia_b[6]; // xx yy zz xy xz yz
    sn_lanes friction, restitution, rolling_resistance;
    sn_lanes bias_rate, mass_scale, impulse_scale;
    // Parts of Λ − Λ_ref by which references follow in a sub-step: of the patch's mean, and of the points'
    // deviations from it.
    sn_lanes settle_rate, tilt_rate;
    // Friction of the whole patch, at its centre of pressure: two directions, and twist about the normal.
    sn_lanes start_center_a[3], start_center_b[3];
    sn_lanes center_a[3], center_b[3];
    sn_lanes
        share_a; // of the bodies' relative motion that arms a take: 1 if only b can move, 0 if only a, else ½
    sn_lanes tangent_mass[3]; // inverse of the 2×2 matrix K_t: 11, 12, 22
    sn_lanes slip_mass;       // 1 / largest eigenvalue of K_t
    sn_lanes twist_mass;
    sn_lanes tangent_impulse[2], twist_impulse, rolling_impulse[3];
    sn_lanes total_tangent[2];
    sn_lanes rolling_mass[6];
    sn_lanes surface_velocity[2]; // of b's surface against a's, along the two directions of friction
    sn_lanes parts; // that bodies are split into while contacts are solved all at once (jacobi.c)
} sn_contact_block;

// What a kernel reads besides its block.
typedef struct sn_contact_pass {
    sn_solver_velocity *velocities;
    const sn_solver_shift *shifts;
    const sn_solver_inertia *inertias;
    int dynamic_begin;
    sn_contact_block *blocks;
    sn_contact_lane_point *points;
    float h, inverse_h, push_speed, restitution_threshold;
    float ahead;       // as in sn_element_pass [s]
    bool is_projected; // bodies are elsewhere in every sweep: blocks are measured before each of them
    // How fast velocities push out of overlaps, beyond those that loads cause. Deeper ones need faster
    // pushes, which change positions alone (sn_run_push_apart). [m/s]
    float bias_limit;
    sn_solver_velocity *moves; // motion of positions while something overlaps deeply: velocities and pushes
    bool use_bias;             // solve; else relax
    bool backwards;            // direction of the sub-step
} sn_contact_pass;

// The kernels, over blocks [begin, end), in the order they run in a sub-step.
typedef struct sn_contact_kernels {
    void (*measure)(const sn_contact_pass *pass, int begin, int end);
    void (*warm_start)(const sn_contact_pass *pass, int begin, int end);
    void (*solve)(const sn_contact_pass *pass, int begin, int end);
    void (*project)(const sn_contact_pass *pass, int begin, int end); // impulses alone (jacobi.c)
    void (*push_apart)(const sn_contact_pass *pass, int begin, int end);
    void (*finish)(const sn_contact_pass *pass, int begin, int end);
} sn_contact_kernels;

SN_DECLARE_KERNELS(sn_contact_kernels, sn_contact_kernels);

// How patches of one colour (or of the serial overflow, one a block) are packed.
typedef struct sn_contact_packing {
    sn_contact_block *blocks;
    sn_contact_lane_point *points;
    int block_count, point_count;
} sn_contact_packing;

// Fills block `block` from the inputs it lists.
void sn_contact_block_fill(const sn_solver *solver, sn_contact_packing *packing, int block);
// Writes impulses back to the patches of block `block`.
void sn_contact_block_store(const sn_solver *solver, const sn_contact_packing *packing, int block);
// Points and normal of a patch that was found again where its bodies are now; impulses stay what they are.
void sn_contact_lane_replace(const sn_solver *solver, sn_contact_packing *packing, sn_contact_block *block,
                             int lane, sn_patch *found);

#endif
