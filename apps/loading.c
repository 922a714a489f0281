// Paths and what is behind them.
#include "apps/loading.h"

#include "apps/command.h"
#include "apps/excerpt.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

sn_scene *scene_open(const char *path, int threads, const option_texts *settings, bool anywhere)
{
    sn_scene *scene = NULL;
    sn_scene_options options = {.threads = threads, .allow_anywhere = anywhere};
    if (settings != NULL) {
        options.settings = settings->items;
        options.setting_count = settings->count;
    }
    if (sn_scene_load(path, &options, &scene) != SN_OK) {
        terminal terminal = terminal_of(stderr);
        excerpt_print(&terminal, sn_scene_error());
        return NULL;
    }
    return scene;
}

bool scene_spares(const char *command, const sn_scene *scene, const char *path)
{
    bool spared = !sn_scene_was_read_from(scene, path);
    if (!spared) {
        command_fail(command, EXIT_FAILED,
                     "%s: is what the scene was read from, expected another file to write", path);
    }
    return spared;
}

bool scene_takes_step(const char *command, const sn_scene *scene, double step)
{
    bool taken = step <= 0.0 || !sn_scene_replay(scene).is_recording;
    if (!taken) {
        command_fail(command, EXIT_FAILED,
                     "--step: a recording has steps of its own, expected a scene or state");
    }
    return taken;
}

static const char *ending_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return dot != NULL && dot != name ? dot + 1 : "";
}

bool path_is_standard(const char *path)
{
    return strcmp(path, "-") == 0;
}

bool path_ends_in(const char *path, const char *ending)
{
    static const char *const streams[] = {"json", "png", "svg", "recording"};
    bool is_stream = false;
    for (size_t i = 0; i < sizeof streams / sizeof streams[0]; ++i) {
        is_stream = is_stream || strcmp(ending, streams[i]) == 0;
    }
    return path_is_standard(path) ? is_stream : strcasecmp(ending_of(path), ending) == 0;
}

void text_makes_way(const char *path)
{
    if (path != NULL && path_is_standard(path)) {
        fflush(stdout);
        (void)dup2(STDERR_FILENO, STDOUT_FILENO);
    }
}

bool path_is_scene(const char *path)
{
    return path_ends_in(path, "json") || path_ends_in(path, "state") || path_ends_in(path, "recording") ||
           ending_of(path)[0] == '\0';
}

// Why no file can be made or replaced there; 0 if one can.
static int error_of_writing(const char *path)
{
    struct stat status;
    if (stat(path, &status) == 0) {
        return S_ISDIR(status.st_mode) ? EISDIR : access(path, W_OK) != 0 ? errno : 0;
    }
    if (errno != ENOENT || path[0] == '\0') {
        return errno;
    }
    char *folder = strdup(path);
    if (folder == NULL) {
        return ENOMEM;
    }
    char *slash = strrchr(folder, '/');
    if (slash != NULL) {
        slash[slash == folder ? 1 : 0] = '\0';
    }
    int error = access(slash != NULL ? folder : ".", W_OK | X_OK) != 0 ? errno : 0;
    free(folder);
    return error;
}

bool path_can_be_written(const char *command, const char *path)
{
    int error = path_is_standard(path) ? 0 : error_of_writing(path);
    if (error != 0) {
        command_fail(command, EXIT_FAILED, "%s: cannot be written: %s", path, strerror(error));
    }
    return error == 0;
}

bool scene_write(const char *command, const sn_scene *scene, const char *path)
{
    bool as_state = path_ends_in(path, "state");
    sn_status status = as_state ? sn_scene_save_state(scene, path) : sn_scene_save(scene, path);
    if (status != SN_OK) {
        command_fail(command, EXIT_FAILED, "%s", sn_scene_error());
    }
    return status == SN_OK;
}
