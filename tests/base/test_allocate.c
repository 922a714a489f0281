// The one door to the heap: alignment, counting, hooks.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/allocate.h"
#include "support/memory.h"
#include <string.h>

static void test_blocks_are_aligned_and_writable(void **state)
{
    (void)state;
    for (size_t size = 1; size <= 1000; size += 37) {
        unsigned char *block = sn_allocate(size);
        assert_non_null(block);
        assert_int_equal((uintptr_t)block % 64, 0);
        memset(block, 0xa5, size);
        sn_release(block, size);
    }
}

static void test_no_bytes_give_null(void **state)
{
    (void)state;
    uint64_t count = sn_allocation_count();
    assert_null(sn_allocate(0));
    assert_null(sn_allocate_zero(0, 8));
    assert_null(sn_allocate_zero(8, 0));
    assert_int_equal(sn_allocation_count(), count);
}

static void test_impossible_sizes_give_null(void **state)
{
    (void)state;
    // Through a volatile, so that the compiler does not see and reject the size.
    volatile size_t huge = SIZE_MAX;
    assert_null(sn_allocate(huge));
    assert_null(sn_allocate(huge - 64));
    assert_null(sn_allocate_zero(huge / 2, 3));
    assert_null(sn_allocate_zero(huge / 8 + 1, 8));
}

static void test_zeroed_blocks_are_zero(void **state)
{
    (void)state;
    for (int round = 0; round < 4; ++round) {
        unsigned char *block = sn_allocate_zero(100, 7);
        assert_non_null(block);
        for (int i = 0; i < 700; ++i) {
            assert_int_equal(block[i], 0);
        }
        memset(block, 0xff, 700);
        sn_release(block, 700);
    }
}

static void test_counters_follow_blocks(void **state)
{
    (void)state;
    uint64_t count = sn_allocation_count();
    uint64_t bytes = sn_allocated_bytes();
    void *a = sn_allocate(100);
    void *b = sn_allocate_zero(3, 50);
    assert_int_equal(sn_allocation_count(), count + 2);
    assert_int_equal(sn_allocated_bytes(), bytes + 250);
    sn_release(a, 100);
    assert_int_equal(sn_allocated_bytes(), bytes + 150);
    sn_release(b, 150);
    sn_release(NULL, 1000);
    assert_int_equal(sn_allocated_bytes(), bytes);
    assert_int_equal(sn_allocation_count(), count + 2);
}

static void test_failed_allocations_are_not_counted(void **state)
{
    (void)state;
    uint64_t count = sn_allocation_count();
    uint64_t bytes = sn_allocated_bytes();
    test_memory_allow(0);
    assert_null(sn_allocate(64));
    assert_null(sn_allocate_zero(1, 64));
    assert_int_equal(sn_allocation_count(), count);
    assert_int_equal(sn_allocated_bytes(), bytes);
}

typedef struct hook_record {
    size_t allocated, released;
    void *block;
} hook_record;

static void *recording_allocate(size_t size, void *user)
{
    hook_record *record = user;
    record->allocated = size;
    record->block = aligned_alloc(64, 128);
    return record->block;
}

static void recording_release(void *memory, size_t size, void *user)
{
    hook_record *record = user;
    record->released = size;
    assert_ptr_equal(memory, record->block);
    free(memory);
}

static void test_hooks_see_sizes_and_user_pointer(void **state)
{
    (void)state;
    hook_record record = {0};
    sn_allocator hooks = {recording_allocate, recording_release, &record};
    sn_allocator_set(&hooks);
    void *block = sn_allocate(100);
    assert_int_equal(record.allocated, 100);
    assert_ptr_equal(block, record.block);
    sn_release(block, 100);
    assert_int_equal(record.released, 100);

    sn_allocator_set(NULL);
    void *other = sn_allocate(10);
    assert_int_equal(record.allocated, 100);
    sn_release(other, 10);
}

static void test_incomplete_hooks_mean_the_default(void **state)
{
    (void)state;
    sn_allocator incomplete = {recording_allocate, NULL, NULL};
    sn_allocator_set(&incomplete);
    void *block = sn_allocate(10);
    assert_non_null(block);
    sn_release(block, 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_blocks_are_aligned_and_writable),
        test_with_memory(test_no_bytes_give_null),
        test_with_memory(test_impossible_sizes_give_null),
        test_with_memory(test_zeroed_blocks_are_zero),
        test_with_memory(test_counters_follow_blocks),
        test_with_memory(test_failed_allocations_are_not_counted),
        test_with_memory(test_hooks_see_sizes_and_user_pointer),
        test_with_memory(test_incomplete_hooks_mean_the_default),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
