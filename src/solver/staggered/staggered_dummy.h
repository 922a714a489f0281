// Contacts of deformables as Vezzaro 2015 has them (section 4.3), for comparison: each is a dummy node, or
// one on either side, with the place and velocity of the point of contact and the deformable's mass divided
// by the number of its contacts. Rows act on dummies while rows are solved; afterwards the nodes of a face
// take over the change of its dummy's velocity ("a rigid motion of the face"), averaged where a node has
// several, and bodies are pushed by the mean of the impulses they got.
//
// Momentum is not kept: a node weighs something else than its dummy, and a body on N contacts is held up by
// one N-th of what they push (methods A.5). Corrected are the sign of the bias (ζ = −βε) and the limit of
// friction (Coulomb's µΛₙ instead of gravity's part of the weight, which knows no load); like the paper's,
// dummies are neither warm-started nor do they bounce.
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
