// Recordings being written: replay.h says what is in the file. The snapshot after each step is kept; before
// the next one, what differs from it is what the program has done.
#include "sinew_scene/recording.h"

#include "scene/advance.h"
#include "scene/message.h"
#include "scene/patch.h"
#include "scene/replay.h"
#include "scene/saved_state.h"
#include "scene/snapshot_bytes.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct sn_recording {
    sn_scene *scene;
    char *path;
    FILE *file;
    int error;                       // errno of the first failure, 0 for none
    sn_snapshot_bytes after, before; // the step taken last, and the step taken next
    sn_byte_list patch;
    uint64_t step_count;
};

static void release(sn_recording *recording)
{
    free(recording->path);
    free(recording->after.bytes);
    free(recording->before.bytes);
    SN_LIST_FREE(&recording->patch);
    free(recording);
}

// --- writing -----------------------------------------------------------------------------------------------

static void put_number(uint8_t *bytes, uint64_t value, int count)
{
    for (int i = 0; i < count; ++i) {
        bytes[i] = (uint8_t)(value >> (8 * i));
    }
}

static void put_bytes(sn_recording *recording, const void *bytes, size_t size)
{
    if (size > 0 && fwrite(bytes, 1, size, recording->file) != size && recording->error == 0) {
        recording->error = errno != 0 ? errno : EIO;
    }
}

static sn_status tell_error(const sn_recording *recording)
{
    return recording->error == 0 ? SN_OK
                                 : sn_scene_fail(SN_ERROR_FILE, "%s: cannot be written: %s", recording->path,
                                                 strerror(recording->error));
}

// What was put so far is in the file even if the program ends here.
static sn_status flush(sn_recording *recording)
{
    if (fflush(recording->file) != 0 && recording->error == 0) {
        recording->error = errno;
    }
    return tell_error(recording);
}

static sn_status put_head(sn_recording *recording)
{
    uint8_t head[SN_RECORDING_HEAD] = {0};
    char *state = NULL;
    size_t size = 0;
    sn_status status = sn_saved_state_make(recording->scene, recording->path, &state, &size);
    if (status != SN_OK) {
        return status;
    }
    memcpy(head, sn_recording_mark, sizeof sn_recording_mark);
    head[8] = SN_VERSION_MAJOR;
    head[9] = SN_VERSION_MINOR;
    head[10] = SN_VERSION_PATCH;
    put_number(head + 12, size, 8);
    put_bytes(recording, head, sizeof head);
    put_bytes(recording, state, size);
    free(state);
    return flush(recording);
}

static sn_status put_step(sn_recording *recording, float duration)
{
    uint8_t head[SN_RECORDED_STEP_HEAD] = {SN_RECORDED_STEP};
    uint32_t duration_bits;
    memcpy(&duration_bits, &duration, sizeof duration_bits);
    put_number(head + 1, duration_bits, 4);
    put_number(head + 5, sn_world_hash(recording->scene->world), 8);
    put_number(head + 13, (uint64_t)recording->patch.count, 8);
    put_bytes(recording, head, sizeof head);
    put_bytes(recording, recording->patch.items, (size_t)recording->patch.count);
    ++recording->step_count;
    return flush(recording);
}

// --- the life of a recording -------------------------------------------------------------------------------

static FILE *open_file(const char *path)
{
    if (strcmp(path, "-") != 0) {
        return fopen(path, "wb");
    }
    int file = dup(STDOUT_FILENO);
    return file >= 0 ? fdopen(file, "wb") : NULL;
}

sn_status sn_recording_begin(sn_scene *scene, const char *path, sn_recording **out)
{
    if (out != NULL) {
        *out = NULL;
    }
    if (scene == NULL || path == NULL || out == NULL) {
        return sn_scene_fail(SN_ERROR_NULL, "sn_recording_begin: scene, path or out is null");
    }
    sn_recording *recording = calloc(1, sizeof *recording);
    char *copy = strdup(path);
    if (recording == NULL || copy == NULL) {
        free(recording);
        free(copy);
        return sn_scene_fail(SN_ERROR_MEMORY, "%s: no memory to write it", path);
    }
    recording->scene = scene;
    recording->path = copy;
    sn_status status = sn_snapshot_bytes_take(scene->world, &recording->after);
    if (status == SN_OK) {
        recording->file = open_file(path);
        status = recording->file != NULL
                     ? put_head(recording)
                     : sn_scene_fail(SN_ERROR_FILE, "%s: cannot be written: %s", path, strerror(errno));
    }
    if (status != SN_OK) {
        if (recording->file != NULL) {
            fclose(recording->file);
        }
        release(recording);
        return status;
    }
    *out = recording;
    return SN_OK;
}

// What was changed since the last step, as a patch; an empty one for nothing.
static sn_status find_changes(sn_recording *recording)
{
    const sn_snapshot_bytes *after = &recording->after, *before = &recording->before;
    recording->patch.count = 0;
    sn_status status = sn_snapshot_bytes_take(recording->scene->world, &recording->before);
    bool same = status == SN_OK && after->size == before->size &&
                memcmp(after->bytes, before->bytes, after->size) == 0;
    if (status == SN_OK && !same &&
        !sn_patch_make(after->bytes, after->size, before->bytes, before->size, &recording->patch)) {
        status = sn_scene_fail(SN_ERROR_MEMORY, "%s: no memory to write it", recording->path);
    }
    return status;
}

sn_status sn_recording_step(sn_recording *recording, float duration)
{
    if (recording == NULL) {
        return sn_scene_fail(SN_ERROR_NULL, "sn_recording_step: recording is null");
    }
    sn_scene *scene = recording->scene;
    bool replayed = sn_replay_is_under_way(&scene->replay);
    sn_status status = sn_scene_before_step(scene, &duration);
    status = status ? status : find_changes(recording);
    if (status != SN_OK) {
        return status;
    }
    status = sn_world_step(scene->world, duration);
    if (status != SN_OK) {
        return sn_scene_fail(status, "%s", sn_world_error(scene->world));
    }
    sn_scene_after_step(scene, replayed);
    status = put_step(recording, duration);
    return status == SN_OK ? sn_snapshot_bytes_take(scene->world, &recording->after) : status;
}

sn_status sn_recording_end(sn_recording *recording)
{
    if (recording == NULL) {
        return SN_OK;
    }
    uint8_t end[SN_RECORDED_END_SIZE] = {SN_RECORDED_END};
    put_number(end + 1, recording->step_count, 8);
    put_bytes(recording, end, sizeof end);
    if (fclose(recording->file) != 0 && recording->error == 0) {
        recording->error = errno;
    }
    sn_status status = tell_error(recording);
    release(recording);
    return status;
}
