// Distance of the frames' origins: a rod (lower = upper), a rope (lower 0), anything between, and optionally
// a spring beside it. Compliance makes rod and rope elastic.
#include "constraint/kind.h"

static const sn_constraint_field fields[] = {
    SN_FIELD(FLOAT, sn_distance_def, lower, NULL, "shortest", .unit = "m", SN_ANY_LENGTH, .ordered = true),
    SN_FIELD(FLOAT, sn_distance_def, upper, NULL, "longest", .unit = "m", SN_ANY_LENGTH, .infinite = INFINITY,
             .initial = INFINITY),
    SN_FIELD(FLOAT, sn_distance_def, spring_stiffness, "spring", "force by length", .unit = "N/m",
             SN_NOT_BELOW_ZERO),
    SN_FIELD(FLOAT, sn_distance_def, spring_damping, "spring", "force by speed", .unit = "N s/m",
             SN_NOT_BELOW_ZERO),
    SN_FIELD(FLOAT, sn_distance_def, spring_length, "spring", "at rest", .unit = "m", SN_ANY_LENGTH),
};

int sn_distance_rows(const sn_row_input *input, const void *data, sn_row *rows)
{
    const sn_distance_def *distance = data;
    sn_stiffness stiffness = sn_stiffness_linear(&distance->common);
    sn_coordinate length = sn_coordinate_distance(input);
    int count = 0;
    if (distance->lower == distance->upper) {
        count = sn_part_equal(&length, distance->lower, stiffness, rows, count);
    } else {
        // A length is never below 0: there is nothing to hold.
        float lower = distance->lower > 0.0f ? distance->lower : -INFINITY;
        count = sn_part_limits(&length, lower, distance->upper, stiffness, rows, count);
    }
    return sn_part_spring(&length, distance->spring_stiffness, distance->spring_damping,
                          distance->spring_length, rows, count);
}

const sn_kind sn_kind_distance = {SN_KIND(distance), SN_KIND_FIELDS,
                                  .text = "A rod, a rope or a spring between two points.",
                                  .cookie = 0x64697374, .measure = sn_coordinate_distance};
