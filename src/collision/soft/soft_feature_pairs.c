// Features of two surfaces that may meet.
#include "collision/soft/soft_feature_pairs.h"

#include "geometry/shapes/surface_tree.h"

// Normals within 60° of each other face the same way.
#define ALIGNED 0.5f
// The descent opens one of two trees at a time: each level adds at most one more pair than it takes.
#define PAIR_STACK (6 * SN_SURFACE_TREE_DEPTH)

// Two surfaces whose features are paired: for the step, or for a Verlet list.
typedef struct pairing {
    const sn_soft_surface *a, *b; // the same for a surface and itself
    const struct pairing *back;   // from b to a: itself for a surface and itself
    bool is_back;
    float aligned; // cosine of the angle up to which normals face the same way
    // For the step.
    const sn_soft_view *view_a, *view_b;
    sn_pair_output output;
    // Only pairs with a wanted face, of a or of b, by place of the face and by node of the tree: those that
    // escaped from the Verlet list, or that the guard suspects; null for all. They are few, so cones are not
    // used to skip parts with them.
    const uint8_t *wanted_faces[2], *wanted_parts[2];
    bool takes_all; // pairs without a wanted face as well; of one surface but for neighbours that cannot meet
    // For a Verlet list, of which a and b are at their reference positions; null: for the step.
    sn_verlet_pairs *listed;
    sn_verlet_pairs *faces; // of two surfaces: those that their skins let meet
    const sn_verlet_list *references[2];
    float growth[2];
    bool whole_faces; // pairs of faces by place, not of their features
} pairing;

static bool is_own(const pairing *p)
{
    return p->a == p->b;
}

static bool add(const pairing *p, uint32_t feature_a, uint32_t feature_b)
{
    sn_feature_pair features = {p->output.pair, p->is_back ? feature_b : feature_a,
                                p->is_back ? feature_a : feature_b};
    return sn_array_push(p->output.features, features);
}

// Notes faces for the guard. Features of the same two follow each other.
static bool add_near(const pairing *p, int place_a, int place_b, float clearance)
{
    sn_near_faces_array *list = p->output.near;
    int first = is_own(p) && place_b < place_a ? place_b : place_a, second = place_a + place_b - first;
    sn_near_faces *last = list != NULL && list->count > 0 ? &list->data[list->count - 1] : NULL;
    if (last != NULL && last->place_a == first && last->place_b == second &&
        last->deformable == p->output.deformable && last->other == p->output.other) {
        last->clearance = sn_min(last->clearance, clearance);
        return true;
    }
    sn_near_faces near = {p->output.deformable, p->output.other, first, second, clearance};
    return list == NULL || sn_array_push(list, near);
}

// --- distances ---------------------------------------------------------------------------------------------

static float skins(const pairing *p, int place_a, int place_b)
{
    return sn_verlet_skin(p->references[0], place_a, p->growth[0]) +
           sn_verlet_skin(p->references[1], place_b, p->growth[1]);
}

// How close features of two faces must be at the reference positions to be listed.
static float listing_distance(const pairing *p, int place_a, int place_b)
{
    return p->growth[0] + p->growth[1] + sn_max(p->references[0]->fall, p->references[1]->fall) +
           skins(p, place_a, place_b);
}

// If they are that close.
static bool list_pair(const pairing *p, sn_verlet_pair pair)
{
    if (p->is_back) {
        pair = (sn_verlet_pair){pair.feature_b, pair.feature_a, pair.place_b, pair.place_a, pair.distance};
    }
    return sn_array_push(p->listed, pair);
}

static void reference_of(const pairing *p, int which, uint32_t face, sn_vec3 corners[3])
{
    const uint32_t *nodes = (which == 0 ? p->a : p->b)->faces.data + 3 * (size_t)face;
    for (int k = 0; k < 3; ++k) {
        corners[k] = p->references[which]->reference.data[nodes[k]].position;
    }
}

static bool list_node(const pairing *p, uint32_t node, uint32_t face, sn_verlet_pair pair)
{
    sn_vec3 at[3], point = p->references[0]->reference.data[node].position;
    reference_of(p, 1, face, at);
    float weights[3], distance = listing_distance(p, pair.place_a, pair.place_b);
    (void)sn_triangle_nearest(at, point, weights);
    for (int k = 0; k < 3; ++k) {
        point = sn_add_scaled(point, -weights[k], at[k]);
    }
    pair.distance = sn_length(point);
    return pair.distance > distance || list_pair(p, pair);
}

