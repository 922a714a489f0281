// One description of the order serves both ways: each value flows out of the scene or into it.
// Tested by tests/scene/test_drive.c.
#include "scene/drive.h"

#include "scene/scene_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// JSON cannot say infinity, which is when some things come.
#define NEVER 1.0e300

typedef struct drive_flow {
    sn_number_list *out; // null while reading
    const double *in;
    int count, next; // of `in`
    uint16_t world;  // that ids belong to
    bool good;
} drive_flow;

// --- values ------------------------------------------------------------------------------------------------

static void flow_number(drive_flow *flow, double *value)
{
    if (flow->out != NULL) {
        flow->good = flow->good && SN_LIST_PUSH(flow->out, *value < NEVER ? *value : NEVER);
    } else if (flow->good && flow->next < flow->count && isfinite(flow->in[flow->next])) {
        *value = flow->in[flow->next] >= NEVER ? INFINITY : flow->in[flow->next];
        ++flow->next;
    } else {
        *value = 0.0;
        flow->good = false;
    }
}

static void flow_float(drive_flow *flow, float *value)
{
    double number = (double)*value;
    flow_number(flow, &number);
    flow->good = flow->good && fabs(number) < 1.0e30;
    *value = flow->good ? (float)number : 0.0f;
}

// From 0 to `most`.
static void flow_integer(drive_flow *flow, int most, int *value)
{
    double number = (double)*value;
    flow_number(flow, &number);
    flow->good = flow->good && number >= 0.0 && number <= (double)most && number == floor(number);
    *value = flow->good ? (int)number : 0;
}

static void flow_flag(drive_flow *flow, bool *value)
{
    int number = *value;
    flow_integer(flow, 1, &number);
    *value = number != 0;
}

static void flow_vector(drive_flow *flow, sn_vec3 *v)
{
    flow_float(flow, &v->x);
    flow_float(flow, &v->y);
    flow_float(flow, &v->z);
}

static void flow_rotation(drive_flow *flow, sn_quat *q)
{
    flow_float(flow, &q->x);
    flow_float(flow, &q->y);
    flow_float(flow, &q->z);
    flow_float(flow, &q->w);
}

static void flow_id(drive_flow *flow, uint32_t *index, uint16_t *generation, uint16_t *world)
{
    int number = (int)*index, age = *generation;
    flow_integer(flow, INT32_MAX, &number);
    flow_integer(flow, UINT16_MAX, &age);
    *index = (uint32_t)number;
    *generation = (uint16_t)age;
    *world = flow->world;
}

// The count of a list, and room for so many; each takes at least one number.
#define FLOW_COUNT(flow, list)                                                                               \
    do {                                                                                                     \
        int count_ = (list)->count;                                                                          \
        flow_integer((flow), (flow)->out != NULL ? INT32_MAX : (flow)->count - (flow)->next, &count_);       \
        if ((flow)->out == NULL && (flow)->good) {                                                           \
            (flow)->good = SN_LIST_RESERVE((list), count_);                                                  \
            if ((flow)->good && count_ > 0) {                                                                \
                memset((list)->items, 0, (size_t)count_ * sizeof *(list)->items);                            \
                (list)->count = count_;                                                                      \
            }                                                                                                \
        }                                                                                                    \
    } while (0)

// --- motions -----------------------------------------------------------------------------------------------

static void flow_keyframes(drive_flow *flow, sn_keyframes *keyframes)
{
    int path = (int)keyframes->path;
    flow_integer(flow, SN_PATH_LINEAR, &path);
    keyframes->path = (sn_key_path)path;
    flow_flag(flow, &keyframes->loop);
    flow_number(flow, &keyframes->start);
    FLOW_COUNT(flow, &keyframes->items);
    for (int i = 0; i < keyframes->items.count; ++i) {
        sn_key *key = &keyframes->items.items[i];
        flow_float(flow, &key->at);
        flow_vector(flow, &key->first);
        flow_vector(flow, &key->second);
        flow_rotation(flow, &key->rotation);
        flow->good = flow->good && (i == 0 || key->at > key[-1].at);
    }
}

