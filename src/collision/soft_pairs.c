// Which features of two surfaces may meet: descending two trees at once.
#include "collision/soft_pairs.h"

#include "geometry/surface_tree.h"

// Descending one of two trees at a time pushes one pair more than it takes.
#define PAIR_STACK (6 * SN_SURFACE_TREE_DEPTH)

typedef struct node_pair {
    int a, b;
} node_pair;

typedef struct descent {
    const sn_soft_view *a, *b;
    const sn_soft_cone *cones; // of a surface against itself
    bool edges;
    float shrink;
    sn_soft_pair_function function;
    void *context;
} descent;

// --- features of two faces ---------------------------------------------------------------------------------

static bool has_node(const uint32_t *nodes, int count, uint32_t node)
{
    for (int i = 0; i < count; ++i) {
        if (nodes[i] == node) {
            return true;
        }
    }
    return false;
}

// Whether a face has a neighbour, across one of its edges, that has the node.
static bool is_across(const sn_soft_surface *surface, uint32_t face, uint32_t node)
{
    for (size_t k = 0; k < 3; ++k) {
        const int *beside =
            surface->edge_faces.data + 2 * (size_t)surface->face_edges.data[3 * (size_t)face + k];
        for (int i = 0; i < 2; ++i) {
            if (beside[i] >= 0 && has_node(surface->faces.data + 3 * (size_t)beside[i], 3, node)) {
                return true;
            }
        }
    }
    return false;
}

// Whether the two edges belong to triangles that share an edge: like the covers of a book.
static bool are_across(const sn_soft_surface *surface, uint32_t edge_a, uint32_t edge_b)
{
    const int *beside = surface->edge_faces.data + 2 * (size_t)edge_a;
    const uint32_t *nodes = surface->mesh->edges + 2 * (size_t)edge_b;
    for (int i = 0; i < 2; ++i) {
        if (beside[i] >= 0 && (is_across(surface, (uint32_t)beside[i], nodes[0]) &&
                               is_across(surface, (uint32_t)beside[i], nodes[1]))) {
            return true;
        }
    }
    return false;
}

// Whether a node comes near enough to the plane of a face within the step: what most pairs fail.
static bool may_meet_face(const sn_soft_view *a, uint32_t node, const sn_soft_view *b, uint32_t face)
{
    const uint32_t *corners = b->surface->faces.data + 3 * (size_t)face;
    sn_vec3 out = b->surface->normals.data[face];
    float height = sn_dot(out, sn_sub(a->nodes[node].position, b->nodes[corners[0]].position));
    float way = sn_dot(out, a->ways[node]), lowest = way, highest = way;
    for (int k = 0; k < 3; ++k) {
        float other = way - sn_dot(out, b->ways[corners[k]]);
        lowest = k == 0 ? other : sn_min(lowest, other);
        highest = k == 0 ? other : sn_max(highest, other);
    }
    float doubt = sn_max(sn_soft_doubt(a, node), sn_soft_doubt(b, corners[0]));
    float reach = a->half_thickness + b->half_thickness + a->margin + doubt;
    return height + sn_min(lowest, 0.0f) <= reach && height + sn_max(highest, 0.0f) >= -reach;
}

// Whether the lines of two edges come near enough to each other.
static bool may_meet_edge(const sn_soft_view *a, const uint32_t *nodes_a, const sn_soft_view *b,
                          const uint32_t *nodes_b)
{
    sn_vec3 p = a->nodes[nodes_a[0]].position, q = b->nodes[nodes_b[0]].position;
    sn_vec3 across =
        sn_cross(sn_sub(a->nodes[nodes_a[1]].position, p), sn_sub(b->nodes[nodes_b[1]].position, q));
    float gap = sn_dot(across, sn_sub(p, q));
    float way = sn_length(sn_sub(a->ways[nodes_a[0]], b->ways[nodes_b[0]])) +
                sn_length(sn_sub(a->ways[nodes_a[1]], b->ways[nodes_b[1]]));
    float reach = a->half_thickness + b->half_thickness + a->margin + way +
                  sn_max(sn_soft_doubt(a, nodes_a[0]), sn_soft_doubt(b, nodes_b[0]));
    return gap * gap <= reach * reach * sn_length_squared(across);
}

