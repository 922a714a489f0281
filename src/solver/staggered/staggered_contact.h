// Contacts of deformables under the staggered schedule: those of soft_contact.h, but what they push is
// carried by deformables as wholes (staggered_rigid_mode.h). One after the other, for contacts of one
// deformable all see its whole.
#ifndef SN_SOLVER_STAGGERED_STAGGERED_CONTACT_H
#define SN_SOLVER_STAGGERED_STAGGERED_CONTACT_H

#include "solver/contact/soft_contact_rows.h"
#include "solver/staggered/staggered_rigid_mode.h"

typedef struct sn_staggered_contacts {
    sn_soft_contacts soft; // filled by the caller
    // The rest is taken from the arena.
    struct sn_staggered_state *state;
} sn_staggered_contacts;

// The stage that solves them.
sn_coupling_stage sn_staggered_contacts_stage(sn_staggered_contacts *contacts);

#endif
