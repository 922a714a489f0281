// Rates of the references of contacts (methods J.3).
#ifndef SN_WORLD_CORE_SETTLE_H
#define SN_WORLD_CORE_SETTLE_H

#include "world/core/world.h"

// Finds by how much each island sinks under its load, and how near it is to buckling, from the forces of the
// last step; memory is the arena's. False without memory.
bool sn_world_find_sags(sn_world *world, const sn_islands *islands, sn_solve_classes *classes);

// Parts of Λ − Λ_ref by which the references of a contact follow in a sub-step of length h: `together` those
// of a patch, `tilt` × the square of its radius the deviations of its points from their mean.
typedef struct sn_settle_rates {
    float together, tilt;
} sn_settle_rates;
sn_settle_rates sn_settle_rates_of(const sn_world *world, const sn_contact_data *contact, float h);

#endif