// Nodes that face `fa` of a stands for, against face `fb` of b.
static bool pair_nodes(const descent *d, const sn_soft_view *a, uint32_t fa, const sn_soft_view *b,
                       uint32_t fb)
{
    const uint32_t *nodes = a->surface->faces.data + 3 * (size_t)fa;
    const uint32_t *other = b->surface->faces.data + 3 * (size_t)fb;
    if (b->surface->mesh->triangle_count == 0) {
        return true;
    }
    for (uint32_t k = 0; k < 3; ++k) {
        bool owned = (a->surface->owned.data[fa] >> k & 1u) != 0;
        if (owned && !(d->cones != NULL && has_node(other, 3, nodes[k])) &&
            may_meet_face(a, nodes[k], b, fb) && !(d->cones != NULL && is_across(b->surface, fb, nodes[k])) &&
            !d->function(d->context, sn_soft_feature_name(SN_SOFT_NODE, nodes[k]),
                         sn_soft_feature_name(SN_SOFT_FACE, fb))) {
            return false;
        }
    }
    return true;
}

static bool pair_edges(const descent *d, uint32_t fa, uint32_t fb)
{
    const sn_soft_surface *a = d->a->surface, *b = d->b->surface;
    for (uint32_t i = 0; i < 3; ++i) {
        uint32_t edge_a = a->face_edges.data[3 * (size_t)fa + i];
        if ((a->owned.data[fa] >> (i + 3) & 1u) == 0 || !a->sharp.data[edge_a]) {
            continue;
        }
        for (uint32_t k = 0; k < 3; ++k) {
            uint32_t edge_b = b->face_edges.data[3 * (size_t)fb + k];
            const uint32_t *nodes_a = a->mesh->edges + 2 * (size_t)edge_a;
            const uint32_t *nodes_b = b->mesh->edges + 2 * (size_t)edge_b;
            bool joined =
                d->cones != NULL && (has_node(nodes_a, 2, nodes_b[0]) || has_node(nodes_a, 2, nodes_b[1]));
            if ((b->owned.data[fb] >> (k + 3) & 1u) != 0 && !joined && b->sharp.data[edge_b] &&
                may_meet_edge(d->a, nodes_a, d->b, nodes_b) &&
                !(d->cones != NULL && are_across(a, edge_a, edge_b)) &&
                !d->function(d->context, sn_soft_feature_name(SN_SOFT_EDGE, edge_a),
                             sn_soft_feature_name(SN_SOFT_EDGE, edge_b))) {
                return false;
            }
        }
    }
    return true;
}

// The box of a face alone: leaves hold several.
static sn_bounds face_bounds(const sn_soft_view *view, uint32_t face, float growth)
{
    const uint32_t *nodes = view->surface->faces.data + 3 * (size_t)face;
    sn_bounds bounds = {view->nodes[nodes[0]].position, view->nodes[nodes[0]].position};
    for (int k = 0; k < 3; ++k) {
        sn_vec3 now = view->nodes[nodes[k]].position, then = sn_add(now, view->ways[nodes[k]]);
        bounds.lower = sn_min3(bounds.lower, sn_min3(now, then));
        bounds.upper = sn_max3(bounds.upper, sn_max3(now, then));
    }
    return sn_bounds_grow(bounds, growth);
}

static bool pair_leaves(const descent *d, const sn_surface_node *a, const sn_surface_node *b)
{
    bool is_same = d->cones != NULL && a == b;
    float growth_a = d->a->half_thickness + 0.5f * d->a->margin;
    float growth_b = d->b->half_thickness + 0.5f * d->b->margin;
    for (int i = a->first; i < a->first + a->count; ++i) {
        uint32_t fa = d->a->surface->order.data[i];
        float doubt = sn_soft_doubt(d->a, d->a->surface->faces.data[3 * (size_t)fa]);
        sn_bounds box = face_bounds(d->a, fa, growth_a + doubt);
        for (int k = is_same ? i + 1 : b->first; k < b->first + b->count; ++k) {
            uint32_t fb = d->b->surface->order.data[k];
            if (!sn_bounds_overlap(box, face_bounds(d->b, fb, growth_b))) {
                continue;
            }
            if (!pair_nodes(d, d->a, fa, d->b, fb) ||
                (d->cones != NULL && !pair_nodes(d, d->b, fb, d->a, fa)) ||
                (d->edges && !pair_edges(d, fa, fb))) {
                return false;
            }
        }
    }
    return true;
}

