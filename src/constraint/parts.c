// Force laws on coordinates: held, limited, driven, sprung. See parts.h.
//
// Knows neither how a coordinate is measured nor how rows are solved. Rows arrive cleared (sn_rows_clear), so
// only what differs from zero and from unlimited force is written.
#include "constraint/parts.h"

#include <float.h>
#include <math.h>

sn_stiffness sn_stiffness_linear(const sn_constraint_common *common)
{
    sn_stiffness s = {common->compliance, common->damping};
    return s;
}

sn_stiffness sn_stiffness_angular(const sn_constraint_common *common)
{
    sn_stiffness s = {common->angular_compliance, common->angular_damping};
    return s;
}

// The row sign·coordinate + offset.
static sn_row *add_row(sn_row *rows, int count, const sn_coordinate *coordinate, float sign, float offset)
{
    sn_row *row = &rows[count];
    row->value = sign * coordinate->value + offset;
    for (int k = 0; k < 2; ++k) {
        row->linear[k] = sn_scale(coordinate->linear[k], sign);
        row->angular[k] = sn_scale(coordinate->angular[k], sign);
    }
    return row;
}

int sn_part_equal(const sn_coordinate *coordinate, float target, sn_stiffness stiffness, sn_row *rows,
                  int count)
{
    sn_row *row = add_row(rows, count, coordinate, 1.0f, -target);
    row->type = SN_ROW_EQUAL;
    row->compliance = stiffness.compliance;
    row->damping = stiffness.damping;
    return count + 1;
}

static int held_along(const sn_row_input *input, sn_vec3 axis, sn_stiffness stiffness, sn_row *rows,
                      int count)
{
    sn_coordinate coordinate = sn_coordinate_along(input, axis);
    return sn_part_equal(&coordinate, 0.0f, stiffness, rows, count);
}

int sn_part_point(const sn_row_input *input, sn_stiffness stiffness, sn_row *rows, int count)
{
    count = held_along(input, sn_v(1.0f, 0.0f, 0.0f), stiffness, rows, count);
    return sn_part_line(input, stiffness, rows, count);
}

int sn_part_line(const sn_row_input *input, sn_stiffness stiffness, sn_row *rows, int count)
{
    count = held_along(input, sn_v(0.0f, 1.0f, 0.0f), stiffness, rows, count);
    return held_along(input, sn_v(0.0f, 0.0f, 1.0f), stiffness, rows, count);
}

int sn_part_axis(const sn_row_input *input, sn_stiffness stiffness, sn_row *rows, int count)
{
    sn_coordinate tilt[2];
    sn_coordinates_tilt(input, tilt);
    for (int i = 0; i < 2; ++i) {
        count = sn_part_equal(&tilt[i], 0.0f, stiffness, rows, count);
    }
    return count;
}

int sn_part_orientation(const sn_row_input *input, sn_stiffness stiffness, sn_row *rows, int count)
{
    sn_coordinate rotation[3];
    sn_coordinates_rotation(input, rotation);
    for (int i = 0; i < 3; ++i) {
        count = sn_part_equal(&rotation[i], 0.0f, stiffness, rows, count);
    }
    return count;
}

// sign·(coordinate − limit) ≥ 0, unless the limit is infinite.
static int one_limit(const sn_coordinate *coordinate, float sign, float limit, sn_stiffness stiffness,
                     sn_row *rows, int count)
{
    if (sn_abs(limit) == INFINITY) {
        return count;
    }
    sn_row *row = add_row(rows, count, coordinate, sign, -sign * limit);
    row->type = SN_ROW_ABOVE;
    row->compliance = stiffness.compliance;
    row->damping = stiffness.damping;
    row->lower = 0.0f;
    return count + 1;
}

int sn_part_limits(const sn_coordinate *coordinate, float lower, float upper, sn_stiffness stiffness,
                   sn_row *rows, int count)
{
    count = one_limit(coordinate, 1.0f, lower, stiffness, rows, count);
    return one_limit(coordinate, -1.0f, upper, stiffness, rows, count);
}

int sn_part_motor(const sn_coordinate *coordinate, float speed, float strength, sn_row *rows, int count)
{
    sn_row *row = add_row(rows, count, coordinate, 1.0f, 0.0f);
    row->type = SN_ROW_SPEED;
    row->target_speed = speed;
    row->lower = -strength;
    row->upper = strength;
    return count + 1;
}

int sn_part_spring(const sn_coordinate *coordinate, float stiffness, float damping, float rest, sn_row *rows,
                   int count)
{
    if (!(stiffness > 0.0f)) {
        return count;
    }
    // The inverse of a subnormal stiffness would be infinite.
    sn_stiffness soft = {sn_min(1.0f / stiffness, FLT_MAX), damping};
    return sn_part_equal(coordinate, rest, soft, rows, count);
}
