// Parallel loops: every item exactly once, on any number of threads, with what one loop wrote visible to the
// next. Run under ThreadSanitizer this is also the test of the pool's memory ordering.
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/tasks.h"
#include "support/memory.h"
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

enum { MOST_ITEMS = 10000 };

static void sleep_milliseconds(int milliseconds)
{
    struct timespec duration = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    nanosleep(&duration, NULL);
}

// --- every item once ---------------------------------------------------------------------------------------

typedef struct visit_record {
    unsigned char visits[MOST_ITEMS]; // not atomic: two threads on one item would be a race
    atomic_int calls, smallest_range;
} visit_record;

static visit_record record;

static void visit(void *context, int begin, int end)
{
    visit_record *visited = context;
    for (int i = begin; i < end; ++i) {
        ++visited->visits[i];
    }
    atomic_fetch_add(&visited->calls, 1);
    int size = end - begin;
    int smallest = atomic_load(&visited->smallest_range);
    while (size < smallest && !atomic_compare_exchange_weak(&visited->smallest_range, &smallest, size)) {
    }
}

static void expect_each_item_once(sn_tasks *tasks, int count, int grain)
{
    memset(record.visits, 0, sizeof record.visits);
    atomic_store(&record.calls, 0);
    atomic_store(&record.smallest_range, INT_MAX);
    sn_tasks_for(tasks, count, grain, visit, &record);
    for (int i = 0; i < MOST_ITEMS; ++i) {
        assert_int_equal(record.visits[i], i < count);
    }
    assert_true(count <= 0 || record.smallest_range >= (grain < count ? grain : count));
    assert_true(count > grain || record.calls == (count > 0));
}

static void test_every_item_runs_exactly_once(void **state)
{
    (void)state;
    const int threads[] = {1, 2, 3, 4, 9};
    const int counts[] = {INT_MIN, -1, 0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 100, 1000, 4099, MOST_ITEMS};
    const int grains[] = {INT_MIN, -1, 0, 1, 2, 3, 8, 64, 1000, 5000, INT_MAX};
    for (size_t t = 0; t < sizeof threads / sizeof *threads; ++t) {
        sn_tasks *tasks = sn_tasks_create(threads[t], NULL);
        assert_non_null(tasks);
        for (size_t c = 0; c < sizeof counts / sizeof *counts; ++c) {
            for (size_t g = 0; g < sizeof grains / sizeof *grains; ++g) {
                expect_each_item_once(tasks, counts[c], grains[g]);
            }
        }
        sn_tasks_destroy(tasks);
    }
}

static void count_items(void *context, int begin, int end)
{
    atomic_fetch_add((atomic_llong *)context, (long long)end - begin);
}

static void test_the_largest_count_does_not_overflow(void **state)
{
    (void)state;
    sn_tasks *tasks = sn_tasks_create(4, NULL);
    atomic_llong items = 0;
    sn_tasks_for(tasks, INT_MAX, 1, count_items, &items);
    assert_true(items == INT_MAX);
    sn_tasks_destroy(tasks);
}

// --- the same threads, again and again ---------------------------------------------------------------------

typedef struct ladder {
    int values[8];
    int loop;
} ladder;

// Each loop reads what the one before wrote, in another item's place.
static void climb(void *context, int begin, int end)
{
    ladder *steps = context;
    for (int i = begin; i < end; ++i) {
        steps->values[i] += steps->loop + 1;
    }
}

static void test_twenty_thousand_small_loops_follow_each_other(void **state)
{
    (void)state;
    const int threads[] = {2, 4};
    for (int t = 0; t < 2; ++t) {
        sn_tasks *tasks = sn_tasks_create(threads[t], NULL);
        ladder steps = {0};
        int expected = 0;
        for (int loop = 0; loop < 20000; ++loop) {
            steps.loop = loop % 100;
            expected += steps.loop + 1;
            sn_tasks_for(tasks, 2 + loop % 7, 1, climb, &steps);
            // The last items are not part of every loop: the caller does them, and the next loop must see it.
            for (int i = 2 + loop % 7; i < 8; ++i) {
                steps.values[i] += steps.loop + 1;
            }
        }
        for (int i = 0; i < 8; ++i) {
            assert_int_equal(steps.values[i], expected);
        }
        sn_tasks_destroy(tasks);
    }
}

// --- threads really work together --------------------------------------------------------------------------

typedef struct meeting {
    atomic_int present;
    int expected;
    atomic_bool missed;
    pthread_t caller;
    int dawdle_milliseconds; // how long all but the caller stay on
} meeting;

// Each item waits until all items are running: only that many threads can get through.
static void meet(void *context, int begin, int end)
{
    meeting *room = context;
    if (end - begin != 1) {
        atomic_store(&room->missed, true);
        return;
    }
    atomic_fetch_add(&room->present, 1);
    for (int waited = 0; atomic_load(&room->present) < room->expected; ++waited) {
        sleep_milliseconds(1);
        if (waited > 20000) {
            atomic_store(&room->missed, true);
            return;
        }
    }
    if (!pthread_equal(pthread_self(), room->caller)) {
        sleep_milliseconds(room->dawdle_milliseconds);
    }
}

static void expect_meeting(sn_tasks *tasks, int threads, int dawdle_milliseconds)
{
    meeting room = {
        .expected = threads, .caller = pthread_self(), .dawdle_milliseconds = dawdle_milliseconds};
    sn_tasks_for(tasks, threads, 1, meet, &room);
    assert_false(room.missed);
    assert_int_equal(room.present, threads);
}

