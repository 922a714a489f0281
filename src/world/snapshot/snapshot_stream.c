// Bytes are put together and taken apart by shifts, so that neither the machine's byte order nor its
// alignment matters, and every read is checked against the end of the source.
#include "world/snapshot/snapshot_stream.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void sn_stream_fail(sn_stream *stream, sn_status status, size_t at, const char *format, ...)
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
                             (unsigned long long)at, (unsigned long long)stream->size);
}

// --- bytes ---------------------------------------------------------------------------------------

static bool has_room(const sn_stream *stream, size_t count)
{
    return stream->at <= stream->size && count <= stream->size - stream->at;
}

static void write_word(sn_stream *stream, uint64_t value, int width)
{
    if (stream->target != NULL && has_room(stream, (size_t)width)) {
        for (int i = 0; i < width; ++i) {
            stream->target[stream->at + (size_t)i] = (unsigned char)(value >> (8 * i));
        }
    }
    stream->at += (size_t)width;
}

static uint64_t read_word(sn_stream *stream, int width)
{
    if (stream->status == SN_OK && !has_room(stream, (size_t)width)) {
        sn_stream_fail(stream, SN_ERROR_FORMAT, stream->at, "the bytes end early, expected %d more", width);
    }
    if (stream->status != SN_OK) {
        return 0;
    }
    uint64_t value = 0;
    for (int i = 0; i < width; ++i) {
        value |= (uint64_t)stream->source[stream->at + (size_t)i] << (8 * i);
    }
    stream->at += (size_t)width;
    return value;
}

// The value as it is afterwards: what was read, or what was handed in.
static uint64_t pass(sn_stream *stream, uint64_t value, int width)
{
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
        int width = count - i < 8 ? (int)(count - i) : 8;
        uint64_t word = 0;
        for (int k = 0; k < width; ++k) {
            word |= (uint64_t)bytes[i + (size_t)k] << (8 * k);
        }
        uint64_t passed = pass(stream, word, width);
        for (int k = 0; sn_stream_reads(stream) && k < width; ++k) {
            bytes[i + (size_t)k] = (unsigned char)(passed >> (8 * k));
        }
    }
}

// --- numbers -------------------------------------------------------------------------------------
// Values are assigned only when read: what is written or hashed may be a world others are looking at.

void sn_stream_u8(sn_stream *stream, uint8_t *value)
{
    uint64_t passed = pass(stream, *value, 1);
    if (sn_stream_reads(stream)) {
        *value = (uint8_t)passed;
    }
}

void sn_stream_u16(sn_stream *stream, uint16_t *value)
{
    uint64_t passed = pass(stream, *value, 2);
    if (sn_stream_reads(stream)) {
        *value = (uint16_t)passed;
    }
}

void sn_stream_u32(sn_stream *stream, uint32_t *value)
{
    uint64_t passed = pass(stream, *value, 4);
    if (sn_stream_reads(stream)) {
        *value = (uint32_t)passed;
    }
}

void sn_stream_u64(sn_stream *stream, uint64_t *value)
{
    uint64_t passed = pass(stream, *value, 8);
    if (sn_stream_reads(stream)) {
        *value = passed;
    }
}

void sn_stream_int(sn_stream *stream, int *value)
{
    uint32_t bits = (uint32_t)pass(stream, (uint32_t)*value, 4);
    if (sn_stream_reads(stream)) {
        // Two's complement without relying on an out-of-range conversion.
        *value = bits <= INT_MAX ? (int)bits : -(int)(UINT32_MAX - bits) - 1;
    }
}

void sn_stream_float(sn_stream *stream, float *value)
{
    uint32_t bits = 0;
    if (*value != *value) {
        bits = 0x7fc00000u;
    } else if (*value != 0.0f) {
        memcpy(&bits, value, sizeof bits);
    }
    bits = (uint32_t)pass(stream, bits, 4);
    if (sn_stream_reads(stream)) {
        memcpy(value, &bits, sizeof bits);
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
    bits = pass(stream, bits, 8);
    if (sn_stream_reads(stream)) {
        memcpy(value, &bits, sizeof bits);
    }
}

// --- numbers with a meaning ----------------------------------------------------------------------

void sn_stream_bool(sn_stream *stream, bool *value)
{
    size_t at = stream->at;
    uint64_t passed = pass(stream, *value, 1);
    if (sn_stream_reads(stream)) {
        if (passed > 1) {
            sn_stream_fail(stream, SN_ERROR_FORMAT, at, "a flag is %u, expected 0 or 1", (unsigned)passed);
        }
        *value = passed == 1;
    }
}

void sn_stream_enum(sn_stream *stream, void *value, int count, const char *what)
{
    uint32_t number;
    size_t at = stream->at;
    memcpy(&number, value, sizeof number);
    number = (uint32_t)pass(stream, number, 4);
    if (sn_stream_reads(stream)) {
        if (number >= (uint32_t)count) {
            sn_stream_fail(stream, SN_ERROR_FORMAT, at, "%s is %u, expected < %d", what, (unsigned)number,
                           count);
            number = 0;
        }
        memcpy(value, &number, sizeof number);
    }
}

void sn_stream_count(sn_stream *stream, int *count, size_t item_bytes, const char *what)
{
    size_t at = stream->at;
    uint32_t number = (uint32_t)pass(stream, (uint32_t)*count, 4);
    if (sn_stream_reads(stream)) {
        size_t most = (stream->size - stream->at) / item_bytes;
        if (number > most || number > INT_MAX / 2) {
            sn_stream_fail(stream, SN_ERROR_FORMAT, at,
                           "the number of %s is %u, but what follows holds at most %llu", what,
                           (unsigned)number, (unsigned long long)most);
            number = 0;
        }
        *count = (int)number;
    }
}

void sn_stream_name(sn_stream *stream, char *name)
{
    size_t at = stream->at;
    int length = sn_stream_reads(stream) ? 0 : (int)strlen(name);
    sn_stream_count(stream, &length, 1, "bytes of a name");
    if (length > SN_MAX_NAME) {
        sn_stream_fail(stream, SN_ERROR_FORMAT, at, "a name has %d bytes, expected at most %d", length,
                       SN_MAX_NAME);
        length = 0;
    }
    sn_stream_bytes(stream, name, (size_t)length);
    if (sn_stream_reads(stream)) {
        name[length] = '\0';
        if (strlen(name) != (size_t)length) {
            sn_stream_fail(stream, SN_ERROR_FORMAT, at, "a name has a zero in it");
        }
    }
}

// --- vectors -------------------------------------------------------------------------------------

void sn_stream_vec3(sn_stream *stream, sn_vec3 *value)
{
    sn_stream_float(stream, &value->x);
    sn_stream_float(stream, &value->y);
    sn_stream_float(stream, &value->z);
}

void sn_stream_quat(sn_stream *stream, sn_quat *value)
{
    sn_stream_float(stream, &value->x);
    sn_stream_float(stream, &value->y);
    sn_stream_float(stream, &value->z);
    sn_stream_float(stream, &value->w);
}

void sn_stream_pose(sn_stream *stream, sn_pose *value)
{
    sn_stream_vec3(stream, &value->position);
    sn_stream_quat(stream, &value->rotation);
}

void sn_stream_mat3(sn_stream *stream, sn_mat3 *value)
{
    sn_stream_vec3(stream, &value->x);
    sn_stream_vec3(stream, &value->y);
    sn_stream_vec3(stream, &value->z);
}

void sn_stream_bounds(sn_stream *stream, sn_bounds *value)
{
    sn_stream_vec3(stream, &value->lower);
    sn_stream_vec3(stream, &value->upper);
}
