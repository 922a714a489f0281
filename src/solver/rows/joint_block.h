// Eight joints side by side, laid out for the wide kernels: structure of arrays, one lane a joint. A joint is
// all constraints between the same two bodies (joint_groups.c), or one constraint that touches nodes. It has
// up to six held rows, which are solved together by a dense factorisation, and single rows (stops, motors,
// rows of limited force), which are solved one by one after them. Lanes that have fewer rows than their
// block, and padding lanes, have rows without gradient, which do nothing.
// Tested by tests/solver/rows/test_joint_kernel.c.
#ifndef SN_SOLVER_ROWS_JOINT_BLOCK_H
#define SN_SOLVER_ROWS_JOINT_BLOCK_H

#include "base/simd.h"
#include "sinew/constraint.h"
#include "solver/rows/end.h"
#include "solver/solver.h"

#define SN_HELD_ROWS   6
#define SN_SINGLE_ROWS 24
// Entries of the packed triangle of n held rows.
#define SN_FACTOR_ENTRIES(n) ((n) * ((n) + 1) / 2)

// Parts of a gradient: how C changes with the velocities of the two ends.
enum { SN_LINEAR_A = 0, SN_ANGULAR_A = 3, SN_LINEAR_B = 6, SN_ANGULAR_B = 9, SN_GRADIENT = 12 };

// A row that is held at zero: hard, or a spring. ΔΛ = −(K + γ)⁻¹ (J·u − aim + bias + γΛ). Its gradient is
// kept apart (sn_held_gradient).
typedef struct sn_held_row {
    sn_lanes impulse;
    sn_lanes reference; // Λ at which a hard row does not yield (methods J.3)
    sn_lanes bias;
    sn_lanes rate;      // bias by value [1/s]
    sn_lanes gamma;     // of a spring; 0 of a hard row, whose softness is that of its joint
    sn_lanes half_turn; // J·u that a hard row aims at: −half_turn solving, +half_turn relaxing (joint_rows.c)
} sn_held_row;

// A row solved by itself, with the gradient that its joint's hard rows leave it.
typedef struct sn_single_row {
    sn_lanes gradient[SN_GRADIENT];
    sn_lanes impulse;
    sn_lanes bias;
    sn_lanes rate; // bias by value; 0 of motors [1/s]
    sn_lanes gamma;
    sn_lanes mass;       // 1/(κ + γ)
    sn_lanes mass_scale; // softness of a hard row; 1 and 0 of others
    sn_lanes impulse_scale;
    sn_lanes relaxes;    // 0 of springs, which relaxing leaves alone, 1 of others
    sn_lanes relax_bias; // of motors, and of stops that have not been reached
    sn_lanes lower, upper;
    sn_lanes is_stop; // 1 of hard stops, whose work counts in the balance
    sn_lanes kept;    // part of the impulse for the next sub-step: 0 where a stop was just run into
    sn_lanes is_open; // 1 of a stop that has not been reached, 0 of others
} sn_single_row;

// Joints that the kernels evaluate themselves: those that hold two points together (the rows of
// sn_part_point), and with them two axes (sn_part_axis) or two frames (sn_part_orientation); and ropes, hard
// distances with an upper limit alone (the row of sn_distance_rows).
typedef enum sn_joint_form {
    SN_JOINT_ANY,
    SN_JOINT_POINT,
    SN_JOINT_HINGE,
    SN_JOINT_FIXED,
    SN_JOINT_ROPE,
    SN_JOINT_FORMS
} sn_joint_form;

// Whether joints of this form have held rows that the kernels evaluate: SN_POINT_ROWS forces along axes at
// one place, the point of b, and then torques about axes. All of them act through the motion of b against a
// there, so axes and arms serve instead of whole gradients.
#define SN_POINT_ROWS 3
static inline bool sn_joint_form_holds(sn_joint_form form)
{
    return form == SN_JOINT_POINT || form == SN_JOINT_HINGE || form == SN_JOINT_FIXED;
}

// Lanes that tell the gradient of a held row: all of it, or the axis alone.
#define SN_AXIS_LANES 3
static inline int sn_held_gradient_size(sn_joint_form form)
{
    return sn_joint_form_holds(form) ? SN_AXIS_LANES : SN_GRADIENT;
}

// What eight joints of such a form are evaluated from.
typedef struct sn_joint_points {
    sn_lanes local_a[3], local_b[3]; // the points in the frames of the bodies, from their mass centres
    sn_lanes rotation_a[4];          // of the frame in a whose axes the rows lie along: x y z w
    sn_lanes rotation_b[4];          // of the frame in b, of hinges and fixed joints
    sn_lanes longest;                // of ropes [m]
} sn_joint_points;