static bool list_edge(const pairing *p, uint32_t edge_a, uint32_t edge_b, sn_verlet_pair pair)
{
    const sn_node_state *at_a = p->references[0]->reference.data, *at_b = p->references[1]->reference.data;
    const uint32_t *a = p->a->mesh->edges + 2 * (size_t)edge_a, *b = p->b->mesh->edges + 2 * (size_t)edge_b;
    float distance = listing_distance(p, pair.place_a, pair.place_b);
    if (!sn_soft_are_edges_close(at_a, a, at_b, b, distance)) {
        return true;
    }
    pair.distance = sn_soft_edge_distance(at_a, a, at_b, b);
    return pair.distance > distance || list_pair(p, pair);
}

// Faces that may meet while their nodes stay within their skins: for the guard.
static bool list_faces(const pairing *p, int place_a, int place_b)
{
    sn_vec3 a[3], b[3];
    reference_of(p, 0, p->a->order.data[place_a], a);
    reference_of(p, 1, p->b->order.data[place_b], b);
    float gap = sn_soft_face_gap(a, b);
    sn_verlet_pair pair = {(uint32_t)place_a, (uint32_t)place_b, place_a, place_b, gap};
    return 0.99f * gap > skins(p, place_a, place_b) || sn_array_push(p->faces, pair);
}

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

static sn_soft_box edge_box(const sn_soft_surface *surface, uint32_t edge)
{
    const uint32_t *nodes = surface->mesh->edges + 2 * (size_t)edge;
    return sn_soft_box_union(&surface->node_boxes.data[nodes[0]], &surface->node_boxes.data[nodes[1]]);
}

static bool do_edge_boxes_overlap(const pairing *p, uint32_t edge_a, uint32_t edge_b)
{
    sn_soft_box box_a = edge_box(p->a, edge_a), box_b = edge_box(p->b, edge_b);
    return sn_soft_boxes_overlap(&box_a, &box_b);
}

// A node that the face at `place_a` owns, and the face at `place_b`.
static bool pair_node(const pairing *p, uint32_t node, int place_a, uint32_t face, int place_b)
{
    uint32_t feature_a = sn_soft_feature_name(SN_SOFT_NODE, node);
    uint32_t feature_b = sn_soft_feature_name(SN_SOFT_FACE, face);
    if (p->listed != NULL) {
        return list_node(p, node, face, (sn_verlet_pair){feature_a, feature_b, place_a, place_b, 0.0f});
    }
    return !sn_soft_boxes_overlap(&p->a->node_boxes.data[node], &p->b->face_boxes.data[place_b]) ||
           !sn_soft_may_meet_face(p->view_a, node, p->view_b, face) || add(p, feature_a, feature_b);
}

// Nodes that a face of a owns, and a face of b.
static bool pair_nodes(const pairing *p, int place_a, int place_b)
{
    const sn_soft_surface *a = p->a, *b = p->b;
    uint32_t fa = a->order.data[place_a], fb = b->order.data[place_b];
    const uint32_t *nodes = a->faces.data + 3 * (size_t)fa, *other = b->faces.data + 3 * (size_t)fb;
    uint32_t owned = a->owned.data[fa];
    if (b->mesh->triangle_count == 0) {
        return true;
    }
    for (uint32_t k = 0; k < 3; ++k) {
        if ((owned >> k & 1u) != 0 && !(is_own(p) && has_node(other, 3, nodes[k])) &&
            !pair_node(p, nodes[k], place_a, fb, place_b)) {
            return false;
        }
    }
    return true;
}

// Bit k: the face owns its edge k, and that is sharp, or may become sharp while a surface's own list is in
// use. Faces whose edges become sharp escape from lists between surfaces.
static uint32_t edges_of(const pairing *p, const sn_soft_surface *surface, uint32_t face)
{
    uint32_t bits = (uint32_t)surface->owned.data[face] >> 3;
    const uint8_t *sharp = p->listed != NULL ? surface->between.sharp.data : surface->sharp.data;
    bool takes_all = p->listed != NULL && is_own(p);
    for (uint32_t k = 0; k < 3 && !takes_all; ++k) {
        if ((bits >> k & 1u) != 0 && !sharp[surface->face_edges.data[3 * (size_t)face + k]]) {
            bits &= ~(1u << k);
        }
    }
    return bits;
}

