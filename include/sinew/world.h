/// \file
/// The world: creation, stepping, settings, statistics.
#ifndef SINEW_WORLD_H
#define SINEW_WORLD_H

#include "base.h"
#include "math.h"
#include "task.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How the rows of a step are solved (docs/solver.md).
typedef enum sn_solver_type {
    SN_SOLVER_VELOCITY,  ///< sub-stepped, all rows together, with a relaxing sweep
    SN_SOLVER_STAGGERED, ///< Vezzaro 2015: rigid rows and rows of nodes in turn, no sub-steps, Baumgarte
    SN_SOLVER_POSITION   ///< Frâncu 2017: nonlinear projection, rows linearised anew in every iteration
} sn_solver_type;

/// How an iteration of the position solver visits rows.
typedef enum sn_position_method {
    SN_POSITION_GAUSS_SEIDEL,       ///< one after the other, colour by colour
    SN_POSITION_JACOBI_ACCELERATED, ///< elements at once, with Nesterov's acceleration and restarts
    SN_POSITION_JACOBI              ///< elements at once
} sn_position_method;

/// The position solver's own settings; ignored by the others (docs/position-solver.md).
typedef struct sn_position {
    int iterations;            ///< in a sub-step, 1…10000; default 4
    sn_position_method method; ///< default SN_POSITION_GAUSS_SEIDEL
    bool newmark;              ///< integrate by Newmark's rule; default false: implicit Euler
    float newmark_beta;        ///< β of Newmark, [0.01, 1]; default 0.25
    float newmark_gamma;       ///< γ of Newmark, [0, 1]; default 0.5
    bool monitor;              ///< measure the errors of every iteration (sn_world_residuals); default false
} sn_position;

/// Four iterations of Gauss–Seidel by implicit Euler; see the fields.
SN_API sn_position sn_position_default(void);

/// The staggered solver's own settings; ignored by the others. The paper's steps are 20 ms long.
typedef struct sn_staggered {
    int rigid_iterations; ///< sweeps over rows between rigid bodies, 1…1000; default 2
    int node_iterations;  ///< sweeps over rows that touch a node, 1…1000; default 2
    float correction;     ///< part of an error that a step takes away, βh, (0, 1]; default 0.1
    float warm_start;     ///< part of the last step's impulses a step begins with, [0, 1]; default 0.9;
                          ///< springs, finite elements and contacts of
                          ///< sheets and strands begin with half of it
    bool dummy_nodes;     ///< contacts as in the paper: dummy nodes with averaged impulses, which keep no
                          ///< momentum; default false: weights of the face's nodes, exact
} sn_staggered;

/// Two sweeps each, a tenth of an error a step; see the fields.
SN_API sn_staggered sn_staggered_default(void);

/// Settings of a world. Start from `sn_world_def_default()`.
/// What carries loads that pass through many light things: bounds from nodes and links to what holds them,
/// more sub-steps for the islands that need them, and hard rows and contacts that settle without sag.
typedef struct sn_long_range {
    bool bounds;    ///< rows that keep what is held no farther from there than it can get; default true
    bool sub_steps; ///< islands take more than `sub_steps` where loads and tensions ask for it; default true
    bool settle;    ///< what stands or hangs comes to rest where rigid things would; default true
    bool support; ///< what stands on its contacts stands for ever, until something disturbs it; default true
    bool unions;  ///< bodies held together by hard fixed joints move as one while they hold; default true
    bool planes;  ///< chains of hard hinges with parallel axes stay in their plane; default true
} sn_long_range;

/// All of them, or none.
SN_API sn_long_range sn_long_range_auto(void);
SN_API sn_long_range sn_long_range_off(void);

