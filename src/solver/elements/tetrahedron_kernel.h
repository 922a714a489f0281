// The kernels of corotational tetrahedra, eight at a time (see solver_kernels.h). The mathematics is in
// tetrahedron_block.h.
// Tested by tests/solver/elements/test_elements_gauntlet.c.
#include "math/corotation8.h"
#include "solver/elements/tetrahedron_block.h"

#include <float.h>

static const float root3 = 0.57735026919f, root2 = 0.70710678119f, root6 = 0.40824829046f; // 1/√3, 1/√2, 1/√6

// --- refreshing --------------------------------------------------------------------------------------------

// Rows of a symmetric matrix: the strain of U − 1, or the rates of U̇.
SN_INLINE void rows_of(sn_sym3x8 e, sn_f8 rows[SN_TETRAHEDRON_ROWS])
{
    sn_f8 two = sn_f8_set(2.0f);
    rows[0] = (e.xx + e.yy + e.zz) * sn_f8_set(root3);
    rows[1] = (e.xx - e.yy) * sn_f8_set(root2);
    rows[2] = (e.xx + e.yy - two * e.zz) * sn_f8_set(root6);
    rows[3] = two * e.yz;
    rows[4] = two * e.xz;
    rows[5] = two * e.xy;
}

SN_INLINE sn_f8 norm_squared(sn_sym3x8 s)
{
    sn_f8 diagonal = s.xx * s.xx + s.yy * s.yy + s.zz * s.zz;
    return diagonal + sn_f8_set(2.0f) * (s.yz * s.yz + s.xz * s.xz + s.xy * s.xy);
}

// J W Jᵀ is inverted with R frozen. R's own change makes it larger, by at most 1 + g² with
// g = max (σ_i − σ_j)/(σ_i + σ_j) over the principal stretches. Corrections may be half as large again as
// they should be, but not twice, or sweeps over elements pressed nearly flat diverge. Norms bound g from
// above.
SN_INLINE sn_f8 relaxation_of(sn_sym3x8 u, sn_sym3x8 spin_inverse)
{
    sn_f8 one = sn_f8_set(1.0f), mean = (u.xx + u.yy + u.zz) * sn_f8_set(1.0f / 3.0f);
    sn_sym3x8 deviator = {u.xx - mean, u.yy - mean, u.zz - mean, u.yz, u.xz, u.xy};
    sn_f8 bound = one + sn_f8_set(2.0f) * norm_squared(deviator) * norm_squared(spin_inverse);
    return sn_f8_min(one, sn_f8_set(1.5f) / bound);
}

// Masses of nodes that move; zero of others.
SN_INLINE sn_f8 mass_of(const sn_tetrahedron_block *block, int node)
{
    sn_f8 w = sn_load(&block->shape.inverse_mass[node]), zero = sn_f8_set(0.0f), one = sn_f8_set(1.0f);
    return sn_f8_select(w > zero, one / sn_f8_select(w > zero, w, one), zero);
}

// Adds m (|r|² 1 − r rᵀ).
SN_INLINE void add_inertia(sn_sym3x8 *sum, sn_f8 mass, sn_vec3x8 r)
{
    sn_f8 xx = r.x * r.x, yy = r.y * r.y, zz = r.z * r.z;
    sum->xx += mass * (yy + zz);
    sum->yy += mass * (xx + zz);
    sum->zz += mass * (xx + yy);
    sum->yz -= mass * r.y * r.z;
    sum->xz -= mass * r.x * r.z;
    sum->xy -= mass * r.x * r.y;
}

// Zero in lanes not wanted, and of nodes nearly in a line or in one place.
SN_INLINE sn_sym3x8 inverse_inertia(sn_sym3x8 i, sn_i8 wanted)
{
    sn_f8 one = sn_f8_set(1.0f), zero = sn_f8_set(0.0f), trace = i.xx + i.yy + i.zz;
    wanted &= trace > sn_f8_set(1.0e-30f);
    sn_f8 unit = sn_f8_inverse_where(wanted, trace);
    sn_f8 determinant;
    sn_sym3x8 c = sn_sym3x8_adjugate(sn_sym3x8_scale(i, unit), &determinant);
    sn_i8 is_good = determinant > sn_f8_set(1.0e-4f);
    return sn_sym3x8_scale(c, sn_f8_select(is_good, unit / sn_f8_select(is_good, determinant, one), zero));
}

