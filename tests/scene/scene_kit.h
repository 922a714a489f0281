// What the tests of scene files share: scenes from text, things in them by name, folders and files.
//
// Scene texts are written with ' for ", so that they can be read in C.
#ifndef TESTS_SCENE_SCENE_KIT_H
#define TESTS_SCENE_SCENE_KIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sinew_scene/scene.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof *(array)))

// --- texts -------------------------------------------------------------------------------------------------

// A copy with real quotation marks, to be freed.
static inline char *json_of(const char *text)
{
    char *json = strdup(text);
    assert_non_null(json);
    for (char *c = json; *c != '\0'; ++c) {
        *c = *c == '\'' ? '"' : *c;
    }
    return json;
}

static inline sn_status parse_with(const char *text, const char *path, const sn_scene_options *options,
                                   sn_scene **scene)
{
    char *json = json_of(text);
    sn_status status = sn_scene_parse(json, strlen(json), path, options, scene);
    free(json);
    return status;
}

// The scene a text describes, which must be good.
static inline sn_scene *scene_of(const char *text)
{
    sn_scene *scene = NULL;
    if (parse_with(text, "scene.json", NULL, &scene) != SN_OK) {
        fail_msg("%s", sn_scene_error());
    }
    assert_non_null(scene);
    return scene;
}

static inline sn_scene *scene_of_file(const char *path)
{
    sn_scene *scene = NULL;
    if (sn_scene_load(path, NULL, &scene) != SN_OK) {
        fail_msg("%s", sn_scene_error());
    }
    return scene;
}

// --- things by name ----------------------------------------------------------------------------------------

static inline sn_rigid body_of(const sn_scene *scene, const char *name)
{
    const sn_world *world = sn_scene_world(scene);
    int count = sn_world_rigids(world, NULL, 0);
    sn_rigid *rigids = malloc(((size_t)count + 1) * sizeof *rigids), found = {0};
    sn_world_rigids(world, rigids, count);
    for (int i = 0; i < count; ++i) {
        if (strcmp(sn_rigid_name(world, rigids[i]), name) == 0) {
            found = rigids[i];
        }
    }
    free(rigids);
    if (found.generation == 0) {
        fail_msg("no body is called %s", name);
    }
    return found;
}

static inline sn_constraint joint_of(const sn_scene *scene, const char *name)
{
    const sn_world *world = sn_scene_world(scene);
    sn_constraint constraints[256], found = {0};
    int count = sn_world_constraints(world, constraints, COUNT_OF(constraints));
    for (int i = 0; i < count && i < COUNT_OF(constraints); ++i) {
        if (strcmp(sn_constraint_name(world, constraints[i]), name) == 0) {
            found = constraints[i];
        }
    }
    if (found.generation == 0) {
        fail_msg("no joint is called %s", name);
    }
    return found;
}

// The shapes of a body, of which there must be just as many.
static inline void shapes_of(const sn_scene *scene, const char *name, sn_shape *shapes, int count)
{
    sn_rigid rigid =
        strcmp(name, "ground") == 0 ? sn_world_ground(sn_scene_world(scene)) : body_of(scene, name);
    assert_int_equal(sn_rigid_shapes(sn_scene_world(scene), rigid, shapes, count), count);
}

static inline sn_vec3 position_of(const sn_scene *scene, const char *name)
{
    return sn_rigid_position(sn_scene_world(scene), body_of(scene, name));
}

static inline void step_scene(const sn_scene *scene, int count)
{
    for (int i = 0; i < count; ++i) {
        assert_int_equal(sn_world_step(sn_scene_world(scene), sn_scene_step_length(scene)), SN_OK);
    }
}

// --- comparing ---------------------------------------------------------------------------------------------

static inline void assert_near(double value, double expected, double tolerance)
{
    if (!(value >= expected - tolerance && value <= expected + tolerance)) {
        fail_msg("%.9g is not within %g of %.9g", value, tolerance, expected);
    }
}

static inline void assert_vector(sn_vec3 v, float x, float y, float z, double tolerance)
{
    assert_near((double)v.x, (double)x, tolerance);
    assert_near((double)v.y, (double)y, tolerance);
    assert_near((double)v.z, (double)z, tolerance);
}

