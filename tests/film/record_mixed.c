// Records the ten mixed scenes under the velocity and the position solver, for the film that shows them side
// by side (tools/both_solvers.sh): N_velocity.recording and N_position.recording in a folder, and their names
// in names.txt.
//
//   record_mixed FOLDER [SECONDS, default 3]
#include "sinew_scene/recording.h"
#include "support/mixed_scenes.h"

#include <stdio.h>
#include <stdlib.h>

static const float film_step = 1.0f / 60.0f;

static void must_record(sn_status status)
{
    if (status != SN_OK) {
        fprintf(stderr, "record_mixed: %s: %s\n", sn_status_text(status), sn_scene_error());
        exit(1);
    }
}

static void record(const mixed_scene *scene, sn_solver_type solver, float seconds, const char *path)
{
    mixed_things things;
    sn_world_def settings = sn_world_def_default();
    settings.solver = solver;
    sn_world *world = mixed_open(scene, &settings, &things);
    sn_scene *wrapped = NULL;
    sn_recording *recording = NULL;
    must_record(sn_scene_wrap(world, &wrapped));
    must_record(sn_recording_begin(wrapped, path, &recording));
    for (int i = 0; i < (int)(seconds / film_step); ++i) {
        must_record(sn_recording_step(recording, film_step));
    }
    must_record(sn_recording_end(recording));
    sn_scene_destroy(wrapped);
    sn_world_destroy(world);
}

int main(int argc, char **argv)
{
    char path[1024];
    float seconds = argc > 2 ? (float)atof(argv[2]) : 3.0f;
    if (argc < 2 || !(seconds > 0.0f && seconds < 1000.0f)) {
        fprintf(stderr, "usage: record_mixed FOLDER [SECONDS]\n");
        return 2;
    }
    snprintf(path, sizeof path, "%s/names.txt", argv[1]);
    FILE *names = fopen(path, "w");
    if (names == NULL) {
        fprintf(stderr, "record_mixed: cannot write %s\n", path);
        return 1;
    }
    for (int i = 0; i < MIXED_SCENES; ++i) {
        snprintf(path, sizeof path, "%s/%d_velocity.recording", argv[1], i);
        record(&mixed_scenes[i], SN_SOLVER_VELOCITY, seconds, path);
        snprintf(path, sizeof path, "%s/%d_position.recording", argv[1], i);
        record(&mixed_scenes[i], SN_SOLVER_POSITION, seconds, path);
        fprintf(names, "%s\n", mixed_scenes[i].name);
    }
    return fclose(names) == 0 ? 0 : 1;
}
