// Contacts of deformables in the world: from detection (collision/soft) to the solver and back.
#ifndef SN_WORLD_DEFORMABLES_DEFORMABLE_CONTACTS_H
#define SN_WORLD_DEFORMABLES_DEFORMABLE_CONTACTS_H

#include "collision/soft/soft_detection.h"
#include "solver/contact/soft_contact_rows.h"
#include "solver/staggered/staggered_contact.h"
#include "solver/staggered/staggered_dummy.h"

// What the solver makes of the contacts of a class of islands in a step.
typedef struct sn_soft_rows {
    struct sn_world *world;
    sn_soft_contacts with_bodies, between; // `between` deformables
    bool is_redetected;                    // those between deformables, within the step
    sn_staggered_contacts staggered;       // instead, for the staggered solver
    sn_dummy_contacts dummies;             // or these, if it uses dummy nodes
} sn_soft_rows;

struct sn_world;

// The world as detection sees it, in its arena. False without memory.
bool sn_soft_describe(struct sn_world *world, float duration, sn_soft_scene *scene);
// Whether both sides of a contact still exist.
bool sn_soft_is_current(const struct sn_world *world, const sn_soft_key *key);
// How fast the surface of the shape of a contact moves along itself, beyond its body; world axes. Zero
// between deformables. [m/s]
sn_vec3 sn_soft_surface_velocity(const struct sn_world *world, const sn_soft_contact_data *contact);
// Whether the k-th node of a contact belongs to the deformable of its key, not to the other one. The sign of
// the weight does not tell where it is zero.
bool sn_soft_is_own(const struct sn_world *world, const sn_soft_contact_data *contact, int k);
// Gives the contacts of the class that is being solved to the solver. `body_numbers` are the solver's numbers
// of the world's bodies. False without memory.
bool sn_soft_load(struct sn_world *world, const int *body_numbers, sn_soft_rows *rows, sn_node_solver *nodes);
// The sum of the impulses of deformables on a body over the last step. [N s]
sn_vec3 sn_soft_impulse_on(const struct sn_world *world, int body);
// After the solver has run.
void sn_soft_unload(const sn_soft_rows *rows);

#endif
