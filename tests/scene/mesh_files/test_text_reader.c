// Words, lines and numbers of texts: what is found where, and that numbers are rounded as strtof rounds them.
#include "scene/mesh_kit.h"

#include "scene/text_reader.h"

#include <locale.h>

static sn_text_reader reader_of(const char *text)
{
    return sn_text_begin(text, strlen(text), "a.txt");
}

static void check_next(sn_text_reader *reader, const char *expected, size_t line)
{
    sn_word word;
    assert_true(sn_text_next(reader, &word));
    assert_true(sn_word_is(word, expected));
    assert_int_equal(reader->line, line);
}

static bool parse_float(const char *text, float *value)
{
    return sn_word_float((sn_word){text, strlen(text)}, value);
}

static bool parse_integer(const char *text, int64_t *value)
{
    return sn_word_integer((sn_word){text, strlen(text)}, value);
}

static void test_words_know_their_line(void **state)
{
    (void)state;
    sn_text_reader reader = reader_of("\xEF\xBB\xBF one\ttwo\r\n\r\n\nthree\v\ffour");
    check_next(&reader, "one", 1);
    check_next(&reader, "two", 1);
    check_next(&reader, "three", 4);
    check_next(&reader, "four", 4);
    sn_word word;
    assert_false(sn_text_next(&reader, &word));
    assert_int_equal(sn_text_left(&reader), 0);
}

static void test_reading_by_lines_stops_at_their_ends(void **state)
{
    (void)state;
    sn_text_reader reader = reader_of("a b\n\n c # d\n#e");
    reader.by_lines = true;
    reader.comment = '#';
    sn_word word;
    check_next(&reader, "a", 1);
    assert_int_equal(sn_text_end_line(&reader), SN_ERROR_FORMAT);
    assert_string_equal(sn_scene_error(), "a.txt:1: \"b\", expected the end of the line");
    check_next(&reader, "b", 1);
    assert_int_equal(sn_text_end_line(&reader), SN_OK);
    assert_false(sn_text_next(&reader, &word));
    assert_true(sn_text_next_line(&reader));
    assert_false(sn_text_next(&reader, &word));
    assert_true(sn_text_next_line(&reader));
    check_next(&reader, "c", 3);
    assert_false(sn_text_next(&reader, &word));
    assert_true(sn_text_next_line(&reader));
    assert_false(sn_text_next(&reader, &word));
    assert_false(sn_text_next_line(&reader));
}

static void test_continued_lines_are_one_line(void **state)
{
    (void)state;
    sn_text_reader reader = reader_of("a\\\nb \\\r\n c\\d \\ e\nf skip \\\nskipped\\\r\ntoo\ng \\");
    reader.by_lines = true;
    reader.continued = true;
    check_next(&reader, "a", 1);
    check_next(&reader, "b", 2);
    check_next(&reader, "c\\d", 3);
    check_next(&reader, "\\", 3);
    check_next(&reader, "e", 3);
    assert_true(sn_text_next_line(&reader));
    check_next(&reader, "f", 4);
    assert_true(sn_text_next_line(&reader));
    check_next(&reader, "g", 7);
    check_next(&reader, "\\", 7);
}

static void test_words_compare_whole(void **state)
{
    (void)state;
    sn_word word = {"Nodes", 5};
    assert_true(sn_word_is(word, "Nodes"));
    assert_false(sn_word_is(word, "nodes"));
    assert_false(sn_word_is(word, "Node"));
    assert_false(sn_word_is(word, "Nodes2"));
    assert_true(sn_word_is_any_case(word, "nODES"));
    assert_false(sn_word_is_any_case(word, "Node"));
    assert_false(sn_word_is_any_case(word, "Nodes2"));
    assert_false(sn_word_is_any_case(word, ""));
}

