// Polygon clipping after Sutherland and Hodgman 1974; segment clipping after Cyrus and Beck 1978. Each corner
// has the number of the polygon edge that begins at it, so that a new corner is named after the two edges
// that cross.
#include "collision/narrow/clip.h"

// The corner where a polygon edge meets a reference edge.
static uint32_t crossing_feature(uint32_t edge, uint32_t side)
{
    if (edge & SN_CLIP_REFERENCE) {
        uint32_t other = edge & 0x1ffu;
        uint32_t low = other < side ? other : side, high = other < side ? side : other;
        return SN_FEATURE_CORNER | (low & 0x1ffu) << 9 | (high & 0x1ffu);
    }
    return SN_FEATURE_CROSSING | (edge & 0x1ffu) << 9 | (side & 0x1ffu);
}

static void polygon_push(sn_clip_polygon *polygon, sn_clip_corner corner)
{
    if (polygon->count < SN_CLIP_CORNERS) {
        polygon->corners[polygon->count++] = corner;
    }
}

// How far each corner is outside; returns how many are.
static int measure(const sn_clip_polygon *polygon, const sn_clip_side *side, float *heights)
{
    int outside = 0;
    for (int i = 0; i < polygon->count; ++i) {
        heights[i] = sn_dot(side->normal, polygon->corners[i].position) - side->offset;
        outside += heights[i] > 0.0f;
    }
    return outside;
}

static void cut(const sn_clip_polygon *in, const sn_clip_side *side, const float *heights,
                sn_clip_polygon *out)
{
    out->count = 0;
    for (int i = 0; i < in->count; ++i) {
        int j = i + 1 < in->count ? i + 1 : 0;
        const sn_clip_corner *corner = &in->corners[i];
        bool outside = heights[i] > 0.0f, next_outside = heights[j] > 0.0f;
        if (!outside) {
            polygon_push(out, *corner);
        }
        if (outside != next_outside) {
            float t = heights[i] / (heights[i] - heights[j]);
            polygon_push(out, (sn_clip_corner){
                                  .position = sn_lerp(corner->position, in->corners[j].position, t),
                                  .feature = crossing_feature(corner->edge, side->edge),
                                  .edge = outside ? corner->edge : SN_CLIP_REFERENCE | side->edge,
                              });
        }
    }
}

const sn_clip_polygon *sn_clip(sn_clip_polygon *polygon, sn_clip_polygon *scratch, const sn_clip_side *sides,
                               int side_count)
{
    sn_clip_polygon *current = polygon, *other = scratch;
    for (int k = 0; k < side_count; ++k) {
        float heights[SN_CLIP_CORNERS];
        int outside = measure(current, &sides[k], heights);
        if (outside == current->count) {
            current->count = 0;
            return current;
        }
        if (outside > 0) {
            cut(current, &sides[k], heights, other);
            sn_clip_polygon *swap = current;
            current = other;
            other = swap;
        }
    }
    return current;
}

int sn_clip_sides(const sn_polyhedron *polyhedron, int face, float tolerance, sn_clip_side *sides)
{
    sn_vec3 up = polyhedron->planes[face].normal;
    int first = polyhedron->face_edges[face], edge = first, count = 0;
    do {
        const sn_half_edge *half_edge = &polyhedron->half_edges[edge];
        sn_vec3 start = polyhedron->vertices[half_edge->origin];
        sn_vec3 end = polyhedron->vertices[polyhedron->half_edges[half_edge->next].origin];
        sn_vec3 normal = sn_normalize(sn_cross(sn_sub(end, start), up));
        sides[count++] = (sn_clip_side){normal, sn_dot(normal, start) + tolerance, (uint32_t)edge >> 1};
        edge = half_edge->next;
    } while (edge != first && count < SN_MAX_HULL_VERTICES);
    return count;
}

bool sn_clip_segment_cut(sn_clip_segment *segment, const sn_clip_side *sides, int side_count)
{
    for (int k = 0; k < side_count; ++k) {
        float height_0 = sn_dot(sides[k].normal, segment->ends[0]) - sides[k].offset;
        float height_1 = sn_dot(sides[k].normal, segment->ends[1]) - sides[k].offset;
        if (height_0 > 0.0f && height_1 > 0.0f) {
            return false;
        }
        if (height_0 > 0.0f || height_1 > 0.0f) {
            int cut_end = height_1 > 0.0f;
            float t = height_0 / (height_0 - height_1);
            segment->ends[cut_end] = sn_lerp(segment->ends[0], segment->ends[1], t);
            // Named by the end it was cut from, so that both ends may be cut by one edge.
            segment->features[cut_end] = crossing_feature((uint32_t)cut_end, sides[k].edge);
        }
    }
    return true;
}
