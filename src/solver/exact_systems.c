// Links that share nodes, sets or bodies, and those of bodies: K λ = −C, a dense system with blocks
//
//   K_ij = (Σ w a_i a_j) 1 + ((1/m) 1 + [r_i]× I⁻¹ [r_j]×ᵀ)
//
// over what both move. Bodies turn, so C is measured anew and the rest taken away, until it is at rounding.
// Rows that others imply are dropped: what remains of such links is what the others leave.
//
// Impulses act as at the beginning of the sub-step, x⁺ = x + h v⁺. So the angular momentum is kept if a body
// takes them where the nodes were then.
#include "solver/exact_links.h"

#include "solver/dense.h"

// Rounds over the parts of a system that is too large to be solved at once.
enum { PART_ROUNDS = 4 };
// Bodies that turn need no more passes than this unless they start from afar.
enum { MOST_PASSES = 6 };

typedef struct link_view {
    const sn_exact_link *link;
    sn_link_state *state;
    int number;
    int count;                     // of moved nodes
    int nodes[8], units[8];        // the unit is what moves: a node, or minus one minus the number of a set
    float factors[8];              // signed weights
    float weights[8];              // inverse masses of the units
    int carried[8], carried_count; // nodes that ride on bodies
    float carried_factors[8];
    int bodies[2];      // by end; 0 for none that moves
    sn_vec3 arms[2];    // from the bodies' centres to the points held
    sn_vec3 actions[2]; // to where impulses act
    int first_row, row_count;
} link_view;

typedef struct link_system {
    const sn_exact_stage *stage;
    link_view views[SN_LINKS_AT_ONCE];
    int count;
    sn_vec3 rows[SN_LDL_ROWS]; // directions
    int row_count;
    float matrix[SN_LDL_ROWS * (SN_LDL_ROWS + 1) / 2];
} link_system;

// --- views -------------------------------------------------------------------------------------------------

static void view_nodes(const sn_exact_stage *stage, link_view *view, int side)
{
    const sn_anchor_end *end = &view->link->ends[side];
    for (int i = 0; i < end->node_count; ++i) {
        int node = end->nodes[i], set = stage->set_of[node];
        float weight = sn_link_node_weight(stage, node);
        if (weight > 0.0f && end->weights[i] != 0.0f) {
            view->nodes[view->count] = node;
            view->units[view->count] = set < 0 ? node : -1 - set;
            view->factors[view->count] = side == 0 ? -end->weights[i] : end->weights[i];
            view->weights[view->count++] = weight;
        } else if (set >= 0 && sn_link_set_is_carried(stage, set)) {
            view->carried[view->carried_count] = node;
            view->carried_factors[view->carried_count++] = side == 0 ? -end->weights[i] : end->weights[i];
        }
    }
}

static void view_bodies(const sn_exact_stage *stage, link_view *view)
{
    for (int side = 0; side < 2; ++side) {
        const sn_anchor_end *end = &view->link->ends[side];
        view->bodies[side] = sn_link_end_has_body(stage, end) ? end->body : 0;
        if (view->bodies[side] > 0) {
            view->arms[side] = sn_rotate(stage->solver->bodies[end->body].rotation, end->local);
            view->actions[side] = view->arms[side];
        }
    }
}

// Those whose ramp has come so far.
static void view_links(link_system *system, const sn_exact_stage *stage, const int *links, int count,
                       float share)
{
    system->stage = stage;
    system->count = 0;
    for (int i = 0; i < count; ++i) {
        sn_link_state *state = &stage->link_work->states[links[i]];
        if (state->share > 0.0f && state->share >= share) {
            link_view *view = &system->views[system->count++];
            *view = (link_view){.link = &stage->links[links[i]], .state = state, .number = links[i]};
            view_nodes(stage, view, 0);
            view_nodes(stage, view, 1);
            view_bodies(stage, view);
        }
    }
}

static bool has_body(const link_view *view)
{
    return view->bodies[0] > 0 || view->bodies[1] > 0;
}

static sn_vec3 apart(const sn_exact_stage *stage, const link_view *view)
{
    return sn_sub(sn_link_place(stage, view->link, 1), sn_link_place(stage, view->link, 0));
}

