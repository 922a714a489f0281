// Is a definition of a deformable fit to be built?
#include "geometry/shapes/check.h"
#include "world/deformables/deformable.h"

#include <math.h>

typedef struct check {
    sn_error *error;
    const char *object;
    sn_status status;
} check;

// One field after the other; the first that is wrong is told.
static void range(check *check, float value, float lower, float upper, const char *field)
{
    if (check->status == SN_OK) {
        check->status = sn_check_range(value, lower, upper, check->error, check->object, field);
    }
}

// Above zero, infinity allowed.
static void strength(check *check, float value, const char *field)
{
    if (check->status == SN_OK && !(value > 0.0f)) {
        check->status = sn_fail(check->error, value == value ? SN_ERROR_RANGE : SN_ERROR_NOT_FINITE,
                                "%s: %s is %g, expected more than 0", check->object, field, (double)value);
    }
}

static void choice(check *check, int value, int count, const char *field)
{
    if (check->status == SN_OK && (value < 0 || value >= count)) {
        check->status = sn_fail(check->error, SN_ERROR_RANGE, "%s: %s is %d, expected 0 to %d", check->object,
                                field, value, count - 1);
    }
}

static const float largest = 1.0e12f;

static void check_model(check *check, const sn_model *model)
{
    choice(check, (int)model->type, SN_MODEL_COUNT, "model.type");
    if (check->status != SN_OK) {
        return;
    }
    switch (model->type) {
    case SN_MODEL_SPRINGS:
    case SN_MODEL_SPRING_FORCES:
        range(check, model->stiffness, 1.0e-9f, largest, "model.stiffness");
        range(check, model->damping, 0.0f, largest, "model.damping");
        break;
    case SN_MODEL_COROTATIONAL:
    case SN_MODEL_COROTATIONAL_EXPLICIT:
    case SN_MODEL_COROTATIONAL_IMPLICIT:
    case SN_MODEL_NEO_HOOKEAN:
        range(check, model->young, 1.0e-3f, largest, "model.young");
        range(check, model->poisson, 0.0f, 0.499f, "model.poisson");
        range(check, model->damping, 0.0f, 100.0f, "model.damping");
        break;
    case SN_MODEL_POSITION_BASED:
    case SN_MODEL_SHAPE_MATCHING:
        range(check, model->stiffness, 0.0f, 1.0f, "model.stiffness");
        range(check, model->damping, 0.0f, 1.0f, "model.damping");
        range(check, model->volume_stiffness, 0.0f, 1.0f, "model.volume_stiffness");
        range(check, model->matching_share, 0.0f, 1.0f, "model.matching_share");
        choice(check, (int)model->matching, 3, "model.matching");
        choice(check, model->cluster_rings, 17, "model.cluster_rings");
        break;
    case SN_MODEL_ENERGY:
        range(check, model->stiffness, 0.0f, largest, "model.stiffness");
        range(check, model->area_stiffness, 0.0f, largest, "model.area_stiffness");
        range(check, model->volume_stiffness, 0.0f, largest, "model.volume_stiffness");
        range(check, model->damping, 0.0f, largest, "model.damping");
        break;
    default:
        break;
    }
}

// Only what is made of forces can be taken through time by another scheme than the default.
static void check_integrator(check *check, const sn_deformable_def *def)
{
    choice(check, (int)def->integrator, SN_INTEGRATOR_COUNT, "integrator");
    if (check->status != SN_OK || def->integrator == SN_INTEGRATOR_EULER_CROMER ||
        def->model.type == SN_MODEL_NONE) {
        return;
    }
    const sn_model_kind *kind = sn_model_kind_of(def->model.type);
    if (kind == NULL || kind->field == NULL) {
        check->status = sn_fail(check->error, SN_ERROR_KIND,
                                "%s: integrator is '%s', but its model is not made of forces and takes the "
                                "default alone",
                                check->object, sn_integrator_kind_of(def->integrator)->name);
    }
}

