// The kernels of bending rows, eight at a time (see solver_kernels.h). The mathematics is in bending_block.h.
#include "solver/elements/bending_block.h"
#include "solver/rows/row_softness.h"

// A row at the present positions, and its gradients of x₁, x₂, x₃.
typedef struct row8 {
    sn_f8 error;
    sn_vec3x8 gradient[3];
} row8;

SN_INLINE sn_f8 negated_where(sn_i8 mask, sn_f8 a)
{
    return sn_f8_select(mask, -a, a);
}

// --- angles ------------------------------------------------------------------------------------------------

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

// θ by twice the sine and cosine of its half, cosine ≥ 0, and how it changes with them. Of nearly isometric
// shapes their squares add up to 4; where they add up to less than 1, the hinge is squashed and the angle
// goes to zero.
SN_INLINE sn_f8 angle_of(sn_f8 sine, sn_f8 cosine, sn_f8 *by_sine, sn_f8 *by_cosine)
{
    sn_f8 one = sn_f8_set(1.0f), zero = sn_f8_set(0.0f), length = sn_f8_sqrt(sine * sine + cosine * cosine);
    sn_i8 is_squashed = length < one;
    sn_f8 radius = sn_f8_select(is_squashed, one, length), inverse = one / radius;
    sn_f8 inverse_sum = one / (radius + cosine), t = sine * inverse_sum;
    sn_f8 base = sn_f8_set(4.0f) * inverse_sum / (one + t * t);
    *by_sine = base * (one - t * sn_f8_select(is_squashed, zero, sine * inverse));
    *by_cosine = -base * t * (one + sn_f8_select(is_squashed, zero, cosine * inverse));
    return four_arctangents(t);
}

// An angle between −π and π.
SN_INLINE sn_f8 wrapped(sn_f8 angle)
{
    sn_f8 pi = sn_f8_set(SN_PI), turn = sn_f8_set(2.0f * SN_PI);
    angle = sn_f8_select(angle > pi, angle - turn, angle);
    return sn_f8_select(angle < -pi, angle + turn, angle);
}

// --- hinges ------------------------------------------------------------------------------------------------

// |g| below which m is not normalised: nearly folded flat.
#define LEAST_COSINE 0.04f

// The vectors of a hinge that all measures use.
typedef struct hinge8 {
    sn_f8 weight[3], share[2];
    sn_vec3x8 edge;  // e
    sn_vec3x8 wings; // u/2A₀ − w/2A₁
    sn_vec3x8 fold;  // C⃗
    sn_vec3x8 sum;   // g
} hinge8;

SN_INLINE hinge8 hinge_of(const sn_bending_block *block, const sn_vec3x8 x[4])
{
    hinge8 hinge;
    sn_vec3x8 arm[3];
    for (int a = 0; a < 3; ++a) {
        arm[a] = sn_vec3x8_sub(x[a + 1], x[0]);
        hinge.weight[a] = sn_load(&block->weight[a]);
    }
    hinge.share[0] = sn_load(&block->share[0]);
    hinge.share[1] = sn_load(&block->share[1]);
    hinge.edge = arm[0];
    hinge.fold = sn_vec3x8_scale(arm[0], hinge.weight[0]);
    hinge.fold = sn_vec3x8_add(hinge.fold, sn_vec3x8_scale(arm[1], hinge.weight[1]));
    hinge.fold = sn_vec3x8_add(hinge.fold, sn_vec3x8_scale(arm[2], hinge.weight[2]));
    hinge.wings =
        sn_vec3x8_sub(sn_vec3x8_scale(arm[1], hinge.share[0]), sn_vec3x8_scale(arm[2], hinge.share[1]));
    hinge.sum = sn_vec3x8_cross(arm[0], hinge.wings);
    return hinge;
}

