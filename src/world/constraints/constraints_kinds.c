// Constraints by their kinds: the functions of each kind, and those that take any kind's definition.
#include "world/core/world.h"

#include <string.h>

_Static_assert(sizeof(sn_definition) <= SN_MAX_CONSTRAINT_DEF, "the public limit holds every definition");

static bool is_kind(sn_constraint_kind kind)
{
    // Compared as an unsigned number: callers may pass any value, and the compiler chooses the enum's sign.
    return (unsigned)kind < SN_CONSTRAINT_KIND_COUNT;
}

static sn_status add(sn_world *world, sn_constraint_kind kind, const void *def, sn_constraint *out)
{
    if (out != NULL) {
        *out = (sn_constraint){0};
    }
    sn_status status = sn_world_check_open(world, sn_kinds[kind]->name);
    return status ? status : sn_world_constraint_add(world, kind, def, -1, out);
}

// Zeros with a message for a constraint of another kind.
static sn_definition definition_of(const sn_world *world, sn_constraint constraint, sn_constraint_kind kind)
{
    sn_constraint_data *data;
    sn_definition definition;
    memset(&definition, 0, sizeof definition);
    if (sn_world_constraint_of_kind(world, constraint, kind, &data) == SN_OK) {
        definition = data->definition;
        definition.common.name = data->name;
    }
    return definition;
}

#define FUNCTIONS(KIND, kind)                                                                                \
    sn_status sn_##kind##_add(sn_world *world, const sn_##kind##_def *def, sn_constraint *constraint)        \
    {                                                                                                        \
        return add(world, SN_##KIND, def, constraint);                                                       \
    }                                                                                                        \
    sn_status sn_##kind##_set(sn_world *world, sn_constraint constraint, const sn_##kind##_def *def)         \
    {                                                                                                        \
        return sn_world_constraint_set(world, constraint, SN_##KIND, def);                                   \
    }                                                                                                        \
    sn_##kind##_def sn_##kind##_definition(const sn_world *world, sn_constraint constraint)                  \
    {                                                                                                        \
        return definition_of(world, constraint, SN_##KIND).kind;                                             \
    }
SN_KIND_LIST(FUNCTIONS)

sn_constraint_common sn_constraint_definition(const sn_world *world, sn_constraint constraint)
{
    const sn_constraint_data *data = sn_world_constraint(world, constraint);
    sn_constraint_common common = {0};
    if (data != NULL) {
        common = data->definition.common;
        common.name = data->name;
    }
    return common;
}

// --- any kind ------------------------------------------------------------------------------------

int sn_constraint_kind_fields(sn_constraint_kind kind, const sn_constraint_field **fields)
{
    if (fields != NULL) {
        *fields = is_kind(kind) ? sn_kinds[kind]->fields : NULL;
    }
    return is_kind(kind) ? sn_kinds[kind]->field_count : 0;
}

const char *sn_constraint_kind_text(sn_constraint_kind kind)
{
    return is_kind(kind) ? sn_kinds[kind]->text : "";
}

size_t sn_constraint_kind_size(sn_constraint_kind kind)
{
    return is_kind(kind) ? sn_kinds[kind]->definition_size : 0;
}

static sn_status check_kind(sn_error *error, sn_constraint_kind kind, const void *def, const char *function)
{
    if (!is_kind(kind)) {
        return sn_fail(error, SN_ERROR_KIND, "%s: kind is %d, expected one of sn_constraint_kind", function,
                       (int)kind);
    }
    return def != NULL ? SN_OK : sn_fail(error, SN_ERROR_NULL, "%s: definition is null", function);
}

bool sn_constraint_needs_frame(sn_constraint_kind kind, const void *def, int end)
{
    sn_definition definition;
    if (check_kind(NULL, kind, def, "sn_constraint_needs_frame") != SN_OK || end < 0 || end > 1) {
        return false;
    }
    memset(&definition, 0, sizeof definition);
    memcpy(&definition, def, sn_kinds[kind]->definition_size);
    return sn_definition_needs_frame(sn_kinds[kind], &definition, end);
}

sn_status sn_constraint_def_default(sn_constraint_kind kind, void *def)
{
    sn_status status = check_kind(NULL, kind, def, "sn_constraint_def_default");
    if (status == SN_OK) {
        sn_definition definition = sn_definition_default(sn_kinds[kind]);
        memcpy(def, &definition, sn_kinds[kind]->definition_size);
    }
    return status;
}

sn_status sn_constraint_add(sn_world *world, sn_constraint_kind kind, const void *def,
                            sn_constraint *constraint)
{
    if (kind == SN_CUSTOM) {
        return sn_custom_add(world, def, constraint);
    }
    if (!is_kind(kind)) {
        return check_kind(world != NULL ? world->error : NULL, kind, def, "sn_constraint_add");
    }
    return add(world, kind, def, constraint);
}

// The constraint, if its definition describes it completely: a custom one has data as well.
static sn_status plain_constraint(const sn_world *world, sn_constraint constraint, sn_constraint_data **data)
{
    *data = sn_world_constraint(world, constraint);
    if (*data == NULL) {
        return world != NULL ? SN_ERROR_ID : SN_ERROR_NULL;
    }
    if ((*data)->kind == SN_CUSTOM) {
        sn_label label = sn_constraint_label(world, (int)(*data - world->constraints.data));
        return sn_fail(world->error, SN_ERROR_KIND, "%s: expected a kind of the library", label.text);
    }
    return SN_OK;
}

sn_status sn_constraint_def_set(sn_world *world, sn_constraint constraint, const void *def)
{
    sn_constraint_data *data;
    sn_status status = plain_constraint(world, constraint, &data);
    return status ? status : sn_world_constraint_set(world, constraint, data->kind, def);
}

sn_status sn_constraint_def_get(const sn_world *world, sn_constraint constraint, void *def)
{
    sn_constraint_data *data;
    sn_status status = plain_constraint(world, constraint, &data);
    if (status == SN_OK && def == NULL) {
        status = sn_fail(world->error, SN_ERROR_NULL, "sn_constraint_def_get: definition is null");
    }
    if (status == SN_OK) {
        sn_definition definition = definition_of(world, constraint, data->kind);
        memcpy(def, &definition, sn_kinds[data->kind]->definition_size);
    }
    return status;
}
