// Values in and out of a snapshot. One call describes one field, and the stream's mode says what happens to
// it: it is written, read back, or taken into a hash. So one description of a struct serves all three, and
// they can never disagree. Little-endian, no padding, −0 as 0, every NaN as the same one. Knows nothing of
// worlds.
#ifndef SN_WORLD_SNAPSHOT_SNAPSHOT_STREAM_H
#define SN_WORLD_SNAPSHOT_SNAPSHOT_STREAM_H

#include "base/error.h"
#include "base/hash.h"

typedef enum sn_stream_mode { SN_STREAM_WRITE, SN_STREAM_READ, SN_STREAM_HASH } sn_stream_mode;

typedef struct sn_stream {
    sn_stream_mode mode;
    unsigned char *target;       // written to; null only counts
    const unsigned char *source; // read from
    size_t size;                 // room in the target, or length of the source
    size_t at;                   // bytes written or read so far
    sn_hash hash;
    // The first failure. From then on nothing is written and zeros are read, so that a description need not
    // look at every field; loops do, so that they end.
    sn_status status;
    sn_error *error; // where its message goes
} sn_stream;

// Fails the stream, if it has not failed yet, with the message "snapshot: … (byte <at> of <size>)".
void sn_stream_fail(sn_stream *stream, sn_status status, size_t at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static inline bool sn_stream_reads(const sn_stream *stream)
{
    return stream->mode == SN_STREAM_READ;
}

void sn_stream_u8(sn_stream *stream, uint8_t *value);
void sn_stream_u16(sn_stream *stream, uint16_t *value);
void sn_stream_u32(sn_stream *stream, uint32_t *value);
void sn_stream_u64(sn_stream *stream, uint64_t *value);
void sn_stream_int(sn_stream *stream, int *value);
void sn_stream_float(sn_stream *stream, float *value);
void sn_stream_double(sn_stream *stream, double *value);
void sn_stream_bytes(sn_stream *stream, void *data, size_t count);
// One byte; anything but 0 and 1 fails.
void sn_stream_bool(sn_stream *stream, bool *value);
// An enumeration (of the size of an int) with the values 0 … count − 1; others fail.
void sn_stream_enum(sn_stream *stream, void *value, int count, const char *what);
// A number of things that take at least `item_bytes` each: fails, before anybody makes room for them, if what
// is left cannot hold so many.
void sn_stream_count(sn_stream *stream, int *count, size_t item_bytes, const char *what);
// A text of at most SN_MAX_NAME bytes, in room for that and a closing zero.
void sn_stream_name(sn_stream *stream, char *name);

void sn_stream_vec3(sn_stream *stream, sn_vec3 *value);
void sn_stream_quat(sn_stream *stream, sn_quat *value);
void sn_stream_pose(sn_stream *stream, sn_pose *value);
void sn_stream_mat3(sn_stream *stream, sn_mat3 *value);
void sn_stream_bounds(sn_stream *stream, sn_bounds *value);

#endif
