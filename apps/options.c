// The parser walks the arguments once and never looks ahead by more than one. A word that begins with two
// dashes is never taken for the value of the option before it, so that `--trace --json` is told as the
// mistake it is; `--trace=--json` says what it says.
#include "apps/options.h"

#include "apps/command.h"
#include "scene/suggest.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_OPTIONS = 64, EXPECTATION_SIZE = 256 };

typedef struct reader {
    const command_line *line;
    const char *command;
    void *values;
} reader;

bool number_read(const char *text, double *number)
{
    const char *slash = strchr(text, '/');
    char *end = NULL;
    double value = strtod(text, &end);
    if (end == text || (slash != NULL ? end != slash : *end != '\0')) {
        return false;
    }
    if (slash != NULL) {
        double divisor = strtod(slash + 1, &end);
        if (end == slash + 1 || *end != '\0') {
            return false;
        }
        value /= divisor;
    }
    *number = value;
    return isfinite(value);
}

static bool integer_read(const char *text, int *number)
{
    char *end = NULL;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || errno == ERANGE || value > INT_MAX || value < INT_MIN) {
        return false;
    }
    *number = (int)value;
    return true;
}

static bool size_read(const char *text, option_size *size)
{
    char width[16];
    const char *cross = strchr(text, 'x');
    if (cross == NULL || (size_t)(cross - text) >= sizeof width) {
        return false;
    }
    memcpy(width, text, (size_t)(cross - text));
    width[cross - text] = '\0';
    return integer_read(width, &size->width) && integer_read(cross + 1, &size->height);
}

// --- what was expected -------------------------------------------------------------------------------------

static void append(char *text, const char *more)
{
    size_t used = strlen(text);
    snprintf(text + used, EXPECTATION_SIZE - used, "%s", more);
}

static void expect_choices(const option *option, char *text)
{
    for (int i = 0; option->choices[i] != NULL; ++i) {
        bool last = i > 0 && option->choices[i + 1] == NULL;
        append(text, i == 0 ? "" : last ? " or " : ", ");
        append(text, option->choices[i]);
    }
}

// "a whole number from 1 to 64" and the like.
static void expectation(const option *option, char text[EXPECTATION_SIZE])
{
    text[0] = '\0';
    switch (option->type) {
    case OPTION_INTEGER:
        snprintf(text, EXPECTATION_SIZE, "a whole number from %.0f to %.0f", option->lower, option->upper);
        break;
    case OPTION_NUMBER:
        snprintf(text, EXPECTATION_SIZE, "a number from %g to %g", option->lower, option->upper);
        break;
    case OPTION_SIZE:
        snprintf(text, EXPECTATION_SIZE, "WIDTHxHEIGHT, each from %.0f to %.0f", option->lower,
                 option->upper);
        break;
    case OPTION_CHOICE:
        expect_choices(option, text);
        break;
    case OPTION_CHOICES:
        append(text, "some of ");
        expect_choices(option, text);
        append(text, ", with commas between them");
        break;
    default:
        snprintf(text, EXPECTATION_SIZE, "%s", option->value != NULL ? option->value : "nothing");
    }
}

static bool complain(const reader *reader, const option *option, const char *value, const char *wrong)
{
    char expected[EXPECTATION_SIZE];
    expectation(option, expected);
    command_fail(reader->command, EXIT_USAGE, "--%s: '%s' %s, expected %s", option->name, value, wrong,
                 expected);
    return false;
}

// --- values ------------------------------------------------------------------------------------------------

static bool in_limits(const reader *reader, const option *option, const char *text, double value)
{
    return (value >= option->lower && value <= option->upper) ||
           complain(reader, option, text, value < option->lower ? "is too small" : "is too large");
}

static int choice_index(const option *option, const char *name, size_t length)
{
    for (int i = 0; option->choices[i] != NULL; ++i) {
        if (strlen(option->choices[i]) == length && memcmp(option->choices[i], name, length) == 0) {
            return i;
        }
    }
    return -1;
}

