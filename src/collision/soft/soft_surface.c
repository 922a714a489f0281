// Building the surface of a deformable.
#include "collision/soft/soft_surface.h"

#include "base/bit_set.h"
#include "geometry/shapes/surface_tree.h"

#include <string.h>

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

// Notes a face beside an edge. An edge of more than two faces counts as a boundary: it has no two sides.
static void add_neighbor(sn_soft_surface *surface, uint32_t edge, int face, bool first)
{
    int *faces = surface->edge_faces.data + 2 * (size_t)edge;
    if (first) {
        faces[0] = face;
    } else {
        faces[1] = faces[1] == -1 ? face : -2;
    }
}

// The first face that has a node or an edge owns it.
static bool assign_owners(sn_soft_surface *surface)
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

static bool is_of_face(const sn_soft_surface *surface, int face, uint32_t node)
{
    const uint32_t *corners = surface->faces.data + 3 * (size_t)face;
    return corners[0] == node || corners[1] == node || corners[2] == node;
}

// The fourth node of the element that a face bounds.
static bool find_inner_nodes(sn_soft_surface *surface)
{
    const sn_mesh *mesh = surface->mesh;
    if (!surface->one_sided) {
        return true;
    }
    if (!sn_array_resize(&surface->inner, surface->face_count)) {
        return false;
    }
    memset(surface->inner.data, 0xff, (size_t)surface->face_count * sizeof *surface->inner.data);
    for (int i = 0; i < 4 * mesh->tetrahedron_count; ++i) {
        const uint32_t *t = mesh->tetrahedra + 4 * (size_t)(i / 4);
        uint32_t a = t[(i + 1) % 4], b = t[(i + 2) % 4], c = t[(i + 3) % 4];
        const int *faces = surface->edge_faces.data + 2 * (size_t)sn_mesh_find_edge(mesh, a, b);
        for (int k = 0; k < 2; ++k) {
            if (faces[k] >= 0 && is_of_face(surface, faces[k], c)) {
                surface->inner.data[faces[k]] = t[i % 4];
            }
        }
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

static bool build_tree(sn_soft_surface *surface)
{
    // Boxes are made in steps, which must not need memory.
    if (!sn_array_reserve(&surface->boxes, 2 * surface->face_count) ||
        !sn_array_reserve(&surface->face_boxes, surface->face_count) ||
        !sn_array_reserve(&surface->node_boxes, surface->mesh->node_count) ||
        !sn_array_resize(&surface->normals, surface->face_count) ||
        !sn_array_resize(&surface->surprising, surface->mesh->node_count) ||
        !sn_array_resize(&surface->suspects, surface->face_count) ||
        !sn_array_resize(&surface->sharp, surface->mesh->edge_count) ||
        !sn_array_resize(&surface->folds, surface->mesh->node_count) ||
        !sn_array_resize(&surface->tree, 2 * surface->face_count) ||
        !sn_array_resize(&surface->order, surface->face_count)) {
        return false;
    }
    surface->tree.count = sn_surface_tree_build(surface->mesh->nodes, surface->faces.data,
                                                surface->face_count, surface->tree.data, surface->order.data);
    return surface->tree.count > 0;
}

// Boxes at rest are a little larger, so that those of neighbours overlap.
static bool make_cones(sn_soft_surface *surface)
{
    if (!sn_array_resize(&surface->cones, surface->tree.count) ||
        !sn_array_resize(&surface->leaf_faces, surface->face_count)) {
        return false;
    }
    for (int i = 0; i < surface->tree.count; ++i) {
        sn_bounds box = surface->tree.data[i].bounds;
        surface->cones.data[i].rest = sn_bounds_grow(box, 1.0e-3f * surface->largest_edge / surface->scale);
    }
    for (int i = 0; i < surface->face_count; ++i) {
        uint32_t corner = surface->faces.data[3 * (size_t)surface->order.data[i]];
        surface->leaf_faces.data[i].corner = surface->mesh->nodes[corner];
    }
    return true;
}

bool sn_soft_surface_make(sn_soft_surface *surface, const sn_mesh *mesh, float scale, bool self_collide)
{
    *surface = (sn_soft_surface){.mesh = mesh, .one_sided = mesh->tetrahedron_count > 0, .scale = scale};
    if (!copy_faces(surface) || !assign_owners(surface) || !find_inner_nodes(surface) || !mark_rim(surface) ||
        !build_tree(surface)) {
        return false;
    }
    for (int i = 0; i < surface->face_count; ++i) {
        const uint32_t *face = surface->faces.data + 3 * (size_t)i;
        for (int k = 0; k < 3; ++k) {
            float length = sn_distance_between(mesh->nodes[face[k]], mesh->nodes[face[(k + 1) % 3]]);
            surface->largest_edge = sn_max(surface->largest_edge, scale * length);
            surface->most_uncertain = 0.5f * surface->largest_edge;
        }
    }
    return sn_verlet_list_make(surface, &surface->between) &&
           (!self_collide || (make_cones(surface) && sn_verlet_list_make(surface, &surface->verlet_list)));
}

void sn_soft_surface_release(sn_soft_surface *surface)
{
    sn_array_release(&surface->faces);
    sn_array_release(&surface->face_edges);
    sn_array_release(&surface->owned);
    sn_array_release(&surface->inner);
    sn_array_release(&surface->edge_faces);
    sn_array_release(&surface->rim);
    sn_array_release(&surface->tree);
    sn_array_release(&surface->order);
    sn_array_release(&surface->cones);
    sn_array_release(&surface->node_boxes);
    sn_array_release(&surface->boxes);
    sn_array_release(&surface->face_boxes);
    sn_array_release(&surface->leaf_faces);
    sn_verlet_list_release(&surface->verlet_list);
    sn_verlet_list_release(&surface->between);
    sn_array_release(&surface->normals);
    sn_array_release(&surface->sharp);
    sn_array_release(&surface->folds);
    sn_array_release(&surface->surprising);
    sn_array_release(&surface->suspects);
    sn_array_release(&surface->suspect_parts);
    *surface = (sn_soft_surface){0};
}
