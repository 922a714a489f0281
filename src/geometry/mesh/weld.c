// Welding with a hashed grid (Teschner et al. 2003): cells are two tolerances wide, so a point has to look at
// two cells along each axis, and no cell can hold many points that were kept.
#include "geometry/mesh/weld.h"
#include "base/allocate.h"
#include "base/hash.h"
#include <string.h>

typedef struct weld_grid {
    sn_vec3 *points; // the kept ones
    int count;
    float tolerance;
    int *table; // numbers of kept points by hash of their cell, −1 where empty; linear probing
    uint32_t mask;
} weld_grid;

typedef struct cell {
    int32_t x, y, z;
} cell;

static cell cell_of(const weld_grid *grid, sn_vec3 p)
{
    float size = 2.0f * grid->tolerance;
    return (cell){(int32_t)floorf(p.x / size), (int32_t)floorf(p.y / size), (int32_t)floorf(p.z / size)};
}

static uint32_t cell_slot(const weld_grid *grid, cell c)
{
    sn_hash hash = sn_hash_begin();
    hash = sn_hash_u64(hash, (uint32_t)c.x);
    hash = sn_hash_u64(hash, (uint32_t)c.y);
    hash = sn_hash_u64(hash, (uint32_t)c.z);
    return (uint32_t)(hash ^ (hash >> 32)) & grid->mask;
}

// The first kept point of a cell that is close to p, or −1.
static int find_in_cell(const weld_grid *grid, cell c, sn_vec3 p)
{
    int best = -1;
    for (uint32_t slot = cell_slot(grid, c); grid->table[slot] >= 0; slot = (slot + 1) & grid->mask) {
        int candidate = grid->table[slot];
        sn_vec3 gap = sn_abs3(sn_sub(grid->points[candidate], p));
        bool close = gap.x <= grid->tolerance && gap.y <= grid->tolerance && gap.z <= grid->tolerance;
        if (close && (best < 0 || candidate < best)) {
            best = candidate;
        }
    }
    return best;
}

static int find(const weld_grid *grid, sn_vec3 p)
{
    sn_vec3 reach = {grid->tolerance, grid->tolerance, grid->tolerance};
    cell lower = cell_of(grid, sn_sub(p, reach)), upper = cell_of(grid, sn_add(p, reach));
    int best = -1;
    for (int32_t z = lower.z; z <= upper.z; ++z) {
        for (int32_t y = lower.y; y <= upper.y; ++y) {
            for (int32_t x = lower.x; x <= upper.x; ++x) {
                int found = find_in_cell(grid, (cell){x, y, z}, p);
                best = found >= 0 && (best < 0 || found < best) ? found : best;
            }
        }
    }
    return best;
}

static int keep(weld_grid *grid, sn_vec3 p)
{
    uint32_t slot = cell_slot(grid, cell_of(grid, p));
    while (grid->table[slot] >= 0) {
        slot = (slot + 1) & grid->mask;
    }
    grid->table[slot] = grid->count;
    grid->points[grid->count] = p;
    return grid->count++;
}

int sn_weld(sn_vec3 *points, int count, float tolerance, int *kept_as)
{
    uint32_t slots = 16;
    while (slots < 2u * (uint32_t)count) {
        slots *= 2;
    }
    size_t bytes = slots * sizeof(int);
    weld_grid grid = {points, 0, tolerance, sn_allocate(bytes), slots - 1};
    if (!grid.table) {
        return -1;
    }
    memset(grid.table, -1, bytes);
    for (int i = 0; i < count; ++i) {
        if (kept_as[i] < 0) {
            continue;
        }
        sn_vec3 p = points[i];
        int found = find(&grid, p);
        kept_as[i] = found >= 0 ? found : keep(&grid, p);
    }
    sn_release(grid.table, bytes);
    return grid.count;
}
