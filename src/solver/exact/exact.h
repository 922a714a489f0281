// Exact local constraints (Gissler, Becker and Teschner 2006; methods C): points of deformables that
// coincide, with each other, with nails or with points of bodies, to rounding error after every sub-step.
//
// The paper finds the force F̃ that puts points on target, given the scheme x⁺ = A s + c F, v⁺ = B s + d F.
// Here the sub-step is over before they are put there: x̂ = x + h û is where everything else (forces, rows,
// contacts) would have brought the node, whatever the integrator, and impulses act as at its beginning, c =
// h²/m: so sets of nodes with different integrators still keep their momentum. Then
//
//   nail             x⁺ = x_goal
//   points to point  x⁺_i = X = Σ m_j x̂_j / Σ m_j
//   riders           nodes on a body: it takes the twist of body and nodes as one (6 × 6), they its points
//   links            weighted sums of nodes: λ = −C/(Σ w_i a_i² + body), x⁺_i = x̂_i + w_i a_i λ; also ramps
//
// and û⁺ = û + (x⁺ − x̂)/h. Ways are taken from `moved`, since the step began, and not from places: these are
// rounded, and what rounding cuts off would be divided by h and shake everything. Velocities at the end of
// the sub-step are put right by themselves, once contacts have relaxed (as RATTLE does): nailed nodes stand,
// sets have one velocity, momentum is kept. That is what the paper's schemes lack whose velocities flip
// (midpoint, RK2).
//
// Sets are disjoint. Links see a set as one node of its mass, immovable where it is nailed. Links that share
// nodes, sets or bodies are solved together as one system. Those that slide add no energy.
//
// For rows and contacts, what is nailed, rides on a body or is held by heavier nodes weighs more than its own
// mass (node_felt.h): they would else believe to move a light node, and pull too weakly at what is behind it.
// sn_exact_close turns the change of velocity since sn_exact_open back into an impulse, P = Δv/w_felt, and
// passes that on.
//
// This room knows nodes and bodies by number; which anchor is what is decided in world/exact/exact_plan.h.
#ifndef SN_SOLVER_EXACT_EXACT_H
#define SN_SOLVER_EXACT_EXACT_H

#include "geometry/shapes/closest_point.h"
#include "solver/rows/end.h"
#include "solver/solver.h"

// The end of an anchor that an impulse acts on: the number of the anchor for its b, SN_EXACT_A of it for its
// a.
#define SN_EXACT_A(anchor) (~(anchor))

// A node of a set. Anchors make a tree of the set, which begins with its root.
typedef struct sn_exact_member {
    int node;   // the world's number
    int parent; // within the set, before this one; −1 for the root
    int end;    // of the anchor to the parent, the one that the node is; not of the root
} sn_exact_member;

// Instead of the number of an attachment.
enum { SN_EXACT_FREE = -1, SN_EXACT_FIXED = -2 };

// Nodes that are one point.
typedef struct sn_exact_set {
    int first, count; // in the stage's members; one or more
    int attachment;   // its number; SN_EXACT_FREE, or SN_EXACT_FIXED if users have fixed the first node
    int deformable;   // of the first node; for the caller
} sn_exact_set;

// What a set is attached to: a point of a body, or a place, which may move during the step.
typedef struct sn_exact_attachment {
    int body;             // solver number; 0 for a place, and for bodies that stand still in this step
    sn_vec3 place;        // of a body: from its mass centre, in its frame; else at the beginning of the step
    sn_vec3 displacement; // of a place, until the step ends
    int end;              // of the anchor, the one that the nodes are
} sn_exact_attachment;

// An end of a link: a weighted sum of nodes, a point of a body, or a place. Small, for many are read in every
// sub-step.
typedef struct sn_exact_end {
    int node_count; // 0 for a body or a place
    union {
        struct {
            int nodes[4];
            float weights[4];
        };
        struct {
            int body;      // solver number; 0 for a place
            sn_vec3 place; // of a body: from its mass centre, in its frame; else at the beginning of the step
        };
    };
} sn_exact_end;

// Two ends that are held together. C = b − a.
typedef struct sn_exact_link {
    sn_exact_end ends[2];
    sn_vec3 displacement; // of an end that is a place, until the step ends
    float share;          // of the error taken away by the first sub-step: 1 unless there is a ramp
    float growth;         // of that, a sub-step; it ends at 1
    int anchor;
    int deformable; // of one of the ends; for the caller
    int sliding;    // which end slides along a surface; −1 for none
    float friction; // Coulomb's coefficient of sliding
    int first_node; // of the surface
    const sn_closest_surface *surface;
    sn_closest_point *closest; // where it is on the surface; written
} sn_exact_link;

