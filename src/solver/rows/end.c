// Ends made of nodes: where they are, how fast, and how impulses reach the nodes.
#include "solver/rows/end.h"

// --- frames of three nodes -----------------------------------------------------------------------

// Axes of the frame that three points span: x from the first to the second, z normal to all three. A triangle
// without area keeps what axes it has.
typedef struct triangle {
    sn_vec3 x, y, z;
    float base;   // distance of the first two points, not too small
    float along;  // the third point's coordinates
    float height; // likewise
} triangle;

static triangle triangle_of(const sn_vec3 *points)
{
    const float smallest = 1.0e-12f, smallest_size = 1.0e-6f;
    sn_vec3 side = sn_sub(points[1], points[0]), other = sn_sub(points[2], points[0]);
    float length = sn_length(side);
    // If the points are nearly on a line, or the first two nearly coincide, small motions would turn the
    // frame
    // without bound.
    float least = 1.0e-4f * sn_max(sn_max(length, sn_length(other)), smallest_size);
    triangle t = {.base = sn_max(length, least)};
    t.x = length > smallest ? sn_scale(side, 1.0f / length) : sn_v(1.0f, 0.0f, 0.0f);
    t.along = sn_dot(other, t.x);
    sn_vec3 up = sn_add_scaled(other, -t.along, t.x);
    float height = sn_length(up);
    t.y = height > smallest ? sn_scale(up, 1.0f / height) : sn_perpendicular(t.x);
    t.height = sn_max(height, least);
    t.z = sn_cross(t.x, t.y);
    return t;
}

sn_quat sn_node_frame(const sn_vec3 corners[3])
{
    triangle t = triangle_of(corners);
    return sn_quat_from_mat3((sn_mat3){t.x, t.y, t.z});
}

static sn_mat3 outer(sn_vec3 a, sn_vec3 b)
{
    return (sn_mat3){sn_scale(a, b.x), sn_scale(a, b.y), sn_scale(a, b.z)};
}

static sn_mat3 scaled(sn_mat3 m, float s)
{
    return (sn_mat3){sn_scale(m.x, s), sn_scale(m.y, s), sn_scale(m.z, s)};
}

// Gₖ of the three nodes: ω·z = y·(v₁ − v₀)/a, ω·y = −z·(v₁ − v₀)/a,
// ω·x = (z·(v₂ − v₀) − (b/a) z·(v₁ − v₀))/c, with the second point at (a, 0) and the third at (b, c).
static void find_turns(const triangle *t, sn_mat3 turns[3])
{
    float inverse = 1.0f / t->base, lift = 1.0f / t->height;
    sn_mat3 second = sn_mat3_add(scaled(outer(t->z, t->y), inverse), scaled(outer(t->y, t->z), -inverse));
    turns[1] = sn_mat3_add(second, scaled(outer(t->x, t->z), -t->along * inverse * lift));
    turns[2] = scaled(outer(t->x, t->z), lift);
    turns[0] = scaled(sn_mat3_add(turns[1], turns[2]), -1.0f);
}

// Weights of the centre: by mass, or, where nodes are fixed, of those alone.
static void find_center_weights(const sn_node_state *states, const int *nodes, float weights[3])
{
    float sum = 0.0f;
    bool any_fixed = false;
    for (int k = 0; k < 3; ++k) {
        any_fixed = any_fixed || !(states[nodes[k]].inverse_mass > 0.0f);
    }
    for (int k = 0; k < 3; ++k) {
        float w = states[nodes[k]].inverse_mass;
        weights[k] = any_fixed ? (w > 0.0f ? 0.0f : 1.0f) : 1.0f / w;
        sum += weights[k];
    }
    for (int k = 0; k < 3; ++k) {
        weights[k] /= sum;
    }
}

// Σ wₖ Gₖ Gₖᵀ.
static sn_sym3 inverse_inertia_of(const sn_node_end *end, const sn_node_state *states)
{
    sn_sym3 sum = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
    for (int k = 0; k < 3; ++k) {
        const sn_vec3 columns[3] = {end->turns[k].x, end->turns[k].y, end->turns[k].z};
        float w = states[end->nodes[k]].inverse_mass;
        for (int c = 0; c < 3; ++c) {
            sn_vec3 v = columns[c];
            sum.xx += w * v.x * v.x;
            sum.yy += w * v.y * v.y;
            sum.zz += w * v.z * v.z;
            sum.xy += w * v.x * v.y;
            sum.xz += w * v.x * v.z;
            sum.yz += w * v.y * v.z;
        }
    }
    return sum;
}

// --- where it is ---------------------------------------------------------------------------------

