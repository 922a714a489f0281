// Packing patches into blocks of eight lanes before the sub-steps, and unpacking their impulses afterwards.
#include "solver/contact/contact_block.h"

#include "constraint/contact.h"
#include "constraint/gradient.h"

// What the effective masses of one lane follow from.
typedef struct lane_masses {
    sn_vec3 inverse_mass; // of both bodies together
    sn_sym3 inertia_a, inertia_b;
} lane_masses;

// An entry uᵀ K v of K = J W Jᵀ.
static float coupling(const lane_masses *masses, const sn_coordinate *u, const sn_coordinate *v)
{
    float linear = sn_dot(u->linear[1], sn_mul(masses->inverse_mass, v->linear[1]));
    float turn_a = sn_dot(u->angular[0], sn_sym3_apply(masses->inertia_a, v->angular[0]));
    float turn_b = sn_dot(u->angular[1], sn_sym3_apply(masses->inertia_b, v->angular[1]));
    return linear + turn_a + turn_b;
}

static float inverse_or_zero(float k)
{
    return k > 0.0f ? 1.0f / k : 0.0f;
}

static void fill_friction(sn_contact_block *block, int lane, const lane_masses *masses, const sn_patch *patch,
                          sn_vec3 arm_a, sn_vec3 arm_b)
{
    sn_vec3 tangent = sn_perpendicular(patch->normal), bitangent = sn_cross(patch->normal, tangent);
    sn_coordinate along = sn_gradient_along(tangent, arm_a, arm_b);
    sn_coordinate across = sn_gradient_along(bitangent, arm_a, arm_b);
    float k11 = coupling(masses, &along, &along);
    float k12 = coupling(masses, &along, &across);
    float k22 = coupling(masses, &across, &across);
    float half = 0.5f * (k11 - k22);
    block->slip_mass.lane[lane] = inverse_or_zero(0.5f * (k11 + k22) + sqrtf(half * half + k12 * k12));
    float determinant = k11 * k22 - k12 * k12;
    if (determinant > 1.0e-6f * k11 * k22) {
        block->tangent_mass[0].lane[lane] = k22 / determinant;
        block->tangent_mass[1].lane[lane] = -k12 / determinant;
        block->tangent_mass[2].lane[lane] = k11 / determinant;
    } else {
        // Bodies locked to a line: the two directions respond as one.
        block->tangent_mass[0].lane[lane] = 0.5f * inverse_or_zero(sn_max(k11, k22));
        block->tangent_mass[2].lane[lane] = block->tangent_mass[0].lane[lane];
    }
    sn_coordinate twist = sn_gradient_about(patch->normal);
    block->twist_mass.lane[lane] = inverse_or_zero(coupling(masses, &twist, &twist));
    block->tangent_impulse[0].lane[lane] = sn_dot(patch->friction_impulse, tangent);
    block->tangent_impulse[1].lane[lane] = sn_dot(patch->friction_impulse, bitangent);
    block->twist_impulse.lane[lane] = patch->twist_impulse;
}

static void fill_point(sn_contact_lane_point *target, int lane, const lane_masses *masses,
                       const sn_patch_point *point, sn_vec3 normal, sn_vec3 center_a)
{
    sn_coordinate gap = sn_gradient_along(normal, point->arm_a, point->arm_b);
    target->normal_mass.lane[lane] = inverse_or_zero(coupling(masses, &gap, &gap));
    sn_vec3 offset = sn_sub(point->arm_a, center_a);
    target->lever.lane[lane] = sn_length(sn_add_scaled(offset, -sn_dot(offset, normal), normal));
    target->normal_impulse.lane[lane] = point->normal_impulse;
    target->reference.lane[lane] = point->reference;
}

// Whether one of the lane's points overlaps so far, beyond what its load causes, that velocities alone would
// not push it out as fast as they may.
static bool is_deep(const sn_contact_block *block, int lane, const sn_contact_lane_point *points, float limit)
{
    float rate = block->bias_rate.lane[lane], mass_scale = block->mass_scale.lane[lane];
    for (int i = 0; i < block->point_count; ++i) {
        float mass = points[i].normal_mass.lane[lane] * mass_scale;
        float load = block->impulse_scale.lane[lane] *
                     (points[i].normal_impulse.lane[lane] - points[i].reference.lane[lane]);
        if (-rate * points[i].start_separation.lane[lane] * mass > limit * mass + load) {
            return true;
        }
    }
    return false;
}

