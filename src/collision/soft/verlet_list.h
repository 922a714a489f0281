// Which features of a surface are near enough to others of the same surface to meet them during the next
// steps (Verlet 1967): a list made once and used until nodes have left their places.
//
// The list has the pairs that are no further apart at the places of the nodes than contacts reach, and the
// slack of both their faces. In a step in which no node of two faces gets further from its place than their
// slack, seen from what holds the deformable and with all that is uncertain about where it goes, these meet
// only where the list says so. Faces with nodes that do are strays: they are looked for in the trees. When
// that has cost as much as a new list, there is one; when too many go astray within one step, there is none.
//
// Normals turn by no more than 18° then. So faces that look the same way when the list is made, within 24°
// instead of 60°, will still do so within 60°: they are left out.
#ifndef SN_COLLISION_SOFT_VERLET_LIST_H
#define SN_COLLISION_SOFT_VERLET_LIST_H

#include "base/array.h"
#include "sinew/deformable.h"

struct sn_soft_surface;

// Two features that may meet, and the faces that stand for them, by their places in the order of the leaves.
typedef struct sn_verlet_pair {
    uint32_t feature_a, feature_b; // a node and a face, or two edges
    int place_a, place_b;
} sn_verlet_pair;

// How far a node is, or will be, from its place, and how much further it may turn out to be. [m]
typedef struct sn_node_drift {
    float distance, margin;
} sn_node_drift;

typedef struct sn_verlet_list {
    // State of the world, from which all else follows: where the nodes were when the list was made, empty if
    // there is none, and how many strays were looked for since then.
    SN_ARRAY(sn_node_state) reference;
    int escape_total;
    SN_ARRAY(sn_verlet_pair) pairs;
    bool is_listed;       // the pairs are those of the places
    SN_ARRAY(float) skin; // by face in the order of the leaves, at most [m]
    // Of the present step.
    bool in_use;                     // else all is looked for in the trees
    SN_ARRAY(sn_node_drift) drifts;  // by node
    SN_ARRAY(uint8_t) escaped;       // by face in the order of the leaves
    SN_ARRAY(uint8_t) escaped_parts; // by node of the tree: whether some of its faces are
    int escaped_count;
} sn_verlet_list;

// How far the nodes of a face may go. No further than boxes are grown by anyhow: the list would get long.
static inline float sn_verlet_skin(const sn_verlet_list *list, int place, float growth)
{
    float slack = list->skin.data[place];
    return slack < growth ? slack : growth;
}

// What holds a deformable: its fixed nodes, or all if there are none. The mean of a vector over these, in the
// order they are added in; those that are no numbers do not count.
typedef struct sn_frame_mean {
    sn_vec3 sum[2]; // of free ones, of fixed ones
    int count[2];
} sn_frame_mean;

static inline void sn_frame_mean_add(sn_frame_mean *mean, const sn_node_state *node, sn_vec3 vector)
{
    int fixed = node->inverse_mass == 0.0f ? 1 : 0;
    if (sn_vec3_is_finite(vector)) {
        mean->sum[fixed] = sn_add(mean->sum[fixed], vector);
        ++mean->count[fixed];
    }
}

static inline sn_vec3 sn_frame_mean_of(const sn_frame_mean *mean)
{
    int which = mean->count[1] > 0 ? 1 : 0, count = mean->count[which];
    return sn_scale(mean->sum[which], 1.0f / (float)(count > 0 ? count : 1));
}

// False without memory.
bool sn_verlet_list_make(struct sn_soft_surface *surface);
void sn_verlet_list_release(sn_verlet_list *list);

// Before the surface is looked at and its boxes are fitted: nodes, ways and growth are those of the boxes of
// faces; the frame's way is that of what holds the deformable. False without memory.
bool sn_verlet_list_update(struct sn_soft_surface *surface, const sn_node_state *nodes,
                           const sn_vec3 *displacements, sn_vec3 frame_displacement, float growth);

#endif
