// The equations of a system of links, K λ = −C with blocks
//
//   K_ij = (Σ w a_i a_j) 1 + ((1/m) 1 + [r_i]× I⁻¹ [r_j]×ᵀ)
//
// over what both links move, by conjugate residuals (Stiefel 1955), scaled to a unit diagonal.
//
// K is never written down. Impulses are summed up at the nodes and bodies they act on (units), these answer
// with velocities, and the points held move by those: K = J W Jᵀ, in time and memory that grow with the
// number of links, not with its square. Links that share r nodes need about as many passes as these have
// directions, since what each link moves alone is the same in all but r of them.
//
// The residual becomes smaller with every pass, and so does the energy of what moves: wherever the iteration
// ends, what is left is an error, never a blow. It ends where nothing that is left can be moved: of links
// that contradict each other or imply each other, what the others leave remains.
//
// In double: what a link does to a small body by turning it may be ten thousand times what it does by moving
// it. A body takes impulses where the nodes at the other end were, a little off the point held; K must be
// symmetric, so there they are taken to act at that, and measuring the error again does the rest.
// Tested by tests/solver/exact/test_exact_links.c.
#include "solver/exact/exact_links.h"

#include <math.h>
#include <string.h>

// Passes over all links at most, and the part of the error at which they end.
enum { MOST_PASSES = 100 };
#define CONTENT 1.0e-7
// Nothing more can be gained if the residual, as an impulse, takes less than this part of itself away.
#define IMMOVABLE 1.0e-10

// --- units -------------------------------------------------------------------------------------------------

float sn_link_inverse_mass(const sn_exact_stage *stage, int node)
{
    int set = stage->link_work->set_of[node];
    if (set < 0) {
        return sn_link_nodes(stage)[node].inverse_mass;
    }
    float mass = 0.0f;
    for (int i = stage->sets[set].first; i < stage->sets[set].first + stage->sets[set].count; ++i) {
        mass += 1.0f / sn_link_nodes(stage)[stage->members[i].node].inverse_mass;
    }
    return stage->sets[set].attachment == SN_EXACT_FREE ? 1.0f / mass : 0.0f;
}

static void add_unit(sn_link_system *system, int key)
{
    const sn_exact_stage *stage = system->stage;
    int *number = &stage->link_work->unit_of[key], nodes = stage->solver->nodes.nodes->states.count;
    if (*number >= 0) {
        return;
    }
    *number = system->unit_count++;
    sn_link_unit *unit = &system->units[*number];
    *unit = (sn_link_unit){.key = key, .node = key < nodes ? key : -1, .set = -1};
    if (key < nodes) {
        unit->set = stage->link_work->set_of[key];
        unit->inverse_mass = sn_link_inverse_mass(stage, key);
        unit->linear_before = sn_link_velocities(stage)[key].velocity;
    } else {
        unit->body = key - nodes;
        unit->linear_before = sn_take3(stage->solver->velocities[unit->body].linear);
        unit->angular_before = sn_take3(stage->solver->velocities[unit->body].angular);
    }
}

static void add_units_of(sn_link_system *system, const sn_exact_end *end)
{
    for (int i = 0; i < end->node_count; ++i) {
        if (system->stage->link_work->keys[end->nodes[i]] >= 0) {
            add_unit(system, system->stage->link_work->keys[end->nodes[i]]);
        }
    }
    if (end->node_count == 0 && sn_link_body_key(system->stage, end->body) >= 0) {
        add_unit(system, sn_link_body_key(system->stage, end->body));
    }
}

sn_link_system sn_link_system_open(const sn_exact_stage *stage, int number)
{
    const sn_exact_links *work = stage->link_work;
    int first = work->begins[number];
    sn_link_system system = {.stage = stage,
                             .links = work->order + first,
                             .link_count = work->begins[number + 1] - first,
                             .views = work->views + first,
                             .units = work->units + (ptrdiff_t)SN_LINK_UNITS * first};
    for (int i = 0; i < system.link_count; ++i) {
        sn_exact_end ends[3];
        for (int k = sn_link_list_ends(stage, system.links[i], ends); k-- > 0;) {
            add_units_of(&system, &ends[k]);
        }
    }
    system.is_limited = sn_link_is_limited(&system);
    return system;
}

void sn_link_system_close(const sn_link_system *system)
{
    for (int i = 0; i < system->unit_count; ++i) {
        system->stage->link_work->unit_of[system->units[i].key] = -1;
    }
}

// --- views -------------------------------------------------------------------------------------------------

