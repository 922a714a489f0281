// The scenes that deformables are measured by, S1 to S5 and a few more. Parameters are those the figures of
// other engines were taken with.
#ifndef BENCH_SOFT_SCENES_H
#define BENCH_SOFT_SCENES_H

#include "soft_scene.h"

/// A level cloth that does not stretch and hardly bends: of 51 × 51 nodes, or of any number of cells a side.
sn_status soft_scene_add_cloth(soft_scene *scene, float size, float mass, float height);
sn_status soft_scene_add_fine_cloth(soft_scene *scene, int cells, float size, float mass, float height);

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
/// The same as it may have been in the paper (Vezzaro 2015, figure 2), which tells counts but no sizes:
/// jellies of 1 kg, r = 0.15 m and 0.2 m high, a bar of 0.3 kg, a dish of 1 kg.
sn_status soft_scene_paper_jellies(soft_scene *scene);

/// S3: a strip of 25 × 2 nodes of 10 g over a free wheel of 1 kg, R = 0.5 m; tied to its ends lumps of
/// `ratio` and 1.5 `ratio` times a node's mass. Solid 0 is the wheel, 1 the light lump, 2 the heavy one.
sn_status soft_scene_rope(soft_scene *scene, float ratio);
/// How fast the wheel turns after `time` if nothing slips or stretches [rad/s]: Atwood's machine with a heavy
/// rope.
double soft_rope_spin(const soft_scene *scene, double time);

/// S5: a cloth of 51 × 51 nodes, 4 × 4 m, 3.2 kg, held at its corners; a hundred balls fall on it.
sn_status soft_scene_trampoline(soft_scene *scene, float radius, float mass, float speed);

/// Ten jellies on top of each other on the floor.
sn_status soft_scene_stack(soft_scene *scene);
/// Two sheets that fall on a table, solid 0, one on the other.
sn_status soft_scene_sheets(soft_scene *scene);
/// A jelly tied to two rods, spinning freely.
sn_status soft_scene_glued(soft_scene *scene);

#endif
