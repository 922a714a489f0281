// Fixed joint: the frames coincide. With compliance it is an elastic glue.
#include "constraint/kind.h"
#include "constraint/parts.h"

sn_fixed_def sn_fixed_def_default(void)
{
    sn_fixed_def def = {.common = sn_common_default(SN_FIXED_COOKIE)};
    return def;
}

// All its fields are in `common`.
sn_status sn_fixed_check(const sn_definition *definition, sn_error *error, const char *object)
{
    (void)definition;
    (void)error;
    (void)object;
    return SN_OK;
}

int sn_fixed_rows(const sn_row_input *input, const void *data, sn_row *rows)
{
    const sn_fixed_def *fixed = data;
    int count = sn_part_point(input, sn_stiffness_linear(&fixed->common), 0, rows, 0);
    return sn_part_orientation(input, sn_stiffness_angular(&fixed->common), 0, rows, count);
}
