// Which features of two faces that come near each other may meet.
#include "collision/soft/soft_feature_pairs.h"

#include "collision/soft/soft_descent.h"

// Two surfaces, whose features are paired up to be told, or to be listed.
typedef struct pairing {
    const sn_soft_surface *a, *b; // the same: one against itself
    bool edges;
    // To be told.
    const sn_soft_view *view_a, *view_b;
    sn_soft_pair_function function;
    void *context;
    // To be listed: of one against itself.
    sn_verlet_list *list; // null: to be told
    float growth;
} pairing;

// --- features of two faces ---------------------------------------------------------------------------------

static bool has_node(const uint32_t *nodes, int count, uint32_t node)
{
    for (int i = 0; i < count; ++i) {
        if (nodes[i] == node) {
            return true;
        }
    }
    return false;
}

// Whether a node comes near enough to the plane of a face within the step: what most pairs fail.
static bool may_meet_face(const sn_soft_view *a, uint32_t node, const sn_soft_view *b, uint32_t face)
{
    const uint32_t *corners = b->surface->faces.data + 3 * (size_t)face;
    sn_vec3 out = b->surface->normals.data[face];
    float height = sn_dot(out, sn_sub(a->nodes[node].position, b->nodes[corners[0]].position));
    float displacement = sn_dot(out, a->displacements[node]), lowest = displacement, highest = displacement;
    for (int k = 0; k < 3; ++k) {
        float other = displacement - sn_dot(out, b->displacements[corners[k]]);
        lowest = k == 0 ? other : sn_min(lowest, other);
        highest = k == 0 ? other : sn_max(highest, other);
    }
    lowest = height + sn_min(lowest, 0.0f);
    highest = height + sn_max(highest, 0.0f);
    float reach = a->half_thickness + b->half_thickness + a->margin;
    if (lowest <= reach && highest >= -reach) {
        return true;
    }
    reach += sn_soft_pair_margin(a, node, b, corners[0]);
    return lowest <= reach && highest >= -reach;
}

// Whether two edges may be as near each other as `reach`: balls about them, and their lines, are.
static bool are_edges_near(const sn_node_state *nodes, const uint32_t *edge, const sn_node_state *others,
                           const uint32_t *other, float reach)
{
    sn_vec3 p = nodes[edge[0]].position, q = others[other[0]].position;
    sn_vec3 u = sn_sub(nodes[edge[1]].position, p), v = sn_sub(others[other[1]].position, q);
    sn_vec3 apart = sn_sub(p, q), between = sn_add_scaled(apart, 0.5f, sn_sub(u, v));
    float radii = 0.5f * (sn_length(u) + sn_length(v)) + reach;
    if (!(sn_length_squared(between) <= radii * radii)) {
        return false;
    }
    sn_vec3 across = sn_cross(u, v);
    float gap = sn_dot(across, apart);
    return gap * gap <= reach * reach * sn_length_squared(across);
}

// Whether two edges come near enough to each other.
static bool may_meet_edge(const sn_soft_view *a, const uint32_t *nodes_a, const sn_soft_view *b,
                          const uint32_t *nodes_b)
{
    float displacement = sn_length(sn_sub(a->displacements[nodes_a[0]], b->displacements[nodes_b[0]])) +
                         sn_length(sn_sub(a->displacements[nodes_a[1]], b->displacements[nodes_b[1]]));
    float reach = a->half_thickness + b->half_thickness + a->margin + displacement +
                  sn_soft_pair_margin(a, nodes_a[0], b, nodes_b[0]);
    return are_edges_near(a->nodes, nodes_a, b->nodes, nodes_b, reach);
}

// --- pairing -----------------------------------------------------------------------------------------------

static bool is_itself(const pairing *p)
{
    return p->a == p->b;
}

static sn_soft_box edge_box(const sn_soft_surface *surface, uint32_t edge)
{
    const uint32_t *nodes = surface->mesh->edges + 2 * (size_t)edge;
    return sn_soft_box_union(&surface->node_boxes.data[nodes[0]], &surface->node_boxes.data[nodes[1]]);
}

static bool tell(const pairing *p, uint32_t feature_a, uint32_t feature_b)
{
    return p->function(p->context, feature_a, feature_b);
}

// How near features of two faces must be at their places to be listed.
static float reach_of(const pairing *p, int place_a, int place_b)
{
    return 2.0f * p->growth + sn_verlet_skin(p->list, place_a, p->growth) +
           sn_verlet_skin(p->list, place_b, p->growth);
}

