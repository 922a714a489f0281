// Finding and following the closest point of a surface.
#include "geometry/shapes/closest_point.h"

#include "base/allocate.h"
#include "geometry/shapes/nearest.h"

#include <string.h>

// --- surfaces ----------------------------------------------------------------------------------------------

static size_t corner_total(const sn_closest_surface *surface)
{
    return (size_t)surface->piece_count * (size_t)surface->corner_count;
}

static size_t begin_total(const sn_closest_surface *surface)
{
    return (size_t)surface->node_count + 1;
}

// Pieces by node: counted, then filled in their order.
static void list_pieces(sn_closest_surface *surface)
{
    size_t total = corner_total(surface);
    for (size_t i = 0; i < total; ++i) {
        ++surface->pieces_begin[surface->corners[i] + 1];
    }
    for (int i = 0; i < surface->node_count; ++i) {
        surface->pieces_begin[i + 1] += surface->pieces_begin[i];
    }
    for (size_t i = total; i-- > 0;) { // from the end, so that each node's end becomes its begin
        surface->pieces_of[--surface->pieces_begin[surface->corners[i] + 1]] =
            (int)(i / (size_t)surface->corner_count);
    }
    memmove(surface->pieces_begin, surface->pieces_begin + 1,
            (size_t)surface->node_count * sizeof *surface->pieces_begin);
    surface->pieces_begin[surface->node_count] = (int)total;
}

bool sn_closest_surface_make(sn_closest_surface *surface, const sn_mesh *mesh)
{
    bool has_triangles = mesh->triangle_count > 0;
    *surface = (sn_closest_surface){.corner_count = has_triangles ? 3 : 2,
                                    .piece_count = has_triangles ? mesh->triangle_count : mesh->edge_count,
                                    .node_count = mesh->node_count};
    if (surface->piece_count == 0) {
        return true;
    }
    size_t total = corner_total(surface);
    surface->corners = sn_allocate_zero(total, sizeof *surface->corners);
    surface->pieces_of = sn_allocate_zero(total, sizeof *surface->pieces_of);
    surface->pieces_begin = sn_allocate_zero(begin_total(surface), sizeof *surface->pieces_begin);
    if (surface->corners == NULL || surface->pieces_of == NULL || surface->pieces_begin == NULL) {
        sn_closest_surface_release(surface);
        return false;
    }
    memcpy(surface->corners, has_triangles ? mesh->triangles : mesh->edges, total * sizeof *surface->corners);
    list_pieces(surface);
    return true;
}

void sn_closest_surface_release(sn_closest_surface *surface)
{
    size_t total = corner_total(surface);
    sn_release(surface->corners, total * sizeof *surface->corners);
    sn_release(surface->pieces_of, total * sizeof *surface->pieces_of);
    sn_release(surface->pieces_begin, begin_total(surface) * sizeof *surface->pieces_begin);
    *surface = (sn_closest_surface){0};
}

// --- closest points ----------------------------------------------------------------------------------------

static const uint32_t *corners_of(const sn_closest_surface *surface, int piece)
{
    return surface->corners + (size_t)piece * (size_t)surface->corner_count;
}

// The closest point of one piece, and how far it is.
static float closest_on_piece(const sn_closest_surface *surface, const sn_node_state *nodes, sn_vec3 point,
                              int piece, sn_closest_point *closest)
{
    const uint32_t *corners = corners_of(surface, piece);
    *closest = (sn_closest_point){.piece = piece, .weights = {1.0f, 0.0f, 0.0f}};
    if (surface->corner_count == 2) {
        return sn_nearest_on_edge(nodes[corners[0]].position, nodes[corners[1]].position, point,
                                  closest->weights);
    }
    sn_vec3 places[3] = {nodes[corners[0]].position, nodes[corners[1]].position, nodes[corners[2]].position};
    return sn_nearest_on_triangle(places, point, closest->weights);
}

sn_closest_point sn_closest_point_find(const sn_closest_surface *surface, const sn_node_state *nodes,
                                       sn_vec3 point)
{
    sn_closest_point best = {.piece = -1};
    float nearest = INFINITY;
    for (int i = 0; i < surface->piece_count; ++i) {
        sn_closest_point closest;
        float distance = closest_on_piece(surface, nodes, point, i, &closest);
        if (distance < nearest) {
            nearest = distance;
            best = closest;
        }
    }
    return best;
}

int sn_closest_point_support(const sn_closest_surface *surface, const sn_closest_point *closest,
                             int support[3])
{
    int count = 0;
    for (int i = 0; i < surface->corner_count; ++i) {
        if (closest->weights[i] > 0.0f) {
            support[count++] = i;
        }
    }
    return count;
}

