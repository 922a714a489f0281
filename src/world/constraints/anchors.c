// The functions of anchors: balls that hold nothing but a point. And the input of the solver for balls that
// hold nodes.
#include "world/constraints/anchors.h"

#include "world/exact/exact_plan.h"

#include <math.h>

// --- the old spelling --------------------------------------------------------------------------------------

sn_anchor_def sn_anchor_def_default(void)
{
    return (sn_anchor_def){.cookie = SN_COOKIE_ANCHOR,
                           .a = sn_point_world(sn_v(0.0f, 0.0f, 0.0f)),
                           .b = sn_point_world(sn_v(0.0f, 0.0f, 0.0f)),
                           .max_force = INFINITY,
                           .break_force = INFINITY,
                           .active = true,
                           .active_until = INFINITY,
                           .ramp_steps = 1};
}

static bool is_soft(const sn_point *point)
{
    return point->type == SN_POINT_NODES || point->type == SN_POINT_SURFACE;
}

// Bodies that an anchor holds may touch.
static sn_ball_def ball_of(const sn_anchor_def *def)
{
    sn_ball_def ball = sn_ball_def_default();
    ball.common.a = def->a;
    ball.common.b = def->b;
    ball.common.compliance = def->compliance;
    ball.common.damping = def->damping;
    ball.common.max_force = def->max_force;
    ball.common.break_force = def->break_force;
    ball.common.collide_connected = !is_soft(&def->a) && !is_soft(&def->b);
    ball.common.active = def->active;
    ball.common.active_from = def->active_from;
    ball.common.active_until = def->active_until;
    ball.common.exact = def->exact;
    ball.common.ramp_steps = def->ramp_steps;
    ball.common.sliding_friction = def->friction;
    ball.common.name = def->name;
    ball.common.user = def->user;
    return ball;
}

sn_status sn_anchor_add(sn_world *world, const sn_anchor_def *def, sn_anchor *anchor)
{
    if (anchor != NULL) {
        *anchor = (sn_anchor){0};
    }
    sn_status status = sn_world_check_open(world, "sn_anchor_add");
    if (status != SN_OK) {
        return status;
    }
    if (def == NULL) {
        return sn_fail(world->error, SN_ERROR_NULL, "anchor: definition is null");
    }
    if (def->cookie != SN_COOKIE_ANCHOR) {
        return sn_fail(world->error, SN_ERROR_DEFINITION,
                       "anchor: definition does not come from sn_anchor_def_default");
    }
    sn_ball_def ball = ball_of(def);
    return sn_ball_add(world, &ball, anchor);
}

float sn_anchor_error(const sn_world *world, sn_anchor anchor)
{
    const sn_constraint_data *data = sn_world_constraint(world, anchor);
    return data != NULL ? sn_distance_between(sn_point_now(world, &data->definition.common.a),
                                              sn_point_now(world, &data->definition.common.b))
                        : 0.0f;
}

sn_anchor_def sn_anchor_definition(const sn_world *world, sn_anchor anchor)
{
    sn_ball_def ball = sn_ball_definition(world, anchor);
    if (ball.common.cookie == 0) {
        return (sn_anchor_def){0};
    }
    return (sn_anchor_def){.cookie = SN_COOKIE_ANCHOR,
                           .a = ball.common.a,
                           .b = ball.common.b,
                           .compliance = ball.common.compliance,
                           .damping = ball.common.damping,
                           .max_force = ball.common.max_force,
                           .break_force = ball.common.break_force,
                           .active = ball.common.active,
                           .active_from = ball.common.active_from,
                           .active_until = ball.common.active_until,
                           .exact = ball.common.exact,
                           .ramp_steps = ball.common.ramp_steps,
                           .friction = ball.common.sliding_friction,
                           .name = ball.common.name,
                           .user = ball.common.user};
}

bool sn_constraint_is_anchor(const sn_world *world, sn_constraint constraint)
{
    return sn_world_constraint(world, constraint) != NULL &&
           world->constraint_links.data[constraint.index - 1].is_anchor;
}

int sn_world_anchors(const sn_world *world, sn_anchor *out, int capacity)
{
    int count = 0;
    for (int i = 0; world != NULL && i < world->constraints.count; ++i) {
        if (sn_id_pool_in_use(&world->constraint_ids, i) && world->constraint_links.data[i].is_anchor) {
            if (out != NULL && count < capacity) {
                out[count] = sn_constraint_id(world, i);
            }
            ++count;
        }
    }
    return count;
}

// --- in a step ---------------------------------------------------------------------------------------------

bool sn_anchor_takes_part(const sn_world *world, int index, const int *number)
{
    const int *member = world->constraint_links.data[index].member;
    for (int side = 0; side < 2; ++side) {
        if (sn_member_is_soft(member[side]) ? !sn_world_member_sleeps(world, member[side])
                                            : number[sn_member_body(member[side])] > 0) {
            return true;
        }
    }
    return false;
}
