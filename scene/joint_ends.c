// Ends of joints and anchors: names looked up, points made of places, frames and nodes, and written back.
#include "scene/joint_ends.h"
#include "scene/selection.h"
#include "scene/settle.h"

#include <math.h>
#include <string.h>

// --- names -------------------------------------------------------------------------------------------------

static const char world_name[] = "world";

sn_lookup sn_find_end(sn_reader *reader, const sn_scope *scope, const sn_node *entry, const char *key,
                      const char *name, sn_joint_end *end)
{
    *end = (sn_joint_end){0};
    if (strcmp(name, world_name) == 0 && !sn_reader_has_matter(reader, scope, name)) {
        return SN_LOOKUP_FOUND;
    }
    return sn_reader_matter(reader, scope, entry, key, name, &end->deformable, &end->rigid);
}

const char *sn_end_name(const sn_writer *writer, const sn_point *point)
{
    if (point->type == SN_POINT_NODES || point->type == SN_POINT_SURFACE) {
        return sn_writer_deformable_name(writer, point->deformable);
    }
    if (point->type == SN_POINT_RIGID) {
        return sn_writer_body_name(writer, point->rigid);
    }
    // Somebody may have called a body so: then the ground will do.
    bool is_taken = sn_names_find(&writer->bodies.names, world_name) != -1 ||
                    sn_names_find(&writer->deformables.names, world_name) != -1;
    return is_taken ? "ground" : world_name;
}

bool sn_reader_name_anchor(sn_reader *reader, const char *name, sn_constraint anchor)
{
    return sn_names_find(&reader->anchor_names, name) != -1 ||
           (SN_LIST_RESERVE(&reader->joints, reader->joints.count + 1) &&
            sn_names_add(&reader->anchor_names, name, reader->joints.count) &&
            SN_LIST_PUSH(&reader->joints, anchor)) ||
           sn_reader_no_memory(reader);
}

// --- by a place --------------------------------------------------------------------------------------------

static const float least_weight = 1e-4f; // of a node, at ends of exact joints that are given by a place

static sn_point without_small_weights(sn_point point)
{
    float sum = 0.0f;
    int count = 0;
    for (int i = 0; i < point.node_count; ++i) {
        if (point.weights[i] >= least_weight) {
            point.nodes[count] = point.nodes[i];
            point.weights[count++] = point.weights[i];
            sum += point.weights[i];
        }
    }
    for (int i = 0; i < count; ++i) {
        point.weights[i] /= sum;
    }
    point.node_count = count;
    return point;
}

// Three nodes can carry the place's rotation; fewer, or the four of a tetrahedron, cannot.
static sn_point oriented(const sn_world *world, sn_point point, sn_quat rotation)
{
    sn_pose frame;
    if (point.node_count != 3) {
        return point;
    }
    point.has_frame = true;
    if (sn_point_pose(world, &point, &frame) == SN_OK) {
        point.rotation = sn_quat_normalize(sn_quat_multiply(sn_quat_conjugate(frame.rotation), rotation));
    }
    return point;
}

sn_point sn_end_near(const sn_world *world, const sn_joint_end *end, sn_pose place, sn_end_need need)
{
    if (sn_end_is_soft(end)) {
        sn_point point = sn_point_on_deformable(world, end->deformable, place.position);
        return need == SN_END_EXACT      ? without_small_weights(point)
               : need == SN_END_ORIENTED ? oriented(world, point, place.rotation)
                                         : point;
    }
    if (end->rigid.generation == 0) {
        return sn_point_world_frame(place);
    }
    return sn_point_rigid_frame(end->rigid, sn_pose_relative(sn_rigid_pose(world, end->rigid), place));
}

// --- by nodes ----------------------------------------------------------------------------------------------

static bool read_pair(const sn_node *pair, int node_count, int *number, float *weight)
{
    if (sn_node_count(pair) != 2) {
        char value[SN_NODE_TEXT];
        return sn_node_fail(pair, "%s is not allowed, expected [node, weight]", sn_node_text(pair, value));
    }
    sn_node first = sn_node_at(pair, 0), second = sn_node_at(pair, 1);
    return sn_reader_node_number(&first, node_count, number) &&
           sn_node_number(&second, (sn_range)SN_BETWEEN(0.0, 1.0), NULL, weight);
}

