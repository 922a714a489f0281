// Events being watched for and done. What a step causes is done before the next step, so that a recording of
// the scene has it among what was changed between the two.
// Tested by tests/scene/sections/test_section_events.c.
#include "scene/scene_events.h"

#include "scene/body_copy.h"
#include "scene/message.h"
#include "scene/scene_parts.h"

#include <math.h>

// --- causes ------------------------------------------------------------------------------------------------

static bool is_body(const sn_world *world, const sn_event_thing *thing, sn_shape shape)
{
    return thing->rigid.generation != 0 && sn_shape_is_valid(world, shape) &&
           sn_shape_rigid(world, shape).index == thing->rigid.index;
}

static bool is_deformable(const sn_event_thing *thing, sn_deformable deformable)
{
    return thing->deformable.generation != 0 && deformable.index == thing->deformable.index &&
           deformable.generation == thing->deformable.generation;
}

static bool bodies_touched(const sn_world *world, const sn_events *events, const sn_event_thing *a,
                           const sn_event_thing *b)
{
    for (int i = 0; i < events->begin_count; ++i) {
        const sn_touch_event *touch = &events->begin[i];
        if ((is_body(world, a, touch->a) && is_body(world, b, touch->b)) ||
            (is_body(world, b, touch->a) && is_body(world, a, touch->b))) {
            return true;
        }
    }
    return false;
}

static bool deformable_touched(const sn_world *world, const sn_events *events, const sn_event_thing *soft,
                               const sn_event_thing *other)
{
    for (int i = 0; i < events->deformable_begin_count; ++i) {
        const sn_deformable_touch_event *touch = &events->deformable_begin[i];
        bool meets = is_deformable(soft, touch->deformable) &&
                     (is_deformable(other, touch->other) || is_body(world, other, touch->shape));
        if (meets || (is_deformable(other, touch->deformable) && is_deformable(soft, touch->other))) {
            return true;
        }
    }
    return false;
}

static bool has_touched(const sn_world *world, const sn_events *events, const sn_event_things *watched)
{
    const sn_event_thing *a = &watched->items[0], *b = &watched->items[1];
    return bodies_touched(world, events, a, b) || deformable_touched(world, events, a, b) ||
           deformable_touched(world, events, b, a);
}

static bool has_broken(const sn_events *events, const sn_event_thing *watched)
{
    for (int i = 0; i < events->break_count; ++i) {
        sn_constraint broken = events->breaks[i].constraint;
        for (int k = 0; k < watched->constraints.count; ++k) {
            sn_constraint one = watched->constraints.items[k];
            if (one.index == broken.index && one.generation == broken.generation) {
                return true;
            }
        }
    }
    return false;
}

void sn_scene_events_after_step(sn_scene *scene)
{
    sn_events events = sn_world_events(scene->world);
    double now = sn_world_time(scene->world);
    for (int i = 0; i < scene->events.count; ++i) {
        sn_scene_event *event = &scene->events.items[i];
        bool waits = !event->done && event->due == INFINITY;
        bool came =
            waits && (event->cause == SN_CAUSE_TOUCH ? has_touched(scene->world, &events, &event->watched)
                                                     : has_broken(&events, &event->watched.items[0]));
        event->due = came ? now + (double)event->delay : event->due;
    }
}

// --- actions -----------------------------------------------------------------------------------------------

bool sn_event_thing_is_there(const sn_world *world, const sn_event_thing *thing)
{
    bool found = sn_rigid_is_valid(world, thing->rigid) || sn_deformable_is_valid(world, thing->deformable);
    for (int i = 0; i < thing->constraints.count && !found; ++i) {
        found = sn_constraint_is_valid(world, thing->constraints.items[i]);
    }
    return found;
}

// What is gone by then needs nothing done to it.
static sn_status act(sn_world *world, sn_event_action action, const sn_event_thing *thing)
{
    sn_status status = SN_OK;
    for (int i = 0; i < thing->constraints.count && status == SN_OK; ++i) {
        sn_constraint constraint = thing->constraints.items[i];
        if (sn_constraint_is_valid(world, constraint)) {
            status = action == SN_ACTION_REMOVE
                         ? sn_constraint_remove(world, constraint)
                         : sn_constraint_active_set(world, constraint, action == SN_ACTION_ON);
        }
    }
    if (status == SN_OK && action == SN_ACTION_REMOVE && sn_rigid_is_valid(world, thing->rigid)) {
        status = sn_rigid_remove(world, thing->rigid);
    }
    if (status == SN_OK && action == SN_ACTION_REMOVE && sn_deformable_is_valid(world, thing->deformable)) {
        status = sn_deformable_remove(world, thing->deformable);
    }
    return status;
}

// Bodies come before others go, so that one may leave a copy of itself.
static sn_status do_event(sn_scene *scene, const sn_scene_event *event)
{
    sn_world *world = scene->world;
    sn_status status = SN_OK;
    for (int i = 0; i < event->arrivals.count && status == SN_OK; ++i) {
        const sn_event_arrival *arrival = &event->arrivals.items[i];
        if (sn_rigid_is_valid(world, arrival->like.rigid)) {
            status = sn_body_copy(scene, arrival->like.rigid, arrival->pose, arrival->velocity);
        } else if (sn_deformable_is_valid(world, arrival->like.deformable)) {
            status = sn_deformable_copy(scene, arrival->like.deformable, arrival->pose, arrival->velocity);
        }
    }
    for (int action = 0; action < SN_ACTION_COUNT; ++action) {
        const sn_event_things *things = &event->things[action];
        for (int i = 0; i < things->count && status == SN_OK; ++i) {
            status = act(world, (sn_event_action)action, &things->items[i]);
        }
    }
    return status;
}

// A step does what is due before its middle: the sum of float32 steps may fall short of a time by a little.
sn_status sn_scene_events_before_step(sn_scene *scene, float duration)
{
    double now = sn_world_time(scene->world) + 0.5 * (double)duration;
    for (int i = 0; i < scene->events.count; ++i) {
        sn_scene_event *event = &scene->events.items[i];
        if (event->done || !(event->due < now)) {
            continue;
        }
        event->done = true;
        sn_status status = do_event(scene, event);
        if (status != SN_OK) {
            return sn_scene_fail(status, "events[%d]: %s", i, sn_world_error(scene->world));
        }
    }
    return SN_OK;
}
