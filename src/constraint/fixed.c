// Fixed joint: the frames coincide. With compliance it is an elastic glue.
#include "constraint/kind.h"

int sn_fixed_rows(const sn_row_input *input, const void *data, sn_row *rows)
{
    const sn_fixed_def *fixed = data;
    int count = sn_part_point(input, sn_stiffness_linear(&fixed->common), rows, 0);
    return sn_part_orientation(input, sn_stiffness_angular(&fixed->common), rows, count);
}

// All its fields are in `common`.
const sn_kind sn_kind_fixed = {SN_KIND(fixed), .text = "Two frames coincide.", .cookie = 0x66697865,
                               .oriented_ends = SN_BOTH_ENDS};
