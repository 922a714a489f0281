// Finding the cuts of the guard, round by round.
// Tested by tests/physics/soft/test_soft_guard.c.
#include "collision/guard/soft_guard_run.h"

#include "base/union_find.h"

#include <math.h>
#include <string.h>

enum { PAIR_GRAIN = 64 };
// Rounds after which nodes that are moved to targets are held back, too, sooner if nothing else helps; after
// which what still meets does not move at all; and after which nothing does.
enum { PATIENT_ROUNDS = 8, YIELDING_ROUNDS = 24, MOST_ROUNDS = 256 };
// Cosine of the angle, 40°, from which on a face turns much in a step; and the part of its altitude by which
// nodes must move for that at least (it turns it by 20°).
static const float turned = 0.77f, to_turn = 0.125f;

// --- motion ------------------------------------------------------------------------------------------------

static bool take_memory(sn_guard_run *run, sn_soft_guard *guard)
{
    const sn_soft_scene *scene = &run->scene;
    size_t nodes = (size_t)scene->nodes->states.count;
    run->starts = sn_arena_take(scene->arena, nodes, sizeof *run->starts);
    run->displacements = sn_arena_take(scene->arena, nodes, sizeof *run->displacements);
    run->search.displacements = sn_arena_take(scene->arena, nodes, sizeof *run->search.displacements);
    run->overlaps_soft = sn_arena_take_zero(scene->arena, nodes, sizeof *run->overlaps_soft);
    run->overlaps_shape = sn_arena_take_zero(scene->arena, nodes, sizeof *run->overlaps_shape);
    run->drives = sn_arena_take_zero(scene->arena, nodes, sizeof *run->drives);
    run->node_cuts = sn_arena_take(scene->arena, nodes, sizeof *run->node_cuts);
    run->drifts = sn_arena_take(scene->arena, nodes, sizeof *run->drifts);
    run->node_moves = sn_arena_take(scene->arena, nodes, sizeof *run->node_moves);
    run->body_cuts = sn_arena_take(scene->arena, (size_t)guard->body_count, sizeof *run->body_cuts);
    run->fresh_bodies = sn_arena_take(scene->arena, (size_t)guard->body_count, sizeof *run->fresh_bodies);
    run->cut_motions = sn_arena_take(scene->arena, (size_t)guard->body_count, sizeof *run->cut_motions);
    size_t deformables = (size_t)scene->collider_count;
    run->holds = sn_arena_take_zero(scene->arena, deformables, sizeof *run->holds);
    run->strikes = sn_arena_take_zero(scene->arena, deformables, sizeof *run->strikes);
    guard->frames = sn_arena_take_zero(scene->arena, deformables, sizeof *guard->frames);
    guard->node_parts = sn_arena_take(scene->arena, nodes, sizeof *guard->node_parts);
    guard->body_parts = sn_arena_take(scene->arena, (size_t)guard->body_count, sizeof *guard->body_parts);
    guard->groups = sn_arena_take(scene->arena, nodes, sizeof *guard->groups);
    return run->starts != NULL && run->displacements != NULL && run->search.displacements != NULL &&
           run->overlaps_soft != NULL && run->overlaps_shape != NULL && run->drives != NULL &&
           run->cut_motions != NULL && run->node_cuts != NULL && run->drifts != NULL &&
           run->node_moves != NULL && run->body_cuts != NULL && run->fresh_bodies != NULL &&
           guard->node_parts != NULL && guard->body_parts != NULL && run->holds != NULL &&
           run->strikes != NULL && guard->frames != NULL && guard->groups != NULL;
}

