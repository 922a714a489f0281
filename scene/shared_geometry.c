// What stands behind a shape, whatever it is.
#include "scene/shared_geometry.h"

const void *sn_shared_geometry(const sn_world *world, sn_shape shape)
{
    const sn_hull *hull = NULL;
    const sn_surface *surface = NULL;
    const sn_compound *compound = NULL;
    switch (sn_shape_get_type(world, shape)) {
    case SN_HULL:
        sn_shape_hull(world, shape, &hull);
        return hull;
    case SN_SURFACE:
        sn_shape_surface(world, shape, &surface);
        return surface;
    case SN_COMPOUND:
        sn_shape_compound(world, shape, &compound);
        return compound;
    default:
        return NULL;
    }
}
