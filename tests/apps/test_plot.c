// `sinew plot`: files that gnuplot draws, and everything that can be wrong with the command line.
#include "apps/capture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const char trace[] = "time [s],height [m],speed [m/s],\"angle, left [rad]\",void [m]\n"
                            "0,1,0,0.1,\n0.5,0.8,-1,0.2,\n1,0.2,-2,-0.3,\n";

static bool gnuplot_is_there(void)
{
    captured c = {0};
    char *folder = capture_folder();
    capture_file(folder, "a.csv", trace);
    c = capture("plot %s/a.csv -o %s/a.svg", folder);
    bool there = strstr(c.err, "not installed") == NULL;
    captured_release(&c);
    capture_remove(folder);
    return there;
}

static char *read_file(const char *folder, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = capture_read(file);
    fclose(file);
    return text;
}

static void test_every_format_is_drawn(void **state)
{
    (void)state;
    if (!gnuplot_is_there()) {
        skip();
    }
    char *folder = capture_folder();
    capture_file(folder, "a.csv", trace);
    const char *lines[] = {"plot %s/a.csv -o %s/a.svg --title Fall", "plot %s/a.csv -o %s/a.PNG",
                           "plot %s/a.csv -o %s/a.pdf --size 400x300 --x=height"};
    const char *names[] = {"a.svg", "a.PNG", "a.pdf"}, *begins[] = {"<?xml", "\x89PNG", "%PDF"};
    for (int i = 0; i < 3; ++i) {
        captured c = capture(lines[i], folder);
        assert_int_equal(c.code, EXIT_FINE);
        assert_says(c.out, "3 curves in 3 panels");
        assert_says(c.err, "column \"void [m]\" has no values and is left out");
        captured_release(&c);
        char *text = read_file(folder, names[i]);
        assert_memory_equal(text, begins[i], strlen(begins[i]));
        if (i == 0) {
            assert_says(text, "angle, left [rad]");
            assert_says(text, "Fall");
            assert_says(text, "</svg>");
        }
        free(text);
    }
    capture_remove(folder);
}

static void test_several_traces_share_panels_and_are_named_in_the_legend(void **state)
{
    (void)state;
    if (!gnuplot_is_there()) {
        skip();
    }
    char *folder = capture_folder();
    capture_file(folder, "a.csv", trace);
    capture_file(folder, "b.csv", "time [s],speed [m/s],height [m]\n0,1,2\n2,3,4\n");
    captured c = capture("plot %s/a.csv %s/b.csv -o %s/ab.svg -c height,speed --script %s/ab.gp", folder);
    assert_int_equal(c.code, EXIT_FINE);
    assert_string_equal(c.err, "");
    assert_says(c.out, "4 curves in 2 panels");
    captured_release(&c);
    char *script = read_file(folder, "ab.gp");
    assert_says(script, "title 'height · a.csv'");
    assert_says(script, "title 'speed · b.csv'");
    assert_says(script, "set xrange [0:2]");
    free(script);
    capture_remove(folder);
}

static void test_script_that_is_kept_draws_the_same_plot_again(void **state)
{
    (void)state;
    if (!gnuplot_is_there()) {
        skip();
    }
    char *folder = capture_folder();
    capture_file(folder, "a.csv", trace);
    captured c = capture("plot %s/a.csv -o %s/a.svg --script %s/a.gp", folder);
    assert_int_equal(c.code, EXIT_FINE);
    captured_release(&c);
    char *first = read_file(folder, "a.svg");
    char command[256];
    snprintf(command, sizeof command, "gnuplot -d %s/a.gp", folder);
    assert_int_equal(system(command), 0);
    char *second = read_file(folder, "a.svg");
    assert_string_equal(first, second);
    free(first);
    free(second);
    capture_remove(folder);
}

static void test_logarithmic_scale_leaves_out_what_is_never_above_zero(void **state)
{
    (void)state;
    if (!gnuplot_is_there()) {
        skip();
    }
    char *folder = capture_folder();
    capture_file(folder, "a.csv", trace);
    captured c = capture("plot %s/a.csv -o %s/a.svg --log y", folder);
    assert_int_equal(c.code, EXIT_FINE);
    assert_says(c.out, "2 curves in 2 panels");
    assert_says(c.err, "\"speed [m/s]\" has no values above zero");
    captured_release(&c);
    capture_remove(folder);
}

