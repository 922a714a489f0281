// How fast the fastest motion of a deformable is whose model is made of forces.
#ifndef SINEW_APPS_FREQUENCY_H
#define SINEW_APPS_FREQUENCY_H

#include "sinew/sinew.h"

// The highest angular frequency about the rest shape [rad/s], found to about a tenth, from below; 0 for
// models that are not made of forces. Negative without memory.
double frequency_highest(const sn_world *world, sn_deformable deformable);

#endif
