// JSON as people write it.
#include "scene/scene_kit.h"

#include "scene/json_text.h"
#include "support/random.h"

#include <float.h>
#include <locale.h>
#include <math.h>

static json_t *parse(const char *text)
{
    char *json = json_of(text);
    json_error_t error;
    json_t *value = json_loads(json, JSON_DECODE_ANY, &error);
    assert_non_null(value);
    free(json);
    return value;
}

static void assert_text(const char *value, const char *expected)
{
    json_t *parsed = parse(value);
    char *text = sn_json_text(parsed), *quoted = json_of(expected);
    assert_string_equal(text, quoted);
    free(text);
    free(quoted);
    json_decref(parsed);
}

static void test_leaves_are_printed_as_json_has_them(void **state)
{
    (void)state;
    assert_text("true", "true\n");
    assert_text("null", "null\n");
    assert_text("-12", "-12\n");
    assert_text("0.5", "0.5\n");
    assert_text("'a\\u00e4\\n\\\\'", "'aä\\n\\\\'\n");
    assert_text("[]", "[\n]\n");
}

static void test_short_members_stay_on_one_line(void **state)
{
    (void)state;
    assert_text("{'a': 1, 'b': [1, 2, 3], 'c': {'d': []}}",
                "{\n  'a': 1,\n  'b': [1, 2, 3],\n  'c': {'d': []}\n}\n");
}

static void test_long_members_get_a_line_each(void **state)
{
    (void)state;
    // 100 characters with the two of the margin just fit.
    assert_text(
        "['123456789012345678901234567890123456789012345', ['1234567890123456789012345678901234567890123456'"
        ", '12345678901234567890123456789012345678901234']]",
        "[\n  '123456789012345678901234567890123456789012345',\n"
        "  ['1234567890123456789012345678901234567890123456', "
        "'12345678901234567890123456789012345678901234']\n]\n");
    assert_text(
        "['123456789012345678901234567890123456789012345', ['1234567890123456789012345678901234567890123456'"
        ", '123456789012345678901234567890123456789012345']]",
        "[\n  '123456789012345678901234567890123456789012345',\n"
        "  [\n    '1234567890123456789012345678901234567890123456',\n    "
        "'123456789012345678901234567890123456789012345'\n  ]\n]\n");
}

static void test_the_length_of_a_key_counts(void **state)
{
    (void)state;
    assert_text("{'a_key_of_thirty_letters_or_more': "
                "['1234567890123456789012345678901234567890', '12345678901234567890123']}",
                "{\n  'a_key_of_thirty_letters_or_more': [\n    '1234567890123456789012345678901234567890',\n"
                "    '12345678901234567890123'\n  ]\n}\n");
}

static void assert_number_returns(double value)
{
    json_t *number = json_real(value);
    char *text = sn_json_text(number);
    json_t *back = parse(text);
    assert_true(json_number_value(back) == value);
    json_decref(back);
    free(text);
    json_decref(number);
}

static void test_numbers_come_back_bit_for_bit(void **state)
{
    (void)state;
    const double values[] = {
        0.1,      1.0 / 3.0,          5e-324, DBL_MAX, DBL_MIN, 1e22, 1e23, -0.3, 123.456,
        1e15 + 1, 9007199254740992.0, 1e-7,   2.5,     1e100};
    for (int i = 0; i < COUNT_OF(values); ++i) {
        assert_number_returns(values[i]);
    }
    test_random random = {5};
    for (int i = 0; i < 5000; ++i) {
        uint64_t bits = (uint64_t)test_random_u32(&random) << 32 | test_random_u32(&random);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value)) {
            assert_number_returns(value);
        }
    }
}

static void test_a_comma_for_a_point_in_the_locale_does_no_harm(void **state)
{
    (void)state;
    const char *const locales[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE", "nl_NL.UTF-8"};
    for (int i = 0; i < COUNT_OF(locales) && setlocale(LC_NUMERIC, locales[i]) == NULL; ++i) {
    }
    assert_text("[0.5]", "[\n  0.5\n]\n");
    setlocale(LC_NUMERIC, "C");
}

static void test_wide_values_are_printed(void **state)
{
    (void)state;
    const int count = 100000;
    json_t *list = json_array();
    for (int i = 0; i < count; ++i) {
        json_array_append_new(list, json_pack("[if]", i, 0.5 * i));
    }
    json_t *root = json_pack("{so}", "list", list);
    char *text = sn_json_text(root);
    json_error_t error;
    json_t *back = json_loads(text, 0, &error);
    assert_non_null(back);
    assert_true(json_equal(root, back) || json_array_size(json_object_get(back, "list")) == (size_t)count);
    json_decref(back);
    free(text);
    json_decref(root);
}

// A chain of lists in lists. Unmade from the outside in, because Jansson would go all the way down first.
static json_t *make_deep(int depth)
{
    json_t *value = json_integer(1);
    for (int i = 0; i < depth; ++i) {
        json_t *list = json_array();
        json_array_append_new(list, value);
        value = list;
    }
    return value;
}

static void unmake_deep(json_t *value)
{
    while (json_is_array(value)) {
        json_t *inner = json_incref(json_array_get(value, 0));
        json_array_clear(value);
        json_decref(value);
        value = inner;
    }
    json_decref(value);
}

static void test_values_as_deep_as_can_be_read_are_printed(void **state)
{
    (void)state;
    json_t *deep = make_deep(2000);
    char *text = sn_json_text(deep);
    assert_non_null(text);
    json_error_t error;
    json_t *back = json_loads(text, 0, &error);
    assert_non_null(back);
    unmake_deep(back);
    free(text);
    unmake_deep(deep);
}

static void test_values_deeper_than_can_be_read_are_refused(void **state)
{
    (void)state;
    json_t *deep = make_deep(100000);
    assert_null(sn_json_text(deep));
    unmake_deep(deep);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_leaves_are_printed_as_json_has_them),
        cmocka_unit_test(test_short_members_stay_on_one_line),
        cmocka_unit_test(test_long_members_get_a_line_each),
        cmocka_unit_test(test_the_length_of_a_key_counts),
        cmocka_unit_test(test_numbers_come_back_bit_for_bit),
        cmocka_unit_test(test_a_comma_for_a_point_in_the_locale_does_no_harm),
        cmocka_unit_test(test_wide_values_are_printed),
        cmocka_unit_test(test_values_as_deep_as_can_be_read_are_printed),
        cmocka_unit_test(test_values_deeper_than_can_be_read_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
