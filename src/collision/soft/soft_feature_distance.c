// How far features of surfaces are apart, now and within a step.
#include "collision/soft/soft_feature_distance.h"

#include <float.h>

// --- within the step ---------------------------------------------------------------------------------------

bool sn_soft_may_meet_face(const sn_soft_view *a, uint32_t node, const sn_soft_view *b, uint32_t face)
{
    const uint32_t *corners = b->surface->faces.data + 3 * (size_t)face;
    sn_vec3 out = b->surface->normals.data[face];
    float height = sn_dot(out, sn_sub(a->nodes[node].position, b->nodes[corners[0]].position));
    float displacement = sn_dot(out, a->displacements[node]), lowest = 0.0f, highest = 0.0f;
    for (int k = 0; k < 3; ++k) {
        float relative = displacement - sn_dot(out, b->displacements[corners[k]]);
        lowest = sn_min(lowest, relative);
        highest = sn_max(highest, relative);
    }
    lowest += height;
    highest += height;
    float reach = a->half_thickness + b->half_thickness + a->margin;
    if (lowest <= reach && highest >= -reach) {
        return true;
    }
    reach += sn_soft_pair_margin(a, node, b, corners[0]);
    return lowest <= reach && highest >= -reach;
}

bool sn_soft_are_edges_close(const sn_node_state *nodes, const uint32_t *edge, const sn_node_state *others,
                             const uint32_t *other, float reach)
{
    sn_vec3 p = nodes[edge[0]].position, q = others[other[0]].position;
    sn_vec3 u = sn_sub(nodes[edge[1]].position, p), v = sn_sub(others[other[1]].position, q);
    sn_vec3 apart = sn_sub(p, q), between = sn_add_scaled(apart, 0.5f, sn_sub(u, v));
    float radii = 0.5f * (sn_length(u) + sn_length(v)) + reach;
    if (!(sn_length_squared(between) <= radii * radii)) {
        return false;
    }
    sn_vec3 across = sn_cross(u, v);
    float gap = sn_dot(across, apart);
    return gap * gap <= reach * reach * sn_length_squared(across);
}

bool sn_soft_may_meet_edge(const sn_soft_view *a, const uint32_t *nodes_a, const sn_soft_view *b,
                           const uint32_t *nodes_b)
{
    float displacement = sn_length(sn_sub(a->displacements[nodes_a[0]], b->displacements[nodes_b[0]])) +
                         sn_length(sn_sub(a->displacements[nodes_a[1]], b->displacements[nodes_b[1]]));
    float reach = a->half_thickness + b->half_thickness + a->margin + displacement +
                  sn_soft_pair_margin(a, nodes_a[0], b, nodes_b[0]);
    return sn_soft_are_edges_close(a->nodes, nodes_a, b->nodes, nodes_b, reach);
}

// --- at reference positions --------------------------------------------------------------------------------

float sn_soft_edge_distance(const sn_node_state *nodes, const uint32_t *edge, const sn_node_state *others,
                            const uint32_t *other)
{
    sn_vec3 a[2] = {nodes[edge[0]].position, nodes[edge[1]].position};
    sn_vec3 b[2] = {others[other[0]].position, others[other[1]].position};
    float s, t, least = FLT_MAX;
    if (sn_nearest_on_lines(a, b, &s, &t) && s >= 0.0f && s <= 1.0f && t >= 0.0f && t <= 1.0f) {
        return sn_distance_between(sn_lerp(a[0], a[1], s), sn_lerp(b[0], b[1], t));
    }
    for (int k = 0; k < 2; ++k) {
        least = sn_min(least, sn_distance_between(a[k], sn_nearest_on_segment(b[0], b[1], a[k])));
        least = sn_min(least, sn_distance_between(b[k], sn_nearest_on_segment(a[0], a[1], b[k])));
    }
    return least;
}

// How far two triangles are apart along an axis.
static float gap_along(sn_vec3 axis, const sn_vec3 a[3], const sn_vec3 b[3])
{
    float length = sn_length(axis), low[2], high[2];
    for (int i = 0; i < 2; ++i) {
        const sn_vec3 *p = i == 0 ? a : b;
        float s = sn_dot(axis, sn_sub(p[0], a[0])), t = sn_dot(axis, sn_sub(p[1], a[0])),
              u = sn_dot(axis, sn_sub(p[2], a[0]));
        low[i] = sn_min(s, sn_min(t, u));
        high[i] = sn_max(s, sn_max(t, u));
    }
    float gap = sn_max(low[0] - high[1], low[1] - high[0]);
    return length > FLT_MIN ? gap / length : 0.0f;
}

float sn_soft_face_gap(const sn_vec3 a[3], const sn_vec3 b[3])
{
    sn_vec3 middle_a = sn_add(sn_add(a[0], a[1]), a[2]), middle_b = sn_add(sn_add(b[0], b[1]), b[2]);
    float gap = gap_along(sn_sub(middle_a, middle_b), a, b);
    gap = sn_max(gap, gap_along(sn_cross(sn_sub(a[1], a[0]), sn_sub(a[2], a[0])), a, b));
    return sn_max(gap, gap_along(sn_cross(sn_sub(b[1], b[0]), sn_sub(b[2], b[0])), a, b));
}
