// Hulls, surfaces and compounds: made once, shared by many shapes.
#ifndef SN_SCENE_SHARED_GEOMETRY_H
#define SN_SCENE_SHARED_GEOMETRY_H

#include "sinew/sinew.h"

// The geometry several shapes may share; null for those that are numbers only.
const void *sn_shared_geometry(const sn_world *world, sn_shape shape);

#endif
