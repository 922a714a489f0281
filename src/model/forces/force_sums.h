// Adding the forces that kernels find, eight nodes at a time, to those of a model's nodes: lane by lane, so
// that every build adds in the same order. Tested by tests/model/forces/test_terms.c.
#ifndef SN_MODEL_FORCES_FORCE_SUMS_H
#define SN_MODEL_FORCES_FORCE_SUMS_H

#include "base/simd.h"
#include "model/forces/force_field.h"

SN_INLINE void sn_force_add(sn_node_force *force, sn_f4 record)
{
    sn_f4 sum;
    memcpy(&sum, force, sizeof sum);
    sum = sum + record;
    memcpy(force, &sum, sizeof sum);
}

#endif
