// The kernels of contacts between rigid bodies, eight patches at a time (see solver_kernels.h).
//
// Rows of a patch (methods A.2, A.6, F.2): the normal n of each point with Λₙ ≥ 0; friction of the patch
// along t₁ and t₂ = n × t₁ inside Coulomb's disc µ ΣΛₙ, acting at the centre of pressure; twist about n
// within µ Σ ρΛₙ, ρ the distance of a point from that centre; rolling resistance. Friction of the whole patch
// instead of each point's own converges in one visit, where four points' friction would fight each other for
// many.
#include "math/matrix8.h"
#include "solver/contact/contact_block.h"
#include "solver/contact/friction_cone8.h"
#include <float.h>

typedef struct velocities8 {
    sn_vec3x8 linear_a, angular_a, linear_b, angular_b;
} velocities8;

SN_INLINE void contact_scatter(float *records, const int32_t *index, int dynamic_begin, sn_vec3x8 first,
                               sn_vec3x8 second)
{
    sn_f4 low[SN_WIDTH], high[SN_WIDTH];
    sn_records_of(first, sn_f8_set(0.0f), low);
    sn_records_of(second, sn_f8_set(0.0f), high);
    for (int i = 0; i < SN_WIDTH; ++i) {
        if (index[i] >= dynamic_begin) {
            memcpy(records + 8 * (size_t)index[i], &low[i], sizeof low[i]);
            memcpy(records + 8 * (size_t)index[i] + 4, &high[i], sizeof high[i]);
        }
    }
}

SN_INLINE velocities8 gather_velocities(const sn_contact_pass *pass, const sn_contact_block *block)
{
    velocities8 v;
    sn_gather_records(pass->velocities->linear, block->body_a, &v.linear_a, &v.angular_a);
    sn_gather_records(pass->velocities->linear, block->body_b, &v.linear_b, &v.angular_b);
    return v;
}

SN_INLINE void scatter_velocities(const sn_contact_pass *pass, const sn_contact_block *block,
                                  const velocities8 *v)
{
    contact_scatter(pass->velocities->linear, block->body_a, pass->dynamic_begin, v->linear_a, v->angular_a);
    contact_scatter(pass->velocities->linear, block->body_b, pass->dynamic_begin, v->linear_b, v->angular_b);
}

// Velocity of b's contact point against a's.
SN_INLINE sn_vec3x8 contact_relative_velocity(const velocities8 *v, sn_vec3x8 arm_a, sn_vec3x8 arm_b)
{
    sn_vec3x8 at_b = sn_vec3x8_add(v->linear_b, sn_vec3x8_cross(v->angular_b, arm_b));
    sn_vec3x8 at_a = sn_vec3x8_add(v->linear_a, sn_vec3x8_cross(v->angular_a, arm_a));
    return sn_vec3x8_sub(at_b, at_a);
}

// Impulse on b at the contact point, its opposite on a.
SN_INLINE void apply_impulse(const sn_contact_block *block, velocities8 *v, sn_vec3x8 arm_a, sn_vec3x8 arm_b,
                             sn_vec3x8 impulse)
{
    sn_vec3x8 turn_a =
        sn_sym3x8_apply(sn_load_inertia8(block->inverse_inertia_a), sn_vec3x8_cross(arm_a, impulse));
    sn_vec3x8 turn_b =
        sn_sym3x8_apply(sn_load_inertia8(block->inverse_inertia_b), sn_vec3x8_cross(arm_b, impulse));
    v->linear_a = sn_vec3x8_sub(v->linear_a, sn_vec3x8_mul(sn_load3(block->inverse_mass_a), impulse));
    v->linear_b = sn_vec3x8_add(v->linear_b, sn_vec3x8_mul(sn_load3(block->inverse_mass_b), impulse));
    v->angular_a = sn_vec3x8_sub(v->angular_a, turn_a);
    v->angular_b = sn_vec3x8_add(v->angular_b, turn_b);
}

