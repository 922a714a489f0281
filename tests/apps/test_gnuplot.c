// Running gnuplot: scripts that work, scripts that do not, and no gnuplot at all.
#include "apps/capture.h"
#include "apps/gnuplot.h"
#include "sinew_scene/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static bool run(const char *text)
{
    FILE *script = tmpfile();
    assert_non_null(script);
    fputs(text, script);
    bool fine = gnuplot_run(script);
    fclose(script);
    return fine;
}

static bool gnuplot_is_missing(void)
{
    return !run("") && strstr(sn_scene_error(), "not installed") != NULL;
}

static void test_script_is_run_to_its_end(void **state)
{
    (void)state;
    if (gnuplot_is_missing()) {
        skip();
    }
    char *folder = capture_folder();
    char text[256];
    snprintf(text, sizeof text, "set print '%s/words'\nprint 6 * 7\n", folder);
    assert_true(run(text));
    assert_true(capture_exists(folder, "words"));
    capture_remove(folder);
}

static void test_last_words_of_a_script_that_fails_are_told(void **state)
{
    (void)state;
    if (gnuplot_is_missing()) {
        skip();
    }
    assert_false(run("print 1\nfrobnicate the plot\n"));
    assert_says(sn_scene_error(), "gnuplot failed");
    assert_says(sn_scene_error(), "frobnicate");
    assert_false(run("exit status 3\n"));
    assert_says(sn_scene_error(), "gave no reason");
}

static void test_missing_program_is_told(void **state)
{
    (void)state;
    char *old = strdup(getenv("PATH"));
    setenv("PATH", "/nowhere", 1);
    assert_false(run("print 1\n"));
    setenv("PATH", old, 1);
    assert_says(sn_scene_error(), "gnuplot is not installed");
    free(old);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_script_is_run_to_its_end),
        cmocka_unit_test(test_last_words_of_a_script_that_fails_are_told),
        cmocka_unit_test(test_missing_program_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
