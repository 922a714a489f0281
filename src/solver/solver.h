// What solvers work on: bodies, contacts and constraints of the awake part of a world, by solver number.
// Three schedules run over the same rows, stage by stage (stages.h): the velocity solver, described here, the
// staggered one (staggered.h) and the position solver (position.h).
//
// The velocity solver (methods F.2): sub-stepped, warm-started soft constraints with a relaxing sweep, over
// one coloured list of everything that joins bodies.
//
//   rows of constraints are made
//   for each sub-step of length h:
//     speeds of approach are measured
//     forces change velocities
//     last sub-step's impulses are applied                 (warm start)
//     sweep: soft rows pull errors towards zero            (solve)
//     velocities change positions                          (integrate)
//     rows are refreshed: impulses along the old gradients would have a torque about where bodies are now
//     sweep: hard rows without bias                        (relax: removes the velocity the bias put in)
//     contacts that were hit bounce                        (finish)
//
// Sub-steps go through contacts in turn forwards and backwards (through joints always forwards: joints.h).
// That matters because of warm starting: an error that one pass of Gauss–Seidel multiplies by ν, warm
// starting makes one of μ = ν ± √(ν(ν−1)) per sub-step. For real ν < 1 that is |μ| = √ν < 1; but a sweep in
// one direction is not symmetric and has complex ν, for which |μ| may exceed 1: towers of bricks then sway
// for ever. Going both ways in turn restores the symmetry.
//
// Items of one colour share no moving body, so a colour's items can be solved in any order, on any thread, in
// any number of lanes, with the same bits. The solver sees bodies by solver number and rows by pointer; it
// knows nothing of worlds, shapes or ids.
#ifndef SN_SOLVER_SOLVER_H
#define SN_SOLVER_SOLVER_H

#include "base/arena.h"
#include "base/tasks.h"
#include "collision/narrow/contact_pair.h"
#include "matter/rigid.h"
#include "sinew/constraint.h"
#include "sinew/world.h"
#include "solver/nodes/node_solver.h"
#include "solver/rows/end.h"
#include "solver/rows/softness.h"

#include <math.h>

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

// Three floats of such a record as a vector, and back.
static inline sn_vec3 sn_take3(const float *source)
{
    return sn_v(source[0], source[1], source[2]);
}
static inline void sn_put3(float *target, sn_vec3 v)
{
    target[0] = v.x;
    target[1] = v.y;
    target[2] = v.z;
}

// velocity + residue += change, exactly but for the residue's own last bit (Kahan).
static inline void sn_add_exactly(sn_vec3 *velocity, sn_vec3 *residue, sn_vec3 change)
{
    sn_vec3 wanted = sn_add(change, *residue);
    sn_vec3 sum = sn_add(*velocity, wanted);
    *residue = sn_sub(wanted, sn_sub(sum, *velocity));
    *velocity = sum;
}

// Without a residue what rounding cuts off is lost.
static inline void sn_velocity_change(sn_solver_velocity *velocity, sn_solver_velocity *residue,
                                      sn_vec3 linear, sn_vec3 angular)
{
    sn_solver_velocity none = {0}, *kept = residue != NULL ? residue : &none;
    sn_vec3 v = sn_take3(velocity->linear), v_rest = sn_take3(kept->linear);
    sn_vec3 w = sn_take3(velocity->angular), w_rest = sn_take3(kept->angular);
    sn_add_exactly(&v, &v_rest, linear);
    sn_add_exactly(&w, &w_rest, angular);
    sn_put3(velocity->linear, v);
    sn_put3(velocity->angular, w);
    sn_put3(kept->linear, v_rest);
    sn_put3(kept->angular, w_rest);
}

static inline sn_sym3 sn_solver_inertia_matrix(const sn_solver_inertia *i)
{
    return (sn_sym3){i->diagonal[0],     i->diagonal[1],     i->diagonal[2],
                     i->off_diagonal[0], i->off_diagonal[1], i->off_diagonal[2]};
}

