// The ends of constraints: which points are allowed (any two of which one can move, unless the kind needs
// more), and the input of solvers made from them.
#include "world/core/world.h"

static sn_point *end_of(sn_definition *definition, int end)
{
    return end == 0 ? &definition->common.a : &definition->common.b;
}

static const char *end_name(int end)
{
    return end == 0 ? "a" : "b";
}

// --- in words ----------------------------------------------------------------------------------------------

// "rigid 'crate'", "a place in the world", "a node of deformable 'jelly'", …
static sn_label describe(const sn_world *world, const sn_point *point)
{
    static const char *const sums[5] = {"a sum of nodes", "a node", "a sum of two nodes",
                                        "a sum of three nodes", "a sum of four nodes"};
    if (point->type == SN_POINT_WORLD) {
        return sn_label_make("a place in the world", NULL, -1);
    }
    if (point->type == SN_POINT_RIGID) {
        return sn_body_label(world, (int)point->rigid.index - 1);
    }
    sn_label deformable = sn_deformable_label(world, (int)point->deformable.index - 1);
    return sn_label_part(point->type == SN_POINT_SURFACE ? "the surface"
                         : point->has_frame              ? "a frame of three nodes"
                                                         : sums[point->node_count],
                         &deformable);
}

// --- checking ----------------------------------------------------------------------------------------------

// Keeps only the fields that a point of its type has.
static sn_point without_rest(const sn_point *point)
{
    sn_point kept = {.type = point->type, .rotation = sn_quat_or_identity(point->rotation)};
    switch (point->type) {
    case SN_POINT_RIGID:
        kept.rigid = point->rigid;
        kept.position = point->position;
        break;
    case SN_POINT_WORLD:
        kept.position = point->position;
        break;
    default:
        kept.deformable = point->deformable;
        kept.node_count = point->node_count;
        kept.has_frame = point->type == SN_POINT_NODES && point->has_frame;
        kept.rotation = kept.has_frame ? kept.rotation : sn_quat_identity;
        for (int i = 0; i < point->node_count && i < 4; ++i) {
            kept.nodes[i] = point->nodes[i];
            kept.weights[i] = point->weights[i];
        }
        break;
    }
    return kept;
}

static bool can_move(const sn_world *world, const sn_point *point)
{
    if (point->type == SN_POINT_RIGID) {
        return world->bodies.data[point->rigid.index - 1].type == SN_DYNAMIC;
    }
    return point->type != SN_POINT_WORLD; // even a fixed node may be released
}

static sn_status check_members(const sn_world *world, const sn_constraint_common *common, const char *object)
{
    bool is_rigid = common->a.type == SN_POINT_RIGID && common->b.type == SN_POINT_RIGID;
    if (is_rigid && common->a.rigid.index == common->b.rigid.index) {
        sn_label a = describe(world, &common->a);
        return sn_fail(world->error, SN_ERROR_SAME_BODY, "%s: a and b are both %s, expected different bodies",
                       object, a.text);
    }
    return SN_OK;
}

sn_status sn_constraint_check_mobility(const sn_world *world, const sn_definition *definition,
                                       const char *object)
{
    const sn_constraint_common *common = &definition->common;
    if (can_move(world, &common->a) || can_move(world, &common->b)) {
        return SN_OK;
    }
    sn_label a = describe(world, &common->a), b = describe(world, &common->b);
    return sn_fail(world->error, SN_ERROR_IMMOVABLE,
                   "%s: neither %s nor %s can move, expected one dynamic body or deformable", object, a.text,
                   b.text);
}

static sn_status check_orientation(const sn_world *world, const sn_kind *kind,
                                   const sn_definition *definition, const char *object)
{
    for (int end = 0; end < 2; ++end) {
        const sn_point *point = end == 0 ? &definition->common.a : &definition->common.b;
        bool is_sum = point->type == SN_POINT_NODES && !point->has_frame;
        if ((is_sum || point->type == SN_POINT_SURFACE) && sn_definition_needs_frame(kind, definition, end)) {
            sn_label label = describe(world, point);
            return sn_fail(
                world->error, SN_ERROR_KIND,
                "%s: %s is %s, expected an end with an orientation: a body, a place in the world or "
                "a frame of three nodes",
                object, end_name(end), label.text);
        }
    }
    return SN_OK;
}

