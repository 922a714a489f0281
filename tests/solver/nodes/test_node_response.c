// Rows on the nodes of a model that answers pushes: a chain of masses and springs by implicit Euler, whose
// (M + cK)⁻¹ is known exactly, stopped at some of its nodes. Methods B.2 has the same chain: at h² k/m = 8
// free nodes take a third of the impulse they should.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "solver/nodes/node_felt.h"
#include "solver/nodes/node_response.h"

#include <math.h>

enum { NODES = 12, FIRST = 2, ALL = FIRST + NODES + 1 };

typedef struct chain {
    double stiffness; // c k [kg]
    double inverse[NODES][NODES];
    int applied, answered;
} chain;

// What stops some nodes along y.
typedef struct stopper {
    bool stops[ALL];
    double impulses[ALL];
} stopper;

typedef struct rig {
    sn_nodes nodes;
    sn_arena arena;
    chain model;
    sn_model_stage stage;
    stopper stop;
    sn_node_solver solver;
} rig;

// --- the chain -------------------------------------------------------------------------------------------

static double mass_of(int i)
{
    return i % 3 == 0 ? 0.02 : 0.01;
}

// (M + cK)⁻¹ by Gauss and Jordan.
static void invert_chain(chain *c)
{
    double a[NODES][2 * NODES] = {{0.0}};
    for (int i = 0; i < NODES; ++i) {
        a[i][i] += mass_of(i);
        a[i][NODES + i] = 1.0;
        if (i + 1 < NODES) {
            a[i][i] += c->stiffness;
            a[i + 1][i + 1] += c->stiffness;
            a[i][i + 1] -= c->stiffness;
            a[i + 1][i] -= c->stiffness;
        }
    }
    for (int p = 0; p < NODES; ++p) {
        for (int k = 2 * NODES - 1; k >= p; --k) {
            a[p][k] /= a[p][p];
        }
        for (int r = 0; r < NODES; ++r) {
            double factor = a[r][p];
            for (int k = p; k < 2 * NODES && r != p; ++k) {
                a[r][k] -= factor * a[p][k];
            }
        }
    }
    for (int i = 0; i < NODES; ++i) {
        for (int k = 0; k < NODES; ++k) {
            c->inverse[i][k] = a[i][NODES + k];
        }
    }
}

static void apply(void *model, const sn_element_pass *pass, sn_tasks *tasks)
{
    (void)pass, (void)tasks;
    ++((chain *)model)->applied;
}

static void give(void *model, const sn_element_pass *pass, const uint8_t *touched, float *parts,
                 sn_tasks *tasks)
{
    (void)pass, (void)tasks;
    const chain *c = model;
    for (int i = 0; i < NODES; ++i) {
        double sum = 0.0;
        for (int k = 0; k < NODES; ++k) {
            sum += touched[k] ? c->inverse[i][k] * mass_of(k) : 0.0;
        }
        parts[i] = (float)sum;
    }
}

static void respond(void *model, const sn_element_pass *pass, sn_vec3 *impulses, sn_tasks *tasks)
{
    (void)pass, (void)tasks;
    chain *c = model;
    double pushes[NODES];
    ++c->answered;
    for (int i = 0; i < NODES; ++i) {
        pushes[i] = (double)impulses[i].y;
    }
    for (int i = 0; i < NODES; ++i) {
        double sum = 0.0;
        for (int k = 0; k < NODES; ++k) {
            sum += c->inverse[i][k] * pushes[k];
        }
        impulses[i] = sn_v(0.0f, (float)sum, 0.0f);
    }
}

// --- the rows --------------------------------------------------------------------------------------------

static void touch(const void *data, uint8_t *touched)
{
    const stopper *s = data;
    for (int i = 0; i < ALL; ++i) {
        touched[i] = s->stops[i];
    }
}

static void warm_start(void *data, const sn_element_pass *pass)
{
    (void)data, (void)pass;
}

