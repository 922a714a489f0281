// The deformable part of a solver and its stages. They run inside the sub-steps of the rigid rows (solver.h),
// on the same velocities, so that rigid rows, elements and coupling rows are one Gauss–Seidel sweep.
#ifndef SN_SOLVER_NODES_NODE_SOLVER_H
#define SN_SOLVER_NODES_NODE_SOLVER_H

#include "base/arena.h"
#include "base/tasks.h"
#include "solver/elements/element.h"

struct sn_solver;

// A model that is not made of rows: forces of its own, or goals turned into velocities. Called once a
// sub-step, after gravity and the user's forces, before any row is solved.
typedef struct sn_model_stage {
    void (*apply)(void *model, const sn_element_pass *pass, sn_tasks *tasks);
    // Once nodes have moved: makes velocities at the end of the sub-step of its mean ones; may be null.
    void (*complete)(void *model, const sn_element_pass *pass, sn_tasks *tasks);
    // Models that answer impulses with all of their nodes at once (node_response.h); null for others.
    // `estimate_response` writes, by node, the part of its free motion that an impulse makes if all touched
    // nodes are pushed alike; `respond` overwrites impulses by the changes of velocity they make.
    void (*estimate_response)(void *model, const sn_element_pass *pass, const uint8_t *touched, float *parts,
                              sn_tasks *tasks);
    void (*respond)(void *model, const sn_element_pass *pass, sn_vec3 *impulses, sn_tasks *tasks);
    void *model;
    int first_node, node_count;
} sn_model_stage;

// A range of nodes that move alike: one awake deformable.
typedef struct sn_node_range {
    int first, count;
    sn_vec3 gravity;      // scaled [m/s²]
    float linear_damping; // [1/s]
    bool has_integrator;  // its model applies gravity, damping and the user's forces itself
    const sn_vec3 *share; // by node: what a multirate force adds to velocities in each sub-step; null: none
    float rigid_share;    // part of an impulse that moves it as a rigid body; 0 but under the staggered
                          // solver (staggered_rigid_mode.h)
} sn_node_range;

struct sn_node_end;

// How nodes answer impulses beyond their own masses, where the schedule has such a law: part of an impulse
// goes to a motion that all nodes of a deformable share. Rows with ends of nodes ask it.
typedef struct sn_shared_motion {
    void *data;
    // The inverse mass of an end along a unit vector.
    float (*response)(const void *data, const struct sn_node_end *end, const sn_node_state *nodes,
                      sn_vec3 axis);
    // The velocity of an end, given that of its nodes.
    sn_vec3 (*velocity)(const void *data, const struct sn_node_end *end, const sn_node_state *nodes,
                        sn_vec3 own);
    // Takes the part of an impulse that is its own, and returns what is left to the nodes.
    sn_vec3 (*push)(void *data, const struct sn_node_end *end, const sn_node_state *nodes, sn_vec3 impulse);
    // Adds the motion to the velocities of all nodes: after every sweep, before others read velocities.
    void (*hand_out)(void *data, const sn_element_pass *pass);
} sn_shared_motion;

// Bodies and nodes, by number, whose rows have put much energy into them (energy_ledger.h).
typedef struct sn_wild_units {
    uint8_t *bodies, *nodes;
} sn_wild_units;

// When work is asked for: impulses are summed up, and those of blows forgotten, when a sub-step ends.
typedef enum sn_work_phase { SN_WORK_SO_FAR, SN_WORK_TO_BE_SUMMED, SN_WORK_SUMMED } sn_work_phase;

// Coupling rows: contacts and anchors, which touch nodes and bodies. Functions over all of them; any may be
// null.
typedef struct sn_coupling_stage {
    void *data;
    void (*touch)(const void *data, uint8_t *touched); // marks nodes it may push, before it is prepared
    bool (*prepare)(void *data, struct sn_solver *solver, const sn_element_pass *pass);
    void (*measure)(void *data, const sn_element_pass *pass); // before forces: speeds of approach
    void (*warm_start)(void *data, const sn_element_pass *pass);
    void (*sweep)(void *data, const sn_element_pass *pass, bool use_bias);
    void (*refresh)(void *data, const sn_element_pass *pass);
    void (*finish)(void *data, const sn_element_pass *pass); // restitution
    // All impulses of rows that touch a wild body or node; null: of all rows.
    void (*drop)(void *data, const sn_wild_units *wild);
    // Adds, by energy account, the work of what drives (energy_work.c).
    void (*add_work)(const void *data, const struct sn_solver *solver, sn_work_phase phase, double *work);
    float (*error)(const void *data); // the largest of its hard rows, where nodes and bodies are now
    void (*store)(void *data);
    // Of contacts: changes of impulses alone (jacobi.c); separations, impulses along the normal, and two of
    // friction, in each of so many blocks, this far apart.
    void (*project)(void *data);
    sn_lanes *(*rows)(void *data, size_t *stride, int *count);
} sn_coupling_stage;

#define SN_MAX_COUPLING_STAGES 4

