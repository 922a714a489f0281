// Single nodes on nails, where there are no links that would have to know: handed to the solver as they are
// planned (solver/exact/exact_pins.c).
#include "world/exact/exact_plan.h"

bool sn_plan_is_pin(const sn_world *world, const sn_exact_plan *plan, const sn_exact_slot *root)
{
    if (root->size > 1 || root->parent_anchor < 0 || plan->links.count > 0) {
        return false;
    }
    const sn_constraint_common *def = &world->constraints.data[root->parent_anchor].definition.common;
    return def->a.type == SN_POINT_WORLD || def->b.type == SN_POINT_WORLD;
}

bool sn_plan_pin(const sn_world *world, sn_exact_plan *plan, const sn_exact_slot *root)
{
    const sn_constraint_data *data = &world->constraints.data[root->parent_anchor];
    bool is_b = data->definition.common.a.type == SN_POINT_WORLD;
    sn_exact_pin pin = {
        .node = root->node,
        .is_b = is_b,
        .place = data->nail,
        .displacement =
            sn_sub((is_b ? data->definition.common.a : data->definition.common.b).position, data->nail),
        .force = &world->constraint_forces.data[root->parent_anchor]};
    sn_exact_pin_origin origin = {root->parent_anchor, root->deformable};
    plan->pin_of.data[root->parent_anchor] = plan->pins.count;
    return sn_array_push(&plan->pins, pin) && sn_array_push(&plan->pin_origins, origin);
}

// Ways are rounded: what has gone one is put where it ends.
static void arrive(sn_world *world, int index)
{
    sn_exact_pin *pin = &world->exact->pins.data[index];
    sn_constraint_data *data = &world->constraints.data[world->exact->pin_origins.data[index].anchor];
    sn_node_state *state = &world->nodes.states.data[pin->node];
    data->nail = pin->place = (pin->is_b ? data->definition.common.a : data->definition.common.b).position;
    pin->displacement = sn_v(0.0f, 0.0f, 0.0f);
    state->position = state->inverse_mass > 0.0f ? pin->place : state->position;
}

float sn_world_finish_pins(sn_world *world)
{
    const sn_exact_plan *plan = world->exact;
    const sn_node_state *states = world->nodes.states.data;
    float worst = 0.0f;
    for (int i = 0; i < plan->pins.count; ++i) {
        const sn_exact_pin *pin = &plan->pins.data[i];
        if (sn_length_squared(pin->displacement) > 0.0f) {
            arrive(world, i);
        }
        worst = sn_max(worst, sn_length_squared(sn_sub(states[pin->node].position, pin->place)));
    }
    return worst;
}
