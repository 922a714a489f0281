// Nodes that bodies carry. A body and its riders are one composite: where they would have come to, the body
// at c and R, the riders at x̂_i instead of p_i = c + r_i, it takes the twist dc, dθ that minimises
//
//   ½ M |dc|² + ½ dθᵀ I dθ + Σ ½ m_i |p_i + dc + dθ × r_i − x̂_i|²
//
// which is what impulses between body and riders do over h. With A = M + Σ m, s = Σ m r, e = x̂ − p:
//
//   S dθ = Σ m r × e − s × A⁻¹ Σ m e,   S = I + Σ m (|r|² 1 − r rᵀ) + [s]× A⁻¹ [s]×
//   dc = A⁻¹ (Σ m e − Σ m (r⁺ − r))
//
// dc of arms r⁺ that have really turned, so that momentum is kept however far they did; where they turn far,
// dθ is found by Newton's method. Impulses act where the riders were when the sub-step began, be it at the
// body's points or not yet, so that angular momentum is kept, too. Riders end at the body's points;
// velocities agree by the same equations. Axes that are locked take no part.
//
// In double: of a light body with heavy riders S is a small difference of large numbers, and hundreds of
// riders are summed up.
#include "solver/exact.h"

enum { LOAD_GRAIN = 4, MOST_PASSES = 4 };

// Turns below this are found in one pass, as far as float can see. [rad]
#define SMALL_TURN 1.0e-5

typedef struct vec3d {
    double x, y, z;
} vec3d;

// A set that a body carries.
typedef struct rider {
    int set;
    float mass;  // of its nodes that are not fixed
    sn_vec3 arm; // from the mass centre, when the sub-step began
    sn_vec3 now; // the same where the body has come to
    vec3d pull;  // Σ m e of its nodes
} rider;

// A body with all its riders.
typedef struct load {
    int body, begin, end; // of the riders
    bool is_pushed;       // moves by impulses
} load;

typedef struct sn_exact_riders {
    rider *riders;
    load *loads;
    int rider_count, load_count;
} sn_exact_riders;

// --- vectors -----------------------------------------------------------------------------------------------

static vec3d widen(sn_vec3 v)
{
    return (vec3d){(double)v.x, (double)v.y, (double)v.z};
}

// Volatile, because gcc 12's vectoriser takes (double)(float)x for x.
static sn_vec3 narrow(vec3d v)
{
    volatile float x = (float)v.x, y = (float)v.y, z = (float)v.z;
    return sn_v(x, y, z);
}

