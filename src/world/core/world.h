// The state of a world, and the functions that the files of src/world share. Only they include it.
#ifndef SN_WORLD_CORE_WORLD_H
#define SN_WORLD_CORE_WORLD_H

#include "base/arena.h"
#include "base/error.h"
#include "base/id_pool.h"
#include "base/tasks.h"
#include "collision/broad/bounds_tree.h"
#include "collision/broad/pair_map.h"
#include "collision/narrow/contact_pair.h"
#include "collision/narrow/patch_pool.h"
#include "constraint/kind.h"
#include "geometry/shapes/closest_point.h"
#include "long_range/distances.h"
#include "matter/rigid.h"
#include "sinew/sinew.h"
#include "solver/nodes/bound_reactions.h"
#include "solver/rows/end.h"
#include "world/deformables/deformable.h"
#include "world/deformables/deformable_contacts.h"

// Marks that a definition came from its default function.
#define SN_COOKIE_WORLD 0x534e5744u
#define SN_COOKIE_RIGID 0x534e5247u
#define SN_COOKIE_SHAPE 0x534e5348u

// Masses a dynamic body may have: beyond, inverses and inertias leave float32. [kg]
#define SN_MIN_MASS 1.0e-12f
#define SN_MAX_MASS 1.0e15f
// Moments of inertia below this have inverses that leave float32 with the first impulse. [kg m²]
#define SN_MIN_INERTIA 1.0e-30f

// Index of the ground among the bodies.
#define SN_GROUND 0

typedef struct sn_constraint_data {
    sn_constraint_kind kind;
    sn_definition definition; // pointers inside are not used: name and data are below
    char *name;               // null for none
    int custom_kind;          // number in the world's table, −1 if the kind is built in
    bool yields;              // exact, but held by rows: something contradicts it (energy_balance.c)
    _Alignas(16) unsigned char custom_data[SN_MAX_CUSTOM_DATA];
    float impulses[SN_MAX_ROWS];   // of the last sub-step, by row: warm start
    float references[SN_MAX_ROWS]; // the same at which hard rows do not yield (joint_settling.c)
    float sub_step;                // that both belong to [s]; 0 before the first
    sn_vec3 torque;                // on b, mean of the last step
    sn_vec3 nail;                  // of an end that is a place: where it was when the last step ended
    int ramp_done;                 // steps of its ramp
    sn_closest_point closest;      // of an end on a surface
} sn_constraint_data;

static inline void sn_constraint_forget(sn_constraint_data *data)
{
    memset(data->impulses, 0, sizeof data->impulses);
    memset(data->references, 0, sizeof data->references);
    data->sub_step = 0.0f;
}

// A constraint as an edge of the graph. Kept apart and small, because every step visits all that are active.
typedef struct sn_constraint_link {
    int member[2];            // what its ends belong to (SN_SOFT_MEMBER); −1 for a place in the world
    int previous[2], next[2]; // edges in the members' lists
    int active_index;         // in the list of those that are on and have an awake member, −1 if not
    bool is_on;               // switched on, and at its time when the last step began or it was changed
    bool is_anchor;           // a ball that holds nothing but a point, exact or with an end not of a body
    bool can_break;           // under some force or torque
} sn_constraint_link;

typedef struct sn_body_bound sn_body_bound;
typedef SN_ARRAY(sn_body_bound) sn_body_bound_list;
typedef SN_ARRAY(int) sn_int_list;

typedef struct sn_member_pair {
    int member[2];
} sn_member_pair;

