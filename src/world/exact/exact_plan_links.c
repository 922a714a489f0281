// Sums and links of exact anchors, as the solver gets them: filled in when they are planned. Only links that
// have a ramp, or an end on a body or on a surface, are updated before every step. Tested by
// tests/world/exact/test_exact_plan.c and test_exact_plan_sets.c.
#include "world/constraints/anchors.h"
#include "world/exact/exact_plan.h"

// --- planning ----------------------------------------------------------------------------------------------

static bool is_on_ramp(const sn_constraint_data *data)
{
    int steps = data->definition.common.ramp_steps;
    return steps > 1 && data->ramp_done < steps;
}

// Whether nothing else that is exact holds the nodes of an end, nor can come sliding there.
static bool is_clear(const sn_world *world, sn_exact_plan *plan, const sn_point *point)
{
    if (point->type != SN_POINT_NODES) {
        return false;
    }
    int deformable = (int)point->deformable.index - 1;
    for (int i = 0; i < point->node_count; ++i) {
        int node = world->deformables.data[deformable].first_node + point->nodes[i];
        if (point->weights[i] != 0.0f) {
            const sn_exact_slot *root = &plan->slots.data[sn_plan_root(plan, plan->slot_of.data[node] - 1)];
            if (root->size > 1 || root->is_held || sn_plan_system_size(plan, root->system) > 1) {
                return false;
            }
        }
    }
    return !plan->is_slid.data[deformable];
}

// Nodes without weight take no part.
static sn_exact_end end_of_nodes(const sn_world *world, const sn_point *point)
{
    sn_exact_end end = {0};
    for (int i = 0; i < point->node_count; ++i) {
        if (point->weights[i] != 0.0f) {
            end.nodes[end.node_count] =
                world->deformables.data[point->deformable.index - 1].first_node + point->nodes[i];
            end.weights[end.node_count++] = point->weights[i];
        }
    }
    return end;
}

// Bodies and points on surfaces are filled in before every step.
static sn_exact_link fill_link(const sn_world *world, int anchor)
{
    sn_constraint_data *data = &world->constraints.data[anchor];
    const sn_point *points[2] = {&data->definition.common.a, &data->definition.common.b};
    sn_exact_link link = {.share = 1.0f,
                          .sliding = sn_anchor_sliding_end(&data->definition.common),
                          .friction = data->definition.common.sliding_friction,
                          .closest = &data->closest,
                          .anchor = anchor};
    for (int end = 0; end < 2; ++end) {
        if (points[end]->type == SN_POINT_WORLD) {
            link.ends[end].place = data->nail;
            link.displacement = sn_sub(points[end]->position, data->nail);
        } else if (points[end]->type != SN_POINT_RIGID) {
            link.deformable = (int)points[end]->deformable.index - 1;
            link.ends[end] = end_of_nodes(world, points[end]);
        }
    }
    if (link.sliding >= 0) {
        int deformable = (int)points[link.sliding]->deformable.index - 1;
        link.surface = world->deformables.data[deformable].slide;
        link.first_node = world->deformables.data[deformable].first_node;
    }
    return link;
}

// The terms of an anchor between nodes, those of its b positive; an end that is one node comes first. Returns
// how many; 0 if a node is there twice.
static int list_terms(const sn_exact_link *link, sn_exact_term terms[8])
{
    int count = 0, first_end = link->ends[1].node_count == 1 ? 1 : 0;
    for (int i = 0; i < 8; ++i) {
        int side = i < 4 ? first_end : 1 - first_end;
        const sn_exact_end *end = &link->ends[side];
        if (i % 4 >= end->node_count) {
            continue;
        }
        int node = end->nodes[i % 4];
        for (int k = 0; k < count; ++k) {
            if (terms[k].node == node) {
                return 0;
            }
        }
        terms[count++] = (sn_exact_term){node, side == 0 ? -end->weights[i % 4] : end->weights[i % 4]};
    }
    return count;
}