static void sweep(void *data, const sn_element_pass *pass, bool use_bias)
{
    (void)use_bias;
    stopper *s = data;
    for (int i = 0; i < ALL; ++i) {
        float *speed = &pass->velocities[i].velocity.y, w = pass->felt[i].inverse_mass;
        if (s->stops[i] && w > 0.0f) {
            s->impulses[i] -= (double)(*speed / w);
            *speed = 0.0f;
        }
    }
}

static void refresh(void *data, const sn_element_pass *pass)
{
    (void)data, (void)pass;
}

static void make_rig(rig *r, double stiffness)
{
    *r = (rig){.model = {.stiffness = stiffness}};
    int first = sn_nodes_take(&r->nodes, ALL - 1);
    assert_int_equal(first, 1);
    for (int i = FIRST; i < FIRST + NODES; ++i) {
        r->nodes.states.data[i].inverse_mass = (float)(1.0 / mass_of(i - FIRST));
        r->nodes.velocities.data[i].velocity = sn_v(0.0f, -1.0f, 0.0f);
    }
    invert_chain(&r->model);
    r->stage = (sn_model_stage){.apply = apply,
                                .estimate_response = give,
                                .respond = respond,
                                .model = &r->model,
                                .first_node = FIRST,
                                .node_count = NODES};
    r->solver = (sn_node_solver){.nodes = &r->nodes,
                                 .models = &r->stage,
                                 .model_count = 1,
                                 .coupling = {{.data = &r->stop,
                                               .touch = touch,
                                               .warm_start = warm_start,
                                               .sweep = sweep,
                                               .refresh = refresh}},
                                 .coupling_count = 1,
                                 .arena = &r->arena};
    r->solver.pass = (sn_element_pass){
        .nodes = r->nodes.states.data, .felt = r->nodes.states.data, .velocities = r->nodes.velocities.data};
}

static void free_rig(rig *r)
{
    sn_nodes_release(&r->nodes);
    sn_arena_release(&r->arena);
}

static double total_impulse(const rig *r)
{
    double sum = 0.0;
    for (int i = 0; i < ALL; ++i) {
        sum += r->stop.impulses[i];
    }
    return sum;
}

static double momentum(const rig *r)
{
    double sum = 0.0;
    for (int i = 0; i < NODES; ++i) {
        sum += mass_of(i) * (double)r->nodes.velocities.data[FIRST + i].velocity.y;
    }
    return sum;
}

static void sweep_rows(rig *r)
{
    sn_responses_open(&r->solver);
    sn_nodes_sweep_coupling(&r->solver, true);
    sn_nodes_sweep_elements(&r->solver, true);
    sn_responses_take(&r->solver);
    sn_responses_answer(&r->solver);
}

// --- tests -----------------------------------------------------------------------------------------------

static void test_one_sweep_finds_the_impulse_that_stops_a_node_of_a_stiff_chain(void **state)
{
    (void)state;
    for (int k = 0; k < 3; ++k) {
        rig r;
        make_rig(&r, 0.08 * pow(10.0, k)); // h² k/m of 8, 80, 800
        r.stop.stops[FIRST] = true;
        double exact = 1.0 / r.model.inverse[0][0], before = momentum(&r);
        assert_true(exact > 2.9 * mass_of(0) / 2.0);
        assert_true(sn_responses_begin(&r.solver));
        sweep_rows(&r);
        assert_float_equal(total_impulse(&r), exact, 1.0e-5 * exact);
        assert_float_equal((double)r.nodes.velocities.data[FIRST].velocity.y, 0.0, 1.0e-5);
        assert_float_equal(momentum(&r) - before, total_impulse(&r), 1.0e-6);
        free_rig(&r);
    }
}

