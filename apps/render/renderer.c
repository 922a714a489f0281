// Draws a picture. What the scene holds becomes a list; the list is drawn four times over: its depths as the
// light sees them, its surfaces as the eye does, their light, and what is written over it all.
#include "apps/render/renderer.h"

#include "apps/render/canvas.h"
#include "apps/render/context.h"
#include "apps/render/ground.h"
#include "apps/render/labels.h"
#include "apps/render/occlusion.h"
#include "apps/render/overlays.h"
#include "apps/render/shadow.h"
#include "apps/render/surfaces.h"
#include "scene/message.h"

#include <epoxy/gl.h>
#include <string.h>

#define LEAST_SIZE 16
#define MOST_SIZE  8192
// How far from a place others occlude it, as a part of what half the picture shows at the distance looked at.
#define OCCLUSION_REACH 0.16f
// The nearest thing drawn, as a part of the farthest: what float depths can tell apart.
#define LEAST_DEPTH_PART 1.0e-5f

struct renderer {
    render_options options;
    render_context context;
    shader_set shaders;
    canvas canvas;
    surface_buffer surfaces;
    occlusion_map occlusion;
    shadow_map shadow;
    geometry_cache cache;
    solids solids;
    skins skins;
    ground ground;
    overlays overlays;
    flat_layer flat;
    drawing_list list;
};

// --- options -----------------------------------------------------------------------------------------------

render_options render_options_default(void)
{
    return (render_options){
        .width = 1280, .height = 720, .samples = 4, .shadows = true, .grid = true, .labels = true};
}

static bool check_size(const char *field, int value)
{
    if (value < LEAST_SIZE || value > MOST_SIZE) {
        sn_scene_fail(SN_ERROR_RANGE, "render options: %s is %d, expected %d…%d pixels", field, value,
                      LEAST_SIZE, MOST_SIZE);
        return false;
    }
    return true;
}

static bool check_options(const render_options *options)
{
    if (options == NULL) {
        sn_scene_fail(SN_ERROR_NULL, "renderer_create: options is null");
        return false;
    }
    if (!check_size("width", options->width) || !check_size("height", options->height)) {
        return false;
    }
    int samples = options->samples;
    if (samples != 1 && samples != 2 && samples != 4 && samples != 8) {
        sn_scene_fail(SN_ERROR_RANGE, "render options: samples is %d, expected 1, 2, 4 or 8", samples);
        return false;
    }
    int heat = (int)options->heat;
    if (heat < RENDER_COLORS || heat > RENDER_SUPPORT) {
        sn_scene_fail(SN_ERROR_RANGE,
                      "render options: heat is %d, expected RENDER_COLORS, RENDER_SPEED, RENDER_ERROR, "
                      "RENDER_STRAIN, RENDER_STRESS or RENDER_SUPPORT",
                      heat);
        return false;
    }
    if (!sn_is_finite(options->heat_limit) || options->heat_limit < 0.0f) {
        sn_scene_fail(SN_ERROR_RANGE, "render options: heat_limit is %g, expected 0 or a finite value above",
                      (double)options->heat_limit);
        return false;
    }
    return true;
}

// --- making ------------------------------------------------------------------------------------------------

static bool make_parts(renderer *renderer)
{
    const render_options *options = &renderer->options;
    int scale = options->samples == 8 ? 2 : 1;
    int width = scale * options->width, height = scale * options->height;
    int most = renderer->context.max_size;
    if (width > most || height > most) {
        sn_scene_fail(SN_ERROR_RANGE,
                      "a picture of %d × %d pixels with %d samples is drawn %d × %d large, but "
                      "OpenGL here goes up to %d",
                      options->width, options->height, options->samples, width, height, most);
        return false;
    }
    if (!shaders_create(&renderer->shaders) || !geometry_create(&renderer->cache) ||
        !canvas_create(&renderer->canvas, options->width, options->height, scale, options->samples > 1) ||
        !surfaces_create(&renderer->surfaces, width, height, renderer->canvas.depth_stencil) ||
        !occlusion_create(&renderer->occlusion, width, height) || !shadow_create(&renderer->shadow) ||
        !flat_create(&renderer->flat, height) || !ground_create(&renderer->ground, width, height)) {
        return false;
    }
    solids_create(&renderer->solids);
    skins_create(&renderer->skins);
    overlays_create(&renderer->overlays);
    return context_check("making the renderer");
}

renderer *renderer_create(const render_options *options)
{
    if (!check_options(options)) {
        return NULL;
    }
    renderer *made = calloc(1, sizeof *made);
    if (made == NULL) {
        sn_scene_fail(SN_ERROR_MEMORY, "no memory for a renderer");
        return NULL;
    }
    made->options = *options;
    if (!context_create(&made->context) || !make_parts(made)) {
        renderer_destroy(made);
        return NULL;
    }
    return made;
}

