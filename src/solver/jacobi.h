// Projected Jacobi, plain or with Nesterov's acceleration and restarts (methods D.3, D.6): rows that all see
// the same velocities. They are the edges and bounds of deformables, and contacts, of bodies and of nodes.
//
// **Edges.** Every node is split into f parts of equal mass (felt mass w f): rows are then independent, their
// own kernels solve them exactly, and the parts' mean velocity is Jacobi's step. It is safe if D ≥ N for the
// rows' N = Σ_a w_a G_a G_aᵀ, G_a their gradients at node a, and D_i = Σ_a w_a f_a |g_ia|², as f_a is no less
// than the largest eigenvalue of Σ_i ĝ_ia ĝ_iaᵀ, a sum of 3 × 3 matrices: 2 where threads of cloth cross,
// whose rows number 4. No row sum of N is smaller.
//
// **Contacts** step against their residuals and are projected on their friction cones, with De Saxcé's
// correction against the lift that a projection on a cone alone would give to what slides (the kernels are
// contact_project.h and the end of soft_contact_kernel.h). Bodies are split into as many parts as they have
// patches, and bodies and nodes that deformables touch into as many as they have contacts that act.
//
// Then impulses are carried on in the direction in which they changed, and velocities with them, unless that
// leads uphill. Other rows are swept one after the other, as in Gauss–Seidel: joints, bending, volumes and
// tetrahedra. (Some forty tetrahedra meet at a node: steps of that many parts resolve next to nothing.)
#ifndef SN_SOLVER_JACOBI_H
#define SN_SOLVER_JACOBI_H

#include "solver/stages.h"
#include "solver/velocity_copy.h"

typedef struct sn_jacobi {
    sn_node_state *split;         // positions, and inverse masses of the parts of nodes
    sn_sym3 *directions;          // Σ ĝ ĝᵀ of each node's rows
    float *parts;                 // f
    sn_vec3 *sum;                 // by node: changes of all rows
    sn_velocity_copy begun, last; // of y_k, which an iteration begins with; and of x_k
    sn_lanes **impulses;          // of all rows that are solved at once
    sn_lanes *last_impulses, *changes;
    int impulse_count, impulse_room;
    float theta; // Nesterov's
    bool is_accelerated;
} sn_jacobi;

// Takes memory and splits bodies; false without it.
bool sn_jacobi_make(sn_run *run);
// When a sub-step begins.
void sn_jacobi_begin(sn_run *run);
// Elements where nodes are now, with the masses of parts.
void sn_jacobi_linearise(sn_run *run);
// One iteration of all elements.
void sn_jacobi_sweep(sn_run *run);
// Ends an iteration: Nesterov's step.
void sn_jacobi_carry_on(sn_run *run);

#endif
