// Explicit forces inside a sub-step of the solver, however stiff they are.
//
// A model gives forces f(x) and, if it has any, the damping D. A sub-step of length h shall change velocities
// only; the solver moves the nodes. If the fastest motion is slow against h, that is v += h W f. If not, many
// small steps are needed, yet neither their last velocities nor their mean ones make a stable scheme (the
// former only up to ωh = 1.7; the latter have half the force). What does is the impulse that makes places
// right (Gautschi 1961; Hochbruck and Lubich 1999): let the nodes go from rest at x for a time h, to y; then
//
//   v ← v + (2/h)(y − x)
//
// so that x⁺ − 2x + x⁻ = 2(y − x), which for springs is exact at any h: cos ωh in place of 1 − (ωh)²/2. One
// small step is the plain scheme. It needs no memory, and rows and contacts that take velocity away cannot
// upset it: it is leapfrog with a stiffness whose ωh never exceeds 2. The way to y is damped by 0.1 h K,
// which is felt only by motions faster than a sub-step: undamped, those of a whole number of turns in h would
// have no stiffness at all. So what is faster than h is about as stiff as 2 m/h², and what is slower as stiff
// as it is (softer by 0.12 (ωh)²).
//
// Damping acts implicitly, x and directions standing still: (M + h D) v⁺ = M (v + Δv), by conjugate gradients
// from v⁺ = v. If D = b K and b ≥ h/2, that is stable without small steps, however large K: leapfrog with
// damping bears (ωh)² ≤ 4 + 2 h b ω². Then one step is all there is, for a force weakened by the way against
// damping that is not would make stiff motions creep too slowly, by h² K/2m.
//
// What moves too fast for h is not left to ring: its damping is 0.1 h K at least, and no node moves by more
// than half an edge in h as seen from the body as a whole. Faster ones would jump over each other's forces,
// which makes energy from nothing.
//
// There are at most SN_EXPLICIT_STEPS steps to y. What would need more is made softer.
#ifndef SN_MODEL_FORCES_EXPLICIT_H
#define SN_MODEL_FORCES_EXPLICIT_H

#include "model/integrators/conjugate.h"

#define SN_EXPLICIT_STEPS 64

// What a model gives. Functions write over `forces` [N]; fixed nodes may get some.
typedef struct sn_explicit_forces {
    void *model;
    // Takes note of where the nodes are, as seen from the first of them [m]: the others mean there.
    void (*look)(void *model, const sn_vec3 *places, sn_tasks *tasks);
    void (*elastic)(void *model, sn_vec3 *forces, sn_tasks *tasks);
    // −D u for velocities u; null if there is none.
    void (*damping)(void *model, const sn_vec3 *velocities, sn_vec3 *forces, sn_tasks *tasks);
    float damping_time; // b if D = b K [s]; 0 if D is another one
    float fastest;      // no less than the largest ω² of stiffness and masses [1/s²]
    float reach;        // the shortest edge at rest [m]
} sn_explicit_forces;

typedef struct sn_explicit {
    int first_node, node_count;
    sn_vec3 *places;          // from x to y
    sn_vec3 *rates;           // velocities on the way; then those after the forces
    sn_vec3 *moved;           // y − x; then the change of velocity
    sn_vec3 *forces, *before; // now and one step before; then what damping takes away
    sn_conjugate room;
} sn_explicit;

// False without memory, with nothing left to release.
bool sn_explicit_make(sn_explicit *scheme, int first_node, int node_count);
void sn_explicit_release(sn_explicit *scheme);

// Where the nodes are, as seen from the first of them; for bounds that depend on it.
const sn_vec3 *sn_explicit_places(sn_explicit *scheme, const sn_element_pass *pass);
// The least b of a damping D = b K in a sub-step h [s].
float sn_explicit_least_damping(float fastest, float h);
// Changes velocities by what the forces do in a sub-step.
void sn_explicit_apply(sn_explicit *scheme, const sn_element_pass *pass, const sn_explicit_forces *forces,
                       sn_tasks *tasks);

#endif
