// Which anchors are held exactly, and how (solver/exact/exact.h): decided when anchors come, go, are switched
// or moved, and when nodes are fixed or released.
//
// Union–find over nodes (methods C): first, nodes are nailed to places that cannot be moved, by the first
// anchor of each; then anchors between two nodes merge them into sets, unless both are nailed already; then
// sets that nothing holds are attached to bodies, by the first anchor of each. What is left over is held by
// rows instead. All other exact anchors (weighted sums, surfaces, ramps that are not over) are sums or links.
// Links that share nodes, sets or bodies are solved together, up to SN_EXACT_SYSTEM of them; the rest are
// rows. So are links that those before them imply or contradict, links on bodies with attached sets, and
// anchors between two bodies.
//
// The plan is kept in arrays that the solver reads as they are: only attachments to bodies, places that move
// and links that change are updated before a step. It is allocated apart, so that questions asked of a const
// world can make it.
#ifndef SN_WORLD_EXACT_EXACT_PLAN_H
#define SN_WORLD_EXACT_EXACT_PLAN_H

#include "solver/exact/exact.h"
#include "world/core/world.h"

// The most links solved together.
#define SN_EXACT_SYSTEM 8

// A node that exact anchors hold, while sets are made.
typedef struct sn_exact_slot {
    int node, deformable;
    int parent;        // of the union–find, among slots
    int size;          // of roots
    int parent_anchor; // of roots: the anchor that attaches the set, −1
    int top;           // of roots: the slot that is attached or fixed, where the tree begins
    bool is_fixed;     // the node
    bool is_held;      // of roots: attached, or fixed
    bool is_on_body;   // of roots: attached to a body that can be moved
    int system;        // of roots: the links that share it, −1 for none
    int first_branch;  // of the tree, −1
    int member;        // its place in the set it is in, −1 before
} sn_exact_slot;

// An anchor that merged two slots, as a branch of both.
typedef struct sn_exact_branch {
    int anchor, slot; // where it leads
    int next;         // of the same slot, −1
    int end;          // the end of the anchor that this slot is (SN_EXACT_A)
} sn_exact_branch;

// An exact anchor on one node or two.
typedef struct sn_exact_candidate {
    int anchor;
    int slots[2]; // a and b; −1 for what is no node
} sn_exact_candidate;

// Links that are solved together, as a union–find.
typedef struct sn_exact_system {
    int parent, count;
    int anchors[SN_EXACT_SYSTEM];
} sn_exact_system;

// How far around a node a body to which it is anchored covers others (anchor_surroundings.c); 0 for none. [m]
typedef struct sn_covered_node {
    float reach;
    int body;
} sn_covered_node;

struct sn_exact_plan {
    bool is_fresh;
    bool is_edited;          // users may have fixed or released nodes
    double until;            // the world's time when an anchor's begins or ends
    SN_ARRAY(uint8_t) holds; // by anchor: sn_constraint_hold
    // Of anchors that are on, so that no step looks at all there are (anchor_lists.c).
    SN_ARRAY(int) hangers; // hard ones between nodes and bodies
    SN_ARRAY(sn_soft_sliding_body) sliding_bodies;
    SN_ARRAY(sn_soft_exclusion) exclusions; // ends of hard ones, by node
    SN_ARRAY(int) exclusion_of;             // by the world's nodes: its first exclusion plus one, 0 for none
    SN_ARRAY(sn_covered_node) covered;      // by the world's nodes
    // Exact ones.
    SN_ARRAY(int) attachment_of; // by anchor: the number of its attachment, −1
    SN_ARRAY(sn_exact_set) sets; // as the solver gets them, in its order
    int attached_count;          // of the first sets and attachments, those to bodies
    int pair_begin;
    SN_ARRAY(sn_exact_attachment) attachments;
    SN_ARRAY(sn_exact_member) members;
    SN_ARRAY(sn_exact_sum) sums;
    SN_ARRAY(sn_exact_term) terms;
    SN_ARRAY(sn_exact_link) links;
    SN_ARRAY(int) updated;          // links that are updated before every step
    SN_ARRAY(int) link_of;          // by anchor: its link, −1
    SN_ARRAY(uint8_t) is_slid;      // by deformable: links slide along it
    SN_ARRAY(int) ramps;            // anchors that are on and do not hold fully yet
    int exact_count, instead_count; // anchors that are held exactly, and by rows instead
    // While it is made. `slot_of` is by the world's nodes, plus one; zero again afterwards.
    SN_ARRAY(int) slot_of;
    SN_ARRAY(sn_exact_slot) slots;
    SN_ARRAY(sn_exact_branch) branches;
    SN_ARRAY(sn_exact_candidate) nails, joins, attachments_to_bodies;
    SN_ARRAY(int) candidates; // anchors that may be links
    SN_ARRAY(sn_exact_system) systems;
    SN_ARRAY(int) system_of; // by body: its system plus two, 1 if sets are attached to it, 0 for nothing
};

