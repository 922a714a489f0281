// Fitting the surface of a deformable to where its nodes are and go: boxes, bounds, normals, cones. Tested by
// test_soft_surface.c.
// Tested by tests/collision/soft/test_soft_surface.c.
#include "collision/soft/soft_surface.h"

#include <float.h>
#include <string.h>

// --- frame -------------------------------------------------------------------------------------------------

sn_vec3 sn_soft_frame_mean(const sn_node_state *nodes, const sn_vec3 *displacements,
                           const sn_node_state *before, int count)
{
    sn_vec3 sums[2] = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}}; // of free nodes, of fixed ones
    int counts[2] = {0, 0};
    for (int i = 0; i < count; ++i) {
        int fixed = nodes[i].inverse_mass == 0.0f ? 1 : 0;
        sn_vec3 displacement =
            displacements != NULL ? displacements[i] : sn_sub(nodes[i].position, before[i].position);
        if (sn_vec3_is_finite(displacement)) {
            sums[fixed] = sn_add(sums[fixed], displacement);
            ++counts[fixed];
        }
    }
    int which = counts[1] > 0 ? 1 : 0;
    return sn_scale(sums[which], 1.0f / (float)(counts[which] > 0 ? counts[which] : 1));
}

// --- boxes of two times ------------------------------------------------------------------------------------

// The fourth component is the uncertainty of the displacements, so that unions have the largest one: negative
// below and positive above, it never separates two boxes.

static sn_f4 wide(sn_vec3 v)
{
    return (sn_f4){v.x, v.y, v.z, 0.0f};
}

static bool all_finite(sn_f4 a)
{
    sn_f4 zero = sn_f4_set(0.0f);
    return !sn_i4_any(a * zero != zero);
}

static sn_soft_box no_box(void)
{
    sn_f4 lower = sn_f4_set(FLT_MAX), upper = sn_f4_set(-FLT_MAX);
    return (sn_soft_box){{lower, lower}, {upper, upper}};
}

static bool is_no_box(const sn_soft_box *box)
{
    return sn_i4_any(box->lower[0] > box->upper[0]);
}

sn_soft_box sn_soft_box_union(const sn_soft_box *a, const sn_soft_box *b)
{
    return (sn_soft_box){{sn_f4_min(a->lower[0], b->lower[0]), sn_f4_min(a->lower[1], b->lower[1])},
                         {sn_f4_max(a->upper[0], b->upper[0]), sn_f4_max(a->upper[1], b->upper[1])}};
}

sn_soft_box sn_soft_box_grown(const sn_soft_box *box, float growth)
{
    sn_f4 around = {growth, growth, growth, 0.0f};
    return (sn_soft_box){{box->lower[0] - around, box->lower[1] - around},
                         {box->upper[0] + around, box->upper[1] + around}};
}

bool sn_soft_surface_box_nodes(sn_soft_surface *surface, const sn_node_state *nodes,
                               const sn_vec3 *displacements, sn_vec3 frame_displacement, float growth)
{
    sn_vec3 still = sn_v(0.0f, 0.0f, 0.0f);
    int count = surface->mesh->node_count;
    if (!sn_array_resize(&surface->node_boxes, count)) {
        return false;
    }
    surface->all_finite = true;
    for (int i = 0; i < count; ++i) {
        sn_vec3 displacement = displacements != NULL ? displacements[i] : still;
        sn_f4 now = wide(nodes[i].position), then = now + wide(displacement);
        if (!all_finite(then)) {
            surface->node_boxes.data[i] = no_box();
            surface->all_finite = false;
            continue;
        }
        float margin = sn_soft_uncertainty(surface, sn_distance_between(displacement, frame_displacement)),
              end = growth + margin;
        sn_f4 around = {growth, growth, growth, margin}, around_end = {end, end, end, margin};
        surface->node_boxes.data[i] =
            (sn_soft_box){{now - around, then - around_end}, {now + around, then + around_end}};
    }
    return true;
}

bool sn_soft_surface_box_motion(sn_soft_surface *surface, const sn_node_state *nodes,
                                const sn_vec3 *displacements, float gap)
{
    int count = surface->mesh->node_count;
    if (!sn_array_resize(&surface->node_boxes, count)) {
        return false;
    }
    surface->all_finite = true;
    for (int i = 0; i < count; ++i) {
        sn_f4 now = wide(nodes[i].position), then = now + wide(displacements[i]);
        bool is_finite = all_finite(then);
        sn_soft_box box = {{now, then}, {now + sn_f4_set(gap), then + sn_f4_set(gap)}};
        surface->node_boxes.data[i] = is_finite ? box : no_box();
        surface->all_finite = surface->all_finite && is_finite;
    }
    return true;
}

