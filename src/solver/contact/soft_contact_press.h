// Bodies that press nodes against something that does not move, a vase on a tablecloth, or as far as what
// holds the nodes lets them go (node_reach.h), a ball on a trampoline. A light node passes on the load of a
// heavy body in thousands of sweeps, and the body bounces on it meanwhile. So the body gets a contact of its
// own with what is behind the nodes. What that bears passes through the nodes: it counts for their friction
// on both sides, and is told as their load. Where the nodes have no room to go along with the body, friction
// acts there, too. Tested by tests/physics/soft/test_soft_weight.c.
#ifndef SN_SOLVER_CONTACT_SOFT_CONTACT_PRESS_H
#define SN_SOLVER_CONTACT_SOFT_CONTACT_PRESS_H

#include "solver/contact/node_reach.h"
#include "solver/contact/soft_contact_rows.h"
#include "solver/solver.h"

// Where a node ends, and what is there.
typedef struct sn_press_end {
    int contact; // number of its contact with what is behind; −1: it is as far as it reaches
    const sn_node_reach *reach;
    sn_reach_end at;
} sn_press_end;

typedef struct sn_soft_press {
    int through; // number of the contact between the body and what is behind
    int above;   // of the body and the nodes
    sn_press_end end[SN_SOFT_NODES];
    float weight[SN_SOFT_NODES]; // of these nodes
    int width;
    sn_vec3 normal;   // of what is behind, from the body
    float separation; // of the two [m]
    bool rubs;        // friction acts between the two
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