// Cameras are known by their numbers: names are left out.
static void flow_camera_name(drive_flow *flow, const sn_scene *scene, char name[SN_MAX_NAME + 1])
{
    int number = 0;
    for (int i = 0; flow->out != NULL && i < scene->cameras.count; ++i) {
        number = strcmp(scene->cameras.items[i].name, name) == 0 ? i : number;
    }
    flow_integer(flow, INT32_MAX, &number);
    if (flow->out == NULL) {
        snprintf(name, SN_MAX_NAME + 1, "%d", number);
    }
}

static void flow_motion(drive_flow *flow, const sn_scene *scene, sn_motion *motion)
{
    int type = (int)motion->type, drive = (int)motion->drive;
    flow_integer(flow, SN_MOTION_FORCE, &type);
    flow_integer(flow, SN_DRIVE_SPRING, &drive);
    motion->type = (sn_motion_type)type;
    motion->drive = (sn_motion_drive)drive;
    flow_keyframes(flow, &motion->keyframes);
    flow->good = flow->good && (motion->type == SN_MOTION_FORCE || motion->keyframes.items.count > 0);
    flow_flag(flow, &motion->has_first);
    flow_flag(flow, &motion->has_rotation);
    flow_id(flow, &motion->rigid.index, &motion->rigid.generation, &motion->rigid.world);
    flow_id(flow, &motion->joint.index, &motion->joint.generation, &motion->joint.world);
    flow_float(flow, &motion->gain);
    FLOW_COUNT(flow, &motion->ends);
    for (int i = 0; i < motion->ends.count; ++i) {
        sn_moved_end *end = &motion->ends.items[i];
        flow_id(flow, &end->anchor.index, &end->anchor.generation, &end->anchor.world);
        flow_integer(flow, 1, &end->end);
        flow_vector(flow, &end->base);
    }
    flow_vector(flow, &motion->force);
    flow_vector(flow, &motion->torque);
    flow_vector(flow, &motion->point);
    flow_flag(flow, &motion->turns);
    flow_number(flow, &motion->from);
    flow_number(flow, &motion->until);
    if (motion->type == SN_MOTION_CAMERA) {
        flow_camera_name(flow, scene, motion->name);
    }
}

// --- events ------------------------------------------------------------------------------------------------

static void flow_thing(drive_flow *flow, sn_event_thing *thing)
{
    flow_id(flow, &thing->rigid.index, &thing->rigid.generation, &thing->rigid.world);
    flow_id(flow, &thing->deformable.index, &thing->deformable.generation, &thing->deformable.world);
    FLOW_COUNT(flow, &thing->constraints);
    for (int i = 0; i < thing->constraints.count; ++i) {
        sn_constraint *one = &thing->constraints.items[i];
        flow_id(flow, &one->index, &one->generation, &one->world);
    }
}

static void flow_things(drive_flow *flow, sn_event_things *things)
{
    FLOW_COUNT(flow, things);
    for (int i = 0; i < things->count; ++i) {
        flow_thing(flow, &things->items[i]);
    }
}

static void flow_event(drive_flow *flow, sn_scene_event *event)
{
    static const int watched[] = {[SN_CAUSE_TIME] = 0, [SN_CAUSE_TOUCH] = 2, [SN_CAUSE_BREAK] = 1};
    int cause = (int)event->cause;
    flow_integer(flow, SN_CAUSE_BREAK, &cause);
    event->cause = (sn_event_cause)cause;
    flow_number(flow, &event->due);
    flow_float(flow, &event->delay);
    flow_flag(flow, &event->done);
    flow_things(flow, &event->watched);
    flow->good = flow->good && event->watched.count == watched[event->cause];
    for (int i = 0; i < SN_ACTION_COUNT; ++i) {
        flow_things(flow, &event->things[i]);
    }
    FLOW_COUNT(flow, &event->arrivals);
    for (int i = 0; i < event->arrivals.count; ++i) {
        sn_event_arrival *arrival = &event->arrivals.items[i];
        flow_thing(flow, &arrival->like);
        flow_vector(flow, &arrival->pose.position);
        flow_rotation(flow, &arrival->pose.rotation);
        flow_vector(flow, &arrival->velocity);
    }
}

