// Making Verlet lists, and deciding how long they are used.
#include "collision/soft/verlet_list.h"

#include "collision/soft/soft_feature_pairs.h"

#include <float.h>
#include <string.h>

// Skin as a part of the smallest altitude of a face: nodes that move as far turn its normal by at most 18°.
static const float skin_by_altitude = 0.16f;

// One in so many faces may escape in a step: finding the pairs of more costs more than a list saves.
enum { FACES_BY_ESCAPED = 16 };
// Steps a list must last to be worth making.
static const float least_life = 4.0f;

// --- skin --------------------------------------------------------------------------------------------------

// The smallest altitude of a face at rest. Strands have no normals that could turn.
static float altitude(const sn_soft_surface *surface, uint32_t face)
{
    if (surface->mesh->triangle_count == 0) {
        return FLT_MAX;
    }
    const uint32_t *corners = surface->faces.data + 3 * (size_t)face;
    sn_vec3 p[3];
    for (int k = 0; k < 3; ++k) {
        p[k] = sn_scale(surface->mesh->nodes[corners[k]], surface->scale);
    }
    float longest = 0.0f;
    for (int k = 0; k < 3; ++k) {
        longest = sn_max(longest, sn_distance_between(p[k], p[(k + 1) % 3]));
    }
    return sn_length(sn_cross(sn_sub(p[1], p[0]), sn_sub(p[2], p[0]))) / sn_max(longest, FLT_MIN);
}

bool sn_verlet_list_make(const sn_soft_surface *surface, sn_verlet_list *list)
{
    if (!sn_array_reserve(&list->reference, surface->mesh->node_count) ||
        !sn_array_reserve(&list->sharp, surface->mesh->edge_count) ||
        !sn_array_resize(&list->skin, surface->face_count) ||
        !sn_array_resize(&list->face_drifts, surface->face_count) ||
        !sn_array_resize(&list->escaped, surface->face_count) ||
        !sn_array_resize(&list->escaped_parts, surface->tree.count) ||
        !sn_array_resize(&list->drifts, surface->mesh->node_count)) {
        return false;
    }
    for (int i = 0; i < surface->face_count; ++i) {
        list->skin.data[i] = skin_by_altitude * altitude(surface, surface->order.data[i]);
    }
    return true;
}

void sn_verlet_list_release(sn_verlet_list *list)
{
    sn_array_release(&list->reference);
    sn_array_release(&list->pairs);
    sn_array_release(&list->sharp);
    sn_array_release(&list->face_drifts);
    sn_array_release(&list->skin);
    sn_array_release(&list->drifts);
    sn_array_release(&list->escaped);
    sn_array_release(&list->escaped_parts);
}

// --- the list ----------------------------------------------------------------------------------------------

// Boxes of the reference positions, grown by the skin and by `more`.
static bool box_reference(sn_soft_surface *surface, const sn_verlet_list *list, float growth, float more)
{
    if (!sn_soft_surface_box_nodes(surface, list->reference.data, NULL, sn_v(0.0f, 0.0f, 0.0f), growth) ||
        !sn_soft_surface_box_faces(surface)) {
        return false;
    }
    for (int i = 0; i < surface->face_count; ++i) {
        sn_soft_box *box = &surface->face_boxes.data[i];
        *box = sn_soft_box_grown(box, sn_verlet_skin(list, i, growth) + more);
    }
    sn_soft_surface_box_parts(surface);
    return true;
}

// From the reference positions alone, so that a restored world makes the same list.
static bool list_pairs(sn_soft_surface *surface, float growth)
{
    sn_verlet_list *list = &surface->verlet_list;
    sn_soft_surface_fit_normals(surface, list->reference.data, 0.0f);
    if (!box_reference(surface, list, growth, 0.0f)) {
        return false;
    }
    sn_soft_surface_fit_cones(surface, list->reference.data, NULL);
    list->is_listed = sn_soft_fill_verlet_list(surface, SN_VERLET_ALIGNED, growth);
    return list->is_listed;
}

bool sn_verlet_between_fit(sn_soft_surface *surface, float height)
{
    sn_verlet_list *list = &surface->between;
    sn_soft_surface_fit_normals(surface, list->reference.data, height);
    list->is_listed = sn_array_resize(&list->sharp, surface->sharp.count);
    if (list->is_listed && surface->sharp.count > 0) {
        memcpy(list->sharp.data, surface->sharp.data, (size_t)surface->sharp.count);
    }
    return list->is_listed;
}

bool sn_verlet_between_box(sn_soft_surface *surface, float growth, float fall)
{
    return box_reference(surface, &surface->between, growth, 0.5f * fall);
}

// --- escapes -----------------------------------------------------------------------------------------------

