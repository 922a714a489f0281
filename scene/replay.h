// Recordings being replayed: the steps a recording holds, what the program changed before each, and whether
// the world comes out as it did then. recording.c writes what is read here.
#ifndef SN_SCENE_REPLAY_H
#define SN_SCENE_REPLAY_H

#include "scene/reader.h"

// A recording is, little-endian:
//   the mark, the version of the library (3 bytes and a zero), the size of the state (8 bytes), the state;
//   for each step a 1, its duration (float32), the hash of the world after it (8 bytes), the size of the
//   patch (8 bytes, 0 for none) and the patch, which makes the snapshot of the world before the step from
//   that of the world after the step before;
//   a 2 and the number of steps (8 bytes). A file without this end was not closed.
extern const char sn_recording_mark[8];

enum {
    SN_RECORDING_HEAD = 20,
    SN_RECORDED_STEP = 1,
    SN_RECORDED_END = 2,
    SN_RECORDED_STEP_HEAD = 21,
    SN_RECORDED_END_SIZE = 9
};

// Whether these bytes begin like a recording.
bool sn_recording_is(const char *bytes, size_t size);
// Fills the reader's scene from a recording, which `path` names in messages.
sn_status sn_recording_read(const char *bytes, size_t size, const char *path, const sn_scene_options *options,
                            sn_reader *reader);

// Whether there are recorded steps left to take.
bool sn_replay_is_under_way(const sn_replay *replay);
// Before a step: makes the world what the program made it, and tells how long the step is.
sn_status sn_replay_before_step(sn_scene *scene, float *duration);
// After it: compares the world with what was recorded.
void sn_replay_after_step(sn_scene *scene);

#endif
