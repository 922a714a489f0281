// Separating axes of polyhedra: all faces of both, then all pairs of edges that make a face of the Minkowski
// difference (Gregorius, "The separating axis test between convex polyhedra", GDC 2013; the test is in
// make_face_of_difference). Everything is brought into the frame of a first; points are kept in lanes of
// four.
//
// Pairs of edges would be the costly part. Most are skipped because they are too far from the contact: see
// contact_slab.
#include "collision/narrow/sat.h"

#include "base/simd.h"

// Of any hull, by Euler's formula; edges rounded up to whole blocks of lanes.
#define MAX_VERTICES SN_MAX_HULL_VERTICES
#define MAX_FACES    (2 * MAX_VERTICES - 4)
#define MAX_EDGES    (3 * MAX_VERTICES)
// Cross products of edges closer to parallel than this (squared sine) have no accurate direction.
#define PARALLEL_EDGES 2.5e-7f

// Four vectors. Four and not eight: compilers without AVX take masks of eight lanes apart one by one.
#define LANES 4
typedef int32_t lane_mask __attribute__((vector_size(16)));
typedef struct vec3_block {
    sn_f4 x, y, z;
} vec3_block;

static sn_vec3 block_get(const vec3_block *blocks, int i)
{
    const vec3_block *block = &blocks[i / LANES];
    return sn_v(block->x[i % LANES], block->y[i % LANES], block->z[i % LANES]);
}

static void block_set(vec3_block *blocks, int i, sn_vec3 v)
{
    vec3_block *block = &blocks[i / LANES];
    block->x[i % LANES] = v.x;
    block->y[i % LANES] = v.y;
    block->z[i % LANES] = v.z;
}

static inline sn_f4 block_dot(const vec3_block *block, sn_vec3 v)
{
    return block->x * v.x + block->y * v.y + block->z * v.z;
}

// One polyhedron in the frame of a.
typedef struct placed {
    const sn_polyhedron *polyhedron;
    sn_vec3 position; // of its frame
    int point_count, face_count, edge_count;
    vec3_block points[MAX_VERTICES / LANES]; // padded to a whole block with copies of the last
    sn_vec3 normals[MAX_FACES];
} placed;

static sn_vec3 placed_point(const placed *p, int i)
{
    return block_get(p->points, i);
}

static void place(placed *p, const sn_polyhedron *polyhedron, const sn_frame *frame)
{
    p->polyhedron = polyhedron;
    p->position = frame != NULL ? frame->position : sn_v(0.0f, 0.0f, 0.0f);
    p->point_count = polyhedron->vertex_count;
    p->face_count = polyhedron->face_count;
    p->edge_count = polyhedron->half_edge_count / 2;
    int last = p->point_count - 1;
    for (int i = 0; i <= last || i % LANES != 0; ++i) {
        sn_vec3 point = polyhedron->vertices[i < last ? i : last];
        block_set(p->points, i, frame != NULL ? sn_frame_apply(frame, point) : point);
    }
    for (int f = 0; f < p->face_count; ++f) {
        sn_vec3 normal = polyhedron->planes[f].normal;
        p->normals[f] = frame != NULL ? sn_mat3_apply(frame->rotation, normal) : normal;
    }
}

// The smallest direction · p over all points.
static float lowest_along(const placed *p, sn_vec3 direction)
{
    sn_f4 lowest = block_dot(&p->points[0], direction);
    for (int block = 1; block * LANES < p->point_count; ++block) {
        sn_f4 heights = block_dot(&p->points[block], direction);
        lane_mask below = heights < lowest;
        lowest = (sn_f4)((below & (lane_mask)heights) | (~below & (lane_mask)lowest));
    }
    return sn_min(sn_min(lowest[0], lowest[1]), sn_min(lowest[2], lowest[3]));
}

// --- faces ---------------------------------------------------------------------------------------

// The face of `reference` with the largest separation from `other`; `kind` says whose it is.
static sn_sat_axis best_face(const sn_convex_pair *pair, const placed *reference, const placed *other,
                             sn_sat_kind kind)
{
    float sign = kind == SN_SAT_FACE_A ? 1.0f : -1.0f;
    float reach = sn_pair_reach(pair);
    sn_sat_axis best = {.kind = kind, .separation = -INFINITY};
    for (int f = 0; f < reference->face_count; ++f) {
        sn_vec3 normal = reference->normals[f];
        float offset = reference->polyhedron->planes[f].offset + sn_dot(normal, reference->position);
        float separation = lowest_along(other, normal) - offset;
        sn_vec3 from_a = sn_scale(normal, sign);
        if (separation > best.separation && (separation > reach || sn_pair_allows(pair, from_a))) {
            best.separation = separation;
            best.normal = from_a;
            best.face = f;
            if (separation > reach) {
                return best;
            }
        }
    }
    return best;
}

