// Features of a surface against balls that are small compared to its cells: spheres, and the ends of
// capsules.
//
// Such a ball moves around corners of the surface within one step, so the solver finds normals and weights
// anew in every sub-step (soft_contact_kernel.h) and needs all features that the ball may touch in the step,
// not only those that it is over now. Sides are relative to the normal at the closest point: that of the
// face, of the two faces beside the edge, or of all faces around the node.
#include "collision/soft/soft_view.h"

#include <string.h>

// How far the ball may get from where it is expected: this part of the margin plus this part of its
// displacement.
static const float play_by_margin = 0.1f, play_by_displacement = 0.25f;

// The point of a feature that is closest to a ball.
typedef struct closest {
    uint32_t nodes[3];
    float weights[3];
    int width;
    sn_vec3 point;
    sn_vec3 out;  // normal of the surface there; zero on the boundary of a sheet
    float beside; // its distance from the projection of the ball on the line or plane of the feature
    bool inside;  // of a face: the point is not on its edges
} closest;

static sn_vec3 unit_or_zero(sn_vec3 v)
{
    float length = sn_length(v);
    return length > 0.1f ? sn_scale(v, 1.0f / length) : sn_v(0.0f, 0.0f, 0.0f);
}

static sn_vec3 normal_at_node(const sn_soft_view *view, uint32_t node)
{
    return view->surface->rim.data[node] ? sn_v(0.0f, 0.0f, 0.0f) : unit_or_zero(view->node_normals[node]);
}

static sn_vec3 normal_at_edge(const sn_soft_view *view, uint32_t edge)
{
    sn_vec3 out;
    return sn_soft_edge_normal(view, edge, &out) ? out : sn_v(0.0f, 0.0f, 0.0f);
}

static closest on_node(const sn_soft_view *view, uint32_t node)
{
    return (closest){.nodes = {node},
                     .weights = {1.0f},
                     .width = 1,
                     .point = view->nodes[node].position,
                     .out = normal_at_node(view, node)};
}

static closest on_edge(const sn_soft_view *view, uint32_t edge, sn_vec3 ball)
{
    const uint32_t *nodes = view->surface->mesh->edges + 2 * (size_t)edge;
    sn_vec3 a = view->nodes[nodes[0]].position, along = sn_sub(view->nodes[nodes[1]].position, a);
    float t = sn_nearest_on_line(a, view->nodes[nodes[1]].position, ball), at = sn_clamp(t, 0.0f, 1.0f);
    return (closest){.nodes = {nodes[0], nodes[1]},
                     .weights = {1.0f - at, at},
                     .width = 2,
                     .point = sn_add_scaled(a, at, along),
                     .out = normal_at_edge(view, edge),
                     .beside = sn_abs(t - at) * sn_length(along)};
}

// `out` is the face's own normal.
static closest on_face(const sn_soft_view *view, uint32_t face, sn_vec3 out, sn_vec3 ball)
{
    const uint32_t *nodes = view->surface->faces.data + 3 * (size_t)face;
    sn_vec3 corners[3] = {view->nodes[nodes[0]].position, view->nodes[nodes[1]].position,
                          view->nodes[nodes[2]].position};
    closest found = {.nodes = {nodes[0], nodes[1], nodes[2]}, .width = 3, .out = out};
    sn_triangle_region region = sn_triangle_nearest(corners, ball, found.weights);
    found.inside = region == SN_TRIANGLE_INSIDE;
    if (region >= SN_TRIANGLE_CORNER) {
        found.out = normal_at_node(view, nodes[region - SN_TRIANGLE_CORNER]);
    } else if (region >= SN_TRIANGLE_EDGE) {
        uint32_t k = (uint32_t)region - SN_TRIANGLE_EDGE;
        found.out = normal_at_edge(view, view->surface->face_edges.data[3 * (size_t)face + k]);
    }
    for (int k = 0; k < 3; ++k) {
        found.point = sn_add_scaled(found.point, found.weights[k], corners[k]);
    }
    sn_vec3 projection = sn_add_scaled(ball, -sn_dot(out, sn_sub(ball, corners[0])), out);
    found.beside = sn_distance_between(projection, found.point);
    return found;
}

// Whether an edge is convex as seen from a point. Over a flat edge, or in a valley, the ball is over a face
// wherever it moves.
static bool stands_out(const sn_soft_view *view, uint32_t edge, sn_vec3 seen_from)
{
    const int *faces = view->surface->edge_faces.data + 2 * (size_t)edge;
    const uint32_t *ends = view->surface->mesh->edges + 2 * (size_t)edge;
    sn_vec3 out, at = view->nodes[ends[0]].position;
    if (faces[0] < 0 || faces[1] < 0 || !sn_soft_face_normal(view, (uint32_t)faces[0], &out)) {
        return true;
    }
    if (!view->surface->sharp.data[edge]) {
        return false;
    }
    float beyond = 0.0f; // height of the second face's third corner over the first face
    for (int k = 0; k < 3; ++k) {
        uint32_t node = view->surface->faces.data[3 * (size_t)faces[1] + (size_t)k];
        bool shared = node == ends[0] || node == ends[1];
        beyond = shared ? beyond : sn_dot(out, sn_sub(view->nodes[node].position, at));
    }
    return beyond * sn_dot(normal_at_edge(view, edge), sn_sub(seen_from, at)) <= 0.0f;
}