static bool complain_of_choice(const reader *reader, const option *option, const char *name, size_t length)
{
    char expected[EXPECTATION_SIZE], given[64];
    int count = 0;
    while (option->choices[count] != NULL) {
        ++count;
    }
    expectation(option, expected);
    snprintf(given, sizeof given, "%.*s", (int)(length < sizeof given ? length : sizeof given - 1), name);
    const char *nearest = sn_suggest(given, option->choices, count);
    command_fail(reader->command, EXIT_USAGE, "--%s: '%s' is unknown, expected %s%s%s%s", option->name, given,
                 expected, nearest != NULL ? "; did you mean " : "", nearest != NULL ? nearest : "",
                 nearest != NULL ? "?" : "");
    return false;
}

static bool read_choices(const reader *reader, const option *option, const char *text, unsigned *bits)
{
    *bits = 0;
    for (;;) {
        size_t length = strcspn(text, ",");
        int index = choice_index(option, text, length);
        if (index < 0) {
            return complain_of_choice(reader, option, text, length);
        }
        *bits |= 1u << index;
        if (text[length] == '\0') {
            return true;
        }
        text += length + 1;
    }
}

static bool read_choice(const reader *reader, const option *option, const char *text, int *choice)
{
    *choice = choice_index(option, text, strlen(text));
    return *choice >= 0 || complain_of_choice(reader, option, text, strlen(text));
}

static bool read_texts(const reader *reader, const option *option, const char *text, option_texts *texts)
{
    if (texts->count == OPTION_MAX_TEXTS) {
        command_fail(reader->command, EXIT_USAGE, "--%s: given more than %d times", option->name,
                     OPTION_MAX_TEXTS);
        return false;
    }
    texts->items[texts->count++] = text;
    return true;
}

static bool read_integer(const reader *reader, const option *option, const char *text, int *number)
{
    return (integer_read(text, number) || complain(reader, option, text, "is not a whole number")) &&
           in_limits(reader, option, text, *number);
}

static bool read_number(const reader *reader, const option *option, const char *text, double *number)
{
    return (number_read(text, number) || complain(reader, option, text, "is not a number")) &&
           in_limits(reader, option, text, *number);
}

static bool read_size(const reader *reader, const option *option, const char *text, option_size *size)
{
    return (size_read(text, size) || complain(reader, option, text, "is not a size")) &&
           in_limits(reader, option, text, size->width) && in_limits(reader, option, text, size->height);
}

static bool read_value(const reader *reader, const option *option, const char *text)
{
    void *value = (char *)reader->values + option->offset;
    if (text[0] == '\0') {
        return complain(reader, option, text, "is empty");
    }
    switch (option->type) {
    case OPTION_TEXT:
        *(const char **)value = text;
        return true;
    case OPTION_TEXTS:
        return read_texts(reader, option, text, value);
    case OPTION_INTEGER:
        return read_integer(reader, option, text, value);
    case OPTION_NUMBER:
        return read_number(reader, option, text, value);
    case OPTION_SIZE:
        return read_size(reader, option, text, value);
    case OPTION_CHOICE:
        return read_choice(reader, option, text, value);
    case OPTION_CHOICES:
        return read_choices(reader, option, text, value);
    default:
        return false;
    }
}

// --- words of the command line -----------------------------------------------------------------------------

static bool complain_of_option(const reader *reader, const char *word)
{
    const char *names[MAX_OPTIONS];
    int count = 0;
    for (const option *o = reader->line->options; o != NULL && o->name != NULL && count < MAX_OPTIONS; ++o) {
        names[count++] = o->name;
    }
    int length = (int)strcspn(word, "=");
    char name[64];
    snprintf(name, sizeof name, "%.*s", length, word);
    const char *nearest = sn_suggest(name + strspn(name, "-"), names, count);
    if (nearest != NULL) {
        command_fail(reader->command, EXIT_USAGE, "%.*s is no option, did you mean --%s?", length, word,
                     nearest);
    } else {
        command_fail(reader->command, EXIT_USAGE,
                     "%.*s is no option; `sinew %s --help` lists those there are", length, word,
                     reader->command);
    }
    return false;
}

