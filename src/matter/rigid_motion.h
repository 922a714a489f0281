// The motion that bodies and nodes have as a whole, by their momenta: what they do beyond it can be changed
// without changing linear or angular momentum. Found in two passes over all of them: one for the mass centre
// and its velocity, one for the spin about it.
// Tested by tests/solver/rows/test_joint_energy.c.
#ifndef SN_MATTER_RIGID_MOTION_H
#define SN_MATTER_RIGID_MOTION_H

#include "matter/rigid.h"

typedef struct sn_rigid_motion {
    double mass, moment[3], momentum[3]; // Σ m, Σ m x, Σ m v
    double spin[3], inertia[6];          // about the mass centre; xx yy zz xy xz yz
    double rate[3];                      // of turning
    sn_vec3 center, linear, angular;     // rounded
} sn_rigid_motion;

static inline void sn_motion_add3(double sum[3], double scale, sn_vec3 v)
{
    sum[0] += scale * (double)v.x;
    sum[1] += scale * (double)v.y;
    sum[2] += scale * (double)v.z;
}

static inline sn_vec3 sn_motion_divided(const double sum[3], double divisor)
{
    return sn_v((float)(sum[0] / divisor), (float)(sum[1] / divisor), (float)(sum[2] / divisor));
}

static inline void sn_motion_add_mass(sn_rigid_motion *motion, double mass, sn_vec3 place, sn_vec3 velocity)
{
    motion->mass += mass;
    sn_motion_add3(motion->moment, mass, place);
    sn_motion_add3(motion->momentum, mass, velocity);
}

// After all masses were added.
static inline void sn_motion_find_linear(sn_rigid_motion *motion)
{
    if (motion->mass > 0.0) {
        motion->center = sn_motion_divided(motion->moment, motion->mass);
        motion->linear = sn_motion_divided(motion->momentum, motion->mass);
    }
}

// Of a mass point, beyond the motion of the mass centre.
static inline void sn_motion_add_spin(sn_rigid_motion *motion, float mass, sn_vec3 place, sn_vec3 velocity)
{
    sn_vec3 arm = sn_sub(place, motion->center), moved = sn_sub(velocity, motion->linear);
    sn_motion_add3(motion->spin, (double)mass, sn_cross(arm, moved));
    sn_motion_add3(
        motion->inertia, (double)mass,
        sn_v(arm.y * arm.y + arm.z * arm.z, arm.x * arm.x + arm.z * arm.z, arm.x * arm.x + arm.y * arm.y));
    sn_motion_add3(motion->inertia + 3, -(double)mass, sn_v(arm.x * arm.y, arm.x * arm.z, arm.y * arm.z));
}

// Of a body, about its own centre; its mass was added as that of a point.
static inline void sn_motion_add_inertia(sn_rigid_motion *motion, sn_sym3 own, sn_vec3 angular)
{
    sn_motion_add3(motion->spin, 1.0, sn_sym3_apply(own, angular));
    sn_motion_add3(motion->inertia, 1.0, sn_v(own.xx, own.yy, own.zz));
    sn_motion_add3(motion->inertia + 3, 1.0, sn_v(own.xy, own.xz, own.yz));
}

// Below this part of the cube of its trace the determinant of an inertia is rounding: what is a line or a
// point does not turn.
#define SN_MOTION_FLAT 1.0e-9

// After all spins were added. Of a straight chain the inertia about its line is thousands of times less than
// across it: in float32 its inverse would be off by as much as what is taken from the motion beyond it.
static inline void sn_motion_find_angular(sn_rigid_motion *motion)
{
    const double *m = motion->inertia, *spin = motion->spin;
    double xx = m[1] * m[2] - m[5] * m[5], yy = m[0] * m[2] - m[4] * m[4], zz = m[0] * m[1] - m[3] * m[3];
    double xy = m[4] * m[5] - m[3] * m[2], xz = m[3] * m[5] - m[4] * m[1], yz = m[3] * m[4] - m[0] * m[5];
    double determinant = m[0] * xx + m[3] * xy + m[4] * xz, trace = m[0] + m[1] + m[2];
    if (determinant > SN_MOTION_FLAT * trace * trace * trace) {
        const double angular[3] = {xx * spin[0] + xy * spin[1] + xz * spin[2],
                                   xy * spin[0] + yy * spin[1] + yz * spin[2],
                                   xz * spin[0] + yz * spin[1] + zz * spin[2]};
        for (int i = 0; i < 3; ++i) {
            motion->rate[i] = angular[i] / determinant;
        }
        motion->angular = sn_motion_divided(angular, determinant);
    }
}

// The energy of its turning [J].
static inline double sn_motion_turning(const sn_rigid_motion *motion)
{
    return 0.5 * (motion->spin[0] * (double)motion->angular.x + motion->spin[1] * (double)motion->angular.y +
                  motion->spin[2] * (double)motion->angular.z);
}

// The velocity it gives to what is at a place.
static inline sn_vec3 sn_motion_carried(const sn_rigid_motion *motion, sn_vec3 place)
{
    return sn_add(motion->linear, sn_cross(motion->angular, sn_sub(place, motion->center)));
}

// What is at a place with a velocity does beyond it. Far from the origin places are coarse, and so would be
// the mass centre: what is taken from such rests, in every sub-step, must add up to nothing.
static inline sn_vec3 sn_motion_beyond(const sn_rigid_motion *motion, sn_vec3 place, sn_vec3 velocity)
{
    double share = motion->mass > 0.0 ? 1.0 / motion->mass : 0.0;
    const double *rate = motion->rate, *moment = motion->moment, *momentum = motion->momentum;
    double x = (double)place.x - share * moment[0], y = (double)place.y - share * moment[1],
           z = (double)place.z - share * moment[2];
    return sn_v((float)((double)velocity.x - share * momentum[0] - (rate[1] * z - rate[2] * y)),
                (float)((double)velocity.y - share * momentum[1] - (rate[2] * x - rate[0] * z)),
                (float)((double)velocity.z - share * momentum[2] - (rate[0] * y - rate[1] * x)));
}

static inline sn_vec3 sn_motion_turning_beyond(const sn_rigid_motion *motion, sn_vec3 angular)
{
    const double *rate = motion->rate;
    return sn_v((float)((double)angular.x - rate[0]), (float)((double)angular.y - rate[1]),
                (float)((double)angular.z - rate[2]));
}

#endif