static void check_edge_options(check *check, const sn_deformable_def *def)
{
    choice(check, def->edge_option_count, 1000001, "edge_option_count");
    if (check->status == SN_OK && def->edge_option_count > 0 && def->edge_options == NULL) {
        check->status = sn_fail(check->error, SN_ERROR_NULL, "%s: edge_options is null, expected %d of them",
                                check->object, def->edge_option_count);
    }
    for (int i = 0; check->status == SN_OK && i < def->edge_option_count; ++i) {
        const sn_edge_option *option = &def->edge_options[i];
        choice(check, option->edge, sn_mesh_edge_count(def->mesh), "edge_options[].edge");
        choice(check, (int)option->side, 3, "edge_options[].side");
        range(check, option->compliance, 0.0f, largest, "edge_options[].compliance");
        range(check, option->damping, 0.0f, largest, "edge_options[].damping");
        strength(check, option->max_force, "edge_options[].max_force");
    }
}

static void check_holds(check *check, const sn_deformable_def *def)
{
    choice(check, (int)def->inextensible.side, 3, "inextensible.side");
    range(check, def->inextensible.compliance, 0.0f, largest, "inextensible.compliance");
    range(check, def->inextensible.damping, 0.0f, largest, "inextensible.damping");
    strength(check, def->inextensible.max_force, "inextensible.max_force");
    range(check, def->inextensible.shear_stiffness, 0.0f, largest, "inextensible.shear_stiffness");
    range(check, def->inextensible.shear_damping, 0.0f, largest, "inextensible.shear_damping");
    choice(check, (int)def->bending.type, 4, "bending.type");
    range(check, def->bending.stiffness, 0.0f, largest, "bending.stiffness");
    range(check, def->bending.damping, 0.0f, 100.0f, "bending.damping");
    strength(check, def->bending.max_impulse, "bending.max_impulse");
    range(check, def->enclosure.scale, 1.0e-3f, 1.0e3f, "enclosure.scale");
    range(check, def->enclosure.compliance, 0.0f, largest, "enclosure.compliance");
    range(check, def->enclosure.pressure, -largest, largest, "enclosure.pressure");
}

static void check_masses(check *check, const sn_deformable_def *def)
{
    if (def->node_masses == NULL) {
        range(check, def->density, 1.0e-9f, 1.0e9f, "density");
        range(check, def->mass, 0.0f, 1.0e12f, "mass");
        return;
    }
    for (int i = 0; i < sn_mesh_node_count(def->mesh) && check->status == SN_OK; ++i) {
        float mass = def->node_masses[i];
        if (!(mass == 0.0f || (mass >= 1.0e-9f && mass <= 1.0e9f))) {
            check->status = sn_fail(check->error, sn_is_finite(mass) ? SN_ERROR_RANGE : SN_ERROR_NOT_FINITE,
                                    "%s: node_masses[%d] is %g, expected 0 (fixed) or 1e-9 to 1e9 kg",
                                    check->object, i, (double)mass);
        }
    }
}

static void check_surroundings(check *check, const sn_deformable_def *def)
{
    range(check, def->thickness, SN_MIN_SIZE, 1.0e3f, "thickness");
    range(check, def->friction, 0.0f, 100.0f, "friction");
    range(check, def->restitution, 0.0f, 1.0f, "restitution");
    range(check, def->linear_damping, 0.0f, 1000.0f, "linear_damping");
    range(check, def->gravity_scale, -1000.0f, 1000.0f, "gravity_scale");
    range(check, def->drag, 0.0f, 1000.0f, "drag");
    range(check, def->lift, 0.0f, 1000.0f, "lift");
}

sn_status sn_deformable_check_tunable(const sn_deformable_def *def, sn_error *error, const char *object)
{
    check check = {error, object, SN_OK};
    check_model(&check, &def->model);
    check_holds(&check, def);
    check_surroundings(&check, def);
    return check.status;
}

sn_status sn_deformable_check(sn_deformable_def *def, sn_error *error, const char *object)
{
    if (def->mesh == NULL) {
        return sn_fail(error, SN_ERROR_NULL, "%s: mesh is null, expected one", object);
    }
    check check = {error, object, sn_check_pose(&def->pose, error, object, "pose")};
    range(&check, def->scale, 1.0e-6f, 1.0e6f, "scale");
    if (check.status == SN_OK) {
        check.status = sn_check_vec3(def->linear_velocity, SN_MAX_SPEED, error, object, "linear_velocity");
    }
    if (check.status == SN_OK) {
        check.status = sn_check_vec3(def->angular_velocity, SN_MAX_SPIN, error, object, "angular_velocity");
    }
    check_masses(&check, def);
    check_model(&check, &def->model);
    check_integrator(&check, def);
    check_holds(&check, def);
    check_edge_options(&check, def);
    check_surroundings(&check, def);
    return check.status;
}
