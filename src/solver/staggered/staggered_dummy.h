// Contacts of deformables as in Vezzaro 2015 (section 4.3), for comparison. Each side of a contact that
// deforms gets a dummy node with the position and velocity of the contact point, and the deformable's mass
// divided by the number of its contacts. Rows act on dummies. Afterwards the nodes of a face take over the
// velocity change of its dummy ("a rigid motion of the face"), averaged where a node has several, and bodies
// receive the mean of their impulses.
//
// Momentum is not conserved: a node's mass differs from its dummy's, and a body on N contacts is supported by
// one N-th of their impulses (methods A.5). Two errors of the paper are corrected: the sign of the bias (ζ =
// −βε), and the limit of friction (Coulomb's µΛₙ instead of a part of the weight). As in the paper, dummies
// are neither warm-started nor do they bounce.
#ifndef SN_SOLVER_STAGGERED_STAGGERED_DUMMY_H
#define SN_SOLVER_STAGGERED_STAGGERED_DUMMY_H

#include "collision/soft/soft_contact.h"
#include "solver/nodes/node_solver.h"

typedef struct sn_dummy_contacts {
    // In: filled by the caller.
    sn_soft_contact_data **contacts;
    int count;
    const int *body_numbers; // solver numbers by the world's
    // The rest is taken from the arena.
    struct sn_dummy_state *state;
} sn_dummy_contacts;

// The stage that solves them.
sn_coupling_stage sn_dummy_contacts_stage(sn_dummy_contacts *contacts);

#endif
