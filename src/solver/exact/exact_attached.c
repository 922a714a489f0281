// Sets attached to bodies. A body and its attached nodes are one composite: at the end of a sub-step, with
// the body at c and R and the nodes at x̂_i instead of p_i = c + r_i, the body takes the twist dc, dθ that
// minimises
//
//   ½ M |dc|² + ½ dθᵀ I dθ + Σ ½ m_i |p_i + dc + dθ × r_i − x̂_i|²
//
// which is what impulses between body and nodes do over h. With A = M + Σ m, s = Σ m r, e = x̂ − p:
//
//   S dθ = Σ m r × e − s × A⁻¹ Σ m e,   S = I + Σ m (|r|² 1 − r rᵀ) + [s]× A⁻¹ [s]×
//   dc = A⁻¹ (Σ m e − Σ m (r⁺ − r))
//
// dc uses arms r⁺ after the rotation, so that momentum is kept however large it is; for large rotations dθ is
// found by Newton's method. Sums over arms r = R l follow from Σ m l and Σ m l lᵀ in the body's frame, which
// are constant: node by node, only positions or velocities are summed up and corrected.
//
// Impulses act where the nodes were when the sub-step began, whether at the body's points or not yet, so that
// angular momentum is kept, too. Nodes end at the body's points; velocities agree by the same equations.
// Locked axes take no part.
//
// In double: of a light body with heavy nodes S is a small difference of large numbers, and hundreds of nodes
// are summed up.
#include "base/simd.h"
#include "solver/exact/exact.h"

#include <string.h>

enum { LOAD_GRAIN = 4, MOST_PASSES = 4 };

// Turns below this are found in one pass, as far as float can see. [rad]
#define SMALL_TURN 1.0e-5

// A body with all sets that are attached to it.
typedef struct load {
    int body, begin, end; // of the attached sets
    int node_count;
    bool is_pushed; // moves by impulses
    // Of the attached nodes that are not fixed, in the body's frame, from its mass centre.
    double mass;
    sn_vec3d moment;            // Σ m l
    sn_sym3d spread;            // Σ m l lᵀ
    sn_quat before;             // orientation when the sub-step began
    sn_solver_velocity watched; // before rows
} load;

typedef struct sn_exact_attached {
    int *sets; // the attached ones, sorted by body
    load *loads;
    int load_count;
    double *masses;  // by member; 0 of what is fixed
    bool are_pushed; // by the rows just swept
} sn_exact_attached;

static const sn_vec3d nothing = {0.0, 0.0, 0.0};

// --- what is attached --------------------------------------------------------------------------------------

static sn_vec3 local_of(const sn_exact_stage *stage, const sn_exact_set *set)
{
    return stage->attachments[set->attachment].place;
}

static bool is_pushed(const sn_solver *solver, int body)
{
    const sn_vec3 *w = &solver->bodies[body].inverse_mass;
    const float *i = solver->inertias[body].diagonal;
    return body >= solver->dynamic_begin &&
           (w->x > 0.0f || w->y > 0.0f || w->z > 0.0f || i[0] > 0.0f || i[1] > 0.0f || i[2] > 0.0f);
}

// Sorts attached sets by body; `next` are zeros, one a body and one more.
static void sort_attached(const sn_exact_stage *stage, sn_exact_attached *attached, int *next)
{
    const sn_solver *solver = stage->solver;
    for (int i = 0; i < stage->attached_count; ++i) {
        ++next[sn_exact_body_of(stage, &stage->sets[i]) + 1];
    }
    next[1] = 0; // what stands still is a place
    for (int body = 1; body < solver->body_count; ++body) {
        next[body + 1] += next[body];
        if (next[body + 1] > next[body]) {
            attached->loads[attached->load_count++] = (load){.body = body,
                                                             .begin = next[body],
                                                             .end = next[body + 1],
                                                             .is_pushed = is_pushed(solver, body),
                                                             .before = solver->bodies[body].rotation};
        }
    }
    for (int i = 0; i < stage->attached_count; ++i) {
        int body = sn_exact_body_of(stage, &stage->sets[i]);
        if (body > 0) {
            attached->sets[next[body]++] = i;
        }
    }
}

