// Pairs of the guard: a face of a deformable, and another one or an obstacle. Whether the two meet on their
// way, and at which plane their motions are cut.
// Tested by tests/physics/soft/test_soft_guard.c.
#include "collision/guard/soft_guard_run.h"

#include "base/union_find.h"

#include <string.h>

enum { MOST_FEATURES = 4 };

// Two features of faces, by the world's node numbers. Against an obstacle b is empty.
typedef struct features {
    int a[3], b[3];
    int count_a, count_b;
} features;

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

static bool have_common(const features *f)
{
    for (int k = 0; k < f->count_a; ++k) {
        if (has(f->b, f->count_b, f->a[k])) {
            return true;
        }
    }
    return false;
}

// Two faces beside one edge that are folded together pass each other at the edges that end at its two ends
// without a node going through the other face. `list` has the nodes opposite the edge.
static int add_crossed_edges(features list[MOST_FEATURES])
{
    const features *node_face = &list[0], *face_node = &list[1];
    int u = node_face->a[0], v = face_node->b[0], ends[2], count = 0;
    for (int k = 0; k < face_node->count_a; ++k) {
        if (face_node->a[k] != u) {
            ends[count++] = face_node->a[k];
        }
    }
    list[2] = (features){.a = {u, ends[0]}, .b = {v, ends[1]}, .count_a = 2, .count_b = 2};
    list[3] = (features){.a = {u, ends[1]}, .b = {v, ends[0]}, .count_a = 2, .count_b = 2};
    return 4;
}

static uint32_t face_at(const sn_soft_collider *collider, uint32_t place)
{
    return collider->surface->order.data[place];
}

// Faces without a common node are one pair; of others the part that is not common and the other face are, in
// both ways, and beside an edge the other edges that do not meet. Returns how many.
static int list_features(const sn_guard_run *run, const sn_feature_pair *faces, features list[MOST_FEATURES])
{
    const sn_soft_pair *pair = &run->search.detector->pairs.data[faces->pair];
    const sn_soft_collider *a = &run->scene.colliders[pair->deformable];
    if (pair->other < 0) {
        list[0].count_a = nodes_of(a, sn_soft_feature_number(faces->feature), list[0].a);
        list[0].count_b = 0;
        return 1;
    }
    const sn_soft_collider *b = &run->scene.colliders[pair->other];
    list[0].count_a = nodes_of(a, face_at(a, faces->feature), list[0].a);
    list[0].count_b = nodes_of(b, face_at(b, faces->piece), list[0].b);
    if (pair->deformable != pair->other || !have_common(&list[0])) {
        return 1;
    }
    const features whole = list[0];
    list[1] = whole;
    list[0].count_a = list[1].count_b = 0;
    for (int k = 0; k < whole.count_a; ++k) {
        if (!has(whole.b, whole.count_b, whole.a[k])) {
            list[0].a[list[0].count_a++] = whole.a[k];
        }
    }
    for (int k = 0; k < whole.count_b; ++k) {
        if (!has(whole.a, whole.count_a, whole.b[k])) {
            list[1].b[list[1].count_b++] = whole.b[k];
        }
    }
    if (list[0].count_a == 0 || list[1].count_b == 0) {
        return 0;
    }
    bool has_common_edge = list[1].count_a - list[0].count_a == 2 && list[0].count_b - list[1].count_b == 2;
    return has_common_edge ? add_crossed_edges(list) : 2;
}

typedef struct soft_set {
    sn_vec3 start[3], end[3];
} soft_set;

// What nodes of one deformable move by in common does not matter among them.
static sn_vec3 common_of(const sn_guard_run *run, const sn_soft_pair *pair)
{
    return pair->other == pair->deformable ? run->guard->frames[pair->deformable] : sn_v(0.0f, 0.0f, 0.0f);
}