typedef struct sn_world_def {
    uint32_t cookie;          ///< set by sn_world_def_default; do not touch
    sn_vec3 gravity;          ///< [m/s²], default (0, −9.81, 0)
    sn_vec3 wind;             ///< velocity of the air, for deformables with drag or lift [m/s]; default 0
    int sub_steps;            ///< 1…256 solver sub-steps per step at least (see long_range); 0 (default)
                              ///< lets the world choose; the staggered solver always takes 1
    sn_long_range long_range; ///< default sn_long_range_auto()
    int threads;              ///< 1…64 threads of the built-in pool including the caller's; default 1
    sn_task_system tasks;     ///< the user's task system instead of the pool; default none
    bool sleep;               ///< islands at rest fall asleep; default true
    bool guard;      ///< cuts motions of nodes that would cross a face; default true: see docs/deformables.md
    bool continuous; ///< fast bodies are swept against what they might pass through; default true
    float contact_stiffness;     ///< contact frequency × sub-step length, (0, 0.25]; default 0.15
    float contact_damping;       ///< damping ratio of contacts, [0, 100]; default 10
    float constraint_stiffness;  ///< the same for hard constraints, (0, 0.25]; default 0.25
    float constraint_damping;    ///< damping ratio of hard constraints, [0, 100]; default 2
    float push_speed;            ///< fastest removal of overlaps, > 0; default 3 m/s
    float restitution_threshold; ///< slower impacts do not bounce, ≥ 0; default 1 m/s
    float hit_threshold;         ///< slower impacts make no hit event, ≥ 0; default 1 m/s
    float speculative_margin;    ///< contacts are made this early, [0.001, 1]; default 0.02 m
    float sleep_speed;           ///< a body slower than this (m/s at its rim) is at rest, ≥ 0; default 0.05
    float sleep_time;            ///< at rest for this long, an island sleeps, ≥ 0; default 0.5 s
    sn_solver_type solver;       ///< default SN_SOLVER_VELOCITY
    sn_staggered staggered;      ///< of SN_SOLVER_STAGGERED
    sn_position position;        ///< of SN_SOLVER_POSITION
} sn_world_def;

/// Earth's gravity, one thread, sleep and continuous collision on; see the fields.
SN_API sn_world_def sn_world_def_default(void);

/// Makes a world. `*world` is null on failure: SN_ERROR_NULL, SN_ERROR_DEFINITION, SN_ERROR_NOT_FINITE,
/// SN_ERROR_RANGE (see the fields), SN_ERROR_MEMORY.
SN_API sn_status sn_world_create(const sn_world_def *def, sn_world **world);
/// Destroys a world and all in it. Null is fine. Does nothing from inside one of the world's own callbacks.
SN_API void sn_world_destroy(sn_world *world);

/// Advances the world by `duration` seconds (1e-6 ≤ duration ≤ 1). SN_ERROR_NOT_FINITE, SN_ERROR_RANGE,
/// SN_ERROR_LOCKED (from inside a callback), SN_ERROR_MEMORY.
SN_API sn_status sn_world_step(sn_world *world, float duration);

/// The message of the last call on this world that failed; never null, empty if none has.
SN_API const char *sn_world_error(const sn_world *world);

/// The static body every world has, at the origin: the other end of joints to the surroundings and the owner
/// of floors and walls.
SN_API sn_rigid sn_world_ground(const sn_world *world);

/// Changes gravity and wakes everything. SN_ERROR_NOT_FINITE, SN_ERROR_RANGE (beyond 1e5 m/s²),
/// SN_ERROR_LOCKED.
SN_API sn_status sn_world_gravity_set(sn_world *world, sn_vec3 gravity);
/// Gravity in force [m/s²].
SN_API sn_vec3 sn_world_gravity(const sn_world *world);
/// Changes the wind, as for gusts, and wakes the deformables that feel it. SN_ERROR_NOT_FINITE,
/// SN_ERROR_RANGE (beyond 1e3 m/s), SN_ERROR_LOCKED.
SN_API sn_status sn_world_wind_set(sn_world *world, sn_vec3 wind);
/// The settings in force, as given at creation or changed since.
SN_API sn_world_def sn_world_settings(const sn_world *world);
/// Changes every setting that may change while running: all but `threads` and `tasks`, which are ignored.
SN_API sn_status sn_world_settings_set(sn_world *world, const sn_world_def *def);
/// Sub-steps the next step will take. Left to the world they are 14; with deformables 16, and up to 48 where
/// bodies are anchored to nodes more than a hundred times lighter; and at least 256 a second, so that steps
/// of up to a second can be taken. Bodies smaller than 3 cm that touch each other take more, up to 160. Steps
/// are taken to last as long as the last one, the first 1/60 s.
SN_API int sn_world_sub_steps(const sn_world *world);
/// Steps taken, and the sum of their durations [s].
SN_API uint64_t sn_world_step_count(const sn_world *world);
/// Sum of the durations of all steps [s].
SN_API double sn_world_time(const sn_world *world);

