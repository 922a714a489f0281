/// \file
/// What happened during the last step. Arrays are valid until the next call that changes the world, in an
/// order that does not depend on threads.
#ifndef SINEW_EVENT_H
#define SINEW_EVENT_H

#include "base.h"
#include "math.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Two shapes began or ceased to touch (separation ≤ 0 or a force between them), or to overlap if one is a
/// sensor (as they were when the step began). A shape that was removed is
/// named by an id that is no longer valid.
typedef struct sn_touch_event {
    sn_shape a, b;
} sn_touch_event;

/// Two shapes met faster than the world's hit threshold.
typedef struct sn_hit_event {
    sn_shape a, b;
    sn_vec3 position, normal; ///< normal from a to b
    float speed;              ///< of approach [m/s]
} sn_hit_event;

/// A constraint broke and is gone; the id tells which it was.
typedef struct sn_break_event {
    sn_constraint constraint;
    void *user;
    float force, torque; ///< that broke it
} sn_break_event;

/// A body fell asleep or woke.
typedef struct sn_sleep_event {
    sn_rigid rigid;
    bool asleep;
} sn_sleep_event;

/// A body moved.
typedef struct sn_move_event {
    sn_rigid rigid;
    sn_pose pose;
    void *user;
} sn_move_event;

/// A deformable began or ceased to touch a shape or another deformable (separation ≤ 0 or a force between
/// them). What was removed is named by an id that is no longer valid.
typedef struct sn_deformable_touch_event {
    sn_deformable deformable;
    sn_shape shape;      ///< null id if it touched a deformable
    sn_deformable other; ///< null id if it touched a shape; of two deformables the one with the higher index
} sn_deformable_touch_event;

/// A deformable met a shape that reports hits, or another deformable, faster than the world's hit threshold.
typedef struct sn_deformable_hit_event {
    sn_deformable deformable;
    sn_shape shape;           ///< null id if it met a deformable
    sn_deformable other;      ///< null id if it met a shape; of two deformables the one with the higher index
    sn_vec3 position, normal; ///< of the fastest contact; the normal leads to the shape or the other one
    float speed;              ///< of approach when the step began [m/s]
} sn_deformable_hit_event;

/// A deformable fell asleep or woke.
typedef struct sn_deformable_sleep_event {
    sn_deformable deformable;
    bool asleep;
} sn_deformable_sleep_event;

/// Nodes of a deformable moved.
typedef struct sn_deformable_move_event {
    sn_deformable deformable;
    sn_bounds bounds; ///< of its nodes now
    void *user;
} sn_deformable_move_event;

typedef struct sn_events {
    const sn_touch_event *begin;
    const sn_touch_event *end;
    const sn_hit_event *hits;
    const sn_break_event *breaks;
    const sn_sleep_event *sleeps;
    const sn_move_event *moves;
    int begin_count, end_count, hit_count, break_count, sleep_count, move_count;
    const sn_deformable_touch_event *deformable_begin;
    const sn_deformable_touch_event *deformable_end;
    const sn_deformable_hit_event *deformable_hits;
    const sn_deformable_sleep_event *deformable_sleeps;
    const sn_deformable_move_event *deformable_moves;
    int deformable_begin_count, deformable_end_count, deformable_hit_count;
    int deformable_sleep_count, deformable_move_count;
} sn_events;

/// What the last step published; all counts zero before the first step and for a null world.
SN_API sn_events sn_world_events(const sn_world *world);

#ifdef __cplusplus
}
#endif
#endif