bool sn_soft_surface_box_faces(sn_soft_surface *surface)
{
    if (!sn_array_resize(&surface->boxes, surface->tree.count) ||
        !sn_array_resize(&surface->face_boxes, surface->face_count)) {
        return false;
    }
    const sn_soft_box *nodes = surface->node_boxes.data;
    for (int i = 0; i < surface->face_count; ++i) {
        const uint32_t *corners = surface->faces.data + 3 * (size_t)surface->order.data[i];
        const sn_soft_box *a = &nodes[corners[0]], *b = &nodes[corners[1]], *c = &nodes[corners[2]];
        sn_soft_box box = sn_soft_box_union(a, b);
        bool is_whole = surface->all_finite || !(is_no_box(a) || is_no_box(b) || is_no_box(c));
        surface->face_boxes.data[i] = is_whole ? sn_soft_box_union(&box, c) : no_box();
    }
    return true;
}

void sn_soft_surface_box_parts(sn_soft_surface *surface)
{
    for (int i = surface->tree.count - 1; i >= 0; --i) {
        const sn_surface_node *node = &surface->tree.data[i];
        const sn_soft_box *parts =
            (node->count > 0 ? surface->face_boxes.data : surface->boxes.data) + node->first;
        int count = node->count > 0 ? node->count : 2;
        surface->boxes.data[i] = parts[0];
        for (int k = 1; k < count; ++k) {
            surface->boxes.data[i] = sn_soft_box_union(&surface->boxes.data[i], &parts[k]);
        }
    }
}

static bool is_surprising(const sn_soft_box *box, sn_vec3 position)
{
    sn_f4 p = wide(position);
    return sn_i4_any(sn_f4_max(box->lower[1] - p, p - box->upper[1]) > sn_f4_set(0.0f));
}

bool sn_soft_surface_suspect(sn_soft_surface *surface, const sn_node_state *nodes)
{
    bool is_known = surface->node_boxes.count == surface->mesh->node_count, any = false;
    uint8_t *surprising = surface->surprising.data;
    for (int i = 0; i < surface->mesh->node_count; ++i) {
        surprising[i] = !is_known || is_surprising(&surface->node_boxes.data[i], nodes[i].position) ? 1 : 0;
        any = any || surprising[i];
    }
    for (int i = 0; i < surface->face_count && any; ++i) {
        const uint32_t *corners = surface->faces.data + 3 * (size_t)surface->order.data[i];
        surface->suspects.data[i] |= surprising[corners[0]] | surprising[corners[1]] | surprising[corners[2]];
    }
    return any;
}

void sn_soft_surface_mark_parts(const sn_soft_surface *surface, const uint8_t *faces, uint8_t *parts)
{
    for (int i = surface->tree.count - 1; i >= 0; --i) {
        const sn_surface_node *node = &surface->tree.data[i];
        const uint8_t *below = (node->count > 0 ? faces : parts) + node->first;
        uint8_t marks = below[0];
        for (int k = 1; k < (node->count > 0 ? node->count : 2); ++k) {
            marks |= below[k];
        }
        parts[i] = marks;
    }
}

// --- bounds ------------------------------------------------------------------------------------------------

