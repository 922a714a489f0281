#include "collision/narrow/boxes_apart.h"

// Rounding error as a part of all lengths that take part, with room to spare: what is this near is left to
// those who look closer.
#define ROUNDING 1.0e-4f

sn_box_place sn_box_place_of(const sn_shape_data *shape, sn_pose body_pose)
{
    if (shape->type != SN_BOX) {
        return (sn_box_place){.size = 0.0f};
    }
    sn_pose pose = sn_pose_multiply(body_pose, shape->offset);
    sn_vec3 half = shape->box.half_extents;
    return (sn_box_place){pose.position, half, sn_mat3_from_quat(pose.rotation), sn_length(half)};
}

// In a row the axes of b along one of a, without signs.
static sn_vec3 row_of(const sn_box_place *b, sn_vec3 axis_of_a)
{
    return sn_abs3(
        sn_v(sn_dot(axis_of_a, b->axes.x), sn_dot(axis_of_a, b->axes.y), sn_dot(axis_of_a, b->axes.z)));
}

bool sn_boxes_apart(const sn_box_place *a, const sn_box_place *b, float distance)
{
    sn_vec3 way = sn_sub(b->center, a->center), h = a->half_extents, k = b->half_extents;
    float least = distance + ROUNDING * (a->size + b->size + distance);
    sn_vec3 x = row_of(b, a->axes.x), y = row_of(b, a->axes.y), z = row_of(b, a->axes.z);
    if (sn_abs(sn_dot(way, a->axes.x)) - h.x - sn_dot(x, k) > least ||
        sn_abs(sn_dot(way, a->axes.y)) - h.y - sn_dot(y, k) > least ||
        sn_abs(sn_dot(way, a->axes.z)) - h.z - sn_dot(z, k) > least) {
        return true;
    }
    return sn_abs(sn_dot(way, b->axes.x)) - k.x - (h.x * x.x + h.y * y.x + h.z * z.x) > least ||
           sn_abs(sn_dot(way, b->axes.y)) - k.y - (h.x * x.y + h.y * y.y + h.z * z.y) > least ||
           sn_abs(sn_dot(way, b->axes.z)) - k.z - (h.x * x.z + h.y * y.z + h.z * z.z) > least;
}
