// Finding the cuts of the guard.
// Tested by tests/physics/soft/test_soft_guard.c.
#include "collision/soft/soft_guard.h"

#include "collision/narrow/moving_sets.h"
#include "collision/soft/soft_phases.h"

#include <string.h>

enum { PAIR_GRAIN = 64, NODE_GRAIN = 1024 };
// Rounds after which what still meets does not move at all, and after which nothing does.
enum { PATIENT_ROUNDS = 8, MOST_ROUNDS = 24 };
// Cosine up to which neighbours face the same way.
static const float aligned = 0.5f;

// Points of an obstacle at the start and the end of the step, relative to its position.
typedef struct obstacle_points {
    sn_vec3 *start, *end, origin;
    int count;
} obstacle_points;

typedef struct guard_run {
    sn_soft_search search;
    sn_soft_scene scene; // with the motions of this round
    sn_soft_guard *guard;
    const sn_motion *motions; // whole ones
    sn_motion *cut_motions;
    sn_node_state *starts;
    sn_vec3 *displacements;       // whole ones
    float *node_cuts, *body_cuts; // parts of the present motion, of this round
    uint8_t *fresh_bodies;        // were cut in the last round
    obstacle_points *points;      // by broad-phase pair
    uint8_t *meetings;            // by feature pair: sn_meeting
    // By node: it has a face that overlaps a deformable, or a shape (its number + 1), at the start.
    uint8_t *overlaps_soft;
    int *overlaps_shape;
    int round;
} guard_run;

// Two features of faces, by the world's node numbers. Against an obstacle b is empty.
typedef struct features {
    int a[3], b[3];
    int count_a, count_b;
} features;

// --- motion ------------------------------------------------------------------------------------------------

static bool take_memory(guard_run *run, sn_soft_guard *guard)
{
    const sn_soft_scene *scene = &run->scene;
    size_t nodes = (size_t)scene->nodes->states.count;
    run->starts = sn_arena_take(scene->arena, nodes, sizeof *run->starts);
    run->displacements = sn_arena_take(scene->arena, nodes, sizeof *run->displacements);
    run->search.displacements = sn_arena_take(scene->arena, nodes, sizeof *run->search.displacements);
    run->overlaps_soft = sn_arena_take_zero(scene->arena, nodes, sizeof *run->overlaps_soft);
    run->overlaps_shape = sn_arena_take_zero(scene->arena, nodes, sizeof *run->overlaps_shape);
    run->node_cuts = sn_arena_take(scene->arena, nodes, sizeof *run->node_cuts);
    run->body_cuts = sn_arena_take(scene->arena, (size_t)guard->body_count, sizeof *run->body_cuts);
    run->fresh_bodies = sn_arena_take(scene->arena, (size_t)guard->body_count, sizeof *run->fresh_bodies);
    run->cut_motions = sn_arena_take(scene->arena, (size_t)guard->body_count, sizeof *run->cut_motions);
    guard->node_parts = sn_arena_take(scene->arena, nodes, sizeof *guard->node_parts);
    guard->body_parts = sn_arena_take(scene->arena, (size_t)guard->body_count, sizeof *guard->body_parts);
    return run->starts != NULL && run->displacements != NULL && run->search.displacements != NULL &&
           run->overlaps_soft != NULL && run->overlaps_shape != NULL && run->cut_motions != NULL &&
           run->node_cuts != NULL && run->body_cuts != NULL && run->fresh_bodies != NULL &&
           guard->node_parts != NULL && guard->body_parts != NULL;
}

static void find_motion(guard_run *run)
{
    const sn_soft_scene *scene = &run->scene;
    for (int i = 0; i < scene->collider_count; ++i) {
        const sn_soft_collider *collider = &scene->colliders[i];
        int end = collider->surface != NULL ? collider->first_node + collider->node_count : 0;
        for (int k = collider->first_node; k < end; ++k) {
            const sn_node_state *state = &scene->nodes->states.data[k];
            run->starts[k] = *state;
            run->starts[k].position = collider->sleeps ? state->position : run->guard->starts[k];
            run->displacements[k] = sn_sub(state->position, run->starts[k].position);
            run->guard->node_parts[k] = run->node_cuts[k] = 1.0f;
        }
    }
    for (int i = 0; i < run->guard->body_count; ++i) {
        run->guard->body_parts[i] = run->body_cuts[i] = 1.0f;
        run->cut_motions[i] = run->motions[i];
    }
}