// The active constraints by use. Made again only when one is added, removed or changed, so that many
// thousands between the same two things cost a step nothing (graph.c).
typedef struct sn_active_parts {
    bool is_fresh;
    bool bounds_fresh;              // of bodies (body_bounds.c)
    bool unions_fresh;              // as far as bounds are, too (unions.c)
    bool holds_fresh;               // bounds know what constraints hold in place (build_bounds.c)
    SN_ARRAY(sn_member_pair) pairs; // what they hold together; no two that follow each other are the same
    SN_ARRAY(int) bodies;           // that hold nothing but bodies and places, and are not exact
    SN_ARRAY(int) nodes;            // that hold nodes, and are not exact
    SN_ARRAY(int) breakable;
    // Room for making bounds of bodies: connections of one graph at a time, what holds it, and the next list.
    sn_distance_edges bound_edges;
    sn_int_list bound_sources;
    sn_body_bound_list bounds;
} sn_active_parts;

typedef struct sn_exact_plan sn_exact_plan;
typedef struct sn_union_member sn_union_member;
typedef SN_ARRAY(sn_union_member) sn_union_list;
typedef struct sn_united sn_united;

// A deformable and something it touches, as in sn_soft_key.
typedef struct sn_soft_touch {
    uint32_t deformable, other;
    uint16_t generation, other_generation;
    bool is_reported; // there are events for its beginning and end
} sn_soft_touch;

typedef SN_ARRAY(sn_soft_touch) sn_soft_touch_list;

typedef struct sn_custom_kind {
    char name[SN_MAX_NAME + 1];
    sn_row_function function;
    int data_size;
} sn_custom_kind;

// The lists of events of a world: type of an event, name of the list, name of its count in sn_events.
#define SN_EVENT_LISTS(LIST)                                                                                 \
    LIST(sn_touch_event, begin, begin_count)                                                                 \
    LIST(sn_touch_event, end, end_count)                                                                     \
    LIST(sn_hit_event, hits, hit_count)                                                                      \
    LIST(sn_break_event, breaks, break_count)                                                                \
    LIST(sn_sleep_event, sleeps, sleep_count)                                                                \
    LIST(sn_move_event, moves, move_count)                                                                   \
    LIST(sn_deformable_touch_event, deformable_begin, deformable_begin_count)                                \
    LIST(sn_deformable_touch_event, deformable_end, deformable_end_count)                                    \
    LIST(sn_deformable_hit_event, deformable_hits, deformable_hit_count)                                     \
    LIST(sn_deformable_sleep_event, deformable_sleeps, deformable_sleep_count)                               \
    LIST(sn_deformable_move_event, deformable_moves, deformable_move_count)

// The pose and velocity a body had when the step began.
typedef struct sn_start_pose {
    sn_vec3 center;
    sn_quat rotation;
    sn_vec3 linear_velocity, angular_velocity;
} sn_start_pose;

// The chain of hinges that a body is a link of (solver/rows/hinge_planes.h): out of its plane it moves as
// one.
typedef struct sn_swept_chain {
    int first;      // place of a link that stands for the chain, −1 without one
    sn_vec3 normal; // of the plane
    float time;     // of that link: when the first link of the chain is stopped, 1 if none
} sn_swept_chain;

static inline bool sn_body_has_moved(const sn_body *body, const sn_start_pose *start)
{
    sn_vec3 c = body->center, d = start->center;
    sn_quat q = body->rotation, r = start->rotation;
    return c.x != d.x || c.y != d.y || c.z != d.z || q.x != r.x || q.y != r.y || q.z != r.z || q.w != r.w;
}

// What an island carries (settle.c).
typedef struct sn_island_load {
    float sag;          // by how much its load makes it sink [m]
    float speed;        // of the fastest body, at its rim [m/s]
    float lower, upper; // heights between which it is [m]
    float sway;         // it buckles in sub-steps longer than 1/√sway [1/s²]
} sn_island_load;

// What hangs on nodes, and on what. Arrays are by body.
typedef struct sn_hung_bodies {
    int *parents;   // sets of bodies that hard joints hold together (union_find.h)
    int *ties;      // of a set, by its root: see hanging_loads.c
    float *masses;  // of a set, by its root; 0 if something else may bear it [kg]
    float *holders; // of the nodes that hold the body [kg]
} sn_hung_bodies;

