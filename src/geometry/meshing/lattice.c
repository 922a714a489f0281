// Size and numbering of the lattice.
#include "geometry/meshing/lattice.h"
#include "base/allocate.h"

// A surface that overlaps a further row of cubes by less than this fraction of a cell is not given the row.
#define OVERLAP 1.0e-3f

static float cubes_along(float extent, float cell)
{
    float cubes = floorf(extent / cell + (1.0f - OVERLAP));
    return (cubes < 1.0f ? 1.0f : cubes) + 2.0f * (float)SN_LATTICE_MARGIN;
}

double sn_lattice_count_nodes(sn_bounds bounds, float cell)
{
    sn_vec3 extent = sn_sub(bounds.upper, bounds.lower);
    return 2.0 * (cubes_along(extent.x, cell) + 1.0) * (cubes_along(extent.y, cell) + 1.0) *
           (cubes_along(extent.z, cell) + 1.0);
}

// Insertion sort: the numbers are few.
static void sort_ascending(int *values, int count)
{
    for (int i = 1; i < count; ++i) {
        for (int j = i; j > 0 && values[j] < values[j - 1]; --j) {
            int swap = values[j];
            values[j] = values[j - 1];
            values[j - 1] = swap;
        }
    }
}

static void find_neighbors(sn_lattice *lattice)
{
    const int step[3] = {2, 2 * lattice->width, 2 * lattice->width * lattice->height};
    for (int kind = 0; kind < 2; ++kind) {
        int *neighbors = lattice->neighbors[kind], count = 0;
        for (int axis = 0; axis < 3; ++axis) {
            neighbors[count++] = step[axis];
            neighbors[count++] = -step[axis];
        }
        // A corner's cubes are those before it along each axis or not, a centre's corners those after it or
        // not.
        for (int corner = 0; corner < 8; ++corner) {
            int away = (corner & 1 ? step[0] : 0) + (corner & 2 ? step[1] : 0) + (corner & 4 ? step[2] : 0);
            neighbors[count++] = kind == 0 ? 1 - away : away - 1;
        }
        sort_ascending(neighbors, count);
    }
}

bool sn_lattice_make(sn_lattice *lattice, sn_bounds bounds, float cell)
{
    *lattice = (sn_lattice){0};
    if (sn_lattice_count_nodes(bounds, cell) > SN_MAX_LATTICE_NODES) {
        return false;
    }
    sn_vec3 extent = sn_sub(bounds.upper, bounds.lower);
    sn_vec3 cubes = {cubes_along(extent.x, cell), cubes_along(extent.y, cell), cubes_along(extent.z, cell)};
    lattice->width = (int)cubes.x + 1;
    lattice->height = (int)cubes.y + 1;
    lattice->depth = (int)cubes.z + 1;
    lattice->node_count = 2 * lattice->width * lattice->height * lattice->depth;
    lattice->half_cell = 0.5f * cell;
    // Centred on the surface, so that a symmetric surface is filled symmetrically.
    lattice->origin = sn_add_scaled(sn_lerp(bounds.lower, bounds.upper, 0.5f), -lattice->half_cell, cubes);
    find_neighbors(lattice);
    lattice->sign = sn_allocate((size_t)lattice->node_count);
    lattice->number = sn_allocate((size_t)lattice->node_count * sizeof(int));
    return lattice->sign && lattice->number;
}

void sn_lattice_release(sn_lattice *lattice)
{
    sn_release(lattice->sign, (size_t)lattice->node_count);
    sn_release(lattice->number, (size_t)lattice->node_count * sizeof(int));
    lattice->sign = NULL;
    lattice->number = NULL;
}
