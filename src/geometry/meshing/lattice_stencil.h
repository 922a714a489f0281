// What of one lattice tetrahedron lies inside: the stencils of Labelle and Shewchuk, Isosurface Stuffing
// (SIGGRAPH 2007), figure 3. Knows signs and lattice edges only, no positions and no surface.
#ifndef SN_GEOMETRY_MESHING_LATTICE_STENCIL_H
#define SN_GEOMETRY_MESHING_LATTICE_STENCIL_H

#include "sinew/base.h"

// Cut points nearer to a lattice node than this fraction of their edge pull the node onto themselves. Chosen
// by searching all stencils with all places of cut points and nodes for their worst dihedral angles: with
// these they are 10.5° and 163.8°, wherever the surface runs. (The paper's other values and parity rule give
// 10.7° and 164.8°.)
#define SN_WARP_LONG  0.28f
#define SN_WARP_SHORT 0.40f

// Corner `inside` of the lattice tetrahedron if both are equal, else the cut point of the edge between a
// corner inside and one outside.
typedef struct sn_stencil_point {
    uint8_t inside, outside;
} sn_stencil_point;

typedef struct sn_stencil {
    int count;                         // 0…3
    sn_stencil_point tetrahedra[3][4]; // right-handed
} sn_stencil;

// Corners 0, 1 and 2, 3 of a right-handed lattice tetrahedron are the ends of its two long edges, the other
// four edges are short. `signs`: 1 inside, 0 on the surface, −1 outside. Bit k of `even` is set if corner k
// is the even end of its long edge; the two ends differ.
void sn_lattice_stencil(const int8_t signs[4], unsigned even, sn_stencil *stencil);

#endif