// Whether the ball is over a face beside the edge and cannot reach the edge.
static bool is_well_over_face(const sn_soft_view *view, uint32_t edge, sn_vec3 on_edge, sn_vec3 ball,
                              float play)
{
    for (size_t k = 0; k < 2; ++k) {
        int face = view->surface->edge_faces.data[2 * (size_t)edge + k];
        sn_vec3 out;
        if (face < 0 || !sn_soft_face_normal(view, (uint32_t)face, &out)) {
            continue;
        }
        closest over = on_face(view, (uint32_t)face, out, ball);
        if (over.inside && sn_distance_between(over.point, on_edge) > play) {
            return true;
        }
    }
    return false;
}

// The displacement of that point in this step.
static sn_vec3 displacement_of(const sn_soft_view *view, const closest *found)
{
    sn_vec3 displacement = sn_v(0.0f, 0.0f, 0.0f);
    for (int k = 0; k < found->width; ++k) {
        displacement = sn_add_scaled(displacement, found->weights[k], view->displacements[found->nodes[k]]);
    }
    return displacement;
}

// How far the ball may get from where it is expected: a part of its own displacement, and of the sheet's,
// which may be stopped. Missing a feature by less than the radius does no harm: the next step sees it.
static float play_of(const sn_soft_view *view, sn_vec3 displacement, sn_vec3 approach, float radius)
{
    return play_by_margin * view->margin + sn_min(play_by_displacement * sn_length(approach), radius) +
           sn_max(0.0f, sn_soft_margin(view, displacement) - radius);
}

// Where on its path relative to the feature the ball is closest to a point of it.
static sn_vec3 arrival(sn_vec3 ball, sn_vec3 approach, sn_vec3 point)
{
    float squared = sn_length_squared(approach);
    float when = squared > 0.0f ? sn_dot(sn_sub(point, ball), approach) / squared : 0.0f;
    return sn_add_scaled(ball, sn_clamp(when, 0.0f, 1.0f), approach);
}

static closest closest_on(const sn_soft_view *view, uint32_t feature, sn_vec3 face_out, sn_vec3 ball)
{
    uint32_t number = sn_soft_feature_number(feature);
    switch (sn_soft_feature_kind(feature)) {
    case SN_SOFT_NODE:
        return on_node(view, number);
    case SN_SOFT_EDGE:
        return on_edge(view, number, ball);
    default:
        return on_face(view, number, face_out, ball);
    }
}

// The nodes of a feature; returns how many.
static int nodes_of(const sn_soft_view *view, uint32_t feature, uint32_t nodes[3])
{
    uint32_t number = sn_soft_feature_number(feature);
    int width = 1 + (int)sn_soft_feature_kind(feature);
    nodes[0] = number;
    if (width > 1) {
        const uint32_t *lists = width == 2 ? view->surface->mesh->edges : view->surface->faces.data;
        memcpy(nodes, lists + (size_t)width * number, (size_t)width * sizeof *nodes);
    }
    return width;
}

// Whether the ball may touch the feature in this step; `now` is where they are closest now.
static bool may_touch(const sn_soft_view *view, uint32_t feature, sn_vec3 face_out, const closest *now,
                      const sn_obstacle *obstacle, sn_vec3 ball)
{
    sn_vec3 displacement = displacement_of(view, now),
            approach = sn_sub(sn_obstacle_displacement(obstacle, ball), displacement);
    float radius = obstacle->convex.radius, play = play_of(view, displacement, approach, radius);
    float reach = radius + view->half_thickness + view->margin + play;
    sn_vec3 there = arrival(ball, approach, now->point);
    closest then = closest_on(view, feature, face_out, there);
    if (!(sn_length_squared(sn_sub(then.point, there)) <= reach * reach && then.beside <= play)) {
        return false;
    }
    uint32_t number = sn_soft_feature_number(feature);
    return sn_soft_feature_kind(feature) != SN_SOFT_EDGE ||
           (stands_out(view, number, ball) && !is_well_over_face(view, number, then.point, there, play));
}

