// Nodes, edges and faces of a deformable against obstacles.
#include "collision/soft/soft_view.h"

// Below this cosine between a contact's normal and that of a sheet, it points along the sheet, not away from
// it.
static const float along_sheet = 0.3f;

// The distance at which a contact may use the obstacle's present normal. An obstacle that is smaller than the
// displacement might pass by.
static float reach_of(const sn_soft_view *view, const sn_obstacle *obstacle, float displacement)
{
    return view->margin +
           (obstacle->kind == SN_OBSTACLE_PLANE ? displacement : sn_min(displacement, obstacle->size));
}

// The side of a sheet on which the obstacle was when they first met. `height` is its height over the surface.
static float side_of(const sn_soft_view *view, uint32_t face, const sn_soft_contact_data *previous,
                     float height)
{
    if (view->surface->one_sided && !sn_soft_is_flipped(view, face)) {
        return 1.0f;
    }
    if (previous != NULL && previous->side != 0.0f) {
        return previous->side;
    }
    return height < 0.0f ? -1.0f : 1.0f;
}

// The surface of a volume tells by its own normal where its inside is. Where it is turned inside out that is
// wrong, and would push it through a double-sided triangle: a feature stays on the side of it where it is.
static bool pushes_through(const sn_soft_view *view, const uint32_t *nodes, int width,
                           const sn_obstacle *obstacle, sn_vec3 normal)
{
    if (!view->surface->one_sided || obstacle->kind != SN_OBSTACLE_TRIANGLE || !obstacle->double_sided) {
        return false;
    }
    float heights = 0.0f;
    for (int k = 0; k < width; ++k) {
        heights += sn_dot(obstacle->plane.normal, view->nodes[nodes[k]].position) - obstacle->plane.offset;
    }
    return heights * sn_dot(obstacle->plane.normal, normal) < 0.0f;
}

// What slides along a round obstacle, or is carried around by it, leaves the plane that touches it where it
// was when the step began. Where it leaves that by more than this part of the thickness, the solver finds the
// normal anew in every sub-step.
static const float negligible_part = 1.0e-3f;
// What goes around farther than this in a step carries along what was found to pass by, straight on, and has
// no contact: then the plane serves. [rad]
static const float farthest_turn = 0.25f;

// `point` of the deformable moves by `displacement`.
static void follow_round(const sn_soft_view *view, const sn_obstacle *obstacle, sn_vec3 point,
                         sn_vec3 displacement, sn_soft_contact_data *contact)
{
    const sn_convex *convex = &obstacle->convex;
    if (obstacle->kind != SN_OBSTACLE_CONVEX || convex->is_polyhedron) {
        return;
    }
    sn_vec3 ball = sn_obstacle_corner(obstacle, 0), axis = {0.0f, 0.0f, 0.0f};
    if (convex->point_count == 2) {
        sn_vec3 end = sn_obstacle_corner(obstacle, 1), along = sn_sub(end, ball);
        float at = sn_nearest_on_line(ball, end, point);
        axis = at > 0.0f && at < 1.0f ? sn_normalize(along) : axis;
        ball = sn_add_scaled(ball, sn_clamp(at, 0.0f, 1.0f), along);
    }
    sn_vec3 slide = sn_sub(displacement, sn_obstacle_displacement(obstacle, ball));
    slide = sn_add_scaled(slide, -sn_dot(slide, axis), axis);
    slide = sn_add_scaled(slide, -sn_dot(slide, contact->normal), contact->normal);
    float reach = convex->radius + view->half_thickness, slide2 = sn_length_squared(slide);
    contact->follows = sn_dot(contact->normal, sn_sub(point, ball)) > 0.0f &&
                       slide2 > 4.0f * negligible_part * view->half_thickness * reach &&
                       slide2 < farthest_turn * farthest_turn * reach * reach;
    if (contact->follows) {
        contact->ball = ball;
        contact->axis = axis;
        contact->reach = reach;
    }
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
    // Far away: the normal where it arrives counts, if it does.
    if (!(contact->separation <= reach_of(view, obstacle, length))) {
        bool may_arrive =
            obstacle->kind == SN_OBSTACLE_TRIANGLE || contact->separation <= view->margin + length;
        if (!may_arrive || !sn_obstacle_cast(obstacle, point, displacement, view->half_thickness,
                                             &contact->normal, &contact->separation)) {
            return false;
        }
    }
    float whole = 1.0f;
    follow_round(view, obstacle, point, view->displacements[node], contact);
    return sn_soft_contact_put(contact, view, &node, &whole, 1);
}

// --- faces and edges against corners -----------------------------------------------------------------------

