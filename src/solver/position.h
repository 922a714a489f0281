// The position solver (Frâncu and Moldoveanu 2017; methods D and J.1): nonlinear projection of positions onto
// all rows, by the kernels of the velocity solver.
//
// A sub-step of length h looks for the velocities u that lead from x₀ to x = x₀ + h u where every row is met:
// C(x) = 0 of hard rows, C(x) + αλ = 0 of soft ones, with Coulomb's law of contacts. In every iteration all
// rows are linearised where bodies and nodes are now, at x_k. A row of the velocity solver asks for
// J·u + C(x₀)/h = 0; here C(x₀) is replaced by C(x_k) − h J·u_k, which is C(x₀) to first order, with the
// gradients of x_k. (`ahead` of the passes is h during iterations.) So iterations converge to C(x) = 0
// itself, however far the sub-step leads, and everything that goes by velocities (damping, motors, friction,
// which is "no displacement since the sub-step began") is as it was.
//
//   forces, models and drag change velocities; soft rows begin with their last impulses, hard rows with none
//   repeat: move from x₀ with u; linearise; one sweep
//   move; hard rows take out what is left of their speeds (relax); what was hit bounces
//
// Stiffness is the material's own: nothing is clamped. With one iteration and many sub-steps this is XPBD.
#ifndef SN_SOLVER_POSITION_H
#define SN_SOLVER_POSITION_H

#include "solver/jacobi.h"

// Velocities of all bodies and nodes as they were at some time.
typedef struct sn_velocity_copy {
    sn_solver_velocity *bodies;
    sn_node_velocity *nodes;
} sn_velocity_copy;

// Where a sub-step begins.
typedef struct sn_projection {
    sn_solver_body *bodies;
    sn_solver_shift *shifts;
    sn_vec3 *moved;          // by node
    sn_node_state *nodes;    // the same
    sn_velocity_copy begun;  // by Newmark's rule, before forces
    sn_velocity_copy before; // a sweep while errors are measured
    sn_jacobi jacobi;
    sn_schedule iteration;
} sn_projection;

// How many times the velocity solver's stiffness overlapping contacts of rigid bodies have.
float sn_position_contact_growth(sn_solver_type type, const sn_position *position);

static inline size_t sn_node_count_of(const sn_solver *solver)
{
    return solver->nodes.nodes != NULL ? (size_t)solver->nodes.nodes->states.count : 0;
}

// Keeps what they are now.
void sn_velocities_keep(const sn_solver *solver, const sn_velocity_copy *copy);

// newmark.c: makes u of the velocities, before forces; makes velocities and accelerations of u, once
// everything has moved.
void sn_newmark_begin(sn_run *run);
void sn_newmark_end(sn_run *run);

// residual.c, how far an iteration is from the solution: the largest error of hard rows where bodies and
// nodes are now, of joints, contacts and edges, [m] or [rad]; and how much velocities have changed, by their
// mass, the root of Σ m |Δu|² / Σ m. [m/s]
float sn_residual_primal(const sn_run *run);
float sn_residual_dual(const sn_run *run, const sn_velocity_copy *before);

// Takes memory for where a sub-step begins; false without it.
bool sn_position_begin(sn_run *run);
// Runs all sub-steps of a step whose rows are ready.
void sn_position_run(sn_run *run);

#endif