// The nodes that have a weight. Returns how many.
static int support_of(const sn_closest_surface *surface, const sn_closest_point *closest, uint32_t nodes[3])
{
    const uint32_t *corners = corners_of(surface, closest->piece);
    int support[3], count = sn_closest_point_support(surface, closest, support);
    for (int i = 0; i < count; ++i) {
        nodes[i] = corners[support[i]];
    }
    return count;
}

static bool has_corner(const sn_closest_surface *surface, int piece, uint32_t node)
{
    const uint32_t *corners = corners_of(surface, piece);
    return corners[0] == node || corners[1] == node || (surface->corner_count == 3 && corners[2] == node);
}

// Goes on to the closest of the pieces that share its corner or edge. False if none is closer.
static bool go_on(const sn_closest_surface *surface, const sn_node_state *nodes, sn_vec3 point,
                  sn_closest_point *closest, float *distance)
{
    uint32_t support[3] = {0};
    int count = support_of(surface, closest, support);
    if (count == 0 || count == surface->corner_count) {
        return false;
    }
    bool is_nearer = false;
    for (int i = surface->pieces_begin[support[0]]; i < surface->pieces_begin[support[0] + 1]; ++i) {
        sn_closest_point other;
        int piece = surface->pieces_of[i];
        if (count == 1 || has_corner(surface, piece, support[1])) {
            float length = closest_on_piece(surface, nodes, point, piece, &other);
            if (length < *distance) {
                *distance = length;
                *closest = other;
                is_nearer = true;
            }
        }
    }
    return is_nearer;
}

float sn_closest_point_follow(const sn_closest_surface *surface, const sn_node_state *nodes, sn_vec3 point,
                              sn_closest_point *closest)
{
    if (closest->piece < 0 || closest->piece >= surface->piece_count) {
        *closest = sn_closest_point_find(surface, nodes, point);
        return closest->piece < 0
                   ? INFINITY
                   : sn_distance_between(point, sn_closest_point_place(surface, nodes, closest));
    }
    sn_closest_point here;
    float distance = closest_on_piece(surface, nodes, point, closest->piece, &here);
    if (!(distance < INFINITY)) {
        return INFINITY;
    }
    *closest = here;
    for (int i = 0; i < surface->piece_count && go_on(surface, nodes, point, closest, &distance); ++i) {
    }
    return distance;
}

void sn_closest_point_stay(const sn_closest_surface *surface, const sn_node_state *nodes, sn_vec3 point,
                           sn_closest_point *closest)
{
    sn_closest_point here;
    if (closest_on_piece(surface, nodes, point, closest->piece, &here) < INFINITY) {
        *closest = here;
    }
}

void sn_closest_point_stay_on_edge(const sn_closest_surface *surface, const sn_node_state *nodes,
                                   sn_vec3 point, sn_closest_point *closest)
{
    const uint32_t *corners = corners_of(surface, closest->piece);
    int support[3];
    float weights[2];
    if (sn_closest_point_support(surface, closest, support) == 2 &&
        sn_nearest_on_edge(nodes[corners[support[0]]].position, nodes[corners[support[1]]].position, point,
                           weights) < INFINITY) {
        closest->weights[support[0]] = weights[0];
        closest->weights[support[1]] = weights[1];
    }
}

sn_vec3 sn_closest_point_place(const sn_closest_surface *surface, const sn_node_state *nodes,
                               const sn_closest_point *closest)
{
    const uint32_t *corners = corners_of(surface, closest->piece);
    sn_vec3 place = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < surface->corner_count; ++i) {
        place = sn_add_scaled(place, closest->weights[i], nodes[corners[i]].position);
    }
    return place;
}

// --- rims --------------------------------------------------------------------------------------------------

// Pieces around a node that hold another node too.
static int count_shared(const sn_closest_surface *surface, uint32_t node, uint32_t other)
{
    int count = 0;
    for (int i = surface->pieces_begin[node]; i < surface->pieces_begin[node + 1]; ++i) {
        count += has_corner(surface, surface->pieces_of[i], other);
    }
    return count;
}

static bool corner_is_on_rim(const sn_closest_surface *surface, uint32_t node)
{
    int begin = surface->pieces_begin[node], end = surface->pieces_begin[node + 1];
    if (surface->corner_count == 2) {
        return end - begin == 1;
    }
    for (int i = begin; i < end; ++i) {
        const uint32_t *corners = corners_of(surface, surface->pieces_of[i]);
        for (int k = 0; k < 3; ++k) {
            if (corners[k] != node && count_shared(surface, node, corners[k]) == 1) {
                return true;
            }
        }
    }
    return false;
}

bool sn_closest_point_is_on_rim(const sn_closest_surface *surface, const sn_closest_point *closest)
{
    uint32_t support[3] = {0};
    int count = support_of(surface, closest, support);
    if (count == 0 || count == surface->corner_count) {
        return false;
    }
    return count == 1 ? corner_is_on_rim(surface, support[0])
                      : count_shared(surface, support[0], support[1]) == 1;
}
