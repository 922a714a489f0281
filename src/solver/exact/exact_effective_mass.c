// Nodes that weigh what holds them, for rows. A row that hangs a body of 10 kg on nodes
// of 10 g would otherwise believe to move 10 g.
//
//   nailed            w/1000: not zero, so that the impulse can be read off
//   riders            what the body with all its riders answers at this point, times the number of riders:
//                     all may be pushed at once (mass splitting, Tonge 2012)
//   sets of their own the mass of the set, split in the same way: light nodes on heavy ones
//   of links          a node that has most of what gives way, u = w a²/K > ½ with K = Σ w a² + bodies, is
//   left
//                     with w (1 − u). Two of one link must not be lifted: rows that push both would overshoot
//
// but no more than their own w, and no less than a thirtieth of it: rows then pull by 3 % too weakly at most,
// and rounding, which is of velocities and counts with the mass, takes no more momentum than it does of a
// body. Nothing is lifted where nothing is swept.
#include "solver/exact/exact_links.h"
#include "solver/nodes/node_felt.h"

// Inverse masses by their own: of nails, and the least of others.
#define NAILED   1.0e-3f
#define HEAVIEST 3.0e-2f
// Lifting by less than this is not worth it.
#define WORTH_LIFTING 0.7f

typedef enum sn_effective_mass_kind { LIFT_NAILED, LIFT_ATTACHED, LIFT_JOINED } sn_effective_mass_kind;

typedef struct lift {
    int node;
    sn_effective_mass_kind kind;
    sn_vec3 *impulse;  // of nails: what they have given the node
    float own, lifted; // inverse masses
    sn_vec3 before;    // velocity
} lift;

typedef struct sn_effective_masses {
    lift *lifts;
    int count;
} sn_effective_masses;

// --- who is lifted, and how far ----------------------------------------------------------------------------

// Of a free set, as each of its nodes sees it.
static float shared_inverse_mass(const sn_exact_stage *stage, const sn_exact_set *set)
{
    const sn_node_state *states = stage->solver->nodes.nodes->states.data;
    float mass = 0.0f;
    for (int i = set->first; i < set->first + set->count; ++i) {
        mass += 1.0f / states[stage->members[i].node].inverse_mass;
    }
    return (float)set->count / mass;
}

// Lifts the nodes of a set to an inverse mass.
static void lift_set(const sn_exact_stage *stage, const sn_exact_set *set, sn_effective_mass_kind kind,
                     float inverse_mass)
{
    float least = kind == LIFT_NAILED ? NAILED : HEAVIEST;
    const sn_node_state *states = stage->solver->nodes.nodes->states.data;
    for (int i = set->first; i < set->first + set->count; ++i) {
        int node = stage->members[i].node;
        float own = states[node].inverse_mass, lifted = sn_max(inverse_mass, least * own);
        if (lifted < WORTH_LIFTING * own) {
            stage->lifts->lifts[stage->lifts->count++] = (lift){
                .node = node, .kind = kind, .impulse = &stage->impulses[i], .own = own, .lifted = lifted};
        }
    }
}

static void choose_set(const sn_exact_stage *stage, int index, const float *responses)
{
    const sn_exact_set *set = &stage->sets[index];
    if (set->attachment == SN_EXACT_FREE) {
        lift_set(stage, set, LIFT_JOINED, shared_inverse_mass(stage, set));
    } else if (set->attachment >= 0 && sn_exact_body_of(stage, set) >= stage->solver->dynamic_begin) {
        lift_set(stage, set, LIFT_ATTACHED, responses[index]);
    } else {
        lift_set(stage, set, LIFT_NAILED, 0.0f);
    }
}

// --- nodes of links ----------------------------------------------------------------------------------------

// What links need to know while they choose.
typedef struct chooser {
    const sn_exact_stage *stage;
    int *lift_of; // by node: −1 for none
    int *crowd;   // by body: how many links pull at it
} chooser;

