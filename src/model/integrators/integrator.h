// Integrators of models made of forces (Gissler 2006, table 1; methods C). One file a scheme, behind one
// interface. They are the schemes of the textbook, but for two things that keep them from making energy.
// Those under which undamped motion grows get as much damping b K as takes that away: b = h for a growth of
// (ωh)² a sub-step, which is force at x + h v in place of x; b = ω²h³/4 for one of (ωh)⁴/4. Neither changes
// their order. And where forces are too stiff for a scheme, the sub-step is one of implicit Euler.
//
// The solver moves nodes by velocities that rows and contacts may change in between. So a scheme has two
// halves. `predict` turns the velocities v of the nodes into mean velocities û of the sub-step, x̂ = x + h û,
// all forces included: gravity, the user's, the model's. Rows, contacts and exact constraints change them to
// û⁺. `complete`, once x⁺ = x + h û⁺, makes velocities of the end of the sub-step: v⁺ = v̂ + (û⁺ − û), v̂ those
// of the scheme alone. Impulses thus act as at the beginning of the sub-step, which conserves momentum
// between deformables with different schemes.
//
// c and d are the responses of the scheme to a force F that is constant over the sub-step: x⁺ = … + c F, v⁺ =
// … + d F. (Position Verlet, as in the paper, uses the force at x alone for the whole sub-step: c = 1, d = ½.
// Its positions are the same.)
//
// linear_damping acts for half a sub-step before and half after the scheme: of second order, and stable for
// any value.
#ifndef SN_MODEL_INTEGRATORS_INTEGRATOR_H
#define SN_MODEL_INTEGRATORS_INTEGRATOR_H

#include "model/forces/force_field.h"
#include "model/integrators/conjugate.h"

struct sn_integrator_kind;

// The state of a deformable's integrator. Arrays are by node; those that a scheme does not need are null.
typedef struct sn_integration {
    const struct sn_integrator_kind *kind;
    sn_force_field field; // of its model
    int first_node, node_count;
    // Set before a step.
    sn_vec3 gravity;      // scaled [m/s²]
    float linear_damping; // [1/s]
    // Of the present sub-step.
    const struct sn_integrator_kind *now; // its kind, or implicit Euler
    float least_damping;                  // b of the damping that is added [s]
    // Room.
    sn_node_force *forces;
    sn_vec3 *change;                     // of velocities by forces
    sn_node_state *middle_states;        // x; then of an evaluation in between
    sn_node_velocity *middle_velocities; // v; then the same
    sn_conjugate room;                   // of implicit Euler and added damping
    // From sub-step to sub-step, floats in one block, which snapshots keep.
    void *memory;
    size_t memory_size;
    sn_node_force *remembered; // forces with the nodes at `places`, which may since have been edited
    sn_vec3 *places;
    sn_vec3 *remainders; // of velocities: what rounding took away
} sn_integration;

typedef struct sn_integrator_kind {
    const char *name;
    int order;  // of its error in h
    int growth; // of undamped motion: 2 for (ωh)² a sub-step, 4 for (ωh)⁴/4, 0 for none
    float most; // (ωh)² + 2hd that it bears, with what is added; 0 for any
    float c, d; // in h²/m and h/m
    bool has_change, has_middle, keeps_forces, is_implicit;
    // Null for the default: solver and models do it themselves (explicit.h).
    void (*predict)(sn_integration *it, const sn_element_pass *pass, sn_tasks *tasks);
    // Loops over nodes once rows have changed û: `place_middle` puts `middle` where forces are asked for once
    // more (null: they are not); `go_on` makes v⁺ of them (null if û⁺ is v⁺).
    sn_task_function place_middle, go_on;
} sn_integrator_kind;

extern const sn_integrator_kind sn_explicit_euler_kind, sn_euler_cromer_kind, sn_midpoint_kind, sn_heun_kind,
    sn_verlet_kind, sn_implicit_euler_kind;

// Null if there is no such one.
const sn_integrator_kind *sn_integrator_kind_of(sn_integrator integrator);

