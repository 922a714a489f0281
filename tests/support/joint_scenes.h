// Scenes that are hard on joints, and how a run of one is judged: energy out of nowhere, frozen bodies,
// motion that does not come to rest. Shared by tests and benchmarks; built through the public API alone.
#ifndef TESTS_SUPPORT_JOINT_SCENES_H
#define TESTS_SUPPORT_JOINT_SCENES_H

#include "sinew/sinew.h"

typedef enum joint_group {
    JOINTS_REDUNDANT, ///< more joints than needed hold every body
    JOINTS_FAST,      ///< motors, spins and mass ratios that make things fast
    JOINTS_COMPLIANT, ///< soft joints, locked axes, long arms
    JOINTS_CROWDED,   ///< grids, overlaps and small things
    JOINT_GROUPS
} joint_group;

/// Factors on the lengths and on the densities of a scene; 1 and 1 is the scene as described.
typedef struct joint_scale {
    float length, density;
} joint_scale;

typedef struct joint_scene {
    const char *name, *about;
    joint_group group;
    int count;         ///< planks, links, boxes, bodies a side
    float seconds;     ///< a run is this long
    bool rests;        ///< from JOINT_REST_TIME on nothing is faster than JOINT_REST_SPEED
    float fall;        ///< how far things can fall, at scale 1; the scale of its energy [m]
    float motor_speed; ///< of its motors (hinges from the ground about z), 0 for none [rad/s]
    sn_status (*build)(sn_world *world, int count, joint_scale scale);
} joint_scene;

#define JOINT_REST_TIME  10.0 ///< [s]
#define JOINT_REST_SPEED 0.05 ///< of a mass centre [m/s]

extern const joint_scene joint_scenes[];
extern const int joint_scene_count;

/// Null if there is no such scene.
const joint_scene *joint_scene_find(const char *name);

/// How a scene is run. Zeros mean: steps of 1/60 s, sub-steps as the world chooses, one thread, as long as
/// the scene says.
typedef struct joint_run {
    float step;    ///< [s]
    int sub_steps; ///< a step
    int threads;
    float seconds;     ///< [s]
    joint_scale scale; ///< factors; 0 counts as 1
} joint_run;

/// What a run showed. The energy at the start, E₀, is that of motion, plus what the scene's things lose when
/// they fall by `fall`; motors add at most torque × motor speed × time, W. (A motor that pushes turns slower
/// than it was told, one that brakes faster: the product is never below its work.)
typedef struct joint_result {
    double start_energy;  ///< E₀ [J]
    double energy_factor; ///< largest (E₀ + E(t) − E(0)) / (E₀ + W(t)): 1 if nothing was ever gained
    double motor_work;    ///< W at the end [J]
    double peak_speed;    ///< of any mass centre, ever [m/s]
    double rest_speed;    ///< of any mass centre from JOINT_REST_TIME on [m/s]
    double final_speed;   ///< of any mass centre, at the end [m/s]
    double peak_error;    ///< largest violation of a joint at the end of a step, ever [m or rad]
    double final_error;   ///< the same at the end
    double drift;         ///< largest distance of a mass centre from where it began, at the end [m]
    int frozen_count;     ///< bodies that turned non-finite
    int clamped_count;    ///< most bodies in a step whose speed was clamped
} joint_result;

/// Builds a scene in a world of its own, runs and measures it. With a message on stderr when it fails.
sn_status joint_scene_measure(const joint_scene *scene, const joint_run *run, joint_result *result);

// --- builders ----------------------------------------------------------------------------------------------

sn_status joint_build_bridge(sn_world *world, int planks, joint_scale scale);
sn_status joint_build_damped_bridge(sn_world *world, int planks, joint_scale scale);
sn_status joint_build_column(sn_world *world, int boxes, joint_scale scale);
sn_status joint_build_standing_column(sn_world *world, int boxes, joint_scale scale);
sn_status joint_build_cantilever(sn_world *world, int boxes, joint_scale scale);
sn_status joint_build_hinge_chain(sn_world *world, int links, joint_scale scale);

sn_status joint_build_whirl(sn_world *world, int links, joint_scale scale);
sn_status joint_build_whirl_apart(sn_world *world, int links, joint_scale scale);
sn_status joint_build_whirl_balls(sn_world *world, int links, joint_scale scale);
sn_status joint_build_whirl_gravity(sn_world *world, int links, joint_scale scale);
sn_status joint_build_rod(sn_world *world, int boxes, joint_scale scale);
sn_status joint_build_rod_hinged(sn_world *world, int boxes, joint_scale scale);
sn_status joint_build_heavy_swing(sn_world *world, int links, joint_scale scale);
sn_status joint_build_four_bar(sn_world *world, int unused, joint_scale scale);

sn_status joint_build_soft_fixed(sn_world *world, int unused, joint_scale scale);
sn_status joint_build_soft_hinge(sn_world *world, int unused, joint_scale scale);
sn_status joint_build_soft_hinge_limit(sn_world *world, int unused, joint_scale scale);
sn_status joint_build_soft_hinge_spring(sn_world *world, int unused, joint_scale scale);
sn_status joint_build_soft_slider(sn_world *world, int unused, joint_scale scale);
sn_status joint_build_locked(sn_world *world, int unused, joint_scale scale);
sn_status joint_build_locked_fixed(sn_world *world, int unused, joint_scale scale);

/// side × side balls, 1 m apart, each joined to its neighbours; seven in the middle of the top row are
/// static.
sn_status joint_build_grid(sn_world *world, int side, joint_scale scale);
sn_status joint_build_heap(sn_world *world, int boxes, joint_scale scale);
sn_status joint_build_dice(sn_world *world, int dice, joint_scale scale);

/// A chain of equal links, hanging horizontally from the ground at one end, of one kind of joint: for timing.
sn_status joint_build_kind_chain(sn_world *world, sn_constraint_kind kind, int links);

#endif
