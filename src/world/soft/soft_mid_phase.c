// Which features of deformables may meet which pieces of what is near them: boxes that overlap.
#include "geometry/shapes/surface_tree.h"
#include "world/core/world.h"

#include <string.h>

typedef struct query {
    sn_world *world;
    const sn_soft_surface *surface;
    int broad_pair;
    uint32_t piece;
    bool nodes, edges, faces; // what is looked for
} query;

static bool add_mid_pair(const query *query, uint32_t feature, uint32_t piece)
{
    sn_soft_mid_pair mid_pair = {query->broad_pair, feature, piece};
    return sn_array_push(&query->world->soft.mid_pairs, mid_pair);
}

// --- features near a box -----------------------------------------------------------------------------------

static bool add_face(const query *query, uint32_t face)
{
    const sn_soft_surface *surface = query->surface;
    uint8_t owned = surface->owned.data[face];
    bool enough =
        !query->faces || add_mid_pair(query, sn_soft_feature_name(SN_SOFT_FACE, face), query->piece);
    for (uint32_t k = 0; k < 3; ++k) {
        size_t at = 3 * (size_t)face + k;
        if (query->nodes && (owned >> k & 1u) != 0) {
            uint32_t feature = sn_soft_feature_name(SN_SOFT_NODE, surface->faces.data[at]);
            enough = enough && add_mid_pair(query, feature, query->piece);
        }
        if (query->edges && (owned >> (k + 3) & 1u) != 0) {
            uint32_t feature = sn_soft_feature_name(SN_SOFT_EDGE, surface->face_edges.data[at]);
            enough = enough && add_mid_pair(query, feature, query->piece);
        }
    }
    return enough;
}

// Whether the obstacle, of which a piece may be anywhere in `reach`, may get into a box of the surface.
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

static bool add_faces(const query *query, const sn_obstacle *obstacle, sn_bounds reach)
{
    const sn_soft_surface *surface = query->surface;
    int stack[SN_SURFACE_TREE_DEPTH + 1], depth = 1;
    stack[0] = 0;
    while (depth > 0) {
        const sn_surface_node *node = &surface->tree.data[stack[--depth]];
        if (!may_reach(obstacle, reach, node->bounds)) {
            continue;
        }
        if (node->count == 0) {
            stack[depth++] = node->first + 1;
            stack[depth++] = node->first;
            continue;
        }
        for (int i = node->first; i < node->first + node->count; ++i) {
            if (!add_face(query, surface->order.data[i])) {
                return false;
            }
        }
    }
    return true;
}

// --- corners and edges -------------------------------------------------------------------------------------

// Where a point of the obstacle may be during the step.
static sn_bounds point_bounds(const sn_obstacle *obstacle, sn_vec3 point)
{
    sn_vec3 then = sn_add(point, sn_obstacle_displacement(obstacle, point));
    sn_bounds bounds = {sn_min3(point, then), sn_max3(point, then)};
    return sn_bounds_grow(bounds, obstacle->convex.radius);
}

// What pokes less far into a cell than this does not matter to a sheet of that thickness. [m]
static float blunt(const sn_deformable_data *data)
{
    return 0.125f * data->def.thickness;
}

static bool add_corners(query *query, const sn_soft_broad_pair *broad_pair, const sn_deformable_data *data)
{
    const sn_obstacle *obstacle = &broad_pair->obstacle;
    bool is_strand = query->surface->mesh->triangle_count == 0;
    query->nodes = false;
    query->faces = !is_strand;
    query->edges = is_strand || obstacle->convex.radius > 0.0f;
    for (int i = 0; i < sn_obstacle_corner_count(obstacle); ++i) {
        query->piece = (uint32_t)i + 1;
        if (sn_obstacle_corner_sharpness(obstacle, i, query->surface->largest_edge) > blunt(data) &&
            !add_faces(query, obstacle, point_bounds(obstacle, sn_obstacle_corner(obstacle, i)))) {
            return false;
        }
    }
    return true;
}

