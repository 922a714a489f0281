// The kernels of tetrahedra, eight at a time. Included by one file for each instruction set, which defines
// SN_TETRAHEDRON_KIND. The mathematics is in tetrahedron_block.h.
#include "solver/elements/tetrahedron_block.h"

// Columns.
typedef struct mat3x8 {
    sn_vec3x8 x, y, z;
} mat3x8;

// Symmetric: xx yy zz yz xz xy.
typedef struct sym3x8 {
    sn_f8 xx, yy, zz, yz, xz, xy;
} sym3x8;

static const float root3 = 0.57735026919f, root2 = 0.70710678119f, root6 = 0.40824829046f; // 1/√3, 1/√2, 1/√6

// Nine entries in memory, column by column.
SN_INLINE mat3x8 load_matrix(const sn_lanes *m)
{
    return (mat3x8){sn_load3(m), sn_load3(m + 3), sn_load3(m + 6)};
}

SN_INLINE sym3x8 load_symmetric(const sn_lanes *m)
{
    return (sym3x8){sn_load(&m[0]), sn_load(&m[1]), sn_load(&m[2]),
                    sn_load(&m[3]), sn_load(&m[4]), sn_load(&m[5])};
}

SN_INLINE void store_symmetric(sn_lanes *m, sym3x8 s)
{
    sn_store(&m[0], s.xx);
    sn_store(&m[1], s.yy);
    sn_store(&m[2], s.zz);
    sn_store(&m[3], s.yz);
    sn_store(&m[4], s.xz);
    sn_store(&m[5], s.xy);
}

SN_INLINE sn_vec3x8 apply(mat3x8 m, sn_vec3x8 v)
{
    return (sn_vec3x8){m.x.x * v.x + m.y.x * v.y + m.z.x * v.z, m.x.y * v.x + m.y.y * v.y + m.z.y * v.z,
                       m.x.z * v.x + m.y.z * v.y + m.z.z * v.z};
}

SN_INLINE sn_vec3x8 apply_transposed(mat3x8 m, sn_vec3x8 v)
{
    return (sn_vec3x8){sn_vec3x8_dot(m.x, v), sn_vec3x8_dot(m.y, v), sn_vec3x8_dot(m.z, v)};
}

SN_INLINE sn_vec3x8 apply_symmetric(sym3x8 s, sn_vec3x8 v)
{
    return (sn_vec3x8){s.xx * v.x + s.xy * v.y + s.xz * v.z, s.xy * v.x + s.yy * v.y + s.yz * v.z,
                       s.xz * v.x + s.yz * v.y + s.zz * v.z};
}

// Σ a_k b_kᵀ over the three edges from node 0, by columns.
SN_INLINE mat3x8 outer_sum(const sn_vec3x8 a[3], const mat3x8 *b)
{
    const sn_vec3x8 *g[3] = {&b->x, &b->y, &b->z};
    mat3x8 m;
    m.x = sn_vec3x8_scale(a[0], g[0]->x);
    m.y = sn_vec3x8_scale(a[0], g[0]->y);
    m.z = sn_vec3x8_scale(a[0], g[0]->z);
    for (int k = 1; k < 3; ++k) {
        m.x = sn_vec3x8_add(m.x, sn_vec3x8_scale(a[k], g[k]->x));
        m.y = sn_vec3x8_add(m.y, sn_vec3x8_scale(a[k], g[k]->y));
        m.z = sn_vec3x8_add(m.z, sn_vec3x8_scale(a[k], g[k]->z));
    }
    return m;
}

// --- refreshing --------------------------------------------------------------------------------------------

typedef struct quat8 {
    sn_f8 x, y, z, w;
} quat8;

SN_INLINE mat3x8 matrix_of(quat8 q)
{
    sn_f8 one = sn_f8_set(1.0f), two = sn_f8_set(2.0f);
    sn_f8 xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    sn_f8 xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z, wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return (mat3x8){{one - two * (yy + zz), two * (xy + wz), two * (xz - wy)},
                    {two * (xy - wz), one - two * (xx + zz), two * (yz + wx)},
                    {two * (xz + wy), two * (yz - wx), one - two * (xx + yy)}};
}

