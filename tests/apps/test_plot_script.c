// The gnuplot script: panels by unit, legends where they are needed, texts that cannot get out of their
// quotes.
#include "apps/capture.h"
#include "apps/plot_script.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static char path[64];

static table table_of(const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    table t;
    assert_true(table_read(&t, path));
    return t;
}

static plot plot_of(const table *t)
{
    plot p = {.output = "out.svg", .x_title = t->columns.items[0].title};
    for (int y = 1; y < t->columns.count; ++y) {
        assert_true(plot_add(&p, t, 0, y));
    }
    return p;
}

static char *script_of(const plot *p)
{
    FILE *file = tmpfile();
    plot_script_write(p, file);
    char *text = capture_read(file);
    fclose(file);
    return text;
}

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at += strlen(part)) {
        ++count;
    }
    return count;
}

static void test_columns_of_one_unit_share_a_panel(void **state)
{
    (void)state;
    table t = table_of("time [s],a [J],b [m],c [J],d\n0,1,2,3,4\n1,5,6,7,8\n");
    plot p = plot_of(&t);
    assert_int_equal(p.units.count, 3);
    char *script = script_of(&p);
    assert_int_equal(count_of(script, "\nplot "), 3);
    assert_says(script, "title 'a' noenhanced, \\\n    $curve3");
    assert_says(script, "set ylabel '[J]'");
    assert_says(script, "set ylabel 'b [m]'");
    assert_says(script, "set ylabel 'd'");
    assert_int_equal(count_of(script, "set key"), 1);
    assert_int_equal(count_of(script, "set xlabel 'time [s]'"), 1);
    assert_says(script, "$curve2 << end_of_curve\n0 2\n1 6\nend_of_curve\n");
    assert_says(script, "set xrange [0:1]\n");
    free(script);
    plot_release(&p);
    table_release(&t);
}

static void test_empty_cells_are_gaps(void **state)
{
    (void)state;
    table t = table_of("t,a\n0,1\n1,\n2,3\n");
    plot p = plot_of(&t);
    char *script = script_of(&p);
    assert_says(script, "0 1\n1 NaN\n2 3\n");
    free(script);
    plot_release(&p);
    table_release(&t);
}

static void test_texts_stay_in_their_quotes(void **state)
{
    (void)state;
    table t = table_of("t,\"it's `id`\nsystem 'id'\",b\n0,1,2\n1,2,3\n");
    plot p = plot_of(&t);
    p.title = "a'\n!touch b";
    p.output = "|touch c.svg";
    char *script = script_of(&p);
    assert_says(script, "title 'it''s `id` system ''id''' noenhanced");
    assert_says(script, "set label 'a'' !touch b' at screen");
    assert_says(script, "set output './|touch c.svg'\n");
    assert_null(strstr(script, "\nsystem"));
    assert_null(strstr(script, "\n!"));
    free(script);
    plot_release(&p);
    table_release(&t);
}

static void test_formats_have_their_terminals_and_size(void **state)
{
    (void)state;
    table t = table_of("t,a\n0,1\n1,2\n");
    plot p = plot_of(&t);
    p.width = 480;
    p.height = 192;
    const char *terminals[] = {"set terminal svg size 480,192 ", "set terminal pngcairo size 480,192 ",
                               "set terminal pdfcairo size 5in,2in "};
    for (int i = 0; i < 3; ++i) {
        p.format = (plot_format)i;
        p.output = "/tmp/x";
        char *script = script_of(&p);
        assert_says(script, terminals[i]);
        assert_says(script, "set output '/tmp/x'\n");
        free(script);
    }
    plot_release(&p);
    table_release(&t);
}

static void test_page_grows_with_panels_and_legends(void **state)
{
    (void)state;
    char text[4096] = "t [s]";
    for (int i = 0; i < 40; ++i) {
        snprintf(text + strlen(text), sizeof text - strlen(text), ",curve %d [m]", i);
    }
    for (int row = 0; row < 2; ++row) {
        snprintf(text + strlen(text), sizeof text - strlen(text), "\n%d", row);
        for (int i = 0; i < 40; ++i) {
            snprintf(text + strlen(text), sizeof text - strlen(text), ",%d", i);
        }
    }
    table t = table_of(text);
    plot p = plot_of(&t);
    char *script = script_of(&p);
    int width = 0, height = 0;
    assert_int_equal(sscanf(script, "set terminal svg size %d,%d", &width, &height), 2);
    assert_true(height > 40 * 18);
    free(script);
    plot_release(&p);
    table_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns_of_one_unit_share_a_panel),
        cmocka_unit_test(test_empty_cells_are_gaps),
        cmocka_unit_test(test_texts_stay_in_their_quotes),
        cmocka_unit_test(test_formats_have_their_terminals_and_size),
        cmocka_unit_test(test_page_grows_with_panels_and_legends),
    };
    char *folder = capture_folder();
    snprintf(path, sizeof path, "%s/table.csv", folder);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    capture_remove(folder);
    return failed;
}
