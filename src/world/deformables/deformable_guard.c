// The guard in the world: after everything has moved, cuts what would have passed through something
// (soft_guard.h). The velocity that was cut is lost among what was in each other's way
// (deformable_guard_hits.h), and so is the speed of a fall that did not take place; the rest stays as it is,
// but for what keeps the angular momentum: the contacts of the next step see it. Tested by
// tests/physics/soft/test_soft_guard.c.
#include "world/deformables/deformable_guard_hits.h"

// How awake bodies moved, and the shapes that left their boxes. False without memory.
static bool describe_motion(sn_world *world, sn_soft_scene *scene)
{
    size_t count = (size_t)world->awake_bodies.count;
    sn_motion *motions = sn_arena_take(&world->arena, count, sizeof *motions);
    int *outliers = sn_arena_take(&world->arena, (size_t)world->shapes.count, sizeof *outliers);
    if (motions == NULL || outliers == NULL) {
        return false;
    }
    for (int i = 0; i < world->awake_bodies.count; ++i) {
        const sn_body *body = &world->bodies.data[world->awake_bodies.data[i]];
        const sn_start_pose *start = &world->start_poses[i];
        motions[i] = (sn_motion){.local_center = body->local_center,
                                 .center_start = start->center,
                                 .center_end = body->center,
                                 .rotation_start = start->rotation,
                                 .rotation_end = body->rotation};
        for (int s = body->first_shape; s >= 0; s = world->shapes.data[s].next) {
            const sn_shape_data *shape = &world->shapes.data[s];
            if (!sn_bounds_contain(shape->fat, sn_shape_compute_bounds(shape, sn_body_pose(body)))) {
                outliers[scene->outlier_count++] = s;
            }
        }
    }
    scene->motions = motions;
    scene->outliers = outliers;
    return true;
}

// The step of a deformable that was put right (deformables_recovery.c) began where it was before.
static void start_before_recovery(const sn_world *world, const sn_soft_scene *scene, sn_vec3 *starts)
{
    for (int i = 0; i < scene->collider_count; ++i) {
        const sn_soft_collider *collider = &scene->colliders[i];
        const sn_node_state *before = sn_world_nodes_before_recovery(world, &world->deformables.data[i]);
        for (int k = 0; before != NULL && k < collider->node_count; ++k) {
            starts[collider->first_node + k] = before[k].position;
        }
    }
}

// What is held back at its old velocity has lost the angular momentum ΔL = Σ m Δx × v, and gets it back as a
// rotation Δω about its mass centre: as far as its kinetic energy does not grow by more than this part. What
// is small, fast and far from where it wanted to be would be spun without end.
#define MOST_GIVEN 0.01f

// The part of ΔL that is given back, L the angular momentum there is: the gain Δω·(L + ΔL/2) is convex in Δω.
static float given_part(sn_vec3 turn, sn_vec3 angular_momentum, sn_vec3 lost, float kinetic)
{
    float gain = sn_dot(turn, sn_add_scaled(angular_momentum, 0.5f, lost)), most = MOST_GIVEN * kinetic;
    return gain > most ? most / gain : 1.0f;
}

// Not if fixed nodes hold it, which take up what they like.
static void give_back(sn_world *world, const sn_soft_collider *collider, sn_vec3 lost)
{
    const sn_node_state *nodes = world->nodes.states.data + collider->first_node;
    sn_node_velocity *velocities = world->nodes.velocities.data + collider->first_node;
    const float *masses = world->nodes.masses.data + collider->first_node;
    sn_vec3 sum = sn_v(0.0f, 0.0f, 0.0f), origin = nodes[0].position;
    float mass = 0.0f;
    for (int i = 0; i < collider->node_count; ++i) {
        if (nodes[i].inverse_mass == 0.0f) {
            return;
        }
        mass += masses[i];
        sum = sn_add_scaled(sum, masses[i], sn_sub(nodes[i].position, origin));
    }
    sn_vec3 center = sn_add_scaled(origin, 1.0f / mass, sum);
    sn_sym3 inertia = {0};
    sn_vec3 spin = sn_v(0.0f, 0.0f, 0.0f);
    float kinetic = 0.0f;
    for (int i = 0; i < collider->node_count; ++i) {
        sn_vec3 r = sn_sub(nodes[i].position, center), m = sn_scale(r, masses[i]);
        kinetic += 0.5f * masses[i] * sn_length_squared(velocities[i].velocity);
        spin = sn_add(spin, sn_cross(m, velocities[i].velocity));
        inertia.xx += m.y * r.y + m.z * r.z;
        inertia.yy += m.x * r.x + m.z * r.z;
        inertia.zz += m.x * r.x + m.y * r.y;
        inertia.xy -= m.x * r.y;
        inertia.xz -= m.x * r.z;
        inertia.yz -= m.y * r.z;
    }
    sn_vec3 turn = sn_sym3_apply(sn_sym3_inverse(inertia), lost);
    turn = sn_scale(turn, given_part(turn, spin, lost, kinetic));
    for (int i = 0; i < collider->node_count; ++i) {
        velocities[i].velocity =
            sn_add(velocities[i].velocity, sn_cross(turn, sn_sub(nodes[i].position, center)));
    }
}

