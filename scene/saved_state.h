// Saved states: the snapshot of a world behind a little JSON that says how to look at it. And what of loading
// (load.c) they share with scene files.
#ifndef SN_SCENE_SAVED_STATE_H
#define SN_SCENE_SAVED_STATE_H

#include "scene/reader.h"

// Whether these bytes begin like a saved state.
bool sn_saved_state_is(const char *bytes, size_t size);
// Fills the reader's scene from a saved state, which `path` names in messages.
sn_status sn_saved_state_read(const char *bytes, size_t size, const char *path,
                              const sn_scene_options *options, sn_reader *reader);
// The scene as the bytes of a saved state, to be freed with `free`; null on failure.
sn_status sn_saved_state_make(const sn_scene *scene, const char *path, char **bytes, size_t *size);

// Parses the reader's first document and puts the settings in.
sn_status sn_load_open(const char *text, size_t size, const char *path, const sn_scene_options *options,
                       sn_reader *reader);
// The status and message of a failed reading: the complaints.
sn_status sn_load_failed(const sn_reader *reader, const char *path);
// Puts bytes into a file, which is replaced as a whole.
sn_status sn_load_write(const char *path, const void *bytes, size_t size);

#endif
