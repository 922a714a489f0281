// Systems of more links than elimination is worth: K λ = −C by conjugate residuals (Stiefel 1955), scaled to
// a diagonal of ones. Feet that gather on a few light triangles make such systems, and solving these part by
// part does not do: every part believes that it moves light nodes, while all others hold them fast.
//
// K is never written down. Impulses flow to the nodes and bodies they act on, and the points held move by
// what has arrived there: K = J W Jᵀ, in time and memory that grow with the number of links, not with its
// square. Links that share r nodes need about as many passes as these have directions, for what each link
// moves alone is the same in all but r.
//
// The method makes the residual smaller with every pass, and the energy of what it moves as well, so it may
// end anywhere: what is left is an error, never a blow. It ends where nothing that is left can be moved:
// contradictions would be answered a millionfold.
//
// A body takes impulses where the nodes at the other end were (exact_moves.c), a little off the point held.
// K must be symmetric here, so they are taken to act at that; measuring anew does the rest.
#include "solver/exact/exact_views.h"

#include <math.h>
#include <string.h>

// Passes over all links at most, and the part of the error at which it is content: what is left is measured
// anew.
enum { MOST_PASSES = 100 };
#define CONTENT 1.0e-5
// Nothing more can be gained if the residual, as an impulse, takes less than this part of itself away.
#define IMMOVABLE 1.0e-10

bool sn_link_many_begin(sn_exact_stage *stage)
{
    sn_arena *arena = stage->solver->arena;
    size_t count = (size_t)stage->link_count, nodes = (size_t)stage->solver->nodes.nodes->states.count;
    sn_link_many *many = sn_arena_take_zero(arena, 1, sizeof *many);
    stage->link_work->many = many;
    if (many == NULL) {
        return false;
    }
    many->views = sn_arena_take_zero(arena, count, sizeof *many->views);
    many->rows = sn_arena_take_zero(arena, count, 3 * sizeof *many->rows);
    many->errors = sn_arena_take_zero(arena, count, sizeof *many->errors);
    many->impulses = sn_arena_take_zero(arena, count, sizeof *many->impulses);
    many->vectors = sn_arena_take_zero(arena, count, 3 * SN_LINK_VECTORS * sizeof *many->vectors);
    many->node_flows = sn_arena_take_zero(arena, nodes, sizeof *many->node_flows);
    many->body_flows = sn_arena_take_zero(arena, (size_t)stage->solver->body_count, sizeof *many->body_flows);
    return many->views != NULL && many->rows != NULL && many->errors != NULL && many->impulses != NULL &&
           many->vectors != NULL && many->node_flows != NULL && many->body_flows != NULL;
}

// --- K -----------------------------------------------------------------------------------------------------

sn_vec3d *sn_link_flow_of(const sn_exact_stage *stage, int unit)
{
    int node = unit < 0 ? stage->members[stage->sets[-1 - unit].first].node : unit;
    return &stage->link_work->many->node_flows[node];
}

// The impulse of a link, of unknowns that are scaled.
static sn_vec3d impulse_of(const sn_link_equations *equations, const sn_link_view *view, const double *x)
{
    sn_vec3d sum = {0.0, 0.0, 0.0};
    for (int i = view->first_row; i < view->first_row + view->row_count; ++i) {
        sum = sn_add_scaled_wide(sum, x[i] * equations->scales[i], sn_widen(equations->rows[i]));
    }
    return sum;
}

// `acts`: on bodies where impulses act instead of at the point held.
static void pour(const sn_exact_stage *stage, const sn_link_view *view, sn_vec3d impulse, bool acts)
{
    for (int i = 0; i < view->count; ++i) {
        sn_vec3d *flow = sn_link_flow_of(stage, view->units[i]);
        *flow = sn_add_scaled_wide(*flow, (double)view->factors[i], impulse);
    }
    for (int i = 0; i < view->body_count; ++i) {
        const sn_link_body *body = &view->bodies[i];
        sn_link_flow *flow = &stage->link_work->many->body_flows[body->body];
        sn_vec3d part = sn_scale_wide(impulse, (double)body->factor);
        flow->linear = sn_add_wide(flow->linear, part);
        flow->angular =
            sn_add_wide(flow->angular, sn_cross_wide(sn_widen(acts ? body->action : body->arm), part));
    }
}

static sn_vec3d velocity_of_body(const sn_solver *solver, const sn_link_body *body, const sn_link_flow *flow)
{
    const float *d = solver->inertias[body->body].diagonal, *o = solver->inertias[body->body].off_diagonal;
    sn_sym3d inverse = {(double)d[0], (double)d[1], (double)d[2], (double)o[0], (double)o[1], (double)o[2]};
    sn_vec3d moved = sn_mul_wide(sn_widen(solver->bodies[body->body].inverse_mass), flow->linear);
    sn_vec3d spin = sn_sym3d_apply(&inverse, flow->angular);
    return sn_add_wide(moved, sn_cross_wide(spin, sn_widen(body->arm)));
}

