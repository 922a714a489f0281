// Growing arrays: contents survive growth, fresh room is zero, failure changes nothing.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/array.h"
#include "support/memory.h"
#include <limits.h>

typedef struct odd_sized {
    char bytes[13];
} odd_sized;

typedef SN_ARRAY(int) int_array;

static void test_pushed_values_stay(void **state)
{
    (void)state;
    int_array array = {0};
    for (int i = 0; i < 10000; ++i) {
        assert_true(sn_array_push(&array, i * 7));
        assert_int_equal(array.count, i + 1);
    }
    for (int i = 0; i < 10000; ++i) {
        assert_int_equal(array.data[i], i * 7);
    }
    sn_array_release(&array);
}

static void test_pushing_one_by_one_allocates_seldom(void **state)
{
    (void)state;
    int_array array = {0};
    uint64_t before = sn_allocation_count();
    for (int i = 0; i < 100000; ++i) {
        assert_true(sn_array_push(&array, i));
    }
    // log(100000 / 8) / log(1.5) = 23.3
    assert_true(sn_allocation_count() - before <= 25);
    sn_array_release(&array);
}

static void test_fresh_room_is_zero(void **state)
{
    (void)state;
    SN_ARRAY(odd_sized) array = {0};
    assert_true(sn_array_resize(&array, 3));
    array.data[2].bytes[12] = 1;
    assert_true(sn_array_resize(&array, 500));
    assert_int_equal(array.data[2].bytes[12], 1);
    for (int i = 3; i < 500; ++i) {
        for (int k = 0; k < 13; ++k) {
            assert_int_equal(array.data[i].bytes[k], 0);
        }
    }
    sn_array_release(&array);
}

static void test_reserved_room_is_enough(void **state)
{
    (void)state;
    int_array array = {0};
    assert_true(sn_array_reserve(&array, 1234));
    assert_true(array.capacity >= 1234);
    assert_int_equal(array.count, 0);
    uint64_t before = sn_allocation_count();
    for (int i = 0; i < 1234; ++i) {
        assert_true(sn_array_push(&array, i));
    }
    assert_true(sn_array_resize(&array, 10));
    assert_int_equal(array.count, 10);
    assert_int_equal(sn_allocation_count(), before);
    sn_array_release(&array);
}

static void test_without_memory_nothing_changes(void **state)
{
    (void)state;
    int_array array = {0};
    assert_true(sn_array_push(&array, 42));
    int capacity = array.capacity;
    int *data = array.data;
    test_memory_allow(0);
    assert_false(sn_array_reserve(&array, capacity + 1));
    assert_false(sn_array_resize(&array, capacity + 1));
    array.count = capacity;
    assert_false(sn_array_push(&array, 43));
    assert_int_equal(array.count, capacity);
    assert_int_equal(array.capacity, capacity);
    assert_ptr_equal(array.data, data);
    assert_int_equal(array.data[0], 42);
    sn_array_release(&array);
}

static void test_impossible_counts_are_refused(void **state)
{
    (void)state;
    SN_ARRAY(odd_sized) array = {0};
    assert_false(sn_array_reserve(&array, INT_MAX / 2 + 1));
    assert_false(sn_array_reserve(&array, INT_MAX));
    assert_false(sn_array_resize(&array, -1));
    assert_false(sn_array_resize(&array, INT_MIN));
    assert_null(array.data);
    assert_int_equal(array.count, 0);
    assert_int_equal(array.capacity, 0);
}

static void test_released_array_is_usable_again(void **state)
{
    (void)state;
    int_array array = {0};
    sn_array_release(&array);
    assert_true(sn_array_push(&array, 1));
    sn_array_release(&array);
    assert_null(array.data);
    assert_int_equal(array.count, 0);
    assert_int_equal(array.capacity, 0);
    assert_true(sn_array_push(&array, 2));
    assert_int_equal(array.data[0], 2);
    sn_array_release(&array);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_pushed_values_stay),
        test_with_memory(test_pushing_one_by_one_allocates_seldom),
        test_with_memory(test_fresh_room_is_zero),
        test_with_memory(test_reserved_room_is_enough),
        test_with_memory(test_without_memory_nothing_changes),
        test_with_memory(test_impossible_counts_are_refused),
        test_with_memory(test_released_array_is_usable_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
