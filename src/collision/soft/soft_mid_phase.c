// Mid phase: the features of a pair whose boxes overlap.
// Tested by tests/collision/soft/test_soft_detection.c.
#include "collision/soft/soft_phases.h"
#include "geometry/shapes/surface_tree.h"

#include <float.h>
#include <string.h>

typedef struct query {
    sn_soft_detector *detector;
    const sn_soft_surface *surface;
    int pair;
    uint32_t piece;           // of the obstacle
    bool nodes, edges, faces; // features to find
    bool only_suspects;       // of suspect faces
    bool is_ball;             // the obstacle is one, that stays within `reach` of `middle`
    sn_vec3 middle;
    float reach;
    // Of the surface: whether boxes of nodes are around a motion that is known; if not, what it is.
    bool is_known;
    const sn_node_state *states;
    const sn_vec3 *displacements;
    float growth;
} query;

static bool add(const query *query, uint32_t feature)
{
    sn_feature_pair features = {query->pair, feature, query->piece};
    return sn_array_push(&query->detector->feature_pairs, features);
}

// --- features close to a box -------------------------------------------------------------------------------

static sn_vec3 narrow(sn_f4 v)
{
    return sn_v(v[0], v[1], v[2]);
}

// Where a node may be during the step, as far as contacts reach.
static sn_bounds node_bounds(const query *query, uint32_t node)
{
    if (query->is_known) {
        const sn_soft_box *box = &query->surface->node_boxes.data[node];
        return (sn_bounds){sn_min3(narrow(box->lower[0]), narrow(box->lower[1])),
                           sn_max3(narrow(box->upper[0]), narrow(box->upper[1]))};
    }
    const sn_soft_surface *surface = query->surface;
    sn_vec3 now = query->states[node].position, displacement = query->displacements[node];
    sn_vec3 then = sn_add(now, displacement);
    float margin =
        sn_soft_uncertainty(surface, sn_distance_between(displacement, surface->frame_displacement));
    return sn_bounds_grow((sn_bounds){sn_min3(now, then), sn_max3(now, then)}, query->growth + margin);
}

static sn_bounds face_bounds(const query *query, uint32_t face)
{
    const uint32_t *corners = query->surface->faces.data + 3 * (size_t)face;
    sn_bounds bounds = sn_bounds_union(node_bounds(query, corners[0]), node_bounds(query, corners[1]));
    return sn_bounds_union(bounds, node_bounds(query, corners[2]));
}

// How far a ball gets from where its middle is.
static float ball_reach(const sn_obstacle *obstacle, sn_vec3 middle)
{
    return obstacle->convex.radius + sn_length(obstacle->displacement) +
           sn_min(sn_length(obstacle->turn), 2.0f) * sn_distance_between(middle, obstacle->center);
}

static void note_ball(query *query, const sn_obstacle *obstacle)
{
    query->is_ball = obstacle->kind == SN_OBSTACLE_CONVEX && obstacle->convex.point_count == 1;
    if (query->is_ball) {
        query->middle = sn_obstacle_corner(obstacle, 0);
        query->reach = ball_reach(obstacle, query->middle);
    }
}

// Whether the obstacle may get into a box of the surface, if it is a ball; others may.
static bool may_ball_reach(const query *query, sn_bounds box)
{
    sn_vec3 nearest = sn_max3(box.lower, sn_min3(box.upper, query->middle));
    return !query->is_ball ||
           sn_length_squared(sn_sub(nearest, query->middle)) <= query->reach * query->reach;
}

// Features of a face; `reach` is where the obstacle may be.
static bool add_face(const query *query, sn_bounds reach, uint32_t face)
{
    const sn_soft_surface *surface = query->surface;
    uint8_t owned = surface->owned.data[face];
    bool enough = true;
    if (query->faces || query->is_ball) {
        sn_bounds box = face_bounds(query, face);
        if (!may_ball_reach(query, box)) {
            return true;
        }
        enough = !query->faces || !sn_bounds_overlap(reach, box) ||
                 add(query, sn_soft_feature_name(SN_SOFT_FACE, face));
    }
    for (uint32_t k = 0; k < 3 && (query->nodes || query->edges); ++k) {
        size_t at = 3 * (size_t)face + k;
        if (query->nodes && (owned >> k & 1u) != 0 &&
            sn_bounds_overlap(reach, node_bounds(query, surface->faces.data[at]))) {
            uint32_t feature = sn_soft_feature_name(SN_SOFT_NODE, surface->faces.data[at]);
            enough = enough && add(query, feature);
        }
        if (query->edges && (owned >> (k + 3) & 1u) != 0) {
            uint32_t feature = sn_soft_feature_name(SN_SOFT_EDGE, surface->face_edges.data[at]);
            enough = enough && add(query, feature);
        }
    }
    return enough;
}