SN_INLINE row8 hinge_row(const sn_bending_block *block, const sn_vec3x8 x[4], bool isometric)
{
    sn_f8 one = sn_f8_set(1.0f), least = sn_f8_set(LEAST_COSINE), sine, cosine;
    hinge8 hinge = hinge_of(block, x);
    const sn_f8 *weight = hinge.weight;
    sn_vec3x8 fold = hinge.fold, wings = hinge.wings, sum = hinge.sum;
    cosine = sn_f8_sqrt(sn_vec3x8_dot(sum, sum));
    sn_i8 is_folded = cosine < least;
    sn_f8 inverse = one / sn_f8_select(is_folded, least, cosine);
    sn_vec3x8 normal = sn_vec3x8_scale(sum, inverse); // m
    sine = sn_vec3x8_dot(fold, normal);
    // ∂C = by_fold m·∂C⃗ + turn·∂g.
    sn_vec3x8 along = sn_vec3x8_scale(normal, sn_f8_select(is_folded, sn_f8_set(0.0f), sine));
    sn_vec3x8 turn = sn_vec3x8_scale(sn_vec3x8_sub(fold, along), inverse);
    row8 row = {.error = sine - sn_load(&block->rest)};
    if (!isometric) {
        sn_f8 by_sine, by_cosine;
        row.error = wrapped(angle_of(sine, cosine, &by_sine, &by_cosine) - sn_load(&block->rest));
        sn_vec3x8 unit = sn_vec3x8_scale(normal, sn_f8_select(is_folded, sn_f8_set(0.0f), by_cosine));
        turn = sn_vec3x8_add(sn_vec3x8_scale(turn, by_sine), unit);
        normal = sn_vec3x8_scale(normal, by_sine);
    }
    sn_vec3x8 across = sn_vec3x8_cross(turn, hinge.edge);
    row.gradient[0] = sn_vec3x8_add(sn_vec3x8_scale(normal, weight[0]), sn_vec3x8_cross(wings, turn));
    row.gradient[1] =
        sn_vec3x8_add(sn_vec3x8_scale(normal, weight[1]), sn_vec3x8_scale(across, hinge.share[0]));
    row.gradient[2] =
        sn_vec3x8_sub(sn_vec3x8_scale(normal, weight[2]), sn_vec3x8_scale(across, hinge.share[1]));
    return row;
}

// --- joints ------------------------------------------------------------------------------------------------

SN_INLINE sn_vec3x8 unit_of(sn_vec3x8 v, sn_f8 *length)
{
    *length = sn_f8_sqrt(sn_vec3x8_dot(v, v));
    return sn_vec3x8_scale(v, sn_f8_set(1.0f) / sn_f8_max(*length, sn_f8_set(1.0e-15f)));
}

SN_INLINE row8 joint_row(const sn_bending_block *block, const sn_vec3x8 x[4], bool isometric)
{
    sn_f8 zero = sn_f8_set(0.0f), rest = sn_load(&block->rest), sine, cosine;
    sn_f8 weight_1 = sn_load(&block->weight[1]), weight_2 = sn_load(&block->weight[2]);
    sn_vec3x8 back = sn_vec3x8_scale(sn_vec3x8_sub(x[2], x[0]), weight_1);
    sn_vec3x8 ahead = sn_vec3x8_scale(sn_vec3x8_sub(x[3], x[0]), weight_2);
    sn_vec3x8 direction = unit_of(sn_vec3x8_add(ahead, back), &sine);
    sn_i8 is_reversed = (sn_vec3x8_dot(direction, sn_load3(block->gradient[2])) < zero) & (rest == zero);
    row8 row = {.error = sine - rest, .gradient = {{zero, zero, zero}, direction, direction}};
    if (!isometric) {
        sn_f8 by_sine, by_cosine;
        sn_vec3x8 along = unit_of(sn_vec3x8_sub(ahead, back), &cosine);
        row.error = angle_of(sine, cosine, &by_sine, &by_cosine) - rest;
        direction = sn_vec3x8_scale(direction, by_sine);
        along = sn_vec3x8_scale(along, by_cosine);
        row.gradient[1] = sn_vec3x8_sub(direction, along);
        row.gradient[2] = sn_vec3x8_add(direction, along);
    }
    row.error = negated_where(is_reversed, row.error);
    row.gradient[1] = sn_vec3x8_scale(row.gradient[1], negated_where(is_reversed, weight_1));
    row.gradient[2] = sn_vec3x8_scale(row.gradient[2], negated_where(is_reversed, weight_2));
    return row;
}

