// Nodes against faces, and edges against edges, of two surfaces or of one. Contacts keep the thickness of
// both between them and remember sides.
// Tested by tests/collision/soft/test_soft_feature_pairs.c.
#include "collision/soft/soft_view.h"

// Neighbours on one surface are closer to each other than its thickness. They are in contact only if a fold
// brings them closer than this part of their distance at rest.
static const float at_rest_part = 0.5f;

// Fills in the nodes of both sides; those of b get negative weights. Whether the contact is sound.
static bool put_both(sn_soft_contact_data *contact, const sn_soft_view *a, const uint32_t *nodes_a,
                     const float *weights_a, int width_a, const sn_soft_view *b, const uint32_t *nodes_b,
                     const float *weights_b, int width_b)
{
    bool is_sound = sn_soft_contact_put(contact, a, nodes_a, weights_a, width_a);
    for (int k = 0; k < width_b; ++k) {
        if (weights_b[k] > 0.0f) {
            contact->nodes[contact->width] = b->first_node + (int)nodes_b[k];
            contact->weights[contact->width++] = -weights_b[k];
        }
    }
    return is_sound;
}

// New contacts deeper than this are dropped, and old ones that get twice as deep.
static float deepest(const sn_soft_view *a, const sn_soft_view *b, const sn_soft_contact_data *previous)
{
    float depth = a->half_thickness + b->half_thickness + a->margin;
    return previous == NULL ? depth : 2.0f * depth;
}

// --- node and face -----------------------------------------------------------------------------------------

// Distance at rest of two points of one deformable, each a weighted sum of nodes.
static float rest_distance(const sn_soft_view *view, const uint32_t *nodes_a, const float *weights_a,
                           int width_a, const uint32_t *nodes_b, const float *weights_b, int width_b)
{
    const sn_vec3 *rest = view->surface->mesh->nodes;
    sn_vec3 apart = sn_v(0.0f, 0.0f, 0.0f);
    for (int k = 0; k < width_a; ++k) {
        apart = sn_add_scaled(apart, weights_a[k], rest[nodes_a[k]]);
    }
    for (int k = 0; k < width_b; ++k) {
        apart = sn_add_scaled(apart, -weights_b[k], rest[nodes_b[k]]);
    }
    return view->surface->scale * sn_length(apart);
}

// Where a node is relative to a face: the normal from the face, and the distance along it.
typedef struct offset {
    sn_vec3 normal;
    float gap; // negative on the wrong side
} offset;

// Over the face: along its normal, to the side of the last step. A new one is on the side where the node is,
// or outside if the face bounds a volume.
static offset over_face(bool has_two_sides, sn_vec3 out, float height, const sn_soft_contact_data *previous)
{
    bool behind = previous != NULL ? sn_dot(previous->normal, out) < 0.0f : has_two_sides && height < 0.0f;
    return (offset){behind ? sn_neg(out) : out, behind ? -height : height};
}

// Beside the face: away from the closest point of its edges, which has no sides.
static offset beside_face(sn_vec3 away)
{
    float distance = sn_length(away);
    return (offset){sn_scale(away, 1.0f / sn_max(distance, 1.0e-9f)), distance};
}

static bool is_over_face(const sn_soft_view *b, int face, sn_vec3 point)
{
    const uint32_t *n = b->surface->faces.data + 3 * (size_t)face;
    float unused[3];
    return sn_triangle_weights(b->nodes[n[0]].position, b->nodes[n[1]].position, b->nodes[n[2]].position,
                               point, unused);
}

// Across an edge of a face; negative if there is none.
static int face_across(const sn_soft_surface *surface, int face, uint32_t k)
{
    const int *beside = surface->edge_faces.data + 2 * (size_t)surface->face_edges.data[3 * (size_t)face + k];
    return beside[0] == face ? beside[1] : beside[0];
}

