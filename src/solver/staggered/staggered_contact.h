// Contacts of deformables under the staggered solver: those of soft_contact.h with the rigid-mode correction
// of staggered_rigid_mode.h. They are solved one after the other, because all contacts of a deformable share
// its rigid mode.
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
