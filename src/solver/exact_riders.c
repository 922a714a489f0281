// Nodes that bodies carry.
#include "solver/exact.h"

bool sn_exact_riders_begin(sn_exact_stage *stage)
{
    (void)stage;
    return true;
}

void sn_exact_riders_place(sn_exact_stage *stage)
{
    (void)stage;
}

void sn_exact_riders_settle(sn_exact_stage *stage)
{
    (void)stage;
}