// Arms and inertia of the nodes of flat or inverted lanes. None if a node is fixed: that takes the torque.
SN_INLINE void refresh_lost(sn_tetrahedron_block *block, const sn_vec3x8 x[4], sn_i8 lost)
{
    sn_f8 zero = sn_f8_set(0.0f), mass[4], whole = zero;
    sn_vec3x8 center = {zero, zero, zero};
    for (int a = 0; a < 4; ++a) {
        mass[a] = mass_of(block, a);
        lost &= mass[a] > zero;
        whole = whole + mass[a];
        center = sn_vec3x8_add(center, sn_vec3x8_scale(sn_vec3x8_sub(x[a], x[0]), mass[a]));
    }
    sn_f8 inverse = sn_f8_set(1.0f) / sn_f8_select(whole > zero, whole, sn_f8_set(1.0f));
    center = sn_vec3x8_scale(center, inverse);
    sn_sym3x8 inertia = {zero, zero, zero, zero, zero, zero};
    for (int a = 0; a < 4; ++a) {
        sn_vec3x8 arm = sn_vec3x8_sub(sn_vec3x8_sub(x[a], x[0]), center);
        sn_store3(block->arm[a], arm);
        add_inertia(&inertia, mass[a], arm);
    }
    sn_store_sym3x8(block->inertia_inverse, inverse_inertia(inertia, lost));
}

// A tetrahedron where its nodes are now.
typedef struct corotated8 {
    sn_quat8 rotation; // R, also as a matrix
    sn_mat3x8 turn;
    sn_sym3x8 stretch;               // U
    sn_f8 rows[SN_TETRAHEDRON_ROWS]; // C
} corotated8;

SN_INLINE sn_quat8 load_rotation(const sn_tetrahedron_block *block)
{
    return (sn_quat8){sn_load(&block->rotation[0]), sn_load(&block->rotation[1]),
                      sn_load(&block->rotation[2]), sn_load(&block->rotation[3])};
}

SN_INLINE corotated8 corotate(const sn_tetrahedron_block *block, const sn_vec3x8 x[4], sn_quat8 guess,
                              int steps)
{
    corotated8 now;
    sn_f8 one = sn_f8_set(1.0f);
    sn_mat3x8 f = sn_shape_gradient_of(&block->shape, x);
    now.rotation = sn_polar8(guess, &f, steps);
    now.turn = sn_quat8_matrix(now.rotation);
    f = sn_unturned8(&now.turn, &f);
    sn_sym3x8 u = sn_symmetric8(&f);
    now.stretch = u;
    rows_of((sn_sym3x8){u.xx - one, u.yy - one, u.zz - one, u.yz, u.xz, u.xy}, now.rows);
    return now;
}

// --- elements that are pressed flat ------------------------------------------------------------------------

// The part of the pressure that sub-steps resolve: it is explicit, and stable while its stiffness is no more
// than what rows may have.
SN_INLINE sn_f8 resolved_part(const sn_tetrahedron_block *block, sn_sym3x8 cofactor)
{
    sn_f8 one = sn_f8_set(1.0f), stiffest = sn_f8_set(2.0f * SN_FLAT_PRESSURE / SN_FLAT_VOLUME);
    // What is resolved is not known before the first sub-step; with less than FLT_MAX products stay finite.
    sn_f8 least = sn_f8_set(FLT_MAX), unknown = sn_f8_set(1.0e20f);
    for (int r = 0; r < SN_TETRAHEDRON_ROWS; ++r) {
        sn_f8 compliance = sn_load(&block->compliance[r == 0 ? 0 : r < 3 ? 1 : 2]);
        least = sn_f8_min(least, compliance * sn_f8_min(sn_load(&block->most[r]), unknown));
    }
    return sn_f8_min(one, least / (stiffest * sn_f8_max(norm_squared(cofactor), one)));
}

