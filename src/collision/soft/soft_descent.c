// Two trees at once: of two parts whose boxes overlap the larger one is opened, until both are leaves.
#include "collision/soft/soft_descent.h"

#include "geometry/shapes/surface_tree.h"

// Descending one of two trees at a time pushes one pair more than it takes.
#define PAIR_STACK (6 * SN_SURFACE_TREE_DEPTH)

typedef struct node_pair {
    int a, b;
} node_pair;

static bool is_itself(const sn_soft_descent *d)
{
    return d->a == d->b;
}

// Each face of the one that comes near the other at all, against its faces.
static bool pair_leaves(const sn_soft_descent *d, const sn_surface_node *a, const sn_surface_node *b)
{
    const sn_soft_box *around_b = &d->b->boxes.data[b - d->b->tree.data];
    for (int i = a->first; i < a->first + a->count; ++i) {
        const sn_soft_box *box = &d->a->face_boxes.data[i];
        if (!sn_soft_boxes_overlap(box, around_b)) {
            continue;
        }
        for (int k = a == b ? i + 1 : b->first; k < b->first + b->count; ++k) {
            bool wanted = d->escaped_faces == NULL || d->escaped_faces[i] || d->escaped_faces[k];
            if (wanted && sn_soft_boxes_overlap(box, &d->b->face_boxes.data[k]) &&
                !(is_itself(d) && sn_soft_are_aligned(d->a, i, k, d->aligned)) &&
                !d->function(d->context, i, k)) {
                return false;
            }
        }
    }
    return true;
}

// By the boxes of the step, so that the order of pairs follows from nothing else.
static float size_of(const sn_soft_box *box)
{
    sn_f4 size = box->upper[0] - box->lower[0];
    return size[0] + size[1] + size[2];
}

// Whether two parts of one surface lie side by side at rest and face the same way now.
static bool are_one_patch(const sn_soft_descent *d, int a, int b)
{
    // Joined cones are no narrower than either.
    const sn_soft_cone *cones = d->a->cones.data;
    if (!is_itself(d) || d->escaped_parts != NULL ||
        !(cones[a].cosine > d->aligned && cones[b].cosine > d->aligned)) {
        return false;
    }
    return sn_bounds_overlap(cones[a].rest, cones[b].rest) &&
           sn_soft_cone_join(&cones[a], &cones[b]).cosine > d->aligned;
}

static int push_pair(node_pair *stack, int depth, int a, int b)
{
    stack[depth] = (node_pair){a, b};
    return depth + 1;
}

// A pair of different nodes: both leaves are compared; else the larger one is opened.
static bool open_pair(const sn_soft_descent *d, node_pair pair, node_pair *stack, int *depth)
{
    const sn_surface_node *a = &d->a->tree.data[pair.a], *b = &d->b->tree.data[pair.b];
    const sn_soft_box *box_a = &d->a->boxes.data[pair.a], *box_b = &d->b->boxes.data[pair.b];
    bool wanted = d->escaped_parts == NULL || d->escaped_parts[pair.a] || d->escaped_parts[pair.b];
    if (!wanted || !sn_soft_boxes_overlap(box_a, box_b) || are_one_patch(d, pair.a, pair.b)) {
        return true;
    }
    if (a->count > 0 && b->count > 0) {
        return pair_leaves(d, a, b);
    }
    if (b->count > 0 || (a->count == 0 && size_of(box_a) >= size_of(box_b))) {
        *depth = push_pair(stack, *depth, a->first + 1, pair.b);
        *depth = push_pair(stack, *depth, a->first, pair.b);
    } else {
        *depth = push_pair(stack, *depth, pair.a, b->first + 1);
        *depth = push_pair(stack, *depth, pair.a, b->first);
    }
    return true;
}

// A node against itself: its children against themselves and against each other.
static bool open_self(const sn_soft_descent *d, int index, node_pair *stack, int *depth)
{
    const sn_surface_node *node = &d->a->tree.data[index];
    bool is_patch = d->a->cones.data[index].cosine > d->aligned;
    if (d->escaped_parts == NULL ? is_patch : !d->escaped_parts[index]) {
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

bool sn_soft_descend(const sn_soft_descent *descent)
{
    node_pair stack[PAIR_STACK];
    int depth = push_pair(stack, 0, 0, 0);
    while (depth > 0) {
        node_pair pair = stack[--depth];
        bool itself = is_itself(descent) && pair.a == pair.b;
        if (itself ? !open_self(descent, pair.a, stack, &depth) : !open_pair(descent, pair, stack, &depth)) {
            return false;
        }
    }
    return true;
}
