// Three textures that are drawn to at once.
#include "apps/render/surfaces.h"

#include "apps/render/context.h"
#include "apps/render/shaders.h"

#include <epoxy/gl.h>
#include <string.h>

static unsigned make_texture(GLint stored, GLenum format, GLenum type, int width, int height, int attachment)
{
    unsigned texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, stored, width, height, 0, format, type, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glFramebufferTexture2D(GL_FRAMEBUFFER, (GLenum)(GL_COLOR_ATTACHMENT0 + attachment), GL_TEXTURE_2D,
                           texture, 0);
    return texture;
}

bool surfaces_create(surface_buffer *surfaces, int width, int height, unsigned depth_stencil)
{
    static const GLenum attachments[3] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1, GL_COLOR_ATTACHMENT2};
    memset(surfaces, 0, sizeof *surfaces);
    glGenFramebuffers(1, &surfaces->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, surfaces->framebuffer);
    surfaces->color = make_texture(GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, width, height, 0);
    surfaces->normal = make_texture(GL_RGB10_A2, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV, width, height, 1);
    surfaces->depth = make_texture(GL_R32F, GL_RED, GL_FLOAT, width, height, 2);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, depth_stencil);
    glDrawBuffers(3, attachments);
    return context_check("making the buffer of surfaces");
}

void surfaces_destroy(surface_buffer *surfaces)
{
    glDeleteFramebuffers(1, &surfaces->framebuffer);
    glDeleteTextures(1, &surfaces->color);
    glDeleteTextures(1, &surfaces->normal);
    glDeleteTextures(1, &surfaces->depth);
    memset(surfaces, 0, sizeof *surfaces);
}

void surfaces_begin(const surface_buffer *surfaces, float farthest, sn_vec3 normal)
{
    const float nothing[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    const float background[4] = {farthest, farthest, farthest, farthest};
    const float facing[4] = {0.5f + 0.5f * normal.x, 0.5f + 0.5f * normal.y, 0.5f + 0.5f * normal.z, 1.0f};
    glBindFramebuffer(GL_FRAMEBUFFER, surfaces->framebuffer);
    glClearBufferfi(GL_DEPTH_STENCIL, 0, 1.0f, 0);
    glClearBufferfv(GL_COLOR, 0, nothing);
    glClearBufferfv(GL_COLOR, 1, facing);
    glClearBufferfv(GL_COLOR, 2, background);
}

void surfaces_continue(const surface_buffer *surfaces)
{
    glBindFramebuffer(GL_FRAMEBUFFER, surfaces->framebuffer);
}

void surfaces_bind(const surface_buffer *surfaces)
{
    glActiveTexture(GL_TEXTURE0 + TEXTURE_COLOR);
    glBindTexture(GL_TEXTURE_2D, surfaces->color);
    glActiveTexture(GL_TEXTURE0 + TEXTURE_NORMAL);
    glBindTexture(GL_TEXTURE_2D, surfaces->normal);
    glActiveTexture(GL_TEXTURE0 + TEXTURE_DEPTH);
    glBindTexture(GL_TEXTURE_2D, surfaces->depth);
}