// Lanes of less than J₀ of their volume. No compliance: no tetrahedron.
SN_INLINE sn_i8 is_pressed(const sn_tetrahedron_block *block, sn_sym3x8 u)
{
    sn_f8 minor = u.yy * u.zz - u.yz * u.yz;
    sn_f8 volume = u.xx * minor + u.xy * (u.xz * u.yz - u.xy * u.zz) + u.xz * (u.xy * u.yz - u.xz * u.yy);
    return (volume < sn_f8_set(SN_FLAT_VOLUME)) & (sn_load(&block->compliance[1]) > sn_f8_set(0.0f));
}

// What a pressed element has beyond the linear law.
typedef struct pressed8 {
    sn_f8 depth;        // 1 − J/J₀
    sn_f8 modulus;      // Y V, or as much of it as is resolved; 0 in lanes that are not pressed [N m]
    sn_sym3x8 cofactor; // of U
} pressed8;

SN_INLINE pressed8 pressed_of(const sn_tetrahedron_block *block, sn_sym3x8 stretch, sn_i8 wanted)
{
    pressed8 now;
    sn_f8 volume, shear = sn_load(&block->compliance[1]);
    sn_f8 sum = sn_load(&block->compliance[0]) + shear + shear;
    now.cofactor = sn_sym3x8_adjugate(stretch, &volume);
    now.depth = sn_f8_set(1.0f) - volume * sn_f8_set(1.0f / SN_FLAT_VOLUME);
    now.modulus = resolved_part(block, now.cofactor) * sn_f8_set(3.0f) * sn_f8_inverse_where(wanted, sum);
    return now;
}

// p/(k Y) at 1 − J/J₀ = 1 + beyond: on along the tangent, then straight to nothing.
#define FLAT_TOP   (1.0f + 2.0f * SN_FLAT_PEAK)
#define FLAT_SLOPE (FLAT_TOP / (SN_FLAT_END - SN_FLAT_PEAK))

SN_INLINE sn_f8 pressure_at(sn_f8 depth)
{
    sn_f8 zero = sn_f8_set(0.0f), one = sn_f8_set(1.0f), most = sn_f8_min(depth, one), beyond = depth - most;
    sn_f8 falling = sn_f8_set(FLAT_SLOPE) * (sn_f8_set(SN_FLAT_END) - beyond);
    return sn_f8_max(sn_f8_min(most * most + beyond + beyond, falling), zero);
}

// The integral of that.
SN_INLINE sn_f8 pressure_sum(sn_f8 depth)
{
    sn_f8 most = sn_f8_min(depth, sn_f8_set(1.0f)), beyond = depth - most;
    sn_f8 rise = sn_f8_min(beyond, sn_f8_set(SN_FLAT_PEAK));
    sn_f8 fall = sn_f8_min(beyond, sn_f8_set(SN_FLAT_END)) - rise;
    return sn_f8_set(1.0f / 3.0f) * most * most * most + rise + rise * rise +
           fall * (sn_f8_set(FLAT_TOP) - sn_f8_set(0.5f * FLAT_SLOPE) * fall);
}

// --- impulses ----------------------------------------------------------------------------------------------

SN_INLINE sn_corotation8 load_corotation(const sn_tetrahedron_block *block)
{
    return (sn_corotation8){sn_load_mat3x8(block->turn[0]), sn_load_sym3x8(block->stretch),
                            sn_load_sym3x8(block->spin_inverse)};
}

SN_INLINE void load_gradients(const sn_tetrahedron_block *block, sn_vec3x8 b[3])
{
    for (int k = 0; k < 3; ++k) {
        b[k] = sn_load3(block->shape.gradient[k]);
    }
}

// Takes out of velocities v, or of changes of them, the rotation that has their angular momentum.
SN_INLINE void stop_turning(const sn_tetrahedron_block *block, sn_vec3x8 v[4])
{
    sn_vec3x8 sum = {sn_f8_set(0.0f), sn_f8_set(0.0f), sn_f8_set(0.0f)};
    for (int a = 0; a < 4; ++a) {
        sn_vec3x8 momentum = sn_vec3x8_scale(v[a], mass_of(block, a));
        sum = sn_vec3x8_add(sum, sn_vec3x8_cross(sn_load3(block->arm[a]), momentum));
    }
    sn_vec3x8 turn = sn_sym3x8_apply(sn_load_sym3x8(block->inertia_inverse), sum);
    for (int a = 0; a < 4; ++a) {
        v[a] = sn_vec3x8_sub(v[a], sn_vec3x8_cross(turn, sn_load3(block->arm[a])));
    }
}

