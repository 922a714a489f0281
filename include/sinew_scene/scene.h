/// \file
/// Scene files: a world and how to look at it, as JSON text, as a saved state, as a recording, or around a
/// world of one's own.
///
/// A function that fails returns its status and leaves the message, with file, line and column where there
/// are any, in `sn_scene_error()`.
#ifndef SINEW_SCENE_SCENE_H
#define SINEW_SCENE_SCENE_H

#include "sinew/sinew.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A world with its cameras, colours, labels and probes. Opaque.
typedef struct sn_scene sn_scene;

/// The message of the last call of this library on this thread that failed; never null. A scene file with
/// several mistakes gives one line for each, up to SN_SCENE_MAX_ERRORS.
SN_API const char *sn_scene_error(void);

#define SN_SCENE_MAX_ERRORS 20

/// How to load; all zeros is the default.
typedef struct sn_scene_options {
    int threads;                 ///< 0: one
    const char *const *settings; ///< "path=value" each, as `world.sub_steps=20`, put into the file's text
    int setting_count;
    /// Files that the scene names (parts, meshes) may lie anywhere. Otherwise they must be regular files
    /// below the folder of the scene, links followed: a scene from a stranger cannot look around.
    bool allow_anywhere;
} sn_scene_options;

/// Loads a scene file (JSON), a saved state or a recording, told apart by their first bytes. `options` may be
/// null.
/// `*scene` is null on failure. SN_ERROR_FILE, SN_ERROR_FORMAT, SN_ERROR_NULL, SN_ERROR_MEMORY.
SN_API sn_status sn_scene_load(const char *path, const sn_scene_options *options, sn_scene **scene);
/// The same from memory; `path` names it in messages, and files it names are looked for beside it.
SN_API sn_status sn_scene_parse(const char *text, size_t size, const char *path,
                                const sn_scene_options *options, sn_scene **scene);
/// Wraps a world of the caller's, which outlives the scene: default colours and camera, no probes.
SN_API sn_status sn_scene_wrap(sn_world *world, sn_scene **scene);
/// Destroys the scene, and its world unless it was wrapped. Null is fine.
SN_API void sn_scene_destroy(sn_scene *scene);

/// The world as it is now as a scene file: every body, shape and joint by itself, cameras, colours, labels,
/// probes. Loading it gives a world that saves to the same bytes. Custom constraints cannot be written
/// (SN_ERROR_KIND). SN_ERROR_FILE. The file is written beside `path`, synced and renamed, as are all files
/// that this library writes: a failure leaves what was there before.
SN_API sn_status sn_scene_save(const sn_scene *scene, const char *path);
/// A saved state: the snapshot of the world, which goes on bit for bit, with cameras, colours, labels and
/// probes. SN_ERROR_FILE.
SN_API sn_status sn_scene_save_state(const sn_scene *scene, const char *path);

/// Whether the scene was read from this file, or from this file among others (parts, meshes), by whatever
/// name. Commands refuse to overwrite such files; a null scene or path gives false.
SN_API bool sn_scene_was_read_from(const sn_scene *scene, const char *path);

/// The world; never null.
SN_API sn_world *sn_scene_world(const sn_scene *scene);
/// Title and description given in the file, or "".
SN_API const char *sn_scene_title(const sn_scene *scene);
/// What the scene shows, or "".
SN_API const char *sn_scene_description(const sn_scene *scene);
/// Length of a step [s]; default 1/60.
SN_API float sn_scene_step_length(const sn_scene *scene);
/// How long the scene is meant to run [s]; default 10.
SN_API float sn_scene_duration(const sn_scene *scene);

/// Advances the scene by `duration` seconds: does what the scene file says is to happen (motions, forces,
/// events), then steps the world. A scene made from a recording first takes the recorded steps, each as long
/// as it was, whatever `duration` says, with what the program had changed before it; after the last the world
/// goes on by itself. SN_ERROR_NULL, SN_ERROR_FORMAT for a recording that cannot be replayed, and what
/// sn_world_step() returns. Message in sn_scene_error().
SN_API sn_status sn_scene_step(sn_scene *scene, float duration);

