// Questions about deformables, changing their nodes, waking them and putting them to sleep.
#include "geometry/shapes/check.h"
#include "world/exact/exact_plan.h"

// A function that answers VALUE of the deformable `data`, or OTHERWISE for an id that names none.
#define ASK(TYPE, FUNCTION, VALUE, OTHERWISE)                                                                \
    TYPE FUNCTION(const sn_world *world, sn_deformable deformable)                                           \
    {                                                                                                        \
        const sn_deformable_data *data = sn_world_deformable(world, deformable);                             \
        return data != NULL ? (VALUE) : (OTHERWISE);                                                         \
    }

ASK(const sn_mesh *, sn_deformable_mesh, data->def.mesh, NULL)
ASK(const char *, sn_deformable_name, data->name != NULL ? data->name : "", "")
ASK(void *, sn_deformable_user, data->def.user, NULL)
ASK(int, sn_deformable_node_count, data->node_count, 0)
ASK(const sn_node_state *, sn_deformable_nodes, world->nodes.states.data + data->first_node, NULL)
ASK(const sn_node_velocity *, sn_deformable_velocities, world->nodes.velocities.data + data->first_node, NULL)
ASK(int, sn_deformable_frozen_count, data->frozen_count, 0)
ASK(bool, sn_deformable_is_awake, !sn_deformable_sleeps(data), false)

sn_deformable_def sn_deformable_definition(const sn_world *world, sn_deformable deformable)
{
    const sn_deformable_data *data = sn_world_deformable(world, deformable);
    if (data == NULL) {
        return (sn_deformable_def){0};
    }
    sn_deformable_def def = data->def;
    def.name = data->name;
    return def;
}

sn_status sn_deformable_edit(sn_world *world, sn_deformable deformable, sn_node_state **nodes,
                             sn_node_velocity **velocities)
{
    sn_status status = sn_world_check_open(world, "sn_deformable_edit");
    sn_deformable_data *data = status ? NULL : sn_world_deformable(world, deformable);
    if (data == NULL) {
        return status ? status : SN_ERROR_ID;
    }
    if (nodes == NULL || velocities == NULL) {
        return sn_fail(world->error, SN_ERROR_NULL, "sn_deformable_edit: nodes or velocities is null");
    }
    data->edited = true;
    world->exact->is_edited = true;
    sn_world_wake_deformable(world, (int)(data - world->deformables.data));
    *nodes = world->nodes.states.data + data->first_node;
    *velocities = world->nodes.velocities.data + data->first_node;
    return SN_OK;
}

// The number in the world of a node that is to be changed; −1 with a message.
static int find_node(sn_world *world, sn_deformable deformable, int node, const char *function,
                     sn_status *status)
{
    *status = sn_world_check_open(world, function);
    const sn_deformable_data *data = *status ? NULL : sn_world_deformable(world, deformable);
    if (data == NULL) {
        *status = *status ? *status : SN_ERROR_ID;
        return -1;
    }
    if (node < 0 || node >= data->node_count) {
        *status = sn_fail(world->error, SN_ERROR_RANGE, "%s: node is %d, expected 0 to %d", function, node,
                          data->node_count - 1);
        return -1;
    }
    return data->first_node + node;
}

sn_status sn_node_fix(sn_world *world, sn_deformable deformable, int node, bool fixed)
{
    sn_status status;
    int index = find_node(world, deformable, node, "sn_node_fix", &status);
    if (index < 0) {
        return status;
    }
    float mass = world->nodes.masses.data[index];
    if (!fixed && mass < 0.0f) {
        return sn_fail(world->error, SN_ERROR_RANGE,
                       "sn_node_fix: node %d has no mass of its own, expected one to let go of", node);
    }
    sn_deformable_data *data = &world->deformables.data[deformable.index - 1];
    data->frozen_count -= world->nodes.frozen.data[index];
    world->nodes.frozen.data[index] = 0;
    sn_world_wake_pushed(world, sn_soft_member((int)deformable.index - 1));
    world->nodes.states.data[index].inverse_mass = fixed ? 0.0f : 1.0f / mass;
    world->nodes.velocities.data[index].velocity = sn_v(0.0f, 0.0f, 0.0f);
    world->nodes.has_target.data[index] = 0;
    world->active.holds_fresh = false;
    sn_world_forget_exact(world);
    return SN_OK;
}

sn_status sn_node_target_set(sn_world *world, sn_deformable deformable, int node, sn_vec3 target)
{
    sn_status status;
    int index = find_node(world, deformable, node, "sn_node_target_set", &status);
    if (index < 0) {
        return status;
    }
    bool is_free = world->nodes.states.data[index].inverse_mass > 0.0f;
    if (is_free || world->nodes.frozen.data[index]) {
        return sn_fail(world->error, SN_ERROR_KIND, "sn_node_target_set: node %d is %s, expected a fixed one",
                       node, is_free ? "free" : "frozen");
    }
    status = sn_check_vec3(target, SN_MAX_COORDINATE, world->error, "sn_node_target_set", "target");
    if (status == SN_OK) {
        sn_world_wake_deformable(world, (int)deformable.index - 1);
        world->nodes.targets.data[index] = target;
        world->nodes.has_target.data[index] = 1;
    }
    return status;
}

sn_status sn_node_force_add(sn_world *world, sn_deformable deformable, int node, sn_vec3 force)
{
    sn_status status;
    int index = find_node(world, deformable, node, "sn_node_force_add", &status);
    if (index < 0) {
        return status;
    }
    status = sn_check_vec3(force, 1.0e15f, world->error, "sn_node_force_add", "force");
    if (status == SN_OK) {
        sn_world_wake_pushed(world, sn_soft_member((int)deformable.index - 1));
        world->nodes.forces.data[index] = sn_add(world->nodes.forces.data[index], force);
    }
    return status;
}

bool sn_node_is_frozen(const sn_world *world, sn_deformable deformable, int node)
{
    const sn_deformable_data *data = sn_world_deformable(world, deformable);
    return data != NULL && node >= 0 && node < data->node_count &&
           world->nodes.frozen.data[data->first_node + node] != 0;
}

// --- sleep -------------------------------------------------------------------------------------------------

sn_status sn_deformable_awake_set(sn_world *world, sn_deformable deformable, bool awake)
{
    sn_status status = sn_world_check_open(world, "sn_deformable_awake_set");
    const sn_deformable_data *data = status ? NULL : sn_world_deformable(world, deformable);
    if (data == NULL) {
        return status ? status : SN_ERROR_ID;
    }
    int index = (int)(data - world->deformables.data);
    if (awake) {
        sn_world_wake_deformable(world, index);
    } else if (!sn_deformable_sleeps(data) && !sn_world_sleep_island_of(world, sn_soft_member(index))) {
        sn_label label = sn_deformable_label(world, index);
        return sn_fail(world->error, SN_ERROR_MEMORY, "%s: out of memory", label.text);
    }
    return SN_OK;
}