static void add_lever(const sn_link_system *system, sn_link_view *view, int side, int node, int key,
                      float weight)
{
    if (key < 0 || weight == 0.0f) {
        return;
    }
    const sn_exact_stage *stage = system->stage;
    sn_link_lever *lever = &view->levers[view->lever_count++];
    *lever = (sn_link_lever){.unit = stage->link_work->unit_of[key],
                             .side = side,
                             .node = node,
                             .factor = side == 0 ? -weight : weight};
    lever->body = system->units[lever->unit].body;
    if (lever->body > 0) {
        const sn_solver_body *body = &stage->solver->bodies[lever->body];
        lever->arm = node >= 0 ? sn_sub(sn_link_nodes(stage)[node].position, body->center)
                               : sn_rotate(body->rotation, view->link->ends[side].place);
        lever->action = lever->arm;
    }
}

static void make_levers(const sn_link_system *system, sn_link_view *view)
{
    view->lever_count = 0;
    for (int side = 0; side < 2; ++side) {
        const sn_exact_end *end = &view->link->ends[side];
        for (int i = 0; i < end->node_count; ++i) {
            int node = end->nodes[i];
            add_lever(system, view, side, node, system->stage->link_work->keys[node], end->weights[i]);
        }
        if (end->node_count == 0) {
            add_lever(system, view, side, -1, sn_link_body_key(system->stage, end->body), 1.0f);
        }
    }
}

void sn_link_view_all(sn_link_system *system, float share)
{
    const sn_exact_links *work = system->stage->link_work;
    system->count = 0;
    for (int i = 0; i < system->link_count; ++i) {
        int number = system->links[i];
        float own = work->shares[number];
        if (own > 0.0f && own >= share) {
            sn_link_view *view = &system->views[system->count++];
            view->link = &system->stage->links[number];
            view->state = &work->states[number];
            view->number = number;
            view->share = own;
            make_levers(system, view);
        }
    }
}

void sn_link_rows_set(sn_link_view *view, const sn_vec3 *rows, int count)
{
    view->row_count = count;
    for (int i = 0; i < 3; ++i) {
        view->rows[i] = i < count ? rows[i] : sn_v(0.0f, 0.0f, 0.0f);
    }
}

// --- K -----------------------------------------------------------------------------------------------------

static sn_vec3d turn_by(const sn_solver_inertia *inverse, sn_vec3d v)
{
    const float *d = inverse->diagonal, *o = inverse->off_diagonal; // xx yy zz, xy xz yz
    sn_sym3d m = {(double)d[0], (double)d[1], (double)d[2], (double)o[0], (double)o[1], (double)o[2]};
    return sn_sym3d_apply(&m, v);
}

// Sums up an impulse at the units of a link. `acts`: on bodies where impulses act instead of at the point
// held.
static void gather(const sn_link_system *system, const sn_link_view *view, sn_vec3d impulse, bool acts)
{
    for (int i = 0; i < view->lever_count; ++i) {
        const sn_link_lever *lever = &view->levers[i];
        sn_link_unit *unit = &system->units[lever->unit];
        sn_vec3d part = sn_scale_wide(impulse, (double)lever->factor);
        unit->linear = sn_add_wide(unit->linear, part);
        if (unit->body > 0) {
            sn_vec3 arm = acts ? lever->action : lever->arm;
            unit->angular = sn_add_wide(unit->angular, sn_cross_wide(sn_widen(arm), part));
        }
    }
}

// Impulses become the velocities that they cause.
static void answer(const sn_solver *solver, sn_link_unit *unit)
{
    if (unit->body == 0) {
        unit->linear = sn_scale_wide(unit->linear, (double)unit->inverse_mass);
    } else {
        unit->linear = sn_mul_wide(sn_widen(solver->bodies[unit->body].inverse_mass), unit->linear);
        unit->angular = turn_by(&solver->inertias[unit->body], unit->angular);
    }
}

// The rate of the error of a link, from the velocities of its units.
static sn_vec3d rate_of(const sn_link_system *system, const sn_link_view *view)
{
    sn_vec3d sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < view->lever_count; ++i) {
        const sn_link_lever *lever = &view->levers[i];
        const sn_link_unit *unit = &system->units[lever->unit];
        sn_vec3d velocity = unit->linear;
        if (unit->body > 0) {
            velocity = sn_add_wide(velocity, sn_cross_wide(unit->angular, sn_widen(lever->arm)));
        }
        sum = sn_add_scaled_wide(sum, (double)lever->factor, velocity);
    }
    return sum;
}

static void clear(sn_link_unit *unit)
{
    unit->linear = unit->angular = (sn_vec3d){0.0, 0.0, 0.0};
}

