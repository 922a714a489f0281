// Sets of nodes that exact anchors make one point: their members, and what they are attached to.
#include "base/allocate.h"
#include "world/constraints/anchors.h"
#include "world/exact/exact_plan.h"

#include <math.h>
#include <string.h>

// --- what an anchor is -------------------------------------------------------------------------------------

// The node of a point that is one, all others having no weight, by the world's number; −1 for others.
static int node_of(const sn_world *world, const sn_point *point)
{
    int node = -1;
    for (int i = 0; point->type == SN_POINT_NODES && i < point->node_count; ++i) {
        if (point->weights[i] != 0.0f && (point->weights[i] != 1.0f || node >= 0)) {
            return -1;
        }
        node = point->weights[i] == 1.0f ? point->nodes[i] : node;
    }
    return node >= 0 ? world->deformables.data[point->deformable.index - 1].first_node + node : -1;
}

static bool has_nodes(const sn_point *point)
{
    return point->type == SN_POINT_NODES || point->type == SN_POINT_SURFACE;
}

static bool is_movable(const sn_world *world, const sn_point *point)
{
    return point->type == SN_POINT_RIGID && sn_body_is_dynamic(&world->bodies.data[point->rigid.index - 1]);
}

// --- slots -------------------------------------------------------------------------------------------------

int sn_plan_root(sn_exact_plan *plan, int slot)
{
    sn_exact_slot *slots = plan->slots.data;
    while (slots[slot].parent != slot) {
        slots[slot].parent = slots[slots[slot].parent].parent;
        slot = slots[slot].parent;
    }
    return slot;
}

// As the next step will see it, whoever wrote the inverse mass.
static bool node_is_fixed(const sn_world *world, int node)
{
    return !(world->nodes.states.data[node].inverse_mass > 0.0f && world->nodes.masses.data[node] > 0.0f);
}

int sn_plan_slot(const sn_world *world, sn_exact_plan *plan, int deformable, int node)
{
    if (plan->slot_of.data[node] > 0) {
        return plan->slot_of.data[node] - 1;
    }
    int slot = plan->slots.count;
    bool is_fixed = node_is_fixed(world, node);
    sn_exact_slot made = {.node = node,
                          .deformable = deformable,
                          .parent = slot,
                          .size = 1,
                          .parent_anchor = -1,
                          .top = slot,
                          .is_fixed = is_fixed,
                          .is_held = is_fixed,
                          .system = -1,
                          .first_branch = -1,
                          .member = -1};
    if (!sn_array_push(&plan->slots, made)) {
        return -1;
    }
    plan->slot_of.data[node] = slot + 1;
    return slot;
}

// --- candidates --------------------------------------------------------------------------------------------

static bool push_candidate(const sn_world *world, sn_exact_plan *plan, int index, const int *nodes)
{
    const sn_constraint_common *def = &world->constraints.data[index].definition.common;
    const sn_point *points[2] = {&def->a, &def->b};
    sn_exact_candidate candidate = {.anchor = index, .slots = {-1, -1}};
    for (int end = 0; end < 2; ++end) {
        if (nodes[end] >= 0) {
            candidate.slots[end] =
                sn_plan_slot(world, plan, (int)points[end]->deformable.index - 1, nodes[end]);
            if (candidate.slots[end] < 0) {
                return false;
            }
        }
    }
    if (nodes[0] >= 0 && nodes[1] >= 0) {
        return sn_array_push(&plan->joins, candidate);
    }
    return is_movable(world, nodes[0] < 0 ? &def->a : &def->b)
               ? sn_array_push(&plan->attachments_to_bodies, candidate)
               : sn_array_push(&plan->nails, candidate);
}

// Sorts an anchor by what it may become. False without memory.
static bool consider(const sn_world *world, sn_exact_plan *plan, int index)
{
    const sn_constraint_common *def = &world->constraints.data[index].definition.common;
    plan->holds.data[index] = SN_CONSTRAINT_OFF;
    plan->attachment_of.data[index] = plan->link_of.data[index] = -1;
    if (!sn_id_pool_in_use(&world->constraint_ids, index) || !sn_constraint_holds(world, index)) {
        return true;
    }
    plan->holds.data[index] = def->exact ? SN_CONSTRAINT_ROWS_INSTEAD : SN_CONSTRAINT_ROWS;
    if (!def->exact || (!has_nodes(&def->a) && !has_nodes(&def->b))) {
        return true;
    }
    bool is_ramped = world->constraints.data[index].ramp_done < def->ramp_steps && def->ramp_steps > 1;
    if (is_ramped && !sn_array_push(&plan->ramps, index)) {
        return false;
    }
    int nodes[2] = {node_of(world, &def->a), node_of(world, &def->b)};
    bool is_sum = (has_nodes(&def->a) && nodes[0] < 0) || (has_nodes(&def->b) && nodes[1] < 0);
    return is_sum || is_ramped ? sn_array_push(&plan->candidates, index)
                               : push_candidate(world, plan, index, nodes);
}

