// Which faces of tetrahedra are shared.
//
// Faces are sorted into one bin for each node by their lowest node, and within its bin by the other two.
// Equal faces are neighbours then, whatever the mesh, in time n log n at worst.
#include "scene/mesh_boundary.h"

#include "scene/message.h"

#include <stdlib.h>

// The faces of a right-handed tetrahedron, counter-clockwise from outside.
static const int face_corners[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};

typedef struct face {
    uint32_t middle, high; // the lowest node is that of the bin
    uint32_t number;       // 4 · tetrahedron + face
} face;

typedef struct face_bins {
    face *faces;
    size_t *starts; // where the faces of each node begin; node_count + 1
} face_bins;

typedef struct ordered {
    uint32_t low, middle, high;
} ordered;

static ordered order(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t low = a < b ? a : b;
    uint32_t high = a < b ? b : a;
    if (c < low) {
        return (ordered){c, low, high};
    }
    return c < high ? (ordered){low, c, high} : (ordered){low, high, c};
}

static ordered face_of(const uint32_t *tetrahedra, uint32_t number)
{
    const uint32_t *nodes = tetrahedra + (size_t)(number / 4) * 4;
    const int *corners = face_corners[number % 4];
    return order(nodes[corners[0]], nodes[corners[1]], nodes[corners[2]]);
}

static int compare_faces(const void *left, const void *right)
{
    const face *a = left, *b = right;
    if (a->middle != b->middle) {
        return a->middle < b->middle ? -1 : 1;
    }
    if (a->high != b->high) {
        return a->high < b->high ? -1 : 1;
    }
    return a->number < b->number ? -1 : a->number > b->number;
}

static void release_bins(face_bins *bins)
{
    free(bins->faces);
    free(bins->starts);
    *bins = (face_bins){0};
}

static sn_status fail_memory(int tetrahedron_count)
{
    return sn_scene_fail(SN_ERROR_MEMORY, "no memory for the boundary of %d tetrahedra", tetrahedron_count);
}

// False without memory.
static bool make_bins(const uint32_t *tetrahedra, int tetrahedron_count, int node_count, face_bins *bins)
{
    uint32_t face_count = 4 * (uint32_t)tetrahedron_count;
    bins->faces = malloc(face_count * sizeof *bins->faces);
    bins->starts = calloc((size_t)node_count + 2, sizeof *bins->starts);
    if (bins->faces == NULL || bins->starts == NULL) {
        release_bins(bins);
        return false;
    }
    // Counted two places further on, so that filling a bin moves its start to where it belongs.
    size_t *next = bins->starts + 1;
    for (uint32_t i = 0; i < face_count; ++i) {
        ++bins->starts[face_of(tetrahedra, i).low + 2];
    }
    for (int i = 0; i < node_count; ++i) {
        next[i + 1] += next[i];
    }
    for (uint32_t i = 0; i < face_count; ++i) {
        ordered nodes = face_of(tetrahedra, i);
        bins->faces[next[nodes.low]++] = (face){nodes.middle, nodes.high, i};
    }
    for (int i = 0; i < node_count; ++i) {
        size_t count = bins->starts[i + 1] - bins->starts[i];
        if (count > 1) {
            qsort(bins->faces + bins->starts[i], count, sizeof *bins->faces, compare_faces);
        }
    }
    return true;
}

static bool same_nodes(const face *a, const face *b)
{
    return a->middle == b->middle && a->high == b->high;
}

// Whether no other face of the bin has the same nodes.
static bool is_alone(const face *faces, size_t count, size_t i)
{
    return (i == 0 || !same_nodes(&faces[i - 1], &faces[i])) &&
           (i + 1 == count || !same_nodes(&faces[i + 1], &faces[i]));
}

// Marks the faces that belong to one tetrahedron.
static int mark_boundary(const face_bins *bins, int node_count, bool *is_boundary)
{
    int boundary_count = 0;
    for (int node = 0; node < node_count; ++node) {
        const face *faces = bins->faces + bins->starts[node];
        size_t count = bins->starts[node + 1] - bins->starts[node];
        for (size_t i = 0; i < count; ++i) {
            bool alone = is_alone(faces, count, i);
            is_boundary[faces[i].number] = alone;
            boundary_count += alone;
        }
    }
    return boundary_count;
}

