// A step of a scene: what its file, or the recording it replays, has to happen, and the world's own step.
// Tested by tests/scene/test_recording.c and tests/scene/sections/test_section_motions.c.
#include "scene/advance.h"

#include "scene/message.h"
#include "scene/replay.h"

sn_status sn_scene_before_step(sn_scene *scene, float *duration)
{
    if (sn_replay_is_under_way(&scene->replay)) {
        return sn_replay_before_step(scene, duration);
    }
    // What a recording's scene would have done is in the recording; the world refuses other durations itself.
    if (scene->replay.is_recording || !(*duration > 0.0f)) {
        return SN_OK;
    }
    sn_status status = sn_scene_events_before_step(scene, *duration);
    return status == SN_OK ? sn_motions_before_step(scene, *duration) : status;
}

void sn_scene_after_step(sn_scene *scene, bool replayed)
{
    if (replayed) {
        sn_replay_after_step(scene);
    } else {
        sn_scene_events_after_step(scene);
    }
    sn_motions_look(scene);
}

sn_status sn_scene_step(sn_scene *scene, float duration)
{
    if (scene == NULL) {
        return sn_scene_fail(SN_ERROR_NULL, "sn_scene_step: scene is null, expected a scene");
    }
    bool replayed = sn_replay_is_under_way(&scene->replay);
    sn_status status = sn_scene_before_step(scene, &duration);
    if (status != SN_OK) {
        return status;
    }
    status = sn_world_step(scene->world, duration);
    if (status != SN_OK) {
        return sn_scene_fail(status, "%s", sn_world_error(scene->world));
    }
    sn_scene_after_step(scene, replayed);
    return SN_OK;
}
