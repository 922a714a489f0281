// Surfaces that exact anchors slide along, and where their ends are on them
// (geometry/shapes/closest_point.h).
// Tested by tests/world/exact/test_exact_plan.c.
#include "base/allocate.h"
#include "world/constraints/anchors.h"
#include "world/exact/exact_plan.h"

int sn_anchor_sliding_end(const sn_constraint_common *def)
{
    if (def->a.type == SN_POINT_SURFACE) {
        return 0;
    }
    return def->b.type == SN_POINT_SURFACE ? 1 : -1;
}

static const sn_point *sliding_point(const sn_constraint_common *def)
{
    return sn_anchor_sliding_end(def) == 0 ? &def->a : &def->b;
}

bool sn_anchor_make_slide(sn_world *world, const sn_point *point)
{
    sn_deformable_data *data = sn_world_deformable(world, point->deformable);
    if (data->slide != NULL) {
        return true;
    }
    sn_closest_surface *slide = sn_allocate_zero(1, sizeof *slide);
    if (slide == NULL || !sn_closest_surface_make(slide, data->def.mesh)) {
        sn_release(slide, sizeof *slide);
        return false;
    }
    data->slide = slide;
    return true;
}

void sn_anchor_find_closest_point(sn_world *world, sn_constraint_data *data)
{
    int end = sn_anchor_sliding_end(&data->definition.common);
    if (end < 0) {
        return;
    }
    const sn_point *point = sliding_point(&data->definition.common),
                   *other = end == 0 ? &data->definition.common.b : &data->definition.common.a;
    const sn_deformable_data *deformable = &world->deformables.data[point->deformable.index - 1];
    const sn_node_state *nodes = world->nodes.states.data + deformable->first_node;
    data->closest = sn_closest_point_find(deformable->slide, nodes, sn_point_now(world, other));
    if (data->closest.piece < 0) { // nodes are not finite; the next step finds out
        data->closest = (sn_closest_point){.weights = {1.0f, 0.0f, 0.0f}};
    }
    sn_anchor_tell_closest_point(world, data);
}

void sn_anchor_tell_closest_point(const sn_world *world, sn_constraint_data *data)
{
    sn_point *point = sn_anchor_sliding_end(&data->definition.common) == 0 ? &data->definition.common.a
                                                                           : &data->definition.common.b;
    const sn_closest_surface *slide = world->deformables.data[point->deformable.index - 1].slide;
    point->position = sn_v(0.0f, 0.0f, 0.0f);
    point->rigid = (sn_rigid){0};
    point->node_count = slide->corner_count;
    for (int i = 0; i < 4; ++i) {
        bool is_corner = i < slide->corner_count;
        size_t at = (size_t)data->closest.piece * (size_t)slide->corner_count + (size_t)i;
        point->nodes[i] = is_corner ? (int)slide->corners[at] : 0;
        point->weights[i] = is_corner ? data->closest.weights[i] : 0.0f;
    }
}

bool sn_anchor_closest_point_is_sound(const sn_world *world, const sn_constraint_data *data)
{
    const sn_closest_surface *slide =
        world->deformables.data[sliding_point(&data->definition.common)->deformable.index - 1].slide;
    float sum = 0.0f;
    for (int i = 0; i < slide->corner_count; ++i) {
        if (!(data->closest.weights[i] >= 0.0f)) {
            return false;
        }
        sum += data->closest.weights[i];
    }
    return data->closest.piece >= 0 && data->closest.piece < slide->piece_count &&
           sn_abs(sum - 1.0f) <= 1.0e-4f;
}
