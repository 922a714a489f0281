// Weighted sums of nodes held together (Gissler 2006, equations 26 to 31; methods C). C = b − a with signed
// weights a_i. A link that shares what it moves with no other one has
//
//   λ = −C/(Σ w_i a_i²),   x⁺_i = x̂_i + w_i a_i λ
//
// whose forces sum to nothing, and turn nothing about the places x̂, since λ is along C.
#include "solver/exact/exact_links.h"

// Pieces that a foot may come to one after the other in a sub-step.
enum { MOST_ARRIVALS = 6 };
enum { LINK_GRAIN = 64, SYSTEM_GRAIN = 4 };

// Feet may all gather in one system; those that do not slide are in theirs by now.
static bool may_be_large(const sn_exact_stage *stage)
{
    const sn_exact_links *work = stage->link_work;
    bool is_large = work->has_slides && stage->link_count > SN_LINKS_AT_ONCE;
    for (int i = 0; i < work->system_count; ++i) {
        is_large |= work->systems[i].count > SN_LINKS_AT_ONCE;
    }
    return is_large;
}

bool sn_exact_links_begin(sn_exact_stage *stage)
{
    stage->link_work = NULL;
    stage->set_of = NULL;
    if (stage->link_count == 0) {
        return true;
    }
    sn_arena *arena = stage->solver->arena;
    sn_exact_links *work = sn_arena_take_zero(arena, 1, sizeof *work);
    stage->link_work = work;
    if (work == NULL) {
        return false;
    }
    size_t count = (size_t)stage->link_count;
    work->shares = sn_arena_take_zero(arena, count, sizeof *work->shares);
    work->is_in_system = sn_arena_take_zero(arena, count, sizeof *work->is_in_system);
    if (work->shares == NULL || work->is_in_system == NULL || !sn_link_groups_begin(stage)) {
        return false;
    }
    for (int i = 0; i < stage->link_count; ++i) {
        work->has_slides |= stage->links[i].sliding >= 0;
    }
    if (!work->has_slides) { // else feet must be known first
        sn_link_groups_make(stage);
    }
    if (work->has_slides || work->system_count > 0) {
        work->states = sn_arena_take_zero(arena, count, sizeof *work->states);
        return work->states != NULL && (!may_be_large(stage) || sn_link_many_begin(stage)) &&
               (!work->has_slides || sn_link_energy_begin(stage));
    }
    return true;
}

// --- links in closed form ----------------------------------------------------------------------------------

// The arrays of nodes, at hand.
typedef struct reach {
    sn_node_state *states;
    sn_node_velocity *velocities;
    const sn_vec3 *starts;
    sn_vec3 *moved;
    float inverse_h;
} reach;

static reach reach_of(const sn_exact_stage *stage)
{
    const sn_node_solver *nodes = &stage->solver->nodes;
    return (reach){nodes->nodes->states.data, nodes->nodes->velocities.data, nodes->starts, nodes->moved,
                   nodes->pass.inverse_h};
}

// Where the nodes of an end are; adds what a unit impulse does to that.
static sn_vec3 gather_place(const reach *reach, const sn_solver_end *end, float *response)
{
    sn_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < end->node_count; ++i) {
        const sn_node_state *state = &reach->states[end->nodes[i]];
        *response += state->inverse_mass * end->weights[i] * end->weights[i];
        sum = sn_add_scaled(sum, end->weights[i], state->position);
    }
    return sum;
}

static sn_vec3 gather_velocity(const reach *reach, const sn_solver_end *end, float *response)
{
    sn_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < end->node_count; ++i) {
        *response += reach->states[end->nodes[i]].inverse_mass * end->weights[i] * end->weights[i];
        sum = sn_add_scaled(sum, end->weights[i], reach->velocities[end->nodes[i]].velocity);
    }
    return sum;
}

// Moves the nodes of an end as an impulse at the beginning of the sub-step would, times h.
static void move_end(const reach *reach, const sn_solver_end *end, sn_vec3 impulse)
{
    for (int i = 0; i < end->node_count; ++i) {
        int node = end->nodes[i];
        float weight = reach->states[node].inverse_mass * end->weights[i];
        if (weight > 0.0f) {
            sn_vec3 displacement = sn_scale(impulse, weight),
                    moved = sn_add(reach->moved[node], displacement);
            sn_vec3 *velocity = &reach->velocities[node].velocity;
            reach->moved[node] = moved;
            reach->states[node].position = sn_add(reach->starts[node], moved);
            *velocity = sn_add_scaled(*velocity, reach->inverse_h, displacement);
        }
    }
}