void renderer_destroy(renderer *renderer)
{
    if (renderer == NULL) {
        return;
    }
    // Without a context there is nothing of OpenGL's to give back, and no one to give it to.
    if (renderer->context.context != NULL && context_make_current(&renderer->context)) {
        overlays_destroy(&renderer->overlays);
        ground_destroy(&renderer->ground);
        skins_destroy(&renderer->skins);
        solids_destroy(&renderer->solids, &renderer->cache);
        flat_destroy(&renderer->flat);
        shadow_destroy(&renderer->shadow);
        occlusion_destroy(&renderer->occlusion);
        surfaces_destroy(&renderer->surfaces);
        canvas_destroy(&renderer->canvas);
        shaders_destroy(&renderer->shaders);
    }
    context_destroy(&renderer->context);
    geometry_destroy(&renderer->cache);
    drawing_list_release(&renderer->list);
    free(renderer);
}

const char *renderer_description(const renderer *renderer)
{
    return renderer->context.description;
}

// --- view and light ----------------------------------------------------------------------------------------

// Lets the view begin and end with what is in it, so that depths are told apart as well as can be. What is
// too small to be seen does not count: one body that fell out of the world must not make all others flicker.
static void fit_depths(const drawing_list *list, render_view *view)
{
    float nearest = view->focus, farthest = view->focus;
    for (int i = 0; i < list->items.count; ++i) {
        const drawn_item *item = &list->items.items[i];
        if (item->visible && item->reach * view_pixels_per_metre(view, item->depth) > 0.5f) {
            nearest = sn_min(nearest, item->depth - item->reach);
            farthest = sn_max(farthest, item->depth + item->reach);
        }
    }
    for (int i = 0; i < list->planes.count; ++i) {
        nearest = sn_min(nearest, ground_nearest(&list->planes.items[i], view));
        farthest = sn_max(farthest, ground_reach(&list->planes.items[i], view));
    }
    view_set_depths(view, sn_max(0.9f * nearest, LEAST_DEPTH_PART * farthest), 1.05f * farthest);
}

static void put(float *to, sn_vec3 v, float w)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
    to[3] = w;
}

// Screen colours to amounts of light, as the shaders do it.
static float to_light(sn_color channel)
{
    float x = (float)(channel & 255) / 255.0f;
    return x * (x * (x * 0.305306011f + 0.682171111f) + 0.012522878f);
}

static sn_vec3 light_color(const sn_light *light)
{
    return sn_v(1.62f * light->strength * to_light(light->color >> 16),
                1.50f * light->strength * to_light(light->color >> 8),
                1.32f * light->strength * to_light(light->color));
}

// Where the light comes from: as the scene says, or as it is in a studio. A direction of no length, between
// two keys that are opposite, is none.
static sn_vec3 light_direction(const sn_light *light, sn_vec3 up)
{
    return sn_length(light->direction) > 1.0e-6f ? sn_normalize(light->direction)
                                                 : shadow_light_direction(up);
}

static float occlusion_reach(const render_view *view)
{
    return OCCLUSION_REACH * view->focus * view->slope_y;
}

static shader_frame make_frame(const render_view *view, sn_vec3 up, const sn_light *light)
{
    shader_frame frame = {.clip = view->clip,
                          .size = {(float)view->width, (float)view->height, 1.0f / (float)view->width,
                                   1.0f / (float)view->height}};
    put(frame.right, view->right, view->slope_x);
    put(frame.up, view->up, view->slope_y);
    put(frame.forward, view->forward, view->farthest);
    put(frame.zenith, up, occlusion_reach(view));
    put(frame.key, light_direction(light, up), 0.0f);
    put(frame.light, light_color(light), 0.0f);
    return frame;
}

// --- passes ------------------------------------------------------------------------------------------------

static void reset_state(void)
{
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    glDepthMask(GL_TRUE);
    glDisable(GL_STENCIL_TEST);
    glDisable(GL_BLEND);
    glDisable(GL_CULL_FACE);
}