static void copy_boundary(const uint32_t *tetrahedra, uint32_t face_count, const bool *is_boundary,
                          uint32_t *triangle)
{
    for (uint32_t i = 0; i < face_count; ++i) {
        for (int corner = 0; is_boundary[i] && corner < 3; ++corner) {
            *triangle++ = tetrahedra[(size_t)(i / 4) * 4 + (size_t)face_corners[i % 4][corner]];
        }
    }
}

sn_status sn_mesh_boundary(const uint32_t *tetrahedra, int tetrahedron_count, int node_count,
                           uint32_t **triangles, int *triangle_count)
{
    *triangles = NULL;
    *triangle_count = 0;
    if (tetrahedron_count == 0) {
        return SN_OK;
    }
    face_bins bins = {0};
    if (!make_bins(tetrahedra, tetrahedron_count, node_count, &bins)) {
        return fail_memory(tetrahedron_count);
    }
    sn_status status = SN_OK;
    uint32_t face_count = 4 * (uint32_t)tetrahedron_count;
    bool *is_boundary = calloc(face_count, sizeof *is_boundary);
    int count = is_boundary == NULL ? 0 : mark_boundary(&bins, node_count, is_boundary);
    uint32_t *found = malloc((size_t)(count + 1) * 3 * sizeof *found);
    if (is_boundary == NULL || found == NULL) {
        status = fail_memory(tetrahedron_count);
    } else if (count > 0) {
        copy_boundary(tetrahedra, face_count, is_boundary, found);
        *triangles = found;
        *triangle_count = count;
        found = NULL;
    }
    free(found);
    free(is_boundary);
    release_bins(&bins);
    return status;
}

// The first face of the bin that is not before these nodes.
static size_t lower_bound(const face *faces, size_t count, ordered nodes)
{
    face wanted = {nodes.middle, nodes.high, 0};
    size_t from = 0;
    while (count > 0) {
        size_t half = count / 2;
        bool before = compare_faces(&faces[from + half], &wanted) < 0;
        from = before ? from + half + 1 : from;
        count = before ? count - half - 1 : half;
    }
    return from;
}

// Whether two triangles of the same nodes go round the same way.
static bool same_turn(const uint32_t *a, const uint32_t *b)
{
    int shift = b[0] == a[0] ? 0 : b[1] == a[0] ? 1 : 2;
    return b[(shift + 1) % 3] == a[1];
}

static void turn_outward(const face_bins *bins, const uint32_t *tetrahedra, uint32_t *triangle)
{
    ordered nodes = order(triangle[0], triangle[1], triangle[2]);
    const face *faces = bins->faces + bins->starts[nodes.low];
    size_t count = bins->starts[nodes.low + 1] - bins->starts[nodes.low];
    size_t found = lower_bound(faces, count, nodes);
    if (found == count || faces[found].middle != nodes.middle || faces[found].high != nodes.high ||
        !is_alone(faces, count, found)) {
        return;
    }
    uint32_t number = faces[found].number;
    const int *corners = face_corners[number % 4];
    const uint32_t *owner = tetrahedra + (size_t)(number / 4) * 4;
    uint32_t outward[3] = {owner[corners[0]], owner[corners[1]], owner[corners[2]]};
    if (!same_turn(outward, triangle)) {
        uint32_t swapped = triangle[1];
        triangle[1] = triangle[2];
        triangle[2] = swapped;
    }
}

sn_status sn_mesh_turn_outward(const uint32_t *tetrahedra, int tetrahedron_count, int node_count,
                               uint32_t *triangles, int triangle_count)
{
    if (tetrahedron_count == 0 || triangle_count == 0) {
        return SN_OK;
    }
    face_bins bins = {0};
    if (!make_bins(tetrahedra, tetrahedron_count, node_count, &bins)) {
        return fail_memory(tetrahedron_count);
    }
    for (int i = 0; i < triangle_count; ++i) {
        turn_outward(&bins, tetrahedra, triangles + 3 * (size_t)i);
    }
    release_bins(&bins);
    return SN_OK;
}