static void weigh(const sn_exact_stage *stage, load *load)
{
    const sn_node_state *states = stage->solver->nodes.nodes->states.data;
    for (int i = load->begin; i < load->end; ++i) {
        const sn_exact_set *set = &stage->sets[stage->attached->sets[i]];
        double mass = 0.0;
        for (int k = set->first; k < set->first + set->count; ++k) {
            float inverse_mass = states[stage->members[k].node].inverse_mass;
            stage->attached->masses[k] = inverse_mass > 0.0f ? 1.0 / (double)inverse_mass : 0.0;
            mass += stage->attached->masses[k];
        }
        sn_vec3d l = sn_widen(local_of(stage, set));
        sn_sym3d *spread = &load->spread;
        load->node_count += set->count;
        load->mass += mass;
        load->moment = sn_add_scaled_wide(load->moment, mass, l);
        *spread = (sn_sym3d){spread->xx + mass * l.x * l.x, spread->yy + mass * l.y * l.y,
                             spread->zz + mass * l.z * l.z, spread->xy + mass * l.x * l.y,
                             spread->xz + mass * l.x * l.z, spread->yz + mass * l.y * l.z};
    }
}

bool sn_exact_attached_begin(sn_exact_stage *stage)
{
    const sn_solver *solver = stage->solver;
    sn_exact_attached *attached = sn_arena_take_zero(solver->arena, 1, sizeof *attached);
    stage->attached = attached;
    if (attached == NULL || stage->attached_count == 0) {
        return attached != NULL;
    }
    int *next = sn_arena_take_zero(solver->arena, (size_t)solver->body_count + 1, sizeof *next);
    attached->sets = sn_arena_take(solver->arena, (size_t)stage->attached_count, sizeof *attached->sets);
    attached->loads = sn_arena_take(solver->arena, (size_t)stage->attached_count, sizeof *attached->loads);
    attached->masses = sn_arena_take(solver->arena, (size_t)stage->member_count, sizeof *attached->masses);
    if (next == NULL || attached->sets == NULL || attached->loads == NULL || attached->masses == NULL) {
        return false;
    }
    sort_attached(stage, attached, next);
    for (int i = 0; i < attached->load_count; ++i) {
        weigh(stage, &attached->loads[i]);
    }
    return true;
}

// --- the composite -----------------------------------------------------------------------------------------

typedef struct composite {
    sn_mat3d rotation;     // R
    sn_vec3d inverse_mass; // A⁻¹, zero along locked axes
    sn_vec3d moment;       // s
    sn_sym3d own;          // I of the body
    sn_sym3d load;         // Σ m (|r|² 1 − r rᵀ)
    sn_sym3d inverse;      // S⁻¹, zero about locked axes
} composite;

// Of a symmetric matrix of which only the free axes count.
static sn_sym3d invert(sn_sym3d m, bool x, bool y, bool z)
{
    m.xx = x ? m.xx : 1.0;
    m.yy = y ? m.yy : 1.0;
    m.zz = z ? m.zz : 1.0;
    m.xy = x && y ? m.xy : 0.0;
    m.xz = x && z ? m.xz : 0.0;
    m.yz = y && z ? m.yz : 0.0;
    double c_xx = m.yy * m.zz - m.yz * m.yz, c_xy = m.xz * m.yz - m.xy * m.zz,
           c_xz = m.xy * m.yz - m.xz * m.yy;
    double determinant = m.xx * c_xx + m.xy * c_xy + m.xz * c_xz;
    double scale = determinant > 0.0 ? 1.0 / determinant : 0.0;
    return (sn_sym3d){x ? c_xx * scale : 0.0,
                      y ? (m.xx * m.zz - m.xz * m.xz) * scale : 0.0,
                      z ? (m.xx * m.yy - m.xy * m.xy) * scale : 0.0,
                      x && y ? c_xy * scale : 0.0,
                      x && z ? c_xz * scale : 0.0,
                      y && z ? (m.xy * m.xz - m.xx * m.yz) * scale : 0.0};
}

