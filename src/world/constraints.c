// Constraints come, go and change. All kinds share everything here but their definitions, which sn_kinds
// describes.
#include "geometry/check.h"
#include "world/world.h"

#include <string.h>

// --- checking -----------------------------------------------------------------------------------

static sn_status check_bodies(const sn_world *world, const sn_constraint_common *common, const char *object)
{
    const sn_body *a = sn_world_body(world, common->a);
    const sn_body *b = a ? sn_world_body(world, common->b) : NULL;
    if (b == NULL) {
        return SN_ERROR_ID;
    }
    if (a == b) {
        sn_label label = sn_body_label(world, sn_body_index(world, a));
        return sn_fail(world->error, SN_ERROR_SAME_BODY, "%s: a and b are both %s, expected different bodies",
                       object, label.text);
    }
    if (a->type != SN_DYNAMIC && b->type != SN_DYNAMIC) {
        sn_label label_a = sn_body_label(world, sn_body_index(world, a)),
                 label_b = sn_body_label(world, sn_body_index(world, b));
        return sn_fail(world->error, SN_ERROR_IMMOVABLE,
                       "%s: neither %s nor %s can move, expected one dynamic body", object, label_a.text,
                       label_b.text);
    }
    return SN_OK;
}

// Whether there is a definition, and from the kind's default function. All begin with `common`.
static sn_status check_origin(const sn_world *world, sn_constraint_kind kind, const void *def)
{
    if (def == NULL) {
        return sn_fail(world->error, SN_ERROR_NULL, "%s: definition is null", sn_kinds[kind].name);
    }
    if (((const sn_constraint_common *)def)->cookie != sn_kinds[kind].cookie) {
        return sn_fail(world->error, SN_ERROR_DEFINITION,
                       "%s: definition does not come from its default function", sn_kinds[kind].name);
    }
    return SN_OK;
}

// Copies a user's definition of `kind` and checks all of it; normalises rotations.
static sn_status take_definition(const sn_world *world, sn_constraint_kind kind, const void *def,
                                 sn_definition *definition)
{
    sn_status status = check_origin(world, kind, def);
    if (status != SN_OK) {
        return status;
    }
    memset(definition, 0, sizeof *definition);
    memcpy(definition, def, sn_kinds[kind].definition_size);
    sn_label label = sn_label_make(sn_kinds[kind].name, definition->common.name, -1);
    status = check_bodies(world, &definition->common, label.text);
    status = status ? status : sn_common_check(&definition->common, world->error, label.text);
    return status ? status : sn_kinds[kind].check(definition, world->error, label.text);
}

// --- adding and removing -------------------------------------------------------------------------

// Bodies that may no longer touch lose their contacts; both wake.
static void connect(sn_world *world, int index)
{
    const sn_constraint_data *data = &world->constraints.data[index];
    if (!data->definition.common.collide_connected) {
        sn_world_contacts_remove(world, data->body_a, data->body_b, -1);
    }
    sn_world_wake(world, data->body_a);
    sn_world_wake(world, data->body_b);
}

static void find_partners_again(sn_world *world, int body)
{
    for (int i = world->bodies.data[body].first_shape; i >= 0; i = world->shapes.data[i].next) {
        sn_world_shape_refresh(world, i);
    }
}

// Bodies that may touch again must find each other again.
static void disconnect(sn_world *world, int index)
{
    const sn_constraint_data *data = &world->constraints.data[index];
    sn_world_wake(world, data->body_a);
    sn_world_wake(world, data->body_b);
    if (!data->definition.common.collide_connected) {
        // The moving one suffices; the ground may have ten thousand shapes.
        bool a_moves = world->bodies.data[data->body_a].type == SN_DYNAMIC;
        find_partners_again(world, a_moves ? data->body_a : data->body_b);
    }
}

// The definition, and the user's data moved to where the world keeps them.
static void keep(const sn_world *world, sn_constraint_data *data, const sn_definition *definition)
{
    data->definition = *definition;
    data->definition.common.name = NULL;
    if (data->kind == SN_CUSTOM) {
        int size = world->custom_kinds.data[data->custom_kind].data_size;
        memset(data->custom_data, 0, sizeof data->custom_data);
        if (size > 0) {
            memcpy(data->custom_data, definition->custom.data, (size_t)size);
        }
        data->definition.custom.kind_name = NULL;
        data->definition.custom.data = NULL;
    }
    memset(data->impulses, 0, sizeof data->impulses);
}