static double response(const sn_link_system *system, const sn_link_view *view, sn_vec3d direction)
{
    bool is_done[8] = {false};
    gather(system, view, direction, false);
    for (int i = 0; i < view->lever_count; ++i) { // a link may hold a unit several times
        for (int k = 0; k < i; ++k) {
            is_done[i] |= view->levers[k].unit == view->levers[i].unit;
        }
        if (!is_done[i]) {
            answer(system->stage->solver, &system->units[view->levers[i].unit]);
        }
    }
    double along = sn_dot_wide(direction, rate_of(system, view));
    for (int i = 0; i < view->lever_count; ++i) {
        clear(&system->units[view->levers[i].unit]);
    }
    return along;
}

float sn_link_response(const sn_link_system *system, const sn_link_view *view, sn_vec3 direction)
{
    return (float)response(system, view, sn_widen(direction));
}

static sn_vec3d impulse_of(const sn_link_view *view, const double x[3])
{
    sn_vec3d sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < view->row_count; ++i) {
        sum = sn_add_scaled_wide(sum, x[i] * view->scales[i], sn_widen(view->rows[i]));
    }
    return sum;
}

// kr = K r.
static void multiply(const sn_link_system *system)
{
    for (int i = 0; i < system->count; ++i) {
        gather(system, &system->views[i], impulse_of(&system->views[i], system->views[i].r), false);
    }
    for (int i = 0; i < system->unit_count; ++i) {
        answer(system->stage->solver, &system->units[i]);
    }
    for (int i = 0; i < system->count; ++i) {
        sn_link_view *view = &system->views[i];
        sn_vec3d rate = rate_of(system, view);
        for (int k = 0; k < 3; ++k) {
            view->kr[k] = view->scales[k] * sn_dot_wide(sn_widen(view->rows[k]), rate);
        }
    }
    for (int i = 0; i < system->unit_count; ++i) {
        clear(&system->units[i]);
    }
}

// --- conjugate residuals -----------------------------------------------------------------------------------

// Products over all rows.
typedef struct products {
    double r_r, r_kr, kp_kp;
} products;

static products products_of(const sn_link_system *system)
{
    products sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < system->count; ++i) {
        const sn_link_view *view = &system->views[i];
        for (int k = 0; k < 3; ++k) {
            sum.r_r += view->r[k] * view->r[k];
            sum.r_kr += view->r[k] * view->kr[k];
            sum.kp_kp += view->kp[k] * view->kp[k];
        }
    }
    return sum;
}

// The next direction p = r + `part` of the last one.
static void turn(const sn_link_system *system, double part)
{
    for (int i = 0; i < system->count; ++i) {
        sn_link_view *view = &system->views[i];
        for (int k = 0; k < 3; ++k) {
            view->p[k] = view->r[k] + part * view->p[k];
            view->kp[k] = view->kr[k] + part * view->kp[k];
        }
    }
}

static void advance(const sn_link_system *system, double distance)
{
    for (int i = 0; i < system->count; ++i) {
        sn_link_view *view = &system->views[i];
        for (int k = 0; k < 3; ++k) {
            view->x[k] += distance * view->p[k];
            view->r[k] -= distance * view->kp[k];
        }
    }
}

static void begin(const sn_link_system *system)
{
    for (int i = 0; i < system->count; ++i) {
        sn_link_view *view = &system->views[i];
        for (int k = 0; k < 3; ++k) {
            float diagonal = (float)response(system, view, sn_widen(view->rows[k]));
            view->scales[k] = diagonal > 0.0f ? 1.0 / (double)sqrtf(diagonal) : 0.0;
            view->r[k] = -view->scales[k] * (double)sn_dot(view->rows[k], view->error);
            view->x[k] = view->p[k] = view->kp[k] = 0.0;
        }
    }
}

void sn_link_solve(const sn_link_system *system)
{
    double first = 0.0, before = (double)INFINITY;
    begin(system);
    for (int i = 0; i < MOST_PASSES; ++i) {
        multiply(system);
        products now = products_of(system);
        first = i == 0 ? now.r_r : first;
        if (!(now.r_r > CONTENT * CONTENT * first && now.r_kr > IMMOVABLE * now.r_r)) {
            break;
        }
        turn(system, now.r_kr / before);
        advance(system, now.r_kr / products_of(system).kp_kp);
        before = now.r_kr;
    }
    for (int i = 0; i < system->count; ++i) {
        system->views[i].impulse = sn_narrow(impulse_of(&system->views[i], system->views[i].x));
    }
}

// --- applying impulses -------------------------------------------------------------------------------------

