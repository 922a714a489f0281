// Distance of the frames' origins: a rod (lower = upper), a rope (lower 0), anything between, and optionally
// a spring beside it. Compliance makes rod and rope elastic.
#include "constraint/kind.h"
#include "constraint/parts.h"
#include "geometry/check.h"

sn_distance_def sn_distance_def_default(void)
{
    sn_distance_def def = {.common = sn_common_default(SN_DISTANCE_COOKIE), .upper = INFINITY};
    return def;
}

sn_status sn_distance_check(const sn_definition *definition, sn_error *error, const char *object)
{
    const sn_distance_def *distance = &definition->distance;
    sn_status status = sn_check_range(distance->lower, 0.0f, SN_MAX_COORDINATE, error, object, "lower");
    if (!status && distance->upper != INFINITY) {
        status = sn_check_range(distance->upper, 0.0f, SN_MAX_COORDINATE, error, object, "upper");
    }
    if (!status) {
        status = sn_check_order(distance->lower, distance->upper, error, object, "lower", "upper");
    }
    if (!status) {
        status = sn_check_spring(distance->spring_stiffness, distance->spring_damping, error, object);
    }
    return status ? status
                  : sn_check_range(distance->spring_length, 0.0f, SN_MAX_COORDINATE, error, object,
                                   "spring_length");
}

int sn_distance_rows(const sn_row_input *input, const void *data, sn_row *rows)
{
    const sn_distance_def *distance = data;
    sn_stiffness stiffness = sn_stiffness_linear(&distance->common);
    sn_coordinate length = sn_coordinate_distance(input);
    int count = 0;
    if (distance->lower == distance->upper) {
        count = sn_part_equal(&length, distance->lower, stiffness, 0, rows, count);
    } else {
        // A length is never below 0: there is nothing to hold.
        float lower = distance->lower > 0.0f ? distance->lower : -INFINITY;
        count = sn_part_limits(&length, lower, distance->upper, stiffness, rows, count);
    }
    return sn_part_spring(&length, distance->spring_stiffness, distance->spring_damping,
                          distance->spring_length, rows, count);
}