// Islands sorted by how many sub-steps they take (sub_steps.c).
#define SN_MAX_CLASSES 16
typedef struct sn_solve_classes {
    int count, sub_steps[SN_MAX_CLASSES];
    int body_count;
    uint8_t *of_place;     // as places of islands: awake bodies, then deformables by their indices
    sn_island_load *loads; // by root; null where nothing settles (settle.c)
    int *load_of;          // by place of a body: its root
    const uint8_t
        *is_borne; // by body: it presses on nodes, and what holds them bears it (pressing_loads.h); or null
    sn_hung_bodies hung; // where anything hangs on nodes (hanging_loads.h)
    int shared;          // the class of what is held exactly or detected again within the step; −1 for none
    int current;         // the one being solved
} sn_solve_classes;

struct sn_world {
    sn_world_def def;
    sn_error
        *error;   // in memory of its own, so that functions that take a const world can fail with a message
    uint16_t tag; // in every id of this world
    bool locked;  // inside a step or a callback
    sn_contact_filter contact_filter; // null for none
    void *contact_filter_user;
    sn_tasks *tasks;
    sn_arena arena;

    sn_id_pool body_ids, shape_ids, constraint_ids, contact_ids;
    SN_ARRAY(sn_body) bodies;
    SN_ARRAY(sn_shape_data) shapes;
    SN_ARRAY(sn_constraint_data) constraints;
    SN_ARRAY(sn_constraint_link) constraint_links; // by constraint
    double next_switch;                  // the time when one begins or ceases to hold, or earlier; not saved
    SN_ARRAY(sn_vec3) constraint_forces; // on b, mean of the last step: apart, for steps write little else
    SN_ARRAY(sn_contact_data) contacts;
    sn_patch_pool patch_pool; // where contacts keep their patches
    SN_ARRAY(sn_custom_kind) custom_kinds;

    // Deformables.
    sn_nodes nodes;
    sn_id_pool deformable_ids;
    SN_ARRAY(sn_deformable_data) deformables;
    sn_soft_detector soft;                                // contacts
    sn_soft_touch_list soft_touches, soft_touches_before; // now; and room for the list of the next step
    sn_exact_plan *exact;                                 // which are held exactly (exact.h)

    // What is awake: lists of indices. Each member knows its place in its list.
    sn_int_list awake_bodies, active_contacts, active_constraints;
    sn_int_list met_contacts;         // active ones with patches, in their order; made when asked for
    sn_active_parts active;           // of the constraints; neither is saved
    SN_ARRAY(sn_loaded_island) loads; // islands that took more sub-steps in the last step (sub_steps.c)
    sn_body_bound_list body_bounds;
    sn_union_list unions; // follow from the constraints: not saved

    // Broad phase.
    sn_bounds_tree static_tree, moving_tree; // of static bodies' shapes; of all others'
    sn_pair_map pairs;                       // shapes → contact
    sn_int_list pending_shapes;              // that look for partners at the next step
    SN_ARRAY(uint64_t) new_pairs;            // found in this step

    // Of each list, the events before `published` belong to the last step; later ones wait for the next.
    struct {
#define SN_EVENT_LIST(T, name, count_name)                                                                   \
    struct {                                                                                                 \
        SN_ARRAY(T) list;                                                                                    \
        int published;                                                                                       \
    } name; // NOLINT(bugprone-macro-parentheses)
        SN_EVENT_LISTS(SN_EVENT_LIST)
#undef SN_EVENT_LIST
    } events;

