// Ten small scenes of rigid and deformable things together, which come to rest, and what is measured of them
// there: heights, sags, contact forces, tensions. Any two solvers must come to the same figures. Materials
// are soft enough for the velocity solver to resolve at eight sub-steps of 1/60 s.
#ifndef TESTS_SUPPORT_MIXED_SCENES_H
#define TESTS_SUPPORT_MIXED_SCENES_H

#include "sinew/sinew.h"

enum { MIXED_SCENES = 10, MIXED_RIGIDS = 12, MIXED_VALUES = 3 };

/// What a scene is made of, as far as it is measured.
typedef struct mixed_things {
    sn_rigid rigids[MIXED_RIGIDS];
    sn_deformable soft;
    sn_constraint links[4];
    int link_count;
} mixed_things;

typedef struct mixed_value {
    const char *name; ///< null beyond the last
    double value;
} mixed_value;

typedef struct mixed_scene {
    const char *name;
    float seconds; ///< until it is at rest
    void (*build)(sn_world *world, mixed_things *things);
    /// Over the last step, whose length is given.
    void (*measure)(const sn_world *world, const mixed_things *things, float step,
                    mixed_value values[MIXED_VALUES]);
} mixed_scene;

extern const mixed_scene mixed_scenes[MIXED_SCENES];

/// A scene in a world of these settings.
sn_world *mixed_open(const mixed_scene *scene, const sn_world_def *settings, mixed_things *things);
/// Runs a scene to rest and half a second on; means of that half second.
void mixed_run(const mixed_scene *scene, const sn_world_def *settings, float step,
               mixed_value values[MIXED_VALUES]);
/// Largest difference of two results, relative to the second, and which value it is.
double mixed_difference(const mixed_value *values, const mixed_value *others, int *which);

#endif