// What the integrator and the constraint kinds need of a body.
typedef struct sn_solver_body {
    sn_vec3 start; // of the mass centre: its place is start + moved, rounded once a step instead of once a
                   // sub-step
    sn_vec3 center;
    sn_quat rotation;
    sn_vec3 local_center;
    sn_vec3 inverse_mass;
    sn_spin spin;
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
    sn_vec3 shift_a, shift_b; // from the centres of the solver's bodies to those that arms of points begin at
    sn_vec3 turned_a, turned_b; // how far the bodies had turned in this step when the patch was found
    sn_vec3 surface_velocity;   // of b's surface against a's, beyond that of the bodies; world axes
    float kept;                 // part of the last impulses to begin with: sub-steps may have another length
    // Of references (contact_block.h): that of tilting per square of the patch's radius. [–, 1/m²]
    float settle_rate, tilt_rate;
    int contact; // the world's number
} sn_contact_input;

struct sn_solver;

// Points are followed to first order of the rotation, which takes those of a body that turns by this angle
// off their circles by a thousandth of their arms, φ²/2. Farther than that, the position solver finds patches
// again: points of edges and corners with all of the rotation, those of round bodies where they are round.
// [rad]
#define SN_FOLLOWED_TURN 0.045f

static inline bool sn_turns_far(sn_vec3 angular_a, sn_vec3 angular_b, float duration)
{
    return sn_max(sn_length(angular_a), sn_length(angular_b)) * duration > SN_FOLLOWED_TURN;
}

// One constraint to be solved. Impulses are kept by row from step to step; force and torque on b are averaged
// over the step.
typedef struct sn_constraint_input {
    sn_row_function evaluate;
    const void *data;
    sn_solver_end ends[2];
    float max_force;   // of the held rows together, > 0, infinite for none [N]
    bool can_break;    // its force is watched
    float *impulses;   // SN_MAX_ROWS
    float *references; // the same on which hard rows settle; null where they do not
    sn_vec3 *force, *torque;
} sn_constraint_input;

// What differs between schedules, but for the stages themselves. Made once a step.
typedef struct sn_solver_laws {
    sn_softness hard;                            // of joints, anchors and other hard rows
    sn_softness firmest;                         // the stiffest any spring may be
    sn_softness contact, contact_with_immovable; // of contacts
    float resolved;              // largest κ/γ of soft rows that the position solver resolves, else 0
    float stiffest, most_damped; // largest h²κk of elements of solids; and κ/γ, damping included
    float bearing;               // ω² of the springs as which hard edges bear a pressure [1/s²]
    // How fast velocities push bodies out of overlaps [m/s]. Where positions do the rest up to push_speed
    // (has_position_push), it is a small part of that: relaxing sweeps do not remove all of that velocity
    // where many bodies overlap in a row.
    float overlap_speed;
    bool has_position_push;
    // Part of the last impulses that a step begins with: of hard rows and contacts; of springs, finite
    // elements and contacts of deformables (staggered_contact.c keeps more of those of solids).
    float kept, kept_soft;
    bool has_chords;       // hard rows of joints aim at chords (joint_rows.c)
    bool is_projected;     // rows are linearised anew in every iteration (position.h)
    bool has_firm_anchors; // constraints of light nodes with heavy bodies are stiffer (joint_rows.c)
    // Sets up how nodes answer impulses, once exact attachments have set felt masses: through implicit models
    // (node_response.h) or a shared motion. False without memory.
    bool (*begin_nodes)(sn_node_solver *nodes);
} sn_solver_laws;

typedef struct sn_solver_settings {
    float contact_stiffness, contact_damping;
    float constraint_stiffness, constraint_damping;
    float push_speed, restitution_threshold;
    sn_vec3 wind;
    float duration;
    int sub_steps;
    int sub_steps_before; // taken so far: decides the direction of the first one
    sn_solver_type type;  // the schedule
    bool settles_joints;  // hard rows of what hangs at rest come to hold without yielding (joint_settling.c)
    bool has_planes;      // hinge chains keep to their planes (rows/hinge_planes.h)
    sn_staggered staggered;
    sn_position position;
    sn_solver_laws laws; // follow from the above: sn_laws_of
} sn_solver_settings;