static sn_moving_set gather(const sn_guard_run *run, const int *nodes, int count, sn_vec3 origin,
                            sn_vec3 common, soft_set *set)
{
    bool is_forced = false;
    for (int k = 0; k < count; ++k) {
        set->start[k] = sn_sub(run->starts[nodes[k]].position, origin);
        set->end[k] = sn_add(set->start[k], sn_sub(run->search.displacements[nodes[k]], common));
        is_forced = is_forced || (run->starts[nodes[k]].inverse_mass == 0.0f);
    }
    return (sn_moving_set){.start = set->start, .end = set->end, .count = count, .is_forced = is_forced};
}

static sn_moving_set gather_obstacle(const sn_guard_run *run, int pair)
{
    const sn_guard_points *points = &run->points[pair];
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
static bool are_one_sheet(const sn_guard_run *run, const features list[2])
{
    soft_set a, b;
    if (list[0].count_a != 1 || list[1].count_a < 3 || list[0].count_b < 3) {
        return false;
    }
    sn_vec3 origin = run->starts[list[1].a[0]].position;
    (void)gather(run, list[1].a, 3, origin, sn_v(0.0f, 0.0f, 0.0f), &a);
    (void)gather(run, list[0].b, 3, origin, sn_v(0.0f, 0.0f, 0.0f), &b);
    return sn_guard_are_alike(cross_of(a.start), cross_of(b.start), SN_SOFT_FOLDED) &&
           sn_guard_are_alike(cross_of(a.end), cross_of(b.end), SN_SOFT_FOLDED);
}

static sn_meeting meet_features(const sn_guard_run *run, sn_vec3 common, const features *f)
{
    soft_set a, b;
    sn_vec3 origin = run->starts[f->a[0]].position;
    sn_moving_set set_a = gather(run, f->a, f->count_a, origin, common, &a);
    sn_moving_set set_b = gather(run, f->b, f->count_b, origin, common, &b);
    return sn_moving_sets_meet(&set_a, &set_b, sn_guard_least(origin));
}

// Heights of a node over a half-space that does not move, before and after.
static sn_meeting meet_plane(const sn_guard_run *run, const sn_plane *plane, const features *f)
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
static bool is_behind(const sn_guard_run *run, const sn_obstacle *obstacle, const features *f)
{
    bool behind = obstacle->kind == SN_OBSTACLE_TRIANGLE && !obstacle->double_sided;
    for (int k = 0; behind && k < f->count_a; ++k) {
        behind = sn_dot(obstacle->plane.normal, run->starts[f->a[k]].position) < obstacle->plane.offset;
    }
    return behind;
}

// Whether the two stay apart as the body sees it, where the obstacle stands still and nodes move straight.
// Far corners of a large body that turns go farther across than it is apart from a face that goes along with
// it, so that no plane with a fixed normal keeps the two apart in the world.
static bool are_apart_on_body(const sn_guard_run *run, int pair, const features *f, float least)
{
    const sn_body *body = &run->scene.bodies[run->search.detector->pairs.data[pair].body];
    if (body->awake_index < 0) {
        return false;
    }
    const sn_motion *motion = &run->cut_motions[body->awake_index];
    sn_pose start = sn_motion_at(motion, 0.0f), end = sn_motion_at(motion, 1.0f);
    soft_set a;
    sn_vec3 origin = run->points[pair].origin;
    sn_moving_set set_a = gather(run, f->a, f->count_a, origin, sn_v(0.0f, 0.0f, 0.0f), &a),
                  set_b = gather_obstacle(run, pair);
    for (int k = 0; k < f->count_a; ++k) {
        sn_vec3 then = sn_add(run->starts[f->a[k]].position, run->search.displacements[f->a[k]]);
        a.end[k] = sn_sub(sn_pose_apply(start, sn_pose_apply_inverse(end, then)), origin);
    }
    set_b.end = set_b.start;
    return sn_moving_sets_meet(&set_a, &set_b, least) == SN_SETS_APART;
}

static sn_meeting meet_obstacle(const sn_guard_run *run, int pair, const features *f)
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
    sn_moving_set set_a = gather(run, f->a, f->count_a, origin, sn_v(0.0f, 0.0f, 0.0f), &a),
                  set_b = gather_obstacle(run, pair);
    float least = sn_guard_least(run->starts[f->a[0]].position);
    if (set_b.count > 1) {
        (void)sn_obstacle_distance(obstacle, run->starts[f->a[0]].position, NULL, 0.0f, &normal);
        if (sn_moving_sets_separate(&set_a, &set_b, normal, least)) {
            return SN_SETS_APART;
        }
    }
    sn_meeting meeting = sn_moving_sets_meet(&set_a, &set_b, least);
    bool is_apart = meeting == SN_SETS_MEET && are_apart_on_body(run, pair, f, least);
    return is_apart ? SN_SETS_APART : meeting;
}

