// Ranges of distances along chains (chain_reach.h).
// Tested by tests/long_range/test_chain_reach.c.
#include "long_range/chain_reach.h"

#include <math.h>

static const double pi = 3.14159265358979323846;
// Joints' places, sines and angles are known to float32: ranges are taken a little wider than they are.
#define WIDER 2.0e-6

const sn_range sn_any_opening = {0.0, 3.14159265358979323846};

// The library's own functions give the same bits everywhere.
static double sine(double angle)
{
    return (double)sn_sin((float)angle);
}

static double cosine(double angle)
{
    return (double)sn_cos((float)angle);
}

static double angle_of(double y, double x)
{
    return (double)sn_atan2((float)y, (float)x);
}

static double clamped(double x, double lower, double upper)
{
    return fmin(fmax(x, lower), upper);
}

static sn_range widened(sn_range angle)
{
    return (sn_range){fmax(angle.lower - WIDER, 0.0), fmin(angle.upper + WIDER, pi)};
}

sn_chain_reach sn_chain_begin(void)
{
    return (sn_chain_reach){{0.0, 0.0}, {0.0, 0.0}};
}

sn_chain_reach sn_chain_within(double distance)
{
    return (sn_chain_reach){{0.0, distance}, sn_any_opening};
}

// --- a segment further -------------------------------------------------------------------------------------

// The third side of a triangle with sides d and l: the square of the sine of half the angle between them,
// which is good for narrow triangles too.
static double third_side(double d, double l, double half_sine2)
{
    return sqrt((d - l) * (d - l) + 4.0 * d * l * half_sine2);
}

static double half_sine2_of(double angle)
{
    double s = sine(0.5 * angle);
    return s * s;
}

// Its least value over ranges of both sides: on one of the four edges, where the two sides are nearest.
static double least_side(sn_range d, sn_range l, double angle)
{
    double c = cosine(angle), s2 = half_sine2_of(angle), least = INFINITY;
    const double ds[2] = {d.lower, d.upper}, ls[2] = {l.lower, l.upper};
    for (int i = 0; i < 2; ++i) {
        least = fmin(least, third_side(ds[i], clamped(ds[i] * c, l.lower, l.upper), s2));
        least = fmin(least, third_side(clamped(ls[i] * c, d.lower, d.upper), ls[i], s2));
    }
    return least;
}

// A convex function: at a corner.
static double largest_side(sn_range d, sn_range l, double angle)
{
    double s2 = half_sine2_of(angle);
    return fmax(fmax(third_side(d.lower, l.lower, s2), third_side(d.lower, l.upper, s2)),
                fmax(third_side(d.upper, l.lower, s2), third_side(d.upper, l.upper, s2)));
}

// The angle at the far end of l in that triangle, by d = ratio·l. It grows with the ratio. By φ it falls
// where the ratio is above 1, else it grows until cos φ = ratio and then falls.
static double far_angle(double ratio, double angle)
{
    return angle_of(ratio * sine(angle), 1.0 - ratio + 2.0 * ratio * half_sine2_of(angle));
}

static sn_range far_angles(sn_range d, sn_range l, sn_range angle)
{
    double least = d.lower / l.upper, most = d.upper / l.lower;
    sn_range far = {fmin(far_angle(least, angle.lower), far_angle(least, angle.upper)),
                    fmax(far_angle(most, angle.lower), far_angle(most, angle.upper))};
    if (most < 1.0) {
        double across = sqrt((1.0 - most) * (1.0 + most)), top = angle_of(across, most);
        far.upper = top >= angle.lower && top <= angle.upper ? angle_of(most, across) : far.upper;
    }
    return far;
}

sn_chain_reach sn_chain_extend(sn_chain_reach reach, sn_range length, sn_range opening)
{
    sn_range d = reach.distance, a = reach.angle;
    double longest = d.upper + length.upper;
    if (!(length.upper > 0.0)) { // no segment: the next one goes on from here in any direction
        return (sn_chain_reach){d, sn_any_opening};
    }
    // Three directions meet at the joint: each angle is at most the sum of the others, and at most what these
    // leave of a whole turn.
    sn_range angle = {fmax(fmax(opening.lower - a.upper, a.lower - opening.upper), 0.0),
                      fmin(fmin(opening.upper + a.upper, 2.0 * pi - opening.lower - a.lower), pi)};
    angle = widened((sn_range){angle.lower, fmax(angle.upper, angle.lower)});
    sn_chain_reach next = {{least_side(d, length, angle.lower), largest_side(d, length, angle.upper)},
                           sn_any_opening};
    next.distance.lower = fmax(next.distance.lower - WIDER * longest, 0.0);
    next.distance.upper = fmin(next.distance.upper + WIDER * longest, longest);
    // Where it may come back to the beginning, or the segment may vanish, there is no direction to it.
    if (next.distance.lower > 0.0 && length.lower > 0.0) {
        next.angle = widened(far_angles(d, length, angle));
    }
    return next;
}

// --- joints ------------------------------------------------------------------------------------------------

static bool has_direction(sn_vec3 v)
{
    return sn_length_squared(v) > 0.0f;
}

static double angle_to_x(sn_vec3 v)
{
    return angle_of(sqrt((double)v.y * (double)v.y + (double)v.z * (double)v.z), (double)v.x);
}

// cos(opening) = p + q cos(turn − same), q ≥ 0, `same` where the parts across the axis point the same way.
sn_range sn_opening_of_hinge(sn_vec3 u, sn_vec3 v, double lower, double upper)
{
    if (!has_direction(u) || !has_direction(v)) {
        return sn_any_opening;
    }
    double of_u = angle_to_x(u), of_v = angle_to_x(v);
    double same = angle_of((double)u.z, (double)u.y) - angle_of((double)v.z, (double)v.y);
    sn_range opening = {pi, 0.0};
    for (int i = 0; i < 2; ++i) {
        sn_vec3 turned =
            sn_rotate(sn_quat_axis_angle(sn_v(1.0f, 0.0f, 0.0f), (float)(i == 0 ? lower : upper)), v);
        double angle = angle_of((double)sn_length(sn_cross(u, turned)), (double)sn_dot(u, turned));
        opening = (sn_range){fmin(opening.lower, angle), fmax(opening.upper, angle)};
    }
    // Least and most are between the limits where these have a whole number of turns from there between them.
    double begin = (lower - same) / (2.0 * pi), end = (upper - same) / (2.0 * pi);
    if (floor(end + WIDER) >= ceil(begin - WIDER)) {
        opening.lower = fabs(of_u - of_v);
    }
    if (floor(end - 0.5 + WIDER) >= ceil(begin - 0.5 - WIDER)) {
        opening.upper = fmin(of_u + of_v, 2.0 * pi - of_u - of_v);
    }
    return widened(opening);
}

// From u to the axis of the other body, and on to v.
sn_range sn_opening_of_cone(sn_vec3 u, sn_vec3 v, double cone)
{
    if (!has_direction(u) || !has_direction(v)) {
        return sn_any_opening;
    }
    double of_u = angle_to_x(u), of_v = angle_to_x(v);
    sn_range axis = {fmax(of_u - cone, 0.0), fmin(of_u + cone, pi)};
    sn_range opening = {fmax(fmax(axis.lower - of_v, of_v - axis.upper), 0.0), 0.0};
    double straight = pi - of_v;
    opening.upper = straight >= axis.lower && straight <= axis.upper
                        ? pi
                        : fmax(fmin(axis.lower + of_v, 2.0 * pi - axis.lower - of_v),
                               fmin(axis.upper + of_v, 2.0 * pi - axis.upper - of_v));
    return widened(opening);
}
