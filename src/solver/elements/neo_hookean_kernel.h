// The kernels of neo-Hookean tetrahedra, eight at a time (see solver_kernels.h). The mathematics is in
// neo_hookean_block.h.
#include "solver/elements/neo_hookean_block.h"

#include <float.h>

// --- rotations taken out -----------------------------------------------------------------------------------

// M − [y]× F D⁻¹ with (tr G · 1 − G) y = axial(M Fᵀ), G = F D⁻¹ Fᵀ: an impulse without torque.
SN_INLINE sn_mat3x8 without_torque(sn_mat3x8 m, const sn_mat3x8 *f, const sn_mat3x8 *through,
                                   sn_sym3x8 spin_inverse)
{
    sn_vec3x8 axial = sn_vec3x8_add(sn_vec3x8_add(sn_vec3x8_cross(f->x, m.x), sn_vec3x8_cross(f->y, m.y)),
                                    sn_vec3x8_cross(f->z, m.z));
    sn_vec3x8 y = sn_sym3x8_apply(spin_inverse, axial);
    return (sn_mat3x8){sn_vec3x8_sub(m.x, sn_vec3x8_cross(y, through->x)),
                       sn_vec3x8_sub(m.y, sn_vec3x8_cross(y, through->y)),
                       sn_vec3x8_sub(m.z, sn_vec3x8_cross(y, through->z))};
}

// (tr G · 1 − G)⁻¹ for G = F D⁻¹ Fᵀ, or zero where the tetrahedron is nearly a line, whose rotation is not
// known.
SN_INLINE sn_sym3x8 spin_inverse_of(const sn_mat3x8 *f, const sn_mat3x8 *through)
{
    sn_f8 g_xx = f->x.x * through->x.x + f->y.x * through->y.x + f->z.x * through->z.x;
    sn_f8 g_yy = f->x.y * through->x.y + f->y.y * through->y.y + f->z.y * through->z.y;
    sn_f8 g_zz = f->x.z * through->x.z + f->y.z * through->y.z + f->z.z * through->z.z;
    sn_f8 yz = -(f->x.y * through->x.z + f->y.y * through->y.z + f->z.y * through->z.z);
    sn_f8 xz = -(f->x.x * through->x.z + f->y.x * through->y.z + f->z.x * through->z.z);
    sn_f8 xy = -(f->x.x * through->x.y + f->y.x * through->y.y + f->z.x * through->z.y);
    sn_f8 xx = g_yy + g_zz, yy = g_xx + g_zz, zz = g_xx + g_yy, trace = xx + g_xx;
    sn_f8 determinant;
    sn_sym3x8 c = sn_sym3x8_adjugate((sn_sym3x8){xx, yy, zz, yz, xz, xy}, &determinant);
    sn_i8 is_good = determinant > sn_f8_set(1.0e-4f) * trace * trace * trace + sn_f8_set(1.0e-30f);
    sn_f8 inverse = sn_f8_inverse_where(is_good, determinant);
    return sn_sym3x8_scale(c, inverse);
}

// --- refreshing --------------------------------------------------------------------------------------------

// The factor of cof F ⊗ cof F in the stiffness of the present shape, times hV: λ at rest, λ + ⅚ µ far from
// it. It is reduced in two cases. Where J is off by more than a half, the part of λ above 2µ is scaled down:
// nearly incompressible elements would otherwise keep each other inverted for ever. And where F is so large
// that the stiffness, which grows with cof F, would exceed the limit, it is clamped.
SN_INLINE sn_f8 bulk_of(const sn_neo_hookean_block *block, sn_f8 growth, sn_f8 share)
{
    sn_f8 one = sn_f8_set(1.0f), shear = sn_load(&block->shear), bulk = sn_load(&block->bulk);
    sn_f8 beyond = sn_f8_max(sn_f8_max(growth, -growth) - sn_f8_set(0.5f), sn_f8_set(0.0f));
    sn_f8 base = sn_f8_min(bulk, shear + shear);
    sn_f8 softened = base + (bulk - base) / (one + sn_f8_set(16.0f) * beyond * beyond);
    return sn_f8_min(softened + sn_f8_set(5.0f / 6.0f) * shear * (one - share),
                     sn_load(&block->largest_bulk) * share);
}

// κ/γ of the stiffest direction.
SN_INLINE sn_f8 firmness_of(const sn_neo_hookean_block *block, sn_mat3x8 c, sn_f8 bulk)
{
    sn_f8 shear = sn_load(&block->shear), scale = sn_load(&block->time) * sn_load(&block->size);
    return scale * (shear + shear + bulk * sn_mat3x8_dot(c, c));
}

// hV P. The pressure has a limit too, as it makes stiffness when F changes, the more the larger F is.
SN_INLINE sn_mat3x8 stress_of(const sn_neo_hookean_block *block, sn_mat3x8 f, sn_mat3x8 c, sn_f8 growth,
                              sn_f8 bulk)
{
    sn_f8 one = sn_f8_set(1.0f), three = sn_f8_set(3.0f), shear = sn_load(&block->shear);
    sn_f8 size = sn_mat3x8_dot(f, f), along = sn_f8_set(4.0f / 3.0f) * shear * size / (size + one);
    sn_f8 limit = sn_load(&block->largest_bulk) * three / sn_f8_max(size, three);
    sn_f8 excess = bulk * growth;
    sn_f8 pressure = sn_f8_max(sn_f8_min(excess, limit), -limit) - shear;
    return sn_mat3x8_add(sn_mat3x8_scale(f, along), sn_mat3x8_scale(c, pressure));
}

