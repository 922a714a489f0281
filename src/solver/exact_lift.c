// Nodes that weigh what holds them while rows are swept.
#include "solver/exact.h"

bool sn_exact_lift_begin(sn_exact_stage *stage)
{
    (void)stage;
    return true;
}

void sn_exact_lift(sn_exact_stage *stage)
{
    (void)stage;
}

void sn_exact_lower(sn_exact_stage *stage)
{
    (void)stage;
}