/// How far `sn_world_assemble` got.
typedef struct sn_assembly {
    int iterations;
    int unmet_count;       ///< constraints whose error exceeds the tolerance
    sn_constraint worst;   ///< the one with the largest error; null if all are met
    float worst_error;     ///< [m] or [rad]
    int overlap_count;     ///< places where shapes overlap by more than the tolerance
    float deepest_overlap; ///< of those, else 0 [m]
} sn_assembly;

/// Moves bodies so that all constraints are met and shapes that may touch do not overlap, as at loading time
/// when things were placed roughly: nonlinear projection of positions, at most `max_iterations` sweeps
/// (1…100000), until every error and every overlap is at most `tolerance` [m or rad] (> 0). Velocities stay;
/// what moves wakes. Returns SN_ERROR_NOT_CONVERGED, with the best positions kept and `report` (may be null)
/// saying what could not be met, when some constraint remains violated or some shapes overlap; and
/// SN_ERROR_MEMORY, with nothing moved.
SN_API sn_status sn_world_assemble(sn_world *world, float tolerance, int max_iterations, sn_assembly *report);

/// Hard edges and joints that stretch by more than this part of their length are reported: something is not
/// carried.
#define SN_STRETCH_LIMIT 0.05f

/// Counts of what is in the world and what the last step did.
typedef struct sn_statistics {
    int rigid_count, awake_count, shape_count, constraint_count;
    int contact_count;       ///< touching shape pairs that are awake
    int contact_point_count; ///< awake contact points
    int pair_count;          ///< shape pairs whose bounds overlap, asleep ones included
    int island_count;        ///< awake islands
    int color_count;         ///< colours the last step used
    int overflow_count;      ///< constraints that found no colour and were solved serially
    int sub_steps;           ///< of the last step
    int swept_count;         ///< bodies stopped by continuous collision in the last step
    int frozen_count;        ///< bodies that turned non-finite and were frozen, in total
    int frozen_node_count;   ///< nodes of deformables that did, in total
    int supported_count;     ///< awake bodies that stand on their contacts and were not solved
    int left_out_count; ///< in the last step, beyond 32 of a body or node: pairs of bodies in each other that
                        ///< found no contact, and contacts of nodes
    int clamped_count;  ///< bodies and nodes whose speed was clamped to SN_MAX_SPEED in the last step
    int put_back_count; ///< bodies and deformables that the last step left where they were, slower: it ended
                        ///< non-finite, or higher up than all they had could lift them
    float energy_taken; ///< that constraints and models gained from nowhere in the last step, and lost again
                        ///< [J]
    int deformable_count, awake_deformable_count;
    int anchor_count;     ///< of the constraints those that sn_world_anchors lists
    int exact_count;      ///< anchors held exactly in the last step
    int exact_rows_count; ///< anchors asked to be exact that rows held instead in the last step
    float exact_error;    ///< how far ends of anchors held exactly are apart after the last step, at most [m]
    int node_count;       ///< of all deformables
    int unresolved_count; ///< elements of deformables that are stiffer than the solver resolved in the last
                          ///< step, and so acted softer than they are; and enclosures whose edges did not
                          ///< bear all of their pressure
    float primal_error, dual_error; ///< of the last iteration, if monitored (sn_residual)
    int element_count;      ///< rows of springs, edges, bending, …, and finite elements, of all deformables
    int soft_contact_count; ///< places where deformables touch or are about to
    int bound_count;        ///< long-range bounds, of deformables that are awake and of bodies on chains
    int taut_bound_count;   ///< of these that carry something
    int stretched_count;    ///< deformables whose hard edges stretch by more than SN_STRETCH_LIMIT
    float largest_stretch;  ///< of hard edges of deformables after the last step, part of their length
    sn_deformable most_stretched; ///< whose edge that is; null if there is none
    int union_count;              ///< groups of bodies that fixed joints make one
    int plane_count;              ///< chains of hinges that the last step kept in their planes
    int stretched_joint_count;    ///< hard joints that are apart by more than SN_STRETCH_LIMIT
    float largest_joint_stretch;  ///< of hard joints after the last step, part of the distance between the
                                  ///< mass centres of their bodies, or of the length of a rod or rope
    sn_constraint most_stretched_joint; ///< which that is; null if there is none
    int cut_node_count; ///< nodes whose motion was cut in the last step, so that nothing crossed
    int cut_body_count; ///< bodies, for the same reason
    int crossing_count; ///< pairs of faces, or of a face and a shape, that overlapped when it began, but for
                        ///< fixed nodes in static shapes
    int tree_height;
    size_t bytes;         ///< memory the world holds
    uint64_t allocations; ///< allocations made inside steps so far
} sn_statistics;

