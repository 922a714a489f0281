// What may surprise about anchors: points that are apart at the start, very unequal masses, and exact ones
// that cannot be exact.
#include "apps/describe.h"
#include "apps/warnings_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_soft(const sn_point *point)
{
    return point->type == SN_POINT_NODES || point->type == SN_POINT_SURFACE;
}

// --- where they are and what they hold ---------------------------------------------------------------------

// What hangs at a point [kg]; 0 for what does not move. `masses` are those of the inspector's deformables.
static double mass_at(const inspector *inspector, const double *masses, const sn_point *point)
{
    for (int i = 0; is_soft(point) && i < inspector->deformables.count; ++i) {
        if (inspector->deformables.items[i].index == point->deformable.index) {
            return masses[i];
        }
    }
    return point->type == SN_POINT_RIGID ? (double)sn_rigid_mass(inspector->world, point->rigid).mass : 0.0;
}

// Those that begin later or slowly may be apart; masses are no trouble for exact ones.
static void warn_of_ends(inspector *inspector, const double *masses)
{
    const sn_world *world = inspector->world;
    tally unmet = {0}, uneven = {0};
    for (int i = 0; i < inspector->anchors.count; ++i) {
        sn_anchor anchor = inspector->anchors.items[i];
        sn_anchor_def def = sn_anchor_definition(world, anchor);
        sn_anchor_hold hold = sn_anchor_hold_now(world, anchor);
        bool may_be_apart = hold == SN_ANCHOR_OFF || (def.exact && def.ramp_steps > 1);
        double ratio = hold == SN_ANCHOR_EXACT ? 1.0
                                               : warnings_ratio(mass_at(inspector, masses, &def.a),
                                                                mass_at(inspector, masses, &def.b));
        warnings_note(&unmet, may_be_apart ? 0.0 : (double)sn_anchor_error(world, anchor), WARN_UNMET_ERROR,
                      i);
        warnings_note(&uneven, ratio, WARN_MASS_RATIO, i);
    }
    if (unmet.count > 0) {
        warn(inspector, "%s not met at the start; the points of %s are %.3g m apart",
             describe_count(unmet.count, "anchor is", "anchors are").text,
             describe_joint(world, inspector->anchors.items[unmet.index]).text, unmet.worst);
    }
    if (uneven.count > 0) {
        warn(inspector, "%s things of very unequal mass; those of %s are %.4g : 1; more world.sub_steps help",
             describe_count(uneven.count, "anchor holds", "anchors hold").text,
             describe_joint(world, inspector->anchors.items[uneven.index]).text, uneven.worst);
    }
}

// How far a place is outside the box around a body's shapes, by the box's longest side; 0 inside.
static double arm_share(const sn_world *world, sn_rigid rigid, sn_vec3 place)
{
    sn_bounds box = sn_rigid_bounds(world, rigid);
    sn_vec3 size = sn_sub(box.upper, box.lower);
    float longest = sn_max(size.x, sn_max(size.y, size.z));
    sn_vec3 nearest = sn_max3(box.lower, sn_min3(place, box.upper));
    return longest > 0.0f ? (double)(sn_distance_between(place, nearest) / longest) : 0.0;
}

// The end on a body, where the other end is on a deformable: a place in the air beside the body is an arm
// that nobody sees, and mostly a mistake.
static void warn_of_arms(inspector *inspector)
{
    const sn_world *world = inspector->world;
    tally far = {0};
    for (int i = 0; i < inspector->anchors.count; ++i) {
        sn_anchor_def def = sn_anchor_definition(world, inspector->anchors.items[i]);
        const sn_point *ends[2] = {&def.a, &def.b};
        for (int end = 0; end < 2; ++end) {
            sn_vec3 place;
            bool is_body = ends[end]->type == SN_POINT_RIGID && is_soft(ends[1 - end]) &&
                           ends[end]->rigid.index != sn_world_ground(world).index;
            if (is_body && sn_point_place(world, ends[end], &place) == SN_OK) {
                warnings_note(&far, arm_share(world, ends[end]->rigid, place), WARN_ARM, i);
            }
        }
    }
    if (far.count > 0) {
        warn(inspector,
             "%s a body at a place beside it, as by an arm; that of %s is %.3g times the body's size away",
             describe_count(far.count, "anchor holds", "anchors hold").text,
             describe_joint(world, inspector->anchors.items[far.index]).text, far.worst);
    }
}

