// Drawing without a display, and what is said where there is nothing to draw with. Each case runs in a
// process of its own: what EGL finds is settled when it is first asked.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "apps/render/renderer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// Makes a renderer with an environment variable set (or, with a null value, unset) and returns what was said:
// the error, or the description of what draws.
static void create_with(const char *variable, const char *value, char *said, size_t capacity)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (value != NULL) {
            setenv(variable, value, 1);
        } else {
            unsetenv(variable);
        }
        render_options options = render_options_default();
        options.width = options.height = 32;
        renderer *made = renderer_create(&options);
        const char *words = made != NULL ? renderer_description(made) : sn_scene_error();
        ssize_t written = write(ends[1], words, strlen(words));
        renderer_destroy(made);
        _exit(written < 0 ? 3 : made != NULL ? 0 : 1);
    }
    close(ends[1]);
    size_t used = 0;
    ssize_t got = 0;
    while (used + 1 < capacity && (got = read(ends[0], said + used, capacity - 1 - used)) > 0) {
        used += (size_t)got;
    }
    said[used] = '\0';
    close(ends[0]);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_in_range(WEXITSTATUS(status), 0, 1);
}

static void test_no_display_is_needed(void **state)
{
    (void)state;
    char said[1024];
    create_with("DISPLAY", NULL, said, sizeof said);
    assert_non_null(strstr(said, "OpenGL"));
    create_with("DISPLAY", ":4711", said, sizeof said);
    assert_non_null(strstr(said, "OpenGL"));
}

static void test_without_a_driver_the_message_says_so(void **state)
{
    (void)state;
    char said[1024];
    create_with("__EGL_VENDOR_LIBRARY_FILENAMES", "/nonexistent/vendor.json", said, sizeof said);
    assert_non_null(strstr(said, "EGL"));
    assert_non_null(strstr(said, "driver"));
}

static void test_an_old_opengl_is_refused(void **state)
{
    (void)state;
    char said[1024];
    create_with("MESA_GL_VERSION_OVERRIDE", "2.1", said, sizeof said);
    assert_non_null(strstr(said, "3.3"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_display_is_needed),
        cmocka_unit_test(test_without_a_driver_the_message_says_so),
        cmocka_unit_test(test_an_old_opengl_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
