// Angular momentum that deformables lost to what keeps their momentum alone: motions that are cut at their
// old velocity (deformable_guard.c), and contacts between deformables, which push the two sides at points
// that are apart by their thickness. It is given back as a rotation about the mass centre.
#ifndef SN_WORLD_DEFORMABLES_ANGULAR_MOMENTUM_H
#define SN_WORLD_DEFORMABLES_ANGULAR_MOMENTUM_H

#include "sinew/math.h"

struct sn_world;

// What giving back may add to the kinetic energy after a cut, as a part of that: what is small, fast and far
// from where it wanted to be would be spun without end.
#define SN_GIVEN_BACK 0.01f

// The part of a lost angular momentum ΔL that may be given back by turning at Δω what has the angular
// momentum L: as far as its kinetic energy does not grow by more than `most`. [J]
float sn_given_part(sn_vec3 turn, sn_vec3 angular_momentum, sn_vec3 lost, float most);
// Gives it back to a deformable after a cut, not if fixed nodes hold it, which take up what they like.
void sn_soft_give_back(struct sn_world *world, int first_node, int node_count, sn_vec3 lost);
// After the sub-steps: what contacts between deformables took.
void sn_soft_give_back_torques(struct sn_world *world);

#endif
