// Three passes at half the size: look around each pixel, then average the pattern of directions away. Depths
// go along, so that what is near does not mix with what is far.
#include "apps/render/occlusion.h"

#include "apps/render/context.h"

#include <epoxy/gl.h>
#include <string.h>

enum { ROUGH, HALFWAY, FINISHED };

#define SMOOTH_REACH 4 // texels to either side that shader_smooth_fragment looks at

// What is finished is all that is mixed from neighbours, and needs no depths any more.
static void make_texture(occlusion_map *map, int which)
{
    bool finished = which == FINISHED;
    GLint filter = finished ? GL_LINEAR : GL_NEAREST;
    glGenTextures(1, &map->textures[which]);
    glBindTexture(GL_TEXTURE_2D, map->textures[which]);
    glTexImage2D(GL_TEXTURE_2D, 0, finished ? GL_R8 : GL_RG32F, map->width, map->height, 0,
                 finished ? GL_RED : GL_RG, finished ? GL_UNSIGNED_BYTE : GL_FLOAT, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
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
    make_texture(map, HALFWAY);
    make_texture(map, FINISHED);
    return context_check("making the map of occlusion");
}

void occlusion_destroy(occlusion_map *map)
{
    glDeleteFramebuffers(3, map->framebuffers);
    glDeleteTextures(3, map->textures);
    memset(map, 0, sizeof *map);
}

static void bind(const occlusion_map *map, int which)
{
    glActiveTexture(GL_TEXTURE0 + TEXTURE_OCCLUSION);
    glBindTexture(GL_TEXTURE_2D, map->textures[which]);
}

// Draws texels of the region and so many around it.
static void fill(const occlusion_map *map, int which, unsigned program, const canvas *canvas,
                 render_rectangle region, int more_x, int more_y)
{
    glBindFramebuffer(GL_FRAMEBUFFER, map->framebuffers[which]);
    glScissor(region.left - more_x, region.bottom - more_y, region.width + 2 * more_x,
              region.height + 2 * more_y);
    canvas_fill(canvas, program);
}

void occlusion_draw(const occlusion_map *map, const shader_set *shaders, const canvas *canvas,
                    render_rectangle pixels)
{
    unsigned smoothing = shaders->programs[SHADER_SMOOTH];
    render_rectangle region = {pixels.left / 2, pixels.bottom / 2, pixels.width / 2 + 1,
                               pixels.height / 2 + 1};
    glViewport(0, 0, map->width, map->height);
    glEnable(GL_SCISSOR_TEST);
    fill(map, ROUGH, shaders->programs[SHADER_OCCLUSION], canvas, region, SMOOTH_REACH, SMOOTH_REACH);
    glUseProgram(smoothing);
    glUniform2i(glGetUniformLocation(smoothing, "along"), 1, 0);
    bind(map, ROUGH);
    fill(map, HALFWAY, smoothing, canvas, region, 0, SMOOTH_REACH);
    glUniform2i(glGetUniformLocation(smoothing, "along"), 0, 1);
    bind(map, HALFWAY);
    fill(map, FINISHED, smoothing, canvas, region, 0, 0);
    glDisable(GL_SCISSOR_TEST);
}

void occlusion_clear(const occlusion_map *map)
{
    const float open[4] = {1.0f, 1.0f, 1.0f, 1.0f};
    glBindFramebuffer(GL_FRAMEBUFFER, map->framebuffers[FINISHED]);
    glClearBufferfv(GL_COLOR, 0, open);
}

void occlusion_bind(const occlusion_map *map)
{
    bind(map, FINISHED);
}
