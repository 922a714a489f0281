// Corotational tetrahedra as forces, eight at a time (see model_kernels.h). The mathematics is in
// tetrahedra.h. Tested by tests/model/test_model.c.
#include "math/corotation8.h"
#include "model/forces/force_sums.h"
#include "model/forces/tetrahedra.h"
#include "solver/elements/element.h"

// Newton's search for R ends to the last digits of a float in so many steps, also from far away.
#define ROTATION_STEPS 4

SN_INLINE sn_corotational_block *part_of(const sn_corotational_pass *pass, int part)
{
    return sn_part_of(pass->blocks, sizeof *pass->blocks, part);
}

SN_INLINE sn_quat8 rotations_of(const sn_corotational_pass *pass, int part)
{
    sn_lanes q[4];
    for (int i = 0; i < SN_WIDTH; ++i) {
        int element = part * SN_WIDTH + i;
        sn_quat one = element < pass->element_count ? pass->rotations[element] : sn_quat_identity;
        q[0].lane[i] = one.x, q[1].lane[i] = one.y, q[2].lane[i] = one.z, q[3].lane[i] = one.w;
    }
    return (sn_quat8){sn_load(&q[0]), sn_load(&q[1]), sn_load(&q[2]), sn_load(&q[3])};
}

SN_INLINE void keep_rotations(const sn_corotational_pass *pass, int part, sn_quat8 q)
{
    for (int i = 0; i < SN_WIDTH && part * SN_WIDTH + i < pass->element_count; ++i) {
        pass->rotations[part * SN_WIDTH + i] = (sn_quat){q.x[i], q.y[i], q.z[i], q.w[i]};
    }
}

SN_INLINE void shape_gradients_of(const sn_corotational_block *block, sn_vec3x8 b[3])
{
    for (int k = 0; k < 3; ++k) {
        b[k] = sn_load3(block->gradient[k]);
    }
}

// Σ (x_a − x₀) b_aᵀ.
SN_INLINE sn_mat3x8 gradient_of(const sn_corotational_block *block, const sn_vec3x8 x[4])
{
    sn_vec3x8 along[3], b[3];
    shape_gradients_of(block, b);
    for (int k = 0; k < 3; ++k) {
        along[k] = sn_vec3x8_sub(x[k + 1], x[0]);
    }
    return sn_outer_sum3x8(along, b);
}

// R, U and the rotation by which they were found, where the nodes are.
SN_SHARED void find_corotation(const sn_corotational_pass *pass, int part, sn_corotation8 *now,
                               sn_quat8 *rotation)
{
    const sn_corotational_block *block = part_of(pass, part);
    sn_vec3x8 x[4];
    sn_f8 unused;
    for (int a = 0; a < 4; ++a) {
        x[a] = sn_gather_nodes(pass->places, block->node[a], &unused);
    }
    sn_mat3x8 f = gradient_of(block, x);
    *rotation = sn_polar8(rotations_of(pass, part), &f, ROTATION_STEPS);
    now->turn = sn_quat8_matrix(*rotation);
    f = sn_unturned8(&now->turn, &f);
    now->stretch = sn_symmetric8(&f);
    // Flat or inverted elements have their R frozen (see tetrahedron_block.h).
    now->spin_inverse = sn_spin_inverse8(now->stretch, sn_is_stretch8(now->stretch));
}

SN_INLINE sn_corotation8 load_frames(const sn_corotational_block *block)
{
    return (sn_corotation8){sn_load_mat3x8(block->turn[0]), sn_load_sym3x8(block->stretch),
                            sn_load_sym3x8(block->spin_inverse)};
}

static void look_at_tetrahedra(const sn_corotational_pass *pass, int begin, int end)
{
    for (int i = SN_PARTS * begin; i < SN_PARTS * end; ++i) {
        sn_corotational_block *block = part_of(pass, i);
        sn_quat8 rotation;
        sn_corotation8 now;
        find_corotation(pass, i, &now, &rotation);
        keep_rotations(pass, i, rotation);
        sn_store_mat3x8(block->turn[0], now.turn);
        sn_store_sym3x8(block->stretch, now.stretch);
        sn_store_sym3x8(block->spin_inverse, now.spin_inverse);
    }
}

// --- forces ------------------------------------------------------------------------------------------------

// V (λ tr e 1 + 2µ e).
SN_INLINE sn_sym3x8 stress_of(const sn_corotational_pass *pass, const sn_corotational_block *block,
                              sn_sym3x8 e)
{
    sn_f8 volume = sn_load(&block->volume), twice = sn_f8_set(2.0f * pass->mu) * volume;
    sn_f8 pressure = sn_f8_set(pass->lambda) * volume * (e.xx + e.yy + e.zz);
    return (sn_sym3x8){pressure + twice * e.xx,
                       pressure + twice * e.yy,
                       pressure + twice * e.zz,
                       twice * e.yz,
                       twice * e.xz,
                       twice * e.xy};
}

SN_INLINE sn_sym3x8 strain_of(sn_sym3x8 u)
{
    sn_f8 one = sn_f8_set(1.0f);
    return (sn_sym3x8){u.xx - one, u.yy - one, u.zz - one, u.yz, u.xz, u.xy};
}