// Adds the sum that an anchor is, if it is no more than that. False without memory.
static bool add_sum(const sn_world *world, sn_exact_plan *plan, const sn_exact_link *link, bool *is_sum)
{
    const sn_constraint_data *data = &world->constraints.data[link->anchor];
    const sn_constraint_common *def = &data->definition.common;
    sn_exact_term terms[8];
    int count = 0;
    if (!is_on_ramp(data) && is_clear(world, plan, &def->a) && is_clear(world, plan, &def->b)) {
        count = list_terms(link, terms);
    }
    *is_sum = count > 0;
    sn_exact_sum sum = {.first = plan->terms.count,
                        .count = count,
                        .split = link->ends[1].node_count == 1 ? 1 : link->ends[0].node_count,
                        .anchor = link->anchor,
                        .deformable = link->deformable};
    for (int i = 0; i < count; ++i) {
        if (!sn_array_push(&plan->terms, terms[i])) {
            return false;
        }
    }
    return count == 0 || sn_array_push(&plan->sums, sum);
}

static bool is_updated(const sn_constraint_data *data)
{
    const sn_constraint_common *def = &data->definition.common;
    return def->ramp_steps > 1 || sn_anchor_sliding_end(def) >= 0 || def->a.type == SN_POINT_RIGID ||
           def->b.type == SN_POINT_RIGID;
}

bool sn_plan_links(const sn_world *world, sn_exact_plan *plan)
{
    plan->sums.count = plan->terms.count = plan->links.count = plan->updated.count = 0;
    for (int i = 0; i < plan->candidates.count; ++i) {
        int anchor = plan->candidates.data[i];
        sn_exact_link link = fill_link(world, anchor);
        bool is_sum;
        if (!add_sum(world, plan, &link, &is_sum)) {
            return false;
        }
        if (is_sum) {
            continue;
        }
        plan->link_of.data[anchor] = plan->links.count;
        if ((is_updated(&world->constraints.data[anchor]) &&
             !sn_array_push(&plan->updated, plan->links.count)) ||
            !sn_array_push(&plan->links, link)) {
            return false;
        }
    }
    return true;
}

// --- before a step -----------------------------------------------------------------------------------------

// Step j of n takes away j/n of the error, a part of it in each sub-step; the last one takes away all.
static void load_ramp(const sn_constraint_data *data, int sub_steps, sn_exact_link *link)
{
    float steps = (float)data->definition.common.ramp_steps, count = (float)sub_steps;
    bool is_last = data->ramp_done + 1 >= data->definition.common.ramp_steps;
    link->share = 1.0f;
    link->growth = 0.0f;
    if (is_on_ramp(data)) {
        // By a little more than its part, so that rounding does not keep it from all; it ends there.
        link->growth = is_last ? 1.00001f / count : 1.0f / (steps * count * count);
        link->share = is_last ? 1.0f / count : (float)data->ramp_done / (steps * count) + link->growth;
    }
}

static void load_link(const sn_world *world, const int *number, int sub_steps, sn_exact_link *link)
{
    const sn_constraint_data *data = &world->constraints.data[link->anchor];
    const sn_point *points[2] = {&data->definition.common.a, &data->definition.common.b};
    load_ramp(data, sub_steps, link);
    for (int end = 0; end < 2; ++end) {
        if (points[end]->type == SN_POINT_RIGID) {
            int body = (int)points[end]->rigid.index - 1;
            link->ends[end].body = number[body];
            link->ends[end].place = number[body] > 0
                                        ? sn_sub(points[end]->position, world->bodies.data[body].local_center)
                                        : sn_point_now(world, points[end]);
        } else if (end == link->sliding) {
            link->ends[end] = end_of_nodes(world, points[end]);
        }
    }
}

static bool is_awake(const sn_world *world, int deformable)
{
    return !sn_deformable_sleeps(&world->deformables.data[deformable]);
}

