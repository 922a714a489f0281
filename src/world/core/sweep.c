// Continuous collision: a body that moved farther than its own thickness is swept along its path, and stopped
// where its core would enter something. Contacts found in the next step then do the rest. Only the core (a
// ball of half the thickness) is swept, so that bodies that slide fast over a floor they touch are not held
// up by it.
// Tested by tests/world/core/test_continuous.c.
#include "collision/narrow/cast.h"
#include "collision/narrow/gjk.h"
#include "solver/rows/hinge_planes.h"
#include "world/constraints/unions.h"

#include <math.h>

typedef struct sweeper {
    const sn_world *world;
    int body, shape;
    sn_filter filter;
    bool against_dynamic;
    sn_convex core;            // a ball at the origin of its own frame
    sn_convex_storage storage; // of the core
    sn_motion motion;          // of the core
    sn_bounds path;            // box around the whole motion
    float touch;               // a hit this close before touching counts [m]
    float time;                // of the first hit so far, 1 if none
    int target;                // the body hit then, −1 if none
} sweeper;

// A hit this close before touching counts, so that the core never starts inside: an absolute distance [m],
// and a part of the core's radius.
static const float touch_distance = 0.0005f, touch_part = 0.25f;

// Whether a core that starts in touch would go on into the target.
static bool goes_deeper(const sweeper *sweep, const sn_convex *target, const sn_motion *target_motion)
{
    sn_pose at = sn_motion_at(target_motion, 0.0f);
    sn_separation_result start =
        sn_separation(target, &sweep->core, sn_pose_relative(at, sn_motion_at(&sweep->motion, 0.0f)));
    sn_vec3 travel = sn_sub(sn_sub(sweep->motion.center_end, sweep->motion.center_start),
                            sn_sub(target_motion->center_end, target_motion->center_start));
    return sn_dot(travel, sn_rotate(at.rotation, start.normal)) < 0.0f;
}

static void sweep_convex(sweeper *sweep, int body, const sn_convex *target, const sn_motion *target_motion)
{
    float t = sn_time_of_impact(target, target_motion, &sweep->core, &sweep->motion, sweep->touch);
    if (t < sweep->time && (t > 0.0f || goes_deeper(sweep, target, target_motion))) {
        sweep->time = t;
        sweep->target = body;
    }
}

static void sweep_plane(sweeper *sweep, const sn_shape_data *shape)
{
    sn_pose pose = sn_pose_multiply(sn_body_pose(&sweep->world->bodies.data[shape->body]), shape->offset);
    sn_vec3 normal = sn_rotate(pose.rotation, shape->plane.normal);
    float level = shape->plane.offset + sn_dot(normal, pose.position) + sweep->core.radius + sweep->touch;
    float before = sn_dot(normal, sweep->motion.center_start) - level;
    float after = sn_dot(normal, sweep->motion.center_end) - level;
    float t = before > 0.0f && after < before ? before / (before - after) : 0.0f;
    if (after < 0.0f && after < before && t < sweep->time) {
        sweep->time = t;
        sweep->target = shape->body;
    }
}

// The motion of a part placed in a body: kinematic and dynamic targets moved too.
static sn_motion motion_of(const sn_world *world, int index, sn_pose part_in_body)
{
    const sn_body *body = &world->bodies.data[index];
    sn_start_pose start = {.center = body->center, .rotation = body->rotation};
    if (body->awake_index >= 0) {
        start = world->start_poses[body->awake_index];
    }
    sn_motion motion = {.local_center = sn_pose_apply_inverse(part_in_body, body->local_center),
                        .center_start = start.center,
                        .center_end = body->center,
                        .rotation_start = sn_quat_multiply(start.rotation, part_in_body.rotation),
                        .rotation_end = sn_quat_multiply(body->rotation, part_in_body.rotation)};
    return motion;
}

typedef struct triangle_sweep {
    sweeper *sweep;
    int body;
    const sn_surface *surface;
    sn_motion motion;
} triangle_sweep;

