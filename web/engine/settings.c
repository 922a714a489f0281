// What the page changes while the world runs. Stiffness and friction are factors on what the scene gave, so
// the scene's own numbers are kept aside when a factor is first set.
#include "bridge.h"

#include <stdlib.h>

typedef struct soft_numbers {
    sn_deformable id;
    float stiffness, young, volume_stiffness, bending, friction;
} soft_numbers;

typedef struct shape_numbers {
    sn_shape id;
    float friction;
} shape_numbers;

static soft_numbers *softs;
static shape_numbers *shapes;
static int soft_count, shape_count;
static float stiffness_factor = 1.0f, friction_factor = 1.0f;

void page_factors_reset(void)
{
    free(softs);
    free(shapes);
    softs = NULL;
    shapes = NULL;
    soft_count = shape_count = 0;
    stiffness_factor = friction_factor = 1.0f;
}

static void keep_shapes_of(sn_rigid rigid)
{
    int count = sn_rigid_shapes(page_world, rigid, NULL, 0);
    sn_shape *ids = malloc(((size_t)count + 1) * sizeof *ids);
    shape_numbers *grown = realloc(shapes, ((size_t)(shape_count + count) + 1) * sizeof *shapes);
    if (ids != NULL && grown != NULL) {
        shapes = grown;
        sn_rigid_shapes(page_world, rigid, ids, count);
        for (int i = 0; i < count; ++i) {
            shapes[shape_count++] = (shape_numbers){ids[i], sn_shape_definition(page_world, ids[i]).friction};
        }
    }
    free(ids);
}

static void keep_softs(void)
{
    soft_count = sn_world_deformables(page_world, NULL, 0);
    sn_deformable *ids = malloc(((size_t)soft_count + 1) * sizeof *ids);
    softs = malloc(((size_t)soft_count + 1) * sizeof *softs);
    if (ids == NULL || softs == NULL) {
        soft_count = 0;
    }
    sn_world_deformables(page_world, ids, soft_count);
    for (int i = 0; i < soft_count; ++i) {
        sn_deformable_def def = sn_deformable_definition(page_world, ids[i]);
        softs[i] = (soft_numbers){ids[i],
                                  def.model.stiffness,
                                  def.model.young,
                                  def.model.volume_stiffness,
                                  def.bending.stiffness,
                                  def.friction};
    }
    free(ids);
}

static void keep_numbers(void)
{
    if (softs != NULL) {
        return;
    }
    keep_softs();
    int count = sn_world_rigids(page_world, NULL, 0);
    sn_rigid *bodies = malloc(((size_t)count + 1) * sizeof *bodies);
    if (bodies != NULL) {
        bodies[0] = sn_world_ground(page_world);
        sn_world_rigids(page_world, bodies + 1, count);
        for (int i = 0; i <= count; ++i) {
            keep_shapes_of(bodies[i]);
        }
    }
    free(bodies);
}

static void set_stiffness(float factor)
{
    keep_numbers();
    stiffness_factor = factor;
    for (int i = 0; i < soft_count; ++i) {
        const soft_numbers *kept = &softs[i];
        if (!sn_deformable_is_valid(page_world, kept->id)) {
            continue;
        }
        sn_deformable_def def = sn_deformable_definition(page_world, kept->id);
        bool share = def.model.type == SN_MODEL_POSITION_BASED || def.model.type == SN_MODEL_SHAPE_MATCHING;
        float most = share ? 1.0f : 1e30f;
        sn_deformable_stiffness_set(page_world, kept->id, sn_min(kept->stiffness * factor, most));
        sn_deformable_young_set(page_world, kept->id, kept->young * factor);
        sn_deformable_volume_stiffness_set(page_world, kept->id,
                                           sn_min(kept->volume_stiffness * factor, most));
        if (def.bending.type != SN_BENDING_NONE && kept->bending > 0.0f) {
            def.bending.stiffness = kept->bending * factor;
            sn_deformable_bending_set(page_world, kept->id, def.bending);
        }
    }
}

static void set_friction(float factor)
{
    keep_numbers();
    friction_factor = factor;
    for (int i = 0; i < shape_count; ++i) {
        sn_shape_friction_set(page_world, shapes[i].id, sn_min(shapes[i].friction * factor, 100.0f));
    }
    for (int i = 0; i < soft_count; ++i) {
        sn_deformable_friction_set(page_world, softs[i].id, sn_min(softs[i].friction * factor, 100.0f));
    }
}

float page_setting_get(int which)
{
    sn_world_def def = sn_world_settings(page_world);
    switch (which) {
    case PAGE_GRAVITY:
        return sn_length(sn_world_gravity(page_world));
    case PAGE_SOLVER:
        return (float)def.solver;
    case PAGE_SUB_STEPS:
        return (float)def.sub_steps;
    case PAGE_LONG_RANGE:
        return def.long_range.bounds || def.long_range.sub_steps || def.long_range.settle ? 1.0f : 0.0f;
    case PAGE_STIFFNESS:
        return stiffness_factor;
    case PAGE_FRICTION:
        return friction_factor;
    case PAGE_SLEEP:
        return def.sleep ? 1.0f : 0.0f;
    case PAGE_ITERATIONS:
        return (float)(def.solver == SN_SOLVER_POSITION ? def.position.iterations
                                                        : def.staggered.node_iterations);
    default:
        return 0.0f;
    }
}

// Gravity keeps its direction; where there is none, it is −y.
static int set_gravity(float size)
{
    static sn_vec3 down = {0.0f, -1.0f, 0.0f};
    sn_vec3 now = sn_world_gravity(page_world);
    down = sn_length(now) > 0.0f ? sn_normalize(now) : down;
    return sn_world_gravity_set(page_world, sn_scale(down, size));
}

int page_setting_set(int which, float value)
{
    sn_world_def def = sn_world_settings(page_world);
    switch (which) {
    case PAGE_GRAVITY:
        return set_gravity(value);
    case PAGE_STIFFNESS:
        set_stiffness(value);
        return SN_OK;
    case PAGE_FRICTION:
        set_friction(value);
        return SN_OK;
    case PAGE_SOLVER:
        def.solver = (sn_solver_type)value;
        break;
    case PAGE_SUB_STEPS:
        def.sub_steps = (int)value;
        break;
    case PAGE_LONG_RANGE:
        def.long_range = value != 0.0f ? sn_long_range_auto() : sn_long_range_off();
        break;
    case PAGE_SLEEP:
        def.sleep = value != 0.0f;
        break;
    case PAGE_ITERATIONS:
        def.staggered.node_iterations = def.staggered.rigid_iterations = (int)value;
        def.position.iterations = (int)value;
        break;
    default:
        return SN_ERROR_RANGE;
    }
    return sn_world_settings_set(page_world, &def);
}