// Something that the plan follows from has changed.
void sn_world_forget_exact(sn_world *world);
// Whether nothing has, and no anchor's time has begun or ended.
bool sn_world_plan_is_fresh(const sn_world *world);
// Plans again if something has changed. False without memory.
bool sn_world_plan_exact(const sn_world *world);
// The next step moves an end that is a place there.
void sn_world_move_nail(sn_world *world, int anchor, sn_vec3 place);
// Fills the solver's stage; `number` gives solver numbers of bodies. False without memory.
bool sn_world_load_exact(sn_world *world, const int *number, int sub_steps, sn_exact_stage *stage);
// After a step: attached nodes are put exactly on their bodies, ramps advance, errors are measured.
void sn_world_finish_exact(sn_world *world);
void sn_world_release_exact(sn_world *world);
// The memory it takes.
size_t sn_world_exact_bytes(const sn_world *world);

// --- between the files of this idea ------------------------------------------------------------------------

// exact_plan_sets.c: the slot of a node, by the world's number; −1 without memory.
int sn_plan_slot(const sn_world *world, sn_exact_plan *plan, int deformable, int node);
// The slot that stands for the set a slot is in.
int sn_plan_root(sn_exact_plan *plan, int slot);
// exact_plan_systems.c: which of the candidates can be held exactly; the others leave the list. False without
// memory.
bool sn_plan_systems(const sn_world *world, sn_exact_plan *plan);
// How many links a system has; 0 for none.
int sn_plan_system_size(sn_exact_plan *plan, int system);
// exact_plan_links.c: sums and links as the solver gets them. False without memory.
bool sn_plan_links(const sn_world *world, sn_exact_plan *plan);
bool sn_world_load_links(sn_world *world, const int *number, int sub_steps, bool all_awake,
                         sn_exact_stage *stage);
// After a step: how far the ends of links that hold fully are apart, at most, squared.
float sn_world_finish_sums(const sn_world *world);
float sn_world_finish_links(sn_world *world);
void sn_world_advance_ramps(sn_world *world);
// anchor_lists.c
// Whether the weight of what a constraint holds passes through it.
bool sn_constraint_carries(const sn_constraint_data *data);
// Lists of anchors that are on. False without memory.
bool sn_plan_lists(const sn_world *world, sn_exact_plan *plan);
// anchor_surroundings.c: nodes that a body covers around its anchors, noted anchor by anchor and then
// excluded from contacts with it. False without memory.
bool sn_plan_clear_surroundings(const sn_world *world, sn_exact_plan *plan);
void sn_plan_note_surroundings(const sn_world *world, sn_exact_plan *plan, const sn_constraint_common *def);
bool sn_plan_exclude_surroundings(const sn_world *world, sn_exact_plan *plan);

// --- exact_plan_surfaces.c: surfaces that anchors slide along ----------------------------------------------

// Makes what a point on a surface slides along, unless it has been made. False without memory.
bool sn_anchor_make_slide(sn_world *world, const sn_point *point);
// Finds the closest point for its end on a surface, on all pieces; does nothing for other anchors.
void sn_anchor_find_closest_point(sn_world *world, sn_constraint_data *data);
// Whether the closest point of its end on a surface, as read from a snapshot, is valid.
bool sn_anchor_closest_point_is_sound(const sn_world *world, const sn_constraint_data *data);
// Copies the closest point to the anchor's end on a surface.
void sn_anchor_tell_closest_point(const sn_world *world, sn_constraint_data *data);
// The end that is on a surface, 0 or 1; −1 for none.
int sn_anchor_sliding_end(const sn_constraint_common *def);

#endif
