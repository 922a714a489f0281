// Mixed rows that are made anew half way through a step: once, stored before and prepared after.
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
static bool has_memory;
static float time_left;

static void note(char call)
{
    calls[call_count++] = call;
    calls[call_count] = '\0';
}

static void store(void *data)
{
    (void)data;
    note('s');
}
static bool prepare(void *data, sn_solver *solver, const sn_element_pass *pass)
{
    (void)data;
    (void)solver;
    (void)pass;
    note('p');
    return true;
}
static void refresh(void *data, const sn_element_pass *pass)
{
    (void)data;
    (void)pass;
    note('r');
}
static void measure(void *data, const sn_element_pass *pass)
{
    (void)data;
    (void)pass;
    note('.');
}
static bool find_again(void *context, float duration)
{
    (void)context;
    note('f');
    time_left = duration;
    return has_memory;
}

static void run(int sub_steps, bool renews, bool memory)
{
    sn_nodes nodes = {0};
    sn_node_solver solver = {
        .nodes = &nodes,
        .mixed = {{.store = store, .prepare = prepare, .refresh = refresh, .measure = measure}},
        .mixed_count = 1,
        .renewal = {.stage = 0, .function = renews ? find_again : NULL},
        .pass = {.h = sub_step, .inverse_h = 1.0f / sub_step},
        .sub_step_count = sub_steps};
    call_count = 0;
    calls[0] = '\0';
    has_memory = memory;
    for (int i = 0; i < sub_steps; ++i) {
        sn_nodes_apply_forces(&solver);
    }
}

static void test_rows_are_made_anew_once_half_way(void **state)
{
    (void)state;
    run(6, true, true);
    assert_string_equal(calls, "...sfpr...");
    assert_float_equal(time_left, 3.0f * sub_step, 0.0);
}

static void test_the_longer_half_of_an_odd_step_is_the_second(void **state)
{
    (void)state;
    run(5, true, true);
    assert_string_equal(calls, "..sfpr...");
    assert_float_equal(time_left, 3.0f * sub_step, 0.0);
}

static void test_a_step_of_one_is_not_cut(void **state)
{
    (void)state;
    run(1, true, true);
    assert_string_equal(calls, ".");
}

static void test_nothing_is_made_anew_unless_asked_for(void **state)
{
    (void)state;
    run(6, false, true);
    assert_string_equal(calls, "......");
}

static void test_without_memory_rows_stay_as_they_are(void **state)
{
    (void)state;
    run(6, true, false);
    assert_string_equal(calls, "...sf...");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_made_anew_once_half_way),
        cmocka_unit_test(test_the_longer_half_of_an_odd_step_is_the_second),
        cmocka_unit_test(test_a_step_of_one_is_not_cut),
        cmocka_unit_test(test_nothing_is_made_anew_unless_asked_for),
        cmocka_unit_test(test_without_memory_rows_stay_as_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