static double inverse_mass_with(float inverse_mass, double load)
{
    return inverse_mass > 0.0f ? 1.0 / (1.0 / (double)inverse_mass + load) : 0.0;
}

// Of points at R l, given Σ m l lᵀ.
static sn_sym3d inertia_of(const sn_sym3d *spread, const sn_mat3d *rotation)
{
    sn_sym3d q = sn_sym3d_turned(spread, rotation);
    return (sn_sym3d){q.yy + q.zz, q.xx + q.zz, q.xx + q.yy, -q.xy, -q.xz, -q.yz};
}

static composite composite_of(const sn_exact_stage *stage, const load *load)
{
    const sn_solver_body *body = &stage->solver->bodies[load->body];
    const float *free = stage->solver->inertias[load->body].diagonal;
    composite composite = {.rotation = sn_mat3d_from_quat(body->rotation)};
    composite.own = sn_sym3d_turned(&body->spin.inertia, &composite.rotation);
    composite.load = inertia_of(&load->spread, &composite.rotation);
    composite.moment = sn_mat3d_apply(&composite.rotation, load->moment);
    sn_vec3d s = composite.moment, a = {inverse_mass_with(body->inverse_mass.x, load->mass),
                                        inverse_mass_with(body->inverse_mass.y, load->mass),
                                        inverse_mass_with(body->inverse_mass.z, load->mass)};
    const sn_sym3d *i = &composite.own, *j = &composite.load;
    sn_sym3d sum = {i->xx + j->xx - (a.y * s.z * s.z + a.z * s.y * s.y),
                    i->yy + j->yy - (a.x * s.z * s.z + a.z * s.x * s.x),
                    i->zz + j->zz - (a.x * s.y * s.y + a.y * s.x * s.x),
                    i->xy + j->xy + a.z * s.x * s.y,
                    i->xz + j->xz + a.y * s.x * s.z,
                    i->yz + j->yz + a.x * s.y * s.z};
    composite.inverse_mass = a;
    composite.inverse = invert(sum, free[0] > 0.0f, free[1] > 0.0f, free[2] > 0.0f);
    return composite;
}

// --- impulses ----------------------------------------------------------------------------------------------

// Sums over the nodes of a load: of impulses, of places or of velocities, and of their moments.
typedef struct sums {
    sn_vec3d linear, angular;
} sums;

SN_INLINE void add_to(sums *sums, double mass, sn_vec3d arm, sn_vec3d vector)
{
    sums->linear = sn_add_scaled_wide(sums->linear, mass, vector);
    sums->angular = sn_add_scaled_wide(sums->angular, mass, sn_cross_wide(arm, vector));
}

// The body takes the opposite of what its nodes were given. Returns the inverse inertia that goes with the
// orientation.
static sn_sym3 push_body(const sn_exact_stage *stage, const load *load, const sums *given,
                         sn_quat orientation)
{
    const sn_solver *solver = stage->solver;
    sn_solver_body *body = &solver->bodies[load->body];
    sn_solver_velocity *velocity = &solver->velocities[load->body], *residue = &solver->residues[load->body];
    sn_vec3 linear = sn_take3(velocity->linear), linear_rest = sn_take3(residue->linear);
    sn_vec3 angular = sn_take3(velocity->angular), angular_rest = sn_take3(residue->angular);
    sn_sym3 inverse = sn_solver_inertia_matrix(&solver->inertias[load->body]);
    sn_vec3d change = sn_mul_wide(sn_widen(body->inverse_mass), given->linear);
    sn_add_exactly(&linear, &linear_rest, sn_neg(sn_narrow(change)));
    sn_rotate_to(&body->spin, orientation, sn_neg(sn_narrow(given->angular)), &body->rotation, &angular,
                 &angular_rest, &inverse);
    sn_put3(velocity->linear, linear);
    sn_put3(residue->linear, linear_rest);
    sn_put3(velocity->angular, angular);
    sn_put3(residue->angular, angular_rest);
    return inverse;
}

