// The rows of eight joints of one form, evaluated at once: two points that coincide (a ball), and with them
// two axes (a hinge) or two frames (a fixed joint), and ropes. The same coordinates as in
// src/constraint/coordinates.c, eight at a time. Included by joint_kernel.h alone, once per instruction set;
// how rows are solved is not known here.
// Tested by tests/solver/rows/test_joint_kernel.c.
#ifndef SN_SOLVER_ROWS_JOINT_EVALUATE8_H
#define SN_SOLVER_ROWS_JOINT_EVALUATE8_H

#include "math/angle8.h"
#include "solver/rows/joint_motion8.h"

// --- places --------------------------------------------------------------------------------------

typedef struct quat8 {
    sn_vec3x8 axis; // x y z
    sn_f8 w;
} quat8;

// v + 2 w (q × v) + 2 q × (q × v).
SN_INLINE sn_vec3x8 rotate8(quat8 q, sn_vec3x8 v)
{
    sn_f8 two = sn_f8_set(2.0f);
    sn_vec3x8 once = sn_vec3x8_scale(sn_vec3x8_cross(q.axis, v), two);
    sn_vec3x8 twice = sn_vec3x8_cross(q.axis, once);
    return sn_vec3x8_add(v, sn_vec3x8_add(sn_vec3x8_scale(once, q.w), twice));
}

// a b.
SN_INLINE quat8 multiply8(quat8 a, quat8 b)
{
    sn_vec3x8 axis = sn_vec3x8_add(sn_vec3x8_scale(b.axis, a.w), sn_vec3x8_scale(a.axis, b.w));
    return (quat8){sn_vec3x8_add(axis, sn_vec3x8_cross(a.axis, b.axis)),
                   a.w * b.w - sn_vec3x8_dot(a.axis, b.axis)};
}

SN_INLINE quat8 load_quat(const sn_lanes *q)
{
    return (quat8){sn_load3(q), sn_load(&q[3])};
}

typedef struct pose8 {
    sn_vec3x8 center;
    quat8 rotation;
} pose8;

// Centre and rotation lie side by side in a body: seven floats.
SN_INLINE pose8 gather_poses(const sn_joint_pass *pass, const int32_t *index)
{
    sn_f4 low[SN_WIDTH], high[SN_WIDTH];
    sn_f8 center[4], axis[4];
    for (int i = 0; i < SN_WIDTH; ++i) {
        const sn_solver_body *body = &pass->bodies[index[i]];
        memcpy(&low[i], &body->center.x, sizeof low[i]);
        memcpy(&high[i], &body->rotation.x, sizeof high[i]);
    }
    sn_columns_of(low, center);
    sn_columns_of(high, axis);
    return (pose8){{center[0], center[1], center[2]}, {{axis[0], axis[1], axis[2]}, axis[3]}};
}

// Where the two points of each joint are.
typedef struct ends8 {
    pose8 a, b;
    sn_vec3x8 reach_a, arm_b; // from the centres to the point of b
    sn_vec3x8 apart;          // from a's point to b's
} ends8;

// Rotations beyond this are not followed in a sub-step: chords have no meaning there. [rad]
#define FOLLOWED_TURN 2.0f

// Poses moved on by `time`. Sine and cosine of half the angle by their series, exact to the last digits of
// floats up to FOLLOWED_TURN.
SN_INLINE pose8 moved_pose(pose8 pose, const motion8 *velocity, float time)
{
    sn_f8 one = sn_f8_set(1.0f), t = sn_f8_set(time), most = sn_f8_set(FOLLOWED_TURN);
    sn_vec3x8 turn = sn_vec3x8_scale(velocity->angular, t);
    sn_f8 angle = sn_f8_sqrt(sn_vec3x8_dot(turn, turn));
    sn_f8 scale = sn_f8_select(angle > most, most / sn_f8_max(angle, most), one);
    turn = sn_vec3x8_scale(turn, scale);
    sn_f8 x = sn_vec3x8_dot(turn, turn);
    sn_f8 sine = sn_f8_set(0.5f) - x * (sn_f8_set(1.0f / 48.0f) -
                                        x * (sn_f8_set(1.0f / 3840.0f) - x * sn_f8_set(1.0f / 645120.0f)));
    sn_f8 cosine = one - x * (sn_f8_set(0.125f) -
                              x * (sn_f8_set(1.0f / 384.0f) -
                                   x * (sn_f8_set(1.0f / 46080.0f) - x * sn_f8_set(1.0f / 10321920.0f))));
    sn_vec3x8 half = sn_vec3x8_scale(turn, sine);
    return (pose8){sn_vec3x8_add(pose.center, sn_vec3x8_scale(velocity->linear, t)),
                   multiply8((quat8){half, cosine}, pose.rotation)};
}

