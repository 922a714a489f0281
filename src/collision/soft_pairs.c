// Which features of two surfaces may meet: descending two trees at once.
#include "collision/soft_pairs.h"

#include "geometry/surface_tree.h"

// Descending one of two trees at a time pushes one pair more than it takes.
#define PAIR_STACK (6 * SN_SURFACE_TREE_DEPTH)

// Parts whose normals are within 60° of each other look the same way.
#define ONE_WAY 0.5f

typedef struct node_pair {
    int a, b;
} node_pair;

typedef struct descent {
    const sn_soft_view *a, *b;
    const sn_soft_cone *cones; // of a surface against itself
    bool edges;
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

// Whether a node belongs to a face, or to a neighbour of it across one of its edges.
static bool is_across(const sn_soft_surface *surface, uint32_t face, uint32_t node)
{
    return has_node(surface->across.data + 3 * (size_t)face, 3, node) ||
           has_node(surface->faces.data + 3 * (size_t)face, 3, node);
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
    lowest = height + sn_min(lowest, 0.0f);
    highest = height + sn_max(highest, 0.0f);
    float reach = a->half_thickness + b->half_thickness + a->margin;
    if (lowest <= reach && highest >= -reach) {
        return true;
    }
    reach += sn_soft_pair_doubt(a, node, b, corners[0]);
    return lowest <= reach && highest >= -reach;
}

// Whether two edges, and their lines, come near enough to each other.
static bool may_meet_edge(const sn_soft_view *a, const uint32_t *nodes_a, const sn_soft_view *b,
                          const uint32_t *nodes_b)
{
    sn_vec3 p = a->nodes[nodes_a[0]].position, q = b->nodes[nodes_b[0]].position;
    sn_vec3 u = sn_sub(a->nodes[nodes_a[1]].position, p), v = sn_sub(b->nodes[nodes_b[1]].position, q);
    float way = sn_length(sn_sub(a->ways[nodes_a[0]], b->ways[nodes_b[0]])) +
                sn_length(sn_sub(a->ways[nodes_a[1]], b->ways[nodes_b[1]]));
    float reach = a->half_thickness + b->half_thickness + a->margin + way +
                  sn_soft_pair_doubt(a, nodes_a[0], b, nodes_b[0]);
    // Balls about both.
    sn_vec3 apart = sn_sub(p, q), between = sn_add_scaled(apart, 0.5f, sn_sub(u, v));
    float radii = 0.5f * (sn_length(u) + sn_length(v)) + reach;
    if (!(sn_length_squared(between) <= radii * radii)) {
        return false;
    }
    sn_vec3 across = sn_cross(u, v);
    float gap = sn_dot(across, apart);
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

// Bit k: the face stands for its edge k, and that is sharp.
static uint32_t sharp_edges_of(const sn_soft_surface *surface, uint32_t face)
{
    uint32_t bits = (uint32_t)surface->owned.data[face] >> 3;
    for (uint32_t k = 0; k < 3; ++k) {
        if ((bits >> k & 1u) != 0 && !surface->sharp.data[surface->face_edges.data[3 * (size_t)face + k]]) {
            bits &= ~(1u << k);
        }
    }
    return bits;
}

// Two edges; of one surface, those that share no node and no face.
static bool pair_edge(const descent *d, uint32_t edge_a, uint32_t edge_b)
{
    const sn_soft_surface *a = d->a->surface, *b = d->b->surface;
    const uint32_t *nodes_a = a->mesh->edges + 2 * (size_t)edge_a;
    const uint32_t *nodes_b = b->mesh->edges + 2 * (size_t)edge_b;
    bool joined = d->cones != NULL && (has_node(nodes_a, 2, nodes_b[0]) || has_node(nodes_a, 2, nodes_b[1]));
    return joined || !may_meet_edge(d->a, nodes_a, d->b, nodes_b) ||
           (d->cones != NULL && are_across(a, edge_a, edge_b)) ||
           d->function(d->context, sn_soft_feature_name(SN_SOFT_EDGE, edge_a),
                       sn_soft_feature_name(SN_SOFT_EDGE, edge_b));
}

static bool pair_edges(const descent *d, uint32_t fa, uint32_t fb)
{
    const sn_soft_surface *a = d->a->surface, *b = d->b->surface;
    uint32_t of_a = sharp_edges_of(a, fa), of_b = of_a != 0 ? sharp_edges_of(b, fb) : 0;
    for (uint32_t i = 0; of_b != 0 && i < 3; ++i) {
        for (uint32_t k = 0; (of_a >> i & 1u) != 0 && k < 3; ++k) {
            if ((of_b >> k & 1u) != 0 && !pair_edge(d, a->face_edges.data[3 * (size_t)fa + i],
                                                    b->face_edges.data[3 * (size_t)fb + k])) {
                return false;
            }
        }
    }
    return true;
}

// Whether two faces of one surface are neighbours, or nearly, and look the same way: as those of a patch.
static bool are_alike(const sn_soft_surface *surface, uint32_t fa, uint32_t fb)
{
    if (!(sn_dot(surface->normals.data[fa], surface->normals.data[fb]) > ONE_WAY)) {
        return false;
    }
    const sn_vec3 *rest = surface->mesh->nodes;
    sn_vec3 apart =
        sn_sub(rest[surface->faces.data[3 * (size_t)fa]], rest[surface->faces.data[3 * (size_t)fb]]);
    float near = 2.0f * surface->largest_edge / surface->scale;
    return sn_length_squared(apart) < near * near;
}

static bool pair_faces(const descent *d, uint32_t fa, uint32_t fb)
{
    return pair_nodes(d, d->a, fa, d->b, fb) && (d->cones == NULL || pair_nodes(d, d->b, fb, d->a, fa)) &&
           (!d->edges || pair_edges(d, fa, fb));
}

// Each face of the one that comes near the other at all, against its faces.
static bool pair_leaves(const descent *d, const sn_surface_node *a, const sn_surface_node *b)
{
    bool is_same = d->cones != NULL && a == b;
    const sn_soft_surface *of_a = d->a->surface, *of_b = d->b->surface;
    const sn_soft_box *around_b = &of_b->boxes.data[b - of_b->tree.data];
    for (int i = a->first; i < a->first + a->count; ++i) {
        const sn_soft_box *box = &of_a->face_boxes.data[i];
        if (!sn_soft_boxes_overlap(box, around_b)) {
            continue;
        }
        uint32_t fa = of_a->order.data[i];
        for (int k = is_same ? i + 1 : b->first; k < b->first + b->count; ++k) {
            uint32_t fb = of_b->order.data[k];
            if (sn_soft_boxes_overlap(box, &of_b->face_boxes.data[k]) &&
                !(d->cones != NULL && are_alike(of_a, fa, fb)) && !pair_faces(d, fa, fb)) {
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
    // Joined cones are no narrower than either.
    if (d->cones == NULL || !(d->cones[a].cosine > ONE_WAY && d->cones[b].cosine > ONE_WAY)) {
        return false;
    }
    return sn_bounds_overlap(d->cones[a].rest, d->cones[b].rest) &&
           sn_soft_cone_join(&d->cones[a], &d->cones[b]).cosine > ONE_WAY;
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
    if (!sn_soft_boxes_overlap(&d->a->surface->boxes.data[pair.a], &d->b->surface->boxes.data[pair.b]) ||
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
    if (d->cones[index].cosine > ONE_WAY) {
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

bool sn_soft_surface_pairs(const sn_soft_view *a, const sn_soft_view *b, bool edges,
                           sn_soft_pair_function function, void *context)
{
    descent d = {.a = a, .b = b, .edges = edges, .function = function, .context = context};
    return descend(&d);
}

bool sn_soft_surface_self_pairs(const sn_soft_view *view, const sn_soft_cone *cones,
                                sn_soft_pair_function function, void *context)
{
    descent d = {
        .a = view, .b = view, .cones = cones, .edges = true, .function = function, .context = context};
    return descend(&d);
}
