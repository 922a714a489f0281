// Ten small scenes as hostile as any to the position solver: steps of 1/30 s, springs of 1e9 N/m, masses that
// differ by a thousand times, things crumpled and thrown. They must live.
#ifndef TESTS_SUPPORT_HOSTILE_SCENES_H
#define TESTS_SUPPORT_HOSTILE_SCENES_H

#include "sinew/sinew.h"

enum { HOSTILE_SCENES = 10 };

typedef struct hostile_scene {
    const char *name;
    void (*build)(sn_world *world);
} hostile_scene;

extern const hostile_scene hostile_scenes[HOSTILE_SCENES];

/// Over all steps.
typedef struct hostile_result {
    double farthest; ///< from the origin [m]
    double fastest;  ///< of bodies and nodes [m/s]
    int frozen;      ///< bodies and nodes that turned non-finite
} hostile_result;

/// By the position solver's default settings.
hostile_result hostile_run(const hostile_scene *scene, int steps);
/// Nothing frozen, nothing farther than 20 m or faster than 50 m/s: what falls here is slower than 10 m/s.
bool hostile_is_sane(const hostile_result *result);

#endif