static bool list_node(const pairing *p, uint32_t node, uint32_t face, sn_verlet_pair pair)
{
    const sn_node_state *places = p->list->reference.data;
    const uint32_t *corners = p->a->faces.data + 3 * (size_t)face;
    sn_vec3 at[3], point = places[node].position;
    for (int k = 0; k < 3; ++k) {
        at[k] = places[corners[k]].position;
    }
    float weights[3], reach = reach_of(p, pair.place_a, pair.place_b);
    (void)sn_triangle_nearest(at, point, weights);
    for (int k = 0; k < 3; ++k) {
        point = sn_add_scaled(point, -weights[k], at[k]);
    }
    return sn_length_squared(point) > reach * reach || sn_array_push(&p->list->pairs, pair);
}

static bool list_edge(const pairing *p, uint32_t edge_a, uint32_t edge_b, sn_verlet_pair pair)
{
    const sn_node_state *places = p->list->reference.data;
    const uint32_t *edges = p->a->mesh->edges;
    return !are_edges_near(places, edges + 2 * (size_t)edge_a, places, edges + 2 * (size_t)edge_b,
                           reach_of(p, pair.place_a, pair.place_b)) ||
           sn_array_push(&p->list->pairs, pair);
}

// A node of the one that the face at `place_a` stands for, and a face of the other.
static bool pair_node(const pairing *p, uint32_t node, int place_a, uint32_t face, int place_b, bool swapped)
{
    const sn_soft_surface *a = swapped ? p->b : p->a, *b = swapped ? p->a : p->b;
    const sn_soft_box *node_box = &a->node_boxes.data[node], *face_box = &b->face_boxes.data[place_b];
    uint32_t feature_a = sn_soft_feature_name(SN_SOFT_NODE, node);
    uint32_t feature_b = sn_soft_feature_name(SN_SOFT_FACE, face);
    if (p->list != NULL) {
        return list_node(p, node, face, (sn_verlet_pair){feature_a, feature_b, place_a, place_b});
    }
    return !sn_soft_boxes_overlap(node_box, face_box) ||
           !may_meet_face(swapped ? p->view_b : p->view_a, node, swapped ? p->view_a : p->view_b, face) ||
           tell(p, feature_a, feature_b);
}

// Nodes that the face of the one stands for, against the face of the other.
static bool pair_nodes(const pairing *p, int place_a, int place_b, bool swapped)
{
    const sn_soft_surface *a = swapped ? p->b : p->a, *b = swapped ? p->a : p->b;
    uint32_t fa = a->order.data[place_a], fb = b->order.data[place_b];
    const uint32_t *nodes = a->faces.data + 3 * (size_t)fa, *other = b->faces.data + 3 * (size_t)fb;
    uint32_t owned = a->owned.data[fa];
    if (b->mesh->triangle_count == 0) {
        return true;
    }
    for (uint32_t k = 0; k < 3; ++k) {
        if ((owned >> k & 1u) != 0 && !(is_itself(p) && has_node(other, 3, nodes[k])) &&
            !pair_node(p, nodes[k], place_a, fb, place_b, swapped)) {
            return false;
        }
    }
    return true;
}

// Bit k: the face stands for its edge k, and that is sharp, or may become so while a list lasts.
static uint32_t edges_of(const pairing *p, const sn_soft_surface *surface, uint32_t face)
{
    uint32_t bits = (uint32_t)surface->owned.data[face] >> 3;
    for (uint32_t k = 0; k < 3 && p->list == NULL; ++k) {
        if ((bits >> k & 1u) != 0 && !surface->sharp.data[surface->face_edges.data[3 * (size_t)face + k]]) {
            bits &= ~(1u << k);
        }
    }
    return bits;
}

// Two edges; of one surface, those that share no node.
static bool pair_edge(const pairing *p, uint32_t edge_a, int place_a, uint32_t edge_b, int place_b)
{
    const uint32_t *nodes_a = p->a->mesh->edges + 2 * (size_t)edge_a;
    const uint32_t *nodes_b = p->b->mesh->edges + 2 * (size_t)edge_b;
    uint32_t feature_a = sn_soft_feature_name(SN_SOFT_EDGE, edge_a);
    uint32_t feature_b = sn_soft_feature_name(SN_SOFT_EDGE, edge_b);
    bool joined = is_itself(p) && (has_node(nodes_a, 2, nodes_b[0]) || has_node(nodes_a, 2, nodes_b[1]));
    if (joined) {
        return true;
    }
    if (p->list != NULL) {
        return list_edge(p, edge_a, edge_b, (sn_verlet_pair){feature_a, feature_b, place_a, place_b});
    }
    sn_soft_box box_a = edge_box(p->a, edge_a), box_b = edge_box(p->b, edge_b);
    return !sn_soft_boxes_overlap(&box_a, &box_b) || !may_meet_edge(p->view_a, nodes_a, p->view_b, nodes_b) ||
           tell(p, feature_a, feature_b);
}

