// Collision detection: boxes of shapes for the step, new pairs, and patches of contacts.
#include "base/tuple_sort.h"
#include "collision/narrow/boxes_apart.h"
#include "solver/solver.h"
#include "world/constraints/unions.h"
#include "world/core/world.h"

enum { SHAPE_GRAIN = 64, CONTACT_GRAIN = 16 };

// --- targets -------------------------------------------------------------------------------------

// Sets the velocity that takes a kinematic body to its target within the step. This comes first, because
// boxes and margins depend on velocities.
static void aim_at_targets(sn_world *world, float duration)
{
    for (int i = 0; i < world->awake_bodies.count; ++i) {
        sn_body *body = &world->bodies.data[world->awake_bodies.data[i]];
        if (body->has_target) {
            sn_vec3 arm = sn_rotate(body->target.rotation, body->local_center);
            sn_vec3 displacement = sn_sub(sn_add(body->target.position, arm), body->center);
            sn_quat turn = sn_quat_multiply(body->target.rotation, sn_quat_conjugate(body->rotation));
            body->linear_velocity = sn_scale(displacement, 1.0f / duration);
            body->angular_velocity = sn_scale(sn_quat_logarithm(turn), 1.0f / duration);
        }
    }
}

// --- boxes ---------------------------------------------------------------------------------------

// How far the body's points move during the step, at most, apart from the motion of its mass centre.
static float rotation_reach(const sn_body *body, float duration)
{
    return sn_min(sn_length(body->angular_velocity) * duration, 2.0f) * body->outer_radius;
}

// The box a shape may need during the step: where it is, where its velocity takes it, and the speculative
// margin.
static sn_bounds reach_of(const sn_world *world, const sn_body *body, const sn_shape_data *shape,
                          float duration)
{
    sn_bounds now = sn_shape_compute_bounds(shape, sn_body_pose(body));
    sn_vec3 motion = sn_scale(body->linear_velocity, duration);
    sn_bounds then = {sn_add(now.lower, motion), sn_add(now.upper, motion)};
    float turn = rotation_reach(body, duration);
    return sn_bounds_grow(sn_bounds_union(now, then), 0.5f * world->def.speculative_margin + turn);
}

typedef struct bounds_job {
    sn_world *world;
    float duration;
} bounds_job;

static void update_bounds(void *context, int begin, int end)
{
    const bounds_job *job = context;
    sn_world *world = job->world;
    for (int i = begin; i < end; ++i) {
        const sn_body *body = &world->bodies.data[world->awake_bodies.data[i]];
        for (int s = body->first_shape; s >= 0; s = world->shapes.data[s].next) {
            world->shapes.data[s].bounds = reach_of(world, body, &world->shapes.data[s], job->duration);
        }
    }
}

// Makes new boxes for shapes that left theirs, and lists them to look for partners. Returns their number.
static int fatten_boxes(sn_world *world, int *moved)
{
    int count = 0;
    for (int i = 0; i < world->awake_bodies.count; ++i) {
        const sn_body *body = &world->bodies.data[world->awake_bodies.data[i]];
        for (int s = body->first_shape; s >= 0; s = world->shapes.data[s].next) {
            sn_shape_data *shape = &world->shapes.data[s];
            if (sn_bounds_contain(shape->fat, shape->bounds)) {
                continue;
            }
            shape->fat = sn_bounds_grow(shape->bounds, sn_world_fat_margin(body));
            moved[count++] = s;
            if (!shape->query_pending) {
                shape->query_pending = true;
                world->pending_shapes.data[world->pending_shapes.count++] = s;
            }
        }
    }
    return count;
}

// If more than this share of the leaves moves in a step, boxes are changed in place and the tree is
// rebalanced.
static const int many_moved_share = 8;

// Updates the trees with the shapes of awake bodies and with those added since the last step.
static bool move_leaves(sn_world *world)
{
    sn_bounds_tree *tree = &world->moving_tree; // awake bodies are not static
    int *moved = sn_arena_take(&world->arena, (size_t)world->shapes.count, sizeof(int));
    if (moved == NULL) {
        return false;
    }
    int count = fatten_boxes(world, moved);
    bool many = count > tree->leaf_count / many_moved_share;
    for (int i = 0; i < count; ++i) {
        const sn_shape_data *shape = &world->shapes.data[moved[i]];
        if (many) {
            sn_bounds_tree_enlarge(tree, shape->leaf, shape->fat);
        } else {
            sn_bounds_tree_move(tree, shape->leaf, shape->fat);
        }
    }
    sn_bounds_tree_tidy(tree);
    sn_bounds_tree_tidy(&world->static_tree);
    return true;
}