// Whether the obstacle, or a piece of it that stays within `reach`, may get into a box of the surface.
static bool may_reach(const sn_obstacle *obstacle, sn_bounds reach, sn_bounds box)
{
    if (obstacle->kind != SN_OBSTACLE_PLANE) {
        return sn_bounds_overlap(reach, box);
    }
    sn_vec3 n = obstacle->plane.normal;
    sn_vec3 lowest = sn_v(n.x > 0.0f ? box.lower.x : box.upper.x, n.y > 0.0f ? box.lower.y : box.upper.y,
                          n.z > 0.0f ? box.lower.z : box.upper.z);
    return sn_dot(n, lowest) <= obstacle->plane.offset;
}

static const sn_bounds everywhere = {{-FLT_MAX, -FLT_MAX, -FLT_MAX}, {FLT_MAX, FLT_MAX, FLT_MAX}};

static bool add_leaf(const query *query, sn_bounds reach, const sn_surface_node *leaf)
{
    const sn_soft_surface *surface = query->surface;
    for (int i = leaf->first; i < leaf->first + leaf->count; ++i) {
        if ((!query->only_suspects || surface->suspects.data[i]) &&
            !add_face(query, reach, surface->order.data[i])) {
            return false;
        }
    }
    return true;
}

static bool add_faces(const query *query, const sn_obstacle *obstacle, sn_bounds reach)
{
    const sn_soft_surface *surface = query->surface;
    sn_bounds inside = obstacle->kind == SN_OBSTACLE_PLANE ? everywhere : reach;
    int stack[SN_SURFACE_TREE_DEPTH + 1], depth = 1;
    stack[0] = 0;
    while (depth > 0) {
        const sn_surface_node *node = &surface->tree.data[stack[--depth]];
        if (!may_reach(obstacle, reach, node->bounds) || !may_ball_reach(query, node->bounds)) {
            continue;
        }
        if (node->count == 0) {
            stack[depth++] = node->first + 1;
            stack[depth++] = node->first;
        } else if (!add_leaf(query, inside, node)) {
            return false;
        }
    }
    return true;
}

// --- triangles ---------------------------------------------------------------------------------------------

// Triangles of a surface shape follow each other as they lie in its tree: the leaves that so many of them may
// reach are looked up once.
enum { TRIANGLE_BLOCK = 16 };

typedef struct leaf_block {
    int *leaves;    // nodes of the tree, room for all
    int count, end; // `end`: the pair after the block
} leaf_block;

static bool is_of_block(const sn_soft_pair *first, const sn_soft_pair *pair)
{
    return pair->deformable == first->deformable && pair->shape == first->shape &&
           pair->obstacle.kind == SN_OBSTACLE_TRIANGLE;
}

static void begin_block(const sn_soft_detector *detector, int pair, const sn_soft_surface *surface,
                        leaf_block *block)
{
    const sn_soft_pair *pairs = detector->pairs.data;
    sn_bounds around = pairs[pair].bounds;
    int most = pair + TRIANGLE_BLOCK < detector->pairs.count ? pair + TRIANGLE_BLOCK : detector->pairs.count;
    for (block->end = pair + 1; block->end < most && is_of_block(&pairs[pair], &pairs[block->end]);
         ++block->end) {
        around = sn_bounds_union(around, pairs[block->end].bounds);
    }
    int stack[SN_SURFACE_TREE_DEPTH + 1], depth = 1;
    stack[0] = block->count = 0;
    while (depth > 0) {
        int index = stack[--depth];
        const sn_surface_node *node = &surface->tree.data[index];
        if (!sn_bounds_overlap(around, node->bounds)) {
            continue;
        }
        if (node->count == 0) {
            stack[depth++] = node->first + 1;
            stack[depth++] = node->first;
        } else {
            block->leaves[block->count++] = index;
        }
    }
}