static sn_vec3 node_place(const sn_node_state *states, const sn_node_velocity *velocities, int node,
                          float time)
{
    return sn_add_scaled(states[node].position, time, velocities[node].velocity);
}

static float response_of(const sn_node_end *end, const sn_node_state *states)
{
    float sum = 0.0f;
    for (int k = 0; k < end->count; ++k) {
        sum += end->weights[k] * end->weights[k] * states[end->nodes[k]].inverse_mass;
    }
    return sum;
}

// From the centre of a frame to its point, given the weights of the centre: as at rest.
static sn_vec3 arm_of(const sn_solver_end *end, const float *center_weights, const triangle *now)
{
    triangle rest = triangle_of(end->rest);
    sn_vec3 offset = {0.0f, 0.0f, 0.0f};
    for (int k = 0; k < 3; ++k) {
        offset = sn_add_scaled(offset, end->weights[k] - center_weights[k], end->rest[k]);
    }
    return sn_add_scaled(sn_scale(now->x, sn_dot(offset, rest.x)), sn_dot(offset, rest.y), now->y);
}

static sn_end_place place_of_frame(const sn_solver_end *end, const sn_node_state *states,
                                   const sn_node_velocity *velocities, float time, sn_node_end *nodes)
{
    sn_vec3 points[3], center = {0.0f, 0.0f, 0.0f};
    nodes->count = 3;
    find_center_weights(states, nodes->nodes, nodes->weights);
    for (int k = 0; k < 3; ++k) {
        points[k] = node_place(states, velocities, nodes->nodes[k], time);
        center = sn_add_scaled(center, nodes->weights[k], points[k]);
    }
    triangle t = triangle_of(points);
    find_turns(&t, nodes->turns);
    nodes->inverse_inertia = inverse_inertia_of(nodes, states);
    sn_quat rotation = sn_quat_from_mat3((sn_mat3){t.x, t.y, t.z});
    sn_vec3 arm = arm_of(end, nodes->weights, &t);
    return (sn_end_place){.center = center,
                          .body_rotation = rotation,
                          .frame = {sn_add(center, arm), sn_quat_multiply(rotation, end->rotation)},
                          .arm = arm};
}

sn_end_place sn_end_of_nodes(const sn_solver_end *end, const sn_node_state *states,
                             const sn_node_velocity *velocities, float time, sn_node_end *nodes)
{
    *nodes = (sn_node_end){.count = end->node_count, .has_frame = end->has_frame};
    for (int k = 0; k < end->node_count; ++k) {
        nodes->nodes[k] = end->nodes[k];
        nodes->weights[k] = end->weights[k];
    }
    sn_end_place place;
    if (end->has_frame) {
        place = place_of_frame(end, states, velocities, time, nodes);
    } else {
        place = (sn_end_place){.body_rotation = sn_quat_identity, .frame = {.rotation = sn_quat_identity}};
        for (int k = 0; k < end->node_count; ++k) {
            place.frame.position = sn_add_scaled(place.frame.position, end->weights[k],
                                                 node_place(states, velocities, end->nodes[k], time));
        }
        place.center = place.frame.position;
    }
    nodes->inverse_mass = response_of(nodes, states);
    return place;
}

// --- motion --------------------------------------------------------------------------------------

void sn_node_end_velocity(const sn_node_end *end, const sn_node_velocity *velocities, sn_vec3 *linear,
                          sn_vec3 *angular)
{
    *linear = *angular = sn_v(0.0f, 0.0f, 0.0f);
    for (int k = 0; k < end->count; ++k) {
        sn_vec3 velocity = velocities[end->nodes[k]].velocity;
        *linear = sn_add_scaled(*linear, end->weights[k], velocity);
        if (end->has_frame) {
            *angular = sn_add(*angular, sn_mat3_apply(end->turns[k], velocity));
        }
    }
}

void sn_node_end_push(const sn_node_end *end, const sn_node_state *states, sn_node_velocity *velocities,
                      sn_vec3 impulse, sn_vec3 angular_impulse)
{
    for (int k = 0; k < end->count; ++k) {
        sn_vec3 *velocity = &velocities[end->nodes[k]].velocity;
        sn_vec3 push = sn_scale(impulse, end->weights[k]);
        if (end->has_frame) {
            const sn_mat3 *turn = &end->turns[k]; // Gᵀ T
            push = sn_add(push, sn_v(sn_dot(turn->x, angular_impulse), sn_dot(turn->y, angular_impulse),
                                     sn_dot(turn->z, angular_impulse)));
        }
        *velocity = sn_add_scaled(*velocity, states[end->nodes[k]].inverse_mass, push);
    }
}
