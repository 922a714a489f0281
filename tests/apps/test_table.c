// Comma-separated tables: what RFC 4180 allows is read, what it does not is told with its line.
#include "apps/capture.h"
#include "apps/table.h"
#include "sinew_scene/scene.h"
#include "support/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static char path[64];

static bool read_text(table *table, const char *text, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    fclose(file);
    return table_read(table, path);
}

static void test_titles_are_split_into_name_and_unit(void **state)
{
    (void)state;
    const char text[] = "time [s],plain,a[b],\"x, y [m/s]\",\"say \"\"hi\"\" []\",]\n1,2,3,4,5,6\n";
    table t;
    assert_true(read_text(&t, text, sizeof text - 1));
    const char *names[] = {"time", "plain", "a[b]", "x, y", "say \"hi\"", "]"};
    const char *units[] = {"s", "", "", "m/s", "", ""};
    assert_int_equal(t.columns.count, 6);
    for (int i = 0; i < 6; ++i) {
        assert_string_equal(t.columns.items[i].name, names[i]);
        assert_string_equal(t.columns.items[i].unit, units[i]);
        assert_int_equal(table_find(&t, names[i]), i);
        assert_int_equal(table_find(&t, t.columns.items[i].title), i);
        assert_true(table_value(&t, 0, i) == i + 1);
    }
    assert_int_equal(table_find(&t, "tim"), -1);
    assert_string_equal(table_suggest(&t, "tmie"), "time");
    table_release(&t);
}

static void test_cells_may_be_empty_quoted_or_not_finite(void **state)
{
    (void)state;
    const char text[] = "\xef\xbb\xbf"
                        "a,b\r\n1,\"2\"\r\n,-3e2\r\n\r\n nan ,\tinf\r\n\"\", 7 ";
    table t;
    assert_true(read_text(&t, text, sizeof text - 1));
    assert_string_equal(t.columns.items[0].name, "a");
    assert_int_equal(t.row_count, 4);
    assert_true(table_value(&t, 0, 0) == 1.0 && table_value(&t, 0, 1) == 2.0);
    assert_true(isnan(table_value(&t, 1, 0)) && table_value(&t, 1, 1) == -300.0);
    assert_true(isnan(table_value(&t, 2, 0)) && isnan(table_value(&t, 2, 1)));
    assert_true(isnan(table_value(&t, 3, 0)) && table_value(&t, 3, 1) == 7.0);
    table_release(&t);
}

static void test_empty_lines_of_a_single_column_are_gaps(void **state)
{
    (void)state;
    table t;
    assert_true(read_text(&t, "a\n1\n\n3\n", 7));
    assert_int_equal(t.row_count, 3);
    assert_true(isnan(table_value(&t, 1, 0)));
    table_release(&t);
}

static void test_mistakes_are_told_with_their_line(void **state)
{
    (void)state;
    const struct {
        const char *text, *place, *words;
    } cases[] = {
        {"", ": ", "is empty"},
        {"a,b\n", ": ", "no lines after the titles"},
        {"1,2\n3,4\n", ":1: ", "no titles"},
        {"a,b\n1,2\n3,x4\n", ":3: ", "column \"b\" has \"x4\", expected a number"},
        {"a,b\n1,2 3\n", ":2: ", "\"2 3\""},
        {"a,b\n1,2\n3\n", ":3: ", "1 cells, expected 2"},
        {"a,b\n1,2\n3,4,5\n", ":3: ", "3 cells, expected 2"},
        {"\"a\nb\",c\n1,2\n3,?\n", ":4: ", "\"?\""},
        {"a,b\n1,\"2\n3,4\n", ":2: ", "never closed"},
        {"a,b\n1,\"2\"x\n", ":2: ", "after a closing quotation mark"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        table t;
        assert_false(read_text(&t, cases[i].text, strlen(cases[i].text)));
        char place[96];
        snprintf(place, sizeof place, "%s%s", path, cases[i].place);
        assert_says(sn_scene_error(), place);
        assert_says(sn_scene_error(), cases[i].words);
        table_release(&t);
    }
    table t;
    assert_false(read_text(&t, "a,b\n1,2\0\n", 9));
    assert_says(sn_scene_error(), ":2: a zero byte");
    table_release(&t);
    assert_false(table_read(&t, "/nowhere/trace.csv"));
    assert_says(sn_scene_error(), "/nowhere/trace.csv: cannot be read");
    table_release(&t);
}

static void test_too_many_columns_are_refused(void **state)
{
    (void)state;
    char *text = malloc(10001);
    assert_non_null(text);
    memset(text, ',', 10000);
    text[0] = 'a';
    table t;
    assert_false(read_text(&t, text, 10000));
    assert_says(sn_scene_error(), "more than 4096 columns");
    table_release(&t);
    free(text);
}

// Whatever the bytes are, the answer is a table or a message.
static void test_random_bytes_do_no_harm(void **state)
{
    (void)state;
    static const char letters[] = "a1,\"\n\r .e-[]\0x";
    test_random random = {11};
    for (int round = 0; round < 2000; ++round) {
        char text[40];
        size_t size = test_random_u32(&random) % sizeof text;
        for (size_t i = 0; i < size; ++i) {
            text[i] = letters[test_random_u32(&random) % (sizeof letters - 1)];
        }
        table t;
        if (read_text(&t, text, size)) {
            assert_true(t.row_count > 0 && t.values.count == t.row_count * t.columns.count);
        } else {
            assert_true(strlen(sn_scene_error()) > 0);
        }
        table_release(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_titles_are_split_into_name_and_unit),
        cmocka_unit_test(test_cells_may_be_empty_quoted_or_not_finite),
        cmocka_unit_test(test_empty_lines_of_a_single_column_are_gaps),
        cmocka_unit_test(test_mistakes_are_told_with_their_line),
        cmocka_unit_test(test_too_many_columns_are_refused),
        cmocka_unit_test(test_random_bytes_do_no_harm),
    };
    char *folder = capture_folder();
    snprintf(path, sizeof path, "%s/table.csv", folder);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    capture_remove(folder);
    return failed;
}
