// Section "joints": constraints between two points of bodies, deformables and the world. Placed by a point
// and an axis of the frame around them where things are, or by frames in bodies and nodes of deformables.
#include "scene/joint_kinds.h"

#include <math.h>
#include <string.h>

// --- reading -----------------------------------------------------------------------------------------------

static bool place_by_points(sn_reader *reader, const sn_scope *scope, const sn_node *node,
                            sn_joint_entry *entry, const sn_joint_end ends[2])
{
    if (entry->has_at || !entry->has_from || !entry->has_to) {
        return sn_node_fail(node, "a distance is placed by `from` and `to`, or by `frame_a` and `frame_b`");
    }
    const sn_world *world = reader->scene->world;
    sn_pose from = {sn_pose_apply(scope->pose, entry->from), sn_quat_identity};
    sn_pose to = {sn_pose_apply(scope->pose, entry->to), sn_quat_identity};
    if (ends[0].rigid.generation != 0 && ends[1].rigid.generation != 0) {
        return sn_constraint_place_points(world, &entry->def.common, ends[0].rigid, ends[1].rigid,
                                          from.position, to.position) == SN_OK ||
               sn_reader_world_failed(reader, node);
    }
    entry->def.common.a = sn_end_near(world, &ends[0], from, SN_END_PLAIN);
    entry->def.common.b = sn_end_near(world, &ends[1], to, SN_END_PLAIN);
    return true;
}

static bool place_by_frames(const sn_world *world, const sn_node *node, sn_joint_entry *entry,
                            const sn_joint_end ends[2])
{
    sn_node a = sn_node_get(node, "frame_a"), b = sn_node_get(node, "frame_b");
    return sn_end_by_frame(world, &a, &entry->frame_a, &ends[0], &entry->def.common.a) &&
           sn_end_by_frame(world, &b, &entry->frame_b, &ends[1], &entry->def.common.b);
}

// Whether it is a ball that does no more than hold a point.
static bool is_plain_ball(sn_constraint_kind kind, const sn_joint_entry *entry)
{
    return kind == SN_BALL && !sn_constraint_needs_frame(kind, &entry->def, 0);
}

// Both ends at one place, turned alike.
static bool place_at(sn_reader *reader, const sn_scope *scope, const sn_node *node, sn_constraint_kind kind,
                     sn_joint_entry *entry, const sn_joint_end ends[2])
{
    const sn_world *world = reader->scene->world;
    sn_vec3 at = sn_pose_apply(scope->pose, entry->at), axis = sn_rotate(scope->pose.rotation, entry->axis);
    if (ends[0].rigid.generation != 0 && ends[1].rigid.generation != 0) {
        return sn_constraint_place(world, &entry->def.common, ends[0].rigid, ends[1].rigid, at, axis) ==
                   SN_OK ||
               sn_reader_world_failed(reader, node);
    }
    sn_pose place = {at, sn_quat_between(sn_v(1.0f, 0.0f, 0.0f), sn_normalize(axis))};
    sn_end_need plain = entry->def.common.exact ? SN_END_EXACT : SN_END_PLAIN;
    bool turned[2] = {sn_constraint_needs_frame(kind, &entry->def, 0),
                      sn_constraint_needs_frame(kind, &entry->def, 1)};
    entry->def.common.a = sn_end_near(world, &ends[0], place, turned[0] ? SN_END_ORIENTED : plain);
    entry->def.common.b = sn_end_near(world, &ends[1], place, turned[1] ? SN_END_ORIENTED : plain);
    return true;
}

static bool place(sn_reader *reader, const sn_scope *scope, const sn_node *node, sn_constraint_kind kind,
                  sn_joint_entry *entry, const sn_joint_end ends[2])
{
    bool by_frames = entry->has_frame_a && entry->has_frame_b;
    bool by_point = entry->has_at || entry->has_from || entry->has_to || entry->has_axis;
    if ((entry->has_frame_a || entry->has_frame_b) && (by_point || !by_frames)) {
        return sn_node_fail(node,
                            "a joint is placed by `frame_a` and `frame_b` alone, or by a point and axis");
    }
    if (by_frames) {
        return place_by_frames(reader->scene->world, node, entry, ends);
    }
    if (kind == SN_DISTANCE) {
        return place_by_points(reader, scope, node, entry, ends);
    }
    if (!entry->has_at) {
        return sn_node_fail_key(node, "at", "is missing: the point both share");
    }
    if (!(sn_length(entry->axis) > 1e-18f)) {
        return sn_node_fail_key(node, "axis", "has no length, expected a direction");
    }
    return place_at(reader, scope, node, kind, entry, ends);
}

