// A deformable's model without a world: nodes, a mesh, and sub-steps of gravity, model and motion as the
// solver makes them. Also a list of all models that are not rows, for tests that every one of them must pass.
// Include after cmocka.h.
#ifndef TESTS_SUPPORT_MODEL_RIG_H
#define TESTS_SUPPORT_MODEL_RIG_H

#include "geometry/mesh/mesh.h"
#include "model/model.h"
#include "support/momenta.h"
#include "support/random.h"
#include <stdlib.h>
#include <string.h>

typedef struct model_rig {
    sn_mesh *mesh;
    sn_nodes nodes;
    int first, count;
    const sn_model_kind *kind;
    void *model;
    sn_tasks *tasks;
    sn_element_pass pass;
    sn_vec3 gravity;
} model_rig;

static inline sn_node_state *rig_nodes(model_rig *rig)
{
    return rig->nodes.states.data + rig->first;
}

static inline sn_node_velocity *rig_velocities(model_rig *rig)
{
    return rig->nodes.velocities.data + rig->first;
}

static inline void rig_set_step(model_rig *rig, float h)
{
    rig->pass.h = h;
    rig->pass.inverse_h = 1.0f / h;
}

static inline sn_model_input rig_input(const model_rig *rig, sn_model model)
{
    return (sn_model_input){.mesh = rig->mesh,
                            .parameters = model,
                            .scale = 1.0f,
                            .nodes = &rig->nodes,
                            .first_node = rig->first,
                            .node_count = rig->count};
}

// The mesh becomes the rig's. Every node weighs `node_mass`.
static inline void rig_make(model_rig *rig, sn_mesh *mesh, sn_model model, sn_pose pose, float node_mass,
                            float h)
{
    *rig = (model_rig){.mesh = mesh, .count = sn_mesh_node_count(mesh), .tasks = sn_tasks_create(1, NULL)};
    rig->first = sn_nodes_take(&rig->nodes, rig->count);
    assert_true(rig->first == 1 && rig->tasks != NULL);
    for (int i = 0; i < rig->count; ++i) {
        rig_nodes(rig)[i] = (sn_node_state){sn_pose_apply(pose, mesh->nodes[i]), 1.0f / node_mass};
        rig->nodes.masses.data[rig->first + i] = node_mass;
    }
    rig->pass = (sn_element_pass){.nodes = rig->nodes.states.data,
                                  .felt = rig->nodes.states.data,
                                  .velocities = rig->nodes.velocities.data};
    rig_set_step(rig, h);
    rig->kind = sn_model_kind_of(model.type);
    assert_non_null(rig->kind);
    sn_model_input input = rig_input(rig, model);
    rig->model = rig->kind->create(&input);
    assert_non_null(rig->model);
}

static inline void rig_free(model_rig *rig)
{
    rig->kind->destroy(rig->model);
    sn_nodes_release(&rig->nodes);
    sn_mesh_destroy(rig->mesh);
    sn_tasks_destroy(rig->tasks);
}

static inline void rig_push(model_rig *rig)
{
    for (int i = 0; i < rig->count; ++i) {
        if (rig_nodes(rig)[i].inverse_mass > 0.0f) {
            sn_vec3 *velocity = &rig_velocities(rig)[i].velocity;
            *velocity = sn_add_scaled(*velocity, rig->pass.h, rig->gravity);
        }
    }
    rig->kind->apply(rig->model, &rig->pass, rig->tasks);
}

static inline void rig_move(model_rig *rig)
{
    for (int i = 0; i < rig->count; ++i) {
        sn_node_state *node = &rig_nodes(rig)[i];
        node->position = sn_add_scaled(node->position, rig->pass.h, rig_velocities(rig)[i].velocity);
    }
}

static inline void rig_run(model_rig *rig, int sub_steps)
{
    for (int i = 0; i < sub_steps; ++i) {
        rig->pass.backwards = !rig->pass.backwards;
        rig_push(rig);
        rig_move(rig);
    }
}

static inline void rig_spin(model_rig *rig, sn_vec3 linear, sn_vec3 angular)
{
    for (int i = 0; i < rig->count; ++i) {
        sn_vec3 arm = rig_nodes(rig)[i].position;
        rig_velocities(rig)[i].velocity = sn_add(linear, sn_cross(angular, arm));
    }
}

static inline void rig_shake(model_rig *rig, float distance, uint64_t seed)
{
    test_random random = {seed};
    for (int i = 0; i < rig->count; ++i) {
        sn_node_state *node = &rig_nodes(rig)[i];
        node->position = sn_add(node->position, test_random_vec3(&random, distance));
    }
}

// --- measures ----------------------------------------------------------------------------------------------

// Of the nodes that move; angular momentum about the origin.
static inline test_momenta rig_measure(model_rig *rig)
{
    test_momenta sum = {0};
    for (int i = 0; i < rig->count; ++i) {
        sn_node_state node = rig_nodes(rig)[i];
        double mass = node.inverse_mass > 0.0f ? 1.0 / (double)node.inverse_mass : 0.0;
        test_momenta_add(&sum, mass, node.position, rig_velocities(rig)[i].velocity);
    }
    return sum;
}

static inline double rig_difference(const double a[3], const double b[3])
{
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return sqrt(x * x + y * y + z * z);
}