// --- edges ---------------------------------------------------------------------------------------

// Edges of one polyhedron that may touch the other: direction, and the normals of the faces left and right.
typedef struct edge_list {
    int count;
    int edges[MAX_EDGES];
    vec3_block directions[MAX_EDGES / LANES];
    vec3_block left[MAX_EDGES / LANES], right[MAX_EDGES / LANES];
} edge_list;

// One edge in the frame of a.
typedef struct edge_view {
    sn_vec3 origin, direction, left, right;
} edge_view;

static edge_view view_edge(const placed *p, int edge)
{
    const sn_half_edge *there = &p->polyhedron->half_edges[2 * edge], *back = there + 1;
    sn_vec3 origin = placed_point(p, there->origin);
    return (edge_view){origin, sn_sub(placed_point(p, back->origin), origin), p->normals[there->face],
                       p->normals[back->face]};
}

static void edge_list_push(edge_list *list, const placed *p, int edge)
{
    edge_view view = view_edge(p, edge);
    int i = list->count++;
    list->edges[i] = edge;
    block_set(list->directions, i, view.direction);
    block_set(list->left, i, view.left);
    block_set(list->right, i, view.right);
}

// An edge without length makes no face with any.
static void edge_list_pad(edge_list *list)
{
    const sn_vec3 zero = {0.0f, 0.0f, 0.0f};
    for (int i = list->count; i % LANES != 0; ++i) {
        list->edges[i] = 0;
        block_set(list->directions, i, zero);
        block_set(list->left, i, zero);
        block_set(list->right, i, zero);
    }
}

// Lanes of b's edges that make a face of the Minkowski difference with the edge of a: +1 where the outward
// normal is a's direction × b's, −1 where it is the opposite.
//
// The normals that have an edge as support are the arc between its two faces' normals. The cross product d of
// the directions u (of a) and v (of b) lies on a's arc iff v · left ≥ 0 ≥ v · right, for d · (left × u) =
// −|u|² (v · left) and so on; −d lies on b's iff u · left' ≥ 0 ≥ u · right'. With all signs turned, it is −d.
// This form also holds for the edges of a triangle, whose arc is half a circle.
static inline lane_mask make_face_of_difference(const edge_view *a, const edge_list *b, int block)
{
    sn_f4 v_left = block_dot(&b->directions[block], a->left);
    sn_f4 v_right = block_dot(&b->directions[block], a->right);
    sn_f4 u_left = block_dot(&b->left[block], a->direction);
    sn_f4 u_right = block_dot(&b->right[block], a->direction);
    lane_mask same = (v_left >= 0.0f) & (v_right <= 0.0f) & (u_left >= 0.0f) & (u_right <= 0.0f);
    lane_mask opposite = (v_left <= 0.0f) & (v_right >= 0.0f) & (u_left <= 0.0f) & (u_right >= 0.0f);
    return (opposite & ~same) - (same & ~opposite);
}

static bool any_lane(lane_mask mask)
{
    uint64_t words[2];
    memcpy(words, &mask, sizeof words);
    return (words[0] | words[1]) != 0;
}

typedef struct edge_search {
    const sn_convex_pair *pair;
    sn_sat_axis face; // the best one; its separation grows by edge pairs with the same normal
    float reach;
    int edge_a, edge_b; // −1 when no pair is better than the face
    float separation;   // of these
    sn_vec3 normal;
    bool apart; // beyond reach: the search ends
} edge_search;

static edge_search edge_search_begin(const sn_convex_pair *pair, const sn_sat_axis *face)
{
    return (edge_search){.pair = pair,
                         .face = *face,
                         .reach = sn_pair_reach(pair),
                         .edge_a = -1,
                         .edge_b = -1,
                         .separation = face->separation};
}

static void try_edge_pair(edge_search *search, const edge_view *a, int edge_a, const edge_view *b, int edge_b,
                          float sign)
{
    sn_vec3 cross = sn_cross(a->direction, b->direction);
    float squared = sn_length_squared(cross);
    float lengths = sn_length_squared(a->direction) * sn_length_squared(b->direction);
    if (!(squared > PARALLEL_EDGES * lengths)) {
        return;
    }
    sn_vec3 normal = sn_scale(cross, sign / sqrtf(squared));
    float separation = sn_dot(normal, sn_sub(b->origin, a->origin));
    if (!(separation > search->separation)) {
        return;
    }
    search->apart = separation > search->reach;
    bool allowed = search->apart || sn_pair_allows(search->pair, normal);
    if (allowed && !sn_sat_merge(&search->face, separation, normal)) {
        search->separation = separation;
        search->normal = normal;
        search->edge_a = edge_a;
        search->edge_b = edge_b;
    }
}

