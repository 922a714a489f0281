// Bytes are put together and taken apart by shifts, so that neither the machine's byte order nor its
// alignment matters, and every read is checked against the end of the source.
#include "world/snapshot/snapshot_stream.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(int) == 4 && sizeof(sn_vec3) == 12, "values are streamed as if in arrays");

void sn_stream_fail(sn_stream *stream, sn_status status, const char *format, ...)
{
    if (stream->status != SN_OK) {
        return;
    }
    char text[SN_ERROR_CAPACITY_BYTES - 56]; // leaves room for the position
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    stream->status = sn_fail(stream->error, status, "snapshot: %s (byte %llu of %llu)", text,
                             (unsigned long long)stream->last, (unsigned long long)stream->size);
}

// --- bytes ---------------------------------------------------------------------------------------

static bool has_room(const sn_stream *stream, size_t count)
{
    return stream->at <= stream->size && count <= stream->size - stream->at;
}

static void write_word(sn_stream *stream, uint64_t value, size_t width)
{
    if (stream->target != NULL && has_room(stream, width)) {
        for (size_t i = 0; i < width; ++i) {
            stream->target[stream->at + i] = (unsigned char)(value >> (8 * i));
        }
    }
    stream->at += width;
}

static uint64_t read_word(sn_stream *stream, size_t width)
{
    if (stream->status == SN_OK && !has_room(stream, width)) {
        sn_stream_fail(stream, SN_ERROR_FORMAT, "the bytes end early, expected %d more", (int)width);
    }
    if (stream->status != SN_OK) {
        return 0;
    }
    uint64_t value = 0;
    for (size_t i = 0; i < width; ++i) {
        value |= (uint64_t)stream->source[stream->at + i] << (8 * i);
    }
    stream->at += width;
    return value;
}

// The value afterwards: the one that was read, or the one that was handed in.
static uint64_t pass(sn_stream *stream, uint64_t value, size_t width)
{
    stream->last = stream->status == SN_OK ? stream->at : stream->last;
    switch (stream->mode) {
    case SN_STREAM_READ:
        return read_word(stream, width);
    case SN_STREAM_WRITE:
        write_word(stream, value, width);
        return value;
    default:
        stream->hash = sn_hash_u64(stream->hash, value);
        return value;
    }
}

void sn_stream_bytes(sn_stream *stream, void *data, size_t count)
{
    unsigned char *bytes = data;
    for (size_t i = 0; i < count; i += 8) {
        size_t width = count - i < 8 ? count - i : 8;
        uint64_t word = 0;
        for (size_t k = 0; k < width; ++k) {
            word |= (uint64_t)bytes[i + k] << (8 * k);
        }
        uint64_t passed = pass(stream, word, width);
        for (size_t k = 0; sn_stream_reads(stream) && k < width; ++k) {
            bytes[i + k] = (unsigned char)(passed >> (8 * k));
        }
    }
}

// --- numbers -------------------------------------------------------------------------------------

#define PASS_INTEGER(TYPE)                                                                                   \
    for (size_t i = 0; i < count; ++i) {                                                                     \
        TYPE value;                                                                                          \
        memcpy(&value, (char *)values + i * sizeof value, sizeof value);                                     \
        value = (TYPE)pass(stream, value, sizeof value);                                                     \
        if (sn_stream_reads(stream)) {                                                                       \
            memcpy((char *)values + i * sizeof value, &value, sizeof value);                                 \
        }                                                                                                    \
    }

void sn_stream_integers(sn_stream *stream, void *values, size_t width, size_t count)
{
    switch (width) {
    case 1:
        PASS_INTEGER(uint8_t)
        break;
    case 2:
        PASS_INTEGER(uint16_t)
        break;
    case 4:
        PASS_INTEGER(uint32_t)
        break;
    default:
        PASS_INTEGER(uint64_t)
        break;
    }
}

void sn_stream_floats(sn_stream *stream, float *values, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        uint32_t bits = 0;
        if (values[i] != values[i]) {
            bits = 0x7fc00000u;
        } else if (values[i] != 0.0f) {
            memcpy(&bits, &values[i], sizeof bits);
        }
        bits = (uint32_t)pass(stream, bits, sizeof bits);
        if (sn_stream_reads(stream)) {
            memcpy(&values[i], &bits, sizeof bits);
        }
    }
}

void sn_stream_double(sn_stream *stream, double *value)
{
    uint64_t bits = 0;
    if (*value != *value) {
        bits = 0x7ff8000000000000u;
    } else if (*value != 0.0) {
        memcpy(&bits, value, sizeof bits);
    }
    bits = pass(stream, bits, sizeof bits);
    if (sn_stream_reads(stream)) {
        memcpy(value, &bits, sizeof bits);
    }
}

// --- numbers with a meaning ----------------------------------------------------------------------

void sn_stream_bool(sn_stream *stream, bool *value, const char *what)
{
    uint64_t passed = pass(stream, *value, 1);
    if (sn_stream_reads(stream)) {
        if (passed > 1) {
            sn_stream_fail(stream, SN_ERROR_FORMAT, "%s is %u, expected 0 or 1", what, (unsigned)passed);
        }
        *value = passed == 1;
    }
}

void sn_stream_count(sn_stream *stream, int *count, size_t item_bytes, const char *what)
{
    uint32_t number = (uint32_t)pass(stream, (uint32_t)*count, 4);
    if (sn_stream_reads(stream)) {
        size_t most = (stream->size - stream->at) / item_bytes;
        if (number > most || number > INT_MAX / 2) {
            sn_stream_fail(stream, SN_ERROR_FORMAT,
                           "the number of %s is %u, but the bytes that follow hold at most %llu", what,
                           (unsigned)number, (unsigned long long)most);
            number = 0;
        }
        *count = (int)number;
    }
}

void sn_stream_name(sn_stream *stream, char *name)
{
    int length = sn_stream_reads(stream) ? 0 : (int)strlen(name);
    sn_stream_count(stream, &length, 1, "bytes of a name");
    if (length > SN_MAX_NAME) {
        sn_stream_fail(stream, SN_ERROR_FORMAT, "a name has %d bytes, expected at most %d", length,
                       SN_MAX_NAME);
        length = 0;
    }
    sn_stream_bytes(stream, name, (size_t)length);
    if (sn_stream_reads(stream)) {
        name[length] = '\0';
        if (strlen(name) != (size_t)length) {
            sn_stream_fail(stream, SN_ERROR_FORMAT, "a name has a zero in it");
        }
    }
}