// How fast b's contact point leaves a's along the normal.
SN_INLINE sn_f8 normal_speed(const sn_contact_lane_point *point, const velocities8 *v, sn_vec3x8 normal)
{
    return sn_vec3x8_dot(sn_vec3x8_sub(v->linear_b, v->linear_a), normal) +
           (sn_vec3x8_dot(v->angular_b, sn_load3(point->turn_b)) -
            sn_vec3x8_dot(v->angular_a, sn_load3(point->turn_a)));
}

// What a normal impulse of 1 does to the spins, while bodies and their inertia are what they are.
SN_INLINE void find_spins(const sn_contact_block *block, sn_contact_lane_point *point)
{
    sn_sym3x8 a = sn_load_inertia8(block->inverse_inertia_a), b = sn_load_inertia8(block->inverse_inertia_b);
    sn_store3(point->spin_a, sn_sym3x8_apply(a, sn_load3(point->turn_a)));
    sn_store3(point->spin_b, sn_sym3x8_apply(b, sn_load3(point->turn_b)));
}

// Normal impulse on b at the contact point, its opposite on a.
SN_INLINE void push_point(const sn_contact_block *block, const sn_contact_lane_point *point, velocities8 *v,
                          sn_vec3x8 normal, sn_f8 impulse)
{
    sn_vec3x8 push = sn_vec3x8_scale(normal, impulse);
    v->linear_a = sn_vec3x8_sub(v->linear_a, sn_vec3x8_mul(sn_load3(block->inverse_mass_a), push));
    v->linear_b = sn_vec3x8_add(v->linear_b, sn_vec3x8_mul(sn_load3(block->inverse_mass_b), push));
    v->angular_a = sn_vec3x8_sub(v->angular_a, sn_vec3x8_scale(sn_load3(point->spin_a), impulse));
    v->angular_b = sn_vec3x8_add(v->angular_b, sn_vec3x8_scale(sn_load3(point->spin_b), impulse));
}

// Angular impulse on b, its opposite on a.
SN_INLINE void apply_turn(const sn_contact_block *block, velocities8 *v, sn_vec3x8 angular_impulse)
{
    v->angular_a = sn_vec3x8_sub(
        v->angular_a, sn_sym3x8_apply(sn_load_inertia8(block->inverse_inertia_a), angular_impulse));
    v->angular_b = sn_vec3x8_add(
        v->angular_b, sn_sym3x8_apply(sn_load_inertia8(block->inverse_inertia_b), angular_impulse));
}

// --- before the sub-step -------------------------------------------------------------------------

typedef struct shifts8 {
    sn_vec3x8 moved_a, turned_a, moved_b, turned_b;
} shifts8;

SN_INLINE shifts8 gather_shifts(const sn_contact_pass *pass, const sn_contact_block *block)
{
    shifts8 shifts;
    sn_gather_records(pass->shifts->moved, block->body_a, &shifts.moved_a, &shifts.turned_a);
    sn_gather_records(pass->shifts->moved, block->body_b, &shifts.moved_b, &shifts.turned_b);
    return shifts;
}

// Arms to the common point, or their turns, after the bodies moved against each other since the step began.
SN_INLINE void move_arms(const sn_lanes *start_a, const sn_lanes *start_b, sn_vec3x8 part_a, sn_vec3x8 part_b,
                         sn_lanes *arm_a, sn_lanes *arm_b)
{
    sn_store3(arm_a, sn_vec3x8_add(sn_load3(start_a), part_a));
    sn_store3(arm_b, sn_vec3x8_sub(sn_load3(start_b), part_b));
}

// How far apart the surfaces are now: to first order in the rotation, so that a rolling ball does not lift
// off its own tread.
SN_INLINE sn_f8 current_separation(const sn_contact_lane_point *point, const shifts8 *s, sn_vec3x8 normal)
{
    sn_f8 moved = sn_vec3x8_dot(sn_vec3x8_sub(s->moved_b, s->moved_a), normal);
    sn_f8 turned = sn_vec3x8_dot(s->turned_b, sn_load3(point->start_turn_b)) -
                   sn_vec3x8_dot(s->turned_a, sn_load3(point->start_turn_a));
    return sn_load(&point->start_separation) + (moved + turned);
}

