// Fitting a rest shape to places.
// Tested by tests/model/test_model.c.
#include "model/goals/matching.h"

int sn_matching_functions(sn_matching matching)
{
    return matching == SN_MATCH_RIGID ? 0 : matching == SN_MATCH_LINEAR ? 3 : SN_MOST_FUNCTIONS;
}

// --- the rest shape ----------------------------------------------------------------------------------------

static void center_arms(sn_matching_rest *rest)
{
    double x = 0.0, y = 0.0, z = 0.0;
    for (int i = 0; i < rest->count; ++i) {
        double mass = rest->masses[i];
        x += mass * (double)rest->arms[i].x;
        y += mass * (double)rest->arms[i].y;
        z += mass * (double)rest->arms[i].z;
    }
    for (int i = 0; i < rest->count; ++i) {
        sn_vec3 arm = rest->arms[i];
        rest->arms[i] =
            sn_v((float)((double)arm.x - x), (float)((double)arm.y - y), (float)((double)arm.z - z));
    }
}

static float root_mean_square(const sn_matching_rest *rest)
{
    double sum = 0.0;
    for (int i = 0; i < rest->count; ++i) {
        sum += (double)rest->masses[i] * (double)sn_length_squared(rest->arms[i]);
    }
    return (float)sqrt(sum);
}

// The functions before they are made orthonormal; q in units of the body's size.
static float raw_function(int function, sn_vec3 q)
{
    const float values[SN_MOST_FUNCTIONS] = {q.x,       q.y,       q.z,       q.x * q.x, q.y * q.y,
                                             q.z * q.z, q.x * q.y, q.y * q.z, q.z * q.x};
    return values[function];
}

// Takes out of function f what it has of function g (of unit length), or of a constant (g < 0).
static void take_out(const sn_matching_rest *rest, int stride, int f, int g)
{
    double product = 0.0;
    for (int i = 0; i < rest->count; ++i) {
        const float *row = rest->functions + (size_t)i * (size_t)stride;
        product += (double)rest->masses[i] * (double)row[f] * (g < 0 ? 1.0 : (double)row[g]);
    }
    for (int i = 0; i < rest->count; ++i) {
        float *row = rest->functions + (size_t)i * (size_t)stride;
        row[f] = (float)((double)row[f] - product * (g < 0 ? 1.0 : (double)row[g]));
    }
}

static double length_of(const sn_matching_rest *rest, int stride, int f)
{
    double sum = 0.0;
    for (int i = 0; i < rest->count; ++i) {
        double value = rest->functions[(size_t)i * (size_t)stride + (size_t)f];
        sum += (double)rest->masses[i] * value * value;
    }
    return sqrt(sum);
}

static void scale_function(const sn_matching_rest *rest, int stride, int f, double scale)
{
    for (int i = 0; i < rest->count; ++i) {
        float *value = &rest->functions[(size_t)i * (size_t)stride + (size_t)f];
        *value = (float)((double)*value * scale);
    }
}

// Gram and Schmidt, each function twice over. What is left of one that depends on those before is rounding:
// below 1e-5 of it. Functions kept are moved together.
void sn_matching_prepare(sn_matching_rest *rest, sn_matching matching)
{
    int stride = sn_matching_functions(matching), kept = 0;
    center_arms(rest);
    float size = root_mean_square(rest);
    rest->volume = 1.0;
    for (int raw = 0; raw < stride && size > 0.0f; ++raw) {
        for (int i = 0; i < rest->count; ++i) {
            rest->functions[(size_t)i * (size_t)stride + (size_t)kept] =
                raw_function(raw, sn_scale(rest->arms[i], 1.0f / size));
        }
        double before = length_of(rest, stride, kept);
        for (int turn = 0; turn < 2; ++turn) {
            for (int g = -1; g < kept; ++g) {
                take_out(rest, stride, kept, g);
            }
        }
        double length = length_of(rest, stride, kept);
        bool is_new = length > 1.0e-5 * before && length > 1.0e-5;
        scale_function(rest, stride, kept, is_new ? 1.0 / length : 0.0);
        rest->volume *= raw > 2 ? 1.0 : is_new ? length * (double)size : 0.0;
        kept += is_new ? 1 : 0;
    }
    rest->functions_kept = kept;
}

