// A free cluster of eight bodies held together by every kind of joint, shared by the momentum test and the
// benchmark.
#ifndef TESTS_SUPPORT_CLUSTER_H
#define TESTS_SUPPORT_CLUSTER_H

#include "sinew/sinew.h"
#include <math.h>

/// Length of a momentum, and of the difference of two.
static inline double size3(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static inline double difference3(const double a[3], const double b[3])
{
    double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return size3(d);
}

/// Largest change over a run: of momentum against the sum of the parts' momenta, of angular momentum about
/// the mass centre against itself.
typedef struct momentum_drift {
    double linear, angular;
} momentum_drift;

/// Sets the cluster going, drifting and spinning, without gravity.
momentum_drift cluster_momentum_drift(sn_vec3 drift, sn_vec3 spin, float step, int steps);

#endif
