// The many formats of the library assimp, where it is built in: every instance of every mesh of the file,
// moved to where its node puts it, corners at equal positions joined.
#include "scene/mesh_formats.h"
#include "scene/message.h"

#ifdef SN_HAS_ASSIMP

#include "scene/mesh_weld.h"

#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// A node still to be visited, and where its parent puts it.
typedef struct placed_node {
    const struct aiNode *node;
    struct aiMatrix4x4 parent;
} placed_node;

typedef struct assimp_reader {
    const struct aiScene *scene;
    sn_text_reader place; // for messages; files of assimp have no lines
    sn_mesh_builder *mesh;
    sn_mesh_weld weld;
    SN_LIST(placed_node) waiting;
} assimp_reader;

static sn_status no_memory(const assimp_reader *reader)
{
    return sn_scene_fail(SN_ERROR_MEMORY, "%s: no memory for its mesh", reader->place.path);
}

static sn_status place_vertex(assimp_reader *reader, struct aiVector3D position,
                              const struct aiMatrix4x4 *transform, uint32_t *node)
{
    aiTransformVecByMatrix4(&position, transform);
    if (!(fabsf(position.x) <= SN_MAX_COORDINATE && fabsf(position.y) <= SN_MAX_COORDINATE &&
          fabsf(position.z) <= SN_MAX_COORDINATE)) {
        return sn_scene_fail(SN_ERROR_FORMAT, "%s: a vertex at %.9g %.9g %.9g, expected %.9g to %.9g",
                             reader->place.path, (double)position.x, (double)position.y, (double)position.z,
                             -(double)SN_MAX_COORDINATE, (double)SN_MAX_COORDINATE);
    }
    sn_vec3 placed = sn_v(position.x, position.y, position.z);
    return sn_mesh_weld_node(&reader->weld, reader->mesh, &reader->place, placed, node);
}

static sn_status add_face(assimp_reader *reader, const struct aiFace *face, const uint32_t *nodes,
                          uint32_t node_count, bool mirrored)
{
    uint32_t corners[3] = {0};
    for (unsigned i = 0; i < face->mNumIndices && i < 3; ++i) {
        if (face->mIndices[i] >= node_count) {
            return sn_scene_fail(SN_ERROR_FORMAT, "%s: vertex %u does not exist, expected 0 to %u",
                                 reader->place.path, face->mIndices[i], node_count - 1);
        }
        corners[i] = nodes[face->mIndices[i]];
    }
    if (face->mNumIndices == 2) {
        return sn_mesh_add_edge(reader->mesh, &reader->place, corners[0], corners[1]);
    }
    if (face->mNumIndices == 3) {
        return sn_mesh_add_triangle(reader->mesh, &reader->place, corners[0], corners[mirrored ? 2 : 1],
                                    corners[mirrored ? 1 : 2]);
    }
    return SN_OK; // points
}

static bool is_mirror(const struct aiMatrix4x4 *m)
{
    return m->a1 * (m->b2 * m->c3 - m->b3 * m->c2) - m->a2 * (m->b1 * m->c3 - m->b3 * m->c1) +
               m->a3 * (m->b1 * m->c2 - m->b2 * m->c1) <
           0.0f;
}

static sn_status add_mesh(assimp_reader *reader, const struct aiMesh *source,
                          const struct aiMatrix4x4 *transform)
{
    if (source->mNumVertices == 0 || source->mVertices == NULL) {
        return SN_OK;
    }
    uint32_t *nodes = calloc(source->mNumVertices, sizeof *nodes);
    if (nodes == NULL) {
        return no_memory(reader);
    }
    sn_status status = SN_OK;
    for (unsigned i = 0; i < source->mNumVertices && status == SN_OK; ++i) {
        status = place_vertex(reader, source->mVertices[i], transform, &nodes[i]);
    }
    bool mirrored = is_mirror(transform);
    for (unsigned i = 0; i < source->mNumFaces && status == SN_OK; ++i) {
        status = add_face(reader, &source->mFaces[i], nodes, source->mNumVertices, mirrored);
    }
    free(nodes);
    return status;
}

static sn_status visit(assimp_reader *reader, placed_node placed)
{
    struct aiMatrix4x4 transform = placed.parent;
    aiMultiplyMatrix4(&transform, &placed.node->mTransformation);
    sn_status status = SN_OK;
    for (unsigned i = 0; i < placed.node->mNumMeshes && status == SN_OK; ++i) {
        unsigned number = placed.node->mMeshes[i];
        status = number < reader->scene->mNumMeshes
                     ? add_mesh(reader, reader->scene->mMeshes[number], &transform)
                     : SN_OK;
    }
    // The last comes first from the stack, so that children are visited in their order.
    for (unsigned i = placed.node->mNumChildren; i > 0 && status == SN_OK; --i) {
        placed_node child = {placed.node->mChildren[i - 1], transform};
        status = SN_LIST_PUSH(&reader->waiting, child) ? SN_OK : no_memory(reader);
    }
    return status;
}

