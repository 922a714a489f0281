// Ends of joints and anchors in scene files: what their names mean, and points of it by a place, by a frame
// or by nodes.
#ifndef SN_SCENE_JOINT_ENDS_H
#define SN_SCENE_JOINT_ENDS_H

#include "scene/reader.h"

// What one end names: a deformable, a body, or (both null) the world, where it is a place.
typedef struct sn_joint_end {
    sn_deformable deformable;
    sn_rigid rigid;
} sn_joint_end;

static inline bool sn_end_is_soft(const sn_joint_end *end)
{
    return end->deformable.generation != 0;
}

sn_lookup sn_find_end(sn_reader *reader, const sn_scope *scope, const sn_node *entry, const char *key,
                      const char *name, sn_joint_end *end);
// What is asked of a point besides its place.
typedef enum sn_end_need {
    SN_END_PLAIN,
    SN_END_EXACT,   // nodes that hardly count are left out: an end on a node itself can be merged with others
    SN_END_ORIENTED // its frame is turned as the place is, if the nodes can carry one
} sn_end_need;
// The point nearest to a place of the world.
sn_point sn_end_near(const sn_world *world, const sn_joint_end *end, sn_pose place, sn_end_need need);
// The nodes of a deformable and their weights, from a list of [node, weight].
bool sn_end_read_nodes(const sn_world *world, const sn_node *list, const sn_joint_end *end, sn_point *point);
json_t *sn_end_write_nodes(const sn_point *point);
#define SN_END_NODES_FORM "a list of [node, weight]"
#define SN_END_NODES_SCHEMA                                                                                  \
    "{\"type\": \"array\", \"items\": {\"type\": \"array\", \"items\": {\"type\": \"number\"}, "             \
    "\"minItems\": 2, \"maxItems\": 2}}"

// Keeps the name of an anchor, unless another has it. False without memory.
bool sn_reader_name_anchor(sn_reader *reader, const char *name, sn_constraint anchor);

// A frame in a body or in the world, or nodes of a deformable.
typedef struct sn_frame_entry {
    sn_vec3 position;
    sn_quat rotation;
    sn_node nodes;
    bool oriented, surface;
} sn_frame_entry;

extern const sn_object sn_frame_object;
void sn_frame_defaults(void *target);
// The point that a frame gives; `node` is the frame.
bool sn_end_by_frame(const sn_world *world, const sn_node *node, const sn_frame_entry *frame,
                     const sn_joint_end *end, sn_point *point);
// The frame of a point, but for its nodes.
sn_frame_entry sn_frame_of(const sn_point *point);
// What a point belongs to is called.
const char *sn_end_name(const sn_writer *writer, const sn_point *point);

#endif
