// Memory of one step: blocks do not overlap, overflow is absorbed at the next reset.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "support/memory.h"
#include <string.h>

// Fills blocks of many sizes, then looks whether each kept its own value.
static void fill_and_check(sn_arena *arena)
{
    enum { BLOCKS = 60 };
    unsigned char *blocks[BLOCKS];
    for (int i = 0; i < BLOCKS; ++i) {
        blocks[i] = sn_arena_take(arena, (size_t)i + 1, 11);
        assert_non_null(blocks[i]);
        assert_int_equal((uintptr_t)blocks[i] % 64, 0);
        memset(blocks[i], i + 1, ((size_t)i + 1) * 11);
    }
    for (int i = 0; i < BLOCKS; ++i) {
        for (int k = 0; k < (i + 1) * 11; ++k) {
            assert_int_equal(blocks[i][k], i + 1);
        }
    }
}

static void test_blocks_are_aligned_and_apart(void **state)
{
    (void)state;
    sn_arena arena = {0};
    for (int step = 0; step < 3; ++step) {
        sn_arena_reset(&arena);
        fill_and_check(&arena);
    }
    sn_arena_release(&arena);
}

static void test_warm_step_allocates_nothing(void **state)
{
    (void)state;
    sn_arena arena = {0};
    fill_and_check(&arena);
    assert_true(arena.overflow.count > 0);
    sn_arena_reset(&arena);
    assert_int_equal(arena.overflow.count, 0);
    uint64_t before = sn_allocation_count();
    for (int step = 0; step < 5; ++step) {
        fill_and_check(&arena);
        assert_int_equal(arena.overflow.count, 0);
        sn_arena_reset(&arena);
    }
    assert_int_equal(sn_allocation_count(), before);
    sn_arena_release(&arena);
}

static void test_zeroed_blocks_are_zero_though_memory_is_reused(void **state)
{
    (void)state;
    sn_arena arena = {0};
    for (int step = 0; step < 4; ++step) {
        sn_arena_reset(&arena);
        memset(sn_arena_take(&arena, 300, 1), 0xff, 300);
        unsigned char *zeros = sn_arena_take_zero(&arena, 50, 6);
        for (int i = 0; i < 300; ++i) {
            assert_int_equal(zeros[i], 0);
        }
        memset(zeros, 0xff, 300);
    }
    sn_arena_release(&arena);
}

static void test_nothing_is_a_valid_pointer_even_without_memory(void **state)
{
    (void)state;
    sn_arena arena = {0};
    test_memory_allow(0);
    assert_non_null(sn_arena_take(&arena, 0, 8));
    assert_non_null(sn_arena_take(&arena, 8, 0));
    assert_non_null(sn_arena_take_zero(&arena, 0, 0));
    assert_int_equal(arena.needed, 0);
    sn_arena_release(&arena);
}

static void test_impossible_sizes_give_null(void **state)
{
    (void)state;
    sn_arena arena = {0};
    assert_null(sn_arena_take(&arena, SIZE_MAX, 1));
    assert_null(sn_arena_take(&arena, SIZE_MAX / 2, 3));
    assert_null(sn_arena_take_zero(&arena, SIZE_MAX - 10, 1));
    assert_int_equal(arena.needed, 0);
    fill_and_check(&arena);
    sn_arena_release(&arena);
}

static void test_without_memory_take_gives_null_and_the_arena_lives_on(void **state)
{
    (void)state;
    for (int allowed = 0; allowed < 5; ++allowed) {
        sn_arena arena = {0};
        test_memory_allow(allowed);
        int taken = 0;
        while (taken < 100 && sn_arena_take(&arena, 1000, 1)) {
            ++taken;
        }
        assert_true(taken < 5);
        sn_arena_reset(&arena); // may find no memory to grow
        test_memory_allow_all();
        fill_and_check(&arena);
        sn_arena_release(&arena);
    }
}

static void test_released_arena_is_usable_again(void **state)
{
    (void)state;
    sn_arena arena = {0};
    fill_and_check(&arena);
    sn_arena_release(&arena);
    sn_arena_release(&arena);
    fill_and_check(&arena);
    sn_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_blocks_are_aligned_and_apart),
        test_with_memory(test_warm_step_allocates_nothing),
        test_with_memory(test_zeroed_blocks_are_zero_though_memory_is_reused),
        test_with_memory(test_nothing_is_a_valid_pointer_even_without_memory),
        test_with_memory(test_impossible_sizes_give_null),
        test_with_memory(test_without_memory_take_gives_null_and_the_arena_lives_on),
        test_with_memory(test_released_arena_is_usable_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
