// Clipping polygons and segments by the side planes of a face (Sutherland–Hodgman, Cyrus–Beck), with the
// features that every corner comes from. Knows nothing of shapes or poses.
#ifndef SN_COLLISION_NARROW_CLIP_H
#define SN_COLLISION_NARROW_CLIP_H

#include "geometry/shapes/hull.h"

// A face has at most SN_MAX_HULL_VERTICES corners, and cutting by as many sides adds at most one each.
#define SN_CLIP_CORNERS (2 * SN_MAX_HULL_VERTICES)

// Features are 32-bit names of what is in contact:
//   bit 31      the reference face belongs to b
//   bits 30…29  kind, below
//   bits 28…21  number of the reference face
//   bits 20…0   vertex of the incident face; or its edge (9 bits) and the reference edge (9 bits) crossing
//               it; or the two reference edges that meet over it
// Edge pairs have no face: four vertex numbers of 7 bits instead. A single point found by distance has none.
#define SN_FEATURE_REFERENCE_B 0x80000000u
#define SN_FEATURE_VERTEX      0x00000000u
#define SN_FEATURE_CROSSING    0x20000000u
#define SN_FEATURE_CORNER      0x40000000u
#define SN_FEATURE_EDGES       0x60000000u
#define SN_FEATURE_CLOSEST     0x60000000u

static inline uint32_t sn_feature_face(int face)
{
    return ((uint32_t)face & 0xffu) << 21;
}
static inline uint32_t sn_feature_vertex(int vertex)
{
    return SN_FEATURE_VERTEX | ((uint32_t)vertex & 0x1ffu);
}
static inline uint32_t sn_feature_edges(const int a[2], const int b[2])
{
    return SN_FEATURE_EDGES | ((uint32_t)a[0] & 0x7fu) << 21 | ((uint32_t)a[1] & 0x7fu) << 14 |
           ((uint32_t)b[0] & 0x7fu) << 7 | ((uint32_t)b[1] & 0x7fu);
}

// A plane through an edge of the reference face, upright on it: normal · p ≤ offset inside.
typedef struct sn_clip_side {
    sn_vec3 normal; // unit
    float offset;
    uint32_t edge; // number of the reference edge
} sn_clip_side;

typedef struct sn_clip_corner {
    sn_vec3 position;
    uint32_t feature; // kind and bits 20…0
    uint32_t edge;    // of the polygon edge that begins here: incident edge, or SN_CLIP_REFERENCE | edge
} sn_clip_corner;

#define SN_CLIP_REFERENCE 0x80000000u

typedef struct sn_clip_polygon {
    int count;
    sn_clip_corner corners[SN_CLIP_CORNERS];
} sn_clip_polygon;

// What is left of `polygon`. The result is in one of the two, whose address is returned.
const sn_clip_polygon *sn_clip(sn_clip_polygon *polygon, sn_clip_polygon *scratch, const sn_clip_side *sides,
                               int side_count);

// The side planes of a face, moved outwards by `tolerance`; returns their number (≤ SN_MAX_HULL_VERTICES).
int sn_clip_sides(const sn_polyhedron *polyhedron, int face, float tolerance, sn_clip_side *sides);

// What is left of a segment: false if nothing. Features name the end (0, 1) or the crossing with a side.
typedef struct sn_clip_segment {
    sn_vec3 ends[2];
    uint32_t features[2];
} sn_clip_segment;
bool sn_clip_segment_cut(sn_clip_segment *segment, const sn_clip_side *sides, int side_count);

#endif
