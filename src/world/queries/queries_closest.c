// The point of any shape or deformable nearest to a given one. The trees are walked nearest boxes first
// (Roussopoulos, Kelley and Vincent 1995), and what is farther than the best so far is left out.
#include "collision/broad/bounds_tree_parts.h"
#include "collision/narrow/gjk.h"
#include "geometry/shapes/check.h"
#include "world/queries/queries.h"

typedef struct closest_query {
    const sn_world *world;
    sn_vec3 point;
    float reach;
    sn_query_filter filter;
    sn_rank best;
    sn_closest *closest;
    // The shape being looked at.
    int shape;
    sn_pose shape_pose;
    sn_vec3 local_point;
} closest_query;

// Distance of a point to a box, less what rounding may add to it.
static float distance_to_box(sn_vec3 point, sn_bounds box)
{
    sn_vec3 outside = sn_max3(sn_sub(box.lower, point), sn_sub(point, box.upper));
    float distance = sn_length(sn_max3(outside, sn_v(0.0f, 0.0f, 0.0f)));
    return distance - sn_query_slack(sn_query_largest_coordinate(point) + distance);
}

// The distance beyond which nothing is searched. Shapes that contain the point have boxes that contain it.
static float limit_of(const closest_query *query)
{
    return sn_clamp(query->best.value, 0.0f, query->reach);
}

static void keep(closest_query *query, float distance, sn_vec3 point, sn_vec3 normal, sn_pose frame_in_shape,
                 int part)
{
    sn_rank rank = {distance, query->shape, part};
    if (distance > query->reach || !sn_rank_before(rank, query->best)) {
        return;
    }
    const sn_shape_data *shape = &query->world->shapes.data[query->shape];
    sn_pose frame = sn_pose_multiply(query->shape_pose, frame_in_shape);
    query->best = rank;
    *query->closest = (sn_closest){.shape = sn_shape_id(query->world, query->shape),
                                   .rigid = sn_rigid_id(query->world, shape->body),
                                   .point = sn_pose_apply(frame, point),
                                   .normal = sn_rotate(frame.rotation, normal),
                                   .distance = distance};
}

// --- one shape -----------------------------------------------------------------------------------

static float local_distance(const void *context, sn_bounds bounds)
{
    const closest_query *query = context;
    return distance_to_box(query->local_point, bounds);
}

static float measure_piece(void *context, const sn_piece *piece)
{
    closest_query *query = context;
    const sn_vec3 origin = {0.0f, 0.0f, 0.0f};
    const sn_convex point = {.points = &origin, .point_count = 1};
    sn_pose point_in_piece = {sn_pose_apply_inverse(piece->pose, query->local_point), sn_quat_identity};
    sn_separation_result nearest = sn_separation(piece->convex, &point, point_in_piece);
    keep(query, nearest.distance, nearest.point_a, nearest.normal, piece->pose, piece->part);
    return limit_of(query);
}

static void measure_shape(closest_query *query, int index)
{
    const sn_shape_data *shape = &query->world->shapes.data[index];
    if (!sn_query_sees(query->filter, shape)) {
        return;
    }
    query->shape = index;
    query->shape_pose = sn_query_shape_pose(query->world, shape);
    query->local_point = sn_pose_apply_inverse(query->shape_pose, query->point);
    if (shape->type == SN_PLANE) {
        sn_plane plane = shape->plane;
        float height = sn_dot(plane.normal, query->local_point) - plane.offset;
        keep(query, height, sn_add_scaled(query->local_point, -height, plane.normal), plane.normal,
             sn_pose_identity, 0);
        return;
    }
    sn_piece_search search = {local_distance, measure_piece, query, limit_of(query)};
    sn_search_pieces(shape, &search);
}

// --- all shapes ----------------------------------------------------------------------------------

typedef struct node_visit {
    int node;
    float distance;
} node_visit;

static node_visit node_at(const closest_query *query, const sn_tree_node *nodes, int node)
{
    bool seen = (nodes[node].category & query->filter.mask) != 0;
    return (node_visit){node, seen ? distance_to_box(query->point, nodes[node].bounds) : INFINITY};
}

static void search_tree(closest_query *query, const sn_bounds_tree *tree)
{
    if (tree->root < 0) {
        return;
    }
    const sn_tree_node *nodes = tree->nodes.data;
    node_visit stack[SN_TREE_STACK];
    stack[0] = node_at(query, nodes, tree->root);
    int depth = 1;
    while (depth > 0) {
        node_visit top = stack[--depth];
        const sn_tree_node *node = &nodes[top.node];
        if (top.distance > limit_of(query)) {
            continue;
        }
        if (sn_tree_node_is_leaf(node)) {
            measure_shape(query, node->item);
            continue;
        }
        node_visit left = node_at(query, nodes, node->child[0]);
        node_visit right = node_at(query, nodes, node->child[1]);
        bool left_first = left.distance <= right.distance;
        stack[depth++] = left_first ? right : left;
        stack[depth++] = left_first ? left : right;
    }
}

static sn_status check_reach(const sn_world *world, float reach)
{
    if (!sn_is_finite(reach) || reach <= 0.0f) {
        return sn_fail(world->error, sn_is_finite(reach) ? SN_ERROR_RANGE : SN_ERROR_NOT_FINITE,
                       "sn_world_closest: reach is %g, expected a finite number > 0", (double)reach);
    }
    return SN_OK;
}

sn_status sn_world_closest(const sn_world *world, sn_vec3 point, float reach, sn_query_filter filter,
                           sn_closest *closest)
{
    sn_status status = sn_world_check_open(world, "sn_world_closest");
    status = status ? status : sn_query_check_pointer(world, closest, "sn_world_closest", "closest");
    status =
        status ? status : sn_check_vec3(point, SN_MAX_COORDINATE, world->error, "sn_world_closest", "point");
    status = status ? status : check_reach(world, reach);
    if (status != SN_OK) {
        return status;
    }
    *closest = (sn_closest){0};
    closest_query query = {.world = world,
                           .point = point,
                           .reach = reach,
                           .filter = filter,
                           .best = {.value = INFINITY},
                           .closest = closest};
    // Moving bodies first: they are small, and the nearest of them excludes most triangles of large surfaces.
    search_tree(&query, &world->moving_tree);
    search_tree(&query, &world->static_tree);
    sn_query_closest_deformable(world, point, sn_min(query.best.value, reach), filter, closest);
    return SN_OK;
}
