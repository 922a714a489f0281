// The kernels of projections for the instruction set the library is built for.
#define SN_PROJECTIONS sn_projections_base
#include "model/goals/projection_kernel.h"

#include "base/processor.h"

const sn_projections *sn_projections_pick(void)
{
#ifdef SN_HAS_AVX2_KERNELS
    if (sn_has_avx2()) {
        return &sn_projections_avx2;
    }
#endif
    return &sn_projections_base;
}