static vec3d add_scaled(vec3d a, double s, vec3d b)
{
    return (vec3d){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static vec3d sub(vec3d a, vec3d b)
{
    return (vec3d){a.x - b.x, a.y - b.y, a.z - b.z};
}

static vec3d mul(vec3d a, vec3d b)
{
    return (vec3d){a.x * b.x, a.y * b.y, a.z * b.z};
}

static vec3d cross(vec3d a, vec3d b)
{
    return (vec3d){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static vec3d apply(const sn_sym3d *m, vec3d v)
{
    return (vec3d){m->xx * v.x + m->xy * v.y + m->xz * v.z, m->xy * v.x + m->yy * v.y + m->yz * v.z,
                   m->xz * v.x + m->yz * v.y + m->zz * v.z};
}

static double length_squared(vec3d v)
{
    return v.x * v.x + v.y * v.y + v.z * v.z;
}

static const vec3d nothing = {0.0, 0.0, 0.0};

// --- who rides on what -------------------------------------------------------------------------------------

// What stands still is a place, and not looked at here.
static bool rides(const sn_exact_set *set)
{
    return set->carrier == SN_CARRIED_BY_BODY && set->body > 0;
}

static bool is_pushed(const sn_solver *solver, int body)
{
    const sn_vec3 *w = &solver->bodies[body].inverse_mass;
    const float *i = solver->inertias[body].diagonal;
    return body >= solver->dynamic_begin &&
           (w->x > 0.0f || w->y > 0.0f || w->z > 0.0f || i[0] > 0.0f || i[1] > 0.0f || i[2] > 0.0f);
}

static float mass_of(const sn_exact_stage *stage, const sn_exact_set *set)
{
    float mass = 0.0f;
    for (int i = set->first; i < set->first + set->count; ++i) {
        float w = stage->solver->nodes->nodes->states.data[stage->members[i].node].inverse_mass;
        mass += w > 0.0f ? 1.0f / w : 0.0f;
    }
    return mass;
}

// Sorts riders by body; `next` are zeros, one a body and one more.
static void sort_riders(const sn_exact_stage *stage, sn_exact_riders *riders, int *next)
{
    const sn_solver *solver = stage->solver;
    for (int i = 0; i < stage->set_count; ++i) {
        if (rides(&stage->sets[i])) {
            ++next[stage->sets[i].body + 1];
        }
    }
    for (int body = 1; body < solver->body_count; ++body) {
        next[body + 1] += next[body];
        if (next[body + 1] > next[body]) {
            riders->loads[riders->load_count++] =
                (load){body, next[body], next[body + 1], is_pushed(solver, body)};
        }
    }
    for (int i = 0; i < stage->set_count; ++i) {
        const sn_exact_set *set = &stage->sets[i];
        if (rides(set)) {
            sn_vec3 arm = sn_rotate(solver->bodies[set->body].rotation, set->local);
            riders->riders[next[set->body]++] =
                (rider){.set = i, .mass = mass_of(stage, set), .arm = arm, .now = arm};
        }
    }
}

bool sn_exact_riders_begin(sn_exact_stage *stage)
{
    const sn_solver *solver = stage->solver;
    sn_exact_riders *riders = sn_arena_take_zero(solver->arena, 1, sizeof *riders);
    stage->riders = riders;
    for (int i = 0; riders != NULL && i < stage->set_count; ++i) {
        riders->rider_count += rides(&stage->sets[i]) ? 1 : 0;
    }
    if (riders == NULL || riders->rider_count == 0) {
        return riders != NULL;
    }
    int *next = sn_arena_take_zero(solver->arena, (size_t)solver->body_count + 1, sizeof *next);
    riders->riders = sn_arena_take(solver->arena, (size_t)riders->rider_count, sizeof *riders->riders);
    riders->loads = sn_arena_take(solver->arena, (size_t)riders->rider_count, sizeof *riders->loads);
    if (next == NULL || riders->riders == NULL || riders->loads == NULL) {
        return false;
    }
    sort_riders(stage, riders, next);
    return true;
}

// --- the composite -----------------------------------------------------------------------------------------

typedef struct composite {
    vec3d inverse_mass; // A⁻¹, zero along locked axes
    vec3d moment;       // s
    sn_sym3d inertia;   // I of the body
    sn_sym3d inverse;   // S⁻¹, zero about locked axes
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

// The body's own inertia, in world axes.
static sn_sym3d inertia_of(const sn_solver_body *body)
{
    const sn_sym3d *own = &body->spin.inertia;
    sn_sym3 m = {(float)own->xx, (float)own->yy, (float)own->zz,
                 (float)own->xy, (float)own->xz, (float)own->yz};
    m = sn_sym3_turned(m, body->rotation);
    return (sn_sym3d){(double)m.xx, (double)m.yy, (double)m.zz, (double)m.xy, (double)m.xz, (double)m.yz};
}

static composite composite_of(const sn_exact_stage *stage, const load *load)
{
    const sn_solver_body *body = &stage->solver->bodies[load->body];
    const float *free = stage->solver->inertias[load->body].diagonal;
    composite whole = {.moment = nothing, .inertia = inertia_of(body)};
    sn_sym3d sum = whole.inertia;
    double mass = 0.0;
    for (int i = load->begin; i < load->end; ++i) {
        const rider *rider = &stage->riders->riders[i];
        double m = (double)rider->mass;
        vec3d r = widen(rider->now);
        mass += m;
        whole.moment = add_scaled(whole.moment, m, r);
        sum.xx += m * (r.y * r.y + r.z * r.z);
        sum.yy += m * (r.x * r.x + r.z * r.z);
        sum.zz += m * (r.x * r.x + r.y * r.y);
        sum.xy -= m * r.x * r.y;
        sum.xz -= m * r.x * r.z;
        sum.yz -= m * r.y * r.z;
    }
    vec3d a = {inverse_mass_with(body->inverse_mass.x, mass), inverse_mass_with(body->inverse_mass.y, mass),
               inverse_mass_with(body->inverse_mass.z, mass)};
    vec3d s = whole.moment;
    sum.xx -= a.y * s.z * s.z + a.z * s.y * s.y;
    sum.yy -= a.x * s.z * s.z + a.z * s.x * s.x;
    sum.zz -= a.x * s.y * s.y + a.y * s.x * s.x;
    sum.xy += a.z * s.x * s.y;
    sum.xz += a.y * s.x * s.z;
    sum.yz += a.x * s.y * s.z;
    whole.inverse_mass = a;
    whole.inverse = invert(sum, free[0] > 0.0f, free[1] > 0.0f, free[2] > 0.0f);
    return whole;
}

// The impulses that body and riders exert on each other so far: sums over the riders.
typedef struct reaction {
    vec3d linear, angular; // about the mass centre
} reaction;

// Returns the inverse inertia that goes with the orientation.
static sn_sym3 push_body(const sn_exact_stage *stage, const load *load, const reaction *reaction,
                         sn_quat orientation)
{
    const sn_solver *solver = stage->solver;
    sn_solver_body *body = &solver->bodies[load->body];
    sn_solver_velocity *velocity = &solver->velocities[load->body], *residue = &solver->residues[load->body];
    sn_vec3 linear = sn_take3(velocity->linear), linear_rest = sn_take3(residue->linear);
    sn_vec3 angular = sn_take3(velocity->angular), angular_rest = sn_take3(residue->angular);
    sn_sym3 inverse = sn_solver_inertia_matrix(&solver->inertias[load->body]);
    vec3d w = widen(body->inverse_mass);
    sn_add_exactly(&linear, &linear_rest, sn_neg(narrow(mul(w, reaction->linear))));
    sn_rotate_to(&body->spin, orientation, sn_neg(narrow(reaction->angular)), &body->rotation, &angular,
                 &angular_rest, &inverse);
    sn_put3(velocity->linear, linear);
    sn_put3(residue->linear, linear_rest);
    sn_put3(velocity->angular, angular);
    sn_put3(residue->angular, angular_rest);
    return inverse;
}

// Changes the velocity of a node by what rounding leaves of that, and counts the impulse it takes.
static void change_velocity(const sn_exact_stage *stage, int member, sn_vec3 velocity, vec3d arm,
                            reaction *reaction)
{
    const sn_nodes *nodes = stage->solver->nodes->nodes;
    int node = stage->members[member].node;
    sn_vec3 *now = &nodes->velocities.data[node].velocity;
    vec3d change = sub(widen(velocity), widen(*now));
    double mass = 1.0 / (double)nodes->states.data[node].inverse_mass;
    *now = velocity;
    reaction->linear = add_scaled(reaction->linear, mass, change);
    reaction->angular = add_scaled(reaction->angular, mass, cross(arm, change));
    stage->impulses[member] = sn_add_scaled(stage->impulses[member], (float)mass, narrow(change));
}

static bool is_free(const sn_exact_stage *stage, int member)
{
    return stage->solver->nodes->nodes->states.data[stage->members[member].node].inverse_mass > 0.0f;
}

// --- places ------------------------------------------------------------------------------------------------

// Σ m e of the nodes of a rider, from how far they and the body have moved: not from places, which are
// rounded.
static vec3d pull_of(const sn_exact_stage *stage, const load *load, const rider *rider)
{
    const sn_node_solver *nodes = stage->solver->nodes;
    const sn_exact_set *set = &stage->sets[rider->set];
    vec3d start = widen(stage->solver->bodies[load->body].start), r = widen(rider->now), sum = nothing;
    vec3d moved = widen(sn_take3(stage->solver->shifts[load->body].moved));
    for (int i = set->first; i < set->first + set->count; ++i) {
        int node = stage->members[i].node;
        if (is_free(stage, i)) {
            vec3d apart = sub(sub(widen(nodes->starts[node]), start), r);
            vec3d parted = sub(widen(nodes->moved[node]), moved);
            double mass = 1.0 / (double)nodes->nodes->states.data[node].inverse_mass;
            sum = add_scaled(add_scaled(sum, mass, apart), mass, parted);
        }
    }
    return sum;
}

// dc and one more step towards dθ, for arms that have turned as far as `orientation`.
static vec3d solve(const sn_exact_stage *stage, const load *load, const composite *whole, sn_quat orientation,
                   vec3d turn, vec3d *way)
{
    vec3d sum = nothing, torque = nothing, moment = nothing;
    for (int i = load->begin; i < load->end; ++i) {
        const rider *rider = &stage->riders->riders[i];
        vec3d turned = widen(sn_rotate(orientation, stage->sets[rider->set].local));
        vec3d left = add_scaled(rider->pull, -(double)rider->mass, sub(turned, widen(rider->now)));
        sum = add_scaled(sum, 1.0, left);
        torque = add_scaled(torque, 1.0, cross(widen(rider->arm), left));
        moment = add_scaled(moment, (double)rider->mass, widen(rider->arm));
    }
    *way = mul(whole->inverse_mass, sum);
    torque = sub(sub(torque, cross(moment, *way)), apply(&whole->inertia, turn));
    return apply(&whole->inverse, torque);
}

// Where the body comes to with its riders.
static sn_quat find_twist(const sn_exact_stage *stage, const load *load, vec3d *way, vec3d *turn)
{
    composite whole = composite_of(stage, load);
    sn_quat start = stage->solver->bodies[load->body].rotation, orientation = start;
    *turn = nothing;
    for (int pass = 0; pass < MOST_PASSES; ++pass) {
        vec3d more = solve(stage, load, &whole, orientation, *turn, way);
        *turn = add_scaled(*turn, 1.0, more);
        orientation = sn_quat_turned(start, narrow(*turn));
        if (length_squared(more) < SMALL_TURN * SMALL_TURN) {
            break;
        }
    }
    (void)solve(stage, load, &whole, orientation, *turn, way); // dc of where it really turned to
    return orientation;
}

// Where the mass centre was when the sub-step began.
static vec3d center_before(const sn_solver *solver, int body, float h)
{
    vec3d moved = add_scaled(widen(sn_take3(solver->shifts[body].moved)), -(double)h,
                             widen(sn_take3(solver->velocities[body].linear)));
    return add_scaled(widen(solver->bodies[body].start), 1.0, moved);
}

// The same of a node.
static vec3d node_before(const sn_node_solver *nodes, int node)
{
    vec3d moved = add_scaled(widen(nodes->moved[node]), -(double)nodes->pass.h,
                             widen(nodes->nodes->velocities.data[node].velocity));
    return add_scaled(widen(nodes->starts[node]), 1.0, moved);
}

// Nodes of a rider go to the point of the body, whose mass centre was at `before`.
static void put_rider(const sn_exact_stage *stage, const load *load, rider *rider, sn_quat orientation,
                      vec3d before, reaction *reaction)
{
    const sn_node_solver *nodes = stage->solver->nodes;
    const sn_exact_set *set = &stage->sets[rider->set];
    const sn_solver_body *body = &stage->solver->bodies[load->body];
    sn_vec3 arm = sn_rotate(orientation, set->local), place = sn_add(body->center, arm);
    vec3d there = add_scaled(widen(sn_take3(stage->solver->shifts[load->body].moved)), 1.0, widen(arm));
    for (int i = set->first; i < set->first + set->count; ++i) {
        int node = stage->members[i].node;
        if (is_free(stage, i)) {
            vec3d start = sub(widen(body->start), widen(nodes->starts[node]));
            sn_vec3 moved = narrow(add_scaled(start, 1.0, there));
            sn_vec3 way = sn_sub(moved, nodes->moved[node]);
            sn_vec3 velocity =
                sn_add_scaled(nodes->nodes->velocities.data[node].velocity, nodes->pass.inverse_h, way);
            change_velocity(stage, i, velocity, sub(node_before(nodes, node), before), reaction);
            nodes->moved[node] = moved;
            nodes->nodes->states.data[node].position = place;
        }
    }
    rider->arm = rider->now = arm;
}

static void place_load(const sn_exact_stage *stage, const load *load)
{
    sn_solver_body *body = &stage->solver->bodies[load->body];
    sn_solver_shift *shift = &stage->solver->shifts[load->body];
    rider *riders = stage->riders->riders;
    sn_quat orientation = body->rotation;
    vec3d before = center_before(stage->solver, load->body, stage->solver->nodes->pass.h);
    for (int i = load->begin; i < load->end; ++i) {
        riders[i].now = sn_rotate(body->rotation, stage->sets[riders[i].set].local);
        riders[i].pull = pull_of(stage, load, &riders[i]);
    }
    if (load->is_pushed) {
        vec3d way, turn;
        orientation = find_twist(stage, load, &way, &turn);
        sn_put3(shift->moved, sn_add(sn_take3(shift->moved), narrow(way)));
        sn_put3(shift->turned, sn_add(sn_take3(shift->turned), narrow(turn)));
        body->center = sn_add(body->start, sn_take3(shift->moved));
    }
    reaction reaction = {nothing, nothing};
    for (int i = load->begin; i < load->end; ++i) {
        put_rider(stage, load, &riders[i], orientation, before, &reaction);
    }
    if (load->is_pushed) {
        sn_sym3 inverse = push_body(stage, load, &reaction, orientation);
        sn_solver_inertia *inertia = &stage->solver->inertias[load->body];
        sn_put3(inertia->diagonal, sn_v(inverse.xx, inverse.yy, inverse.zz));
        sn_put3(inertia->off_diagonal, sn_v(inverse.xy, inverse.xz, inverse.yz));
    }
}

// --- velocities --------------------------------------------------------------------------------------------

typedef struct twist {
    vec3d linear, angular;
} twist;

static vec3d velocity_at(const twist *twist, sn_vec3 arm)
{
    return add_scaled(twist->linear, 1.0, cross(twist->angular, widen(arm)));
}

static twist twist_of(const sn_solver *solver, int body)
{
    const sn_solver_velocity *velocity = &solver->velocities[body], *residue = &solver->residues[body];
    return (twist){add_scaled(widen(sn_take3(velocity->linear)), 1.0, widen(sn_take3(residue->linear))),
                   add_scaled(widen(sn_take3(velocity->angular)), 1.0, widen(sn_take3(residue->angular)))};
}

// Adds what makes body and riders move as one.
static void join_twist(const sn_exact_stage *stage, const load *load, twist *twist)
{
    composite whole = composite_of(stage, load);
    vec3d sum = nothing, torque = nothing;
    for (int i = load->begin; i < load->end; ++i) {
        const rider *rider = &stage->riders->riders[i];
        const sn_exact_set *set = &stage->sets[rider->set];
        vec3d velocity = velocity_at(twist, rider->now), pull = nothing;
        for (int k = set->first; k < set->first + set->count; ++k) {
            const sn_nodes *nodes = stage->solver->nodes->nodes;
            int node = stage->members[k].node;
            if (is_free(stage, k)) {
                pull = add_scaled(pull, 1.0 / (double)nodes->states.data[node].inverse_mass,
                                  sub(widen(nodes->velocities.data[node].velocity), velocity));
            }
        }
        sum = add_scaled(sum, 1.0, pull);
        torque = add_scaled(torque, 1.0, cross(widen(rider->now), pull));
    }
    torque = sub(torque, cross(whole.moment, mul(whole.inverse_mass, sum)));
    vec3d spin = apply(&whole.inverse, torque);
    vec3d way = mul(whole.inverse_mass, sub(sum, cross(spin, whole.moment)));
    twist->linear = add_scaled(twist->linear, 1.0, way);
    twist->angular = add_scaled(twist->angular, 1.0, spin);
}

static void settle_load(const sn_exact_stage *stage, const load *load)
{
    twist twist = twist_of(stage->solver, load->body);
    reaction reaction = {nothing, nothing};
    if (load->is_pushed) {
        join_twist(stage, load, &twist);
    }
    for (int i = load->begin; i < load->end; ++i) {
        const rider *rider = &stage->riders->riders[i];
        const sn_exact_set *set = &stage->sets[rider->set];
        sn_vec3 velocity = narrow(velocity_at(&twist, rider->now));
        for (int k = set->first; k < set->first + set->count; ++k) {
            if (is_free(stage, k)) {
                change_velocity(stage, k, velocity, widen(rider->now), &reaction);
            }
        }
    }
    if (load->is_pushed) {
        // Rows go on with the inertia they know.
        (void)push_body(stage, load, &reaction, stage->solver->bodies[load->body].rotation);
    }
}

// --- how riders answer -------------------------------------------------------------------------------------

// Mean over the axes of what a unit impulse at a rider does to its velocity.
static double response_of(const composite *whole, sn_vec3 arm)
{
    const vec3d axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) {
        vec3d way = mul(whole->inverse_mass, axes[i]);
        vec3d torque = sub(cross(widen(arm), axes[i]), cross(whole->moment, way));
        twist twist = {.angular = apply(&whole->inverse, torque)};
        twist.linear = sub(way, mul(whole->inverse_mass, cross(twist.angular, whole->moment)));
        vec3d answer = mul(velocity_at(&twist, arm), axes[i]);
        sum += answer.x + answer.y + answer.z;
    }
    return sum / 3.0;
}

static int count_nodes(const sn_exact_stage *stage, const load *load)
{
    int count = 0;
    for (int i = load->begin; i < load->end; ++i) {
        count += stage->sets[stage->riders->riders[i].set].count;
    }
    return count;
}

void sn_exact_riders_respond(const sn_exact_stage *stage, float *by_set)
{
    const sn_exact_riders *riders = stage->riders;
    for (int l = 0; l < riders->load_count; ++l) {
        const load *load = &riders->loads[l];
        composite whole = composite_of(stage, load);
        double crowd = (double)count_nodes(stage, load);
        for (int i = load->begin; i < load->end && load->is_pushed; ++i) {
            const rider *rider = &riders->riders[i];
            by_set[rider->set] = (float)(crowd * response_of(&whole, rider->now));
        }
    }
}

// --- stages ------------------------------------------------------------------------------------------------

static void place_loads(void *context, int begin, int end)
{
    const sn_exact_stage *stage = context;
    for (int i = begin; i < end; ++i) {
        place_load(stage, &stage->riders->loads[i]);
    }
}

static void settle_loads(void *context, int begin, int end)
{
    const sn_exact_stage *stage = context;
    for (int i = begin; i < end; ++i) {
        settle_load(stage, &stage->riders->loads[i]);
    }
}

void sn_exact_riders_place(sn_exact_stage *stage)
{
    sn_tasks_for(stage->solver->tasks, stage->riders->load_count, LOAD_GRAIN, place_loads, stage);
}

void sn_exact_riders_settle(sn_exact_stage *stage)
{
    sn_tasks_for(stage->solver->tasks, stage->riders->load_count, LOAD_GRAIN, settle_loads, stage);
}