// --- views -------------------------------------------------------------------------------------------------

static void flow_camera(drive_flow *flow, const sn_scene *scene, sn_camera_record *camera)
{
    flow_camera_name(flow, scene, camera->name);
    flow_vector(flow, &camera->eye);
    flow_vector(flow, &camera->target);
    flow_vector(flow, &camera->up);
    flow_float(flow, &camera->field_of_view);
    flow_id(flow, &camera->follow.index, &camera->follow.generation, &camera->follow.world);
    flow_id(flow, &camera->follow_soft.index, &camera->follow_soft.generation, &camera->follow_soft.world);
    flow_vector(flow, &camera->follow_start);
    flow_float(flow, &camera->orbit);
}

static void flow_views(drive_flow *flow, sn_scene *scene)
{
    FLOW_COUNT(flow, &scene->cameras);
    for (int i = 0; i < scene->cameras.count; ++i) {
        flow_camera(flow, scene, &scene->cameras.items[i]);
    }
    flow_vector(flow, &scene->light.direction);
    flow_float(flow, &scene->light.strength);
}

// --- all of it ---------------------------------------------------------------------------------------------

static void flow_drive(drive_flow *flow, sn_scene *scene)
{
    FLOW_COUNT(flow, &scene->motions);
    for (int i = 0; i < scene->motions.count; ++i) {
        flow_motion(flow, scene, &scene->motions.items[i]);
    }
    FLOW_COUNT(flow, &scene->events);
    for (int i = 0; i < scene->events.count; ++i) {
        flow_event(flow, &scene->events.items[i]);
    }
    flow_views(flow, scene);
}

static void drive_by_nothing(sn_scene *scene)
{
    for (int i = 0; i < scene->motions.count; ++i) {
        sn_motion_release(&scene->motions.items[i]);
    }
    for (int i = 0; i < scene->events.count; ++i) {
        sn_scene_event_release(&scene->events.items[i]);
    }
    scene->motions.count = scene->events.count = scene->cameras.count = 0;
}

// Only these can be driven by keys.
static bool joints_can_be_driven(const sn_scene *scene)
{
    for (int i = 0; i < scene->motions.count; ++i) {
        const sn_motion *motion = &scene->motions.items[i];
        if (motion->type == SN_MOTION_JOINT && sn_constraint_is_valid(scene->world, motion->joint)) {
            sn_constraint_kind kind = sn_constraint_get_kind(scene->world, motion->joint);
            if (kind != SN_HINGE && kind != SN_SLIDER && kind != SN_DISTANCE) {
                return false;
            }
        }
    }
    return true;
}

bool sn_drive_write(const sn_scene *scene, sn_number_list *numbers)
{
    drive_flow flow = {.out = numbers, .world = sn_world_ground(scene->world).world, .good = true};
    sn_scene same = *scene; // what flows out of it stays the same
    flow_drive(&flow, &same);
    return flow.good;
}

bool sn_drive_read(sn_scene *scene, const double *numbers, int count)
{
    drive_flow flow = {
        .in = numbers, .count = count, .world = sn_world_ground(scene->world).world, .good = true};
    drive_by_nothing(scene);
    if (count == 0) {
        return true;
    }
    flow_drive(&flow, scene);
    bool good = flow.good && flow.next == count && joints_can_be_driven(scene);
    if (!good) {
        drive_by_nothing(scene);
    }
    sn_motions_look(scene);
    return good;
}
