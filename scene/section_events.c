// Section "events": what happens at a time, when two things touch, or when something breaks.
#include "scene/reader.h"
#include "scene/scene_events.h"
#include "scene/settle.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct event_entry {
    bool has_at;
    float at, delay;
    sn_node touched;
    const char *broken;
    sn_node actions[SN_ACTION_COUNT];
    sn_node add;
} event_entry;

typedef struct arrival_entry {
    const char *like;
    sn_vec3 position, velocity;
    sn_quat rotation;
} arrival_entry;

static void arrival_defaults(void *target)
{
    ((arrival_entry *)target)->rotation = sn_quat_identity;
}

static const sn_field arrival_fields[] = {
    SN_ROW("like", TEXT, arrival_entry, like,
           "name of a body or deformable, whose shapes, mass, settings and colours it gets; if that is gone, "
           "nothing is added",
           .required = true),
    SN_ROW("position", VECTOR, arrival_entry, position, "where it begins", .unit = "m", .required = true),
    SN_ROW("rotation", ROTATION, arrival_entry, rotation, "how it is turned"),
    SN_ROW("velocity", VECTOR, arrival_entry, velocity, "how it moves at first", .unit = "m/s")};
static const sn_object arrival_object = {.name = "arrival",
                                         .text = "A body or deformable that an event adds.",
                                         .size = sizeof(arrival_entry),
                                         .defaults = arrival_defaults,
                                         .fields = arrival_fields,
                                         .field_count = SN_COUNT(arrival_fields)};
static const sn_object *const arrival_objects[] = {&arrival_object};
static const sn_family arrival_family = {"arrival", "A body that an event adds.", arrival_objects, 1};

static const char names_schema[] =
    "{\"anyOf\": [{\"type\": \"string\"}, {\"type\": \"array\", \"items\": {\"type\": \"string\"}}]}";
static const char pair_schema[] =
    "{\"type\": \"array\", \"items\": {\"type\": \"string\"}, \"minItems\": 2, \"maxItems\": 2}";

static const sn_field fields[] = {
    SN_ROW("at", NUMBER, event_entry, at, "it happens at this time", .unit = "s",
           .range = SN_BETWEEN(-1e7, 1e6), .flag = SN_FLAG_AT(event_entry, has_at)),
    SN_ROW("touched", NODE, event_entry, touched, "or when these two begin to touch, for the first time",
           .form = "names of two bodies or deformables", .schema = pair_schema),
    SN_ROW("broken", TEXT, event_entry, broken,
           "or when the joint, or one of the anchors, of this name breaks"),
    SN_ROW("delay", NUMBER, event_entry, delay, "so long after it was touched or broken", .unit = "s",
           .range = SN_BETWEEN(0.0, 1e6)),
    SN_ROW("switch_on", NODE, event_entry, actions[SN_ACTION_ON], "joints and anchors that hold from then on",
           .form = "a name, or a list of names", .schema = names_schema),
    SN_ROW("switch_off", NODE, event_entry, actions[SN_ACTION_OFF], "joints and anchors that hold no more",
           .form = "a name, or a list of names", .schema = names_schema),
    SN_ROW("remove", NODE, event_entry, actions[SN_ACTION_REMOVE],
           "bodies, deformables, joints and anchors that are taken away",
           .form = "a name, or a list of names", .schema = names_schema),
    SN_ROW("add", NODE, event_entry, add, "bodies and deformables that come, each like one that is there",
           .list = true, .family = &arrival_family)};
static const sn_object object = {.name = "event",
                                 .text = "What happens once: at a time, when two things touch, or when "
                                         "something breaks.",
                                 .size = sizeof(event_entry),
                                 .fields = fields,
                                 .field_count = SN_COUNT(fields)};
static const sn_object *const objects[] = {&object};
static const sn_family family = {"event", "What happens once.", objects, 1};

static const char *const action_keys[SN_ACTION_COUNT] = {
    [SN_ACTION_ON] = "switch_on", [SN_ACTION_OFF] = "switch_off", [SN_ACTION_REMOVE] = "remove"};

// --- reading -----------------------------------------------------------------------------------------------

// All constraints of a name: names of anchors may be those of several.
static bool find_constraints(sn_reader *reader, const char *name, sn_event_thing *thing)
{
    const sn_world *world = reader->scene->world;
    int count = sn_world_constraints(world, NULL, 0);
    sn_constraint *all = malloc(((size_t)count + 1) * sizeof *all);
    bool good = all != NULL;
    count = good ? sn_world_constraints(world, all, count) : 0;
    for (int i = 0; i < count && good; ++i) {
        if (strcmp(sn_constraint_name(world, all[i]), name) == 0) {
            good = SN_LIST_PUSH(&thing->constraints, all[i]);
        }
    }
    free(all);
    return good || sn_reader_no_memory(reader);
}

