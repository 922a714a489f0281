// Explicit forces inside a sub-step of the solver, stable at any stiffness.
//
// A model provides forces f(x) and, if it has any, the damping D. A sub-step of length h changes velocities
// only; the solver moves the nodes. If the fastest motion is slow compared with h, that is v += h W f. If
// not, many small steps are needed; but neither their last velocities nor their mean ones make a stable
// scheme (the former only up to ωh = 1.7; the latter have half the force). The impulse that makes positions
// right does (Gautschi 1961; Hochbruck and Lubich 1999): let the nodes move from rest at x for a time h, to
// y; then
//
//   v ← v + (2/h)(y − x)
//
// so that x⁺ − 2x + x⁻ = 2(y − x), which for springs is exact at any h: cos ωh in place of 1 − (ωh)²/2. One
// small step is the plain scheme. It has no memory, and rows and contacts that remove velocity cannot disturb
// it: it is leapfrog with a stiffness whose ωh never exceeds 2. The motion to y is damped by 0.1 h K, which
// only motions faster than a sub-step feel: without it, those with a whole number of periods in h would have
// no stiffness at all. So motions faster than h have a stiffness of about 2 m/h², and slower ones their own
// (softer by 0.12 (ωh)²).
//
// Damping is implicit at fixed x: (M + h D) v⁺ = M (v + Δv), by conjugate gradients from v⁺ = v. If D = b K
// and b ≥ h/2, that is stable without small steps for any K: leapfrog with damping is stable for (ωh)² ≤ 4 +
// 2 h b ω². Then a single step is used, because small steps would weaken the force but not the damping, and
// stiff motions would creep too slowly, by h² K/2m.
//
// Motions too fast for h are always damped: by 0.1 h K at least, and no node moves by more than half an edge
// in h relative to the body. Faster nodes would jump over each other's forces, which creates energy.
//
// There are at most SN_EXPLICIT_STEPS steps to y. What is so stiff that it needs more takes a sub-step of
// implicit Euler instead.
#ifndef SN_MODEL_FORCES_EXPLICIT_H
#define SN_MODEL_FORCES_EXPLICIT_H

#include "model/forces/force_field.h"
#include "model/integrators/conjugate.h"

#define SN_EXPLICIT_STEPS 64

// What a model provides. Functions overwrite `forces` [N]; those of fixed nodes are ignored.
typedef struct sn_explicit_forces {
    void *model;
    // Sets the positions of the nodes, relative to the first of them [m], for the functions below.
    void (*look)(void *model, const sn_vec3 *places, sn_tasks *tasks);
    void (*elastic)(void *model, sn_vec3 *forces, sn_tasks *tasks);
    // −(a K + b D) u of a field u, for a resistance of a and b.
    void (*resist)(void *model, sn_resistance resistance, const sn_vec3 *field, sn_vec3 *forces,
                   sn_tasks *tasks);
    bool is_damped;     // D is not zero
    float damping_time; // b if D = b K [s]; 0 if D is of another form
    float fastest;      // a bound of the largest ω² of stiffness and masses [1/s²]
    float reach;        // the shortest edge at rest [m]
} sn_explicit_forces;

typedef struct sn_explicit {
    int first_node, node_count;
    sn_vec3 *places;          // from x to y
    sn_vec3 *rates;           // velocities of the motion to y; then those after the forces
    sn_vec3 *moved;           // y − x; then the change of velocity
    sn_vec3 *forces, *before; // now and one step before; then those of damping
    sn_conjugate room;
} sn_explicit;

// False without memory, with nothing left to release.
bool sn_explicit_make(sn_explicit *scheme, int first_node, int node_count);
void sn_explicit_release(sn_explicit *scheme);

// Positions of the nodes relative to the first of them, for bounds that depend on them.
const sn_vec3 *sn_explicit_places(sn_explicit *scheme, const sn_element_pass *pass);
// The least b of a damping D = b K in a sub-step h [s].
float sn_explicit_least_damping(float fastest, float h);
// Changes velocities by the impulses of the forces in a sub-step.
void sn_explicit_apply(sn_explicit *scheme, const sn_element_pass *pass, const sn_explicit_forces *forces,
                       sn_tasks *tasks);

#endif
