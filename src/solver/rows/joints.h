// Constraints inside the velocity solver: evaluated by their kinds' functions, coloured and packed into wide
// blocks, swept colour by colour. Two sets of them take part in a step: those between bodies, and those that
// touch a node, which are swept together with the contacts of nodes.
//
// Constraints between bodies are swept in the same direction every time. Alternating the direction, as is
// done for contacts (solver.h), makes redundant joints, such as closed loops, feed each other: the load that
// they share moves to and fro between them and grows. Constraints that touch nodes are swept in the direction
// of elements and contacts of nodes.
#ifndef SN_SOLVER_ROWS_JOINTS_H
#define SN_SOLVER_ROWS_JOINTS_H

#include "solver/contact/contact_coloring.h"
#include "solver/rows/joint_block.h"

// What decides the force laws of rows in a step.
typedef struct sn_joint_laws {
    sn_softness hard; // of rows without compliance
    float h, push_speed;
    float kept;      // part of the last step's impulses of hard rows
    bool has_chords; // hard rows aim at chords (joint_rows.c)
    bool is_firm;    // anchors of light nodes on heavy bodies are firmer (joint_rows.c)
} sn_joint_laws;

// A row of a joint: of which of its constraints, and which row of that one's kind.
typedef struct sn_joint_place {
    uint8_t member, row;
} sn_joint_place;

// Constraints that are solved as one: a range of the members.
typedef struct sn_joint_group {
    int first_member, member_count;
    uint8_t hard_count, held_count, single_count;
    sn_joint_form form;
    sn_joint_place held[SN_HELD_ROWS]; // hard ones, then springs
    sn_joint_place singles[SN_SINGLE_ROWS];
} sn_joint_group;

// A constraint of a group.
typedef struct sn_joint_member {
    int input;
    bool is_turned; // its a is the group's b
} sn_joint_member;

typedef struct sn_joints {
    // In: set by the caller.
    sn_solver *solver;
    sn_constraint_input *inputs;
    int count;
    bool holds_nodes; // ends may be made of nodes
    // Taken from the arena.
    sn_joint_laws laws;
    sn_joint_group *groups;
    sn_joint_member *members;
    int group_count;
    int block_begin[SN_COLORS + 2]; // blocks of a colour; the last one's share bodies or nodes
    int block_count, color_count, overflow_count;
    bool has_merged;                  // some joint is made of several constraints
    int node_count;                   // of the world
    struct sn_joint_islands *islands; // null of a set with nodes
    struct sn_joint_start *start;     // null where nothing begins
    struct sn_hinge_planes *planes;   // null of a set with nodes, or where the settings say so
    int *crowds;                      // by body: constraints that touch it, of a set with nodes
    sn_joint_pass pass;
    const sn_joint_kernels *kernels;
    bool first; // rows are evaluated for the first time in the step
} sn_joints;

// Colours and packs the constraints and loads their impulses. False, before anything has moved, without
// memory.
bool sn_joints_begin(sn_joints *joints);
// Evaluates rows where ends are now; `first` before anything has moved.
void sn_joints_refresh(sn_joints *joints, bool first);
// Sets all impulses of joints of wild bodies and nodes to zero; null: of all.
void sn_joints_drop(sn_joints *joints, const sn_wild_units *wild);
// The largest error of hard rows where bodies and nodes are now; of stops, how far they are overrun.
float sn_joints_error(const void *joints);
// Applies the kept impulses.
void sn_joints_warm_start(sn_joints *joints);
// One sweep; without bias it relaxes. `backwards` is for sets with nodes.
void sn_joints_sweep(sn_joints *joints, bool use_bias, bool backwards);
// Takes back energy that rows made, and sums up what merged constraints did: after the sub-step's last sweep.
void sn_joints_finish_sub_step(sn_joints *joints);
// As a coupling stage's (energy_work.c).
void sn_joints_add_work(const void *joints, const sn_solver *solver, sn_work_phase phase, double *work);
// Keeps impulses for the next step and reports the mean force and torque.
void sn_joints_store(sn_joints *joints);

// --- between the files of this idea --------------------------------------------------------------

// joint_groups.c: which constraints are solved together, and which of their rows. False without memory.
bool sn_joints_group(sn_joints *joints);
// joint_islands.c: hard rows add no energy. False without memory.
bool sn_joint_islands_make(sn_joints *joints);
void sn_joint_islands_remember(sn_joints *joints);  // velocities before the warm start of hard rows
void sn_joint_islands_limit(sn_joints *joints);     // after it
void sn_joint_islands_take_back(sn_joints *joints); // after the sub-step's last sweep
// joint_cold_start.c: finds what may begin with the impulses that hold it; false without memory. Then, before
// the first warm start, those impulses.
bool sn_joint_start_make(sn_joints *joints);
void sn_joints_start(sn_joints *joints);
// joint_rows.c: evaluates a constraint's kind with its ends moved on by `time`; `rows` arrive cleared.
// Returns the number of rows.
int sn_joint_evaluate(const sn_joints *joints, const sn_constraint_input *input, float time,
                      sn_node_end nodes[2], sn_row *rows, sn_vec3 arms[2]);
// Writes what a block of points or ropes is evaluated from.
void sn_joint_fill_points(const sn_joints *joints, const sn_joint_block *block);
// The whole gradient of held row i of a lane, as numbers.
void sn_joint_take_gradient(const sn_joint_pass *pass, const sn_joint_block *block, int i, int lane,
                            float gradient[SN_GRADIENT]);
// Exchanges the two ends of a row.
void sn_joint_turn_row(sn_row *row);
// Evaluates the kinds of a block's lanes; writes gradients, and laws unless `gradients_only`.
void sn_joint_evaluate_block(const sn_joints *joints, sn_joint_block *block, float time, bool gradients_only);

#endif