void sn_world_keep_in_boxes(sn_world *world, int index)
{
    const sn_body *body = &world->bodies.data[index];
    for (int s = body->first_shape; s >= 0; s = world->shapes.data[s].next) {
        const sn_shape_data *shape = &world->shapes.data[s];
        if (!sn_bounds_contain(shape->fat, sn_shape_compute_bounds(shape, sn_body_pose(body)))) {
            sn_world_shape_refresh(world, s);
        }
    }
}

// --- pairs ---------------------------------------------------------------------------------------

typedef struct pair_query {
    sn_world *world;
    int shape;
    bool out_of_memory;
} pair_query;

static bool may_touch(const sn_world *world, int shape_a, int shape_b)
{
    const sn_shape_data *a = &world->shapes.data[shape_a], *b = &world->shapes.data[shape_b];
    if (a->body == b->body || (a->sensor && b->sensor) || !sn_filter_allows(a->filter, b->filter)) {
        return false;
    }
    const sn_body *body_a = &world->bodies.data[a->body], *body_b = &world->bodies.data[b->body];
    if (body_a->type != SN_DYNAMIC && body_b->type != SN_DYNAMIC) {
        return (a->sensor || b->sensor) && (body_a->type != SN_STATIC || body_b->type != SN_STATIC);
    }
    // Searched from the moving body: the ground may have ten thousand joints.
    return body_a->type == SN_DYNAMIC ? !sn_world_contact_forbidden(world, a->body, b->body)
                                      : !sn_world_contact_forbidden(world, b->body, a->body);
}

static bool consider_pair(void *context, int other)
{
    pair_query *query = context;
    sn_world *world = query->world;
    // Of two that are both looking for partners, one finds the other.
    if (other < query->shape && world->shapes.data[other].query_pending) {
        return true;
    }
    uint64_t key = sn_pair_key(query->shape, other);
    if (other != query->shape && sn_pair_map_find(&world->pairs, key) < 0 &&
        may_touch(world, query->shape, other) && !sn_array_push(&world->new_pairs, key)) {
        query->out_of_memory = true;
    }
    return !query->out_of_memory;
}

static int compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// By the shapes' numbers, whatever the tree is like.
static void sort_pairs(sn_world *world)
{
    sn_sort_in_place(world->new_pairs.data, world->new_pairs.count, sizeof *world->new_pairs.data,
                     compare_keys);
}

static bool add_new_contacts(sn_world *world)
{
    for (int i = 0; i < world->new_pairs.count; ++i) {
        uint64_t key = world->new_pairs.data[i];
        int low = (int)((key - 1) >> 32), high = (int)((key - 1) & UINT32_MAX);
        int index = sn_world_contact_add(world, low, high);
        if (index < 0) {
            return false;
        }
        sn_contact_data *contact = &world->contacts.data[index];
        contact->is_ignored =
            world->contact_filter != NULL &&
            !world->contact_filter(world, sn_shape_id(world, contact->shape_a),
                                   sn_shape_id(world, contact->shape_b), world->contact_filter_user);
    }
    return true;
}

bool sn_world_find_pairs(sn_world *world)
{
    pair_query query = {.world = world};
    world->new_pairs.count = 0;
    for (int i = 0; i < world->pending_shapes.count && !query.out_of_memory; ++i) {
        query.shape = world->pending_shapes.data[i];
        const sn_shape_data *shape = &world->shapes.data[query.shape];
        uint64_t mask = sn_filter_search_mask(shape->filter);
        sn_bounds_tree_overlap(&world->moving_tree, shape->fat, mask, consider_pair, &query);
        if (world->bodies.data[shape->body].type != SN_STATIC) {
            sn_bounds_tree_overlap(&world->static_tree, shape->fat, mask, consider_pair, &query);
        }
    }
    sort_pairs(world);
    if (query.out_of_memory || !sn_world_keep_budget(world) || !add_new_contacts(world)) {
        return false; // shapes stay pending: the next one tries again
    }
    for (int i = 0; i < world->pending_shapes.count; ++i) {
        world->shapes.data[world->pending_shapes.data[i]].query_pending = false;
    }
    world->pending_shapes.count = 0;
    return true;
}

