// Topology by sorting: corners of edges, faces or elements are put in ascending order, the rows sorted, and
// equal neighbours compared. Linear time, and the same result whatever the machine.
#include "geometry/mesh/mesh_topology.h"
#include "base/allocate.h"
#include "base/error.h"
#include "base/tuple_sort.h"
#include "geometry/mesh/edge_pairs.h"
#include <string.h>

// Rows with ascending corners, and their sorted order.
typedef struct row_sort {
    SN_ARRAY(uint32_t) rows;
    SN_ARRAY(int) order;
    int width, count;
} row_sort;

static void row_sort_release(row_sort *s)
{
    sn_array_release(&s->rows);
    sn_array_release(&s->order);
}

static bool row_sort_reserve(row_sort *s, int width, int count)
{
    s->width = width;
    s->count = 0;
    return sn_array_resize(&s->rows, width * count) && sn_array_resize(&s->order, count);
}

// Returns whether putting the corners in order took an odd number of swaps.
static bool row_sort_add(row_sort *s, const uint32_t *corners)
{
    uint32_t *row = s->rows.data + (size_t)s->count++ * (size_t)s->width;
    memcpy(row, corners, (size_t)s->width * sizeof(uint32_t));
    return sn_tuple_order(row, s->width);
}

static const uint32_t *sorted_row(const row_sort *s, int place)
{
    return s->rows.data + (size_t)s->order.data[place] * (size_t)s->width;
}

// One past the last row equal to the one at `begin`.
static int end_of_equal(const row_sort *s, int begin)
{
    int end = begin + 1;
    while (end < s->count && sn_tuple_equal(sorted_row(s, begin), sorted_row(s, end), s->width)) {
        end++;
    }
    return end;
}

// --- elements ----------------------------------------------------------------------------------------------

sn_status sn_mesh_check_repeated(const uint32_t *elements, int width, int count, int node_count,
                                 const char *noun)
{
    row_sort s = {0};
    sn_status status = SN_OK;
    bool enough = row_sort_reserve(&s, width, count);
    for (int i = 0; enough && i < count; ++i) {
        row_sort_add(&s, elements + (size_t)i * (size_t)width);
    }
    if (!enough || !sn_tuple_sort(s.rows.data, width, count, node_count, s.order.data)) {
        status = sn_fail(NULL, SN_ERROR_MEMORY, "mesh: no memory for %d elements", count);
    }
    for (int i = 0; !status && i + 1 < count; ++i) {
        if (sn_tuple_equal(sorted_row(&s, i), sorted_row(&s, i + 1), width)) {
            status = sn_fail(NULL, SN_ERROR_GEOMETRY, "mesh: %s %d has the same corners as %s %d", noun,
                             s.order.data[i + 1], noun, s.order.data[i]);
        }
    }
    row_sort_release(&s);
    return status;
}

// --- boundary ----------------------------------------------------------------------------------------------

