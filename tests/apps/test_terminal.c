// What is shown on a terminal and what in a file or pipe. The terminal is a pseudo one.
#define _XOPEN_SOURCE 700
#include "apps/capture.h"
#include "apps/terminal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

typedef struct pseudo_terminal {
    int master;
    FILE *stream;
} pseudo_terminal;

static pseudo_terminal open_terminal(void)
{
    pseudo_terminal p;
    p.master = posix_openpt(O_RDWR | O_NOCTTY);
    assert_true(p.master >= 0);
    assert_int_equal(grantpt(p.master), 0);
    assert_int_equal(unlockpt(p.master), 0);
    p.stream = fopen(ptsname(p.master), "r+");
    assert_non_null(p.stream);
    return p;
}

static void close_terminal(pseudo_terminal *p)
{
    fclose(p->stream);
    close(p->master);
}

// What has been written to it so far.
static void read_terminal(const pseudo_terminal *p, char *text, size_t size)
{
    fflush(p->stream);
    ssize_t got = read(p->master, text, size - 1);
    text[got > 0 ? got : 0] = '\0';
}

static int set_environment(void **state)
{
    (void)state;
    unsetenv("NO_COLOR");
    unsetenv("COLORTERM");
    unsetenv("LC_ALL");
    unsetenv("LC_CTYPE");
    setenv("LANG", "C", 1);
    setenv("TERM", "xterm", 1);
    setenv("COLUMNS", "80", 1);
    return 0;
}

static void test_a_file_is_no_terminal_and_has_no_colours(void **state)
{
    (void)state;
    FILE *file = tmpfile();
    terminal t = terminal_of(file);
    assert_false(t.interactive);
    assert_false(t.colors);
    assert_false(t.true_colors);
    assert_string_equal(terminal_code(&t, STYLE_RED), "");
    assert_string_equal(terminal_code(&t, STYLE_PLAIN), "");
    fclose(file);
}

static void test_a_terminal_has_colours_unless_told_otherwise(void **state)
{
    (void)state;
    pseudo_terminal p = open_terminal();
    assert_true(terminal_of(p.stream).interactive);
    assert_true(terminal_of(p.stream).colors);
    terminal t = terminal_of(p.stream);
    assert_string_equal(terminal_code(&t, STYLE_RED), "\033[31m");
    setenv("NO_COLOR", "1", 1);
    assert_false(terminal_of(p.stream).colors);
    setenv("NO_COLOR", "", 1); // empty means nothing, says no-color.org
    assert_true(terminal_of(p.stream).colors);
    setenv("TERM", "dumb", 1);
    assert_false(terminal_of(p.stream).colors);
    assert_true(terminal_of(p.stream).interactive);
    close_terminal(&p);
}

static void test_24_bits_are_believed_only_when_promised(void **state)
{
    (void)state;
    pseudo_terminal p = open_terminal();
    assert_false(terminal_of(p.stream).true_colors);
    setenv("COLORTERM", "truecolor", 1);
    assert_true(terminal_of(p.stream).true_colors);
    setenv("COLORTERM", "24bit", 1);
    assert_true(terminal_of(p.stream).true_colors);
    setenv("NO_COLOR", "1", 1);
    assert_false(terminal_of(p.stream).true_colors);
    close_terminal(&p);
}

static void test_width_comes_from_columns_within_reason(void **state)
{
    (void)state;
    FILE *file = tmpfile();
    setenv("COLUMNS", "132", 1);
    assert_int_equal(terminal_of(file).width, 132);
    setenv("COLUMNS", "1", 1);
    assert_int_equal(terminal_of(file).width, 20);
    setenv("COLUMNS", "1000000", 1);
    assert_int_equal(terminal_of(file).width, 1000);
    setenv("COLUMNS", "-5", 1);
    assert_int_equal(terminal_of(file).width, 80);
    setenv("COLUMNS", "wide", 1);
    assert_int_equal(terminal_of(file).width, 80);
    fclose(file);
}

static void test_unicode_is_what_the_locale_says(void **state)
{
    (void)state;
    FILE *file = tmpfile();
    assert_false(terminal_of(file).unicode);
    setenv("LANG", "en_US.UTF-8", 1);
    assert_true(terminal_of(file).unicode);
    setenv("LC_ALL", "C", 1);
    assert_false(terminal_of(file).unicode);
    fclose(file);
}

static void wait_a_little(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 120000000}, NULL);
}

static void test_progress_is_drawn_on_one_line_at_most_ten_times_a_second(void **state)
{
    (void)state;
    char text[4096];
    pseudo_terminal p = open_terminal();
    progress progress = progress_begin(p.stream);
    assert_false(progress_is_due(&progress));
    wait_a_little();
    assert_true(progress_is_due(&progress));
    progress_draw(&progress, 0.5, "half of it");
    assert_false(progress_is_due(&progress));
    read_terminal(&p, text, sizeof text);
    assert_says(text, "half of it");
    assert_says(text, "##");
    assert_null(strchr(text, '\n'));
    progress_end(&progress);
    read_terminal(&p, text, sizeof text);
    assert_string_equal(text, "\r\033[K");
    close_terminal(&p);
}

static void test_progress_is_cut_to_the_width(void **state)
{
    (void)state;
    char text[4096];
    pseudo_terminal p = open_terminal();
    setenv("COLUMNS", "40", 1);
    setenv("NO_COLOR", "1", 1);
    progress progress = progress_begin(p.stream);
    progress_draw(&progress, 7.0,
                  "a very long text that does not fit into so narrow a terminal as this one is");
    read_terminal(&p, text, sizeof text);
    char *end = strstr(text, "\033[K");
    assert_non_null(end);
    assert_int_equal(end - text, 1 + 39); // the return, and the width but one
    close_terminal(&p);
}

static void test_progress_is_silent_in_files_and_on_dumb_terminals(void **state)
{
    (void)state;
    FILE *file = tmpfile();
    progress piped = progress_begin(file);
    wait_a_little();
    assert_false(progress_is_due(&piped));
    progress_draw(&piped, 0.5, "half of it");
    progress_end(&piped);
    fflush(file);
    assert_int_equal(ftell(file), 0);
    fclose(file);
    pseudo_terminal p = open_terminal();
    setenv("TERM", "dumb", 1);
    progress dumb = progress_begin(p.stream);
    wait_a_little();
    assert_false(progress_is_due(&dumb));
    close_terminal(&p);
}

#define TERMINAL_TEST(f) cmocka_unit_test_setup(f, set_environment)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TERMINAL_TEST(test_a_file_is_no_terminal_and_has_no_colours),
        TERMINAL_TEST(test_a_terminal_has_colours_unless_told_otherwise),
        TERMINAL_TEST(test_24_bits_are_believed_only_when_promised),
        TERMINAL_TEST(test_width_comes_from_columns_within_reason),
        TERMINAL_TEST(test_unicode_is_what_the_locale_says),
        TERMINAL_TEST(test_progress_is_drawn_on_one_line_at_most_ten_times_a_second),
        TERMINAL_TEST(test_progress_is_cut_to_the_width),
        TERMINAL_TEST(test_progress_is_silent_in_files_and_on_dumb_terminals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
