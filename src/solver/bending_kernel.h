// The kernels of bending rows, eight at a time. Included by one file for each instruction set, which defines
// SN_BENDING_KINDS. The mathematics is in bending_block.h.
#include "solver/bending_block.h"
#include "solver/row_softness.h"

// A row at the present positions: its gradients are `slope` times those listed, of x₁, x₂, x₃.
typedef struct row8 {
    sn_f8 error, slope;
    sn_vec3x8 gradient[3];
} row8;

// 4 atan(t) for |t| ≤ 1, within 4e-7 (Abramowitz and Stegun 4.4.49).
SN_INLINE sn_f8 four_arctangents(sn_f8 t)
{
    static const float terms[8] = {-0.3333314528f, 0.1999355085f, -0.1420889944f, 0.1065626393f,
                                   -0.0752896400f, 0.0429096138f, -0.0161657367f, 0.0028662257f};
    sn_f8 s = t * t, sum = sn_f8_set(terms[7]);
    for (int i = 6; i >= 0; --i) {
        sum = sum * s + sn_f8_set(terms[i]);
    }
    return sn_f8_set(4.0f) * t * (sn_f8_set(1.0f) + s * sum);
}

SN_INLINE sn_f8 negated_where(sn_i8 mask, sn_f8 a)
{
    return sn_f8_select(mask, -a, a);
}

// --- hinges ------------------------------------------------------------------------------------------------

// Sine and cosine of θ/2, −π ≤ θ ≤ π, by the half-angle formula that keeps all digits.
SN_INLINE void half_angle(sn_f8 sine, sn_f8 cosine, sn_f8 *half_sine, sn_f8 *half_cosine)
{
    sn_f8 one = sn_f8_set(1.0f), half = sn_f8_set(0.5f), zero = sn_f8_set(0.0f);
    sn_i8 is_sharp = cosine < zero;
    // The larger of |sin θ/2| and cos θ/2, then the other one.
    sn_f8 larger = sn_f8_sqrt(half + half * sn_f8_max(cosine, -cosine)), other = half * sine / larger;
    sn_i8 is_negative = sine < zero;
    *half_sine = sn_f8_select(is_sharp, negated_where(is_negative, larger), other);
    *half_cosine = sn_f8_select(is_sharp, negated_where(is_negative, other), sn_f8_min(larger, one));
}

// ∇θ of the second end of the edge and of the wings. Where a triangle is nearly flat its gradient would be
// without bounds: both wings give way together, as apart they would have a torque.
SN_INLINE void hinge_gradients(const sn_bending_block *block, const sn_vec3x8 arm[3],
                               const sn_vec3x8 normal[2], const sn_f8 size[2], const sn_f8 inverse[2],
                               sn_f8 square, sn_f8 length, sn_vec3x8 gradient[3])
{
    sn_f8 one = sn_f8_set(1.0f), enough = sn_load(&block->enough), inverse_square = one / square;
    sn_f8 scale = -length * sn_f8_min(one, size[0] * enough) * sn_f8_min(one, size[1] * enough);
    sn_vec3x8 along = sn_vec3x8_scale(arm[0], inverse_square);
    gradient[1] = sn_vec3x8_scale(normal[0], scale * inverse[0]);
    gradient[2] = sn_vec3x8_scale(normal[1], scale * inverse[1]);
    // The wings' feet share their pull between the ends of the edge.
    gradient[0] = sn_vec3x8_add(sn_vec3x8_scale(gradient[1], -sn_vec3x8_dot(arm[1], along)),
                                sn_vec3x8_scale(gradient[2], -sn_vec3x8_dot(arm[2], along)));
}