static inline bool sn_uses_newmark(const sn_solver_settings *settings)
{
    return settings->type == SN_SOLVER_POSITION && settings->position.newmark;
}

// Impulses of Newmark's rule are h′ = √β h times forces; sums over the step are reported as those of its
// duration.
static inline float sn_reported_part(const sn_solver_settings *settings)
{
    return sn_uses_newmark(settings) ? 1.0f / sqrtf(settings->position.newmark_beta) : 1.0f;
}

// Of rows and motion: under Newmark's rule √β of a sub-step (newmark.c).
static inline float sn_sub_step_length(const sn_solver_settings *settings)
{
    float h = settings->duration / (float)settings->sub_steps;
    return sn_uses_newmark(settings) ? h * sqrtf(settings->position.newmark_beta) : h;
}

// velocity.c, staggered.c and position.c: of the schedule that the settings name.
sn_solver_laws sn_velocity_laws(const sn_solver_settings *settings);
sn_solver_laws sn_staggered_laws(const sn_solver_settings *settings);
sn_solver_laws sn_position_laws(const sn_solver_settings *settings);
sn_solver_laws sn_laws_of(const sn_solver_settings *settings);

// Seconds spent per stage, summed over sub-steps.
typedef struct sn_solver_times {
    double prepare, models, exact, solve, integrate, relax, restitution;
} sn_solver_times;

typedef struct sn_solver {
    // In: filled by the caller. Body 0 stands for everything static; bodies below dynamic_begin are never
    // written.
    sn_solver_settings settings;
    sn_solver_velocity *velocities;
    sn_solver_velocity *residues;      // what rounding cut off the velocities where constraints changed them:
                                       // keeps momentum to 1e-6
    sn_solver_velocity *accelerations; // in and out, of Newmark's rule
    sn_solver_shift *shifts;
    sn_solver_inertia *inertias;
    sn_solver_body *bodies;
    int body_count, dynamic_begin;
    sn_contact_input *contacts;
    int contact_count;
    // Finds the patch of a contact again where its bodies are now, and the shifts of its input; false if it
    // is gone, or another one.
    bool (*find_patch)(const struct sn_world *world, const struct sn_solver *solver, sn_contact_input *input,
                       sn_patch *found);
    const struct sn_world *world;
    sn_constraint_input *constraints; // between bodies, one of which is dynamic at least
    int constraint_count;
    sn_constraint_input *node_constraints; // that touch a node
    int node_constraint_count;
    sn_node_solver nodes;            // what deforms: nothing if its nodes are null
    struct sn_energy_ledger *ledger; // of islands that may gain no energy; null for none
    int *sharing; // contacts that share a node, and then a body, while they are solved all at once (jacobi.c)
    sn_residual *residuals; // of the last sub-step's iterations, to be raised; null: not measured
    sn_tasks *tasks;
    sn_arena *arena;
    // Out.
    int color_count, overflow_count;
    int plane_count;      // of hinge chains
    int unresolved_count; // rows whose stiffness is more than the solver resolves
    sn_solver_times times;
} sn_solver;

// Takes memory for `body_count` bodies, `contact_count` patches, `constraint_count` constraints between
// bodies and `node_constraint_count` of nodes from the arena; false without memory.
bool sn_solver_allocate(sn_solver *solver, int body_count, int contact_count, int constraint_count,
                        int node_constraint_count);

// A step being solved (stages.h).
typedef struct sn_run sn_run;

// Colours, packs and makes all rows of the schedule the settings name. False, before anything has moved,
// without memory. The solver must stay where it is.
bool sn_solver_begin(sn_solver *solver, sn_run *run);
// Runs all sub-steps: velocities, centres and rotations of the bodies, impulses of contacts and constraints.
void sn_solver_finish(sn_run *run);

#endif
