// The option parser on a table of its own: what each type takes, and what every mistake is told as.
#include "apps/capture.h"
#include "apps/options.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct values {
    bool flag;
    const char *text;
    option_texts texts;
    int integer;
    double number;
    option_size size;
    int choice;
    unsigned choices;
} values;

static const char *const fruits[] = {"apple", "pear", "plum", NULL};

static const option table[] = {
    {"flag", 'f', OPTION_FLAG, offsetof(values, flag), NULL, "a flag", 0, 0, NULL},
    {"text", 'o', OPTION_TEXT, offsetof(values, text), "FILE", "a text", 0, 0, NULL},
    {"set", 0, OPTION_TEXTS, offsetof(values, texts), "PATH=VALUE", "again and again", 0, 0, NULL},
    {"count", 0, OPTION_INTEGER, offsetof(values, integer), "N", "a whole number", 1, 64, NULL},
    {"seconds", 0, OPTION_NUMBER, offsetof(values, number), "S", "a number\non two lines", -10, 100, NULL},
    {"size", 0, OPTION_SIZE, offsetof(values, size), "WxH", "a size", 16, 8192, NULL},
    {"fruit", 0, OPTION_CHOICE, offsetof(values, choice), "FRUIT", "one", 0, 0, fruits},
    {"basket", 0, OPTION_CHOICES, offsetof(values, choices), "FRUITS", "some", 0, 0, fruits},
    {0}};

static const command_line line = {"SCENE", 1, 2, table};

typedef struct outcome {
    int operands;
    values values;
    char *arguments[CAPTURE_MAX_ARGUMENTS];
    char buffer[16384];
    char *err;
} outcome;

// Reads the words of `text` as the arguments of a subcommand "test". `*o` must be released.
static void read_words(const char *text, outcome *o)
{
    memset(o, 0, sizeof *o);
    o->values.choice = -1;
    int count = capture_split(text, "", o->buffer, sizeof o->buffer, o->arguments);
    o->arguments[0] = (char *)"test";
    FILE *err = tmpfile();
    fflush(stderr);
    int old = dup(STDERR_FILENO);
    dup2(fileno(err), STDERR_FILENO);
    o->operands = options_read(&line, count, o->arguments, &o->values);
    fflush(stderr);
    dup2(old, STDERR_FILENO);
    close(old);
    o->err = capture_read(err);
    fclose(err);
}

static void release(outcome *o)
{
    free(o->err);
}

static void test_all_types_are_read(void **state)
{
    (void)state;
    outcome o;
    read_words("scene.json --flag --text out.png --set a=1 --set=b=2 --count 7 --seconds 2.5 --size 640x480 "
               "--fruit pear --basket apple,plum",
               &o);
    assert_int_equal(o.operands, 1);
    assert_string_equal(o.arguments[1], "scene.json");
    assert_true(o.values.flag);
    assert_string_equal(o.values.text, "out.png");
    assert_int_equal(o.values.texts.count, 2);
    assert_string_equal(o.values.texts.items[0], "a=1");
    assert_string_equal(o.values.texts.items[1], "b=2");
    assert_int_equal(o.values.integer, 7);
    assert_true(o.values.number == 2.5);
    assert_int_equal(o.values.size.width, 640);
    assert_int_equal(o.values.size.height, 480);
    assert_int_equal(o.values.choice, 1);
    assert_int_equal(o.values.choices, 5);
    assert_string_equal(o.err, "");
    release(&o);
}

static void test_values_may_stand_in_the_same_word(void **state)
{
    (void)state;
    outcome o;
    read_words("--count=64 -ofile.png --size=16x8192 s --basket=plum", &o);
    assert_int_equal(o.operands, 1);
    assert_int_equal(o.values.integer, 64);
    assert_string_equal(o.values.text, "file.png");
    assert_int_equal(o.values.size.height, 8192);
    assert_int_equal(o.values.choices, 4);
    release(&o);
    read_words("s -o file.png -f", &o);
    assert_string_equal(o.values.text, "file.png");
    assert_true(o.values.flag);
    release(&o);
}

static void test_two_dashes_end_the_options(void **state)
{
    (void)state;
    outcome o;
    read_words("--flag -- --text -o", &o);
    assert_int_equal(o.operands, 2);
    assert_string_equal(o.arguments[1], "--text");
    assert_string_equal(o.arguments[2], "-o");
    assert_true(o.values.flag);
    assert_null(o.values.text);
    release(&o);
}

static void test_a_lone_dash_is_an_operand(void **state)
{
    (void)state;
    outcome o;
    read_words("-", &o);
    assert_int_equal(o.operands, 1);
    assert_string_equal(o.arguments[1], "-");
    release(&o);
}

static void test_negative_numbers_and_values_with_dashes_are_values(void **state)
{
    (void)state;
    outcome o;
    read_words("s --seconds -2 --text -x", &o);
    assert_int_equal(o.operands, 1);
    assert_true(o.values.number == -2.0);
    assert_string_equal(o.values.text, "-x");
    release(&o);
    read_words("s --text=--odd", &o);
    assert_string_equal(o.values.text, "--odd");
    release(&o);
}

static void test_the_last_of_repeated_options_counts(void **state)
{
    (void)state;
    outcome o;
    read_words("s --count 1 --count 2", &o);
    assert_int_equal(o.values.integer, 2);
    release(&o);
}