static sn_status add(sn_world *world, sn_constraint_kind kind, const void *def, int custom_kind,
                     sn_constraint *out)
{
    sn_definition definition;
    char text[SN_MAX_NAME + 1], *name = NULL;
    sn_status status = take_definition(world, kind, def, &definition);
    status = status ? status : sn_name_copy(text, definition.common.name, world->error, sn_kinds[kind].name);
    if (status != SN_OK) {
        return status;
    }
    if (!sn_id_pool_reserve(&world->constraint_ids) ||
        !sn_array_reserve(&world->constraints, world->constraints.count + 1) ||
        !sn_world_reserve_lists(world) || !sn_name_set(&name, text)) {
        return sn_fail(world->error, SN_ERROR_MEMORY, "%s: out of memory", sn_kinds[kind].name);
    }
    int index = sn_id_pool_take(&world->constraint_ids);
    world->constraints.count = index >= world->constraints.count ? index + 1 : world->constraints.count;
    sn_constraint_data *data = &world->constraints.data[index];
    memset(data, 0, sizeof *data);
    data->kind = kind;
    data->custom_kind = custom_kind;
    data->body_a = (int)definition.common.a.index - 1;
    data->body_b = (int)definition.common.b.index - 1;
    data->name = name;
    keep(world, data, &definition);
    sn_world_constraint_link(world, index);
    connect(world, index);
    if (out != NULL) {
        *out = sn_constraint_id(world, index);
    }
    return SN_OK;
}

static sn_status add_checked(sn_world *world, sn_constraint_kind kind, const void *def, sn_constraint *out)
{
    if (out != NULL) {
        *out = (sn_constraint){0};
    }
    sn_status status = sn_world_check_open(world, sn_kinds[kind].name);
    return status ? status : add(world, kind, def, -1, out);
}

sn_status sn_ball_add(sn_world *world, const sn_ball_def *def, sn_constraint *constraint)
{
    return add_checked(world, SN_BALL, def, constraint);
}

sn_status sn_hinge_add(sn_world *world, const sn_hinge_def *def, sn_constraint *constraint)
{
    return add_checked(world, SN_HINGE, def, constraint);
}

sn_status sn_slider_add(sn_world *world, const sn_slider_def *def, sn_constraint *constraint)
{
    return add_checked(world, SN_SLIDER, def, constraint);
}

sn_status sn_fixed_add(sn_world *world, const sn_fixed_def *def, sn_constraint *constraint)
{
    return add_checked(world, SN_FIXED, def, constraint);
}

sn_status sn_distance_add(sn_world *world, const sn_distance_def *def, sn_constraint *constraint)
{
    return add_checked(world, SN_DISTANCE, def, constraint);
}

void sn_world_constraint_drop(sn_world *world, int index)
{
    disconnect(world, index);
    sn_world_constraint_unlink(world, index);
    sn_name_release(&world->constraints.data[index].name);
    sn_id_pool_give_back(&world->constraint_ids, index);
}

sn_status sn_constraint_remove(sn_world *world, sn_constraint constraint)
{
    sn_status status = sn_world_check_open(world, "sn_constraint_remove");
    sn_constraint_data *data = status ? NULL : sn_world_constraint(world, constraint);
    if (data == NULL) {
        return status ? status : SN_ERROR_ID;
    }
    sn_world_constraint_drop(world, (int)(data - world->constraints.data));
    return SN_OK;
}

// --- changing and asking -------------------------------------------------------------------------

// The constraint, if it is of that kind.
static sn_status of_kind(const sn_world *world, sn_constraint constraint, sn_constraint_kind kind,
                         sn_constraint_data **data)
{
    *data = sn_world_constraint(world, constraint);
    if (*data == NULL) {
        return world != NULL ? SN_ERROR_ID : SN_ERROR_NULL;
    }
    if ((*data)->kind != kind) {
        sn_label label = sn_constraint_label(world, (int)(*data - world->constraints.data));
        return sn_fail(world->error, SN_ERROR_KIND, "%s is no %s", label.text, sn_kinds[kind].name);
    }
    return SN_OK;
}

static sn_status set(sn_world *world, sn_constraint constraint, sn_constraint_kind kind, const void *def)
{
    sn_constraint_data *data;
    sn_definition definition;
    char text[SN_MAX_NAME + 1];
    sn_status status = sn_world_check_open(world, sn_kinds[kind].name);
    status = status ? status : of_kind(world, constraint, kind, &data);
    if (status != SN_OK) {
        return status;
    }
    if (def != NULL) {
        // The bodies stay what they are, whatever the definition says.
        memcpy(&definition, def, sn_kinds[kind].definition_size);
        definition.common.a = sn_rigid_id(world, data->body_a);
        definition.common.b = sn_rigid_id(world, data->body_b);
        def = &definition;
    }
    sn_definition taken;
    status = take_definition(world, kind, def, &taken);
    status = status ? status : sn_name_copy(text, taken.common.name, world->error, sn_kinds[kind].name);
    if (status != SN_OK) {
        return status;
    }
    if (!sn_name_set(&data->name, text)) {
        return sn_fail(world->error, SN_ERROR_MEMORY, "%s: out of memory", sn_kinds[kind].name);
    }
    int index = (int)(data - world->constraints.data);
    disconnect(world, index);
    keep(world, data, &taken);
    connect(world, index);
    return SN_OK;
}

