// Goals become velocities; shares of a frame become shares of a sub-step.
// Tested by tests/model/test_model.c.
#include "model/goals/goals.h"

#include "model/goals/rigid_part.h"

// --- shares ------------------------------------------------------------------------------------------------

// Natural logarithm of 0 < a ≤ 1, by ln a = 2 artanh((a − 1)/(a + 1)) on [½, 1]. Only +, −, × and ÷ of
// doubles, so that bits agree everywhere.
static double logarithm(double a)
{
    const double ln2 = 0.69314718055994530942;
    double sum = 0.0;
    while (a < 0.5) {
        a *= 2.0;
        sum -= ln2;
    }
    double t = (a - 1.0) / (a + 1.0), power = t, series = 0.0;
    for (int k = 1; k < 36; k += 2) {
        series += power / k;
        power *= t * t;
    }
    return sum + 2.0 * series;
}

// 1 − exp(x) for x ≤ 0: the series of a part of it, doubled back by 1 − e²ˣ = (1 − eˣ)(2 − (1 − eˣ)).
static double lost(double x)
{
    int halvings = 0;
    for (; x < -0.25 && halvings < 12; x *= 0.5) {
        ++halvings;
    }
    if (x < -0.25) {
        return 1.0;
    }
    double term = 1.0, series = 0.0;
    for (int k = 1; k < 16; ++k) {
        term *= x / k;
        series -= term;
    }
    for (int i = 0; i < halvings; ++i) {
        series *= 2.0 - series;
    }
    return series;
}

float sn_share_in(float share, float h)
{
    if (!(share < 1.0f)) {
        return 1.0f;
    }
    return share > 0.0f ? (float)lost(60.0 * (double)h * logarithm(1.0 - (double)share)) : 0.0f;
}

// --- velocities --------------------------------------------------------------------------------------------

void sn_goals_damp(const sn_element_pass *pass, int first, int count, float damping, sn_vec3 *scratch)
{
    const sn_node_state *nodes = pass->nodes + first;
    sn_node_velocity *velocities = pass->velocities + first;
    if (!(damping > 0.0f)) {
        return;
    }
    for (int i = 0; i < count; ++i) {
        scratch[i] = velocities[i].velocity;
    }
    sn_rigid_part part = sn_rigid_part_of(nodes, count, scratch);
    for (int i = 0; i < count; ++i) {
        if (nodes[i].inverse_mass > 0.0f) {
            sn_vec3 deviation = sn_sub(scratch[i], sn_rigid_part_at(&part, nodes, i));
            velocities[i].velocity = sn_add_scaled(scratch[i], -damping, deviation);
        }
    }
}

void sn_goals_apply(const sn_element_pass *pass, int first, int count, sn_vec3 *toward)
{
    const sn_node_state *nodes = pass->nodes + first;
    sn_node_velocity *velocities = pass->velocities + first;
    for (int i = 0; i < count; ++i) {
        toward[i] = sn_scale(toward[i], pass->inverse_h);
    }
    sn_rigid_part_remove(nodes, count, toward);
    for (int i = 0; i < count; ++i) {
        if (nodes[i].inverse_mass > 0.0f) {
            velocities[i].velocity = sn_add(velocities[i].velocity, toward[i]);
        }
    }
}
