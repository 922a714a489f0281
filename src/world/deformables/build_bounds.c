// Bounds of a deformable: rows from its nodes to those that are held in place (long_range/sheet_bounds.h),
// and along its threads (long_range/levels.h). Which are held is found when a step begins and something
// changed. Tested by tests/world/core/test_loads.c.
#include "base/allocate.h"
#include "long_range/levels.h"
#include "matter/rigid.h"
#include "solver/elements/bound_block.h"
#include "solver/elements/edge_block.h"
#include "solver/solver.h"
#include "world/core/world.h"

#include <math.h>
#include <string.h>

// --- what does not stretch ---------------------------------------------------------------------------------

static bool list_hard_edges(const sn_deformable_data *data, sn_distance_edges *edges)
{
    if (data->group_of[SN_ROWS_EDGES] < 0) {
        return true;
    }
    const sn_element_group *group = &data->groups.data[data->group_of[SN_ROWS_EDGES]];
    const sn_edge_block *blocks = group->blocks;
    for (int i = 0; i < group->block_count * SN_LANES; ++i) {
        const sn_edge_block *block = &blocks[i / SN_LANES];
        int lane = i % SN_LANES;
        if (sn_edge_is_hard(block, lane)) {
            sn_distance_edge edge = {{(uint32_t)(sn_places_node(&block->node[0], lane) - data->first_node),
                                      (uint32_t)(sn_places_node(&block->node[1], lane) - data->first_node)},
                                     block->rest.lane[lane]};
            if (!sn_array_push(edges, edge)) {
                return false;
            }
        }
    }
    return true;
}

// A sheet is flat where all of its nodes are within this part of its size of a plane.
#define FLAT 1.0e-4f

// Whether connections may go straight through triangles: all edges are hard, and the sheet is flat.
static bool is_hard_and_flat(const sn_mesh *mesh, int hard_edge_count)
{
    if (hard_edge_count < mesh->edge_count || mesh->triangle_count == 0 || mesh->tetrahedron_count > 0) {
        return false;
    }
    sn_vec3 size = sn_sub(mesh->bounds.upper, mesh->bounds.lower), normal = sn_v(0.0f, 0.0f, 0.0f);
    for (int t = 0; t < mesh->triangle_count; ++t) {
        const uint32_t *corner = mesh->triangles + 3 * (size_t)t;
        sn_vec3 a = mesh->nodes[corner[0]];
        sn_vec3 cross = sn_cross(sn_sub(mesh->nodes[corner[1]], a), sn_sub(mesh->nodes[corner[2]], a));
        normal = sn_dot(cross, normal) < 0.0f ? sn_sub(normal, cross) : sn_add(normal, cross);
    }
    normal = sn_normalize(normal);
    float tolerance = FLAT * sn_length(size);
    for (int i = 0; i < mesh->node_count; ++i) {
        if (sn_abs(sn_dot(normal, sn_sub(mesh->nodes[i], mesh->nodes[0]))) > tolerance) {
            return false;
        }
    }
    return true;
}

// --- rows --------------------------------------------------------------------------------------------------

static bool make_group(const sn_deformable_data *data, const sn_bound_list *bounds, sn_element_group *group)
{
    size_t count = (size_t)bounds->count;
    uint32_t *nodes = sn_allocate_zero(count, 2 * sizeof *nodes);
    int *lanes = NULL;
    for (int i = 0; nodes != NULL && i < bounds->count; ++i) {
        const sn_bound *bound = &bounds->data[i];
        nodes[2 * i] = (uint32_t)bound->node;
        nodes[2 * i + 1] =
            (uint32_t)(bound->is_held ? bound->node : bound->other); // a held one takes no colour
    }
    bool made = nodes != NULL && sn_element_group_make(group, sn_element_bounds_pick(), nodes, 2,
                                                       bounds->count, data->node_count, &lanes);
    for (int i = 0; made && i < bounds->count; ++i) {
        const sn_bound *bound = &bounds->data[i];
        sn_bound_put(group, lanes[i], data->first_node + bound->node, data->first_node + bound->other,
                     bound->is_held, bound->length);
    }
    sn_release(lanes, count * sizeof *lanes);
    sn_release(nodes, 2 * count * sizeof *nodes);
    return made;
}

bool sn_deformable_graph_make(const sn_deformable_data *data, sn_arena *arena, sn_distance_edges *edges,
                              sn_distance_graph *graph)
{
    const sn_mesh *mesh = data->def.mesh;
    edges->count = 0;
    if (!list_hard_edges(data, edges)) {
        return false;
    }
    bool through = is_hard_and_flat(mesh, edges->count);
    return edges->count == 0 ||
           sn_distance_graph_make(graph, arena, mesh->node_count, edges->data, edges->count, mesh->triangles,
                                  through ? mesh->triangle_count : 0);
}