SN_INLINE ends8 place_ends(const sn_joint_pass *pass, sn_joint_block *block, float time)
{
    const sn_joint_points *points = &pass->points[block->points];
    pose8 a = gather_poses(pass, block->body_a), b = gather_poses(pass, block->body_b);
    if (time != 0.0f) {
        pair8 u = gather(pass, block);
        a = moved_pose(a, &u.a, time);
        b = moved_pose(b, &u.b, time);
    }
    sn_vec3x8 arm_a = rotate8(a.rotation, sn_load3(points->local_a));
    sn_vec3x8 arm_b = rotate8(b.rotation, sn_load3(points->local_b));
    sn_vec3x8 apart = sn_vec3x8_sub(sn_vec3x8_add(b.center, arm_b), sn_vec3x8_add(a.center, arm_a));
    sn_vec3x8 reach_a = sn_vec3x8_add(arm_a, apart);
    sn_store3(block->arm_a, arm_a);
    sn_store3(block->arm_b, arm_b);
    sn_store3(block->reach_a, reach_a);
    return (ends8){a, b, reach_a, arm_b, apart};
}

// An axis of the frame in a.
SN_INLINE sn_vec3x8 frame_axis(const sn_joint_points *points, const ends8 *ends, sn_vec3x8 axis)
{
    return rotate8(ends->a.rotation, rotate8(load_quat(points->rotation_a), axis));
}

// Along a direction, acting at the point of b.
SN_INLINE void put_along(sn_lanes *gradient, const ends8 *ends, sn_vec3x8 direction)
{
    sn_gradient8 g = sn_gradient8_along(direction, ends->reach_a, ends->arm_b);
    sn_store3(&gradient[SN_LINEAR_A], sn_vec3x8_scale(direction, sn_f8_set(-1.0f)));
    sn_store3(&gradient[SN_ANGULAR_A], g.angular_a);
    sn_store3(&gradient[SN_LINEAR_B], g.linear_b);
    sn_store3(&gradient[SN_ANGULAR_B], g.angular_b);
}

// --- lengths -------------------------------------------------------------------------------------

// The axes of a frame.
SN_INLINE void find_axes(quat8 q, sn_vec3x8 axes[3])
{
    sn_f8 one = sn_f8_set(1.0f), two = sn_f8_set(2.0f);
    sn_vec3x8 v = q.axis, twice = sn_vec3x8_scale(v, two);
    sn_f8 xx = v.x * twice.x, yy = v.y * twice.y, zz = v.z * twice.z;
    sn_f8 xy = v.x * twice.y, xz = v.x * twice.z, yz = v.y * twice.z;
    sn_f8 wx = q.w * twice.x, wy = q.w * twice.y, wz = q.w * twice.z;
    axes[0] = (sn_vec3x8){one - (yy + zz), xy + wz, xz - wy};
    axes[1] = (sn_vec3x8){xy - wz, one - (xx + zz), yz + wx};
    axes[2] = (sn_vec3x8){xz + wy, yz - wx, one - (xx + yy)};
}

// The rows of sn_part_point: along the axes of the frame in a.
SN_INLINE void evaluate_points(const sn_joint_points *points, const ends8 *ends, sn_held_row *rows,
                               sn_lanes *gradients)
{
    sn_vec3x8 axes[3];
    find_axes(multiply8(ends->a.rotation, load_quat(points->rotation_a)), axes);
    for (int i = 0; i < 3; ++i) {
        sn_store3(&gradients[i * SN_AXIS_LANES], axes[i]);
        sn_store(&rows[i].bias, sn_load(&rows[i].rate) * sn_vec3x8_dot(ends->apart, axes[i]));
    }
}