SN_INLINE row8 hinge_row(const sn_bending_block *block, const sn_vec3x8 x[4], bool isometric)
{
    sn_f8 one = sn_f8_set(1.0f), tiny = sn_f8_set(1.0e-30f), size[2], inverse[2];
    sn_vec3x8 arm[3] = {sn_vec3x8_sub(x[1], x[0]), sn_vec3x8_sub(x[2], x[0]), sn_vec3x8_sub(x[3], x[0])};
    sn_vec3x8 normal[2] = {sn_vec3x8_cross(arm[0], arm[1]), sn_vec3x8_cross(arm[2], arm[0])};
    for (int a = 0; a < 2; ++a) {
        size[a] = sn_f8_sqrt(sn_f8_max(sn_vec3x8_dot(normal[a], normal[a]), tiny));
        inverse[a] = one / size[a];
        normal[a] = sn_vec3x8_scale(normal[a], inverse[a]);
    }
    sn_f8 square = sn_f8_max(sn_vec3x8_dot(arm[0], arm[0]), tiny), length = sn_f8_sqrt(square);
    // (n₁ × n₂)·ê = −(n₁·(x₃ − x₀)) |e|.
    sn_f8 sine = -sn_vec3x8_dot(normal[0], arm[2]) * length * inverse[1];
    sn_f8 cosine = sn_vec3x8_dot(normal[0], normal[1]), half_sine, half_cosine;
    half_angle(sine, cosine, &half_sine, &half_cosine);
    sn_f8 rest_sine = sn_load(&block->rest[0]), rest_cosine = sn_load(&block->rest[1]);
    sn_f8 turned_sine = half_sine * rest_cosine - half_cosine * rest_sine;
    sn_f8 turned_cosine = half_cosine * rest_cosine + half_sine * rest_sine;
    sn_i8 is_far = turned_cosine < sn_f8_set(0.0f); // the other way round is shorter
    turned_sine = negated_where(is_far, turned_sine);
    turned_cosine = negated_where(is_far, turned_cosine);
    row8 row = {.error = isometric ? turned_sine + turned_sine
                                   : four_arctangents(turned_sine / (one + turned_cosine)),
                .slope = isometric ? turned_cosine : one};
    hinge_gradients(block, arm, normal, size, inverse, square, length, row.gradient);
    return row;
}

// --- joints ------------------------------------------------------------------------------------------------

SN_INLINE sn_f8 inverse_length(sn_vec3x8 v)
{
    return sn_f8_set(1.0f) / sn_f8_sqrt(sn_f8_max(sn_vec3x8_dot(v, v), sn_f8_set(1.0e-30f)));
}

// The part of a direction across a unit vector.
SN_INLINE sn_vec3x8 across(sn_vec3x8 direction, sn_vec3x8 unit)
{
    return sn_vec3x8_sub(direction, sn_vec3x8_scale(unit, sn_vec3x8_dot(direction, unit)));
}

SN_INLINE row8 joint_row(const sn_bending_block *block, const sn_vec3x8 x[4], bool isometric)
{
    sn_f8 one = sn_f8_set(1.0f), half = sn_f8_set(0.5f), zero = sn_f8_set(0.0f), small = sn_f8_set(1.0e-3f);
    sn_vec3x8 in = sn_vec3x8_sub(x[0], x[2]), out = sn_vec3x8_sub(x[3], x[0]);
    sn_f8 inverse_in = inverse_length(in), inverse_out = inverse_length(out);
    in = sn_vec3x8_scale(in, inverse_in);
    out = sn_vec3x8_scale(out, inverse_out);
    // 2 sin θ/2 and 2 cos θ/2.
    sn_vec3x8 turn = sn_vec3x8_sub(out, in), sum = sn_vec3x8_add(out, in);
    sn_f8 sine = half * sn_f8_sqrt(sn_vec3x8_dot(turn, turn)),
          cosine = half * sn_f8_sqrt(sn_vec3x8_dot(sum, sum));
    sn_vec3x8 direction = sn_vec3x8_scale(turn, inverse_length(turn));
    sn_f8 rest_sine = sn_load(&block->rest[0]), rest_cosine = sn_load(&block->rest[1]);
    sn_f8 value = isometric ? sine + sine : four_arctangents(sine / (one + cosine));
    sn_f8 rest = isometric ? rest_sine + rest_sine : four_arctangents(rest_sine / (one + rest_cosine));
    // |across| = cos θ/2, which is how 2 sin θ/2 changes with θ. As of hinges, where an edge is nearly gone
    // both wings give way together.
    sn_f8 enough = sn_load(&block->enough);
    sn_f8 slope = sn_f8_min(one, enough / inverse_in) * sn_f8_min(one, enough / inverse_out);
    slope = isometric ? slope : slope / sn_f8_max(cosine, small);
    sn_i8 is_reversed = (sn_vec3x8_dot(direction, sn_load3(block->gradient[2])) < zero) & (rest_sine == zero);
    return (row8){.error = negated_where(is_reversed, value - rest),
                  .slope = negated_where(is_reversed, slope),
                  .gradient = {{zero, zero, zero},
                               sn_vec3x8_scale(across(direction, in), inverse_in),
                               sn_vec3x8_scale(across(direction, out), inverse_out)}};
}