static void test_names_are_no_commands(void **state)
{
    (void)state;
    if (!gnuplot_is_there()) {
        skip();
    }
    char *folder = capture_folder();
    char text[512];
    snprintf(text, sizeof text,
             "t,\"x' ; system 'touch %s/hacked' ; '\",\"`touch %s/hacked`\"\n0,1,2\n1,2,3\n", folder, folder);
    capture_file(folder, "a.csv", text);
    char old[1024];
    assert_non_null(getcwd(old, sizeof old));
    assert_int_equal(chdir(folder), 0);
    captured c = capture("plot a.csv -o |touch${IFS}hacked;.svg", folder);
    assert_int_equal(c.code, EXIT_FINE);
    captured_release(&c);
    assert_int_equal(chdir(old), 0);
    assert_true(capture_exists(folder, "|touch${IFS}hacked;.svg"));
    assert_false(capture_exists(folder, "hacked"));
    assert_false(capture_exists(folder, "hacked;.svg"));
    capture_remove(folder);
}

static void test_missing_gnuplot_is_told_with_how_to_install_it(void **state)
{
    (void)state;
    char *folder = capture_folder(), *old = strdup(getenv("PATH"));
    capture_file(folder, "a.csv", trace);
    setenv("PATH", folder, 1);
    captured c = capture("plot %s/a.csv -o %s/a.svg", folder);
    setenv("PATH", old, 1);
    assert_int_equal(c.code, EXIT_FAILED);
    assert_string_equal(c.out, "");
    assert_says(c.err, "gnuplot is not installed");
    assert_says(c.err, "apt install gnuplot");
    captured_release(&c);
    free(old);
    capture_remove(folder);
}

static void test_bad_lines_are_told(void **state)
{
    (void)state;
    char *folder = capture_folder();
    capture_file(folder, "a.csv", trace);
    capture_file(folder, "bad.csv", "time [s],a\n0,1\n1,oops\n");
    capture_file(folder, "void.csv", "time [s],a\n0,\n1,\n");
    const bad_line lines[] = {
        {"plot", EXIT_USAGE, "TRACE.csv|missing"},
        {"plot %s/a.csv", EXIT_USAGE, "-o is missing|.svg, .png or .pdf"},
        {"plot %s/a.csv -o %s/a.gif", EXIT_USAGE, "a.gif|.svg, .png or .pdf"},
        {"plot %s/a.csv -o %s/a.svg --size 10x10", EXIT_USAGE, "--size|too small"},
        {"plot %s/a.csv -o %s/a.svg --log z", EXIT_USAGE, "--log|'z'|y"},
        {"plot %s/a.csv -o %s/a.svg --colums height", EXIT_USAGE, "--colums|--columns"},
        {"plot %s/none.csv -o %s/a.svg", EXIT_FAILED, "none.csv|cannot be read"},
        {"plot %s/bad.csv -o %s/a.svg", EXIT_FAILED, "bad.csv:3: |\"oops\"|expected a number"},
        {"plot %s/void.csv -o %s/a.svg -c a", EXIT_FAILED, "\"a\" has no values to draw"},
        {"plot %s/a.csv -o %s/a.svg -c hieght", EXIT_FAILED, "no column \"hieght\"|did you mean \"height\"?"},
        {"plot %s/a.csv -o %s/a.svg -c height,zzzzzzzz", EXIT_FAILED, "no column \"zzzzzzzz\""},
        {"plot %s/a.csv -o %s/a.svg --x timme", EXIT_FAILED, "no column \"timme\"|did you mean \"time\"?"},
        {"plot %s/a.csv -o %s/a.svg -c speed --log y", EXIT_FAILED, "above zero"},
        {"plot %s/a.csv -o %s/no/a.svg", EXIT_FAILED, "no/a.svg|cannot be written"},
        {"plot %s/a.csv -o %s/a.svg -c height --script %s/no/a.gp", EXIT_FAILED, "no/a.gp|cannot be written"},
    };
    assert_int_equal(capture_bad_lines(lines, sizeof lines / sizeof lines[0], folder), 0);
    captured c = capture("plot %s/void.csv -o %s/a.svg", folder);
    assert_int_equal(c.code, EXIT_FAILED);
    assert_says(c.err, "nothing to draw");
    captured_release(&c);
    assert_false(capture_exists(folder, "a.svg"));
    capture_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_format_is_drawn),
        cmocka_unit_test(test_several_traces_share_panels_and_are_named_in_the_legend),
        cmocka_unit_test(test_script_that_is_kept_draws_the_same_plot_again),
        cmocka_unit_test(test_logarithmic_scale_leaves_out_what_is_never_above_zero),
        cmocka_unit_test(test_names_are_no_commands),
        cmocka_unit_test(test_missing_gnuplot_is_told_with_how_to_install_it),
        cmocka_unit_test(test_bad_lines_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