// Gives a node a velocity, and counts the impulse that takes: of what rounding left of the change. Inlined,
// so that sums stay in registers.
SN_INLINE void change_velocity(const sn_exact_stage *stage, int member, sn_vec3 velocity, sn_vec3d arm,
                               sums *given)
{
    double mass = stage->attached->masses[member];
    sn_vec3 *now = &stage->solver->nodes.nodes->velocities.data[stage->members[member].node].velocity;
    stage->impulses[member] = sn_add_scaled(stage->impulses[member], (float)mass, sn_sub(velocity, *now));
    add_to(given, mass, arm, sn_sub_wide(sn_widen(velocity), sn_widen(*now)));
    *now = velocity;
}

// --- places ------------------------------------------------------------------------------------------------

// Σ m x̂ and Σ m r × x̂, x̂ from the body's mass centre, r where the sub-step began: from how far nodes and body
// have moved, not from places, which are rounded.
static sums sum_places(const sn_exact_stage *stage, const load *load)
{
    const sn_node_solver *nodes = &stage->solver->nodes;
    sn_vec3d start = sn_widen(stage->solver->bodies[load->body].start);
    sn_vec3d moved = sn_widen(sn_take3(stage->solver->shifts[load->body].moved));
    sn_mat3d before = sn_mat3d_from_quat(load->before);
    sums sum = {nothing, nothing};
    for (int i = load->begin; i < load->end; ++i) {
        const sn_exact_set *set = &stage->sets[stage->attached->sets[i]];
        sn_vec3d arm = sn_mat3d_apply(&before, sn_widen(local_of(stage, set)));
        for (int k = set->first; k < set->first + set->count; ++k) {
            int node = stage->members[k].node;
            sn_vec3d place = sn_add_wide(sn_sub_wide(sn_widen(nodes->starts[node]), start),
                                         sn_sub_wide(sn_widen(nodes->moved[node]), moved));
            add_to(&sum, stage->attached->masses[k], arm, place);
        }
    }
    return sum;
}

// Σ m r × r⁺ of arms before and after.
static sn_vec3d cross_of_arms(const load *load, const sn_mat3d *before, const sn_mat3d *after)
{
    sn_mat3d p = sn_mat3d_times_sym(before, &load->spread);
    return sn_add_wide(sn_add_wide(sn_cross_wide(p.x, after->x), sn_cross_wide(p.y, after->y)),
                       sn_cross_wide(p.z, after->z));
}

static bool is_small(sn_vec3d turn)
{
    return turn.x * turn.x + turn.y * turn.y + turn.z * turn.z < SMALL_TURN * SMALL_TURN;
}

// Where the body goes with its attached nodes.
static sn_quat find_twist(const sn_exact_stage *stage, const load *load, sn_vec3d *displacement,
                          sn_vec3d *turn)
{
    composite composite = composite_of(stage, load);
    sums places = sum_places(stage, load);
    sn_mat3d before = sn_mat3d_from_quat(load->before), after = composite.rotation;
    sn_vec3d moment = sn_mat3d_apply(&before, load->moment), more = {1.0, 1.0, 1.0};
    sn_quat start = stage->solver->bodies[load->body].rotation, orientation = start;
    *turn = nothing;
    for (int pass = 0; pass < MOST_PASSES && !is_small(more); ++pass) {
        *displacement = sn_mul_wide(composite.inverse_mass,
                                    sn_sub_wide(places.linear, sn_mat3d_apply(&after, load->moment)));
        sn_vec3d torque = sn_sub_wide(places.angular, cross_of_arms(load, &before, &after));
        torque = sn_sub_wide(torque, sn_cross_wide(moment, *displacement));
        torque = sn_sub_wide(torque, sn_sym3d_apply(&composite.own, *turn));
        more = sn_sym3d_apply(&composite.inverse, torque);
        *turn = sn_add_wide(*turn, more);
        orientation = sn_quat_turned(start, sn_narrow(*turn));
        after = sn_mat3d_from_quat(orientation);
    }
    *displacement =
        sn_mul_wide(composite.inverse_mass, sn_sub_wide(places.linear, sn_mat3d_apply(&after, load->moment)));
    return orientation;
}

