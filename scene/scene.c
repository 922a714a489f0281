// The scene object: a world and how to look at it. Reading and writing files is elsewhere.
#include "scene/scene_parts.h"

#include "scene/message.h"

#include <string.h>

static const float default_step = 1.0f / 60.0f, default_duration = 10.0f;

// Bodies that nobody painted take these in turn; they keep apart from each other and from the grey of what is
// static.
static const sn_color palette[] = {0xe07a5f, 0x3d85c6, 0x81b29a, 0xf2cc8f, 0x9a6fb0,
                                   0x5fb0b7, 0xd9667b, 0xa3b86c, 0x6f87d6, 0xe3a857};
static const sn_color static_color = 0xb8bcc2;

sn_scene *sn_scene_new(void)
{
    sn_scene *scene = calloc(1, sizeof *scene);
    if (scene != NULL) {
        scene->step_length = default_step;
        scene->duration = default_duration;
        scene->light = (sn_light){.strength = 1.0f, .color = 0xffffff};
    }
    return scene;
}

sn_status sn_scene_wrap(sn_world *world, sn_scene **scene)
{
    if (scene == NULL) {
        return sn_scene_fail(SN_ERROR_NULL, "sn_scene_wrap: scene is null, expected where to put it");
    }
    *scene = NULL;
    if (world == NULL) {
        return sn_scene_fail(SN_ERROR_NULL, "sn_scene_wrap: world is null, expected a world");
    }
    *scene = sn_scene_new();
    if (*scene == NULL) {
        return sn_scene_fail(SN_ERROR_MEMORY, "sn_scene_wrap: no memory");
    }
    (*scene)->world = world;
    return SN_OK;
}

void sn_scene_destroy(sn_scene *scene)
{
    if (scene == NULL) {
        return;
    }
    if (scene->owns_world) {
        sn_world_destroy(scene->world);
    }
    for (int i = 0; i < scene->labels.count; ++i) {
        free(scene->labels.items[i].text);
    }
    for (int i = 0; i < scene->probes.count; ++i) {
        free(scene->probes.items[i].name);
        free(scene->probes.items[i].anchor);
    }
    for (int i = 0; i < scene->categories.count; ++i) {
        free(scene->categories.items[i]);
    }
    for (int i = 0; i < scene->motions.count; ++i) {
        sn_motion_release(&scene->motions.items[i]);
    }
    for (int i = 0; i < scene->events.count; ++i) {
        sn_scene_event_release(&scene->events.items[i]);
    }
    sn_sources_release(&scene->sources);
    SN_LIST_FREE(&scene->events);
    SN_LIST_FREE(&scene->motions);
    SN_LIST_FREE(&scene->categories);
    SN_LIST_FREE(&scene->paints);
    SN_LIST_FREE(&scene->deformable_paints);
    SN_LIST_FREE(&scene->opacities);
    SN_LIST_FREE(&scene->cameras);
    SN_LIST_FREE(&scene->labels);
    SN_LIST_FREE(&scene->probes);
    SN_LIST_FREE(&scene->replay.steps);
    free(scene->replay.bytes);
    free(scene->title);
    free(scene->description);
    free(scene);
}

sn_world *sn_scene_world(const sn_scene *scene)
{
    return scene->world;
}

const char *sn_scene_title(const sn_scene *scene)
{
    return scene->title != NULL ? scene->title : "";
}

const char *sn_scene_description(const sn_scene *scene)
{
    return scene->description != NULL ? scene->description : "";
}

float sn_scene_step_length(const sn_scene *scene)
{
    return scene->step_length;
}

float sn_scene_duration(const sn_scene *scene)
{
    return scene->duration;
}

int sn_scene_category(const sn_scene *scene, const char *name)
{
    if (strcmp(name, "default") == 0) {
        return 0;
    }
    for (int i = 0; i < scene->categories.count; ++i) {
        if (strcmp(name, scene->categories.items[i]) == 0) {
            return i + 1;
        }
    }
    return -1;
}

// --- looks -------------------------------------------------------------------------------------------------

static bool put_paint(sn_paint_list *list, uint32_t index, uint16_t generation, sn_color color)
{
    int needed = (int)index + 1, before = list->count;
    if (needed > before) {
        if (!SN_LIST_RESERVE(list, needed)) {
            return false;
        }
        memset(list->items + before, 0, (size_t)(needed - before) * sizeof *list->items);
        list->count = needed;
    }
    list->items[index] = (sn_paint){generation, color};
    return true;
}

static bool take_paint(const sn_paint_list *list, uint32_t index, uint16_t generation, sn_color *color)
{
    if (index >= (uint32_t)list->count || generation == 0 || list->items[index].generation != generation) {
        return false;
    }
    *color = list->items[index].color;
    return true;
}

bool sn_scene_paint(sn_scene *scene, sn_shape shape, sn_color color)
{
    return put_paint(&scene->paints, shape.index, shape.generation, color);
}

