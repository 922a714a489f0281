// What went wrong, in words: the phrase of each status, the formatting of messages, the thread's own message,
// and the version.
#include "error.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local sn_error thread_error;

static const char *const status_texts[SN_STATUS_COUNT] = {
    [SN_OK] = "no error",
    [SN_ERROR_MEMORY] = "out of memory",
    [SN_ERROR_NULL] = "a required pointer is null",
    [SN_ERROR_DEFINITION] = "the definition was not made by its default function",
    [SN_ERROR_NOT_FINITE] = "a number is not finite",
    [SN_ERROR_RANGE] = "a number is out of range",
    [SN_ERROR_ROTATION] = "a rotation or direction is not of unit length",
    [SN_ERROR_ID] = "the id is null, stale or of another world",
    [SN_ERROR_KIND] = "this kind of object cannot do that",
    [SN_ERROR_GEOMETRY] = "the geometry is not a valid shape",
    [SN_ERROR_SAME_BODY] = "a constraint joins a body to itself",
    [SN_ERROR_IMMOVABLE] = "a constraint joins two immovable bodies",
    [SN_ERROR_CAPACITY] = "more objects than the library can count",
    [SN_ERROR_LOCKED] = "the world is locked by a running step or query",
    [SN_ERROR_BUFFER] = "the buffer is too small",
    [SN_ERROR_FORMAT] = "the bytes are not a valid snapshot",
    [SN_ERROR_VERSION] = "the snapshot is of another version",
    [SN_ERROR_NAME] = "the name is unknown, empty, too long or already used",
    [SN_ERROR_NOT_CONVERGED] = "the solve did not reach its tolerance",
    [SN_ERROR_FILE] = "the file cannot be read or written",
};

const char *sn_status_text(sn_status status)
{
    // Compared as an unsigned number: a caller may hand in any value, and the enum's sign is the compiler's.
    return (unsigned)status < SN_STATUS_COUNT ? status_texts[status] : "unknown status";
}

const char *sn_last_error(void)
{
    return thread_error.text;
}

#define TEXT_OF(number)                   #number
#define VERSION_TEXT(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *sn_version(void)
{
    return VERSION_TEXT(SN_VERSION_MAJOR, SN_VERSION_MINOR, SN_VERSION_PATCH);
}

// A message cut at the end of the buffer must not end inside a UTF-8 character: if its last character is
// longer than a byte, it goes, whole or not.
static void drop_last_long_character(char *text, size_t length)
{
    size_t begin = length;
    while (begin > 0 && ((unsigned char)text[begin - 1] & 0xc0u) == 0x80u) {
        --begin;
    }
    if (begin > 0 && (unsigned char)text[begin - 1] >= 0xc0u) {
        text[begin - 1] = '\0';
    }
}

sn_status(sn_fail)(sn_error *error, sn_status status, const char *format, ...)
{
    // Formatted aside, because an argument may be the very text that is replaced.
    sn_error message = {{0}};
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(message.text, sizeof message.text, format, arguments);
    va_end(arguments);
    if (length >= (int)sizeof message.text) {
        drop_last_long_character(message.text, sizeof message.text - 1);
    }
    *(error ? error : &thread_error) = message;
    return status;
}
