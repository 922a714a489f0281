// Repairs around one node at a time, by its link: the faces opposite to it of the tetrahedra that have it.
// For a node inside, the link is a sphere; for one on a manifold boundary, a disc. A link in several parts
// means that bodies touch at the node: it gets a copy for each. A link with a pinch, a vertex where several
// discs meet, means that they touch along an edge, though connected elsewhere: the smaller ones are dropped.
// A link with several rims means that the outside touches itself through the body: the node is dropped.
#include "geometry/meshing/lattice_manifold.h"
#include "base/allocate.h"
#include <string.h>

typedef struct repair {
    sn_mesh_parts *parts;
    SN_ARRAY(uint8_t) dropped;  // by tetrahedron
    SN_ARRAY(uint8_t) suspect;  // by node
    SN_ARRAY(int) first, count; // by node: its tetrahedra, dropped ones included, in `stars`
    SN_ARRAY(int) stars;
    // The link of the node looked at; triangle i is opposite to it in tetrahedron owners[i].
    SN_ARRAY(int) owners;
    SN_ARRAY(uint32_t) corners; // 3 each, all turned the same way round the node
    SN_ARRAY(int) neighbors;    // 3 each, across the edge from corner k to corner k + 1; −1 at a rim
    SN_ARRAY(int) labels;       // by triangle, of its part or fan; −1 for none yet
    SN_ARRAY(int) stack;
} repair;

static void repair_release(repair *r)
{
    sn_array_release(&r->dropped);
    sn_array_release(&r->suspect);
    sn_array_release(&r->first);
    sn_array_release(&r->count);
    sn_array_release(&r->stars);
    sn_array_release(&r->owners);
    sn_array_release(&r->corners);
    sn_array_release(&r->neighbors);
    sn_array_release(&r->labels);
    sn_array_release(&r->stack);
}

// --- stars -------------------------------------------------------------------------------------------------

static bool make_stars(repair *r)
{
    int node_count = r->parts->nodes.count, index_count = r->parts->tetrahedra.count;
    if (!sn_array_resize(&r->first, node_count) || !sn_array_resize(&r->count, node_count) ||
        !sn_array_resize(&r->stars, index_count) || !sn_array_resize(&r->dropped, index_count / 4)) {
        return false;
    }
    const uint32_t *tetrahedra = r->parts->tetrahedra.data;
    for (int i = 0; i < index_count; ++i) {
        r->count.data[tetrahedra[i]]++;
    }
    int begin = 0;
    for (int node = 0; node < node_count; ++node) {
        r->first.data[node] = begin;
        begin += r->count.data[node];
        r->count.data[node] = 0;
    }
    for (int i = 0; i < index_count; ++i) {
        uint32_t node = tetrahedra[i];
        r->stars.data[r->first.data[node] + r->count.data[node]++] = i / 4;
    }
    return true;
}

static void drop(repair *r, int tetrahedron)
{
    r->dropped.data[tetrahedron] = 1;
    for (int k = 0; k < 4; ++k) {
        r->suspect.data[r->parts->tetrahedra.data[4 * (size_t)tetrahedron + (size_t)k]] = 1;
    }
}

// --- links -------------------------------------------------------------------------------------------------

// The face of a right-handed tetrahedron opposite to its corner k, counter-clockwise seen from there.
static const uint8_t opposite[4][3] = {{1, 3, 2}, {0, 2, 3}, {0, 3, 1}, {0, 1, 2}};

static bool gather_link(repair *r, int node)
{
    int most = r->count.data[node];
    if (!sn_array_resize(&r->owners, most) || !sn_array_resize(&r->corners, 3 * most) ||
        !sn_array_resize(&r->neighbors, 3 * most) || !sn_array_resize(&r->labels, most) ||
        !sn_array_resize(&r->stack, most)) {
        return false;
    }
    int count = 0;
    for (int i = 0; i < most; ++i) {
        int tetrahedron = r->stars.data[r->first.data[node] + i];
        if (r->dropped.data[tetrahedron]) {
            continue;
        }
        const uint32_t *t = r->parts->tetrahedra.data + 4 * (size_t)tetrahedron;
        int k = 0;
        while (t[k] != (uint32_t)node) {
            k++;
        }
        for (int j = 0; j < 3; ++j) {
            r->corners.data[3 * count + j] = t[opposite[k][j]];
        }
        r->owners.data[count++] = tetrahedron;
    }
    r->owners.count = count;
    return true;
}

static uint32_t edge_begin(const repair *r, int edge)
{
    return r->corners.data[edge];
}
static uint32_t edge_end(const repair *r, int edge)
{
    return r->corners.data[edge % 3 == 2 ? edge - 2 : edge + 1];
}