// q turned by the rotation vector v, given in q's own axes, to first order; of unit length again.
SN_INLINE quat8 turned(quat8 q, sn_vec3x8 v)
{
    sn_f8 half = sn_f8_set(0.5f);
    quat8 r = {
        q.x + half * (q.w * v.x + q.y * v.z - q.z * v.y), q.y + half * (q.w * v.y + q.z * v.x - q.x * v.z),
        q.z + half * (q.w * v.z + q.x * v.y - q.y * v.x), q.w - half * (q.x * v.x + q.y * v.y + q.z * v.z)};
    sn_f8 inverse = sn_f8_set(1.0f) / sn_f8_sqrt(r.x * r.x + r.y * r.y + r.z * r.z + r.w * r.w);
    return (quat8){r.x * inverse, r.y * inverse, r.z * inverse, r.w * inverse};
}

SN_INLINE sn_f8 symmetric_part(sn_f8 a, sn_f8 b)
{
    return sn_f8_set(0.5f) * (a + b);
}

// (tr U · 1 − U)⁻¹ in the lanes of `wanted`, zero in others.
SN_INLINE sym3x8 spin_inverse(sym3x8 u, sn_i8 wanted)
{
    sn_f8 xx = u.yy + u.zz, yy = u.xx + u.zz, zz = u.xx + u.yy;
    sn_f8 yz = -u.yz, xz = -u.xz, xy = -u.xy;
    sn_f8 c_xx = yy * zz - yz * yz, c_xy = xz * yz - xy * zz, c_xz = xy * yz - xz * yy;
    sn_f8 determinant = xx * c_xx + xy * c_xy + xz * c_xz, one = sn_f8_set(1.0f), limit = sn_f8_set(1.0e-6f);
    sn_i8 is_good = wanted & (determinant > limit) & (xx > limit) & (c_xx > limit);
    sn_f8 inverse = sn_f8_select(is_good, one / sn_f8_select(is_good, determinant, one), sn_f8_set(0.0f));
    return (sym3x8){c_xx * inverse,
                    (xx * zz - xz * xz) * inverse,
                    (xx * yy - xy * xy) * inverse,
                    (xy * xz - xx * yz) * inverse,
                    c_xz * inverse,
                    c_xy * inverse};
}

// Where U is a stretch, neither flat nor inside out.
SN_INLINE sn_i8 is_stretch(sym3x8 u)
{
    sn_f8 minor = u.xx * u.yy - u.xy * u.xy;
    sn_f8 determinant =
        u.zz * minor + u.xz * (u.xy * u.yz - u.xz * u.yy) + u.yz * (u.xy * u.xz - u.xx * u.yz);
    return (u.xx > sn_f8_set(1.0e-3f)) & (minor > sn_f8_set(1.0e-6f)) & (determinant > sn_f8_set(1.0e-9f));
}

// Rᵀ F, symmetric when R is the rotation of F.
SN_INLINE mat3x8 unturned(const mat3x8 *r, const mat3x8 *f)
{
    return (mat3x8){apply_transposed(*r, f->x), apply_transposed(*r, f->y), apply_transposed(*r, f->z)};
}

SN_INLINE sym3x8 symmetric(const mat3x8 *m)
{
    return (sym3x8){m->x.x,
                    m->y.y,
                    m->z.z,
                    symmetric_part(m->z.y, m->y.z),
                    symmetric_part(m->z.x, m->x.z),
                    symmetric_part(m->y.x, m->x.y)};
}

// Axial vector of M − Mᵀ.
SN_INLINE sn_vec3x8 axial(const mat3x8 *m)
{
    return (sn_vec3x8){m->y.z - m->z.y, m->z.x - m->x.z, m->x.y - m->y.x};
}

// Where U is so near to a stretch that R is the rotation of F, or near it, and no other one is.
SN_INLINE sn_i8 is_near_stretch(sym3x8 u)
{
    sn_f8 xx = u.yy + u.zz, yy = u.xx + u.zz, zz = u.xx + u.yy;
    sn_f8 minor = yy * zz - u.yz * u.yz, limit = sn_f8_set(0.25f);
    sn_f8 determinant = xx * minor - u.xy * (u.xz * u.yz + u.xy * zz) - u.xz * (u.xy * u.yz + u.xz * yy);
    return (determinant > limit) & (xx > limit) & (yy > limit) & (zz > limit) & (minor > limit * limit);
}

