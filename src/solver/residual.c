// How far iterations are from the solution. It costs a pass over all rows, so it is asked for.
// Tested by tests/physics/test_position_solver.c.
#include "solver/position.h"

// How far contacts overlap, by their separations, this far apart. Lanes without a contact have 0, or are far.
static float largest_overlap(const void *first, size_t stride, int count)
{
    float largest = 0.0f;
    for (int i = 0; i < count * SN_LANES; ++i) {
        const char *block = (const char *)first + (size_t)(i / SN_LANES) * stride;
        largest = sn_max(largest, -((const sn_lanes *)(const void *)block)->lane[i % SN_LANES]);
    }
    return largest;
}

// Where bodies and nodes are now.
static float largest_error(const sn_run *run)
{
    const sn_node_solver *nodes = &run->solver->nodes;
    const sn_contact_lane_point *points = run->packing.points;
    float largest = largest_overlap(&points->now, sizeof *points, run->packing.point_count);
    sn_element_measure edges = {0};
    for (int g = 0; g < nodes->group_count; ++g) {
        const sn_element_group *group = nodes->groups[g];
        if (group->kind->measure != NULL) {
            group->kind->measure(nodes->pass.nodes, group->blocks, group->block_count, &edges);
        }
    }
    largest = sn_max(largest, sn_max(sn_joints_error(&run->joints), (float)edges.largest_error));
    for (int i = 0; i < nodes->coupling_count; ++i) {
        const sn_coupling_stage *stage = &nodes->coupling[i];
        size_t stride = 0;
        int count = 0;
        const sn_lanes *first = stage->rows != NULL ? stage->rows(stage->data, &stride, &count) : NULL;
        largest = sn_max(largest, largest_overlap(first, stride, count));
        largest = stage->error != NULL ? sn_max(largest, stage->error(stage->data)) : largest;
    }
    return largest;
}

static float largest_change(const sn_kept *velocities)
{
    float largest = 0.0f;
    for (const sn_kept *kept = velocities; kept != NULL; kept = kept->next) {
        const float *now = kept->now, *before = kept->copy;
        for (size_t i = 0; i < kept->size / sizeof *now; ++i) {
            largest = sn_max(largest, sn_abs(now[i] - before[i]));
        }
    }
    return largest;
}

void sn_residual_sweep(sn_run *run)
{
    sn_residual *worst = &run->solver->residuals[run->iteration];
    const sn_kept *velocities = run->projection->velocities;
    float primal = largest_error(run);
    sn_kept_copy(velocities, false);
    sn_position_sweep(run);
    if (run->sub_step + 1 == run->solver->settings.sub_steps) {
        worst->primal = sn_max(worst->primal, primal);
        worst->dual = sn_max(worst->dual, largest_change(velocities));
    }
}
