// Skins of strands. Edges are followed from end to end; a smooth curve through the nodes (Catmull and Rom
// 1974) carries rings, turned as little as can be from one to the next (parallel transport), which make a
// round tube with round ends.
#include "scene/skin_parts.h"

#include <string.h>

enum {
    MOST_SIDES = 10, // of a tube
    CAP_RINGS = 3,   // between the end of a tube and its pole
    NOBODY = -1
};

// Sides of a tube and cuts of an edge: fewer where there are so many edges that none can be looked at.
static void choose_detail(struct sn_skin_plan *plan, int edge_count)
{
    plan->sides = edge_count > 200000 ? 5 : edge_count > 20000 ? 8 : MOST_SIDES;
    plan->cuts = edge_count > 200000 ? 1 : edge_count > 20000 ? 2 : 4;
}

// --- following edges ---------------------------------------------------------------------------------------

// The edges at each node: those of node i are `edges` from starts[i] to starts[i + 1].
typedef struct neighbours {
    int *starts, *edges;
    bool *used; // edges that are in a chain already
} neighbours;

typedef SN_LIST(uint32_t) chain; // nodes in order; the first again at the end of a closed one

static void release(neighbours *around)
{
    free(around->starts);
    free(around->edges);
    free(around->used);
}

static bool find_neighbours(const sn_mesh *mesh, neighbours *around)
{
    int nodes = sn_mesh_node_count(mesh), count = sn_mesh_edge_count(mesh);
    const uint32_t *edges = sn_mesh_edges(mesh);
    around->starts = calloc((size_t)nodes + 2, sizeof *around->starts);
    around->edges = malloc(((size_t)count * 2 + 1) * sizeof *around->edges);
    around->used = calloc((size_t)count + 1, sizeof *around->used);
    if (around->starts == NULL || around->edges == NULL || around->used == NULL) {
        return false;
    }
    // Counted one place further on, so that filling leaves every start where it belongs.
    int *starts = around->starts + 1;
    for (int i = 0; i < 2 * count; ++i) {
        starts[edges[i] + 1]++;
    }
    for (int i = 0; i < nodes; ++i) {
        starts[i + 1] += starts[i];
    }
    for (int i = 0; i < 2 * count; ++i) {
        around->edges[starts[edges[i]]++] = i / 2;
    }
    return true;
}

static int degree(const neighbours *around, uint32_t node)
{
    return around->starts[node + 1] - around->starts[node];
}

static int next_edge(const neighbours *around, uint32_t node)
{
    for (int i = around->starts[node]; i < around->starts[node + 1]; ++i) {
        if (!around->used[around->edges[i]]) {
            return around->edges[i];
        }
    }
    return NOBODY;
}

// Goes on from a node until an end, a fork, or the beginning.
static bool follow(const sn_mesh *mesh, neighbours *around, uint32_t node, chain *nodes)
{
    const uint32_t *edges = sn_mesh_edges(mesh);
    nodes->count = 0;
    if (!SN_LIST_PUSH(nodes, node)) {
        return false;
    }
    for (int edge = next_edge(around, node); edge != NOBODY; edge = next_edge(around, node)) {
        around->used[edge] = true;
        node = edges[2 * edge] == node ? edges[2 * edge + 1] : edges[2 * edge];
        if (!SN_LIST_PUSH(nodes, node)) {
            return false;
        }
        if (degree(around, node) != 2) {
            break;
        }
    }
    return true;
}

// --- rings -------------------------------------------------------------------------------------------------

static bool add_ring(sn_skin *skin, skin_ring ring)
{
    // Three indices a triangle must be countable.
    if (skin->triangle_count > INT32_MAX / 3 - 2 * MOST_SIDES) {
        return false;
    }
    ring.first_vertex = skin->vertex_count;
    skin->vertex_count += skin->plan->sides;
    skin->triangle_count += ring.begins ? 0 : 2 * skin->plan->sides;
    return SN_LIST_PUSH(&skin->plan->rings, ring);
}

// A round end: rings that grow narrower, the last of no width. `way` is −1 before the first node.
static bool add_cap(sn_skin *skin, skin_ring end, float way)
{
    for (int i = 0; i < CAP_RINGS; ++i) {
        int step = way < 0.0f ? CAP_RINGS - i : i + 1;
        float angle = 0.5f * SN_PI * (float)step / (float)CAP_RINGS;
        skin_ring ring = end;
        ring.rise = way * sn_sin(angle);
        ring.width = step == CAP_RINGS ? 0.0f : sn_cos(angle);
        ring.begins = way < 0.0f && i == 0;
        if (!add_ring(skin, ring)) {
            return false;
        }
    }
    return true;
}

