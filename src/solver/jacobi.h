// Projected Jacobi, plain or with Nesterov's acceleration and restarts (methods D.3, D.6): rows that all see
// the same velocities. Such are the edges and bounds of deformables, contacts of bodies, and contacts of
// nodes: kinds that are taken in turn. Rows of a kind change their impulses alone; then these are carried on
// in the direction in which they changed, unless that leads uphill, and the kernels of warm starts make
// velocities of what they changed by.
//
// **Edges** solve themselves by their own kernels, as if each were alone, and take the part 1/f of that step.
// It is safe if D ≥ N for the rows' N = Σ_a w_a G_a G_aᵀ, G_a their gradients at node a, and D_i = f Σ_a w_a
// |g_ia|², as f is no less at either node than the largest eigenvalue of Σ_i ĝ_ia ĝ_iaᵀ, a sum of 3 × 3
// matrices: 2 where threads of cloth cross, whose rows number 4. No row sum of N is smaller.
//
// **Contacts** step against their residuals and are projected on their friction cones (friction_cone8.h).
// Bodies are split into as many parts as they have patches, and bodies and nodes that deformables touch into
// as many as they have contacts that act.
//
// Other rows are swept one after the other, as in Gauss–Seidel: joints, bending, volumes and tetrahedra.
// (Some forty tetrahedra meet at a node: steps of that many parts resolve next to nothing.)
#ifndef SN_SOLVER_JACOBI_H
#define SN_SOLVER_JACOBI_H

#include "solver/stages.h"

enum { SN_JACOBI_CONTACTS, SN_JACOBI_EDGES, SN_JACOBI_SOFT, SN_JACOBI_KINDS }; // soft: contacts of nodes

typedef struct sn_jacobi_impulse {
    sn_lanes *now;
    sn_lanes begun, last; // y_k, which an iteration begins with, and x_k
} sn_jacobi_impulse;

typedef struct sn_jacobi {
    sn_sym3 *directions;           // Σ ĝ ĝᵀ of each node's rows
    float *parts;                  // f
    sn_node_velocity *base;        // of nodes, before edges
    sn_jacobi_impulse *impulses;   // by kind
    int room;                      // for so many of them
    const sn_coupling_stage *soft; // contacts of nodes
    int begin[SN_JACOBI_KINDS + 1];
    float theta[SN_JACOBI_KINDS]; // Nesterov's
} sn_jacobi;

// Takes memory and splits bodies; false without it.
bool sn_jacobi_make(sn_run *run);
// One iteration of all elements, and of all coupling rows.
void sn_jacobi_sweep_elements(sn_run *run);
void sn_jacobi_sweep_coupling(sn_run *run);

#endif