// Links are small, a few dozen triangles, so pairs are found by comparing all.
static void pair_edges(repair *r)
{
    int edge_count = 3 * r->owners.count;
    for (int i = 0; i < edge_count; ++i) {
        r->neighbors.data[i] = -1;
    }
    for (int i = 0; i < edge_count; ++i) {
        for (int j = i + 1; r->neighbors.data[i] < 0 && j < edge_count; ++j) {
            if (edge_begin(r, i) == edge_end(r, j) && edge_end(r, i) == edge_begin(r, j)) {
                r->neighbors.data[i] = j / 3;
                r->neighbors.data[j] = i / 3;
            }
        }
    }
}

// Labels the triangle and all that can be reached from it, across edges of `around` only if that is no −1.
// Returns how many they are.
static int label_reached(repair *r, int start, int label, int64_t around)
{
    int stack_count = 0, reached = 0;
    r->labels.data[start] = label;
    r->stack.data[stack_count++] = start;
    while (stack_count > 0) {
        int triangle = r->stack.data[--stack_count];
        reached++;
        for (int edge = 3 * triangle; edge < 3 * triangle + 3; ++edge) {
            int next = r->neighbors.data[edge];
            bool allowed = around < 0 || edge_begin(r, edge) == around || edge_end(r, edge) == around;
            if (next >= 0 && allowed && r->labels.data[next] < 0) {
                r->labels.data[next] = label;
                r->stack.data[stack_count++] = next;
            }
        }
    }
    return reached;
}

// Labels the parts of the link, from 0; returns how many there are.
static int label_parts(repair *r)
{
    int part_count = 0;
    for (int i = 0; i < r->owners.count; ++i) {
        r->labels.data[i] = -1;
    }
    for (int i = 0; i < r->owners.count; ++i) {
        if (r->labels.data[i] < 0) {
            label_reached(r, i, part_count++, -1);
        }
    }
    return part_count;
}

// The rim edge that begins at a vertex, or −1.
static int rim_edge_from(const repair *r, uint32_t vertex)
{
    for (int edge = 0; edge < 3 * r->owners.count; ++edge) {
        if (r->neighbors.data[edge] < 0 && edge_begin(r, edge) == vertex) {
            return edge;
        }
    }
    return -1;
}

// A vertex at which two rim edges begin, or −1.
static int64_t find_pinch(const repair *r)
{
    for (int edge = 0; edge < 3 * r->owners.count; ++edge) {
        if (r->neighbors.data[edge] < 0 && rim_edge_from(r, edge_begin(r, edge)) != edge) {
            return edge_begin(r, edge);
        }
    }
    return -1;
}

// Whether the rim edges form more than one ring; there must be no pinch.
static bool has_several_rims(const repair *r)
{
    int rim_count = 0, first = -1;
    for (int edge = 0; edge < 3 * r->owners.count; ++edge) {
        if (r->neighbors.data[edge] < 0) {
            rim_count++;
            first = edge;
        }
    }
    if (first < 0) {
        return false;
    }
    int walked = 1;
    for (int edge = rim_edge_from(r, edge_end(r, first)); edge != first;
         edge = rim_edge_from(r, edge_end(r, edge))) {
        walked++;
    }
    return walked < rim_count;
}

// --- repairs -----------------------------------------------------------------------------------------------

// Gives all tetrahedra of part `label` a copy of the node.
static bool split_off(repair *r, int node, int label)
{
    int copy = r->parts->nodes.count, copied = 0;
    if (!sn_array_push(&r->parts->nodes, r->parts->nodes.data[node]) || !sn_array_push(&r->suspect, 1) ||
        !sn_array_push(&r->first, r->stars.count) || !sn_array_push(&r->count, 0)) {
        return false;
    }
    for (int i = 0; i < r->owners.count; ++i) {
        if (r->labels.data[i] != label) {
            continue;
        }
        uint32_t *t = r->parts->tetrahedra.data + 4 * (size_t)r->owners.data[i];
        for (int k = 0; k < 4; ++k) {
            t[k] = t[k] == (uint32_t)node ? (uint32_t)copy : t[k];
        }
        if (!sn_array_push(&r->stars, r->owners.data[i])) {
            return false;
        }
        copied++;
    }
    r->count.data[copy] = copied;
    return true;
}

