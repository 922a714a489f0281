// Adding the forces that kernels find, eight nodes at a time, to those of a model's nodes: lane by lane, so
// that every build adds in the same order. Tested by tests/model/forces/test_terms.c.
#ifndef SN_MODEL_FORCES_FORCE_SUMS_H
#define SN_MODEL_FORCES_FORCE_SUMS_H

#include "base/simd.h"
#include "model/forces/force_field.h"

// Eight vectors as eight records of four floats.
SN_INLINE void sn_force_records(sn_vec3x8 v, sn_f4 records[SN_LANES])
{
    sn_f8 columns[4] = {v.x, v.y, v.z, sn_f8_set(0.0f)};
    sn_f8_transpose(&columns[0], &columns[1], &columns[2], &columns[3]);
    for (int i = 0; i < 4; ++i) {
        records[i] = sn_f8_low(columns[i]);
        records[i + 4] = sn_f8_high(columns[i]);
    }
}

SN_INLINE void sn_force_add(sn_node_force *force, sn_f4 record)
{
    sn_f4 sum;
    memcpy(&sum, force, sizeof sum);
    sum = sum + record;
    memcpy(force, &sum, sizeof sum);
}

#endif
