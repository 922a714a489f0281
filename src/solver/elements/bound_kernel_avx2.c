// The kernels of bounds for processors with AVX2.
#define SN_BOUND_KIND sn_element_bounds_avx2
#include "solver/elements/bound_kernel.h"