// What sweeps read and write comes first: memory is what large worlds wait for.
typedef struct sn_joint_block {
    int32_t body_a[SN_LANES], body_b[SN_LANES]; // solver numbers; 0 of ends that are no bodies
    // Not by lane: see sn_repeat_scalars.
    union {
        sn_lanes counts;
        struct {
            int held_count, single_count; // largest of any lane
            int first_held, first_single; // in the arrays of the pass
        };
    };
    union {
        sn_lanes places;
        struct {
            int first_factor, points; // in the arrays of the pass; no points, −1, of SN_JOINT_ANY
            sn_joint_form form;       // of all lanes
            int first_node_end;       // 2 × SN_LANES of them, ends a first; −1 if none is of nodes
        };
    };
    union {
        sn_lanes others;
        struct {
            int first_gradient; // of the held rows, in the array of the pass
            bool has_limit;     // some lane has a largest force
            bool is_merged;     // some lane is made of several constraints
            bool has_springs;   // some lane has a held row that is a spring
        };
    };
    sn_lanes inverse_mass_a[3], inverse_mass_b[3];
    sn_lanes inverse_inertia_a[6], inverse_inertia_b[6]; // xx yy zz xy xz yz
    sn_lanes mass_scale, impulse_scale;                  // softness of hard rows
    sn_lanes arm_b[3];                                   // from the centre of b to its point
    sn_lanes reach_a[3]; // from the centre of a to the point of b, of forms that hold points
    sn_lanes balance;    // energy that hard rows have put into the bodies in this sub-step [J]
    sn_lanes springs;    // energy that springs have put in and stored beyond what they had [J]
    // What is read once or twice in a sub-step.
    sn_lanes effort; // energy that the warm start of hard rows alone would give the bodies at rest [J]
    sn_lanes stops;  // energy that hard stops have put in [J]
    sn_lanes stored; // energy in springs where rows were last evaluated [J]
    int32_t island[SN_LANES];          // of the lane's joint (joint_islands.c), −1 for padding
    int32_t group[SN_LANES];           // number of the joint, −1 for padding
    sn_lanes most;                     // largest impulse of held rows
    sn_lanes settle_rate, settle_kept; // parts of Λ that references take on in a sub-step, and of their own
    sn_lanes arm_a[3];                 // from the centre of a to its point
    sn_lanes force[3], torque[3];      // impulses on b, summed over the step
} sn_joint_block;

// What a kernel needs to know besides its block.
typedef struct sn_joint_pass {
    sn_solver_velocity *velocities, *residues;
    const sn_solver_inertia *inertias;
    const sn_solver_body *bodies;
    int dynamic_begin;
    sn_joint_block *blocks;
    sn_held_row *held;
    sn_lanes *gradients; // of held rows, sn_held_gradient_size() each
    sn_single_row *singles;
    sn_lanes *factors; // LDLᵀ of K + γ of each block's held rows, D inverted
    sn_joint_points *points;
    sn_node_end *node_ends;
    const sn_node_state *node_states;
    sn_node_velocity *node_velocities;
    sn_shared_motion *shared_motion; // of nodes: see node_solver.h; null if there is none
    float h;                         // length of the sub-step [s]
    float ahead;                     // as in sn_element_pass [s]
    float chord;                     // ½ where hard rows aim at chords, else 0
    sn_softness hard;                // of rows without compliance
    float push_speed;                // at which stops that are overrun are let out, at most [m/s]
    bool is_anew;                    // stops are open or closed by where they are now
    // The position solver forgets impulses itself (sn_joints_drop); a stop that it has met is as good as
    // open.
    bool is_projected;
    bool use_bias; // solve; else relax
} sn_joint_pass;

// The kernels, over blocks [begin, end). Two builds of the same source, the same bits.
typedef struct sn_joint_kernels {
    // J·u of all rows, into half_turn: before gradients change.
    void (*measure)(const sn_joint_pass *pass, int begin, int end);
    // Gradients of held rows of blocks of one form, where bodies were a sub-step ago.
    void (*evaluate_before)(const sn_joint_pass *pass, int begin, int end);
    // Rows of blocks of one form, where bodies are now.
    void (*evaluate)(const sn_joint_pass *pass, int begin, int end);
    // Half of what J·u has changed by, into half_turn of hard rows; matrices, factors, effective masses.
    void (*prepare)(const sn_joint_pass *pass, int begin, int end);
    void (*warm_start_loose)(const sn_joint_pass *pass, int begin, int end); // springs, stops, motors
    void (*warm_start_hard)(const sn_joint_pass *pass, int begin, int end);
    void (*solve)(const sn_joint_pass *pass, int begin, int end);
    void (*finish)(const sn_joint_pass *pass, int begin, int end); // sums up the sub-step
} sn_joint_kernels;

extern const sn_joint_kernels sn_joint_kernels_base;
#ifdef SN_HAS_AVX2_KERNELS
extern const sn_joint_kernels sn_joint_kernels_avx2;
#endif

// The fastest the machine can run; SINEW_NO_AVX2 in the environment asks for the base ones.
const sn_joint_kernels *sn_joint_kernels_pick(void);

// The gradient of held row i of a block, or its axis.
static inline sn_lanes *sn_held_gradient(const sn_joint_pass *pass, const sn_joint_block *block, int i)
{
    return &pass->gradients[block->first_gradient + i * sn_held_gradient_size(block->form)];
}

// Takes an amount of energy out of the relative motion of the two ends of a lane, or all there is of it.
// Returns what it took.
float sn_joint_take_back(const sn_joint_pass *pass, const sn_joint_block *block, int lane, float amount);

// Velocities of the ends of lanes that are made of nodes, over those gathered from bodies; and impulses on
// them. Records of so many lanes each.
void sn_joint_gather_nodes(const sn_joint_pass *pass, const sn_joint_block *block, int lanes,
                           sn_solver_velocity *a, sn_solver_velocity *b);
void sn_joint_push_nodes(const sn_joint_pass *pass, const sn_joint_block *block, int lanes,
                         const sn_solver_velocity *a, const sn_solver_velocity *b);

#endif