// --- fitting -----------------------------------------------------------------------------------------------

static sn_vec3 center_of(const sn_matching_rest *rest, const sn_vec3 *places)
{
    sn_vec3 center = sn_v(0.0f, 0.0f, 0.0f);
    for (int i = 0; i < rest->count; ++i) {
        center = sn_add_scaled(center, rest->masses[i], places[i]);
    }
    return center;
}

// Σ m p qᵀ.
static sn_mat3 moment_of(const sn_matching_rest *rest, const sn_vec3 *places, sn_vec3 center)
{
    sn_mat3 m = sn_mat3_diagonal(0.0f, 0.0f, 0.0f);
    for (int i = 0; i < rest->count; ++i) {
        sn_vec3 p = sn_scale(sn_sub(places[i], center), rest->masses[i]), q = rest->arms[i];
        m.x = sn_add_scaled(m.x, q.x, p);
        m.y = sn_add_scaled(m.y, q.y, p);
        m.z = sn_add_scaled(m.z, q.z, p);
    }
    return m;
}

// Σ m p φ_a for every function.
static void fit_functions(const sn_matching_rest *rest, int stride, const sn_vec3 *places, sn_vec3 center,
                          sn_vec3 fit[SN_MOST_FUNCTIONS])
{
    for (int a = 0; a < SN_MOST_FUNCTIONS; ++a) {
        fit[a] = sn_v(0.0f, 0.0f, 0.0f);
    }
    for (int i = 0; i < rest->count && rest->functions_kept > 0; ++i) { // without any there are no rows
        const float *row = rest->functions + (size_t)i * (size_t)stride;
        sn_vec3 p = sn_scale(sn_sub(places[i], center), rest->masses[i]);
        for (int a = 0; a < rest->functions_kept; ++a) {
            fit[a] = sn_add_scaled(fit[a], row[a], p);
        }
    }
}

static double cube_root(double a)
{
    double root = a > 1.0 ? a : 1.0; // Newton from above
    for (int i = 0; i < 200; ++i) {
        double next = (2.0 * root + a / (root * root)) / 3.0;
        if (!(next < root)) {
            break;
        }
        root = next;
    }
    return root;
}

// s for a map that multiplies the volume by `growth`.
static float volume_scale(double growth)
{
    const double flat = 0.125;
    double scale = growth >= flat ? cube_root(growth) : growth > 0.0 ? 1.0 - 4.0 * growth : 1.0;
    return (float)scale;
}

void sn_matching_fit(const sn_matching_rest *rest, sn_matching matching, float share, const sn_vec3 *places,
                     sn_quat *rotation, sn_vec3 *toward)
{
    int stride = sn_matching_functions(matching);
    sn_vec3 center = center_of(rest, places), fit[SN_MOST_FUNCTIONS];
    *rotation = sn_mat3_polar(moment_of(rest, places, center), *rotation);
    sn_mat3 turn = sn_mat3_from_quat(*rotation);
    float free_share = stride > 0 && rest->functions_kept > 0 ? share : 0.0f, scale = 1.0f;
    fit_functions(rest, stride, places, center, fit);
    if (rest->volume > 0.0 && free_share > 0.0f) {
        sn_mat3 map = {fit[0], fit[1], fit[2]};
        scale = volume_scale((double)sn_mat3_determinant(map) / rest->volume);
    }
    for (int a = 0; a < rest->functions_kept; ++a) {
        fit[a] = sn_scale(fit[a], free_share / scale);
    }
    for (int i = 0; i < rest->count; ++i) {
        const float *row = rest->functions + (size_t)i * (size_t)stride;
        sn_vec3 arm = sn_scale(sn_mat3_apply(turn, rest->arms[i]), 1.0f - free_share);
        for (int a = 0; a < rest->functions_kept; ++a) {
            arm = sn_add_scaled(arm, row[a], fit[a]);
        }
        toward[i] = sn_add(sn_sub(center, places[i]), arm);
    }
}
