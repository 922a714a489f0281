/// \file
/// What a program did to a world, as one file, which the command runs, draws, plots and exports as it does a
/// scene: `sinew render mine.recording -o mine.mp4`. A bug report is one file.
///
/// The file holds the world as it was at first, and for each step its duration, a hash of the world after it,
/// and what the program had changed before it: the difference between two snapshots, a few bytes for a
/// velocity that was set. Everything else follows, for a world goes on from a snapshot bit for bit. Functions
/// of the program's own are not in the file: constraints of custom kinds cannot be replayed by the command,
/// and steps that a contact filter had a say in are told to differ.
#ifndef SINEW_SCENE_RECORDING_H
#define SINEW_SCENE_RECORDING_H

#include "sinew_scene/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A recording under way. Opaque.
typedef struct sn_recording sn_recording;

/// Begins a recording in the file `path` with the world as it is. The file is written as the program goes
/// (not beside, as others are), so that it is of use even if the program never comes to an end. The scene
/// must outlive the recording. `*out` is null on failure: SN_ERROR_NULL, SN_ERROR_FILE, SN_ERROR_MEMORY.
/// Message in sn_scene_error().
SN_API sn_status sn_recording_begin(sn_scene *scene, const char *path, sn_recording **out);
/// Steps the scene, as sn_scene_step() does, and records the step with whatever was changed since the one
/// before. A step that fails is not recorded. SN_ERROR_NULL, SN_ERROR_FILE (the step was taken),
/// SN_ERROR_MEMORY, and what sn_scene_step() returns.
SN_API sn_status sn_recording_step(sn_recording *recording, float duration);
/// Ends the file and frees the recording, whatever it returns: SN_ERROR_FILE if not all of it could be
/// written. Null is fine.
SN_API sn_status sn_recording_end(sn_recording *recording);

#ifdef __cplusplus
}
#endif
#endif