// A node whose link has several parts keeps the first; each other gets a copy.
static bool split_node(repair *r, int node)
{
    if (!gather_link(r, node)) {
        return false;
    }
    pair_edges(r);
    int part_count = label_parts(r), kept = 0;
    for (int label = 1; label < part_count; ++label) {
        if (!split_off(r, node, label)) {
            return false;
        }
    }
    for (int i = 0; i < r->owners.count; ++i) {
        if (r->labels.data[i] == 0) {
            r->stars.data[r->first.data[node] + kept++] = r->owners.data[i];
        }
    }
    r->count.data[node] = kept;
    return true;
}

// Drops all fans of tetrahedra around the edge to `pinch` but the largest, the first of equals.
static void drop_small_fans(repair *r, uint32_t pinch)
{
    int largest = 0, largest_label = 0, label = 0;
    for (int i = 0; i < r->owners.count; ++i) {
        r->labels.data[i] = -1;
    }
    for (int edge = 0; edge < 3 * r->owners.count; ++edge) {
        if (edge_begin(r, edge) == pinch && r->labels.data[edge / 3] < 0) {
            int size = label_reached(r, edge / 3, label, pinch);
            if (size > largest) {
                largest = size;
                largest_label = label;
            }
            label++;
        }
    }
    for (int i = 0; i < r->owners.count; ++i) {
        if (r->labels.data[i] >= 0 && r->labels.data[i] != largest_label) {
            drop(r, r->owners.data[i]);
        }
    }
}

// Drops what splitting cannot mend; tells whether anything was. A node that came to have several parts since
// it was split is left for the next round.
static bool mend_node(repair *r, int node, bool *dropped)
{
    if (!gather_link(r, node)) {
        return false;
    }
    pair_edges(r);
    r->suspect.data[node] = 0;
    if (label_parts(r) > 1) {
        r->suspect.data[node] = 1;
        *dropped = true;
        return true;
    }
    int64_t pinch = find_pinch(r);
    if (pinch >= 0) {
        drop_small_fans(r, (uint32_t)pinch);
        *dropped = true;
    } else if (has_several_rims(r)) {
        for (int i = 0; i < r->owners.count; ++i) {
            drop(r, r->owners.data[i]);
        }
        *dropped = true;
    }
    return true;
}

// One round: all suspects are split, then mended. New suspects turn up until nothing is dropped any more; as
// there is ever less to drop, that happens.
static bool run_rounds(repair *r)
{
    bool again = true;
    while (again) {
        again = false;
        for (int node = 0; node < r->parts->nodes.count; ++node) {
            if (r->suspect.data[node] && !split_node(r, node)) {
                return false;
            }
        }
        for (int node = 0; node < r->parts->nodes.count; ++node) {
            if (r->suspect.data[node] && !mend_node(r, node, &again)) {
                return false;
            }
        }
    }
    return true;
}

// --- the end -----------------------------------------------------------------------------------------------

static void remove_dropped(repair *r)
{
    sn_mesh_parts *parts = r->parts;
    int kept = 0;
    for (int i = 0; i < parts->tetrahedra.count / 4; ++i) {
        if (!r->dropped.data[i]) {
            memmove(parts->tetrahedra.data + 4 * (size_t)kept++, parts->tetrahedra.data + 4 * (size_t)i,
                    4 * sizeof(uint32_t));
        }
    }
    parts->tetrahedra.count = 4 * kept;
}

// Renumbers the nodes that tetrahedra use, in their order; `first` is spent by now and holds the new numbers.
static void remove_unused(repair *r)
{
    sn_mesh_parts *parts = r->parts;
    int *number = r->first.data, kept = 0;
    for (int node = 0; node < parts->nodes.count; ++node) {
        number[node] = -1;
    }
    for (int i = 0; i < parts->tetrahedra.count; ++i) {
        number[parts->tetrahedra.data[i]] = 0;
    }
    for (int node = 0; node < parts->nodes.count; ++node) {
        if (number[node] == 0) {
            parts->nodes.data[kept] = parts->nodes.data[node];
            number[node] = kept++;
        }
    }
    parts->nodes.count = kept;
    for (int i = 0; i < parts->tetrahedra.count; ++i) {
        parts->tetrahedra.data[i] = (uint32_t)number[parts->tetrahedra.data[i]];
    }
}

bool sn_lattice_make_manifold(sn_mesh_parts *parts, const uint8_t *suspects)
{
    repair r = {.parts = parts};
    bool enough = make_stars(&r) && sn_array_resize(&r.suspect, parts->nodes.count);
    if (enough && parts->nodes.count > 0) {
        memcpy(r.suspect.data, suspects, (size_t)parts->nodes.count);
    }
    enough = enough && run_rounds(&r);
    if (enough) {
        remove_dropped(&r);
        remove_unused(&r);
    }
    repair_release(&r);
    return enough;
}