static void measure_drifts(const sn_soft_surface *surface, sn_verlet_list *list, const sn_verlet_step *step,
                           float steps)
{
    const sn_node_state *reference = list->reference.data;
    int count = surface->mesh->node_count;
    sn_vec3 frame =
        step->in_world ? sn_v(0.0f, 0.0f, 0.0f) : sn_soft_frame_mean(step->nodes, NULL, reference, count);
    for (int i = 0; i < count; ++i) {
        sn_vec3 shift = sn_sub(sn_sub(step->nodes[i].position, reference[i].position), frame);
        bool falls = !step->in_world || step->nodes[i].inverse_mass > 0.0f;
        sn_vec3 displacement =
            falls ? sn_sub(step->displacements[i], step->frame_displacement) : step->displacements[i];
        sn_vec3 end = sn_add_scaled(shift, steps, displacement);
        float squared = sn_max(sn_length_squared(shift), sn_length_squared(end));
        list->drifts.data[i] =
            (sn_node_drift){sqrtf(squared), sn_soft_uncertainty(surface, sn_length(displacement))};
    }
}

// Faces with a non-finite node escape.
static void mark_faces(const sn_soft_surface *surface, sn_verlet_list *list, float growth)
{
    list->escaped_count = 0;
    for (int i = 0; i < surface->face_count; ++i) {
        const uint32_t *corners = surface->faces.data + 3 * (size_t)surface->order.data[i];
        sn_node_drift a = list->drifts.data[corners[0]], b = list->drifts.data[corners[1]];
        sn_node_drift c = list->drifts.data[corners[2]];
        float sum = a.distance + b.distance + c.distance + a.margin + b.margin + c.margin;
        float longest =
            sn_max(a.distance, sn_max(b.distance, c.distance)) + sn_max(a.margin, sn_max(b.margin, c.margin));
        bool keeps = sn_is_finite(sum) && longest <= sn_verlet_skin(list, i, growth);
        list->face_drifts.data[i] = longest;
        list->escaped.data[i] = keeps ? 0 : 1;
        list->escaped_count += keeps ? 0 : 1;
    }
}

// Whether few enough faces escape in that many steps like this one.
static bool serves(const sn_soft_surface *surface, sn_verlet_list *list, const sn_verlet_step *step,
                   float steps)
{
    measure_drifts(surface, list, step, steps);
    mark_faces(surface, list, step->growth);
    return list->escaped_count <= surface->face_count / FACES_BY_ESCAPED;
}

// Makes the present positions the reference.
static bool take_reference(const sn_soft_surface *surface, sn_verlet_list *list, const sn_verlet_step *step)
{
    int node_count = surface->mesh->node_count;
    list->is_listed = false;
    list->stamp = list->escape_total = 0;
    list->fall = step->fall;
    if (!sn_array_resize(&list->reference, node_count)) {
        return false;
    }
    memcpy(list->reference.data, step->nodes, (size_t)node_count * sizeof *step->nodes);
    return true;
}

// Finding the pairs of an escaped face costs about as much as listing those of a face, so the list is made
// anew when half as many faces as there are have escaped.
bool sn_verlet_list_follow(const sn_soft_surface *surface, sn_verlet_list *list, const sn_verlet_step *step)
{
    list->in_use = list->reference.count == surface->mesh->node_count && step->fall <= list->fall &&
                   serves(surface, list, step, 1.0f) &&
                   list->escape_total + list->escaped_count <= surface->face_count / 2;
    if (!list->in_use) {
        if (!take_reference(surface, list, step)) {
            return false;
        }
        list->in_use = serves(surface, list, step, least_life) && serves(surface, list, step, 1.0f);
        list->reference.count = list->in_use ? list->reference.count : 0;
    }
    if (list->in_use) {
        list->counted = list->escaped_count;
        list->escape_total += list->counted;
        sn_soft_surface_mark_parts(surface, list->escaped.data, list->escaped_parts.data);
    }
    return true;
}

bool sn_verlet_list_update(sn_soft_surface *surface, const sn_verlet_step *step)
{
    sn_verlet_list *list = &surface->verlet_list;
    return sn_verlet_list_follow(surface, list, step) &&
           (!list->in_use || list->is_listed || list_pairs(surface, step->growth));
}

void sn_verlet_between_mark_sharp(sn_soft_surface *surface)
{
    sn_verlet_list *list = &surface->between;
    int escaped = 0;
    for (int i = 0; i < surface->face_count; ++i) {
        size_t face = surface->order.data[i];
        for (uint32_t k = 0; k < 3 && !list->escaped.data[i]; ++k) {
            uint32_t edge = surface->face_edges.data[3 * face + k];
            if ((surface->owned.data[face] >> (k + 3) & 1u) != 0 && surface->sharp.data[edge] &&
                !list->sharp.data[edge]) {
                list->escaped.data[i] = 1;
                ++escaped;
            }
        }
    }
    if (escaped > 0) {
        list->escaped_count += escaped;
        list->counted += escaped;
        list->escape_total += escaped;
        sn_soft_surface_mark_parts(surface, list->escaped.data, list->escaped_parts.data);
    }
}