static bool find_bounds(const sn_deformable_data *data, sn_bound_list *bounds)
{
    const sn_vec3 *places = data->def.mesh->nodes;
    sn_arena arena = {0};
    sn_distance_edges edges = {0};
    sn_distance_graph graph;
    bool made = sn_deformable_graph_make(data, &arena, &edges, &graph), good = made;
    if (made && edges.count > 0) {
        good = sn_sheet_bounds_find(&graph, places, data->held.data, data->held.count, bounds) &&
               (!data->has_levels || sn_levels_find(&graph, places, data->held.count > 0, bounds));
    }
    sn_array_release(&edges);
    sn_arena_release(&arena);
    return good;
}

static sn_status make(const sn_deformable_data *data, const sn_nodes *nodes, sn_error *error,
                      const char *object, sn_element_group *group)
{
    (void)nodes;
    if ((data->held.count == 0 && !data->has_levels) || data->group_of[SN_ROWS_EDGES] < 0) {
        return SN_OK;
    }
    sn_bound_list bounds = {0};
    bool made = find_bounds(data, &bounds) && (bounds.count == 0 || make_group(data, &bounds, group));
    sn_array_release(&bounds);
    return made ? SN_OK : sn_fail(error, SN_ERROR_MEMORY, "%s: out of memory for its bounds", object);
}

// They follow from what is held, not from the definition: always made anew.
static bool serves(const sn_deformable_def *before, const sn_deformable_def *after)
{
    (void)before;
    (void)after;
    return false;
}

static void tune(const sn_deformable_data *data, const sn_nodes *nodes, sn_element_group *group)
{
    (void)data;
    (void)nodes;
    (void)group;
}

const sn_row_builder sn_build_bounds = {make, serves, tune};

// --- what is held ------------------------------------------------------------------------------------------

// Bodies that resist so many times as much as all of a deformable hold it nearly as what cannot be pushed:
// taut bounds of a sheet of mass m are springs of less than m ω², of which the body is told a sweep late, and
// that is stable up to h² ω² m κ = 1, ω h a share of 1.6.
#define HEAVIER 4.0f

// Whether the end of a constraint is at a place that nothing in the world can push.
static bool is_immovable(const sn_world *world, const sn_point *point)
{
    return point->type == SN_POINT_WORLD ||
           (point->type == SN_POINT_RIGID && world->bodies.data[point->rigid.index - 1].type != SN_DYNAMIC);
}

// How much a point of a body yields to pushes along three axes, all together: the most along any. Locks,
// which would change with its pose, do not count. [1/kg]
static float yielding_of(const sn_body *body, sn_vec3 position)
{
    sn_sym3 inverse_inertia = sn_sym3_inverse(sn_sym3_from(body->inertia));
    sn_vec3 arm = sn_sub(position, body->local_center);
    sn_vec3 torque[3] = {sn_v(0.0f, arm.z, -arm.y), sn_v(-arm.z, 0.0f, arm.x), sn_v(arm.y, -arm.x, 0.0f)};
    float sum = 1.0f / body->mass;
    for (int i = 0; i < 3; ++i) {
        sum += sn_dot(torque[i], sn_sym3_apply(inverse_inertia, torque[i]));
    }
    return sum;
}

// Whether it is of a dynamic body that resists a push there as a mass does that is much larger than that of
// the deformable.
static bool is_heavy(const sn_world *world, const sn_deformable_data *data, const sn_point *point)
{
    if (point->type != SN_POINT_RIGID || is_immovable(world, point)) {
        return false;
    }
    const sn_body *body = &world->bodies.data[point->rigid.index - 1];
    float mass = data->node_mass * (float)data->node_count;
    return HEAVIER * mass * yielding_of(body, point->position) < 1.0f;
}

// The node that a constraint holds in place, by its number in the deformable; −1 for none.
static int node_held_by(const sn_world *world, const sn_deformable_data *data, int edge)
{
    const sn_constraint_data *constraint = &world->constraints.data[edge >> 1];
    const sn_constraint_common *common = &constraint->definition.common;
    const sn_point *own = (edge & 1) == 0 ? &common->a : &common->b;
    const sn_point *other = (edge & 1) == 0 ? &common->b : &common->a;
    bool is_hard = constraint->kind == SN_BALL && common->compliance == 0.0f && isinf(common->max_force) &&
                   world->constraint_links.data[edge >> 1].is_on;
    bool holds = is_hard && (data->held_by_body ? !common->exact && is_heavy(world, data, other)
                                                : is_immovable(world, other));
    return holds && own->type == SN_POINT_NODES && own->node_count == 1 ? (int)own->nodes[0] : -1;
}

