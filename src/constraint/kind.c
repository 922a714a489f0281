// The table of constraint kinds, and what all rows have in common. See kind.h.
#include "constraint/kind.h"

const sn_kind *const sn_kinds[SN_KIND_COUNT] = {
#define ENTRY(KIND, kind) [SN_##KIND] = &sn_kind_##kind,
    SN_KIND_LIST(ENTRY) ENTRY(CUSTOM, custom) ENTRY(CONTACT, contact)
#undef ENTRY
};

const char *sn_constraint_kind_name(sn_constraint_kind kind)
{
    // Compared as an unsigned number: a caller may hand in any value, and the enum's sign is the compiler's.
    return (unsigned)kind < SN_CONSTRAINT_KIND_COUNT ? sn_kinds[kind]->name : "unknown kind";
}

sn_row_input sn_row_input_make(sn_pose body_a, sn_vec3 center_a, sn_pose body_b, sn_vec3 center_b,
                               const sn_constraint_common *common)
{
    sn_row_input input = {.turns = {true, true}};
    const sn_pose bodies[2] = {body_a, body_b};
    const sn_pose frames[2] = {{common->a.position, common->a.rotation},
                               {common->b.position, common->b.rotation}};
    const sn_vec3 centers[2] = {center_a, center_b};
    for (int k = 0; k < 2; ++k) {
        input.frame[k] = sn_pose_multiply(bodies[k], frames[k]);
        input.center[k] = sn_pose_apply(bodies[k], centers[k]);
        // Not the difference of the two above: far from the origin that would lose the arm's digits.
        input.arm[k] = sn_rotate(bodies[k].rotation, sn_sub(frames[k].position, centers[k]));
    }
    return input;
}

void sn_rows_clear(sn_row *rows, int count)
{
    const sn_row clear = {.lower = -INFINITY, .upper = INFINITY};
    for (int i = 0; i < count; ++i) {
        rows[i] = clear;
    }
}

static float row_violation(const sn_row *row)
{
    switch (row->type) {
    case SN_ROW_EQUAL:
        return sn_abs(row->value);
    case SN_ROW_ABOVE:
        return -row->value;
    default:
        return 0.0f;
    }
}

float sn_rows_error(const sn_row *rows, int count)
{
    float error = 0.0f;
    // A row that is not finite counts as the worst of all, whatever follows it.
    for (int i = 0; i < count && error == error; ++i) {
        float violation = row_violation(&rows[i]);
        if (rows[i].compliance == 0.0f && !(violation <= error)) {
            error = violation;
        }
    }
    return error;
}
