// What the guard holds back has hit something: of its motion as much as was cut is lost, but for what it has
// in common with all that was in its way or beside it. Otherwise crumpled cloth would want to go on in all
// directions for ever, would be cut in every step, and hang in the air. The common motions are those of rigid
// bodies, fitted with what is lost as weights: so both momenta stay what they are, and energy does not grow.
// What is tied to something keeps its velocity: impulses of its ties answer that.
// Tested by tests/physics/soft/test_soft_guard.c.
#include "world/deformables/deformable_guard_hits.h"
#include "base/union_find.h"

// Nodes that were in each other's way. Masses are lost parts: mass × (1 − part).
typedef struct group {
    float mass;
    sn_vec3 middle, linear; // sums at first
    sn_vec3 spin, turn;     // about the middle
    sn_sym3 inertia;
} group;

typedef struct losses {
    sn_world *world;
    const sn_soft_guard *guard;
    group *groups; // by the root of their nodes
} losses;

static group *group_of(const losses *hits, int node)
{
    return &hits->groups[sn_union_find_root(hits->guard->groups, node)];
}

static void add_mass(const losses *hits, int node, float mass)
{
    group *group = group_of(hits, node);
    group->mass += mass;
    group->middle = sn_add_scaled(group->middle, mass, hits->world->nodes.states.data[node].position);
    group->linear = sn_add_scaled(group->linear, mass, hits->world->nodes.velocities.data[node].velocity);
}

static void add_spin(const losses *hits, int node, float mass)
{
    group *group = group_of(hits, node);
    float part = 1.0f / group->mass;
    sn_vec3 r = sn_add_scaled(hits->world->nodes.states.data[node].position, -part, group->middle);
    sn_vec3 v = sn_add_scaled(hits->world->nodes.velocities.data[node].velocity, -part, group->linear);
    sn_vec3 m = sn_scale(r, mass);
    group->spin = sn_add(group->spin, sn_cross(m, v));
    group->inertia.xx += m.y * r.y + m.z * r.z;
    group->inertia.yy += m.x * r.x + m.z * r.z;
    group->inertia.zz += m.x * r.x + m.y * r.y;
    group->inertia.xy -= m.x * r.y;
    group->inertia.xz -= m.x * r.z;
    group->inertia.yz -= m.y * r.z;
}

// Nodes in a line have neither inertia nor spin along it.
static void find_turn(group *group)
{
    sn_sym3 inertia = group->inertia;
    float least = 1.0e-6f * (inertia.xx + inertia.yy + inertia.zz);
    if (least > 0.0f) {
        inertia.xx += least;
        inertia.yy += least;
        inertia.zz += least;
        group->turn = sn_sym3_apply(sn_sym3_inverse(inertia), group->spin);
    }
}

static void lose(const losses *hits, int node, float mass)
{
    const group *group = group_of(hits, node);
    float part = 1.0f / group->mass;
    sn_vec3 *velocity = &hits->world->nodes.velocities.data[node].velocity;
    sn_vec3 r = sn_add_scaled(hits->world->nodes.states.data[node].position, -part, group->middle);
    sn_vec3 own = sn_sub(sn_add_scaled(*velocity, -part, group->linear), sn_cross(group->turn, r));
    *velocity = sn_add_scaled(*velocity, -mass / hits->world->nodes.masses.data[node], own);
}

static void for_each(const losses *hits, const sn_soft_scene *scene,
                     void (*visit)(const losses *hits, int node, float mass))
{
    for (int i = 0; i < scene->collider_count; ++i) {
        const sn_soft_collider *collider = &scene->colliders[i];
        bool is_free = collider->surface != NULL && !collider->sleeps &&
                       hits->world->deformables.data[i].first_constraint < 0;
        int end = is_free ? collider->first_node + collider->node_count : 0;
        for (int k = collider->first_node; k < end; ++k) {
            float part = hits->guard->node_parts[k];
            if (part < 1.0f && hits->world->nodes.states.data[k].inverse_mass > 0.0f) {
                visit(hits, k, (1.0f - part) * hits->world->nodes.masses.data[k]);
            }
        }
    }
}

// Without memory velocities stay as they are.
void sn_world_lose_hits(sn_world *world, const sn_soft_scene *scene, const sn_soft_guard *guard)
{
    losses hits = {world, guard, NULL};
    hits.groups = sn_arena_take_zero(&world->arena, (size_t)world->nodes.states.count, sizeof *hits.groups);
    if (hits.groups != NULL) {
        for_each(&hits, scene, add_mass);
        for_each(&hits, scene, add_spin);
        for (int i = 0; i < world->nodes.states.count; ++i) {
            find_turn(&hits.groups[i]);
        }
        for_each(&hits, scene, lose);
    }
}
