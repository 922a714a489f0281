// Words, lines and numbers of a text in memory.
//
// Short decimals, nearly all there are, become floats by one exactly rounded operation (Clinger, "How to read
// floating point numbers accurately", 1990); the rest goes to strtof under the C locale.
#include "scene/text_reader.h"

#include "scene/message.h"

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_NUMBER 127

sn_text_reader sn_text_begin(const char *text, size_t size, const char *path)
{
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    sn_text_reader reader = {.path = path, .start = text, .at = text, .end = text + size, .line = 1};
    if (size >= 3 && memcmp(text, byte_order_mark, 3) == 0) {
        reader.at += 3;
    }
    return reader;
}

// --- messages ----------------------------------------------------------------------------------------------

sn_status sn_text_fail(const sn_text_reader *reader, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (reader->line == 0) {
        size_t byte = (size_t)(reader->at - reader->start);
        return sn_scene_fail(SN_ERROR_FORMAT, "%s: byte %zu: %s", reader->path, byte, text);
    }
    return sn_scene_fail(SN_ERROR_FORMAT, "%s:%zu: %s", reader->path, reader->line, text);
}

sn_quoted sn_word_quote(sn_word word)
{
    enum { SHOWN = 40 };
    sn_quoted quoted = {"\""};
    size_t shown = word.size < SHOWN ? word.size : SHOWN;
    for (size_t i = 0; i < shown; ++i) {
        bool printable = word.text[i] > ' ' && word.text[i] < '\x7f';
        quoted.text[1 + i] = printable ? word.text[i] : '?';
    }
    snprintf(quoted.text + 1 + shown, sizeof quoted.text - 1 - shown, word.size > SHOWN ? "...\"" : "\"");
    return quoted;
}

// --- words -------------------------------------------------------------------------------------------------

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

// How many bytes at `at` say that the next line belongs to this one; 0 if none do.
static size_t continuation(const sn_text_reader *reader, const char *at)
{
    size_t left = (size_t)(reader->end - at);
    if (!reader->continued || left < 2 || at[0] != '\\') {
        return 0;
    }
    if (at[1] == '\n') {
        return 2;
    }
    return left >= 3 && at[1] == '\r' && at[2] == '\n' ? 3 : 0;
}

static const char *end_of_line(const sn_text_reader *reader)
{
    const char *found = memchr(reader->at, '\n', (size_t)(reader->end - reader->at));
    return found == NULL ? reader->end : found;
}

// Up to the beginning of a word; false if there is none.
static bool skip_blanks(sn_text_reader *reader)
{
    while (reader->at < reader->end) {
        char c = *reader->at;
        size_t joint = c == '\\' ? continuation(reader, reader->at) : 0;
        if (c == '\n' && reader->by_lines) {
            return false;
        }
        if (c == '\n' || joint > 0) {
            ++reader->line;
            reader->at += joint > 0 ? joint : 1;
        } else if (is_blank(c)) {
            ++reader->at;
        } else if (c == reader->comment && c != '\0') {
            reader->at = end_of_line(reader);
        } else {
            return true;
        }
    }
    return false;
}

bool sn_text_next(sn_text_reader *reader, sn_word *word)
{
    if (!skip_blanks(reader)) {
        return false;
    }
    const char *at = reader->at + 1;
    while (at < reader->end && !is_blank(*at) && (*at != '\\' || continuation(reader, at) == 0)) {
        ++at;
    }
    *word = (sn_word){reader->at, (size_t)(at - reader->at)};
    reader->at = at;
    return true;
}

bool sn_text_next_line(sn_text_reader *reader)
{
    while (reader->at < reader->end) {
        const char *line_end = end_of_line(reader);
        if (line_end == reader->end) {
            reader->at = line_end;
            return false;
        }
        const char *last = line_end;
        while (last > reader->at && last[-1] == '\r') {
            --last;
        }
        bool joined = last > reader->at && continuation(reader, last - 1) > 0;
        reader->at = line_end + 1;
        ++reader->line;
        if (!joined) {
            return true;
        }
    }
    return false;
}

