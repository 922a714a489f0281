// Checks of the definition of a deformable before it is built, by tables of fields that snapshots use as
// well.
// Tested by tests/world/deformables/test_bad_deformable.c.
#include "geometry/shapes/check.h"
#include "world/deformables/deformable.h"

#include <string.h>

// --- tables ------------------------------------------------------------------------------------------------

#define LARGEST                1.0e12f
#define UP_TO_LARGEST          SN_RANGE(0.0f, LARGEST)
#define DEF(TYPE, MEMBER, ...) SN_MEMBER_FIELD(TYPE, sn_deformable_def, MEMBER, __VA_ARGS__)

const sn_field sn_deformable_matter_fields[] = {
    DEF(POSE, pose, SN_CHECKED),
    DEF(FLOAT, scale, SN_RANGE(1.0e-6f, 1.0e6f)),
    DEF(VEC3, linear_velocity, .upper = SN_MAX_SPEED),
    DEF(VEC3, angular_velocity, .upper = SN_MAX_SPIN),
    DEF(FLOAT, density, SN_ANY), // this and the mass are checked only if they are used
    DEF(FLOAT, mass, SN_ANY),
    DEF(ENUM, model.type, SN_RANGE(0.0f, SN_MODEL_COUNT - 1)),
    DEF(FLOAT, model.stiffness, SN_ANY), // numbers of models: their ranges depend on the type
    DEF(FLOAT, model.damping, SN_ANY),
    DEF(FLOAT, model.young, SN_ANY),
    DEF(FLOAT, model.poisson, SN_ANY),
    DEF(FLOAT, model.area_stiffness, SN_ANY),
    DEF(FLOAT, model.volume_stiffness, SN_ANY),
    DEF(ENUM, model.matching, SN_RANGE(0.0f, SN_MATCH_QUADRATIC)),
    DEF(FLOAT, model.matching_share, SN_ANY),
    DEF(INT, model.cluster_rings, SN_ANY),
    DEF(ENUM, integrator, SN_RANGE(0.0f, SN_INTEGRATOR_COUNT - 1)),
    DEF(BOOL, inextensible.on, SN_ANY),
    DEF(ENUM, inextensible.side, SN_RANGE(0.0f, SN_HOLD_COMPRESSION)),
    DEF(FLOAT, inextensible.compliance, UP_TO_LARGEST),
    DEF(FLOAT, inextensible.damping, UP_TO_LARGEST),
    DEF(STRENGTH, inextensible.max_force, SN_CHECKED),
    DEF(FLOAT, inextensible.shear_stiffness, UP_TO_LARGEST),
    DEF(FLOAT, inextensible.shear_damping, UP_TO_LARGEST),
    DEF(ENUM, bending.type, SN_RANGE(0.0f, SN_BENDING_ISOMETRIC)),
    DEF(FLOAT, bending.stiffness, UP_TO_LARGEST),
    DEF(FLOAT, bending.damping, SN_RANGE(0.0f, 100.0f)),
    DEF(STRENGTH, bending.max_impulse, SN_CHECKED),
    DEF(BOOL, enclosure.preserve, SN_ANY),
    DEF(FLOAT, enclosure.scale, SN_RANGE(1.0e-3f, 1.0e3f)),
    DEF(FLOAT, enclosure.compliance, UP_TO_LARGEST),
    DEF(FLOAT, enclosure.pressure, SN_RANGE(-LARGEST, LARGEST)),
    {0},
};
const sn_field sn_deformable_contact_fields[] = {
    DEF(FLOAT, thickness, SN_RANGE(SN_MIN_SIZE, 1.0e3f)),
    DEF(FLOAT, friction, SN_FRICTION_RANGE),
    DEF(FLOAT, restitution, SN_RESTITUTION_RANGE),
    DEF(U64, filter.category, SN_ANY),
    DEF(U64, filter.mask, SN_ANY),
    DEF(INT, filter.group, SN_ANY),
    DEF(BOOL, collide, SN_ANY),
    DEF(BOOL, self_collide, SN_ANY),
    DEF(FLOAT, linear_damping, SN_DAMPING_RANGE),
    DEF(FLOAT, gravity_scale, SN_GRAVITY_SCALE_RANGE),
    DEF(FLOAT, drag, SN_RANGE(0.0f, 1000.0f)),
    DEF(FLOAT, lift, SN_RANGE(0.0f, 1000.0f)),
    DEF(BOOL, allow_sleep, SN_ANY),
    {0},
};

