// How near and how far the end of a chain of jointed bodies can be from where the chain begins, whatever
// shape its joints allow: interval form of the bounds of Müller et al. 2017, section 3.1 (methods E.1). The
// greedy angles of the paper are exact for uniform chains alone and are violated by others; ranges of
// distance and angle are not, and are a little wider.
//
// The chain is a line of segments in space. At a joint its opening is the angle between the segment that
// comes and the one that goes, π where it is straight; any turn about either segment is taken as possible.
#ifndef SN_LONG_RANGE_CHAIN_REACH_H
#define SN_LONG_RANGE_CHAIN_REACH_H

#include "sinew/math.h"

typedef struct sn_range {
    double lower, upper;
} sn_range;

// Where a chain may be, seen from the joint that was reached.
typedef struct sn_chain_reach {
    sn_range distance; // to where the chain begins [m]
    sn_range angle;    // between the way back along the last segment and straight to the beginning [rad]
} sn_chain_reach;

extern const sn_range sn_any_opening; // 0 to π

// At the beginning, and at a point of which only the largest distance to it is known.
sn_chain_reach sn_chain_begin(void);
sn_chain_reach sn_chain_within(double distance);

// One segment further: its length, and the opening at the joint before it.
sn_chain_reach sn_chain_extend(sn_chain_reach reach, sn_range length, sn_range opening);

// Openings that joints allow between two directions, `u` of one body in the joint's frame on it and `v` of
// the other in its own. Directions need not have unit length; without one any opening is possible.
sn_range sn_opening_of_hinge(sn_vec3 u, sn_vec3 v, double lower, double upper); // turned about x [rad]
sn_range sn_opening_of_cone(sn_vec3 u, sn_vec3 v, double cone); // x axes part by at most that [rad]

#endif