static void test_quoted_words_are_short_and_printable(void **state)
{
    (void)state;
    assert_string_equal(sn_word_quote((sn_word){"a\x01\x80z", 4}).text, "\"a??z\"");
    assert_string_equal(sn_word_quote((sn_word){"", 0}).text, "\"\"");
    char longest[100];
    memset(longest, 'x', sizeof longest);
    assert_string_equal(sn_word_quote((sn_word){longest, 40}).text,
                        "\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"");
    assert_string_equal(sn_word_quote((sn_word){longest, 41}).text,
                        "\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...\"");
}

static void test_integers_are_read_strictly(void **state)
{
    (void)state;
    int64_t value;
    assert_true(parse_integer("9223372036854775807", &value) && value == INT64_MAX);
    assert_true(parse_integer("-9223372036854775807", &value) && value == -INT64_MAX);
    assert_true(parse_integer("+007", &value) && value == 7);
    static const char *const bad[] = {"",     "-",   "+",  "1.0", "1e3",
                                      "0x10", "12a", " 1", "--1", "9223372036854775808"};
    for (size_t i = 0; i < COUNT_OF(bad); ++i) {
        assert_false(parse_integer(bad[i], &value));
    }
}

static void test_what_is_no_finite_number_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",     "-",     ".",       "e5",           "1e",           "1e+", "1.2.3", "1,5",
        "nan",  "NAN",   "inf",     "-inf",         "0x1",          "1f",  "1 ",    "infinity",
        "1e39", "-1e39", "1e99999", "3.4028236e38", "1e2147483648", "--1", "+-1",   "1e1.5"};
    for (size_t i = 0; i < COUNT_OF(bad); ++i) {
        float value;
        assert_false(parse_float(bad[i], &value));
    }
    char digits[129];
    memset(digits, '1', sizeof digits);
    digits[1] = '.';
    float value;
    assert_true(sn_word_float((sn_word){digits, 127}, &value) && value == 1.11111111f);
    assert_false(sn_word_float((sn_word){digits, 128}, &value));
}

static void check_like_strtof(const char *text)
{
    float value;
    assert_true(parse_float(text, &value));
    float expected = strtof(text, NULL);
    if (memcmp(&value, &expected, sizeof value) != 0) {
        fail_msg("%s is read as %.9g, expected %.9g", text, (double)value, (double)expected);
    }
}

static void test_numbers_round_correctly_where_it_is_hard(void **state)
{
    (void)state;
    static const char *const hard[] = {
        "0",
        "-0",
        "0.0e-400",
        "1e-400",
        "1e-46",
        "0.7e-45",
        "7.0064923216240854e-46",
        "7.0064923216240862e-46",
        // Halfway between two floats, and as little as a double can tell, or less, to either side.
        "16777217",
        "16777219",
        "16777217.000000001",
        "16777216.999999999",
        "16777217.0000000000000000000001",
        "16777216.99999999999999999999999",
        "16777219.0000000000000000000001",
        "1.00000005960464477539062",
        "1.000000059604644775390625",
        "1.0000000596046447753906250000001",
        "1.0000001788139343261718750000001",
        "9007199254740993",
        "9007199791611904.5",
        "9007199791611905",
        "18446744073709551615",
        "18446744073709551616",
        "340282346638528859811704183484516925440",
        "3.40282356e38",
        "1.17549435e-38",
        "1.17549421e-38",
        "123456789012345678901234567890e-25",
        ".5",
        "5.",
        "5.e0",
        "+.5E+1",
        "0000000000000000001",
        "0.00000000000000000000000000000000000000000001e44",
        "1e22",
        "1e23",
        "1e-22",
        "1e-23",
        "9007199254740992e22",
    };
    for (size_t i = 0; i < COUNT_OF(hard); ++i) {
        check_like_strtof(hard[i]);
    }
}

static void test_random_numbers_round_as_strtof_rounds_them(void **state)
{
    (void)state;
    test_random random = {7};
    char text[64];
    for (int i = 0; i < 200000; ++i) {
        uint32_t bits = test_random_u32(&random);
        float value;
        memcpy(&value, &bits, sizeof value);
        if (sn_is_finite(value)) {
            static const char *const formats[] = {"%.9g", "%.17g", "%g", "%.3f", "%.20e"};
            snprintf(text, sizeof text, formats[i % 5], (double)value);
            check_like_strtof(text);
        }
        snprintf(text, sizeof text, "%u.%u%ue%d", test_random_u32(&random) >> (i % 32),
                 test_random_u32(&random), test_random_u32(&random),
                 (int)(test_random_u32(&random) % 60) - 40);
        check_like_strtof(text);
    }
}

// Nine digits are enough to get any float back.
static void test_nine_digits_bring_every_float_back(void **state)
{
    (void)state;
    for (uint64_t bits = 0; bits < 0x7F800000u; bits += 4099) {
        uint32_t kept = (uint32_t)bits, back_bits;
        float value, back;
        memcpy(&value, &kept, sizeof value);
        char text[32];
        snprintf(text, sizeof text, "%.9g", (double)value);
        assert_true(parse_float(text, &back));
        memcpy(&back_bits, &back, sizeof back_bits);
        assert_int_equal(kept, back_bits);
    }
}

static void test_the_locale_does_not_matter(void **state)
{
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE", "nl_NL.UTF-8"};
    bool found = false;
    for (size_t i = 0; i < COUNT_OF(names) && !found; ++i) {
        found = setlocale(LC_ALL, names[i]) != NULL;
    }
    if (!found) {
        skip(); // no locale with a decimal comma on this machine
    }
    float value;
    assert_true(strtof("1,5", NULL) == 1.5f);
    assert_true(parse_float("1.5", &value) && value == 1.5f);
    assert_true(parse_float("1.50000000000000000000000000001e0", &value) && value == 1.5f);
    assert_false(parse_float("1,5", &value));
    assert_false(parse_float("1,50000000000000000000000000001e0", &value));
    sn_mesh_data data = awkward_mesh(SN_MESH_EDGES | SN_MESH_TRIANGLES | SN_MESH_TETRAHEDRA);
    check_round_trip("mesh.msh", &data);
    setlocale(LC_ALL, "C");
}