static bool sweep_triangle(void *context, int triangle)
{
    triangle_sweep *job = context;
    sn_vec3 corners[3];
    sn_surface_triangle(job->surface, triangle, corners);
    sn_vec3 normal = sn_cross(sn_sub(corners[1], corners[0]), sn_sub(corners[2], corners[0]));
    sn_vec3 travel = sn_rotate_inverse(
        job->motion.rotation_end, sn_sub(job->sweep->motion.center_end, job->sweep->motion.center_start));
    if (job->surface->double_sided || sn_dot(travel, normal) < 0.0f) {
        sn_convex_storage storage;
        sn_convex convex = sn_convex_triangle(&storage, corners[0], corners[1], corners[2]);
        sweep_convex(job->sweep, job->body, &convex, &job->motion);
    }
    return true;
}

static void sweep_shape(sweeper *sweep, const sn_shape_data *shape)
{
    const sn_world *world = sweep->world;
    if (sn_shape_is_convex(shape->type)) {
        sn_convex convex = sn_shape_convex(shape);
        sn_motion motion = motion_of(world, shape->body, shape->offset);
        sweep_convex(sweep, shape->body, &convex, &motion);
    } else if (shape->type == SN_COMPOUND) {
        for (int i = 0; i < shape->compound->part_count; ++i) {
            sn_convex convex = sn_compound_convex(shape->compound, i);
            sn_pose part = sn_pose_multiply(shape->offset, shape->compound->parts[i].solid.pose);
            sn_motion motion = motion_of(world, shape->body, part);
            sweep_convex(sweep, shape->body, &convex, &motion);
        }
    } else if (shape->type == SN_SURFACE) {
        triangle_sweep job = {sweep, shape->body, shape->surface,
                              motion_of(world, shape->body, shape->offset)};
        sn_pose inverse =
            sn_pose_relative(sn_pose_multiply(sn_body_pose(&world->bodies.data[shape->body]), shape->offset),
                             sn_pose_identity);
        // The path's box as seen from the surface.
        sn_vec3 half = sn_scale(sn_sub(sweep->path.upper, sweep->path.lower), 0.5f);
        sn_vec3 middle = sn_pose_apply(inverse, sn_scale(sn_add(sweep->path.upper, sweep->path.lower), 0.5f));
        float reach = sn_length(half);
        sn_bounds box = {sn_sub(middle, sn_v(reach, reach, reach)),
                         sn_add(middle, sn_v(reach, reach, reach))};
        sn_surface_overlap(shape->surface, box, sweep_triangle, &job);
    } else {
        sweep_plane(sweep, shape);
    }
}

// Whether the world's contact filter has said that the two may not touch.
static bool is_ignored(const sweeper *sweep, int target)
{
    int contact = sn_pair_map_find(&sweep->world->pairs, sn_pair_key(sweep->shape, target));
    return contact >= 0 && sweep->world->contacts.data[contact].is_ignored;
}

static bool consider_target(void *context, int index)
{
    sweeper *sweep = context;
    const sn_shape_data *shape = &sweep->world->shapes.data[index];
    const sn_body *body = &sweep->world->bodies.data[shape->body];
    bool wanted = shape->body != sweep->body && !shape->sensor && !is_ignored(sweep, index) &&
                  (body->type != SN_DYNAMIC || sweep->against_dynamic) &&
                  sn_filter_allows(shape->filter, sweep->filter) &&
                  !sn_world_contact_forbidden(sweep->world, sweep->body, shape->body);
    if (wanted) {
        sweep_shape(sweep, shape);
    }
    return true;
}

// The first thing a body hits along its path.
typedef struct meeting {
    float time; // 1 if nothing
    int target; // −1 if nothing
} meeting;

// The first time a ball in a shape of the body (centre in the body's frame) hits something.
static meeting sweep_ball(const sn_world *world, int index, int shape, sn_vec3 center, float radius,
                          const sn_start_pose *start)
{
    sn_filter filter = world->shapes.data[shape].filter;
    const sn_body *body = &world->bodies.data[index];
    sn_vec3 arm = sn_sub(center, body->local_center);
    sweeper sweep = {.world = world,
                     .body = index,
                     .shape = shape,
                     .filter = filter,
                     .against_dynamic = body->bullet,
                     .touch = sn_min(touch_distance, touch_part * radius),
                     .time = 1.0f,
                     .target = -1,
                     .motion = {.center_start = sn_add(start->center, sn_rotate(start->rotation, arm)),
                                .center_end = sn_add(body->center, sn_rotate(body->rotation, arm)),
                                .rotation_start = sn_quat_identity,
                                .rotation_end = sn_quat_identity}};
    sweep.core = sn_convex_sphere(&sweep.storage, (sn_sphere){.radius = radius});
    sweep.path.lower = sn_min3(sweep.motion.center_start, sweep.motion.center_end);
    sweep.path.upper = sn_max3(sweep.motion.center_start, sweep.motion.center_end);
    sweep.path = sn_bounds_grow(sweep.path, radius + sweep.touch);
    uint64_t mask = sn_filter_search_mask(filter);
    sn_bounds_tree_overlap(&world->static_tree, sweep.path, mask, consider_target, &sweep);
    sn_bounds_tree_overlap(&world->moving_tree, sweep.path, mask, consider_target, &sweep);
    return (meeting){sweep.time, sweep.target};
}

