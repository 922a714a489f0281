// The tree of shortest connections from bodies to what is held. Its vertices are the ends of constraints, and
// the nodes of deformables that bodies hang on; constraints that keep two points together join their ends,
// bodies and edges that do not stretch join theirs.
#include "world/constraints/body_bounds.h"

#include "long_range/sheet_bounds.h"
#include "solver/elements/edge_block.h"
#include "world/constraints/unions.h"

#include <math.h>
#include <string.h>

// Bodies with more joints than this pass nothing on: connections through them would be too many.
#define MOST_JOINTS 32

typedef struct tree {
    sn_world *world;
    sn_distance_edges *edges;
    int end_count, vertex_count; // ends of constraints come first, then nodes by their numbers
    sn_int_list *sources;
    float *distances;
    int *nearest;
} tree;

// --- vertices and connections ------------------------------------------------------------------------------

static const sn_point *end_of(const sn_world *world, int vertex)
{
    const sn_constraint_common *common = &world->constraints.data[vertex / 2].definition.common;
    return vertex % 2 == 0 ? &common->a : &common->b;
}

float sn_constraint_reach(const sn_world *world, int index)
{
    const sn_constraint_data *data = &world->constraints.data[index];
    const sn_constraint_common *common = &data->definition.common;
    const sn_constraint_link *link = &world->constraint_links.data[index];
    bool is_hard = sn_id_pool_in_use(&world->constraint_ids, index) && link->is_on && !link->can_break &&
                   common->compliance == 0.0f && isinf(common->max_force) && common->ramp_steps <= 1;
    bool is_point = data->kind == SN_BALL || data->kind == SN_HINGE || data->kind == SN_FIXED;
    if (!is_hard || common->a.type == SN_POINT_SURFACE || common->b.type == SN_POINT_SURFACE) {
        return INFINITY;
    }
    return is_point ? 0.0f : data->kind == SN_DISTANCE ? data->definition.distance.upper : INFINITY;
}

static bool connect(tree *tree, int a, int b, float length)
{
    sn_distance_edge edge = {{(uint32_t)a, (uint32_t)b}, length};
    return sn_array_push(tree->edges, edge);
}

static bool is_immovable(const sn_world *world, const sn_point *point)
{
    return point->type == SN_POINT_WORLD ||
           (point->type == SN_POINT_RIGID &&
            !sn_body_is_dynamic(&world->bodies.data[point->rigid.index - 1]));
}

// The vertex of the node that an end is; −1 for other ends.
static int node_vertex(const tree *tree, const sn_point *point)
{
    if (point->type != SN_POINT_NODES || point->node_count != 1) {
        return -1;
    }
    return tree->end_count + tree->world->deformables.data[point->deformable.index - 1].first_node +
           point->nodes[0];
}

static bool add_constraint(tree *tree, int index)
{
    const sn_world *world = tree->world;
    float reach = sn_constraint_reach(world, index);
    bool good = isinf(reach) || connect(tree, 2 * index, 2 * index + 1, reach);
    for (int end = 0; end < 2 && good && !isinf(reach); ++end) {
        const sn_point *point = end_of(world, 2 * index + end);
        int node = node_vertex(tree, point);
        good = node < 0 || connect(tree, 2 * index + end, node, 0.0f);
        good = good && (!is_immovable(world, point) || sn_array_push(tree->sources, 2 * index + end));
    }
    return good;
}

// All pairs of points where constraints hold a body.
static bool add_body(tree *tree, const sn_body *body)
{
    const sn_world *world = tree->world;
    int ends[MOST_JOINTS], count = 0;
    for (int edge = body->first_constraint; edge >= 0; edge = sn_next_constraint(world, edge)) {
        if (!isinf(sn_constraint_reach(world, edge >> 1))) {
            if (count == MOST_JOINTS) {
                return true;
            }
            ends[count++] = edge;
        }
    }
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < i; ++k) {
            float length =
                sn_distance_between(end_of(world, ends[i])->position, end_of(world, ends[k])->position);
            if (!connect(tree, ends[i], ends[k], length)) {
                return false;
            }
        }
    }
    return true;
}

