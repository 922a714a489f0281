// What the guard cut has hit something: contacts failed to stop it. Were it to keep its velocity, it would go
// the same way in the next step and be cut again, and what is wound tight would never come to rest. So the
// two sides lose the speed at which they approach each other, as in an impact without restitution: by
// impulses that are equal and opposite and act along the line between the two closest points, or at one
// point, so that both momenta are kept.
#include "world/deformables/guard_hits.h"

#include "base/tuple_sort.h"
#include "collision/guard/soft_guard.h"
#include "collision/narrow/gjk.h"
#include "collision/soft/soft_phases.h"
#include "world/core/world.h"
#include <string.h>

// A point of a feature: a weighted sum of its nodes.
typedef struct side {
    const int *nodes;
    int count;
    sn_vec3 corners[3]; // of features with fewer nodes, the last one again
    float weights[3];
} side;

static side side_of(const sn_world *world, const int *nodes, int count, sn_vec3 origin)
{
    side side = {.nodes = nodes, .count = count};
    for (int k = 0; k < 3; ++k) {
        int node = nodes[k < count ? k : count - 1];
        side.corners[k] = sn_sub(world->nodes.states.data[node].position, origin);
    }
    return side;
}

static sn_vec3 place_of(side *side, sn_vec3 near)
{
    (void)sn_triangle_nearest(side->corners, near, side->weights);
    for (int k = side->count; k < 3; ++k) {
        side->weights[side->count - 1] += side->weights[k];
    }
    sn_vec3 place = sn_v(0.0f, 0.0f, 0.0f);
    for (int k = 0; k < side->count; ++k) {
        place = sn_add_scaled(place, side->weights[k], side->corners[k]);
    }
    return place;
}

// Its velocity along the normal; adds what an impulse of 1 changes that by.
static float speed_of(const sn_world *world, const side *side, sn_vec3 normal, float *kappa)
{
    float speed = 0.0f;
    for (int k = 0; k < side->count; ++k) {
        float weight = side->weights[k];
        speed += weight * sn_dot(world->nodes.velocities.data[side->nodes[k]].velocity, normal);
        *kappa += weight * weight * world->nodes.states.data[side->nodes[k]].inverse_mass;
    }
    return speed;
}

static void push(sn_world *world, const side *side, sn_vec3 impulse)
{
    for (int k = 0; k < side->count; ++k) {
        sn_vec3 *velocity = &world->nodes.velocities.data[side->nodes[k]].velocity;
        float change = side->weights[k] * world->nodes.states.data[side->nodes[k]].inverse_mass;
        *velocity = sn_add_scaled(*velocity, change, impulse);
    }
}

static void hit_soft(sn_world *world, const sn_guard_hit *hit)
{
    sn_vec3 origin = world->nodes.states.data[hit->a[0]].position;
    side a = side_of(world, hit->a, hit->count_a, origin), b = side_of(world, hit->b, hit->count_b, origin);
    sn_convex convex_a = {.points = a.corners, .point_count = a.count};
    sn_convex convex_b = {.points = b.corners, .point_count = b.count};
    sn_gjk_result nearest = sn_gjk_distance(&convex_b, &convex_a, sn_pose_identity);
    sn_vec3 on_a = place_of(&a, nearest.point_b), away = sn_sub(on_a, place_of(&b, nearest.point_a));
    float distance = sn_length(away), kappa = 0.0f;
    if (!(distance > 0.0f)) {
        return;
    }
    sn_vec3 normal = sn_scale(away, 1.0f / distance);
    float speed = speed_of(world, &a, normal, &kappa);
    speed -= speed_of(world, &b, normal, &kappa);
    if (speed < 0.0f && kappa > 0.0f) {
        push(world, &a, sn_scale(normal, -speed / kappa));
        push(world, &b, sn_scale(normal, speed / kappa));
    }
}

// Each node of the face against the body, where the node is.
static void hit_body(sn_world *world, const sn_guard_hit *hit)
{
    sn_body *body = &world->bodies.data[hit->body];
    sn_response response = sn_body_response(body);
    bool is_pushed = sn_body_is_dynamic(body);
    if (is_pushed && body->awake_index < 0) {
        return; // what sleeps is woken first
    }
    for (int k = 0; k < hit->count_a; ++k) {
        side node = side_of(world, &hit->a[k], 1, body->center);
        node.weights[0] = 1.0f;
        sn_vec3 arm = node.corners[0], torque = sn_cross(arm, hit->normal);
        sn_vec3 there = sn_add(body->linear_velocity, sn_cross(body->angular_velocity, arm));
        float kappa = 0.0f, speed = speed_of(world, &node, hit->normal, &kappa);
        speed -= sn_dot(there, hit->normal);
        if (is_pushed) {
            kappa += sn_dot(sn_mul(response.inverse_mass, hit->normal), hit->normal) +
                     sn_dot(torque, sn_sym3_apply(response.inverse_inertia, torque));
        }
        if (speed < 0.0f && kappa > 0.0f) {
            float impulse = -speed / kappa;
            push(world, &node, sn_scale(hit->normal, impulse));
            if (is_pushed) {
                body->linear_velocity = sn_add_scaled(body->linear_velocity, -impulse,
                                                      sn_mul(response.inverse_mass, hit->normal));
                body->angular_velocity = sn_add_scaled(body->angular_velocity, -impulse,
                                                       sn_sym3_apply(response.inverse_inertia, torque));
            }
        }
    }
}

// By nodes, then by body, and by normal: a total order but for what is the same.
static int compare_hits(const void *first, const void *second)
{
    const sn_guard_hit *a = first, *b = second;
    int order = memcmp(a->a, b->a, sizeof a->a);
    order = order != 0 ? order : memcmp(a->b, b->b, sizeof a->b);
    order = order != 0 ? order : a->count_a - b->count_a;
    order = order != 0 ? order : a->count_b - b->count_b;
    order = order != 0 ? order : a->body - b->body;
    return order != 0 ? order : memcmp(&a->normal, &b->normal, sizeof a->normal);
}

// Whether all of its nodes are awake, and none is held exactly, whose velocity is not its own.
static bool may_push(const sn_soft_scene *scene, const int *nodes, int count)
{
    for (int i = 0; i < scene->collider_count; ++i) {
        const sn_soft_collider *collider = &scene->colliders[i];
        int node = count > 0 ? nodes[0] - collider->first_node : -1;
        if (collider->sleeps && node >= 0 && node < collider->node_count) {
            return false;
        }
    }
    for (int k = 0; k < count; ++k) {
        if (sn_soft_is_held_exactly(scene, nodes[k])) {
            return false;
        }
    }
    return true;
}

void sn_world_apply_hits(sn_world *world, const sn_soft_scene *scene, const sn_soft_guard *guard)
{
    sn_sort_in_place(guard->hits, guard->hit_count, sizeof *guard->hits, compare_hits);
    for (int i = 0; i < guard->hit_count; ++i) {
        const sn_guard_hit *hit = &guard->hits[i];
        bool is_known = i > 0 && compare_hits(hit, hit - 1) == 0;
        if (is_known || !may_push(scene, hit->a, hit->count_a) || !may_push(scene, hit->b, hit->count_b)) {
            continue;
        }
        if (hit->body >= 0) {
            hit_body(world, hit);
        } else {
            hit_soft(world, hit);
        }
    }
}