// Colour, normal and depth of what each pixel shows; the stencil says where bodies are.
static void draw_surfaces(const renderer *renderer, const render_view *view)
{
    glViewport(0, 0, view->width, view->height);
    const drawing_list *list = &renderer->list;
    // Where there is one floor, what is no body faces as it does.
    bool one_floor = list->planes.count == 1;
    surfaces_begin(&renderer->surfaces, view->farthest,
                   one_floor ? list->planes.items[0].normal : sn_v(0.0f, 0.0f, 0.0f));
    // The floor first: what is below it stays hidden. Its colour is found when it is lit.
    glColorMaski(0, GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    glColorMaski(1, !one_floor, !one_floor, !one_floor, !one_floor);
    ground_draw_depth(&renderer->ground, &renderer->shaders, list, view);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glEnable(GL_STENCIL_TEST);
    glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
    glStencilFunc(GL_ALWAYS, 1, 1);
    solids_draw(&renderer->solids, &renderer->shaders, list, &renderer->cache);
    skins_draw(&renderer->skins, &renderer->shaders);
    glDisable(GL_STENCIL_TEST);
    surfaces_bind(&renderer->surfaces);
}

// Pixels of what is near anything; planes alone occlude nothing.
static render_rectangle find_occluded(const drawing_list *list, const render_view *view)
{
    render_rectangle all = {0, 0, 0, 0};
    for (int i = 0; i < list->items.count; ++i) {
        const drawn_item *item = &list->items.items[i];
        if (item->visible) {
            all =
                rectangle_union(all, view_rectangle(view, item->center, item->reach + occlusion_reach(view)));
        }
    }
    return all;
}

static void draw_occlusion(const renderer *renderer, const render_view *view)
{
    occlusion_clear(&renderer->occlusion);
    if (renderer->options.shadows) {
        glDisable(GL_DEPTH_TEST);
        occlusion_draw(&renderer->occlusion, &renderer->shaders, &renderer->canvas,
                       find_occluded(&renderer->list, view));
        glEnable(GL_DEPTH_TEST);
    }
    occlusion_bind(&renderer->occlusion);
}

static void draw_light(renderer *renderer, const render_view *view, const shader_frame *frame, bool shadows)
{
    canvas_begin(&renderer->canvas);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_EQUAL, 1, 1);
    glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
    canvas_fill(&renderer->canvas, renderer->shaders.programs[SHADER_SOLID]);
    glDisable(GL_STENCIL_TEST);
    glEnable(GL_DEPTH_TEST);
    ground_draw(&renderer->ground, &renderer->shaders, &renderer->list, view, frame, shadows,
                renderer->options.grid);
    canvas_fill(&renderer->canvas, renderer->shaders.programs[SHADER_BACKDROP]);
    skins_draw_clear(&renderer->skins, &renderer->shaders, &renderer->list.skins, &renderer->surfaces,
                     &renderer->canvas);
}

// Lines, labels and legend.
static bool draw_writing(renderer *renderer, const sn_scene *scene, const render_view *view)
{
    const render_options *options = &renderer->options;
    if (!overlays_fill(&renderer->overlays, scene, options, view, &renderer->list)) {
        return false;
    }
    overlays_draw(&renderer->overlays, &renderer->shaders, view);
    if (options->labels && !labels_add(&renderer->flat, scene, view)) {
        return false;
    }
    if (options->heat != RENDER_COLORS &&
        !legend_add(&renderer->flat, options->heat, renderer->list.heat_limit, view)) {
        return false;
    }
    if (options->forces && !force_legend_add(&renderer->flat, renderer->overlays.force_scale, view)) {
        return false;
    }
    flat_draw(&renderer->flat, &renderer->shaders);
    return true;
}

bool renderer_draw(renderer *renderer, const sn_scene *scene, const sn_camera *camera, uint8_t *pixels)
{
    if (renderer == NULL || scene == NULL || camera == NULL || pixels == NULL) {
        sn_scene_fail(SN_ERROR_NULL, "renderer_draw: renderer, scene, camera or pixels is null");
        return false;
    }
    if (!context_make_current(&renderer->context)) {
        return false;
    }
    canvas *canvas = &renderer->canvas;
    sn_vec3 up = sn_scene_up(scene);
    render_view view = view_make(camera, up, canvas->width, canvas->height);
    ++renderer->cache.frame;
    if (!drawing_list_fill(&renderer->list, scene, &renderer->options, &view, &renderer->cache)) {
        return false;
    }
    fit_depths(&renderer->list, &view);
    sn_light light = sn_scene_light(scene);
    shader_frame frame = make_frame(&view, up, &light);
    bool shadows = renderer->options.shadows && shadow_fit(&renderer->list, &view, &frame);

    reset_state();
    shaders_set_frame(&renderer->shaders, &frame);
    solids_upload(&renderer->solids, &renderer->list, &renderer->cache);
    skins_upload(&renderer->skins, &renderer->list.skins);
    shadow_bind(&renderer->shadow);
    if (shadows) {
        shadow_draw(&renderer->shadow, &renderer->shaders, &renderer->solids, &renderer->skins,
                    &renderer->list, &renderer->cache, &frame);
    }
    draw_surfaces(renderer, &view);
    draw_occlusion(renderer, &view);
    draw_light(renderer, &view, &frame, shadows);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_FALSE);
    bool written = draw_writing(renderer, scene, &view);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    canvas_read(canvas, pixels);
    return context_check("drawing") && written;
}