// hV H Ḟ times a time.
SN_INLINE sn_mat3x8 stress_rate(const sn_neo_hookean_block *block, const sn_vec3x8 v[4], sn_mat3x8 c,
                                sn_f8 time)
{
    sn_mat3x8 rate = sn_shape_gradient_of(&block->shape, v);
    sn_f8 shear = sn_load(&block->shear), bulk = sn_load(&block->present_bulk);
    return sn_mat3x8_add(sn_mat3x8_scale(rate, (shear + shear) * time),
                         sn_mat3x8_scale(c, bulk * time * sn_mat3x8_dot(c, rate)));
}

SN_INLINE void neo_hookean_refresh_block(const sn_element_pass *pass, sn_neo_hookean_block *block)
{
    sn_f8 masses[4];
    sn_vec3x8 x[4];
    sn_shape_places(&block->shape, pass->felt, x, masses);
    if (sn_shape_is_outdated(&block->shape, pass, masses)) {
        sn_neo_hookean_make(pass, block, SN_WIDTH);
    }
    sn_mat3x8 f = sn_shape_gradient_of(&block->shape, x);
    sn_mat3x8 c = {sn_vec3x8_cross(f.y, f.z), sn_vec3x8_cross(f.z, f.x), sn_vec3x8_cross(f.x, f.y)};
    sn_mat3x8 through = sn_mat3x8_times_symmetric(f, sn_load_sym3x8(block->inverse));
    sn_sym3x8 spin_inverse = spin_inverse_of(&f, &through);
    // What the part of rank one needs: cof F B as a right-hand side, solved and scaled.
    sn_mat3x8 response = without_torque(sn_mat3x8_times_symmetric(c, sn_load_sym3x8(block->product)), &f,
                                        &through, spin_inverse);
    sn_f8 growth = sn_vec3x8_dot(f.x, c.x) - sn_f8_set(1.0f);
    sn_f8 three = sn_f8_set(3.0f), share = three / sn_f8_max(sn_mat3x8_dot(c, c), three); // of being at rest
    sn_f8 bulk = bulk_of(block, growth, share), firm = bulk * sn_load(&block->time);
    sn_f8 whole_bulk = bulk + sn_f8_set(5.0f / 6.0f) * sn_load(&block->shear) * share;
    sn_f8 scale = firm / (sn_f8_set(1.0f) + firm * sn_mat3x8_dot(c, response));
    sn_store_mat3x8(block->deformation, f);
    sn_store_mat3x8(block->through, through);
    sn_store_mat3x8(block->cofactor, c);
    sn_store(&block->present_bulk, bulk);
    sn_store(&block->firmness, firmness_of(block, c, bulk));
    sn_store_mat3x8(block->last_target, sn_load_mat3x8(block->target));
    sn_mat3x8 stress = stress_of(block, f, c, growth, whole_bulk);
    if (pass->ahead != 0.0f) {
        sn_vec3x8 v[4];
        sn_shape_gather(pass, &block->shape, v);
        stress = sn_mat3x8_sub(stress, stress_rate(block, v, c, sn_f8_set(pass->ahead)));
    }
    sn_store_mat3x8(block->target, stress);
    sn_store_mat3x8(block->response, sn_mat3x8_scale(response, scale));
    sn_store_sym3x8(block->spin_inverse, spin_inverse);
    // The impulse turns with F.
    sn_mat3x8 impulse = sn_load_mat3x8(block->impulse);
    sn_store_mat3x8(block->impulse, without_torque(impulse, &f, &through, spin_inverse));
}

// --- impulses ----------------------------------------------------------------------------------------------

// Changes velocities by the impulse S and writes them back.
SN_INLINE void neo_hookean_push(const sn_element_pass *pass, const sn_neo_hookean_block *block, sn_mat3x8 s,
                                sn_vec3x8 v[4])
{
    sn_vec3x8 sum = {sn_f8_set(0.0f), sn_f8_set(0.0f), sn_f8_set(0.0f)};
    for (int k = 0; k < 3; ++k) {
        sn_vec3x8 force = sn_mat3x8_apply(s, sn_load3(block->shape.gradient[k]));
        v[k + 1] =
            sn_vec3x8_add(v[k + 1], sn_vec3x8_scale(force, sn_load(&block->shape.inverse_mass[k + 1])));
        sum = sn_vec3x8_add(sum, force);
    }
    v[0] = sn_vec3x8_sub(v[0], sn_vec3x8_scale(sum, sn_load(&block->shape.inverse_mass[0])));
    sn_shape_scatter(pass, &block->shape, v);
}

