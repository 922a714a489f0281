// Wall-clock seconds, for profiles only: nothing the simulation computes depends on it.
#ifndef SN_BASE_CLOCK_H
#define SN_BASE_CLOCK_H

double sn_clock(void);

#endif