// As add_faces.
static bool add_faces_of_block(const query *query, sn_bounds reach, const leaf_block *block)
{
    bool enough = true;
    for (int i = 0; enough && i < block->count; ++i) {
        const sn_surface_node *leaf = &query->surface->tree.data[block->leaves[i]];
        enough = !sn_bounds_overlap(reach, leaf->bounds) || add_leaf(query, reach, leaf);
    }
    return enough;
}

// Faces near a pair's obstacle. `block` is kept from pair to pair.
static bool add_faces_near(const query *query, leaf_block *block)
{
    const sn_soft_pair *pair = &query->detector->pairs.data[query->pair];
    if (pair->obstacle.kind != SN_OBSTACLE_TRIANGLE) {
        return add_faces(query, &pair->obstacle, pair->bounds);
    }
    if (query->pair >= block->end) {
        begin_block(query->detector, query->pair, query->surface, block);
    }
    return add_faces_of_block(query, pair->bounds, block);
}

static bool take_block(const sn_soft_scene *scene, leaf_block *block)
{
    int most = 0;
    for (int i = 0; i < scene->collider_count; ++i) {
        const sn_soft_surface *surface = scene->colliders[i].surface;
        most = surface != NULL && surface->tree.count > most ? surface->tree.count : most;
    }
    *block = (leaf_block){.leaves = sn_arena_take(scene->arena, (size_t)most, sizeof *block->leaves)};
    return block->leaves != NULL;
}

// --- corners and edges of obstacles ------------------------------------------------------------------------

// Where a point of the obstacle may be during the step.
static sn_bounds point_bounds(const sn_obstacle *obstacle, sn_vec3 point)
{
    sn_vec3 then = sn_add(point, sn_obstacle_displacement(obstacle, point));
    sn_bounds bounds = {sn_min3(point, then), sn_max3(point, then)};
    return sn_bounds_grow(bounds, obstacle->convex.radius);
}

// Corners and edges that reach less far into a cell than this do not matter to a sheet of that thickness. [m]
static float least_sharpness(const sn_soft_collider *collider)
{
    return 0.125f * collider->def->thickness;
}

static bool add_corners(query *query, const sn_obstacle *obstacle, float least)
{
    bool is_strand = query->surface->mesh->triangle_count == 0, enough = true;
    query->nodes = false;
    query->faces = !is_strand;
    query->edges = is_strand || obstacle->convex.radius > 0.0f;
    for (int i = 0; enough && i < sn_obstacle_corner_count(obstacle); ++i) {
        query->piece = (uint32_t)i + 1;
        enough = !(sn_obstacle_corner_sharpness(obstacle, i, query->surface->largest_edge) > least) ||
                 add_faces(query, obstacle, point_bounds(obstacle, sn_obstacle_corner(obstacle, i)));
    }
    return enough;
}

static bool add_edges(query *query, const sn_obstacle *obstacle, float least)
{
    bool enough = true;
    query->nodes = query->faces = false;
    query->edges = true;
    for (int i = 0; enough && i < sn_obstacle_edge_count(obstacle); ++i) {
        sn_vec3 ends[2];
        sn_obstacle_edge(obstacle, i, ends);
        query->piece = SN_SOFT_PIECE_EDGE | ((uint32_t)i + 1);
        sn_bounds box = sn_bounds_union(point_bounds(obstacle, ends[0]), point_bounds(obstacle, ends[1]));
        enough = !(sn_obstacle_edge_sharpness(obstacle, i, query->surface->largest_edge) > least) ||
                 add_faces(query, obstacle, box);
    }
    return enough;
}

// --- surfaces ----------------------------------------------------------------------------------------------

static bool is_small(const sn_soft_pair *pair, const sn_soft_collider *collider)
{
    const sn_obstacle *obstacle = &pair->obstacle;
    return pair->other < 0 && obstacle->kind == SN_OBSTACLE_CONVEX && !obstacle->convex.is_polyhedron &&
           sn_obstacle_corner_sharpness(obstacle, 0, collider->surface->largest_edge) >
               least_sharpness(collider);
}

// Normals of surfaces that may touch deformables or something small, once a step. False without memory.
static bool find_normals(sn_soft_search *search, const sn_soft_collider *collider)
{
    const sn_nodes *nodes = search->scene->nodes;
    if (search->normals == NULL) {
        search->normals =
            sn_arena_take(search->scene->arena, (size_t)nodes->states.count, sizeof *search->normals);
    }
    if (search->normals != NULL && !collider->surface->has_normals) {
        collider->surface->has_normals = true;
        sn_soft_surface_fit_normals(collider->surface, nodes->states.data + collider->first_node,
                                    least_sharpness(collider));
        sn_soft_surface_sum_normals(collider->surface, search->normals + collider->first_node);
    }
    return search->normals != NULL;
}

