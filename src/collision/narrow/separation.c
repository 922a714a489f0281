// Signed distance of two rounded shapes: distance of the cores while they are apart, penetration depth when
// they overlap, less the radii.
#include "collision/narrow/gjk.h"

sn_separation_result sn_separation(const sn_convex *a, const sn_convex *b, sn_pose b_in_a)
{
    sn_gjk_result nearest = sn_gjk_distance(a, b, b_in_a);
    sn_separation_result result = {nearest.distance, nearest.normal, nearest.point_a, nearest.point_b};
    if (nearest.simplex_count == 4) {
        sn_depth_result deepest = sn_penetration_depth(a, b, b_in_a);
        result = (sn_separation_result){-deepest.depth, deepest.normal, deepest.point_a, deepest.point_b};
    }
    result.distance -= a->radius + b->radius;
    result.point_a = sn_add_scaled(result.point_a, a->radius, result.normal);
    result.point_b = sn_add_scaled(result.point_b, -b->radius, result.normal);
    return result;
}
