// Text in the few formats that messages of the library have, and sorting: the C library's own are ten times
// the code, and every byte is fetched before the first picture. Formats are %d, %u, %llu, %x with zeros in
// front, %s cut at a length, %g and %.0f, where halves are rounded up.
#include "base/tuple_sort.h"

#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct text {
    char *buffer;
    size_t capacity, length;
} text;

static void put(text *out, char c)
{
    if (out->length + 1 < out->capacity) {
        out->buffer[out->length] = c;
    }
    ++out->length;
}

static void put_text(text *out, const char *s, int most)
{
    for (; *s != '\0' && most > 0; --most) {
        put(out, *s++);
    }
}

// With zeros in front up to `width` digits.
static void put_number(text *out, unsigned long long number, unsigned base, int width)
{
    char digits[32];
    int count = 0;
    do {
        digits[count++] = "0123456789abcdef"[number % base];
        number /= base;
    } while (number > 0 || count < width);
    while (count > 0) {
        put(out, digits[--count]);
    }
}

// As %g does: six digits, none of them zeros at the end behind the point.
static void put_general(text *out, double value)
{
    int exponent = 0;
    double scaled = value;
    for (; scaled >= 999999.5; ++exponent) {
        scaled /= 10.0;
    }
    for (; scaled != 0.0 && scaled < 99999.95; --exponent) {
        scaled *= 10.0;
    }
    unsigned digits = (unsigned)(scaled + 0.5);
    int place = value == 0.0 ? 0 : exponent + 5; // of the first digit
    bool is_short = place >= -4 && place < 6;
    int behind = is_short ? 5 - place : 5; // digits behind the point
    for (; behind > 0 && digits % 10 == 0; --behind) {
        digits /= 10;
    }
    unsigned part = 1;
    for (int i = 0; i < behind && i < 9; ++i) {
        part *= 10;
    }
    put_number(out, digits / part, 10, 1);
    if (behind > 0) {
        put(out, '.');
        put_number(out, digits % part, 10, behind);
    }
    if (!is_short) {
        put(out, 'e');
        put(out, place < 0 ? '-' : '+');
        put_number(out, (unsigned)(place < 0 ? -place : place), 10, 2);
    }
}

static void put_real(text *out, double value, bool is_whole)
{
    if (value < 0.0) {
        put(out, '-');
        value = -value;
    }
    if (!(value <= 1.7976931348623157e308)) {
        put_text(out, value != value ? "nan" : "inf", INT_MAX);
    } else if (is_whole && value < 1e18) {
        put_number(out, (unsigned long long)(value + 0.5), 10, 1);
    } else {
        put_general(out, value);
    }
}

int vsnprintf(char *restrict buffer, size_t capacity, const char *restrict format, va_list arguments)
{
    text out = {buffer, capacity, 0};
    for (; *format != '\0'; ++format) {
        if (*format != '%') {
            put(&out, *format);
            continue;
        }
        int width = 0, longs = 0;
        for (++format; (*format >= '0' && *format <= '9') || *format == '.'; ++format) {
            width = *format == '.' ? 0 : 10 * width + (*format - '0');
        }
        for (; *format == 'l'; ++format) {
            ++longs;
        }
        if (*format == 's') {
            put_text(&out, va_arg(arguments, const char *), width > 0 ? width : INT_MAX);
        } else if (*format == 'g' || *format == 'f') {
            put_real(&out, va_arg(arguments, double), *format == 'f');
        } else if (*format == 'd') {
            int number = va_arg(arguments, int);
            put_text(&out, "-", number < 0);
            put_number(&out, number < 0 ? 0u - (unsigned)number : (unsigned)number, 10, width);
        } else {
            unsigned long long number =
                longs > 1 ? va_arg(arguments, unsigned long long) : va_arg(arguments, unsigned);
            put_number(&out, number, *format == 'x' ? 16 : 10, width);
        }
    }
    if (capacity > 0) {
        buffer[out.length < capacity ? out.length : capacity - 1] = '\0';
    }
    return (int)out.length;
}

int snprintf(char *restrict buffer, size_t capacity, const char *restrict format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(buffer, capacity, format, arguments);
    va_end(arguments);
    return length;
}

void qsort(void *items, size_t count, size_t size, int (*compare)(const void *a, const void *b))
{
    sn_sort_in_place(items, (int)count, size, compare);
}