// Faces of a right-handed tetrahedron, counter-clockwise from outside.
static const uint8_t face_corners[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

static void face_of(const uint32_t *tetrahedra, int face, uint32_t corners[3])
{
    const uint32_t *tetrahedron = tetrahedra + (size_t)(face / 4) * 4;
    for (int k = 0; k < 3; ++k) {
        corners[k] = tetrahedron[face_corners[face % 4][k]];
    }
}

typedef struct face_sort {
    row_sort sort;
    // By face: 1 if its corners run the other way than their ascending order, later 1 if it is boundary.
    SN_ARRAY(uint8_t) marks;
} face_sort;

static bool sort_faces(face_sort *f, const uint32_t *tetrahedra, int face_count, int node_count)
{
    if (!row_sort_reserve(&f->sort, 3, face_count) || !sn_array_resize(&f->marks, face_count)) {
        return false;
    }
    for (int face = 0; face < face_count; ++face) {
        uint32_t corners[3];
        face_of(tetrahedra, face, corners);
        f->marks.data[face] = row_sort_add(&f->sort, corners);
    }
    return sn_tuple_sort(f->sort.rows.data, 3, face_count, node_count, f->sort.order.data);
}

static sn_status mark_boundary(face_sort *f)
{
    for (int begin = 0; begin < f->sort.count;) {
        int end = end_of_equal(&f->sort, begin);
        const int *faces = f->sort.order.data + begin;
        const uint32_t *corners = sorted_row(&f->sort, begin);
        if (end - begin > 2) {
            return sn_fail(NULL, SN_ERROR_GEOMETRY,
                           "mesh: face %u, %u, %u belongs to tetrahedra %d, %d and %d, expected at most two",
                           (unsigned)corners[0], (unsigned)corners[1], (unsigned)corners[2], faces[0] / 4,
                           faces[1] / 4, faces[2] / 4);
        }
        if (end - begin == 2 && f->marks.data[faces[0]] == f->marks.data[faces[1]]) {
            return sn_fail(NULL, SN_ERROR_GEOMETRY,
                           "mesh: tetrahedra %d and %d lie on the same side of their face %u, %u, %u",
                           faces[0] / 4, faces[1] / 4, (unsigned)corners[0], (unsigned)corners[1],
                           (unsigned)corners[2]);
        }
        for (int i = begin; i < end; ++i) {
            f->marks.data[f->sort.order.data[i]] = end - begin == 1;
        }
        begin = end;
    }
    return SN_OK;
}

static bool append_boundary(const face_sort *f, const uint32_t *tetrahedra, sn_index_list *triangles)
{
    int boundary_count = 0;
    for (int face = 0; face < f->sort.count; ++face) {
        boundary_count += f->marks.data[face];
    }
    int at = triangles->indices.count;
    if (!sn_array_resize(&triangles->indices, at + 3 * boundary_count)) {
        return false;
    }
    for (int face = 0; face < f->sort.count; ++face) {
        if (f->marks.data[face]) {
            face_of(tetrahedra, face, triangles->indices.data + at);
            at += 3;
        }
    }
    return true;
}

sn_status sn_mesh_find_boundary(const uint32_t *tetrahedra, int count, int node_count,
                                sn_index_list *triangles)
{
    face_sort f = {0};
    bool enough = sort_faces(&f, tetrahedra, 4 * count, node_count);
    sn_status status = enough ? mark_boundary(&f) : SN_OK;
    if (!status && (!enough || !append_boundary(&f, tetrahedra, triangles))) {
        status = sn_fail(NULL, SN_ERROR_MEMORY, "mesh: no memory for %d tetrahedra", count);
    }
    row_sort_release(&f.sort);
    sn_array_release(&f.marks);
    return status;
}

// --- edges -------------------------------------------------------------------------------------------------

static void add_edges_of(row_sort *s, const uint32_t *elements, int width, int count)
{
    for (int i = 0; i < count; ++i) {
        const uint32_t *corners = elements + (size_t)i * (size_t)width;
        for (int a = 0; a < width; ++a) {
            for (int b = a + 1; b < width; ++b) {
                const uint32_t ends[2] = {corners[a], corners[b]};
                row_sort_add(s, ends);
            }
        }
    }
}

static bool append_different(const row_sort *s, sn_index_list *list)
{
    int count = 0;
    for (int i = 0; i < s->count; i = end_of_equal(s, i)) {
        count++;
    }
    int at = list->indices.count;
    if (!sn_array_resize(&list->indices, at + s->width * count)) {
        return false;
    }
    for (int i = 0; i < s->count; i = end_of_equal(s, i)) {
        memcpy(list->indices.data + at, sorted_row(s, i), (size_t)s->width * sizeof(uint32_t));
        at += s->width;
    }
    return true;
}

bool sn_mesh_find_edges(const sn_mesh_def *def, sn_index_list *edges)
{
    row_sort s = {0};
    int most = def->edge_count + 3 * def->triangle_count + 6 * def->tetrahedron_count;
    bool enough = row_sort_reserve(&s, 2, most);
    if (enough) {
        add_edges_of(&s, def->edges, 2, def->edge_count);
        add_edges_of(&s, def->triangles, 3, def->triangle_count);
        add_edges_of(&s, def->tetrahedra, 4, def->tetrahedron_count);
        enough = sn_tuple_sort(s.rows.data, 2, s.count, def->node_count, s.order.data) &&
                 append_different(&s, edges);
    }
    row_sort_release(&s);
    return enough;
}

// --- surface -----------------------------------------------------------------------------------------------

static int next_in_triangle(int half_edge)
{
    return half_edge % 3 == 2 ? half_edge - 2 : half_edge + 1;
}
static int previous_in_triangle(int half_edge)
{
    return half_edge % 3 == 0 ? half_edge + 2 : half_edge - 1;
}

// How many triangles can be reached from one, turning about the node its half-edge starts from. There must be
// no crowded edges.
static int fan_size(const int *twins, int start)
{
    int size = 1;
    int half_edge = twins[previous_in_triangle(start)];
    while (half_edge >= 0 && half_edge != start) {
        size++;
        half_edge = twins[previous_in_triangle(half_edge)];
    }
    if (half_edge == start) {
        return size;
    }
    for (int twin = twins[start]; twin >= 0; twin = twins[next_in_triangle(twin)]) {
        size++;
    }
    return size;
}

// `corner_counts` is zero-filled.
static bool has_single_fans(const uint32_t *triangles, int count, const int *twins, int *corner_counts)
{
    for (int i = 0; i < 3 * count; ++i) {
        corner_counts[triangles[i]]++;
    }
    for (int i = 0; i < 3 * count; ++i) {
        // Once for each node; its count is spent then.
        int corners = corner_counts[triangles[i]];
        corner_counts[triangles[i]] = 0;
        if (corners > 0 && fan_size(twins, i) != corners) {
            return false;
        }
    }
    return true;
}

bool sn_mesh_inspect_surface(const uint32_t *triangles, int count, int node_count, bool *closed,
                             bool *manifold)
{
    *closed = *manifold = count > 0;
    if (count == 0) {
        return true;
    }
    size_t twin_bytes = (size_t)count * 3 * sizeof(int), count_bytes = (size_t)node_count * sizeof(int);
    int *twins = sn_allocate(twin_bytes), *corner_counts = sn_allocate_zero(1, count_bytes);
    bool enough = twins && corner_counts && sn_edge_pairs(triangles, count, node_count, twins);
    for (int i = 0; enough && i < 3 * count; ++i) {
        *closed = *closed && twins[i] != SN_EDGE_OPEN;
        *manifold = *manifold && twins[i] != SN_EDGE_CROWDED;
    }
    if (enough && *manifold) {
        *manifold = has_single_fans(triangles, count, twins, corner_counts);
    }
    sn_release(twins, twin_bytes);
    sn_release(corner_counts, count_bytes);
    return enough;
}