// What bears on something else, or is fixed or tied to it.
static void find_held(sn_guard_run *run)
{
    const sn_soft_scene *scene = &run->scene;
    const sn_soft_contact_list *contacts = &run->search.detector->contacts;
    for (int i = run->search.detector->asleep_count; i < contacts->count; ++i) {
        const sn_soft_contact_data *contact = &contacts->data[i];
        bool bears = contact->normal_impulse > 0.0f &&
                     sn_soft_key_is_current(&contact->key, scene->deformable_ids, scene->shape_ids);
        int first = (int)contact->key.deformable,
            other = contact->body < 0 ? sn_soft_key_other(&contact->key) : -1;
        if (bears && other != first) {
            run->holds[first] = 1;
            run->holds[other < 0 ? first : other] = 1;
        }
    }
    for (int i = 0; i < scene->collider_count; ++i) {
        const sn_soft_collider *collider = &scene->colliders[i];
        run->holds[i] |= collider->sleeps || collider->jumps;
        for (int k = collider->first_node; k < collider->first_node + collider->node_count && !run->holds[i];
             ++k) {
            bool is_tied = k < scene->exclusions.node_count && scene->exclusions.first[k] > 0;
            run->holds[i] = is_tied || run->starts[k].inverse_mass == 0.0f;
        }
    }
}

// Cuts are inner forces: what nothing else holds goes on with its mass centre, however its nodes are in each
// other's way. Held back in the world it would hang in the air, with all of its velocity.
static void find_frame(sn_guard_run *run, int index)
{
    const sn_soft_collider *collider = &run->scene.colliders[index];
    sn_vec3 sum = sn_v(0.0f, 0.0f, 0.0f);
    float mass = 0.0f;
    for (int k = collider->first_node; k < collider->first_node + collider->node_count; ++k) {
        float own = 1.0f / run->starts[k].inverse_mass;
        sum = sn_add_scaled(sum, own, run->displacements[k]);
        mass += own;
    }
    sn_vec3 frame = sn_scale(sum, 1.0f / mass);
    if (!sn_vec3_is_finite(frame)) {
        return;
    }
    run->guard->frames[index] = frame;
    for (int k = collider->first_node; k < collider->first_node + collider->node_count; ++k) {
        run->displacements[k] = sn_sub(run->displacements[k], frame);
    }
}

// From here on its motion is cut in the world, beginning with all of it.
static void lose_frame(sn_guard_run *run, int index)
{
    const sn_soft_collider *collider = &run->scene.colliders[index];
    for (int k = collider->first_node; k < collider->first_node + collider->node_count; ++k) {
        run->displacements[k] = sn_add(run->displacements[k], run->guard->frames[index]);
        run->guard->node_parts[k] = 1.0f;
        run->node_cuts[k] = 0.0f; // so that its faces are looked at again
    }
    run->guard->frames[index] = sn_v(0.0f, 0.0f, 0.0f);
    run->strikes[index] = false;
    run->holds[index] = 1;
    run->since = 0;
}

static void find_motion(sn_guard_run *run)
{
    const sn_soft_scene *scene = &run->scene;
    for (int i = 0; i < scene->collider_count; ++i) {
        const sn_soft_collider *collider = &scene->colliders[i];
        int end = collider->surface != NULL ? collider->first_node + collider->node_count : 0;
        for (int k = collider->first_node; k < end; ++k) {
            const sn_node_state *state = &scene->nodes->states.data[k];
            run->starts[k] = *state;
            run->starts[k].position = collider->sleeps ? state->position : run->guard->starts[k];
            if (sn_soft_is_held_exactly(scene, k)) {
                run->starts[k].inverse_mass = 0.0f; // as if it were moved to a target
            }
            run->displacements[k] = sn_sub(state->position, run->starts[k].position);
            run->drives[k] = state->inverse_mass == 0.0f && !scene->nodes->frozen.data[k] &&
                             !sn_soft_is_held_exactly(scene, k) &&
                             sn_length_squared(run->displacements[k]) > 0.0f;
            run->guard->node_parts[k] = run->node_cuts[k] = 1.0f;
            run->guard->groups[k] = k;
        }
    }
    find_held(run);
    for (int i = 0; i < scene->collider_count; ++i) {
        if (scene->colliders[i].surface != NULL && !run->holds[i]) {
            find_frame(run, i);
        }
    }
    for (int i = 0; i < run->guard->body_count; ++i) {
        run->guard->body_parts[i] = run->body_cuts[i] = 1.0f;
        run->cut_motions[i] = run->motions[i];
    }
}