// All nodes of a set change their velocity alike, which its anchors pass on.
static void push_nodes(const sn_exact_stage *stage, const sn_link_unit *unit, sn_vec3 change, bool moves)
{
    int count = unit->set >= 0 ? stage->sets[unit->set].count : 1;
    float h = stage->solver->nodes.pass.h;
    for (int i = 0; i < count; ++i) {
        int member = unit->set >= 0 ? stage->sets[unit->set].first + i : -1;
        int node = member >= 0 ? stage->members[member].node : unit->node;
        sn_vec3 *velocity = &sn_link_velocities(stage)[node].velocity;
        *velocity = sn_add(*velocity, change);
        if (moves) {
            sn_vec3 *moved = &stage->solver->nodes.moved[node];
            *moved = sn_add_scaled(*moved, h, change);
            sn_link_nodes(stage)[node].position = i == 0 ? sn_add(stage->solver->nodes.starts[node], *moved)
                                                         : sn_link_nodes(stage)[unit->node].position;
        }
        if (member >= 0) {
            float mass = 1.0f / sn_link_nodes(stage)[node].inverse_mass;
            stage->impulses[member] = sn_add_scaled(stage->impulses[member], mass, change);
        }
    }
}

// Nodes attached to a body stay on it. They keep their velocities: the next sub-step shares those out.
static void take_attached(const sn_exact_stage *stage, int number)
{
    const sn_solver_body *body = &stage->solver->bodies[number];
    for (int i = 0; i < stage->attached_count; ++i) {
        const sn_exact_set *set = &stage->sets[i];
        if (sn_exact_body_of(stage, set) != number) {
            continue;
        }
        sn_vec3 local = stage->attachments[set->attachment].place;
        sn_vec3 place = sn_add(body->center, sn_rotate(body->rotation, local));
        for (int k = set->first; k < set->first + set->count; ++k) {
            if (sn_link_nodes(stage)[stage->members[k].node].inverse_mass > 0.0f) {
                sn_link_snap(stage, stage->members[k].node, place);
            }
        }
    }
}

static void apply_to(const sn_exact_stage *stage, sn_link_unit *unit, bool moves)
{
    sn_vec3 linear = sn_narrow(unit->linear), angular = sn_narrow(unit->angular);
    if (unit->body == 0) {
        sn_vec3 change = sn_narrow(sn_scale_wide(unit->linear, (double)unit->inverse_mass));
        push_nodes(stage, unit, change, moves);
    } else if (moves) {
        sn_exact_move_body(stage->solver, unit->body, linear, angular);
        take_attached(stage, unit->body);
    } else {
        sn_exact_push_body(stage->solver, unit->body, linear, angular);
    }
    clear(unit);
}

static void count_impulse(const sn_link_system *system, const sn_link_view *view, sn_vec3 impulse)
{
    const sn_exact_stage *stage = system->stage;
    sn_vec3 *sum = &stage->link_impulses[view->number];
    *sum = sn_add(*sum, impulse);
    view->state->impulse = sn_add(view->state->impulse, impulse);
    view->state->latest = sn_add(view->state->latest, impulse);
    for (int i = 0; i < view->lever_count; ++i) { // the anchors of a set carry what acts on its nodes
        int set = system->units[view->levers[i].unit].set;
        for (int k = 0; set >= 0 && k < stage->sets[set].count; ++k) {
            int member = stage->sets[set].first + k;
            if (stage->members[member].node == view->levers[i].node) {
                stage->impulses[member] =
                    sn_add_scaled(stage->impulses[member], -view->levers[i].factor, impulse);
            }
        }
    }
}

static bool is_zero(sn_vec3d v)
{
    return v.x == 0.0 && v.y == 0.0 && v.z == 0.0;
}

// Impulses of some views, each times a factor.
static void apply(sn_link_system *system, sn_link_view *views, int count, float factor, bool moves)
{
    bool is_counted = moves && system->is_limited;
    for (int i = 0; i < count; ++i) {
        views[i].impulse = sn_scale(views[i].impulse, factor);
        gather(system, &views[i], sn_widen(views[i].impulse), true);
        count_impulse(system, &views[i], views[i].impulse);
        if (is_counted) {
            system->lead += sn_link_work(system, &views[i], views[i].impulse, false);
            system->gain += 0.5 * sn_link_work(system, &views[i], views[i].impulse, true);
        }
    }
    for (int i = 0; i < system->unit_count; ++i) {
        sn_link_unit *unit = &system->units[i];
        if (!is_zero(unit->linear) || !is_zero(unit->angular)) {
            apply_to(system->stage, unit, moves);
        }
    }
    for (int i = 0; is_counted && i < count; ++i) {
        system->gain += 0.5 * sn_link_work(system, &views[i], views[i].impulse, true);
    }
}

void sn_link_apply(sn_link_system *system, sn_link_view *view, sn_vec3 impulse, bool moves)
{
    view->impulse = impulse;
    apply(system, view, 1, 1.0f, moves);
}

void sn_link_apply_all(sn_link_system *system, float factor, bool moves)
{
    apply(system, system->views, system->count, factor, moves);
}
