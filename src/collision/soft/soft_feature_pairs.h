// Features of two surfaces, or of one surface and itself, that may meet in the step: nodes and faces, edges
// and edges. Found by descending both trees at once, or in a Verlet list.
#ifndef SN_COLLISION_SOFT_SOFT_FEATURE_PAIRS_H
#define SN_COLLISION_SOFT_SOFT_FEATURE_PAIRS_H

#include "collision/soft/soft_view.h"

// Mid-phase pair: a feature of a surface, and a corner or edge of an obstacle or a feature of another
// surface. Of a node and a face either may be that of the first surface.
typedef struct sn_feature_pair {
    int pair; // broad-phase pair
    uint32_t feature, piece;
} sn_feature_pair;

typedef SN_ARRAY(sn_feature_pair) sn_feature_pair_list;

// Two faces, by place, that may meet in the step: for the guard.
typedef struct sn_near_faces {
    int deformable, other;
    int place_a, place_b;
    float clearance; // between their listed features at the Verlet list's reference positions; 0: unknown [m]
} sn_near_faces;

typedef SN_ARRAY(sn_near_faces) sn_near_faces_array;

// Where pairs of two surfaces go.
typedef struct sn_pair_output {
    int pair; // broad-phase pair
    sn_feature_pair_list *features;
    int deformable, other;
    sn_near_faces_array *near; // null: not wanted
} sn_pair_output;

// Adds nodes of a with faces of b, faces of a with nodes of b, and edges of a with edges of b that may come
// closer than thickness and margin within the step. Flat edges are left out: nodes and faces suffice there.
// Normals and boxes of both surfaces are those of the step. False without memory.
bool sn_soft_pair_features(const sn_soft_view *a, const sn_soft_view *b, const sn_pair_output *output);
// The same from a Verlet list between them, and in the trees for faces that have escaped from it. `reach` is
// the sum of what boxes of both are grown by.
bool sn_soft_pair_listed(const sn_soft_view *a, const sn_soft_view *b, const sn_verlet_between *list,
                         float reach, const sn_pair_output *output);
// The same for a surface and itself, after sn_verlet_list_update. Features that share a node are left out.
// Parts that are neighbours at rest and face the same way cannot meet and are skipped (Volino and
// Magnenat-Thalmann 1994).
bool sn_soft_pair_own_features(const sn_soft_view *view, const sn_pair_output *output);

// Pairs of faces, by place, whose boxes overlap and of which one is suspect, of a surface with itself
// neighbours included; or `all`, but for neighbours that cannot meet, `cones` if those of the surface are
// around the normals of all of the step. False without memory.
bool sn_soft_pair_faces(const sn_soft_surface *a, const sn_soft_surface *b, int pair, bool all, bool cones,
                        sn_feature_pair_list *list);
// Of two faces, neither suspect, that were near each other: whether their boxes overlap and, if they are
// neighbours, they are folded.
bool sn_soft_are_faces_close(const sn_soft_surface *a, const sn_soft_surface *b, const sn_near_faces *near);

// Fills the Verlet list of a surface. Boxes are those of the reference positions, grown by the skin; faces
// whose normals are within the angle with cosine `aligned` face the same way. False without memory.
bool sn_soft_fill_verlet_list(sn_soft_surface *surface, float aligned, float growth);
// The same for two surfaces, with what boxes of each are grown by.
bool sn_soft_fill_verlet_between(const sn_soft_surface *a, float growth_a, const sn_soft_surface *b,
                                 float growth_b, sn_verlet_between *list);

#endif