// How far apart the points of a distance are where the bodies are now.
static float placed_length(const sn_world *world, const sn_constraint_common *placed)
{
    sn_vec3 from = {0.0f, 0.0f, 0.0f}, to = from;
    (void)sn_point_place(world, &placed->a, &from);
    (void)sn_point_place(world, &placed->b, &to);
    return sn_distance_between(from, to);
}

static bool complete_distance(sn_reader *reader, const sn_node *node, sn_joint_entry *entry)
{
    int ways = (int)entry->has_length + (int)entry->has_rope + (int)entry->has_limits;
    if (ways > 1) {
        return sn_node_fail(node, "a distance has one of `length`, `rope` and `limits`");
    }
    float now = placed_length(reader->scene->world, &entry->def.common);
    sn_distance_def *def = &entry->def.distance;
    bool has_spring = sn_joint_has_spring(entry);
    if (entry->has_length || (ways == 0 && !has_spring)) {
        def->lower = def->upper = entry->has_length ? entry->length : now;
    } else if (entry->has_rope) {
        def->upper = entry->rope;
    }
    if (has_spring && !sn_joint_has_spring_length(entry)) {
        def->spring_length = now;
    }
    return true;
}

static bool register_joint(sn_reader *reader, const char *name, sn_constraint constraint)
{
    if (name[0] == '\0') {
        return true;
    }
    if (sn_constraint_is_anchor(reader->scene->world, constraint)) {
        return sn_reader_name_anchor(reader, name, constraint);
    }
    return (SN_LIST_RESERVE(&reader->joints, reader->joints.count + 1) &&
            sn_names_add(&reader->joint_names, name, reader->joints.count) &&
            SN_LIST_PUSH(&reader->joints, constraint)) ||
           sn_reader_no_memory(reader);
}

// Names are unique but for those of anchors: what holds many nodes of one thing to another is called alike.
static bool check_name(const sn_reader *reader, const sn_node *node, sn_constraint_kind kind,
                       const sn_joint_entry *entry, const sn_joint_end ends[2], const char *name)
{
    bool has_two_bodies = ends[0].rigid.generation != 0 && ends[1].rigid.generation != 0;
    bool is_anchor = is_plain_ball(kind, entry) && !has_two_bodies;
    return is_anchor || name[0] == '\0' || sn_names_find(&reader->joint_names, name) == -1 ||
           sn_node_fail_key(node, "name", "joint \"%s\" exists already, expected another name", name);
}

static bool read_joint(sn_reader *reader, const sn_scope *scope, const sn_node *node)
{
    sn_joint_entry entry;
    char name[SN_MAX_NAME + 1] = "";
    const sn_object *object = sn_family_read(node, sn_joint_family(), &entry);
    if (object == NULL || (entry.name != NULL && !sn_scope_name(scope, node, entry.name, name))) {
        return false;
    }
    sn_constraint_kind kind = sn_joint_kind(object);
    sn_joint_end ends[2];
    sn_lookup a = sn_find_end(reader, scope, node, "a", entry.a, &ends[0]);
    sn_lookup b = sn_find_end(reader, scope, node, "b", entry.b, &ends[1]);
    if (a != SN_LOOKUP_FOUND || b != SN_LOOKUP_FOUND) {
        return a == SN_LOOKUP_NO_COPY || b == SN_LOOKUP_NO_COPY;
    }
    if (!check_name(reader, node, kind, &entry, ends, name) ||
        !place(reader, scope, node, kind, &entry, ends) ||
        (kind == SN_DISTANCE && !complete_distance(reader, node, &entry))) {
        return false;
    }
    entry.def.common.name = name[0] != '\0' ? name : NULL;
    sn_constraint constraint;
    if (sn_constraint_add(reader->scene->world, kind, &entry.def, &constraint) != SN_OK) {
        return sn_reader_world_failed(reader, node);
    }
    return register_joint(reader, name, constraint);
}

