// OpenGL's side of skins: one buffer of vertices and one of triangles, filled anew for each picture.
#include "apps/render/skins.h"

#include <epoxy/gl.h>
#include <string.h>

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

// Solid skins are closed, but what is crushed or folded shows its inside, so no triangle is left out.
static void draw(const skins *skins, int count)
{
    if (count > 0) {
        glBindVertexArray(skins->vertex_array);
        glDrawElements(GL_TRIANGLES, count, GL_UNSIGNED_INT, NULL);
    }
}

void skins_draw(const skins *skins, const shader_set *shaders)
{
    glUseProgram(shaders->programs[SHADER_SKIN]);
    draw(skins, skins->opaque_count);
}

void skins_draw_clear(const skins *skins, const shader_set *shaders, const drawn_skins *drawn)
{
    if (drawn->clear_skins.count == 0) {
        return;
    }
    const uint32_t *start = NULL;
    glBindVertexArray(skins->vertex_array);
    glUseProgram(shaders->programs[SHADER_CLEAR]);
    glEnable(GL_BLEND);
    // The picture's alpha is brightness, so how opaque a pixel is comes as a colour of its own.
    glBlendFunc(GL_SRC1_ALPHA, GL_ONE_MINUS_SRC1_ALPHA);
    glDepthMask(GL_FALSE);
    glEnable(GL_CULL_FACE);
    // The far side of what lies on something is where that is: let all of it be behind.
    glPolygonOffset(2.0f, 64.0f);
    for (int i = 0; i < drawn->clear_skins.count; ++i) {
        const clear_skin *skin = &drawn->clear_skins.items[i];
        glCullFace(GL_FRONT);
        glEnable(GL_POLYGON_OFFSET_FILL);
        glDrawElements(GL_TRIANGLES, skin->count, GL_UNSIGNED_INT, start + skin->first);
        glDisable(GL_POLYGON_OFFSET_FILL);
        // Of the near side only what is nearest counts: folds and flutes do not cover each other twice.
        glCullFace(GL_BACK);
        glDepthMask(GL_TRUE);
        glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
        glDrawElements(GL_TRIANGLES, skin->count, GL_UNSIGNED_INT, start + skin->first);
        glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
        glDepthMask(GL_FALSE);
        glDrawElements(GL_TRIANGLES, skin->count, GL_UNSIGNED_INT, start + skin->first);
    }
    glDisable(GL_CULL_FACE);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
    // Two colours for one place cannot be drawn to several places at once, not even with blending off.
    glBlendFunc(GL_ONE, GL_ZERO);
}

void skins_draw_shadow(const skins *skins)
{
    // Vertices are where they are: an instance in no other place, of no other size.
    glVertexAttrib4f(ATTRIBUTE_ROW_0, 1.0f, 0.0f, 0.0f, 0.0f);
    glVertexAttrib4f(ATTRIBUTE_ROW_1, 0.0f, 1.0f, 0.0f, 0.0f);
    glVertexAttrib4f(ATTRIBUTE_ROW_2, 0.0f, 0.0f, 1.0f, 0.0f);
    glVertexAttrib4f(ATTRIBUTE_SIZE, 1.0f, 1.0f, 1.0f, 0.0f);
    draw(skins, skins->index_count);
}