bool sn_end_read_nodes(const sn_world *world, const sn_node *list, const sn_joint_end *end, sn_point *point)
{
    int nodes[4] = {0}, count = sn_node_count(list);
    float weights[4] = {0};
    double sum = 0.0;
    if (count < 1 || count > 4) {
        char value[SN_NODE_TEXT];
        return sn_node_fail(list, "%s is not allowed, expected a list of 1 to 4 times [node, weight]",
                            sn_node_text(list, value));
    }
    for (int i = 0; i < count; ++i) {
        sn_node pair = sn_node_at(list, i);
        if (!read_pair(&pair, sn_deformable_node_count(world, end->deformable), &nodes[i], &weights[i])) {
            return false;
        }
        sum += (double)weights[i];
    }
    if (fabs(sum - 1.0) > 1e-4) {
        return sn_node_fail(list, "weights that sum to %g are not allowed, expected 1", sum);
    }
    *point = sn_point_nodes(end->deformable, nodes, weights, count);
    return true;
}

json_t *sn_end_write_nodes(const sn_point *point)
{
    json_t *list = json_array();
    for (int i = 0; i < point->node_count; ++i) {
        json_array_append_new(list, json_pack("[io]", point->nodes[i], sn_json_number(point->weights[i])));
    }
    return list;
}

// --- by a frame --------------------------------------------------------------------------------------------

#define ROW(NAME, TYPE, MEMBER, ...) SN_ROW(NAME, TYPE, sn_frame_entry, MEMBER, __VA_ARGS__)

static const sn_field frame_fields[] = {
    ROW("position", VECTOR, position, "in the body, or in the world", .unit = "m"),
    ROW("rotation", ROTATION, rotation, "in the body, in the world, or in the frame of the nodes"),
    ROW("nodes", NODE, nodes, "of a deformable instead: one to four nodes and their weights, which sum to 1",
        .form = SN_END_NODES_FORM, .schema = SN_END_NODES_SCHEMA),
    ROW("oriented", FLAG, oriented,
        "the three nodes make a frame: x from the first to the second, z normal to them"),
    ROW("surface", FLAG, surface,
        "of a deformable instead: wherever its surface is nearest to the other end; of exact balls")};
#undef ROW

const sn_object sn_frame_object = {.name = "frame",
                                   .text = "A frame in a body, or nodes of a deformable.",
                                   .size = sizeof(sn_frame_entry),
                                   .defaults = sn_frame_defaults,
                                   .fields = frame_fields,
                                   .field_count = SN_COUNT(frame_fields)};

void sn_frame_defaults(void *target)
{
    ((sn_frame_entry *)target)->rotation = sn_quat_identity;
}

static bool has_key(const sn_node *node, const char *key)
{
    return sn_node_get(node, key).value != NULL;
}

static bool soft_by_frame(const sn_world *world, const sn_node *node, const sn_frame_entry *frame,
                          const sn_joint_end *end, sn_point *point)
{
    if (has_key(node, "position")) {
        return sn_node_fail_key(node, "position", "is for bodies, expected `nodes` of the deformable");
    }
    if (frame->surface) {
        *point = sn_point_surface(end->deformable);
        return true;
    }
    sn_node nodes = sn_node_get(node, "nodes"); // not the entry's, whose parent was read and is gone
    if (nodes.value == NULL) {
        return sn_node_fail_key(node, "nodes", "is missing: which nodes of the deformable");
    }
    if (!sn_end_read_nodes(world, &nodes, end, point)) {
        return false;
    }
    if (frame->oriented && point->node_count != 3) {
        return sn_node_fail_key(node, "oriented", "%d nodes make no frame, expected 3", point->node_count);
    }
    point->has_frame = frame->oriented;
    point->rotation = frame->rotation;
    return true;
}

bool sn_end_by_frame(const sn_world *world, const sn_node *node, const sn_frame_entry *frame,
                     const sn_joint_end *end, sn_point *point)
{
    if (sn_end_is_soft(end)) {
        return soft_by_frame(world, node, frame, end, point);
    }
    static const char *const soft_keys[] = {"nodes", "oriented", "surface"};
    for (int i = 0; i < SN_COUNT(soft_keys); ++i) {
        if (has_key(node, soft_keys[i])) {
            return sn_node_fail_key(node, soft_keys[i], "is for deformables, expected a `position`");
        }
    }
    sn_pose pose = {frame->position, frame->rotation};
    *point = end->rigid.generation != 0 ? sn_point_rigid_frame(end->rigid, pose) : sn_point_world_frame(pose);
    return true;
}

sn_frame_entry sn_frame_of(const sn_point *point)
{
    bool is_soft = point->type == SN_POINT_NODES || point->type == SN_POINT_SURFACE;
    sn_frame_entry frame = {.rotation = sn_settled_rotation(point->rotation),
                            .oriented = point->has_frame,
                            .surface = point->type == SN_POINT_SURFACE};
    if (!is_soft) {
        frame.position = point->position;
    }
    return frame;
}
