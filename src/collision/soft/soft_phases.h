// What the phases of soft_detection.h hand to each other.
// Tested by tests/collision/soft/test_soft_detection.c.
#ifndef SN_COLLISION_SOFT_SOFT_PHASES_H
#define SN_COLLISION_SOFT_SOFT_PHASES_H

#include "collision/soft/contact_table.h"
#include "collision/soft/soft_detection.h"

// One run of detection.
typedef struct sn_soft_search {
    const sn_soft_scene *scene;
    sn_soft_detector *detector;
    sn_vec3 *displacements; // of the step, by the world's node number
    // Contacts between deformables serve for this share of the step; displacements in that time.
    float share;
    const sn_vec3 *displacements_between;
    bool lists_between; // Verlet lists between surfaces may be used
    // For the guard: bodies, by place in the list of the awake, with all of which faces are paired; with
    // others only those that are suspect. Null for all.
    const uint8_t *fresh_bodies;
    sn_vec3 *normals; // by node: sum of the unit normals of the faces around it, where needed
} sn_soft_search;

// soft_motion.c: displacements, and boxes and trees of all surfaces around them; tells whether a deformable
// that collides with itself is fast. False without memory.
bool sn_soft_find_motion(sn_soft_search *search);
// Displacements between deformables for a share of the step, and not so long that everything meets. False
// without memory.
bool sn_soft_shorten(sn_soft_search *search, float share);
// What counts as its thickness between deformables: no more than an edge. What is thicker would find all
// faces of its own neighbourhood, and of the next layer, within it.
static inline float sn_soft_thickness_between(const sn_soft_collider *collider)
{
    float edge = collider->surface->largest_edge, thickness = collider->def->thickness;
    return thickness < edge ? thickness : edge;
}
// At this distance it makes contacts with obstacles: no more than an edge, too. What is farther from a fine
// mesh may be on its other side, or on that of the obstacle.
static inline float sn_soft_margin_of(const sn_soft_scene *scene, const sn_soft_collider *collider)
{
    return sn_min(scene->margin, collider->surface->largest_edge);
}
// How much the boxes of nodes are grown by. The margin between two deformables is at most half their
// thickness.
float sn_soft_growth(const sn_soft_scene *scene, const sn_soft_collider *collider);

// soft_between.c: what Verlet lists are followed with in this step.
sn_verlet_step sn_soft_verlet_step(const sn_soft_search *search, const sn_soft_collider *collider);
// Updates the lists between surfaces, once it is known which may meet others and before their boxes are
// fitted. False without memory.
bool sn_soft_update_between(const sn_soft_search *search, float (*height)(const sn_soft_collider *collider));
// The list of a pair if it is used in this step, else null.
const sn_verlet_between *sn_soft_find_between(const sn_soft_scene *scene, sn_soft_detector *detector,
                                              const sn_soft_pair *pair);

// soft_broad_phase.c: whether two deformables, or one with itself, collide at all, asleep or not close.
bool sn_soft_may_collide(const sn_soft_collider *a, const sn_soft_collider *b);
// soft_broad_phase.c: fills the list of pairs, ordered by deformable, shape, part. False without memory.
bool sn_soft_find_pairs(sn_soft_search *search);

// soft_mid_phase.c: fills the list of feature pairs. False without memory.
bool sn_soft_find_feature_pairs(sn_soft_search *search);
// The same with faces alone, of obstacles with piece 0: for the guard, with boxes around a motion that is
// known. False without memory.
bool sn_soft_find_face_pairs(sn_soft_search *search);

// soft_narrow_phase.c: the surface of a pair as the narrow phase sees it; between deformables, both.
sn_soft_view sn_soft_view_of(const sn_soft_search *search, const sn_soft_pair *pair);
void sn_soft_views_of(const sn_soft_search *search, const sn_soft_pair *pair, sn_soft_view *a,
                      sn_soft_view *b);

// Appends the contact, if any, of every feature pair. `previous` has the contacts of the last step. False
// without memory.
bool sn_soft_find_contacts(const sn_soft_search *search, const sn_contact_table *previous,
                           sn_soft_contact_list *found);

// soft_merge.c: contacts from `first` on that begin go on with the impulses of those that ended beside them,
// those that say the same become one, and those of a node beyond 32 are left out and counted. False without
// memory.
bool sn_soft_merge(const sn_soft_search *search, sn_soft_contact_list *found, int first);

// soft_exclusions.c: whether an anchor holds the two sides of a contact together there.
bool sn_soft_is_excluded(const sn_soft_scene *scene, const sn_soft_contact_data *contact);
// Whether exact anchors say where a node is.
bool sn_soft_is_held_exactly(const sn_soft_scene *scene, int node);

#endif
