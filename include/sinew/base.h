/// \file
/// What every other header needs: export marks, status codes, ids.
///
/// Conventions of the whole API: SI units, right-handed axes, quaternions x, y, z, w. A function that can
/// fail returns `sn_status`; on failure nothing has changed, and `sn_world_error()` (or, without a world,
/// `sn_last_error()`) names the object, the field, the value and what was expected.
#ifndef SINEW_BASE_H
#define SINEW_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32) && defined(SINEW_SHARED)
#ifdef SINEW_BUILDING
#define SN_API __declspec(dllexport)
#else
#define SN_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define SN_API __attribute__((visibility("default")))
#else
#define SN_API
#endif

#define SN_VERSION_MAJOR 0
#define SN_VERSION_MINOR 1
#define SN_VERSION_PATCH 0

/// What a fallible function answers. Zero is success, so `if (status)` reads well.
typedef enum sn_status {
    SN_OK = 0,
    SN_ERROR_MEMORY,        ///< the allocator returned nothing
    SN_ERROR_NULL,          ///< a pointer that must not be null is null
    SN_ERROR_DEFINITION,    ///< a definition that did not come from its `_default` function
    SN_ERROR_NOT_FINITE,    ///< a NaN or an infinity
    SN_ERROR_RANGE,         ///< a number outside its documented range
    SN_ERROR_ROTATION,      ///< a quaternion that is not of unit length, a direction of no length
    SN_ERROR_ID,            ///< a zero, stale or foreign id
    SN_ERROR_KIND,          ///< the thing exists but cannot do this (a motor on a ball joint, …)
    SN_ERROR_GEOMETRY,      ///< points or triangles that make no valid shape
    SN_ERROR_SAME_BODY,     ///< a constraint between a body and itself
    SN_ERROR_IMMOVABLE,     ///< a constraint between two bodies neither of which can move
    SN_ERROR_CAPACITY,      ///< more than the library can count
    SN_ERROR_LOCKED,        ///< called from inside a step or a query callback
    SN_ERROR_BUFFER,        ///< the buffer handed in is too small
    SN_ERROR_FORMAT,        ///< a snapshot whose bytes do not describe a world
    SN_ERROR_VERSION,       ///< a snapshot of another version
    SN_ERROR_NAME,          ///< an unknown, empty, overlong or already used name
    SN_ERROR_NOT_CONVERGED, ///< a solve ended without reaching its tolerance
    SN_ERROR_FILE,          ///< a file that cannot be read or written
    SN_STATUS_COUNT
} sn_status;

/// A short English phrase for a status, never null.
SN_API const char *sn_status_text(sn_status status);

/// The message of the last call on this thread that failed without a world to hold it
/// (`sn_world_create`, `sn_hull_create`, …). Never null; empty if none failed.
SN_API const char *sn_last_error(void);

/// The library's version as text, "0.1.0".
SN_API const char *sn_version(void);

/// Memory hooks. `allocate` must return memory aligned to 64 bytes or null; both get `user`.
typedef struct sn_allocator {
    void *(*allocate)(size_t size, void *user);
    void (*release)(void *memory, size_t size, void *user);
    void *user;
} sn_allocator;

/// Sets the allocator of the whole process; null restores the default. Call it before anything is created.
SN_API void sn_allocator_set(const sn_allocator *allocator);

/// How many allocations the library has made so far, and how many bytes it holds now. Thread-safe.
SN_API uint64_t sn_allocation_count(void);
/// Bytes the library holds now. Thread-safe.
SN_API uint64_t sn_allocated_bytes(void);

/// Coordinates and lengths beyond this are rejected: float32 holds no millimetre out there. [m]
#define SN_MAX_COORDINATE 1.0e6f
/// Linear speeds beyond this are rejected as input and clamped during a step. [m/s]
#define SN_MAX_SPEED 1.0e5f
/// Angular speeds beyond this are rejected as input and clamped during a step. [rad/s]
#define SN_MAX_SPIN 1.0e4f
/// Longest name a body, constraint or custom kind may carry, in bytes without the closing zero.
#define SN_MAX_NAME 63

/// Ids are values: copy, compare and store them freely. All zeros is the null id. An id outlives its object
/// harmlessly: using it gives SN_ERROR_ID. `world` tells worlds apart.
typedef struct sn_rigid {
    uint32_t index;
    uint16_t generation;
    uint16_t world;
} sn_rigid;

/// A collision shape of a rigid body.
typedef struct sn_shape {
    uint32_t index;
    uint16_t generation;
    uint16_t world;
} sn_shape;

/// A joint or any other constraint.
typedef struct sn_constraint {
    uint32_t index;
    uint16_t generation;
    uint16_t world;
} sn_constraint;

/// A deformable body.
typedef struct sn_deformable {
    uint32_t index;
    uint16_t generation;
    uint16_t world;
} sn_deformable;

/// Two points held together: a constraint of kind SN_BALL.
typedef sn_constraint sn_anchor;

/// The simulation. Opaque.
typedef struct sn_world sn_world;

#ifdef __cplusplus
}
#endif
#endif
