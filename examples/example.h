// What every example needs: an end with a clear message when a call fails, and a picture of the world.
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include <sinew/sinew.h>
#include <sinew_scene/scene.h>

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
