// What all subcommands do with paths: load the scene one names, tell files apart by their endings, see
// early whether a file can be written.
#ifndef SINEW_APPS_LOADING_H
#define SINEW_APPS_LOADING_H

#include "apps/options.h"
#include "sinew_scene/scene.h"

// The scene at `path`; null, with all that is wrong with it on stderr, if it cannot be loaded. `settings`
// may be null; `anywhere` lets files that the scene names lie outside its folder.
sn_scene *scene_open(const char *path, int threads, const option_texts *settings, bool anywhere);
// Whether the scene was read from something else than `path`, which is to be written and may be null. Says so
// on stderr if not.
bool scene_spares(const char *command, const sn_scene *scene, const char *path);

// Whether steps of this length, 0 for the scene's own, can be taken: a recording has its own. Says so on
// stderr if not.
bool scene_takes_step(const char *command, const sn_scene *scene, double step);

// The option that goes with `anywhere`.
#define OPTION_ALLOW_ANYWHERE(type, field)                                                                   \
    {                                                                                                        \
        "allow-anywhere", 0, OPTION_FLAG, offsetof(type, field), NULL,                                       \
            "let the scene read parts and meshes outside its folder", 0, 0, NULL                             \
    }

// Whether a path is "-": standard input or output.
bool path_is_standard(const char *path);
// Where results went to standard output, what is printed from now on goes to standard error.
void text_makes_way(const char *path);
// Whether a path ends in ".ending", in capitals or not. Standard output takes .json, .png, .svg and
// .recording.
bool path_ends_in(const char *path, const char *ending);
// Whether the path names a scene file, a saved state or a recording rather than a mesh: .json, .state,
// .recording, or no ending.
bool path_is_scene(const char *path);

// Whether a file could be written there. Asked before long work; says why not on stderr.
bool path_can_be_written(const char *command, const char *path);

// Writes the scene as .json (a scene file) or .state (a saved state) says. False with a message.
bool scene_write(const char *command, const sn_scene *scene, const char *path);

#endif
