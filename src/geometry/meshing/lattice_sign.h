// Which nodes of the lattice lie inside the surface.
#ifndef SN_GEOMETRY_MESHING_LATTICE_SIGN_H
#define SN_GEOMETRY_MESHING_LATTICE_SIGN_H

#include "geometry/meshing/lattice.h"
#include "geometry/meshing/lattice_winding.h"

// Fills the lattice's signs with 1 and −1 (and uses its numbers as scratch). The surface is in lattice
// coordinates. `closed` says that every edge has its twin: then nodes away from the surface are asked once
// for each connected region, else all are asked.
void sn_lattice_find_signs(sn_lattice *lattice, const sn_winding *winding, bool closed);

#endif