// Where the mass centre was when the sub-step began.
static sn_vec3d center_before(const sn_solver *solver, int body, float h)
{
    sn_vec3d moved = sn_add_scaled_wide(sn_widen(sn_take3(solver->shifts[body].moved)), -(double)h,
                                        sn_widen(sn_take3(solver->velocities[body].linear)));
    return sn_add_wide(sn_widen(solver->bodies[body].start), moved);
}

// The same of a node.
static sn_vec3d node_before(const sn_node_solver *nodes, int node)
{
    sn_vec3d moved = sn_add_scaled_wide(sn_widen(nodes->moved[node]), -(double)nodes->pass.h,
                                        sn_widen(nodes->nodes->velocities.data[node].velocity));
    return sn_add_wide(sn_widen(nodes->starts[node]), moved);
}

// Nodes of a set go to the point of the body, whose mass centre was at `before`.
SN_INLINE void put_attached(const sn_exact_stage *stage, const load *load, const sn_exact_set *set,
                            sn_quat orientation, sn_vec3d before, sums *given)
{
    const sn_node_solver *nodes = &stage->solver->nodes;
    const sn_solver_body *body = &stage->solver->bodies[load->body];
    sn_vec3 arm = sn_rotate(orientation, local_of(stage, set)), place = sn_add(body->center, arm);
    sn_vec3d there = sn_add_wide(sn_widen(sn_take3(stage->solver->shifts[load->body].moved)), sn_widen(arm));
    for (int i = set->first; i < set->first + set->count; ++i) {
        int node = stage->members[i].node;
        if (stage->attached->masses[i] > 0.0) {
            sn_vec3d start = sn_sub_wide(sn_widen(body->start), sn_widen(nodes->starts[node]));
            sn_vec3d total = sn_add_wide(start, there);
            sn_vec3 moved = sn_v((float)total.x, (float)total.y, (float)total.z);
            sn_vec3 displacement = sn_sub(moved, nodes->moved[node]);
            sn_vec3 velocity = sn_add_scaled(nodes->nodes->velocities.data[node].velocity,
                                             nodes->pass.inverse_h, displacement);
            change_velocity(stage, i, velocity, sn_sub_wide(node_before(nodes, node), before), given);
            nodes->moved[node] = moved;
            nodes->nodes->states.data[node].position = place;
        }
    }
}

static void place_load(const sn_exact_stage *stage, load *load)
{
    sn_solver_body *body = &stage->solver->bodies[load->body];
    sn_solver_shift *shift = &stage->solver->shifts[load->body];
    sn_quat orientation = body->rotation;
    sn_vec3d before = center_before(stage->solver, load->body, stage->solver->nodes.pass.h);
    if (load->is_pushed) {
        sn_vec3d displacement, turn;
        orientation = find_twist(stage, load, &displacement, &turn);
        sn_put3(shift->moved, sn_add(sn_take3(shift->moved), sn_narrow(displacement)));
        sn_put3(shift->turned, sn_add(sn_take3(shift->turned), sn_narrow(turn)));
        body->center = sn_add(body->start, sn_take3(shift->moved));
    }
    sums given = {nothing, nothing};
    for (int i = load->begin; i < load->end; ++i) {
        put_attached(stage, load, &stage->sets[stage->attached->sets[i]], orientation, before, &given);
    }
    if (load->is_pushed) {
        sn_sym3 inverse = push_body(stage, load, &given, orientation);
        sn_solver_inertia *inertia = &stage->solver->inertias[load->body];
        sn_put3(inertia->diagonal, sn_v(inverse.xx, inverse.yy, inverse.zz));
        sn_put3(inertia->off_diagonal, sn_v(inverse.xy, inverse.xz, inverse.yz));
    }
}

