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

#include "solver/stages.h"

// Part of the state as it was at some time, one after the other.
typedef struct sn_kept {
    struct sn_kept *next;
    void *now, *copy;
    size_t size;
} sn_kept;

typedef struct sn_projection {
    sn_kept *start;                   // positions where a sub-step begins
    sn_kept *velocities;              // before a sweep, while errors are measured
    sn_solver_velocity *begun_bodies; // by Newmark's rule, before forces
    sn_vec3 *begun_nodes;
    struct sn_jacobi *jacobi; // of its methods
    sn_schedule iteration;
} sn_projection;

// How many times the velocity solver's stiffness overlapping contacts of rigid bodies have.
float sn_position_contact_growth(sn_solver_type type, const sn_position *position);

static inline size_t sn_node_count_of(const sn_solver *solver)
{
    return solver->nodes.nodes != NULL ? (size_t)solver->nodes.nodes->states.count : 0;
}

// Keeps what is now, or makes it what it was.
void sn_kept_copy(const sn_kept *first, bool is_back);
// One sweep over all rows.
void sn_position_sweep(sn_run *run);

// jacobi.c: takes memory and splits bodies, false without it; one iteration of all elements, and of all
// coupling rows.
bool sn_jacobi_make(sn_run *run);
void sn_jacobi_sweep_elements(sn_run *run);
void sn_jacobi_sweep_coupling(sn_run *run);
// newmark.c: makes u of the velocities, before forces; makes velocities and accelerations of u, once
// everything has moved.
void sn_newmark_begin(sn_run *run);
void sn_newmark_end(sn_run *run);

// residual.c, a sweep that also measures how far it is from the solution: the largest error of hard rows of
// joints, contacts and edges before it [m or rad], and by how much it changed a component of a velocity at
// most [m/s or rad/s].
void sn_residual_sweep(sn_run *run);

// Takes memory for where a sub-step begins; false without it.
bool sn_position_begin(sn_run *run);
// Runs all sub-steps of a step whose rows are ready.
void sn_position_run(sn_run *run);

#endif