// Edges that do not stretch, of a deformable that constraints hold something to; nodes that are fixed hold.
static bool add_deformable(tree *tree, const sn_deformable_data *data)
{
    if (data->first_constraint < 0 || data->group_of[SN_ROWS_EDGES] < 0) {
        return true;
    }
    const sn_element_group *group = &data->groups.data[data->group_of[SN_ROWS_EDGES]];
    bool good = true;
    for (int i = 0; good && i < group->block_count * SN_LANES; ++i) {
        const sn_edge_block *block = (const sn_edge_block *)group->blocks + i / SN_LANES;
        if (sn_edge_is_hard(block, i % SN_LANES)) {
            good = connect(tree, tree->end_count + sn_places_node(&block->node[0], i % SN_LANES),
                           tree->end_count + sn_places_node(&block->node[1], i % SN_LANES),
                           block->rest.lane[i % SN_LANES]);
        }
    }
    for (int i = data->first_node; good && i < data->first_node + data->node_count; ++i) {
        good = tree->world->nodes.states.data[i].inverse_mass > 0.0f ||
               sn_array_push(tree->sources, tree->end_count + i);
    }
    return good;
}

static bool connect_all(tree *tree)
{
    const sn_world *world = tree->world;
    bool good = true;
    for (int i = 0; good && i < world->constraints.count; ++i) {
        good = add_constraint(tree, i);
    }
    for (int i = 0; good && i < world->bodies.count; ++i) {
        good = !sn_id_pool_in_use(&world->body_ids, i) || !sn_body_is_dynamic(&world->bodies.data[i]) ||
               add_body(tree, &world->bodies.data[i]);
    }
    for (int i = 0; good && i < world->deformables.count; ++i) {
        good = !sn_id_pool_in_use(&world->deformable_ids, i) ||
               add_deformable(tree, &world->deformables.data[i]);
    }
    return good;
}

// --- bounds ------------------------------------------------------------------------------------------------

// The end where a body is nearest to what holds it; −1 if nothing does.
static int nearest_end(const tree *tree, const sn_body *body)
{
    int nearest = -1;
    for (int edge = body->first_constraint; edge >= 0; edge = sn_next_constraint(tree->world, edge)) {
        if (tree->distances[edge] < INFINITY &&
            (nearest < 0 || tree->distances[edge] < tree->distances[nearest])) {
            nearest = edge;
        }
    }
    return nearest;
}

sn_bound_ends sn_body_bound_ends(const sn_world *world, const sn_body_bound *bound)
{
    sn_bound_ends ends = {.b = *end_of(world, bound->end)};
    if (bound->source >= 0) {
        ends.a = *end_of(world, bound->source);
    } else {
        ends.a = sn_point_world(world->nodes.states.data[bound->source_node].position);
        ends.a.rotation = sn_quat_identity;
    }
    return ends;
}

sn_distance_def sn_body_bound_row(const sn_world *world, const sn_body_bound *bound)
{
    sn_distance_def def = sn_distance_def_default();
    sn_bound_ends ends = sn_body_bound_ends(world, bound);
    *(bound->is_lower ? &def.lower : &def.upper) = bound->length;
    def.common.a = ends.a;
    def.common.b = ends.b;
    return def;
}

// How far a point of a body may come in a step, were it as fast again at its end. [m]
static float reachable(const sn_world *world, const sn_point *point, sn_vec3 place, float duration)
{
    if (point->type != SN_POINT_RIGID) {
        return 0.0f;
    }
    const sn_body *body = &world->bodies.data[point->rigid.index - 1];
    float speed = sn_length(body->linear_velocity) +
                  sn_length(body->angular_velocity) * sn_distance_between(place, body->center);
    return duration * (2.0f * speed + duration * sn_length(world->def.gravity));
}