// --- velocities --------------------------------------------------------------------------------------------

typedef struct twist {
    sn_vec3d linear, angular;
} twist;

static sn_vec3d velocity_at(const twist *twist, sn_vec3d arm)
{
    return sn_add_wide(twist->linear, sn_cross_wide(twist->angular, arm));
}

static twist twist_of(const sn_solver *solver, int body)
{
    const sn_solver_velocity *velocity = &solver->velocities[body], *residue = &solver->residues[body];
    return (twist){sn_add_wide(sn_widen(sn_take3(velocity->linear)), sn_widen(sn_take3(residue->linear))),
                   sn_add_wide(sn_widen(sn_take3(velocity->angular)), sn_widen(sn_take3(residue->angular)))};
}

// Σ m v and Σ m r × v.
static sums sum_velocities(const sn_exact_stage *stage, const load *load, const sn_mat3d *rotation)
{
    const sn_node_velocity *velocities = stage->solver->nodes.nodes->velocities.data;
    sums sum = {nothing, nothing};
    for (int i = load->begin; i < load->end; ++i) {
        const sn_exact_set *set = &stage->sets[stage->attached->sets[i]];
        sn_vec3d arm = sn_mat3d_apply(rotation, sn_widen(local_of(stage, set)));
        for (int k = set->first; k < set->first + set->count; ++k) {
            sn_vec3d velocity = sn_widen(velocities[stage->members[k].node].velocity);
            add_to(&sum, stage->attached->masses[k], arm, velocity);
        }
    }
    return sum;
}

// The twist of the composite after impulses on the attached nodes.
static twist answer(const composite *composite, const sums *pull)
{
    sn_vec3d displacement = sn_mul_wide(composite->inverse_mass, pull->linear);
    sn_vec3d torque = sn_sub_wide(pull->angular, sn_cross_wide(composite->moment, displacement));
    sn_vec3d spin = sn_sym3d_apply(&composite->inverse, torque);
    sn_vec3d less = sn_mul_wide(composite->inverse_mass, sn_cross_wide(spin, composite->moment));
    return (twist){sn_sub_wide(displacement, less), spin};
}

// Adds the change that makes body and nodes move as one.
static void join_twist(const sn_exact_stage *stage, const load *load, twist *twist)
{
    composite composite = composite_of(stage, load);
    sums pull = sum_velocities(stage, load, &composite.rotation);
    sn_vec3d linear = sn_add_scaled_wide(sn_cross_wide(twist->angular, composite.moment), load->mass,
                                         twist->linear); // of nodes that move along
    sn_vec3d angular = sn_add_wide(sn_cross_wide(composite.moment, twist->linear),
                                   sn_sym3d_apply(&composite.load, twist->angular));
    pull = (sums){sn_sub_wide(pull.linear, linear), sn_sub_wide(pull.angular, angular)};
    struct twist change = answer(&composite, &pull);
    twist->linear = sn_add_wide(twist->linear, change.linear);
    twist->angular = sn_add_wide(twist->angular, change.angular);
}

