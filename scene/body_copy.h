// A body like another one, somewhere else.
#ifndef SN_SCENE_BODY_COPY_H
#define SN_SCENE_BODY_COPY_H

#include "sinew/sinew.h"

struct sn_scene;

// Adds a body with the shapes, mass, settings and colours of another, without its name and its joints. SN_OK,
// or the status of what the world refused, whose message is the world's; SN_ERROR_MEMORY. The world is as it
// was then.
sn_status sn_body_copy(struct sn_scene *scene, sn_rigid like, sn_pose pose, sn_vec3 velocity);
// The same of a deformable, which begins in its rest shape, without its anchors.
sn_status sn_deformable_copy(struct sn_scene *scene, sn_deformable like, sn_pose pose, sn_vec3 velocity);

#endif
