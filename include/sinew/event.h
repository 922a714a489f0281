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

/// Two shapes began or ceased to touch (separation ≤ 0 or a force between them). A shape that was removed is
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

typedef struct sn_events {
    const sn_touch_event *begin;
    const sn_touch_event *end;
    const sn_hit_event *hits;
    const sn_break_event *breaks;
    const sn_sleep_event *sleeps;
    const sn_move_event *moves;
    int begin_count, end_count, hit_count, break_count, sleep_count, move_count;
} sn_events;

/// What the last step published; all counts zero before the first step and for a null world.
SN_API sn_events sn_world_events(const sn_world *world);

#ifdef __cplusplus
}
#endif
#endif