// When the next anchor's time begins or ends.
static void expect(const sn_world *world, sn_exact_plan *plan, int index)
{
    const sn_constraint_common *def = &world->constraints.data[index].definition.common;
    double times[2] = {def->active_from, def->active_until};
    for (int i = 0; i < 2; ++i) {
        if (def->active && times[i] > world->time && times[i] < plan->until) {
            plan->until = times[i];
        }
    }
}

static bool consider_all(const sn_world *world, sn_exact_plan *plan)
{
    plan->until = (double)INFINITY;
    for (int i = 0; i < world->constraints.count; ++i) {
        if (!consider(world, plan, i)) {
            return false;
        }
        if (sn_id_pool_in_use(&world->constraint_ids, i)) {
            expect(world, plan, i);
        }
    }
    return true;
}

// --- merging -----------------------------------------------------------------------------------------------

// Attaches the set of an anchor's node, unless something holds it already. False if so.
static bool attach(sn_exact_plan *plan, const sn_exact_candidate *candidate, bool is_on_body)
{
    int slot = candidate->slots[0] >= 0 ? candidate->slots[0] : candidate->slots[1];
    sn_exact_slot *root = &plan->slots.data[sn_plan_root(plan, slot)];
    if (root->is_held) {
        return false;
    }
    root->is_held = true;
    root->is_on_body = is_on_body;
    root->parent_anchor = candidate->anchor;
    root->top = slot;
    plan->holds.data[candidate->anchor] = SN_CONSTRAINT_EXACT;
    return true;
}

static void attach_to_body(const sn_world *world, sn_exact_plan *plan, const sn_exact_candidate *candidate)
{
    const sn_constraint_common *def = &world->constraints.data[candidate->anchor].definition.common;
    const sn_point *parent = def->a.type == SN_POINT_RIGID ? &def->a : &def->b;
    if (attach(plan, candidate, true)) {
        plan->system_of.data[parent->rigid.index - 1] = 1;
    }
}

static bool add_branch(sn_exact_plan *plan, int from, const sn_exact_candidate *candidate, int end)
{
    sn_exact_branch branch = {.anchor = candidate->anchor,
                              .slot = candidate->slots[end],
                              .next = plan->slots.data[from].first_branch,
                              .end = end == 1 ? candidate->anchor : SN_EXACT_A(candidate->anchor)};
    plan->slots.data[from].first_branch = plan->branches.count;
    return sn_array_push(&plan->branches, branch);
}

// The larger becomes the root, so that trees stay low; of equals the one that came first.
static bool join(sn_exact_plan *plan, const sn_exact_candidate *candidate)
{
    int a = sn_plan_root(plan, candidate->slots[0]), b = sn_plan_root(plan, candidate->slots[1]);
    sn_exact_slot *slots = plan->slots.data;
    if (a != b && slots[a].is_held && slots[b].is_held) {
        return true;
    }
    plan->holds.data[candidate->anchor] = SN_CONSTRAINT_EXACT;
    if (a == b) {
        return true; // others hold these two already
    }
    int root = slots[a].size > slots[b].size || (slots[a].size == slots[b].size && a < b) ? a : b;
    int leaf = root == a ? b : a;
    if (slots[leaf].is_held) {
        slots[root].is_held = true;
        slots[root].parent_anchor = slots[leaf].parent_anchor;
        slots[root].top = slots[leaf].top;
    }
    slots[leaf].parent = root;
    slots[root].size += slots[leaf].size;
    return add_branch(plan, candidate->slots[0], candidate, 1) &&
           add_branch(plan, candidate->slots[1], candidate, 0);
}

