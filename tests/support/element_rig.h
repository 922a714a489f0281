// The rows of one deformable without a world: for tests of element kinds. Include after cmocka.h.
#ifndef TESTS_SUPPORT_ELEMENT_RIG_H
#define TESTS_SUPPORT_ELEMENT_RIG_H

#include "support/random.h"
#include "world/deformables/deformable.h"
#include <math.h>
#include <string.h>

typedef struct element_rig {
    sn_nodes nodes;
    sn_deformable_data data;
    sn_element_pass pass;
} element_rig;

// Settings as of worlds by default, sub-steps of h. The mesh stays the caller's.
static inline void rig_make(element_rig *rig, const sn_deformable_def *def, float h)
{
    *rig = (element_rig){0};
    sn_error error = {{0}};
    rig->data.def = *def;
    sn_mesh_retain(def->mesh);
    rig->data.node_count = def->mesh->node_count;
    rig->data.first_node = sn_nodes_take(&rig->nodes, rig->data.node_count);
    assert_true(rig->data.first_node > 0);
    assert_int_equal(sn_deformable_fill(&rig->data, &rig->nodes, NULL, &error, "rig"), SN_OK);
    rig->pass = (sn_element_pass){.nodes = rig->nodes.states.data,
                                  .felt = rig->nodes.states.data,
                                  .velocities = rig->nodes.velocities.data,
                                  .h = h,
                                  .inverse_h = 1.0f / h,
                                  .hard = sn_softness_make(0.25f, 2.0f, h),
                                  .bearing = SN_PI * SN_PI / (4.0f * h * h),
                                  .firmest = sn_softness_make(0.25f, 2.0f, h),
                                  .stiffest = SN_STIFFEST,
                                  .most_damped = 1.0f / sn_softness_make(0.25f, 2.0f, h).inverse_a2};
}

static inline void rig_free(element_rig *rig)
{
    sn_deformable_release(&rig->data);
    sn_nodes_release(&rig->nodes);
}

static inline sn_vec3 *rig_position(element_rig *rig, int node)
{
    return &rig->nodes.states.data[rig->data.first_node + node].position;
}

static inline sn_vec3 *rig_velocity(element_rig *rig, int node)
{
    return &rig->nodes.velocities.data[rig->data.first_node + node].velocity;
}

static inline double rig_mass(const element_rig *rig, int node)
{
    return (double)rig->nodes.masses.data[rig->data.first_node + node];
}

static inline void rig_shake(element_rig *rig, test_random *random, float places, float speeds)
{
    for (int i = 0; i < rig->data.node_count; ++i) {
        sn_vec3 *x = rig_position(rig, i), *v = rig_velocity(rig, i);
        *x = sn_add(*x, test_random_vec3(random, places));
        *v = sn_add(*v, test_random_vec3(random, speeds));
    }
}

// --- the stages of a sub-step, as node_solver.c runs them
// ---------------------------------------------------

static inline void rig_run(element_rig *rig, sn_element_group *group, sn_element_function function)
{
    for (int k = 0; k <= SN_ELEMENT_COLORS && function != NULL; ++k) {
        int color = rig->pass.backwards ? SN_ELEMENT_COLORS - k : k;
        int begin = group->color_begin[color], end = group->color_begin[color + 1];
        if (end > begin) {
            function(&rig->pass, group->blocks, begin, end);
        }
    }
}

static inline void rig_refresh(element_rig *rig)
{
    for (int i = 0; i < rig->data.groups.count; ++i) {
        sn_element_group *group = &rig->data.groups.data[i];
        group->kind->refresh(&rig->pass, group->blocks, 0, group->block_count);
        group->is_stiff = group->kind->is_stiff != NULL &&
                          group->kind->is_stiff(group->blocks, group->block_count, SN_FIRM);
        group->multirate_span =
            group->kind->push != NULL
                ? group->kind->multirate_span(&rig->pass, group->blocks, group->block_count)
                : 0;
    }
}

static inline void rig_warm_start(element_rig *rig)
{
    for (int i = 0; i < rig->data.groups.count; ++i) {
        sn_element_group *group = &rig->data.groups.data[i];
        rig_run(rig, group, group->multirate_span > 0 ? group->kind->push : group->kind->warm_start);
    }
}

static inline void rig_solve(element_rig *rig)
{
    for (int i = 0; i < rig->data.groups.count; ++i) {
        sn_element_group *group = &rig->data.groups.data[i];
        if (group->multirate_span > 0) {
            continue;
        }
        rig_run(rig, group, group->kind->solve);
        if (group->is_stiff) {
            rig->pass.backwards = !rig->pass.backwards;
            rig_run(rig, group, group->kind->solve);
            rig->pass.backwards = !rig->pass.backwards;
        }
    }
}

static inline void rig_relax(element_rig *rig)
{
    rig->pass.backwards = !rig->pass.backwards;
    for (int i = 0; i < rig->data.groups.count; ++i) {
        rig_run(rig, &rig->data.groups.data[i], rig->data.groups.data[i].kind->relax);
    }
    rig->pass.backwards = !rig->pass.backwards;
}

static inline void rig_move(element_rig *rig)
{
    for (int i = 0; i < rig->data.node_count; ++i) {
        *rig_position(rig, i) = sn_add_scaled(*rig_position(rig, i), rig->pass.h, *rig_velocity(rig, i));
    }
}

// Begins and ends with rows refreshed.
static inline void rig_sub_step(element_rig *rig)
{
    rig_warm_start(rig);
    rig_solve(rig);
    rig_move(rig);
    rig_refresh(rig);
    rig_relax(rig);
    rig->pass.backwards = !rig->pass.backwards;
}

// --- measures ----------------------------------------------------------------------------------------------

static inline double rig_elastic_energy(element_rig *rig)
{
    sn_element_measure sum = {.stiffest = INFINITY};
    for (int i = 0; i < rig->data.groups.count; ++i) {
        const sn_element_group *group = &rig->data.groups.data[i];
        if (group->kind->measure != NULL) {
            group->kind->measure(rig->nodes.states.data, group->blocks, group->block_count, &sum);
        }
    }
    return sum.energy;
}

static inline double rig_kinetic_energy(element_rig *rig)
{
    double sum = 0.0;
    for (int i = 0; i < rig->data.node_count; ++i) {
        sum += 0.5 * rig_mass(rig, i) * (double)sn_length_squared(*rig_velocity(rig, i));
    }
    return sum;
}

typedef struct rig_momenta {
    double linear[3], angular[3];
    double linear_size, angular_size; // sums of sizes, which rounding is relative to
} rig_momenta;

static inline rig_momenta rig_momenta_now(element_rig *rig)
{
    rig_momenta sum = {0};
    for (int i = 0; i < rig->data.node_count; ++i) {
        sn_vec3 place = *rig_position(rig, i), velocity = *rig_velocity(rig, i);
        double m = rig_mass(rig, i), x[3] = {place.x, place.y, place.z};
        double v[3] = {velocity.x, velocity.y, velocity.z};
        for (int k = 0; k < 3; ++k) {
            int a = (k + 1) % 3, b = (k + 2) % 3;
            sum.linear[k] += m * v[k];
            sum.angular[k] += m * (x[a] * v[b] - x[b] * v[a]);
            sum.linear_size += m * fabs(v[k]);
            sum.angular_size += m * (fabs(x[a] * v[b]) + fabs(x[b] * v[a]));
        }
    }
    return sum;
}

#endif
