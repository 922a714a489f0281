// What the files of exact links share. Links are grouped into systems by what they move (exact_links.c), and
// each system is solved by iteration (exact_systems.c, exact_equations.c); a sum that has its nodes to itself
// is none of them, but solved in closed form (exact_sums.c). Ends that slide along a surface get their nodes
// and weights from the closest point first (exact_slides.c); sliding adds no energy (exact_energy.c).
#ifndef SN_SOLVER_EXACT_EXACT_LINKS_H
#define SN_SOLVER_EXACT_EXACT_LINKS_H

#include "math/wide.h"
#include "solver/exact/exact.h"

// What friction does to a link that slides.
typedef enum sn_link_grip { SN_LINK_FREE, SN_LINK_STICKS, SN_LINK_SLIPS } sn_link_grip;

// A link of a system in this sub-step.
typedef struct sn_link_state {
    sn_vec3 kept;    // the error that its ramp leaves
    sn_vec3 impulse; // on b
    sn_vec3 latest;  // the part of it from the latest time that its system was placed
    float surplus;   // its share of the energy that placing has taken away in this sub-step [J]
    // Of one that slides.
    sn_closest_point before; // where it was
    sn_closest_point after;  // where it is if it slides
    bool is_kept;            // by a corner, an edge or the rim of the surface from coming nearer
    sn_link_grip grip;
    sn_vec3 drag;    // of one that slips: the impulse of friction on b, times h
    sn_vec3 outward; // where the rim keeps it from going; else zero
} sn_link_state;

// What links move: a node, a free set of nodes, or a body.
typedef struct sn_link_unit {
    int key;                               // of the map
    int node, set, body;                   // the first node; −1 for none. 0 for no body
    float inverse_mass;                    // of nodes
    sn_vec3d linear, angular;              // impulses that are being summed up, or the velocities they cause
    sn_vec3 linear_before, angular_before; // velocities when the system was opened
} sn_link_unit;

// The most units that a link may move: three corners each of where it was and is, and four nodes.
enum { SN_LINK_UNITS = 10 };

// A point of a unit that a link holds.
typedef struct sn_link_lever {
    int unit, side;
    int node;       // −1 for the point of a body
    int body;       // of the unit; 0 for none
    float factor;   // weight, negative at end a
    sn_vec3 arm;    // of bodies: from the mass centre to the point held
    sn_vec3 action; // and to where impulses act
} sn_link_lever;

// A link of a system, linearised where it is now: levers, and up to three unit directions (rows) along which
// errors are taken away.
typedef struct sn_link_view {
    const sn_exact_link *link;
    sn_link_state *state;
    int number;
    float share; // of the error that is taken away
    int lever_count, row_count;
    sn_link_lever levers[8];
    sn_vec3 rows[3]; // zero beyond the count
    sn_vec3 error, impulse;
    double scales[3];                      // of rows, to a unit diagonal; 0 for none
    double x[3], r[3], kr[3], p[3], kp[3]; // of the iteration
} sn_link_view;

// Links that share what they move.
typedef struct sn_link_system {
    const sn_exact_stage *stage;
    const int *links; // all of its links
    int link_count;
    sn_link_view *views; // those that act
    int count;
    sn_link_unit *units;
    int unit_count;
    bool is_limited;   // its energy
    double lead, gain; // energy that its impulses add: had none acted before, and so far [J]
} sn_link_system;

typedef struct sn_exact_links {
    float *shares;         // by link: of the error, taken away now; 0 for a link that does nothing
    sn_link_state *states; // by link
    bool has_slides;
    int *set_of;  // by node: the set it is in, −1
    int *keys;    // by node: what moves it: a node, or the number of nodes plus a body; −1 for nothing
    int *unit_of; // by key: the unit while a system is open, −1
    int *parents; // by key: of the union–find
    int *numbers; // by root: its system, −1
    int *order;   // links, system by system
    int *begins;  // of systems in the order, one more than there are
    int system_count;
    sn_link_view *views; // by place in the order
    sn_link_unit *units; // SN_LINK_UNITS of them each
} sn_exact_links;

// exact_links.c: what a link may move, in up to three ends. Returns how many.
int sn_link_list_ends(const sn_exact_stage *stage, int number, sn_exact_end ends[3]);

// exact_slides.c: closest points follow the other ends; true if one has gone to another piece.
bool sn_link_slides_follow(sn_exact_stage *stage);
// Whether friction may hold it.
bool sn_link_slide_rubs(const sn_exact_stage *stage, int number);
// Goes back to where it was, to find out whether it can stick there.
void sn_link_slide_stick(const sn_exact_stage *stage, int number);
// Given the impulse on b, times h, that would make it stick: sticks or slips.
void sn_link_slide_decide(const sn_exact_stage *stage, int number, sn_vec3 impulse);
// Slides along its piece to where the other end has come to.
void sn_link_slide_on(const sn_exact_stage *stage, int number);
// The same over all pieces, once everything is in its place. True if one has gone to another piece, or is
// still apart from it. The last time these stay.
bool sn_link_slides_arrive(sn_exact_stage *stage, bool is_last);
// Directions in which its ends are put together. Returns how many.
int sn_link_slide_place_rows(const sn_exact_stage *stage, int number, sn_vec3 rows[3]);
// Directions in which its ends must have the same velocity. Returns how many.
int sn_link_slide_settle_rows(const sn_exact_stage *stage, int number, sn_vec3 velocity, sn_vec3 rows[3]);
// The part of a vector along which it is free to slide.
sn_vec3 sn_link_slide_along(const sn_exact_stage *stage, int number, sn_vec3 v);