// What rounding makes of the places of its nodes and of its ends.
static float rounding_of(const sn_exact_stage *stage, const link_view *view)
{
    float rounding = sn_link_rounding(sn_link_place(stage, view->link, 0));
    rounding = sn_max(rounding, sn_link_rounding(sn_link_place(stage, view->link, 1)));
    for (int i = 0; i < view->count; ++i) {
        rounding = sn_max(rounding, sn_link_rounding(sn_link_nodes(stage)[view->nodes[i]].position));
    }
    return rounding;
}

// --- the system --------------------------------------------------------------------------------------------

static sn_mat3 body_response(const sn_solver *solver, int body, sn_vec3 arm_a, sn_vec3 arm_b)
{
    sn_sym3 inverse = sn_solver_inertia_matrix(&solver->inertias[body]);
    sn_vec3 w = solver->bodies[body].inverse_mass;
    sn_vec3 axes[3] = {{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}}, columns[3];
    for (int i = 0; i < 3; ++i) {
        sn_vec3 spin = sn_sym3_apply(inverse, sn_cross(arm_b, axes[i]));
        columns[i] = sn_add(sn_mul(w, axes[i]), sn_cross(spin, arm_a));
    }
    return (sn_mat3){columns[0], columns[1], columns[2]};
}

// What a unit impulse of link b does to C of link a.
static sn_mat3 response_between(const sn_exact_stage *stage, const link_view *a, const link_view *b)
{
    float sum = 0.0f;
    for (int i = 0; i < a->count; ++i) {
        for (int k = 0; k < b->count; ++k) {
            if (a->units[i] == b->units[k]) {
                sum += a->weights[i] * a->factors[i] * b->factors[k];
            }
        }
    }
    sn_mat3 response = sn_mat3_diagonal(sum, sum, sum);
    for (int i = 0; i < 2; ++i) {
        for (int k = 0; k < 2; ++k) {
            if (a->bodies[i] > 0 && a->bodies[i] == b->bodies[k]) {
                sn_mat3 turn = body_response(stage->solver, a->bodies[i], a->arms[i], b->arms[k]);
                response = sn_mat3_add(response, sn_mat3_scale(turn, i == k ? 1.0f : -1.0f));
            }
        }
    }
    return response;
}

// Adds the directions of a link; to be called in the order of views.
static void add_rows(link_system *system, link_view *view, const sn_vec3 *rows, int count)
{
    view->first_row = system->row_count;
    view->row_count = count;
    for (int i = 0; i < count; ++i) {
        system->rows[system->row_count++] = rows[i];
    }
}

static void add_axes(link_system *system, link_view *view)
{
    static const sn_vec3 axes[3] = {{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}};
    add_rows(system, view, axes, 3);
}

static void fill_block(link_system *system, const link_view *a, const link_view *b)
{
    sn_mat3 response = response_between(system->stage, a, b);
    for (int k = b->first_row; k < b->first_row + b->row_count; ++k) {
        sn_vec3 column = sn_mat3_apply(response, system->rows[k]);
        for (int i = a->first_row; i < a->first_row + a->row_count; ++i) {
            if (k <= i) {
                system->matrix[sn_packed(i, k)] = sn_dot(system->rows[i], column);
            }
        }
    }
}

static void factor(link_system *system)
{
    for (int i = 0; i < system->count; ++i) {
        for (int k = 0; k <= i; ++k) {
            fill_block(system, &system->views[i], &system->views[k]);
        }
    }
    sn_ldl_factor(system->matrix, system->row_count);
}

// Impulses that take these errors away.
static void solve(const link_system *system, const sn_vec3 *errors, sn_vec3 *impulses)
{
    float x[SN_LDL_ROWS];
    for (int i = 0; i < system->count; ++i) {
        const link_view *view = &system->views[i];
        for (int k = view->first_row; k < view->first_row + view->row_count; ++k) {
            x[k] = -sn_dot(system->rows[k], errors[i]);
        }
    }
    sn_ldl_solve(system->matrix, system->row_count, x);
    for (int i = 0; i < system->count; ++i) {
        const link_view *view = &system->views[i];
        impulses[i] = sn_v(0.0f, 0.0f, 0.0f);
        for (int k = view->first_row; k < view->first_row + view->row_count; ++k) {
            impulses[i] = sn_add_scaled(impulses[i], x[k], system->rows[k]);
        }
    }
}

