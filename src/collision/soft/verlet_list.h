// Verlet lists (Verlet 1967) of a surface that collides with itself, and of two that lie on each other: the
// pairs of their features that may meet during the next steps, used until nodes have moved too far.
//
// Listed are pairs that are, at the reference positions, no farther apart than contacts reach plus the skins
// of both their faces. As long as no node of two faces gets farther from its reference position than their
// skin, with the uncertainty of its displacement, their features can meet only if they are listed. Within one
// surface distances are relative to the frame of the deformable, between two they are in the world. Faces
// with nodes that get farther have escaped: their pairs are found in the trees. The list is made anew once
// that has cost as much, and not used if too many faces escape in one step.
//
// Within their skin normals turn by at most 18°. Faces that face the same way within 24° when the list is
// made still do so within 60° then, and are left out.
#ifndef SN_COLLISION_SOFT_VERLET_LIST_H
#define SN_COLLISION_SOFT_VERLET_LIST_H

#include "base/array.h"
#include "sinew/deformable.h"

struct sn_soft_surface;

// Cosine of the angle, 24°, up to which neighbours are left out of the list. While it is in use, cones of the
// surface are those of when it was made.
#define SN_VERLET_ALIGNED 0.913f

// A node and a face, or two edges, that may meet, and the faces that own them, by place.
typedef struct sn_verlet_pair {
    uint32_t feature_a, feature_b;
    int place_a, place_b;
    float distance; // at the reference positions, at least [m]
} sn_verlet_pair;

// Distance of a node from its reference position, now or at the end of the step, and its uncertainty. [m]
typedef struct sn_node_drift {
    float distance, margin;
} sn_node_drift;

typedef SN_ARRAY(sn_verlet_pair) sn_verlet_pairs;

typedef struct sn_verlet_list {
    // State of the world, from which all else follows.
    SN_ARRAY(sn_node_state) reference; // positions when the list was made; empty if there is none
    int escape_total;                  // faces that escaped since then, over all steps
    float fall;                        // between surfaces: as of the step then, at least [m]
    sn_verlet_pairs pairs;             // within one surface
    bool is_listed;                    // pairs, or sharp edges, are those of the reference positions
    int stamp;                         // between surfaces: number of the reference positions
    SN_ARRAY(uint8_t) sharp;           // between surfaces: edges that are sharp at the reference positions
    SN_ARRAY(float) skin;              // by place, at most [m]
    // Of the present step.
    bool in_use;                     // otherwise all pairs are found in the trees
    SN_ARRAY(sn_node_drift) drifts;  // by node
    SN_ARRAY(float) face_drifts;     // by place: the largest of its nodes, with its uncertainty
    SN_ARRAY(uint8_t) escaped;       // by place
    SN_ARRAY(uint8_t) escaped_parts; // by node of the tree: some of its faces have escaped
    int escaped_count;
    int counted; // of escape_total, in the present step: a step that fails takes them back
} sn_verlet_list;

// The skin of a face. No larger than boxes are grown by, lest the list get long.
static inline float sn_verlet_skin(const sn_verlet_list *list, int place, float growth)
{
    float skin = list->skin.data[place];
    return skin < growth ? skin : growth;
}

// Features of two surfaces that may meet, and their faces that may meet within their skins.
typedef struct sn_verlet_between {
    int a, b;      // deformables
    int stamps[2]; // of the reference positions that it was made from
    int used;      // number of the run of detection in which it was used last
    sn_verlet_pairs pairs, faces;
} sn_verlet_between;

// The step that a list is used in, with what boxes are fitted with.
typedef struct sn_verlet_step {
    const sn_node_state *nodes;
    const sn_vec3 *displacements;
    sn_vec3 frame_displacement;
    float growth;
    // Between surfaces: in the world, but for the fall of free nodes, which is the frame's displacement. Of
    // two nodes one may fall and the other not: then they come closer by `fall`, uncertainty included.
    bool in_world;
    float fall;
} sn_verlet_step;

// Memory for a list of the surface. False without memory.
bool sn_verlet_list_make(const struct sn_soft_surface *surface, sn_verlet_list *list);
void sn_verlet_list_release(sn_verlet_list *list);

// Which faces have escaped; whether the list is in use, from new reference positions if it must be. False
// without memory.
bool sn_verlet_list_follow(const struct sn_soft_surface *surface, sn_verlet_list *list,
                           const sn_verlet_step *step);
// The list of the surface and itself, before its normals and boxes are fitted. False without memory.
bool sn_verlet_list_update(struct sn_soft_surface *surface, const sn_verlet_step *step);
// Of a surface that meets others: sharp edges at the reference positions, `height` as for
// sn_soft_surface_fit_normals; and boxes there. Both change what is fitted in every step. False without
// memory.
bool sn_verlet_between_fit(struct sn_soft_surface *surface, float height);
bool sn_verlet_between_box(struct sn_soft_surface *surface, float growth, float fall);
// After normals of the step were fitted: faces with an edge that was not sharp there have escaped, too.
void sn_verlet_between_mark_sharp(struct sn_soft_surface *surface);

#endif
