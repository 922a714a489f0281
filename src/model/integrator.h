// Schemes that take the nodes of a model made of forces through a sub-step (Gissler 2006, table 1; methods
// C). One file a scheme, behind one interface.
//
// The solver moves nodes by velocities that rows and contacts may change on the way. So a scheme has two
// halves. `predict` turns the velocities v of the nodes into mean ones û of the sub-step, x̂ = x + h û, all
// forces included: gravity, the user's, the model's. Rows, contacts and exact constraints make of them û⁺.
// `complete`, once x⁺ = x + h û⁺, makes velocities of the end of the sub-step: v⁺ = v̂ + (û⁺ − û), v̂ what the
// scheme alone would have given: impulses act as at the beginning of the sub-step, which keeps momentum
// between deformables with different schemes.
//
// c and d say how the scheme answers a force F that is constant over the sub-step: x⁺ = … + c F, v⁺ = … + d
// F.
#ifndef SN_MODEL_INTEGRATOR_H
#define SN_MODEL_INTEGRATOR_H

#include "model/explicit.h"

// A deformable and where it is in its scheme.
typedef struct sn_integration {
    int first_node, node_count;
    sn_explicit_forces forces;  // of its model
    const sn_node_range *range; // gravity, damping
    const sn_vec3 *user_forces; // by node of the world [N]
    sn_vec3 *lag;               // v̂ − û by its nodes
    sn_vec3 *scratch[4];        // by its nodes
    sn_conjugate *room;         // of implicit Euler
    sn_vec3 *memory;            // by its nodes, from sub-step to sub-step (snapshots keep it): null if unused
} sn_integration;

typedef struct sn_integrator_kind {
    const char *name;
    int order;  // of its error in h
    float c, d; // in h²/m and h/m
    bool is_implicit, has_memory;
    void (*predict)(sn_integration *it, const sn_element_pass *pass, sn_tasks *tasks);
    void (*complete)(sn_integration *it, const sn_element_pass *pass, sn_tasks *tasks);
} sn_integrator_kind;

extern const sn_integrator_kind sn_explicit_euler_kind, sn_euler_cromer_kind, sn_midpoint_kind, sn_heun_kind,
    sn_verlet_kind, sn_implicit_euler_kind;

const sn_integrator_kind *sn_integrator_kind_of(sn_integrator integrator);

#endif
