// Contacts of deformables in the world, and what finding them needs from stage to stage of a step.
#ifndef SN_WORLD_SOFT_SOFT_DETECTION_H
#define SN_WORLD_SOFT_SOFT_DETECTION_H

#include "collision/soft/soft_pairs.h"
#include "solver/contact/soft_contact_rows.h"
#include "solver/staggered/staggered_contact.h"
#include "solver/staggered/staggered_dummy.h"

// A deformable near one part of a shape, near another deformable, or near itself.
typedef struct sn_soft_broad_pair {
    int deformable;
    int shape, body; // −1 with a deformable
    int other;       // the other deformable, −1 with a shape
    uint32_t part;   // of a compound or surface
    sn_obstacle obstacle;
    uint32_t vertices[3]; // of a surface's triangle: the surface's own numbers
    sn_bounds bounds;     // where the part may be during the step
    bool is_small;        // round, and smaller than the cells of the deformable can feel
    uint8_t sides;        // of the surface on which the last step's contacts were: bit 0 front, bit 1 back
} sn_soft_broad_pair;

// Two features that may meet: one of the deformable, and a piece of the obstacle or a feature of the other
// deformable.
typedef struct sn_soft_mid_pair {
    int broad_pair;
    uint32_t feature, piece;
} sn_soft_mid_pair;

typedef SN_ARRAY(sn_soft_contact_data) sn_contact_list;

// The contacts of the last step are state of the world; the rest is room for the step that finds new ones.
typedef struct sn_soft_world {
    sn_contact_list contacts;
    SN_ARRAY(sn_soft_broad_pair) broad_pairs;
    SN_ARRAY(sn_soft_mid_pair) mid_pairs;
    SN_ARRAY(int) shapes;     // near the deformable that is being looked at
    sn_soft_contacts solver;  // with bodies
    sn_soft_contacts between; // deformables
    // Those between deformables, detected again half way through a step in which some move fast.
    sn_contact_list redetected;
    bool is_fast, is_redetected;
    sn_staggered_contacts staggered; // instead, for the staggered solver
    sn_dummy_contacts dummies;       // or these, if it is told so
} sn_soft_world;

void sn_soft_world_release(sn_soft_world *soft);

struct sn_world;

// Whether both sides are still the things that met.
bool sn_soft_is_current(const struct sn_world *world, const sn_soft_key *key);

// Whether the k-th node of a contact belongs to the deformable that found it, not to the other one. Weights
// tell it by their signs, but not where they are zero.
bool sn_soft_is_own(const struct sn_world *world, const sn_soft_contact_data *contact, int k);

// An end of an anchor at one of its nodes.
typedef struct sn_soft_exclusion {
    int anchor, end;
    int node;   // the world's number
    int next;   // of the same node, −1 after the last
    int set;    // of nodes that exact anchors make one point, −1 for none: the same of all bonds of a node
    int parent; // the body that carries these, −1
} sn_soft_exclusion;

// One search for contacts.
typedef struct sn_soft_search {
    struct sn_world *world;
    float duration;
    sn_vec3 *displacements; // by the world's node number
    // The part of the step that contacts between deformables are for, and the ways of that.
    float share;
    const sn_vec3 *displacements_between;
    sn_vec3 *normals; // the same: sums of the normals around each node, of deformables that need them
} sn_soft_search;

// How much the boxes of nodes are grown by. The margin between two deformables is at most half their
// thickness.
float sn_soft_growth(const struct sn_world *world, const struct sn_deformable_data *data);
// soft_motion.c: fills in the ways, fits boxes and trees of all surfaces around them, and tells whether some
// deformable that meets itself moves fast. False without memory.
bool sn_soft_fit_surfaces(const sn_soft_search *search);
// Contacts between deformables that are found again half way serve for the first half only. False without
// memory.
bool sn_soft_choose_share(sn_soft_search *search);
// The view of a deformable; `broad_pair` (may be null) adds what is known of it.
sn_soft_view sn_soft_view_of(const sn_soft_search *search, int deformable,
                             const sn_soft_broad_pair *broad_pair);
// Views of the two sides of an encounter of deformables.
void sn_soft_views_of(const sn_soft_search *search, const sn_soft_broad_pair *broad_pair, sn_soft_view *a,
                      sn_soft_view *b);
// soft_exclusions.c: whether an anchor holds the two sides of a contact together where they meet.
bool sn_soft_is_bound(const sn_soft_search *search, const sn_soft_contact_data *contact);
// soft_broad_phase.c: fills the list of encounters, ordered by deformable, shape, part. False without memory.
bool sn_soft_find_broad_pairs(sn_soft_search *search);
// soft_detection.c: detects contacts between deformables again, for what is left of the step, and prepares
// their rows. Without memory, contacts and rows stay as they are.
void sn_soft_detect_again(void *world, struct sn_solver *solver, const sn_element_pass *pass, float duration);
// soft_mid_phase.c: fills the list of candidates. False without memory.
bool sn_soft_find_mid_pairs(sn_soft_search *search);

#endif
