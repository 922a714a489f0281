// Which shapes overlap a solid, and which have bounds that overlap a box. The answer is sorted by shape, and
// when there is no room for all, it holds the shapes with the lowest numbers.
#include "collision/narrow/gjk.h"
#include "geometry/shapes/check.h"
#include "world/queries/queries.h"

// --- the answer ----------------------------------------------------------------------------------

// Shape ids in the user's array, while the search lasts a heap with the highest number on top: the one to go
// when there is no room.
typedef struct sorted_answer {
    sn_shape *out;
    int capacity;
    int count; // of all found, kept or not
} sorted_answer;

static void swap(sn_shape *a, sn_shape *b)
{
    sn_shape held = *a;
    *a = *b;
    *b = held;
}

static void sift_down(sn_shape *heap, int count, int i)
{
    for (int child = 2 * i + 1; child < count; child = 2 * i + 1) {
        if (child + 1 < count && heap[child + 1].index > heap[child].index) {
            ++child;
        }
        if (heap[i].index >= heap[child].index) {
            return;
        }
        swap(&heap[i], &heap[child]);
        i = child;
    }
}

static void answer_add(sorted_answer *answer, sn_shape shape)
{
    sn_shape *heap = answer->out;
    int i = answer->count++;
    if (i < answer->capacity) {
        heap[i] = shape;
        for (; i > 0 && heap[i].index > heap[(i - 1) / 2].index; i = (i - 1) / 2) {
            swap(&heap[i], &heap[(i - 1) / 2]);
        }
    } else if (answer->capacity > 0 && shape.index < heap[0].index) {
        heap[0] = shape;
        sift_down(heap, answer->capacity, 0);
    }
}

static void answer_sort(sorted_answer *answer)
{
    int kept = answer->count < answer->capacity ? answer->count : answer->capacity;
    for (int last = kept - 1; last > 0; --last) {
        swap(&answer->out[0], &answer->out[last]);
        sift_down(answer->out, last, 0);
    }
}

// --- solids --------------------------------------------------------------------------------------

typedef struct overlap_query {
    const sn_world *world;
    sn_query_solid solid;
    sn_query_filter filter;
    sorted_answer answer;
    // The shape being looked at.
    sn_pose solid_in_shape;
    sn_bounds box; // around the solid, in the shape's frame
    bool found;
} overlap_query;

static float box_overlap(const void *context, sn_bounds bounds)
{
    const overlap_query *query = context;
    return sn_bounds_overlap(bounds, query->box) ? 0.0f : INFINITY;
}

static float overlap_piece(void *context, const sn_piece *piece)
{
    overlap_query *query = context;
    sn_pose solid_in_piece = sn_pose_relative(piece->pose, query->solid_in_shape);
    sn_gjk_result nearest = sn_gjk_distance(piece->convex, &query->solid.convex, solid_in_piece);
    query->found = query->found || nearest.distance <= piece->convex->radius + query->solid.convex.radius;
    return query->found ? -1.0f : 0.0f; // one is enough
}

static float bounds_size(sn_bounds bounds)
{
    return sn_max(sn_query_largest_coordinate(bounds.lower), sn_query_largest_coordinate(bounds.upper));
}

static bool overlaps_shape(overlap_query *query, const sn_shape_data *shape)
{
    sn_pose pose = sn_query_shape_pose(query->world, shape);
    query->solid_in_shape = sn_pose_relative(pose, query->solid.pose);
    if (shape->type == SN_PLANE) {
        sn_vec3 lowest;
        return sn_query_height(shape->plane, &query->solid.convex, query->solid_in_shape, &lowest) <= 0.0f;
    }
    query->box = sn_convex_bounds(&query->solid.convex, query->solid_in_shape);
    query->box = sn_bounds_grow(query->box, sn_query_slack(bounds_size(query->box)));
    query->found = false;
    sn_piece_search search = {box_overlap, overlap_piece, query, 0.0f};
    sn_search_pieces(shape, &search);
    return query->found;
}

