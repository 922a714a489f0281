// Whether two boxes are surely farther apart than some distance, by the axes of their faces alone: what most
// pairs of boxes are whose bounds overlap. Where a box is, is found once for all of its pairs.
#ifndef SN_COLLISION_NARROW_BOXES_APART_H
#define SN_COLLISION_NARROW_BOXES_APART_H

#include "collision/narrow/shape.h"

// A box in the world.
typedef struct sn_box_place {
    sn_vec3 center, half_extents;
    sn_mat3 axes;
    float size; // half its diagonal; 0 for what is no box
} sn_box_place;

// Of a shape at a pose of its body.
sn_box_place sn_box_place_of(const sn_shape_data *shape, sn_pose body_pose);

// If so, sn_collide_shapes finds nothing within that distance. [m]
bool sn_boxes_apart(const sn_box_place *a, const sn_box_place *b, float distance);

#endif