// Two edges that share no node.
static bool pair_edge(const pairing *p, uint32_t edge_a, int place_a, uint32_t edge_b, int place_b)
{
    const uint32_t *nodes_a = p->a->mesh->edges + 2 * (size_t)edge_a;
    const uint32_t *nodes_b = p->b->mesh->edges + 2 * (size_t)edge_b;
    uint32_t feature_a = sn_soft_feature_name(SN_SOFT_EDGE, edge_a);
    uint32_t feature_b = sn_soft_feature_name(SN_SOFT_EDGE, edge_b);
    bool joined = is_own(p) && (has_node(nodes_a, 2, nodes_b[0]) || has_node(nodes_a, 2, nodes_b[1]));
    if (joined) {
        return true;
    }
    if (p->listed != NULL) {
        return list_edge(p, edge_a, edge_b, (sn_verlet_pair){feature_a, feature_b, place_a, place_b, 0.0f});
    }
    return !do_edge_boxes_overlap(p, edge_a, edge_b) ||
           !sn_soft_may_meet_edge(p->view_a, nodes_a, p->view_b, nodes_b) || add(p, feature_a, feature_b);
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
static bool pair_faces(const pairing *p, int place_a, int place_b)
{
    if (p->whole_faces) {
        return add(p, (uint32_t)place_a, (uint32_t)place_b);
    }
    return pair_nodes(p, place_a, place_b) && pair_nodes(p->back, place_b, place_a) &&
           pair_edges(p, place_a, place_b);
}

// --- descent of two trees ----------------------------------------------------------------------------------

typedef struct node_pair {
    int a, b;
} node_pair;

// Whether two faces of one surface are neighbours at rest, or nearly, and face the same way.
static bool are_aligned(const pairing *p, int place_a, int place_b)
{
    const sn_soft_leaf_face *a = &p->a->leaf_faces.data[place_a], *b = &p->a->leaf_faces.data[place_b];
    float distance = 2.0f * p->a->largest_edge / p->a->scale;
    return sn_dot(a->normal, b->normal) > p->aligned &&
           sn_length_squared(sn_sub(a->corner, b->corner)) < distance * distance;
}

static int count_common(const sn_soft_surface *surface, int place_a, int place_b)
{
    const uint32_t *a = surface->faces.data + 3 * (size_t)surface->order.data[place_a];
    const uint32_t *b = surface->faces.data + 3 * (size_t)surface->order.data[place_b];
    return has_node(b, 3, a[0]) + has_node(b, 3, a[1]) + has_node(b, 3, a[2]);
}

static bool has_node_with(const sn_soft_surface *surface, int place, unsigned folds)
{
    const uint32_t *nodes = surface->faces.data + 3 * (size_t)surface->order.data[place];
    const uint8_t *of = surface->folds.data;
    return ((of[nodes[0]] | of[nodes[1]] | of[nodes[2]]) & folds) != 0;
}

// Faces that face the same way may meet all the same if there is a fold, there and back, between them, not if
// they share an edge; and, if they share no node, if what is between them is rolled up.
static bool may_have_fold_between(const sn_soft_surface *surface, int place_a, int place_b)
{
    unsigned folds = SN_SOFT_NODE_BENT | SN_SOFT_NODE_FOLDED, bends = folds | SN_SOFT_NODE_BY_BEND;
    if (!has_node_with(surface, place_a, bends) || !has_node_with(surface, place_b, bends)) {
        return false;
    }
    int common = count_common(surface, place_a, place_b);
    return common == 0 ||
           (common == 1 && has_node_with(surface, place_a, folds) && has_node_with(surface, place_b, folds));
}

static bool is_wanted(const uint8_t *const wanted[2], int a, int b)
{
    return wanted[0] == NULL || wanted[0][a] || wanted[1][b];
}

// Whether whole faces of one surface, neither suspect, are neighbours that cannot meet in the step.
static bool are_neighbors(const pairing *p, int a, int b)
{
    const sn_soft_leaf_face *faces = p->a->leaf_faces.data;
    bool may_be = is_own(p) && !is_wanted(p->wanted_faces, a, b);
    bool are = may_be &&
               (are_aligned(p, a, b) ||
                (count_common(p->a, a, b) > 0 && sn_dot(faces[a].normal, faces[b].normal) > SN_SOFT_FOLDED));
    return are && !may_have_fold_between(p->a, a, b);
}

// Faces of two leaves, or of one.
static bool pair_leaves(const pairing *p, const sn_surface_node *a, const sn_surface_node *b)
{
    const sn_soft_box *around_b = &p->b->boxes.data[b - p->b->tree.data];
    for (int i = a->first; i < a->first + a->count; ++i) {
        const sn_soft_box *box = &p->a->face_boxes.data[i];
        if (!sn_soft_boxes_overlap(box, around_b)) {
            continue;
        }
        for (int k = a == b ? i + 1 : b->first; k < b->first + b->count; ++k) {
            if ((!p->takes_all && !is_wanted(p->wanted_faces, i, k)) ||
                !sn_soft_boxes_overlap(box, &p->b->face_boxes.data[k])) {
                continue;
            }
            if (p->takes_all && are_neighbors(p, i, k)) {
                continue;
            }
            bool aligned = is_own(p) && !p->whole_faces && are_aligned(p, i, k);
            if (aligned && !may_have_fold_between(p->a, i, k)) {
                continue;
            }
            bool has_contacts = !aligned || p->listed != NULL;
            if (!add_near(p, i, k, 0.0f) || (p->faces != NULL && !list_faces(p, i, k)) ||
                (has_contacts && !pair_faces(p, i, k))) {
                return false;
            }
        }
    }
    return true;
}

// From the boxes of the step alone, so that the order of pairs depends on nothing else.
static float size_of(const sn_soft_box *box)
{
    sn_f4 size = box->upper[0] - box->lower[0];
    return size[0] + size[1] + size[2];
}

// Whether parts have faces that matter to all others.
static bool has_suspects(const pairing *p, int a, int b)
{
    return p->wanted_parts[0] != NULL && (p->wanted_parts[0][a] || p->wanted_parts[1][b]);
}

// Whether two parts of one surface are neighbours at rest and face the same way now.
static bool are_one_patch(const pairing *p, int a, int b)
{
    // The joined cone is at least as wide as each.
    const sn_soft_cone *cones = p->a->cones.data;
    if (!is_own(p) || has_suspects(p, a, b) ||
        !(cones[a].cosine > p->aligned && cones[b].cosine > p->aligned)) {
        return false;
    }
    return sn_bounds_overlap(cones[a].rest, cones[b].rest) &&
           sn_soft_cone_join(&cones[a], &cones[b]).cosine > p->aligned;
}

static int push_pair(node_pair *stack, int depth, int a, int b)
{
    stack[depth] = (node_pair){a, b};
    return depth + 1;
}

// Two nodes: leaves are compared, otherwise the larger node is opened.
static bool open_pair(const pairing *p, node_pair pair, node_pair *stack, int *depth)
{
    const sn_surface_node *a = &p->a->tree.data[pair.a], *b = &p->b->tree.data[pair.b];
    const sn_soft_box *box_a = &p->a->boxes.data[pair.a], *box_b = &p->b->boxes.data[pair.b];
    if ((!p->takes_all && !is_wanted(p->wanted_parts, pair.a, pair.b)) ||
        !sn_soft_boxes_overlap(box_a, box_b) || are_one_patch(p, pair.a, pair.b)) {
        return true;
    }
    if (a->count > 0 && b->count > 0) {
        return pair_leaves(p, a, b);
    }
    if (b->count > 0 || (a->count == 0 && size_of(box_a) >= size_of(box_b))) {
        *depth = push_pair(stack, *depth, a->first + 1, pair.b);
        *depth = push_pair(stack, *depth, a->first, pair.b);
    } else {
        *depth = push_pair(stack, *depth, pair.a, b->first + 1);
        *depth = push_pair(stack, *depth, pair.a, b->first);
    }
    return true;
}

// A node and itself: each child and itself, and the two children.
static bool open_own(const pairing *p, int index, node_pair *stack, int *depth)
{
    const sn_surface_node *node = &p->a->tree.data[index];
    bool is_patch = !has_suspects(p, index, index) && p->a->cones.data[index].cosine > p->aligned;
    if (is_patch || (!p->takes_all && !is_wanted(p->wanted_parts, index, index))) {
        return true;
    }
    if (node->count > 0) {
        return pair_leaves(p, node, node);
    }
    *depth = push_pair(stack, *depth, node->first, node->first + 1);
    *depth = push_pair(stack, *depth, node->first + 1, node->first + 1);
    *depth = push_pair(stack, *depth, node->first, node->first);
    return true;
}

// Pairs the faces of the two trees whose boxes overlap.
static bool descend(const pairing *p)
{
    node_pair stack[PAIR_STACK];
    int depth = push_pair(stack, 0, 0, 0);
    bool enough = true;
    while (enough && depth > 0) {
        node_pair pair = stack[--depth];
        enough = is_own(p) && pair.a == pair.b ? open_own(p, pair.a, stack, &depth)
                                               : open_pair(p, pair, stack, &depth);
    }
    return enough;
}

// --- pairs of the step -------------------------------------------------------------------------------------

static pairing pairing_of(const sn_soft_view *a, const sn_soft_view *b, const sn_pair_output *output)
{
    return (pairing){
        .a = a->surface, .b = b->surface, .aligned = ALIGNED, .view_a = a, .view_b = b, .output = *output};
}

bool sn_soft_pair_features(const sn_soft_view *a, const sn_soft_view *b, const sn_pair_output *output)
{
    pairing p = pairing_of(a, b, output), back = pairing_of(b, a, output);
    back.is_back = true;
    p.back = &back;
    return descend(&p);
}

// Whether the boxes of a listed pair overlap; neither of its faces has escaped.
static bool do_listed_overlap(const pairing *p, const sn_verlet_pair *pair)
{
    const sn_soft_surface *surface = p->a;
    uint32_t a = sn_soft_feature_number(pair->feature_a), b = sn_soft_feature_number(pair->feature_b);
    return sn_soft_feature_kind(pair->feature_a) == SN_SOFT_NODE
               ? sn_soft_boxes_overlap(&surface->node_boxes.data[a], &surface->face_boxes.data[pair->place_b])
               : do_edge_boxes_overlap(p, a, b);
}

// Whether such a pair may come close enough for a contact.
static bool may_meet(const pairing *p, const sn_verlet_pair *pair)
{
    const sn_soft_surface *surface = p->a;
    uint32_t a = sn_soft_feature_number(pair->feature_a), b = sn_soft_feature_number(pair->feature_b);
    if (sn_soft_feature_kind(pair->feature_a) == SN_SOFT_NODE) {
        return !are_aligned(p, pair->place_a, pair->place_b) &&
               sn_soft_may_meet_face(p->view_a, a, p->view_a, b);
    }
    const uint32_t *edges = surface->mesh->edges;
    return surface->sharp.data[a] && surface->sharp.data[b] &&
           !are_aligned(p, pair->place_a, pair->place_b) &&
           sn_soft_may_meet_edge(p->view_a, edges + 2 * (size_t)a, p->view_a, edges + 2 * (size_t)b);
}

static bool pair_listed(const pairing *p, const sn_verlet_list *list)
{
    const uint8_t *escaped = list->escaped.data;
    bool enough = true;
    for (int i = 0; enough && i < list->pairs.count; ++i) {
        const sn_verlet_pair *pair = &list->pairs.data[i];
        enough = escaped[pair->place_a] || escaped[pair->place_b] || !do_listed_overlap(p, pair) ||
                 (add_near(p, pair->place_a, pair->place_b, pair->distance) &&
                  (!may_meet(p, pair) || add(p, pair->feature_a, pair->feature_b)));
    }
    return enough;
}

bool sn_soft_pair_own_features(const sn_soft_view *view, const sn_pair_output *output)
{
    const sn_verlet_list *verlet_list = &view->surface->verlet_list;
    pairing p = pairing_of(view, view, output);
    p.back = &p;
    if (!verlet_list->in_use) {
        return descend(&p);
    }
    p.wanted_faces[0] = p.wanted_faces[1] = verlet_list->escaped.data;
    p.wanted_parts[0] = p.wanted_parts[1] = verlet_list->escaped_parts.data;
    return pair_listed(&p, verlet_list) && (verlet_list->escaped_count == 0 || descend(&p));
}

// Whether the features of a listed pair may meet: they are close enough, and edges are sharp.
static bool may_meet_between(const pairing *p, const sn_verlet_pair *pair, float reach)
{
    const sn_verlet_list *a = &p->a->between, *b = &p->b->between;
    if (a->escaped.data[pair->place_a] || b->escaped.data[pair->place_b] ||
        pair->distance > reach + a->face_drifts.data[pair->place_a] + b->face_drifts.data[pair->place_b]) {
        return false;
    }
    uint32_t number_a = sn_soft_feature_number(pair->feature_a);
    uint32_t number_b = sn_soft_feature_number(pair->feature_b);
    switch (sn_soft_feature_kind(pair->feature_a)) {
    case SN_SOFT_NODE:
        return sn_soft_may_meet_face(p->view_a, number_a, p->view_b, number_b);
    case SN_SOFT_FACE:
        return sn_soft_may_meet_face(p->view_b, number_b, p->view_a, number_a);
    default:
        return p->a->sharp.data[number_a] && p->b->sharp.data[number_b] &&
               sn_soft_may_meet_edge(p->view_a, p->a->mesh->edges + 2 * (size_t)number_a, p->view_b,
                                     p->b->mesh->edges + 2 * (size_t)number_b);
    }
}

bool sn_soft_pair_listed(const sn_soft_view *a, const sn_soft_view *b, const sn_verlet_between *list,
                         float reach, const sn_pair_output *output)
{
    pairing p = pairing_of(a, b, output), back = pairing_of(b, a, output);
    bool enough = true;
    reach += sn_max(a->surface->between.fall, b->surface->between.fall);
    for (int i = 0; enough && i < list->pairs.count; ++i) {
        const sn_verlet_pair *pair = &list->pairs.data[i];
        enough = !may_meet_between(&p, pair, reach) || add(&p, pair->feature_a, pair->feature_b);
    }
    p.back = &back;
    back.is_back = true;
    p.wanted_faces[0] = a->surface->between.escaped.data;
    p.wanted_faces[1] = b->surface->between.escaped.data;
    p.wanted_parts[0] = a->surface->between.escaped_parts.data;
    p.wanted_parts[1] = b->surface->between.escaped_parts.data;
    bool any = a->surface->between.escaped_count + b->surface->between.escaped_count > 0;
    return enough && (!any || descend(&p));
}

// --- pairs of the guard ------------------------------------------------------------------------------------

bool sn_soft_pair_faces(const sn_soft_surface *a, const sn_soft_surface *b, int pair, bool all, bool cones,
                        sn_feature_pair_list *list)
{
    pairing p = {.a = a,
                 .b = b,
                 .aligned = cones ? ALIGNED : 2.0f,
                 .output = {.pair = pair, .features = list},
                 .whole_faces = true,
                 .takes_all = all,
                 .wanted_faces = {a->suspects.data, b->suspects.data},
                 .wanted_parts = {a->suspect_parts.data, b->suspect_parts.data}};
    return descend(&p);
}

bool sn_soft_are_faces_close(const sn_soft_surface *a, const sn_soft_surface *b, const sn_near_faces *near)
{
    int place_a = near->place_a, place_b = near->place_b;
    if (!sn_soft_boxes_overlap(&a->face_boxes.data[place_a], &b->face_boxes.data[place_b])) {
        return false;
    }
    if (a != b ||
        !(sn_dot(a->leaf_faces.data[place_a].normal, a->leaf_faces.data[place_b].normal) > SN_SOFT_FOLDED)) {
        return true;
    }
    return count_common(a, place_a, place_b) == 0 || may_have_fold_between(a, place_a, place_b);
}

// --- Verlet list -------------------------------------------------------------------------------------------

bool sn_soft_fill_verlet_list(sn_soft_surface *surface, float aligned, float growth)
{
    const sn_verlet_list *list = &surface->verlet_list;
    pairing p = {.a = surface,
                 .b = surface,
                 .aligned = aligned,
                 .listed = &surface->verlet_list.pairs,
                 .references = {list, list},
                 .growth = {growth, growth}};
    p.back = &p;
    surface->verlet_list.pairs.count = 0;
    return descend(&p);
}

bool sn_soft_fill_verlet_between(const sn_soft_surface *a, float growth_a, const sn_soft_surface *b,
                                 float growth_b, sn_verlet_between *list)
{
    pairing p = {.a = a,
                 .b = b,
                 .listed = &list->pairs,
                 .faces = &list->faces,
                 .references = {&a->between, &b->between},
                 .growth = {growth_a, growth_b}};
    pairing back = {.a = b,
                    .b = a,
                    .is_back = true,
                    .listed = &list->pairs,
                    .references = {&b->between, &a->between},
                    .growth = {growth_b, growth_a}};
    p.back = &back;
    list->pairs.count = list->faces.count = 0;
    return descend(&p);
}
