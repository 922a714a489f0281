// Where messages of failed calls are kept: one buffer a world, one a thread for calls without a world.
#ifndef SN_BASE_ERROR_H
#define SN_BASE_ERROR_H

#include "sinew/base.h"

// Room for three of the longest names in one sentence.
#define SN_ERROR_CAPACITY_BYTES 384

typedef struct sn_error {
    char text[SN_ERROR_CAPACITY_BYTES];
} sn_error;

// Formats the message (printf style) into `error` (null: the thread's own buffer) and returns `status`, so
// that a failing function can say `return sn_fail(error, SN_ERROR_RANGE, "…", …);`. Messages read "sphere of
// rigid 'crate': radius is -1, expected > 0".
sn_status sn_fail(sn_error *error, sn_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#ifdef __clang_analyzer__
// The analyzer does not see that the status comes back.
#define sn_fail(error, status, ...) (sn_fail(error, status, __VA_ARGS__), (status))
#endif

#endif
