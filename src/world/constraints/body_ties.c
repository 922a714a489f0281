// Bounds between bodies that a rope of nodes ties together, as a load and what it hangs on: they come no
// farther apart than what does not stretch of it is long between them (Müller et al. 2017, with the rope as
// one link of a chain). What pulls two heavy bodies apart then does not pass through light nodes. Each bound
// acts on two bodies alike: momentum stays. Sheets have none: where bounds carry what hangs on a hem, the
// cloth above has no tension and lets itself be drawn aside.
// Tested by tests/physics/soft/test_soft_ties.c.
#include "base/tuple_sort.h"
#include "long_range/sheet_bounds.h"
#include "world/constraints/body_bounds.h"

#include <math.h>

// Bodies that weigh so many times as much as a node get bounds.
#define HEAVIER 10.0f

// Where a constraint joins a node to a body.
typedef struct tie {
    int node, body;
    int end;     // of the constraint, at the body
    float reach; // how far apart it lets them come [m]
} tie;

typedef struct tie_list {
    tie *data;
    int count;
} tie_list;

bool sn_body_bound_is_tie(const sn_body_bound *bound)
{
    return bound->group == SN_FREE_GROUP && !bound->is_extra && bound->source >> 1 != bound->end >> 1;
}

void sn_body_bound_members(const sn_world *world, const sn_body_bound *bound, int members[2])
{
    const sn_constraint_link *links = world->constraint_links.data;
    int other = sn_body_bound_is_tie(bound) ? bound->source : bound->end ^ 1;
    members[0] = links[bound->end >> 1].member[bound->end & 1];
    members[1] = links[other >> 1].member[other & 1];
}

// --- ties --------------------------------------------------------------------------------------------------

static int count_constraints(const sn_world *world, const sn_deformable_data *data)
{
    int count = 0;
    for (int edge = data->first_constraint; edge >= 0; edge = sn_next_constraint(world, edge)) {
        ++count;
    }
    return count;
}

static bool list_ties(sn_world *world, const sn_deformable_data *data, tie_list *ties)
{
    size_t most = (size_t)count_constraints(world, data);
    *ties = (tie_list){.data = sn_arena_take(&world->arena, most, sizeof *ties->data)};
    if (ties->data == NULL) {
        return false;
    }
    for (int edge = data->first_constraint; edge >= 0; edge = sn_next_constraint(world, edge)) {
        const sn_constraint_common *common = &world->constraints.data[edge >> 1].definition.common;
        const sn_point *own = (edge & 1) == 0 ? &common->a : &common->b;
        int other = sn_constraint_other(world, edge);
        tie tie = {.body = other, .end = edge ^ 1, .reach = sn_constraint_reach(world, edge >> 1)};
        bool holds = own->type == SN_POINT_NODES && own->node_count == 1 && !isinf(tie.reach) && other >= 0 &&
                     !sn_member_is_soft(other) && sn_body_is_dynamic(&world->bodies.data[other]) &&
                     world->bodies.data[other].mass > HEAVIER * data->node_mass;
        if (holds) {
            tie.node = (int)own->nodes[0];
            ties->data[ties->count++] = tie;
        }
    }
    return true;
}

// By body, then by node, then by constraint.
static int compare_ties(const void *first, const void *second)
{
    const tie *a = first, *b = second;
    int order = a->body != b->body   ? a->body - b->body
                : a->node != b->node ? a->node - b->node
                                     : a->end - b->end;
    return order;
}

static int end_of_body(const tie_list *ties, int begin)
{
    int end = begin;
    while (end < ties->count && ties->data[end].body == ties->data[begin].body) {
        ++end;
    }
    return end;
}

static int count_bodies(const tie_list *ties)
{
    int count = 0;
    for (int i = 0; i < ties->count; i = end_of_body(ties, i)) {
        ++count;
    }
    return count;
}

// --- bounds ------------------------------------------------------------------------------------------------

typedef struct room {
    float *distances; // by node
    int *nearest, *sources;
} room;

// From a tie to the nearest of those from `begin` to `end`.
static bool add_bound(const tie *tie, const tie_list *ties, int begin, int end, const room *room,
                      sn_body_bound_list *list)
{
    int source = begin;
    while (source < end && ties->data[source].node != room->nearest[tie->node]) {
        ++source;
    }
    if (source == end) {
        return true; // nothing connects them
    }
    float length = room->distances[tie->node] + tie->reach + ties->data[source].reach;
    sn_body_bound bound = {.group = SN_FREE_GROUP,
                           .body = tie->body,
                           .end = tie->end,
                           .parent = -1,
                           .until = -1,
                           .source = ties->data[source].end,
                           .has_row = true,
                           .length = length};
    return !(length > 0.0f) || sn_array_push(list, bound);
}

// Between the body whose ties lie from `begin` to `end` and each that follows: of the first and of the last
// node of that one.
static bool add_bounds(const tie_list *ties, int begin, int end, sn_distance_graph *graph, const room *room,
                       sn_body_bound_list *list)
{
    for (int i = begin; i < end; ++i) {
        room->sources[i - begin] = ties->data[i].node;
    }
    sn_distances_find(graph, room->sources, end - begin, room->distances, room->nearest);
    bool good = true;
    for (int first = end; good && first < ties->count;) {
        int last = end_of_body(ties, first) - 1;
        good = add_bound(&ties->data[first], ties, begin, end, room, list) &&
               (last == first || add_bound(&ties->data[last], ties, begin, end, room, list));
        first = last + 1;
    }
    return good;
}

static bool add_deformable(sn_world *world, const sn_deformable_data *data, const tie_list *ties,
                           sn_body_bound_list *list)
{
    size_t nodes = (size_t)data->node_count;
    sn_distance_edges *edges = &world->active.bound_edges;
    sn_distance_graph graph;
    room room = {sn_arena_take(&world->arena, nodes, sizeof(float)),
                 sn_arena_take(&world->arena, nodes, sizeof(int)),
                 sn_arena_take(&world->arena, (size_t)ties->count, sizeof(int))};
    bool good = room.distances != NULL && room.nearest != NULL && room.sources != NULL &&
                sn_deformable_graph_make(data, &world->arena, edges, &graph);
    for (int i = 0; good && edges->count > 0 && i < ties->count; i = end_of_body(ties, i)) {
        good = add_bounds(ties, i, end_of_body(ties, i), &graph, &room, list);
    }
    return good;
}

static bool is_rope(const sn_world *world, int index)
{
    bool is_used = sn_id_pool_in_use(&world->deformable_ids, index);
    const sn_mesh *mesh = is_used ? world->deformables.data[index].def.mesh : NULL;
    return is_used && mesh->triangle_count == 0 && mesh->tetrahedron_count == 0;
}

bool sn_body_ties_add(sn_world *world, sn_body_bound_list *list)
{
    bool good = true;
    for (int i = 0; good && i < world->deformables.count; ++i) {
        const sn_deformable_data *data = &world->deformables.data[i];
        tie_list ties = {0};
        good = !is_rope(world, i) || list_ties(world, data, &ties);
        sn_sort_in_place(ties.data, ties.count, sizeof *ties.data, compare_ties);
        int bodies = good ? count_bodies(&ties) : 0;
        good = good && (bodies < 2 || bodies > SN_BOUND_GROUPS || add_deformable(world, data, &ties, list));
    }
    return good;
}
