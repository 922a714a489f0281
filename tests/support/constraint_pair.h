// Two bodies with a constraint between them, without a world: what tests of constraint kinds look at.
#ifndef TESTS_SUPPORT_CONSTRAINT_PAIR_H
#define TESTS_SUPPORT_CONSTRAINT_PAIR_H

#include "constraint/kind.h"
#include "support/random.h"

typedef struct test_pair {
    const sn_kind *kind;
    sn_definition definition;
    sn_pose body[2];
    sn_vec3 center[2]; // mass centres, local
} test_pair;

static inline sn_row_input test_pair_input(const test_pair *pair)
{
    return sn_row_input_make(pair->body[0], pair->center[0], pair->body[1], pair->center[1],
                             &pair->definition.common);
}

static inline int test_pair_rows(const test_pair *pair, sn_row *rows)
{
    sn_row_input input = test_pair_input(pair);
    sn_rows_clear(rows, SN_MAX_ROWS);
    return pair->kind->evaluate(&input, &pair->definition, rows);
}

// Moves body b so that its frame is at `relative` as seen from frame a.
static inline void test_pair_place(test_pair *pair, sn_pose relative)
{
    const sn_constraint_common *common = &pair->definition.common;
    const sn_pose at_a = {common->a.position, common->a.rotation},
                  at_b = {common->b.position, common->b.rotation};
    sn_pose frame_b = sn_pose_multiply(sn_pose_multiply(pair->body[0], at_a), relative);
    sn_pose body_in_frame = sn_pose_relative(at_b, sn_pose_identity);
    pair->body[1] = sn_pose_multiply(frame_b, body_in_frame);
}

// Bodies at the origin, frames as the definition says (by default the bodies' own), frame b at `relative`.
static inline test_pair test_pair_make(sn_constraint_kind kind, sn_definition definition, sn_pose relative)
{
    test_pair pair = {
        .kind = sn_kinds[kind], .definition = definition, .body = {sn_pose_identity, sn_pose_identity}};
    test_pair_place(&pair, relative);
    return pair;
}

static inline sn_pose test_turned(float x, float y, float z, sn_vec3 axis, float angle)
{
    sn_pose pose = {sn_v(x, y, z), sn_quat_axis_angle(axis, angle)};
    return pose;
}

static inline sn_pose test_random_pose(test_random *random, float half_size)
{
    sn_pose pose = {test_random_vec3(random, half_size), test_random_rotation(random)};
    return pose;
}

// Body a, both frames and both mass centres anywhere within a few metres.
static inline test_pair test_pair_random(test_random *random, sn_constraint_kind kind,
                                         sn_definition definition)
{
    test_pair pair = {.kind = sn_kinds[kind], .definition = definition};
    sn_constraint_common *common = &pair.definition.common;
    const sn_pose at_a = test_random_pose(random, 1.0f), at_b = test_random_pose(random, 1.0f);
    common->a = (sn_point){.type = SN_POINT_RIGID, .position = at_a.position, .rotation = at_a.rotation};
    common->b = (sn_point){.type = SN_POINT_RIGID, .position = at_b.position, .rotation = at_b.rotation};
    pair.body[0] = test_random_pose(random, 2.0f);
    pair.center[0] = test_random_vec3(random, 0.5f);
    pair.center[1] = test_random_vec3(random, 0.5f);
    test_pair_place(&pair, sn_pose_identity);
    return pair;
}

#endif