// Detects contacts again halfway through the step, for fast motion. Replaces the rows of one coupling stage
// by those of the new contacts, or leaves them as they are without memory. Felt masses of models that respond
// remain those of the nodes that were touched when the step began.
typedef struct sn_redetection {
    // For what is left of the step; null: contacts are not detected again.
    void (*function)(void *context, struct sn_solver *solver, const sn_element_pass *pass, float duration);
    void *context;
} sn_redetection;

typedef struct sn_node_solver {
    // In: filled by the caller.
    sn_nodes *nodes;
    sn_node_range *ranges;
    int range_count;
    sn_element_group **groups; // of the awake deformables
    int group_count;
    sn_model_stage *models;
    int model_count;
    sn_coupling_stage coupling[SN_MAX_COUPLING_STAGES];
    int coupling_count;
    sn_redetection redetection;
    struct sn_exact_stage *exact; // null if nothing is held exactly
    sn_tasks *tasks;
    sn_arena *arena;
    // Taken from the arena.
    sn_vec3 *starts;                     // positions when the step began, by node of the ranges
    sn_vec3 *start_velocities;           // and velocities then
    sn_vec3 *moved;                      // since then
    sn_node_state *felt;                 // null if no felt mass is set: node_felt.h
    sn_node_velocity *trial;             // copy of velocities for multirate forces; null if there are none
    struct sn_node_responses *responses; // null if no model responds
    sn_shared_motion *shared_motion;     // null: nodes answer impulses by their own masses
    sn_element_pass pass;
    double *blown;                // by range: work of the wind since it was asked for; null if nobody asks
    bool turns_stiff;             // stiff elements are swept the other way round
    sn_softness hard;             // of rows of groups that have none of their own
    int sub_step, sub_step_count; // the present one, from 0
} sn_node_solver;

// Limits a velocity to SN_MAX_SPEED: rows between nodes that differ by more could overflow. Non-finite
// velocities are returned as they are; they are found when the step ends.
static inline sn_vec3 sn_limited_velocity(sn_vec3 velocity)
{
    float speed2 = sn_length_squared(velocity);
    if (!(speed2 > SN_MAX_SPEED * SN_MAX_SPEED)) {
        return velocity;
    }
    // Divided by the largest component first: the square of an extreme velocity overflows.
    sn_vec3 size = sn_abs3(velocity);
    float largest = sn_max(size.x, sn_max(size.y, size.z));
    sn_vec3 direction = sn_v(velocity.x / largest, velocity.y / largest, velocity.z / largest);
    return sn_scale(sn_normalize(direction), SN_MAX_SPEED);
}

// One function over a group, colour by colour. Blocks of the last colour share nodes: one thread, in order.
void sn_nodes_run_colors(sn_node_solver *solver, sn_element_group *group, sn_element_function function);
// One colour; false if it has no elements.
bool sn_nodes_run_color(sn_node_solver *solver, sn_element_group *group, int color,
                        sn_element_function function);
// The nodes of a group.
sn_node_range *sn_nodes_range_of(const sn_node_solver *solver, const sn_element_group *group);
// Groups in the order of the present sweep.
sn_element_group *sn_nodes_group_at(const sn_node_solver *solver, int k);

// Rows of one group where nodes are now, and one sweep of it.
void sn_nodes_refresh_group(sn_node_solver *solver, sn_element_group *group);
void sn_nodes_sweep_group(sn_node_solver *solver, sn_element_group *group, sn_element_function function);

// Finds felt masses and makes rows. False, before anything has moved, without memory.
bool sn_nodes_begin(struct sn_solver *solver);
// Whether some elements are swept there and back, and whether some of these are stiff.
bool sn_nodes_sweep_back(const sn_node_solver *solver, bool *has_stiff);

// Scales the impulses of a group by one factor for hard rows, another for soft ones.
void sn_nodes_scale_warm_start(const sn_element_group *group, float hard_part, float soft_part);

// The stages (node_stages.h).
void sn_nodes_measure(sn_node_solver *solver); // speeds of approach, before forces
void sn_nodes_apply_forces(sn_node_solver *solver);
void sn_nodes_apply_models(sn_node_solver *solver); // except those that respond
void sn_nodes_complete_models(sn_node_solver *solver);
void sn_nodes_warm_start(sn_node_solver *solver);
void sn_nodes_sweep_coupling(sn_node_solver *solver, bool use_bias);
void sn_nodes_sweep_elements(sn_node_solver *solver, bool use_bias);
void sn_nodes_sweep_stiff(sn_node_solver *solver); // elements that are swept back, the other way round
void sn_nodes_integrate(sn_node_solver *solver);
void sn_nodes_refresh(sn_node_solver *solver);          // a sweep without bias must follow
void sn_nodes_refresh_elements(sn_node_solver *solver); // elements alone, whatever sweep follows
void sn_nodes_refresh_coupling(sn_node_solver *solver); // contacts and anchors alone
void sn_nodes_finish_sub_step(sn_node_solver *solver);
void sn_nodes_end(sn_node_solver *solver);

#endif
