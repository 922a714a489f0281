// Building and refitting the surface of a deformable.
#include "collision/soft_surface.h"

#include "base/bit_set.h"
#include "geometry/surface_tree.h"

#include <float.h>
#include <string.h>

// --- building ----------------------------------------------------------------------------------------------

static bool copy_faces(sn_soft_surface *surface)
{
    const sn_mesh *mesh = surface->mesh;
    bool strand = mesh->triangle_count == 0;
    surface->face_count = strand ? mesh->edge_count : mesh->triangle_count;
    if (!sn_array_resize(&surface->faces, 3 * surface->face_count) ||
        !sn_array_resize(&surface->face_edges, 3 * surface->face_count) ||
        !sn_array_resize(&surface->owned, surface->face_count)) {
        return false;
    }
    for (int i = 0; i < surface->face_count; ++i) {
        uint32_t *face = surface->faces.data + 3 * (size_t)i;
        if (strand) {
            face[0] = mesh->edges[2 * (size_t)i];
            face[1] = face[2] = mesh->edges[2 * (size_t)i + 1];
        } else {
            memcpy(face, mesh->triangles + 3 * (size_t)i, 3 * sizeof *face);
        }
    }
    return true;
}

static bool claim(sn_bit_set *taken, uint32_t member)
{
    bool fresh = !sn_bit_set_has(taken, (int)member);
    sn_bit_set_add(taken, (int)member);
    return fresh;
}

// Notes a face beside an edge. Where more than two meet there are no two sides: as good as none.
static void add_neighbor(sn_soft_surface *surface, uint32_t edge, int face, bool first)
{
    int *faces = surface->edge_faces.data + 2 * (size_t)edge;
    if (first) {
        faces[0] = face;
    } else {
        faces[1] = faces[1] == -1 ? face : -2;
    }
}

// The first face that has a node or an edge stands for it.
static bool share_out(sn_soft_surface *surface)
{
    const sn_mesh *mesh = surface->mesh;
    sn_bit_set nodes = {0}, edges = {0};
    bool enough = sn_bit_set_clear(&nodes, mesh->node_count) && sn_bit_set_clear(&edges, mesh->edge_count) &&
                  sn_array_resize(&surface->edge_faces, 2 * mesh->edge_count);
    for (int i = 0; enough && i < 2 * mesh->edge_count; ++i) {
        surface->edge_faces.data[i] = -1;
    }
    for (int i = 0; enough && i < surface->face_count; ++i) {
        const uint32_t *face = surface->faces.data + 3 * (size_t)i;
        uint32_t *face_edges = surface->face_edges.data + 3 * (size_t)i;
        uint8_t owned = 0;
        for (int k = 0; k < 3; ++k) {
            uint32_t a = face[k], b = face[(k + 1) % 3];
            owned |= claim(&nodes, a) ? (uint8_t)(1u << k) : 0;
            // A strand's triangle has one edge only; the others are the same or have no length.
            bool real = mesh->triangle_count > 0 || k == 0;
            face_edges[k] = real ? (uint32_t)sn_mesh_find_edge(mesh, a, b) : face_edges[0];
            bool first = real && claim(&edges, face_edges[k]);
            owned |= first ? (uint8_t)(8u << k) : 0;
            if (real) {
                add_neighbor(surface, face_edges[k], i, first);
            }
        }
        surface->owned.data[i] = owned;
    }
    sn_bit_set_release(&nodes);
    sn_bit_set_release(&edges);
    return enough;
}

// The corner of a face that is not one of an edge's two ends.
static uint32_t third_corner(const uint32_t *face, const uint32_t *ends)
{
    uint32_t k = 0;
    while (k < 2 && (face[k] == ends[0] || face[k] == ends[1])) {
        ++k;
    }
    return face[k];
}

static bool find_neighbors(sn_soft_surface *surface)
{
    if (!sn_array_resize(&surface->across, 3 * surface->face_count)) {
        return false;
    }
    for (int i = 0; i < 3 * surface->face_count; ++i) {
        uint32_t edge = surface->face_edges.data[i];
        const int *beside = surface->edge_faces.data + 2 * (size_t)edge;
        int other = beside[0] == i / 3 ? beside[1] : beside[0];
        surface->across.data[i] = other < 0 ? SN_NO_CORNER
                                            : third_corner(surface->faces.data + 3 * (size_t)other,
                                                           surface->mesh->edges + 2 * (size_t)edge);
    }
    return true;
}