// Changes velocities by the impulses of the six rows. S has S : U̇ = Λ · Ċ; the spin y makes its torque
// vanish.
SN_INLINE void tetrahedron_push(const sn_tetrahedron_block *block, const sn_f8 impulse[SN_TETRAHEDRON_ROWS],
                                sn_vec3x8 v[4])
{
    sn_f8 bulk = impulse[0] * sn_f8_set(root3), side = impulse[1] * sn_f8_set(root2);
    sn_f8 height = impulse[2] * sn_f8_set(root6);
    sn_sym3x8 s = {bulk + side + height, bulk - side + height, bulk - sn_f8_set(2.0f) * height,
                   impulse[3],           impulse[4],           impulse[5]};
    sn_corotation8 now = load_corotation(block);
    sn_vec3x8 sum = {sn_f8_set(0.0f), sn_f8_set(0.0f), sn_f8_set(0.0f)}, b[3], force[3], change[4];
    load_gradients(block, b);
    sn_stress_forces8(&now, s, b, force);
    for (int k = 0; k < 3; ++k) {
        change[k + 1] = sn_vec3x8_scale(force[k], sn_load(&block->shape.inverse_mass[k + 1]));
        sum = sn_vec3x8_sub(sum, force[k]);
    }
    change[0] = sn_vec3x8_scale(sum, sn_load(&block->shape.inverse_mass[0]));
    if (block->has_lost[0]) {
        stop_turning(block, change);
    }
    for (int a = 0; a < 4; ++a) {
        v[a] = sn_vec3x8_add(v[a], change[a]);
    }
}

// Rates of the six rows.
SN_INLINE void rates(const sn_tetrahedron_block *block, const sn_vec3x8 v[4], sn_f8 rows[SN_TETRAHEDRON_ROWS])
{
    sn_corotation8 now = load_corotation(block);
    sn_vec3x8 relative[3], gradient[3], seen[4] = {v[0], v[1], v[2], v[3]};
    if (block->has_lost[0]) {
        stop_turning(block, seen);
    }
    for (int k = 0; k < 3; ++k) {
        relative[k] = sn_mat3x8_apply_transposed(now.turn, sn_vec3x8_sub(seen[k + 1], seen[0]));
    }
    load_gradients(block, gradient);
    sn_mat3x8 l = sn_outer_sum3x8(relative, gradient);
    rows_of(sn_stretch_rate8(&now, &l), rows);
}

// Impulses of the pressure, where it will be at the end of the sub-step if nothing else acts: so it damps.
// Where the pressure falls, it is the less of that and of what it is now.
SN_INLINE void resist_flattening(const sn_element_pass *pass, const sn_tetrahedron_block *block,
                                 const sn_vec3x8 v[4], sn_f8 impulse[SN_TETRAHEDRON_ROWS])
{
    sn_sym3x8 stretch = sn_load_sym3x8(block->stretch);
    sn_i8 wanted = is_pressed(block, stretch);
    if (!sn_i8_any(wanted)) {
        return;
    }
    pressed8 now = pressed_of(block, stretch, wanted);
    sn_f8 two = sn_f8_set(2.0f), zero = sn_f8_set(0.0f), speed[SN_TETRAHEDRON_ROWS];
    sn_f8 growth = zero; // dJ/dt
    sn_sym3x8 c = now.cofactor;
    const sn_f8 stress[SN_TETRAHEDRON_ROWS] = {(c.xx + c.yy + c.zz) * sn_f8_set(root3),
                                               (c.xx - c.yy) * sn_f8_set(root2),
                                               (c.xx + c.yy - two * c.zz) * sn_f8_set(root6),
                                               c.yz,
                                               c.xz,
                                               c.xy};
    rates(block, v, speed);
    for (int r = 0; r < SN_TETRAHEDRON_ROWS; ++r) {
        growth = growth + stress[r] * speed[r];
    }
    sn_f8 ahead = sn_f8_max(now.depth - growth * sn_f8_set(pass->h / SN_FLAT_VOLUME), zero);
    sn_f8 rises = sn_f8_set(1.0f + SN_FLAT_PEAK);
    sn_f8 pressure = sn_f8_select(now.depth < rises, pressure_at(sn_f8_min(ahead, rises)),
                                  sn_f8_min(pressure_at(now.depth), pressure_at(ahead)));
    sn_f8 size = now.modulus * sn_f8_set(pass->h * SN_FLAT_PRESSURE) * pressure;
    for (int r = 0; r < SN_TETRAHEDRON_ROWS; ++r) {
        impulse[r] = sn_f8_select(wanted, impulse[r] + size * stress[r], impulse[r]);
    }
}

