// Felt masses (node_felt.h): for rows, a node that is held exactly weighs what holds it. A row that hangs a
// body of 10 kg on nodes of 10 g would otherwise act as if it moved 10 g. Felt inverse masses are:
//
//   nailed nodes    w/1000: not zero, so that the impulse can be read off
//   attached nodes  the response of the body with all its attached nodes at this point, times their number:
//                   all may be pushed at once (mass splitting, Tonge 2012)
//   free sets       that of the set, split in the same way: light nodes on heavy ones
//   links           a node that has most of the response, u = w a²/K > ½ with K = Σ w a² + bodies, is left
//                   with w (1 − u); no others, since rows that push two nodes of one link would overshoot.
//                   Even so these act up to 1 + u times too strongly, by what a push on one node does to the
//                   other. Single sweeps bear that; many iterations, of the position solver and of the
//                   staggered one, make it grow: there such nodes have their own masses
//
// but no more than the node's own w, and no less than a thirtieth of it: rows then pull by 3 % too weakly at
// most, and the rounding of velocities, which counts with the mass, takes no more momentum than it does of a
// body. Where there are no rows, there is nothing to do.
//
// Around rows, changes of velocity are turned into impulses, P = Δv/w_felt, and these passed on.
#include "solver/exact/exact_links.h"
#include "solver/nodes/node_felt.h"

// Least felt inverse masses, as parts of a node's own: of nailed nodes, and of others.
#define NAILED   1.0e-3f
#define HEAVIEST 3.0e-2f
// A node keeps its own mass unless it would be changed by more than this.
#define WORTHWHILE 0.7f

typedef enum felt_kind { FELT_NAILED, FELT_ATTACHED, FELT_JOINED } felt_kind;

typedef struct felt_node {
    int node;
    felt_kind kind;
    sn_vec3 *impulse;         // of a nailed node: of the nail on it
    float inverse_mass, felt; // inverse masses: its own, and the felt one
    sn_vec3 before;           // velocity
} felt_node;

typedef struct sn_exact_felt {
    felt_node *nodes;
    int count;
} sn_exact_felt;

// --- sets --------------------------------------------------------------------------------------------------

static void add_set(const sn_exact_stage *stage, const sn_exact_set *set, felt_kind kind, float inverse_mass)
{
    float least = kind == FELT_NAILED ? NAILED : HEAVIEST;
    for (int i = set->first; i < set->first + set->count; ++i) {
        int node = stage->members[i].node;
        float own = sn_link_nodes(stage)[node].inverse_mass, felt = sn_max(inverse_mass, least * own);
        if (felt < WORTHWHILE * own) {
            stage->felt->nodes[stage->felt->count++] =
                (felt_node){node, kind, &stage->impulses[i], .inverse_mass = own, .felt = felt};
        }
    }
}

static void choose_sets(const sn_exact_stage *stage, const float *responses)
{
    for (int i = 0; i < stage->set_count; ++i) {
        const sn_exact_set *set = &stage->sets[i];
        if (set->attachment == SN_EXACT_FREE) {
            float mass = 0.0f;
            for (int k = set->first; k < set->first + set->count; ++k) {
                mass += 1.0f / sn_link_nodes(stage)[stage->members[k].node].inverse_mass;
            }
            add_set(stage, set, FELT_JOINED, (float)set->count / mass);
        } else if (sn_link_body_key(stage, sn_exact_body_of(stage, set)) >= 0) {
            add_set(stage, set, FELT_ATTACHED, responses[i]);
        } else {
            add_set(stage, set, FELT_NAILED, 0.0f);
        }
    }
}

// --- sums and links
// -------------------------------------------------------------------------------------------------

typedef struct chooser {
    const sn_exact_stage *stage;
    int *felt_of;     // by node: its number among the felt ones plus one; 0 for none
    int *link_counts; // by body: how many links hold it
} chooser;

// Several links may hold a node: the heaviest counts.
static void add_node(const chooser *chooser, int node, float inverse_mass)
{
    sn_exact_felt *felt = chooser->stage->felt;
    float own = sn_link_nodes(chooser->stage)[node].inverse_mass,
          least = sn_max(inverse_mass, HEAVIEST * own);
    int *number = &chooser->felt_of[node];
    if (*number > 0) {
        float *other = &felt->nodes[*number - 1].felt;
        *other = sn_min(*other, least);
    } else if (least < WORTHWHILE * own) {
        felt->nodes[felt->count++] =
            (felt_node){.node = node, .kind = FELT_JOINED, .inverse_mass = own, .felt = least};
        *number = felt->count;
    }
}

// What a unit impulse does to the velocity of an end, mean over directions; a body answers for all its links.
static float response_of(const chooser *chooser, const sn_exact_end *end)
{
    const sn_solver *solver = chooser->stage->solver;
    float sum = 0.0f;
    for (int i = 0; i < end->node_count; ++i) {
        sum += end->weights[i] * end->weights[i] * sn_link_inverse_mass(chooser->stage, end->nodes[i]);
    }
    if (end->node_count == 0 && sn_link_body_key(chooser->stage, end->body) >= 0) {
        const sn_solver_body *body = &solver->bodies[end->body];
        sn_sym3 inverse = sn_solver_inertia_matrix(&solver->inertias[end->body]);
        sn_vec3 w = body->inverse_mass, arm = sn_rotate(body->rotation, end->place);
        float turning = (inverse.xx + inverse.yy + inverse.zz) * sn_length_squared(arm) -
                        sn_dot(arm, sn_sym3_apply(inverse, arm));
        sum += (float)chooser->link_counts[end->body] * (w.x + w.y + w.z + turning) / 3.0f;
    }
    return sum;
}

