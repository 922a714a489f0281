// Kinds of constraints that users define.
// Tested by tests/world/constraints/test_custom.c.
#include "world/core/world.h"

#include <string.h>

static int find_custom_kind(const sn_world *world, const char *name)
{
    for (int i = 0; i < world->custom_kinds.count; ++i) {
        if (strcmp(world->custom_kinds.data[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

sn_status sn_custom_register(sn_world *world, const char *kind_name, sn_row_function function, int data_size)
{
    sn_status status = sn_world_check_open(world, "sn_custom_register");
    if (status != SN_OK) {
        return status;
    }
    sn_custom_kind kind = {.function = function, .data_size = data_size};
    if (function == NULL || kind_name == NULL) {
        return sn_fail(world->error, SN_ERROR_NULL, "custom kind: %s is null",
                       function == NULL ? "function" : "name");
    }
    status = sn_name_copy(kind.name, kind_name, world->error, "custom kind");
    if (status != SN_OK) {
        return status;
    }
    if (kind_name[0] == '\0' || find_custom_kind(world, kind_name) >= 0) {
        return sn_fail(world->error, SN_ERROR_NAME, "custom kind: name '%s' is %s, expected a new one",
                       kind_name, kind_name[0] == '\0' ? "empty" : "already registered");
    }
    if (data_size < 0 || data_size > SN_MAX_CUSTOM_DATA) {
        return sn_fail(world->error, SN_ERROR_RANGE, "custom kind '%s': data_size is %d, expected 0 to %d",
                       kind_name, data_size, SN_MAX_CUSTOM_DATA);
    }
    if (world->custom_kinds.count == SN_MAX_CUSTOM_KINDS) {
        return sn_fail(world->error, SN_ERROR_CAPACITY,
                       "custom kind '%s': %d are registered already, which is the limit", kind_name,
                       SN_MAX_CUSTOM_KINDS);
    }
    if (!sn_array_push(&world->custom_kinds, kind)) {
        return sn_fail(world->error, SN_ERROR_MEMORY, "custom kind '%s': out of memory", kind_name);
    }
    return SN_OK;
}

sn_status sn_custom_add(sn_world *world, const sn_custom_def *def, sn_constraint *constraint)
{
    if (constraint != NULL) {
        *constraint = (sn_constraint){0};
    }
    sn_status status = sn_world_check_open(world, "sn_custom_add");
    if (status != SN_OK) {
        return status;
    }
    // Checked before its pointers are used.
    status = sn_constraint_check_origin(world, SN_CUSTOM, def);
    if (status != SN_OK) {
        return status;
    }
    if (def->kind_name == NULL) {
        return sn_fail(world->error, SN_ERROR_NULL, "custom: kind_name is null, expected a registered name");
    }
    int kind = find_custom_kind(world, def->kind_name);
    if (kind < 0) {
        return sn_fail(world->error, SN_ERROR_NAME,
                       "custom: kind_name is '%s', expected one registered with sn_custom_register",
                       def->kind_name);
    }
    if (world->custom_kinds.data[kind].data_size > 0 && def->data == NULL) {
        return sn_fail(world->error, SN_ERROR_NULL, "custom of kind '%s': data is null, expected %d bytes",
                       def->kind_name, world->custom_kinds.data[kind].data_size);
    }
    return sn_world_constraint_add(world, SN_CUSTOM, def, kind, constraint);
}

sn_status sn_custom_data_set(sn_world *world, sn_constraint constraint, const void *data)
{
    sn_constraint_data *target;
    sn_status status = sn_world_check_open(world, "sn_custom_data_set");
    status = status ? status : sn_world_constraint_of_kind(world, constraint, SN_CUSTOM, &target);
    if (status != SN_OK) {
        return status;
    }
    int size = world->custom_kinds.data[target->custom_kind].data_size;
    if (size > 0 && data == NULL) {
        return sn_fail(world->error, SN_ERROR_NULL, "custom: data is null, expected %d bytes", size);
    }
    if (size > 0) {
        memcpy(target->custom_data, data, (size_t)size);
    }
    sn_constraint_forget(target);
    int index = (int)(target - world->constraints.data);
    sn_world_wake_ends(world, index);
    return SN_OK;
}
