// Where a picture comes together: a framebuffer, and the way into memory.
#include "apps/render/canvas.h"

#include "apps/render/context.h"
#include "scene/message.h"

#include <epoxy/gl.h>
#include <stdlib.h>
#include <string.h>

static unsigned make_renderbuffer(GLenum format, int width, int height)
{
    unsigned buffer = 0;
    glGenRenderbuffers(1, &buffer);
    glBindRenderbuffer(GL_RENDERBUFFER, buffer);
    glRenderbufferStorage(GL_RENDERBUFFER, format, width, height);
    return buffer;
}

static bool make_buffers(canvas *canvas)
{
    canvas->depth_stencil = make_renderbuffer(GL_DEPTH24_STENCIL8, canvas->width, canvas->height);
    canvas->color = make_renderbuffer(GL_RGBA8, canvas->width, canvas->height);
    glGenFramebuffers(1, &canvas->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, canvas->framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER,
                              canvas->depth_stencil);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, canvas->color);
    glGenVertexArrays(1, &canvas->screen_array);
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

bool canvas_create(canvas *canvas, int width, int height, int scale, bool smooth)
{
    memset(canvas, 0, sizeof *canvas);
    canvas->width = scale * width;
    canvas->height = scale * height;
    canvas->scale = scale;
    canvas->smooth = smooth;
    canvas->rows = malloc((size_t)canvas->width * (size_t)canvas->height * 4);
    if (canvas->rows == NULL || (smooth && !edges_create(&canvas->edges, canvas->width, canvas->height))) {
        sn_scene_fail(SN_ERROR_MEMORY, "no memory for a picture of %d × %d pixels", width, height);
        return false;
    }
    bool complete = make_buffers(canvas);
    if (!context_check("making a picture")) {
        return false;
    }
    if (!complete) {
        sn_scene_fail(SN_ERROR_KIND, "OpenGL cannot draw a picture of %d × %d pixels", width, height);
    }
    return complete;
}

void canvas_destroy(canvas *canvas)
{
    glDeleteFramebuffers(1, &canvas->framebuffer);
    glDeleteRenderbuffers(1, &canvas->color);
    glDeleteRenderbuffers(1, &canvas->depth_stencil);
    glDeleteVertexArrays(1, &canvas->screen_array);
    free(canvas->rows);
    edges_destroy(&canvas->edges);
    memset(canvas, 0, sizeof *canvas);
}

void canvas_fill(const canvas *canvas, unsigned program)
{
    glUseProgram(program);
    glBindVertexArray(canvas->screen_array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

void canvas_begin(const canvas *canvas)
{
    glBindFramebuffer(GL_FRAMEBUFFER, canvas->framebuffer);
    glViewport(0, 0, canvas->width, canvas->height);
}

// The mean of a square of pixels.
static void average(const uint8_t *from, size_t row_bytes, size_t scale, uint8_t *to)
{
    for (size_t channel = 0; channel < 3; ++channel) {
        unsigned sum = 0;
        for (size_t y = 0; y < scale; ++y) {
            for (size_t x = 0; x < scale; ++x) {
                sum += from[y * row_bytes + 4 * x + channel];
            }
        }
        unsigned count = (unsigned)(scale * scale);
        to[channel] = (uint8_t)((sum + count / 2) / count);
    }
}

void canvas_read(canvas *canvas, uint8_t *pixels)
{
    size_t scale = (size_t)canvas->scale, row_bytes = (size_t)canvas->width * 4;
    size_t width = (size_t)canvas->width / scale, height = (size_t)canvas->height / scale;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, canvas->framebuffer);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    // Four bytes a pixel, as OpenGL holds it, arrive without a conversion; three would not.
    glReadPixels(0, 0, canvas->width, canvas->height, GL_RGBA, GL_UNSIGNED_BYTE, canvas->rows);
    if (canvas->smooth) {
        edges_smooth(&canvas->edges, canvas->rows);
    }
    for (size_t y = 0; y < height; ++y) {
        const uint8_t *from = canvas->rows + (height - 1 - y) * scale * row_bytes;
        uint8_t *to = pixels + y * width * 3;
        for (size_t x = 0; x < width; ++x, from += 4 * scale, to += 3) {
            if (scale > 1) {
                average(from, row_bytes, scale, to);
            } else {
                memcpy(to, from, 3);
            }
        }
    }
}
