// Values in and out of a snapshot. The stream's mode says what happens to a value: it is written, read back,
// or taken into a hash. So one description of a struct serves all three, and they cannot disagree.
// Little-endian, no padding, −0 as 0, every NaN as the same one. Knows nothing of worlds.
#ifndef SN_WORLD_SNAPSHOT_SNAPSHOT_STREAM_H
#define SN_WORLD_SNAPSHOT_SNAPSHOT_STREAM_H

#include "base/error.h"
#include "base/hash.h"

typedef enum sn_stream_mode { SN_STREAM_WRITE, SN_STREAM_READ, SN_STREAM_HASH } sn_stream_mode;

typedef struct sn_stream {
    sn_stream_mode mode;
    unsigned char *target;       // written to; null: bytes are only counted
    const unsigned char *source; // read from
    size_t size;                 // room in the target, or length of the source
    size_t at;                   // bytes written or read so far
    size_t last;                 // where the last value begins
    sn_hash hash;
    // The first failure. After it nothing is written and zeros are read, so that a description need not look
    // at the status after every field; loops do, so that they end.
    sn_status status;
    sn_error *error; // where its message goes
} sn_stream;

// Fails the stream, if it has not failed yet, with the message "snapshot: … (byte <last> of <size>)".
void sn_stream_fail(sn_stream *stream, sn_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static inline bool sn_stream_reads(const sn_stream *stream)
{
    return stream->mode == SN_STREAM_READ;
}

// Values are assigned only when they are read: a world that is written or hashed may be in use elsewhere.
// `width` is the size of an integer, 1, 2, 4 or 8 bytes.
void sn_stream_integers(sn_stream *stream, void *values, size_t width, size_t count);
void sn_stream_floats(sn_stream *stream, float *values, size_t count);
void sn_stream_double(sn_stream *stream, double *value);
void sn_stream_bytes(sn_stream *stream, void *data, size_t count);
// One byte; anything but 0 and 1 fails.
void sn_stream_bool(sn_stream *stream, bool *value, const char *what);
// A number of things that take at least `item_bytes` each. Fails, before anybody makes room for them, if the
// rest of the source cannot hold so many.
void sn_stream_count(sn_stream *stream, int *count, size_t item_bytes, const char *what);
// A text of at most SN_MAX_NAME bytes, in room for that and a closing zero.
void sn_stream_name(sn_stream *stream, char *name);

static inline void sn_stream_u32(sn_stream *stream, uint32_t *value)
{
    sn_stream_integers(stream, value, sizeof *value, 1);
}
static inline void sn_stream_u64(sn_stream *stream, uint64_t *value)
{
    sn_stream_integers(stream, value, sizeof *value, 1);
}
static inline void sn_stream_int(sn_stream *stream, int *value)
{
    sn_stream_integers(stream, value, sizeof *value, 1);
}
static inline void sn_stream_float(sn_stream *stream, float *value)
{
    sn_stream_floats(stream, value, 1);
}
static inline void sn_stream_vec3(sn_stream *stream, sn_vec3 *value)
{
    sn_stream_floats(stream, (float *)value, 3);
}

#endif
