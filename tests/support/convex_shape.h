// Convex shapes with the room they live in, about the origin.
#ifndef TESTS_SUPPORT_CONVEX_SHAPE_H
#define TESTS_SUPPORT_CONVEX_SHAPE_H

#include "geometry/shapes/convex.h"

typedef struct shape {
    sn_convex_storage storage;
    sn_convex convex;
} shape;

static inline void make_sphere(shape *s, float radius)
{
    s->convex = sn_convex_sphere(&s->storage, (sn_sphere){{0.0f, 0.0f, 0.0f}, radius});
}

// Along x, `length` between the centres of its caps.
static inline void make_capsule(shape *s, float length, float radius)
{
    sn_capsule capsule = {{-0.5f * length, 0.0f, 0.0f}, {0.5f * length, 0.0f, 0.0f}, radius};
    s->convex = sn_convex_capsule(&s->storage, capsule);
}

static inline void make_box(shape *s, float x, float y, float z)
{
    s->convex = sn_convex_box(&s->storage, (sn_box){{x, y, z}});
}

#endif
