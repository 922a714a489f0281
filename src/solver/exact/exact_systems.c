// Links that share nodes, sets or bodies, and those of bodies: K λ = −C, a system with blocks
//
//   K_ij = (Σ w a_i a_j) 1 + ((1/m) 1 + [r_i]× I⁻¹ [r_j]×ᵀ)
//
// over what both move. Bodies turn, so C is measured anew and the rest taken away, until it is at rounding.
// Rows that others imply are dropped: what remains of such links is what the others leave. Systems of up to
// SN_LINKS_AT_ONCE links are dense, and solved by elimination; larger ones by iteration (exact_many.c).
#include "solver/exact/exact_views.h"

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

// --- placing -----------------------------------------------------------------------------------------------

// Where the nodes of an end were when the sub-step began.
static sn_vec3 start_of(const sn_exact_stage *stage, const sn_solver_end *end)
{
    float h = stage->solver->nodes.pass.h;
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
    float h = solver->nodes.pass.h;
    for (int i = 0; i < view->body_count; ++i) {
        sn_link_body *body = &view->bodies[i];
        const sn_solver_end *other = &view->link->ends[1 - body->side];
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
static void pull_straight(sn_link_equations *equations, const sn_link_view *view, sn_vec3 error)
{
    const sn_exact_stage *stage = equations->stage;
    sn_vec3 direction = sn_normalize(error);
    float along = sn_link_view_response(stage, view, direction);
    if (along > 0.0f) {
        sn_link_apply(equations, view, sn_scale(error, -stage->solver->nodes.pass.inverse_h / along), true);
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
static float measure(const sn_link_equations *equations)
{
    sn_vec3 *errors = equations->errors;
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
static bool pull_from_afar(sn_link_equations *equations)
{
    bool is_ramp = false;
    for (int i = 0; i < equations->count; ++i) {
        const sn_link_view *view = &equations->views[i];
        sn_vec3 error = apart(equations->stage, view);
        if (is_far(equations->stage, view, error)) {
            pull_straight(equations, view, sn_sub(error, view->state->kept));
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
static void decide_grips(sn_link_equations *equations)
{
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
    sn_link_view_all(equations, 0.0f);
    prepare_placing(equations);
    (void)measure(equations);
    sn_link_solve(equations);
    for (int i = 0; i < equations->count; ++i) {
        if (equations->views[i].state->grip == SN_LINK_STICKS) {
            sn_link_slide_decide(equations->stage, equations->views[i].number, equations->impulses[i]);
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
        const sn_solver_end *end = &view->link->ends[side];
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
static void drag(sn_link_equations *equations)
{
    const sn_exact_stage *stage = equations->stage;
    sn_link_view_all(equations, 0.0f);
    for (int i = 0; i < equations->count; ++i) {
        const sn_link_view *view = &equations->views[i];
        if (view->link->sliding >= 0 && view->state->grip == SN_LINK_SLIPS) {
            sn_link_apply(equations, view, sn_scale(view->state->drag, stage->solver->nodes.pass.inverse_h),
                          true);
        }
    }
    (void)slide_on(equations);
}

// Until rounding is all that is left, or no more is gained.
static void pull_together(sn_link_equations *equations)
{
    float before = INFINITY;
    sn_link_view_all(equations, 0.0f);
    prepare_placing(equations);
    for (int pass = 0; pass < MOST_PASSES; ++pass) {
        float largest = measure(equations);
        if (!(largest > 0.25f && largest < 0.9f * before)) {
            return;
        }
        before = largest;
        sn_link_solve(equations);
        sn_link_apply_all(equations, true);
        if (slide_on(equations)) {
            sn_link_view_all(equations, 0.0f);
            prepare_placing(equations);
        }
    }
}

// What ramps leave.
static void keep_shares(const sn_exact_stage *stage, const int *links, int count)
{
    for (int i = 0; i < count; ++i) {
        const sn_exact_link *link = &stage->links[links[i]];
        sn_link_state *state = &stage->link_work->states[links[i]];
        sn_vec3 error = sn_sub(sn_link_place(stage, link, 1), sn_link_place(stage, link, 0));
        state->kept = sn_scale(error, 1.0f - stage->link_work->shares[links[i]]);
        state->impulse = sn_v(0.0f, 0.0f, 0.0f);
        state->taken = 0.0f;
    }
}

void sn_link_system_place(const sn_exact_stage *stage, const int *links, int count, bool again)
{
    sn_link_few few;
    sn_link_equations equations = sn_link_equations_of(stage, links, count, &few);
    if (!again) {
        keep_shares(stage, links, count);
    }
    sn_link_energy_watch(&equations);
    sn_link_view_all(&equations, 0.0f);
    bool is_ramp = pull_from_afar(&equations);
    (void)slide_on(&equations);
    if (equations.count == 0 || is_ramp) {
        return;
    }
    if (!again) {
        decide_grips(&equations);
        drag(&equations);
    }
    pull_together(&equations);
    sn_link_energy_tame(&equations);
    for (int i = 0; i < equations.count; ++i) {
        if (equations.views[i].share == 1.0f) {
            snap(stage, &equations.views[i]);
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
// coefficient times those across it. What placing has given along it stays: taking it back, when less is left
// across, would drive things.
static void rub(sn_link_equations *equations, const sn_link_view *view)
{
    const sn_exact_stage *stage = equations->stage;
    sn_vec3 speed = sn_link_slide_along(stage, view->number, speed_of(stage, view));
    sn_vec3 direction = sn_normalize(speed);
    float along = sn_link_view_response(stage, view, direction);
    if (!(along > 0.0f)) {
        return;
    }
    sn_vec3 so_far = sn_link_slide_along(stage, view->number, view->state->impulse);
    float most = view->link->friction * sn_distance_between(view->state->impulse, so_far);
    most = sn_max(most, sn_length(so_far));
    sn_vec3 wanted = sn_add_scaled(so_far, -1.0f / along, speed);
    float length = sn_length(wanted);
    wanted = length > most ? sn_scale(wanted, most / length) : wanted;
    sn_link_apply(equations, view, sn_sub(wanted, so_far), false);
}

void sn_link_system_settle(const sn_exact_stage *stage, const int *links, int count)
{
    sn_link_few few;
    sn_link_equations equations = sn_link_equations_of(stage, links, count, &few);
    sn_link_view_all(&equations, 1.0f);
    prepare_settling(&equations);
    for (int i = 0; i < equations.count; ++i) {
        equations.errors[i] = speed_of(stage, &equations.views[i]);
    }
    sn_link_solve(&equations);
    sn_link_apply_all(&equations, false);
    for (int i = 0; i < equations.count; ++i) {
        const sn_link_state *state = equations.views[i].state;
        if (sn_link_slide_rubs(stage, equations.views[i].number) &&
            (state->grip == SN_LINK_STICKS || !state->is_kept)) {
            rub(&equations, &equations.views[i]);
        }
    }
}
