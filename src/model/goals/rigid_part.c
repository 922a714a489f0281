// Momentum, angular momentum, and the rigid motion that has both.
// Tested by tests/model/test_model.c.
#include "model/goals/rigid_part.h"

#include "geometry/mesh/mesh_measure.h"

typedef struct moments {
    double mass;
    sn_wide_vec3 first;    // Σ m x
    sn_wide_vec3 momentum; // Σ m v
    sn_wide_vec3 angular;  // Σ m x × v, about the mass centre
    double second[6];      // Σ m x x about the mass centre: xx yy zz xy xz yz
} moments;

static void add(sn_wide_vec3 *sum, double scale, sn_wide_vec3 v)
{
    sum->x += scale * v.x;
    sum->y += scale * v.y;
    sum->z += scale * v.z;
}

static sn_wide_vec3 widen(sn_vec3 v)
{
    return (sn_wide_vec3){(double)v.x, (double)v.y, (double)v.z};
}

static sn_vec3 narrow(sn_wide_vec3 v)
{
    return sn_v((float)v.x, (float)v.y, (float)v.z);
}

static void sum_masses(const sn_node_state *nodes, int count, const sn_vec3 *field, moments *sums)
{
    for (int i = 0; i < count; ++i) {
        if (nodes[i].inverse_mass > 0.0f) {
            double mass = 1.0 / (double)nodes[i].inverse_mass;
            sums->mass += mass;
            add(&sums->first, mass, sn_wide_between(nodes[0].position, nodes[i].position));
            add(&sums->momentum, mass, widen(field[i]));
        }
    }
}

static void sum_turns(const sn_node_state *nodes, int count, const sn_vec3 *field, sn_wide_vec3 center,
                      moments *sums)
{
    for (int i = 0; i < count; ++i) {
        if (nodes[i].inverse_mass > 0.0f) {
            double mass = 1.0 / (double)nodes[i].inverse_mass;
            sn_wide_vec3 arm = sn_wide_between(nodes[0].position, nodes[i].position);
            add(&arm, -1.0, center);
            add(&sums->angular, mass, sn_wide_cross(arm, widen(field[i])));
            sums->second[0] += mass * arm.x * arm.x;
            sums->second[1] += mass * arm.y * arm.y;
            sums->second[2] += mass * arm.z * arm.z;
            sums->second[3] += mass * arm.x * arm.y;
            sums->second[4] += mass * arm.x * arm.z;
            sums->second[5] += mass * arm.y * arm.z;
        }
    }
}

// The angular velocity that gives the angular momentum. About an axis that has no inertia (of nodes in one
// line, or one point) there is no turning.
static sn_vec3 spin_of(const moments *sums)
{
    const double *s = sums->second;
    double unit = s[0] + s[1] + s[2];
    if (!(unit > 0.0)) {
        return sn_v(0.0f, 0.0f, 0.0f);
    }
    float xy = (float)(-s[3] / unit), xz = (float)(-s[4] / unit), yz = (float)(-s[5] / unit);
    sn_mat3 inertia = {{(float)((s[1] + s[2]) / unit), xy, xz},
                       {xy, (float)((s[0] + s[2]) / unit), yz},
                       {xz, yz, (float)((s[0] + s[1]) / unit)}};
    sn_mat3 axes;
    sn_vec3 values = sn_mat3_eigen(inertia, &axes);
    float value[3] = {values.x, values.y, values.z};
    sn_vec3 axis[3] = {axes.x, axes.y, axes.z}, spin = sn_v(0.0f, 0.0f, 0.0f);
    for (int k = 0; k < 3; ++k) {
        if (value[k] > 1.0e-6f) {
            double share = sn_wide_dot(widen(axis[k]), sums->angular) / (unit * (double)value[k]);
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
    sn_wide_vec3 center = {0}, linear = {0};
    add(&center, 1.0 / sums.mass, sums.first);
    add(&linear, 1.0 / sums.mass, sums.momentum);
    sum_turns(nodes, count, field, center, &sums);
    return (sn_rigid_part){narrow(center), narrow(linear), spin_of(&sums)};
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
