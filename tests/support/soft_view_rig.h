// The surface of a deformable without a world, as the narrow phase sees it. Include after cmocka.h.
#ifndef TESTS_SUPPORT_SOFT_VIEW_RIG_H
#define TESTS_SUPPORT_SOFT_VIEW_RIG_H

#include "collision/soft/soft_feature_pairs.h"
#include "support/random.h"

#include <math.h>
#include <string.h>

enum { VIEW_RIG_NODES = 1024 };

typedef struct soft_view_rig {
    sn_mesh *mesh;
    sn_soft_surface surface;
    sn_node_state nodes[VIEW_RIG_NODES];
    sn_vec3 displacements[VIEW_RIG_NODES], normals[VIEW_RIG_NODES];
    sn_soft_view view;
    sn_feature_pair_list pairs;
} soft_view_rig;

// Takes the mesh over. Nodes stand still where the mesh has them; half a centimetre of half-thickness, two of
// margin.
static inline void view_rig_make(soft_view_rig *rig, sn_mesh *mesh, bool self_collide)
{
    memset(rig, 0, sizeof *rig);
    rig->mesh = mesh;
    assert_true(mesh->node_count <= VIEW_RIG_NODES);
    assert_true(sn_soft_surface_make(&rig->surface, mesh, 1.0f, self_collide));
    for (int i = 0; i < mesh->node_count; ++i) {
        rig->nodes[i] = (sn_node_state){mesh->nodes[i], 1.0f};
    }
    rig->view = (sn_soft_view){.surface = &rig->surface,
                               .nodes = rig->nodes,
                               .displacements = rig->displacements,
                               .first_node = 100,
                               .half_thickness = 0.005f,
                               .margin = 0.02f};
}

static inline void view_rig_free(soft_view_rig *rig)
{
    sn_array_release(&rig->pairs);
    sn_soft_surface_release(&rig->surface);
    sn_mesh_destroy(rig->mesh);
}

// After the nodes were moved: fits the surface as every step does.
static inline void view_rig_fit(soft_view_rig *rig)
{
    if (rig->surface.cones.count > 0) {
        sn_verlet_step step = {.nodes = rig->nodes,
                               .displacements = rig->displacements,
                               .frame_displacement = rig->surface.frame_displacement,
                               .growth = 0.0075f};
        assert_true(sn_verlet_list_update(&rig->surface, &step));
    }
    assert_true(sn_soft_surface_box_nodes(&rig->surface, rig->nodes, rig->displacements,
                                          rig->surface.frame_displacement, 0.0075f));
    sn_soft_surface_refit(&rig->surface, 0.0175f);
    sn_soft_surface_fit_normals(&rig->surface, rig->nodes, 0.00125f);
    assert_true(sn_soft_surface_box_faces(&rig->surface));
    sn_soft_surface_box_parts(&rig->surface);
    if (rig->surface.cones.count > 0) {
        sn_soft_surface_fit_cones(&rig->surface, rig->nodes, rig->displacements);
    }
    memset(rig->normals, 0, sizeof rig->normals);
    for (int i = 0; i < 3 * rig->surface.face_count; ++i) {
        sn_vec3 *normal = &rig->normals[rig->surface.faces.data[i]];
        *normal = sn_add(*normal, rig->surface.normals.data[i / 3]);
    }
    rig->view.has_normals = true;
    rig->view.node_normals = rig->normals;
}

// Pairs of the surface with itself, after it was fitted.
static inline void view_rig_pair_own(soft_view_rig *rig)
{
    rig->pairs.count = 0;
    assert_true(sn_soft_pair_own_features(&rig->view, &(sn_pair_output){.features = &rig->pairs}));
}

static inline sn_mesh *view_grid(float size, int cells)
{
    sn_mesh *mesh = NULL;
    assert_int_equal(sn_mesh_grid(size, size, cells, cells, SN_GRID_ALTERNATING, &mesh), SN_OK);
    return mesh;
}

// A ball that moves by `displacement`.
static inline sn_obstacle view_ball(sn_convex_storage *storage, sn_vec3 center, float radius,
                                    sn_vec3 displacement)
{
    return (sn_obstacle){.convex = sn_convex_sphere(storage, (sn_sphere){{0.0f, 0.0f, 0.0f}, radius}),
                         .pose = {center, sn_quat_identity},
                         .size = radius,
                         .center = center,
                         .displacement = displacement};
}

#endif