// Bodies that turned farther than this since the step began have another inertia along the world's axes. A
// row with the old one would change velocities by too much and create energy: a rod that turned by 90° is
// four hundred times as easy to turn about an axis as before. [rad]
#define FAR_TURNED 0.1f

SN_INLINE sn_i8 far_turned(const shifts8 *s)
{
    sn_f8 squared = sn_vec3x8_dot(s->turned_a, s->turned_a) + sn_vec3x8_dot(s->turned_b, s->turned_b);
    return squared > sn_f8_set(FAR_TURNED * FAR_TURNED);
}

// Whether a body of a block has: of parts this is asked before they are visited.
SN_INLINE bool has_turned(const sn_contact_block *block, const shifts8 *s)
{
    return SN_PARTS == 1 ? sn_i8_any(far_turned(s)) : block->has_turned;
}

// Where the points are now.
SN_INLINE void follow_points(const sn_contact_pass *pass, sn_contact_block *block, const shifts8 *shifts)
{
    block->has_turned = has_turned(block, shifts);
    sn_vec3x8 parting = sn_vec3x8_sub(shifts->moved_b, shifts->moved_a);
    sn_vec3x8 part_a = sn_vec3x8_scale(parting, sn_load(&block->share_a));
    sn_vec3x8 part_b = sn_vec3x8_sub(parting, part_a);
    move_arms(block->start_center_a, block->start_center_b, part_a, part_b, block->center_a, block->center_b);
    sn_vec3x8 normal = sn_load3(block->normal);
    part_a = sn_vec3x8_cross(part_a, normal);
    part_b = sn_vec3x8_cross(part_b, normal);
    for (int i = 0; i < block->point_count; ++i) {
        sn_contact_lane_point *point = &pass->points[block->first_point + i];
        move_arms(point->start_turn_a, point->start_turn_b, part_a, part_b, point->turn_a, point->turn_b);
    }
}

// --- warm start ----------------------------------------------------------------------------------

// The inertia of this sub-step, so that angular momentum is exchanged exactly.
SN_INLINE void contact_refresh_inertia(const sn_solver_inertia *inertias, const int32_t *index,
                                       sn_lanes *target)
{
    sn_vec3x8 diagonal, off_diagonal;
    sn_gather_records(inertias->diagonal, index, &diagonal, &off_diagonal);
    sn_store3(&target[0], diagonal);
    sn_store3(&target[3], off_diagonal);
}

// uᵀ J W Jᵀ v: the velocity along u that an impulse of 1 along v makes.
SN_INLINE sn_f8 coupling(const sn_contact_block *block, sn_vec3x8 u, sn_vec3x8 turn_a_u, sn_vec3x8 turn_b_u,
                         sn_vec3x8 v, sn_vec3x8 turn_a_v, sn_vec3x8 turn_b_v)
{
    sn_vec3x8 w = sn_vec3x8_add(sn_load3(block->inverse_mass_a), sn_load3(block->inverse_mass_b));
    return sn_vec3x8_dot(u, sn_vec3x8_mul(w, v)) +
           sn_vec3x8_dot(turn_a_u, sn_sym3x8_apply(sn_load_inertia8(block->inverse_inertia_a), turn_a_v)) +
           sn_vec3x8_dot(turn_b_u, sn_sym3x8_apply(sn_load_inertia8(block->inverse_inertia_b), turn_b_v));
}

