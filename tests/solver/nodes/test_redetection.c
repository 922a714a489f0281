// Contacts are detected again half way through a step, once, before the forces of a sub-step.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "solver/stages.h"
#include "support/solver_rig.h"

enum { MOST_CALLS = 64 };

static const float sub_step = 0.25f;
static char calls[MOST_CALLS];
static int call_count;
static float time_left;

static void note(char call)
{
    calls[call_count++] = call;
    calls[call_count] = '\0';
}

static void measure(void *data, const sn_element_pass *pass)
{
    (void)data;
    (void)pass;
    note('.');
}

static void do_nothing(void *data, const sn_element_pass *pass)
{
    (void)data;
    (void)pass;
}

static void sweep(void *data, const sn_element_pass *pass, bool use_bias)
{
    (void)use_bias;
    do_nothing(data, pass);
}

static void store(void *data)
{
    (void)data;
}

static void detect_again(void *context, sn_solver *solver, const sn_element_pass *pass, float duration)
{
    (void)context;
    (void)solver;
    (void)pass;
    note('d');
    time_left = duration;
}

// A step without anything but a mixed stage that tells when it measures, which is before forces.
static void run(int sub_steps, bool detects)
{
    solver_rig rig;
    sn_nodes nodes = {0};
    solver_rig_make(&rig, 0, 0, 0, 0, sub_step * (float)sub_steps);
    rig.solver.settings.sub_steps = sub_steps;
    rig.solver.tasks = sn_tasks_create(1, NULL);
    rig.solver.nodes = (sn_node_solver){.nodes = &nodes,
                                        .coupling = {{.measure = measure,
                                                      .warm_start = do_nothing,
                                                      .sweep = sweep,
                                                      .refresh = do_nothing,
                                                      .store = store}},
                                        .coupling_count = 1,
                                        .redetection = {.function = detects ? detect_again : NULL},
                                        .tasks = rig.solver.tasks,
                                        .arena = &rig.arena};
    call_count = 0;
    calls[0] = '\0';
    sn_run run;
    assert_true(sn_solver_begin(&rig.solver, &run));
    sn_solver_finish(&run);
    sn_tasks_destroy(rig.solver.tasks);
    solver_rig_free(&rig);
}

static void test_contacts_are_detected_again_once_half_way(void **state)
{
    (void)state;
    run(6, true);
    assert_string_equal(calls, "...d...");
    assert_float_equal(time_left, 3.0f * sub_step, 0.0);
}

static void test_the_longer_half_of_an_odd_step_is_the_second(void **state)
{
    (void)state;
    run(5, true);
    assert_string_equal(calls, "..d...");
    assert_float_equal(time_left, 3.0f * sub_step, 0.0);
}

static void test_a_step_of_one_is_not_cut(void **state)
{
    (void)state;
    run(1, true);
    assert_string_equal(calls, ".");
}

static void test_nothing_is_detected_again_unless_asked_for(void **state)
{
    (void)state;
    run(6, false);
    assert_string_equal(calls, "......");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contacts_are_detected_again_once_half_way),
        cmocka_unit_test(test_the_longer_half_of_an_odd_step_is_the_second),
        cmocka_unit_test(test_a_step_of_one_is_not_cut),
        cmocka_unit_test(test_nothing_is_detected_again_unless_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