// What a text names. Bodies and deformables go before joints and anchors.
static bool find_thing(sn_reader *reader, const sn_scope *scope, const sn_node *node, bool matter, bool links,
                       sn_event_things *things)
{
    sn_event_thing thing = {.name = ""};
    const char *name = NULL;
    if (!sn_node_text_value(node, &name)) {
        return false;
    }
    if (strlen(name) > SN_MAX_NAME) {
        return sn_node_fail(node, "is longer than %d bytes, which no name is", SN_MAX_NAME);
    }
    snprintf(thing.name, sizeof thing.name, "%s", name);
    if (matter && sn_reader_has_matter(reader, scope, name)) {
        if (sn_reader_matter(reader, scope, node, NULL, name, &thing.deformable, &thing.rigid) !=
            SN_LOOKUP_FOUND) {
            return false;
        }
    } else if (links && !find_constraints(reader, name, &thing)) {
        return false;
    }
    bool found =
        thing.rigid.generation != 0 || thing.deformable.generation != 0 || thing.constraints.count > 0;
    if (!found) {
        // One that has a mistake of its own is not there either.
        return reader->mistakes.count == 0 &&
               sn_node_fail(node, "nothing is called \"%s\", expected the name of %s", name,
                            !links    ? "a body or deformable"
                            : !matter ? "a joint or anchor"
                                      : "a body, deformable, joint or anchor");
    }
    if (!SN_LIST_PUSH(things, thing)) {
        SN_LIST_FREE(&thing.constraints);
        return sn_reader_no_memory(reader);
    }
    return true;
}

static bool find_things(sn_reader *reader, const sn_scope *scope, const sn_node *node, bool matter,
                        bool links, sn_event_things *things)
{
    if (!json_is_array(node->value)) {
        return find_thing(reader, scope, node, matter, links, things);
    }
    bool good = true;
    for (int i = 0; i < sn_node_count(node); ++i) {
        sn_node member = sn_node_at(node, i);
        good = find_thing(reader, scope, &member, matter, links, things) && good;
    }
    return good;
}

static bool read_cause(sn_reader *reader, const sn_scope *scope, const sn_node *node,
                       const event_entry *entry, sn_scene_event *event)
{
    if ((int)entry->has_at + (entry->touched.value != NULL) + (entry->broken != NULL) != 1) {
        return sn_node_fail(node, "an event has one cause: `at`, `touched` or `broken`");
    }
    if (entry->has_at && entry->delay > 0.0f) {
        return sn_node_fail_key(node, "delay", "is not allowed with `at`, which says when");
    }
    event->delay = entry->delay;
    event->due = entry->has_at ? (double)entry->at : INFINITY;
    if (entry->touched.value != NULL) {
        event->cause = SN_CAUSE_TOUCH;
        if (!json_is_array(entry->touched.value) || sn_node_count(&entry->touched) != 2) {
            return sn_node_fail(&entry->touched, "expected a list of two names");
        }
        return find_things(reader, scope, &entry->touched, true, false, &event->watched);
    }
    if (entry->broken != NULL) {
        event->cause = SN_CAUSE_BREAK;
        sn_node broken = sn_node_get(node, "broken");
        return find_thing(reader, scope, &broken, false, true, &event->watched);
    }
    return true;
}

static bool read_arrival(sn_reader *reader, const sn_scope *scope, const sn_node *node, sn_scene_event *event)
{
    arrival_entry entry;
    sn_event_arrival arrival = {.like = {.name = ""}};
    if (!sn_object_read(node, &arrival_object, &entry)) {
        return false;
    }
    bool matter = sn_reader_has_matter(reader, scope, entry.like);
    sn_lookup found = matter ? sn_reader_matter(reader, scope, node, "like", entry.like,
                                                &arrival.like.deformable, &arrival.like.rigid)
                             : sn_reader_body(reader, scope, node, "like", entry.like, &arrival.like.rigid);
    if (found != SN_LOOKUP_FOUND) {
        return false;
    }
    if (arrival.like.deformable.generation == 0 &&
        arrival.like.rigid.index == sn_world_ground(reader->scene->world).index) {
        return sn_node_fail_key(node, "like", "there is one ground, expected the name of another body");
    }
    snprintf(arrival.like.name, sizeof arrival.like.name, "%s", entry.like);
    arrival.pose = (sn_pose){entry.position, sn_settled_rotation(entry.rotation)};
    arrival.velocity = entry.velocity;
    return SN_LIST_PUSH(&event->arrivals, arrival) || sn_reader_no_memory(reader);
}

static bool read_arrivals(sn_reader *reader, const sn_scope *scope, const sn_node *list,
                          sn_scene_event *event)
{
    bool good = true;
    for (int i = 0; i < sn_node_count(list); ++i) {
        sn_node node = sn_node_at(list, i);
        good = read_arrival(reader, scope, &node, event) && good;
    }
    return good;
}