// Links that slide or are on their ramp leave their nodes free, as far as rows can tell. Nodes of sets are
// felt with these.
static void choose_link(const chooser *chooser, const sn_exact_link *link)
{
    float whole = response_of(chooser, &link->ends[0]) + response_of(chooser, &link->ends[1]);
    if (link->sliding >= 0 || link->share < 1.0f || !(whole > 0.0f)) {
        return;
    }
    for (int i = 0; i < 8; ++i) {
        const sn_exact_end *end = &link->ends[i / 4];
        if (i % 4 < end->node_count) {
            int node = end->nodes[i % 4];
            float weight = end->weights[i % 4], own = sn_link_nodes(chooser->stage)[node].inverse_mass;
            float part = own * weight * weight / whole;
            if (part > 0.5f && chooser->stage->link_work->set_of[node] < 0) {
                add_node(chooser, node, own * (1.0f - part));
            }
        }
    }
}

static void choose_sum(const chooser *chooser, const sn_exact_term *terms, int count)
{
    const sn_node_state *states = sn_link_nodes(chooser->stage);
    float whole = 0.0f;
    for (int i = 0; i < count; ++i) {
        whole += states[terms[i].node].inverse_mass * terms[i].weight * terms[i].weight;
    }
    for (int i = 0; i < count; ++i) {
        float own = states[terms[i].node].inverse_mass,
              part = own * terms[i].weight * terms[i].weight / whole;
        if (part > 0.5f) {
            add_node(chooser, terms[i].node, own * (1.0f - part));
        }
    }
}

static bool choose_links(const sn_exact_stage *stage)
{
    sn_arena *arena = stage->solver->arena;
    size_t nodes = (size_t)stage->solver->nodes.nodes->states.count,
           bodies = (size_t)stage->solver->body_count;
    chooser chooser = {.stage = stage,
                       .felt_of = sn_arena_take_zero(arena, nodes, sizeof *chooser.felt_of),
                       .link_counts = sn_arena_take_zero(arena, bodies, sizeof *chooser.link_counts)};
    if (chooser.felt_of == NULL || chooser.link_counts == NULL) {
        return false;
    }
    for (int i = 0; i < 2 * stage->link_count; ++i) {
        const sn_exact_end *end = &stage->links[i / 2].ends[i % 2];
        chooser.link_counts[end->node_count == 0 ? end->body : 0] += 1;
    }
    for (int i = 0; i < stage->link_count; ++i) {
        choose_link(&chooser, &stage->links[i]);
    }
    for (int i = 0; i < stage->sum_count; ++i) {
        choose_sum(&chooser, &stage->terms[stage->sums[i].first], stage->sums[i].count);
    }
    return true;
}

bool sn_exact_felt_begin(sn_exact_stage *stage)
{
    sn_arena *arena = stage->solver->arena;
    stage->felt = NULL;
    if (stage->solver->nodes.group_count == 0 && stage->solver->nodes.coupling_count == 0) {
        return true;
    }
    size_t most = (size_t)stage->member_count + (size_t)stage->link_count + (size_t)stage->sum_count;
    stage->felt = sn_arena_take_zero(arena, 1, sizeof *stage->felt);
    float *responses = sn_arena_take_zero(arena, (size_t)stage->attached_count, sizeof *responses);
    felt_node *nodes = sn_arena_take(arena, most, sizeof *nodes);
    if (stage->felt == NULL || responses == NULL || nodes == NULL) {
        return false;
    }
    stage->felt->nodes = nodes;
    sn_exact_attached_respond(stage, responses);
    choose_sets(stage, responses);
    bool has_own =
        stage->link_count + stage->sum_count == 0 || stage->solver->settings.type != SN_SOLVER_VELOCITY;
    bool ok = has_own || choose_links(stage);
    for (int i = 0; ok && i < stage->felt->count; ++i) {
        ok = sn_felt_set(&stage->solver->nodes, nodes[i].node, nodes[i].felt);
    }
    return ok;
}

// --- around rows -------------------------------------------------------------------------------------------

void sn_exact_open(sn_exact_stage *stage)
{
    sn_exact_attached_watch(stage);
    for (int i = 0; stage->felt != NULL && i < stage->felt->count; ++i) {
        felt_node *felt = &stage->felt->nodes[i];
        felt->before = sn_link_velocities(stage)[felt->node].velocity;
    }
}

// The nail takes the impulse at once; other nodes get the velocity that goes with their own mass. Returns
// whether anything acted.
static bool close_one(const sn_exact_stage *stage, const felt_node *felt)
{
    sn_vec3 *velocity = &sn_link_velocities(stage)[felt->node].velocity;
    sn_vec3 change = sn_sub(*velocity, felt->before);
    if (felt->kind == FELT_NAILED) {
        *felt->impulse = sn_add_scaled(*felt->impulse, -1.0f / felt->felt, change);
        *velocity = felt->before;
    } else {
        *velocity = sn_add_scaled(felt->before, felt->inverse_mass / felt->felt, change);
    }
    return sn_length_squared(change) > 0.0f;
}

// Bodies and their attached nodes share what rows did to either before anything moves by it.
void sn_exact_close(sn_exact_stage *stage)
{
    bool are_attached_pushed = false;
    for (int i = 0; stage->felt != NULL && i < stage->felt->count; ++i) {
        bool is_pushed = close_one(stage, &stage->felt->nodes[i]);
        are_attached_pushed |= is_pushed && stage->felt->nodes[i].kind == FELT_ATTACHED;
    }
    sn_exact_attached_share(stage, are_attached_pushed);
}
