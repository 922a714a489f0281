// Changing what deformables are made of while they exist. Ranges are checked where those of definitions are
// (deformable_check.c), rows and models follow by deformable_refit.c.
#include "world/core/world.h"

// Bounds follow from edges. Without memory they go until the next step finds them anew.
static void refit_bounds(sn_world *world, sn_deformable_data *data, const char *object)
{
    if (sn_deformable_refit(data, &world->nodes, &data->def, SN_PART_BOUNDS, world->error, object) != SN_OK) {
        sn_deformable_drop_bounds(data);
        world->active.holds_fresh = false;
    }
}

// Gives a deformable another definition, made from its own; wakes it. `parts` are those the change concerns.
static sn_status change(sn_world *world, sn_deformable deformable, sn_deformable_def *def, int parts,
                        const char *function)
{
    sn_status status = sn_world_check_open(world, function);
    sn_deformable_data *data = status ? NULL : sn_world_deformable(world, deformable);
    if (data == NULL) {
        return status ? status : SN_ERROR_ID;
    }
    int index = (int)(data - world->deformables.data);
    sn_label label = sn_deformable_label(world, index);
    def->name = NULL; // kept elsewhere
    status = sn_deformable_check_tunable(def, world->error, label.text);
    status = status ? status : sn_deformable_refit(data, &world->nodes, def, parts, world->error, label.text);
    if (status == SN_OK) {
        if ((parts & SN_PART_EDGES) != 0) {
            refit_bounds(world, data, label.text);
        }
        sn_world_wake_deformable(world, index);
    }
    return status;
}

// The body of a function that sets one member of the definition.
#define SET(MEMBER, VALUE, PARTS)                                                                            \
    sn_deformable_def def = sn_deformable_definition(world, deformable);                                     \
    def.MEMBER = (VALUE);                                                                                    \
    return change(world, deformable, &def, PARTS, __func__)

// --- models ------------------------------------------------------------------------------------------------

#define MODEL(type) (1u << SN_MODEL_##type)

enum {
    SPRINGS = MODEL(SPRINGS) | MODEL(SPRING_FORCES),
    ELEMENTS = MODEL(COROTATIONAL) | MODEL(COROTATIONAL_EXPLICIT) | MODEL(COROTATIONAL_IMPLICIT) |
               MODEL(NEO_HOOKEAN),
    GOALS = MODEL(POSITION_BASED) | MODEL(SHAPE_MATCHING)
};

