// Links of exact anchors, as the solver gets them: filled in when they are planned; only those that have a
// ramp, or an end on a body or on a surface, are looked at again in every step.
#include "world/constraints/anchors.h"
#include "world/exact/exact_plan.h"

// --- planning ----------------------------------------------------------------------------------------------

// No body has a number yet.
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
            link.ends[end].fixed = data->nail;
            link.displacement = sn_sub(points[end]->position, data->nail);
        } else if (points[end]->type == SN_POINT_NODES) {
            link.ends[end] = sn_world_load_end(world, points[end], NULL);
        }
    }
    if (link.sliding >= 0) {
        const sn_deformable_data *deformable =
            &world->deformables.data[points[link.sliding]->deformable.index - 1];
        link.surface = deformable->slide;
        link.first_node = deformable->first_node;
    }
    return link;
}

static bool is_lively(const sn_constraint_data *data)
{
    return data->definition.common.ramp_steps > 1 || sn_anchor_sliding_end(&data->definition.common) >= 0 ||
           data->definition.common.a.type == SN_POINT_RIGID ||
           data->definition.common.b.type == SN_POINT_RIGID;
}

bool sn_plan_links(const sn_world *world, sn_exact_plan *plan)
{
    plan->link_data.count = plan->lively.count = 0;
    for (int i = 0; i < plan->links.count; ++i) {
        sn_constraint_data *data = &world->constraints.data[plan->links.data[i]];
        if (!sn_array_push(&plan->link_data, fill_link(world, plan->links.data[i])) ||
            (is_lively(data) && !sn_array_push(&plan->lively, i))) {
            return false;
        }
        plan->link_of.data[plan->links.data[i]] = i;
    }
    return true;
}

// --- before a step -----------------------------------------------------------------------------------------

// Step j of n takes away j/n of the error, a part of it in each sub-step; the last one takes away all.
static void load_ramp(const sn_constraint_data *data, int sub_steps, sn_exact_link *link)
{
    float steps = (float)data->definition.common.ramp_steps, count = (float)sub_steps,
          done = (float)data->ramp_done;
    bool is_last = data->ramp_done + 1 >= data->definition.common.ramp_steps;
    // By a little more than its part, so that rounding does not keep it from all; it ends there.
    link->growth = is_last ? 1.00001f / count : 1.0f / (steps * count * count);
    link->share = is_last ? 1.0f / count : done / (steps * count) + link->growth;
    if (data->definition.common.ramp_steps == 1 || data->ramp_done == data->definition.common.ramp_steps) {
        link->share = 1.0f;
        link->growth = 0.0f;
    }
}

static void load_link(const sn_world *world, const sn_constraint_data *data, const int *number,
                      sn_exact_link *link)
{
    const sn_point *points[2] = {&data->definition.common.a, &data->definition.common.b};
    for (int end = 0; end < 2; ++end) {
        if (points[end]->type == SN_POINT_RIGID || end == link->sliding) {
            link->ends[end] = sn_world_load_end(world, points[end], number);
        }
    }
}

bool sn_world_load_links(sn_world *world, const int *number, int sub_steps, bool all_awake,
                         sn_exact_stage *stage)
{
    sn_exact_plan *plan = world->exact;
    for (int i = 0; i < plan->lively.count; ++i) {
        int link = plan->lively.data[i];
        const sn_constraint_data *data = &world->constraints.data[plan->links.data[link]];
        load_link(world, data, number, &plan->link_data.data[link]);
        load_ramp(data, sub_steps, &plan->link_data.data[link]);
    }
    if (all_awake) {
        stage->links = plan->link_data.data;
        stage->link_count = plan->link_data.count;
        return true;
    }
    stage->links = sn_arena_take(&world->arena, (size_t)plan->link_data.count, sizeof *stage->links);
    for (int i = 0; stage->links != NULL && i < plan->link_data.count; ++i) {
        if (sn_anchor_takes_part(world, plan->links.data[i], number)) {
            stage->links[stage->link_count++] = plan->link_data.data[i];
        }
    }
    return stage->links != NULL;
}

// --- afterwards --------------------------------------------------------------------------------------------

// As sn_point_now tells it.
static sn_vec3 end_now(const sn_world *world, const sn_solver_end *end, const sn_point *point)
{
    if (end->node_count == 0) {
        return sn_point_now(world, point);
    }
    sn_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < end->node_count; ++i) {
        sum = sn_add_scaled(sum, end->weights[i], world->nodes.states.data[end->nodes[i]].position);
    }
    return sum;
}

static float finish_link(const sn_world *world, sn_constraint_data *data, sn_exact_link *link)
{
    if (link->sliding >= 0) {
        sn_anchor_tell_closest_point(world, data);
        link->ends[link->sliding] = sn_world_load_end(
            world, link->sliding == 0 ? &data->definition.common.a : &data->definition.common.b, NULL);
    }
    if (sn_length_squared(link->displacement) > 0.0f) {
        int end = data->definition.common.a.type == SN_POINT_WORLD ? 0 : 1;
        data->nail = link->ends[end].fixed =
            (end == 0 ? data->definition.common.a : data->definition.common.b).position;
        link->displacement = sn_v(0.0f, 0.0f, 0.0f);
    }
    if (link->growth > 0.0f && data->ramp_done + 1 < data->definition.common.ramp_steps) {
        return 0.0f;
    }
    return sn_length_squared(sn_sub(end_now(world, &link->ends[0], &data->definition.common.a),
                                    end_now(world, &link->ends[1], &data->definition.common.b)));
}

// What sleeps has not been held.
static bool is_awake(const sn_world *world, const sn_constraint_common *def)
{
    bool is_a = def->a.type == SN_POINT_NODES || def->a.type == SN_POINT_SURFACE;
    const sn_point *point = is_a ? &def->a : &def->b;
    return !sn_deformable_sleeps(&world->deformables.data[point->deformable.index - 1]);
}

float sn_world_finish_links(sn_world *world)
{
    const sn_exact_plan *plan = world->exact;
    float worst = 0.0f;
    for (int i = 0; i < plan->links.count; ++i) {
        sn_constraint_data *data = &world->constraints.data[plan->links.data[i]];
        if (is_awake(world, &data->definition.common)) {
            worst = sn_max(worst, finish_link(world, data, &plan->link_data.data[i]));
        }
    }
    return worst;
}

void sn_world_climb_ramps(sn_world *world)
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