static void test_numbers_out_of_range_say_what_was_expected(void **state)
{
    (void)state;
    sn_text_reader reader = reader_of("12 x\n1.5 7 1e6");
    int64_t integer;
    float number;
    assert_int_equal(sn_text_read_integer(&reader, "a", 0, 12, &integer), SN_OK);
    assert_int_equal(integer, 12);
    assert_int_equal(sn_text_read_integer(&reader, "age", 0, 12, &integer), SN_ERROR_FORMAT);
    assert_string_equal(sn_scene_error(), "a.txt:1: age is \"x\", expected a whole number from 0 to 12");
    assert_int_equal(sn_text_read_integer(&reader, "age", 3, 3, &integer), SN_ERROR_FORMAT);
    assert_string_equal(sn_scene_error(), "a.txt:2: age is \"1.5\", expected 3");
    assert_int_equal(sn_text_read_float(&reader, "b", 0.0f, 7.0f, &number), SN_OK);
    assert_true(number == 7.0f);
    assert_int_equal(sn_text_read_float(&reader, "size", -0.5f, 7.0f, &number), SN_ERROR_FORMAT);
    assert_string_equal(sn_scene_error(), "a.txt:2: size is \"1e6\", expected a number from -0.5 to 7");
    assert_int_equal(sn_text_read_float(&reader, "size", -0.5f, 7.0f, &number), SN_ERROR_FORMAT);
    assert_string_equal(sn_scene_error(), "a.txt:2: the file ends, expected size");
}

static void test_counts_that_the_file_cannot_hold_are_refused(void **state)
{
    (void)state;
    int count;
    sn_text_reader reader = reader_of("3 a a a");
    assert_int_equal(sn_text_read_count(&reader, "letters", 100, 2, &count), SN_OK);
    assert_int_equal(count, 3);
    reader = reader_of("5 a a a");
    assert_int_equal(sn_text_read_count(&reader, "letters", 100, 2, &count), SN_ERROR_FORMAT);
    assert_string_equal(sn_scene_error(),
                        "a.txt:1: number of letters is 5, but what is left of the file has room "
                        "for 3, expected no more");
    assert_int_equal(count, 0);
    reader = reader_of("101 a a a");
    assert_int_equal(sn_text_read_count(&reader, "letters", 100, 2, &count), SN_ERROR_FORMAT);
    assert_string_equal(sn_scene_error(),
                        "a.txt:1: number of letters is \"101\", expected a whole number from 0 to 100");
}

static void test_words_are_skipped_and_expected(void **state)
{
    (void)state;
    sn_text_reader reader = reader_of("1 2 3 END 4");
    assert_int_equal(sn_text_skip_words(&reader, "a number", 3), SN_OK);
    assert_int_equal(sn_text_expect(&reader, "end"), SN_OK);
    sn_text_reader bookmark = reader;
    assert_int_equal(sn_text_expect(&reader, "five"), SN_ERROR_FORMAT);
    assert_string_equal(sn_scene_error(), "a.txt:1: \"4\", expected five");
    check_next(&bookmark, "4", 1);
    assert_int_equal(sn_text_skip_words(&bookmark, "a number", INT64_MAX), SN_ERROR_FORMAT);
    assert_string_equal(sn_scene_error(), "a.txt:1: the file ends, expected a number");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words_know_their_line),
        cmocka_unit_test(test_reading_by_lines_stops_at_their_ends),
        cmocka_unit_test(test_continued_lines_are_one_line),
        cmocka_unit_test(test_words_compare_whole),
        cmocka_unit_test(test_quoted_words_are_short_and_printable),
        cmocka_unit_test(test_integers_are_read_strictly),
        cmocka_unit_test(test_what_is_no_finite_number_is_refused),
        cmocka_unit_test(test_numbers_round_correctly_where_it_is_hard),
        cmocka_unit_test(test_random_numbers_round_as_strtof_rounds_them),
        cmocka_unit_test(test_nine_digits_bring_every_float_back),
        cmocka_unit_test(test_the_locale_does_not_matter),
        cmocka_unit_test(test_numbers_out_of_range_say_what_was_expected),
        cmocka_unit_test(test_counts_that_the_file_cannot_hold_are_refused),
        cmocka_unit_test(test_words_are_skipped_and_expected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
