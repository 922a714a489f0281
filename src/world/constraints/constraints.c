// Adding, removing, changing constraints and switching them on and off: the same for all kinds, whose
// definitions sn_kinds describes.
// Tested by tests/world/constraints/test_ends.c.
#include "world/exact/exact_plan.h"

#include <math.h>
#include <string.h>

// --- checking -----------------------------------------------------------------------------------

// Whether there is a definition, and from the kind's default function. All begin with `common`.
sn_status sn_constraint_check_origin(const sn_world *world, sn_constraint_kind kind, const void *def)
{
    if (def == NULL) {
        return sn_fail(world->error, SN_ERROR_NULL, "%s: definition is null", sn_kinds[kind]->name);
    }
    if (((const sn_constraint_common *)def)->cookie != sn_kinds[kind]->cookie) {
        return sn_fail(world->error, SN_ERROR_DEFINITION,
                       "%s: definition does not come from its default function", sn_kinds[kind]->name);
    }
    return SN_OK;
}

// Checks all of a definition but its name; normalises rotations.
static sn_status check_definition(const sn_world *world, sn_constraint_kind kind, sn_definition *definition,
                                  const char *object)
{
    sn_status status = sn_constraint_check_ends(world, kind, definition, object);
    status = status ? status : sn_common_check(&definition->common, world->error, object);
    if (status == SN_OK && kind != SN_CUSTOM) {
        status = sn_definition_check(sn_kinds[kind], definition, world->error, object);
    }
    return status;
}

// Copies a user's definition of `kind` and checks all of it; normalises rotations.
static sn_status take_definition(const sn_world *world, sn_constraint_kind kind, const void *def,
                                 sn_definition *definition)
{
    sn_status status = sn_constraint_check_origin(world, kind, def);
    if (status != SN_OK) {
        return status;
    }
    memset(definition, 0, sizeof *definition);
    memcpy(definition, def, sn_kinds[kind]->definition_size);
    sn_label label = sn_label_make(sn_kinds[kind]->name, definition->common.name, -1);
    status = check_definition(world, kind, definition, label.text);
    return status ? status : sn_constraint_check_mobility(world, definition, label.text);
}

// --- adding and removing -------------------------------------------------------------------------

bool sn_constraint_holds(const sn_world *world, int index)
{
    const sn_constraint_common *common = &world->constraints.data[index].definition.common;
    return common->active && world->time >= (double)common->active_from &&
           world->time < (double)common->active_until;
}

static bool is_soft(const sn_point *point)
{
    return point->type == SN_POINT_NODES || point->type == SN_POINT_SURFACE;
}

bool sn_constraint_is_planned(const sn_constraint_data *data)
{
    const sn_constraint_common *common = &data->definition.common;
    return is_soft(&common->a) || is_soft(&common->b) || common->exact ||
           (data->kind == SN_BALL && common->max_force < INFINITY);
}

void sn_world_note_constraint(sn_world *world, int index)
{
    const sn_constraint_data *data = &world->constraints.data[index];
    const sn_constraint_common *common = &data->definition.common;
    sn_constraint_link *link = &world->constraint_links.data[index];
    world->active.is_fresh = world->active.holds_fresh = world->active.bounds_fresh = false;
    link->can_break = common->break_force < INFINITY || common->break_torque < INFINITY;
    link->is_anchor = data->kind == SN_BALL &&
                      !sn_definition_needs_frame(&sn_kind_ball, &data->definition, 0) &&
                      (common->a.type != SN_POINT_RIGID || common->b.type != SN_POINT_RIGID || common->exact);
    if (sn_constraint_is_planned(data)) {
        sn_world_forget_exact(world);
    }
}

// The two bodies, if it has two; false otherwise.
static bool has_two_bodies(const sn_constraint_link *link)
{
    return link->member[0] >= 0 && link->member[1] >= 0 &&
           ((link->member[0] | link->member[1]) & SN_SOFT_MEMBER) == 0;
}

void sn_world_wake_ends(sn_world *world, int index)
{
    for (int side = 0; side < 2; ++side) {
        int member = world->constraint_links.data[index].member[side];
        if (member >= 0) {
            sn_energy_share *share = sn_member_energy(world, member);
            sn_world_wake_pushed(world, member);
            share->is_held_anew = share->is_held_anew || !world->locked;
        }
    }
}

