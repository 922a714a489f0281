// An obstacle of deformables: a half-space, one convex part of a shape or one triangle of a surface shape,
// with its position when the step begins and its motion during the step.
#ifndef SN_COLLISION_SOFT_OBSTACLE_H
#define SN_COLLISION_SOFT_OBSTACLE_H

#include "geometry/shapes/convex.h"
#include "geometry/shapes/surface.h"

typedef enum sn_obstacle_kind {
    SN_OBSTACLE_CONVEX,
    SN_OBSTACLE_PLANE,
    SN_OBSTACLE_TRIANGLE
} sn_obstacle_kind;

typedef struct sn_obstacle {
    sn_obstacle_kind kind;
    sn_plane plane;   // world; of a triangle, its own
    sn_convex convex; // in its own frame
    sn_pose pose;     // of that frame in the world
    float size;       // radius of a ball inside; 0 for triangles
    // Of a triangle: corners in the world, and what sn_surface knows of its edges.
    sn_vec3 corners[3];
    sn_bend bends[3];
    float corner_cosines[3];
    uint8_t active_edges, owned;
    bool double_sided;
    // Motion of its body during the step.
    sn_vec3 center, displacement, turn; // mass centre, its displacement [m], rotation vector [rad]
} sn_obstacle;

// Displacement in the step of the point of the obstacle that is at `point`, to first order.
static inline sn_vec3 sn_obstacle_displacement(const sn_obstacle *obstacle, sn_vec3 point)
{
    return sn_add(obstacle->displacement, sn_cross(obstacle->turn, sn_sub(point, obstacle->center)));
}

// Distance of a point from the surface, negative inside, and the outward normal there. `before` (may be null)
// is the normal of the last step: inside, it is kept unless another one is much closer, and on a double-sided
// triangle it tells the side. Infinite if the point belongs to a neighbour of the triangle.
float sn_obstacle_distance(const sn_obstacle *obstacle, sn_vec3 point, const sn_vec3 *before, float thickness,
                           sn_vec3 *normal);

// A ball of `radius` at `point` that moves by `displacement` relative to the obstacle. True if it hits: the
// normal there, and how far it moves against the normal before it hits.
bool sn_obstacle_cast(const sn_obstacle *obstacle, sn_vec3 point, sn_vec3 displacement, float radius,
                      sn_vec3 *normal, float *distance);

// --- corners and edges (obstacle_features.c) ---------------------------------------------------------------
// Points and segments, with the obstacle's own radius around them, that can poke into a face. A sphere is one
// corner, a capsule two and an edge; a half-space has none; of a triangle only those that stick out count.

int sn_obstacle_corner_count(const sn_obstacle *obstacle);
int sn_obstacle_edge_count(const sn_obstacle *obstacle);
// In the world.
sn_vec3 sn_obstacle_corner(const sn_obstacle *obstacle, int corner);
void sn_obstacle_edge(const sn_obstacle *obstacle, int edge, sn_vec3 ends[2]);
// How far a corner or an edge may poke into a straight line of length `span` that rests on the surface around
// it.
float sn_obstacle_corner_sharpness(const sn_obstacle *obstacle, int corner, float span);
float sn_obstacle_edge_sharpness(const sn_obstacle *obstacle, int edge, float span);
// Whether `normal` (world, unit) lies in the cone of normals there, with some tolerance.
bool sn_obstacle_corner_allows(const sn_obstacle *obstacle, int corner, sn_vec3 normal);
bool sn_obstacle_edge_allows(const sn_obstacle *obstacle, int edge, sn_vec3 normal);

#endif