static bool read(sn_reader *reader, const sn_scope *scope, const sn_node *node)
{
    bool good = read_joint(reader, scope, node);
    if (!good) {
        sn_reader_name_failed(reader, &reader->joint_names, scope, node);
    }
    return good;
}

// --- writing -----------------------------------------------------------------------------------------------

// How a distance is said: a rod, a rope, limits, or nothing but a spring.
static void fill_distance(sn_joint_entry *entry, bool is_free)
{
    const sn_distance_def *def = &entry->def.distance;
    if (is_free && sn_joint_has_spring(entry)) {
        return;
    }
    entry->length = def->lower;
    entry->rope = def->upper;
    entry->has_length = def->lower == def->upper;
    entry->has_rope = def->lower == 0.0f && !entry->has_length;
    entry->has_limits = !entry->has_length && !entry->has_rope;
}

// The definition of a joint as it is now.
static void fill(const sn_world *world, sn_constraint constraint, sn_constraint_kind kind,
                 sn_joint_entry *entry)
{
    (void)sn_constraint_def_get(world, constraint, &entry->def);
    const sn_distance_def *distance = &entry->def.distance;
    bool is_free = kind == SN_DISTANCE && distance->lower == 0.0f && !isfinite(distance->upper);
    sn_joint_prepare_writing(kind, entry);
    if (kind == SN_DISTANCE) {
        fill_distance(entry, is_free);
    }
}

// A scene that is written begins at time 0: what is to come comes earlier, what is over stays off.
static void restart_schedule(const sn_writer *writer, sn_constraint_common *common)
{
    float now = writer->restarts ? (float)sn_world_time(writer->scene->world) : 0.0f;
    common->active_from = common->active_from > now ? common->active_from - now : 0.0f;
    common->active_until -= now;
    if (!(common->active_until > common->active_from)) {
        common->active = false;
        common->active_from = 0.0f;
        common->active_until = INFINITY;
    }
}

// Tables write no nodes.
static void add_nodes(json_t *joint, const char *key, const sn_point *point)
{
    if (point->type == SN_POINT_NODES) {
        json_object_set_new(json_object_get(joint, key), "nodes", sn_end_write_nodes(point));
    }
}

static json_t *write_joint(sn_writer *writer, sn_constraint constraint)
{
    const sn_world *world = writer->scene->world;
    sn_constraint_kind kind = sn_constraint_get_kind(world, constraint);
    sn_joint_entry entry;
    sn_object_defaults(sn_joint_object(kind), &entry);
    fill(world, constraint, kind, &entry);
    restart_schedule(writer, &entry.def.common);
    entry.name = sn_writer_joint_name(writer, constraint);
    if (entry.name == NULL && sn_constraint_is_anchor(world, constraint)) {
        entry.name = sn_json_can_hold(entry.def.common.name) ? entry.def.common.name : NULL;
    }
    entry.a = sn_end_name(writer, &entry.def.common.a);
    entry.b = sn_end_name(writer, &entry.def.common.b);
    entry.has_frame_a = entry.has_frame_b = true;
    entry.frame_a = sn_frame_of(&entry.def.common.a);
    entry.frame_b = sn_frame_of(&entry.def.common.b);
    json_t *out = sn_object_write(sn_joint_object(kind), &entry);
    add_nodes(out, "frame_a", &entry.def.common.a);
    add_nodes(out, "frame_b", &entry.def.common.b);
    return out;
}

static json_t *write(sn_writer *writer)
{
    const sn_world *world = writer->scene->world;
    int count = 0;
    sn_constraint *constraints = sn_writer_constraints(writer, &count);
    json_t *list = json_array();
    for (int i = 0; i < count; ++i) {
        if (sn_constraint_get_kind(world, constraints[i]) == SN_CUSTOM) {
            writer->has_custom = true;
        } else {
            sn_writer_append(writer, list, write_joint(writer, constraints[i]));
        }
    }
    free(constraints);
    return list;
}

const sn_section sn_section_joints = {
    .name = "joints",
    .text = "joints and other constraints between points of bodies, deformables and the world",
    .pass = SN_PASS_LINKS,
    .in_parts = true,
    .find_family = sn_joint_family,
    .read = read,
    .write = write};