    SN_ARRAY(sn_residual) residuals; // of the iterations of the last step, while they are measured
    sn_statistics last;              // of the last step; counts of objects are filled in when asked
    // The guard is verified at the end of each step: in debug builds, unless a test says otherwise. What it
    // let through so far, in steps that began without overlaps.
    bool verifies_guard;
    int let_through;
    sn_profile profile;
    uint64_t step_count;
    double time;
    float last_duration; // of the last step [s]; 0 before the first
    int frozen_count, frozen_node_count;
    uint64_t step_allocations;
    sn_solve_classes classes;
    // By place in awake_bodies; in the arena, from solve to sweep. Memory for the times is taken before
    // anything moves, so that a sweep cannot fail.
    sn_start_pose *start_poses;
    float *sweep_times;
    sn_swept_chain *swept_chains;
    sn_united *united; // bodies that are one in this step (unions.c)
    struct sn_saved_shape
        *saved_shapes; // of deformables corrected in this step (deformables_recovery.c); in the arena
    struct sn_energy_islands *energy_islands; // of this step (energy_accounts.h); in the arena
    // By node, of awake deformables: where they were when the step began, and their velocities then.
    const sn_vec3 *node_starts, *node_start_velocities;
};

// --- lookup.c: from ids to things, and names for messages ----------------------------------------

// Null with SN_ERROR_ID's message when the id is zero, stale or foreign.
sn_body *sn_world_body(const sn_world *world, sn_rigid id);
sn_shape_data *sn_world_shape(const sn_world *world, sn_shape id);
sn_constraint_data *sn_world_constraint(const sn_world *world, sn_constraint id);
sn_deformable_data *sn_world_deformable(const sn_world *world, sn_deformable id);
sn_deformable sn_deformable_id(const sn_world *world, int index);
int sn_body_index(const sn_world *world, const sn_body *body);
sn_rigid sn_rigid_id(const sn_world *world, int index);
sn_shape sn_shape_id(const sn_world *world, int index);
sn_constraint sn_constraint_id(const sn_world *world, int index);

typedef struct sn_label {
    char text[SN_MAX_NAME + 65];
} sn_label;
// The label of a thing: its kind and its name (at most SN_MAX_NAME bytes); without a name (null or "") its
// number; without both (−1) the kind alone.
sn_label sn_label_make(const char *kind, const char *name, int index);
// "box of rigid 'crate'".
sn_label sn_label_part(const char *part, const sn_label *owner);
// "rigid 'crate'" or "rigid 12"; "hinge 'door'" or "hinge 3"; "box 5 of rigid 'crate'".
sn_label sn_body_label(const sn_world *world, int index);
sn_label sn_constraint_label(const sn_world *world, int index);
sn_label sn_shape_label(const sn_world *world, int index);
const char *sn_shape_type_name(sn_shape_type type);
sn_label sn_deformable_label(const sn_world *world, int index);

// world.c: the settings of a world that affect its state, in the order in which snapshots keep them.
extern const sn_field sn_world_def_fields[];
// SN_OK unless the world is null (SN_ERROR_NULL) or locked (SN_ERROR_LOCKED).
sn_status sn_world_check_open(const sn_world *world, const char *function);
// Copies a name of at most SN_MAX_NAME bytes; null gives "". SN_ERROR_NAME if longer.
sn_status sn_name_copy(char *target, const char *name, sn_error *error, const char *object);
// Sets a name in memory of its own, so that users can keep the pointer while the thing exists; "" is null.
// False, with the old name kept, without memory; an equal name stays where it is.
bool sn_name_set(char **name, const char *text);
void sn_name_release(char **name);

// --- graph.c: who touches whom, who is awake -----------------------------------------------------

// Bodies and deformables are the members of a graph, whose connected parts are islands. A body is denoted by
// its index, a deformable by its index with this bit.
#define SN_SOFT_MEMBER 0x40000000

static inline int sn_soft_member(int deformable)
{
    return deformable | SN_SOFT_MEMBER;
}
// Also for members of constraints, of which −1 is a place in the world.
static inline bool sn_member_is_soft(int member)
{
    return member >= 0 && (member & SN_SOFT_MEMBER) != 0;
}
// The body of a member that is no deformable: the ground for a place in the world.
static inline int sn_member_body(int member)
{
    return member >= 0 ? member : SN_GROUND;
}

static inline bool sn_member_is_dynamic_body(const sn_world *world, int member)
{
    return member >= 0 && !sn_member_is_soft(member) && sn_body_is_dynamic(&world->bodies.data[member]);
}