SN_INLINE void refresh_friction_mass(sn_contact_block *block, sn_vec3x8 normal)
{
    sn_vec3x8 t = sn_load3(block->tangent), s = sn_vec3x8_cross(normal, t);
    sn_vec3x8 arm_a = sn_load3(block->center_a), arm_b = sn_load3(block->center_b);
    sn_vec3x8 ta = sn_vec3x8_cross(arm_a, t), tb = sn_vec3x8_cross(arm_b, t);
    sn_vec3x8 sa = sn_vec3x8_cross(arm_a, s), sb = sn_vec3x8_cross(arm_b, s);
    sn_f8 k11 = coupling(block, t, ta, tb, t, ta, tb), k12 = coupling(block, t, ta, tb, s, sa, sb);
    sn_f8 k22 = coupling(block, s, sa, sb, s, sa, sb);
    sn_f8 half = sn_f8_set(0.5f) * (k11 - k22), zero = sn_f8_set(0.0f);
    sn_store(&block->slip_mass,
             sn_f8_inverse_positive(sn_f8_set(0.5f) * (k11 + k22) + sn_f8_sqrt(half * half + k12 * k12)));
    sn_f8 determinant = k11 * k22 - k12 * k12;
    sn_i8 regular = determinant > sn_f8_set(1.0e-6f) * k11 * k22;
    sn_f8 inverse = sn_f8_inverse_positive(sn_f8_select(regular, determinant, zero));
    sn_f8 as_one = sn_f8_set(0.5f) * sn_f8_inverse_positive(sn_f8_max(k11, k22));
    sn_store(&block->tangent_mass[0], sn_f8_select(regular, k22 * inverse, as_one));
    sn_store(&block->tangent_mass[1], sn_f8_select(regular, -k12 * inverse, zero));
    sn_store(&block->tangent_mass[2], sn_f8_select(regular, k11 * inverse, as_one));
    sn_f8 twist = sn_vec3x8_dot(normal, sn_sym3x8_apply(sn_load_inertia8(block->inverse_inertia_a), normal)) +
                  sn_vec3x8_dot(normal, sn_sym3x8_apply(sn_load_inertia8(block->inverse_inertia_b), normal));
    sn_store(&block->twist_mass, sn_f8_inverse_positive(twist));
}

// The inverse of the sum of both inverse inertias, by cofactors.
SN_INLINE void refresh_rolling_mass(sn_contact_block *block)
{
    sn_f8 m[6];
    for (int i = 0; i < 6; ++i) {
        m[i] = sn_load(&block->inverse_inertia_a[i]) + sn_load(&block->inverse_inertia_b[i]);
    }
    sn_f8 size = sn_f8_max(m[0], sn_f8_max(m[1], m[2])), scale = sn_f8_inverse_positive(size);
    for (int i = 0; i < 6; ++i) {
        m[i] = m[i] * scale;
    }
    sn_f8 determinant;
    sn_sym3x8 c = sn_sym3x8_adjugate((sn_sym3x8){m[0], m[1], m[2], m[5], m[4], m[3]}, &determinant);
    sn_store_inertia8(block->rolling_mass, sn_sym3x8_scale(c, scale * sn_f8_inverse_positive(determinant)));
}

SN_SHARED void contact_refresh_masses(const sn_contact_pass *pass, sn_contact_block *block)
{
    sn_vec3x8 normal = sn_load3(block->normal);
    sn_vec3x8 w = sn_vec3x8_add(sn_load3(block->inverse_mass_a), sn_load3(block->inverse_mass_b));
    for (int i = 0; i < block->point_count; ++i) {
        sn_contact_lane_point *point = &pass->points[block->first_point + i];
        find_spins(block, point);
        sn_f8 k = sn_vec3x8_dot(normal, sn_vec3x8_mul(w, normal)) +
                  sn_vec3x8_dot(sn_load3(point->turn_a), sn_load3(point->spin_a)) +
                  sn_vec3x8_dot(sn_load3(point->turn_b), sn_load3(point->spin_b));
        sn_store(&point->normal_mass, sn_f8_inverse_positive(k));
    }
    refresh_friction_mass(block, normal);
    if (block->has_rolling) {
        refresh_rolling_mass(block);
    }
}

