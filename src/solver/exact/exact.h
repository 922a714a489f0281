// Exact local constraints (Gissler, Becker and Teschner 2006; methods C): points of deformables that
// coincide, with each other, with places (nails) or with points of bodies, to rounding error after every
// sub-step.
//
// The paper finds the force F̃ that puts points on target, given the scheme x⁺ = A s + c F, v⁺ = B s + d F.
// Here positions are corrected at the end of the sub-step: x̂ = x + h û is where everything else (forces,
// rows, contacts) has brought the node, whatever the integrator, and impulses act as at the beginning, c =
// h²/m: so sets of nodes with different integrators keep their momentum. There are
//
//   sets            nodes that are one point: x⁺_i = Σ m_j x̂_j / Σ m_j, or the place it is attached to
//   attached sets   on a body, which takes the twist of body and nodes as one (6 × 6)
//   sums            weighted sums of nodes that are zero, λ = −C/(Σ w_i a_i²), x⁺_i = x̂_i + w_i a_i λ
//   links           sums that share nodes, sets or bodies, slide along surfaces or have a ramp: systems
//
// and û⁺ = û + (x⁺ − x̂)/h. Displacements are taken from `moved`, since the step began, and not from
// positions, whose rounding would be divided by h and shake everything. Velocities at the end of the sub-step
// are corrected on their own, once contacts have relaxed (as RATTLE does): nailed nodes stand still, sets
// have one velocity, momentum is kept. The paper's schemes lack that where velocities flip (midpoint, RK2).
//
// Sets are disjoint. Links see a set as one node of its mass, immovable where it is nailed.
//
// For rows and contacts, nodes that are held exactly feel heavier than they are (exact_felt.c).
//
// This folder knows nodes and bodies by number; world/exact/exact_plan.h decides what each anchor becomes.
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

// A weighted sum of nodes that is zero: of the nodes of an anchor's b, less that of its a. None of them has a
// part in another sum, set or link. An end that is one node comes first.
typedef struct sn_exact_sum {
    int first, count; // in the stage's terms
    int split;        // of the first terms, which belong to one end, the others to the other
    int anchor;
    int deformable; // of one of the nodes; for the caller
} sn_exact_sum;

typedef struct sn_exact_term {
    int node;
    float weight;
} sn_exact_term;

// An end of a link: a weighted sum of nodes, a point of a body, or a place.
typedef struct sn_exact_end {
    int node_count; // 0 for a body or a place
    int nodes[4];
    float weights[4];
    int body;      // solver number; 0 for a place
    sn_vec3 place; // of a body: from its mass centre, in its frame; else at the beginning of the step
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

// What is known of the work of a link (exact_work.c).
typedef struct sn_exact_tally {
    sn_vec3 impulse, error; // when it was asked for: from a to b
} sn_exact_tally;

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
    const sn_exact_sum *sums;
    int sum_count;
    const sn_exact_term *terms;
    sn_exact_link *links;
    int link_count;
    // Taken from the arena when it begins.
    sn_solver *solver;
    // Impulses over the step [N s]: by member, on the node; by sum and by link, on b.
    sn_vec3 *impulses, *sum_impulses, *link_impulses;
    // exact_work.c: impulses whose work is known, by member; by link.
    sn_vec3 *counted;
    sn_exact_tally *tallies;
    struct sn_exact_attached *attached;
    struct sn_exact_links *link_work; // null without links
    struct sn_exact_felt *felt;       // null without rows
    int sub_step;                     // counts from 0
    bool is_together; // all points are where they belong when the step begins, and none slides
} sn_exact_stage;

// Called by sn_nodes_begin once starts and the pass are there, before rows are made. False without memory.
bool sn_exact_begin(sn_exact_stage *stage, sn_solver *solver);
// Around sweeps of rows, and around their warm start.
void sn_exact_open(sn_exact_stage *stage);
void sn_exact_close(sn_exact_stage *stage);
// Positions agree: after everything has moved, while velocities are still displacement over time.
void sn_exact_place(sn_exact_stage *stage);
// Velocities agree: at the end of a sub-step.
void sn_exact_settle(sn_exact_stage *stage);
// The same between open and close, once kept impulses have acted: those of the rows on one side of an anchor
// balance those on the other, and rows that saw only their own would give way. Not if points begin apart in
// this step: velocities that are made equal then would turn what they belong to.
void sn_exact_share(sn_exact_stage *stage);
// exact_work.c: adds, by energy account, the work of what drives since it was asked for.
void sn_exact_add_work(sn_exact_stage *stage, double *work);
// Forces are written.
void sn_exact_store(sn_exact_stage *stage);

// --- between the files of this idea ------------------------------------------------------------------------

// exact_sets.c: sets that are free or attached to places.
void sn_exact_sets_place(sn_exact_stage *stage);
void sn_exact_sets_settle(sn_exact_stage *stage);
void sn_exact_sets_store(sn_exact_stage *stage);
// exact_sums.c
bool sn_exact_sums_begin(sn_exact_stage *stage);
void sn_exact_sums_place(sn_exact_stage *stage);
void sn_exact_sums_settle(sn_exact_stage *stage);
void sn_exact_sums_store(sn_exact_stage *stage);
// exact_attached.c: sets that are attached to bodies.
bool sn_exact_attached_begin(sn_exact_stage *stage);
void sn_exact_attached_place(sn_exact_stage *stage);
void sn_exact_attached_settle(sn_exact_stage *stage);
// Around rows: bodies that these push share it with their attached nodes at once; all do if such nodes were
// pushed.
void sn_exact_attached_watch(sn_exact_stage *stage);
void sn_exact_attached_share(sn_exact_stage *stage, bool are_attached_pushed);
// The response of a body with its attached nodes to a unit impulse on a node of a set, mean over directions,
// times the number of these nodes: written by set, for bodies that impulses move.
void sn_exact_attached_respond(const sn_exact_stage *stage, float *by_set);
// exact_links.c
bool sn_exact_links_begin(sn_exact_stage *stage);
void sn_exact_links_place(sn_exact_stage *stage);
void sn_exact_links_settle(sn_exact_stage *stage);
// exact_work.c: false without memory.
bool sn_exact_work_begin(sn_exact_stage *stage);
// exact_felt.c: tells rows what nodes weigh. False without memory.
bool sn_exact_felt_begin(sn_exact_stage *stage);

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

// What is left of a sum: each end summed up on its own, as sn_point_now does.
static inline sn_vec3 sn_exact_sum_error(const sn_node_state *states, const sn_exact_sum *sum,
                                         const sn_exact_term *terms)
{
    sn_vec3 ends[2] = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    for (int i = 0; i < sum->split; ++i) {
        ends[0] = sn_add_scaled(ends[0], terms[i].weight, states[terms[i].node].position);
    }
    for (int i = sum->split; i < sum->count; ++i) {
        ends[1] = sn_add_scaled(ends[1], terms[i].weight, states[terms[i].node].position);
    }
    return sn_add(ends[0], ends[1]);
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
