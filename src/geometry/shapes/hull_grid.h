// Points on an integer grid, and an orientation test on them that is never wrong. Rounding is what breaks
// hull builders; here the points are rounded once, far below the hull's tolerance, and all that decides
// topology is exact after that. Knows nothing of hulls.
#ifndef SN_GEOMETRY_SHAPES_HULL_GRID_H
#define SN_GEOMETRY_SHAPES_HULL_GRID_H

#include <stdint.h>

// Coordinates lie within ±SN_GRID_LIMIT: finer than float32 resolves the largest of them.
#define SN_GRID_LIMIT (1 << 26)

typedef struct sn_grid_point {
    int32_t x, y, z;
} sn_grid_point;

typedef struct sn_grid_vector {
    int64_t x, y, z;
} sn_grid_vector;

static inline sn_grid_vector sn_grid_difference(sn_grid_point a, sn_grid_point b)
{
    sn_grid_vector d = {(int64_t)a.x - b.x, (int64_t)a.y - b.y, (int64_t)a.z - b.z};
    return d;
}

// Exact for differences of grid points: components stay below 2^56.
static inline sn_grid_vector sn_grid_cross(sn_grid_vector a, sn_grid_vector b)
{
    sn_grid_vector c = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return c;
}

// Which side of the triangle a, b, c the point p is on: positive where its counter-clockwise face looks,
// negative behind, zero in the plane. The determinant may need 84 bits, so it is summed in two halves.
static inline int sn_grid_side(sn_grid_point a, sn_grid_point b, sn_grid_point c, sn_grid_point p)
{
    const int64_t half = (int64_t)1 << 28;
    sn_grid_vector n = sn_grid_cross(sn_grid_difference(b, a), sn_grid_difference(c, a));
    sn_grid_vector d = sn_grid_difference(p, a);
    int64_t high = n.x / half * d.x + n.y / half * d.y + n.z / half * d.z;
    int64_t low = n.x % half * d.x + n.y % half * d.y + n.z % half * d.z;
    high += low / half;
    low %= half;
    int64_t decisive = high != 0 ? high : low;
    return (decisive > 0) - (decisive < 0);
}

#endif
