// The kernels of projections, eight at a time (see model_kernels.h).
#include "math/measures8.h"
#include "model/goals/projection_block.h"

SN_INLINE sn_vec3x8 masked(sn_i8 mask, sn_vec3x8 v)
{
    sn_f8 zero = sn_f8_set(0.0f);
    return (sn_vec3x8){sn_f8_select(mask, v.x, zero), sn_f8_select(mask, v.y, zero),
                       sn_f8_select(mask, v.z, zero)};
}

// Ends that coincide have no direction: volumes or other lengths part them.
SN_INLINE void project_length(const sn_projection_pass *pass, const sn_length_block *block)
{
    sn_f8 zero = sn_f8_set(0.0f), one = sn_f8_set(1.0f), mass_a, mass_b;
    sn_vec3x8 a = sn_gather_nodes(pass->places, block->node[0], &mass_a);
    sn_vec3x8 b = sn_gather_nodes(pass->places, block->node[1], &mass_b);
    sn_length8 now = sn_length8_between(a, b);
    sn_vec3x8 along = now.along;
    sn_f8 length = now.length, response = mass_a + mass_b;
    sn_i8 good = (length > zero) & (response > zero);
    sn_f8 pull = sn_f8_set(pass->length_share) * (length - sn_load(&block->rest)) /
                 sn_f8_select(good, length * response, one);
    along = masked(good, sn_vec3x8_scale(along, pull));
    a = sn_vec3x8_add(a, sn_vec3x8_scale(along, mass_a));
    b = sn_vec3x8_sub(b, sn_vec3x8_scale(along, mass_b));
    sn_scatter_nodes(pass->places, block->node[0], a, mass_a);
    sn_scatter_nodes(pass->places, block->node[1], b, mass_b);
}

// The gradient of a volume vanishes if it is nearly squashed to a line, and its correction would throw nodes
// far away: none moves farther than the size.
SN_INLINE void project_volume(const sn_projection_pass *pass, const sn_volume_block *block)
{
    sn_f8 zero = sn_f8_set(0.0f), one = sn_f8_set(1.0f), share = sn_f8_set(pass->volume_share), mass[4];
    sn_vec3x8 x[4];
    for (int k = 0; k < 4; ++k) {
        x[k] = sn_gather_nodes(pass->places, block->node[k], &mass[k]);
    }
    sn_volume8 now = sn_volume8_of(x);
    sn_f8 response = zero, fastest = zero;
    for (int k = 0; k < 4; ++k) {
        sn_f8 weighed = mass[k] * sn_vec3x8_dot(now.slope[k], now.slope[k]);
        response = response + weighed;
        fastest = sn_f8_max(mass[k] * weighed, fastest);
    }
    sn_i8 good = response > zero;
    sn_f8 error = now.six_fold - sn_load(&block->six_fold);
    sn_f8 push = -share * error / sn_f8_select(good, response, one);
    sn_f8 limit = share * sn_load(&block->size) / sn_f8_sqrt(sn_f8_select(fastest > zero, fastest, one));
    push = sn_f8_max(sn_f8_min(push, limit), -limit);
    for (int k = 0; k < 4; ++k) {
        sn_vec3x8 change = masked(good, sn_vec3x8_scale(now.slope[k], push * mass[k]));
        sn_scatter_nodes(pass->places, block->node[k], sn_vec3x8_add(x[k], change), mass[k]);
    }
}

static void project_lengths(const sn_projection_pass *pass, void *blocks, int begin, int end)
{
    for (int k = SN_PARTS * begin; k < SN_PARTS * end; ++k) {
        project_length(pass, sn_part_of(blocks, sizeof(sn_length_block), k));
    }
}

static void project_volumes(const sn_projection_pass *pass, void *blocks, int begin, int end)
{
    for (int k = SN_PARTS * begin; k < SN_PARTS * end; ++k) {
        project_volume(pass, sn_part_of(blocks, sizeof(sn_volume_block), k));
    }
}

const sn_projections SN_BUILD(sn_projections) = {.lengths = project_lengths, .volumes = project_volumes};