static void find_partners_again(sn_world *world, int body)
{
    for (int i = world->bodies.data[body].first_shape; i >= 0; i = world->shapes.data[i].next) {
        sn_world_shape_refresh(world, i);
    }
}

// Adds a constraint to the graph, on if its time is now. Contacts between bodies that may no longer touch are
// removed.
static void connect(sn_world *world, int index)
{
    sn_constraint_link *link = &world->constraint_links.data[index];
    const sn_constraint_common *common = &world->constraints.data[index].definition.common;
    *link = (sn_constraint_link){.member = {sn_point_member(&common->a), sn_point_member(&common->b)},
                                 .is_on = sn_constraint_holds(world, index)};
    sn_world_note_constraint(world, index);
    sn_world_constraint_link(world, index);
    if (link->is_on && !common->collide_connected && has_two_bodies(link)) {
        sn_world_contacts_remove(world, link->member[0], link->member[1], -1);
    }
    sn_world_wake_ends(world, index);
}

// Removes a constraint from the graph. Bodies that may touch again look for contacts in the next step.
static void disconnect(sn_world *world, int index)
{
    const sn_constraint_link *link = &world->constraint_links.data[index];
    for (int side = 0; side < 2; ++side) {
        if (link->member[side] >= 0) {
            sn_world_wake_pushed(world, link->member[side]); // what goes stores nothing anew
        }
    }
    if (link->is_on && !world->constraints.data[index].definition.common.collide_connected &&
        has_two_bodies(link)) {
        // It suffices that the moving one looks; the ground may have ten thousand shapes.
        bool a_moves = world->bodies.data[link->member[0]].type == SN_DYNAMIC;
        find_partners_again(world, link->member[a_moves ? 0 : 1]);
    }
    if (sn_constraint_is_planned(&world->constraints.data[index])) {
        sn_world_forget_exact(world);
    }
    sn_world_constraint_unlink(world, index);
}

// Impulses and reactions from before are no longer valid.
static void forget_reactions(sn_world *world, int index)
{
    sn_constraint_data *data = &world->constraints.data[index];
    sn_constraint_forget(data);
    data->torque = world->constraint_forces.data[index] = sn_v(0.0f, 0.0f, 0.0f);
}

// Notes the time when it will begin or cease to hold.
static void expect_switch(sn_world *world, int index)
{
    const sn_constraint_common *common = &world->constraints.data[index].definition.common;
    double times[2] = {common->active_from, common->active_until};
    for (int i = 0; i < 2; ++i) {
        if (common->active && times[i] > world->time && times[i] < world->next_switch) {
            world->next_switch = times[i];
        }
    }
}

// Stores the definition; name and user's data are kept by the world.
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
}

// Finds the position of an end that is a place in the world, and the closest point of an end on a surface.
static void find_ends(sn_world *world, int index)
{
    sn_constraint_data *data = &world->constraints.data[index];
    const sn_constraint_common *common = &data->definition.common;
    data->nail = (common->a.type == SN_POINT_WORLD ? common->a : common->b).position;
    sn_anchor_find_closest_point(world, data);
}

// Switches a constraint on or off.
static void begin(sn_world *world, int index)
{
    forget_reactions(world, index);
    world->constraints.data[index].ramp_done = 0;
    world->constraints.data[index].yields = false;
    find_ends(world, index);
    connect(world, index);
    for (int side = 0; side < 2; ++side) {
        int member = world->constraint_links.data[index].member[side];
        if (member >= 0 && world->constraint_links.data[index].is_on) {
            sn_member_energy(world, member)->is_held_anew = true; // it may pull from now on
        }
    }
    expect_switch(world, index);
}

static bool reserve(sn_world *world)
{
    int count = world->constraints.count + 1;
    if (count > world->constraint_forces.capacity) {
        sn_world_forget_exact(world); // the plan points at forces
    }
    return sn_id_pool_reserve(&world->constraint_ids) && sn_array_reserve(&world->constraints, count) &&
           sn_array_reserve(&world->constraint_links, count) &&
           sn_array_reserve(&world->constraint_forces, count) && sn_world_reserve_lists(world);
}

