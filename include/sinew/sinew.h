/// \file
/// Sinew: rigid and deformable bodies held together by constraints. This header includes the whole API.
#ifndef SINEW_SINEW_H
#define SINEW_SINEW_H

#include "anchor.h"
#include "base.h"
#include "constraint.h"
#include "deformable.h"
#include "draw.h"
#include "event.h"
#include "math.h"
#include "mesh.h"
#include "point.h"
#include "query.h"
#include "rigid.h"
#include "shape.h"
#include "snapshot.h"
#include "task.h"
#include "world.h"

#endif
