// Places of values in a text.
#include "scene/scene_kit.h"

#include "scene/locate.h"

static sn_place locate(const char *text, const sn_path_step *steps, int count, bool key_itself)
{
    return sn_locate(text, strlen(text), steps, count, key_itself);
}

static void assert_place(sn_place place, int line, int column, bool is_exact)
{
    assert_int_equal(place.line, line);
    assert_int_equal(place.column, column);
    assert_int_equal(place.is_exact, is_exact);
}

static void test_keys_and_indices_lead_to_a_value_or_its_key(void **state)
{
    (void)state;
    const char text[] = "{\n  \"a\": 1,\n  \"list\": [10, {\"x\": [7, 8, 9]}, 30]\n}\n";
    assert_place(locate(text, NULL, 0, false), 1, 1, true);
    assert_place(locate(text, (sn_path_step[]){{"a", 0}}, 1, false), 2, 8, true);
    assert_place(locate(text, (sn_path_step[]){{"a", 0}}, 1, true), 2, 3, true);
    sn_path_step deep[] = {{"list", 0}, {NULL, 1}, {"x", 0}, {NULL, 2}};
    assert_place(locate(text, deep, 4, false), 3, 29, true);
    assert_place(locate(text, deep, 3, true), 3, 17, true);
    assert_place(locate(text, deep, 2, false), 3, 16, true);
    assert_place(locate(text, (sn_path_step[]){{"list", 0}, {NULL, 2}}, 2, false), 3, 34, true);
}

static void test_what_is_not_there_is_looked_for_as_deep_as_possible(void **state)
{
    (void)state;
    const char text[] = "{\"a\": {\"b\": []}, \"c\": 5}";
    assert_place(locate(text, (sn_path_step[]){{"z", 0}}, 1, true), 1, 1, false);
    assert_place(locate(text, (sn_path_step[]){{"a", 0}, {"z", 0}}, 2, true), 1, 7, false);
    assert_place(locate(text, (sn_path_step[]){{"a", 0}, {"b", 0}, {NULL, 0}}, 3, false), 1, 13, false);
    assert_place(locate(text, (sn_path_step[]){{"c", 0}, {"d", 0}}, 2, false), 1, 23, false);
    assert_place(locate(text, (sn_path_step[]){{"a", 0}, {NULL, 3}}, 2, false), 1, 7, false);
    assert_place(locate("[1, 2]", (sn_path_step[]){{NULL, 2}}, 1, false), 1, 1, false);
}

static void test_brackets_and_quotes_in_texts_do_not_count(void **state)
{
    (void)state;
    const char text[] = "{\"a\": \"}]\\\"{\", \"b\": [\"[\", \"\\\\\"], \"c\": true}";
    assert_place(locate(text, (sn_path_step[]){{"c", 0}}, 1, false), 1, 39, true);
    assert_place(locate(text, (sn_path_step[]){{"b", 0}, {NULL, 1}}, 2, false), 1, 27, true);
}

static void test_columns_count_characters_and_lines_any_end(void **state)
{
    (void)state;
    const char text[] = "{\"\u00fc\": 1, \"\u20ac\": 2,\r\n\t\"c\": 3}";
    assert_place(locate(text, (sn_path_step[]){{"\u20ac", 0}}, 1, false), 1, 15, true);
    assert_place(locate(text, (sn_path_step[]){{"c", 0}}, 1, false), 2, 7, true);
}

static void test_a_key_that_begins_another_is_not_taken_for_it(void **state)
{
    (void)state;
    const char text[] = "{\"radius_x\": 1, \"radius\": 2}";
    assert_place(locate(text, (sn_path_step[]){{"radius", 0}}, 1, true), 1, 17, true);
}

// The text is JSON when it is asked about; nothing breaks if it is not.
static void test_no_text_makes_it_read_beyond_its_end(void **state)
{
    (void)state;
    const char text[] = "{\"a\": [\"b\\\"\", {\"c\": [1, {\"d\": \"\\u1234\"}]}], \"e\": {}}";
    sn_path_step steps[] = {{"a", 0}, {NULL, 1}, {"c", 0}, {NULL, 1}, {"d", 0}};
    for (size_t size = 0; size <= strlen(text); ++size) {
        char *exact = malloc(size + 1);
        memcpy(exact, text, size);
        exact[size] = '?';
        for (int count = 0; count <= COUNT_OF(steps); ++count) {
            sn_place place = sn_locate(exact, size, steps, count, count % 2 == 0);
            assert_int_equal(place.line, 1);
            assert_in_range(place.column, 1, size + 1);
        }
        free(exact);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys_and_indices_lead_to_a_value_or_its_key),
        cmocka_unit_test(test_what_is_not_there_is_looked_for_as_deep_as_possible),
        cmocka_unit_test(test_brackets_and_quotes_in_texts_do_not_count),
        cmocka_unit_test(test_columns_count_characters_and_lines_any_end),
        cmocka_unit_test(test_a_key_that_begins_another_is_not_taken_for_it),
        cmocka_unit_test(test_no_text_makes_it_read_beyond_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
