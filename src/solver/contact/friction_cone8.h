// The nearest point of a friction cone, for contacts that are solved all at once (solver/jacobi.c).
// Tested by tests/physics/test_position_cone.c.
#ifndef SN_SOLVER_CONTACT_FRICTION_CONE8_H
#define SN_SOLVER_CONTACT_FRICTION_CONE8_H

#include "base/simd.h"

// A step against the residuals of normals and the slips along the surface, then to the nearest point of the
// cone Σ Nᵢ ≥ |T|/µ, Nᵢ ≥ 0. What slides would be lifted off at µ |slip|: De Saxcé's correction adds that to
// the residuals of normals. The nearest point has Nᵢ + µη, where that is positive, and T shortened by η, the
// zero of a concave, falling, piecewise linear function, which Newton's method finds in as many steps as
// there are points.
SN_INLINE void sn_step_on_cone(sn_f8 *impulses, const sn_f8 *residuals, int count, sn_f8 tangents[2],
                               const sn_f8 slips[2], sn_f8 friction, sn_f8 step)
{
    sn_f8 zero = sn_f8_set(0.0f), one = sn_f8_set(1.0f), shorter = zero;
    sn_f8 lift = friction * sn_f8_sqrt(slips[0] * slips[0] + slips[1] * slips[1]);
    for (int i = 0; i < count; ++i) {
        impulses[i] = impulses[i] - step * (residuals[i] + lift);
    }
    tangents[0] = tangents[0] - step * slips[0];
    tangents[1] = tangents[1] - step * slips[1];
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