// --- moving things -----------------------------------------------------------------------------------------

// The anchors of a set pass on what a link does to one of its nodes.
static void note_members(const sn_exact_stage *stage, const sn_exact_set *set, int node, sn_vec3 change,
                         sn_vec3 impulse)
{
    for (int i = set->first; i < set->first + set->count; ++i) {
        int member = stage->members[i].node;
        float mass = 1.0f / sn_link_nodes(stage)[member].inverse_mass;
        sn_vec3 passed_on = sn_scale(change, mass);
        passed_on = member == node ? sn_sub(passed_on, impulse) : passed_on;
        stage->impulses[i] = sn_add(stage->impulses[i], passed_on);
    }
}

static void move_set(const sn_exact_stage *stage, const sn_exact_set *set, int node, sn_vec3 way,
                     sn_vec3 impulse)
{
    float inverse_h = stage->solver->nodes->pass.inverse_h;
    int first = stage->members[set->first].node;
    for (int i = set->first; i < set->first + set->count; ++i) {
        int member = stage->members[i].node;
        sn_exact_shift(stage, member, way);
        sn_link_nodes(stage)[member].position = sn_link_nodes(stage)[first].position;
    }
    note_members(stage, set, node, sn_scale(way, inverse_h), impulse);
}

static void push_set(const sn_exact_stage *stage, const sn_exact_set *set, int node, sn_vec3 change,
                     sn_vec3 impulse)
{
    for (int i = set->first; i < set->first + set->count; ++i) {
        sn_vec3 *velocity = &sn_link_velocities(stage)[stage->members[i].node].velocity;
        *velocity = sn_add(*velocity, change);
    }
    note_members(stage, set, node, change, impulse);
}

static void add_to_body(float *velocity, float *residue, sn_vec3 change)
{
    sn_vec3 sum = sn_take3(velocity), rest = sn_take3(residue);
    sn_add_exactly(&sum, &rest, change);
    sn_put3(velocity, sum);
    sn_put3(residue, rest);
}

static void push_body(const sn_solver *solver, int number, sn_vec3 arm, sn_vec3 impulse)
{
    sn_solver_velocity *velocity = &solver->velocities[number], *residue = &solver->residues[number];
    sn_sym3 inverse = sn_solver_inertia_matrix(&solver->inertias[number]);
    sn_vec3 spin = sn_sym3_apply(inverse, sn_cross(arm, impulse));
    add_to_body(velocity->linear, residue->linear, sn_mul(solver->bodies[number].inverse_mass, impulse));
    add_to_body(velocity->angular, residue->angular, spin);
}

// As the impulse at the beginning of the sub-step would have moved it.
static void move_body(const sn_solver *solver, int number, sn_vec3 arm, sn_vec3 impulse)
{
    sn_solver_body *body = &solver->bodies[number];
    sn_solver_shift *shift = &solver->shifts[number];
    sn_solver_velocity *velocity = &solver->velocities[number], *residue = &solver->residues[number];
    float h = solver->nodes->pass.h;
    sn_sym3 inverse = sn_solver_inertia_matrix(&solver->inertias[number]);
    sn_vec3 change = sn_mul(body->inverse_mass, impulse), torque = sn_cross(arm, impulse);
    sn_vec3 turn = sn_scale(sn_sym3_apply(inverse, torque), h);
    add_to_body(velocity->linear, residue->linear, change);
    sn_put3(shift->moved, sn_add_scaled(sn_take3(shift->moved), h, change));
    sn_put3(shift->turned, sn_add(sn_take3(shift->turned), turn));
    body->center = sn_add(body->start, sn_take3(shift->moved));
    sn_vec3 angular = sn_take3(velocity->angular), rest = sn_take3(residue->angular);
    sn_rotate_to(&body->spin, sn_quat_turned(body->rotation, turn), torque, &body->rotation, &angular, &rest,
                 &inverse);
    sn_put3(velocity->angular, angular);
    sn_put3(residue->angular, rest);
    sn_put3(solver->inertias[number].diagonal, sn_v(inverse.xx, inverse.yy, inverse.zz));
    sn_put3(solver->inertias[number].off_diagonal, sn_v(inverse.xy, inverse.xz, inverse.yz));
}

