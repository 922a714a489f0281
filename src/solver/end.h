// One end of a constraint as solvers see it: by numbers of nodes and bodies, never by ids. See sinew/point.h.
#ifndef SN_SOLVER_END_H
#define SN_SOLVER_END_H

#include "sinew/math.h"

typedef struct sn_solver_end {
    int node_count; // 0: a body or a fixed place
    int nodes[4];   // the world's numbers
    float weights[4];
    int body;         // solver number; 0 for what does not move
    sn_vec3 local;    // in the body's frame, from its mass centre
    sn_vec3 fixed;    // where it is if nothing moves it
    sn_quat rotation; // of the frame the end carries: in the body's frame if it has a body, in the frame of
                      // its three nodes if has_frame, in the world otherwise
    bool has_frame; // its three nodes make a frame: sn_node_frame
} sn_solver_end;

// The orientation that three nodes give: x from the first to the second, z normal to the triangle. The axes
// that nodes on one line, or in one place, leave open are some that are perpendicular.
static inline sn_quat sn_node_frame(const sn_vec3 corners[3])
{
    sn_vec3 x = sn_normalize(sn_sub(corners[1], corners[0]));
    if (sn_length_squared(x) == 0.0f) {
        x = sn_v(1.0f, 0.0f, 0.0f);
    }
    sn_vec3 side = sn_sub(corners[2], corners[0]);
    sn_vec3 y = sn_normalize(sn_add_scaled(side, -sn_dot(side, x), x));
    if (sn_length_squared(y) == 0.0f) {
        y = sn_perpendicular(x);
    }
    sn_mat3 axes = {x, y, sn_cross(x, y)};
    return sn_quat_from_mat3(axes);
}

#endif