typedef struct sn_exact_stage {
    // In: filled by the caller.
    sn_vec3 *forces; // by anchor, on its b, mean over the step; written
    // Sets that are attached come first, and of those the ones on bodies; free pairs, most of all, come last.
    // Members are in the order of sets.
    const sn_exact_set *sets;
    int set_count, attached_count, pair_begin;
    const sn_exact_attachment *attachments;
    const sn_exact_member *members;
    int member_count;
    // The first links share their nodes with no other link or set, and hold neither bodies nor surfaces: they
    // are solved in closed form.
    sn_exact_link *links;
    int link_count, alone_count;
    // Taken from the arena when it begins.
    sn_solver *solver;
    sn_vec3 *spot_impulses;           // on the node
    sn_vec3 *impulses;                // by member, over the step [N s]
    sn_vec3 *link_impulses;           // by link, on b
    int *set_of;                      // by node: the set it is in, −1; null without links
    struct sn_exact_links *link_work; // null without links
    struct sn_exact_attached *attached;
    struct sn_exact_felt *felt;
    int sub_step; // counts from 0
} sn_exact_stage;

// Called by sn_nodes_begin once starts and the pass are there, before rows are made. False without memory.
bool sn_exact_begin(sn_exact_stage *stage, sn_solver *solver);
// Around sweeps of rows, and around their warm start.
void sn_exact_open(sn_exact_stage *stage);
void sn_exact_close(sn_exact_stage *stage);
// Puts the nodes where they belong: after everything has moved, velocities still being way over time.
void sn_exact_place(sn_exact_stage *stage);
// Velocities agree: at the end of a sub-step.
void sn_exact_settle(sn_exact_stage *stage);
// Forces are handed back.
void sn_exact_store(sn_exact_stage *stage);

// --- between the files of this idea ------------------------------------------------------------------------

// exact_sets.c: sets that are free or attached to places.
void sn_exact_sets_place(sn_exact_stage *stage);
void sn_exact_sets_settle(sn_exact_stage *stage);
void sn_exact_sets_store(sn_exact_stage *stage);
// exact_attached.c: sets that bodies carry.
bool sn_exact_attached_begin(sn_exact_stage *stage);
void sn_exact_attached_place(sn_exact_stage *stage);
void sn_exact_attached_settle(sn_exact_stage *stage);
// Around rows: bodies that these push share it with their riders at once, all do if riders were pushed.
void sn_exact_attached_watch(sn_exact_stage *stage);
void sn_exact_attached_share(sn_exact_stage *stage, bool are_attached_pushed);
// What a unit impulse on a node of a set does to the velocity of the body with all its riders there, mean
// over directions, times the number of riders: written for sets on bodies that impulses move.
void sn_exact_attached_respond(const sn_exact_stage *stage, float *by_set);
// exact_felt.c: tells rows what nodes weigh. False without memory.
bool sn_exact_felt_begin(sn_exact_stage *stage);
// exact_links.c
bool sn_exact_links_begin(sn_exact_stage *stage);
void sn_exact_links_place(sn_exact_stage *stage);
void sn_exact_links_settle(sn_exact_stage *stage);

// The body a set is attached to; 0 for none.
static inline int sn_exact_body_of(const sn_exact_stage *stage, const sn_exact_set *set)
{
    return set->attachment >= 0 ? stage->attachments[set->attachment].body : 0;
}

// The force of an anchor, on its b, from the impulse on one of its ends over the step.
static inline void sn_exact_store_force(const sn_exact_stage *stage, int end, sn_vec3 impulse,
                                        float inverse_duration)
{
    stage->forces[end < 0 ? SN_EXACT_A(end) : end] =
        sn_scale(impulse, end < 0 ? -inverse_duration : inverse_duration);
}

// Where the nodes of an end are.
static inline sn_vec3 sn_exact_end_place(const sn_node_state *states, const sn_exact_end *end)
{
    sn_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < end->node_count; ++i) {
        sum = sn_add_scaled(sum, end->weights[i], states[end->nodes[i]].position);
    }
    return sum;
}

// An impulse and an angular impulse on a body: changes its velocity,
void sn_exact_push_body(const sn_solver *solver, int number, sn_vec3 impulse, sn_vec3 angular_impulse);
// or moves it, too, as if they had acted at the beginning of the sub-step.
void sn_exact_move_body(const sn_solver *solver, int number, sn_vec3 impulse, sn_vec3 angular_impulse);

#endif
