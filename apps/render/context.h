// An OpenGL context without a window.
#ifndef SINEW_RENDER_CONTEXT_H
#define SINEW_RENDER_CONTEXT_H

#include <stdbool.h>

// EGL's display, context and (where the driver wants one) surface, as the pointers they are.
typedef struct render_context {
    void *display, *context, *surface;
    int max_size;          // of a framebuffer, in pixels
    char description[256]; // vendor, renderer and version
} render_context;

// An OpenGL 3.3 core context, made current on this thread. False: sn_scene_error() says why, and the struct
// is empty.
bool context_create(render_context *context);
// An empty struct is fine.
void context_destroy(render_context *context);
// Must precede drawing, as another context may have been current in between. False: sn_scene_error().
bool context_make_current(const render_context *context);
// Asks OpenGL whether anything went wrong since the last time; false and sn_scene_error() if so.
bool context_check(const char *doing);

#endif