// Scales the kept impulses.
static void scale_warm_start_of_lane(sn_contact_packing *packing, sn_contact_block *block, int lane,
                                     float part)
{
    sn_lanes *impulses[] = {&block->tangent_impulse[0], &block->tangent_impulse[1],
                            &block->twist_impulse,      &block->rolling_impulse[0],
                            &block->rolling_impulse[1], &block->rolling_impulse[2]};
    for (int i = 0; i < 6; ++i) {
        impulses[i]->lane[lane] *= part;
    }
    for (int i = 0; i < block->point_count; ++i) {
        packing->points[block->first_point + i].normal_impulse.lane[lane] *= part;
        packing->points[block->first_point + i].reference.lane[lane] *= part;
    }
}

// What overlaps deeply is pushed apart: its impulses are no loads.
static void forget_references(sn_contact_packing *packing, sn_contact_block *block, int lane)
{
    block->settle_rate.lane[lane] = block->tilt_rate.lane[lane] = 0.0f;
    for (int i = 0; i < block->point_count; ++i) {
        packing->points[block->first_point + i].reference.lane[lane] = 0.0f;
    }
}

static void fill_surface_velocity(sn_contact_block *block, int lane, const sn_contact_input *input)
{
    sn_vec3 normal = input->patch->normal, tangent = sn_perpendicular(normal);
    block->surface_velocity[0].lane[lane] = sn_dot(input->surface_velocity, tangent);
    block->surface_velocity[1].lane[lane] = sn_dot(input->surface_velocity, sn_cross(normal, tangent));
    block->has_surface_velocity |= sn_length_squared(input->surface_velocity) > 0.0f;
}

// The square of the ratio of a patch's radius to the height of what stands is that of the rates, squared, of
// tilting and sinking.
static void fill_rates(sn_contact_block *block, int lane, const sn_contact_lane_point *points,
                       const sn_contact_input *input)
{
    float sum = 0.0f;
    for (int i = 0; i < input->patch->count; ++i) {
        sum += points[i].lever.lane[lane] * points[i].lever.lane[lane];
    }
    float tilt = input->tilt_rate * sum / (float)(input->patch->count > 0 ? input->patch->count : 1);
    block->settle_rate.lane[lane] = input->settle_rate;
    block->tilt_rate.lane[lane] = sn_min(tilt, input->settle_rate);
}

static lane_masses masses_of(const sn_solver *solver, const sn_contact_input *input)
{
    return (lane_masses){
        sn_add(solver->bodies[input->body_a].inverse_mass, solver->bodies[input->body_b].inverse_mass),
        sn_solver_inertia_matrix(&solver->inertias[input->body_a]),
        sn_solver_inertia_matrix(&solver->inertias[input->body_b])};
}

// Where the points are, and their impulses. Arms and separations are kept as of where the step began: those
// of now, which masses go by, without the motion since.
static void place_lane(const sn_solver *solver, sn_contact_packing *packing, sn_contact_block *block,
                       int lane)
{
    const sn_contact_input *input = &solver->contacts[block->input[lane]];
    const sn_solver_shift *a = &solver->shifts[input->body_a], *b = &solver->shifts[input->body_b];
    sn_vec3 parting = sn_sub(sn_take3(b->moved), sn_take3(a->moved));
    sn_vec3 part_a = sn_scale(parting, block->share_a.lane[lane]), part_b = sn_sub(parting, part_a);
    const sn_patch *patch = input->patch;
    lane_masses masses = masses_of(solver, input);
    sn_lanes_put3(block->normal, lane, patch->normal);
    sn_lanes_put3(block->tangent, lane, sn_perpendicular(patch->normal));
    sn_vec3 center_a, center_b;
    sn_patch_friction_center(patch, &center_a, &center_b);
    center_a = sn_add(center_a, input->shift_a);
    center_b = sn_add(center_b, input->shift_b);
    sn_lanes_put3(block->start_center_a, lane, sn_sub(center_a, part_a));
    sn_lanes_put3(block->start_center_b, lane, sn_add(center_b, part_b));
    fill_friction(block, lane, &masses, patch, center_a, center_b);
    for (int i = 0; i < patch->count; ++i) {
        sn_contact_lane_point *target = &packing->points[block->first_point + i];
        sn_patch_point point = patch->points[i];
        point.arm_a = sn_add(point.arm_a, input->shift_a);
        point.arm_b = sn_add(point.arm_b, input->shift_b);
        fill_point(target, lane, &masses, &point, patch->normal, center_a);
        sn_vec3 turn_a = sn_cross(sn_sub(point.arm_a, part_a), patch->normal);
        sn_vec3 turn_b = sn_cross(sn_add(point.arm_b, part_b), patch->normal);
        sn_lanes_put3(target->start_turn_a, lane, turn_a);
        sn_lanes_put3(target->start_turn_b, lane, turn_b);
        target->start_separation.lane[lane] =
            point.separation - sn_dot(parting, patch->normal) -
            (sn_dot(sn_take3(b->turned), turn_b) - sn_dot(sn_take3(a->turned), turn_a));
    }
}

