// Winding numbers as solid angles: near triangles exactly (van Oosterom and Strackee 1983), far groups of
// triangles as one dipole at their centre of area.
#include "geometry/meshing/lattice_winding.h"
#include "base/allocate.h"
#include "geometry/shapes/surface_tree.h"

// Groups farther away than this many of their radii count as one dipole.
#define FAR 2.5f

// --- making ------------------------------------------------------------------------------------------------

// Sums over the triangles of one node.
typedef struct node_sums {
    sn_vec3 area, moment; // Σ area vector, Σ |area vector| × centroid
    float size;           // Σ |area vector|
} node_sums;

static void add_triangle(node_sums *sums, const sn_surface *surface, uint32_t triangle)
{
    const uint32_t *t = surface->triangles + 3 * (size_t)triangle;
    sn_vec3 a = surface->vertices[t[0]], b = surface->vertices[t[1]], c = surface->vertices[t[2]];
    sn_vec3 area = sn_scale(sn_cross(sn_sub(b, a), sn_sub(c, a)), 0.5f);
    sn_vec3 centroid = sn_scale(sn_add(a, sn_add(b, c)), 1.0f / 3.0f);
    float size = sn_length(area);
    sums->area = sn_add(sums->area, area);
    sums->moment = sn_add_scaled(sums->moment, size, centroid);
    sums->size += size;
}

static sn_vec3 center_of(const node_sums *sums, sn_bounds bounds)
{
    sn_vec3 center = sn_scale(sums->moment, 1.0f / sums->size);
    // Areas too small for float32 leave the middle of the bounds as good a centre as any.
    return sn_vec3_is_finite(center) ? center : sn_lerp(bounds.lower, bounds.upper, 0.5f);
}

static float radius_of_leaf(const sn_surface *surface, const sn_surface_node *leaf, sn_vec3 center)
{
    float radius = 0.0f;
    for (int k = 0; k < 3 * leaf->count; ++k) {
        size_t triangle = surface->order[leaf->first + k / 3];
        sn_vec3 corner = surface->vertices[surface->triangles[3 * triangle + (size_t)(k % 3)]];
        radius = sn_max(radius, sn_distance_between(corner, center));
    }
    return radius;
}

// The balls of both children fit in, and so do the bounds; whichever is smaller.
static float radius_of_inner(const sn_winding *winding, const sn_surface_node *node, sn_vec3 center)
{
    const sn_winding_node *left = &winding->nodes[node->first], *right = left + 1;
    float around_children = sn_max(sn_distance_between(left->center, center) + left->radius,
                                   sn_distance_between(right->center, center) + right->radius);
    sn_vec3 farthest = sn_max3(sn_sub(node->bounds.upper, center), sn_sub(center, node->bounds.lower));
    return sn_min(around_children, sn_length(farthest));
}

// Children have higher numbers than their parent, so from the last node to the first all is ready when
// needed.
static void fill_nodes(sn_winding *winding, node_sums *sums)
{
    const sn_surface *surface = winding->surface;
    for (int i = surface->node_count - 1; i >= 0; --i) {
        const sn_surface_node *node = &surface->nodes[i];
        bool is_leaf = node->count > 0;
        for (int k = 0; k < node->count; ++k) {
            add_triangle(&sums[i], surface, surface->order[node->first + k]);
        }
        for (int k = 0; !is_leaf && k < 2; ++k) {
            const node_sums *child = &sums[node->first + k];
            sums[i].area = sn_add(sums[i].area, child->area);
            sums[i].moment = sn_add(sums[i].moment, child->moment);
            sums[i].size += child->size;
        }
        sn_vec3 center = center_of(&sums[i], node->bounds);
        float radius =
            is_leaf ? radius_of_leaf(surface, node, center) : radius_of_inner(winding, node, center);
        winding->nodes[i] = (sn_winding_node){center, sums[i].area, radius};
    }
}

bool sn_winding_make(sn_winding *winding, const sn_surface *surface)
{
    size_t count = (size_t)surface->node_count, sum_bytes = count * sizeof(node_sums);
    node_sums *sums = sn_allocate_zero(1, sum_bytes);
    winding->surface = surface;
    winding->nodes = sn_allocate_zero(count, sizeof(sn_winding_node));
    bool enough = sums && winding->nodes;
    if (enough) {
        fill_nodes(winding, sums);
    }
    sn_release(sums, sum_bytes);
    return enough;
}

void sn_winding_release(sn_winding *winding)
{
    if (winding->nodes) {
        sn_release(winding->nodes, (size_t)winding->surface->node_count * sizeof(sn_winding_node));
        winding->nodes = NULL;
    }
}

// --- asking ------------------------------------------------------------------------------------------------

// Half the solid angle of a triangle.
static float half_solid_angle(const sn_surface *surface, uint32_t triangle, sn_vec3 point)
{
    const uint32_t *t = surface->triangles + 3 * (size_t)triangle;
    sn_vec3 a = sn_sub(surface->vertices[t[0]], point), b = sn_sub(surface->vertices[t[1]], point);
    sn_vec3 c = sn_sub(surface->vertices[t[2]], point);
    float la = sn_length(a), lb = sn_length(b), lc = sn_length(c);
    float numerator = sn_dot(a, sn_cross(b, c));
    float denominator = la * lb * lc + sn_dot(a, b) * lc + sn_dot(b, c) * la + sn_dot(c, a) * lb;
    return sn_atan2(numerator, denominator);
}

float sn_winding_number(const sn_winding *winding, sn_vec3 point)
{
    const sn_surface *surface = winding->surface;
    int stack[SN_SURFACE_TREE_DEPTH + 1], stack_count = 0;
    float half_near = 0.0f, far = 0.0f;
    stack[stack_count++] = 0;
    while (stack_count > 0) {
        int i = stack[--stack_count];
        const sn_winding_node *node = &winding->nodes[i];
        const sn_surface_node *tree_node = &surface->nodes[i];
        sn_vec3 towards = sn_sub(node->center, point);
        float distance_squared = sn_length_squared(towards), reach = FAR * node->radius;
        if (distance_squared > reach * reach) {
            far += sn_dot(node->area, towards) / (distance_squared * sqrtf(distance_squared));
        } else if (tree_node->count == 0) {
            stack[stack_count++] = tree_node->first + 1;
            stack[stack_count++] = tree_node->first;
        } else {
            for (int k = 0; k < tree_node->count; ++k) {
                half_near += half_solid_angle(surface, surface->order[tree_node->first + k], point);
            }
        }
    }
    return (2.0f * half_near + far) * (0.25f / SN_PI);
}

bool sn_winding_is_inside(const sn_winding *winding, sn_vec3 point)
{
    return sn_abs(sn_winding_number(winding, point)) >= 0.5f;
}