// What is left of a motion after the cut of a round.
static void apply_cut(const guard_run *run, float *part, float cut)
{
    *part = cut < 1.0f && run->round > PATIENT_ROUNDS ? 0.0f : *part * cut;
}

// --- suspects ----------------------------------------------------------------------------------------------

static sn_vec3 end_of(const guard_run *run, int node)
{
    return sn_add(run->starts[node].position, run->search.displacements[node]);
}

// Twice the area of a face along its normal, at the start or the end.
static sn_vec3 face_cross(const guard_run *run, const sn_soft_collider *collider, int face, bool at_end)
{
    sn_vec3 p[3];
    for (int k = 0; k < 3; ++k) {
        int node = collider->first_node + (int)collider->surface->faces.data[3 * (size_t)face + (size_t)k];
        p[k] = at_end ? end_of(run, node) : run->starts[node].position;
    }
    return sn_cross(sn_sub(p[1], p[0]), sn_sub(p[2], p[0]));
}

static bool face_alike(sn_vec3 a, sn_vec3 b)
{
    float along = sn_dot(a, b);
    return along > 0.0f && along * along > aligned * aligned * sn_length_squared(a) * sn_length_squared(b);
}

// Marks faces, by number, that are sharply folded against a neighbour. Where a sheet does not fold it cannot
// meet itself nearby, and what is not near was seen by detection.
static bool mark_folds(const guard_run *run, const sn_soft_collider *collider, uint8_t *marks)
{
    const sn_soft_surface *surface = collider->surface;
    sn_vec3 *crosses = sn_arena_take(run->scene.arena, 2 * (size_t)surface->face_count, sizeof *crosses);
    if (crosses == NULL) {
        return false;
    }
    for (int i = 0; i < surface->face_count; ++i) {
        crosses[2 * i] = face_cross(run, collider, i, false);
        crosses[2 * i + 1] = face_cross(run, collider, i, true);
    }
    for (int i = 0; i < surface->mesh->edge_count; ++i) {
        const int *f = surface->edge_faces.data + 2 * (size_t)i;
        if (f[0] >= 0 && f[1] >= 0 &&
            !(face_alike(crosses[2 * f[0]], crosses[2 * f[1]]) &&
              face_alike(crosses[2 * f[0] + 1], crosses[2 * f[1] + 1]))) {
            marks[f[0]] = marks[f[1]] = 1;
        }
    }
    return true;
}

// Faces with a node that ended where detection did not expect it and, of surfaces that meet themselves, those
// that are folded.
static bool suspect(guard_run *run, const sn_soft_collider *collider)
{
    sn_soft_surface *surface = collider->surface;
    uint8_t *folds = sn_arena_take_zero(run->scene.arena, (size_t)surface->face_count, sizeof *folds);
    bool may_fold = collider->def->self_collide && surface->mesh->triangle_count > 0;
    if (folds == NULL || !sn_array_resize(&surface->suspect_parts, surface->tree.count) ||
        (may_fold && !mark_folds(run, collider, folds))) {
        return false;
    }
    for (int i = 0; i < surface->face_count && may_fold; ++i) {
        surface->suspects.data[i] |= folds[surface->order.data[i]] ? SN_SUSPECT : 0;
    }
    sn_soft_surface_suspect(surface, run->scene.nodes->states.data + collider->first_node);
    return true;
}