bool sn_scene_painted(const sn_scene *scene, sn_shape shape, sn_color *color)
{
    return take_paint(&scene->paints, shape.index, shape.generation, color);
}

bool sn_scene_paint_deformable(sn_scene *scene, sn_deformable deformable, sn_color color)
{
    return put_paint(&scene->deformable_paints, deformable.index, deformable.generation, color);
}

bool sn_scene_painted_deformable(const sn_scene *scene, sn_deformable deformable, sn_color *color)
{
    return take_paint(&scene->deformable_paints, deformable.index, deformable.generation, color);
}

bool sn_scene_set_opacity(sn_scene *scene, sn_deformable deformable, float opacity)
{
    while (scene->opacities.count <= (int)deformable.index) {
        if (!SN_LIST_PUSH(&scene->opacities, (sn_opacity){0})) {
            return false;
        }
    }
    scene->opacities.items[deformable.index] = (sn_opacity){deformable.generation, opacity};
    return true;
}

float sn_scene_deformable_opacity(const sn_scene *scene, sn_deformable deformable)
{
    bool given = deformable.index < (uint32_t)scene->opacities.count && deformable.generation != 0 &&
                 scene->opacities.items[deformable.index].generation == deformable.generation;
    return given ? scene->opacities.items[deformable.index].value : 1.0f;
}

sn_color sn_scene_deformable_color(const sn_scene *scene, sn_deformable deformable)
{
    sn_color color = 0;
    int count = (int)(sizeof palette / sizeof palette[0]);
    return sn_scene_painted_deformable(scene, deformable, &color)
               ? color
               : palette[((int)deformable.index + 4) % count];
}

sn_color sn_scene_shape_color(const sn_scene *scene, sn_shape shape)
{
    sn_color color = static_color;
    if (sn_scene_painted(scene, shape, &color)) {
        return color;
    }
    sn_rigid rigid = sn_shape_rigid(scene->world, shape);
    if (sn_rigid_get_type(scene->world, rigid) == SN_STATIC) {
        return static_color;
    }
    return palette[rigid.index % (sizeof palette / sizeof palette[0])];
}

sn_vec3 sn_scene_up(const sn_scene *scene)
{
    sn_vec3 gravity = sn_world_gravity(scene->world);
    return sn_length(gravity) > 0.0f ? sn_normalize(sn_neg(gravity)) : sn_v(0.0f, 1.0f, 0.0f);
}

static bool add_bounds(const sn_scene *scene, sn_rigid rigid, bool found, sn_bounds *bounds)
{
    int count = sn_rigid_shapes(scene->world, rigid, NULL, 0);
    sn_shape few[16];
    sn_shape *shapes = count <= 16 ? few : malloc((size_t)count * sizeof *shapes);
    if (shapes == NULL) {
        return found;
    }
    sn_rigid_shapes(scene->world, rigid, shapes, count);
    for (int i = 0; i < count; ++i) {
        if (sn_shape_get_type(scene->world, shapes[i]) == SN_PLANE) {
            continue;
        }
        sn_bounds box = sn_shape_bounds(scene->world, shapes[i]);
        *bounds = found ? sn_bounds_union(*bounds, box) : box;
        found = true;
    }
    if (shapes != few) {
        free(shapes);
    }
    return found;
}

static bool add_deformables(const sn_scene *scene, bool found, sn_bounds *bounds)
{
    int count = sn_world_deformables(scene->world, NULL, 0);
    sn_deformable *deformables = malloc(((size_t)count + 1) * sizeof *deformables);
    if (deformables == NULL) {
        return found;
    }
    sn_world_deformables(scene->world, deformables, count);
    for (int i = 0; i < count; ++i) {
        sn_bounds box = sn_deformable_measure_now(scene->world, deformables[i]).bounds;
        *bounds = found ? sn_bounds_union(*bounds, box) : box;
        found = true;
    }
    free(deformables);
    return found;
}

bool sn_scene_extent(const sn_scene *scene, bool moving, sn_bounds *bounds)
{
    int count = sn_world_rigids(scene->world, NULL, 0);
    sn_rigid *rigids = malloc(((size_t)count + 1) * sizeof *rigids);
    if (rigids == NULL) {
        return false;
    }
    sn_world_rigids(scene->world, rigids, count);
    bool found = false;
    for (int i = 0; i < count; ++i) {
        if (!moving || sn_rigid_get_type(scene->world, rigids[i]) != SN_STATIC) {
            found = add_bounds(scene, rigids[i], found, bounds);
        }
    }
    if (!moving) {
        found = add_bounds(scene, sn_world_ground(scene->world), found, bounds);
    }
    free(rigids);
    found = add_deformables(scene, found, bounds);
    return found || (moving && sn_scene_extent(scene, false, bounds));
}
