// The softness of rows of elements, eight at a time (methods 0.1 and 0.2): the factors that a sweep uses.
//
// ΔΛ = −m J·u − p C − s Λ with s = γ/(κ + γ), m = 1/(κ + γ), p = hks. A spring k with damping d has
// 1/γ = h(d + hk), which makes its force at rest exactly −kC. A row without a spring is as hard as joints
// are: γ = κ/a₂, and k such that k h γ is their rate of bias. No spring is firmer than joints of the velocity
// solver are, neither in its whole response nor in its force at rest: one sweep a sub-step cannot resolve
// more, and warm starting it makes energy. Springs above 2.5/(κh²), with the default settings, act as stiff
// as that.
// Tested by tests/solver/elements/test_edge_kernel.c.
#ifndef SN_SOLVER_ROWS_ROW_SOFTNESS_H
#define SN_SOLVER_ROWS_ROW_SOFTNESS_H

#include "solver/elements/element.h"

typedef struct sn_row_softness {
    sn_f8 mass;          // m
    sn_f8 softness;      // s
    sn_f8 pull;          // p
    sn_f8 inverse_kappa; // 1/κ: the mass of relaxing sweeps
} sn_row_softness;

// `kappa` must be above zero; `stiffness` 0 is hard.
SN_INLINE sn_row_softness sn_row_softness_of(const sn_element_pass *pass, sn_f8 kappa, sn_f8 stiffness,
                                             sn_f8 damping)
{
    sn_f8 one = sn_f8_set(1.0f), h = sn_f8_set(pass->h);
    float hard_a2 = 1.0f / pass->hard.inverse_a2, hard_pull = pass->hard.bias_rate * hard_a2;
    float a2 = 1.0f / pass->firmest.inverse_a2, pull = pass->firmest.bias_rate * a2;
    sn_i8 is_hard = stiffness == sn_f8_set(0.0f);
    // κ/γ, and h κ k.
    sn_f8 force = h * kappa * stiffness;
    sn_f8 firm = sn_f8_min(h * (kappa * damping + force), sn_f8_set(a2));
    sn_f8 strong = sn_f8_min(force, sn_f8_set(pull));
    firm = sn_f8_select(is_hard, sn_f8_set(hard_a2), firm);
    strong = sn_f8_select(is_hard, sn_f8_set(hard_pull), strong);
    sn_f8 softness = one / (one + firm), inverse_kappa = one / kappa, share = softness * inverse_kappa;
    return (sn_row_softness){firm * share, softness, strong * share, inverse_kappa};
}

// The part of Λ_ref that stays in a sub-step: where it takes from what a row carries, as after rows became
// stiffer (sn_edges_keep_forces), another one than where it carries the load.
SN_INLINE sn_f8 sn_reference_kept(const sn_element_pass *pass, sn_f8 reference, sn_f8 impulse)
{
    return sn_f8_select(reference * impulse > sn_f8_set(0.0f), sn_f8_set(pass->reference_kept),
                        sn_f8_set(pass->yielding_kept));
}

// References of rows that pull are negative; positive ones lengthen a row. These become a part of what they
// are.
static inline void sn_keep_lengths(sn_lanes *reference, float part)
{
    sn_f8 zero = sn_f8_set(0.0f), all = sn_load(reference);
    sn_store(reference, sn_f8_select(all > zero, sn_f8_set(part) * all, all));
}

// Whether a spring is stiffer than acts: firmer than joints of the velocity solver, or than the iterations of
// the position solver resolve.
static inline bool sn_row_is_unresolved(const sn_element_pass *pass, float kappa, float stiffness)
{
    float most =
        pass->resolved > 0.0f ? pass->resolved : pass->h * pass->firmest.bias_rate / pass->firmest.inverse_a2;
    return pass->h * pass->h * kappa * stiffness > 1.001f * most;
}

// Whether one of eight rows is a spring too firm for sweeps in one direction (is_stiff in element.h), told by
// s = γ/(κ + γ). Hard rows do not count: their relaxing sweep takes out what the bias put in.
static inline bool sn_rows_are_firm(const sn_lanes *stiffness, const sn_lanes *softness, float limit)
{
    bool firm = false;
    for (int lane = 0; lane < SN_LANES; ++lane) {
        float s = softness->lane[lane];
        firm = firm || (stiffness->lane[lane] > 0.0f && 1.0f - s > limit * s);
    }
    return firm;
}

#endif
