// "-" is standard input and output: results go there alone, and what is said about them to standard error.
#include "apps/capture.h"
#include "apps/scene_files.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

static void check_output(const char *line, const char *folder, const char *begins)
{
    captured c = capture(line, folder);
    assert_int_equal(c.code, EXIT_FINE);
    if (strncmp(c.out, begins, strlen(begins)) != 0) {
        fail_msg("`%s` begins with \"%.40s\", expected \"%s\"", line, c.out, begins);
    }
    captured_release(&c);
}

static void test_results_go_to_standard_output(void **state)
{
    check_output("run %s/stack.json --steps 2 --trace -", *state, "time [s],");
    check_output("run %s/stack.json --steps 2 --save -", *state, "{\n  \"sinew\": 1,");
    check_output("convert %s/stack.json -", *state, "{\n  \"sinew\": 1,");
}

static void test_a_report_makes_way_for_results(void **state)
{
    captured c = capture("run %s/stack.json --steps 2 --trace -", *state);
    assert_null(strstr(c.out, "hash of the end"));
    assert_says(c.err, "hash of the end");
    captured_release(&c);
}

// Runs a command with a file of the folder as its standard input.
static captured capture_with_input(const char *line, const char *folder, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int file = open(path, O_RDONLY), before = dup(STDIN_FILENO);
    assert_true(file >= 0 && before >= 0);
    dup2(file, STDIN_FILENO);
    captured c = capture(line, folder);
    dup2(before, STDIN_FILENO);
    close(file);
    close(before);
    return c;
}

static void test_scenes_come_from_standard_input(void **state)
{
    const char *const lines[] = {"check -", "run - --steps 2", "info -"};
    for (int i = 0; i < 3; ++i) {
        captured c = capture_with_input(lines[i], *state, "stack.json");
        assert_int_equal(c.code, EXIT_FINE);
        captured_release(&c);
    }
}

static void write_text(const char *folder, const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
}

static void test_plots_are_of_traces_and_scenes_from_standard_input(void **state)
{
    write_text(*state, "trace.csv", "time [s],height [m]\n0,1\n1,2\n2,1\n");
    write_text(*state, "probed.json",
               "\n {\"sinew\": 1, \"duration\": 0.1, \"bodies\": [{\"name\": \"a\", \"shape\": {\"type\": "
               "\"sphere\", \"radius\": 1}}], \"probes\": [{\"body\": \"a\", \"value\": \"speed\"}]}");
    const char *const names[] = {"trace.csv", "probed.json"};
    for (int i = 0; i < 2; ++i) {
        captured c = capture_with_input("plot - -o %s/curve.svg", *state, names[i]);
        assert_int_equal(c.code, EXIT_FINE);
        assert_says(c.out, "1 curve in 1 panel");
        captured_release(&c);
    }
    write_text(*state, "nothing.csv", "");
    captured c = capture_with_input("plot - -o %s/curve.svg", *state, "nothing.csv");
    assert_int_equal(c.code, EXIT_FAILED);
    assert_says(c.err, "is empty, expected a line of titles");
    captured_release(&c);
}

static void test_bad_input_is_told_by_line_and_column(void **state)
{
    char path[512];
    snprintf(path, sizeof path, "%s/comma.json", (const char *)*state);
    FILE *file = fopen(path, "w");
    fputs("{\"sinew\": 1, \"bodies\": [\n {\"name\": \"a\"},\n]}", file);
    fclose(file);
    captured c = capture_with_input("check -", *state, "comma.json");
    assert_int_equal(c.code, EXIT_FAILED);
    assert_says(c.out, "-:3:1: not JSON: a comma before ']'");
    captured_release(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results_go_to_standard_output),
        cmocka_unit_test(test_a_report_makes_way_for_results),
        cmocka_unit_test(test_scenes_come_from_standard_input),
        cmocka_unit_test(test_plots_are_of_traces_and_scenes_from_standard_input),
        cmocka_unit_test(test_bad_input_is_told_by_line_and_column),
    };
    return cmocka_run_group_tests(tests, make_scene_folder, remove_scene_folder);
}