sn_status sn_ball_set(sn_world *world, sn_constraint constraint, const sn_ball_def *def)
{
    return set(world, constraint, SN_BALL, def);
}

sn_status sn_hinge_set(sn_world *world, sn_constraint constraint, const sn_hinge_def *def)
{
    return set(world, constraint, SN_HINGE, def);
}

sn_status sn_slider_set(sn_world *world, sn_constraint constraint, const sn_slider_def *def)
{
    return set(world, constraint, SN_SLIDER, def);
}

sn_status sn_fixed_set(sn_world *world, sn_constraint constraint, const sn_fixed_def *def)
{
    return set(world, constraint, SN_FIXED, def);
}

sn_status sn_distance_set(sn_world *world, sn_constraint constraint, const sn_distance_def *def)
{
    return set(world, constraint, SN_DISTANCE, def);
}

// Zeros with a message for a constraint of another kind.
static sn_definition definition_of(const sn_world *world, sn_constraint constraint, sn_constraint_kind kind)
{
    sn_constraint_data *data;
    sn_definition definition;
    memset(&definition, 0, sizeof definition);
    if (of_kind(world, constraint, kind, &data) == SN_OK) {
        definition = data->definition;
        definition.common.a = sn_rigid_id(world, data->body_a);
        definition.common.b = sn_rigid_id(world, data->body_b);
        definition.common.name = data->name;
    }
    return definition;
}

sn_ball_def sn_ball_definition(const sn_world *world, sn_constraint constraint)
{
    return definition_of(world, constraint, SN_BALL).ball;
}

sn_hinge_def sn_hinge_definition(const sn_world *world, sn_constraint constraint)
{
    return definition_of(world, constraint, SN_HINGE).hinge;
}

sn_slider_def sn_slider_definition(const sn_world *world, sn_constraint constraint)
{
    return definition_of(world, constraint, SN_SLIDER).slider;
}

sn_fixed_def sn_fixed_definition(const sn_world *world, sn_constraint constraint)
{
    return definition_of(world, constraint, SN_FIXED).fixed;
}

sn_distance_def sn_distance_definition(const sn_world *world, sn_constraint constraint)
{
    return definition_of(world, constraint, SN_DISTANCE).distance;
}

sn_status sn_hinge_motor_set(sn_world *world, sn_constraint constraint, bool on, float speed, float torque)
{
    sn_constraint_data *data;
    sn_status status = sn_world_check_open(world, "sn_hinge_motor_set");
    status = status ? status : of_kind(world, constraint, SN_HINGE, &data);
    if (status != SN_OK) {
        return status;
    }
    sn_hinge_def def = sn_hinge_definition(world, constraint);
    def.motor = on;
    def.motor_speed = speed;
    def.motor_torque = torque;
    return sn_hinge_set(world, constraint, &def);
}

sn_status sn_slider_motor_set(sn_world *world, sn_constraint constraint, bool on, float speed, float force)
{
    sn_constraint_data *data;
    sn_status status = sn_world_check_open(world, "sn_slider_motor_set");
    status = status ? status : of_kind(world, constraint, SN_SLIDER, &data);
    if (status != SN_OK) {
        return status;
    }
    sn_slider_def def = sn_slider_definition(world, constraint);
    def.motor = on;
    def.motor_speed = speed;
    def.motor_force = force;
    return sn_slider_set(world, constraint, &def);
}

// --- kinds of the user's own ---------------------------------------------------------------------

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
    // Before its pointers are followed.
    status = check_origin(world, SN_CUSTOM, def);
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
    return add(world, SN_CUSTOM, def, kind, constraint);
}

sn_status sn_custom_data_set(sn_world *world, sn_constraint constraint, const void *data)
{
    sn_constraint_data *target;
    sn_status status = sn_world_check_open(world, "sn_custom_data_set");
    status = status ? status : of_kind(world, constraint, SN_CUSTOM, &target);
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
    memset(target->impulses, 0, sizeof target->impulses);
    sn_world_wake(world, target->body_a);
    sn_world_wake(world, target->body_b);
    return SN_OK;
}