static void push_carriers(const sn_exact_stage *stage, const link_view *view, sn_vec3 impulse)
{
    for (int i = 0; i < view->carried_count; ++i) {
        int body = stage->sets[stage->set_of[view->carried[i]]].body;
        sn_vec3 place = sn_link_nodes(stage)[view->carried[i]].position;
        push_body(stage->solver, body, sn_sub(place, stage->solver->bodies[body].center),
                  sn_scale(impulse, view->carried_factors[i]));
    }
}

// Applies an impulse on b. If it `moves`, then as if at the beginning of the sub-step.
static void apply(const sn_exact_stage *stage, const link_view *view, sn_vec3 impulse, bool moves)
{
    float h = stage->solver->nodes->pass.h;
    for (int i = 0; i < view->count; ++i) {
        sn_vec3 part = sn_scale(impulse, view->factors[i]), change = sn_scale(part, view->weights[i]);
        const sn_exact_set *set = view->units[i] < 0 ? &stage->sets[-1 - view->units[i]] : NULL;
        sn_vec3 *velocity = &sn_link_velocities(stage)[view->nodes[i]].velocity;
        if (set != NULL && moves) {
            move_set(stage, set, view->nodes[i], sn_scale(change, h), part);
        } else if (set != NULL) {
            push_set(stage, set, view->nodes[i], change, part);
        } else if (moves) {
            sn_exact_shift(stage, view->nodes[i], sn_scale(change, h));
        } else {
            *velocity = sn_add(*velocity, change);
        }
    }
    for (int side = 0; side < 2; ++side) {
        sn_vec3 part = side == 0 ? sn_neg(impulse) : impulse;
        if (view->bodies[side] > 0 && moves) {
            move_body(stage->solver, view->bodies[side], view->actions[side], part);
        } else if (view->bodies[side] > 0) {
            push_body(stage->solver, view->bodies[side], view->actions[side], part);
        }
    }
    push_carriers(stage, view, impulse);
    sn_vec3 *sum = &stage->link_impulses[view->number];
    *sum = sn_add(*sum, impulse);
    view->state->impulse = sn_add(view->state->impulse, impulse);
}

// --- placing -----------------------------------------------------------------------------------------------

// Where the nodes of an end were when the sub-step began.
static sn_vec3 start_of(const sn_exact_stage *stage, const sn_anchor_end *end)
{
    float h = stage->solver->nodes->pass.h;
    sn_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < end->node_count; ++i) {
        sn_vec3 velocity = sn_link_velocities(stage)[end->nodes[i]].velocity;
        sn_vec3 start = sn_add_scaled(sn_link_nodes(stage)[end->nodes[i]].position, -h, velocity);
        sum = sn_add_scaled(sum, end->weights[i], start);
    }
    return sum;
}

// Bodies take impulses where the nodes at the other end were.
static void act_at_start(const sn_exact_stage *stage, link_view *view)
{
    const sn_solver *solver = stage->solver;
    for (int side = 0; side < 2; ++side) {
        const sn_anchor_end *other = &view->link->ends[1 - side];
        int number = view->bodies[side];
        if (number > 0 && other->node_count > 0) {
            sn_vec3 velocity = sn_take3(solver->velocities[number].linear);
            sn_vec3 start = sn_add_scaled(solver->bodies[number].center, -solver->nodes->pass.h, velocity);
            view->actions[side] = sn_sub(start_of(stage, other), start);
        }
    }
}

// So far apart that an impulse where the other end is would turn the body the wrong way.
static bool is_far(const link_view *view, sn_vec3 error)
{
    float arm2 = sn_max(sn_length_squared(view->arms[0]), sn_length_squared(view->arms[1]));
    return has_body(view) && 64.0f * sn_length_squared(error) > arm2;
}

