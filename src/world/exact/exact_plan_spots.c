// Links that are one node on a weighted sum of others, where none of them has a part in anything else that is
// exact: most links. They are handed to the solver as they are planned (solver/exact/exact_spots.c).
#include "world/exact/exact_plan.h"

// The one node of a point that is one; −1 for others. `point` has nodes.
static int only_node(const sn_point *point)
{
    for (int i = 0; i < point->node_count; ++i) {
        if (point->weights[i] == 1.0f) {
            return point->nodes[i];
        }
    }
    return -1;
}

// Whether the nodes of a point are free, in no set, in no other link, and nothing can come sliding there.
static bool is_clear(const sn_world *world, sn_exact_plan *plan, const sn_point *point)
{
    int deformable = (int)point->deformable.index - 1;
    if (point->type != SN_POINT_NODES || plan->is_slid.data[deformable]) {
        return false;
    }
    for (int i = 0; i < point->node_count; ++i) {
        int slot = plan->slot_of.data[world->deformables.data[deformable].first_node + point->nodes[i]] - 1;
        if (point->weights[i] == 0.0f) {
            continue;
        }
        const sn_exact_slot *root = &plan->slots.data[sn_plan_root(plan, slot)];
        if (root->size > 1 || root->is_held || sn_plan_system_size(plan, root->system) > 1) {
            return false;
        }
    }
    return true;
}

// Whether a node is there twice.
static bool has_twins(const sn_exact_spot *spot)
{
    for (int i = 0; i < spot->count; ++i) {
        for (int k = 0; k < i; ++k) {
            if (spot->nodes[i] == spot->nodes[k]) {
                return true;
            }
        }
        if (spot->nodes[i] == spot->node) {
            return true;
        }
    }
    return false;
}

// The spot that a link is; false if it is something else.
static bool make_spot(const sn_world *world, sn_exact_plan *plan, int anchor, sn_exact_spot *spot)
{
    const sn_constraint_data *data = &world->constraints.data[anchor];
    const sn_constraint_common *def = &data->definition.common;
    bool is_ramped = def->ramp_steps > 1 && data->ramp_done < def->ramp_steps;
    if (is_ramped || !is_clear(world, plan, &def->a) || !is_clear(world, plan, &def->b)) {
        return false;
    }
    bool is_b = only_node(&def->b) >= 0;
    const sn_point *one = is_b ? &def->b : &def->a, *sum = is_b ? &def->a : &def->b;
    if (only_node(one) < 0) {
        return false;
    }
    const sn_deformable_data *deformables = world->deformables.data;
    *spot = (sn_exact_spot){.node = deformables[one->deformable.index - 1].first_node + only_node(one),
                            .anchor = anchor,
                            .is_b = is_b};
    for (int i = 0; i < sum->node_count; ++i) {
        if (sum->weights[i] != 0.0f) {
            spot->nodes[spot->count] = deformables[sum->deformable.index - 1].first_node + sum->nodes[i];
            spot->weights[spot->count++] = sum->weights[i];
        }
    }
    return !has_twins(spot);
}

bool sn_plan_spots(const sn_world *world, sn_exact_plan *plan)
{
    int kept = 0;
    for (int i = 0; i < plan->links.count; ++i) {
        int anchor = plan->links.data[i];
        const sn_point *point = &world->constraints.data[anchor].definition.common.a;
        sn_exact_spot spot;
        if (!make_spot(world, plan, anchor, &spot)) {
            plan->links.data[kept++] = anchor;
        } else if (!sn_array_push(&plan->spots, spot) ||
                   !sn_array_push(&plan->spot_owners, (int)point->deformable.index - 1)) {
            return false;
        }
    }
    plan->links.count = kept;
    return true;
}
