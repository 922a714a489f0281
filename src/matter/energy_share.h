// A member's share in the energy account of its island (solver/energy/energy_ledger.h). It goes with the
// member when islands join and part.
#ifndef SN_MATTER_ENERGY_SHARE_H
#define SN_MATTER_ENERGY_SHARE_H

#include <stdbool.h>

typedef struct sn_energy_share {
    float stored, peak; // [J]
    bool is_known;      // false if something was changed from outside: what is stored is measured anew
    bool is_held_anew;  // constraints of it were changed: the same of these alone
} sn_energy_share;

#endif