// --- diagonals ---------------------------------------------------------------------------------------------

SN_INLINE row8 diagonal_row(const sn_bending_block *block, const sn_vec3x8 x[4], bool joint)
{
    sn_f8 half = sn_f8_set(joint ? 0.0f : 0.5f);
    sn_vec3x8 middle = sn_vec3x8_add(x[0], sn_vec3x8_scale(sn_vec3x8_sub(x[1], x[0]), half));
    sn_vec3x8 first = sn_vec3x8_sub(x[2], middle), second = sn_vec3x8_sub(x[3], middle);
    return (row8){.error = sn_vec3x8_dot(first, second) - sn_load(&block->rest[0]),
                  .slope = sn_f8_set(1.0f),
                  .gradient = {sn_vec3x8_scale(sn_vec3x8_add(first, second), -half), second, first}};
}

// --- refreshing --------------------------------------------------------------------------------------------

SN_INLINE row8 row_of(const sn_bending_block *block, const sn_vec3x8 x[4], sn_bending_measure measure)
{
    switch (measure) {
    case SN_BENDING_HINGE_ISOMETRIC:
    case SN_BENDING_HINGE_ANGLE:
        return hinge_row(block, x, measure == SN_BENDING_HINGE_ISOMETRIC);
    case SN_BENDING_JOINT_ISOMETRIC:
    case SN_BENDING_JOINT_ANGLE:
        return joint_row(block, x, measure == SN_BENDING_JOINT_ISOMETRIC);
    default:
        return diagonal_row(block, x, measure == SN_BENDING_JOINT_DIAGONAL);
    }
}

// Isometric bending is always soft: it has no limit and nothing to relax.
SN_INLINE bool may_be_hard(sn_bending_measure measure)
{
    return measure != SN_BENDING_HINGE_ISOMETRIC && measure != SN_BENDING_JOINT_ISOMETRIC;
}

SN_INLINE void refresh_block(const sn_element_pass *pass, sn_bending_block *block, sn_bending_measure measure)
{
    sn_f8 zero = sn_f8_set(0.0f), one = sn_f8_set(1.0f), weight[4];
    sn_vec3x8 x[4];
    for (int a = 0; a < 4; ++a) {
        x[a] = sn_gather_nodes(pass->nodes, block->node[a], &weight[a]);
        sn_store(&block->inverse_mass[a], weight[a]);
    }
    row8 row = row_of(block, x, measure);
    const sn_vec3x8 *g = row.gradient;
    sn_vec3x8 sum = sn_vec3x8_add(sn_vec3x8_add(g[0], g[1]), g[2]);
    sn_f8 kappa = weight[0] * sn_vec3x8_dot(sum, sum);
    for (int a = 0; a < 3; ++a) {
        kappa = kappa + weight[a + 1] * sn_vec3x8_dot(g[a], g[a]);
        sn_store3(block->gradient[a], sn_vec3x8_scale(g[a], row.slope));
    }
    kappa = kappa * row.slope * row.slope;
    sn_i8 moves = kappa > sn_f8_set(1.0e-30f);
    sn_f8 stiffness = sn_load(&block->stiffness);
    sn_row_softness soft =
        sn_row_softness_of(pass, sn_f8_select(moves, kappa, one), stiffness, sn_load(&block->damping));
    sn_store(&block->mass, sn_f8_select(moves, soft.mass, zero));
    sn_store(&block->softness, sn_f8_select(moves, soft.softness, zero));
    sn_store(&block->bias, sn_f8_select(moves, row.error * soft.pull, zero));
    if (may_be_hard(measure)) {
        sn_store(&block->relax_mass, sn_f8_select(moves & (stiffness == zero), soft.inverse_kappa, zero));
    }
}

