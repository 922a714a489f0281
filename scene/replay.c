// Replaying recordings. Their bytes may come from anywhere: every size is checked before it is believed, and
// what patches make is checked as any snapshot is.
// Tested by tests/scene/test_recording.c.
#include "scene/replay.h"

#include "scene/message.h"
#include "scene/patch.h"
#include "scene/saved_state.h"
#include "scene/snapshot_bytes.h"

#include <math.h>
#include <string.h>

const char sn_recording_mark[8] = {'S', 'I', 'N', 'E', 'W', 'R', 'C', '1'};

// --- reading -----------------------------------------------------------------------------------------------

bool sn_recording_is(const char *bytes, size_t size)
{
    return size >= sizeof sn_recording_mark &&
           memcmp(bytes, sn_recording_mark, sizeof sn_recording_mark) == 0;
}

static uint64_t number_at(const char *bytes, int count)
{
    uint64_t value = 0;
    for (int i = 0; i < count; ++i) {
        value |= (uint64_t)(unsigned char)bytes[i] << (8 * i);
    }
    return value;
}

static sn_status fail_at(const char *path, size_t at, const char *problem)
{
    return sn_scene_fail(SN_ERROR_FORMAT, "%s: byte %zu: %s", path, at, problem);
}

// Reads the step at `*at` and moves on; SN_OK without a step where the file ends in the middle of one.
static sn_status read_step(const char *bytes, size_t size, const char *path, size_t *at, sn_replay *replay)
{
    if (size - *at < SN_RECORDED_STEP_HEAD) {
        *at = size;
        return SN_OK;
    }
    const char *head = bytes + *at;
    uint32_t duration_bits = (uint32_t)number_at(head + 1, 4);
    uint64_t patch_size = number_at(head + 13, 8);
    sn_recorded_step step = {.hash = number_at(head + 5, 8), .patch = *at + SN_RECORDED_STEP_HEAD};
    memcpy(&step.duration, &duration_bits, sizeof step.duration);
    if (!(step.duration >= 1e-6f && step.duration <= 1.0f)) {
        return fail_at(path, *at + 1, "the duration of a step is not between 1e-6 and 1 s");
    }
    if (patch_size > size - step.patch) {
        *at = size;
        return SN_OK;
    }
    step.patch_size = (size_t)patch_size;
    *at = step.patch + step.patch_size;
    return SN_LIST_PUSH(&replay->steps, step)
               ? SN_OK
               : sn_scene_fail(SN_ERROR_MEMORY, "%s: no memory to read it", path);
}

static sn_status read_end(const char *bytes, size_t size, const char *path, size_t at, sn_replay *replay)
{
    if (size - at < SN_RECORDED_END_SIZE) {
        return SN_OK;
    }
    if (number_at(bytes + at + 1, 8) != (uint64_t)replay->steps.count) {
        return fail_at(path, at + 1, "the number of steps at the end is not that of the steps before it");
    }
    if (size - at > SN_RECORDED_END_SIZE) {
        return fail_at(path, at + SN_RECORDED_END_SIZE, "more bytes behind the end of the recording");
    }
    replay->is_closed = true;
    return SN_OK;
}

static sn_status read_steps(const char *bytes, size_t size, const char *path, size_t at, sn_replay *replay)
{
    sn_status status = SN_OK;
    while (status == SN_OK && at < size && bytes[at] == SN_RECORDED_STEP) {
        status = read_step(bytes, size, path, &at, replay);
    }
    if (status == SN_OK && at < size) {
        status = bytes[at] == SN_RECORDED_END
                     ? read_end(bytes, size, path, at, replay)
                     : fail_at(path, at, "neither a step nor the end of a recording");
    }
    return status;
}

// A scene lasts as long as its recording; steps of several lengths count by their mean.
static void take_times(sn_scene *scene)
{
    double sum = 0.0;
    bool equal = true;
    const sn_replay *replay = &scene->replay;
    for (int i = 0; i < replay->steps.count; ++i) {
        sum += (double)replay->steps.items[i].duration;
        equal = equal && replay->steps.items[i].duration == replay->steps.items[0].duration;
    }
    if (replay->steps.count > 0) {
        scene->duration = (float)sum;
        scene->step_length =
            equal ? replay->steps.items[0].duration : (float)(sum / (double)replay->steps.count);
    }
}

