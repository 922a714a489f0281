// Nodes that are one point, free or nailed (Gissler 2006, equations 13 to 25; methods C):
//
//   X = Σ m_i x̂_i / Σ m_i,   V = Σ m_i v_i / Σ m_i
//
// or place and velocity of the nail, or of a member that is fixed. Most pairs of nodes have code of their own
// (exact_pairs.c).
#include "solver/exact/exact.h"

// Items a thread takes at a time.
enum { SET_GRAIN = 256 };

typedef struct point {
    int set;
    int leader; // the node that is fixed; the first if none is
    bool is_nailed, is_fixed;
    float inverse_mass; // of all; 0 if one is fixed
} point;

typedef struct sn_exact_points {
    point *points;
    int count;
    float *masses; // by member; 0 of what is fixed
} sn_exact_points;

// --- lists -------------------------------------------------------------------------------------------------

static bool is_nailed(const sn_exact_set *set)
{
    return set->parent == SN_CARRIED_BY_PLACE || (set->parent == SN_CARRIED_BY_BODY && set->body == 0);
}

static void add_point(const sn_exact_stage *stage, const sn_exact_set *set)
{
    const sn_node_state *states = stage->solver->nodes.nodes->states.data;
    point made = {.set = (int)(set - stage->sets),
                  .leader = stage->members[set->first].node,
                  .is_nailed = is_nailed(set)};
    float mass = 0.0f;
    for (int i = set->first; i < set->first + set->count; ++i) {
        int node = stage->members[i].node;
        float inverse_mass = states[node].inverse_mass;
        if (inverse_mass == 0.0f && !made.is_fixed) {
            made.leader = node;
            made.is_fixed = true;
        }
        stage->points->masses[i] = inverse_mass > 0.0f ? 1.0f / inverse_mass : 0.0f;
        mass += stage->points->masses[i];
    }
    made.inverse_mass = made.is_fixed ? 0.0f : 1.0f / mass;
    stage->points->points[stage->points->count++] = made;
}

bool sn_exact_sets_begin(sn_exact_stage *stage)
{
    sn_arena *arena = stage->solver->arena;
    sn_exact_points *points = sn_arena_take_zero(arena, 1, sizeof *points);
    stage->points = points;
    if (points == NULL) {
        return false;
    }
    points->points = sn_arena_take(arena, (size_t)stage->set_count, sizeof *points->points);
    points->masses = sn_arena_take(arena, (size_t)stage->member_count, sizeof *points->masses);
    if (points->points == NULL || points->masses == NULL) {
        return false;
    }
    for (int i = 0; i < stage->set_count; ++i) {
        const sn_exact_set *set = &stage->sets[i];
        if (is_nailed(set) || set->parent == SN_CARRIED_BY_NOTHING) {
            add_point(stage, set);
        }
    }
    return true;
}

// --- places and velocities ---------------------------------------------------------------------------------

// How far a node is from where another one began and has moved, as places would tell if they were not
// rounded.
static inline sn_vec3 offset_of(const sn_node_solver *nodes, int node, sn_vec3 start, sn_vec3 moved)
{
    return sn_add(sn_sub(nodes->starts[node], start), sn_sub(nodes->moved[node], moved));
}

// Puts a node where it has moved to, rounded as for all of its set.
static inline void put(const sn_node_solver *nodes, int node, float mass, sn_vec3 displacement, sn_vec3 moved,
                       sn_vec3 place, sn_vec3 *impulse)
{
    sn_vec3 change = sn_scale(displacement, nodes->pass.inverse_h);
    sn_vec3 *velocity = &nodes->nodes->velocities.data[node].velocity;
    *velocity = sn_add(*velocity, change);
    *impulse = sn_add_scaled(*impulse, mass, change);
    nodes->moved[node] = moved;
    nodes->nodes->states.data[node].position = place;
}