// The same for two points of a chain that nothing holds: it may move as a whole.
static float parting(const sn_world *world, const sn_bound_ends *ends, sn_vec3 a, sn_vec3 b, float duration)
{
    const sn_body *body_a = &world->bodies.data[ends->a.rigid.index - 1];
    const sn_body *body_b = &world->bodies.data[ends->b.rigid.index - 1];
    sn_vec3 of_a =
        sn_add(body_a->linear_velocity, sn_cross(body_a->angular_velocity, sn_sub(a, body_a->center)));
    sn_vec3 of_b =
        sn_add(body_b->linear_velocity, sn_cross(body_b->angular_velocity, sn_sub(b, body_b->center)));
    return 2.0f * duration * sn_distance_between(of_a, of_b);
}

// A bound may act while the chain it stands for is whole and may become taut in this step, or press if it is
// a lower one. Where constraints are far from being met, as when they have just been switched on, it would
// act against them. What moves by more than a part of the chain in a step may come anywhere.
#define MOST_STRETCH 1.1f
#define MOST_WAY     0.01f

bool sn_body_bound_acts(const sn_world *world, const sn_body_bound *bound, float duration)
{
    int united[2];
    sn_body_bound_members(world, bound, united);
    if (bound->touches || sn_joins_united(world, united)) {
        return false;
    }
    sn_bound_ends ends = sn_body_bound_ends(world, bound);
    sn_vec3 held = sn_point_now(world, &ends.a), end = sn_point_now(world, &ends.b);
    float distance = sn_distance_between(held, end), length = bound->length;
    float way = bound->group == SN_FREE_GROUP
                    ? parting(world, &ends, held, end, duration)
                    : reachable(world, &ends.a, held, duration) + reachable(world, &ends.b, end, duration);
    float over = bound->is_lower ? length - distance : distance - length; // by how much it is violated
    return over <= (MOST_STRETCH - 1.0f) * length && (over + way >= 0.0f || way > MOST_WAY * length);
}

static bool add_bound(tree *tree, int group, int body, int end, sn_body_bound_list *list)
{
    int source = tree->nearest[end];
    bool is_end = source < tree->end_count;
    sn_body_bound bound = {.group = group,
                           .body = body,
                           .end = end,
                           .parent = -1,
                           .until = -1,
                           .source = is_end ? source : -1,
                           .source_node = is_end ? 0 : source - tree->end_count,
                           .has_row = tree->distances[end] > 0.0f && source >> 1 != end >> 1,
                           .length = tree->distances[end]};
    return sn_array_push(list, bound);
}

// Whether the way to what holds is one body or one constraint, so that a row would repeat what is held
// anyway.
static bool is_single(const sn_world *world, const sn_body_bound_list *list, const sn_body_bound *bound)
{
    float reach = sn_constraint_reach(world, bound->end >> 1);
    return bound->parent >= 0 && list->data[bound->parent].length == 0.0f &&
           (reach == 0.0f || reach == bound->length);
}

// Which record each hangs on. Records are in the order of bodies.
static void find_parents(const sn_world *world, sn_body_bound_list *list, int first, int *record_of)
{
    for (int i = first; i < list->count; ++i) {
        record_of[list->data[i].body] = i + 1;
    }
    for (int i = first; i < list->count; ++i) {
        sn_body_bound *bound = &list->data[i];
        const int *member = world->constraint_links.data[bound->end >> 1].member;
        int other = member[0] == bound->body ? member[1] : member[0];
        bound->parent = other >= 0 && !sn_member_is_soft(other) ? record_of[other] - 1 : -1;
        bound->has_row = bound->has_row && !is_single(world, list, bound);
    }
}

