// Changing what deformables are made of while they exist. Ranges are checked where those of definitions are
// (deformable_check.c), rows and models follow by deformable_refit.c.
#include "world/core/world.h"
#include "world/exact/exact_plan.h"

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
            world->active.bounds_fresh = false; // of bodies that hang on it
        }
        // Only elements and models store something.
        if ((parts & ~(unsigned)SN_PART_AIR) != 0) {
            sn_world_wake_deformable(world, index);
        } else {
            sn_world_wake_pushed(world, sn_soft_member(index));
        }
    }
    return status;
}

// A function that sets one member of the definition.
#define SET(FUNCTION, TYPE, MEMBER, PARTS)                                                                   \
    sn_status FUNCTION(sn_world *world, sn_deformable deformable, TYPE value)                                \
    {                                                                                                        \
        sn_deformable_def def = sn_deformable_definition(world, deformable);                                 \
        def.MEMBER = value;                                                                                  \
        return change(world, deformable, &def, PARTS, __func__);                                             \
    }

// --- models ------------------------------------------------------------------------------------------------

#define MODEL(type) (1u << SN_MODEL_##type)

enum {
    SPRINGS = MODEL(SPRINGS) | MODEL(SPRING_FORCES),
    ELEMENTS = MODEL(COROTATIONAL) | MODEL(COROTATIONAL_EXPLICIT) | MODEL(COROTATIONAL_IMPLICIT) |
               MODEL(NEO_HOOKEAN),
    GOALS = MODEL(POSITION_BASED) | MODEL(SHAPE_MATCHING)
};

// A function that sets a number of the model, if the model is one of those that have it.
#define SET_MODEL(FUNCTION, NUMBER, MODELS)                                                                  \
    sn_status FUNCTION(sn_world *world, sn_deformable deformable, float value)                               \
    {                                                                                                        \
        sn_deformable_def def = sn_deformable_definition(world, deformable);                                 \
        def.model.NUMBER = value;                                                                            \
        return change_model(world, deformable, &def, MODELS, #NUMBER, __func__);                             \
    }

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

SET_MODEL(sn_deformable_stiffness_set, stiffness, SPRINGS | GOALS | MODEL(ENERGY))
SET_MODEL(sn_deformable_damping_set, damping, SPRINGS | ELEMENTS | GOALS | MODEL(ENERGY))
SET_MODEL(sn_deformable_young_set, young, ELEMENTS)
SET_MODEL(sn_deformable_poisson_set, poisson, ELEMENTS)
SET_MODEL(sn_deformable_area_stiffness_set, area_stiffness, MODEL(ENERGY))
SET_MODEL(sn_deformable_volume_stiffness_set, volume_stiffness, MODEL(ENERGY) | MODEL(POSITION_BASED))
SET_MODEL(sn_deformable_matching_share_set, matching_share, MODEL(SHAPE_MATCHING))

// --- edges, bending, volume, air ---------------------------------------------------------------------------

// Inextensible edges bear only so much pressure: the rows of the enclosure depend on them.
SET(sn_deformable_inextensible_set, sn_inextensible, inextensible, SN_PART_EDGES | SN_PART_ENCLOSURE)
SET(sn_deformable_bending_set, sn_bending, bending, SN_PART_BENDING)
SET(sn_deformable_enclosure_set, sn_enclosure, enclosure, SN_PART_ENCLOSURE)
SET(sn_deformable_drag_set, float, drag, SN_PART_AIR)
SET(sn_deformable_lift_set, float, lift, SN_PART_AIR)

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
        sn_world_forget_exact(world); // anchors exclude contacts by the thickness
    }
    return status;
}

SET(sn_deformable_friction_set, float, friction, 0)
SET(sn_deformable_restitution_set, float, restitution, 0)
SET(sn_deformable_filter_set, sn_filter, filter, 0)

// --- motion ------------------------------------------------------------------------------------------------

SET(sn_deformable_linear_damping_set, float, linear_damping, 0)
SET(sn_deformable_gravity_scale_set, float, gravity_scale, 0)

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