#define OPTION(TYPE, MEMBER, ...)                                                                            \
    {                                                                                                        \
        .type = SN_FIELD_##TYPE, .name = "edge_options[]." #MEMBER,                                          \
        .offset = offsetof(sn_edge_option, MEMBER), __VA_ARGS__                                              \
    }

const sn_field sn_edge_option_fields[] = {
    OPTION(INT, edge, SN_ANY), // its range depends on the mesh
    OPTION(ENUM, side, SN_RANGE(0.0f, SN_HOLD_COMPRESSION)),
    OPTION(FLOAT, compliance, UP_TO_LARGEST),
    OPTION(FLOAT, damping, UP_TO_LARGEST),
    OPTION(STRENGTH, max_force, SN_CHECKED),
    {0},
};

// Numbers of models, by what the models are made of.
static const sn_field spring_fields[] = {
    DEF(FLOAT, model.stiffness, SN_RANGE(1.0e-9f, LARGEST)),
    DEF(FLOAT, model.damping, UP_TO_LARGEST),
    {0},
};
static const sn_field element_fields[] = {
    DEF(FLOAT, model.young, SN_RANGE(1.0e-3f, LARGEST)),
    DEF(FLOAT, model.poisson, SN_RANGE(0.0f, 0.499f)),
    DEF(FLOAT, model.damping, SN_RANGE(0.0f, 100.0f)),
    {0},
};
static const sn_field goal_fields[] = {
    DEF(FLOAT, model.stiffness, SN_RANGE(0.0f, 1.0f)),
    DEF(FLOAT, model.damping, SN_RANGE(0.0f, 1.0f)),
    DEF(FLOAT, model.volume_stiffness, SN_RANGE(0.0f, 1.0f)),
    DEF(FLOAT, model.matching_share, SN_RANGE(0.0f, 1.0f)),
    DEF(INT, model.cluster_rings, SN_RANGE(0.0f, 16.0f)),
    {0},
};
static const sn_field energy_fields[] = {
    DEF(FLOAT, model.stiffness, UP_TO_LARGEST),
    DEF(FLOAT, model.area_stiffness, UP_TO_LARGEST),
    DEF(FLOAT, model.volume_stiffness, UP_TO_LARGEST),
    DEF(FLOAT, model.damping, UP_TO_LARGEST),
    {0},
};
static const sn_field *const model_fields[SN_MODEL_COUNT] = {
    [SN_MODEL_SPRINGS] = spring_fields,
    [SN_MODEL_SPRING_FORCES] = spring_fields,
    [SN_MODEL_COROTATIONAL] = element_fields,
    [SN_MODEL_COROTATIONAL_EXPLICIT] = element_fields,
    [SN_MODEL_COROTATIONAL_IMPLICIT] = element_fields,
    [SN_MODEL_NEO_HOOKEAN] = element_fields,
    [SN_MODEL_POSITION_BASED] = goal_fields,
    [SN_MODEL_SHAPE_MATCHING] = goal_fields,
    [SN_MODEL_ENERGY] = energy_fields,
};

void sn_deformable_forget_ignored(sn_deformable_def *def)
{
    if ((unsigned)def->model.type >= SN_MODEL_COUNT) {
        return;
    }
    sn_deformable_def kept = *def;
    kept.model = (sn_model){.type = def->model.type};
    for (const sn_field *field = model_fields[def->model.type]; field != NULL && field->name != NULL;
         ++field) {
        memcpy((char *)&kept + field->offset, (const char *)def + field->offset, sizeof(float));
    }
    kept.model.matching = def->model.type == SN_MODEL_SHAPE_MATCHING ? def->model.matching : SN_MATCH_RIGID;
    if (def->node_masses != NULL) {
        kept.density = 1.0f;
        kept.mass = 0.0f;
    }
    *def = kept;
}

