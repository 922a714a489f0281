// Coordinates of two frames with exact gradients.
//
// Angles depend on the relative rotation q = q_a⁻¹ q_b alone, whose rate is q̇ = ½ (0, Ω) q with
// Ω = R_aᵀ(ω_b − ω_a). A gradient g with Ċ = g·Ω therefore gives R_a g for b and its opposite for a. All g
// below follow from that; the tests compare them with differences of the values.
//
// Knows no force, no solver.
#include "constraint/gradient.h"

static const sn_vec3 axis_x = {1.0f, 0.0f, 0.0f};
static const sn_vec3 axis_y = {0.0f, 1.0f, 0.0f};
static const sn_vec3 axis_z = {0.0f, 0.0f, 1.0f};

// --- lengths -------------------------------------------------------------------------------------

static sn_vec3 separation(const sn_row_input *input)
{
    return sn_sub(input->frame[1].position, input->frame[0].position);
}

// The end whose axes lengths are measured along: a, unless only b turns.
static int reference_end(const sn_row_input *input)
{
    return !input->turns[0] && input->turns[1] ? 1 : 0;
}

// The force along `direction` acts on both ends at the origin of the frame that is not the reference. For an
// axis that turns with the reference this is the exact gradient: the turning axis sweeps over the separation.
// Sums of nodes cannot be pushed elsewhere than where they are, so with bodies they are never the reference.
static sn_coordinate length_along(const sn_row_input *input, sn_vec3 direction, float value)
{
    sn_vec3 arm_a = input->arm[0], arm_b = input->arm[1];
    if (reference_end(input) == 0) {
        arm_a = sn_add(arm_a, separation(input));
    } else {
        arm_b = sn_sub(arm_b, separation(input));
    }
    sn_coordinate c = sn_gradient_along(direction, arm_a, arm_b);
    c.value = value;
    return c;
}

sn_coordinate sn_coordinate_along(const sn_row_input *input, sn_vec3 axis)
{
    sn_vec3 direction = sn_rotate(input->frame[reference_end(input)].rotation, axis);
    return length_along(input, direction, sn_dot(separation(input), direction));
}

sn_coordinate sn_coordinate_travel(const sn_row_input *input)
{
    return sn_coordinate_along(input, axis_x);
}

sn_coordinate sn_coordinate_distance(const sn_row_input *input)
{
    sn_vec3 between = separation(input);
    sn_vec3 direction = sn_normalize(between);
    if (sn_length_squared(direction) == 0.0f) {
        direction = sn_rotate(input->frame[reference_end(input)].rotation, axis_x);
    }
    return length_along(input, direction, sn_length(between));
}

// --- angles --------------------------------------------------------------------------------------

// Of q and −q, the same rotation, the one with w ≥ 0.
static sn_quat relative_rotation(const sn_row_input *input)
{
    sn_quat q = sn_pose_relative(input->frame[0], input->frame[1]).rotation;
    sn_quat opposite = {-q.x, -q.y, -q.z, -q.w};
    return q.w < 0.0f ? opposite : q;
}

static sn_coordinate angle_coordinate(const sn_row_input *input, float value, sn_vec3 gradient_in_a)
{
    sn_coordinate c = sn_gradient_about(sn_rotate(input->frame[0].rotation, gradient_in_a));
    c.value = value;
    return c;
}

// x of frame b as seen from frame a is cosine·x + sine·toward; it got there by a rotation by `angle` about
// `axis` = x × toward.
typedef struct lean {
    float cosine, sine, angle;
    sn_vec3 toward, axis;
} lean;

static lean lean_of(sn_quat q)
{
    // A sine below this has no direction: the axes are parallel or opposite, and any will do.
    const float smallest_sine = 1.0e-12f;
    sn_vec3 d = sn_rotate(q, axis_x);
    lean l = {.cosine = d.x, .sine = sqrtf(d.y * d.y + d.z * d.z), .toward = axis_y, .axis = axis_z};
    l.angle = sn_atan2(l.sine, l.cosine);
    if (l.sine > smallest_sine) {
        l.toward = sn_v(0.0f, d.y / l.sine, d.z / l.sine);
        l.axis = sn_v(0.0f, -l.toward.z, l.toward.y);
    }
    return l;
}

