// The pool of patches: lists do not share memory, memory is bounded by what was in use at once, and a failed
// growth changes nothing.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "collision/narrow/patch_pool.h"
#include "support/memory.h"
#include "support/random.h"

enum { LISTS = 300 };

// Every patch of a list has the list's mark.
static void fill(sn_patch_list *list, int count, int mark)
{
    list->count = count;
    for (int i = 0; i < count; ++i) {
        list->data[i].count = mark;
        list->data[i].points[SN_MANIFOLD_POINTS - 1].approach_speed = (float)i;
    }
}

static void expect_filled(const sn_patch_list *list, int mark)
{
    for (int i = 0; i < list->count; ++i) {
        assert_int_equal(list->data[i].count, mark);
        assert_true(list->data[i].points[SN_MANIFOLD_POINTS - 1].approach_speed == (float)i);
    }
}

static void test_room_is_the_next_power_of_two(void **state)
{
    (void)state;
    sn_patch_pool pool = {0};
    for (int wanted = 1; wanted <= SN_MAX_PATCHES; ++wanted) {
        sn_patch_list list = {0};
        assert_true(sn_patch_pool_grow(&pool, &list, wanted));
        assert_true(list.capacity >= wanted && list.capacity < 2 * wanted);
        assert_int_equal(list.capacity & (list.capacity - 1), 0);
        assert_int_equal(list.count, 0);
        sn_patch_pool_give_back(&pool, &list);
        assert_null(list.data);
        assert_int_equal(list.capacity, 0);
    }
    sn_patch_pool_release(&pool);
}

static void test_a_list_that_has_room_stays_where_it_is(void **state)
{
    (void)state;
    sn_patch_pool pool = {0};
    sn_patch_list list = {0};
    assert_true(sn_patch_pool_grow(&pool, &list, 5));
    const sn_patch_list before = list;
    assert_true(sn_patch_pool_grow(&pool, &list, 8));
    assert_memory_equal(&before, &list, sizeof list);
    assert_true(sn_patch_pool_grow(&pool, &list, 0));
    assert_memory_equal(&before, &list, sizeof list);
    sn_patch_pool_release(&pool);
}

// Lists grow and are given back at random; none ever contains patches of another.
static void test_lists_keep_their_patches_and_never_share_room(void **state)
{
    (void)state;
    sn_patch_pool pool = {0};
    sn_patch_list lists[LISTS] = {{0}};
    test_random random = {5};
    for (int turn = 0; turn < 20000; ++turn) {
        int i = (int)(test_random_float(&random, 0.0f, 0.999f * LISTS));
        if (turn % 3 == 0) {
            sn_patch_pool_give_back(&pool, &lists[i]);
        }
        int wanted = 1 + (int)test_random_float(&random, 0.0f, 63.9f);
        expect_filled(&lists[i], i);
        assert_true(sn_patch_pool_grow(&pool, &lists[i], wanted));
        expect_filled(&lists[i], i);
        fill(&lists[i], lists[i].count > wanted ? lists[i].count : wanted, i);
    }
    for (int i = 0; i < LISTS; ++i) {
        expect_filled(&lists[i], i);
    }
    sn_patch_pool_release(&pool);
}

// --- how much memory -----------------------------------------------------------------------------

static void grow_all(sn_patch_pool *pool, sn_patch_list *lists, int count, int wanted)
{
    for (int i = 0; i < count; ++i) {
        assert_true(sn_patch_pool_grow(pool, &lists[i], wanted));
    }
}

static void give_back_all(sn_patch_pool *pool, sn_patch_list *lists, int count)
{
    for (int i = 0; i < count; ++i) {
        sn_patch_pool_give_back(pool, &lists[i]);
    }
}

static void test_what_comes_back_is_used_again(void **state)
{
    (void)state;
    sn_patch_pool pool = {0};
    sn_patch_list lists[LISTS] = {{0}};
    for (int wanted = 1; wanted <= SN_MAX_PATCHES; wanted *= 2) {
        grow_all(&pool, lists, LISTS, wanted);
        give_back_all(&pool, lists, LISTS);
    }
    uint64_t allocations = sn_allocation_count();
    for (int turn = 0; turn < 100; ++turn) {
        grow_all(&pool, lists, LISTS, 1 << turn % SN_PATCH_SIZES);
        give_back_all(&pool, lists, LISTS);
    }
    assert_int_equal(sn_allocation_count(), allocations);
    sn_patch_pool_release(&pool);
}

// All memory in large pieces, then all in small ones, and so on in turn: the pool stops growing at the sum of
// what each size needed and half as much again.
static void test_changing_sizes_do_not_wear_the_pool_out(void **state)
{
    (void)state;
    sn_patch_pool pool = {0};
    static sn_patch_list lists[64 * 20];
    for (int turn = 0; turn < 50; ++turn) {
        for (int size = SN_PATCH_SIZES - 1; size >= 0; --size) {
            int count = 20 * (SN_MAX_PATCHES >> size); // 1280 patches at a time
            grow_all(&pool, lists, count, 1 << size);
            give_back_all(&pool, lists, count);
        }
    }
    assert_in_range(pool.patch_count, 1280, 1280 * SN_PATCH_SIZES * 3 / 2);
    sn_patch_pool_release(&pool);
}

static void test_without_memory_a_list_stays_as_it_is(void **state)
{
    (void)state;
    sn_patch_pool pool = {0};
    sn_patch_list first = {0}, second = {0};
    test_memory_allow(0);
    assert_false(sn_patch_pool_grow(&pool, &first, 1));
    test_memory_allow(1); // enough for the list of blocks, not for a block
    assert_false(sn_patch_pool_grow(&pool, &first, 1));
    assert_int_equal(first.capacity, 0);
    test_memory_allow_all();
    assert_true(sn_patch_pool_grow(&pool, &first, 32));
    fill(&first, 32, 7);
    assert_true(sn_patch_pool_grow(&pool, &second, 32));
    test_memory_allow(0);
    assert_false(sn_patch_pool_grow(&pool, &first, 33));
    assert_int_equal(first.capacity, 32);
    expect_filled(&first, 7);
    test_memory_allow_all();
    assert_true(sn_patch_pool_grow(&pool, &first, 33));
    expect_filled(&first, 7);
    sn_patch_pool_release(&pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_room_is_the_next_power_of_two),
        test_with_memory(test_a_list_that_has_room_stays_where_it_is),
        test_with_memory(test_lists_keep_their_patches_and_never_share_room),
        test_with_memory(test_what_comes_back_is_used_again),
        test_with_memory(test_changing_sizes_do_not_wear_the_pool_out),
        test_with_memory(test_without_memory_a_list_stays_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
