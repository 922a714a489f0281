// Tables that describe the fields of a struct: where each one is, its type, and the values it may have. One
// table serves the checks of what users hand in, and the writing, reading, hashing and checking of snapshots
// (snapshot_fields.c). Tested by the tests of bad input and by tests/world/snapshot.
#ifndef SN_WORLD_CORE_FIELDS_H
#define SN_WORLD_CORE_FIELDS_H

#include "base/error.h"
#include "constraint/kind.h"

#include <float.h>
#include <stddef.h>

// Numbers lie between `lower` and `upper` of their field. With both 0, any value is allowed.
typedef enum sn_field_type {
    SN_FIELD_BOOL,
    SN_FIELD_U8,  // any value
    SN_FIELD_U16, // any value
    SN_FIELD_U32,
    SN_FIELD_U64, // any value
    SN_FIELD_INT,
    SN_FIELD_ENUM, // of the size of an int
    SN_FIELD_FLOAT,
    SN_FIELD_STRENGTH, // a float above 0, infinity allowed
    SN_FIELD_DOUBLE,
    SN_FIELD_VEC3,      // coordinates within ±upper
    SN_FIELD_DIRECTION, // an sn_vec3 with its length in the range
    SN_FIELD_QUAT,      // of unit length
    SN_FIELD_POSE,      // within SN_MAX_COORDINATE, its rotation of unit length
    SN_FIELD_BOUNDS,    // finite, the lower corner not above the upper one
    // Only in snapshots, where they are checked against the world.
    SN_FIELD_NAME,   // char *, in memory of its own; null for ""
    SN_FIELD_INDEX,  // int: something in use of an id pool
    SN_FIELD_EDGE,   // int: 2·index + side of something in use of an id pool, or −1
    SN_FIELD_MEMBER, // int: a body or deformable of the graph, or −1
} sn_field_type;

typedef struct sn_field {
    const char *name; // of the member; null after the last field of a table
    sn_field_type type;
    size_t offset;
    int count; // elements of an array; 0 for a single value. A matrix is an array of three SN_FIELD_VEC3.
    float lower, upper;
    size_t pool;      // of INDEX and EDGE: offset of the id pool in sn_world
    bool may_be_none; // of INDEX: −1 is allowed
} sn_field;

// A row of a table; the last arguments are designated initialisers, among them one of the ranges.
#define SN_MEMBER_FIELD(TYPE, STRUCT, MEMBER, ...)                                                           \
    {                                                                                                        \
        .type = SN_FIELD_##TYPE, .name = #MEMBER, .offset = offsetof(STRUCT, MEMBER), __VA_ARGS__            \
    }
#define SN_ANY     .lower = 0.0f
#define SN_FINITE  SN_RANGE(-FLT_MAX, FLT_MAX)
#define SN_CHECKED .upper = 1.0f // of types that know their range: strengths, rotations, poses, bounds

// Ranges that several structs share.
#define SN_DAMPING_RANGE       SN_RANGE(0.0f, 1000.0f) // [1/s]
#define SN_GRAVITY_SCALE_RANGE SN_RANGE(-1000.0f, 1000.0f)
#define SN_DENSITY_RANGE       SN_RANGE(0.0f, 1.0e9f) // of rigid shapes [kg/m³]
#define SN_FRICTION_RANGE      SN_RANGE(0.0f, 100.0f)
#define SN_RESTITUTION_RANGE   SN_RANGE(0.0f, 1.0f)
#define SN_ROLLING_RANGE       SN_RANGE(0.0f, 1.0e6f) // rolling resistance [m]
#define SN_LOCKS_RANGE         SN_RANGE(0.0f, 63.0f)  // all six SN_LOCK bits

size_t sn_field_size(sn_field_type type); // of one value, in memory
// SN_OK, or a status with the message "<object>: <field> is <value>, expected …". `data` is the struct that
// the field is in; it stays as it is.
sn_status sn_field_check(const sn_field *field, const void *data, sn_error *error, const char *object);
// The same for all fields of a table, up to the first that is wrong.
sn_status sn_fields_check(const sn_field *fields, const void *data, sn_error *error, const char *object);

#endif
