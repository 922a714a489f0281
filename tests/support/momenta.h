// Momenta and kinetic energy of what a rig holds, in double, about the origin.
#ifndef TESTS_SUPPORT_MOMENTA_H
#define TESTS_SUPPORT_MOMENTA_H

#include "matter/rigid.h"

typedef struct test_momenta {
    double linear[3], angular[3], energy;
} test_momenta;

static inline void test_momenta_add(test_momenta *sum, double mass, sn_vec3 place, sn_vec3 velocity)
{
    double x[3] = {(double)place.x, (double)place.y, (double)place.z};
    double v[3] = {(double)velocity.x, (double)velocity.y, (double)velocity.z};
    for (int k = 0; k < 3; ++k) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        sum->linear[k] += mass * v[k];
        sum->angular[k] += mass * (x[i] * v[j] - x[j] * v[i]);
        sum->energy += 0.5 * mass * v[k] * v[k];
    }
}

/// Of a body that turns, about its centre.
static inline void test_momenta_add_spin(test_momenta *sum, sn_sym3 inertia, sn_vec3 turning)
{
    sn_vec3 spin = sn_sym3_apply(inertia, turning);
    sum->angular[0] += (double)spin.x;
    sum->angular[1] += (double)spin.y;
    sum->angular[2] += (double)spin.z;
    sum->energy += 0.5 * (double)sn_dot(spin, turning);
}

#endif
