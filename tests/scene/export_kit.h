// What tests of exports share: a folder of their own, a small world, and the bytes of a file.
#ifndef TESTS_SCENE_EXPORT_KIT_H
#define TESTS_SCENE_EXPORT_KIT_H

#include "sinew_scene/export.h"
#include "sinew_scene/scene.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

// --- folders and files -------------------------------------------------------------------------------------

typedef struct export_folder {
    char path[64];
} export_folder;

static inline export_folder folder_make(void)
{
    export_folder folder = {"/tmp/sinew_export_XXXXXX"};
    assert_non_null(mkdtemp(folder.path));
    return folder;
}

static inline void folder_remove(const char *path)
{
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            char inner[512];
            struct stat found;
            int length = snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
            assert_in_range(length, 1, sizeof inner - 1);
            if (lstat(inner, &found) == 0 && S_ISDIR(found.st_mode)) {
                folder_remove(inner);
            } else {
                unlink(inner);
            }
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
    rmdir(path);
}

static inline bool file_exists(const char *folder, const char *name)
{
    char path[512];
    struct stat found;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return stat(path, &found) == 0;
}

typedef struct export_file {
    char *bytes; // with a closing zero
    size_t size;
} export_file;

static inline export_file file_read(const char *folder, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    fseek(stream, 0, SEEK_END);
    export_file file = {NULL, (size_t)ftell(stream)};
    rewind(stream);
    file.bytes = malloc(file.size + 1);
    assert_non_null(file.bytes);
    assert_int_equal(fread(file.bytes, 1, file.size, stream), file.size);
    file.bytes[file.size] = '\0';
    fclose(stream);
    return file;
}

static inline int count_of(const char *text, const char *part)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at += strlen(part)) {
        ++count;
    }
    return count;
}

static inline uint16_t read_u16(const char *bytes)
{
    const unsigned char *b = (const unsigned char *)bytes;
    return (uint16_t)(b[0] | b[1] << 8);
}

static inline uint32_t read_u32(const char *bytes)
{
    const unsigned char *b = (const unsigned char *)bytes;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static inline float read_f32(const char *bytes)
{
    uint32_t bits = read_u32(bytes);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline sn_vec3 read_vec3(const char *bytes)
{
    return sn_v(read_f32(bytes), read_f32(bytes + 4), read_f32(bytes + 8));
}

// --- worlds ------------------------------------------------------------------------------------------------

// A ball falls beside three equal boxes that stand on a plane.
typedef struct export_world {
    sn_world *world;
    sn_scene *scene;
    sn_rigid ball, boxes[3];
} export_world;

static inline sn_rigid body_add(sn_world *world, const char *name, sn_vec3 position)
{
    sn_rigid_def def = sn_rigid_def_default();
    def.name = name;
    def.position = position;
    sn_rigid rigid;
    assert_int_equal(sn_rigid_add(world, &def, &rigid), SN_OK);
    return rigid;
}

static inline sn_rigid ball_add(sn_world *world, const char *name, sn_vec3 position)
{
    sn_rigid rigid = body_add(world, name, position);
    sn_sphere sphere = {{0.0f, 0.0f, 0.0f}, 0.25f};
    assert_int_equal(sn_sphere_add(world, rigid, NULL, sphere, NULL), SN_OK);
    return rigid;
}

static inline export_world export_world_make(sn_vec3 gravity)
{
    export_world w = {0};
    sn_world_def def = sn_world_def_default();
    def.gravity = gravity;
    assert_int_equal(sn_world_create(&def, &w.world), SN_OK);
    sn_plane floor = {sn_neg(gravity), 0.0f};
    assert_int_equal(sn_plane_add(w.world, sn_world_ground(w.world), NULL, floor, NULL), SN_OK);
    sn_vec3 up = sn_normalize(sn_neg(gravity));
    w.ball = ball_add(w.world, "ball", sn_add_scaled(sn_v(2.0f, 0.0f, 0.0f), 3.0f, up));
    for (int i = 0; i < 3; ++i) {
        sn_vec3 side = sn_v(-1.5f * (float)i, 0.0f, 0.0f);
        w.boxes[i] = body_add(w.world, NULL, sn_add_scaled(side, 0.5f, up));
        assert_int_equal(sn_box_add(w.world, w.boxes[i], NULL, (sn_box){{0.5f, 0.5f, 0.5f}}, NULL), SN_OK);
    }
    assert_int_equal(sn_scene_wrap(w.world, &w.scene), SN_OK);
    return w;
}

// A sheet held at one side, a block and a strand above the boxes.
typedef struct export_softs {
    sn_deformable sheet, block, strand;
} export_softs;

static inline sn_deformable soft_add(sn_world *world, sn_mesh *mesh, const char *name, sn_vec3 position,
                                     sn_model model)
{
    sn_deformable deformable;
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.name = name;
    def.pose.position = position;
    def.model = model;
    def.inextensible.on = model.type == SN_MODEL_NONE;
    def.thickness = 0.02f;
    def.mass = 0.5f;
    assert_int_equal(sn_deformable_add(world, &def, &deformable), SN_OK);
    sn_mesh_destroy(mesh);
    return deformable;
}

static inline export_softs export_softs_add(sn_world *world)
{
    export_softs softs;
    sn_mesh *mesh;
    assert_int_equal(sn_mesh_grid(1.0f, 1.0f, 4, 4, SN_GRID_ALTERNATING, &mesh), SN_OK);
    softs.sheet = soft_add(world, mesh, "sheet", sn_v(4.0f, 2.0f, 0.0f), sn_model_none());
    for (int i = 0; i < 5; ++i) {
        assert_int_equal(sn_node_fix(world, softs.sheet, i, true), SN_OK);
    }
    assert_int_equal(sn_mesh_box(sn_v(0.5f, 0.5f, 0.5f), 2, 2, 2, &mesh), SN_OK);
    softs.block = soft_add(world, mesh, "block", sn_v(0.0f, 1.3f, 0.0f), sn_model_corotational(2.0e4f, 0.3f));
    assert_int_equal(sn_mesh_line(1.0f, 8, &mesh), SN_OK);
    softs.strand = soft_add(world, mesh, NULL, sn_v(-1.5f, 1.2f, 0.0f), sn_model_none());
    return softs;
}

static inline void export_world_destroy(export_world *w)
{
    sn_scene_destroy(w->scene);
    sn_world_destroy(w->world);
}

static inline void step(const export_world *w, int count)
{
    for (int i = 0; i < count; ++i) {
        assert_int_equal(sn_world_step(w->world, 1.0f / 60.0f), SN_OK);
    }
}

static inline sn_export *begin(const export_world *w, sn_export_format format, const char *folder)
{
    sn_export *writer = NULL;
    assert_int_equal(sn_export_begin(w->scene, format, folder, "run", &writer), SN_OK);
    assert_non_null(writer);
    return writer;
}

static inline void frame(sn_export *writer)
{
    assert_int_equal(sn_export_frame(writer), SN_OK);
}

static inline void end(sn_export *writer)
{
    assert_int_equal(sn_export_end(writer, NULL, 0), SN_OK);
}

#endif
