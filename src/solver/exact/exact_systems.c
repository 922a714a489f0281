// Systems of links in a sub-step: positions are put together by solving the equations (exact_equations.c) and
// measuring the error again, since bodies turn and closest points slide, until it is at rounding; later,
// velocities by solving them once.
// Tested by tests/solver/exact/test_exact_links.c.
#include "solver/exact/exact_links.h"

#include <math.h>

// Bodies that turn need no more passes than this unless they start from far away.
enum { MOST_PASSES = 6 };

static const sn_vec3 axes[3] = {{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}};

// The rounding of the positions of its nodes and of its ends.
static float rounding_of(const sn_exact_stage *stage, const sn_link_view *view)
{
    float rounding = sn_link_rounding(sn_link_place(stage, view->link, 0));
    rounding = sn_max(rounding, sn_link_rounding(sn_link_place(stage, view->link, 1)));
    for (int i = 0; i < view->lever_count; ++i) {
        if (view->levers[i].node >= 0) {
            sn_vec3 place = sn_link_nodes(stage)[view->levers[i].node].position;
            rounding = sn_max(rounding, sn_link_rounding(place));
        }
    }
    return rounding;
}

// --- linearising -------------------------------------------------------------------------------------------

// Where the nodes of an end were when the sub-step began.
static sn_vec3 start_of(const sn_exact_stage *stage, const sn_exact_end *end)
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

// Impulses act as at the beginning of the sub-step, x⁺ = x + h v⁺: so angular momentum is kept if bodies take
// them where the nodes at the other end were then. The closest point of a link that slides was elsewhere, and
// its body would be turned by sliding: it takes them where its own point was.
static void act_at_start(const sn_exact_stage *stage, sn_link_view *view)
{
    const sn_solver *solver = stage->solver;
    float h = solver->nodes.pass.h;
    for (int i = 0; i < view->lever_count; ++i) {
        sn_link_lever *lever = &view->levers[i];
        int body = lever->body;
        const sn_exact_end *other = &view->link->ends[1 - lever->side];
        if (body > 0 && view->link->sliding >= 0) {
            sn_vec3 spin = sn_take3(solver->velocities[body].angular);
            lever->action = sn_add_scaled(lever->arm, -h, sn_cross(spin, lever->arm));
        } else if (body > 0 && other->node_count > 0) {
            sn_vec3 velocity = sn_take3(solver->velocities[body].linear);
            sn_vec3 start = sn_add_scaled(solver->bodies[body].center, -h, velocity);
            lever->action = sn_sub(start_of(stage, other), start);
        }
    }
}

// Whether the ends are so far apart that an impulse on a body where the other end is, instead of at its own
// point, would turn it the wrong way: by C × P, which moves its point by as much as an eighth of C or more.
static bool is_far(const sn_exact_stage *stage, const sn_link_view *view, sn_vec3 error)
{
    for (int i = 0; i < view->lever_count; ++i) {
        int body = view->levers[i].body;
        if (body > 0) {
            sn_vec3 w = stage->solver->bodies[body].inverse_mass;
            const float *turn = stage->solver->inertias[body].diagonal;
            float lever = sn_length(error) * sn_length(view->levers[i].arm);
            if (8.0f * lever * (turn[0] + turn[1] + turn[2]) > sn_max(w.x, sn_max(w.y, w.z))) {
                return true;
            }
        }
    }
    return false;
}

static void linearise(sn_link_system *system)
{
    const sn_exact_stage *stage = system->stage;
    sn_link_view_all(system, 0.0f);
    for (int i = 0; i < system->count; ++i) {
        sn_link_view *view = &system->views[i];
        if (!is_far(stage, view, sn_link_apart(stage, view->link))) {
            act_at_start(stage, view);
        }
        sn_vec3 rows[3];
        if (view->link->sliding < 0) {
            sn_link_rows_set(view, axes, 3);
        } else {
            sn_link_rows_set(view, rows, sn_link_slide_place_rows(stage, view->number, rows));
        }
    }
}

// --- placing -----------------------------------------------------------------------------------------------

// Errors beyond what ramps leave, as far as rows see them. Returns the largest, in units of rounding.
static float measure(const sn_link_system *system)
{
    float largest = 0.0f;
    for (int i = 0; i < system->count; ++i) {
        sn_link_view *view = &system->views[i];
        sn_vec3 error = sn_sub(sn_link_apart(system->stage, view->link), view->state->kept);
        view->error = sn_v(0.0f, 0.0f, 0.0f);
        for (int k = 0; k < view->row_count; ++k) {
            view->error = sn_add_scaled(view->error, sn_dot(view->rows[k], error), view->rows[k]);
        }
        float rounding = rounding_of(system->stage, view) + 1.0e-30f;
        largest = sn_max(largest, sn_length(view->error) / rounding);
    }
    return largest;
}

