// A small and hard scene for every kind of exact anchor: a jelly held by nails (or a body) that go round in a
// circle, and what hangs on it by anchors of that kind, three and more metres from the origin.
#ifndef BENCH_EXACT_SCENE_H
#define BENCH_EXACT_SCENE_H

#include "sinew/sinew.h"

/// Without sub-steps, so that all integrators can live with it (the explicit Euler scheme under damping).
#define EXACT_SCENE_STEP 0.0002f
enum { EXACT_FREE_SUB_STEPS = 8 };

typedef enum exact_kind {
    EXACT_NAILS,
    EXACT_PAIRS,
    EXACT_MANY,        ///< three points to one
    EXACT_LINES,       ///< points to lines
    EXACT_TRIANGLES,   ///< points to triangles
    EXACT_TETRAHEDRA,  ///< points to tetrahedra
    EXACT_SURFACE,     ///< points that slide along a surface
    EXACT_RUBBING,     ///< the same with friction
    EXACT_ON_BODY,     ///< points to a rigid body
    EXACT_ON_PLATFORM, ///< points to a kinematic body, which turns
    EXACT_RAMPS,       ///< two points each that are brought together in a thousand steps
    EXACT_KIND_COUNT
} exact_kind;

const char *exact_kind_words(exact_kind kind);
const char *exact_integrator_words(sn_integrator integrator);

typedef struct exact_scene {
    sn_world *world;
    sn_deformable jellies[3]; ///< the first is held
    int jelly_count;
    sn_rigid body; ///< of EXACT_ON_BODY and EXACT_ON_PLATFORM
    sn_anchor nails[4];
    int nail_count;
    sn_vec3 nail_places[4]; ///< at first
    int steps;
} exact_scene;

typedef struct exact_scene_def {
    exact_kind kind;
    sn_integrator integrator;
    bool free; ///< no nails and no gravity: it flies, in longer steps of EXACT_FREE_SUB_STEPS sub-steps
} exact_scene_def;

sn_status exact_scene_open(exact_scene *scene, const exact_scene_def *def);
/// Moves nails and platforms, and steps.
sn_status exact_scene_step(exact_scene *scene);
void exact_scene_close(exact_scene *scene);

/// How far the ends of any anchor that holds fully are apart [m], in double.
double exact_scene_error(const exact_scene *scene);
/// The largest coordinate of a node in size [m].
double exact_scene_size(const exact_scene *scene);

#endif