// Whether the point is over one of the faces around a corner, which are visited across their edges, both
// ways.
static bool is_over_fan(const sn_soft_view *b, int first, uint32_t corner, sn_vec3 point)
{
    enum { MOST_FACES = 32 };
    const sn_soft_surface *surface = b->surface;
    uint32_t node = surface->faces.data[3 * (size_t)first + corner];
    for (int way = 0; way < 2; ++way) {
        int face = first, from = -1;
        for (int i = 0; i < MOST_FACES; ++i) {
            const uint32_t *n = surface->faces.data + 3 * (size_t)face;
            uint32_t at = n[0] == node ? 0 : n[1] == node ? 1 : 2;
            int next = face_across(surface, face, at), other = face_across(surface, face, (at + 2) % 3);
            next = from < 0 ? (way == 0 ? next : other) : (next == from ? other : next);
            if (next < 0 || next == first) {
                break;
            }
            if (is_over_face(b, next, point)) {
                return true;
            }
            from = face;
            face = next;
        }
    }
    return false;
}

static bool owns_region(const sn_soft_surface *surface, uint32_t face, sn_triangle_region region)
{
    uint32_t bit = region >= SN_TRIANGLE_CORNER ? (uint32_t)region - SN_TRIANGLE_CORNER
                                                : (uint32_t)region - SN_TRIANGLE_EDGE + 3;
    return (surface->owned.data[face] >> bit & 1u) != 0;
}

// Whether the face owns that edge or corner, and the point is not over a face on the other side of it.
static bool owns(const sn_soft_view *b, uint32_t face, sn_triangle_region region, sn_vec3 point)
{
    if (!owns_region(b->surface, face, region)) {
        return false;
    }
    if (region >= SN_TRIANGLE_CORNER) {
        return !is_over_fan(b, (int)face, (uint32_t)region - SN_TRIANGLE_CORNER, point);
    }
    uint32_t k = (uint32_t)region - SN_TRIANGLE_EDGE;
    return !sn_soft_is_over_faces(b, b->surface->face_edges.data[3 * (size_t)face + k], point);
}

// Over an edge that is nearly flat, both faces beside it contain a point, but for rounding, and say the same:
// the first of them tells it. Where the two faces bend, they do not.
static bool is_told_by_neighbor(const sn_soft_view *b, uint32_t face, const float weights[3], sn_vec3 out,
                                sn_vec3 point)
{
    const float at_edge = 1.0e-3f, alike = 0.98f;
    for (uint32_t k = 0; k < 3; ++k) {
        int other = weights[(k + 2) % 3] > at_edge ? -1 : face_across(b->surface, (int)face, k);
        sn_vec3 normal;
        if (other >= 0 && other < (int)face && sn_soft_face_normal(b, (uint32_t)other, &normal) &&
            sn_dot(normal, out) > alike && is_over_face(b, other, point)) {
            return true;
        }
    }
    return false;
}

bool sn_soft_node_meets_face(const sn_soft_view *a, uint32_t node, const sn_soft_view *b, uint32_t face,
                             const sn_soft_contact_data *previous, sn_soft_contact_data *contact)
{
    const uint32_t *corners = b->surface->faces.data + 3 * (size_t)face;
    sn_vec3 point = a->nodes[node].position, out, p[3];
    sn_vec3 displacement = a->displacements[node];
    for (int k = 0; k < 3; ++k) {
        p[k] = b->nodes[corners[k]].position;
        displacement = sn_add_scaled(displacement, -1.0f / 3.0f, b->displacements[corners[k]]);
    }
    float thickness = a->half_thickness + b->half_thickness, height;
    if (!sn_soft_face_normal(b, face, &out)) {
        return false;
    }
    height = sn_dot(out, sn_sub(point, p[0]));
    // Where the node is when it reaches the face.
    bool has_two_sides = !b->surface->one_sided || sn_soft_is_flipped(b, face);
    offset offset = over_face(has_two_sides, out, height, previous);
    float approach = -sn_dot(offset.normal, displacement), far = offset.gap - thickness;
    sn_vec3 there = far > a->margin && approach > 0.0f
                        ? sn_add_scaled(point, sn_min(1.0f, far / approach), displacement)
                        : point;
    float weights[3], whole = 1.0f;
    sn_triangle_region region = sn_triangle_nearest(p, there, weights);
    if (region != SN_TRIANGLE_INSIDE) {
        // Outside of a volume, too: between two faces of a ridge, or over a corner, it is over neither.
        if ((!has_two_sides && !(height > 0.0f)) || !owns(b, face, region, there)) {
            return false;
        }
        sn_vec3 nearest = sn_add(sn_add(sn_scale(p[0], weights[0]), sn_scale(p[1], weights[1])),
                                 sn_scale(p[2], weights[2]));
        offset = beside_face(sn_sub(point, nearest));
        approach = -sn_dot(offset.normal, displacement);
    } else if ((far <= a->margin && is_told_by_neighbor(b, face, weights, out, point)) ||
               // Surfaces of two volumes meet face to face: a node whose normal is aligned with the face is
               // behind it.
               (previous == NULL && a->surface->one_sided && !has_two_sides && a->node_normals != NULL &&
                sn_dot(a->node_normals[node], out) > 0.0f)) {
        return false;
    }
    if (a->surface == b->surface) {
        float at_rest = rest_distance(a, &node, &whole, 1, corners, weights, 3);
        thickness = sn_min(thickness, at_rest_part * at_rest);
    }
    contact->normal = offset.normal;
    contact->separation = offset.gap - thickness;
    if (!(contact->separation <=
          a->margin + sn_soft_pair_margin(a, node, b, corners[0]) + sn_max(approach, 0.0f)) ||
        contact->separation < -deepest(a, b, previous)) {
        return false;
    }
    return put_both(contact, a, &node, &whole, 1, b, corners, weights, 3);
}

