// Orders of the integrators: how fast errors of an oscillator and of an orbit fall with the step.
#ifndef BENCH_SHARED_INTEGRATOR_ORDER_H
#define BENCH_SHARED_INTEGRATOR_ORDER_H

#include "sinew/sinew.h"

/// What theory says, by integrator.
extern const int bench_orders[SN_INTEGRATOR_COUNT];

/// The slope of the logarithm of errors over that of steps, by least squares.
sn_status bench_order_measure(sn_integrator integrator, bool is_orbit, double *order);

#endif