static void test_all_threads_run_at_once(void **state)
{
    (void)state;
    for (int threads = 2; threads <= 5; ++threads) {
        sn_tasks *tasks = sn_tasks_create(threads, NULL);
        assert_int_equal(sn_tasks_threads(tasks), threads);
        expect_meeting(tasks, threads, 0);
        sn_tasks_destroy(tasks);
    }
}

static void test_sleeping_workers_wake_and_a_sleeping_caller_too(void **state)
{
    (void)state;
    sn_tasks *tasks = sn_tasks_create(3, NULL);
    for (int round = 0; round < 10; ++round) {
        sleep_milliseconds(2); // far longer than workers spin
        expect_meeting(tasks, 3, 3);
    }
    sn_tasks_destroy(tasks);
}

static void test_idle_workers_cost_no_processor_time(void **state)
{
    (void)state;
    sn_tasks *tasks = sn_tasks_create(4, NULL);
    expect_meeting(tasks, 4, 0);
    sleep_milliseconds(20);
    struct timespec before, after;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
    sleep_milliseconds(100);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
    double used =
        (double)(after.tv_sec - before.tv_sec) * 1.0e3 + (double)(after.tv_nsec - before.tv_nsec) / 1.0e6;
    assert_true(used < 50.0); // one spinning thread alone would use up to 100 ms
    sn_tasks_destroy(tasks);
}

// --- pools -------------------------------------------------------------------------------------------------

static void test_thread_counts_are_brought_into_range(void **state)
{
    (void)state;
    const int wanted[] = {INT_MIN, -3, 0, 1, 2, 64, 65, INT_MAX};
    const int given[] = {1, 1, 1, 1, 2, 64, 64, 64};
    for (int i = 0; i < 8; ++i) {
        sn_tasks *tasks = sn_tasks_create(wanted[i], NULL);
        assert_non_null(tasks);
        assert_int_equal(sn_tasks_threads(tasks), given[i]);
        expect_each_item_once(tasks, 1000, 1);
        sn_tasks_destroy(tasks);
    }
}

// Workers may be anywhere when their pool ends: starting, working, spinning, falling asleep.
static void test_pools_come_and_go(void **state)
{
    (void)state;
    for (int round = 0; round < 5000; ++round) {
        sn_tasks *tasks = sn_tasks_create(1 + round % 4, NULL);
        ladder steps = {0};
        for (int loop = 0; loop < round % 300; ++loop) {
            sn_tasks_for(tasks, 8, 1, climb, &steps);
        }
        for (int i = 0; i < 8; ++i) {
            assert_int_equal(steps.values[i], round % 300);
        }
        sn_tasks_destroy(tasks);
    }
    sn_tasks_destroy(NULL);
}

static void test_without_memory_there_is_no_pool(void **state)
{
    (void)state;
    test_memory_allow(0);
    assert_null(sn_tasks_create(2, NULL));
}

static void test_loops_allocate_nothing(void **state)
{
    (void)state;
    sn_tasks *tasks = sn_tasks_create(3, NULL);
    uint64_t before = sn_allocation_count();
    for (int i = 0; i < 100; ++i) {
        expect_each_item_once(tasks, 100, 1);
    }
    assert_int_equal(sn_allocation_count(), before);
    sn_tasks_destroy(tasks);
}

// --- the user's task system --------------------------------------------------------------------------------

typedef struct foreign_record {
    int calls, count, grain;
} foreign_record;

// Backwards and item by item: any cutting must do.
static void foreign_for(int count, int grain, sn_task_function task, void *context, void *user)
{
    foreign_record *seen = user;
    ++seen->calls;
    seen->count = count;
    seen->grain = grain;
    for (int i = count - 1; i >= 0; --i) {
        task(context, i, i + 1);
    }
}

static void test_a_users_task_system_takes_over(void **state)
{
    (void)state;
    foreign_record seen = {0};
    sn_task_system system = {foreign_for, &seen};
    sn_tasks *tasks = sn_tasks_create(8, &system);
    assert_int_equal(sn_tasks_threads(tasks), 1);

    memset(record.visits, 0, sizeof record.visits);
    sn_tasks_for(tasks, 100, 10, visit, &record);
    assert_int_equal(seen.calls, 1);
    assert_int_equal(seen.count, 100);
    assert_int_equal(seen.grain, 10);
    for (int i = 0; i < 100; ++i) {
        assert_int_equal(record.visits[i], 1);
    }
    expect_each_item_once(tasks, 10, 10);
    expect_each_item_once(tasks, 0, 1);
    assert_int_equal(seen.calls, 1);
    sn_tasks_for(tasks, 2, INT_MIN, visit, &record);
    assert_int_equal(seen.grain, 1);
    sn_tasks_destroy(tasks);
}

static void test_an_empty_task_system_means_the_pool(void **state)
{
    (void)state;
    sn_task_system empty = {NULL, NULL};
    sn_tasks *tasks = sn_tasks_create(2, &empty);
    assert_int_equal(sn_tasks_threads(tasks), 2);
    expect_meeting(tasks, 2, 0);
    sn_tasks_destroy(tasks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_every_item_runs_exactly_once),
        test_with_memory(test_the_largest_count_does_not_overflow),
        test_with_memory(test_twenty_thousand_small_loops_follow_each_other),
        test_with_memory(test_all_threads_run_at_once),
        test_with_memory(test_sleeping_workers_wake_and_a_sleeping_caller_too),
        test_with_memory(test_idle_workers_cost_no_processor_time),
        test_with_memory(test_thread_counts_are_brought_into_range),
        test_with_memory(test_pools_come_and_go),
        test_with_memory(test_without_memory_there_is_no_pool),
        test_with_memory(test_loops_allocate_nothing),
        test_with_memory(test_a_users_task_system_takes_over),
        test_with_memory(test_an_empty_task_system_means_the_pool),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
