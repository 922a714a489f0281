// Links of exact anchors that are solved together because they share what they move (exact.h). Decided in the
// order of anchors: a link that would make a system too large, or that pulls at what something else holds
// already, is left to rows. Ends on surfaces move from node to node: the solver sees in every sub-step what
// those share.
#include "world/exact.h"

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
        reach->is_taken = reach->is_taken || root->is_ridden;
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

// One system of all that are reached and the link itself.
static bool unite(sn_exact_plan *plan, const reach *reach)
{
    int system = reach->system_count > 0 ? reach->systems[0] : plan->systems.count;
    sn_exact_system made = {.parent = system};
    if (reach->system_count == 0 && !sn_array_push(&plan->systems, made)) {
        return false;
    }
    for (int i = 1; i < reach->system_count; ++i) {
        plan->systems.data[reach->systems[i]].parent = system;
    }
    plan->systems.data[system].count = reach->link_count + 1;
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
    for (int i = 0; i < plan->links.count; ++i) {
        int anchor = plan->links.data[i];
        const sn_anchor_def *def = &world->anchors.data[anchor].def;
        reach reach = {0};
        if (!reach_end(world, plan, &def->a, &reach) || !reach_end(world, plan, &def->b, &reach)) {
            return false;
        }
        if (!reach.moves || reach.is_taken || reach.link_count >= SN_EXACT_SYSTEM) {
            continue;
        }
        if (!unite(plan, &reach)) {
            return false;
        }
        int sliding = sn_anchor_sliding_end(def);
        if (sliding >= 0) {
            plan->is_slid.data[(sliding == 0 ? def->a : def->b).deformable.index - 1] = 1;
        }
        plan->holds.data[anchor] = SN_ANCHOR_EXACT;
        plan->links.data[kept++] = anchor;
    }
    plan->links.count = kept;
    return true;
}
