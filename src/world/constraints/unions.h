// Unions of bodies that fixed joints hold together: one body of the solver while they hold (methods E.5 and
// J.5). Which there are follows from the constraints alone; whether one is used in a step, from where its
// members are. Joints within a union have no rows: their forces follow from the balance of momentum.
// Tested by tests/world/constraints/test_unions.c.
#ifndef SN_WORLD_CONSTRAINTS_UNIONS_H
#define SN_WORLD_CONSTRAINTS_UNIONS_H

#include "solver/solver.h"
#include "world/core/world.h"

// A body of a union. Members of one lie together, the root first and parents before their children.
struct sn_union_member {
    int body;
    int root, parent; // places in the list; −1 for the parent of a root
    int joint;        // that holds it to its parent
    sn_pose offset;   // its pose in the frame of the root
};

// A union that is one body in this step.
typedef struct sn_union_body {
    sn_body body;                      // mass, inertia and motion of all together, in the frame of the root
    sn_vec3 linear_rest, angular_rest; // what rounding cuts off its velocities
    int first, count;
} sn_union_body;

// A member as the step began.
typedef struct sn_member_start {
    sn_vec3 linear_velocity, angular_velocity, force, torque; // forces with its weight
} sn_member_start;

// The unions of a step, in the arena.
struct sn_united {
    int *place;    // by body: one more than its place in the list of members; 0 if it is on its own
    int *union_of; // by place
    sn_member_start *starts;
    sn_union_body *union_bodies;
    int count;
};

// Finds the unions anew if constraints have changed. False without memory.
bool sn_stage_unions(sn_world *world);
// Which of them are one body in this step, before it is solved. False without memory.
bool sn_world_unite(sn_world *world);

// The union that a body is part of in this step; null for none.
const sn_union_body *sn_union_of(const sn_world *world, int body);
bool sn_is_whole_root(const sn_world *world, int body);
// Whether both are part of the same one.
bool sn_are_united(const sn_world *world, int body_a, int body_b);
// Whether the members that a constraint joins are bodies of one union.
bool sn_joins_united(const sn_world *world, const int member[2]);
// From the centre of its union to that of the body, world axes, when the step began.
sn_vec3 sn_union_shift(const sn_world *world, int body);
// The end of a constraint on a member as one on the whole.
void sn_union_fit_end(const sn_world *world, const sn_point *point, sn_solver_end *end);
// Moves a body as the solver's of a number does, a member of a union with its whole.
void sn_union_place_member(const sn_world *world, int body, const sn_solver *solver, int number,
                           sn_body *target);
// After members were stopped by sweeping: all follow the one that was stopped first.
void sn_world_conform_unions(sn_world *world);
// Forces and torques of the joints of unions.
void sn_world_share_unions(sn_world *world, float duration);

#endif