// From here on the way to targets is cut as well, beginning with all of it.
static void hold_driven(sn_guard_run *run, const sn_soft_collider *collider)
{
    for (int k = collider->first_node; k < collider->first_node + collider->node_count; ++k) {
        if (run->drives[k]) {
            run->starts[k].inverse_mass = 1.0f;
            run->node_cuts[k] = 0.0f; // so that its faces are looked at again
        }
    }
}

// What is left of a motion after the cut of a round.
static void apply_cut(const sn_guard_run *run, float *part, float cut)
{
    *part = cut < 1.0f && run->since > YIELDING_ROUNDS ? 0.0f : *part * cut;
}

// --- clear faces -------------------------------------------------------------------------------------------

static void measure_drifts(sn_guard_run *run, const sn_soft_collider *collider)
{
    const sn_verlet_list *list = &collider->surface->verlet_list;
    int first = collider->first_node, count = collider->node_count;
    const sn_node_state *start = run->starts + first, *end = run->scene.nodes->states.data + first;
    sn_vec3 from = sn_soft_frame_mean(start, NULL, list->reference.data, count);
    sn_vec3 to = sn_soft_frame_mean(end, NULL, list->reference.data, count);
    for (int i = 0; i < count; ++i) {
        sn_vec3 origin = list->reference.data[i].position;
        sn_vec3 before = sn_sub(sn_sub(start[i].position, origin), from);
        sn_vec3 after = sn_sub(sn_sub(end[i].position, origin), to);
        run->drifts[first + i] = sqrtf(sn_max(sn_length_squared(before), sn_length_squared(after)));
    }
}

static float drift_of(const sn_guard_run *run, const sn_soft_collider *collider, int place)
{
    const uint32_t *corners =
        collider->surface->faces.data + 3 * (size_t)collider->surface->order.data[place];
    const float *drifts = run->drifts + collider->first_node;
    return sn_max(drifts[corners[0]], sn_max(drifts[corners[1]], drifts[corners[2]]));
}

// Two faces whose nodes together got less far from their reference positions than the faces were apart there.
static bool are_clear(const sn_guard_run *run, const sn_near_faces *near)
{
    const sn_soft_collider *collider = &run->scene.colliders[near->deformable];
    if (!(near->clearance > 0.0f) || !collider->surface->verlet_list.in_use) {
        return false;
    }
    float drift = drift_of(run, collider, near->place_a) + drift_of(run, collider, near->place_b);
    return drift + 8.0f * sn_guard_least(run->starts[collider->first_node].position) < near->clearance;
}

// Of the faces that detection noted, those that are not clear stay.
static void drop_clear(sn_guard_run *run)
{
    sn_near_faces_array *near = &run->search.detector->near;
    int kept = 0;
    for (int i = 0; i < near->count; ++i) {
        if (!are_clear(run, &near->data[i])) {
            near->data[kept++] = near->data[i];
        }
    }
    near->count = kept;
}

// --- suspects ----------------------------------------------------------------------------------------------

bool sn_guard_are_alike(sn_vec3 a, sn_vec3 b, float cosine)
{
    float along = sn_dot(a, b);
    return along * sn_abs(along) > cosine * sn_abs(cosine) * sn_length_squared(a) * sn_length_squared(b);
}

// Detection leaves out neighbours that face the same way, within 60°. They can meet only if they are folded
// by 180°, for which one of the two turns much in the step.
static bool turns(const sn_node_state *start, const sn_node_state *end, const uint32_t *corners)
{
    sn_vec3 p = start[corners[0]].position, q = end[corners[0]].position;
    sn_vec3 before = sn_cross(sn_sub(start[corners[1]].position, p), sn_sub(start[corners[2]].position, p));
    sn_vec3 after = sn_cross(sn_sub(end[corners[1]].position, q), sn_sub(end[corners[2]].position, q));
    return !sn_guard_are_alike(before, after, turned);
}