// --- what tables cannot say --------------------------------------------------------------------------------

// Only models made of forces can be integrated by another scheme than the default.
static sn_status check_integrator(const sn_deformable_def *def, sn_error *error, const char *object)
{
    if (def->integrator == SN_INTEGRATOR_EULER_CROMER || def->model.type == SN_MODEL_NONE) {
        return SN_OK;
    }
    const sn_model_kind *kind = sn_model_kind_of(def->model.type);
    return kind != NULL && kind->field != NULL
               ? SN_OK
               : sn_fail(error, SN_ERROR_KIND,
                         "%s: integrator is '%s', but its model is not made of forces and takes the default "
                         "alone",
                         object, sn_integrator_kind_of(def->integrator)->name);
}

static sn_status check_edge_options(const sn_deformable_def *def, sn_error *error, const char *object)
{
    sn_status status =
        sn_check_range((float)def->edge_option_count, 0.0f, 1.0e6f, error, object, "edge_option_count");
    if (status == SN_OK && def->edge_option_count > 0 && def->edge_options == NULL) {
        return sn_fail(error, SN_ERROR_NULL, "%s: edge_options is null, expected %d of them", object,
                       def->edge_option_count);
    }
    for (int i = 0; status == SN_OK && i < def->edge_option_count; ++i) {
        const sn_edge_option *option = &def->edge_options[i];
        int edge_count = sn_mesh_edge_count(def->mesh);
        if (option->edge < 0 || option->edge >= edge_count) {
            return sn_fail(error, SN_ERROR_RANGE, "%s: edge_options[].edge is %d, expected 0 to %d", object,
                           option->edge, edge_count - 1);
        }
        status = sn_fields_check(sn_edge_option_fields, option, error, object);
    }
    return status;
}

static sn_status check_masses(const sn_deformable_def *def, sn_error *error, const char *object)
{
    if (def->node_masses == NULL) {
        sn_status status = sn_check_range(def->density, 1.0e-9f, 1.0e9f, error, object, "density");
        return status ? status : sn_check_range(def->mass, 0.0f, 1.0e12f, error, object, "mass");
    }
    for (int i = 0; i < sn_mesh_node_count(def->mesh); ++i) {
        float mass = def->node_masses[i];
        if (!(mass == 0.0f || (mass >= 1.0e-9f && mass <= 1.0e9f))) {
            return sn_fail(error, sn_is_finite(mass) ? SN_ERROR_RANGE : SN_ERROR_NOT_FINITE,
                           "%s: node_masses[%d] is %g, expected 0 (fixed) or 1e-9 to 1e9 kg", object, i,
                           (double)mass);
        }
    }
    return SN_OK;
}

sn_status sn_deformable_check_tunable(const sn_deformable_def *def, sn_error *error, const char *object)
{
    sn_status status = sn_fields_check(sn_deformable_matter_fields, def, error, object);
    if (status == SN_OK && model_fields[def->model.type] != NULL) {
        status = sn_fields_check(model_fields[def->model.type], def, error, object);
    }
    return status ? status : sn_fields_check(sn_deformable_contact_fields, def, error, object);
}

sn_status sn_deformable_check(sn_deformable_def *def, sn_error *error, const char *object)
{
    if (def->mesh == NULL) {
        return sn_fail(error, SN_ERROR_NULL, "%s: mesh is null, expected one", object);
    }
    sn_status status = sn_check_pose(&def->pose, error, object, "pose");
    status = status ? status : sn_deformable_check_tunable(def, error, object);
    status = status ? status : check_masses(def, error, object);
    status = status ? status : check_integrator(def, error, object);
    return status ? status : check_edge_options(def, error, object);
}