// Exact constraints, ramps and surfaces are only for balls that hold nothing but a point.
static sn_status check_exact(const sn_world *world, sn_constraint_kind kind, const sn_definition *definition,
                             const char *object)
{
    const sn_constraint_common *common = &definition->common;
    bool is_a = common->a.type == SN_POINT_SURFACE, is_b = common->b.type == SN_POINT_SURFACE;
    if (common->exact && kind != SN_BALL) {
        return sn_fail(world->error, SN_ERROR_KIND, "%s: it is exact, expected a ball or exact false",
                       object);
    }
    if (common->exact && sn_definition_needs_frame(&sn_kind_ball, definition, 0)) {
        return sn_fail(world->error, SN_ERROR_KIND,
                       "%s: it is exact, expected a ball without limits, motor and spring or exact false",
                       object);
    }
    if (common->ramp_steps > 1 && kind != SN_BALL) {
        return sn_fail(world->error, SN_ERROR_RANGE, "%s: ramp_steps is %d, expected 1 for what is no ball",
                       object, common->ramp_steps);
    }
    if (is_a && is_b) {
        return sn_fail(world->error, SN_ERROR_KIND, "%s: both ends are surfaces, expected one at most",
                       object);
    }
    if ((is_a || is_b) && !common->exact) {
        sn_label label = describe(world, is_a ? &common->a : &common->b);
        return sn_fail(world->error, SN_ERROR_KIND,
                       "%s: %s is %s but it is not exact, expected an exact ball", object,
                       end_name(is_a ? 0 : 1), label.text);
    }
    return SN_OK;
}

sn_status sn_constraint_check_ends(const sn_world *world, sn_constraint_kind kind, sn_definition *definition,
                                   const char *object)
{
    for (int end = 0; end < 2; ++end) {
        sn_point *point = end_of(definition, end);
        sn_status status = sn_point_check(world, point, object, end_name(end));
        if (status != SN_OK) {
            return status;
        }
        *point = without_rest(point);
    }
    sn_status status = check_members(world, &definition->common, object);
    status = status ? status : check_orientation(world, sn_kinds[kind], definition, object);
    return status ? status : check_exact(world, kind, definition, object);
}

// --- for solvers -------------------------------------------------------------------------------------------

static sn_solver_end load_nodes(const sn_world *world, const sn_point *point)
{
    const sn_deformable_data *data = &world->deformables.data[point->deformable.index - 1];
    sn_solver_end end = {
        .node_count = point->node_count, .rotation = point->rotation, .has_frame = point->has_frame};
    for (int i = 0; i < point->node_count; ++i) {
        end.nodes[i] = data->first_node + point->nodes[i];
        end.weights[i] = point->weights[i];
    }
    for (int i = 0; i < 3 && point->has_frame; ++i) {
        end.rest[i] = sn_scale(sn_mesh_nodes(data->def.mesh)[point->nodes[i]], data->def.scale);
    }
    return end;
}

sn_solver_end sn_world_load_end(const sn_world *world, const sn_point *point, const int *number)
{
    if (point->type == SN_POINT_NODES || point->type == SN_POINT_SURFACE) {
        return load_nodes(world, point);
    }
    sn_solver_end end = {.rotation = point->rotation};
    if (point->type == SN_POINT_RIGID) {
        const sn_body *body = &world->bodies.data[point->rigid.index - 1];
        end.body = number[point->rigid.index - 1];
        end.local = sn_sub(point->position, body->local_center);
    }
    if (end.body == 0) {
        sn_pose now = sn_point_pose_now(world, point);
        end.fixed = now.position;
        end.rotation = now.rotation;
    }
    return end;
}