// Null without memory. The field stays its model's.
sn_integration *sn_integration_create(const sn_integrator_kind *kind, sn_force_field field, int first_node,
                                      int node_count);
void sn_integration_destroy(sn_integration *it);
// When the field is another one: forces remembered are found again.
void sn_integration_forget_forces(sn_integration *it);

// The stages of a sub-step, as of sn_model_stage.
void sn_integration_predict(void *integration, const sn_element_pass *pass, sn_tasks *tasks);
void sn_integration_complete(void *integration, const sn_element_pass *pass, sn_tasks *tasks);

// --- between the files of this idea ------------------------------------------------------------------------

// What loops over nodes get.
typedef struct sn_integration_loop {
    sn_integration *it;
    const sn_element_pass *pass;
    const sn_node_state *states;  // of its own nodes
    sn_node_velocity *velocities; // of its own nodes
} sn_integration_loop;

// Calls `function` with a loop as its context over all nodes.
void sn_integration_nodes(sn_integration *it, const sn_element_pass *pass, sn_tasks *tasks,
                          sn_task_function function);
// The model's forces with the nodes where they are.
void sn_integration_forces(sn_integration *it, const sn_element_pass *pass, sn_node_force *forces,
                           sn_tasks *tasks);
// û = v + (h/2) a(x, v), with the nodes as they were kept as `middle`: how Heun and midpoint predict.
void sn_integration_half_way(sn_integration *it, const sn_element_pass *pass, sn_tasks *tasks);
// A loop over nodes: v⁺ = v + `change`.
void sn_integration_add_change(void *loop, int begin, int end);

// Of a node, given the model's force on it.
static inline sn_vec3 sn_integration_acceleration(const sn_integration_loop *loop, int node, sn_vec3 force)
{
    float inverse_mass = loop->states[node].inverse_mass;
    if (!(inverse_mass > 0.0f)) {
        return sn_v(0.0f, 0.0f, 0.0f);
    }
    sn_vec3 sum = sn_add(force, loop->pass->user_forces[loop->it->first_node + node]);
    return sn_add_scaled(loop->it->gravity, inverse_mass, sum);
}

// Gives a node its û. Fixed ones keep theirs.
static inline void sn_integration_set(const sn_integration_loop *loop, int node, sn_vec3 velocity)
{
    if (loop->states[node].inverse_mass > 0.0f) {
        loop->velocities[node].velocity = sn_limited_velocity(velocity);
    }
}

// Sets the v⁺ = `start` + `change` of a node. What rounding cuts off is added the next time: otherwise small
// changes would be lost, differently for each node, and momentum would drift. Speeds are limited.
static inline void sn_integration_finish(const sn_integration_loop *loop, int node, sn_vec3 start,
                                         sn_vec3 change)
{
    sn_vec3 *remainder = &loop->it->remainders[node];
    sn_vec3 whole = sn_add(change, *remainder), velocity = sn_add(start, whole);
    *remainder = sn_sub(whole, sn_sub(velocity, start));
    if (sn_length_squared(velocity) > SN_MAX_SPEED * SN_MAX_SPEED && loop->states[node].inverse_mass > 0.0f) {
        velocity = sn_limited_velocity(velocity);
        *remainder = sn_v(0.0f, 0.0f, 0.0f);
    }
    loop->velocities[node].velocity = velocity;
}

// Of schemes with an evaluation in between: û⁺ − v, the change of a velocity by half a sub-step. Of free
// nodes that is `change`, by forces. Nodes that are held also have the forces of constraints, and are at rest
// in between if they are before and after; but impulses from outside do not continue in between, so the
// result is limited to the size of `change`.
static inline sn_vec3 sn_integration_half(const sn_integration_loop *loop, int node)
{
    sn_vec3 start = loop->it->middle_velocities[node].velocity;
    sn_vec3 half = sn_sub(loop->velocities[node].velocity, start);
    float most = sn_length_squared(loop->it->change[node]), square = sn_length_squared(half);
    return square > most ? sn_scale(half, sqrtf(most / square)) : half;
}

#endif