// The option a word names, and its value if it is in the same word.
static const option *find_option(const reader *reader, const char *word, const char **value)
{
    bool is_long = word[1] == '-';
    const char *name = word + (is_long ? 2 : 1);
    size_t length = is_long ? strcspn(name, "=") : 1;
    for (const option *o = reader->line->options; o != NULL && o->name != NULL; ++o) {
        bool same = is_long ? strlen(o->name) == length && memcmp(o->name, name, length) == 0
                            : o->letter != 0 && o->letter == *name;
        if (same) {
            const char *rest = name + length;
            *value = *rest == '\0' ? NULL : rest + (*rest == '=' ? 1 : 0);
            return o;
        }
    }
    return NULL;
}

// Reads the option at arguments[*at] and moves *at to the last word it used.
static bool read_option(const reader *reader, int count, char **arguments, int *at)
{
    const char *value = NULL;
    const option *option = find_option(reader, arguments[*at], &value);
    if (option == NULL) {
        return complain_of_option(reader, arguments[*at]);
    }
    if (option->type == OPTION_FLAG) {
        *(bool *)(void *)((char *)reader->values + option->offset) = true;
        return value == NULL || complain(reader, option, value, "is a value it does not take");
    }
    if (value == NULL) {
        if (*at + 1 >= count || strncmp(arguments[*at + 1], "--", 2) == 0) {
            char expected[EXPECTATION_SIZE];
            expectation(option, expected);
            command_fail(reader->command, EXIT_USAGE, "--%s: the value is missing, expected %s", option->name,
                         expected);
            return false;
        }
        value = arguments[++*at];
    }
    return read_value(reader, option, value);
}

static int check_operands(const reader *reader, int found, char **arguments)
{
    const command_line *line = reader->line;
    if (found < line->fewest) {
        command_fail(reader->command, EXIT_USAGE, "%s is missing; `sinew %s --help` shows how to use it",
                     found == 0 ? line->operands : "an argument", reader->command);
        return -1;
    }
    if (found > line->most) {
        command_fail(reader->command, EXIT_USAGE, "'%s' is one argument too many, expected %s",
                     arguments[line->most + 1], line->most > 0 ? line->operands : "options only");
        return -1;
    }
    return found;
}

int options_read(const command_line *line, int count, char **arguments, void *values)
{
    reader reader = {line, arguments[0], values};
    int found = 0;
    bool options_ended = false;
    for (int at = 1; at < count; ++at) {
        char *word = arguments[at];
        if (!options_ended && strcmp(word, "--") == 0) {
            options_ended = true;
        } else if (!options_ended && word[0] == '-' && word[1] != '\0') {
            if (!read_option(&reader, count, arguments, &at)) {
                return -1;
            }
        } else {
            arguments[++found] = word;
        }
    }
    return check_operands(&reader, found, arguments);
}

// --- the help text -----------------------------------------------------------------------------------------

void options_print(const option *options, FILE *out)
{
    enum { HELP_COLUMN = 26 };
    for (const option *o = options; o != NULL && o->name != NULL; ++o) {
        char head[80];
        char letter[8] = "";
        if (o->letter != 0) {
            snprintf(letter, sizeof letter, "-%c, ", o->letter);
        }
        snprintf(head, sizeof head, "  %s--%s%s%s", letter, o->name, o->value != NULL ? " " : "",
                 o->value != NULL ? o->value : "");
        fprintf(out, "%-*s", HELP_COLUMN, head);
        if (strlen(head) >= HELP_COLUMN) {
            fprintf(out, "\n%*s", HELP_COLUMN, "");
        }
        for (const char *c = o->help; *c != '\0'; ++c) {
            fputc(*c, out);
            if (*c == '\n') {
                fprintf(out, "%*s", HELP_COLUMN, "");
            }
        }
        fputc('\n', out);
    }
}
