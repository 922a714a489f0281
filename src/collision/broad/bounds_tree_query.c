// Queries of a bounds tree: leaves that overlap a box, leaves along a segment. The stack is large enough for
// any tree (see bounds_tree_parts.h). Nothing is changed, so several threads may query at once.
#include "collision/broad/bounds_tree.h"
#include "collision/broad/bounds_tree_parts.h"
#include <float.h>

// --- overlap -------------------------------------------------------------------------------------

static bool overlaps(const sn_tree_node *node, sn_bounds bounds, uint64_t mask)
{
    return (node->category & mask) != 0 && sn_bounds_overlap(node->bounds, bounds);
}

void sn_bounds_tree_overlap(const sn_bounds_tree *tree, sn_bounds bounds, uint64_t mask,
                            sn_tree_function function, void *context)
{
    const sn_tree_node *nodes = tree->nodes.data;
    if (tree->root < 0 || !overlaps(&nodes[tree->root], bounds, mask)) {
        return;
    }
    int stack[SN_TREE_STACK];
    stack[0] = tree->root;
    int depth = 1;
    while (depth > 0) {
        const sn_tree_node *node = &nodes[stack[--depth]];
        if (sn_tree_node_is_leaf(node)) {
            if (!function(context, node->item)) {
                return;
            }
            continue;
        }
        for (int side = 1; side >= 0; --side) {
            if (overlaps(&nodes[node->child[side]], bounds, mask)) {
                stack[depth++] = node->child[side];
            }
        }
    }
}

// --- ray -----------------------------------------------------------------------------------------

// A segment against boxes by slabs (Kay and Kajiya 1986): t = (face − origin) / translation. Boxes are grown
// by the extent and by the rounding error, so that no box that the exact segment hits is missed.
typedef struct slab_ray {
    sn_vec3 origin_above, origin_below; // origin ± growth of the boxes
    sn_vec3 inverse_translation;
    uint64_t mask;
} slab_ray;

// A component without motion gets an inverse so large that only the sign of (face − origin) matters.
static float safe_inverse(float translation)
{
    const float smallest = 1.0e-30f;
    const float largest_inverse = 1.0e38f;
    return sn_abs(translation) > smallest ? 1.0f / translation : largest_inverse;
}

static slab_ray slab_ray_make(sn_vec3 origin, sn_vec3 translation, sn_vec3 extent, uint64_t mask)
{
    // Four roundings on numbers of at most this size lie between a box and its t. The smallest growth keeps
    // faces that lie exactly in a motionless segment's plane inside.
    sn_vec3 half_size = sn_abs3(extent);
    sn_vec3 magnitude = sn_add(sn_add(sn_abs3(origin), sn_abs3(translation)), half_size);
    sn_vec3 growth = sn_add_scaled(half_size, 4.0f * FLT_EPSILON, magnitude);
    growth = sn_add(growth, sn_v(1.0e-30f, 1.0e-30f, 1.0e-30f));
    slab_ray ray = {
        .origin_above = sn_add(origin, growth),
        .origin_below = sn_sub(origin, growth),
        .inverse_translation =
            sn_v(safe_inverse(translation.x), safe_inverse(translation.y), safe_inverse(translation.z)),
        .mask = mask,
    };
    return ray;
}

// Whether the segment may hit the node's box no later than `fraction`; `entry` is where.
static bool ray_meets(const slab_ray *ray, const sn_tree_node *node, float fraction, float *entry)
{
    if ((node->category & ray->mask) == 0) {
        return false;
    }
    sn_vec3 a = sn_mul(sn_sub(node->bounds.lower, ray->origin_above), ray->inverse_translation);
    sn_vec3 b = sn_mul(sn_sub(node->bounds.upper, ray->origin_below), ray->inverse_translation);
    sn_vec3 enter = sn_min3(a, b);
    sn_vec3 leave = sn_max3(a, b);
    *entry = sn_max(sn_max(enter.x, enter.y), sn_max(enter.z, 0.0f));
    return *entry <= sn_min(sn_min(leave.x, leave.y), sn_min(leave.z, fraction));
}

typedef struct ray_visit {
    int node;
    float entry;
} ray_visit;

// Pushes the children that the segment may hit, the closer one last, so that it is visited first and its
// leaves may rule out the other. Returns the new depth.
static int push_children(const slab_ray *ray, const sn_tree_node *nodes, int node, float fraction,
                         ray_visit *stack, int depth)
{
    ray_visit visit[2];
    bool meets[2];
    for (int side = 0; side < 2; ++side) {
        visit[side].node = nodes[node].child[side];
        meets[side] = ray_meets(ray, &nodes[visit[side].node], fraction, &visit[side].entry);
    }
    int nearer = meets[0] && meets[1] && visit[1].entry < visit[0].entry;
    if (meets[1 - nearer]) {
        stack[depth++] = visit[1 - nearer];
    }
    if (meets[nearer]) {
        stack[depth++] = visit[nearer];
    }
    return depth;
}

void sn_bounds_tree_ray(const sn_bounds_tree *tree, sn_vec3 origin, sn_vec3 translation, sn_vec3 extent,
                        uint64_t mask, sn_tree_ray_function function, void *context)
{
    const sn_tree_node *nodes = tree->nodes.data;
    slab_ray ray = slab_ray_make(origin, translation, extent, mask);
    ray_visit stack[SN_TREE_STACK];
    float fraction = 1.0f;
    stack[0].node = tree->root;
    if (tree->root < 0 || !ray_meets(&ray, &nodes[tree->root], fraction, &stack[0].entry)) {
        return;
    }
    int depth = 1;
    while (depth > 0) {
        ray_visit visit = stack[--depth];
        if (visit.entry > fraction) {
            continue;
        }
        if (!sn_tree_node_is_leaf(&nodes[visit.node])) {
            depth = push_children(&ray, nodes, visit.node, fraction, stack, depth);
            continue;
        }
        float answer = function(context, nodes[visit.node].item, fraction);
        if (answer <= 0.0f) {
            return;
        }
        fraction = sn_min(answer, fraction);
    }
}