static bool is_fast(const sn_body *body, const sn_start_pose *start)
{
    return body->type == SN_DYNAMIC && !body->frozen && body->first_shape >= 0 &&
           sn_distance_between(body->center, start->center) > 0.5f * body->inner_radius;
}

static meeting earlier(meeting a, meeting b)
{
    return b.time < a.time ? b : a;
}

// Balls of half the radius of each part's inner ball, and one at the mass centre, because parts of a spinning
// body may pass a wall between two positions.
static meeting sweep_body(const sn_world *world, int place)
{
    int index = world->awake_bodies.data[place];
    const sn_body *body = &world->bodies.data[index];
    const sn_start_pose *start = &world->start_poses[place];
    meeting first = {1.0f, -1};
    if (!is_fast(body, start)) {
        return first;
    }
    int solid = -1;
    for (int s = body->first_shape; s >= 0; s = world->shapes.data[s].next) {
        const sn_shape_data *shape = &world->shapes.data[s];
        if (shape->sensor) {
            continue;
        }
        solid = solid < 0 ? s : solid;
        for (int part = 0; part < sn_shape_core_count(shape); ++part) {
            sn_vec3 center;
            float radius = 0.5f * sn_shape_core(shape, part, &center);
            first = earlier(first, sweep_ball(world, index, s, center, radius, start));
        }
    }
    if (solid < 0) {
        return first;
    }
    return earlier(first,
                   sweep_ball(world, index, solid, body->local_center, 0.5f * body->inner_radius, start));
}

typedef struct sweep_job {
    sn_world *world;
    float *times; // by place in the list of the awake
} sweep_job;

static void sweep_bodies(void *context, int begin, int end)
{
    const sweep_job *job = context;
    for (int i = begin; i < end; ++i) {
        job->times[i] = sweep_body(job->world, i).time;
    }
}

// Where a point that was stopped is when the step ends: the body that stopped it moves on and takes it along.
static sn_vec3 carried(const sn_world *world, int target, sn_vec3 point, float time)
{
    if (target < 0 || world->bodies.data[target].awake_index < 0) {
        return point;
    }
    sn_motion motion = motion_of(world, target, sn_pose_identity);
    return sn_pose_apply(sn_motion_at(&motion, 1.0f),
                         sn_pose_apply_inverse(sn_motion_at(&motion, time), point));
}

void sn_lose_fall(sn_vec3 gravity, sn_vec3 lost, sn_vec3 *velocity)
{
    float lowered = sn_dot(gravity, lost);
    float g = sn_length(gravity), along = g > 0.0f ? sn_dot(*velocity, gravity) / g : 0.0f;
    if (lowered > 0.0f && along != 0.0f) {
        float kept = sqrtf(sn_max(0.0f, 1.0f - 2.0f * lowered / (along * along)));
        *velocity = sn_add_scaled(*velocity, along * (kept - 1.0f) / g, gravity);
    }
}

void sn_body_lose_fall(const sn_world *world, sn_body *body, sn_vec3 would_be)
{
    sn_lose_fall(sn_scale(world->def.gravity, body->gravity_scale), sn_sub(would_be, body->center),
                 &body->linear_velocity);
}

// About the axes of the body the spin stays, and with it its energy.
static void place_body(const sn_world *world, sn_body *body, sn_vec3 center, sn_quat rotation)
{
    sn_vec3 would_be = body->center, spin = sn_rotate_inverse(body->rotation, body->angular_velocity);
    bool turns_freely = body->locks < SN_LOCK_ROTATION_X;
    body->center = center;
    body->rotation = rotation;
    body->angular_velocity = turns_freely ? sn_rotate(rotation, spin) : body->angular_velocity;
    sn_body_lose_fall(world, body, would_be);
}