// The law of a hard stop of value C (joint_rows.c): open, it may be closed within the sub-step, and relaxing
// keeps to the state and bias of the sub-step that it ends.
SN_INLINE void put_stop(const sn_joint_pass *pass, sn_single_row *row, sn_f8 value)
{
    sn_f8 zero = sn_f8_set(0.0f), one = sn_f8_set(1.0f), per_step = sn_f8_set(1.0f / pass->h);
    sn_f8 hard_rate = sn_f8_set(pass->hard.bias_rate);
    sn_i8 is_open = value > zero;
    sn_f8 rate = sn_f8_select(is_open, per_step, hard_rate);
    sn_f8 bias = sn_f8_max(rate * value, sn_f8_set(-pass->push_speed));
    sn_i8 was_open = pass->is_anew ? is_open : sn_load(&row->is_open) > zero;
    sn_f8 old_bias = pass->is_anew ? bias : sn_load(&row->bias);
    sn_store(&row->relax_bias, sn_f8_select(was_open, old_bias, zero));
    sn_store(&row->kept, sn_f8_select(was_open, zero, one));
    sn_store(&row->is_open, sn_f8_select(is_open, one, zero));
    sn_store(&row->bias, bias);
    sn_store(&row->rate, rate);
    sn_store(&row->mass_scale, sn_f8_select(is_open, one, sn_f8_set(pass->hard.mass_scale)));
    sn_store(&row->impulse_scale, sn_f8_select(is_open, zero, sn_f8_set(pass->hard.impulse_scale)));
}

// Longest − distance ≥ 0. Ends in one place are pulled along the x axis of the frame in a. Padding lanes have
// no gradient.
SN_INLINE void evaluate_ropes(const sn_joint_pass *pass, sn_joint_block *block)
{
    const sn_joint_points *points = &pass->points[block->points];
    sn_single_row *row = &pass->singles[block->first_single];
    ends8 ends = place_ends(pass, block, 0.0f);
    sn_f8 one = sn_f8_set(1.0f), zero = sn_f8_set(0.0f), longest = sn_load(&points->longest);
    sn_f8 length = sn_f8_sqrt(sn_vec3x8_dot(ends.apart, ends.apart));
    sn_i8 is_apart = length > zero, is_rope = longest > zero;
    sn_f8 scale = one / sn_f8_select(is_apart, length, one);
    sn_vec3x8 axis = frame_axis(points, &ends, (sn_vec3x8){one, zero, zero});
    sn_vec3x8 direction = {sn_f8_select(is_apart, ends.apart.x * scale, axis.x),
                           sn_f8_select(is_apart, ends.apart.y * scale, axis.y),
                           sn_f8_select(is_apart, ends.apart.z * scale, axis.z)};
    put_along(row->gradient, &ends, sn_vec3x8_scale(direction, sn_f8_select(is_rope, -one, zero)));
    put_stop(pass, row, longest - length);
}

// --- angles --------------------------------------------------------------------------------------

// The frames of the two ends in the world, and the rotation from a's to b's as seen from a's, with w ≥ 0.
typedef struct frames8 {
    quat8 a, relative;
} frames8;

SN_INLINE frames8 place_frames(const sn_joint_points *points, const ends8 *ends)
{
    quat8 a = multiply8(ends->a.rotation, load_quat(points->rotation_a));
    quat8 b = multiply8(ends->b.rotation, load_quat(points->rotation_b));
    sn_f8 one = sn_f8_set(1.0f);
    quat8 q = multiply8((quat8){sn_vec3x8_scale(a.axis, -one), a.w}, b);
    sn_f8 sign = sn_f8_select(q.w < sn_f8_set(0.0f), -one, one);
    return (frames8){a, {sn_vec3x8_scale(q.axis, sign), q.w * sign}};
}

// The row of an angle whose rate is gradient·Ω, Ω the angular velocity of b against a, both in frame a.
SN_INLINE void put_angle(sn_held_row *row, sn_lanes *axis, const frames8 *frames, sn_vec3x8 gradient,
                         sn_f8 value)
{
    sn_store3(axis, rotate8(frames->a, gradient));
    sn_store(&row->bias, sn_load(&row->rate) * value);
}

