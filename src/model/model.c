// Which models there are, and their parameters' defaults.
#include "model/model.h"

#include <stddef.h>

static const sn_model_kind *const kinds[SN_MODEL_COUNT] = {
    [SN_MODEL_SPRING_FORCES] = &sn_model_spring_forces_kind,
    [SN_MODEL_COROTATIONAL_EXPLICIT] = &sn_model_corotational_explicit_kind,
    [SN_MODEL_COROTATIONAL_IMPLICIT] = &sn_model_corotational_implicit_kind,
    [SN_MODEL_POSITION_BASED] = &sn_model_position_based_kind,
    [SN_MODEL_SHAPE_MATCHING] = &sn_model_shape_matching_kind,
    [SN_MODEL_ENERGY] = &sn_model_energy_kind,
};

const sn_model_kind *sn_model_kind_of(sn_model_type type)
{
    return (int)type >= 0 && type < SN_MODEL_COUNT ? kinds[type] : NULL;
}

const char *sn_model_name(sn_model_type type)
{
    static const char *const names[SN_MODEL_COUNT] = {[SN_MODEL_NONE] = "none",
                                                      [SN_MODEL_SPRINGS] = "springs",
                                                      [SN_MODEL_COROTATIONAL] = "corotational",
                                                      [SN_MODEL_NEO_HOOKEAN] = "neo-Hookean"};
    const sn_model_kind *kind = sn_model_kind_of(type);
    return kind != NULL ? kind->name : names[type];
}

sn_model sn_model_none(void)
{
    return (sn_model){.type = SN_MODEL_NONE};
}

sn_model sn_model_springs(float stiffness, float damping)
{
    return (sn_model){.type = SN_MODEL_SPRINGS, .stiffness = stiffness, .damping = damping};
}

sn_model sn_model_corotational(float young, float poisson)
{
    return (sn_model){.type = SN_MODEL_COROTATIONAL, .young = young, .poisson = poisson, .damping = 0.01f};
}

sn_model sn_model_neo_hookean(float young, float poisson)
{
    return (sn_model){.type = SN_MODEL_NEO_HOOKEAN, .young = young, .poisson = poisson, .damping = 0.01f};
}

sn_model sn_model_position_based(float stiffness, float volume_stiffness)
{
    return (sn_model){
        .type = SN_MODEL_POSITION_BASED, .stiffness = stiffness, .volume_stiffness = volume_stiffness};
}

sn_model sn_model_shape_matching(float stiffness, sn_matching matching, float share)
{
    return (sn_model){.type = SN_MODEL_SHAPE_MATCHING,
                      .stiffness = stiffness,
                      .matching = matching,
                      .matching_share = share};
}
