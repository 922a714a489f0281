// Whole scenes shared by tests, benchmarks and the determinism check, built through the public API alone, so
// that a figure in one place is the same figure in another. Gravity is the world's and points along −y; the
// scenes expect steps of TEST_SCENE_STEP seconds.
#ifndef TESTS_SUPPORT_SCENES_H
#define TESTS_SUPPORT_SCENES_H

#include "sinew/sinew.h"

#define TEST_SCENE_STEP (1.0f / 60.0f)

typedef struct test_scene {
    const char *name;
    const char *about;
    int steps; ///< as long as the scene is worth watching
    float
        fallen_distance; ///< a body this far from where it began has fallen; 0 where falling is the point [m]
    sn_status (*build)(sn_world *world);
    /// Called before each step, `step` counting from 0; null for a scene that runs by itself.
    sn_status (*drive)(sn_world *world, int step);
} test_scene;

extern const test_scene test_scenes[];
extern const int test_scene_count;

/// Null if there is no such scene.
const test_scene *test_scene_find(const char *name);

/// A scene in a world of its own, with what is needed to say how far its dynamic bodies have moved.
typedef struct test_scene_run {
    const test_scene *scene;
    sn_world *world;
    int steps_done;
    int body_count; ///< dynamic bodies, in index order
    sn_rigid *bodies;
    sn_vec3 *starts; ///< their mass centres when the scene was opened
} test_scene_run;

/// On failure `*run` is empty and safe to close; with a message on stderr.
sn_status test_scene_open(const test_scene *scene, const sn_world_def *def, test_scene_run *run);
sn_status test_scene_step(test_scene_run *run, int steps);
void test_scene_close(test_scene_run *run);

/// Largest over the dynamic bodies, relative to where they began.
typedef struct test_drift {
    float sink;     ///< downwards [m]
    float lateral;  ///< horizontally [m]
    float distance; ///< in any direction [m]
    int fallen;     ///< bodies beyond the scene's fallen_distance, and bodies that are nowhere (NaN, frozen)
} test_drift;

test_drift test_scene_drift(const test_scene_run *run);

/// The round tower: 25 layers of 40 bricks; each brick 0.5 m along the ring, 0.25 m high, 0.25 m deep. In a
/// layer the inner edges of neighbours are 1 cm apart; layers lie on each other without a gap, each turned by
/// half a brick against the one below. 25 layers, because then the figures known of the others compare: with
/// their settings (4 sub-steps, contacts of 30 Hz) this tower settles by 7.9 cm and the stack of 20 boxes by
/// 10.7 cm, where Box3D's settle by 7.8 and 10.6. Twice the height would sag four times as much.
enum {
    TEST_TOWER_RING = 40,
    TEST_TOWER_LAYERS = 25,
    TEST_TOWER_BRICKS = TEST_TOWER_RING * TEST_TOWER_LAYERS
};
#define TEST_TOWER_BRICK_HEIGHT 0.25f

sn_vec3 test_tower_half_extents(void);
sn_pose test_tower_brick(int index);

#endif
