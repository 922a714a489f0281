// Sorting rows of numbers: order, stability, permutations, memory.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/tuple_sort.h"
#include "support/memory.h"
#include "support/random.h"

#define COUNT 500

static int compare_rows(const uint32_t *a, const uint32_t *b, int width)
{
    for (int i = 0; i < width; ++i) {
        if (a[i] != b[i]) {
            return a[i] < b[i] ? -1 : 1;
        }
    }
    return 0;
}

static void test_rows_of_any_width_ascend_and_equal_ones_keep_their_order(void **state)
{
    (void)state;
    test_random random = {1};
    for (int width = 1; width <= 4; ++width) {
        uint32_t rows[4 * COUNT];
        int order[COUNT], seen[COUNT] = {0};
        for (int i = 0; i < width * COUNT; ++i) {
            rows[i] = test_random_u32(&random) % 5; // few values, so that many rows are equal
        }
        assert_true(sn_tuple_sort(rows, width, COUNT, 5, order));
        for (int i = 0; i < COUNT; ++i) {
            seen[order[i]]++;
        }
        for (int i = 0; i + 1 < COUNT; ++i) {
            int comparison = compare_rows(rows + width * order[i], rows + width * order[i + 1], width);
            assert_true(comparison < 0 || (comparison == 0 && order[i] < order[i + 1]));
            assert_int_equal(seen[i], 1);
        }
    }
}

static void test_counting_sort_is_stable_and_tells_where_keys_begin(void **state)
{
    (void)state;
    const int keys[12] = {2, 9, 0, 9, 2, 9, 1, 9, 0, 9, 2, 9}; // every other one is read
    const int items[6] = {5, 4, 3, 2, 1, 0};
    int sorted[6], begin[4];
    sn_counting_sort(keys, 2, 3, NULL, 6, sorted, begin);
    const int ascending[6] = {1, 4, 3, 0, 2, 5}, expected[4] = {0, 2, 3, 6};
    assert_memory_equal(sorted, ascending, sizeof sorted);
    assert_memory_equal(begin, expected, sizeof begin);
    sn_counting_sort(keys, 2, 3, items, 6, sorted, begin);
    const int reversed[6] = {4, 1, 3, 5, 2, 0};
    assert_memory_equal(sorted, reversed, sizeof sorted);
    assert_memory_equal(begin, expected, sizeof begin);
}

static int compare_words(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void test_items_of_any_count_ascend_and_stay_the_same(void **state)
{
    (void)state;
    test_random random = {4};
    for (int count = 0; count < 70; ++count) {
        uint64_t words[70], sum = 0;
        for (int i = 0; i < count; ++i) {
            words[i] = (uint64_t)test_random_u32(&random) << (i % 33);
            sum += words[i];
        }
        sn_sort_in_place(words, count, sizeof *words, compare_words);
        for (int i = 0; i < count; ++i) {
            assert_true(i == 0 || words[i - 1] <= words[i]);
            sum -= words[i];
        }
        assert_true(sum == 0);
    }
}

static void test_no_rows_are_sorted(void **state)
{
    (void)state;
    assert_true(sn_tuple_sort(NULL, 3, 0, 10, NULL));
}

static void test_ordering_a_row_tells_even_from_odd_permutations(void **state)
{
    (void)state;
    uint32_t even[3] = {2, 0, 1}, odd[3] = {0, 2, 1}, four[4] = {3, 2, 1, 0}, same[2] = {7, 7};
    assert_false(sn_tuple_order(even, 3));
    assert_true(sn_tuple_order(odd, 3));
    assert_false(sn_tuple_order(four, 4));
    assert_false(sn_tuple_order(same, 2));
    const uint32_t ascending[4] = {0, 1, 2, 3};
    assert_memory_equal(even, ascending, sizeof even);
    assert_memory_equal(odd, ascending, sizeof odd);
    assert_memory_equal(four, ascending, sizeof four);
    assert_true(sn_tuple_equal(even, odd, 3));
    assert_false(sn_tuple_equal(even, four + 1, 3));
}

static void test_without_memory_nothing_is_sorted(void **state)
{
    (void)state;
    const uint32_t rows[4] = {1, 0, 0, 1};
    int order[2];
    for (int allowed = 0; allowed < 2; ++allowed) {
        test_memory_allow(allowed);
        assert_false(sn_tuple_sort(rows, 2, 2, 2, order));
    }
    test_memory_allow(2);
    assert_true(sn_tuple_sort(rows, 2, 2, 2, order));
    assert_int_equal(order[0], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_rows_of_any_width_ascend_and_equal_ones_keep_their_order),
        test_with_memory(test_counting_sort_is_stable_and_tells_where_keys_begin),
        test_with_memory(test_items_of_any_count_ascend_and_stay_the_same),
        test_with_memory(test_no_rows_are_sorted),
        test_with_memory(test_ordering_a_row_tells_even_from_odd_permutations),
        test_with_memory(test_without_memory_nothing_is_sorted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