void sn_world_note_chains(const sn_world *world, const sn_solver *solver, const sn_hinge_planes *planes)
{
    for (int p = 0; planes != NULL && p < planes->count; ++p) {
        const sn_hinge_plane *plane = &planes->planes[p];
        int first = -1;
        for (int k = plane->first; k < plane->first + plane->count; ++k) {
            int body = solver->bodies[planes->members[k].body].body;
            int place = body >= 0 ? world->bodies.data[body].awake_index : -1;
            first = first < 0 ? place : first;
            if (place >= 0) {
                world->swept_chains[place] = (sn_swept_chain){.first = first, .normal = plane->normal};
            }
        }
    }
}

// When the first link of every chain is stopped: then the others that are stopped are, too.
static void find_stopped_chains(const sn_world *world, float *times)
{
    for (int i = 0; i < world->awake_bodies.count; ++i) {
        world->swept_chains[i].time = 1.0f;
    }
    for (int i = 0; i < world->awake_bodies.count; ++i) {
        int first = world->swept_chains[i].first;
        if (first >= 0) {
            world->swept_chains[first].time = sn_min(world->swept_chains[first].time, times[i]);
        }
    }
    for (int i = 0; i < world->awake_bodies.count; ++i) {
        int first = world->swept_chains[i].first;
        times[i] = first >= 0 && times[i] < 1.0f ? world->swept_chains[first].time : times[i];
    }
}

// A link turns only as far out of where its plane was as all of the chain does by then.
static sn_quat rotation_in_chain(const sn_world *world, int place, float time)
{
    const sn_body *body = &world->bodies.data[world->awake_bodies.data[place]];
    sn_vec3 end = world->swept_chains[place].normal;
    sn_vec3 start = sn_rotate(world->start_poses[place].rotation, sn_rotate_inverse(body->rotation, end));
    sn_vec3 then = sn_add(sn_scale(start, 1.0f - time), sn_scale(end, time));
    return sn_quat_multiply(sn_quat_between(end, then), body->rotation);
}

// The other links of a chain take part in a stop by what they moved out of its plane.
static void hold_back(const sn_world *world, int place)
{
    const sn_swept_chain *chain = &world->swept_chains[place];
    float time = chain->first >= 0 ? world->swept_chains[chain->first].time : 1.0f;
    if (time < 1.0f) {
        sn_body *body = &world->bodies.data[world->awake_bodies.data[place]];
        sn_vec3 moved = sn_sub(body->center, world->start_poses[place].center);
        float back = (time - 1.0f) * sn_dot(moved, chain->normal);
        place_body(world, body, sn_add_scaled(body->center, back, chain->normal),
                   rotation_in_chain(world, place, time));
    }
}

void sn_stage_sweep(sn_world *world, float duration)
{
    (void)duration;
    world->last.swept_count = 0;
    int count = world->awake_bodies.count;
    sweep_job job = {world, world->sweep_times};
    if (!world->def.continuous) {
        return;
    }
    sn_tasks_for(world->tasks, count, 32, sweep_bodies, &job);
    find_stopped_chains(world, job.times);
    for (int i = 0; i < count; ++i) {
        if (job.times[i] >= 1.0f) {
            hold_back(world, i);
            continue;
        }
        sn_body *body = &world->bodies.data[world->awake_bodies.data[i]];
        const sn_start_pose *start = &world->start_poses[i];
        sn_motion motion = {.center_start = start->center,
                            .center_end = body->center,
                            .rotation_start = start->rotation,
                            .rotation_end = body->rotation};
        sn_pose stopped = sn_motion_at(&motion, job.times[i]);
        // Few are stopped: finding their targets again is cheaper than storing a target for every body.
        int target = sweep_body(world, i).target;
        bool is_link = world->swept_chains[i].first >= 0;
        place_body(world, body, carried(world, target, stopped.position, job.times[i]),
                   is_link ? rotation_in_chain(world, i, job.times[i]) : stopped.rotation);
        ++world->last.swept_count;
    }
    sn_world_conform_unions(world);
}