// Pulls bodies that are far from the other end along the error, where no impulse can turn anything as a
// whole; it may leave an error across. Returns whether a ramp has time to do the rest.
static bool pull_from_afar(sn_link_system *system)
{
    const sn_exact_stage *stage = system->stage;
    bool is_ramp = false;
    sn_link_view_all(system, 0.0f);
    for (int i = 0; i < system->count; ++i) {
        sn_link_view *view = &system->views[i];
        sn_vec3 error = sn_link_apart(stage, view->link);
        if (is_far(stage, view, error)) {
            error = sn_sub(error, view->state->kept);
            float along = sn_link_response(system, view, sn_normalize(error));
            if (along > 0.0f) {
                float scale = -stage->solver->nodes.pass.inverse_h / along;
                sn_link_apply(system, view, sn_scale(error, scale), true);
            }
            is_ramp |= view->share < 1.0f;
        }
    }
    return is_ramp;
}

// Closest points go where the other ends have come to. False if no link slides.
static bool slide_on(const sn_link_system *system)
{
    bool slides = false;
    for (int i = 0; i < system->count; ++i) {
        if (system->views[i].link->sliding >= 0) {
            sn_link_slide_on(system->stage, system->views[i].number);
            slides = true;
        }
    }
    return slides;
}

// Which links with friction stick: those that could if all of them did.
static void decide_grips(sn_link_system *system)
{
    bool rubs = false;
    for (int i = 0; i < system->count; ++i) {
        if (sn_link_slide_rubs(system->stage, system->views[i].number)) {
            sn_link_slide_stick(system->stage, system->views[i].number);
            rubs = true;
        }
    }
    if (!rubs) {
        return;
    }
    linearise(system);
    (void)measure(system);
    sn_link_solve(system);
    for (int i = 0; i < system->count; ++i) {
        if (system->views[i].state->grip == SN_LINK_STICKS) {
            sn_link_slide_decide(system->stage, system->views[i].number, system->views[i].impulse);
        }
    }
}

// Friction on links that slip.
static void drag(sn_link_system *system)
{
    float inverse_h = system->stage->solver->nodes.pass.inverse_h;
    sn_link_view_all(system, 0.0f);
    for (int i = 0; i < system->count; ++i) {
        sn_link_view *view = &system->views[i];
        if (view->link->sliding >= 0 && view->state->grip == SN_LINK_SLIPS) {
            sn_link_apply(system, view, sn_scale(view->state->drag, inverse_h), true);
        }
    }
    (void)slide_on(system);
}

// Until rounding is all that is left, or no more is gained.
static void pull_together(sn_link_system *system)
{
    float before = INFINITY;
    linearise(system);
    for (int pass = 0; pass < MOST_PASSES; ++pass) {
        float largest = measure(system);
        if (!(largest > 0.25f && largest < 0.9f * before)) {
            return;
        }
        before = largest;
        sn_link_solve(system);
        sn_link_apply_all(system, system->stage->solver->nodes.pass.inverse_h, true);
        if (slide_on(system)) {
            linearise(system);
        }
    }
}

// Ends that are one node, or a set, go to the other end to the last bit.
static void snap(const sn_exact_stage *stage, const sn_link_view *view)
{
    const sn_exact_links *work = stage->link_work;
    if (!(sn_length(sn_link_apart(stage, view->link)) <= 4.0f * rounding_of(stage, view))) {
        return;
    }
    for (int side = 0; side < 2; ++side) {
        const sn_exact_end *end = &view->link->ends[side];
        int node = end->nodes[0], key = end->node_count == 1 ? work->keys[node] : -1;
        if (key < 0 || end->weights[0] != 1.0f || key >= stage->solver->nodes.nodes->states.count) {
            continue;
        }
        sn_vec3 place = sn_link_place(stage, view->link, 1 - side);
        const sn_exact_set *set = work->set_of[node] >= 0 ? &stage->sets[work->set_of[node]] : NULL;
        for (int i = 0; i < (set != NULL ? set->count : 1); ++i) {
            sn_link_snap(stage, set != NULL ? stage->members[set->first + i].node : node, place);
        }
        return;
    }
}