// S + hV [P + (h + b) H Ḟ], which a sweep takes to zero. Rotations are left in Ḟ: what they add has no
// part in impulses without torque.
SN_INLINE sn_mat3x8 residual(const sn_neo_hookean_block *block, const sn_lanes *target, const sn_vec3x8 v[4],
                             sn_mat3x8 c)
{
    sn_mat3x8 stress = stress_rate(block, v, c, sn_load(&block->time));
    return sn_mat3x8_add(sn_mat3x8_add(sn_load_mat3x8(block->impulse), sn_load_mat3x8(target)), stress);
}

SN_INLINE void neo_hookean_solve_block(const sn_element_pass *pass, sn_neo_hookean_block *block,
                                       const sn_lanes *target)
{
    sn_vec3x8 v[4];
    sn_shape_gather(pass, &block->shape, v);
    sn_mat3x8 f = sn_load_mat3x8(block->deformation), c = sn_load_mat3x8(block->cofactor);
    sn_mat3x8 through = sn_load_mat3x8(block->through), wanted = residual(block, target, v, c);
    // Minus the residual, the part of rank one solved; then the rest.
    sn_f8 volume = sn_mat3x8_dot(sn_load_mat3x8(block->response), wanted);
    wanted = sn_mat3x8_sub(sn_mat3x8_scale(c, volume), wanted);
    sn_mat3x8 change = without_torque(sn_mat3x8_times_symmetric(wanted, sn_load_sym3x8(block->inverse)), &f,
                                      &through, sn_load_sym3x8(block->spin_inverse));
    neo_hookean_push(pass, block, change, v);
    sn_store_mat3x8(block->impulse, sn_mat3x8_add(sn_load_mat3x8(block->impulse), change));
}

static void neo_hookean_refresh(const sn_element_pass *pass, void *blocks, int begin, int end)
{
    for (int k = SN_PARTS * begin; k < SN_PARTS * end; ++k) {
        neo_hookean_refresh_block(pass, sn_part_of(blocks, sizeof(sn_neo_hookean_block), k));
    }
}

static void neo_hookean_warm_start(const sn_element_pass *pass, void *blocks, int begin, int end)
{
    for (int k = SN_PARTS * begin; k < SN_PARTS * end; ++k) {
        const sn_neo_hookean_block *block = sn_part_of(blocks, sizeof *block, k);
        sn_vec3x8 v[4];
        sn_shape_gather(pass, &block->shape, v);
        neo_hookean_push(pass, block, sn_load_mat3x8(block->impulse), v);
    }
}

SN_SHARED void neo_hookean_sweep(const sn_element_pass *pass, void *blocks, int begin, int end, bool relaxes)
{
    for (int k = begin; k < end; ++k) {
        sn_neo_hookean_block *whole = (sn_neo_hookean_block *)blocks + sn_element_turn(pass, begin, end, k);
        bool is_left_out = relaxes && !sn_any_lane_above(&whole->firmness, 0, 1, SN_FIRM);
        for (int i = 0; i < SN_PARTS && !is_left_out; ++i) {
            sn_neo_hookean_block *block = sn_part_of(whole, 0, i);
            neo_hookean_solve_block(pass, block, relaxes ? block->last_target : block->target);
        }
    }
}

static void neo_hookean_solve(const sn_element_pass *pass, void *blocks, int begin, int end)
{
    neo_hookean_sweep(pass, blocks, begin, end, false);
}

static void neo_hookean_relax(const sn_element_pass *pass, void *blocks, int begin, int end)
{
    neo_hookean_sweep(pass, blocks, begin, end, true);
}

static void neo_hookean_measure(const sn_node_state *nodes, const void *blocks, int block_count,
                                sn_element_measure *sum)
{
    for (int k = 0; k < SN_PARTS * block_count; ++k) {
        const sn_neo_hookean_block *block = sn_part_of(blocks, sizeof *block, k);
        sn_f8 unused[4];
        sn_vec3x8 x[4];
        sn_lanes f[9];
        sn_shape_places(&block->shape, nodes, x, unused);
        sn_store_mat3x8(f, sn_shape_gradient_of(&block->shape, x));
        for (int lane = 0; lane < SN_WIDTH; ++lane) {
            sn_mat3 one = {sn_lanes_take3(f, lane), sn_lanes_take3(f + 3, lane), sn_lanes_take3(f + 6, lane)};
            sum->energy += block->shape.node[0][lane] != 0 ? sn_neo_hookean_energy(block, lane, one) : 0.0;
        }
    }
}

const sn_element_kind SN_BUILD(sn_element_neo_hookean) = {
    .name = "neo-Hookean",
    .block_size = sizeof(sn_neo_hookean_block),
    .memory = {{offsetof(sn_neo_hookean_block, impulse), 9, 0.0f, false},
               {offsetof(sn_neo_hookean_block, most), 2, FLT_MAX, true}},
    .refresh = neo_hookean_refresh,
    .warm_start = neo_hookean_warm_start,
    .solve = neo_hookean_solve,
    .relax = neo_hookean_relax,
    .is_stiff = sn_neo_hookean_is_stiff,
    .count_unresolved = sn_neo_hookean_unresolved,
    .is_elastic = true,
    .measure = neo_hookean_measure};
