// Events of a scene: at a time, when two things touch, when something breaks, joints and anchors are switched
// and things added and removed. section_events.c reads and writes them.
#ifndef SN_SCENE_SCENE_EVENTS_H
#define SN_SCENE_SCENE_EVENTS_H

#include "scene/list.h"
#include "sinew/sinew.h"

typedef enum sn_event_cause { SN_CAUSE_TIME, SN_CAUSE_TOUCH, SN_CAUSE_BREAK } sn_event_cause;
typedef enum sn_event_action {
    SN_ACTION_ON,
    SN_ACTION_OFF,
    SN_ACTION_REMOVE,
    SN_ACTION_COUNT
} sn_event_action;

// Something by its name: a body, a deformable, or one or several constraints of that name.
typedef struct sn_event_thing {
    char name[SN_MAX_NAME + 1];
    sn_rigid rigid;           // null id: none
    sn_deformable deformable; // null id: none
    SN_LIST(sn_constraint) constraints;
} sn_event_thing;

typedef SN_LIST(sn_event_thing) sn_event_things;

// A body or deformable that comes: like another one, at a place.
typedef struct sn_event_arrival {
    sn_event_thing like; // one of the two
    sn_pose pose;
    sn_vec3 velocity; // [m/s]
} sn_event_arrival;

typedef struct sn_scene_event {
    sn_event_cause cause;
    double due;  // time of the world [s]; infinite until the cause has come
    float delay; // after the cause [s]
    bool done;
    sn_event_things watched; // two that touch, or one that breaks
    sn_event_things things[SN_ACTION_COUNT];
    SN_LIST(sn_event_arrival) arrivals;
} sn_scene_event;

struct sn_scene;

// Does what is due before a step of this duration. SN_OK, or the status and message of what the world
// refused.
sn_status sn_scene_events_before_step(struct sn_scene *scene, float duration);
// Sees what the last step has caused; it is done before the next one.
void sn_scene_events_after_step(struct sn_scene *scene);

// Whether there is anything left of it.
bool sn_event_thing_is_there(const sn_world *world, const sn_event_thing *thing);

static inline void sn_event_things_release(sn_event_things *things)
{
    for (int i = 0; i < things->count; ++i) {
        SN_LIST_FREE(&things->items[i].constraints);
    }
    SN_LIST_FREE(things);
}

static inline void sn_scene_event_release(sn_scene_event *event)
{
    sn_event_things_release(&event->watched);
    for (int i = 0; i < SN_ACTION_COUNT; ++i) {
        sn_event_things_release(&event->things[i]);
    }
    SN_LIST_FREE(&event->arrivals);
}

#endif
