// OpenGL's side of skins: one buffer of vertices and one of triangles, filled anew for each picture.
#include "apps/render/skins.h"

#include <epoxy/gl.h>
#include <string.h>

#define CLEAR_STENCIL 2 // bodies are 1

static void point_at(GLuint slot, GLint count, GLenum type, size_t offset)
{
    glVertexAttribPointer(slot, count, type, type == GL_UNSIGNED_BYTE, sizeof(skin_vertex),
                          (const void *)offset);
    glEnableVertexAttribArray(slot);
}

void skins_create(skins *skins)
{
    glGenVertexArrays(1, &skins->vertex_array);
    glGenBuffers(1, &skins->vertex_buffer);
    glGenBuffers(1, &skins->index_buffer);
    glBindVertexArray(skins->vertex_array);
    glBindBuffer(GL_ARRAY_BUFFER, skins->vertex_buffer);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, skins->index_buffer);
    point_at(ATTRIBUTE_CORNER, 3, GL_FLOAT, offsetof(skin_vertex, position));
    point_at(ATTRIBUTE_NORMAL, 3, GL_FLOAT, offsetof(skin_vertex, normal));
    point_at(ATTRIBUTE_MATERIAL, 1, GL_FLOAT, offsetof(skin_vertex, material));
    point_at(ATTRIBUTE_GRAIN, 4, GL_FLOAT, offsetof(skin_vertex, grain));
    point_at(ATTRIBUTE_COLOR, 4, GL_UNSIGNED_BYTE, offsetof(skin_vertex, color));
}

void skins_destroy(skins *skins)
{
    glDeleteVertexArrays(1, &skins->vertex_array);
    glDeleteBuffers(1, &skins->vertex_buffer);
    glDeleteBuffers(1, &skins->index_buffer);
    memset(skins, 0, sizeof *skins);
}

void skins_upload(skins *skins, const drawn_skins *drawn)
{
    skins->index_count = drawn->indices.count;
    skins->opaque_count = drawn->opaque_count;
    if (skins->index_count == 0) {
        return;
    }
    glBindVertexArray(skins->vertex_array);
    glBindBuffer(GL_ARRAY_BUFFER, skins->vertex_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)drawn->vertices.count * sizeof(skin_vertex)),
                 drawn->vertices.items, GL_STREAM_DRAW);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)((size_t)drawn->indices.count * sizeof(uint32_t)),
                 drawn->indices.items, GL_STREAM_DRAW);
}

// Skins are closed: nothing is seen of triangles that face away.
static void draw(const skins *skins, int first, int count)
{
    const uint32_t *start = NULL;
    if (count > 0) {
        glEnable(GL_CULL_FACE);
        glBindVertexArray(skins->vertex_array);
        glDrawElements(GL_TRIANGLES, count, GL_UNSIGNED_INT, start + first);
        glDisable(GL_CULL_FACE);
    }
}

void skins_draw(const skins *skins, const shader_set *shaders)
{
    glUseProgram(shaders->programs[SHADER_SKIN]);
    draw(skins, 0, skins->opaque_count);
}

// --- what lets light through -------------------------------------------------------------------------------

// The picture's alpha is brightness, so how opaque a pixel is comes as a colour of its own.
static void begin_blending(void)
{
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC1_ALPHA, GL_ONE_MINUS_SRC1_ALPHA);
}

// Two colours for one place cannot be drawn to several places at once, not even with blending off.
static void end_blending(void)
{
    glDisable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ZERO);
}

static void draw_far_side(const skins *skins, const shader_set *shaders, const clear_skin *skin)
{
    glUseProgram(shaders->programs[SHADER_FAR_SIDE]);
    begin_blending();
    glDepthMask(GL_FALSE);
    glCullFace(GL_FRONT);
    // The far side of what lies on something is where that is: let all of it be behind.
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(2.0f, 64.0f);
    draw(skins, skin->first, skin->count);
    glDisable(GL_POLYGON_OFFSET_FILL);
    glCullFace(GL_BACK);
    glDepthMask(GL_TRUE);
    end_blending();
}

// Of the near side only what is nearest counts: folds and flutes do not cover each other twice.
static void draw_near_surface(const skins *skins, const shader_set *shaders, const clear_skin *skin)
{
    glEnable(GL_STENCIL_TEST);
    glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
    glStencilFunc(GL_ALWAYS, CLEAR_STENCIL, CLEAR_STENCIL);
    glUseProgram(shaders->programs[SHADER_SKIN]);
    draw(skins, skin->first, skin->count);
    glDisable(GL_STENCIL_TEST);
}

// Every pixel that was marked, once, and takes the mark away.
static void light_near_surface(const shader_set *shaders, const canvas *canvas, const clear_skin *skin)
{
    unsigned program = shaders->programs[SHADER_CLEAR];
    glUseProgram(program);
    glUniform1f(glGetUniformLocation(program, "opacity"), skin->opacity);
    begin_blending();
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_EQUAL, CLEAR_STENCIL, CLEAR_STENCIL);
    glStencilOp(GL_KEEP, GL_KEEP, GL_ZERO);
    glEnable(GL_SCISSOR_TEST);
    glScissor(skin->around.left, skin->around.bottom, skin->around.width, skin->around.height);
    canvas_fill(canvas, program);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_STENCIL_TEST);
    glEnable(GL_DEPTH_TEST);
    end_blending();
}

void skins_draw_clear(const skins *skins, const shader_set *shaders, const drawn_skins *drawn,
                      const surface_buffer *surfaces, const canvas *canvas)
{
    for (int i = 0; i < drawn->clear_skins.count; ++i) {
        const clear_skin *skin = &drawn->clear_skins.items[i];
        canvas_begin(canvas);
        draw_far_side(skins, shaders, skin);
        surfaces_continue(surfaces);
        draw_near_surface(skins, shaders, skin);
        canvas_begin(canvas);
        light_near_surface(shaders, canvas, skin);
    }
}

void skins_draw_shadow(const skins *skins)
{
    // Vertices are where they are: an instance in no other place, of no other size.
    glVertexAttrib4f(ATTRIBUTE_ROW_0, 1.0f, 0.0f, 0.0f, 0.0f);
    glVertexAttrib4f(ATTRIBUTE_ROW_1, 0.0f, 1.0f, 0.0f, 0.0f);
    glVertexAttrib4f(ATTRIBUTE_ROW_2, 0.0f, 0.0f, 1.0f, 0.0f);
    glVertexAttrib4f(ATTRIBUTE_SIZE, 1.0f, 1.0f, 1.0f, 0.0f);
    draw(skins, 0, skins->index_count);
}
