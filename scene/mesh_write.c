// Nodes and elements into text files.
#include "scene/mesh_write.h"

static const int float_digits = 9;

void sn_mesh_write_position(sn_output *output, sn_vec3 position)
{
    sn_output_number(output, (double)position.x, float_digits);
    sn_output_bytes(output, " ", 1);
    sn_output_number(output, (double)position.y, float_digits);
    sn_output_bytes(output, " ", 1);
    sn_output_number(output, (double)position.z, float_digits);
    sn_output_bytes(output, "\n", 1);
}

void sn_mesh_write_indices(sn_output *output, const uint32_t *indices, int count, uint32_t first)
{
    for (int i = 0; i < count; ++i) {
        sn_output_text(output, " %u", indices[i] + first);
    }
    sn_output_bytes(output, "\n", 1);
}
