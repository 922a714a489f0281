// Anchors from inside.
#ifndef SN_WORLD_ANCHORS_H
#define SN_WORLD_ANCHORS_H

#include "solver/anchor_rows.h"
#include "world/world.h"

#define SN_COOKIE_ANCHOR 0x534e414eu

// SN_OK if both points exist and all numbers are in their ranges.
sn_status sn_anchor_check(const sn_world *world, const sn_anchor_def *def);

// What its ends belong to, whether it holds or not; both −1 if there is none of that index.
sn_tie sn_anchor_ends(const sn_world *world, int index);

// Anchors whose time began or ended since the last step wake what they hold.
void sn_world_time_anchors(sn_world *world);
// Whether one end takes part in the step: a body with a number, or an awake deformable.
bool sn_anchor_takes_part(const sn_world *world, int index, const int *number);
// Fills the solver's list for sub-steps of length h; `number` gives solver numbers of bodies. False without
// memory.
bool sn_world_load_anchors(sn_world *world, float h, const int *number, sn_anchor_stage *stage);
// How many sub-steps a step of that duration takes; `held` are zeros, one a body, to be written, or null if
// there are no anchors.
int sn_world_choose_sub_steps(const sn_world *world, float duration, float *held);
// Removes those that bore more than they can, and reports it.
void sn_world_break_anchors(sn_world *world);
// Removes the anchors of a body or a deformable, which goes by its number as a member of islands.
void sn_world_drop_anchors(sn_world *world, int member);

#endif