sn_status sn_text_end_line(const sn_text_reader *reader)
{
    sn_text_reader ahead = *reader;
    ahead.by_lines = true;
    sn_word word;
    return sn_text_next(&ahead, &word)
               ? sn_text_fail(&ahead, "%s, expected the end of the line", sn_word_quote(word).text)
               : SN_OK;
}

size_t sn_text_left(const sn_text_reader *reader)
{
    return (size_t)(reader->end - reader->at);
}

bool sn_word_is(sn_word word, const char *text)
{
    return strlen(text) == word.size && memcmp(text, word.text, word.size) == 0;
}

static char lower_case(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool sn_word_is_any_case(sn_word word, const char *text)
{
    for (size_t i = 0; i < word.size; ++i) {
        if (text[i] == '\0' || lower_case(text[i]) != lower_case(word.text[i])) {
            return false;
        }
    }
    return text[word.size] == '\0';
}

// --- numbers -----------------------------------------------------------------------------------------------

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool sn_word_integer(sn_word word, int64_t *value)
{
    size_t i = word.size > 0 && (word.text[0] == '-' || word.text[0] == '+');
    bool negative = i == 1 && word.text[0] == '-';
    if (i == word.size) {
        return false;
    }
    int64_t sum = 0;
    for (; i < word.size; ++i) {
        int digit = word.text[i] - '0';
        if (!is_digit(word.text[i]) || sum > (INT64_MAX - digit) / 10) {
            return false;
        }
        sum = 10 * sum + digit;
    }
    *value = negative ? -sum : sum;
    return true;
}

// digits · 10^exponent, all there is to a decimal number.
typedef struct decimal {
    bool negative;
    bool exact; // `digits` holds them all
    uint64_t digits;
    int exponent;
} decimal;

static void scan_digits(sn_word word, size_t *at, bool fraction, decimal *number)
{
    for (; *at < word.size && is_digit(word.text[*at]); ++*at) {
        bool fits = number->digits <= (UINT64_MAX - 9) / 10;
        number->exact = number->exact && fits;
        number->digits = fits ? 10 * number->digits + (uint64_t)(word.text[*at] - '0') : number->digits;
        number->exponent -= fraction;
    }
}

// The exponent after the e; so large ones that no float has them are all alike.
static bool scan_exponent(sn_word word, size_t *at, decimal *number)
{
    size_t i = *at;
    bool negative = i < word.size && word.text[i] == '-';
    i += i < word.size && (word.text[i] == '-' || word.text[i] == '+');
    size_t first = i;
    int exponent = 0;
    for (; i < word.size && is_digit(word.text[i]); ++i) {
        exponent = exponent < 10000 ? 10 * exponent + (word.text[i] - '0') : exponent;
    }
    number->exponent += negative ? -exponent : exponent;
    *at = i;
    return i > first;
}

static bool scan_decimal(sn_word word, decimal *number)
{
    size_t i = 0;
    *number = (decimal){.exact = true};
    if (word.size > 0 && (word.text[0] == '-' || word.text[0] == '+')) {
        number->negative = word.text[i++] == '-';
    }
    size_t first = i;
    scan_digits(word, &i, false, number);
    size_t digit_count = i - first;
    if (i < word.size && word.text[i] == '.') {
        first = ++i;
        scan_digits(word, &i, true, number);
        digit_count += i - first;
    }
    if (digit_count == 0) {
        return false;
    }
    if (i < word.size && lower_case(word.text[i]) == 'e') {
        ++i;
        if (!scan_exponent(word, &i, number)) {
            return false;
        }
    }
    return i == word.size;
}

// One rounding to double of exact numbers, then one to float. The two together are right unless the double
// lies exactly between two floats, where the first rounding may have brought it; false then.
static bool short_value(const decimal *number, float *value)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    int exponent = number->exponent;
    if (!number->exact || number->digits > (uint64_t)1 << 53 || exponent < -22 || exponent > 22) {
        return false;
    }
    double digits = (double)number->digits;
    double magnitude = exponent < 0 ? digits / powers[-exponent] : digits * powers[exponent];
    uint64_t bits;
    memcpy(&bits, &magnitude, sizeof bits);
    if ((bits & 0x1FFFFFFF) == 0x10000000) {
        return false;
    }
    *value = (float)(number->negative ? -magnitude : magnitude);
    return true;
}

