// Sums over everything in one order, in double: they are the same for any number of threads. They cost a pass
// over all rows, so they are asked for.
// Tested by tests/physics/test_position_solver.c.
#include "solver/residual.h"

#include "solver/stages.h"

#include <math.h>

// --- primal ------------------------------------------------------------------------------------------------

static float error_of_contacts(const sn_run *run)
{
    float largest = 0.0f;
    for (int b = 0; b < run->packing.block_count; ++b) {
        const sn_contact_block *block = &run->packing.blocks[b];
        for (int lane = 0; lane < SN_LANES; ++lane) {
            int count = block->input[lane] >= 0 ? run->solver->contacts[block->input[lane]].patch->count : 0;
            for (int i = 0; i < count; ++i) {
                largest = sn_max(largest, -run->packing.points[block->first_point + i].now.lane[lane]);
            }
        }
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
    float largest = sn_max(sn_joints_error(&run->joints), error_of_contacts(run));
    largest = sn_max(largest, error_of_edges(nodes));
    for (int i = 0; i < nodes->coupling_count; ++i) {
        if (nodes->coupling[i].error != NULL) {
            largest = sn_max(largest, nodes->coupling[i].error(nodes->coupling[i].data));
        }
    }
    return largest;
}

// --- dual --------------------------------------------------------------------------------------------------

typedef struct mass_sum {
    double products, mass; // Σ m Δu·Δu′, Σ m
} mass_sum;

static void add(mass_sum *sum, float inverse_mass, sn_vec3 change, sn_vec3 other)
{
    if (inverse_mass > 0.0f) {
        double mass = 1.0 / (double)inverse_mass;
        sum->products += mass * (double)sn_dot(change, other);
        sum->mass += mass;
    }
}

static sn_vec3 change_since(const float *now, const float *then)
{
    return sn_sub(sn_take3(now), sn_take3(then));
}

double sn_change_product(const sn_run *run, const sn_velocity_copy *then, const sn_velocity_copy *other)
{
    const sn_solver *solver = run->solver;
    mass_sum sum = {0.0, 0.0};
    for (int i = solver->dynamic_begin; i < solver->body_count; ++i) {
        const sn_solver_velocity *v = &solver->velocities[i], *a = &then->bodies[i], *b = &other->bodies[i];
        sn_vec3 w = solver->bodies[i].inverse_mass;
        add(&sum, sn_max(w.x, sn_max(w.y, w.z)), change_since(v->linear, a->linear),
            change_since(v->linear, b->linear));
        sn_sym3 inertia = sn_sym3_inverse(sn_solver_inertia_matrix(&solver->inertias[i]));
        sum.products += (double)sn_dot(change_since(v->angular, a->angular),
                                       sn_sym3_apply(inertia, change_since(v->angular, b->angular)));
    }
    for (int r = 0; r < solver->nodes.range_count; ++r) {
        const sn_node_range *range = &solver->nodes.ranges[r];
        for (int i = range->first; i < range->first + range->count; ++i) {
            sn_vec3 v = solver->nodes.pass.velocities[i].velocity;
            add(&sum, solver->nodes.pass.nodes[i].inverse_mass, sn_sub(v, then->nodes[i].velocity),
                sn_sub(v, other->nodes[i].velocity));
        }
    }
    return sum.mass > 0.0 ? sum.products / sum.mass : 0.0;
}

float sn_residual_dual(const sn_run *run, const sn_velocity_copy *before)
{
    return (float)sqrt(sn_change_product(run, before, before));
}
