// LDLᵀ of small symmetric matrices stored as packed lower triangles: (i, j), j ≤ i, at i(i+1)/2 + j. Used by
// constraint blocks. Pivots that vanish (redundant rows) are given up: their unknown is set to zero.
#ifndef SN_MATH_DENSE_H
#define SN_MATH_DENSE_H

#include <stdbool.h>

static inline int sn_packed(int row, int column)
{
    return row * (row + 1) / 2 + column;
}

// In place; the diagonal receives 1/D.
static inline void sn_ldl_factor(float *m, int n)
{
    float pivot[16]; // D
    for (int j = 0; j < n; ++j) {
        float original = m[sn_packed(j, j)];
        float d = original;
        float scaled[16]; // L(j,k)·D(k)
        for (int k = 0; k < j; ++k) {
            scaled[k] = m[sn_packed(j, k)] * pivot[k];
            d -= m[sn_packed(j, k)] * scaled[k];
        }
        bool regular = d > 1.0e-6f * original;
        float inverse = regular ? 1.0f / d : 0.0f;
        pivot[j] = regular ? d : 0.0f;
        m[sn_packed(j, j)] = inverse;
        for (int i = j + 1; i < n; ++i) {
            float sum = m[sn_packed(i, j)];
            for (int k = 0; k < j; ++k) {
                sum -= m[sn_packed(i, k)] * scaled[k];
            }
            m[sn_packed(i, j)] = sum * inverse;
        }
    }
}

// Solves in place.
static inline void sn_ldl_solve(const float *m, int n, float *x)
{
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < i; ++k) {
            x[i] -= m[sn_packed(i, k)] * x[k];
        }
    }
    for (int i = 0; i < n; ++i) {
        x[i] *= m[sn_packed(i, i)];
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int k = i + 1; k < n; ++k) {
            x[i] -= m[sn_packed(k, i)] * x[k];
        }
    }
}

#endif