// Rotations of lanes that are flat or inside out, one by one: there are not many, and not for long.
static void search_rotations(const mat3x8 *f, sn_i8 lost, quat8 *q)
{
    for (int lane = 0; lane < SN_LANES; ++lane) {
        if (lost[lane]) {
            sn_mat3 m = {{f->x.x[lane], f->x.y[lane], f->x.z[lane]},
                         {f->y.x[lane], f->y.y[lane], f->y.z[lane]},
                         {f->z.x[lane], f->z.y[lane], f->z.z[lane]}};
            sn_quat found = sn_mat3_polar(m, (sn_quat){q->x[lane], q->y[lane], q->z[lane], q->w[lane]});
            q->x[lane] = found.x, q->y[lane] = found.y, q->z[lane] = found.z, q->w[lane] = found.w;
        }
    }
}

// The rotation nearest to F, from where it was: Newton's step (tr U · 1 − U) ω = axial(Rᵀ F − Fᵀ R), which
// squares the error. Where U is no stretch, and other rotations may be nearer, all are searched.
SN_INLINE quat8 polar(quat8 q, const mat3x8 *f)
{
    sn_i8 is_good = {0};
    for (int i = 0; i < 2; ++i) {
        mat3x8 r = matrix_of(q), u = unturned(&r, f);
        sym3x8 stretch = symmetric(&u);
        is_good = is_near_stretch(stretch);
        q = turned(q, apply_symmetric(spin_inverse(stretch, is_good), axial(&u)));
    }
    sn_f8 size = sn_vec3x8_dot(f->x, f->x) + sn_vec3x8_dot(f->y, f->y) + sn_vec3x8_dot(f->z, f->z);
    sn_i8 lost = ~is_good & (size > sn_f8_set(0.0f));
    if (sn_i8_any(lost)) {
        search_rotations(f, lost, &q);
    }
    return q;
}

// Rows of a symmetric matrix: the strain of U − 1, or the rates of U̇.
SN_INLINE void rows_of(sym3x8 e, sn_f8 rows[SN_TETRAHEDRON_ROWS])
{
    sn_f8 two = sn_f8_set(2.0f);
    rows[0] = (e.xx + e.yy + e.zz) * sn_f8_set(root3);
    rows[1] = (e.xx - e.yy) * sn_f8_set(root2);
    rows[2] = (e.xx + e.yy - two * e.zz) * sn_f8_set(root6);
    rows[3] = two * e.yz;
    rows[4] = two * e.xz;
    rows[5] = two * e.xy;
}

SN_INLINE sn_f8 norm_squared(sym3x8 s)
{
    sn_f8 diagonal = s.xx * s.xx + s.yy * s.yy + s.zz * s.zz;
    return diagonal + sn_f8_set(2.0f) * (s.yz * s.yz + s.xz * s.xz + s.xy * s.xy);
}

// J W Jᵀ is inverted with R frozen. R's own change makes it larger, by at most 1 + g² with
// g = max (σ_i − σ_j)/(σ_i + σ_j) over the principal stretches. Corrections may be half as large again as
// they should be, but not twice, or sweeps over elements pressed nearly flat diverge. Norms bound g from
// above.
SN_INLINE sn_f8 relaxation_of(sym3x8 u, sym3x8 spin_inverse)
{
    sn_f8 one = sn_f8_set(1.0f), mean = (u.xx + u.yy + u.zz) * sn_f8_set(1.0f / 3.0f);
    sym3x8 deviator = {u.xx - mean, u.yy - mean, u.zz - mean, u.yz, u.xz, u.xy};
    sn_f8 bound = one + sn_f8_set(2.0f) * norm_squared(deviator) * norm_squared(spin_inverse);
    return sn_f8_min(one, sn_f8_set(1.5f) / bound);
}

static void make_again_if_needed(const sn_element_pass *pass, sn_tetrahedron_block *block,
                                 const sn_f8 masses[4])
{
    sn_i8 differs = (sn_load(&block->made_for_h) != sn_f8_set(pass->h)) |
                    (sn_load(&block->made_for_hardness) != sn_f8_set(pass->firmest.inverse_a2)) |
                    (sn_load(&block->made_for_bias) != sn_f8_set(pass->firmest.bias_rate));
    for (int a = 0; a < 4; ++a) {
        differs |= sn_load(&block->inverse_mass[a]) != masses[a];
    }
    if (!sn_i8_any(differs)) {
        return;
    }
    for (int a = 0; a < 4; ++a) {
        sn_store(&block->inverse_mass[a], masses[a]);
    }
    for (int lane = 0; lane < SN_LANES; ++lane) {
        sn_tetrahedron_invert(pass, block, lane);
    }
}

// Masses of nodes that move; zero of others.
SN_INLINE sn_f8 mass_of(const sn_tetrahedron_block *block, int node)
{
    sn_f8 w = sn_load(&block->inverse_mass[node]), zero = sn_f8_set(0.0f), one = sn_f8_set(1.0f);
    return sn_f8_select(w > zero, one / sn_f8_select(w > zero, w, one), zero);
}

