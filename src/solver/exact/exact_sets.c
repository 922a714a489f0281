// Sets of nodes that are one point: free, attached to a place, or to a node that users have fixed (Gissler
// 2006, equations 13 to 25; methods C):
//
//   X = Σ m_i x̂_i / Σ m_i,   V = Σ m_i v_i / Σ m_i
//
// or position and velocity of the place or of the fixed node. Sets on bodies are in exact_attached.c.
#include "base/simd.h"
#include "solver/exact/exact.h"

// Sets that a thread takes at a time.
enum { SET_GRAIN = 512 };

// What the loops over sets read. Passed by value to functions that are always inlined, so that it stays in
// registers.
typedef struct context {
    const sn_exact_stage *stage;
    sn_node_state *states;
    sn_node_velocity *velocities;
    const sn_vec3 *starts;
    sn_vec3 *moved;
    float inverse_h;
    float done; // part of the step that is over when the sub-step ends
    float inverse_duration;
} context;

static context context_of(const sn_exact_stage *stage)
{
    const sn_node_solver *nodes = &stage->solver->nodes;
    int done = stage->sub_step + 1, count = stage->solver->settings.sub_steps;
    return (context){.stage = stage,
                     .states = nodes->nodes->states.data,
                     .velocities = nodes->nodes->velocities.data,
                     .starts = nodes->starts,
                     .moved = nodes->moved,
                     .inverse_h = nodes->pass.inverse_h,
                     .done = done == count ? 1.0f : (float)done / (float)count,
                     .inverse_duration = 1.0f / stage->solver->settings.duration};
}

// Nodes that users have fixed have none.
SN_INLINE float mass_of(context c, int node)
{
    float inverse_mass = c.states[node].inverse_mass;
    return inverse_mass > 0.0f ? 1.0f / inverse_mass : 0.0f;
}

static inline float inverse_or_zero(float x)
{
    return x > 0.0f ? 1.0f / x : 0.0f;
}

// The first member of a pair: sets have theirs one after the other.
static int first_of_pair(const sn_exact_stage *stage, int set)
{
    return stage->member_count - 2 * (stage->set_count - set);
}

// --- positions ---------------------------------------------------------------------------------------------

// Moves a node to where it has `moved` since the step began; `place` is the same, rounded as for all of the
// set.
SN_INLINE void put(context c, int member, sn_vec3 displacement, sn_vec3 moved, sn_vec3 place)
{
    int node = c.stage->members[member].node;
    sn_vec3 change = sn_scale(displacement, c.inverse_h);
    sn_vec3 *impulse = &c.stage->impulses[member], *velocity = &c.velocities[node].velocity;
    *velocity = sn_add(*velocity, change);
    *impulse = sn_add_scaled(*impulse, mass_of(c, node), change);
    c.moved[node] = moved;
    c.states[node].position = place;
}

SN_INLINE void place_nailed(context c, const sn_exact_set *set)
{
    const sn_exact_attachment *nail = &c.stage->attachments[set->attachment];
    sn_vec3 displacement = sn_scale(nail->displacement, c.done), place = sn_add(nail->place, displacement);
    for (int i = set->first; i < set->first + set->count && nail->body == 0; ++i) {
        int node = c.stage->members[i].node;
        if (c.states[node].inverse_mass > 0.0f) {
            sn_vec3 moved = sn_add(sn_sub(nail->place, c.starts[node]), displacement);
            put(c, i, sn_sub(moved, c.moved[node]), moved, place);
        }
    }
}

// From the first node of the set to another one: from displacements, which are rounded less than positions.
SN_INLINE sn_vec3 offset_of(context c, int node, sn_vec3 start, sn_vec3 moved)
{
    return sn_add(sn_sub(c.starts[node], start), sn_sub(c.moved[node], moved));
}

SN_INLINE void place_any(context c, const sn_exact_set *set)
{
    const sn_exact_member *members = c.stage->members;
    int first = members[set->first].node;
    sn_vec3 start = c.starts[first], before = c.moved[first], sum = {0.0f, 0.0f, 0.0f};
    float mass = 0.0f;
    for (int i = set->first; i < set->first + set->count && set->attachment == SN_EXACT_FREE; ++i) {
        float own = mass_of(c, members[i].node);
        sum = sn_add_scaled(sum, own, offset_of(c, members[i].node, start, before));
        mass += own;
    }
    sn_vec3 mean = sn_scale(sum, inverse_or_zero(mass));
    sn_vec3 moved = sn_add(before, mean), place = sn_add(start, moved);
    for (int i = set->first; i < set->first + set->count; ++i) {
        int node = members[i].node;
        if (c.states[node].inverse_mass > 0.0f) {
            sn_vec3 displacement = sn_sub(mean, offset_of(c, node, start, before));
            put(c, i, displacement, sn_add(moved, sn_sub(start, c.starts[node])), place);
        }
    }
}

SN_INLINE void place_pair(context c, int member)
{
    int a = c.stage->members[member].node, b = c.stage->members[member + 1].node;
    float w_a = c.states[a].inverse_mass, w_b = c.states[b].inverse_mass, mass = inverse_or_zero(w_a + w_b);
    sn_vec3 *velocity_a = &c.velocities[a].velocity, *velocity_b = &c.velocities[b].velocity;
    sn_vec3 *impulse = &c.stage->impulses[member + 1];
    sn_vec3 start = c.starts[a], offset = sn_sub(c.starts[b], start);
    sn_vec3 apart = sn_add(offset, sn_sub(c.moved[b], c.moved[a]));
    sn_vec3 push = sn_scale(apart, mass * c.inverse_h);
    sn_vec3 moved = sn_add_scaled(c.moved[a], mass * w_a, apart), place = sn_add(start, moved);
    c.moved[a] = moved;
    c.moved[b] = sn_sub(moved, offset);
    c.states[a].position = place;
    c.states[b].position = place;
    *velocity_a = sn_add_scaled(*velocity_a, w_a, push);
    *velocity_b = sn_add_scaled(*velocity_b, -w_b, push);
    *impulse = sn_sub(*impulse, push);
}

