// Nodes by number: in order, shuffled, with gaps, and numbers that are there twice.
#include "scene/mesh_kit.h"

#include "scene/mesh_tags.h"

static void check_found(const sn_mesh_tags *tags, int64_t number, uint32_t expected)
{
    uint32_t node;
    assert_true(sn_mesh_tags_find(tags, number, &node));
    assert_int_equal(node, expected);
}

static sn_mesh_tags tags_of(const int64_t *numbers, size_t count)
{
    sn_mesh_tags tags = {0};
    for (size_t i = 0; i < count; ++i) {
        assert_true(sn_mesh_tags_add(&tags, numbers[i]));
    }
    return tags;
}

static void test_numbers_lead_to_their_nodes(void **state)
{
    (void)state;
    static const int64_t lists[][5] = {{1, 2, 3, 4, 5},
                                       {1, 3, 4, 5, 9},
                                       {5, 4, 3, 2, 1},
                                       {7, 1000000000000, 0, INT64_MAX, 8},
                                       {INT64_MAX, INT64_MAX - 1, 1, 2, 3}};
    for (size_t i = 0; i < COUNT_OF(lists); ++i) {
        sn_mesh_tags tags = tags_of(lists[i], 5);
        int64_t twice;
        assert_true(sn_mesh_tags_sort(&tags, &twice));
        for (uint32_t k = 0; k < 5; ++k) {
            check_found(&tags, lists[i][k], k);
        }
        sn_mesh_tags_release(&tags);
    }
}

static void test_other_numbers_lead_nowhere(void **state)
{
    (void)state;
    sn_mesh_tags tags = tags_of((int64_t[]){10, 30, 20, 21}, 4);
    int64_t twice;
    assert_true(sn_mesh_tags_sort(&tags, &twice));
    static const int64_t missing[] = {INT64_MIN, -1, 0, 9, 11, 12, 13, 19, 22, 29, 31, INT64_MAX};
    for (size_t i = 0; i < COUNT_OF(missing); ++i) {
        uint32_t node;
        assert_false(sn_mesh_tags_find(&tags, missing[i], &node));
    }
    sn_mesh_tags_release(&tags);
    uint32_t node;
    assert_false(sn_mesh_tags_find(&tags, 0, &node));
}

static void test_numbers_that_are_there_twice_are_told(void **state)
{
    (void)state;
    sn_mesh_tags tags = tags_of((int64_t[]){1, 2, 7, 7, 9}, 5);
    int64_t twice = 0;
    assert_false(sn_mesh_tags_sort(&tags, &twice));
    assert_int_equal(twice, 7);
    sn_mesh_tags_release(&tags);
    tags = tags_of((int64_t[]){9, 2, 1, 7, 9}, 5);
    assert_false(sn_mesh_tags_sort(&tags, &twice));
    assert_int_equal(twice, 9);
    sn_mesh_tags_release(&tags);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_lead_to_their_nodes),
        cmocka_unit_test(test_other_numbers_lead_nowhere),
        cmocka_unit_test(test_numbers_that_are_there_twice_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