sn_coordinate sn_coordinate_twist(const sn_row_input *input)
{
    // From τ = 2 atan2(q_x, q_w): g = x + tan(swing/2)·toward = (x + d)/(1 + x·d). The floor of 1 + x·d is
    // reached at a swing of 2.57.
    const float smallest_sum = 0.16f;
    sn_quat q = relative_rotation(input);
    sn_vec3 d = sn_rotate(q, axis_x);
    float scale = 1.0f / sn_max(1.0f + d.x, smallest_sum);
    return angle_coordinate(input, 2.0f * sn_atan2(q.x, q.w), sn_v(1.0f, d.y * scale, d.z * scale));
}

sn_coordinate sn_coordinate_swing(const sn_row_input *input)
{
    lean l = lean_of(relative_rotation(input));
    return angle_coordinate(input, l.angle, l.axis);
}

void sn_coordinates_tilt(const sn_row_input *input, sn_coordinate tilt[2])
{
    // The vector angle·axis changes by Ω·axis along the axis, and across it, along `toward`, because the
    // axis itself turns: by angle·(cot(angle)·toward − x)·Ω. That cotangent is what has no bound at π; the
    // bound here is reached at a swing of 2.57.
    lean l = lean_of(relative_rotation(input));
    float turning = l.sine > 0.0f ? l.angle * l.cosine / l.sine : l.cosine;
    turning = sn_max(turning, -SN_LARGEST_TURNING);
    sn_vec3 across = sn_add_scaled(sn_scale(l.toward, turning), -l.angle, axis_x);
    tilt[0] = angle_coordinate(input, l.angle * l.axis.y,
                               sn_add_scaled(sn_scale(l.axis, l.axis.y), l.toward.y, across));
    tilt[1] = angle_coordinate(input, l.angle * l.axis.z,
                               sn_add_scaled(sn_scale(l.axis, l.axis.z), l.toward.z, across));
}

// (1 − (θ/2)·cot(θ/2))/θ², by its series where the difference would lose digits.
static float rotation_curvature(sn_quat q, float angle_squared)
{
    const float series_until = 0.25f;
    if (angle_squared < series_until) {
        return 1.0f / 12.0f + angle_squared * (1.0f / 720.0f + angle_squared * (1.0f / 30240.0f));
    }
    float half_angle = 0.5f * sqrtf(angle_squared);
    float cotangent = q.w / sqrtf(q.x * q.x + q.y * q.y + q.z * q.z);
    return (1.0f - half_angle * cotangent) / angle_squared;
}

void sn_coordinates_rotation(const sn_row_input *input, sn_coordinate rotation[3])
{
    // φ̇ = Ω − ½ φ×Ω + k φ×(φ×Ω): the inverse of the left Jacobian of the exponential map. Its rows, e_i
    // through the transposed matrix, have lengths between 1 and π/2, even at half a turn.
    sn_quat q = relative_rotation(input);
    sn_vec3 phi = sn_quat_logarithm(q);
    float curvature = rotation_curvature(q, sn_length_squared(phi));
    const sn_vec3 axes[3] = {axis_x, axis_y, axis_z};
    for (int i = 0; i < 3; ++i) {
        sn_vec3 once = sn_cross(phi, axes[i]);
        sn_vec3 gradient = sn_add_scaled(axes[i], 0.5f, once);
        gradient = sn_add_scaled(gradient, curvature, sn_cross(phi, once));
        rotation[i] = angle_coordinate(input, sn_dot(phi, axes[i]), gradient);
    }
}

sn_coordinate sn_coordinate_wrap(sn_coordinate angle, float center)
{
    if (angle.value - center > SN_PI) {
        angle.value -= 2.0f * SN_PI;
    } else if (angle.value - center < -SN_PI) {
        angle.value += 2.0f * SN_PI;
    }
    return angle;
}
