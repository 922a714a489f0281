// What links in systems move, and how much: views and equations.
#include "solver/exact/exact_views.h"

// --- views -------------------------------------------------------------------------------------------------

static void view_nodes(const sn_exact_stage *stage, sn_link_view *view, int side)
{
    const sn_solver_end *end = &view->link->ends[side];
    for (int i = 0; i < end->node_count; ++i) {
        int node = end->nodes[i], set = stage->set_of[node];
        float weight = sn_link_node_weight(stage, node);
        if (weight > 0.0f && end->weights[i] != 0.0f) {
            view->nodes[view->count] = node;
            view->units[view->count] = set < 0 ? node : -1 - set;
            view->factors[view->count] = side == 0 ? -end->weights[i] : end->weights[i];
            view->weights[view->count++] = weight;
        }
    }
}

static void add_body(sn_link_view *view, sn_link_body body)
{
    body.factor = body.side == 0 ? -body.factor : body.factor;
    body.action = body.arm;
    view->bodies[view->body_count++] = body;
}

void sn_link_view_bodies(const sn_exact_stage *stage, sn_link_view *view)
{
    view->body_count = 0;
    for (int side = 0; side < 2; ++side) {
        const sn_solver_end *end = &view->link->ends[side];
        if (sn_link_end_has_body(stage, end)) {
            sn_vec3 arm = sn_rotate(stage->solver->bodies[end->body].rotation, end->local);
            add_body(view, (sn_link_body){end->body, -1, side, 1.0f, .arm = arm});
        }
        for (int i = 0; i < end->node_count; ++i) {
            int node = end->nodes[i], body = sn_link_parent(stage, node);
            if (body > 0 && end->weights[i] != 0.0f) {
                sn_vec3 arm = sn_sub(sn_link_nodes(stage)[node].position, stage->solver->bodies[body].center);
                add_body(view, (sn_link_body){body, node, side, end->weights[i], .arm = arm});
            }
        }
    }
}

sn_link_equations sn_link_equations_of(const sn_exact_stage *stage, const int *links, int count,
                                       sn_link_few *few)
{
    sn_link_equations equations = {.stage = stage, .links = links, .link_count = count};
    if (count <= SN_LINKS_AT_ONCE) {
        equations.views = few->views;
        equations.rows = few->rows;
        equations.errors = few->errors;
        equations.impulses = few->impulses;
        equations.matrix = &few->matrix;
        return equations;
    }
    const sn_link_many *many = stage->link_work->many;
    ptrdiff_t first = links - stage->link_work->order;
    equations.is_large = true;
    equations.views = many->views + first;
    equations.rows = many->rows + 3 * first;
    equations.errors = many->errors + first;
    equations.impulses = many->impulses + first;
    equations.scales = many->vectors + 3 * SN_LINK_VECTORS * first;
    equations.unknowns = equations.scales + (ptrdiff_t)3 * count;
    return equations;
}

void sn_link_view_all(sn_link_equations *equations, float share)
{
    const sn_exact_stage *stage = equations->stage;
    equations->count = 0;
    for (int i = 0; i < equations->link_count; ++i) {
        int number = equations->links[i];
        float own = stage->link_work->shares[number];
        if (own > 0.0f && own >= share) {
            sn_link_view *view = &equations->views[equations->count++];
            *view = (sn_link_view){.link = &stage->links[number],
                                   .state = &stage->link_work->states[number],
                                   .number = number,
                                   .share = own};
            view_nodes(stage, view, 0);
            view_nodes(stage, view, 1);
            sn_link_view_bodies(stage, view);
        }
    }
}

// --- equations ---------------------------------------------------------------------------------------------

// a × b, which has no rounding: products of floats fit.
static sn_vec3d cross(sn_vec3 a, sn_vec3 b)
{
    return (sn_vec3d){(double)a.y * (double)b.z - (double)a.z * (double)b.y,
                      (double)a.z * (double)b.x - (double)a.x * (double)b.z,
                      (double)a.x * (double)b.y - (double)a.y * (double)b.x};
}

static sn_vec3d turn_by(const sn_solver_inertia *inverse, sn_vec3d v)
{
    const float *d = inverse->diagonal, *o = inverse->off_diagonal; // xx yy zz, xy xz yz
    return (sn_vec3d){(double)d[0] * v.x + (double)o[0] * v.y + (double)o[1] * v.z,
                      (double)o[0] * v.x + (double)d[1] * v.y + (double)o[2] * v.z,
                      (double)o[1] * v.x + (double)o[2] * v.y + (double)d[2] * v.z};
}

// Σ w a_i a_j over the nodes and sets that both move.
static double node_response(const sn_link_view *a, const sn_link_view *b)
{
    double sum = 0.0;
    for (int i = 0; i < a->count; ++i) {
        for (int k = 0; k < b->count; ++k) {
            if (a->units[i] == b->units[k]) {
                sum += (double)a->weights[i] * ((double)a->factors[i] * (double)b->factors[k]);
            }
        }
    }
    return sum;
}

