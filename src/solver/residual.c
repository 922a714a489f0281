// Sums over everything in one order, in double: they are the same for any number of threads. They cost a pass
// over all rows, so they are asked for.
// Tested by tests/physics/test_position_solver.c.
#include "solver/residual.h"

#include "solver/stages.h"

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

// Adds m Δu·Δu′ and m.
static void add(double sums[2], float inverse_mass, const float *now, const float *then, const float *other)
{
    if (inverse_mass > 0.0f) {
        double mass = 1.0 / (double)inverse_mass;
        sn_vec3 u = sn_take3(now);
        sums[0] += mass * (double)sn_dot(sn_sub(u, sn_take3(then)), sn_sub(u, sn_take3(other)));
        sums[1] += mass;
    }
}

double sn_change_product(const sn_run *run, const sn_velocity_copy *then, const sn_velocity_copy *other)
{
    const sn_solver *solver = run->solver;
    double sums[2] = {0.0, 0.0};
    for (int i = solver->dynamic_begin; i < solver->body_count; ++i) {
        const sn_solver_velocity *v = &solver->velocities[i], *a = &then->bodies[i], *b = &other->bodies[i];
        sn_vec3 w = solver->bodies[i].inverse_mass, turning = sn_take3(v->angular);
        sn_sym3 inertia = sn_sym3_inverse(sn_solver_inertia_matrix(&solver->inertias[i]));
        add(sums, sn_max(w.x, sn_max(w.y, w.z)), v->linear, a->linear, b->linear);
        sums[0] += (double)sn_dot(sn_sub(turning, sn_take3(a->angular)),
                                  sn_sym3_apply(inertia, sn_sub(turning, sn_take3(b->angular))));
    }
    for (int r = 0; r < solver->nodes.range_count; ++r) {
        const sn_node_range *range = &solver->nodes.ranges[r];
        for (int i = range->first; i < range->first + range->count; ++i) {
            add(sums, solver->nodes.pass.nodes[i].inverse_mass, &solver->nodes.pass.velocities[i].velocity.x,
                &then->nodes[i].velocity.x, &other->nodes[i].velocity.x);
        }
    }
    return sums[1] > 0.0 ? sums[0] / sums[1] : 0.0;
}

float sn_residual_dual(const sn_run *run, const sn_velocity_copy *before)
{
    return (float)sqrt(sn_change_product(run, before, before));
}