// Around the whole motion of its nodes.
static sn_bounds leaf_bounds(const sn_soft_surface *surface, const sn_surface_node *leaf, float growth)
{
    sn_soft_box box = no_box();
    for (int i = leaf->first; i < leaf->first + leaf->count; ++i) {
        const uint32_t *face = surface->faces.data + 3 * (size_t)surface->order.data[i];
        for (int k = 0; k < 3; ++k) {
            box = sn_soft_box_union(&box, &surface->node_boxes.data[face[k]]);
        }
    }
    if (is_no_box(&box)) {
        return (sn_bounds){{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
    }
    sn_f4 around = sn_f4_set(growth), margin = sn_f4_set(box.upper[1][3]);
    sn_f4 lower = sn_f4_min(box.lower[0] - margin, box.lower[1]) - around;
    sn_f4 upper = sn_f4_max(box.upper[0] + margin, box.upper[1]) + around;
    return (sn_bounds){{lower[0], lower[1], lower[2]}, {upper[0], upper[1], upper[2]}};
}

void sn_soft_surface_refit(sn_soft_surface *surface, float growth)
{
    for (int i = surface->tree.count - 1; i >= 0; --i) {
        sn_surface_node *node = &surface->tree.data[i];
        node->bounds = node->count > 0 ? leaf_bounds(surface, node, growth)
                                       : sn_bounds_union(surface->tree.data[node->first].bounds,
                                                         surface->tree.data[node->first + 1].bounds);
    }
}

// --- normals -----------------------------------------------------------------------------------------------

// The altitude: twice the area by the longest side, which is no longer than the two others together. Faces
// that are drawn or pressed so thin that they are less than about a tenth as high as they are long have none:
// normals alone do not tell any more that what is around them does not meet.
#define THIN 0.1f

static bool find_normal(const sn_soft_surface *surface, uint32_t face, const sn_node_state *nodes,
                        sn_vec3 *normal, float *altitude_squared)
{
    const uint32_t *corners = surface->faces.data + 3 * (size_t)face;
    sn_vec3 a = nodes[corners[0]].position;
    sn_vec3 ab = sn_sub(nodes[corners[1]].position, a), ac = sn_sub(nodes[corners[2]].position, a);
    sn_vec3 cross = sn_cross(ab, ac);
    float squared = sn_length_squared(cross), b = sn_length_squared(ab), c = sn_length_squared(ac);
    if (!(squared > 1.0e-10f * b * c)) {
        *altitude_squared = 0.0f;
        return false;
    }
    *normal = sn_scale(cross, 1.0f / sqrtf(squared));
    *altitude_squared = squared > THIN * THIN * (b + c) * (b + c) ? squared / (2.0f * (b + c)) : 0.0f;
    return true;
}

bool sn_soft_find_face_normal(const sn_soft_surface *surface, uint32_t face, const sn_node_state *nodes,
                              sn_vec3 *normal)
{
    float unused;
    return find_normal(surface, face, nodes, normal, &unused);
}

// Of an edge between two faces whose normals make an angle with this cosine.
static void mark_bend(sn_soft_surface *surface, int edge, float cosine)
{
    uint8_t *folds = surface->folds.data;
    const uint32_t *nodes = surface->mesh->edges + 2 * (size_t)edge;
    for (int k = 0; k < 2; ++k) {
        folds[nodes[k]] |= SN_SOFT_NODE_BENT;
    }
    for (int k = 0; k < 6 && !(cosine >= SN_SOFT_OFF_MEAN); ++k) {
        int face = surface->edge_faces.data[2 * (size_t)edge + (size_t)(k / 3)];
        folds[surface->faces.data[3 * (size_t)face + (size_t)(k % 3)]] |= SN_SOFT_NODE_BY_BEND;
    }
}

void sn_soft_surface_fit_normals(sn_soft_surface *surface, const sn_node_state *nodes, float height)
{
    uint8_t *folds = surface->folds.data;
    memset(folds, 0, (size_t)surface->mesh->node_count);
    for (int i = 0; i < surface->face_count; ++i) {
        uint32_t face = surface->order.data[i];
        sn_vec3 normal = sn_v(0.0f, 0.0f, 0.0f);
        float altitude;
        (void)find_normal(surface, face, nodes, &normal, &altitude);
        surface->normals.data[face] = normal;
        if (surface->leaf_faces.count > 0) {
            surface->leaf_faces.data[i].normal = normal;
            surface->leaf_faces.data[i].altitude = altitude;
        }
        for (int k = 0; k < 3 && altitude == 0.0f; ++k) {
            folds[surface->faces.data[3 * (size_t)face + (size_t)k]] |= SN_SOFT_NODE_FOLDED;
        }
    }
    // Over a line of length L, an edge between faces at an angle θ stands out by ½ L sin ½θ.
    float sine = 2.0f * height / surface->largest_edge, flat = 1.0f - 2.0f * sine * sine;
    for (int i = 0; i < surface->mesh->edge_count; ++i) {
        const int *faces = surface->edge_faces.data + 2 * (size_t)i;
        bool is_rim = faces[0] < 0 || faces[1] < 0;
        float cosine =
            is_rim ? 1.0f : sn_dot(surface->normals.data[faces[0]], surface->normals.data[faces[1]]);
        surface->sharp.data[i] = is_rim || cosine < flat;
        if (!(cosine >= SN_SOFT_BENT)) {
            mark_bend(surface, i, cosine);
        }
    }
}

void sn_soft_surface_sum_normals(sn_soft_surface *surface, sn_vec3 *sums)
{
    uint8_t *folds = surface->folds.data;
    memset(sums, 0, (size_t)surface->mesh->node_count * sizeof *sums);
    for (int i = 0; i < 3 * surface->face_count; ++i) {
        sn_vec3 *sum = &sums[surface->faces.data[i]];
        *sum = sn_add(*sum, surface->normals.data[i / 3]);
    }
    for (int i = 0; i < 3 * surface->face_count; ++i) {
        uint32_t node = surface->faces.data[i];
        if ((folds[node] & SN_SOFT_NODE_BENT) != 0) {
            float along = sn_dot(sums[node], surface->normals.data[i / 3]);
            float least = SN_SOFT_OFF_MEAN * sn_length(sums[node]);
            folds[node] |= along >= least ? 0 : SN_SOFT_NODE_FOLDED;
        }
    }
    for (int i = 0; i < surface->mesh->node_count; ++i) {
        folds[i] &= (uint8_t)~SN_SOFT_NODE_BENT;
    }
}

// --- cones -------------------------------------------------------------------------------------------------

static float sine_of(float cosine)
{
    return sqrtf(sn_max(0.0f, 1.0f - cosine * cosine));
}

sn_soft_cone sn_soft_cone_join(const sn_soft_cone *a, const sn_soft_cone *b)
{
    sn_soft_cone both = {.axis = sn_normalize(sn_add(a->axis, b->axis)), .cosine = -1.0f};
    if (a->cosine <= 0.0f || b->cosine <= 0.0f) {
        return both;
    }
    // The cosine of the sum of the angles. Angles beyond 90° need not be exact.
    float between = sn_min(sn_dot(both.axis, a->axis), 1.0f), sine = sine_of(between);
    float with_a = between * a->cosine - sine * sine_of(a->cosine);
    float with_b = between * b->cosine - sine * sine_of(b->cosine);
    both.cosine = between > 0.0f ? sn_min(with_a, with_b) : -1.0f;
    return both;
}

static sn_vec3 normal_then(const sn_soft_surface *surface, uint32_t face, const sn_node_state *nodes,
                           const sn_vec3 *displacements)
{
    sn_vec3 p[3];
    for (int k = 0; k < 3; ++k) {
        uint32_t node = surface->faces.data[3 * (size_t)face + (size_t)k];
        p[k] = sn_add(nodes[node].position, displacements[node]);
    }
    return sn_normalize(sn_cross(sn_sub(p[1], p[0]), sn_sub(p[2], p[0])));
}

// Around the normals now and at the end of the step.
static void fit_leaf_cone(const sn_soft_surface *surface, const sn_surface_node *leaf,
                          const sn_node_state *nodes, const sn_vec3 *displacements, sn_soft_cone *cone)
{
    sn_vec3 sum = sn_v(0.0f, 0.0f, 0.0f);
    for (int i = leaf->first; i < leaf->first + leaf->count; ++i) {
        sum = sn_add(sum, surface->normals.data[surface->order.data[i]]);
    }
    cone->axis = sn_normalize(sum);
    cone->cosine = 1.0f;
    for (int i = leaf->first; i < leaf->first + leaf->count && cone->cosine > -1.0f; ++i) {
        uint32_t face = surface->order.data[i];
        float now = sn_dot(cone->axis, surface->normals.data[face]);
        float then = displacements != NULL
                         ? sn_dot(cone->axis, normal_then(surface, face, nodes, displacements))
                         : now;
        cone->cosine =
            surface->leaf_faces.data[i].altitude > 0.0f ? sn_min(sn_min(now, then), cone->cosine) : -1.0f;
    }
}

void sn_soft_surface_fit_cones(sn_soft_surface *surface, const sn_node_state *nodes,
                               const sn_vec3 *displacements)
{
    sn_soft_cone *cones = surface->cones.data;
    for (int i = surface->tree.count - 1; i >= 0; --i) {
        const sn_surface_node *node = &surface->tree.data[i];
        if (node->count > 0) {
            fit_leaf_cone(surface, node, nodes, displacements, &cones[i]);
        } else {
            sn_soft_cone both = sn_soft_cone_join(&cones[node->first], &cones[node->first + 1]);
            cones[i].axis = both.axis;
            cones[i].cosine = both.cosine;
        }
    }
}
