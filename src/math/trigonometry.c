// Sine, cosine and their inverses, the same bits on every machine.
//
// Everything is computed in double with +, −, ×, ÷ and sqrt only, which IEEE 754 rounds exactly, and rounded
// to float once at the end. The double error is so far below the last bit of a float (under 1e-10) that the
// series can be those of Taylor, and nearly every result is the float nearest to the true value.
//
// Sine and cosine: Cody and Waite's reduction to [−π/4, π/4], then a series.
// Inverses: all of them ask for the direction of a point in the plane, so there is one function for that.
#include "sinew/math.h"

// π/2 in two parts. The high one has 25 bits, so that its product with a count of quarter turns below 2^28 is
// exact in double; the low one holds the next 53 bits.
static const double half_pi_high = 0x1.921fb5p0;
static const double half_pi_low = 0x1.110b4611a6263p-26;
static const double quarters_per_radian = 0x1.45f306dc9c883p-1;

static const double pi = 0x1.921fb54442d18p1;
static const double half_pi = 0x1.921fb54442d18p0;
static const double quarter_pi = 0x1.921fb54442d18p-1;
static const double eighth_pi = 0x1.921fb54442d18p-2;
static const double tangent_of_eighth_pi = 0.41421356237309505;
static const double tangent_of_sixteenth_pi = 0.19891236737965801;
static const double tangent_of_three_sixteenths_pi = 0.66817863791929889;

// Floats beyond this are 32 rad apart: they say nothing about an angle. Up to here the reduction is exact.
static const float largest_meaningful_angle = 0x1p28f;

// For |angle| ≤ π/4; the first term left out is below 7e-12.
static double sine_series(double angle)
{
    double s = angle * angle;
    double tail = -1.0 / 6 + s * (1.0 / 120 + s * (-1.0 / 5040 + s * (1.0 / 362880 + s * (-1.0 / 39916800))));
    return angle * (1.0 + s * tail);
}

// For |angle| ≤ π/4; the first term left out is below 4e-13.
static double cosine_series(double angle)
{
    double s = angle * angle;
    double tail =
        1.0 / 24 + s * (-1.0 / 720 + s * (1.0 / 40320 + s * (-1.0 / 3628800 + s * (1.0 / 479001600))));
    return 1.0 + s * (-0.5 + s * tail);
}

// sin(angle + quarter_turns · π/2)
static float sine_of_turned(float angle, unsigned quarter_turns)
{
    if (!sn_is_finite(angle)) {
        return 0.0f;
    }
    double wide = sn_abs(angle) <= largest_meaningful_angle ? (double)angle : 0.0;
    int32_t nearest = (int32_t)(wide * quarters_per_radian + (wide < 0.0 ? -0.5 : 0.5));
    double rest = (wide - nearest * half_pi_high) - nearest * half_pi_low;
    unsigned quadrant = (unsigned)nearest + quarter_turns;
    double value = quadrant & 1u ? cosine_series(rest) : sine_series(rest);
    return (float)(quadrant & 2u ? -value : value);
}

float sn_sin(float angle)
{
    return sine_of_turned(angle, 0);
}

float sn_cos(float angle)
{
    return sine_of_turned(angle, 1);
}

// For |tangent| ≤ tan(π/16); the first term left out is below 6e-11.
static double arctangent_series(double tangent)
{
    double s = tangent * tangent;
    double tail = -1.0 / 3 + s * (1.0 / 5 + s * (-1.0 / 7 + s * (1.0 / 9 + s * (-1.0 / 11))));
    return tangent * (1.0 + s * tail);
}

// The angle of the point (x, y), 0 ≤ y ≤ x, from the x axis: the point is turned back by the nearest of 0,
// π/8 and π/4, and what is left is small enough for the series.
static double direction_in_first_octant(double x, double y)
{
    double turn = 0.0, tangent = 0.0;
    if (y > tangent_of_three_sixteenths_pi * x) {
        turn = quarter_pi;
        tangent = 1.0;
    } else if (y > tangent_of_sixteenth_pi * x) {
        turn = eighth_pi;
        tangent = tangent_of_eighth_pi;
    }
    return turn + arctangent_series((y - tangent * x) / (x + tangent * y));
}

// The angle of the point (x, y), y ≥ 0, from the x axis, in [0, π]; zero for the origin.
static double direction_in_upper_half(double x, double y)
{
    double across = x < 0.0 ? -x : x;
    if (across == 0.0 && y == 0.0) {
        return 0.0;
    }
    double angle =
        y > across ? half_pi - direction_in_first_octant(y, across) : direction_in_first_octant(across, y);
    return x < 0.0 ? pi - angle : angle;
}

float sn_atan2(float y, float x)
{
    if (!sn_is_finite(x) || !sn_is_finite(y)) {
        return 0.0f;
    }
    float angle = (float)direction_in_upper_half((double)x, (double)sn_abs(y));
    return signbit(y) ? -angle : angle;
}

float sn_acos(float x)
{
    if (x != x) {
        return 0.0f;
    }
    double cosine = (double)sn_clamp(x, -1.0f, 1.0f);
    return (float)direction_in_upper_half(cosine, sqrt((1.0 - cosine) * (1.0 + cosine)));
}

float sn_asin(float x)
{
    if (x != x) {
        return 0.0f;
    }
    double sine = (double)sn_clamp(sn_abs(x), 0.0f, 1.0f);
    float angle = (float)direction_in_upper_half(sqrt((1.0 - sine) * (1.0 + sine)), sine);
    return signbit(x) ? -angle : angle;
}