static inline sn_energy_share *sn_member_energy(const sn_world *world, int member)
{
    return sn_member_is_soft(member) ? &world->deformables.data[member & ~SN_SOFT_MEMBER].energy
                                     : &world->bodies.data[member].energy;
}

// The edges of the graph are contacts of bodies, constraints, and contacts of deformables, which are found
// again in every step. A contact of bodies or a constraint has two ends, numbered 2·index + side, each in a
// list of its member; an end at a place in the world is in no list. While one of its members is awake, an
// edge is in the list of active ones, unless it is a constraint that is off.
typedef struct sn_edge_end {
    int member, other; // whose list it is in, and at the other end; −1 for a place in the world
    int *previous, *next;
} sn_edge_end;

typedef struct sn_index_list {
    int *data, *count;
} sn_index_list;

typedef struct sn_edge_kind {
    const char *what;
    int *(*first_of)(const sn_world *world, int member); // null for a member that has no such edges
    sn_edge_end (*end_of)(const sn_world *world, int edge);
    int *(*place_of)(const sn_world *world, int index); // in the list of the active, −1 if not
    bool (*is_on)(const sn_world *world, int index);
    sn_index_list (*active_list)(sn_world *world);
} sn_edge_kind;

enum { SN_CONTACT_EDGES, SN_CONSTRAINT_EDGES, SN_EDGE_KINDS };
extern const sn_edge_kind sn_edge_kinds[SN_EDGE_KINDS];

// Wakes a dynamic body with its sleeping island; lists a kinematic body as awake. No effect on static bodies.
void sn_world_wake(sn_world *world, int body);
// The same for a deformable.
void sn_world_wake_deformable(sn_world *world, int deformable);
void sn_world_wake_member(sn_world *world, int member);
// By what changes its motion, but nothing that its springs store.
void sn_world_wake_pushed(sn_world *world, int member);
bool sn_world_member_sleeps(const sn_world *world, int member);
// Whether it may move in the next step: an awake body that is not static, an awake deformable.
bool sn_world_member_is_awake(const sn_world *world, int member);
// Wakes everything that touches a member or is held to it.
void sn_world_wake_neighbors(sn_world *world, int member);
// The members of a contact of a deformable; false if one was removed.
bool sn_world_soft_contact_members(const sn_world *world, const sn_soft_contact_data *contact,
                                   int members[2]);
// The members of a contact of a deformable, if it joins them: if they press on each other, touch, or may
// touch before the step ends. False otherwise, and if one was removed.
bool sn_world_soft_contact_joins(const sn_world *world, const sn_soft_contact_data *contact, int members[2]);
// Puts the members (all awake, an island) to sleep together.
void sn_world_put_to_sleep(sn_world *world, const int *members, int count);
// Puts the whole island of an awake member to sleep (islands.c). False without memory.
bool sn_world_sleep_island_of(sn_world *world, int member);
// Takes one body off the list of the awake (a kinematic one that stopped, or one about to be removed).
void sn_world_unlist_body(sn_world *world, int body);

// Islands of what is awake, as a union–find. Places are those in the list of awake bodies, then deformables
// by their indices.
typedef struct sn_islands {
    int *parent; // by place
    int body_count, count;
} sn_islands;
// In the arena; false without memory. `all_contacts`: everything that has a row in common, also those that do
// not touch each other yet, as the solver must see both ends of a row.
bool sn_world_find_islands(sn_world *world, bool all_contacts, sn_islands *islands);
// Makes the islands of two members one.
void sn_islands_join(const sn_world *world, const sn_islands *islands, int a, int b);
// The place that stands for the island of a place.
int sn_island_root(const sn_islands *islands, int place);
// The place of a member; −1 for one that takes no part: asleep, or not moved by forces.
int sn_island_place(const sn_world *world, const sn_islands *islands, int member);

// Whether a body or a deformable is of the class of islands that is being solved; kinematic bodies are of
// all.
bool sn_world_is_solved(const sn_world *world, int member);

