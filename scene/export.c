// Exports of a run: checks what it is asked, gathers each frame, and leaves the writing to a format.
#include "scene/export_parts.h"

#include "scene/message.h"
#include "scene/scene_parts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const sn_export_format_parts *const formats[] = {
    [SN_EXPORT_VTK] = &sn_export_vtk,
    [SN_EXPORT_OBJ] = &sn_export_obj,
    [SN_EXPORT_GLTF] = &sn_export_gltf,
};

enum { FORMAT_COUNT = sizeof formats / sizeof formats[0], LONGEST_NAME = 200 };

// Geometry of formats that write whole frames is forgotten when it grows beyond so many vertices: shapes that
// change their size all the time leave a new one behind with every frame.
static const int64_t most_kept_vertices = 4000000;

// --- files -------------------------------------------------------------------------------------------------

char *sn_export_path(const sn_export *writer, const char *ending)
{
    size_t size = strlen(writer->directory) + strlen(writer->name) + strlen(ending) + 2;
    char *path = malloc(size);
    if (path == NULL) {
        sn_scene_fail(SN_ERROR_MEMORY, "export: no memory for the name of a file");
        return NULL;
    }
    snprintf(path, size, "%s/%s%s", writer->directory, writer->name, ending);
    return path;
}

char *sn_export_frame_path(const sn_export *writer, int frame, const char *suffix, const char *ending)
{
    char rest[64];
    snprintf(rest, sizeof rest, "%s_%04d%s", suffix, frame, ending);
    return sn_export_path(writer, rest);
}

sn_status sn_export_open(const sn_export *writer, char *path, sn_output *output)
{
    if (path == NULL) {
        return SN_ERROR_MEMORY;
    }
    sn_status status =
        sn_scene_was_read_from(writer->scene, path)
            ? sn_scene_fail(SN_ERROR_FILE, "%s: belongs to the scene, expected a file that may be replaced",
                            path)
            : sn_output_open(output, path);
    free(path);
    return status;
}

// Makes the folder and those above it.
static sn_status make_directory(const char *directory)
{
    char *path = strdup(directory);
    if (path == NULL) {
        return sn_scene_fail(SN_ERROR_MEMORY, "%s: no memory", directory);
    }
    for (char *c = path + 1; *c != '\0'; ++c) {
        if (*c == '/') {
            *c = '\0';
            mkdir(path, 0777);
            *c = '/';
        }
    }
    int error = mkdir(path, 0777) == 0 ? 0 : errno;
    free(path);
    struct stat found;
    if (stat(directory, &found) != 0) {
        return sn_scene_fail(SN_ERROR_FILE, "%s: the folder cannot be made: %s", directory,
                             strerror(error != 0 ? error : errno));
    }
    if (!S_ISDIR(found.st_mode)) {
        return sn_scene_fail(SN_ERROR_FILE, "%s: is a file, expected a folder", directory);
    }
    return SN_OK;
}

// --- gathering a frame -------------------------------------------------------------------------------------

void sn_export_name(char name[SN_MAX_NAME + 1], const char *given, const char *kind, uint32_t number)
{
    if (given[0] != '\0') {
        snprintf(name, SN_MAX_NAME + 1, "%s", given);
    } else {
        snprintf(name, SN_MAX_NAME + 1, "%s_%u", kind, (unsigned)number);
    }
    for (char *c = name; *c != '\0'; ++c) {
        if ((unsigned char)*c < ' ' || *c == 127) {
            *c = '_';
        }
    }
}

static sn_status add_piece(sn_export *writer, sn_shape shape)
{
    const sn_world *world = sn_scene_world(writer->scene);
    sn_status status;
    int geometry = sn_export_store_find(&writer->store, world, shape, writer->plane_size, &status);
    if (geometry < 0) {
        return status;
    }
    sn_shape_type type = sn_shape_get_type(world, shape);
    sn_export_piece piece = {
        .triangles = writer->store.geometries.items[geometry].triangles,
        .geometry = geometry,
        .color = sn_scene_shape_color(writer->scene, shape) & 0xffffff,
        .thin = type == SN_PLANE || type == SN_SURFACE,
    };
    if (!SN_LIST_PUSH(&writer->pieces, piece)) {
        return sn_scene_fail(SN_ERROR_MEMORY, "export: no memory for %d shapes", writer->pieces.count + 1);
    }
    return SN_OK;
}

