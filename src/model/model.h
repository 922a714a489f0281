// Models that are not rows: forces, or goals turned into velocities (Vezzaro's equations 2 and 3, corrected:
// methods B.3, B.4). A model sees the nodes of its own deformable only, never contacts. One file a paradigm.
#ifndef SN_MODEL_MODEL_H
#define SN_MODEL_MODEL_H

#include "geometry/mesh/mesh.h"
#include "model/forces/force_field.h"
#include "solver/nodes/node_solver.h"

// What a model is made from: nodes are placed, at rest, with their masses.
typedef struct sn_model_input {
    const sn_mesh *mesh;
    sn_model parameters;
    sn_integrator integrator;
    float scale; // of the mesh
    const sn_nodes *nodes;
    int first_node, node_count;
} sn_model_input;

typedef struct sn_model_kind {
    const char *name;
    bool needs_triangles, needs_tetrahedra;
    // Null without memory.
    void *(*create)(const sn_model_input *input);
    void (*destroy)(void *model);
    // Gives it other numbers of the same sort; what it remembers stays. False without memory, with nothing
    // changed.
    bool (*tune)(void *model, const sn_model_input *input);
    // Once a sub-step, after gravity and the user's forces; not with an integrator other than the default.
    void (*apply)(void *model, const sn_element_pass *pass, sn_tasks *tasks);
    // Its forces, for the other integrators; null if it is not made of forces.
    sn_force_field (*field)(void *model);
    // How it answers pushes, as of sn_model_stage; null if it does not.
    void (*estimate_response)(void *model, const sn_element_pass *pass, const uint8_t *touched, float *parts,
                              sn_tasks *tasks);
    void (*respond)(void *model, const sn_element_pass *pass, sn_vec3 *impulses, sn_tasks *tasks);
    // The elastic energy with the deformable's nodes where they are [J]; null if the model has none.
    double (*energy)(const void *model, const sn_node_state *nodes);
    // What the model remembers from step to step, as bytes for snapshots and hashes: null if nothing.
    void *(*state)(void *model, size_t *size);
} sn_model_kind;

extern const sn_model_kind sn_model_position_based_kind, sn_model_shape_matching_kind,
    sn_model_spring_forces_kind, sn_model_energy_kind, sn_model_corotational_explicit_kind,
    sn_model_corotational_implicit_kind;

// What a model type is called in messages.
const char *sn_model_name(sn_model_type type);

// The kind of a model type; null for those that are none or made of rows.
const sn_model_kind *sn_model_kind_of(sn_model_type type);

#endif
