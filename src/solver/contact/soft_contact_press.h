// Bodies that press nodes against something that does not move: a vase on a tablecloth. A light node passes
// on the load of a heavy body in thousands of sweeps, and the body bounces on it meanwhile. So the body gets
// a contact of its own with what is behind the nodes, at the distance that both gaps are together. What that
// bears passes through the nodes: it counts for their friction on both sides, and is told as their load.
// Tested by tests/physics/soft/test_soft_weight.c.
#ifndef SN_SOLVER_CONTACT_SOFT_CONTACT_PRESS_H
#define SN_SOLVER_CONTACT_SOFT_CONTACT_PRESS_H

#include "solver/contact/soft_contact_rows.h"
#include "solver/solver.h"

typedef struct sn_soft_press {
    int through;                 // number of the contact between the body and what is behind
    int above;                   // of the body and the nodes
    int behind[SN_SOFT_NODES];   // of each node and what is behind it
    float weight[SN_SOFT_NODES]; // of these nodes
    int width;
} sn_soft_press;

// Appends such contacts, which go on with the impulses of the bodies' own. False without memory.
bool sn_soft_contacts_press(sn_soft_contacts *contacts, const sn_solver *rigid);
// Lists which lanes bear what passes through nodes, once contacts are packed. False without memory.
bool sn_soft_contacts_list_loads(const sn_soft_contacts *contacts, struct sn_soft_packing *packing);
// Tells these lanes what they bear now.
void sn_soft_pass_loads_on(const struct sn_soft_packing *packing);
// After impulses are stored: adds what has passed through to both sides.
void sn_soft_contacts_share(const sn_soft_contacts *contacts);

#endif
