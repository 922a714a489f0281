// The engine's clock in place of src/base/clock.c: a function of the page's, or none. A module without
// imports cannot ask for the time, but it can be handed a function through its table.
#include "base/clock.h"
#include "bridge.h"

static double (*source)(void);

void page_clock_set(double (*clock)(void))
{
    source = clock;
}

double sn_clock(void)
{
    return source != NULL ? source() : 0.0;
}
