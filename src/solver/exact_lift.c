// Nodes that weigh what holds them while rows are made and swept. A row that hangs a body of 10 kg on nodes
// of 10 g would otherwise believe to move 10 g.
//
//   nailed            w/1000: not zero, so that the impulse can be read off
//   riders            what the body with all its riders answers at this point, times the number of riders:
//                     all may be pushed at once (mass splitting, Tonge 2012)
//   sets of their own the mass of the set, split in the same way: light nodes on heavy ones
//
// but no more than their own w, and no less than a thirtieth of it: rows then pull by 3 % too weakly at most,
// and rounding, which is of velocities and counts with the mass, takes no more momentum than it does of a
// body. Nothing is lifted where nothing is swept.
#include "solver/exact.h"

// Inverse masses by their own: of nails, and the least of others.
#define NAILED   1.0e-3f
#define HEAVIEST 3.0e-2f
// Lifting by less than this is not worth it.
#define WORTH_LIFTING 0.7f

typedef enum sn_lift_kind { LIFT_NAILED, LIFT_RIDER, LIFT_JOINED } sn_lift_kind;

typedef struct lift {
    int node, member;
    sn_lift_kind kind;
    float own, lifted; // inverse masses
    sn_vec3 before;    // velocity
} lift;

typedef struct sn_exact_lifts {
    lift *lifts;
    int count;
} sn_exact_lifts;

// --- who is lifted, and how far ----------------------------------------------------------------------------

static bool is_kinematic(const sn_exact_stage *stage, const sn_exact_set *set)
{
    return set->carrier == SN_CARRIED_BY_BODY && set->body < stage->solver->dynamic_begin;
}

// Of a set that nothing carries, as each of its nodes sees it; 0 if one of them is fixed.
static float shared_inverse_mass(const sn_exact_stage *stage, const sn_exact_set *set)
{
    const sn_node_state *states = stage->solver->nodes->nodes->states.data;
    float mass = 0.0f;
    for (int i = set->first; i < set->first + set->count; ++i) {
        float own = states[stage->members[i].node].inverse_mass;
        if (own == 0.0f) {
            return 0.0f;
        }
        mass += 1.0f / own;
    }
    return (float)set->count / mass;
}

// Lifts the nodes of a set to an inverse mass.
static void lift_set(const sn_exact_stage *stage, const sn_exact_set *set, sn_lift_kind kind,
                     float inverse_mass)
{
    float least = kind == LIFT_NAILED ? NAILED : HEAVIEST;
    const sn_node_state *states = stage->solver->nodes->nodes->states.data;
    for (int i = set->first; i < set->first + set->count; ++i) {
        int node = stage->members[i].node;
        float own = states[node].inverse_mass, lifted = sn_max(inverse_mass, least * own);
        if (lifted < WORTH_LIFTING * own) {
            stage->lifts->lifts[stage->lifts->count++] =
                (lift){.node = node, .member = i, .kind = kind, .own = own, .lifted = lifted};
        }
    }
}

static void choose(const sn_exact_stage *stage, int index, const float *responses)
{
    const sn_exact_set *set = &stage->sets[index];
    if (set->carrier == SN_CARRIED_BY_PLACE || is_kinematic(stage, set)) {
        lift_set(stage, set, LIFT_NAILED, 0.0f);
    } else if (set->carrier == SN_CARRIED_BY_BODY) {
        lift_set(stage, set, LIFT_RIDER, responses[index]);
    } else {
        float shared = shared_inverse_mass(stage, set);
        lift_set(stage, set, shared > 0.0f ? LIFT_JOINED : LIFT_NAILED, shared);
    }
}

bool sn_exact_lift_begin(sn_exact_stage *stage)
{
    sn_arena *arena = stage->solver->arena;
    stage->lifts = NULL;
    if (stage->solver->nodes->group_count == 0 && stage->solver->nodes->mixed_count == 0) {
        return true;
    }
    stage->lifts = sn_arena_take_zero(arena, 1, sizeof *stage->lifts);
    float *responses = sn_arena_take_zero(arena, (size_t)stage->set_count, sizeof *responses);
    if (stage->lifts == NULL || responses == NULL) {
        return false;
    }
    stage->lifts->lifts = sn_arena_take(arena, (size_t)stage->member_count, sizeof(lift));
    if (stage->lifts->lifts == NULL) {
        return false;
    }
    sn_exact_riders_respond(stage, responses);
    for (int i = 0; i < stage->set_count; ++i) {
        choose(stage, i, responses);
    }
    return true;
}

// --- up and down -------------------------------------------------------------------------------------------

void sn_exact_lift(sn_exact_stage *stage)
{
    const sn_nodes *nodes = stage->solver->nodes->nodes;
    for (int i = 0; stage->lifts != NULL && i < stage->lifts->count; ++i) {
        lift *lift = &stage->lifts->lifts[i];
        lift->before = nodes->velocities.data[lift->node].velocity;
        nodes->states.data[lift->node].inverse_mass = lift->lifted;
    }
}

// What acted on a node goes to the nail at once, or becomes the velocity of its own mass. Returns whether
// anything acted.
static bool lower_one(const sn_exact_stage *stage, const lift *lift)
{
    const sn_nodes *nodes = stage->solver->nodes->nodes;
    sn_vec3 *velocity = &nodes->velocities.data[lift->node].velocity;
    sn_vec3 change = sn_sub(*velocity, lift->before);
    nodes->states.data[lift->node].inverse_mass = lift->own;
    if (lift->kind == LIFT_NAILED) {
        stage->impulses[lift->member] =
            sn_add_scaled(stage->impulses[lift->member], -1.0f / lift->lifted, change);
        *velocity = lift->before;
    } else {
        *velocity = sn_add_scaled(lift->before, lift->own / lift->lifted, change);
    }
    return sn_length_squared(change) > 0.0f;
}

// Riders hand on to their bodies what they were given, so that both move by it.
void sn_exact_lower(sn_exact_stage *stage)
{
    bool are_riders_pushed = false;
    for (int i = 0; stage->lifts != NULL && i < stage->lifts->count; ++i) {
        const lift *lift = &stage->lifts->lifts[i];
        bool is_pushed = lower_one(stage, lift);
        are_riders_pushed |= is_pushed && lift->kind == LIFT_RIDER;
    }
    if (are_riders_pushed) {
        sn_exact_riders_settle(stage);
    }
}