// Adds m (|r|² 1 − r rᵀ).
SN_INLINE void add_inertia(sym3x8 *sum, sn_f8 mass, sn_vec3x8 r)
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
SN_INLINE sym3x8 inverse_inertia(sym3x8 i, sn_i8 wanted)
{
    sn_f8 one = sn_f8_set(1.0f), zero = sn_f8_set(0.0f), trace = i.xx + i.yy + i.zz;
    wanted &= trace > sn_f8_set(1.0e-30f);
    sn_f8 unit = sn_f8_select(wanted, one / sn_f8_select(wanted, trace, one), zero);
    sn_f8 xx = i.xx * unit, yy = i.yy * unit, zz = i.zz * unit;
    sn_f8 yz = i.yz * unit, xz = i.xz * unit, xy = i.xy * unit;
    sn_f8 c_xx = yy * zz - yz * yz, c_xy = xz * yz - xy * zz, c_xz = xy * yz - xz * yy;
    sn_f8 determinant = xx * c_xx + xy * c_xy + xz * c_xz;
    sn_i8 is_good = determinant > sn_f8_set(1.0e-4f);
    sn_f8 scale = sn_f8_select(is_good, unit / sn_f8_select(is_good, determinant, one), zero);
    return (sym3x8){c_xx * scale,
                    (xx * zz - xz * xz) * scale,
                    (xx * yy - xy * xy) * scale,
                    (xy * xz - xx * yz) * scale,
                    c_xz * scale,
                    c_xy * scale};
}

// Where the nodes of lost lanes are, for their rigid motion. If one is fixed, that bears the torque.
SN_INLINE void refresh_lost(sn_tetrahedron_block *block, const sn_vec3x8 x[4], sn_i8 lost)
{
    block->has_lost[0] = sn_i8_any(lost);
    if (!block->has_lost[0]) {
        return;
    }
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
    sym3x8 inertia = {zero, zero, zero, zero, zero, zero};
    for (int a = 0; a < 4; ++a) {
        sn_vec3x8 arm = sn_vec3x8_sub(sn_vec3x8_sub(x[a], x[0]), center);
        sn_store3(block->arm[a], arm);
        add_inertia(&inertia, mass[a], arm);
    }
    store_symmetric(block->inertia_inverse, inverse_inertia(inertia, lost));
}

SN_INLINE void refresh_block(const sn_element_pass *pass, sn_tetrahedron_block *block)
{
    sn_f8 masses[4];
    sn_vec3x8 x[4], along[3];
    for (int a = 0; a < 4; ++a) {
        x[a] = sn_gather_nodes(pass->felt, block->node[a], &masses[a]);
    }
    for (int k = 0; k < 3; ++k) {
        along[k] = sn_vec3x8_sub(x[k + 1], x[0]);
    }
    make_again_if_needed(pass, block, masses);
    mat3x8 gradient = load_matrix(block->gradient[0]), f = outer_sum(along, &gradient);
    quat8 q = {sn_load(&block->rotation[0]), sn_load(&block->rotation[1]), sn_load(&block->rotation[2]),
               sn_load(&block->rotation[3])};
    q = polar(q, &f);
    mat3x8 r = matrix_of(q);
    sn_vec3x8 ux = apply_transposed(r, f.x), uy = apply_transposed(r, f.y), uz = apply_transposed(r, f.z);
    sym3x8 u = {
        ux.x, uy.y, uz.z, symmetric_part(uz.y, uy.z), symmetric_part(uz.x, ux.z), symmetric_part(uy.x, ux.y)};
    sn_f8 one = sn_f8_set(1.0f);
    sn_f8 rows[SN_TETRAHEDRON_ROWS];
    rows_of((sym3x8){u.xx - one, u.yy - one, u.zz - one, u.yz, u.xz, u.xy}, rows);
    for (int i = 0; i < SN_TETRAHEDRON_ROWS; ++i) {
        sn_store(&block->last_bias[i], sn_load(&block->bias[i]));
        sn_store(&block->bias[i], rows[i] * sn_load(&block->rate[i]));
    }
    sn_store(&block->rotation[0], q.x);
    sn_store(&block->rotation[1], q.y);
    sn_store(&block->rotation[2], q.z);
    sn_store(&block->rotation[3], q.w);
    sn_store3(block->turn[0], r.x);
    sn_store3(block->turn[1], r.y);
    sn_store3(block->turn[2], r.z);
    store_symmetric(block->stretch, u);
    sn_i8 is_upright = is_stretch(u);
    sym3x8 inverse = spin_inverse(u, is_upright);
    store_symmetric(block->spin_inverse, inverse);
    sn_store(&block->relaxation, relaxation_of(u, inverse));
    refresh_lost(block, x, ~is_upright);
}