// --- edge and edge -----------------------------------------------------------------------------------------

// The normal perpendicular to both edges, or its opposite, whichever points from b to a.
static sn_vec3 turned(const sn_soft_view *a, uint32_t edge_a, const sn_soft_view *b, uint32_t edge_b,
                      sn_vec3 parting, const sn_soft_contact_data *previous, sn_vec3 normal)
{
    sn_vec3 guide = previous != NULL ? previous->normal : parting, out;
    // A new contact is outside of a volume.
    if (previous != NULL || sn_soft_edge_is_flipped(a, edge_a) || sn_soft_edge_is_flipped(b, edge_b)) {
        return sn_dot(normal, guide) < 0.0f ? sn_neg(normal) : normal;
    }
    if (b->surface->one_sided && sn_soft_edge_normal(b, edge_b, &out)) {
        guide = out;
    } else if (a->surface->one_sided && sn_soft_edge_normal(a, edge_a, &out)) {
        guide = sn_neg(out);
    }
    return sn_dot(normal, guide) < 0.0f ? sn_neg(normal) : normal;
}

// Whether a direction points into the volume that the faces beside an edge bound.
static bool points_inside(const sn_soft_view *view, uint32_t edge, sn_vec3 direction)
{
    sn_vec3 out;
    return view->surface->one_sided && !sn_soft_edge_is_flipped(view, edge) &&
           sn_soft_edge_normal(view, edge, &out) && sn_dot(direction, out) < 0.0f;
}

bool sn_soft_edges_meet(const sn_soft_view *a, uint32_t edge_a, const sn_soft_view *b, uint32_t edge_b,
                        const sn_soft_contact_data *previous, sn_soft_contact_data *contact)
{
    const uint32_t *nodes_a = a->surface->mesh->edges + 2 * (size_t)edge_a;
    const uint32_t *nodes_b = b->surface->mesh->edges + 2 * (size_t)edge_b;
    sn_vec3 on_a[2], on_b[2];
    for (int k = 0; k < 2; ++k) {
        on_a[k] = a->nodes[nodes_a[k]].position;
        on_b[k] = b->nodes[nodes_b[k]].position;
    }
    float s, t, thickness = a->half_thickness + b->half_thickness;
    if (!sn_nearest_on_lines(on_a, on_b, &s, &t)) {
        return false;
    }
    sn_vec3 parting = sn_sub(sn_lerp(on_a[0], on_a[1], s), sn_lerp(on_b[0], on_b[1], t));
    sn_vec3 across = sn_normalize(sn_cross(sn_sub(on_a[1], on_a[0]), sn_sub(on_b[1], on_b[0])));
    contact->normal = turned(a, edge_a, b, edge_b, parting, previous, across);
    // Edges that turn past each other turn their normal, too. What then is on the wrong side of one of them
    // is held apart by other features.
    if (points_inside(b, edge_b, contact->normal) || points_inside(a, edge_a, sn_neg(contact->normal))) {
        return false;
    }
    float gap = sn_dot(parting, contact->normal);
    float at_s = sn_clamp(s, 0.0f, 1.0f), at_t = sn_clamp(t, 0.0f, 1.0f);
    float approach = -sn_dot(
        contact->normal, sn_sub(sn_lerp(a->displacements[nodes_a[0]], a->displacements[nodes_a[1]], at_s),
                                sn_lerp(b->displacements[nodes_b[0]], b->displacements[nodes_b[1]], at_t)));
    if (!(gap - thickness <=
          a->margin + sn_soft_pair_margin(a, nodes_a[0], b, nodes_b[0]) + sn_max(approach, 0.0f)) ||
        gap - thickness < -deepest(a, b, previous)) {
        return false;
    }
    if (gap - thickness > a->margin && approach > 0.0f) {
        float when = sn_min(1.0f, (gap - thickness) / approach);
        for (int k = 0; k < 2; ++k) {
            on_a[k] = sn_add_scaled(on_a[k], when, a->displacements[nodes_a[k]]);
            on_b[k] = sn_add_scaled(on_b[k], when, b->displacements[nodes_b[k]]);
        }
        if (!sn_nearest_on_lines(on_a, on_b, &s, &t)) {
            return false;
        }
    }
    if (!sn_is_inside_edge(s) || !sn_is_inside_edge(t)) {
        return false;
    }
    float weights_a[2] = {1.0f - s, s}, weights_b[2] = {1.0f - t, t};
    if (a->surface == b->surface) {
        float at_rest = rest_distance(a, nodes_a, weights_a, 2, nodes_b, weights_b, 2);
        thickness = sn_min(thickness, at_rest_part * at_rest);
    }
    contact->separation = gap - thickness;
    return put_both(contact, a, nodes_a, weights_a, 2, b, nodes_b, weights_b, 2);
}

