// Two passes at half the size: look around each pixel, then average the pattern of directions away.
#include "apps/render/occlusion.h"

#include "apps/render/context.h"

#include <epoxy/gl.h>
#include <string.h>

enum { ROUGH, SMOOTH };

static void make_texture(occlusion_map *map, int which)
{
    glGenTextures(1, &map->textures[which]);
    glBindTexture(GL_TEXTURE_2D, map->textures[which]);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, map->width, map->height, 0, GL_RED, GL_UNSIGNED_BYTE, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glGenFramebuffers(1, &map->framebuffers[which]);
    glBindFramebuffer(GL_FRAMEBUFFER, map->framebuffers[which]);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, map->textures[which], 0);
}

bool occlusion_create(occlusion_map *map, int width, int height)
{
    memset(map, 0, sizeof *map);
    map->width = (width + 1) / 2;
    map->height = (height + 1) / 2;
    make_texture(map, ROUGH);
    make_texture(map, SMOOTH);
    return context_check("making the map of occlusion");
}

void occlusion_destroy(occlusion_map *map)
{
    glDeleteFramebuffers(2, map->framebuffers);
    glDeleteTextures(2, map->textures);
    memset(map, 0, sizeof *map);
}

static void bind(const occlusion_map *map, int which)
{
    glActiveTexture(GL_TEXTURE0 + TEXTURE_OCCLUSION);
    glBindTexture(GL_TEXTURE_2D, map->textures[which]);
}

void occlusion_draw(const occlusion_map *map, const shader_set *shaders, const canvas *canvas)
{
    glViewport(0, 0, map->width, map->height);
    glBindFramebuffer(GL_FRAMEBUFFER, map->framebuffers[ROUGH]);
    canvas_fill(canvas, shaders->programs[SHADER_OCCLUSION]);
    bind(map, ROUGH);
    glBindFramebuffer(GL_FRAMEBUFFER, map->framebuffers[SMOOTH]);
    canvas_fill(canvas, shaders->programs[SHADER_SMOOTH]);
    bind(map, SMOOTH);
}

void occlusion_clear(const occlusion_map *map)
{
    const float open[4] = {1.0f, 1.0f, 1.0f, 1.0f};
    glBindFramebuffer(GL_FRAMEBUFFER, map->framebuffers[SMOOTH]);
    glClearBufferfv(GL_COLOR, 0, open);
    bind(map, SMOOTH);
}