bool sn_stage_pairs(sn_world *world, float duration)
{
    aim_at_targets(world, duration);
    bounds_job job = {world, duration};
    sn_tasks_for(world->tasks, world->awake_bodies.count, SHAPE_GRAIN, update_bounds, &job);
    return move_leaves(world) && sn_world_find_pairs(world);
}

// --- patches -------------------------------------------------------------------------------------

typedef struct narrow_job {
    sn_world *world;
    float duration;
    sn_box_place *boxes; // by shape, those of awake bodies
    const int *contacts; // to be updated
    int *found;          // patches of each
} narrow_job;

// The speculative margin of a contact: the distance the bodies can approach within the step and a little
// more, but at most half the thickness of the smaller one. Beyond that sweeps take over, and a far
// speculative contact would be a ghost collision; but where it is found again before it acts, `whole` asks
// for all of the way.
static float margin_of(const sn_world *world, const sn_body *a, const sn_body *b, float duration, bool whole)
{
    sn_vec3 relative = sn_sub(b->linear_velocity, a->linear_velocity);
    float motion = sn_length(relative) * duration + rotation_reach(a, duration) + rotation_reach(b, duration);
    float thickness = a->type == SN_DYNAMIC && b->type == SN_DYNAMIC
                          ? sn_min(a->inner_radius, b->inner_radius)
                          : (a->type == SN_DYNAMIC ? a : b)->inner_radius;
    return sn_min(world->def.speculative_margin, thickness) + (whole ? motion : sn_min(motion, thickness));
}

// Whether it is where it was when the last step began.
static bool stands(const sn_body *body)
{
    return body->is_supported || (body->type != SN_DYNAMIC && body->awake_index < 0);
}

static void place_boxes(void *context, int begin, int end)
{
    const narrow_job *job = context;
    const sn_world *world = job->world;
    for (int i = begin; i < end; ++i) {
        const sn_body *body = &world->bodies.data[world->awake_bodies.data[i]];
        for (int s = body->first_shape; s >= 0; s = world->shapes.data[s].next) {
            job->boxes[s] = sn_box_place_of(&world->shapes.data[s], sn_body_pose(body));
        }
    }
}

// Returns how many patches the contact has, or, if it has no room for them, how many it should have.
static int update_contact(const narrow_job *job, sn_contact_data *contact)
{
    const sn_world *world = job->world;
    float duration = job->duration;
    const sn_shape_data *a = &world->shapes.data[contact->shape_a],
                        *b = &world->shapes.data[contact->shape_b];
    const sn_body *body_a = &world->bodies.data[a->body], *body_b = &world->bodies.data[b->body];
    contact->separated = !sn_bounds_overlap(a->fat, b->fat);
    // Boxes of what stands have no margin, and may not overlap although the shapes touch.
    if (contact->sub_step > 0.0f && contact->patches.count > 0 && stands(body_a) && stands(body_b)) {
        return contact->patches.count;
    }
    if (contact->separated || contact->is_ignored || !sn_bounds_overlap(a->bounds, b->bounds)) {
        contact->patches.count = 0;
        contact->is_overlap = false;
        return 0;
    }
    if (contact->is_sensor) {
        contact->is_overlap = sn_shapes_overlap(a, sn_body_placement(body_a), b, sn_body_placement(body_b));
        return 0;
    }
    float margin = margin_of(world, body_a, body_b, duration, false);
    const sn_box_place *boxes[2] = {&job->boxes[contact->shape_a], &job->boxes[contact->shape_b]};
    bool is_projected = world->def.solver == SN_SOLVER_POSITION;
    if (!is_projected && boxes[0]->size > 0.0f && boxes[1]->size > 0.0f &&
        sn_boxes_apart(boxes[0], boxes[1], margin)) {
        contact->patches.count = 0;
        return 0;
    }
    sn_placement at_a = sn_body_placement(body_a), at_b = sn_body_placement(body_b);
    int count = sn_contact_update(contact, a, at_a, b, at_b, margin);
    if (count == 0 && is_projected && // what begins within the step
        sn_turns_far(body_a->angular_velocity, body_b->angular_velocity, duration)) {
        count =
            sn_contact_update(contact, a, at_a, b, at_b, margin_of(world, body_a, body_b, duration, true));
    }
    return count;
}

