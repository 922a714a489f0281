// The islands of joints, as the files that keep them from gaining energy and let them settle see them.
// Tested by tests/physics/joints.
#ifndef SN_SOLVER_ROWS_JOINT_ISLANDS_H
#define SN_SOLVER_ROWS_JOINT_ISLANDS_H

#include "matter/rigid_motion.h"
#include "solver/rows/joints.h"

// How an island settles, for a step (joint_settling.c).
typedef struct sn_joint_settling {
    double weight; // Σ m a² h², a the acceleration by gravity and forces [J]
    double motion; // Σ m v² [J]
    double pull,
        push;   // Σ |F·r| h over the forces of joints on bodies, r their arms: outwards, and inwards [J s]
    float rate; // part of impulses that references take on in a sub-step
    float kept; // part of themselves that they keep
} sn_joint_settling;

// What the joints of an island have done.
typedef struct sn_joint_work {
    double gain;   // D
    double effort; // the sum of ½ Pᵀ W P
    double given;  // by those joints that gave energy
    int givers;    // how many did
} sn_joint_work;

typedef struct sn_joint_islands {
    int *of; // by body; −1 if no joint touches it
    int count;
    sn_solver_velocity *before; // by body: velocities before the warm start of hard rows
    // By island.
    sn_joint_work *work;
    double *spread; // b
    double *owed;   // of gains of sub-steps before, what could not be taken back yet
    float *scale;
    bool *is_wild; // it gained much in this sub-step
    sn_joint_settling *settling;
    bool *is_held;            // a joint holds it to what is not dynamic, or a body has a locked axis
    sn_rigid_motion *motions; // as a whole; zeros where something holds it
    double *rests;            // kinetic energy of what the bodies do beyond that [J]
} sn_joint_islands;

// vᵀ M v of a change of velocity.
double sn_joint_twice_energy(const sn_solver *solver, int body, sn_vec3 linear, sn_vec3 angular);
// Adds m a² h² of a body, a its acceleration by gravity and forces, and m v² of a velocity that has it
// already.
void sn_joint_measure_motion(const sn_joints *joints, int body, const sn_solver_velocity *velocity,
                             double *weight, double *motion);

// Sets how hard rows settle in this step: after the first warm start.
void sn_joints_settle(sn_joints *joints);

#endif