static bool merge(const sn_world *world, sn_exact_plan *plan)
{
    for (int i = 0; i < plan->nails.count; ++i) {
        (void)attach(plan, &plan->nails.data[i], false);
    }
    for (int i = 0; i < plan->joins.count; ++i) {
        if (!join(plan, &plan->joins.data[i])) {
            return false;
        }
    }
    for (int i = 0; i < plan->attachments_to_bodies.count; ++i) {
        attach_to_body(world, plan, &plan->attachments_to_bodies.data[i]);
    }
    return true;
}

// --- sets --------------------------------------------------------------------------------------------------

// Appends the slots beyond one of the set that begins at `first`.
static bool add_beyond(sn_exact_plan *plan, int slot, int first)
{
    for (int i = plan->slots.data[slot].first_branch; i >= 0; i = plan->branches.data[i].next) {
        const sn_exact_branch *branch = &plan->branches.data[i];
        sn_exact_slot *beyond = &plan->slots.data[branch->slot];
        if (beyond->member >= 0) {
            continue;
        }
        beyond->member = plan->members.count - first;
        sn_exact_member member = {
            .node = beyond->node, .parent = plan->slots.data[slot].member, .end = branch->end};
        if (!sn_array_push(&plan->members, member)) {
            return false;
        }
    }
    return true;
}

// The point that a root is attached to; null for none.
static const sn_point *parent_of(const sn_world *world, const sn_exact_slot *root)
{
    if (root->parent_anchor < 0) {
        return NULL;
    }
    const sn_constraint_common *def = &world->constraints.data[root->parent_anchor].definition.common;
    return def->a.type == SN_POINT_NODES ? &def->b : &def->a;
}

// Points of bodies are filled in before every step.
static bool add_attachment(const sn_world *world, sn_exact_plan *plan, const sn_exact_slot *root)
{
    const sn_constraint_data *data = &world->constraints.data[root->parent_anchor];
    const sn_point *parent = parent_of(world, root);
    bool is_b = parent == &data->definition.common.a;
    sn_exact_attachment made = {.end = is_b ? root->parent_anchor : SN_EXACT_A(root->parent_anchor)};
    if (parent->type == SN_POINT_WORLD) {
        made.place = data->nail;
        made.displacement = sn_sub(parent->position, data->nail);
    }
    plan->attachment_of.data[root->parent_anchor] = plan->attachments.count;
    return sn_array_push(&plan->attachments, made);
}

// The set of a root, its tree breadth first.
static bool add_set(const sn_world *world, sn_exact_plan *plan, sn_exact_slot *root)
{
    sn_exact_slot *top = &plan->slots.data[root->top];
    sn_exact_member first = {.node = top->node, .parent = -1};
    sn_exact_set set = {.first = plan->members.count,
                        .count = root->size,
                        .attachment = top->is_fixed ? SN_EXACT_FIXED : SN_EXACT_FREE,
                        .deformable = top->deformable};
    if (root->parent_anchor >= 0) {
        set.attachment = plan->attachments.count;
        if (!add_attachment(world, plan, root)) {
            return false;
        }
    }
    top->member = 0;
    if (!sn_array_push(&plan->members, first)) {
        return false;
    }
    for (int i = set.first; i < plan->members.count; ++i) {
        if (!add_beyond(plan, plan->slot_of.data[plan->members.data[i].node] - 1, set.first)) {
            return false;
        }
    }
    return sn_array_push(&plan->sets, set);
}

// In which order sets come: on bodies, on places, any others, free pairs. −1 for what is no set.
static int rank_of(const sn_world *world, const sn_exact_plan *plan, int slot)
{
    const sn_exact_slot *root = &plan->slots.data[slot];
    const sn_point *parent = parent_of(world, root);
    if (root->parent != slot || (root->size == 1 && parent == NULL)) {
        return -1;
    }
    if (parent != NULL) {
        return parent->type == SN_POINT_RIGID ? 0 : 1;
    }
    return root->size == 2 && !root->is_held ? 3 : 2;
}

static bool add_sets(const sn_world *world, sn_exact_plan *plan)
{
    for (int rank = 0; rank < 4; ++rank) {
        plan->pair_begin = plan->sets.count;
        for (int i = 0; i < plan->slots.count; ++i) {
            if (rank_of(world, plan, i) == rank && !add_set(world, plan, &plan->slots.data[i])) {
                return false;
            }
        }
        plan->attached_count = rank == 0 ? plan->sets.count : plan->attached_count;
    }
    return true;
}

