// Changing what deformables are made of while they exist. Ranges are checked where those of definitions are
// (deformable_check.c), rows and models follow by deformable_refit.c.
#include "world/core/world.h"

#include <string.h>

typedef struct change {
    sn_deformable_data *data;
    sn_label label;
    sn_deformable_def def; // as it shall be
} change;

static sn_status begin_change(sn_world *world, sn_deformable deformable, const char *function, change *change)
{
    sn_status status = sn_world_check_open(world, function);
    change->data = status ? NULL : sn_world_deformable(world, deformable);
    if (change->data == NULL) {
        return status ? status : SN_ERROR_ID;
    }
    change->label = sn_deformable_label(world, (int)(change->data - world->deformables.data));
    change->def = change->data->def;
    return SN_OK;
}

static sn_status end_change(sn_world *world, const change *change, int parts)
{
    sn_deformable_data *data = change->data;
    sn_status status = sn_deformable_check_tunable(&change->def, world->error, change->label.text);
    status = status ? status
                    : sn_deformable_refit(data, &world->nodes, &change->def, parts, world->error,
                                          change->label.text);
    if (status == SN_OK) {
        sn_world_wake_deformable(world, (int)(data - world->deformables.data));
    }
    return status;
}

#define FIELD(name) offsetof(sn_deformable_def, name)

static void write_field(sn_deformable_def *def, size_t field, float value)
{
    memcpy((char *)def + field, &value, sizeof value);
}

static sn_status set_number(sn_world *world, sn_deformable deformable, const char *function, size_t field,
                            float value, int parts)
{
    change change;
    sn_status status = begin_change(world, deformable, function, &change);
    if (status == SN_OK) {
        write_field(&change.def, field, value);
        status = end_change(world, &change, parts);
    }
    return status;
}

// --- models ------------------------------------------------------------------------------------------------

#define MODEL(type) (1u << SN_MODEL_##type)

enum {
    SPRINGS = MODEL(SPRINGS) | MODEL(SPRING_FORCES),
    ELEMENTS = MODEL(COROTATIONAL) | MODEL(COROTATIONAL_EXPLICIT) | MODEL(COROTATIONAL_IMPLICIT) |
               MODEL(NEO_HOOKEAN),
    GOALS = MODEL(POSITION_BASED) | MODEL(SHAPE_MATCHING)
};

// A number of sn_model, and which models have it.
typedef struct model_number {
    const char *name;
    size_t field;
    unsigned models;
} model_number;

static sn_status set_model_number(sn_world *world, sn_deformable deformable, const char *function,
                                  model_number number, float value)
{
    change change;
    sn_status status = begin_change(world, deformable, function, &change);
    if (status != SN_OK) {
        return status;
    }
    sn_model_type type = change.def.model.type;
    if ((number.models >> type & 1u) == 0) {
        return sn_fail(world->error, SN_ERROR_KIND, "%s: its model '%s' has no %s, expected one that has",
                       change.label.text, sn_model_name(type), number.name);
    }
    write_field(&change.def, number.field, value);
    return end_change(world, &change, SN_PART_MODEL);
}

sn_status sn_deformable_stiffness_set(sn_world *world, sn_deformable deformable, float stiffness)
{
    model_number number = {"stiffness", FIELD(model.stiffness), SPRINGS | GOALS | MODEL(ENERGY)};
    return set_model_number(world, deformable, "sn_deformable_stiffness_set", number, stiffness);
}

sn_status sn_deformable_damping_set(sn_world *world, sn_deformable deformable, float damping)
{
    model_number number = {"damping", FIELD(model.damping), SPRINGS | ELEMENTS | GOALS | MODEL(ENERGY)};
    return set_model_number(world, deformable, "sn_deformable_damping_set", number, damping);
}

sn_status sn_deformable_young_set(sn_world *world, sn_deformable deformable, float young)
{
    model_number number = {"young", FIELD(model.young), ELEMENTS};
    return set_model_number(world, deformable, "sn_deformable_young_set", number, young);
}

sn_status sn_deformable_poisson_set(sn_world *world, sn_deformable deformable, float poisson)
{
    model_number number = {"poisson", FIELD(model.poisson), ELEMENTS};
    return set_model_number(world, deformable, "sn_deformable_poisson_set", number, poisson);
}

sn_status sn_deformable_area_stiffness_set(sn_world *world, sn_deformable deformable, float stiffness)
{
    model_number number = {"area_stiffness", FIELD(model.area_stiffness), MODEL(ENERGY)};
    return set_model_number(world, deformable, "sn_deformable_area_stiffness_set", number, stiffness);
}

sn_status sn_deformable_volume_stiffness_set(sn_world *world, sn_deformable deformable, float stiffness)
{
    model_number number = {"volume_stiffness", FIELD(model.volume_stiffness),
                           MODEL(ENERGY) | MODEL(POSITION_BASED)};
    return set_model_number(world, deformable, "sn_deformable_volume_stiffness_set", number, stiffness);
}