// Faces of a surface that meets itself that turn much, and those beside them: where one is turned over, in
// its own plane too, faces around it that share a node, or none, get over each other without turning
// themselves. Altitudes are those of detection, of when the step began.
static void suspect_turned(sn_guard_run *run, const sn_soft_collider *collider)
{
    sn_soft_surface *surface = collider->surface;
    int first = collider->first_node, count = collider->node_count;
    const sn_node_state *start = run->starts + first, *end = run->scene.nodes->states.data + first;
    sn_vec3 frame = sn_soft_frame_mean(start, run->displacements + first, NULL, count);
    float *moves = run->node_moves + first;
    for (int i = 0; i < count; ++i) {
        moves[i] = sn_length_squared(sn_sub(run->displacements[first + i], frame));
    }
    const float beside_turned = INFINITY; // instead of the way of a node
    bool any = false, knows_altitudes = run->search.detector->has_whole_bounds;
    for (int i = 0; i < surface->face_count; ++i) {
        const uint32_t *corners = surface->faces.data + 3 * (size_t)surface->order.data[i];
        float most = sn_max(moves[corners[0]], sn_max(moves[corners[1]], moves[corners[2]]));
        bool may_turn =
            !knows_altitudes || !(most < to_turn * to_turn * surface->leaf_faces.data[i].altitude);
        if (may_turn && turns(start, end, corners)) {
            any = true;
            for (int k = 0; k < 3; ++k) {
                moves[corners[k]] = beside_turned;
                surface->folds.data[corners[k]] |=
                    SN_SOFT_NODE_FOLDED; // or may be in the step: there and back across it
            }
        }
    }
    for (int i = 0; any && i < surface->face_count; ++i) {
        const uint32_t *corners = surface->faces.data + 3 * (size_t)surface->order.data[i];
        bool is_beside = moves[corners[0]] == beside_turned || moves[corners[1]] == beside_turned ||
                         moves[corners[2]] == beside_turned;
        surface->suspects.data[i] |= is_beside ? 1 : 0;
    }
}

// Faces that got farther from their reference positions than their skins, within which lists between surfaces
// know all that may meet.
static void suspect_drifted(sn_guard_run *run, const sn_soft_collider *collider)
{
    const sn_soft_surface *surface = collider->surface;
    const sn_verlet_list *list = &surface->between;
    int first = collider->first_node;
    const sn_node_state *start = run->starts + first, *end = run->scene.nodes->states.data + first;
    float growth = sn_soft_growth(&run->scene, collider), *moves = run->node_moves + first;
    for (int i = 0; i < collider->node_count; ++i) {
        sn_vec3 origin = list->reference.data[i].position;
        float drift = sqrtf(sn_max(sn_length_squared(sn_sub(start[i].position, origin)),
                                   sn_length_squared(sn_sub(end[i].position, origin))));
        moves[i] = drift + 8.0f * sn_guard_least(start[i].position);
    }
    for (int i = 0; i < surface->face_count; ++i) {
        const uint32_t *corners = surface->faces.data + 3 * (size_t)surface->order.data[i];
        float most = sn_max(moves[corners[0]], sn_max(moves[corners[1]], moves[corners[2]]));
        if (!(most <= sn_verlet_skin(list, i, growth))) {
            surface->suspects.data[i] = 1;
        }
    }
}

// Faces with a node that ended where detection did not expect it, and those that turn much. Whether bounds of
// the surface's tree hold.
static bool suspect(sn_guard_run *run, const sn_soft_collider *collider)
{
    sn_soft_surface *surface = collider->surface;
    bool may_fold = collider->def->self_collide && surface->mesh->triangle_count > 0;
    if (surface->verlet_list.in_use) {
        measure_drifts(run, collider);
    }
    if (may_fold) {
        suspect_turned(run, collider);
    }
    if (surface->between.in_use) {
        suspect_drifted(run, collider);
    }
    bool is_surprised =
        sn_soft_surface_suspect(surface, run->scene.nodes->states.data + collider->first_node);
    if (collider->jumps) {
        memset(surface->suspects.data, 1, (size_t)surface->face_count);
    }
    return !is_surprised && !collider->jumps && run->search.detector->has_whole_bounds;
}

