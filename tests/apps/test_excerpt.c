// Messages with the line they speak of.
#include "apps/capture.h"
#include "apps/excerpt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// What is printed for messages in which "%s" is the folder; to be freed.
static char *excerpt_of(const char *format, const char *folder)
{
    char messages[8192];
    size_t used = 0;
    for (const char *c = format; *c != '\0' && used + 1 < sizeof messages; ++c) {
        if (c[0] == '%' && c[1] == 's') {
            used += (size_t)snprintf(messages + used, sizeof messages - used, "%s", folder);
            ++c;
        } else {
            messages[used++] = *c;
        }
    }
    messages[used] = '\0';
    FILE *file = tmpfile();
    terminal plain = {.stream = file, .width = 80};
    excerpt_print(&plain, messages);
    char *text = capture_read(file);
    fclose(file);
    return text;
}

static void test_the_mark_stands_under_the_column(void **state)
{
    (void)state;
    char *folder = capture_folder();
    capture_file(folder, "a.json", "{\n  \"radius\": -1\n}\n");
    char *text = excerpt_of("%s/a.json:2:13: bodies[3].shape.radius: -1 is not allowed", folder);
    assert_says(text, "a.json:2:13: bodies[3].shape.radius: -1 is not allowed\n");
    assert_says(text, "\n     2 |   \"radius\": -1\n       |             ^\n");
    free(text);
    capture_remove(folder);
}

static void test_columns_count_characters_not_bytes(void **state)
{
    (void)state;
    char *folder = capture_folder();
    capture_file(folder, "a.json", "\"größe\": x");
    char *text = excerpt_of("%s/a.json:1:10: bad", folder);
    assert_says(text, "     1 | \"größe\": x\n       |          ^\n");
    free(text);
    capture_remove(folder);
}

static void test_each_message_has_its_own_excerpt(void **state)
{
    (void)state;
    char *folder = capture_folder();
    capture_file(folder, "a.json", "one\ntwo\n");
    capture_file(folder, "b:7.json", "three\n");
    char *text = excerpt_of("%s/a.json:2:1: first\nsomething about nothing\n%s/b:7.json:1:5: second", folder);
    assert_says(text, "first\n     2 | two\n       | ^\nsomething about nothing\n");
    assert_says(text, "second\n     1 | three\n       |     ^\n");
    free(text);
    capture_remove(folder);
}

static void test_places_that_do_not_exist_are_told_without_excerpt(void **state)
{
    (void)state;
    char *folder = capture_folder();
    capture_file(folder, "a.json", "one\n");
    char *text = excerpt_of("%s/missing.json:1:1: lost\n%s/a.json:99:1: late\nplain\n"
                            "x:0:1: zero\nx:1:99999999999: far\n:1:1: nameless\na:1:2",
                            folder);
    assert_null(strchr(text, '^'));
    assert_says(text, "missing.json:1:1: lost\n");
    assert_says(text, "a.json:99:1: late\n");
    assert_says(text, "plain\nx:0:1: zero\nx:1:99999999999: far\n:1:1: nameless\na:1:2\n");
    free(text);
    capture_remove(folder);
}

static void test_long_lines_are_cut_around_the_mark(void **state)
{
    (void)state;
    char *folder = capture_folder();
    char *line = malloc(3000000);
    memset(line, 'x', 3000000);
    line[2999999] = '\0';
    line[1000 - 1] = '!';
    capture_file(folder, "a.json", line);
    char *text = excerpt_of("%s/a.json:1:1000: here", folder);
    char *mark = strchr(text, '^');
    assert_non_null(mark);
    char *source = strstr(text, "     1 | ");
    assert_true(source != NULL && strcspn(source, "\n") <= 80);
    assert_int_equal(source[(mark - strrchr(text, '|')) + 7], '!');
    free(text);
    text = excerpt_of("%s/a.json:1:2999000: beyond what is shown", folder);
    assert_non_null(text);
    free(text);
    free(line);
    capture_remove(folder);
}

static void test_what_a_terminal_would_obey_is_not_printed(void **state)
{
    (void)state;
    char *folder = capture_folder();
    capture_file(folder, "a.json", "a\033[31mb\tc\177d\r\n");
    char *text = excerpt_of("%s/a.json:1:3: bad", folder);
    assert_null(strchr(text, '\033'));
    assert_null(strchr(text, '\177'));
    assert_null(strchr(text, '\t'));
    assert_says(text, "     1 | a [31mb c d \n");
    free(text);
    capture_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_mark_stands_under_the_column),
        cmocka_unit_test(test_columns_count_characters_not_bytes),
        cmocka_unit_test(test_each_message_has_its_own_excerpt),
        cmocka_unit_test(test_places_that_do_not_exist_are_told_without_excerpt),
        cmocka_unit_test(test_long_lines_are_cut_around_the_mark),
        cmocka_unit_test(test_what_a_terminal_would_obey_is_not_printed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
