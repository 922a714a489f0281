// Nodes around an anchor that the body must cover. An anchor whose point lies inside a body, as on the axis
// of a pole, holds nodes there; nodes nearer to them than the surface is cannot be outside unless edges
// stretch, so contacts would work against edges in every step. They are excluded from contacts with that
// body, too.
//
// What counts are lengths at rest and the place of the point in the body, not where nodes are now: a plan
// that is made anew finds the same nodes. Tested by tests/world/deformables/test_soft_exclusions.c.
#include "collision/soft/obstacle.h"
#include "world/exact/exact_plan.h"

static float depth_in(sn_convex convex, sn_pose pose, sn_vec3 point)
{
    sn_obstacle obstacle = {.kind = SN_OBSTACLE_CONVEX, .convex = convex, .pose = pose};
    sn_vec3 normal;
    return -sn_obstacle_distance(&obstacle, point, NULL, 0.0f, &normal);
}

// How deep a point of a body, in its own axes, lies in its shapes; negative outside. [m]
static float depth_in_body(const sn_world *world, const sn_body *body, sn_vec3 point)
{
    float depth = -INFINITY;
    for (int s = body->first_shape; s >= 0; s = world->shapes.data[s].next) {
        const sn_shape_data *shape = &world->shapes.data[s];
        if (shape->sensor) {
            continue;
        }
        if (sn_shape_is_convex(shape->type)) {
            depth = sn_max(depth, depth_in(sn_shape_convex(shape), shape->offset, point));
        }
        for (int i = 0; shape->type == SN_COMPOUND && i < shape->compound->part_count; ++i) {
            sn_pose pose = sn_pose_multiply(shape->offset, shape->compound->parts[i].solid.pose);
            depth = sn_max(depth, depth_in(sn_compound_convex(shape->compound, i), pose, point));
        }
    }
    return depth;
}

// Nodes of the anchor reach out by what is left of the way to the surface and the thickness.
static void note_anchor(const sn_world *world, sn_exact_plan *plan, const sn_point *point,
                        const sn_point *other)
{
    if (point->type != SN_POINT_NODES || other->type != SN_POINT_RIGID) {
        return;
    }
    const sn_deformable_data *data = &world->deformables.data[point->deformable.index - 1];
    int body = (int)other->rigid.index - 1;
    float reach = depth_in_body(world, &world->bodies.data[body], other->position) + data->def.thickness;
    sn_vec3 middle = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < point->node_count; ++i) {
        middle = sn_add_scaled(middle, point->weights[i], data->def.mesh->nodes[point->nodes[i]]);
    }
    for (int i = 0; i < point->node_count; ++i) {
        float way = data->def.scale * sn_distance_between(middle, data->def.mesh->nodes[point->nodes[i]]);
        sn_covered_node *node = &plan->covered.data[data->first_node + point->nodes[i]];
        if (reach - way > node->reach) {
            *node = (sn_covered_node){reach - way, body};
        }
    }
}

// Passes reaches on along edges. Whether any grew.
static bool pass_on(const sn_deformable_data *data, sn_covered_node *covered)
{
    bool grew = false;
    for (int i = 0; i < 2 * data->def.mesh->edge_count; ++i) {
        const uint32_t *edge = data->def.mesh->edges + 2 * (size_t)(i / 2);
        uint32_t from = edge[i % 2], to = edge[1 - i % 2];
        if (covered[from].reach > 0.0f) {
            float way =
                data->def.scale * sn_distance_between(data->def.mesh->nodes[from], data->def.mesh->nodes[to]);
            if (covered[from].reach - way > covered[to].reach) {
                covered[to] = (sn_covered_node){covered[from].reach - way, covered[from].body};
                grew = true;
            }
        }
    }
    return grew;
}

static bool exclude_covered(sn_exact_plan *plan, const sn_deformable_data *data)
{
    while (pass_on(data, plan->covered.data + data->first_node)) {
    }
    for (int node = data->first_node; node < data->first_node + data->node_count; ++node) {
        const sn_covered_node *covered = &plan->covered.data[node];
        if (covered->reach > 0.0f && plan->exclusion_of.data[node] == 0) {
            sn_soft_exclusion exclusion = {.anchor = -1,
                                           .node = node,
                                           .next = -1,
                                           .set = -1,
                                           .parent = -1,
                                           .body = covered->body,
                                           .slides_on = -1};
            if (!sn_array_push(&plan->exclusions, exclusion)) {
                return false;
            }
            plan->exclusion_of.data[node] = plan->exclusions.count;
        }
    }
    return true;
}

bool sn_plan_clear_surroundings(const sn_world *world, sn_exact_plan *plan)
{
    if (!sn_array_resize(&plan->covered, world->nodes.states.count)) {
        return false;
    }
    for (int i = 0; i < plan->covered.count; ++i) {
        plan->covered.data[i] = (sn_covered_node){0.0f, -1};
    }
    return true;
}

void sn_plan_note_surroundings(const sn_world *world, sn_exact_plan *plan, const sn_constraint_common *def)
{
    note_anchor(world, plan, &def->a, &def->b);
    note_anchor(world, plan, &def->b, &def->a);
}

bool sn_plan_exclude_surroundings(const sn_world *world, sn_exact_plan *plan)
{
    bool ok = true;
    for (int i = 0; ok && i < world->deformables.count; ++i) {
        const sn_deformable_data *data = &world->deformables.data[i];
        ok = !sn_id_pool_in_use(&world->deformable_ids, i) || data->first_constraint < 0 ||
             exclude_covered(plan, data);
    }
    return ok;
}