// Along the error, where no impulse can turn anything as a whole. Takes away what is along it, and may leave
// something across.
static void pull_straight(const sn_exact_stage *stage, const link_view *view, sn_vec3 error)
{
    sn_vec3 direction = sn_normalize(error);
    sn_mat3 response = response_between(stage, view, view);
    float along = sn_dot(direction, sn_mat3_apply(response, direction));
    if (along > 0.0f) {
        apply(stage, view, sn_scale(error, -stage->solver->nodes->pass.inverse_h / along), true);
    }
}

// Errors beyond what ramps leave. Returns the largest, in units of rounding.
static float measure(const link_system *system, sn_vec3 *errors)
{
    float largest = 0.0f;
    for (int i = 0; i < system->count; ++i) {
        const link_view *view = &system->views[i];
        errors[i] = sn_sub(apart(system->stage, view), view->state->kept);
        float rounding = rounding_of(system->stage, view) + 1.0e-30f;
        largest = sn_max(largest, sn_length(errors[i]) / rounding);
    }
    return largest;
}

// Links of bodies that are far from them. True if a ramp has time to do the rest.
static bool pull_from_afar(const link_system *system)
{
    bool is_ramp = false;
    for (int i = 0; i < system->count; ++i) {
        const link_view *view = &system->views[i];
        sn_vec3 error = apart(system->stage, view);
        if (is_far(view, error)) {
            pull_straight(system->stage, view, sn_sub(error, view->state->kept));
            is_ramp |= view->state->share < 1.0f;
        }
    }
    return is_ramp;
}

static void prepare_placing(link_system *system)
{
    system->row_count = 0;
    for (int i = 0; i < system->count; ++i) {
        link_view *view = &system->views[i];
        view_bodies(system->stage, view);
        if (!is_far(view, apart(system->stage, view))) {
            act_at_start(system->stage, view);
        }
        add_axes(system, view);
    }
    factor(system);
}

// Ends that are one node, or a set, go where the other end is by the last bit.
static void snap(const sn_exact_stage *stage, const link_view *view)
{
    if (!(sn_length(apart(stage, view)) <= 4.0f * rounding_of(stage, view))) {
        return;
    }
    for (int side = 0; side < 2; ++side) {
        const sn_anchor_end *end = &view->link->ends[side];
        if (end->node_count != 1 || end->weights[0] != 1.0f ||
            sn_link_node_weight(stage, end->nodes[0]) == 0.0f) {
            continue;
        }
        sn_vec3 place = sn_link_place(stage, view->link, 1 - side);
        int set = stage->set_of[end->nodes[0]];
        for (int i = 0; i < (set < 0 ? 1 : stage->sets[set].count); ++i) {
            int node = set < 0 ? end->nodes[0] : stage->members[stage->sets[set].first + i].node;
            sn_link_snap(stage, node, place);
        }
        return;
    }
}

