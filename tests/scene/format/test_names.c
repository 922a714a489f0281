// A dictionary of names.
#include "scene/scene_kit.h"

#include "scene/names.h"

static void test_names_lead_to_their_values(void **state)
{
    (void)state;
    sn_names names = {0};
    assert_int_equal(sn_names_find(&names, "a"), -1);
    assert_true(sn_names_add(&names, "a", 5));
    assert_true(sn_names_add(&names, "", 6));
    assert_true(sn_names_add(&names, "b", -2));
    assert_int_equal(sn_names_find(&names, "a"), 5);
    assert_int_equal(sn_names_find(&names, ""), 6);
    assert_int_equal(sn_names_find(&names, "b"), -2);
    assert_int_equal(sn_names_find(&names, "c"), -1);
    sn_names_release(&names);
    assert_int_equal(sn_names_find(&names, "a"), -1);
}

static void test_names_are_copied(void **state)
{
    (void)state;
    sn_names names = {0};
    char text[] = "first";
    assert_true(sn_names_add(&names, text, 1));
    strcpy(text, "other");
    assert_int_equal(sn_names_find(&names, "first"), 1);
    assert_int_equal(sn_names_find(&names, "other"), -1);
    assert_string_equal(names.names.items[0], "first");
    sn_names_release(&names);
}

static void test_a_hundred_thousand_names_are_found_again(void **state)
{
    (void)state;
    sn_names names = {0};
    char name[32];
    const int count = 100000;
    for (int i = 0; i < count; ++i) {
        snprintf(name, sizeof name, "part[%d].body[%d]", i / 100, i % 100);
        assert_true(sn_names_add(&names, name, 2 * i));
    }
    for (int i = 0; i < count; ++i) {
        snprintf(name, sizeof name, "part[%d].body[%d]", i / 100, i % 100);
        assert_int_equal(sn_names_find(&names, name), 2 * i);
        assert_string_equal(names.names.items[i], name);
    }
    assert_int_equal(sn_names_find(&names, "part[1000].body[0]"), -1);
    sn_names_release(&names);
}

static void test_names_of_any_length_are_kept(void **state)
{
    (void)state;
    sn_names names = {0};
    char *name = calloc(100001, 1);
    assert_true(sn_names_add(&names, "before", 0));
    for (int length = 1; length <= 100000; length *= 10) {
        memset(name, 'n', (size_t)length);
        assert_true(sn_names_add(&names, name, length));
    }
    assert_true(sn_names_add(&names, "after", 1));
    for (int length = 1; length <= 100000; length *= 10) {
        memset(name, 0, 100001);
        memset(name, 'n', (size_t)length);
        assert_int_equal(sn_names_find(&names, name), length);
    }
    assert_int_equal(sn_names_find(&names, "before"), 0);
    assert_int_equal(sn_names_find(&names, "after"), 1);
    sn_names_release(&names);
    free(name);
}

static void test_the_nearest_name_is_suggested(void **state)
{
    (void)state;
    sn_names names = {0};
    assert_null(sn_names_suggest(&names, "wheel"));
    assert_true(sn_names_add(&names, "left.wheel", 0));
    assert_true(sn_names_add(&names, "right.wheel", 1));
    assert_string_equal(sn_names_suggest(&names, "rigth.wheel"), "right.wheel");
    assert_null(sn_names_suggest(&names, "axle"));
    sn_names_release(&names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_lead_to_their_values),
        cmocka_unit_test(test_names_are_copied),
        cmocka_unit_test(test_a_hundred_thousand_names_are_found_again),
        cmocka_unit_test(test_names_of_any_length_are_kept),
        cmocka_unit_test(test_the_nearest_name_is_suggested),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
