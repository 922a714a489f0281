// Momentum, angular momentum, and the rigid motion that has both.
// Tested by tests/model/test_model.c.
#include "model/goals/rigid_part.h"

#include "geometry/mesh/mesh_measure.h"

typedef struct moments {
    double mass;
    sn_vec3d first;    // Σ m x
    sn_vec3d momentum; // Σ m v
    sn_vec3d angular;  // Σ m x × v, about the mass centre
    sn_sym3d second;   // Σ m x xᵀ about the mass centre
} moments;

static void sum_masses(const sn_node_state *nodes, int count, const sn_vec3 *field, moments *sums)
{
    for (int i = 0; i < count; ++i) {
        if (nodes[i].inverse_mass > 0.0f) {
            double mass = 1.0 / (double)nodes[i].inverse_mass;
            sums->mass += mass;
            sums->first =
                sn_add_scaled_wide(sums->first, mass, sn_between_wide(nodes[0].position, nodes[i].position));
            sums->momentum = sn_add_scaled_wide(sums->momentum, mass, sn_widen(field[i]));
        }
    }
}

static void sum_turns(const sn_node_state *nodes, int count, const sn_vec3 *field, sn_vec3d center,
                      moments *sums)
{
    for (int i = 0; i < count; ++i) {
        if (nodes[i].inverse_mass > 0.0f) {
            double mass = 1.0 / (double)nodes[i].inverse_mass;
            sn_vec3d arm = sn_between_wide(nodes[0].position, nodes[i].position);
            arm = sn_add_scaled_wide(arm, -1.0, center);
            sums->angular = sn_add_scaled_wide(sums->angular, mass, sn_cross_wide(arm, sn_widen(field[i])));
            sn_sym3d_add_outer(&sums->second, mass, arm);
        }
    }
}

// The angular velocity that gives the angular momentum. About an axis that has no inertia (of nodes in one
// line, or one point) there is no turning.
static sn_vec3 spin_of(const moments *sums)
{
    const sn_sym3d *s = &sums->second;
    double unit = s->xx + s->yy + s->zz;
    if (!(unit > 0.0)) {
        return sn_v(0.0f, 0.0f, 0.0f);
    }
    float xy = (float)(-s->xy / unit), xz = (float)(-s->xz / unit), yz = (float)(-s->yz / unit);
    sn_mat3 inertia = {{(float)((s->yy + s->zz) / unit), xy, xz},
                       {xy, (float)((s->xx + s->zz) / unit), yz},
                       {xz, yz, (float)((s->xx + s->yy) / unit)}};
    sn_mat3 axes;
    sn_vec3 values = sn_mat3_eigen(inertia, &axes);
    float value[3] = {values.x, values.y, values.z};
    sn_vec3 axis[3] = {axes.x, axes.y, axes.z}, spin = sn_v(0.0f, 0.0f, 0.0f);
    for (int k = 0; k < 3; ++k) {
        if (value[k] > 1.0e-6f) {
            double share = sn_dot_wide(sn_widen(axis[k]), sums->angular) / (unit * (double)value[k]);
            spin = sn_add_scaled(spin, (float)share, axis[k]);
        }
    }
    return spin;
}

sn_rigid_part sn_rigid_part_of(const sn_node_state *nodes, int count, const sn_vec3 *field)
{
    moments sums = {0};
    sum_masses(nodes, count, field, &sums);
    if (!(sums.mass > 0.0)) {
        return (sn_rigid_part){0};
    }
    sn_vec3d center = {0}, linear = {0};
    center = sn_add_scaled_wide(center, 1.0 / sums.mass, sums.first);
    linear = sn_add_scaled_wide(linear, 1.0 / sums.mass, sums.momentum);
    sum_turns(nodes, count, field, center, &sums);
    return (sn_rigid_part){sn_narrow(center), sn_narrow(linear), spin_of(&sums)};
}

sn_vec3 sn_rigid_part_at(const sn_rigid_part *part, const sn_node_state *nodes, int node)
{
    sn_vec3 arm = sn_sub(sn_sub(nodes[node].position, nodes[0].position), part->center);
    return sn_add(part->linear, sn_cross(part->angular, arm));
}

void sn_rigid_part_remove(const sn_node_state *nodes, int count, sn_vec3 *change)
{
    for (int i = 0; i < count; ++i) {
        if (!(nodes[i].inverse_mass > 0.0f)) {
            return;
        }
    }
    sn_rigid_part part = sn_rigid_part_of(nodes, count, change);
    for (int i = 0; i < count; ++i) {
        change[i] = sn_sub(change[i], sn_rigid_part_at(&part, nodes, i));
    }
}