// The same over bodies, of impulses along v where they act, along u at the point held.
static double body_response(const sn_solver *solver, const sn_link_view *a, sn_vec3 u, const sn_link_view *b,
                            sn_vec3 v)
{
    double sum = 0.0;
    for (int i = 0; i < a->body_count; ++i) {
        for (int k = 0; k < b->body_count; ++k) {
            const sn_link_body *one = &a->bodies[i], *other = &b->bodies[k];
            if (one->body == other->body) {
                sn_vec3 w = solver->bodies[one->body].inverse_mass;
                double moved = (double)u.x * (double)w.x * (double)v.x +
                               (double)u.y * (double)w.y * (double)v.y +
                               (double)u.z * (double)w.z * (double)v.z;
                sn_vec3d spin = turn_by(&solver->inertias[one->body], cross(other->action, v));
                double both = moved + sn_dot_wide(cross(one->arm, u), spin);
                sum += (double)one->factor * (double)other->factor * both;
            }
        }
    }
    return sum;
}

static double response_of(const sn_solver *solver, double nodes, const sn_link_view *a, sn_vec3 u,
                          const sn_link_view *b, sn_vec3 v)
{
    double along = (double)u.x * (double)v.x + (double)u.y * (double)v.y + (double)u.z * (double)v.z;
    return nodes * along + body_response(solver, a, u, b, v);
}

float sn_link_view_response(const sn_exact_stage *stage, const sn_link_view *view, sn_vec3 direction)
{
    double nodes = node_response(view, view);
    return (float)response_of(stage->solver, nodes, view, direction, view, direction);
}

void sn_link_clear_rows(sn_link_equations *equations)
{
    equations->row_count = 0;
    equations->is_plain = true;
}

void sn_link_add_rows(sn_link_equations *equations, sn_link_view *view, const sn_vec3 *rows, int count)
{
    view->first_row = equations->row_count;
    view->row_count = count;
    equations->is_plain = false;
    for (int i = 0; i < count; ++i) {
        equations->rows[equations->row_count++] = rows[i];
    }
}

void sn_link_add_axes(sn_link_equations *equations, sn_link_view *view)
{
    static const sn_vec3 axes[3] = {{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}};
    bool is_plain = equations->is_plain && view->body_count == 0;
    sn_link_add_rows(equations, view, axes, 3);
    equations->is_plain = is_plain;
}

static void fill_block(sn_link_equations *equations, const sn_link_view *a, const sn_link_view *b)
{
    double nodes = node_response(a, b);
    for (int i = a->first_row; i < a->first_row + a->row_count; ++i) {
        for (int k = b->first_row; k < b->first_row + b->row_count; ++k) {
            equations->matrix->m[i][k] =
                response_of(equations->stage->solver, nodes, a, equations->rows[i], b, equations->rows[k]);
        }
    }
}

void sn_link_factor(sn_link_equations *equations)
{
    if (equations->is_large) {
        sn_link_many_factor(equations);
        return;
    }
    equations->matrix->count = equations->is_plain ? equations->count : equations->row_count;
    for (int i = 0; i < equations->count; ++i) {
        for (int k = 0; k < equations->count; ++k) {
            if (equations->is_plain) {
                equations->matrix->m[i][k] = node_response(&equations->views[i], &equations->views[k]);
            } else {
                fill_block(equations, &equations->views[i], &equations->views[k]);
            }
        }
    }
    sn_wide_factor(equations->matrix);
}

// Axis by axis.
static void solve_plain(const sn_link_equations *equations)
{
    const sn_vec3 *errors = equations->errors;
    double x[SN_WIDE_ROWS], y[SN_WIDE_ROWS], z[SN_WIDE_ROWS];
    for (int i = 0; i < equations->count; ++i) {
        x[i] = (double)-errors[i].x;
        y[i] = (double)-errors[i].y;
        z[i] = (double)-errors[i].z;
    }
    sn_wide_solve(equations->matrix, x);
    sn_wide_solve(equations->matrix, y);
    sn_wide_solve(equations->matrix, z);
    for (int i = 0; i < equations->count; ++i) {
        equations->impulses[i] = sn_v((float)x[i], (float)y[i], (float)z[i]);
    }
}

static void solve_rows(const sn_link_equations *equations)
{
    double x[SN_WIDE_ROWS];
    for (int i = 0; i < equations->count; ++i) {
        const sn_link_view *view = &equations->views[i];
        for (int k = view->first_row; k < view->first_row + view->row_count; ++k) {
            x[k] = (double)-sn_dot(equations->rows[k], equations->errors[i]);
        }
    }
    sn_wide_solve(equations->matrix, x);
    for (int i = 0; i < equations->count; ++i) {
        const sn_link_view *view = &equations->views[i];
        sn_vec3 *impulse = &equations->impulses[i];
        *impulse = sn_v(0.0f, 0.0f, 0.0f);
        for (int k = view->first_row; k < view->first_row + view->row_count; ++k) {
            *impulse = sn_add_scaled(*impulse, (float)x[k], equations->rows[k]);
        }
    }
}

void sn_link_solve(const sn_link_equations *equations)
{
    if (equations->is_large) {
        sn_link_many_solve(equations);
    } else if (equations->is_plain) {
        solve_plain(equations);
    } else {
        solve_rows(equations);
    }
}
