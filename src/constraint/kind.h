// What a constraint kind is: one pure function from positions to rows, and a table of its own fields.
// Everything else (checking, solving, breaking, reactions, errors, saving, scene files) is generic. Kinds
// know no solver and no world. How to add one: docs/adding-a-constraint.md.
#ifndef SN_CONSTRAINT_KIND_H
#define SN_CONSTRAINT_KIND_H

#include "base/error.h"
#include "constraint/contact.h"
#include "constraint/parts.h"
#include "sinew/constraint.h"

// The kinds users add: enumerator and name. Each is described by sn_kind_<name> in the file of its name.
#define SN_KIND_LIST(KIND)                                                                                   \
    KIND(BALL, ball)                                                                                         \
    KIND(HINGE, hinge)                                                                                       \
    KIND(SLIDER, slider)                                                                                     \
    KIND(FIXED, fixed)                                                                                       \
    KIND(DISTANCE, distance)                                                                                 \
    KIND(AXIS, axis)

// Kinds that users cannot add come after those they can: contacts, which the world makes by itself.
enum { SN_CONTACT = SN_CONSTRAINT_KIND_COUNT, SN_KIND_COUNT };

// Any kind's definition: the parameters its function reads.
typedef union sn_definition {
    sn_constraint_common common;
#define SN_MEMBER(KIND, kind) sn_##kind##_def kind;
    SN_KIND_LIST(SN_MEMBER)
#undef SN_MEMBER
    sn_custom_def custom;
    sn_contact_def contact;
} sn_definition;

// Ends whose orientation a kind needs, as bits.
enum { SN_END_A = 1, SN_END_B = 2, SN_BOTH_ENDS = 3 };

typedef struct sn_kind {
    const char *name;
    const char *text; // what it holds, a sentence for documentation
    uint32_t cookie;  // marks definitions that came from their default function; arbitrary, never 0
    size_t definition_size;
    // `data` is the kind's definition; null for custom, whose function the user brings. The number of rows
    // and their types depend on the definition alone, never on the positions.
    sn_row_function evaluate;
    // The fields that are the kind's own, in the order of the definition: `common` is dealt with elsewhere.
    const sn_constraint_field *fields;
    int field_count;
    // Ends whose orientation its rows need, so that a sum of nodes will not do there.
    int oriented_ends;
    // Whether they need it with this definition. Null: always.
    bool (*needs_frames)(const sn_definition *definition);
    // What it measures: its angle, travel or length. Null: nothing that is one number.
    sn_coordinate (*measure)(const sn_row_input *input);
    // Checks what the table of fields cannot say; `object` names the constraint in messages. Null: nothing.
    sn_status (*check)(const sn_definition *definition, sn_error *error, const char *object);
} sn_kind;

// By sn_constraint_kind, then those of the world's own.
extern const sn_kind *const sn_kinds[SN_KIND_COUNT];

// What is in the file of a kind.
#define SN_DECLARE(KIND, kind)                                                                               \
    extern const sn_kind sn_kind_##kind;                                                                     \
    int sn_##kind##_rows(const sn_row_input *input, const void *data, sn_row *rows);
SN_KIND_LIST(SN_DECLARE)
SN_DECLARE(CONTACT, contact)
#undef SN_DECLARE
extern const sn_kind sn_kind_custom;

// The part of a kind's description that follows from its name; its fields are in an array `fields`.
#define SN_KIND(kind)  .name = #kind, .definition_size = sizeof(sn_##kind##_def), .evaluate = sn_##kind##_rows
#define SN_KIND_FIELDS .fields = fields, .field_count = (int)(sizeof fields / sizeof fields[0])

// A row of a table of fields: a member of the definition, the group it is in (may be null), its text, and
// designated initialisers of unit, range and what else there is (sn_constraint_field).
#define SN_FIELD(TYPE, DEF, MEMBER, GROUP, ...)                                                              \
    {                                                                                                        \
        .type = SN_CONSTRAINT_FIELD_##TYPE, .name = #MEMBER, .offset = offsetof(DEF, MEMBER),                \
        .group = (GROUP), .text = __VA_ARGS__                                                                \
    }
#define SN_RANGE(LOWER, UPPER) .lower = (LOWER), .upper = (UPPER)
#define SN_NOT_BELOW_ZERO      SN_RANGE(0.0f, INFINITY)
#define SN_ANY_ANGLE           SN_RANGE(-SN_PI, SN_PI)
#define SN_ANY_LENGTH          SN_RANGE(0.0f, SN_MAX_COORDINATE)
#define SN_ANY_TRAVEL          SN_RANGE(-SN_MAX_COORDINATE, SN_MAX_COORDINATE)
// The largest force or torque of a motor.
#define SN_ANY_STRENGTH SN_NOT_BELOW_ZERO, .infinite = INFINITY, .initial = INFINITY

// --- rows: kind.c --------------------------------------------------------------------------------

// Where the bodies are now → what a kind's function sees. `center` are local mass centres.
sn_row_input sn_row_input_make(sn_pose body_a, sn_vec3 center_a, sn_pose body_b, sn_vec3 center_b,
                               const sn_constraint_common *common);

// Zeroes `count` rows and sets infinite limits, as the contract of sn_row_function promises.
void sn_rows_clear(sn_row *rows, int count);

// The largest violation among hard rows: |C| of SN_ROW_EQUAL, −C of SN_ROW_ABOVE where negative. NaN if one
// is.
float sn_rows_error(const sn_row *rows, int count);

// --- fields that several kinds have: common_fields.c ---------------------------------------------

sn_constraint_common sn_common_default(uint32_t cookie);

// A zero quaternion stands for no rotation at all.
static inline sn_quat sn_quat_or_identity(sn_quat q)
{
    return q.x == 0.0f && q.y == 0.0f && q.z == 0.0f && q.w == 0.0f ? sn_quat_identity : q;
}

// Checks the numbers of `common` and makes the rotations of its ends exactly of unit length, zero ones
// identity. Cookie, name and what the ends belong to are the caller's to check.
sn_status sn_common_check(sn_constraint_common *common, sn_error *error, const char *object);

// The largest force or torque of something: ≥ 0, may be infinite.
sn_status sn_check_strength(float value, sn_error *error, const char *object, const char *field);

// --- fields of one kind: definition.c ------------------------------------------------------------

// A definition as the kind's default function gives it.
sn_definition sn_definition_default(const sn_kind *kind);
// Checks the fields that are the kind's own and makes rotations exactly of unit length, zero ones identity.
// `object` names the constraint in messages.
sn_status sn_definition_check(const sn_kind *kind, sn_definition *definition, sn_error *error,
                              const char *object);
// Whether an end must have an orientation.
bool sn_definition_needs_frame(const sn_kind *kind, const sn_definition *definition, int end);

#endif
