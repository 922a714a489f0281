// Projected Jacobi, plain or with Nesterov's acceleration and restarts, for the rows of deformables' elements
// (methods D.6). All rows of an iteration see the same velocities. Every node is split into f parts of equal
// mass (felt mass w f): rows are then independent, their own kernels solve them exactly, and the parts' mean
// velocity is Jacobi's step. It is safe if D ≥ N for the rows' N = Σ_a w_a G_a G_aᵀ, G_a their gradients at
// node a, and D_i = Σ_a w_a f_a |g_ia|², as f_a is no less than the largest eigenvalue of Σ_i ĝ_ia ĝ_iaᵀ, a
// sum of 3 × 3 matrices: 2 where threads of cloth cross, whose rows number 4. Rows of unknown directions
// count as identities. No row sum of N is smaller.
//
// Contacts of rigid bodies are projected on their friction cones, all at once too (cone.h). Then impulses and
// the velocities they made are both carried on in the direction in which they changed, unless that leads
// uphill. Joints, and contacts of nodes, are swept one after the other, as in Gauss–Seidel.
#ifndef SN_SOLVER_JACOBI_H
#define SN_SOLVER_JACOBI_H

#include "solver/cone.h"

typedef struct sn_jacobi {
    sn_node_state *split;         // positions, and inverse masses of the parts of nodes
    sn_sym3 *directions;          // Σ ĝ ĝᵀ of each node's rows
    float *parts;                 // f
    sn_node_velocity *base, *sum; // before the iteration; changes of all rows
    sn_vec3 *made, *last_made;    // velocities that elements made so far: of x_k+1 − x_0 and x_k − x_0
    sn_lanes **last_impulses;     // by group: those of x_k
    sn_cone cone;                 // contacts of rigid bodies
    float theta;                  // Nesterov's
    bool is_accelerated;
} sn_jacobi;

// Whether the settings ask for it.
static inline bool sn_uses_jacobi(const sn_solver_settings *settings)
{
    return settings->position.method != SN_POSITION_GAUSS_SEIDEL;
}

// Takes memory; false without it.
bool sn_jacobi_make(sn_run *run, sn_jacobi *jacobi);
// When a sub-step begins.
void sn_jacobi_begin(const sn_run *run, sn_jacobi *jacobi);
// Elements where nodes are now, with the masses of parts.
void sn_jacobi_linearise(const sn_run *run, const sn_jacobi *jacobi);
// One iteration of all elements.
void sn_jacobi_sweep(const sn_run *run, const sn_jacobi *jacobi);
// Ends an iteration, of elements and contacts: Nesterov's step.
void sn_jacobi_carry_on(sn_run *run, sn_jacobi *jacobi);

#endif
