// Nodes, faces and edges of a deformable against obstacles.
#include "collision/soft/soft_view.h"

#include <math.h>

// Features whose nearest points lie at their ends are the business of other features.
static const float end_of_edge = 1.0e-3f;
// Cosine beyond which a normal runs along a sheet rather than away from it.
static const float along_sheet = 0.3f;

// --- helpers -----------------------------------------------------------------------------------------------

bool sn_triangle_weights(sn_vec3 a, sn_vec3 b, sn_vec3 c, sn_vec3 p, float weights[3])
{
    sn_vec3 ab = sn_sub(b, a), ac = sn_sub(c, a), ap = sn_sub(p, a);
    sn_vec3 normal = sn_cross(ab, ac);
    float squared = sn_length_squared(normal);
    if (!(squared > 1.0e-10f * sn_length_squared(ab) * sn_length_squared(ac))) {
        return false;
    }
    weights[1] = sn_dot(sn_cross(ap, ac), normal) / squared;
    weights[2] = sn_dot(sn_cross(ab, ap), normal) / squared;
    weights[0] = 1.0f - weights[1] - weights[2];
    return weights[0] >= 0.0f && weights[1] >= 0.0f && weights[2] >= 0.0f;
}

// The nearest point of an edge; false if it is an end.
static bool nearest_on_edge(sn_vec3 a, sn_vec3 b, sn_vec3 p, float *t, float *squared_distance)
{
    sn_vec3 along = sn_sub(b, a), to = sn_sub(p, a);
    float squared = sn_length_squared(along);
    float at = squared > 0.0f ? sn_dot(to, along) / squared : 0.0f;
    *t = sn_clamp(at, 0.0f, 1.0f);
    *squared_distance = sn_length_squared(sn_sub(p, sn_add_scaled(a, *t, along)));
    return at > 0.0f && at < 1.0f;
}