static bool mark_rim(sn_soft_surface *surface)
{
    const sn_mesh *mesh = surface->mesh;
    if (!sn_array_resize(&surface->rim, mesh->node_count)) {
        return false;
    }
    for (int i = 0; i < mesh->edge_count; ++i) {
        const int *faces = surface->edge_faces.data + 2 * (size_t)i;
        if (faces[0] >= 0 && faces[1] < 0) {
            surface->rim.data[mesh->edges[2 * (size_t)i]] = 1;
            surface->rim.data[mesh->edges[2 * (size_t)i + 1]] = 1;
        }
    }
    return true;
}

static bool plant_tree(sn_soft_surface *surface)
{
    if (!sn_array_resize(&surface->normals, surface->face_count) ||
        !sn_array_resize(&surface->sharp, surface->mesh->edge_count) ||
        !sn_array_resize(&surface->tree, 2 * surface->face_count) ||
        !sn_array_resize(&surface->order, surface->face_count)) {
        return false;
    }
    surface->tree.count = sn_surface_tree_build(surface->mesh->nodes, surface->faces.data,
                                                surface->face_count, surface->tree.data, surface->order.data);
    return surface->tree.count > 0;
}

// Boxes at rest, a little larger, so that neighbours overlap.
static bool make_cones(sn_soft_surface *surface)
{
    if (!sn_array_resize(&surface->cones, surface->tree.count)) {
        return false;
    }
    for (int i = 0; i < surface->tree.count; ++i) {
        sn_bounds box = surface->tree.data[i].bounds;
        surface->cones.data[i].rest = sn_bounds_grow(box, 1.0e-3f * surface->largest_edge / surface->scale);
    }
    return true;
}

bool sn_soft_surface_make(sn_soft_surface *surface, const sn_mesh *mesh, float scale, bool self_collide)
{
    *surface = (sn_soft_surface){.mesh = mesh, .one_sided = mesh->tetrahedron_count > 0, .scale = scale};
    if (!copy_faces(surface) || !share_out(surface) || !find_neighbors(surface) || !mark_rim(surface) ||
        !plant_tree(surface)) {
        return false;
    }
    for (int i = 0; i < surface->face_count; ++i) {
        const uint32_t *face = surface->faces.data + 3 * (size_t)i;
        for (int k = 0; k < 3; ++k) {
            float length = sn_distance_between(mesh->nodes[face[k]], mesh->nodes[face[(k + 1) % 3]]);
            surface->largest_edge = sn_max(surface->largest_edge, scale * length);
        }
    }
    return !self_collide || make_cones(surface);
}

void sn_soft_surface_release(sn_soft_surface *surface)
{
    sn_array_release(&surface->faces);
    sn_array_release(&surface->face_edges);
    sn_array_release(&surface->owned);
    sn_array_release(&surface->edge_faces);
    sn_array_release(&surface->across);
    sn_array_release(&surface->rim);
    sn_array_release(&surface->tree);
    sn_array_release(&surface->order);
    sn_array_release(&surface->cones);
    sn_array_release(&surface->boxes);
    sn_array_release(&surface->face_boxes);
    sn_array_release(&surface->normals);
    sn_array_release(&surface->sharp);
    *surface = (sn_soft_surface){0};
}

// --- refitting ---------------------------------------------------------------------------------------------