static void lift_node(const chooser *chooser, int node, float inverse_mass)
{
    sn_effective_masses *lifts = chooser->stage->lifts;
    float own = sn_link_nodes(chooser->stage)[node].inverse_mass;
    float lifted = sn_max(inverse_mass, HEAVIEST * own);
    int *index = &chooser->lift_of[node];
    if (*index >= 0) {
        lifts->lifts[*index].lifted = sn_min(lifts->lifts[*index].lifted, lifted);
    } else if (lifted < WORTH_LIFTING * own) {
        *index = lifts->count;
        lifts->lifts[lifts->count++] =
            (lift){.node = node, .kind = LIFT_JOINED, .own = own, .lifted = lifted};
    }
}

// What a unit impulse does to the velocity of an end, mean over directions; a body answers for all its links.
static float response_of(const chooser *chooser, const sn_solver_end *end)
{
    const sn_solver *solver = chooser->stage->solver;
    float sum = 0.0f;
    for (int i = 0; i < end->node_count; ++i) {
        sum += end->weights[i] * end->weights[i] * sn_link_node_weight(chooser->stage, end->nodes[i]);
    }
    if (sn_link_end_has_body(chooser->stage, end)) {
        const sn_solver_body *body = &solver->bodies[end->body];
        sn_sym3 inverse = sn_solver_inertia_matrix(&solver->inertias[end->body]);
        sn_vec3 w = body->inverse_mass, arm = sn_rotate(body->rotation, end->local);
        float turning = (inverse.xx + inverse.yy + inverse.zz) * sn_length_squared(arm) -
                        sn_dot(arm, sn_sym3_apply(inverse, arm));
        sum += (float)chooser->crowd[end->body] * (w.x + w.y + w.z + turning) / 3.0f;
    }
    return sum;
}

// Those that slide or are on their ramp leave their nodes free, as far as rows can tell. Nodes of sets were
// lifted with these.
static void choose_link(const chooser *chooser, const sn_exact_link *link)
{
    float whole = response_of(chooser, &link->ends[0]) + response_of(chooser, &link->ends[1]);
    if (link->sliding >= 0 || link->share < 1.0f || !(whole > 0.0f)) {
        return;
    }
    for (int i = 0; i < link->ends[0].node_count + link->ends[1].node_count; ++i) {
        int side = i < link->ends[0].node_count ? 0 : 1;
        const sn_solver_end *end = &link->ends[side];
        int k = side == 0 ? i : i - link->ends[0].node_count, node = end->nodes[k];
        float own = sn_link_nodes(chooser->stage)[node].inverse_mass;
        float part = own * end->weights[k] * end->weights[k] / whole;
        if (part > 0.5f && chooser->stage->set_of[node] < 0) {
            lift_node(chooser, node, own * (1.0f - part));
        }
    }
}

static bool choose_links(const sn_exact_stage *stage)
{
    sn_arena *arena = stage->solver->arena;
    int node_count = stage->solver->nodes.nodes->states.count;
    chooser chooser = {
        .stage = stage,
        .lift_of = sn_arena_take(arena, (size_t)node_count, sizeof *chooser.lift_of),
        .crowd = sn_arena_take_zero(arena, (size_t)stage->solver->body_count, sizeof *chooser.crowd)};
    if (chooser.lift_of == NULL || chooser.crowd == NULL) {
        return false;
    }
    for (int i = 0; i < node_count; ++i) {
        chooser.lift_of[i] = -1;
    }
    for (int i = 0; i < 2 * stage->link_count; ++i) {
        const sn_solver_end *end = &stage->links[i / 2].ends[i % 2];
        chooser.crowd[end->node_count == 0 ? end->body : 0] += 1;
    }
    for (int i = 0; i < stage->link_count; ++i) {
        choose_link(&chooser, &stage->links[i]);
    }
    return true;
}

