// Lists of the constraints that are on and hold nodes. There may be many thousands, of which most steps need
// few.
// Tested by tests/world/constraints/test_anchors.c.
#include "world/constraints/anchors.h"
#include "world/exact/exact_plan.h"

#include <math.h>

static bool is_bound(const sn_point *point)
{
    return point->type == SN_POINT_NODES || point->type == SN_POINT_SURFACE;
}

// The body at the other end of an anchor; −1 if that is no body.
static int body_of(const sn_world *world, int anchor)
{
    if (anchor < 0) {
        return -1;
    }
    const sn_constraint_common *def = &world->constraints.data[anchor].definition.common;
    const sn_point *parent = def->a.type == SN_POINT_NODES ? &def->b : &def->a;
    return parent->type == SN_POINT_RIGID ? (int)parent->rigid.index - 1 : -1;
}

// Adds an end to the lists of its nodes.
static bool list_exclusions(const sn_world *world, sn_exact_plan *plan, int index, int end)
{
    const sn_constraint_common *def = &world->constraints.data[index].definition.common;
    const sn_point *point = end == 0 ? &def->a : &def->b, *other = end == 0 ? &def->b : &def->a;
    if (point->type != SN_POINT_NODES) {
        return true;
    }
    int first = world->deformables.data[point->deformable.index - 1].first_node;
    for (int i = 0; i < point->node_count; ++i) {
        int node = first + point->nodes[i], *exclusion_of = &plan->exclusion_of.data[node];
        int slot = plan->slot_of.data[node] - 1, root = slot >= 0 ? sn_plan_root(plan, slot) : -1;
        sn_soft_exclusion exclusion = {
            .anchor = index,
            .end = end,
            .node = node,
            .next = *exclusion_of - 1,
            .set = root,
            .parent = root >= 0 ? body_of(world, plan->slots.data[root].parent_anchor) : -1,
            .body = other->type == SN_POINT_RIGID ? (int)other->rigid.index - 1 : -1,
            .slides_on = sn_anchor_sliding_end(def) == 1 - end ? (int)other->deformable.index - 1 : -1};
        if (!sn_array_push(&plan->exclusions, exclusion)) {
            return false;
        }
        *exclusion_of = plan->exclusions.count;
    }
    return true;
}

// Whether its points coincide, so that the two things it holds are bound to touch there.
static bool holds_points_together(const sn_constraint_data *data)
{
    return data->definition.common.compliance == 0.0f &&
           (data->kind == SN_BALL || data->kind == SN_HINGE || data->kind == SN_FIXED);
}

bool sn_constraint_carries(const sn_constraint_data *data)
{
    bool is_rope = data->kind == SN_DISTANCE && data->definition.distance.upper < INFINITY;
    bool is_guide = data->kind == SN_AXIS || data->kind == SN_SLIDER;
    return holds_points_together(data) ||
           (data->definition.common.compliance == 0.0f && (is_rope || is_guide));
}

static bool list_constraint(const sn_world *world, sn_exact_plan *plan, int index)
{
    const sn_constraint_data *data = &world->constraints.data[index];
    const sn_constraint_common *def = &data->definition.common;
    int sliding = sn_anchor_sliding_end(def);
    const sn_point *surface = sliding == 0 ? &def->a : &def->b, *body = sliding == 0 ? &def->b : &def->a;
    bool slides = sliding >= 0 && body->type == SN_POINT_RIGID;
    sn_soft_sliding_body pair = {(int)body->rigid.index - 1, (int)surface->deformable.index - 1};
    bool is_exclusion = holds_points_together(data) && !def->collide_connected;
    bool hangs = sn_constraint_carries(data) && ((is_bound(&def->a) && def->b.type == SN_POINT_RIGID) ||
                                                 (is_bound(&def->b) && def->a.type == SN_POINT_RIGID));
    if (is_exclusion) {
        sn_plan_note_surroundings(world, plan, def);
    }
    plan->exact_count += plan->holds.data[index] == SN_CONSTRAINT_EXACT ? 1 : 0;
    plan->instead_count += plan->holds.data[index] == SN_CONSTRAINT_ROWS_INSTEAD ? 1 : 0;
    return (!hangs || sn_array_push(&plan->hangers, index)) &&
           (!slides || sn_array_push(&plan->sliding_bodies, pair)) &&
           (!is_exclusion ||
            (list_exclusions(world, plan, index, 0) && list_exclusions(world, plan, index, 1)));
}

static void clear(sn_exact_plan *plan)
{
    for (int i = 0; i < plan->exclusions.count; ++i) {
        plan->exclusion_of.data[plan->exclusions.data[i].node] = 0;
    }
    plan->hangers.count = 0;
    plan->sliding_bodies.count = plan->exclusions.count = 0;
    plan->exact_count = plan->instead_count = 0;
}

bool sn_plan_lists(const sn_world *world, sn_exact_plan *plan)
{
    clear(plan);
    bool ok = sn_array_resize(&plan->exclusion_of, world->nodes.states.count) &&
              sn_plan_clear_surroundings(world, plan);
    for (int i = 0; ok && i < world->constraints.count; ++i) {
        ok = plan->holds.data[i] == SN_CONSTRAINT_OFF ||
             !sn_constraint_is_planned(&world->constraints.data[i]) || list_constraint(world, plan, i);
    }
    return ok && sn_plan_exclude_surroundings(world, plan);
}
