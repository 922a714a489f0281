// What stands behind a shape, whatever it is.
#include "scene/shared_geometry.h"

const void *sn_shared_geometry(const sn_world *world, sn_shape shape)
{
    switch (sn_shape_get_type(world, shape)) {
    case SN_HULL:
        return sn_shape_hull(world, shape);
    case SN_SURFACE:
        return sn_shape_surface(world, shape);
    case SN_COMPOUND:
        return sn_shape_compound(world, shape);
    default:
        return NULL;
    }
}
