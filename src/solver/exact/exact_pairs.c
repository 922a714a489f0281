// Pairs of nodes that are one point. Equal masses apart, nothing is asked of them that the solver would have
// to look up; so thousands of them cost little more than touching their nodes:
//
//   P = (x̂_b − x̂_a)/(h (w_a + w_b)) on a, −P on b
//
// and the same with velocities at the end of the sub-step.
#include "solver/exact/exact.h"

// Pairs a thread takes at a time.
enum { PAIR_GRAIN = 1024 };

bool sn_exact_pairs_begin(sn_exact_stage *stage)
{
    stage->pair_impulses =
        sn_arena_take_zero(stage->solver->arena, (size_t)stage->pair_count, sizeof *stage->pair_impulses);
    return stage->pair_impulses != NULL;
}

// The mass that resists parting the two; nothing parts two nodes that users have fixed.
static float mass_of(const sn_node_state *states, const sn_exact_pair *pair)
{
    float sum = states[pair->a].inverse_mass + states[pair->b].inverse_mass;
    return sum > 0.0f ? 1.0f / sum : 0.0f;
}

static void place_pairs(void *context, int begin, int end)
{
    const sn_exact_stage *stage = context;
    const sn_node_solver *nodes = &stage->solver->nodes;
    sn_node_state *states = nodes->nodes->states.data;
    sn_node_velocity *velocities = nodes->nodes->velocities.data;
    float inverse_h = nodes->pass.inverse_h;
    for (int i = begin; i < end; ++i) {
        const sn_exact_pair *pair = &stage->pairs[i];
        int a = pair->a, b = pair->b;
        sn_vec3 start_a = nodes->starts[a], start_b = nodes->starts[b];
        sn_vec3 moved_a = nodes->moved[a], moved_b = nodes->moved[b];
        sn_vec3 apart = sn_add(sn_sub(start_b, start_a), sn_sub(moved_b, moved_a));
        float mass = mass_of(states, pair), share_a = mass * states[a].inverse_mass;
        sn_vec3 impulse = sn_scale(apart, mass * inverse_h);
        sn_vec3 moved = sn_add_scaled(moved_a, share_a, apart), place = sn_add(start_a, moved);
        nodes->moved[a] = moved;
        nodes->moved[b] = sn_add(moved, sn_sub(start_a, start_b));
        states[a].position = place;
        states[b].position = place;
        sn_vec3 *velocity_a = &velocities[a].velocity, *velocity_b = &velocities[b].velocity;
        *velocity_a = sn_add_scaled(*velocity_a, states[a].inverse_mass, impulse);
        *velocity_b = sn_add_scaled(*velocity_b, -states[b].inverse_mass, impulse);
        stage->pair_impulses[i] = sn_sub(stage->pair_impulses[i], impulse);
    }
}

static void settle_pairs(void *context, int begin, int end)
{
    const sn_exact_stage *stage = context;
    const sn_node_state *states = stage->solver->nodes.nodes->states.data;
    sn_node_velocity *velocities = stage->solver->nodes.nodes->velocities.data;
    for (int i = begin; i < end; ++i) {
        const sn_exact_pair *pair = &stage->pairs[i];
        sn_vec3 velocity_a = velocities[pair->a].velocity;
        sn_vec3 apart = sn_sub(velocities[pair->b].velocity, velocity_a);
        float mass = mass_of(states, pair);
        sn_vec3 velocity = sn_add_scaled(velocity_a, mass * states[pair->a].inverse_mass, apart);
        velocities[pair->a].velocity = velocity;
        velocities[pair->b].velocity = velocity;
        stage->pair_impulses[i] = sn_add_scaled(stage->pair_impulses[i], -mass, apart);
    }
}

void sn_exact_pairs_place(sn_exact_stage *stage)
{
    sn_tasks_for(stage->solver->tasks, stage->pair_count, PAIR_GRAIN, place_pairs, stage);
}

void sn_exact_pairs_settle(sn_exact_stage *stage)
{
    sn_tasks_for(stage->solver->tasks, stage->pair_count, PAIR_GRAIN, settle_pairs, stage);
}

void sn_exact_pairs_store(sn_exact_stage *stage)
{
    float inverse_duration = 1.0f / stage->solver->settings.duration;
    for (int i = 0; i < stage->pair_count; ++i) {
        *stage->pairs[i].force = sn_scale(stage->pair_impulses[i], inverse_duration);
    }
}