// A ball joint, or an anchor, of two bodies at a place beside both of them: one of the two may well be an
// arm's length away, as a pendulum from its pivot, but hardly both.
static void warn_of_double_arms(inspector *inspector)
{
    const sn_world *world = inspector->world;
    tally far = {0};
    for (int i = 0; i < inspector->constraints.count; ++i) {
        sn_constraint joint = inspector->constraints.items[i];
        sn_ball_def def;
        bool counts = sn_constraint_get_kind(world, joint) == SN_BALL &&
                      sn_constraint_def_get(world, joint, &def) == SN_OK &&
                      def.common.a.type == SN_POINT_RIGID && def.common.b.type == SN_POINT_RIGID;
        sn_vec3 a, b;
        if (counts && sn_rigid_get_type(world, def.common.a.rigid) != SN_STATIC &&
            sn_rigid_get_type(world, def.common.b.rigid) != SN_STATIC &&
            sn_point_place(world, &def.common.a, &a) == SN_OK &&
            sn_point_place(world, &def.common.b, &b) == SN_OK) {
            warnings_note(
                &far, fmin(arm_share(world, def.common.a.rigid, a), arm_share(world, def.common.b.rigid, b)),
                WARN_ARM, i);
        }
    }
    if (far.count > 0) {
        warn(inspector,
             "%s two bodies at a place beside both, as by arms; that of %s is %.3g times a body's size away",
             describe_count(far.count, "joint holds", "joints hold").text,
             describe_joint(world, inspector->constraints.items[far.index]).text, far.worst);
    }
}

// --- conflicts ---------------------------------------------------------------------------------------------

// What two points have in common, as in "node 3 of rope"; false if nothing.
static bool describe_common(const sn_world *world, const sn_point *a, const sn_point *b, description *out)
{
    if (a->type == SN_POINT_RIGID && b->type == SN_POINT_RIGID) {
        bool is_same = a->rigid.index == b->rigid.index && sn_rigid_get_type(world, a->rigid) == SN_DYNAMIC;
        snprintf(out->text, sizeof out->text, "body %.*s", SN_MAX_NAME, describe_body(world, a->rigid).text);
        return is_same;
    }
    if (!is_soft(a) || !is_soft(b) || a->deformable.index != b->deformable.index) {
        return false;
    }
    for (int i = 0; i < a->node_count * b->node_count; ++i) {
        int node = a->nodes[i / b->node_count];
        if (node == b->nodes[i % b->node_count]) {
            snprintf(out->text, sizeof out->text, "node %d of %.*s", node, SN_MAX_NAME,
                     describe_deformable(world, a->deformable).text);
            return true;
        }
    }
    return false;
}

// Why an anchor is not exact: the first other exact one that holds a node or body of it.
static description describe_conflict(const inspector *inspector, int index)
{
    const sn_world *world = inspector->world;
    sn_anchor_def def = sn_anchor_definition(world, inspector->anchors.items[index]);
    const sn_point *own[2] = {&def.a, &def.b};
    description reason, common;
    if (!is_soft(&def.a) && !is_soft(&def.b)) {
        snprintf(reason.text, sizeof reason.text, "it holds no node");
        return reason;
    }
    for (int i = 0; i < inspector->anchors.count; ++i) {
        sn_anchor other = inspector->anchors.items[i];
        sn_anchor_def other_def = sn_anchor_definition(world, other);
        const sn_point *others[2] = {&other_def.a, &other_def.b};
        bool counts = i != index && other_def.exact && sn_anchor_hold_now(world, other) != SN_ANCHOR_OFF;
        for (int k = 0; k < 4 && counts; ++k) {
            if (describe_common(world, own[k / 2], others[k % 2], &common)) {
                snprintf(reason.text, sizeof reason.text, "%.*s is held by %.*s too", SN_MAX_NAME,
                         common.text, SN_MAX_NAME, describe_joint(world, other).text);
                return reason;
            }
        }
    }
    snprintf(reason.text, sizeof reason.text, "what it holds is nailed or carried twice");
    return reason;
}

