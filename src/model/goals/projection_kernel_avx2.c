// The kernels of projections for processors with AVX2.
#define SN_PROJECTIONS sn_projections_avx2
#include "model/goals/projection_kernel.h"
