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

bool sn_verlet_list_make(sn_soft_surface *surface)
{
    sn_verlet_list *list = &surface->verlet_list;
    if (!sn_array_resize(&list->skin, surface->face_count) ||
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
    sn_array_release(&list->skin);
    sn_array_release(&list->drifts);
    sn_array_release(&list->escaped);
    sn_array_release(&list->escaped_parts);
}

// --- the list ----------------------------------------------------------------------------------------------

// From the reference positions alone, so that a restored world makes the same list.
static bool list_pairs(sn_soft_surface *surface, float growth)
{
    sn_verlet_list *list = &surface->verlet_list;
    const sn_node_state *reference = list->reference.data;
    sn_soft_surface_fit_normals(surface, reference, 0.0f);
    if (!sn_soft_surface_box_nodes(surface, reference, NULL, sn_v(0.0f, 0.0f, 0.0f), growth) ||
        !sn_soft_surface_box_faces(surface)) {
        return false;
    }
    for (int i = 0; i < surface->face_count; ++i) {
        sn_soft_box *box = &surface->face_boxes.data[i];
        *box = sn_soft_box_grown(box, sn_verlet_skin(list, i, growth));
    }
    sn_soft_surface_box_parts(surface);
    sn_soft_surface_fit_cones(surface, reference, NULL);
    list->is_listed = sn_soft_fill_verlet_list(surface, SN_VERLET_ALIGNED, growth);
    return list->is_listed;
}

// --- escapes -----------------------------------------------------------------------------------------------

static void measure_drifts(sn_soft_surface *surface, const sn_node_state *nodes, const sn_vec3 *displacements,
                           sn_vec3 frame_displacement, float steps)
{
    const sn_node_state *reference = surface->verlet_list.reference.data;
    sn_vec3 frame = sn_soft_frame_mean(nodes, NULL, reference, surface->mesh->node_count);
    for (int i = 0; i < surface->mesh->node_count; ++i) {
        sn_vec3 shift = sn_sub(sn_sub(nodes[i].position, reference[i].position), frame);
        sn_vec3 displacement = sn_sub(displacements[i], frame_displacement),
                end = sn_add_scaled(shift, steps, displacement);
        float squared = sn_max(sn_length_squared(shift), sn_length_squared(end));
        surface->verlet_list.drifts.data[i] =
            (sn_node_drift){sqrtf(squared), sn_soft_uncertainty(surface, sn_length(displacement))};
    }
}

// Faces with a non-finite node escape.
static void mark_faces(sn_soft_surface *surface, float growth)
{
    sn_verlet_list *list = &surface->verlet_list;
    list->escaped_count = 0;
    for (int i = 0; i < surface->face_count; ++i) {
        const uint32_t *corners = surface->faces.data + 3 * (size_t)surface->order.data[i];
        sn_node_drift a = list->drifts.data[corners[0]], b = list->drifts.data[corners[1]];
        sn_node_drift c = list->drifts.data[corners[2]];
        float sum = a.distance + b.distance + c.distance + a.margin + b.margin + c.margin;
        float longest =
            sn_max(a.distance, sn_max(b.distance, c.distance)) + sn_max(a.margin, sn_max(b.margin, c.margin));
        bool keeps = sn_is_finite(sum) && longest <= sn_verlet_skin(list, i, growth);
        list->escaped.data[i] = keeps ? 0 : 1;
        list->escaped_count += keeps ? 0 : 1;
    }
}

// Whether few enough faces escape in that many steps like this one.
static bool serves(sn_soft_surface *surface, const sn_node_state *nodes, const sn_vec3 *displacements,
                   sn_vec3 frame_displacement, float growth, float steps)
{
    measure_drifts(surface, nodes, displacements, frame_displacement, steps);
    mark_faces(surface, growth);
    return surface->verlet_list.escaped_count <= surface->face_count / FACES_BY_ESCAPED;
}

// Makes the present positions the reference.
static bool take_reference(sn_soft_surface *surface, const sn_node_state *nodes)
{
    sn_verlet_list *list = &surface->verlet_list;
    int node_count = surface->mesh->node_count;
    list->is_listed = false;
    list->escape_total = 0;
    if (!sn_array_resize(&list->reference, node_count)) {
        return false;
    }
    memcpy(list->reference.data, nodes, (size_t)node_count * sizeof *nodes);
    return true;
}

// Finding the pairs of an escaped face costs about as much as listing those of a face, so the list is made
// anew when half as many faces as there are have escaped.
bool sn_verlet_list_update(sn_soft_surface *surface, const sn_node_state *nodes, const sn_vec3 *displacements,
                           sn_vec3 frame_displacement, float growth)
{
    sn_verlet_list *list = &surface->verlet_list;
    list->in_use = list->reference.count == surface->mesh->node_count &&
                   serves(surface, nodes, displacements, frame_displacement, growth, 1.0f) &&
                   list->escape_total + list->escaped_count <= surface->face_count / 2;
    if (!list->in_use) {
        if (!take_reference(surface, nodes)) {
            return false;
        }
        list->in_use = serves(surface, nodes, displacements, frame_displacement, growth, least_life) &&
                       serves(surface, nodes, displacements, frame_displacement, growth, 1.0f);
        list->reference.count = list->in_use ? list->reference.count : 0;
    }
    if (!list->in_use) {
        return true;
    }
    list->counted = list->escaped_count;
    list->escape_total += list->counted;
    sn_soft_surface_mark_parts(surface, list->escaped.data, list->escaped_parts.data);
    return list->is_listed || list_pairs(surface, growth);
}