// --- files: read into memory, under the rules of all files that scenes name
// ---------------------------------

typedef struct memory_file {
    char *bytes;
    size_t size, at;
} memory_file;

static memory_file *memory_of(struct aiFile *file)
{
    return (memory_file *)(void *)file->UserData;
}

static size_t read_memory(struct aiFile *file, char *out, size_t size, size_t count)
{
    memory_file *memory = memory_of(file);
    size_t left = size > 0 ? (memory->size - memory->at) / size : 0;
    count = count < left ? count : left;
    memcpy(out, memory->bytes + memory->at, size * count);
    memory->at += size * count;
    return count;
}

static size_t write_nothing(struct aiFile *file, const char *bytes, size_t size, size_t count)
{
    (void)file, (void)bytes, (void)size, (void)count;
    return 0;
}

static size_t tell_memory(struct aiFile *file)
{
    return memory_of(file)->at;
}

static size_t size_of_memory(struct aiFile *file)
{
    return memory_of(file)->size;
}

static enum aiReturn seek_memory(struct aiFile *file, size_t offset, enum aiOrigin origin)
{
    memory_file *memory = memory_of(file);
    size_t from = origin == aiOrigin_SET ? 0 : origin == aiOrigin_CUR ? memory->at : memory->size;
    size_t at = from + offset; // offsets before `from` wrap around
    if (at > memory->size) {
        return aiReturn_FAILURE;
    }
    memory->at = at;
    return aiReturn_SUCCESS;
}

static void flush_nothing(struct aiFile *file)
{
    (void)file;
}

static struct aiFile *open_memory_file(struct aiFileIO *files, const char *path, const char *mode)
{
    struct aiFile *file = mode[0] == 'r' ? calloc(1, sizeof *file) : NULL;
    memory_file *memory = file != NULL ? calloc(1, sizeof *memory) : NULL;
    sn_sources *sources = (sn_sources *)(void *)files->UserData;
    if (memory == NULL ||
        sn_source_read(sources, path, SN_MAX_TEXT_BYTES, &memory->bytes, &memory->size) != SN_OK) {
        free(memory);
        free(file);
        return NULL;
    }
    *file = (struct aiFile){read_memory, write_nothing, tell_memory,           size_of_memory,
                            seek_memory, flush_nothing, (char *)(void *)memory};
    return file;
}

static void close_memory_file(struct aiFileIO *files, struct aiFile *file)
{
    (void)files;
    free(memory_of(file)->bytes);
    free(memory_of(file));
    free(file);
}

// --- reading -----------------------------------------------------------------------------------------------

static sn_status visit_all(assimp_reader *reader)
{
    placed_node root = {.node = reader->scene->mRootNode};
    aiIdentityMatrix4(&root.parent);
    sn_status status = SN_LIST_PUSH(&reader->waiting, root) ? SN_OK : no_memory(reader);
    while (status == SN_OK && reader->waiting.count > 0) {
        status = visit(reader, reader->waiting.items[--reader->waiting.count]);
    }
    return status;
}

bool sn_assimp_knows(const char *ending)
{
    return aiIsExtensionSupported(ending) == AI_TRUE;
}

sn_status sn_assimp_read(const char *path, sn_mesh_builder *mesh)
{
    char *bytes;
    size_t size;
    sn_status readable = sn_source_read(mesh->sources, path, SN_MAX_TEXT_BYTES, &bytes, &size);
    free(bytes);
    if (readable != SN_OK) {
        return readable;
    }
    struct aiFileIO files = {open_memory_file, close_memory_file, (char *)(void *)mesh->sources};
    const struct aiScene *scene =
        aiImportFileEx(path, aiProcess_Triangulate | aiProcess_ValidateDataStructure, &files);
    if (scene == NULL || scene->mRootNode == NULL) {
        sn_status failed = sn_scene_fail(SN_ERROR_FORMAT, "%s: %s", path,
                                         scene == NULL ? aiGetErrorString() : "empty, expected a mesh");
        aiReleaseImport(scene);
        return failed;
    }
    assimp_reader reader = {.scene = scene, .place = sn_text_begin("", 0, path), .mesh = mesh};
    reader.place.line = 0;
    sn_status status = visit_all(&reader);
    SN_LIST_FREE(&reader.waiting);
    sn_mesh_weld_release(&reader.weld);
    aiReleaseImport(scene);
    return status;
}

#else

bool sn_assimp_knows(const char *ending)
{
    (void)ending;
    return false;
}

sn_status sn_assimp_read(const char *path, sn_mesh_builder *mesh)
{
    (void)mesh;
    return sn_scene_fail(SN_ERROR_NAME, "%s: its format is not built in", path);
}

#endif
