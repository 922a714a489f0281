// Measures of a deformable in its present state: mass, volume, stretch, strain.
// Tested by tests/world/deformables/test_deformables_ask.c.
#include "world/core/world.h"

static sn_vec3 at(const sn_world *world, const sn_deformable_data *data, uint32_t node)
{
    return world->nodes.states.data[data->first_node + (int)node].position;
}

// Six times the volume of the tetrahedron abcd.
static double volume6(sn_vec3 a, sn_vec3 b, sn_vec3 c, sn_vec3 d)
{
    sn_vec3 u = sn_sub(b, a), v = sn_sub(c, a), w = sn_sub(d, a);
    sn_vec3 cross = sn_cross(u, v);
    return (double)cross.x * w.x + (double)cross.y * w.y + (double)cross.z * w.z;
}

static void measure_nodes(const sn_world *world, const sn_deformable_data *data, sn_deformable_measure *m)
{
    double mass = 0.0, center[3] = {0}, momentum[3] = {0};
    m->bounds.lower = m->bounds.upper = at(world, data, 0);
    for (int i = 0; i < data->node_count; ++i) {
        int node = data->first_node + i;
        sn_vec3 x = world->nodes.states.data[node].position, v = world->nodes.velocities.data[node].velocity;
        double share = sn_max(world->nodes.masses.data[node], 0.0f);
        mass += share;
        center[0] += share * x.x;
        center[1] += share * x.y;
        center[2] += share * x.z;
        momentum[0] += share * v.x;
        momentum[1] += share * v.y;
        momentum[2] += share * v.z;
        m->bounds = (sn_bounds){sn_min3(m->bounds.lower, x), sn_max3(m->bounds.upper, x)};
    }
    double inverse = mass > 0.0 ? 1.0 / mass : 0.0;
    m->mass = (float)mass;
    m->center =
        sn_v((float)(center[0] * inverse), (float)(center[1] * inverse), (float)(center[2] * inverse));
    m->velocity =
        sn_v((float)(momentum[0] * inverse), (float)(momentum[1] * inverse), (float)(momentum[2] * inverse));
}

static void measure_edges(const sn_world *world, const sn_deformable_data *data, sn_deformable_measure *m)
{
    const sn_mesh *mesh = data->def.mesh;
    double sum = 0.0;
    for (int i = 0; i < mesh->edge_count; ++i) {
        float rest = sn_mesh_edge_length(mesh, i) * data->def.scale;
        float length =
            sn_distance_between(at(world, data, mesh->edges[2 * i]), at(world, data, mesh->edges[2 * i + 1]));
        float stretch = sn_abs(length / rest - 1.0f);
        m->largest_stretch = sn_max(m->largest_stretch, stretch);
        sum += (double)stretch;
    }
    m->mean_stretch = mesh->edge_count > 0 ? (float)(sum / mesh->edge_count) : 0.0f;
}

static void measure_faces(const sn_world *world, const sn_deformable_data *data, sn_deformable_measure *m)
{
    const sn_mesh *mesh = data->def.mesh;
    sn_vec3 origin = at(world, data, 0);
    double area = 0.0, enclosed = 0.0, volume = 0.0;
    for (int i = 0; i < mesh->triangle_count; ++i) {
        const uint32_t *t = mesh->triangles + 3 * (size_t)i;
        sn_vec3 a = at(world, data, t[0]), b = at(world, data, t[1]), c = at(world, data, t[2]);
        area += 0.5 * (double)sn_length(sn_cross(sn_sub(b, a), sn_sub(c, a)));
        enclosed += volume6(origin, a, b, c) / 6.0;
    }
    for (int i = 0; i < mesh->tetrahedron_count; ++i) {
        const uint32_t *t = mesh->tetrahedra + 4 * (size_t)i;
        volume += volume6(at(world, data, t[0]), at(world, data, t[1]), at(world, data, t[2]),
                          at(world, data, t[3])) /
                  6.0;
    }
    float scale = data->def.scale;
    m->area = (float)area;
    m->volume = (float)(mesh->tetrahedron_count > 0 ? volume : mesh->closed ? enclosed : 0.0);
    m->rest_volume = sn_mesh_volume(mesh) * scale * scale * scale;
}

static void measure_rows(const sn_world *world, const sn_deformable_data *data, sn_deformable_measure *m)
{
    // As sn_softness_make and the staggered solver's own law have it (row_softness.h).
    float omega_h =
        world->def.solver == SN_SOLVER_STAGGERED ? 10.0f : 2.0f * SN_PI * world->def.constraint_stiffness;
    double rate = data->sub_step > 0.0f ? (double)(omega_h / data->sub_step) : 1.0e30;
    sn_element_measure sum = {.stiffest = rate * rate};
    for (int i = 0; i < data->groups.count; ++i) {
        const sn_element_group *group = &data->groups.data[i];
        if (group->kind->measure != NULL) {
            group->kind->measure(world->nodes.states.data, group->blocks, group->block_count, &sum);
        }
    }
    if (data->model_kind != NULL && data->model_kind->energy != NULL) {
        sum.energy += data->model_kind->energy(data->model, world->nodes.states.data + data->first_node);
    }
    m->elastic_energy = (float)sum.energy;
    if (sum.hard_edges > 0) {
        m->largest_stretch = (float)sum.largest_stretch;
        m->mean_stretch = (float)(sum.stretches / sum.hard_edges);
    }
}

sn_deformable_measure sn_deformable_measure_now(const sn_world *world, sn_deformable deformable)
{
    sn_deformable_measure m = {0};
    const sn_deformable_data *data = sn_world_deformable(world, deformable);
    if (data != NULL) {
        measure_nodes(world, data, &m);
        measure_edges(world, data, &m);
        measure_faces(world, data, &m);
        m.largest_strain = sn_deformable_largest_strain(data, world->nodes.states.data + data->first_node);
        measure_rows(world, data, &m);
    }
    return m;
}