// --- impulses ----------------------------------------------------------------------------------------------

// Axial vector of T − Tᵀ for T = A B, A and B symmetric.
SN_INLINE sn_vec3x8 axial_of_product(sym3x8 a, sym3x8 b)
{
    sn_f8 zy = a.xz * b.xy + a.yz * b.yy + a.zz * b.yz, yz = a.xy * b.xz + a.yy * b.yz + a.yz * b.zz;
    sn_f8 xz = a.xx * b.xz + a.xy * b.yz + a.xz * b.zz, zx = a.xz * b.xx + a.yz * b.xy + a.zz * b.xz;
    sn_f8 yx = a.xy * b.xx + a.yy * b.xy + a.yz * b.xz, xy = a.xx * b.xy + a.xy * b.yy + a.xz * b.yz;
    return (sn_vec3x8){zy - yz, xz - zx, yx - xy};
}

// Takes out of velocities v, or of changes of them, the rotation that has their angular momentum.
SN_INLINE void stop_turning(const sn_tetrahedron_block *block, sn_vec3x8 v[4])
{
    sn_vec3x8 sum = {sn_f8_set(0.0f), sn_f8_set(0.0f), sn_f8_set(0.0f)};
    for (int a = 0; a < 4; ++a) {
        sn_vec3x8 momentum = sn_vec3x8_scale(v[a], mass_of(block, a));
        sum = sn_vec3x8_add(sum, sn_vec3x8_cross(sn_load3(block->arm[a]), momentum));
    }
    sn_vec3x8 turn = apply_symmetric(load_symmetric(block->inertia_inverse), sum);
    for (int a = 0; a < 4; ++a) {
        v[a] = sn_vec3x8_sub(v[a], sn_vec3x8_cross(turn, sn_load3(block->arm[a])));
    }
}

// Changes velocities by the impulses of the six rows. S has S : U̇ = Λ · Ċ; the spin y makes its torque
// vanish.
SN_INLINE void push(const sn_tetrahedron_block *block, const sn_f8 impulse[SN_TETRAHEDRON_ROWS],
                    sn_vec3x8 v[4])
{
    sn_f8 bulk = impulse[0] * sn_f8_set(root3), side = impulse[1] * sn_f8_set(root2);
    sn_f8 height = impulse[2] * sn_f8_set(root6);
    sym3x8 s = {bulk + side + height, bulk - side + height, bulk - sn_f8_set(2.0f) * height,
                impulse[3],           impulse[4],           impulse[5]};
    sn_vec3x8 y = apply_symmetric(load_symmetric(block->spin_inverse),
                                  axial_of_product(load_symmetric(block->stretch), s));
    mat3x8 turn = load_matrix(block->turn[0]);
    sn_vec3x8 sum = {sn_f8_set(0.0f), sn_f8_set(0.0f), sn_f8_set(0.0f)}, change[4];
    for (int k = 0; k < 3; ++k) {
        sn_vec3x8 b = sn_load3(block->gradient[k]);
        sn_vec3x8 force = apply(turn, sn_vec3x8_add(apply_symmetric(s, b), sn_vec3x8_cross(y, b)));
        change[k + 1] = sn_vec3x8_scale(force, sn_load(&block->inverse_mass[k + 1]));
        sum = sn_vec3x8_sub(sum, force);
    }
    change[0] = sn_vec3x8_scale(sum, sn_load(&block->inverse_mass[0]));
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
    mat3x8 turn = load_matrix(block->turn[0]), gradient = load_matrix(block->gradient[0]);
    sn_vec3x8 relative[3], seen[4] = {v[0], v[1], v[2], v[3]};
    if (block->has_lost[0]) {
        stop_turning(block, seen);
    }
    for (int k = 0; k < 3; ++k) {
        relative[k] = apply_transposed(turn, sn_vec3x8_sub(seen[k + 1], seen[0]));
    }
    mat3x8 l = outer_sum(relative, &gradient);
    sym3x8 u = load_symmetric(block->stretch);
    sn_vec3x8 w = apply_symmetric(load_symmetric(block->spin_inverse), axial(&l));
    // Columns of Ω U = ω × (columns of U).
    sn_vec3x8 ox = sn_vec3x8_cross(w, (sn_vec3x8){u.xx, u.xy, u.xz});
    sn_vec3x8 oy = sn_vec3x8_cross(w, (sn_vec3x8){u.xy, u.yy, u.yz});
    sn_vec3x8 oz = sn_vec3x8_cross(w, (sn_vec3x8){u.xz, u.yz, u.zz});
    sn_vec3x8 x = sn_vec3x8_sub(l.x, ox), y = sn_vec3x8_sub(l.y, oy), z = sn_vec3x8_sub(l.z, oz);
    rows_of(
        (sym3x8){x.x, y.y, z.z, symmetric_part(y.z, z.y), symmetric_part(x.z, z.x), symmetric_part(x.y, y.x)},
        rows);
}

