// Nodes by the numbers a file gives them, where these have gaps and any order.
#ifndef SN_SCENE_MESH_TAGS_H
#define SN_SCENE_MESH_TAGS_H

#include "scene/list.h"

typedef struct sn_mesh_tag {
    int64_t number;
    uint32_t node;
} sn_mesh_tag;

// All zeros is empty.
typedef struct sn_mesh_tags {
    SN_LIST(sn_mesh_tag) list;
} sn_mesh_tags;

// Gives the next node a number; false without memory.
bool sn_mesh_tags_add(sn_mesh_tags *tags, int64_t number);
// Once all are there, before the first is looked for. False if two are the same: `*number` is.
bool sn_mesh_tags_sort(sn_mesh_tags *tags, int64_t *number);
bool sn_mesh_tags_find(const sn_mesh_tags *tags, int64_t number, uint32_t *node);
void sn_mesh_tags_release(sn_mesh_tags *tags);

#endif
