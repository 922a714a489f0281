// The scenes that deformables are measured by, S1 to S5 and a few more. Parameters are those the figures of
// other engines were taken with.
#ifndef BENCH_SOFT_SCENES_H
#define BENCH_SOFT_SCENES_H

#include "soft_scene.h"

/// S1: a cloth of 51 × 51 nodes, 2 × 2 m, 0.8 kg, let go 5 cm above a ball of 0.5 m: held fast, or of 1 kg on
/// the floor. Solid 0 is the ball.
sn_status soft_scene_cloth(soft_scene *scene, bool rolling);

/// What the four jellies of S2 are made of.
typedef enum soft_paradigm {
    SOFT_SPRINGS,
    SOFT_ELEMENTS,
    SOFT_POSITION_BASED,
    SOFT_SHAPE_MATCHING,
    SOFT_PARADIGMS,
    SOFT_MIXED = SOFT_PARADIGMS ///< one of each
} soft_paradigm;

const char *soft_paradigm_name(soft_paradigm paradigm);

/// S2: a bar of 2.2 × 0.2 × 2.2 m and 8 kg falls by 0.3 m on four jellies of 4.3 kg in a dish of 5 kg on a
/// floor without friction, sideways at `speed` [m/s]. Solid 0 is the dish, 1 the bar.
sn_status soft_scene_jellies(soft_scene *scene, soft_paradigm paradigm, float speed);

#endif
