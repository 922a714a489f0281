// Projected Jacobi with Nesterov's acceleration and restarts, for the rows of deformables' elements (methods
// D.6). All rows of an iteration see the same velocities. Each takes the step 1/(κ n), n the number of rows
// at its nodes: with every node split into n parts of equal mass (felt mass w n), rows are independent, their
// own kernels solve them exactly, and the parts' mean velocity is Jacobi's step, which is safe. Then impulses
// and the velocities they made are both carried on in the direction in which they changed, unless that leads
// uphill. Contacts and joints are swept one after the other before and after, as in Gauss–Seidel.
#ifndef SN_SOLVER_ACCELERATED_H
#define SN_SOLVER_ACCELERATED_H

#include "solver/stages.h"

typedef struct sn_acceleration {
    sn_node_state *split;         // positions, and inverse masses of the parts of nodes
    int *counts;                  // rows at each node
    sn_node_velocity *base, *sum; // before the iteration; changes of all rows
    sn_vec3 *made, *last_made;    // velocities that elements made so far: of x_k+1 − x_0 and x_k − x_0
    sn_lanes **last_impulses;     // by group: those of x_k
    float theta;                  // Nesterov's
} sn_acceleration;

// Takes memory and counts rows; false without memory.
bool sn_acceleration_make(const sn_run *run, sn_acceleration *acceleration);
// When a sub-step begins.
void sn_acceleration_begin(const sn_run *run, sn_acceleration *acceleration);
// Elements where nodes are now, with the masses of parts.
void sn_acceleration_linearise(const sn_run *run, const sn_acceleration *acceleration);
// One iteration of all elements.
void sn_acceleration_sweep(const sn_run *run, sn_acceleration *acceleration);

#endif