// Until rounding is all that is left, or no more is gained.
static void place_at_once(const sn_exact_stage *stage, const int *links, int count)
{
    link_system system;
    sn_vec3 errors[SN_LINKS_AT_ONCE], impulses[SN_LINKS_AT_ONCE];
    view_links(&system, stage, links, count, 0.0f);
    if (system.count == 0 || pull_from_afar(&system)) {
        return;
    }
    prepare_placing(&system);
    float before = INFINITY;
    for (int pass = 0; pass < MOST_PASSES; ++pass) {
        float largest = measure(&system, errors);
        if (!(largest > 0.25f && largest < 0.5f * before)) {
            break;
        }
        before = largest;
        solve(&system, errors, impulses);
        for (int i = 0; i < system.count; ++i) {
            impulses[i] = sn_scale(impulses[i], stage->solver->nodes->pass.inverse_h);
            apply(stage, &system.views[i], impulses[i], true);
        }
    }
    for (int i = 0; i < system.count; ++i) {
        if (system.views[i].state->share == 1.0f) {
            snap(stage, &system.views[i]);
        }
    }
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

void sn_link_system_place(const sn_exact_stage *stage, const int *links, int count)
{
    for (int i = 0; i < count; ++i) {
        const sn_exact_link *link = &stage->links[links[i]];
        sn_link_state *state = &stage->link_work->states[links[i]];
        sn_vec3 error = sn_sub(sn_link_place(stage, link, 1), sn_link_place(stage, link, 0));
        state->kept = sn_lerp(error, state->slack, state->share);
        state->impulse = sn_v(0.0f, 0.0f, 0.0f);
    }
    int rounds = count > SN_LINKS_AT_ONCE ? PART_ROUNDS : 1;
    for (int k = 0; k < rounds; ++k) {
        for (int i = 0; i < count; i += SN_LINKS_AT_ONCE) {
            place_at_once(stage, links + i, least(count - i, SN_LINKS_AT_ONCE));
        }
    }
}

// --- velocities --------------------------------------------------------------------------------------------

static sn_vec3 speed_of(const sn_exact_stage *stage, const link_view *view)
{
    return sn_sub(sn_link_velocity(stage, view->link, 1), sn_link_velocity(stage, view->link, 0));
}

// Both ends are at one place by now, and impulses act there.
static void prepare_settling(link_system *system)
{
    const sn_exact_stage *stage = system->stage;
    system->row_count = 0;
    for (int i = 0; i < system->count; ++i) {
        link_view *view = &system->views[i];
        for (int side = 0; side < 2; ++side) {
            if (view->bodies[side] > 0 && view->link->ends[1 - side].node_count > 0) {
                sn_vec3 place = sn_link_place(stage, view->link, 1 - side);
                view->actions[side] = sn_sub(place, stage->solver->bodies[view->bodies[side]].center);
            }
        }
        sn_vec3 rows[3];
        if (view->link->sliding < 0) {
            add_axes(system, view);
        } else {
            add_rows(system, view, rows,
                     sn_link_slide_rows(stage, view->number, speed_of(stage, view), rows));
        }
    }
    factor(system);
}

// Coulomb's law for all impulses of the sub-step together: those along the surface are no more than the
// coefficient times those across it.
static void rub(const sn_exact_stage *stage, const link_view *view)
{
    sn_vec3 speed = sn_link_slide_along(stage, view->number, speed_of(stage, view));
    sn_vec3 direction = sn_normalize(speed);
    float along = sn_dot(direction, sn_mat3_apply(response_between(stage, view, view), direction));
    if (!(along > 0.0f)) {
        return;
    }
    sn_vec3 so_far = sn_link_slide_along(stage, view->number, view->state->impulse);
    float most = view->link->friction * sn_distance_between(view->state->impulse, so_far);
    sn_vec3 wanted = sn_add_scaled(so_far, -1.0f / along, speed);
    float length = sn_length(wanted);
    wanted = length > most ? sn_scale(wanted, most / length) : wanted;
    apply(stage, view, sn_sub(wanted, so_far), false);
}

static void settle_at_once(const sn_exact_stage *stage, const int *links, int count)
{
    link_system system;
    sn_vec3 errors[SN_LINKS_AT_ONCE], impulses[SN_LINKS_AT_ONCE];
    view_links(&system, stage, links, count, 1.0f);
    prepare_settling(&system);
    for (int i = 0; i < system.count; ++i) {
        errors[i] = speed_of(stage, &system.views[i]);
    }
    solve(&system, errors, impulses);
    for (int i = 0; i < system.count; ++i) {
        apply(stage, &system.views[i], impulses[i], false);
    }
    for (int i = 0; i < system.count; ++i) {
        if (system.views[i].link->sliding >= 0 && system.views[i].link->friction > 0.0f) {
            rub(stage, &system.views[i]);
        }
    }
}

void sn_link_system_settle(const sn_exact_stage *stage, const int *links, int count)
{
    int rounds = count > SN_LINKS_AT_ONCE ? PART_ROUNDS : 1;
    for (int k = 0; k < rounds; ++k) {
        for (int i = 0; i < count; i += SN_LINKS_AT_ONCE) {
            settle_at_once(stage, links + i, least(count - i, SN_LINKS_AT_ONCE));
        }
    }
}