static bool pair_edges(const pairing *p, int place_a, int place_b)
{
    uint32_t fa = p->a->order.data[place_a], fb = p->b->order.data[place_b];
    uint32_t of_a = edges_of(p, p->a, fa), of_b = of_a != 0 ? edges_of(p, p->b, fb) : 0;
    for (uint32_t i = 0; of_b != 0 && i < 3; ++i) {
        for (uint32_t k = 0; (of_a >> i & 1u) != 0 && k < 3; ++k) {
            if ((of_b >> k & 1u) != 0 && !pair_edge(p, p->a->face_edges.data[3 * (size_t)fa + i], place_a,
                                                    p->b->face_edges.data[3 * (size_t)fb + k], place_b)) {
                return false;
            }
        }
    }
    return true;
}

// Two faces, by their places in the order of the leaves.
static bool pair_faces(void *context, int place_a, int place_b)
{
    const pairing *p = context;
    return pair_nodes(p, place_a, place_b, false) &&
           (!is_itself(p) || pair_nodes(p, place_b, place_a, true)) &&
           (!p->edges || pair_edges(p, place_a, place_b));
}

// --- of two surfaces ---------------------------------------------------------------------------------------

static pairing telling(const sn_soft_view *a, const sn_soft_view *b, bool edges,
                       sn_soft_pair_function function, void *context)
{
    return (pairing){.a = a->surface,
                     .b = b->surface,
                     .edges = edges,
                     .view_a = a,
                     .view_b = b,
                     .function = function,
                     .context = context};
}

bool sn_soft_surface_pairs(const sn_soft_view *a, const sn_soft_view *b, bool edges,
                           sn_soft_pair_function function, void *context)
{
    pairing p = telling(a, b, edges, function, context);
    sn_soft_descent descent = {
        .a = p.a, .b = p.b, .aligned = SN_SOFT_ALIGNED, .function = pair_faces, .context = &p};
    return sn_soft_descend(&descent);
}

bool sn_soft_surface_list_pairs(sn_soft_surface *surface, float aligned, float growth)
{
    pairing p = {.a = surface, .b = surface, .edges = true, .list = &surface->verlet_list, .growth = growth};
    sn_soft_descent descent = {
        .a = surface, .b = surface, .aligned = aligned, .function = pair_faces, .context = &p};
    return sn_soft_descend(&descent);
}

// Whether a pair of the list, of two faces that kept to their places, may meet in this step.
static bool may_meet(const pairing *p, const sn_verlet_pair *pair)
{
    const sn_soft_surface *surface = p->a;
    uint32_t a = sn_soft_feature_number(pair->feature_a), b = sn_soft_feature_number(pair->feature_b);
    if (sn_soft_feature_kind(pair->feature_a) == SN_SOFT_NODE) {
        return sn_soft_boxes_overlap(&surface->node_boxes.data[a],
                                     &surface->face_boxes.data[pair->place_b]) &&
               !sn_soft_are_aligned(surface, pair->place_a, pair->place_b, SN_SOFT_ALIGNED) &&
               may_meet_face(p->view_a, a, p->view_a, b);
    }
    if (!surface->sharp.data[a] || !surface->sharp.data[b]) {
        return false;
    }
    sn_soft_box box_a = edge_box(surface, a), box_b = edge_box(surface, b);
    return sn_soft_boxes_overlap(&box_a, &box_b) &&
           !sn_soft_are_aligned(surface, pair->place_a, pair->place_b, SN_SOFT_ALIGNED) &&
           may_meet_edge(p->view_a, surface->mesh->edges + 2 * (size_t)a, p->view_a,
                         surface->mesh->edges + 2 * (size_t)b);
}

static bool pair_listed(const pairing *p)
{
    const sn_verlet_list *list = &p->a->verlet_list;
    const uint8_t *escaped = list->escaped.data;
    for (int i = 0; i < list->pairs.count; ++i) {
        const sn_verlet_pair *pair = &list->pairs.data[i];
        if (!escaped[pair->place_a] && !escaped[pair->place_b] && may_meet(p, pair) &&
            !tell(p, pair->feature_a, pair->feature_b)) {
            return false;
        }
    }
    return true;
}

bool sn_soft_surface_self_pairs(const sn_soft_view *view, sn_soft_pair_function function, void *context)
{
    const sn_verlet_list *list = &view->surface->verlet_list;
    pairing p = telling(view, view, true, function, context);
    sn_soft_descent descent = {.a = p.a,
                               .b = p.b,
                               .aligned = SN_SOFT_ALIGNED,
                               .escaped_faces = list->in_use ? list->escaped.data : NULL,
                               .escaped_parts = list->in_use ? list->escaped_parts.data : NULL,
                               .function = pair_faces,
                               .context = &p};
    return (!list->in_use || pair_listed(&p)) &&
           ((list->in_use && list->escaped_count == 0) || sn_soft_descend(&descent));
}
