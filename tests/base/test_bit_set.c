// Bit sets against a plain array of flags.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bit_set.h"
#include "support/memory.h"
#include "support/random.h"

static void test_members_match_flags(void **state)
{
    (void)state;
    enum { SIZE = 1000 };
    static bool flags[SIZE];
    sn_bit_set set = {0};
    test_random random = {3};
    assert_true(sn_bit_set_clear(&set, SIZE));
    for (int step = 0; step < 5000; ++step) {
        int member = (int)(test_random_u32(&random) % SIZE);
        flags[member] = test_random_u32(&random) % 2;
        if (flags[member]) {
            sn_bit_set_add(&set, member);
        } else {
            sn_bit_set_remove(&set, member);
        }
    }
    for (int i = 0; i < SIZE; ++i) {
        assert_int_equal(sn_bit_set_has(&set, i), flags[i]);
    }
    sn_bit_set_release(&set);
}

static void test_clearing_clears_all_whatever_the_size(void **state)
{
    (void)state;
    sn_bit_set set = {0};
    const int sizes[] = {1, 64, 63, 65, 1000, 128, 10, 5000};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
        assert_true(sn_bit_set_clear(&set, sizes[k]));
        for (int i = 0; i < sizes[k]; ++i) {
            assert_false(sn_bit_set_has(&set, i));
            sn_bit_set_add(&set, i);
            assert_true(sn_bit_set_has(&set, i));
        }
    }
    sn_bit_set_release(&set);
}

static void test_empty_and_impossible_sizes(void **state)
{
    (void)state;
    sn_bit_set set = {0};
    assert_true(sn_bit_set_clear(&set, 0));
    assert_false(sn_bit_set_clear(&set, -1));
    sn_bit_set_release(&set);
}

static void test_without_memory_the_set_stays(void **state)
{
    (void)state;
    sn_bit_set set = {0};
    assert_true(sn_bit_set_clear(&set, 64));
    sn_bit_set_add(&set, 17);
    test_memory_allow(0);
    assert_false(sn_bit_set_clear(&set, 100000));
    assert_true(sn_bit_set_has(&set, 17));
    sn_bit_set_release(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_members_match_flags),
        test_with_memory(test_clearing_clears_all_whatever_the_size),
        test_with_memory(test_empty_and_impossible_sizes),
        test_with_memory(test_without_memory_the_set_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