// Marks nodes that constraints hold. Returns the member that holds them (−1 of what is no body's), SEVERAL or
// NONE.
enum { SEVERAL = -2, NONE = -3 };

static int mark_held(const sn_world *world, const sn_deformable_data *data, uint8_t *marks)
{
    int holder = NONE;
    for (int edge = data->first_constraint; edge >= 0; edge = sn_next_constraint(world, edge)) {
        int node = node_held_by(world, data, edge), other = sn_constraint_other(world, edge);
        if (node >= 0) {
            marks[node] = 1;
            holder = holder == NONE || holder == other ? other : SEVERAL;
        }
    }
    return holder;
}

// A body holds only what nothing else does: bounds to two that part would pull the nodes between both ways.
static void list_held(const sn_world *world, sn_deformable_data *data, uint8_t *marks)
{
    bool is_held = false;
    for (int i = 0; i < data->node_count; ++i) {
        marks[i] = world->nodes.states.data[data->first_node + i].inverse_mass == 0.0f ? 1 : 0;
        is_held = is_held || marks[i] != 0;
    }
    data->held_by_body = false;
    is_held = mark_held(world, data, marks) != NONE || is_held;
    if (is_held || world->def.solver != SN_SOLVER_VELOCITY) {
        return;
    }
    data->held_by_body = true;
    data->held_by_body = mark_held(world, data, marks) >= 0;
    if (!data->held_by_body) {
        memset(marks, 0, (size_t)data->node_count);
    }
}

// Whether others are held than the bounds know.
static bool update_held(sn_deformable_data *data, const uint8_t *marks, bool *changed)
{
    int count = 0;
    *changed = false;
    for (int i = 0; i < data->node_count; ++i) {
        if (marks[i]) {
            *changed = *changed || count >= data->held.count || data->held.data[count] != i;
            ++count;
        }
    }
    *changed = *changed || count != data->held.count;
    if (!*changed) {
        return true;
    }
    if (!sn_array_resize(&data->held, count)) {
        return false;
    }
    for (int i = 0, place = 0; i < data->node_count; ++i) {
        if (marks[i]) {
            data->held.data[place++] = i;
        }
    }
    return true;
}

static bool refresh_bounds(sn_world *world, int index)
{
    sn_deformable_data *data = &world->deformables.data[index];
    uint8_t *marks = sn_arena_take(&world->arena, (size_t)data->node_count, 1);
    bool changed = false;
    if (marks == NULL) {
        return false;
    }
    memset(marks, 0, (size_t)data->node_count);
    data->held_by_body = false;
    if (sn_world_has_bounds(world)) {
        list_held(world, data, marks);
    }
    if (!update_held(data, marks, &changed)) {
        return false;
    }
    bool before = data->has_levels;
    data->has_levels = sn_world_has_bounds(world);
    changed = changed || data->has_levels != before;
    world->active.bounds_fresh = world->active.bounds_fresh && !changed; // of bodies that hang on it
    if (changed && sn_deformable_refit(data, &world->nodes, &data->def, SN_PART_BOUNDS, world->error,
                                       "deformable") != SN_OK) {
        data->has_levels = before;
        return false;
    }
    if (data->group_of[SN_ROWS_BOUNDS] >= 0) {
        sn_bounds_give_way(&data->groups.data[data->group_of[SN_ROWS_BOUNDS]], data->held_by_body);
    }
    return true;
}

bool sn_stage_bounds(sn_world *world)
{
    bool fresh = world->active.holds_fresh;
    for (int i = 0; i < world->deformables.count; ++i) {
        sn_deformable_data *data = &world->deformables.data[i];
        bool due = sn_id_pool_in_use(&world->deformable_ids, i) && !sn_deformable_sleeps(data) &&
                   (data->edited || !fresh) &&
                   (data->group_of[SN_ROWS_EDGES] >= 0 || data->group_of[SN_ROWS_BOUNDS] >= 0);
        if (due && !refresh_bounds(world, i)) {
            return false;
        }
    }
    world->active.holds_fresh = true;
    return true;
}

// --- forces ------------------------------------------------------------------------------------------------