// --- diagonals ---------------------------------------------------------------------------------------------

SN_INLINE row8 diagonal_row(const sn_bending_block *block, const sn_vec3x8 x[4], bool joint)
{
    sn_f8 half = sn_f8_set(joint ? 0.0f : 0.5f);
    sn_vec3x8 middle = sn_vec3x8_add(x[0], sn_vec3x8_scale(sn_vec3x8_sub(x[1], x[0]), half));
    sn_vec3x8 first = sn_vec3x8_sub(x[2], middle), second = sn_vec3x8_sub(x[3], middle);
    return (row8){.error = sn_vec3x8_dot(first, second) - sn_load(&block->rest),
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

// The row where its nodes are now, their inverse masses, and κ.
SN_INLINE row8 look(const sn_node_state *nodes, const sn_bending_block *block, sn_bending_measure measure,
                    sn_f8 inverse_mass[4], sn_f8 *kappa)
{
    sn_vec3x8 x[4];
    for (int a = 0; a < 4; ++a) {
        x[a] = sn_gather_nodes_at(nodes, &block->node[a], &inverse_mass[a]);
    }
    row8 row = row_of(block, x, measure);
    const sn_vec3x8 *g = row.gradient;
    sn_vec3x8 sum = sn_vec3x8_add(sn_vec3x8_add(g[0], g[1]), g[2]);
    *kappa = inverse_mass[0] * sn_vec3x8_dot(sum, sum);
    for (int a = 0; a < 3; ++a) {
        *kappa = *kappa + inverse_mass[a + 1] * sn_vec3x8_dot(g[a], g[a]);
    }
    return row;
}

// Rows of sheets overlap more than others (a node is in a dozen) and nearly cancel where a plate bends
// smoothly. With the stiffness of other hard rows, plates of 20 × 20 cells would gain energy; with a third of
// it they do not.
SN_INLINE sn_row_softness softness_of(const sn_element_pass *pass, sn_bending_measure measure, sn_f8 kappa,
                                      sn_f8 stiffness, sn_f8 damping)
{
    bool strand = measure >= SN_BENDING_JOINT_ISOMETRIC;
    float softer = strand ? 1.0f : 2.0f, slower = strand ? 1.0f : 0.7f;
    sn_element_pass gentle = *pass;
    gentle.hard.inverse_a2 *= softer;
    gentle.hard.bias_rate *= slower;
    gentle.firmest.inverse_a2 *= softer;
    gentle.firmest.bias_rate *= slower;
    return sn_row_softness_of(&gentle, kappa, stiffness, damping);
}

// --- impulses ----------------------------------------------------------------------------------------------

// Gradients and inverse masses of a row.
typedef struct lever8 {
    sn_vec3x8 gradient[3];
    sn_f8 inverse_mass[4];
} lever8;

SN_INLINE lever8 lever_of(const sn_bending_block *block)
{
    lever8 lever;
    for (int a = 0; a < 4; ++a) {
        lever.inverse_mass[a] = sn_load(&block->inverse_mass[a]);
    }
    for (int a = 0; a < 3; ++a) {
        lever.gradient[a] = sn_load3(block->gradient[a]);
    }
    return lever;
}

SN_INLINE void bending_push(const lever8 *lever, sn_f8 impulse, sn_vec3x8 v[4])
{
    sn_vec3x8 sum = {sn_f8_set(0.0f), sn_f8_set(0.0f), sn_f8_set(0.0f)};
    for (int a = 0; a < 3; ++a) {
        sum = sn_vec3x8_add(sum, lever->gradient[a]);
        v[a + 1] = sn_vec3x8_add(v[a + 1],
                                 sn_vec3x8_scale(lever->gradient[a], impulse * lever->inverse_mass[a + 1]));
    }
    v[0] = sn_vec3x8_sub(v[0], sn_vec3x8_scale(sum, impulse * lever->inverse_mass[0]));
}

// Ċ.
SN_INLINE sn_f8 rate(const lever8 *lever, const sn_vec3x8 v[4])
{
    sn_f8 sum = sn_f8_set(0.0f);
    for (int a = 0; a < 3; ++a) {
        sum = sum + sn_vec3x8_dot(lever->gradient[a], sn_vec3x8_sub(v[a + 1], v[0]));
    }
    return sum;
}

SN_INLINE void bending_gather(const sn_element_pass *pass, const sn_bending_block *block, sn_vec3x8 v[4])
{
    for (int a = 0; a < 4; ++a) {
        v[a] = sn_gather_velocities_at(pass->velocities, &block->node[a]);
    }
}

SN_INLINE void bending_refresh_block(const sn_element_pass *pass, sn_bending_block *block,
                                     sn_bending_measure measure)
{
    sn_f8 zero = sn_f8_set(0.0f), one = sn_f8_set(1.0f), inverse_mass[4], kappa;
    row8 row = look(pass->felt, block, measure, inverse_mass, &kappa);
    for (int a = 0; a < 4; ++a) {
        sn_store(&block->inverse_mass[a], inverse_mass[a]);
    }
    for (int a = 0; a < 3; ++a) {
        sn_store3(block->gradient[a], row.gradient[a]);
    }
    if (pass->ahead != 0.0f) {
        sn_vec3x8 v[4];
        lever8 lever = lever_of(block);
        bending_gather(pass, block, v);
        row.error = row.error - sn_f8_set(pass->ahead) * rate(&lever, v);
    }
    sn_i8 moves = kappa > sn_f8_set(1.0e-30f);
    sn_f8 stiffness = sn_load(&block->stiffness);
    sn_row_softness soft =
        softness_of(pass, measure, sn_f8_select(moves, kappa, one), stiffness, sn_load(&block->damping));
    sn_store(&block->mass, sn_f8_select(moves, soft.mass, zero));
    sn_store(&block->softness, sn_f8_select(moves, soft.softness, zero));
    sn_store(&block->bias, sn_f8_select(moves, row.error * soft.pull, zero));
    sn_store(&block->relax_mass, sn_f8_select(moves, soft.inverse_kappa, zero));
}

SN_INLINE void bending_scatter(const sn_element_pass *pass, const sn_bending_block *block,
                               const sn_vec3x8 v[4])
{
    for (int a = 0; a < 4; ++a) {
        sn_scatter_velocities_at(pass->velocities, &block->node[a], v[a]);
    }
}

// One row: ΔΛ = −m J·u − bias − s Λ, clamped.
SN_INLINE void bending_solve_block(const sn_element_pass *pass, sn_bending_block *block, bool limited,
                                   sn_f8 mass, sn_f8 softness, sn_f8 bias)
{
    sn_vec3x8 v[4];
    bending_gather(pass, block, v);
    lever8 lever = lever_of(block);
    sn_f8 old = sn_load(&block->impulse);
    sn_f8 impulse = old - mass * rate(&lever, v) - bias - softness * old;
    if (limited) {
        sn_f8 limit = sn_load(&block->limit);
        impulse = sn_f8_min(sn_f8_max(impulse, -limit), limit);
    }
    bending_push(&lever, impulse - old, v);
    sn_store(&block->impulse, impulse);
    bending_scatter(pass, block, v);
}

static void bending_warm_start(const sn_element_pass *pass, void *blocks, int begin, int end)
{
    for (int k = SN_PARTS * begin; k < SN_PARTS * end; ++k) {
        sn_bending_block *block = sn_part_of(blocks, sizeof *block, k);
        lever8 lever = lever_of(block);
        sn_vec3x8 v[4];
        bending_gather(pass, block, v);
        bending_push(&lever, sn_load(&block->impulse), v);
        bending_scatter(pass, block, v);
    }
}

SN_INLINE void bending_solve_blocks(const sn_element_pass *pass, void *blocks, int begin, int end,
                                    bool limited)
{
    for (int k = SN_PARTS * begin; k < SN_PARTS * end; ++k) {
        sn_bending_block *block = sn_element_part(pass, blocks, sizeof *block, begin, end, k);
        bending_solve_block(pass, block, limited, sn_load(&block->mass), sn_load(&block->softness),
                            sn_load(&block->bias));
    }
}

static void bending_solve_hard(const sn_element_pass *pass, void *blocks, int begin, int end)
{
    bending_solve_blocks(pass, blocks, begin, end, true);
}

static void bending_solve_soft(const sn_element_pass *pass, void *blocks, int begin, int end)
{
    bending_solve_blocks(pass, blocks, begin, end, false);
}

static void bending_relax(const sn_element_pass *pass, void *blocks, int begin, int end)
{
    sn_f8 zero = sn_f8_set(0.0f);
    for (int k = SN_PARTS * begin; k < SN_PARTS * end; ++k) {
        sn_bending_block *block = sn_element_part(pass, blocks, sizeof *block, begin, end, k);
        bending_solve_block(pass, block, true, sn_load(&block->relax_mass), zero, zero);
    }
}

// The impulse of the explicit force. With d′ = d + hk, as in implicit rows, Λ = −h (kC + d′ J·u)/(1 + ½
// hκd′). In a smooth shape, the rows before this one have changed J·u by −½ κΛ, which the denominator
// compensates. Sharp folds have a κ beyond SN_EXPLICIT_LIMIT and are solved by themselves: 1 + hκd′.
SN_INLINE sn_f8 explicit_impulse(const sn_element_pass *pass, const sn_bending_block *block, sn_f8 kappa,
                                 sn_f8 error, sn_f8 speed)
{
    sn_f8 zero = sn_f8_set(0.0f), one = sn_f8_set(1.0f), h = sn_f8_set(pass->h);
    sn_f8 spring = h * sn_load(&block->stiffness), damper = h * (sn_load(&block->damping) + spring);
    sn_f8 firm = damper * kappa, beyond = sn_f8_max(firm - sn_f8_set(2.0f * SN_EXPLICIT_LIMIT), zero);
    sn_f8 share = one / (one + sn_f8_set(0.5f) * (firm + beyond));
    return -share * (spring * error + damper * speed);
}

SN_INLINE void bending_push_block(const sn_element_pass *pass, sn_bending_block *block,
                                  sn_bending_measure measure)
{
    lever8 lever;
    sn_f8 kappa;
    row8 row = look(pass->nodes, block, measure, lever.inverse_mass, &kappa);
    memcpy(lever.gradient, row.gradient, sizeof lever.gradient);
    sn_vec3x8 v[4];
    bending_gather(pass, block, v);
    sn_f8 impulse = explicit_impulse(pass, block, kappa, row.error, rate(&lever, v));
    bending_push(&lever, impulse, v);
    sn_store(&block->impulse, impulse);
    if (measure == SN_BENDING_JOINT_ISOMETRIC || measure == SN_BENDING_JOINT_ANGLE) {
        sn_store3(block->gradient[2], row.gradient[2]); // the side it is on
    }
    bending_scatter(pass, block, v);
}

// The gradients of isometric hinges are all along m, unless the hinge is folded flat. The part of C⃗ across m,
// which turns m, is perpendicular to m, and so are e and q = u/2A₀ − w/2A₁ (m = e × q/|g|); so products of
// two of them are along m: ∂C/∂x_a = c_a m, with p = m × C⃗/|g|
//   c₁ = K₁ − q·p   c₂ = K₂ + e·p/2A₀   c₃ = K₃ − e·p/2A₁   c₀ = −(c₁ + c₂ + c₃)
// Products with g instead of m do not wait for its length.
typedef struct fan8 {
    sn_vec3x8 sum;   // g
    sn_f8 inverse;   // 1/|g|
    sn_f8 error;     // C
    sn_f8 slope[4];  // c
    sn_i8 is_folded; // folded flat: none of this holds
} fan8;

SN_INLINE fan8 fan_of(const sn_bending_block *block, const sn_vec3x8 x[4])
{
    sn_f8 one = sn_f8_set(1.0f), least = sn_f8_set(LEAST_COSINE * LEAST_COSINE);
    hinge8 hinge = hinge_of(block, x);
    sn_f8 square = sn_vec3x8_dot(hinge.sum, hinge.sum), inverse2 = one / sn_f8_max(square, least);
    sn_f8 inverse = sn_f8_sqrt(inverse2), sine = inverse * sn_vec3x8_dot(hinge.sum, hinge.fold);
    sn_vec3x8 across = sn_vec3x8_cross(hinge.sum, hinge.fold); // p |g|²
    sn_f8 turn = inverse2 * sn_vec3x8_dot(hinge.edge, across);
    sn_f8 slope_1 = hinge.weight[0] - inverse2 * sn_vec3x8_dot(hinge.wings, across);
    sn_f8 slope_2 = hinge.weight[1] + hinge.share[0] * turn;
    sn_f8 slope_3 = hinge.weight[2] - hinge.share[1] * turn;
    return (fan8){.sum = hinge.sum,
                  .inverse = inverse,
                  .error = sine - sn_load(&block->rest),
                  .slope = {-(slope_1 + slope_2 + slope_3), slope_1, slope_2, slope_3},
                  .is_folded = square < least};
}

// What fans do to the velocities of their nodes.
SN_INLINE void push_by_fan(const sn_element_pass *pass, sn_bending_block *block, const fan8 *fan,
                           const sn_f8 inverse_mass[4])
{
    sn_vec3x8 v[4];
    sn_f8 give[4], kappa = sn_f8_set(0.0f), speed = kappa;
    bending_gather(pass, block, v);
    for (int a = 1; a < 4; ++a) {
        speed = speed + fan->slope[a] * sn_vec3x8_dot(fan->sum, sn_vec3x8_sub(v[a], v[0]));
    }
    for (int a = 0; a < 4; ++a) {
        give[a] = inverse_mass[a] * fan->slope[a];
        kappa = kappa + give[a] * fan->slope[a];
    }
    sn_f8 impulse = explicit_impulse(pass, block, kappa, fan->error, fan->inverse * speed);
    sn_store(&block->impulse, impulse);
    sn_vec3x8 along = sn_vec3x8_scale(fan->sum, fan->inverse * impulse);
    for (int a = 0; a < 4; ++a) {
        v[a] = sn_vec3x8_add(v[a], sn_vec3x8_scale(along, give[a]));
    }
    bending_scatter(pass, block, v);
}

SN_INLINE void push_isometric(const sn_element_pass *pass, sn_bending_block *whole)
{
    fan8 fan[SN_PARTS];
    sn_f8 inverse_mass[SN_PARTS][4];
    sn_i8 is_folded = {0};
    for (int i = 0; i < SN_PARTS; ++i) {
        const sn_bending_block *block = sn_part_of(whole, 0, i);
        sn_vec3x8 x[4];
        sn_i8 numbers;
        memcpy(&numbers, &block->node[0], sizeof numbers);
        for (int a = 0; a < 4; ++a) {
            x[a] = sn_gather_nodes_at(pass->nodes, &block->node[a], &inverse_mass[i][a]);
        }
        fan[i] = fan_of(block, x);
        is_folded |= fan[i].is_folded & (numbers != 0);
    }
    bool any_folded = sn_i8_any(is_folded);
    for (int i = 0; i < SN_PARTS; ++i) {
        if (any_folded) {
            bending_push_block(pass, sn_part_of(whole, 0, i), SN_BENDING_HINGE_ISOMETRIC);
        } else {
            push_by_fan(pass, sn_part_of(whole, 0, i), &fan[i], inverse_mass[i]);
        }
    }
}

static void push_hinge_isometric(const sn_element_pass *pass, void *blocks, int begin, int end)
{
    for (int k = begin; k < end; ++k) {
        push_isometric(pass, (sn_bending_block *)blocks + sn_element_turn(pass, begin, end, k));
    }
}

// κ of the flat or straight shape, not of the present one: folds, where κ is large, come and go.
SN_INLINE sn_f8 flat_kappa(const sn_node_state *nodes, const sn_bending_block *block)
{
    sn_f8 sum = sn_f8_set(0.0f), kappa = sn_f8_set(0.0f), inverse_mass;
    for (int a = 0; a < 3; ++a) {
        sn_f8 weight = sn_load(&block->weight[a]);
        sn_gather_nodes_at(nodes, &block->node[a + 1], &inverse_mass);
        sum = sum + weight;
        kappa = kappa + inverse_mass * weight * weight;
    }
    sn_gather_nodes_at(nodes, &block->node[0], &inverse_mass);
    return kappa + inverse_mass * sum * sum;
}

static int multirate_span_of(const sn_element_pass *pass, const void *blocks, int block_count)
{
    sn_f8 firmest = sn_f8_set(0.0f), most_damped = firmest;
    for (int k = 0; k < SN_PARTS * block_count; ++k) {
        const sn_bending_block *block = sn_part_of(blocks, sizeof *block, k);
        sn_f8 kappa = flat_kappa(pass->nodes, block);
        firmest = sn_f8_max(sn_load(&block->stiffness) * kappa, firmest);
        most_damped = sn_f8_max(sn_load(&block->damping) * kappa, most_damped);
    }
    for (int span = SN_MULTIRATE_SPAN; span > 0; span /= 2) {
        sn_f8 h = sn_f8_set((float)span * pass->h),
              weak = sn_f8_set(span == 1 ? SN_EXPLICIT_LIMIT : SN_MULTIRATE_LIMIT);
        if (!sn_i8_any(~(h * h * firmest <= weak) | ~(h * most_damped <= weak))) {
            return span;
        }
    }
    return 0;
}

// ½ k C² of soft rows.
static void bending_measure(const sn_node_state *nodes, const void *blocks, int block_count,
                            sn_element_measure *sum)
{
    for (int k = 0; k < SN_PARTS * block_count; ++k) {
        const sn_bending_block *block = sn_part_of(blocks, sizeof *block, k);
        sn_f8 unused;
        sn_vec3x8 x[4];
        for (int a = 0; a < 4; ++a) {
            x[a] = sn_gather_nodes_at(nodes, &block->node[a], &unused);
        }
        // All rows of a group have the same measure, and every block has a first row.
        int measure = ((const sn_bending_block *)blocks)[k / SN_PARTS].measure[0];
        row8 row = row_of(block, x, (sn_bending_measure)measure);
        for (int lane = 0; lane < SN_WIDTH; ++lane) {
            double error = (double)row.error[lane];
            sum->energy += 0.5 * (double)block->stiffness.lane[lane] * error * error;
        }
    }
}

// Loops for each measure, and the table of kinds. Diagonals are never explicit.
#define SN_BENDING_LOOP(name, function, measure)                                                             \
    static void name(const sn_element_pass *pass, void *blocks, int begin, int end)                          \
    {                                                                                                        \
        for (int k = SN_PARTS * begin; k < SN_PARTS * end; ++k) {                                            \
            function(pass, sn_element_part(pass, blocks, sizeof(sn_bending_block), begin, end, k), measure); \
        }                                                                                                    \
    }
SN_BENDING_LOOP(refresh_hinge_isometric, bending_refresh_block, SN_BENDING_HINGE_ISOMETRIC)
SN_BENDING_LOOP(refresh_hinge_angle, bending_refresh_block, SN_BENDING_HINGE_ANGLE)
SN_BENDING_LOOP(refresh_hinge_diagonal, bending_refresh_block, SN_BENDING_HINGE_DIAGONAL)
SN_BENDING_LOOP(refresh_joint_isometric, bending_refresh_block, SN_BENDING_JOINT_ISOMETRIC)
SN_BENDING_LOOP(refresh_joint_angle, bending_refresh_block, SN_BENDING_JOINT_ANGLE)
SN_BENDING_LOOP(refresh_joint_diagonal, bending_refresh_block, SN_BENDING_JOINT_DIAGONAL)
SN_BENDING_LOOP(push_hinge_angle, bending_push_block, SN_BENDING_HINGE_ANGLE)
SN_BENDING_LOOP(push_joint_isometric, bending_push_block, SN_BENDING_JOINT_ISOMETRIC)
SN_BENDING_LOOP(push_joint_angle, bending_push_block, SN_BENDING_JOINT_ANGLE)

// A kind for soft rows, which have no limit and no relaxing sweep, and one for hard rows. The sign of a joint
// follows the gradient of the sub-step before, so that is memory too.
#define SN_BENDING_IMPULSE                                                                                   \
    {                                                                                                        \
        offsetof(sn_bending_block, impulse), 1, 0.0f, false                                                  \
    }
#define SN_BENDING_SIDE                                                                                      \
    {                                                                                                        \
        offsetof(sn_bending_block, gradient[2]), 3, 0.0f, true                                               \
    }
#define SN_BENDING_KIND(text, refresher, pusher, ...)                                                        \
    {                                                                                                        \
        {.name = (text),                                                                                     \
         .block_size = sizeof(sn_bending_block),                                                             \
         .memory = {__VA_ARGS__},                                                                            \
         .refresh = (refresher),                                                                             \
         .warm_start = bending_warm_start,                                                                   \
         .solve = bending_solve_soft,                                                                        \
         .is_stiff = sn_bending_is_stiff,                                                                    \
         .count_unresolved = sn_bending_unresolved,                                                          \
         .multirate_span = multirate_span_of,                                                                \
         .push = (pusher),                                                                                   \
         .measure = bending_measure},                                                                        \
        {                                                                                                    \
            .name = "hard " text, .block_size = sizeof(sn_bending_block), .memory = {__VA_ARGS__},           \
            .refresh = (refresher), .warm_start = bending_warm_start, .solve = bending_solve_hard,           \
            .relax = bending_relax, .is_stiff = sn_hard_bending_is_stiff                                     \
        }                                                                                                    \
    }

const sn_element_kind SN_BUILD(sn_element_bending)[SN_BENDING_MEASURES][2] = {
    [SN_BENDING_HINGE_ISOMETRIC] = SN_BENDING_KIND("isometric bending", refresh_hinge_isometric,
                                                   push_hinge_isometric, SN_BENDING_IMPULSE),
    [SN_BENDING_HINGE_ANGLE] = SN_BENDING_KIND("dihedral angles", refresh_hinge_angle, push_hinge_angle,
                                               SN_BENDING_IMPULSE),
    [SN_BENDING_HINGE_DIAGONAL] = SN_BENDING_KIND("diagonals", refresh_hinge_diagonal, NULL,
                                                  SN_BENDING_IMPULSE),
    [SN_BENDING_JOINT_ISOMETRIC] = SN_BENDING_KIND("isometric bending of strands", refresh_joint_isometric,
                                                   push_joint_isometric, SN_BENDING_IMPULSE, SN_BENDING_SIDE),
    [SN_BENDING_JOINT_ANGLE] = SN_BENDING_KIND("angles of strands", refresh_joint_angle, push_joint_angle,
                                               SN_BENDING_IMPULSE, SN_BENDING_SIDE),
    [SN_BENDING_JOINT_DIAGONAL] = SN_BENDING_KIND("diagonals of strands", refresh_joint_diagonal, NULL,
                                                  SN_BENDING_IMPULSE)};
