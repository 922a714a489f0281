// Values that stay what they are when a world takes them in and gives them out again. A world rounds what it
// is given; a scene that is saved, loaded and saved again is the same only if what was saved is already
// round.
#ifndef SN_SCENE_SETTLE_H
#define SN_SCENE_SETTLE_H

#include "sinew/rigid.h"

// A rotation, or direction, at most a few roundings away that normalising does not change.
sn_quat sn_settled_rotation(sn_quat rotation);
sn_vec3 sn_settled_direction(sn_vec3 direction);

// Settles pose and velocities of a body whose mass centre is at `center`, in the body, within what a world
// takes in. Worlds keep the mass centre: origin and velocity are computed from it and back, with a rounding
// each way.
void sn_settle_motion(sn_rigid_def *def, sn_vec3 center);

#endif
