// The kernels of air drag and lift, eight triangles or edges at a time (see solver_kernels.h). The
// mathematics is in air_block.h.
#include "solver/elements/air_block.h"

SN_INLINE sn_f8 length_of(sn_vec3x8 v)
{
    return sn_f8_sqrt(sn_vec3x8_dot(v, v));
}

// 1/a, or 0 where there is nothing to divide by.
SN_INLINE sn_f8 inverse_of(sn_f8 a)
{
    return sn_f8_inverse_where(a > sn_f8_set(1.0e-20f), a);
}

SN_INLINE void store_direction(sn_air_block *block, sn_vec3x8 v, sn_f8 length, sn_f8 area)
{
    sn_store3(block->direction, sn_vec3x8_scale(v, inverse_of(length)));
    sn_store(&block->area, area);
}

SN_INLINE void air_refresh_block(const sn_element_pass *pass, sn_air_block *block, bool strand)
{
    sn_vec3x8 x[3];
    for (int a = 0; a < 3; ++a) {
        sn_f8 weight;
        x[a] = sn_gather_nodes(pass->felt, block->node[a], &weight);
        sn_store(&block->inverse_mass[a], weight);
    }
    sn_vec3x8 along = sn_vec3x8_sub(x[1], x[0]);
    if (strand) {
        sn_f8 length = length_of(along);
        store_direction(block, along, length, length * sn_load(&block->width));
    } else {
        sn_vec3x8 normal = sn_vec3x8_cross(along, sn_vec3x8_sub(x[2], x[0]));
        sn_f8 length = length_of(normal);
        store_direction(block, normal, length, sn_f8_set(0.5f) * length);
    }
}

// The force on an element at the relative velocity r, and a bound of its growth with r [kg/s].
typedef struct push8 {
    sn_vec3x8 force;
    sn_f8 rate;
} push8;

SN_INLINE push8 push_on_triangle(const sn_air_block *block, sn_vec3x8 r)
{
    sn_f8 zero = sn_f8_set(0.0f), speed = length_of(r);
    sn_vec3x8 normal = sn_load3(block->direction);
    sn_f8 through = sn_vec3x8_dot(normal, r);
    sn_i8 from_behind = through > zero, one_sided;
    memcpy(&one_sided, block->one_sided, sizeof one_sided);
    sn_f8 facing = sn_f8_select(from_behind, through, -through);
    facing = sn_f8_select(from_behind & one_sided, zero, facing);
    sn_f8 flow = facing * sn_load(&block->area), drag = sn_load(&block->drag), lift = sn_load(&block->lift);
    sn_f8 along = drag - lift * facing * inverse_of(speed);
    sn_f8 across = sn_f8_select(from_behind, lift, -lift) * speed;
    sn_vec3x8 force = sn_vec3x8_add(sn_vec3x8_scale(r, along), sn_vec3x8_scale(normal, across));
    return (push8){sn_vec3x8_scale(force, flow), flow * (drag + lift)};
}

SN_INLINE push8 push_on_strand(const sn_air_block *block, sn_vec3x8 r)
{
    sn_vec3x8 tangent = sn_load3(block->direction);
    sn_vec3x8 across = sn_vec3x8_sub(r, sn_vec3x8_scale(tangent, sn_vec3x8_dot(tangent, r)));
    sn_f8 rate = sn_load(&block->drag) * sn_load(&block->area) * length_of(across);
    return (push8){sn_vec3x8_scale(across, rate), rate};
}

SN_INLINE void air_push_block(const sn_element_pass *pass, const sn_air_block *block, bool strand)
{
    int count = strand ? 2 : 3;
    sn_f8 one = sn_f8_set(1.0f), h = sn_f8_set(pass->h), share = sn_f8_set(strand ? 0.5f : 1.0f / 3.0f);
    sn_f8 weight = sn_f8_set(0.0f);
    sn_vec3x8 v[3], mean = {weight, weight, weight};
    for (int a = 0; a < count; ++a) {
        v[a] = sn_gather_velocities(pass->velocities, block->node[a]);
        mean = sn_vec3x8_add(mean, sn_vec3x8_scale(v[a], share));
        weight = weight + share * share * sn_load(&block->inverse_mass[a]);
    }
    sn_vec3x8 wind = {sn_f8_set(pass->wind.x), sn_f8_set(pass->wind.y), sn_f8_set(pass->wind.z)};
    sn_vec3x8 r = sn_vec3x8_sub(wind, mean);
    push8 push = strand ? push_on_strand(block, r) : push_on_triangle(block, r);
    weight = sn_f8_max(weight, sn_load(&block->response));
    sn_f8 scale = h * share / (one + h * push.rate * weight);
    for (int a = 0; a < count; ++a) {
        sn_f8 on_node = scale * sn_load(&block->inverse_mass[a]);
        v[a] = sn_vec3x8_add(v[a], sn_vec3x8_scale(push.force, on_node));
        sn_scatter_velocities(pass->velocities, block->node[a], v[a]);
    }
}

#define SN_AIR_LOOPS(target, strand)                                                                         \
    static void refresh_##target(const sn_element_pass *pass, void *blocks, int begin, int end)              \
    {                                                                                                        \
        for (int k = SN_PARTS * begin; k < SN_PARTS * end; ++k) {                                            \
            air_refresh_block(pass, sn_part_of(blocks, sizeof(sn_air_block), k), strand);                    \
        }                                                                                                    \
    }                                                                                                        \
    static void push_##target(const sn_element_pass *pass, void *blocks, int begin, int end)                 \
    {                                                                                                        \
        for (int k = SN_PARTS * begin; k < SN_PARTS * end; ++k) {                                            \
            air_push_block(pass, sn_part_of(blocks, sizeof(sn_air_block), k), strand);                       \
        }                                                                                                    \
    }
SN_AIR_LOOPS(triangles, false)
SN_AIR_LOOPS(strands, true)

const sn_element_kind SN_BUILD(sn_element_air)[SN_AIR_TARGETS] = {
    [SN_AIR_TRIANGLES] = {.name = "air on triangles",
                          .block_size = sizeof(sn_air_block),
                          .is_air = true,
                          .refresh = refresh_triangles,
                          .warm_start = push_triangles},
    [SN_AIR_STRANDS] = {.name = "air on strands",
                        .block_size = sizeof(sn_air_block),
                        .is_air = true,
                        .refresh = refresh_strands,
                        .warm_start = push_strands}};