sn_meeting sn_guard_meet(const sn_guard_run *run, const sn_feature_pair *faces)
{
    features list[MOST_FEATURES];
    if (sn_guard_are_apart(run, faces)) {
        return SN_SETS_APART;
    }
    int count = list_features(run, faces, list);
    if (count > 0 && list[0].count_b == 0) {
        return meet_obstacle(run, faces->pair, &list[0]);
    }
    if (count > 1 && are_one_sheet(run, list)) {
        return SN_SETS_APART;
    }
    sn_vec3 common = common_of(run, &run->search.detector->pairs.data[faces->pair]);
    sn_meeting meeting = SN_SETS_APART;
    for (int i = 0; meeting == SN_SETS_APART && i < count; ++i) {
        meeting = meet_features(run, common, &list[i]);
    }
    return meeting;
}

// --- exclusions --------------------------------------------------------------------------------------------

// Whether an anchor holds the two together there.
static bool is_excluded(const sn_guard_run *run, const sn_soft_pair *pair, const features *f)
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

// --- overlaps ----------------------------------------------------------------------------------------------

// The bit of a deformable. Beyond 64 some share one, and are taken to overlap where one of them does.
static uint64_t bit_of(int deformable)
{
    return (uint64_t)1 << (deformable % 64);
}

// Whether a face and a static shape overlap only where the face cannot move either, as the fixed bottom of a
// block that stands on the floor.
static bool is_fixed_there(const sn_guard_run *run, const sn_soft_pair *pair, const features *f)
{
    bool any_fixed = false, others_outside = true;
    if (pair->other >= 0 || run->scene.bodies[pair->body].type != SN_STATIC) {
        return false;
    }
    for (int k = 0; k < f->count_a; ++k) {
        const sn_node_state *start = &run->starts[f->a[k]];
        bool is_fixed = start->inverse_mass == 0.0f && sn_length_squared(run->displacements[f->a[k]]) == 0.0f;
        sn_vec3 normal;
        any_fixed = any_fixed || is_fixed;
        others_outside = others_outside && (is_fixed || sn_obstacle_distance(&pair->obstacle, start->position,
                                                                             NULL, 0.0f, &normal) > 0.0f);
    }
    return any_fixed && others_outside;
}

void sn_guard_mark_overlap(sn_guard_run *run, const sn_feature_pair *faces)
{
    const sn_soft_pair *pair = &run->search.detector->pairs.data[faces->pair];
    features list[MOST_FEATURES];
    int count = list_features(run, faces, list);
    bool any = false, all_fixed = true;
    for (int i = 0; i < count; ++i) {
        if (is_excluded(run, pair, &list[i])) {
            continue;
        }
        any = true;
        all_fixed = all_fixed && is_fixed_there(run, pair, &list[i]);
        for (int k = 0; k < list[i].count_a; ++k) {
            if (pair->other < 0) {
                run->overlaps_shape[list[i].a[k]] = pair->shape + 1;
            } else {
                run->overlaps_soft[list[i].a[k]] |= bit_of(pair->other);
            }
        }
        for (int k = 0; k < list[i].count_b; ++k) {
            run->overlaps_soft[list[i].b[k]] |= bit_of(pair->deformable);
        }
    }
    run->guard->overlaps += any ? 1 : 0;
    run->guard->fixed_overlaps += any && all_fixed ? 1 : 0;
}

static bool any_overlaps(const sn_guard_run *run, const int *nodes, int count, int other)
{
    for (int k = 0; k < count; ++k) {
        if ((run->overlaps_soft[nodes[k]] & bit_of(other)) != 0) {
            return true;
        }
    }
    return false;
}

