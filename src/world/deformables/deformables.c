// Adding and removing deformables.
#include "geometry/shapes/check.h"
#include "world/constraints/anchors.h"

#include <float.h>
#include <math.h>
#include <string.h>

sn_inextensible sn_inextensible_default(void)
{
    return (sn_inextensible){.side = SN_HOLD_BOTH, .max_force = INFINITY};
}

sn_edge_option sn_edge_option_default(void)
{
    return (sn_edge_option){.side = SN_HOLD_BOTH, .max_force = INFINITY};
}

sn_bending sn_bending_default(void)
{
    return (sn_bending){.type = SN_BENDING_NONE, .max_impulse = INFINITY};
}

sn_enclosure sn_enclosure_default(void)
{
    return (sn_enclosure){.scale = 1.0f};
}

sn_deformable_def sn_deformable_def_default(void)
{
    return (sn_deformable_def){.cookie = SN_COOKIE_DEFORMABLE,
                               .pose = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f, 1.0f}},
                               .scale = 1.0f,
                               .density = 1000.0f,
                               .inextensible = sn_inextensible_default(),
                               .bending = sn_bending_default(),
                               .enclosure = sn_enclosure_default(),
                               .friction = 0.5f,
                               .filter = sn_filter_default(),
                               .collide = true,
                               .gravity_scale = 1.0f,
                               .allow_sleep = true};
}

// --- thickness ---------------------------------------------------------------------------------------------

// As thick as surfaces are unless told otherwise, and the part of a face's shortest edge, on average, that
// they are at most: what is thicker would touch its own neighbourhood.
static const float usual_thickness = 0.01f, thickness_by_edge = 1.0f / 3.0f;

static float thickness_for(const sn_mesh *mesh, float scale)
{
    int triangles = mesh->triangle_count, count = triangles > 0 ? triangles : mesh->edge_count;
    double sum = 0.0;
    for (int i = 0; i < count; ++i) {
        const uint32_t *t = mesh->triangles + 3 * (size_t)i;
        float shortest = triangles > 0 ? FLT_MAX : sn_mesh_edge_length(mesh, i);
        for (int k = 0; k < 3 && triangles > 0; ++k) {
            shortest = sn_min(shortest, sn_distance_between(mesh->nodes[t[k]], mesh->nodes[t[(k + 1) % 3]]));
        }
        sum += (double)shortest;
    }
    float edge = count > 0 ? scale * (float)(sum / count) : FLT_MAX;
    return sn_clamp(thickness_by_edge * edge, SN_MIN_SIZE, usual_thickness);
}

// --- masses ------------------------------------------------------------------------------------------------

static void add_share(float *masses, const uint32_t *element, int width, float mass)
{
    for (int k = 0; k < width; ++k) {
        masses[element[k]] += mass / (float)width;
    }
}

// Lumped masses: every element gives equal shares to its nodes.
static void spread_density(const sn_mesh *mesh, float density, float scale, float *masses)
{
    if (mesh->tetrahedron_count > 0) {
        for (int i = 0; i < mesh->tetrahedron_count; ++i) {
            float volume = sn_mesh_tetrahedron_volume(mesh, i) * scale * scale * scale;
            add_share(masses, mesh->tetrahedra + 4 * (size_t)i, 4, density * volume);
        }
    } else if (mesh->triangle_count > 0) {
        for (int i = 0; i < mesh->triangle_count; ++i) {
            add_share(masses, mesh->triangles + 3 * (size_t)i, 3,
                      density * sn_mesh_triangle_area(mesh, i) * scale * scale);
        }
    } else {
        for (int i = 0; i < mesh->edge_count; ++i) {
            add_share(masses, mesh->edges + 2 * (size_t)i, 2, density * sn_mesh_edge_length(mesh, i) * scale);
        }
    }
}

static sn_status set_masses(const sn_deformable_data *data, const float *node_masses, sn_nodes *nodes,
                            sn_error *error, const char *object)
{
    const sn_deformable_def *def = &data->def;
    float *masses = nodes->masses.data + data->first_node;
    if (node_masses != NULL) {
        for (int i = 0; i < data->node_count; ++i) {
            masses[i] = node_masses[i] > 0.0f ? node_masses[i] : -1.0f;
        }
    } else {
        spread_density(def->mesh, def->density, def->scale, masses);
        double sum = 0.0;
        for (int i = 0; i < data->node_count; ++i) {
            sum += (double)masses[i];
        }
        for (int i = 0; i < data->node_count && def->mass > 0.0f; ++i) {
            masses[i] = (float)((double)masses[i] * ((double)def->mass / sum));
        }
    }
    for (int i = 0; i < data->node_count; ++i) {
        if (!(masses[i] == -1.0f || (masses[i] >= 1.0e-12f && masses[i] <= 1.0e12f))) {
            return sn_fail(error, SN_ERROR_RANGE, "%s: node %d weighs %g kg, expected 1e-12 to 1e12", object,
                           i, (double)masses[i]);
        }
        nodes->states.data[data->first_node + i].inverse_mass = masses[i] > 0.0f ? 1.0f / masses[i] : 0.0f;
    }
    return SN_OK;
}

// --- adding ------------------------------------------------------------------------------------------------

static sn_vec3 arm_of(const sn_deformable_def *def, int node)
{
    return sn_rotate(def->pose.rotation, sn_scale(def->mesh->nodes[node], def->scale));
}

sn_vec3 sn_deformable_rest_place(const sn_deformable_data *data, int node)
{
    return sn_add(data->def.pose.position, arm_of(&data->def, node));
}

