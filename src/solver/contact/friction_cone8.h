// The nearest point of a friction cone, for contacts that are solved all at once (solver/jacobi.h).
// Tested by tests/physics/test_position_cone.c.
#ifndef SN_SOLVER_CONTACT_FRICTION_CONE8_H
#define SN_SOLVER_CONTACT_FRICTION_CONE8_H

#include "base/simd.h"

// The point of the cone Σ Nᵢ ≥ |T|/µ, Nᵢ ≥ 0 nearest to (N, T): Nᵢ + µη, where that is positive, and T
// shortened by η. η is the zero of a concave, falling, piecewise linear function, which Newton's method finds
// in as many steps as there are points.
SN_INLINE void project_on_cone(sn_f8 *impulses, int count, sn_f8 tangents[2], sn_f8 friction)
{
    sn_f8 zero = sn_f8_set(0.0f), one = sn_f8_set(1.0f), shorter = zero;
    sn_f8 length = sn_f8_sqrt(tangents[0] * tangents[0] + tangents[1] * tangents[1]);
    for (int round = 0; round <= count; ++round) {
        sn_f8 sum = zero, active = zero;
        for (int i = 0; i < count; ++i) {
            sn_f8 raised = impulses[i] + friction * shorter;
            sum = sum + sn_f8_max(raised, zero);
            active = active + sn_f8_select(raised > zero, one, zero);
        }
        sn_f8 excess = length - shorter - friction * sum;
        shorter = sn_f8_max(shorter + excess / (one + friction * friction * active), zero);
    }
    shorter = sn_f8_min(shorter, length);
    for (int i = 0; i < count; ++i) {
        impulses[i] = sn_f8_max(impulses[i] + friction * shorter, zero);
    }
    sn_f8 scale = (length - shorter) / sn_f8_select(length > zero, length, one);
    tangents[0] = tangents[0] * scale;
    tangents[1] = tangents[1] * scale;
}

#endif