static void push_end(const reach *reach, const sn_solver_end *end, sn_vec3 impulse)
{
    for (int i = 0; i < end->node_count; ++i) {
        float weight = reach->states[end->nodes[i]].inverse_mass * end->weights[i];
        if (weight > 0.0f) {
            sn_vec3 *velocity = &reach->velocities[end->nodes[i]].velocity;
            *velocity = sn_add_scaled(*velocity, weight, impulse);
        }
    }
}

// An end that is one node goes where the other end is by the last bit.
static void snap(const sn_exact_stage *stage, const sn_exact_link *link)
{
    for (int side = 0; side < 2; ++side) {
        const sn_solver_end *end = &link->ends[side];
        if (end->node_count == 1 && end->weights[0] == 1.0f &&
            sn_link_nodes(stage)[end->nodes[0]].inverse_mass > 0.0f) {
            sn_link_snap(stage, end->nodes[0], sn_link_place(stage, link, 1 - side));
            return;
        }
    }
}

static void place_alone(const sn_exact_stage *stage, const reach *reach, int number)
{
    const sn_exact_link *link = &stage->links[number];
    const sn_solver_end *a = &link->ends[0], *b = &link->ends[1];
    float share = stage->link_work->shares[number], response = 0.0f;
    sn_vec3 place_a = a->node_count > 0 ? gather_place(reach, a, &response) : sn_link_place(stage, link, 0);
    sn_vec3 place_b = b->node_count > 0 ? gather_place(reach, b, &response) : sn_link_place(stage, link, 1);
    if (response == 0.0f || share == 0.0f) {
        return;
    }
    sn_vec3 displacement = sn_scale(sn_sub(place_b, place_a), -share / response);
    move_end(reach, a, sn_neg(displacement));
    move_end(reach, b, displacement);
    stage->link_impulses[number] =
        sn_add_scaled(stage->link_impulses[number], reach->inverse_h, displacement);
    if (share == 1.0f) {
        snap(stage, link);
    }
}

static void settle_alone(const sn_exact_stage *stage, const reach *reach, int number)
{
    const sn_exact_link *link = &stage->links[number];
    const sn_solver_end *a = &link->ends[0], *b = &link->ends[1];
    float response = 0.0f;
    if (stage->link_work->shares[number] < 1.0f) {
        return;
    }
    sn_vec3 velocity_a =
        a->node_count > 0 ? gather_velocity(reach, a, &response) : sn_link_velocity(stage, link, 0);
    sn_vec3 velocity_b =
        b->node_count > 0 ? gather_velocity(reach, b, &response) : sn_link_velocity(stage, link, 1);
    if (response == 0.0f) {
        return;
    }
    sn_vec3 impulse = sn_scale(sn_sub(velocity_b, velocity_a), -1.0f / response);
    push_end(reach, a, sn_neg(impulse));
    push_end(reach, b, impulse);
    stage->link_impulses[number] = sn_add(stage->link_impulses[number], impulse);
}

// --- all links ---------------------------------------------------------------------------------------------

static void place_links(void *context, int begin, int end)
{
    const sn_exact_stage *stage = context;
    reach reach = reach_of(stage);
    for (int i = begin; i < end; ++i) {
        place_alone(stage, &reach, stage->link_work->order[i]);
    }
}

static void settle_links(void *context, int begin, int end)
{
    const sn_exact_stage *stage = context;
    reach reach = reach_of(stage);
    for (int i = begin; i < end; ++i) {
        settle_alone(stage, &reach, stage->link_work->order[i]);
    }
}

static void place_systems(void *context, int begin, int end)
{
    const sn_exact_stage *stage = context;
    const sn_exact_links *work = stage->link_work;
    for (int i = begin; i < end; ++i) {
        sn_link_system_place(stage, work->order + work->systems[i].first, work->systems[i].count, false);
    }
}

static void place_systems_again(void *context, int begin, int end)
{
    const sn_exact_stage *stage = context;
    const sn_exact_links *work = stage->link_work;
    for (int i = begin; i < end; ++i) {
        sn_link_system_place(stage, work->order + work->systems[i].first, work->systems[i].count, true);
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
        float share = link->share + (float)stage->sub_step * link->growth;
        stage->link_work->shares[i] = share < 1.0f - 0.5f * link->growth ? share : 1.0f;
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
    // Friction may have pulled some back over an edge, off the surface: again, without it.
    for (int i = 1; work->has_slides && i <= MOST_ARRIVALS; ++i) {
        if (!sn_link_slides_arrive(stage, i == MOST_ARRIVALS)) {
            break;
        }
        sn_link_groups_make(stage);
        sn_tasks_for(stage->solver->tasks, work->system_count, SYSTEM_GRAIN, place_systems_again, stage);
    }
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
