// Checks of a mesh's definition. Sizes are judged relative to the element's longest edge, so that meshes of
// any scale pass and flat elements of any scale do not.
#include "geometry/mesh/mesh_check.h"
#include "base/allocate.h"
#include "geometry/mesh/mesh.h"
#include "geometry/mesh/mesh_measure.h"
#include "geometry/shapes/check.h"

// Elements whose longest edge is shorter are refused: volumes would leave float32. [m]
#define MIN_LENGTH 1.0e-7
// Areas and volumes below this fraction of the longest edge squared or cubed are rounding.
#define FLAT 1.0e-7

// --- counts and indices ------------------------------------------------------------------------------------

// One kind of element: its indices, and what messages call it.
typedef struct element_list {
    const uint32_t *corners;
    int count, width;
    const char *noun, *array, *count_name;
} element_list;

#define ELEMENT_KINDS 3

static void list_elements(const sn_mesh_def *def, element_list lists[ELEMENT_KINDS])
{
    lists[0] = (element_list){def->edges, def->edge_count, 2, "edge", "edges", "edge_count"};
    lists[1] =
        (element_list){def->triangles, def->triangle_count, 3, "triangle", "triangles", "triangle_count"};
    lists[2] = (element_list){def->tetrahedra, def->tetrahedron_count, 4,
                              "tetrahedron",   "tetrahedra",           "tetrahedron_count"};
}

static sn_status check_count(int count, int lower, const char *field)
{
    if (count < lower || count > SN_MAX_MESH_COUNT) {
        return sn_fail(NULL, SN_ERROR_RANGE, "mesh: %s is %d, expected >= %d and <= %d", field, count, lower,
                       SN_MAX_MESH_COUNT);
    }
    return SN_OK;
}

static sn_status check_counts(const sn_mesh_def *def, const element_list *lists)
{
    sn_status status = check_count(def->node_count, 1, "node_count");
    int element_count = 0;
    for (int kind = 0; !status && kind < ELEMENT_KINDS; ++kind) {
        status = check_count(lists[kind].count, 0, lists[kind].count_name);
        if (!status && lists[kind].count > 0 && !lists[kind].corners) {
            status = sn_fail(NULL, SN_ERROR_NULL, "mesh: %s is null", lists[kind].array);
        }
        element_count += status ? 0 : lists[kind].count;
    }
    if (!status && !def->nodes) {
        status = sn_fail(NULL, SN_ERROR_NULL, "mesh: nodes is null");
    }
    if (!status && element_count == 0) {
        status = sn_fail(NULL, SN_ERROR_GEOMETRY,
                         "mesh: there are %d nodes and no element, expected edges, triangles or tetrahedra",
                         def->node_count);
    }
    if (!status && def->triangle_count > 0 && def->tetrahedron_count > 0) {
        status = sn_fail(NULL, SN_ERROR_RANGE,
                         "mesh: triangle_count is %d, expected 0 with tetrahedra, whose boundary is found",
                         def->triangle_count);
    }
    return status;
}

static sn_status check_indices(const element_list *list, int node_count)
{
    size_t index_count = (size_t)list->count * (size_t)list->width;
    for (size_t i = 0; i < index_count; ++i) {
        if (list->corners[i] >= (uint32_t)node_count) {
            size_t width = (size_t)list->width;
            return sn_fail(NULL, SN_ERROR_RANGE, "mesh: corner %d of %s %d is node %u, expected < %d",
                           (int)(i % width), list->noun, (int)(i / width), (unsigned)list->corners[i],
                           node_count);
        }
    }
    return SN_OK;
}

// --- sizes -------------------------------------------------------------------------------------------------

static double longest_edge(const sn_vec3 *nodes, const uint32_t *corners, int width)
{
    double longest = 0.0;
    for (int i = 0; i < width; ++i) {
        for (int j = i + 1; j < width; ++j) {
            const uint32_t ends[2] = {corners[i], corners[j]};
            double length = sn_length_of_edge(nodes, ends);
            longest = length > longest ? length : longest;
        }
    }
    return longest;
}

static sn_status check_size(const sn_vec3 *nodes, const element_list *list, int element)
{
    const uint32_t *corners = list->corners + (size_t)element * (size_t)list->width;
    double longest = longest_edge(nodes, corners, list->width);
    if (longest < MIN_LENGTH) {
        return sn_fail(NULL, SN_ERROR_GEOMETRY, "mesh: %s %d has length %g, expected >= %g", list->noun,
                       element, longest, MIN_LENGTH);
    }
    if (list->width == 3) {
        double area = sn_area_of_triangle(nodes, corners), least = FLAT * longest * longest;
        if (area < least) {
            return sn_fail(NULL, SN_ERROR_GEOMETRY,
                           "mesh: triangle %d has area %g, expected >= %g as its longest edge has %g",
                           element, area, least, longest);
        }
    }
    if (list->width == 4) {
        double volume = sn_volume_of_tetrahedron(nodes, corners), least = FLAT * longest * longest * longest;
        if (fabs(volume) < least) {
            return sn_fail(NULL, SN_ERROR_GEOMETRY,
                           "mesh: tetrahedron %d has volume %g, expected >= %g as its longest edge has %g",
                           element, volume, least, longest);
        }
    }
    return SN_OK;
}

static sn_status check_elements(const sn_mesh_def *def, const element_list *list)
{
    sn_status status = check_indices(list, def->node_count);
    for (int i = 0; !status && i < list->count; ++i) {
        status = check_size(def->nodes, list, i);
    }
    return status;
}

// --- use ---------------------------------------------------------------------------------------------------

// Edges make a mesh only where there is nothing else; beside triangles or tetrahedra they tie nodes that have
// their place there.
static sn_status check_use(const sn_mesh_def *def, const element_list *lists)
{
    bool edges_only = def->triangle_count == 0 && def->tetrahedron_count == 0;
    uint8_t *used = sn_allocate_zero((size_t)def->node_count, 1);
    if (!used) {
        return sn_fail(NULL, SN_ERROR_MEMORY, "mesh: no memory for %d nodes", def->node_count);
    }
    for (int kind = edges_only ? 0 : 1; kind < ELEMENT_KINDS; ++kind) {
        size_t index_count = (size_t)lists[kind].count * (size_t)lists[kind].width;
        for (size_t i = 0; i < index_count; ++i) {
            used[lists[kind].corners[i]] = 1;
        }
    }
    sn_status status = SN_OK;
    for (int i = 0; !status && i < def->node_count; ++i) {
        if (!used[i]) {
            status = sn_fail(NULL, SN_ERROR_GEOMETRY, "mesh: node %d belongs to no %s", i,
                             edges_only ? "edge" : "triangle or tetrahedron");
        }
    }
    sn_release(used, (size_t)def->node_count);
    return status;
}

sn_status sn_mesh_check(const sn_mesh_def *def)
{
    if (!def) {
        return sn_fail(NULL, SN_ERROR_NULL, "mesh: definition is null");
    }
    if (def->cookie != SN_COOKIE_MESH) {
        return sn_fail(NULL, SN_ERROR_DEFINITION, "mesh: definition does not come from sn_mesh_def_default");
    }
    element_list lists[ELEMENT_KINDS];
    list_elements(def, lists);
    sn_status status = check_counts(def, lists);
    status = status ? status : sn_check_points(def->nodes, def->node_count, NULL, "mesh", "node");
    for (int kind = 0; !status && kind < ELEMENT_KINDS; ++kind) {
        status = check_elements(def, &lists[kind]);
    }
    return status ? status : check_use(def, lists);
}
