// Cut points, and the warping of Labelle and Shewchuk: a node with a cut point nearer than a fraction of the
// edge moves there, so that no stencil makes a sliver.
#include "geometry/meshing/lattice_cut.h"
#include "geometry/meshing/lattice_stencil.h"

// Halvings of an edge in search of where the winding number passes a half.
#define HALVINGS 16

#define LENGTH_LONG  2.0f
#define LENGTH_SHORT 1.7320508f

// --- finding -----------------------------------------------------------------------------------------------

// Where the winding number passes a half, as a fraction of the way from outside to inside.
static float find_by_halving(const sn_winding *winding, sn_vec3 outside, sn_vec3 inside)
{
    float lower = 0.0f, upper = 1.0f;
    for (int i = 0; i < HALVINGS; ++i) {
        float middle = 0.5f * (lower + upper);
        if (sn_winding_is_inside(winding, sn_lerp(outside, inside, middle))) {
            upper = middle;
        } else {
            lower = middle;
        }
    }
    return 0.5f * (lower + upper);
}

// The first triangle seen from outside: behind it the winding number is off by one, hence over a half.
// (Seen from inside, the first might be one where bodies overlap.) Without any, the edge leaves through a
// hole of the surface, or by a hair's breadth at an end.
static float find_cut(const sn_winding *winding, sn_vec3 outside, sn_vec3 inside)
{
    float fraction;
    sn_vec3 normal;
    if (sn_surface_ray(winding->surface, outside, sn_sub(inside, outside), &fraction, &normal) >= 0) {
        return fraction;
    }
    return find_by_halving(winding, outside, inside);
}

bool sn_lattice_find_cuts(const sn_lattice *lattice, const sn_winding *winding, sn_lattice_cuts *cuts)
{
    for (int node = 0; node < lattice->node_count; ++node) {
        const int *neighbors = lattice->neighbors[node % 2];
        for (int k = 0; k < SN_LATTICE_NEIGHBORS; ++k) {
            int next = node + neighbors[k];
            // The outermost nodes have no neighbours on one side, but all nodes around them are outside.
            if (neighbors[k] < 0 || next >= lattice->node_count ||
                lattice->sign[node] == lattice->sign[next]) {
                continue;
            }
            sn_vec3 a = sn_lattice_position(lattice, node), b = sn_lattice_position(lattice, next);
            float fraction =
                lattice->sign[node] < 0 ? find_cut(winding, a, b) : 1.0f - find_cut(winding, b, a);
            if (!sn_array_push(&cuts->list, ((sn_lattice_cut){node, next, fraction, -1}))) {
                return false;
            }
        }
    }
    return true;
}

sn_lattice_cut *sn_lattice_cut_between(sn_lattice_cuts *cuts, int a, int b)
{
    int low = a < b ? a : b, high = a < b ? b : a;
    int begin = 0, end = cuts->list.count;
    while (end - begin > 1) {
        int middle = begin + (end - begin) / 2;
        const sn_lattice_cut *cut = &cuts->list.data[middle];
        if (cut->low < low || (cut->low == low && cut->high <= high)) {
            begin = middle;
        } else {
            end = middle;
        }
    }
    return &cuts->list.data[begin];
}

sn_vec3 sn_lattice_cut_position(const sn_lattice *lattice, const sn_lattice_cut *cut)
{
    return sn_lerp(sn_lattice_position(lattice, cut->low), sn_lattice_position(lattice, cut->high),
                   cut->fraction);
}

// --- warping -----------------------------------------------------------------------------------------------

// The end that a cut point is too near to, and how near; −1 if it is far from both.
static int node_too_near(const sn_lattice_cut *cut, float *distance)
{
    bool is_long = sn_lattice_is_long(cut->low, cut->high);
    float least = is_long ? SN_WARP_LONG : SN_WARP_SHORT, length = is_long ? LENGTH_LONG : LENGTH_SHORT;
    if (cut->fraction < least) {
        *distance = length * cut->fraction;
        return cut->low;
    }
    if (1.0f - cut->fraction < least) {
        *distance = length * (1.0f - cut->fraction);
        return cut->high;
    }
    return -1;
}

// A cut point is void once one of its ends was moved.
static bool is_live(const sn_lattice *lattice, const sn_lattice_cut *cut)
{
    return lattice->sign[cut->low] != 0 && lattice->sign[cut->high] != 0;
}

// Leaves in the numbers of nodes still in place the nearest of the live cut points too near to them, as
// −2 − c; the first of equally near ones. Returns whether there are any.
static bool choose_nearest(sn_lattice *lattice, const sn_lattice_cuts *cuts)
{
    bool any = false;
    for (int i = 0; i < cuts->list.count; ++i) {
        const sn_lattice_cut *cut = &cuts->list.data[i];
        lattice->number[cut->low] = lattice->sign[cut->low] ? -1 : lattice->number[cut->low];
        lattice->number[cut->high] = lattice->sign[cut->high] ? -1 : lattice->number[cut->high];
    }
    for (int i = 0; i < cuts->list.count; ++i) {
        const sn_lattice_cut *cut = &cuts->list.data[i];
        float distance, best = 0.0f;
        int node = is_live(lattice, cut) ? node_too_near(cut, &distance) : -1;
        if (node < 0) {
            continue;
        }
        int chosen = lattice->number[node];
        if (chosen < -1) {
            (void)node_too_near(&cuts->list.data[-2 - chosen], &best);
        }
        if (chosen == -1 || distance < best) {
            lattice->number[node] = -2 - i;
        }
        any = true;
    }
    return any;
}

void sn_lattice_warp(sn_lattice *lattice, const sn_lattice_cuts *cuts)
{
    for (int node = 0; node < lattice->node_count; ++node) {
        lattice->number[node] = -1;
    }
    // A node that loses its nearest cut point to a neighbour's move must choose again. It has fourteen
    // neighbours, so this ends soon.
    while (choose_nearest(lattice, cuts)) {
        for (int i = 0; i < cuts->list.count; ++i) {
            const sn_lattice_cut *cut = &cuts->list.data[i];
            float distance;
            int node = is_live(lattice, cut) ? node_too_near(cut, &distance) : -1;
            if (node >= 0 && lattice->number[node] == -2 - i) {
                lattice->sign[node] = 0;
            }
        }
    }
}
