// Shared by the queries: the order of answers, checks of input, and a search through the convex pieces of a
// shape. A query reads the world and writes nothing but its answer, so it needs no memory.
#ifndef SN_WORLD_QUERIES_QUERIES_H
#define SN_WORLD_QUERIES_QUERIES_H

#include "sinew/query.h"
#include "world/core/world.h"

// Answers compare by value (a fraction or a distance); of equal ones the lower shape, then the lower part is
// first. So the answer does not depend on how the trees happen to be built.
typedef struct sn_rank {
    float value;
    int shape, part;
} sn_rank;

static inline bool sn_rank_before(sn_rank a, sn_rank b)
{
    if (a.value != b.value) {
        return a.value < b.value;
    }
    return a.shape != b.shape ? a.shape < b.shape : a.part < b.part;
}

// --- queries.c -----------------------------------------------------------------------------------

bool sn_query_sees(sn_query_filter filter, const sn_shape_data *shape);
bool sn_query_sees_filter(sn_query_filter filter, sn_filter seen);
sn_pose sn_query_shape_pose(const sn_world *world, const sn_shape_data *shape);
// How much boxes are enlarged in queries, so that rounding never makes two queries disagree about a shape;
// `size` is the largest coordinate involved. [m]
float sn_query_slack(float size);
float sn_query_largest_coordinate(sn_vec3 v);
// The extent of a box that moves, with the slack for that.
sn_vec3 sn_query_widen(sn_vec3 center, sn_vec3 extent, sn_vec3 translation);

sn_status sn_query_check_pointer(const sn_world *world, const void *pointer, const char *function,
                                 const char *field);
// The world is open, and what is found has a place to go to.
sn_status sn_query_check_answer(const sn_world *world, const void *out, int capacity, const int *count,
                                const char *function);
// Finite, longer than nothing, no longer than SN_MAX_COORDINATE.
sn_status sn_query_check_translation(const sn_world *world, sn_vec3 translation, const char *function);

// A solid that a query asks about, ready for the narrow phase. The convex points into the storage: not to be
// copied.
typedef struct sn_query_solid {
    sn_convex_storage storage;
    sn_convex convex;
    sn_pose pose;
    sn_bounds bounds; // in the world
} sn_query_solid;

sn_status sn_query_solid_make(const sn_world *world, const sn_solid *solid, const char *function,
                              sn_query_solid *made);
// How far the solid, placed in a half-space's frame, is above it; negative when it reaches into it. `lowest`
// is its lowest point.
float sn_query_height(sn_plane plane, const sn_convex *convex, sn_pose pose, sn_vec3 *lowest);

// --- queries_pieces.c ----------------------------------------------------------------------------

// A convex piece of a shape: the shape itself, a part of a compound, or a triangle of a surface (about its
// first corner, where float32 is finest).
typedef struct sn_piece {
    const sn_convex *convex;
    sn_pose pose; // in the shape's frame
    int part;
} sn_piece;

// A search for the piece with the least value of something.
typedef struct sn_piece_search {
    // A lower bound for all that lies in the box, which is in the shape's frame.
    float (*bound)(const void *query, sn_bounds bounds);
    // Looks at a piece and returns the new limit.
    float (*visit)(void *query, const sn_piece *piece);
    void *query;
    float limit; // boxes with a greater bound are passed over
} sn_piece_search;

// Visits the pieces of any shape but a plane, boxes with lower bounds first where that is cheap.
void sn_search_pieces(const sn_shape_data *shape, sn_piece_search *search);

// --- queries_soft.c ------------------------------------------------------------------------------

// Whether the segment hits the deformable of that index before `limit`, a fraction of the translation; fills
// in the hit then.
bool sn_query_ray_deformable(const sn_world *world, int index, sn_vec3 origin, sn_vec3 translation,
                             sn_query_filter filter, float limit, sn_hit *hit);
// Takes the nearest point of all deformables if it is nearer than `limit`.
void sn_query_closest_deformable(const sn_world *world, sn_vec3 point, float limit, sn_query_filter filter,
                                 sn_closest *closest);

// --- queries_soft_solids.c -----------------------------------------------------------------------

// Whether a solid that moves meets the deformable of that index before `limit`.
bool sn_query_sweep_deformable(const sn_world *world, int index, const sn_query_solid *solid,
                               sn_vec3 translation, sn_query_filter filter, float limit, sn_hit *hit);

// --- queries_overlap.c ---------------------------------------------------------------------------

// SN_ERROR_NOT_FINITE, SN_ERROR_RANGE unless it is a box.
sn_status sn_query_check_bounds(const sn_world *world, sn_bounds bounds, const char *function);

#endif