// --- most pairs --------------------------------------------------------------------------------------------

// As sn_soft_node_meets_face finds it where the node is, if that is close enough.
static bool may_node_meet_face(const sn_soft_view *a, uint32_t node, const sn_soft_view *b, uint32_t face)
{
    const uint32_t *corners = b->surface->faces.data + 3 * (size_t)face;
    sn_vec3 point = a->nodes[node].position, out, p[3];
    for (int k = 0; k < 3; ++k) {
        p[k] = b->nodes[corners[k]].position;
    }
    float weights[3], near = a->half_thickness + b->half_thickness + a->margin;
    if (!sn_soft_face_normal(b, face, &out)) {
        return false;
    }
    if (sn_abs(sn_dot(out, sn_sub(point, p[0]))) > near) {
        return true;
    }
    sn_triangle_region region = sn_triangle_nearest(p, point, weights);
    return region == SN_TRIANGLE_INSIDE ? !is_told_by_neighbor(b, face, weights, out, point)
                                        : owns(b, face, region, point);
}

static bool may_edges_meet(const sn_soft_view *a, uint32_t edge_a, const sn_soft_view *b, uint32_t edge_b)
{
    const uint32_t *nodes_a = a->surface->mesh->edges + 2 * (size_t)edge_a;
    const uint32_t *nodes_b = b->surface->mesh->edges + 2 * (size_t)edge_b;
    sn_vec3 on_a[2] = {a->nodes[nodes_a[0]].position, a->nodes[nodes_a[1]].position};
    sn_vec3 on_b[2] = {b->nodes[nodes_b[0]].position, b->nodes[nodes_b[1]].position};
    float s, t, near = a->half_thickness + b->half_thickness + a->margin;
    if (!sn_nearest_on_lines(on_a, on_b, &s, &t) || (sn_is_inside_edge(s) && sn_is_inside_edge(t))) {
        return true;
    }
    sn_vec3 across = sn_cross(sn_sub(on_a[1], on_a[0]), sn_sub(on_b[1], on_b[0]));
    float gap = sn_dot(across, sn_sub(on_a[0], on_b[0]));
    return gap * gap > 0.999f * near * near * sn_length_squared(across);
}

bool sn_soft_may_meet(const sn_soft_view *a, uint32_t feature, const sn_soft_view *b, uint32_t other)
{
    uint32_t number = sn_soft_feature_number(feature), number_b = sn_soft_feature_number(other);
    switch (sn_soft_feature_kind(feature)) {
    case SN_SOFT_NODE:
        return may_node_meet_face(a, number, b, number_b);
    case SN_SOFT_FACE:
        return may_node_meet_face(b, number_b, a, number);
    default:
        return may_edges_meet(a, number, b, number_b);
    }
}
