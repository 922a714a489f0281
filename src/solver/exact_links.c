// Weighted sums of nodes held together.
#include "solver/exact.h"

bool sn_exact_links_begin(sn_exact_stage *stage)
{
    (void)stage;
    return true;
}

void sn_exact_links_place(sn_exact_stage *stage)
{
    (void)stage;
}

void sn_exact_links_settle(sn_exact_stage *stage)
{
    (void)stage;
}