// What ramps leave.
static void begin_sub_step(const sn_link_system *system)
{
    const sn_exact_stage *stage = system->stage;
    for (int i = 0; i < system->link_count; ++i) {
        int number = system->links[i];
        sn_link_state *state = &stage->link_work->states[number];
        sn_vec3 error = sn_link_apart(stage, &stage->links[number]);
        state->kept = sn_scale(error, 1.0f - stage->link_work->shares[number]);
        state->impulse = sn_v(0.0f, 0.0f, 0.0f);
        state->surplus = 0.0f;
    }
}

static void place(sn_link_system *system, bool again)
{
    bool is_ramp = pull_from_afar(system);
    (void)slide_on(system);
    if (system->count == 0 || is_ramp) {
        return;
    }
    if (!again) {
        decide_grips(system);
        drag(system);
    }
    pull_together(system);
    sn_link_limit_energy(system);
    for (int i = 0; i < system->count; ++i) {
        if (system->views[i].share == 1.0f) {
            snap(system->stage, &system->views[i]);
        }
    }
}

void sn_link_system_place(const sn_exact_stage *stage, int number, bool again)
{
    sn_link_system system = sn_link_system_open(stage, number);
    if (!again) {
        begin_sub_step(&system);
    }
    for (int i = 0; i < system.link_count; ++i) {
        stage->link_work->states[system.links[i]].latest = sn_v(0.0f, 0.0f, 0.0f);
    }
    place(&system, again);
    sn_link_system_close(&system);
}

// --- velocities --------------------------------------------------------------------------------------------

static sn_vec3 speed_of(const sn_exact_stage *stage, const sn_link_view *view)
{
    return sn_sub(sn_link_velocity(stage, view->link, 1), sn_link_velocity(stage, view->link, 0));
}

// Both ends are at one place by now, and impulses act there.
static void linearise_velocities(sn_link_system *system)
{
    const sn_exact_stage *stage = system->stage;
    sn_link_view_all(system, 1.0f);
    for (int i = 0; i < system->count; ++i) {
        sn_link_view *view = &system->views[i];
        for (int k = 0; k < view->lever_count; ++k) {
            sn_link_lever *lever = &view->levers[k];
            if (lever->node < 0 && view->link->ends[1 - lever->side].node_count > 0) {
                sn_vec3 place = sn_link_place(stage, view->link, 1 - lever->side);
                lever->action = sn_sub(place, stage->solver->bodies[lever->body].center);
            }
        }
        sn_vec3 rows[3];
        view->error = speed_of(stage, view);
        if (view->link->sliding < 0) {
            sn_link_rows_set(view, axes, 3);
        } else {
            int count = sn_link_slide_settle_rows(stage, view->number, view->error, rows);
            sn_link_rows_set(view, rows, count);
        }
    }
}

// Coulomb's law for all impulses of the sub-step together: those along the surface are no more than the
// coefficient times those across it. What placing has given along it stays: taking it back, when less is left
// across, would drive things.
static void rub(sn_link_system *system, sn_link_view *view)
{
    const sn_exact_stage *stage = system->stage;
    sn_vec3 speed = sn_link_slide_along(stage, view->number, speed_of(stage, view));
    float along = sn_link_response(system, view, sn_normalize(speed));
    if (!(along > 0.0f)) {
        return;
    }
    sn_vec3 so_far = sn_link_slide_along(stage, view->number, view->state->impulse);
    float most = view->link->friction * sn_distance_between(view->state->impulse, so_far);
    most = sn_max(most, sn_length(so_far));
    sn_vec3 wanted = sn_add_scaled(so_far, -1.0f / along, speed);
    float length = sn_length(wanted);
    wanted = length > most ? sn_scale(wanted, most / length) : wanted;
    sn_link_apply(system, view, sn_sub(wanted, so_far), false);
}

void sn_link_system_settle(const sn_exact_stage *stage, int number)
{
    sn_link_system system = sn_link_system_open(stage, number);
    linearise_velocities(&system);
    sn_link_solve(&system);
    sn_link_apply_all(&system, 1.0f, false);
    for (int i = 0; i < system.count; ++i) {
        const sn_link_state *state = system.views[i].state;
        if (sn_link_slide_rubs(stage, system.views[i].number) &&
            (state->grip == SN_LINK_STICKS || !state->is_kept)) {
            rub(&system, &system.views[i]);
        }
    }
    sn_link_system_close(&system);
}
