// Greedy colouring and counting sort against what must hold of them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/coloring.h"
#include "base/tuple_sort.h"
#include "support/random.h"

enum { MEMBERS = 40, ITEMS = 600 };

static void test_items_of_one_color_share_no_member_and_lower_colors_were_taken(void **state)
{
    (void)state;
    test_random random = {1};
    uint64_t masks[MEMBERS] = {0};
    for (int i = 0; i < ITEMS; ++i) {
        uint64_t *members[3], before = 0;
        int width = 1 + i % 3, color_count = 20;
        for (int k = 0; k < width; ++k) {
            members[k] = &masks[(int)(test_random_u32(&random) % MEMBERS)];
            before |= *members[k];
        }
        int color = sn_color_take(members, width, color_count);
        for (int c = 0; c < color; ++c) {
            assert_true((before >> c & 1u) != 0);
        }
        if (color == color_count) {
            continue; // no mask has changed
        }
        assert_true((before >> color & 1u) == 0);
        for (int k = 0; k < width; ++k) {
            assert_true((*members[k] >> color & 1u) != 0);
        }
    }
    for (int m = 0; m < MEMBERS; ++m) {
        assert_true(masks[m] >> 20 == 0);
    }
}

static void test_items_without_members_have_the_first_color(void **state)
{
    (void)state;
    assert_int_equal(sn_color_take(NULL, 0, 64), 0);
}

static void test_all_64_colors_are_used_before_one_is_refused(void **state)
{
    (void)state;
    uint64_t mask = 0, *member[] = {&mask};
    for (int i = 0; i <= 64; ++i) {
        assert_int_equal(sn_color_take(member, 1, 64), i);
    }
}

static void test_sorting_by_two_keys_in_turn_keeps_the_order_of_the_first(void **state)
{
    (void)state;
    enum { FIRST = 7, SECOND = 5 };
    test_random random = {2};
    int first[ITEMS], second[ITEMS], by_first[ITEMS], order[ITEMS], begin[FIRST + 1];
    for (int i = 0; i < ITEMS; ++i) {
        first[i] = (int)(test_random_u32(&random) % FIRST);
        second[i] = (int)(test_random_u32(&random) % (SECOND - 1)); // the last bucket stays empty
    }
    sn_counting_sort(first, 1, FIRST, NULL, ITEMS, by_first, begin);
    sn_counting_sort(second, 1, SECOND, by_first, ITEMS, order, begin);
    assert_int_equal(begin[0], 0);
    assert_int_equal(begin[SECOND - 1], ITEMS);
    assert_int_equal(begin[SECOND], ITEMS);
    for (int b = 0; b < SECOND; ++b) {
        for (int k = begin[b]; k < begin[b + 1]; ++k) {
            assert_int_equal(second[order[k]], b);
            if (k > begin[b]) {
                int before = order[k - 1], now = order[k];
                assert_true(first[before] < first[now] || (first[before] == first[now] && before < now));
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_items_of_one_color_share_no_member_and_lower_colors_were_taken),
        cmocka_unit_test(test_items_without_members_have_the_first_color),
        cmocka_unit_test(test_all_64_colors_are_used_before_one_is_refused),
        cmocka_unit_test(test_sorting_by_two_keys_in_turn_keeps_the_order_of_the_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
