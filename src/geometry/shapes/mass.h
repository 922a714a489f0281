// Mass properties of solids and how they combine. Closed forms for simple shapes; Mirtich 1996 for closed
// meshes and hulls.
#ifndef SN_GEOMETRY_SHAPES_MASS_H
#define SN_GEOMETRY_SHAPES_MASS_H

#include "sinew/shape.h"

// Of a solid in its owner's frame (its pose applied), density in kg/m³.
sn_mass sn_mass_of_solid(const sn_solid *solid, float density);
sn_mass sn_mass_of_compound(const sn_compound *compound, float density);
// Mass of a closed, outward-oriented triangle mesh at density 1, by exact volume integrals in double. No
// checks.
sn_mass sn_mass_of_triangles(const sn_vec3 *vertices, const uint32_t *triangles, int triangle_count);
// As seen from outside a pose: centre moved, inertia turned.
sn_mass sn_mass_transformed(sn_mass mass, sn_pose pose);
// Two bodies as one: masses add, inertia about the common centre.
sn_mass sn_mass_sum(sn_mass a, sn_mass b);

#endif