/// Counts now and of the last step; zeros for a null world.
SN_API sn_statistics sn_world_statistics(const sn_world *world);

/// Why an island takes more sub-steps than the others.
typedef enum sn_sub_step_cause {
    SN_SUB_STEPS_LEAST,    ///< it does not, by itself
    SN_SUB_STEPS_SMALL,    ///< small bodies touch each other
    SN_SUB_STEPS_COLUMN,   ///< what stands in a column sags much under its load
    SN_SUB_STEPS_HANGING,  ///< a heavy body is anchored to light nodes
    SN_SUB_STEPS_PRESSING, ///< a heavy body lies on light nodes or links
    SN_SUB_STEPS_TENSION,  ///< light rows or joints are taut
    SN_SUB_STEPS_STIFF,    ///< stiff elements are strained
    SN_SUB_STEPS_BRIDGING, ///< light bodies join heavy ones
    SN_SUB_STEPS_TORQUE    ///< joints of light bodies carry torques
} sn_sub_step_cause;

/// An island that took more sub-steps than the others in the last step.
typedef struct sn_loaded_island {
    int sub_steps;
    sn_sub_step_cause cause;
    int rigid_count, deformable_count; ///< in the island
    sn_rigid rigid;                    ///< one of them; null if there is none
    sn_deformable deformable;
} sn_loaded_island;

/// Writes the first `capacity` of them to `loads` (may be null for 0) and returns how many there are.
SN_API int sn_world_loads(const sn_world *world, sn_loaded_island *loads, int capacity);
/// The cause in words, as "a heavy body lies on light nodes or links"; "" for SN_SUB_STEPS_LEAST and bad
/// values.
SN_API const char *sn_sub_step_cause_text(sn_sub_step_cause cause);

/// How far an iteration of the position solver is from the solution.
typedef struct sn_residual {
    float primal; ///< largest error of hard rows and contacts before the iteration [m or rad]
    float dual;   ///< by how much the iteration changes a component of a velocity at most [m/s or rad/s]
} sn_residual;

/// Writes up to `capacity` residuals (null `out` with 0 to count) of the iterations of the last sub-step of
/// the last step, and returns how many there are: 0 unless `position.monitor` is set. Where islands take
/// different numbers of sub-steps, the largest of each iteration.
SN_API int sn_world_residuals(const sn_world *world, sn_residual *out, int capacity);

/// Wall-clock milliseconds of each stage of the last step.
typedef struct sn_profile {
    float step, collide, pairs, narrow, islands, prepare, solve, integrate, relax, restitution, finish, sweep;
    float models; ///< of deformables: inner forces and integrators
    float exact;  ///< exact anchors
    float guard;  ///< making sure that no deformable passed through anything
} sn_profile;

/// Of the last step; zeros for a null world.
SN_API sn_profile sn_world_profile(const sn_world *world);

/// Energies and momenta of all awake and sleeping dynamic bodies; potential is that of gravity, relative to
/// the origin. [J], [kg m/s], [kg m²/s about the origin]
typedef struct sn_energy {
    double kinetic, potential;
    double momentum[3], angular_momentum[3];
    double mass;
} sn_energy;

/// Summed in double over all dynamic bodies, frozen ones included; zeros for a null world.
SN_API sn_energy sn_world_energy(const sn_world *world);

/// Writes up to `capacity` ids (null `out` with 0 to count) and returns how many there are, in index order.
/// The ground is not among the rigid bodies.
SN_API int sn_world_rigids(const sn_world *world, sn_rigid *out, int capacity);
/// The same for constraints.
SN_API int sn_world_constraints(const sn_world *world, sn_constraint *out, int capacity);

#ifdef __cplusplus
}
#endif
#endif
