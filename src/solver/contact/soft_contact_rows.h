// Contacts of deformables as rows of the velocity solver (methods A.2, A.5, A.6, F.2): for each a normal
// with Λₙ ≥ 0 and friction inside Coulomb's disc µΛₙ, acting on at most four nodes by their weights and on
// one rigid body, at one and the same point, so that momentum is kept exactly.
//
// Contacts are coloured anew every step, so that those of one colour share no node. Bodies with few contacts
// take part in the colouring. A body with many (a ball under a cloth) cannot: its contacts fill whole blocks
// instead, whose eight lanes are solved at once, each with an eighth of the body (mass splitting, Tonge
// 2012), and the blocks of one body follow each other. If it is much heavier than the nodes, whole batches of
// blocks are solved at once in this way.
//
// Contacts that are not likely to act lie together, in blocks that sub-steps may leave out. Bodies that press
// nodes against something get contacts besides (soft_contact_press.h).
#ifndef SN_SOLVER_CONTACT_SOFT_CONTACT_ROWS_H
#define SN_SOLVER_CONTACT_SOFT_CONTACT_ROWS_H

#include "collision/soft/soft_contact.h"
#include "solver/nodes/node_solver.h"

typedef struct sn_soft_contacts {
    // In: filled by the caller.
    sn_soft_contact_data **contacts;
    int count;
    const int *body_numbers; // solver numbers by the world's
    sn_arena *arena;
    sn_tasks *tasks;
    // The rest is taken from the arena.
    struct sn_soft_press *presses;
    int press_count;
    struct sn_soft_packing *packing;
} sn_soft_contacts;

// As a coupling stage's (energy_work.c).
void sn_soft_contacts_add_work(const void *contacts, const struct sn_solver *solver, sn_work_phase phase,
                               double *work);
// The stage that solves them.
sn_coupling_stage sn_soft_contacts_stage(sn_soft_contacts *contacts);

#endif
