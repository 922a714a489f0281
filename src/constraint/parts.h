// Building blocks of joints, shared by several kinds.
//
// A coordinate is a number that says how two bodies stand to each other (an angle, a travel, a distance) with
// its exact gradient: geometry, no force. A part turns coordinates into rows: a force law, no geometry. Each
// part writes at rows[count] and returns the new count. Signs: methods, section 0; coordinates grow with
// motion of b. Every gradient here balances: moving both bodies together changes no coordinate, so forces
// along it give the pair no net force and no net torque.
#ifndef SN_CONSTRAINT_PARTS_H
#define SN_CONSTRAINT_PARTS_H

#include "sinew/constraint.h"

typedef struct sn_coordinate {
    float value;
    sn_vec3 linear[2], angular[2];
} sn_coordinate;

// --- geometry: coordinates.c ---------------------------------------------------------------------

// Frame b's origin as seen from frame a, along `axis` of frame a [m].
sn_coordinate sn_coordinate_along(const sn_row_input *input, sn_vec3 axis);
// The same along x.
sn_coordinate sn_coordinate_travel(const sn_row_input *input);
// Distance of the frames' origins, ≥ 0 [m]. At 0 the gradient points along x of frame a.
sn_coordinate sn_coordinate_distance(const sn_row_input *input);

// Rotation of b against a about x, [−π, π] [rad]: the twist of the swing–twist decomposition, on a hinge with
// its axes aligned the hinge's angle. Its gradient is exact up to a swing of SN_EXACT_SWING, bounded beyond.
sn_coordinate sn_coordinate_twist(const sn_row_input *input);
// Angle between the x axes, [0, π] [rad]. At 0 and π the gradient is one of the possible directions.
sn_coordinate sn_coordinate_swing(const sn_row_input *input);
// The rotation vector that turns x of frame a into x of frame b the short way, components y and z in frame a
// [rad]. Gradient as that of the twist.
void sn_coordinates_tilt(const sn_row_input *input, sn_coordinate tilt[2]);
// The rotation vector that turns frame a into frame b, components in frame a [rad]. Exact up to half a turn.
void sn_coordinates_rotation(const sn_row_input *input, sn_coordinate rotation[3]);

// No two smooth numbers can measure the tilt of an axis over the whole sphere with one zero only: their
// gradient must grow without bound somewhere, for tilt and twist where the axes are opposite. Up to this
// swing [rad] gradients are exact; beyond, they stay finite and still turn the axes towards each other.
#define SN_EXACT_SWING 2.5f
// The bound of angle·cot(angle) of a tilt, reached at a swing of 2.57.
#define SN_LARGEST_TURNING 4.0f

// The same angle, within half a turn of `center` (both within ±π).
sn_coordinate sn_coordinate_wrap(sn_coordinate angle, float center);

// --- force laws: parts.c -------------------------------------------------------------------------

typedef struct sn_stiffness {
    float compliance, damping;
} sn_stiffness;

static const sn_stiffness sn_hard = {0.0f, 0.0f};

sn_stiffness sn_stiffness_linear(const sn_constraint_common *common);
sn_stiffness sn_stiffness_angular(const sn_constraint_common *common);

// The coordinate is `target`: one row.
int sn_part_equal(const sn_coordinate *coordinate, float target, sn_stiffness stiffness, sn_row *rows,
                  int count);
// The frames' origins coincide, along the axes of frame a: 3 rows.
int sn_part_point(const sn_row_input *input, sn_stiffness stiffness, sn_row *rows, int count);
// The frames' origins differ only along x of frame a: 2 rows.
int sn_part_line(const sn_row_input *input, sn_stiffness stiffness, sn_row *rows, int count);
// The x axes of the frames are parallel: 2 rows.
int sn_part_axis(const sn_row_input *input, sn_stiffness stiffness, sn_row *rows, int count);
// The frames have the same orientation: 3 rows.
int sn_part_orientation(const sn_row_input *input, sn_stiffness stiffness, sn_row *rows, int count);

// coordinate ≥ lower and coordinate ≤ upper: a row for each side that is finite.
int sn_part_limits(const sn_coordinate *coordinate, float lower, float upper, sn_stiffness stiffness,
                   sn_row *rows, int count);
// Rate of the coordinate is `speed` within ± `strength`: one row.
int sn_part_motor(const sn_coordinate *coordinate, float speed, float strength, sn_row *rows, int count);
// Force −stiffness·(coordinate − rest) − damping·rate along the coordinate: one row, or none when `stiffness`
// is 0.
int sn_part_spring(const sn_coordinate *coordinate, float stiffness, float damping, float rest, sn_row *rows,
                   int count);

#endif