// The same rotation; q and −q are.
static inline void assert_rotation(sn_quat q, sn_quat expected, double tolerance)
{
    float dot = q.x * expected.x + q.y * expected.y + q.z * expected.z + q.w * expected.w;
    float sign = dot < 0.0f ? -1.0f : 1.0f;
    assert_near((double)q.x, (double)(sign * expected.x), tolerance);
    assert_near((double)q.y, (double)(sign * expected.y), tolerance);
    assert_near((double)q.z, (double)(sign * expected.z), tolerance);
    assert_near((double)q.w, (double)(sign * expected.w), tolerance);
}

static inline void assert_begins(const char *text, const char *beginning)
{
    if (strncmp(text, beginning, strlen(beginning)) != 0) {
        fail_msg("\n%s\n does not begin with\n%s", text, beginning);
    }
}

static inline void assert_contains(const char *text, const char *part)
{
    if (strstr(text, part) == NULL) {
        fail_msg("\n%s\n does not contain\n%s", text, part);
    }
}

// --- files -------------------------------------------------------------------------------------------------

typedef struct scene_folder {
    char path[64];
} scene_folder;

typedef struct scene_path {
    char text[512];
} scene_path;

static inline scene_folder folder_make(void)
{
    scene_folder folder = {"/tmp/sinew_scene_XXXXXX"};
    assert_non_null(mkdtemp(folder.path));
    return folder;
}

static inline void folder_remove(const char *path)
{
    DIR *folder = opendir(path);
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char inner[512];
        struct stat found;
        int length = snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
        assert_in_range(length, 1, sizeof inner - 1);
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
            lstat(inner, &found) != 0) {
            continue;
        }
        if (S_ISDIR(found.st_mode)) {
            folder_remove(inner);
        } else {
            unlink(inner);
        }
    }
    closedir(folder);
    assert_int_equal(rmdir(path), 0);
}

static inline scene_path path_in(const scene_folder *folder, const char *name)
{
    scene_path path;
    int length = snprintf(path.text, sizeof path.text, "%s/%s", folder->path, name);
    assert_in_range(length, 1, sizeof path.text - 1);
    return path;
}

static inline void write_bytes(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

// A file of the folder with a scene text, and the folder within the folder if there is one in the name.
static inline scene_path write_scene(const scene_folder *folder, const char *name, const char *text)
{
    scene_path path = path_in(folder, name);
    char *slash = strrchr(path.text, '/'), *json = json_of(text);
    *slash = '\0';
    (void)mkdir(path.text, 0700);
    *slash = '/';
    write_bytes(path.text, json, strlen(json));
    free(json);
    return path;
}

typedef struct file_bytes {
    char *data; // with a closing zero
    size_t size;
} file_bytes;

static inline file_bytes read_bytes(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fail_msg("%s cannot be opened", path);
    }
    file_bytes bytes = {NULL, 0};
    fseek(file, 0, SEEK_END);
    bytes.size = (size_t)ftell(file);
    rewind(file);
    bytes.data = malloc(bytes.size + 1);
    assert_non_null(bytes.data);
    assert_int_equal(fread(bytes.data, 1, bytes.size, file), bytes.size);
    bytes.data[bytes.size] = '\0';
    fclose(file);
    return bytes;
}

static inline void assert_same_files(const char *a, const char *b)
{
    file_bytes first = read_bytes(a), second = read_bytes(b);
    for (size_t i = 0, line = 1; i < first.size && i < second.size; ++i) {
        if (first.data[i] != second.data[i]) {
            size_t from = i > 60 ? i - 60 : 0;
            fail_msg("they differ in line %zu:\n%.120s\nand\n%.120s", line, first.data + from,
                     second.data + from);
        }
        line += first.data[i] == '\n';
    }
    assert_int_equal(first.size, second.size);
    free(first.data);
    free(second.data);
}

// Saves, loads and saves again to the same bytes; returns what was loaded.
static inline sn_scene *save_and_load(const sn_scene *scene)
{
    scene_folder folder = folder_make();
    scene_path first = path_in(&folder, "first.json"), second = path_in(&folder, "second.json");
    if (sn_scene_save(scene, first.text) != SN_OK) {
        fail_msg("%s", sn_scene_error());
    }
    sn_scene *loaded = scene_of_file(first.text);
    assert_int_equal(sn_scene_save(loaded, second.text), SN_OK);
    assert_same_files(first.text, second.text);
    folder_remove(folder.path);
    return loaded;
}

#endif
