// The lengths of eight edges: C = |x_b − x_a|, whose gradient is ∓along/length. Edges as rows, lengths that
// are projected and springs that are forces all take theirs from here.
// Tested by tests/solver/elements/test_edge_kernel.c.
#ifndef SN_MATH_LENGTH8_H
#define SN_MATH_LENGTH8_H

#include "base/simd.h"

typedef struct sn_length8 {
    sn_vec3x8 along; // from a to b
    sn_f8 length;
} sn_length8;

SN_INLINE sn_length8 sn_length8_between(sn_vec3x8 a, sn_vec3x8 b)
{
    sn_vec3x8 along = sn_vec3x8_sub(b, a);
    return (sn_length8){along, sn_f8_sqrt(sn_vec3x8_dot(along, along))};
}

#endif
