// Tested by tests/apps/test_view_server.c.
#include "apps/live_scene.h"

#include "apps/loading.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Folders below the scene's that are looked through, and entries of one folder that are looked at.
enum { MOST_FOLDERS_DEEP = 2, MOST_ENTRIES = 2000 };

// --- what changed ------------------------------------------------------------------------------------------

static uint64_t mix(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * 0x100000001b3u;
}

static uint64_t mix_file(uint64_t hash, const struct stat *about)
{
    hash = mix(hash, (uint64_t)about->st_ino);
    hash = mix(hash, (uint64_t)about->st_size);
    hash = mix(hash, (uint64_t)about->st_mtim.tv_sec);
    return mix(hash, (uint64_t)about->st_mtim.tv_nsec);
}

// Scenes are made of scene files and meshes.
static bool may_be_used(const char *name)
{
    static const char *const endings[] = {"json", "obj", "stl",   "msh",      "node",
                                          "ele",  "vtk", "state", "recording"};
    bool found = false;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0] && !found; ++i) {
        found = path_ends_in(name, endings[i]);
    }
    return found;
}

static uint64_t mix_folder(uint64_t hash, const char *folder, int depth)
{
    DIR *directory = opendir(folder);
    struct dirent *entry;
    for (int i = 0; directory != NULL && i < MOST_ENTRIES && (entry = readdir(directory)) != NULL; ++i) {
        char path[4096];
        struct stat about;
        int length = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] == '.' || length >= (int)sizeof path || stat(path, &about) != 0) {
            continue;
        }
        if (S_ISREG(about.st_mode) && may_be_used(entry->d_name)) {
            hash = mix_file(hash, &about);
        } else if (S_ISDIR(about.st_mode) && depth > 0) {
            hash = mix_folder(hash, path, depth - 1);
        }
    }
    if (directory != NULL) {
        closedir(directory);
    }
    return hash;
}

static uint64_t fingerprint_of(const char *path)
{
    char folder[4096] = ".";
    const char *slash = strrchr(path, '/');
    if (slash != NULL && slash - path < (long)sizeof folder) {
        size_t length = slash == path ? 1 : (size_t)(slash - path);
        memcpy(folder, path, length);
        folder[length] = '\0';
    }
    struct stat about;
    uint64_t hash = stat(path, &about) == 0 ? mix_file(0xcbf29ce484222325u, &about) : 1;
    return mix_folder(hash, folder, MOST_FOLDERS_DEEP);
}

// --- loading -----------------------------------------------------------------------------------------------

static bool read_all(FILE *file, unsigned char **bytes, size_t *size)
{
    if (fseek(file, 0, SEEK_END) != 0) {
        return false;
    }
    long length = ftell(file);
    rewind(file);
    unsigned char *read = length > 0 ? malloc((size_t)length) : NULL;
    if (read == NULL || fread(read, 1, (size_t)length, file) != (size_t)length) {
        free(read);
        return false;
    }
    free(*bytes);
    *bytes = read;
    *size = (size_t)length;
    return true;
}

// Saved states are written to files only, so it goes by way of one.
static bool keep_state(live_scene *live, const sn_scene *scene)
{
    const char *folder = getenv("TMPDIR");
    char path[4096];
    snprintf(path, sizeof path, "%s/sinew-view-XXXXXX", folder != NULL ? folder : "/tmp");
    int handle = mkstemp(path);
    if (handle < 0) {
        return false;
    }
    close(handle);
    FILE *file = sn_scene_save_state(scene, path) == SN_OK ? fopen(path, "rb") : NULL;
    bool kept = file != NULL && read_all(file, &live->state, &live->state_size);
    if (file != NULL) {
        fclose(file);
    }
    unlink(path);
    return kept;
}

static void keep_error(live_scene *live, const char *text)
{
    size_t size = strlen(text) + 1;
    live->error = malloc(size);
    if (live->error != NULL) {
        memcpy(live->error, text, size);
    }
}

void live_scene_refresh(live_scene *live)
{
    uint64_t now = fingerprint_of(live->path);
    if (live->version > 0 && now == live->fingerprint) {
        return;
    }
    sn_scene_options options = {0};
    if (live->settings != NULL) {
        options.settings = live->settings->items;
        options.setting_count = live->settings->count;
    }
    sn_scene *scene = NULL;
    live->fingerprint = now;
    ++live->version;
    free(live->error);
    live->error = NULL;
    if (sn_scene_load(live->path, &options, &scene) != SN_OK) {
        keep_error(live, sn_scene_error());
    } else if (!keep_state(live, scene)) {
        keep_error(live, "the scene cannot be compiled: no room for a file in TMPDIR, or no memory");
    }
    sn_scene_destroy(scene);
}

void live_scene_release(live_scene *live)
{
    free(live->error);
    free(live->state);
    *live = (live_scene){0};
}