static bool add_edges(query *query, const sn_soft_broad_pair *broad_pair, const sn_deformable_data *data)
{
    const sn_obstacle *obstacle = &broad_pair->obstacle;
    query->nodes = query->faces = false;
    query->edges = true;
    for (int i = 0; i < sn_obstacle_edge_count(obstacle); ++i) {
        sn_vec3 ends[2];
        sn_obstacle_edge(obstacle, i, ends);
        query->piece = SN_SOFT_PIECE_EDGE | ((uint32_t)i + 1);
        sn_bounds box = sn_bounds_union(point_bounds(obstacle, ends[0]), point_bounds(obstacle, ends[1]));
        if (sn_obstacle_edge_sharpness(obstacle, i, query->surface->largest_edge) > blunt(data) &&
            !add_faces(query, obstacle, box)) {
            return false;
        }
    }
    return true;
}

// --- deformables -------------------------------------------------------------------------------------------

static bool add_pair(void *context, uint32_t feature_a, uint32_t feature_b)
{
    return add_mid_pair(context, feature_a, feature_b);
}

// Nodes of this one against faces of the other, which will look at this one in its turn; edges once.
static bool add_other(const sn_soft_search *search, query *query, const sn_soft_broad_pair *broad_pair)
{
    sn_soft_view a, b;
    sn_soft_views_of(search, broad_pair, &a, &b);
    if (broad_pair->deformable == broad_pair->other) {
        return sn_soft_surface_self_pairs(&a, add_pair, query);
    }
    return sn_soft_surface_pairs(&a, &b, broad_pair->deformable < broad_pair->other, add_pair, query);
}

// --- what is small -----------------------------------------------------------------------------------------

static bool is_small(const sn_soft_broad_pair *broad_pair, const sn_deformable_data *data)
{
    const sn_obstacle *obstacle = &broad_pair->obstacle;
    return broad_pair->other < 0 && obstacle->kind == SN_OBSTACLE_CONVEX && !obstacle->convex.is_polyhedron &&
           sn_obstacle_corner_sharpness(obstacle, 0, data->surface.largest_edge) > blunt(data);
}

// Sums of the normals of the faces around each node.
static void sum_normals(const sn_deformable_data *data, sn_vec3 *normals)
{
    const sn_soft_surface *surface = &data->surface;
    memset(normals, 0, (size_t)data->node_count * sizeof *normals);
    for (int i = 0; i < surface->face_count; ++i) {
        for (int k = 0; k < 3; ++k) {
            sn_vec3 *normal = &normals[surface->faces.data[3 * (size_t)i + (size_t)k]];
            *normal = sn_add(*normal, surface->normals.data[i]);
        }
    }
}

float sn_soft_growth(const sn_world *world, const sn_deformable_data *data)
{
    return 0.5f * data->def.thickness +
           0.5f * sn_min(world->def.speculative_margin, 0.5f * data->def.thickness);
}

// A closer look at surfaces that meet deformables or something small.
static void look_at(const sn_soft_search *search, int index)
{
    sn_world *world = search->world;
    sn_deformable_data *data = &world->deformables.data[index];
    if (data->surface.looked) {
        return;
    }
    data->surface.looked = true;
    sn_soft_surface_look(&data->surface, world->nodes.states.data + data->first_node, blunt(data));
    sum_normals(data, search->normals + data->first_node);
}

// Boxes for surfaces that meet deformables; of those that meet themselves alone and whose list of near faces
// is complete, no trees are looked into. Two deformables may be stopped as wholes, one before the other: then
// all of their ways is uncertain, as in sn_soft_pair_margin.
static bool fit_boxes(const sn_soft_search *search, int index)
{
    sn_deformable_data *data = &search->world->deformables.data[index];
    sn_soft_surface *surface = &data->surface;
    if (surface->boxed) {
        return true;
    }
    surface->boxed = true;
    const sn_node_state *nodes = search->world->nodes.states.data + data->first_node;
    const sn_vec3 *displacements = search->displacements_between + data->first_node;
    sn_vec3 frame_displacement =
        surface->meets_others ? sn_v(0.0f, 0.0f, 0.0f) : sn_scale(surface->frame_displacement, search->share);
    if (!sn_soft_surface_box_nodes(surface, nodes, displacements, frame_displacement,
                                   sn_soft_growth(search->world, data)) ||
        !sn_soft_surface_box_faces(surface)) {
        return false;
    }
    const sn_verlet_list *verlet = &surface->verlet;
    if (!verlet->in_use || verlet->escaped_count > 0 || surface->meets_others) {
        sn_soft_surface_box_parts(surface);
    }
    if (!verlet->in_use && data->def.self_collide) {
        sn_soft_surface_fit_cones(surface, nodes, displacements);
    }
    return true;
}