sn_status sn_recording_read(const char *bytes, size_t size, const char *path, const sn_scene_options *options,
                            sn_reader *reader)
{
    if (options != NULL && options->setting_count > 0) {
        return sn_scene_fail(SN_ERROR_FORMAT,
                             "%s: a recording has no settings to change, expected a scene file with --set",
                             path);
    }
    uint64_t state = size >= SN_RECORDING_HEAD ? number_at(bytes + 12, 8) : 0;
    if (size < SN_RECORDING_HEAD || state > size - SN_RECORDING_HEAD) {
        return sn_scene_fail(SN_ERROR_FORMAT,
                             "%s: byte %zu: a recording that ends before its first state is whole", path,
                             size);
    }
    const char *first = bytes + SN_RECORDING_HEAD;
    if (!sn_saved_state_is(first, (size_t)state)) {
        return fail_at(path, SN_RECORDING_HEAD, "no saved state, expected the one the recording begins with");
    }
    sn_status status = sn_saved_state_read(first, (size_t)state, path, options, reader);
    sn_replay *replay = &reader->scene->replay;
    status = status ? status : read_steps(bytes, size, path, SN_RECORDING_HEAD + (size_t)state, replay);
    if (status != SN_OK) {
        return status;
    }
    replay->bytes = malloc(size);
    if (replay->bytes == NULL) {
        return sn_scene_fail(SN_ERROR_MEMORY, "%s: no memory to read it", path);
    }
    memcpy(replay->bytes, bytes, size);
    memcpy(replay->version, bytes + 8, sizeof replay->version);
    replay->is_recording = true;
    take_times(reader->scene);
    return SN_OK;
}

// --- replaying ---------------------------------------------------------------------------------------------

bool sn_replay_is_under_way(const sn_replay *replay)
{
    return replay->next < replay->steps.count;
}

static sn_status fail_differing(const sn_scene *scene)
{
    const sn_replay *replay = &scene->replay;
    return sn_scene_fail(
        SN_ERROR_FORMAT,
        "step %d of the recording cannot be replayed: the world differs from the recorded one "
        "since step %d (recorded by sinew %d.%d.%d, this is %s)",
        replay->next + 1, replay->first_difference, replay->version[0], replay->version[1],
        replay->version[2], sn_version());
}

static sn_status apply_patch(sn_scene *scene, const sn_recorded_step *step)
{
    sn_snapshot_bytes now = {0};
    size_t size = 0;
    sn_status status = sn_snapshot_bytes_take(scene->world, &now);
    uint8_t *made = NULL;
    if (status == SN_OK) {
        made =
            sn_patch_apply(scene->replay.bytes + step->patch, step->patch_size, now.bytes, now.size, &size);
        status = made != NULL
                     ? sn_world_restore(scene->world, made, size)
                     : sn_scene_fail(SN_ERROR_FORMAT, "step %d of the recording: no patch of the world",
                                     scene->replay.next + 1);
        if (made != NULL && status != SN_OK) {
            sn_scene_fail(status, "step %d of the recording: %s", scene->replay.next + 1,
                          sn_world_error(scene->world));
        }
    }
    free(made);
    free(now.bytes);
    return status;
}

sn_status sn_replay_before_step(sn_scene *scene, float *duration)
{
    const sn_replay *replay = &scene->replay;
    const sn_recorded_step *step = &replay->steps.items[replay->next];
    *duration = step->duration;
    if (step->patch_size == 0) {
        return SN_OK;
    }
    return replay->first_difference != 0 ? fail_differing(scene) : apply_patch(scene, step);
}

void sn_replay_after_step(sn_scene *scene)
{
    sn_replay *replay = &scene->replay;
    uint64_t recorded = replay->steps.items[replay->next++].hash;
    if (replay->first_difference == 0 && sn_world_hash(scene->world) != recorded) {
        replay->first_difference = replay->next;
    }
}

sn_replay_progress sn_scene_replay(const sn_scene *scene)
{
    const sn_replay *replay = &scene->replay;
    return (sn_replay_progress){.is_recording = replay->is_recording,
                                .is_closed = replay->is_closed,
                                .step_count = replay->steps.count,
                                .steps_done = replay->next,
                                .first_difference = replay->first_difference};
}