static int take(sn_world *world)
{
    int index = sn_id_pool_take(&world->constraint_ids);
    if (index >= world->constraints.count) {
        world->constraints.count = index + 1;
        world->constraint_links.count = world->constraint_forces.count = index + 1;
    }
    return index;
}

// Makes the surfaces that its ends slide along. False without memory.
static bool make_slides(sn_world *world, const sn_definition *definition)
{
    const sn_constraint_common *common = &definition->common;
    return (common->a.type != SN_POINT_SURFACE || sn_anchor_make_slide(world, &common->a)) &&
           (common->b.type != SN_POINT_SURFACE || sn_anchor_make_slide(world, &common->b));
}

sn_status sn_world_constraint_add(sn_world *world, sn_constraint_kind kind, const void *def, int custom_kind,
                                  sn_constraint *out)
{
    sn_definition definition;
    char text[SN_MAX_NAME + 1], *name = NULL;
    sn_status status = take_definition(world, kind, def, &definition);
    status = status ? status : sn_name_copy(text, definition.common.name, world->error, sn_kinds[kind]->name);
    if (status != SN_OK) {
        return status;
    }
    if (!make_slides(world, &definition) || !reserve(world) || !sn_name_set(&name, text)) {
        return sn_fail(world->error, SN_ERROR_MEMORY, "%s: out of memory", sn_kinds[kind]->name);
    }
    int index = take(world);
    sn_constraint_data *data = &world->constraints.data[index];
    memset(data, 0, sizeof *data);
    data->kind = kind;
    data->custom_kind = custom_kind;
    data->name = name;
    keep(world, data, &definition);
    begin(world, index);
    if (out != NULL) {
        *out = sn_constraint_id(world, index);
    }
    return SN_OK;
}

void sn_world_constraint_drop(sn_world *world, int index)
{
    disconnect(world, index);
    sn_name_release(&world->constraints.data[index].name);
    memset(&world->constraints.data[index], 0, sizeof world->constraints.data[index]);
    sn_id_pool_give_back(&world->constraint_ids, index);
}

