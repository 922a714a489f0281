// Nodes that are one point, free or nailed (Gissler 2006, equations 13 to 25; methods C):
//
//   X = Σ m_i x̂_i / Σ m_i,   V = Σ m_i v_i / Σ m_i
//
// or place and velocity of the nail, or of a member that is fixed. Most sets are two free nodes, which have
// code and a list of their own: their impulse is P = (x̂_b − x̂_a)/(h (w_a + w_b)).
#include "solver/exact.h"

// Items a thread takes at a time.
enum { PAIR_GRAIN = 1024, SET_GRAIN = 256 };

// Two free nodes.
typedef struct pair {
    int a, b;
    float inverse_mass_a, inverse_mass_b;
    int member; // b
} pair;

typedef struct sn_exact_points {
    pair *pairs;
    int pair_count;
    int *others; // sets
    int other_count;
} sn_exact_points;

static bool is_nailed(const sn_exact_set *set)
{
    return set->carrier == SN_CARRIED_BY_PLACE || (set->carrier == SN_CARRIED_BY_BODY && set->body == 0);
}

// --- lists -------------------------------------------------------------------------------------------------

static bool is_pair(const sn_exact_stage *stage, const sn_exact_set *set)
{
    const sn_node_state *states = stage->solver->nodes->nodes->states.data;
    const sn_exact_member *members = stage->members + set->first;
    return set->carrier == SN_CARRIED_BY_NOTHING && set->count == 2 &&
           states[members[0].node].inverse_mass > 0.0f && states[members[1].node].inverse_mass > 0.0f;
}

bool sn_exact_sets_begin(sn_exact_stage *stage)
{
    sn_arena *arena = stage->solver->arena;
    const sn_node_state *states = stage->solver->nodes->nodes->states.data;
    sn_exact_points *points = sn_arena_take_zero(arena, 1, sizeof *points);
    stage->points = points;
    if (points == NULL) {
        return false;
    }
    points->pairs = sn_arena_take(arena, (size_t)stage->set_count, sizeof *points->pairs);
    points->others = sn_arena_take(arena, (size_t)stage->set_count, sizeof *points->others);
    if (points->pairs == NULL || points->others == NULL) {
        return false;
    }
    for (int i = 0; i < stage->set_count; ++i) {
        const sn_exact_set *set = &stage->sets[i];
        const sn_exact_member *members = stage->members + set->first;
        if (is_pair(stage, set)) {
            int a = members[0].node, b = members[1].node;
            points->pairs[points->pair_count++] =
                (pair){a, b, states[a].inverse_mass, states[b].inverse_mass, set->first + 1};
        } else if (is_nailed(set) || set->carrier == SN_CARRIED_BY_NOTHING) {
            points->others[points->other_count++] = i;
        }
    }
    return true;
}

// --- two free nodes ----------------------------------------------------------------------------------------

static void place_pairs(void *context, int begin, int end)
{
    const sn_exact_stage *stage = context;
    const sn_node_solver *nodes = stage->solver->nodes;
    sn_node_state *states = nodes->nodes->states.data;
    sn_node_velocity *velocities = nodes->nodes->velocities.data;
    float inverse_h = nodes->pass.inverse_h;
    for (int i = begin; i < end; ++i) {
        pair pair = stage->points->pairs[i];
        sn_vec3 start_a = nodes->starts[pair.a], start_b = nodes->starts[pair.b];
        sn_vec3 moved_a = nodes->moved[pair.a], moved_b = nodes->moved[pair.b];
        sn_vec3 apart = sn_add(sn_sub(start_b, start_a), sn_sub(moved_b, moved_a));
        float mass = 1.0f / (pair.inverse_mass_a + pair.inverse_mass_b);
        sn_vec3 impulse = sn_scale(apart, mass * inverse_h);
        sn_vec3 moved = sn_add_scaled(moved_a, pair.inverse_mass_a * mass, apart);
        sn_vec3 place = sn_add(start_a, moved);
        nodes->moved[pair.a] = moved;
        nodes->moved[pair.b] = sn_add(moved, sn_sub(start_a, start_b));
        states[pair.a].position = place;
        states[pair.b].position = place;
        sn_vec3 *velocity_a = &velocities[pair.a].velocity, *velocity_b = &velocities[pair.b].velocity;
        *velocity_a = sn_add_scaled(*velocity_a, pair.inverse_mass_a, impulse);
        *velocity_b = sn_add_scaled(*velocity_b, -pair.inverse_mass_b, impulse);
        stage->impulses[pair.member] = sn_sub(stage->impulses[pair.member], impulse);
    }
}

