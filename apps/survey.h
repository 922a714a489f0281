// What a scene holds, counted and measured.
#ifndef SINEW_APPS_SURVEY_H
#define SINEW_APPS_SURVEY_H

#include "apps/describe.h"
#include "sinew_scene/scene.h"

// What deformables are made of.
typedef enum soft_type { SOFT_VOLUME, SOFT_SHEET, SOFT_STRAND, SOFT_TYPE_COUNT } soft_type;

enum { SHAPE_TYPE_COUNT = SN_COMPOUND + 1, RIGID_TYPE_COUNT = SN_DYNAMIC + 1 };

typedef struct survey {
    int bodies[RIGID_TYPE_COUNT];         // the ground is not among them
    int shapes[SHAPE_TYPE_COUNT];         // its shapes are
    int joints[SN_CONSTRAINT_KIND_COUNT]; // by kind
    int softs[SOFT_TYPE_COUNT];           // deformables
    int body_count, shape_count, joint_count, soft_count, anchor_count;
    int exact_count, instead_count;  // anchors asked to be exact; of these, held by rows as things are now
    int off_count;                   // anchors that do not hold as things are now
    int node_count, element_count;   // of deformables: their tetrahedra, triangles or edges
    double soft_mass;                // of deformables [kg]
    double mass, lightest, heaviest; // of the dynamic bodies [kg]
    bool has_extent;
    sn_bounds extent; // of all deformables and all shapes but planes [m]
} survey;

// False without memory.
bool survey_take(const sn_scene *scene, survey *survey);

// The words of scene files for values of sn_rigid_type, sn_shape_type and sn_constraint_kind.
const char *rigid_type_name(int type);
const char *shape_type_name(int type);
const char *joint_kind_name(int kind);
// The word for a soft_type.
const char *soft_type_name(int type);
// "12 anchors (8 exact, 2 off)".
description survey_anchors(const survey *survey);
// What a deformable is, by its mesh, and how many tetrahedra, triangles or edges it has.
soft_type soft_type_of(const sn_mesh *mesh);
int soft_element_count(const sn_mesh *mesh);

#endif
