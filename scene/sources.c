// Reading whole files, within bounds of place, kind and size.
#include "scene/sources.h"

#include "scene/message.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool sn_sources_confine(sn_sources *sources, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash == NULL ? strdup(".") : slash == path ? strdup("/") : strdup(path);
    if (folder == NULL) {
        return false;
    }
    if (slash != NULL && slash != path) {
        folder[slash - path] = '\0';
    }
    sources->folder = realpath(folder, NULL);
    if (sources->folder == NULL) { // a folder that is not there holds no files
        sources->folder = folder;
        return true;
    }
    free(folder);
    return true;
}

void sn_sources_release(sn_sources *sources)
{
    free(sources->folder);
    SN_LIST_FREE(&sources->files);
    *sources = (sn_sources){0};
}

bool sn_sources_have(const sn_sources *sources, const char *path)
{
    struct stat found;
    bool known = false;
    if (stat(path, &found) == 0) {
        for (int i = 0; i < sources->files.count; ++i) {
            sn_file_identity file = sources->files.items[i];
            known = known || (file.device == found.st_dev && file.number == found.st_ino);
        }
    }
    return known;
}

static sn_status unreadable(const char *path, int error)
{
    return sn_scene_fail(SN_ERROR_FILE, "%s: cannot be read: %s", path, strerror(error));
}

// --- where -------------------------------------------------------------------------------------------------

// The path with links followed, to be freed, if it lies below the folder; null with a message otherwise.
static char *resolve(const sn_sources *sources, const char *path)
{
    char *resolved = realpath(path, NULL);
    if (resolved == NULL) {
        unreadable(path, errno);
        return NULL;
    }
    size_t length = strlen(sources->folder);
    bool below = strcmp(sources->folder, "/") == 0 ||
                 (strncmp(resolved, sources->folder, length) == 0 && resolved[length] == '/');
    if (!below) {
        sn_scene_fail(SN_ERROR_FILE,
                      "%s: lies outside the scene's folder, expected a file below it (or --allow-anywhere)",
                      path);
        free(resolved);
        return NULL;
    }
    return resolved;
}

// --- opening -----------------------------------------------------------------------------------------------

// Opens without waiting for the other end of a pipe.
static sn_status open_file(const char *path, const char *shown, bool pipe_will_do, int *file,
                           struct stat *found)
{
    bool is_standard = pipe_will_do && strcmp(path, "-") == 0;
    *file = is_standard ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    int error = *file < 0 || fstat(*file, found) != 0 ? errno : 0;
    if (error == 0 && !S_ISREG(found->st_mode)) {
        error = S_ISDIR(found->st_mode) ? EISDIR : pipe_will_do ? 0 : EINVAL;
        if (error == 0 && !is_standard && fcntl(*file, F_SETFL, 0) != 0) {
            error = errno;
        }
    }
    if (error != 0) {
        if (*file >= 0) {
            close(*file);
        }
        return error == EINVAL ? sn_scene_fail(SN_ERROR_FILE, "%s: is no regular file, expected one", shown)
                               : unreadable(shown, error);
    }
    return SN_OK;
}

// --- reading -----------------------------------------------------------------------------------------------

static sn_status too_large(const char *path, uint64_t limit)
{
    return sn_scene_fail(SN_ERROR_FILE, "%s: larger than %llu bytes, which is the most that is read", path,
                         (unsigned long long)limit);
}

static sn_status make_room(const char *path, size_t wanted, char **bytes)
{
    char *grown = realloc(*bytes, wanted);
    if (grown == NULL) {
        return sn_scene_fail(SN_ERROR_MEMORY, "%s: no memory for %zu bytes", path, wanted);
    }
    *bytes = grown;
    return SN_OK;
}

// Reads on to the end, whatever size the file claims to have: it may be a pipe, or grow.
static sn_status read_all(int file, const char *path, size_t capacity, uint64_t limit, char **bytes,
                          size_t *size)
{
    sn_status status = make_room(path, capacity + 1, bytes);
    ssize_t got = 1;
    while (status == SN_OK && got != 0) {
        if (*size == capacity) {
            capacity = capacity < 65536 ? 65536 : 2 * capacity;
            status = make_room(path, capacity + 1, bytes);
            continue;
        }
        got = read(file, *bytes + *size, capacity - *size);
        if (got < 0 && errno != EINTR) {
            return unreadable(path, errno);
        }
        *size += got > 0 ? (size_t)got : 0;
        if (*size > limit) {
            return too_large(path, limit);
        }
    }
    if (status == SN_OK) {
        (*bytes)[*size] = '\0';
    }
    return status;
}

static sn_status read_open(int file, const struct stat *found, const char *path, uint64_t limit, char **bytes,
                           size_t *size)
{
    uint64_t claimed = S_ISREG(found->st_mode) ? (uint64_t)found->st_size : 0;
    if (claimed > limit || claimed > SIZE_MAX / 4) {
        return too_large(path, limit);
    }
    // One byte more than it claims, so that its end is seen without growing.
    sn_status status = read_all(file, path, (size_t)claimed + 1, limit, bytes, size);
    if (status != SN_OK) {
        free(*bytes);
        *bytes = NULL;
        *size = 0;
    }
    return status;
}

static sn_status read_file(sn_sources *sources, const char *path, bool is_main, uint64_t limit, char **bytes,
                           size_t *size)
{
    *bytes = NULL;
    *size = 0;
    char *resolved = NULL;
    if (!is_main && sources != NULL && sources->folder != NULL) {
        resolved = resolve(sources, path);
        if (resolved == NULL) {
            return SN_ERROR_FILE;
        }
    }
    int file = -1;
    struct stat found;
    sn_status status = open_file(resolved != NULL ? resolved : path, path, is_main, &file, &found);
    free(resolved);
    if (status != SN_OK) {
        return status;
    }
    sn_file_identity identity = {found.st_dev, found.st_ino};
    if (sources != NULL && !SN_LIST_PUSH(&sources->files, identity)) {
        status = sn_scene_fail(SN_ERROR_MEMORY, "%s: no memory to read it", path);
    }
    status = status ? status : read_open(file, &found, path, limit, bytes, size);
    close(file);
    return status;
}

sn_status sn_source_read(sn_sources *sources, const char *path, uint64_t limit, char **bytes, size_t *size)
{
    return read_file(sources, path, false, limit, bytes, size);
}

sn_status sn_source_read_main(sn_sources *sources, const char *path, char **bytes, size_t *size)
{
    return read_file(sources, path, true, SN_MAX_FILE_SIZE, bytes, size);
}