// Boxes of surfaces that may touch deformables, once a step. A surface that may touch itself alone needs no
// boxes in its tree while its Verlet list is complete. Two deformables may each be stopped as a body, one
// before the other, so all of their displacements is uncertain, as in sn_soft_pair_margin. False without
// memory.
static bool fit_boxes(const sn_soft_search *search, const sn_soft_collider *collider)
{
    sn_soft_surface *surface = collider->surface;
    if (surface->has_boxes) {
        return true;
    }
    surface->has_boxes = true;
    const sn_node_state *nodes = search->scene->nodes->states.data + collider->first_node;
    const sn_vec3 *displacements = search->displacements_between + collider->first_node;
    sn_vec3 frame_displacement =
        surface->meets_others ? sn_v(0.0f, 0.0f, 0.0f) : sn_scale(surface->frame_displacement, search->share);
    if (!sn_soft_surface_box_nodes(surface, nodes, displacements, frame_displacement,
                                   sn_soft_growth(search->scene, collider)) ||
        !sn_soft_surface_box_faces(surface)) {
        return false;
    }
    const sn_verlet_list *list = &surface->verlet_list;
    if (!list->in_use || list->escaped_count > 0 || surface->meets_others) {
        sn_soft_surface_box_parts(surface);
    }
    if (!list->in_use && collider->def->self_collide) {
        sn_soft_surface_fit_cones(surface, nodes, displacements);
    }
    return true;
}

// Before boxes are fitted: updates the Verlet lists, and notes which surfaces may touch others. False without
// memory.
static bool update_lists(const sn_soft_search *search)
{
    const sn_soft_scene *scene = search->scene;
    bool enough = true;
    for (int i = 0; enough && i < search->detector->pairs.count; ++i) {
        const sn_soft_pair *pair = &search->detector->pairs.data[i];
        const sn_soft_collider *collider = &scene->colliders[pair->deformable];
        sn_soft_surface *surface = collider->surface;
        if (pair->other >= 0 && pair->other != pair->deformable) {
            surface->meets_others = scene->colliders[pair->other].surface->meets_others = true;
        } else if (pair->other >= 0) {
            sn_verlet_step step = sn_soft_verlet_step(search, collider);
            enough = sn_verlet_list_update(surface, &step);
        }
    }
    return enough && sn_soft_update_between(search, least_sharpness);
}

static bool prepare_surfaces(sn_soft_search *search)
{
    bool enough = update_lists(search);
    for (int i = 0; enough && i < search->detector->pairs.count; ++i) {
        sn_soft_pair *pair = &search->detector->pairs.data[i];
        const sn_soft_collider *collider = &search->scene->colliders[pair->deformable];
        const sn_soft_collider *other = pair->other < 0 ? NULL : &search->scene->colliders[pair->other];
        pair->is_small = is_small(pair, collider);
        enough = (!pair->is_small && other == NULL) || find_normals(search, collider);
        enough = enough && (other == NULL || (find_normals(search, other) && fit_boxes(search, collider) &&
                                              fit_boxes(search, other)));
    }
    for (int i = 0; enough && i < search->scene->collider_count; ++i) {
        sn_soft_surface *surface = search->scene->colliders[i].surface;
        if (surface != NULL && surface->between.in_use) {
            sn_verlet_between_mark_sharp(surface);
        }
    }
    return enough;
}

// --- sides -------------------------------------------------------------------------------------------------

static int compare(const sn_soft_pair *pair, const sn_soft_key *key)
{
    uint32_t a[3] = {(uint32_t)pair->deformable, (uint32_t)pair->shape, pair->part};
    uint32_t b[3] = {key->deformable, key->other, key->part};
    for (int i = 0; i < 3; ++i) {
        if (a[i] != b[i]) {
            return a[i] < b[i] ? -1 : 1;
        }
    }
    return 0;
}

