// A million random motions of points and triangles and of segments, against dense sampling.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/moving_pairs.h"

static void test_a_million_pairs_without_a_miss(void **state)
{
    (void)state;
    moving_pair_count count = moving_pairs_judge(4, 1000000, 100);
    assert_int_equal(count.missed, 0);
    assert_int_equal(count.crossed_cut, 0);
    assert_true(count.crossed > 50000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_million_pairs_without_a_miss)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
