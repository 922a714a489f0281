// What a scene holds, counted and measured.
#ifndef SINEW_APPS_SURVEY_H
#define SINEW_APPS_SURVEY_H

#include "sinew_scene/scene.h"

enum { SHAPE_TYPE_COUNT = SN_COMPOUND + 1, RIGID_TYPE_COUNT = SN_DYNAMIC + 1 };

typedef struct survey {
    int bodies[RIGID_TYPE_COUNT];         // the ground is not among them
    int shapes[SHAPE_TYPE_COUNT];         // its shapes are
    int joints[SN_CONSTRAINT_KIND_COUNT]; // by kind
    int body_count, shape_count, joint_count;
    double mass, lightest, heaviest; // of the dynamic bodies [kg]
    bool has_extent;
    sn_bounds extent; // of all shapes but planes [m]
} survey;

// False without memory.
bool survey_take(const sn_scene *scene, survey *survey);

// The words of scene files for values of sn_rigid_type, sn_shape_type and sn_constraint_kind.
const char *rigid_type_name(int type);
const char *shape_type_name(int type);
const char *joint_kind_name(int kind);

#endif
