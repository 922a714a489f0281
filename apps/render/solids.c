// OpenGL's side of the drawing list: buffers of geometry and instances.
#include "apps/render/solids.h"

#include <epoxy/gl.h>

void solids_create(solids *solids)
{
    glGenBuffers(1, &solids->instance_buffer);
}

static void delete_buffers(geometry *entry)
{
    glDeleteVertexArrays(1, &entry->vertex_array);
    glDeleteBuffers(1, &entry->vertex_buffer);
    glDeleteBuffers(1, &entry->index_buffer);
    entry->vertex_array = entry->vertex_buffer = entry->index_buffer = 0;
}

void solids_destroy(solids *solids, geometry_cache *cache)
{
    for (int i = 0; i < cache->entries.count; ++i) {
        delete_buffers(&cache->entries.items[i]);
    }
    glDeleteBuffers(1, &solids->instance_buffer);
    solids->instance_buffer = 0;
}

// Attributes of instances differ from batch to batch by where they begin, as OpenGL 3.3 has no first instance
// to tell.
static void point_at_instances(int first)
{
    size_t begin = (size_t)first * sizeof(drawn_instance);
    const GLsizei stride = sizeof(drawn_instance);
    for (int row = 0; row < 3; ++row) {
        size_t at = begin + offsetof(drawn_instance, rows) + (size_t)row * 4 * sizeof(float);
        glVertexAttribPointer((GLuint)(ATTRIBUTE_ROW_0 + row), 4, GL_FLOAT, GL_FALSE, stride,
                              (const void *)at);
    }
    glVertexAttribPointer(ATTRIBUTE_SIZE, 4, GL_FLOAT, GL_FALSE, stride,
                          (const void *)(begin + offsetof(drawn_instance, extent)));
    glVertexAttribPointer(ATTRIBUTE_COLOR, 4, GL_UNSIGNED_BYTE, GL_TRUE, stride,
                          (const void *)(begin + offsetof(drawn_instance, color)));
}

static void upload_geometry(const solids *solids, geometry *entry)
{
    delete_buffers(entry);
    glGenVertexArrays(1, &entry->vertex_array);
    glGenBuffers(1, &entry->vertex_buffer);
    glGenBuffers(1, &entry->index_buffer);
    glBindVertexArray(entry->vertex_array);
    glBindBuffer(GL_ARRAY_BUFFER, entry->vertex_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)entry->mesh.vertex_count * sizeof(solid_vertex)),
                 entry->mesh.vertices, GL_STATIC_DRAW);
    glVertexAttribPointer(ATTRIBUTE_CORNER, 3, GL_FLOAT, GL_FALSE, sizeof(solid_vertex),
                          (const void *)offsetof(solid_vertex, corner));
    glVertexAttribPointer(ATTRIBUTE_NORMAL, 3, GL_FLOAT, GL_FALSE, sizeof(solid_vertex),
                          (const void *)offsetof(solid_vertex, normal));
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, entry->index_buffer);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)((size_t)entry->mesh.index_count * sizeof(uint32_t)),
                 entry->mesh.indices, GL_STATIC_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, solids->instance_buffer);
    for (GLuint i = ATTRIBUTE_CORNER; i <= ATTRIBUTE_COLOR; ++i) {
        glEnableVertexAttribArray(i);
        glVertexAttribDivisor(i, i >= ATTRIBUTE_ROW_0 ? 1 : 0);
    }
    entry->index_count = entry->mesh.index_count;
    solid_mesh_release(&entry->mesh);
}

void solids_upload(const solids *solids, const drawing_list *list, geometry_cache *cache)
{
    glBindBuffer(GL_ARRAY_BUFFER, solids->instance_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)list->instances.count * sizeof(drawn_instance)),
                 list->instances.items, GL_STREAM_DRAW);
    for (int i = 0; i < list->batches.count; ++i) {
        int wanted[2] = {list->batches.items[i].geometry,
                         geometry_for_shadow(list->batches.items[i].geometry)};
        for (int k = 0; k < 2; ++k) {
            geometry *entry = &cache->entries.items[wanted[k]];
            if (entry->mesh.vertices != NULL) {
                upload_geometry(solids, entry);
            }
        }
    }
    geometry_forget_stale(cache, delete_buffers);
}

static void draw_batch(const drawn_batch *batch, const geometry *entry, int count)
{
    if (count > 0 && entry->index_count > 0) {
        if (entry->closed) {
            glEnable(GL_CULL_FACE);
        } else {
            glDisable(GL_CULL_FACE);
        }
        glBindVertexArray(entry->vertex_array);
        point_at_instances(batch->first);
        glDrawElementsInstanced(GL_TRIANGLES, entry->index_count, GL_UNSIGNED_INT, NULL, count);
    }
}

void solids_draw(const solids *solids, const shader_set *shaders, const drawing_list *list,
                 const geometry_cache *cache)
{
    glBindBuffer(GL_ARRAY_BUFFER, solids->instance_buffer);
    glCullFace(GL_BACK);
    for (int i = 0; i < list->batches.count; ++i) {
        const drawn_batch *batch = &list->batches.items[i];
        glUseProgram(shaders->programs[batch->geometry == GEOMETRY_BOX ? SHADER_BOX : SHADER_SURFACE]);
        draw_batch(batch, &cache->entries.items[batch->geometry], batch->visible_count);
    }
    glDisable(GL_CULL_FACE);
}

void solids_draw_shadow(const solids *solids, const drawing_list *list, const geometry_cache *cache)
{
    glBindBuffer(GL_ARRAY_BUFFER, solids->instance_buffer);
    glCullFace(GL_BACK);
    for (int i = 0; i < list->batches.count; ++i) {
        const drawn_batch *batch = &list->batches.items[i];
        draw_batch(batch, &cache->entries.items[geometry_for_shadow(batch->geometry)], batch->count);
    }
    glDisable(GL_CULL_FACE);
}
