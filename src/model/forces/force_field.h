// The interface between an integrator (integrator.h) and a model made of forces. States, velocities and
// forces are those of the model's own nodes, sixteen bytes each.
#ifndef SN_MODEL_FORCES_FORCE_FIELD_H
#define SN_MODEL_FORCES_FORCE_FIELD_H

#include "base/tasks.h"
#include "matter/nodes.h"
#include "matter/rigid.h"

typedef struct sn_node_force {
    sn_vec3 force; // [N]
    float unused;  // 0
} sn_node_force;

// A sum s K + t D of a model's stiffness and damping.
typedef struct sn_resistance {
    float stiffness; // s
    float damping;   // t
} sn_resistance;

// Functions overwrite their results; those of fixed nodes are ignored. All are null where there are no
// forces.
typedef struct sn_force_field {
    void *model;
    // Elastic forces and damping of nodes at `nodes` that go with `velocities`.
    void (*forces)(void *model, const sn_node_state *nodes, const sn_node_velocity *velocities,
                   sn_node_force *forces, sn_tasks *tasks);
    // −(s K + t D) field at the positions of the last call of `forces`. K is the symmetric, positive
    // semi-definite part of the stiffness.
    void (*resist)(void *model, const sn_node_state *nodes, sn_resistance resistance, const sn_vec3 *field,
                   sn_vec3 *forces, sn_tasks *tasks);
    // Adds the diagonal blocks of s K + t D, one a node; an approximation is enough.
    void (*add_diagonal)(void *model, const sn_node_state *nodes, sn_resistance resistance, sn_sym3 *blocks);
    // A bound of the eigenvalues of these blocks, each divided by its node's mass, that is found sooner than
    // the blocks. May be null.
    float (*diagonal_bound)(void *model, const sn_node_state *nodes, sn_resistance resistance);
} sn_force_field;

#endif