static void test_numbers_may_be_fractions(void **state)
{
    (void)state;
    double number = 0.0;
    assert_true(number_read("1/60", &number));
    assert_true(number == 1.0 / 60.0);
    assert_true(number_read("-2.5e1/0.5", &number));
    assert_true(number == -50.0);
    const char *bad[] = {"",    "x",   "1/",   "/2",    "1/0", "0/0", "1/2/3",
                         "nan", "inf", "-inf", "1e999", "1 2", "2x"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        assert_false(number_read(bad[i], &number));
    }
}

typedef struct mistake {
    const char *words, *message;
} mistake;

static void test_every_mistake_names_option_value_and_expectation(void **state)
{
    (void)state;
    static const mistake mistakes[] = {
        {"s --secnds 1", "--secnds is no option, did you mean --seconds?"},
        {"s --Size=1x1", "--Size is no option, did you mean --size?"},
        {"s --nonsense", "--nonsense is no option; `sinew test --help` lists"},
        {"s -x", "-x is no option"},
        {"s -textfile", "-textfile is no option"},
        {"s --count", "--count: the value is missing, expected a whole number from 1 to 64"},
        {"s --count --flag", "--count: the value is missing"},
        {"s --count=", "--count: '' is empty, expected a whole number from 1 to 64"},
        {"s --count abc", "--count: 'abc' is not a whole number, expected a whole number from 1 to 64"},
        {"s --count 1.5", "--count: '1.5' is not a whole number"},
        {"s --count 0", "--count: '0' is too small, expected a whole number from 1 to 64"},
        {"s --count -1", "--count: '-1' is too small"},
        {"s --count 65", "--count: '65' is too large"},
        {"s --count 99999999999999999999", "--count: '99999999999999999999' is not a whole number"},
        {"s --count 4294967297", "--count: '4294967297' is not a whole number"},
        {"s --seconds nan", "--seconds: 'nan' is not a number, expected a number from -10 to 100"},
        {"s --seconds 1e999", "--seconds: '1e999' is not a number"},
        {"s --seconds inf", "--seconds: 'inf' is not a number"},
        {"s --seconds 101", "--seconds: '101' is too large, expected a number from -10 to 100"},
        {"s --seconds -11", "--seconds: '-11' is too small"},
        {"s --seconds 1/0", "--seconds: '1/0' is not a number"},
        {"s --size 640", "--size: '640' is not a size, expected WIDTHxHEIGHT, each from 16 to 8192"},
        {"s --size x480", "--size: 'x480' is not a size"},
        {"s --size 640x", "--size: '640x' is not a size"},
        {"s --size 640x480x3", "--size: '640x480x3' is not a size"},
        {"s --size 15x480", "--size: '15x480' is too small"},
        {"s --size 640x8193", "--size: '640x8193' is too large"},
        {"s --size 11111111111111111111x2", "is not a size"},
        {"s --fruit pea", "--fruit: 'pea' is unknown, expected apple, pear or plum; did you mean pear?"},
        {"s --fruit xylophone", "--fruit: 'xylophone' is unknown, expected apple, pear or plum\n"},
        {"s --basket apple,grape", "--basket: 'grape' is unknown, expected some of apple, pear or plum"},
        {"s --basket apple,", "--basket: '' is unknown"},
        {"s --flag=yes", "--flag: 'yes' is a value it does not take"},
        {"--flag", "SCENE is missing; `sinew test --help` shows how to use it"},
        {"a b c", "'c' is one argument too many, expected SCENE"},
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; ++i) {
        outcome o;
        read_words(mistakes[i].words, &o);
        assert_int_equal(o.operands, -1);
        assert_says(o.err, mistakes[i].message);
        assert_says(o.err, "sinew test: ");
        release(&o);
    }
}

static void test_too_many_repetitions_are_an_error(void **state)
{
    (void)state;
    char *arguments[OPTION_MAX_TEXTS + 3];
    values values = {0};
    arguments[0] = (char *)"test";
    arguments[1] = (char *)"scene";
    for (int i = 2; i < OPTION_MAX_TEXTS + 3; ++i) {
        arguments[i] = (char *)"--set=a=1";
    }
    assert_int_equal(options_read(&line, OPTION_MAX_TEXTS + 2, arguments, &values), 1);
    memset(&values, 0, sizeof values);
    assert_int_equal(options_read(&line, OPTION_MAX_TEXTS + 3, arguments, &values), -1);
}

static void test_the_help_lists_every_option_aligned(void **state)
{
    (void)state;
    FILE *file = tmpfile();
    options_print(table, file);
    char *text = capture_read(file);
    assert_says(text, "  -f, --flag              a flag\n");
    assert_says(text, "  -o, --text FILE         a text\n");
    assert_says(text, "  --seconds S             a number\n                          on two lines\n");
    free(text);
    fclose(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_types_are_read),
        cmocka_unit_test(test_values_may_stand_in_the_same_word),
        cmocka_unit_test(test_two_dashes_end_the_options),
        cmocka_unit_test(test_a_lone_dash_is_an_operand),
        cmocka_unit_test(test_negative_numbers_and_values_with_dashes_are_values),
        cmocka_unit_test(test_the_last_of_repeated_options_counts),
        cmocka_unit_test(test_numbers_may_be_fractions),
        cmocka_unit_test(test_every_mistake_names_option_value_and_expectation),
        cmocka_unit_test(test_too_many_repetitions_are_an_error),
        cmocka_unit_test(test_the_help_lists_every_option_aligned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