static void settle_pairs(void *context, int begin, int end)
{
    const sn_exact_stage *stage = context;
    sn_node_velocity *velocities = stage->solver->nodes->nodes->velocities.data;
    for (int i = begin; i < end; ++i) {
        pair pair = stage->points->pairs[i];
        sn_vec3 velocity_a = velocities[pair.a].velocity;
        sn_vec3 apart = sn_sub(velocities[pair.b].velocity, velocity_a);
        float mass = 1.0f / (pair.inverse_mass_a + pair.inverse_mass_b);
        sn_vec3 velocity = sn_add_scaled(velocity_a, pair.inverse_mass_a * mass, apart);
        velocities[pair.a].velocity = velocity;
        velocities[pair.b].velocity = velocity;
        stage->impulses[pair.member] = sn_add_scaled(stage->impulses[pair.member], -mass, apart);
    }
}

// --- all others --------------------------------------------------------------------------------------------

// The member that is fixed; the first if none is.
static int leader_of(const sn_exact_stage *stage, const sn_exact_set *set)
{
    const sn_node_state *states = stage->solver->nodes->nodes->states.data;
    for (int i = 0; i < set->count; ++i) {
        int node = stage->members[set->first + i].node;
        if (states[node].inverse_mass == 0.0f) {
            return node;
        }
    }
    return stage->members[set->first].node;
}

// How far a node is from another one, as places would tell if they were not rounded.
static sn_vec3 offset_of(const sn_node_solver *nodes, int node, int from)
{
    return sn_add(sn_sub(nodes->starts[node], nodes->starts[from]),
                  sn_sub(nodes->moved[node], nodes->moved[from]));
}

// Gives a node a change of velocity, and the member the impulse that takes.
static void change_velocity(const sn_exact_stage *stage, int member, sn_vec3 change)
{
    const sn_nodes *nodes = stage->solver->nodes->nodes;
    int node = stage->members[member].node;
    sn_vec3 *velocity = &nodes->velocities.data[node].velocity;
    *velocity = sn_add(*velocity, change);
    stage->impulses[member] =
        sn_add_scaled(stage->impulses[member], 1.0f / nodes->states.data[node].inverse_mass, change);
}

// How far the mean place, or velocity, of a set is from its leader's.
static sn_vec3 mean_from(const sn_exact_stage *stage, const sn_exact_set *set, int leader, bool of_velocity)
{
    const sn_node_solver *nodes = stage->solver->nodes;
    const sn_node_velocity *velocities = nodes->nodes->velocities.data;
    sn_vec3 sum = sn_v(0.0f, 0.0f, 0.0f);
    float mass = 0.0f;
    if (nodes->nodes->states.data[leader].inverse_mass == 0.0f) {
        return sum;
    }
    for (int i = set->first; i < set->first + set->count; ++i) {
        int node = stage->members[i].node;
        float own = 1.0f / nodes->nodes->states.data[node].inverse_mass;
        sn_vec3 apart = of_velocity ? sn_sub(velocities[node].velocity, velocities[leader].velocity)
                                    : offset_of(nodes, node, leader);
        sum = sn_add_scaled(sum, own, apart);
        mass += own;
    }
    return sn_scale(sum, 1.0f / mass);
}

