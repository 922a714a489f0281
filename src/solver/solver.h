// The velocity solver (methods F.2, with position errors corrected apart from velocities):
//
//   for each sub-step of length h:
//     speeds of approach are measured, forces change velocities
//     rows are refreshed, last sub-step's impulses applied   (warm start)
//     a sweep forwards, a sweep backwards over all rows      (solve)
//     positions follow: x += h (v + nudge)                   (integrate)
//     contacts that were hit bounce                          (finish)
//
// Each row is solved twice over at every visit. Once for the velocity v, hard or with its own spring; its
// impulse Λ is kept for warm starting. And once for the nudge, a velocity that exists for one sub-step only
// and takes back a fraction of the row's position error. Keeping the two apart keeps the correction out of Λ
// and out of the momentum: nothing sags under load, nothing is kicked, and reported forces are true.
//
// The second sweep visits everything in the opposite order. Together they are a symmetric Gauss–Seidel
// iteration, whose matrix has real eigenvalues 0 ≤ ν < 1. That matters because of warm starting: an error of
// eigenvalue ν becomes one of μ = ν ± √(ν(ν − 1)) per sub-step, with |μ| = √ν < 1 for real nu, but |μ| > 1
// for complex ones: swept one way only, towers of bricks sway for ever.
//
// Items of one colour share no moving body, so a colour's items can be solved in any order, on any thread, in
// any number of lanes, with the same bits. The solver sees bodies by solver number and rows by pointer; it
// knows nothing of worlds, shapes or ids.
#ifndef SN_SOLVER_SOLVER_H
#define SN_SOLVER_SOLVER_H

#include "base/arena.h"
#include "base/tasks.h"
#include "collision/contact.h"
#include "matter/rigid.h"
#include "sinew/constraint.h"

// What the sweeps read and write, eight floats a body, so that gathering eight bodies is eight loads and a
// transpose.
typedef struct sn_solver_velocity {
    float linear[4], angular[4]; // fourth entries unused, zero
} sn_solver_velocity;

// Motion since the step began: displacement of the mass centre, and rotation vector to first order.
typedef struct sn_solver_shift {
    float moved[4], turned[4];
} sn_solver_shift;

// World inverse inertia of this sub-step: xx yy zz – xy xz yz –.
typedef struct sn_solver_inertia {
    float diagonal[4], off_diagonal[4];
} sn_solver_inertia;

// What the integrator and the constraint kinds need of a body.
typedef struct sn_solver_body {
    sn_vec3 center;
    sn_quat rotation;
    sn_vec3 local_center;
    sn_vec3 inverse_mass;
    sn_sym3 inertia, inverse_inertia; // body axes
    uint32_t locks;
    sn_vec3 acceleration; // gravity and forces
    sn_vec3 torque;
    float linear_damping, angular_damping;
    int body; // the world's number
} sn_solver_body;

// One contact patch to be solved. `patch` gets its impulses back.
typedef struct sn_contact_input {
    sn_patch *patch;
    int body_a, body_b; // solver numbers
    float friction, restitution, rolling_resistance;
} sn_contact_input;

// One constraint to be solved. Impulses are kept by row from step to step; force and torque on b are averaged
// over the step.
typedef struct sn_constraint_input {
    sn_row_function evaluate;
    const void *data;
    const sn_constraint_common *common;
    int body_a, body_b;
    sn_pose fixed_a, fixed_b; // where the body is if its number is 0
    float *impulses;          // SN_MAX_ROWS
    sn_vec3 *force, *torque;
} sn_constraint_input;

typedef struct sn_solver_settings {
    float recovery; // fraction of a position error taken back per sub-step
    float push_speed, restitution_threshold;
    float duration;
    int sub_steps;
} sn_solver_settings;

// Seconds spent per stage, summed over sub-steps.
typedef struct sn_solver_times {
    double prepare, warm_start, solve, integrate, finish;
} sn_solver_times;

typedef struct sn_solver {
    // In: filled by the caller. Body 0 stands for everything static; bodies below dynamic_begin are never
    // written.
    sn_solver_settings settings;
    sn_solver_velocity *velocities;
    sn_solver_velocity *nudges; // zero between sub-steps
    sn_solver_shift *shifts;
    sn_solver_inertia *inertias;
    sn_solver_body *bodies;
    int body_count, dynamic_begin;
    sn_contact_input *contacts;
    int contact_count;
    sn_constraint_input *constraints;
    int constraint_count;
    sn_tasks *tasks;
    sn_arena *arena;
    // Out.
    int color_count, overflow_count;
    int clamped_count;
    sn_solver_times times;
} sn_solver;

// Takes memory for `body_count` bodies, `contact_count` patches and `constraint_count` constraints from the
// arena; false without memory.
bool sn_solver_allocate(sn_solver *solver, int body_count, int contact_count, int constraint_count);

// Runs all sub-steps: velocities, centres and rotations of the bodies, impulses of contacts and constraints.
// False, before anything has moved, without memory.
bool sn_solver_run(sn_solver *solver);

#endif
