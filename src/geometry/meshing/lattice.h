// The lattice that fills a surface: cubes of side `cell`, a node at every corner and every centre, which
// makes it body-centred cubic. Long edges join neighbouring corners or neighbouring centres, short edges a
// centre and the corners of its cube. Here are its numbering and its signs; what the surface does to it is in
// the files lattice_*.c.
#ifndef SN_GEOMETRY_MESHING_LATTICE_H
#define SN_GEOMETRY_MESHING_LATTICE_H

#include "sinew/math.h"

// Most nodes a lattice may have.
#define SN_MAX_LATTICE_NODES (1 << 24)
// Least cell, as a fraction of the largest coordinate: below, float32 positions would bend the tetrahedra.
#define SN_MIN_LATTICE_CELL (1.0f / 4096.0f)
// Empty cubes around the surface's bounds, so that what lies inside has all its neighbours' neighbours.
#define SN_LATTICE_MARGIN 2

#define SN_LATTICE_NEIGHBORS 14

// A cube corner or centre by its place: the cube or corner x, y, z along the axes.
typedef struct sn_lattice_place {
    int x, y, z;
    bool is_center;
} sn_lattice_place;

// Coordinates in the lattice count half cells from the lowest corner, so corners have even ones and centres
// odd ones.
typedef struct sn_lattice {
    int width, height, depth; // corners along x, y, z; cubes are one fewer
    int node_count;           // 2 × width × height × depth; centres past the last cube are unused
    sn_vec3 origin;           // world position of the lowest corner [m]
    float half_cell;          // [m]
    // By kind (corner, centre): what to add to a node's number for each neighbour, ascending.
    int neighbors[2][SN_LATTICE_NEIGHBORS];
    int8_t *sign; // by node: 1 inside, −1 outside, 0 moved onto the surface
    // By node: its number among the mesh's nodes, or −1 for none yet; for nodes that were moved, −2 − c with
    // c the cut point they were moved to.
    int *number;
} sn_lattice;

// How many nodes a lattice around bounds has; in double, as it may be too many.
double sn_lattice_count_nodes(sn_bounds bounds, float cell);
// Sizes a lattice around bounds and allocates its signs and numbers, without filling them. False without
// memory and for more than SN_MAX_LATTICE_NODES; release it all the same.
bool sn_lattice_make(sn_lattice *lattice, sn_bounds bounds, float cell);
void sn_lattice_release(sn_lattice *lattice);

static inline int sn_lattice_node(const sn_lattice *lattice, sn_lattice_place p)
{
    return 2 * ((p.z * lattice->height + p.y) * lattice->width + p.x) + p.is_center;
}
static inline sn_lattice_place sn_lattice_place_of(const sn_lattice *lattice, int node)
{
    int corner = node / 2, row = corner / lattice->width;
    return (sn_lattice_place){corner % lattice->width, row % lattice->height, row / lattice->height,
                              node % 2 != 0};
}
static inline sn_vec3 sn_lattice_position(const sn_lattice *lattice, int node)
{
    sn_lattice_place p = sn_lattice_place_of(lattice, node);
    return sn_v((float)(2 * p.x + p.is_center), (float)(2 * p.y + p.is_center),
                (float)(2 * p.z + p.is_center));
}
// Long edges join nodes of one kind.
static inline bool sn_lattice_is_long(int a, int b)
{
    return a % 2 == b % 2;
}
static inline sn_vec3 sn_lattice_to_world(const sn_lattice *lattice, sn_vec3 p)
{
    return sn_add_scaled(lattice->origin, lattice->half_cell, p);
}
static inline sn_vec3 sn_lattice_from_world(const sn_lattice *lattice, sn_vec3 p)
{
    sn_vec3 away = sn_sub(p, lattice->origin);
    return sn_v(away.x / lattice->half_cell, away.y / lattice->half_cell, away.z / lattice->half_cell);
}

#endif
