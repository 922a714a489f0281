// Separating axes: the direction along which two convex polyhedra are farthest apart, or overlap least. Among
// equal directions the choice is always the same, so that it does not change from step to step.
#ifndef SN_COLLISION_NARROW_SAT_H
#define SN_COLLISION_NARROW_SAT_H

#include "collision/narrow/narrow_phase.h"

typedef enum sn_sat_kind { SN_SAT_FACE_A, SN_SAT_FACE_B, SN_SAT_EDGES } sn_sat_kind;

typedef struct sn_sat_axis {
    sn_sat_kind kind;
    float separation; // of the cores
    sn_vec3 normal;   // unit, from a to b, in a's frame
    int face;         // of a or b
    // Edge pairs: the end vertices of both, in the order of their even half-edges.
    int edge_a[2], edge_b[2];
} sn_sat_axis;

// If another axis has the same normal, this one takes over its separation if that is larger; false if it has
// not.
static inline bool sn_sat_merge(sn_sat_axis *axis, float separation, sn_vec3 normal)
{
    if (sn_dot(axis->normal, normal) < SN_SAME_NORMAL) {
        return false;
    }
    axis->separation = sn_max(axis->separation, separation);
    return true;
}

// Replaces the best face of a by that of b if it is better by more than the tolerance, or if the shapes are
// beyond reach along it: returns true then, and no edges need to be tried.
static inline bool sn_sat_choose_face(const sn_convex_pair *pair, sn_sat_axis *best, const sn_sat_axis *of_b)
{
    bool apart = of_b->separation > sn_pair_reach(pair);
    bool better = of_b->separation > best->separation + pair->tolerance;
    if (apart || (better && !sn_sat_merge(best, of_b->separation, of_b->normal))) {
        *best = *of_b;
    }
    return apart;
}

// Two polyhedra. The separation is the largest over all axes, up to the pair's tolerance; once it is seen to
// be beyond the pair's reach the search stops.
//
// If the cores overlap this is the penetration depth. If they are apart it may be less than the distance
// (vertices close to vertices or edges), even below zero by the tolerance: the caller has to check.
sn_sat_axis sn_sat_polyhedra(const sn_convex_pair *pair);
// The same for two boxes (is_box), by the fifteen axes of Gottschalk 1996.
sn_sat_axis sn_sat_boxes(const sn_convex_pair *pair);
// A polyhedron a and a segment in a's frame. Kind is SN_SAT_FACE_A or SN_SAT_EDGES.
sn_sat_axis sn_sat_segment(const sn_convex_pair *pair, const sn_vec3 ends[2]);

#endif
