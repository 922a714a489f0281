// Every example of every help text works when typed in the project's folder: here in a folder of its own in
// which only `scenes` is that of the project.
#include "apps/capture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static int make_folder(void **state)
{
    char *folder = capture_folder();
    char link[4200], path[8192];
    snprintf(link, sizeof link, "%s/scenes", folder);
    snprintf(path, sizeof path, "%s/apps:%s", BUILD_FOLDER, getenv("PATH"));
    setenv("PATH", path, 1);
    *state = folder;
    return symlink(SOURCE_FOLDER "/scenes", link);
}

static int remove_folder(void **state)
{
    capture_remove(*state);
    return 0;
}

static int run_in_shell(const char *folder, const char *line, int length)
{
    char script[8192];
    snprintf(script, sizeof script, "cd %s && { %.*s\n} >/dev/null", folder, length, line);
    int status = system(script);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000;
}

static void run_examples(const char *folder, const command *command, int least)
{
    int count = 0;
    for (const char *at = command->examples; *at != '\0';) {
        int length = (int)strcspn(at, "\n");
        int code = run_in_shell(folder, at, length);
        if (code != EXIT_FINE) {
            fprintf(stderr, "exit code %d of: %.*s\n", code, length, at);
        }
        assert_int_equal(code, EXIT_FINE);
        ++count;
        at += length + 1;
    }
    assert_true(count >= least);
}

static void test_examples_of_run(void **state)
{
    run_examples(*state, &command_run, 8);
}

static void test_examples_of_render(void **state)
{
    run_examples(*state, &command_render, 6);
}

static void test_examples_of_check(void **state)
{
    run_examples(*state, &command_check, 3);
}

static void test_examples_of_info(void **state)
{
    run_examples(*state, &command_info, 3);
}

static void test_examples_of_convert(void **state)
{
    run_examples(*state, &command_convert, 4);
}

static void test_examples_of_plot(void **state)
{
    run_examples(*state, &command_plot, 2);
}

static void test_examples_of_schema(void **state)
{
    run_examples(*state, &command_schema, 2);
}

static void test_examples_of_the_overview(void **state)
{
    captured c = capture("--help", "");
    char *at = strstr(c.out, "examples:\n");
    assert_non_null(at);
    int count = 0;
    for (at = strchr(at, '\n') + 1; strncmp(at, "  sinew ", 8) == 0; at = strchr(at, '\n') + 1) {
        assert_int_equal(run_in_shell(*state, at, (int)strcspn(at, "\n")), EXIT_FINE);
        ++count;
    }
    assert_true(count >= 3);
    captured_release(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples_of_run),     cmocka_unit_test(test_examples_of_render),
        cmocka_unit_test(test_examples_of_check),   cmocka_unit_test(test_examples_of_info),
        cmocka_unit_test(test_examples_of_convert), cmocka_unit_test(test_examples_of_plot),
        cmocka_unit_test(test_examples_of_schema),  cmocka_unit_test(test_examples_of_the_overview),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