static void place_free(const sn_exact_stage *stage, const point *point)
{
    const sn_node_solver *nodes = &stage->solver->nodes;
    const sn_exact_set *set = &stage->sets[point->set];
    const sn_exact_member *members = stage->members;
    const float *masses = stage->points->masses;
    sn_vec3 start = nodes->starts[point->leader], before = nodes->moved[point->leader];
    sn_vec3 sum = sn_v(0.0f, 0.0f, 0.0f);
    for (int i = set->first; i < set->first + set->count; ++i) {
        sum = sn_add_scaled(sum, masses[i], offset_of(nodes, members[i].node, start, before));
    }
    sn_vec3 mean = sn_scale(sum, point->inverse_mass); // from the leader
    sn_vec3 moved = sn_add(before, mean), place = sn_add(start, moved);
    for (int i = set->first; i < set->first + set->count; ++i) {
        int node = members[i].node;
        if (masses[i] > 0.0f) {
            sn_vec3 displacement = sn_sub(mean, offset_of(nodes, node, start, before));
            sn_vec3 own = sn_add(moved, sn_sub(start, nodes->starts[node]));
            put(nodes, node, masses[i], displacement, own, place, &stage->impulses[i]);
        }
    }
}

static void place_nailed(const sn_exact_stage *stage, const point *point)
{
    const sn_node_solver *nodes = &stage->solver->nodes;
    const sn_exact_set *set = &stage->sets[point->set];
    int done = stage->sub_step + 1, count = stage->solver->settings.sub_steps;
    sn_vec3 displacement =
        done == count ? set->displacement : sn_scale(set->displacement, (float)done / (float)count);
    sn_vec3 place = sn_add(set->place, displacement);
    for (int i = set->first; i < set->first + set->count; ++i) {
        int node = stage->members[i].node;
        float mass = stage->points->masses[i];
        if (mass > 0.0f) {
            sn_vec3 moved = sn_add(sn_sub(set->place, nodes->starts[node]), displacement);
            put(nodes, node, mass, sn_sub(moved, nodes->moved[node]), moved, place, &stage->impulses[i]);
        }
    }
}

static sn_vec3 common_velocity(const sn_exact_stage *stage, const point *point)
{
    const sn_node_velocity *velocities = stage->solver->nodes.nodes->velocities.data;
    const sn_exact_set *set = &stage->sets[point->set];
    if (point->is_nailed) {
        return sn_scale(set->displacement, 1.0f / stage->solver->settings.duration);
    }
    sn_vec3 sum = sn_v(0.0f, 0.0f, 0.0f), first = velocities[point->leader].velocity;
    for (int i = set->first; i < set->first + set->count; ++i) {
        sn_vec3 apart = sn_sub(velocities[stage->members[i].node].velocity, first);
        sum = sn_add_scaled(sum, stage->points->masses[i], apart);
    }
    return sn_add_scaled(first, point->inverse_mass, sum);
}

static void place_points(void *context, int begin, int end)
{
    const sn_exact_stage *stage = context;
    for (int i = begin; i < end; ++i) {
        const point *point = &stage->points->points[i];
        if (point->is_nailed) {
            place_nailed(stage, point);
        } else {
            place_free(stage, point);
        }
    }
}

static void settle_points(void *context, int begin, int end)
{
    const sn_exact_stage *stage = context;
    sn_node_velocity *velocities = stage->solver->nodes.nodes->velocities.data;
    for (int k = begin; k < end; ++k) {
        const point *point = &stage->points->points[k];
        const sn_exact_set *set = &stage->sets[point->set];
        sn_vec3 velocity = common_velocity(stage, point);
        for (int i = set->first; i < set->first + set->count; ++i) {
            float mass = stage->points->masses[i];
            sn_vec3 *own = &velocities[stage->members[i].node].velocity;
            stage->impulses[i] = sn_add_scaled(stage->impulses[i], mass, sn_sub(velocity, *own));
            *own = mass > 0.0f ? velocity : *own;
        }
    }
}

// --- stages ------------------------------------------------------------------------------------------------

void sn_exact_sets_place(sn_exact_stage *stage)
{
    sn_tasks_for(stage->solver->tasks, stage->points->count, SET_GRAIN, place_points, stage);
}

void sn_exact_sets_settle(sn_exact_stage *stage)
{
    sn_tasks_for(stage->solver->tasks, stage->points->count, SET_GRAIN, settle_points, stage);
}

void sn_exact_sets_finish(sn_exact_stage *stage)
{
    sn_node_state *states = stage->solver->nodes.nodes->states.data;
    for (int i = 0; i < stage->points->count; ++i) {
        const point *point = &stage->points->points[i];
        const sn_exact_set *set = &stage->sets[point->set];
        for (int k = set->first; point->is_fixed && !point->is_nailed && k < set->first + set->count; ++k) {
            sn_node_state *state = &states[stage->members[k].node];
            state->position = state->inverse_mass > 0.0f ? states[point->leader].position : state->position;
        }
    }
}
