// Wall-clock seconds, for profiles only: nothing the simulation computes depends on it.
#ifndef SN_BASE_CLOCK_H
#define SN_BASE_CLOCK_H

double sn_clock(void);

// Adds the seconds since a mark to `time`; the mark is now.
static inline void sn_lap(double *mark, double *time)
{
    double now = sn_clock();
    *time += now - *mark;
    *mark = now;
}

#endif