// What refreshing finds and does not store.
typedef struct refreshed8 {
    sn_vec3x8 x[4];
    sn_f8 rows[SN_TETRAHEDRON_ROWS]; // C
    sn_i8 is_lost;                   // flat or inverted
} refreshed8;

SN_INLINE refreshed8 refresh_shape(const sn_element_pass *pass, sn_tetrahedron_block *block)
{
    refreshed8 found;
    sn_f8 masses[4];
    sn_shape_places(&block->shape, pass->felt, found.x, masses);
    if (sn_shape_is_outdated(&block->shape, pass, masses)) {
        sn_tetrahedron_invert(pass, block, SN_WIDTH);
    }
    // While the position solver iterates, rotations converge with positions.
    corotated8 now = corotate(block, found.x, load_rotation(block), pass->ahead != 0.0f ? 1 : 2);
    sn_f8 q[4] = {now.rotation.x, now.rotation.y, now.rotation.z, now.rotation.w};
    for (int i = 0; i < 4; ++i) {
        sn_store(&block->rotation[i], q[i]);
    }
    sn_store_mat3x8(block->turn[0], now.turn);
    sn_store_sym3x8(block->stretch, now.stretch);
    sn_i8 is_upright = sn_is_stretch8(now.stretch);
    sn_sym3x8 inverse = sn_spin_inverse8(now.stretch, is_upright);
    sn_store_sym3x8(block->spin_inverse, inverse);
    sn_store(&block->relaxation, relaxation_of(now.stretch, inverse));
    memcpy(found.rows, now.rows, sizeof found.rows);
    found.is_lost = ~is_upright;
    return found;
}

SN_INLINE void refresh_bias(const sn_element_pass *pass, sn_tetrahedron_block *block, refreshed8 *found,
                            bool has_lost)
{
    for (int i = 0; i < SN_WIDTH; i += SN_LANES / 2) {
        block->has_lost[i] = has_lost;
    }
    if (has_lost) {
        refresh_lost(block, found->x, found->is_lost);
    }
    if (pass->ahead != 0.0f) {
        sn_vec3x8 v[4];
        sn_f8 speed[SN_TETRAHEDRON_ROWS];
        sn_shape_gather(pass, &block->shape, v);
        rates(block, v, speed);
        for (int i = 0; i < SN_TETRAHEDRON_ROWS; ++i) {
            found->rows[i] = found->rows[i] - sn_f8_set(pass->ahead) * speed[i];
        }
    }
    for (int i = 0; i < SN_TETRAHEDRON_ROWS; ++i) {
        sn_store(&block->last_bias[i], sn_load(&block->bias[i]));
        sn_store(&block->bias[i], found->rows[i] * sn_load(&block->rate[i]));
    }
}

static void tetrahedra_refresh(const sn_element_pass *pass, void *blocks, int begin, int end)
{
    for (int i = begin; i < end; ++i) {
        sn_tetrahedron_block *whole = (sn_tetrahedron_block *)blocks + i;
        refreshed8 found[SN_PARTS];
        sn_i8 lost = {0};
        for (int k = 0; k < SN_PARTS; ++k) {
            found[k] = refresh_shape(pass, sn_part_of(whole, 0, k));
            lost |= found[k].is_lost;
        }
        bool has_lost = sn_i8_any(lost);
        for (int k = 0; k < SN_PARTS; ++k) {
            refresh_bias(pass, sn_part_of(whole, 0, k), &found[k], has_lost);
        }
    }
}

