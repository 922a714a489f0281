// EGL without a window system: Mesa's surfaceless platform first, then a device, then whatever is the
// default. The display belongs to the whole process (EGL hands out the same one every time), so it is never
// terminated: other contexts may be in use on it.
#include "apps/render/context.h"

#include "scene/message.h"

#include <dlfcn.h>
#include <epoxy/egl.h>
#include <epoxy/gl.h>
#include <stdio.h>
#include <string.h>

// --- display -----------------------------------------------------------------------------------------------

static EGLDisplay open_platform(EGLenum platform, void *native)
{
    EGLDisplay display = eglGetPlatformDisplayEXT(platform, native, NULL);
    if (display != EGL_NO_DISPLAY && eglInitialize(display, NULL, NULL)) {
        return display;
    }
    return EGL_NO_DISPLAY;
}

static EGLDisplay open_device(void)
{
    EGLDeviceEXT devices[16];
    EGLint count = 0;
    if (!epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_device_enumeration") ||
        !epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_device") ||
        !eglQueryDevicesEXT(16, devices, &count)) {
        return EGL_NO_DISPLAY;
    }
    EGLDisplay display = EGL_NO_DISPLAY;
    for (int i = 0; i < count && display == EGL_NO_DISPLAY; ++i) {
        display = open_platform(EGL_PLATFORM_DEVICE_EXT, devices[i]);
    }
    return display;
}

static EGLDisplay open_display(void)
{
    EGLDisplay display = EGL_NO_DISPLAY;
    if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_base")) {
        if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless")) {
            display = open_platform(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY);
        }
        display = display != EGL_NO_DISPLAY ? display : open_device();
    }
    if (display == EGL_NO_DISPLAY) {
        display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
        if (display != EGL_NO_DISPLAY && !eglInitialize(display, NULL, NULL)) {
            display = EGL_NO_DISPLAY;
        }
    }
    return display;
}

// --- context -----------------------------------------------------------------------------------------------

static const char *egl_error_text(void)
{
    switch (eglGetError()) {
    case EGL_BAD_ALLOC:
        return "out of memory";
    case EGL_BAD_MATCH:
        return "the driver has no such version";
    case EGL_BAD_CONFIG:
    case EGL_BAD_ATTRIBUTE:
        return "the driver does not know the settings asked for";
    case EGL_NOT_INITIALIZED:
        return "the display is gone";
    default:
        return "the driver gives no reason";
    }
}

static bool make_context(render_context *context)
{
    static const EGLint config_wishes[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                                           EGL_OPENGL_BIT, EGL_NONE};
    static const EGLint wishes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                    3,
                                    EGL_CONTEXT_MINOR_VERSION,
                                    3,
                                    EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                    EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                    EGL_NONE};
    static const EGLint surface_wishes[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
    EGLConfig config = NULL;
    EGLint count = 0;
    if (!eglBindAPI(EGL_OPENGL_API)) {
        sn_scene_fail(SN_ERROR_KIND, "EGL here knows no desktop OpenGL; OpenGL 3.3 is needed to draw");
        return false;
    }
    if (!eglChooseConfig(context->display, config_wishes, &config, 1, &count) || count < 1) {
        sn_scene_fail(SN_ERROR_KIND, "EGL offers no way to draw off screen: %s", egl_error_text());
        return false;
    }
    context->context = eglCreateContext(context->display, config, EGL_NO_CONTEXT, wishes);
    if (context->context == EGL_NO_CONTEXT) {
        sn_scene_fail(SN_ERROR_KIND, "an OpenGL 3.3 core context cannot be made: %s", egl_error_text());
        return false;
    }
    if (!epoxy_has_egl_extension(context->display, "EGL_KHR_surfaceless_context")) {
        context->surface = eglCreatePbufferSurface(context->display, config, surface_wishes);
    }
    return context_make_current(context);
}

// epoxy ends the process if it finds no library to take functions from.
static bool find_library(void)
{
    static const char *const names[] = {"libOpenGL.so.0", "libGL.so.1"};
    for (int i = 0; i < 2; ++i) {
        void *library = dlopen(names[i], RTLD_LAZY | RTLD_LOCAL);
        if (library != NULL) {
            dlclose(library);
            return true;
        }
    }
    sn_scene_fail(SN_ERROR_KIND, "there is no OpenGL library (libOpenGL.so.0 or libGL.so.1) to draw with");
    return false;
}

static bool look_around(render_context *context)
{
    if (!epoxy_is_desktop_gl() || epoxy_gl_version() < 33) {
        sn_scene_fail(SN_ERROR_KIND, "OpenGL here is version %d.%d, expected 3.3 or later",
                      epoxy_gl_version() / 10, epoxy_gl_version() % 10);
        return false;
    }
    GLint viewport[2] = {0, 0}, renderbuffer = 0;
    glGetIntegerv(GL_MAX_VIEWPORT_DIMS, viewport);
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &renderbuffer);
    int smaller = viewport[0] < viewport[1] ? viewport[0] : viewport[1];
    context->max_size = smaller < renderbuffer ? smaller : renderbuffer;
    snprintf(context->description, sizeof context->description, "%s, %s, OpenGL %s",
             (const char *)glGetString(GL_VENDOR), (const char *)glGetString(GL_RENDERER),
             (const char *)glGetString(GL_VERSION));
    return true;
}

bool context_create(render_context *context)
{
    memset(context, 0, sizeof *context);
    if (!find_library()) {
        return false;
    }
    context->display = open_display();
    if (context->display == EGL_NO_DISPLAY) {
        sn_scene_fail(SN_ERROR_KIND, "EGL has no display to draw on, not even one without a screen; is a "
                                     "driver (such as Mesa's) installed?");
        return false;
    }
    if (!make_context(context) || !look_around(context)) {
        context_destroy(context);
        return false;
    }
    return true;
}

void context_destroy(render_context *context)
{
    if (context->context != NULL) {
        eglMakeCurrent(context->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        eglDestroyContext(context->display, context->context);
    }
    if (context->surface != NULL) {
        eglDestroySurface(context->display, context->surface);
    }
    memset(context, 0, sizeof *context);
}

bool context_make_current(const render_context *context)
{
    if (!eglBindAPI(EGL_OPENGL_API) ||
        !eglMakeCurrent(context->display, context->surface, context->surface, context->context)) {
        sn_scene_fail(SN_ERROR_KIND, "the OpenGL context cannot be made current: %s", egl_error_text());
        return false;
    }
    return true;
}

bool context_check(const char *doing)
{
    GLenum error = glGetError();
    if (error == GL_NO_ERROR) {
        return true;
    }
    bool no_memory = error == GL_OUT_OF_MEMORY;
    // A lost context reports errors for ever; a handful is all that a broken frame can leave behind.
    for (int i = 0; i < 16 && glGetError() != GL_NO_ERROR; ++i) {
    }
    if (no_memory) {
        sn_scene_fail(SN_ERROR_MEMORY, "%s: OpenGL is out of memory", doing);
    } else {
        sn_scene_fail(SN_ERROR_KIND, "%s: OpenGL error 0x%04x", doing, error);
    }
    return false;
}
