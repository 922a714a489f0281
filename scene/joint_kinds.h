// Kinds of joints in scene files. What a kind has besides what all have comes from the library's own tables
// (sn_constraint_kind_fields), so a kind that is new there is one that can be read and written here.
#ifndef SN_SCENE_JOINT_KINDS_H
#define SN_SCENE_JOINT_KINDS_H

#include "scene/joint_ends.h"

// What a joint's entry says.
typedef struct sn_joint_entry {
    const char *name, *a, *b;
    bool has_at, has_axis, has_from, has_to, has_frame_a, has_frame_b;
    sn_vec3 at, axis, from, to;
    sn_frame_entry frame_a, frame_b;
    bool has_length, has_rope, has_limits; // of a distance
    float length, rope;
    union {
        sn_constraint_common common;
        sn_distance_def distance;
        max_align_t alignment;
        char bytes[SN_MAX_CONSTRAINT_DEF];
    } def; // of the kind
    // By the field's number: it was given. The first of a group stands for the group unless it is a bool.
    bool given[SN_MAX_CONSTRAINT_FIELDS];
} sn_joint_entry;

// All kinds but custom ones.
const sn_family *sn_joint_family(void);
const sn_object *sn_joint_object(sn_constraint_kind kind);
sn_constraint_kind sn_joint_kind(const sn_object *object);

// Notes what of a definition is to be written: infinity cannot be, so limits without an end become a reach
// beyond which nothing can be, and what else is infinite is left out.
void sn_joint_prepare_writing(sn_constraint_kind kind, sn_joint_entry *entry);
// Whether the spring of a distance was given, and its length.
bool sn_joint_has_spring(const sn_joint_entry *entry);
bool sn_joint_has_spring_length(const sn_joint_entry *entry);

#endif
