// What the files of exact links share. A link that meets no other one and moves nothing but nodes is solved
// in closed form (exact_links.c); all others are parts of systems (exact_systems.c), small ones with dense
// matrices (exact_views.c) and large ones without (exact_many.c). Which is which is found by union–find
// (exact_groups.c). Ends that slide get their nodes and weights from a foot first (exact_slides.c).
#ifndef SN_SOLVER_EXACT_EXACT_LINKS_H
#define SN_SOLVER_EXACT_EXACT_LINKS_H

#include "solver/exact/exact.h"

// The most links that are solved by elimination. More than twice of what is planned come together only where
// feet gather: those are solved by iteration.
#define SN_LINKS_AT_ONCE 16

// What friction does to a link that slides.
typedef enum sn_link_grip { SN_LINK_FREE, SN_LINK_STICKS, SN_LINK_SLIPS } sn_link_grip;

// A link of a system in this sub-step.
typedef struct sn_link_state {
    sn_vec3 kept;    // the error that its ramp leaves
    sn_vec3 impulse; // on b
    // Of one that slides.
    sn_closest_point before; // where its foot was
    sn_closest_point after;  // where it is if it slides
    bool is_kept;            // there by a corner, an edge or a rim, from which it does not come nearer
    sn_link_grip grip;
    sn_vec3 drag;    // of one that slips: the impulse of friction on b, times h
    sn_vec3 outward; // where a rim keeps it from going; else zero
    float taken;     // energy that sliding has lost in this sub-step so far [J]
    sn_vec3 latest;  // of its impulse, what the latest pass did
} sn_link_state;

// Links that share nodes, sets or bodies: a range of the order.
typedef struct sn_link_system {
    int first, count;
} sn_link_system;

typedef struct sn_exact_links {
    float *shares;         // by link: of the error, taken away now; 0 for a link that does nothing
    bool *is_in_system;    // by link
    sn_link_state *states; // by link; null without systems
    int *order;            // links: those in closed form, then system by system
    int alone_count;       // of those in closed form
    sn_link_system *systems;
    int system_count;
    float *set_weights; // inverse masses of sets
    bool has_slides;
    struct sn_link_many *many; // null unless systems may become large
    // Of nodes and bodies, before a system is placed; null without slides.
    sn_node_velocity *node_velocities;
    sn_solver_velocity *body_velocities;
    // For grouping.
    int *parents;     // by link
    int *numbers;     // by root: of its system
    int *node_owners; // a link that moves the node, −1 for none
    int *body_owners;
} sn_exact_links;

// exact_groups.c
bool sn_link_groups_begin(sn_exact_stage *stage);
void sn_link_groups_make(sn_exact_stage *stage);
// What a link may move, in up to three ends. Returns how many.
int sn_link_list_ends(const sn_exact_stage *stage, int number, sn_solver_end ends[3]);
// exact_slides.c: feet follow what they hold; true if one has gone to another piece.
bool sn_link_slides_follow(sn_exact_stage *stage);
// Whether it cannot slide any further in this sub-step.
bool sn_link_slide_is_held(const sn_exact_stage *stage, int link);
// Whether friction has a say.
bool sn_link_slide_rubs(const sn_exact_stage *stage, int link);
// Stands where it was, to find out whether it can.
void sn_link_slide_stick(const sn_exact_stage *stage, int number);
// Given the impulse on b, times h, that would make it stick: sticks or slips.
void sn_link_slide_decide(const sn_exact_stage *stage, int number, sn_vec3 impulse);
// Slides along its piece to where the other end has come to.
void sn_link_slide_on(const sn_exact_stage *stage, int number);
// The same over all pieces, once everything is in its place. True if one has gone to another piece, or is
// still apart from it. The last time these stay.
bool sn_link_slides_arrive(sn_exact_stage *stage, bool is_last);
// Directions in which its ends are put together unless it is held, at most two. Returns how many.
int sn_link_slide_across(const sn_exact_stage *stage, int number, sn_vec3 rows[2]);
// Directions in which the ends of a link that slides must have the same velocity, at most three. Returns how
// many.
int sn_link_slide_rows(const sn_exact_stage *stage, int number, sn_vec3 velocity, sn_vec3 rows[3]);
// The part of a vector along which it is free to slide.
sn_vec3 sn_link_slide_along(const sn_exact_stage *stage, int number, sn_vec3 v);
// exact_many.c: memory of large systems. False without.
bool sn_link_many_begin(sn_exact_stage *stage);
// exact_energy.c: memory of velocities. False without.
bool sn_link_energy_begin(sn_exact_stage *stage);
// exact_systems.c
// `again`: feet came to other pieces; grips and what ramps leave are decided already.
void sn_link_system_place(const sn_exact_stage *stage, const int *links, int count, bool again);
void sn_link_system_settle(const sn_exact_stage *stage, const int *links, int count);

