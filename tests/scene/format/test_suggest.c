// The name that was meant.
#include "scene/scene_kit.h"

#include "scene/suggest.h"

static const char *const names[] = {"position", "rotation", "linear_velocity", "mass", "shape",
                                    "shapes",   "x"};

static void assert_suggests(const char *misspelt, const char *expected)
{
    const char *meant = sn_suggest(misspelt, names, COUNT_OF(names));
    if (expected == NULL) {
        assert_null(meant);
    } else {
        assert_non_null(meant);
        assert_string_equal(meant, expected);
    }
}

static void test_slips_of_the_finger_are_understood(void **state)
{
    (void)state;
    assert_suggests("postion", "position");   // one missing
    assert_suggests("positiion", "position"); // one too many
    assert_suggests("pusition", "position");  // one wrong
    assert_suggests("psoition", "position");  // two exchanged
    assert_suggests("mas", "mass");
    assert_suggests("smas", NULL); // two wrong of four
    assert_suggests("msas", "mass");
    assert_suggests("linear_velocty", "linear_velocity");
    assert_suggests("y", "x");
}

static void test_case_does_not_matter(void **state)
{
    (void)state;
    assert_suggests("Position", "position");
    assert_suggests("SHAPES", "shapes");
    assert_suggests("mass", "mass");
}

static void test_of_equally_near_names_the_first_is_taken_and_nearer_ones_before(void **state)
{
    (void)state;
    assert_suggests("shap", "shape");
    assert_suggests("shapess", "shapes");
    const char *const two[] = {"abcx", "abcy"};
    assert_string_equal(sn_suggest("abcz", two, 2), "abcx");
}

static void test_other_words_are_not_taken_for_one(void **state)
{
    (void)state;
    assert_suggests("velocity", NULL);
    assert_suggests("colour", NULL);
    assert_suggests("foo", NULL);
    assert_suggests("", NULL);
    assert_null(sn_suggest("a", NULL, 0));
}

static void test_words_of_any_length_are_safe(void **state)
{
    (void)state;
    char longest[65], longer[66], other[1000];
    memset(longest, 'a', sizeof longest);
    memset(longer, 'a', sizeof longer);
    memset(other, 'a', sizeof other);
    longest[64] = longer[65] = other[999] = '\0';
    const char *const long_names[] = {other, longer, longest};
    assert_ptr_equal(sn_suggest(longest, long_names, 3), longest);
    assert_null(sn_suggest(longer, long_names, 3));
    assert_null(sn_suggest(other, long_names, 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slips_of_the_finger_are_understood),
        cmocka_unit_test(test_case_does_not_matter),
        cmocka_unit_test(test_of_equally_near_names_the_first_is_taken_and_nearer_ones_before),
        cmocka_unit_test(test_other_words_are_not_taken_for_one),
        cmocka_unit_test(test_words_of_any_length_are_safe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
