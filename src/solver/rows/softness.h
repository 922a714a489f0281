// Soft rows (methods 0.1 and 0.2). Both are one formula, ΔΛ = −(J·u + bias + γΛ)/(κ + γ): a spring of
// stiffness k and damping d, or a spring given by frequency and damping ratio relative to the row's own
// effective mass, γ = κ / a₂.
// Tested by tests/solver/rows/test_joint_rows.c.
#ifndef SN_SOLVER_ROWS_SOFTNESS_H
#define SN_SOLVER_ROWS_SOFTNESS_H

#include "sinew/math.h"

typedef struct sn_softness {
    float bias_rate;     // [1/s]
    float mass_scale;    // a₂/(1+a₂)
    float impulse_scale; // 1/(1+a₂)
    float inverse_a2;    // γ/κ
} sn_softness;

// `stiffness` is the frequency as a fraction of the rate 1/h.
static inline sn_softness sn_softness_make(float stiffness, float damping_ratio, float h)
{
    float omega_h = 2.0f * SN_PI * stiffness;
    float a1 = 2.0f * damping_ratio + omega_h;
    float a2 = omega_h * a1;
    float a3 = 1.0f / (1.0f + a2);
    sn_softness s = {omega_h / (h * a1), a2 * a3, a3, 1.0f / a2};
    return s;
}

// 1 − exp(−x): by a Padé approximant below 2, by implicit Euler, x/(1 + x), above.
static inline float sn_decay(float x)
{
    return x < 2.0f ? x / (1.0f + x * (0.5f + x * (1.0f / 12.0f))) : x / (1.0f + x);
}

#endif
