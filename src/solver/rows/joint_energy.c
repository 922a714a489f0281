// Takes back the energy that the hard rows of joints have added.
//
// In theory hard rows do no work, because the speed along a row is zero. In a sub-step it is only nearly
// zero, because gradients are out of date at its end. For most joints the work is a small loss. Where forces
// are large for the masses they act on (light links that are whirled, the tip of a whip) it can be a gain
// that feeds itself. So each joint sums up its work exactly, impulse × mean speed over warm start, solving
// and relaxing. Where the sum over an island is positive (joint_islands.c), it is taken back at the joints
// that added energy, by friction between their two ends: an impulse −f K⁻¹ q against their relative twist q,
// with its 6 × 6 matrix K, which leaves (1 − f) q. It acts on both ends at one place, so linear and angular
// momentum are kept, and it removes the energy (2f − f²) ½ qᵀK⁻¹q.
#include "solver/rows/joint_block.h"

#include "math/dense.h"

#include <math.h>

typedef struct twist {
    sn_vec3 linear, angular;
} twist;

// One end as the friction sees it.
typedef struct end_state {
    int body;
    sn_vec3 arm; // from its centre to the common place
    sn_vec3 inverse_mass;
    sn_sym3 inverse_inertia;
    twist velocity;
} end_state;

static end_state end_of(const sn_joint_pass *pass, int body, sn_vec3 place)
{
    bool moves = body >= pass->dynamic_begin;
    const sn_sym3 nothing = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
    return (end_state){
        .body = body,
        .arm = sn_sub(place, pass->bodies[body].center),
        .inverse_mass = moves ? pass->bodies[body].inverse_mass : sn_v(0.0f, 0.0f, 0.0f),
        .inverse_inertia = moves ? sn_solver_inertia_matrix(&pass->inertias[body]) : nothing,
        .velocity = {sn_take3(pass->velocities[body].linear), sn_take3(pass->velocities[body].angular)}};
}

// What a wrench at the common place does to the end, seen there.
static twist response_of(const end_state *end, sn_vec3 force, sn_vec3 torque)
{
    sn_vec3 turn = sn_sym3_apply(end->inverse_inertia, sn_add(torque, sn_cross(end->arm, force)));
    return (twist){sn_add(sn_mul(end->inverse_mass, force), sn_cross(turn, end->arm)), turn};
}

static twist motion_at(const end_state *end)
{
    return (twist){sn_add(end->velocity.linear, sn_cross(end->velocity.angular, end->arm)),
                   end->velocity.angular};
}

static void put_twist(float *target, twist t)
{
    sn_put3(target, t.linear);
    sn_put3(target + 3, t.angular);
}

// LDLᵀ of K.
static void factor_response(const end_state *a, const end_state *b, float *factor)
{
    for (int i = 0; i < 6; ++i) {
        float unit[6] = {0.0f}, column_a[6], column_b[6];
        unit[i] = 1.0f;
        put_twist(column_a, response_of(a, sn_take3(unit), sn_take3(unit + 3)));
        put_twist(column_b, response_of(b, sn_take3(unit), sn_take3(unit + 3)));
        for (int j = 0; j <= i; ++j) {
            factor[sn_packed(i, j)] = column_a[j] + column_b[j];
        }
    }
    sn_ldl_factor(factor, 6);
}

static void push(const sn_joint_pass *pass, const end_state *end, sn_vec3 force, sn_vec3 torque)
{
    if (end->body < pass->dynamic_begin) {
        return;
    }
    sn_vec3 turn = sn_sym3_apply(end->inverse_inertia, sn_add(torque, sn_cross(end->arm, force)));
    sn_velocity_change(&pass->velocities[end->body], &pass->residues[end->body],
                       sn_mul(end->inverse_mass, force), turn);
}

static float take_from(const sn_joint_pass *pass, const end_state *a, const end_state *b, float amount)
{
    float factor[21], relative[6], impulse[6], energy = 0.0f;
    twist at_a = motion_at(a), at_b = motion_at(b);
    put_twist(relative, (twist){sn_sub(at_b.linear, at_a.linear), sn_sub(at_b.angular, at_a.angular)});
    factor_response(a, b, factor);
    for (int i = 0; i < 6; ++i) {
        impulse[i] = relative[i];
    }
    sn_ldl_solve(factor, 6, impulse);
    for (int i = 0; i < 6; ++i) {
        energy += 0.5f * relative[i] * impulse[i];
    }
    bool is_there = energy > 0.0f && energy < INFINITY;
    if (is_there) {
        float part = amount < energy ? 1.0f - sqrtf(1.0f - amount / energy) : 1.0f;
        sn_vec3 force = sn_scale(sn_take3(impulse), part), torque = sn_scale(sn_take3(impulse + 3), part);
        push(pass, a, force, torque);
        push(pass, b, sn_neg(force), sn_neg(torque));
    }
    return is_there ? sn_min(amount, energy) : 0.0f;
}

float sn_joint_take_back(const sn_joint_pass *pass, const sn_joint_block *block, int lane, float amount)
{
    int body_a = block->body_a[lane], body_b = block->body_b[lane];
    bool from_b = body_b > 0;
    sn_vec3 arm = sn_lanes_take3(from_b ? block->arm_b : block->arm_a, lane);
    sn_vec3 place = sn_add(pass->bodies[from_b ? body_b : body_a].center, arm);
    end_state a = end_of(pass, body_a, place), b = end_of(pass, body_b, place);
    return take_from(pass, &a, &b, amount);
}
