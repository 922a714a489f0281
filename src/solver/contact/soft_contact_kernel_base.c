// The kernels of contacts of deformables for the instruction set the library is built for.
#define SN_SOFT_KERNELS sn_soft_kernels_base
#include "solver/contact/soft_contact_kernel.h"

#include "base/processor.h"

const sn_soft_kernels *sn_soft_kernels_pick(void)
{
#ifdef SN_HAS_AVX2_KERNELS
    if (sn_has_avx2()) {
        return &sn_soft_kernels_avx2;
    }
#endif
    return &sn_soft_kernels_base;
}
