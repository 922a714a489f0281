// Nodes of b are put into cells as wide as the tolerance; who is near a node of a is in one of 27 cells.
#include "scene/coincident.h"

#include <math.h>

typedef struct cells {
    int *heads; // by hash: the last node put there, −1 for none
    int *next;  // by node
    int mask;
    double width;
} cells;

typedef struct cell {
    int64_t x, y, z;
} cell;

// Beyond all places there are: cells so far out are one.
static const double farthest = 1e18;

static int64_t cell_along(const cells *cells, float coordinate)
{
    return (int64_t)fmax(-farthest, fmin(farthest, floor((double)coordinate / cells->width)));
}

static cell cell_of(const cells *cells, sn_vec3 p)
{
    return (cell){cell_along(cells, p.x), cell_along(cells, p.y), cell_along(cells, p.z)};
}

static int slot_of(const cells *cells, cell at)
{
    uint64_t hash = (uint64_t)at.x * 73856093u ^ (uint64_t)at.y * 19349663u ^ (uint64_t)at.z * 83492791u;
    return (int)((hash ^ hash >> 32) & (uint64_t)cells->mask);
}

static void cells_free(cells *cells)
{
    free(cells->heads);
    free(cells->next);
}

static bool cells_fill(cells *cells, const sn_coincidence *problem)
{
    size_t slots = 64;
    while (slots < 2 * (size_t)problem->count_b) {
        slots *= 2;
    }
    *cells = (struct cells){.heads = malloc(slots * sizeof(int)),
                            .next = malloc(((size_t)problem->count_b + 1) * sizeof(int)),
                            .mask = (int)(slots - 1),
                            .width = (double)problem->tolerance};
    if (cells->heads == NULL || cells->next == NULL) {
        cells_free(cells);
        return false;
    }
    for (size_t i = 0; i < slots; ++i) {
        cells->heads[i] = -1;
    }
    for (int i = 0; i < problem->count_b; ++i) {
        int slot = slot_of(cells, cell_of(cells, problem->b[i].position));
        cells->next[i] = cells->heads[slot];
        cells->heads[slot] = i;
    }
    return true;
}

// Adds the nodes of b in one cell that are near a place. Different cells may share a slot: the cell is
// compared, so that no node is found twice.
static bool look_into(const cells *cells, const sn_coincidence *problem, cell at, sn_vec3 place,
                      sn_node_list *near)
{
    for (int i = cells->heads[slot_of(cells, at)]; i >= 0; i = cells->next[i]) {
        cell own = cell_of(cells, problem->b[i].position);
        bool is_here = own.x == at.x && own.y == at.y && own.z == at.z;
        if (is_here && sn_distance_between(problem->b[i].position, place) <= problem->tolerance &&
            !SN_LIST_PUSH(near, i)) {
            return false;
        }
    }
    return true;
}

static bool find_near(const cells *cells, const sn_coincidence *problem, sn_vec3 place, sn_node_list *near)
{
    cell middle = cell_of(cells, place);
    near->count = 0;
    for (int k = 0; k < 27; ++k) {
        cell at = {middle.x + k % 3 - 1, middle.y + k / 3 % 3 - 1, middle.z + k / 9 - 1};
        if (!look_into(cells, problem, at, place, near)) {
            return false;
        }
    }
    return true;
}

// One deformable: a node is held to the lowest one at its place. Of two chosen ones the later is.
static int partner_within(const sn_node_list *near, const bool *is_chosen, int node)
{
    int lowest = -1;
    for (int i = 0; i < near->count; ++i) {
        int other = near->items[i];
        bool counts = other < node || (other > node && !is_chosen[other]);
        lowest = counts && (lowest < 0 || other < lowest) ? other : lowest;
    }
    return lowest;
}

// Two deformables: a node of a is held to the lowest one of b, and to all that nobody holds yet.
static bool pair_across(const sn_node_list *near, int node, bool *is_held, sn_node_pair_list *pairs)
{
    int lowest = -1;
    for (int i = 0; i < near->count; ++i) {
        lowest = lowest < 0 || near->items[i] < lowest ? near->items[i] : lowest;
    }
    for (int i = 0; i < near->count; ++i) {
        int other = near->items[i];
        if (other == lowest || !is_held[other]) {
            is_held[other] = true;
            sn_node_pair pair = {node, other};
            if (!SN_LIST_PUSH(pairs, pair)) {
                return false;
            }
        }
    }
    return true;
}

// Marks of nodes: of one deformable, those chosen; of two, those of b that are held.
static bool pair_all(const cells *cells, const sn_coincidence *problem, bool *marks, sn_node_pair_list *pairs)
{
    bool is_one = problem->a == problem->b, good = true;
    int count = problem->chosen != NULL ? problem->chosen_count : problem->count_a;
    sn_node_list near = {0};
    for (int i = 0; i < count && is_one; ++i) {
        marks[problem->chosen != NULL ? problem->chosen[i] : i] = true;
    }
    for (int i = 0; i < count && good; ++i) {
        int node = problem->chosen != NULL ? problem->chosen[i] : i;
        good = find_near(cells, problem, problem->a[node].position, &near);
        int partner = good && is_one ? partner_within(&near, marks, node) : -1;
        sn_node_pair pair = {node, partner};
        if (good && is_one) {
            good = partner < 0 || SN_LIST_PUSH(pairs, pair);
        } else if (good) {
            good = pair_across(&near, node, marks, pairs);
        }
    }
    SN_LIST_FREE(&near);
    return good;
}

bool sn_find_coincident(const sn_coincidence *problem, sn_node_pair_list *pairs)
{
    cells cells;
    bool *marks = calloc((size_t)problem->count_b + 1, sizeof *marks);
    bool good = marks != NULL && cells_fill(&cells, problem);
    if (good) {
        good = pair_all(&cells, problem, marks, pairs);
        cells_free(&cells);
    }
    free(marks);
    return good;
}