static sn_sat_axis edge_search_result(const edge_search *search, const sn_half_edge *edges_a,
                                      const sn_half_edge *edges_b)
{
    if (search->edge_a < 0 || !(search->separation > search->face.separation + search->pair->tolerance)) {
        return search->face;
    }
    const sn_half_edge *edge_a = &edges_a[2 * search->edge_a], *edge_b = &edges_b[2 * search->edge_b];
    return (sn_sat_axis){.kind = SN_SAT_EDGES,
                         .separation = search->separation,
                         .normal = search->normal,
                         .edge_a = {edge_a[0].origin, edge_a[1].origin},
                         .edge_b = {edge_b[0].origin, edge_b[1].origin}};
}

static void try_block(edge_search *search, const edge_view *a, int edge_a, const placed *b,
                      const edge_list *edges_b, int block, lane_mask signs)
{
    for (int lane = 0; lane < LANES && !search->apart; ++lane) {
        if (signs[lane] != 0) {
            int edge_b = edges_b->edges[block * LANES + lane];
            edge_view view_b = view_edge(b, edge_b);
            try_edge_pair(search, a, edge_a, &view_b, edge_b, (float)signs[lane]);
        }
    }
}

static void search_edge_pairs(edge_search *search, const placed *a, const placed *b, const int *edges_a,
                              int edge_count_a, const edge_list *edges_b)
{
    for (int k = 0; k < edge_count_a; ++k) {
        edge_view view_a = view_edge(a, edges_a[k]);
        for (int block = 0; block * LANES < edges_b->count; ++block) {
            lane_mask signs = make_face_of_difference(&view_a, edges_b, block);
            if (any_lane(signs)) {
                try_block(search, &view_a, edges_a[k], b, edges_b, block, signs);
                if (search->apart) {
                    return;
                }
            }
        }
    }
}

// Distance of a point from a face's polygon.
static float distance_to_face(const placed *p, int face, sn_vec3 point)
{
    const sn_polyhedron *polyhedron = p->polyhedron;
    sn_vec3 up = p->normals[face];
    int first = polyhedron->face_edges[face], edge = first;
    bool over = true;
    float nearest_squared = INFINITY, height = 0.0f;
    int guard = MAX_VERTICES;
    do {
        const sn_half_edge *half_edge = &polyhedron->half_edges[edge];
        sn_vec3 start = placed_point(p, half_edge->origin);
        sn_vec3 along = sn_sub(placed_point(p, polyhedron->half_edges[half_edge->next].origin), start);
        sn_vec3 offset = sn_sub(point, start);
        height = sn_dot(up, offset);
        over = over && sn_dot(sn_cross(along, up), offset) <= 0.0f;
        float t = sn_clamp(sn_dot(offset, along) / sn_length_squared(along), 0.0f, 1.0f);
        nearest_squared = sn_min(nearest_squared, sn_length_squared(sn_add_scaled(offset, -t, along)));
        edge = half_edge->next;
    } while (edge != first && --guard > 0);
    return over ? sn_abs(height) : sqrtf(nearest_squared);
}

// If the shapes touch at two edges, then at points x of a and y of b no farther from each other than any
// known upper bound of the depth or distance. Let n be the best face's normal: all of b is above bottom_b
// along n, and all of a below top_a. So x is above bottom_b − bound, and y below top_a + bound; in shallow
// contact this leaves the edges around the touching faces.
typedef struct contact_slab {
    float lowest_a, highest_b; // heights along n
} contact_slab;

static int extreme_point(const placed *p, sn_vec3 direction)
{
    int best = 0;
    float best_height = -INFINITY;
    for (int i = 0; i < p->point_count; ++i) {
        float height = sn_dot(direction, placed_point(p, i));
        if (height > best_height) {
            best_height = height;
            best = i;
        }
    }
    return best;
}

static contact_slab find_contact_slab(const sn_convex_pair *pair, const placed *a, const placed *b,
                                      const sn_sat_axis *face)
{
    sn_vec3 top_a = placed_point(a, extreme_point(a, face->normal));
    sn_vec3 bottom_b = placed_point(b, extreme_point(b, sn_neg(face->normal)));
    float bound = face->kind == SN_SAT_FACE_A ? distance_to_face(a, face->face, bottom_b)
                                              : distance_to_face(b, face->face, top_a);
    bound = sn_max(bound, sn_abs(face->separation)) + pair->tolerance;
    return (contact_slab){sn_dot(face->normal, bottom_b) - bound, sn_dot(face->normal, top_a) + bound};
}

