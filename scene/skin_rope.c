// Ropes that are made of tetrahedra or of a strip of triangles. What is twenty times as long as it is wide in
// its rest shape is drawn as the tube of a strand, through the middles of its cross-sections: the steps of
// its cells and the corners of its square are the mesh's, not the rope's.
#include "scene/skin_parts.h"

#include <stdlib.h>

#define SLENDER 20.0f // lengths of a rope in its width
// Nodes that are no farther apart along the rope than this are of one cross-section, in its widths.
#define STATION_LENGTH 0.4f
#define STRIP_RADIUS   0.1f // a strip, which has no height, is twisted to a rope of this part of its width

typedef struct rope_axes {
    int along;           // 0…2
    float length, width; // extents along, and the larger across [m]
    float height;        // the smaller across [m]
} rope_axes;

static float coordinate(sn_vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static rope_axes find_axes(const sn_mesh *mesh)
{
    sn_bounds bounds = sn_mesh_bounds(mesh);
    sn_vec3 size = sn_sub(bounds.upper, bounds.lower);
    int along = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    float a = coordinate(size, (along + 1) % 3), b = coordinate(size, (along + 2) % 3);
    return (rope_axes){along, coordinate(size, along), sn_max(a, b), sn_min(a, b)};
}

bool sn_skin_is_rope(const sn_mesh *mesh)
{
    rope_axes axes = find_axes(mesh);
    return axes.width > 0.0f && axes.length >= SLENDER * axes.width;
}

// A node and where along the rope it is.
typedef struct placed_node {
    float along;
    uint32_t node;
} placed_node;

static int compare(const void *left, const void *right)
{
    const placed_node *a = left, *b = right;
    return a->along != b->along ? (a->along > b->along) - (a->along < b->along)
                                : (a->node > b->node) - (a->node < b->node);
}

static placed_node *sort_nodes(const sn_mesh *mesh, int axis)
{
    int count = sn_mesh_node_count(mesh);
    placed_node *placed = malloc(((size_t)count + 1) * sizeof *placed);
    for (int i = 0; placed != NULL && i < count; ++i) {
        placed[i] = (placed_node){coordinate(sn_mesh_nodes(mesh)[i], axis), (uint32_t)i};
    }
    if (placed != NULL) {
        qsort(placed, (size_t)count, sizeof *placed, compare);
    }
    return placed;
}

bool sn_skin_find_stations(sn_skin *skin, const sn_mesh *mesh)
{
    struct sn_skin_plan *plan = skin->plan;
    rope_axes axes = find_axes(mesh);
    placed_node *placed = sort_nodes(mesh, axes.along);
    bool enough = placed != NULL;
    float begin = 0.0f;
    for (int i = 0; enough && i < sn_mesh_node_count(mesh); ++i) {
        if (i == 0 || placed[i].along > begin + STATION_LENGTH * axes.width) {
            begin = placed[i].along;
            enough = SN_LIST_PUSH(&plan->stations, ((skin_station){i, 0}));
        }
        if (enough) {
            plan->stations.items[plan->stations.count - 1].count++;
            enough = SN_LIST_PUSH(&plan->members, placed[i].node);
        }
    }
    plan->offset += sn_max(0.5f * axes.height, STRIP_RADIUS * axes.width);
    free(placed);
    return enough;
}