// Where a body is in an iteration, and its centre from that of the union it goes with. Number 0 stands for
// all that never move.
static sn_placement place_of(const sn_world *world, const sn_solver *solver, int number, int body,
                             sn_vec3 *shift)
{
    sn_body now = world->bodies.data[body];
    if (number > 0) {
        sn_union_place_member(world, body, solver, number, &now);
        *shift = sn_sub(now.center, solver->bodies[number].center);
    }
    return sn_body_placement(&now);
}

bool sn_world_find_patch(const sn_world *world, const sn_solver *solver, sn_contact_input *input,
                         sn_patch *found)
{
    const sn_contact_data *contact = &world->contacts.data[input->contact];
    const sn_shape_data *a = &world->shapes.data[contact->shape_a],
                        *b = &world->shapes.data[contact->shape_b];
    sn_placement at_a = place_of(world, solver, input->body_a, a->body, &input->shift_a);
    sn_placement at_b = place_of(world, solver, input->body_b, b->body, &input->shift_b);
    float margin = margin_of(world, &world->bodies.data[a->body], &world->bodies.data[b->body],
                             solver->settings.duration, false);
    sn_patch patches[SN_MAX_PATCHES];
    int count = sn_collide_shapes(a, at_a, b, at_b, margin, patches, SN_MAX_PATCHES);
    const sn_patch *nearest = sn_patch_find(patches, count, input->patch);
    if (nearest != NULL) {
        *found = *nearest;
    }
    return nearest != NULL;
}

static void update_contacts(void *context, int begin, int end)
{
    const narrow_job *job = context;
    for (int i = begin; i < end; ++i) {
        sn_contact_data *contact = &job->world->contacts.data[job->contacts[i]];
        job->found[i] = update_contact(job, contact);
    }
}

// Makes room for contacts with more patches than ever before, in the order of the list, and lists them in
// `grown`. Returns their number, −1 without memory.
static int grow_contacts(sn_world *world, const narrow_job *job, int count, int *grown)
{
    int grown_count = 0;
    for (int i = 0; i < count; ++i) {
        sn_patch_list *patches = &world->contacts.data[job->contacts[i]].patches;
        if (job->found[i] > patches->capacity) {
            if (!sn_patch_pool_grow(&world->patch_pool, patches, job->found[i])) {
                return -1;
            }
            grown[grown_count++] = job->contacts[i];
        }
    }
    return grown_count;
}

bool sn_stage_narrow(sn_world *world, float duration)
{
    int count = world->active_contacts.count;
    int *found = sn_arena_take(&world->arena, (size_t)count, sizeof(int));
    int *grown = sn_arena_take(&world->arena, (size_t)count, sizeof(int));
    sn_box_place *boxes = sn_arena_take_zero(&world->arena, (size_t)world->shapes.count, sizeof *boxes);
    if (found == NULL || grown == NULL || boxes == NULL) {
        return false;
    }
    narrow_job job = {world, duration, boxes, world->active_contacts.data, found};
    sn_tasks_for(world->tasks, world->awake_bodies.count, SHAPE_GRAIN, place_boxes, &job);
    sn_tasks_for(world->tasks, count, CONTACT_GRAIN, update_contacts, &job);
    int grown_count = grow_contacts(world, &job, count, grown);
    if (grown_count < 0) {
        return false;
    }
    job.contacts = grown;
    sn_tasks_for(world->tasks, grown_count, CONTACT_GRAIN, update_contacts, &job);
    for (int i = count - 1; i >= 0; --i) { // backwards: removal fills the gap from the end
        int contact = world->active_contacts.data[i];
        if (world->contacts.data[contact].separated) {
            sn_world_contact_remove(world, contact);
        }
    }
    return true;
}
