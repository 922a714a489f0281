// Contacts are detected again half way through a step, once, between the forces of two sub-steps.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "solver/node_solver.h"
#include "solver/solver.h"

#include <string.h>

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
static void detect_again(void *context, sn_solver *solver, const sn_element_pass *pass, float duration)
{
    (void)context;
    (void)solver;
    (void)pass;
    note('d');
    time_left = duration;
}

static void run(int sub_steps, bool detects)
{
    sn_nodes nodes = {0};
    sn_node_solver solver = {.nodes = &nodes,
                             .mixed = {{.measure = measure}},
                             .mixed_count = 1,
                             .redetection = {.function = detects ? detect_again : NULL},
                             .pass = {.h = sub_step, .inverse_h = 1.0f / sub_step},
                             .sub_step_count = sub_steps};
    call_count = 0;
    calls[0] = '\0';
    for (int i = 0; i < sub_steps; ++i) {
        sn_nodes_apply_forces(&solver);
    }
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
