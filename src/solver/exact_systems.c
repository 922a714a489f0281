// Links that share nodes, sets or bodies, and those of bodies: K λ = −C, a dense system with blocks
//
//   K_ij = (Σ w a_i a_j) 1 + ((1/m) 1 + [r_i]× I⁻¹ [r_j]×ᵀ)
//
// over what both move. Bodies turn, so C is measured anew and the rest taken away, until it is at rounding.
// Rows that others imply are dropped: what remains of such links is what the others leave.
//
// Impulses act as at the beginning of the sub-step, x⁺ = x + h v⁺. So the angular momentum is kept if a body
// takes them where the nodes were then.
#include "solver/exact_views.h"

// Rounds over the parts of a system that is too large to be solved at once, and how much of the error is
// taken away: what the parts leave of it to each other would come back as a velocity.
enum { PART_ROUNDS = 4 };
#define PART_SHARE 0.2f
// Bodies that turn need no more passes than this unless they start from afar.
enum { MOST_PASSES = 6 };

// --- looking -----------------------------------------------------------------------------------------------

static sn_vec3 apart(const sn_exact_stage *stage, const sn_link_view *view)
{
    return sn_sub(sn_link_place(stage, view->link, 1), sn_link_place(stage, view->link, 0));
}

// What rounding makes of the places of its nodes and of its ends.
static float rounding_of(const sn_exact_stage *stage, const sn_link_view *view)
{
    float rounding = sn_link_rounding(sn_link_place(stage, view->link, 0));
    rounding = sn_max(rounding, sn_link_rounding(sn_link_place(stage, view->link, 1)));
    for (int i = 0; i < view->count; ++i) {
        rounding = sn_max(rounding, sn_link_rounding(sn_link_nodes(stage)[view->nodes[i]].position));
    }
    return rounding;
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

// The nodes a body carries stay on it. They keep their velocities: the next sub-step shares those out.
static void take_riders(const sn_exact_stage *stage, int number)
{
    const sn_solver_body *body = &stage->solver->bodies[number];
    for (int i = 0; i < stage->set_count; ++i) {
        const sn_exact_set *set = &stage->sets[i];
        bool rides = set->carrier == SN_CARRIED_BY_BODY && set->body == number;
        sn_vec3 place = sn_add(body->center, sn_rotate(body->rotation, set->local));
        for (int k = set->first; rides && k < set->first + set->count; ++k) {
            if (sn_link_nodes(stage)[stage->members[k].node].inverse_mass > 0.0f) {
                sn_link_snap(stage, stage->members[k].node, place);
            }
        }
    }
}

static void apply_to_bodies(const sn_exact_stage *stage, const sn_link_view *view, sn_vec3 impulse,
                            bool moves)
{
    for (int i = 0; i < view->body_count; ++i) {
        const sn_link_body *body = &view->bodies[i];
        sn_vec3 part = sn_scale(impulse, body->factor);
        if (!moves) {
            push_body(stage->solver, body->body, body->action, part);
            continue;
        }
        move_body(stage->solver, body->body, body->action, part);
        if (body->node >= 0) {
            take_riders(stage, body->body);
        }
    }
}

// Applies an impulse on b. If it `moves`, then as if at the beginning of the sub-step.
static void apply(const sn_exact_stage *stage, const sn_link_view *view, sn_vec3 impulse, bool moves)
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
    apply_to_bodies(stage, view, impulse, moves);
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

// Bodies take impulses where the nodes at the other end were. The foot of a link that slides was elsewhere
// then, and its body would be turned by sliding: it takes them where its own point was.
static void act_at_start(const sn_exact_stage *stage, sn_link_view *view)
{
    const sn_solver *solver = stage->solver;
    float h = solver->nodes->pass.h;
    for (int i = 0; i < view->body_count; ++i) {
        sn_link_body *body = &view->bodies[i];
        const sn_anchor_end *other = &view->link->ends[1 - body->side];
        const sn_solver_velocity *velocity = &solver->velocities[body->body];
        if (view->link->sliding >= 0) {
            body->action = sn_add_scaled(body->arm, -h, sn_cross(sn_take3(velocity->angular), body->arm));
        } else if (other->node_count > 0) {
            sn_vec3 center = solver->bodies[body->body].center;
            sn_vec3 start = sn_add_scaled(center, -h, sn_take3(velocity->linear));
            body->action = sn_sub(start_of(stage, other), start);
        }
    }
}

// So far apart that an impulse on a body where the other end is, instead of at its own point, would turn it
// the wrong way: by C × P, which moves its point by as much as an eighth of C or more.
static bool is_far(const sn_exact_stage *stage, const sn_link_view *view, sn_vec3 error)
{
    for (int i = 0; i < view->body_count; ++i) {
        const sn_link_body *body = &view->bodies[i];
        sn_vec3 w = stage->solver->bodies[body->body].inverse_mass;
        const float *turn = stage->solver->inertias[body->body].diagonal;
        float lever = sn_length(error) * sn_length(body->arm);
        if (8.0f * lever * (turn[0] + turn[1] + turn[2]) > sn_max(w.x, sn_max(w.y, w.z))) {
            return true;
        }
    }
    return false;
}

// Along the error, where no impulse can turn anything as a whole. Takes away what is along it, and may leave
// something across.
static void pull_straight(const sn_exact_stage *stage, const sn_link_view *view, sn_vec3 error)
{
    sn_vec3 direction = sn_normalize(error);
    float along = sn_link_view_response(stage, view, direction);
    if (along > 0.0f) {
        apply(stage, view, sn_scale(error, -stage->solver->nodes->pass.inverse_h / along), true);
    }
}

// The part of an error that a link's rows see.
static sn_vec3 seen_by(const sn_link_equations *equations, const sn_link_view *view, sn_vec3 error)
{
    sn_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (int i = view->first_row; i < view->first_row + view->row_count; ++i) {
        sum = sn_add_scaled(sum, sn_dot(equations->rows[i], error), equations->rows[i]);
    }
    return sum;
}

// Errors beyond what ramps leave. Returns the largest, in units of rounding.
static float measure(const sn_link_equations *equations, sn_vec3 *errors)
{
    float largest = 0.0f;
    for (int i = 0; i < equations->count; ++i) {
        const sn_link_view *view = &equations->views[i];
        errors[i] = seen_by(equations, view, sn_sub(apart(equations->stage, view), view->state->kept));
        float rounding = rounding_of(equations->stage, view) + 1.0e-30f;
        largest = sn_max(largest, sn_length(errors[i]) / rounding);
    }
    return largest;
}

// Links of bodies that are far from them. True if a ramp has time to do the rest.
static bool pull_from_afar(const sn_link_equations *equations)
{
    bool is_ramp = false;
    for (int i = 0; i < equations->count; ++i) {
        const sn_link_view *view = &equations->views[i];
        sn_vec3 error = apart(equations->stage, view);
        if (is_far(equations->stage, view, error)) {
            pull_straight(equations->stage, view, sn_sub(error, view->state->kept));
            is_ramp |= view->share < 1.0f;
        }
    }
    return is_ramp;
}

static void prepare_placing(sn_link_equations *equations)
{
    sn_link_clear_rows(equations);
    for (int i = 0; i < equations->count; ++i) {
        sn_link_view *view = &equations->views[i];
        sn_link_view_bodies(equations->stage, view);
        if (!is_far(equations->stage, view, apart(equations->stage, view))) {
            act_at_start(equations->stage, view);
        }
        if (view->link->sliding < 0 || sn_link_slide_is_held(equations->stage, view->number)) {
            sn_link_add_axes(equations, view);
        } else {
            sn_vec3 rows[2];
            int count = sn_link_slide_across(equations->stage, view->number, rows);
            sn_link_add_rows(equations, view, rows, count);
        }
    }
    sn_link_factor(equations);
}

// Feet of links go where their other ends have come to. False if none slides.
static bool slide_on(const sn_link_equations *equations)
{
    bool slides = false;
    for (int i = 0; i < equations->count; ++i) {
        if (equations->views[i].link->sliding >= 0) {
            sn_link_slide_on(equations->stage, equations->views[i].number);
            slides = true;
        }
    }
    return slides;
}

// Which links with friction stick: those that could if all of them did.
static void decide_grips(sn_link_equations *equations, const int *links, int count)
{
    sn_vec3 errors[SN_LINKS_AT_ONCE], impulses[SN_LINKS_AT_ONCE];
    bool rubs = false;
    for (int i = 0; i < equations->count; ++i) {
        if (sn_link_slide_rubs(equations->stage, equations->views[i].number)) {
            sn_link_slide_stick(equations->stage, equations->views[i].number);
            rubs = true;
        }
    }
    if (!rubs) {
        return;
    }
    sn_link_view_all(equations, equations->stage, links, count, 0.0f);
    prepare_placing(equations);
    (void)measure(equations, errors);
    sn_link_solve(equations, errors, impulses);
    for (int i = 0; i < equations->count; ++i) {
        if (equations->views[i].state->grip == SN_LINK_STICKS) {
            sn_link_slide_decide(equations->stage, equations->views[i].number, impulses[i]);
        }
    }
}

// Ends that are one node, or a set, go where the other end is by the last bit.
static void snap(const sn_exact_stage *stage, const sn_link_view *view)
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

// Friction on links that slip.
static void drag(sn_link_equations *equations, const int *links, int count)
{
    const sn_exact_stage *stage = equations->stage;
    sn_link_view_all(equations, stage, links, count, 0.0f);
    for (int i = 0; i < equations->count; ++i) {
        const sn_link_view *view = &equations->views[i];
        if (view->link->sliding >= 0 && view->state->grip == SN_LINK_SLIPS) {
            apply(stage, view, sn_scale(view->state->drag, stage->solver->nodes->pass.inverse_h), true);
        }
    }
    (void)slide_on(equations);
}

// Until rounding is all that is left, or no more is gained.
static void pull_together(sn_link_equations *equations, const int *links, int count)
{
    const sn_exact_stage *stage = equations->stage;
    sn_vec3 errors[SN_LINKS_AT_ONCE], impulses[SN_LINKS_AT_ONCE];
    float before = INFINITY;
    sn_link_view_all(equations, stage, links, count, 0.0f);
    prepare_placing(equations);
    for (int pass = 0; pass < MOST_PASSES; ++pass) {
        float largest = measure(equations, errors);
        if (!(largest > 0.25f && largest < 0.9f * before)) {
            return;
        }
        before = largest;
        sn_link_solve(equations, errors, impulses);
        for (int i = 0; i < equations->count; ++i) {
            impulses[i] = sn_scale(impulses[i], stage->solver->nodes->pass.inverse_h);
            apply(stage, &equations->views[i], impulses[i], true);
        }
        if (slide_on(equations)) {
            sn_link_view_all(equations, stage, links, count, 0.0f);
            prepare_placing(equations);
        }
    }
}

static void place_at_once(const sn_exact_stage *stage, const int *links, int count, bool again)
{
    sn_link_equations equations;
    sn_link_view_all(&equations, stage, links, count, 0.0f);
    bool is_ramp = pull_from_afar(&equations);
    (void)slide_on(&equations);
    if (equations.count == 0 || is_ramp) {
        return;
    }
    if (!again) {
        decide_grips(&equations, links, count);
        drag(&equations, links, count);
    }
    pull_together(&equations, links, count);
    for (int i = 0; i < equations.count; ++i) {
        if (equations.views[i].share == 1.0f) {
            snap(stage, &equations.views[i]);
        }
    }
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

void sn_link_system_place(const sn_exact_stage *stage, const int *links, int count, bool again)
{
    for (int i = 0; i < count && !again; ++i) {
        const sn_exact_link *link = &stage->links[links[i]];
        sn_link_state *state = &stage->link_work->states[links[i]];
        sn_vec3 error = sn_sub(sn_link_place(stage, link, 1), sn_link_place(stage, link, 0));
        float share = stage->link_work->shares[links[i]];
        state->kept = sn_scale(error, 1.0f - (count > SN_LINKS_AT_ONCE ? PART_SHARE * share : share));
        state->impulse = sn_v(0.0f, 0.0f, 0.0f);
    }
    int rounds = count > SN_LINKS_AT_ONCE ? PART_ROUNDS : 1;
    for (int k = 0; k < rounds; ++k) {
        for (int i = 0; i < count; i += SN_LINKS_AT_ONCE) {
            place_at_once(stage, links + i, least(count - i, SN_LINKS_AT_ONCE), again);
        }
    }
}

// --- velocities --------------------------------------------------------------------------------------------

static sn_vec3 speed_of(const sn_exact_stage *stage, const sn_link_view *view)
{
    return sn_sub(sn_link_velocity(stage, view->link, 1), sn_link_velocity(stage, view->link, 0));
}

// Both ends are at one place by now, and impulses act there.
static void prepare_settling(sn_link_equations *equations)
{
    const sn_exact_stage *stage = equations->stage;
    sn_link_clear_rows(equations);
    for (int i = 0; i < equations->count; ++i) {
        sn_link_view *view = &equations->views[i];
        for (int k = 0; k < view->body_count; ++k) {
            sn_link_body *body = &view->bodies[k];
            if (body->node < 0 && view->link->ends[1 - body->side].node_count > 0) {
                sn_vec3 place = sn_link_place(stage, view->link, 1 - body->side);
                body->action = sn_sub(place, stage->solver->bodies[body->body].center);
            }
        }
        sn_vec3 rows[3];
        if (view->link->sliding < 0) {
            sn_link_add_axes(equations, view);
        } else {
            int count = sn_link_slide_rows(stage, view->number, speed_of(stage, view), rows);
            sn_link_add_rows(equations, view, rows, count);
        }
    }
    sn_link_factor(equations);
}

// Coulomb's law for all impulses of the sub-step together: those along the surface are no more than the
// coefficient times those across it.
static void rub(const sn_exact_stage *stage, const sn_link_view *view)
{
    sn_vec3 speed = sn_link_slide_along(stage, view->number, speed_of(stage, view));
    sn_vec3 direction = sn_normalize(speed);
    float along = sn_link_view_response(stage, view, direction);
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
    sn_link_equations equations;
    sn_vec3 errors[SN_LINKS_AT_ONCE], impulses[SN_LINKS_AT_ONCE];
    sn_link_view_all(&equations, stage, links, count, 1.0f);
    prepare_settling(&equations);
    for (int i = 0; i < equations.count; ++i) {
        errors[i] = speed_of(stage, &equations.views[i]);
    }
    sn_link_solve(&equations, errors, impulses);
    for (int i = 0; i < equations.count; ++i) {
        apply(stage, &equations.views[i], impulses[i], false);
    }
    for (int i = 0; i < equations.count; ++i) {
        const sn_link_state *state = equations.views[i].state;
        if (sn_link_slide_rubs(stage, equations.views[i].number) &&
            (state->grip == SN_LINK_STICKS || !state->is_kept)) {
            rub(stage, &equations.views[i]);
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
