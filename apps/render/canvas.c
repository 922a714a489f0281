// Where a picture comes together: framebuffers for the lit and the finished one, and the way into memory.
#include "apps/render/canvas.h"

#include "apps/render/context.h"
#include "apps/render/shaders.h"
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

static void make_framebuffer(unsigned *framebuffer, unsigned depth_stencil)
{
    glGenFramebuffers(1, framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, *framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, depth_stencil);
}

static bool make_buffers(canvas *canvas)
{
    canvas->depth_stencil = make_renderbuffer(GL_DEPTH24_STENCIL8, canvas->width, canvas->height);
    make_framebuffer(&canvas->lit, canvas->depth_stencil);
    glGenTextures(1, &canvas->lit_color);
    glBindTexture(GL_TEXTURE_2D, canvas->lit_color);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, canvas->width, canvas->height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, canvas->lit_color, 0);
    bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    canvas->finished_color = make_renderbuffer(GL_RGBA8, canvas->width, canvas->height);
    make_framebuffer(&canvas->finished, canvas->depth_stencil);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, canvas->finished_color);
    complete = complete && glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    glGenVertexArrays(1, &canvas->screen_array);
    return complete;
}

bool canvas_create(canvas *canvas, int width, int height, int scale)
{
    memset(canvas, 0, sizeof *canvas);
    canvas->width = scale * width;
    canvas->height = scale * height;
    canvas->scale = scale;
    canvas->rows = malloc((size_t)canvas->width * (size_t)canvas->height * 4);
    if (canvas->rows == NULL) {
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
    glDeleteFramebuffers(1, &canvas->lit);
    glDeleteFramebuffers(1, &canvas->finished);
    glDeleteTextures(1, &canvas->lit_color);
    glDeleteRenderbuffers(1, &canvas->finished_color);
    glDeleteRenderbuffers(1, &canvas->depth_stencil);
    glDeleteVertexArrays(1, &canvas->screen_array);
    free(canvas->rows);
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
    glBindFramebuffer(GL_FRAMEBUFFER, canvas->lit);
    glViewport(0, 0, canvas->width, canvas->height);
}

static void copy(int left, int bottom, int right, int top)
{
    glBlitFramebuffer(left, bottom, right, top, left, bottom, right, top, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

// The whole picture, or its outermost pixels only.
static void copy_lit(const canvas *canvas, bool all)
{
    int width = canvas->width, height = canvas->height;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, canvas->lit);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, canvas->finished);
    if (all) {
        copy(0, 0, width, height);
    } else {
        copy(0, 0, width, 1);
        copy(0, height - 1, width, height);
        copy(0, 0, 1, height);
        copy(width - 1, 0, width, height);
    }
}

void canvas_finish(const canvas *canvas, unsigned edges_program)
{
    copy_lit(canvas, edges_program == 0);
    glBindFramebuffer(GL_FRAMEBUFFER, canvas->finished);
    if (edges_program != 0) {
        glActiveTexture(GL_TEXTURE0 + TEXTURE_PICTURE);
        glBindTexture(GL_TEXTURE_2D, canvas->lit_color);
        glDisable(GL_DEPTH_TEST);
        // The outermost pixels stay as they are: they lack neighbours to compare with.
        glEnable(GL_SCISSOR_TEST);
        glScissor(1, 1, canvas->width - 2, canvas->height - 2);
        canvas_fill(canvas, edges_program);
        glDisable(GL_SCISSOR_TEST);
        glEnable(GL_DEPTH_TEST);
    }
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

void canvas_read(const canvas *canvas, uint8_t *pixels)
{
    size_t scale = (size_t)canvas->scale, row_bytes = (size_t)canvas->width * 4;
    size_t width = (size_t)canvas->width / scale, height = (size_t)canvas->height / scale;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, canvas->finished);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    // Four bytes a pixel, as OpenGL holds it, arrive without a conversion; three would not.
    glReadPixels(0, 0, canvas->width, canvas->height, GL_RGBA, GL_UNSIGNED_BYTE, canvas->rows);
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