sn_status sn_deformable_matching_share_set(sn_world *world, sn_deformable deformable, float share)
{
    model_number number = {"matching_share", FIELD(model.matching_share), MODEL(SHAPE_MATCHING)};
    return set_model_number(world, deformable, "sn_deformable_matching_share_set", number, share);
}

// --- edges, bending, volume, air ---------------------------------------------------------------------------

// Inextensible edges bear only so much pressure: the enclosure reckons with them.
sn_status sn_deformable_inextensible_set(sn_world *world, sn_deformable deformable,
                                         sn_inextensible inextensible)
{
    change change;
    sn_status status = begin_change(world, deformable, "sn_deformable_inextensible_set", &change);
    if (status == SN_OK) {
        change.def.inextensible = inextensible;
        status = end_change(world, &change, SN_PART_EDGES | SN_PART_ENCLOSURE);
    }
    return status;
}

sn_status sn_deformable_bending_set(sn_world *world, sn_deformable deformable, sn_bending bending)
{
    change change;
    sn_status status = begin_change(world, deformable, "sn_deformable_bending_set", &change);
    if (status == SN_OK) {
        change.def.bending = bending;
        status = end_change(world, &change, SN_PART_BENDING);
    }
    return status;
}

sn_status sn_deformable_enclosure_set(sn_world *world, sn_deformable deformable, sn_enclosure enclosure)
{
    change change;
    sn_status status = begin_change(world, deformable, "sn_deformable_enclosure_set", &change);
    if (status == SN_OK) {
        change.def.enclosure = enclosure;
        status = end_change(world, &change, SN_PART_ENCLOSURE);
    }
    return status;
}

sn_status sn_deformable_drag_set(sn_world *world, sn_deformable deformable, float drag)
{
    return set_number(world, deformable, "sn_deformable_drag_set", FIELD(drag), drag, SN_PART_AIR);
}

sn_status sn_deformable_lift_set(sn_world *world, sn_deformable deformable, float lift)
{
    return set_number(world, deformable, "sn_deformable_lift_set", FIELD(lift), lift, SN_PART_AIR);
}

// --- contacts ----------------------------------------------------------------------------------------------

// Strands meet the air with it, and what is near was looked for with the old one.
sn_status sn_deformable_thickness_set(sn_world *world, sn_deformable deformable, float thickness)
{
    sn_status status = set_number(world, deformable, "sn_deformable_thickness_set", FIELD(thickness),
                                  thickness, SN_PART_AIR);
    if (status == SN_OK) {
        world->deformables.data[deformable.index - 1].surface.verlet_list.reference.count = 0;
    }
    return status;
}

sn_status sn_deformable_friction_set(sn_world *world, sn_deformable deformable, float friction)
{
    return set_number(world, deformable, "sn_deformable_friction_set", FIELD(friction), friction, 0);
}

sn_status sn_deformable_restitution_set(sn_world *world, sn_deformable deformable, float restitution)
{
    return set_number(world, deformable, "sn_deformable_restitution_set", FIELD(restitution), restitution, 0);
}

sn_status sn_deformable_filter_set(sn_world *world, sn_deformable deformable, sn_filter filter)
{
    change change;
    sn_status status = begin_change(world, deformable, "sn_deformable_filter_set", &change);
    if (status == SN_OK) {
        change.def.filter = filter;
        status = end_change(world, &change, 0);
    }
    return status;
}

// --- motion ------------------------------------------------------------------------------------------------

sn_status sn_deformable_linear_damping_set(sn_world *world, sn_deformable deformable, float damping)
{
    return set_number(world, deformable, "sn_deformable_linear_damping_set", FIELD(linear_damping), damping,
                      0);
}

sn_status sn_deformable_gravity_scale_set(sn_world *world, sn_deformable deformable, float scale)
{
    return set_number(world, deformable, "sn_deformable_gravity_scale_set", FIELD(gravity_scale), scale, 0);
}

sn_status sn_deformable_allow_sleep_set(sn_world *world, sn_deformable deformable, bool allow)
{
    change change;
    sn_status status = begin_change(world, deformable, "sn_deformable_allow_sleep_set", &change);
    if (status == SN_OK) {
        change.data->def.allow_sleep = allow;
        if (!allow) {
            sn_world_wake_deformable(world, (int)(change.data - world->deformables.data));
        }
    }
    return status;
}

sn_status sn_deformable_user_set(sn_world *world, sn_deformable deformable, void *user)
{
    change change;
    sn_status status = begin_change(world, deformable, "sn_deformable_user_set", &change);
    if (status == SN_OK) {
        change.data->def.user = user;
    }
    return status;
}
