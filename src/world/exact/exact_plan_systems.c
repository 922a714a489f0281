// Which candidates can be links or sums: groups those that share what they move, by union–find. Decided in
// the order of anchors: a link that would make a group too large, or that pulls at what something else holds
// already, is left to rows. Ends on surfaces go from node to node: the solver finds in every sub-step what
// those share. Tested by tests/world/exact/test_exact_plan_sets.c.
#include "world/exact/exact_plan.h"

// What a link moves.
typedef struct reach {
    int slots[8], slot_count; // roots
    int bodies[2], body_count;
    int systems[10], system_count; // roots, each once
    int link_count;                // of all these systems
    bool moves;                    // there is something it can move
    bool is_taken;                 // or something that others move
} reach;

static int root_of(sn_exact_plan *plan, int system)
{
    sn_exact_system *systems = plan->systems.data;
    while (systems[system].parent != system) {
        systems[system].parent = systems[systems[system].parent].parent;
        system = systems[system].parent;
    }
    return system;
}

int sn_plan_system_size(sn_exact_plan *plan, int system)
{
    return system < 0 ? 0 : plan->systems.data[root_of(plan, system)].count;
}

static void reach_system(sn_exact_plan *plan, int system, reach *reach)
{
    if (system < 0) {
        return;
    }
    system = root_of(plan, system);
    for (int i = 0; i < reach->system_count; ++i) {
        if (reach->systems[i] == system) {
            return;
        }
    }
    reach->systems[reach->system_count++] = system;
    reach->link_count += plan->systems.data[system].count;
}

static bool reach_nodes(const sn_world *world, sn_exact_plan *plan, const sn_point *point, reach *reach)
{
    int deformable = (int)point->deformable.index - 1;
    for (int i = 0; i < point->node_count; ++i) {
        if (point->weights[i] == 0.0f) {
            continue;
        }
        int node = world->deformables.data[deformable].first_node + point->nodes[i];
        int slot = sn_plan_slot(world, plan, deformable, node);
        if (slot < 0) {
            return false;
        }
        slot = sn_plan_root(plan, slot);
        const sn_exact_slot *root = &plan->slots.data[slot];
        reach->is_taken = reach->is_taken || root->is_on_body;
        if (!root->is_held) {
            reach->moves = true;
            reach->slots[reach->slot_count++] = slot;
            reach_system(plan, root->system, reach);
        }
    }
    return true;
}

static void reach_body(const sn_world *world, sn_exact_plan *plan, const sn_point *point, reach *reach)
{
    int body = (int)point->rigid.index - 1, system = plan->system_of.data[body];
    if (sn_body_is_dynamic(&world->bodies.data[body])) {
        reach->moves = true;
        reach->is_taken = reach->is_taken || system == 1;
        reach->bodies[reach->body_count++] = body;
        reach_system(plan, system - 2, reach);
    }
}

static bool reach_end(const sn_world *world, sn_exact_plan *plan, const sn_point *point, reach *reach)
{
    switch (point->type) {
    case SN_POINT_NODES:
        return reach_nodes(world, plan, point, reach);
    case SN_POINT_RIGID:
        reach_body(world, plan, point, reach);
        return true;
    case SN_POINT_SURFACE:
        reach->moves = true;
        return true;
    default:
        return true;
    }
}

// --- contradictions ----------------------------------------------------------------------------------------

// The gradient of a link's error: its weights by what it moves. A body or a surface counts as something that
// no other link depends on.
typedef struct gradient {
    int units[9], count; // slots; minus one minus the anchor for a body or a surface
    float weights[9];
} gradient;

static void add_weight(gradient *gradient, int unit, float weight)
{
    for (int i = 0; i < gradient->count; ++i) {
        if (gradient->units[i] == unit) {
            gradient->weights[i] += weight;
            return;
        }
    }
    gradient->units[gradient->count] = unit;
    gradient->weights[gradient->count++] = weight;
}

static gradient gradient_of(const sn_world *world, sn_exact_plan *plan, int anchor)
{
    const sn_constraint_common *def = &world->constraints.data[anchor].definition.common;
    gradient gradient = {.count = 0};
    for (int end = 0; end < 2; ++end) {
        const sn_point *point = end == 0 ? &def->a : &def->b;
        bool is_own = point->type == SN_POINT_SURFACE ||
                      (point->type == SN_POINT_RIGID &&
                       sn_body_is_dynamic(&world->bodies.data[point->rigid.index - 1]));
        if (is_own) {
            add_weight(&gradient, -1 - anchor, 1.0f);
        }
        for (int i = 0; point->type == SN_POINT_NODES && i < point->node_count; ++i) {
            int first = world->deformables.data[point->deformable.index - 1].first_node;
            int slot = plan->slot_of.data[first + point->nodes[i]] - 1;
            slot = slot >= 0 ? sn_plan_root(plan, slot) : -1;
            if (slot >= 0 && !plan->slots.data[slot].is_held) {
                add_weight(&gradient, slot, end == 0 ? -point->weights[i] : point->weights[i]);
            }
        }
    }
    return gradient;
}