// The sides of the surface on which obstacles were in the last step. Pairs are in ascending order.
static void collect_sides(sn_soft_detector *detector)
{
    for (int i = detector->asleep_count; i < detector->contacts.count; ++i) {
        const sn_soft_contact_data *contact = &detector->contacts.data[i];
        if (sn_soft_feature_kind(contact->key.feature) != SN_SOFT_FACE || contact->body < 0) {
            continue;
        }
        int first = 0, last = detector->pairs.count - 1;
        while (first < last) {
            int middle = first + (last - first) / 2;
            if (compare(&detector->pairs.data[middle], &contact->key) < 0) {
                first = middle + 1;
            } else {
                last = middle;
            }
        }
        if (first <= last && compare(&detector->pairs.data[first], &contact->key) == 0) {
            detector->pairs.data[first].sides |= contact->side > 0.0f ? 1 : 2;
        }
    }
}

// --- all pairs ---------------------------------------------------------------------------------------------

static bool add_surfaces(const sn_soft_search *search, query *query, const sn_soft_pair *pair)
{
    sn_soft_detector *detector = query->detector;
    sn_pair_output output = {.pair = query->pair,
                             .features = &detector->feature_pairs,
                             .deformable = pair->deformable,
                             .other = pair->other};
    sn_soft_view a, b;
    sn_soft_views_of(search, pair, &a, &b);
    const sn_verlet_between *list = sn_soft_find_between(search->scene, detector, pair);
    bool is_listed = list != NULL || (pair->deformable == pair->other && a.surface->verlet_list.in_use);
    sn_soft_surface *own = search->scene->colliders[pair->deformable].surface,
                    *other = search->scene->colliders[pair->other].surface;
    own->knows_near = own->knows_near && is_listed;
    other->knows_near = other->knows_near && is_listed;
    output.near = search->scene->notes_near && own->knows_near && other->knows_near ? &detector->near : NULL;
    if (list != NULL) {
        const sn_soft_collider *colliders = search->scene->colliders;
        float reach = sn_soft_growth(search->scene, &colliders[pair->deformable]) +
                      sn_soft_growth(search->scene, &colliders[pair->other]);
        return sn_soft_pair_listed(&a, &b, list, reach, &output);
    }
    return pair->deformable == pair->other ? sn_soft_pair_own_features(&a, &output)
                                           : sn_soft_pair_features(&a, &b, &output);
}

static bool add_obstacle(query *query, const sn_soft_pair *pair, const sn_soft_collider *collider,
                         leaf_block *block)
{
    float least = least_sharpness(collider);
    query->nodes = true;
    return add_faces_near(query, block) && add_corners(query, &pair->obstacle, least) &&
           add_edges(query, &pair->obstacle, least);
}

bool sn_soft_find_feature_pairs(sn_soft_search *search)
{
    sn_soft_detector *detector = search->detector;
    detector->feature_pairs.count = 0;
    leaf_block block;
    bool enough = take_block(search->scene, &block) && prepare_surfaces(search);
    collect_sides(detector);
    for (int i = 0; enough && i < detector->pairs.count; ++i) {
        const sn_soft_pair *pair = &detector->pairs.data[i];
        const sn_soft_collider *collider = &search->scene->colliders[pair->deformable];
        query query = {.detector = detector,
                       .surface = collider->surface,
                       .pair = i,
                       .states = search->scene->nodes->states.data + collider->first_node,
                       .displacements = search->displacements + collider->first_node,
                       .growth =
                           0.5f * collider->def->thickness + sn_soft_margin_of(search->scene, collider)};
        note_ball(&query, &pair->obstacle);
        enough = pair->other >= 0 ? add_surfaces(search, &query, pair)
                                  : add_obstacle(&query, pair, collider, &block);
    }
    return enough;
}

// --- whole faces -------------------------------------------------------------------------------------------

// Once a run: boxes of faces.
static bool box_faces(const sn_soft_collider *collider)
{
    bool has_boxes = collider->surface->has_boxes;
    collider->surface->has_boxes = true;
    return has_boxes || sn_soft_surface_box_faces(collider->surface);
}

// Faces of two surfaces that detection noted, from `*cursor` on, where they are in the order of pairs.
static bool add_near(const sn_soft_search *search, int index, int *cursor)
{
    sn_soft_detector *detector = search->detector;
    const sn_soft_pair *pair = &detector->pairs.data[index];
    const sn_soft_collider *a = &search->scene->colliders[pair->deformable];
    const sn_soft_collider *b = &search->scene->colliders[pair->other];
    for (; *cursor < detector->near.count; ++*cursor) {
        const sn_near_faces *near = &detector->near.data[*cursor];
        if (near->deformable > pair->deformable ||
            (near->deformable == pair->deformable && near->other > pair->other)) {
            break;
        }
        sn_feature_pair faces = {index, (uint32_t)near->place_a, (uint32_t)near->place_b};
        bool is_suspect =
            a->surface->suspects.data[near->place_a] || b->surface->suspects.data[near->place_b];
        if (near->deformable < pair->deformable || near->other < pair->other || is_suspect) {
            continue; // suspects are paired with all
        }
        if (!box_faces(a) || !box_faces(b) ||
            (sn_soft_are_faces_close(a->surface, b->surface, near) &&
             !sn_array_push(&detector->feature_pairs, faces))) {
            return false;
        }
    }
    return true;
}