// Impulses of elements that are flat or inverted say nothing about the next sub-step of the position solver:
// their axes may be others by then.
SN_INLINE void forget_lost(sn_tetrahedron_block *block)
{
    sn_i8 is_upright = sn_is_stretch8(sn_load_sym3x8(block->stretch));
    for (int r = 0; r < SN_TETRAHEDRON_ROWS; ++r) {
        sn_store(&block->impulse[r], sn_f8_select(is_upright, sn_load(&block->impulse[r]), sn_f8_set(0.0f)));
    }
}

static void tetrahedra_warm_start(const sn_element_pass *pass, void *blocks, int begin, int end)
{
    for (int k = SN_PARTS * begin; k < SN_PARTS * end; ++k) {
        sn_tetrahedron_block *block = sn_part_of(blocks, sizeof *block, k);
        sn_vec3x8 v[4];
        sn_f8 impulse[SN_TETRAHEDRON_ROWS];
        sn_shape_gather(pass, &block->shape, v);
        if (pass->resolved > 0.0f && block->has_lost[0]) {
            forget_lost(block);
        }
        for (int r = 0; r < SN_TETRAHEDRON_ROWS; ++r) {
            impulse[r] = sn_load(&block->impulse[r]);
        }
        resist_flattening(pass, block, v, impulse);
        tetrahedron_push(block, impulse, v);
        sn_shape_scatter(pass, &block->shape, v);
    }
}

// While the position solver iterates, one visit moves strains by no more than this: rows are linear only
// nearby, and stiff elements that are far from their rest would turn each other over.
#define LARGEST_STRAIN 0.1f

// The part of a change of impulses that is taken.
SN_INLINE sn_f8 part_of_change(const sn_element_pass *pass, const sn_tetrahedron_block *block,
                               const sn_f8 residual[SN_TETRAHEDRON_ROWS])
{
    sn_f8 squared = sn_f8_set(0.0f), limit = sn_f8_set(LARGEST_STRAIN), firmness = sn_load(&block->firmness);
    for (int r = 0; r < SN_TETRAHEDRON_ROWS; ++r) {
        squared = squared + residual[r] * residual[r];
    }
    sn_f8 moved = sn_f8_set(pass->ahead) * sn_f8_sqrt(squared) * firmness / (sn_f8_set(1.0f) + firmness);
    return sn_load(&block->relaxation) * limit / sn_f8_max(moved, limit);
}

SN_INLINE void tetrahedron_solve_block(const sn_element_pass *pass, sn_tetrahedron_block *block,
                                       const sn_lanes *bias)
{
    sn_vec3x8 v[4];
    sn_f8 residual[SN_TETRAHEDRON_ROWS], change[SN_TETRAHEDRON_ROWS];
    sn_shape_gather(pass, &block->shape, v);
    rates(block, v, residual);
    for (int r = 0; r < SN_TETRAHEDRON_ROWS; ++r) {
        residual[r] =
            residual[r] + sn_load(&bias[r]) + sn_load(&block->softness[r]) * sn_load(&block->impulse[r]);
        change[r] = sn_f8_set(0.0f);
    }
    // ΔΛ = −(J W Jᵀ + Γ)⁻¹ residual.
    for (int r = 0, entry = 0; r < SN_TETRAHEDRON_ROWS; ++r) {
        for (int c = 0; c <= r; ++c, ++entry) {
            sn_f8 value = sn_load(&block->inverse[entry]);
            change[r] = change[r] - value * residual[c];
            if (c < r) {
                change[c] = change[c] - value * residual[r];
            }
        }
    }
    sn_f8 part = pass->ahead != 0.0f ? part_of_change(pass, block, residual) : sn_load(&block->relaxation);
    for (int r = 0; r < SN_TETRAHEDRON_ROWS; ++r) {
        change[r] = change[r] * part;
    }
    tetrahedron_push(block, change, v);
    for (int r = 0; r < SN_TETRAHEDRON_ROWS; ++r) {
        sn_store(&block->impulse[r], sn_load(&block->impulse[r]) + change[r]);
    }
    sn_shape_scatter(pass, &block->shape, v);
}