// Where the points are now: before any impulse of a sub-step, with how fast they approach, which restitution
// goes by; in an iteration of the position solver, with their separation taken back to where it began.
SN_INLINE void contact_measure_block(const sn_contact_pass *pass, sn_contact_block *block)
{
    velocities8 v = gather_velocities(pass, block);
    shifts8 shifts = gather_shifts(pass, block);
    sn_vec3x8 normal = sn_load3(block->normal);
    bool iterates = pass->ahead != 0.0f;
    follow_points(pass, block, &shifts);
    if (iterates && block->has_turned) {
        contact_refresh_masses(pass, block);
    }
    for (int i = 0; i < block->point_count; ++i) {
        sn_contact_lane_point *point = &pass->points[block->first_point + i];
        sn_f8 speed = normal_speed(point, &v, normal);
        sn_f8 separation = current_separation(point, &shifts, normal);
        if (iterates) {
            sn_f8 begun = separation - sn_f8_set(pass->ahead) * speed, before = sn_load(&point->before);
            sn_store(&point->now, separation);
            sn_store(&point->begun, begun);
            // Of a point that is new: as if it had been there.
            sn_store(&point->before, sn_f8_select(before >= sn_f8_set(SN_FAR_APART), begun, before));
        } else {
            sn_store(&point->approach, speed);
            sn_store(&point->before, separation);
            sn_store(&point->peak, sn_f8_set(0.0f));
        }
    }
}

// Whether any of the impulses that rows have is one.
SN_INLINE bool has_impulses(const sn_contact_pass *pass, const sn_contact_block *block)
{
    sn_f8 zero = sn_f8_set(0.0f);
    sn_i8 acts =
        (sn_load(&block->tangent_impulse[0]) != zero) | (sn_load(&block->tangent_impulse[1]) != zero);
    acts |= sn_load(&block->twist_impulse) != zero;
    for (int i = 0; i < block->point_count; ++i) {
        acts |= sn_load(&pass->points[block->first_point + i].normal_impulse) != zero;
    }
    for (int i = 0; block->has_rolling && i < 3; ++i) {
        acts |= sn_load(&block->rolling_impulse[i]) != zero;
    }
    return sn_i8_any(acts);
}

SN_INLINE void contact_warm_start_block(const sn_contact_pass *pass, sn_contact_block *block)
{
    contact_refresh_inertia(pass->inertias, block->body_a, block->inverse_inertia_a);
    contact_refresh_inertia(pass->inertias, block->body_b, block->inverse_inertia_b);
    if (block->has_turned) {
        contact_refresh_masses(pass, block);
    }
    for (int i = 0; i < block->point_count; ++i) {
        find_spins(block, &pass->points[block->first_point + i]);
    }
    if (!has_impulses(pass, block)) {
        return;
    }
    velocities8 v = gather_velocities(pass, block);
    sn_vec3x8 normal = sn_load3(block->normal), tangent = sn_load3(block->tangent);
    sn_vec3x8 bitangent = sn_vec3x8_cross(normal, tangent);
    for (int i = 0; i < block->point_count; ++i) {
        const sn_contact_lane_point *point = &pass->points[block->first_point + i];
        push_point(block, point, &v, normal, sn_load(&point->normal_impulse));
    }
    sn_vec3x8 friction = sn_vec3x8_add(sn_vec3x8_scale(tangent, sn_load(&block->tangent_impulse[0])),
                                       sn_vec3x8_scale(bitangent, sn_load(&block->tangent_impulse[1])));
    apply_impulse(block, &v, sn_load3(block->center_a), sn_load3(block->center_b), friction);
    apply_turn(block, &v, sn_vec3x8_scale(normal, sn_load(&block->twist_impulse)));
    if (block->has_rolling) {
        apply_turn(block, &v, sn_load3(block->rolling_impulse));
    }
    scatter_velocities(pass, block, &v);
}

// --- solve and relax -----------------------------------------------------------------------------

// Whether a point carries nothing: where the surfaces do not touch, and its spring, which at distance 0
// carries the reference, would pull.
SN_INLINE sn_i8 contact_is_apart(const sn_contact_block *block, sn_f8 separation, sn_f8 mass, sn_f8 reference)
{
    sn_f8 pull = sn_load(&block->mass_scale) * mass * sn_load(&block->bias_rate) * separation;
    return (separation > sn_f8_set(0.0f)) & (pull >= sn_load(&block->impulse_scale) * reference);
}

// What the row of a point goes by while its bodies are where they are.
typedef struct normal_row8 {
    sn_f8 mass, impulse_scale;
    sn_i8 apart;
    sn_f8 closing;     // impulse that brings a point that is apart as close as touching
    sn_f8 push, limit; // of the bias of one that overlaps: see normal_change
    sn_f8 bend;        // speed at which a point approaches by turning alone
} normal_row8;