/// How far the replay of a recording has come.
typedef struct sn_replay_progress {
    bool is_recording;    ///< false for every other scene, and all else is zero then
    bool is_closed;       ///< the program ended the recording; else it stopped before that
    int step_count;       ///< of the recording
    int steps_done;       ///< replayed so far
    int first_difference; ///< the first step, from 1, after which the world was not the recorded one; 0: none
} sn_replay_progress;

/// The same for any scene.
SN_API sn_replay_progress sn_scene_replay(const sn_scene *scene);

// --- looks -------------------------------------------------------------------------------------------------

/// The colour of a shape: its own, its body's, its material's, or one of a palette.
SN_API sn_color sn_scene_shape_color(const sn_scene *scene, sn_shape shape);
/// The colour of a deformable: its own, or one of a palette.
SN_API sn_color sn_scene_deformable_color(const sn_scene *scene, sn_deformable deformable);
/// What scene files call a model; "" for what is none.
SN_API const char *sn_scene_model_name(sn_model_type type);
/// The same of an integrator.
SN_API const char *sn_scene_integrator_name(sn_integrator integrator);
/// How much of what lies behind a deformable it hides, above 0 to 1: default 1.
SN_API float sn_scene_deformable_opacity(const sn_scene *scene, sn_deformable deformable);
/// The direction that is up: against gravity, +y without any.
SN_API sn_vec3 sn_scene_up(const sn_scene *scene);

/// Where to look from.
typedef struct sn_camera {
    const char *name;    ///< "" for the one made up when the scene has none
    sn_vec3 eye, target; ///< [m]
    sn_vec3 up;          ///< unit length
    float field_of_view; ///< vertical [rad]
    bool moves;          ///< it follows something, orbits, or travels along keyframes
} sn_camera;

/// How many cameras the file names.
SN_API int sn_scene_camera_count(const sn_scene *scene);
/// Their names; "" beyond the last.
SN_API const char *sn_scene_camera_name(const sn_scene *scene, int index);
/// A camera at the world's present time, following and orbiting as it was told. Null `name`: the first, or,
/// without any, one that sees everything but planes as it was when first asked. SN_ERROR_NAME if there is
/// none of that name; the message lists those there are.
SN_API sn_status sn_scene_camera(sn_scene *scene, const char *name, sn_camera *camera);

/// The light that throws shadows.
typedef struct sn_light {
    sn_vec3 direction; ///< towards it; zero for the usual one
    float strength;    ///< against the usual one: default 1
    sn_color color;    ///< what the usual one's is multiplied with: default white
} sn_light;

/// The light at the world's present time.
SN_API sn_light sn_scene_light(const sn_scene *scene);

/// A text in the picture.
typedef struct sn_label {
    const char *text;
    sn_vec3 position; ///< in the world now [m]
    sn_color color;
} sn_label;

/// How many labels there are.
SN_API int sn_scene_label_count(const sn_scene *scene);
/// One of them as it is now; labels of what is gone have an empty text.
SN_API sn_label sn_scene_label(const sn_scene *scene, int index);

// --- probes ------------------------------------------------------------------------------------------------

/// How many values the scene watches.
SN_API int sn_scene_probe_count(const sn_scene *scene);
/// Name and unit of a probe; "" beyond the last.
SN_API const char *sn_scene_probe_name(const sn_scene *scene, int index);
/// Its unit, as "m/s".
SN_API const char *sn_scene_probe_unit(const sn_scene *scene, int index);
/// Its value now; 0 for what is gone.
SN_API double sn_scene_probe_value(const sn_scene *scene, int index);

// --- the format itself -------------------------------------------------------------------------------------

/// The JSON Schema of scene files, and the reference page (Markdown), both made from the tables the reader
/// uses. To be freed with `free`; null without memory.
SN_API char *sn_scene_schema(void);
/// The reference page.
SN_API char *sn_scene_reference(void);

#ifdef __cplusplus
}
#endif
#endif
