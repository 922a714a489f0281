// From goals to velocities (Vezzaro's equations 2 and 3, corrected: methods B.3, B.4). A model that knows
// where nodes should be at the end of a sub-step says how far that is from where they would get by
// themselves, x̂ = x + h v, where v has gravity and the user's forces in it already. So what is added is
// (g − x̂)/h alone: a body that has its shape falls freely, whatever its stiffness, and one that rests presses
// with its weight, not twice that.
#ifndef SN_MODEL_GOALS_H
#define SN_MODEL_GOALS_H

#include "solver/node_solver.h"

// How much of something that loses `share` (0…1) of itself in 1/60 s goes in h: 1 − (1 − share)^(60 h).
float sn_share_in(float share, float h);

// Changes the velocities of `count` nodes from `first` on by toward/h, where `toward` (used up as scratch) is
// g − x̂ [m]. Fixed nodes are left alone. If none is fixed, momentum and angular momentum are kept exactly:
// goals fitted to predicted places keep the latter only to first order in h. Of the motion that is not rigid,
// the share `damping` (0…1) is taken away.
void sn_goals_apply(const sn_element_pass *pass, int first, int count, sn_vec3 *toward, float damping);

#endif