// Spots share their nodes with nothing else.
static void choose_spot(const sn_exact_stage *stage, const sn_exact_spot *spot)
{
    const sn_node_state *states = stage->solver->nodes.nodes->states.data;
    float whole = states[spot->node].inverse_mass;
    for (int i = 0; i < spot->count; ++i) {
        whole += spot->weights[i] * spot->weights[i] * states[spot->nodes[i]].inverse_mass;
    }
    for (int i = -1; i < spot->count; ++i) {
        int node = i < 0 ? spot->node : spot->nodes[i];
        float weight = i < 0 ? 1.0f : spot->weights[i], own = states[node].inverse_mass;
        float part = own * weight * weight / whole, lifted = own * sn_max(1.0f - part, HEAVIEST);
        if (part > 0.5f && lifted < WORTH_LIFTING * own) {
            stage->lifts->lifts[stage->lifts->count++] =
                (lift){.node = node, .kind = LIFT_JOINED, .own = own, .lifted = lifted};
        }
    }
}

static bool tell_rows(const sn_exact_stage *stage)
{
    for (int i = 0; i < stage->lifts->count; ++i) {
        const lift *lift = &stage->lifts->lifts[i];
        if (!sn_felt_set(&stage->solver->nodes, lift->node, lift->lifted)) {
            return false;
        }
    }
    return true;
}

bool sn_exact_effective_mass_begin(sn_exact_stage *stage)
{
    sn_arena *arena = stage->solver->arena;
    stage->lifts = NULL;
    if (stage->solver->nodes.group_count == 0 && stage->solver->nodes.coupling_count == 0) {
        return true;
    }
    size_t most = (size_t)stage->member_count + (size_t)stage->link_count + (size_t)stage->spot_count;
    stage->lifts = sn_arena_take_zero(arena, 1, sizeof *stage->lifts);
    float *responses = sn_arena_take_zero(arena, (size_t)stage->set_count, sizeof *responses);
    if (stage->lifts == NULL || responses == NULL) {
        return false;
    }
    stage->lifts->lifts = sn_arena_take(arena, most, sizeof(lift));
    if (stage->lifts->lifts == NULL) {
        return false;
    }
    sn_exact_attached_respond(stage, responses);
    for (int i = 0; i < stage->set_count; ++i) {
        choose_set(stage, i, responses);
    }
    for (int i = 0; i < stage->spot_count; ++i) {
        choose_spot(stage, &stage->spots[i]);
    }
    return (stage->link_count == 0 || choose_links(stage)) && tell_rows(stage);
}

// --- around rows -------------------------------------------------------------------------------------------

void sn_exact_open(sn_exact_stage *stage)
{
    sn_exact_attached_watch(stage);
    const sn_nodes *nodes = stage->solver->nodes.nodes;
    for (int i = 0; stage->lifts != NULL && i < stage->lifts->count; ++i) {
        lift *lift = &stage->lifts->lifts[i];
        lift->before = nodes->velocities.data[lift->node].velocity;
    }
}

// What acted on a node goes to the nail at once, or becomes the velocity of its own mass. Returns whether
// anything acted.
static bool close_one(const sn_exact_stage *stage, const lift *lift)
{
    const sn_nodes *nodes = stage->solver->nodes.nodes;
    sn_vec3 *velocity = &nodes->velocities.data[lift->node].velocity;
    sn_vec3 change = sn_sub(*velocity, lift->before);
    if (lift->kind == LIFT_NAILED) {
        *lift->impulse = sn_add_scaled(*lift->impulse, -1.0f / lift->lifted, change);
        *velocity = lift->before;
    } else {
        *velocity = sn_add_scaled(lift->before, lift->own / lift->lifted, change);
    }
    return sn_length_squared(change) > 0.0f;
}

// Bodies and their riders share what rows did to either, before anything moves by it.
void sn_exact_close(sn_exact_stage *stage)
{
    bool are_attached_pushed = false;
    for (int i = 0; stage->lifts != NULL && i < stage->lifts->count; ++i) {
        const lift *lift = &stage->lifts->lifts[i];
        bool is_pushed = close_one(stage, lift);
        are_attached_pushed |= is_pushed && lift->kind == LIFT_ATTACHED;
    }
    sn_exact_attached_share(stage, are_attached_pushed);
}