// Records of all bodies that the sources of one group hold.
static bool list_group(tree *tree, int group, sn_body_bound_list *list)
{
    sn_world *world = tree->world;
    int first = list->count;
    for (int i = 0; i < world->bodies.count; ++i) {
        const sn_body *body = &world->bodies.data[i];
        if (!sn_id_pool_in_use(&world->body_ids, i) || !sn_body_is_dynamic(body)) {
            continue;
        }
        int end = nearest_end(tree, body);
        if (end >= 0 && !add_bound(tree, group, i, end, list)) {
            return false;
        }
    }
    int *record_of = sn_arena_take_zero(&world->arena, (size_t)world->bodies.count, sizeof *record_of);
    if (record_of != NULL) {
        find_parents(world, list, first, record_of);
    }
    return record_of != NULL && sn_body_bounds_limit(world, list, first);
}

// Whether two sources never move against each other.
static bool are_rigid(const sn_world *world, const sn_body_bound *a, const sn_body_bound *b)
{
    if (a->source < 0 || b->source < 0) {
        return false;
    }
    const int *links_a = world->constraint_links.data[a->source >> 1].member;
    const int *links_b = world->constraint_links.data[b->source >> 1].member;
    int body_a = sn_member_body(links_a[a->source & 1]), body_b = sn_member_body(links_b[b->source & 1]);
    return body_a == body_b ||
           (world->bodies.data[body_a].type == SN_STATIC && world->bodies.data[body_b].type == SN_STATIC);
}

// Whether `bound` says no more than `other`, but for a small part of its length, by the triangle inequality:
// its chain is nearly the other one's, and from there straight on to its own source, or back from it.
#define NEARLY_IMPLIED 1.01f

static bool is_implied(const sn_world *world, const sn_body_bound *bound, const sn_body_bound *other)
{
    // Of two that imply each other the first stays.
    float looser = bound->is_lower ? other->length - bound->length : bound->length - other->length;
    bool comes_later = looser > 0.0f || (looser == 0.0f && bound->group > other->group);
    if (bound->end != other->end || bound->is_lower != other->is_lower || !comes_later ||
        !are_rigid(world, bound, other)) {
        return false;
    }
    float apart = sn_distance_between(sn_point_now(world, end_of(world, bound->source)),
                                      sn_point_now(world, end_of(world, other->source)));
    return bound->is_lower ? NEARLY_IMPLIED * (other->length - apart) >= bound->length
                           : other->length + apart <= NEARLY_IMPLIED * bound->length;
}

// Takes the row from bounds that others imply. `next` links the records of one body, of which the last is
// first. The order of implication is strict, so that one without a row still counts: it was implied itself.
static void drop_implied(const sn_world *world, sn_body_bound_list *list, const int *next)
{
    for (int i = 0; i < list->count; ++i) {
        for (int k = next[i]; k >= 0; k = next[k]) {
            sn_body_bound *a = &list->data[i], *b = &list->data[k];
            if (is_implied(world, a, b)) {
                a->has_row = false;
            } else if (is_implied(world, b, a)) {
                b->has_row = false;
            }
        }
    }
}

// Removes records that have no row and are on the way of none.
static void drop_unused(sn_body_bound_list *list, int *place)
{
    memset(place, 0, (size_t)list->count * sizeof *place);
    for (int i = 0; i < list->count; ++i) {
        for (int k = list->data[i].has_row ? i : -1; k >= 0 && place[k] == 0; k = list->data[k].parent) {
            place[k] = 1;
        }
    }
    int count = 0;
    for (int i = 0; i < list->count; ++i) {
        place[i] = place[i] != 0 ? count++ : -1;
    }
    for (int i = 0; i < list->count; ++i) {
        if (place[i] >= 0) {
            sn_body_bound bound = list->data[i];
            bound.parent = bound.parent >= 0 ? place[bound.parent] : -1;
            bound.until = bound.until >= 0 ? place[bound.until] : -1;
            list->data[place[i]] = bound;
        }
    }
    list->count = count;
}