static void place_sets(void *data, int begin, int end)
{
    context c = context_of(data);
    const sn_exact_set *sets = c.stage->sets;
    int i = begin;
    for (; i < end && sets[i].attachment >= 0; ++i) {
        place_nailed(c, &sets[i]);
    }
    for (; i < end && i < c.stage->pair_begin; ++i) {
        place_any(c, &sets[i]);
    }
    for (int member = first_of_pair(c.stage, i); i < end; ++i, member += 2) {
        place_pair(c, member);
    }
}

// --- velocities --------------------------------------------------------------------------------------------

SN_INLINE sn_vec3 common_velocity(context c, const sn_exact_set *set)
{
    if (set->attachment >= 0) {
        return sn_scale(c.stage->attachments[set->attachment].displacement, c.inverse_duration);
    }
    const sn_exact_member *members = c.stage->members;
    sn_vec3 sum = {0.0f, 0.0f, 0.0f}, first = c.velocities[members[set->first].node].velocity;
    float mass = 0.0f;
    for (int i = set->first; i < set->first + set->count && set->attachment == SN_EXACT_FREE; ++i) {
        float own = mass_of(c, members[i].node);
        sum = sn_add_scaled(sum, own, sn_sub(c.velocities[members[i].node].velocity, first));
        mass += own;
    }
    return sn_add_scaled(first, inverse_or_zero(mass), sum);
}

SN_INLINE void settle_any(context c, const sn_exact_set *set)
{
    sn_vec3 velocity = common_velocity(c, set);
    for (int i = set->first; i < set->first + set->count; ++i) {
        int node = c.stage->members[i].node;
        sn_vec3 *own = &c.velocities[node].velocity, *impulse = &c.stage->impulses[i];
        if (c.states[node].inverse_mass > 0.0f) {
            *impulse = sn_add_scaled(*impulse, mass_of(c, node), sn_sub(velocity, *own));
            *own = velocity;
        }
    }
}

SN_INLINE void settle_pair(context c, int member)
{
    int a = c.stage->members[member].node, b = c.stage->members[member + 1].node;
    float w = c.states[a].inverse_mass, mass = inverse_or_zero(w + c.states[b].inverse_mass);
    sn_vec3 *velocity_a = &c.velocities[a].velocity, *velocity_b = &c.velocities[b].velocity;
    sn_vec3 *impulse = &c.stage->impulses[member + 1], apart = sn_sub(*velocity_b, *velocity_a);
    sn_vec3 velocity = sn_add_scaled(*velocity_a, mass * w, apart);
    *velocity_a = velocity;
    *velocity_b = velocity;
    *impulse = sn_add_scaled(*impulse, -mass, apart);
}

static void settle_sets(void *data, int begin, int end)
{
    context c = context_of(data);
    const sn_exact_set *sets = c.stage->sets;
    int i = begin;
    for (; i < end && i < c.stage->pair_begin; ++i) {
        if (sn_exact_body_of(c.stage, &sets[i]) == 0) {
            settle_any(c, &sets[i]);
        }
    }
    for (int member = first_of_pair(c.stage, i); i < end; ++i, member += 2) {
        settle_pair(c, member);
    }
}

// --- stages ------------------------------------------------------------------------------------------------

void sn_exact_sets_place(sn_exact_stage *stage)
{
    sn_tasks_for(stage->solver->tasks, stage->set_count, SET_GRAIN, place_sets, stage);
}

void sn_exact_sets_settle(sn_exact_stage *stage)
{
    sn_tasks_for(stage->solver->tasks, stage->set_count, SET_GRAIN, settle_sets, stage);
}

// An anchor carries what acts on all nodes beyond it in the tree. Members come after their parents, so their
// sums are complete when they are visited from the end.
static void store_set(const sn_exact_stage *stage, const sn_exact_set *set, float inverse_duration)
{
    const sn_exact_member *members = stage->members + set->first;
    sn_vec3 *impulses = stage->impulses + set->first;
    for (int i = set->count - 1; i > 0; --i) {
        sn_exact_store_force(stage, members[i].end, impulses[i], inverse_duration);
        impulses[members[i].parent] = sn_add(impulses[members[i].parent], impulses[i]);
    }
    if (set->attachment >= 0) {
        sn_exact_store_force(stage, stage->attachments[set->attachment].end, impulses[0], inverse_duration);
    }
}

// Fixed nodes that users move are at their goal to the last bit when the step ends; the others go with them.
static void finish_fixed(const sn_exact_stage *stage, const sn_exact_set *set)
{
    sn_node_state *states = stage->solver->nodes.nodes->states.data;
    for (int i = set->first + 1; i < set->first + set->count; ++i) {
        states[stage->members[i].node].position = states[stage->members[set->first].node].position;
    }
}

void sn_exact_sets_store(sn_exact_stage *stage)
{
    float inverse_duration = 1.0f / stage->solver->settings.duration;
    for (int i = 0; i < stage->pair_begin; ++i) {
        store_set(stage, &stage->sets[i], inverse_duration);
        if (stage->sets[i].attachment == SN_EXACT_FIXED) {
            finish_fixed(stage, &stage->sets[i]);
        }
    }
    for (int i = first_of_pair(stage, stage->pair_begin) + 1; i < stage->member_count; i += 2) {
        sn_exact_store_force(stage, stage->members[i].end, stage->impulses[i], inverse_duration);
    }
}