static bool consider_solid(void *context, int index)
{
    overlap_query *query = context;
    const sn_shape_data *shape = &query->world->shapes.data[index];
    if (sn_query_sees(query->filter, shape) && overlaps_shape(query, shape)) {
        answer_add(&query->answer, sn_shape_id(query->world, index));
    }
    return true;
}

sn_status sn_world_overlap(const sn_world *world, const sn_solid *solid, sn_query_filter filter,
                           sn_shape *out, int capacity, int *count)
{
    overlap_query query = {.world = world, .filter = filter, .answer = {out, capacity, 0}};
    sn_status status = sn_query_check_answer(world, out, capacity, count, "sn_world_overlap");
    status = status ? status : sn_query_solid_make(world, solid, "sn_world_overlap", &query.solid);
    if (status != SN_OK) {
        return status;
    }
    sn_bounds box = query.solid.bounds;
    box = sn_bounds_grow(box, sn_query_slack(bounds_size(box)));
    sn_bounds_tree_overlap(&world->static_tree, box, filter.mask, consider_solid, &query);
    sn_bounds_tree_overlap(&world->moving_tree, box, filter.mask, consider_solid, &query);
    answer_sort(&query.answer);
    *count = query.answer.count;
    return SN_OK;
}

// --- boxes ---------------------------------------------------------------------------------------

typedef struct bounds_query {
    const sn_world *world;
    sn_bounds bounds;
    sn_query_filter filter;
    sorted_answer answer;
} bounds_query;

// Boxes in the tree are larger than the shapes' own.
static bool consider_bounds(void *context, int index)
{
    bounds_query *query = context;
    const sn_shape_data *shape = &query->world->shapes.data[index];
    sn_pose body_pose = sn_body_pose(&query->world->bodies.data[shape->body]);
    if (sn_query_sees(query->filter, shape) &&
        sn_bounds_overlap(sn_shape_compute_bounds(shape, body_pose), query->bounds)) {
        answer_add(&query->answer, sn_shape_id(query->world, index));
    }
    return true;
}

sn_status sn_query_check_bounds(const sn_world *world, sn_bounds bounds, const char *function)
{
    sn_error *error = world->error;
    sn_status status = sn_check_vec3(bounds.lower, SN_MAX_COORDINATE, error, function, "bounds.lower");
    status =
        status ? status : sn_check_vec3(bounds.upper, SN_MAX_COORDINATE, error, function, "bounds.upper");
    sn_vec3 size = sn_sub(bounds.upper, bounds.lower);
    if (status == SN_OK && (size.x < 0.0f || size.y < 0.0f || size.z < 0.0f)) {
        status = sn_fail(error, SN_ERROR_RANGE,
                         "%s: bounds.upper - bounds.lower is (%g, %g, %g), expected none below 0", function,
                         (double)size.x, (double)size.y, (double)size.z);
    }
    return status;
}

sn_status sn_world_overlap_bounds(const sn_world *world, sn_bounds bounds, sn_query_filter filter,
                                  sn_shape *out, int capacity, int *count)
{
    sn_status status = sn_query_check_answer(world, out, capacity, count, "sn_world_overlap_bounds");
    status = status ? status : sn_query_check_bounds(world, bounds, "sn_world_overlap_bounds");
    if (status != SN_OK) {
        return status;
    }
    bounds_query query = {.world = world, .bounds = bounds, .filter = filter, .answer = {out, capacity, 0}};
    sn_bounds box = sn_bounds_grow(bounds, sn_query_slack(bounds_size(bounds)));
    sn_bounds_tree_overlap(&world->static_tree, box, filter.mask, consider_bounds, &query);
    sn_bounds_tree_overlap(&world->moving_tree, box, filter.mask, consider_bounds, &query);
    answer_sort(&query.answer);
    *count = query.answer.count;
    return SN_OK;
}