// How far nodes are from the rest shape at best turned and moved, at most [m]. Mirror images do not count.
static inline float rest_error(const sn_mesh *mesh, const sn_node_state *nodes)
{
    int count = sn_mesh_node_count(mesh);
    sn_vec3 center = sn_v(0.0f, 0.0f, 0.0f), rest_center = center;
    for (int i = 0; i < count; ++i) {
        center = sn_add_scaled(center, 1.0f / (float)count, nodes[i].position);
        rest_center = sn_add_scaled(rest_center, 1.0f / (float)count, sn_mesh_nodes(mesh)[i]);
    }
    sn_mat3 moment = sn_mat3_diagonal(0.0f, 0.0f, 0.0f);
    for (int i = 0; i < count; ++i) {
        sn_vec3 p = sn_sub(nodes[i].position, center), q = sn_sub(sn_mesh_nodes(mesh)[i], rest_center);
        moment.x = sn_add_scaled(moment.x, q.x, p);
        moment.y = sn_add_scaled(moment.y, q.y, p);
        moment.z = sn_add_scaled(moment.z, q.z, p);
    }
    sn_quat rotation = sn_mat3_polar(moment, sn_quat_identity);
    float worst = 0.0f;
    for (int i = 0; i < count; ++i) {
        sn_vec3 goal = sn_rotate(rotation, sn_sub(sn_mesh_nodes(mesh)[i], rest_center));
        worst = sn_max(worst, sn_distance_between(goal, sn_sub(nodes[i].position, center)));
    }
    return worst;
}

// --- all models --------------------------------------------------------------------------------------------

typedef struct model_sample {
    const char *name;
    sn_model model;
} model_sample;

// Jellies of about 10 kPa if 0.2 m large, and stiff ones.
static const model_sample model_samples[] = {
    {"spring forces", {.type = SN_MODEL_SPRING_FORCES, .stiffness = 1000.0f, .damping = 10.0f}},
    {"stiff spring forces", {.type = SN_MODEL_SPRING_FORCES, .stiffness = 2.0e6f, .damping = 1.0e3f}},
    {"explicit elements",
     {.type = SN_MODEL_COROTATIONAL_EXPLICIT, .young = 1.0e4f, .poisson = 0.3f, .damping = 0.01f}},
    {"stiff explicit elements",
     {.type = SN_MODEL_COROTATIONAL_EXPLICIT, .young = 1.0e8f, .poisson = 0.45f, .damping = 0.01f}},
    {"implicit elements",
     {.type = SN_MODEL_COROTATIONAL_IMPLICIT, .young = 1.0e4f, .poisson = 0.3f, .damping = 0.01f}},
    {"stiff implicit elements",
     {.type = SN_MODEL_COROTATIONAL_IMPLICIT, .young = 1.0e8f, .poisson = 0.45f, .damping = 0.01f}},
    {"position based",
     {.type = SN_MODEL_POSITION_BASED, .stiffness = 0.5f, .volume_stiffness = 0.5f, .damping = 0.1f}},
    {"hard position based", {.type = SN_MODEL_POSITION_BASED, .stiffness = 1.0f, .volume_stiffness = 1.0f}},
    {"rigid matching", {.type = SN_MODEL_SHAPE_MATCHING, .stiffness = 0.5f, .damping = 0.2f}},
    {"full rigid matching", {.type = SN_MODEL_SHAPE_MATCHING, .stiffness = 1.0f, .damping = 1.0f}},
    {"linear matching",
     {.type = SN_MODEL_SHAPE_MATCHING,
      .stiffness = 0.5f,
      .matching = SN_MATCH_LINEAR,
      .matching_share = 0.5f}},
    {"quadratic matching",
     {.type = SN_MODEL_SHAPE_MATCHING,
      .stiffness = 0.5f,
      .matching = SN_MATCH_QUADRATIC,
      .matching_share = 0.8f}},
    {"matching in small clusters",
     {.type = SN_MODEL_SHAPE_MATCHING, .stiffness = 0.8f, .damping = 0.1f, .cluster_rings = 1}},
    {"linear matching in clusters",
     {.type = SN_MODEL_SHAPE_MATCHING,
      .stiffness = 0.8f,
      .damping = 0.1f,
      .matching = SN_MATCH_LINEAR,
      .matching_share = 0.5f,
      .cluster_rings = 2}},
    {"energies",
     {.type = SN_MODEL_ENERGY,
      .stiffness = 20.0f,
      .area_stiffness = 5.0f,
      .volume_stiffness = 5.0f,
      .damping = 0.2f}},
    {"stiff energies",
     {.type = SN_MODEL_ENERGY,
      .stiffness = 2.0e5f,
      .area_stiffness = 5.0e4f,
      .volume_stiffness = 5.0e4f,
      .damping = 20.0f}},
};

enum { MODEL_SAMPLES = sizeof model_samples / sizeof *model_samples };

// A block of 0.2 m.
static inline sn_mesh *jelly_mesh(int cells)
{
    sn_mesh *mesh = NULL;
    assert_int_equal(sn_mesh_box(sn_v(0.2f, 0.2f, 0.2f), cells, cells, cells, &mesh), SN_OK);
    return mesh;
}

// The same for every model: 27 nodes, 40 tetrahedra, 8.1 kg, sub-steps of a millisecond.
static inline void rig_make_jelly(model_rig *rig, sn_model model, sn_pose pose)
{
    rig_make(rig, jelly_mesh(2), model, pose, 0.3f, 1.0e-3f);
}

#endif
