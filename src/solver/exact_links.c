// Weighted sums of nodes held together (Gissler 2006, equations 26 to 31; methods C). C = b − a with signed
// weights a_i. A link that shares what it moves with no other one has
//
//   λ = −C/(Σ w_i a_i²),   x⁺_i = x̂_i + w_i a_i λ
//
// whose forces sum to nothing, and turn nothing about the places x̂, since λ is along C.
#include "solver/exact_links.h"

enum { LINK_GRAIN = 64, SYSTEM_GRAIN = 4 };

bool sn_exact_links_begin(sn_exact_stage *stage)
{
    stage->link_work = NULL;
    stage->set_of = NULL;
    if (stage->link_count == 0) {
        return true;
    }
    sn_exact_links *work = sn_arena_take_zero(stage->solver->arena, 1, sizeof *work);
    stage->link_work = work;
    if (work == NULL) {
        return false;
    }
    work->states = sn_arena_take_zero(stage->solver->arena, (size_t)stage->link_count, sizeof *work->states);
    if (work->states == NULL || !sn_link_groups_begin(stage)) {
        return false;
    }
    for (int i = 0; i < stage->link_count; ++i) {
        work->has_slides |= stage->links[i].sliding >= 0;
    }
    if (!work->has_slides) { // else feet must be known first
        sn_link_groups_make(stage);
    }
    return true;
}

// --- links in closed form ----------------------------------------------------------------------------------

// What a unit impulse along the link does to C.
static float response_of(const sn_exact_stage *stage, const sn_exact_link *link)
{
    const sn_node_state *nodes = sn_link_nodes(stage);
    float sum = 0.0f;
    for (int side = 0; side < 2; ++side) {
        const sn_anchor_end *end = &link->ends[side];
        for (int i = 0; i < end->node_count; ++i) {
            sum += nodes[end->nodes[i]].inverse_mass * end->weights[i] * end->weights[i];
        }
    }
    return sum;
}

// An end that is one node goes where the other end is by the last bit.
static void snap(const sn_exact_stage *stage, const sn_exact_link *link)
{
    for (int side = 0; side < 2; ++side) {
        const sn_anchor_end *end = &link->ends[side];
        if (end->node_count == 1 && end->weights[0] == 1.0f &&
            sn_link_nodes(stage)[end->nodes[0]].inverse_mass > 0.0f) {
            sn_link_snap(stage, end->nodes[0], sn_link_place(stage, link, 1 - side));
            return;
        }
    }
}

static void place_alone(const sn_exact_stage *stage, int number)
{
    const sn_exact_link *link = &stage->links[number];
    float share = stage->link_work->states[number].share, response = response_of(stage, link);
    if (response == 0.0f || share == 0.0f) {
        return;
    }
    sn_vec3 apart = sn_sub(sn_link_place(stage, link, 1), sn_link_place(stage, link, 0));
    sn_vec3 way = sn_scale(apart, -share / response);
    for (int side = 0; side < 2; ++side) {
        const sn_anchor_end *end = &link->ends[side];
        for (int i = 0; i < end->node_count; ++i) {
            float weight = sn_link_nodes(stage)[end->nodes[i]].inverse_mass * end->weights[i];
            if (weight > 0.0f) {
                sn_exact_shift(stage, end->nodes[i], sn_scale(way, side == 0 ? -weight : weight));
            }
        }
    }
    stage->link_impulses[number] =
        sn_add_scaled(stage->link_impulses[number], stage->solver->nodes->pass.inverse_h, way);
    if (share == 1.0f) {
        snap(stage, link);
    }
}

static void settle_alone(const sn_exact_stage *stage, int number)
{
    const sn_exact_link *link = &stage->links[number];
    float response = response_of(stage, link);
    if (response == 0.0f || stage->link_work->states[number].share < 1.0f) {
        return;
    }
    sn_vec3 speed = sn_sub(sn_link_velocity(stage, link, 1), sn_link_velocity(stage, link, 0));
    sn_vec3 impulse = sn_scale(speed, -1.0f / response);
    for (int side = 0; side < 2; ++side) {
        const sn_anchor_end *end = &link->ends[side];
        for (int i = 0; i < end->node_count; ++i) {
            float weight = sn_link_nodes(stage)[end->nodes[i]].inverse_mass * end->weights[i];
            if (weight > 0.0f) {
                sn_vec3 *velocity = &sn_link_velocities(stage)[end->nodes[i]].velocity;
                *velocity = sn_add_scaled(*velocity, side == 0 ? -weight : weight, impulse);
            }
        }
    }
    stage->link_impulses[number] = sn_add(stage->link_impulses[number], impulse);
}

// --- all links ---------------------------------------------------------------------------------------------

static void place_links(void *context, int begin, int end)
{
    const sn_exact_stage *stage = context;
    for (int i = begin; i < end; ++i) {
        place_alone(stage, stage->link_work->order[i]);
    }
}

static void settle_links(void *context, int begin, int end)
{
    const sn_exact_stage *stage = context;
    for (int i = begin; i < end; ++i) {
        settle_alone(stage, stage->link_work->order[i]);
    }
}

static void place_systems(void *context, int begin, int end)
{
    const sn_exact_stage *stage = context;
    const sn_exact_links *work = stage->link_work;
    for (int i = begin; i < end; ++i) {
        sn_link_system_place(stage, work->order + work->systems[i].first, work->systems[i].count);
    }
}

static void settle_systems(void *context, int begin, int end)
{
    const sn_exact_stage *stage = context;
    const sn_exact_links *work = stage->link_work;
    for (int i = begin; i < end; ++i) {
        sn_link_system_settle(stage, work->order + work->systems[i].first, work->systems[i].count);
    }
}

static void go_up_ramps(sn_exact_stage *stage)
{
    for (int i = 0; i < stage->link_count; ++i) {
        const sn_exact_link *link = &stage->links[i];
        stage->link_work->states[i].share = sn_min(1.0f, link->share + (float)stage->sub_step * link->growth);
    }
}

void sn_exact_links_place(sn_exact_stage *stage)
{
    sn_exact_links *work = stage->link_work;
    if (work == NULL) {
        return;
    }
    go_up_ramps(stage);
    if (work->has_slides && (sn_link_slides_follow(stage) || stage->sub_step == 0)) {
        sn_link_groups_make(stage);
    }
    sn_tasks_for(stage->solver->tasks, work->alone_count, LINK_GRAIN, place_links, stage);
    sn_tasks_for(stage->solver->tasks, work->system_count, SYSTEM_GRAIN, place_systems, stage);
}

void sn_exact_links_settle(sn_exact_stage *stage)
{
    sn_exact_links *work = stage->link_work;
    if (work == NULL) {
        return;
    }
    sn_tasks_for(stage->solver->tasks, work->alone_count, LINK_GRAIN, settle_links, stage);
    sn_tasks_for(stage->solver->tasks, work->system_count, SYSTEM_GRAIN, settle_systems, stage);
}
