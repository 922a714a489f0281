// A contact: two shapes whose boxes overlap, their contact patches, and the impulses kept there from step to
// step for warm starting. Knows geometry and mass centres, not how impulses are found.
#ifndef SN_COLLISION_NARROW_CONTACT_PAIR_H
#define SN_COLLISION_NARROW_CONTACT_PAIR_H

#include "collision/narrow/patch.h"
#include "collision/narrow/shape.h"

typedef struct sn_contact_data {
    int shape_a, shape_b; // a is the plane, surface or compound where there is one
    int body_a, body_b;
    int previous[2], next[2]; // edges in the bodies' lists: side 0 in a's, side 1 in b's
    int active_index;         // in the world's list of contacts with an awake body, −1 if not
    bool touching;
    bool separated;            // boxes no longer overlap: to be removed
    bool is_ignored;           // the world's contact filter said no
    bool is_sensor;            // one of the shapes is a sensor: there are no patches
    bool is_overlap;           // of a sensor: the shapes overlapped when they were last tested
    bool has_surface_velocity; // one of the shapes has
    float sub_step;            // that impulses belong to [s]; 0 before the first
    float friction, restitution, rolling_resistance;
    sn_patch_list patches;
} sn_contact_data;

// Which of two shapes comes first in a contact: true if (a, b) are in order.
bool sn_contact_in_order(const sn_shape_data *a, int index_a, const sn_shape_data *b, int index_b);

// Friction √(µa µb), larger restitution, larger rolling resistance, and the flags that follow from the
// shapes.
void sn_contact_mix_materials(sn_contact_data *contact, const sn_shape_data *a, const sn_shape_data *b);

// Pose of the body's origin, and its mass centre.
typedef struct sn_placement {
    sn_pose pose;
    sn_vec3 center;
} sn_placement;

// Finds the patches anew, with the impulses of points that persist; returns how many there are. A contact
// without room for that many keeps its old ones.
int sn_contact_update(sn_contact_data *contact, const sn_shape_data *a, sn_placement place_a,
                      const sn_shape_data *b, sn_placement place_b, float margin);

// The patch of the same parts with the closest normal: neighbouring faces of a surface have similar ones.
// Null if it is gone.
const sn_patch *sn_patch_find(const sn_patch *patches, int count, const sn_patch *patch);

// Whether two shapes at given poses overlap.
bool sn_shapes_overlap(const sn_shape_data *a, sn_placement place_a, const sn_shape_data *b,
                       sn_placement place_b);

// Patches of two shapes at given poses, as many as fit; returns their number. Impulses are zero.
int sn_collide_shapes(const sn_shape_data *a, sn_placement place_a, const sn_shape_data *b,
                      sn_placement place_b, float margin, sn_patch *patches, int capacity);

#endif