// After a round, only faces whose motion was cut in it are suspect: others were found to be apart.
static void suspect_cut(const sn_guard_run *run, const sn_soft_collider *collider)
{
    sn_soft_surface *surface = collider->surface;
    for (int i = 0; i < surface->face_count; ++i) {
        const uint32_t *corners = surface->faces.data + 3 * (size_t)surface->order.data[i];
        bool is_cut = false;
        for (int k = 0; k < 3; ++k) {
            is_cut = is_cut || run->node_cuts[collider->first_node + (int)corners[k]] < 1.0f;
        }
        surface->suspects.data[i] = is_cut ? 1 : 0;
    }
}

// What ends closer than this is kept farther apart (moving_sets.c), twice as much for rounding: boxes that
// are apart by less do not tell.
static float nearest_gap(const sn_guard_run *run, const sn_soft_collider *collider)
{
    float least = 0.0f;
    for (int k = collider->first_node; k < collider->first_node + collider->node_count; ++k) {
        least = sn_max(least, sn_guard_least(run->starts[k].position));
    }
    return 4.0f * least;
}

// Boxes around the motion as it is cut now. Bounds of the tree are still those of detection where they hold.
static bool fit_collider(sn_guard_run *run, int index)
{
    const sn_soft_collider *collider = &run->scene.colliders[index];
    sn_soft_surface *surface = collider->surface;
    int first = collider->first_node, end = first + collider->node_count;
    bool has_frame = !run->holds[index];
    if (run->strikes[index]) {
        lose_frame(run, index);
    } else {
        for (int k = first; k < end; ++k) {
            apply_cut(run, &run->guard->node_parts[k], run->node_cuts[k]);
        }
        sn_guard_spread(run, collider);
    }
    if (run->since == PATIENT_ROUNDS) {
        hold_driven(run, collider);
    }
    for (int k = first; k < end; ++k) {
        float part = run->guard->node_parts[k];
        sn_vec3 own = part == 1.0f ? run->displacements[k] : sn_scale(run->displacements[k], part);
        run->search.displacements[k] = has_frame ? sn_add(own, run->guard->frames[index]) : own;
    }
    surface->has_boxes = surface->rest.is_fitted = false;
    if (!sn_array_resize(&surface->suspect_parts, surface->tree.count)) {
        return false;
    }
    bool as_expected = run->round > 0 ? !has_frame : suspect(run, collider);
    if (run->round > 0) {
        suspect_cut(run, collider);
    }
    sn_soft_surface_mark_parts(surface, surface->suspects.data, surface->suspect_parts.data);
    for (int k = first; k < end; ++k) {
        run->node_cuts[k] = 1.0f;
    }
    float gap = nearest_gap(run, collider);
    if (!sn_soft_surface_box_motion(surface, run->starts + first, run->search.displacements + first, gap)) {
        return false;
    }
    if (!as_expected) {
        sn_soft_surface_refit(surface, gap);
    }
    return true;
}

// What sleeps keeps the boxes of detection.
static bool fit_sleeping(sn_guard_run *run, const sn_soft_collider *collider)
{
    sn_soft_surface *surface = collider->surface;
    if (run->round > 0) {
        return true;
    }
    memset(run->search.displacements + collider->first_node, 0,
           (size_t)collider->node_count * sizeof *run->search.displacements);
    bool enough = sn_array_resize(&surface->suspect_parts, surface->tree.count);
    if (enough) {
        memset(surface->suspect_parts.data, 0, (size_t)surface->tree.count);
    }
    return enough;
}

