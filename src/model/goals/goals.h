// From goals to velocities (Vezzaro's equations 2 and 3, corrected: methods B.3, B.4). A model that knows
// where nodes should be at the end of a sub-step says how far that is from where they would get by
// themselves, x̂ = x + h v, where v has gravity and the user's forces in it already. So what is added is
// (g − x̂)/h alone: a body that has its shape falls freely, whatever its stiffness, and one that rests presses
// with its weight, not twice that.
#ifndef SN_MODEL_GOALS_GOALS_H
#define SN_MODEL_GOALS_GOALS_H

#include "solver/nodes/node_solver.h"

// How much of something that loses `share` (0…1) of itself in 1/60 s goes in h: 1 − (1 − share)^(60 h).
float sn_share_in(float share, float h);

// Takes the share `damping` (0…1) of their motion that is not rigid away from `count` nodes from `first` on.
// Before the prediction: what is damped is where they were going, not how they come back. Needs room for a
// vector a node.
void sn_goals_damp(const sn_element_pass *pass, int first, int count, float damping, sn_vec3 *scratch);

// Changes velocities by toward/h, where `toward` (used up) is g − x̂ [m]. Fixed nodes are left alone. If none
// is fixed, momentum and angular momentum are kept exactly: goals fitted to predicted places keep the latter
// only to first order in h.
void sn_goals_apply(const sn_element_pass *pass, int first, int count, sn_vec3 *toward);

#endif