// Whether bounds are derived: by all solvers but the staggered one, unless the settings say no.
static inline bool sn_world_has_bounds(const sn_world *world)
{
    return world->def.long_range.bounds && world->def.solver != SN_SOLVER_STAGGERED;
}

// A new contact between two shapes; −1 without memory.
int sn_world_contact_add(sn_world *world, int shape_a, int shape_b);
// Removes a contact; reports its end if it touched.
void sn_world_contact_remove(sn_world *world, int contact);
// Removes all contacts of a body, or only those with `other` (−1: all), or of one shape (−1: all).
void sn_world_contacts_remove(sn_world *world, int body, int other, int shape);
// The edge that follows in the list of constraints of a member.
static inline int sn_next_constraint(const sn_world *world, int edge)
{
    return world->constraint_links.data[edge >> 1].next[edge & 1];
}
// The member at the other end of an edge in that list; −1 for a place in the world.
static inline int sn_constraint_other(const sn_world *world, int edge)
{
    return world->constraint_links.data[edge >> 1].member[1 - (edge & 1)];
}
// Links a constraint into its members' lists and, if it is on, the list of the active.
void sn_world_constraint_link(sn_world *world, int constraint);
void sn_world_constraint_unlink(sn_world *world, int constraint);
// The active constraints by use. Never fails: memory was reserved when they were added.
const sn_active_parts *sn_world_active_parts(sn_world *world);
// Whether some constraint forbids contacts between the two.
bool sn_world_contact_forbidden(const sn_world *world, int body_a, int body_b);
// Most active contacts are pairs of shapes that are only near each other. Finds the others.
void sn_world_list_met_contacts(sn_world *world);
// Makes room so that listing bodies, contacts and constraints cannot fail. False without memory.
bool sn_world_reserve_lists(sn_world *world);

// --- shapes.c ------------------------------------------------------------------------------------

// Checks the type's geometry; makes the normal of a plane a unit vector.
sn_status sn_shape_check_geometry(sn_shape_data *shape, sn_error *error, const char *object);
// Removes a shape from its body, the tree and the contacts, without touching the body's mass.
void sn_world_shape_drop(sn_world *world, int index);
// Makes a new box of a shape after its body was placed or its geometry changed; it looks for partners in the
// next step.
void sn_world_shape_refresh(sn_world *world, int index);
// The tree that holds shapes of bodies of this type.
sn_bounds_tree *sn_world_tree_of(sn_world *world, sn_rigid_type type);
// Moves the body's shapes to the tree for its new type and makes them look for partners. False, with nothing
// changed, without memory.
bool sn_world_change_tree(sn_world *world, int body, sn_rigid_type type);
// Whether a body of that type can have the mass of its shapes: each 0 or at least SN_MIN_MASS, their sum at
// most SN_MAX_MASS. `changed` (may be null) replaces the shape of index `replaced` (−1: is added).
sn_status sn_world_check_shape_masses(const sn_world *world, const sn_body *body, sn_rigid_type type,
                                      const sn_shape_data *changed, int replaced, const char *object);
// How much larger than needed the boxes of a body's shapes are made. [m]
float sn_world_fat_margin(const sn_body *body);
// Computes mass (unless set by the user), mass centre and radii from the shapes. The body's origin stays.
void sn_world_update_mass(sn_world *world, int index);

// --- constraints.c -------------------------------------------------------------------------------

// Whether there is a definition, and from the kind's default function.
sn_status sn_constraint_check_origin(const sn_world *world, sn_constraint_kind kind, const void *def);
// Adds a constraint to an open world; `custom_kind` is −1 for built-in kinds.
sn_status sn_world_constraint_add(sn_world *world, sn_constraint_kind kind, const void *def, int custom_kind,
                                  sn_constraint *out);
// Replaces the definition of a constraint of that kind.
sn_status sn_world_constraint_set(sn_world *world, sn_constraint constraint, sn_constraint_kind kind,
                                  const void *def);
