// Sums over everything in one order, in double: they are the same for any number of threads. They cost a pass
// over all rows, so they are asked for.
// Tested by tests/physics/test_position_solver.c.
#include "solver/position.h"

#include <math.h>

// --- primal ------------------------------------------------------------------------------------------------

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

static float error_of_edges(const sn_node_solver *nodes)
{
    sn_element_measure sum = {0};
    for (int g = 0; g < nodes->group_count; ++g) {
        const sn_element_group *group = nodes->groups[g];
        if (group->kind->measure != NULL) {
            group->kind->measure(nodes->pass.nodes, group->blocks, group->block_count, &sum);
        }
    }
    return (float)sum.largest_error;
}

float sn_residual_primal(const sn_run *run)
{
    const sn_node_solver *nodes = &run->solver->nodes;
    const sn_contact_lane_point *points = run->packing.points;
    float largest = largest_overlap(&points->now, sizeof *points, run->packing.point_count);
    largest = sn_max(largest, sn_max(sn_joints_error(&run->joints), error_of_edges(nodes)));
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

// --- dual --------------------------------------------------------------------------------------------------

static double mass_of(float inverse_mass)
{
    return inverse_mass > 0.0f ? 1.0 / (double)inverse_mass : 0.0;
}

float sn_residual_dual(const sn_run *run, const sn_velocity_copy *before)
{
    const sn_solver *solver = run->solver;
    double sum = 0.0, mass = 0.0;
    for (int i = solver->dynamic_begin; i < solver->body_count; ++i) {
        const sn_solver_velocity *v = &solver->velocities[i], *old = &before->bodies[i];
        sn_vec3 w = solver->bodies[i].inverse_mass,
                turned = sn_sub(sn_take3(v->angular), sn_take3(old->angular));
        sn_sym3 inertia = sn_sym3_inverse(sn_solver_inertia_matrix(&solver->inertias[i]));
        double own = mass_of(sn_max(w.x, sn_max(w.y, w.z)));
        sum += own * (double)sn_length_squared(sn_sub(sn_take3(v->linear), sn_take3(old->linear))) +
               (double)sn_dot(turned, sn_sym3_apply(inertia, turned));
        mass += own;
    }
    for (int r = 0; r < solver->nodes.range_count; ++r) {
        const sn_node_range *range = &solver->nodes.ranges[r];
        for (int i = range->first; i < range->first + range->count; ++i) {
            sn_vec3 change = sn_sub(solver->nodes.pass.velocities[i].velocity, before->nodes[i].velocity);
            double own = mass_of(solver->nodes.pass.nodes[i].inverse_mass);
            sum += own * (double)sn_length_squared(change);
            mass += own;
        }
    }
    return mass > 0.0 ? (float)sqrt(sum / mass) : 0.0f;
}
