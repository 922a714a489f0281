// Exact anchors for tests. Include after cmocka.h.
#ifndef TESTS_SUPPORT_EXACT_KIT_H
#define TESTS_SUPPORT_EXACT_KIT_H

#include "support/soft_kit.h"

static inline sn_anchor_def exact_def(sn_point a, sn_point b)
{
    sn_anchor_def def = sn_anchor_def_default();
    def.a = a;
    def.b = b;
    def.exact = true;
    return def;
}

static inline sn_anchor exact_add(sn_world *world, const sn_anchor_def *def)
{
    sn_anchor anchor = {0};
    if (sn_anchor_add(world, def, &anchor) != SN_OK) {
        fail_msg("%s", sn_world_error(world));
    }
    return anchor;
}

static inline sn_anchor exact_tie(sn_world *world, sn_point a, sn_point b)
{
    sn_anchor_def def = exact_def(a, b);
    return exact_add(world, &def);
}

#endif