static const sn_bounds nothing = {{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};

// Around what its nodes may sweep over.
static sn_bounds leaf_bounds(const sn_soft_surface *surface, const sn_surface_node *leaf,
                             const sn_node_state *nodes, const sn_vec3 *ways, float growth)
{
    sn_bounds bounds = nothing;
    float stray = 0.0f;
    for (int i = leaf->first; i < leaf->first + leaf->count; ++i) {
        const uint32_t *face = surface->faces.data + 3 * (size_t)surface->order.data[i];
        for (int k = 0; k < 3; ++k) {
            sn_vec3 now = nodes[face[k]].position, then = sn_add(now, ways[face[k]]);
            if (sn_vec3_is_finite(then)) {
                bounds.lower = sn_min3(bounds.lower, sn_min3(now, then));
                bounds.upper = sn_max3(bounds.upper, sn_max3(now, then));
                stray = sn_max(stray, sn_length_squared(sn_sub(ways[face[k]], surface->frame_way)));
            }
        }
    }
    return sn_bounds_grow(bounds, growth + SN_SOFT_DOUBT * sqrtf(stray));
}

void sn_soft_surface_refit(sn_soft_surface *surface, const sn_node_state *nodes, const sn_vec3 *ways,
                           float growth)
{
    for (int i = surface->tree.count - 1; i >= 0; --i) {
        sn_surface_node *node = &surface->tree.data[i];
        node->bounds = node->count > 0 ? leaf_bounds(surface, node, nodes, ways, growth)
                                       : sn_bounds_union(surface->tree.data[node->first].bounds,
                                                         surface->tree.data[node->first + 1].bounds);
    }
}

void sn_soft_surface_look(sn_soft_surface *surface, const sn_node_state *nodes, float height)
{
    for (int i = 0; i < surface->face_count; ++i) {
        const uint32_t *face = surface->faces.data + 3 * (size_t)i;
        sn_vec3 a = nodes[face[0]].position;
        sn_vec3 ab = sn_sub(nodes[face[1]].position, a), ac = sn_sub(nodes[face[2]].position, a);
        sn_vec3 cross = sn_cross(ab, ac);
        float squared = sn_length_squared(cross);
        bool has_area = squared > 1.0e-10f * sn_length_squared(ab) * sn_length_squared(ac);
        surface->normals.data[i] = has_area ? sn_scale(cross, 1.0f / sqrtf(squared)) : sn_v(0.0f, 0.0f, 0.0f);
    }
    // Over a line of length L, an edge whose faces turn by θ stands out by ½ L sin ½θ.
    float sine = 2.0f * height / surface->largest_edge, flat = 1.0f - 2.0f * sine * sine;
    for (int i = 0; i < surface->mesh->edge_count; ++i) {
        const int *faces = surface->edge_faces.data + 2 * (size_t)i;
        surface->sharp.data[i] =
            faces[0] < 0 || faces[1] < 0 ||
            sn_dot(surface->normals.data[faces[0]], surface->normals.data[faces[1]]) < flat;
    }
}

// --- boxes of two times ------------------------------------------------------------------------------------

static sn_f4 wide(sn_vec3 v)
{
    return (sn_f4){v.x, v.y, v.z, 0.0f};
}

static sn_soft_box no_box(void)
{
    sn_f4 lower = wide(nothing.lower), upper = wide(nothing.upper);
    return (sn_soft_box){{lower, lower}, {upper, upper}};
}

static sn_soft_box face_box(const sn_soft_surface *surface, uint32_t face, const sn_node_state *nodes,
                            const sn_vec3 *ways, float growth)
{
    // As in sn_soft_pair_doubt.
    sn_vec3 frame = surface->meets_others ? sn_v(0.0f, 0.0f, 0.0f) : surface->frame_way;
    const uint32_t *corners = surface->faces.data + 3 * (size_t)face;
    sn_soft_box box = no_box();
    sn_f4 sum = sn_f4_set(0.0f);
    float stray = 0.0f;
    for (int k = 0; k < 3; ++k) {
        sn_f4 now = wide(nodes[corners[k]].position), then = now + wide(ways[corners[k]]);
        box.lower[0] = sn_f4_min(now, box.lower[0]);
        box.upper[0] = sn_f4_max(now, box.upper[0]);
        box.lower[1] = sn_f4_min(then, box.lower[1]);
        box.upper[1] = sn_f4_max(then, box.upper[1]);
        sum = sum + (then - then);
        stray = sn_max(stray, sn_length_squared(sn_sub(ways[corners[k]], frame)));
    }
    if (sn_i4_any(sum != sn_f4_set(0.0f))) { // some are no numbers, or infinite
        return no_box();
    }
    float doubt = growth + SN_SOFT_DOUBT * sqrtf(stray);
    sn_f4 around[2] = {{growth, growth, growth, 0.0f}, {doubt, doubt, doubt, 0.0f}};
    for (int i = 0; i < 2; ++i) {
        box.lower[i] = box.lower[i] - around[i];
        box.upper[i] = box.upper[i] + around[i];
    }
    return box;
}

static sn_soft_box box_union(const sn_soft_box *a, const sn_soft_box *b)
{
    return (sn_soft_box){{sn_f4_min(a->lower[0], b->lower[0]), sn_f4_min(a->lower[1], b->lower[1])},
                         {sn_f4_max(a->upper[0], b->upper[0]), sn_f4_max(a->upper[1], b->upper[1])}};
}

bool sn_soft_surface_fit_boxes(sn_soft_surface *surface, const sn_node_state *nodes, const sn_vec3 *ways,
                               float growth)
{
    if (!sn_array_resize(&surface->boxes, surface->tree.count) ||
        !sn_array_resize(&surface->face_boxes, surface->face_count)) {
        return false;
    }
    for (int i = 0; i < surface->face_count; ++i) {
        surface->face_boxes.data[i] = face_box(surface, surface->order.data[i], nodes, ways, growth);
    }
    for (int i = surface->tree.count - 1; i >= 0; --i) {
        const sn_surface_node *node = &surface->tree.data[i];
        const sn_soft_box *parts =
            (node->count > 0 ? surface->face_boxes.data : surface->boxes.data) + node->first;
        int count = node->count > 0 ? node->count : 2;
        surface->boxes.data[i] = parts[0];
        for (int k = 1; k < count; ++k) {
            surface->boxes.data[i] = box_union(&surface->boxes.data[i], &parts[k]);
        }
    }
    return true;
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
    // The cosine of the sum of the angles; beyond a right angle nothing is of interest.
    float between = sn_min(sn_dot(both.axis, a->axis), 1.0f), sine = sine_of(between);
    float with_a = between * a->cosine - sine * sine_of(a->cosine);
    float with_b = between * b->cosine - sine * sine_of(b->cosine);
    both.cosine = between > 0.0f ? sn_min(with_a, with_b) : -1.0f;
    return both;
}

static sn_vec3 normal_then(const sn_soft_surface *surface, uint32_t face, const sn_node_state *nodes,
                           const sn_vec3 *ways)
{
    sn_vec3 p[3];
    for (int k = 0; k < 3; ++k) {
        uint32_t node = surface->faces.data[3 * (size_t)face + (size_t)k];
        p[k] = sn_add(nodes[node].position, ways[node]);
    }
    return sn_normalize(sn_cross(sn_sub(p[1], p[0]), sn_sub(p[2], p[0])));
}

// Directions now and at the end of the step.
static void fit_leaf_cone(const sn_soft_surface *surface, const sn_surface_node *leaf,
                          const sn_node_state *nodes, const sn_vec3 *ways, sn_soft_cone *cone)
{
    sn_vec3 sum = sn_v(0.0f, 0.0f, 0.0f);
    for (int i = leaf->first; i < leaf->first + leaf->count; ++i) {
        sum = sn_add(sum, surface->normals.data[surface->order.data[i]]);
    }
    cone->axis = sn_normalize(sum);
    cone->cosine = 1.0f;
    for (int i = leaf->first; i < leaf->first + leaf->count; ++i) {
        uint32_t face = surface->order.data[i];
        float now = sn_dot(cone->axis, surface->normals.data[face]);
        float then = sn_dot(cone->axis, normal_then(surface, face, nodes, ways));
        cone->cosine = sn_min(sn_min(now, then), cone->cosine);
    }
}

void sn_soft_surface_fit_cones(sn_soft_surface *surface, const sn_node_state *nodes, const sn_vec3 *ways)
{
    sn_soft_cone *cones = surface->cones.data;
    for (int i = surface->tree.count - 1; i >= 0; --i) {
        const sn_surface_node *node = &surface->tree.data[i];
        if (node->count > 0) {
            fit_leaf_cone(surface, node, nodes, ways, &cones[i]);
        } else {
            sn_soft_cone both = sn_soft_cone_join(&cones[node->first], &cones[node->first + 1]);
            cones[i].axis = both.axis;
            cones[i].cosine = both.cosine;
        }
    }
}