// Faces of two surfaces whose skins let them meet, from the Verlet list between them.
static bool add_listed_faces(const sn_soft_search *search, int index)
{
    sn_soft_detector *detector = search->detector;
    const sn_soft_pair *pair = &detector->pairs.data[index];
    const sn_verlet_between *list = sn_soft_find_between(search->scene, detector, pair);
    if (list == NULL || list->faces.count == 0) {
        return true;
    }
    const sn_soft_collider *a = &search->scene->colliders[pair->deformable];
    const sn_soft_collider *b = &search->scene->colliders[pair->other];
    bool enough = box_faces(a) && box_faces(b);
    for (int i = 0; enough && i < list->faces.count; ++i) {
        const sn_verlet_pair *faces = &list->faces.data[i];
        sn_near_faces near = {pair->deformable, pair->other, faces->place_a, faces->place_b, 0.0f};
        sn_feature_pair features = {index, (uint32_t)near.place_a, (uint32_t)near.place_b};
        bool is_known = a->surface->suspects.data[near.place_a] || // paired with all
                        b->surface->suspects.data[near.place_b] ||
                        a->surface->between.escaped.data[near.place_a] || // noted by detection
                        b->surface->between.escaped.data[near.place_b];
        enough = is_known || !sn_soft_are_faces_close(a->surface, b->surface, &near) ||
                 sn_array_push(&detector->feature_pairs, features);
    }
    return enough;
}

// Pairs with suspect faces, or all.
static bool add_in_trees(const sn_soft_search *search, int index, bool all)
{
    sn_soft_detector *detector = search->detector;
    const sn_soft_pair *pair = &detector->pairs.data[index];
    const sn_soft_collider *a = &search->scene->colliders[pair->deformable];
    const sn_soft_collider *b = &search->scene->colliders[pair->other];
    if (!all && !a->surface->suspect_parts.data[0] && !b->surface->suspect_parts.data[0]) {
        return true;
    }
    if (!box_faces(a) || !box_faces(b)) {
        return false;
    }
    sn_soft_surface_box_parts(a->surface);
    if (a != b) {
        sn_soft_surface_box_parts(b->surface);
    }
    bool cones = detector->has_whole_bounds && !a->surface->verlet_list.in_use;
    return sn_soft_pair_faces(a->surface, b->surface, index, all, cones, &detector->feature_pairs);
}

bool sn_soft_find_face_pairs(sn_soft_search *search)
{
    sn_soft_detector *detector = search->detector;
    leaf_block block;
    bool is_first = search->fresh_bodies == NULL, enough = take_block(search->scene, &block);
    int cursor = 0;
    detector->feature_pairs.count = 0;
    for (int i = 0; enough && i < detector->pairs.count; ++i) {
        const sn_soft_pair *pair = &detector->pairs.data[i];
        const sn_soft_collider *a = &search->scene->colliders[pair->deformable];
        if (pair->other < 0) {
            int body = search->scene->bodies[pair->body].awake_index;
            bool is_fresh = search->fresh_bodies == NULL || (body >= 0 && search->fresh_bodies[body]);
            query query = {.detector = detector,
                           .surface = a->surface,
                           .pair = i,
                           .faces = true,
                           .only_suspects = !is_fresh,
                           .is_known = true};
            note_ball(&query, &pair->obstacle);
            bool none = query.only_suspects && !a->surface->suspect_parts.data[0];
            enough = none || add_faces_near(&query, &block);
        } else {
            bool knows = a->surface->knows_near && search->scene->colliders[pair->other].surface->knows_near;
            bool has_lists = is_first && knows;
            enough = (!has_lists || (add_near(search, i, &cursor) && add_listed_faces(search, i))) &&
                     add_in_trees(search, i, is_first && !knows);
        }
    }
    return enough;
}