static sn_status add_body(sn_export *writer, sn_rigid rigid)
{
    const sn_world *world = sn_scene_world(writer->scene);
    int count = sn_rigid_shapes(world, rigid, NULL, 0);
    if (count == 0) {
        return SN_OK;
    }
    sn_shape *shapes = malloc((size_t)count * sizeof *shapes);
    sn_export_body body = {.rigid = rigid,
                           .pose = sn_rigid_pose(world, rigid),
                           .speed = sn_length(sn_rigid_linear_velocity(world, rigid)),
                           .first_piece = writer->pieces.count,
                           .piece_count = count};
    sn_export_name(body.name, sn_rigid_name(world, rigid), "body", rigid.index);
    if (shapes == NULL || !SN_LIST_PUSH(&writer->bodies, body)) {
        free(shapes);
        return sn_scene_fail(SN_ERROR_MEMORY, "export: no memory for a body of %d shapes", count);
    }
    sn_rigid_shapes(world, rigid, shapes, count);
    sn_status status = SN_OK;
    for (int i = 0; i < count && status == SN_OK; ++i) {
        status = add_piece(writer, shapes[i]);
    }
    free(shapes);
    return status;
}

static bool add_contacts(sn_export *writer)
{
    const sn_world *world = sn_scene_world(writer->scene);
    int count = sn_world_contacts(world, NULL, 0);
    sn_contact *contacts = malloc(((size_t)count + 1) * sizeof *contacts);
    bool enough = contacts != NULL;
    count = enough ? sn_world_contacts(world, contacts, count) : 0;
    for (int i = 0; i < count; ++i) {
        const sn_contact *c = &contacts[i];
        uint32_t a = sn_shape_rigid(world, c->a).index, b = sn_shape_rigid(world, c->b).index;
        for (int k = 0; k < c->count; ++k) {
            sn_export_contact point = {c->points[k].position,       c->normal,  c->points[k].separation,
                                       c->points[k].normal_impulse, (int32_t)a, (int32_t)b};
            enough = enough && SN_LIST_PUSH(&writer->contacts, point);
        }
    }
    free(contacts);
    return enough;
}

static sn_status gather_contacts(sn_export *writer)
{
    bool wanted = writer->format->wants_contacts;
    writer->contacts.count = 0;
    bool enough = !wanted || add_contacts(writer);
    for (int i = 0; wanted && enough && i < writer->softs.count; ++i) {
        enough = sn_export_add_soft_contacts(writer, &writer->softs.items[i]);
    }
    return enough ? SN_OK : sn_scene_fail(SN_ERROR_MEMORY, "export: no memory for the contacts");
}

static sn_status gather(sn_export *writer)
{
    const sn_world *world = sn_scene_world(writer->scene);
    writer->time = sn_world_time(world);
    writer->bodies.count = writer->pieces.count = 0;
    if (writer->format->whole_frames && writer->store.vertex_count > most_kept_vertices) {
        sn_export_store_empty(&writer->store);
    }
    int count = sn_world_rigids(world, NULL, 0);
    sn_rigid *rigids = malloc(((size_t)count + 1) * sizeof *rigids);
    if (rigids == NULL) {
        return sn_scene_fail(SN_ERROR_MEMORY, "export: no memory for %d bodies", count);
    }
    rigids[0] = sn_world_ground(world);
    sn_world_rigids(world, rigids + 1, count);
    sn_status status = SN_OK;
    for (int i = 0; i <= count && status == SN_OK; ++i) {
        status = add_body(writer, rigids[i]);
    }
    free(rigids);
    status = status == SN_OK ? sn_export_gather_softs(writer) : status;
    return status == SN_OK ? gather_contacts(writer) : status;
}

sn_status sn_export_count(const sn_export *writer, bool with_skins, int *vertex_count, int *triangle_count)
{
    int64_t vertices = 0, triangles = 0;
    for (int i = 0; i < writer->pieces.count; ++i) {
        vertices += writer->pieces.items[i].triangles.vertex_count;
        triangles += writer->pieces.items[i].triangles.triangle_count;
    }
    for (int i = 0; with_skins && i < writer->softs.count; ++i) {
        vertices += writer->softs.items[i].skin->vertex_count;
        triangles += writer->softs.items[i].skin->triangle_count;
    }
    if (vertices > INT32_MAX / 3 || triangles > INT32_MAX / 3) {
        return sn_scene_fail(SN_ERROR_CAPACITY,
                             "export: %lld vertices and %lld triangles, expected at most %d",
                             (long long)vertices, (long long)triangles, INT32_MAX / 3);
    }
    *vertex_count = (int)vertices;
    *triangle_count = (int)triangles;
    return SN_OK;
}

// --- the public functions ----------------------------------------------------------------------------------