static void find_best_edges(const sn_convex_pair *pair, const placed *a, const placed *b, sn_sat_axis *best)
{
    contact_slab slab = find_contact_slab(pair, a, b, best);
    sn_vec3 up = best->normal;
    int edges_a[MAX_EDGES], edge_count_a = 0;
    for (int k = 0; k < a->edge_count; ++k) {
        const sn_half_edge *edge = &a->polyhedron->half_edges[2 * k];
        float start = sn_dot(up, placed_point(a, edge[0].origin));
        float end = sn_dot(up, placed_point(a, edge[1].origin));
        if (sn_max(start, end) >= slab.lowest_a) {
            edges_a[edge_count_a++] = k;
        }
    }
    edge_list edges_b;
    edges_b.count = 0;
    for (int k = 0; k < b->edge_count; ++k) {
        const sn_half_edge *edge = &b->polyhedron->half_edges[2 * k];
        float start = sn_dot(up, placed_point(b, edge[0].origin));
        float end = sn_dot(up, placed_point(b, edge[1].origin));
        if (sn_min(start, end) <= slab.highest_b) {
            edge_list_push(&edges_b, b, k);
        }
    }
    edge_list_pad(&edges_b);
    edge_search search = edge_search_begin(pair, best);
    search_edge_pairs(&search, a, b, edges_a, edge_count_a, &edges_b);
    *best = edge_search_result(&search, a->polyhedron->half_edges, b->polyhedron->half_edges);
}

sn_sat_axis sn_sat_polyhedra(const sn_convex_pair *pair)
{
    placed a, b;
    place(&a, &pair->a->polyhedron, NULL);
    place(&b, &pair->b->polyhedron, &pair->frame);
    sn_sat_axis best = best_face(pair, &a, &b, SN_SAT_FACE_A);
    if (best.separation <= sn_pair_reach(pair)) {
        sn_sat_axis of_b = best_face(pair, &b, &a, SN_SAT_FACE_B);
        if (!sn_sat_choose_face(pair, &best, &of_b)) {
            find_best_edges(pair, &a, &b, &best);
        }
    }
    return best;
}

// --- a segment -----------------------------------------------------------------------------------

static sn_sat_axis best_face_for_segment(const sn_convex_pair *pair, const sn_vec3 ends[2])
{
    const sn_polyhedron *a = &pair->a->polyhedron;
    sn_sat_axis best = {.kind = SN_SAT_FACE_A, .separation = -INFINITY};
    for (int f = 0; f < a->face_count; ++f) {
        sn_vec3 normal = a->planes[f].normal;
        float separation = sn_min(sn_dot(normal, ends[0]), sn_dot(normal, ends[1])) - a->planes[f].offset;
        bool apart = separation > sn_pair_reach(pair);
        if (separation > best.separation && (apart || sn_pair_allows(pair, normal))) {
            best.separation = separation;
            best.normal = normal;
            best.face = f;
            if (apart) {
                return best;
            }
        }
    }
    return best;
}

// As make_face_of_difference, for a segment, whose arc is a full circle.
sn_sat_axis sn_sat_segment(const sn_convex_pair *pair, const sn_vec3 ends[2])
{
    sn_sat_axis best = best_face_for_segment(pair, ends);
    if (best.separation > sn_pair_reach(pair)) {
        return best;
    }
    const sn_polyhedron *a = &pair->a->polyhedron;
    const edge_view segment = {.origin = ends[0], .direction = sn_sub(ends[1], ends[0])};
    edge_search search = edge_search_begin(pair, &best);
    for (int k = 0; 2 * k < a->half_edge_count && !search.apart; ++k) {
        const sn_half_edge *there = &a->half_edges[2 * k], *back = there + 1;
        float left = sn_dot(segment.direction, a->planes[there->face].normal);
        float right = sn_dot(segment.direction, a->planes[back->face].normal);
        if (left * right <= 0.0f) {
            sn_vec3 origin = a->vertices[there->origin];
            edge_view edge = {.origin = origin, .direction = sn_sub(a->vertices[back->origin], origin)};
            try_edge_pair(&search, &edge, k, &segment, 0, left > right ? 1.0f : -1.0f);
        }
    }
    static const sn_half_edge segment_edge[2] = {{.origin = 0}, {.origin = 1}};
    return edge_search_result(&search, a->half_edges, segment_edge);
}