static sn_status place_nodes(const sn_deformable_data *data, sn_nodes *nodes, sn_error *error,
                             const char *object)
{
    const sn_deformable_def *def = &data->def;
    for (int i = 0; i < data->node_count; ++i) {
        sn_vec3 arm = arm_of(def, i), position = sn_deformable_rest_place(data, i);
        sn_status status = sn_check_vec3(position, SN_MAX_COORDINATE, error, object, "position of a node");
        if (status != SN_OK) {
            return status;
        }
        int node = data->first_node + i;
        nodes->states.data[node].position = position;
        bool moves = nodes->states.data[node].inverse_mass > 0.0f;
        sn_vec3 velocity = sn_add(def->linear_velocity, sn_cross(def->angular_velocity, arm));
        nodes->velocities.data[node].velocity = moves ? velocity : sn_v(0.0f, 0.0f, 0.0f);
    }
    return SN_OK;
}

sn_status sn_deformable_fill(sn_deformable_data *data, sn_nodes *nodes, const float *node_masses,
                             sn_error *error, const char *object)
{
    sn_status status = set_masses(data, node_masses, nodes, error, object);
    status = status ? status : place_nodes(data, nodes, error, object);
    return status ? status : sn_deformable_build(data, nodes, error, object);
}

static sn_status take_nodes_and_fill(sn_world *world, sn_deformable_data *data, const float *node_masses,
                                     const char *object)
{
    data->node_count = data->def.mesh->node_count;
    data->first_node = sn_nodes_take(&world->nodes, data->node_count);
    if (data->first_node < 0) {
        return sn_fail(world->error, SN_ERROR_MEMORY, "%s: out of memory for its nodes", object);
    }
    sn_status status = sn_deformable_fill(data, &world->nodes, node_masses, world->error, object);
    if (status != SN_OK) {
        sn_nodes_give_back(&world->nodes, data->first_node, data->node_count);
    }
    return status;
}

static sn_status check_def(const sn_deformable_def *def, sn_error *error)
{
    if (def == NULL) {
        return sn_fail(error, SN_ERROR_NULL, "deformable: definition is null");
    }
    if (def->cookie != SN_COOKIE_DEFORMABLE) {
        return sn_fail(error, SN_ERROR_DEFINITION,
                       "deformable: definition does not come from sn_deformable_def_default");
    }
    return SN_OK;
}

sn_status sn_deformable_add(sn_world *world, const sn_deformable_def *def, sn_deformable *deformable)
{
    if (deformable != NULL) {
        *deformable = (sn_deformable){0};
    }
    sn_status status = sn_world_check_open(world, "sn_deformable_add");
    status = status ? status : check_def(def, world->error);
    sn_deformable_data data = {0};
    char text[SN_MAX_NAME + 1];
    status = status ? status : sn_name_copy(text, def->name, world->error, "deformable");
    if (status != SN_OK) {
        return status;
    }
    sn_label label = sn_label_make("deformable", text, -1);
    sn_deformable_def checked = *def;
    sn_deformable_forget_ignored(&checked);
    if (checked.thickness == 0.0f && checked.mesh != NULL) {
        checked.thickness = thickness_for(checked.mesh, checked.scale);
    }
    data.def = checked;
    data.def.name = NULL;
    data.def.node_masses = NULL;
    status = sn_deformable_check(&checked, world->error, label.text);
    if (status != SN_OK) {
        return status;
    }
    data.def.pose = checked.pose;
    if (!sn_id_pool_reserve(&world->deformable_ids) ||
        !sn_array_reserve(&world->deformables, world->deformables.count + 1) ||
        !sn_world_reserve_lists(world) || !sn_name_set(&data.name, text)) {
        return sn_fail(world->error, SN_ERROR_MEMORY, "%s: out of memory", label.text);
    }
    sn_mesh_retain(def->mesh);
    status = sn_deformable_keep_options(&data)
                 ? take_nodes_and_fill(world, &data, def->node_masses, label.text)
                 : sn_fail(world->error, SN_ERROR_MEMORY, "%s: out of memory", label.text);
    if (status != SN_OK) {
        sn_name_release(&data.name);
        sn_deformable_release(&data);
        return status;
    }
    data.island_next = data.first_constraint = -1;
    data.edited = true;
    data.bounds = sn_deformable_bounds(world, &data);
    data.edited = false;
    int index = sn_id_pool_take(&world->deformable_ids);
    world->deformables.count = index >= world->deformables.count ? index + 1 : world->deformables.count;
    world->deformables.data[index] = data;
    if (deformable != NULL) {
        *deformable = sn_deformable_id(world, index);
    }
    return SN_OK;
}

sn_status sn_deformable_remove(sn_world *world, sn_deformable deformable)
{
    sn_status status = sn_world_check_open(world, "sn_deformable_remove");
    sn_deformable_data *data = status ? NULL : sn_world_deformable(world, deformable);
    if (data == NULL) {
        return status ? status : SN_ERROR_ID;
    }
    int index = (int)(data - world->deformables.data);
    sn_world_wake_neighbors(world, sn_soft_member(index));
    sn_world_wake_deformable(world, index); // and with it the island it leaves
    sn_world_constraints_drop(world, sn_soft_member(index));
    sn_nodes_give_back(&world->nodes, data->first_node, data->node_count);
    sn_name_release(&data->name);
    sn_deformable_release(data);
    world->soft.asleep_count = 0;
    sn_id_pool_give_back(&world->deformable_ids, index);
    memset(data, 0, sizeof *data);
    return SN_OK;
}