void sn_world_constraints_drop(sn_world *world, int member)
{
    const int *first = sn_edge_kinds[SN_CONSTRAINT_EDGES].first_of(world, member);
    while (*first >= 0) {
        sn_world_constraint_drop(world, *first >> 1);
    }
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

// --- changing -------------------------------------------------------------------------

// The constraint, if it is of that kind.
sn_status sn_world_constraint_of_kind(const sn_world *world, sn_constraint constraint,
                                      sn_constraint_kind kind, sn_constraint_data **data)
{
    *data = sn_world_constraint(world, constraint);
    if (*data == NULL) {
        return world != NULL ? SN_ERROR_ID : SN_ERROR_NULL;
    }
    if ((*data)->kind != kind) {
        sn_label label = sn_constraint_label(world, (int)(*data - world->constraints.data));
        return sn_fail(world->error, SN_ERROR_KIND, "%s is no %s", label.text, sn_kinds[kind]->name);
    }
    return SN_OK;
}

sn_status sn_world_constraint_tune(sn_world *world, sn_constraint_data *data, sn_definition *definition)
{
    int index = (int)(data - world->constraints.data);
    sn_label label = sn_constraint_label(world, index);
    sn_status status = check_definition(world, data->kind, definition, label.text);
    if (status == SN_OK) {
        bool was_planned = sn_constraint_is_planned(data);
        data->definition = *definition;
        sn_world_note_constraint(world, index);
        if (was_planned) {
            sn_world_forget_exact(world);
        }
        sn_world_wake_ends(world, index);
    }
    return status;
}

sn_status sn_world_constraint_set(sn_world *world, sn_constraint constraint, sn_constraint_kind kind,
                                  const void *def)
{
    sn_constraint_data *data;
    sn_definition definition;
    char text[SN_MAX_NAME + 1];
    sn_status status = sn_world_check_open(world, sn_kinds[kind]->name);
    status = status ? status : sn_world_constraint_of_kind(world, constraint, kind, &data);
    status = status ? status : take_definition(world, kind, def, &definition);
    status = status ? status : sn_name_copy(text, definition.common.name, world->error, sn_kinds[kind]->name);
    if (status != SN_OK) {
        return status;
    }
    if (!make_slides(world, &definition) || !sn_name_set(&data->name, text)) {
        return sn_fail(world->error, SN_ERROR_MEMORY, "%s: out of memory", sn_kinds[kind]->name);
    }
    int index = (int)(data - world->constraints.data);
    disconnect(world, index);
    keep(world, data, &definition);
    sn_constraint_forget(data);
    data->ramp_done = 0;
    data->yields = false;
    find_ends(world, index);
    connect(world, index);
    expect_switch(world, index);
    return SN_OK;
}

// --- dragged -------------------------------------------------------------------------------------

// Moves an end that is a place in the world to another one; nothing else changes.
static void move_place(sn_world *world, int index, sn_point *end, const sn_point *point)
{
    sn_constraint_data *data = &world->constraints.data[index];
    *end = *point;
    sn_world_wake_ends(world, index);
    if (data->definition.common.exact) {
        sn_world_move_nail(world, index, point->position);
    } else {
        data->nail = point->position;
    }
}

static void move_end(sn_world *world, int index, sn_point *end, const sn_point *point)
{
    disconnect(world, index); // wakes what it no longer holds
    *end = *point;
    find_ends(world, index);
    connect(world, index);
}

sn_status sn_constraint_point_set(sn_world *world, sn_constraint constraint, int end, const sn_point *point)
{
    sn_status status = sn_world_check_open(world, "sn_constraint_point_set");
    sn_constraint_data *data = status ? NULL : sn_world_constraint(world, constraint);
    if (data == NULL) {
        return status ? status : SN_ERROR_ID;
    }
    if (point == NULL || end < 0 || end > 1) {
        return sn_fail(
            world->error, point == NULL ? SN_ERROR_NULL : SN_ERROR_RANGE,
            "sn_constraint_point_set: point is %s and end is %d, expected a point, and 0 for a or 1 for b",
            point == NULL ? "null" : "given", end);
    }
    sn_definition changed = data->definition;
    sn_point *moved = end == 0 ? &changed.common.a : &changed.common.b;
    sn_point *target = end == 0 ? &data->definition.common.a : &data->definition.common.b;
    sn_label label = sn_constraint_label(world, (int)constraint.index - 1);
    *moved = *point;
    status = check_definition(world, data->kind, &changed, label.text);
    status = status ? status : sn_constraint_check_mobility(world, &changed, label.text);
    if (status == SN_OK && !make_slides(world, &changed)) {
        status = sn_fail(world->error, SN_ERROR_MEMORY, "%s: out of memory", label.text);
    }
    if (status == SN_OK && target->type == SN_POINT_WORLD && moved->type == SN_POINT_WORLD) {
        move_place(world, (int)constraint.index - 1, target, moved);
    } else if (status == SN_OK) {
        move_end(world, (int)constraint.index - 1, target, moved);
    }
    return status;
}

// --- switched on and off -------------------------------------------------------------------------

sn_status sn_constraint_active_set(sn_world *world, sn_constraint constraint, bool active)
{
    sn_status status = sn_world_check_open(world, "sn_constraint_active_set");
    sn_constraint_data *data = status ? NULL : sn_world_constraint(world, constraint);
    if (data == NULL) {
        return status ? status : SN_ERROR_ID;
    }
    if (data->definition.common.active != active) {
        int index = (int)(data - world->constraints.data);
        disconnect(world, index);
        data->definition.common.active = active;
        begin(world, index);
    }
    return SN_OK;
}

void sn_world_switch_constraints(sn_world *world)
{
    if (world->time < world->next_switch) {
        return;
    }
    world->next_switch = (double)INFINITY;
    for (int i = 0; i < world->constraints.count; ++i) {
        if (!sn_id_pool_in_use(&world->constraint_ids, i)) {
            continue;
        }
        if (sn_constraint_holds(world, i) != world->constraint_links.data[i].is_on) {
            disconnect(world, i);
            begin(world, i);
        }
        expect_switch(world, i);
    }
}
