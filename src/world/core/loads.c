// What carries loads in a world, for who asks: which islands took more sub-steps and why, how many bounds are
// taut, and what stretches all the same.
#include "solver/elements/bound_block.h"
#include "solver/elements/edge_block.h"
#include "world/constraints/body_bounds.h"
#include "world/constraints/unions.h"
#include "world/core/sub_steps.h"

#include <math.h>
#include <string.h>

int sn_world_loads(const sn_world *world, sn_loaded_island *loads, int capacity)
{
    if (world == NULL) {
        return 0;
    }
    int count = world->loads.count;
    int written = loads == NULL || capacity < 0 ? 0 : count < capacity ? count : capacity;
    if (written > 0) {
        memcpy(loads, world->loads.data, (size_t)written * sizeof *loads);
    }
    return count;
}

const char *sn_sub_step_cause_text(sn_sub_step_cause cause)
{
    static const char *const texts[] = {
        [SN_SUB_STEPS_LEAST] = "",
        [SN_SUB_STEPS_SMALL] = "small bodies touch each other",
        [SN_SUB_STEPS_COLUMN] = "a column sags under its load",
        [SN_SUB_STEPS_HANGING] = "a heavy body hangs on light nodes",
        [SN_SUB_STEPS_PRESSING] = "a heavy body lies on light nodes or links",
        [SN_SUB_STEPS_TENSION] = "light rows or joints are taut",
        [SN_SUB_STEPS_STIFF] = "stiff elements are strained",
        [SN_SUB_STEPS_BRIDGING] = "light bodies join heavy ones",
        [SN_SUB_STEPS_TORQUE] = "joints of light bodies carry torques",
    };
    bool known = (unsigned)cause < sizeof texts / sizeof *texts;
    return known ? texts[cause] : "";
}

static int count_taut(const sn_element_group *group)
{
    const sn_bound_block *blocks = group->blocks;
    int count = 0;
    for (int i = 0; i < group->block_count * SN_LANES; ++i) {
        count += blocks[i / SN_LANES].impulse.lane[i % SN_LANES] < 0.0f ? 1 : 0;
    }
    return count;
}

// From the mass centre of its body to an end, or the size of the body where that is more: a wheel turns about
// its centre. 0 for ends that are not on dynamic bodies.
static float arm_of(const sn_world *world, const sn_point *point)
{
    const sn_body *body = point->type == SN_POINT_RIGID ? &world->bodies.data[point->rigid.index - 1] : NULL;
    return body != NULL && sn_body_is_dynamic(body)
               ? sn_max(sn_distance_between(point->position, body->local_center), body->outer_radius)
               : 0.0f;
}

// By which part of its length a hard joint between points is too long; 0 for others.
static float stretch_of(const sn_world *world, int index)
{
    const sn_constraint_data *data = &world->constraints.data[index];
    const sn_constraint_common *common = &data->definition.common;
    bool is_point = data->kind == SN_BALL || data->kind == SN_HINGE || data->kind == SN_FIXED;
    if (!world->constraint_links.data[index].is_on || common->compliance > 0.0f ||
        !isinf(common->max_force) || (!is_point && data->kind != SN_DISTANCE) ||
        common->a.type == SN_POINT_SURFACE || common->b.type == SN_POINT_SURFACE) {
        return 0.0f;
    }
    float reach = is_point ? 0.0f : data->definition.distance.upper;
    float length = is_point ? arm_of(world, &common->a) + arm_of(world, &common->b) : reach;
    float apart = sn_distance_between(sn_point_now(world, &common->a), sn_point_now(world, &common->b));
    return length > 0.0f && length < INFINITY ? sn_max(apart - reach, 0.0f) / length : 0.0f;
}

static void count_joints(const sn_world *world, sn_statistics *s)
{
    for (int i = 0; i < world->constraints.count; ++i) {
        float stretch = sn_id_pool_in_use(&world->constraint_ids, i) ? stretch_of(world, i) : 0.0f;
        s->stretched_joint_count += stretch > SN_STRETCH_LIMIT ? 1 : 0;
        if (stretch > s->largest_joint_stretch) {
            s->largest_joint_stretch = stretch;
            s->most_stretched_joint = sn_constraint_id(world, i);
        }
    }
    for (int i = 0; i < world->unions.count; ++i) {
        s->union_count += world->unions.data[i].parent < 0 ? 1 : 0;
    }
    s->bound_count += sn_world_count_body_bounds(world);
    for (int i = 0; i < world->body_bounds.count; ++i) {
        const sn_body_bound *bound = &world->body_bounds.data[i];
        s->taut_bound_count += bound->has_row && bound->impulses[0] != 0.0f ? 1 : 0;
    }
}

void sn_world_count_loads(const sn_world *world, sn_statistics *s)
{
    count_joints(world, s);
    for (int i = 0; i < world->deformables.count; ++i) {
        const sn_deformable_data *data = &world->deformables.data[i];
        if (!sn_id_pool_in_use(&world->deformable_ids, i) || sn_deformable_sleeps(data)) {
            continue;
        }
        int edges = data->group_of[SN_ROWS_EDGES], bounds = data->group_of[SN_ROWS_BOUNDS];
        if (bounds >= 0) {
            s->bound_count += data->groups.data[bounds].row_count;
            s->taut_bound_count += count_taut(&data->groups.data[bounds]);
        }
        float stretch =
            edges >= 0 ? sn_edges_stretch(&data->groups.data[edges], world->nodes.states.data) : 0.0f;
        s->stretched_count += stretch > SN_STRETCH_LIMIT ? 1 : 0;
        if (stretch > s->largest_stretch) {
            s->largest_stretch = stretch;
            s->most_stretched = sn_deformable_id(world, i);
        }
    }
}