// The constraint, if it is of that kind.
sn_status sn_world_constraint_of_kind(const sn_world *world, sn_constraint constraint,
                                      sn_constraint_kind kind, sn_constraint_data **data);
// Gives a constraint a definition with the same ends, if it is valid; name and user's data stay.
sn_status sn_world_constraint_tune(sn_world *world, sn_constraint_data *data, sn_definition *definition);
// Updates the link of a constraint in the graph from its definition.
void sn_world_note_constraint(sn_world *world, int index);
// Whether the plan of exact constraints and of those that hold nodes depends on it.
bool sn_constraint_is_planned(const sn_constraint_data *data);
// Whether it holds if a step begins now: switched on, and at its time.
bool sn_constraint_holds(const sn_world *world, int index);
// Wakes what it holds.
void sn_world_wake_ends(sn_world *world, int index);
// When a step begins: switches on and off those whose time began or ended since the last one.
void sn_world_switch_constraints(sn_world *world);
// Removes a constraint; what it held wakes and may touch again.
void sn_world_constraint_drop(sn_world *world, int index);
// Removes all constraints of a body or a deformable.
void sn_world_constraints_drop(sn_world *world, int member);

// --- points.c ------------------------------------------------------------------------------------

// SN_OK if the point exists now; the message names object and field.
sn_status sn_point_check(const sn_world *world, const sn_point *point, const char *object, const char *field);
// The position of a point that was checked, and its pose.
sn_vec3 sn_point_now(const sn_world *world, const sn_point *point);
sn_pose sn_point_pose_now(const sn_world *world, const sn_point *point);
// The member of the graph that it belongs to; −1 for a place in the world.
int sn_point_member(const sn_point *point);

// --- ends.c --------------------------------------------------------------------------------------

// Whether a constraint of that kind and definition can have its two ends. Fields that a point of its type
// does not have become zero.
sn_status sn_constraint_check_ends(const sn_world *world, sn_constraint_kind kind, sn_definition *definition,
                                   const char *object);
// Whether one of them can move, as is required when users add a constraint.
sn_status sn_constraint_check_mobility(const sn_world *world, const sn_definition *definition,
                                       const char *object);
// An end as the input of solvers; `number` gives solver numbers of bodies, and may be null for nodes and
// places.
sn_solver_end sn_world_load_end(const sn_world *world, const sn_point *point, const int *number);

// --- constraints_ask.c ---------------------------------------------------------------------------

// The rows of a constraint where its bodies are now; returns their number.
int sn_world_evaluate(const sn_world *world, const sn_constraint_data *data, sn_row *rows);

// --- collide.c -----------------------------------------------------------------------------------

// The patch of a contact where its bodies are now, for the solver (find_patch of it).
struct sn_solver;
struct sn_contact_input;
bool sn_world_find_patch(const sn_world *world, const struct sn_solver *solver,
                         struct sn_contact_input *input, sn_patch *found);

// Makes new boxes for shapes of a body that are no longer inside theirs.
void sn_world_keep_in_boxes(sn_world *world, int index);
// contact_budget.c: leaves out new pairs of shapes that lie in too many others. False without memory.
bool sn_world_keep_budget(sn_world *world);
// Adds contacts of shapes whose boxes overlap, for pending shapes only. False without memory.
bool sn_world_find_pairs(sn_world *world);

static inline sn_placement sn_body_placement(const sn_body *body)
{
    sn_placement place = {sn_body_pose(body), body->center};
    return place;
}

// --- freeze.c ------------------------------------------------------------------------------------

// Handles bodies (listed; their state is still that at the beginning of the step) and nodes that the solver
// made non-finite in a class of islands.
void sn_world_stop_lost(sn_world *world, const int *bodies, int body_count, const sn_node_solver *nodes);
// The same of impulses and forces, once all classes were solved.
void sn_world_mend_rows(sn_world *world);
// Of contacts and constraints of a member in this step.
void sn_world_forget_impulses(sn_world *world, int member);
// Freezes a node of a deformable, by its number in the world.
void sn_world_freeze_node(sn_world *world, sn_deformable_data *data, int node);