// --- the whole ---------------------------------------------------------------------------------------------

static bool begin(const sn_world *world, sn_exact_plan *plan)
{
    plan->sets.count = plan->attachments.count = plan->members.count = plan->candidates.count = 0;
    plan->slots.count = plan->branches.count = plan->systems.count = plan->ramps.count = 0;
    plan->nails.count = plan->joins.count = plan->attachments_to_bodies.count = 0;
    if (!sn_array_resize(&plan->slot_of, world->nodes.states.count) ||
        !sn_array_resize(&plan->holds, world->constraints.count) ||
        !sn_array_resize(&plan->attachment_of, world->constraints.count) ||
        !sn_array_resize(&plan->link_of, world->constraints.count) ||
        !sn_array_resize(&plan->is_slid, world->deformables.count) ||
        !sn_array_resize(&plan->system_of, world->bodies.count)) {
        return false;
    }
    memset(plan->system_of.data, 0, (size_t)plan->system_of.count * sizeof *plan->system_of.data);
    for (int i = 0; i < plan->is_slid.count; ++i) {
        plan->is_slid.data[i] = 0;
    }
    return true;
}

bool sn_world_plan_is_fresh(const sn_world *world)
{
    return world->exact->is_fresh && world->time < world->exact->until;
}

// Whether nodes that were written are fixed, or not, as they were.
static void look_at_nodes(const sn_world *world, sn_exact_plan *plan)
{
    for (int i = 0; plan->is_edited && plan->is_fresh && i < plan->slots.count; ++i) {
        plan->is_fresh = plan->slots.data[i].is_fixed == node_is_fixed(world, plan->slots.data[i].node);
    }
    plan->is_edited = false;
}

bool sn_world_plan_exact(const sn_world *world)
{
    sn_exact_plan *plan = world->exact;
    look_at_nodes(world, plan);
    if (sn_world_plan_is_fresh(world)) {
        return true;
    }
    plan->is_fresh = begin(world, plan) && consider_all(world, plan) && merge(world, plan) &&
                     sn_plan_systems(world, plan) && sn_plan_links(world, plan) && add_sets(world, plan) &&
                     sn_plan_lists(world, plan);
    for (int i = 0; i < plan->slots.count; ++i) {
        plan->slot_of.data[plan->slots.data[i].node] = 0;
    }
    return plan->is_fresh;
}

void sn_world_forget_exact(sn_world *world)
{
    world->exact->is_fresh = false;
}

// All arrays of a plan.
#define EACH_ARRAY(DO)                                                                                       \
    DO(holds);                                                                                               \
    DO(attachment_of);                                                                                       \
    DO(hangers);                                                                                             \
    DO(sliding_bodies);                                                                                      \
    DO(exclusions);                                                                                          \
    DO(exclusion_of);                                                                                        \
    DO(covered);                                                                                             \
    DO(candidates);                                                                                          \
    DO(sets);                                                                                                \
    DO(attachments);                                                                                         \
    DO(members);                                                                                             \
    DO(sums);                                                                                                \
    DO(terms);                                                                                               \
    DO(links);                                                                                               \
    DO(updated);                                                                                             \
    DO(link_of);                                                                                             \
    DO(is_slid);                                                                                             \
    DO(ramps);                                                                                               \
    DO(slot_of);                                                                                             \
    DO(slots);                                                                                               \
    DO(branches);                                                                                            \
    DO(nails);                                                                                               \
    DO(joins);                                                                                               \
    DO(attachments_to_bodies);                                                                               \
    DO(systems);                                                                                             \
    DO(system_of)

size_t sn_world_exact_bytes(const sn_world *world)
{
    const sn_exact_plan *plan = world->exact;
    size_t bytes = sizeof *plan;
#define ADD_BYTES(array) (bytes += (size_t)plan->array.capacity * sizeof *plan->array.data)
    EACH_ARRAY(ADD_BYTES);
    return bytes;
}

void sn_world_release_exact(sn_world *world)
{
    sn_exact_plan *plan = world->exact;
    if (plan == NULL) {
        return;
    }
#define RELEASE(array) sn_array_release(&plan->array)
    EACH_ARRAY(RELEASE);
    sn_release(plan, sizeof *plan);
    world->exact = NULL;
}
