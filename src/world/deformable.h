// A deformable from inside: a range of nodes, the rows that hold them together, the model if it is not made
// of rows, and the surface that collides.
#ifndef SN_WORLD_DEFORMABLE_H
#define SN_WORLD_DEFORMABLE_H

#include "base/error.h"
#include "geometry/mesh.h"
#include "model/model.h"
#include "solver/node_solver.h"

#define SN_COOKIE_DEFORMABLE 0x534e4446u

typedef struct sn_deformable_data {
    sn_deformable_def def; // mesh held; node_masses and name are null
    char name[SN_MAX_NAME + 1];
    int first_node, node_count;
    SN_ARRAY(sn_element_group) groups;
    const sn_model_kind *model_kind; // null if the model is none or made of rows
    void *model;
} sn_deformable_data;

// Makes the rows or the model of a deformable whose nodes are placed and have their masses. On failure what
// was made is left for sn_deformable_release. SN_ERROR_KIND if the mesh lacks what is needed.
sn_status sn_deformable_build(sn_deformable_data *data, const sn_nodes *nodes, sn_error *error);
// Frees rows, model and the hold on the mesh; nodes are the caller's.
void sn_deformable_release(sn_deformable_data *data);

// Checks of all fields but the name; normalises the rotation.
sn_status sn_deformable_check(sn_deformable_def *def, sn_error *error, const char *object);

// One ingredient: rows of a kind, if the definition asks for them (`group->kind` stays null if not).
// SN_ERROR_MEMORY, SN_ERROR_KIND.
typedef sn_status (*sn_ingredient)(const sn_deformable_data *data, const sn_nodes *nodes, sn_error *error,
                                   sn_element_group *group);

sn_status sn_ingredient_edges(const sn_deformable_data *data, const sn_nodes *nodes, sn_error *error,
                              sn_element_group *group);
sn_status sn_ingredient_tetrahedra(const sn_deformable_data *data, const sn_nodes *nodes, sn_error *error,
                                   sn_element_group *group);

#endif