// A word known to be a decimal number, as strtof reads it where the point is a point.
static float long_value(sn_word word)
{
    char text[LONGEST_NUMBER + 1];
    memcpy(text, word.text, word.size);
    text[word.size] = '\0';
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (plain == (locale_t)0) {
        return NAN;
    }
    locale_t before = uselocale(plain);
    float value = strtof(text, NULL);
    uselocale(before);
    freelocale(plain);
    return value;
}

bool sn_word_float(sn_word word, float *value)
{
    decimal number;
    if (word.size > LONGEST_NUMBER || !scan_decimal(word, &number)) {
        return false;
    }
    if (!short_value(&number, value)) {
        *value = long_value(word);
    }
    return isfinite(*value);
}

// --- words that must be there ------------------------------------------------------------------------------

sn_status sn_text_read_word(sn_text_reader *reader, const char *what, sn_word *word)
{
    if (sn_text_next(reader, word)) {
        return SN_OK;
    }
    const char *ended = reader->by_lines && reader->at < reader->end ? "line" : "file";
    return sn_text_fail(reader, "the %s ends, expected %s", ended, what);
}

sn_status sn_text_expect(sn_text_reader *reader, const char *text)
{
    sn_word word;
    sn_status status = sn_text_read_word(reader, text, &word);
    if (status == SN_OK && !sn_word_is_any_case(word, text)) {
        status = sn_text_fail(reader, "%s, expected %s", sn_word_quote(word).text, text);
    }
    return status;
}

// What was expected instead of a word, as short as it can be said.
static sn_status not_an_integer(const sn_text_reader *reader, const char *what, sn_word word, int64_t lower,
                                int64_t upper)
{
    char range[64] = "a whole number";
    if (lower == upper) {
        snprintf(range, sizeof range, "%lld", (long long)lower);
    } else if (lower != INT64_MIN || upper != INT64_MAX) {
        snprintf(range, sizeof range, "a whole number from %lld to %lld", (long long)lower, (long long)upper);
    }
    return sn_text_fail(reader, "%s is %s, expected %s", what, sn_word_quote(word).text, range);
}

sn_status sn_text_read_integer(sn_text_reader *reader, const char *what, int64_t lower, int64_t upper,
                               int64_t *value)
{
    sn_word word;
    sn_status status = sn_text_read_word(reader, what, &word);
    if (status == SN_OK && (!sn_word_integer(word, value) || *value < lower || *value > upper)) {
        status = not_an_integer(reader, what, word, lower, upper);
    }
    return status;
}

sn_status sn_text_read_float(sn_text_reader *reader, const char *what, float lower, float upper, float *value)
{
    sn_word word;
    sn_status status = sn_text_read_word(reader, what, &word);
    if (status == SN_OK && (!sn_word_float(word, value) || *value < lower || *value > upper)) {
        status = sn_text_fail(reader, "%s is %s, expected a number from %.9g to %.9g", what,
                              sn_word_quote(word).text, (double)lower, (double)upper);
    }
    return status;
}

sn_status sn_text_read_count(sn_text_reader *reader, const char *things, int most, size_t least_bytes,
                             int *count)
{
    char what[64];
    snprintf(what, sizeof what, "number of %s", things);
    int64_t value = 0;
    sn_status status = sn_text_read_integer(reader, what, 0, most, &value);
    // The last thing may lack the blank after it.
    size_t room = (sn_text_left(reader) + 1) / least_bytes;
    if (status == SN_OK && (uint64_t)value > room) {
        status = sn_text_fail(reader,
                              "%s is %lld, but what is left of the file has room for %zu, expected no more",
                              what, (long long)value, room);
    }
    *count = status == SN_OK ? (int)value : 0;
    return status;
}

sn_status sn_text_skip_words(sn_text_reader *reader, const char *what, int64_t count)
{
    sn_word word;
    sn_status status = SN_OK;
    for (int64_t i = 0; i < count && status == SN_OK; ++i) {
        status = sn_text_read_word(reader, what, &word);
    }
    return status;
}
