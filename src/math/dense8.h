// LDLᵀ of eight small symmetric matrices at a time, as in dense.h: packed lower triangles, D inverted on the
// diagonal, pivots that vanish given up.
// Tested by tests/solver/rows/test_joint_kernel.c.
#ifndef SN_MATH_DENSE8_H
#define SN_MATH_DENSE8_H

#include "base/simd.h"
#include "math/dense.h"

#define SN_DENSE8_ROWS 6 // at most

// In place; the diagonal receives 1/D.
SN_INLINE void sn_ldl8_factor(sn_f8 *m, const int n)
{
    sn_f8 zero = sn_f8_set(0.0f), one = sn_f8_set(1.0f), pivot[SN_DENSE8_ROWS], scaled[SN_DENSE8_ROWS];
    for (int j = 0; j < n; ++j) {
        sn_f8 original = m[sn_packed(j, j)], d = original;
        for (int k = 0; k < j; ++k) {
            scaled[k] = m[sn_packed(j, k)] * pivot[k];
            d = d - m[sn_packed(j, k)] * scaled[k];
        }
        sn_i8 regular = d > sn_f8_set(1.0e-6f) * original;
        sn_f8 inverse = sn_f8_select(regular, one / sn_f8_select(regular, d, one), zero);
        pivot[j] = sn_f8_select(regular, d, zero);
        m[sn_packed(j, j)] = inverse;
        for (int i = j + 1; i < n; ++i) {
            sn_f8 sum = m[sn_packed(i, j)];
            for (int k = 0; k < j; ++k) {
                sum = sum - m[sn_packed(i, k)] * scaled[k];
            }
            m[sn_packed(i, j)] = sum * inverse;
        }
    }
}

// L⁻¹ x in place.
SN_INLINE void sn_ldl8_forward(const sn_lanes *m, const int n, sn_f8 *x)
{
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < i; ++k) {
            x[i] = x[i] - sn_load(&m[sn_packed(i, k)]) * x[k];
        }
    }
}

// The rest of solving L D Lᵀ x = b, given L⁻¹ b. Unknowns where `held` is 0 are left out, as if their rows
// were not there; they must come last.
SN_INLINE void sn_ldl8_back(const sn_lanes *m, const int n, const sn_i8 *held, sn_f8 *x)
{
    sn_f8 zero = sn_f8_set(0.0f);
    for (int i = 0; i < n; ++i) {
        x[i] = sn_f8_select(held[i], x[i] * sn_load(&m[sn_packed(i, i)]), zero);
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int k = i + 1; k < n; ++k) {
            x[i] = x[i] - sn_load(&m[sn_packed(k, i)]) * x[k];
        }
    }
}

// Solves in place.
SN_INLINE void sn_ldl8_solve(const sn_lanes *m, const int n, const sn_i8 *held, sn_f8 *x)
{
    sn_ldl8_forward(m, n, x);
    sn_ldl8_back(m, n, held, x);
}

#endif