static bool prune(sn_world *world, sn_body_bound_list *list)
{
    int *next = sn_arena_take(&world->arena, (size_t)list->count, sizeof *next);
    int *last = sn_arena_take_zero(&world->arena, (size_t)world->bodies.count, sizeof *last);
    if (next == NULL || last == NULL) {
        return false;
    }
    for (int i = 0; i < list->count; ++i) {
        next[i] = last[list->data[i].body] - 1;
        last[list->data[i].body] = i + 1;
    }
    drop_implied(world, list, next);
    drop_unused(list, next);
    return true;
}

// Groups of what holds, that each body has a bound to one of (long_range/sheet_bounds.h).
static bool list_held(tree *tree, sn_body_bound_list *list)
{
    sn_world *world = tree->world;
    sn_distance_graph graph;
    size_t count = (size_t)tree->vertex_count, sources = (size_t)tree->sources->count;
    if (sources == 0) {
        return true;
    }
    tree->distances = sn_arena_take(&world->arena, count, sizeof *tree->distances);
    tree->nearest = sn_arena_take(&world->arena, count, sizeof *tree->nearest);
    sn_vec3 *places = sn_arena_take(&world->arena, sources, sizeof *places);
    int *group_of = sn_arena_take(&world->arena, sources, sizeof *group_of);
    int *members = sn_arena_take(&world->arena, sources, sizeof *members);
    if (tree->distances == NULL || tree->nearest == NULL || places == NULL || group_of == NULL ||
        members == NULL ||
        !sn_distance_graph_make(&graph, &world->arena, tree->vertex_count, tree->edges->data,
                                tree->edges->count, NULL, 0)) {
        return false;
    }
    for (int i = 0; i < tree->sources->count; ++i) {
        int source = tree->sources->data[i];
        places[i] = source < tree->end_count ? sn_point_now(world, end_of(world, source))
                                             : world->nodes.states.data[source - tree->end_count].position;
    }
    int group_count = sn_bound_groups(places, tree->sources->count, group_of);
    bool good = true;
    for (int g = 0; g < group_count && good; ++g) {
        int member_count = 0;
        for (int i = 0; i < tree->sources->count; ++i) {
            if (group_of[i] == g) {
                members[member_count++] = tree->sources->data[i];
            }
        }
        sn_distances_find(&graph, members, member_count, tree->distances, tree->nearest);
        good = list_group(tree, g, list);
    }
    return good;
}

static bool make_list(tree *tree, sn_body_bound_list *list)
{
    return tree->edges->count == 0 || (list_held(tree, list) && sn_body_levels_add(tree->world, list) &&
                                       sn_body_ties_add(tree->world, list) && prune(tree->world, list));
}

static bool is_same(const sn_body_bound *a, const sn_body_bound *b)
{
    return a->end == b->end && a->group == b->group && a->is_lower == b->is_lower &&
           (a->group != SN_FREE_GROUP || a->source == b->source);
}

// Impulses of bounds that were there before go on. `next` links the old ones of a body, from `first` on.
static void copy_impulses(const sn_body_bound_list *from, const int *first, const int *next,
                          sn_body_bound_list *to)
{
    for (int i = 0; i < to->count; ++i) {
        sn_body_bound *bound = &to->data[i];
        int k = first[bound->body] - 1;
        while (k >= 0 && !is_same(&from->data[k], bound)) {
            k = next[k];
        }
        if (k >= 0) {
            memcpy(bound->impulses, from->data[k].impulses, sizeof bound->impulses);
            bound->sub_step = from->data[k].sub_step;
        }
    }
}