static bool add_tube(sn_skin *skin, const uint32_t *nodes, int count)
{
    bool closed = count > 3 && nodes[0] == nodes[count - 1];
    int cuts = skin->plan->cuts;
    skin_ring ring = {.width = 1.0f};
    for (int i = 0; i + 1 < count; ++i) {
        uint32_t before = i > 0 ? nodes[i - 1] : (closed ? nodes[count - 2] : nodes[i]);
        uint32_t after = i + 2 < count ? nodes[i + 2] : (closed ? nodes[1] : nodes[i + 1]);
        uint32_t around[4] = {before, nodes[i], nodes[i + 1], after};
        memcpy(ring.nodes, around, sizeof around);
        ring.share = 0.0f;
        ring.begins = i == 0 && closed;
        if (i == 0 && !closed && !add_cap(skin, ring, -1.0f)) {
            return false;
        }
        int last = i + 2 == count ? cuts : cuts - 1;
        for (int cut = 0; cut <= last; ++cut) {
            ring.share = (float)cut / (float)cuts;
            if (!add_ring(skin, ring)) {
                return false;
            }
            ring.begins = false;
        }
    }
    return closed || add_cap(skin, ring, 1.0f);
}

static bool add_chains(sn_skin *skin, const sn_mesh *mesh, neighbours *around)
{
    chain nodes = {0};
    bool enough = true;
    // Ends and forks first; what remains then are closed rings.
    for (int pass = 0; pass < 2 && enough; ++pass) {
        for (int i = 0; i < sn_mesh_node_count(mesh) && enough; ++i) {
            bool starts = pass == 1 || degree(around, (uint32_t)i) != 2;
            while (starts && enough && next_edge(around, (uint32_t)i) != NOBODY) {
                enough =
                    follow(mesh, around, (uint32_t)i, &nodes) && add_tube(skin, nodes.items, nodes.count);
            }
        }
    }
    SN_LIST_FREE(&nodes);
    return enough;
}

// --- the plan ----------------------------------------------------------------------------------------------

// One of the nodes of what a ring names.
static uint32_t a_node(const struct sn_skin_plan *plan, uint32_t index)
{
    return plan->stations.count > 0 ? plan->members.items[plan->stations.items[index].first] : index;
}

static bool fill_arrays(sn_skin *skin)
{
    skin->indices = malloc(((size_t)skin->triangle_count * 3 + 1) * sizeof *skin->indices);
    skin->sources = malloc(((size_t)skin->vertex_count + 1) * sizeof *skin->sources);
    if (skin->indices == NULL || skin->sources == NULL) {
        return false;
    }
    uint32_t *out = skin->indices;
    int sides = skin->plan->sides;
    for (int r = 0; r < skin->plan->rings.count; ++r) {
        const skin_ring *ring = &skin->plan->rings.items[r];
        for (int k = 0; k < sides; ++k) {
            skin->sources[ring->first_vertex + k] =
                (sn_skin_source){a_node(skin->plan, ring->nodes[1]), a_node(skin->plan, ring->nodes[2]),
                                 ring->share, SN_SKIN_FRONT};
            if (!ring->begins) {
                uint32_t here = (uint32_t)(ring->first_vertex + k), before = here - (uint32_t)sides;
                uint32_t next = (uint32_t)(ring->first_vertex + (k + 1) % sides),
                         next_before = next - (uint32_t)sides;
                uint32_t corners[6] = {before, next_before, next, before, next, here};
                memcpy(out, corners, sizeof corners);
                out += 6;
            }
        }
    }
    return true;
}

// One tube through all cross-sections.
static bool plan_rope(sn_skin *skin, const sn_mesh *mesh)
{
    chain stations = {0};
    bool enough = sn_skin_find_stations(skin, mesh);
    for (int i = 0; enough && i < skin->plan->stations.count; ++i) {
        enough = SN_LIST_PUSH(&stations, (uint32_t)i);
    }
    choose_detail(skin->plan, stations.count);
    enough = enough && add_tube(skin, stations.items, stations.count);
    SN_LIST_FREE(&stations);
    return enough;
}

static bool plan_chains(sn_skin *skin, const sn_mesh *mesh)
{
    neighbours around = {0};
    choose_detail(skin->plan, sn_mesh_edge_count(mesh));
    bool made = find_neighbours(mesh, &around) && add_chains(skin, mesh, &around);
    release(&around);
    return made;
}

bool sn_skin_plan_strand(sn_skin *skin, const sn_mesh *mesh)
{
    skin->closed = true;
    return (sn_mesh_triangle_count(mesh) > 0 ? plan_rope(skin, mesh) : plan_chains(skin, mesh)) &&
           fill_arrays(skin);
}

// --- what rings name ---------------------------------------------------------------------------------------

// The middle of a cross-section's nodes, or the one node of a strand.
static sn_vec3 rest_place(const struct sn_skin_plan *plan, const sn_vec3 *nodes, uint32_t index)
{
    if (plan->stations.count == 0) {
        return nodes[index];
    }
    const skin_station *station = &plan->stations.items[index];
    sn_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < station->count; ++i) {
        sum = sn_add(sum, nodes[plan->members.items[station->first + i]]);
    }
    return sn_scale(sum, 1.0f / (float)station->count);
}

// The same where it is now, relative to a place near it.
static sn_vec3 place_now(const struct sn_skin_plan *plan, const sn_node_state *nodes, uint32_t index,
                         sn_vec3 origin)
{
    if (plan->stations.count == 0) {
        return sn_sub(nodes[index].position, origin);
    }
    const skin_station *station = &plan->stations.items[index];
    sn_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < station->count; ++i) {
        sum = sn_add(sum, sn_sub(nodes[plan->members.items[station->first + i]].position, origin));
    }
    return sn_scale(sum, 1.0f / (float)station->count);
}