// At the end of a sub-step, when nothing turns bodies any more.
static void settle_load(const sn_exact_stage *stage, load *load)
{
    sn_quat orientation = stage->solver->bodies[load->body].rotation;
    sn_mat3d rotation = sn_mat3d_from_quat(orientation);
    twist twist = twist_of(stage->solver, load->body);
    sums given = {nothing, nothing};
    if (load->is_pushed) {
        join_twist(stage, load, &twist);
    }
    for (int i = load->begin; i < load->end; ++i) {
        const sn_exact_set *set = &stage->sets[stage->attached->sets[i]];
        sn_vec3d arm = sn_mat3d_apply(&rotation, sn_widen(local_of(stage, set)));
        sn_vec3 velocity = sn_narrow(velocity_at(&twist, arm));
        for (int k = set->first; k < set->first + set->count; ++k) {
            if (stage->attached->masses[k] > 0.0) {
                change_velocity(stage, k, velocity, arm, &given);
            }
        }
    }
    if (load->is_pushed) {
        // Rows go on with the inertia they know.
        (void)push_body(stage, load, &given, orientation);
    }
    load->before = orientation;
}

// --- the response of attached nodes
// -------------------------------------------------------------------------------------

// Mean over the axes of what a unit impulse at an arm does to the velocity there.
static double response_at(const composite *composite, sn_vec3d arm)
{
    const sn_vec3d axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) {
        sums pull = {axes[i], sn_cross_wide(arm, axes[i])};
        twist twist = answer(composite, &pull);
        sn_vec3d along = sn_mul_wide(velocity_at(&twist, arm), axes[i]);
        sum += along.x + along.y + along.z;
    }
    return sum / 3.0;
}

void sn_exact_attached_respond(const sn_exact_stage *stage, float *by_set)
{
    const sn_exact_attached *attached = stage->attached;
    for (int l = 0; l < attached->load_count; ++l) {
        const load *load = &attached->loads[l];
        composite composite = composite_of(stage, load);
        for (int i = load->begin; i < load->end && load->is_pushed; ++i) {
            sn_vec3d arm = sn_mat3d_apply(&composite.rotation,
                                          sn_widen(local_of(stage, &stage->sets[attached->sets[i]])));
            by_set[attached->sets[i]] = (float)((double)load->node_count * response_at(&composite, arm));
        }
    }
}

// --- around rows -------------------------------------------------------------------------------------------

void sn_exact_attached_watch(sn_exact_stage *stage)
{
    for (int i = 0; i < stage->attached->load_count; ++i) {
        load *load = &stage->attached->loads[i];
        load->watched = stage->solver->velocities[load->body];
    }
}

// A contact that carries heavy nodes on a light body pushes the body alone: moved by that, it would turn by
// radians within the sub-step before it is put together again.
static void share_loads(void *context, int begin, int end)
{
    const sn_exact_stage *stage = context;
    for (int i = begin; i < end; ++i) {
        load *load = &stage->attached->loads[i];
        const sn_solver_velocity *now = &stage->solver->velocities[load->body];
        // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): bits tell whether anything was written
        if (stage->attached->are_pushed || memcmp(now, &load->watched, sizeof *now) != 0) {
            settle_load(stage, load);
        }
    }
}

void sn_exact_attached_share(sn_exact_stage *stage, bool are_attached_pushed)
{
    stage->attached->are_pushed = are_attached_pushed;
    sn_tasks_for(stage->solver->tasks, stage->attached->load_count, LOAD_GRAIN, share_loads, stage);
}

// --- stages ------------------------------------------------------------------------------------------------

static void place_loads(void *context, int begin, int end)
{
    const sn_exact_stage *stage = context;
    for (int i = begin; i < end; ++i) {
        place_load(stage, &stage->attached->loads[i]);
    }
}

static void settle_loads(void *context, int begin, int end)
{
    const sn_exact_stage *stage = context;
    for (int i = begin; i < end; ++i) {
        settle_load(stage, &stage->attached->loads[i]);
    }
}

void sn_exact_attached_place(sn_exact_stage *stage)
{
    sn_tasks_for(stage->solver->tasks, stage->attached->load_count, LOAD_GRAIN, place_loads, stage);
}

void sn_exact_attached_settle(sn_exact_stage *stage)
{
    sn_tasks_for(stage->solver->tasks, stage->attached->load_count, LOAD_GRAIN, settle_loads, stage);
}
