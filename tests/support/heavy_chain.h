// A chain of fifty links under a load that is many times heavier than a link, hanging or swinging. Shared by
// the test and the benchmark.
#ifndef TESTS_SUPPORT_HEAVY_CHAIN_H
#define TESTS_SUPPORT_HEAVY_CHAIN_H

#include "sinew/sinew.h"

/// At worst in all steps.
typedef struct heavy_chain_errors {
    double longer; ///< from end to end, as a part of the length
    double parted; ///< error of a joint over the length of a link
    double gained; ///< energy over weight times length
} heavy_chain_errors;

/// The load is `ratio` times as heavy as a link; the chain begins at rest and straight along `direction`.
heavy_chain_errors heavy_chain_run(float ratio, sn_vec3 direction, int steps);

#endif