SN_INLINE void keep_forces(const sn_corotational_pass *pass, int part, const sn_corotation8 *now,
                           sn_sym3x8 stress)
{
    sn_vec3x8 b[3], forces[3];
    shape_gradients_of(part_of(pass, part), b);
    sn_stress_forces8(now, stress, b, forces);
    for (int k = 0; k < 3; ++k) {
        sn_f4 records[SN_WIDTH];
        sn_records_of(sn_vec3x8_scale(forces[k], sn_f8_set(-1.0f)), sn_f8_set(0.0f), records);
        memcpy(pass->blocks[part / SN_PARTS].force[k][SN_WIDTH * (part % SN_PARTS)], records, sizeof records);
    }
}

static void find_elastic(const sn_corotational_pass *pass, int begin, int end)
{
    for (int i = SN_PARTS * begin; i < SN_PARTS * end; ++i) {
        sn_corotational_block *block = part_of(pass, i);
        sn_corotation8 now = load_frames(block);
        keep_forces(pass, i, &now, stress_of(pass, block, strain_of(now.stretch)));
    }
}

static void find_resistance(const sn_corotational_pass *pass, int begin, int end)
{
    for (int i = SN_PARTS * begin; i < SN_PARTS * end; ++i) {
        sn_corotational_block *block = part_of(pass, i);
        sn_corotation8 now = load_frames(block);
        sn_vec3x8 field[4];
        for (int a = 0; a < 4; ++a) {
            field[a] = sn_gather_velocities(pass->field, block->node[a]);
        }
        sn_mat3x8 rate = gradient_of(block, field), l = sn_unturned8(&now.turn, &rate);
        keep_forces(pass, i, &now, stress_of(pass, block, sn_stretch_rate8(&now, &l)));
    }
}

// One thread, in order: elements share nodes.
static void add_forces_found(const sn_corotational_pass *pass, int count, sn_node_force *forces)
{
    for (int i = 0; i < count; ++i) {
        const sn_corotational_block *block = &pass->blocks[i];
        for (int lane = 0; lane < SN_LANES; ++lane) {
            for (int k = 0; k < 3; ++k) {
                sn_f4 force;
                memcpy(&force, block->force[k][lane], sizeof force);
                sn_force_add(&forces[block->node[k + 1][lane]], force);
                sn_force_add(&forces[block->node[0][lane]], -force);
            }
        }
    }
}

// --- stiffness and energy ----------------------------------------------------------------------------------

// K_aa = V ((λ + µ) g gᵀ + µ |g|² 1) with g = R b_a.
static void add_diagonal_blocks(const sn_corotational_pass *pass, int count, float scale, sn_sym3 *blocks)
{
    for (int i = 0; i < SN_PARTS * count; ++i) {
        const sn_corotational_block *block = part_of(pass, i);
        // Rotations are saved, as frames are not.
        sn_mat3x8 turn = sn_quat8_matrix(rotations_of(pass, i));
        sn_vec3x8 b[3], g[4];
        shape_gradients_of(block, b);
        g[0] = sn_vec3x8_scale(sn_vec3x8_add(sn_vec3x8_add(b[0], b[1]), b[2]), sn_f8_set(-1.0f));
        for (int a = 0; a < 4; ++a) {
            g[a] = sn_mat3x8_apply(turn, a > 0 ? b[a - 1] : g[0]);
        }
        for (int lane = 0; lane < SN_WIDTH; ++lane) {
            float along = scale * block->volume.lane[lane] * (pass->lambda + 2.0f * pass->mu);
            float across = scale * block->volume.lane[lane] * pass->mu;
            for (int a = 3; a >= 0; --a) {
                sn_sym3_add_outer(&blocks[block->node[a][lane]],
                                  sn_v(g[a].x[lane], g[a].y[lane], g[a].z[lane]), along, across);
            }
        }
    }
}

// ½ Σ V S : (U − 1).
static double energy_of_tetrahedra(const sn_corotational_pass *pass, int count)
{
    double sum = 0.0;
    for (int i = 0; i < SN_PARTS * count; ++i) {
        sn_quat8 rotation;
        sn_corotation8 now;
        find_corotation(pass, i, &now, &rotation);
        sn_sym3x8 e = strain_of(now.stretch);
        sn_sym3x8 s = stress_of(pass, part_of(pass, i), e);
        sn_f8 work = s.xx * e.xx + s.yy * e.yy + s.zz * e.zz +
                     sn_f8_set(2.0f) * (s.xy * e.xy + s.xz * e.xz + s.yz * e.yz);
        for (int lane = 0; lane < SN_WIDTH; ++lane) {
            sum += 0.5 * (double)work[lane];
        }
    }
    return sum;
}

const sn_corotational_kernels SN_BUILD(sn_corotational_kernels) = {.look = look_at_tetrahedra,
                                                                   .elastic = find_elastic,
                                                                   .resist = find_resistance,
                                                                   .add_forces = add_forces_found,
                                                                   .diagonal = add_diagonal_blocks,
                                                                   .energy = energy_of_tetrahedra};