static bool fit_motion(sn_guard_run *run)
{
    for (int i = 0; i < run->scene.collider_count; ++i) {
        const sn_soft_collider *collider = &run->scene.colliders[i];
        bool sleeps = collider->sleeps && !collider->jumps;
        if (collider->surface != NULL && !(sleeps ? fit_sleeping(run, collider) : fit_collider(run, i))) {
            return false;
        }
    }
    for (int i = 0; i < run->guard->body_count; ++i) {
        run->fresh_bodies[i] = run->body_cuts[i] < 1.0f || run->round == 0 ? 1 : 0;
        apply_cut(run, &run->guard->body_parts[i], run->body_cuts[i]);
        run->body_cuts[i] = 1.0f;
        float part = run->guard->body_parts[i];
        if (part < 1.0f) {
            sn_motion *motion = &run->cut_motions[i];
            sn_pose there = sn_motion_at(&run->motions[i], part);
            motion->rotation_end = there.rotation;
            motion->center_end = sn_lerp(run->motions[i].center_start, run->motions[i].center_end, part);
        }
    }
    run->search.fresh_bodies = run->round > 0 ? run->fresh_bodies : NULL;
    return true;
}

// --- obstacles ---------------------------------------------------------------------------------------------

static bool list_points(sn_guard_run *run, const sn_soft_pair *pair, sn_guard_points *points)
{
    const sn_obstacle *obstacle = &pair->obstacle;
    const sn_body *body = &run->scene.bodies[pair->body];
    sn_pose start = sn_pose_identity, end = start;
    points->origin = obstacle->kind == SN_OBSTACLE_TRIANGLE ? obstacle->corners[0] : obstacle->pose.position;
    points->count = obstacle->kind == SN_OBSTACLE_TRIANGLE ? 3 : obstacle->convex.point_count;
    points->start = sn_arena_take(run->scene.arena, 2 * (size_t)points->count, sizeof *points->start);
    points->end = points->start + points->count;
    if (points->start == NULL) {
        return false;
    }
    if (body->awake_index >= 0) {
        const sn_motion *motion = &run->cut_motions[body->awake_index];
        start = sn_motion_at(motion, 0.0f);
        end = sn_motion_at(motion, 1.0f);
    }
    for (int i = 0; i < points->count; ++i) {
        sn_vec3 point = sn_obstacle_corner(obstacle, i), then = point;
        if (body->awake_index >= 0) {
            then = sn_pose_apply(end, sn_pose_apply_inverse(start, point));
        }
        points->start[i] = sn_sub(point, points->origin);
        points->end[i] = sn_sub(then, points->origin);
    }
    return true;
}

static bool list_obstacles(sn_guard_run *run)
{
    const sn_soft_detector *detector = run->search.detector;
    run->points = sn_arena_take_zero(run->scene.arena, (size_t)detector->pairs.count, sizeof *run->points);
    run->meetings =
        sn_arena_take_zero(run->scene.arena, (size_t)detector->feature_pairs.count, sizeof *run->meetings);
    bool enough = run->points != NULL && run->meetings != NULL;
    for (int i = 0; enough && i < detector->pairs.count; ++i) {
        const sn_soft_pair *pair = &detector->pairs.data[i];
        enough = pair->other >= 0 || pair->obstacle.kind == SN_OBSTACLE_PLANE ||
                 list_points(run, pair, &run->points[i]);
    }
    return enough;
}

// --- the whole ---------------------------------------------------------------------------------------------

static void meet_pairs(void *context, int begin, int end)
{
    const sn_guard_run *run = context;
    for (int i = begin; i < end; ++i) {
        run->meetings[i] = (uint8_t)sn_guard_meet(run, &run->search.detector->feature_pairs.data[i]);
    }
}

