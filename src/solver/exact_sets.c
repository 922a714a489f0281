// Nodes that are one point, free or nailed (Gissler 2006, equations 13 to 25; methods C):
//
//   X = Σ m_i x̂_i / Σ m_i,   V = Σ m_i v_i / Σ m_i
//
// or place and velocity of the nail, or of a member that is fixed.
#include "solver/exact.h"

static sn_vec3 state_of(const sn_nodes *nodes, int node, bool of_velocity)
{
    return of_velocity ? nodes->velocities.data[node].velocity : nodes->states.data[node].position;
}

// As seen from the first member, so that rounding is of the differences.
static sn_vec3 mean_of(const sn_exact_stage *stage, const sn_exact_set *set, bool of_velocity)
{
    const sn_nodes *nodes = stage->solver->nodes->nodes;
    const sn_exact_member *members = stage->members + set->first;
    sn_vec3 first = state_of(nodes, members[0].node, of_velocity), sum = sn_v(0.0f, 0.0f, 0.0f);
    float mass = 0.0f;
    for (int i = 0; i < set->count; ++i) {
        float inverse_mass = nodes->states.data[members[i].node].inverse_mass;
        sn_vec3 value = state_of(nodes, members[i].node, of_velocity);
        if (inverse_mass == 0.0f) {
            return value;
        }
        sum = sn_add_scaled(sum, 1.0f / inverse_mass, sn_sub(value, first));
        mass += 1.0f / inverse_mass;
    }
    return sn_add_scaled(first, 1.0f / mass, sum);
}

static sn_vec3 nail_now(const sn_exact_stage *stage, const sn_exact_set *set)
{
    int done = stage->sub_step + 1, count = stage->solver->settings.sub_steps;
    return done == count ? sn_add(set->place, set->way)
                         : sn_add_scaled(set->place, (float)done / (float)count, set->way);
}

// Adds what a change of velocity takes.
static void note(const sn_exact_stage *stage, int member, sn_vec3 change)
{
    float inverse_mass = stage->solver->nodes->nodes->states.data[stage->members[member].node].inverse_mass;
    if (inverse_mass > 0.0f) {
        stage->impulses[member] = sn_add_scaled(stage->impulses[member], 1.0f / inverse_mass, change);
    }
}

static void place_set(const sn_exact_stage *stage, const sn_exact_set *set)
{
    const sn_nodes *nodes = stage->solver->nodes->nodes;
    sn_vec3 place = set->carrier == SN_CARRIED_BY_PLACE ? nail_now(stage, set) : mean_of(stage, set, false);
    for (int i = set->first; i < set->first + set->count; ++i) {
        int node = stage->members[i].node;
        if (nodes->states.data[node].inverse_mass > 0.0f) {
            sn_vec3 before = nodes->velocities.data[node].velocity;
            sn_exact_put(stage, node, place);
            note(stage, i, sn_sub(nodes->velocities.data[node].velocity, before));
        }
    }
}

static void settle_set(const sn_exact_stage *stage, const sn_exact_set *set)
{
    const sn_nodes *nodes = stage->solver->nodes->nodes;
    sn_vec3 velocity = set->carrier == SN_CARRIED_BY_PLACE
                           ? sn_scale(set->way, 1.0f / stage->solver->settings.duration)
                           : mean_of(stage, set, true);
    for (int i = set->first; i < set->first + set->count; ++i) {
        int node = stage->members[i].node;
        if (nodes->states.data[node].inverse_mass > 0.0f) {
            note(stage, i, sn_sub(velocity, nodes->velocities.data[node].velocity));
            nodes->velocities.data[node].velocity = velocity;
        }
    }
}

void sn_exact_sets_place(sn_exact_stage *stage)
{
    for (int i = 0; i < stage->set_count; ++i) {
        if (stage->sets[i].carrier != SN_CARRIED_BY_BODY) {
            place_set(stage, &stage->sets[i]);
        }
    }
}

void sn_exact_sets_settle(sn_exact_stage *stage)
{
    for (int i = 0; i < stage->set_count; ++i) {
        if (stage->sets[i].carrier != SN_CARRIED_BY_BODY) {
            settle_set(stage, &stage->sets[i]);
        }
    }
}
