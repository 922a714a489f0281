// What is measured of deformables, whichever engine moved them. All in double, from positions alone.
#ifndef BENCH_SOFT_MEASURE_H
#define BENCH_SOFT_MEASURE_H

#include "soft_run.h"

typedef struct soft_stretch {
    double longest;  ///< largest length/rest − 1
    double shortest; ///< largest 1 − length/rest
    double mean;     ///< of |length/rest − 1|
} soft_stretch;

/// Of all edges.
soft_stretch soft_stretch_of(const soft_cloud *cloud);
/// Of the threads of a grid: edges along its sides. Diagonals give way, as in woven cloth.
soft_stretch soft_thread_stretch_of(const soft_cloud *cloud);

/// Root of the mean square of the nodes' speeds [m/s].
double soft_rms_speed(const soft_cloud *cloud);

/// How deep the middle of the surface, faces included, is inside a ball, or nodes are inside a box or below
/// y = 0. Positive inside, negative: how far away. [m]
double soft_depth_in_ball(const soft_cloud *cloud, sn_vec3 center, double radius);
double soft_depth_in_box(const soft_cloud *cloud, const soft_solid_state *box, sn_vec3 half_extents);
double soft_depth_below_floor(const soft_cloud *cloud);
/// The same for faces in a cylinder along z.
double soft_depth_in_wheel(const soft_cloud *cloud, sn_vec3 center, double radius);

/// Largest distance of a tied node from the place of its solid [m].
double soft_tie_error(const soft_run *run);

/// Over the last step: the sum of the forces of all contacts between deformables and solids or the floor, on
/// the deformables [N]. In Sinew only.
sn_vec3 soft_contact_force(const soft_run *run);

/// Pairs of an edge of `a` and a triangle of `b` (which may be the same) that have no node in common and
/// where the edge passes through the triangle.
int soft_crossings(const soft_cloud *a, const soft_cloud *b);

/// Volume of the tetrahedra, and at rest [m³].
double soft_volume(const soft_cloud *cloud);
double soft_rest_volume(const soft_cloud *cloud);

/// Momentum of all nodes and solids along x [kg m/s]; of the scene's dynamic solids only.
double soft_momentum_x(const soft_run *run);

/// Writes deformables and solids as a Wavefront file, to be looked at; of round ones an octahedron inside.
bool soft_write_obj(const soft_run *run, const char *path);

#endif
