// Contacts of rigid bodies in Jacobi's methods of the position solver (methods D.3, D.6): all of them see the
// same velocities, step against their residuals, and are projected on their friction cones, with De Saxcé's
// correction against the lift that a projection on a cone alone would give to what slides. The kernel is
// contact_project.h. Every body is split into as many parts as it has patches, as nodes are in
// jacobi.h, which makes the steps safe; and impulses are carried on with those of elements.
#ifndef SN_SOLVER_CONE_H
#define SN_SOLVER_CONE_H

#include "solver/stages.h"

typedef struct sn_cone {
    sn_solver_velocity *base; // before an iteration
    sn_lanes *tried, *last;   // impulses: y_k, which the iteration began with, and x_k
} sn_cone;

// Takes memory and splits bodies; false without it.
bool sn_cone_make(const sn_run *run, sn_cone *cone);
// When a sub-step begins.
void sn_cone_begin(const sn_run *run, sn_cone *cone);
// One iteration.
void sn_cone_sweep(sn_run *run);
// How much the step from x_k to x_k+1 leads uphill, if negative: the sum of (x_k+1 − y_k)(x_k+1 − x_k) by the
// sizes of steps. [J]
double sn_cone_slope(const sn_run *run, const sn_cone *cone);
// Carries impulses, and the velocities they make, on by a part of x_k+1 − x_k.
void sn_cone_carry_on(sn_run *run, sn_cone *cone, float part);

#endif
