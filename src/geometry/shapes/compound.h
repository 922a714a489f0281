// Several convex parts as one shape. Knows nothing of bodies.
#ifndef SN_GEOMETRY_SHAPES_COMPOUND_H
#define SN_GEOMETRY_SHAPES_COMPOUND_H

#include "geometry/shapes/convex.h"

typedef struct sn_compound_part_data {
    sn_solid solid;            // as given; a hull is retained
    sn_convex_storage storage; // of its convex view
    sn_bounds bounds;          // in the compound's frame
} sn_compound_part_data;

struct sn_compound {
    int reference_count;
    int part_count;
    sn_compound_part_data *parts;
    sn_bounds bounds;
    size_t bytes; // of the one allocation that holds all this
};

void sn_compound_retain(const sn_compound *compound);
// The convex view of a part, in the part's own frame (its pose is parts[part].solid.pose).
sn_convex sn_compound_convex(const sn_compound *compound, int part);

#endif
