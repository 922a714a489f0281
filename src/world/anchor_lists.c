// Lists of the anchors that are on: of those many thousands most steps need to see few.
#include "world/anchors.h"
#include "world/exact.h"

#include <math.h>

static bool is_bound(const sn_point *point)
{
    return point->type == SN_POINT_NODES || point->type == SN_POINT_SURFACE;
}

// Bodies and deformables that are one island.
static bool list_tie(const sn_world *world, sn_exact_plan *plan, int index)
{
    sn_tie tie = sn_anchor_ends(world, index);
    const sn_tie *last = plan->ties.count > 0 ? &plan->ties.data[plan->ties.count - 1] : NULL;
    bool is_known = last != NULL && last->ends[0] == tie.ends[0] && last->ends[1] == tie.ends[1];
    return is_known || sn_array_push(&plan->ties, tie);
}

// The body that an anchor to a body is to; −1 for others, and for none.
static int body_of(const sn_world *world, int anchor)
{
    if (anchor < 0) {
        return -1;
    }
    const sn_anchor_def *def = &world->anchors.data[anchor].def;
    const sn_point *carrier = def->a.type == SN_POINT_NODES ? &def->b : &def->a;
    return carrier->type == SN_POINT_RIGID ? (int)carrier->rigid.index - 1 : -1;
}

// An end in the lists of its nodes.
static bool list_bonds(const sn_world *world, sn_exact_plan *plan, int index, int end)
{
    const sn_anchor_def *def = &world->anchors.data[index].def;
    const sn_point *point = end == 0 ? &def->a : &def->b;
    if (point->type != SN_POINT_NODES) {
        return true;
    }
    int first = world->deformables.data[point->deformable.index - 1].first_node;
    for (int i = 0; i < point->node_count; ++i) {
        int node = first + point->nodes[i], *bond_of = &plan->bond_of.data[node];
        int slot = plan->slot_of.data[node] - 1, root = slot >= 0 ? sn_plan_root(plan, slot) : -1;
        sn_soft_bond bond = {.anchor = index,
                             .end = end,
                             .node = node,
                             .next = *bond_of - 1,
                             .set = root,
                             .carrier = root >= 0 ? body_of(world, plan->slots.data[root].carrier) : -1};
        if (!sn_array_push(&plan->bonds, bond)) {
            return false;
        }
        *bond_of = plan->bonds.count;
    }
    return true;
}

static bool list_anchor(const sn_world *world, sn_exact_plan *plan, int index)
{
    const sn_anchor_def *def = &world->anchors.data[index].def;
    bool is_hard = def->compliance == 0.0f;
    int sliding = sn_anchor_sliding_end(def);
    bool slides = sliding >= 0 && (sliding == 0 ? def->b : def->a).type == SN_POINT_RIGID;
    bool hangs = is_hard && ((is_bound(&def->a) && def->b.type == SN_POINT_RIGID) ||
                             (is_bound(&def->b) && def->a.type == SN_POINT_RIGID));
    plan->exact_count += plan->holds.data[index] == SN_ANCHOR_EXACT ? 1 : 0;
    plan->instead_count += plan->holds.data[index] == SN_ANCHOR_ROWS_INSTEAD ? 1 : 0;
    return list_tie(world, plan, index) &&
           (plan->holds.data[index] == SN_ANCHOR_EXACT || sn_array_push(&plan->rows, index)) &&
           (def->break_force == INFINITY || sn_array_push(&plan->breakable, index)) &&
           (!hangs || sn_array_push(&plan->hangers, index)) &&
           (!slides || sn_array_push(&plan->sliding_bodies, index)) &&
           (!is_hard || (list_bonds(world, plan, index, 0) && list_bonds(world, plan, index, 1)));
}

static void clear(sn_exact_plan *plan)
{
    for (int i = 0; i < plan->bonds.count; ++i) {
        plan->bond_of.data[plan->bonds.data[i].node] = 0;
    }
    plan->ties.count = plan->rows.count = plan->breakable.count = plan->hangers.count = 0;
    plan->sliding_bodies.count = plan->bonds.count = 0;
    plan->exact_count = plan->instead_count = 0;
}

bool sn_plan_lists(const sn_world *world, sn_exact_plan *plan)
{
    clear(plan);
    bool ok = sn_array_resize(&plan->bond_of, world->nodes.states.count);
    for (int i = 0; ok && i < world->anchors.count; ++i) {
        ok = plan->holds.data[i] == SN_ANCHOR_OFF || list_anchor(world, plan, i);
    }
    return ok;
}
