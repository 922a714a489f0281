// Tested by tests/solver/test_schedule.c.
#include "base/clock.h"

#include <time.h>

double sn_clock(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1.0e-9 * (double)now.tv_nsec;
}