SN_SHARED void tetrahedra_sweep(const sn_element_pass *pass, void *blocks, int begin, int end, bool relaxes)
{
    for (int k = begin; k < end; ++k) {
        sn_tetrahedron_block *whole = (sn_tetrahedron_block *)blocks + sn_element_turn(pass, begin, end, k);
        bool is_left_out = relaxes && !sn_any_lane_above(&whole->excess, 0, 1, 2.0f);
        for (int i = 0; i < SN_PARTS && !is_left_out; ++i) {
            sn_tetrahedron_block *block = sn_part_of(whole, 0, i);
            tetrahedron_solve_block(pass, block, relaxes ? block->last_bias : block->bias);
        }
    }
}

static void tetrahedra_solve(const sn_element_pass *pass, void *blocks, int begin, int end)
{
    tetrahedra_sweep(pass, blocks, begin, end, false);
}

static void tetrahedra_relax(const sn_element_pass *pass, void *blocks, int begin, int end)
{
    tetrahedra_sweep(pass, blocks, begin, end, true);
}

// Stiffness of a row: 1/α, or as much of it as the last sub-step could resolve.
static double stiffness_of_row(const sn_tetrahedron_block *block, int row, int lane)
{
    double nominal = 1.0 / (double)sn_row_compliance(block, row, lane);
    double most = (double)block->most[row].lane[lane];
    return most < nominal ? most : nominal;
}

// Of the pressure, by lane: ∫ p dJ from J to J₀.
SN_INLINE sn_f8 energy_of_flattening(const sn_tetrahedron_block *block, sn_sym3x8 stretch)
{
    sn_i8 wanted = is_pressed(block, stretch);
    pressed8 now = pressed_of(block, stretch, wanted);
    sn_f8 energy = now.modulus * sn_f8_set(SN_FLAT_PRESSURE * SN_FLAT_VOLUME) *
                   pressure_sum(sn_f8_max(now.depth, sn_f8_set(0.0f)));
    return sn_f8_select(wanted, energy, sn_f8_set(0.0f));
}

// ½ Σ k C², and that of pressed elements. The rotation is searched for twice: the nodes may have been moved
// since the last sub-step.
static void tetrahedra_measure(const sn_node_state *nodes, const void *blocks, int block_count,
                               sn_element_measure *sum)
{
    for (int k = 0; k < SN_PARTS * block_count; ++k) {
        const sn_tetrahedron_block *block = sn_part_of(blocks, sizeof *block, k);
        sn_f8 unused[4];
        sn_vec3x8 x[4];
        sn_shape_places(&block->shape, nodes, x, unused);
        corotated8 now = {.rotation = load_rotation(block)};
        for (int turn = 0; turn < 2; ++turn) {
            now = corotate(block, x, now.rotation, 2);
        }
        sn_f8 flattening = energy_of_flattening(block, now.stretch);
        for (int lane = 0; lane < SN_WIDTH; ++lane) {
            sum->energy += (double)flattening[lane];
            for (int r = 0; block->shape.node[0][lane] != 0 && r < SN_TETRAHEDRON_ROWS; ++r) {
                double error = (double)now.rows[r][lane];
                sum->energy += 0.5 * error * error * stiffness_of_row(block, r, lane);
            }
        }
    }
}

const sn_element_kind SN_BUILD(sn_element_tetrahedra) = {
    .name = "tetrahedra",
    .block_size = sizeof(sn_tetrahedron_block),
    .memory = {{offsetof(sn_tetrahedron_block, impulse), 6, 0.0f, false},
               {offsetof(sn_tetrahedron_block, rotation), 3, 0.0f, true},
               {offsetof(sn_tetrahedron_block, rotation[3]), 1, 1.0f, true},
               {offsetof(sn_tetrahedron_block, most), SN_TETRAHEDRON_ROWS, FLT_MAX, true}},
    .refresh = tetrahedra_refresh,
    .warm_start = tetrahedra_warm_start,
    .solve = tetrahedra_solve,
    .relax = tetrahedra_relax,
    .is_stiff = sn_tetrahedra_are_stiff,
    .count_unresolved = sn_tetrahedra_unresolved,
    .is_elastic = true,
    .measure = tetrahedra_measure};