// The side of the surface on which the ball is. Over a face, and deep in other features, it is that of the
// last step or, without one, that of the obstacle's other contacts.
static float side_of(const sn_soft_view *view, const closest *found, float radius, sn_vec3 away,
                     float distance, sn_vec3 face_out, const sn_soft_contact_data *previous)
{
    bool deep = distance < radius;
    bool has_sides = sn_length_squared(found->out) > 0.0f;
    if (view->surface->one_sided) {
        return 1.0f;
    }
    if (previous != NULL && previous->side != 0.0f && (found->inside || (deep && has_sides))) {
        return previous->side;
    }
    if (deep && has_sides && view->side != 0.0f) {
        return view->side;
    }
    return sn_dot(has_sides ? found->out : face_out, away) > 0.0f ? -1.0f : 1.0f;
}

// Whether a flat edge lies between two faces: the ball is over one of them.
static bool is_between_faces(const sn_soft_view *view, uint32_t feature)
{
    return sn_soft_feature_kind(feature) == SN_SOFT_EDGE &&
           !view->surface->sharp.data[sn_soft_feature_number(feature)];
}

// Whether a ball stays beside a face, seen along the face's normal, by more than `distance` from its middle.
static bool is_beside(const sn_soft_view *view, uint32_t feature, sn_vec3 from_middle, float distance)
{
    if (sn_soft_feature_kind(feature) != SN_SOFT_FACE) {
        return false;
    }
    float height = sn_dot(view->surface->normals.data[sn_soft_feature_number(feature)], from_middle);
    return sn_length_squared(from_middle) - height * height > distance * distance;
}

bool sn_soft_is_near_ball(const sn_soft_view *view, uint32_t feature, const sn_obstacle *obstacle, int corner)
{
    uint32_t nodes[3];
    if (is_between_faces(view, feature)) {
        return false;
    }
    int width = nodes_of(view, feature, nodes);
    sn_vec3 ball = sn_obstacle_corner(obstacle, corner);
    float share = 1.0f / (float)width, radius = obstacle->convex.radius, size2 = 0.0f, spread2 = 0.0f;
    sn_vec3 middle = {0.0f, 0.0f, 0.0f}, displacement = {0.0f, 0.0f, 0.0f};
    for (int k = 0; k < width; ++k) {
        middle = sn_add_scaled(middle, share, view->nodes[nodes[k]].position);
        displacement = sn_add_scaled(displacement, share, view->displacements[nodes[k]]);
    }
    for (int k = 0; k < width; ++k) {
        size2 = sn_max(size2, sn_length_squared(sn_sub(view->nodes[nodes[k]].position, middle)));
        spread2 = sn_max(spread2, sn_length_squared(sn_sub(view->displacements[nodes[k]], displacement)));
    }
    sn_vec3 approach = sn_sub(sn_obstacle_displacement(obstacle, ball), displacement),
            from_middle = sn_sub(arrival(ball, approach, middle), middle);
    float size = sqrtf(size2), play = play_of(view, displacement, approach, radius);
    float reach = radius + view->half_thickness + view->margin + play + size;
    // From another point of the face than its middle, the closest place on the ball's path is elsewhere.
    float shift = sn_min(size, sn_length(approach)) + 2.0f * sqrtf(spread2);
    return sn_length_squared(from_middle) <= reach * reach &&
           !is_beside(view, feature, from_middle, size + play + shift);
}

bool sn_soft_meets_ball(const sn_soft_view *view, uint32_t feature, const sn_obstacle *obstacle, int corner,
                        const sn_soft_contact_data *previous, sn_soft_contact_data *contact)
{
    sn_vec3 ball = sn_obstacle_corner(obstacle, corner), face_out = {0.0f, 0.0f, 0.0f};
    float radius = obstacle->convex.radius;
    if (sn_soft_feature_kind(feature) == SN_SOFT_FACE &&
        !sn_soft_face_normal(view, sn_soft_feature_number(feature), &face_out)) {
        return false;
    }
    closest found = closest_on(view, feature, face_out, ball);
    if (!may_touch(view, feature, face_out, &found, obstacle, ball)) {
        return false;
    }
    sn_vec3 away = sn_sub(found.point, ball);
    float distance = sn_length(away);
    contact->reach = radius + view->half_thickness;
    contact->follows = true;
    contact->ball = ball;
    contact->side = side_of(view, &found, radius, away, distance, face_out, previous);
    contact->out = found.out;
    float turn =
        sn_dot(found.out, away) * contact->side > 0.5f * distance && distance < radius ? -1.0f : 1.0f;
    contact->normal = sn_scale(away, turn / sn_max(distance, 1.0e-9f));
    contact->separation = turn * distance - contact->reach;
    if (found.inside) {
        contact->normal = sn_scale(face_out, -contact->side);
        contact->separation = sn_dot(contact->normal, away) - contact->reach;
    }
    return sn_soft_contact_put(contact, view, found.nodes, found.weights, found.width);
}
