// What every example needs: an end with a clear message when a call fails, and pictures of the world.
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include <sinew/sinew.h>
#include <sinew_scene/recording.h>

#include <stdio.h>
#include <stdlib.h>

// Ends the program if a call failed: the message names object, field and value.
static inline void must(const sn_world *world, sn_status status)
{
    if (status != SN_OK) {
        fprintf(stderr, "%s: %s\n", sn_status_text(status), world ? sn_world_error(world) : sn_last_error());
        exit(EXIT_FAILURE);
    }
}

static inline sn_world *world_with_floor(void)
{
    sn_world *world = NULL;
    sn_world_def settings = sn_world_def_default(); // gravity −9.81 m/s² along y
    must(NULL, sn_world_create(&settings, &world));
    must(world, sn_plane_add(world, sn_world_ground(world), NULL, (sn_plane){.normal = {0, 1, 0}}, NULL));
    return world;
}

// A recording of all steps. The command films it: sinew render name.recording -o name.mp4
typedef struct film {
    sn_scene *scene;
    sn_recording *recording;
    const char *path;
} film;

static inline void must_film(sn_status status)
{
    if (status != SN_OK) {
        fprintf(stderr, "%s: %s\n", sn_status_text(status), sn_scene_error());
        exit(EXIT_FAILURE);
    }
}

static inline film film_begin(sn_world *world, const char *path)
{
    film film = {.path = path};
    must_film(sn_scene_wrap(world, &film.scene));
    must_film(sn_recording_begin(film.scene, path, &film.recording));
    return film;
}

// Instead of sn_world_step.
static inline void film_step(film *film, float duration)
{
    must_film(sn_recording_step(film->recording, duration));
}

static inline void film_end(film *film)
{
    must_film(sn_recording_end(film->recording));
    sn_scene_destroy(film->scene);
    printf("recorded %s\n", film->path);
}

// Saves the world as a state. The command draws it: sinew render name.state -o name.png
static inline void save_for_picture(sn_world *world, const char *path)
{
    sn_scene *scene = NULL;
    if (sn_scene_wrap(world, &scene) != SN_OK || sn_scene_save_state(scene, path) != SN_OK) {
        fprintf(stderr, "%s\n", sn_scene_error());
        exit(EXIT_FAILURE);
    }
    sn_scene_destroy(scene);
    printf("saved %s\n", path);
}

#endif