// Of a way Σ m Δx that was cut: single nodes are held up by their neighbours, whose rows answer that.
static void lose_fall_as_a_whole(sn_world *world, int deformable, const sn_soft_collider *collider,
                                 sn_vec3 way)
{
    sn_node_velocity *velocities = world->nodes.velocities.data + collider->first_node;
    const float *masses = world->nodes.masses.data + collider->first_node;
    float mass = 0.0f;
    sn_vec3 momentum = sn_v(0.0f, 0.0f, 0.0f);
    for (int i = 0; i < collider->node_count; ++i) {
        if (world->nodes.states.data[collider->first_node + i].inverse_mass == 0.0f) {
            return;
        }
        mass += masses[i];
        momentum = sn_add_scaled(momentum, masses[i], velocities[i].velocity);
    }
    sn_vec3 before = sn_scale(momentum, 1.0f / mass), after = before;
    sn_lose_fall(sn_scale(world->def.gravity, world->deformables.data[deformable].def.gravity_scale),
                 sn_scale(way, 1.0f / mass), &after);
    for (int i = 0; i < collider->node_count; ++i) {
        velocities[i].velocity = sn_add(velocities[i].velocity, sn_sub(after, before));
    }
}

static void cut_nodes(sn_world *world, const sn_soft_scene *scene, const sn_soft_guard *guard)
{
    for (int i = 0; i < scene->collider_count; ++i) {
        const sn_soft_collider *collider = &scene->colliders[i];
        int end =
            collider->surface != NULL && !collider->sleeps ? collider->first_node + collider->node_count : 0;
        sn_vec3 lost = sn_v(0.0f, 0.0f, 0.0f), way = lost;
        bool any = false;
        for (int k = collider->first_node; k < end; ++k) {
            float part = guard->node_parts[k];
            sn_vec3 start = world->node_starts[k], *position = &world->nodes.states.data[k].position;
            if (part < 1.0f) {
                sn_vec3 whole = *position, from = sn_add(start, guard->frames[i]);
                *position = sn_add_scaled(from, part, sn_sub(whole, from));
                if (world->nodes.states.data[k].inverse_mass == 0.0f) {
                    world->nodes.targets.data[k] = whole; // goes on to it in the next step
                    world->nodes.has_target.data[k] = 1;
                }
                sn_vec3 arm = sn_scale(sn_sub(whole, *position), world->nodes.masses.data[k]);
                way = sn_add(way, arm);
                lost = sn_add(lost, sn_cross(arm, world->nodes.velocities.data[k].velocity));
                any = true;
            }
        }
        if (any) {
            lose_fall_as_a_whole(world, i, collider, way);
            give_back(world, collider, lost);
        }
    }
}

static sn_vec3 given_to_body(const sn_body *body, sn_vec3 lost)
{
    sn_sym3 inertia = sn_sym3_turned(sn_sym3_from(body->inertia), body->rotation);
    sn_vec3 spin = sn_sym3_apply(inertia, body->angular_velocity);
    sn_vec3 turn = sn_sym3_apply(sn_body_response(body).inverse_inertia, lost);
    float kinetic =
        0.5f * (body->mass * sn_length_squared(body->linear_velocity) + sn_dot(body->angular_velocity, spin));
    return sn_scale(lost, given_part(turn, spin, lost, kinetic));
}

static void cut_bodies(sn_world *world, const sn_soft_scene *scene, const sn_soft_guard *guard)
{
    for (int i = 0; i < guard->body_count; ++i) {
        sn_body *body = &world->bodies.data[world->awake_bodies.data[i]];
        if (guard->body_parts[i] < 1.0f && sn_body_is_dynamic(body)) {
            sn_vec3 whole = body->center, residue = sn_v(0.0f, 0.0f, 0.0f);
            body->center = sn_lerp(world->start_poses[i].center, body->center, guard->body_parts[i]);
            sn_spin spin = sn_body_spin(body);
            sn_sym3 unused;
            sn_body_lose_fall(world, body, whole);
            sn_vec3 arm = sn_scale(sn_sub(whole, body->center), body->mass);
            sn_rotate_to(&spin, sn_motion_at(&scene->motions[i], guard->body_parts[i]).rotation,
                         given_to_body(body, sn_cross(arm, body->linear_velocity)), &body->rotation,
                         &body->angular_velocity, &residue, &unused);
        }
    }
}

// With the staggered solver, whose contacts let things sink in as in the paper, nothing is cut.
bool sn_world_is_guarded(const sn_world *world)
{
    return world->def.guard && world->def.solver != SN_SOLVER_STAGGERED;
}

// Without memory nothing is cut.
void sn_stage_guard(sn_world *world, float duration)
{
    sn_soft_scene scene;
    sn_soft_guard guard = {.starts = world->node_starts, .body_count = world->awake_bodies.count};
    if (!sn_world_any_deformable_moves(world) || world->node_starts == NULL || !sn_world_is_guarded(world) ||
        !sn_soft_describe(world, duration, &scene) || !describe_motion(world, &scene)) {
        return;
    }
    start_before_recovery(world, &scene, (sn_vec3 *)world->node_starts);
    if (!sn_soft_guard_find(&scene, &world->soft, &guard)) {
        return;
    }
    world->last.cut_node_count = guard.cut_nodes;
    world->last.cut_body_count = guard.cut_bodies;
    world->last.crossing_count = guard.overlaps - guard.fixed_overlaps;
    if (guard.cut_nodes > 0) {
        cut_nodes(world, &scene, &guard);
        sn_world_lose_hits(world, &scene, &guard);
    }
    if (guard.cut_bodies > 0) {
        cut_bodies(world, &scene, &guard);
    }
    if (world->verifies_guard && guard.overlaps == 0) {
        world->let_through += sn_soft_guard_verify(&scene, world->node_starts);
    }
}