static void place_free(const sn_exact_stage *stage, const sn_exact_set *set)
{
    const sn_node_solver *nodes = stage->solver->nodes;
    int leader = leader_of(stage, set);
    sn_vec3 mean = mean_from(stage, set, leader, false), start = nodes->starts[leader];
    sn_vec3 moved = sn_add(nodes->moved[leader], mean), place = sn_add(start, moved);
    for (int i = set->first; i < set->first + set->count; ++i) {
        int node = stage->members[i].node;
        sn_node_state *state = &nodes->nodes->states.data[node];
        if (state->inverse_mass > 0.0f && node != leader) {
            sn_vec3 way = sn_sub(mean, offset_of(nodes, node, leader));
            change_velocity(stage, i, sn_scale(way, nodes->pass.inverse_h));
            nodes->moved[node] = sn_add(moved, sn_sub(start, nodes->starts[node]));
            state->position = place;
        }
    }
    if (nodes->nodes->states.data[leader].inverse_mass > 0.0f) { // the first
        change_velocity(stage, set->first, sn_scale(mean, nodes->pass.inverse_h));
        nodes->moved[leader] = moved;
        nodes->nodes->states.data[leader].position = place;
    }
}

static void place_nailed(const sn_exact_stage *stage, const sn_exact_set *set)
{
    const sn_node_solver *nodes = stage->solver->nodes;
    int done = stage->sub_step + 1, count = stage->solver->settings.sub_steps;
    sn_vec3 way = done == count ? set->way : sn_scale(set->way, (float)done / (float)count);
    sn_vec3 place = sn_add(set->place, way);
    for (int i = set->first; i < set->first + set->count; ++i) {
        int node = stage->members[i].node;
        sn_node_state *state = &nodes->nodes->states.data[node];
        if (state->inverse_mass > 0.0f) {
            sn_vec3 moved = sn_add(sn_sub(set->place, nodes->starts[node]), way);
            change_velocity(stage, i, sn_scale(sn_sub(moved, nodes->moved[node]), nodes->pass.inverse_h));
            nodes->moved[node] = moved;
            state->position = place;
        }
    }
}

static void settle_other(const sn_exact_stage *stage, const sn_exact_set *set)
{
    const sn_nodes *nodes = stage->solver->nodes->nodes;
    int leader = leader_of(stage, set);
    sn_vec3 velocity =
        is_nailed(set) ? sn_scale(set->way, 1.0f / stage->solver->settings.duration)
                       : sn_add(nodes->velocities.data[leader].velocity, mean_from(stage, set, leader, true));
    for (int i = set->first; i < set->first + set->count; ++i) {
        int node = stage->members[i].node;
        if (nodes->states.data[node].inverse_mass > 0.0f) {
            change_velocity(stage, i, sn_sub(velocity, nodes->velocities.data[node].velocity));
            nodes->velocities.data[node].velocity = velocity;
        }
    }
}

static void place_others(void *context, int begin, int end)
{
    const sn_exact_stage *stage = context;
    for (int i = begin; i < end; ++i) {
        const sn_exact_set *set = &stage->sets[stage->points->others[i]];
        if (is_nailed(set)) {
            place_nailed(stage, set);
        } else {
            place_free(stage, set);
        }
    }
}

static void settle_others(void *context, int begin, int end)
{
    const sn_exact_stage *stage = context;
    for (int i = begin; i < end; ++i) {
        settle_other(stage, &stage->sets[stage->points->others[i]]);
    }
}

// --- stages ------------------------------------------------------------------------------------------------

void sn_exact_sets_place(sn_exact_stage *stage)
{
    sn_tasks *tasks = stage->solver->tasks;
    sn_tasks_for(tasks, stage->points->pair_count, PAIR_GRAIN, place_pairs, stage);
    sn_tasks_for(tasks, stage->points->other_count, SET_GRAIN, place_others, stage);
}

void sn_exact_sets_settle(sn_exact_stage *stage)
{
    sn_tasks *tasks = stage->solver->tasks;
    sn_tasks_for(tasks, stage->points->pair_count, PAIR_GRAIN, settle_pairs, stage);
    sn_tasks_for(tasks, stage->points->other_count, SET_GRAIN, settle_others, stage);
}

void sn_exact_sets_finish(sn_exact_stage *stage)
{
    sn_node_state *states = stage->solver->nodes->nodes->states.data;
    for (int i = 0; i < stage->points->other_count; ++i) {
        const sn_exact_set *set = &stage->sets[stage->points->others[i]];
        int leader = leader_of(stage, set);
        for (int k = set->first; !is_nailed(set) && k < set->first + set->count; ++k) {
            sn_node_state *state = &states[stage->members[k].node];
            state->position = state->inverse_mass > 0.0f ? states[leader].position : state->position;
        }
    }
}