static sn_status check_name(const char *name)
{
    size_t length = strlen(name);
    bool plain = length > 0 && length <= LONGEST_NAME && strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
    for (const char *c = name; *c != '\0'; ++c) {
        plain = plain && (unsigned char)*c >= ' ' && strchr("/\\:", *c) == NULL;
    }
    if (!plain) {
        return sn_scene_fail(SN_ERROR_NAME,
                             "export: name is \"%s\", expected 1 to %d bytes without slashes, colons and "
                             "control characters",
                             name, LONGEST_NAME);
    }
    return SN_OK;
}

// Planes reach as far as the rest of the scene, and as far again, from the origin.
static float choose_plane_size(const sn_scene *scene)
{
    sn_bounds bounds;
    if (!sn_scene_extent(scene, false, &bounds)) {
        return 10.0f;
    }
    sn_vec3 origin = sn_v(0.0f, 0.0f, 0.0f);
    bounds = sn_bounds_union(bounds, (sn_bounds){origin, origin});
    return sn_clamp(2.0f * sn_length(sn_sub(bounds.upper, bounds.lower)), 1e-3f, 1e7f);
}

static void release(sn_export *writer)
{
    writer->format->release(writer);
    sn_export_store_empty(&writer->store);
    sn_export_release_softs(writer);
    SN_LIST_FREE(&writer->bodies);
    SN_LIST_FREE(&writer->pieces);
    SN_LIST_FREE(&writer->contacts);
    free(writer->directory);
    free(writer->name);
    free(writer);
}

static sn_status begin_checked(const sn_scene *scene, sn_export_format format, const char *directory,
                               const char *name, sn_export **out)
{
    sn_export *writer = calloc(1, sizeof *writer);
    if (writer == NULL) {
        return sn_scene_fail(SN_ERROR_MEMORY, "export: no memory");
    }
    *writer = (sn_export){.scene = scene,
                          .format = formats[format],
                          .directory = strdup(directory),
                          .name = strdup(name),
                          .plane_size = choose_plane_size(scene)};
    sn_status status = writer->directory != NULL && writer->name != NULL
                           ? writer->format->begin(writer)
                           : sn_scene_fail(SN_ERROR_MEMORY, "export: no memory");
    if (status != SN_OK) {
        release(writer);
        return status;
    }
    *out = writer;
    return SN_OK;
}

sn_status sn_export_begin(const sn_scene *scene, sn_export_format format, const char *directory,
                          const char *name, sn_export **out)
{
    if (out == NULL) {
        return sn_scene_fail(SN_ERROR_NULL, "export: out is null, expected where to put the export");
    }
    *out = NULL;
    if (scene == NULL || directory == NULL || name == NULL) {
        return sn_scene_fail(SN_ERROR_NULL, "export: %s is null",
                             scene == NULL       ? "scene"
                             : directory == NULL ? "directory"
                                                 : "name");
    }
    if ((unsigned)format >= FORMAT_COUNT) {
        return sn_scene_fail(SN_ERROR_RANGE, "export: format is %d, expected 0 to %d", (int)format,
                             FORMAT_COUNT - 1);
    }
    if (directory[0] == '\0') {
        return sn_scene_fail(SN_ERROR_FILE, "export: directory is empty, expected the name of a folder");
    }
    sn_status status = check_name(name);
    status = status == SN_OK ? make_directory(directory) : status;
    return status == SN_OK ? begin_checked(scene, format, directory, name, out) : status;
}

sn_status sn_export_frame(sn_export *writer)
{
    if (writer == NULL) {
        return sn_scene_fail(SN_ERROR_NULL, "export: writer is null");
    }
    if (writer->status != SN_OK) {
        return sn_scene_fail(writer->status, "%s", writer->failure);
    }
    sn_status status = gather(writer);
    status = status == SN_OK ? writer->format->frame(writer) : status;
    if (status != SN_OK) {
        writer->status = status;
        snprintf(writer->failure, sizeof writer->failure, "frame %d: %s", writer->frame_count,
                 sn_scene_error());
        return sn_scene_fail(status, "%s", writer->failure);
    }
    ++writer->frame_count;
    return SN_OK;
}

sn_status sn_export_end(sn_export *writer, char *path, size_t capacity)
{
    if (path != NULL && capacity > 0) {
        path[0] = '\0';
    }
    if (writer == NULL) {
        return SN_OK;
    }
    sn_status status = writer->status;
    if (status != SN_OK) {
        sn_scene_fail(status, "%s", writer->failure);
    } else if (writer->frame_count == 0) {
        status = sn_scene_fail(SN_ERROR_RANGE, "export: %s/%s ended without a frame, expected at least one",
                               writer->directory, writer->name);
    } else {
        status = writer->format->end(writer);
    }
    if (status == SN_OK && path != NULL && capacity > 0) {
        snprintf(path, capacity, "%s/%s%s", writer->directory, writer->name, writer->format->opens);
    }
    release(writer);
    return status;
}
