#include "solver/assemble.h"

#include "math/dense.h"

// Rotations beyond this in one correction are cut: the rows are linear only nearby. [rad]
static const float largest_turn = 0.5f;

typedef struct projection {
    sn_body *body[2];
    sn_response response[2];
} projection;

static bool is_violated(const sn_row *row)
{
    return row->compliance == 0.0f &&
           (row->type == SN_ROW_EQUAL || (row->type == SN_ROW_ABOVE && row->value < 0.0f));
}

static float coupling(const projection *p, const sn_row *u, const sn_row *v)
{
    float sum = 0.0f;
    for (int k = 0; k < 2; ++k) {
        sum += sn_dot(u->linear[k], sn_mul(p->response[k].inverse_mass, v->linear[k])) +
               sn_dot(u->angular[k], sn_sym3_apply(p->response[k].inverse_inertia, v->angular[k]));
    }
    return sum;
}

static void move(const projection *p, int k, sn_vec3 linear, sn_vec3 angular)
{
    if (!sn_body_is_dynamic(p->body[k])) {
        return;
    }
    sn_vec3 turn = sn_sym3_apply(p->response[k].inverse_inertia, angular);
    float size = sn_length(turn);
    turn = size > largest_turn ? sn_scale(turn, largest_turn / size) : turn;
    p->body[k]->center = sn_add(p->body[k]->center, sn_mul(p->response[k].inverse_mass, linear));
    p->body[k]->rotation =
        sn_quat_normalize(sn_quat_multiply(sn_quat_exponential(turn), p->body[k]->rotation));
}

// The multipliers that meet the active rows.
static void solve(const projection *p, const sn_row *const *active, int count, float *multiplier)
{
    float factor[SN_MAX_ROWS * (SN_MAX_ROWS + 1) / 2];
    for (int i = 0; i < count; ++i) {
        multiplier[i] = -active[i]->value;
        for (int j = 0; j <= i; ++j) {
            factor[sn_packed(i, j)] = coupling(p, active[i], active[j]);
        }
        // A trace of compliance keeps redundant rows from fighting.
        factor[sn_packed(i, i)] *= 1.0f + 1.0e-5f;
    }
    sn_ldl_factor(factor, count);
    sn_ldl_solve(factor, count, multiplier);
}

// The one-sided row that pulls hardest, −1 if none does.
static int find_puller(const sn_row *const *active, int count, const float *multiplier)
{
    int puller = -1;
    float hardest = 0.0f;
    for (int i = 0; i < count; ++i) {
        if (active[i]->type == SN_ROW_ABOVE && multiplier[i] < hardest) {
            hardest = multiplier[i];
            puller = i;
        }
    }
    return puller;
}

void sn_project_rows(sn_body *a, sn_body *b, const sn_row *rows, int count)
{
    projection p = {{a, b}, {sn_body_response(a), sn_body_response(b)}};
    const sn_row *active[SN_MAX_ROWS];
    float multiplier[SN_MAX_ROWS];
    int n = 0;
    for (int i = 0; i < count; ++i) {
        if (is_violated(&rows[i])) {
            active[n++] = &rows[i];
        }
    }
    solve(&p, active, n, multiplier);
    for (int puller; (puller = find_puller(active, n, multiplier)) >= 0;) {
        active[puller] = active[--n];
        solve(&p, active, n, multiplier);
    }
    for (int k = 0; k < 2; ++k) {
        sn_vec3 linear = {0.0f, 0.0f, 0.0f}, angular = {0.0f, 0.0f, 0.0f};
        for (int i = 0; i < n; ++i) {
            linear = sn_add_scaled(linear, multiplier[i], active[i]->linear[k]);
            angular = sn_add_scaled(angular, multiplier[i], active[i]->angular[k]);
        }
        move(&p, k, linear, angular);
    }
}
