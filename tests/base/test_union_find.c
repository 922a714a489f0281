// Union–find against sets relabelled one by one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/union_find.h"
#include "support/random.h"

enum { COUNT = 200 };

// Joins random pairs in sets kept both ways; the label of a set is its lowest member.
static void join_random_pairs(int *parents, int *sizes, int *labels, int pairs)
{
    test_random random = {7};
    for (int i = 0; i < COUNT; ++i) {
        parents[i] = labels[i] = i;
    }
    for (int k = 0; k < pairs; ++k) {
        int a = (int)(test_random_u32(&random) % COUNT), b = (int)(test_random_u32(&random) % COUNT);
        int low = labels[a] < labels[b] ? labels[a] : labels[b];
        int high = labels[a] < labels[b] ? labels[b] : labels[a];
        sn_union_find_join(parents, sizes, a, b);
        for (int i = 0; i < COUNT; ++i) {
            labels[i] = labels[i] == high ? low : labels[i];
        }
    }
}

static void test_without_sizes_the_root_is_the_lowest_member(void **state)
{
    (void)state;
    int parents[COUNT], labels[COUNT];
    join_random_pairs(parents, NULL, labels, 120);
    for (int i = 0; i < COUNT; ++i) {
        assert_int_equal(sn_union_find_root(parents, i), labels[i]);
    }
}

static void test_sizes_count_the_members_of_each_root(void **state)
{
    (void)state;
    int parents[COUNT], sizes[COUNT], labels[COUNT], found[COUNT] = {0};
    for (int i = 0; i < COUNT; ++i) {
        sizes[i] = 1;
    }
    join_random_pairs(parents, sizes, labels, 120);
    for (int i = 0; i < COUNT; ++i) {
        found[sn_union_find_root(parents, i)]++;
        assert_int_equal(sn_union_find_root(parents, i), sn_union_find_root(parents, labels[i]));
    }
    for (int i = 0; i < COUNT; ++i) {
        assert_true(found[i] == 0 || found[i] == sizes[i]);
    }
}

static void test_the_larger_set_keeps_its_root_and_the_lower_one_of_equals(void **state)
{
    (void)state;
    int parents[4] = {0, 1, 2, 3}, sizes[4] = {1, 1, 1, 1};
    sn_union_find_join(parents, sizes, 3, 2);
    assert_int_equal(sn_union_find_root(parents, 3), 2);
    sn_union_find_join(parents, sizes, 0, 3);
    assert_int_equal(sn_union_find_root(parents, 0), 2);
    assert_int_equal(sizes[2], 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_sizes_the_root_is_the_lowest_member),
        cmocka_unit_test(test_sizes_count_the_members_of_each_root),
        cmocka_unit_test(test_the_larger_set_keeps_its_root_and_the_lower_one_of_equals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