// Copies the sums and links that are awake. False without memory.
static bool load_awake(sn_world *world, const int *number, sn_exact_stage *stage)
{
    const sn_exact_plan *plan = world->exact;
    sn_exact_sum *sums = sn_arena_take(&world->arena, (size_t)plan->sums.count, sizeof *sums);
    stage->links = sn_arena_take(&world->arena, (size_t)plan->links.count, sizeof *stage->links);
    stage->sums = sums;
    stage->sum_count = stage->link_count = 0;
    for (int i = 0; sums != NULL && i < plan->sums.count; ++i) {
        if (is_awake(world, plan->sums.data[i].deformable)) {
            sums[stage->sum_count++] = plan->sums.data[i];
        }
    }
    for (int i = 0; stage->links != NULL && i < plan->links.count; ++i) {
        if (sn_anchor_takes_part(world, plan->links.data[i].anchor, number)) {
            stage->links[stage->link_count++] = plan->links.data[i];
        }
    }
    return sums != NULL && stage->links != NULL;
}

bool sn_world_load_links(sn_world *world, const int *number, int sub_steps, bool all_awake,
                         sn_exact_stage *stage)
{
    sn_exact_plan *plan = world->exact;
    for (int i = 0; i < plan->updated.count; ++i) {
        load_link(world, number, sub_steps, &plan->links.data[plan->updated.data[i]]);
    }
    stage->sums = plan->sums.data;
    stage->sum_count = plan->sums.count;
    stage->terms = plan->terms.data;
    stage->links = plan->links.data;
    stage->link_count = plan->links.count;
    return all_awake || load_awake(world, number, stage);
}

// --- afterwards --------------------------------------------------------------------------------------------

static sn_vec3 end_now(const sn_world *world, const sn_exact_link *link, int side)
{
    const sn_exact_end *end = &link->ends[side];
    if (end->node_count > 0) {
        return sn_exact_end_place(world->nodes.states.data, end);
    }
    const sn_constraint_common *def = &world->constraints.data[link->anchor].definition.common;
    return sn_point_now(world, side == 0 ? &def->a : &def->b);
}

// Ends that have moved are where they are from now on. Returns how far the ends are apart, squared.
static float finish_link(sn_world *world, sn_exact_link *link)
{
    sn_constraint_data *data = &world->constraints.data[link->anchor];
    const sn_point *points[2] = {&data->definition.common.a, &data->definition.common.b};
    if (link->sliding >= 0) {
        sn_anchor_tell_closest_point(world, data);
        link->ends[link->sliding] = end_of_nodes(world, points[link->sliding]);
    }
    if (sn_length_squared(link->displacement) > 0.0f) {
        int end = points[0]->type == SN_POINT_WORLD ? 0 : 1;
        data->nail = link->ends[end].place = points[end]->position;
        link->displacement = sn_v(0.0f, 0.0f, 0.0f);
    }
    if (link->growth > 0.0f && data->ramp_done + 1 < data->definition.common.ramp_steps) {
        return 0.0f;
    }
    return sn_length_squared(sn_sub(end_now(world, link, 1), end_now(world, link, 0)));
}

float sn_world_finish_sums(const sn_world *world)
{
    const sn_exact_plan *plan = world->exact;
    float worst = 0.0f;
    for (int i = 0; i < plan->sums.count; ++i) {
        const sn_exact_sum *sum = &plan->sums.data[i];
        sn_vec3 error = sn_exact_sum_error(world->nodes.states.data, sum, &plan->terms.data[sum->first]);
        worst = is_awake(world, sum->deformable) ? sn_max(worst, sn_length_squared(error)) : worst;
    }
    return worst;
}

float sn_world_finish_links(sn_world *world)
{
    const sn_exact_plan *plan = world->exact;
    float worst = 0.0f;
    for (int i = 0; i < plan->links.count; ++i) {
        if (is_awake(world, plan->links.data[i].deformable)) {
            worst = sn_max(worst, finish_link(world, &plan->links.data[i]));
        }
    }
    return worst;
}

void sn_world_advance_ramps(sn_world *world)
{
    const sn_exact_plan *plan = world->exact;
    bool is_over = false;
    for (int i = 0; i < plan->ramps.count; ++i) {
        sn_constraint_data *data = &world->constraints.data[plan->ramps.data[i]];
        is_over = ++data->ramp_done == data->definition.common.ramp_steps || is_over;
    }
    if (is_over) {
        sn_world_forget_exact(world);
    }
}