// --- ends --------------------------------------------------------------------------------------------------

static inline sn_node_state *sn_link_nodes(const sn_exact_stage *stage)
{
    return stage->solver->nodes.nodes->states.data;
}

static inline sn_node_velocity *sn_link_velocities(const sn_exact_stage *stage)
{
    return stage->solver->nodes.nodes->velocities.data;
}

static inline bool sn_link_end_has_body(const sn_exact_stage *stage, const sn_solver_end *end)
{
    return end->node_count == 0 && end->body >= stage->solver->dynamic_begin;
}

// The body that carries a node, of those that impulses move; 0 for none. Links only come to such nodes by
// sliding: then they move the body.
static inline int sn_link_parent(const sn_exact_stage *stage, int node)
{
    int set = stage->set_of[node], body = set >= 0 ? sn_exact_body_of(stage, &stage->sets[set]) : 0;
    return body >= stage->solver->dynamic_begin ? body : 0;
}

// The inverse mass of a node, or of the set it is in.
static inline float sn_link_node_weight(const sn_exact_stage *stage, int node)
{
    int set = stage->set_of[node];
    return set < 0 ? sn_link_nodes(stage)[node].inverse_mass : stage->link_work->set_weights[set];
}

// Where an end is, summed up as sn_point_place does.
static inline sn_vec3 sn_link_place(const sn_exact_stage *stage, const sn_exact_link *link, int side)
{
    const sn_solver_end *end = &link->ends[side];
    if (end->node_count > 0) {
        sn_vec3 sum = {0.0f, 0.0f, 0.0f};
        for (int i = 0; i < end->node_count; ++i) {
            sum = sn_add_scaled(sum, end->weights[i], sn_link_nodes(stage)[end->nodes[i]].position);
        }
        return sum;
    }
    if (end->body > 0) {
        const sn_solver_body *body = &stage->solver->bodies[end->body];
        return sn_add(body->center, sn_rotate(body->rotation, end->local));
    }
    int done = stage->sub_step + 1, count = stage->solver->settings.sub_steps;
    return done == count ? sn_add(end->fixed, link->displacement)
                         : sn_add_scaled(end->fixed, (float)done / (float)count, link->displacement);
}

// How fast an end moves.
static inline sn_vec3 sn_link_velocity(const sn_exact_stage *stage, const sn_exact_link *link, int side)
{
    const sn_solver_end *end = &link->ends[side];
    if (end->node_count > 0) {
        sn_vec3 sum = {0.0f, 0.0f, 0.0f};
        for (int i = 0; i < end->node_count; ++i) {
            sum = sn_add_scaled(sum, end->weights[i], sn_link_velocities(stage)[end->nodes[i]].velocity);
        }
        return sum;
    }
    if (end->body > 0) {
        const sn_solver_velocity *velocity = &stage->solver->velocities[end->body];
        sn_vec3 arm = sn_rotate(stage->solver->bodies[end->body].rotation, end->local);
        return sn_add(sn_take3(velocity->linear), sn_cross(sn_take3(velocity->angular), arm));
    }
    return sn_scale(link->displacement, 1.0f / stage->solver->settings.duration);
}

// Puts a node where rounding alone keeps it from being.
static inline void sn_link_snap(const sn_exact_stage *stage, int node, sn_vec3 place)
{
    sn_node_solver *nodes = &stage->solver->nodes;
    nodes->moved[node] = sn_sub(place, nodes->starts[node]);
    nodes->nodes->states.data[node].position = place;
}

// What rounding makes of coordinates of this size: four units in the last place.
static inline float sn_link_rounding(sn_vec3 place)
{
    sn_vec3 size = sn_abs3(place);
    return 4.0f * 1.1920929e-7f * sn_max(size.x, sn_max(size.y, size.z));
}

#endif