static float product(const gradient *a, const gradient *b)
{
    float sum = 0.0f;
    for (int i = 0; i < a->count; ++i) {
        for (int k = 0; k < b->count; ++k) {
            sum += a->units[i] == b->units[k] ? a->weights[i] * b->weights[k] : 0.0f;
        }
    }
    return sum;
}

// The least square of the sine of the angle between a link and the others of its system.
#define LEAST_INDEPENDENCE 0.01f

// Whether the last of these is not a combination of those before it: the last pivot of their products.
static bool is_independent(const gradient *gradients, int count)
{
    float l[SN_EXACT_SYSTEM][SN_EXACT_SYSTEM], pivots[SN_EXACT_SYSTEM] = {0.0f};
    for (int i = 0; i < count; ++i) {
        pivots[i] = product(&gradients[i], &gradients[i]);
        for (int k = 0; k < i; ++k) {
            float sum = product(&gradients[i], &gradients[k]);
            for (int m = 0; m < k; ++m) {
                sum -= l[i][m] * l[k][m] * pivots[m];
            }
            l[i][k] = sum / pivots[k];
            pivots[i] -= l[i][k] * l[i][k] * pivots[k];
        }
    }
    float whole = product(&gradients[count - 1], &gradients[count - 1]);
    return pivots[count - 1] > LEAST_INDEPENDENCE * sn_max(whole, LEAST_INDEPENDENCE);
}

static bool can_be_met(const sn_world *world, sn_exact_plan *plan, const reach *reach, int anchor)
{
    gradient gradients[SN_EXACT_SYSTEM];
    int count = 0;
    for (int i = 0; i < reach->system_count; ++i) {
        const sn_exact_system *system = &plan->systems.data[reach->systems[i]];
        for (int k = 0; k < system->count; ++k) {
            gradients[count++] = gradient_of(world, plan, system->anchors[k]);
        }
    }
    gradients[count++] = gradient_of(world, plan, anchor);
    return is_independent(gradients, count);
}

// --- the whole ---------------------------------------------------------------------------------------------

// One system of all that are reached and the link itself.
static bool unite(sn_exact_plan *plan, const reach *reach, int anchor)
{
    int system = reach->system_count > 0 ? reach->systems[0] : plan->systems.count;
    sn_exact_system made = {.parent = system};
    if (reach->system_count == 0 && !sn_array_push(&plan->systems, made)) {
        return false;
    }
    sn_exact_system *whole = &plan->systems.data[system];
    for (int i = 1; i < reach->system_count; ++i) {
        sn_exact_system *part = &plan->systems.data[reach->systems[i]];
        part->parent = system;
        for (int k = 0; k < part->count; ++k) {
            whole->anchors[whole->count++] = part->anchors[k];
        }
    }
    whole->anchors[whole->count++] = anchor;
    for (int i = 0; i < reach->slot_count; ++i) {
        plan->slots.data[reach->slots[i]].system = system;
    }
    for (int i = 0; i < reach->body_count; ++i) {
        plan->system_of.data[reach->bodies[i]] = system + 2;
    }
    return true;
}

bool sn_plan_systems(const sn_world *world, sn_exact_plan *plan)
{
    int kept = 0;
    for (int i = 0; i < plan->candidates.count; ++i) {
        int anchor = plan->candidates.data[i];
        const sn_constraint_common *def = &world->constraints.data[anchor].definition.common;
        reach reach = {0};
        if (!reach_end(world, plan, &def->a, &reach) || !reach_end(world, plan, &def->b, &reach)) {
            return false;
        }
        if (!reach.moves || reach.is_taken || reach.link_count >= SN_EXACT_SYSTEM ||
            !can_be_met(world, plan, &reach, anchor)) {
            continue;
        }
        if (!unite(plan, &reach, anchor)) {
            return false;
        }
        int sliding = sn_anchor_sliding_end(def);
        if (sliding >= 0) {
            plan->is_slid.data[(sliding == 0 ? def->a : def->b).deformable.index - 1] = 1;
        }
        plan->holds.data[anchor] = SN_CONSTRAINT_EXACT;
        plan->candidates.data[kept++] = anchor;
    }
    plan->candidates.count = kept;
    return true;
}