// --- impulses ----------------------------------------------------------------------------------------------

SN_INLINE void push(const sn_bending_block *block, sn_f8 impulse, sn_vec3x8 v[4])
{
    sn_vec3x8 sum = {sn_f8_set(0.0f), sn_f8_set(0.0f), sn_f8_set(0.0f)};
    for (int a = 0; a < 3; ++a) {
        sn_vec3x8 gradient = sn_load3(block->gradient[a]);
        sum = sn_vec3x8_add(sum, gradient);
        v[a + 1] = sn_vec3x8_add(v[a + 1],
                                 sn_vec3x8_scale(gradient, impulse * sn_load(&block->inverse_mass[a + 1])));
    }
    v[0] = sn_vec3x8_sub(v[0], sn_vec3x8_scale(sum, impulse * sn_load(&block->inverse_mass[0])));
}

// How fast the row's value changes.
SN_INLINE sn_f8 rate(const sn_bending_block *block, const sn_vec3x8 v[4])
{
    sn_f8 sum = sn_f8_set(0.0f);
    for (int a = 0; a < 3; ++a) {
        sum = sum + sn_vec3x8_dot(sn_load3(block->gradient[a]), sn_vec3x8_sub(v[a + 1], v[0]));
    }
    return sum;
}

SN_INLINE void gather(const sn_element_pass *pass, const sn_bending_block *block, sn_vec3x8 v[4])
{
    for (int a = 0; a < 4; ++a) {
        v[a] = sn_gather_velocities(pass->velocities, block->node[a]);
    }
}

SN_INLINE void scatter(const sn_element_pass *pass, const sn_bending_block *block, const sn_vec3x8 v[4])
{
    for (int a = 0; a < 4; ++a) {
        sn_scatter_velocities(pass->velocities, block->node[a], v[a]);
    }
}

// One row: ΔΛ = −m J·u − bias − s Λ, clamped.
SN_INLINE void solve_block(const sn_element_pass *pass, sn_bending_block *block, bool limited, sn_f8 mass,
                           sn_f8 softness, sn_f8 bias)
{
    sn_vec3x8 v[4];
    gather(pass, block, v);
    sn_f8 old = sn_load(&block->impulse);
    sn_f8 impulse = old - mass * rate(block, v) - bias - softness * old;
    if (limited) {
        sn_f8 limit = sn_load(&block->limit);
        impulse = sn_f8_min(sn_f8_max(impulse, -limit), limit);
    }
    push(block, impulse - old, v);
    sn_store(&block->impulse, impulse);
    scatter(pass, block, v);
}

static void bending_warm_start(const sn_element_pass *pass, void *blocks, int begin, int end)
{
    for (int i = begin; i < end; ++i) {
        sn_bending_block *block = (sn_bending_block *)blocks + i;
        sn_vec3x8 v[4];
        gather(pass, block, v);
        push(block, sn_load(&block->impulse), v);
        scatter(pass, block, v);
    }
}

SN_INLINE void solve_blocks(const sn_element_pass *pass, void *blocks, int begin, int end, bool limited)
{
    for (int k = begin; k < end; ++k) {
        sn_bending_block *block = (sn_bending_block *)blocks + sn_element_turn(pass, begin, end, k);
        solve_block(pass, block, limited, sn_load(&block->mass), sn_load(&block->softness),
                    sn_load(&block->bias));
    }
}

static void bending_solve(const sn_element_pass *pass, void *blocks, int begin, int end)
{
    solve_blocks(pass, blocks, begin, end, true);
}

static void bending_solve_soft(const sn_element_pass *pass, void *blocks, int begin, int end)
{
    solve_blocks(pass, blocks, begin, end, false);
}