// After a round, only faces whose motion was cut in it are suspect: others were found to be apart.
static void suspect_cut(const guard_run *run, const sn_soft_collider *collider)
{
    sn_soft_surface *surface = collider->surface;
    for (int i = 0; i < surface->face_count; ++i) {
        const uint32_t *corners = surface->faces.data + 3 * (size_t)surface->order.data[i];
        bool is_cut = false;
        for (int k = 0; k < 3; ++k) {
            is_cut = is_cut || run->node_cuts[collider->first_node + (int)corners[k]] < 1.0f;
        }
        surface->suspects.data[i] = is_cut ? SN_SUSPECT : 0;
    }
}

// Boxes around the motion as it is cut now.
static bool fit_collider(guard_run *run, const sn_soft_collider *collider)
{
    sn_soft_surface *surface = collider->surface;
    int first = collider->first_node, end = first + collider->node_count;
    for (int k = first; k < end; ++k) {
        apply_cut(run, &run->guard->node_parts[k], run->node_cuts[k]);
        float part = run->guard->node_parts[k];
        run->search.displacements[k] =
            part == 1.0f ? run->displacements[k] : sn_scale(run->displacements[k], part);
    }
    surface->has_boxes = false;
    if (run->round > 0) {
        suspect_cut(run, collider);
    } else if (!suspect(run, collider)) {
        return false;
    }
    sn_soft_surface_mark_parts(surface, surface->suspects.data, surface->suspect_parts.data);
    for (int k = first; k < end; ++k) {
        run->node_cuts[k] = 1.0f;
    }
    if (!sn_soft_surface_box_motion(surface, run->starts + first, run->search.displacements + first)) {
        return false;
    }
    sn_soft_surface_refit(surface, 0.0f);
    return true;
}

