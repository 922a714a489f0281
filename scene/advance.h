// A step of a scene in pieces, for who does something in between.
#ifndef SN_SCENE_ADVANCE_H
#define SN_SCENE_ADVANCE_H

#include "scene/scene_parts.h"

// Does what the scene, or the recording it replays, does before a step of `*duration`, which a recording
// changes to its own.
sn_status sn_scene_before_step(sn_scene *scene, float *duration);
// And what is to be done after it.
void sn_scene_after_step(sn_scene *scene, bool replayed);

#endif