// exact_systems.c. `again`: closest points came to other pieces; grips and what ramps leave are decided.
void sn_link_system_place(const sn_exact_stage *stage, int number, bool again);
void sn_link_system_settle(const sn_exact_stage *stage, int number);

// exact_equations.c: a system with all its units, to be closed again.
sn_link_system sn_link_system_open(const sn_exact_stage *stage, int number);
void sn_link_system_close(const sn_link_system *system);
// Of a node, or of the free set it is in; 0 if it is attached.
float sn_link_inverse_mass(const sn_exact_stage *stage, int node);
// Looks at the links whose ramp has come so far. Impulses act at the points held.
void sn_link_view_all(sn_link_system *system, float share);
void sn_link_rows_set(sn_link_view *view, const sn_vec3 *rows, int count);
// What a unit impulse along a direction does to the error along it.
float sn_link_response(const sn_link_system *system, const sn_link_view *view, sn_vec3 direction);
// Finds the impulses of all views that take their errors away.
void sn_link_solve(const sn_link_system *system);
// Applies an impulse to b of a link; if it `moves`, then as if at the beginning of the sub-step.
void sn_link_apply(sn_link_system *system, sn_link_view *view, sn_vec3 impulse, bool moves);
// The impulses of all views, each times a factor.
void sn_link_apply_all(sn_link_system *system, float factor, bool moves);

// exact_energy.c: how fast an end moves by what no impulse moves.
sn_vec3 sn_link_driven_velocity(const sn_exact_stage *stage, const sn_exact_link *link, int side);
// Whether placing a system may not add energy.
bool sn_link_is_limited(const sn_link_system *system);
// The power of an impulse on b with the velocities of now, or of when the system was opened.
double sn_link_work(const sn_link_system *system, const sn_link_view *view, sn_vec3 impulse, bool now);
// When it has been placed: takes back the velocities that are too much.
void sn_link_limit_energy(const sn_link_system *system);

// --- ends --------------------------------------------------------------------------------------------------

static inline sn_node_state *sn_link_nodes(const sn_exact_stage *stage)
{
    return stage->solver->nodes.nodes->states.data;
}

static inline sn_node_velocity *sn_link_velocities(const sn_exact_stage *stage)
{
    return stage->solver->nodes.nodes->velocities.data;
}

// What moves a body, if impulses do; else −1.
static inline int sn_link_body_key(const sn_exact_stage *stage, int body)
{
    return body > 0 && body >= stage->solver->dynamic_begin ? stage->solver->nodes.nodes->states.count + body
                                                            : -1;
}

// Where an end is, summed up as sn_point_now does.
static inline sn_vec3 sn_link_place(const sn_exact_stage *stage, const sn_exact_link *link, int side)
{
    const sn_exact_end *end = &link->ends[side];
    if (end->node_count > 0) {
        return sn_exact_end_place(sn_link_nodes(stage), end);
    }
    if (end->body > 0) {
        const sn_solver_body *body = &stage->solver->bodies[end->body];
        return sn_add(body->center, sn_rotate(body->rotation, end->place));
    }
    int done = stage->sub_step + 1, count = stage->solver->settings.sub_steps;
    return done == count ? sn_add(end->place, link->displacement)
                         : sn_add_scaled(end->place, (float)done / (float)count, link->displacement);
}

static inline sn_vec3 sn_link_velocity(const sn_exact_stage *stage, const sn_exact_link *link, int side)
{
    const sn_exact_end *end = &link->ends[side];
    if (end->node_count > 0) {
        sn_vec3 sum = {0.0f, 0.0f, 0.0f};
        for (int i = 0; i < end->node_count; ++i) {
            sum = sn_add_scaled(sum, end->weights[i], sn_link_velocities(stage)[end->nodes[i]].velocity);
        }
        return sum;
    }
    if (end->body > 0) {
        const sn_solver_velocity *velocity = &stage->solver->velocities[end->body];
        sn_vec3 arm = sn_rotate(stage->solver->bodies[end->body].rotation, end->place);
        return sn_add(sn_take3(velocity->linear), sn_cross(sn_take3(velocity->angular), arm));
    }
    return sn_scale(link->displacement, 1.0f / stage->solver->settings.duration);
}

// From end a to end b.
static inline sn_vec3 sn_link_apart(const sn_exact_stage *stage, const sn_exact_link *link)
{
    return sn_sub(sn_link_place(stage, link, 1), sn_link_place(stage, link, 0));
}

// Corrects the position of a node by what rounding has left, without a change of velocity.
static inline void sn_link_snap(const sn_exact_stage *stage, int node, sn_vec3 place)
{
    sn_node_solver *nodes = &stage->solver->nodes;
    nodes->moved[node] = sn_sub(place, nodes->starts[node]);
    nodes->nodes->states.data[node].position = place;
}

// The rounding of coordinates of this size: four units in the last place.
static inline float sn_link_rounding(sn_vec3 place)
{
    sn_vec3 size = sn_abs3(place);
    return 4.0f * 1.1920929e-7f * sn_max(size.x, sn_max(size.y, size.z));
}

#endif