static void bending_relax(const sn_element_pass *pass, void *blocks, int begin, int end)
{
    sn_f8 zero = sn_f8_set(0.0f);
    for (int k = begin; k < end; ++k) {
        sn_bending_block *block = (sn_bending_block *)blocks + sn_element_turn(pass, begin, end, k);
        solve_block(pass, block, true, sn_load(&block->relax_mass), zero, zero);
    }
}

// A refreshing loop for each measure, and the table of kinds.
#define SN_BENDING_REFRESH(name, measure)                                                                    \
    static void name(const sn_element_pass *pass, void *blocks, int begin, int end)                          \
    {                                                                                                        \
        for (int i = begin; i < end; ++i) {                                                                  \
            refresh_block(pass, (sn_bending_block *)blocks + i, measure);                                    \
        }                                                                                                    \
    }
SN_BENDING_REFRESH(refresh_hinge_isometric, SN_BENDING_HINGE_ISOMETRIC)
SN_BENDING_REFRESH(refresh_hinge_angle, SN_BENDING_HINGE_ANGLE)
SN_BENDING_REFRESH(refresh_hinge_diagonal, SN_BENDING_HINGE_DIAGONAL)
SN_BENDING_REFRESH(refresh_joint_isometric, SN_BENDING_JOINT_ISOMETRIC)
SN_BENDING_REFRESH(refresh_joint_angle, SN_BENDING_JOINT_ANGLE)
SN_BENDING_REFRESH(refresh_joint_diagonal, SN_BENDING_JOINT_DIAGONAL)

// A joint's sign follows that of the gradient before, so that lasts too.
#define SN_BENDING_IMPULSES                                                                                  \
    {                                                                                                        \
        offsetof(sn_bending_block, impulse), 1, 0.0f                                                         \
    }
#define SN_BENDING_SIDES                                                                                     \
    {                                                                                                        \
        offsetof(sn_bending_block, gradient[2]), 3, 0.0f                                                     \
    }
#define SN_BENDING_FUNCTIONS(refresher)                                                                      \
    .block_size = sizeof(sn_bending_block), .refresh = (refresher), .warm_start = bending_warm_start,        \
    .is_stiff = sn_bending_is_stiff, .measure = sn_bending_measure_now
#define SN_BENDING_HARD_OR_SOFT .solve = bending_solve, .relax = bending_relax
#define SN_BENDING_SOFT         .solve = bending_solve_soft

const sn_element_kind SN_BENDING_KINDS[SN_BENDING_MEASURES] = {
    [SN_BENDING_HINGE_ISOMETRIC] = {.name = "isometric bending",
                                    .memory = {SN_BENDING_IMPULSES},
                                    SN_BENDING_FUNCTIONS(refresh_hinge_isometric),
                                    SN_BENDING_SOFT},
    [SN_BENDING_HINGE_ANGLE] = {.name = "dihedral angles",
                                .memory = {SN_BENDING_IMPULSES},
                                SN_BENDING_FUNCTIONS(refresh_hinge_angle),
                                SN_BENDING_HARD_OR_SOFT},
    [SN_BENDING_HINGE_DIAGONAL] = {.name = "diagonals",
                                   .memory = {SN_BENDING_IMPULSES},
                                   SN_BENDING_FUNCTIONS(refresh_hinge_diagonal),
                                   SN_BENDING_HARD_OR_SOFT},
    [SN_BENDING_JOINT_ISOMETRIC] = {.name = "isometric bending of strands",
                                    .memory = {SN_BENDING_IMPULSES, SN_BENDING_SIDES},
                                    SN_BENDING_FUNCTIONS(refresh_joint_isometric),
                                    SN_BENDING_SOFT},
    [SN_BENDING_JOINT_ANGLE] = {.name = "angles of strands",
                                .memory = {SN_BENDING_IMPULSES, SN_BENDING_SIDES},
                                SN_BENDING_FUNCTIONS(refresh_joint_angle),
                                SN_BENDING_HARD_OR_SOFT},
    [SN_BENDING_JOINT_DIAGONAL] = {.name = "diagonals of strands",
                                   .memory = {SN_BENDING_IMPULSES},
                                   SN_BENDING_FUNCTIONS(refresh_joint_diagonal),
                                   SN_BENDING_HARD_OR_SOFT}};
