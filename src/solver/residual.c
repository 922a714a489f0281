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
    double squares, mass; // Σ m |Δu|², Σ m
} mass_sum;

static void add(mass_sum *sum, float inverse_mass, sn_vec3 change)
{
    if (inverse_mass > 0.0f) {
        double mass = 1.0 / (double)inverse_mass;
        sum->squares += mass * (double)sn_length_squared(change);
        sum->mass += mass;
    }
}

float sn_residual_dual(const sn_run *run, const sn_solver_velocity *bodies, const sn_node_velocity *nodes)
{
    const sn_solver *solver = run->solver;
    mass_sum sum = {0.0, 0.0};
    for (int i = solver->dynamic_begin; i < solver->body_count; ++i) {
        sn_vec3 change = sn_sub(sn_take3(solver->velocities[i].linear), sn_take3(bodies[i].linear));
        sn_vec3 turn = sn_sub(sn_take3(solver->velocities[i].angular), sn_take3(bodies[i].angular));
        sn_vec3 w = solver->bodies[i].inverse_mass;
        add(&sum, sn_max(w.x, sn_max(w.y, w.z)), change);
        sn_sym3 inertia = sn_sym3_inverse(sn_solver_inertia_matrix(&solver->inertias[i]));
        sum.squares += (double)sn_dot(turn, sn_sym3_apply(inertia, turn));
    }
    for (int r = 0; r < solver->nodes.range_count; ++r) {
        const sn_node_range *range = &solver->nodes.ranges[r];
        for (int i = range->first; i < range->first + range->count; ++i) {
            sn_vec3 change = sn_sub(solver->nodes.pass.velocities[i].velocity, nodes[i].velocity);
            add(&sum, solver->nodes.pass.nodes[i].inverse_mass, change);
        }
    }
    return sum.mass > 0.0 ? (float)sqrt(sum.squares / sum.mass) : 0.0f;
}