static bool fit_motion(guard_run *run)
{
    for (int i = 0; i < run->scene.collider_count; ++i) {
        const sn_soft_collider *collider = &run->scene.colliders[i];
        if (collider->surface != NULL && !fit_collider(run, collider)) {
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

static bool list_points(guard_run *run, const sn_soft_pair *pair, obstacle_points *points)
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

static bool list_obstacles(guard_run *run)
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

// --- pairs -------------------------------------------------------------------------------------------------

static bool has(const int *nodes, int count, int node)
{
    for (int i = 0; i < count; ++i) {
        if (nodes[i] == node) {
            return true;
        }
    }
    return false;
}

// The nodes of a face, each once (faces of strands have two).
static int nodes_of(const sn_soft_collider *collider, uint32_t face, int nodes[3])
{
    const uint32_t *corners = collider->surface->faces.data + 3 * (size_t)face;
    int count = 0;
    for (int k = 0; k < 3; ++k) {
        int node = collider->first_node + (int)corners[k];
        if (!has(nodes, count, node)) {
            nodes[count++] = node;
        }
    }
    return count;
}

static uint32_t face_at(const sn_soft_collider *collider, uint32_t place)
{
    return collider->surface->order.data[place];
}

// Faces without a common node are one pair; of others the part that is not common and the other face are, in
// both ways. Returns how many.
static int list_features(const guard_run *run, const sn_feature_pair *faces, features list[2])
{
    const sn_soft_pair *pair = &run->search.detector->pairs.data[faces->pair];
    const sn_soft_collider *a = &run->scene.colliders[pair->deformable];
    if (pair->other < 0) {
        list[0].count_a = nodes_of(a, sn_soft_feature_number(faces->feature), list[0].a);
        list[0].count_b = 0;
        return 1;
    }
    const sn_soft_collider *b = &run->scene.colliders[pair->other];
    features whole, own_a = {.count_a = 0}, own_b;
    whole.count_a = nodes_of(a, face_at(a, faces->feature), whole.a);
    whole.count_b = nodes_of(b, face_at(b, faces->piece), whole.b);
    own_a = own_b = whole;
    own_a.count_a = own_b.count_b = 0;
    for (int k = 0; k < whole.count_a; ++k) {
        if (!has(whole.b, whole.count_b, whole.a[k])) {
            own_a.a[own_a.count_a++] = whole.a[k];
        }
    }
    for (int k = 0; k < whole.count_b; ++k) {
        if (!has(whole.a, whole.count_a, whole.b[k])) {
            own_b.b[own_b.count_b++] = whole.b[k];
        }
    }
    list[0] = own_a;
    list[1] = own_b;
    if (own_a.count_a == 0 || own_b.count_b == 0) {
        return 0;
    }
    return own_a.count_a == whole.count_a ? 1 : 2;
}

// Rounding of positions this far from the origin. [m]
static float least_at(sn_vec3 p)
{
    sn_vec3 size = sn_abs3(p);
    return 1.0e-7f + 5.0e-7f * sn_max(size.x, sn_max(size.y, size.z));
}

typedef struct soft_set {
    sn_vec3 start[3], end[3];
} soft_set;

static sn_moving_set gather(const guard_run *run, const int *nodes, int count, sn_vec3 origin, soft_set *set)
{
    bool is_forced = false;
    for (int k = 0; k < count; ++k) {
        set->start[k] = sn_sub(run->starts[nodes[k]].position, origin);
        set->end[k] = sn_add(set->start[k], run->search.displacements[nodes[k]]);
        is_forced = is_forced || (run->starts[nodes[k]].inverse_mass == 0.0f);
    }
    return (sn_moving_set){.start = set->start, .end = set->end, .count = count, .is_forced = is_forced};
}

static sn_moving_set gather_obstacle(const guard_run *run, int pair)
{
    const obstacle_points *points = &run->points[pair];
    const sn_soft_pair *with = &run->search.detector->pairs.data[pair];
    const sn_body *body = &run->scene.bodies[with->body];
    float radius = with->obstacle.kind == SN_OBSTACLE_CONVEX ? with->obstacle.convex.radius : 0.0f;
    return (sn_moving_set){.start = points->start,
                           .end = points->end,
                           .count = points->count,
                           .radius = radius,
                           .is_forced = !(body->awake_index >= 0 && sn_body_is_dynamic(body))};
}

// --- do they meet? -----------------------------------------------------------------------------------------

static sn_vec3 cross_of(const sn_vec3 p[3])
{
    return sn_cross(sn_sub(p[1], p[0]), sn_sub(p[2], p[0]));
}

// Faces beside one edge that face the same way, before and after.
static bool are_one_sheet(const guard_run *run, const features list[2])
{
    soft_set a, b;
    if (list[0].count_a != 1 || list[1].count_a < 3 || list[0].count_b < 3) {
        return false;
    }
    sn_vec3 origin = run->starts[list[1].a[0]].position;
    (void)gather(run, list[1].a, 3, origin, &a);
    (void)gather(run, list[0].b, 3, origin, &b);
    return face_alike(cross_of(a.start), cross_of(b.start)) && face_alike(cross_of(a.end), cross_of(b.end));
}

// Most pairs are kept apart by the plane of one of the two faces, or by one across the line between them.
static bool is_easy(const sn_moving_set *a, const sn_moving_set *b, float least)
{
    sn_vec3 between = sn_sub(a->start[0], b->start[0]), normals[3] = {between};
    int count = 1;
    for (int side = 0; side < 2; ++side) {
        const sn_moving_set *set = side == 0 ? a : b;
        if (set->count == 3) {
            sn_vec3 normal = cross_of(set->start);
            normals[count++] = sn_dot(normal, between) < 0.0f ? sn_neg(normal) : normal;
        }
    }
    for (int i = count - 1; i >= 0; --i) {
        if (sn_moving_sets_separate(a, b, sn_normalize(normals[i]), least)) {
            return true;
        }
    }
    return false;
}

static sn_meeting meet_features(const guard_run *run, const features *f)
{
    soft_set a, b;
    sn_vec3 origin = run->starts[f->a[0]].position;
    sn_moving_set set_a = gather(run, f->a, f->count_a, origin, &a);
    sn_moving_set set_b = gather(run, f->b, f->count_b, origin, &b);
    float least = least_at(origin);
    return is_easy(&set_a, &set_b, least) ? SN_SETS_APART : sn_moving_sets_meet(&set_a, &set_b, least);
}

// Heights of a node over a half-space that does not move, before and after.
static sn_meeting meet_plane(const guard_run *run, const sn_plane *plane, const features *f)
{
    bool is_below = false, goes_below = false;
    for (int k = 0; k < f->count_a; ++k) {
        sn_vec3 start = run->starts[f->a[k]].position;
        float before = sn_dot(plane->normal, start) - plane->offset;
        float after = before + sn_dot(plane->normal, run->search.displacements[f->a[k]]);
        is_below = is_below || before <= 0.0f;
        goes_below = goes_below || (before > 0.0f && after <= 0.0f);
    }
    return goes_below ? SN_SETS_MEET : is_below ? SN_SETS_OVERLAP : SN_SETS_APART;
}

// Behind a triangle of one side is the inside of a solid, from which everything may come out.
static bool is_behind(const guard_run *run, const sn_obstacle *obstacle, const features *f)
{
    bool behind = obstacle->kind == SN_OBSTACLE_TRIANGLE && !obstacle->double_sided;
    for (int k = 0; behind && k < f->count_a; ++k) {
        behind = sn_dot(obstacle->plane.normal, run->starts[f->a[k]].position) < obstacle->plane.offset;
    }
    return behind;
}

static sn_meeting meet_obstacle(const guard_run *run, int pair, const features *f)
{
    const sn_obstacle *obstacle = &run->search.detector->pairs.data[pair].obstacle;
    if (obstacle->kind == SN_OBSTACLE_PLANE) {
        return meet_plane(run, &obstacle->plane, f);
    }
    if (is_behind(run, obstacle, f)) {
        return SN_SETS_APART;
    }
    soft_set a;
    sn_vec3 origin = run->points[pair].origin, normal;
    sn_moving_set set_a = gather(run, f->a, f->count_a, origin, &a), set_b = gather_obstacle(run, pair);
    float least = least_at(run->starts[f->a[0]].position);
    (void)sn_obstacle_distance(obstacle, run->starts[f->a[0]].position, NULL, 0.0f, &normal);
    return sn_moving_sets_separate(&set_a, &set_b, normal, least)
               ? SN_SETS_APART
               : sn_moving_sets_meet(&set_a, &set_b, least);
}

static sn_meeting meet_pair(const guard_run *run, const sn_feature_pair *faces)
{
    features list[2];
    int count = list_features(run, faces, list);
    if (count > 0 && list[0].count_b == 0) {
        return meet_obstacle(run, faces->pair, &list[0]);
    }
    if (count == 2 && are_one_sheet(run, list)) {
        return SN_SETS_APART;
    }
    sn_meeting first = count > 0 ? meet_features(run, &list[0]) : SN_SETS_APART;
    return first == SN_SETS_APART && count > 1 ? meet_features(run, &list[1]) : first;
}

static void meet_pairs(void *context, int begin, int end)
{
    const guard_run *run = context;
    for (int i = begin; i < end; ++i) {
        run->meetings[i] = (uint8_t)meet_pair(run, &run->search.detector->feature_pairs.data[i]);
    }
}

// --- overlaps ----------------------------------------------------------------------------------------------

static void mark_overlap(guard_run *run, const sn_feature_pair *faces)
{
    const sn_soft_pair *pair = &run->search.detector->pairs.data[faces->pair];
    features list[2];
    int count = list_features(run, faces, list);
    ++run->guard->overlaps;
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < list[i].count_a; ++k) {
            if (pair->other < 0) {
                run->overlaps_shape[list[i].a[k]] = pair->shape + 1;
            } else {
                run->overlaps_soft[list[i].a[k]] = 1;
            }
        }
        for (int k = 0; k < list[i].count_b; ++k) {
            run->overlaps_soft[list[i].b[k]] = 1;
        }
    }
}

static bool any_overlaps(const guard_run *run, const int *nodes, int count)
{
    for (int k = 0; k < count; ++k) {
        if (run->overlaps_soft[nodes[k]]) {
            return true;
        }
    }
    return false;
}

// Whether the two are entangled when the step begins: they may come out.
static bool is_entangled(const guard_run *run, const sn_soft_pair *pair, const features *f)
{
    if (pair->other >= 0) {
        return any_overlaps(run, f->a, f->count_a) && any_overlaps(run, f->b, f->count_b);
    }
    for (int k = 0; k < f->count_a; ++k) {
        if (run->overlaps_shape[f->a[k]] == pair->shape + 1) {
            return true;
        }
    }
    return false;
}

// Whether an anchor holds the two together there.
static bool is_excluded(const guard_run *run, const sn_soft_pair *pair, const features *f)
{
    sn_soft_contact_data contact = {.key = {.deformable = (uint32_t)pair->deformable}, .body = pair->body};
    contact.key.other =
        pair->other >= 0 ? (uint32_t)pair->other | SN_SOFT_OTHER_DEFORMABLE : (uint32_t)pair->shape;
    memcpy(contact.nodes, f->a, (size_t)f->count_a * sizeof *f->a);
    contact.width = f->count_a;
    if (pair->other < 0) {
        return sn_soft_is_excluded(&run->scene, &contact);
    }
    for (int k = 0; k < f->count_b; ++k) {
        contact.nodes[f->count_a] = f->b[k];
        contact.width = f->count_a + 1;
        if (sn_soft_is_excluded(&run->scene, &contact)) {
            return true;
        }
    }
    return false;
}

// --- cuts --------------------------------------------------------------------------------------------------

// Cuts a motion to a part of what it is now; whether that changes anything. A minimum, so that pairs may cut
// the same node in any order.
static bool cut_to(float part, float kept, bool is_forced, float *cut)
{
    *cut = sn_min(*cut, part);
    return part < 1.0f && kept > 0.0f && !is_forced;
}

static bool cut_node(guard_run *run, int node, float part)
{
    bool is_forced = run->starts[node].inverse_mass == 0.0f;
    return cut_to(is_forced ? 1.0f : part, run->guard->node_parts[node], is_forced, &run->node_cuts[node]);
}

static bool cut_set(guard_run *run, const int *nodes, const sn_moving_set *set, sn_vec3 normal, float level,
                    float sign)
{
    bool cut = false;
    for (int k = 0; k < set->count; ++k) {
        float part = sn_motion_above(set->start[k], set->end[k], normal, level, sign);
        cut = cut_node(run, nodes[k], part) || cut;
    }
    return cut;
}

static bool cut_body(guard_run *run, const sn_soft_pair *pair, const sn_moving_set *set, sn_vec3 normal,
                     float level)
{
    const sn_body *body = &run->scene.bodies[pair->body];
    float least = 1.0f;
    for (int k = 0; k < set->count; ++k) {
        float part = sn_motion_above(set->start[k], set->end[k], normal, level - set->radius, -1.0f);
        least = sn_min(least, part);
    }
    if (set->is_forced) {
        return false;
    }
    int place = body->awake_index;
    return cut_to(least, run->guard->body_parts[place], false, &run->body_cuts[place]);
}

static bool cut_at_plane(guard_run *run, const sn_plane *plane, const features *f)
{
    bool cut = false;
    for (int k = 0; k < f->count_a; ++k) {
        sn_vec3 start = run->starts[f->a[k]].position,
                end = sn_add(start, run->search.displacements[f->a[k]]);
        float before = sn_dot(plane->normal, start) - plane->offset;
        if (before > 0.0f && sn_dot(plane->normal, end) <= plane->offset) {
            float part = sn_motion_above(start, end, plane->normal, plane->offset + 0.5f * before, 1.0f);
            cut = cut_node(run, f->a[k], part) || cut;
        }
    }
    return cut;
}

static bool cut_features(guard_run *run, int index, const features *f)
{
    const sn_soft_pair *pair = &run->search.detector->pairs.data[index];
    soft_set a, b;
    sn_parting parting;
    if (is_entangled(run, pair, f) || is_excluded(run, pair, f)) {
        return false;
    }
    if (pair->other < 0 && pair->obstacle.kind == SN_OBSTACLE_PLANE) {
        return cut_at_plane(run, &pair->obstacle.plane, f);
    }
    sn_vec3 at = run->starts[f->a[0]].position, origin = pair->other < 0 ? run->points[index].origin : at;
    sn_moving_set set_a = gather(run, f->a, f->count_a, origin, &a);
    sn_moving_set set_b =
        pair->other < 0 ? gather_obstacle(run, index) : gather(run, f->b, f->count_b, origin, &b);
    if (sn_moving_sets_meet(&set_a, &set_b, least_at(at)) != SN_SETS_MEET ||
        !sn_moving_sets_part(&set_a, &set_b, least_at(at), &parting)) {
        return false;
    }
    bool cut_a = cut_set(run, f->a, &set_a, parting.normal, parting.level_a, 1.0f);
    bool cut_b = pair->other < 0 ? cut_body(run, pair, &set_b, parting.normal, parting.level_b)
                                 : cut_set(run, f->b, &set_b, parting.normal, parting.level_b, -1.0f);
    return cut_a || cut_b;
}

// Whether anything was cut.
static bool cut_pairs(guard_run *run)
{
    const sn_soft_detector *detector = run->search.detector;
    bool cut = false;
    for (int i = 0; i < detector->feature_pairs.count && run->round == 0; ++i) {
        if (run->meetings[i] == SN_SETS_OVERLAP) {
            mark_overlap(run, &detector->feature_pairs.data[i]);
        }
    }
    for (int i = 0; i < detector->feature_pairs.count; ++i) {
        const sn_feature_pair *faces = &detector->feature_pairs.data[i];
        features list[2];
        int count = run->meetings[i] == SN_SETS_MEET ? list_features(run, faces, list) : 0;
        for (int k = 0; k < count; ++k) {
            cut = cut_features(run, faces->pair, &list[k]) || cut;
        }
    }
    return cut;
}

// --- the whole ---------------------------------------------------------------------------------------------

static void hold_everything(guard_run *run)
{
    const sn_soft_scene *scene = &run->scene;
    for (int i = 0; i < scene->collider_count; ++i) {
        const sn_soft_collider *collider = &scene->colliders[i];
        int end = collider->surface != NULL ? collider->first_node + collider->node_count : 0;
        for (int k = collider->first_node; k < end; ++k) {
            run->guard->node_parts[k] = 0.0f;
        }
    }
    for (int i = 0; i < run->guard->body_count; ++i) {
        run->guard->body_parts[i] = 0.0f;
    }
}

static void count_cuts(guard_run *run)
{
    const sn_soft_scene *scene = &run->scene;
    for (int i = 0; i < scene->collider_count; ++i) {
        const sn_soft_collider *collider = &scene->colliders[i];
        int end = collider->surface != NULL ? collider->first_node + collider->node_count : 0;
        for (int k = collider->first_node; k < end; ++k) {
            run->guard->cut_nodes += run->guard->node_parts[k] < 1.0f ? 1 : 0;
        }
    }
    for (int i = 0; i < run->guard->body_count; ++i) {
        run->guard->cut_bodies += run->guard->body_parts[i] < 1.0f ? 1 : 0;
    }
}

bool sn_soft_guard_find(const sn_soft_scene *scene, sn_soft_detector *detector, sn_soft_guard *guard)
{
    guard_run run = {.scene = *scene, .guard = guard, .motions = scene->motions};
    run.search.scene = &run.scene;
    run.search.detector = detector;
    if (!take_memory(&run, guard)) {
        return false;
    }
    run.scene.motions = run.cut_motions;
    run.search.share = 1.0f;
    find_motion(&run);
    bool cut = true;
    for (run.round = 0; cut && run.round < MOST_ROUNDS; ++run.round) {
        if (!fit_motion(&run) || !sn_soft_find_pairs(&run.search) || !sn_soft_find_face_pairs(&run.search) ||
            !list_obstacles(&run)) {
            return false;
        }
        sn_tasks_for(scene->tasks, detector->feature_pairs.count, PAIR_GRAIN, meet_pairs, &run);
        cut = cut_pairs(&run);
    }
    if (cut) {
        hold_everything(&run);
    }
    count_cuts(&run);
    return true;
}