sn_triangle_region sn_triangle_nearest(const sn_vec3 corners[3], sn_vec3 p, float weights[3])
{
    if (sn_triangle_weights(corners[0], corners[1], corners[2], p, weights)) {
        return SN_TRIANGLE_INSIDE;
    }
    int region = SN_TRIANGLE_CORNER, best_k = 0;
    float best = INFINITY, best_t = 0.0f;
    for (int k = 0; k < 3; ++k) {
        float t, squared_distance;
        bool inner = nearest_on_edge(corners[k], corners[(k + 1) % 3], p, &t, &squared_distance);
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

bool sn_nearest_on_lines(const sn_vec3 a[2], const sn_vec3 b[2], float *on_a, float *on_b)
{
    sn_vec3 u = sn_sub(a[1], a[0]), v = sn_sub(b[1], b[0]), w = sn_sub(b[0], a[0]);
    float uu = sn_length_squared(u), vv = sn_length_squared(v), uv = sn_dot(u, v);
    float determinant = uu * vv - uv * uv;
    if (!(determinant > 1.0e-4f * uu * vv)) {
        return false;
    }
    float uw = sn_dot(u, w), vw = sn_dot(v, w);
    *on_a = (uw * vv - vw * uv) / determinant;
    *on_b = (uw * uv - vw * uu) / determinant;
    return true;
}

bool sn_soft_face_normal(const sn_soft_view *view, uint32_t face, sn_vec3 *normal)
{
    if (view->has_normals) {
        *normal = view->surface->normals.data[face];
        return sn_length_squared(*normal) > 0.0f;
    }
    const uint32_t *n = view->surface->faces.data + 3 * (size_t)face;
    sn_vec3 a = view->nodes[n[0]].position;
    sn_vec3 ab = sn_sub(view->nodes[n[1]].position, a), ac = sn_sub(view->nodes[n[2]].position, a);
    sn_vec3 cross = sn_cross(ab, ac);
    float squared = sn_length_squared(cross);
    if (!(squared > 1.0e-10f * sn_length_squared(ab) * sn_length_squared(ac))) {
        return false;
    }
    *normal = sn_scale(cross, 1.0f / sqrtf(squared));
    return true;
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

void sn_soft_contact_put(sn_soft_contact_data *contact, const sn_soft_view *view, const uint32_t *nodes,
                         const float *weights, int width)
{
    contact->width = width;
    contact->point = sn_v(0.0f, 0.0f, 0.0f);
    for (int k = 0; k < width; ++k) {
        contact->nodes[k] = view->first_node + (int)nodes[k];
        contact->weights[k] = weights[k];
        contact->point = sn_add_scaled(contact->point, weights[k], view->nodes[nodes[k]].position);
    }
}

// Beyond the margin a contact with the obstacle's present normal would be a ghost if the obstacle is smaller
// than the way: it might pass by.
static float reach_of(const sn_soft_view *view, const sn_obstacle *obstacle, float displacement)
{
    return view->margin +
           (obstacle->kind == SN_OBSTACLE_PLANE ? displacement : sn_min(displacement, obstacle->size));
}

bool sn_soft_contact_is_sound(const sn_soft_contact_data *contact)
{
    return sn_vec3_is_finite(contact->normal) && sn_vec3_is_finite(contact->point) &&
           sn_is_finite(contact->separation);
}

// The side of a sheet that an obstacle is on, `over` being how far it is over the surface: where it was when
// they first met.
static float side_of(const sn_soft_view *view, const sn_soft_contact_data *previous, float over)
{
    if (view->surface->one_sided) {
        return 1.0f;
    }
    if (previous != NULL && previous->side != 0.0f) {
        return previous->side;
    }
    return over < 0.0f ? -1.0f : 1.0f;
}

// --- nodes -------------------------------------------------------------------------------------------------

bool sn_soft_node_meets(const sn_soft_view *view, uint32_t node, const sn_obstacle *obstacle,
                        const sn_soft_contact_data *previous, sn_soft_contact_data *contact)
{
    sn_vec3 point = view->nodes[node].position;
    sn_vec3 displacement = sn_sub(view->displacements[node], sn_obstacle_displacement(obstacle, point));
    float length = sn_length(displacement) + sn_soft_margin(view, view->displacements[node]);
    float thickness = 2.0f * view->half_thickness;
    contact->separation = sn_obstacle_distance(obstacle, point, previous != NULL ? &previous->normal : NULL,
                                               thickness, &contact->normal) -
                          view->half_thickness;
    // Still far away: what counts is where it arrives, if it does.
    if (!(contact->separation <= reach_of(view, obstacle, length))) {
        bool may_arrive =
            obstacle->kind == SN_OBSTACLE_TRIANGLE || contact->separation <= view->margin + length;
        if (!may_arrive || !sn_obstacle_cast(obstacle, point, displacement, view->half_thickness,
                                             &contact->normal, &contact->separation)) {
            return false;
        }
    }
    float whole = 1.0f;
    sn_soft_contact_put(contact, view, &node, &whole, 1);
    return sn_soft_contact_is_sound(contact);
}

// --- faces and edges against corners -----------------------------------------------------------------------

// The corner relative to a face during the step: as if the face stood still.
static sn_vec3 relative_displacement(const sn_soft_view *view, const uint32_t *nodes, const float *weights,
                                     int width, sn_vec3 obstacle_displacement)
{
    for (int k = 0; k < width; ++k) {
        obstacle_displacement =
            sn_add_scaled(obstacle_displacement, -weights[k], view->displacements[nodes[k]]);
    }
    return obstacle_displacement;
}

bool sn_soft_face_meets_corner(const sn_soft_view *view, uint32_t face, const sn_obstacle *obstacle,
                               int corner, const sn_soft_contact_data *previous,
                               sn_soft_contact_data *contact)
{
    static const float thirds[3] = {1.0f / 3.0f, 1.0f / 3.0f, 1.0f / 3.0f};
    const uint32_t *nodes = view->surface->faces.data + 3 * (size_t)face;
    sn_vec3 a = view->nodes[nodes[0]].position, b = view->nodes[nodes[1]].position,
            c = view->nodes[nodes[2]].position, out;
    if (!sn_soft_face_normal(view, face, &out)) {
        return false;
    }
    sn_vec3 point = sn_obstacle_corner(obstacle, corner);
    sn_vec3 displacement =
        relative_displacement(view, nodes, thirds, 3, sn_obstacle_displacement(obstacle, point));
    float height = sn_dot(out, sn_sub(point, a));
    float side = side_of(view, previous, height);
    float separation = side * height - obstacle->convex.radius - view->half_thickness;
    // Where the corner is, or will be when they meet.
    float approach = -side * sn_dot(out, displacement);
    if (separation > view->margin) {
        if (!(separation <= view->margin + approach)) {
            return false;
        }
        point = sn_add_scaled(point, sn_min(1.0f, separation / approach), displacement);
    }
    // What is that far behind the skin of a volume is inside.
    if (previous == NULL &&
        separation < -2.0f * (obstacle->convex.radius + view->half_thickness) - view->margin) {
        return false;
    }
    float weights[3];
    contact->normal = sn_scale(out, -side);
    contact->separation = separation;
    contact->side = side;
    if (!sn_triangle_weights(a, b, c, point, weights) ||
        !sn_obstacle_corner_allows(obstacle, corner, contact->normal)) {
        return false;
    }
    sn_soft_contact_put(contact, view, nodes, weights, 3);
    return sn_soft_contact_is_sound(contact);
}

// Then that face is nearer than the edge.
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

bool sn_soft_edge_meets_corner(const sn_soft_view *view, uint32_t edge, const sn_obstacle *obstacle,
                               int corner, sn_soft_contact_data *contact)
{
    const uint32_t *nodes = view->surface->mesh->edges + 2 * (size_t)edge;
    sn_vec3 a = view->nodes[nodes[0]].position, along = sn_sub(view->nodes[nodes[1]].position, a);
    sn_vec3 point = sn_obstacle_corner(obstacle, corner);
    float squared = sn_length_squared(along);
    float t = squared > 0.0f ? sn_dot(sn_sub(point, a), along) / squared : 0.0f;
    if (!(t > end_of_edge && t < 1.0f - end_of_edge) || sn_soft_is_over_faces(view, edge, point)) {
        return false;
    }
    float weights[2] = {1.0f - t, t};
    sn_vec3 away = sn_sub(sn_add_scaled(a, t, along), point);
    float distance = sn_length(away);
    contact->normal = sn_scale(away, 1.0f / sn_max(distance, 1.0e-9f));
    contact->separation = distance - obstacle->convex.radius - view->half_thickness;
    sn_vec3 displacement =
        relative_displacement(view, nodes, weights, 2, sn_obstacle_displacement(obstacle, point));
    if (!(contact->separation <= reach_of(view, obstacle, sn_length(displacement))) ||
        !sn_obstacle_corner_allows(obstacle, corner, contact->normal)) {
        return false;
    }
    sn_soft_contact_put(contact, view, nodes, weights, 2);
    return sn_soft_contact_is_sound(contact);
}

// --- edges against edges -----------------------------------------------------------------------------------

static bool is_inner(float t)
{
    return t > end_of_edge && t < 1.0f - end_of_edge;
}

// The direction perpendicular to both edges that leads out of the obstacle; false if neither does.
static bool edges_normal(const sn_soft_view *view, uint32_t edge, const sn_obstacle *obstacle,
                         int obstacle_edge, const sn_vec3 soft[2], const sn_vec3 hard[2], sn_vec3 parting,
                         const sn_soft_contact_data *previous, sn_vec3 *normal)
{
    *normal = sn_normalize(sn_cross(sn_sub(soft[1], soft[0]), sn_sub(hard[1], hard[0])));
    sn_vec3 out, guide = previous != NULL ? previous->normal : parting;
    if (sn_soft_edge_normal(view, edge, &out)) {
        float over = sn_dot(*normal, out);
        if (sn_abs(over) < along_sheet) {
            return false;
        }
        // What is behind the surface of a volume is inside.
        guide = view->surface->one_sided ? sn_neg(out) : guide;
    }
    if (sn_dot(*normal, guide) < 0.0f) {
        *normal = sn_neg(*normal);
    }
    if (sn_obstacle_edge_allows(obstacle, obstacle_edge, *normal)) {
        return true;
    }
    *normal = sn_neg(*normal);
    return !view->surface->one_sided && sn_obstacle_edge_allows(obstacle, obstacle_edge, *normal);
}

bool sn_soft_edge_meets_edge(const sn_soft_view *view, uint32_t edge, const sn_obstacle *obstacle,
                             int obstacle_edge, const sn_soft_contact_data *previous,
                             sn_soft_contact_data *contact)
{
    const uint32_t *nodes = view->surface->mesh->edges + 2 * (size_t)edge;
    sn_vec3 soft[2] = {view->nodes[nodes[0]].position, view->nodes[nodes[1]].position}, hard[2];
    sn_obstacle_edge(obstacle, obstacle_edge, hard);
    float s, t;
    if (!sn_nearest_on_lines(soft, hard, &s, &t)) {
        return false;
    }
    // Before they meet the crossing may wander; how far depends on the way, so judge it where they meet.
    sn_vec3 parting = sn_sub(sn_lerp(soft[0], soft[1], s), sn_lerp(hard[0], hard[1], t));
    if (!edges_normal(view, edge, obstacle, obstacle_edge, soft, hard, parting, previous, &contact->normal)) {
        return false;
    }
    contact->separation = sn_dot(parting, contact->normal) - obstacle->convex.radius - view->half_thickness;
    sn_vec3 hard_way[2] = {sn_obstacle_displacement(obstacle, hard[0]),
                           sn_obstacle_displacement(obstacle, hard[1])};
    float clamped_s = sn_clamp(s, 0.0f, 1.0f), clamped_t = sn_clamp(t, 0.0f, 1.0f);
    sn_vec3 displacement =
        sn_sub(sn_lerp(view->displacements[nodes[0]], view->displacements[nodes[1]], clamped_s),
               sn_lerp(hard_way[0], hard_way[1], clamped_t));
    float approach = -sn_dot(displacement, contact->normal);
    if (contact->separation > view->margin) {
        if (!(contact->separation <= view->margin + approach)) {
            return false;
        }
        float when = sn_min(1.0f, contact->separation / approach);
        for (int k = 0; k < 2; ++k) {
            soft[k] = sn_add_scaled(soft[k], when, view->displacements[nodes[k]]);
            hard[k] = sn_add_scaled(hard[k], when, hard_way[k]);
        }
        if (!sn_nearest_on_lines(soft, hard, &s, &t)) {
            return false;
        }
    }
    if (!is_inner(s) || !is_inner(t)) {
        return false;
    }
    // A fresh contact far behind the edge belongs to other features.
    if (previous == NULL && contact->separation < -view->half_thickness - view->margin) {
        return false;
    }
    float weights[2] = {1.0f - s, s};
    sn_soft_contact_put(contact, view, nodes, weights, 2);
    return sn_soft_contact_is_sound(contact);
}
