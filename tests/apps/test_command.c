// Dispatch: help, version, unknown commands, exit codes, outputs that cannot be written.
#include "apps/capture.h"
#include "sinew/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const char *const names[] = {"run", "render", "check", "info", "convert", "plot", "schema"};
enum { NAME_COUNT = sizeof names / sizeof names[0] };

static void test_help_lists_every_command_and_succeeds(void **state)
{
    (void)state;
    const char *ways[] = {"--help", "-h", "help"};
    for (int i = 0; i < 3; ++i) {
        captured c = capture(ways[i], "");
        assert_int_equal(c.code, EXIT_FINE);
        assert_string_equal(c.err, "");
        for (int k = 0; k < NAME_COUNT; ++k) {
            char row[32];
            snprintf(row, sizeof row, "\n  %-9s ", names[k]);
            assert_says(c.out, row);
        }
        assert_says(c.out, "Exit codes");
        captured_release(&c);
    }
}

static void test_no_command_shows_the_help_as_an_error(void **state)
{
    (void)state;
    captured c = capture("", "");
    assert_int_equal(c.code, EXIT_USAGE);
    assert_string_equal(c.out, "");
    assert_says(c.err, "usage: sinew COMMAND");
    captured_release(&c);
}

static void test_version_is_that_of_the_library(void **state)
{
    (void)state;
    captured c = capture("--version", "");
    char expected[32];
    snprintf(expected, sizeof expected, "sinew %s\n", sn_version());
    assert_int_equal(c.code, EXIT_FINE);
    assert_string_equal(c.out, expected);
    captured_release(&c);
}

static void test_every_command_teaches_by_example(void **state)
{
    (void)state;
    for (int i = 0; i < NAME_COUNT; ++i) {
        const char *forms[] = {"%s --help", "%s -h", "help %s", "%s --nonsense --help"};
        char usage[64], example[64];
        snprintf(usage, sizeof usage, "usage: sinew %s", names[i]);
        snprintf(example, sizeof example, "  sinew %s ", names[i]);
        for (int k = 0; k < 4; ++k) {
            captured c = capture(forms[k], names[i]);
            assert_int_equal(c.code, EXIT_FINE);
            assert_says(c.out, usage);
            assert_says(c.out, "examples:");
            assert_says(c.out, example);
            assert_string_equal(c.err, "");
            captured_release(&c);
        }
    }
}

static void test_help_fits_a_screen_of_110_columns(void **state)
{
    (void)state;
    for (int i = 0; i < NAME_COUNT; ++i) {
        captured c = capture("%s --help", names[i]);
        for (char *at = c.out; *at != '\0';) {
            size_t length = strcspn(at, "\n");
            assert_true(length <= 110);
            at += length + (at[length] == '\n' ? 1 : 0);
        }
        captured_release(&c);
    }
}

static void test_unknown_commands_and_options_get_the_nearest(void **state)
{
    (void)state;
    static const bad_line lines[] = {
        {"rnu", EXIT_USAGE, "'rnu' is no command|did you mean `sinew run`?"},
        {"Render", EXIT_USAGE, "did you mean `sinew render`?"},
        {"help chekc", EXIT_USAGE, "did you mean `sinew check`?"},
        {"frobnicate", EXIT_USAGE, "'frobnicate' is no command|`sinew --help` lists them"},
        {"--versoin", EXIT_USAGE, "'--versoin' is no command"},
        {"run x.json --step-length 1", EXIT_USAGE, "--step-length is no option"},
        {"run x.json --trhead 1", EXIT_USAGE, "did you mean --threads?"},
        {"check x.json --sett a=1", EXIT_USAGE, "did you mean --set?"},
        {"info x.json --jsno", EXIT_USAGE, "did you mean --json?"},
        {"convert a b --cels 3", EXIT_USAGE, "did you mean --cell?"},
        {"schema --markdwon", EXIT_USAGE, "did you mean --markdown?"},
        {"render x.json --ouput x.png", EXIT_USAGE, "did you mean --output?"},
    };
    assert_bad_lines(lines, "");
}

static void test_commands_without_arguments_say_what_is_missing(void **state)
{
    (void)state;
    static const bad_line lines[] = {
        {"run", EXIT_USAGE, "sinew run: SCENE is missing|sinew run --help"},
        {"render", EXIT_USAGE, "sinew render: SCENE -o FILE is missing"},
        {"check", EXIT_USAGE, "sinew check: SCENE... is missing"},
        {"info", EXIT_USAGE, "sinew info: FILE is missing"},
        {"convert", EXIT_USAGE, "sinew convert: IN OUT is missing"},
        {"convert a.obj", EXIT_USAGE, "sinew convert: an argument is missing"},
        {"schema x", EXIT_USAGE, "'x' is one argument too many"},
        {"run a.json b.json", EXIT_USAGE, "'b.json' is one argument too many, expected SCENE"},
    };
    assert_bad_lines(lines, "");
}

static void test_an_output_that_cannot_be_written_is_a_failure(void **state)
{
    (void)state;
    int full = open("/dev/full", O_WRONLY);
    FILE *err = tmpfile();
    assert_true(full >= 0);
    assert_int_equal(capture_wait(capture_start("--help", "", full, fileno(err))), EXIT_FAILED);
    char *said = capture_read(err);
    assert_says(said, "could not be written");
    free(said);
    fclose(err);
    close(full);
}

static void test_schema_prints_json_or_markdown(void **state)
{
    (void)state;
    captured c = capture("schema", "");
    assert_int_equal(c.code, EXIT_FINE);
    assert_int_equal(c.out[0], '{');
    captured_release(&c);
    c = capture("schema --markdown", "");
    assert_int_equal(c.code, EXIT_FINE);
    assert_int_equal(c.out[0], '#');
    captured_release(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_help_lists_every_command_and_succeeds),
        cmocka_unit_test(test_no_command_shows_the_help_as_an_error),
        cmocka_unit_test(test_version_is_that_of_the_library),
        cmocka_unit_test(test_every_command_teaches_by_example),
        cmocka_unit_test(test_help_fits_a_screen_of_110_columns),
        cmocka_unit_test(test_unknown_commands_and_options_get_the_nearest),
        cmocka_unit_test(test_commands_without_arguments_say_what_is_missing),
        cmocka_unit_test(test_an_output_that_cannot_be_written_is_a_failure),
        cmocka_unit_test(test_schema_prints_json_or_markdown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
