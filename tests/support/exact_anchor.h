// The definition of an exact anchor between two points.
#ifndef TESTS_SUPPORT_EXACT_ANCHOR_H
#define TESTS_SUPPORT_EXACT_ANCHOR_H

#include <sinew/sinew.h>

static inline sn_anchor_def exact_anchor(sn_point a, sn_point b, int ramp_steps, float friction)
{
    sn_anchor_def def = sn_anchor_def_default();
    def.a = a;
    def.b = b;
    def.exact = true;
    def.ramp_steps = ramp_steps;
    def.friction = friction;
    return def;
}

#endif
