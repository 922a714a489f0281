// Reads what the fuzzer makes up as a scene file or a saved state. Whatever the bytes, nothing may crash,
// leak or hang; and what was read must come back from a file it is saved to, and be saved to the same bytes
// again.
//
// Built and run by tools/fuzz.sh.
//
// Saved states have a checksum no fuzzer guesses, so their snapshots are left to fuzz_snapshot.c: bytes that
// begin with a zero are views, put before a sound snapshot.
#include "sinew_scene/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_BODIES 50

// A file, in memory where there is such a folder.
typedef struct memory_file {
    char path[64];
} memory_file;

static memory_file file_make(void)
{
    static int number;
    memory_file file;
    snprintf(file.path, sizeof file.path, "%s/sinew-fuzz-%ld-%d",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", (long)getpid(), number++ % 4);
    return file;
}

static void file_remove(const memory_file *file)
{
    unlink(file->path);
}

static char *file_read(const memory_file *file, size_t *size)
{
    FILE *stream = fopen(file->path, "rb");
    if (stream == NULL || fseek(stream, 0, SEEK_END) != 0) {
        abort();
    }
    *size = (size_t)ftell(stream);
    char *bytes = malloc(*size + 1);
    rewind(stream);
    if (bytes == NULL || fread(bytes, 1, *size, stream) != *size) {
        abort();
    }
    fclose(stream);
    return bytes;
}

static void require(bool condition)
{
    if (!condition) {
        fprintf(stderr, "%s\n", sn_scene_error());
        abort();
    }
}

static void check_saving(const sn_scene *scene)
{
    memory_file first = file_make(), second = file_make();
    sn_scene *loaded = NULL;
    require(sn_scene_save(scene, first.path) == SN_OK);
    require(sn_scene_load(first.path, NULL, &loaded) == SN_OK);
    require(sn_scene_save(loaded, second.path) == SN_OK);
    size_t first_size, second_size;
    char *first_bytes = file_read(&first, &first_size), *second_bytes = file_read(&second, &second_size);
    if (first_size != second_size || memcmp(first_bytes, second_bytes, first_size) != 0) {
        fprintf(stderr, "%.*s\n--- and ---\n%.*s\n", (int)first_size, first_bytes, (int)second_size,
                second_bytes);
        abort();
    }
    free(first_bytes);
    free(second_bytes);
    sn_scene_destroy(loaded);
    file_remove(&first);
    file_remove(&second);
}

static void look_at(sn_scene *scene)
{
    sn_camera camera;
    (void)sn_scene_camera(scene, NULL, &camera);
    for (int i = 0; i < sn_scene_camera_count(scene); ++i) {
        require(sn_scene_camera(scene, sn_scene_camera_name(scene, i), &camera) == SN_OK);
    }
    for (int i = 0; i < sn_scene_label_count(scene); ++i) {
        (void)sn_scene_label(scene, i);
    }
    for (int i = 0; i < sn_scene_probe_count(scene); ++i) {
        (void)sn_scene_probe_value(scene, i);
    }
}

static void try_bytes(const char *bytes, size_t size)
{
    sn_scene *scene = NULL;
    if (sn_scene_parse(bytes, size, "/nowhere/scene.json", NULL, &scene) != SN_OK) {
        require(scene == NULL && sn_scene_error()[0] != '\0');
        return;
    }
    sn_world *world = sn_scene_world(scene);
    bool is_small = sn_world_rigids(world, NULL, 0) <= MOST_BODIES;
    check_saving(scene);
    look_at(scene);
    if (is_small) {
        (void)sn_scene_step(scene, sn_scene_step_length(scene));
        look_at(scene);
        check_saving(scene);
    }
    sn_scene_destroy(scene);
}

// The snapshot of a small scene, with the mark of a state before it.
static char *sound_state(size_t *size)
{
    static const char text[] =
        "{\"sinew\": 1, \"bodies\": [{\"name\": \"b\", \"shape\": {\"type\": \"sphere\", \"radius\": 1}}],"
        " \"joints\": [{\"name\": \"j\", \"type\": \"hinge\", \"a\": \"ground\", \"b\": \"b\", \"at\": [0, "
        "0, 0]}]}";
    sn_scene *scene = NULL;
    memory_file file = file_make();
    require(sn_scene_parse(text, sizeof text - 1, "s.json", NULL, &scene) == SN_OK);
    require(sn_scene_save_state(scene, file.path) == SN_OK);
    char *bytes = file_read(&file, size);
    sn_scene_destroy(scene);
    file_remove(&file);
    return bytes;
}

static void try_views(const char *views, size_t size)
{
    enum { HEAD = 16 };
    size_t state_size, old = 0;
    char *state = sound_state(&state_size);
    for (int i = 0; i < 8; ++i) {
        old |= (size_t)(unsigned char)state[8 + i] << (8 * i);
    }
    size_t rest = state_size - HEAD - old;
    char *bytes = malloc(HEAD + size + rest);
    memcpy(bytes, state, 8);
    for (int i = 0; i < 8; ++i) {
        bytes[8 + i] = (char)(size >> (8 * i) & 0xff);
    }
    memcpy(bytes + HEAD, views, size);
    memcpy(bytes + HEAD + size, state + HEAD + old, rest);
    try_bytes(bytes, HEAD + size + rest);
    free(bytes);
    free(state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 0 && data[0] == 0) {
        try_views((const char *)data + 1, size - 1);
    } else {
        try_bytes((const char *)data, size);
    }
    return 0;
}