// The displacement of a point of the obstacle relative to a feature.
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
    float side = side_of(view, face, previous, height);
    float separation = side * height - obstacle->convex.radius - view->half_thickness;
    // Where the corner is when they meet.
    float approach = -side * sn_dot(out, displacement);
    if (separation > view->margin) {
        if (!(separation <= view->margin + approach)) {
            return false;
        }
        point = sn_add_scaled(point, sn_min(1.0f, separation / approach), displacement);
    }
    // A corner that far behind the surface of a volume is inside of it.
    if (previous == NULL &&
        separation < -2.0f * (obstacle->convex.radius + view->half_thickness) - view->margin) {
        return false;
    }
    float weights[3];
    contact->normal = sn_scale(out, -side);
    contact->separation = separation;
    contact->side = side;
    if (!sn_triangle_weights(a, b, c, point, weights) ||
        !sn_obstacle_corner_allows(obstacle, corner, contact->normal) ||
        pushes_through(view, nodes, 3, obstacle, contact->normal)) {
        return false;
    }
    return sn_soft_contact_put(contact, view, nodes, weights, 3);
}

bool sn_soft_edge_meets_corner(const sn_soft_view *view, uint32_t edge, const sn_obstacle *obstacle,
                               int corner, sn_soft_contact_data *contact)
{
    const uint32_t *nodes = view->surface->mesh->edges + 2 * (size_t)edge;
    sn_vec3 a = view->nodes[nodes[0]].position, along = sn_sub(view->nodes[nodes[1]].position, a);
    sn_vec3 point = sn_obstacle_corner(obstacle, corner);
    float t = sn_nearest_on_line(a, view->nodes[nodes[1]].position, point);
    if (!sn_is_inside_edge(t) || sn_soft_is_over_faces(view, edge, point)) {
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
        !sn_obstacle_corner_allows(obstacle, corner, contact->normal) ||
        pushes_through(view, nodes, 2, obstacle, contact->normal)) {
        return false;
    }
    return sn_soft_contact_put(contact, view, nodes, weights, 2);
}

// --- edges against edges -----------------------------------------------------------------------------------

// The direction perpendicular to both edges that points out of the obstacle; false if neither does.
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
        // Behind the surface of a volume is its inside.
        guide = view->surface->one_sided && !sn_soft_edge_is_flipped(view, edge) ? sn_neg(out) : guide;
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
    // The crossing moves along the edges before they meet, so whether it is inside both is decided there.
    sn_vec3 parting = sn_sub(sn_lerp(soft[0], soft[1], s), sn_lerp(hard[0], hard[1], t));
    if (!edges_normal(view, edge, obstacle, obstacle_edge, soft, hard, parting, previous, &contact->normal)) {
        return false;
    }
    contact->separation = sn_dot(parting, contact->normal) - obstacle->convex.radius - view->half_thickness;
    sn_vec3 hard_displacements[2] = {sn_obstacle_displacement(obstacle, hard[0]),
                                     sn_obstacle_displacement(obstacle, hard[1])};
    float clamped_s = sn_clamp(s, 0.0f, 1.0f), clamped_t = sn_clamp(t, 0.0f, 1.0f);
    sn_vec3 displacement =
        sn_sub(sn_lerp(view->displacements[nodes[0]], view->displacements[nodes[1]], clamped_s),
               sn_lerp(hard_displacements[0], hard_displacements[1], clamped_t));
    float approach = -sn_dot(displacement, contact->normal);
    if (contact->separation > view->margin) {
        if (!(contact->separation <= view->margin + approach)) {
            return false;
        }
        float when = sn_min(1.0f, contact->separation / approach);
        for (int k = 0; k < 2; ++k) {
            soft[k] = sn_add_scaled(soft[k], when, view->displacements[nodes[k]]);
            hard[k] = sn_add_scaled(hard[k], when, hard_displacements[k]);
        }
        if (!sn_nearest_on_lines(soft, hard, &s, &t)) {
            return false;
        }
    }
    if (!sn_is_inside_edge(s) || !sn_is_inside_edge(t) ||
        pushes_through(view, nodes, 2, obstacle, contact->normal)) {
        return false;
    }
    // A new contact far behind the edge belongs to other features: on the other side of a thin rod, for one.
    float deepest =
        obstacle->kind == SN_OBSTACLE_TRIANGLE ? view->margin : sn_min(view->margin, obstacle->size);
    if (previous == NULL && contact->separation < -view->half_thickness - deepest) {
        return false;
    }
    float weights[2] = {1.0f - s, s};
    follow_round(view, obstacle, sn_lerp(soft[0], soft[1], s),
                 sn_lerp(view->displacements[nodes[0]], view->displacements[nodes[1]], s), contact);
    return sn_soft_contact_put(contact, view, nodes, weights, 2);
}
