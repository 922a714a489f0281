// Where the surface cuts the lattice's edges, and which nodes that moves.
#ifndef SN_GEOMETRY_MESHING_LATTICE_CUT_H
#define SN_GEOMETRY_MESHING_LATTICE_CUT_H

#include "base/array.h"
#include "geometry/meshing/lattice.h"
#include "geometry/meshing/lattice_winding.h"

// The cut point of an edge with one end inside and one outside.
typedef struct sn_lattice_cut {
    int low, high;  // nodes, low < high
    float fraction; // of the way from low to high
    int number;     // among the mesh's nodes, or −1 for none yet
} sn_lattice_cut;

typedef struct sn_lattice_cuts {
    SN_ARRAY(sn_lattice_cut) list; // sorted by low, then by high
} sn_lattice_cuts;

// Finds all cut points; the surface is in lattice coordinates. False without memory.
bool sn_lattice_find_cuts(const sn_lattice *lattice, const sn_winding *winding, sn_lattice_cuts *cuts);
// Moves nodes that have a cut point too near onto it: their sign becomes 0, their number tells where to. Cut
// points of their other edges are void from then on. Fills all of the lattice's numbers.
void sn_lattice_warp(sn_lattice *lattice, const sn_lattice_cuts *cuts);
// The cut point of the edge between two nodes, which must have one.
sn_lattice_cut *sn_lattice_cut_between(sn_lattice_cuts *cuts, int a, int b);
sn_vec3 sn_lattice_cut_position(const sn_lattice *lattice, const sn_lattice_cut *cut);

#endif
