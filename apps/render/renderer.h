// Pictures of a scene, drawn off screen with OpenGL 3.3: no display and no graphics card needed (EGL without
// a surface, Mesa's software rasteriser). Sees scenes through their public headers only.
#ifndef SINEW_RENDER_RENDERER_H
#define SINEW_RENDER_RENDERER_H

#include "sinew_scene/scene.h"

// What bodies are coloured by.
typedef enum render_heat {
    RENDER_COLORS, // their own colours
    RENDER_SPEED,  // speed, blue to red
    RENDER_ERROR,  // the largest error of the constraints that hold them
    RENDER_STRAIN, // how much deformables are stretched or squeezed
    RENDER_STRESS, // von Mises stress of finite elements
    RENDER_SUPPORT // red what stands on its contacts and is not moved, blue what is
} render_heat;

typedef struct render_options {
    int width, height; // 16…8192 pixels
    int samples;       // per pixel: 1 as it comes; 2 or 4 with smooth edges; 8 drawn twice as large as well
    bool shadows, grid, labels;                      // shadows: occlusion too
    bool contacts, joints, forces, wireframe, nodes; // drawn over the picture
    render_heat heat;
    float heat_limit; // value that is fully red [m/s, m, 1, Pa, 1]; 0: the largest in the picture
} render_options;

// 1280 × 720, 4 samples, shadows, grid and labels, no overlays.
render_options render_options_default(void);

// The drawing machine with its window of pixels. Opaque. One thread uses it.
typedef struct renderer renderer;

// Null if there is no OpenGL to be had or an option is out of range; sn_scene_error() says why.
renderer *renderer_create(const render_options *options);
void renderer_destroy(renderer *renderer);

// Draws the scene as it is now. `pixels` gets width × height × 3 bytes, rows from top to bottom. False if
// drawing failed (sn_scene_error()).
bool renderer_draw(renderer *renderer, const sn_scene *scene, const sn_camera *camera, uint8_t *pixels);

// What draws: vendor, renderer and version of the OpenGL in use.
const char *renderer_description(const renderer *renderer);

#endif