// `when` is "" or begins the sentence.
static int warn_of_conflicts(inspector *inspector, const char *when)
{
    int count = 0, first = -1;
    for (int i = 0; i < inspector->anchors.count; ++i) {
        if (sn_anchor_hold_now(inspector->world, inspector->anchors.items[i]) == SN_ANCHOR_ROWS_INSTEAD) {
            first = first < 0 ? i : first;
            ++count;
        }
    }
    if (count > 0) {
        warn(inspector, "%s%s cannot be exact beside the others and will be held by rows; %s: %s", when,
             describe_count(count, "anchor", "anchors").text,
             describe_joint(inspector->world, inspector->anchors.items[first]).text,
             describe_conflict(inspector, first).text);
    }
    return count;
}

bool warn_of_anchors(inspector *inspector)
{
    double *masses = malloc(((size_t)inspector->deformables.count + 1) * sizeof *masses);
    if (masses == NULL) {
        return false;
    }
    for (int i = 0; i < inspector->deformables.count; ++i) {
        masses[i] = (double)sn_deformable_measure_now(inspector->world, inspector->deformables.items[i]).mass;
    }
    warn_of_ends(inspector, masses);
    warn_of_arms(inspector);
    warn_of_double_arms(inspector);
    inspector->conflicts = warn_of_conflicts(inspector, "");
    free(masses);
    return true;
}

// --- later -------------------------------------------------------------------------------------------------

enum { MOST_TIMES = 64 }; // looked at

// What outlasts its anchor, its name, too.
typedef struct definition {
    sn_anchor_def def;
    char *name;
} definition;

typedef SN_LIST(definition) definitions;

// Times when anchors begin or end, ascending.
static int gather_times(const definitions *all, float times[MOST_TIMES])
{
    int count = 0;
    for (float last = 0.0f; count < MOST_TIMES; last = times[count - 1]) {
        float next = INFINITY;
        for (int i = 0; i < all->count; ++i) {
            const sn_anchor_def *def = &all->items[i].def;
            const float own[2] = {def->active_from, def->active_until};
            for (int k = 0; k < 2 && def->exact; ++k) {
                next = own[k] > last && own[k] < next ? own[k] : next;
            }
        }
        if (isinf(next)) {
            break;
        }
        times[count++] = next;
    }
    return count;
}

// Puts the anchors back as they are at a time; all of them begin anew. The last is removed first, so that the
// first gets the first id again.
static void set_time(inspector *inspector, const definitions *all, float time)
{
    for (int i = inspector->anchors.count - 1; i >= 0; --i) {
        sn_anchor_remove(inspector->world, inspector->anchors.items[i]);
    }
    for (int i = 0; i < all->count; ++i) {
        sn_anchor_def def = all->items[i].def;
        def.active = def.active && def.active_from <= time && time < def.active_until;
        def.active_from = 0.0f;
        def.active_until = INFINITY;
        sn_anchor_add(inspector->world, &def, &inspector->anchors.items[i]);
    }
}

// False without memory.
static bool gather_definitions(const inspector *inspector, definitions *all)
{
    if (!SN_LIST_RESERVE(all, inspector->anchors.count)) {
        return false;
    }
    bool enough = true;
    for (int i = 0; i < inspector->anchors.count; ++i) {
        sn_anchor_def def = sn_anchor_definition(inspector->world, inspector->anchors.items[i]);
        char *name = def.name != NULL ? strdup(def.name) : NULL;
        enough = enough && (name != NULL || def.name == NULL);
        def.name = name;
        all->items[all->count++] = (definition){def, name};
    }
    return enough;
}

bool warn_of_later_anchors(inspector *inspector)
{
    definitions all = {0};
    float times[MOST_TIMES];
    bool enough = gather_definitions(inspector, &all);
    int count = enough ? gather_times(&all, times) : 0, conflicts = inspector->conflicts;
    for (int i = 0; i < count && conflicts == 0; ++i) {
        char when[48];
        snprintf(when, sizeof when, "from %.4g s on ", (double)times[i]);
        set_time(inspector, &all, times[i]);
        conflicts = warn_of_conflicts(inspector, when);
    }
    for (int i = 0; i < all.count; ++i) {
        free(all.items[i].name);
    }
    SN_LIST_FREE(&all);
    return enough;
}