// Before anything is fitted: what is near what in deformables that meet themselves, and which meet others.
static bool prepare_surfaces(const sn_soft_search *search)
{
    sn_world *world = search->world;
    for (int i = 0; i < world->soft.broad_pairs.count; ++i) {
        const sn_soft_broad_pair *broad_pair = &world->soft.broad_pairs.data[i];
        sn_deformable_data *data = &world->deformables.data[broad_pair->deformable];
        if (broad_pair->other >= 0 && broad_pair->other != broad_pair->deformable) {
            data->surface.meets_others = true;
            world->deformables.data[broad_pair->other].surface.meets_others = true;
        } else if (broad_pair->other >= 0 &&
                   !sn_verlet_list_update(&data->surface, world->nodes.states.data + data->first_node,
                                          search->displacements_between + data->first_node,
                                          sn_scale(data->surface.frame_displacement, search->share),
                                          sn_soft_growth(world, data))) {
            return false;
        }
    }
    return true;
}

static bool prepare_broad_pairs(sn_soft_search *search)
{
    sn_world *world = search->world;
    if (!prepare_surfaces(search)) {
        return false;
    }
    for (int i = 0; i < world->soft.broad_pairs.count; ++i) {
        sn_soft_broad_pair *broad_pair = &world->soft.broad_pairs.data[i];
        broad_pair->is_small = is_small(broad_pair, &world->deformables.data[broad_pair->deformable]);
        if (!broad_pair->is_small && broad_pair->other < 0) {
            continue;
        }
        if (search->normals == NULL) {
            search->normals =
                sn_arena_take(&world->arena, (size_t)world->nodes.states.count, sizeof *search->normals);
        }
        if (search->normals == NULL) {
            return false;
        }
        look_at(search, broad_pair->deformable);
        if (broad_pair->other >= 0 && !fit_boxes(search, broad_pair->deformable)) {
            return false;
        }
    }
    return true;
}

static int compare(const sn_soft_broad_pair *broad_pair, const sn_soft_key *key)
{
    uint32_t a[3] = {(uint32_t)broad_pair->deformable, (uint32_t)broad_pair->shape, broad_pair->part};
    uint32_t b[3] = {key->deformable, key->other, key->part};
    for (int i = 0; i < 3; ++i) {
        if (a[i] != b[i]) {
            return a[i] < b[i] ? -1 : 1;
        }
    }
    return 0;
}

// On which sides small things were in the last step. Encounters are in ascending order.
static void collect_sides(sn_world *world)
{
    sn_soft_world *soft = &world->soft;
    for (int i = 0; i < soft->contacts.count; ++i) {
        const sn_soft_contact_data *contact = &soft->contacts.data[i];
        if (sn_soft_feature_kind(contact->key.feature) != SN_SOFT_FACE || contact->body < 0) {
            continue;
        }
        int first = 0, last = soft->broad_pairs.count - 1;
        while (first < last) {
            int middle = first + (last - first) / 2;
            if (compare(&soft->broad_pairs.data[middle], &contact->key) < 0) {
                first = middle + 1;
            } else {
                last = middle;
            }
        }
        if (first <= last && compare(&soft->broad_pairs.data[first], &contact->key) == 0) {
            soft->broad_pairs.data[first].sides |= contact->side > 0.0f ? 1 : 2;
        }
    }
}

bool sn_soft_find_mid_pairs(sn_soft_search *search)
{
    sn_world *world = search->world;
    world->soft.mid_pairs.count = 0;
    if (!prepare_broad_pairs(search)) {
        return false;
    }
    collect_sides(world);
    for (int i = 0; i < world->soft.broad_pairs.count; ++i) {
        const sn_soft_broad_pair *broad_pair = &world->soft.broad_pairs.data[i];
        const sn_deformable_data *data = &world->deformables.data[broad_pair->deformable];
        query query = {.world = world, .surface = &data->surface, .broad_pair = i, .nodes = true};
        bool enough = broad_pair->other >= 0
                          ? add_other(search, &query, broad_pair)
                          : add_faces(&query, &broad_pair->obstacle, broad_pair->bounds) &&
                                add_corners(&query, broad_pair, data) && add_edges(&query, broad_pair, data);
        if (!enough) {
            return false;
        }
    }
    return true;
}
