// Tables of stages: what is not needed is left out, the rest runs in order and its time is counted.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "solver/stages.h"

static char calls[32];
static int call_count;

static void note(char call)
{
    calls[call_count++] = call;
    calls[call_count] = '\0';
}

static void first(sn_run *run)
{
    (void)run;
    note('1');
}

static void second(sn_run *run)
{
    (void)run;
    note('2');
}

static void slow(sn_run *run)
{
    (void)run;
    for (double start = sn_clock(); sn_clock() - start < 0.01;) {
    }
}

static void test_stages_that_are_not_needed_are_not_in_the_table(void **state)
{
    (void)state;
    sn_schedule table = {0};
    sn_schedule_add(&table, true, first, 0);
    sn_schedule_add(&table, false, second, 0);
    assert_int_equal(table.count, 1);
}

static void test_stages_run_in_order_some_in_one_sub_step_alone(void **state)
{
    (void)state;
    sn_solver solver = {0};
    sn_run run = {.solver = &solver};
    sn_schedule table = {0};
    sn_schedule_add_once(&table, true, second, 0, 2);
    sn_schedule_add(&table, true, first, 0);
    call_count = 0;
    for (run.sub_step = 0; run.sub_step < 4; ++run.sub_step) {
        sn_schedule_run(&table, &run, NULL);
    }
    assert_string_equal(calls, "11211");
}

static void test_time_counts_to_the_stage_that_took_it(void **state)
{
    (void)state;
    sn_solver solver = {0};
    sn_run run = {.solver = &solver};
    sn_schedule table = {0};
    sn_schedule_add(&table, true, first, offsetof(sn_solver_times, prepare));
    sn_schedule_add(&table, true, slow, offsetof(sn_solver_times, solve));
    sn_schedule_add(&table, true, first, offsetof(sn_solver_times, relax));
    call_count = 0;
    double mark = sn_clock();
    sn_schedule_run(&table, &run, &mark);
    assert_true(solver.times.solve >= 0.01);
    assert_true(solver.times.models == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stages_that_are_not_needed_are_not_in_the_table),
        cmocka_unit_test(test_stages_run_in_order_some_in_one_sub_step_alone),
        cmocka_unit_test(test_time_counts_to_the_stage_that_took_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