// `separation`: now, or, in an iteration, where the sub-step began.
SN_INLINE normal_row8 normal_row_of(const sn_contact_pass *pass, const sn_contact_block *block,
                                    const sn_contact_lane_point *point, sn_f8 separation)
{
    sn_f8 zero = sn_f8_set(0.0f), one = sn_f8_set(1.0f);
    // By how much the way of a point differs from J·u: bodies that turn move their points on circles. It is
    // no overlap that a spring may take its time for, unless it is far.
    sn_f8 bend = pass->ahead != 0.0f ? sn_load(&point->begun) - separation : zero;
    normal_row8 row = {.mass = sn_load(&point->normal_mass)};
    row.apart = contact_is_apart(block, separation, row.mass, sn_load(&point->reference));
    // Apart: may come exactly as close as touching. Penetrating: pushed out softly, or, relaxing, merely
    // stopped.
    sn_f8 mass_scale = pass->use_bias ? sn_f8_select(row.apart, one, sn_load(&block->mass_scale)) : one;
    row.impulse_scale = pass->use_bias ? sn_f8_select(row.apart, zero, sn_load(&block->impulse_scale)) : zero;
    row.mass = row.mass * mass_scale;
    row.closing = -row.mass * (separation * sn_f8_set(pass->inverse_h));
    row.push = row.mass * sn_f8_min(-sn_load(&block->bias_rate) * separation, sn_f8_set(pass->push_speed));
    row.limit = row.mass * sn_f8_set(pass->bias_limit);
    row.bend = sn_f8_max(bend * sn_f8_set(pass->inverse_h), sn_f8_set(-pass->push_speed));
    return row;
}

// All rows of a block. Separations were measured when the sub-step, or the iteration, began: bodies move
// between solving and relaxing only.
SN_INLINE void find_normal_rows(const sn_contact_pass *pass, sn_contact_block *block, const shifts8 *moved,
                                sn_vec3x8 normal, normal_row8 *rows)
{
    for (int i = 0; i < block->point_count; ++i) {
        sn_contact_lane_point *point = &pass->points[block->first_point + i];
        if (pass->is_projected) {
            find_spins(block, point);
        }
        sn_f8 separation = moved != NULL ? current_separation(point, moved, normal) : sn_load(&point->before);
        rows[i] = normal_row_of(pass, block, point, separation);
    }
}

// By how much a row asks its impulse to change. What overlaps is pushed out by a spring, which may push as
// hard as it did before, and harder by no more than bias_limit allows. Without that limit a row of
// overlapping bodies would be thrown apart: their biases add up along the row, and one relaxing sweep does
// not remove them.
SN_INLINE sn_f8 normal_change(const sn_contact_pass *pass, const sn_contact_lane_point *point,
                              const normal_row8 *row, const velocities8 *v, sn_vec3x8 normal)
{
    sn_f8 decay = row->impulse_scale * (sn_load(&point->normal_impulse) - sn_load(&point->reference));
    sn_f8 spring = pass->use_bias ? sn_f8_min(row->push, row->limit + decay) : sn_f8_set(0.0f);
    sn_f8 speed = normal_speed(point, v, normal) + row->bend;
    return sn_f8_select(row->apart, row->closing, spring) - row->mass * speed - decay;
}

SN_INLINE void set_normal_impulse(const sn_contact_block *block, sn_contact_lane_point *point, velocities8 *v,
                                  sn_vec3x8 normal, sn_f8 impulse, sn_f8 parts)
{
    sn_f8 change = (impulse - sn_load(&point->normal_impulse)) * parts;
    sn_store(&point->normal_impulse, impulse);
    sn_store(&point->peak, sn_f8_max(sn_load(&point->peak), impulse));
    push_point(block, point, v, normal, change);
}

