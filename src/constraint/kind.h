// What a constraint kind is: one pure function from positions to rows, and a check of its own fields.
// Everything else (solving, breaking, reactions, errors, drawing, saving) is generic. Kinds know no solver
// and no world.
#ifndef SN_CONSTRAINT_KIND_H
#define SN_CONSTRAINT_KIND_H

#include "base/error.h"
#include "constraint/contact.h"
#include "sinew/constraint.h"

// Kinds that users cannot add come after those they can: contacts, which the world makes by itself.
enum { SN_CONTACT = SN_CONSTRAINT_KIND_COUNT, SN_KIND_COUNT };

// Any kind's definition: the parameters its function reads.
typedef union sn_definition {
    sn_constraint_common common;
    sn_ball_def ball;
    sn_hinge_def hinge;
    sn_slider_def slider;
    sn_fixed_def fixed;
    sn_distance_def distance;
    sn_custom_def custom;
    sn_contact_def contact;
} sn_definition;

// Marks definitions that came from their default function; arbitrary, all different, never 0.
enum {
    SN_BALL_COOKIE = 0x62616c6c,
    SN_HINGE_COOKIE = 0x68696e67,
    SN_SLIDER_COOKIE = 0x736c6964,
    SN_FIXED_COOKIE = 0x66697865,
    SN_DISTANCE_COOKIE = 0x64697374,
    SN_CUSTOM_COOKIE = 0x63757374,
    SN_CONTACT_COOKIE = 0x636f6e74
};

typedef struct sn_kind {
    const char *name;
    uint32_t cookie; // of its definitions
    size_t definition_size;
    // `data` is the kind's definition; null for custom, whose function the user brings. The number of rows,
    // their types and their blocks depend on the definition alone, never on the positions.
    sn_row_function evaluate;
    // Checks the fields that are the kind's own (`common` is checked by the caller); `object` names the
    // constraint in messages.
    sn_status (*check)(const sn_definition *definition, sn_error *error, const char *object);
    // Whether its rows need the orientations of both ends, so that an end that is a sum of nodes will not do.
    // Null: never.
    bool (*needs_frames)(const sn_definition *definition);
} sn_kind;

// By sn_constraint_kind, then those of the world's own.
extern const sn_kind sn_kinds[SN_KIND_COUNT];

// Each kind's two functions, in the file of its name.
int sn_ball_rows(const sn_row_input *input, const void *data, sn_row *rows);
int sn_hinge_rows(const sn_row_input *input, const void *data, sn_row *rows);
int sn_slider_rows(const sn_row_input *input, const void *data, sn_row *rows);
int sn_fixed_rows(const sn_row_input *input, const void *data, sn_row *rows);
int sn_distance_rows(const sn_row_input *input, const void *data, sn_row *rows);
int sn_contact_rows(const sn_row_input *input, const void *data, sn_row *rows);
sn_status sn_ball_check(const sn_definition *definition, sn_error *error, const char *object);
bool sn_ball_needs_frames(const sn_definition *definition);
sn_status sn_hinge_check(const sn_definition *definition, sn_error *error, const char *object);
sn_status sn_slider_check(const sn_definition *definition, sn_error *error, const char *object);
sn_status sn_fixed_check(const sn_definition *definition, sn_error *error, const char *object);
sn_status sn_distance_check(const sn_definition *definition, sn_error *error, const char *object);
sn_status sn_custom_check(const sn_definition *definition, sn_error *error, const char *object);
sn_status sn_contact_check(const sn_definition *definition, sn_error *error, const char *object);

// --- rows: kind.c --------------------------------------------------------------------------------

// Where the bodies are now → what a kind's function sees. `center` are local mass centres.
sn_row_input sn_row_input_make(sn_pose body_a, sn_vec3 center_a, sn_pose body_b, sn_vec3 center_b,
                               const sn_constraint_common *common);

// Zeroes all SN_MAX_ROWS `rows` and sets infinite limits, as the contract of sn_row_function promises.
void sn_rows_clear(sn_row *rows);

// The largest violation among hard rows: |C| of SN_ROW_EQUAL, −C of SN_ROW_ABOVE where negative. NaN if one
// is.
float sn_rows_error(const sn_row *rows, int count);

// --- fields that several kinds have: fields.c ----------------------------------------------------

sn_constraint_common sn_common_default(uint32_t cookie);

// A zero quaternion stands for no rotation at all.
static inline sn_quat sn_quat_or_identity(sn_quat q)
{
    return q.x == 0.0f && q.y == 0.0f && q.z == 0.0f && q.w == 0.0f ? sn_quat_identity : q;
}

// Checks the numbers of `common` and makes the rotations of its ends exactly of unit length, zero ones
// identity. Cookie, name and what the ends belong to are the caller's to check.
sn_status sn_common_check(sn_constraint_common *common, sn_error *error, const char *object);

// lower ≤ upper, for limits already known to be numbers.
sn_status sn_check_order(float lower, float upper, sn_error *error, const char *object,
                         const char *lower_field, const char *upper_field);
// Within ±π.
sn_status sn_check_angle(float angle, sn_error *error, const char *object, const char *field);
// The largest force or torque of a motor: ≥ 0, may be infinite.
sn_status sn_check_strength(float value, sn_error *error, const char *object, const char *field);
// The fields spring_stiffness and spring_damping.
sn_status sn_check_spring(float stiffness, float damping, sn_error *error, const char *object);

#endif