// What the flows do to C.
static sn_vec3d take(const sn_exact_stage *stage, const sn_link_view *view)
{
    sn_vec3d sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < view->count; ++i) {
        double weight = (double)view->weights[i] * (double)view->factors[i];
        sum = sn_add_scaled_wide(sum, weight, *sn_link_flow_of(stage, view->units[i]));
    }
    for (int i = 0; i < view->body_count; ++i) {
        const sn_link_body *body = &view->bodies[i];
        const sn_link_flow *flow = &stage->link_work->many->body_flows[body->body];
        sum = sn_add_scaled_wide(sum, (double)body->factor, velocity_of_body(stage->solver, body, flow));
    }
    return sum;
}

static void drain(const sn_exact_stage *stage, const sn_link_view *view)
{
    for (int i = 0; i < view->count; ++i) {
        *sn_link_flow_of(stage, view->units[i]) = (sn_vec3d){0.0, 0.0, 0.0};
    }
    for (int i = 0; i < view->body_count; ++i) {
        stage->link_work->many->body_flows[view->bodies[i].body] = (sn_link_flow){0};
    }
}

static void multiply(const sn_link_equations *equations, const double *x, double *product)
{
    const sn_exact_stage *stage = equations->stage;
    for (int i = 0; i < equations->count; ++i) {
        const sn_link_view *view = &equations->views[i];
        pour(stage, view, impulse_of(equations, view, x), false);
    }
    for (int i = 0; i < equations->count; ++i) {
        const sn_link_view *view = &equations->views[i];
        sn_vec3d change = take(stage, view);
        for (int k = view->first_row; k < view->first_row + view->row_count; ++k) {
            product[k] = equations->scales[k] * sn_dot_wide(sn_widen(equations->rows[k]), change);
        }
    }
    for (int i = 0; i < equations->count; ++i) {
        drain(stage, &equations->views[i]);
    }
}

void sn_link_many_pour(const sn_link_equations *equations)
{
    for (int i = 0; i < equations->count; ++i) {
        const sn_link_view *view = &equations->views[i];
        pour(equations->stage, view, impulse_of(equations, view, equations->unknowns), true);
    }
}

void sn_link_many_factor(const sn_link_equations *equations)
{
    for (int i = 0; i < equations->count; ++i) {
        const sn_link_view *view = &equations->views[i];
        for (int k = view->first_row; k < view->first_row + view->row_count; ++k) {
            sn_vec3d row = sn_widen(equations->rows[k]);
            pour(equations->stage, view, row, false);
            float diagonal = (float)sn_dot_wide(row, take(equations->stage, view));
            drain(equations->stage, view);
            equations->scales[k] = diagonal > 0.0f ? 1.0 / (double)sqrtf(diagonal) : 0.0;
        }
    }
}

// --- conjugate residuals -----------------------------------------------------------------------------------

static double product_of(const double *a, const double *b, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

// Takes away what a direction can. x: unknowns, r: residual, p: direction, Kp.
static void go(int count, double displacement, const double *p, const double *kp, double *x, double *r)
{
    for (int i = 0; i < count; ++i) {
        x[i] += displacement * p[i];
        r[i] -= displacement * kp[i];
    }
}

static void turn(int count, double part, const double *r, const double *kr, double *p, double *kp)
{
    for (int i = 0; i < count; ++i) {
        p[i] = r[i] + part * p[i];
        kp[i] = kr[i] + part * kp[i];
    }
}

static void iterate(const sn_link_equations *equations, double *x, double *r)
{
    int count = equations->row_count;
    ptrdiff_t length = (ptrdiff_t)3 * equations->link_count;
    double *kr = r + length, *p = kr + length, *kp = p + length;
    double first = product_of(r, r, count), before = (double)INFINITY;
    memset(p, 0, (size_t)count * sizeof *p);
    memset(kp, 0, (size_t)count * sizeof *kp);
    for (int i = 0; i < MOST_PASSES; ++i) {
        double size = product_of(r, r, count);
        if (!(size > CONTENT * CONTENT * first)) {
            return;
        }
        multiply(equations, r, kr);
        double now = product_of(r, kr, count);
        if (!(now > IMMOVABLE * size)) {
            return;
        }
        turn(count, now / before, r, kr, p, kp);
        go(count, now / product_of(kp, kp, count), p, kp, x, r);
        before = now;
    }
}

void sn_link_many_solve(const sn_link_equations *equations)
{
    double *x = equations->unknowns, *r = x + (ptrdiff_t)3 * equations->link_count;
    for (int i = 0; i < equations->count; ++i) {
        const sn_link_view *view = &equations->views[i];
        for (int k = view->first_row; k < view->first_row + view->row_count; ++k) {
            x[k] = 0.0;
            r[k] = -equations->scales[k] * (double)sn_dot(equations->rows[k], equations->errors[i]);
        }
    }
    iterate(equations, x, r);
    for (int i = 0; i < equations->count; ++i) {
        equations->impulses[i] = sn_narrow(impulse_of(equations, &equations->views[i], x));
    }
}