static void test_several_nodes_share_the_body_and_never_push_too_much(void **state)
{
    (void)state;
    rig r;
    make_rig(&r, 0.08);
    r.stop.stops[FIRST] = r.stop.stops[FIRST + 1] = r.stop.stops[FIRST + NODES - 1] = true;
    double before = momentum(&r), last = 0.0;
    assert_true(sn_responses_begin(&r.solver));
    for (int i = 0; i < 60; ++i) {
        sweep_rows(&r);
        assert_true(total_impulse(&r) >= last - 1.0e-6);
        last = total_impulse(&r);
        assert_float_equal(momentum(&r) - before, last, 1.0e-6);
    }
    for (int i = 0; i < ALL; ++i) {
        assert_true(!r.stop.stops[i] || fabsf(r.nodes.velocities.data[i].velocity.y) < 1.0e-3f);
    }
    free_rig(&r);
}

static void test_rows_feel_what_touched_nodes_hold_and_states_keep_their_masses(void **state)
{
    (void)state;
    rig r;
    make_rig(&r, 0.8);
    r.stop.stops[FIRST + 3] = true;
    assert_true(sn_responses_begin(&r.solver));
    assert_true(r.solver.pass.felt[FIRST + 3].inverse_mass < 40.0f);
    assert_true(r.solver.pass.felt[FIRST + 4].inverse_mass == 100.0f);
    assert_true(r.nodes.states.data[FIRST + 3].inverse_mass == 50.0f);
    sn_responses_open(&r.solver);
    sn_responses_take(&r.solver);
    sn_responses_answer(&r.solver);
    assert_int_equal(r.model.answered, 0); // nothing was pushed
    free_rig(&r);
}

// What it weighs is up to what holds it exactly.
static void test_nodes_whose_mass_is_told_already_are_not_touched(void **state)
{
    (void)state;
    rig r;
    make_rig(&r, 0.8);
    r.stop.stops[FIRST + 3] = r.stop.stops[FIRST + 5] = true;
    assert_true(sn_felt_set(&r.solver, FIRST + 3, 7.0f));
    assert_true(sn_responses_begin(&r.solver));
    assert_true(r.solver.pass.felt[FIRST + 3].inverse_mass == 7.0f);
    assert_true(r.solver.pass.felt[FIRST + 5].inverse_mass < 90.0f);
    assert_int_equal(r.solver.responses->items[0].count, 1);
    free_rig(&r);
}

static void test_models_run_once_after_the_warm_start_if_they_are_touched(void **state)
{
    (void)state;
    rig r;
    make_rig(&r, 0.8);
    assert_true(sn_responses_begin(&r.solver));
    assert_null(r.solver.responses);
    sn_nodes_apply_models(&r.solver);
    assert_int_equal(r.model.applied, 1);
    r.stop.stops[FIRST] = true;
    assert_true(sn_responses_begin(&r.solver));
    sn_nodes_apply_models(&r.solver);
    assert_int_equal(r.model.applied, 1);
    sn_responses_open(&r.solver);
    sn_nodes_warm_start(&r.solver);
    sn_responses_take(&r.solver);
    sn_responses_start(&r.solver);
    assert_int_equal(r.model.applied, 2);
    free_rig(&r);
}

static void test_fixed_nodes_are_not_touched(void **state)
{
    (void)state;
    rig r;
    make_rig(&r, 0.8);
    r.nodes.states.data[FIRST].inverse_mass = 0.0f;
    r.stop.stops[FIRST] = true;
    assert_true(sn_responses_begin(&r.solver));
    assert_null(r.solver.responses);
    free_rig(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_sweep_finds_the_impulse_that_stops_a_node_of_a_stiff_chain),
        cmocka_unit_test(test_several_nodes_share_the_body_and_never_push_too_much),
        cmocka_unit_test(test_rows_feel_what_touched_nodes_hold_and_states_keep_their_masses),
        cmocka_unit_test(test_nodes_whose_mass_is_told_already_are_not_touched),
        cmocka_unit_test(test_models_run_once_after_the_warm_start_if_they_are_touched),
        cmocka_unit_test(test_fixed_nodes_are_not_touched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