// --- descending --------------------------------------------------------------------------------------------

static float size_of(sn_bounds bounds)
{
    sn_vec3 size = sn_sub(bounds.upper, bounds.lower);
    return size.x + size.y + size.z;
}

// Whether two parts of one surface lie side by side at rest and face the same way now.
static bool are_one_patch(const descent *d, int a, int b)
{
    if (d->cones == NULL) {
        return false;
    }
    sn_soft_cone both = sn_soft_cone_join(&d->cones[a], &d->cones[b]);
    return both.cosine > 0.5f && sn_bounds_overlap(d->cones[a].rest, d->cones[b].rest);
}

static int push_pair(node_pair *stack, int depth, int a, int b)
{
    stack[depth] = (node_pair){a, b};
    return depth + 1;
}

// A pair of different nodes: both leaves are compared; else the larger one is opened.
static bool open_pair(const descent *d, node_pair pair, node_pair *stack, int *depth)
{
    const sn_surface_node *a = &d->a->surface->tree.data[pair.a], *b = &d->b->surface->tree.data[pair.b];
    if (!sn_bounds_overlap(sn_bounds_grow(a->bounds, -2.0f * d->shrink), b->bounds) ||
        are_one_patch(d, pair.a, pair.b)) {
        return true;
    }
    if (a->count > 0 && b->count > 0) {
        return pair_leaves(d, a, b);
    }
    if (b->count > 0 || (a->count == 0 && size_of(a->bounds) >= size_of(b->bounds))) {
        *depth = push_pair(stack, *depth, a->first + 1, pair.b);
        *depth = push_pair(stack, *depth, a->first, pair.b);
    } else {
        *depth = push_pair(stack, *depth, pair.a, b->first + 1);
        *depth = push_pair(stack, *depth, pair.a, b->first);
    }
    return true;
}

// A node against itself: its children against themselves and against each other.
static bool open_self(const descent *d, int index, node_pair *stack, int *depth)
{
    const sn_surface_node *node = &d->a->surface->tree.data[index];
    if (d->cones[index].cosine > 0.5f) {
        return true;
    }
    if (node->count > 0) {
        return pair_leaves(d, node, node);
    }
    *depth = push_pair(stack, *depth, node->first, node->first + 1);
    *depth = push_pair(stack, *depth, node->first + 1, node->first + 1);
    *depth = push_pair(stack, *depth, node->first, node->first);
    return true;
}

static bool descend(const descent *d)
{
    node_pair stack[PAIR_STACK];
    int depth = push_pair(stack, 0, 0, 0);
    while (depth > 0) {
        node_pair pair = stack[--depth];
        bool itself = d->cones != NULL && pair.a == pair.b;
        if (itself ? !open_self(d, pair.a, stack, &depth) : !open_pair(d, pair, stack, &depth)) {
            return false;
        }
    }
    return true;
}

bool sn_soft_surface_pairs(const sn_soft_view *a, const sn_soft_view *b, bool edges, float shrink,
                           sn_soft_pair_function function, void *context)
{
    descent d = {.a = a, .b = b, .edges = edges, .shrink = shrink, .function = function, .context = context};
    return descend(&d);
}

bool sn_soft_surface_self_pairs(const sn_soft_view *view, const sn_soft_cone *cones, float shrink,
                                sn_soft_pair_function function, void *context)
{
    descent d = {.a = view,
                 .b = view,
                 .cones = cones,
                 .edges = true,
                 .shrink = shrink,
                 .function = function,
                 .context = context};
    return descend(&d);
}