static bool keep_impulses(sn_world *world, sn_body_bound_list *to)
{
    const sn_body_bound_list *from = &world->body_bounds;
    size_t count = (size_t)from->count, bodies = (size_t)world->bodies.count;
    if (count == 0 || to->count == 0) {
        return true;
    }
    int *next = sn_arena_take_zero(&world->arena, count, sizeof *next),
        *first = sn_arena_take_zero(&world->arena, bodies, sizeof *first);
    bool good = next != NULL && first != NULL;
    for (int i = 0; good && i < from->count; ++i) {
        int *of_body = &first[from->data[i].body];
        next[i] = *of_body - 1;
        *of_body = from->data[i].has_row ? i + 1 : *of_body;
    }
    if (good) {
        copy_impulses(from, first, next, to);
    }
    return good;
}

bool sn_stage_body_bounds(sn_world *world)
{
    if (world->active.bounds_fresh) {
        return true;
    }
    sn_active_parts *active = &world->active;
    tree tree = {.world = world,
                 .edges = &active->bound_edges,
                 .sources = &active->bound_sources,
                 .end_count = 2 * world->constraints.count,
                 .vertex_count = 2 * world->constraints.count + world->nodes.states.count};
    active->bound_edges.count = active->bound_sources.count = active->bounds.count = 0;
    bool good = !sn_world_has_bounds(world) || world->constraint_ids.used == 0 ||
                (connect_all(&tree) && make_list(&tree, &active->bounds));
    if (good && keep_impulses(world, &active->bounds)) {
        sn_body_bound_list old = world->body_bounds;
        world->body_bounds = active->bounds;
        active->bounds = old;
        active->bounds_fresh = true;
    }
    return world->active.bounds_fresh;
}

int sn_world_count_body_bounds(const sn_world *world)
{
    int count = 0;
    for (int i = 0; i < world->body_bounds.count; ++i) {
        count += world->body_bounds.data[i].has_row ? 1 : 0;
    }
    return count;
}

// --- forces ------------------------------------------------------------------------------------------------

// The force of a bound is told of every constraint on its way, as if the chain had passed it on: where a
// bound is taut, the chain is straight. Records from the ends of chains towards what is held.
void sn_world_share_body_bounds(sn_world *world)
{
    const sn_body_bound_list *list = &world->body_bounds;
    size_t count = (size_t)list->count;
    int *pending = sn_arena_take_zero(&world->arena, count, sizeof *pending);
    sn_vec3 *total = sn_arena_take_zero(&world->arena, count, sizeof *total);
    if (pending == NULL || total == NULL) {
        return;
    }
    for (int i = 0; i < list->count; ++i) {
        const sn_body_bound *bound = &list->data[i];
        int record = bound->is_extra ? bound->parent : i;
        total[record] = sn_add(total[record], bound->force);
        if (bound->until >= 0) {
            total[bound->until] = sn_sub(total[bound->until], bound->force);
        }
        pending[record] += bound->is_extra ? 0 : 1;
        if (!bound->is_extra && bound->parent >= 0) {
            pending[bound->parent] += 1;
        }
    }
    for (int i = 0; i < list->count; ++i) {
        // Each record waits for those that hang on it, and then goes on to its parent.
        for (int k = list->data[i].is_extra ? -1 : i; k >= 0 && --pending[k] == 0; k = list->data[k].parent) {
            const sn_body_bound *bound = &list->data[k];
            sn_vec3 *force = &world->constraint_forces.data[bound->end >> 1];
            bool is_b = (bound->end & 1) != 0;
            *force = is_b ? sn_add(*force, total[k]) : sn_sub(*force, total[k]);
            if (bound->parent >= 0) {
                total[bound->parent] = sn_add(total[bound->parent], total[k]);
            } else if (bound->source >= 0 && bound->source >> 1 != bound->end >> 1) {
                // Its chain leads through a deformable to the constraint that holds it.
                force = &world->constraint_forces.data[bound->source >> 1];
                bool holds_b = (bound->source & 1) == 0;
                *force = holds_b ? sn_add(*force, total[k]) : sn_sub(*force, total[k]);
            }
        }
    }
}
