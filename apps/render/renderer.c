// Draws a picture: list of things → shadow map → occlusion → bodies, ground, background → pixels.
#include "apps/render/renderer.h"

#include "apps/render/canvas.h"
#include "apps/render/context.h"
#include "apps/render/ground.h"
#include "apps/render/occlusion.h"
#include "apps/render/surfaces.h"
#include "apps/render/shadow.h"
#include "scene/message.h"

#include <epoxy/gl.h>
#include <string.h>

struct renderer {
    render_options options;
    render_context context;
    canvas canvas;
    shader_set shaders;
    geometry_cache cache;
    solids solids;
    ground ground;
    shadow_map shadow;
    occlusion_map occlusion;
    surface_buffer surfaces;
    drawing_list list;
};

render_options render_options_default(void)
{
    return (render_options){.width = 1280, .height = 720, .samples = 4, .shadows = true, .grid = true, .labels = true};
}

#include <time.h>
#include <stdio.h>
#include <stdlib.h>
static double now(void){struct timespec t;clock_gettime(CLOCK_PROCESS_CPUTIME_ID,&t);return t.tv_sec*1e3+t.tv_nsec*1e-6;}
static double times[12]; static int frames;
#define MARK(i) do{ if(getenv("MARK")){glFinish(); double t=now(); times[i]+=t-last; last=t;} }while(0)

renderer *renderer_create(const render_options *options)
{
    renderer *r = calloc(1, sizeof *r);
    r->options = *options;
    if (!context_create(&r->context)) return NULL;
    if (!shaders_create(&r->shaders)) return NULL;
    if (!canvas_create(&r->canvas, options->width, options->height)) return NULL;
    surfaces_create(&r->surfaces, options->width, options->height, r->canvas.depth_stencil);
    geometry_create(&r->cache);
    solids_create(&r->solids);
    ground_create(&r->ground);
    shadow_create(&r->shadow);
    occlusion_create(&r->occlusion, options->width, options->height);
    return r;
}
void renderer_destroy(renderer *r)
{
    if(getenv("MARK")) { const char*n[]={"list","upload","shadow","gsolid","gground","occl","solids","ground","backdrop","edges","read"}; for(int i=0;i<11;i++) fprintf(stderr,"%s %.2f  ",n[i],times[i]/frames); fprintf(stderr,"\n"); }
    solids_destroy(&r->solids,&r->cache);
    ground_destroy(&r->ground); shadow_destroy(&r->shadow); occlusion_destroy(&r->occlusion);
    canvas_destroy(&r->canvas); shaders_destroy(&r->shaders); geometry_destroy(&r->cache); drawing_list_release(&r->list);
    context_destroy(&r->context); free(r);
}
static void put(float *to, sn_vec3 v, float w)
{
    to[0] = v.x; to[1] = v.y; to[2] = v.z; to[3] = w;
}
static void fit_depths(renderer *r, render_view *view)
{
    float nearest = 1e30f, farthest = view->focus;
    for (int i = 0; i < r->list.items.count; ++i) {
        const drawn_item *item = &r->list.items.items[i];
        if (item->visible) { nearest = sn_min(nearest, item->depth - item->reach); farthest = sn_max(farthest, item->depth + item->reach); }
    }
    for (int i = 0; i < r->list.planes.count; ++i) {
        farthest = sn_max(farthest, ground_reach(&r->list.planes.items[i], view));
        nearest = sn_min(nearest, 0.5f * r->list.planes.items[i].height);
    }
    nearest = sn_max(nearest * 0.9f, 1e-4f * farthest);
    view_set_depths(view, nearest, farthest * 1.05f);
}
bool renderer_draw(renderer *r, const sn_scene *scene, const sn_camera *camera, uint8_t *pixels)
{
    double last=now();
    if (!context_make_current(&r->context)) return false;
    sn_vec3 up = sn_scene_up(scene);
    render_view view = view_make(camera, up, r->options.width, r->options.height);
    ++r->cache.frame;
    if (!drawing_list_fill(&r->list, scene, &r->options, &view, &r->cache)) return false;
    fit_depths(r, &view);
    MARK(0);
    solids_upload(&r->solids, &r->list, &r->cache);
    MARK(1);
    sn_vec3 light = shadow_light_direction(up);
    shader_frame frame = {.clip = view.clip};
    put(frame.right, view.right, view.slope_x);
    put(frame.up, view.up, view.slope_y);
    put(frame.forward, view.forward, view.farthest);
    float size[4] = {(float)view.width, (float)view.height, 1.0f/(float)view.width, 1.0f/(float)view.height};
    memcpy(frame.size, size, sizeof size);
    put(frame.zenith, up, 0.16f * view.focus * view.slope_y);
    put(frame.key, light, 1.0f);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    bool cast = r->options.shadows && shadow_fit(&r->list, &view, light, &frame);
    shaders_set_frame(&r->shaders, &frame);
    if (cast) shadow_draw(&r->shadow, &r->shaders, &r->solids, &r->list, &r->cache, &frame);
    MARK(2);
    glViewport(0, 0, view.width, view.height);
    surfaces_begin(&r->surfaces, view.farthest);
    glUseProgram(r->shaders.programs[SHADER_SURFACE]);
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_ALWAYS, 1, 1);
    glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
    solids_draw(&r->solids, &r->list, &r->cache);
    glStencilFunc(GL_ALWAYS, 0, 1);
    MARK(3);
    ground_draw_depth(&r->ground, &r->shaders, &r->list, &view);
    surfaces_bind(&r->surfaces);
    MARK(4);
    glDisable(GL_STENCIL_TEST);
    glDisable(GL_DEPTH_TEST);
    if (getenv("NOAO")) occlusion_clear(&r->occlusion); else
    occlusion_draw(&r->occlusion, &r->shaders, &r->canvas);
    MARK(5);
    canvas_begin(&r->canvas);
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_EQUAL, 1, 1);
    glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
    canvas_fill(&r->canvas, r->shaders.programs[SHADER_SOLID]);
    glDisable(GL_STENCIL_TEST);
    glEnable(GL_DEPTH_TEST);
    MARK(6);
    ground_draw(&r->ground, &r->shaders, &r->list, &view, r->options.grid);
    MARK(7);
    canvas_fill(&r->canvas, r->shaders.programs[SHADER_BACKDROP]);
    MARK(8);
    canvas_finish(&r->canvas, r->options.samples > 1 ? r->shaders.programs[SHADER_EDGES] : 0);
    MARK(9);
    canvas_read(&r->canvas, pixels);
    MARK(10); ++frames;
    return context_check("drawing");
}
const char *renderer_description(const renderer *r) { return r->context.description; }
