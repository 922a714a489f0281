// Visits the convex pieces of a shape in a search for the best one, skipping those whose boxes cannot contain
// it. The caller defines what "best" means.
// Tested by tests/world/queries/test_queries.c.
#include "geometry/shapes/surface_tree.h"
#include "world/queries/queries.h"

static void visit(sn_piece_search *search, const sn_convex *convex, sn_pose pose, int part)
{
    sn_piece piece = {convex, pose, part};
    search->limit = search->visit(search->query, &piece);
}

static void search_parts(const sn_compound *compound, sn_piece_search *search)
{
    for (int i = 0; i < compound->part_count; ++i) {
        if (search->bound(search->query, compound->parts[i].bounds) <= search->limit) {
            sn_convex convex = sn_compound_convex(compound, i);
            visit(search, &convex, compound->parts[i].solid.pose, i);
        }
    }
}

// --- surfaces ------------------------------------------------------------------------------------

static void visit_triangle(const sn_surface *surface, int triangle, sn_piece_search *search)
{
    const uint32_t *corners = surface->triangles + 3 * (size_t)triangle;
    if (search->bound(search->query, sn_triangle_bounds(surface->vertices, corners)) > search->limit) {
        return;
    }
    sn_vec3 first = surface->vertices[corners[0]];
    sn_vec3 second = sn_sub(surface->vertices[corners[1]], first);
    sn_vec3 third = sn_sub(surface->vertices[corners[2]], first);
    sn_convex_storage storage;
    sn_convex convex = sn_convex_triangle(&storage, sn_v(0.0f, 0.0f, 0.0f), second, third);
    visit(search, &convex, (sn_pose){first, sn_quat_identity}, triangle);
}

typedef struct node_visit {
    int node;
    float bound;
} node_visit;

static node_visit node_at(const sn_surface *surface, int node, const sn_piece_search *search)
{
    return (node_visit){node, search->bound(search->query, surface->nodes[node].bounds)};
}

// Depth first, the child with the lower bound first: its pieces may exclude the other child.
static void search_triangles(const sn_surface *surface, sn_piece_search *search)
{
    node_visit stack[SN_SURFACE_TREE_DEPTH + 1];
    stack[0] = node_at(surface, 0, search);
    int depth = 1;
    while (depth > 0) {
        node_visit top = stack[--depth];
        if (top.bound > search->limit) {
            continue;
        }
        const sn_surface_node *node = &surface->nodes[top.node];
        for (int i = node->first; i < node->first + node->count; ++i) {
            visit_triangle(surface, (int)surface->order[i], search);
        }
        if (node->count == 0) {
            node_visit left = node_at(surface, node->first, search);
            node_visit right = node_at(surface, node->first + 1, search);
            bool left_first = left.bound <= right.bound;
            stack[depth++] = left_first ? right : left;
            stack[depth++] = left_first ? left : right;
        }
    }
}

void sn_search_pieces(const sn_shape_data *shape, sn_piece_search *search)
{
    if (shape->type == SN_SURFACE) {
        search_triangles(shape->surface, search);
    } else if (shape->type == SN_COMPOUND) {
        search_parts(shape->compound, search);
    } else if (sn_shape_is_convex(shape->type)) {
        sn_convex convex = sn_shape_convex(shape);
        visit(search, &convex, sn_pose_identity, 0);
    }
}