// Whether the two are entangled with each other when the step begins: they may come out.
static bool is_entangled(const sn_guard_run *run, const sn_soft_pair *pair, const features *f)
{
    if (pair->other >= 0) {
        return any_overlaps(run, f->a, f->count_a, pair->other) &&
               any_overlaps(run, f->b, f->count_b, pair->deformable);
    }
    for (int k = 0; k < f->count_a; ++k) {
        if (run->overlaps_shape[f->a[k]] == pair->shape + 1) {
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

static bool cut_node(sn_guard_run *run, int node, float part)
{
    bool is_forced = run->starts[node].inverse_mass == 0.0f;
    return cut_to(is_forced ? 1.0f : part, run->guard->node_parts[node], is_forced, &run->node_cuts[node]);
}

static bool cut_set(sn_guard_run *run, const int *nodes, const sn_moving_set *set, sn_vec3 normal,
                    float level, float sign)
{
    bool cut = false;
    for (int k = 0; k < set->count; ++k) {
        float part = sn_motion_above(set->start[k], set->end[k], normal, level, sign);
        cut = cut_node(run, nodes[k], part) || cut;
    }
    return cut;
}

static bool cut_body(sn_guard_run *run, const sn_soft_pair *pair, const sn_moving_set *set, sn_vec3 normal,
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

static bool cut_at_plane(sn_guard_run *run, const sn_plane *plane, const features *f)
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

// Those that can be held back, of both sides.
static void group(sn_guard_run *run, const features *f)
{
    int first = -1;
    for (int k = 0; k < f->count_a + f->count_b; ++k) {
        int node = k < f->count_a ? f->a[k] : f->b[k - f->count_a];
        if (run->starts[node].inverse_mass > 0.0f) {
            first = first < 0 ? node : first;
            sn_union_find_join(run->guard->groups, NULL, first, node);
        }
    }
}

static bool is_driven(const sn_guard_run *run, const features *f)
{
    bool any = false;
    for (int k = 0; k < f->count_a + f->count_b; ++k) {
        any = any || run->drives[k < f->count_a ? f->a[k] : f->b[k - f->count_a]];
    }
    return any;
}

static bool cut_features(sn_guard_run *run, int index, const features *f)
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
    sn_vec3 common = common_of(run, pair);
    sn_moving_set set_a = gather(run, f->a, f->count_a, origin, common, &a);
    sn_moving_set set_b =
        pair->other < 0 ? gather_obstacle(run, index) : gather(run, f->b, f->count_b, origin, common, &b);
    if (sn_moving_sets_meet(&set_a, &set_b, sn_guard_least(at)) != SN_SETS_MEET ||
        !sn_moving_sets_part(&set_a, &set_b, sn_guard_least(at), &parting)) {
        return false;
    }
    float level_a = parting.level_a + parting.shift, level_b = parting.level_b + parting.shift;
    bool cut_a = cut_set(run, f->a, &set_a, parting.normal, level_a, 1.0f);
    bool cut_b = pair->other < 0 ? cut_body(run, pair, &set_b, parting.normal, level_b)
                                 : cut_set(run, f->b, &set_b, parting.normal, level_b, -1.0f);
    if (cut_a || cut_b) {
        group(run, f);
    }
    run->is_stuck = run->is_stuck || (!cut_a && !cut_b && is_driven(run, f));
    return cut_a || cut_b;
}

bool sn_guard_cut(sn_guard_run *run, const sn_feature_pair *faces)
{
    features list[MOST_FEATURES];
    int count = list_features(run, faces, list);
    bool cut = false;
    for (int k = 0; k < count; ++k) {
        cut = cut_features(run, faces->pair, &list[k]) || cut;
    }
    const sn_soft_pair *pair = &run->search.detector->pairs.data[faces->pair];
    if (cut && pair->other != pair->deformable) {
        run->strikes[pair->deformable] = !run->holds[pair->deformable];
        if (pair->other >= 0) {
            run->strikes[pair->other] = !run->holds[pair->other];
        }
    }
    return cut;
}