// --- deformables_step.c --------------------------------------------------------------------------

// Gives the awake deformables to the solver, for sub-steps of length h. False without memory.
bool sn_world_load_deformables(sn_world *world, float h, sn_node_solver *nodes);
// The warm-start scale of impulses from sub-steps of another length (0: there were none) for one of length h.
// At most 2, because impulses of much shorter sub-steps predict those of longer ones badly.
static inline float sn_impulse_scale(float sub_step, float h)
{
    return sub_step > 0.0f ? sn_min(h / sub_step, 2.0f) : 1.0f;
}
// After a step: updates bounds and rest times, and reports moves.
void sn_world_finish_deformables(sn_world *world, float duration);
// The box around the nodes of a deformable.
sn_bounds sn_deformable_bounds(const sn_world *world, const sn_deformable_data *data);

// --- deformables_touch.c -------------------------------------------------------------------------

// Reports what deformables began and ceased to touch in this step.
void sn_world_report_soft_touches(sn_world *world);
// Finds what they touch without reporting it, as after a snapshot was read. False without memory.
bool sn_world_find_soft_touches(sn_world *world);
// deformables_hit.c: reports their fast contacts of this step.
void sn_world_report_soft_hits(sn_world *world);

// --- stages of a step, in the order they run -----------------------------------------------------

void sn_stage_nodes(sn_world *world); // deformables_step.c: checks nodes that users wrote
void sn_world_share_bounds(sn_world *world,
                           float duration); // build_bounds.c: adds their forces to constraints
bool sn_stage_bounds(sn_world *world);      // build_bounds.c: what is held in place
// The same file: what bounds do to bodies of a solver, by their numbers there. False without memory.
bool sn_world_load_bound_reactions(sn_world *world, const int *numbers, struct sn_solver *solver,
                                   sn_bound_reactions *reactions);
void sn_stage_recover(sn_world *world, float duration); // deformables_recovery.c: inverted elements
void sn_world_undo_recovery(sn_world *world);           // undoes that after a step that failed
// Its nodes before they were put right in this step; null if they were not.
const sn_node_state *sn_world_nodes_before_recovery(const sn_world *world, const sn_deformable_data *data);
bool sn_stage_pairs(sn_world *world, float duration);  // collide.c: boxes, new pairs
bool sn_stage_narrow(sn_world *world, float duration); // collide.c: patches
bool sn_stage_soft(sn_world *world, float duration);   // deformable_contacts.c
bool sn_world_any_deformable_moves(const sn_world *world);
bool sn_stage_islands(sn_world *world, float duration); // islands.c: wakes what is touched
bool sn_stage_solve(sn_world *world, float duration);   // solve.c: bodies, rows, sub-steps
void sn_stage_sweep(sn_world *world, float duration);   // sweep.c: continuous collision
// The same file: what is stopped on its way down has the speed of the place where it is; with that of where
// it would have been, farther by `lost`, it would have more energy than before.
void sn_lose_fall(sn_vec3 gravity, sn_vec3 lost, sn_vec3 *velocity);
void sn_body_lose_fall(const sn_world *world, sn_body *body, sn_vec3 would_be);
// Which bodies are links of the chains that a solver found, for the sweep.
struct sn_solver;
struct sn_hinge_planes;
void sn_world_note_chains(const sn_world *world, const struct sn_solver *solver,
                          const struct sn_hinge_planes *planes);
void sn_stage_guard(sn_world *world, float duration);  // deformable_guard.c: cuts what would have crossed
bool sn_world_is_guarded(const sn_world *world);       // whether it does so
void sn_stage_finish(sn_world *world, float duration); // finish.c: breaks, events
void sn_stage_sleep(sn_world *world, float duration);  // islands.c

#endif