// The body of a function that sets a number of the model, if the model is one of those that have it.
#define SET_MODEL(NUMBER, VALUE, MODELS)                                                                     \
    sn_deformable_def def = sn_deformable_definition(world, deformable);                                     \
    def.model.NUMBER = (VALUE);                                                                              \
    return change_model(world, deformable, &def, MODELS, #NUMBER, __func__)

static sn_status change_model(sn_world *world, sn_deformable deformable, sn_deformable_def *def,
                              unsigned models, const char *number, const char *function)
{
    sn_status status = sn_world_check_open(world, function);
    if (status == SN_OK && sn_deformable_is_valid(world, deformable) &&
        (models >> def->model.type & 1u) == 0) {
        sn_label label = sn_deformable_label(world, (int)deformable.index - 1);
        return sn_fail(world->error, SN_ERROR_KIND, "%s: its model '%s' has no %s, expected one that has",
                       label.text, sn_model_name(def->model.type), number);
    }
    return change(world, deformable, def, SN_PART_MODEL, function);
}

sn_status sn_deformable_stiffness_set(sn_world *world, sn_deformable deformable, float stiffness)
{
    SET_MODEL(stiffness, stiffness, SPRINGS | GOALS | MODEL(ENERGY));
}

sn_status sn_deformable_damping_set(sn_world *world, sn_deformable deformable, float damping)
{
    SET_MODEL(damping, damping, SPRINGS | ELEMENTS | GOALS | MODEL(ENERGY));
}

sn_status sn_deformable_young_set(sn_world *world, sn_deformable deformable, float young)
{
    SET_MODEL(young, young, ELEMENTS);
}

sn_status sn_deformable_poisson_set(sn_world *world, sn_deformable deformable, float poisson)
{
    SET_MODEL(poisson, poisson, ELEMENTS);
}

sn_status sn_deformable_area_stiffness_set(sn_world *world, sn_deformable deformable, float stiffness)
{
    SET_MODEL(area_stiffness, stiffness, MODEL(ENERGY));
}

sn_status sn_deformable_volume_stiffness_set(sn_world *world, sn_deformable deformable, float stiffness)
{
    SET_MODEL(volume_stiffness, stiffness, MODEL(ENERGY) | MODEL(POSITION_BASED));
}

sn_status sn_deformable_matching_share_set(sn_world *world, sn_deformable deformable, float share)
{
    SET_MODEL(matching_share, share, MODEL(SHAPE_MATCHING));
}

// --- edges, bending, volume, air ---------------------------------------------------------------------------

// Inextensible edges bear only so much pressure: the rows of the enclosure depend on them.
sn_status sn_deformable_inextensible_set(sn_world *world, sn_deformable deformable,
                                         sn_inextensible inextensible)
{
    SET(inextensible, inextensible, SN_PART_EDGES | SN_PART_ENCLOSURE);
}

sn_status sn_deformable_bending_set(sn_world *world, sn_deformable deformable, sn_bending bending)
{
    SET(bending, bending, SN_PART_BENDING);
}

sn_status sn_deformable_enclosure_set(sn_world *world, sn_deformable deformable, sn_enclosure enclosure)
{
    SET(enclosure, enclosure, SN_PART_ENCLOSURE);
}

sn_status sn_deformable_drag_set(sn_world *world, sn_deformable deformable, float drag)
{
    SET(drag, drag, SN_PART_AIR);
}

sn_status sn_deformable_lift_set(sn_world *world, sn_deformable deformable, float lift)
{
    SET(lift, lift, SN_PART_AIR);
}

// --- contacts ----------------------------------------------------------------------------------------------

// The air acts on strands by their thickness, and the Verlet list was made for the old one.
sn_status sn_deformable_thickness_set(sn_world *world, sn_deformable deformable, float thickness)
{
    sn_deformable_def def = sn_deformable_definition(world, deformable);
    def.thickness = thickness;
    sn_status status = change(world, deformable, &def, SN_PART_AIR, __func__);
    if (status == SN_OK) {
        sn_soft_surface *surface = &world->deformables.data[deformable.index - 1].surface;
        surface->verlet_list.reference.count = surface->between.reference.count = 0;
    }
    return status;
}

sn_status sn_deformable_friction_set(sn_world *world, sn_deformable deformable, float friction)
{
    SET(friction, friction, 0);
}

sn_status sn_deformable_restitution_set(sn_world *world, sn_deformable deformable, float restitution)
{
    SET(restitution, restitution, 0);
}

sn_status sn_deformable_filter_set(sn_world *world, sn_deformable deformable, sn_filter filter)
{
    SET(filter, filter, 0);
}

// --- motion ------------------------------------------------------------------------------------------------

sn_status sn_deformable_linear_damping_set(sn_world *world, sn_deformable deformable, float damping)
{
    SET(linear_damping, damping, 0);
}

sn_status sn_deformable_gravity_scale_set(sn_world *world, sn_deformable deformable, float scale)
{
    SET(gravity_scale, scale, 0);
}

// Unlike the others, these two do not wake it.
sn_status sn_deformable_allow_sleep_set(sn_world *world, sn_deformable deformable, bool allow)
{
    sn_status status = sn_world_check_open(world, __func__);
    sn_deformable_data *data = status ? NULL : sn_world_deformable(world, deformable);
    if (data == NULL) {
        return status ? status : SN_ERROR_ID;
    }
    data->def.allow_sleep = allow;
    if (!allow) {
        sn_world_wake_deformable(world, (int)(data - world->deformables.data));
    }
    return SN_OK;
}

sn_status sn_deformable_user_set(sn_world *world, sn_deformable deformable, void *user)
{
    sn_status status = sn_world_check_open(world, __func__);
    sn_deformable_data *data = status ? NULL : sn_world_deformable(world, deformable);
    if (data == NULL) {
        return status ? status : SN_ERROR_ID;
    }
    data->def.user = user;
    return SN_OK;
}