// Whether anything was cut.
static bool cut_pairs(sn_guard_run *run)
{
    const sn_soft_detector *detector = run->search.detector;
    bool cut = false;
    for (int i = 0; i < detector->feature_pairs.count && run->round == 0; ++i) {
        if (run->meetings[i] == SN_SETS_OVERLAP) {
            sn_guard_mark_overlap(run, &detector->feature_pairs.data[i]);
        }
    }
    for (int i = 0; i < detector->feature_pairs.count; ++i) {
        if (run->meetings[i] == SN_SETS_MEET) {
            cut = sn_guard_cut(run, &detector->feature_pairs.data[i]) || cut;
        }
    }
    return cut;
}

static void hold_everything(sn_guard_run *run)
{
    const sn_soft_scene *scene = &run->scene;
    for (int i = 0; i < scene->collider_count; ++i) {
        const sn_soft_collider *collider = &scene->colliders[i];
        int end = collider->surface != NULL ? collider->first_node + collider->node_count : 0;
        for (int k = collider->first_node; k < end; ++k) {
            run->guard->node_parts[k] = run->starts[k].inverse_mass > 0.0f ? 0.0f : 1.0f;
        }
        run->guard->frames[i] = sn_v(0.0f, 0.0f, 0.0f);
    }
    for (int i = 0; i < run->guard->body_count; ++i) {
        run->guard->body_parts[i] = 0.0f;
    }
}

static void group_neighbors(sn_guard_run *run, const sn_soft_collider *collider)
{
    const sn_mesh *mesh = collider->surface->mesh;
    const float *parts = run->guard->node_parts;
    for (int i = 0; i < mesh->edge_count; ++i) {
        int a = collider->first_node + (int)mesh->edges[2 * (size_t)i];
        int b = collider->first_node + (int)mesh->edges[2 * (size_t)i + 1];
        if (parts[a] < 1.0f && parts[b] < 1.0f) {
            sn_union_find_join(run->guard->groups, NULL, a, b);
        }
    }
}

static void count_cuts(sn_guard_run *run)
{
    const sn_soft_scene *scene = &run->scene;
    for (int i = 0; i < scene->collider_count; ++i) {
        const sn_soft_collider *collider = &scene->colliders[i];
        int end = collider->surface != NULL ? collider->first_node + collider->node_count : 0,
            before = run->guard->cut_nodes;
        for (int k = collider->first_node; k < end; ++k) {
            run->guard->cut_nodes += run->guard->node_parts[k] < 1.0f ? 1 : 0;
        }
        if (run->guard->cut_nodes > before) {
            group_neighbors(run, collider);
        }
    }
    for (int i = 0; i < run->guard->body_count; ++i) {
        run->guard->cut_bodies += run->guard->body_parts[i] < 1.0f ? 1 : 0;
    }
}

bool sn_soft_guard_find(const sn_soft_scene *scene, sn_soft_detector *detector, sn_soft_guard *guard)
{
    sn_guard_run run = {.scene = *scene, .guard = guard, .motions = scene->motions};
    run.search.scene = &run.scene;
    run.search.detector = detector;
    if (!take_memory(&run, guard)) {
        return false;
    }
    run.scene.motions = run.cut_motions;
    run.search.share = 1.0f;
    find_motion(&run);
    bool cut = true;
    for (run.round = 0; cut && run.since < MOST_ROUNDS; ++run.round, ++run.since) {
        if (!fit_motion(&run)) {
            return false;
        }
        if (run.round == 0) {
            drop_clear(&run);
        }
        if (!sn_soft_find_pairs(&run.search) || !sn_soft_find_face_pairs(&run.search) ||
            !list_obstacles(&run)) {
            return false;
        }
        sn_tasks_for(scene->tasks, detector->feature_pairs.count, PAIR_GRAIN, meet_pairs, &run);
        cut = cut_pairs(&run);
        if (!cut && run.is_stuck && run.since < PATIENT_ROUNDS) {
            run.since = PATIENT_ROUNDS - 1;
            cut = true;
        }
    }
    if (cut) {
        hold_everything(&run);
    }
    count_cuts(&run);
    return true;
}
