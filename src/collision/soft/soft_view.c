// Geometry that the files of the narrow phase share.
// Tested by tests/collision/soft/test_soft_meets_obstacle.c.
#include "collision/soft/soft_view.h"

#include <float.h>
#include <math.h>

// --- triangles and lines -----------------------------------------------------------------------------------

bool sn_triangle_weights(sn_vec3 a, sn_vec3 b, sn_vec3 c, sn_vec3 p, float weights[3])
{
    sn_vec3 ab = sn_sub(b, a), ac = sn_sub(c, a), ap = sn_sub(p, a);
    sn_vec3 normal = sn_cross(ab, ac);
    float squared = sn_length_squared(normal);
    if (!(squared > 1.0e-10f * sn_length_squared(ab) * sn_length_squared(ac))) {
        weights[0] = weights[1] = weights[2] = -1.0f;
        return false;
    }
    weights[1] = sn_dot(sn_cross(ap, ac), normal) / squared;
    weights[2] = sn_dot(sn_cross(ab, ap), normal) / squared;
    weights[0] = 1.0f - weights[1] - weights[2];
    return weights[0] >= 0.0f && weights[1] >= 0.0f && weights[2] >= 0.0f;
}

sn_triangle_region sn_triangle_nearest(const sn_vec3 corners[3], sn_vec3 p, float weights[3])
{
    if (sn_triangle_weights(corners[0], corners[1], corners[2], p, weights)) {
        return SN_TRIANGLE_INSIDE;
    }
    // It lies on an edge beyond which the point is; weights are those of the corners opposite.
    int region = SN_TRIANGLE_CORNER, best_k = 0;
    float best = INFINITY, best_t = 0.0f;
    bool is_beyond[3] = {!(weights[2] >= 0.0f), !(weights[0] >= 0.0f), !(weights[1] >= 0.0f)};
    for (int k = 0; k < 3; ++k) {
        if (!is_beyond[k]) {
            continue;
        }
        sn_vec3 a = corners[k], b = corners[(k + 1) % 3];
        float at = sn_nearest_on_line(a, b, p), t = sn_clamp(at, 0.0f, 1.0f);
        float squared_distance = sn_length_squared(sn_sub(p, sn_add_scaled(a, t, sn_sub(b, a))));
        bool inner = at > 0.0f && at < 1.0f;
        if (squared_distance < best) {
            best = squared_distance;
            best_k = k;
            best_t = t;
            region = inner ? SN_TRIANGLE_EDGE + k : SN_TRIANGLE_CORNER + (t > 0.5f ? (k + 1) % 3 : k);
        }
    }
    weights[best_k] = 1.0f - best_t;
    weights[(best_k + 1) % 3] = best_t;
    weights[(best_k + 2) % 3] = 0.0f;
    return (sn_triangle_region)region;
}

// --- faces and edges ---------------------------------------------------------------------------------------

bool sn_soft_face_normal(const sn_soft_view *view, uint32_t face, sn_vec3 *normal)
{
    if (view->has_normals) {
        *normal = view->surface->normals.data[face];
        return sn_length_squared(*normal) > 0.0f;
    }
    return sn_soft_find_face_normal(view->surface, face, view->nodes, normal);
}

bool sn_soft_is_flipped(const sn_soft_view *view, uint32_t face)
{
    const sn_soft_surface *surface = view->surface;
    uint32_t inner = surface->one_sided ? surface->inner.data[face] : UINT32_MAX;
    sn_vec3 out;
    if (inner == UINT32_MAX || !sn_soft_face_normal(view, face, &out)) {
        return false;
    }
    sn_vec3 corner = view->nodes[surface->faces.data[3 * (size_t)face]].position;
    return sn_dot(out, sn_sub(view->nodes[inner].position, corner)) > 0.0f;
}

bool sn_soft_edge_is_flipped(const sn_soft_view *view, uint32_t edge)
{
    const int *faces = view->surface->edge_faces.data + 2 * (size_t)edge;
    return (faces[0] >= 0 && sn_soft_is_flipped(view, (uint32_t)faces[0])) ||
           (faces[1] >= 0 && sn_soft_is_flipped(view, (uint32_t)faces[1]));
}

bool sn_soft_edge_normal(const sn_soft_view *view, uint32_t edge, sn_vec3 *normal)
{
    const int *faces = view->surface->edge_faces.data + 2 * (size_t)edge;
    sn_vec3 first, second;
    if (faces[0] < 0 || faces[1] < 0 || !sn_soft_face_normal(view, (uint32_t)faces[0], &first) ||
        !sn_soft_face_normal(view, (uint32_t)faces[1], &second)) {
        return false;
    }
    sn_vec3 sum = sn_add(first, second);
    *normal = sn_normalize(sum);
    return sn_length_squared(sum) > 0.01f;
}

bool sn_soft_is_over_faces(const sn_soft_view *view, uint32_t edge, sn_vec3 point)
{
    for (int k = 0; k < 2; ++k) {
        int face = view->surface->edge_faces.data[2 * (size_t)edge + (size_t)k];
        if (face >= 0) {
            const uint32_t *n = view->surface->faces.data + 3 * (size_t)face;
            float weights[3];
            if (sn_triangle_weights(view->nodes[n[0]].position, view->nodes[n[1]].position,
                                    view->nodes[n[2]].position, point, weights)) {
                return true;
            }
        }
    }
    return false;
}

// --- contacts ----------------------------------------------------------------------------------------------

bool sn_soft_contact_is_sound(const sn_soft_contact_data *contact)
{
    return sn_vec3_is_finite(contact->normal) && sn_vec3_is_finite(contact->point) &&
           sn_is_finite(contact->separation);
}

bool sn_soft_contact_put(sn_soft_contact_data *contact, const sn_soft_view *view, const uint32_t *nodes,
                         const float *weights, int width)
{
    contact->width = width;
    contact->point = sn_v(0.0f, 0.0f, 0.0f);
    for (int k = 0; k < width; ++k) {
        contact->nodes[k] = view->first_node + (int)nodes[k];
        contact->weights[k] = weights[k];
        contact->point = sn_add_scaled(contact->point, weights[k], view->nodes[nodes[k]].position);
    }
    return sn_soft_contact_is_sound(contact);
}

// --- distances within the step -----------------------------------------------------------------------------

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

// --- distances at one time ---------------------------------------------------------------------------------

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