SN_INLINE void solve_normals(const sn_contact_pass *pass, sn_contact_block *block, const normal_row8 *rows,
                             velocities8 *v, sn_vec3x8 normal)
{
    for (int k = 0; k < block->point_count; ++k) {
        int i = pass->backwards ? block->point_count - 1 - k : k;
        sn_contact_lane_point *point = &pass->points[block->first_point + i];
        sn_f8 change = normal_change(pass, point, &rows[i], v, normal);
        sn_f8 impulse = sn_f8_max(sn_load(&point->normal_impulse) + change, sn_f8_set(0.0f));
        set_normal_impulse(block, point, v, normal, impulse, sn_f8_set(1.0f));
    }
}

// Whether any normal row of a block without impulses asks for one. Motion that is not finite does, so that
// what it does is the same whichever patches share a block.
SN_INLINE bool normals_ask(const sn_contact_pass *pass, const sn_contact_block *block,
                           const normal_row8 *rows, const velocities8 *v, sn_vec3x8 normal)
{
    sn_i8 asks = {0};
    for (int i = 0; i < block->point_count; ++i) {
        const sn_contact_lane_point *point = &pass->points[block->first_point + i];
        sn_f8 change = normal_change(pass, point, &rows[i], v, normal);
        asks |= ~((change <= sn_f8_set(0.0f)) & (change >= sn_f8_set(-FLT_MAX)));
    }
    return sn_i8_any(asks);
}

#include "solver/contact/contact_friction.h"

// Rows that solve: of where bodies are, or, relaxing, of where they have moved to since.
SN_INLINE void prepare_normal_rows(const sn_contact_pass *pass, sn_contact_block *block, sn_vec3x8 normal,
                                   normal_row8 *rows)
{
    if (pass->use_bias) {
        find_normal_rows(pass, block, NULL, normal, rows);
        return;
    }
    shifts8 shifts = gather_shifts(pass, block);
    if (has_turned(block, &shifts)) {
        contact_refresh_inertia(pass->inertias, block->body_a, block->inverse_inertia_a);
        contact_refresh_inertia(pass->inertias, block->body_b, block->inverse_inertia_b);
        contact_refresh_masses(pass, block);
    }
    find_normal_rows(pass, block, &shifts, normal, rows);
}

// Normals twice, friction in between: the two are strongly coupled through the bodies' rotation, and a second
// look at the normals costs little while velocities are at hand. Read backwards it is the same order. Of
// patches that nothing presses, all that is left to find is that it stays so.
SN_INLINE void contact_solve_block(const sn_contact_pass *pass, sn_contact_block *block)
{
    velocities8 v = gather_velocities(pass, block);
    sn_vec3x8 normal = sn_load3(block->normal);
    normal_row8 rows[SN_MANIFOLD_POINTS];
    prepare_normal_rows(pass, block, normal, rows);
    if (!has_impulses(pass, block) && !normals_ask(pass, block, rows, &v, normal)) {
        return;
    }
    for (int turn = 0; turn < 2; ++turn) {
        solve_normals(pass, block, rows, &v, normal);
        if (turn == 0) {
            solve_frictions(pass, block, &v, normal);
        }
    }
    scatter_velocities(pass, block, &v);
}

// --- all at once -----------------------------------------------------------------------------------

#include "solver/contact/contact_project.h"

// --- pushing apart -------------------------------------------------------------------------------