static bool fill(sn_reader *reader, const sn_scope *scope, const sn_node *node, const event_entry *entry,
                 sn_scene_event *event)
{
    bool good = read_cause(reader, scope, node, entry, event), acts = false;
    for (int i = 0; i < SN_ACTION_COUNT; ++i) {
        if (entry->actions[i].value != NULL) {
            acts = true;
            good = find_things(reader, scope, &entry->actions[i], i == SN_ACTION_REMOVE, true,
                               &event->things[i]) &&
                   good;
        }
    }
    for (int i = 0; i < event->things[SN_ACTION_REMOVE].count && good; ++i) {
        const sn_event_thing *thing = &event->things[SN_ACTION_REMOVE].items[i];
        bool is_ground =
            thing->rigid.generation != 0 && thing->rigid.index == sn_world_ground(reader->scene->world).index;
        good = !is_ground || sn_node_fail_key(node, "remove", "the ground cannot be removed");
    }
    if (entry->add.value != NULL) {
        acts = true;
        good = read_arrivals(reader, scope, &entry->add, event) && good;
    }
    return good && (acts || sn_node_fail(
                                node, "does nothing, expected `switch_on`, `switch_off`, `remove` or `add`"));
}

static bool read(sn_reader *reader, const sn_scope *scope, const sn_node *node)
{
    event_entry entry;
    if (!sn_object_read(node, &object, &entry)) {
        return false;
    }
    sn_scene_event event = {.cause = SN_CAUSE_TIME};
    if (!fill(reader, scope, node, &entry, &event)) {
        sn_scene_event_release(&event);
        return false;
    }
    if (!SN_LIST_PUSH(&reader->scene->events, event)) {
        sn_scene_event_release(&event);
        return sn_reader_no_memory(reader);
    }
    return true;
}

// --- writing -----------------------------------------------------------------------------------------------

static json_t *write_names(sn_writer *writer, const sn_event_things *things)
{
    json_t *list = json_array();
    for (int i = 0; i < things->count; ++i) {
        if (sn_event_thing_is_there(writer->scene->world, &things->items[i])) {
            sn_writer_append(writer, list, json_string(things->items[i].name));
        }
    }
    return list;
}

// An event whose cause has come is one with a time; one that is done, or whose cause cannot come, is none.
static bool is_left(const sn_writer *writer, const sn_scene_event *event)
{
    bool left = !event->done, acts = false;
    for (int i = 0; i < event->watched.count && event->due == INFINITY; ++i) {
        left = left && sn_event_thing_is_there(writer->scene->world, &event->watched.items[i]);
    }
    for (int action = 0; action < SN_ACTION_COUNT; ++action) {
        for (int i = 0; i < event->things[action].count; ++i) {
            acts = acts || sn_event_thing_is_there(writer->scene->world, &event->things[action].items[i]);
        }
    }
    for (int i = 0; i < event->arrivals.count; ++i) {
        acts = acts || sn_event_thing_is_there(writer->scene->world, &event->arrivals.items[i].like);
    }
    return left && acts;
}

static json_t *write_arrivals(sn_writer *writer, const sn_scene_event *event)
{
    json_t *list = json_array();
    for (int i = 0; i < event->arrivals.count; ++i) {
        const sn_event_arrival *arrival = &event->arrivals.items[i];
        if (sn_event_thing_is_there(writer->scene->world, &arrival->like)) {
            bool soft = arrival->like.deformable.generation != 0;
            arrival_entry entry = {.like = soft ? sn_writer_deformable_name(writer, arrival->like.deformable)
                                                : sn_writer_body_name(writer, arrival->like.rigid),
                                   .position = arrival->pose.position,
                                   .velocity = arrival->velocity,
                                   .rotation = arrival->pose.rotation};
            sn_writer_append(writer, list, sn_object_write(&arrival_object, &entry));
        }
    }
    return list;
}

static json_t *write_event(sn_writer *writer, const sn_scene_event *event)
{
    double passed = writer->restarts ? sn_world_time(writer->scene->world) : 0.0;
    bool has_time = event->due < INFINITY;
    event_entry entry = {.has_at = has_time,
                         .at = has_time ? (float)(event->due - passed) : 0.0f,
                         .delay = has_time ? 0.0f : event->delay,
                         .broken = !has_time && event->cause == SN_CAUSE_BREAK ? event->watched.items[0].name
                                                                               : NULL};
    json_t *out = sn_object_write(&object, &entry);
    if (out == NULL) {
        return NULL;
    }
    if (!has_time && event->cause == SN_CAUSE_TOUCH) {
        sn_writer_set(writer, out, "touched", write_names(writer, &event->watched));
    }
    for (int i = 0; i < SN_ACTION_COUNT; ++i) {
        json_t *names = write_names(writer, &event->things[i]);
        if (json_array_size(names) > 0) {
            sn_writer_set(writer, out, action_keys[i], names);
        } else {
            json_decref(names);
        }
    }
    if (event->arrivals.count > 0) {
        sn_writer_set(writer, out, "add", write_arrivals(writer, event));
    }
    return out;
}

static json_t *write(sn_writer *writer)
{
    const sn_scene *scene = writer->scene;
    json_t *list = json_array();
    for (int i = 0; i < scene->events.count; ++i) {
        if (is_left(writer, &scene->events.items[i])) {
            sn_writer_append(writer, list, write_event(writer, &scene->events.items[i]));
        }
    }
    return list;
}

const sn_section sn_section_events = {.name = "events",
                                      .text =
                                          "what happens at a time, when things touch, when something breaks",
                                      .pass = SN_PASS_VIEWS,
                                      .family = &family,
                                      .read = read,
                                      .write = write};