// The rows of sn_part_axis: x of frame b as seen from frame a is d = cosine x + sine toward, got there by a
// turn about axis = x × toward. See sn_coordinates_tilt.
SN_INLINE void evaluate_axis(const frames8 *frames, sn_held_row *rows, sn_lanes *gradients)
{
    sn_f8 zero = sn_f8_set(0.0f), one = sn_f8_set(1.0f), smallest_sine = sn_f8_set(1.0e-12f);
    sn_vec3x8 d = rotate8(frames->relative, (sn_vec3x8){one, zero, zero});
    sn_f8 sine = sn_f8_sqrt(d.y * d.y + d.z * d.z), angle = sn_angle8_of(d.x, sine);
    sn_i8 leans = sine > smallest_sine;
    sn_f8 scale = one / sn_f8_select(leans, sine, one);
    sn_f8 y = sn_f8_select(leans, d.y * scale, one), z = sn_f8_select(leans, d.z * scale, zero);
    sn_f8 turning = sn_f8_select(leans, angle * d.x * scale, d.x);
    turning = sn_f8_max(turning, sn_f8_set(-SN_LARGEST_TURNING));
    sn_f8 mixed = y * z * (turning - one);
    put_angle(&rows[0], &gradients[0], frames, (sn_vec3x8){-y * angle, z * z + turning * y * y, mixed},
              -angle * z);
    put_angle(&rows[1], &gradients[SN_AXIS_LANES], frames,
              (sn_vec3x8){-z * angle, mixed, y * y + turning * z * z}, angle * y);
}

// (1 − (θ/2) cot(θ/2))/θ², by its series where the difference would lose digits.
SN_INLINE sn_f8 rotation_curvature8(quat8 q, sn_f8 sine, sn_f8 angle_squared)
{
    sn_f8 one = sn_f8_set(1.0f), half = sn_f8_set(0.5f), series_until = sn_f8_set(0.25f);
    sn_f8 series = sn_f8_set(1.0f / 12.0f) +
                   angle_squared * (sn_f8_set(1.0f / 720.0f) + angle_squared * sn_f8_set(1.0f / 30240.0f));
    sn_i8 is_large = angle_squared >= series_until;
    sn_f8 cotangent = q.w / sn_f8_select(is_large, sine, one);
    sn_f8 closed =
        (one - half * sn_f8_sqrt(angle_squared) * cotangent) / sn_f8_select(is_large, angle_squared, one);
    return sn_f8_select(is_large, closed, series);
}

// The rows of sn_part_orientation: φ̇ = Ω − ½ φ×Ω + k φ×(φ×Ω), φ the rotation vector. See
// sn_coordinates_rotation.
SN_INLINE void evaluate_orientation(const frames8 *frames, sn_held_row *rows, sn_lanes *gradients)
{
    sn_f8 zero = sn_f8_set(0.0f), one = sn_f8_set(1.0f), half = sn_f8_set(0.5f), two = sn_f8_set(2.0f);
    quat8 q = frames->relative;
    sn_f8 sine = sn_f8_sqrt(sn_vec3x8_dot(q.axis, q.axis));
    sn_i8 turns = sine > sn_f8_set(1.0e-12f);
    sn_f8 by_sine = sn_f8_select(turns, two * sn_angle8_of(q.w, sine) / sn_f8_select(turns, sine, one), two);
    sn_vec3x8 phi = sn_vec3x8_scale(q.axis, by_sine);
    sn_f8 curvature = rotation_curvature8(q, sine, sn_vec3x8_dot(phi, phi));
    const sn_vec3x8 axes[3] = {{one, zero, zero}, {zero, one, zero}, {zero, zero, one}};
    const sn_f8 values[3] = {phi.x, phi.y, phi.z};
    for (int i = 0; i < 3; ++i) {
        sn_vec3x8 once = sn_vec3x8_cross(phi, axes[i]);
        sn_vec3x8 gradient =
            add_scaled8(add_scaled8(axes[i], half, once), curvature, sn_vec3x8_cross(phi, once));
        put_angle(&rows[i], &gradients[i * SN_AXIS_LANES], frames, gradient, values[i]);
    }
}

// --- joints --------------------------------------------------------------------------------------

// Held rows of a block that is not of SN_JOINT_ANY, with the bodies moved on by `time`.
SN_SHARED void evaluate_held(const sn_joint_pass *pass, sn_joint_block *block, float time)
{
    const sn_joint_points *points = &pass->points[block->points];
    sn_held_row *rows = &pass->held[block->first_held], *angles = rows + SN_POINT_ROWS;
    sn_lanes *gradients = &pass->gradients[block->first_gradient];
    sn_lanes *of_angles = gradients + SN_POINT_ROWS * SN_AXIS_LANES;
    ends8 ends = place_ends(pass, block, time);
    evaluate_points(points, &ends, rows, gradients);
    if (block->form == SN_JOINT_HINGE) {
        frames8 frames = place_frames(points, &ends);
        evaluate_axis(&frames, angles, of_angles);
    } else if (block->form == SN_JOINT_FIXED) {
        frames8 frames = place_frames(points, &ends);
        evaluate_orientation(&frames, angles, of_angles);
    }
}

#endif
