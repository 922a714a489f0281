// Names of bodies, joints, deformables and anchors for people: the one given, or what tells a nameless one
// apart.
#ifndef SINEW_APPS_DESCRIBE_H
#define SINEW_APPS_DESCRIBE_H

#include "sinew/sinew.h"

typedef struct description {
    char text[3 * SN_MAX_NAME];
} description;

description describe_body(const sn_world *world, sn_rigid rigid);
// By its name, or by its kind and what it holds.
description describe_joint(const sn_world *world, sn_constraint constraint);
description describe_deformable(const sn_world *world, sn_deformable deformable);
// The joints that are no anchors, in an array with room for all constraints; returns how many.
int list_joints(const sn_world *world, sn_constraint *out, int capacity);

// "1 body", "2 bodies": the count with the right form of the noun.
description describe_count(int count, const char *one, const char *many);

#endif