// Lists the nodes that a body holds, each once. Null without memory.
static const sn_bound_holder *find_holders(sn_world *world, const sn_deformable_data *data,
                                           const int *numbers, int *count)
{
    sn_bound_holder *holders = sn_arena_take(&world->arena, (size_t)data->held.count, sizeof *holders);
    uint8_t *listed = sn_arena_take_zero(&world->arena, (size_t)data->node_count, 1);
    *count = 0;
    for (int edge = data->first_constraint; holders != NULL && listed != NULL && edge >= 0;
         edge = sn_next_constraint(world, edge)) {
        int node = node_held_by(world, data, edge);
        if (node >= 0 && !listed[node]) {
            int body = numbers[sn_member_body(sn_constraint_other(world, edge))];
            holders[(*count)++] = (sn_bound_holder){data->first_node + node, body};
            listed[node] = 1;
        }
    }
    return listed != NULL ? holders : NULL;
}

bool sn_world_load_bound_reactions(sn_world *world, const int *numbers, sn_solver *solver,
                                   sn_bound_reactions *reactions)
{
    *reactions = (sn_bound_reactions){.solver = solver};
    reactions->data = sn_arena_take(&world->arena, (size_t)world->deformables.count, sizeof *reactions->data);
    for (int i = 0; reactions->data != NULL && i < world->deformables.count; ++i) {
        sn_deformable_data *data = &world->deformables.data[i];
        if (!sn_id_pool_in_use(&world->deformable_ids, i) || !data->held_by_body ||
            data->group_of[SN_ROWS_BOUNDS] < 0 || !sn_world_is_solved(world, sn_soft_member(i))) {
            continue;
        }
        sn_bound_reaction *reaction = &reactions->data[reactions->count++];
        size_t count = (size_t)data->node_count;
        *reaction = (sn_bound_reaction){.bounds = &data->groups.data[data->group_of[SN_ROWS_BOUNDS]],
                                        .fresh = sn_arena_take_zero(&world->arena, count, sizeof(sn_vec3)),
                                        .pulled = sn_arena_take_zero(&world->arena, count, sizeof(sn_vec3))};
        sn_bounds_give_way(reaction->bounds, true); // they may have been made anew
        reaction->holders = find_holders(world, data, numbers, &reaction->holder_count);
        data->pulled = reaction->pulled;
        if (reaction->fresh == NULL || reaction->pulled == NULL || reaction->holders == NULL) {
            return false;
        }
    }
    if (reactions->count > 0) {
        solver->nodes.coupling[solver->nodes.coupling_count++] = sn_bound_reactions_stage(reactions);
    }
    return reactions->data != NULL;
}

// What bounds gave the nodes of a deformable that are held in this step, by node of its own [N s].
static void sum_pulls(const sn_deformable_data *data, const sn_element_group *group, sn_vec3 *pulls)
{
    for (int i = 0; i < group->block_count; ++i) {
        sn_bound_block *block = (sn_bound_block *)group->blocks + i;
        for (int lane = 0; lane < SN_LANES && data->first_constraint >= 0; ++lane) {
            bool is_held = block->moved.offset[lane] == 0;
            int held = is_held ? sn_places_node(&block->node[1], lane) : 0;
            sn_vec3 total =
                sn_v(block->total[0].lane[lane], block->total[1].lane[lane], block->total[2].lane[lane]);
            if (held != 0) {
                sn_vec3 *pull = &pulls[held - data->first_node];
                *pull = sn_add(*pull, total);
            }
        }
        memset(block->total, 0, sizeof block->total);
    }
}

static void share_pulls(sn_world *world, const sn_deformable_data *data, float duration, sn_vec3 *pulls)
{
    for (int edge = data->first_constraint; edge >= 0; edge = sn_next_constraint(world, edge)) {
        int node = node_held_by(world, data, edge);
        if (node >= 0 && sn_vec3_is_finite(pulls[node])) { // not those of nodes that are to be frozen
            sn_vec3 *force = &world->constraint_forces.data[edge >> 1];
            *force = sn_add_scaled(*force, ((edge & 1) == 0 ? 1.0f : -1.0f) / duration, pulls[node]);
            pulls[node] = sn_v(0.0f, 0.0f, 0.0f); // once, however many hold it
        }
    }
}

void sn_world_share_bounds(sn_world *world, float duration)
{
    for (int i = 0; i < world->deformables.count; ++i) {
        sn_deformable_data *data = &world->deformables.data[i];
        bool has_bounds = sn_id_pool_in_use(&world->deformable_ids, i) && !sn_deformable_sleeps(data) &&
                          data->group_of[SN_ROWS_BOUNDS] >= 0;
        sn_vec3 *pulls = data->pulled;
        if (has_bounds && pulls == NULL) {
            pulls = sn_arena_take_zero(&world->arena, (size_t)data->node_count, sizeof *pulls);
        }
        if (has_bounds && pulls != NULL) {
            sum_pulls(data, &data->groups.data[data->group_of[SN_ROWS_BOUNDS]], pulls);
            share_pulls(world, data, duration, pulls);
        }
        data->pulled = NULL;
    }
}