// A body that is locked in its place but turns, like a wheel, keeps its arms: with others its normal impulses
// would turn it.
static float share_of_a(const sn_solver *solver, const sn_contact_input *input, bool a_moves, bool b_moves)
{
    bool a_stays = sn_length_squared(solver->bodies[input->body_a].inverse_mass) == 0.0f;
    bool b_stays = sn_length_squared(solver->bodies[input->body_b].inverse_mass) == 0.0f;
    if (a_moves && b_moves && a_stays != b_stays) {
        return a_stays ? 0.0f : 1.0f;
    }
    return a_moves ? (b_moves ? 0.5f : 0.0f) : 1.0f;
}

static void fill_lane(const sn_solver *solver, sn_contact_packing *packing, sn_contact_block *block, int lane)
{
    const sn_contact_input *input = &solver->contacts[block->input[lane]];
    const sn_solver_settings *settings = &solver->settings;
    block->body_a[lane] = input->body_a;
    block->body_b[lane] = input->body_b;
    sn_lanes_put3(block->inverse_mass_a, lane, solver->bodies[input->body_a].inverse_mass);
    sn_lanes_put3(block->inverse_mass_b, lane, solver->bodies[input->body_b].inverse_mass);
    bool a_moves = input->body_a >= solver->dynamic_begin, b_moves = input->body_b >= solver->dynamic_begin;
    block->share_a.lane[lane] = share_of_a(solver, input, a_moves, b_moves);
    block->friction.lane[lane] = input->friction;
    block->restitution.lane[lane] = input->restitution;
    block->rolling_resistance.lane[lane] = input->rolling_resistance;
    block->has_restitution |= input->restitution > 0.0f;

    sn_softness soft = a_moves && b_moves ? settings->laws.contact : settings->laws.contact_with_immovable;
    block->bias_rate.lane[lane] = soft.bias_rate;
    block->mass_scale.lane[lane] = soft.mass_scale;
    block->impulse_scale.lane[lane] = soft.impulse_scale;

    lane_masses masses = masses_of(solver, input);
    place_lane(solver, packing, block, lane);
    for (int i = input->patch->count; i < block->point_count; ++i) {
        packing->points[block->first_point + i].start_separation.lane[lane] = SN_FAR_APART;
    }
    fill_rates(block, lane, &packing->points[block->first_point], input);
    if (input->rolling_resistance > 0.0f) {
        block->has_rolling = true;
        sn_sym3 a = masses.inertia_a, b = masses.inertia_b;
        sn_sym3 both = {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
        sn_sym3 mass = sn_sym3_inverse(both);
        sn_lanes_put3(&block->rolling_mass[0], lane, sn_v(mass.xx, mass.yy, mass.zz));
        sn_lanes_put3(&block->rolling_mass[3], lane, sn_v(mass.xy, mass.xz, mass.yz));
        sn_lanes_put3(block->rolling_impulse, lane, input->patch->rolling_impulse);
    }
    fill_surface_velocity(block, lane, input);
    float kept = settings->laws.kept * input->kept;
    if (kept != 1.0f) {
        scale_warm_start_of_lane(packing, block, lane, kept);
    }
    if (settings->laws.has_position_push &&
        is_deep(block, lane, &packing->points[block->first_point], settings->laws.overlap_speed)) {
        block->is_deep = true;
        forget_references(packing, block, lane);
    }
}

void sn_contact_block_fill(const sn_solver *solver, sn_contact_packing *packing, int block)
{
    sn_contact_block *target = &packing->blocks[block];
    for (int lane = 0; lane < SN_LANES; ++lane) {
        if (target->input[lane] >= 0) {
            fill_lane(solver, packing, target, lane);
        }
    }
}

// Sums over the step are scaled by `part`.
static void store_lane(const sn_solver *solver, const sn_contact_packing *packing,
                       const sn_contact_block *source, int lane, float part)
{
    sn_patch *patch = solver->contacts[source->input[lane]].patch;
    sn_vec3 tangent = sn_lanes_take3(source->tangent, lane);
    sn_vec3 bitangent = sn_cross(sn_lanes_take3(source->normal, lane), tangent);
    patch->rolling_impulse =
        source->has_rolling ? sn_lanes_take3(source->rolling_impulse, lane) : sn_v(0.0f, 0.0f, 0.0f);
    patch->twist_impulse = source->twist_impulse.lane[lane];
    patch->friction_impulse = sn_add_scaled(sn_scale(tangent, source->tangent_impulse[0].lane[lane]),
                                            source->tangent_impulse[1].lane[lane], bitangent);
    patch->total_friction = sn_add_scaled(sn_scale(tangent, part * source->total_tangent[0].lane[lane]),
                                          part * source->total_tangent[1].lane[lane], bitangent);
    for (int i = 0; i < patch->count; ++i) {
        const sn_contact_lane_point *from = &packing->points[source->first_point + i];
        sn_patch_point *point = &patch->points[i];
        point->normal_impulse = from->normal_impulse.lane[lane];
        point->reference = from->reference.lane[lane];
        point->total_normal = part * from->total_normal.lane[lane];
        point->approach_speed = from->fastest.lane[lane];
    }
}

void sn_contact_block_store(const sn_solver *solver, const sn_contact_packing *packing, int block)
{
    for (int lane = 0; lane < SN_LANES; ++lane) {
        if (packing->blocks[block].input[lane] >= 0) {
            store_lane(solver, packing, &packing->blocks[block], lane, sn_reported_part(&solver->settings));
        }
    }
}

// --- patches found again -----------------------------------------------------------------------------------

// Points that persist keep their places, by their features, and with them their impulses; places without a
// point are far apart.
static void keep_places(const sn_patch *patch, sn_patch *found)
{
    for (int i = found->count; i < patch->count; found->count = ++i) {
        found->points[i] = patch->points[i];
        found->points[i].feature = UINT32_MAX;
        found->points[i].separation = sn_length(patch->points[i].arm_a) + sn_length(patch->points[i].arm_b);
    }
    for (int i = 0; i < patch->count; ++i) {
        for (int k = i; k < found->count; ++k) {
            if (found->points[k].feature == patch->points[i].feature) {
                sn_patch_point other = found->points[i];
                found->points[i] = found->points[k];
                found->points[k] = other;
            }
        }
    }
}

void sn_contact_lane_replace(const sn_solver *solver, sn_contact_packing *packing, sn_contact_block *block,
                             int lane, sn_patch *found)
{
    sn_patch *patch = solver->contacts[block->input[lane]].patch;
    store_lane(solver, packing, block, lane, 1.0f);
    keep_places(patch, found);
    patch->normal = found->normal;
    for (int i = 0; i < found->count && i < block->point_count; ++i) {
        sn_patch_point *point = &patch->points[i], old = i < patch->count ? *point : (sn_patch_point){0};
        *point = found->points[i];
        point->normal_impulse = old.normal_impulse;
        point->reference = old.reference;
        bool is_new = i >= patch->count || point->feature != old.feature;
        float *before = &packing->points[block->first_point + i].before.lane[lane];
        *before = is_new ? SN_FAR_APART : *before;
    }
    patch->count = found->count < block->point_count ? found->count : block->point_count;
    place_lane(solver, packing, block, lane);
    sn_vec3 tangent = sn_lanes_take3(block->tangent, lane), friction = patch->total_friction;
    block->total_tangent[0].lane[lane] = sn_dot(friction, tangent);
    block->total_tangent[1].lane[lane] = sn_dot(friction, sn_cross(patch->normal, tangent));
}
