// Points and triangles written out in a scene file.
#include "scene/shape_entry.h"

#include <math.h>

#define MAX_COUNT (1 << 24)

static bool is_list(const sn_node *node, const char *of_what)
{
    int count = sn_node_count(node);
    char value[SN_NODE_TEXT];
    if (!json_is_array(node->value) || count < 1) {
        return sn_node_fail(node, "%s is not allowed, expected a list of %s", sn_node_text(node, value),
                            of_what);
    }
    return count <= MAX_COUNT ||
           sn_node_fail(node, "%d entries are not allowed, expected at most %d", count, MAX_COUNT);
}

static bool fail_memory(const sn_node *node)
{
    node->mistakes->no_memory = true;
    return false;
}

bool sn_node_points(const sn_node *node, sn_vec3 **points, int *count)
{
    *points = NULL;
    if (!is_list(node, "points [x, y, z]")) {
        return false;
    }
    *count = sn_node_count(node);
    *points = malloc((size_t)*count * sizeof **points);
    if (*points == NULL) {
        return fail_memory(node);
    }
    for (int i = 0; i < *count; ++i) {
        sn_node member = sn_node_at(node, i);
        if (!sn_node_vector(&member, (sn_range)SN_BETWEEN(-1e6, 1e6), "m", &(*points)[i])) {
            return false;
        }
    }
    return true;
}

static bool read_triangle(const sn_node *node, int vertex_count, uint32_t *out)
{
    char value[SN_NODE_TEXT];
    if (!json_is_array(node->value) || sn_node_count(node) != 3) {
        return sn_node_fail(node, "%s is not allowed, expected three vertex numbers [i, j, k]",
                            sn_node_text(node, value));
    }
    for (int k = 0; k < 3; ++k) {
        sn_node member = sn_node_at(node, k);
        int index = 0;
        if (!sn_node_integer(&member, (sn_range)SN_BETWEEN(0.0, vertex_count - 1), &index)) {
            return false;
        }
        out[k] = (uint32_t)index;
    }
    return true;
}

bool sn_node_triangles(const sn_node *node, int vertex_count, uint32_t **indices, int *count)
{
    *indices = NULL;
    if (!is_list(node, "triangles [i, j, k]")) {
        return false;
    }
    *count = sn_node_count(node);
    *indices = malloc((size_t)*count * 3 * sizeof **indices);
    if (*indices == NULL) {
        return fail_memory(node);
    }
    for (int i = 0; i < *count; ++i) {
        sn_node member = sn_node_at(node, i);
        if (!read_triangle(&member, vertex_count, *indices + 3 * (size_t)i)) {
            return false;
        }
    }
    return true;
}