// Changes the motion of the sub-step so that it leads out of overlaps, and not into others. Nothing is
// stored: these pushes end with the motion.
SN_INLINE void contact_push_block(const sn_contact_pass *pass, sn_contact_block *block)
{
    velocities8 v;
    sn_gather_records(pass->moves->linear, block->body_a, &v.linear_a, &v.angular_a);
    sn_gather_records(pass->moves->linear, block->body_b, &v.linear_b, &v.angular_b);
    sn_vec3x8 normal = sn_load3(block->normal);
    sn_f8 zero = sn_f8_set(0.0f);
    sn_i8 pushes = {0};
    for (int i = 0; i < block->point_count; ++i) {
        const sn_contact_lane_point *point = &pass->points[block->first_point + i];
        sn_f8 separation = sn_load(&point->before);
        // A spring that is loaded overlaps: that much is not pushed out.
        // Of lanes without a contact the scale is 0.
        sn_f8 mass = sn_load(&point->normal_mass);
        sn_f8 mass_scale = sn_f8_max(sn_load(&block->mass_scale), sn_f8_set(FLT_MIN));
        sn_f8 carried = sn_load(&point->normal_impulse) - sn_load(&point->reference);
        sn_f8 load = sn_load(&block->impulse_scale) * carried / mass_scale;
        sn_f8 push = mass * sn_f8_min(-sn_load(&block->bias_rate) * separation, sn_f8_set(pass->push_speed));
        push = sn_f8_max(push - load, zero);
        sn_f8 away = mass * separation * sn_f8_set(pass->inverse_h);
        sn_f8 speed = normal_speed(point, &v, normal);
        sn_f8 impulse = sn_f8_max(sn_f8_select(separation > zero, -away, push) - mass * speed, zero);
        pushes |= impulse > zero;
        push_point(block, point, &v, normal, impulse);
    }
    if (sn_i8_any(pushes)) {
        contact_scatter(pass->moves->linear, block->body_a, pass->dynamic_begin, v.linear_a, v.angular_a);
        contact_scatter(pass->moves->linear, block->body_b, pass->dynamic_begin, v.linear_b, v.angular_b);
    }
}

// --- end of the sub-step -------------------------------------------------------------------------

#include "solver/contact/contact_finish.h"

// --- over ranges of blocks -----------------------------------------------------------------------

typedef void (*contact_visitor)(const sn_contact_pass *pass, sn_contact_block *block);

// Both parts of a block, one after the other, with the points of the pass as the part sees them. A part
// without patches is left out.
SN_INLINE void visit_parts(const sn_contact_pass parts[2], sn_contact_block *block, bool follows,
                           contact_visitor visit)
{
    sn_i8 turned = {0};
    int count = sn_is_half_empty(block->input) ? 1 : 2;
    for (int k = 0; k < count && follows; ++k) {
        shifts8 shifts = gather_shifts(parts, sn_part_of(block, 0, k));
        turned |= far_turned(&shifts);
    }
    block->has_turned = follows ? sn_i8_any(turned) : block->has_turned;
    sn_repeat_scalars(&block->scalars);
    for (int k = 0; k < count; ++k) {
        visit(&parts[k], sn_part_of(block, 0, k));
    }
}

// `in_turn`: in the direction of the sub-step; `follows`: bodies have moved since blocks were visited last.
SN_INLINE void visit_contacts(const sn_contact_pass *pass, int begin, int end, bool in_turn, bool follows,
                              contact_visitor visit)
{
    sn_contact_pass parts[2];
    if (SN_PARTS > 1) {
        parts[0] = parts[1] = *pass;
        parts[1].points = sn_second_part(pass->points);
    }
    for (int i = begin; i < end; ++i) {
        sn_contact_block *block = &pass->blocks[in_turn && pass->backwards ? end - 1 - (i - begin) : i];
        if (SN_PARTS == 1) {
            visit(pass, block);
        } else {
            visit_parts(parts, block, follows, visit);
        }
    }
}

#define SN_CONTACT_LOOP(name, in_turn, follows)                                                              \
    static void name##_blocks(const sn_contact_pass *pass, int begin, int end)                               \
    {                                                                                                        \
        visit_contacts(pass, begin, end, in_turn, follows, name##_block);                                    \
    }
SN_CONTACT_LOOP(contact_measure, false, true)
SN_CONTACT_LOOP(contact_warm_start, false, false)
SN_CONTACT_LOOP(contact_solve, true, !pass->use_bias)
SN_CONTACT_LOOP(contact_project, false, false)
SN_CONTACT_LOOP(contact_push, true, false)
SN_CONTACT_LOOP(contact_finish, false, false)

const sn_contact_kernels SN_BUILD(sn_contact_kernels) = {.measure = contact_measure_blocks,
                                                         .warm_start = contact_warm_start_blocks,
                                                         .solve = contact_solve_blocks,
                                                         .project = contact_project_blocks,
                                                         .push_apart = contact_push_blocks,
                                                         .finish = contact_finish_blocks};