// The way along is counted anew for every tube.
void sn_skin_rest_strand(sn_skin *skin, const sn_mesh *mesh)
{
    const struct sn_skin_plan *plan = skin->plan;
    const sn_vec3 *nodes = sn_mesh_nodes(mesh);
    float passed = 0.0f;
    for (int r = 0; r < plan->rings.count; ++r) {
        const skin_ring *ring = &plan->rings.items[r], *before = ring - 1;
        if (ring->begins) {
            passed = 0.0f;
        } else if (before->nodes[1] != ring->nodes[1] || before->nodes[2] != ring->nodes[2]) {
            passed += sn_distance_between(rest_place(plan, nodes, before->nodes[1]),
                                          rest_place(plan, nodes, before->nodes[2]));
        }
        float length = sn_distance_between(rest_place(plan, nodes, ring->nodes[1]),
                                           rest_place(plan, nodes, ring->nodes[2]));
        float along = passed + ring->share * length + plan->offset * ring->rise;
        for (int k = 0; k < plan->sides; ++k) {
            float angle = 2.0f * SN_PI * (float)k / (float)plan->sides;
            skin->rest[ring->first_vertex + k] = sn_v(sn_cos(angle), sn_sin(angle), along);
        }
    }
}

// --- motion ------------------------------------------------------------------------------------------------

typedef struct curve_point {
    sn_vec3 place, along;
} curve_point;

// The cubic through the second and third place whose tangents there are half the way between the neighbours;
// beyond the ends the curve runs straight on.
static curve_point on_curve(const struct sn_skin_plan *plan, const skin_ring *ring,
                            const sn_node_state *nodes, sn_vec3 origin)
{
    sn_vec3 p[4];
    for (int i = 0; i < 4; ++i) {
        p[i] = place_now(plan, nodes, ring->nodes[i], origin);
    }
    bool first = ring->nodes[0] == ring->nodes[1], last = ring->nodes[3] == ring->nodes[2];
    sn_vec3 chord = sn_sub(p[2], p[1]);
    sn_vec3 leaving = first ? chord : sn_scale(sn_sub(p[2], p[0]), 0.5f);
    sn_vec3 arriving = last ? chord : sn_scale(sn_sub(p[3], p[1]), 0.5f);
    float t = ring->share, s = 1.0f - t;
    sn_vec3 place = sn_add_scaled(sn_scale(p[1], s * s * (1.0f + 2.0f * t)), t * t * (3.0f - 2.0f * t), p[2]);
    place = sn_add_scaled(sn_add_scaled(place, t * s * s, leaving), -t * t * s, arriving);
    sn_vec3 along = sn_add_scaled(sn_scale(leaving, s * (1.0f - 3.0f * t)), t * (3.0f * t - 2.0f), arriving);
    along = sn_add_scaled(along, 6.0f * t * s, chord);
    float length = sn_length(along);
    bool clear = length > 1.0e-12f && sn_is_finite(length);
    return (curve_point){place, clear ? sn_scale(along, 1.0f / length) : sn_v(1.0f, 0.0f, 0.0f)};
}

// The direction across nearest to that of the ring before.
static sn_vec3 carry(sn_vec3 across, sn_vec3 along)
{
    sn_vec3 carried = sn_sub(across, sn_scale(along, sn_dot(across, along)));
    float length = sn_length(carried);
    return length > 1.0e-3f ? sn_scale(carried, 1.0f / length) : sn_perpendicular(along);
}

void sn_skin_move_strand(sn_skin *skin, const sn_node_state *nodes, sn_vec3 origin)
{
    const struct sn_skin_plan *plan = skin->plan;
    float cosines[MOST_SIDES], sines[MOST_SIDES];
    for (int k = 0; k < plan->sides; ++k) {
        cosines[k] = sn_cos(2.0f * SN_PI * (float)k / (float)plan->sides);
        sines[k] = sn_sin(2.0f * SN_PI * (float)k / (float)plan->sides);
    }
    sn_vec3 across = {0.0f, 0.0f, 0.0f};
    for (int r = 0; r < plan->rings.count; ++r) {
        const skin_ring *ring = &plan->rings.items[r];
        curve_point point = on_curve(plan, ring, nodes, origin);
        across = ring->begins ? sn_perpendicular(point.along) : carry(across, point.along);
        sn_vec3 third = sn_cross(point.along, across);
        sn_vec3 center = sn_add_scaled(point.place, plan->offset * ring->rise, point.along);
        for (int k = 0; k < plan->sides; ++k) {
            sn_vec3 out = sn_add_scaled(sn_scale(across, cosines[k]), sines[k], third);
            int vertex = ring->first_vertex + k;
            skin->positions[vertex] = sn_add_scaled(center, plan->offset * ring->width, out);
            skin->normals[vertex] = sn_add_scaled(sn_scale(out, ring->width), ring->rise, point.along);
        }
    }
}
