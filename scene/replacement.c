// Files written beside, synced and renamed over what they replace.
#include "scene/replacement.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_TRIES = 1000 };

// A name in the folder of `target` that says what it is, should a process be killed and leave it.
static char *name_beside(const char *target, int number)
{
    const char *slash = strrchr(target, '/');
    int folder = slash != NULL ? (int)(slash - target) + 1 : 0;
    size_t size = (size_t)folder + 64;
    char *name = malloc(size);
    if (name != NULL) {
        snprintf(name, size, "%.*s.sinew-unfinished-%ld-%d", folder, target, (long)getpid(), number);
    }
    return name;
}

static void release(sn_replacement *replacement)
{
    if (replacement->beside != replacement->target) {
        free(replacement->beside);
    }
    free(replacement->target);
    *replacement = (sn_replacement){0};
}

static int open_in_place(sn_replacement *replacement, int *file)
{
    replacement->beside = replacement->target;
    *file = open(replacement->target, O_WRONLY | O_TRUNC | O_CLOEXEC);
    return *file < 0 ? errno : 0;
}

static int open_beside(sn_replacement *replacement, const struct stat *before, int *file)
{
    *file = -1;
    for (int i = 0; *file < 0 && i < MOST_TRIES; ++i) {
        free(replacement->beside);
        replacement->beside = name_beside(replacement->target, i);
        if (replacement->beside == NULL) {
            return ENOMEM;
        }
        *file = open(replacement->beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (*file < 0 && errno != EEXIST) {
            return errno;
        }
    }
    if (*file < 0) {
        return EEXIST;
    }
    if (before != NULL) {
        fchmod(*file, before->st_mode & 0777); // may fail on foreign file systems, which is no harm
    }
    return 0;
}

int sn_replacement_begin(sn_replacement *replacement, const char *path, int *file)
{
    *replacement = (sn_replacement){0};
    struct stat before;
    bool exists = stat(path, &before) == 0;
    if (path[0] == '\0' || (!exists && errno != ENOENT)) {
        return path[0] == '\0' ? ENOENT : errno;
    }
    if (exists && (S_ISDIR(before.st_mode) || access(path, W_OK) != 0)) {
        return S_ISDIR(before.st_mode) ? EISDIR : errno;
    }
    bool regular = exists && S_ISREG(before.st_mode);
    replacement->target = regular ? realpath(path, NULL) : strdup(path);
    int error = replacement->target == NULL ? errno
                : exists && !regular        ? open_in_place(replacement, file)
                                            : open_beside(replacement, exists ? &before : NULL, file);
    if (error != 0) {
        release(replacement);
    }
    return error;
}

// Syncs a file or a folder by its name. Not every file system can sync folders.
static int sync_path(const char *path)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    int error = file < 0 || fsync(file) != 0 ? errno : 0;
    if (file >= 0) {
        close(file);
    }
    return error;
}

static void sync_folder(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash == NULL) {
        sync_path(".");
        return;
    }
    slash[slash == path ? 1 : 0] = '\0';
    sync_path(path);
}

int sn_replacement_keep(sn_replacement *replacement)
{
    int error = 0;
    if (replacement->beside != replacement->target) {
        error = sync_path(replacement->beside);
        if (error == 0 && rename(replacement->beside, replacement->target) != 0) {
            error = errno;
        }
        if (error != 0) {
            unlink(replacement->beside);
        } else {
            sync_folder(replacement->target);
        }
    }
    release(replacement);
    return error;
}

void sn_replacement_drop(sn_replacement *replacement)
{
    if (replacement->beside != NULL && replacement->beside != replacement->target) {
        unlink(replacement->beside);
    }
    release(replacement);
}
