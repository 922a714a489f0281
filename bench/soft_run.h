// A scene running in Sinew or in Bullet: stepped, timed, and read out alike.
#ifndef BENCH_SOFT_RUN_H
#define BENCH_SOFT_RUN_H

#include "bullet_soft.h"
#include "soft_scene.h"

/// What a deformable is like now, in arrays by node.
typedef struct soft_cloud {
    int count;
    const sn_mesh *mesh;
    sn_vec3 *positions, *velocities;
    float *masses; ///< 0 of pinned nodes
} soft_cloud;

typedef struct soft_solid_state {
    sn_vec3 position, velocity, spin;
    sn_quat rotation;
} soft_solid_state;

typedef struct soft_run {
    const soft_scene *scene;
    sn_world *world;     ///< null in Bullet
    bullet_soft *bullet; ///< null in Sinew
    int bullet_slices;   ///< steps of Bullet's in one of ours
    sn_deformable deformables[SOFT_MAX_BODIES];
    sn_rigid rigids[SOFT_MAX_SOLIDS];
    sn_anchor anchors[SOFT_MAX_TIES];
    sn_vec3 tie_arms[SOFT_MAX_TIES]; ///< where nodes are tied to, in their solids' frames
    int steps_done;
    double last_time, total_time, worst_time; ///< CPU time of steps [ms]
    // As of the last step.
    soft_cloud clouds[SOFT_MAX_BODIES];
    soft_solid_state solids[SOFT_MAX_SOLIDS];
} soft_run;

/// In Sinew. On failure `run` is safe to close.
sn_status soft_run_open(soft_run *run, const soft_scene *scene, const sn_world_def *settings);
/// In Bullet, each step in `slices` of its own with `iterations`. False if it is not installed.
bool soft_run_open_bullet(soft_run *run, const soft_scene *scene, int slices, int iterations);
sn_status soft_run_step(soft_run *run);
/// Mean CPU time of a step [ms].
double soft_run_mean_time(const soft_run *run);
void soft_run_close(soft_run *run);

#endif