static void tetrahedra_refresh(const sn_element_pass *pass, void *blocks, int begin, int end)
{
    for (int i = begin; i < end; ++i) {
        refresh_block(pass, (sn_tetrahedron_block *)blocks + i);
    }
}

static void tetrahedra_warm_start(const sn_element_pass *pass, void *blocks, int begin, int end)
{
    for (int i = begin; i < end; ++i) {
        sn_tetrahedron_block *block = (sn_tetrahedron_block *)blocks + i;
        sn_vec3x8 v[4];
        sn_f8 impulse[SN_TETRAHEDRON_ROWS];
        for (int a = 0; a < 4; ++a) {
            v[a] = sn_gather_velocities(pass->velocities, block->node[a]);
        }
        for (int r = 0; r < SN_TETRAHEDRON_ROWS; ++r) {
            impulse[r] = sn_load(&block->impulse[r]);
        }
        push(block, impulse, v);
        for (int a = 0; a < 4; ++a) {
            sn_scatter_velocities(pass->velocities, block->node[a], v[a]);
        }
    }
}

SN_INLINE void solve_block(const sn_element_pass *pass, sn_tetrahedron_block *block, const sn_lanes *bias)
{
    sn_vec3x8 v[4];
    sn_f8 residual[SN_TETRAHEDRON_ROWS], change[SN_TETRAHEDRON_ROWS];
    for (int a = 0; a < 4; ++a) {
        v[a] = sn_gather_velocities(pass->velocities, block->node[a]);
    }
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
    sn_f8 relaxation = sn_load(&block->relaxation);
    for (int r = 0; r < SN_TETRAHEDRON_ROWS; ++r) {
        change[r] = change[r] * relaxation;
    }
    push(block, change, v);
    for (int r = 0; r < SN_TETRAHEDRON_ROWS; ++r) {
        sn_store(&block->impulse[r], sn_load(&block->impulse[r]) + change[r]);
    }
    for (int a = 0; a < 4; ++a) {
        sn_scatter_velocities(pass->velocities, block->node[a], v[a]);
    }
}

static void tetrahedra_solve(const sn_element_pass *pass, void *blocks, int begin, int end)
{
    for (int k = begin; k < end; ++k) {
        sn_tetrahedron_block *block = (sn_tetrahedron_block *)blocks + sn_element_turn(pass, begin, end, k);
        solve_block(pass, block, block->bias);
    }
}

static void tetrahedra_relax(const sn_element_pass *pass, void *blocks, int begin, int end)
{
    for (int k = begin; k < end; ++k) {
        sn_tetrahedron_block *block = (sn_tetrahedron_block *)blocks + sn_element_turn(pass, begin, end, k);
        if (sn_i8_any(sn_load(&block->excess) > sn_f8_set(2.0f))) {
            solve_block(pass, block, block->last_bias);
        }
    }
}

const sn_element_kind SN_TETRAHEDRON_KIND = {
    .name = "tetrahedra",
    .block_size = sizeof(sn_tetrahedron_block),
    .memory = {{offsetof(sn_tetrahedron_block, impulse), 6, 0.0f, false},
               {offsetof(sn_tetrahedron_block, rotation), 3, 0.0f, true},
               {offsetof(sn_tetrahedron_block, rotation[3]), 1, 1.0f, true}},
    .refresh = tetrahedra_refresh,
    .warm_start = tetrahedra_warm_start,
    .solve = tetrahedra_solve,
    .relax = tetrahedra_relax,
    .is_stiff = sn_tetrahedra_are_stiff,
    .is_elastic = true,
    .measure = sn_tetrahedra_measure};
